//! The benchmark families and the examples: every question has the answer that the engine of single states gives.
//!
//! What this engine does not answer it refuses with a reason that names one that does.

use tourbillon_base::Diagnostics;
use tourbillon_check::{Answer, Engine, Job, Limits, PlanRequest, PrepareError, TraceKind, Verdict, Why};
use tourbillon_front_uppaal::lower::{Input, QueryInput, lower};
use tourbillon_front_uppaal::{LoadOptions, load};
use tourbillon_gen::{families, family};
use tourbillon_model::Model;
use tourbillon_testkit::networks::{tchecker_model, uppaal_model};

fn asked<'a>(model: &'a Model, query: Option<&'a [usize]>, plan_request: &'a PlanRequest) -> Job<'a> {
    Job { model, queries: query, plan_request, limits: Limits::default(), stop: None }
}

/// The answer, or why there is none.
fn in_sets(model: &Model, query: Option<usize>, plan_request: &PlanRequest) -> Result<Answer, String> {
    let plan_request = PlanRequest { engine: Engine::Symbolic, ..plan_request.clone() };
    let queries = query.map(|query| [query]);
    match tourbillon_symbolic::check(
        &asked(model, queries.as_ref().map(|it| &it[..]), &plan_request),
        &mut |_| {},
    ) {
        Err(PrepareError::Plan(refusal)) => Err(refusal.why),
        Err(error) => panic!("{error}"),
        Ok(mut answers) => match answers.remove(0) {
            Answer { why: Why::NotSupported(why), .. } => Err(why),
            answer => Ok(answer),
        },
    }
}

fn one_by_one(model: &Model, query: usize, plan_request: &PlanRequest) -> Answer {
    let queries = [query];
    let answers = tourbillon_check::check(&asked(model, Some(&queries), plan_request), &mut |_| {});
    answers.expect("it can be checked").remove(0)
}

/// Compares all answers. Returns how many there were, and how many questions were refused.
fn compare(name: &str, model: &Model) -> (usize, usize) {
    let (mut answered, mut refused) = (0, 0);
    for (index, query) in model.queries.iter().enumerate() {
        match in_sets(model, Some(index), &PlanRequest::default()) {
            Err(why) => {
                assert!(why.contains("--engine zones"), "{name}, {}: {why}", query.text);
                refused += 1;
            }
            Ok(found) => {
                let known = one_by_one(model, index, &PlanRequest::default());
                assert_eq!(found.verdict, known.verdict, "{name}, {}: {:?}", query.text, found.why);
                let shown = found.why == Why::Found;
                assert_eq!(found.witness.is_some(), shown, "{name}, {}", query.text);
                answered += 1;
            }
        }
    }
    (answered, refused)
}

fn member(name: &str, n: u32) -> Model {
    let family = family(name).expect("a family");
    let queries = family.queries(n).expect("a member");
    let queries: String = queries.iter().map(|query| format!("{}\n", query.formula)).collect();
    uppaal_model(&family.xta(n).expect("a member"), &queries).expect("a model")
}

#[test]
fn families_have_their_answers() {
    for family in families() {
        let smallest = *family.sizes().start();
        let n = if family.name().starts_with("flexray") { smallest } else { smallest.max(3) };
        let model = member(family.name(), n);
        let (answered, _) = compare(&format!("{} {n}", family.name()), &model);
        assert!(answered > 0, "nothing is answered about {} {n}", family.name());
    }
}

/// The text that is written for the other tool means the same network: both engines reach the same discrete states, and with
/// equality as cover there are not more pairs of one and a zone than nodes, since zones are cut down to invariants.
#[test]
fn families_have_as_many_states() {
    use tourbillon_check::{Committed, Cover};
    let plan_request = PlanRequest {
        cover: Some(Cover::Equality),
        trace: TraceKind::None,
        store: Some(Committed::Stored),
        ..PlanRequest::default()
    };
    for (name, n) in
        [("fischer", 4), ("csmacd", 4), ("fddi", 3), ("train-gate", 3), ("dining-philosophers", 3)]
    {
        let Ok(family) = family(name) else { panic!("{name} is no family") };
        let model = tchecker_model(&family.tck(n).expect("a member")).expect("a model");
        let known =
            tourbillon_check::check(&asked(&model, None, &plan_request), &mut |_| {}).expect("explored");
        let found = in_sets(&model, None, &plan_request).expect("it is explored");
        let (known, found) = (&known[0].stats, &found.stats);
        assert_eq!(found.discrete_states, known.discrete_states, "{name} {n}");
        let pairs = found.sets.expect("it searched sets").pairs;
        assert!(pairs <= known.stored, "{name} {n}: {pairs} pairs, {} nodes", known.stored);
    }
}

/// However long the payload, the zones are the same.
#[test]
fn frames_of_any_length_have_the_same_zones() {
    for bytes in [1, 2] {
        let model = member("flexray", bytes);
        let found = in_sets(&model, None, &PlanRequest::default()).expect("it is explored");
        assert_eq!((found.verdict, found.stats.distinct_zones), (Verdict::Satisfied, 558), "{bytes} bytes");
    }
}

#[test]
fn a_frame_is_lost_in_a_run_that_was_replayed() {
    let model = member("flexray-broken", 1);
    let lost = model.queries.iter().position(|query| query.text.starts_with("A[]")).expect("a question");
    let found = in_sets(&model, Some(lost), &PlanRequest::default()).expect("it is answered");
    assert_eq!((&found.verdict, &found.why), (&Verdict::Violated, &Why::Found));
    let witness = found.witness.expect("a run");
    assert!(witness.run.steps.len() >= 137, "the shortest has 137 samples, this {}", witness.run.steps.len());
}

/// The model of an example, with its own questions.
fn example(name: &str, bytes: &[u8]) -> Model {
    if name.ends_with(".tck") {
        return tchecker_model(&String::from_utf8_lossy(bytes)).expect("a model");
    }
    let (document, _) = load(name, bytes, &LoadOptions::default());
    let input = |query| QueryInput {
        query,
        text: String::new(),
        comment: String::new(),
        expected: None,
        broken: false,
    };
    let queries: Vec<QueryInput<'_>> = document.queries.iter().map(|query| input(&query.query)).collect();
    let input = Input { name, tree: &document.tree, model: &document.model, queries: &queries };
    lower(&input, &mut Diagnostics::default()).expect("a model")
}

#[test]
fn examples_have_their_answers() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let (mut answered, mut refused, mut explored) = (0, 0, 0);
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of examples")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "xml" || extension == "tck"))
        .collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let model = example(&name, &std::fs::read(&path).expect("a file"));
        let counts = compare(&name, &model);
        answered += counts.0;
        refused += counts.1;
        explored += usize::from(in_sets(&model, None, &PlanRequest::default()).is_ok());
    }
    assert!(answered >= 10 && explored >= 5, "{answered} answered, {refused} refused, {explored} explored");
}
