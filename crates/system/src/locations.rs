//! The location graph of each process: locations and edges, without guards, data and the other processes.
//!
//! An order of the locations in which most edges lead forward guides the search order `[HerbreteauTran2015, section
//! 4.1]`. A depth-first search from the initial location, which follows edges in the order of the model and ignores
//! back edges, leaves an acyclic graph; the reverse postorder of the locations is a topological order of it.
//!
//! The joint order of section 4.2 compares states componentwise, and most states are incomparable. The sum of the
//! positions extends it: if every process of one state is at least as far as in another, so is the sum. It is a number,
//! and cheap to compute. An order costs the size of the graph, once.
//!
//! Locations that reach each other are a *stage*. A process never returns to a stage that it has left, so of two states
//! the one with fewer stages behind it is not reachable from the other. The stages are the strongly connected
//! components, found in topological order by a second search against the edges, in the reverse postorder of the first
//! `[Sharir1981]`.

use tourbillon_base::{Id, IdVec, Random};
use tourbillon_model::ProcessId;

use crate::tables::{Edge, GlobalLocationId, System};

/// A position for every location, within its process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Positions(IdVec<GlobalLocationId, u32>);

impl Positions {
    /// A topological order of each process, ignoring back edges.
    #[must_use]
    pub fn topological(system: &System) -> Self {
        Self::of_processes(system, |process| LocationSearch::new(system, process).order())
    }

    /// The same, but 0 for every location of a process that can change data without changing its location: its
    /// locations do not show its progress.
    #[must_use]
    pub fn where_locations_tell(system: &System) -> Self {
        let mut positions = Self::topological(system);
        let stays = |edge: &Edge| edge.source == edge.target && edge.update.is_some();
        for process in (0..system.first_place.len()).map(ProcessId::from_index) {
            if system.edges_of(process).any(stays) {
                for location in 0..system.locations(process) {
                    positions.0[system.place(process, location)] = 0;
                }
            }
        }
        positions
    }

    /// For each location, the maximum number of stages that its process can have left before. It never decreases along
    /// an edge, and stays the same only within a stage.
    #[must_use]
    pub fn stages(system: &System) -> Self {
        let mut positions: IdVec<GlobalLocationId, u32> = system.places.iter().map(|_| 0).collect();
        for process in (0..system.first_place.len()).map(ProcessId::from_index) {
            for (location, stage) in LocationSearch::new(system, process).stages().into_iter().enumerate() {
                positions[system.place(process, location)] = stage;
            }
        }
        Self(positions)
    }

    /// Random orders from a seed.
    #[must_use]
    pub fn random(system: &System, seed: u64) -> Self {
        let mut random = Random::from_seed(seed);
        Self::of_processes(system, |process| {
            let mut order: Vec<usize> = (0..system.locations(process)).collect();
            random.shuffle(&mut order);
            order
        })
    }

    /// These orders: for each process its locations, from first to last. A missing location counts as the first;
    /// indices that are not locations are ignored.
    #[must_use]
    pub fn given(system: &System, orders: &[Vec<usize>]) -> Self {
        Self::of_processes(system, |process| orders.get(process.index()).cloned().unwrap_or_default())
    }

    fn of_processes(system: &System, mut order: impl FnMut(ProcessId) -> Vec<usize>) -> Self {
        let mut positions: IdVec<GlobalLocationId, u32> = system.places.iter().map(|_| 0).collect();
        for process in (0..system.first_place.len()).map(ProcessId::from_index) {
            let locations = system.locations(process);
            for (position, location) in (0..).zip(order(process)).filter(|&(_, it)| it < locations) {
                positions[system.place(process, location)] = position;
            }
        }
        Self(positions)
    }

    /// The position of a location of a process.
    ///
    /// # Panics
    /// If there is no such location.
    #[must_use]
    pub fn of(&self, system: &System, process: ProcessId, location: usize) -> u32 {
        self.0[system.place(process, location)]
    }

    /// The sum of the positions of a state.
    #[must_use]
    #[inline]
    pub fn sum(&self, system: &System, memory: &[i32]) -> u32 {
        system.current(memory).map(|place| self.0[place]).sum()
    }

