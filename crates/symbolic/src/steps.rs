//! The steps of a network, as relations between states.
//!
//! A step is an edge alone, a sender and a receiver, a sender and all that receive, or the participants of a
//! synchronisation vector, as in `zonegraph/src/enumerate.rs`; but for all states at once. Guards are those of the state
//! that is left. Updates follow each other, each on what those before it made of the data: a [`Flow`] is a set of states,
//! with choices, and the data that they lead to so far.
//!
//! **Broadcasts.** Each process that can receive does, in system order. What it does differs from state to state, and with
//! each process there would be so many more flows; but flows that ask the same of clocks and do the same to them are one
//! again as long as no state is in two of them: data that differs is a choice. So there are as many as a state has
//! different ways, and not as many as all states together have.
//!
//! A relation is over the fields as they are and those that it writes as they will be. It has no part in other fields,
//! neither in their values nor in that they stay: an image forgets what is written and nothing else.

use std::collections::{BTreeMap, HashMap};

use tourbillon_base::Id;
use tourbillon_dbm::{Clock, Constant, Constraint};
use tourbillon_dd::Bdd;
use tourbillon_model::{Action, ChannelKind, ExprId, LocationKind, ProcessId};
use tourbillon_zonegraph::Write;

use crate::edges::{Failure, Ready, choose, ready};
use crate::interpret::{CASES_MAX, ClockEvent, Interpreter, Setting};
use crate::trouble::{Done, Trouble, refuse};
use crate::words::Word;

/// States on their way through a step.
#[derive(Clone, Debug)]
struct Flow {
    states: Bdd,
    /// Data that differs from what it was, by slot; locations too, which no update can tell.
    cells: BTreeMap<usize, Word>,
    constraints: Vec<Constraint>,
    writes: Vec<Write>,
}

/// What steps ask of clocks and do to them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ClockAction {
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) writes: Vec<Write>,
}

/// What steps do to data.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// The fields that are written, in order.
    pub(crate) written: Vec<usize>,
    /// From all fields to these.
    pub(crate) relation: Bdd,
}

/// All steps of a network.
#[derive(Debug)]
pub(crate) struct Steps {
    /// By what they do with clocks, in the order in which they were found.
    pub(crate) actions: Vec<(ClockAction, Vec<Piece>)>,
    pub(crate) failures: Vec<Failure>,
    pub(crate) urgency: Urgency,
}

/// Where urgent channels keep time from passing.
#[derive(Debug)]
pub(crate) struct Urgency {
    /// Where something can be sent and received over one.
    pub(crate) states: Bdd,
    /// Where whether that is so has no value.
    pub(crate) failed: Bdd,
}

/// Finds the steps of a network.
pub(crate) fn steps(setting: Setting<'_>, legal: &Bdd) -> Done<Steps> {
    let mut builder = Builder::new(setting, legal)?;
    builder.internal()?;
    builder.channels()?;
    builder.vectors()?;
    let urgency = builder.urgency()?;
    let Builder { actions, failures, .. } = builder;
    Ok(Steps { actions, failures, urgency })
}

struct Builder<'a> {
    setting: Setting<'a>,
    /// For each process, its edges.
    ready: Vec<Vec<Ready<'a>>>,
    /// Where some process is at a committed location.
    committed: Bdd,
    choices: tourbillon_dd::Cube,
    actions: Vec<(ClockAction, Vec<Piece>)>,
    index: HashMap<ClockAction, usize>,
    failures: Vec<Failure>,
}

/// How many flows a step may have.
const FLOWS_MAX: usize = 1 << 14;

