//! From syntax to meaning: names resolved, types checked, templates instantiated.
//!
//! Everything is done in one walk over the syntax tree, in the order of the text, with scopes of names on a stack.
//! A template is walked once for each process made from it, its parameters being bound to constants, variables,
//! clocks and channels; what comes out is already the process. That way sizes, ranges and indices that depend on parameters are
//! known where they are needed, and nothing has to be substituted afterwards. The price is that the walk meets the same mistake
//! once per process: each is reported once for its place. Templates that no process is made from are walked
//! too, with made-up arguments and for their mistakes only.
//!
//! After a mistake the walk goes on with [`Entity::Poison`] or [`Operand::Poison`], about which nothing further is reported.
//!
//! | file | what |
//! |---|---|
//! | `types.rs` | types and dimensions |
//! | `expr.rs`, `clock.rs`, `place.rs` | expressions; what can be said of clocks; variables and their elements |
//! | `decl.rs`, `function.rs` | declarations and initial values; functions and statements |
//! | `template.rs`, `system.rs` | locations and edges; processes, parameters, priorities |
//! | `query.rs` | what is asked |

mod clock;
pub mod codes;
mod decl;
mod expr;
mod function;
mod place;
mod query;
mod system;
mod template;
mod types;

use std::collections::{BTreeMap, HashMap, HashSet};

use tourbillon_base::{Code, Diagnostic, Diagnostics, IdVec, Span};
use tourbillon_model::{
    BinaryOp, CellKind, ChannelPlace, ClockPlace, ExprId, ExprKind, FunctionId, Language, LocationId, Model,
    Place, ProcessId, Root, UnaryOp,
};
use tourbillon_syntax::tree::{self, Name, Symbol, Tree};

pub use query::QueryInput;
use types::Ty;

/// What is to be lowered: a syntax tree, and what is asked of the model.
#[derive(Debug)]
pub struct Input<'t> {
    /// What the model is called.
    pub name: &'t str,
    /// The arena of the tree.
    pub tree: &'t Tree,
    /// The items, in order.
    pub model: &'t tree::Model,
    /// The queries.
    pub queries: &'t [QueryInput<'t>],
}

/// The model that a syntax tree means. Nothing if there were errors that concern the model; errors of single queries
/// leave those refused.
pub fn lower(input: &Input<'_>, diagnostics: &mut Diagnostics) -> Option<Model> {
    let mut lowerer = Lowerer::new(input, diagnostics);
    let errors = lowerer.diagnostics.error_count();
    lowerer.items(&input.model.items);
    let sound = lowerer.diagnostics.error_count() == errors;
    for query in input.queries {
        lowerer.query(query);
    }
    lowerer.warn_of_unused();
    sound.then_some(lowerer.model)
}

/// What a name stands for.
#[derive(Clone, Debug)]
enum Entity {
    /// An error was reported where it was declared.
    Poison,
    Type(Ty),
    /// A number that is known.
    Constant(i32, Ty),
    Data {
        place: Place,
        ty: Ty,
        /// Whether it keeps its value.
        constant: bool,
    },
    Clock {
        place: ClockPlace,
        ty: Ty,
    },
    Channel {
        place: ChannelPlace,
        ty: Ty,
    },
    Function(FunctionId),
    /// A function whose body is being read.
    OpenFunction,
    /// A floating-point variable, a hybrid clock, a string: abstracted away.
    Abstracted,
    /// A template or a process that needs arguments.
    Template,
    /// Something that is not supported, and what.
    Unsupported(&'static str),
}

#[derive(Clone, Debug)]
struct Binding {
    entity: Entity,
    /// Where it was declared; nothing for what is predeclared.
    span: Option<Span>,
}

type Scope = HashMap<Symbol, Binding>;

/// What the walk over an expression did.
#[derive(Clone, Copy, Default, Debug)]
struct Effects {
    /// Where a cell or clock of the model was written.
    wrote: Option<Span>,
    /// Whether something was written through a reference.
    wrote_reference: bool,
    /// Whether anything but constants and local cells was read or written.
    touched: bool,
}

/// The local cells of the context that is being read.
#[derive(Clone, Copy, Default, Debug)]
struct Locals {
    next: u32,
    most: u32,
}

/// What a function takes, returns and does.
#[derive(Clone, Debug)]
struct Signature {
    /// Types, and whether they are passed by reference.
    parameters: Vec<(Ty, bool)>,
    returns: Ty,
    effects: Effects,
}

/// What a declared name was for, and whether it was used.
#[derive(Debug)]
struct Declared {
    name: String,
    what: &'static str,
    used: bool,
}

struct Lowerer<'t> {
    tree: &'t Tree,
    model: Model,
    diagnostics: &'t mut Diagnostics,
    reported: HashSet<(Code, Span)>,
    scopes: Vec<Scope>,
    scalar_sets: u32,
    /// What is put before the names of what is declared: the process and a dot.
    prefix: String,
    locals: Locals,
    effects: Effects,
    /// What the functions of the model take and return.
    signatures: IdVec<FunctionId, Signature>,
    /// What the function that is being read returns.
    returns: Option<Ty>,
    priorities: Option<&'t tree::ChannelPriority>,
    declared: BTreeMap<Span, Declared>,
    templates: HashMap<Symbol, &'t tree::Template>,
    instances: HashMap<Symbol, &'t tree::Instance>,
    /// For each process its names and locations.
    process_scopes: IdVec<ProcessId, ProcessScope>,
    process_names: HashMap<String, ProcessId>,
    /// Whether `deadlock` is allowed.
    in_query: bool,
}

