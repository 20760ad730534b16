//! Declarations, and initial values.

use tourbillon_base::{Diagnostic, Id, Span};
use tourbillon_model::{
    Cell, CellId, CellKind, CellPlace, Channel, ChannelId, ChannelKind, ChannelPlace, Clock, ClockId,
    ClockPlace, ExprId, Range, Type, Variable,
};
use tourbillon_syntax::tree::{self, Decl, DeclaredName};

use super::place::Operand;
use super::types::Ty;
use super::{Lowerer, NamedEntity, codes};

/// The most cells, clocks and channels that a model may have, each.
const CELLS_MAX: usize = 1 << 22;

/// The most cells of an initial value that a function computes; it is called for each of them.
const COMPUTED_CELLS_MAX: u64 = 256;

impl<'t> Lowerer<'t> {
    pub(super) fn decls(&mut self, decls: &'t [Decl]) {
        decls.iter().for_each(|decl| self.decl(decl));
    }

    pub(super) fn decl(&mut self, decl: &'t Decl) {
        match decl {
            Decl::Variables(variables) => {
                variables.names.iter().for_each(|name| self.variable(&variables.ty, name))
            }
            Decl::Typedef(types) => types.names.iter().for_each(|name| self.typedef(&types.ty, name)),
            Decl::Function(function) => self.function(function),
            Decl::ChannelPriority(priority) => self.channel_priority(priority),
            Decl::BeforeUpdate(hook) => self.hook(hook, true),
            Decl::AfterUpdate(hook) => self.hook(hook, false),
            Decl::Import(import) => {
                for function in &import.functions {
                    let name = function.alias.unwrap_or(function.name);
                    self.declare(name, NamedEntity::Unsupported("functions of other libraries"), None);
                }
            }
            Decl::Dynamic(dynamic) => {
                self.declare(dynamic.name, NamedEntity::Unsupported("dynamic templates"), None)
            }
        }
    }

    pub(super) fn typedef(&mut self, ty: &tree::Type, declared: &DeclaredName) {
        let ty = self.ty(ty, &declared.dimensions);
        self.declare(declared.name, NamedEntity::Type(ty), Some("type"));
    }

    fn channel_priority(&mut self, priority: &'t tree::ChannelPriority) {
        if let Some(earlier) = self.priorities {
            let diagnostic = Diagnostic::error(
                codes::BAD_PRIORITY,
                priority.span,
                "channel priorities are declared twice",
            );
            self.report(diagnostic.label(earlier.span, "declared here first"));
        } else if !self.prefix.is_empty() {
            self.error(codes::BAD_PRIORITY, priority.span, "channel priorities are declared globally");
        } else {
            self.priorities = Some(priority);
        }
    }

    fn hook(&mut self, hook: &'t tree::Hook, before: bool) {
        let (updates, frame) = self.with_frame(|lowerer| lowerer.updates(&hook.updates));
        self.model.update_frame = self.model.update_frame.max(frame);
        let list = if before { &mut self.model.before_update } else { &mut self.model.after_update };
        list.extend(updates);
    }

    /// A variable, constant, clock or channel outside functions.
    fn variable(&mut self, written: &tree::Type, declared: &DeclaredName) {
        let ty = self.ty(written, &declared.dimensions);
        let ty = if written.prefix.constant { ty.of_32_bits() } else { ty };
        let span = declared.name.span;
        if written.prefix.meta
            && (written.prefix.constant || matches!(ty.innermost(), Ty::Clock | Ty::Channel { .. }))
        {
            self.error(codes::WRONG_TYPE, span, "`meta` is for variables");
        }
        let (entity, what) = match ty.innermost() {
            Ty::Poison => (NamedEntity::Poison, None),
            Ty::Void => {
                self.error(codes::WRONG_TYPE, span, "a variable cannot be of type `void`");
                (NamedEntity::Poison, None)
            }
            Ty::Clock => (self.clocks(ty, declared), Some("clock")),
            Ty::Channel { .. } => {
                if let Some(init) = declared.init {
                    let message = "a channel has no initial value";
                    self.error(codes::BAD_INITIALISER, self.tree[init].span, message);
                }
                (self.channels(ty, declared), Some("channel"))
            }
            _ if ty.is_abstracted() => (NamedEntity::Abstracted, None),
            _ if written.prefix.constant => (self.named_constant(ty, declared), Some("constant")),
            _ => {
                let kind = if written.prefix.meta { CellKind::Meta } else { CellKind::State };
                (self.cells(ty, declared, kind), Some("variable"))
            }
        };
        self.declare(declared.name, entity, what);
    }

