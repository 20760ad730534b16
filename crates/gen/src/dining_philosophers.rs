//! Dining philosophers, who put the first fork back if they cannot have the second one in time.
//!
//! A philosopher takes the left fork, then the right one within 3; otherwise the left one is put back at 3.
//! Eating takes 10; then both forks are put back, the right one first and the left one at once after it. The
//! time limit is what keeps everybody from waiting forever. From the benchmarks for local time in
//! `[LugiezNiebertZennou2005]`.
//!
//! The property is that neighbours never eat at the same time, and it holds.
//!
//! Philosophers who do not share a fork have nothing to do with each other, and yet the order in which they
//! reset their clocks makes zones differ: without inclusion their number grows thirtyfold with each
//! philosopher, with inclusion about sixfold. The family is for methods that forget that order.

use crate::family::{Family, Query};
use crate::known::Known;
use crate::known::row::{LUPL, alu, bfs, dfs, reach};
use crate::text::{each, fill};

pub(crate) const FAMILY: Family = Family {
    name: "dining-philosophers",
    summary: "dining philosophers who give up after a while",
    parameter: "number of philosophers",
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
    let with_left =
        |text: &str| (0..n).map(|i| fill(text, &[("$I", i), ("$LEFT", (i + n - 1) % n)])).collect::<String>();
    let table = with_left(TCK_PHILOSOPHER) + &each(0, n - 1, TCK_FORK) + "\n" + &with_left(TCK_SYNC);
    fill(TCK, &[("$N", n)]) + &each(0, n - 1, TCK_EVENTS) + &table
}

fn queries(n: u32) -> Vec<Query> {
    vec![
        Query::new(
            true,
            "Neighbours do not eat at the same time.",
            "A[] forall (i : seat_t) Philosopher(i).eat imply not Philosopher((i + 1) % N).eat",
        ),
        Query::new(true, "A philosopher can eat.", "E<> Philosopher(0).eat"),
        Query::new(
            n >= 4,
            "Two philosophers can eat at the same time.",
            "E<> exists (i : seat_t) exists (j : seat_t) i < j && Philosopher(i).eat && Philosopher(j).eat",
        ),
        Query::new(true, "All can have their left fork.", "E<> forall (i : seat_t) Philosopher(i).try"),
        Query::new(true, "The dinner never gets stuck.", "A[] not deadlock"),
    ]
}

const XTA: &str = r"// Dining philosophers with a time limit.

const int N = $N;            // how many philosophers, and forks
const int LIMIT = 3;        // how long to try for the second fork
const int EAT = 10;         // how long a meal takes
const int SLOW = 0;         // how long between putting back one fork and the other

typedef int[0, N - 1] seat_t;

chan take[seat_t], release[seat_t];

process Philosopher(const seat_t i) {
    clock x;
    const int left = (i + N - 1) % N;
    const int right = i;

    state
        think,
        try { x <= LIMIT },
        eat { x <= EAT },
        tidy { x <= SLOW };

    init think;

    trans
        think -> try { sync take[left]!; assign x = 0; },
        try -> think { guard x >= LIMIT; sync release[left]!; },
        try -> eat { guard x <= LIMIT; sync take[right]!; assign x = 0; },
        eat -> tidy { guard x >= EAT; sync release[right]!; assign x = 0; },
        tidy -> think { sync release[left]!; };
}

process Fork(const seat_t i) {
    state
        free,
        taken;

    init free;

    trans
        free -> taken { sync take[i]?; },
        taken -> free { sync release[i]?; };
}

system Philosopher, Fork;
";

const TCK: &str = r"# Dining philosophers with a time limit, $N of them.
# Neighbours eat at the same time if eat0 and eat1 are found together, or any other two in a row.

system:dining_philosophers_$N

";

const TCK_EVENTS: &str = r"event:take$I
event:release$I
";

const TCK_PHILOSOPHER: &str = r"
process:Philosopher$I
clock:1:x$I
location:Philosopher$I:think{initial:}
location:Philosopher$I:try{invariant: x$I<=3 : labels: try$I}
location:Philosopher$I:eat{invariant: x$I<=10 : labels: eat$I}
location:Philosopher$I:tidy{invariant: x$I<=0}
edge:Philosopher$I:think:try:take$LEFT{do: x$I=0}
edge:Philosopher$I:try:think:release$LEFT{provided: x$I>=3}
edge:Philosopher$I:try:eat:take$I{provided: x$I<=3 : do: x$I=0}
edge:Philosopher$I:eat:tidy:release$I{provided: x$I>=10 : do: x$I=0}
edge:Philosopher$I:tidy:think:release$LEFT
";

const TCK_FORK: &str = r"
process:Fork$I
location:Fork$I:free{initial:}
location:Fork$I:taken
edge:Fork$I:free:taken:take$I
edge:Fork$I:taken:free:release$I
";

const TCK_SYNC: &str = r"sync:Philosopher$I@take$LEFT:Fork$LEFT@take$LEFT
sync:Philosopher$I@take$I:Fork$I@take$I
sync:Philosopher$I@release$LEFT:Fork$LEFT@release$LEFT
sync:Philosopher$I@release$I:Fork$I@release$I
";

/// Stored, visited and transitions, in this order; with `reach` visited and transitions.
const KNOWN: &[Known] = &[
    reach(2, LUPL, 15, 28),
    bfs(2, LUPL, [11, 11, 20]),
    dfs(2, LUPL, [11, 11, 20]),
    alu(2, [11, 11, 20]),
    reach(3, LUPL, 274, 648),
    bfs(3, LUPL, [40, 40, 108]),
    dfs(3, LUPL, [40, 53, 142]),
    alu(3, [40, 40, 108]),
    reach(4, LUPL, 8_861, 25_096),
    bfs(4, LUPL, [177, 177, 644]),
    dfs(4, LUPL, [177, 355, 1_167]),
    alu(4, [177, 177, 644]),
    bfs(5, LUPL, [911, 911, 4_145]),
    dfs(5, LUPL, [911, 3_527, 13_349]),
    alu(5, [911, 911, 4_145]),
    bfs(6, LUPL, [5_480, 5_480, 30_042]),
    dfs(6, LUPL, [5_480, 37_258, 162_977]),
    alu(6, [5_480, 5_480, 30_042]),
];
