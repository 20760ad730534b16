//! Run-time errors of the model as diagnostics.
//!
//! Properties that share a search share its errors: each is reported once.

use tourbillon_base::{Diagnostic, Diagnostics};
use tourbillon_check::{Answer, RuntimeError, Why, broken_at_start};
use tourbillon_model::{Action, ChannelKind, ChannelPlace, EvalErrorKind, Model};

use crate::codes;

/// Adds the diagnostics that an answer gives rise to.
pub(crate) fn report_run_time_errors(model: &Model, answer: &Answer, diagnostics: &mut Diagnostics) {
    match &answer.why {
        Why::Complete if answer.stats.stored == 0 => report_no_initial_state(model, diagnostics),
        Why::Failed(error) => report_failure(model, error, answer.witness.is_some(), diagnostics),
        Why::MayFail(error) => report_possible_failure(model, error, diagnostics),
        Why::TooMany(error) => report_too_many(model, error, diagnostics),
        _ => {}
    }
}

/// Without an initial state every verdict is vacuous, which is never intended.
pub(crate) fn report_no_initial_state(model: &Model, diagnostics: &mut Diagnostics) {
    let Some((process, location)) = broken_at_start(model) else { return };
    let process = &model.processes[process];
    let location = &process.locations[location];
    let message = format!(
        "`{}` starts in `{}`, whose invariant does not hold initially: the model has no reachable state",
        process.name, location.name
    );
    push_once(Diagnostic::warning(codes::NO_INITIAL_STATE, location.span, message), diagnostics);
}

pub(crate) fn report_failure(
    model: &Model,
    error: &RuntimeError,
    has_run: bool,
    diagnostics: &mut Diagnostics,
) {
    let message = format!("the model fails here at run time: {}", error.kind.explain(model));
    let mut failure = Diagnostic::error(codes::run_time(error.kind), error.span, message);
    if let EvalErrorKind::NegativeClock { source: Some(source), value, .. } = error.kind {
        let (name, least) = (&model.clocks[source].name, i64::from(value).abs());
        failure = failure.help(format!("guard the edge with `{name} >= {least}`"));
    }
    if has_run {
        failure = failure.help("the report has a run that leads there");
    }
    if let Some(remedy) = codes::remedy(error.kind) {
        failure = failure.help(remedy);
    }
    push_once(failure, diagnostics);
}

/// An error that only an over-approximation reaches is a warning until a run confirms it.
pub(crate) fn report_possible_failure(model: &Model, error: &RuntimeError, diagnostics: &mut Diagnostics) {
    let message = format!("the model may fail here at run time: {}", error.kind.explain(model));
    let mut doubt = Diagnostic::warning(codes::run_time(error.kind), error.span, message)
        .help("stopwatches are over-approximated, so this is not certain");
    if let Some(remedy) = codes::remedy(error.kind) {
        doubt = doubt.help(remedy);
    }
    push_once(doubt, diagnostics);
}

/// A search that cannot be completed is not an error of the model.
pub(crate) fn report_too_many(model: &Model, error: &RuntimeError, diagnostics: &mut Diagnostics) {
    let told = Diagnostic::warning(codes::run_time(error.kind), error.span, too_many(model, error));
    push_once(told, diagnostics);
}

/// The object with too many combinations, and their number; an edge is named by its channel.
pub(crate) fn too_many(model: &Model, error: &RuntimeError) -> String {
    let edges =
        || model.processes.iter().flat_map(|process| process.edges.iter().map(move |it| (process, it)));
    let Some((process, edge)) = edges().find(|(_, edge)| edge.span == error.span) else {
        return error.kind.to_string();
    };
    let channel = |place: &ChannelPlace| {
        let name = &model.channels[place.first].name;
        name.split('[').next().unwrap_or(name).to_owned()
    };
    let what = match &edge.action {
        Action::Send(place) if model.channels[place.first].kind == ChannelKind::Broadcast => {
            format!("the broadcast on `{}`", channel(place))
        }
        Action::Send(place) => format!("sending on `{}`", channel(place)),
        Action::Receive(place) => format!("receiving on `{}`", channel(place)),
        Action::Event(event) => format!("the event `{}`", model.events[*event].name),
        Action::Internal => "an edge".to_owned(),
    };
    format!("{what} of `{}` has {}", process.name, error.kind)
}

fn push_once(told: Diagnostic, diagnostics: &mut Diagnostics) {
    let same = |known: &Diagnostic| (known.code, known.primary) == (told.code, told.primary);
    if !diagnostics.iter().any(same) {
        diagnostics.push(told);
    }
}
