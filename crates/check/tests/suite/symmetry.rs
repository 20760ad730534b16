//! Symmetry: random networks of processes that differ in their number alone, or almost.
//!
//! Each network has a template that is instantiated two or three times, with arrays over its numbers, variables that name a
//! process or none, broadcasts, urgent channels, committed locations, priorities, functions and a controller. In one network
//! of four something distinguishes a process. Every query is answered under a set of plans as in `random.rs`, with symmetry
//! where it is found: verdicts must be those of the region oracle and of the search without symmetry, runs must replay, and
//! the shortest and fastest must not be beaten. The discrete states that are stored must have the orbits of those that are
//! reachable: each reachable one is a permutation of a stored one.
//!
//! The number of networks is `TOURBILLON_NETWORKS` (default 1,000 here), the first seed `TOURBILLON_SEED` (default 1). The
//! long run is
//! `TOURBILLON_NETWORKS=100000 TOURBILLON_PLANS=99 cargo test --release -p tourbillon-check --test suite symmetry::`.

use std::collections::BTreeSet;

use tourbillon_base::Random;
use tourbillon_check::{
    Answer, Budget, Cover, CycleSearch, Finish, Job, Limits, LintFinding, LintResult, Order, Plan,
    PlanRequest, Standstill, SymmetryUse, TraceKind, Verdict, Why, check, prepare,
};
use tourbillon_model::Model;
use tourbillon_symmetry::{Candidates, Formulas, find};
use tourbillon_testkit::networks::uppaal_model;
use tourbillon_testkit::oracle;

use crate::lint::{facts_differ, linted};
use crate::random::complaint_of_plans;
use crate::{extremes, from_environment, with_seed};

/// The number of states that the oracle may store before a network is left out.
const STATES_MAX: usize = 6_000;

/// A network with its queries, as text.
struct Text {
    model: String,
    queries: String,
    /// Liveness properties.
    liveness: String,
    /// Suprema and infima.
    extremes: String,
    /// Whether something may distinguish a process.
    breaks: bool,
}

/// Writes random networks.
struct Writer {
    random: Random,
    /// Whether something may distinguish a process.
    breaks: bool,
    shape: Shape,
    select: bool,
}

/// What random networks have more of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Plain,
    /// Differences of clocks are compared.
    Diagonals,
    /// Four processes, and broadcasts instead of other channels.
    Broadcasts,
    /// Processes have values of a scalar set as their numbers.
    Scalars,
}

/// Whether a text is legal where the numbers of processes are scalars.
fn is_for_scalars(text: &str) -> bool {
    let numbers = [
        "id == 0", "id != 0", "id == 2", "id = 0", "id = 1", "[1]", "[2]", "P(1)", "P(2)", "% 2", " = 1",
        " = N", ", id",
    ];
    !numbers.iter().any(|number| text.contains(number))
}

