//! Diagrams over several ranks: what they save, and what that takes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tourbillon_base::SourceMap;
use tourbillon_check::{
    Answer, Engine, Exhausted, Job, Layout, Limits, PlanRequest, RankStats, TraceKind, Why,
};
use tourbillon_cluster::{CpuTime, Ranks, check};
use tourbillon_gen::family;

fn explored(name: &str, n: u32, layout: Layout, ranks: Ranks<'_>) -> Answer {
    let text = family(name).expect("a family").tck(n).expect("a member");
    let model = tourbillon_front_tchecker::load(name, &text, &mut SourceMap::new()).0.expect("a model");
    let layout = Some(layout);
    let plan_request =
        &PlanRequest { engine: Engine::Cluster, layout, trace: TraceKind::None, ..PlanRequest::default() };
    let job = Job { model: &model, queries: None, plan_request, limits: Limits::default(), stop: None };
    let answers = check(&job, ranks, CpuTime::default(), &mut |_| {}).expect("it can be explored");
    let explored = answers.expect("the first rank is here").remove(0);
    assert_eq!(explored.why, Why::Complete);
    explored
}

fn diagram_bytes(found: &Answer) -> usize {
    found.ranks.iter().map(|rank| rank.stats.memory.zones).sum()
}

/// What the discrete states of all ranks have in common is there once: one diagram takes at most 0.4 of the bytes of four.
#[test]
fn one_diagram_is_smaller_than_four() {
    let ranks = Ranks::Simulated { ranks: 4, seed: 5 };
    let apart = explored("fischer", 8, Layout::CddPerRank, ranks);
    let spread = explored("fischer", 8, Layout::CddSpread, ranks);
    let (apart_bytes, spread_bytes) = (diagram_bytes(&apart), diagram_bytes(&spread));
    let stats = spread.stats;
    assert_eq!(stats.discrete_states, apart.stats.discrete_states);
    assert_eq!(stats.stored + stats.covered, stats.transitions + 1);
    assert!(spread_bytes * 10 <= apart_bytes * 4, "{spread_bytes} bytes, and {apart_bytes} in four diagrams");
}

/// Questions are packed: there is less than one message for each state that is visited, hence for each that is asked about.
#[test]
fn many_questions_go_in_a_message() {
    let spread = explored("fischer", 7, Layout::CddSpread, Ranks::Threads(4));
    let stats = spread.stats;
    let messages: u64 = spread.ranks.iter().map(RankStats::messages).sum();
    assert!(messages <= stats.visited, "{messages} messages, {} visited", stats.visited);
}

/// Diagrams that grow are collected on the way: those of CSMA/CD take more than it takes to want it.
#[test]
fn what_is_not_used_is_collected() {
    let alone = explored("csmacd", 9, Layout::CddPerRank, Ranks::Threads(1));
    for layout in [Layout::Groups(1), Layout::Groups(2), Layout::Groups(3)] {
        let found = explored("csmacd", 9, layout, Ranks::Threads(3));
        assert_eq!(found.stats.discrete_states, alone.stats.discrete_states, "{layout:?}");
        let (bytes, once) = (diagram_bytes(&found), diagram_bytes(&alone));
        assert!(bytes < 3 * once, "{layout:?}: {bytes} bytes, {once} in one diagram");
        let largest = found.ranks.iter().map(|rank| rank.stats.memory.zones).max().unwrap_or(0);
        assert!(largest < once, "{layout:?}: a rank has more than all have");
    }
}

/// A group of one rank, more groups than ranks, and more ranks than levels.
#[test]
fn groups_of_any_size_will_do() {
    let expected = explored("fischer", 3, Layout::CddPerRank, Ranks::Threads(1)).stats.discrete_states;
    for (layout, ranks) in
        [(Layout::CddSpread, 1), (Layout::Groups(9), 2), (Layout::CddSpread, 11), (Layout::Groups(4), 11)]
    {
        for seed in 0..20 {
            let found = explored("fischer", 3, layout, Ranks::Simulated { ranks, seed });
            assert_eq!(found.stats.discrete_states, expected, "{layout:?}, {ranks} ranks, seed {seed}");
        }
    }
}

/// A limit, or a wish to stop, ends the search at any time, also while levels move: simulated ranks do so all the time.
#[test]
fn whatever_ends_a_search_is_heard_while_levels_move() {
    let text = family("fischer").expect("a family").tck(5).expect("a member");
    let model = tourbillon_front_tchecker::load("fischer", &text, &mut SourceMap::new()).0.expect("a model");
    let (mut moved, layouts) = (0, [Layout::CddSpread, Layout::Groups(2)]);
    for seed in 0..120 {
        let layout = Some(layouts[seed as usize % 2]);
        let plan_request = &PlanRequest { engine: Engine::Cluster, layout, ..PlanRequest::default() };
        let stop = Arc::new(AtomicBool::new(false));
        let (states, what) = match seed % 3 {
            0 => (None, Exhausted::Interrupted),
            _ => (Some(20 + 3 * seed), Exhausted::States),
        };
        let limits = Limits { states, ..Limits::default() };
        let job = Job { model: &model, queries: None, plan_request, limits, stop: Some(&stop) };
        let ranks = Ranks::Simulated { ranks: 2 + seed as usize % 4, seed };
        let mut looks = 0;
        let mut observe = |_: &_| {
            looks += 1;
            stop.store(what == Exhausted::Interrupted && looks > seed % 7, Ordering::Relaxed);
        };
        let answers = check(&job, ranks, CpuTime::default(), &mut observe).expect("it can be explored");
        let ended = answers.expect("the first rank is here").remove(0);
        let why = &ended.why;
        assert!(matches!(why, Why::RankExhausted { what: met, .. } if *met == what), "seed {seed}: {why:?}");
        assert_eq!(ended.ranks.len(), 2 + seed as usize % 4, "seed {seed}");
        moved += ended.ranks.iter().map(|rank| rank.moved.layers).sum::<u64>();
    }
    assert!(moved > 300, "only {moved} levels moved");
}
