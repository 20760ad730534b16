//! Declarations: everything but the values of attributes.
//!
//! Names of processes, locations and events must be declared on an earlier line. Those of variables and
//! clocks occur in values only, which are examined when the whole file has been read; so they may come
//! later. That is how TChecker does it.
//!
//! Invariant: the model's `variables` are in the order of the file, and cells and clocks in the order of
//! `variables`.

use std::collections::HashMap;

use tourbillon_base::{Diagnostic, Diagnostics, Id, IdVec, SourceId, Span};
use tourbillon_model::*;

use crate::attributes::{self, EdgeAttributes, LocationAttributes};
use crate::codes;
use crate::lines::{Content, Declaration, Number, VectorPart, Word};
use crate::lower::Locals;
use crate::names::nearest;

/// How many cells, and how many clocks, a model has at most.
pub(crate) const CELLS_MAX: usize = 1 << 20;
pub(crate) const CLOCKS_MAX: usize = 1 << 14;

/// A variable or clock.
#[derive(Clone, Debug)]
pub(crate) struct Global {
    pub(crate) size: u32,
    pub(crate) place: GlobalPlace,
    pub(crate) span: Span,
    pub(crate) used: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum GlobalPlace {
    Int { first: CellId, range: Range },
    Clock { first: ClockId },
}

/// What is known of a process beyond its part of the model.
#[derive(Debug)]
pub(crate) struct ProcessText<'t> {
    locations: HashMap<&'t str, LocationId>,
    initial: Vec<Span>,
    pub(crate) location_attributes: Vec<LocationAttributes<'t>>,
    pub(crate) edge_attributes: Vec<EdgeAttributes<'t>>,
}

/// A file on its way to a model.
pub(crate) struct ModelBuilder<'t, 'o> {
    pub(crate) text: &'t str,
    pub(crate) source: SourceId,
    pub(crate) out: &'o mut Diagnostics,
    pub(crate) model: Model,
    pub(crate) globals: Vec<Global>,
    pub(crate) global_names: HashMap<&'t str, usize>,
    pub(crate) process_texts: IdVec<ProcessId, ProcessText<'t>>,
    processes: HashMap<&'t str, ProcessId>,
    events: HashMap<&'t str, EventId>,
    system: Option<Span>,
    pub(crate) locals: Locals<'t>,
}

impl<'t, 'o> ModelBuilder<'t, 'o> {
    pub(crate) fn new(text: &'t str, source: SourceId, out: &'o mut Diagnostics) -> Self {
        let model = Model::new("", Language::TChecker);
        Self {
            text,
            source,
            out,
            model,
            globals: Vec::new(),
            global_names: HashMap::new(),
            process_texts: IdVec::new(),
            processes: HashMap::new(),
            events: HashMap::new(),
            system: None,
            locals: Locals::default(),
        }
    }

    pub(crate) fn error(&mut self, code: tourbillon_base::Code, span: Span, message: impl Into<String>) {
        self.out.push(Diagnostic::error(code, span, message));
    }

