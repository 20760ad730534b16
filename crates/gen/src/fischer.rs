//! Fischer's protocol: mutual exclusion with one shared variable and a delay.
//!
//! A process that finds the variable free writes its own number, which takes at most `K`, waits for longer
//! than `K`, and enters if its number is still there: by then everybody who found the variable free has
//! written. Fischer described it in a letter, Lamport published it `[Lamport1987]`, and `[AbadiLamport1994]`
//! proved it with explicit clocks; since then it is what every tool for timed automata is tried on.
//!
//! Here `K` is 10 both for writing and for waiting, and a process that finds the variable free again while it
//! waits asks once more.
//!
//! The property is mutual exclusion, and it holds: writing takes at most `K`, waiting more than that.
//!
//! With Extra_LU+, bounds for each location and inclusion, `3^N + N·3^(N−1) + N·2^(N−1) − 1` states are
//! stored, whatever the order. Breadth-first search visits more, and the more processes, the more of its
//! visits are to zones that are thrown away later: two in five with 9. The figures for 7, 8 and 9 are those
//! of Table 1 of `[HerbreteauTran2015]`.

use crate::family::{Family, Query};
use crate::known::Known;
use crate::known::row::{LUG, LUL, LUPG, LUPL, MG, ML, MPG, MPL, alu, bfs, dfs, reach};
use crate::text::{each, fill};

pub(crate) const FAMILY: Family = Family {
    name: "fischer",
    summary: "Fischer's mutual exclusion with one shared variable and a delay",
    parameter: "number of processes",
    sizes: 2..=1000,
    xta,
    tck,
    queries,
    known: KNOWN,
};

fn xta(n: u32) -> String {
    fill(XTA, &[("$N", n)])
}

fn tck(n: u32) -> String {
    fill(TCK, &[("$N", n)]) + &each(1, n, TCK_PROCESS)
}

fn queries(_: u32) -> Vec<Query> {
    vec![
        Query::new(
            true,
            "No two processes are in the critical section.",
            "A[] forall (i : pid_t) forall (j : pid_t) Process(i).critical && Process(j).critical imply i == j",
        ),
        Query::new(true, "A process can get into the critical section.", "E<> Process(1).critical"),
        Query::new(
            true,
            "One can be in the critical section while another waits.",
            "E<> Process(1).critical && Process(2).wait",
        ),
        Query::new(
            true,
            "Whoever is in the critical section has its number in the variable.",
            "A[] forall (i : pid_t) Process(i).critical imply id == i",
        ),
        Query::new(true, "The protocol never gets stuck.", "A[] not deadlock"),
    ]
}

const XTA: &str = r"// Fischer's mutual exclusion protocol.

const int N = $N;     // how many processes
const int K = 10;    // writing takes at most this long, waiting takes longer

typedef int[1, N] pid_t;

int[0, N] id = 0;    // who wants to enter; 0: nobody

process Process(const pid_t pid) {
    clock x;

    state
        idle,
        request { x <= K },
        wait,
        critical;

    init idle;

    trans
        idle -> request { guard id == 0; assign x = 0; },
        request -> wait { guard x <= K; assign x = 0, id = pid; },
        wait -> request { guard id == 0; assign x = 0; },
        wait -> critical { guard x > K && id == pid; },
        critical -> idle { assign id = 0; };
}

system Process;
";

const TCK: &str = r"# Fischer's mutual exclusion protocol, $N processes.
# Mutual exclusion is violated if critical1 and critical2 are found together, or any other two.

system:fischer_$N

event:tau

# who wants to enter; 0: nobody
int:1:0:$N:0:id
";

const TCK_PROCESS: &str = r"
process:Process$I
clock:1:x$I
location:Process$I:idle{initial:}
location:Process$I:request{invariant: x$I<=10}
location:Process$I:wait
location:Process$I:critical{labels: critical$I}
edge:Process$I:idle:request:tau{provided: id==0 : do: x$I=0}
edge:Process$I:request:wait:tau{provided: x$I<=10 : do: x$I=0; id=$I}
edge:Process$I:wait:request:tau{provided: id==0 : do: x$I=0}
edge:Process$I:wait:critical:tau{provided: x$I>10 && id==$I}
edge:Process$I:critical:idle:tau{do: id=0}
";

