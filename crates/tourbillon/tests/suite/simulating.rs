//! Simulation: what is offered is what the second evaluator accepts, no more and no less; runs are kept exactly.
//!
//! The number of random networks of each shape is `TOURBILLON_NETWORKS` (default 40), the first seed
//! `TOURBILLON_SEED` (default 1).

use tourbillon::{
    CheckError, Choice, DeadlockKind, Delays, Fired, Loaded, Mode, Model, NamedRun, Random, Rational, Run,
    RunStep, Simulation, SimulationState, TakenEdge, When, load, parse_number, read_runs, run_json,
};
use tourbillon_model::Language;
use tourbillon_replay::{ConcreteState, Semantics, replay};
use tourbillon_testkit::networks::{Network, Shape};

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

fn number(text: &str) -> Rational {
    parse_number(text).expect("a number")
}

fn model(loaded: &Loaded) -> &Model {
    loaded.model.as_ref().unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

fn loaded(text: &str) -> Loaded {
    load("m.xta", text.as_bytes())
}

/// Random networks of all shapes, each as it is loaded from its text, with a name that repeats it.
fn networks() -> impl Iterator<Item = (String, Loaded)> {
    let (count, first) =
        (from_environment("TOURBILLON_NETWORKS", 40), from_environment("TOURBILLON_SEED", 1));
    Shape::ALL.into_iter().flat_map(move |(shape, features)| {
        (first..first + count).map(move |seed| {
            let network = Network::random(seed, features);
            let name = if network.language == Language::TChecker { "m.tck" } else { "m.xta" };
            (format!("TOURBILLON_SEED={seed}, {shape}"), load(name, network.text().as_bytes()))
        })
    })
}

fn fired(model: &Model, edge: &TakenEdge) -> Fired {
    let process =
        model.processes.enumerate().find(|(_, process)| process.name == *edge.process).expect("a process").0;
    Fired { process, edge: edge.index, selects: edge.selects.iter().map(|(_, value)| *value).collect() }
}

/// The last state of a run.
fn state_after(model: &Model, run: &Run) -> ConcreteState {
    replay(model, run).expect("a legal run").pop().expect("a run has states")
}

/// Delays to look at: the ends, just beside them, between them.
fn samples(when: &[Delays]) -> Vec<Rational> {
    let tiny = number("1/1024");
    let ends = when.iter().flat_map(|delays| [Some(delays.from), delays.to]).flatten();
    let around = |end: Rational| {
        [end.checked_sub(tiny), Some(end), end.checked_add(tiny), end.checked_add(number("1/3"))]
    };
    let mut samples: Vec<Rational> =
        ends.flat_map(around).flatten().filter(|&delay| delay >= Rational::ZERO).collect();
    samples.extend(["0", "1/2", "1", "7/5", "2", "3", "9/2", "12"].map(number));
    samples
}

/// That a situation offers what the second evaluator accepts, at every sampled delay.
fn check_offers(case: &str, model: &Model, run: &Run, situation: &SimulationState) {
    let semantics = Semantics::new(model);
    let state = state_after(model, run);
    let Some(patience) = situation.patience else { return };
    let mut all: Vec<Delays> = situation.choices.iter().flat_map(|choice| choice.delays.clone()).collect();
    all.push(patience);
    for delay in samples(&all) {
        let later = semantics.delay(&state, delay);
        assert_eq!(
            later.is_ok(),
            patience.contains(delay),
            "{case}: waiting {delay}, {patience}, after {run:?}"
        );
        let Ok(later) = later else { continue };
        let actions = |offered: bool| -> Vec<Vec<Fired>> {
            let at = |choice: &&Choice| choice.delays.iter().any(|when| when.contains(delay)) == offered;
            let edges = |choice: &Choice| choice.edges.iter().map(|edge| fired(model, edge)).collect();
            situation.choices.iter().filter(at).map(edges).collect()
        };
        let mut offered = actions(true);
        let Ok(mut legal) = semantics.actions(&later) else {
            let mut told = situation.failures.iter().flat_map(|failing| &failing.delays);
            assert!(told.any(|when| when.contains(delay)), "{case}: a failure after {delay} is not told");
            for action in &offered {
                assert!(semantics.act(&later, action).is_ok(), "{case}: {action:?} after {delay}");
            }
            for action in &actions(false) {
                assert!(semantics.act(&later, action).is_err(), "{case}: {action:?} after {delay}");
            }
            continue;
        };
        let key = |action: &Vec<Fired>| format!("{action:?}");
        legal.sort_by_key(key);
        offered.sort_by_key(key);
        assert_eq!(offered, legal, "{case}: after {delay}, after {run:?}");
    }
}

#[test]
fn what_is_offered_is_what_is_legal() {
    let mut looked_at = 0;
    for (case, loaded) in networks() {
        let Ok(mut simulation) = Simulation::new(&loaded) else { continue };
        let mut random = Random::from_seed(1);
        for _ in 0..8 {
            let run = simulation.run().expect("the run so far");
            check_offers(&case, model(&loaded), &run, &simulation.current_state());
            looked_at += 1;
            if !simulation.random(&mut random).unwrap_or_else(|error| panic!("{case}: {error}")) {
                break;
            }
        }
    }
    assert!(looked_at > 1000, "only {looked_at} situations");
}

#[test]
fn runs_are_kept_by_saving_and_loading() {
    for (case, loaded) in networks() {
        let Ok(mut simulation) = Simulation::new(&loaded) else { continue };
        let mut random = Random::from_seed(2);
        while simulation.position().0 < 10 && simulation.random(&mut random).expect("small numbers") {}
        let _ = simulation.wait(number("1/7"));
        let run = simulation.run().expect("the run so far");
        let saved = run_json(model(&loaded), &simulation.trace().expect("the run so far"), None).to_string();
        let read = read_runs(model(&loaded), saved.as_bytes())
            .unwrap_or_else(|error| panic!("{case}: {error}\n{saved}"));
        assert_eq!(read, [NamedRun { name: None, run: Ok(run.clone()), ending: None }], "{case}");
        let mut again = Simulation::new(&loaded).expect("an initial state");
        again.load(&run, None).unwrap_or_else(|error| panic!("{case}: {error}"));
        assert_eq!(again.run().expect("the run so far"), run, "{case}");
        assert_eq!(again.current_state().state, simulation.current_state().state, "{case}");
    }
}

/// A run of single states can be followed in zones; and back, with other delays, it comes to the same locations.
#[test]
fn zones_and_single_states_go_together() {
    let mut followed = 0;
    for (case, loaded) in networks() {
        let Ok(mut simulation) = Simulation::new(&loaded) else { continue };
        let mut random = Random::from_seed(3);
        while simulation.position().0 < 8 && simulation.random(&mut random).expect("small numbers") {}
        let before = simulation.current_state();
        simulation.set_mode(Mode::Symbolic).unwrap_or_else(|error| panic!("{case}: {error}"));
        let inside = simulation.current_state();
        assert_eq!(
            (&inside.state.locations, &inside.state.variables),
            (&before.state.locations, &before.state.variables)
        );
        if before.stuck.is_none() && before.failures.is_empty() {
            assert!(!inside.choices.is_empty(), "{case}: a step was possible in a single state");
        }
        simulation.set_mode(Mode::Concrete).unwrap_or_else(|error| panic!("{case}: {error}"));
        let after = simulation.current_state();
        assert_eq!(
            (&after.state.locations, &after.state.variables),
            (&before.state.locations, &before.state.variables)
        );
        followed += 1;
    }
    assert!(followed > 300, "only {followed} runs");
}

/// Zones are exact: whatever is walked through in them can be done with some delays.
#[test]
fn walks_in_zones_have_delays() {
    let mut walked = 0;
    for (case, loaded) in networks() {
        let Ok(mut simulation) = Simulation::new(&loaded) else { continue };
        simulation.set_mode(Mode::Symbolic).unwrap_or_else(|error| panic!("{case}: {error}"));
        let mut random = Random::from_seed(4);
        while simulation.position().0 < 8 && simulation.random(&mut random).expect("no delays yet") {}
        let (steps, inside) = (simulation.position().0, simulation.current_state());
        if let Err(error) = simulation.set_mode(Mode::Concrete) {
            // The second evaluator looks at steps that others come before, and these may go wrong.
            assert!(error.why.contains("fails"), "{case}: {error}");
            continue;
        }
        let outside = simulation.current_state();
        assert_eq!(
            (&outside.state.locations, &outside.state.variables),
            (&inside.state.locations, &inside.state.variables)
        );
        walked += steps;
    }
    assert!(walked > 1000, "only {walked} steps");
}

#[test]
fn examples_are_simulated_in_both_ways() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("the examples") {
        let path = entry.expect("a readable folder").path();
        let name = path.display().to_string();
        if !["xml", "tck"].iter().any(|ending| name.ends_with(ending)) {
            continue;
        }
        let loaded = load(&name, &std::fs::read(&path).expect("an example"));
        for mode in [Mode::Concrete, Mode::Symbolic] {
            let mut simulation = Simulation::new(&loaded).expect("an initial state");
            simulation.set_mode(mode).expect("zones hold the examples");
            let mut random = Random::from_seed(7);
            while simulation.position().0 < 200 && simulation.random(&mut random).expect("small numbers") {}
            let (steps, _) = simulation.position();
            assert!(steps == 200 || simulation.current_state().stuck.is_some(), "{name}: {steps} steps");
            let run = simulation.run().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(replay(model(&loaded), &run).expect("a legal run").len(), 2 * steps + 2, "{name}");
        }
        seen += 1;
    }
    assert!(seen >= 10, "only {seen} examples");
}

