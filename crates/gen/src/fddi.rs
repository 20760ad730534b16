//! FDDI: a ring of stations in which a token gives the right to send.
//!
//! The token goes round. A station that gets it always sends its synchronous messages, for `SA`. If the token
//! came early, less than `TTRT` after the last time, the station may send asynchronous messages too, until
//! `TTRT + SA` after the time before. So that it can tell, a station has a clock `trt` since the token came,
//! and two clocks that take turns: what is called `1` here restarts `y` and is limited by `x`, what is called
//! `2` the other way round. The ring passes the token on in no time (`TD` is 0). The target time `TTRT` is 50
//! for each station, `SA` is 20. Modelled for Kronos `[DawsOliveroTripakisYovine1996]`.
//!
//! The property is that one station at most has the token; it holds by the shape of the ring.
//!
//! Few states, many clocks, and a search that goes wrong: with Extra_LU+ and bounds for each location
//! `5N²+2N+5` states are stored (from 3 stations on), with a_LU `4N²+6N−1`, but breadth-first search visits a
//! number that doubles with each station, since it finds small zones before large ones. Depth-first search
//! makes no mistake. The figures for 8 and 10 are those of Table 1 of `[HerbreteauTran2015]`.

use crate::family::{Family, Query};
use crate::known::Known;
use crate::known::row::{LUG, LUL, LUPG, LUPL, MG, ML, MPG, MPL, alu, bfs, dfs, reach};
use crate::text::{each, fill};

pub(crate) const FAMILY: Family = Family {
    name: "fddi",
    summary: "FDDI: a token ring with synchronous and asynchronous messages",
    parameter: "number of stations",
    sizes: 2..=500,
    xta,
    tck,
    queries,
    known: KNOWN,
};

/// The target rotation time for each station.
const TARGET: u32 = 50;

fn xta(n: u32) -> String {
    fill(XTA, &[("$N", n), ("$TARGET", TARGET)])
}

fn tck(n: u32) -> String {
    let stations = each(1, n, TCK_TOKEN) + &each(1, n, TCK_STATION);
    let ring =
        TCK_RING.to_owned() + &each(1, n, TCK_GIVE) + &each(1, n, TCK_GET) + "\n" + &each(1, n, TCK_SYNC);
    let (target, limit) = (TARGET * n, TARGET * n + 20);
    fill(&(TCK.to_owned() + &stations + &ring), &[("$TARGET", target), ("$LIMIT", limit), ("$N", n)])
}

fn queries(_: u32) -> Vec<Query> {
    vec![
        Query::new(
            true,
            "No two stations have the token.",
            "A[] forall (i : id_t) forall (j : id_t) i != j imply \
             Station(i).idle1 || Station(i).idle2 || Station(j).idle1 || Station(j).idle2",
        ),
        Query::new(true, "The last station can send asynchronous messages.", "E<> Station(N).async1"),
        Query::new(true, "The token can come late.", "E<> Station(1).late2"),
        Query::new(
            true,
            "A station gives the token away in time.",
            "A[] forall (i : id_t) Station(i).async1 imply Station(i).x <= TTRT + SA",
        ),
    ]
}

const XTA: &str = r"// FDDI: a token ring.

const int N = $N;                  // how many stations
const int TTRT = $TARGET * N;          // how long the token should take to go round
const int SA = 20;                // how long a station sends synchronous messages
const int TD = 0;                 // how long the token takes from one station to the next

typedef int[1, N] id_t;

chan take[id_t], release[id_t];

process Station(const id_t i) {
    clock trt;                    // since the token came
    clock x, y;                   // since it came the time before, by turns

    state
        idle1,
        late1 { trt <= SA },
        sync1 { trt <= SA },
        async1 { x <= TTRT + SA },
        idle2,
        late2 { trt <= SA },
        sync2 { trt <= SA },
        async2 { y <= TTRT + SA };

    init idle1;

    trans
        idle1 -> late1 { guard trt >= TTRT; sync take[i]?; assign trt = 0, y = 0; },
        idle1 -> sync1 { guard trt < TTRT; sync take[i]?; assign trt = 0, y = 0; },
        late1 -> idle2 { guard trt == SA; sync release[i]!; },
        sync1 -> async1 { guard trt == SA; },
        async1 -> idle2 { sync release[i]!; },
        idle2 -> late2 { guard trt >= TTRT; sync take[i]?; assign trt = 0, x = 0; },
        idle2 -> sync2 { guard trt < TTRT; sync take[i]?; assign trt = 0, x = 0; },
        late2 -> idle1 { guard trt == SA; sync release[i]!; },
        sync2 -> async2 { guard trt == SA; },
        async2 -> idle1 { sync release[i]!; };
}

