//! CSMA/CD: stations share a bus, listen before they send, and detect collisions.
//!
//! Ethernet's way to share a medium. A station that wants to send begins if it takes the bus to be idle; a
//! signal needs up to `SIGMA` to reach everybody, so another may begin as well, and they collide; the bus
//! then tells all stations, one after the other in no time, and they try again within `2·SIGMA`. Sending a
//! message takes `LAMBDA`. The times, 26 and 808 microseconds, are those of Ethernet at 10 Mbit/s. The timed
//! model goes back to `[NicollinSifakisYovine1992]`, and every tool since Kronos has had one.
//!
//! This is the variant in which a station that is about to retry and finds the bus busy stays in `Retry`.
//! Models without that loop are in circulation. They are easily taken for this one: with 4 stations and
//! Extra_LU+ they store the same 258 states, but have 487 transitions instead of 583, and they lock: the
//! station neither may begin nor can wait any longer.
//!
//! The property is that collisions are detected in time: two stations send at the same time for less than
//! `2·SIGMA`. It holds. The bus may however tell a station later than `SIGMA` after it began, which this
//! station does not expect: there the model is stuck.
//!
//! With Extra_LU+, bounds for each location and inclusion, `2^N (N³+6N²+11N−12)/12 + 2` states are stored,
//! and breadth-first search visits no more than that. The figures in `[HerbreteauTran2015]` are those of the
//! variant in which all stations are told at once (`csmacd_broadcast.rs`).

use crate::family::{Family, Query};
use crate::known::Known;
use crate::known::row::{LUG, LUL, LUPG, LUPL, MG, ML, MPG, MPL, alu, bfs, dfs, reach};
use crate::text::{each, fill};

pub(crate) const FAMILY: Family = Family {
    name: "csmacd",
    summary: "CSMA/CD: stations that share a bus and detect collisions",
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
    let bus = fill(TCK_BUS, &[("$LAST", n + 1)]) + &each(1, n, TCK_DETECTION);
    fill(TCK, &[("$N", n)]) + &each(1, n, "event:cd$I\n") + &bus + &each(1, n, TCK_STATION)
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
        Query::new(true, "A collision can be reported later than a station accepts.", "E<> deadlock"),
    ]
}

const XTA: &str = r"// CSMA/CD: carrier sense, multiple access with collision detection.

const int N = $N;           // how many stations
const int LAMBDA = 808;    // sending a message takes this long
const int SIGMA = 26;      // a signal reaches everybody within this time

typedef int[1, N] id_t;

chan begin, busy, end;
chan cd[id_t];             // collision detected

process Bus() {
    clock y;
    int[1, N + 1] j = 1;   // whom to tell of a collision

    state
        Idle,
        Active,
        Collision { y < SIGMA },
        Report;

    commit Report;
    init Idle;

    trans
        Idle -> Active { sync begin?; assign y = 0; },
        Active -> Collision { guard y < SIGMA; sync begin?; assign y = 0; },
        Active -> Active { guard y >= SIGMA; sync busy!; },
        Active -> Idle { sync end?; assign y = 0; },
        Collision -> Report { guard y < SIGMA; assign j = 1; },
        Report -> Idle { guard j == N + 1 && y < SIGMA; assign y = 0, j = 1; },
        Report -> Report { select i : id_t; guard j == i; sync cd[i]!; assign j = j + 1; };
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
        Wait -> Wait { sync cd[i]?; assign x = 0; },
        Wait -> Retry { sync cd[i]?; assign x = 0; },
        Send -> Wait { guard x == LAMBDA; sync end!; assign x = 0; },
        Send -> Retry { guard x < SIGMA; sync cd[i]?; assign x = 0; },
        Retry -> Send { guard x < 2 * SIGMA; sync begin!; assign x = 0; },
        Retry -> Retry { guard x < 2 * SIGMA; sync busy?; assign x = 0; },
        Retry -> Retry { guard x < 2 * SIGMA; sync cd[i]?; assign x = 0; };
}

system Bus, Station;
";

const TCK: &str = r"# CSMA/CD: carrier sense, multiple access with collision detection, $N stations.
# Messages collide where collision is found, a station sends where send1 is, or any other.

system:csmacd_$N

event:tau
event:begin
event:busy
event:end
event:cd
";

const TCK_BUS: &str = r"
process:Bus
clock:1:y
int:1:1:$LAST:1:j
location:Bus:Idle{initial:}
location:Bus:Active
location:Bus:Collision{invariant: y<26 : labels: collision}
location:Bus:Report{committed:}
edge:Bus:Idle:Active:begin{do: y=0}
edge:Bus:Active:Collision:begin{provided: y<26 : do: y=0}
edge:Bus:Active:Active:busy{provided: y>=26}
edge:Bus:Active:Idle:end{do: y=0}
edge:Bus:Collision:Report:tau{provided: y<26 : do: j=1}
edge:Bus:Report:Idle:tau{provided: j==$LAST && y<26 : do: y=0; j=1}
";

