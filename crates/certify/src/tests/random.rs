//! Random networks: the region oracle knows which claims are true.

use tourbillon_base::Random;
use tourbillon_model::QueryKind;
use tourbillon_testkit::networks::{Network, Shape};
use tourbillon_testkit::oracle::{Answer, by_regions};

use super::explorer::{CertificateDraft, certificate};
use crate::Outcome;

/// A certificate with some of its entries left out.
fn some_of(draft: &CertificateDraft, random: &mut Random) -> CertificateDraft {
    let mut some = draft.clone();
    let one_in = 1 + random.below(6);
    some.invariants[0].entries.retain(|_| !random.one_in(one_in + 1));
    some
}

#[test]
fn certificates_of_true_claims_are_accepted_and_of_false_ones_never() {
    let (mut accepted, mut rejected, mut failed) = (0, 0, 0);
    for (name, shape) in Shape::ALL {
        for seed in 0..60 {
            let model = Network::random(seed, shape).model().expect("a model");
            let answer = by_regions(&model, 1_500);
            if answer == Answer::TooLarge || answer == Answer::NoInitialState {
                continue;
            }
            let mut random = Random::from_seed(seed);
            for (index, query) in model.queries.iter().enumerate() {
                let constant = (!shape.diagonals).then_some(12);
                let Some(draft) = certificate(&model, query, constant) else { continue };
                let outcome = draft.check(&model, &[query]);
                let place = format!("{name}, seed {seed}: {} {outcome:?}", query.text);
                let is_true = match &answer {
                    Answer::Reached(reached) => reached.verdicts[index]
                        .map(|it| it == matches!(query.kind, QueryKind::Invariantly(_))),
                    Answer::Error(_) => None,
                    other => panic!("{place}: {other:?}"),
                };
                match is_true {
                    Some(true) => {
                        assert!(matches!(outcome, Outcome::Accepted(_)), "{place}");
                        accepted += 1;
                    }
                    Some(false) => {
                        assert!(matches!(outcome, Outcome::Rejected(_)), "{place}");
                        for _ in 0..10 {
                            let some = some_of(&draft, &mut random);
                            assert!(!some.is_accepted(&model, &[query]), "{place}: a part is accepted");
                        }
                        rejected += 1;
                    }
                    None => {
                        assert!(!matches!(outcome, Outcome::Accepted(_)), "{place}");
                        for _ in 0..10 {
                            assert!(!some_of(&draft, &mut random).is_accepted(&model, &[query]), "{place}");
                        }
                        failed += 1;
                    }
                }
            }
        }
    }
    assert!(accepted > 300 && rejected > 300 && failed > 20, "{accepted}, {rejected}, {failed}");
}
