//! The codes of what looks wrong with a model: `W00..` is about what it does, `W01..` about variables and clocks, `W02..`
//! about channels.

tourbillon_base::define_codes! {
    /// The codes of what looks wrong.
    pub(crate) const CODES;

    NEVER_REACHED = "W0001", "a location that is never reached",
        "Everything that the model can do was explored, exactly and in dense time, and no run comes to this location. Either \
         no edge leads there, or none of the edges that do is ever taken. The edges that leave it are never taken either; they are \
         pointed at and not told again.\n\n\
         Where a template has several processes, it is said in which of them, unless it is so in all. If it is so in some \
         only, a parameter decides it, which mostly is meant: that is a note.";
    NEVER_TAKEN = "W0002", "an edge that is never taken",
        "Everything that the model can do was explored, exactly and in dense time. The location that the edge leaves is reached, \
         and the edge is never taken. How far it got is said: its guard on data never holds there; nobody is ready to synchronise when \
         that guard holds, or a committed location is left first; the clock guards never hold then; something of higher \
         priority always comes first; or the invariants where it leads forbid it.";
    BROKEN_ON_ENTRY = "W0003", "an invariant that can be broken on entry",
        "In some state that can be reached all guards of a step hold, and after its updates an invariant does not. Such a step \
         cannot be taken: the invariant works as a hidden guard. That is legal, and often not meant: the process may be stuck where \
         it is, and at the next change of a constant an edge vanishes without a word.\n\n\
         If it is meant, say it in the guard. If not, a reset is missing, or the invariant is too strong.";
    DEADLOCK = "W0004", "a state without any further step",
        "A state can be reached in which no step is possible, now or after any delay, and in which time can pass for ever. That \
         may be how the model should end. If not, the run shows how it gets there.\n\n\
         `A[] not deadlock` asks the same as a query; with other predicates beside it, it can leave out the ends that are meant.";
    TIME_LOCK = "W0005", "a state in which time cannot go on",
        "A state can be reached in which no step is possible, now or after any delay, and in which time cannot pass for ever \
         either: an invariant ends it, or a location is urgent or committed, or an urgent synchronisation is enabled by its guards. No \
         real system does that: the model contradicts itself.\n\n\
         That is exactly what was looked for. A state from which steps go on for ever and time stays below a bound all the same \
         is not found this way.";
    ZENO_LOOP = "W0006", "a loop that nothing slows down",
        "A process has a loop on which no clock is both reset and asked to be at least 1, and the same is so for a loop of \
         whomever it synchronises with. If it can be gone round for ever, infinitely many steps fit into a finite time, \
         and whatever such a run leaves out is not shown to be left out in reality.\n\n\
         Whether that can be is asked of the engine. With a run that does it, it is a finding, and the loop is the one that the \
         run goes round. Another loop, or one of which that is not known, is only possible: guards on data may keep it from \
         being gone round. If no loop is told, no run of the model is so.";

    MAY_OVERFLOW = "W0007", "a result that may pass 32 bits",
        "Numbers have 32 bits. By the declared ranges of what it is computed from, the result of this operation may need more. \
         Guards are not looked at, so that it may never happen. It is an error at run time if it does, or the result wraps, \
         as `--overflow` or an annotation of the model says.\n\n\
         Where results past 32 bits are errors and all states were visited without one, it is only a note.";

    NEVER_READ = "W0101", "a variable that is never read",
        "It is written, and neither the model nor a query reads it. Counting it up does not count as reading. It makes states \
         different that are not, so that the state space grows for nothing: leave it out, or make it `meta`.";
    NEVER_WRITTEN = "W0102", "a variable that is never written",
        "It keeps the value that it has at first. If that is meant, make it a constant; if not, an update is missing.";
    NEVER_TESTED = "W0103", "a clock that is never tested",
        "It is reset, and no guard, invariant or query compares it. Each clock makes every zone larger.";
    NEVER_RESET = "W0104", "a clock that is tested and never reset",
        "A guard or an invariant compares it, and nothing resets it: it shows the time since the start. From the largest \
         constant on nothing about it changes any more. That may be meant.";
    UNUSED = "W0105", "a variable or clock that nothing uses",
        "It is mentioned only where nothing comes of it, such as in a function that is never called.";

    NO_SENDER = "W0201", "a channel that nobody sends on",
        "Processes receive on the channel and none sends. None of these edges is ever taken.";
    NO_RECEIVER = "W0202", "a channel that nobody receives on",
        "Processes send on the channel and none receives. It takes two, so none of these edges is ever taken; a broadcast would go \
         ahead without receivers.";
    UNHEARD = "W0203", "a broadcast that nobody receives",
        "Processes broadcast on the channel and none receives. That changes nothing for the sender, so it is only worth knowing.";
    ALONE = "W0204", "a channel that only one process uses",
        "The same process, and no other, sends and receives on the channel. No process synchronises with itself.";
    UNUSED_CHANNEL = "W0205", "a channel that nobody uses",
        "It is passed to processes, or named in a list of priorities, and no edge synchronises on it.";
}
