//! Lowering: from syntax to a model. Resolves names, checks types, instantiates templates.
//!
//! Everything is done in one walk over the syntax tree, in the order of the text, with scopes of names on a
//! stack. A template is walked once for each process made from it, its parameters being bound to constants,
//! variables, clocks and channels; what comes out is already the process. That way sizes, ranges and indices
//! that depend on parameters are known where they are needed, and nothing has to be substituted afterwards.
//! The price is that the walk meets the same mistake once per process: each is reported once for its place.
//! Templates that no process is made from are walked too, with made-up arguments and for their mistakes only.
//!
//! After a mistake the walk continues with `NamedEntity::Poison` or `Operand::Poison`, about which nothing further
//! is reported.
//!
//! | file | what |
//! |---|---|
//! | `types.rs` | types and dimensions |
//! | `expr.rs`, `clock.rs`, `place.rs` | expressions; what can be said of clocks; variables and their elements |
//! | `assign.rs`, `call.rs` | assignments; calls |
//! | `decl.rs`, `function.rs` | declarations and initial values; functions and statements |
//! | `template.rs`, `system.rs`, `assigned.rs` | locations and edges; processes, parameters, priorities; which parameters change |
//! | `branches.rs` | which drawn edges an edge of a process is made of |
//! | `query.rs` | what is asked |

mod assign;
mod assigned;
mod branches;
mod call;
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
    BinaryOp, CellKind, CellPlace, ChannelPlace, ClockPlace, EvalError, EvalErrorKind, ExprId, ExprKind,
    FunctionId, Language, LocationId, Model, Overflow, ProcessId, QuantifierOp, Range, Root, UnaryOp,
};
use tourbillon_syntax::tree::{self, Name, Symbol, Tree};

pub use branches::drawn_edges;
pub use query::QueryInput;
use types::Ty;

/// The most expressions that are read, each as often as it is. It bounds the time that a model takes,
/// whatever is in it.
const VISITS_MAX: u64 = 1 << 24;

/// The most expressions that a model may have, after which nothing more is written out or made.
const EXPRS_MAX: usize = 1 << 21;

/// What to do about a result that exceeds 32 bits, if it is meant.
const MAY_WRAP: &str =
    "if results are meant to wrap, say so: `--overflow wrap`, or `// tourbillon: overflow wrap` in the model";

/// What is said of an argument by reference that refers to nothing.
const ONLY_A_VALUE: &str = "expected a variable, found a value";

/// What is to be lowered: a syntax tree, and what is asked of the model.
#[derive(Debug)]
pub struct Input<'t> {
    /// What the model is called.
    pub name: &'t str,
    /// The arena of the tree.
    pub tree: &'t Tree,
    /// The items, in order.
    pub model: &'t tree::Model,
    pub queries: &'t [QueryInput<'t>],
}

/// The model that a syntax tree means. Nothing if there were errors that concern the model; errors of single
/// queries leave those refused.
pub fn lower(input: &Input<'_>, diagnostics: &mut Diagnostics) -> Option<Model> {
    lower_as(input, Overflow::default(), diagnostics)
}

/// The same, where results that exceed 32 bits are treated like this: in constants, too, which are computed here.
pub fn lower_as(input: &Input<'_>, overflow: Overflow, diagnostics: &mut Diagnostics) -> Option<Model> {
    let mut lowerer = Lowerer::new(input, diagnostics);
    lowerer.model.overflow = overflow;
    let errors = lowerer.diagnostics.error_count();
    lowerer.items(&input.model.items);
    let sound = lowerer.diagnostics.error_count() == errors;
    for item in &input.model.items {
        if let tree::Item::Query(query) = item {
            lowerer.query(&QueryInput {
                query,
                text: String::new(),
                comment: String::new(),
                expected: None,
                broken: false,
            });
        }
    }
    for query in input.queries {
        lowerer.query(query);
    }
    lowerer.warn_of_unused();
    sound.then_some(lowerer.model)
}

