//! Which explorations are measured, how large they are, and what is aimed at.
//!
//! The counts of each row are those of TChecker, but for train-gate 6 and the transitions of fischer 11: these were
//! counted here, and `tourbillon-bench peers --full` compares them with the peer's. Where the families know a row too, a
//! test holds the two together; the larger ones are known here only, and `tourbillon-bench oracles` checks them with
//! the rest.

use tourbillon::{Family, families};
use tourbillon_gen::{Algorithm, Bounds, Extrapolation, Known, Order};

/// A full exploration of a member of a family.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The family's name.
    pub(crate) family: &'static str,
    /// The member, how it is explored, and what that counts.
    pub(crate) known: Known,
    /// How long one waits for it.
    pub(crate) effort: Effort,
    /// How many times faster than the peer it should be; in no row should it be slower.
    pub(crate) faster: f64,
    /// What part of the peer's memory it should be content with, if that is said.
    pub(crate) memory: Option<f64>,
}

/// How long one waits for a row, peer included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Effort {
    /// A few seconds.
    Quick,
    /// Up to half a minute.
    Usual,
    /// Minutes.
    Long,
}

impl Row {
    const fn new(family: &'static str, n: u32, effort: Effort, counts: [u64; 3]) -> Self {
        let [stored, visited, transitions] = counts;
        let extrapolation = Extrapolation::LuPlus(Bounds::Local);
        let (algorithm, order) = (Algorithm::CovReach, Order::Bfs);
        let known = Known { n, algorithm, extrapolation, order, stored, visited, transitions };
        Self { family, known, effort, faster: 1.0, memory: None }
    }

    const fn reach(mut self) -> Self {
        self.known.algorithm = Algorithm::Reach;
        self
    }

    const fn alu(mut self) -> Self {
        self.known.algorithm = Algorithm::AluCovReach;
        self.known.extrapolation = Extrapolation::None;
        self
    }

    const fn dfs(mut self) -> Self {
        self.known.order = Order::Dfs;
        self
    }

    const fn faster(mut self, times: f64) -> Self {
        self.faster = times;
        self
    }

    const fn a_fifth(mut self) -> Self {
        self.memory = Some(0.2);
        self
    }

    /// The member, such as `fischer 10`.
    pub(crate) fn model(&self) -> String {
        format!("{} {}", self.family, self.known.n)
    }

    /// Whether it is explored by inclusion, breadth first, as every member is in some row.
    pub(crate) fn is_usual(&self) -> bool {
        self.known.algorithm == Algorithm::CovReach && self.known.order == Order::Bfs
    }

    /// The family that it is of.
    pub(crate) fn family(&self) -> &'static Family {
        let found = families().iter().find(|family| family.name() == self.family);
        found.expect("rows are of families that there are")
    }
}

/// The rows that are compared with the peer.
pub(crate) const ROWS: &[Row] = &[
    Row::new("fischer", 8, Effort::Quick, [25_080, 40_536, 132_592]),
    Row::new("fischer", 9, Effort::Usual, [81_035, 135_485, 487_458]),
    Row::new("fischer", 9, Effort::Long, [81_035, 398_685, 1_058_684]).dfs(),
    Row::new("fischer", 9, Effort::Long, [555_065, 555_065, 1_361_394]).reach(),
    Row::new("fischer", 10, Effort::Usual, [260_998, 447_598, 1_758_660]).faster(20.0).a_fifth(),
    Row::new("fischer", 11, Effort::Long, [837_949, 1_464_971, 6_245_074]),
    Row::new("csmacd", 9, Effort::Quick, [55_554, 55_554, 127_437]),
    Row::new("csmacd", 10, Effort::Usual, [144_898, 144_898, 328_381]),
    Row::new("csmacd", 11, Effort::Usual, [369_666, 369_666, 827_307]).faster(20.0).a_fifth(),
    Row::new("csmacd", 12, Effort::Long, [925_698, 925_698, 2_045_847]),
    Row::new("critical-region", 4, Effort::Quick, [53_697, 76_130, 436_444]).faster(10.0),
    Row::new("critical-region", 5, Effort::Long, [1_100_933, 1_721_845, 12_557_661]).a_fifth(),
    Row::new("train-gate", 5, Effort::Quick, [215_375, 215_375, 608_275]).faster(10.0),
    Row::new("train-gate", 6, Effort::Long, [4_386_528, 4_386_528, 14_231_808]),
    Row::new("fddi", 10, Effort::Quick, [525, 10_219, 14_052]),
    Row::new("fddi", 10, Effort::Quick, [525, 525, 725]).dfs(),
    Row::new("corsso", 3, Effort::Quick, [61_948, 64_378, 242_418]),
    Row::new("corsso", 3, Effort::Quick, [8_746, 8_746, 33_972]).alu(),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// What both know agrees, and a row is there once.
    #[test]
    fn families_know_the_same() {
        let question = |known: &Known| (known.n, known.algorithm, known.extrapolation, known.order);
        for (index, row) in ROWS.iter().enumerate() {
            let same = row.family().known().iter().find(|known| question(known) == question(&row.known));
            assert!(same.is_none_or(|known| *known == row.known), "{row:?} is not {same:?}");
            let twice =
                |other: &Row| other.family == row.family && question(&other.known) == question(&row.known);
            assert!(!ROWS[..index].iter().any(twice), "{row:?} is there twice");
        }
    }
}
