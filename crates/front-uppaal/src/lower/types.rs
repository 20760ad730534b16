//! Types during lowering: those of the model, and those that it does not have.

use tourbillon_base::Span;
use tourbillon_model::{self as model, Range, Type};
use tourbillon_syntax::tree::{self, TypeKind};

use super::{Lowerer, NamedEntity, codes};

/// The most cells, clocks or channels that a single variable may take.
const SIZE_MAX: u64 = 1 << 20;

/// How deep arrays and records may be in each other, and how many fields there may be in one.
const DEPTH_MAX: usize = 32;
const FIELDS_MAX: usize = 1024;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ty {
    /// An error was reported.
    Poison,
    /// No value at all.
    Void,
    Int(Range),
    Bool,
    /// Floating point, abstracted away.
    Double,
    Text,
    Scalar {
        set: u32,
        size: u32,
    },
    Array {
        index: IndexType,
        element: Box<Ty>,
    },
    Struct(Vec<(String, Ty)>),
    Clock,
    Channel {
        urgent: bool,
        broadcast: bool,
    },
}

/// What an array is indexed by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct IndexType {
    pub(super) range: Range,
    /// The scalar set that indices must be of.
    pub(super) set: Option<u32>,
}

impl Ty {
    pub(super) fn size(&self) -> u64 {
        match self {
            Self::Array { index, element } => index.range.len().saturating_mul(element.size()),
            Self::Struct(fields) => fields.iter().map(|(_, ty)| ty.size()).fold(0, u64::saturating_add),
            Self::Void => 0,
            _ => 1,
        }
    }

    pub(super) fn cells(&self) -> u32 {
        u32::try_from(self.size()).unwrap_or(u32::MAX)
    }

    /// The range of a value in one cell.
    pub(super) fn range(&self) -> Option<Range> {
        match *self {
            Self::Int(range) => Some(range),
            Self::Bool => Some(Range::BOOL),
            Self::Scalar { size, .. } => Some(Range { min: 0, max: size as i32 - 1 }),
            _ => None,
        }
    }

    /// What the elements of the innermost arrays are.
    pub(super) fn innermost(&self) -> &Self {
        match self {
            Self::Array { element, .. } => element.innermost(),
            other => other,
        }
    }

    pub(super) fn is_number(&self) -> bool {
        matches!(self, Self::Int(_) | Self::Bool)
    }

    pub(super) fn is_aggregate(&self) -> bool {
        matches!(self, Self::Array { .. } | Self::Struct(_))
    }

    /// Whether its values are not followed: a floating-point number or string is somewhere in it.
    pub(super) fn is_abstracted(&self) -> bool {
        match self {
            Self::Double | Self::Text => true,
            Self::Array { element, .. } => element.is_abstracted(),
            Self::Struct(fields) => fields.iter().any(|(_, ty)| ty.is_abstracted()),
            _ => false,
        }
    }

    /// Whether a value of the other type can be assigned to, or compared with, this one. Numbers stand for
    /// truth values and the other way round, but not as elements or fields. Ranges are no matter.
    pub(super) fn accepts(&self, other: &Self) -> bool {
        self.is_number() && other.is_number() || self.alike(other)
    }

