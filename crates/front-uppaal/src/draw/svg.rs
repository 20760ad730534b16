//! Templates as SVG, one below the other, in the layout of the document.
//!
//! The picture needs nothing from outside: no style sheet, no font, no script. Edges are drawn through their nails
//! and end at the border of what they lead to.

use std::fmt::Write as _;

use tourbillon_syntax::tree::Template;

use super::{LocationMarks, colour_of, fill, is_branch, is_colour, selected, title};
use crate::document::Document;
use crate::layout::{LINE, Nodes, Point, TemplateLayout, arrange, lines_of, size_of};
use crate::xml::escape_text;

/// The radius of a location.
const RADIUS: i32 = 11;

/// The radius of a branch point.
const DOT: i32 = 4;

/// The space round a template.
const MARGIN: i32 = 34;

const STYLE: &str = "font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"11.5\"";

/// All templates, or the one with a name, as SVG. Nothing if no template has that name.
#[must_use]
pub fn svg(document: &Document, template: Option<&str>) -> Option<String> {
    let layout = arrange(document);
    let (mut body, mut width, mut height) = (String::new(), 0, 0);
    for (template, layout) in selected(document, &layout, template)? {
        let mut picture =
            Picture { document, template, layout, out: String::new(), extent: BoundingBox::default() };
        picture.draw();
        let BoundingBox { left, top, right, bottom } = picture.extent;
        let title = title(document, template, layout);
        let (across, down) = (MARGIN - left, height + MARGIN + 2 * LINE - top);
        let _ = writeln!(body, "<text x=\"{MARGIN}\" y=\"{}\" font-weight=\"bold\">", height + MARGIN);
        body += &tspans(&title, MARGIN);
        let _ = writeln!(body, "</text>\n<g transform=\"translate({across},{down})\">\n{}</g>", picture.out);
        width = width.max(right - left).max(size_of(&title).0);
        height = down + bottom + MARGIN;
    }
    let (width, height) = (width + 2 * MARGIN, height.max(1));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" {STYLE}>\n"
    );
    out += "<defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" \
            markerHeight=\"8\" orient=\"auto\"><path d=\"M0 1L10 5L0 9z\" fill=\"#404040\"/></marker></defs>\n";
    let _ = writeln!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>");
    out += &body;
    out += "</svg>\n";
    Some(out)
}

/// The smallest rectangle round what was drawn.
#[derive(Clone, Copy, Default)]
struct BoundingBox {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

struct Picture<'a> {
    document: &'a Document,
    template: &'a Template,
    layout: &'a TemplateLayout,
    out: String,
    extent: BoundingBox,
}

