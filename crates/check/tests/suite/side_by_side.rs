//! Searches side by side: every answer is what it is alone, in the same order; limits and panics end all.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tourbillon_base::Random;
use tourbillon_check::{
    Answer, Budget, Checker, Exhausted, Job, Limits, Order, PlanRequest, PrepareError, Prepared, Progress,
    TraceKind, Verdict, Why, ZoneChecker, check, check_with,
};
use tourbillon_gen::family;
use tourbillon_model::Model;
use tourbillon_testkit::networks::uppaal_model;

/// Suprema of clocks and two other properties, which have a search with one thread each in a requested order.
const QUERIES: &str = "sup{Process(1).wait}: Process(1).x
A[] not (Process(1).critical && Process(2).critical)
sup{Process(1).critical}: Process(2).x
sup{Process(2).request}: Process(2).x, Process(1).x
E<> id == 3
sup{id == 2}: Process(3).x
sup{Process(1).idle}: Process(1).x
";

/// An order that is followed state by state.
const IN_ORDER: Option<Order> = Some(Order::Bfs);

fn fischer(n: u32, queries: &str) -> Model {
    let text = family("fischer").and_then(|family| family.xta(n)).expect("a member");
    uppaal_model(&text, queries).expect("a model")
}

/// The answers, by as many threads as there are cores, if the checker can be forked so often.
fn answers(checker: &mut dyn Checker, model: &Model, order: Option<Order>, limits: Limits) -> Vec<Answer> {
    let queries: Vec<usize> = (0..model.queries.len()).collect();
    let plan_request = PlanRequest { order, trace: TraceKind::Some, ..PlanRequest::default() };
    let job = Job { model, queries: Some(&queries), plan_request: &plan_request, limits, stop: None };
    let mut given = Vec::new();
    let prepared = tourbillon_check::prepare(&job).expect("a plan for each query");
    let mut budget = Budget::new(limits, None);
    tourbillon_check::check_each(checker, prepared, &mut budget, &mut |_| {}, &mut |answer| {
        given.push(answer)
    })
    .expect("answers");
    given
}

/// Checks one group after the other.
struct OneByOne;

impl Checker for OneByOne {
    fn shares_search(&self, one: &Prepared<'_>, other: &Prepared<'_>) -> bool {
        ZoneChecker.shares_search(one, other)
    }

