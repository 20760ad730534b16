//! Conversion of models to other languages, and drawings.
//!
//! Between UPPAAL's formats, a file is converted with its templates and comments. Conversion to and from TChecker's
//! text converts the network: processes replace templates, and constructs without a counterpart in the target are
//! reported.

use std::sync::atomic::AtomicBool;

use tourbillon_base::Diagnostics;
use tourbillon_front_tchecker as tchecker;
use tourbillon_front_uppaal::{self as uppaal, Document, LoadOptions, XtaOptions};

use crate::json::model_json;
use crate::load::{Loaded, Source};
use crate::network_xta::network_xta;

/// A language to write a model in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    Xml,
    Xta,
    Tck,
    Json,
}

/// A model in another language.
#[derive(Clone, Debug)]
pub struct Converted {
    pub text: String,
    /// Constructs that were not converted.
    pub diagnostics: Diagnostics,
}

/// Writes a model in another language.
///
/// # Errors
/// If the target cannot express it, with the reasons; or if it could not be read at all, without any.
pub fn convert(loaded: &Loaded, target: Target) -> Result<Converted, Diagnostics> {
    convert_until(loaded, target, &AtomicBool::new(false)).expect("nothing stops it")
}

/// As [`convert`]; `None` if `stop` is set before the layout is complete.
#[must_use]
pub fn convert_until(
    loaded: &Loaded,
    target: Target,
    stop: &AtomicBool,
) -> Option<Result<Converted, Diagnostics>> {
    let whole = |text| Converted { text, diagnostics: Diagnostics::default() };
    Some(match (target, &loaded.source, &loaded.model) {
        (Target::Json, _, Some(model)) => {
            let text = serde_json::to_string_pretty(&model_json(model)).unwrap_or_default();
            Ok(whole(text + "\n"))
        }
        (Target::Tck, _, Some(model)) => tchecker::write(model).map(whole),
        (Target::Xml, Source::Uppaal(document), Some(_)) => {
            let mut document = Document::clone(document);
            document.arrange_until(stop)?;
            Ok(document_text(&document, target))
        }
        (Target::Xta, Source::Uppaal(document), Some(_)) => Ok(document_text(document, target)),
        (Target::Xta, Source::TChecker { .. }, Some(model)) => network_xta(model).map(whole),
        (Target::Xml, Source::TChecker { .. }, Some(model)) => match network_xta(model) {
            Ok(text) => {
                let name = format!("{}.xta", model.name);
                let (mut document, _) = uppaal::load(&name, text.as_bytes(), &LoadOptions::default());
                document.arrange_until(stop)?;
                Ok(document_text(&document, target))
            }
            Err(problems) => Err(problems),
        },
        _ => Err(Diagnostics::default()),
    })
}

fn document_text(document: &Document, target: Target) -> Converted {
    let (text, diagnostics) = match target {
        Target::Xml => uppaal::write_xml(document),
        _ => uppaal::write_xta(document, XtaOptions::default()),
    };
    Converted { text, diagnostics }
}

/// The document to draw: that of the file, or one built from the network.
fn drawable(loaded: &Loaded) -> Result<Document, Diagnostics> {
    match (&loaded.source, &loaded.model) {
        (Source::Uppaal(document), _) => Ok(Document::clone(document)),
        (Source::TChecker { .. }, Some(model)) => {
            let text = network_xta(model)?;
            Ok(uppaal::load(&format!("{}.xta", model.name), text.as_bytes(), &LoadOptions::default()).0)
        }
        (Source::TChecker { .. }, None) => Err(Diagnostics::default()),
    }
}

/// The templates, or the one with this name, as Graphviz text. `None` if there is no such template.
///
/// # Errors
/// If there is nothing to draw.
pub fn draw_dot(loaded: &Loaded, template: Option<&str>) -> Result<Option<String>, Diagnostics> {
    drawable(loaded).map(|document| uppaal::draw::dot(&document, template))
}

/// The templates, or the one with this name, as SVG. `None` if there is no such template.
///
/// # Errors
/// If there is nothing to draw.
pub fn draw_svg(loaded: &Loaded, template: Option<&str>) -> Result<Option<String>, Diagnostics> {
    let mut document = drawable(loaded)?;
    document.arrange();
    Ok(uppaal::draw::svg(&document, template))
}
