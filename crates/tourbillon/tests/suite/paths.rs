//! Paths, histories and pictures of simulations.

use std::path::Path;

use tourbillon::{Loaded, Mode, Random, Shape, ShapeBound, Simulation, When, load};

fn example(name: &str) -> Loaded {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    load(name, &std::fs::read(path).expect("an example"))
}

const EXAMPLES: [&str; 5] = ["train-gate.xml", "fischer.xml", "bridge.xml", "speed-trap.xml", "fischer.tck"];

#[test]
fn a_path_leads_to_the_same_place() {
    for (name, seed) in EXAMPLES.into_iter().zip(1..) {
        let loaded = example(name);
        for mode in [Mode::Concrete, Mode::Symbolic] {
            let mut simulation = Simulation::new(&loaded).expect("a model");
            simulation.set_mode(mode).expect("both are possible");
            let mut random = Random::from_seed(seed);
            for _ in 0..30 {
                simulation.random(&mut random).expect("numbers fit");
            }
            simulation.goto(20).expect("there are more");
            let path = simulation.path().expect("nothing goes wrong");
            let mut other = Simulation::new(&loaded).expect("a model");
            other.set_mode(mode).expect("both are possible");
            other.follow_path(&path).unwrap_or_else(|why| panic!("{name}, seed {seed}, {path}: {why}"));
            let (mut there, here) = (other.current_state(), simulation.current_state());
            there.steps = here.steps;
            assert_eq!(there, here, "{name}, seed {seed}, {path}");
            let moves = other.history().moves;
            assert_eq!(moves[..], simulation.history().moves[..20], "{name}, seed {seed}");
        }
    }
}

#[test]
fn a_history_adds_up_to_where_a_simulation_is() {
    for (name, seed) in EXAMPLES.into_iter().zip(7..) {
        let loaded = example(name);
        for mode in [Mode::Concrete, Mode::Symbolic] {
            let mut simulation = Simulation::new(&loaded).expect("a model");
            simulation.set_mode(mode).expect("both are possible");
            let mut random = Random::from_seed(seed);
            for _ in 0..40 {
                simulation.random(&mut random).expect("numbers fit");
            }
            let history = simulation.history();
            assert_eq!(history.moves.len(), 40, "{name}, seed {seed}");
            assert_eq!(history.untimed, None, "{name}, seed {seed}");
            let mut locations = history.initial.location_indices.clone();
            let mut variables: Vec<i32> = history.initial.variables.iter().map(|&(_, value)| value).collect();
            for (index, told) in history.moves.iter().enumerate() {
                told.moved.iter().for_each(|&(process, location)| locations[process] = location);
                told.set.iter().for_each(|&(variable, value)| variables[variable] = value);
                assert!(told.time.is_some());
                simulation.goto(index + 1).expect("there are more");
                let state = simulation.current_state().state;
                assert_eq!(state.location_indices, locations, "{name}, seed {seed}, move {index}");
                let there: Vec<i32> = state.variables.iter().map(|&(_, value)| value).collect();
                assert_eq!(there, variables, "{name}, seed {seed}, move {index}");
                let last = simulation.last().expect("a move");
                let changed: Vec<usize> = told.set.iter().map(|&(variable, _)| variable).collect();
                assert_eq!(last.changed_indices, changed, "{name}, seed {seed}, move {index}");
            }
        }
    }
}

#[test]
fn clocks_that_were_set_are_told() {
    let text = "clock x, y, a[3]; int i = 1; void all() { a[i] = 0; a[2] = 3; }
        process P() { state A, B; init A; trans A -> B { assign x = 0, i = 0, all(); }, B -> A { guard x > 1; }; } system P;";
    let loaded = load("p.xta", text.as_bytes());
    for mode in [Mode::Concrete, Mode::Symbolic] {
        let mut simulation = Simulation::new(&loaded).expect("a model");
        simulation.set_mode(mode).expect("both are possible");
        simulation.step(0, When::Earliest).expect("a step");
        let last = simulation.last().expect("a move");
        assert_eq!((last.clocks_set, last.changed_indices), (vec![0, 2, 4], vec![0]));
        simulation.step(0, When::Earliest).expect("a step");
        assert_eq!(simulation.last().expect("a move").clocks_set, Vec::<usize>::new());
    }
}

