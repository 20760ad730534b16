//! What is read, written and read again is the same.

use tourbillon_front_uppaal::{Document, Format, XtaOptions, write_queries, write_xml, write_xta};

use crate::{accept, samples, shared_models};

/// XML and back: everything, once what had no position has one; and writing again gives the same text.
#[track_caller]
fn through_xml(name: &str, document: &Document) -> Document {
    let (text, _) = write_xml(document);
    let again = accept("again.xml", &text);
    let mut arranged = document.clone();
    arranged.arrange();
    if document.format == Format::Xml {
        assert_eq!(again.outline(), arranged.outline(), "{name}\n{text}");
    } else {
        assert_eq!(again.model_outline(), with_branchpoints_of(&again, document), "{name}\n{text}");
    }
    assert_eq!(write_xml(&again).0, text, "{name}: writing is not stable");
    again
}

/// The outline of a textual model with the names that branch points have in XML, where they have only ids.
fn with_branchpoints_of(xml: &Document, document: &Document) -> String {
    let names = |document: &Document| -> Vec<String> {
        let all = document.templates().flat_map(|template| &template.branchpoints);
        all.map(|&name| format!(" {}", document.tree.name(name))).collect()
    };
    let pairs = names(document).into_iter().zip(names(xml));
    pairs.fold(document.model_outline(), |outline, (old, new)| outline.replace(&old, &new))
}

/// Text and back: the model and the formulas; headings among the queries have no place in it.
#[track_caller]
fn through_xta(name: &str, document: &Document) -> Document {
    let (text, _) = write_xta(document, XtaOptions::default());
    let again = accept("again.xta", &text);
    let outline = document.model_outline().replace("<empty>\n", "");
    assert_eq!(again.model_outline(), outline, "{name}\n{text}");
    assert_eq!(write_xta(&again, XtaOptions::default()).0, text, "{name}: writing is not stable");
    again
}

#[track_caller]
fn through_all(name: &str, text: &[u8]) {
    let document = accept(name, text);
    if document.format == Format::Queries {
        let (text, _) = write_queries(&document, &document.queries);
        let again = accept("again.q", &text);
        assert_eq!(again.outline(), document.outline(), "{name}\n{text}");
        return;
    }
    let xml = through_xml(name, &document);
    let xta = through_xta(name, &document);
    through_xta(name, &xml);
    through_xml(name, &xta);
}

#[test]
fn samples_survive() {
    for (name, bytes) in samples() {
        through_all(name, bytes);
    }
}

#[test]
fn shared_models_survive() {
    for (name, bytes) in shared_models() {
        // This one has a stray `=` in its list of edges.
        if name != "critical-2-25-50.xta" {
            through_all(&name, &bytes);
        }
    }
}
