//! Sheets: files there and back, whatever is in them, and places of diagnostics.

use std::path::{Path, PathBuf};

use tourbillon::{
    Body, Drawing, Kept, Loaded, Random, Severity, Sheet, SheetBranchpoint, SheetEdge, SheetLabel,
    SheetLocation, SheetPart, SheetQuery, SheetTemplate, Source, Spot,
};

/// The XML files at hand: examples, samples, and public models where they are.
fn files() -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = ["../examples", "front-uppaal/tests/samples", "../../shared/models/uppaal"];
    let entries = folders.iter().filter_map(|folder| std::fs::read_dir(crates.join(folder)).ok()).flatten();
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "xml"));
    files.sort();
    assert!(files.len() > 10, "{files:?}");
    files
}

fn example(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    std::fs::read(path).expect("an example")
}

fn drawing(sheet: &mut Sheet) -> &mut Drawing {
    match &mut sheet.body {
        Body::Drawn(drawing) => drawing,
        Body::Text { .. } => panic!("a drawing"),
    }
}

/// All that a document says, with positions for everything.
fn outline(loaded: &Loaded) -> String {
    let Source::Uppaal(document) = &loaded.source else { panic!("a file of UPPAAL's") };
    let mut document = document.clone();
    document.arrange();
    document.outline()
}

#[test]
fn files_become_sheets_and_files_again() {
    for path in files() {
        let bytes = std::fs::read(&path).expect("a readable file");
        let (sheet, loaded) = Sheet::open("m.xml", &bytes);
        let text = sheet.text();
        let (again, reloaded) = Sheet::open("m.xml", text.as_bytes());
        assert_eq!(sheet, again, "{}", path.display());
        assert_eq!(outline(&loaded), outline(&reloaded), "{}", path.display());
        assert_eq!(text, again.text(), "{}", path.display());
        assert_eq!(loaded.model.is_some(), sheet.load().model.is_some(), "{}", path.display());
    }
}

#[test]
fn an_empty_model_runs() {
    let sheet = Sheet::empty();
    let loaded = sheet.load();
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    assert_eq!(Sheet::open("model.xml", sheet.text().as_bytes()).0, sheet);
}

#[test]
fn models_of_text_stay_as_they_are() {
    let text = "clock x;\r\nprocess P() { state A; init A; }\r\nsystem P;\r\n";
    let (mut sheet, _) = Sheet::open("p.xta", text.as_bytes());
    assert_eq!(sheet.text(), text.replace('\r', ""));
    let query = |formula: &str, expected: &str| SheetQuery {
        formula: formula.to_owned(),
        expected: expected.to_owned(),
        ..SheetQuery::default()
    };
    sheet.queries = vec![query("E<>\nP.A", "success"), query("", ""), query("A[]  P.𝄞", "")];
    let loaded = sheet.load();
    let model = loaded.model.as_ref().expect("a model");
    assert_eq!(model.queries.len(), 2);
    assert_eq!(model.queries[0].expected, Some(tourbillon::Expectation::Satisfied));
    let place = sheet.place(&loaded, loaded.diagnostics.as_slice()[0].primary);
    assert_eq!((place.part, place.from, place.to), (SheetPart::Query { query: 2 }, 7, 9));
    assert_eq!(sheet.picture(&loaded)[0].locations[0].name, "A");

    let (sheet, loaded) = Sheet::open("fischer.tck", &example("fischer.tck"));
    assert!(matches!(sheet.body, Body::Text { .. }) && loaded.model.is_some());
    assert_eq!(sheet.picture(&loaded).len(), loaded.model.expect("a model").processes.len());
}

#[test]
fn a_drawing_is_one_whatever_it_is_called() {
    for name in ["", "m", "m.tck", "m.q", "m.XML", "../m.xta"] {
        let sheet = Sheet { name: name.to_owned(), ..Sheet::empty() };
        assert!(sheet.load().model.is_some(), "{name}");
        for bytes in [&b""[..], b"\xff\xfe\x00", b"<nta", b"<a/>", b"\0"] {
            let (sheet, _) = Sheet::open(name, bytes);
            let loaded = sheet.load();
            assert_eq!(sheet.query_numbers(&loaded).len(), sheet.queries.len(), "{name}");
            let _ = sheet.picture(&loaded);
        }
    }
}

