//! What is wrong, where, and with which exit status.

use crate::shared::{done, ended, file, path, refused};
use crate::{FAILS, example, report};

/// The place in the file, run to the error, and exit status 2; other questions are answered.
#[test]
fn a_model_that_fails_is_told_with_its_run() {
    let model = file("fails", "counter.xta", FAILS);
    let model = path(&model);
    let (out, err) = ended(2, &["check", model, "-q", "A[] n <= 3", "-q", "E<> n == 2"]);
    assert!(
        err.contains("error[R0005]: the model fails here at run time: the value 4 outside [0,3]"),
        "{err}"
    );
    assert!(err.contains("counter.xta:6:") && err.contains("^^^^^^^^^"), "{err}");
    assert!(out.contains("run to the error: 3 steps"), "{out}");
    assert!(out.contains("✓ E<> n == 2"), "{out}");
    assert!(out.contains("outside [0,3]; other queries have answers: `E<> n == 2`  "), "{out}");
    let (out, err) = ended(2, &["check", model, "-q", "A[] n <= 3", "-q", "A[] true"]);
    assert_eq!(
        (err.matches("R0005").count(), out.matches("the same run as for `").count()),
        (1, 1),
        "{out}{err}"
    );
    assert!(!out.contains("have answers"), "none is answered: {out}");
    let answered =
        ["-q", "E<> n == 1", "-q", "E<> n == 2", "-q", "E<> n == 3", "-q", "E<> n == 0", "-q", "A[] n < 3"];
    let whole = report(2, &[&[model, "-q", "A[] n <= 3"], &answered[..]].concat());
    let results = whole["results"].as_array().expect("a list");
    let failed = results.iter().find(|result| result["query"] == "A[] n <= 3").expect("an answer");
    let why = failed["why"].as_str().expect("a sentence");
    let named = "other queries have answers: `E<> n == 1`, `E<> n == 2`, `E<> n == 3` and 2 more";
    assert!(why.ends_with(named), "{why}");
    let report = report(2, &[model, "-q", "A[] n <= 3"]);
    assert_eq!(report["diagnostics"][0]["code"], "R0005");
    assert_eq!(report["results"][0]["reason"], "model-fails");
    assert_eq!(report["results"][0]["trace"]["purpose"], "failure");
    assert_eq!(report["results"][0]["trace"]["end"]["variables"]["n"], 3);
}

/// By the option or by a comment; the option counts if both are there. Nothing else is accepted.
#[test]
fn results_past_32_bits_fail_or_wrap_as_the_option_says() {
    let text = "int32_t n = 2147483647;\nprocess P() { state A, B; init A; trans\n\
        A -> B { guard n + 1 < 0; }; }\nsystem P;\n";
    let plain = file("wraps", "plain.xta", text);
    let annotated = file("wraps", "annotated.xta", &format!("// tourbillon: overflow wrap\n{text}"));
    let (plain, annotated) = (path(&plain), path(&annotated));
    let (_, err) = ended(2, &["check", plain, "-q", "E<> P.B"]);
    assert!(err.contains("error[R0002]") && err.contains("--overflow wrap"), "{err}");
    for arguments in [&[annotated][..], &[plain, "--overflow", "wrap"]] {
        let out = done(&[&["check"], arguments, &["-q", "E<> P.B", "--explain-plan"]].concat());
        assert!(out.contains("arithmetic wraps") && out.contains("overflow           wrap"), "{out}");
    }
    ended(2, &["check", annotated, "--overflow", "error", "-q", "E<> P.B"]);
    let report = report(0, &[plain, "--overflow", "wrap", "-q", "E<> P.B"]);
    assert_eq!(report["plan"]["overflow"], "wrap", "{report}");
    assert!(refused(&["check", plain, "--overflow", "saturate"]).contains("saturate"));
    let out = done(&["simulate", plain, "--overflow", "wrap", "--random", "1"]);
    assert!(out.contains("A -> B"), "{out}");
}

