//! What a plan says of diagrams: how each choice is called on the command line, and why it is the usual one.
//!
//! There are diagrams only with `--zones cdd`, and only then there is anything to tell. What differs from the usual was
//! asked for.

use tourbillon_store::{DiagramForm, DiagramSettings, ZoneForm};

use super::{Plan, Reason};
use crate::{DiagramConstraints, DiagramInclusion, DiagramOrder};

/// The axes, and why the usual choice is that.
const AXES: [(&str, &str); 5] = [
    ("diagram-nodes", "the fewest bytes, for little time [ThomsenKristensen2002]"),
    (
        "diagram-order",
        "what is said of single clocks is at the bottom, where most is shared [ThomsenKristensen2002]",
    ),
    (
        "diagram-constraints",
        "fewer let zones that exclude each other overlap, and more say on each difference what two clocks say themselves",
    ),
    ("diagram-inclusion", "what several zones cover together need not be visited"),
    ("diagram-backtrace", "nodes that are there already are found on the way as well"),
];

/// Why diagrams are as they are; nothing if there are none.
pub(super) fn reasons(plan: &Plan) -> Vec<Reason> {
    let usual = Plan { diagrams: DiagramSettings::default(), ..plan.clone() };
    let reason = |(axis, why): (&'static str, &'static str)| {
        let choice = choice(plan, axis)?;
        let asked = self::choice(&usual, axis).as_ref() != Some(&choice);
        let why = match axis {
            "diagram-inclusion" if asks_by_levels(plan) => {
                "a diagram over several ranks is asked level by level"
            }
            _ if asked => "as asked",
            _ => why,
        };
        Some(Reason { axis, choice, why: why.to_owned() })
    };
    AXES.into_iter().filter_map(reason).collect()
}

/// The choice on one of the axes, in the words of the command line; nothing if it is another axis, or there are no
/// diagrams.
pub(super) fn choice(plan: &Plan, axis: &str) -> Option<String> {
    if plan.zones != ZoneForm::Cdd {
        return None;
    }
    let DiagramSettings { form, other } = plan.diagrams;
    let name = match axis {
        "diagram-nodes" => match form {
            DiagramForm::AllEdges => "all",
            DiagramForm::WithoutFalse => "no-false",
            DiagramForm::Compact => "compact",
        },
        "diagram-order" => match other.order {
            DiagramOrder::DifferencesFirst => "differences-first",
            DiagramOrder::ValuesFirst => "values-first",
            DiagramOrder::ByClock => "by-clock",
            DiagramOrder::ByClockReversed => "by-clock-reversed",
        },
        "diagram-constraints" => match other.constraints {
            DiagramConstraints::BeyondBox => "beyond-box",
            DiagramConstraints::All => "all",
            DiagramConstraints::Minimal => "minimal",
        },
        "diagram-inclusion" => match other.inclusion {
            DiagramInclusion::Exact { .. } if !asks_by_levels(plan) => "exact",
            _ => "levels",
        },
        "diagram-backtrace" if other.backtrace => "on",
        "diagram-backtrace" => "off",
        _ => return None,
    };
    Some(name.to_owned())
}

/// Whether levels are all that is looked at, whatever was asked for.
const fn asks_by_levels(plan: &Plan) -> bool {
    plan.layout.groups().is_some()
}
