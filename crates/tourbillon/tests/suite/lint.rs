//! What looks wrong with small models: one for each kind of finding, with the exact diagnostics.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tourbillon::{
    Abstraction, Cause, Limits, LintReport, PlanRequest, Request, Severity, TraceKind, is_finding, lint,
    load, load_with_queries,
};

fn examined(text: &str) -> LintReport {
    with_queries(text, "")
}

fn with_queries(text: &str, queries: &str) -> LintReport {
    let loaded = load_with_queries("m.xta", text.as_bytes(), [("m.q", queries.as_bytes())]);
    lint(&loaded, &Request::default(), &mut |_| {}).unwrap_or_else(|trouble| panic!("{trouble}"))
}

/// The findings, a line each: how grave, the code, the line, and the message; then the lines of the other places.
fn told(text: &str, report: &LintReport) -> Vec<String> {
    let loaded = load("m.xta", text.as_bytes());
    let line = |span| loaded.sources().resolve(span).start.line;
    report
        .findings
        .iter()
        .map(|finding| {
            let told = &finding.diagnostic;
            let grave = if told.severity == Severity::Note { "note" } else { "warning" };
            let others: Vec<String> = told.labels.iter().map(|(span, _)| line(*span).to_string()).collect();
            let others = if others.is_empty() { String::new() } else { format!(" [{}]", others.join(" ")) };
            format!("{grave} {} {}: {}{others}", told.code, line(told.primary), told.message)
        })
        .collect()
}

/// Why things are not known, one for each.
fn reasons(report: &LintReport) -> Vec<Cause> {
    report.unknown.iter().map(|open| open.reason).collect()
}

fn findings(text: &str) -> Vec<String> {
    told(text, &examined(text))
}

/// A loop that keeps a model going, in no time that matters.
const IDLE: &str =
    "process Idle() { clock i; state A { i <= 1 }; init A; trans A -> A { guard i >= 1; assign i = 0; }; }\n";

#[test]
fn locations_never_reached() {
    let text = format!(
        "{IDLE}process P() {{\n state A, B, C, D; init A;\n trans B -> C {{ }},\n C -> B {{ }},\n D -> D {{ }};\n }}\nsystem Idle, P;"
    );
    assert_eq!(
        findings(&text),
        [
            "warning W0001 3: `B` of `P` is never reached [4]",
            "warning W0001 3: `C` of `P` is never reached [5]",
            "warning W0001 3: `D` of `P` is never reached: no edge leads to it [6]",
        ]
    );
}

/// How far an edge comes that is never taken.
#[test]
fn edges_never_taken() {
    let text = format!(
        "{IDLE}clock x; int[0,3] n; chan c; chan priority default < c; broadcast chan heard;\n\
         process P() {{ state A {{ x <= 5 }}, B {{ x <= 1 }}, Hurry; commit Hurry; init A; trans\n\
         A -> A {{ guard n == 3; }},\n\
         A -> A {{ guard x > 5; }},\n\
         A -> A {{ guard n == 0 && x > 6; }},\n\
         A -> A {{ guard x >= 2; sync c!; }},\n\
         A -> B {{ guard x >= 2; }},\n\
         A -> A {{ guard n == 0; sync heard?; }},\n\
         A -> Hurry {{ guard x >= 3; assign x = 0, n = 1; }},\n\
         Hurry -> A {{ assign n = 0; }}; }}\n\
         process Q() {{ state I; init I; trans\n\
         I -> I {{ guard x <= 1; sync c?; }},\n\
         I -> I {{ guard n == 1; }},\n\
         I -> I {{ guard n == 2; sync heard!; }}; }}\n\
         system Idle, P, Q;\n"
    );
    assert_eq!(
        findings(&text),
        [
            "warning W0001 3: `B` of `P` is never reached",
            "warning W0002 4: the edge `A -> A` of `P` is never taken: its guard on data never holds at `A`",
            "warning W0002 5: the edge `A -> A` of `P` is never taken: its clock guard never holds at `A`",
            "warning W0002 6: the edge `A -> A` of `P` is never taken: its clock guard never holds when its guard on data does",
            "warning W0002 7: the edge `A -> A` of `P` is never taken: the clock guards of the participants of `c!` never hold together",
            "warning W0002 8: the edge `A -> B` of `P` is never taken: the invariants of its target never allow it [3]",
            "warning W0002 9: the edge `A -> A` of `P` is never taken: no process is ready for `heard?` when its guard on data holds",
            "warning W0002 13: the edge `I -> I` of `Q` is never taken: the clock guards of the participants of `c?` never hold together",
            "warning W0002 14: the edge `I -> I` of `Q` is never taken: a committed location is always left first",
            "warning W0002 15: the edge `I -> I` of `Q` is never taken: its guard on data never holds at `I`",
        ]
    );
}

