//! Maximal runs: the corner cases of their semantics, worked out by hand.
//!
//! The files in `liveness/` have models, questions, and answers that follow from the definitions in
//! `tourbillon_testkit::oracle::liveness`, with the reasons as comments. A file is read line by line:
//!
//! - `--- name` begins a case;
//! - `expect satisfied : E[] p` gives an answer to a question, `expect satisfied non-zeno violated : E[] p` another one
//!   if only runs count along which time diverges;
//! - `# ...` is a comment;
//! - all other lines are the model.
//!
//! Models are in UPPAAL's language, or in TChecker's where they begin with `system:`. Questions about the latter are
//! `at once l m`, whether a run with infinitely many actions comes again and again to states with all of these labels,
//! and `in turn l m`, whether one does for each of them.

use std::fs;
use std::path::Path;

use tourbillon_base::{Id, SourceId, Span};
use tourbillon_check::{
    Abstraction, BoundsScope, Cover, CycleSearch, DiscreteForm, Job, Limits, Order, PlanRequest, TraceKind,
    Verdict, ZoneForm, check,
};
use tourbillon_model::{BinaryOp, Expr, ExprId, ExprKind, LocationId, Model, ProcessId, Query, QueryKind};
use tourbillon_testkit::networks::{tchecker_model, uppaal_model};
use tourbillon_testkit::oracle::Discrete;
use tourbillon_testkit::oracle::liveness::{OracleLimit, accepts, is_labelled, verdicts};

/// How many states the oracle may store.
const STATES_MAX: usize = 100_000;

/// A model with questions.
struct Case {
    /// The file and the name.
    name: String,
    model: String,
    questions: Vec<Question>,
}

/// A question, and whether it is satisfied.
struct Question {
    text: String,
    satisfied: bool,
    /// The same if only runs count along which time diverges.
    non_zeno: bool,
}

impl Question {
    /// A question from what follows `expect`.
    fn read(line: &str) -> Option<Self> {
        let (answers, text) = line.split_once(" : ")?;
        let answer = |word: &str| match word {
            "satisfied" => Some(true),
            "violated" => Some(false),
            _ => None,
        };
        let (satisfied, non_zeno) = match *answers.split_whitespace().collect::<Vec<_>>() {
            [both] => (answer(both)?, answer(both)?),
            [all, "non-zeno", divergent] => (answer(all)?, answer(divergent)?),
            _ => return None,
        };
        Some(Self { text: text.to_owned(), satisfied, non_zeno })
    }

    /// Which sets of labels must come again and again, if it is about labels.
    fn labels(&self) -> Option<Vec<Vec<&str>>> {
        match (self.text.strip_prefix("at once "), self.text.strip_prefix("in turn ")) {
            (Some(labels), _) => Some(vec![labels.split_whitespace().collect()]),
            (_, Some(labels)) => Some(labels.split_whitespace().map(|label| vec![label]).collect()),
            (None, None) => None,
        }
    }

    fn expected(&self, non_zeno: bool) -> bool {
        if non_zeno { self.non_zeno } else { self.satisfied }
    }
}

impl Case {
    fn is_labelled(&self) -> bool {
        self.model.starts_with("system:")
    }

    fn model(&self) -> Model {
        let queries: String = self.questions.iter().map(|question| format!("{}\n", question.text)).collect();
        let model = match self.is_labelled() {
            true => tchecker_model(&self.model),
            false => uppaal_model(&self.model, &queries),
        };
        model.unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// What the oracle says of each question.
    fn judged(&self, non_zeno: bool) -> Vec<Option<bool>> {
        let model = self.model();
        let verdicts = match self.is_labelled() {
            true => self.questions.iter().map(|question| accepted(&model, question, non_zeno)).collect(),
            false => verdicts(&model, non_zeno, STATES_MAX),
        };
        verdicts.unwrap_or_else(|why| panic!("{}: not judged: {why:?}", self.name))
    }
}

/// What the oracle says of a question about labels.
fn accepted(model: &Model, question: &Question, non_zeno: bool) -> Result<Option<bool>, OracleLimit> {
    let Some(sets) = question.labels() else { return Ok(None) };
    let kinds: Vec<_> =
        sets.iter().map(|labels| |discrete: &Discrete| is_labelled(model, discrete, labels)).collect();
    let kinds: Vec<&dyn Fn(&Discrete) -> bool> = kinds.iter().map(|kind| kind as _).collect();
    accepts(model, &kinds, non_zeno, STATES_MAX).map(Some)
}

/// The cases of a file.
fn read(file: &str, text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        if let Some(name) = line.strip_prefix("--- ") {
            let name = format!("{file}: {name}");
            cases.push(Case { name, model: String::new(), questions: Vec::new() });
        } else if line.starts_with('#') || line.is_empty() {
            continue;
        } else {
            let case = cases.last_mut().unwrap_or_else(|| panic!("{file}, line {number}: no case yet"));
            match line.strip_prefix("expect ") {
                Some(rest) => case.questions.push(
                    Question::read(rest)
                        .unwrap_or_else(|| panic!("{file}, line {number}: no question: {line}")),
                ),
                None => case.model.push_str(&format!("{line}\n")),
            }
        }
    }
    cases
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/liveness");
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "cases"));
    paths.sort();
    let of = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        read(name, &fs::read_to_string(path).expect("a readable file"))
    };
    paths.iter().flat_map(|path| of(path)).collect()
}

/// What is said of a question that is answered otherwise.
fn complaint(case: &Case, question: &Question, non_zeno: bool, answer: &str) -> String {
    let runs = if non_zeno { "divergent" } else { "all" };
    let expected = if question.expected(non_zeno) { "satisfied" } else { "violated" };
    format!("{}: {} is {answer} for {runs} runs, but should be {expected}", case.name, question.text)
}

