//! Table 1 of `[HerbreteauTran2015]`, as printed there, and which model each of its rows is of.
//!
//! Two additional orders of ours are compared with the better of the paper's two, row by row.
//!
//! The paper names its models and does not print them. A family corresponds to one if all four columns of breadth-first
//! search agree, in all sizes of the paper: this is so for all except FlexRay. Two families exist only for this
//! comparison, since the usual variants have other figures: CSMA/CD with one report of a collision, and the critical
//! region with a counter that waits. For FlexRay there is a model of the same protocol, with a number of bytes that
//! gives about as many states; its figures are shown with the paper's and not compared.

use super::super::rows::Effort;

/// A search order of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PaperOrder {
    /// Breadth first, Algorithm 1.1.
    Bfs,
    /// By rank, Algorithm 1.2.
    Ranked,
    /// The waiting strategy with priority to true zones, Algorithm 1.3 and section 5.
    Topological,
    /// In sweeps; not in the paper.
    Sweep,
    /// By rank, ties broken in sweeps; not in the paper.
    RankedSweep,
}

/// All of them, from left to right.
pub(super) const ORDERS: [PaperOrder; 5] = [
    PaperOrder::Bfs,
    PaperOrder::Ranked,
    PaperOrder::Topological,
    PaperOrder::Sweep,
    PaperOrder::RankedSweep,
];

impl PaperOrder {
    /// The paper's name, or one in its style.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Bfs => "BFS",
            Self::Ranked => "R-BFS",
            Self::Topological => "TW-BFS",
            Self::Sweep => "S-BFS",
            Self::RankedSweep => "RS-BFS",
        }
    }

    /// The value of `--order`.
    pub(super) const fn option(self) -> &'static str {
        match self {
            Self::Bfs => "bfs",
            Self::Ranked => "ranked",
            Self::Topological => "topological",
            Self::Sweep => "sweep",
            Self::RankedSweep => "ranked-sweep",
        }
    }
}