    /// Whether the types are the same but for the ranges of numbers.
    pub(super) fn alike(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Poison, _) | (_, Self::Poison) | (Self::Int(_), Self::Int(_)) => true,
            (Self::Array { index: a, element: x }, Self::Array { index: b, element: y }) => {
                a.range.len() == b.range.len() && a.set == b.set && x.alike(y)
            }
            (Self::Struct(a), Self::Struct(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|((n, x), (m, y))| n == m && x.alike(y))
            }
            (Self::Channel { .. }, Self::Channel { .. }) => true,
            (one, two) => one == two,
        }
    }

    /// Of types that are alike, whether every value of the other is one of this.
    pub(super) fn includes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Int(one), Self::Int(two)) => one.includes(*two),
            (Self::Array { element: x, .. }, Self::Array { element: y, .. }) => x.includes(y),
            (Self::Struct(a), Self::Struct(b)) => a.iter().zip(b).all(|((_, x), (_, y))| x.includes(y)),
            _ => true,
        }
    }

    /// The type of a constant: the range of a plain `int` concerns what changes.
    pub(super) fn of_32_bits(self) -> Self {
        match self {
            Self::Int(Range::INT16) => Self::Int(Range::INT32),
            Self::Array { index, element } => Self::Array { index, element: Box::new(element.of_32_bits()) },
            other => other,
        }
    }

    /// How deep arrays and records are in each other.
    fn depth(&self) -> usize {
        match self {
            Self::Array { element, .. } => 1 + element.depth(),
            Self::Struct(fields) => 1 + fields.iter().map(|(_, ty)| ty.depth()).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// How many fields there are, those of inner records and of elements included.
    fn fields(&self) -> usize {
        match self {
            Self::Array { element, .. } => element.fields(),
            Self::Struct(fields) => fields.iter().map(|(_, ty)| 1 + ty.fields()).sum(),
            _ => 0,
        }
    }

    /// As the model has it. Only for types whose parts are data or clocks.
    pub(super) fn to_model(&self) -> Type {
        match self {
            Self::Int(range) => Type::Int(*range),
            Self::Bool => Type::Bool,
            Self::Scalar { set, size } => Type::Scalar { set: *set, size: *size },
            Self::Array { index, element } => {
                Type::Array { index: index.range, element: Box::new(element.to_model()) }
            }
            Self::Struct(fields) => {
                let field =
                    |(name, ty): &(String, Self)| model::Field { name: name.clone(), ty: ty.to_model() };
                Type::Struct(fields.iter().map(field).collect())
            }
            Self::Clock => Type::Clock,
            Self::Poison | Self::Void | Self::Double | Self::Text | Self::Channel { .. } => {
                Type::Int(Range::INT32)
            }
        }
    }

    /// As a person would name it.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Poison => "something unclear".to_owned(),
            Self::Void => "nothing".to_owned(),
            Self::Int(Range::INT16 | Range::INT32) => "an integer".to_owned(),
            Self::Int(range) => format!("an integer from {} to {}", range.min, range.max),
            Self::Bool => "a Boolean".to_owned(),
            Self::Double => "a floating-point number".to_owned(),
            Self::Text => "a string".to_owned(),
            Self::Scalar { size, .. } => format!("a scalar of a set of {size}"),
            Self::Array { index, element } => {
                format!("an array of {} times {}", index.range.len(), element.describe())
            }
            Self::Struct(_) => "a record".to_owned(),
            Self::Clock => "a clock".to_owned(),
            Self::Channel { .. } => "a channel".to_owned(),
        }
    }
}

