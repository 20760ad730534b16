//! Random walks in rational time: they stay within what the oracle says can be reached, replaying them gives the
//! same states, and actions are accepted if and only if they are listed.

use tourbillon_base::{Id, Random, Rational};
use tourbillon_model::{Model, Query, QueryKind};
use tourbillon_replay::{ConcreteState, Fired, Run, RunStep, Semantics, Violation, replay};
use tourbillon_testkit::networks::{Network, Shape};
use tourbillon_testkit::oracle::{Answer, Discrete, Reached, by_regions};

/// A walk, and all states it passes, as long as nothing goes wrong.
fn walk(model: &Model, random: &mut Random) -> Option<(Run, Vec<ConcreteState>)> {
    let semantics = Semantics::new(model);
    let mut states = vec![semantics.initial().ok()?];
    let mut steps = Vec::new();
    for _ in 0..12 {
        let here = states[states.len() - 1].clone();
        let delay = Rational::new(random.below(9) as i64, 1 + random.below(4) as i64)?;
        let (delay, waited) = match semantics.delay(&here, delay) {
            Ok(later) => (delay, later),
            Err(_) => (Rational::ZERO, here),
        };
        let actions = semantics.actions(&waited).ok()?;
        let Some(action) = random.pick(&actions) else { break };
        let after = semantics.act(&waited, action).expect("a listed action is legal");
        steps.push(RunStep { delay, action: action.clone() });
        states.extend([waited, after]);
    }
    states.push(states[states.len() - 1].clone());
    Some((Run { steps, last_delay: Rational::ZERO }, states))
}

fn within(model: &Model, state: &ConcreteState, reached: &Reached) -> bool {
    let semantics = Semantics::new(model);
    let discrete = Discrete { locations: state.locations.clone(), cells: state.cells.clone() };
    // Whether a state is deadlocked is nothing that the semantics says of it.
    let is_asked = |query: &Query| !query.text.contains("deadlock");
    let asked = model.queries.iter().zip(&reached.verdicts).filter(|(query, _)| is_asked(query)).all(
        |(query, &verdict)| match query.kind {
            QueryKind::Possibly(p) => {
                verdict == Some(true) || semantics.holds(p, query.frame, state) == Ok(false)
            }
            QueryKind::Invariantly(p) => {
                verdict == Some(false) || semantics.holds(p, query.frame, state) == Ok(true)
            }
            _ => true,
        },
    );
    asked && reached.discrete.contains(&discrete)
}

#[test]
fn walks_stay_within_what_can_be_reached() {
    let mut checked = 0;
    for (name, shape) in Shape::ALL {
        for seed in 0..60 {
            let model = Network::random(seed, shape).model().expect("a model");
            let Answer::Reached(reached) = by_regions(&model, 5_000) else { continue };
            let mut random = Random::from_seed(seed);
            for _ in 0..10 {
                let (run, states) =
                    walk(&model, &mut random).expect("nothing goes wrong where no error was found");
                assert_eq!(replay(&model, &run), Ok(states.clone()), "shape {name}, seed {seed}");
                let outside = states.iter().find(|state| !within(&model, state, &reached));
                assert_eq!(outside, None, "shape {name}, seed {seed}\n{}", Network::random(seed, shape));
                checked += states.len();
            }
        }
    }
    assert!(checked > 10_000, "{checked} states checked");
}

/// Any edges of any processes, in any order: up to three.
fn any_action(model: &Model, random: &mut Random) -> Vec<Fired> {
    let mut processes: Vec<_> = model.processes.ids().collect();
    random.shuffle(&mut processes);
    processes.truncate(1 + random.below(processes.len()));
    let fired = |process| {
        let edges = &model.processes[process].edges;
        let edge = random.below(edges.len());
        let selects = edges[edge].selects.iter().map(|_| random.within(0..=1)).collect();
        Fired { process, edge, selects }
    };
    processes.into_iter().map(fired).collect()
}

#[test]
fn an_action_is_accepted_if_and_only_if_it_is_listed() {
    let (mut accepted, mut refused) = (0, 0);
    for (name, shape) in Shape::ALL {
        for seed in 0..150 {
            let model = Network::random(seed, shape).model().expect("a model");
            let mut random = Random::from_seed(seed);
            let Some((_, states)) = walk(&model, &mut random) else { continue };
            let semantics = Semantics::new(&model);
            for state in &states {
                let Ok(listed) = semantics.actions(state) else { continue };
                for _ in 0..10 {
                    let action = any_action(&model, &mut random);
                    let legal = semantics.act(state, &action);
                    let told = matches!(legal, Err(Violation::Error(_)));
                    assert!(!told, "shape {name}, seed {seed}: {legal:?}");
                    assert_eq!(
                        legal.is_ok(),
                        listed.contains(&action),
                        "shape {name}, seed {seed}: {legal:?}"
                    );
                    *(if legal.is_ok() { &mut accepted } else { &mut refused }) += 1;
                }
            }
        }
    }
    assert!(accepted > 1000 && refused > 1000, "{accepted} accepted, {refused} refused");
}

#[test]
fn time_can_be_split() {
    for (name, shape) in Shape::ALL {
        for seed in 0..100 {
            let model = Network::random(seed, shape).model().expect("a model");
            let mut random = Random::from_seed(seed);
            let Some((_, states)) = walk(&model, &mut random) else { continue };
            let semantics = Semantics::new(&model);
            for state in &states {
                let part =
                    |random: &mut Random| Rational::new(1 + random.below(6) as i64, 3).expect("a third");
                let (one, two) = (part(&mut random), part(&mut random));
                let whole = semantics.delay(state, one.checked_add(two).expect("a small number"));
                let split = semantics.delay(state, one).and_then(|state| semantics.delay(&state, two));
                assert_eq!(
                    whole.ok(),
                    split.ok(),
                    "shape {name}, seed {seed}: {:?}",
                    state.locations[0].index()
                );
            }
        }
    }
}