/// Stored, visited and transitions, in this order; with `reach` visited and transitions.
const KNOWN: &[Known] = &[
    reach(3, MG, 343, 663),
    bfs(3, MG, [253, 253, 489]),
    reach(3, MPG, 236, 444),
    bfs(3, MPG, [110, 188, 354]),
    reach(3, LUG, 343, 663),
    bfs(3, LUG, [253, 253, 489]),
    reach(3, LUPG, 236, 444),
    bfs(3, LUPG, [110, 188, 354]),
    reach(3, ML, 139, 255),
    bfs(3, ML, [139, 139, 255]),
    reach(3, MPL, 127, 231),
    bfs(3, MPL, [103, 127, 231]),
    reach(3, LUL, 71, 126),
    bfs(3, LUL, [65, 71, 126]),
    reach(3, LUPL, 71, 126),
    bfs(3, LUPL, [65, 71, 126]),
    dfs(3, LUPL, [65, 65, 120]),
    alu(3, [65, 71, 126]),
    reach(4, MG, 4_209, 10_020),
    bfs(4, MG, [3_077, 3_077, 7_328]),
    reach(4, MPG, 1_792, 4_024),
    bfs(4, MPG, [612, 1_268, 2_780]),
    reach(4, LUG, 4_209, 10_020),
    bfs(4, LUG, [3_077, 3_077, 7_328]),
    reach(4, LUPG, 1_792, 4_024),
    bfs(4, LUPG, [612, 1_268, 2_780]),
    reach(4, ML, 1_169, 2_612),
    bfs(4, ML, [1_169, 1_169, 2_612]),
    reach(4, MPL, 915, 2_004),
    bfs(4, MPL, [567, 819, 1_764]),
    reach(4, LUL, 292, 576),
    bfs(4, LUL, [220, 268, 552]),
    reach(4, LUPL, 292, 576),
    bfs(4, LUPL, [220, 268, 552]),
    dfs(4, LUPL, [220, 241, 522]),
    alu(4, [220, 268, 552]),
    reach(5, MG, 63_561, 179_805),
    reach(5, MPG, 15_142, 38_930),
    bfs(5, MPG, [3_942, 9_592, 23_820]),
    reach(5, LUG, 63_561, 179_805),
    reach(5, LUPG, 15_142, 38_930),
    bfs(5, LUPG, [3_942, 9_592, 23_820]),
    reach(5, ML, 12_001, 31_505),
    bfs(5, ML, [12_001, 12_001, 31_505]),
    reach(5, MPL, 7_431, 18_795),
    bfs(5, MPL, [3_631, 5_931, 14_655]),
    reach(5, LUL, 1_277, 2_650),
    bfs(5, LUL, [727, 977, 2_290]),
    reach(5, LUPL, 1_277, 2_650),
    bfs(5, LUPL, [727, 977, 2_290]),
    dfs(5, LUPL, [727, 909, 2_167]),
    alu(5, [727, 977, 2_290]),
    reach(6, LUL, 5_798, 12_432),
    bfs(6, LUL, [2_378, 3_458, 9_132]),
    reach(6, LUPL, 5_798, 12_432),
    bfs(6, LUPL, [2_378, 3_458, 9_132]),
    dfs(6, LUPL, [2_378, 4_004, 9_722]),
    alu(6, [2_378, 3_458, 9_132]),
    reach(7, LUPL, 26_651, 59_206),
    bfs(7, LUPL, [7_737, 11_951, 35_266]),
    dfs(7, LUPL, [7_737, 18_374, 45_367]),
    alu(7, [7_737, 11_951, 35_266]),
    reach(8, LUPL, 122_184, 283_904),
    bfs(8, LUPL, [25_080, 40_536, 132_592]),
    dfs(8, LUPL, [25_080, 85_438, 218_016]),
    alu(8, [25_080, 40_536, 132_592]),
    bfs(9, LUPL, [81_035, 135_485, 487_458]),
    dfs(9, LUPL, [81_035, 398_685, 1_058_684]),
    alu(9, [81_035, 135_485, 487_458]),
    alu(10, [260_998, 447_598, 1_758_660]),
];
