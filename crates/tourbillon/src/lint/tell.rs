//! From lint findings to diagnostics with the names and places of the model.

use tourbillon_base::{Code, Diagnostic, Id, Severity, Span};
use tourbillon_check::{
    BrokenOnEntry, Deadlock, Instances, LintFinding, MayOverflow, MissingUse, NeverReached, NeverTaken,
    Obstacle, OneSided, Side, Standstill, UnusedVariable, ZenoLoop,
};
use tourbillon_model::{Action, ChannelKind, Edge, LocationId, Model, Overflow, Process, ProcessId};

use super::{LintDiagnostic, codes};
use crate::trace::{Purpose, TraceBuilder};

/// The maximum number of listed names.
const NAMES_MAX: usize = 6;

/// The maximum number of listed locations of a cycle.
const ROUND_MAX: usize = 12;

/// Writes lint findings in the names of a model.
pub(super) struct LintText<'m> {
    model: &'m Model,
}

fn may_overflow(it: &MayOverflow) -> Diagnostic {
    let what = match (it.overflow, it.ruled_out) {
        (Overflow::Wrap, _) => "and wraps then",
        (Overflow::Error, true) => "by the ranges of its operands; it does not in any reached state",
        (Overflow::Error, false) => "which is an error at run time",
    };
    let message = format!("this result may exceed 32 bits, {what}");
    let told =
        gravely(it.overflow == Overflow::Error && !it.ruled_out, codes::MAY_OVERFLOW, it.span, message);
    match it.overflow {
        Overflow::Wrap => told,
        Overflow::Error => told.help("declare smaller ranges, or let results wrap: --overflow wrap"),
    }
}

