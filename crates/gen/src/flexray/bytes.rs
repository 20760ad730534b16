//! FlexRay by bytes: the same frames, and a register that keeps the byte under way.
//!
//! What the sender puts on the bus of a byte stays in the register until the receiver has all of it. The receiver
//! compares each bit that it strobes with the one at its place there as well, so that a bit that comes twice or not at
//! all would be seen where its neighbours are like it. Nothing else is added, and nothing else can happen: there are
//! as many zones, and each state of `flexray` stands for as many as there are bytes that begin alike.
//!
//! That makes it a model with much data and little time: nearly twenty times the states for each byte, with two clocks.
//! It is here for engines that keep sets of discrete states as one thing.

use super::{Model, PARAMETER, SIZES, queries_with};
use crate::family::Family;
use crate::known::Known;
use crate::known::row::{LUPL, alu, bfs};

pub(crate) const FAMILY: Family = Family {
    name: "flexray-bytes",
    summary: "the same, with a register that keeps the byte under way: more data",
    parameter: PARAMETER,
    sizes: SIZES,
    xta: |n| MODEL.xta(n),
    tck: |n| MODEL.tck(n),
    queries: |_| queries_with(true),
    known: KNOWN,
};

pub(super) const MODEL: Model = Model { name: "flexray_bytes", deviation: 15, xta: XTA, tck: TCK };

const XTA: &[(&str, &str)] = &[
    ("$REGISTER", XTA_REGISTER),
    ("$KEEP", ", register[index - 1] = b"),
    ("$SAME", " && register[place - 1] == v"),
    ("$CLEAR", ", clear()"),
    ("$OTHER", XTA_OTHER),
];

const TCK: &[(&str, &str)] = &[
    ("$REGISTER", "# the bits of the byte under way that were sent\nint:8:0:1:0:register\n"),
    ("$KEEP0", "; register[index-1]=0"),
    ("$KEEP1", "; register[index-1]=1"),
    ("$SAME0", " && register[place-1]==0"),
    ("$SAME1", " && register[place-1]==1"),
    (
        "$CLEAR",
        "; register[0]=0; register[1]=0; register[2]=0; register[3]=0\
         ; register[4]=0; register[5]=0; register[6]=0; register[7]=0",
    ),
    ("$OTHER", TCK_OTHER),
];

const XTA_REGISTER: &str = r"level_t register[8];                   // the bits of the byte under way that were sent

void clear() {
    register[0] = 0;
    register[1] = 0;
    register[2] = 0;
    register[3] = 0;
    register[4] = 0;
    register[5] = 0;
    register[6] = 0;
    register[7] = 0;
}
";

const XTA_OTHER: &str = r"
        Data -> Error {
            select v : level_t;
            guard count == STROBE && expected == v && register[place - 1] != v;
            sync voted[v]?;
        },";

const TCK_OTHER: &str = r"edge:Receiver:Data:Error:low{provided: count==5 && expected==0 && register[place-1]!=0}
edge:Receiver:Data:Error:high{provided: count==5 && expected==1 && register[place-1]!=1}
";

/// Stored, visited and transitions, in this order.
const KNOWN: &[Known] = &[bfs(1, LUPL, [259_834, 300_958, 572_691]), alu(1, [259_834, 300_958, 572_691])];
