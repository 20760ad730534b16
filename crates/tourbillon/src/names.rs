//! The names of a model, for completion.
//!
//! They are collected from the syntax tree, which exists for models with errors too: completion is used most while a
//! model is incomplete. TChecker's models have no syntax tree; their names are available only if the model has no
//! errors.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use tourbillon_front_uppaal::Document;
use tourbillon_model::{CellKind, Model};
use tourbillon_syntax::print;
use tourbillon_syntax::tree::{
    Decl, DeclaredName, Dimension, Function, Instance, Item, Param, Symbol, Template, Tree, Type, TypeKind,
    Variables,
};

use crate::load::{Loaded, Source};

/// The names of a model, by scope.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Names {
    /// The names of global declarations, templates and processes.
    pub global: Vec<Name>,
    /// The names of each template: parameters and declarations.
    pub templates: Vec<Vec<Name>>,
    /// The names that can follow a process and a dot in queries.
    pub members: Vec<Members>,
}

impl Names {
    /// Keeps at most `max` names of each scope.
    pub fn limit(&mut self, max: usize) {
        self.global.truncate(max);
        self.templates.iter_mut().for_each(|names| names.truncate(max));
        self.members.iter_mut().for_each(|members| members.names.truncate(max));
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Name {
    pub name: String,
    /// The kind: `clock`, `variable`, `constant`, `channel`, `function`, `type`, `template`, `process`, `location`,
    /// `parameter`.
    pub kind: String,
    /// The type or signature; may be empty.
    pub detail: String,
}

/// The members of a process.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Members {
    /// The process, or the common name of several processes, such as `Train` of `Train(0)`.
    pub of: String,
    /// Its locations, clocks and variables.
    pub names: Vec<Name>,
}

/// The names that can be used in a model.
///
/// ```
/// use tourbillon::{load, names};
///
/// let text = b"typedef int[0,3] id_t; chan go[id_t]; int twice(int i) { return 2 * i; } process P(id_t id) { clock x; state A; init A; } system P;";
/// let names = names(&load("p.xta", text));
/// let global: Vec<_> = names.global.iter().map(|name| format!("{} {}: {}", name.kind, name.name, name.detail)).collect();
/// assert_eq!(global, ["type id_t: int[0, 3]", "channel go: chan[id_t]", "function twice: int twice(int i)", "template P: P(id_t id)"]);
/// assert_eq!(names.members[0].names[0].name, "A");
/// ```
#[must_use]
pub fn names(loaded: &Loaded) -> Names {
    match (&loaded.source, &loaded.model) {
        (Source::Uppaal(document), _) => Collector::new(document).names(),
        (Source::TChecker { .. }, Some(model)) => of_network(model),
        (Source::TChecker { .. }, None) => Names::default(),
    }
}

fn name(name: &str, kind: &'static str, detail: String) -> Name {
    Name { name: name.to_owned(), kind: kind.to_owned(), detail }
}

fn of_network(model: &Model) -> Names {
    let cells = model.cells.iter().filter(|cell| cell.kind == CellKind::State);
    let variables =
        cells.map(|cell| name(&cell.name, "variable", format!("int[{},{}]", cell.range.min, cell.range.max)));
    let clocks = model.clocks.iter().map(|clock| name(&clock.name, "clock", "clock".to_owned()));
    let processes = model.processes.iter().map(|process| name(&process.name, "process", String::new()));
    let members = model.processes.iter().map(|process| Members {
        of: process.name.clone(),
        names: process.locations.iter().map(|place| name(&place.name, "location", String::new())).collect(),
    });
    Names {
        global: clocks.chain(variables).chain(processes).collect(),
        templates: vec![Vec::new(); model.processes.len()],
        members: members.collect(),
    }
}

struct Collector<'a> {
    tree: &'a Tree,
    document: &'a Document,
    /// The type names that stand for clocks or channels.
    special: HashMap<Symbol, &'static str>,
}

impl<'a> Collector<'a> {
    fn new(document: &'a Document) -> Self {
        let mut own = Self { tree: &document.tree, document, special: HashMap::new() };
        for item in &document.model.items {
            match item {
                Item::Decl(decl) => own.learn(decl),
                Item::Template(template) => template.declarations.iter().for_each(|decl| own.learn(decl)),
                _ => {}
            }
        }
        own
    }

    fn learn(&mut self, decl: &Decl) {
        let Decl::Typedef(Variables { ty, names, .. }) = decl else { return };
        let kind = self.kind(ty);
        for declared in names.iter().filter(|_| kind != "variable") {
            self.special.insert(declared.name.symbol, kind);
        }
    }

