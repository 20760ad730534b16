//! Checking again after an edit equals a fresh check, on random edits of random networks.
//!
//! The number of networks is `TOURBILLON_NETWORKS` (default 1,000), the first seed `TOURBILLON_SEED` (default 1). The long run is
//! `TOURBILLON_NETWORKS=10000 cargo test --release -p tourbillon-check --test suite recheck::`.

use std::sync::Arc;

use tourbillon_base::Random;
use tourbillon_certify::{Options, Outcome, certify};
use tourbillon_check::{
    Answer, Budget, Candidates, CertificateFile, Committed, Cover, Job, Limits, PlanRequest, Rechecked, Why,
    ZoneChecker, check_all, prepare,
};
use tourbillon_model::Model;
use tourbillon_testkit::networks::{Network, Shape};

use crate::certificates::file_of;
use crate::from_environment;

/// The number of states after which a search is given up.
const STATES_MAX: u64 = 3_000;

/// Answers all queries, with certificates that can be reused, from these candidates.
fn answers(model: &Model, candidates: &[Option<Arc<Candidates>>]) -> Vec<Answer> {
    let plan_request = PlanRequest {
        certificate: true,
        cover: Some(Cover::Inclusion),
        store: Some(Committed::Stored),
        ..PlanRequest::default()
    };
    let queries: Vec<usize> = (0..model.queries.len()).collect();
    let limits = Limits { states: Some(STATES_MAX), ..Limits::default() };
    let job = Job { model, queries: Some(&queries), plan_request: &plan_request, limits, stop: None };
    let prepared = prepare(&job).expect("it can be checked");
    let mut started = Vec::new();
    for prepared in prepared {
        started.push(prepared.map(|prepared| {
            let own = prepared.query().and_then(|query| candidates.get(query)?.clone());
            prepared.starting_from(own)
        }));
    }
    let mut budget = Budget::new(limits, None);
    check_all(&mut ZoneChecker, started, &mut budget, &mut |_| {}).expect("answers")
}

/// The network after an edit: a number in a label is changed, or an edge or a part of a label is removed or led elsewhere.
fn edited(network: &Network, random: &mut Random) -> Network {
    let mut edited = network.clone();
    let index = random.below(edited.processes.len());
    let process = &mut edited.processes[index];
    let locations: Vec<String> = process.locations.iter().map(|location| location.name.clone()).collect();
    if process.edges.is_empty() || random.below(5) == 0 {
        let place = random.below(process.locations.len());
        let location = &mut process.locations[place];
        match location.invariant.len() {
            0 => location.kind = if location.kind.is_none() { Some("urgent") } else { None },
            parts => _ = location.invariant.remove(random.below(parts)),
        }
        return edited;
    }
    let index = random.below(process.edges.len());
    match random.below(8) {
        0 => _ = process.edges.remove(index),
        1 => process.edges[index].target.clone_from(&locations[random.below(locations.len())]),
        2 => {
            let copy = process.edges[index].clone();
            process.edges.push(copy);
            process.edges[index].source.clone_from(&locations[random.below(locations.len())]);
        }
        3 | 4 if !process.edges[index].guard.is_empty() => {
            let part = random.below(process.edges[index].guard.len());
            process.edges[index].guard.remove(part);
        }
        _ => {
            let edge = &mut process.edges[index];
            edge.guard
                .iter_mut()
                .chain(&mut edge.updates)
                .for_each(|part| *part = other_number(part, random));
        }
    }
    edited
}

/// A label in which the last number is one more or one less.
fn other_number(label: &str, random: &mut Random) -> String {
    let Some(end) = label.rfind(|it: char| it.is_ascii_digit()) else { return label.to_owned() };
    let digit = u32::from(label.as_bytes()[end] - b'0');
    let other = if digit == 0 || random.below(2) == 0 { digit + 1 } else { digit - 1 };
    format!("{}{other}{}", &label[..end], &label[end + 1..])
}

