//! From a reached set of states to one run.
//!
//! The map has the reached states, but not their predecessors. As in section 4 of `[EhlersGerkePeter2010]`, the search
//! is repeated within the reached states, one step at a time: layer by layer, each with the pairs of a zone and states
//! that are first reached after this number of steps. One state of the last layer is chosen, and then, layer by layer
//! backwards, one of its predecessors. The result is a path of single states with their zones; the explicit zone graph
//! determines the transition of each step.

use std::collections::BTreeMap;

use tourbillon_dbm::Dbm;
use tourbillon_dd::Bdd;
use tourbillon_search::Budget;
use tourbillon_zonegraph::{SymbolicState, ZoneGraph};

use crate::interruption::{Interruptible, Interruption};
use crate::search::{Search, ZoneStates};

/// Why there is no path.
#[derive(Debug)]
pub(crate) enum NoPath {
    /// The time limit was reached.
    Exhausted,
    /// The diagram store is full.
    Full,
    /// It is too long for this method.
    Long,
    /// Internal error: there should be one.
    Lost(&'static str),
}

impl From<Interruption> for NoPath {
    fn from(interruption: Interruption) -> Self {
        match interruption {
            Interruption::Full => Self::Full,
            Interruption::Over => Self::Exhausted,
            Interruption::Refused(_) => Self::Lost("what was encoded once is refused"),
        }
    }
}

impl From<tourbillon_dd::BddError> for NoPath {
    fn from(unmade: tourbillon_dd::BddError) -> Self {
        Interruption::from(unmade).into()
    }
}

/// A path: the transitions, and their target states.
#[derive(Debug)]
pub(crate) struct Path {
    pub(crate) ordinals: Vec<u32>,
    pub(crate) end: SymbolicState,
}

impl Search<'_> {
    /// A path to one of the states that `target` selects, given the index of their zone; `NoPath::Long` if it takes
    /// more than this number of steps.
    pub(crate) fn path(
        &mut self,
        graph: &mut ZoneGraph<'_>,
        initial: &[i32],
        (budget, steps): (&Budget<'_>, u64),
        target: &dyn Fn(&mut Self, u32, &Bdd) -> Interruptible<Bdd>,
    ) -> Result<Path, NoPath> {
        let mut layers = Vec::new();
        let last = self.steps + steps;
        let mut seen: BTreeMap<u32, Bdd> = BTreeMap::new();
        let start = self.setting.fields.only(self.setting.bdds, initial)?;
        let zone = self.start.clone();
        let mut arrived = BTreeMap::new();
        self.join_layer(&mut seen, &mut arrived, &zone, &[], &start)?;
        loop {
            if arrived.is_empty() {
                return Err(NoPath::Lost("no layer has the found states"));
            }
            let mut layer: Vec<ZoneStates> = std::mem::take(&mut arrived).into_iter().collect();
            for (id, states) in &layer {
                let met = target(self, *id, states)?;
                if !met.is_no() {
                    return self.walk_back(graph, &layers, (*id, met));
                }
            }
            for (id, states) in &mut layer {
                if budget.is_over() {
                    return Err(NoPath::Exhausted);
                }
                if self.steps > last {
                    return Err(NoPath::Long);
                }
                // The failing state was reached, but not expanded.
                *states = states.but(&self.failing(*id, states)?)?;
                for action in 0..self.encoding.actions.len() {
                    let Some((zone, image)) = self.post(*id, action, states)? else { continue };
                    let writes = self.encoding.actions[action].clocks.writes.clone();
                    self.join_layer(&mut seen, &mut arrived, &zone, &writes, &image)?;
                }
                self.setting.bdds.collect();
            }
            layers.push(layer);
        }
    }

    /// Adds the successors of a zone and states that were reached in the search and are not in earlier layers.
    fn join_layer(
        &mut self,
        seen: &mut BTreeMap<u32, Bdd>,
        layer: &mut BTreeMap<u32, Bdd>,
        zone: &Dbm,
        writes: &[tourbillon_zonegraph::Write],
        states: &Bdd,
    ) -> Interruptible {
        let bdds = self.setting.bdds;
        for (_, zone, states) in self.arrivals(zone, writes, states)? {
            let Some(id) = self.map.find(&zone) else { continue };
            let known = seen.entry(id).or_insert_with(|| bdds.no());
            let new = states.and(&self.map.entry(id).reached)?.but(known)?;
            if new.is_no() {
                continue;
            }
            *known = known.or(&new)?;
            let here = layer.entry(id).or_insert_with(|| bdds.no());
            *here = here.or(&new)?;
        }
        Ok(())
    }

    /// One path through the layers to one of these states.
    fn walk_back(
        &mut self,
        graph: &mut ZoneGraph<'_>,
        layers: &[Vec<ZoneStates>],
        (id, states): ZoneStates,
    ) -> Result<Path, NoPath> {
        let mut memory = graph.system().initial.clone();
        self.setting.fields.pick(&states, &mut memory);
        let mut path = vec![(id, memory)];
        for layer in layers.iter().rev() {
            let (id, memory) = path.last().expect("it has an end").clone();
            path.push(self.before(layer, id, &memory)?.ok_or(NoPath::Lost("a state has none before it"))?);
        }
        path.reverse();
        self.transitions(graph, path)
    }

    /// The transitions along states with their zones.
    pub(crate) fn transitions(
        &mut self,
        graph: &mut ZoneGraph<'_>,
        mut path: Vec<(u32, Vec<i32>)>,
    ) -> Result<Path, NoPath> {
        let mut ordinals = Vec::new();
        for pair in path.windows(2) {
            let ordinal = self.ordinal(graph, &pair[0], &pair[1])?;
            ordinals.push(ordinal.ok_or(NoPath::Lost("a step is no transition of the zone graph"))?);
        }
        let (id, memory) = path.pop().expect("it has an end");
        Ok(Path { ordinals, end: SymbolicState { memory, zone: self.map.entry(id).zone.clone() } })
    }

    /// A state of a layer that leads to this one, with its zone.
    fn before(
        &mut self,
        layer: &[ZoneStates],
        id: u32,
        memory: &[i32],
    ) -> Interruptible<Option<(u32, Vec<i32>)>> {
        let (bdds, fields) = (self.setting.bdds, self.setting.fields);
        let only = fields.only(bdds, memory)?;
        for (before, states) in layer {
            for action in 0..self.encoding.actions.len() {
                let sources = self.encoding.actions[action].preimage(bdds, &only)?.and(states)?;
                if sources.is_no() {
                    continue;
                }
                let Some((zone, _)) = self.post(*before, action, &sources)? else { continue };
                let writes = self.encoding.actions[action].clocks.writes.clone();
                let arrivals = self.arrivals(&zone, &writes, &only)?;
                if arrivals.iter().any(|(_, zone, _)| *zone == self.map.entry(id).zone) {
                    let mut source = memory.to_vec();
                    fields.pick(&sources, &mut source);
                    return Ok(Some((*before, source)));
                }
            }
        }
        Ok(None)
    }

    /// The index of the transition from one state and zone to the other.
    fn ordinal(
        &mut self,
        graph: &mut ZoneGraph<'_>,
        (from, memory): &(u32, Vec<i32>),
        (to, target): &(u32, Vec<i32>),
    ) -> Interruptible<Option<u32>> {
        let fields = graph.system().layout.fields();
        let only = self.setting.fields.only(self.setting.bdds, target)?;
        let mut state = SymbolicState { memory: memory.clone(), zone: self.map.entry(*from).zone.clone() };
        if graph.prepare(&mut state).is_err() {
            return Ok(None);
        }
        while let Ok(Some(place)) = graph.next(&state) {
            let mut arrived = Vec::new();
            // A transition that fails was not taken.
            let _ = graph.follow(&state, place, &mut |successor| {
                if successor.memory[..fields] == target[..fields] {
                    arrived.push(successor.zone.clone());
                }
            });
            for mut zone in arrived {
                // Zones of the zone graph may exceed the invariants of their states; ours do not.
                self.encoding.classes.confine(&only, &mut zone)?;
                if zone == self.map.entry(*to).zone {
                    return Ok(Some(graph.transitions().ordinal(place)));
                }
            }
        }
        Ok(None)
    }
}
