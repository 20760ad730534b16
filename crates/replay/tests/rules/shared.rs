//! Models from text, and edges by the name of their process.

use tourbillon_base::{Id, Rational, SourceMap};
use tourbillon_front_uppaal::LoadOptions;
use tourbillon_front_uppaal::lower::{Input, lower};
use tourbillon_model::{Model, ProcessId};
use tourbillon_replay::{ConcreteState, Fired, Semantics, Violation};

/// The model of a text in UPPAAL's language.
pub(crate) fn uppaal(text: &str) -> Model {
    let (document, mut diagnostics) =
        tourbillon_front_uppaal::load("m.xta", text.as_bytes(), &LoadOptions::default());
    let input = Input { name: "m", tree: &document.tree, model: &document.model, queries: &[] };
    let model = lower(&input, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{:?}", diagnostics.as_slice());
    model.expect("a model without errors")
}

/// The model of a text in TChecker's language.
pub(crate) fn tchecker(text: &str) -> Model {
    let (model, diagnostics) = tourbillon_front_tchecker::load("m.tck", text, &mut SourceMap::new());
    assert!(!diagnostics.has_errors(), "{:?}", diagnostics.as_slice());
    model.expect("a model without errors")
}

/// The edge with this number of the process with this name.
pub(crate) fn edge(model: &Model, process: &str, edge: usize) -> Fired {
    chosen(model, process, edge, &[])
}

/// The edge with this number of the process with this name, and values for its selections.
pub(crate) fn chosen(model: &Model, process: &str, edge: usize, selects: &[i32]) -> Fired {
    Fired { process: process_id(model, process), edge, selects: selects.to_vec() }
}

pub(crate) fn process_id(model: &Model, name: &str) -> ProcessId {
    model.processes.enumerate().find(|(_, process)| process.name == name).expect("a process of this name").0
}

pub(crate) fn ratio(numerator: i64, denominator: i64) -> Rational {
    Rational::new(numerator, denominator).expect("a fraction")
}

/// What is in the cell with this name.
pub(crate) fn cell(model: &Model, state: &ConcreteState, name: &str) -> i32 {
    let cell = model.cells.enumerate().find(|(_, cell)| cell.name == name).expect("a cell of this name").0;
    state.cells[cell.index()]
}

/// What the clock with this name shows.
pub(crate) fn clock(model: &Model, state: &ConcreteState, name: &str) -> Rational {
    let clock = model.clocks.enumerate().find(|(_, clock)| clock.name == name).expect("a clock so named").0;
    state.clocks[clock.index()]
}

/// The state after a delay and an action from the initial state.
pub(crate) fn after(model: &Model, delay: Rational, action: &[Fired]) -> Result<ConcreteState, Violation> {
    let semantics = Semantics::new(model);
    semantics.act(&semantics.delay(&semantics.initial()?, delay)?, action)
}

/// All legal actions of the initial state, as pairs of process and edge.
pub(crate) fn initial_actions(model: &Model) -> Vec<Vec<(usize, usize)>> {
    let semantics = Semantics::new(model);
    let initial = semantics.initial().expect("an initial state");
    let actions = semantics.actions(&initial).expect("actions");
    let pairs = |action: Vec<Fired>| action.iter().map(|fired| (fired.process.index(), fired.edge)).collect();
    let mut pairs: Vec<Vec<(usize, usize)>> = actions.into_iter().map(pairs).collect();
    pairs.sort();
    pairs
}