/// What was reused, if anything; or what is wrong.
fn complaint(network: &Network, seed: u64) -> Result<Option<Rechecked>, String> {
    let random = &mut Random::from_seed(seed);
    let edited = edited(network, random);
    let older = network.model_with_questions(false)?;
    // An edit may exceed the range of a variable in the text, which is no model.
    let Ok(newer) = edited.model_with_questions(false) else { return Ok(None) };
    let before = answers(&older, &[]);
    let read = |answer: &Answer| {
        let file = file_of(&older, answer).filter(|_| answer.why == Why::Complete)?;
        Candidates::read(&file, &older, &newer).map(Arc::new)
    };
    let candidates: Vec<Option<Arc<Candidates>>> = before.iter().map(read).collect();
    let (again, fresh) = (answers(&newer, &candidates), answers(&newer, &[]));
    let mut reused = None;
    for (query, (again, fresh)) in again.iter().zip(&fresh).enumerate() {
        let text = format!("{}\n{}", newer.queries[query].text, edited.text());
        // The limit on states may stop either.
        let is_limited = [again, fresh].iter().any(|answer| matches!(answer.why, Why::Exhausted(_)));
        if again.verdict != fresh.verdict && !is_limited {
            return Err(format!("{:?}, but {:?} afresh: {text}", again.verdict, fresh.verdict));
        }
        let unaffected = candidates[query].as_ref().and_then(|candidates| {
            let kinds = (&older.queries[query].kind, &newer.queries[query].kind);
            candidates.unaffected((&older, kinds.0), (&newer, kinds.1))
        });
        let certificates =
            [again.certificate.clone(), unaffected.as_ref().map(|(certificate, _)| certificate.clone())];
        for certificate in certificates.into_iter().flatten() {
            let mut file = CertificateFile::default();
            file.add(&newer.queries[query].text, &certificate);
            let mut bytes = Vec::new();
            file.write(&newer, &mut bytes).expect("memory can be written");
            match certify(&newer, &[&newer.queries[query]], &bytes, &Options::default()) {
                Ok(Outcome::Accepted(_)) => {}
                other => return Err(format!("{other:?}: {text}")),
            }
        }
        reused = again.rechecked.or(unaffected.map(|(_, rechecked)| rechecked)).or(reused);
    }
    Ok(reused)
}

fn judge(name: &str, shape: Shape, share: u64) {
    let networks = (from_environment("TOURBILLON_NETWORKS", 1_000) * share).div_ceil(100);
    let first = from_environment("TOURBILLON_SEED", 1);
    let (mut rechecked, mut skipped) = (0, 0);
    for seed in first..first + networks {
        let network = Network::random(seed, shape);
        match complaint(&network, seed) {
            Ok(reused) => {
                rechecked += u64::from(reused.is_some());
                skipped += u64::from(reused.is_some_and(|it| it.reused > 0));
            }
            Err(what) => panic!("{name}, seed {seed}:\n{}\nafter the edit: {what}", network.text()),
        }
    }
    assert!(rechecked * 5 > networks, "{name}: only {rechecked} of {networks} were checked again");
    assert!(skipped * 10 > networks, "{name}: only {skipped} of {networks} reused anything");
}

#[test]
fn plain_and_strict_networks() {
    judge("plain", Shape::PLAIN, 20);
    judge("strict", Shape::STRICT, 30);
}

#[test]
fn networks_with_deadlocks_and_priorities() {
    judge("deadlocks", Shape { deadlocks: true, ..Shape::STRICT }, 15);
    judge("priorities", Shape { priorities: true, timed_receivers: true, ..Shape::STRICT }, 15);
}

#[test]
fn networks_with_other_clock_values_and_diagonals() {
    judge("values", Shape { values: true, ..Shape::STRICT }, 10);
    judge("diagonals", Shape::DIAGONALS, 10);
}
