//! A model as TChecker text, as far as the language allows.
//!
//! A model that was read from TChecker text is written with its own names, and reading the result gives the
//! same model. Of other models this becomes of what the language lacks:
//!
//! - *Names*: what is not a letter, a digit or an underscore becomes an underscore (`P(1,2)` is `P_1_2`,
//!   `P.x` is `P_x`); an underscore is added to reserved words, and a number to names that would be the same.
//! - *Binary channels*: two events for each channel, `c_send` and `c_receive`, and one `sync` line for each
//!   sender and each receiver in another process. Edges without a possible partner are left out,
//!   since an event without `sync` line would be taken alone. *Broadcast channels* become weak
//!   synchronisation if no receiving edge has a guard.
//! - *Steps without a channel*: the event `tau`.
//! - *Constants*: their values; an element of an array of them that an index chooses: its value, case by
//!   case.
//! - *Selections* and indices of channels: one edge for each combination of values.
//! - *Comparisons of clocks under a condition*: on edges, one edge for each case.
//! - *Functions* without a result: their statements, at the place of the call; those that only return an
//!   expression: that expression.
//!
//! What is left is refused, each piece with its place. Queries have no place in the language and are not
//! written.

mod exprs;
mod names;
mod places;
mod stmts;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tourbillon_base::{Diagnostic, Diagnostics, Id, SourceId, Span};
use tourbillon_model::*;

use crate::codes;
use exprs::{Env, LocalValue};
use names::Names;

/// How many edges selections may be expanded to.
const EDGES_MAX: usize = 100_000;

/// Writes a model, or says what cannot be written.
///
/// # Errors
/// If the model uses something that the language cannot express.
pub fn write(model: &Model) -> Result<String, Diagnostics> {
    let mut diagnostics = Diagnostics::default();
    let names = Names::new(model, &mut diagnostics);
    let mut writer =
        Writer { model, names, out: &mut diagnostics, text: String::new(), edges: 0, calls: 0, depth: 0 };
    writer.model();
    let text = writer.text;
    if diagnostics.has_errors() { Err(diagnostics) } else { Ok(text) }
}

struct Writer<'m, 'o> {
    model: &'m Model,
    names: Names,
    out: &'o mut Diagnostics,
    text: String,
    edges: usize,
    /// How many calls were written out, to tell their local variables apart.
    calls: usize,
    /// How many calls are being written out.
    depth: usize,
}

/// With whom an edge is taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Partner {
    Alone,
    Event(EventId),
    Send(ChannelId),
    Receive(ChannelId),
}

/// An edge without selections.
struct EdgeInstance<'m> {
    edge: &'m Edge,
    env: Env,
    partner: Partner,
    /// Conditions that tell the variants of an edge apart.
    extra: Vec<String>,
    clocks: Vec<String>,
}

/// A line of text for an edge.
struct Line {
    partner: Partner,
    source: LocationId,
    target: LocationId,
    provided: String,
    statements: String,
}

