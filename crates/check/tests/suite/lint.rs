//! What `lint` says of random networks, against a look at every state by regions that shares nothing with it.
//!
//! The locations reached, the edges taken, and where the processes are at deadlocks and timelocks must be the same; so
//! must the steps that invariants forbid, of which the oracle knows the first invariant only. Loops are judged by their
//! structure, so of these only one direction can be wrong: steps that go round at one moment must be among
//! them.
//!
//! The number of networks of each shape is `TOURBILLON_NETWORKS` divided by 40 (default 75), the first seed
//! `TOURBILLON_SEED` (default 1).

use std::collections::BTreeSet;

use tourbillon_base::Rational;
use tourbillon_check::{
    BrokenOnEntry, Deadlock, Exploration, Job, Limits, LintFinding, LintResult, NeverTaken, Obstacle,
    PlanRequest, RoundSizes, Standstill, Why, lint,
};
use tourbillon_model::{LocationId, Model, ProcessId};
use tourbillon_replay::Semantics;
use tourbillon_testkit::networks::{Network, Shape};
use tourbillon_testkit::oracle::{self, Reached, Scrutiny};

use crate::from_environment;

/// How many states the oracle may store before a network is left out.
const STATES_MAX: usize = 5_000;

fn examined(model: &Model) -> LintResult {
    linted(model, &PlanRequest::default())
}

/// In rounds of a few nodes. What is found, and the counts, do not depend on the number of threads.
fn examined_in_rounds(model: &Model) -> Result<LintResult, String> {
    let [one, three] = [1, 3].map(|threads| {
        let sizes = RoundSizes { after: 3, width: 4, chunk: 1 };
        linted(
            model,
            &PlanRequest { threads: Some(threads), round_sizes: Some(sizes), ..PlanRequest::default() },
        )
    });
    let counts = |found: &LintResult| found.explorations.iter().map(|it| it.stats).collect::<Vec<_>>();
    if (&one.findings, counts(&one)) == (&three.findings, counts(&three)) {
        Ok(three)
    } else {
        Err(format!("one thread: {:?}\nthree threads: {:?}", one.findings, three.findings))
    }
}

pub(crate) fn linted(model: &Model, plan_request: &PlanRequest) -> LintResult {
    let job = Job { model, queries: None, plan_request, limits: Limits::default(), stop: None };
    lint(&job, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"))
}

/// What is wrong with what is said of a network; nothing if the oracle cannot tell. The kinds of what is said are added
/// to `kinds`.
fn complaint(network: &Network, kinds: &mut BTreeSet<&'static str>) -> Option<Option<String>> {
    let model = network.model().unwrap_or_else(|error| panic!("{error}"));
    match oracle::scrutinise(&model, STATES_MAX) {
        oracle::Answer::Reached(reached) => Some(compared(&model, &reached, kinds)),
        oracle::Answer::Error(_) => {
            let found = examined(&model);
            let failed = |it: &Exploration| matches!(it.why, Why::Failed(_));
            let met = found.explorations.iter().any(failed) && !found.unknown.is_empty();
            Some((!met).then(|| format!("the failure was not met, but {:?}", found.explorations)))
        }
        oracle::Answer::NoInitialState | oracle::Answer::TooLarge | oracle::Answer::Unsupported(_) => None,
    }
}

fn kind(finding: &LintFinding) -> &'static str {
    match finding {
        LintFinding::NeverReached(_) => "never reached",
        LintFinding::NeverTaken(it) => match it.why {
            Obstacle::Source => "source",
            Obstacle::Data => "data",
            Obstacle::Unclear => "unclear",
            Obstacle::Partner => "partner",
            Obstacle::Clocks => "clocks",
            Obstacle::Outranked => "outranked",
            Obstacle::NegativeClock => "negative clock",
            Obstacle::Invariant => "invariant",
        },
        LintFinding::BrokenOnEntry(it) if it.other.is_some() => "broken from outside",
        LintFinding::BrokenOnEntry(_) => "broken on entry",
        LintFinding::Deadlock(it) if it.standstill == Standstill::Rest => "rest",
        LintFinding::Deadlock(_) => "time-lock",
        LintFinding::ZenoLoop(_) => "loop",
        LintFinding::UnusedVariable(_) => "neglected",
        LintFinding::OneSided(_) => "one-sided",
        LintFinding::MayOverflow(_) => "may overflow",
    }
}