#[test]
fn questions_are_read_as_written() {
    let question = Question::read("satisfied non-zeno violated : E[] P.A").expect("a question");
    assert_eq!((question.text.as_str(), question.satisfied, question.non_zeno), ("E[] P.A", true, false));
    assert!(Question::read("maybe : E[] P.A").is_none() && Question::read("satisfied E[] P.A").is_none());
}

#[test]
fn there_are_cases_with_every_answer() {
    let cases = cases();
    assert!(cases.len() >= 90, "{} cases", cases.len());
    assert!(cases.iter().all(|case| !case.questions.is_empty()));
    for answers in [(true, true), (true, false), (false, true), (false, false)] {
        let has = |question: &&Question| (question.satisfied, question.non_zeno) == answers;
        let count = cases.iter().flat_map(|case| &case.questions).filter(has).count();
        assert!(count >= 30, "{answers:?}: {count}");
    }
}

/// What was worked out by hand is what explicit search finds.
#[test]
fn the_oracle_finds_what_was_worked_out_by_hand() {
    let mut complaints = Vec::new();
    for case in cases() {
        for non_zeno in [false, true] {
            for (question, verdict) in case.questions.iter().zip(case.judged(non_zeno)) {
                if verdict != Some(question.expected(non_zeno)) {
                    complaints.push(complaint(&case, question, non_zeno, &format!("{verdict:?}")));
                }
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// What the engine is asked to do, for each case.
fn plans() -> Vec<PlanRequest> {
    let all = PlanRequest::default();
    let mut plans = vec![all.clone()];
    plans.extend([Abstraction::ExtraM, Abstraction::ExtraLu].map(|abstraction| PlanRequest {
        abstraction: Some(abstraction),
        bounds: Some(BoundsScope::Global),
        ..all.clone()
    }));
    let components = PlanRequest { cycles: Some(CycleSearch::Components), ..all.clone() };
    plans.push(PlanRequest { cover: Some(Cover::Equality), ..components.clone() });
    plans.push(components);
    plans.push(PlanRequest { cycles: Some(CycleSearch::Nested), ..all.clone() });
    plans.push(PlanRequest { cover: Some(Cover::Equality), zones: Some(ZoneForm::Plain), ..all.clone() });
    plans.push(PlanRequest { discrete: Some(DiscreteForm::Shared), reduce: Some(true), ..all.clone() });
    plans.push(PlanRequest { trace: TraceKind::None, order: Some(Order::Dfs), ..all.clone() });
    plans
}

/// The model of a case, with its questions about labels as queries.
fn asked(case: &Case) -> Model {
    let mut model = case.model();
    if !case.is_labelled() {
        return model;
    }
    for question in &case.questions {
        let sets = question.labels().expect("a question about labels");
        let kinds = sets.iter().map(|labels| at_once(&mut model, labels)).collect();
        let span = Span::new(SourceId::from_index(0), 0, 0);
        let kind = QueryKind::Recurrently(kinds);
        let (text, comment) = (question.text.clone(), String::new());
        model.queries.push(Query { text, comment, kind, frame: 0, expected: None, span });
    }
    model
}

/// That each of these labels is carried by the location of some process.
fn at_once(model: &mut Model, labels: &[&str]) -> ExprId {
    let span = Span::new(SourceId::from_index(0), 0, 0);
    let mut all = model.exprs.push(Expr { kind: ExprKind::Int(1), span });
    for label in labels {
        let mut some = model.exprs.push(Expr { kind: ExprKind::Int(0), span });
        for (process, location) in carriers(model, label) {
            let here = model.exprs.push(Expr { kind: ExprKind::AtLocation(process, location), span });
            some = model.exprs.push(Expr { kind: ExprKind::Binary(BinaryOp::Or, some, here), span });
        }
        all = model.exprs.push(Expr { kind: ExprKind::Binary(BinaryOp::And, all, some), span });
    }
    all
}

fn carriers(model: &Model, label: &str) -> Vec<(ProcessId, LocationId)> {
    let processes = model.processes.enumerate();
    let places = processes.flat_map(|(id, process)| process.locations.enumerate().map(move |it| (id, it)));
    places
        .filter(|(_, (_, it))| it.labels.iter().any(|own| own == label))
        .map(|(id, (at, _))| (id, at))
        .collect()
}

/// The engine finds it too, in every way that it can be asked to. Runs that it shows were checked.
#[test]
fn the_engine_finds_what_was_worked_out_by_hand() {
    let mut complaints = Vec::new();
    for case in cases() {
        let model = asked(&case);
        let queries: Vec<usize> = (0..case.questions.len()).collect();
        for (plan_request, non_zeno) in plans().iter().flat_map(|plan| [(plan, false), (plan, true)]) {
            let plan_request = PlanRequest { non_zeno, ..plan_request.clone() };
            let job = Job {
                model: &model,
                queries: Some(&queries),
                plan_request: &plan_request,
                limits: Limits { states: Some(STATES_MAX as u64), ..Limits::default() },
                stop: None,
            };
            let answers = check(&job, &mut |_| {}).unwrap_or_else(|error| panic!("{}: {error}", case.name));
            for (question, answer) in case.questions.iter().zip(answers) {
                let expected =
                    if question.expected(non_zeno) { Verdict::Satisfied } else { Verdict::Violated };
                if answer.verdict != expected {
                    let said = format!("{:?} ({:?}) by {plan_request:?}", answer.verdict, answer.why);
                    complaints.push(complaint(&case, question, non_zeno, &said));
                }
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
