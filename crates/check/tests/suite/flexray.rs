//! FlexRay's physical layer: frames arrive as they were sent, and they stop doing so once one part of the reason why is
//! taken away.
//!
//! A model in which nothing bad happens may be one in which nothing happens. So each case here changes a line of the
//! text and says what must become of the error: out of reach up to a limit, in reach beyond it.

use tourbillon_check::{Answer, Job, Limits, PlanRequest, TraceKind, Verdict, check};
use tourbillon_gen::family;
use tourbillon_model::Model;
use tourbillon_testkit::networks::uppaal_model;

fn text(name: &str, n: u32) -> String {
    family(name).and_then(|family| family.xta(n)).unwrap_or_else(|error| panic!("{error}"))
}

fn answers(model: &Model, trace: TraceKind) -> Vec<Answer> {
    let plan_request = PlanRequest { trace, ..PlanRequest::default() };
    let queries: Vec<usize> = (0..model.queries.len()).collect();
    let job = Job {
        model,
        queries: Some(&queries),
        plan_request: &plan_request,
        limits: Limits::default(),
        stop: None,
    };
    check(&job, &mut |_| {}).expect("it can be asked")
}

/// Whether no error can be reached once each of these has become the other.
fn is_safe(n: u32, changes: &[(&str, &str)]) -> bool {
    let changed = changes.iter().fold(text("flexray", n), |text, (old, new)| {
        assert!(text.contains(old), "no `{old}` in the text");
        text.replace(old, new)
    });
    let model = uppaal_model(&changed, "A[] not Receiver.Error").unwrap_or_else(|error| panic!("{error}"));
    match answers(&model, TraceKind::None)[0].verdict {
        Verdict::Satisfied => true,
        Verdict::Violated => false,
        Verdict::Unknown => panic!("no answer with {changes:?}"),
    }
}

#[test]
fn what_is_said_of_frames_is_so() {
    for (name, n) in [("flexray", 1), ("flexray", 2), ("flexray-broken", 1)] {
        let listed = family(name).expect("a family").queries(n).expect("a member");
        let formulas: Vec<&str> = listed.iter().map(|query| query.formula.as_str()).collect();
        let model =
            uppaal_model(&text(name, n), &formulas.join("\n")).unwrap_or_else(|error| panic!("{error}"));
        let answers = answers(&model, TraceKind::None);
        assert_eq!(answers.len(), listed.len(), "{name}");
        for (query, answer) in listed.iter().zip(answers) {
            let expected = if query.expected == Some(true) { Verdict::Satisfied } else { Verdict::Violated };
            assert_eq!(answer.verdict, expected, "{name} {n}: {}", query.formula);
        }
    }
}

/// It takes the drift of seventeen bits: the run cannot be shorter. That it is one at all was checked by replaying it.
#[test]
fn a_frame_is_lost_in_a_run_that_replays() {
    let model = uppaal_model(&text("flexray-broken", 1), "A[] not Receiver.Error").expect("a model");
    let answer = answers(&model, TraceKind::Some).remove(0);
    assert_eq!(answer.verdict, Verdict::Violated);
    let run = answer.witness.expect("a run").run;
    assert!(run.steps.len() > 2 * 17 * 7, "only {} steps", run.steps.len());
}

#[test]
fn clocks_may_deviate_so_far_and_no_further() {
    let deviation = |new| ("DEVIATION = 15", new);
    assert!(is_safe(1, &[deviation("DEVIATION = 0")]));
    assert!(is_safe(1, &[deviation("DEVIATION = 36")]));
    assert!(!is_safe(1, &[deviation("DEVIATION = 37")]));
}

#[test]
fn one_sample_of_four_may_be_flipped_and_not_one_of_three() {
    assert!(is_safe(1, &[("CLEAN = 4", "CLEAN = 3")]));
    assert!(!is_safe(1, &[("CLEAN = 4", "CLEAN = 2")]));
}

/// It is drift and noise together that break a frame: without the one, more of the other is borne.
#[test]
fn without_noise_clocks_may_deviate_further() {
    let quiet = ("vote(1 - bit) == v", "CLEAN == 0 && vote(1 - bit) == v");
    assert!(is_safe(1, &[quiet, ("DEVIATION = 15", "DEVIATION = 100")]));
}

#[test]
fn the_fifth_value_is_the_one_to_strobe() {
    assert!(!is_safe(1, &[("STROBE = 5", "STROBE = 6")]));
    assert!(!is_safe(1, &[("STROBE = 5", "STROBE = 3")]));
}

/// A receiver that does not begin to count anew at the edge of a BSS gets along for two bytes.
#[test]
fn counting_begins_anew_for_every_byte() {
    let aligned = "Edge -> Low { sync voted[0]?; assign count = 2; },";
    let counting = "Edge -> Low { guard count != STROBE; sync voted[0]?; assign count = count % CYCLES + 1; }, \
        Edge -> Data { guard count == STROBE && expected == 0; sync voted[0]?; assign count++, strobe(); },";
    assert!(is_safe(2, &[(aligned, counting)]));
    assert!(!is_safe(3, &[(aligned, counting)]));
}
