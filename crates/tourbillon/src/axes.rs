//! What can be chosen for a verification: each axis with its name, a sentence, and its choices.
//!
//! This is the one table of them. The command line takes its options and their help from it, and whoever offers the
//! same choices elsewhere does, too. That something can be chosen does not mean that it can be combined: that is for
//! the plan to say.

use std::collections::BTreeMap;

use tourbillon_check::{
    Abstraction, BoundsScope, Cover, CycleSearch, DiagramConstraints, DiagramForm, DiagramOrder,
    DiscreteForm, Engine, Order, PassedForm, PlanRequest, TraceKind, WhenFull, ZoneForm,
};
use tourbillon_model::Overflow;

/// A value of an axis by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Named<T> {
    /// Its name.
    pub name: &'static str,
    /// What it means, in a sentence without a full stop.
    pub about: &'static str,
    /// The value.
    pub value: T,
}

/// The values of an axis by their names.
pub trait Axial: Copy + Send + Sync + 'static {
    /// The values, in the order in which they are told.
    const VALUES: &'static [Named<Self>];

    /// The value with a name.
    fn named(name: &str) -> Option<Self> {
        Self::VALUES.iter().find(|named| named.name == name).map(|named| named.value)
    }
}

macro_rules! axial {
    ($type:ty { $($variant:ident = $name:literal, $about:literal;)* }) => {
        impl Axial for $type {
            const VALUES: &'static [Named<Self>] =
                &[$(Named { name: $name, about: $about, value: Self::$variant },)*];
        }
    };
}

axial! { Engine {
    Zones = "zones", "One search over zones, in one memory";
    Symbolic = "symbolic", "Sets of locations and variables for each zone, as binary decision diagrams: for much data and few clocks";
    Cluster = "cluster", "Several ranks together, each with a memory of its own: --ranks, or mpirun";
} }

axial! { Abstraction {
    None = "none", "Zones stay exact; the search may not end";
    ExtraM = "extra-m", "By the largest constant of each clock";
    ExtraMPlus = "extra-m+", "The same, and coarser once a clock is beyond its constant";
    ExtraLu = "extra-lu", "By the largest constants of lower and of upper bounds apart";
    ExtraLuPlus = "extra-lu+", "Both refinements, the coarsest";
} }

axial! { BoundsScope {
    Global = "global", "The largest of the whole model";
    Local = "local", "Those that can still matter at the locations of a state";
} }

axial! { Cover {
    Equality = "equality", "When its zone is equal";
    Inclusion = "inclusion", "When its zone includes the other";
    Alu = "alu", "When the abstraction a_LU of its zone includes the other";
} }

axial! { ZoneForm {
    Plain = "plain", "As matrices of bounds";
    Shared = "shared", "As matrices of bounds, equal ones once";
    Bits = "bits", "Every bound in a few bits, compared many at a time";
    BitsShared = "bits+shared", "The same, equal ones once";
    Digits = "digits", "Bounds as digits of numbers: smaller, and slower to compare";
    DigitsShared = "digits+shared", "The same, equal ones once";
    Minimal = "minimal", "The few constraints that imply all others";
    MinimalShared = "minimal+shared", "The same, equal ones once";
    Cdd = "cdd", "One union for each state of locations and variables, as a diagram; all diagrams share their nodes";
} }

axial! { DiagramForm {
    AllEdges = "all", "All edges, every number in 32 bits";
    WithoutFalse = "no-false", "Edges to false left out";
    Compact = "compact", "The same, and every number in as few bytes as it needs";
} }

axial! { DiagramOrder {
    DifferencesFirst = "differences-first", "Differences between clocks, then the clocks themselves";
    ValuesFirst = "values-first", "The other way round";
    ByClock = "by-clock", "Each clock with its differences to those before it";
    ByClockReversed = "by-clock-reversed", "The same from the last clock to the first";
} }

axial! { DiagramConstraints {
    BeyondBox = "beyond-box", "All but the differences that follow from the bounds of the clocks themselves";
    All = "all", "All of them";
    Minimal = "minimal", "The few that imply all others";
} }

axial! { DiscreteForm {
    Plain = "plain", "As they are, 32 bits for each";
    Bits = "bits", "In as many bits as the range of each needs";
    Digits = "digits", "As one number, in as few bits as all ranges together need";
    Shared = "shared", "Equal vectors of locations once, and equal vectors of variables";
    Tree = "tree", "Cut in halves again and again, equal parts once";
    Mtidd = "mtidd", "As one diagram with unions of zones at its leaves, with --zones cdd";
} }

