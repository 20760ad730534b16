//! Properties made ready for a checker: everything but the search, computed once and used by all engines.
//!
//! The properties of a job are compiled together with the model, once for each extension of it that they need, and their clock
//! bounds are analysed. Properties with equal bounds share one analysis, and those with equal facts share one plan. A prepared
//! property can be shared between threads, and planned again for another engine without being compiled again.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tourbillon_base::{Id, SourceId, Span};
use tourbillon_dbm::{Clock, ClockBounds, Constant};
use tourbillon_model::{self as model, Measure, Model};
use tourbillon_search::{CostFunction, Limits, Search};
use tourbillon_store::{PassedWaiting, Settings, WhenFull, build_packing};
use tourbillon_system::{
    Analysis, BoundsError, CompileError, Gauge, Predicate, StateFormula, System, analyse, compile_measuring,
};
use tourbillon_zonegraph::{Options, Representatives, Ticks, ZoneGraph};

use crate::answer::Answer;
use crate::liveness::{ticks, with_ticks};
use crate::path::Goal;
use crate::plan::{
    Axis, Facts, Plan, PlanRequest, PropertyClass, Reason, Refusal, SymmetryUse, TraceKind, plan,
};
use crate::property::{Property, Requirements};
use crate::reachability::distance;
use crate::recheck::Candidates;
use crate::symmetry::FoundSymmetry;
use crate::{order, setup, tables};

/// The model, its queries and the options of a check.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    pub model: &'a Model,
    /// The indices of the queries; `None` for a full exploration.
    pub queries: Option<&'a [usize]>,
    pub plan_request: &'a PlanRequest,
    pub limits: Limits,
    /// A flag that interrupts the check.
    pub stop: Option<&'a Arc<AtomicBool>>,
}

/// Why no property can be checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PrepareError {
    /// The model cannot be compiled.
    Model { span: Span, message: String },
    /// The request cannot be combined.
    Plan(Refusal),
}

impl fmt::Display for PrepareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model { message, .. } => f.write_str(message),
            Self::Plan(refusal) => refusal.fmt(f),
        }
    }
}

impl std::error::Error for PrepareError {}

impl From<CompileError> for PrepareError {
    fn from(error: CompileError) -> Self {
        Self::Model { span: error.span, message: error.message }
    }
}

impl From<BoundsError> for PrepareError {
    fn from(error: BoundsError) -> Self {
        Self::Model { span: error.span, message: error.to_string() }
    }
}

impl From<Refusal> for PrepareError {
    fn from(refusal: Refusal) -> Self {
        Self::Plan(refusal)
    }
}

/// A property, with all that is known before the search.
#[derive(Clone, Debug)]
pub struct Prepared<'a> {
    query: Option<usize>,
    property: Property,
    compiled: Arc<Compiled<'a>>,
    /// The indices of the first predicate and gauge of the property among the compiled ones, and the number of its predicates.
    first: (usize, usize),
    predicates: usize,
    analysis: Arc<Analysis>,
    facts: Facts,
    plan: Arc<Plan>,
    /// The symmetry of the model and the property, where it was searched for.
    symmetry: Option<Arc<FoundSymmetry>>,
    limits: Limits,
    /// The requested number of runs along different paths, if more than one.
    traces_wanted: Option<usize>,
    /// The states of an earlier search, of another version of the model.
    candidates: Option<Arc<Candidates>>,
}

/// The compiled model, with the predicates and measures of all properties that share it.
#[derive(Debug)]
struct Compiled<'a> {
    /// The model without extension, on which runs are replayed.
    model: Arc<Cow<'a, Model>>,
    system: System,
    predicates: Vec<Predicate>,
    gauges: Vec<Gauge>,
    /// The clock that is never reset, if the model has that extension.
    time: Option<Clock>,
    ticks: Option<Ticks>,
}

/// An extension of a model before it is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extension {
    None,
    /// A clock that is never reset, for the fastest run.
    Time,
    /// A tick clock and a variable that is 1 after a tick.
    Ticks,
}

impl Extension {
    const fn of(property: &Property, plan_request: &PlanRequest) -> Self {
        match property {
            Property::Liveness(_) if plan_request.non_zeno => Self::Ticks,
            _ if property.is_about_states() && matches!(plan_request.trace, TraceKind::Fastest) => Self::Time,
            _ => Self::None,
        }
    }
}