    fn names(&self) -> Names {
        let items = &self.document.model.items;
        let mut names = Names::default();
        for item in items {
            match item {
                Item::Decl(decl) => self.declaration(decl, &mut names.global),
                Item::Template(template) => {
                    let word = self.tree.name(template.name);
                    names.global.push(name(word, "template", self.signature(word, &template.params)));
                    names.templates.push(self.of_template(template));
                    names.members.push(Members { of: word.to_owned(), names: self.members(template) });
                }
                Item::Instance(instance) => self.instance(instance, &mut names),
                _ => {}
            }
        }
        names.global.retain(|name| !name.name.is_empty());
        names
    }

    fn instance(&self, instance: &Instance, names: &mut Names) {
        let word = self.tree.name(instance.name);
        names.global.push(name(word, "process", self.signature(word, &instance.params)));
        let made_of = self.tree.name(instance.template);
        let inherited = names.members.iter().find(|members| members.of == made_of);
        let inherited = inherited.map(|members| members.names.clone()).unwrap_or_default();
        names.members.push(Members { of: word.to_owned(), names: inherited });
    }

    fn of_template(&self, template: &Template) -> Vec<Name> {
        let mut names: Vec<Name> = template.params.iter().map(|param| self.parameter(param)).collect();
        template.declarations.iter().for_each(|decl| self.declaration(decl, &mut names));
        names
    }

    /// The names of a process that queries can use.
    fn members(&self, template: &Template) -> Vec<Name> {
        let locations = template.locations.iter().map(|location| self.tree.name(location.name));
        let mut names: Vec<Name> = locations.map(|word| name(word, "location", String::new())).collect();
        names.extend(
            self.of_template(template)
                .into_iter()
                .filter(|name| matches!(name.kind.as_str(), "clock" | "variable" | "constant" | "parameter")),
        );
        names
    }

    fn declaration(&self, decl: &Decl, names: &mut Vec<Name>) {
        match decl {
            Decl::Variables(Variables { ty, names: declared, .. }) => {
                let kind = self.kind(ty);
                names.extend(declared.iter().map(|declared| self.declared(kind, ty, declared)));
            }
            Decl::Typedef(Variables { ty, names: declared, .. }) => {
                names.extend(declared.iter().map(|declared| self.declared("type", ty, declared)));
            }
            Decl::Function(Function { returns, name: word, params, .. }) => {
                let word = self.tree.name(*word);
                let signature = format!("{} {}", print::ty(self.tree, returns), self.signature(word, params));
                names.push(name(word, "function", signature));
            }
            Decl::ChannelPriority(_)
            | Decl::BeforeUpdate(_)
            | Decl::AfterUpdate(_)
            | Decl::Import(_)
            | Decl::Dynamic(_) => {}
        }
    }

    fn declared(&self, kind: &'static str, ty: &Type, declared: &DeclaredName) -> Name {
        let detail = format!("{}{}", self.type_text(ty), self.dimensions(&declared.dimensions));
        name(self.tree.name(declared.name), kind, detail)
    }

    /// A type on one line; the fields of a record are omitted.
    fn type_text(&self, ty: &Type) -> String {
        match ty.kind {
            TypeKind::Struct(_) => "struct".to_owned(),
            _ => print::ty(self.tree, ty),
        }
    }

    fn parameter(&self, param: &Param) -> Name {
        name(self.tree.name(param.name), "parameter", self.parameter_type(param))
    }

    fn parameter_type(&self, param: &Param) -> String {
        let reference = if param.by_reference { "&" } else { "" };
        format!("{}{reference}{}", self.type_text(&param.ty), self.dimensions(&param.dimensions))
    }

    fn signature(&self, word: &str, params: &[Param]) -> String {
        format!("{word}({})", print::parameters(self.tree, params))
    }

    fn dimensions(&self, dimensions: &[Dimension]) -> String {
        let text = |dimension: &Dimension| match dimension {
            Dimension::Size(size) => format!("[{}]", print::expr(self.tree, *size)),
            Dimension::Type(ty) => format!("[{}]", print::ty(self.tree, ty)),
        };
        dimensions.iter().map(text).collect()
    }

    fn kind(&self, ty: &Type) -> &'static str {
        match ty.kind {
            TypeKind::Clock => "clock",
            TypeKind::Chan => "channel",
            TypeKind::Named(symbol) if self.special.contains_key(&symbol) => self.special[&symbol],
            _ if ty.prefix.constant => "constant",
            _ => "variable",
        }
    }
}
