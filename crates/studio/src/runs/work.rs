//! The work of a run: calls the façade and sends its results.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tourbillon::{
    CheckError, Loaded, Loader, PlanRequest, Progress, QuerySelection, Request, check, lint,
    plan_request_from, zone_graph,
};

use super::findings::{self, GraphLimits};
use super::stream::EventWriter;
use crate::api::{RunEvent, RunProgress, RunQuestion, RunRequest, ServerLimits};
use crate::models::StoredModel;
use crate::{examine, process};

/// How often progress is reported.
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
    model: &StoredModel,
    request: &RunRequest,
    limits: Limits,
    stop: &Arc<AtomicBool>,
    event_writer: &EventWriter,
) {
    let plan_request = match plan_request_from(&request.options) {
        Ok(plan_request) => plan_request,
        Err(message) => return event_writer.tell(&refused(None, message)),
    };
    // What a model means depends on that, so that it is read again for the other meaning.
    let read = model.loaded.model.as_ref().map(|model| model.overflow);
    let again = plan_request.overflow.filter(|_| plan_request.overflow != read);
    let again = again.map(|overflow| model.sheet.load_with(Loader { overflow: Some(overflow) }));
    let loaded = again.as_ref().unwrap_or(&model.loaded);
    let numbers = model.sheet.query_numbers(loaded);
    let work = Work {
        model,
        loaded,
        plan_request,
        certify: request.certify,
        limits,
        stop,
        event_writer,
        numbers,
        began: Instant::now(),
    };
    match &request.question {
        RunQuestion::Queries { queries } if queries.len() > model.sheet.queries.len() => {
            event_writer.tell(&refused(None, "more queries are asked for than there are".to_owned()));
        }
        RunQuestion::Queries { queries } => {
            let left = queries.iter().take_while(|_| !stop.load(Ordering::Relaxed));
            left.for_each(|&query| work.query(query));
        }
        RunQuestion::Labels { labels } => work.ask(None, QuerySelection::Labels(labels.clone())),
        RunQuestion::Coverage => work.coverage(),
        RunQuestion::Graph { nodes } => work.graph((*nodes).min(limits.graph.nodes)),
    }
}

fn refused(query: Option<u32>, message: String) -> RunEvent {
    RunEvent::Refused { query, message, diagnostics: Vec::new() }
}

struct Work<'a> {
    model: &'a StoredModel,
    loaded: &'a Loaded,
    plan_request: PlanRequest,
    certify: bool,
    limits: Limits,
    stop: &'a Arc<AtomicBool>,
    event_writer: &'a EventWriter,
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
            Some(number) => self.ask(Some(query), QuerySelection::Some(vec![number])),
            None if (query as usize) < self.model.sheet.queries.len() => {
                self.event_writer.tell(&refused(Some(query), "the query is empty".to_owned()));
            }
            None => self
                .event_writer
                .tell(&refused(Some(query), format!("there is no query {}", u64::from(query) + 1))),
        }
    }

    fn ask(&self, query: Option<u32>, queries: QuerySelection) {
        let mut request = self.request(queries);
        request.certify = self.certify;
        request.plan_request.certificate |= self.certify;
        match check(self.loaded(), &request, &mut self.observer(query)) {
            Ok(report) => {
                for found in &report.results {
                    let found = findings::finding(self.model, query, found, &report);
                    self.event_writer.tell(&RunEvent::Found(Box::new(found)));
                }
            }
            Err(trouble) => self.tell_trouble(query, &trouble),
        }
    }

    fn coverage(&self) {
        let request = self.request(QuerySelection::Exploration);
        match lint(self.loaded(), &request, &mut self.observer(None)) {
            Ok(report) => {
                self.event_writer.tell(&RunEvent::Coverage(findings::coverage(self.model, &report)))
            }
            Err(trouble) => self.tell_trouble(None, &trouble),
        }
    }

    fn graph(&self, nodes_max: u32) {
        let request = self.request(QuerySelection::Exploration);
        match zone_graph(self.loaded(), &request, nodes_max as usize, &mut self.observer(None)) {
            Ok(mut graph) => {
                findings::cut(&mut graph, self.limits.graph);
                self.event_writer.tell(&RunEvent::Graph(Box::new(graph)))
            }
            Err(trouble) => self.tell_trouble(None, &trouble),
        }
    }

    fn loaded(&self) -> &Loaded {
        self.loaded
    }

    /// Within what is left of the limits.
    fn request(&self, queries: QuerySelection) -> Request<'_> {
        let limits = tourbillon::Limits {
            states: None,
            memory_bytes: Some(self.limits.memory_bytes),
            time: Some(self.limits.time.saturating_sub(self.began.elapsed())),
        };
        Request {
            queries,
            plan_request: self.plan_request.clone(),
            limits,
            stop: Some(self.stop),
            ..Request::default()
        }
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
            self.event_writer.tell(&RunEvent::Progress(RunProgress {
                query,
                seconds: began.elapsed().as_secs_f64(),
                counts: findings::counts(&progress.stats),
                rss_bytes: process::rss_bytes(),
            }));
        }
    }

    fn tell_trouble(&self, query: Option<u32>, trouble: &CheckError) {
        let (message, diagnostics) = match trouble {
            CheckError::Request(message) => (message.clone(), Vec::new()),
            CheckError::Model(diagnostics) => (
                "the model cannot be run".to_owned(),
                examine::told(&self.model.sheet, self.loaded(), diagnostics),
            ),
        };
        self.event_writer.tell(&RunEvent::Refused { query, message, diagnostics });
    }
}