    /// Declares everything, and chooses the initial locations.
    pub(crate) fn declare(&mut self, declarations: &[Declaration<'t>]) {
        for (number, declaration) in declarations.iter().enumerate() {
            let first = number == 0 && !self.out.has_errors();
            if first && !matches!(declaration.content, Content::System { .. }) {
                let message = "the first declaration is not `system`";
                let diagnostic = Diagnostic::error(codes::SYSTEM_LINE, declaration.keyword.span, message);
                self.out.push(diagnostic.help("start the file with `system:NAME`"));
                // Said once is enough, also if the line comes later.
                self.system = Some(declaration.span);
            }
            self.declaration(declaration, number == 0);
        }
        if declarations.is_empty() && !self.out.has_errors() {
            let start = Span::new(self.source, 0, 0);
            let diagnostic = Diagnostic::error(codes::SYSTEM_LINE, start, "the file declares nothing");
            self.out.push(diagnostic.help("start the file with `system:NAME`"));
        }
        self.initial_locations();
    }

    fn declaration(&mut self, declaration: &Declaration<'t>, first: bool) {
        let Declaration { content, attributes, span, .. } = declaration;
        match content {
            Content::Location { .. } | Content::Edge { .. } => {}
            _ => attributes::none_expected(declaration, self.out),
        }
        match content {
            Content::System { name } => self.system(*name, *span, first),
            Content::Process { name } => self.process(*name),
            Content::Event { name } => self.event(*name),
            Content::Clock { size, name } => self.clock(*size, *name),
            Content::Int { size, min, max, initial, name } => self.int(*size, [*min, *max, *initial], *name),
            Content::Location { process, name } => {
                let attributes = LocationAttributes::new(attributes, self.out);
                self.location(*process, *name, attributes);
            }
            Content::Edge { process, source, target, event } => {
                let attributes = EdgeAttributes::new(attributes, self.out);
                self.edge(*process, [*source, *target], *event, attributes, *span);
            }
            Content::Sync { parts } => self.sync(parts, *span),
        }
    }

    fn system(&mut self, name: Word<'t>, span: Span, first: bool) {
        if let (Some(earlier), false) = (self.system, first) {
            if self.model.name.is_empty() {
                // The line is late, which was said.
                self.model.name = name.text.to_owned();
                return;
            }
            let message = "there is one `system` line in a file";
            let diagnostic = Diagnostic::error(codes::SYSTEM_LINE, span, message);
            self.out.push(diagnostic.label(earlier, "the first one"));
            return;
        }
        self.system = Some(span);
        self.model.name = name.text.to_owned();
    }

    fn duplicate(&mut self, what: &str, name: Word<'t>, earlier: Span) {
        let message = format!("{what} `{}` is declared twice", name.text);
        let diagnostic = Diagnostic::error(codes::DUPLICATE, name.span, message);
        self.out.push(diagnostic.label(earlier, "declared here first"));
    }

    fn process(&mut self, name: Word<'t>) {
        if let Some(&earlier) = self.processes.get(name.text) {
            return self.duplicate("the process", name, self.model.processes[earlier].span);
        }
        let id = self.model.processes.push(Process {
            name: name.text.to_owned(),
            template: name.text.to_owned(),
            scalars: Vec::new(),
            priority: 0,
            locations: IdVec::new(),
            initial: LocationId::from_index(0),
            edges: Vec::new(),
            span: name.span,
        });
        self.processes.insert(name.text, id);
        self.process_texts.push(ProcessText {
            locations: HashMap::new(),
            initial: Vec::new(),
            location_attributes: Vec::new(),
            edge_attributes: Vec::new(),
        });
    }

    fn event(&mut self, name: Word<'t>) {
        if let Some(&earlier) = self.events.get(name.text) {
            return self.duplicate("the event", name, self.model.events[earlier].span);
        }
        let id = self.model.events.push(Event { name: name.text.to_owned(), span: name.span });
        self.events.insert(name.text, id);
    }

    /// Whether a variable or clock can have this name.
    fn free_name(&mut self, what: &str, name: Word<'t>) -> bool {
        if let Some(&earlier) = self.global_names.get(name.text) {
            self.duplicate("the name", name, self.globals[earlier].span);
            return false;
        }
        if crate::token::is_expression_word(name.text) {
            let message = format!("`{}` is a word of expressions and cannot name {what}", &name.text);
            let help = format!("choose another name, such as `{}_`", name.text);
            self.out.push(Diagnostic::error(codes::RESERVED_WORD, name.span, message).help(help));
            return false;
        }
        true
    }

    /// The size of a variable, of which there are already so many cells.
    fn size(&mut self, size: Number, taken: usize, max: usize) -> Option<u32> {
        let value = size.value?;
        let fits = usize::try_from(value).is_ok_and(|value| value <= max - taken.min(max));
        if value >= 1 && fits {
            return Some(value as u32);
        }
        let message = match value {
            ..1 => "a size is at least 1".to_owned(),
            _ => format!("all sizes together would be more than {max}"),
        };
        self.error(codes::BAD_SIZE, size.span, message);
        None
    }

    fn global(&mut self, name: Word<'t>, size: u32, place: GlobalPlace) {
        let (element, first) = match place {
            GlobalPlace::Int { first, range } => (Type::Int(range), Ok(first)),
            GlobalPlace::Clock { first } => (Type::Clock, Err(first)),
        };
        let ty = match Range::new(0, size as i32 - 1) {
            Some(index) if size > 1 => Type::Array { index, element: Box::new(element) },
            _ => element,
        };
        self.global_names.insert(name.text, self.globals.len());
        self.globals.push(Global { size, place, span: name.span, used: false });
        self.model.variables.push(Variable { name: name.text.to_owned(), ty, first, span: name.span });
    }

    fn clock(&mut self, size: Number, name: Word<'t>) {
        let first = ClockId::from_index(self.model.clocks.len());
        let size = self.size(size, first.index(), CLOCKS_MAX);
        if !self.free_name("a clock", name) {
            return;
        }
        // A wrong size was reported; the name is there all the same.
        let size = size.unwrap_or(1);
        for index in 0..size {
            self.model.clocks.push(Clock {
                name: element_name(name.text, size, index),
                initial: 0,
                span: name.span,
            });
        }
        self.global(name, size, GlobalPlace::Clock { first });
    }

    fn int(&mut self, size: Number, [min, max, initial]: [Number; 3], name: Word<'t>) {
        let first = CellId::from_index(self.model.cells.len());
        let size = self.size(size, first.index(), CELLS_MAX);
        let range = match (min.value, max.value) {
            (Some(least), Some(greatest)) if least > greatest => {
                let message = format!("there is no number from {least} to {greatest}");
                self.error(codes::EMPTY_RANGE, min.span.to(max.span), message);
                None
            }
            (Some(least), Some(greatest)) => Range::new(least, greatest),
            _ => None,
        };
        if let (Some(range), Some(value)) = (range, initial.value)
            && !range.contains(value)
        {
            let message = format!("{value} is not between {} and {}", range.min, range.max);
            self.error(codes::INITIAL_OUT_OF_RANGE, initial.span, message);
        }
        if !self.free_name("a variable", name) {
            return;
        }
        let (size, range) = (size.unwrap_or(1), range.unwrap_or(Range::INT32));
        let initial = initial.value.unwrap_or(range.min).clamp(range.min, range.max);
        for index in 0..size {
            let name = element_name(name.text, size, index);
            self.model.cells.push(Cell { name, range, initial, kind: CellKind::State });
        }
        self.global(name, size, GlobalPlace::Int { first, range });
    }

    /// What was perhaps meant instead of a name that is not there. Looked for as long as anybody reads it.
    pub(crate) fn suggestion<'a>(
        &self,
        word: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Option<String> {
        if self.out.error_count() >= Diagnostics::DEFAULT_CAP {
            return None;
        }
        nearest(word, candidates).map(|meant| format!("did you mean `{meant}`?"))
    }

    /// Reports a name that is not declared.
    pub(crate) fn undeclared(&mut self, message: String, name: Word<'t>, help: Option<String>) {
        let diagnostic = Diagnostic::error(codes::UNDECLARED, name.span, message);
        self.out.push(match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        });
    }