#[test]
fn edges_that_something_of_higher_priority_comes_before() {
    let text = "chan c; chan priority default < c; clock x;\n\
        process P() { state A; init A; trans A -> A { guard x >= 1; sync c!; assign x = 0; }; }\n\
        process Q() { state A; init A; trans A -> A { sync c?; },\n\
        A -> A { guard x >= 1; assign x = 0; }; }\nsystem P, Q;";
    assert_eq!(
        findings(text),
        [
            "warning W0002 4: the edge `A -> A` of `Q` is never taken: a transition of higher priority always comes first"
        ]
    );
}

/// What is so in some processes of a template is said once, and is a note.
#[test]
fn processes_of_a_template_are_told_together() {
    let text = "process P(const int[0,2] i) { clock x; state A { x <= 4 }, B, C; init A; trans\n\
        A -> B { guard i > 0; },\n\
        B -> A { guard x >= 1; assign x = 0; },\n\
        A -> A { guard x >= 1; assign x = 0; },\n\
        C -> A { }; }\nsystem P;";
    assert_eq!(
        findings(text),
        [
            "note W0001 1: `B` of `P(0)` is never reached, unlike in others of `P` [3]",
            "warning W0001 1: `C` of `P` is never reached: no edge leads to it [5]",
            "note W0002 2: the edge `A -> B` of `P(0)` is never taken, unlike in others of `P`: its guard on data never holds at `A`",
        ]
    );
    let many =
        "process P(const int[0,9] i) { state A, B; init A; trans A -> B { guard i > 7; }; }\nsystem P;";
    assert_eq!(
        findings(many)[0],
        "note W0001 1: `B` of `P(0)`, `P(1)`, `P(2)`, `P(3)`, `P(4)`, `P(5)` and 2 more is never reached, unlike in others of `P`"
    );
}

#[test]
fn invariants_broken_on_entry() {
    let text = format!(
        "{IDLE}clock x, y; int[0,9] n = 5;\n\
         process P() {{ state A, B {{ x <= 3 }}; init A; trans\n\
         A -> B {{ guard x >= 2; }},\n\
         B -> A {{ guard x >= 1; assign x = 0; }},\n\
         A -> A {{ guard x > 3; assign x = 0; }}; }}\n\
         process Q() {{ state U {{ y <= n }}; init U; trans U -> U {{ guard y >= 1; assign y = 0; }}; }}\n\
         process R() {{ clock z; state K; init K; trans\n\
         K -> K {{ guard z >= 1; assign n = 9 - n, z = 0; }}; }}\n\
         system Idle, P, Q, R;\n"
    );
    assert_eq!(
        findings(&text),
        [
            "warning W0003 4: the edge `A -> B` of `P` can violate the invariant of `B`, which then forbids it [3]",
            "warning W0003 9: the edge `K -> K` of `R` can violate the invariant of `Q.U`, which then forbids it [7]",
        ]
    );
}

/// A guard that says what the invariant says leaves nothing to complain about; data counts as clocks do.
#[test]
fn invariants_on_data_can_be_broken_too() {
    let text = |guard: &str| {
        format!(
            "{IDLE}int[0,3] n; process P() {{ clock x; state A, B {{ n <= 2 }}; init A; trans\n\
             A -> A {{ guard x >= 1; assign x = 0, n = (n + 1) % 4; }},\n\
             A -> B {{ guard x >= 1{guard}; assign x = 0; }},\n\
             B -> A {{ guard x >= 1; assign x = 0; }}; }}\nsystem Idle, P;"
        )
    };
    assert_eq!(
        findings(&text("")),
        [
            "warning W0003 4: the edge `A -> B` of `P` can violate the invariant of `B`, which then forbids it [2]"
        ]
    );
    assert_eq!(findings(&text(" && n < 3")), [""; 0]);
}