/// What queries can name of a process.
#[derive(Default, Debug)]
struct ProcessScope {
    names: Scope,
    locations: HashMap<Symbol, LocationId>,
}

impl<'t> Lowerer<'t> {
    fn new(input: &Input<'t>, diagnostics: &'t mut Diagnostics) -> Self {
        let mut lowerer = Self {
            tree: input.tree,
            model: Model::new(input.name, Language::Uppaal),
            diagnostics,
            reported: HashSet::new(),
            scopes: Vec::new(),
            scalar_sets: 0,
            prefix: String::new(),
            locals: Locals::default(),
            effects: Effects::default(),
            signatures: IdVec::new(),
            returns: None,
            priorities: None,
            declared: BTreeMap::new(),
            templates: HashMap::new(),
            instances: HashMap::new(),
            process_scopes: IdVec::new(),
            process_names: HashMap::new(),
            in_query: false,
        };
        lowerer.scopes = vec![lowerer.predeclared(), Scope::new()];
        lowerer
    }

    /// The names that need no declaration.
    fn predeclared(&self) -> Scope {
        let int = |min, max| Ty::Int(tourbillon_model::Range { min, max });
        let types = [
            ("int8_t", int(-128, 127)),
            ("uint8_t", int(0, 255)),
            ("int16_t", int(-32768, 32767)),
            ("uint16_t", int(0, 65535)),
            ("int32_t", int(i32::MIN, i32::MAX)),
        ];
        let constants = [
            ("INT8_MIN", -128),
            ("INT8_MAX", 127),
            ("UINT8_MAX", 255),
            ("INT16_MIN", -32768),
            ("INT16_MAX", 32767),
            ("UINT16_MAX", 65535),
            ("INT32_MIN", i32::MIN),
            ("INT32_MAX", i32::MAX),
        ];
        let doubles =
            ["FLT_MIN", "FLT_MAX", "DBL_MIN", "DBL_MAX", "M_PI", "M_E", "M_SQRT2", "M_LN2", "M_LN10"];
        let types = types.into_iter().map(|(name, ty)| (name, Entity::Type(ty)));
        let constants =
            constants.into_iter().map(|(name, value)| (name, Entity::Constant(value, int(value, value))));
        let doubles = doubles.into_iter().map(|name| (name, Entity::Abstracted));
        let all = types.chain(constants).chain(doubles);
        all.filter_map(|(name, entity)| Some((self.tree.symbol(name)?, Binding { entity, span: None })))
            .collect()
    }
}

/// Telling the user.
impl Lowerer<'_> {
    /// Reports something once for its place, however many processes it concerns.
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.reported.insert((diagnostic.code, diagnostic.primary)) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    fn warning(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::warning(code, span, message));
    }

    fn warn_of_unused(&mut self) {
        let unused: Vec<Diagnostic> = self
            .declared
            .iter()
            .filter(|(_, declared)| !declared.used)
            .map(|(&span, Declared { name, what, .. })| {
                Diagnostic::warning(codes::UNUSED, span, format!("the {what} `{name}` is never used"))
            })
            .collect();
        unused.into_iter().for_each(|diagnostic| self.report(diagnostic));
    }
}

