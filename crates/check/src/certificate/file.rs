//! Files of certificates: the answers of a check that have one, together.

use std::io::{self, Write};
use std::sync::Arc;

use tourbillon_certify::format::{CertifiedQuery, FORMAT, Header, ModelName, SEMANTICS, VERSION};
use tourbillon_certify::header_line;
use tourbillon_model::{Model, model_hash};

use super::{Certificate, Invariant};

/// Collects the certificates of answers. Answers that follow from the same states share them.
#[derive(Default, Debug)]
pub struct CertificateFile {
    queries: Vec<CertifiedQuery>,
    invariants: Vec<Arc<Invariant>>,
}

impl CertificateFile {
    /// Adds the certificate of the answer to a query.
    pub fn add(&mut self, query: &str, certificate: &Certificate) {
        let numbers: Vec<usize> = certificate.invariants.iter().map(|it| self.number(it)).collect();
        for claim in &certificate.claims {
            let claim = claim.clone().renumbered(|index| numbers[index]);
            self.queries.push(CertifiedQuery { text: query.to_owned(), claim });
        }
    }

    fn number(&mut self, invariant: &Arc<Invariant>) -> usize {
        let known = self.invariants.iter().position(|known| Arc::ptr_eq(known, invariant));
        known.unwrap_or_else(|| {
            self.invariants.push(Arc::clone(invariant));
            self.invariants.len() - 1
        })
    }

    /// Whether no answer has a certificate.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.queries.is_empty()
    }

    /// The number of certified claims: one for each answer, and two for `bounds` of clocks.
    #[must_use]
    pub fn claims(&self) -> usize {
        self.queries.len()
    }

    /// Writes the file, in the format of `docs/certificate.md`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, model: &Model, out: &mut dyn Write) -> io::Result<()> {
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            tool: concat!("tourbillon ", env!("CARGO_PKG_VERSION")).to_owned(),
            semantics: SEMANTICS,
            model: ModelName { name: model.name.clone(), sha256: model_hash(model) },
            queries: self.queries.clone(),
            invariants: self.invariants.iter().map(|it| it.header.clone()).collect(),
        };
        out.write_all(&header_line(&header))?;
        self.invariants.iter().try_for_each(|invariant| out.write_all(&invariant.blocks))
    }
}
