//! From a file to an outcome.
//!
//! Threads take discrete states in groups. Each group is checked to its first failure; groups after the first failure found so far
//! are left out. So the failure that is reported is the first in the order of states, whatever the number of threads.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use tourbillon_base::Cancellation;
use tourbillon_model::{ExprKind, Model, Query, model_hash, sha256};

use crate::check::{Checker, RankClass};
use crate::claims::Plan;
use crate::format::{FormatError, Header};
use crate::format_read::Blocks;
use crate::invariant::{Invariant, ReadError};
use crate::predicate::mentions;
use crate::report::{Outcome, Reason, Rejection, Report, StateText, Stop};
use crate::state_info::Setting;
use crate::transitions::{Network, unsupported};

/// How a certificate is checked.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many threads check states.
    pub threads: usize,
    /// How many entries there may be, those that generators add included.
    pub entries_max: u64,
    /// How many bytes the invariants may take, about.
    pub memory_bytes_max: u64,
    /// What ends the check before it is done.
    pub cancellation: Cancellation,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threads: 1,
            entries_max: 1 << 30,
            memory_bytes_max: 4 << 30,
            cancellation: Cancellation::default(),
        }
    }
}

/// How many discrete states a thread takes at once.
const GROUP: usize = 32;
/// The stack of a thread: expressions and functions of models may nest deeply, and transient states follow each other.
const STACK_BYTES: usize = 256 << 20;

/// Checks a certificate of a model. The queries are those of the header, in order, as the caller has read them.
///
/// # Errors
/// If the file cannot be read, or is about another model or other queries.
pub fn certify(
    model: &Model,
    queries: &[&Query],
    file: &[u8],
    options: &Options,
) -> Result<Outcome, FormatError> {
    let (mut header, rest) = Header::read(file)?;
    check_header(model, queries, &header)?;
    if let Some(why) = unsupported(model) {
        return Ok(Outcome::Unknown(why));
    }
    let mut blocks = Blocks::new(rest);
    let mut invariants = Vec::new();
    let (mut entries, mut bytes) = (options.entries_max, options.memory_bytes_max);
    for header in std::mem::take(&mut header.invariants) {
        match Invariant::read(model, header, &mut blocks, entries, bytes, &options.cancellation) {
            Ok(invariant) => {
                entries = entries.saturating_sub(invariant.entries());
                bytes = bytes.saturating_sub(invariant.bytes());
                invariants.push(invariant);
            }
            Err(ReadError::Format(error)) => return Err(error),
            Err(ReadError::GivenUp(why)) => return Ok(Outcome::Unknown(why.to_owned())),
        }
    }
    blocks.end()?;
    let report = Report {
        sha256: sha256(file),
        queries: header.queries.iter().map(|query| query.text.clone()).collect(),
        states: invariants.iter().map(|invariant| invariant.states.len() as u64).sum(),
        entries: invariants.iter().map(Invariant::entries).sum(),
        ..Report::default()
    };
    Ok(match check(model, queries, &header, &invariants, options, report) {
        Ok(report) => Outcome::Accepted(report),
        Err(Stop::Rejected(rejection)) => Outcome::Rejected(rejection),
        Err(Stop::Unknown(why)) => Outcome::Unknown(why),
    })
}

fn check_header(model: &Model, queries: &[&Query], header: &Header) -> Result<(), FormatError> {
    if header.model.sha256 != model_hash(model) {
        return FormatError::new("the certificate is of another model");
    }
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let same = header.queries.len() == queries.len()
        && header.queries.iter().zip(queries).all(|(one, other)| words(&one.text) == words(&other.text));
    if !same || queries.is_empty() {
        return FormatError::new("the certificate is of other queries");
    }
    Ok(())
}