impl Picture<'_> {
    fn draw(&mut self) {
        let first = self.layout.locations.first().and_then(|location| location.position);
        if let Some(first) = first {
            self.extent = BoundingBox { left: first.x, top: first.y, right: first.x, bottom: first.y };
        }
        self.edges();
        self.locations();
        self.labels();
    }

    fn radius(&self, node: usize) -> i32 {
        if node < self.layout.locations.len() { RADIUS } else { DOT }
    }

    fn edges(&mut self) {
        let nodes = Nodes::new(self.template);
        for (edge, drawn) in self.template.edges.iter().zip(&self.layout.edges) {
            let Some((source, target)) = nodes.ends(edge) else { continue };
            let (Some(from), Some(to)) = (self.layout.centre(source), self.layout.centre(target)) else {
                continue;
            };
            let first = drawn.nails.first().copied().unwrap_or(to);
            let last = drawn.nails.last().copied().unwrap_or(from);
            let mut points = vec![border(from, first, self.radius(source))];
            points.extend(drawn.nails.iter().map(|nail| (f64::from(nail.x), f64::from(nail.y))));
            points.push(border(to, last, self.radius(target)));
            let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            let colour = drawn.colour.as_deref().filter(|colour| is_colour(colour)).unwrap_or("#404040");
            let dashed = match is_branch(self.template, edge) || !edge.controllable {
                true => " stroke-dasharray=\"5 3\"",
                false => "",
            };
            let _ = writeln!(
                self.out,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-linejoin=\"round\"{dashed} \
                 marker-end=\"url(#arrow)\"/>",
                path.join(" ")
            );
            for &nail in &drawn.nails {
                self.include(nail, (0, 0));
            }
        }
    }

    fn locations(&mut self) {
        for (location, drawn) in self.template.locations.iter().zip(&self.layout.locations) {
            let Some(Point { x, y }) = drawn.position else { continue };
            self.include(Point { x: x - RADIUS, y: y - RADIUS }, (2 * RADIUS, 2 * RADIUS));
            let marks = LocationMarks::of(self.template, location);
            let fill = fill(drawn.colour.as_ref());
            let _ = writeln!(
                self.out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill=\"{fill}\" stroke=\"#203040\"/>"
            );
            if marks.initial {
                let inner = RADIUS - 3;
                let _ = writeln!(
                    self.out,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"{inner}\" fill=\"none\" stroke=\"#203040\"/>"
                );
            }
            if !marks.letter().is_empty() {
                let (baseline, letter) = (y + 4, marks.letter());
                let _ = writeln!(
                    self.out,
                    "<text x=\"{x}\" y=\"{baseline}\" text-anchor=\"middle\" font-weight=\"bold\">{letter}</text>"
                );
            }
        }
        for drawn in &self.layout.branchpoints {
            let Some(Point { x, y }) = drawn.position else { continue };
            self.include(Point { x: x - DOT, y: y - DOT }, (2 * DOT, 2 * DOT));
            let _ = writeln!(self.out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{DOT}\" fill=\"#404040\"/>");
        }
    }

    fn labels(&mut self) {
        let document = self.document;
        for (location, drawn) in self.template.locations.iter().zip(&self.layout.locations) {
            if !drawn.anonymous {
                self.text(drawn.name_position, "#202020", document.tree.name(location.name));
            }
            for label in &drawn.labels {
                self.text(label.position, colour_of(label), &document.location_label_text(location, label));
            }
        }
        for (edge, drawn) in self.template.edges.iter().zip(&self.layout.edges) {
            for label in &drawn.labels {
                self.text(label.position, colour_of(label), &document.edge_label_text(edge, label));
            }
        }
    }

    fn text(&mut self, at: Option<Point>, colour: &str, text: &str) {
        let Some(at) = at.filter(|_| !text.trim().is_empty()) else { return };
        self.include(at, size_of(text));
        let (x, baseline) = (at.x, at.y + 12);
        let _ = writeln!(
            self.out,
            "<text x=\"{x}\" y=\"{baseline}\" fill=\"{colour}\">{}</text>",
            tspans(text, x)
        );
    }

    fn include(&mut self, corner: Point, (width, height): (i32, i32)) {
        let BoundingBox { left, top, right, bottom } = self.extent;
        self.extent = BoundingBox {
            left: left.min(corner.x),
            top: top.min(corner.y),
            right: right.max(corner.x + width),
            bottom: bottom.max(corner.y + height),
        };
    }
}

/// The lines of a text.
fn tspans(text: &str, x: i32) -> String {
    let mut lines = lines_of(text);
    let mut out = escape_text(lines.next().unwrap_or("")).into_owned();
    for line in lines {
        let _ = write!(out, "<tspan x=\"{x}\" dy=\"{LINE}\">{}</tspan>", escape_text(line));
    }
    out
}

/// The point of a circle that faces another point.
fn border(centre: Point, towards: Point, radius: i32) -> (f64, f64) {
    let (dx, dy) = (f64::from(towards.x - centre.x), f64::from(towards.y - centre.y));
    let length = dx.hypot(dy).max(1.0);
    let radius = f64::from(radius);
    (f64::from(centre.x) + dx / length * radius, f64::from(centre.y) + dy / length * radius)
}
