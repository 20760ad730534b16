//! Why a permutation of processes is no automorphism.

use tourbillon_model::{CellId, ExprId, Model};

/// A part of the network that a permutation does not preserve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Conflict {
    expr: Option<ExprId>,
    why: Why,
}

/// How the part differs from its image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Why {
    /// It is not what the image requires.
    Different,
    /// A value that names an element is computed with, ordered, or tested for truth.
    Computed,
    /// A number has another one as its counterpart.
    Numbers(i32, i32),
    /// The values of a constant, or of a meta cell between steps, differ.
    Constant(CellId),
    /// The initial values differ, where the initial state must be fixed.
    Initial(CellId),
    /// The result of a loop over elements may depend on their order.
    LoopOrder,
    /// The evaluation of a quantifier over elements may fail for some, so its order matters.
    QuantifierOrder,
    /// Receivers of one broadcast, or participants of one vector, update the same data, in the order of processes.
    UpdateOrder,
    /// A construct whose images are not computed.
    Unsupported(&'static str),
    /// The limit of work was reached.
    TooLarge,
}

impl Conflict {
    pub(crate) const fn new(why: Why) -> Self {
        Self { expr: None, why }
    }

    pub(crate) const fn at(expr: ExprId, why: Why) -> Self {
        Self { expr: Some(expr), why }
    }

    /// Whether no further attempt is worthwhile.
    pub(crate) fn is_final(self) -> bool {
        self.why == Why::TooLarge
    }

    /// The reason in words.
    pub(crate) fn explain(self, model: &Model) -> String {
        let text = self.expr.map(|expr| format!("`{}`", model.expr_text(expr)));
        match (self.why, text) {
            (Why::Computed, Some(text)) => {
                format!("{text} computes with, or orders, values that name processes")
            }
            (Why::Numbers(from, to), _) => format!("one has the number {from} where the other has {to}"),
            (Why::LoopOrder, _) => "the result of a loop over processes may depend on their order".to_owned(),
            (Why::QuantifierOrder, Some(text)) => {
                format!("{text} may fail for some processes, so their order matters")
            }
            (Why::UpdateOrder, _) => {
                "processes that synchronise together update the same data, in system order".to_owned()
            }
            (Why::Constant(cell) | Why::Initial(cell), _) => {
                let cell = &model.cells[cell];
                format!("`{}` is {}, which distinguishes them", cell.name, cell.initial)
            }
            (Why::Unsupported(what), _) => format!("{what} is not analysed"),
            (Why::TooLarge, _) => "the model is too large to be searched for symmetry".to_owned(),
            (_, Some(text)) => format!("{text} has no counterpart"),
            (_, None) => "their automata differ".to_owned(),
        }
    }
}
