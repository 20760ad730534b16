//! The transitions of a network as relations between discrete states.
//!
//! A transition is an internal edge, a sender and a receiver, a sender and all enabled receivers, or the participants
//! of a synchronisation vector, as in `zonegraph/src/enumerate.rs`, but for all states at once. Guards are evaluated in
//! the source state. Updates are executed in sequence: a [`PartialStep`] is a set of states, with selections, and the
//! data after the updates so far.
//!
//! | file | holds |
//! |---|---|
//! | `broadcasts.rs` | senders with all enabled receivers |
//! | `vectors.rs` | participants of synchronisation vectors |
//! | `urgency.rs` | the states in which urgent channels forbid delays |
//! | `clocks.rs` | clock guards and resets, case by case |
//!
//! A relation is over the current fields and the next values of those that it writes. It does not constrain other next
//! fields: an image quantifies only over the written ones.

mod broadcasts;
mod clocks;
mod urgency;
mod vectors;

use std::collections::{BTreeMap, HashMap};

use tourbillon_base::Id;
use tourbillon_dbm::Constraint;
use tourbillon_dd::Bdd;
use tourbillon_model::{Action, ChannelKind, ExprId, LocationKind, NegativeClock, ProcessId};
use tourbillon_zonegraph::{Write, negative_writes};

use self::clocks::{net, tidy, written};
use crate::edges::{EnabledEdge, FailingStates, choose, ready};
use crate::interpret::{EncodingContext, Interpreter};
use crate::interruption::{Interruptible, Interruption, refuse};
use crate::words::Word;

/// States with a part of the updates of a transition executed.
#[derive(Clone, Debug)]
struct PartialStep {
    states: Bdd,
    /// Changed data, by slot; also locations, which no update can read.
    cells: BTreeMap<usize, Word>,
    constraints: Vec<Constraint>,
    writes: Vec<Write>,
}

/// The clock constraints and resets of transitions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ClockAction {
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) writes: Vec<Write>,
}

/// The data updates of transitions.
#[derive(Clone, Debug)]
pub(crate) struct DataStep {
    /// The written fields, in order.
    pub(crate) written: Vec<usize>,
    /// The relation from all fields to these.
    pub(crate) relation: Bdd,
}

/// All transitions of a network.
#[derive(Debug)]
pub(crate) struct Steps {
    /// By clock constraints and resets, in the order in which they were found.
    pub(crate) actions: Vec<(ClockAction, Vec<DataStep>)>,
    pub(crate) failures: Vec<FailingStates>,
    pub(crate) urgency: Urgency,
}

/// Where urgent channels forbid delays.
#[derive(Debug)]
pub(crate) struct Urgency {
    /// Where a synchronisation on an urgent channel is possible.
    pub(crate) states: Bdd,
    /// Where this has no value.
    pub(crate) failed: Bdd,
}

/// Computes the transitions of a network.
pub(crate) fn steps(setting: EncodingContext<'_>, legal: &Bdd) -> Interruptible<Steps> {
    let mut builder = Builder::new(setting, legal)?;
    builder.internal()?;
    builder.channels()?;
    builder.vectors()?;
    let urgency = builder.urgency()?;
    let Builder { actions, failures, .. } = builder;
    Ok(Steps { actions, failures, urgency })
}

struct Builder<'a> {
    setting: EncodingContext<'a>,
    /// The edges of each process.
    ready: Vec<Vec<EnabledEdge<'a>>>,
    /// Where some process is at a committed location.
    committed: Bdd,
    choices: tourbillon_dd::Cube,
    actions: Vec<(ClockAction, Vec<DataStep>)>,
    index: HashMap<ClockAction, usize>,
    failures: Vec<FailingStates>,
}

/// The maximum number of partial steps of a transition.
const FLOWS_MAX: usize = 1 << 14;

impl<'a> Builder<'a> {
    fn new(setting: EncodingContext<'a>, legal: &Bdd) -> Interruptible<Self> {
        let EncodingContext { model, fields, bdds, .. } = setting;
        let mut committed = bdds.no();
        let mut all = Vec::new();
        for (id, process) in model.processes.enumerate() {
            for (location, _) in
                process.locations.enumerate().filter(|(_, it)| it.kind == LocationKind::Committed)
            {
                committed = committed.or(&fields.at(bdds, id.index(), location.index() as i32)?)?;
            }
            let edges = process.edges.iter().map(|edge| ready(setting, legal, id, edge));
            all.push(edges.collect::<Interruptible<Vec<_>>>()?);
        }
        Ok(Self {
            setting,
            ready: all,
            committed,
            choices: fields.choice_cube(bdds)?,
            actions: Vec::new(),
            index: HashMap::new(),
            failures: Vec::new(),
        })
    }

    /// Where edges can be taken of which some leave a committed location there.
    fn may_go(&self, leaves: &Bdd) -> Interruptible<Bdd> {
        Ok(self.committed.not()?.or(leaves)?)
    }

    fn yes_if(&self, all: bool) -> Bdd {
        self.setting.bdds.constant(all)
    }