/// Names.
impl Lowerer<'_> {
    /// Declares a name in the innermost scope. `what` says what it is for, if being unused is worth a warning.
    fn declare(&mut self, name: Name, entity: Entity, what: Option<&'static str>) {
        let text = self.tree.name(name).to_owned();
        if text.is_empty() {
            return;
        }
        if let Some(&Binding { span: Some(earlier), .. }) =
            self.scopes.last().and_then(|scope| scope.get(&name.symbol))
        {
            let diagnostic =
                Diagnostic::error(codes::DECLARED_TWICE, name.span, format!("`{text}` is declared twice"));
            self.report(diagnostic.label(earlier, "declared here first"));
            return;
        }
        let outer = self
            .scopes
            .iter()
            .rev()
            .skip(1)
            .find_map(|scope| scope.get(&name.symbol))
            .and_then(|binding| binding.span);
        if let Some(outer) = outer {
            let message = format!("`{text}` hides what is declared outside by the same name");
            self.report(
                Diagnostic::warning(codes::HIDDEN_NAME, name.span, message).label(outer, "this is hidden"),
            );
        }
        if let Some(what) = what {
            self.declared.entry(name.span).or_insert(Declared { name: text, what, used: false });
        }
        let binding = Binding { entity, span: Some(name.span) };
        self.scopes.last_mut().expect("a scope is open").insert(name.symbol, binding);
    }

    /// What a name stands for, without a word if nothing.
    fn find(&self, symbol: Symbol) -> Option<Entity> {
        self.scopes.iter().rev().find_map(|scope| scope.get(&symbol)).map(|binding| binding.entity.clone())
    }

    fn mark_used(&mut self, symbol: Symbol) {
        let span =
            self.scopes.iter().rev().find_map(|scope| scope.get(&symbol)).and_then(|binding| binding.span);
        self.mark_used_at(span);
    }

    fn mark_used_at(&mut self, span: Option<Span>) {
        if let Some(declared) = span.and_then(|span| self.declared.get_mut(&span)) {
            declared.used = true;
        }
    }

    /// What a name stands for; an error if nothing.
    fn look_up(&mut self, name: Name) -> Option<Entity> {
        self.mark_used(name.symbol);
        let found = self.find(name.symbol);
        if found.is_none() {
            let text = self.tree.name(name).to_owned();
            let mut diagnostic =
                Diagnostic::error(codes::UNKNOWN_NAME, name.span, format!("`{text}` is not declared"));
            if let Some(similar) = self.similar(&text) {
                diagnostic = diagnostic.help(format!("did you mean `{similar}`?"));
            }
            self.report(diagnostic);
            self.scopes[1].insert(name.symbol, Binding { entity: Entity::Poison, span: None });
        }
        found
    }

    /// The visible name that is most like this one, if any is much like it.
    fn similar(&self, text: &str) -> Option<String> {
        let visible = self.scopes.iter().flat_map(Scope::keys).map(|&symbol| self.tree.text(symbol));
        closest(text, visible)
    }

    fn in_scope<R>(&mut self, scope: Scope, work: impl FnOnce(&mut Self) -> R) -> R {
        self.scopes.push(scope);
        let result = work(self);
        self.scopes.pop();
        result
    }
}

/// The candidate with the smallest edit distance, if that is small for the length of the word.
fn closest<'a>(text: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    let limit = 1 + text.chars().count() / 4;
    let near = candidates.map(|candidate| (distance(text, candidate), candidate));
    near.filter(|&(distance, _)| distance > 0 && distance <= limit)
        .min()
        .map(|(_, candidate)| candidate.to_owned())
}

/// The number of letters to insert, delete or replace; letters of another case count as alike but not the same.
fn distance(one: &str, two: &str) -> usize {
    let two: Vec<char> = two.chars().collect();
    let mut row: Vec<usize> = (0..=two.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &b) in two.iter().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[two.len()]
}

