//! From elements to the parts of a model; reports missing and unexpected elements.
//!
//! The result has everything of the file in its place, text not parsed yet: each text is a fragment of the source
//! map. So are the start tags of templates, locations and transitions and the values of references, because
//! messages about them should name the path of their element as those about labels do.

use tourbillon_base::{Code, Diagnostic, Diagnostics, Fragment, SourceId, SourceMap, Span};

use super::attribute::attributes;
use super::elements::{Element, Elements, short, span};
use super::escape::{XmlEntity, entity};
use super::parts::{LocationOutline, Outline, QueryOutline, Reference, TemplateOutline, TransitionOutline};
use super::tag::Tag;
use crate::codes;
use crate::document::{QueryExpectation, QueryOption, QueryResult, Resource, Sections};
use crate::layout::{
    BranchpointLayout, Chart, EdgeLayout, Label, LabelKind, LocationLayout, MAX_COORDINATE, Point,
    TemplateLayout,
};
use crate::lower::closest;

/// Finds the parts of a model.
pub(super) fn outline(
    elements: &Elements,
    file: SourceId,
    sources: &mut SourceMap,
    out: &mut Diagnostics,
) -> Outline {
    Outliner { elements, file, sources, out, empty_labels: false }.document()
}

/// The parts of a file, with labels that have no text, and nothing parsed: what an editor shows of a file, whatever
/// is wrong with it. Fragments are added to the sources that the file is one of.
#[must_use]
pub fn outline_of(file: SourceId, sources: &mut SourceMap) -> Outline {
    let mut out = Diagnostics::default();
    let elements = Elements::read(sources.text(file), file, &mut out);
    Outliner { elements: &elements, file, sources, out: &mut out, empty_labels: true }.document()
}

struct Outliner<'a> {
    elements: &'a Elements,
    file: SourceId,
    sources: &'a mut SourceMap,
    out: &'a mut Diagnostics,
    /// Whether labels without text are labels.
    empty_labels: bool,
}

/// The attributes of an element, decoded.
struct Attributes(Vec<(String, String, Span)>);

impl Attributes {
    fn get(&self, name: &str) -> Option<&(String, String, Span)> {
        self.0.iter().find(|(found, ..)| found == name)
    }

    fn value(&self, name: &str) -> Option<String> {
        self.get(name).map(|(_, value, _)| value.clone())
    }
}

impl<'a> Outliner<'a> {
    fn document(&mut self) -> Outline {
        let Some(root) = self.root() else { return Outline::default() };
        self.check(root);
        let sections = Sections {
            imports: self.imports(root),
            declaration: self.section(root, Tag::Declaration),
            instantiation: self.section(root, Tag::Instantiation),
            system: self.system(root),
            charts: self.charts(root),
        };
        let templates = self.all(root, Tag::Template).map(|element| self.template(element)).collect();
        let (options, queries) = match self.only(root, Tag::Queries) {
            Some(element) => self.queries(element),
            None => Default::default(),
        };
        Outline { sections, templates, options, queries }
    }

    /// The outermost element. Another one than `nta` is searched no further.
    fn root(&mut self) -> Option<usize> {
        let roots = &self.elements.roots;
        let found = roots.iter().copied().find(|&root| self.elements.get(root).tag == Tag::Nta);
        if found.is_none() {
            let (span, message) = match roots.first() {
                Some(&root) => {
                    let Element { head, name, .. } = self.elements.get(root);
                    let name = short(&self.sources.text(self.file)[name.clone()]);
                    (
                        span(self.file, head.clone()),
                        format!("the outermost element is `<{name}>`, not `<nta>`"),
                    )
                }
                None => (span(self.file, 0..0), "there is no element in this file".to_owned()),
            };
            self.error(codes::WRONG_ROOT, span, message);
        }
        for &root in roots.iter().filter(|&&root| Some(root) != found && found.is_some()) {
            let span = span(self.file, self.elements.get(root).head.clone());
            self.warning(codes::UNKNOWN_ELEMENT, span, "a second outermost element is ignored");
        }
        found
    }

    fn imports(&mut self, root: usize) -> Option<SourceId> {
        let imports = self.section(root, Tag::Imports)?;
        if self.sources.text(imports).trim().is_empty() {
            return None;
        }
        let span = self.whole(imports);
        self.warning(codes::IMPORTS, span, "imports are not supported and have no effect");
        Some(imports)
    }