axial! { PassedForm {
    Exact = "exact", "All of it";
    Bitstate = "bitstate", "A few bits of a table";
    Compact = "compact", "A signature in a table";
    CompactZone = "compact+zone", "A signature of locations and variables in a table, and the zone";
} }

axial! { WhenFull {
    Stop = "stop", "End the search";
    Skip = "skip", "Go on, and visit what finds no room perhaps several times: for tables";
    Pack = "pack", "Rewrite what is stored in the smallest exact form, and go on: for exact lists";
} }

axial! { Order {
    Bfs = "bfs", "The one found first";
    Dfs = "dfs", "The one found last";
    Random = "random", "Any, by --seed";
    Topological = "topological", "One that nothing can cover, else the one whose locations come first in their processes";
    Sweep = "sweep", "One that nothing can cover, else in sweeps from the first locations to the last";
    Ranked = "ranked", "One that covers visited states, before those that came of these";
    RankedSweep = "ranked-sweep", "The same, and where that leaves a choice in sweeps";
    Best = "best", "The one nearest to what is asked for, by the locations of its processes";
    Mixed = "mixed", "Two orders in turns, depth first and the best other one, with random descents: to find a state soon";
} }

axial! { CycleSearch {
    Nested = "nested", "Depth first, and again from accepting states";
    Components = "components", "By strongly connected components, undoing coverings where they matter";
} }

axial! { TraceKind {
    None = "none", "None; nothing is kept for it";
    Some = "some", "The one that the search comes upon";
    Shortest = "shortest", "One with as few transitions as possible";
    Fastest = "fastest", "One that takes as little time as possible";
} }

axial! { Overflow {
    Error = "error", "It is an error of the model";
    Wrap = "wrap", "It wraps: the lowest 32 bits are kept, as in UPPAAL";
} }

impl Axial for bool {
    const VALUES: &'static [Named<Self>] =
        &[Named { name: "on", about: "Yes", value: true }, Named { name: "off", about: "No", value: false }];
}

/// What is chosen on an axis: its name, and a sentence without a full stop.
const HEADS: &[(&str, &str)] = &[
    ("engine", "What searches; if it is left out, zones, or symbolic where a short trial of both says so"),
    (
        "overflow",
        "What a result past 32 bits comes to; if it is left out, what an annotation of the model says, else an error",
    ),
    ("abstraction", "How zones are made larger, so that there are finitely many"),
    (
        "bounds",
        "Which constants that uses: those of the whole model, or those that still matter at a location",
    ),
    ("cover", "When a stored state makes another one superfluous"),
    ("zones", "How zones are stored"),
    ("discrete", "How locations and variables are stored"),
    (
        "passed",
        "What the passed list keeps of a state; all but `exact` may leave states out, so that what is not found is unknown",
    ),
    ("order", "Which state is visited next"),
    ("waiting-inclusion", "Whether new states are compared with waiting ones too"),
    ("reduce", "Whether clocks are forgotten where nothing is asked of them any more"),
    ("cycles", "How runs that go on for ever are looked for"),
    ("trace", "Which run is shown with an answer that has one"),
    ("compact", "Store everything in the smallest exact form, though that may take more time"),
];

/// What is chosen on an axis, in a sentence; empty if there is no such axis.
#[must_use]
pub fn axis_about(name: &str) -> &'static str {
    HEADS.iter().find(|(head, _)| *head == name).map_or("", |(_, about)| about)
}

/// An axis as plain data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Axis {
    /// Its name: that of the option of the command line, without dashes.
    pub name: &'static str,
    /// What is chosen, in a sentence.
    pub about: &'static str,
    /// What there is to choose from: names, each with a sentence.
    pub choices: Vec<(&'static str, &'static str)>,
}

/// The axes that make sense for one machine and one model, with what there is to choose from.
///
/// ```
/// use tourbillon::{axes, axis_about};
///
/// let order = axes().into_iter().find(|axis| axis.name == "order").expect("an axis");
/// assert_eq!(order.about, axis_about("order"));
/// assert_eq!(order.choices[0], ("bfs", "The one found first"));
/// ```
#[must_use]
pub fn axes() -> Vec<Axis> {
    HEADS.iter().map(|&(name, about)| Axis { name, about, choices: choices(name) }).collect()
}