#[test]
fn deadlocks_and_time_locks_have_runs() {
    let text = "clock x;\n\
        process P() { state A { x <= 5 },\n\
        DeadlockKind { x <= 7 },\n\
        End; init A; trans A -> DeadlockKind { guard x >= 3; }, A -> End { guard x >= 2; }; }\n\
        process Q() { state I; init I; trans I -> I { guard x <= 1; }; }\nsystem P, Q;";
    let report = examined(text);
    assert_eq!(
        told(text, &report),
        [
            "note W0104 1: the clock `x` is tested and never reset",
            "warning W0005 3: timelock at `P.DeadlockKind`, `Q.I`: no transition is possible, and time cannot diverge: `P.DeadlockKind` stops it",
            "warning W0004 4: deadlock at `P.End`, `Q.I`: no transition is possible, and time can diverge",
            "warning W0006 5: a Zeno run along the cycle `I -> I` of `Q`",
        ]
    );
    let runs: Vec<&str> = report
        .findings
        .iter()
        .filter_map(|finding| finding.trace.as_ref())
        .map(|run| &*run.end.locations[0].1)
        .collect();
    assert_eq!(runs, ["DeadlockKind", "End", "A"]);
    let loaded = load("m.xta", text.as_bytes());
    let silent = Request {
        plan_request: PlanRequest { trace: TraceKind::None, ..PlanRequest::default() },
        ..Request::default()
    };
    let report = lint(&loaded, &silent, &mut |_| {}).expect("a report");
    assert!(report.findings.iter().all(|finding| finding.trace.is_none()));
    assert_eq!(report.count(), 3);
}

/// An urgent synchronisation that guards allow and an invariant forbids stops time; so do urgent locations.
#[test]
fn what_stops_time_is_named() {
    let text = "urgent chan go; int[0,1] stop = 1;\n\
        process P() { state A, B { stop == 0 }; init A; trans A -> B { sync go!; }; }\n\
        process Q() { state A, B; init A; trans A -> B { sync go?; }; }\nsystem P, Q;";
    let found = findings(text);
    assert_eq!(
        found.last().map(String::as_str),
        Some(
            "warning W0005 2: timelock at `P.A`, `Q.A`: no transition is possible, and time cannot diverge: invariants forbid an enabled urgent synchronisation"
        )
    );
    let text = "process P() { state A; init A; }\nprocess Q() { state B; urgent B; init B; }\nsystem P, Q;";
    assert_eq!(
        findings(text),
        [
            "warning W0005 2: timelock at `P.A`, `Q.B`: no transition is possible, and time cannot diverge: `Q.B` stops it"
        ]
    );
}

/// A partner that is slowed down slows down whoever waits for it. More than 0 is not enough.
#[test]
fn loops_that_nothing_slows_down() {
    let text = "clock x, y; chan tick, go;\n\
        process Slow() { state A { x <= 2 }; init A; trans A -> A { guard x >= 1; sync tick!; assign x = 0; }; }\n\
        process Heard() { state A; init A; trans A -> A { sync tick?; }; }\n\
        process Fast() { state A, B; init A; trans A -> B { sync go!; assign y = 0; },\n\
        B -> A { guard y > 0; }; }\n\
        process Faster() { state A; init A; trans A -> A { sync go?; }; }\n\
        system Slow, Heard, Fast, Faster;";
    let report = examined(text);
    assert_eq!(
        told(text, &report),
        [
            "warning W0006 4: a Zeno run along the cycle `A -> B -> A` of `Fast` [5]",
            "warning W0006 6: a Zeno run along the cycle `A -> A` of `Faster`",
        ]
    );
    assert!(report.findings.iter().all(|finding| !finding.possible && finding.trace.is_some()));
    assert_eq!(findings(&text.replace("y > 0", "y > 1")), [""; 0]);
    // Whoever sets the clock ahead takes its meaning away.
    let ahead = text.replace("y > 0", "y > 1").replace("sync go?;", "sync go?; assign y = 2;");
    assert_eq!(findings(&ahead).len(), 2);
    // Nor does structure see that the data never allows a second round: the engine does.
    let once = text.replace("guard y > 0;", "guard y > 0 && n < 3; assign n = n + 1;");
    let once = format!("int[0,3] n;\n{once}");
    assert_eq!(findings(&once).iter().filter(|it| it.contains("W0006")).count(), 0);
}