    fn system(&mut self, root: usize) -> Option<SourceId> {
        let system = self.section(root, Tag::System);
        if system.is_none() {
            let span = self.head(root);
            let diagnostic = Diagnostic::error(codes::MISSING_SYSTEM, span, "the model has no `<system>`");
            self.out.push(diagnostic.help("add `<system>system P;</system>` with the processes that run"));
        }
        system
    }

    fn charts(&mut self, root: usize) -> Vec<Chart> {
        let mut charts = Vec::new();
        for element in self.all(root, Tag::Lsc) {
            let Element { head, end, .. } = self.elements.get(element);
            let span = span(self.file, head.start..*end);
            charts.push(Chart { span });
            let head = self.head(element);
            self.warning(codes::LIVE_SEQUENCE_CHART, head, "live sequence charts are not supported");
        }
        charts
    }

    /// The text of an element that occurs at most once.
    fn section(&mut self, parent: usize, tag: Tag) -> Option<SourceId> {
        let element = self.only(parent, tag)?;
        Some(self.text(element))
    }

    fn template(&mut self, element: usize) -> TemplateOutline {
        self.check(element);
        let head = self.head(element);
        let name = self.only(element, Tag::Name);
        let parameter = self.only(element, Tag::Parameter);
        let mut layout = TemplateLayout {
            name_position: name.and_then(|name| self.position(name)),
            parameter_position: parameter.and_then(|parameter| self.position(parameter)),
            parameter: parameter.map(|parameter| self.text(parameter)),
            declaration: self.section(element, Tag::Declaration),
            ..TemplateLayout::default()
        };
        let name = name.map(|name| self.text(name));
        let mut locations = Vec::new();
        for location in self.all(element, Tag::Location) {
            let (location, drawn) = self.location(location);
            locations.push(location);
            layout.locations.push(drawn);
        }
        let mut branchpoints = Vec::new();
        for branchpoint in self.all(element, Tag::Branchpoint) {
            let (head, drawn) = self.branchpoint(branchpoint);
            branchpoints.push(head);
            layout.branchpoints.push(drawn);
        }
        let init = self.only(element, Tag::Init).and_then(|init| self.reference(init));
        let transitions =
            self.all(element, Tag::Transition).map(|element| self.transition(element)).collect();
        TemplateOutline { head, name, init, locations, branchpoints, transitions, layout }
    }

    fn location(&mut self, element: usize) -> (LocationOutline, LocationLayout) {
        let attributes = self.check(element);
        let head = self.head(element);
        let name = self.only(element, Tag::Name);
        let name_position = name.and_then(|name| self.position(name));
        let name = name.map(|name| self.text(name));
        let name = name.filter(|&name| !self.sources.text(name).trim().is_empty());
        let layout = LocationLayout {
            id: attributes.value("id").unwrap_or_default(),
            anonymous: name.is_none(),
            position: self.point(&attributes),
            name_position: name_position.filter(|_| name.is_some()),
            colour: attributes.value("color"),
            labels: self.labels(element, LabelKind::is_of_location, "location"),
        };
        if layout.id.is_empty() {
            let message = "this location has no id, so no transition can lead to it";
            self.warning(codes::MISSING_ATTRIBUTE, head, message);
        }
        let mark = |outliner: &mut Self, tag| {
            let element = outliner.only(element, tag)?;
            Some(outliner.head(element))
        };
        let (urgent, committed) = (mark(self, Tag::Urgent), mark(self, Tag::Committed));
        (LocationOutline { head, name, urgent, committed }, layout)
    }

    fn branchpoint(&mut self, element: usize) -> (Span, BranchpointLayout) {
        let attributes = self.check(element);
        let head = self.head(element);
        let id = attributes.value("id").unwrap_or_default();
        if id.is_empty() {
            let message = "this branch point has no id, so no transition can lead to it";
            self.warning(codes::MISSING_ATTRIBUTE, head, message);
        }
        (head, BranchpointLayout { id, position: self.point(&attributes), colour: attributes.value("color") })
    }

