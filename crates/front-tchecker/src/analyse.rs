//! What is right by the grammar and wrong or strange in the whole: guards where none may be, partners that
//! are missing, places that nothing leads to, names that nothing uses.

use std::collections::{HashMap, HashSet};

use tourbillon_base::{Diagnostic, Id, Span};
use tourbillon_model::*;

use crate::codes;
use crate::declare::{GlobalPlace, ModelBuilder};
use crate::formula;

impl ModelBuilder<'_, '_> {
    /// Reports what is wrong in the whole. What is only strange is not looked for in a file with errors: what
    /// they left out would seem unused.
    pub(crate) fn analyse(&mut self) {
        self.guarded_weak_events();
        if self.out.has_errors() {
            return;
        }
        self.repeated_vectors();
        self.missing_partners();
        self.unreachable_locations();
        self.unused();
    }

    fn warn(&mut self, code: tourbillon_base::Code, span: Span, message: String) {
        self.out.push(Diagnostic::warning(code, span, message));
    }

    fn repeated_vectors(&mut self) {
        let mut seen: HashMap<Vec<(usize, usize, bool)>, Span> = HashMap::new();
        let vectors = std::mem::take(&mut self.model.vectors);
        for vector in vectors {
            let key = vector
                .participants
                .iter()
                .map(|part| (part.process.index(), part.event.index(), part.weak))
                .collect();
            match seen.get(&key) {
                Some(&earlier) => {
                    let diagnostic = Diagnostic::warning(
                        codes::REPEATED_VECTOR,
                        vector.span,
                        "this synchronisation is declared already, and ignored",
                    );
                    self.out.push(diagnostic.label(earlier, "declared here first"));
                }
                None => {
                    seen.insert(key, vector.span);
                    self.model.vectors.push(vector);
                }
            }
        }
    }

    /// Whether a process takes part depends on its location only.
    fn guarded_weak_events(&mut self) {
        let mut weak: HashMap<(ProcessId, EventId), Span> = HashMap::new();
        for vector in &self.model.vectors {
            for part in vector.participants.iter().filter(|part| part.weak) {
                weak.entry((part.process, part.event)).or_insert(vector.span);
            }
        }
        for (id, process) in self.model.processes.enumerate() {
            for (edge, texts) in process.edges.iter().zip(&self.process_texts[id].edge_attributes) {
                let Action::Event(event) = edge.action else { continue };
                let Some(&vector) = weak.get(&(id, event)) else { continue };
                let mut silent = tourbillon_base::Diagnostics::with_cap(0);
                let guard = texts.provided.iter().find(|value| {
                    let mut names = false;
                    let node = formula::condition(self.text, value.span, &mut silent);
                    node.iter().for_each(|node| node.for_each_name(&mut |_| names = true));
                    names
                });
                let Some(guard) = guard else { continue };
                let event = &self.model.events[event].name;
                let message = format!(
                    "`{}` takes part in `{event}` weakly, so this edge cannot have a guard",
                    process.name
                );
                self.out.push(
                    Diagnostic::error(codes::GUARDED_WEAK_EVENT, guard.span, message)
                        .label(vector, "synchronised weakly here")
                        .help(
                            "move the condition to another participant, or make the synchronisation strong",
                        ),
                );
            }
        }
    }

    fn missing_partners(&mut self) {
        let mut has_edge: HashSet<(ProcessId, EventId)> = HashSet::new();
        for (id, process) in self.model.processes.enumerate() {
            let events = process.edges.iter().filter_map(|edge| match edge.action {
                Action::Event(event) => Some((id, event)),
                _ => None,
            });
            has_edge.extend(events);
        }
        // Whether some line that names this part can happen.
        let mut possible: HashMap<(ProcessId, EventId), bool> = HashMap::new();
        let mut warnings = Vec::new();
        for vector in &self.model.vectors {
            let missing = |part: &&Participant| !has_edge.contains(&(part.process, part.event));
            let happens = vector.participants.iter().filter(missing).all(|part| part.weak);
            for part in &vector.participants {
                *possible.entry((part.process, part.event)).or_insert(false) |= happens;
            }
            if let Some(part) = vector.participants.iter().find(missing) {
                let [process, event] =
                    [&self.model.processes[part.process].name, &self.model.events[part.event].name];
                let end = if part.weak { "never takes part" } else { "this never happens" };
                let message = format!(
                    "`{process}` has no edge with `{event}`, so {}",
                    match part.weak {
                        true => format!("it {end}"),
                        false => end.to_owned(),
                    }
                );
                warnings.push((codes::NO_PARTNER, vector.span, message));
            }
        }
        for (id, process) in self.model.processes.enumerate() {
            for edge in &process.edges {
                let Action::Event(event) = edge.action else { continue };
                if possible.get(&(id, event)) == Some(&false) {
                    let event = &self.model.events[event].name;
                    let message = format!("nobody can synchronise with `{}` on `{event}`", process.name);
                    warnings.push((codes::BLOCKED_EDGE, edge.span, message));
                }
            }
        }
        warnings.into_iter().for_each(|(code, span, message)| self.warn(code, span, message));
    }

    fn unreachable_locations(&mut self) {
        let mut warnings = Vec::new();
        for process in &self.model.processes {
            let mut next: Vec<Vec<LocationId>> = vec![Vec::new(); process.locations.len()];
            for edge in &process.edges {
                next[edge.source.index()].push(edge.target);
            }
            let mut reached = vec![false; process.locations.len()];
            let mut waiting = if process.locations.is_empty() { Vec::new() } else { vec![process.initial] };
            while let Some(location) = waiting.pop() {
                if !std::mem::replace(&mut reached[location.index()], true) {
                    waiting.extend(&next[location.index()]);
                }
            }
            for (location, _) in process.locations.iter().zip(reached).filter(|(_, reached)| !reached) {
                let message = format!(
                    "no edges lead from the initial location of `{}` to `{}`",
                    process.name, location.name
                );
                warnings.push((location.span, message));
            }
        }
        warnings
            .into_iter()
            .for_each(|(span, message)| self.warn(codes::UNREACHABLE_LOCATION, span, message));
    }

    fn unused(&mut self) {
        let mut events = vec![false; self.model.events.len()];
        for part in self.model.vectors.iter().flat_map(|vector| &vector.participants) {
            events[part.event.index()] = true;
        }
        for edge in self.model.processes.iter().flat_map(|process| &process.edges) {
            if let Action::Event(event) = edge.action {
                events[event.index()] = true;
            }
        }
        let mut warnings: Vec<(Span, String)> = Vec::new();
        for (event, _) in self.model.events.iter().zip(events).filter(|(_, used)| !used) {
            warnings.push((event.span, format!("the event `{}` is never used", event.name)));
        }
        for (variable, global) in self.model.variables.iter().zip(&self.globals) {
            let what = match global.place {
                GlobalPlace::Int { .. } => "variable",
                GlobalPlace::Clock { .. } => "clock",
            };
            if !global.used {
                warnings.push((variable.span, format!("the {what} `{}` is never used", variable.name)));
            }
        }
        for process in self.model.processes.iter().filter(|process| process.edges.is_empty()) {
            warnings.push((process.span, format!("the process `{}` has no edges", process.name)));
        }
        warnings.into_iter().for_each(|(span, message)| self.warn(codes::UNUSED, span, message));
    }
}