    /// What the clocks of a declaration start at: 0, or what is written.
    fn start_values(&mut self, ty: &Ty, init: Option<tree::ExprId>) -> Option<Vec<i32>> {
        match init {
            None => Some(vec![0; ty.size() as usize]),
            Some(init) => self.pure("an initial value", |lowerer| {
                let mut values = Vec::new();
                lowerer.clock_values(ty, init, &mut values).then_some(values)
            }),
        }
    }

    /// Appends what clocks start at. Returns whether all of it is known and none of it is negative.
    fn clock_values(&mut self, ty: &Ty, init: tree::ExprId, values: &mut Vec<i32>) -> bool {
        let tree = self.tree;
        let span = tree[init].span;
        let (Ty::Array { index, element }, tree::ExprKind::List(items)) = (ty, &tree[init].kind) else {
            return match ty {
                Ty::Array { .. } => {
                    let message = format!("a list of {} values is needed for an array of clocks", ty.size());
                    self.error(codes::BAD_INITIALISER, span, message);
                    false
                }
                _ => self.clock_value(init, values),
            };
        };
        if items.len() as u64 != index.range.len() {
            let message = format!("{} values for {} clocks", items.len(), index.range.len());
            self.error(codes::BAD_INITIALISER, span, message);
            return false;
        }
        let mut complete = true;
        for item in items {
            if let Some(field) = item.field {
                self.error(codes::BAD_INITIALISER, field.span, "the clocks of an array have no names");
                complete = false;
            }
            complete &= self.clock_values(element, item.value, values);
        }
        complete
    }

    fn clock_value(&mut self, init: tree::ExprId, values: &mut Vec<i32>) -> bool {
        let tree = self.tree;
        let span = tree[init].span;
        let value = match &tree[init].kind {
            // `0.0` is how models for other engines say that a clock starts at 0.
            tree::ExprKind::Float(text) => match tree.text(*text).parse() {
                Ok(0.0) => Some(0),
                _ => {
                    let message = "a clock that does not start at an integer is not supported";
                    self.error(codes::UNSUPPORTED, span, message);
                    None
                }
            },
            _ => self.constant(init),
        };
        let Some(value) = value else { return false };
        if value < 0 {
            let message = format!("a clock cannot start at {value}: clocks are never negative");
            self.error(codes::OUT_OF_RANGE, span, message);
        }
        values.push(value);
        value >= 0
    }

    fn full_name(&self, declared: &DeclaredName) -> String {
        format!("{}{}", self.prefix, self.tree.name(declared.name))
    }

    /// Reports if there is no room for more of something.
    fn room(&mut self, used: usize, more: u64, what: &str, span: Span) -> bool {
        let fits = used as u64 + more <= CELLS_MAX as u64;
        if !fits {
            self.full = true;
            self.error(codes::MODEL_TOO_LARGE, span, format!("the model has more than {CELLS_MAX} {what}"));
        }
        fits
    }

    fn clocks(&mut self, ty: Ty, declared: &DeclaredName) -> NamedEntity {
        let (name, span) = (self.full_name(declared), declared.name.span);
        if !self.room(self.model.clocks.len(), ty.size(), "clocks", span) {
            return NamedEntity::Poison;
        }
        let Some(values) = self.start_values(&ty, declared.init) else { return NamedEntity::Poison };
        let first = self.new_clocks(&name, &ty, &values, span);
        self.model.variables.push(Variable { name, ty: ty.to_model(), first: Err(first), span });
        NamedEntity::Clock { place: ClockPlace::clock(first), ty }
    }

    fn channels(&mut self, ty: Ty, declared: &DeclaredName) -> NamedEntity {
        let (name, span) = (self.full_name(declared), declared.name.span);
        if !self.room(self.model.channels.len(), ty.size(), "channels", span) {
            return NamedEntity::Poison;
        }
        let place = ChannelPlace { first: self.new_channels(&name, &ty, span), indices: Vec::new() };
        NamedEntity::Channel { place, ty }
    }

    /// A clock for each part of a type, with what it starts at. Returns the first.
    pub(super) fn new_clocks(&mut self, name: &str, ty: &Ty, values: &[i32], span: Span) -> ClockId {
        let clocks = &mut self.model.clocks;
        let first = ClockId::from_index(clocks.len());
        let mut values = values.iter();
        ty.to_model().for_each_leaf(name, &mut |name, _| {
            let initial = values.next().copied().unwrap_or_default();
            clocks.push(Clock { name: name.to_owned(), initial, span });
        });
        first
    }

    /// A channel for each part of a type. Returns the first.
    pub(super) fn new_channels(&mut self, name: &str, ty: &Ty, span: Span) -> ChannelId {
        let (kind, urgent) = match *ty.innermost() {
            Ty::Channel { urgent, broadcast: true } => (ChannelKind::Broadcast, urgent),
            Ty::Channel { urgent, broadcast: false } => (ChannelKind::Binary, urgent),
            _ => (ChannelKind::Binary, false),
        };
        let channels = &mut self.model.channels;
        let first = ChannelId::from_index(channels.len());
        ty.to_model().for_each_leaf(name, &mut |name, _| {
            channels.push(Channel { name: name.to_owned(), kind, urgent, priority: 0, span });
        });
        first
    }