fn compared(model: &Model, reached: &Reached, kinds: &mut BTreeSet<&'static str>) -> Option<String> {
    let scrutiny = reached.scrutiny.as_ref().expect("it was wished");
    let found = examined(model);
    kinds.extend(found.findings.iter().map(kind));
    let in_rounds = || match examined_in_rounds(model) {
        Ok(found) => facts_differ(model, &found, reached),
        Err(differs) => Some(differs),
    };
    facts_differ(model, &found, reached).or_else(in_rounds).or_else(|| reports_agree(model, &found)).or_else(
        || {
            let loops = found.findings.iter().any(|finding| matches!(finding, LintFinding::ZenoLoop(_)));
            (scrutiny.has_instant_cycle && !loops).then(|| "steps go round at one moment".to_owned())
        },
    )
}

/// What the oracle has seen otherwise.
pub(crate) fn facts_differ(model: &Model, found: &LintResult, reached: &Reached) -> Option<String> {
    let scrutiny = reached.scrutiny.as_ref().expect("it was wished");
    if !found.unknown.is_empty() {
        return Some(format!("not complete: {:?}", found.unknown));
    }
    let places: BTreeSet<(ProcessId, LocationId)> = reached
        .discrete
        .iter()
        .flat_map(|state| model.processes.ids().zip(state.locations.iter().copied()))
        .collect();
    if found.reached != places {
        return Some(format!("reached {:?}, but {places:?}", found.reached));
    }
    if found.taken != scrutiny.taken {
        return Some(format!("taken {:?}, but {:?}", found.taken, scrutiny.taken));
    }
    standstills_differ(model, found, scrutiny).or_else(|| entries_differ(model, found, scrutiny))
}

/// What is told as never reached or taken must be what was not, and nothing of it be missing. Edges whose channel has
/// one side only are told with the channel.
fn reports_agree(model: &Model, found: &LintResult) -> Option<String> {
    let mut reached: BTreeSet<(ProcessId, LocationId)> = BTreeSet::new();
    let mut taken: BTreeSet<(ProcessId, usize)> = BTreeSet::new();
    for (id, process) in model.processes.enumerate() {
        reached.extend(process.locations.ids().map(|location| (id, location)));
        taken.extend((0..process.edges.len()).map(|edge| (id, edge)));
    }
    for finding in &found.findings {
        match finding {
            LintFinding::NeverReached(it) => {
                for &process in &it.instances.processes {
                    reached.remove(&(process, it.location));
                    taken.retain(|&(owner, edge)| owner != process || !it.edges.contains(&edge));
                }
            }
            LintFinding::NeverTaken(it) => {
                assert_ne!(it.why, Obstacle::Source);
                taken.retain(|(owner, edge)| *edge != it.edge || !it.instances.processes.contains(owner));
            }
            LintFinding::OneSided(it) => it.edges.iter().for_each(|edge| {
                if !found.taken.contains(edge) {
                    taken.remove(edge);
                }
            }),
            _ => {}
        }
    }
    (reached != found.reached || taken != found.taken)
        .then(|| format!("left after the report: {reached:?} {taken:?}, but {:?}", found.findings))
}

