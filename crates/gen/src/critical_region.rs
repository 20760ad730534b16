//! Critical region: production cells that ask arbiters for the right to work, with a number that goes round.
//!
//! A counter turns a number round the arbiters. The arbiter whose turn it is may let its cell into the
//! critical region: it takes the number away (0) and puts it back when the cell comes out. A cell tests
//! whether it is ready, asks, works, and tests again; a test has to succeed before `T` (10), the work to be
//! done before `T` too, and what is still going on at `2·T` is an error. From the benchmarks of
//! `[MorbePigorschScholl2011]`.
//!
//! The property asked for is that no cell is in error, and it does not hold: a cell may stay in the region
//! until `2·T`. Nor do cells exclude each other: the counter continues counting from 0 while a cell is inside.
//! The family is used for the size of its state space all the same.
//!
//! Three cells have 3,015 states with Extra_LU+ and inclusion, four 53,697, five 1,100,933. Breadth-first
//! search makes some mistakes that no order avoids: large zones that are reached through small ones only. The
//! figures in `[HerbreteauTran2015]` are those of the variant in which the counter waits
//! (`critical_region_exclusive.rs`), which shares the texts written here.

use crate::family::{Family, Query};
use crate::known::Known;
use crate::known::row::{LUPL, alu, bfs, dfs, reach};
use crate::text::{each, fill};

pub(crate) const FAMILY: Family = Family {
    name: "critical-region",
    summary: "production cells that arbiters let into a critical region by turns",
    parameter: "number of cells",
    sizes: 1..=1000,
    xta,
    tck,
    queries,
    known: KNOWN,
};

fn xta(n: u32) -> String {
    xta_with(n, "turn < N")
}

fn tck(n: u32) -> String {
    tck_with(n, "turn<$N")
}

fn queries(n: u32) -> Vec<Query> {
    queries_with(n < 2)
}

/// The text in which the counter continues under this condition.
pub(crate) fn xta_with(n: u32, counting: &str) -> String {
    fill(&XTA.replace("$COUNTING", counting), &[("$N", n)])
}

/// The same as TChecker's text.
pub(crate) fn tck_with(n: u32, counting: &str) -> String {
    let counter = TCK_COUNTER.replace("$COUNTING", counting);
    let cells = each(1, n, TCK_ARBITER) + &each(1, n, TCK_CELL) + "\n" + &each(1, n, TCK_SYNC);
    fill(&(TCK.to_owned() + &each(1, n, TCK_REGION) + &counter), &[("$N", n)]) + &cells
}

/// Queries about either variant, of which one may keep all cells but one out of the region.
pub(crate) fn queries_with(exclusive: bool) -> Vec<Query> {
    vec![
        Query::new(
            exclusive,
            "No two cells are in the critical region.",
            "A[] forall (i : id_t) forall (j : id_t) Cell(i).critical && Cell(j).critical imply i == j",
        ),
        Query::new(false, "No cell gets into error.", "A[] forall (i : id_t) not Cell(i).error"),
        Query::new(true, "A cell can get through.", "E<> Cell(1).safe"),
        Query::new(true, "All cells can get through.", "E<> forall (i : id_t) Cell(i).safe"),
        Query::new(
            true,
            "A cell is in the critical region only while its arbiter knows.",
            "A[] forall (i : id_t) Cell(i).critical imply Arbiter(i).granted",
        ),
    ]
}

const XTA: &str = r"// Production cells and a critical region.

const int N = $N;                // how many cells
const int T = 10;               // a test or the work succeeds before this time

typedef int[1, N] id_t;

int[0, N] turn = 0;             // whose arbiter may grant; 0: none

chan enter[id_t], leave[id_t];

process Counter() {
    state
        start,
        count;

    init start;

    trans
        start -> count { guard turn == 0; assign turn = 1; },
        count -> count { guard $COUNTING; assign turn = turn + 1; },
        count -> count { guard turn == N; assign turn = 1; };
}