    fn transition(&mut self, element: usize) -> TransitionOutline {
        let attributes = self.check(element);
        let head = self.head(element);
        let end = |outliner: &mut Self, tag| {
            let element = outliner.only(element, tag)?;
            outliner.reference(element)
        };
        let (source, target) = (end(self, Tag::Source), end(self, Tag::Target));
        let layout = EdgeLayout {
            id: attributes.value("id"),
            action: attributes.value("action"),
            colour: attributes.value("color"),
            labels: self.labels(element, LabelKind::is_of_edge, "transition"),
            nails: self.all(element, Tag::Nail).filter_map(|nail| self.position(nail)).collect(),
        };
        TransitionOutline { head, source, target, controllable: self.controllable(&attributes), layout }
    }

    fn controllable(&mut self, attributes: &Attributes) -> bool {
        match attributes.get("controllable") {
            None => true,
            Some((_, value, _)) if value == "true" => true,
            Some((_, value, _)) if value == "false" => false,
            Some(&(.., span)) => {
                self.warning(codes::BAD_VALUE, span, "`controllable` is `true` or `false`");
                true
            }
        }
    }

    /// The `ref` of an element.
    fn reference(&mut self, element: usize) -> Option<Reference> {
        let attributes = self.check(element);
        let Some((_, id, span)) = attributes.get("ref") else {
            let span = self.head(element);
            self.error(codes::MISSING_ATTRIBUTE, span, "the attribute `ref` is missing");
            return None;
        };
        let span = self.piece(element, *span);
        Some(Reference { id: id.clone(), span })
    }

    /// A label that has no effect. One that looks misspelt is an error: a guard would vanish.
    fn unknown_label(&mut self, word: &str, what: &str, span: Span) {
        let message = format!("`{}` is no kind of label of a {what}", short(word));
        match closest(word, LabelKind::KNOWN.iter().map(LabelKind::word)) {
            Some(meant) => {
                let diagnostic = Diagnostic::error(codes::UNKNOWN_LABEL, span, message);
                self.out.push(diagnostic.help(format!("did you mean `{meant}`?")));
            }
            None => self.warning(codes::UNKNOWN_LABEL, span, message),
        }
    }

    /// The labels of a location or transition. Those without text mean nothing.
    fn labels(&mut self, parent: usize, expected: fn(&LabelKind) -> bool, what: &str) -> Vec<Label> {
        let mut labels: Vec<Label> = Vec::new();
        for element in self.all(parent, Tag::Label) {
            let attributes = self.check(element);
            let text = self.text(element);
            if !self.empty_labels && self.sources.text(text).trim().is_empty() {
                continue;
            }
            let kind = attributes.get("kind").map(|(_, word, _)| LabelKind::from_word(word));
            if kind.is_none() {
                let span = self.head(element);
                self.error(codes::MISSING_ATTRIBUTE, span, "a label needs the attribute `kind`");
            }
            let kind = kind.unwrap_or_else(|| LabelKind::Other(String::new()));
            if let Some(&(.., span)) = attributes.get("kind").filter(|_| !expected(&kind)) {
                let span = self.piece(element, span);
                self.unknown_label(kind.word(), what, span);
            }
            let earlier = labels.iter().find(|label| label.kind == kind && kind.is_of_tree());
            if let Some(earlier) = earlier.and_then(|label| label.text) {
                let message = format!("a second {} on this {what}", kind.word());
                let diagnostic = Diagnostic::error(codes::REPEATED_LABEL, self.whole(text), message);
                self.out.push(diagnostic.label(self.whole(earlier), "the first one is here"));
            }
            let (position, colour) = (self.point(&attributes), attributes.value("color"));
            labels.push(Label { kind, position, colour, text: Some(text) });
        }
        labels
    }

    fn queries(&mut self, element: usize) -> (Vec<QueryOption>, Vec<QueryOutline>) {
        self.check(element);
        let options = self.options(element);
        let queries = self.all(element, Tag::Query).map(|query| self.query(query)).collect();
        (options, queries)
    }

    fn options(&mut self, parent: usize) -> Vec<QueryOption> {
        let mut options = Vec::new();
        for element in self.all(parent, Tag::Option) {
            let attributes = self.check(element);
            match attributes.value("key") {
                Some(key) => {
                    let value = attributes.value("value").unwrap_or_default();
                    options.push(QueryOption { key, value });
                }
                None => {
                    let span = self.head(element);
                    self.warning(codes::MISSING_ATTRIBUTE, span, "an option needs the attribute `key`");
                }
            }
        }
        options
    }