impl Writer {
    fn pick<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[self.random.below(choices.len())]
    }

    /// One of those that do not order or compute with the numbers of processes, and mention none, if these are scalars.
    fn pick_typed<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        loop {
            let choice = self.pick(choices);
            if self.shape != Shape::Scalars || is_for_scalars(choice) {
                return choice;
            }
        }
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.random.one_in(count)
    }

    /// A text with a random number from 0 to 2 for each `$`.
    fn fill(&mut self, text: &str) -> String {
        let mut filled = String::new();
        for character in text.chars() {
            match character {
                '$' => filled.push_str(&self.random.below(3).to_string()),
                other => filled.push(other),
            }
        }
        filled
    }

    fn condition(&mut self) -> String {
        let broken = self.breaks && self.shape != Shape::Scalars && self.one_in(4);
        let text = if broken {
            self.pick(&["pid < 2", "id == 1", "a[1] == $", "id <= pid", "a[id_t(1)] == a[pid]"])
        } else if self.shape == Shape::Diagonals && self.select && self.one_in(2) {
            self.pick(&["x - k[e] < $", "k[e] - k[pid] <= $", "k[e] - x > $"])
        } else if self.shape == Shape::Diagonals && self.one_in(2) {
            self.pick(&["x - g <= $", "g - x < $", "x - g >= $", "k[pid] - x == $", "g - k[pid] <= $"])
        } else if self.select && self.one_in(2) {
            self.pick(&["e != pid", "a[e] == $", "e == id"])
        } else {
            self.pick_typed(&[
                "id == 0",
                "id == pid",
                "id != pid",
                "a[pid] == $",
                "x <= $",
                "x >= $",
                "x == $",
                "x < 2",
                "x > 1",
                "g >= $",
                "other == id",
                "other != pid",
                "id != 0 && a[id] == $",
                "(forall (i : id_t) a[i] < 2)",
                "(exists (i : id_t) i != pid && a[i] == $)",
                "count() == $",
                "(sum (i : id_t) (a[i] > 0 ? 1 : 0)) < $ + 1",
            ])
        };
        // A cast is no expression of the language.
        let text = text.replace("id_t(1)", "1");
        self.fill(&text)
    }

    fn update(&mut self) -> String {
        let broken = self.breaks && self.one_in(4);
        let text = if broken {
            self.pick_typed(&["id = 1", "a[1] = $", "other = pid % 2", "last()", "a[pid] = pid % 2"])
        } else if self.shape == Shape::Diagonals && self.one_in(4) {
            "k[pid] = 0"
        } else if self.select && self.one_in(2) {
            self.pick(&["a[e] = $", "id = e", "other = e"])
        } else {
            self.pick_typed(&[
                "id = pid",
                "id = 0",
                "a[pid] = $",
                "x = 0",
                "x = 0",
                "x = 0",
                "g = 0",
                "other = id",
                "clear()",
                "take(pid)",
                "a[pid] = 2 - a[pid]",
                "other = pid",
                "many()",
            ])
        };
        self.fill(text)
    }

    /// The queries, without those that name a process if their numbers are scalars.
    fn typed(&mut self, queries: &[&str]) -> String {
        let all = self.shape != Shape::Scalars;
        let typed = queries.iter().filter(|query| all || is_for_scalars(query));
        typed.map(|query| self.fill(query)).collect::<Vec<_>>().join("\n")
    }

    fn own_update(&mut self) -> String {
        let text = self.pick(&["x = 0", "a[pid] = $", "a[pid] = 2 - a[pid]"]);
        self.fill(text)
    }

    fn edge(&mut self) -> String {
        self.select = self.one_in(4);
        let (source, target) = (self.random.below(3), self.random.below(3));
        let mut labels = String::new();
        if self.select {
            labels += "select e : id_t; ";
        }
        let mut guards: Vec<String> = (0..self.random.below(3)).map(|_| self.condition()).collect();
        let sync = match self.random.below(8) {
            0 => "b!",
            1 => "b?",
            2 if self.shape == Shape::Broadcasts => "b!",
            3..=5 if self.shape == Shape::Broadcasts => "b?",
            2 => "c[pid]!",
            3 => "u!",
            4 if self.select => "d[e]?",
            4 => "d[pid]!",
            5 => "u?",
            _ => "",
        };
        if sync.starts_with('u') {
            guards.retain(|guard| !guard.starts_with(['x', 'g', 'k']));
        }
        if !guards.is_empty() {
            labels += &format!("guard {}; ", guards.join(" && "));
        }
        if !sync.is_empty() {
            labels += &format!("sync {sync}; ");
        }
        // Receivers that assign to one variable do so in their order, which is no symmetry.
        let is_own = self.shape == Shape::Broadcasts && sync == "b?";
        let update = |own: &mut Self| if is_own { own.own_update() } else { own.update() };
        let updates: Vec<String> = (0..self.random.below(3)).map(|_| update(self)).collect();
        if !updates.is_empty() {
            labels += &format!("assign {}; ", updates.join(", "));
        }
        format!("L{source} -> L{target} {{ {labels}}}")
    }

    fn text(&mut self) -> Text {
        let count = if self.shape == Shape::Broadcasts { 4 } else { 2 + self.random.below(2) };
        let edges: Vec<String> = (0..3 + self.random.below(4)).map(|_| self.edge()).collect();
        let invariant = |own: &mut Self| if own.one_in(3) { own.fill(" { x <= $ }") } else { String::new() };
        let (first, second, third) = (invariant(self), invariant(self), invariant(self));
        let kind = self.pick(&["", "", "", "commit L1;", "urgent L2;"]);
        let controller = self.pick(&[
            "",
            "process C() { state S; init S; trans S -> S { select e : id_t; sync c[e]?; assign a[e] = 1; }; }",
            "process C() { state S, T; init S; trans S -> T { select e : id_t; guard e == id; sync c[e]?; }, T -> S { sync b!; assign g = 0; }; }",
        ]);
        let first_id = self.pick_typed(&["", "", " = 1", " = N"]);
        let (number, some, free) = match self.shape {
            Shape::Scalars => ("scalar[N]", "id_t", "a[id] == 0"),
            _ => ("int[1,N]", "int[0,N]", "id == 0"),
        };
        let clocks = if self.shape == Shape::Diagonals { ", k[id_t]" } else { "" };
        let priority = self.pick(&["", "", "", "chan priority u < default < b;"]);
        let model = format!(
            "const int N = {count}; typedef {number} id_t; {some} id{first_id}; {some} other; int[0,2] a[id_t]; clock g{clocks};
             chan c[id_t], d[id_t]; broadcast chan b; urgent chan u; {priority}
             void clear() {{ for (i : id_t) a[i] = 0; }}
             void last() {{ for (i : id_t) if (a[i] > 0) id = i; }}
             void many() {{ int n; for (i : id_t) n += a[i]; if (n > 2) clear(); }}
             void take(id_t p) {{ if ({free}) id = p; else other = p; }}
             int count() {{ int n; for (i : id_t) if (a[i] == 1) n++; return n; }}
             process P(const id_t pid) {{
                 clock x;
                 state L0{first}, L1{second}, L2{third}; {kind}
                 init L0;
                 trans {};
             }}
             {controller}
             system P{};",
            edges.join(",\n                       "),
            if controller.is_empty() { "" } else { ", C" },
        );
        let queries = [
            "E<> exists (i : id_t) P(i).L$ && id == i",
            "A[] forall (i : id_t) forall (j : id_t) P(i).L2 && P(j).L2 imply i == j",
            "E<> P(1).L2 && P(2).L$",
            "A[] not deadlock",
            "E<> id == 2 && P(1).L$",
            "E<> exists (i : id_t) P(i).x > $ && P(i).L1",
            "A[] a[1] <= $",
            "E<> (sum (i : id_t) a[i]) == 3",
            "A[] forall (i : id_t) P(i).L1 imply a[i] < 2",
        ];
        let queries = self.typed(&queries);
        let liveness = [
            "A<> exists (i : id_t) P(i).L$",
            "E[] forall (i : id_t) !P(i).L$",
            "(exists (i : id_t) P(i).L1) --> (forall (i : id_t) !P(i).L1)",
            "P(1).L$ --> P(2).L$",
            "(exists (i : id_t) P(i).L1 && id == i) --> id == 0",
            "A<> exists (i : id_t) P(i).x > $",
        ];
        let liveness = self.typed(&liveness);
        let extremes = [
            "bounds: g",
            "inf: g, P(1).x, g + (sum (i : id_t) a[i])",
            "inf{P(2).L$}: P(1).x, g",
            "inf{exists (i : id_t) P(i).L$ && id == i}: g",
            "bounds: sum (i : id_t) a[i], id",
            "bounds{P(1).L$}: count(), a[2]",
            "sup: P(1).x, g",
            "sup{P(2).L$}: P(1).x",
            "bounds{exists (i : id_t) P(i).L$ && id == i}: g + (sum (i : id_t) a[i])",
            "sup{forall (i : id_t) P(i).L$ || P(i).x <= 2}: g, count()",
        ];
        let extremes = self.typed(&extremes);
        Text { model, queries, liveness, extremes, breaks: self.breaks }
    }
}