/// Building expressions.
impl Lowerer<'_> {
    /// Adds an expression, or the number that it comes to if that is known.
    fn add(&mut self, kind: ExprKind, span: Span) -> ExprId {
        let kind = match self.folded(&kind) {
            Some(Ok(folded)) => folded,
            Some(Err(problem)) => {
                self.warning(codes::ALWAYS_FAILS, span, format!("this is {problem}, whatever the state"));
                kind
            }
            None => kind,
        };
        self.model.exprs.push(tourbillon_model::Expr { kind, span })
    }

    fn known(&self, expr: ExprId) -> Option<i32> {
        match self.model.exprs[expr].kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        }
    }

    fn folded(&self, kind: &ExprKind) -> Option<Result<ExprKind, tourbillon_model::EvalErrorKind>> {
        match kind {
            ExprKind::Load(place) if place.indices.is_empty() => match place.root {
                Root::Global(cell) => {
                    let cell = self.model.cells.get(offset_id(cell, place.offset))?;
                    (cell.kind == CellKind::Constant).then_some(Ok(ExprKind::Int(cell.initial)))
                }
                Root::Local(_) | Root::Reference(_) => None,
            },
            ExprKind::Unary(op, operand) => Some(op.apply(self.known(*operand)?).map(ExprKind::Int)),
            ExprKind::Binary(BinaryOp::And, left, _) if self.known(*left) == Some(0) => {
                Some(Ok(ExprKind::Int(0)))
            }
            ExprKind::Binary(BinaryOp::Or, left, _) if self.known(*left).is_some_and(|v| v != 0) => {
                Some(Ok(ExprKind::Int(1)))
            }
            ExprKind::Binary(op, left, right) => {
                Some(op.apply(self.known(*left)?, self.known(*right)?).map(ExprKind::Int))
            }
            ExprKind::Conditional(condition, yes, no) => {
                let chosen = if self.known(*condition)? != 0 { yes } else { no };
                Some(Ok(self.model.exprs[*chosen].kind.clone()))
            }
            _ => None,
        }
    }

    fn int(&mut self, value: i32, span: Span) -> ExprId {
        self.add(ExprKind::Int(value), span)
    }

    fn not(&mut self, expr: ExprId, span: Span) -> ExprId {
        self.add(ExprKind::Unary(UnaryOp::Not, expr), span)
    }

    fn and(&mut self, left: ExprId, right: ExprId, span: Span) -> ExprId {
        match self.known(left) {
            Some(value) if value != 0 => right,
            _ => self.add(ExprKind::Binary(BinaryOp::And, left, right), span),
        }
    }

    /// The value of an expression that must be known beforehand.
    fn constant(&mut self, expr: tree::ExprId) -> Option<i32> {
        let value = self.value(expr)?;
        self.constant_value(value)
    }

    fn constant_value(&mut self, value: ExprId) -> Option<i32> {
        if let Some(value) = self.known(value) {
            return Some(value);
        }
        match self.model.constant(value) {
            Ok(value) => Some(value),
            Err(problem) => {
                let message = match problem.kind {
                    tourbillon_model::EvalErrorKind::NotKnown => {
                        "this must be known beforehand, and is not".to_owned()
                    }
                    kind => format!("this must be known beforehand, and computing it comes to {kind}"),
                };
                self.error(codes::NOT_CONSTANT, problem.span, message);
                None
            }
        }
    }

    /// Takes local cells until [`Self::release`] is called with the first of them.
    fn reserve(&mut self, cells: u32) -> u32 {
        let first = self.locals.next;
        self.locals.next = first.saturating_add(cells);
        self.locals.most = self.locals.most.max(self.locals.next);
        first
    }

    fn release(&mut self, first: u32) {
        self.locals.next = first;
    }

    /// Does some work in a frame of its own, and returns how many local cells it needed.
    fn with_frame<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> (R, u32) {
        let outer = std::mem::take(&mut self.locals);
        let result = work(self);
        let most = std::mem::replace(&mut self.locals, outer).most;
        (result, most)
    }

    /// Does some work that must change nothing; what it changes is an error.
    fn pure<R>(&mut self, what: &str, work: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::take(&mut self.effects);
        let result = work(self);
        if let Some(span) = self.effects.wrote {
            self.error(codes::SIDE_EFFECT, span, format!("{what} cannot change anything"));
        }
        self.effects = Effects { touched: outer.touched || self.effects.touched, ..outer };
        result
    }
}

/// The id this many further on.
fn offset_id<I: tourbillon_base::Id>(id: I, offset: u32) -> I {
    I::from_index(id.index() + offset as usize)
}