/// Texts that try to be something else.
const HOSTILE: &[&str] = &[
    "",
    "x <= 5 && y > 3",
    "</label><system>system Q;</system>",
    "<![CDATA[ ]]> ]]>",
    "&amp;&lt;&#13;\r\n\t",
    "\u{202e}edoc\u{2066}",
    "// \"'<!-- -->\n/* ",
    "𝄞é\u{fffd}",
    "<?xml version='1.0'?><!DOCTYPE a>",
];

struct Maker {
    random: Random,
}

impl Maker {
    fn text(&mut self) -> String {
        self.random.pick(HOSTILE).copied().unwrap_or_default().to_owned()
    }

    /// A name: nothing at all, or something that is not blank.
    fn name(&mut self) -> String {
        let text = self.text();
        if text.trim().is_empty() { String::new() } else { text }
    }

    fn spot(&mut self) -> Spot {
        Spot { x: self.random.within(-1000..=1000), y: self.random.within(-1000..=1000) }
    }

    fn some<T>(&mut self, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.random.below(most + 1)).map(|_| make(self)).collect()
    }

    fn label(&mut self, kinds: &[&str]) -> SheetLabel {
        let kind = self.random.pick(kinds).copied().unwrap_or_default().to_owned();
        SheetLabel { kind, text: self.text(), at: self.spot(), colour: String::new() }
    }

    fn template(&mut self, first: usize) -> SheetTemplate {
        let count = 1 + self.random.below(3);
        let location = |maker: &mut Self, id: usize| {
            let (name, at) = (maker.name(), maker.spot());
            let name_at = maker.spot();
            SheetLocation {
                id: format!("i{id}<>"),
                name,
                at,
                name_at,
                urgent: maker.random.one_in(3),
                committed: maker.random.one_in(3),
                colour: maker.text(),
                labels: maker.some(3, |maker| maker.label(&["invariant", "comments", "", "a'\"<b"])),
            }
        };
        let locations: Vec<SheetLocation> = (first..first + count).map(|id| location(self, id)).collect();
        let node = |maker: &mut Self| match maker.random.one_in(5) {
            true => maker.text(),
            false => format!("i{}<>", first + maker.random.below(count + 1)),
        };
        SheetTemplate {
            name: self.text(),
            parameters: self.text(),
            declarations: self.text(),
            name_at: self.random.one_in(2).then(|| self.spot()),
            parameters_at: self.random.one_in(2).then(|| self.spot()),
            initial: node(self),
            locations,
            branchpoints: vec![SheetBranchpoint {
                id: format!("i{}<>", first + count),
                at: self.spot(),
                colour: self.text(),
            }],
            edges: self.some(4, |maker| SheetEdge {
                id: maker.text(),
                source: node(maker),
                target: node(maker),
                labels: maker
                    .some(3, |maker| maker.label(&["guard", "select", "assignment", "synchronisation", "x"])),
                nails: (0..2).map(|_| maker.spot()).collect(),
                colour: maker.text(),
                uncontrollable: maker.random.one_in(2),
                action: maker.text(),
            }),
        }
    }

    fn query(&mut self) -> SheetQuery {
        let further = self.random.one_in(2).then(|| "<expect type=\"symbolic\"/>".to_owned());
        let result = self.random.one_in(2).then(|| "<result>\n<query></query></result>".to_owned());
        let option = self.random.one_in(2).then(|| "<option key=\"a\" value=\"&lt;\"/>".to_owned());
        SheetQuery {
            formula: self.text(),
            comment: self.name(),
            expected: self.name(),
            kept: option.into_iter().chain(further).chain(result).collect(),
        }
    }

    fn sheet(&mut self) -> Sheet {
        let templates = (0..self.random.below(3)).map(|index| self.template(index * 10)).collect();
        let kept = Kept {
            imports: if self.random.one_in(2) { "<imports>&lt;</imports>".to_owned() } else { String::new() },
            charts: self.some(2, |_| "<lsc a=\"&quot;\"><template/></lsc>".to_owned()),
            options: self.some(2, |_| "<option key=\"--x\" value=\"&#10;\"/>".to_owned()),
        };
        let drawing = Drawing {
            declarations: self.text(),
            templates,
            instantiation: self.text(),
            system: self.text(),
            kept,
        };
        Sheet { name: "m.xml".to_owned(), body: Body::Drawn(drawing), queries: self.some(3, Self::query) }
    }
}