const LAMP: &str = "clock x; int n; process Lamp() { state Off, On { x <= 5 }, Broken; init Off; trans
    Off -> On { select i : int[1,3]; assign x = 0, n = i; }, On -> Off { guard x > 2; assign n = 0; },
    On -> Broken { guard x == 5; }; } system Lamp;";

#[test]
fn steps_are_taken_when_they_are_asked_for() {
    let loaded = loaded(LAMP);
    let mut simulation = Simulation::new(&loaded).expect("an initial state");
    simulation.step(1, When::At(number("7"))).expect("it can wait");
    let last = simulation.last().expect("a step");
    assert_eq!((last.delay, last.edges[0].selects.clone()), (Some(number("7")), vec![("i".to_owned(), 2)]));
    assert_eq!(last.changed, [("n".into(), 2)]);
    let refused = simulation.step(0, When::After(number("2"))).expect_err("too early");
    assert_eq!(refused.why, "the step cannot be taken after a delay of 2; possible delays are (2, 5]");
    assert_eq!(
        simulation.step(2, When::Earliest).expect_err("two").why,
        "there is no step 3; steps are numbered 1 to 2"
    );
    simulation.wait(number("3/2")).expect("time passes");
    let refused = simulation.wait(number("4")).expect_err("the invariant");
    assert_eq!(refused.why, "the invariant of Lamp.On does not hold; a delay in [0, 7/2] is possible");
    assert!(simulation.wait(number("-1")).is_err());
    simulation.step(0, When::Earliest).expect("it can be taken");
    assert_eq!(simulation.current_state().time, Some(number("10")));
    let run = simulation.run().expect("the run");
    let delays: Vec<String> = run.steps.iter().map(|step| step.delay.to_string()).collect();
    assert_eq!(delays, ["7", "3"]);
}

