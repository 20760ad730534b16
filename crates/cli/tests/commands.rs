//! The commands as a user runs them: what they print, and with which exit status.

mod shared;

use std::path::{Path, PathBuf};
use std::process::Command;

use shared::{done, ended, file, path, refused};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tourbillon");

/// The network of a model, without its name and its queries.
fn network(path: &Path) -> String {
    let model = done(&["debug", "model", self::path(path)]);
    let lines = model.lines().filter(|line| !line.starts_with("model ") && !line.starts_with("query "));
    lines.map(|line| format!("{line}\n")).collect()
}

const FAMILIES: [&str; 15] = [
    "fischer",
    "csmacd",
    "csmacd-broadcast",
    "fddi",
    "critical-region",
    "critical-region-exclusive",
    "lynch",
    "train-gate",
    "corsso",
    "dining-philosophers",
    "bridge",
    "blow-up",
    "flexray",
    "flexray-bytes",
    "flexray-broken",
];

/// Every family, in every language it is written in, loads; and UPPAAL's text and XML are the same network.
#[test]
fn families_load_in_every_language() {
    let listed = done(&["gen"]);
    for name in FAMILIES {
        assert!(listed.contains(name), "{name} is not listed");
        let written: Vec<PathBuf> = ["xta", "xml", "tck"]
            .iter()
            .map(|language| {
                let model = done(&["gen", name, "3", "--as", language]);
                file("families", &format!("{name}.{language}"), &model)
            })
            .collect();
        let [xta, xml, tck] = &written[..] else { unreachable!("three languages") };
        assert_eq!(network(xta), network(xml), "{name}");
        assert!(network(tck).contains("process "), "{name}");
        let model = done(&["debug", "model", path(xml)]);
        assert!(model.contains("query ") && !model.contains("refused"), "{name}: {model}");
    }
}

/// There and back between UPPAAL's formats, and for TChecker's text to itself.
#[test]
fn conversions_keep_the_network() {
    for name in FAMILIES {
        let xml = file("there-and-back", &format!("{name}.xml"), &done(&["gen", name, "3"]));
        let xta =
            file("there-and-back", &format!("{name}.xta"), &done(&["convert", path(&xml), "--to", "xta"]));
        let again = file(
            "there-and-back",
            &format!("{name}-again.xml"),
            &done(&["convert", path(&xta), "--to", "xml"]),
        );
        assert_eq!(network(&xml), network(&xta), "{name}");
        assert_eq!(network(&xml), network(&again), "{name}");
        let tck = file("there-and-back", &format!("{name}.tck"), &done(&["gen", name, "3", "--as", "tck"]));
        let again = file(
            "there-and-back",
            &format!("{name}-again.tck"),
            &done(&["convert", path(&tck), "--to", "tck"]),
        );
        assert_eq!(network(&tck), network(&again), "{name}");
    }
}

/// From TChecker's text to UPPAAL's: as many processes, clocks and edges, or a refusal that names the reason.
#[test]
fn vectors_become_channels() {
    let fischer = file("vectors", "fischer.tck", &done(&["gen", "fischer", "3", "--as", "tck"]));
    let xta = file("vectors", "fischer-converted.xta", &done(&["convert", path(&fischer), "--to", "xta"]));
    let count = |path: &Path, what: &str| network(path).lines().filter(|line| line.contains(what)).count();
    for what in ["process ", "clock ", " -> "] {
        assert_eq!(count(&fischer, what), count(&xta, what), "{what}");
    }
    let locals = "system:s\nprocess:P\nevent:e\nint:1:0:9:0:v\nlocation:P:A{initial:}\nedge:P:A:A:e{do: local a[2]; a[v]=3; v=a[0]}\n";
    let locals = file("vectors", "locals.tck", locals);
    let text = done(&["convert", path(&locals), "--to", "xta"]);
    assert!(text.contains("local[0 + v] = 3;"), "{text}");
    done(&["debug", "model", path(&file("vectors", "locals.xta", &text))]);
    let weak = "system:s\nevent:a\nprocess:P\nlocation:P:l{initial:}\nedge:P:l:l:a\nprocess:Q\nlocation:Q:l{initial:}\n\
                edge:Q:l:l:a\nprocess:R\nlocation:R:l{initial:}\nedge:R:l:l:a\nsync:P@a:Q@a?:R@a?\n";
    let text = done(&["convert", path(&file("vectors", "weak.tck", weak)), "--to", "xta"]);
    assert!(
        text.contains("broadcast chan a;") && text.contains("sync a!") && text.contains("sync a?"),
        "{text}"
    );
    let three = "system:s\nevent:a\nprocess:P\nlocation:P:l{initial:}\nedge:P:l:l:a\nprocess:Q\nlocation:Q:l{initial:}\n\
                 edge:Q:l:l:a\nprocess:R\nlocation:R:l{initial:}\nedge:R:l:l:a\nsync:P@a:Q@a:R@a\n";
    let three = file("vectors", "three.tck", three);
    assert!(refused(&["convert", path(&three), "--to", "xta"]).contains("C0001"));
}