/// What a name stands for.
#[derive(Clone, Debug)]
enum NamedEntity {
    /// An error was reported where it was declared.
    Poison,
    Type(Ty),
    /// A number that is known.
    Constant(i32, Ty),
    Data {
        place: CellPlace,
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
    entity: NamedEntity,
    /// Where it was declared; nothing for what is predeclared.
    span: Option<Span>,
}

type Scope = HashMap<Symbol, Binding>;

/// What the walk over an expression did.
#[derive(Clone, Default, Debug)]
struct SideEffects {
    /// Where a cell or clock of the model was written.
    wrote: Option<Span>,
    /// The references through which something was written.
    written_references: Vec<u32>,
    /// Whether anything but constants, local cells and what references lead to was read or written.
    touched: bool,
    /// How deep calls go.
    calls: u32,
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
    parameters: Vec<SignatureParameter>,
    returns: Ty,
    effects: SideEffects,
}

#[derive(Clone, Debug)]
struct SignatureParameter {
    ty: Ty,
    by_reference: bool,
    /// Whether the function may change what is passed by reference.
    written: bool,
}

/// What a declared name was for, and whether it was used.
#[derive(Debug)]
struct DeclarationUse {
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
    effects: SideEffects,
    /// What the functions of the model take and return.
    signatures: IdVec<FunctionId, Signature>,
    /// What the function that is being read returns.
    returns: Option<Ty>,
    priorities: Option<&'t tree::ChannelPriority>,
    declared: BTreeMap<Span, DeclarationUse>,
    templates: HashMap<Symbol, &'t tree::Template>,
    instances: HashMap<Symbol, &'t tree::Instance>,
    /// For each process its names and locations.
    process_scopes: IdVec<ProcessId, ProcessScope>,
    process_names: HashMap<String, ProcessId>,
    /// The templates and instances that processes were made from.
    made: HashSet<Symbol>,
    /// How many locations and edges all processes have.
    edges: usize,
    /// Whether `deadlock` is allowed.
    in_query: bool,
    /// Whether what is being read can be seen never to happen: that it would fail is then nothing to warn of.
    dead: bool,
    /// Whether what is being read is tried with made-up arguments, so that values mean nothing.
    made_up: bool,
    /// Where a process was named whose arguments depend on a quantified name.
    open_process: Option<Span>,
    /// Calls whose value is not followed, but which may do something.
    aside: Vec<ExprId>,
    /// Whether what is being read is read to find out whether a quantifier has to be written out.
    probing: bool,
    /// How many operators are in the rows that what is being read stands in.
    chained: usize,
    /// How many expressions of the text were read, those of templates and quantifiers each time they were.
    visits: u64,
    /// Whether there is no room left, which was reported.
    full: bool,
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
            effects: SideEffects::default(),
            signatures: IdVec::new(),
            returns: None,
            priorities: None,
            declared: BTreeMap::new(),
            templates: HashMap::new(),
            instances: HashMap::new(),
            process_scopes: IdVec::new(),
            process_names: HashMap::new(),
            made: HashSet::new(),
            edges: 0,
            in_query: false,
            dead: false,
            made_up: false,
            open_process: None,
            aside: Vec::new(),
            probing: false,
            chained: 0,
            visits: 0,
            full: false,
        };
        lowerer.scopes = vec![lowerer.predeclared(), Scope::new()];
        lowerer
    }

    /// The names that need no declaration.
    fn predeclared(&self) -> Scope {
        let int = |min, max| Ty::Int(Range { min, max });
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
        // `cost` is that of priced automata: it can be increased and given a rate, and no guard can ask for
        // it.
        let doubles =
            ["FLT_MIN", "FLT_MAX", "DBL_MIN", "DBL_MAX", "M_PI", "M_E", "M_SQRT2", "M_LN2", "M_LN10", "cost"];
        let types = types.into_iter().map(|(name, ty)| (name, NamedEntity::Type(ty)));
        let constants = constants
            .into_iter()
            .map(|(name, value)| (name, NamedEntity::Constant(value, int(value, value))));
        let doubles = doubles.into_iter().map(|name| (name, NamedEntity::Abstracted));
        let all = types.chain(constants).chain(doubles);
        all.filter_map(|(name, entity)| Some((self.tree.symbol(name)?, Binding { entity, span: None })))
            .collect()
    }
}

impl Lowerer<'_> {
    /// Reports something once for its place, however many processes it concerns.
    fn report(&mut self, diagnostic: Diagnostic) {
        let of_values = self.made_up && codes::DEPEND_ON_VALUES.contains(&diagnostic.code);
        let of_dead = self.dead && codes::FAIL_WHEN_EVALUATED.contains(&diagnostic.code);
        if of_values || of_dead {
            return;
        }
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
            .map(|(&span, DeclarationUse { name, what, .. })| {
                Diagnostic::warning(codes::UNUSED, span, format!("the {what} `{name}` is never used"))
            })
            .collect();
        unused.into_iter().for_each(|diagnostic| self.report(diagnostic));
    }
}

