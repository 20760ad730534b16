//! FlexRay, broken: the same frames, with clocks that may deviate by 0.4 %.
//!
//! That is more than the protocol bears. From the edge that begins a frame to the next one that is looked for there are
//! 17 bits, and in that time two clocks can come more than a cycle apart. A flipped sample near the first edge puts it
//! one sample too late, and so the five samples of every strobe; with the drift, those of the high bit of the first BSS
//! are two of the next bit and three of their own, of which another one is flipped. The shortest run into the error has
//! 137 samples, and no bit of a byte is sent before it.

use super::{Model, PARAMETER, SIZES, queries_with};
use crate::family::Family;
use crate::known::Known;
use crate::known::row::{LUPL, alu, bfs};

pub(crate) const FAMILY: Family = Family {
    name: "flexray-broken",
    summary: "the same, with clocks that deviate too much: a frame can be lost",
    parameter: PARAMETER,
    sizes: SIZES,
    xta: |n| MODEL.xta(n),
    tck: |n| MODEL.tck(n),
    queries: |_| queries_with(false),
    known: KNOWN,
};

pub(super) const MODEL: Model = Model { name: "flexray_broken", deviation: 40, xta: &[], tck: &[] };

/// Stored, visited and transitions, in this order.
const KNOWN: &[Known] = &[
    bfs(1, LUPL, [21_133, 24_492, 46_820]),
    alu(1, [21_133, 24_492, 46_820]),
    bfs(2, LUPL, [34_635, 39_910, 76_176]),
    bfs(3, LUPL, [48_137, 55_328, 105_532]),
];
