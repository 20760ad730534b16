//! Variables, and their elements and fields.

use tourbillon_base::{Diagnostic, Span};
use tourbillon_model::{
    CellKind, CellPlace, ChannelPlace, ClockPlace, ExprId, ExprKind, IndexStep, Range, Root,
};
use tourbillon_syntax::tree::{self, Name};

use super::clock::{ClockFormula, ClockTerm};
use super::types::Ty;
use super::{Lowerer, NamedEntity, codes, offset_id};

/// What an expression came to.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    /// An error was reported.
    Poison,
    /// One integer, or nothing if the type is void.
    Value(ExprId, Ty),
    /// A variable, or a part of one.
    Data {
        place: CellPlace,
        ty: Ty,
        constant: bool,
        /// What must be evaluated first to fill the place.
        setup: Option<ExprId>,
    },
    /// A clock, or an array of clocks.
    Clock { place: ClockPlace, ty: Ty },
    /// Clocks and numbers added and subtracted.
    Term(ClockTerm),
    /// A condition with comparisons of clocks in it.
    ClockFormula(ClockFormula),
    /// A channel, or an array of channels.
    Channel { place: ChannelPlace, ty: Ty },
    /// Something whose value is abstracted away: floating-point numbers and strings.
    Abstracted,
}

impl Operand {
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Poison => "something unclear".to_owned(),
            Self::Value(_, ty)
            | Self::Data { ty, .. }
            | Self::Clock { ty, .. }
            | Self::Channel { ty, .. } => ty.describe(),
            Self::Term(_) => "a difference of clocks".to_owned(),
            Self::ClockFormula(_) => "a condition on clocks".to_owned(),
            Self::Abstracted => "a floating-point number or string".to_owned(),
        }
    }
}

