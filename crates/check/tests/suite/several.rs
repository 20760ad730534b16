//! Several runs: each along another path, none missing, shortest first.
//!
//! The oracle lists paths by definition: from the set of integer points that a sequence of actions can lead to, it tries
//! every action. In networks in which all that is said of clocks is closed, a path can be taken if and only if it can
//! with integer delays (`testkit/src/oracle/grid.rs` has the argument, which keeps the path).

use std::collections::{BTreeSet, HashSet};

use tourbillon_base::Rational;
use tourbillon_check::{
    Answer, Exhausted, Fired, Job, Limits, Others, PlanRequest, Several, TraceKind, Verdict, check,
};
use tourbillon_model::{ExprId, Model, QueryKind};
use tourbillon_replay::{ConcreteState, Semantics};
use tourbillon_testkit::networks::{Network, Shape, uppaal_model};

fn ask(model: &Model, query: usize, wanted: usize, limits: Limits) -> Answer {
    let plan_request = PlanRequest { traces: Some(wanted), ..PlanRequest::default() };
    let job = Job { model, queries: Some(&[query]), plan_request: &plan_request, limits, stop: None };
    check(&job, &mut |_| {}).expect("it can be asked").remove(0)
}

/// The runs of a model with one process `P` and one query, and how many steps each has.
fn lengths(body: &str, query: &str, wanted: usize) -> (Vec<usize>, Others) {
    let text = format!("clock x; int[0, 9] n;\n{body}\nsystem P;\n");
    let model = uppaal_model(&text, query).unwrap_or_else(|error| panic!("{error}"));
    let answer = ask(&model, 0, wanted, Limits::default());
    let Several { witnesses, others } = answer.several.expect("there are some");
    assert_eq!(answer.witness.as_ref(), witnesses.first());
    (witnesses.iter().map(|witness| witness.run.steps.len()).collect(), others)
}

const DIAMOND: &str = "process P() { state A, B, C, D, E; init A; \
    trans A -> B { }, A -> C { }, B -> D { }, C -> D { guard x > 2; }, D -> E { }, A -> A { guard x == 1 && n < 1; assign n = n + 1; }; }";

#[test]
fn all_paths_are_found_and_no_more() {
    assert_eq!(lengths(DIAMOND, "E<> P.D", 9), (vec![2, 2, 3, 3], Others::None));
    assert_eq!(lengths(DIAMOND, "E<> P.D && x < 2", 9), (vec![2, 3], Others::None));
    assert_eq!(lengths(DIAMOND, "A[] !P.E", 9), (vec![3, 3, 4, 4], Others::None));
    assert_eq!(lengths(DIAMOND, "E<> P.D", 3), (vec![2, 2, 3], Others::NotSearched));
    assert_eq!(lengths(DIAMOND, "E<> P.D", 1), (vec![2], Others::NotSearched));
    assert_eq!(lengths(DIAMOND, "E<> P.A", 9), (vec![0], Others::None));
}

#[test]
fn a_loop_gives_as_many_as_are_wanted() {
    let body = "process P() { state A { x <= 2 }, B; init A; trans A -> A { guard x == 2; assign x = 0; }, A -> B { }; }";
    let expected: Vec<usize> = (1..=50).collect();
    assert_eq!(lengths(body, "E<> P.B", 50), (expected, Others::NotSearched));
}

/// The loop leads nowhere, and the search must not follow it.
#[test]
fn a_loop_beside_the_way_is_passed_over() {
    let body =
        "process P() { state A, B, C; init A; trans A -> B { }, A -> C { }, C -> C { assign x = 0; }; }";
    assert_eq!(lengths(body, "E<> P.B", 9), (vec![1], Others::None));
}

#[test]
fn nothing_that_is_not_there_is_enumerated() {
    let model = uppaal_model("process P() { state A, B; init A; } system P;", "E<> P.B\nA[] P.A").unwrap();
    for query in 0..2 {
        let answer = ask(&model, query, 3, Limits::default());
        assert_eq!((answer.witness, answer.several), (None, None), "query {query}");
    }
}

