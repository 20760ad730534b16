//! What must hold of any bytes: they load without harm, and what loads without an error survives being written and
//! read again. The fuzz targets include this file, so that what they find can be replayed without them.

use tourbillon_base::{Diagnostic, Diagnostics};
use tourbillon_front_uppaal::{
    Document, Format, LoadOptions, XtaOptions, codes, draw, load, write_queries, write_xml, write_xta,
};

/// Loads bytes under a name and tries everything with them; tells what is wrong.
pub(crate) fn check(name: &str, bytes: &[u8]) -> Result<(), String> {
    let (mut document, diagnostics) = load(name, bytes, &LoadOptions::default());
    places(&document, &diagnostics);
    let _ = (draw::dot(&document, None), draw::svg(&document, None));
    let (queries, lost) = write_queries(&document, &document.queries);
    places(&document, &lost);
    let (xta, lost_in_xta) = write_xta(&document, XtaOptions::default());
    places(&document, &lost_in_xta);
    let (xml, lost_in_xml) = write_xml(&document);
    places(&document, &lost_in_xml);
    if diagnostics.has_errors() {
        return Ok(());
    }
    if document.format == Format::Queries {
        let again = reload("again.q", &queries)?;
        return same("queries", &document.model_outline(), &again.model_outline(), &queries, "<empty>\n");
    }
    let again = reload("again.xta", &xta)?;
    same("text", &document.model_outline(), &again.model_outline(), &xta, "<empty>\n")?;
    let missing = |diagnostic: &Diagnostic| diagnostic.code == codes::WRITTEN_WITH_ERRORS;
    if lost_in_xml.has_errors() || lost_in_xml.iter().any(missing) {
        return Ok(());
    }
    let again = reload("again.xml", &xml)?;
    if document.format == Format::Xml {
        document.arrange();
        same("xml", &document.outline(), &again.outline(), &xml, "")?;
    }
    same("xml written twice", &xml, &write_xml(&again).0, &xml, "")
}

/// Every place that is named can be found.
fn places(document: &Document, diagnostics: &Diagnostics) {
    for diagnostic in diagnostics {
        let place = document.sources.resolve(diagnostic.primary);
        assert!(place.start <= place.end, "{diagnostic:?}");
    }
}

/// What was written must be right.
fn reload(name: &str, text: &str) -> Result<Document, String> {
    let options = LoadOptions { dialect: Some(tourbillon_syntax::Dialect::New), ..LoadOptions::default() };
    let (document, diagnostics) = load(name, text.as_bytes(), &options);
    match diagnostics.has_errors() {
        true => Err(format!("{name} has errors: {diagnostics:#?}\n{text}")),
        false => Ok(document),
    }
}

/// Two outlines must be the same, some lines left out.
fn same(what: &str, left: &str, right: &str, text: &str, without: &str) -> Result<(), String> {
    let clean = |outline: &str| match without {
        "" => outline.to_owned(),
        without => outline.replace(without, ""),
    };
    let (left, right) = (clean(left), clean(right));
    match left == right {
        true => Ok(()),
        false => Err(format!("{what} differs:\n{left}\n{right}\n{text}")),
    }
}