impl Lowerer<'_> {
    /// Declares a name in the innermost scope. `what` says what it is for, if being unused is worth a
    /// warning.
    fn declare(&mut self, name: Name, entity: NamedEntity, what: Option<&'static str>) {
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
        self.warn_of_hidden_in(self.scopes.len() - 1, name);
        if let Some(what) = what {
            self.declared.entry(name.span).or_insert(DeclarationUse { name: text, what, used: false });
        }
        let binding = Binding { entity, span: Some(name.span) };
        self.scopes.last_mut().expect("a scope is open").insert(name.symbol, binding);
    }

    /// Warns if a name that is about to get a scope of its own hides one that is visible now.
    fn warn_of_hidden(&mut self, name: Name) {
        self.warn_of_hidden_in(self.scopes.len(), name);
    }

    /// Warns if a name hides one of the outermost scopes, of which this many count.
    fn warn_of_hidden_in(&mut self, scopes: usize, name: Name) {
        let mut outer = self.scopes[..scopes].iter().rev().filter_map(|scope| scope.get(&name.symbol));
        if let Some(&Binding { span: Some(outer), .. }) = outer.next() {
            let message = format!("`{}` shadows an outer declaration of the same name", self.tree.name(name));
            let diagnostic = Diagnostic::warning(codes::HIDDEN_NAME, name.span, message);
            self.report(diagnostic.label(outer, "this is hidden"));
        }
    }

    /// What a name stands for, without a word if nothing.
    fn find(&self, symbol: Symbol) -> Option<NamedEntity> {
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
    fn look_up(&mut self, name: Name) -> Option<NamedEntity> {
        self.mark_used(name.symbol);
        let found = self.find(name.symbol);
        // A name that is missing from the text was reported when that was read.
        let text = self.tree.name(name).to_owned();
        if found.is_none() && !text.is_empty() {
            let diagnostic =
                Diagnostic::error(codes::UNKNOWN_NAME, name.span, format!("`{text}` is not declared"));
            let sound = |binding: &Binding| !matches!(binding.entity, NamedEntity::Poison);
            let bindings = self.scopes.iter().flatten().filter(|(_, binding)| sound(binding));
            let visible = bindings.map(|(&symbol, _)| self.tree.text(symbol));
            let diagnostic = self.with_suggestion(diagnostic, &text, visible);
            self.report(diagnostic);
            self.scopes[1].insert(name.symbol, Binding { entity: NamedEntity::Poison, span: None });
        }
        found
    }

    /// Adds the name that was meant, if one is much like what was written. The hundredth is useless
    /// message, and a thousand unknown names among a thousand others would take their time.
    fn with_suggestion<'a>(
        &self,
        diagnostic: Diagnostic,
        text: &str,
        known: impl Iterator<Item = &'a str>,
    ) -> Diagnostic {
        let shown = self.diagnostics.error_count() < Diagnostics::DEFAULT_CAP;
        match shown.then(|| closest(text, known)).flatten() {
            Some(similar) => diagnostic.help(format!("did you mean `{similar}`?")),
            None => diagnostic,
        }
    }

    fn in_scope<R>(&mut self, scope: Scope, work: impl FnOnce(&mut Self) -> R) -> R {
        self.scopes.push(scope);
        let result = work(self);
        self.scopes.pop();
        result
    }
}

/// The candidate with the smallest edit distance, if that is small for the length of the word. Of a word of
/// one or two letters, any other would be one.
pub(crate) fn closest<'a>(text: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    let length = text.chars().count();
    let limit = length.div_ceil(4);
    let alike = |candidate: &&str| {
        length > 2 && candidate.len().abs_diff(text.len()) <= limit || candidate.eq_ignore_ascii_case(text)
    };
    let near = candidates.filter(alike).map(|candidate| (distance(text, candidate), candidate));
    near.filter(|&(distance, _)| distance > 0 && distance <= limit)
        .min()
        .map(|(_, candidate)| candidate.to_owned())
}

/// The number of letters to insert, delete, replace, or swap with the next.
fn distance(one: &str, two: &str) -> usize {
    let (one, two) = without_common_ends(one.as_bytes(), two.as_bytes());
    let mut before: Vec<usize> = vec![0; two.len() + 1];
    let mut row: Vec<usize> = (0..=two.len()).collect();
    let mut next: Vec<usize> = vec![0; two.len() + 1];
    for i in 0..one.len() {
        next[0] = i + 1;
        for j in 0..two.len() {
            let replaced = row[j] + usize::from(one[i] != two[j]);
            let swapped = match i > 0 && j > 0 && one[i] == two[j - 1] && one[i - 1] == two[j] {
                true => before[j - 1] + 1,
                false => usize::MAX,
            };
            next[j + 1] = replaced.min(swapped).min(row[j + 1] + 1).min(next[j] + 1);
        }
        std::mem::swap(&mut before, &mut row);
        std::mem::swap(&mut row, &mut next);
    }
    row[two.len()]
}

