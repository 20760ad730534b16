//! CSMA/CD with one report of a collision: the bus tells all stations at the same time.
//!
//! The protocol of `csmacd.rs` as `[TripakisYovine2001]` has it: what is there a round in which the bus tells
//! one station after the other is one synchronisation of all processes here. A station that waits then continues
//! waiting or will retry, whichever it likes, so that a collision has up to `2^(N−2)` outcomes. As in
//! `csmacd.rs`, a station that is about to retry may find the bus busy and stay in `Retry`; without that loop
//! as many states are stored, but breadth-first search visits about twice as many.
//!
//! Stations take the report whenever it comes. The original asks for `x < SIGMA` where the station sends, which
//! UPPAAL did not allow where many receive. It makes no difference to the zone graph: a collision can be
//! reported at once, and the report resets all clocks that matter. It does to runs: without it a report
//! never comes too late, and nothing is ever stuck, as stations of `csmacd.rs` can be.
//!
//! With Extra_LU+, bounds for each location and inclusion, `2^(N−2) (N²+3N+4) − N` states are stored.
//! For 10, 11 and 12 that is 34,294, 80,885 and 188,404, as in Table 1 of `[HerbreteauTran2015]`. What
//! breadth-first search visits depends on the order in which outcomes of a collision are examined. It visits
//! 39,698, 98,118 and 239,128 states, the paper's figures, if the first station's choice changes fastest and
//! waiting comes before retrying; and it has then stored as many states at a time, up to 48,286, 124,220 and
//! 311,879. That is why the stations are listed backwards where all synchronise: of those listed, the last
//! changes fastest. Listed forwards, 39,958 states are visited for 10 stations. UPPAAL's text cannot choose: it
//! has the same states in store, and other numbers visited.

use crate::family::{Family, Query};
use crate::known::Known;
use crate::known::row::{LUPL, alu, bfs, dfs, reach};
use crate::text::{each, fill};

pub(crate) const FAMILY: Family = Family {
    name: "csmacd-broadcast",
    summary: "CSMA/CD, where a collision is reported to all stations at once",
    parameter: "number of stations",
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
    let everybody: String = (1..=n).rev().map(|i| format!(":Station{i}@cd")).collect();
    fill(TCK, &[("$N", n)]) + &each(1, n, TCK_STATION) + "\nsync:Bus@cd" + &everybody + "\n"
}

fn queries(_: u32) -> Vec<Query> {
    vec![
        Query::new(
            true,
            "Two stations send at the same time for less than twice the time a signal needs.",
            "A[] forall (i : id_t) forall (j : id_t) \
             i != j && Station(i).Send && Station(j).Send imply Station(i).x < 2 * SIGMA",
        ),
        Query::new(true, "A message can get through.", "E<> Station(1).Send && Station(1).x == LAMBDA"),
        Query::new(true, "Messages can collide.", "E<> Bus.Collision"),
        Query::new(
            true,
            "Everybody can be sent back to try again.",
            "E<> forall (i : id_t) Station(i).Retry",
        ),
        Query::new(true, "Something can always happen.", "A[] not deadlock"),
    ]
}

const XTA: &str = r"// CSMA/CD: carrier sense, multiple access with collision detection, reported to all at once.

const int N = $N;           // how many stations
const int LAMBDA = 808;    // sending a message takes this long
const int SIGMA = 26;      // a signal reaches everybody within this time

typedef int[1, N] id_t;

chan begin, busy, end;
broadcast chan cd;         // collision detected

process Bus() {
    clock y;

    state
        Idle,
        Active,
        Collision { y < SIGMA };

    init Idle;

    trans
        Idle -> Active { sync begin?; assign y = 0; },
        Active -> Collision { guard y < SIGMA; sync begin?; assign y = 0; },
        Active -> Active { guard y >= SIGMA; sync busy!; },
        Active -> Idle { sync end?; assign y = 0; },
        Collision -> Idle { guard y < SIGMA; sync cd!; assign y = 0; };
}