/// Prepares each property of a job, or answers that it is not checked, and why. Queries with errors come first.
///
/// # Errors
/// If the model cannot be compiled, or if no property can be checked as requested.
pub fn prepare<'a>(job: &Job<'a>) -> Result<Vec<Result<Prepared<'a>, Answer>>, PrepareError> {
    check_request(job)?;
    let mut preparation = Preparation::new(job);
    let mut prepared = Vec::new();
    for query in queries(job) {
        let Some(index) = query else {
            preparation.add(None, Property::Exploration);
            continue;
        };
        match Property::of(&mut preparation.model, index) {
            Some(property) => preparation.add(query, property),
            None => prepared.push(Err(Answer::unsupported(query, "the query has errors".to_owned()))),
        }
    }
    let mut refusal = None;
    for (query, ready) in preparation.finish()? {
        prepared.push(ready.map_err(|refused| {
            let answer = Answer::unsupported(query, refused.why.clone());
            refusal.get_or_insert(refused);
            answer
        }));
    }
    match refusal {
        Some(refusal) if prepared.iter().all(Result::is_err) => Err(refusal.into()),
        _ => Ok(prepared),
    }
}

fn queries(job: &Job<'_>) -> Vec<Option<usize>> {
    job.queries.map_or_else(|| vec![None], |queries| queries.iter().copied().map(Some).collect())
}

/// Refuses requests that require a limit or a query.
pub(crate) fn check_request(&Job { plan_request, limits, queries, .. }: &Job<'_>) -> Result<(), Refusal> {
    if plan_request.non_zeno && queries.is_none() {
        let why = "--non-zeno is about the infinite runs that a query asks for, and an exploration asks for none: leave it out";
        return Err(Refusal { why: why.to_owned() });
    }
    if plan_request.when_full == Some(WhenFull::Pack) && limits.memory_bytes.is_none() {
        let why = "--when-full pack requires --memory-limit";
        return Err(Refusal { why: why.to_owned() });
    }
    tables::fits(plan_request, &limits)
}

/// Properties to be compiled together.
pub(crate) struct Preparation<'j, 'a> {
    job: &'j Job<'a>,
    pub(crate) model: Cow<'a, Model>,
    drafts: Vec<Draft>,
}

struct Draft {
    query: Option<usize>,
    property: Property,
    extension: Extension,
    requirements: Requirements,
}

impl<'j, 'a> Preparation<'j, 'a> {
    pub(crate) fn new(job: &'j Job<'a>) -> Self {
        Self { job, model: Cow::Borrowed(job.model), drafts: Vec::new() }
    }

    fn add(&mut self, query: Option<usize>, property: Property) {
        let plan_request = self.job.plan_request;
        let requirements = property.requirements(&self.model, plan_request);
        let extension = Extension::of(&property, plan_request);
        self.drafts.push(Draft { query, property, extension, requirements });
    }

    /// Prepares one exploration, for which these formulas are compiled as well.
    pub(crate) fn exploration(
        mut self,
        extension: Extension,
        requirements: Requirements,
    ) -> Result<Prepared<'a>, PrepareError> {
        self.drafts.push(Draft { query: None, property: Property::Exploration, extension, requirements });
        let (_, ready) = self.finish()?.remove(0);
        Ok(ready?)
    }

    /// Compiles the model once for each extension that is needed, and plans each property.
    fn finish(self) -> Result<Vec<Ready<'a>>, PrepareError> {
        let Self { job, model, drafts } = self;
        let model = Arc::new(model);
        let mut drafts: Vec<(usize, Draft)> = drafts.into_iter().enumerate().collect();
        let mut ready = Vec::new();
        for extension in [Extension::None, Extension::Time, Extension::Ticks] {
            let (own, others) = drafts.into_iter().partition(|(_, draft)| draft.extension == extension);
            drafts = others;
            ready.extend(prepare_together(job, &model, extension, own)?);
        }
        ready.sort_by_key(|(index, _)| *index);
        Ok(ready.into_iter().map(|(_, ready)| ready).collect())
    }
}

/// A prepared property with its query, or why it is refused.
type Ready<'a> = (Option<usize>, Result<Prepared<'a>, Refusal>);

