//! Critical region, exclusive: the same production cells, and a counter that waits while one of them works.
//!
//! In the critical region (`critical_region.rs`) the counter continues counting from 0 while a cell is inside, so
//! that others get in as well. Here it counts on only while the number is positive: once an arbiter has taken
//! the number away, nobody else is let in before the cell comes out and the number is put back. That is all
//! that differs, and the texts are those of that file.
//!
//! Cells exclude each other now. A cell may still get into error, and if it does so inside, the number is gone
//! for good and no cell enters any more.
//!
//! Three, four and five cells have 1,223, 13,740 and 171,367 states with Extra_LU+, bounds for each location
//! and inclusion, and breadth-first search visits 1,670, 21,180 and 285,094: the figures of Table 1 of
//! `[HerbreteauTran2015]`, also in the column of the most states in store. The paper does not print its model;
//! of the variants of the one of `[MorbePigorschScholl2011]` that were tried (with and without arbiters,
//! errors, the counter's first location, the counter) only this one has them.

use crate::critical_region::{queries_with, tck_with, xta_with};
use crate::family::{Family, Query};
use crate::known::Known;
use crate::known::row::{LUPL, alu, bfs, dfs, reach};

pub(crate) const FAMILY: Family = Family {
    name: "critical-region-exclusive",
    summary: "the same, with a counter that waits while a cell is in the region",
    parameter: "number of cells",
    sizes: 1..=1000,
    xta,
    tck,
    queries,
    known: KNOWN,
};

fn xta(n: u32) -> String {
    xta_with(n, "turn > 0 && turn < N")
}

fn tck(n: u32) -> String {
    tck_with(n, "turn>0 && turn<$N")
}

fn queries(_: u32) -> Vec<Query> {
    queries_with(true)
}

/// Stored, visited and transitions, in this order; with `reach` visited and transitions.
const KNOWN: &[Known] = &[
    reach(1, LUPL, 11, 20),
    bfs(1, LUPL, [11, 11, 20]),
    dfs(1, LUPL, [11, 11, 20]),
    alu(1, [11, 11, 20]),
    reach(2, LUPL, 339, 945),
    bfs(2, LUPL, [116, 135, 382]),
    dfs(2, LUPL, [116, 141, 416]),
    alu(2, [116, 135, 382]),
    reach(3, LUPL, 20_127, 82_446),
    bfs(3, LUPL, [1_223, 1_670, 6_730]),
    dfs(3, LUPL, [1_223, 2_246, 9_734]),
    alu(3, [1_223, 1_670, 6_730]),
    bfs(4, LUPL, [13_740, 21_180, 114_817]),
    dfs(4, LUPL, [13_740, 41_845, 238_712]),
    alu(4, [13_740, 21_180, 114_817]),
    bfs(5, LUPL, [171_367, 285_094, 1_998_785]),
];