impl<'a> Builder<'a> {
    fn new(setting: Setting<'a>, legal: &Bdd) -> Done<Self> {
        let Setting { model, fields, bdds, .. } = setting;
        let mut committed = bdds.no();
        let mut all = Vec::new();
        for (id, process) in model.processes.enumerate() {
            for (location, _) in
                process.locations.enumerate().filter(|(_, it)| it.kind == LocationKind::Committed)
            {
                committed = committed.or(&fields.at(bdds, id.index(), location.index() as i32)?)?;
            }
            let edges = process.edges.iter().map(|edge| ready(setting, legal, id, edge));
            all.push(edges.collect::<Done<Vec<_>>>()?);
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

    /// Where a step may be taken by edges of which some leave a committed location there.
    fn may_go(&self, leaves: &Bdd) -> Done<Bdd> {
        Ok(self.committed.not()?.or(leaves)?)
    }

    fn yes_if(&self, all: bool) -> Bdd {
        self.setting.bdds.constant(all)
    }

    /// Notes where the guard of an edge has no value, as far as it is looked at.
    fn note_guard(&mut self, process: usize, edge: usize, looked_at: &Bdd) -> Done {
        let failed = self.ready[process][edge].failed.and(looked_at)?;
        self.note(Vec::new(), &failed)
    }

    fn note(&mut self, constraints: Vec<Constraint>, failed: &Bdd) -> Done {
        if !failed.is_no() {
            let states = failed.exists(&self.choices)?;
            self.failures.push(Failure { constraints, states });
        }
        Ok(())
    }

    /// Steps of one edge.
    fn internal(&mut self) -> Done {
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

    /// Steps over channels.
    fn channels(&mut self) -> Done {
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

    /// Where something is sent, over a channel of interest, that an edge may receive, so that its guard is looked at. Over which channel it receives is
    /// computed after its guard: so if it must be computed, it is looked at where anything is sent.
    fn wanted(
        &self,
        senders: &[(usize, usize)],
        process: usize,
        edge: usize,
        of_interest: impl Fn(usize) -> bool,
    ) -> Done<Bdd> {
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
    ) -> Done {
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

    /// Edges that are taken together, in these states: what they do, in this order.
    fn together(&mut self, within: &Bdd, edges: &[(usize, usize)]) -> Done {
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

    fn begin(&self, states: &Bdd) -> Done<Flow> {
        Ok(Flow {
            states: states.clone(),
            cells: BTreeMap::new(),
            constraints: Vec::new(),
            writes: Vec::new(),
        })
    }

    /// Where an edge is allowed by data, with what it asks of clocks.
    fn guard(&mut self, flows: Vec<Flow>, process: usize, edge: usize) -> Done<Vec<Flow>> {
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
                    next.push(Flow { states, constraints, ..flow.clone() });
                }
            }
        }
        for (constraints, failed) in failures {
            self.note(constraints, &failed)?;
        }
        self.bounded(next)
    }

    fn bounded(&self, flows: Vec<Flow>) -> Done<Vec<Flow>> {
        if self.setting.deadline.is_over() {
            return Err(Trouble::Over);
        }
        if flows.len() > FLOWS_MAX {
            return refuse(format!("a step can go in more than {FLOWS_MAX} ways with different clocks"));
        }
        Ok(flows)
    }

    /// What the model does before or after the updates of each step.
    fn hook(&mut self, flows: Vec<Flow>, before: bool) -> Done<Vec<Flow>> {
        let model = self.setting.model;
        let exprs = if before { &model.before_update } else { &model.after_update };
        if exprs.is_empty() {
            return Ok(flows);
        }
        self.run(flows, exprs, model.update_frame, None)
    }

    /// What an edge does to data and clocks; then its process is where it leads.
    fn update(&mut self, flows: Vec<Flow>, process: usize, edge: usize) -> Done<Vec<Flow>> {
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
        flows: Vec<Flow>,
        exprs: &[ExprId],
        frame: u32,
        choices: Option<(ProcessId, &tourbillon_model::Edge)>,
    ) -> Done<Vec<Flow>> {
        let mut next = Vec::new();
        for flow in flows {
            let Flow { states, cells, constraints, writes } = flow;
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
                next.push(Flow { states, cells: cells.clone(), constraints: constraints.clone(), writes });
            }
        }
        self.bounded(next)
    }

    /// Steps by which one edge sends and every process that can receive does.
    fn broadcast(
        &mut self,
        sender: (usize, usize),
        channel: usize,
        here: &Bdd,
        receivers: &[(usize, usize)],
    ) -> Done {
        let bdds = self.setting.bdds;
        let mut leaves = self.yes_if(self.ready[sender.0][sender.1].committed);
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &(process, edge) in receivers.iter().filter(|receiver| receiver.0 != sender.0) {
            let ready = &self.ready[process][edge];
            let Some(there) = ready.over(channel) else { continue };
            if there.and(here)?.is_no() {
                continue;
            }
            groups.entry(process).or_default().push(edge);
            if ready.committed {
                leaves = leaves.or(&there.exists(&self.choices)?)?;
            }
        }
        let may_go = self.may_go(&leaves)?.and(here)?;
        let begun = self.begin(&may_go)?;
        let mut flows = self.guard(vec![begun], sender.0, sender.1)?;
        flows = self.hook(flows, true)?;
        flows = self.update(flows, sender.0, sender.1)?;
        for (process, edges) in groups {
            let mut next = Vec::new();
            let mut received = bdds.no();
            for edge in edges {
                let there = self.ready[process][edge].over(channel).expect("it was found").clone();
                received = received.or(&there.exists(&self.choices)?)?;
                let taking = confined(&flows, &there)?;
                next.extend(self.update(taking, process, edge)?);
            }
            next.extend(confined(&flows, &received.not()?)?);
            flows = self.bounded(self.merge(next)?)?;
        }
        self.finish(flows)
    }

    /// Makes one of flows that do the same with clocks and have no state in common.
    fn merge(&self, flows: Vec<Flow>) -> Done<Vec<Flow>> {
        let mut merged: Vec<Flow> = Vec::new();
        for flow in flows {
            let mut rest = Some(flow);
            for other in &mut merged {
                let Some(flow) = &rest else { break };
                if (&other.constraints, &other.writes) == (&flow.constraints, &flow.writes)
                    && other.states.and(&flow.states)?.is_no()
                {
                    self.join(other, flow)?;
                    rest = None;
                }
            }
            merged.extend(rest);
        }
        Ok(merged)
    }

    fn join(&self, flow: &mut Flow, other: &Flow) -> Done {
        let words = crate::words::Arithmetic { bdds: self.setting.bdds };
        let slots: Vec<usize> = flow.cells.keys().chain(other.cells.keys()).copied().collect();
        for slot in slots {
            let here = self.cell(flow, slot)?;
            let there = self.cell(other, slot)?;
            flow.cells.insert(slot, words.choose(&flow.states, &here, &there)?);
        }
        flow.states = flow.states.or(&other.states)?;
        Ok(())
    }

    /// What a cell holds so far. Cells that are no fields begin every step alike.
    fn cell(&self, flow: &Flow, slot: usize) -> Done<Word> {
        let Setting { layout, fields, bdds, model, .. } = self.setting;
        if let Some(word) = flow.cells.get(&slot) {
            return Ok(word.clone());
        }
        if slot < layout.fields() {
            return Ok(fields.word(bdds, slot)?);
        }
        let words = crate::words::Arithmetic { bdds };
        let cell = model.cells.enumerate().find(|(id, _)| layout.slot(*id) == slot);
        Ok(words.constant(cell.map_or(0, |(_, cell)| cell.initial).into()))
    }

    /// Steps of synchronisation vectors.
    fn vectors(&mut self) -> Done {
        for vector in &self.setting.model.vectors {
            // Each with the edges that it is so far, those of strong participants first in order of the vector.
            let mut ways: Vec<(Vec<(usize, usize)>, Bdd)> = vec![(Vec::new(), self.setting.bdds.yes())];
            for part in &vector.participants {
                let process = part.process.index();
                let edges: Vec<usize> = (0..self.ready[process].len())
                    .filter(|&edge| self.ready[process][edge].edge.action == Action::Event(part.event))
                    .collect();
                let mut able = self.setting.bdds.no();
                for &edge in &edges {
                    let looked_at = self.setting.bdds.yes();
                    self.note_guard(process, edge, &looked_at)?;
                    able = able.or(&self.ready[process][edge].states.exists(&self.choices)?)?;
                }
                let mut next = Vec::new();
                for (taken, here) in ways {
                    for &edge in &edges {
                        let both = here.and(&self.ready[process][edge].states)?;
                        if !both.is_no() {
                            next.push(([taken.as_slice(), &[(process, edge)]].concat(), both));
                        }
                    }
                    let without = here.but(&able)?;
                    if part.weak && !without.is_no() {
                        next.push((taken, without));
                    }
                }
                if next.len() > FLOWS_MAX {
                    return refuse(format!("a vector can go in more than {FLOWS_MAX} ways"));
                }
                ways = next;
            }
            for (taken, here) in ways.into_iter().filter(|(taken, _)| !taken.is_empty()) {
                let commits = taken.iter().any(|&(process, edge)| self.ready[process][edge].committed);
                let may_go = self.may_go(&self.yes_if(commits))?.and(&here)?;
                self.together(&may_go, &taken)?;
            }
        }
        Ok(())
    }

    /// Turns flows into relations.
    fn finish(&mut self, flows: Vec<Flow>) -> Done {
        let Setting { layout, fields, bdds, .. } = self.setting;
        for flow in self.hook(flows, false)? {
            if flow.states.is_no() {
                continue;
            }
            let mut relation = flow.states;
            let mut written = Vec::new();
            for (slot, word) in flow.cells {
                if slot < layout.fields() && word != fields.word(bdds, slot)? {
                    relation = relation.and(&fields.becomes(bdds, slot, &word)?)?;
                    written.push(slot);
                }
            }
            let piece = Piece { written, relation: relation.exists(&self.choices)? };
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

    /// Where urgent channels keep time from passing.
    fn urgency(&self) -> Done<Urgency> {
        Ok(Urgency { states: self.urgent()?, failed: self.urgency_failed()? })
    }

    /// Where a guard has no value that is looked at to find out whether something urgent is possible.
    fn urgency_failed(&self) -> Done<Bdd> {
        let mut failed = self.setting.bdds.no();
        let channels = &self.setting.model.channels;
        if !channels.iter().any(|channel| channel.urgent) {
            return Ok(failed);
        }
        let senders = self.edges(true);
        for &(process, edge) in &senders {
            failed = failed.or(&self.ready[process][edge].failed.exists(&self.choices)?)?;
        }
        for (process, edge) in self.edges(false) {
            let is_urgent = |channel| channels[tourbillon_model::ChannelId::from_index(channel)].urgent;
            let wanted = self.wanted(&senders, process, edge, is_urgent)?;
            failed = failed.or(&self.ready[process][edge].failed.and_exists(&wanted, &self.choices)?)?;
        }
        Ok(failed)
    }

    /// Where something can be sent, and if need be received, over an urgent channel.
    fn urgent(&self) -> Done<Bdd> {
        let mut urgent = self.setting.bdds.no();
        let channels = self.setting.model.channels.enumerate().filter(|(_, channel)| channel.urgent);
        for (id, channel) in channels {
            let all = |sends: bool| {
                self.ready.iter().flatten().filter(move |ready| match ready.edge.action {
                    Action::Send(_) => sends,
                    Action::Receive(_) => !sends,
                    _ => false,
                })
            };
            for sender in all(true) {
                let Some(here) = sender.over(id.index()) else { continue };
                if channel.kind == ChannelKind::Broadcast {
                    urgent = urgent.or(&here.exists(&self.choices)?)?;
                    continue;
                }
                for receiver in all(false).filter(|receiver| receiver.process != sender.process) {
                    if let Some(there) = receiver.over(id.index()) {
                        urgent = urgent.or(&here.and_exists(there, &self.choices)?)?;
                    }
                }
            }
        }
        Ok(urgent)
    }
}

/// The parts of flows within a set.
fn confined(flows: &[Flow], states: &Bdd) -> Done<Vec<Flow>> {
    let mut next = Vec::new();
    for flow in flows {
        let states = flow.states.and(states)?;
        if !states.is_no() {
            next.push(Flow { states, ..flow.clone() });
        }
    }
    Ok(next)
}

/// The ways in which events write clocks, each with where it is that way.
fn written(
    setting: Setting<'_>,
    states: Bdd,
    writes: Vec<Write>,
    events: &[ClockEvent],
) -> Done<Vec<(Bdd, Vec<Write>)>> {
    let words = crate::words::Arithmetic { bdds: setting.bdds };
    let none = [(None, setting.bdds.yes())];
    let mut ways = vec![(states, writes)];
    for event in events {
        let sources: Vec<(Option<usize>, Bdd)> = match &event.source {
            Some(sources) => sources.0.iter().map(|(clock, here)| (Some(*clock), here.clone())).collect(),
            None => none.to_vec(),
        };
        let mut next = Vec::new();
        for (states, writes) in ways {
            let without = states.but(&event.path)?;
            if !without.is_no() {
                next.push((without, writes.clone()));
            }
            let states = states.and(&event.path)?;
            let Some(values) = words.values(&event.value, &states, CASES_MAX)? else {
                return refuse(format!("a clock is set to more than {CASES_MAX} values"));
            };
            for (value, here) in values {
                let value = Constant::new(value).expect("it was asked for");
                for (target, at_target) in &event.target.0 {
                    let here = here.and(at_target)?;
                    for (source, at_source) in &sources {
                        let here = here.and(at_source)?;
                        if here.is_no() {
                            continue;
                        }
                        let clock = |index: usize| Clock::from_index(index + 1);
                        let write = match source {
                            None => Write::Reset(clock(*target), value),
                            Some(source) => Write::Assign(clock(*target), clock(*source), value),
                        };
                        next.push((here, [writes.as_slice(), &[write]].concat()));
                    }
                }
            }
        }
        if next.len() > FLOWS_MAX {
            return refuse(format!("clocks are set in more than {FLOWS_MAX} ways by one step"));
        }
        ways = next;
    }
    Ok(ways)
}

/// Constraints in an order that depends on them alone, each once.
fn tidy(mut constraints: Vec<Constraint>) -> Vec<Constraint> {
    constraints.sort_by_key(|it| (it.left, it.right, it.bound));
    constraints.dedup();
    constraints
}

/// What writes come to, in an order that depends on that alone if they are all to constants.
fn net(writes: Vec<Write>) -> Vec<Write> {
    if !writes.iter().all(|write| matches!(write, Write::Reset(..))) {
        return writes;
    }
    let last: BTreeMap<Clock, Constant> = writes
        .iter()
        .filter_map(|write| match *write {
            Write::Reset(clock, value) => Some((clock, value)),
            Write::Assign(..) => None,
        })
        .collect();
    last.into_iter().map(|(clock, value)| Write::Reset(clock, value)).collect()
}
