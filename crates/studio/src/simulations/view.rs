//! The state and the history of a simulation, as the interface has them.

use tourbillon::{
    Choice, DeadlockKind, Delays, FailingStep, HistoryMove, Rational, Simulation, TakenEdge, step_label,
};

use crate::api::{self, Changed, Number, SimulationChoice, SimulationView, Trace, TraceStep};

/// Where a simulation is, with the first variables and a picture of two clocks.
pub(crate) fn view(
    id: u32,
    simulation: &Simulation<'_>,
    variables_max: usize,
    picture: Option<[u32; 2]>,
    refused: Option<String>,
) -> SimulationView {
    let (current, last) = (simulation.current_state(), simulation.last());
    let state = &current.state;
    SimulationView {
        id,
        mode: current.mode.word().to_owned(),
        position: current.step as u32,
        length: current.steps as u32,
        time: current.time.map(Number::from),
        locations: state.location_indices.iter().map(|&location| location as u32).collect(),
        variables: state.variables.iter().take(variables_max).map(|(_, value)| *value).collect(),
        clocks: state.clocks.iter().map(|(_, value)| Number::from(*value)).collect(),
        zone: current.constraints.clone(),
        changed: last.as_ref().map(|last| changed(last, variables_max)).unwrap_or_default(),
        last: last.as_ref().map_or_else(String::new, |last| words(&last.edges, last.delay)),
        choices: current.choices.iter().map(choice).collect(),
        patience: current.patience.as_ref().map(delays),
        stuck: current.stuck.map_or("", DeadlockKind::word).to_owned(),
        failures: current.failures.iter().map(FailingStep::to_string).collect(),
        picture: picture.and_then(|clocks| drawn(simulation, clocks)),
        refused,
    }
}

/// All of a simulation, with the first variables.
pub(crate) fn trace(simulation: &Simulation<'_>, variables_max: usize) -> Trace {
    let history = simulation.history();
    Trace {
        locations: history.initial.location_indices.iter().map(|&location| location as u32).collect(),
        variables: history.initial.variables.iter().take(variables_max).map(|(_, value)| *value).collect(),
        steps: history.moves.iter().map(|taken| step(taken, variables_max)).collect(),
        repeats_from: history.repeats_from.map(|position| position as u32),
        untimed: history.untimed,
    }
}

fn step(taken: &HistoryMove, variables_max: usize) -> TraceStep {
    let set = taken.set.iter().filter(|&&(variable, _)| variable < variables_max);
    TraceStep {
        delay: taken.delay.map(Number::from),
        time: taken.time.map(Number::from),
        label: words(&taken.edges, taken.delay),
        edges: taken.edges.iter().map(edge).collect(),
        moved: taken.moved.iter().map(|&(process, location)| [process as u32, location as u32]).collect(),
        set: set.map(|&(variable, value)| [variable as i32, value]).collect(),
    }
}

/// What happens, in words; also if only time passes.
fn words(edges: &[TakenEdge], delay: Option<Rational>) -> String {
    match delay {
        Some(delay) if edges.is_empty() => format!("{delay} passes"),
        _ => step_label(edges),
    }
}

fn changed(last: &tourbillon::Move, variables_max: usize) -> Changed {
    let variables = last.changed_indices.iter().filter(|&&variable| variable < variables_max);
    Changed {
        processes: last.edges.iter().map(|edge| edge.process_index as u32).collect(),
        edges: last.edges.iter().map(|edge| [edge.process_index as u32, edge.index as u32]).collect(),
        variables: variables.map(|&variable| variable as u32).collect(),
        clocks: last.clocks_set.iter().map(|&clock| clock as u32).collect(),
    }
}

fn choice(choice: &Choice) -> SimulationChoice {
    SimulationChoice {
        label: step_label(&choice.edges),
        edges: choice.edges.iter().map(edge).collect(),
        delays: choice.delays.iter().map(delays).collect(),
        zone: choice.constraints.clone(),
    }
}

fn edge(edge: &TakenEdge) -> api::TakenEdge {
    let sync = edge.sync.as_ref();
    api::TakenEdge {
        process: edge.process_index as u32,
        edge: edge.index as u32,
        channel: sync.map_or_else(String::new, |sync| sync.name.clone()),
        direction: sync.map_or("", |sync| sync.direction.mark()).to_owned(),
        selects: edge.selects.iter().map(|(name, value)| format!("{name} = {value}")).collect(),
    }
}

fn delays(delays: &Delays) -> api::Delays {
    api::Delays {
        from: delays.from.into(),
        from_included: delays.from_included,
        to: delays.to.map(Number::from),
        to_included: delays.to_included,
    }
}

fn drawn(simulation: &Simulation<'_>, [x, y]: [u32; 2]) -> Option<api::Picture> {
    let picture = simulation.picture(x as usize, y as usize)?;
    Some(api::Picture {
        x,
        y,
        zone: picture.zone,
        point: picture.point.map(|point| point.map(Number::from)),
        running: picture.running,
        choices: picture.choices,
    })
}
