//! The files are read here by the description of the formats, and compared with the model and the certificate.

use serde_json::Value;
use tourbillon_certify::format::{Claim, Header};
use tourbillon_certify::{header_line, read_first};
use tourbillon_check::{CertificateFile, Committed, Cover, PlanRequest, SymmetryUse};

use super::{MuntacError, MuntacFiles, muntac_export};
use crate::{Loaded, QuerySelection, Request, check, load_with_only_queries};

fn loaded(name: &str, text: &str, query: &str) -> Loaded {
    load_with_only_queries(name, text.as_bytes(), [("q.q", query.as_bytes())])
}

/// The certificate of the only query, or of these acceptance sets.
fn certificate_with(loaded: &Loaded, queries: QuerySelection, plan_request: PlanRequest) -> Vec<u8> {
    let plan_request = PlanRequest { certificate: true, ..plan_request };
    let request = Request { queries, plan_request, ..Request::default() };
    let report = check(loaded, &request, &mut |_| {}).expect("a search");
    let mut file = CertificateFile::default();
    for answer in &report.results {
        let query = answer.query.as_ref().expect("a query");
        file.add(&query.text, answer.certificate.as_ref().expect("a certificate"));
    }
    let mut bytes = Vec::new();
    file.write(loaded.model.as_ref().expect("a model"), &mut bytes).expect("memory can be written");
    bytes
}

/// What Muntac can check.
fn plain_plan() -> PlanRequest {
    PlanRequest {
        cover: Some(Cover::Inclusion),
        symmetry: SymmetryUse::Off,
        store: Some(Committed::Stored),
        ..PlanRequest::default()
    }
}

fn certificate(loaded: &Loaded) -> Vec<u8> {
    certificate_with(loaded, QuerySelection::default(), plain_plan())
}

fn exported(text: &str, query: &str) -> MuntacFiles {
    let loaded = loaded("m.xta", text, query);
    muntac_export(&loaded, &certificate(&loaded)).expect("a model for Muntac")
}

/// A discrete state with its zones and their ranks.
type State = (Vec<i64>, Vec<i64>, Vec<(Vec<i64>, Option<i64>)>);

/// The words of a certificate by the description: its magic number, the rows of a matrix, and its states.
fn read(bytes: &[u8]) -> (i64, usize, Vec<State>) {
    let (words, rest) = bytes.as_chunks::<8>();
    assert!(rest.is_empty());
    let mut words = words.iter().map(|word| i64::from_be_bytes(*word));
    let mut next = || words.next().expect("a word");
    let (magic, processes, rows, variables) = (next(), next(), next() as usize, next());
    let mut states = Vec::new();
    for _ in 0..next() {
        let locations = (0..processes).map(|_| next()).collect();
        let values = (0..variables).map(|_| next()).collect();
        let mut zones = Vec::new();
        for _ in 0..next() {
            let zone = (0..rows * rows).map(|_| next()).collect();
            zones.push((zone, (magic == 43).then(&mut next)));
        }
        states.push((locations, values, zones));
    }
    assert_eq!(words.next(), None, "words after the last state");
    (magic, rows, states)
}

fn family(name: &str, n: u32) -> String {
    tourbillon_gen::family(name).expect("a family").xta(n).expect("a member")
}

fn edges(files: &MuntacFiles, process: usize) -> Vec<[String; 3]> {
    let model: Value = serde_json::from_str(&files.model).expect("JSON");
    let edges = model["automata"][process]["edges"].as_array().expect("edges").clone();
    let of =
        |edge: &Value| ["guard", "label", "update"].map(|part| edge[part].as_str().expect("text").to_owned());
    edges.iter().map(of).filter(|edge| edge[1] != "never?").collect()
}