#[test]
fn json_is_json() {
    let model = file("json", "fischer.xml", &done(&["gen", "fischer", "2"]));
    let json: serde_json::Value =
        serde_json::from_str(&done(&["convert", path(&model), "--to", "json"])).expect("JSON");
    assert_eq!(json["schema"], 1);
    assert_eq!(json["processes"].as_array().map(Vec::len), Some(2));
    assert_eq!(json["clocks"][0], "Process(1).x");
    assert_eq!(json["queries"][0]["expected"], "satisfied");
    assert_eq!(json["processes"][0]["edges"][0]["updates"][0], "Process(1).x := 0");
    let broken = file("json", "broken.xta", "int x = ;\nprocess P() { state A; init A; } system P;");
    let told = refused(&["debug", "model", path(&broken), "--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!((told[0]["severity"].as_str(), told[0]["place"]["line"].as_u64()), (Some("error"), Some(1)));
}

#[test]
fn pictures_are_drawn() {
    let model = file("pictures", "gate.xml", &done(&["gen", "train-gate", "2"]));
    assert!(done(&["draw", path(&model), "--to", "svg"]).starts_with("<svg"));
    let dot = done(&["draw", path(&model), "--to", "dot", "--template", "Gate"]);
    assert!(dot.starts_with("digraph") && dot.contains("Occ"));
    assert!(refused(&["draw", path(&model), "--to", "dot", "--template", "Door"]).contains("`Door`"));
}

/// A mistake is shown at its place in the XML, with its code, the element, and help; all of them, not the
/// first.
#[test]
fn mistakes_are_shown_where_they_are() {
    let model = done(&["gen", "fischer", "2"]).replace("id == pid", "idd == pidd");
    let told = refused(&["debug", "model", path(&file("mistakes", "fischer.xml", &model))]);
    for part in [
        "error[M0101]: `idd` is not declared",
        "`pidd` is not declared",
        "label[",
        "did you mean `pid`?",
        "^^^",
    ] {
        assert!(told.contains(part), "no `{part}` in\n{told}");
    }
    let model = done(&["gen", "fischer", "2"]).replacen("kind=\"guard\"", "kind=\"gaurd\"", 1);
    let told = refused(&["debug", "model", path(&file("mistakes", "kind.xml", &model))]);
    assert!(told.contains("error[U0137]") && told.contains("did you mean `guard`?"), "{told}");
    assert!(done(&["explain", "M0101"]).contains("declared before it is used"));
    assert!(refused(&["explain", "M9999"]).contains("M9999"));
    assert!(done(&["explain"]).lines().count() > 100);
}

/// A query that cannot be read, or asks for something impossible, is refused; the model and the other queries
/// stand.
#[test]
fn a_wrong_query_stops_nothing_else() {
    let model = "int v; process P() { state A; init A; trans A -> A { assign v = 0; }; } system P;";
    let model = file("queries", "m.xta", model);
    let queries = "E<> P.A\n\nA[] P.A implies v == 0\n\nE<> nothing == 1\n\nE<> v++ > 2\n";
    let queries = file("queries", "m.q", queries);
    let (out, err) = ended(0, &["debug", "model", path(&model), path(&queries)]);
    assert_eq!(out.matches("query refused").count(), 3, "{out}");
    assert!(out.contains("query E<> P.A") && err.contains("`nothing` is not declared"), "{out}{err}");
}

/// Mistakes in the text of one label do not keep mistakes in the meaning of others from being told.
#[test]
fn all_mistakes_of_a_model_are_told() {
    let model =
        done(&["gen", "fischer", "2"]).replace("id == pid", "id == pidd").replacen("x = 0", "x = ", 1);
    let told = refused(&["debug", "model", path(&file("all", "fischer.xml", &model))]);
    assert!(told.contains("error[S0202]") && told.contains("`pidd` is not declared"), "{told}");
}

/// Two networks that differ are not printed alike.
#[test]
fn what_differs_looks_different() {
    let network = |update: &str, priority: &str| {
        let text = format!(
            "typedef struct {{ int q[2]; }} R; R r[2]; int[0,1] i; chan c; {priority}\n\
             process P() {{ state A; init A; trans A -> A {{ assign {update}; }}; }} system P;"
        );
        done(&["debug", "model", path(&file("alike", "m.xta", &text))])
    };
    assert_ne!(network("r[i].q[0] = 1", ""), network("r[0].q[i] = 1", ""));
    assert_ne!(network("i = 0", ""), network("i = 0", "chan priority c < default;"));
}

#[test]
fn wrong_arguments_are_explained() {
    assert!(refused(&["gen", "fisher", "3"]).contains("fisher"));
    assert!(refused(&["gen", "fischer", "100000"]).contains("fischer"));
    assert!(refused(&["gen", "fischer"]).contains("number"));
    assert!(refused(&["debug", "model", "no-such-file.xml"]).contains("no-such-file.xml"));
    assert!(refused(&["convert", "x.xml", "--to", "pdf"]).contains("pdf"));
    assert!(done(&["debug", "zone", "x<=5", "up"]).contains("true"));
}

/// What the stored states consist of, for people and for programs.
#[test]
fn stored_states_are_counted() {
    let model = file("census", "fischer.xml", &done(&["gen", "fischer", "3"]));
    let text = done(&["debug", "census", path(&model)]);
    assert!(text.contains("distinct zones") && text.contains("lower bound for each node"), "{text}");
    let census = done(&["debug", "census", path(&model), "--cover", "inclusion", "--format", "json"]);
    let census: serde_json::Value = serde_json::from_str(&census).expect("JSON");
    assert_eq!(
        (&census["schema"], &census["nodes"]),
        (&"tourbillon-census/1".into(), &65.into()),
        "{census}"
    );
    let parts = ["discrete", "counts", "choices", "zones"].map(|part| census["bits"][part].as_f64());
    let sum: f64 = parts.iter().flatten().sum();
    assert!((sum - census["bits"]["total"].as_f64().expect("a sum")).abs() < 1e-6, "{census}");
    let broken = file("census", "broken.xta", "int x = ;");
    assert!(refused(&["debug", "census", path(&broken)]).contains("error[S"));
}

/// A disk that is full is told; a reader that has gone is none.
#[test]
fn output_that_cannot_be_written_is_told() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        return;
    }
    let model = file("full", "fischer.xml", &done(&["gen", "fischer", "2"]));
    let script = file("full", "script", "help\nrun\n");
    let program = PROGRAM;
    let commands: [&[&str]; 5] = [
        &["gen", "fischer", "2"],
        &["simulate", path(&model), "--random", "3"],
        &["simulate", path(&model), "--random", "3", "--format", "json"],
        &["simulate", path(&model), "--script", path(&script)],
        &["simulate", path(&model), "--symbolic", "--random", "3"],
    ];
    for command in commands {
        let out = std::fs::OpenOptions::new().write(true).open(full).expect("the device");
        let output = Command::new(program).args(command).stdout(out).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("the output cannot be written"), "{command:?}: {said}");
    }
}