/// Clocks are set back again and again while another is compared with them: their difference outgrows a zone. What was found
/// before that, also by an earlier question, stands.
#[test]
fn what_was_found_stands_although_a_zone_grew_too_large() {
    let text = "clock x0, x1, x2;\nint[0,3] n = 0; bool b = false;\nurgent broadcast chan ub; urgent chan u;\n\
        process P0() { state L0 { x2 < 1 }, L1, L2 { x1 <= 100000000 }; init L2; trans\n\
        L0 -> L1 { guard x0 - x1 >= 1000; assign x1 = 0, x2 = 0; },\n\
        L0 -> L0 { assign x0 = 0, x1 = 0, x2 = 0, n = (n + 1) % 4; },\n\
        L2 -> L2 { guard x1 - x2 < 1000 && n < 2; },\n\
        L2 -> L1 { guard x0 <= 100000000 && x1 == 1000; assign x2 = 0; },\n\
        L1 -> L0 { sync ub!; assign x1 = 0, b = !b; }; }\n\
        process P1() { state L0, L1 { x0 <= 1 }; init L0; trans L0 -> L0 { assign x1 = 4; },\n\
        L1 -> L0 { sync ub?; }, L0 -> L1 { sync u!; assign n = (n + 1) % 4; }, L0 -> L0 { sync ub?; assign x1 = 0; },\n\
        L0 -> L0 { guard x0 <= 5 && x2 >= 0 && n == 1; assign x0 = 0, x2 = 0, n = 0; }; }\nsystem P0, P1;\n";
    let model = file("overflow", "grows.xta", text);
    let queries = ["-q", "A[] not (P0.L2 && n == 1)", "-q", "A[] not P0.L2"];
    let report = report(1, &[&[path(&model)], &queries[..]].concat());
    assert_eq!(report["results"][0]["reason"], "clock-overflow", "{report}");
    assert_eq!(report["results"][1]["verdict"], "violated", "{report}");
}

#[test]
fn a_wrong_query_is_told_at_its_place() {
    let model = file("query", "counter.xta", FAILS);
    let err = refused(&["check", path(&model), "-q", "E<> n == 1", "-q", "A[] m == 1"]);
    assert!(err.contains("error[M0101]: `m` is not declared") && err.contains("command line:2:5"), "{err}");
    let queries = file("query", "more.q", "E<> P.A\nE<> P.B\n");
    let err = refused(&["check", path(&model), path(&queries), "-q", "E<> n == 1"]);
    assert!(err.contains("more.q:2:5"), "{err}");
}

/// Nothing is said about queries in a model that are not asked.
#[test]
fn queries_that_are_not_asked_do_not_matter() {
    let text = std::fs::read_to_string(example("fischer.xml")).expect("an example");
    let text = text.replacen("<formula>", "<formula>E&lt;&gt; ) ", 1);
    let model = file("not-asked", "fischer.xml", &text);
    assert!(refused(&["check", path(&model)]).contains("error"));
    let (_, err) = ended(0, &["check", path(&model), "-q", "E<> Process(1).Critical"]);
    assert_eq!(err, "");
    assert_eq!(ended(0, &["check", path(&model), "--explore"]).1, "");
}

#[test]
fn labels_that_are_not_there_are_told() {
    let err = refused(&["check", &example("fischer.tck"), "--labels", "critcal1"]);
    assert!(err.contains("did you mean `critical1`?") && err.contains("waiting3"), "{err}");
    let err = refused(&["check", &example("fischer.xml"), "--labels", "critical1"]);
    assert!(err.contains("this model has no labels"), "{err}");
    let err = refused(&["check", &example("fischer.tck"), "-q", "E<> P1.critical"]);
    assert!(err.contains("--labels"), "{err}");
}

#[test]
fn what_cannot_be_combined_is_refused() {
    let model = example("csmacd.xml");
    for (options, part) in [
        (&["--trace", "shortest", "--order", "dfs"][..], "breadth-first search"),
        (&["--trace", "fastest", "--cover", "equality"], "--cover inclusion"),
        (&["--trace", "fastest", "--abstraction", "none"], "--abstraction extra-lu+"),
        (&["--explore", "--labels", "a"], "cannot be used with"),
        (&["--memory-limit", "4 apples"], "not an amount of memory"),
        (&["--order", "sideways"], "possible values"),
        (&["--order", "ranked", "--passed", "compact"], "--passed exact"),
        (&["--order", "bfs", "--topological-order", "random"], "--order topological"),
        (&["--topological-order", "nowhere"], "nowhere"),
    ] {
        let mut arguments = vec!["check", model.as_str()];
        arguments.extend(options);
        let err = refused(&arguments);
        assert!(err.contains(part), "{options:?}: no `{part}` in\n{err}");
    }
}