#[test]
fn a_limit_leaves_those_that_were_found() {
    let text = "int[0, 9999] n; process P() { state A, B; init A; \
        trans A -> A { guard n < 9999; assign n = n + 1; }, A -> B { guard n > 8; }; } system P;";
    let model = uppaal_model(text, "E<> P.B").unwrap();
    let answer = ask(&model, 0, 1_000_000, Limits { states: Some(300), ..Limits::default() });
    assert_eq!(answer.verdict, Verdict::Satisfied);
    let several = answer.several.expect("there are some");
    assert!(!several.witnesses.is_empty());
    assert_eq!(several.others, Others::Exhausted(Exhausted::States));
}

/// Runs count for the limit on memory; one is told in any case.
#[test]
fn runs_take_memory() {
    let text = "int[0, 2] n; int ballast[1000]; process P() { state A, B; init A; \
        trans A -> A { assign n = (n + 1) % 3, ballast[n] = n; }, A -> B { }; } system P;";
    let model = uppaal_model(text, "E<> P.B").unwrap();
    let found = |bytes| {
        let several = ask(&model, 0, 400, Limits { memory_bytes: bytes, ..Limits::default() }).several;
        several.map(|Several { witnesses, others }| (witnesses.len(), others)).expect("there are some")
    };
    assert_eq!(found(None), (400, Others::NotSearched));
    let (count, others) = found(Some(8_000_000));
    assert!((1..400).contains(&count), "{count} runs");
    assert_eq!(others, Others::Exhausted(Exhausted::Memory));
}

/// Of runs without end, and of values, only one is told: the answer says so.
#[test]
fn other_questions_have_one_run() {
    let text = "clock x; process P() { state A, B; init A; trans A -> B { }, B -> A { }; } system P;";
    let model = uppaal_model(text, "E[] x >= 0\nA<> P.B\nP.A --> P.B\nsup: x\nE[] P.B").unwrap();
    for query in 0..3 {
        let answer = ask(&model, query, 3, Limits::default());
        let several = answer.several.expect("there is one");
        assert_eq!((several.witnesses.len(), several.others), (1, Others::OnlyOne), "query {query}");
        assert_eq!(answer.witness.as_ref(), several.witnesses.first(), "query {query}");
    }
    let answer = ask(&model, 3, 3, Limits::default());
    assert_eq!(answer.several, Some(Several { witnesses: Vec::new(), others: Others::OnlyOne }));
    assert_eq!(ask(&model, 4, 3, Limits::default()).several, None);
}

#[test]
fn several_runs_need_runs() {
    let model = uppaal_model("process P() { state A; init A; } system P;", "E<> P.A").unwrap();
    for trace in [TraceKind::None, TraceKind::Fastest] {
        let plan_request = PlanRequest { traces: Some(2), trace, ..PlanRequest::default() };
        let job = Job {
            model: &model,
            queries: Some(&[0]),
            plan_request: &plan_request,
            limits: Limits::default(),
            stop: None,
        };
        assert!(check(&job, &mut |_| {}).expect_err("that is refused").to_string().contains("--traces"));
    }
}

/// Paths of actions.
type Paths = BTreeSet<Vec<String>>;

/// Clocks above this are not told apart: no constant of a plain network is larger than 3.
const CEILING: i64 = 5;

/// How long the paths may be that the oracle lists.
const LENGTH_MAX: usize = 5;

/// How many sequences of actions it tries.
const TRIED_MAX: usize = 3_000;

fn text(action: &[Fired]) -> String {
    format!("{action:?}")
}

/// The integer points that waiting leads to.
fn waited(semantics: &Semantics<'_>, states: HashSet<ConcreteState>) -> HashSet<ConcreteState> {
    let mut found = states.clone();
    let mut waiting: Vec<ConcreteState> = states.into_iter().collect();
    while let Some(state) = waiting.pop() {
        let Ok(mut later) = semantics.delay(&state, Rational::from_integer(1)) else { continue };
        later.clocks.iter_mut().for_each(|clock| *clock = (*clock).min(Rational::from_integer(CEILING)));
        if found.insert(later.clone()) {
            waiting.push(later);
        }
    }
    found
}