#[test]
fn moves_are_undone_and_done_again() {
    let loaded = loaded(LAMP);
    let mut simulation = Simulation::new(&loaded).expect("an initial state");
    let start = simulation.current_state();
    simulation.step(0, When::Earliest).expect("a step");
    simulation.wait(number("4")).expect("time passes");
    let there = simulation.current_state();
    simulation.goto(0).expect("back");
    assert_eq!(simulation.current_state().state, start.state);
    assert_eq!(simulation.position(), (0, 2));
    simulation.goto(2).expect("forward");
    assert_eq!(simulation.current_state(), there);
    assert!(simulation.goto(3).is_err());
    simulation.goto(1).expect("back");
    simulation.step(0, When::Earliest).expect("another step");
    assert_eq!(simulation.position(), (2, 2));
    simulation.restart();
    assert_eq!(simulation.current_state(), start);
}

#[test]
fn a_deadlock_and_a_time_lock_are_told_apart() {
    let loaded = loaded(LAMP);
    let mut simulation = Simulation::new(&loaded).expect("an initial state");
    simulation.step(0, When::Earliest).expect("a step");
    simulation.step(1, When::Earliest).expect("it breaks");
    assert_eq!(simulation.current_state().stuck, Some(DeadlockKind::Deadlock));
    let stops = self::loaded(
        "clock x; process P() { state A { x < 3 }; init A; trans A -> A { guard x > 3; }; } system P;",
    );
    let simulation = Simulation::new(&stops).expect("an initial state");
    assert_eq!(simulation.current_state().stuck, Some(DeadlockKind::Timelock));
    assert_eq!(simulation.current_state().patience.map(|it| it.to_string()).as_deref(), Some("[0, 3)"));
}

