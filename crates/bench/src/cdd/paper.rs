//! The table of node representations of `[ThomsenKristensen2002]`, section 8.6.1, as printed there.
//!
//! The models were explored by a version of UPPAAL of that year. The industrial ones are not available, and Fischer's
//! protocol was explored with another extrapolation; absolute bytes and seconds are not comparable today. Ratios to the
//! first representation are.

/// A row of the table.
pub(super) struct ThesisRow {
    pub(super) model: &'static str,
    /// The bytes of all diagrams in each representation.
    pub(super) bytes: [u32; 3],
    pub(super) seconds: [f64; 3],
}

pub(super) const ROWS: [ThesisRow; 3] = [
    ThesisRow { model: "Dacapo", bytes: [302_596, 279_232, 225_866], seconds: [5.65, 5.81, 5.96] },
    ThesisRow {
        model: "Buscoupler",
        bytes: [12_602_672, 12_435_932, 10_193_851],
        seconds: [1701.0, 1803.0, 2517.0],
    },
    ThesisRow {
        model: "Fischer 6",
        bytes: [6_510_968, 6_482_704, 5_614_071],
        seconds: [493.0, 453.0, 414.0],
    },
];
