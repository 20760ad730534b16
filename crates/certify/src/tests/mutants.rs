//! Certificates that are changed: accepted only if what is left is an invariant by naive matrices.

use tourbillon_base::Random;
use tourbillon_model::{Model, Query, QueryKind};
use tourbillon_testkit::naive::{Bound, Matrix};
use tourbillon_testkit::networks::{Network, Shape};
use tourbillon_testkit::oracle::{Answer, by_regions};

use super::explorer::{CertificateDraft, certificate};
use crate::data::DiscreteState;
use crate::format::Constraint;
use crate::transitions::{Effect, Network as Moving};

fn bound(bound: i64) -> Bound {
    if bound & 1 == 1 { Bound::weak(bound >> 1) } else { Bound::strict(bound >> 1) }
}

fn constrained(matrix: &Matrix, constraints: &[Constraint]) -> Matrix {
    let all = constraints.iter();
    all.fold(matrix.clone(), |matrix, it| matrix.constrain(it.left, it.right, bound(it.bound)))
}

/// Whether some matrices include another together: what one does not include is divided along its bounds.
fn are_covering(outer: &[Matrix], inner: &Matrix) -> bool {
    if inner.is_empty() {
        return true;
    }
    let Some((first, others)) = outer.split_first() else { return false };
    if first.intersect(inner).is_empty() {
        return are_covering(others, inner);
    }
    let mut rest = inner.clone();
    for i in 0..first.dim() {
        for j in 0..first.dim() {
            let Some(negation) = first.entry(i, j).negation() else { continue };
            let outside = rest.constrain(j, i, negation);
            if !outside.is_empty() {
                if !are_covering(others, &outside) {
                    return false;
                }
                rest = rest.constrain(i, j, first.entry(i, j));
            }
        }
    }
    true
}

/// Whether entries are closed under transitions and have the initial state, by matrices that are closed after each step.
fn is_closed(model: &Model, draft: &CertificateDraft) -> bool {
    let moving = Moving::new(model);
    let dim = model.clocks.len() + 1;
    let matrix = |constraints: &[Constraint]| constrained(&Matrix::universal(dim), constraints);
    let entries: Vec<(&Vec<i32>, Matrix)> =
        draft.invariants[0].entries.iter().map(|(vector, zone, _)| (vector, matrix(zone))).collect();
    let covered = |vector: &Vec<i32>, zone: &Matrix| {
        let of_state = entries.iter().filter(|(other, _)| *other == vector);
        are_covering(&of_state.map(|(_, zone)| zone.clone()).collect::<Vec<_>>(), zone)
    };
    let starts = model.clocks.iter().enumerate();
    let initial =
        starts.fold(Matrix::universal(dim), |matrix, (clock, it)| matrix.reset(clock + 1, it.initial.into()));
    if !covered(&DiscreteState::initial(model).vector(), &initial) {
        return false;
    }
    entries.iter().all(|(vector, zone)| {
        let Some(mut state) = DiscreteState::of_vector(model, vector) else { return false };
        let moves = moving.moves(&mut state).expect("few transitions");
        if moves.invariant_holds != Ok(true) {
            return true;
        }
        let mut delayed = constrained(zone, &moves.invariant);
        if moves.time_passes && !delayed.is_empty() {
            delayed = constrained(&delayed.up(), &moves.invariant);
        }
        moves.transitions.iter().all(|transition| {
            let before = constrained(&delayed, &transition.guard);
            match &transition.effect {
                _ if before.is_empty() => true,
                Effect::Fails(_) => false,
                Effect::To { vector, assignments } => {
                    // In these networks clocks are set to constants only.
                    let after = assignments.iter().fold(before, |it, to| it.reset(to.target, to.offset));
                    covered(vector, &after)
                }
            }
        })
    })
}

/// Changes something.
fn mutated(draft: &CertificateDraft, random: &mut Random) -> CertificateDraft {
    let mut changed = draft.clone();
    let entries = &mut changed.invariants[0].entries;
    let index = random.below(entries.len());
    match random.below(4) {
        0 => drop(entries.remove(index)),
        1 if !entries[index].1.is_empty() => {
            let constraints = &mut entries[index].1;
            let which = random.below(constraints.len());
            constraints[which].bound += i64::from(random.within(-3..=3));
        }
        2 => {
            let other = random.below(entries.len());
            let zone = entries[other].1.clone();
            entries[index].1 = zone;
        }
        _ => {
            let (component, other) = (random.below(entries[index].0.len()), random.below(entries.len()));
            entries[index].0[component] = entries[other].0[component];
        }
    }
    entries.sort_by(|one, other| one.0.cmp(&other.0));
    changed
}

fn check(model: &Model, query: &Query, draft: &CertificateDraft) -> Option<bool> {
    let bytes = draft.bytes(model);
    // A zone may have become empty.
    let outcome = crate::certify(model, &[query], &bytes, &crate::Options::default()).ok()?;
    Some(matches!(outcome, crate::Outcome::Accepted(_)))
}

#[test]
fn mutants_are_accepted_only_if_they_are_closed() {
    let (mut accepted, mut rejected) = (0, 0);
    for (name, shape) in
        [("plain", Shape::PLAIN), ("strict", Shape::STRICT), ("timed", Shape::TIMED_RECEIVERS)]
    {
        for seed in 0..40 {
            let model = Network::random(seed, shape).model().expect("a model");
            let Answer::Reached(reached) = by_regions(&model, 400) else { continue };
            let claim = |query: &Query, verdict: Option<bool>| {
                verdict == Some(matches!(query.kind, QueryKind::Invariantly(_)))
            };
            let claims = model.queries.iter().zip(&reached.verdicts).filter(|(query, it)| claim(query, **it));
            let mut random = Random::from_seed(seed);
            for (query, _) in claims.take(1) {
                let Some(draft) =
                    certificate(&model, query, Some(4)).filter(|it| it.invariants[0].entries.len() < 150)
                else {
                    continue;
                };
                assert!(is_closed(&model, &draft), "{name}, seed {seed}");
                for _ in 0..20 {
                    let mutant = mutated(&draft, &mut random);
                    match check(&model, query, &mutant) {
                        Some(true) => {
                            assert!(is_closed(&model, &mutant), "{name}, seed {seed}: {mutant:?}");
                            accepted += 1;
                        }
                        Some(false) => rejected += 1,
                        None => {}
                    }
                }
            }
        }
    }
    assert!(accepted > 50 && rejected > 200, "{accepted}, {rejected}");
}