/// Every line that is wrong is told at its place.
#[test]
fn an_order_of_locations_is_told_line_by_line() {
    let text =
        "clock x; process P() { state A, B; init A; trans A -> B { }, B -> A { }; } Q = P(); system P, Q;";
    let model = file("positions", "two.xta", text);
    for (order, told) in [
        ("P: B A\nQ: A B # as it is written\n", None),
        (
            "P: A B\n\nR: A B\nQ: A\n",
            Some(["order.txt:3: there is no process `R`", "order.txt:4: location `B` of `Q`"]),
        ),
        ("P: A C\nP A B\n", Some(["order.txt:1: `P` has no location `C`", "order.txt:2: expected the name"])),
        ("P: A B\nP: A B A\n", Some(["order.txt:2: `A` is listed twice", ""])),
        ("P: A B\nP: B A\n", Some(["order.txt:2: `P` has a line already", ""])),
        ("P: A B\n", Some(["there is no line for `Q`", ""])),
    ] {
        let order = file("positions", "order.txt", order);
        let arguments = ["check", path(&model), "--explore", "--topological-order", path(&order)];
        match told {
            None => assert!(done(&arguments).contains("sweep")),
            Some(parts) => {
                let err = refused(&arguments);
                assert!(parts.iter().all(|part| err.contains(part)), "{err}");
            }
        }
    }
}

#[test]
fn a_model_that_zones_cannot_hold_is_told_at_its_place() {
    let text =
        "clock x; process P() { state A, B; init A; trans A -> B { guard x > 2000000000; }; } system P;";
    let model = file("zones", "large.xta", text);
    let err = refused(&["check", path(&model), "--explore"]);
    assert!(err.contains("error[R0100]") && err.contains("large.xta:1:"), "{err}");
    assert!(refused(&["debug", "bounds", path(&model)]).contains("R0100"));
}

