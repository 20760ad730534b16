//! Random networks against an oracle that walks paths.
//!
//! The oracle knows the definition and nothing of fixpoints: from each state of the product it walks every
//! path of a few steps, keeps of each clock which clock of the first state its value comes from and by how
//! much it was shifted, and notes every comparison with a clock of the first state before that value is gone.
//! What it finds must be within the computed bounds of the first state. On one process alone, where paths
//! long enough are few enough, the bounds must be no larger than what it finds.

use std::fmt::Write;

use tourbillon_base::{Id, Random};
use tourbillon_dbm::{Clock, ClockBounds, Constant};
use tourbillon_model::{LocationId, ProcessId};

use super::{analysed, uppaal};

#[derive(Clone, Copy, Debug)]
struct Atom {
    clock: usize,
    upper: bool,
    constant: i32,
}

/// `target := source + shift`, or `:= shift`.
#[derive(Clone, Copy, Debug)]
struct Update {
    target: usize,
    source: Option<usize>,
    shift: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sync {
    Alone,
    Sends,
    Receives,
}

#[derive(Clone, Debug)]
struct Edge {
    source: usize,
    target: usize,
    guard: Vec<Atom>,
    sync: Sync,
    updates: Vec<Update>,
}

#[derive(Clone, Debug)]
struct Process {
    invariants: Vec<Vec<Atom>>,
    edges: Vec<Edge>,
}

#[derive(Clone, Debug)]
struct Network {
    clocks: usize,
    processes: Vec<Process>,
}

/// What sizes a random network may have.
struct Shape {
    processes: usize,
    locations: usize,
    clocks: usize,
    edges: usize,
    least_shift: i32,
}

fn atoms(random: &mut Random, clocks: usize, upper_only: bool) -> Vec<Atom> {
    let count = random.below(3).saturating_sub(1);
    let mut atom = || Atom {
        clock: random.below(clocks),
        upper: upper_only || random.one_in(2),
        constant: random.within(0..=9),
    };
    (0..count).map(|_| atom()).collect()
}

fn network(random: &mut Random, shape: &Shape) -> Network {
    let clocks = 1 + random.below(shape.clocks);
    let processes = 1 + random.below(shape.processes);
    Network { clocks, processes: (0..processes).map(|_| process(random, shape, clocks)).collect() }
}

fn process(random: &mut Random, shape: &Shape, clocks: usize) -> Process {
    let locations = 1 + random.below(shape.locations);
    let invariants = (0..locations).map(|_| atoms(random, clocks, true)).collect();
    let count = 1 + random.below(shape.edges);
    let edges = (0..count).map(|_| edge(random, shape, locations, clocks)).collect();
    Process { invariants, edges }
}

fn edge(random: &mut Random, shape: &Shape, locations: usize, clocks: usize) -> Edge {
    let sync = match (shape.processes, random.below(6)) {
        (2.., 0) => Sync::Sends,
        (2.., 1) => Sync::Receives,
        _ => Sync::Alone,
    };
    let count = random.below(4);
    let updates = (0..count)
        .map(|_| {
            let source = random.one_in(2).then(|| random.below(clocks));
            let least = if source.is_some() { shape.least_shift } else { 0 };
            Update { target: random.below(clocks), source, shift: random.within(least..=3) }
        })
        .collect();
    Edge {
        source: random.below(locations),
        target: random.below(locations),
        guard: atoms(random, clocks, false),
        sync,
        updates,
    }
}

impl Network {
    /// As UPPAAL's text; clocks are `x0`, `x1` and so on, processes `P0`, locations `L0`.
    fn text(&self) -> String {
        let names: Vec<String> = (0..self.clocks).map(|clock| format!("x{clock}")).collect();
        let mut text = format!("clock {};\nchan a;\n", names.join(", "));
        for (index, process) in self.processes.iter().enumerate() {
            let states = process.invariants.iter().enumerate();
            let states: Vec<String> =
                states.map(|(l, atoms)| format!("L{l} {{ {} }}", conjunction(atoms))).collect();
            let edges: Vec<String> = process.edges.iter().map(Edge::text).collect();
            let (states, edges) = (states.join(", "), edges.join(",\n  "));
            writeln!(text, "process P{index}() {{ state {states}; init L0; trans\n  {edges}; }}").unwrap();
        }
        let names: Vec<String> = (0..self.processes.len()).map(|index| format!("P{index}")).collect();
        text + &format!("system {};\n", names.join(", "))
    }

