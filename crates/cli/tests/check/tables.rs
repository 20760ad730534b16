//! Probabilistic passed lists: a witness is certain, its absence is unknown, with statistics.

use serde_json::Value;

use crate::shared::{done, ended, file, path, refused};
use crate::{example, report};

const TABLES: [&str; 3] = ["bitstate", "compact", "compact+zone"];

/// Fischer's protocol, in a file of the test's own: others write theirs at the same time.
fn fischer(test: &str, n: &str) -> String {
    let folder = format!("tables-{test}");
    path(&file(&folder, &format!("fischer-{n}.xml"), &done(&["gen", "fischer", n]))).to_owned()
}

fn stats(report: &Value) -> &Value {
    &report["results"][0]["stats"]
}

#[test]
fn what_is_found_is_certain_and_the_rest_is_not() {
    for passed in TABLES {
        let queries = [
            "E<> turn == 2",
            "A[] not (Process(1).Critical && Process(2).Critical)",
            "E<> turn > 9",
            "A[] turn < 9",
        ];
        let mut arguments = vec![example("fischer-broken.xml"), "--passed".to_owned(), passed.to_owned()];
        arguments.extend(queries.iter().flat_map(|query| ["-q".to_owned(), (*query).to_owned()]));
        let report = report(1, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let results = report["results"].as_array().expect("a list");
        let verdicts = ["satisfied", "violated", "unknown", "unknown"];
        for (result, verdict) in results.iter().zip(verdicts) {
            let reason = if verdict == "unknown" { "may-omit" } else { "found" };
            assert_eq!(
                (&result["verdict"], &result["reason"]),
                (&verdict.into(), &reason.into()),
                "{passed}"
            );
            assert_eq!((result["trace"].is_null(), &result["reused"]), (verdict == "unknown", &0.into()));
        }
        assert_eq!(report["plan"]["passed"], passed);
    }
}

#[test]
fn exploring_counts_as_the_exact_list_does_and_is_unknown() {
    let model = fischer("exploring-counts", "6");
    for (passed, cover, visited) in
        [("bitstate", "equality", 5798), ("compact", "equality", 5798), ("compact+zone", "inclusion", 2378)]
    {
        let exact = report(0, &[&model, "--explore", "--cover", cover]);
        let tabled =
            report(3, &[&model, "--explore", "--cover", cover, "--passed", passed, "--passed-memory", "16M"]);
        assert_eq!(tabled["results"][0]["reason"], "may-omit");
        for field in ["visited", "stored", "transitions", "covered", "mistakes"] {
            assert_eq!(stats(&exact)[field], stats(&tabled)[field], "{passed}: {field}");
        }
        assert_eq!(stats(&tabled)["visited"], visited);
        assert!(stats(&exact)["certainty"].is_null());
        let certainty = &stats(&tabled)["certainty"];
        assert!(certainty["probability"].as_f64().is_some_and(|it| it > 0.0 && it < 0.001), "{certainty}");
        assert_eq!(stats(&tabled)["memory"]["parents"].as_u64().map(|bytes| bytes / 8 > 3000), Some(true));
    }
}

#[test]
fn small_tables_say_how_unsure_they_are() {
    let model = fischer("small-tables", "6");
    let asked =
        ["check", &model, "--explore", "--trace", "none", "--cover", "equality", "--passed", "bitstate"];
    let small = [&asked[..], &["--passed-memory", "8K", "--passes", "2"]].concat();
    let (out, _) = ended(3, &small);
    for part in [
        "zones shared, discrete bits, passed bitstate\n",
        "? all reachable states\n    unknown: all states that were reached were visited, but the passed list is probabilistic: ",
        "it has omitted a state in all 2 passes with a probability of about ",
        "reduce this",
        "collisions",
        "omitted, expected",
    ] {
        assert!(out.contains(part), "no `{part}` in\n{out}");
    }
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["discrete states unknown", "passes 2"] {
        assert!(words.contains(part), "no `{part}` in\n{out}");
    }
    let (out, _) = ended(3, &[&small[..], &["--format", "verifyta"]].concat());
    assert!(
        out.contains(
            " -- Formula MAY NOT be satisfied.\n -- all states that were reached were visited, but "
        ),
        "{out}"
    );
    let invariant = ["check", &model, "-q", "A[] id <= 6", "--passed", "compact", "--format", "verifyta"];
    let (out, _) = ended(3, &invariant);
    assert!(
        out.contains(
            " -- Formula MAY be satisfied.\n -- no state that violates the predicate was found, but "
        ),
        "{out}"
    );
}

/// The same seed gives the same search; another seed another one, which leaves out other states.
#[test]
fn the_hash_function_is_the_seed() {
    let model = fischer("the-hash", "6");
    let visited = |seed: &str| {
        let memory = ["--cover", "equality", "--passed", "bitstate", "--passed-memory", "2K"];
        let report = report(3, &[&[&*model, "--explore", "--seed", seed][..], &memory].concat());
        stats(&report)["visited"].as_u64().expect("a number")
    };
    let first = visited("1");
    assert_eq!(first, visited("1"));
    assert!(["2", "3", "4"].into_iter().any(|seed| visited(seed) != first));
}

#[test]
fn a_full_table_is_told() {
    let model = fischer("a-full", "6");
    for (when_full, unentered) in [("stop", false), ("skip", true)] {
        let options = ["--passed", "compact", "--passed-memory", "2K", "--when-full", when_full];
        let report = report(3, &[&[&*model, "--explore"][..], &options].concat());
        let result = &report["results"][0];
        assert_eq!(
            (result["verdict"].as_str(), result["reason"].as_str()),
            (Some("unknown"), Some("table-full"))
        );
        assert_eq!(result["stats"]["certainty"]["unentered"].as_u64() > Some(0), unentered);
        assert!(result["stats"]["waiting"].as_u64() > Some(0), "{result}");
        assert!(result["why"].as_str().is_some_and(|why| why.contains("--passed-memory")), "{result}");
        assert_eq!(report["plan"]["table"]["when_full"], when_full);
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let model = example("train-gate.xml");
    for (options, part) in [
        (&["--passed", "compact", "--signature-bits", "63"][..], "63 is not in 1..=62"),
        (&["--passed", "bitstate", "--bits-per-state", "0"], "0 is not in 1..=64"),
        (&["--passed", "bitstate", "--signature-bits", "7"], "--bits-per-state requires"),
        (&["--passed", "compact", "--passes", "0"], "0 is not in 1..=1000"),
        (&["--passed", "compact", "--passed-memory", "100"], "100 is less than 1024"),
        (&["--passed", "compact", "--passed-memory", "8000000T"], "no memory for a table"),
        (&["--passed-memory", "16M"], "probabilistic passed list"),
        (&["--when-full", "skip"], "probabilistic passed list"),
        (&["--passed", "compact", "--memory-limit", "1M"], "the limit on memory is 1048576"),
        (&["--passed", "compact", "--trace", "shortest"], "--trace some"),
        (&["--passed", "compact", "--traces", "2"], "leave --traces out"),
        (&["--passed", "compact", "--sanity"], "all states"),
        (&["--passed", "compact", "-q", "sup: Gate.length"], "all states"),
        (&["--passed", "compact", "-q", "A<> Train(0).Cross"], "cycle detection"),
    ] {
        let mut arguments = vec!["check", model.as_str()];
        arguments.extend(options);
        if !options.iter().any(|option| ["-q", "--sanity"].contains(option)) {
            arguments.extend(["-q", "E<> Train(0).Cross"]);
        }
        let err = refused(&arguments);
        assert!(err.contains(part), "{options:?}: no `{part}` in\n{err}");
    }
}

/// Where some questions cannot be answered by a table, the others are.
#[test]
fn other_questions_are_answered() {
    let queries = ["-q", "E<> Train(0).Cross", "-q", "A<> Train(0).Cross", "-q", "A[] not deadlock"];
    let report =
        report(3, &[&[&*example("train-gate.xml")][..], &queries, &["--passed", "compact"]].concat());
    let reasons: Vec<&str> =
        report["results"].as_array().expect("a list").iter().filter_map(|it| it["reason"].as_str()).collect();
    assert_eq!(reasons, ["found", "not-supported", "may-omit"]);
}

#[test]
fn the_plan_tells_of_the_table() {
    let (out, _) =
        ended(3, &["check", &fischer("the-plan", "3"), "--explore", "--passed", "compact", "--explain-plan"]);
    assert!(out.contains("a table of 67108864 bytes with signatures of 47 bits"), "{out}");
    assert!(out.contains("subsumption is tested against the waiting list"), "{out}");
}

/// Two states with the same hash of 64 bits are never told apart, however many bits a state has.
#[test]
fn no_number_of_bits_makes_a_table_certain() {
    let model = fischer("bits", "5");
    for passes in ["1", "2"] {
        let bits = ["--passed", "bitstate", "--bits-per-state", "64", "--passes", passes];
        let report = report(3, &[&[&*model, "--explore"], &bits[..]].concat());
        let certainty = &stats(&report)["certainty"];
        let (states, chance) = (certainty["states"].as_f64(), certainty["probability"].as_f64());
        let (states, chance) = states.zip(chance).expect("numbers");
        // States that wait are not in the table yet, so that it is less than one for each pair.
        let least = 0.2 * states * states / 2f64.powi(64);
        assert!(chance > least.powi(passes.parse().expect("a number")), "{certainty}");
    }
}