process Station(const id_t i) {
    clock x;

    state
        Wait,
        Send { x <= LAMBDA },
        Retry { x < 2 * SIGMA };

    init Wait;

    trans
        Wait -> Send { sync begin!; assign x = 0; },
        Wait -> Retry { sync busy?; assign x = 0; },
        Wait -> Wait { sync cd?; assign x = 0; },
        Wait -> Retry { sync cd?; assign x = 0; },
        Send -> Wait { guard x == LAMBDA; sync end!; assign x = 0; },
        Send -> Retry { sync cd?; assign x = 0; },
        Retry -> Send { guard x < 2 * SIGMA; sync begin!; assign x = 0; },
        Retry -> Retry { guard x < 2 * SIGMA; sync busy?; assign x = 0; },
        Retry -> Retry { sync cd?; assign x = 0; };
}

system Bus, Station;
";

const TCK: &str = r"# CSMA/CD: carrier sense, multiple access with collision detection, $N stations.
# A collision is reported to all at once. Messages collide where collision is found, a station sends where
# send1 is, or any other.

system:csmacd_broadcast_$N

event:begin
event:busy
event:end
event:cd

process:Bus
clock:1:y
location:Bus:Idle{initial:}
location:Bus:Active
location:Bus:Collision{invariant: y<26 : labels: collision}
edge:Bus:Idle:Active:begin{do: y=0}
edge:Bus:Active:Collision:begin{provided: y<26 : do: y=0}
edge:Bus:Active:Active:busy{provided: y>=26}
edge:Bus:Active:Idle:end{do: y=0}
edge:Bus:Collision:Idle:cd{provided: y<26 : do: y=0}
";

const TCK_STATION: &str = r"
process:Station$I
clock:1:x$I
location:Station$I:Wait{initial:}
location:Station$I:Send{invariant: x$I<=808 : labels: send$I}
location:Station$I:Retry{invariant: x$I<52 : labels: retry$I}
edge:Station$I:Wait:Send:begin{do: x$I=0}
edge:Station$I:Wait:Retry:busy{do: x$I=0}
edge:Station$I:Wait:Wait:cd{do: x$I=0}
edge:Station$I:Wait:Retry:cd{do: x$I=0}
edge:Station$I:Send:Wait:end{provided: x$I==808 : do: x$I=0}
edge:Station$I:Send:Retry:cd{do: x$I=0}
edge:Station$I:Retry:Send:begin{provided: x$I<52 : do: x$I=0}
edge:Station$I:Retry:Retry:busy{provided: x$I<52 : do: x$I=0}
edge:Station$I:Retry:Retry:cd{do: x$I=0}
sync:Bus@begin:Station$I@begin
sync:Bus@busy:Station$I@busy
sync:Bus@end:Station$I@end
";

/// Stored, visited and transitions, in this order; with `reach` visited and transitions.
const KNOWN: &[Known] = &[
    reach(2, LUPL, 48, 64),
    bfs(2, LUPL, [12, 12, 24]),
    dfs(2, LUPL, [12, 27, 40]),
    alu(2, [12, 12, 24]),
    reach(3, LUPL, 317, 687),
    bfs(3, LUPL, [41, 41, 120]),
    dfs(3, LUPL, [41, 135, 316]),
    alu(3, [41, 41, 120]),
    reach(4, LUPL, 1_546, 4_740),
    bfs(4, LUPL, [124, 124, 480]),
    dfs(4, LUPL, [124, 573, 1_856]),
    alu(4, [124, 124, 480]),
    reach(5, LUPL, 6_517, 26_025),
    bfs(5, LUPL, [347, 347, 1_720]),
    dfs(5, LUPL, [347, 1_842, 7_793]),
    alu(5, [347, 347, 1_720]),
    reach(6, LUPL, 25_290, 125_094),
    bfs(6, LUPL, [922, 928, 5_886]),
    dfs(6, LUPL, [922, 5_193, 27_598]),
    alu(6, [922, 928, 5_886]),
    reach(7, LUPL, 93_193, 552_923),
    bfs(7, LUPL, [2_361, 2_424, 19_950]),
    dfs(7, LUPL, [2_361, 12_899, 84_394]),
    alu(7, [2_361, 2_424, 19_950]),
    bfs(8, LUPL, [5_880, 6_238, 67_850]),
    dfs(8, LUPL, [5_880, 30_840, 246_361]),
    bfs(10, LUPL, [34_294, 39_698, 792_636]),
];
