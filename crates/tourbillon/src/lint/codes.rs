//! The codes of lints: `W00..` for behaviour, `W01..` for variables and clocks, `W02..` for channels.

tourbillon_base::define_codes! {
    /// The codes of lints.
    pub(crate) const CODES;

    NEVER_REACHED = "W0001", "a location that is never reached",
        "The whole state space was explored, exactly and in dense time, and no run reaches this location. Either no edge \
         leads to it, or none of these edges is ever taken. The edges that leave it are never taken either; they are marked \
         and not reported separately.\n\n\
         If a template has several processes, the message names those that are concerned, unless all are. If only some are, a \
         parameter decides it, which is usually intended: that is a note.";
    NEVER_TAKEN = "W0002", "an edge that is never taken",
        "The whole state space was explored, exactly and in dense time. The source location of the edge is reached, and the \
         edge is never taken. The message names the first obstacle: its guard on data never holds there; no process is ready \
         to synchronise when that guard holds, or a committed location is left first; the clock guards never hold then; a \
         transition of higher priority always comes first; or the invariants of the target forbid it.";
    BROKEN_ON_ENTRY = "W0003", "an invariant that can be violated on entry",
        "In some reachable state all guards of a transition hold, and after its updates an invariant does not. The transition \
         cannot be taken: the invariant acts as a hidden guard. This is legal and often not intended: the process may be \
         stuck in its location, and a changed constant may disable an edge silently.\n\n\
         If it is intended, write it in the guard. If not, a reset is missing, or the invariant is too strong.";
    DEADLOCK = "W0004", "a deadlock",
        "A reachable state has no transition, now or after any delay, and time can diverge in it. The model may be meant to \
         end there. If not, the run shows how the state is reached.\n\n\
         `A[] not deadlock` asks the same as a query; further predicates can exclude the intended ends.";
    TIME_LOCK = "W0005", "a timelock",
        "A reachable state has no transition, now or after any delay, and time cannot diverge in it either: an invariant \
         bounds it, or a location is urgent or committed, or the guards of an urgent synchronisation hold. No real system \
         behaves like this: the model contradicts itself.\n\n\
         Only such states are searched for. A state from which every infinite run is Zeno is not found this way.";
    ZENO_LOOP = "W0006", "a Zeno cycle",
        "A process has a cycle of edges on which no clock is both reset and required to be at least 1, and so has every \
         process it synchronises with. If the cycle can be repeated infinitely often, infinitely many transitions take finite \
         time, and a liveness counterexample may be such an unrealistic run.\n\n\
         The engine searches for such a run. If it finds one, the cycle of that run is a finding. Another cycle, or one for \
         which the search did not finish, is only possible: guards on data may prevent it. If no cycle is reported, the model \
         has no such run.";

    MAY_OVERFLOW = "W0007", "a result that may exceed 32 bits",
        "Integers have 32 bits. By the declared ranges of its operands, the result of this operation may need more. Guards \
         are not taken into account, so it may never happen. If it does, it is an error at run time, or the result wraps, \
         depending on `--overflow` or an annotation of the model.\n\n\
         If overflow is an error and all states were visited without one, this is only a note.";

    NEVER_READ = "W0101", "a variable that is never read",
        "It is written, and neither the model nor a query reads it. Incrementing it does not count as reading. It \
         distinguishes states that behave equally, so that the state space grows needlessly: remove it, or make it `meta`.";
    NEVER_WRITTEN = "W0102", "a variable that is never written",
        "It keeps its initial value. If that is intended, make it a constant; if not, an update is missing.";
    NEVER_TESTED = "W0103", "a clock that is never tested",
        "It is reset, and no guard, invariant or query compares it. Each clock adds a row and a column to every zone.";
    NEVER_RESET = "W0104", "a clock that is tested and never reset",
        "A guard or an invariant compares it, and nothing resets it: it measures the time since the start. Beyond its largest \
         constant its value is irrelevant. That may be intended.";
    UNUSED = "W0105", "a variable or clock that nothing uses",
        "It occurs only where it has no effect, such as in a function that is never called.";

    NO_SENDER = "W0201", "a channel without a sender",
        "Processes receive on the channel and none sends. None of these edges is ever taken.";
    NO_RECEIVER = "W0202", "a channel without a receiver",
        "Processes send on the channel and none receives. A binary synchronisation needs both, so none of these edges is ever \
         taken; a broadcast would not need receivers.";
    UNHEARD = "W0203", "a broadcast without a receiver",
        "Processes broadcast on the channel and none receives. The sender is not affected, so this is only a note.";
    ALONE = "W0204", "a channel that only one process uses",
        "The same process, and no other, sends and receives on the channel. A process cannot synchronise with itself.";
    UNUSED_CHANNEL = "W0205", "a channel that is never used",
        "It is passed to processes, or named in a list of priorities, and no edge synchronises on it.";
}
