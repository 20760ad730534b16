//! Where simulations are.

use std::collections::HashMap;

use tourbillon::{Choice, Delays, Failing, Impossible, Mode, Rational, Simulation, Situation, Stuck, TakenEdge};

use super::number;
use crate::api::{self, Changed, Network, SimulationChoice, SimulationView, Trace, TraceStep};
use crate::models::Kept;

/// Where a simulation is.
pub(crate) fn view(
    id: u32,
    kept: &Kept,
    simulation: &Simulation<'_>,
    picture: Option<[u32; 2]>,
    refused: Option<String>,
) -> SimulationView {
    let index = Index::new(kept);
    let situation = simulation.situation();
    let last = simulation.last();
    let edges = last.as_ref().map_or(&[][..], |last| &last.edges);
    SimulationView {
        id,
        mode: situation.mode.word().to_owned(),
        position: situation.step as u32,
        length: situation.steps as u32,
        time: situation.time.map(number),
        locations: index.locations(&situation),
        variables: situation.state.variables.iter().map(|(_, value)| *value).collect(),
        clocks: situation.state.clocks.iter().map(|(_, value)| number(*value)).collect(),
        zone: constraints(situation.zone.as_deref()),
        changed: index.changed(edges, last.as_ref().map_or(&[][..], |last| &last.changed)),
        last: last.as_ref().map_or_else(String::new, |last| words(&last.edges, last.delay)),
        choices: situation.choices.iter().map(|choice| index.choice(choice)).collect(),
        patience: situation.patience.as_ref().map(delays),
        stuck: situation.stuck.map_or("", Stuck::word).to_owned(),
        failures: situation.failures.iter().map(Failing::to_string).collect(),
        picture: None,
        refused,
    }
}

/// All of a simulation. It stays at the end.
pub(crate) fn trace(kept: &Kept, simulation: &mut Simulation<'_>) -> Result<Trace, Impossible> {
    let index = Index::new(kept);
    let (_, all) = simulation.position();
    simulation.goto(all)?;
    let timed = simulation.trace();
    let symbolic = simulation.mode() == Mode::Symbolic;
    simulation.goto(0)?;
    let start = simulation.situation();
    let mut steps = Vec::with_capacity(all);
    let mut time = Some(Rational::ZERO);
    let mut loop_at = None;
    let mut taken = 0;
    for position in 0..all {
        simulation.goto(position + 1)?;
        let Some(last) = simulation.last() else { break };
        let found = timed.as_ref().ok().filter(|_| symbolic).and_then(|timed| timed.steps.get(position));
        let delay = if symbolic { found.map(|step| step.delay) } else { last.delay };
        time = time.zip(delay).and_then(|(time, delay)| time.checked_add(delay));
        steps.push(index.step(&last.edges, &last.changed, delay, time));
        taken += usize::from(!last.edges.is_empty());
        if timed.as_ref().is_ok_and(|timed| timed.loop_start() == Some(taken)) && loop_at.is_none() {
            loop_at = Some(position as u32 + 1);
        }
    }
    let from_start = timed.as_ref().is_ok_and(|timed| timed.loop_start() == Some(0));
    Ok(Trace {
        locations: index.locations(&start),
        variables: start.state.variables.iter().map(|(_, value)| *value).collect(),
        steps,
        repeats_from: if from_start { Some(0) } else { loop_at },
        untimed: timed.err().filter(|_| symbolic).map(|impossible| impossible.why),
    })
}

/// What happens, in words: `appr[0]: Train(0) → Gate`, or `Gate: Free → Occ` if it is taken alone.
pub(crate) fn words(edges: &[TakenEdge], delay: Option<Rational>) -> String {
    match edges {
        [] => delay.map_or_else(String::new, |delay| format!("{delay} pass")),
        [alone] if alone.sync.is_none() => format!("{}: {} → {}", alone.process, alone.source, alone.target),
        [first, rest @ ..] => {
            let channel = first.sync.as_ref().map_or("", |sync| &sync.name);
            let others: Vec<&str> = rest.iter().map(|edge| &*edge.process).collect();
            let arrow = if others.is_empty() { "" } else { " → " };
            format!("{channel}: {}{arrow}{}", first.process, others.join(", "))
        }
    }
}