/// The figures of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OrderFigures {
    /// States whose successors were computed.
    pub(super) visited: u64,
    /// Visited states that are not stored at the end.
    pub(super) mistakes: u64,
    /// States stored at the end.
    pub(super) stored: u64,
    /// The maximum number of stored states.
    pub(super) stored_max: u64,
    /// States visited again to update ranks.
    pub(super) rank_visits: Option<u64>,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct PaperRow {
    /// The paper's name.
    pub(super) name: &'static str,
    /// The family and member that is explored, if there is one.
    pub(super) member: Option<(&'static str, u32)>,
    /// The expected time, for all orders together.
    pub(super) effort: Effort,
    /// Whether orders other than breadth first must be as good as in the paper.
    pub(super) is_binding: bool,
    /// Whether that member is the paper's model, so that figures are comparable.
    pub(super) is_same: bool,
    bfs: [u64; 4],
    ranked: [u64; 5],
    topological: [u64; 4],
}

impl PaperRow {
    /// The paper's figures of an order; for one of ours, the better of those by rank and by the waiting strategy.
    pub(super) fn figures(&self, order: PaperOrder) -> OrderFigures {
        let ([visited, mistakes, stored, stored_max], rank_visits) = match order {
            PaperOrder::Bfs => (self.bfs, None),
            PaperOrder::Ranked => {
                let [visited, mistakes, stored, stored_max, rank_visits] = self.ranked;
                ([visited, mistakes, stored, stored_max], Some(rank_visits))
            }
            PaperOrder::Topological => (self.topological, None),
            PaperOrder::Sweep => (self.better(), None),
            PaperOrder::RankedSweep => (self.better(), Some(self.ranked[4])),
        };
        OrderFigures { visited, mistakes, stored, stored_max, rank_visits }
    }

    fn better(&self) -> [u64; 4] {
        std::array::from_fn(|column| self.ranked[column].min(self.topological[column]))
    }

    /// Its name, and the member's beside it.
    pub(super) fn title(&self) -> String {
        match self.member {
            Some((family, n)) => format!("{}: {family} {n}", self.name),
            None => self.name.to_owned(),
        }
    }

    const fn of(mut self, family: &'static str, n: u32) -> Self {
        self.member = Some((family, n));
        self
    }

    /// Another model of the same protocol.
    const fn like(mut self, family: &'static str, n: u32) -> Self {
        self.is_same = false;
        self.of(family, n)
    }

    const fn binding(mut self) -> Self {
        self.is_binding = true;
        self
    }

    const fn long(mut self) -> Self {
        self.effort = Effort::Long;
        self
    }
}

/// Visited, mistakes, final and maximal stored; by rank also re-visits.
const fn row(name: &'static str, bfs: [u64; 4], ranked: [u64; 5], topological: [u64; 4]) -> PaperRow {
    PaperRow {
        name,
        member: None,
        effort: Effort::Usual,
        is_binding: false,
        is_same: true,
        bfs,
        ranked,
        topological,
    }
}

pub(super) const TABLE: [PaperRow; 19] = [
    row("B-5", [63, 52, 11, 22], [16, 5, 11, 11, 13], [11, 0, 11, 11]).of("blow-up", 5).binding(),
    row("B-10", [1254, 1233, 21, 250], [31, 10, 21, 21, 28], [21, 0, 21, 21]).of("blow-up", 10).binding(),
    row("B-15", [37091, 37060, 31, 6125], [46, 15, 31, 31, 43], [31, 0, 31, 31]).of("blow-up", 15).binding(),
    row("FD-8", [2635, 2294, 341, 439], [437, 96, 341, 341, 579], [349, 8, 341, 341]).of("fddi", 8).binding(),
    row("FD-10", [10219, 9694, 525, 999], [684, 159, 525, 525, 1168], [535, 10, 525, 525])
        .of("fddi", 10)
        .binding(),
    row("FD-15", [320068, 318908, 1160, 18707], [1586, 426, 1160, 1160, 4543], [1175, 15, 1160, 1160])
        .of("fddi", 15)
        .binding()
        .long(),
    row("C-10", [39698, 5404, 34294, 48286], [59371, 25077, 34294, 52210, 54319], [34294, 0, 34294, 34302])
        .of("csmacd-broadcast", 10),
    row(
        "C-11",
        [98118, 17233, 80885, 124220],
        [153042, 72157, 80885, 130557, 160822],
        [80885, 0, 80885, 80894],
    )
    .of("csmacd-broadcast", 11),
    row(
        "C-12",
        [239128, 50724, 188404, 311879],
        [378493, 190089, 188404, 320181, 430125],
        [188404, 0, 188404, 188414],
    )
    .of("csmacd-broadcast", 12)
    .long(),
    row("Fi-7", [11951, 4214, 7737, 7738], [7737, 0, 7737, 7737, 0], [7737, 0, 7737, 7737])
        .of("fischer", 7)
        .binding(),
    row("Fi-8", [40536, 15456, 25080, 25082], [25080, 0, 25080, 25080, 0], [25080, 0, 25080, 25080])
        .of("fischer", 8)
        .binding(),
    row("Fi-9", [135485, 54450, 81035, 81038], [81035, 0, 81035, 81035, 0], [81035, 0, 81035, 81035])
        .of("fischer", 9)
        .binding(),
    row("L-8", [45656, 15456, 30200, 30202], [30200, 0, 30200, 30200, 0], [30200, 0, 30200, 30200])
        .of("lynch", 8),
    row("L-9", [147005, 54450, 92555, 92558], [92555, 0, 92555, 92555, 0], [92555, 0, 92555, 92555])
        .of("lynch", 9),
    row(
        "L-10",
        [473198, 186600, 286598, 286602],
        [286598, 0, 286598, 286598, 0],
        [286598, 0, 286598, 286598],
    )
    .of("lynch", 10),
    row("CR-3", [1670, 447, 1223, 1223], [1532, 309, 1223, 1223, 1837], [1563, 340, 1223, 1223])
        .of("critical-region-exclusive", 3),
    row("CR-4", [21180, 7440, 13740, 13740], [17694, 3954, 13740, 13740, 24295], [19489, 5749, 13740, 13740])
        .of("critical-region-exclusive", 4),
    row(
        "CR-5",
        [285094, 113727, 171367, 171367],
        [216957, 45590, 171367, 171367, 307010],
        [257137, 85770, 171367, 171367],
    )
    .of("critical-region-exclusive", 5),
    row(
        "FL-PL",
        [881214, 228265, 652949, 652949],
        [655653, 2704, 652949, 652949, 6977],
        [12660557, 11997402, 663155, 684467],
    )
    .like("flexray", 48),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The printed figures add up: a visited state is stored or was a mistake.
    #[test]
    fn figures_add_up() {
        for row in TABLE {
            for order in ORDERS {
                let figures = row.figures(order);
                assert_eq!(figures.visited, figures.mistakes + figures.stored, "{} {order:?}", row.name);
                assert!(figures.stored <= figures.stored_max, "{} {order:?}", row.name);
                let ranked = matches!(order, PaperOrder::Ranked | PaperOrder::RankedSweep);
                assert_eq!(figures.rank_visits.is_some(), ranked);
            }
        }
    }

    #[test]
    fn rows_are_of_members_and_each_is_there_once() {
        for (index, row) in TABLE.iter().enumerate() {
            assert!(TABLE[..index].iter().all(|other| other.name != row.name), "{}", row.name);
            if let Some((family, n)) = row.member {
                let family = tourbillon::family(family).expect("a family");
                assert!(family.tck(n).is_ok(), "{row:?}");
            }
        }
    }
}