    fn check(
        &mut self,
        group: &[Prepared<'_>],
        budget: &mut Budget<'_>,
        observe: &mut dyn FnMut(&Progress),
        answered: &mut dyn FnMut(Answer),
    ) -> Result<(), PrepareError> {
        ZoneChecker.check(group, budget, observe, answered)
    }
}

/// Checks with delays, and counts the searches that run at the same time.
#[derive(Clone)]
struct Delaying {
    seed: u64,
    running: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl Checker for Delaying {
    fn shares_search(&self, one: &Prepared<'_>, other: &Prepared<'_>) -> bool {
        ZoneChecker.shares_search(one, other)
    }

    fn fork(&self) -> Option<Box<dyn Checker + Send>> {
        Some(Box::new(self.clone()))
    }

    fn check(
        &mut self,
        group: &[Prepared<'_>],
        budget: &mut Budget<'_>,
        observe: &mut dyn FnMut(&Progress),
        answered: &mut dyn FnMut(Answer),
    ) -> Result<(), PrepareError> {
        self.most.fetch_max(self.running.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
        let query = group[0].query().unwrap_or(0) as u64;
        std::thread::sleep(Duration::from_millis(Random::from_seed(self.seed + query).below(40) as u64));
        let checked = ZoneChecker.check(group, budget, observe, answered);
        self.running.fetch_sub(1, Ordering::Relaxed);
        checked
    }
}

fn assert_same(one: &[Answer], other: &[Answer], what: &str) {
    assert_eq!(one.len(), other.len(), "{what}");
    for (one, other) in one.iter().zip(other) {
        let observed = |answer: &Answer| (answer.query, answer.verdict, answer.why.clone(), answer.stats);
        assert_eq!(observed(one), observed(other), "{what}");
        assert_eq!((&one.values, &one.witness), (&other.values, &other.witness), "{what}");
    }
}

#[test]
fn answers_are_those_of_each_search_alone_in_the_same_order() {
    let model = fischer(4, QUERIES);
    let expected = answers(&mut OneByOne, &model, IN_ORDER, Limits::default());
    assert_eq!(expected.len(), 7);
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let (running, most) = (Arc::default(), Arc::new(AtomicUsize::new(0)));
    for seed in 1..7 {
        let mut checker =
            Delaying { seed: 100 * seed, running: Arc::clone(&running), most: Arc::clone(&most) };
        most.store(0, Ordering::Relaxed);
        let found = answers(&mut checker, &model, IN_ORDER, Limits::default());
        assert_same(&expected, &found, "side by side");
        let most = most.load(Ordering::Relaxed);
        assert!(most <= cores && (cores == 1 || most > 1), "{cores} cores: {most}");
    }
}

/// Each search fits alone, and not all together: those that give up are checked again.
#[test]
fn a_limit_on_memory_is_one_of_all_searches_together() {
    let model = fischer(5, QUERIES);
    let alone = answers(&mut OneByOne, &model, IN_ORDER, Limits::default());
    let largest = alone.iter().map(|answer| answer.stats.memory.total() as u64).max().expect("an answer");
    for percent in [150, 105, 60, 10] {
        let limits = Limits { memory_bytes: Some(largest * percent / 100), ..Limits::default() };
        let expected = answers(&mut OneByOne, &model, IN_ORDER, limits);
        let exhausted = |answer: &&Answer| answer.why == Why::Exhausted(Exhausted::Memory);
        assert_eq!(expected.iter().any(|answer| exhausted(&answer)), percent < 100, "{percent} %");
        let found = answers(&mut ZoneChecker, &model, IN_ORDER, limits);
        assert_same(&expected, &found, &format!("{percent} %"));
    }
}

/// A limit on states is one of each search, as one after the other.
#[test]
fn a_limit_on_states_is_one_of_each_search() {
    let model = fischer(4, QUERIES);
    let limits = Limits { states: Some(200), ..Limits::default() };
    let expected = answers(&mut OneByOne, &model, IN_ORDER, limits);
    assert!(expected.iter().any(|answer| answer.why == Why::Exhausted(Exhausted::States)));
    assert_same(&expected, &answers(&mut ZoneChecker, &model, IN_ORDER, limits), "a limit on states");
}

/// A search that ends only when it must.
#[derive(Clone, Copy)]
struct UntilStopped {
    /// The query whose search panics.
    panics: Option<usize>,
}

impl Checker for UntilStopped {
    fn fork(&self) -> Option<Box<dyn Checker + Send>> {
        Some(Box::new(*self))
    }

    fn check(
        &mut self,
        group: &[Prepared<'_>],
        budget: &mut Budget<'_>,
        _: &mut dyn FnMut(&Progress),
        answered: &mut dyn FnMut(Answer),
    ) -> Result<(), PrepareError> {
        assert!(self.panics.is_none() || group[0].query() != self.panics, "a search that fails");
        while !budget.is_over() {
            std::thread::sleep(Duration::from_millis(1));
        }
        answered(Answer::new(group[0].query(), Verdict::Unknown, Why::Exhausted(budget.over())));
        Ok(())
    }
}

#[test]
#[should_panic(expected = "a search that fails")]
fn a_panic_of_one_search_ends_all() {
    answers(&mut UntilStopped { panics: Some(0) }, &fischer(3, QUERIES), IN_ORDER, Limits::default());
}

#[test]
fn a_limit_on_time_ends_all_at_once() {
    let limits = Limits { time: Some(Duration::from_millis(100)), ..Limits::default() };
    let started = Instant::now();
    let found = answers(&mut UntilStopped { panics: None }, &fischer(3, QUERIES), IN_ORDER, limits);
    assert_eq!(
        found.iter().map(|answer| answer.query).collect::<Vec<_>>(),
        (0..7).map(Some).collect::<Vec<_>>()
    );
    assert!(found.iter().all(|answer| answer.why == Why::Exhausted(Exhausted::Time)));
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn an_interruption_ends_all_and_all_are_answered() {
    let model = fischer(3, QUERIES);
    let queries: Vec<usize> = (0..model.queries.len()).collect();
    let plan_request = PlanRequest { order: IN_ORDER, ..PlanRequest::default() };
    let stop = Arc::new(AtomicBool::new(false));
    let limits = Limits::default();
    let job = Job {
        model: &model,
        queries: Some(&queries),
        plan_request: &plan_request,
        limits,
        stop: Some(&stop),
    };
    let found = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            stop.store(true, Ordering::Relaxed);
        });
        check_with(&mut UntilStopped { panics: None }, &job, &mut |_| {}).expect("answers")
    });
    assert_eq!(found.len(), 7);
    assert!(found.iter().all(|answer| answer.why == Why::Exhausted(Exhausted::Interrupted)));
}

/// Nested depth-first searches have one thread each by default. Other searches, in rounds, come between them.
#[test]
fn liveness_properties_are_checked_side_by_side_by_default() {
    let model = fischer(
        4,
        "A<> Process(1).critical\nE<> id == 3\nE[] not Process(1).critical\nsup{id == 2}: Process(3).x\nProcess(1).request --> Process(1).wait
Process(2).wait --> Process(2).critical\nE[] id != 3\n",
    );
    let queries: Vec<usize> = (0..model.queries.len()).collect();
    let ask = |queries: &[usize]| {
        let plan_request = PlanRequest::default();
        let limits = Limits::default();
        let job =
            Job { model: &model, queries: Some(queries), plan_request: &plan_request, limits, stop: None };
        check(&job, &mut |_| {}).expect("answers")
    };
    let alone: Vec<Answer> = queries.iter().map(|&query| ask(&[query]).remove(0)).collect();
    assert_same(&alone, &ask(&queries), "liveness");
}