#[test]
fn sheets_with_anything_in_them_become_files_and_sheets_again() {
    for seed in 0..300 {
        let sheet = Maker { random: Random::from_seed(seed) }.sheet();
        let text = sheet.text();
        let (mut again, loaded) = Sheet::open("m.xml", text.as_bytes());
        assert_eq!(again.text(), text, "seed {seed}");
        // Names that are not there are placed.
        for (new, old) in drawing(&mut again).templates.iter_mut().zip(&drawing(&mut sheet.clone()).templates)
        {
            for (new, old) in
                new.locations.iter_mut().zip(&old.locations).filter(|(new, _)| new.name.is_empty())
            {
                new.name_at = old.name_at;
            }
        }
        assert_eq!(again, sheet, "seed {seed}\n{text}");
        for diagnostic in &loaded.diagnostics {
            let _ = sheet.place(&loaded, diagnostic.primary);
        }
    }
}

#[test]
fn what_is_kept_of_other_files_cannot_become_something_else() {
    let mut sheet = Sheet::empty();
    let bad =
        ["<lsc>", "<system>x</system>", "<lsc/><template/>", "&", "<lsc a='1' a='2'/>", "<lsc>\u{1}</lsc>"];
    drawing(&mut sheet).kept = Kept {
        imports: "<template/>".to_owned(),
        charts: bad.map(str::to_owned).to_vec(),
        options: bad.map(str::to_owned).to_vec(),
    };
    let kept =
        ["<expect outcome='failure'/>", "<expectation/>", "<formula>E&lt;&gt; x</formula>", "<result>"];
    sheet.queries = vec![SheetQuery {
        formula: "\u{1}x".to_owned(),
        expected: "success".to_owned(),
        kept: kept.map(str::to_owned).to_vec(),
        ..SheetQuery::default()
    }];
    let (mut again, _) = Sheet::open("m.xml", sheet.text().as_bytes());
    assert_eq!(drawing(&mut again).kept, Kept::default());
    let query = SheetQuery {
        formula: "\u{fffd}x".to_owned(),
        expected: "success".to_owned(),
        ..SheetQuery::default()
    };
    assert_eq!(again.queries, [query]);
}

/// The parts of a drawing that have text, and how to change it.
fn parts(drawing: &Drawing) -> Vec<SheetPart> {
    let mut parts = vec![SheetPart::Declarations, SheetPart::System];
    let number = |index: usize| u32::try_from(index).expect("a small number");
    for (template, drawn) in (0..).zip(&drawing.templates) {
        parts.extend([SheetPart::TemplateName { template }, SheetPart::Parameters { template }]);
        parts.push(SheetPart::TemplateDeclarations { template });
        for (location, drawn) in (0..).zip(&drawn.locations) {
            parts.push(SheetPart::Location { template, location, label: None });
            let labels = 0..number(drawn.labels.len());
            parts.extend(labels.map(|label| SheetPart::Location { template, location, label: Some(label) }));
        }
        for (edge, drawn) in (0..).zip(&drawn.edges) {
            let labels = 0..number(drawn.labels.len());
            parts.extend(labels.map(|label| SheetPart::Edge { template, edge, label: Some(label) }));
        }
    }
    parts
}

fn text_of(drawing: &mut Drawing, part: SheetPart) -> &mut String {
    let templates = &mut drawing.templates;
    match part {
        SheetPart::Declarations => &mut drawing.declarations,
        SheetPart::System => &mut drawing.system,
        SheetPart::TemplateName { template } => &mut templates[template as usize].name,
        SheetPart::Parameters { template } => &mut templates[template as usize].parameters,
        SheetPart::TemplateDeclarations { template } => &mut templates[template as usize].declarations,
        SheetPart::Location { template, location, label } => {
            let location = &mut templates[template as usize].locations[location as usize];
            match label {
                Some(label) => &mut location.labels[label as usize].text,
                None => &mut location.name,
            }
        }
        SheetPart::Edge { template, edge, label: Some(label) } => {
            &mut templates[template as usize].edges[edge as usize].labels[label as usize].text
        }
        other => panic!("{other:?} has no text"),
    }
}

