//! The bridge: vikings who have to cross at night with one torch, two at a time, each at his own pace.
//!
//! The bridge carries two, nobody crosses without the torch, and two go as slowly as the slower of them. Four
//! take 5, 10, 20 and 25 to cross; with more than four these times repeat. A puzzle that has been given to
//! model checkers since `[RuysBrinksma1998]`: a schedule is a run, the best one a fastest run.
//!
//! The torch is where `side` says. Whoever takes it may be joined at once by a second one; `taken` is urgent
//! so that both start at the same time. They arrive one by one, and the torch is free again when both have.
//! The clock `time` is never tested and never reset: it is there to be asked about.
//!
//! The question is how fast all can be on the safe side: in 60 for four. For any number the answer is that of
//! `[Rote2002]`: as long as more than three are left, the two slowest are brought over in the better of two
//! ways, either each by the fastest, or both together with the two fastest carrying the torch.
//!
//! Small: 206 states for four, and in all that was measured no state is covered by a larger one, so that
//! every search visits the same.

use crate::family::{Family, Query};
use crate::known::Known;
use crate::known::row::{LUPL, alu, bfs, dfs, reach};
use crate::text::{each, fill};

pub(crate) const FAMILY: Family = Family {
    name: "bridge",
    summary: "vikings who cross a bridge at night with one torch, two at a time",
    parameter: "number of vikings",
    sizes: 1..=1000,
    xta,
    tck,
    queries,
    known: KNOWN,
};

/// How long each of four vikings takes to cross; the fifth is as fast as the first.
const PACES: [u32; 4] = [5, 10, 20, 25];

fn pace(viking: u32) -> u32 {
    PACES[viking as usize % PACES.len()]
}

/// The least time in which so many vikings can be on the safe side.
fn fastest(n: u32) -> u32 {
    let mut paces: Vec<u32> = (0..n).map(pace).collect();
    paces.sort_unstable();
    let mut left = paces.as_slice();
    let mut total = 0;
    while let [first, second, .., second_last, last] = *left {
        let escorted = first + second_last + first + last;
        let together = second + first + last + second;
        total += escorted.min(together);
        left = &left[..left.len() - 2];
    }
    total
        + match *left {
            [a, b, c] => a + b + c,
            [.., slowest] => slowest,
            [] => 0,
        }
}

fn xta(n: u32) -> String {
    fill(XTA, &[("$N", n)])
}

fn tck(n: u32) -> String {
    let mut text = fill(TCK, &[("$N", n)]);
    for i in 0..n {
        text += &fill(TCK_VIKING, &[("$I", i), ("$PACE", pace(i))]);
    }
    text + TCK_TORCH + &each(0, n - 1, TCK_SYNC)
}

fn queries(n: u32) -> Vec<Query> {
    let (all_safe, best) = ("(forall (i : id_t) Viking(i).safe)", fastest(n));
    vec![
        Query::new(true, "All can get to the safe side.", &format!("E<> {all_safe}")),
        Query::new(true, "They can do it in this time.", &format!("E<> {all_safe} && time <= {best}")),
        Query::new(true, "They cannot do it faster.", &format!("A[] {all_safe} imply time >= {best}")),
        Query::new(
            true,
            "The bridge carries two at most.",
            "A[] (sum (i : id_t) (Viking(i).there || Viking(i).back)) <= 2",
        ),
    ]
}

const XTA: &str = r"// Vikings who cross a bridge at night.

const int N = $N;                              // how many vikings
const int PACES[4] = { 5, 10, 20, 25 };       // how long they take to cross; the fifth as long as the first

typedef int[0, N - 1] id_t;

chan take, release;
clock time;                                   // since the beginning, to be asked about
int[0, 1] side = 0;                           // where the torch is; 1: on the safe side

process Viking(const id_t i) {
    clock x;
    const int PACE = PACES[i % 4];

    state
        unsafe,
        there,
        safe,
        back;

    init unsafe;

    trans
        unsafe -> there { guard side == 0; sync take!; assign x = 0; },
        there -> safe { guard x >= PACE; sync release!; },
        safe -> back { guard side == 1; sync take!; assign x = 0; },
        back -> unsafe { guard x >= PACE; sync release!; };
}

process Torch() {
    state
        free,
        taken,
        one,
        two;

    urgent taken;
    init free;

    trans
        free -> taken { sync take?; },
        taken -> one { },
        taken -> two { sync take?; },
        two -> one { sync release?; },
        one -> free { sync release?; assign side = 1 - side; };
}

system Viking, Torch;
";