process Arbiter(const id_t i) {
    state
        ready,
        granted;

    init ready;

    trans
        ready -> granted { guard turn == i; sync enter[i]!; assign turn = 0; },
        granted -> ready { sync leave[i]!; assign turn = i; };
}

process Cell(const id_t i) {
    clock x;

    state
        unready,
        test { x <= T },
        request,
        critical { x <= 2 * T },
        retest { x <= T },
        safe,
        error;

    init unready;

    trans
        unready -> test { guard x <= 2 * T; assign x = 0; },
        test -> unready { guard x >= T; assign x = 0; },
        test -> request { guard x <= T - 1; },
        request -> critical { sync enter[i]?; assign x = 0; },
        critical -> error { guard x >= 2 * T; },
        critical -> retest { guard x <= T - 1; sync leave[i]?; assign x = 0; },
        retest -> error { guard x >= T; },
        retest -> safe { guard x <= T - 1; };
}

system Counter, Arbiter, Cell;
";

const TCK: &str = r"# Production cells and a critical region, $N cells.
# A cell is in error where error1 is found, or any other.

system:critical_region_$N

event:tau
";

const TCK_REGION: &str = r"event:enter$I
event:leave$I
";

const TCK_COUNTER: &str = r"
# whose arbiter may grant; 0: none
int:1:0:$N:0:turn

process:Counter
location:Counter:start{initial:}
location:Counter:count
edge:Counter:start:count:tau{provided: turn==0 : do: turn=1}
edge:Counter:count:count:tau{provided: $COUNTING : do: turn=turn+1}
edge:Counter:count:count:tau{provided: turn==$N : do: turn=1}
";

const TCK_ARBITER: &str = r"
process:Arbiter$I
location:Arbiter$I:ready{initial:}
location:Arbiter$I:granted
edge:Arbiter$I:ready:granted:enter$I{provided: turn==$I : do: turn=0}
edge:Arbiter$I:granted:ready:leave$I{do: turn=$I}
";

const TCK_CELL: &str = r"
process:Cell$I
clock:1:x$I
location:Cell$I:unready{initial:}
location:Cell$I:test{invariant: x$I<=10}
location:Cell$I:request
location:Cell$I:critical{invariant: x$I<=20 : labels: critical$I}
location:Cell$I:retest{invariant: x$I<=10}
location:Cell$I:safe{labels: safe$I}
location:Cell$I:error{labels: error$I}
edge:Cell$I:unready:test:tau{provided: x$I<=20 : do: x$I=0}
edge:Cell$I:test:unready:tau{provided: x$I>=10 : do: x$I=0}
edge:Cell$I:test:request:tau{provided: x$I<=9}
edge:Cell$I:request:critical:enter$I{do: x$I=0}
edge:Cell$I:critical:error:tau{provided: x$I>=20}
edge:Cell$I:critical:retest:leave$I{provided: x$I<=9 : do: x$I=0}
edge:Cell$I:retest:error:tau{provided: x$I>=10}
edge:Cell$I:retest:safe:tau{provided: x$I<=9}
";

const TCK_SYNC: &str = r"sync:Arbiter$I@enter$I:Cell$I@enter$I
sync:Arbiter$I@leave$I:Cell$I@leave$I
";

/// Stored, visited and transitions, in this order; with `reach` visited and transitions.
const KNOWN: &[Known] = &[
    reach(1, LUPL, 13, 26),
    bfs(1, LUPL, [13, 13, 26]),
    dfs(1, LUPL, [13, 13, 26]),
    alu(1, [13, 13, 26]),
    reach(2, LUPL, 544, 1_636),
    bfs(2, LUPL, [191, 219, 673]),
    dfs(2, LUPL, [191, 239, 758]),
    alu(2, [191, 219, 673]),
    reach(3, LUPL, 65_653, 286_309),
    bfs(3, LUPL, [3_015, 3_872, 16_675]),
    dfs(3, LUPL, [3_015, 6_684, 30_167]),
    alu(3, [3_015, 3_872, 16_675]),
];
