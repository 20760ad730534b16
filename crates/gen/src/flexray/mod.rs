//! FlexRay's physical layer: a frame that one clock sends bit by bit, and another one samples.
//!
//! What section 5.2 of `[EhlersGerkePeter2010]` describes, written from that description; the authors' own model
//! was not at hand. They had modelled the layer before, with more of its hardware `[GerkeEhlersFinkbeinerPeter2010]`. A cycle of either clock takes 10000, more or less 0.15 %, each cycle anew.
//!
//! - **The sender** is idle as long as it likes and then sends a start sequence of 15 low bits (TSS), a high one (FSS),
//!   each byte after a high and a low bit (BSS), and a low and a high one at the end (FES): 2638 bits for 262 bytes. Each
//!   bit is on the bus for 8 cycles. The bits of the bytes are whatever they like.
//! - **The sampler** reads the bus once in a cycle of the other clock. Of any 5 samples in a row one may be flipped. It
//!   tells the level that 3 of the last 5 samples have.
//! - **The receiver** counts these votes from 1 to 8 and takes every fifth for the bit: it strobes. The first low vote
//!   after it was idle is the first of its bit, whatever the count was, and so is the first low one after the high bit of
//!   a BSS. How many bytes there are it does not know: a high bit after a byte begins a BSS, a low one the FES.
//!
//! **What is compared.** Strobed bits are compared with those sent, in order, and `Error` is where they differ, or where a
//! bit is strobed that was not sent, or one was sent and is never strobed. A receiver is at most one bit late, so there
//! are at most two bits under way: `expected`, and behind it, maybe, the one on the bus. What has been strobed leaves no
//! trace in the state, and a frame that grows by a byte adds as many states as the byte before did.
//!
//! **Why it holds.** A flipped sample moves the edge of a bit by one, either way, and so moves the five samples that a
//! strobe sees; drift moves them by one more before the next edge is seen. They still have at least four of their own
//! bit, one of which may be flipped. The longest way without an edge is from the start to the first BSS, 17 bits and some
//! samples; there two clocks come a full cycle apart at 0.37 %, and the error is in reach: at 0.36 % it is not, nor if one
//! of any 4 samples may be flipped; with one of any 3 it is.
//!
//! **What is left out.** A sample is taken at one instant. One that is taken when the bus changes reads either level,
//! and nothing is known of times before and after a change at which it could as well. Where a bit is flipped on its way
//! for a whole cycle of the *sender*, it can be sampled twice, and the frame can be lost: the model has flipped samples.
//!
//! With Extra_LU+ and inclusion `13,502 N + 7,272` states are stored for `N` bytes, with 558 zones, however many bytes
//! there are. The number of mistakes depends on the search order: breadth first a seventh of the stored states, by ranks almost
//! none, in topological order nearly as many as are stored, and depth first more than seventy times as many. That is how
//! `[HerbreteauTran2015]` found its model of FlexRay, apart from depth first, which it does not show.

mod tck;
mod xta;

pub(crate) mod broken;
pub(crate) mod bytes;

use crate::family::{Family, Query};
use crate::known::Known;
use crate::known::row::{LUPL, alu, bfs};
use crate::text::fill;

pub(crate) const FAMILY: Family = Family {
    name: "flexray",
    summary: "FlexRay's physical layer: a frame sent by one clock and sampled by another",
    parameter: PARAMETER,
    sizes: SIZES,
    xta: |n| MODEL.xta(n),
    tck: |n| MODEL.tck(n),
    queries: |_| queries_with(true),
    known: KNOWN,
};

const PARAMETER: &str = "number of bytes";

/// No frame has more bytes, header and checks included.
const SIZES: std::ops::RangeInclusive<u32> = 1..=262;

const MODEL: Model = Model { name: "flexray", deviation: 15, xta: &[], tck: &[] };

/// What differs between the families of this folder.
struct Model {
    name: &'static str,
    /// How much longer or shorter than 10000 a cycle may be.
    deviation: u32,
    /// What is put into UPPAAL's text where a byte is kept.
    xta: &'static [(&'static str, &'static str)],
    /// What is put into TChecker's.
    tck: &'static [(&'static str, &'static str)],
}

impl Model {
    fn xta(&self, n: u32) -> String {
        let text = [xta::HEAD, xta::SENDER, xta::SAMPLER, xta::RECEIVER].concat();
        fill(&put(&put(&text, self.xta), &EMPTY), &[("$DEVIATION", self.deviation), ("$N", n)])
    }

    fn tck(&self, n: u32) -> String {
        let text = [tck::HEAD, tck::SENDER, tck::SAMPLER, tck::RECEIVER].concat().replace("$NAME", self.name);
        let text = put(&put(&put(&text, self.tck), &EMPTY), tck::INLINED);
        let (min, max) = (10_000 - self.deviation, 10_000 + self.deviation);
        fill(&text, &[("$MIN", min), ("$MAX", max), ("$N", n)])
    }
}

/// Where no byte is kept, nothing is put in. Names that begin like others come before them.
const EMPTY: [(&str, &str); 9] = [
    ("$REGISTER", ""),
    ("$KEEP0", ""),
    ("$KEEP1", ""),
    ("$KEEP", ""),
    ("$SAME0", ""),
    ("$SAME1", ""),
    ("$SAME", ""),
    ("$CLEAR", ""),
    ("$OTHER", ""),
];

/// The text with each of these names replaced, in this order.
fn put(text: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
}

fn queries_with(is_safe: bool) -> Vec<Query> {
    let mut queries = vec![
        Query::new(is_safe, "What is strobed is what was sent.", "A[] not Receiver.Error"),
        Query::new(true, "A frame can arrive.", "E<> Receiver.Done"),
        Query::new(
            true,
            "It can arrive with a sample flipped a moment ago.",
            "E<> Receiver.Done && Sampler.Flipped",
        ),
    ];
    if is_safe {
        let end = "A[] Receiver.Done imply Sender.FesHigh";
        queries.push(Query::new(true, "A frame that has arrived has been sent to its end.", end));
        queries.push(Query::new(true, "Something can always happen.", "A[] not deadlock"));
    }
    queries
}

/// Stored, visited and transitions, in this order. By equality there are too many to wait for.
const KNOWN: &[Known] = &[
    bfs(1, LUPL, [20_774, 24_138, 46_097]),
    alu(1, [20_774, 24_138, 46_097]),
    bfs(2, LUPL, [34_276, 39_556, 75_453]),
    alu(2, [34_276, 39_556, 75_453]),
    bfs(3, LUPL, [47_778, 54_974, 104_809]),
    alu(3, [47_778, 54_974, 104_809]),
    bfs(10, LUPL, [142_292, 162_900, 310_301]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_to_fill_in() {
        for model in [MODEL, broken::MODEL, bytes::MODEL] {
            for text in [model.xta(262), model.tck(262)] {
                assert!(!text.contains('$'), "{text}");
                assert_eq!(text.contains("register"), !model.xta.is_empty(), "{text}");
            }
        }
    }

    /// A frame with all bytes that there can be is as long as the standard has it.
    #[test]
    fn frames_are_as_long_as_they_should_be() {
        let text = MODEL.xta(262);
        let tss = text.split("TSS = ").nth(1).and_then(|rest| rest.split(';').next()).expect("a constant");
        let (tss, fss, bss_and_byte, fes): (u32, _, _, _) = (tss.parse().expect("a number"), 1, 2 + 8, 2);
        assert_eq!(tss + fss + 262 * bss_and_byte + fes, 2638);
    }
}