    fn named_constant(&mut self, ty: Ty, declared: &DeclaredName) -> NamedEntity {
        if declared.init.is_none() {
            self.error(codes::BAD_INITIALISER, declared.name.span, "a constant needs a value");
            return NamedEntity::Poison;
        }
        if ty.is_aggregate() {
            return self.cells(ty, declared, CellKind::Constant);
        }
        match self.initial_values(&ty, declared.init, declared.span) {
            Some(values) => NamedEntity::Constant(values[0], ty),
            None => NamedEntity::Poison,
        }
    }

    fn cells(&mut self, ty: Ty, declared: &DeclaredName, kind: CellKind) -> NamedEntity {
        let (name, span) = (self.full_name(declared), declared.name.span);
        if !self.room(self.model.cells.len(), ty.size(), "cells of data", span) {
            return NamedEntity::Poison;
        }
        let Some(values) = self.initial_values(&ty, declared.init, declared.span) else {
            return NamedEntity::Poison;
        };
        let first = self.push_cells(&name, &ty, &values, kind);
        if kind != CellKind::Constant {
            self.model.variables.push(Variable { name, ty: ty.to_model(), first: Ok(first), span });
        }
        let place = CellPlace::cell(first, ty.range().unwrap_or(Range::INT32));
        NamedEntity::Data { place, ty, constant: kind == CellKind::Constant }
    }

    pub(super) fn push_cells(&mut self, name: &str, ty: &Ty, values: &[i32], kind: CellKind) -> CellId {
        let first = CellId::from_index(self.model.cells.len());
        let cells = &mut self.model.cells;
        let mut values = values.iter();
        ty.to_model().for_each_leaf(name, &mut |name, leaf: &Type| {
            let range = leaf.range().unwrap_or(Range::INT32);
            let initial = values.next().copied().unwrap_or_default();
            cells.push(Cell { name: name.to_owned(), range, initial, kind });
        });
        first
    }

    /// The values that the cells of a variable have at first: those that are written, or else 0 or the
    /// nearest to it.
    pub(super) fn initial_values(
        &mut self,
        ty: &Ty,
        init: Option<tree::ExprId>,
        span: Span,
    ) -> Option<Vec<i32>> {
        let values = match init {
            None => {
                let mut values = Vec::new();
                defaults(ty, &mut values);
                Some(values)
            }
            Some(init) => self.pure("an initial value", |lowerer| lowerer.known_values(ty, init)),
        };
        debug_assert!(values.as_ref().is_none_or(|v| v.len() as u64 == ty.size()), "{span:?}");
        values
    }

    /// The values of an expression, or of a list, that must be constant.
    pub(super) fn known_values(&mut self, ty: &Ty, init: tree::ExprId) -> Option<Vec<i32>> {
        let mut values = Vec::new();
        self.written_values(ty, init, &mut values).then_some(values)
    }

    /// Appends the values of an initialiser. Returns whether they are all there.
    fn written_values(&mut self, ty: &Ty, init: tree::ExprId, values: &mut Vec<i32>) -> bool {
        let tree = self.tree;
        let span = tree[init].span;
        if let tree::ExprKind::List(items) = &tree[init].kind {
            return self.listed_values(ty, items, span, values);
        }
        if !ty.is_aggregate() {
            return self.written_value(ty, init, values);
        }
        let first = self.locals.next;
        let complete = match self.expr(init) {
            Operand::Data { place, ty: found, setup, .. } if ty.accepts(&found) => {
                self.known_cells(ty, &place, setup, first, span, values)
            }
            Operand::Poison => false,
            other => {
                let message = format!("expected {}, found {}", ty.describe(), other.describe());
                self.error(codes::BAD_INITIALISER, span, message);
                false
            }
        };
        self.release(first);
        complete
    }

    /// Appends the values of an array or record that must be known. What a function returns is computed.
    fn known_cells(
        &mut self,
        ty: &Ty,
        place: &CellPlace,
        setup: Option<ExprId>,
        first: u32,
        span: Span,
        values: &mut Vec<i32>,
    ) -> bool {
        if setup.is_some() && ty.size() > COMPUTED_CELLS_MAX {
            let message = format!("an initial value of more than {COMPUTED_CELLS_MAX} cells is not computed");
            self.error(codes::MODEL_TOO_LARGE, span, message);
            return false;
        }
        let mut ranges = Vec::new();
        ty.to_model().for_each_leaf("", &mut |_, leaf| ranges.push(leaf.range().unwrap_or(Range::INT32)));
        for (offset, range) in (0..).zip(ranges) {
            let cell = CellPlace { offset: place.offset + offset, range: Range::INT32, ..place.clone() };
            let load = self.load(cell, setup, span);
            let Some(value) = self.constant_value(load, first) else { return false };
            if !self.is_in_range(value, range, span) {
                return false;
            }
            values.push(value);
        }
        true
    }