process Ring() {
    clock t;
    id_t next = 1;                // who has the token, or gets it next

    state
        pass { t <= TD },
        wait;

    init pass;

    trans
        pass -> wait { guard t == TD; sync take[next]!; },
        wait -> pass { sync release[next]?; assign t = 0, next = next % N + 1; };
}

system Station, Ring;
";

const TCK: &str = r"# FDDI: a token ring of $N stations.
# Two stations have the token if token1 and token2 are found together, or any other two.

system:fddi_$N

event:tau
event:take
event:release
";

const TCK_TOKEN: &str = r"event:take$I
event:release$I
";

const TCK_STATION: &str = r"
process:Station$I
clock:1:trt$I
clock:1:x$I
clock:1:y$I
location:Station$I:idle1{initial:}
location:Station$I:late1{invariant: trt$I<=20 : labels: token$I}
location:Station$I:sync1{invariant: trt$I<=20 : labels: token$I}
location:Station$I:async1{invariant: x$I<=$LIMIT : labels: token$I,async$I}
location:Station$I:idle2
location:Station$I:late2{invariant: trt$I<=20 : labels: token$I}
location:Station$I:sync2{invariant: trt$I<=20 : labels: token$I}
location:Station$I:async2{invariant: y$I<=$LIMIT : labels: token$I,async$I}
edge:Station$I:idle1:late1:take{provided: trt$I>=$TARGET : do: trt$I=0; y$I=0}
edge:Station$I:idle1:sync1:take{provided: trt$I<$TARGET : do: trt$I=0; y$I=0}
edge:Station$I:late1:idle2:release{provided: trt$I==20}
edge:Station$I:sync1:async1:tau{provided: trt$I==20}
edge:Station$I:async1:idle2:release
edge:Station$I:idle2:late2:take{provided: trt$I>=$TARGET : do: trt$I=0; x$I=0}
edge:Station$I:idle2:sync2:take{provided: trt$I<$TARGET : do: trt$I=0; x$I=0}
edge:Station$I:late2:idle1:release{provided: trt$I==20}
edge:Station$I:sync2:async2:tau{provided: trt$I==20}
edge:Station$I:async2:idle1:release
";

const TCK_RING: &str = r"
process:Ring
clock:1:t
int:1:1:$N:1:next
location:Ring:pass{initial: : invariant: t<=0}
location:Ring:wait
";

const TCK_GIVE: &str = r"edge:Ring:pass:wait:take$I{provided: next==$I && t==0}
";

const TCK_GET: &str = r"edge:Ring:wait:pass:release$I{provided: next==$I : do: t=0; next=next%$N+1}
";

const TCK_SYNC: &str = r"sync:Station$I@take:Ring@take$I
sync:Station$I@release:Ring@release$I
";