fn check(
    model: &Model,
    queries: &[&Query],
    header: &Header,
    invariants: &[Invariant],
    options: &Options,
    mut report: Report,
) -> Result<Report, Stop> {
    let plans = Plan::of_claims(model, header, queries, invariants)?;
    let network = Network::new(model);
    let has_deadlocks = mentions(model, |kind| *kind == ExprKind::Deadlock);
    let settled = has_deadlocks.contains(&true).then(|| [settled(model, 0), settled(model, 1)]);
    let setting = Setting {
        network: &network,
        invariants,
        plans: &plans,
        settled: settled.as_ref(),
        compares: &mentions(model, |kind| matches!(kind, ExprKind::Clock(_))),
        has_deadlocks: &has_deadlocks,
    };
    for set in 0..invariants.len() {
        let run = Run {
            setting: &setting,
            set,
            cancellation: &options.cancellation,
            next: AtomicUsize::new(0),
            first: AtomicUsize::new(usize::MAX),
            found: Mutex::default(),
        };
        let found = run.all(options.threads);
        (report.successors, report.followed) =
            (report.successors + found.successors, report.followed + found.followed);
        if let Some((_, stop)) = found.stops.into_iter().next() {
            return Err(stop);
        }
        recurrences(&setting, set, &found.ranks)?;
    }
    Ok(report)
}

/// The model as it reads if there is a deadlock, or none.
pub(crate) fn settled(model: &Model, deadlocked: i32) -> Model {
    let mut model = model.clone();
    for expr in model.exprs.iter_mut().filter(|expr| expr.kind == ExprKind::Deadlock) {
        expr.kind = ExprKind::Int(deadlocked);
    }
    model
}

/// That no rank from which a successor stays meets all predicates of a recurrence.
fn recurrences(setting: &Setting<'_>, set: usize, ranks: &BTreeMap<u64, RankClass>) -> Result<(), Stop> {
    let mut start = 0;
    for (query, all) in &setting.plans[set].recurrences {
        let wanted = (u64::MAX >> (64 - all.len().max(1))) << start;
        start += all.len();
        for (&rank, class) in ranks {
            let Some((number, entry)) = class.stays.filter(|_| class.met & wanted == wanted) else {
                continue;
            };
            let (vector, entries) = &setting.invariants[set].states[number];
            let zone = &setting.invariants[set].zones[entries[entry].0 as usize];
            let state = Some(StateText::new(setting.network.model, vector, zone));
            let reason = Reason::Recurs { rank };
            return Err(Rejection {
                query: Some(*query),
                invariant: Some(set),
                state,
                ..Rejection::new(reason)
            }
            .into());
        }
    }
    Ok(())
}

/// The check of one invariant by several threads.
struct Run<'c> {
    setting: &'c Setting<'c>,
    set: usize,
    cancellation: &'c Cancellation,
    /// The first discrete state that no thread has taken.
    next: AtomicUsize,
    /// The first one that failed so far, and 0 for the initial state.
    first: AtomicUsize,
    found: Mutex<Found>,
}

#[derive(Default)]
struct Found {
    /// What ended the check, by the number of the state; one more than in the invariant, after the initial state.
    stops: BTreeMap<usize, Stop>,
    successors: u64,
    followed: u64,
    ranks: BTreeMap<u64, RankClass>,
}

impl Run<'_> {
    fn all(self, threads: usize) -> Found {
        thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                let builder = thread::Builder::new().stack_size(STACK_BYTES);
                if builder.spawn_scoped(scope, || self.one()).is_err() {
                    self.fail(0, Stop::Unknown("a thread cannot be started".to_owned()));
                }
            }
        });
        self.found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// What a thread does.
    fn one(&self) {
        let mut checker = Checker::new(self.setting, self.cancellation);
        let states = self.setting.invariants[self.set].states.len();
        loop {
            let start = self.next.fetch_add(GROUP, Ordering::Relaxed);
            if start == 0
                && self.setting.plans[self.set].has_initial
                && let Err(stop) = checker.initial(self.set)
            {
                self.fail(0, stop);
            }
            for number in start..states.min(start.saturating_add(GROUP)) {
                if self.first.load(Ordering::Relaxed) <= number {
                    break;
                }
                if let Err(stop) = checker.state(self.set, number) {
                    self.fail(number + 1, stop);
                }
            }
            if start.saturating_add(GROUP) >= states {
                break;
            }
        }
        self.join(checker);
    }

    fn fail(&self, place: usize, stop: Stop) {
        self.first.fetch_min(place, Ordering::Relaxed);
        self.found().stops.insert(place, stop);
    }

    fn found(&self) -> std::sync::MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn join(&self, checker: Checker<'_>) {
        let mut found = self.found();
        found.successors += checker.successors;
        found.followed += checker.followed;
        for (rank, class) in checker.ranks {
            let known = found.ranks.entry(rank).or_default();
            known.met |= class.met;
            known.stays = [known.stays, class.stays].into_iter().flatten().min();
        }
    }
}