#[test]
fn zones_are_told_as_constraints() {
    let loaded = loaded(LAMP);
    let mut simulation = Simulation::new(&loaded).expect("an initial state");
    simulation.set_mode(Mode::Symbolic).expect("zones");
    simulation.step(2, When::Earliest).expect("a step");
    let situation = simulation.current_state();
    assert_eq!(situation.zone.as_deref(), Some("x<=5"));
    let zones: Vec<Option<&str>> = situation.choices.iter().map(|choice| choice.zone.as_deref()).collect();
    assert_eq!(zones, [Some("x>2, x<=5"), Some("x=5")]);
    assert!(simulation.wait(number("1")).is_err());
    simulation.step(1, When::Earliest).expect("a step");
    assert_eq!(simulation.current_state().stuck, Some(DeadlockKind::Deadlock));
    simulation.set_mode(Mode::Concrete).expect("delays");
    assert_eq!(simulation.current_state().time, Some(number("5")));
}

/// The same edges in another order are another step: their updates do not commute.
#[test]
fn the_order_of_edges_is_kept_between_zones_and_single_states() {
    let text = "system:order\nevent:a\nevent:b\nint:1:0:9:0:n\nprocess:P\nlocation:P:l{initial:}\nedge:P:l:l:a{do:n=n+1}\n\
        process:Q\nlocation:Q:m{initial:}\nedge:Q:m:m:b{do:n=n*2}\nsync:Q@b:P@a\nsync:P@a:Q@b\n";
    let loaded = load("order.tck", text.as_bytes());
    for (first, value) in [("P", 2), ("Q", 1)] {
        let mut simulation = Simulation::new(&loaded).expect("an initial state");
        simulation.set_mode(Mode::Symbolic).expect("zones");
        let choices = simulation.current_state().choices;
        let choice =
            choices.iter().position(|choice| &*choice.edges[0].process == first).expect("both orders");
        simulation.step(choice, When::Earliest).expect("a step");
        simulation.set_mode(Mode::Concrete).expect("delays");
        assert_eq!(simulation.current_state().state.variables, [("n".into(), value)]);
    }
}

/// A model that goes wrong at run time is simulated up to there, and the other steps can still be taken.
#[test]
fn what_goes_wrong_is_told() {
    let loaded = loaded(
        "int[0,1] n; clock x; process P() { state A; init A; trans A -> A { assign n = n + 1; }, A -> A { guard n > 9; }; } \
         system P;",
    );
    for mode in [Mode::Concrete, Mode::Symbolic] {
        let mut simulation = Simulation::new(&loaded).expect("an initial state");
        simulation.set_mode(mode).expect("zones");
        simulation.step(0, When::Earliest).expect("once");
        let situation = simulation.current_state();
        let [failing] = &situation.failures[..] else { panic!("{mode:?}: {:?}", situation.failures) };
        let told = failing.to_string();
        assert!(told.starts_with("P: A -> A fails here: ") && told.ends_with(" (m.xta:1:75)"), "{told}");
        assert_eq!(situation.stuck, None);
        assert!(!simulation.random(&mut Random::from_seed(1)).expect("nothing to take"));
    }
}

#[test]
fn without_an_initial_state_there_is_nothing_to_simulate() {
    let loaded = loaded("clock x; process P() { state A { x > 3 }; init A; } system P;");
    let Err(CheckError::Model(diagnostics)) = Simulation::new(&loaded) else { panic!("it has none") };
    assert_eq!(diagnostics.as_slice()[0].code.name(), "R0011");
}

/// Edges are found by what they look like where others were added before them.
#[test]
fn saved_runs_survive_changes_elsewhere() {
    let before = loaded(LAMP);
    let mut simulation = Simulation::new(&before).expect("an initial state");
    simulation.step(0, When::Earliest).expect("a step");
    simulation.step(1, When::Earliest).expect("it breaks");
    let saved = run_json(model(&before), &simulation.trace().expect("the run"), None).to_string();
    let changed = LAMP
        .replace("clock x;", "clock x; int other; process Other() { state A; init A; }")
        .replace("trans\n", "trans Off -> Broken { assign other = 1; },\n")
        .replace("system Lamp", "system Other, Lamp");
    let after = loaded(&changed);
    let read = read_runs(model(&after), saved.as_bytes()).expect("it fits");
    let run = read[0].run.as_ref().expect("a run");
    let edges: Vec<usize> = run.steps.iter().map(|step| step.action[0].edge).collect();
    assert_eq!(edges, [1, 3]);
    assert!(replay(model(&after), run).is_ok());
}

