//! Not one run but several: different paths of transitions to a goal, shortest first.
//!
//! The list that a search leaves is no map of all paths: a state that another covers is not gone on from. So the
//! search is done once more, breadth first and with equality as the only reason not to store a state, and every
//! transition is kept. A path of this graph is a path of the model: each point of an abstracted zone is simulated by one
//! that the same transitions lead to `[BehrmannBouyerLarsenPelanek2004]`, so that nothing has to be tried and given up,
//! and where the graph has no more paths the model has none. Only over-approximations need the replay to decide.
//!
//! A path ends at the first state on it in which the goal can be met; none goes on from there. Layers are explored until
//! there are as many transitions into such states as paths are wanted, each of which is a path by itself: all paths of
//! so many steps are then in the graph. They are taken out of it best first, by the steps taken and the steps still
//! needed, which are known exactly; a path that leads nowhere is never begun.
//!
//! Cost: the states up to the depth of the longest path that is wanted, all of them if there are too few; then for each
//! path its length times the number of transitions of a state. Memory is that of the states, uncompressed, and then that
//! of the runs; each counts by itself for the limit, as searches do.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet, VecDeque};
use std::rc::Rc;

use tourbillon_dbm::Dbm;
use tourbillon_search::{Budget, Exhausted};
use tourbillon_system::{RuntimeError, System};
use tourbillon_zonegraph::{Options, PredicateEvaluator, Satisfaction, Successor, SymbolicState, ZoneGraph};

use crate::path::{Goal, Witness};

/// Runs along different paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Several {
    /// The runs, those with fewer steps first.
    pub witnesses: Vec<Witness>,
    /// Whether there are others.
    pub others: Others,
}

/// Whether there are other runs than those that were found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Others {
    /// There are none: these are all.
    None,
    /// As many as were wanted were found, or as many paths without a run as are worth trying, and others were not looked for.
    NotLookedFor,
    /// Something ran out before it was known.
    Exhausted(Exhausted),
    /// The model fails at run time somewhere.
    Failed,
    /// A clock grew past what a zone can hold.
    Overflowed,
    /// Of this kind of question only one run is ever told; for values, one for each.
    OnlyOne,
}

impl Several {
    /// What is told where several runs were asked for and only one is looked for, if any was found.
    pub(crate) fn only(witness: Option<&Witness>) -> Option<Self> {
        witness.map(|witness| Self { witnesses: vec![witness.clone()], others: Others::OnlyOne })
    }
}

/// How many paths without a run are tried. Only an over-approximation has any, and it may have no end of them.
const IN_VAIN_MAX: usize = 1_000;

/// Finds up to so many runs to a goal, in a zone graph with these options. `realise` makes a run of a path.
pub(crate) fn several(
    wanted: usize,
    system: &System,
    options: Options,
    goal: Goal<'_>,
    budget: &mut Budget<'_>,
    realise: &dyn Fn(&[u32]) -> Option<Witness>,
) -> Several {
    let mut map = Map::new(system, goal);
    let mut graph = ZoneGraph::new(system, options);
    let mut cut_short = map.begin(&mut graph).err();
    while !map.frontier.is_empty() && cut_short.is_none() && map.arrivals < wanted {
        cut_short = map.explore_layer(&mut graph, budget);
    }
    loop {
        // Beyond the last whole layer, paths are missing.
        let length_max = if map.frontier.is_empty() && cut_short.is_none() { usize::MAX } else { map.depth };
        let (witnesses, ended) = Paths::new(&map, length_max).realised(wanted, budget, realise);
        let enough = witnesses.len() >= wanted;
        if let Some(others) = ended.or(enough.then_some(Others::NotLookedFor)).or(cut_short) {
            return Several { witnesses, others };
        }
        if map.frontier.is_empty() {
            return Several { witnesses, others: Others::None };
        }
        // Two transitions may have been one path, over different pieces of a zone.
        cut_short = map.explore_layer(&mut graph, budget);
    }
}

fn failed(_: RuntimeError) -> Others {
    Others::Failed
}

/// Locations and data, and the clocks.
type State = Rc<(Box<[i32]>, Dbm)>;

/// What is known of a state.
struct Place {
    meets: bool,
    /// The transitions that were found, each with where it leads.
    steps: Vec<(u32, u32)>,
}