fn standstills_differ(model: &Model, found: &LintResult, scrutiny: &Scrutiny) -> Option<String> {
    for rests in [false, true] {
        let expected = scrutiny.standstills.iter().filter(|(_, waits)| *waits == rests).count();
        let told = found.findings.iter().find_map(|finding| match finding {
            LintFinding::Deadlock(it) if (it.standstill == Standstill::Rest) == rests => Some(it),
            _ => None,
        });
        if told.map_or(0, |it| it.combinations) != expected {
            return Some(format!("rests {rests}: {told:?}, but {:?}", scrutiny.standstills));
        }
        if let Some(it) = told
            && let Some(what) = wrong_run(model, it, scrutiny)
        {
            return Some(what);
        }
    }
    None
}

/// A standstill has a run, which ends where it says, and time does there what it says.
fn wrong_run(model: &Model, it: &Deadlock, scrutiny: &Scrutiny) -> Option<String> {
    let Some(witness) = &it.witness else { return Some(format!("no run to {it:?}")) };
    let end = &witness.last;
    let waits = Semantics::new(model).delay(end, Rational::from_integer(1000)).is_ok();
    let right = end.locations == it.locations
        && waits == (it.standstill == Standstill::Rest)
        && scrutiny.standstills.contains(&(end.locations.clone(), waits));
    (!right).then(|| format!("{it:?} ends elsewhere"))
}

fn entries_differ(model: &Model, found: &LintResult, scrutiny: &Scrutiny) -> Option<String> {
    let mut told: BTreeSet<(ProcessId, usize, ProcessId, LocationId)> = BTreeSet::new();
    for finding in &found.findings {
        let LintFinding::BrokenOnEntry(BrokenOnEntry { instances, edge, other }) = finding else { continue };
        for &process in &instances.processes {
            let own = (process, model.processes[process].edges[*edge].target);
            let (owner, location) = other.unwrap_or(own);
            told.insert((process, *edge, owner, location));
        }
    }
    let always = |process: ProcessId, number: usize| {
        found.findings.iter().any(|finding| {
            matches!(finding, LintFinding::NeverTaken(NeverTaken { instances, edge, why: Obstacle::Invariant })
                if *edge == number && instances.processes.contains(&process))
        })
    };
    for (edges, process, location) in &scrutiny.broken {
        let (blamed, edge) = edges.iter().find(|(moves, _)| moves == process).unwrap_or(&edges[0]);
        if !told.contains(&(*blamed, *edge, *process, *location)) && !always(*blamed, *edge) {
            return Some(format!("not told: {edges:?} breaks the invariant of {process:?} at {location:?}"));
        }
    }
    let broken = |process: ProcessId, edge: usize| {
        scrutiny.broken.iter().any(|(edges, ..)| edges.contains(&(process, edge)))
    };
    let wrong = told.iter().find(|(process, edge, ..)| !broken(*process, *edge))?;
    Some(format!("told, but never so: {wrong:?}"))
}

#[test]
fn what_is_said_of_random_networks_is_so() {
    let networks = from_environment("TOURBILLON_NETWORKS", 3_000).div_ceil(40);
    let first = from_environment("TOURBILLON_SEED", 1);
    let (mut judged, mut all, mut kinds) = (0, 0, BTreeSet::new());
    for (name, shape) in Shape::ALL {
        for seed in first..first + networks {
            let network = Network::random(seed, shape);
            all += 1;
            let Some(what) = complaint(&network, &mut kinds) else { continue };
            judged += 1;
            if what.is_some() {
                let small =
                    network.shrink(|smaller| complaint(smaller, &mut BTreeSet::new()).flatten().is_some());
                let what = complaint(&small, &mut kinds)
                    .flatten()
                    .expect("it was shrunk so that something stays wrong");
                panic!("{name}, seed {seed}:\n{}\n{}\n{what}", small.text(), small.query_text());
            }
        }
    }
    assert!(judged * 2 > all, "{judged} of {all} were judged");
    for expected in [
        "never reached",
        "data",
        "partner",
        "clocks",
        "outranked",
        "invariant",
        "broken on entry",
        "rest",
        "time-lock",
        "loop",
    ] {
        assert!(kinds.contains(expected), "never met: {expected}");
    }
}
