//! Suggestions for unknown verdicts: one table, by reason.
//!
//! Advice refers to the options of the command line. An option that the plan already has is not suggested.

use tourbillon_check::{Abstraction, Engine, Order, Plan, Verdict};

use crate::report::{AnswerSummary, Cause};

/// A cause, a condition on the plan, and the suggestion.
type Row = (Cause, fn(&Plan) -> bool, &'static str);

fn always(_: &Plan) -> bool {
    true
}

fn is_exact(plan: &Plan) -> bool {
    plan.engine == Engine::Zones && plan.table.is_none()
}

fn is_roomy(plan: &Plan) -> bool {
    is_exact(plan) && !plan.tight
}

fn keeps_zones(plan: &Plan) -> bool {
    plan.abstraction == Abstraction::None
}

fn may_mix(plan: &Plan) -> bool {
    plan.cycles.is_none() && plan.engine == Engine::Zones && plan.order != Order::Mixed
}

fn may_look_elsewhere(plan: &Plan) -> bool {
    plan.cycles.is_none() && plan.order != Order::Dfs && !may_mix(plan)
}

const MIXED: &str = "alternating orders may find it sooner: --order mixed";
const ELSEWHERE: &str = "another order or seed may find it sooner: --order best, --order random or --seed";

const ADVICE: &[Row] = &[
    (Cause::TimeLimit, always, "allow more time: --time-limit"),
    (
        Cause::TimeLimit,
        keeps_zones,
        "use an extrapolation, so that there are fewer zones: without --abstraction none",
    ),
    (Cause::TimeLimit, may_mix, MIXED),
    (Cause::TimeLimit, may_look_elsewhere, ELSEWHERE),
    (
        Cause::TimeLimit,
        is_exact,
        "for data-heavy models with few clocks, the symbolic engine may be faster: --engine symbolic",
    ),
    (Cause::MemoryLimit, always, "allow more memory: --memory-limit"),
    (
        Cause::MemoryLimit,
        keeps_zones,
        "use an extrapolation, so that there are fewer zones: without --abstraction none",
    ),
    (Cause::MemoryLimit, is_roomy, "store everything in the smallest exact form: --compact"),
    (
        Cause::MemoryLimit,
        is_exact,
        "use a probabilistic passed list, which takes less memory and may omit states: --passed compact+zone or --passed bitstate",
    ),
    (Cause::StateLimit, always, "allow more states: --state-limit"),
    (Cause::StateLimit, may_mix, MIXED),
    (Cause::StateLimit, may_look_elsewhere, ELSEWHERE),
    (Cause::MayOmit, always, "use an exact passed list, if memory allows: --passed exact"),
    (Cause::TableFull, always, "give the table more memory: --passed-memory"),
    (Cause::TableFull, always, "continue with a full table: --when-full skip"),
    (Cause::Interrupted, always, "let it finish, or set --time-limit"),
    (Cause::RankLost, always, "restart it; if memory ran out, with fewer ranks on each machine"),
    (Cause::ModelFails, always, "correct the model: the run leads to the error"),
    (Cause::ModelMayFail, always, "exclude the error by a guard or a wider range"),
    (
        Cause::TooManyTransitions,
        always,
        "restrict the selections, or give receivers fewer edges or guards that exclude each other",
    ),
    (
        Cause::ClockOverflow,
        keeps_zones,
        "use an extrapolation, so that bounds stay small: without --abstraction none",
    ),
    (Cause::ClockOverflow, always, "use a coarser unit of time, so that constants are smaller"),
    (
        Cause::NotReplayed,
        always,
        "zones over-approximate this model, with its stopwatches or decremented clocks: weaken the query, use fewer of them, or simulate",
    ),
    (
        Cause::NotCertified,
        always,
        "if the certificate was rejected, the engine or the checker is wrong: please report the model and the query",
    ),
    (Cause::Refused, always, "correct the query: its diagnostic says what is wrong"),
];

/// Suggestions for an unknown answer; empty for other answers.
///
/// ```
/// use tourbillon::{Limits, Request, advice, check, load};
///
/// let text = b"int i; process P() { state A; init A; trans A -> A { assign i = (i + 1) % 1000; }; } system P; query { A[] i < 1000 }";
/// let limits = Limits { states: Some(10), ..Limits::default() };
/// let report = check(&load("p.xta", text), &Request { limits, ..Request::default() }, &mut |_| {})?;
/// assert_eq!(advice(&report.results[0])[0], "allow more states: --state-limit");
/// # Ok::<(), tourbillon::CheckError>(())
/// ```
#[must_use]
pub fn advice(finding: &AnswerSummary) -> Vec<String> {
    if finding.verdict != Verdict::Unknown {
        return Vec::new();
    }
    let suits = |fits: fn(&Plan) -> bool| finding.plan.as_ref().is_none_or(fits);
    let rows = ADVICE.iter().filter(|(cause, fits, _)| *cause == finding.reason && suits(*fits));
    rows.map(|(_, _, text)| (*text).to_owned()).collect()
}