#[test]
fn what_is_wrong_is_told_at_its_place() {
    let (mut sheet, _) = Sheet::open("train-gate.xml", &example("train-gate.xml"));
    for edge in drawing(&mut sheet).templates.iter_mut().flat_map(|template| &mut template.edges) {
        // A label without text must not shift the others.
        edge.labels.insert(0, SheetLabel { kind: "comments".to_owned(), ..SheetLabel::default() });
    }
    let parts: Vec<SheetPart> = parts(drawing(&mut sheet));
    assert!(parts.len() > 40);
    for part in parts {
        let mut broken = sheet.clone();
        let text = text_of(drawing(&mut broken), part);
        if text.is_empty() && matches!(part, SheetPart::Edge { .. }) {
            continue;
        }
        // Seven units behind a line, of which one character is two.
        text.insert_str(0, "/*𝄞*/\n ");
        text.push_str(" $");
        let lines = u32::try_from(text.lines().count()).expect("a small number");
        let end = u32::try_from(text.encode_utf16().count()).expect("a small number");
        let loaded = broken.load();
        let places = loaded.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        let places: Vec<_> = places.map(|diagnostic| broken.place(&loaded, diagnostic.primary)).collect();
        let place = places.iter().find(|place| place.part == part);
        let place = place.unwrap_or_else(|| panic!("{part:?}: {places:?} {:?}", loaded.diagnostics));
        let is_name =
            matches!(part, SheetPart::TemplateName { .. } | SheetPart::Location { label: None, .. });
        if !is_name {
            assert_eq!((place.from, place.to, place.line), (end - 1, end, lines), "{part:?}: {places:?}");
        }
    }
}

#[test]
fn queries_and_tags_have_places_too() {
    let (mut sheet, _) = Sheet::open("train-gate.xml", &example("train-gate.xml"));
    let last = sheet.queries.len() - 1;
    sheet.queries[last].formula = "A[]\n Train(0).Nowhere".to_owned();
    let loaded = sheet.load();
    let place = sheet.place(&loaded, loaded.diagnostics.as_slice()[0].primary);
    let query = u32::try_from(last).expect("a small number");
    assert_eq!((place.part, place.line, place.to), (SheetPart::Query { query }, 2, 21));

    let mut sheet = Sheet::empty();
    let template = &mut drawing(&mut sheet).templates[0];
    template.initial = "nowhere".to_owned();
    template.edges.push(SheetEdge { source: "id0".to_owned(), ..SheetEdge::default() });
    let loaded = sheet.load();
    let places: Vec<_> = loaded.diagnostics.iter().map(|told| sheet.place(&loaded, told.primary)).collect();
    let parts: Vec<SheetPart> = places.iter().map(|place| place.part).collect();
    let edge = SheetPart::Edge { template: 0, edge: 0, label: None };
    assert_eq!(parts, [SheetPart::TemplateName { template: 0 }, edge]);
    assert_eq!((places[0].from, places[0].to), (0, 8));
}

#[test]
fn templates_are_laid_out_anew() {
    let (mut sheet, loaded) = Sheet::open("train-gate.xml", &example("train-gate.xml"));
    for template in &mut drawing(&mut sheet).templates {
        let before = template.clone();
        let labels = template.arranged(true);
        let spots = |template: &SheetTemplate| template.locations.iter().map(|l| l.at).collect::<Vec<_>>();
        assert_eq!(spots(&labels), spots(&before));
        for location in &mut template.locations {
            (location.at, location.name_at) = (Spot::default(), Spot::default());
        }
        let all = template.arranged(false);
        let mut apart = spots(&all);
        apart.sort_by_key(|spot| (spot.x, spot.y));
        apart.dedup();
        assert_eq!(apart.len(), before.locations.len());
        *template = all;
    }
    let again = sheet.load();
    let model = |loaded: &Loaded| match &loaded.source {
        Source::Uppaal(document) => document.model_outline(),
        Source::TChecker { .. } => String::new(),
    };
    assert_eq!(model(&again), model(&loaded));
}