    fn written_value(&mut self, ty: &Ty, init: tree::ExprId, values: &mut Vec<i32>) -> bool {
        let span = self.tree[init].span;
        let first = self.locals.next;
        let typed = self.perhaps_dead(true, |lowerer| lowerer.typed_value(init));
        let Some((value, found)) = typed else { return false };
        if !ty.accepts(&found) {
            let message = format!("expected {}, found {}", ty.describe(), found.describe());
            self.error(codes::WRONG_TYPE, span, message);
            return false;
        }
        let Some(value) = self.constant_value(value, first) else { return false };
        self.release(first);
        let value = if *ty == Ty::Bool { (value != 0).into() } else { value };
        values.push(value);
        self.is_in_range(value, ty.range().unwrap_or(Range::INT32), span)
    }

    /// Whether a value is in a range; an error if it is not.
    fn is_in_range(&mut self, value: i32, range: Range, span: Span) -> bool {
        if !range.contains(value) {
            let message = format!("the value {value} is outside [{},{}]", range.min, range.max);
            self.error(codes::OUT_OF_RANGE, span, message);
        }
        range.contains(value)
    }

    fn listed_values(
        &mut self,
        ty: &Ty,
        items: &[tree::ListItem],
        span: Span,
        values: &mut Vec<i32>,
    ) -> bool {
        match ty {
            Ty::Array { index, element } => {
                if items.len() as u64 != index.range.len() {
                    let message = format!("{} values for {} elements", items.len(), index.range.len());
                    self.error(codes::BAD_INITIALISER, span, message);
                    return false;
                }
                let mut complete = true;
                for item in items {
                    if let Some(field) = item.field {
                        self.error(
                            codes::BAD_INITIALISER,
                            field.span,
                            "the elements of an array have no names",
                        );
                    }
                    complete &= self.written_values(element, item.value, values);
                }
                complete
            }
            Ty::Struct(fields) => self.listed_fields(fields, items, span, values),
            _ => {
                self.error(codes::BAD_INITIALISER, span, format!("a list for {}", ty.describe()));
                false
            }
        }
    }

    /// Fields in order, or by name.
    fn listed_fields(
        &mut self,
        fields: &[(String, Ty)],
        items: &[tree::ListItem],
        span: Span,
        values: &mut Vec<i32>,
    ) -> bool {
        let Some(items) = self.items_of_fields(fields, items, span) else { return false };
        let mut complete = true;
        for ((_, ty), item) in fields.iter().zip(items) {
            complete &= self.written_values(ty, item, values);
        }
        complete
    }

    /// The values of a list in the order of the fields that they are for: by name, or else in order.
    pub(super) fn items_of_fields(
        &mut self,
        fields: &[(String, Ty)],
        items: &[tree::ListItem],
        span: Span,
    ) -> Option<Vec<tree::ExprId>> {
        let tree = self.tree;
        let known = || fields.iter().map(|(name, _)| name.as_str());
        let unknown = items
            .iter()
            .filter_map(|item| item.field)
            .filter(|&field| known().all(|name| name != tree.name(field)));
        let unknown: Vec<tree::Name> = unknown.collect();
        for &field in &unknown {
            self.unknown_field(tree.name(field), field.span, known());
        }
        if !unknown.is_empty() {
            return None;
        }
        if items.len() != fields.len() {
            let message = format!("{} values for {} fields", items.len(), fields.len());
            self.error(codes::BAD_INITIALISER, span, message);
            return None;
        }
        let mut list = Vec::new();
        for ((name, _), in_order) in fields.iter().zip(items) {
            let named = items.iter().find(|item| item.field.is_some_and(|field| tree.name(field) == name));
            let Some(item) = named.or(Some(in_order).filter(|item| item.field.is_none())) else {
                self.error(codes::BAD_INITIALISER, span, format!("no value for the field `{name}`"));
                return None;
            };
            list.push(item.value);
        }
        Some(list)
    }
}

/// Appends 0, or the value of the range that is nearest to it, for each cell.
fn defaults(ty: &Ty, values: &mut Vec<i32>) {
    ty.to_model().for_each_leaf("", &mut |_, leaf| {
        let range = leaf.range().unwrap_or(Range::INT32);
        values.push(0.clamp(range.min, range.max));
    });
}