impl<'m> Writer<'m, '_> {
    fn refuse<T>(&mut self, span: Span, what: impl std::fmt::Display) -> Option<T> {
        let message = format!("{what} cannot be written in this language");
        self.out.push(Diagnostic::error(codes::CANNOT_WRITE, span, message));
        None
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        let _ = self.text.write_fmt(line);
        self.text.push('\n');
    }

    fn model(&mut self) {
        let model = self.model;
        self.refuse_whole();
        if model.overflow == Overflow::Wrap {
            self.line(format_args!("# tourbillon: overflow wrap"));
        }
        self.line(format_args!("system:{}\n", self.names.system.clone()));
        let lines: Vec<Vec<Line>> =
            model.processes.ids().map(|process| self.process_lines(process)).collect();
        let partners = Partners::new(&lines);
        self.events(&partners);
        for declaration in self.names.declarations.clone() {
            self.line(format_args!("{declaration}"));
        }
        for (process, lines) in model.processes.ids().zip(&lines) {
            self.process(process, lines, &partners);
        }
        self.vectors(&partners);
    }

    /// What concerns the whole model.
    fn refuse_whole(&mut self) {
        let model = self.model;
        let start = Span::new(SourceId::from_index(0), 0, 0);
        for process in model.processes.iter().filter(|process| process.priority != 0) {
            self.refuse::<()>(process.span, format_args!("the priority of the process `{}`", process.name));
        }
        for clock in model.clocks.iter().filter(|clock| clock.initial != 0) {
            let what =
                format_args!("the clock `{}`, which starts at {} and not at 0,", clock.name, clock.initial);
            self.refuse::<()>(clock.span, what);
        }
        for channel in &model.channels {
            if channel.priority != 0 {
                self.refuse::<()>(
                    channel.span,
                    format_args!("the priority of the channel `{}`", channel.name),
                );
            }
            if channel.urgent {
                self.refuse::<()>(channel.span, format_args!("the urgent channel `{}`", channel.name));
            }
        }
        if model.internal_priority != 0 {
            self.refuse::<()>(start, "the priority of steps without a channel");
        }
        for (updates, what) in [(&model.before_update, "before"), (&model.after_update, "after")] {
            if let Some(&first) = updates.first() {
                let what = format!("what is done {what} the updates of every step");
                self.refuse::<()>(model.exprs[first].span, what);
            }
        }
    }

    fn events(&mut self, partners: &Partners) {
        for event in self.model.events.ids() {
            let name = self.names.events[event.index()].clone();
            self.line(format_args!("event:{name}"));
        }
        for (&partner, processes) in &partners.by_partner {
            let happens = processes.iter().any(|&process| self.can_happen(process, partner, partners));
            if happens && !matches!(partner, Partner::Event(_)) {
                let name = self.event(partner);
                self.line(format_args!("event:{name}"));
            }
        }
        self.text.push('\n');
    }

    fn event(&self, partner: Partner) -> String {
        match partner {
            Partner::Alone => self.names.alone.clone(),
            Partner::Event(event) => self.names.events[event.index()].clone(),
            Partner::Send(channel) => self.names.channels[channel.index()].0.clone(),
            Partner::Receive(channel) => self.names.channels[channel.index()].1.clone(),
        }
    }

    fn process(&mut self, id: ProcessId, lines: &[Line], partners: &Partners) {
        let process = &self.model.processes[id];
        let name = self.names.processes[id.index()].clone();
        self.line(format_args!("\nprocess:{name}"));
        let locations = self.names.locations[id.index()].clone();
        for (location, text) in process.locations.ids().zip(&locations) {
            let attributes = self.location(process, location);
            self.line(format_args!("location:{name}:{text}{attributes}"));
        }
        for line in lines {
            if !self.can_happen(id, line.partner, partners) {
                continue;
            }
            let event = self.event(line.partner);
            let [source, target] = [line.source, line.target].map(|location| &locations[location.index()]);
            let parts = [("provided", &line.provided), ("do", &line.statements)];
            let attributes = parts.iter().filter(|(_, value)| !value.is_empty());
            let attributes: Vec<String> = attributes.map(|(key, value)| format!("{key}: {value}")).collect();
            let attributes = match attributes.is_empty() {
                true => String::new(),
                false => format!("{{{}}}", attributes.join(" : ")),
            };
            self.line(format_args!("edge:{name}:{source}:{target}:{event}{attributes}"));
        }
    }

    /// Whether another process could take part. A broadcast does not need receivers.
    fn can_happen(&self, process: ProcessId, partner: Partner, partners: &Partners) -> bool {
        let needed = match partner {
            Partner::Alone | Partner::Event(_) => return true,
            Partner::Send(channel) if self.model.channels[channel].kind == ChannelKind::Broadcast => {
                return true;
            }
            Partner::Send(channel) => Partner::Receive(channel),
            Partner::Receive(channel) => Partner::Send(channel),
        };
        partners.of(needed).iter().any(|other| *other != process)
    }

    fn location(&mut self, process: &Process, id: LocationId) -> String {
        let location = &process.locations[id];
        let place = format!("{}.{}", process.name, location.name);
        if !location.rates.is_empty() {
            self.refuse::<()>(location.span, format_args!("the clock that stands still at `{place}`"));
        }
        let mut attributes = Vec::new();
        if id == process.initial {
            attributes.push("initial:".to_owned());
        }
        match location.kind {
            LocationKind::Normal => {}
            LocationKind::Urgent => attributes.push("urgent:".to_owned()),
            LocationKind::Committed => attributes.push("committed:".to_owned()),
        }
        if !location.labels.is_empty() {
            let plain = |label: &String| !label.contains([':', '{', '}', '#', ',', '\n']);
            if !location.labels.iter().all(plain) {
                self.refuse::<()>(location.span, format_args!("a label of `{place}`"));
            }
            attributes.push(format!("labels: {}", location.labels.join(",")));
        }
        if let Some(invariant) = self.invariant(location, &place)
            && !invariant.is_empty()
        {
            attributes.push(format!("invariant: {invariant}"));
        }
        if attributes.is_empty() { String::new() } else { format!("{{{}}}", attributes.join(" : ")) }
    }

    fn invariant(&mut self, location: &Location, place: &str) -> Option<String> {
        let env = Env::default();
        let mut parts = Vec::new();
        for &condition in &location.invariant.conditions {
            parts.extend(self.condition(condition, &env)?);
        }
        for ClockCondition { when, atom } in &location.invariant.clocks {
            match when.map(|when| self.constant(when, &env)) {
                Some(Some(0)) => {}
                Some(None) => {
                    let what = format!("the invariant of `{place}`, which depends on data,");
                    return self.refuse(location.span, what);
                }
                None | Some(Some(_)) => parts.push(self.atom(atom, &env)?),
            }
        }
        Some(parts.join(" && "))
    }

    /// The lines of all edges of a process.
    fn process_lines(&mut self, process: ProcessId) -> Vec<Line> {
        let mut lines = Vec::new();
        for edge in &self.model.processes[process].edges {
            for variant in self.variants(edge) {
                lines.extend(self.edge_line(variant));
            }
        }
        lines
    }

    /// An edge for each value of its selections and of the index of its channel, and each case of its guard.
    fn variants(&mut self, edge: &'m Edge) -> Vec<EdgeInstance<'m>> {
        let combinations = edge.selects.iter().map(|select| select.range.len()).fold(1, u64::saturating_mul);
        if combinations > EDGES_MAX as u64 {
            return self.too_many(edge);
        }
        let mut envs = vec![Env::default()];
        for select in &edge.selects {
            let with = |env: &Env, value| env.with(select.local, LocalValue::Int(value));
            envs = envs
                .iter()
                .flat_map(|env| select.range.values().map(move |value| with(env, value)))
                .collect();
        }
        let mut variants = Vec::new();
        for env in envs {
            for (partner, extra) in self.partners(edge, &env) {
                let variant = EdgeInstance { edge, env: env.clone(), partner, extra, clocks: Vec::new() };
                variants.extend(self.cases(variant));
            }
            if self.edges + variants.len() > EDGES_MAX {
                return self.too_many(edge);
            }
        }
        self.edges += variants.len();
        variants
    }

    fn too_many<T>(&mut self, edge: &Edge) -> Vec<T> {
        let message = format!("this edge would bring the number of edges beyond {EDGES_MAX}");
        self.out.push(Diagnostic::error(codes::TOO_LARGE_TO_WRITE, edge.span, message));
        Vec::new()
    }

    /// The channels that an edge can mean, each with the condition under which it does.
    fn partners(&mut self, edge: &Edge, env: &Env) -> Vec<(Partner, Vec<String>)> {
        let (place, partner): (_, fn(ChannelId) -> Partner) = match &edge.action {
            Action::Internal => return vec![(Partner::Alone, Vec::new())],
            Action::Event(event) => return vec![(Partner::Event(*event), Vec::new())],
            Action::Send(place) => (place, Partner::Send),
            Action::Receive(place) => (place, Partner::Receive),
        };
        let mut found = vec![(place.first.index(), Vec::new())];
        for step in &place.indices {
            let fixed = self.constant(step.index, env);
            let mut next = Vec::new();
            for (channel, conditions) in found {
                for value in step.range.values().filter(|value| fixed.is_none_or(|fixed| fixed == *value)) {
                    let mut conditions = conditions.clone();
                    if fixed.is_none() {
                        let Some(index) = self.operand(step.index, env) else { return Vec::new() };
                        conditions.push(format!("{index} == {value}"));
                    }
                    let offset = (i64::from(value) - i64::from(step.range.min)) as usize;
                    next.push((channel + offset * step.stride as usize, conditions));
                    if next.len() > EDGES_MAX {
                        return self.too_many(edge);
                    }
                }
            }
            found = next;
        }
        found.into_iter().map(|(channel, when)| (partner(ChannelId::from_index(channel)), when)).collect()
    }

    /// One variant for each answer to the conditions that comparisons of clocks depend on.
    fn cases(&mut self, variant: EdgeInstance<'m>) -> Vec<EdgeInstance<'m>> {
        let mut cases = vec![variant];
        for ClockCondition { when, atom } in &cases[0].edge.guard.clocks {
            let mut next = Vec::new();
            for mut case in cases {
                let Some(text) = self.atom(atom, &case.env) else { return Vec::new() };
                let fixed = when.map_or(Some(1), |when| self.constant(when, &case.env));
                match (fixed, when) {
                    (Some(0), _) => {}
                    (None, Some(when)) => {
                        let Some(conditions) = self.condition(*when, &case.env) else { return Vec::new() };
                        let all = conditions.join(" && ");
                        let mut extra = case.extra.clone();
                        extra.push(format!("(if {all} then 0 else 1)"));
                        let otherwise = EdgeInstance {
                            edge: case.edge,
                            env: case.env.clone(),
                            partner: case.partner,
                            extra,
                            clocks: case.clocks.clone(),
                        };
                        next.push(otherwise);
                        case.extra.extend(conditions);
                        case.clocks.push(text);
                    }
                    _ => case.clocks.push(text),
                }
                next.push(case);
                if next.len() > EDGES_MAX {
                    let edge = next[0].edge;
                    return self.too_many(edge);
                }
            }
            cases = next;
        }
        cases
    }

    fn edge_line(&mut self, variant: EdgeInstance<'m>) -> Option<Line> {
        let EdgeInstance { edge, env, partner, extra, clocks } = variant;
        let mut provided = Vec::new();
        for &condition in &edge.guard.conditions {
            match self.constant(condition, &env) {
                Some(0) if !edge.selects.is_empty() => return None,
                Some(_) if !edge.selects.is_empty() => {}
                _ => provided.extend(self.condition(condition, &env)?),
            }
        }
        provided.extend(extra);
        provided.extend(clocks);
        if let Partner::Receive(channel) = partner
            && self.model.channels[channel].kind == ChannelKind::Broadcast
            && !provided.is_empty()
        {
            let name = &self.model.channels[channel].name;
            let what = format!("a guard on an edge that receives on the broadcast channel `{name}`");
            return self.refuse(edge.span, what);
        }
        let statements = self.updates(&edge.updates, &env)?;
        let provided = provided.join(" && ");
        Some(Line { partner, source: edge.source, target: edge.target, provided, statements })
    }

    fn vectors(&mut self, partners: &Partners) {
        let model = self.model;
        self.text.push('\n');
        for vector in &model.vectors {
            let part = |part: &Participant| {
                let (process, event) = (part.process.index(), part.event.index());
                let weak = if part.weak { "?" } else { "" };
                format!("{}@{}{weak}", self.names.processes[process], self.names.events[event])
            };
            let parts: Vec<String> = vector.participants.iter().map(part).collect();
            self.line(format_args!("sync:{}", parts.join(":")));
        }
        for (channel, kind) in model.channels.enumerate().map(|(id, channel)| (id, channel.kind)) {
            for &sender in partners.of(Partner::Send(channel)) {
                let part = |process: ProcessId, partner, weak| {
                    format!("{}@{}{weak}", self.names.processes[process.index()], self.event(partner))
                };
                let receivers = partners.of(Partner::Receive(channel));
                let others = receivers.iter().filter(|&&receiver| receiver != sender);
                let first = part(sender, Partner::Send(channel), "");
                let lines: Vec<String> = match kind {
                    ChannelKind::Binary => others
                        .map(|&other| format!("{first}:{}", part(other, Partner::Receive(channel), "")))
                        .collect(),
                    ChannelKind::Broadcast => {
                        let others = others.map(|&other| part(other, Partner::Receive(channel), "?"));
                        let all: Vec<String> = std::iter::once(first).chain(others).collect();
                        if all.len() == 1 { Vec::new() } else { vec![all.join(":")] }
                    }
                };
                lines.iter().for_each(|line| self.line(format_args!("sync:{line}")));
            }
        }
        let end = self.text.trim_end().len();
        self.text.truncate(end);
        self.text.push('\n');
    }
}

/// Which processes have edges with which partners.
struct Partners {
    by_partner: BTreeMap<Partner, Vec<ProcessId>>,
}

impl Partners {
    fn new(lines: &[Vec<Line>]) -> Self {
        let mut by_partner: BTreeMap<Partner, Vec<ProcessId>> = BTreeMap::new();
        for (index, lines) in lines.iter().enumerate() {
            let process = ProcessId::from_index(index);
            for line in lines {
                let processes = by_partner.entry(line.partner).or_default();
                if processes.last() != Some(&process) {
                    processes.push(process);
                }
            }
        }
        Self { by_partner }
    }

    fn of(&self, partner: Partner) -> &[ProcessId] {
        self.by_partner.get(&partner).map_or(&[], Vec::as_slice)
    }
}
