//! Encodings of nodes: the three representations of `[ThomsenKristensen2002]`, section 4.5.2.
//!
//! | form | what it does | bytes of a node with `k` edges, `p` of them to other nodes than false |
//! |---|---|---|
//! | [`AllEdges`] | every edge and every cut, four bytes each | `8k` |
//! | [`WithoutFalse`] | leaves out edges to false | `4k + 4p` |
//! | [`Compact`] | leaves out edges to both constants; cuts and addresses in the fewest bytes | about `1.25k + 3p + 2` |
//!
//! A form says how many bytes an address counts in, writes a node into a buffer and reads it again, edge by edge. Equal
//! nodes have equal bytes, and no node's bytes begin another's, so nodes are compared and hashed as bytes, and the length
//! of a node need not be stored. What is read may be followed by anything, but there must be [`SLACK`] bytes of it.

mod all_edges;
mod compact;
mod without_false;

pub use all_edges::AllEdges;
pub use compact::Compact;
pub use without_false::WithoutFalse;

use crate::node::{Edge, Handle};

/// How many bytes there must be behind a node: as many as are read at once, wherever a number begins.
pub(crate) const SLACK: usize = 4;

/// How nodes are written down.
pub trait NodeForm: std::fmt::Debug + Sized + 'static {
    /// How many bytes an address counts in; every node begins at a multiple of it.
    const UNIT: usize;
    /// No address is larger.
    const ADDRESS_MAX: u32;
    /// The edges of a node that is read, in order.
    type Edges<'a>: Iterator<Item = Edge> + Clone;

    /// Appends a node of at least two edges, the last of which has no end, to a buffer.
    fn write(level: u16, edges: &[Edge], buffer: &mut Vec<u8>);

    /// The level of the node that begins these bytes.
    fn level(bytes: &[u8]) -> u16;

    /// How many bytes the node has that begins these.
    fn length(bytes: &[u8]) -> usize;

    /// The edges of the node that begins these bytes.
    fn edges(bytes: &[u8]) -> Self::Edges<'_>;

    /// Names the nodes that the node that begins these bytes leads to; constants may be among them.
    #[inline]
    fn for_each_child(bytes: &[u8], mut name: impl FnMut(Handle)) {
        Self::edges(bytes).for_each(|edge| name(edge.child));
    }

    /// The edges that have values beyond a cut, of the node that begins these bytes.
    #[inline]
    fn edges_above(bytes: &[u8], cut: i32) -> Self::Edges<'_> {
        let mut edges = Self::edges(bytes);
        loop {
            let here = edges.clone();
            if edges.next().is_none_or(|edge| edge.up_to > cut) {
                return here;
            }
        }
    }

    /// Whether an edge that has values above a cut and up to another leads to a constant, of the node that begins these bytes. If not, the
    /// nodes that such edges lead to were named.
    #[inline]
    fn leads_to(bytes: &[u8], above: i32, up_to: i32, goal: Handle, mut name: impl FnMut(Handle)) -> bool {
        for edge in Self::edges_above(bytes, above) {
            if edge.child == goal {
                return true;
            }
            if !edge.child.is_terminal() {
                name(edge.child);
            }
            if edge.up_to >= up_to {
                break;
            }
        }
        false
    }
}

