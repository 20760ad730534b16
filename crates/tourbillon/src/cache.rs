//! Answers of earlier checks: an unchanged model is answered at once, a changed one starts from the stored states.
//!
//! For each query of a model there is at most one entry: the certificate of the last answer by exhaustion, with the text of the model
//! that it is of. If the model still has the hash of the certificate, the answer is that of the certificate. If not, its states are
//! candidates for the search (`check/src/recheck.rs`). A verdict that needs a run is never taken from here.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tourbillon_certify::format::Header;
use tourbillon_check::{Answer, Candidates, CertificateFile, Job, Verdict, Why};
use tourbillon_model::{Model, QueryKind, model_hash, sha256};

use crate::certify::{CertifyOutcome, CertifyRequest, certify_answer, certify_file};
use crate::load::Loader;

/// An entry: a certificate, and the model that it is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CachedCertificate {
    /// The text of the model.
    pub model: Vec<u8>,
    pub certificate: Vec<u8>,
}

/// Where entries are kept.
pub trait CertificateStore: fmt::Debug {
    /// The entry with this key, which has letters and digits only.
    fn get(&self, key: &str) -> Option<CachedCertificate>;

    /// Replaces the entry with this key. What cannot be stored is dropped.
    fn put(&self, key: &str, entry: &CachedCertificate);
}

/// Entries in memory.
#[derive(Default, Debug)]
pub struct CertificateMemory {
    entries: Mutex<HashMap<String, CachedCertificate>>,
}

impl CertificateStore for CertificateMemory {
    fn get(&self, key: &str) -> Option<CachedCertificate> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn put(&self, key: &str, entry: &CachedCertificate) {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned(), entry.clone());
    }
}

/// The entries of a model.
#[derive(Clone, Copy, Debug)]
pub struct Cache<'a> {
    pub store: &'a dyn CertificateStore,
    /// The name of the file of the model, and its text.
    pub name: &'a str,
    pub text: &'a [u8],
}

/// What is known of the queries of a job before any search.
#[derive(Default, Debug)]
pub(crate) struct KnownAnswers {
    pub(crate) answers: Vec<Answer>,
    /// The queries without an answer.
    pub(crate) open: Vec<usize>,
    /// The states that their searches start from.
    pub(crate) candidates: HashMap<usize, Arc<Candidates>>,
}

impl Cache<'_> {
    fn key(&self, model: &Model, query: usize) -> String {
        let text: Vec<&str> = model.queries[query].text.split_whitespace().collect();
        sha256(format!("{}\n{:?}\n{}", self.name, model.overflow, text.join(" ")).as_bytes())
    }

    /// What is known of some queries of a model; with `certify`, answers only if the checker accepts their certificates.
    pub(crate) fn known(&self, job: &Job<'_>, certify: Option<&CertifyRequest<'_>>) -> KnownAnswers {
        let mut known = KnownAnswers::default();
        for &query in job.queries.unwrap_or_default() {
            let entry = self.store.get(&self.key(job.model, query));
            match entry.and_then(|entry| self.answer(job.model, query, &entry, certify)) {
                Some(Ok(answer)) => known.answers.push(*answer),
                Some(Err(candidates)) => {
                    known.candidates.insert(query, Arc::new(candidates));
                    known.open.push(query);
                }
                None => known.open.push(query),
            }
        }
        known
    }

    /// The answer of an entry if the model is unchanged, else candidates.
    fn answer(
        &self,
        model: &Model,
        query: usize,
        entry: &CachedCertificate,
        certify: Option<&CertifyRequest<'_>>,
    ) -> Option<Result<Box<Answer>, Candidates>> {
        let (header, _) = Header::read(&entry.certificate).ok()?;
        if header.model.sha256 != model_hash(model) {
            return self.changed(model, query, entry, certify);
        }
        let verdict = verdict_by_exhaustion(&model.queries[query].kind)?;
        let mut answer = Answer::new(Some(query), verdict, Why::Complete);
        answer.cached = Some(sha256(&entry.certificate));
        if let Some(request) = certify {
            let queries = vec![&model.queries[query]; header.queries.len()];
            match certify_file(model, &queries, &entry.certificate, request) {
                Ok((CertifyOutcome::Accepted(_), certified)) => answer.certified = certified,
                _ => return None,
            }
        }
        Some(Ok(Box::new(answer)))
    }

    /// What an entry of an older model is worth: the answer if no step is new, else candidates.
    fn changed(
        &self,
        model: &Model,
        query: usize,
        entry: &CachedCertificate,
        certify: Option<&CertifyRequest<'_>>,
    ) -> Option<Result<Box<Answer>, Candidates>> {
        let (loader, asked) = (Loader { overflow: Some(model.overflow) }, &model.queries[query]);
        let text = [("query", asked.text.as_bytes())];
        let older = loader.load_with_only_queries(self.name, &entry.model, text).model?;
        let candidates = Candidates::read(&entry.certificate, &older, model)?;
        let before = older.queries.first().map(|query| (&older, &query.kind));
        let unaffected = before.and_then(|before| candidates.unaffected(before, (model, &asked.kind)));
        let Some((certificate, rechecked)) = unaffected else { return Some(Err(candidates)) };
        let mut answer = Answer::new(Some(query), verdict_by_exhaustion(&asked.kind)?, Why::Complete);
        (answer.certificate, answer.rechecked) = (Some(certificate), Some(rechecked));
        if let Some(request) = certify {
            certify_answer(model, &mut answer, request);
            if answer.certified.is_none() {
                return Some(Err(candidates));
            }
        }
        self.keep(model, &answer);
        Some(Ok(Box::new(answer)))
    }

    /// Keeps the certificate of an answer.
    pub(crate) fn keep(&self, model: &Model, answer: &Answer) {
        let (Some(query), Some(certificate)) = (answer.query, &answer.certificate) else { return };
        if verdict_by_exhaustion(&model.queries[query].kind) != Some(answer.verdict) {
            return;
        }
        let mut file = CertificateFile::default();
        file.add(&model.queries[query].text, certificate);
        let mut bytes = Vec::new();
        if file.write(model, &mut bytes).is_ok() {
            let entry = CachedCertificate { model: self.text.to_vec(), certificate: bytes };
            self.store.put(&self.key(model, query), &entry);
        }
    }
}

/// The verdict on a query if no run decides it; nothing for values.
fn verdict_by_exhaustion(kind: &QueryKind) -> Option<Verdict> {
    match kind {
        QueryKind::Possibly(_) | QueryKind::PotentiallyAlways(_) | QueryKind::Recurrently(_) => {
            Some(Verdict::Violated)
        }
        QueryKind::Invariantly(_) | QueryKind::Eventually(_) | QueryKind::LeadsTo(..) => {
            Some(Verdict::Satisfied)
        }
        QueryKind::Bounds { .. } | QueryKind::Refused => None,
    }
}
