//! Results past 32 bits: errors, or wrapped, by the command's option or by an annotation of the model; the same in every
//! engine, in conversions and in what `lint` says.

use tourbillon::{
    AnswerSummary, Axis, CheckError, Engine, Loaded, Loader, Overflow, PlanRequest, Request, Severity,
    Simulation, Target, Verdict, check, convert, lint, load, load_with_queries, plans, report_json,
};

/// A linear congruential generator: the answer depends on every result that wraps.
const GENERATOR: &str = "typedef int[-2147483648, 2147483647] word;\n\
    word seed = 12345;\n\
    int[0,5] steps;\n\
    word next(word s) { return s * 1103515245 + 12345; }\n\
    process P() { state A, B; init A; trans\n\
      A -> A { guard steps < 5; assign seed = next(seed), steps++; }, A -> B { guard steps == 5; }; }\n\
    system P;\n";

const WRAP: &str = "// tourbillon: overflow wrap\n";

/// The same by definition: in 64 bits, of which the lowest 32 are kept.
fn generated() -> Vec<i32> {
    let next = |seed: &i32| Some((i64::from(*seed) * 1_103_515_245 + 12345) as i32);
    std::iter::successors(Some(12345i32), next).skip(1).take(5).collect()
}

fn asked(loaded: &Loaded, plan_request: PlanRequest) -> Vec<AnswerSummary> {
    assert!(loaded.model.is_some(), "{:?}", loaded.diagnostics);
    let request = Request { plan_request, ..Request::default() };
    check(loaded, &request, &mut |_| {}).unwrap_or_else(|trouble| panic!("{trouble}")).results
}

fn verdicts(loaded: &Loaded, plan_request: PlanRequest) -> Vec<Verdict> {
    asked(loaded, plan_request).iter().map(|result| result.verdict).collect()
}

#[test]
fn a_generator_of_random_numbers_wraps_as_its_annotation_says() {
    let values = generated();
    assert!(values.iter().any(|&value| value < 0), "{values:?}");
    let queries: String = values.iter().map(|value| format!("E<> seed == {value}\n")).collect();
    let queries = format!("{queries}E<> P.B && seed != {}\n", values[4]);
    let text = format!("{WRAP}{GENERATOR}");
    let loaded = load_with_queries("g.xta", text.as_bytes(), [("g.q", queries.as_bytes())]);
    let mut expected = vec![Verdict::Satisfied; 5];
    expected.push(Verdict::Violated);
    assert_eq!(verdicts(&loaded, PlanRequest::default()), expected);
    let simulation = Simulation::new(&loaded).unwrap_or_else(|trouble| panic!("{trouble}"));
    drop(simulation);
}

/// A hash of small numbers, so that sets of states are not too large: the same in both engines.
#[test]
fn sets_of_states_wrap_as_single_states_do() {
    let text = format!(
        "{WRAP}int[0,15] n; int[0,7] h; int32_t t;\n\
         int32_t hash(int k) {{ return (k << 29) - (k << 28) + 2147483647 * (k & 3); }}\n\
         process P() {{ state A; init A; trans A -> A {{ guard n < 15; \
         assign n++, t = hash(n), h = (t >> 28) & 7; }}; }}\nsystem P;\n"
    );
    let hash = |k: i64| (((k << 29) - (k << 28) + 2_147_483_647 * (k & 3)) as i32 >> 28) & 7;
    let reached = |h: i32| h == 0 || (1..=15).any(|k| hash(k) == h);
    let queries: String = (0..8).map(|h| format!("E<> h == {h}\n")).collect();
    let expected: Vec<Verdict> =
        (0..8).map(|h| if reached(h) { Verdict::Satisfied } else { Verdict::Violated }).collect();
    let loaded = load_with_queries("h.xta", text.as_bytes(), [("h.q", queries.as_bytes())]);
    for engine in [Engine::Zones, Engine::Symbolic] {
        assert_eq!(
            verdicts(&loaded, PlanRequest { engine, ..PlanRequest::default() }),
            expected,
            "{engine:?}"
        );
    }
}

