//! Whole models: read without a complaint, printed, and read again as the same tree.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tourbillon_base::{Fragment, SourceId, SourceMap};
use tourbillon_syntax::{Dialect, Reader};

use super::{Kind, accept, parse};

#[test]
fn our_models_come_back_as_they_were() {
    accept(Kind::Model, include_str!("../models/wide.xta"));
    accept(Kind::Model, include_str!("../models/gate.xta"));
    accept(Kind::OldModel, include_str!("../models/old.ta"));
    accept(Kind::QueryFile, include_str!("../models/wide.q"));
    assert_eq!(Dialect::guess(include_str!("../models/wide.xta")), Dialect::New);
    assert_eq!(Dialect::guess(include_str!("../models/old.ta")), Dialect::Old);
}

/// The collection of public models lies beside the project on some machines and cannot be part of it. Where it
/// is absent there is nothing to test; the models above go through the same checks.
#[test]
fn public_models_come_back_as_they_were_where_they_are_present() {
    for path in public_models() {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let kind = match path.extension().and_then(|extension| extension.to_str()) {
            Some("q") => Kind::QueryFile,
            Some("xta" | "ta") if Dialect::guess(&text) == Dialect::Old => Kind::OldModel,
            Some("xta" | "ta") => Kind::Model,
            _ => continue,
        };
        if name == "critical-2-25-50.xta" {
            let parsed = parse(kind, &text);
            assert_eq!(parsed.places, ["S0101 42:82"], "its stray equals sign");
            assert_eq!(parse(kind, &parsed.printed).shape, parsed.shape);
        } else {
            accept(kind, &text);
        }
    }
}

/// The texts inside an XML model, each a fragment that leads back to its bytes.
///
/// The scanner knows only what these files contain: elements without nested ones of the same name, and the five
/// predefined entities.
fn xml_pieces(sources: &mut SourceMap, name: &str, xml: &str) -> Vec<(Kind, SourceId)> {
    let file = sources.add_file(name, xml);
    let elements = [
        ("<declaration>", Kind::Declarations),
        ("<parameter>", Kind::Parameters),
        ("<label kind=\"guard\"", Kind::Guard),
        ("<label kind=\"invariant\"", Kind::Invariant),
        ("<label kind=\"synchronisation\"", Kind::Sync),
        ("<label kind=\"assignment\"", Kind::Assignments),
        ("<label kind=\"select\"", Kind::Select),
        ("<system>", Kind::System),
        ("<formula>", Kind::Query),
    ];
    let mut pieces = Vec::new();
    for (tag, kind) in elements {
        for (at, _) in xml.match_indices(tag) {
            let start = at + xml[at..].find('>').unwrap() + 1;
            let end = start + xml[start..].find("</").unwrap();
            pieces.push((kind, sources.add_fragment(decoded(file, tag, xml, start..end))));
        }
    }
    pieces
}

fn decoded(file: SourceId, element: &str, xml: &str, range: std::ops::Range<usize>) -> Fragment {
    let mut fragment = Fragment::new(file, element, range.start);
    let mut at = range.start;
    while let Some(offset) = xml[at..range.end].find('&') {
        fragment.verbatim(&xml[at..at + offset], at);
        let end = at + offset + xml[at + offset..].find(';').unwrap() + 1;
        let character = match &xml[at + offset..end] {
            "&lt;" => "<",
            "&gt;" => ">",
            "&amp;" => "&",
            "&apos;" => "'",
            _ => "\"",
        };
        fragment.replaced(character, at + offset..end);
        at = end;
    }
    fragment.verbatim(&xml[at..range.end], at);
    fragment
}

/// See above for where these models are.
#[test]
fn public_xml_models_come_back_as_they_were_where_they_are_present() {
    let paths = public_models().into_iter().filter(|path| path.extension().is_some_and(|e| e == "xml"));
    for path in paths {
        let xml = std::fs::read_to_string(&path).unwrap();
        let mut sources = SourceMap::new();
        for (kind, piece) in xml_pieces(&mut sources, &path.to_string_lossy(), &xml) {
            accept(kind, sources.text(piece));
        }
    }
}

#[test]
fn a_mistake_in_xml_is_found_in_the_file() {
    let xml = "<nta><declaration>clock x;\nint a = 1 &lt;&lt; ;\nint b;</declaration>\n<system>system P;</system></nta>";
    let mut sources = SourceMap::new();
    let pieces = xml_pieces(&mut sources, "m.xml", xml);
    let mut reader = Reader::new(&sources, Dialect::New);
    let declarations = reader.declarations(pieces[0].1);
    assert_eq!(declarations.len(), 3);
    let place = sources.resolve(reader.diagnostics.as_slice()[0].primary);
    assert_eq!((place.file, place.start.line, place.start.column), ("m.xml", 2, 20));
    assert_eq!((place.element, place.element_line), (Some("<declaration>"), Some(2)));
    assert_eq!(&xml[place.bytes], ";");
}

fn public_models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/uppaal");
    let Ok(folder) = std::fs::read_dir(root) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = folder.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

/// A name before a name could be a misspelt keyword; asking must not cost much.
#[test]
fn many_unknown_types_are_read_as_quickly() {
    let mut sources = SourceMap::new();
    let file = sources.add_file("types.xta", "stale x;".repeat(600_000));
    let start = Instant::now();
    let mut reader = Reader::new(&sources, Dialect::New);
    assert_eq!(reader.declarations(file).len(), 600_000);
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
}

#[test]
fn five_megabytes_are_read_in_well_under_a_second() {
    let model = include_str!("../models/wide.xta");
    let template = &model[model.find("process Belt").unwrap()..model.find("process Robot").unwrap()];
    let copies =
        (0..5_000_000 / template.len()).map(|index| template.replace("Belt", &format!("Belt{index}")));
    let text: String = copies.chain(["system Belt0;".to_owned()]).collect();
    let mut sources = SourceMap::new();
    let file = sources.add_file("large.xta", text);
    let start = Instant::now();
    let mut reader = Reader::new(&sources, Dialect::New);
    let model = reader.model(file);
    let elapsed = start.elapsed();
    assert!(reader.diagnostics.is_empty() && model.items.len() > 1000);
    assert!(
        elapsed < Duration::from_secs(2),
        "{elapsed:?}: twice the time that the slowest machine should need"
    );
}
