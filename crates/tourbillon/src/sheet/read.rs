//! From UPPAAL's XML to a sheet.
//!
//! The sheet is built from the elements of the file, not from their meaning: it includes guards with syntax errors,
//! edges without a target and empty labels. Only missing positions and ids come from the parsed document
//! ([`arrange_until`]).

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use tourbillon_base::SourceMap;
use tourbillon_front_uppaal::layout::{EdgeLayout, Label, Layout, Point, TemplateLayout, arrange_until};
use tourbillon_front_uppaal::{
    Document, LoadOptions, Markup, Outline, QueryExpectation, QueryOption, QueryOutline, TemplateOutline,
    TransitionOutline, load, outline_of,
};

use super::{
    Body, Drawing, Kept, SheetBranchpoint, SheetEdge, SheetLabel, SheetLocation, SheetQuery, SheetTemplate,
    Spot,
};

/// The body of a text model.
pub(super) fn text(text: &str) -> Body {
    let text = if text.contains('\r') { text.replace("\r\n", "\n") } else { text.to_owned() };
    Body::Text { text }
}

/// The drawing of an XML file, and its queries; `None` if `stop` is set.
pub(super) fn drawing(document: &Document, stop: &AtomicBool) -> Option<(Drawing, Vec<SheetQuery>)> {
    let mut sources = SourceMap::new();
    let file = sources.add_file("", document.sources.text(document.file));
    let outline = outline_of(file, &mut sources);
    let reader = SheetReader { sources: &sources };
    let layout = arrange_until(document, stop)?;
    let queries = outline.queries.iter().map(|query| reader.query(query)).collect();
    Some((reader.drawing(&outline, &layout), queries))
}

/// A template with the positions from a file of its own; `None` if `stop` is set.
pub(super) fn arranged(template: &SheetTemplate, file: &str, stop: &AtomicBool) -> Option<SheetTemplate> {
    let Some(new) = templates_of(file, stop)?.pop() else { return Some(template.clone()) };
    let mut template = template.clone();
    for (old, new) in template.locations.iter_mut().zip(new.locations) {
        (old.at, old.name_at) = (new.at, new.name_at);
        place_labels(&mut old.labels, &new.labels);
    }
    for (old, new) in template.branchpoints.iter_mut().zip(new.branchpoints) {
        old.at = new.at;
    }
    for (old, new) in template.edges.iter_mut().zip(new.edges) {
        old.nails = new.nails;
        place_labels(&mut old.labels, &new.labels);
    }
    Some(template)
}

fn place_labels(old: &mut [SheetLabel], new: &[SheetLabel]) {
    for (old, new) in old.iter_mut().zip(new) {
        old.at = new.at;
    }
}

/// The templates of a file; `None` if `stop` is set.
pub(super) fn templates_of(file: &str, stop: &AtomicBool) -> Option<Vec<SheetTemplate>> {
    let (document, _) = load("picture.xml", file.as_bytes(), &LoadOptions::default());
    Some(drawing(&document, stop)?.0.templates)
}

struct SheetReader<'a> {
    sources: &'a SourceMap,
}

