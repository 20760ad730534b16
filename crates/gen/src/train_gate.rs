//! Train gate: trains on several tracks, one bridge, and a gate that stops them in time.
//!
//! A train says that it approaches. Within 10 it can still be stopped; if it is not, it crosses. The gate
//! lets the first one continue and stops all others at once, keeps them in a queue, and lets the next one go
//! when the bridge is free; a stopped train takes 7 to 15 to start and reach the bridge, and every train
//! takes 3 to 5 to cross. First verified in `[YiPetterssonDaniels1994]`; it is the first model that users of
//! UPPAAL see `[BehrmannDavidLarsen2004]`.
//!
//! The queue is a ring, `list` from `head` on, `length` of them waiting or crossing. Places that are not in
//! use keep their last value, and so the same situation occurs in many states: the growth comes from there.
//!
//! The property is that no two trains are on the bridge, and it holds; so do the others that the tutorial
//! asks.
//!
//! Three trains have 765 states, four 12,000, five 215,375. No search makes a mistake here: what is visited
//! is stored.

use crate::family::{Family, Query};
use crate::known::Known;
use crate::known::row::{LUPL, alu, bfs, dfs, reach};
use crate::text::{each, fill};

pub(crate) const FAMILY: Family = Family {
    name: "train-gate",
    summary: "trains that share a bridge, and a gate that stops them",
    parameter: "number of trains",
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
    let tracks: String = TCK_TRACKS.iter().map(|edge| each(0, n - 1, edge)).collect();
    let gate = TCK_GATE.to_owned() + &tracks;
    let text = TCK.to_owned() + &each(0, n - 1, TCK_EVENTS) + &gate + &each(0, n - 1, TCK_TRAIN);
    fill(&text, &[("$N", n), ("$LAST", n - 1)])
}

fn queries(_: u32) -> Vec<Query> {
    vec![
        Query::new(
            true,
            "No two trains are on the bridge.",
            "A[] forall (i : id_t) forall (j : id_t) Train(i).Cross && Train(j).Cross imply i == j",
        ),
        Query::new(true, "A train can cross.", "E<> Train(0).Cross"),
        Query::new(
            true,
            "A train can cross while all others are stopped.",
            "E<> Train(0).Cross && (forall (i : id_t) i != 0 imply Train(i).Stop)",
        ),
        Query::new(
            true,
            "Whoever crosses is at the front of the queue.",
            "A[] forall (i : id_t) Train(i).Cross imply Gate.length > 0 && Gate.list[Gate.head] == i",
        ),
        Query::new(true, "The trains never get stuck.", "A[] not deadlock"),
    ]
}

const XTA: &str = r"// Train gate.

const int N = $N;                       // how many trains

typedef int[0, N - 1] id_t;

chan appr[id_t], stop[id_t], leave[id_t], go[id_t];

process Gate() {
    id_t list[N];                      // who waits, first come first served, from head on and round
    id_t head = 0;
    int[0, N] length = 0;

    void enqueue(id_t train) {
        list[(head + length) % N] = train;
        length++;
    }

    void dequeue() {
        head = (head + 1) % N;
        length--;
    }

    bool first(id_t train) {
        return length > 0 && list[head] == train;
    }

    bool last(id_t train) {
        return length > 0 && list[(head + length - 1) % N] == train;
    }

    state
        Free,
        Occ,
        Halt;

    commit Halt;
    init Free;

    trans
        Free -> Occ { select i : id_t; guard first(i); sync go[i]!; },
        Free -> Occ { select i : id_t; guard length == 0; sync appr[i]?; assign enqueue(i); },
        Occ -> Halt { select i : id_t; sync appr[i]?; assign enqueue(i); },
        Occ -> Free { select i : id_t; guard first(i); sync leave[i]?; assign dequeue(); },
        Halt -> Occ { select i : id_t; guard last(i); sync stop[i]!; };
}

process Train(const id_t i) {
    clock x;

    state
        Safe,
        Appr { x <= 20 },
        Stop,
        Start { x <= 15 },
        Cross { x <= 5 };

    init Safe;

    trans
        Safe -> Appr { sync appr[i]!; assign x = 0; },
        Appr -> Cross { guard x >= 10; assign x = 0; },
        Appr -> Stop { guard x <= 10; sync stop[i]?; },
        Stop -> Start { sync go[i]?; assign x = 0; },
        Start -> Cross { guard x >= 7; assign x = 0; },
        Cross -> Safe { guard x >= 3; sync leave[i]!; };
}

system Gate, Train;
";

const TCK: &str = r"# Train gate, $N trains.
# Trains crash if cross0 and cross1 are found together, or any other two.

system:train_gate_$N

event:tau
event:appr
event:stop
event:go
event:leave
";

const TCK_EVENTS: &str = r"event:appr$I
event:stop$I
event:go$I
event:leave$I
";

const TCK_GATE: &str = r"
process:Gate
int:$N:0:$LAST:0:list
int:1:0:$LAST:0:head
int:1:0:$N:0:length
location:Gate:Free{initial:}
location:Gate:Occ
location:Gate:Halt{committed:}
";

const TCK_TRACKS: [&str; 5] = [
    "edge:Gate:Free:Occ:go$I{provided: length>0 && list[head]==$I}\n",
    "edge:Gate:Free:Occ:appr$I{provided: length==0 : do: list[(head+length)%$N]=$I; length=length+1}\n",
    "edge:Gate:Occ:Halt:appr$I{do: list[(head+length)%$N]=$I; length=length+1}\n",
    "edge:Gate:Occ:Free:leave$I{provided: length>0 && list[head]==$I : do: head=(head+1)%$N; length=length-1}\n",
    "edge:Gate:Halt:Occ:stop$I{provided: length>0 && list[(head+length-1)%$N]==$I}\n",
];

const TCK_TRAIN: &str = r"
process:Train$I
clock:1:x$I
location:Train$I:Safe{initial:}
location:Train$I:Appr{invariant: x$I<=20}
location:Train$I:Stop{labels: stop$I}
location:Train$I:Start{invariant: x$I<=15}
location:Train$I:Cross{invariant: x$I<=5 : labels: cross$I}
edge:Train$I:Safe:Appr:appr{do: x$I=0}
edge:Train$I:Appr:Cross:tau{provided: x$I>=10 : do: x$I=0}
edge:Train$I:Appr:Stop:stop{provided: x$I<=10}
edge:Train$I:Stop:Start:go{do: x$I=0}
edge:Train$I:Start:Cross:tau{provided: x$I>=7 : do: x$I=0}
edge:Train$I:Cross:Safe:leave{provided: x$I>=3}
sync:Train$I@appr:Gate@appr$I
sync:Train$I@stop:Gate@stop$I
sync:Train$I@go:Gate@go$I
sync:Train$I@leave:Gate@leave$I
";

/// Stored, visited and transitions, in this order; with `reach` visited and transitions.
const KNOWN: &[Known] = &[
    reach(2, LUPL, 56, 84),
    bfs(2, LUPL, [56, 56, 84]),
    dfs(2, LUPL, [56, 56, 84]),
    alu(2, [56, 56, 84]),
    reach(3, LUPL, 765, 1_503),
    bfs(3, LUPL, [765, 765, 1_503]),
    dfs(3, LUPL, [765, 765, 1_503]),
    alu(3, [765, 765, 1_503]),
    reach(4, LUPL, 12_000, 28_800),
    bfs(4, LUPL, [12_000, 12_000, 28_800]),
    dfs(4, LUPL, [12_000, 12_000, 28_800]),
    alu(4, [12_000, 12_000, 28_800]),
];
