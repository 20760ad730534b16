//! Queries, and files of them.

use super::Printer;
use crate::tree::{ExprId, ExtremumOp, Query, QueryFile, QueryKind};

impl Printer<'_> {
    pub(super) fn query(&mut self, query: &Query) {
        match &query.kind {
            QueryKind::Error => self.push("/* error */"),
            QueryKind::Empty => {}
            QueryKind::Path { quantifier, predicate } => {
                self.push(quantifier.text());
                self.push(" ");
                self.expr(*predicate);
            }
            QueryKind::LeadsTo { from, to } => {
                self.expr(*from);
                self.push(" --> ");
                self.expr(*to);
            }
            QueryKind::Extremum { op, condition, exprs } => self.extremum(*op, *condition, exprs),
            QueryKind::Strategy { name, query } => {
                self.push("strategy ");
                self.push(self.tree.name(*name));
                self.push(" = ");
                self.query(query);
            }
            QueryKind::Special { text, .. } => self.push(self.tree.text(*text)),
        }
        if let Some(strategy) = query.under {
            self.push(" under ");
            self.push(self.tree.name(strategy));
        }
    }

    fn extremum(&mut self, op: ExtremumOp, condition: Option<ExprId>, exprs: &[ExprId]) {
        self.push(op.text());
        if let Some(condition) = condition {
            self.push("{");
            self.expr(condition);
            self.push("}");
        }
        self.push(": ");
        self.exprs(exprs);
    }

    pub(super) fn query_file(&mut self, file: &QueryFile) {
        for entry in &file.entries {
            for comment in &entry.comments {
                self.push(self.tree.text(comment.text));
                self.push("\n");
            }
            self.query(&entry.query);
            self.push("\n");
        }
        for comment in &file.trailing {
            self.push(self.tree.text(comment.text));
            self.push("\n");
        }
    }
}
