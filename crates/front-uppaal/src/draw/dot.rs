//! Templates for Graphviz: one cluster for each.

use std::fmt::Write as _;

use tourbillon_syntax::tree::Template;

use super::{LocationMarks, colour_of, fill, is_branch, is_colour, selected, title};
use crate::document::Document;
use crate::layout::{Label, Nodes, TemplateLayout, arrange, lines_of};
use crate::xml::escape_text;

/// All templates, or the one with a name, in the language of Graphviz. Nothing if no template has that name.
#[must_use]
pub fn dot(document: &Document, template: Option<&str>) -> Option<String> {
    let layout = arrange(document);
    let mut out = "digraph model {\n".to_owned();
    out += "  graph [bgcolor=\"#ffffff\", fontname=\"monospace\", rankdir=TB, compound=true];\n";
    out +=
        "  node [fontname=\"monospace\", fontsize=11, shape=circle, style=filled, fillcolor=\"#dce9f7\"];\n";
    out += "  edge [fontname=\"monospace\", fontsize=10];\n";
    for (index, (template, layout)) in selected(document, &layout, template)?.into_iter().enumerate() {
        cluster(document, template, layout, index, &mut out);
    }
    out += "}\n";
    Some(out)
}

fn cluster(
    document: &Document,
    template: &Template,
    layout: &TemplateLayout,
    index: usize,
    out: &mut String,
) {
    let title = quoted(&title(document, template, layout));
    let _ = writeln!(out, "  subgraph cluster_{index} {{\n    label={title};\n    color=\"#b0b0b0\";");
    for (node, (location, drawn)) in template.locations.iter().zip(&layout.locations).enumerate() {
        let marks = LocationMarks::of(template, location);
        let mut lines = Vec::new();
        if !drawn.anonymous {
            lines.push(coloured("#202020", document.tree.name(location.name)));
        }
        if !marks.letter().is_empty() {
            lines.push(format!("<b>{}</b>", marks.letter()));
        }
        lines.extend(
            drawn
                .labels
                .iter()
                .filter_map(|label| line(label, &document.location_label_text(location, label))),
        );
        let shape = if marks.initial { "doublecircle" } else { "circle" };
        let (label, colour) = (html(&lines), fill(drawn.colour.as_ref()));
        let _ = writeln!(out, "    t{index}n{node} [shape={shape}, fillcolor=\"{colour}\", label={label}];");
    }
    for branchpoint in 0..template.branchpoints.len() {
        let node = template.locations.len() + branchpoint;
        let _ = writeln!(out, "    t{index}n{node} [shape=point, width=0.12, fillcolor=\"#404040\"];");
    }
    let nodes = Nodes::new(template);
    for (edge, drawn) in template.edges.iter().zip(&layout.edges) {
        let Some((source, target)) = nodes.ends(edge) else { continue };
        let lines =
            drawn.labels.iter().filter_map(|label| line(label, &document.edge_label_text(edge, label)));
        let label = html(&lines.collect::<Vec<_>>());
        let style = if is_branch(template, edge) || !edge.controllable { "dashed" } else { "solid" };
        let colour = drawn.colour.as_deref().filter(|colour| is_colour(colour)).unwrap_or("#404040");
        let _ = writeln!(
            out,
            "    t{index}n{source} -> t{index}n{target} [style={style}, color=\"{colour}\", label={label}];"
        );
    }
    out.push_str("  }\n");
}

fn line(label: &Label, text: &str) -> Option<String> {
    (!text.trim().is_empty()).then(|| coloured(colour_of(label), text))
}

/// Text in a colour, lines kept.
fn coloured(colour: &str, text: &str) -> String {
    let lines: Vec<_> = lines_of(text).map(|line| escape_text(line).into_owned()).collect();
    format!("<font color=\"{colour}\">{}</font>", lines.join("<br/>"))
}

/// A label of lines that are marked up already.
fn html(lines: &[String]) -> String {
    match lines {
        [] => "\"\"".to_owned(),
        _ => format!("<{}>", lines.join("<br/>")),
    }
}

/// A string of Graphviz.
fn quoted(text: &str) -> String {
    let mut out = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => {}
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}
