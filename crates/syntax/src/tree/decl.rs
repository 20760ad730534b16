//! Types, declarations, functions and statements.
//!
//! The tree says what was written, not whether it is allowed: `const void x[2];` has a place here. What the
//! grammar cannot tell (whether `a[N]` has a size or a type in its brackets, which type a name stands for) is left
//! open for the phase that knows the scopes.

use tourbillon_base::Span;

use super::{Binder, ExprId, Name, Symbol};

/// A type, without the dimensions of an array: these follow the declared name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Type {
    /// The words before it.
    pub prefix: TypePrefix,
    pub kind: TypeKind,
    /// Where it is written, prefixes included.
    pub span: Span,
}

/// The words before a type.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TypePrefix {
    /// `const`.
    pub constant: bool,
    /// `meta`: not part of the state.
    pub meta: bool,
    /// `urgent`, of a channel.
    pub urgent: bool,
    /// `broadcast`, of a channel.
    pub broadcast: bool,
    /// `hybrid`, of a clock.
    pub hybrid: bool,
}

/// What a type is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeKind {
    /// Text that could not be understood; an error was reported.
    Error,
    /// `int`, `int[lower,upper]`.
    Int(Option<(ExprId, ExprId)>),
    /// `bool`.
    Bool,
    /// `clock`.
    Clock,
    /// `chan`.
    Chan,
    /// `double`.
    Double,
    /// `string`.
    Str,
    /// `void`, of a function.
    Void,
    /// `scalar[size]`.
    Scalar(ExprId),
    /// `struct { … }`.
    Struct(Vec<Variables>),
    /// The name of a type.
    Named(Symbol),
}

impl Type {
    /// Calls `visit` with every expression in it: bounds, sizes and dimensions.
    pub fn for_each_expr(&self, visit: &mut impl FnMut(ExprId)) {
        match &self.kind {
            TypeKind::Int(Some((lower, upper))) => [*lower, *upper].into_iter().for_each(visit),
            TypeKind::Scalar(size) => visit(*size),
            TypeKind::Struct(fields) => fields.iter().for_each(|field| field.for_each_expr(visit)),
            _ => {}
        }
    }
}

impl Variables {
    /// The declared names need no look: a field has no initialiser.
    fn for_each_expr(&self, visit: &mut impl FnMut(ExprId)) {
        self.ty.for_each_expr(visit);
        for dimension in self.names.iter().flat_map(|declared| &declared.dimensions) {
            match dimension {
                Dimension::Size(size) => visit(*size),
                Dimension::Type(ty) => ty.for_each_expr(visit),
            }
        }
    }
}

/// A dimension of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dimension {
    /// `[e]`. A single name can be that of a type, which only the scopes tell.
    Size(ExprId),
    /// `[int[0,3]]`, `[scalar[3]]`: a type that cannot be an expression.
    Type(Type),
}

/// A declared name: `name[3][T] = init`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredName {
    pub name: Name,
    /// The dimensions, outermost first.
    pub dimensions: Vec<Dimension>,
    pub init: Option<ExprId>,
    pub span: Span,
}

/// `type name, name;`: variables, constants, clocks, channels, or the fields of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variables {
    /// The type that they share.
    pub ty: Type,
    pub names: Vec<DeclaredName>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decl {
    /// `int a, b[3];`.
    Variables(Variables),
    /// `typedef int[0,3] id_t;`. A type name can have dimensions, never an initial value.
    Typedef(Variables),
    Function(Function),
    /// `chan priority a < default < b;`.
    ChannelPriority(ChannelPriority),
    /// `before_update { e, e }`.
    BeforeUpdate(Hook),
    /// `after_update { e, e }`.
    AfterUpdate(Hook),
    /// `import "lib.so" { … };`.
    Import(Import),
    /// `dynamic P(int a);`.
    Dynamic(DynamicTemplate),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    pub returns: Type,
    pub name: Name,
    pub params: Vec<Param>,
    pub body: Block,
    pub span: Span,
}

/// A parameter of a function or template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    pub ty: Type,
    /// Whether it is passed by reference.
    pub by_reference: bool,
    pub name: Name,
    pub dimensions: Vec<Dimension>,
    pub span: Span,
}

/// `chan priority`: groups of channels, the lowest priority first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelPriority {
    pub groups: Vec<Vec<ChannelRef>>,
    pub span: Span,
}

/// A member of a group of channels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChannelRef {
    /// `default`: every channel not named elsewhere, and internal steps.
    Default(Span),
    /// A channel, an array of channels or an element of one.
    Channel(ExprId),
}

/// Expressions evaluated before or after every update.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hook {
    pub updates: Vec<ExprId>,
    pub span: Span,
}

/// Functions from a library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// The path of the library.
    pub library: Name,
    pub functions: Vec<ImportedFunction>,
    pub span: Span,
}

/// A function from a library: `local = type name(params)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportedFunction {
    /// Its name in the model, if it is another than in the library.
    pub alias: Option<Name>,
    pub returns: Type,
    /// Its name in the library.
    pub name: Name,
    pub params: Vec<Param>,
    pub span: Span,
}

/// The announcement of a dynamic template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DynamicTemplate {
    pub name: Name,
    pub params: Vec<Param>,
    pub span: Span,
}

/// `{ declarations statements }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Variables and types, in order.
    pub declarations: Vec<Decl>,
    pub statements: Vec<Stmt>,
    /// All of it, braces included.
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StmtKind {
    /// Text that could not be understood; an error was reported.
    Error,
    /// `;`.
    Empty,
    /// `e;`.
    Expr(ExprId),
    /// `{ … }`.
    Block(Block),
    /// `if (c) s else if (c) s else s`.
    If {
        /// The conditions with their statements, at least one; the first that holds is taken.
        arms: Vec<(ExprId, Stmt)>,
        /// What happens if none holds.
        otherwise: Option<Box<Stmt>>,
    },
    /// `while (c) s`.
    While { condition: ExprId, body: Box<Stmt> },
    /// `do s while (c);`.
    DoWhile { body: Box<Stmt>, condition: ExprId },
    /// `for (i = 0; i < n; i++) s`. Each part is a list, evaluated in order.
    For {
        /// Evaluated first.
        init: Vec<ExprId>,
        /// The last of these decides; true if there is none.
        condition: Vec<ExprId>,
        /// Evaluated after the body.
        step: Vec<ExprId>,
        body: Box<Stmt>,
    },
    /// `for (i : T) s`.
    ForEach {
        /// The name and its type.
        binder: Binder,
        body: Box<Stmt>,
    },
    /// `return e;`.
    Return(Option<ExprId>),
    /// `assert e;`.
    Assert(ExprId),
}