/// Among edges that nothing slows down, blamed is the loop that the run goes round, not a shorter one that it leaves
/// out; a set of edges of which it takes nothing stays possible.
#[test]
fn the_loop_that_is_blamed_is_that_of_the_run() {
    let text = "int[0,1] n;\nprocess P() { state A, B; init A; trans\n\
        A -> A { guard n < 1; assign n++; },\n\
        A -> B { },\n\
        B -> A { }; }\n\
        process Q(const int[0,1] i) { state C; init C; trans C -> C { guard n < 1; assign n++; }; }\nsystem P, Q;";
    let report = examined(text);
    assert_eq!(
        told(text, &report),
        [
            "note W0006 6: possibly a Zeno run along the cycle `C -> C` of `Q`",
            "warning W0006 4: a Zeno run along the cycle `A -> B -> A` of `P` [5]",
        ]
    );
    let certain = report.findings.iter().find(|finding| !finding.possible).expect("one is");
    let run = certain.trace.as_ref().expect("a run");
    let taken: Vec<(&str, &str)> = run.steps[run.loop_start().expect("it repeats")..]
        .iter()
        .flat_map(|step| &step.edges)
        .map(|edge| (&*edge.source, &*edge.target))
        .collect();
    assert_eq!(taken.len(), 2, "{taken:?}");
    assert!(taken.contains(&("A", "B")) && taken.contains(&("B", "A")), "{taken:?}");
}

#[test]
fn variables_and_clocks_that_are_neglected() {
    let text = "clock never,\nonly_reset,\nonly_tested,\nasked;\n\
        int counted,\ncopied,\nfrom,\nkept = 2,\npassed,\nread,\nin_dead;\n\
        int whole[3];\nbool asked_for;\n\
        void bump(int &it) { it++; }\n\
        int get(int &it) { return it; }\n\
        void dead() { in_dead = 1; }\n\
        process P() { clock x; int own; state A, B { x <= 2 }; init A; trans A -> B {\n\
        guard x >= 1 && only_tested >= 0 && kept > 0;\n\
        assign x = 0, only_reset = 0, counted++, from = 1 - from, copied = from, bump(passed), whole[get(read)] = whole[0],\n\
        read = 0, own = 1; }, B -> B { guard x >= 1; assign x = 0; }; }\n\
        system P;";
    let report = with_queries(text, "A[] asked >= 0 && !asked_for\n");
    assert_eq!(
        told(text, &report),
        [
            "warning M0801 1: the clock `never` is never used",
            "warning W0103 2: the clock `only_reset` is reset and never tested",
            "note W0104 3: the clock `only_tested` is tested and never reset",
            "warning W0101 5: the variable `counted` is written and never read",
            "warning W0101 6: the variable `copied` is written and never read",
            "note W0102 8: the variable `kept` is read and never written",
            "warning W0101 9: the variable `passed` is written and never read",
            "warning W0105 11: the variable `in_dead` is never used",
            "note W0102 13: the variable `asked_for` is read and never written",
            "warning M0801 16: the function `dead` is never used",
            "warning W0101 17: the variable `P.own` is written and never read",
        ]
    );
}