fn random(seed: u64) -> Text {
    random_with(seed, Shape::Plain)
}

fn random_with(seed: u64, shape: Shape) -> Text {
    let mut writer = Writer { random: Random::from_seed(seed), breaks: false, shape, select: false };
    writer.breaks = writer.one_in(4);
    writer.text()
}

/// Networks of all shapes, each with its queries, and with its liveness properties.
pub(crate) fn texts(seed: u64) -> Vec<(String, String)> {
    let shapes = [Shape::Plain, Shape::Diagonals, Shape::Broadcasts, Shape::Scalars];
    let all = shapes.into_iter().map(|shape| random_with(seed, shape));
    all.flat_map(|text| [(text.model.clone(), text.queries), (text.model, text.liveness)]).collect()
}

/// The answers, in the order of the queries.
fn asked(model: &Model, plan_request: &PlanRequest) -> Vec<Answer> {
    let queries: Vec<usize> = (0..model.queries.len()).collect();
    let job = Job {
        model,
        queries: Some(&queries),
        plan_request,
        limits: Limits { states: Some(20_000), ..Limits::default() },
        stop: None,
    };
    let mut answers = check(&job, &mut |_| {}).expect("it can be checked");
    answers.sort_by_key(|answer| answer.query);
    answers
}

/// Compares the answers with those without symmetry. Returns whether any was found with symmetry.
fn compare(model: &Model, plan_request: &PlanRequest) -> Result<bool, String> {
    let with = asked(model, plan_request);
    let without = asked(model, &PlanRequest { symmetry: SymmetryUse::Off, ..plan_request.clone() });
    for (one, other) in with.iter().zip(&without) {
        let text = one.query.map_or("", |query| model.queries[query].text.as_str());
        let decided = |answer: &Answer| matches!(answer.why, Why::Found | Why::Complete);
        if matches!(one.why, Why::NotReplayed(_)) {
            return Err(format!("{plan_request:?}\n{text}: {:?}", one.why));
        }
        if decided(one) && decided(other) && (one.verdict, &one.why) != (other.verdict, &other.why) {
            return Err(format!(
                "{plan_request:?}\n{text}: {:?} with symmetry, {:?} without",
                one.verdict, other.verdict
            ));
        }
        // Without symmetry there may be more states than the limit.
        let is_limited = matches!(other.why, Why::Exhausted(_));
        if decided(one) != decided(other) && matches!(one.why, Why::Complete) && !is_limited {
            return Err(format!("{plan_request:?}\n{text}: {:?}, but {:?} without", one.why, other.why));
        }
    }
    Ok(with.iter().any(|answer| answer.plan.as_ref().is_some_and(Plan::uses_symmetry)))
}