fn choices(axis: &str) -> Vec<(&'static str, &'static str)> {
    fn all<T: Axial>() -> Vec<(&'static str, &'static str)> {
        T::VALUES.iter().map(|named| (named.name, named.about)).collect()
    }
    match axis {
        // Ranks of a cluster are a matter of machines, not of a model.
        "engine" => all::<Engine>().into_iter().filter(|(name, _)| *name != "cluster").collect(),
        "overflow" => all::<Overflow>(),
        "abstraction" => all::<Abstraction>(),
        "bounds" => all::<BoundsScope>(),
        "cover" => all::<Cover>(),
        "zones" => all::<ZoneForm>(),
        "discrete" => all::<DiscreteForm>(),
        "passed" => all::<PassedForm>(),
        "order" => all::<Order>(),
        "cycles" => all::<CycleSearch>(),
        "trace" => all::<TraceKind>(),
        _ => all::<bool>(),
    }
}

/// What some choices, axes with the names of their choices, ask of a plan; what is left out is chosen.
///
/// ```
/// use tourbillon::{Order, plan_request_from};
///
/// let chosen = |axis: &str, choice: &str| [(axis.to_owned(), choice.to_owned())].into_iter().collect();
/// assert_eq!(plan_request_from(&chosen("order", "dfs")).map(|wishes| wishes.order), Ok(Some(Order::Dfs)));
/// assert!(plan_request_from(&chosen("order", "backwards")).is_err());
/// ```
///
/// # Errors
/// If there is no such axis or choice, in a sentence.
pub fn plan_request_from(chosen: &BTreeMap<String, String>) -> Result<PlanRequest, String> {
    let mut plan_request = PlanRequest { any_engine: true, trace: TraceKind::Some, ..PlanRequest::default() };
    for (axis, choice) in chosen {
        if !choices(axis).iter().any(|(name, _)| name == choice) || axis_about(axis).is_empty() {
            return Err(unknown(axis, choice));
        }
        choose(&mut plan_request, axis, choice);
    }
    Ok(plan_request)
}

fn choose(plan_request: &mut PlanRequest, axis: &str, choice: &str) {
    fn put<T: Axial>(field: &mut T, choice: &str) {
        *field = T::named(choice).unwrap_or(*field);
    }
    match axis {
        "engine" => {
            put(&mut plan_request.engine, choice);
            plan_request.any_engine = false;
        }
        "overflow" => plan_request.overflow = Axial::named(choice),
        "abstraction" => plan_request.abstraction = Axial::named(choice),
        "bounds" => plan_request.bounds = Axial::named(choice),
        "cover" => plan_request.cover = Axial::named(choice),
        "zones" => plan_request.zones = Axial::named(choice),
        "discrete" => plan_request.discrete = Axial::named(choice),
        "passed" => put(&mut plan_request.passed, choice),
        "order" => plan_request.order = Axial::named(choice),
        "waiting-inclusion" => plan_request.waiting_inclusion = Axial::named(choice),
        "reduce" => plan_request.reduce = Axial::named(choice),
        "cycles" => plan_request.cycles = Axial::named(choice),
        "trace" => put(&mut plan_request.trace, choice),
        _ => put(&mut plan_request.compact, choice),
    }
}

fn unknown(axis: &str, choice: &str) -> String {
    let short = |text: &str| text.chars().take(40).collect::<String>();
    if axis_about(axis).is_empty() {
        let names: Vec<&str> = HEADS.iter().map(|(name, _)| *name).collect();
        return format!("there is no axis `{}`: there are {}", short(axis), names.join(", "));
    }
    let names: Vec<&str> = choices(axis).into_iter().map(|(name, _)| name).collect();
    format!("`{}` is no choice of `{axis}`: there are {}", short(choice), names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_of_every_axis_is_a_wish_of_its_own() {
        for axis in axes() {
            assert!(!axis.about.is_empty() && axis.choices.len() > 1, "{}", axis.name);
            let wish = |choice: &str| {
                let chosen = BTreeMap::from([(axis.name.to_owned(), choice.to_owned())]);
                format!("{:?}", plan_request_from(&chosen).expect("a choice"))
            };
            let mut plan_request: Vec<String> = axis.choices.iter().map(|(name, _)| wish(name)).collect();
            plan_request.sort();
            plan_request.dedup();
            assert_eq!(plan_request.len(), axis.choices.len(), "{}", axis.name);
        }
    }

    #[test]
    fn what_is_not_there_is_refused_with_what_is() {
        let refused = |axis: &str, choice: &str| {
            plan_request_from(&BTreeMap::from([(axis.to_owned(), choice.to_owned())])).expect_err("no wish")
        };
        assert!(refused("colour", "on").starts_with("there is no axis `colour`: there are engine, "));
        assert_eq!(refused("reduce", "perhaps"), "`perhaps` is no choice of `reduce`: there are on, off");
        assert!(refused("engine", "cluster").contains("there are zones, symbolic"));
    }
}