#[test]
fn without_a_word_of_it_they_are_errors_whose_message_names_the_option() {
    let loaded = load_with_queries("g.xta", GENERATOR.as_bytes(), [("g.q", b"E<> P.B\n".as_slice())]);
    let report = check(&loaded, &Request::default(), &mut |_| {}).expect("a report");
    assert_eq!(report.results[0].verdict, Verdict::Unknown);
    assert_eq!(
        report.results[0].why,
        "the model fails at run time: a result that exceeds 32 bits (see --overflow)"
    );
    let told = &report.diagnostics.as_slice()[0];
    assert_eq!(told.code.name(), "R0002");
    assert!(told.help.iter().any(|help| help.ends_with("--overflow wrap")), "{:?}", told.help);
}

#[test]
fn the_option_counts_more_than_the_annotation_and_the_plan_says_which_was_used() {
    let text = format!("{WRAP}{GENERATOR}");
    let queries = [("g.q", b"E<> P.B\n".as_slice())];
    for (annotated, option, used, why) in [
        (false, None, Overflow::Error, None),
        (true, None, Overflow::Wrap, Some("annotation of the model")),
        (false, Some(Overflow::Wrap), Overflow::Wrap, Some("requested")),
        (true, Some(Overflow::Error), Overflow::Error, Some("requested")),
    ] {
        let text = if annotated { &text } else { GENERATOR };
        let loaded = Loader { overflow: option }.load_with_queries("g.xta", text.as_bytes(), queries);
        let plan_request = PlanRequest { overflow: option, ..PlanRequest::default() };
        let request = Request { plan_request, ..Request::default() };
        let (_, plan) = plans(&loaded, &request).unwrap_or_else(|trouble| panic!("{trouble}")).remove(0);
        assert_eq!(plan.overflow, used);
        let reason = plan.reasons.iter().find(|reason| reason.axis == Axis::Overflow);
        assert_eq!(reason.map(|reason| reason.why.as_str()), why);
        let report = check(&loaded, &request, &mut |_| {}).expect("a report");
        let json = report_json(&report, loaded.diagnostics.iter(), loaded.sources());
        assert_eq!(json["plan"]["overflow"], used.name());
        let expected = if used == Overflow::Wrap { Verdict::Satisfied } else { Verdict::Unknown };
        assert_eq!(report.results[0].verdict, expected);
    }
}

/// A model is read for one meaning: asking for the other one is refused and not ignored.
#[test]
fn a_model_is_not_checked_for_another_meaning_than_it_was_read_for() {
    let loaded = load("g.xta", GENERATOR.as_bytes());
    let plan_request = PlanRequest { overflow: Some(Overflow::Wrap), ..PlanRequest::default() };
    let trouble =
        check(&loaded, &Request { plan_request, ..Request::default() }, &mut |_| {}).expect_err("refused");
    assert!(matches!(&trouble, CheckError::Request(why) if why.contains("--overflow error")), "{trouble}");
}

#[test]
fn annotations_are_kept_by_every_conversion() {
    let wraps = |name: &str, text: &str| load(name, text.as_bytes()).model.map(|model| model.overflow);
    let source = load("g.xta", format!("/* a comment */ {WRAP}{GENERATOR}").as_bytes());
    let mut texts = Vec::new();
    for (target, name) in [(Target::Xml, "g.xml"), (Target::Xta, "g.xta")] {
        let text = convert(&source, target).expect("it can be written").text;
        assert_eq!(wraps(name, &text), Some(Overflow::Wrap), "{text}");
        texts.push(text);
    }
    let again = convert(&load("g.xml", texts[0].as_bytes()), Target::Xta).expect("it can be written").text;
    assert_eq!(wraps("g.xta", &again), Some(Overflow::Wrap), "{again}");
    let counter = "# tourbillon: overflow wrap\nsystem:s\nevent:e\nint:1:0:3:0:i\nprocess:P\n\
        location:P:l{initial:}\nedge:P:l:l:e{do: i=(i+2147483647+2)%4}\n";
    let source = load("c.tck", counter.as_bytes());
    for (target, name) in [(Target::Tck, "c.tck"), (Target::Xta, "c.xta"), (Target::Xml, "c.xml")] {
        let text = convert(&source, target).expect("it can be written").text;
        assert_eq!(wraps(name, &text), Some(Overflow::Wrap), "{text}");
    }
    let json = convert(&source, Target::Json).expect("it can be written").text;
    assert!(json.contains("\"overflow\": \"wrap\""), "{json}");
}