/// The discrete states that a search for nothing stores.
fn stored(model: &Model, symmetry: SymmetryUse, cover: Cover) -> Option<BTreeSet<Vec<i32>>> {
    let plan_request =
        PlanRequest { symmetry, cover: Some(cover), order: Some(Order::Bfs), ..PlanRequest::default() };
    let query = model.queries.len() - 1;
    let job = Job {
        model,
        queries: Some(&[query]),
        plan_request: &plan_request,
        limits: Limits::default(),
        stop: None,
    };
    let prepared = prepare(&job).expect("it can be prepared").remove(0).expect("a query without errors");
    let mut search = prepared.search_with(prepared.list());
    let mut budget = Budget::new(Limits { states: Some(20_000), ..Limits::default() }, None);
    search.find(None, &mut budget, &mut |_| {});
    if !search.is_complete() {
        return None;
    }
    let fields = prepared.system().layout.fields();
    let mut states = BTreeSet::new();
    let mut state = tourbillon_zonegraph::SymbolicState::new(prepared.system());
    for node in search.list().stored_nodes() {
        search.list().load(node, &mut state.memory[..fields], &mut state.zone);
        states.insert(state.memory[..fields].to_vec());
    }
    Some(states)
}

/// What permutations of the processes' numbers do to a discrete state, by the meaning of its fields: the locations of the
/// processes first, then `id`, `other` and `a`. A variable that is never compared with the number of a process need not be
/// renamed, nor the elements of `a` moved.
struct Action<'m> {
    model: &'m Model,
    count: usize,
    /// The number of the first process.
    first: i32,
    renames_id: bool,
    renames_other: bool,
    moves_elements: bool,
    /// Whether the values of a scalar set are exchanged whatever happens to processes.
    values_alone: bool,
    /// Whether elements move with these values, not with processes.
    moves_by_value: bool,
}

impl Action<'_> {
    fn field(&self, name: &str) -> Option<usize> {
        let cells = self.model.cells.iter().filter(|cell| cell.kind == tourbillon_model::CellKind::State);
        let index = cells.into_iter().position(|cell| cell.name == name)?;
        Some(self.model.processes.len() + index)
    }

    /// The element of `a` for a process.
    fn element(&self, process: usize) -> Option<usize> {
        self.field(&format!("a[{}]", process as i32 + self.first))
    }

    fn apply(&self, processes: &[usize], values: &[usize], state: &[i32]) -> Vec<i32> {
        let mut image = state.to_vec();
        for (from, &to) in processes.iter().enumerate() {
            image[to] = state[from];
        }
        let elements = if self.moves_by_value { values } else { processes };
        for (from, &to) in elements.iter().enumerate() {
            if self.moves_elements
                && let (Some(one), Some(other)) = (self.element(from), self.element(to))
            {
                image[other] = state[one];
            }
        }
        for (name, renames) in [("id", self.renames_id), ("other", self.renames_other)] {
            if renames
                && let Some(field) = self.field(name)
                && let Some(named) = usize::try_from(state[field] - self.first).ok()
            {
                image[field] = values[named] as i32 + self.first;
            }
        }
        image
    }

    /// The least image of a state.
    fn least(&self, state: &[i32]) -> Vec<i32> {
        let all = permutations(self.count);
        let values = |processes: &Vec<usize>| match self.values_alone {
            true => all.clone(),
            false => vec![processes.clone()],
        };
        let images = all.iter().flat_map(|processes| {
            values(processes).into_iter().map(move |values| self.apply(processes, &values, state))
        });
        images.min().expect("the state itself")
    }
}

fn permutations(count: usize) -> Vec<Vec<usize>> {
    let Some(last) = count.checked_sub(1) else { return vec![Vec::new()] };
    let insert = |shorter: Vec<usize>| {
        (0..count).map(move |place| {
            let mut permutation = shorter.clone();
            permutation.insert(place, last);
            permutation
        })
    };
    permutations(last).into_iter().flat_map(insert).collect()
}