/// An interval.
fn delays(delays: &Delays) -> api::Delays {
    api::Delays {
        from: number(delays.from),
        from_included: delays.from_included,
        to: delays.to.map(number),
        to_included: delays.to_included,
    }
}

/// Numbers for names.
struct Index<'a> {
    network: Option<&'a Network>,
    processes: HashMap<&'a str, u32>,
    variables: HashMap<&'a str, u32>,
}

impl<'a> Index<'a> {
    fn new(kept: &'a Kept) -> Self {
        let network = kept.examined.network.as_ref();
        let processes = network.map_or(&[][..], |network| &network.processes);
        let variables = network.map_or(&[][..], |network| &network.variables);
        Self {
            network,
            processes: (0..).zip(processes).map(|(index, process)| (process.name.as_str(), index)).collect(),
            variables: (0..).zip(variables).map(|(index, name)| (name.as_str(), index)).collect(),
        }
    }

    fn locations(&self, situation: &Situation) -> Vec<u32> {
        let process = |(process, location): &(std::sync::Arc<str>, std::sync::Arc<str>)| {
            let process = &self.network?.processes[self.process(process) as usize];
            process.locations.iter().position(|known| known.name == **location).map(|index| index as u32)
        };
        situation.state.locations.iter().map(|at| process(at).unwrap_or(0)).collect()
    }

    fn process(&self, name: &str) -> u32 {
        self.processes.get(name).copied().unwrap_or(0)
    }

    fn changed(&self, edges: &[TakenEdge], set: &[(std::sync::Arc<str>, i32)]) -> Changed {
        Changed {
            processes: edges.iter().map(|edge| self.process(&edge.process)).collect(),
            edges: edges.iter().map(|edge| [self.process(&edge.process), edge.index as u32]).collect(),
            variables: set.iter().filter_map(|(name, _)| self.variables.get(&**name).copied()).collect(),
            clocks: Vec::new(),
        }
    }

    fn choice(&self, choice: &Choice) -> SimulationChoice {
        SimulationChoice {
            label: words(&choice.edges, None),
            edges: choice.edges.iter().map(|edge| self.edge(edge)).collect(),
            delays: choice.delays.iter().map(delays).collect(),
            zone: constraints(choice.zone.as_deref()),
        }
    }

    fn edge(&self, edge: &TakenEdge) -> api::TakenEdge {
        api::TakenEdge {
            process: self.process(&edge.process),
            edge: edge.index as u32,
            channel: edge.sync.as_ref().map_or_else(String::new, |sync| sync.name.clone()),
            direction: edge.sync.as_ref().map_or("", |sync| sync.direction.mark()).to_owned(),
            selects: edge.selects.iter().map(|(name, value)| format!("{name} = {value}")).collect(),
        }
    }

    fn step(
        &self,
        edges: &[TakenEdge],
        set: &[(std::sync::Arc<str>, i32)],
        delay: Option<Rational>,
        time: Option<Rational>,
    ) -> TraceStep {
        let target = |edge: &TakenEdge| {
            let process = self.process(&edge.process);
            let edge = self.network?.processes.get(process as usize)?.edges.get(edge.index)?;
            Some([process, edge.target])
        };
        let set = set.iter().filter_map(|(name, value)| {
            self.variables.get(&**name).map(|&index| [index.cast_signed(), *value])
        });
        TraceStep {
            delay: delay.map(number),
            time: time.map(number),
            label: words(edges, delay),
            edges: edges.iter().map(|edge| self.edge(edge)).collect(),
            moved: edges.iter().filter_map(target).collect(),
            set: set.collect(),
        }
    }
}

fn constraints(zone: Option<&str>) -> Vec<String> {
    zone.map_or_else(Vec::new, |zone| zone.split(", ").map(str::to_owned).collect())
}