impl<'m> LintText<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        Self { model }
    }

    pub(super) fn tell(&self, finding: &LintFinding, trace_builder: &TraceBuilder<'_>) -> LintDiagnostic {
        let (kind, diagnostic) = match finding {
            LintFinding::NeverReached(it) => ("never-reached", self.never_reached(it)),
            LintFinding::NeverTaken(it) => ("never-taken", self.never_taken(it)),
            LintFinding::BrokenOnEntry(it) => ("broken-on-entry", self.broken_on_entry(it)),
            LintFinding::Deadlock(it) if it.standstill == Standstill::Rest => ("deadlock", self.rest(it)),
            LintFinding::Deadlock(it) => ("time-lock", self.time_lock(it)),
            LintFinding::ZenoLoop(it) => ("zeno-loop", self.zeno_loop(it)),
            LintFinding::UnusedVariable(it) => self.neglected(it),
            LintFinding::OneSided(it) => self.one_sided(it),
            LintFinding::MayOverflow(it) => ("may-overflow", may_overflow(it)),
        };
        let (possible, witness) = match finding {
            LintFinding::ZenoLoop(it) => (it.possible, it.witness.as_ref()),
            LintFinding::Deadlock(it) => (false, it.witness.as_ref()),
            LintFinding::MayOverflow(_) => (true, None),
            _ => (false, None),
        };
        let trace = witness.map(|witness| trace_builder.tell(Purpose::Witness, witness));
        LintDiagnostic { kind, diagnostic, possible, trace }
    }

    fn process(&self, instances: &Instances) -> &'m Process {
        &self.model.processes[instances.first()]
    }

    /// `Train` if all of its processes are concerned, else the list of those that are.
    fn of(&self, instances: &Instances) -> String {
        let process = self.process(instances);
        match (instances.all, instances.processes.len()) {
            (true, 1) => format!("`{}`", process.name),
            (true, _) => format!("`{}`", process.template),
            (false, _) => {
                let names = instances.processes.iter().map(|&id| self.model.processes[id].name.clone());
                listed(&names.collect::<Vec<_>>())
            }
        }
    }

    /// The end of a message that concerns only some processes of a template.
    fn unlike_others(&self, instances: &Instances) -> String {
        if instances.all {
            return String::new();
        }
        format!(", unlike in others of `{}`", self.process(instances).template)
    }

    /// An edge by its source and target.
    fn edge(&self, process: &Process, edge: &Edge) -> String {
        let name = |location: LocationId| &process.locations[location].name;
        format!("the edge `{} -> {}`", name(edge.source), name(edge.target))
    }

    fn never_reached(&self, it: &NeverReached) -> Diagnostic {
        let process = self.process(&it.instances);
        let location = &process.locations[it.location];
        let (of, unlike) = (self.of(&it.instances), self.unlike_others(&it.instances));
        let why = if it.has_way_in { "" } else { ": no edge leads to it" };
        let message = format!("`{}` of {of} is never reached{unlike}{why}", location.name);
        let mut told = gravely(it.instances.all, codes::NEVER_REACHED, location.span, message);
        for span in self.spans(process, &it.edges) {
            told = told.label(span, "so this edge is never taken");
        }
        told
    }

    fn never_taken(&self, it: &NeverTaken) -> Diagnostic {
        let process = self.process(&it.instances);
        let edge = &process.edges[it.edge];
        let (of, unlike) = (self.of(&it.instances), self.unlike_others(&it.instances));
        let why = self.obstacle(process, edge, it.why);
        let message = format!("{} of {of} is never taken{unlike}: {why}", self.edge(process, edge));
        let told = gravely(it.instances.all, codes::NEVER_TAKEN, edge.span, message);
        match it.why {
            Obstacle::Invariant => told.label(process.locations[edge.target].span, "the edge leads here"),
            _ => told,
        }
    }

    fn obstacle(&self, process: &Process, edge: &Edge, why: Obstacle) -> String {
        let source = &process.locations[edge.source].name;
        let action = self.model.action_text(edge);
        let alone = edge.action == Action::Internal;
        match why {
            Obstacle::Source => format!("`{source}` is never reached"),
            Obstacle::Data => format!("its guard on data never holds at `{source}`"),
            Obstacle::Unclear => {
                format!(
                    "its guard on data never holds at `{source}`, or no process is ready for `{action}` when it does"
                )
            }
            Obstacle::Partner if alone => "a committed location is always left first".to_owned(),
            Obstacle::Partner => format!("no process is ready for `{action}` when its guard on data holds"),
            Obstacle::Clocks if alone && edge.guard.conditions.is_empty() => {
                format!("its clock guard never holds at `{source}`")
            }
            Obstacle::Clocks if alone => "its clock guard never holds when its guard on data does".to_owned(),
            Obstacle::Clocks => {
                format!("the clock guards of the participants of `{action}` never hold together")
            }
            Obstacle::Outranked => "a transition of higher priority always comes first".to_owned(),
            Obstacle::NegativeClock => {
                "an update would assign a negative value to a clock whenever it could be taken".to_owned()
            }
            Obstacle::Invariant => "the invariants of its target never allow it".to_owned(),
        }
    }

    fn broken_on_entry(&self, it: &BrokenOnEntry) -> Diagnostic {
        let process = self.process(&it.instances);
        let edge = &process.edges[it.edge];
        let of = self.of(&it.instances);
        let (owner, location) = match it.other {
            None => (process, edge.target),
            Some((other, location)) => (&self.model.processes[other], location),
        };
        let location = &owner.locations[location];
        let whose = match it.other {
            None => format!("`{}`", location.name),
            Some(_) => format!("`{}.{}`", owner.name, location.name),
        };
        let edge_name = self.edge(process, edge);
        let message =
            format!("{edge_name} of {of} can violate the invariant of {whose}, which then forbids it");
        Diagnostic::warning(codes::BROKEN_ON_ENTRY, edge.span, message)
            .label(location.span, "its invariant need not hold when the edge is taken")
            .help(
                "write it in the guard if it is intended; otherwise reset the clock or weaken the invariant",
            )
    }

    fn rest(&self, it: &Deadlock) -> Diagnostic {
        let state = self.state(&it.locations);
        let message = format!("deadlock at {state}: no transition is possible, and time can diverge");
        let (process, location) = (ProcessId::from_index(0), it.locations[0]);
        self.standstill(codes::DEADLOCK, it, (process, location), message)
    }

    fn time_lock(&self, it: &Deadlock) -> Diagnostic {
        let (process, urgent) = match it.standstill {
            Standstill::TimeLock(process) => (process, false),
            Standstill::Rest | Standstill::Urgency => (ProcessId::from_index(0), true),
        };
        let location = it.locations[process.index()];
        let here = &self.model.processes[process];
        let why = match urgent {
            true => "invariants forbid an enabled urgent synchronisation".to_owned(),
            false => format!("`{}.{}` stops it", here.name, here.locations[location].name),
        };
        let state = self.state(&it.locations);
        let message =
            format!("timelock at {state}: no transition is possible, and time cannot diverge: {why}");
        self.standstill(codes::TIME_LOCK, it, (process, location), message)
    }

    fn standstill(
        &self,
        code: Code,
        it: &Deadlock,
        (process, location): (ProcessId, LocationId),
        message: String,
    ) -> Diagnostic {
        let span = self.model.processes[process].locations[location].span;
        let mut told = Diagnostic::warning(code, span, message);
        if it.combinations > 1 {
            let least = if it.capped { "at least " } else { "" };
            told = told.help(format!(
                "there are such states at {least}{} combinations of locations",
                it.combinations
            ));
        }
        if it.witness.is_some() {
            told = told.help("the report has a run that leads there");
        }
        told
    }

    /// The locations of the processes.
    fn state(&self, locations: &[LocationId]) -> String {
        let places = self.model.processes.iter().zip(locations);
        let names = places.map(|(process, &it)| format!("{}.{}", process.name, process.locations[it].name));
        listed(&names.collect::<Vec<_>>())
    }

    fn zeno_loop(&self, it: &ZenoLoop) -> Diagnostic {
        let process = self.process(&it.instances);
        let round = self.round(process, &it.cycle);
        let certainty = if it.possible { "possibly " } else { "" };
        let message =
            format!("{certainty}a Zeno run along the cycle `{round}` of {}", self.of(&it.instances));
        let first = it.cycle.first().map_or(process.span, |&edge| process.edges[edge].span);
        let severity = if it.possible { Severity::Note } else { Severity::Warning };
        let mut told = Diagnostic { severity, ..Diagnostic::note(codes::ZENO_LOOP, first, message) };
        for span in self.spans(process, it.cycle.get(1..).unwrap_or_default()) {
            told = told.label(span, "then this edge");
        }
        told.help("reset a clock on it, and require it to be at least 1")
    }

    /// The locations of a cycle in order, closed by the first one; truncated if it is long.
    fn round(&self, process: &Process, cycle: &[usize]) -> String {
        let name = |&edge: &usize| process.locations[process.edges[edge].source].name.as_str();
        let mut names: Vec<&str> = cycle.iter().take(ROUND_MAX).map(name).collect();
        if cycle.len() > ROUND_MAX {
            names.push("...");
        }
        names.extend(cycle.first().map(name));
        names.join(" -> ")
    }

    fn neglected(&self, it: &UnusedVariable) -> (&'static str, Diagnostic) {
        let variable = &self.model.variables[it.variables[0]];
        let is_clock = variable.first.is_err();
        let own = variable.name.rsplit('.').next().unwrap_or_default();
        let name = if it.variables.len() == 1 { &variable.name } else { own };
        let (kind, code, severity, what) = match (it.neglect, is_clock) {
            (MissingUse::Unused, _) => ("unused", codes::UNUSED, Severity::Warning, "is never used"),
            (MissingUse::NeverRead, false) => {
                ("never-read", codes::NEVER_READ, Severity::Warning, "is written and never read")
            }
            (MissingUse::NeverRead, true) => {
                ("never-tested", codes::NEVER_TESTED, Severity::Warning, "is reset and never tested")
            }
            (MissingUse::NeverWritten, false) => {
                ("never-written", codes::NEVER_WRITTEN, Severity::Note, "is read and never written")
            }
            (MissingUse::NeverWritten, true) => {
                ("never-reset", codes::NEVER_RESET, Severity::Note, "is tested and never reset")
            }
        };
        let noun = if is_clock { "clock" } else { "variable" };
        let message = format!("the {noun} `{name}` {what}");
        (kind, Diagnostic { severity, ..Diagnostic::warning(code, variable.span, message) })
    }

    fn one_sided(&self, it: &OneSided) -> (&'static str, Diagnostic) {
        let channel = &self.model.channels[it.channel];
        let name = if it.array { channel.name.split('[').next().unwrap_or_default() } else { &channel.name };
        let broadcast = channel.kind == ChannelKind::Broadcast;
        let (kind, code, message) = match it.side {
            Side::Unused => ("unused", codes::UNUSED_CHANNEL, format!("the channel `{name}` is never used")),
            Side::Sender => {
                ("one-sided", codes::NO_SENDER, format!("no process sends on the channel `{name}`"))
            }
            Side::Receiver => {
                ("one-sided", codes::NO_RECEIVER, format!("no process receives on the channel `{name}`"))
            }
            Side::BroadcastReceiver => {
                ("unheard", codes::UNHEARD, format!("no process receives broadcasts on `{name}`"))
            }
            Side::Other => {
                ("one-sided", codes::ALONE, format!("only one process sends and receives on `{name}`"))
            }
        };
        let severity = if it.side == Side::BroadcastReceiver { Severity::Note } else { Severity::Warning };
        let mut told = Diagnostic { severity, ..Diagnostic::warning(code, channel.span, message) };
        for &(process, index) in &it.edges {
            let edge = &self.model.processes[process].edges[index];
            let sends = matches!(edge.action, Action::Send(_));
            if severity > Severity::Note && !(broadcast && sends) {
                told = told.label(edge.span, "so this edge is never taken");
            }
        }
        (kind, told)
    }

    /// The source positions of edges, each once.
    fn spans(&self, process: &Process, edges: &[usize]) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        for span in edges.iter().map(|&edge| process.edges[edge].span) {
            if !spans.contains(&span) {
                spans.push(span);
            }
        }
        spans
    }
}

/// A warning if all processes of a template are concerned. If only some are, a parameter decides it, which is usually
/// intended: that is a note.
fn gravely(all: bool, code: Code, span: Span, message: String) -> Diagnostic {
    if all { Diagnostic::warning(code, span, message) } else { Diagnostic::note(code, span, message) }
}

/// A list of names, truncated if it is long.
fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(NAMES_MAX).map(|name| format!("`{name}`")).collect();
    let rest = names.len() - shown.len();
    if rest == 0 { shown.join(", ") } else { format!("{} and {rest} more", shown.join(", ")) }
}