    /// Records where the guard of an edge has no value, in the states where it is evaluated.
    fn note_guard(&mut self, process: usize, edge: usize, looked_at: &Bdd) -> Interruptible {
        let failed = self.ready[process][edge].failed.and(looked_at)?;
        self.note(Vec::new(), &failed)
    }

    fn note(&mut self, constraints: Vec<Constraint>, failed: &Bdd) -> Interruptible {
        if !failed.is_no() {
            let states = failed.exists(&self.choices)?;
            self.failures.push(FailingStates { constraints, states });
        }
        Ok(())
    }

    /// The transitions of internal edges.
    fn internal(&mut self) -> Interruptible {
        let model = self.setting.model;
        for process in 0..self.ready.len() {
            for edge in 0..self.ready[process].len() {
                let ready = &self.ready[process][edge];
                let alone = match ready.edge.action {
                    Action::Internal => true,
                    Action::Event(event) => !model.vectors.iter().any(|vector| {
                        vector
                            .participants
                            .iter()
                            .any(|it| it.process.index() == process && it.event == event)
                    }),
                    Action::Send(_) | Action::Receive(_) => false,
                };
                if alone {
                    let may_go = self.may_go(&self.yes_if(ready.committed))?;
                    self.note_guard(process, edge, &may_go)?;
                    self.together(&may_go, &[(process, edge)])?;
                }
            }
        }
        Ok(())
    }

    fn channels(&mut self) -> Interruptible {
        let (senders, receivers) = (self.edges(true), self.edges(false));
        for &(process, edge) in &senders {
            self.note_guard(process, edge, &self.setting.bdds.yes())?;
        }
        for &(process, edge) in &receivers {
            let wanted = self.wanted(&senders, process, edge, |_| true)?;
            self.note_guard(process, edge, &wanted)?;
        }
        for &(process, edge) in &senders {
            let channels: Vec<(usize, Bdd)> = self.ready[process][edge].channels.0.clone();
            for (channel, here) in channels {
                let kind = self.setting.model.channels[tourbillon_model::ChannelId::from_index(channel)].kind;
                if kind == ChannelKind::Binary {
                    self.binary((process, edge), channel, &here, &receivers)?;
                } else {
                    self.broadcast((process, edge), channel, &here, &receivers)?;
                }
            }
        }
        Ok(())
    }

    /// The edges that send, or receive.
    fn edges(&self, sends: bool) -> Vec<(usize, usize)> {
        let all = self.ready.iter().enumerate();
        all.flat_map(|(process, edges)| (0..edges.len()).map(move |edge| (process, edge)))
            .filter(|&(process, edge)| match self.ready[process][edge].edge.action {
                Action::Send(_) => sends,
                Action::Receive(_) => !sends,
                _ => false,
            })
            .collect()
    }

    /// The states in which an edge may receive on a relevant channel, so that its guard is evaluated. The channel is
    /// computed after the guard: if it must be computed, the guard is evaluated wherever anything is sent.
    fn wanted(
        &self,
        senders: &[(usize, usize)],
        process: usize,
        edge: usize,
        of_interest: impl Fn(usize) -> bool,
    ) -> Interruptible<Bdd> {
        let mut wanted = self.setting.bdds.no();
        let Action::Receive(place) = &self.ready[process][edge].edge.action else { return Ok(wanted) };
        for &(other, sender) in senders {
            for (channel, here) in &self.ready[other][sender].channels.0 {
                let may_match = !place.indices.is_empty() || *channel == place.first.index();
                if may_match && of_interest(*channel) {
                    wanted = wanted.or(&here.exists(&self.choices)?)?;
                }
            }
        }
        Ok(wanted)
    }

    fn binary(
        &mut self,
        sender: (usize, usize),
        channel: usize,
        here: &Bdd,
        receivers: &[(usize, usize)],
    ) -> Interruptible {
        for &receiver in receivers.iter().filter(|receiver| receiver.0 != sender.0) {
            let Some(there) = self.ready[receiver.0][receiver.1].over(channel) else { continue };
            let both = here.and(there)?;
            if both.is_no() {
                continue;
            }
            let commits = [sender, receiver].iter().any(|&(p, e)| self.ready[p][e].committed);
            let may_go = self.may_go(&self.yes_if(commits))?.and(&both)?;
            self.together(&may_go, &[sender, receiver])?;
        }
        Ok(())
    }

    /// Adds the transitions of these edges, executed in this order, in these states.
    fn together(&mut self, within: &Bdd, edges: &[(usize, usize)]) -> Interruptible {
        let mut flows = vec![self.begin(within)?];
        for &(process, edge) in edges {
            flows = self.guard(flows, process, edge)?;
        }
        flows = self.hook(flows, true)?;
        for &(process, edge) in edges {
            flows = self.update(flows, process, edge)?;
        }
        self.finish(flows)
    }

    fn begin(&self, states: &Bdd) -> Interruptible<PartialStep> {
        Ok(PartialStep {
            states: states.clone(),
            cells: BTreeMap::new(),
            constraints: Vec::new(),
            writes: Vec::new(),
        })
    }