const TCK_DETECTION: &str = r"edge:Bus:Report:Report:cd$I{provided: j==$I : do: j=j+1}
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
edge:Station$I:Send:Retry:cd{provided: x$I<26 : do: x$I=0}
edge:Station$I:Retry:Send:begin{provided: x$I<52 : do: x$I=0}
edge:Station$I:Retry:Retry:busy{provided: x$I<52 : do: x$I=0}
edge:Station$I:Retry:Retry:cd{provided: x$I<52 : do: x$I=0}
sync:Bus@begin:Station$I@begin
sync:Bus@busy:Station$I@busy
sync:Bus@cd$I:Station$I@cd
sync:Bus@end:Station$I@end
";

/// Stored, visited and transitions, in this order; with `reach` visited and transitions.
const KNOWN: &[Known] = &[
    reach(3, MG, 1_024, 2_308),
    bfs(3, MG, [109, 109, 279]),
    reach(3, MPG, 928, 2_086),
    bfs(3, MPG, [115, 115, 309]),
    reach(3, LUG, 1_024, 2_308),
    bfs(3, LUG, [109, 109, 279]),
    reach(3, LUPG, 928, 2_086),
    bfs(3, LUPG, [115, 115, 309]),
    reach(3, ML, 458, 917),
    bfs(3, ML, [85, 85, 189]),
    reach(3, MPL, 458, 917),
    bfs(3, MPL, [85, 85, 189]),
    reach(3, LUL, 391, 757),
    bfs(3, LUL, [70, 70, 147]),
    reach(3, LUPL, 391, 757),
    bfs(3, LUPL, [70, 70, 147]),
    dfs(3, LUPL, [70, 169, 349]),
    alu(3, [70, 70, 147]),
    reach(4, MG, 12_799, 39_085),
    bfs(4, MG, [818, 818, 2_674]),
    reach(4, MPG, 9_977, 29_360),
    bfs(4, MPG, [862, 862, 2_736]),
    reach(4, LUG, 12_799, 39_085),
    bfs(4, LUG, [818, 818, 2_674]),
    reach(4, LUPG, 9_977, 29_360),
    bfs(4, LUPG, [862, 862, 2_736]),
    reach(4, ML, 3_204, 8_843),
    bfs(4, ML, [448, 448, 1_251]),
    reach(4, MPL, 3_204, 8_843),
    bfs(4, MPL, [448, 448, 1_251]),
    reach(4, LUL, 1_979, 5_103),
    bfs(4, LUL, [258, 258, 583]),
    reach(4, LUPL, 1_979, 5_103),
    bfs(4, LUPL, [258, 258, 583]),
    dfs(4, LUPL, [258, 783, 2_102]),
    alu(4, [258, 258, 583]),
    bfs(5, MG, [6_520, 6_520, 25_810]),
    reach(5, MPG, 91_686, 335_449),
    bfs(5, MPG, [5_969, 5_969, 21_671]),
    bfs(5, LUG, [6_520, 6_520, 25_810]),
    reach(5, LUPG, 91_686, 335_449),
    bfs(5, LUPG, [5_969, 5_969, 21_671]),
    reach(5, ML, 22_728, 81_353),
    bfs(5, ML, [2_572, 2_572, 9_090]),
    reach(5, MPL, 22_728, 81_353),
    bfs(5, MPL, [2_572, 2_572, 9_090]),
    reach(5, LUL, 8_582, 27_403),
    bfs(5, LUL, [850, 850, 1_977]),
    reach(5, LUPL, 8_582, 27_403),
    bfs(5, LUPL, [850, 850, 1_977]),
    dfs(5, LUPL, [850, 2_410, 7_718]),
    alu(5, [850, 850, 1_977]),
    bfs(6, MG, [55_702, 55_702, 263_256]),
    bfs(6, MPG, [41_516, 41_516, 178_189]),
    bfs(6, LUPG, [41_516, 41_516, 178_189]),
    bfs(6, ML, [16_938, 16_938, 74_748]),
    bfs(6, MPL, [16_938, 16_938, 74_748]),
    reach(6, LUL, 34_098, 128_767),
    bfs(6, LUL, [2_594, 2_594, 6_081]),
    reach(6, LUPL, 34_098, 128_767),
    bfs(6, LUPL, [2_594, 2_594, 6_081]),
    dfs(6, LUPL, [2_594, 6_616, 23_850]),
    alu(6, [2_594, 2_594, 6_081]),
    bfs(7, LUL, [7_490, 7_490, 17_511]),
    reach(7, LUPL, 128_337, 555_211),
    bfs(7, LUPL, [7_490, 7_490, 17_511]),
    dfs(7, LUPL, [7_490, 17_205, 67_388]),
    alu(7, [7_490, 7_490, 17_511]),
    bfs(8, LUPL, [20_738, 20_738, 48_091]),
    dfs(8, LUPL, [20_738, 43_225, 179_390]),
    alu(8, [20_738, 20_738, 48_091]),
    bfs(9, LUPL, [55_554, 55_554, 127_437]),
    alu(9, [55_554, 55_554, 127_437]),
];