/// Prepares the properties that need the same extension of the model, each with its index in the job.
fn prepare_together<'a>(
    job: &Job<'a>,
    model: &Arc<Cow<'a, Model>>,
    extension: Extension,
    drafts: Vec<(usize, Draft)>,
) -> Result<Vec<(usize, Ready<'a>)>, PrepareError> {
    if drafts.is_empty() {
        return Ok(Vec::new());
    }
    let (extended, cell) = match extension {
        Extension::None => (Cow::Borrowed(&***model), None),
        Extension::Time => (Cow::Owned(with_time(model)), None),
        Extension::Ticks => {
            let (extended, cell) = with_ticks(model);
            (Cow::Owned(extended), Some(cell))
        }
    };
    let needs = || drafts.iter().map(|(_, draft)| &draft.requirements);
    let formulas: Vec<StateFormula> = needs().flat_map(|it| it.formulas.iter().copied()).collect();
    let measures: Vec<Measure> = needs().flat_map(|it| it.measures.iter().cloned()).collect();
    let mut shared = Shared {
        plan_request: job.plan_request,
        analyses: HashMap::new(),
        plans: Vec::new(),
        symmetries: Vec::new(),
    };
    let analyses: Vec<Arc<Analysis>> = needs()
        .map(|it| Ok(shared.analysis(analyse(&extended, &it.conditions)?)))
        .collect::<Result<_, BoundsError>>()?;
    let (system, predicates, gauges) = compile_measuring(&extended, &formulas, &measures)?;
    let time = (extension == Extension::Time).then(|| Clock::from_index(system.dimension.clocks()));
    let ticks = cell.map(|cell| ticks(&system, cell));
    let compiled = Arc::new(Compiled { model: Arc::clone(model), system, predicates, gauges, time, ticks });
    let mut first = (0, 0);
    let mut ready = Vec::new();
    for ((index, draft), analysis) in drafts.into_iter().zip(analyses.iter().cloned()) {
        let Draft { query, property, requirements, .. } = draft;
        let shares_states = analyses.iter().filter(|other| Arc::ptr_eq(other, &analysis)).count() > 1;
        let facts = Facts { shares_states, ..Facts::of(&compiled.system, &analysis, requirements.class) };
        let symmetry = shared.symmetry(&extended, &compiled.system, &analysis, &requirements);
        let prepared = shared.plan(facts, &property, symmetry.as_deref()).map(|plan| Prepared {
            query,
            property,
            compiled: Arc::clone(&compiled),
            first,
            predicates: requirements.formulas.len(),
            analysis,
            facts,
            plan,
            symmetry,
            limits: job.limits,
            traces_wanted: job.plan_request.traces,
            candidates: None,
        });
        ready.push((index, (query, prepared)));
        first = (first.0 + requirements.formulas.len(), first.1 + requirements.measures.len());
    }
    Ok(ready)
}

/// Analyses, symmetries and plans that several properties share.
struct Shared<'r> {
    plan_request: &'r PlanRequest,
    /// Analyses by their bounds everywhere, in which most of them differ.
    analyses: HashMap<ClockBounds, Vec<Arc<Analysis>>>,
    plans: Vec<(Facts, Result<Arc<Plan>, Refusal>)>,
    symmetries: Vec<Arc<FoundSymmetry>>,
}

impl Shared<'_> {
    fn analysis(&mut self, analysis: Analysis) -> Arc<Analysis> {
        let alike = self.analyses.entry(analysis.local.everywhere.clone()).or_default();
        if let Some(known) = alike.iter().find(|known| ***known == analysis) {
            return Arc::clone(known);
        }
        let analysis = Arc::new(analysis);
        alike.push(Arc::clone(&analysis));
        analysis
    }

    /// The symmetry under which a property is invariant; nothing if no plan uses it.
    fn symmetry(
        &mut self,
        model: &Model,
        system: &System,
        analysis: &Analysis,
        requirements: &Requirements,
    ) -> Option<Arc<FoundSymmetry>> {
        let wanted = self.plan_request.symmetry;
        if wanted == SymmetryUse::Off || requirements.class.counts() {
            return None;
        }
        let found = FoundSymmetry::of(model, system, analysis, requirements, wanted);
        if let Some(known) = self.symmetries.iter().find(|known| ***known == found) {
            return Some(Arc::clone(known));
        }
        self.symmetries.push(Arc::new(found));
        self.symmetries.last().cloned()
    }

    fn plan(
        &mut self,
        facts: Facts,
        property: &Property,
        symmetry: Option<&FoundSymmetry>,
    ) -> Result<Arc<Plan>, Refusal> {
        let known = self.plans.iter().find(|(known, _)| *known == facts).map(|(_, plan)| plan.clone());
        let plan = known.unwrap_or_else(|| {
            let made = plan(&facts, &request_for(property, self.plan_request)).map(Arc::new);
            self.plans.push((facts, made.clone()));
            made
        })?;
        let class = facts.property_class;
        Ok(if plan.uses_symmetry() {
            Arc::new(with_symmetry((*plan).clone(), class, symmetry))
        } else {
            plan
        })
    }
}