    fn find_process(&mut self, name: Word<'t>) -> Option<ProcessId> {
        let found = self.processes.get(name.text).copied();
        if found.is_none() {
            let candidates = self.model.processes.iter().map(|process| process.name.as_str());
            let help = self.suggestion(name.text, candidates);
            self.undeclared(format!("no process `{}` is declared before this line", name.text), name, help);
        }
        found
    }

    fn find_event(&mut self, name: Word<'t>) -> Option<EventId> {
        let found = self.events.get(name.text).copied();
        if found.is_none() {
            let help = self.suggestion(name.text, self.model.events.iter().map(|event| event.name.as_str()));
            self.undeclared(format!("no event `{}` is declared before this line", name.text), name, help);
        }
        found
    }

    fn find_location(&mut self, process: ProcessId, name: Word<'t>) -> Option<LocationId> {
        let found = self.process_texts[process].locations.get(name.text).copied();
        if found.is_none() {
            let process = &self.model.processes[process];
            let candidates = process.locations.iter().map(|location| location.name.as_str());
            let help = self.suggestion(name.text, candidates);
            let message = format!("`{}` has no location `{}` before this line", process.name, name.text);
            self.undeclared(message, name, help);
        }
        found
    }

    fn location(&mut self, process: Word<'t>, name: Word<'t>, attributes: LocationAttributes<'t>) {
        let Some(process) = self.find_process(process) else { return };
        if let Some(&earlier) = self.process_texts[process].locations.get(name.text) {
            let earlier = self.model.processes[process].locations[earlier].span;
            return self.duplicate("the location", name, earlier);
        }
        let kind = match (attributes.urgent, attributes.committed) {
            (_, true) => LocationKind::Committed,
            (true, false) => LocationKind::Urgent,
            (false, false) => LocationKind::Normal,
        };
        let id = self.model.processes[process].locations.push(Location {
            name: name.text.to_owned(),
            kind,
            invariant: Guard::default(),
            rates: Vec::new(),
            labels: attributes.labels.clone(),
            frame: 0,
            span: name.span,
        });
        let texts = &mut self.process_texts[process];
        texts.locations.insert(name.text, id);
        if attributes.initial {
            if texts.initial.is_empty() {
                self.model.processes[process].initial = id;
            }
            texts.initial.push(name.span);
        }
        texts.location_attributes.push(attributes);
    }

