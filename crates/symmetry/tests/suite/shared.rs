//! Models from text, and symmetries in words.

use tourbillon_base::SourceMap;
use tourbillon_front_uppaal::LoadOptions;
use tourbillon_front_uppaal::lower::{Input, lower};
use tourbillon_model::Model;
use tourbillon_symmetry::{Formulas, Orbit, OrbitKind, Symmetry, find};

/// The model of a text in UPPAAL's language.
pub(crate) fn uppaal(text: &str) -> Model {
    let (document, mut diagnostics) =
        tourbillon_front_uppaal::load("m.xta", text.as_bytes(), &LoadOptions::default());
    let input = Input { name: "m", tree: &document.tree, model: &document.model, queries: &[] };
    let model = lower(&input, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{:?}", diagnostics.as_slice());
    model.expect("a model without errors")
}

/// The model of a text in TChecker's language.
pub(crate) fn tchecker(text: &str) -> Model {
    let (model, diagnostics) = tourbillon_front_tchecker::load("m.tck", text, &mut SourceMap::new());
    assert!(!diagnostics.has_errors(), "{:?}", diagnostics.as_slice());
    model.expect("a model without errors")
}

/// The orbits of a model, as `P1 P2 P3` for processes that can be exchanged and `(P1 P2 P3)` for a rotation.
pub(crate) fn orbits(model: &Model) -> Vec<String> {
    described(&find(model, &Formulas::default()))
}

pub(crate) fn described(symmetry: &Symmetry) -> Vec<String> {
    let orbit = |orbit: &Orbit| {
        let names = &orbit.elements;
        match orbit.kind {
            OrbitKind::Full => names.join(" "),
            OrbitKind::Cyclic => format!("({})", names.join(" ")),
        }
    };
    symmetry.orbits.iter().map(orbit).collect()
}
