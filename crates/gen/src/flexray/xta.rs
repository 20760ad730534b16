//! The text in UPPAAL's language.
//!
//! The places that begin with `$` are filled in by the file above; those for a register of a byte stay empty where
//! there is none.

/// Constants, variables, and what both sides do to the bits that are under way.
pub(super) const HEAD: &str = r"// The physical layer of FlexRay: a frame that one clock sends and another one samples.

const int BYTES = $N;                   // of payload
const int DEVIATION = $DEVIATION;
const int MIN = 10000 - DEVIATION;     // what a cycle of a clock takes
const int MAX = 10000 + DEVIATION;
const int CLEAN = 4;                   // at least so many good samples between two flipped ones
const int CYCLES = 8;                  // for each bit
const int STROBE = 5;                  // which of the voted values of a bit counts
const int TSS = 15;                    // bits of the transmission start sequence

const int NOTHING = 2;                 // all that was sent has been strobed
const int LOST = 3;                    // the receiver is more than two bits behind

typedef int[0, 1] level_t;             // low and high

chan voted[2];                         // the receiver took a sample and voted for this level
level_t bit = 1;                       // on the bus
int[0, 3] expected = NOTHING;          // the next to be strobed: a level, NOTHING or LOST
level_t behind = 0;                    // 1: there is one more, the bit on the bus
$REGISTER
void send(level_t next) {
    if (expected == NOTHING)
        expected = next;
    else if (behind == 0)
        behind = 1;
    else
        expected = LOST;
    bit = next;
}

void strobe() {
    if (behind == 1)
        expected = bit;
    else
        expected = NOTHING;
    behind = 0;
}

";

/// The sender: one edge for each cycle of its clock.
pub(super) const SENDER: &str = r"process Sender() {
    clock x;
    int[1, CYCLES] cycle = 1;          // of the bit on the bus
    int[1, TSS] index = 1;             // of that bit in its sequence
    int[0, BYTES] byte = 0;            // of that bit in the payload

    state
        Off,
        Idle { x <= MAX },
        Tss { x <= MAX },
        Fss { x <= MAX },
        BssHigh { x <= MAX },
        BssLow { x <= MAX },
        Data { x <= MAX },
        FesLow { x <= MAX },
        FesHigh { x <= MAX };

    init Off;

    trans
        Off -> Idle { assign x = 0; },
        Idle -> Idle { guard x >= MIN; assign x = 0; },
        Idle -> Tss { guard x >= MIN; assign x = 0, send(0); },
        Tss -> Tss { guard x >= MIN && cycle < CYCLES; assign x = 0, cycle++; },
        Tss -> Tss {
            guard x >= MIN && cycle == CYCLES && index < TSS;
            assign x = 0, cycle = 1, index++, send(0);
        },
        Tss -> Fss {
            guard x >= MIN && cycle == CYCLES && index == TSS;
            assign x = 0, cycle = 1, index = 1, send(1);
        },
        Fss -> Fss { guard x >= MIN && cycle < CYCLES; assign x = 0, cycle++; },
        Fss -> BssHigh { guard x >= MIN && cycle == CYCLES; assign x = 0, cycle = 1, byte++, send(1); },
        BssHigh -> BssHigh { guard x >= MIN && cycle < CYCLES; assign x = 0, cycle++; },
        BssHigh -> BssLow { guard x >= MIN && cycle == CYCLES; assign x = 0, cycle = 1, send(0); },
        BssLow -> BssLow { guard x >= MIN && cycle < CYCLES; assign x = 0, cycle++; },
        BssLow -> Data {
            select b : level_t;
            guard x >= MIN && cycle == CYCLES;
            assign x = 0, cycle = 1, send(b)$KEEP;
        },
        Data -> Data { guard x >= MIN && cycle < CYCLES; assign x = 0, cycle++; },
        Data -> Data {
            select b : level_t;
            guard x >= MIN && cycle == CYCLES && index < 8;
            assign x = 0, cycle = 1, index++, send(b)$KEEP;
        },
        Data -> BssHigh {
            guard x >= MIN && cycle == CYCLES && index == 8 && byte < BYTES;
            assign x = 0, cycle = 1, index = 1, byte++, send(1);
        },
        Data -> FesLow {
            guard x >= MIN && cycle == CYCLES && index == 8 && byte == BYTES;
            assign x = 0, cycle = 1, index = 1, send(0);
        },
        FesLow -> FesLow { guard x >= MIN && cycle < CYCLES; assign x = 0, cycle++; },
        FesLow -> FesHigh { guard x >= MIN && cycle == CYCLES; assign x = 0, cycle = 1, send(1); },
        FesHigh -> FesHigh { guard x >= MIN; assign x = 0; };
}

";