    fn query(&mut self, element: usize) -> QueryOutline {
        self.check(element);
        let formula = self.only(element, Tag::Formula);
        let comment =
            self.section(element, Tag::Comment).map(|comment| self.sources.text(comment).to_owned());
        QueryOutline {
            formula: match formula {
                Some(formula) => self.text(formula),
                None => {
                    let Element { head, .. } = self.elements.get(element);
                    self.add(element, head.end..head.end)
                }
            },
            comment: comment.filter(|comment| !comment.trim().is_empty()),
            options: self.options(element),
            expect: self.only(element, Tag::Expect).map(|expect| self.expectation(expect)),
            results: self.all(element, Tag::Result).map(|result| self.result(result)).collect(),
        }
    }

    fn expectation(&mut self, element: usize) -> QueryExpectation {
        let attributes = self.check(element);
        if let Some((_, value, span)) = attributes.get("outcome") {
            let known = ["success", "failure", "maybe_true", "maybe_false", "error"];
            if !known.contains(&value.as_str()) {
                let message = "an outcome is `success`, `failure`, `maybe_true` or `maybe_false`";
                self.warning(codes::BAD_VALUE, *span, message);
            }
        }
        let resources = self.all(element, Tag::Resource).map(|element| {
            let attributes = self.check(element);
            Resource {
                kind: attributes.value("type").unwrap_or_default(),
                value: attributes.value("value").unwrap_or_default(),
                unit: attributes.value("unit"),
            }
        });
        let resources = resources.collect();
        QueryExpectation {
            outcome: attributes.value("outcome"),
            kind: attributes.value("type"),
            value: attributes.value("value"),
            resources,
        }
    }

    /// A stored result. What is in it is kept as it stands.
    fn result(&mut self, element: usize) -> QueryResult {
        let attributes = self.attributes(element);
        let Element { head, end, .. } = self.elements.get(element);
        QueryResult {
            outcome: attributes.value("outcome"),
            kind: attributes.value("type"),
            value: attributes.value("value"),
            timestamp: attributes.value("timestamp"),
            options: self.options(element),
            span: span(self.file, head.start..*end),
        }
    }
}