/// Stored, visited and transitions, in this order; with `reach` visited and transitions.
const KNOWN: &[Known] = &[
    reach(2, MG, 126, 158),
    bfs(2, MG, [68, 82, 103]),
    reach(2, MPG, 122, 152),
    bfs(2, MPG, [66, 82, 103]),
    reach(2, LUG, 91, 112),
    bfs(2, LUG, [28, 39, 49]),
    reach(2, LUPG, 89, 109),
    bfs(2, LUPG, [30, 36, 45]),
    reach(2, ML, 81, 96),
    bfs(2, ML, [30, 43, 52]),
    reach(2, MPL, 81, 96),
    bfs(2, MPL, [30, 43, 52]),
    reach(2, LUL, 71, 86),
    bfs(2, LUL, [28, 35, 44]),
    reach(2, LUPL, 71, 86),
    bfs(2, LUPL, [28, 35, 44]),
    dfs(2, LUPL, [28, 28, 36]),
    alu(2, [27, 35, 44]),
    reach(3, MG, 508, 636),
    bfs(3, MG, [231, 310, 387]),
    reach(3, MPG, 442, 551),
    bfs(3, MPG, [179, 268, 337]),
    reach(3, LUG, 328, 404),
    bfs(3, LUG, [57, 101, 129]),
    reach(3, LUPG, 284, 348),
    bfs(3, LUPG, [76, 95, 120]),
    reach(3, ML, 249, 293),
    bfs(3, ML, [59, 104, 127]),
    reach(3, MPL, 249, 293),
    bfs(3, MPL, [59, 104, 127]),
    reach(3, LUL, 219, 263),
    bfs(3, LUL, [57, 82, 105]),
    reach(3, LUPL, 219, 263),
    bfs(3, LUPL, [56, 82, 105]),
    dfs(3, LUPL, [56, 56, 74]),
    alu(3, [53, 82, 105]),
    reach(4, MG, 1_801, 2_246),
    bfs(4, MG, [662, 1_002, 1_241]),
    reach(4, MPG, 1_365, 1_702),
    bfs(4, MPG, [373, 703, 889]),
    reach(4, LUG, 970, 1_193),
    bfs(4, LUG, [96, 225, 291]),
    reach(4, LUPG, 769, 943),
    bfs(4, LUPG, [151, 219, 283]),
    reach(4, ML, 665, 780),
    bfs(4, ML, [98, 221, 274]),
    reach(4, MPL, 665, 780),
    bfs(4, MPL, [97, 221, 274]),
    reach(4, LUL, 587, 702),
    bfs(4, LUL, [96, 175, 228]),
    reach(4, LUPL, 587, 702),
    bfs(4, LUPL, [93, 175, 228]),
    dfs(4, LUPL, [93, 93, 125]),
    alu(4, [87, 175, 228]),
    reach(5, MG, 6_006, 7_477),
    bfs(5, MG, [1_719, 3_013, 3_708]),
    reach(5, MPG, 3_874, 4_830),
    bfs(5, MPG, [680, 1_712, 2_171]),
    reach(5, LUG, 2_598, 3_196),
    bfs(5, LUG, [145, 465, 607]),
    reach(5, LUPG, 1_928, 2_364),
    bfs(5, LUPG, [285, 481, 630]),
    reach(5, ML, 1_651, 1_933),
    bfs(5, ML, [147, 446, 559]),
    reach(5, MPL, 1_651, 1_933),
    bfs(5, MPL, [144, 446, 559]),
    reach(5, LUL, 1_461, 1_743),
    bfs(5, LUL, [145, 352, 465]),
    reach(5, LUPL, 1_461, 1_743),
    bfs(5, LUPL, [140, 352, 465]),
    dfs(5, LUPL, [140, 140, 190]),
    alu(5, [129, 352, 465]),
    reach(6, MG, 19_375, 24_111),
    bfs(6, MG, [4_198, 8_714, 10_682]),
    reach(6, MPG, 10_409, 12_976),
    bfs(6, MPG, [1_127, 4_007, 5_087]),
    reach(6, LUG, 6_559, 8_081),
    bfs(6, LUG, [204, 931, 1_225]),
    reach(6, LUPG, 4_617, 5_659),
    bfs(6, LUPG, [462, 986, 1_305]),
    reach(6, ML, 3_927, 4_592),
    bfs(6, ML, [206, 881, 1_114]),
    reach(6, MPL, 3_927, 4_592),
    bfs(6, MPL, [201, 881, 1_114]),
    reach(6, LUL, 3_481, 4_146),
    bfs(6, LUL, [204, 691, 924]),
    reach(6, LUPL, 3_481, 4_146),
    bfs(6, LUPL, [197, 691, 924]),
    dfs(6, LUPL, [197, 197, 269]),
    alu(6, [179, 691, 924]),
    bfs(7, MPG, [1_741, 9_156, 11_625]),
    reach(7, LUG, 15_945, 19_692),
    bfs(7, LUG, [273, 1_843, 2_441]),
    reach(7, LUPG, 10_732, 13_148),
    bfs(7, LUPG, [724, 1_992, 2_659]),
    reach(7, ML, 9_085, 10_613),
    bfs(7, ML, [275, 1_730, 2_203]),
    reach(7, MPL, 9_085, 10_613),
    bfs(7, MPL, [268, 1_730, 2_203]),
    reach(7, LUL, 8_063, 9_591),
    bfs(7, LUL, [273, 1_348, 1_821]),
    reach(7, LUPL, 8_063, 9_591),
    bfs(7, LUPL, [264, 1_348, 1_821]),
    dfs(7, LUPL, [264, 264, 362]),
    alu(7, [237, 1_348, 1_821]),
    bfs(8, LUG, [352, 3_641, 4_847]),
    reach(8, LUPG, 24_433, 29_919),
    bfs(8, LUPG, [1_053, 3_967, 5_327]),
    bfs(8, ML, [354, 3_401, 4_354]),
    bfs(8, MPL, [345, 3_401, 4_354]),
    reach(8, LUL, 18_311, 21_758),
    bfs(8, LUL, [352, 2_635, 3_588]),
    reach(8, LUPL, 18_311, 21_758),
    bfs(8, LUPL, [341, 2_635, 3_588]),
    dfs(8, LUPL, [341, 341, 469]),
    alu(8, [303, 2_635, 3_588]),
    reach(9, LUPL, 40_977, 48_647),
    bfs(9, LUPL, [428, 5_176, 7_089]),
    dfs(9, LUPL, [428, 428, 590]),
    alu(9, [377, 5_176, 7_089]),
    bfs(10, LUPL, [525, 10_219, 14_052]),
    dfs(10, LUPL, [525, 525, 725]),
    alu(10, [459, 10_219, 14_052]),
];
