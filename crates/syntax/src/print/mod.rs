//! The printer: the tree as text in the current language.
//!
//! What is printed parses to the same tree. Brackets stand where they are needed and nowhere else; models in
//! the old dialect come out in the new one. Where the tree has an error, so has the text: `/* error */`.

mod decl;
mod expr;
mod model;
mod query;

use crate::tree::{Binder, Decl, ExprId, Item, Model, Param, Query, QueryFile, Sync, Template, Tree, Type};

#[must_use]
pub fn model(tree: &Tree, model: &Model) -> String {
    let mut printer = Printer::new(tree);
    for item in &model.items {
        printer.item(item);
    }
    printer.out
}

/// An item of a model.
#[must_use]
pub fn item(tree: &Tree, item: &Item) -> String {
    let mut printer = Printer::new(tree);
    printer.item(item);
    printer.out
}

#[must_use]
pub fn template(tree: &Tree, template: &Template) -> String {
    let mut printer = Printer::new(tree);
    printer.template(template);
    printer.out
}

/// Declarations, each on lines of its own.
#[must_use]
pub fn declarations(tree: &Tree, declarations: &[Decl]) -> String {
    let mut printer = Printer::new(tree);
    for declaration in declarations {
        printer.declaration(declaration);
    }
    printer.out
}

/// Parameters, without brackets.
#[must_use]
pub fn parameters(tree: &Tree, params: &[Param]) -> String {
    let mut printer = Printer::new(tree);
    printer.params(params);
    printer.out
}

/// Binders, separated by commas: a select label.
#[must_use]
pub fn binders(tree: &Tree, binders: &[Binder]) -> String {
    let mut printer = Printer::new(tree);
    printer.binders(binders);
    printer.out
}

#[must_use]
pub fn ty(tree: &Tree, ty: &Type) -> String {
    let mut printer = Printer::new(tree);
    printer.ty(ty);
    printer.out
}

#[must_use]
pub fn expr(tree: &Tree, expr: ExprId) -> String {
    let mut printer = Printer::new(tree);
    printer.expr(expr);
    printer.out
}

/// Expressions, separated by commas: the updates of an edge.
#[must_use]
pub fn exprs(tree: &Tree, exprs: &[ExprId]) -> String {
    let mut printer = Printer::new(tree);
    printer.exprs(exprs);
    printer.out
}

#[must_use]
pub fn sync(tree: &Tree, sync: &Sync) -> String {
    let mut printer = Printer::new(tree);
    printer.sync(sync);
    printer.out
}

/// A query, on one line.
#[must_use]
pub fn query(tree: &Tree, query: &Query) -> String {
    let mut printer = Printer::new(tree);
    printer.query(query);
    printer.out
}

/// A `.q` file, comments included.
#[must_use]
pub fn query_file(tree: &Tree, file: &QueryFile) -> String {
    let mut printer = Printer::new(tree);
    printer.query_file(file);
    printer.out
}

#[derive(Debug)]
struct Printer<'a> {
    tree: &'a Tree,
    out: String,
    indent: usize,
}

impl<'a> Printer<'a> {
    fn new(tree: &'a Tree) -> Self {
        Self { tree, out: String::new(), indent: 0 }
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn line(&mut self) {
        for _ in 0..self.indent {
            self.push("    ");
        }
    }

    /// Items with something between them.
    fn separated<T>(&mut self, items: &[T], separator: &str, mut print: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.push(separator);
            }
            print(self, item);
        }
    }

    /// `{`, lines that are indented, `}`.
    fn braces(&mut self, print: impl FnOnce(&mut Self)) {
        self.push("{\n");
        self.indent += 1;
        print(self);
        self.indent -= 1;
        self.line();
        self.push("}");
    }
}
