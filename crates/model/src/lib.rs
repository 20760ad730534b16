//! The language-neutral network: templates instantiated, names resolved, types checked.
//!
//! A [`Model`] is plain data. It knows nothing of the text it was made from but spans, and nothing of how it
//! will be explored. What is left of the languages is what they mean:
//!
//! - All data is *cells*: integers with a range, an initial value and a name. An array or record is a run of
//!   cells, so a variable is the address of its first cell, and `a[i].f` an address computed from indices.
//!   Clocks and channels are numbered the same way, each kind on its own.
//! - Every expression is an integer expression, true being not 0, or a comparison of clocks; [`CellPlace`]s say
//!   which cell is meant, with the indices to check.
//! - Guards and invariants are conjunctions: conditions on data, and comparisons of clocks that each may
//!   depend on one.
//! - A process has its own copy of everything that its template's parameters touch.
//!
//! Front ends build a model and promise what [`Model::check`] checks. Engines read it.

mod annotation;
mod check;
mod eval;
mod expr;
mod fingerprint;
mod network;
mod print;
mod query;
#[cfg(test)]
mod tests;
mod types;

pub use check::ModelFault;
pub use eval::{Environment, EvalError, EvalErrorKind, Evaluator, Frame, Multiplied};
pub use expr::{
    Argument, AssignOp, BinaryOp, Block, CellPlace, ClockAtom, ClockPlace, Compare, Expr, ExprKind, Function,
    IndexStep, Parameter, QuantifierOp, Root, Stmt, UnaryOp,
};
pub use fingerprint::{
    PartFingerprint, StepsFingerprint, expr_hash, frame_hash, model_hash, sha256, steps_fingerprints,
};
pub use network::{
    Action, Cell, CellKind, Channel, ChannelKind, ChannelPlace, Clock, ClockCondition, Edge, Event, Guard,
    Language, Location, LocationKind, Model, NegativeClock, Overflow, Participant, Process, Rate,
    ScalarValue, Select, SyncVector,
};
pub use query::{Expectation, Measure, Query, QueryKind};
pub use types::{Field, Range, Type, Variable};

tourbillon_base::define_id! {
    /// A cell of discrete data.
    pub struct CellId;
}
tourbillon_base::define_id! {
    pub struct ClockId;
}
tourbillon_base::define_id! {
    pub struct ChannelId;
}
tourbillon_base::define_id! {
    /// An event of synchronisation vectors.
    pub struct EventId;
}
tourbillon_base::define_id! {
    pub struct FunctionId;
}
tourbillon_base::define_id! {
    pub struct ProcessId;
}
tourbillon_base::define_id! {
    /// A location of one process.
    pub struct LocationId;
}
tourbillon_base::define_id! {
    /// An expression of a model.
    pub struct ExprId;
}