/// What is wrong with the answers to a network, and whether they were found with symmetry.
fn complaint(text: &Text, seed: u64) -> Result<bool, String> {
    let model = uppaal_model(&text.model, &text.queries)?;
    let scalar = text.model.contains("scalar[");
    let symmetry = if scalar { SymmetryUse::Scalar } else { SymmetryUse::Auto };
    let request = PlanRequest { symmetry, ..PlanRequest::default() };
    let symmetric = compare(&model, &request)?;
    let liveness = uppaal_model(&text.model, &text.liveness)?;
    for (cycles, non_zeno) in
        [(CycleSearch::Nested, false), (CycleSearch::Components, false), (CycleSearch::Components, true)]
    {
        compare(&liveness, &PlanRequest { cycles: Some(cycles), non_zeno, ..request.clone() })?;
    }
    if let oracle::Answer::Reached(reached) = oracle::by_regions(&model, STATES_MAX)
        && let Some(complaint) = complaint_of_plans(&model, &reached, seed)
    {
        return Err(complaint);
    }
    if text.breaks {
        // Its automorphisms may rename values in ways that are not foreseen here.
        return Ok(symmetric);
    }
    let count = (2..=4).find(|count| text.model.contains(&format!("N = {count};"))).expect("a number");
    let orbits = find(&model, &Formulas::default(), Candidates::All).orbits;
    let values_alone = orbits.iter().any(|orbit| orbit.elements[0].starts_with("value"));
    for cover in [Cover::Inclusion, Cover::Alu] {
        let Some((reduced, all)) =
            stored(&model, symmetry, cover).zip(stored(&model, SymmetryUse::Off, cover))
        else {
            continue;
        };
        let agree = (0..16).any(|choice| {
            let [renames_id, renames_other, moves_elements, moves_by_value] =
                [1, 2, 4, 8].map(|bit| choice & bit == 0);
            let action = Action {
                model: &model,
                count,
                first: i32::from(!scalar),
                renames_id,
                renames_other,
                moves_elements,
                values_alone,
                moves_by_value,
            };
            let orbits = |states: &BTreeSet<Vec<i32>>| -> BTreeSet<Vec<i32>> {
                states.iter().map(|state| action.least(state)).collect()
            };
            orbits(&reduced) == orbits(&all)
        });
        if !agree {
            return Err(format!("{} states do not represent {}", reduced.len(), all.len()));
        }
    }
    Ok(symmetric)
}

#[test]
fn random_networks_are_answered_as_without_symmetry() {
    judge(from_environment("TOURBILLON_NETWORKS", 1_000), Shape::Plain);
}

#[test]
fn random_networks_with_diagonals_are_answered_as_without_symmetry() {
    judge(from_environment("TOURBILLON_NETWORKS", 1_000).div_ceil(5), Shape::Diagonals);
}

#[test]
fn random_networks_with_broadcasts_are_answered_as_without_symmetry() {
    judge(from_environment("TOURBILLON_NETWORKS", 1_000).div_ceil(5), Shape::Broadcasts);
}

#[test]
fn random_networks_with_scalar_sets_are_answered_as_without_symmetry() {
    judge(from_environment("TOURBILLON_NETWORKS", 1_000).div_ceil(5), Shape::Scalars);
}

fn judge(networks: u64, shape: Shape) {
    let first = from_environment("TOURBILLON_SEED", 1);
    let mut symmetric = 0;
    for seed in first..first + networks {
        let text = random_with(seed, shape);
        match with_seed(seed, || complaint(&text, seed)) {
            Ok(used) => symmetric += u64::from(used),
            Err(what) => panic!("seed {seed}:\n{}\n{}\n{}\n{what}", text.model, text.queries, text.liveness),
        }
    }
    assert!(symmetric * 2 > networks, "only {symmetric} of {networks} networks are symmetric");
}

