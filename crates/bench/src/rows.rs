//! The measured explorations, their sizes, and the targets.
//!
//! The counts of each row are those of TChecker, except train-gate 6 and the transitions of fischer 11: these were
//! counted here, and `tourbillon-bench peers --full` compares them with the peer's. If the families have a row too, a
//! test compares the two; the larger ones are only here, and `tourbillon-bench oracles` checks them with the rest.

use tourbillon::{Family, families};
use tourbillon_gen::{Algorithm, Bounds, Extrapolation, Known, Order};

/// A full exploration of a member of a family.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FamilyRow {
    pub(crate) family: &'static str,
    /// The member, the options of its exploration, and the counts.
    pub(crate) known: Known,
    /// The expected time.
    pub(crate) effort: Effort,
    /// The target speedup relative to the peer; no row should be slower.
    pub(crate) faster: f64,
    /// The target fraction of the peer's memory, if there is one.
    pub(crate) memory: Option<f64>,
}

/// The expected time of a row, including the peer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Effort {
    /// A few seconds.
    Quick,
    /// Up to half a minute.
    Usual,
    /// Minutes.
    Long,
}

impl FamilyRow {
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

    /// Whether it uses inclusion and breadth-first order, as some row of each member does.
    pub(crate) fn is_usual(&self) -> bool {
        self.known.algorithm == Algorithm::CovReach && self.known.order == Order::Bfs
    }

    pub(crate) fn family(&self) -> &'static Family {
        let found = families().iter().find(|family| family.name() == self.family);
        found.expect("rows are of families that there are")
    }
}

/// The rows that are compared with the peer.
pub(crate) const ROWS: &[FamilyRow] = &[
    FamilyRow::new("fischer", 8, Effort::Quick, [25_080, 40_536, 132_592]),
    FamilyRow::new("fischer", 9, Effort::Usual, [81_035, 135_485, 487_458]),
    FamilyRow::new("fischer", 9, Effort::Long, [81_035, 398_685, 1_058_684]).dfs(),
    FamilyRow::new("fischer", 9, Effort::Long, [555_065, 555_065, 1_361_394]).reach(),
    FamilyRow::new("fischer", 10, Effort::Usual, [260_998, 447_598, 1_758_660]).faster(20.0).a_fifth(),
    FamilyRow::new("fischer", 11, Effort::Long, [837_949, 1_464_971, 6_245_074]),
    FamilyRow::new("csmacd", 9, Effort::Quick, [55_554, 55_554, 127_437]),
    FamilyRow::new("csmacd", 10, Effort::Usual, [144_898, 144_898, 328_381]),
    FamilyRow::new("csmacd", 11, Effort::Usual, [369_666, 369_666, 827_307]).faster(20.0).a_fifth(),
    FamilyRow::new("csmacd", 12, Effort::Long, [925_698, 925_698, 2_045_847]),
    FamilyRow::new("critical-region", 4, Effort::Quick, [53_697, 76_130, 436_444]).faster(10.0),
    FamilyRow::new("critical-region", 5, Effort::Long, [1_100_933, 1_721_845, 12_557_661]).a_fifth(),
    FamilyRow::new("train-gate", 5, Effort::Quick, [215_375, 215_375, 608_275]).faster(10.0),
    FamilyRow::new("train-gate", 6, Effort::Long, [4_386_528, 4_386_528, 14_231_808]),
    FamilyRow::new("fddi", 10, Effort::Quick, [525, 10_219, 14_052]),
    FamilyRow::new("fddi", 10, Effort::Quick, [525, 525, 725]).dfs(),
    FamilyRow::new("corsso", 3, Effort::Quick, [61_948, 64_378, 242_418]),
    FamilyRow::new("corsso", 3, Effort::Quick, [8_746, 8_746, 33_972]).alu(),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows in both places agree, and each row occurs once.
    #[test]
    fn families_know_the_same() {
        let question = |known: &Known| (known.n, known.algorithm, known.extrapolation, known.order);
        for (index, row) in ROWS.iter().enumerate() {
            let same = row.family().known().iter().find(|known| question(known) == question(&row.known));
            assert!(same.is_none_or(|known| *known == row.known), "{row:?} is not {same:?}");
            let twice = |other: &FamilyRow| {
                other.family == row.family && question(&other.known) == question(&row.known)
            };
            assert!(!ROWS[..index].iter().any(twice), "{row:?} is there twice");
        }
    }
}