impl Lowerer<'_> {
    pub(super) fn name(&mut self, name: Name) -> Operand {
        let Some(entity) = self.look_up(name) else { return Operand::Poison };
        let wrong = match entity {
            NamedEntity::Poison => return Operand::Poison,
            NamedEntity::Constant(value, ty) => return Operand::Value(self.int(value, name.span), ty),
            NamedEntity::Data { place, ty, constant } => {
                return Operand::Data { place, ty, constant, setup: None };
            }
            NamedEntity::Clock { place, ty } => return Operand::Clock { place, ty },
            NamedEntity::Channel { place, ty } => return Operand::Channel { place, ty },
            NamedEntity::Abstracted => return Operand::Abstracted,
            NamedEntity::Type(_) => "is a type",
            NamedEntity::Function(_) | NamedEntity::OpenFunction => {
                "is a function, and is called with its arguments in brackets"
            }
            NamedEntity::Template => "is a template or process",
            NamedEntity::Unsupported(what) => {
                self.error(codes::UNSUPPORTED, name.span, format!("{what} are not supported"));
                return Operand::Poison;
            }
        };
        self.error(codes::WRONG_KIND, name.span, format!("`{}` {wrong}", self.tree.name(name)));
        Operand::Poison
    }

    /// `array[index]`.
    pub(super) fn index(&mut self, array: tree::ExprId, index: tree::ExprId, span: Span) -> Operand {
        let of = self.expr(array);
        let by = self.typed_value(index);
        let (Operand::Data { ty, .. } | Operand::Clock { ty, .. } | Operand::Channel { ty, .. }) = &of else {
            return self.not_an_array(&of, span);
        };
        let Ty::Array { index: indices, element } = ty.clone() else { return self.not_an_array(&of, span) };
        let Some((expr, by)) = by else { return Operand::Poison };
        let fits = match (&by, indices.set) {
            (Ty::Scalar { set, .. }, Some(wanted)) => *set == wanted,
            (ty, None) => ty.is_number(),
            _ => by == Ty::Poison,
        };
        if !fits {
            let message = format!("this array cannot be indexed by {}", by.describe());
            self.error(codes::WRONG_TYPE, self.tree[index].span, message);
            return Operand::Poison;
        }
        let step = self.step(expr, indices.range, element.cells(), self.tree[index].span);
        let ty = *element;
        match of {
            Operand::Data { mut place, constant, setup, .. } => {
                apply(step, &mut place.offset, &mut place.indices);
                place.range = ty.range().unwrap_or(Range::INT32);
                Operand::Data { place, ty, constant, setup }
            }
            Operand::Clock { mut place, .. } => {
                apply(step, &mut place.offset, &mut place.indices);
                Operand::Clock { place, ty }
            }
            Operand::Channel { mut place, .. } => {
                let mut offset = 0;
                apply(step, &mut offset, &mut place.indices);
                place.first = offset_id(place.first, offset);
                Operand::Channel { place, ty }
            }
            _ => Operand::Poison,
        }
    }

    fn not_an_array(&mut self, of: &Operand, span: Span) -> Operand {
        if !matches!(of, Operand::Poison | Operand::Abstracted) {
            self.error(codes::WRONG_TYPE, span, format!("{} has no elements", of.describe()));
        }
        if matches!(of, Operand::Abstracted) { Operand::Abstracted } else { Operand::Poison }
    }

    /// A step to an element: a known distance, or one to be computed. An index that is known to be outside is
    /// kept as one to be computed: evaluating it fails, and perhaps that never happens.
    fn step(&mut self, index: ExprId, range: Range, stride: u32, span: Span) -> Result<u32, IndexStep> {
        match self.known(index) {
            Some(value) if range.contains(value) => {
                return Ok((i64::from(value) - i64::from(range.min)) as u32 * stride);
            }
            Some(value) => {
                let message = format!("the index {value} is outside [{},{}]", range.min, range.max);
                self.warning(codes::INDEX_OUT_OF_RANGE, span, message);
            }
            None => {}
        }
        Err(IndexStep { index, range, stride })
    }

    /// `record.field`, or something of a process in a query.
    pub(super) fn field(&mut self, record: tree::ExprId, field: tree::Symbol, span: Span) -> Operand {
        if let Some(operand) = self.process_member(record, field, span) {
            return operand;
        }
        let name = self.tree.text(field).to_owned();
        match self.expr(record) {
            Operand::Poison => Operand::Poison,
            Operand::Abstracted => Operand::Abstracted,
            Operand::Data { mut place, ty: Ty::Struct(fields), constant, setup } => {
                let mut offset = 0;
                for (candidate, ty) in &fields {
                    if *candidate == name {
                        place.offset += offset;
                        place.range = ty.range().unwrap_or(Range::INT32);
                        return Operand::Data { place, ty: ty.clone(), constant, setup };
                    }
                    offset += ty.cells();
                }
                let known = fields.iter().map(|(name, _)| name.as_str());
                self.unknown_field(&name, span, known);
                Operand::Poison
            }
            other => {
                self.error(codes::WRONG_TYPE, span, format!("{} has no fields", other.describe()));
                Operand::Poison
            }
        }
    }

    pub(super) fn unknown_field<'a>(&mut self, name: &str, span: Span, known: impl Iterator<Item = &'a str>) {
        let diagnostic =
            Diagnostic::error(codes::UNKNOWN_FIELD, span, format!("the record has no field `{name}`"));
        let diagnostic = self.with_suggestion(diagnostic, name, known);
        self.report(diagnostic);
    }

    /// Reads a place of one cell.
    pub(super) fn load(&mut self, place: CellPlace, setup: Option<ExprId>, span: Span) -> ExprId {
        self.note_read(&place);
        let load = self.add(ExprKind::Load(place), span);
        self.after(setup, load, span)
    }

    /// Notes that a place is read.
    pub(super) fn note_read(&mut self, place: &CellPlace) {
        if let Root::Global(cell) = place.root {
            self.effects.touched |= self.model.cells[cell].kind != CellKind::Constant;
        }
    }

    /// The expression after what must be evaluated before it.
    pub(super) fn after(&mut self, setup: Option<ExprId>, expr: ExprId, span: Span) -> ExprId {
        match setup {
            None => expr,
            Some(setup) => self.add(ExprKind::Sequence(vec![setup, expr]), span),
        }
    }

    /// Notes that a place is written.
    pub(super) fn note_write<T>(&mut self, root: &Root<T>, span: Span) {
        match root {
            Root::Local(_) => {}
            Root::Global(_) => {
                self.effects.wrote = self.effects.wrote.or(Some(span));
                self.effects.touched = true;
            }
            Root::Reference(number) => self.effects.written_references.push(*number),
        }
    }
}

fn apply(step: Result<u32, IndexStep>, offset: &mut u32, indices: &mut Vec<IndexStep>) {
    match step {
        Ok(distance) => *offset += distance,
        Err(step) => indices.push(step),
    }
}
