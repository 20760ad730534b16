//! From a span in a file to the part of the sheet that it was written from.
//!
//! The file has the elements of the sheet in the order of the sheet (`write.rs`), so the path of an element identifies
//! the part. If the span refers to the text of that part, it is a range in it. Otherwise it refers to a tag or an
//! attribute, which a sheet does not have, and to the part as a whole.

use serde::{Deserialize, Serialize};
use tourbillon_base::{SourceId, Span};

use super::{Body, Drawing, Sheet};
use crate::load::{Loaded, Source};

/// A part of a sheet. All indices start from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Part"))]
#[serde(tag = "part", rename_all = "kebab-case")]
pub enum SheetPart {
    /// The model as a whole.
    Whole,
    /// The text of a text model.
    Text,
    Declarations,
    /// The instantiation section of old files.
    Instantiation,
    System,
    /// The name of a template, or the template as a whole.
    TemplateName {
        template: u32,
    },
    /// The parameters of a template.
    Parameters {
        template: u32,
    },
    /// The declarations of a template.
    TemplateDeclarations {
        template: u32,
    },
    /// A location: its name, or a label.
    Location {
        template: u32,
        location: u32,
        /// The index of the label; `None` for its name, or the location as a whole.
        label: Option<u32>,
    },
    Branchpoint {
        template: u32,
        branchpoint: u32,
    },
    /// An edge: as a whole, or a label.
    Edge {
        template: u32,
        edge: u32,
        /// The index of the label; `None` for the edge as a whole.
        label: Option<u32>,
    },
    /// The formula of a query.
    Query {
        query: u32,
    },
}

/// A part of a sheet, and a range in its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Place"))]
pub struct SheetPlace {
    pub part: SheetPart,
    /// The first character, in UTF-16 code units.
    pub from: u32,
    /// The end, exclusive, in UTF-16 code units.
    pub to: u32,
    /// The line in the text of the part, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl Sheet {
    /// The part of the sheet that a span refers to. `loaded` comes from [`Sheet::load`].
    ///
    /// ```
    /// use tourbillon::{Body, Sheet, SheetPart};
    ///
    /// let mut sheet = Sheet::empty();
    /// if let Body::Drawn(drawing) = &mut sheet.body {
    ///     drawing.declarations = "int é;\nclock 7;".to_owned();
    /// }
    /// let loaded = sheet.load();
    /// let place = sheet.place(&loaded, loaded.diagnostics.as_slice()[0].primary);
    /// assert_eq!((place.part, place.line), (SheetPart::Declarations, 1));
    /// ```
    #[must_use]
    pub fn place(&self, loaded: &Loaded, span: Span) -> SheetPlace {
        let part = self.part(loaded, span);
        let text = loaded.sources().text(span.source);
        if self.part_text(part).is_some_and(|own| same(own, text)) {
            let position = loaded.sources().position(span.source, span.start);
            let from = units(text, span.start);
            let to = units(text, span.end).max(from);
            return SheetPlace { part, from, to, line: position.line, column: position.column };
        }
        let to = self.part_text(part).map_or(0, |text| units(text, u32::MAX));
        SheetPlace { part, from: 0, to, line: 1, column: 1 }
    }

    fn part(&self, loaded: &Loaded, span: Span) -> SheetPart {
        match (&loaded.source, &self.body) {
            (Source::TChecker { .. }, _) => SheetPart::Text,
            (Source::Uppaal(document), Body::Text { .. }) if document.file == span.source => SheetPart::Text,
            (Source::Uppaal(document), Body::Text { .. }) => {
                let asked = |source: SourceId| {
                    let mut queries =
                        document.queries.iter().filter(|query| query.formula.source != document.file);
                    queries.position(|query| query.formula.source == source)
                };
                asked(span.source).map_or(SheetPart::Whole, |query| SheetPart::Query { query: number(query) })
            }
            (Source::Uppaal(document), Body::Drawn(_)) => {
                document.sources.resolve(span).element.map_or(SheetPart::Whole, part_of_path)
            }
        }
    }

    /// The text of a part, if it has one.
    fn part_text(&self, part: SheetPart) -> Option<&str> {
        if let SheetPart::Query { query } = part {
            return Some(&self.queries.get(query as usize)?.formula);
        }
        match &self.body {
            Body::Text { text } => (part == SheetPart::Text).then_some(text),
            Body::Drawn(drawing) => drawing.part_text(part),
        }
    }
}