/// How suprema of clocks are computed with symmetry (`bounds/alternation.rs`).
const SYMMETRY_OF_SUPREMA: &str = "a large search for suprema of clocks goes on in two: one of representatives, and one of all states, which accelerates cycles along which a clock grows; the first that is complete gives the values";

/// A plan that may use symmetry, with what was found.
fn with_symmetry(mut plan: Plan, class: PropertyClass, found: Option<&FoundSymmetry>) -> Plan {
    if plan.uses_symmetry() {
        let used = found.filter(|found| found.tables.is_some());
        plan.symmetry = used.map_or(SymmetryUse::Off, |found| found.used);
        let choice = plan.choice(Axis::Symmetry);
        plan.reasons.extend(found.map(|found| Reason {
            axis: Axis::Symmetry,
            choice,
            why: found.text.clone(),
        }));
        if plan.uses_symmetry() && class.accelerates {
            let choice = plan.choice(Axis::Symmetry);
            plan.reasons.push(Reason { axis: Axis::Symmetry, choice, why: SYMMETRY_OF_SUPREMA.to_owned() });
        }
    }
    plan
}

/// The request for a property. The run of a value is determined by the measure, so `sup`, `inf` and `bounds` have no
/// fastest run.
fn request_for<'r>(property: &Property, plan_request: &'r PlanRequest) -> Cow<'r, PlanRequest> {
    match property {
        Property::Bounds(_) if plan_request.trace == TraceKind::Fastest => {
            Cow::Owned(PlanRequest { trace: TraceKind::Some, ..plan_request.clone() })
        }
        _ => Cow::Borrowed(plan_request),
    }
}

/// The model with a clock that is never reset: the total time.
fn with_time(model: &Model) -> Model {
    let mut model = model.clone();
    let span = Span::new(SourceId::from_index(0), 0, 0);
    model.clocks.push(model::Clock { name: "time".to_owned(), initial: 0, span });
    model
}