impl Lowerer<'_> {
    /// The type that is written, with its dimensions, which are those of an array from the outermost on.
    pub(super) fn ty(&mut self, ty: &tree::Type, dimensions: &[tree::Dimension]) -> Ty {
        let mut result = self.base_type(ty);
        for dimension in dimensions.iter().rev() {
            let Some(index) = self.dimension(dimension) else { return Ty::Poison };
            result = Ty::Array { index, element: Box::new(result) };
            if !self.is_of_sound_size(&result, ty.span) {
                return Ty::Poison;
            }
        }
        result
    }

    /// Reports a type that is too large to work with. Each is checked as soon as it is put together, so that
    /// what it is put together from is never too large itself.
    fn is_of_sound_size(&mut self, ty: &Ty, span: Span) -> bool {
        let message = if ty.size() > SIZE_MAX {
            format!("a type of {} cells, more than {SIZE_MAX}", ty.size())
        } else if ty.depth() > DEPTH_MAX {
            format!("arrays and records in each other, more than {DEPTH_MAX} deep")
        } else if ty.fields() > FIELDS_MAX {
            format!("a record of {} fields, more than {FIELDS_MAX}", ty.fields())
        } else {
            return true;
        };
        self.error(codes::MODEL_TOO_LARGE, span, message);
        false
    }

    fn base_type(&mut self, ty: &tree::Type) -> Ty {
        match &ty.kind {
            TypeKind::Error => Ty::Poison,
            TypeKind::Int(None) => Ty::Int(Range::INT16),
            TypeKind::Int(Some((lower, upper))) => {
                let ends = (self.constant(*lower), self.constant(*upper));
                let (Some(min), Some(max)) = ends else { return Ty::Poison };
                match Range::new(min, max) {
                    Some(range) => Ty::Int(range),
                    None => {
                        self.error(
                            codes::BAD_RANGE,
                            ty.span,
                            format!("the range from {min} to {max} is empty"),
                        );
                        Ty::Poison
                    }
                }
            }
            TypeKind::Bool => Ty::Bool,
            TypeKind::Clock if ty.prefix.hybrid => Ty::Double,
            TypeKind::Clock => Ty::Clock,
            TypeKind::Chan => Ty::Channel { urgent: ty.prefix.urgent, broadcast: ty.prefix.broadcast },
            TypeKind::Double => Ty::Double,
            TypeKind::Str => Ty::Text,
            TypeKind::Void => Ty::Void,
            TypeKind::Scalar(size) => self.scalar_set(*size),
            TypeKind::Struct(fields) => {
                let record = self.record(fields);
                if self.is_of_sound_size(&record, ty.span) { record } else { Ty::Poison }
            }
            TypeKind::Named(symbol) => {
                let name = tree::Name { symbol: *symbol, span: ty.span };
                match self.look_up(name) {
                    Some(NamedEntity::Type(named)) => with_prefix(named, ty.prefix),
                    Some(NamedEntity::Poison) | None => Ty::Poison,
                    Some(_) => {
                        let text = format!("`{}` is not a type", self.tree.name(name));
                        self.error(codes::WRONG_KIND, ty.span, text);
                        Ty::Poison
                    }
                }
            }
        }
    }

    /// Each mention of `scalar[n]` is a set of its own; a typedef makes it one set with a name.
    fn scalar_set(&mut self, size: tree::ExprId) -> Ty {
        let Some(count) = self.constant(size) else { return Ty::Poison };
        if count < 1 {
            self.error(codes::BAD_RANGE, self.tree[size].span, format!("a scalar set of {count} elements"));
            return Ty::Poison;
        }
        self.scalar_sets += 1;
        Ty::Scalar { set: self.scalar_sets, size: count as u32 }
    }

    fn record(&mut self, fields: &[tree::Variables]) -> Ty {
        let mut list: Vec<(String, Ty)> = Vec::new();
        for variables in fields {
            for declared in &variables.names {
                let ty = self.ty(&variables.ty, &declared.dimensions);
                let name = self.tree.name(declared.name).to_owned();
                let innermost = ty.innermost();
                if matches!(innermost, Ty::Clock | Ty::Channel { .. } | Ty::Void | Ty::Text) {
                    let text = format!("a record cannot have {} as a field", innermost.describe());
                    self.error(codes::WRONG_TYPE, declared.span, text);
                } else if list.iter().any(|(other, _)| *other == name) {
                    self.error(
                        codes::DECLARED_TWICE,
                        declared.name.span,
                        format!("`{name}` is declared twice"),
                    );
                } else {
                    list.push((name, ty));
                }
            }
        }
        Ty::Struct(list)
    }

    fn dimension(&mut self, dimension: &tree::Dimension) -> Option<IndexType> {
        match dimension {
            tree::Dimension::Size(expr) => {
                if let Some(name) = self.tree.as_name(*expr)
                    && let Some(NamedEntity::Type(ty)) = self.find(name.symbol)
                {
                    self.mark_used(name.symbol);
                    return self.index_type(&ty, name.span);
                }
                let size = self.constant(*expr)?;
                let range = Range::new(0, size.saturating_sub(1)).filter(|_| size > 0);
                if range.is_none() {
                    self.error(
                        codes::BAD_RANGE,
                        self.tree[*expr].span,
                        format!("an array of {size} elements"),
                    );
                }
                Some(IndexType { range: range?, set: None })
            }
            tree::Dimension::Type(ty) => {
                let index = self.base_type(ty);
                self.index_type(&index, ty.span)
            }
        }
    }

    /// The indices that a type stands for.
    pub(super) fn index_type(&mut self, ty: &Ty, span: Span) -> Option<IndexType> {
        match ty {
            Ty::Int(range) => Some(IndexType { range: *range, set: None }),
            Ty::Bool => Some(IndexType { range: Range::BOOL, set: None }),
            Ty::Scalar { set, size } => {
                Some(IndexType { range: Range { min: 0, max: *size as i32 - 1 }, set: Some(*set) })
            }
            Ty::Poison => None,
            other => {
                let text = format!("an index is an integer or a scalar, not {}", other.describe());
                self.error(codes::WRONG_TYPE, span, text);
                None
            }
        }
    }
}

/// A type by name can be made urgent or broadcast where it is used.
fn with_prefix(ty: Ty, prefix: tree::TypePrefix) -> Ty {
    match ty {
        Ty::Channel { urgent, broadcast } => {
            Ty::Channel { urgent: urgent || prefix.urgent, broadcast: broadcast || prefix.broadcast }
        }
        Ty::Array { index, element } => Ty::Array { index, element: Box::new(with_prefix(*element, prefix)) },
        other => other,
    }
}
