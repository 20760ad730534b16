//! A zone as a diagram with a single path to true.
//!
//! What an operation needs of a zone is the list of its stretches from the top to the bottom, not nodes. Nodes of a part
//! of the string, from some level down to true, are made when a diagram first needs them, which is where it has none of
//! its own: from the bottom up, and each once. `backtrace` (`[ThomsenKristensen2002]`, section 4.4.4) looks for as many of
//! them as there are already before anything is made; since the table of all nodes would find the same ones later, it
//! saves nothing here but tells how much a zone shares with what was there before.

use tourbillon_dbm::Dbm;

use crate::diagrams::Diagrams;
use crate::forms::NodeForm;
use crate::node::{END, Edge, Handle, START, push_edge};
use crate::order::{Levels, Matrix, ValueInterval};
use crate::settings::Constraints;

/// What a zone says at one level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) level: u16,
    pub(crate) stretch: ValueInterval,
}

/// The links of a zone, from the top, and the nodes that were made for the lower ones.
#[derive(Debug, Default)]
pub(crate) struct ZoneString {
    links: Vec<Link>,
    /// The diagrams of the last links, of the last one first, after that of none.
    tails: Vec<Handle>,
}

impl ZoneString {
    pub(crate) fn read(
        &mut self,
        levels: &Levels,
        zone: &Dbm,
        matrix: &mut Matrix,
        constraints: Constraints,
    ) {
        self.links.clear();
        if constraints == Constraints::Minimal {
            let stretches = zone.minimal_constraints().into_iter().filter_map(|c| levels.of_constraint(c));
            self.links.extend(stretches.map(|(level, stretch)| Link { level, stretch }));
            self.join_pairs();
        } else {
            matrix.read(zone);
            let stretch = |level| match constraints {
                Constraints::BeyondBox => levels.stretch_beyond_box(matrix, level),
                _ => levels.stretch(matrix, level),
            };
            let all = (0..levels.len() as u16).map(|level| Link { level, stretch: stretch(level) });
            self.links.extend(all.filter(|link| link.stretch != ValueInterval::ALL));
        }
        self.tails.clear();
        self.tails.push(Handle::TRUE);
    }

    /// Takes links as they are; with them, what the last of them and all below it make, if that is known.
    pub(crate) fn set(&mut self, links: &[Link], tail: Option<Handle>) {
        self.links.clear();
        self.links.extend_from_slice(links);
        self.tails.clear();
        self.tails.push(Handle::TRUE);
        self.tails.extend(tail);
    }

    /// Puts links in order, and what bounds one level from above and from below into one link.
    fn join_pairs(&mut self) {
        self.links.sort_unstable_by_key(|link| link.level);
        self.links.dedup_by(|next, kept| {
            let same = next.level == kept.level;
            if same {
                kept.stretch.above = kept.stretch.above.max(next.stretch.above);
                kept.stretch.up_to = kept.stretch.up_to.min(next.stretch.up_to);
            }
            same
        });
    }

    /// The link at a place, if there are so many.
    #[inline]
    pub(crate) fn link(&self, at: usize) -> Option<Link> {
        self.links.get(at).copied()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.links.capacity() * size_of::<Link>() + self.tails.capacity() * size_of::<Handle>()
    }
}

/// Appends the edges of a node that goes `inside` within a stretch and `outside` elsewhere.
pub(crate) fn push_stretch(edges: &mut Vec<Edge>, stretch: ValueInterval, inside: Handle, outside: Handle) {
    let base = edges.len();
    if stretch.above != START {
        push_edge(edges, base, stretch.above, outside);
    }
    push_edge(edges, base, stretch.up_to, inside);
    if stretch.up_to != END {
        push_edge(edges, base, END, outside);
    }
}

impl<F: NodeForm> Diagrams<F> {
    /// The diagram of a zone.
    ///
    /// # Panics
    /// If the zone has another dimension.
    pub fn zone(&mut self, zone: &Dbm) -> Handle {
        self.read_zone(zone);
        self.string_from(0)
    }

    /// Takes a zone to work with.
    pub(crate) fn read_zone(&mut self, zone: &Dbm) {
        self.assert_dimension(zone);
        self.string.read(&self.levels, zone, &mut self.matrix, self.settings.constraints);
        if self.settings.backtrace {
            self.backtrace();
        }
    }

    /// The diagram of the zone's links from a place on.
    pub(crate) fn string_from(&mut self, at: usize) -> Handle {
        let wanted = self.string.links.len() - at;
        while self.string.tails.len() <= wanted {
            let (level, base) = self.push_next_link();
            let tail = self.nodes.make(level, &self.edges[base..]);
            self.edges.truncate(base);
            self.string.tails.push(tail);
        }
        self.string.tails[wanted]
    }

    /// Looks for the nodes of as many of the last links as there are.
    fn backtrace(&mut self) {
        while self.string.tails.len() <= self.string.links.len() {
            let (level, base) = self.push_next_link();
            let found = self.nodes.find(level, &self.edges[base..]);
            self.edges.truncate(base);
            let Some(tail) = found else { return };
            self.string.tails.push(tail);
            self.counts.backtraced += 1;
        }
    }

    /// Appends the edges of the lowest link that has no node yet; its level, and where they begin.
    fn push_next_link(&mut self) -> (u16, usize) {
        let (links, tails) = (&self.string.links, &self.string.tails);
        let (link, base) = (links[links.len() - tails.len()], self.edges.len());
        push_stretch(&mut self.edges, link.stretch, tails[tails.len() - 1], Handle::FALSE);
        (link.level, base)
    }
}