/// The copies of a template's variable count together.
#[test]
fn what_one_process_uses_is_used() {
    let text = "process P(const int[0,1] i) { clock x; int n; state A { x <= 2 }; init A; trans\n\
        A -> A { guard x >= 1 && i == 0; assign x = 0, n = 1 - n; },\n\
        A -> A { guard x >= 1 && i == 1; assign x = 0; }; }\nsystem P;";
    let found = findings(text);
    assert!(found.iter().all(|line| line.contains("W0002") && line.starts_with("note")), "{found:?}");
    let text = text.replace("n = 1 - n", "n = 1");
    assert!(
        findings(&text).contains(&"warning W0101 1: the variable `n` is written and never read".to_owned())
    );
}

#[test]
fn channels_with_one_side() {
    let text = format!(
        "{IDLE}chan a,\nb,\nc[2],\nown,\nspare,\nboth;\nbroadcast chan shout,\nhear;\n\
         process P(chan &passed) {{ clock x; state A; init A; trans\n\
         A -> A {{ sync a!; }},\n\
         A -> A {{ sync b?; }},\n\
         A -> A {{ select i : int[0,1]; sync c[i]!; }},\n\
         A -> A {{ sync own!; }},\n\
         A -> A {{ sync own?; }},\n\
         A -> A {{ guard x >= 1; sync shout!; assign x = 0; }},\n\
         A -> A {{ sync hear?; }},\n\
         A -> A {{ guard x >= 1; sync both!; assign x = 0; }}; }}\n\
         process Q() {{ state A; init A; trans A -> A {{ sync both?; }}; }}\n\
         X = P(spare);\nsystem Idle, X, Q;"
    );
    assert_eq!(
        findings(&text),
        [
            "warning W0202 2: no process receives on the channel `a` [11]",
            "warning W0201 3: no process sends on the channel `b` [12]",
            "warning W0202 4: no process receives on the channel `c` [13]",
            "warning W0204 5: only one process sends and receives on `own` [14 15]",
            "warning W0205 6: the channel `spare` is never used",
            "note W0203 8: no process receives broadcasts on `shout`",
            "warning W0201 9: no process sends on the channel `hear` [17]",
        ]
    );
}

/// What the front end said is not said again.
#[test]
fn what_was_said_when_the_model_was_read_is_said_once() {
    let text = "system:m\nevent:e\nevent:f\nclock:1:x\nprocess:P\nlocation:P:a{initial:}\nlocation:P:b\n\
        process:Q\nlocation:Q:a{initial:}\nedge:P:a:a:e\nsync:P@e:Q@f\n";
    let loaded = load("m.tck", text.as_bytes());
    assert!(loaded.diagnostics.iter().all(is_finding), "{:?}", loaded.diagnostics);
    let report = lint(&loaded, &Request::default(), &mut |_| {}).expect("a report");
    let kinds: Vec<(&str, &str)> =
        report.findings.iter().map(|finding| (finding.kind, finding.diagnostic.code.name())).collect();
    assert_eq!(
        kinds,
        [
            ("unused", "T0601"),
            ("never-reached", "W0001"),
            ("unused", "T0601"),
            ("never-taken", "W0002"),
            ("one-sided", "T0603"),
            ("deadlock", "W0004"),
        ]
    );
}

/// What was met counts; what was not met is unknown.
#[test]
fn an_exploration_that_does_not_end_leaves_things_unknown() {
    let text = format!(
        "{IDLE}int n; process P() {{ clock x; state A, B, Lost; init A; trans\n\
         A -> A {{ guard x >= 1; assign x = 0, n = (n + 1) % 20000; }},\nA -> B {{ guard n == 19999; }}; }}\n\
         int unread; process Q() {{ clock y; state A {{ y <= 0 }}, B; init A; trans A -> B {{ assign unread = 1; }}; }}\nsystem Idle, P, Q;"
    );
    let loaded = load("m.xta", text.as_bytes());
    let limits = Limits { states: Some(100), ..Limits::default() };
    let report = lint(&loaded, &Request { limits, ..Request::default() }, &mut |_| {}).expect("a report");
    assert_eq!(reasons(&report), [Cause::StateLimit; 3]);
    assert_eq!(
        told(&text, &report),
        [
            "warning W0001 2: `Lost` of `P` is never reached: no edge leads to it",
            "warning W0101 5: the variable `unread` is written and never read",
            "note W0104 5: the clock `Q.y` is tested and never reset",
        ]
    );
    let stop = Arc::new(AtomicBool::new(true));
    let report =
        lint(&loaded, &Request { stop: Some(&stop), ..Request::default() }, &mut |_| {}).expect("a report");
    assert_eq!(reasons(&report), [Cause::Interrupted; 3]);
    assert_eq!(report.count(), 2);
}

