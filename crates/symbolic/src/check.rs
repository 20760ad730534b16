//! From a job to answers: each question is encoded and searched, one after the other.

use std::time::Instant;

use tourbillon_check::{
    Answer, BoundsScope, CheckError, Engine, Job, Outcome, Prepared, Progress, RuntimeError, TraceKind, Why,
    Wishes, prepare,
};
use tourbillon_dd::Bdds;
use tourbillon_search::{Budget, Stats};
use tourbillon_zonegraph::{Judge, ZoneGraph};

use crate::encoding::{Encoding, fields};
use crate::goal::Goal;
use crate::interpret::Setting;
use crate::search::{Ended, Search, Spot};
use crate::trace::{NoPath, Path};
use crate::trouble::{Done, Trouble};

/// Answers queries. The answers are in the order of the queries.
///
/// # Errors
/// If the model cannot be compiled, or what was asked for cannot be combined.
pub fn check(job: &Job<'_>, observe: &mut dyn FnMut(&Progress)) -> Result<Vec<Answer>, CheckError> {
    let wishes = Wishes { engine: Engine::Symbolic, ..job.wishes.clone() };
    let mut budget = Budget::new(job.limits, job.stop);
    let mut answers = Vec::new();
    for question in prepare(&Job { wishes: &wishes, ..*job })? {
        answers.push(match question {
            Err(answer) => answer,
            Ok(prepared) => answer(&prepared, &mut budget, observe),
        });
    }
    Ok(answers)
}

fn answer(prepared: &Prepared<'_>, budget: &mut Budget<'_>, observe: &mut dyn FnMut(&Progress)) -> Answer {
    let started = Instant::now();
    let (model, system, plan) = (prepared.model(), prepared.system(), prepared.plan());
    let fields = fields(model, system);
    let bdds = Bdds::new(fields.variables(), plan.sets.memory_bytes as usize);
    let setting = Setting { model, layout: &system.layout, fields: &fields, bdds: &bdds };
    let zones = prepared.options();
    let (encoding, goal) = match encode(setting, prepared) {
        Ok(encoded) => encoded,
        Err(Trouble::Refused(why)) => {
            let why = format!("{why}: use --engine zones");
            return Answer::unsupported(prepared.query(), why);
        }
        Err(Trouble::Full) => {
            let why = Why::Exhausted(tourbillon_check::Exhausted::Memory);
            return prepared.unknown(why, Stats::default(), started.elapsed());
        }
    };
    let mut search = Search::new(setting, (&zones, system.dimension), encoding, goal, plan);
    let query = prepared.query();
    let mut observe = |stats: &Stats| observe(&Progress { query, stats: *stats });
    let ended = search.run(&system.initial, budget, &mut observe);
    let mut stats = search.stats();
    if let Some(sets) = &mut stats.sets {
        sets.pairs = search.pairs() as u64;
    }
    stats.discrete_states = discrete_states(&search);
    let mut conclusion = Conclusion { prepared, search: &mut search, graph: prepared.graph(), budget };
    let outcome = conclusion.outcome(ended);
    let time = started.elapsed();
    match outcome {
        Ok(outcome) => prepared.answer(outcome, stats, time),
        Err(why) => prepared.unknown(why, stats, time),
    }
}

fn encode(setting: Setting<'_>, prepared: &Prepared<'_>) -> Done<(Encoding, Option<Goal>)> {
    let local = prepared.plan().bounds == BoundsScope::Local;
    let encoding = Encoding::new(setting, prepared.analysis(), local)?;
    let goal = prepared.asked().map(|asked| Goal::new(setting, &encoding.legal, asked)).transpose()?;
    Ok((encoding, goal))
}

/// How many discrete states were reached; 0 if there is no room to tell.
fn discrete_states(search: &Search<'_>) -> u64 {
    let entries = search.map.entries().iter();
    let all = entries.clone().try_fold(search.setting.bdds.no(), |all, entry| all.or(&entry.reached));
    all.map_or(0, |all| search.setting.fields.count(&all) as u64)
}

/// What is made of how a search ended.
struct Conclusion<'c, 's, 'b> {
    prepared: &'c Prepared<'c>,
    search: &'c mut Search<'s>,
    graph: ZoneGraph<'c>,
    budget: &'c Budget<'b>,
}

impl Conclusion<'_, '_, '_> {
    fn outcome(&mut self, ended: Ended) -> Result<Outcome, Why> {
        match ended {
            Ended::Complete => Ok(Outcome::Complete),
            Ended::Overflowed => Ok(Outcome::Overflowed),
            Ended::Exhausted(what) => Ok(Outcome::Exhausted(what)),
            Ended::Found(_) if self.prepared.plan().trace == TraceKind::None => {
                Ok(Outcome::Found { path: None })
            }
            Ended::Found(spot) => match self.path(&spot, &|search, id, states| {
                let goal = search.goal.as_ref().expect("it was found");
                goal.meet(search.setting.bdds, &search.map.entry(id).zone, states)
            }) {
                Ok(path) => Ok(Outcome::Found { path: Some(path.ordinals) }),
                // What was found was found, with a run or without.
                Err(NoPath::Exhausted) => Ok(Outcome::Found { path: None }),
                Err(NoPath::Lost(why)) => Err(Why::NotReplayed(why.to_owned())),
            },
            Ended::Failed(spot) => match self.path(&spot, &|search, id, states| search.failing(id, states)) {
                Ok(path) => self.failure(path),
                Err(NoPath::Exhausted) => Ok(Outcome::Exhausted(tourbillon_check::Exhausted::Memory)),
                Err(NoPath::Lost(why)) => Err(Why::NotReplayed(why.to_owned())),
            },
        }
    }

    fn path(
        &mut self,
        _: &Spot,
        target: &dyn Fn(&Search<'_>, u32, &tourbillon_dd::Bdd) -> Done<tourbillon_dd::Bdd>,
    ) -> Result<Path, NoPath> {
        let initial = &self.prepared.system().initial;
        self.search
            .path(&mut self.graph, initial, self.budget, &|search, id, states| target(search, id, states))
    }

    /// What is wrong at the end of a path: what the explicit engine says when it goes on from there.
    fn failure(&mut self, path: Path) -> Result<Outcome, Why> {
        let Path { ordinals, mut end } = path;
        let error = match self.prepared.goal() {
            Some(goal) => Judge::new(self.prepared.system()).meet(goal, &end.memory, &end.zone).err(),
            None => None,
        };
        let error: Option<RuntimeError> = error.or_else(|| self.graph.expand(&mut end, &mut |_| {}).err());
        match error {
            Some(error) => Ok(Outcome::Failed { error, path: Some(ordinals) }),
            None => {
                Err(Why::NotReplayed("the model fails in a state in which nothing goes wrong".to_owned()))
            }
        }
    }
}
