//! Certificates for Muntac, a checker of certificates that was itself verified `[WimmerMutius2020]`: a second opinion.
//!
//! Muntac reads three files: a network, a certificate, and which names of the network have which numbers in the certificate. Its language is
//! small. A model is exported if it can be brought into that language without changing its reachable states; everything else is
//! refused, with its place. `docs/certificate.md` says what is covered.
//!
//! - `edges.rs`, `reads.rs`: edges without selections, functions and arrays.
//! - `network.rs`, `names.rs`: processes, channels, and what Muntac demands beyond its language.
//! - `formula.rs`: what the certificate excludes.
//! - `files.rs`, `states.rs`: the three files.

mod edges;
mod files;
mod formula;
mod names;
mod network;
mod reads;
mod states;
#[cfg(test)]
mod tests;

use std::fmt::Display;

use tourbillon_base::{Diagnostic, Diagnostics, Span};
use tourbillon_certify::format::{Claim, Cover, Header};
use tourbillon_model::{Model, Query, QueryKind, model_hash};

use crate::certify::certified_queries;
use crate::codes;
use crate::load::Loaded;
use formula::{Formula, formula};
use network::Network;

/// The files of Muntac.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MuntacFiles {
    /// The network and the formula, `.muntax`.
    pub model: String,
    /// The certificate.
    pub certificate: Vec<u8>,
    /// The numbers of names.
    pub renaming: String,
    /// Whether it is a certificate that no run satisfies the formula infinitely often, not that no state does.
    pub is_buechi: bool,
}

/// Why a certificate is not exported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MuntacError {
    /// The model has something that Muntac's language has not.
    Model(Diagnostics),
    /// The certificate is one that Muntac does not check.
    Certificate(String),
}

impl From<Diagnostic> for MuntacError {
    fn from(diagnostic: Diagnostic) -> Self {
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(diagnostic);
        Self::Model(diagnostics)
    }
}

impl From<Diagnostics> for MuntacError {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Model(diagnostics)
    }
}

impl From<String> for MuntacError {
    fn from(why: String) -> Self {
        Self::Certificate(why)
    }
}

fn refused<T>(span: Span, what: impl Display) -> Result<T, Diagnostic> {
    Err(Diagnostic::error(codes::NOT_IN_MUNTAC, span, format!("{what} cannot be expressed for Muntac")))
}

/// A model that was loaded with the queries of [`certificate_queries`](crate::certificate_queries), and its certificate, as the files of Muntac.
///
/// # Errors
/// If the model or the certificate is none that Muntac can check.
pub fn muntac_export(loaded: &Loaded, certificate: &[u8]) -> Result<MuntacFiles, MuntacError> {
    let Some(model) = &loaded.model else { return Err("the model has errors".to_owned().into()) };
    let (header, blocks) = Header::read(certificate).map_err(|error| error.to_string())?;
    if header.model.sha256 != model_hash(model) {
        return Err("the certificate is of another model".to_owned().into());
    }
    let queried = certified_queries(model, &header)?;
    let model = queried.as_ref().unwrap_or(model);
    let is_buechi = check_header(&header)?;
    let network = Network::new(model)?;
    let excluded = excluded(model, &header)?;
    let invariant = &header.invariants[0];
    let states = states::certificate(&network, invariant, blocks).map_err(|error| error.to_string())?;
    Ok(MuntacFiles {
        model: files::model_text(&network, &excluded),
        certificate: states,
        renaming: files::renaming_text(&network),
        is_buechi,
    })
}

/// Whether it is a certificate for cycles. One that Muntac does not know is refused.
fn check_header(header: &Header) -> Result<bool, String> {
    let claims = || header.queries.iter().map(|query| &query.claim);
    let is_buechi = match &header.queries[..] {
        [query] if matches!(query.claim, Claim::Recurrence { reach: 0 }) => true,
        _ if !claims().all(|claim| matches!(claim, Claim::Never { reach: 0 })) => {
            return Err("Muntac checks that no state satisfies a predicate, or that no run does infinitely often: the \
                        certificate must be of such queries, with one set of states"
                .to_owned());
        }
        _ => false,
    };
    let [invariant] = &header.invariants[..] else {
        return Err("Muntac checks one set of states: write a certificate of one query".to_owned());
    };
    let unknown = [
        (invariant.cover == Cover::Lu, "the cover by a_LU", "--cover inclusion"),
        (!invariant.generators.is_empty(), "symmetry", "--symmetry off"),
        (invariant.transient, "transient states", "--store all"),
    ];
    if let Some((_, what, _)) = unknown.iter().find(|(is_there, ..)| *is_there) {
        let options = unknown.map(|(.., option)| option).join(" ");
        return Err(format!("Muntac does not know {what}: write the certificate with {options}"));
    }
    match invariant {
        it if it.ranked != is_buechi => {
            Err("the certificate has ranks that its claim does not need, or lacks them".to_owned())
        }
        _ => Ok(is_buechi),
    }
}

/// What no state satisfies, or no run infinitely often.
fn excluded(model: &Model, header: &Header) -> Result<Formula, MuntacError> {
    let mut parts = Vec::new();
    for certified in &header.queries {
        let query: &Query = crate::certify::query_of(model, &certified.text)?;
        parts.push(match &query.kind {
            QueryKind::Possibly(p) => formula(model, *p, query.frame, false)?,
            QueryKind::Invariantly(p) => formula(model, *p, query.frame, true)?,
            QueryKind::Recurrently(all) if all.len() == 1 => formula(model, all[0], query.frame, false)?,
            QueryKind::Recurrently(_) => {
                return Err("Muntac knows one acceptance set only".to_owned().into());
            }
            _ => {
                return Err(
                    format!("the certificate says something else of `{}` than it can", query.text).into()
                );
            }
        });
    }
    Ok(Formula::join(parts, false))
}