const TCK: &str = r"# Vikings who cross a bridge at night, $N of them.
# All are on the safe side where safe0, safe1 and so on are found together.

system:bridge_$N

event:tau
event:take
event:release

# since the beginning, to be asked about
clock:1:time

# where the torch is; 1: on the safe side
int:1:0:1:0:side
";

const TCK_VIKING: &str = r"
process:Viking$I
clock:1:x$I
location:Viking$I:unsafe{initial:}
location:Viking$I:there{labels: bridge$I}
location:Viking$I:safe{labels: safe$I}
location:Viking$I:back{labels: bridge$I}
edge:Viking$I:unsafe:there:take{provided: side==0 : do: x$I=0}
edge:Viking$I:there:safe:release{provided: x$I>=$PACE}
edge:Viking$I:safe:back:take{provided: side==1 : do: x$I=0}
edge:Viking$I:back:unsafe:release{provided: x$I>=$PACE}
";

const TCK_TORCH: &str = r"
process:Torch
location:Torch:free{initial:}
location:Torch:taken{urgent:}
location:Torch:one
location:Torch:two
edge:Torch:free:taken:take
edge:Torch:taken:one:tau
edge:Torch:taken:two:take
edge:Torch:two:one:release
edge:Torch:one:free:release{do: side=1-side}

";

const TCK_SYNC: &str = r"sync:Viking$I@take:Torch@take
sync:Viking$I@release:Torch@release
";

/// Stored, visited and transitions, in this order; with `reach` visited and transitions.
const KNOWN: &[Known] = &[
    reach(1, LUPL, 6, 6),
    bfs(1, LUPL, [6, 6, 6]),
    dfs(1, LUPL, [6, 6, 6]),
    alu(1, [6, 6, 6]),
    reach(2, LUPL, 24, 32),
    bfs(2, LUPL, [24, 24, 32]),
    dfs(2, LUPL, [24, 24, 32]),
    alu(2, [24, 24, 32]),
    reach(3, LUPL, 74, 120),
    bfs(3, LUPL, [74, 74, 120]),
    dfs(3, LUPL, [74, 74, 120]),
    alu(3, [74, 74, 120]),
    reach(4, LUPL, 206, 384),
    bfs(4, LUPL, [206, 206, 384]),
    dfs(4, LUPL, [206, 206, 384]),
    alu(4, [206, 206, 384]),
    reach(5, LUPL, 542, 1_120),
    bfs(5, LUPL, [542, 542, 1_120]),
    dfs(5, LUPL, [542, 542, 1_120]),
    alu(5, [542, 542, 1_120]),
    reach(6, LUPL, 1_374, 3_072),
    bfs(6, LUPL, [1_374, 1_374, 3_072]),
    dfs(6, LUPL, [1_374, 1_374, 3_072]),
    alu(6, [1_374, 1_374, 3_072]),
    reach(7, LUPL, 3_390, 8_064),
    bfs(7, LUPL, [3_390, 3_390, 8_064]),
    dfs(7, LUPL, [3_390, 3_390, 8_064]),
    alu(7, [3_390, 3_390, 8_064]),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The least time to bring the vikings of this set over, by trying every pair and everybody's way back.
    fn fastest_by_trial(unsafe_side: u32, all: u32, known: &mut Vec<Option<u32>>) -> u32 {
        let members = |set: u32| (0..u32::BITS).filter(move |i| set & (1 << i) != 0);
        if let Some(time) = known[unsafe_side as usize] {
            return time;
        }
        let mut best = u32::MAX;
        for (a, b) in members(unsafe_side).flat_map(|a| members(unsafe_side).map(move |b| (a, b))) {
            let there = pace(a).max(pace(b));
            let left = unsafe_side & !(1 << a) & !(1 << b);
            let rest = if left == 0 {
                Some(0)
            } else {
                // Somebody who came over earlier may carry the torch back; never worth more than one of them.
                members(all & !left)
                    .filter(|c| (left | 1 << c).count_ones() < unsafe_side.count_ones())
                    .map(|c| pace(c) + fastest_by_trial(left | 1 << c, all, known))
                    .min()
            };
            best = rest.map_or(best, |rest| best.min(there + rest));
        }
        known[unsafe_side as usize] = Some(best);
        best
    }

    #[test]
    fn nothing_is_faster_than_the_fastest() {
        for n in 1..=9 {
            let all = (1 << n) - 1;
            assert_eq!(fastest_by_trial(all, all, &mut vec![None; 1 << n]), fastest(n), "{n} vikings");
        }
        assert_eq!(fastest(4), 60);
    }
}