impl Prepared<'_> {
    /// The same property planned by another request, and within other limits.
    ///
    /// # Errors
    /// If the request cannot be combined.
    pub fn replan(&self, plan_request: &PlanRequest, limits: Limits) -> Result<Self, Refusal> {
        let plan = plan(&self.facts, &request_for(&self.property, plan_request))?;
        let plan = with_symmetry(plan, self.facts.property_class, self.symmetry.as_deref());
        let traces_wanted = plan_request.traces;
        Ok(Self { plan: Arc::new(plan), limits, traces_wanted, ..self.clone() })
    }

    /// The same property planned as one of another class.
    pub(crate) fn reclassed(
        &self,
        class: PropertyClass,
        plan_request: &PlanRequest,
    ) -> Result<Self, Refusal> {
        let facts = Facts { property_class: class, ..self.facts };
        Self { facts, ..self.clone() }.replan(plan_request, self.limits)
    }

    /// The same, searched from the states of an earlier search.
    #[must_use]
    pub fn starting_from(self, candidates: Option<Arc<Candidates>>) -> Self {
        Self { candidates, ..self }
    }

    pub(crate) fn candidates(&self) -> Option<&Candidates> {
        self.candidates.as_deref()
    }

    /// The same within other limits.
    #[must_use]
    pub fn limited_to(&self, limits: Limits) -> Self {
        Self { limits, ..self.clone() }
    }

    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The index of the query; `None` for a full exploration.
    #[must_use]
    pub const fn query(&self) -> Option<usize> {
        self.query
    }

    #[must_use]
    pub const fn property(&self) -> &Property {
        &self.property
    }

    pub(crate) const fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(crate) const fn traces_wanted(&self) -> Option<usize> {
        self.traces_wanted
    }

    /// The model without its extension.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.compiled.model
    }

    /// The compiled model, with its extension.
    #[must_use]
    pub fn system(&self) -> &System {
        &self.compiled.system
    }

    /// The clock bounds of the model and the property.
    #[must_use]
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// Whether two properties have the same compiled model, clock bounds and symmetry.
    #[must_use]
    pub(crate) fn has_bounds_of(&self, other: &Self) -> bool {
        let symmetries = (self.symmetry_used(), other.symmetry_used());
        Arc::ptr_eq(&self.compiled, &other.compiled)
            && Arc::ptr_eq(&self.analysis, &other.analysis)
            && match symmetries {
                (Some(one), Some(other)) => std::ptr::eq(one, other),
                (one, other) => one.is_none() && other.is_none(),
            }
    }

    /// The symmetry, if the plan uses it.
    pub(crate) fn symmetry_used(&self) -> Option<&FoundSymmetry> {
        self.symmetry.as_deref().filter(|_| self.plan.uses_symmetry())
    }

    /// Identifies a shared analysis.
    pub(crate) fn analysis_id(&self) -> usize {
        Arc::as_ptr(&self.analysis).addr()
    }

    /// The compiled formulas of the property.
    pub(crate) fn predicates(&self) -> &[Predicate] {
        &self.compiled.predicates[self.first.0..][..self.predicates]
    }

    /// The measures of the property, followed by those of other properties.
    pub(crate) fn gauges(&self) -> &[Gauge] {
        &self.compiled.gauges[self.first.1..]
    }

    /// The clock that is never reset, if there is one.
    pub(crate) fn time(&self) -> Option<Clock> {
        self.compiled.time
    }

    pub(crate) fn ticks(&self) -> Option<Ticks> {
        self.compiled.ticks
    }

    /// The predicate of a reachability property.
    #[must_use]
    pub fn goal_predicate(&self) -> Option<&Predicate> {
        self.property.goal().and(self.predicates().first())
    }

    /// The goal of a reachability property.
    pub(crate) fn goal(&self) -> Option<Goal<'_>> {
        let (predicate, formula) = (self.goal_predicate()?, self.property.goal()?);
        Some(Goal { predicate, formula, deadline: None })
    }

    /// The options of the zone graph. The clock that is never reset has an infinite `U`, so that its infimum is exact.
    #[must_use]
    pub fn options(&self) -> Options {
        Options { symmetry: self.representatives(), ..self.options_without_symmetry() }
    }

    /// The tables of the symmetry, if the plan uses it.
    pub(crate) fn representatives(&self) -> Option<Arc<Representatives>> {
        self.symmetry_used().and_then(|found| found.tables.clone())
    }

    pub(crate) fn options_without_symmetry(&self) -> Options {
        let Some(time) = self.compiled.time else {
            return setup::options(&self.analysis, &self.plan);
        };
        let mut analysis = (*self.analysis).clone();
        analysis.all_mut().for_each(|bounds| bounds.raise_upper(time, Constant::MAX));
        setup::options(&analysis, &self.plan)
    }

    /// The zone graph, with the stages of the plan.
    #[must_use]
    pub fn graph(&self) -> ZoneGraph<'_> {
        ZoneGraph::new(self.system(), self.options())
    }

    /// The settings of the store.
    #[must_use]
    pub fn settings(&self) -> Settings {
        setup::settings(self.system(), &self.plan)
    }

    /// An empty list, in the forms and the order of the plan.
    #[must_use]
    pub fn list(&self) -> Box<dyn PassedWaiting> {
        self.list_for(&self.plan)
    }

    /// An empty list for a plan that differs in its order. It is rewritten in a smaller form near the memory limit, if
    /// that is requested.
    pub(crate) fn list_for(&self, plan: &Plan) -> Box<dyn PassedWaiting> {
        let first = setup::settings(self.system(), plan);
        if !plan.packs {
            return tourbillon_store::build(&first);
        }
        let then = setup::settings(self.system(), &plan.packed(&self.facts));
        build_packing(&first, &then, self.limits.memory_bytes.unwrap_or(u64::MAX))
    }

    /// The cost function of the order.
    #[must_use]
    pub fn cost_function(&self) -> CostFunction {
        let distance = self.property.goal().and_then(|goal| distance::to(self.model(), goal));
        order::cost_function(self.system(), &self.plan, distance)
    }

    /// A search that has not begun, with this list.
    #[must_use]
    pub fn search_with(&self, list: Box<dyn PassedWaiting>) -> Search<'_> {
        let seed = self.plan.shuffle_edges.then_some(self.plan.seed);
        Search::new(self.graph(), list, self.cost_function()).shuffling(seed)
    }
}
