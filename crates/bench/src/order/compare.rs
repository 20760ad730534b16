//! Which of our figures must agree with the paper's, and whether they do.
//!
//! Breadth-first search is determined by the model and the order of its edges, so all its columns must agree. So must
//! the number of finally stored states: in the rows with a model, it is the same for every order. The other orders
//! leave choices open (ties, and which edges a topological order ignores). For blow-up, FDDI and Fischer's protocol
//! they must be at least as good as in the paper; elsewhere they are only shown. Our own orders must be at least as
//! good as the better of the paper's in every row. A row with a different model than the paper's is only shown.

use super::paper::{OrderFigures, PaperOrder, PaperRow};

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

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Visited => "visited",
            Self::Mistakes => "mistakes",
            Self::Stored => "stored",
            Self::StoredMax => "stored at most",
            Self::RankVisits => "re-visits",
        }
    }

    /// Its key in a record.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Visited => "visited",
            Self::Mistakes => "mistakes",
            Self::Stored => "stored",
            Self::StoredMax => "stored_max",
            Self::RankVisits => "rank_visits",
        }
    }

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

/// The comparison of our figure with the paper's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FigureComparison {
    /// As required, or not constrained.
    Fine,
    /// Less than in the paper, which is allowed.
    Better,
    /// Not as required.
    Differs,
}

/// Compares one of our figures.
pub(super) fn compare(row: &PaperRow, order: PaperOrder, column: OrderColumn, ours: u64) -> FigureComparison {
    let Some(theirs) = column.figure(&row.figures(order)).filter(|_| row.is_same) else {
        return FigureComparison::Fine;
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
        std::cmp::Ordering::Equal => FigureComparison::Fine,
        _ if exact => FigureComparison::Differs,
        std::cmp::Ordering::Less if at_most => FigureComparison::Better,
        std::cmp::Ordering::Greater if at_most => FigureComparison::Differs,
        _ => FigureComparison::Fine,
    }
}

#[cfg(test)]
mod tests {
    use super::super::paper::TABLE;
    use super::*;

    fn with_comparison(name: &str, order: PaperOrder, column: OrderColumn, ours: u64) -> FigureComparison {
        let row = TABLE.iter().find(|row| row.name == name).expect("a row");
        compare(row, order, column, ours)
    }

    #[test]
    fn breadth_first_and_what_is_stored_must_agree() {
        for ours in [38_724, 39_958] {
            assert_eq!(
                with_comparison("C-10", PaperOrder::Bfs, OrderColumn::Visited, ours),
                FigureComparison::Differs
            );
        }
        assert_eq!(
            with_comparison("C-10", PaperOrder::Bfs, OrderColumn::Visited, 39_698),
            FigureComparison::Fine
        );
        assert_eq!(
            with_comparison("L-8", PaperOrder::Ranked, OrderColumn::Stored, 30_199),
            FigureComparison::Differs
        );
        assert_eq!(
            with_comparison("L-8", PaperOrder::Topological, OrderColumn::Stored, 30_201),
            FigureComparison::Differs
        );
    }

    #[test]
    fn another_model_is_not_compared() {
        for order in super::super::paper::ORDERS {
            for column in OrderColumn::of(order) {
                assert_eq!(with_comparison("FL-PL", order, *column, 1), FigureComparison::Fine);
            }
        }
    }

    #[test]
    fn other_orders_may_do_better() {
        let topological = |ours| with_comparison("FD-8", PaperOrder::Topological, OrderColumn::Visited, ours);
        assert_eq!(
            [341, 349, 350].map(topological),
            [FigureComparison::Better, FigureComparison::Fine, FigureComparison::Differs]
        );
        let ranked = |ours| with_comparison("FD-8", PaperOrder::Ranked, OrderColumn::Mistakes, ours);
        assert_eq!(
            [95, 96, 97].map(ranked),
            [FigureComparison::Better, FigureComparison::Fine, FigureComparison::Differs]
        );
        assert_eq!(
            with_comparison("FD-8", PaperOrder::Ranked, OrderColumn::RankVisits, 1_000_000),
            FigureComparison::Fine
        );
        assert_eq!(
            with_comparison("CR-3", PaperOrder::Topological, OrderColumn::Mistakes, 447),
            FigureComparison::Fine
        );
        let sweep = |ours| with_comparison("CR-3", PaperOrder::Sweep, OrderColumn::Mistakes, ours);
        assert_eq!(
            [308, 309, 310].map(sweep),
            [FigureComparison::Better, FigureComparison::Fine, FigureComparison::Differs]
        );
    }
}