/// States and transitions, layer by layer.
struct Map<'s> {
    evaluator: PredicateEvaluator<'s>,
    goal: Goal<'s>,
    fields: usize,
    places: Vec<Place>,
    /// The states themselves; those of the frontier are looked up by their number.
    numbers: HashMap<State, u32>,
    initial: Vec<u32>,
    /// States that are not expanded yet, all of one layer.
    frontier: Vec<(u32, State)>,
    /// All paths of so many steps are known.
    depth: usize,
    /// How many transitions lead to states that meet the goal.
    arrivals: usize,
    bytes: u64,
}

impl<'s> Map<'s> {
    fn new(system: &'s System, goal: Goal<'s>) -> Self {
        Self {
            evaluator: PredicateEvaluator::new(system),
            goal,
            fields: system.layout.fields(),
            places: Vec::new(),
            numbers: HashMap::new(),
            initial: Vec::new(),
            frontier: Vec::new(),
            depth: 0,
            arrivals: 0,
            bytes: 0,
        }
    }

    fn begin(&mut self, graph: &mut ZoneGraph<'_>) -> Result<(), Others> {
        let mut outcome = Ok(());
        let began = graph.initial(&mut |successor| {
            let number = self.number(successor).map(|number| self.initial.push(number));
            outcome = outcome.and(number);
        });
        self.arrivals = self.initial.iter().filter(|&&number| self.places[number as usize].meets).count();
        began.map_err(failed).and(outcome)
    }

    /// Expands the frontier. Returns why that was not finished, if it was not.
    fn explore_layer(&mut self, graph: &mut ZoneGraph<'_>, budget: &mut Budget<'_>) -> Option<Others> {
        let mut state = SymbolicState::new(graph.system());
        for (number, known) in std::mem::take(&mut self.frontier) {
            let holdings = (self.places.len() as u64, self.bytes);
            if let Some(exhausted) = budget.check(|| holdings).0 {
                return Some(Others::Exhausted(exhausted));
            }
            if self.places[number as usize].meets {
                continue;
            }
            state.memory[..self.fields].copy_from_slice(&known.0);
            state.zone.copy_from(&known.1);
            let mut outcome = Ok(());
            let expanded = graph.expand(&mut state, &mut |successor| {
                outcome = outcome.and_then(|()| self.add(number, successor));
            });
            if let Err(others) = expanded.map_err(failed).and(outcome) {
                return Some(others);
            }
        }
        self.depth += 1;
        None
    }

    fn add(&mut self, source: u32, successor: &Successor<'_>) -> Result<(), Others> {
        let target = self.number(successor)?;
        self.places[source as usize].steps.push((successor.ordinal, target));
        self.arrivals += usize::from(self.places[target as usize].meets);
        self.bytes += size_of::<(u32, u32)>() as u64;
        Ok(())
    }

    /// The number of a state; a new one joins the next layer.
    fn number(&mut self, successor: &Successor<'_>) -> Result<u32, Others> {
        if successor.zone.overflowed() {
            return Err(Others::Overflowed);
        }
        let state: State = Rc::new((Box::from(&successor.memory[..self.fields]), successor.zone.clone()));
        if let Some(&number) = self.numbers.get(&state) {
            return Ok(number);
        }
        let number = self.places.len() as u32;
        let satisfaction =
            self.evaluator.meet(self.goal.predicate, successor.memory, successor.zone).map_err(failed)?;
        self.places.push(Place { meets: satisfaction != Satisfaction::Nowhere, steps: Vec::new() });
        let size = successor.zone.dimension().size();
        self.bytes += (size_of_val(&*state) + size_of::<Place>() + 4 * (self.fields + size * size)) as u64;
        self.frontier.push((number, Rc::clone(&state)));
        self.numbers.insert(state, number);
        Ok(number)
    }

    /// How many steps each state is from the goal, if any lead there.
    fn distances(&self) -> Vec<Option<usize>> {
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); self.places.len()];
        for (source, place) in (0..).zip(&self.places) {
            place.steps.iter().for_each(|&(_, target)| sources[target as usize].push(source));
        }
        let mut distances: Vec<Option<usize>> =
            self.places.iter().map(|place| place.meets.then_some(0)).collect();
        let mut waiting: VecDeque<usize> =
            (0..self.places.len()).filter(|&number| self.places[number].meets).collect();
        while let Some(number) = waiting.pop_front() {
            let further = distances[number].map(|distance| distance + 1);
            for &source in &sources[number] {
                if distances[source as usize].is_none() {
                    distances[source as usize] = further;
                    waiting.push_back(source as usize);
                }
            }
        }
        distances
    }
}