/// The receiver's samples: one edge for each cycle of its clock.
pub(super) const SAMPLER: &str = r"process Sampler() {
    clock y;
    level_t s1 = 1, s2 = 1, s3 = 1, s4 = 1;    // the last samples, s1 being the very last
    int[0, CLEAN - 1] clean = 0;               // good ones since the flipped one

    level_t vote(level_t sample) {
        return (sample + s1 + s2 + s3 + s4) / 3;
    }

    void shift(level_t sample) {
        s4 = s3;
        s3 = s2;
        s2 = s1;
        s1 = sample;
    }

    state
        Clean { y <= MAX },
        Flipped { y <= MAX };

    init Clean;

    trans
        Clean -> Clean {
            select v : level_t;
            guard y >= MIN && vote(bit) == v;
            sync voted[v]!;
            assign y = 0, shift(bit);
        },
        Clean -> Flipped {
            select v : level_t;
            guard y >= MIN && vote(1 - bit) == v;
            sync voted[v]!;
            assign y = 0, shift(1 - bit);
        },
        Flipped -> Flipped {
            select v : level_t;
            guard y >= MIN && clean < CLEAN - 1 && vote(bit) == v;
            sync voted[v]!;
            assign y = 0, shift(bit), clean++;
        },
        Flipped -> Clean {
            select v : level_t;
            guard y >= MIN && clean == CLEAN - 1 && vote(bit) == v;
            sync voted[v]!;
            assign y = 0, shift(bit), clean = 0;
        };
}

";

/// What the receiver makes of the votes.
pub(super) const RECEIVER: &str = r"process Receiver() {
    int[1, CYCLES] count = 1;          // which of the voted values of its bit the next one is
    int[1, 8] place = 1;               // which bit of a byte is strobed next

    state
        Idle,
        Start,
        Next,
        Edge,
        Low,
        Data,
        End,
        Done,
        Error;

    init Idle;

    trans
        Idle -> Idle { guard expected != LOST; sync voted[1]?; },
        Idle -> Start { guard expected != LOST; sync voted[0]?; assign count = 2; },
        Idle -> Error { select v : level_t; guard expected == LOST; sync voted[v]?; },
        Start -> Start {
            select v : level_t; guard count != STROBE; sync voted[v]?; assign count = count % CYCLES + 1;
        },
        Start -> Start {
            guard count == STROBE && expected == 0; sync voted[0]?; assign count++, strobe();
        },
        Start -> Next { guard count == STROBE && expected == 1; sync voted[1]?; assign count++, strobe(); },
        Start -> Error { select v : level_t; guard count == STROBE && expected != v; sync voted[v]?; },
        Next -> Next {
            select v : level_t; guard count != STROBE; sync voted[v]?; assign count = count % CYCLES + 1;
        },
        Next -> End { guard count == STROBE && expected == 0; sync voted[0]?; assign count++, strobe(); },
        Next -> Edge { guard count == STROBE && expected == 1; sync voted[1]?; assign count++, strobe(); },
        Next -> Error { select v : level_t; guard count == STROBE && expected != v; sync voted[v]?; },
        Edge -> Edge { guard count != STROBE; sync voted[1]?; assign count = count % CYCLES + 1; },
        Edge -> Low { sync voted[0]?; assign count = 2; },
        Edge -> Error { guard count == STROBE; sync voted[1]?; },
        Low -> Low {
            select v : level_t; guard count != STROBE; sync voted[v]?; assign count = count % CYCLES + 1;
        },
        Low -> Data { guard count == STROBE && expected == 0; sync voted[0]?; assign count++, strobe(); },
        Low -> Error { guard count == STROBE && expected != 0; sync voted[0]?; },
        Low -> Error { guard count == STROBE; sync voted[1]?; },
        Data -> Data {
            select v : level_t; guard count != STROBE; sync voted[v]?; assign count = count % CYCLES + 1;
        },
        Data -> Data {
            select v : level_t;
            guard count == STROBE && expected == v && place < 8$SAME;
            sync voted[v]?;
            assign count++, place++, strobe();
        },
        Data -> Next {
            select v : level_t;
            guard count == STROBE && expected == v && place == 8$SAME;
            sync voted[v]?;
            assign count++, place = 1, strobe()$CLEAR;
        },
        Data -> Error { select v : level_t; guard count == STROBE && expected != v; sync voted[v]?; },$OTHER
        End -> End {
            select v : level_t; guard count != STROBE; sync voted[v]?; assign count = count % CYCLES + 1;
        },
        End -> Done { guard count == STROBE && expected == 1; sync voted[1]?; assign count = 1, strobe(); },
        End -> Error { guard count == STROBE && expected != 1; sync voted[1]?; },
        End -> Error { guard count == STROBE; sync voted[0]?; },
        Done -> Done { select v : level_t; sync voted[v]?; };
}

system Sender, Sampler, Receiver;
";
