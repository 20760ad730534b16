//! A question made ready for an engine of another crate: everything but the search.
//!
//! An engine that looks for a state needs a zone graph, a list to keep states in, an order, and a goal; and in the end it
//! needs to be told what it has found. All of that follows from the job and from the plan, in the same way for every
//! engine, so it is made here: the engine brings the search. It may make several graphs and lists of one question, one for
//! each rank say, since what is prepared can be shared between threads.

use std::time::Duration;

use tourbillon_model::Model;
use tourbillon_search::{Budget, CostFunction, Limits, Shuffle, Stats};
use tourbillon_store::{PassedWaiting, Settings};
use tourbillon_system::{Analysis, Asked, Predicate, System, compile};
use tourbillon_zonegraph::{Options, ZoneGraph};

use crate::answer::{Answer, Verdict, Why};
use crate::conclude::{Conclusion, Outcome};
use crate::path::Goal;
use crate::plan::{Facts, Plan, PropertyClass, Refusal, TraceKind, plan};
use crate::reachability::distance;
use crate::reachability::{
    Job, PrepareError, analysis, asked, exact_list, property_class, questions, suits, unsupported,
};
use crate::{order, setup};

/// A question, with all that is known before anything is searched.
#[derive(Debug)]
pub struct Prepared<'a> {
    model: &'a Model,
    query: Option<usize>,
    asked: Option<Asked>,
    predicate: Option<Predicate>,
    limits: Limits,
    system: System,
    analysis: Analysis,
    facts: Facts,
    plan: Plan,
}

/// Each question of a job, in order: made ready, or the answer that it is not answered, and why.
///
/// # Errors
/// If the model cannot be compiled, or if no question can be answered in the way that was asked for.
pub fn prepare<'a>(job: &Job<'a>) -> Result<Vec<Result<Prepared<'a>, Answer>>, PrepareError> {
    suits(job)?;
    let mut refusal = None;
    let mut prepared = Vec::new();
    for query in questions(job) {
        if let Some(why) = query.and_then(|index| unsupported(&job.model.queries[index])) {
            prepared.push(Err(Answer::unsupported(query, why)));
            continue;
        }
        match Prepared::of(job, query) {
            Err(PrepareError::Plan(refused)) => {
                prepared.push(Err(Answer::unsupported(query, refused.why.clone())));
                refusal.get_or_insert(refused);
            }
            ready => prepared.push(Ok(ready?)),
        }
    }
    match refusal {
        Some(refusal) if prepared.iter().all(Result::is_err) => Err(refusal.into()),
        _ => Ok(prepared),
    }
}

impl<'a> Prepared<'a> {
    fn of(job: &Job<'a>, query: Option<usize>) -> Result<Self, PrepareError> {
        let model = job.model;
        let asked = query.and_then(|index| asked(&model.queries[index]));
        let analysis = analysis(model, query, TraceKind::None)?;
        let (system, mut predicates) = compile(model, asked.as_slice())?;
        let property_class = property_class(job, query);
        let looks_for_a_state = query.is_none() || asked.is_some();
        let property_class =
            PropertyClass { about_all: !looks_for_a_state && !property_class.endless, ..property_class };
        let facts = Facts::of(&system, &analysis, property_class);
        let plan = plan(&facts, job.plan_request)?;
        if !looks_for_a_state {
            let why =
                "only `E<>`, `A[]` and explorations look for a state, which is all that this engine does";
            return Err(Refusal { why: why.to_owned() }.into());
        }
        let (predicate, limits) = (predicates.pop(), job.limits);
        Ok(Self { model, query, asked, predicate, limits, system, analysis, facts, plan })
    }

    /// The same with another limit on memory, for lists that go by it.
    #[must_use]
    pub fn limited_to(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Which query it is; none for a full exploration.
    #[must_use]
    pub fn query(&self) -> Option<usize> {
        self.query
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// What is looked for, as it stands in the model.
    #[must_use]
    pub fn asked(&self) -> Option<Asked> {
        self.asked
    }

    /// The constants that clocks are compared with.
    #[must_use]
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// What the stages of the zone graph do.
    #[must_use]
    pub fn options(&self) -> Options {
        setup::options(&self.system, &self.analysis, &self.plan)
    }

    /// The compiled model.
    #[must_use]
    pub fn system(&self) -> &System {
        &self.system
    }

    /// What is looked for; nothing if everything is visited.
    #[must_use]
    pub fn goal(&self) -> Option<&Predicate> {
        self.predicate.as_ref()
    }

    /// The zone graph, with the stages of the plan.
    #[must_use]
    pub fn graph(&self) -> ZoneGraph<'_> {
        ZoneGraph::new(&self.system, self.options())
    }

    /// What lists are made of.
    #[must_use]
    pub fn settings(&self) -> Settings {
        setup::settings(&self.system, &self.plan)
    }

    /// An empty list, in the forms and the order of the plan.
    #[must_use]
    pub fn list(&self) -> Box<dyn PassedWaiting> {
        exact_list(&self.system, &self.plan, (&self.facts, &self.limits))
    }

    /// What the order goes by.
    #[must_use]
    pub fn cost_function(&self) -> CostFunction {
        let distance = self.asked.and_then(|asked| distance::to(self.model, asked));
        order::cost_function(&self.system, &self.plan, distance)
    }

    /// Successors in another order, if that is the plan.
    #[must_use]
    pub fn shuffle(&self) -> Option<Shuffle> {
        self.plan.shuffle_edges.then(|| Shuffle::new(self.plan.seed))
    }

    /// What the outcome of a search means, with a run that was replayed.
    #[must_use]
    pub fn answer(&self, outcome: Outcome, stats: Stats, time: Duration) -> Answer {
        let goal = self.predicate.as_ref().zip(self.asked);
        let goal = goal.map(|(predicate, asked)| Goal { predicate, asked, deadline: None });
        let conclusion = Conclusion {
            model: self.model,
            system: &self.system,
            plan: &self.plan,
            analysis: &self.analysis,
        };
        let left = self.limits.time.map(|limit| limit.saturating_sub(time));
        let mut budget = Budget::new(Limits { time: left, ..self.limits }, None);
        let (verdict, why, witness) =
            conclusion.draw(self.query, goal, outcome, stats.certainty, &mut budget);
        Answer { witness, ..self.answered(verdict, why, stats, time) }
    }

    /// That it is unknown, for this reason.
    #[must_use]
    pub fn unknown(&self, why: Why, stats: Stats, time: Duration) -> Answer {
        self.answered(Verdict::Unknown, why, stats, time)
    }

    fn answered(&self, verdict: Verdict, why: Why, stats: Stats, time: Duration) -> Answer {
        Answer {
            query: self.query,
            verdict,
            why,
            plan: Some(self.plan.clone()),
            stats,
            time,
            mixture: None,
            reused: 0,
            least_time: None,
            values: Vec::new(),
            witness: None,
            several: None,
        }
    }
}