/// Four bytes, wherever they begin.
#[inline]
pub(crate) fn word(bytes: &[u8], at: usize) -> u32 {
    let four: [u8; 4] = bytes[at..at + 4].try_into().unwrap_or_default();
    u32::from_le_bytes(four)
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Random;

    use super::*;
    use crate::node::{END, LEVELS_MAX, START};

    /// A random node, with numbers of all sizes.
    fn draw(random: &mut Random, address_max: u32) -> (u16, Vec<Edge>) {
        let count = 2 + if random.one_in(10) { random.below(300) } else { random.below(6) };
        let reach = [20, 130, 40_000, 10_000_000, 1 << 28][random.below(5)];
        let mut cuts: Vec<i32> = (1..count).map(|_| random.within(-reach..=reach)).collect();
        cuts.sort_unstable();
        cuts.dedup();
        cuts.push(END);
        let highest = [1, 100, 300, 70_000, 20_000_000, address_max][random.below(6)];
        let mut edges: Vec<Edge> = Vec::new();
        for up_to in cuts {
            let child = loop {
                let number = match random.below(4) {
                    0 => 0,
                    1 => 1,
                    2 => random.below(highest as usize + 1) as u32,
                    _ => highest - random.below(2) as u32,
                };
                if edges.last().is_none_or(|last| last.child.to_u32() != number) {
                    break Handle::from_u32(number);
                }
            };
            edges.push(Edge { up_to, child });
        }
        (random.below(LEVELS_MAX - 1) as u16, edges)
    }

    fn reads_what_it_wrote<F: NodeForm>() {
        let mut buffer = Vec::new();
        for seed in 0..3_000 {
            let (level, edges) = draw(&mut Random::from_seed(seed), F::ADDRESS_MAX);
            if edges.len() < 2 {
                continue;
            }
            buffer.clear();
            F::write(level, &edges, &mut buffer);
            let length = buffer.len();
            // Whatever comes next must not matter.
            buffer.extend_from_slice(&[0xa5; SLACK + 3]);
            assert_eq!(F::level(&buffer), level, "seed {seed}");
            assert_eq!(F::length(&buffer), length, "seed {seed}");
            assert_eq!(F::edges(&buffer).collect::<Vec<_>>(), edges, "seed {seed}");
            let inner = |handles: Vec<Handle>| {
                handles.into_iter().filter(|child| !child.is_terminal()).collect::<Vec<Handle>>()
            };
            let mut children = Vec::new();
            F::for_each_child(&buffer, |child| children.push(child));
            assert_eq!(inner(children), inner(edges.iter().map(|edge| edge.child).collect()), "seed {seed}");
            let ends = edges.iter().map(|edge| edge.up_to).filter(|&up_to| up_to != END);
            for cut in ends.flat_map(|cut| [cut - 1, cut]).chain([START]) {
                let above: Vec<Edge> = edges.iter().copied().filter(|edge| edge.up_to > cut).collect();
                assert_eq!(F::edges_above(&buffer, cut).collect::<Vec<_>>(), above, "seed {seed}, {cut}");
                for up_to in edges.iter().map(|edge| edge.up_to).filter(|&up_to| up_to > cut) {
                    let taken = above.iter().filter(|edge| edge.up_to <= up_to).map(|edge| edge.child);
                    for goal in [Handle::FALSE, Handle::TRUE] {
                        let mut named = Vec::new();
                        let leads = F::leads_to(&buffer, cut, up_to, goal, |child| named.push(child));
                        assert_eq!(
                            leads,
                            taken.clone().any(|child| child == goal),
                            "seed {seed}, {cut}, {up_to}"
                        );
                        assert!(
                            leads || named == inner(taken.clone().collect()),
                            "seed {seed}, {cut}, {up_to}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn every_form_reads_what_it_wrote() {
        reads_what_it_wrote::<AllEdges>();
        reads_what_it_wrote::<WithoutFalse>();
        reads_what_it_wrote::<Compact>();
    }

    fn size_of<F: NodeForm>(edges: &[Edge]) -> usize {
        let mut buffer = Vec::new();
        F::write(0, edges, &mut buffer);
        buffer.len()
    }

    /// The node of figure 4.19, which takes 32, 24 and 17 bytes there, without the link of its hash table.
    #[test]
    fn the_node_of_the_paper_has_its_sizes() {
        let edge = |up_to, child| Edge { up_to, child: Handle::from_u32(child) };
        let edges = [edge(-20, 0), edge(19, 700_000), edge(560, 0), edge(END, 800_000)];
        assert_eq!(size_of::<AllEdges>(&edges), 32);
        assert_eq!(size_of::<WithoutFalse>(&edges), 24);
        assert_eq!(size_of::<Compact>(&edges), 16);
    }
}