    /// The sums by two orders.
    #[must_use]
    #[inline]
    pub fn sums(both: [&Self; 2], system: &System, memory: &[i32]) -> [u32; 2] {
        system
            .current(memory)
            .fold([0, 0], |[first, second], place| [first + both[0].0[place], second + both[1].0[place]])
    }
}

impl System {
    /// How many locations a process has.
    #[must_use]
    pub fn locations(&self, process: ProcessId) -> usize {
        let next = ProcessId::from_index(process.index() + 1);
        let end = self.first_place.get(next).map_or(self.places.len(), |&first| first as usize);
        end - self.first_place[process] as usize
    }

    /// The edges of a process, by location: edges are grouped by process.
    fn edges_of(&self, process: ProcessId) -> impl Iterator<Item = &Edge> {
        let edges = self.edges.iter().as_slice();
        let start = edges.partition_point(|edge| edge.process < process);
        edges[start..].iter().take_while(move |edge| edge.process == process)
    }

    fn place(&self, process: ProcessId, location: usize) -> GlobalLocationId {
        GlobalLocationId::from_index(self.first_place[process] as usize + location)
    }
}

/// A depth-first search of one process.
struct LocationSearch {
    /// For each location, the targets of its edges, in the order of the model.
    targets: Vec<Vec<usize>>,
    initial: usize,
}

impl LocationSearch {
    fn new(system: &System, process: ProcessId) -> Self {
        let mut edges: Vec<&Edge> = system.edges_of(process).collect();
        edges.sort_by_key(|edge| edge.index);
        let mut targets = vec![Vec::new(); system.locations(process)];
        edges.iter().for_each(|edge| targets[edge.source as usize].push(edge.target as usize));
        Self { targets, initial: system.initial[process.index()] as usize }
    }

    /// The locations in topological order; unreachable ones come last.
    fn order(&self) -> Vec<usize> {
        let mut left = Vec::new();
        let mut seen = vec![false; self.targets.len()];
        for start in std::iter::once(self.initial).chain(0..self.targets.len()) {
            let before = left.len();
            self.descend(start, &mut seen, &mut left);
            // Each search is placed before the earlier ones, and its postorder is reversed.
            left[before..].reverse();
        }
        left
    }

    /// For each location, the maximum number of stages behind it.
    fn stages(&self) -> Vec<u32> {
        let mut back = Self { targets: vec![Vec::new(); self.targets.len()], initial: self.initial };
        for (source, targets) in self.targets.iter().enumerate() {
            targets.iter().for_each(|&target| back.targets[target].push(source));
        }
        let mut stages = vec![0; self.targets.len()];
        let mut left = Vec::new();
        let mut seen = vec![false; self.targets.len()];
        (0..self.targets.len()).for_each(|start| self.descend(start, &mut seen, &mut left));
        seen.fill(false);
        let mut stage = Vec::new();
        for &location in left.iter().rev() {
            stage.clear();
            back.descend(location, &mut seen, &mut stage);
            // All predecessors outside are in stages that were found before.
            let number = stage.iter().map(|&member| stages[member]).max().unwrap_or(0);
            stage.iter().for_each(|&member| stages[member] = number);
            for &target in stage.iter().flat_map(|&member| &self.targets[member]).filter(|&&it| !seen[it]) {
                stages[target] = stages[target].max(number + 1);
            }
        }
        stages
    }

    /// Visits the locations reachable from one for the first time, and records them in postorder.
    fn descend(&self, start: usize, seen: &mut [bool], left: &mut Vec<usize>) {
        if std::mem::replace(&mut seen[start], true) {
            return;
        }
        let mut path = vec![(start, 0)];
        while let Some((location, taken)) = path.last_mut() {
            match self.targets[*location].get(*taken) {
                None => {
                    left.push(*location);
                    path.pop();
                }
                Some(&target) => {
                    *taken += 1;
                    if !std::mem::replace(&mut seen[target], true) {
                        path.push((target, 0));
                    }
                }
            }
        }
    }
}