#[test]
fn a_picture_shows_where_a_step_can_be_taken() {
    let text = "clock x, y; process P() { state A { x <= 5 }; init A;
        trans A -> A { guard x > 2; assign x = 0; }, A -> A { guard y >= 7; }; } system P;";
    let loaded = load("p.xta", text.as_bytes());
    let mut simulation = Simulation::new(&loaded).expect("a model");
    assert_eq!(simulation.picture(0, 2), None);
    let here = simulation.picture(0, 1).expect("two clocks");
    assert!(
        here.point.is_some_and(|[x, y]| x.to_string() == "0" && y.to_string() == "0") && here.zone.is_none()
    );
    simulation.set_mode(Mode::Symbolic).expect("it is possible");
    simulation.step(0, When::Earliest).expect("a step");
    let bound = |at, strict| ShapeBound { at, strict };
    let picture = simulation.picture(0, 1).expect("two clocks");
    let zone = Shape {
        x_low: bound(0, false),
        x_high: Some(bound(5, false)),
        y_low: bound(2, true),
        y_high: Some(bound(10, false)),
        difference_low: Some(bound(-5, false)),
        difference_high: Some(bound(-2, true)),
    };
    assert_eq!(picture.zone, Some(zone));
    let first = Shape { x_low: bound(2, true), y_low: bound(4, true), ..zone };
    let second = Shape { x_low: bound(2, false), y_low: bound(7, false), ..zone };
    assert_eq!(picture.choices, [[first], [second]]);
    let situation = simulation.current_state();
    assert_eq!(situation.zone, Some(situation.constraints.join(", ")));
}

#[test]
fn where_a_step_can_be_taken_is_exact() {
    let text = "clock x, y; process P() { state A, B { x <= 4 && y <= 1 }, C { x <= 3 && y < 2 }; init A;
        trans A -> B { guard x > 2; assign y = 0; }, A -> C { assign x = y + 1, y = 0; }; } system P;";
    let loaded = load("p.xta", text.as_bytes());
    let mut simulation = Simulation::new(&loaded).expect("a model");
    simulation.set_mode(Mode::Symbolic).expect("it is possible");
    let situation = simulation.current_state();
    let zones: Vec<_> = situation.choices.iter().map(|choice| choice.constraints.join(", ")).collect();
    // The first can be taken until the invariant of B forbids x > 4; the second while y + 1 <= 3.
    assert_eq!(zones, ["x>2, x<=4, y-x=0", "x<=2, y-x=0"]);
}

#[test]
fn a_picture_of_a_single_state_tells_which_clocks_run() {
    let text = "clock x, y; process P() { state A { x' == 0 }, B; init A; trans A -> B { }; } system P;";
    let loaded = load("p.xta", text.as_bytes());
    let mut simulation = Simulation::new(&loaded).expect("a model");
    let running = |simulation: &Simulation<'_>| simulation.picture(0, 1).expect("two clocks").running;
    assert_eq!(running(&simulation), Some([false, true]));
    simulation.step(0, When::Earliest).expect("a step");
    assert_eq!(running(&simulation), Some([true, true]));
}

#[test]
fn a_path_of_another_model_is_refused_with_its_place() {
    let loaded = example("train-gate.xml");
    let mut simulation = Simulation::new(&loaded).expect("a model");
    let refused = simulation.follow_path("0_99").expect_err("no such step");
    assert!(refused.why.starts_with("at move 2 of the path: there is no step"), "{refused}");
    assert_eq!(simulation.position().0, 1);
}

#[test]
fn long_runs_in_zones_are_walked_step_by_step() {
    let loaded = example("fischer.xml");
    let mut simulation = Simulation::new(&loaded).expect("a model");
    simulation.set_mode(Mode::Symbolic).expect("it is possible");
    let mut random = Random::from_seed(5);
    for _ in 0..5000 {
        assert!(simulation.random(&mut random).expect("zones have no numbers to run out of"));
    }
    let end = simulation.current_state();
    simulation.goto(2500).expect("there are more");
    simulation.goto(5000).expect("there are more");
    assert_eq!(simulation.current_state(), end);
    assert_eq!(simulation.path().expect("numbers are known").split('_').count(), 5000);
}