impl Drawing {
    fn part_text(&self, part: SheetPart) -> Option<&str> {
        let template = |template: u32| self.templates.get(template as usize);
        Some(match part {
            SheetPart::Whole | SheetPart::Text | SheetPart::Query { .. } | SheetPart::Branchpoint { .. } => {
                return None;
            }
            SheetPart::Declarations => &self.declarations,
            SheetPart::Instantiation => &self.instantiation,
            SheetPart::System => &self.system,
            SheetPart::TemplateName { template: of } => &template(of)?.name,
            SheetPart::Parameters { template: of } => &template(of)?.parameters,
            SheetPart::TemplateDeclarations { template: of } => &template(of)?.declarations,
            SheetPart::Location { template: of, location, label } => {
                let location = template(of)?.locations.get(location as usize)?;
                match label {
                    Some(label) => &location.labels.get(label as usize)?.text,
                    None => &location.name,
                }
            }
            SheetPart::Edge { template: of, edge, label } => {
                &template(of)?.edges.get(edge as usize)?.labels.get(label? as usize)?.text
            }
        })
    }
}

/// The part with this path, or the one that contains it.
fn part_of_path(path: &str) -> SheetPart {
    let mut steps = path.split('/').skip(2).map(step);
    match steps.next() {
        Some(("declaration", _)) => SheetPart::Declarations,
        Some(("instantiation", _)) => SheetPart::Instantiation,
        Some(("system", _)) => SheetPart::System,
        Some(("template", template)) => part_of_template(template, steps),
        Some(("queries", _)) => match steps.next() {
            Some(("query", query)) => SheetPart::Query { query },
            _ => SheetPart::Whole,
        },
        _ => SheetPart::Whole,
    }
}

fn part_of_template<'a>(template: u32, mut steps: impl Iterator<Item = (&'a str, u32)>) -> SheetPart {
    let Some((name, index)) = steps.next() else { return SheetPart::TemplateName { template } };
    let label = steps.next().and_then(|(name, index)| (name == "label").then_some(index));
    match name {
        "parameter" => SheetPart::Parameters { template },
        "declaration" => SheetPart::TemplateDeclarations { template },
        "location" => SheetPart::Location { template, location: index, label },
        "branchpoint" => SheetPart::Branchpoint { template, branchpoint: index },
        "transition" => SheetPart::Edge { template, edge: index, label },
        _ => SheetPart::TemplateName { template },
    }
}

/// A step of a path: the name of an element, and its index.
fn step(step: &str) -> (&str, u32) {
    let numbered = step.strip_suffix(']').and_then(|step| step.split_once('['));
    match numbered {
        Some((name, number)) => (name, number.parse::<u32>().unwrap_or(1).saturating_sub(1)),
        None => (step, 0),
    }
}

/// Whether a text is that of a part. Characters that XML cannot represent were written as U+FFFD.
fn same(own: &str, written: &str) -> bool {
    let equal = |(own, written)| own == written || written == char::REPLACEMENT_CHARACTER;
    own == written
        || (own.chars().count() == written.chars().count() && own.chars().zip(written.chars()).all(equal))
}

/// The number of UTF-16 code units before a byte.
fn units(text: &str, byte: u32) -> u32 {
    let before = text.char_indices().take_while(|&(at, _)| at < byte as usize);
    before.map(|(_, c)| number(c.len_utf16())).sum()
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_parts() {
        let location = |label| SheetPart::Location { template: 1, location: 2, label };
        let edge = |label| SheetPart::Edge { template: 0, edge: 3, label };
        let cases = [
            ("/nta", SheetPart::Whole),
            ("/nta/declaration", SheetPart::Declarations),
            ("/nta/instantiation", SheetPart::Instantiation),
            ("/nta/system", SheetPart::System),
            ("/nta/template[2]", SheetPart::TemplateName { template: 1 }),
            ("/nta/template[2]/name", SheetPart::TemplateName { template: 1 }),
            ("/nta/template[2]/init", SheetPart::TemplateName { template: 1 }),
            ("/nta/template[2]/parameter", SheetPart::Parameters { template: 1 }),
            ("/nta/template[2]/declaration", SheetPart::TemplateDeclarations { template: 1 }),
            ("/nta/template[2]/location[3]", location(None)),
            ("/nta/template[2]/location[3]/name", location(None)),
            ("/nta/template[2]/location[3]/label[4]", location(Some(3))),
            ("/nta/template[1]/branchpoint[1]", SheetPart::Branchpoint { template: 0, branchpoint: 0 }),
            ("/nta/template[1]/transition[4]/source", edge(None)),
            ("/nta/template[1]/transition[4]/label[1]", edge(Some(0))),
            ("/nta/queries/query[7]/formula", SheetPart::Query { query: 6 }),
            ("/nta/queries/option[1]", SheetPart::Whole),
        ];
        for (path, part) in cases {
            assert_eq!(part_of_path(path), part, "{path}");
        }
    }

    #[test]
    fn offsets_count_as_browsers_do() {
        assert_eq!([0, 1, 3, 7, 8, 99].map(|byte| units("aé𝄞b", byte)), [0, 1, 2, 4, 5, 5]);
    }
}
