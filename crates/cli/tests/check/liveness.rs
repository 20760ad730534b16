//! Liveness properties, as a user checks them.

use crate::shared::{ended, file, path, refused};
use crate::{example, report};

/// A machine that may retry forever, delay forever, or deadlock.
const MACHINE: &str = "clock x;\nprocess M() {\n  state Idle { x <= 4 }, Busy { x <= 2 }, Rest, Jam { x <= 1 };\n  \
                       init Idle;\n  trans Idle -> Busy { guard x >= 1; assign x = 0; },\n    Busy -> Busy { guard x \
                       == 2; assign x = 0; },\n    Busy -> Rest { guard x < 1; }, Busy -> Jam { assign x = 0; };\n}\nsystem M;\n";

fn machine(test: &str, status: i32, arguments: &[&str]) -> String {
    let model = file(test, "machine.xta", MACHINE);
    let mut all = vec!["check", path(&model)];
    all.extend(arguments);
    ended(status, &all).0
}

#[test]
fn a_loop_is_marked_and_repeats() {
    let out = machine("loop", 0, &["-q", "E[] !M.Rest && !M.Jam"]);
    let run = "witness: 2 steps, duration 3\n      time  delay\n         1     +1     M: Idle -> Busy\n         \
               3     +2  ⟳  M: Busy -> Busy\n      the marked steps, 2 long, repeat forever\n";
    assert!(out.contains(run), "{out}");
    let report = report(1, &[path(&file("loop-json", "m.xta", MACHINE)), "-q", "A<> M.Rest || M.Jam"]);
    let finish = &report["results"][0]["trace"]["finish"];
    assert_eq!((&finish["kind"], &finish["from"]), (&"repeats".into(), &1.into()));
    assert_eq!(finish["time"]["exact"], "2");
}

#[test]
fn a_run_may_wait_for_ever_or_be_stuck() {
    let out = machine("waits", 1, &["-q", "M.Busy --> M.Jam", "--cycles", "components"]);
    assert!(out.contains("✗ M.Busy --> M.Jam"), "{out}");
    let out = machine("rests", 0, &["-q", "E[] M.Rest || M.Idle || (M.Busy && x < 1)"]);
    assert!(out.contains("then time diverges without a transition\n"), "{out}");
    let out = machine("stuck", 1, &["-q", "M.Jam --> M.Idle"]);
    assert!(out.contains("then no transition is possible, and time cannot diverge"), "{out}");
    assert!(
        machine("not-stuck", 0, &["-q", "M.Jam --> M.Idle", "--non-zeno"]).contains("✓ M.Jam --> M.Idle")
    );
}

#[test]
fn the_style_of_verifyta_has_the_loop_too() {
    let model = file("verifyta-loop", "m.xta", MACHINE);
    let all = ["check", path(&model), "-q", "A<> M.Rest || M.Jam", "--format", "verifyta"];
    let (out, runs) = ended(1, &all);
    assert!(out.contains(" -- Formula is NOT satisfied."), "{out}");
    assert!(
        runs.contains("Showing counter example.") && runs.contains("repeats from transition 2 on"),
        "{runs}"
    );
}

#[test]
fn labels_can_be_asked_for_again_and_again() {
    let fischer = example("fischer.tck");
    let (out, _) = ended(0, &["check", &fischer, "--accepting", "critical1", "--accepting", "critical2"]);
    assert!(out.contains("✓ --accepting critical1 --accepting critical2"), "{out}");
    assert!(out.contains("cycles components") && out.contains("repeat forever"), "{out}");
    let (out, _) = ended(1, &["check", &fischer, "--accepting", "critical1,critical2"]);
    assert!(out.contains("✗ --accepting critical1,critical2"), "{out}");
    assert!(refused(&["check", &fischer, "--accepting", "critcal1"]).contains("did you mean `critical1`?"));
    assert!(
        refused(&["check", &fischer, "--accepting", "critical1", "--labels", "critical1"])
            .contains("cannot be used")
    );
}

#[test]
fn the_plan_says_why() {
    let (out, _) = ended(
        0,
        &["check", &example("train-gate.xml"), "-q", "Train(0).Appr --> Train(0).Cross", "--explain-plan"],
    );
    assert!(out.contains("does not preserve deadlocks") && out.contains("cycles"), "{out}");
    let model = file("stop", "stop.xta", "clock x; process P() { state A { x' == 0 }; init A; } system P;");
    let told = refused(&["check", path(&model), "-q", "E[] P.A"]);
    assert!(told.contains("stopwatches"), "{told}");
}

#[test]
fn limits_end_it_with_what_is_known() {
    let train = example("train-gate.xml");
    let all = ["check", &train, "-q", "Train(0).Appr --> Train(0).Cross", "--state-limit", "300"];
    let (out, _) = ended(3, &all);
    assert!(out.contains("unknown: the state limit was reached"), "{out}");
}

/// A clock that is set back by 1 allows any number of laps, and never infinitely many.
#[test]
fn a_cycle_of_zones_that_no_run_follows_for_ever_is_no_answer() {
    let text = "clock x; process P() { state a, b, c; urgent b; init a; trans a -> b { }, b -> b { guard x >= 1; assign \
                x := x - 1; }, b -> c { guard x < 1; }; } system P;";
    let model = file("back", "back.xta", text);
    for more in [&[][..], &["--cycles", "components"], &["--trace", "none"]] {
        let (out, _) = ended(3, &[&["check", path(&model), "-q", "P.b --> P.c"][..], more].concat());
        assert!(out.contains("unknown: a trace was found, but no run confirms it"), "{out}");
    }
    let (out, _) = ended(0, &["check", path(&model), "-q", "P.b --> P.c", "--non-zeno"]);
    assert!(out.contains("✓ P.b --> P.c"), "{out}");
}

/// Clocks that the loop does not set, or what must not happen, do not keep it from being repeated as it is.
#[test]
fn delays_repeat_where_they_can() {
    let text = "clock x, t; process P() { state a, b; init a; trans a -> b { guard x >= 1; assign x = 0; }, b -> a { guard \
                x >= 1; assign x = 0; }; } system P;";
    let model = file("repeat", "repeat.xta", text);
    let (out, _) = ended(0, &["check", path(&model), "-q", "E[] x < 2"]);
    assert!(out.contains("the marked steps, 2 long, repeat forever"), "{out}");
    let (out, _) = ended(0, &["check", &example("train-gate.xml"), "-q", "E[] Train(0).x <= 15"]);
    assert!(out.contains("repeat forever") && !out.contains("other delays"), "{out}");
}

/// Large constants are not counted up one by one.
#[test]
fn large_constants_are_jumped_to() {
    let text = "clock x; process P() { state a, b { x <= 100000000 }; init a; trans a -> b { guard x >= 90000000; }, b -> \
                a { assign x = 0; }; } system P;";
    let model = file("large", "large.xta", text);
    let all = ["check", path(&model), "-q", "E[] P.a", "-q", "A<> x > 100000000", "-q", "A[] not deadlock"];
    let (out, _) = ended(1, &all);
    assert!(
        out.contains("then time diverges without a transition") && out.contains("90000000 long"),
        "{out}"
    );
}
