//! UPPAAL's symbolic traces: read, timed, replayed; what does not fit is told with its place.

use tourbillon::{Loaded, Model, NamedRun, Simulation, load, read_runs};

/// Two processes that synchronise, with a selection and a clock.
const DOOR: &str = "chan push; clock x; int n;
    process Door() { state Shut, Open { x <= 8 }; init Shut; trans
      Shut -> Open { select i : int[1,4]; sync push?; assign x = 0, n = i; },
      Open -> Shut { guard x > 3; assign n = 0; }; }
    process User() { state Idle; init Idle; trans Idle -> Idle { guard x >= 2; sync push!; }; }
    system Door, User;";

/// As newer versions write it: edges end with a semicolon and are counted from 0.
const NEWER: &str = "\
0 0 \n.\n0 1 0\n.\n1 2 0\n.\n2 1 0\n.\n.\n0 \n.
1 0 \n.\n0 1 -4\n.\n1 0 20\n.\n2 0 16\n.\n.\n3 \n.\n1 0 ; 0 0 3 ; .
0 0 \n.\n0 1 -10\n.\n0 2 -5\n.\n.\n0 \n.\n0 1 ; .
.\n";

/// As older ones do: an edge is a line, and counted from 1.
const OLDER: &str = "\
0\n0\n.\n0\n1\n0\n.\n.\n0\n.
1\n0\n.\n.\n3\n.\n1 1\n0 1 3\n.
0\n0\n.\n.\n0\n.\n0 2\n.
.\n";

fn door() -> Loaded {
    load("door.xta", DOOR.as_bytes())
}

fn model(loaded: &Loaded) -> &Model {
    loaded.model.as_ref().unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

fn runs(loaded: &Loaded, text: &str) -> Vec<NamedRun> {
    read_runs(model(loaded), text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn a_trace_becomes_a_run_with_delays() {
    let loaded = door();
    for text in [NEWER, OLDER] {
        let run = runs(&loaded, text).remove(0).run.expect("it can be timed");
        let delays: Vec<String> = run.steps.iter().map(|step| step.delay.to_string()).collect();
        assert_eq!(delays, ["2", "4"]);
        let mut simulation = Simulation::new(&loaded).expect("an initial state");
        simulation.load(&run, None).expect("it is legal");
        let trace = simulation.trace().expect("the run");
        let edges: Vec<(&str, &str)> =
            trace.steps[0].edges.iter().map(|edge| (&*edge.process, &*edge.target)).collect();
        assert_eq!(edges, [("User", "Idle"), ("Door", "Open")]);
        assert_eq!(trace.steps[0].after.variables, [("n".into(), 3)]);
    }
    let nothing = "0 0 . . 0 . .";
    assert_eq!(runs(&loaded, nothing)[0].run.as_ref().map(|run| run.steps.len()), Ok(0));
}

/// Edges may stand in another order than ours.
#[test]
fn the_order_of_edges_does_not_matter() {
    let loaded = door();
    let swapped = NEWER.replace("1 0 ; 0 0 3 ;", "0 0 3 ; 1 0 ;");
    assert_eq!(runs(&loaded, &swapped), runs(&loaded, NEWER));
}

#[test]
fn steps_that_no_delays_allow_are_told() {
    let loaded = door();
    // The door opens twice without being shut; and a user is told to push alone.
    let alone = "0 0 . . 0 .  0 0 . . 0 . 1 0 ; .  .";
    let why = runs(&loaded, alone).remove(0).run.expect_err("nobody receives");
    assert_eq!(why, "step 1: these edges cannot be taken together there");
    let strict = load("door.xta", DOOR.replace("guard x > 3", "guard x > 8").as_bytes());
    let why = runs(&strict, NEWER).remove(0).run.expect_err("it must be shut before");
    assert_eq!(why, "step 2: it cannot be taken after the steps before it, whatever the delays");
}

#[test]
fn what_is_no_trace_or_does_not_fit_is_told_with_its_place() {
    let loaded = door();
    for (text, told) in [
        (
            "",
            "line 1, column 1: the file is empty: supported are saved runs, JSON reports of check, lint and replay, and .xtr traces",
        ),
        ("0 0 x", "line 1, column 5: `x` is neither a number nor a dot"),
        ("0 0 .\n1-2 .", "line 2, column 1: `1-2` is neither a number nor a dot"),
        ("99999999999999999999 .", "line 1, column 1: `99999999999999999999` is too long for a number"),
        ("0 0 .\n0 1 .", "line 2, column 1: a bound of clocks is three numbers, not 2"),
        ("0 . . .", "line 1, column 1: locations of 1 processes: the model has 2 processes"),
        ("1 0 . . 0 . .", "line 1, column 1: `Door` is at `Open` here, but in the model at `Shut`"),
        ("9 0 . . 0 . .", "line 1, column 1: `Door` is at location 9 here, but in the model at `Shut`"),
        (
            "0 0 . . 0 .\n",
            "line 1, column 12: expected a dot at the end of the locations of a state, found the end of the file",
        ),
        ("0 0 . . 0 . . 7", "line 1, column 15: the number 7 after the last dot"),
        ("0 0 . . 0 .\n0 0 . . 0 . .", "line 2, column 13: a step without edges"),
        (
            "0 0 . . 0 .\n0 0 . . 0 . 1 ; .",
            "line 2, column 13: expected an edge (a process and an edge), found the number 1",
        ),
        ("0 0 . . 0 .\n0 0 . . 0 . 5 0 ; .", "line 2, column 13: no process 5: the model has 2"),
        ("0 0 . . 0 .\n0 0 . . 0 . 0 7 ; .", "line 2, column 13: `Door` has no edge 7, only 2"),
        ("0 0 . . 0 .\n0 0 . . 0 . 0 -1 ; .", "line 2, column 13: `Door` has no edge -1, only 2"),
        (
            "0 0 . . 0 .\n0 0 . . 0 . 0 1 ; .",
            "line 2, column 13: `Door` is at `Shut`, and its edge 1 starts at `Open`",
        ),
        (
            "0 0 . . 0 .\n1 0 . . 0 . 1 0 ; 0 0 ; .",
            "line 2, column 19: 0 values for 1 selections of edge 0 of `Door`",
        ),
        (
            "0 0 . . 0 .\n0 0 . . 3 . 1 0 ; 0 0 3 ; .",
            "line 2, column 1: `Door` is at `Shut` here, but in the model at `Open`",
        ),
    ] {
        let error = read_runs(model(&loaded), text.as_bytes()).expect_err(text);
        assert_eq!(error.to_string(), told, "{text}");
    }
}

/// No text makes the reader panic: every beginning of a trace, and the trace with any one character changed.
#[test]
fn damaged_traces_are_errors_or_runs() {
    let loaded = door();
    let mut refused = 0;
    for end in 0..NEWER.len() {
        refused += usize::from(read_runs(model(&loaded), &NEWER.as_bytes()[..end]).is_err());
        for byte in *b"9.;-x\n {" {
            let mut bytes = NEWER.as_bytes().to_vec();
            bytes[end] = byte;
            refused += usize::from(read_runs(model(&loaded), &bytes).is_err());
        }
    }
    assert!(refused > NEWER.len(), "only {refused} of them were refused");
}