/// What was seen counts, whichever exploration saw it; where that is everything, nothing is left that might never be
/// reached. Of what was not found it is not asked whether there is more.
#[test]
fn what_is_seen_before_the_end_is_not_unknown() {
    let text = "int n; process P() { clock x; state A, B { x <= 5 }; init A; trans\n\
        A -> A { guard x >= 1; assign x = 0, n = (n + 1) % 20000; },\n\
        A -> B { }, B -> A { guard x >= 1; assign x = 0; }; }\nsystem P;";
    let loaded = load("m.xta", text.as_bytes());
    let limits = Limits { states: Some(100), ..Limits::default() };
    let report = lint(&loaded, &Request { limits, ..Request::default() }, &mut |_| {}).expect("a report");
    let open: Vec<&str> = report.unknown.iter().map(|open| open.what).collect();
    assert_eq!(
        open,
        ["whether more invariants can be violated on entry", "whether there are deadlocks and timelocks"]
    );
    let seen = report.coverage;
    assert_eq!((seen.locations_reached, seen.edges_taken), (seen.locations, seen.edges));
}

/// A model that fails is wrong, with the run that leads there; what is never reached is not known then.
#[test]
fn a_model_that_fails_is_told_with_its_run() {
    let text = "int[0,3] n; clock x;\nprocess P() { state A; init A; trans\n\
        A -> A { guard x >= 1; assign x = 0, n++; }; }\nsystem P;";
    let report = examined(text);
    assert!(report.diagnostics.has_errors());
    assert_eq!(reasons(&report), [Cause::ModelFails; 2]);
    assert_eq!(report.failure.as_ref().map(|run| run.steps.len()), Some(3));
    assert_eq!(told(text, &report), ["warning W0101 1: the variable `n` is written and never read"]);
}

/// What is reached is found with bounds that do for that; deadlocks need others, unless these were asked for.
#[test]
fn there_are_as_many_explorations_as_plans_differ() {
    let loaded = load("m.xta", format!("{IDLE}system Idle;").as_bytes());
    let explorations = |abstraction| {
        let plan_request = PlanRequest { abstraction, ..PlanRequest::default() };
        let report =
            lint(&loaded, &Request { plan_request, ..Request::default() }, &mut |_| {}).expect("a report");
        report.explorations.iter().map(|it| it.plan.abstraction).collect::<Vec<_>>()
    };
    assert_eq!(explorations(None), [Abstraction::ExtraLuPlus, Abstraction::ExtraMPlus]);
    assert_eq!(explorations(Some(Abstraction::ExtraM)), [Abstraction::ExtraM]);
}

#[test]
fn without_a_state_nothing_is_said_of_the_rest() {
    let report = examined(
        "int n = 1; process P() { state A { n == 0 }, B; init A; trans A -> B { assign n = 0; }; } system P;",
    );
    let told: Vec<_> = report.findings.iter().map(|it| (it.kind, it.diagnostic.code.name())).collect();
    assert_eq!(told, [("no-initial-state", "R0011")]);
    assert_eq!((report.count(), report.diagnostics.is_empty()), (1, true));
}

/// What is over-approximated may seem reached and is not called so; deadlocks are left open.
#[test]
fn clocks_that_stand_still_leave_deadlocks_unknown() {
    let text = "clock x; process P() { state A { x' == 0 }, B; init A; trans A -> A { guard x > 1; assign x = 0; }; } system P;";
    let report = examined(text);
    assert_eq!(reasons(&report), [Cause::NotSupported; 2]);
    assert_eq!(
        told(text, &report),
        [
            "warning W0001 1: `B` of `P` is never reached: no edge leads to it",
            "warning W0002 1: the edge `A -> A` of `P` is never taken: its clock guard never holds at `A`",
        ]
    );
}