#[test]
fn a_certificate_has_the_states_of_ours() {
    let query =
        "A[] forall (i : pid_t) forall (j : pid_t) Process(i).critical && Process(j).critical imply i == j";
    let loaded = loaded("fischer.xta", &family("fischer", 3), query);
    let bytes = certificate(&loaded);
    let files = muntac_export(&loaded, &bytes).expect("a model for Muntac");
    let (magic, rows, states) = read(&files.certificate);
    assert_eq!((magic, rows, files.is_buechi), (42, 4, false));
    let (header, blocks) = Header::read(&bytes).expect("a header");
    let mut ours = Vec::new();
    let entry = |vector: &[i32], entries: &[(u32, u64)]| ours.push((vector.to_vec(), entries.len()));
    read_first(&header.invariants[0], blocks, (4, 4), |_| {}, entry).expect("blocks");
    ours.sort_unstable();
    let theirs: Vec<(Vec<i32>, usize)> = states
        .iter()
        .map(|(places, values, zones)| {
            (places.iter().chain(values).map(|&it| it as i32).collect(), zones.len())
        })
        .collect();
    assert_eq!(theirs, ours);
    for (zone, _) in states.iter().flat_map(|(.., zones)| zones) {
        for (i, j, k) in (0..64).map(|it| (it / 16, it / 4 % 4, it % 4)) {
            let (direct, one, two) = (zone[4 * i + j], zone[4 * i + k], zone[4 * k + j]);
            let sum =
                if one == i64::MAX || two == i64::MAX { i64::MAX } else { one + two - ((one | two) & 1) };
            assert!(direct <= sum && zone[5 * i] == 1, "not closed, or empty");
        }
    }
    let initial = states.iter().find(|(places, ..)| *places == [0, 0, 0]).expect("the initial state");
    assert!(
        initial.2.iter().any(|(zone, _)| zone.iter().all(|&bound| bound >= 1)),
        "no zone with all clocks 0"
    );
    let renaming: Value = serde_json::from_str(&files.renaming).expect("JSON");
    assert_eq!(renaming["clocks"]["Process_3__x"], 3);
    assert_eq!(renaming["vars"]["id"], 0);
    assert_eq!(renaming["processes"]["Process_2"], 1);
    assert_eq!(renaming["locations"]["Process_1"]["3"], 3);
    let model: Value = serde_json::from_str(&files.model).expect("JSON");
    let pairs = ["1.critical && Process_2", "1.critical && Process_3", "2.critical && Process_3"];
    let pairs = pairs.map(|pair| format!("Process_{pair}.critical")).join(" || ");
    assert_eq!(model["formula"], format!("E<> {pairs}"));
}

#[test]
fn ranks_are_written_for_cycles() {
    let text = "system:b\nevent:a\nprocess:P\nclock:1:x\nlocation:P:l0{initial:}\nlocation:P:l1{labels: acc}\n\
                location:P:l2{invariant: x<=3}\nedge:P:l0:l1:a{provided: x>2}\nedge:P:l1:l2:a{do: x=0}\n\
                edge:P:l2:l2:a{provided: x>=1 : do: x=0}\n";
    let loaded = crate::load("b.tck", text.as_bytes());
    let sets = QuerySelection::Accepting(vec![vec!["acc".to_owned()]]);
    let bytes = certificate_with(&loaded, sets, plain_plan());
    let files = muntac_export(&loaded, &bytes).expect("a model for Muntac");
    let (magic, _, states) = read(&files.certificate);
    let rank =
        |place: i64| states.iter().find(|(places, ..)| *places == [place]).and_then(|(.., zones)| zones[0].1);
    assert!((magic, files.is_buechi) == (43, true) && rank(0) < rank(1) && rank(1) < rank(2));
    assert!(files.model.contains("\"E<> P.l1\""));
}

#[test]
fn updates_are_evaluated_in_the_order_of_the_model() {
    let files = exported(
        "clock x; int[0,9] a = 2, b; chan c; broadcast chan d; \
         process P() { state S, T, U; commit T; urgent U; init S; trans S -> T { guard a <= 4; sync c!; assign a = a + 1, b = a * 2, x = 0; }, \
         T -> U { guard a != 3; sync d!; }, U -> S { assign b--, a -= b; }; } \
         process Q() { int[0,9] m; state V; init V; trans V -> V { sync c?; assign m = b; }, V -> V { sync d?; }; } system P, Q;",
        "E<> P.T && a == 2 && !Q.V",
    );
    // Who is first gets the `?` of a binary channel and the `!` of a broadcast; `a` is 0 where it is 2 in the model.
    let first = ["a <= 2", "c?", "x := 0, a := a + 1, b := ((a + 2) + 1) * 2"];
    let [second, third] =
        [["(a < 1 || a > 1)", "d!", ""], ["", "", "a := (a + 2) - (b - 1) - 2, b := b - 1"]];
    assert_eq!(edges(&files, 0), [first, second, third]);
    assert_eq!(edges(&files, 1), [["", "c!", "Q_m := b"], ["", "d?", ""]]);
    let model: Value = serde_json::from_str(&files.model).expect("JSON");
    assert_eq!(model["vars"], "a[-2:7], b[0:9], Q_m[0:9]");
    assert_eq!(model["broadcast"], serde_json::json!(["d"]));
    let process = &model["automata"][0];
    assert_eq!(
        (&process["committed"], &process["urgent"]),
        (&serde_json::json!([1]), &serde_json::json!([1, 2]))
    );
    assert_eq!(model["formula"], "E<> P.T && !(Q.V) && a == 0");
}

#[test]
fn what_muntac_cannot_read_is_split_by_values() {
    let files = exported(
        "int[0,2] n, k; int[0,2] list[2]; bool on; int[0,2] twice(int[0,2] i) { return i > 1 ? i - 2 : 2 - 2 * i; } \
         process P() { state S; init S; trans S -> S { select i : int[0,1]; guard list[i] == 2 && on; assign n = twice(n); }, \
         S -> S { guard n == k; assign list[n > 0 ? 1 : 0] = 2; }; } system P;",
        "E<> n > k && n < k",
    );
    let all = edges(&files, 0);
    let chosen = |list: &str, n: u8, to: &str| {
        [format!("n == {n} && {list} == 2 && on == 1"), String::new(), format!("n := {to}")]
    };
    let split: Vec<[String; 3]> = ["list_0", "list_1"]
        .iter()
        .flat_map(|list| [chosen(list, 0, "2"), chosen(list, 1, "0"), chosen(list, 2, "0")])
        .collect();
    assert_eq!(all[..6], split);
    let equal = |n: u8, list: &str| [format!("n == {n} && k == {n}"), String::new(), format!("{list} := 2")];
    assert_eq!(all[6..], [equal(0, "list_0"), equal(1, "list_1"), equal(2, "list_1")]);
}