/// The beginning of a path.
#[derive(Clone, Copy)]
struct Beginning {
    /// How many steps were taken, and how many the path will have.
    taken: usize,
    length: usize,
    /// Where it is.
    number: u32,
    /// The beginning that it goes on from, and by which step.
    last: Option<(usize, u32)>,
}

/// The paths of a map to the goal, shortest first.
struct Paths<'m, 's> {
    map: &'m Map<'s>,
    distances: Vec<Option<usize>>,
    length_max: usize,
    beginnings: Vec<Beginning>,
    /// Those to go on from, by length and then in their order.
    waiting: BinaryHeap<Reverse<(usize, usize)>>,
}

impl<'m, 's> Paths<'m, 's> {
    fn new(map: &'m Map<'s>, length_max: usize) -> Self {
        let (distances, waiting) = (map.distances(), BinaryHeap::new());
        let mut paths = Self { map, distances, length_max, beginnings: Vec::new(), waiting };
        map.initial.iter().for_each(|&number| paths.push(0, number, None));
        paths
    }

    fn push(&mut self, taken: usize, number: u32, last: Option<(usize, u32)>) {
        let Some(distance) = self.distances[number as usize] else { return };
        let length = taken + distance;
        if length <= self.length_max {
            self.waiting.push(Reverse((length, self.beginnings.len())));
            self.beginnings.push(Beginning { taken, length, number, last });
        }
    }

    /// Goes on from the first beginning; gives it if it has come to the goal.
    fn advance(&mut self) -> Option<Option<Vec<u32>>> {
        let Reverse((_, index)) = self.waiting.pop()?;
        let Beginning { taken, length, number, .. } = self.beginnings[index];
        if taken == length {
            return Some(Some(self.ordinals(index)));
        }
        let map = self.map;
        for &(step, target) in &map.places[number as usize].steps {
            self.push(taken + 1, target, Some((index, step)));
        }
        Some(None)
    }

    fn ordinals(&self, index: usize) -> Vec<u32> {
        let mut path = Vec::new();
        let mut last = self.beginnings[index].last;
        while let Some((before, step)) = last {
            path.push(step);
            last = self.beginnings[before].last;
        }
        path.reverse();
        path
    }

    /// About what the beginnings of paths take.
    fn bytes(&self) -> u64 {
        (self.beginnings.len() * (size_of::<Beginning>() + size_of::<Reverse<(usize, usize)>>())) as u64
    }

    /// Makes runs of up to so many paths; and why there are no more, if something ran out.
    fn realised(
        mut self,
        wanted: usize,
        budget: &mut Budget<'_>,
        realise: &dyn Fn(&[u32]) -> Option<Witness>,
    ) -> (Vec<Witness>, Option<Others>) {
        let (mut witnesses, mut known) = (Vec::new(), HashSet::new());
        let (mut bytes, mut in_vain) = (0, 0);
        while witnesses.len() < wanted {
            // States are not stored any more, and one path is tried in any case.
            let holdings = || (0, bytes + self.bytes());
            if let Some(exhausted) = budget.check(holdings).0.filter(|_| !known.is_empty()) {
                return (witnesses, Some(Others::Exhausted(exhausted)));
            }
            let Some(path) = self.advance() else { break };
            let Some(path) = path.filter(|path| !goes_on(&known, path)) else { continue };
            let witness = realise(&path);
            in_vain += usize::from(witness.is_none());
            if in_vain > IN_VAIN_MAX {
                return (witnesses, Some(Others::NotLookedFor));
            }
            bytes += size_of_val(&path[..]) as u64 + witness.as_ref().map_or(0, bytes_of);
            witnesses.extend(witness);
            known.insert(path);
        }
        (witnesses, None)
    }
}

/// About what a run takes.
fn bytes_of(witness: &Witness) -> u64 {
    let last = &witness.last;
    let state =
        size_of_val(&last.locations[..]) + size_of_val(&last.cells[..]) + size_of_val(&last.clocks[..]);
    let actions: usize =
        witness.run.steps.iter().map(|step| size_of_val(step) + size_of_val(&step.action[..])).sum();
    (size_of_val(witness) + state + actions) as u64
}

/// Whether a path is known, or goes on from the end of a known one: over another piece of a zone.
fn goes_on(known: &HashSet<Vec<u32>>, path: &[u32]) -> bool {
    (0..=path.len()).any(|length| known.contains(&path[..length]))
}
