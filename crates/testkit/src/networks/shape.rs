//! The kinds of random networks.
//!
//! Everything that some algorithm does not support, or that makes some argument fail, has a switch of its own.
//! The plain shape has what everything must support: comparisons without differences, all of them closed,
//! resets to 0, data, selections, channels, urgent and committed locations.

use tourbillon_model::Language;

/// What a random network may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// What it is written in.
    pub language: Language,
    pub processes_max: usize,
    /// The most locations of each.
    pub locations_max: usize,
    pub clocks_max: usize,
    /// The largest constant that clocks are compared with.
    pub constant_max: i32,
    /// Whether clocks are compared by `<` and `>`, too, and comparisons in queries are negated.
    pub strict: bool,
    /// Whether differences of clocks are compared.
    pub diagonals: bool,
    /// Whether clocks are set to other values than 0, and to each other.
    pub values: bool,
    /// Whether clocks start at other values than 0; in UPPAAL's language only.
    pub starts: bool,
    /// Whether channels and processes have priorities.
    pub priorities: bool,
    /// Whether receivers of broadcasts compare clocks.
    pub timed_receivers: bool,
    /// Whether most synchronisations are broadcasts with several receivers, each with several edges, also over urgent
    /// channels and from committed locations.
    pub crowds: bool,
    /// Whether updates go wrong now and then.
    pub errors: bool,
    /// Whether queries ask for deadlocks.
    pub deadlocks: bool,
    /// Whether clocks are stopped in some locations.
    pub stopwatches: bool,
    /// Whether queries ask for infinite runs, by `E[]`, `A<>` and `-->`, in place of single states; never for deadlocks.
    pub liveness: bool,
    /// Whether clocks are set to others minus something.
    pub shifts: Shifts,
}

/// How clocks are set to others minus something. No algorithm decides what is true of all such networks, so there are two
/// kinds of which an oracle can tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shifts {
    None,
    /// Only to later ones in the order of their declaration, so that no value goes round.
    Falling,
    /// To any, themselves included; and time ends soon.
    Short,
}

impl Shape {
    /// What everything must support.
    pub const PLAIN: Self = Self {
        language: Language::Uppaal,
        processes_max: 3,
        locations_max: 4,
        clocks_max: 3,
        constant_max: 3,
        strict: false,
        diagonals: false,
        values: false,
        starts: false,
        priorities: false,
        timed_receivers: false,
        crowds: false,
        errors: false,
        deadlocks: false,
        stopwatches: false,
        liveness: false,
        shifts: Shifts::None,
    };
    /// With strict comparisons.
    pub const STRICT: Self = Self { strict: true, ..Self::PLAIN };
    /// With closed comparisons of differences.
    pub const CLOSED_DIAGONALS: Self = Self { diagonals: true, clocks_max: 2, ..Self::PLAIN };
    /// With comparisons of differences, strict ones as well.
    pub const DIAGONALS: Self = Self { strict: true, ..Self::CLOSED_DIAGONALS };
    /// With clocks set to other values than 0.
    pub const VALUES: Self = Self { values: true, ..Self::PLAIN };
    /// With clocks that start at other values than 0.
    pub const STARTS: Self = Self { starts: true, strict: true, ..Self::PLAIN };
    pub const PRIORITIES: Self = Self { priorities: true, strict: true, ..Self::PLAIN };
    /// With receivers of broadcasts that compare clocks.
    pub const TIMED_RECEIVERS: Self = Self { timed_receivers: true, strict: true, ..Self::PLAIN };
    /// With many of them.
    pub const CROWDS: Self = Self {
        crowds: true,
        processes_max: 5,
        locations_max: 3,
        constant_max: 2,
        deadlocks: true,
        ..Self::TIMED_RECEIVERS
    };
    /// With many of them, and priorities.
    pub const RANKED_CROWDS: Self = Self { priorities: true, processes_max: 4, ..Self::CROWDS };
    /// With updates that go wrong now and then.
    pub const ERRORS: Self = Self { errors: true, ..Self::PLAIN };
    /// With queries for deadlocks.
    pub const DEADLOCKS: Self = Self { deadlocks: true, strict: true, ..Self::PLAIN };
    /// With stopwatches. No oracle can judge all of what these do.
    pub const STOPWATCHES: Self = Self { stopwatches: true, ..Self::PLAIN };
    /// With all of it but stopwatches.
    pub const EVERYTHING: Self = Self {
        strict: true,
        diagonals: true,
        values: true,
        starts: true,
        priorities: true,
        timed_receivers: true,
        errors: true,
        deadlocks: true,
        clocks_max: 2,
        constant_max: 2,
        ..Self::PLAIN
    };
    pub const VECTORS: Self = Self { language: Language::TChecker, ..Self::PLAIN };
    /// With synchronisation vectors and strict comparisons.
    pub const STRICT_VECTORS: Self = Self { strict: true, ..Self::VECTORS };

    /// With clocks set to later ones minus something.
    pub const FALLING: Self = Self { shifts: Shifts::Falling, values: true, ..Self::STRICT };
    /// With clocks set to any minus something, in bounded time.
    pub const SHORT: Self = Self {
        shifts: Shifts::Short,
        values: true,
        processes_max: 2,
        locations_max: 3,
        clocks_max: 2,
        constant_max: 2,
        ..Self::STRICT
    };
    /// With synchronisation vectors, and clocks set to later ones minus something.
    pub const FALLING_VECTORS: Self = Self { language: Language::TChecker, ..Self::FALLING };
    /// With synchronisation vectors, and clocks set to any minus something, in bounded time.
    pub const SHORT_VECTORS: Self = Self { language: Language::TChecker, ..Self::SHORT };

    /// All of these with at most three processes that oracles can judge, with their names.
    pub const ALL: [(&'static str, Self); 17] = [
        ("plain", Self::PLAIN),
        ("strict", Self::STRICT),
        ("closed diagonals", Self::CLOSED_DIAGONALS),
        ("diagonals", Self::DIAGONALS),
        ("values", Self::VALUES),
        ("starts", Self::STARTS),
        ("priorities", Self::PRIORITIES),
        ("timed receivers", Self::TIMED_RECEIVERS),
        ("errors", Self::ERRORS),
        ("deadlocks", Self::DEADLOCKS),
        ("everything", Self::EVERYTHING),
        ("vectors", Self::VECTORS),
        ("strict vectors", Self::STRICT_VECTORS),
        ("falling", Self::FALLING),
        ("short", Self::SHORT),
        ("falling vectors", Self::FALLING_VECTORS),
        ("short vectors", Self::SHORT_VECTORS),
    ];

    /// Whether all that such a network, and what is asked of it, says of clocks is closed: what the absence of a
    /// step depends on included.
    #[must_use]
    pub const fn is_closed(self) -> bool {
        !self.strict
            && !self.priorities
            && !self.timed_receivers
            && (!self.deadlocks || self.liveness)
            && matches!(self.shifts, Shifts::None)
    }
}
