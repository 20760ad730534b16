//! The diagram options of a plan, with `--zones cdd`: what was chosen, and why.

use tourbillon_store::{DiagramInclusion, DiagramSettings, ZoneForm};

use super::{Axis, Named, Plan, REQUESTED, Reason};

/// The axes, and why their defaults are what they are.
const DEFAULTS: [(Axis, &str); 5] = [
    (Axis::DiagramNodes, "the fewest bytes, for little time [ThomsenKristensen2002]"),
    (
        Axis::DiagramOrder,
        "single clocks are at the bottom, where most nodes are shared [ThomsenKristensen2002]",
    ),
    (
        Axis::DiagramConstraints,
        "fewer constraints let disjoint zones overlap along a path; more repeat what single clocks imply",
    ),
    (Axis::DiagramInclusion, "zones that several others cover together need not be visited"),
    (Axis::DiagramBacktrace, "existing nodes are found from the top down as well"),
];

/// Why diagrams are as they are; empty without `--zones cdd`.
pub(super) fn reasons(plan: &Plan) -> Vec<Reason> {
    let default = Plan { diagrams: DiagramSettings::default(), ..plan.clone() };
    let reason = |(axis, why): (Axis, &'static str)| {
        let choice = choice(plan, axis)?;
        let is_requested = self::choice(&default, axis).as_ref() != Some(&choice);
        let why = match axis {
            Axis::DiagramInclusion if is_distributed(plan) => {
                "the inclusion test in a CDD over several ranks goes level by level"
            }
            _ if is_requested => REQUESTED,
            _ => why,
        };
        Some(Reason { axis, choice, why: why.to_owned() })
    };
    DEFAULTS.into_iter().filter_map(reason).collect()
}

/// The choice on one of these axes; `None` for another axis, or without `--zones cdd`.
pub(super) fn choice(plan: &Plan, axis: Axis) -> Option<String> {
    if plan.zones != ZoneForm::Cdd {
        return None;
    }
    let DiagramSettings { form, other } = plan.diagrams;
    let name = match axis {
        Axis::DiagramNodes => form.choice_name(),
        Axis::DiagramOrder => other.order.choice_name(),
        Axis::DiagramConstraints => other.constraints.choice_name(),
        Axis::DiagramInclusion => match other.inclusion {
            DiagramInclusion::Exact { .. } if !is_distributed(plan) => {
                DiagramInclusion::default().choice_name()
            }
            _ => DiagramInclusion::Levels.choice_name(),
        },
        Axis::DiagramBacktrace => other.backtrace.choice_name(),
        _ => None,
    };
    name.map(str::to_owned)
}

/// Whether a CDD spans several ranks, where only the level test is possible.
const fn is_distributed(plan: &Plan) -> bool {
    plan.layout.groups().is_some()
}