#[test]
fn files_that_are_no_runs_are_told_with_the_place() {
    let loaded = loaded(LAMP);
    let edge = r#"{"process": "Lamp", "edge": 1, "source": "On", "target": "Off", "selects": {}}"#;
    let run = |steps: &str, last: &str| {
        format!(r#"{{"schema": "tourbillon-run/1", "steps": [{steps}], "last_delay": {last}}}"#)
    };
    let step = |delay: &str, edge: &str| format!(r#"{{"delay": {delay}, "edges": [{edge}]}}"#);
    for (text, place) in [
        ("{".to_owned(), "line 1, column 1"),
        (r#"{"steps": []}"#.to_owned(), "at the top"),
        (r#"{"schema": "tourbillon-run/9"}"#.to_owned(), "schema"),
        (r#"{"schema": "tourbillon-run/1"}"#.to_owned(), "steps"),
        (r#"{"schema": "tourbillon-check/1", "results": []}"#.to_owned(), "results"),
        (run("", "3"), "last_delay"),
        (run("", "\"much\""), "last_delay"),
        (run(&step("\"1\"", &edge.replace("Lamp", "Lump")), "\"0\""), "steps[0].edges[0].process"),
        (run(&step("\"1\"", &edge.replace("\"Off\"", "\"Of\"")), "\"0\""), "steps[0].edges[0]"),
        (run(&step("\"1\"", r#"{"process": "Lamp"}"#), "\"0\""), "steps[0].edges[0].source"),
        (
            run(
                &step(
                    "\"1\"",
                    r#"{"process": "Lamp", "edge": 0, "source": "Off", "target": "On", "selects": {"j": 1}}"#,
                ),
                "\"0\"",
            ),
            "steps[0].edges[0].selects",
        ),
        ("\u{1}".to_owned(), "line 1, column 1"),
    ] {
        let error = read_runs(model(&loaded), text.as_bytes()).expect_err(&text);
        assert_eq!(error.place, place, "{text}: {error}");
    }
    assert_eq!(read_runs(model(&loaded), b"{\xff}").expect_err("no text").place, "byte 2");
    // What is not known is passed over, and a run that cannot happen is one all the same.
    let read = read_runs(model(&loaded), run(&step("\"1/2\"", edge), "\"0\"").as_bytes()).expect("a run");
    let step = RunStep { delay: number("1/2"), action: vec![Fired { edge: 1, ..fired_of(&loaded) }] };
    assert_eq!(read[0].run, Ok(Run { steps: vec![step], last_delay: Rational::ZERO }));
    let mut simulation = Simulation::new(&loaded).expect("an initial state");
    let error = simulation.load(read[0].run.as_ref().expect("a run"), None).expect_err("it is not legal");
    assert_eq!(error.why, "at step 1: Lamp is not where edge 1 of Lamp (On -> Off) starts");
}

/// No text makes the reader panic: every beginning of a saved run, and the run with any one character changed.
#[test]
fn damaged_runs_are_errors_or_runs() {
    let loaded = loaded(LAMP);
    let mut simulation = Simulation::new(&loaded).expect("an initial state");
    simulation.step(0, When::Earliest).expect("a step");
    simulation.step(1, When::Earliest).expect("it breaks");
    let saved =
        run_json(model(&loaded), &simulation.trace().expect("the run"), None).to_string().into_bytes();
    for end in 0..saved.len() {
        assert!(
            read_runs(model(&loaded), &saved[..end]).is_err(),
            "{}",
            String::from_utf8_lossy(&saved[..end])
        );
        for byte in *b"9\"x-[ " {
            let mut bytes = saved.clone();
            bytes[end] = byte;
            if let Ok(runs) = read_runs(model(&loaded), &bytes) {
                let run = runs[0].run.as_ref().expect("delays are given");
                assert_eq!(run.steps.len(), 2, "{}", String::from_utf8_lossy(&bytes));
            }
        }
    }
}

fn fired_of(loaded: &Loaded) -> Fired {
    let process = model(loaded).processes.ids().next().expect("a process");
    Fired { process, edge: 0, selects: Vec::new() }
}