impl<'a> Outliner<'a> {
    /// The children with a tag.
    fn all(&self, parent: usize, tag: Tag) -> impl Iterator<Item = usize> + use<'a> {
        let elements = self.elements;
        elements.get(parent).children.iter().copied().filter(move |&child| elements.get(child).tag == tag)
    }

    /// The child with a tag of which there can be one; further ones are reported.
    fn only(&mut self, parent: usize, tag: Tag) -> Option<usize> {
        let mut all = self.all(parent, tag);
        let first = all.next()?;
        for again in all {
            let span = self.head(again);
            let name = self.name(again);
            let diagnostic =
                Diagnostic::warning(codes::REPEATED_ELEMENT, span, format!("a second `<{name}>` is ignored"));
            let first = self.head(first);
            self.out.push(diagnostic.label(first, "the first one is here"));
        }
        Some(first)
    }

    /// Reports what does not belong in an element, and gives its attributes.
    fn check(&mut self, element: usize) -> Attributes {
        let Element { tag, children, text, .. } = self.elements.get(element);
        for &child in children {
            if !tag.children().contains(&self.elements.get(child).tag) {
                let (child_name, name) = (self.name(child), self.name(element));
                let head = self.head(child);
                let message = format!("`<{child_name}>` has no meaning in `<{name}>` and is skipped");
                self.warning(codes::UNKNOWN_ELEMENT, head, message);
            }
        }
        if !tag.is_text() && !text.is_empty() {
            self.stray_text(element);
        }
        let attributes = self.attributes(element);
        for (name, _, span) in &attributes.0 {
            let namespace = name == "xmlns" || name.starts_with("xml");
            if !tag.attributes().contains(&name.as_str()) && !namespace {
                let (attribute, name) = (short(name), self.name(element));
                let message = format!("the attribute `{attribute}` has no meaning in `<{name}>`");
                self.out.push(Diagnostic::note(codes::UNKNOWN_ATTRIBUTE, *span, message));
            }
        }
        attributes
    }

    fn stray_text(&mut self, element: usize) {
        let fragment = self.elements.fragment(self.sources.text(self.file), self.file, element);
        if fragment.text().trim().is_empty() {
            return;
        }
        let before = fragment.text().len() - fragment.text().trim_start().len();
        let after = fragment.text().trim_end().len();
        let source = self.sources.add_fragment(fragment);
        let name = self.name(element);
        let message = format!("text directly in `<{name}>` is ignored");
        self.warning(codes::STRAY_TEXT, span(source, before..after), message);
    }

    fn attributes(&mut self, element: usize) -> Attributes {
        let Element { head, .. } = self.elements.get(element);
        let text = self.sources.text(self.file);
        let (raw, fault) = attributes(text, head.clone());
        let mut found: Vec<(String, String, Span)> = Vec::new();
        let mut repeated = None;
        for attribute in raw {
            let name = &text[attribute.name.clone()];
            if found.iter().any(|(earlier, ..)| earlier == name) {
                repeated.get_or_insert(attribute.name);
                continue;
            }
            let value = decode(&text[attribute.value.clone()]);
            found.push((name.to_owned(), value, span(self.file, attribute.value)));
        }
        if let Some(at) = fault {
            let span = span(self.file, at..at);
            self.error(codes::BAD_ATTRIBUTE, span, "an attribute is written `name=\"value\"`");
        }
        if let Some(name) = repeated {
            let message = "this attribute occurs twice; the first one counts";
            self.error(codes::BAD_ATTRIBUTE, span(self.file, name), message);
        }
        Attributes(found)
    }

    /// The position of an element that has nothing else of interest.
    fn position(&mut self, element: usize) -> Option<Point> {
        let attributes = self.check(element);
        self.point(&attributes)
    }

    /// The position that attributes give.
    fn point(&mut self, attributes: &Attributes) -> Option<Point> {
        let (x, y) = (self.coordinate(attributes, "x"), self.coordinate(attributes, "y"));
        Some(Point { x: x?, y: y? })
    }

    fn coordinate(&mut self, attributes: &Attributes, name: &str) -> Option<i32> {
        let (_, value, span) = attributes.get(name)?;
        let number = value.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        if number.is_none() {
            let message = format!("`{}` is no coordinate", short(value));
            self.warning(codes::BAD_NUMBER, *span, message);
        }
        let most = f64::from(MAX_COORDINATE);
        number.map(|number| number.round().clamp(-most, most) as i32)
    }

    fn name(&self, element: usize) -> String {
        short(&self.sources.text(self.file)[self.elements.get(element).name.clone()])
    }

    /// The text of an element as a source.
    fn text(&mut self, element: usize) -> SourceId {
        let fragment = self.elements.fragment(self.sources.text(self.file), self.file, element);
        self.sources.add_fragment(fragment)
    }

    /// The whole of a source.
    fn whole(&self, source: SourceId) -> Span {
        span(source, 0..self.sources.text(source).len())
    }

    /// The start tag of an element.
    fn head(&mut self, element: usize) -> Span {
        let head = self.elements.get(element).head.clone();
        let source = self.add(element, head);
        self.whole(source)
    }

    /// Bytes of the file, with the path of the element that they are in.
    fn piece(&mut self, element: usize, bytes: Span) -> Span {
        let source = self.add(element, bytes.range());
        self.whole(source)
    }

    fn add(&mut self, element: usize, bytes: std::ops::Range<usize>) -> SourceId {
        let text = self.sources.text(self.file);
        let mut fragment = Fragment::new(self.file, self.elements.path(text, element), bytes.start);
        fragment.verbatim(&text[bytes.clone()], bytes.start);
        self.sources.add_fragment(fragment)
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.out.push(Diagnostic::error(code, span, message));
    }

    fn warning(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.out.push(Diagnostic::warning(code, span, message));
    }
}

/// The value of an attribute with its entities decoded. What is no entity stands for itself.
fn decode(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let name = rest[1..].find([';', '&']).map(|end| &rest[1..1 + end]);
        match name.map(|name| (name, entity(name))) {
            Some((name, XmlEntity::Char(c))) if rest[1 + name.len()..].starts_with(';') => {
                out.push(c);
                rest = &rest[name.len() + 2..];
            }
            _ => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}