/// The paths of at most [`LENGTH_MAX`] actions to a first point where a predicate is as wanted; nothing if there are too
/// many to try.
fn listed(model: &Model, predicate: ExprId, frame: u32, wanted: bool) -> Option<Paths> {
    let semantics = Semantics::new(model);
    let mut paths = Paths::new();
    let mut waiting = vec![(Vec::new(), HashSet::from([semantics.initial().ok()?]))];
    let mut tried = 0;
    while let Some((path, states)) = waiting.pop() {
        tried += 1;
        if tried > TRIED_MAX {
            return None;
        }
        let states = waited(&semantics, states);
        if states.iter().any(|state| semantics.holds(predicate, frame, state) == Ok(wanted)) {
            paths.insert(path);
        } else if path.len() < LENGTH_MAX {
            let mut next: Vec<(String, HashSet<ConcreteState>)> = Vec::new();
            for (action, target) in
                states.iter().flat_map(|state| semantics.successors(state).expect("no errors"))
            {
                let action = text(&action);
                match next.iter_mut().find(|(known, _)| *known == action) {
                    Some((_, targets)) => drop(targets.insert(target)),
                    None => next.push((action, HashSet::from([target]))),
                }
            }
            let longer = |action| path.iter().cloned().chain([action]).collect();
            waiting.extend(next.into_iter().map(|(action, targets)| (longer(action), targets)));
        }
    }
    Some(paths)
}

/// What is wrong with the runs to the goal of a query; nothing if the oracle cannot tell.
fn complaint(model: &Model, query: usize) -> Option<Option<String>> {
    let frame = model.queries[query].frame;
    let (predicate, wanted) = match model.queries[query].kind {
        QueryKind::Possibly(p) => (p, true),
        QueryKind::Invariantly(p) => (p, false),
        _ => return None,
    };
    let listed = listed(model, predicate, frame, wanted)?;
    let count = 40;
    let several = ask(model, query, count, Limits::default()).several;
    let (witnesses, others) = several.map_or((Vec::new(), Others::None), |it| (it.witnesses, it.others));
    let found: Vec<Vec<String>> = witnesses
        .iter()
        .map(|witness| witness.run.steps.iter().map(|step| text(&step.action)).collect())
        .collect();
    let longest = found.last().map_or(0, Vec::len);
    // Of the length of the last, some may be missing.
    let whole = if others == Others::None { LENGTH_MAX } else { longest.saturating_sub(1).min(LENGTH_MAX) };
    let upto = |path: &&Vec<String>| path.len() <= whole;
    let right = found.is_sorted_by_key(Vec::len)
        && found.iter().filter(|path| path.len() <= LENGTH_MAX).all(|path| listed.contains(path))
        && found.iter().filter(upto).count() == listed.iter().filter(upto).count()
        && found.iter().collect::<BTreeSet<_>>().len() == found.len()
        && (others == Others::None || found.len() == count);
    Some((!right).then(|| format!("{others:?}: {found:#?}\nbut {listed:#?}")))
}

#[test]
fn random_networks() {
    let networks =
        std::env::var("TOURBILLON_NETWORKS").ok().and_then(|text| text.parse().ok()).unwrap_or(300);
    let first = std::env::var("TOURBILLON_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut judged = 0;
    for seed in first..first + networks {
        let network = Network::random(seed, Shape::PLAIN);
        let model = network.model().expect("a model");
        for query in 0..model.queries.len() {
            match complaint(&model, query) {
                Some(Some(what)) => panic!(
                    "seed {seed}, query {query}:\n{}\n{}\n{what}",
                    network.text(),
                    network.query_text()
                ),
                Some(None) => judged += 1,
                None => {}
            }
        }
    }
    assert!(judged >= networks, "only {judged} were judged");
}
