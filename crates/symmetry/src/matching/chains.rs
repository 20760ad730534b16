//! Chains of `&&` and `||`, whose operands may be in another order.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use tourbillon_base::Id;
use tourbillon_model::{BinaryOp, ExprId, ExprKind, Model};

use crate::order;

/// The operands of chains of `&&` and `||`, collected once for all permutations.
#[derive(Debug)]
pub(crate) struct Chains<'m> {
    model: &'m Model,
    known: RefCell<HashMap<ExprId, Rc<Chain>>>,
}

/// A chain of `&&` or `||`.
#[derive(Debug)]
pub(super) struct Chain {
    pub(super) operands: Vec<ExprId>,
    /// Whether the operands can be evaluated in any order.
    pub(super) cannot_fail: bool,
    /// The positions of operands by their keys.
    pub(super) by_key: HashMap<u64, Vec<usize>>,
}

impl<'m> Chains<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        Self { model, known: RefCell::default() }
    }

    pub(super) fn get(&self, op: BinaryOp, expr: ExprId) -> Rc<Chain> {
        let mut known = self.known.borrow_mut();
        Rc::clone(known.entry(expr).or_insert_with(|| Rc::new(self.collect(op, expr))))
    }

    fn collect(&self, op: BinaryOp, expr: ExprId) -> Chain {
        let mut operands = Vec::new();
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            match self.model.exprs[expr].kind {
                ExprKind::Binary(own, left, right) if own == op => stack.extend([right, left]),
                _ => operands.push(expr),
            }
        }
        let mut by_key: HashMap<u64, Vec<usize>> = HashMap::new();
        for (index, &operand) in operands.iter().enumerate() {
            by_key.entry(key(self.model, operand, |process| process)).or_default().push(index);
        }
        let cannot_fail = operands.iter().all(|&operand| order::cannot_fail(self.model, operand));
        Chain { operands, cannot_fail, by_key }
    }
}

/// A number that an expression has in common with its image: which locations of which processes it mentions.
pub(super) fn key(model: &Model, expr: ExprId, image: impl Fn(usize) -> usize) -> u64 {
    let mut key = 0u64;
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        let kind = &model.exprs[expr].kind;
        if let &ExprKind::AtLocation(process, location) = kind {
            let atom = image(process.index()) as u64 * 0x1_0001 + location.index() as u64 + 1;
            let atom = atom.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            key = key.wrapping_add(atom ^ (atom >> 29));
        }
        kind.for_each_operand(&mut |operand| stack.push(operand));
    }
    key
}