#[test]
fn what_is_outside_is_refused_with_its_place() {
    let cases = [
        ("urgent chan c;", "S -> S { }", "c", "an urgent channel"),
        (
            "clock y;",
            "S -> S { guard x - y < 3; }",
            "S -> S { guard x - y < 3; }",
            "the difference of two clocks",
        ),
        ("", "S -> S { assign x = 2; }", "S -> S { assign x = 2; }", "something else than 0"),
        ("meta int m;", "S -> S { assign m = 1; }", "m", "a meta variable"),
        ("int n;", "S -> S { assign n = n / 2; }", "S -> S { assign n = n / 2; }", "65536 combinations"),
        ("chan c, d; chan priority c < d;", "S -> S { sync c!; }", "d", "a priority"),
        (
            "broadcast chan c;",
            "S -> S { guard x > 2; sync c?; }",
            "S -> S { guard x > 2; sync c?; }",
            "a receiver",
        ),
    ];
    for (declarations, edge, place, why) in cases {
        let text =
            format!("clock x; {declarations} process P() {{ state S; init S; trans {edge}; }} system P;");
        let loaded = loaded("m.xta", &text, "E<> P.S && !P.S");
        let bytes = certificate(&loaded);
        let Err(MuntacError::Model(diagnostics)) = muntac_export(&loaded, &bytes) else {
            panic!("{text} is exported")
        };
        let diagnostic = &diagnostics.as_slice()[0];
        assert!(diagnostic.message.contains(why), "{}", diagnostic.message);
        let snippet = loaded.sources().snippet(diagnostic.primary);
        assert_eq!(snippet.trim_end_matches([';', ' ']), place.trim_end_matches([';', ' ']), "{why}");
    }
}

#[test]
fn an_update_that_depends_on_another_participant_is_refused() {
    let text = |value: &str| {
        format!(
            "int[0,3] a, b; chan c; process P() {{ state S; init S; trans S -> S {{ sync c!; assign a = 3 - a; }}; }} \
             process Q() {{ state S; init S; trans S -> S {{ sync c?; assign b = {value}; }}; }} system P, Q;"
        )
    };
    assert_eq!(edges(&exported(&text("a"), "E<> a > b"), 1), [["", "c!", "b := a"]]);
    let loaded = loaded("m.xta", &text("a > 1 ? 1 : 0"), "E<> b > 1");
    let Err(MuntacError::Model(diagnostics)) = muntac_export(&loaded, &certificate(&loaded)) else {
        panic!("exported")
    };
    assert!(diagnostics.as_slice()[0].message.contains("computes with `a`"));
}

#[test]
fn certificates_that_muntac_does_not_know_are_refused() {
    let why = |loaded: &Loaded, bytes: &[u8]| match muntac_export(loaded, bytes) {
        Err(MuntacError::Certificate(why)) => why,
        other => panic!("{other:?}"),
    };
    let fischer = loaded(
        "fischer.xta",
        &family("fischer", 3),
        "A[] forall (i : pid_t) Process(i).critical imply id == i",
    );
    let alu = PlanRequest { cover: Some(Cover::Alu), ..plain_plan() };
    assert!(
        why(&fischer, &certificate_with(&fischer, QuerySelection::default(), alu))
            .contains("--cover inclusion")
    );
    let symmetric = PlanRequest { symmetry: SymmetryUse::Auto, ..plain_plan() };
    let bytes = certificate_with(&fischer, QuerySelection::default(), symmetric);
    assert!(why(&fischer, &bytes).contains("symmetry"));
    let bytes = certificate(&fischer);
    assert!(why(&fischer, &bytes[..40]).contains("header"));
    let other = loaded(
        "fischer.xta",
        &family("fischer", 4),
        "A[] forall (i : pid_t) Process(i).critical imply id == i",
    );
    assert!(why(&other, &bytes).contains("another model"));
    let (mut header, blocks) = Header::read(&bytes).expect("a header");
    header.queries[0].claim = Claim::Avoid { avoid: 0 };
    let liveness = [header_line(&header), blocks.to_vec()].concat();
    assert!(why(&fischer, &liveness).contains("infinitely often"));
    let deadlock = loaded("fischer.xta", &family("fischer", 3), "A[] not deadlock");
    let Err(MuntacError::Model(diagnostics)) = muntac_export(&deadlock, &certificate(&deadlock)) else {
        panic!("exported")
    };
    assert!(diagnostics.as_slice()[0].message.contains("`deadlock`"));
}