impl SheetReader<'_> {
    fn drawing(&self, outline: &Outline, layout: &Layout) -> Drawing {
        let text = |source: Option<_>| source.map(|source| self.sources.text(source).to_owned());
        let sections = &outline.sections;
        let imports = sections
            .imports
            .map(|imports| piece(|markup| markup.text("imports", &[], self.sources.text(imports))));
        let charts = sections.charts.iter().map(|chart| self.sources.snippet(chart.span).to_owned());
        Drawing {
            declarations: text(sections.declaration).unwrap_or_default(),
            templates: outline
                .templates
                .iter()
                .zip(&layout.templates)
                .map(|(t, l)| self.template(t, l))
                .collect(),
            instantiation: text(sections.instantiation).unwrap_or_default(),
            system: text(sections.system).unwrap_or_default(),
            kept: Kept {
                imports: imports.unwrap_or_default(),
                charts: charts.collect(),
                options: outline.options.iter().map(option).collect(),
            },
        }
    }

    fn template(&self, outline: &TemplateOutline, arranged: &TemplateLayout) -> SheetTemplate {
        let text = |source: Option<_>| source.map_or("", |source| self.sources.text(source)).to_owned();
        let locations = outline.locations.iter().zip(&outline.layout.locations).zip(&arranged.locations);
        let locations = locations.map(|((location, drawn), arranged)| {
            let at = spot(arranged.position);
            SheetLocation {
                id: arranged.id.clone(),
                name: text(location.name),
                at,
                name_at: arranged.name_position.map_or(at, |at| spot(Some(at))),
                urgent: location.urgent.is_some(),
                committed: location.committed.is_some(),
                colour: drawn.colour.clone().unwrap_or_default(),
                labels: self.labels(&drawn.labels, &arranged.labels, at),
            }
        });
        let branchpoints = arranged.branchpoints.iter().map(|drawn| SheetBranchpoint {
            id: drawn.id.clone(),
            at: spot(drawn.position),
            colour: drawn.colour.clone().unwrap_or_default(),
        });
        let drawn = &outline.layout;
        SheetTemplate {
            name: text(outline.name),
            parameters: text(drawn.parameter),
            declarations: text(drawn.declaration),
            name_at: drawn.name_position.map(|at| spot(Some(at))),
            parameters_at: drawn.parameter_position.map(|at| spot(Some(at))),
            initial: outline.init.as_ref().map(|init| init.id.clone()).unwrap_or_default(),
            locations: locations.collect(),
            branchpoints: branchpoints.collect(),
            edges: self.edges(outline, arranged),
        }
    }

    /// The edges. Edges without a target are not in the document and have no computed layout.
    fn edges(&self, outline: &TemplateOutline, arranged: &TemplateLayout) -> Vec<SheetEdge> {
        let locations = arranged.locations.iter().map(|location| location.id.as_str());
        let ids: HashSet<&str> = locations
            .chain(arranged.branchpoints.iter().map(|branchpoint| branchpoint.id.as_str()))
            .collect();
        let known = |transition: &TransitionOutline| {
            let ends = [&transition.source, &transition.target];
            ends.into_iter().all(|end| end.as_ref().is_some_and(|end| ids.contains(end.id.as_str())))
        };
        let mut edges = arranged.edges.iter();
        let mut edge = |transition: &TransitionOutline| {
            let arranged = if known(transition) { edges.next() } else { None };
            self.edge(transition, arranged.unwrap_or(&transition.layout))
        };
        outline.transitions.iter().map(&mut edge).collect()
    }

    fn edge(&self, transition: &TransitionOutline, arranged: &EdgeLayout) -> SheetEdge {
        let drawn = &transition.layout;
        let id = |end: &Option<tourbillon_front_uppaal::Reference>| {
            end.as_ref().map(|end| end.id.clone()).unwrap_or_default()
        };
        let beside = arranged.labels.iter().find_map(|label| label.position);
        let beside = beside.or(arranged.nails.first().copied());
        SheetEdge {
            id: drawn.id.clone().unwrap_or_default(),
            source: id(&transition.source),
            target: id(&transition.target),
            labels: self.labels(&drawn.labels, &arranged.labels, spot(beside)),
            nails: arranged.nails.iter().map(|&nail| spot(Some(nail))).collect(),
            colour: drawn.colour.clone().unwrap_or_default(),
            uncontrollable: !transition.controllable,
            action: drawn.action.clone().unwrap_or_default(),
        }
    }

    /// The labels. Empty labels have no computed layout and are placed beside the others.
    fn labels(&self, drawn: &[Label], arranged: &[Label], beside: Spot) -> Vec<SheetLabel> {
        let mut arranged = arranged.iter();
        let mut label = |label: &Label| {
            let text = label.text.map_or("", |text| self.sources.text(text));
            let next = if text.trim().is_empty() { None } else { arranged.next() };
            let at = label.position.or(next.and_then(|next| next.position));
            SheetLabel {
                kind: label.kind.word().to_owned(),
                text: text.to_owned(),
                at: at.map_or(beside, |at| spot(Some(at))),
                colour: label.colour.clone().unwrap_or_default(),
            }
        };
        drawn.iter().map(&mut label).collect()
    }

    fn query(&self, outline: &QueryOutline) -> SheetQuery {
        let expect = outline.expect.as_ref();
        let results = outline.results.iter().map(|result| self.sources.snippet(result.span).to_owned());
        SheetQuery {
            formula: self.sources.text(outline.formula).to_owned(),
            comment: outline.comment.clone().unwrap_or_default(),
            expected: expect.and_then(|expect| expect.outcome.clone()).unwrap_or_default(),
            kept: outline.options.iter().map(option).chain(expect.and_then(further)).chain(results).collect(),
        }
    }
}

/// The parts of an expectation besides the verdict.
fn further(expect: &QueryExpectation) -> Option<String> {
    let QueryExpectation { kind, value, resources, .. } = expect;
    if kind.is_none() && value.is_none() && resources.is_empty() {
        return None;
    }
    Some(piece(|markup| {
        markup.open("expect", &[("type", kind.as_deref()), ("value", value.as_deref())]);
        for resource in resources {
            let (kind, value) = (Some(resource.kind.as_str()), Some(resource.value.as_str()));
            markup.empty("resource", &[("type", kind), ("value", value), ("unit", resource.unit.as_deref())]);
        }
        markup.close("expect");
    }))
}

fn option(option: &QueryOption) -> String {
    piece(|markup| markup.empty("option", &[("key", Some(&option.key)), ("value", Some(&option.value))]))
}

/// One element as text.
fn piece(write: impl FnOnce(&mut Markup)) -> String {
    let mut markup = Markup::default();
    write(&mut markup);
    markup.finish().trim_end().to_owned()
}

fn spot(point: Option<Point>) -> Spot {
    let Point { x, y } = point.unwrap_or_default();
    Spot { x, y }
}