#[test]
fn a_model_that_is_not_there_or_not_one_is_told() {
    assert!(refused(&["check", "no-such-file.xml"]).contains("no-such-file.xml"));
    let broken = file("broken", "broken.xta", "int x = ;\nprocess P() { state A; init A; } system P;");
    assert!(refused(&["check", path(&broken), "--explore"]).contains("broken.xta:1:"));
    let told = refused(&["check", path(&broken), "--explore", "--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!(told[0]["severity"], "error");
}

#[test]
fn deadlocks_are_found_exactly_and_by_bounds_that_preserve_them() {
    let (out, _) = ended(0, &["check", &example("fischer.xml"), "-q", "A[] not deadlock"]);
    assert!(out.contains("extra-m+") && out.contains("✓ A[] not deadlock"), "{out}");
    // Only after a delay of more than 2 is it too late for the one edge.
    let model = "clock x;\nprocess P() { state A, B; init A; trans A -> B { guard x <= 2; }, B -> B { }; }\nsystem P;\n";
    let model = file("deadlock", "p.xta", model);
    let (out, _) = ended(
        1,
        &[
            "check",
            path(&model),
            "-q",
            "E<> deadlock && x < 3",
            "-q",
            "A[] deadlock imply x > 2",
            "-q",
            "A[] not deadlock",
        ],
    );
    assert!(out.contains("✓ E<> deadlock && x < 3") && out.contains("✓ A[] deadlock imply x > 2"), "{out}");
    assert!(out.contains("✗ A[] not deadlock"), "{out}");
    let refused = refused(&["check", path(&model), "-q", "E<> deadlock", "--trace", "fastest"]);
    assert!(refused.contains("does not preserve `deadlock`"), "{refused}");
}

/// Without an initial state every answer is empty, which is said.
#[test]
fn an_initial_state_that_breaks_an_invariant_is_told() {
    let model = "int n = 1;\nprocess P() { state A { n == 0 }; init A; }\nsystem P;\n";
    let model = file("no-state", "p.xta", model);
    let (out, err) = ended(0, &["check", path(&model), "-q", "A[] false", "-q", "A[] n == 1"]);
    assert!(out.contains("✓ A[] false"), "{out}");
    assert_eq!(err.matches("warning[R0011]: `P` starts in `A`").count(), 1, "{err}");
    assert!(err.contains("p.xta:2:21"), "{err}");
}

/// Time would have to stop at a moment that clocks decide. A receiver of a broadcast decides nothing.
#[test]
fn urgent_synchronisations_that_depend_on_clocks_are_refused() {
    let model = |kind: &str, sender: &str, receiver: &str| {
        format!(
            "clock x; urgent {kind} c;\n\
             process P() {{ state A, B; init A; trans A -> B {{ {sender} sync c!; }}; }}\n\
             process Q() {{ state A, B; init A; trans A -> B {{ {receiver} sync c?; }}; }}\nsystem P, Q;\n"
        )
    };
    let guard = "guard x > 3;";
    for (name, text) in [
        ("sender.xta", model("chan", guard, "")),
        ("receiver.xta", model("chan", "", guard)),
        ("broadcast.xta", model("broadcast chan", guard, "")),
    ] {
        let err = refused(&["check", path(&file("urgent", name, &text)), "-q", "E<> P.B"]);
        assert!(err.contains("error[R0100]: clocks are compared in the guard of an urgent"), "{name}: {err}");
    }
    let text = model("broadcast chan", "", guard);
    let (out, _) =
        ended(1, &["check", path(&file("urgent", "heard.xta", &text)), "-q", "A[] P.B", "-q", "E<> Q.B"]);
    assert!(out.contains("✗ E<> Q.B"), "{out}");
}

/// A script whose variable is empty must not be told that all is well.
#[test]
fn an_empty_query_is_refused() {
    for query in ["", " // nothing\n"] {
        let err = refused(&["check", &example("fischer.xml"), "-q", query]);
        assert!(err.contains("the query given by -q is empty"), "{err}");
    }
}

/// Selections and receivers multiply: one state has more transitions than memory can hold. Limits are looked at between
/// states, so that this must end by itself. It is no mistake of the model.
#[test]
fn a_state_with_too_many_transitions_is_unknown_with_its_place() {
    let receivers = "broadcast chan c;\nprocess S() { state A; init A; trans A -> A { sync c!; }; }\n\
                     process R(int[0,12] i) { state A; init A;\n\
                     trans A -> A { sync c?; }, A -> A { sync c?; }, A -> A { sync c?; }; }\nsystem S, R;\n";
    let selections = "int[0,1000000000] n;\nprocess S() { state A; init A;\n\
                      trans A -> A { select i : int[0,1000000000]; assign n = i; }; }\nsystem S;\n";
    let wide = "the broadcast on `c` of `S` has more than 1,000,000 combinations of receivers in one state";
    let long = "an edge of `S` has more than 1,000,000 combinations of selections in one state";
    for (name, text, line, what) in [("receivers", receivers, 2, wide), ("selections", selections, 3, long)] {
        let model = file(name, "many.xta", text);
        // With symmetry, of interchangeable receivers few combinations are enumerated.
        let (out, err) = ended(3, &["check", path(&model), "-q", "E<> false", "--symmetry", "off"]);
        assert!(out.contains(&format!("unknown: {what}")), "{out}");
        assert!(err.contains(&format!("warning[R0012]: {what}")), "{err}");
        assert!(err.contains(&format!("many.xta:{line}:")), "{err}");
    }
}

/// Receivers that their clocks keep away, or not, together are no more than two combinations.
#[test]
fn forty_receivers_with_clock_guards_are_answered() {
    let text = "broadcast chan c;\nprocess S() { state A; init A; trans A -> A { sync c!; }; }\n\
                process R(int[0,39] i) { clock x; state A; init A; trans A -> A { guard x > 3; sync c?; }; }\n\
                system S, R;\n";
    let model = file("receivers-40", "many.xta", text);
    let (out, _) = ended(1, &["check", path(&model), "-q", "E<> false"]);
    assert!(out.contains("violated"), "{out}");
}

/// What has no place in a model is told as JSON too, and without a report.
#[test]
fn what_cannot_be_done_is_told_in_the_form_that_was_asked_for() {
    let model = example("fischer.xml");
    let wrong: [(&[&str], &str); 3] = [
        (&["check", &model, "--explore", "--zones", "cdd", "--cover", "alu"], "--cover inclusion"),
        (&["check", &model, "--explore", "--diagram-nodes", "compact"], "--zones cdd"),
        (&["check", "no-such-model.xml"], "no-such-model.xml"),
    ];
    for (arguments, expected) in wrong {
        assert!(refused(arguments).starts_with("error: "), "{arguments:?}");
        let said = refused(&[arguments, &["--format", "json"]].concat());
        let told: serde_json::Value = serde_json::from_str(&said).unwrap_or_else(|_| panic!("{said}"));
        let [diagnostic] = told.as_array().map_or(&[][..], Vec::as_slice) else { panic!("{said}") };
        assert!(diagnostic["message"].as_str().is_some_and(|text| text.contains(expected)), "{said}");
        assert!(diagnostic["code"].is_null() && diagnostic["place"].is_null(), "{said}");
    }
}

#[test]
fn diagrams_are_told_of_where_there_are_any() {
    let model = example("fischer.xml");
    let united = ["check", &model, "--explore", "--zones", "cdd", "--diagram-order", "by-clock"];
    let text = done(&[&united[..], &["--explain-plan", "--stats"]].concat());
    for expected in ["diagram-nodes", "compact", "diagram-order", "by-clock", "diagram-backtrace"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains("distinct zones"), "{text}");
    let plan = &report(0, &[&united[1..], &["--diagram-nodes", "all"]].concat())["plan"];
    assert_eq!((&plan["diagram_nodes"], &plan["diagram_order"]), (&"all".into(), &"by-clock".into()));
    assert_eq!(report(0, &[&model, "--explore"])["plan"]["diagram_nodes"], "none");
    assert!(done(&["check", &model, "--explore", "--stats"]).contains("distinct zones"));
}

/// An exploration asks for no infinite runs, so that which of them count makes no difference.
#[test]
fn non_zeno_runs_are_refused_where_nothing_is_asked() {
    let model = file("non-zeno", "counter.xta", FAILS);
    for command in [
        &["check", path(&model), "--explore"][..],
        &["check", path(&model)],
        &["debug", "census", path(&model)],
    ] {
        let err = refused(&[command, &["--non-zeno"]].concat());
        assert!(
            err.contains("--non-zeno is about the infinite runs that a query asks for"),
            "{command:?}: {err}"
        );
    }
    let err = refused(&["debug", "plan", path(&model), "--explore", "--non-zeno"]);
    assert!(err.contains("--non-zeno"), "{err}");
}

/// Text in UTF-16, with and without a mark, and lines that end as they did on old machines.
#[test]
fn text_is_read_whatever_its_encoding_and_its_line_ends() {
    let tck =
        "system:s\nprocess:P\nlocation:P:a{initial:}\nlocation:P:b{labels:goal}\nevent:e\nedge:P:a:b:e\n";
    let xta = "process P() { // two locations\nstate A, B;\ninit A;\ntrans A -> B { }; }\nsystem P;\n";
    let wide = |text: &str, mark: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        mark.encode_utf16().chain(text.encode_utf16()).flat_map(bytes).collect()
    };
    for (name, text, asked) in [("m.tck", tck, ["--labels", "goal"]), ("m.xta", xta, ["-q", "E<> P.B"])] {
        let model = file("encodings", name, text);
        let written = [
            wide(text, "\u{feff}", u16::to_le_bytes),
            wide(text, "\u{feff}", u16::to_be_bytes),
            wide(text, "", u16::to_le_bytes),
            wide(text, "", u16::to_be_bytes),
            text.replace('\n', "\r").into_bytes(),
            text.replace('\n', "\r\n").into_bytes(),
        ];
        for bytes in written {
            std::fs::write(&model, &bytes).expect("a file");
            done(&[&["check", path(&model)], &asked[..]].concat());
        }
    }
    let model = file("encodings", "m.xta", xta);
    let queries = file("encodings", "m.q", "E<> P.A\rE<> P.B\r");
    let whole = report(0, &[path(&model), path(&queries)]);
    assert_eq!(whole["results"].as_array().map(Vec::len), Some(2), "{whole}");
    let wrong = file("encodings", "wrong.xta", &xta.replace("trans A", "trans C").replace('\n', "\r"));
    let err = refused(&["check", path(&wrong), "--explore"]);
    assert!(err.contains("wrong.xta:4:7"), "{err}");
}

/// The largest constant that clocks can be compared with can be asked about as well.
#[test]
fn the_largest_constant_can_be_used_in_queries() {
    let text = "process P() { clock x, y; state A { x <= 134217727 }, B; init A; trans A -> B { guard x >= 5; assign y := 0; }; }\n\
        system P;\n";
    let model = file("largest", "largest.xta", text);
    let satisfied = [
        "E<> P.x == 134217727",
        "E<> P.B and P.y >= 134217727",
        "E<> P.B and P.y > 134217727",
        "E<> P.B and P.y == 134217727 and P.x > 134217727",
        "E<> P.B and P.y >= 134217720 and P.x - P.y > 8",
        "E<> P.x - P.y == 134217727",
        "E<> P.y - P.x == -134217727",
        "A[] P.A imply P.x <= 134217727",
        "A[] not (P.y >= 134217727 and P.x < 134217727)",
        "A[] not (P.y >= 134217727 and P.x < 10)",
        "A[] P.y - P.x >= -134217727",
    ];
    for query in satisfied {
        done(&["check", path(&model), "-q", query]);
    }
    ended(1, &["check", path(&model), "-q", "A[] P.y <= 134217727"]);
    let values = [
        ("inf{P.B}: P.x", "P.x >= 5"),
        ("sup{P.A}: P.x", "P.x <= 134217727"),
        ("bounds{P.B}: P.x", "5 <= P.x < infinity"),
        ("inf{P.x >= 134217727}: P.x", "P.x >= 134217727"),
        ("sup{P.x >= 134217727}: P.x", "P.x < infinity"),
    ];
    for (query, value) in values {
        let out = done(&["check", path(&model), "-q", query]);
        assert!(out.contains(&format!("    {value}\n")), "{query}: {out}");
    }
}