/// What is wrong with the values of measures, and for how many queries the oracle knows them.
fn complaint_of_extremes(text: &Text, seed: u64) -> Result<(bool, u64), String> {
    let model = uppaal_model(&text.model, &text.extremes)?;
    let plans = extremes::plans(seed);
    let (mut symmetric, mut judged) = (false, 0);
    for query in 0..model.queries.len() {
        let spans = extremes::random::spans(&model, query);
        judged += u64::from(spans.is_some());
        let [alternating, fine] = extremes::in_alternation(seed);
        let some = plans[1 + seed as usize % (plans.len() - 1)].clone();
        for plan_request in [&plans[0], &some, &alternating, &fine] {
            let with = extremes::ask(&model, query, plan_request);
            let off = PlanRequest { symmetry: SymmetryUse::Off, ..plan_request.clone() };
            let without = extremes::ask(&model, query, &off);
            // A small search of all states, state by state.
            let one_by_one = PlanRequest { threads: None, round_sizes: None, order: Some(Order::Bfs), ..off };
            let alone = extremes::ask(&model, query, &one_by_one);
            let answers = [&with, &without, &alone];
            let [found, expected, known] = answers.map(|answer| extremes::text(&answer.values));
            let settled = answers.map(extremes::random::is_settled);
            let same = settled == [true; 3]
                && [&expected, &known] == [&found; 2]
                && extremes::has_runs(&with, plan_request)
                && extremes::has_runs(&without, plan_request)
                || settled == [false; 3];
            if !same || spans.as_ref().is_some_and(|spans| !extremes::random::are_right(&with, spans)) {
                let text = &model.queries[query].text;
                let why = answers.map(|answer| &answer.why);
                return Err(format!(
                    "{plan_request:?}\n{text}: {found}, without symmetry {expected}, alone {known}, {why:?}, {spans:?}"
                ));
            }
            symmetric |= with.plan.as_ref().is_some_and(Plan::uses_symmetry);
        }
    }
    Ok((symmetric, judged))
}

/// Of representatives alone, the search for the suprema of this network does not end, nor does acceleration along their paths.
const WITHOUT_END: u64 = 2201;

#[test]
fn random_extremes_are_those_without_symmetry() {
    let networks = from_environment("TOURBILLON_NETWORKS", 300);
    let first = from_environment("TOURBILLON_SEED", 1);
    let (mut symmetric, mut judged) = (0, 0);
    for seed in (first..first + networks).chain([WITHOUT_END]) {
        let mut text = random(seed);
        if seed.is_multiple_of(3) {
            // Clocks that are assigned to each other: processes' clocks to the shared one, and conversely.
            text.model = text.model.replacen(" x = 0", " g = x", 1).replacen(" x = 0", " x = g", 1);
        }
        match complaint_of_extremes(&text, seed) {
            Ok((used, known)) => {
                symmetric += u64::from(used);
                judged += known;
            }
            Err(what) => panic!("seed {seed}:\n{}\n{}\n{what}", text.model, text.extremes),
        }
    }
    assert!(symmetric * 2 > networks, "only {symmetric} of {networks} networks are symmetric");
    assert!(judged > networks, "the oracle knows only {judged} answers");
}

/// What is wrong with the runs along different paths; whether they were found with symmetry, and how many there were.
fn complaint_of_several(text: &Text, seed: u64) -> Result<(bool, usize), String> {
    let model = uppaal_model(&text.model, &text.queries)?;
    let trace = if seed.is_multiple_of(3) { TraceKind::Shortest } else { TraceKind::Some };
    let request = PlanRequest { traces: Some(2 + seed as usize % 9), trace, ..PlanRequest::default() };
    let with = asked(&model, &request);
    let without = asked(&model, &PlanRequest { symmetry: SymmetryUse::Off, ..request });
    let mut runs = 0;
    for (one, other) in with.iter().zip(&without) {
        let several = |answer: &Answer| {
            let several = answer.several.as_ref();
            several.map(|it| (it.witnesses.iter().map(|it| it.run.clone()).collect::<Vec<_>>(), it.others))
        };
        let decided = |answer: &Answer| matches!(answer.why, Why::Found | Why::Complete);
        if decided(one) && decided(other) && several(one) != several(other) {
            return Err(format!("{:?}, without symmetry {:?}", several(one), several(other)));
        }
        runs += several(one).map_or(0, |(runs, _)| runs.len());
    }
    Ok((with.iter().any(|answer| answer.plan.as_ref().is_some_and(Plan::uses_symmetry)), runs))
}

#[test]
fn several_runs_are_those_without_symmetry() {
    let networks = from_environment("TOURBILLON_NETWORKS", 300);
    let first = from_environment("TOURBILLON_SEED", 1);
    let (mut symmetric, mut runs) = (0, 0);
    for seed in first..first + networks {
        let text = random(seed);
        match complaint_of_several(&text, seed) {
            Ok((used, found)) => {
                symmetric += u64::from(used);
                runs += found as u64;
            }
            Err(what) => panic!("seed {seed}:\n{}\n{}\n{what}", text.model, text.queries),
        }
    }
    assert!(symmetric * 2 > networks, "only {symmetric} of {networks} networks are symmetric");
    assert!(runs > 4 * networks, "only {runs} runs");
}

