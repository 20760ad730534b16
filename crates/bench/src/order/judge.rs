//! Which of our figures must agree with the paper's, and whether they do.
//!
//! Breadth-first search leaves no choice once the model and the order of its edges are fixed, so all its columns must
//! agree. So must what is stored at the end: in the rows whose models there are, that is the same by every order. The
//! other orders leave choices open (ties, and which edges a topological order gives up). On the blow-up, FDDI and
//! Fischer's protocol they must do at least as well as in the paper; elsewhere they are only shown. Orders of ours must do
//! at least as well as the better of the paper's in every row. A row whose model is another one than the paper's is only
//! shown.

use super::paper::{OrderFigures, PaperOrder, PaperRow};

/// A column of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OrderColumn {
    Visited,
    Mistakes,
    Stored,
    StoredMax,
    RankVisits,
}

impl OrderColumn {
    /// The columns for an order.
    pub(super) const fn of(order: PaperOrder) -> &'static [Self] {
        const ALL: &[OrderColumn] = &[
            OrderColumn::Visited,
            OrderColumn::Mistakes,
            OrderColumn::Stored,
            OrderColumn::StoredMax,
            OrderColumn::RankVisits,
        ];
        match order {
            PaperOrder::Ranked | PaperOrder::RankedSweep => ALL,
            PaperOrder::Bfs | PaperOrder::Topological | PaperOrder::Sweep => ALL.split_at(4).0,
        }
    }

    /// What stands above it.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Visited => "visited",
            Self::Mistakes => "mistakes",
            Self::Stored => "stored",
            Self::StoredMax => "stored at most",
            Self::RankVisits => "re-visits",
        }
    }

    /// What a record calls it.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Visited => "visited",
            Self::Mistakes => "mistakes",
            Self::Stored => "stored",
            Self::StoredMax => "stored_max",
            Self::RankVisits => "rank_visits",
        }
    }

    /// The figure that stands in it.
    pub(super) const fn figure(self, figures: &OrderFigures) -> Option<u64> {
        match self {
            Self::Visited => Some(figures.visited),
            Self::Mistakes => Some(figures.mistakes),
            Self::Stored => Some(figures.stored),
            Self::StoredMax => Some(figures.stored_max),
            Self::RankVisits => figures.rank_visits,
        }
    }
}

/// How our figure compares with the paper's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Judgement {
    /// As it must be, or as it happens to be.
    Fine,
    /// Less than in the paper, where no more is allowed.
    Better,
    /// Not what it must be.
    Differs,
}

/// Judges one of our figures.
pub(super) fn judge(row: &PaperRow, order: PaperOrder, column: OrderColumn, ours: u64) -> Judgement {
    let Some(theirs) = column.figure(&row.figures(order)).filter(|_| row.is_same) else {
        return Judgement::Fine;
    };
    let exact = order == PaperOrder::Bfs || column == OrderColumn::Stored;
    let at_most = match order {
        PaperOrder::Bfs => false,
        PaperOrder::Ranked => row.is_binding && column == OrderColumn::Mistakes,
        PaperOrder::Topological => row.is_binding,
        PaperOrder::Sweep => true,
        PaperOrder::RankedSweep => column != OrderColumn::RankVisits,
    };
    match ours.cmp(&theirs) {
        std::cmp::Ordering::Equal => Judgement::Fine,
        _ if exact => Judgement::Differs,
        std::cmp::Ordering::Less if at_most => Judgement::Better,
        std::cmp::Ordering::Greater if at_most => Judgement::Differs,
        _ => Judgement::Fine,
    }
}

#[cfg(test)]
mod tests {
    use super::super::paper::TABLE;
    use super::*;

    fn judged(name: &str, order: PaperOrder, column: OrderColumn, ours: u64) -> Judgement {
        let row = TABLE.iter().find(|row| row.name == name).expect("a row");
        judge(row, order, column, ours)
    }

    #[test]
    fn breadth_first_and_what_is_stored_must_agree() {
        for ours in [38_724, 39_958] {
            assert_eq!(judged("C-10", PaperOrder::Bfs, OrderColumn::Visited, ours), Judgement::Differs);
        }
        assert_eq!(judged("C-10", PaperOrder::Bfs, OrderColumn::Visited, 39_698), Judgement::Fine);
        assert_eq!(judged("L-8", PaperOrder::Ranked, OrderColumn::Stored, 30_199), Judgement::Differs);
        assert_eq!(judged("L-8", PaperOrder::Topological, OrderColumn::Stored, 30_201), Judgement::Differs);
    }

    #[test]
    fn another_model_is_not_compared() {
        for order in super::super::paper::ORDERS {
            for column in OrderColumn::of(order) {
                assert_eq!(judged("FL-PL", order, *column, 1), Judgement::Fine);
            }
        }
    }

    #[test]
    fn other_orders_may_do_better() {
        let topological = |ours| judged("FD-8", PaperOrder::Topological, OrderColumn::Visited, ours);
        assert_eq!(
            [341, 349, 350].map(topological),
            [Judgement::Better, Judgement::Fine, Judgement::Differs]
        );
        let ranked = |ours| judged("FD-8", PaperOrder::Ranked, OrderColumn::Mistakes, ours);
        assert_eq!([95, 96, 97].map(ranked), [Judgement::Better, Judgement::Fine, Judgement::Differs]);
        assert_eq!(judged("FD-8", PaperOrder::Ranked, OrderColumn::RankVisits, 1_000_000), Judgement::Fine);
        assert_eq!(judged("CR-3", PaperOrder::Topological, OrderColumn::Mistakes, 447), Judgement::Fine);
        let sweep = |ours| judged("CR-3", PaperOrder::Sweep, OrderColumn::Mistakes, ours);
        assert_eq!([308, 309, 310].map(sweep), [Judgement::Better, Judgement::Fine, Judgement::Differs]);
    }
}
