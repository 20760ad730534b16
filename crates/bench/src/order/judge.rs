//! Which of our figures must agree with the paper's, and whether they do.
//!
//! Breadth-first search leaves no choice once the model and the order of its edges are fixed, so all its columns must
//! agree. So must what is stored at the end: in the rows whose models there are, that is the same by every order. The
//! other orders leave choices open (ties, and which edges a topological order gives up). On the blow-up, FDDI and
//! Fischer's protocol they must do at least as well as in the paper; elsewhere they are only shown. Orders of ours must do
//! at least as well as the better of the paper's in every row. A row whose model is another one than the paper's is only
//! shown.

use super::paper::{Figures, Order, Row};

/// A column of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Column {
    Visited,
    Mistakes,
    Stored,
    StoredMax,
    RankVisits,
}

impl Column {
    /// The columns for an order.
    pub(super) const fn of(order: Order) -> &'static [Self] {
        const ALL: &[Column] =
            &[Column::Visited, Column::Mistakes, Column::Stored, Column::StoredMax, Column::RankVisits];
        match order {
            Order::Ranked | Order::RankedSweep => ALL,
            Order::Bfs | Order::Topological | Order::Sweep => ALL.split_at(4).0,
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
    pub(super) const fn figure(self, figures: &Figures) -> Option<u64> {
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
pub(super) fn judge(row: &Row, order: Order, column: Column, ours: u64) -> Judgement {
    let Some(theirs) = column.figure(&row.figures(order)).filter(|_| row.is_same) else {
        return Judgement::Fine;
    };
    let exact = order == Order::Bfs || column == Column::Stored;
    let at_most = match order {
        Order::Bfs => false,
        Order::Ranked => row.is_binding && column == Column::Mistakes,
        Order::Topological => row.is_binding,
        Order::Sweep => true,
        Order::RankedSweep => column != Column::RankVisits,
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

    fn judged(name: &str, order: Order, column: Column, ours: u64) -> Judgement {
        let row = TABLE.iter().find(|row| row.name == name).expect("a row");
        judge(row, order, column, ours)
    }

    #[test]
    fn breadth_first_and_what_is_stored_must_agree() {
        for ours in [38_724, 39_958] {
            assert_eq!(judged("C-10", Order::Bfs, Column::Visited, ours), Judgement::Differs);
        }
        assert_eq!(judged("C-10", Order::Bfs, Column::Visited, 39_698), Judgement::Fine);
        assert_eq!(judged("L-8", Order::Ranked, Column::Stored, 30_199), Judgement::Differs);
        assert_eq!(judged("L-8", Order::Topological, Column::Stored, 30_201), Judgement::Differs);
    }

    #[test]
    fn another_model_is_not_compared() {
        for order in super::super::paper::ORDERS {
            for column in Column::of(order) {
                assert_eq!(judged("FL-PL", order, *column, 1), Judgement::Fine);
            }
        }
    }

    #[test]
    fn other_orders_may_do_better() {
        let topological = |ours| judged("FD-8", Order::Topological, Column::Visited, ours);
        assert_eq!(
            [341, 349, 350].map(topological),
            [Judgement::Better, Judgement::Fine, Judgement::Differs]
        );
        let ranked = |ours| judged("FD-8", Order::Ranked, Column::Mistakes, ours);
        assert_eq!([95, 96, 97].map(ranked), [Judgement::Better, Judgement::Fine, Judgement::Differs]);
        assert_eq!(judged("FD-8", Order::Ranked, Column::RankVisits, 1_000_000), Judgement::Fine);
        assert_eq!(judged("CR-3", Order::Topological, Column::Mistakes, 447), Judgement::Fine);
        let sweep = |ours| judged("CR-3", Order::Sweep, Column::Mistakes, ours);
        assert_eq!([308, 309, 310].map(sweep), [Judgement::Better, Judgement::Fine, Judgement::Differs]);
    }
}