    /// The edges that can be taken together from a state, in the order of their updates, guards aside.
    fn steps(&self, state: &[usize]) -> Vec<Vec<(usize, &Edge)>> {
        let processes = self.processes.iter().enumerate();
        let here: Vec<(usize, &Edge)> = processes
            .flat_map(|(index, process)| process.edges.iter().map(move |edge| (index, edge)))
            .filter(|(index, edge)| edge.source == state[*index])
            .collect();
        let of = |sync| here.iter().copied().filter(move |(_, edge)| edge.sync == sync);
        let alone = of(Sync::Alone).map(|edge| vec![edge]);
        let pairs =
            of(Sync::Sends).flat_map(|sender| of(Sync::Receives).map(move |receiver| [sender, receiver]));
        alone.chain(pairs.filter(|[one, two]| one.0 != two.0).map(Vec::from)).collect()
    }

    /// All vectors of locations.
    fn states(&self) -> Vec<Vec<usize>> {
        self.processes.iter().fold(vec![Vec::new()], |states, process| {
            let longer = |state: Vec<usize>| {
                (0..process.invariants.len()).map(move |location| [state.clone(), vec![location]].concat())
            };
            states.into_iter().flat_map(longer).collect()
        })
    }
}

impl Edge {
    fn text(&self) -> String {
        let mut text = format!("L{} -> L{} {{ ", self.source, self.target);
        if !self.guard.is_empty() {
            write!(text, "guard {}; ", conjunction(&self.guard)).unwrap();
        }
        text += match self.sync {
            Sync::Alone => "",
            Sync::Sends => "sync a!; ",
            Sync::Receives => "sync a?; ",
        };
        let update = |Update { target, source, shift }: &Update| match source {
            None => format!("x{target} = {shift}"),
            Some(source) => format!("x{target} = x{source} + ({shift})"),
        };
        let updates: Vec<String> = self.updates.iter().map(update).collect();
        if !updates.is_empty() {
            write!(text, "assign {}; ", updates.join(", ")).unwrap();
        }
        text + "}"
    }
}

fn conjunction(atoms: &[Atom]) -> String {
    let atom = |Atom { clock, upper, constant }: &Atom| {
        format!("x{clock} {} {constant}", if *upper { "<=" } else { ">" })
    };
    if atoms.is_empty() { "true".to_owned() } else { atoms.iter().map(atom).collect::<Vec<_>>().join(" && ") }
}

/// Of each clock, the clock of the first state that its value comes from, and what was added.
type Sources = Vec<Option<(usize, i32)>>;

/// The largest constants found for each clock of the first state, lower and upper.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Found {
    lower: Vec<Option<i32>>,
    upper: Vec<Option<i32>>,
}

impl Found {
    fn note(&mut self, atoms: &[Atom], sources: &Sources) {
        for atom in atoms {
            let Some((clock, shift)) = sources[atom.clock] else { continue };
            let limit = Some(atom.constant - shift).filter(|&limit| limit >= 0);
            let known = if atom.upper { &mut self.upper[clock] } else { &mut self.lower[clock] };
            *known = (*known).max(limit);
        }
    }

    /// No clock is negative: what one is set to is compared with 0, and both outcomes count.
    fn note_update(&mut self, set: Option<(usize, i32)>) {
        let Some((clock, shift)) = set.filter(|&(_, shift)| shift < 0) else { return };
        for known in [&mut self.lower[clock], &mut self.upper[clock]] {
            *known = (*known).max(Some(-shift));
        }
    }