    /// The states in which data allows an edge, with its clock constraints.
    fn guard(
        &mut self,
        flows: Vec<PartialStep>,
        process: usize,
        edge: usize,
    ) -> Interruptible<Vec<PartialStep>> {
        let mut next = Vec::new();
        let mut failures = Vec::new();
        let ready = &self.ready[process][edge];
        for flow in flows {
            for failure in &ready.clock_failures {
                let failed = failure.states.and(&flow.states)?;
                failures.push(([flow.constraints.as_slice(), &failure.constraints].concat(), failed));
            }
            for (constraints, here) in &ready.clocks {
                let states = flow.states.and(here)?;
                if !states.is_no() {
                    let constraints = [flow.constraints.as_slice(), constraints].concat();
                    next.push(PartialStep { states, constraints, ..flow.clone() });
                }
            }
        }
        for (constraints, failed) in failures {
            self.note(constraints, &failed)?;
        }
        self.bounded(next)
    }

    fn bounded(&self, flows: Vec<PartialStep>) -> Interruptible<Vec<PartialStep>> {
        if self.setting.deadline.is_over() {
            return Err(Interruption::Over);
        }
        if flows.len() > FLOWS_MAX {
            return refuse(format!(
                "a transition has more than {FLOWS_MAX} combinations of clock constraints and resets"
            ));
        }
        Ok(flows)
    }

    /// Executes the hook of the model before or after the updates of each transition.
    fn hook(&mut self, flows: Vec<PartialStep>, before: bool) -> Interruptible<Vec<PartialStep>> {
        let model = self.setting.model;
        let exprs = if before { &model.before_update } else { &model.after_update };
        if exprs.is_empty() {
            return Ok(flows);
        }
        self.run(flows, exprs, model.update_frame, None)
    }

    /// Executes the update of an edge and moves its process to the target.
    fn update(
        &mut self,
        flows: Vec<PartialStep>,
        process: usize,
        edge: usize,
    ) -> Interruptible<Vec<PartialStep>> {
        let taken = self.ready[process][edge].edge;
        let mut flows = if taken.updates.is_empty() {
            flows
        } else {
            self.run(flows, &taken.updates, taken.frame, Some((ProcessId::from_index(process), taken)))?
        };
        let target = taken.target.index();
        for flow in &mut flows {
            let words = crate::words::Arithmetic { bdds: self.setting.bdds };
            flow.cells.insert(process, words.constant(target as i64));
        }
        Ok(flows)
    }

    fn run(
        &mut self,
        flows: Vec<PartialStep>,
        exprs: &[ExprId],
        frame: u32,
        choices: Option<(ProcessId, &tourbillon_model::Edge)>,
    ) -> Interruptible<Vec<PartialStep>> {
        let mut next = Vec::new();
        for flow in flows {
            let PartialStep { states, cells, constraints, writes } = flow;
            let mut interpreter = Interpreter::new(self.setting, states, cells, frame);
            if let Some((process, edge)) = choices {
                choose(&mut interpreter, process, edge)?;
            }
            for &expr in exprs {
                interpreter.value(expr)?;
            }
            let Interpreter { path, failed, cells, events, .. } = interpreter;
            self.note(constraints.clone(), &failed)?;
            for (states, writes) in written(self.setting, path, writes, &events)? {
                next.push(PartialStep {
                    states,
                    cells: cells.clone(),
                    constraints: constraints.clone(),
                    writes,
                });
            }
        }
        self.bounded(next)
    }

    /// Records the states from which an update assigns a negative value to a clock. The relation has the rest: its
    /// effect on a zone removes these valuations.
    fn note_negative(&mut self, flow: &PartialStep) -> Interruptible {
        for negative in negative_writes(&flow.writes) {
            let constraints = flow.constraints.iter().copied().chain(negative.within).collect();
            self.note(constraints, &flow.states)?;
        }
        Ok(())
    }

    /// Converts partial steps to relations.
    fn finish(&mut self, flows: Vec<PartialStep>) -> Interruptible {
        let EncodingContext { layout, fields, bdds, .. } = self.setting;
        for flow in self.hook(flows, false)? {
            if flow.states.is_no() {
                continue;
            }
            if self.setting.model.language.negative_clock() == NegativeClock::Fails {
                self.note_negative(&flow)?;
            }
            let mut relation = flow.states;
            let mut written = Vec::new();
            for (slot, word) in flow.cells {
                if slot < layout.fields() && word != fields.word(bdds, slot)? {
                    relation = relation.and(&fields.becomes(bdds, slot, &word)?)?;
                    written.push(slot);
                }
            }
            let piece = DataStep { written, relation: relation.exists(&self.choices)? };
            let action = ClockAction { constraints: tidy(flow.constraints), writes: net(flow.writes) };
            let next = self.actions.len();
            let index = *self.index.entry(action.clone()).or_insert(next);
            if index == next {
                self.actions.push((action, Vec::new()));
            }
            self.actions[index].1.push(piece);
        }
        Ok(())
    }
}
