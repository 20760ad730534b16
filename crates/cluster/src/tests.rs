//! Ranks that fail: the search ends, and says which one it was.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tourbillon_base::SourceMap;
use tourbillon_check::{Job, Limits, Wishes, prepare};
use tourbillon_model::Model;

use crate::CpuTime;
use crate::chief::{Concluded, Ended};
use crate::crew::{Crew, SimulatedCrew, ThreadCrew};
use crate::transport::Transport;
use crate::transport::simulated::Network;
use crate::transport::threads::Threads;
use crate::worker::Common;

/// A network that fails a rank: it panics there, once, when so many messages have been asked for.
struct Failing<T> {
    inner: T,
    fails: usize,
    countdown: Arc<AtomicU64>,
}

impl<T: Transport> Transport for Failing<T> {
    fn rank(&self) -> usize {
        self.inner.rank()
    }

    fn ranks(&self) -> usize {
        self.inner.ranks()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        self.inner.send(to, message);
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        if self.inner.rank() == self.fails && self.countdown.fetch_sub(1, Ordering::Relaxed) == 1 {
            panic!("a wheel is loose");
        }
        self.inner.receive()
    }

    fn pause(&mut self) {
        self.inner.pause();
    }
}

fn failing<T>(ends: Vec<T>, fails: usize, after: u64) -> Vec<Failing<T>> {
    let countdown = Arc::new(AtomicU64::new(after));
    ends.into_iter().map(|inner| Failing { inner, fails, countdown: Arc::clone(&countdown) }).collect()
}

fn fischer(n: u32) -> Model {
    let text = tourbillon_gen::family("fischer").expect("a family").tck(n).expect("a member");
    tourbillon_front_tchecker::load("fischer.tck", &text, &mut SourceMap::new()).0.expect("a model")
}

/// A full exploration.
fn explored(model: &Model, crew: &mut dyn Crew) -> Concluded {
    let job = Job { model, queries: None, wishes: &Wishes::default(), limits: Limits::default(), stop: None };
    let mut questions = prepare(&job).expect("a family can be compiled");
    let prepared = questions.remove(0).expect("it can be explored");
    let limits = Limits::default();
    let pace = crew.pace();
    let common = Common { prepared: &prepared, limits, stop: None, pace, cpu_time: CpuTime::default() };
    crew.search(&common, &mut |_| {}).expect("the first rank is here")
}

#[test]
fn a_rank_that_fails_is_named() {
    let model = fischer(4);
    let mut lost = 0;
    for seed in 0..150 {
        let (ranks, fails) = (2 + seed as usize % 4, 1 + seed as usize % 2);
        let (network, ends) = Network::connected(ranks, seed);
        let ends = failing(ends, fails.min(ranks - 1), 1 + seed * 3 % 200);
        let concluded = explored(&model, &mut SimulatedCrew::over(network, ends));
        match concluded.ended {
            Ended::Lost { rank, said } => {
                assert_eq!((rank, said.as_str()), (fails.min(ranks - 1), "a wheel is loose"), "seed {seed}");
                assert_eq!(concluded.ranks.len(), ranks - 1, "seed {seed}");
                lost += 1;
            }
            // It may have failed when everything was done.
            Ended::Complete => {}
            other => panic!("seed {seed}: {other:?}"),
        }
    }
    assert!(lost > 50, "only {lost} searches lost a rank");
}

#[test]
fn a_thread_that_fails_is_named() {
    let model = fischer(6);
    for after in [1, 5, 50] {
        let ends = failing(Threads::connected(3), 2, after);
        let concluded = explored(&model, &mut ThreadCrew::over(ends));
        let said = "a wheel is loose".to_owned();
        assert_eq!(concluded.ended, Ended::Lost { rank: 2, said }, "after {after}");
    }
}

#[test]
fn if_the_first_rank_fails_its_panic_goes_on() {
    let model = fischer(5);
    let outcome = std::panic::catch_unwind(|| {
        explored(&model, &mut ThreadCrew::over(failing(Threads::connected(3), 0, 20)))
    });
    assert!(outcome.is_err());
}

#[test]
fn nothing_is_left_in_the_network() {
    let model = fischer(4);
    for seed in 0..50 {
        let (network, ends) = Network::connected(3, seed);
        let mut crew = SimulatedCrew::over(network, ends);
        for search in 0..3 {
            let concluded = explored(&model, &mut crew);
            assert_eq!(concluded.ended, Ended::Complete, "seed {seed}, search {search}");
        }
        assert!(crew.is_quiet(), "seed {seed}");
    }
}