/// What lint finds, without the states and runs that happened to be found first: a Zeno run decides which cycles are reported.
fn lint_findings(found: &LintResult) -> (Vec<LintFinding>, bool, bool) {
    let loops = || found.findings.iter().filter(|it| matches!(it, LintFinding::ZenoLoop(_)));
    let has_run = |it: &LintFinding| matches!(it, LintFinding::ZenoLoop(it) if !it.possible);
    let others = found.findings.iter().filter(|it| !matches!(it, LintFinding::ZenoLoop(_))).cloned();
    let findings = others.map(|mut finding| {
        if let LintFinding::Deadlock(it) = &mut finding {
            (it.locations, it.witness) = (Vec::new(), None);
            if it.standstill != Standstill::Rest {
                it.standstill = Standstill::Urgency;
            }
        }
        finding
    });
    (findings.collect(), loops().next().is_some(), loops().any(has_run))
}

/// What is wrong with what lint finds; whether it used symmetry, and whether the oracle knows.
fn complaint_of_lint(text: &Text) -> Result<(bool, bool), String> {
    let model = uppaal_model(&text.model, "")?;
    let [found, all] = [SymmetryUse::Auto, SymmetryUse::Off]
        .map(|symmetry| linted(&model, &PlanRequest { symmetry, ..PlanRequest::default() }));
    let [with, without] = [&found, &all].map(|it| (lint_findings(it), it.reached.clone(), it.taken.clone()));
    if with != without {
        return Err(format!("{with:?}\nwithout symmetry: {without:?}"));
    }
    let symmetric = found.explorations.iter().any(|it| it.plan.uses_symmetry());
    let oracle::Answer::Reached(reached) = oracle::scrutinise(&model, STATES_MAX) else {
        return Ok((symmetric, false));
    };
    facts_differ(&model, &found, &reached).map_or(Ok((symmetric, true)), Err)
}

#[test]
fn lint_of_random_networks_finds_what_it_finds_without_symmetry() {
    let networks = from_environment("TOURBILLON_NETWORKS", 300);
    let first = from_environment("TOURBILLON_SEED", 1);
    let (mut symmetric, mut judged) = (0, 0);
    for seed in first..first + networks {
        let text = random(seed);
        match complaint_of_lint(&text) {
            Ok((used, known)) => {
                symmetric += u64::from(used);
                judged += u64::from(known);
            }
            Err(what) => panic!("seed {seed}:\n{}\n{what}", text.model),
        }
    }
    assert!(symmetric * 3 > networks, "only {symmetric} of {networks} networks are symmetric");
    assert!(judged * 4 > networks, "the oracle knows only {judged} networks");
}

/// Slots that are taken and given back: 8 sets of slots that are in use and 3 that may be the last are 24 states, of which symmetry
/// leaves the number of slots in use, and whether the last one is.
#[test]
fn values_of_a_scalar_set_are_exchanged() {
    let text = "typedef scalar[3] slot_t; bool used[slot_t]; slot_t last;
        process P() {
            state S; init S;
            trans S -> S { select i : slot_t; guard !used[i]; assign used[i] = true, last = i; },
                  S -> S { guard used[last]; assign used[last] = false; };
        }
        system P;";
    let queries = "A[] forall (i : slot_t) used[i] || !used[i]\nE<> forall (i : slot_t) used[i]";
    let model = uppaal_model(text, queries).expect("a model");
    let counts = |symmetry| stored(&model, symmetry, Cover::Inclusion).expect("few states").len();
    assert_eq!((counts(SymmetryUse::Off), counts(SymmetryUse::Auto)), (24, 6));
    for answer in asked(&model, &PlanRequest::default()) {
        assert_eq!(answer.verdict, Verdict::Satisfied);
        assert_eq!(answer.witness.is_some(), answer.query == Some(1));
    }
}

/// A controller and a timer for each number, of one shape: both are exchanged with both of another number. Of 16 discrete states, those
/// with equally many busy pairs are permutations of each other.
#[test]
fn controllers_and_timers_of_one_shape_are_exchanged_together() {
    let text = "typedef int[1,4] id_t; bool busy[id_t]; chan go[id_t], done[id_t];
        process Timer(const id_t id) {
            clock y;
            state Off, On { y <= 5 };
            init Off;
            trans Off -> On { sync go[id]?; assign y = 0; }, On -> Off { guard y >= 3; sync done[id]!; };
        }
        process Controller(const id_t id) {
            clock x;
            state Idle, Busy;
            init Idle;
            trans Idle -> Busy { sync go[id]!; assign x = 0, busy[id] = true; },
                  Busy -> Idle { guard x >= 2; sync done[id]?; assign busy[id] = false; };
        }
        system Controller, Timer;";
    let queries = "A[] forall (i : id_t) Controller(i).Busy imply Timer(i).y <= 5
        E<> forall (i : id_t) busy[i] && Timer(i).y == i
        A[] forall (i : id_t) Timer(i).On imply Controller(i).x <= 4
        E<> Controller(2).Busy && !busy[3]
        A[] not deadlock
        E<> forall (i : id_t) Timer(i).On && busy[i]";
    let model = uppaal_model(text, queries).expect("a model");
    let counts = |symmetry| stored(&model, symmetry, Cover::Inclusion).expect("few states").len();
    assert_eq!((counts(SymmetryUse::Off), counts(SymmetryUse::Auto)), (16, 5));
    for trace in [TraceKind::Some, TraceKind::Shortest] {
        assert!(compare(&model, &PlanRequest { trace, ..PlanRequest::default() }).expect("the same answers"));
    }
}