    fn edge(
        &mut self,
        process: Word<'t>,
        ends: [Word<'t>; 2],
        event: Word<'t>,
        attributes: EdgeAttributes<'t>,
        span: Span,
    ) {
        let process = self.find_process(process);
        let [source, target] = ends.map(|name| process.and_then(|process| self.find_location(process, name)));
        let event = self.find_event(event);
        let (Some(process), Some(source), Some(target), Some(event)) = (process, source, target, event)
        else {
            return;
        };
        self.model.processes[process].edges.push(Edge {
            source,
            target,
            selects: Vec::new(),
            guard: Guard::default(),
            action: Action::Event(event),
            updates: Vec::new(),
            controllable: true,
            frame: 0,
            span,
        });
        self.process_texts[process].edge_attributes.push(attributes);
    }

    fn sync(&mut self, parts: &[VectorPart<'t>], span: Span) {
        let mut participants: Vec<Participant> = Vec::with_capacity(parts.len());
        let mut seen: HashMap<ProcessId, Span> = HashMap::new();
        let mut whole = true;
        for part in parts {
            let process = self.find_process(part.process);
            let event = self.find_event(part.event);
            let (Some(process), Some(event)) = (process, event) else {
                whole = false;
                continue;
            };
            if let Some(earlier) = seen.insert(process, part.process.span) {
                let message = format!("`{}` takes part twice", part.process.text);
                let diagnostic = Diagnostic::error(codes::TWICE_IN_VECTOR, part.process.span, message);
                self.out.push(diagnostic.label(earlier, "here for the first time"));
            }
            participants.push(Participant { process, event, weak: part.weak });
        }
        if whole && parts.len() == 1 {
            let message = "only one process takes part";
            self.out.push(Diagnostic::warning(codes::LONELY_VECTOR, span, message));
        }
        self.model.vectors.push(SyncVector { participants, span });
    }

    /// Each process needs exactly one.
    fn initial_locations(&mut self) {
        for (process, texts) in self.model.processes.iter().zip(self.process_texts.iter()) {
            match texts.initial.as_slice() {
                [_] => {}
                [] => {
                    let message = match process.locations.is_empty() {
                        true => format!("the process `{}` has no locations", process.name),
                        false => format!("the process `{}` has no initial location", process.name),
                    };
                    let diagnostic = Diagnostic::error(codes::NO_INITIAL, process.span, message);
                    self.out.push(diagnostic.help("mark one of its locations with `{initial:}`"));
                }
                [first, others @ ..] => {
                    let message = format!(
                        "the process `{}` has {} initial locations",
                        process.name,
                        texts.initial.len()
                    );
                    let mut diagnostic = Diagnostic::error(codes::SEVERAL_INITIAL, others[0], message)
                        .label(*first, "the first one")
                        .help("add a location that is initial and committed, with an edge to each of them");
                    for other in &others[1..others.len().min(8)] {
                        diagnostic = diagnostic.label(*other, "another one");
                    }
                    self.out.push(diagnostic);
                }
            }
        }
    }
}

fn element_name(name: &str, size: u32, index: u32) -> String {
    if size == 1 { name.to_owned() } else { format!("{name}[{index}]") }
}