/// What is left of two words without the letters that they start and end with alike, since these cost
/// nothing.
fn without_common_ends<'a>(one: &'a [u8], two: &'a [u8]) -> (&'a [u8], &'a [u8]) {
    let start = one.iter().zip(two).take_while(|(a, b)| a == b).count();
    let (one, two) = (&one[start..], &two[start..]);
    let end = one.iter().rev().zip(two.iter().rev()).take_while(|(a, b)| a == b).count();
    (&one[..one.len() - end], &two[..two.len() - end])
}

impl Lowerer<'_> {
    /// Adds an expression, or the number that it comes to if that is known.
    fn add(&mut self, kind: ExprKind, span: Span) -> ExprId {
        let kind = match self.folded(&kind) {
            Some(Ok(folded)) => folded,
            Some(Err(problem)) => {
                let message = format!("this is {problem}, in every state");
                let mut diagnostic = Diagnostic::warning(codes::ALWAYS_FAILS, span, message);
                if problem == EvalErrorKind::Overflow {
                    diagnostic = diagnostic.help(MAY_WRAP);
                }
                self.report(diagnostic);
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

    fn folded(&self, kind: &ExprKind) -> Option<Result<ExprKind, EvalErrorKind>> {
        match kind {
            ExprKind::Load(place) if place.indices.is_empty() => match place.root {
                Root::Global(cell) => {
                    let cell = self.model.cells.get(offset_id(cell, place.offset))?;
                    (cell.kind == CellKind::Constant).then_some(Ok(ExprKind::Int(cell.initial)))
                }
                Root::Local(_) | Root::Reference(_) => None,
            },
            ExprKind::Unary(UnaryOp::Negate, operand) if self.negates(*operand).is_some() => {
                let inner = self.negates(*operand)?;
                Some(Ok(self.model.exprs[inner].kind.clone()))
            }
            ExprKind::Unary(UnaryOp::Not, operand)
                if let ExprKind::Unary(UnaryOp::Not, inner) = self.model.exprs[*operand].kind =>
            {
                Some(Ok(self.truth_of(inner)))
            }
            ExprKind::Unary(op, operand) => {
                Some(op.apply(self.known(*operand)?, self.model.overflow).map(ExprKind::Int))
            }
            ExprKind::Binary(BinaryOp::And, left, _) if self.known(*left) == Some(0) => {
                Some(Ok(ExprKind::Int(0)))
            }
            ExprKind::Binary(BinaryOp::Or, left, _) if self.known(*left).is_some_and(|v| v != 0) => {
                Some(Ok(ExprKind::Int(1)))
            }
            ExprKind::Binary(op, left, right) => match (op, self.known(*left), self.known(*right)) {
                (op, Some(left), Some(right)) => {
                    Some(op.apply(left, right, self.model.overflow).map(ExprKind::Int))
                }
                (BinaryOp::And, Some(_), None) | (BinaryOp::Or, Some(0), None) => {
                    Some(Ok(self.truth_of(*right)))
                }
                (BinaryOp::And, None, Some(value)) if value != 0 => Some(Ok(self.truth_of(*left))),
                (BinaryOp::Or, None, Some(0)) => Some(Ok(self.truth_of(*left))),
                (BinaryOp::And, None, Some(_)) if self.cannot_fail(*left) => Some(Ok(ExprKind::Int(0))),
                (BinaryOp::Or, None, Some(_)) if self.cannot_fail(*left) => Some(Ok(ExprKind::Int(1))),
                _ => None,
            },
            ExprKind::Conditional(condition, yes, no) => {
                let chosen = if self.known(*condition)? != 0 { yes } else { no };
                Some(Ok(self.model.exprs[*chosen].kind.clone()))
            }
            _ => None,
        }
    }

    /// Whether evaluating an expression always succeeds and changes nothing, so that it can as well be left
    /// out.
    fn cannot_fail(&self, expr: ExprId) -> bool {
        match &self.model.exprs[expr].kind {
            ExprKind::Int(_) | ExprKind::AtLocation(..) => true,
            ExprKind::Load(place) => place.indices.is_empty(),
            ExprKind::Unary(UnaryOp::Not | UnaryOp::Truth, operand) => self.cannot_fail(*operand),
            ExprKind::Binary(op, left, right) => {
                is_truth(*op) && self.cannot_fail(*left) && self.cannot_fail(*right)
            }
            _ => false,
        }
    }

    /// An expression as a truth value: itself if it is 0 or 1 anyway.
    fn truth_of(&self, expr: ExprId) -> ExprKind {
        let kind = &self.model.exprs[expr].kind;
        let is_truth_already = match kind {
            ExprKind::Unary(op, _) => matches!(op, UnaryOp::Not | UnaryOp::Truth),
            ExprKind::Binary(op, ..) => is_truth(*op),
            ExprKind::Load(place) => place.range == Range::BOOL,
            ExprKind::Quantifier { op, .. } => *op != QuantifierOp::Sum,
            ExprKind::AtLocation(..)
            | ExprKind::Deadlock
            | ExprKind::SameCells { .. }
            | ExprKind::Clock(_) => true,
            _ => false,
        };
        if is_truth_already { kind.clone() } else { ExprKind::Unary(UnaryOp::Truth, expr) }
    }

    /// What is negated, if the expression is a negation. Comparisons of clocks turn bounds over and back
    /// again.
    fn negates(&self, expr: ExprId) -> Option<ExprId> {
        match self.model.exprs[expr].kind {
            ExprKind::Unary(UnaryOp::Negate, inner) if self.known(inner).is_none() => Some(inner),
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

    /// The value of an expression that must be constant.
    fn constant(&mut self, expr: tree::ExprId) -> Option<i32> {
        let first = self.locals.next;
        let value = self.perhaps_dead(true, |lowerer| lowerer.value(expr));
        let constant = value.and_then(|value| self.constant_value(value, first));
        self.release(first);
        constant
    }

    /// The value of an expression that must be constant and uses local cells from `first` on. That it
    /// fails is an error here, so expressions of this kind are read without the warnings that they would.
    fn constant_value(&mut self, value: ExprId, first: u32) -> Option<i32> {
        match self.try_constant(value, first) {
            Ok(value) => Some(value),
            Err(problem) => {
                let message = match problem.kind {
                    EvalErrorKind::NotKnown => "this must be a constant".to_owned(),
                    kind => format!("this must be a constant, and computing it fails: {kind}"),
                };
                let whole = self.model.exprs[value].span;
                let inside = whole.to(problem.span) == whole;
                let mut diagnostic = match inside {
                    true => Diagnostic::error(codes::NOT_CONSTANT, problem.span, message),
                    false => {
                        Diagnostic::error(codes::NOT_CONSTANT, whole, message).label(problem.span, "here")
                    }
                };
                if problem.kind == EvalErrorKind::Overflow {
                    diagnostic = diagnostic.help(MAY_WRAP);
                }
                self.report(diagnostic);
                None
            }
        }
    }

    fn try_constant(&self, value: ExprId, first: u32) -> Result<i32, EvalError> {
        match self.known(value) {
            Some(value) => Ok(value),
            None => self.model.constant(value, first..self.locals.most.max(first)),
        }
    }

    /// Does some work on what is never evaluated, if that is known.
    fn perhaps_dead<R>(&mut self, dead: bool, work: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.dead;
        self.dead |= dead;
        let result = work(self);
        self.dead = outer;
        result
    }

    /// Takes local cells until [`Self::release`] is called with the first of them.
    fn reserve(&mut self, cells: u32) -> u32 {
        let first = self.locals.next;
        self.locals.next = first.saturating_add(cells);
        self.locals.most = self.locals.most.max(self.locals.next);
        first
    }

    /// Takes local cells that nothing before has used, not even for a moment: for what is kept while other parts of the same
    /// expression, lowered earlier, are evaluated, such as the arguments of a call.
    fn reserve_apart(&mut self, cells: u32) -> u32 {
        self.locals.next = self.locals.next.max(self.locals.most);
        self.reserve(cells)
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
            self.error(codes::SIDE_EFFECT, span, format!("{what} cannot have side effects"));
        }
        let calls = outer.calls.max(self.effects.calls);
        self.effects = SideEffects { touched: outer.touched || self.effects.touched, calls, ..outer };
        result
    }
}

/// Whether an operator yields 0 or 1.
fn is_truth(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Less
            | BinaryOp::LessOrEqual
            | BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::And
            | BinaryOp::Or
    )
}

/// The id this many further on.
fn offset_id<I: tourbillon_base::Id>(id: I, offset: u32) -> I {
    I::from_index(id.index() + offset as usize)
}
