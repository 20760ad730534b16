//! Deliberate faults of the engine, by which the tests of `check` show that the checker of certificates finds faults.
//!
//! Each loses behaviour in one place, which asks `mutants::is(Mutant::...)`. Without the feature `mutants` the answer is a constant, and
//! a fault compiles to nothing. With it, which is so in tests alone, `with` selects a fault for the calling thread: other tests of the
//! same process have none, nor have threads that the engine starts.
//!
//! A fault that only adds behaviour is none for the checker: what is closed under more steps is closed.

macro_rules! mutants {
    ($(#[doc = $what:literal] $name:ident,)*) => {
        /// A fault.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Mutant {
            $(#[doc = $what] $name,)*
        }

        impl Mutant {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// What it does, in a sentence.
            #[must_use]
            pub fn what(self) -> &'static str {
                match self {
                    $(Self::$name => $what.trim_ascii(),)*
                }
            }
        }
    };
}

mutants! {
    // Abstractions.
    /// Extrapolations and a_LU have an L that is one too small.
    LowerTooSmall,
    /// Extrapolations and a_LU have a U that is one too small.
    UpperTooSmall,
    /// Extrapolations and a_LU have L and U exchanged.
    LowerUpperExchanged,
    /// Extrapolations lower a difference above L to L in place of forgetting it.
    ExtrapolationCuts,
    /// The bound analysis forgets the clock constraints of guards.
    GuardBoundsForgotten,
    /// The bound analysis forgets the clock constraints of invariants.
    InvariantBoundsForgotten,
    /// The bound analysis forgets that it matters where the guard of a receiver of a broadcast fails.
    FailingBoundsForgotten,
    /// The bound analysis does not follow copies of clocks.
    CopiedBoundsForgotten,

    // Transitions.
    /// The last transition of a state is skipped.
    LastTransitionSkipped,
    /// The last receiver of a broadcast does not receive.
    ReceiverForgotten,
    /// Only those combinations of receivers are found in which each receives that can.
    CombinationForgotten,
    /// Selections leave out their largest value.
    SelectionForgotten,
    /// Weak participants of a vector are always left out.
    WeakParticipantForgotten,
    /// With a committed location, the sender must leave one.
    CommittedTooStrict,
    /// A transition of higher priority blocks where its guard does not hold, too.
    BlockedBeyondGuard,
    /// A transition of higher priority blocks where it violates an invariant of its target, too.
    BlockedBeyondInvariant,

    // Guards, invariants and predicates.
    /// `<=` of clocks is compiled to `<`.
    WeakBoundStrict,
    /// `>=` of clocks is compiled to `>`.
    WeakLowerBoundStrict,
    /// `<=` of data is compiled to `<`.
    DataComparisonStrict,
    /// The clocks of a state formula are not looked at: it does not hold.
    ClockPredicateFails,
    /// In deadlocks, delays are considered where no time can pass.
    DeadlockDelays,

    // Updates and delays.
    /// A clock that is set to 0 gets 1.
    ResetOffByOne,
    /// The first clock is set in place of the one that is assigned to.
    ResetOfFirstClock,
    /// Copies of clocks forget what is added.
    CopyWithoutOffset,
    /// The receiver of a binary synchronisation is updated first.
    ReceiverUpdatedFirst,
    /// Clocks begin at 0.
    InitialValueForgotten,
    /// No time passes.
    DelayForgotten,
    /// Senders over urgent channels stop time without receivers, too.
    UrgentWithoutReceiver,

    // The passed list.
    /// A stored zone covers those that include it.
    InclusionReversed,
    /// Inclusion does not compare the first row.
    InclusionIgnoresRow,
    /// Transient states are dropped.
    TransientDropped,
    /// A transient state counts as repeated if its discrete state is.
    TransientZonesConfused,

    // Symmetry.
    /// Clock constraints are not compared with their images.
    ClockConstraintsUnverified,
    /// Updates are not compared with their images.
    UpdatesUnverified,
    /// A representative keeps the clocks of the state.
    ClocksNotPermuted,
    /// Transitions are skipped as symmetric whatever the zone.
    SkippedWhateverZone,

    // Liveness.
    /// Components are numbered in the wrong direction.
    ComponentsReversed,
    /// All components have one number.
    ComponentsConfused,
    /// Nodes are red as soon as they are expanded.
    RedTooEarly,
    /// Subsumption edges are forgotten.
    SubsumptionEdgeForgotten,
    /// Runs stay only where what they must leave does not lie ahead.
    StayForgotten,
    /// Time divergence is no end of a run.
    DivergenceForgotten,
    /// A deadlock is no end of a run.
    StuckForgotten,
    /// What a run must leave is not looked for in states where a premise depends on clocks.
    PremiseForgotten,
}

#[cfg(feature = "mutants")]
thread_local! {
    static SELECTED: std::cell::Cell<Option<Mutant>> = const { std::cell::Cell::new(None) };
}

/// Whether the engine has this fault in this thread.
#[cfg(feature = "mutants")]
#[inline]
#[must_use]
pub fn is(mutant: Mutant) -> bool {
    SELECTED.get() == Some(mutant)
}

/// Whether the engine has this fault: never.
#[cfg(not(feature = "mutants"))]
#[inline(always)]
#[must_use]
pub const fn is(_: Mutant) -> bool {
    false
}

/// Runs something in this thread with a fault of the engine, and without one afterwards, also after a panic.
#[cfg(feature = "mutants")]
pub fn with<T>(mutant: Mutant, work: impl FnOnce() -> T) -> T {
    struct Deselect;
    impl Drop for Deselect {
        fn drop(&mut self) {
            SELECTED.set(None);
        }
    }
    SELECTED.set(Some(mutant));
    let _deselect = Deselect;
    work()
}
