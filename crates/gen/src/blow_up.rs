//! Blow-up: an automaton on which breadth-first search visits exponentially many zones, of which few remain.
//!
//! The example of Figure 2 of `[HerbreteauTran2015]`, put together again from what the text says about it,
//! since the figure itself was not at hand. There is a chain of `N` segments, from `q1` to `q3`, from `q3` to
//! `q5`, and so on. In each, a short edge asks that some time has passed, and a long way round, through one
//! more location, does not. The long way round gives the larger zone, so that every visit by the short edge is a mistake.
//! A breadth-first search finds the larger zone one step too late: it has expanded the smaller zone already,
//! in each segment again. The final location is out of reach, so nothing ends the search early.
//!
//! The text fixes the locations, the two ways, and that there are about `2^N` zones with the largest on the
//! longest path. The table fixes the rest: breadth-first search visits 63, 1254 and 37091 states for 5, 10
//! and 15 segments, which is `9·2^(N−3) + N² + 2` (from 3 on). Trying the ways to place one guard and a few
//! resets in such a segment leaves one automaton with these figures, but for resets that make no difference
//! and for `≥` instead of `>`. It has one clock for each segment, which remembers whether the segment was cut
//! short:
//!
//! ```text
//!                 y > 1, y := 0
//!         ┌───────────────────────────┐
//!         │                           ▼
//!      q(2i−1) ──y := 0──▶ q(2i) ──x_i := 0──▶ q(2i+1)  …  q(2N+1) ── all x_i ≤ N, y > N ──▶ qf
//! ```
//!
//! The long way resets `x_i`; a short cut lets it run on, and adds more than 1 to all that run. The guard of
//! the last edge makes these ages matter, up to `N`, and is never true: `y` was reset after `x_1`. With it
//! the whole column comes out, also the most states in store at a time, 22, 250 and 6125, and those at the
//! end, 11, 21 and 31: `2N+1`, one for each location but `qf`.
//!
//! The short edge comes first in both texts. If the long way is listed first, breadth-first search makes no
//! mistake.

use crate::family::{Family, Query};
use crate::known::Known;
use crate::known::row::{LUPL, alu, bfs, dfs, reach};
use crate::text::fill;

pub(crate) const FAMILY: Family = Family {
    name: "blow-up",
    summary: "a chain of short cuts on which breadth-first search blows up",
    parameter: "number of segments",
    sizes: 2..=1000,
    xta,
    tck,
    queries,
    known: KNOWN,
};

/// A piece of text for each segment, which begins at location `$A`, leads through `$B` and ends at `$C`.
fn segments(n: u32, text: &str) -> String {
    (1..=n).map(|i| fill(text, &[("$I", i), ("$A", 2 * i - 1), ("$B", 2 * i), ("$C", 2 * i + 1)])).collect()
}

fn xta(n: u32) -> String {
    let states = segments(n, XTA_STATES);
    let text = XTA.replace("$STATES", states.trim_end()).replace("$TRANS", &segments(n, XTA_SEGMENT));
    fill(&text, &[("$END", 2 * n + 1), ("$N", n)])
}

fn tck(n: u32) -> String {
    let clocks: String = (1..=n).map(|i| format!("clock:1:x{i}\n")).collect();
    let guard: String = (1..=n).map(|i| format!("x{i}<={n} && ")).collect();
    let text = TCK.to_owned() + &clocks + TCK_PROCESS + &segments(n, TCK_LOCATIONS) + TCK_FINAL;
    let edges = segments(n, TCK_SEGMENT) + &TCK_LAST.replace("$YOUNG", &guard);
    fill(&(text + &edges), &[("$END", 2 * n + 1), ("$N", n)])
}

fn queries(n: u32) -> Vec<Query> {
    let end = 2 * n + 1;
    vec![
        Query::new(true, "The final location is out of reach.", "A[] not Chain.qf"),
        Query::new(true, "The end of the chain can be reached.", &format!("E<> Chain.q{end}")),
        Query::new(
            true,
            "There, y is younger than the first segment.",
            &format!("A[] Chain.q{end} imply y <= x[1]"),
        ),
    ]
}

const XTA: &str = r"// A chain of short cuts.

const int N = $N;           // how many segments

typedef int[1, N] segment_t;

clock x[segment_t], y;

process Chain() {
    state
        q1,
$STATES
        qf;

    init q1;

    trans
$TRANS        q$END -> qf { guard y > N && (forall (i : segment_t) x[i] <= N); };
}

system Chain;
";

const XTA_STATES: &str = r"        q$B, q$C,
";

const XTA_SEGMENT: &str = r"        q$A -> q$C { guard y > 1; assign y = 0; },
        q$A -> q$B { assign y = 0; },
        q$B -> q$C { assign x[$I] = 0; },
";

const TCK: &str = r"# A chain of short cuts, $N segments.
# Nothing carries the label final: it is out of reach.

system:blow_up_$N

event:tau

clock:1:y
";

const TCK_PROCESS: &str = r"
process:Chain
location:Chain:q1{initial:}
";

const TCK_LOCATIONS: &str = r"location:Chain:q$B
location:Chain:q$C
";

const TCK_FINAL: &str = r"location:Chain:qf{labels: final}
";

const TCK_SEGMENT: &str = r"edge:Chain:q$A:q$C:tau{provided: y>1 : do: y=0}
edge:Chain:q$A:q$B:tau{do: y=0}
edge:Chain:q$B:q$C:tau{do: x$I=0}
";

const TCK_LAST: &str = r"edge:Chain:q$END:qf:tau{provided: $YOUNGy>$N}
";

/// Stored, visited and transitions, in this order; with `reach` visited and transitions.
const KNOWN: &[Known] = &[
    reach(2, LUPL, 10, 9),
    bfs(2, LUPL, [5, 10, 9]),
    dfs(2, LUPL, [5, 5, 6]),
    alu(2, [5, 10, 9]),
    reach(3, LUPL, 22, 21),
    bfs(3, LUPL, [7, 20, 21]),
    dfs(3, LUPL, [7, 7, 9]),
    alu(3, [7, 20, 21]),
    reach(4, LUPL, 46, 45),
    bfs(4, LUPL, [9, 36, 39]),
    dfs(4, LUPL, [9, 9, 12]),
    alu(4, [9, 36, 39]),
    reach(5, LUPL, 94, 93),
    bfs(5, LUPL, [11, 63, 69]),
    dfs(5, LUPL, [11, 11, 15]),
    alu(5, [11, 63, 69]),
    reach(10, LUPL, 3_070, 3_069),
    bfs(10, LUPL, [21, 1_254, 1_290]),
    dfs(10, LUPL, [21, 21, 30]),
    alu(10, [21, 1_254, 1_290]),
    bfs(15, LUPL, [31, 37_091, 37_182]),
    dfs(15, LUPL, [31, 31, 45]),
    alu(15, [31, 37_091, 37_182]),
];
