//! Lynch and Shavit's protocol: mutual exclusion that does not depend on time, and progress that does.
//!
//! Fischer's protocol with a second variable `[LynchShavit1992]`. The first one, `turn`, delays as Fischer's
//! does and makes it likely that a process is alone; whoever is left over raises the flag `taken` if it is
//! down, looks at `turn` once more, and enters if it is still its own. Going out it takes down the flag and
//! frees `turn`. If a step takes longer than promised, everybody may be turned away, but no two get in. Here
//! steps that write take at most `T` (16), and the delay is longer than that.
//!
//! The property is mutual exclusion, and it holds.
//!
//! With Extra_LU+, bounds for each location and inclusion, `3^N + N·3^(N−1) + 3N·2^N − 1` states are stored,
//! whatever the order: Fischer's and `5N·2^(N−1)` more. Breadth-first search throws as many zones away again
//! as it does for Fischer with as many processes. The figures for 8, 9 and 10 are those of Table 1 of
//! `[HerbreteauTran2015]`, in all columns by breadth-first search.

use crate::family::{Family, Query};
use crate::known::Known;
use crate::known::row::{LUPL, alu, bfs, dfs, reach};
use crate::text::{each, fill};

pub(crate) const FAMILY: Family = Family {
    name: "lynch",
    summary: "Lynch and Shavit's mutual exclusion, safe whatever the timing",
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
        Query::new(
            true,
            "The flag is up while somebody is in the critical section.",
            "A[] (exists (i : pid_t) Process(i).critical) imply taken",
        ),
        Query::new(true, "A process can get into the critical section.", "E<> Process(1).critical"),
        Query::new(
            true,
            "One can be in the critical section while another delays.",
            "E<> Process(1).critical && Process(2).delay",
        ),
    ]
}

const XTA: &str = r"// Lynch and Shavit's mutual exclusion protocol.

const int N = $N;        // how many processes
const int T = 16;       // writing takes at most this long, the delay is longer

typedef int[1, N] pid_t;

int[0, N] turn = 0;     // who may go on; 0: anybody may try
bool taken = false;     // whether somebody is inside, or about to be

process Process(const pid_t pid) {
    clock x;

    state
        idle,
        claim { x <= T },
        delay,
        look,
        raise { x <= T },
        confirm,
        critical,
        lower { x <= T },
        free { x <= T };

    init idle;

    trans
        idle -> claim { guard turn == 0; assign x = 0; },
        claim -> delay { assign turn = pid, x = 0; },
        delay -> look { guard turn == pid && x > T; },
        delay -> idle { guard turn != pid; },
        look -> raise { guard !taken; assign x = 0; },
        look -> idle { guard taken; },
        raise -> confirm { assign taken = true, x = 0; },
        confirm -> critical { guard turn == pid; },
        confirm -> idle { guard turn != pid; },
        critical -> lower { assign x = 0; },
        lower -> free { assign taken = false, x = 0; },
        free -> idle { assign turn = 0; };
}

system Process;
";

const TCK: &str = r"# Lynch and Shavit's mutual exclusion protocol, $N processes.
# Mutual exclusion is violated if critical1 and critical2 are found together, or any other two.

system:lynch_$N

event:tau

# who may go on; 0: anybody may try
int:1:0:$N:0:turn

# whether somebody is inside, or about to be
int:1:0:1:0:taken
";

const TCK_PROCESS: &str = r"
process:Process$I
clock:1:x$I
location:Process$I:idle{initial:}
location:Process$I:claim{invariant: x$I<=16}
location:Process$I:delay
location:Process$I:look
location:Process$I:raise{invariant: x$I<=16}
location:Process$I:confirm
location:Process$I:critical{labels: critical$I}
location:Process$I:lower{invariant: x$I<=16}
location:Process$I:free{invariant: x$I<=16}
edge:Process$I:idle:claim:tau{provided: turn==0 : do: x$I=0}
edge:Process$I:claim:delay:tau{do: turn=$I; x$I=0}
edge:Process$I:delay:look:tau{provided: turn==$I && x$I>16}
edge:Process$I:delay:idle:tau{provided: turn!=$I}
edge:Process$I:look:raise:tau{provided: taken==0 : do: x$I=0}
edge:Process$I:look:idle:tau{provided: taken==1}
edge:Process$I:raise:confirm:tau{do: taken=1; x$I=0}
edge:Process$I:confirm:critical:tau{provided: turn==$I}
edge:Process$I:confirm:idle:tau{provided: turn!=$I}
edge:Process$I:critical:lower:tau{do: x$I=0}
edge:Process$I:lower:free:tau{do: taken=0; x$I=0}
edge:Process$I:free:idle:tau{do: turn=0}
";

/// Stored, visited and transitions, in this order; with `reach` visited and transitions.
const KNOWN: &[Known] = &[
    reach(2, LUPL, 38, 60),
    bfs(2, LUPL, [38, 38, 60]),
    dfs(2, LUPL, [38, 38, 60]),
    alu(2, [38, 38, 60]),
    reach(3, LUPL, 131, 282),
    bfs(3, LUPL, [125, 131, 282]),
    dfs(3, LUPL, [125, 125, 270]),
    alu(3, [125, 131, 282]),
    reach(4, LUPL, 452, 1_240),
    bfs(4, LUPL, [380, 428, 1_168]),
    dfs(4, LUPL, [380, 389, 1_073]),
    alu(4, [380, 428, 1_168]),
    reach(5, LUPL, 1_677, 5_650),
    bfs(5, LUPL, [1_127, 1_377, 4_570]),
    dfs(5, LUPL, [1_127, 1_274, 4_307]),
    alu(5, [1_127, 1_377, 4_570]),
    reach(6, LUPL, 6_758, 27_252),
    bfs(6, LUPL, [3_338, 4_418, 17_352]),
    dfs(6, LUPL, [3_338, 4_678, 18_839]),
    alu(6, [3_338, 4_418, 17_352]),
    reach(7, LUPL, 28_891, 136_458),
    bfs(7, LUPL, [9_977, 14_191, 64_638]),
    dfs(7, LUPL, [9_977, 19_344, 91_126]),
    alu(7, [9_977, 14_191, 64_638]),
    bfs(8, LUPL, [30_200, 45_656, 237_280]),
    dfs(8, LUPL, [30_200, 81_982, 444_710]),
    alu(8, [30_200, 45_656, 237_280]),
];