#[test]
fn annotations_with_mistakes_are_told() {
    let told = |name: &str, text: &str| -> Vec<(String, Severity)> {
        let loaded = load(name, text.as_bytes());
        loaded.diagnostics.iter().map(|told| (told.code.name().to_owned(), told.severity)).collect()
    };
    let process = "process P() { state A; init A; } system P;";
    let one = |code: &str, severity| vec![(code.to_owned(), severity)];
    assert_eq!(
        told("a.xta", &format!("// tourbilon: overflow wrap\n{process}")),
        one("U0143", Severity::Warning)
    );
    assert_eq!(
        told("a.xta", &format!("{WRAP}/* tourbillon: overflow error */{process}")),
        one("U0144", Severity::Error)
    );
    let process = "system:s\nevent:e\nprocess:P\nlocation:P:l{initial:}\nedge:P:l:l:e\n";
    assert_eq!(
        told("a.tck", &format!("{process}# tourbillon: overflows wrap\n")),
        one("T0608", Severity::Warning)
    );
    let both = "# tourbillon: overflow error\n# tourbillon: overflow wrap\n";
    assert_eq!(told("a.tck", &format!("{both}{process}")), one("T0609", Severity::Error));
}

#[test]
fn constants_of_both_languages_wrap_or_are_refused() {
    let text =
        b"const int M = 2147483647 + 1; int[-2147483648,0] n = M; process P() { state A; init A; } system P;";
    assert!(load("c.xta", text).model.is_none());
    let model = Loader { overflow: Some(Overflow::Wrap) }.load("c.xta", text).model.expect("a model");
    assert_eq!(model.cells.iter().map(|cell| cell.initial).collect::<Vec<_>>(), [i32::MIN]);
    let text = b"system:s\nevent:e\nint:1:0:3:0:i\nprocess:P\nlocation:P:l{initial:}\nedge:P:l:l:e{provided: i<2147483647+1}\n";
    let refused = load("c.tck", text);
    assert_eq!(refused.diagnostics.as_slice()[0].code.name(), "T0413");
    assert!(Loader { overflow: Some(Overflow::Wrap) }.load("c.tck", text).model.is_some());
}

#[test]
fn lint_says_where_a_result_may_exceed_32_bits() {
    let told = |text: &str| -> Vec<(Severity, String)> {
        let report = lint(&load("g.xta", text.as_bytes()), &Request::default(), &mut |_| {})
            .unwrap_or_else(|trouble| panic!("{trouble}"));
        let found = report.findings.iter().filter(|finding| finding.kind == "may-overflow");
        found.map(|finding| (finding.diagnostic.severity, finding.diagnostic.message.clone())).collect()
    };
    let fails = told(GENERATOR);
    assert_eq!(fails.len(), 2, "the product and the sum: {fails:?}");
    let message = "this result may exceed 32 bits, which is an error at run time";
    assert!(fails.iter().all(|it| *it == (Severity::Warning, message.to_owned())), "{fails:?}");
    let wraps = told(&format!("{WRAP}{GENERATOR}"));
    let message = "this result may exceed 32 bits, and wraps then";
    assert!(
        wraps.len() == 2 && wraps.iter().all(|it| *it == (Severity::Note, message.to_owned())),
        "{wraps:?}"
    );
    // What is guarded is seen only by visiting all states.
    let guarded =
        "int32_t n; process P() { state A; init A; trans A -> A { guard n < 3; assign n++; }; } system P;";
    let found = told(guarded);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].0 == Severity::Note && found[0].1.contains("not in any reached state"), "{found:?}");
    assert_eq!(
        told(
            "int n, m; process P() { state A; init A; trans A -> A { assign n = (n * m + 1) % 9; }; } system P;"
        ),
        []
    );
}