/// Two processes act in turns, one time unit after the other. Representatives repeat after one transition, runs after two.
#[test]
fn a_cycle_of_representatives_is_repeated_until_it_closes() {
    let text = "typedef int[1,2] id_t; int[0,2] last; clock x;
        process P(const id_t pid) {
            state S { x <= 1 };
            init S;
            trans S -> S { guard x >= 1 && last != pid; assign last = pid, x = 0; };
        }
        system P;";
    let model = uppaal_model(text, "E[] true\nA<> last == 3").expect("a model");
    for cycles in [CycleSearch::Nested, CycleSearch::Components] {
        for answer in asked(&model, &PlanRequest { cycles: Some(cycles), ..PlanRequest::default() }) {
            assert!(answer.plan.expect("a plan").uses_symmetry(), "{cycles:?}");
            let witness = answer.witness.expect("a run");
            let Some(Finish::Repeats { from }) = witness.finish else { panic!("{:?}", witness.finish) };
            let repeated = &witness.run.steps[from..];
            assert!(repeated.len() >= 2 && repeated.len().is_multiple_of(2), "{repeated:?}");
            let processes: BTreeSet<_> = repeated.iter().map(|step| step.action[0].process).collect();
            assert_eq!(processes.len(), 2, "each has its turn");
        }
    }
}

/// Processes that take turns, whose numbers are values of this type.
fn turns(number: &str) -> Model {
    let text = format!(
        "typedef {number} id_t; id_t last; bool waits[id_t];
         process P(const id_t pid) {{
             clock x;
             state Idle, Busy {{ x <= 2 }};
             init Idle;
             trans Idle -> Busy {{ guard !waits[pid]; assign x = 0, waits[pid] = true, last = pid; }},
                   Busy -> Idle {{ guard x >= 1 && last == pid; assign waits[pid] = false; }};
         }}
         system P;"
    );
    let queries = "E<> forall (i : id_t) P(i).Busy\nA[] forall (i : id_t) P(i).Busy imply waits[i]\nA[] not deadlock\nE<> false";
    uppaal_model(&text, queries).expect("a model")
}

/// Fewer states are stored under `scalar` if the numbers of processes are values of a scalar set, and under `auto` in any case.
#[test]
fn declared_scalar_sets_alone_are_exchanged_on_request() {
    let uses = [SymmetryUse::Off, SymmetryUse::Scalar, SymmetryUse::Auto];
    for (number, reduced) in [("scalar[3]", [false, true, true]), ("int[0,2]", [false, false, true])] {
        let model = turns(number);
        let all = stored(&model, SymmetryUse::Off, Cover::Inclusion).expect("few states").len();
        let counts =
            uses.map(|symmetry| stored(&model, symmetry, Cover::Inclusion).expect("few states").len());
        assert_eq!(counts.map(|count| count < all), reduced, "{number}: {counts:?}");
        let answers = uses.map(|symmetry| asked(&model, &PlanRequest { symmetry, ..PlanRequest::default() }));
        let verdicts = answers.each_ref().map(|it| it.iter().map(|it| it.verdict).collect::<Vec<_>>());
        assert!(verdicts[0].iter().all(|it| *it != Verdict::Unknown), "{verdicts:?}");
        assert!(verdicts.iter().all(|it| *it == verdicts[0]), "{number}: {verdicts:?}");
        for (answers, (symmetry, reduced)) in answers.iter().zip(uses.into_iter().zip(reduced)) {
            let plan = answers[0].plan.as_ref().expect("a plan");
            assert_eq!(plan.symmetry, if reduced { symmetry } else { SymmetryUse::Off });
            let says = plan.reasons.iter().any(|it| it.why.contains("only declared scalar sets are used"));
            assert_eq!(says, symmetry == SymmetryUse::Scalar);
        }
    }
}
