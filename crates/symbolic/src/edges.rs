//! The states in which the data guard of each edge holds.
//!
//! For each edge: the states, with its selections, in which its process is at its source and its data guard holds; the
//! channel on which it synchronises there; and its clock constraints there. A comparison of a clock with a number that
//! depends on the state is a case for each value of the number.

use std::collections::BTreeMap;

use tourbillon_base::Id;
use tourbillon_dbm::{Clock, Constant, Constraint};
use tourbillon_dd::Bdd;
use tourbillon_model::{Action, ClockCondition, Edge, LocationKind, ProcessId};
use tourbillon_system::constraints;

use crate::fields::Fields;
use crate::interpret::{CASES_MAX, CONSTANTS, EncodingContext, Interpreter};
use crate::interruption::{Interruptible, refuse};
use crate::places::Options;

/// Clock constraints, with their states; the parts are disjoint.
pub(crate) type ClockCases = Vec<(Vec<Constraint>, Bdd)>;

/// States in which the model fails, if clocks allow it.
#[derive(Clone, Debug)]
pub(crate) struct FailingStates {
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) states: Bdd,
}

/// An edge, with the states in which it is enabled by data.
#[derive(Debug)]
pub(crate) struct EnabledEdge<'a> {
    pub(crate) edge: &'a Edge,
    pub(crate) process: usize,
    /// Whether it leaves a committed location.
    pub(crate) committed: bool,
    /// The states and selections in which data allows it.
    pub(crate) states: Bdd,
    /// The channel, if any.
    pub(crate) channels: Options<usize>,
    /// Its clock constraints.
    pub(crate) clocks: ClockCases,
    /// Where its guard or its channel has no value.
    pub(crate) failed: Bdd,
    /// Where its clock constraints have no value.
    pub(crate) clock_failures: Vec<FailingStates>,
}

impl EnabledEdge<'_> {
    /// The states in which it synchronises on a channel.
    pub(crate) fn over(&self, channel: usize) -> Option<&Bdd> {
        self.channels.0.iter().find(|(over, _)| *over == channel).map(|(_, here)| here)
    }
}

/// The maximum number of bits of the selections of a process.
pub(crate) fn choice_bits(edges: &[Edge]) -> u32 {
    let bits = |edge: &Edge| edge.selects.iter().map(|select| Fields::choice_bits(select.range)).sum();
    edges.iter().map(bits).max().unwrap_or(0)
}

/// The states in which an edge is enabled by data.
pub(crate) fn ready<'a>(
    setting: EncodingContext<'a>,
    legal: &Bdd,
    process: ProcessId,
    edge: &'a Edge,
) -> Interruptible<EnabledEdge<'a>> {
    let source = &setting.model.processes[process].locations[edge.source];
    let at = setting.fields.at(setting.bdds, process.index(), edge.source.index() as i32)?;
    let mut interpreter = Interpreter::new(setting, legal.and(&at)?, BTreeMap::new(), edge.frame);
    choose(&mut interpreter, process, edge)?;
    for &condition in &edge.guard.conditions {
        let holds = interpreter.holds(condition)?;
        interpreter.narrow(holds);
    }
    let channels = match &edge.action {
        Action::Send(place) | Action::Receive(place) => {
            interpreter.steps(&place.indices)?.plus(place.first.index())
        }
        Action::Internal | Action::Event(_) => Options(Vec::new()),
    };
    let (failed, states) = (interpreter.failed.clone(), interpreter.path.clone());
    let channels = Options(
        channels
            .0
            .into_iter()
            .map(|(channel, here)| Ok((channel, here.and(&states)?)))
            .collect::<Interruptible<_>>()?,
    );
    let mut clock_failures = Vec::new();
    let clocks = clock_cases(&mut interpreter, &edge.guard.clocks, &mut clock_failures)?;
    Ok(EnabledEdge {
        edge,
        process: process.index(),
        committed: source.kind == LocationKind::Committed,
        states,
        channels,
        clocks,
        failed,
        clock_failures,
    })
}

/// Puts the selections of an edge into its local cells.
pub(crate) fn choose(interpreter: &mut Interpreter<'_>, process: ProcessId, edge: &Edge) -> Interruptible {
    let EncodingContext { fields, bdds, .. } = interpreter.setting;
    let mut skip = 0;
    for select in &edge.selects {
        let value = fields.choice(bdds, process.index(), skip, select.range)?;
        skip += Fields::choice_bits(select.range);
        let within = interpreter.words.is_within(&value, select.range)?;
        let path = interpreter.path.and(&within)?;
        interpreter.narrow(path);
        interpreter.select(select.local, value);
    }
    Ok(())
}

/// The clock constraints of a conjunction, on the path.
pub(crate) fn clock_cases(
    interpreter: &mut Interpreter<'_>,
    conditions: &[ClockCondition],
    failures: &mut Vec<FailingStates>,
) -> Interruptible<ClockCases> {
    let mut cases = vec![(Vec::new(), interpreter.path.clone())];
    for condition in conditions {
        let before = interpreter.failed.clone();
        let options = condition_cases(interpreter, condition)?;
        let failed = interpreter.failed.but(&before)?;
        let mut next = Vec::new();
        for (constraints, here) in &cases {
            let failed = failed.and(here)?;
            if !failed.is_no() {
                failures.push(FailingStates { constraints: constraints.clone(), states: failed });
            }
            for (more, there) in &options {
                let both = here.and(there)?;
                if !both.is_no() {
                    next.push(([constraints.as_slice(), more].concat(), both));
                }
            }
        }
        cases = next;
        if cases.len() > CASES_MAX {
            return refuse(format!("the clock constraints have more than {CASES_MAX} cases"));
        }
    }
    Ok(cases)
}

fn condition_cases(
    interpreter: &mut Interpreter<'_>,
    condition: &ClockCondition,
) -> Interruptible<ClockCases> {
    let asked = match condition.when {
        Some(when) => interpreter.holds(when)?,
        None => interpreter.path.clone(),
    };
    let mut cases = Vec::new();
    let rest = interpreter.path.but(&asked)?;
    if !rest.is_no() {
        cases.push((Vec::new(), rest));
    }
    let atom = &condition.atom;
    interpreter.within(&asked, |interpreter| {
        let left = interpreter.clock(&atom.left)?;
        let right = match &atom.right {
            Some(right) => interpreter.clock(right)?.plus(1),
            None => Options(vec![(0, interpreter.setting.bdds.yes())]),
        };
        let bound = interpreter.value(atom.bound)?;
        interpreter.must_be_within(&bound, CONSTANTS)?;
        for (bound, here) in interpreter.cases(&bound, "what a clock is compared with")? {
            let bound = Constant::new(bound).expect("it is within");
            for (left, at_left) in &left.plus(1).0 {
                let here = here.and(at_left)?;
                for (right, at_right) in &right.0 {
                    let here = here.and(at_right)?;
                    if !here.is_no() {
                        let (left, right) = (Clock::from_index(*left), Clock::from_index(*right));
                        cases.push((constraints(left, right, atom.compare, bound).collect(), here));
                    }
                }
            }
        }
        Ok(())
    })?;
    Ok(cases)
}
