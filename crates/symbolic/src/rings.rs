//! Onion rings: the states first reached in each iteration, for traces.
//!
//! The layered search (`trace.rs`) finds short runs, but if the shortest one has tens of thousands of steps there are
//! as many layers, each with most zones. Then the search is repeated as it was, and all new states are recorded, with
//! the zone, states and action that they came from. The path is built backwards along these records: a state was new in
//! a record, a predecessor was expanded for that record, and was itself new in an earlier one.

use tourbillon_dd::Bdd;
use tourbillon_zonegraph::ZoneGraph;

use crate::interruption::Interruptible;
use crate::search::{Search, ZoneStates};
use crate::trace::{NoPath, Path};

/// New states of a zone, and their origin: an expansion and an action, or none for initial states.
#[derive(Debug)]
struct Ring {
    from: Option<(u32, u32)>,
    states: Bdd,
}

/// All expansions, and all new states of each zone, in order.
#[derive(Default, Debug)]
pub(crate) struct Rings {
    draws: Vec<ZoneStates>,
    rings: Vec<Vec<Ring>>,
    action: u32,
}

impl Rings {
    /// Records an expansion.
    pub(crate) fn draw(&mut self, id: u32, states: &Bdd) {
        self.draws.push((id, states.clone()));
    }

    /// Records the action of the following states.
    pub(crate) fn by(&mut self, action: usize) {
        self.action = action as u32;
    }

    /// Records new states of a zone.
    pub(crate) fn note(&mut self, id: u32, states: &Bdd) {
        while self.rings.len() <= id as usize {
            self.rings.push(Vec::new());
        }
        let from = self.draws.len().checked_sub(1).map(|draw| (draw as u32, self.action));
        self.rings[id as usize].push(Ring { from, states: states.clone() });
    }

    /// The record of a state that was expanded with a zone. It is later than the previous expansion of the zone, so few
    /// records are searched; all are, if the state was not expanded.
    fn origin(&self, id: u32, only: &Bdd, drawn: Option<u32>) -> Interruptible<Option<Option<(u32, u32)>>> {
        let rings = &self.rings[id as usize];
        let earlier = |ring: &Ring| drawn.is_none_or(|drawn| ring.from.is_none_or(|(draw, _)| draw < drawn));
        let end = rings.partition_point(earlier);
        for ring in rings[..end].iter().rev() {
            if !ring.states.and(only)?.is_no() {
                return Ok(Some(ring.from));
            }
        }
        Ok(None)
    }
}

impl Search<'_> {
    /// The path to one of these states, in a search with records.
    pub(crate) fn path_by_rings(
        &mut self,
        graph: &mut ZoneGraph<'_>,
        (id, states): &ZoneStates,
    ) -> Result<Path, NoPath> {
        let (bdds, fields) = (self.setting.bdds, self.setting.fields);
        let rings = self.rings.take().ok_or(NoPath::Lost("no rings were recorded"))?;
        let mut memory = graph.system().initial.clone();
        fields.pick(states, &mut memory);
        let mut path = vec![(*id, memory.clone())];
        let (mut at, mut last) = (*id, None);
        loop {
            let only = fields.only(bdds, &memory)?;
            let Some(origin) = rings.origin(at, &only, last)? else {
                return Err(NoPath::Lost("a state has no ring"));
            };
            let Some((draw, action)) = origin else { break };
            let (before, drawn) = &rings.draws[draw as usize];
            let sources = self.encoding.actions[action as usize].preimage(bdds, &only)?.and(drawn)?;
            if !fields.pick(&sources, &mut memory) {
                return Err(NoPath::Lost("a state has no predecessor"));
            }
            (at, last) = (*before, Some(draw));
            path.push((at, memory.clone()));
            bdds.collect();
        }
        path.reverse();
        self.transitions(graph, path)
    }
}
