//! What an answer shows to be wrong with the model, as diagnostics.
//!
//! What shows only at run time becomes a diagnostic like all others. Properties that share a search share its failures: each is
//! told once.

use tourbillon_base::{Diagnostic, Diagnostics};
use tourbillon_check::{Answer, RuntimeError, Why, broken_at_start};
use tourbillon_model::{Action, ChannelKind, ChannelPlace, EvalErrorKind, Model};

use crate::codes;

/// What an answer shows to be wrong with the model.
pub(crate) fn tell_of(model: &Model, answer: &Answer, diagnostics: &mut Diagnostics) {
    match &answer.why {
        Why::Complete if answer.stats.stored == 0 => tell_no_state(model, diagnostics),
        Why::Failed(error) => tell_failure(model, error, answer.witness.is_some(), diagnostics),
        Why::MayFail(error) => tell_doubt(model, error, diagnostics),
        Why::TooMany(error) => tell_too_many(model, error, diagnostics),
        _ => {}
    }
}

/// Without any state every answer is empty: nobody means that.
pub(crate) fn tell_no_state(model: &Model, diagnostics: &mut Diagnostics) {
    let Some((process, location)) = broken_at_start(model) else { return };
    let process = &model.processes[process];
    let location = &process.locations[location];
    let message = format!(
        "`{}` begins at `{}`, whose invariant does not hold then: the model has no state at all",
        process.name, location.name
    );
    tell_once(Diagnostic::warning(codes::NO_INITIAL_STATE, location.span, message), diagnostics);
}

pub(crate) fn tell_failure(
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
    tell_once(failure, diagnostics);
}

/// A failure that only an over-approximation knows of is no mistake of the model until a run shows it.
pub(crate) fn tell_doubt(model: &Model, error: &RuntimeError, diagnostics: &mut Diagnostics) {
    let message = format!("the model may fail here at run time: {}", error.kind.explain(model));
    let mut doubt = Diagnostic::warning(codes::run_time(error.kind), error.span, message)
        .help("clocks that stand still are over-approximated, so that this is not certain");
    if let Some(remedy) = codes::remedy(error.kind) {
        doubt = doubt.help(remedy);
    }
    tell_once(doubt, diagnostics);
}

/// Work that cannot be finished is no mistake of the model.
pub(crate) fn tell_too_many(model: &Model, error: &RuntimeError, diagnostics: &mut Diagnostics) {
    let told = Diagnostic::warning(codes::run_time(error.kind), error.span, too_many(model, error));
    tell_once(told, diagnostics);
}

/// What has too many combinations, and how many: of an edge by its channel.
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

fn tell_once(told: Diagnostic, diagnostics: &mut Diagnostics) {
    let same = |known: &Diagnostic| (known.code, known.primary) == (told.code, told.primary);
    if !diagnostics.iter().any(same) {
        diagnostics.push(told);
    }
}
