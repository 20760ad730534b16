//! What the claims of a certificate ask of its invariants.
//!
//! An invariant has one of two roles. As *reach* it is closed under all transitions, and any number of claims exclude states from it. As
//! *avoid* it belongs to one claim and is closed under the transitions of runs that stay in what the claim excludes
//! to stay in.

use tourbillon_base::Id as _;
use tourbillon_model::{ExprId, ExprKind, Measure, Model, Query, QueryKind};

use crate::format::{Claim, ClaimedRange, Header};
use crate::invariant::Invariant;
use crate::predicate::{Predicate, mentions};
use crate::report::{Reason, Rejection, Stop};

/// What must hold of an invariant beyond being closed; claims by the numbers of their queries.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    is_used: bool,
    /// As avoid: what runs stay in.
    pub(crate) stays: Option<(usize, Predicate)>,
    /// Whether the initial state is in it.
    pub(crate) has_initial: bool,
    pub(crate) excluded: Vec<(usize, Excluded)>,
    /// Where runs of an avoid begin: at states with this predicate.
    pub(crate) starts: Vec<(usize, Predicate, usize)>,
    /// What must not hold infinitely often, all together.
    pub(crate) recurrences: Vec<(usize, Vec<Predicate>)>,
    /// What the LU-preorder must preserve.
    pub(crate) preserved: Vec<Predicate>,
    /// Whether the preorders that lead here preserve deadlocks.
    pub(crate) preserves_deadlocks: bool,
}

/// States that a reach does not have.
#[derive(Debug)]
pub(crate) enum Excluded {
    Satisfying(Predicate),
    Beyond { condition: Option<Predicate>, measure: Measure, frame: u32, range: ClaimedRange },
}

impl Plan {
    /// For each invariant of a certificate what its claims ask of it.
    pub(crate) fn of_claims(
        model: &Model,
        header: &Header,
        queries: &[&Query],
        invariants: &[Invariant],
    ) -> Result<Vec<Self>, Stop> {
        let mut plans: Vec<Self> = invariants.iter().map(|_| Self::default()).collect();
        for (number, (certified, query)) in header.queries.iter().zip(queries).enumerate() {
            add(&mut plans, number, &certified.claim, query)
                .and_then(|()| has_ranks(&certified.claim, invariants))
                .map_err(|why| Stop::from(Rejection::new(Reason::Claim(why))).of_query(number))?;
        }
        let preserves = |set: usize| invariants[set].bounds.as_ref().is_none_or(|bounds| bounds.is_exact);
        (0..plans.len()).for_each(|set| plans[set].preserves_deadlocks = preserves(set));
        for set in 0..plans.len() {
            let starts: Vec<usize> = plans[set].starts.iter().map(|&(_, _, avoid)| avoid).collect();
            starts.into_iter().for_each(|avoid| plans[avoid].preserves_deadlocks &= preserves(set));
        }
        let refuse = |set: usize, why: &str| {
            let reason = Reason::Claim(why.to_owned());
            Err(Stop::from(Rejection { invariant: Some(set), ..Rejection::new(reason) }))
        };
        let is_deadlock = mentions(model, |kind| *kind == ExprKind::Deadlock);
        for (set, plan) in plans.iter().enumerate() {
            let asks = plan.preserved.iter().any(|it| is_deadlock[it.expr.index()]);
            if !plan.is_used {
                return refuse(set, "no claim uses the invariant");
            }
            if asks && !plan.preserves_deadlocks {
                return refuse(set, "deadlocks need L = U everywhere");
            }
        }
        Ok(plans)
    }

    fn reach(plans: &mut [Self], set: usize) -> Result<&mut Self, String> {
        let plan = plans.get_mut(set).ok_or("there is no such invariant")?;
        if plan.stays.is_some() {
            return Err("the invariant belongs to another claim".to_owned());
        }
        (plan.is_used, plan.has_initial) = (true, true);
        Ok(plan)
    }

    fn avoid(plans: &mut [Self], set: usize, query: usize, stays: Predicate) -> Result<&mut Self, String> {
        let plan = plans.get_mut(set).ok_or("there is no such invariant")?;
        if plan.is_used {
            return Err("the invariant belongs to another claim".to_owned());
        }
        plan.is_used = true;
        plan.stays = Some((query, stays));
        plan.preserved.push(stays);
        Ok(plan)
    }
}

fn add(plans: &mut [Plan], number: usize, claim: &Claim, query: &Query) -> Result<(), String> {
    let frame = query.frame;
    let predicate = |expr: ExprId, is_negated| Predicate { expr, frame, is_negated };
    match (claim, &query.kind) {
        (Claim::Never { reach }, QueryKind::Possibly(p)) => {
            never(plans, *reach, number, predicate(*p, false))
        }
        (Claim::Never { reach }, QueryKind::Invariantly(p)) => {
            never(plans, *reach, number, predicate(*p, true))
        }
        (Claim::Avoid { avoid }, QueryKind::PotentiallyAlways(p)) => {
            Plan::avoid(plans, *avoid, number, predicate(*p, false)).map(|plan| plan.has_initial = true)
        }
        (Claim::Avoid { avoid }, QueryKind::Eventually(p)) => {
            Plan::avoid(plans, *avoid, number, predicate(*p, true)).map(|plan| plan.has_initial = true)
        }
        (Claim::Response { reach, avoid }, QueryKind::LeadsTo(p, q)) => {
            let (p, stays) = (predicate(*p, false), predicate(*q, true));
            Plan::avoid(plans, *avoid, number, stays)?;
            let plan = Plan::reach(plans, *reach)?;
            plan.starts.push((number, p, *avoid));
            plan.preserved.extend([p, stays]);
            Ok(())
        }
        (Claim::Recurrence { reach }, QueryKind::Recurrently(all)) => {
            let all: Vec<Predicate> = all.iter().map(|&p| predicate(p, false)).collect();
            let plan = Plan::reach(plans, *reach)?;
            plan.recurrences.push((number, all));
            let count: usize = plan.recurrences.iter().map(|(_, all)| all.len()).sum();
            if count <= 64 { Ok(()) } else { Err("more than 64 acceptance sets".to_owned()) }
        }
        (Claim::Bounds { reach, measures: ranges }, QueryKind::Bounds { condition, measures, .. }) => {
            if measures.len() != ranges.len() {
                return Err("another number of ranges than of measures".to_owned());
            }
            let condition = condition.map(|condition| predicate(condition, false));
            let plan = Plan::reach(plans, *reach)?;
            plan.preserved.extend(condition);
            for (measure, &range) in measures.iter().cloned().zip(ranges) {
                plan.excluded.push((number, Excluded::Beyond { condition, measure, frame, range }));
            }
            Ok(())
        }
        _ => Err("the claim is not one for a query of this kind".to_owned()),
    }
}

fn never(plans: &mut [Plan], reach: usize, number: usize, p: Predicate) -> Result<(), String> {
    let plan = Plan::reach(plans, reach)?;
    plan.preserved.push(p);
    plan.excluded.push((number, Excluded::Satisfying(p)));
    Ok(())
}

fn has_ranks(claim: &Claim, invariants: &[Invariant]) -> Result<(), String> {
    let needed = match *claim {
        Claim::Avoid { avoid } | Claim::Response { avoid, .. } => avoid,
        Claim::Recurrence { reach } => reach,
        Claim::Never { .. } | Claim::Bounds { .. } => return Ok(()),
    };
    if invariants[needed].header.ranked { Ok(()) } else { Err("the invariant has no ranks".to_owned()) }
}
