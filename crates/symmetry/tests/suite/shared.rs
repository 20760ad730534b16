//! Models from text, and symmetries in words.

use tourbillon_model::Model;
use tourbillon_symmetry::{Candidates, Formulas, Orbit, OrbitKind, Symmetry, find};
use tourbillon_testkit::networks::{tchecker_model, uppaal_model};

/// The model of a text in UPPAAL's language.
pub(crate) fn uppaal(text: &str) -> Model {
    uppaal_model(text, "").unwrap_or_else(|error| panic!("{error}"))
}

/// The model of a text in TChecker's language.
pub(crate) fn tchecker(text: &str) -> Model {
    tchecker_model(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The orbits of a model, as `P1 P2 P3` for processes that can be exchanged and `(P1 P2 P3)` for a rotation.
pub(crate) fn orbits(model: &Model) -> Vec<String> {
    described(&find(model, &Formulas::default(), Candidates::All))
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
