//! Onion rings: the states first reached in each iteration, for shortest traces.
//!
//! Going layer by layer (`trace.rs`) finds short runs, but where the shortest has tens of thousands of steps there are as
//! many layers, each with most zones in it. Then the search is done once more as it was, and everything that is new is
//! noted, with the zone, states and action that it came from. The way back follows these notes: a state came with a note,
//! one of the states before it was drawn for that note, and it came with an earlier one.

use tourbillon_dd::Bdd;
use tourbillon_zonegraph::ZoneGraph;

use crate::interruption::Interruptible;
use crate::search::{Search, ZoneStates};
use crate::trace::{NoPath, Path};

/// States that were new to a zone, and what they came from: a draw and an action, or nothing before the first step.
#[derive(Debug)]
struct Ring {
    from: Option<(u32, u32)>,
    states: Bdd,
}

/// Everything that was drawn, and everything that was new, for each zone in its order.
#[derive(Default, Debug)]
pub(crate) struct Rings {
    draws: Vec<ZoneStates>,
    rings: Vec<Vec<Ring>>,
    action: u32,
}

impl Rings {
    /// Notes that states are drawn.
    pub(crate) fn draw(&mut self, id: u32, states: &Bdd) {
        self.draws.push((id, states.clone()));
    }

    /// Notes by which action the next ones come.
    pub(crate) fn by(&mut self, action: usize) {
        self.action = action as u32;
    }

    /// Notes states that are new to a zone.
    pub(crate) fn note(&mut self, id: u32, states: &Bdd) {
        while self.rings.len() <= id as usize {
            self.rings.push(Vec::new());
        }
        let from = self.draws.len().checked_sub(1).map(|draw| (draw as u32, self.action));
        self.rings[id as usize].push(Ring { from, states: states.clone() });
    }

    /// With what a state came to a zone that was drawn with it. That was since the zone was drawn before, so that few
    /// notes are examined; the last of all if it was not drawn.
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
    /// The path by which one of these states was found, of a search that has kept notes.
    pub(crate) fn path_by_rings(
        &mut self,
        graph: &mut ZoneGraph<'_>,
        (id, states): &ZoneStates,
    ) -> Result<Path, NoPath> {
        let (bdds, fields) = (self.setting.bdds, self.setting.fields);
        let rings = self.rings.take().ok_or(NoPath::Lost("no notes were kept"))?;
        let mut memory = graph.system().initial.clone();
        fields.pick(states, &mut memory);
        let mut path = vec![(*id, memory.clone())];
        let (mut at, mut last) = (*id, None);
        loop {
            let only = fields.only(bdds, &memory)?;
            let Some(origin) = rings.origin(at, &only, last)? else {
                return Err(NoPath::Lost("a state came from nowhere"));
            };
            let Some((draw, action)) = origin else { break };
            let (before, drawn) = &rings.draws[draw as usize];
            let sources = self.encoding.actions[action as usize].preimage(bdds, &only)?.and(drawn)?;
            if !fields.pick(&sources, &mut memory) {
                return Err(NoPath::Lost("a step leads from nowhere"));
            }
            (at, last) = (*before, Some(draw));
            path.push((at, memory.clone()));
            bdds.collect();
        }
        path.reverse();
        self.transitions(graph, path)
    }
}