    fn walk(&mut self, network: &Network, state: &[usize], sources: &Sources, steps: usize) {
        for (process, &location) in network.processes.iter().zip(state) {
            self.note(&process.invariants[location], sources);
            process.edges.iter().filter(|edge| edge.source == location).for_each(|edge| {
                self.note(&edge.guard, sources);
            });
        }
        if steps == 0 {
            return;
        }
        for step in network.steps(state) {
            let (mut next, mut after) = (state.to_vec(), sources.clone());
            for (process, edge) in step {
                next[process] = edge.target;
                for &Update { target, source, shift } in &edge.updates {
                    after[target] =
                        source.and_then(|source| after[source]).map(|(from, so_far)| (from, so_far + shift));
                    self.note_update(after[target]);
                }
            }
            self.walk(network, &next, &after, steps - 1);
        }
    }
}

fn found(network: &Network, state: &[usize], steps: usize) -> Found {
    let none = vec![None; network.clocks];
    let mut found = Found { lower: none.clone(), upper: none };
    let sources: Sources = (0..network.clocks).map(|clock| Some((clock, 0))).collect();
    found.walk(network, state, &sources, steps);
    found
}

/// The bounds of a state, in the oracle's form.
fn computed(network: &Network, local: impl Fn(usize, usize) -> ClockBounds, state: &[usize]) -> Found {
    let mut bounds: Option<ClockBounds> = None;
    for (process, &location) in state.iter().enumerate() {
        let more = local(process, location);
        match &mut bounds {
            None => bounds = Some(more),
            Some(bounds) => bounds.join(&more),
        }
    }
    let bounds = bounds.expect("a process");
    let clocks = (1..=network.clocks).map(Clock::from_index);
    Found {
        lower: clocks.clone().map(|clock| bounds.lower(clock).map(Constant::get)).collect(),
        upper: clocks.map(|clock| bounds.upper(clock).map(Constant::get)).collect(),
    }
}

/// Compares the bounds of every state with what paths of so many steps show.
fn compare(network: &Network, steps: usize, context: &str, fits: impl Fn(&Found, &Found) -> bool) {
    let model = uppaal(&network.text(), "");
    let analysis = analysed(&model);
    let local = |process: usize, location: usize| {
        analysis.local[ProcessId::from_index(process)][LocationId::from_index(location)].clone()
    };
    for state in network.states() {
        let (found, computed) = (found(network, &state, steps), computed(network, local, &state));
        assert!(
            fits(&found, &computed),
            "{context}, state {state:?}\n{}found    {found:?}\ncomputed {computed:?}",
            network.text()
        );
    }
}

fn within(found: &Found, computed: &Found) -> bool {
    let all =
        |found: &[Option<i32>], computed: &[Option<i32>]| found.iter().zip(computed).all(|(f, c)| f <= c);
    all(&found.lower, &computed.lower) && all(&found.upper, &computed.upper)
}

#[test]
fn what_paths_of_networks_ask_is_within_the_bounds() {
    let shape = Shape { processes: 3, locations: 3, clocks: 4, edges: 4, least_shift: 0 };
    let falling = Shape { least_shift: -2, ..shape };
    for seed in 0..400 {
        let mut random = Random::from_seed(seed);
        let shape = if seed % 4 == 3 { &falling } else { &shape };
        let network = network(&mut random, shape);
        compare(&network, 4, &format!("seed {seed}"), within);
    }
}

#[test]
fn the_bounds_of_one_process_are_the_least() {
    let shape = Shape { processes: 1, locations: 3, clocks: 2, edges: 3, least_shift: 0 };
    for seed in 0..400 {
        let network = network(&mut Random::from_seed(seed), &shape);
        // No constraint is needed twice, so the paths that matter visit each location with each clock once.
        let steps = network.processes[0].invariants.len() * network.clocks;
        compare(&network, steps, &format!("seed {seed}"), |found, computed| found == computed);
    }
}
