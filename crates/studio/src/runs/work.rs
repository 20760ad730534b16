//! What a run does: asks the façade, and tells what it answers.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tourbillon::{
    Loaded, Loader, Progress, Question, Request, Trouble, Wishes, check, sanity, wishes_from, zone_graph,
};

use super::stream::Teller;
use crate::api::{RunEvent, RunProgress, RunQuestion, RunRequest, ServerLimits};
use crate::convert::{self, GraphLimits};
use crate::models::Kept;

/// How often progress is told.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// What a run may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Limits {
    pub(super) time: Duration,
    pub(super) memory_bytes: u64,
    graph: GraphLimits,
}

impl Limits {
    /// What was asked for, as far as it is allowed.
    pub(super) fn of(request: &RunRequest, allowed: &ServerLimits) -> Self {
        let seconds = request.seconds.map_or(allowed.run_seconds, |wanted| wanted.min(allowed.run_seconds));
        let memory_bytes = request.bytes.map_or(allowed.run_bytes, |wanted| wanted.min(allowed.run_bytes));
        Self { time: Duration::from_secs(seconds), memory_bytes, graph: GraphLimits::of(allowed) }
    }
}

/// Does what a run is for.
pub(super) fn answer(
    model: &Kept,
    request: &RunRequest,
    limits: Limits,
    stop: &Arc<AtomicBool>,
    teller: &Teller,
) {
    let wishes = match wishes_from(&request.wishes) {
        Ok(wishes) => wishes,
        Err(message) => return teller.tell(&refused(None, message)),
    };
    // What a model means depends on that, so that it is read again for the other meaning.
    let read = model.loaded.model.as_ref().map(|model| model.overflow);
    let again = wishes.overflow.filter(|_| wishes.overflow != read);
    let again = again.map(|overflow| model.sheet.load_with(Loader { overflow: Some(overflow) }));
    let loaded = again.as_ref().unwrap_or(&model.loaded);
    let numbers = model.sheet.query_numbers(loaded);
    let work = Work { model, loaded, wishes, limits, stop, teller, numbers, began: Instant::now() };
    match &request.question {
        RunQuestion::Queries { queries } if queries.len() > model.sheet.queries.len() => {
            teller.tell(&refused(None, "more queries are asked for than there are".to_owned()));
        }
        RunQuestion::Queries { queries } => {
            let left = queries.iter().take_while(|_| !stop.load(Ordering::Relaxed));
            left.for_each(|&query| work.query(query));
        }
        RunQuestion::Labels { labels } => work.ask(None, Question::Labels(labels.clone())),
        RunQuestion::Coverage => work.coverage(),
        RunQuestion::Graph { nodes } => work.graph((*nodes).min(limits.graph.nodes)),
    }
}

fn refused(query: Option<u32>, message: String) -> RunEvent {
    RunEvent::Refused { query, message, diagnostics: Vec::new() }
}

struct Work<'a> {
    model: &'a Kept,
    loaded: &'a Loaded,
    wishes: Wishes,
    limits: Limits,
    stop: &'a Arc<AtomicBool>,
    teller: &'a Teller,
    /// Which of the model's queries each of the sheet's is.
    numbers: Vec<Option<usize>>,
    began: Instant,
}

impl Work<'_> {
    fn query(&self, query: u32) {
        // A model that cannot be run says why when it is asked.
        let known = self
            .loaded()
            .model
            .is_none()
            .then_some(0)
            .or_else(|| self.numbers.get(query as usize).copied()?);
        match known {
            Some(number) => self.ask(Some(query), Question::Some(vec![number])),
            None if (query as usize) < self.model.sheet.queries.len() => {
                self.teller.tell(&refused(Some(query), "the query is empty".to_owned()));
            }
            None => {
                self.teller.tell(&refused(Some(query), format!("there is no query {}", u64::from(query) + 1)))
            }
        }
    }

    fn ask(&self, query: Option<u32>, question: Question) {
        let request = self.request(question);
        match check(self.loaded(), &request, &mut self.observer(query)) {
            Ok(report) => {
                for found in &report.results {
                    let found = convert::finding(self.model, query, found, &report);
                    self.teller.tell(&RunEvent::Found(Box::new(found)));
                }
            }
            Err(trouble) => self.tell_trouble(query, &trouble),
        }
    }

    fn coverage(&self) {
        let request = self.request(Question::Exploration);
        match sanity(self.loaded(), &request, &mut self.observer(None)) {
            Ok(report) => self.teller.tell(&RunEvent::Coverage(convert::coverage(self.model, &report))),
            Err(trouble) => self.tell_trouble(None, &trouble),
        }
    }

    fn graph(&self, nodes_max: u32) {
        let request = self.request(Question::Exploration);
        match zone_graph(self.loaded(), &request, nodes_max as usize, &mut self.observer(None)) {
            Ok(graph) => self.teller.tell(&RunEvent::Graph(convert::graph(graph, self.limits.graph))),
            Err(trouble) => self.tell_trouble(None, &trouble),
        }
    }

    fn loaded(&self) -> &Loaded {
        self.loaded
    }

    /// Within what is left of the limits.
    fn request(&self, question: Question) -> Request<'_> {
        let limits = tourbillon::Limits {
            states: None,
            memory_bytes: Some(self.limits.memory_bytes),
            time: Some(self.limits.time.saturating_sub(self.began.elapsed())),
        };
        Request { question, wishes: self.wishes.clone(), limits, stop: Some(self.stop) }
    }

    /// Tells how far a search is, some times a second.
    fn observer(&self, query: Option<u32>) -> impl FnMut(&Progress) {
        let began = Instant::now();
        let last = Cell::new(began);
        move |progress| {
            if last.get().elapsed() < PROGRESS_EVERY {
                return;
            }
            last.set(Instant::now());
            self.teller.tell(&RunEvent::Progress(RunProgress {
                query,
                seconds: began.elapsed().as_secs_f64(),
                counts: convert::counts(&progress.stats),
                rss_bytes: convert::rss_bytes(),
            }));
        }
    }

    fn tell_trouble(&self, query: Option<u32>, trouble: &Trouble) {
        let (message, diagnostics) = match trouble {
            Trouble::Request(message) => (message.clone(), Vec::new()),
            Trouble::Model(diagnostics) => (
                "the model cannot be run".to_owned(),
                convert::told(&self.model.sheet, self.loaded(), diagnostics),
            ),
        };
        self.teller.tell(&RunEvent::Refused { query, message, diagnostics });
    }
}
