//! Cycles that are not strongly non-Zeno: infinitely many transitions may fit into finite time.
//!
//! A process that takes edges infinitely often takes a strongly connected set of them infinitely often. If one of these resets a
//! clock to 0 and one requires that clock to be at least 1, each iteration takes at least 1, and time diverges: the criterion of strong
//! non-Zenoness `[Tripakis1999]`, here for sets of edges instead of single cycles. The candidates are the strongly connected sets in
//! which no clock does that: for a clock that is both reset and bounded in a component, either its resets or its bounds are removed,
//! and the rest is decomposed again.
//!
//! Synchronisations propagate this between processes. An edge whose partners are in no candidate is in none either; edges are removed
//! until a fixpoint. The edges that a Zeno run takes infinitely often are never removed, so the absence of candidates proves that there
//! is no Zeno run.
//!
//! A candidate is *possible*: guards on data, or writes of other processes to shared clocks, may exclude it. The engine then searches
//! for a Zeno run (`../liveness/zeno.rs`). The analysis is conservative: a bound counts only if it is always required, a reset only if
//! it is always made, by the process itself, and only for clocks that no edge sets to another value. The decomposition is exponential
//! in the clocks at worst, so after [`WORK_MAX`] components no more is decomposed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use tourbillon_base::Id;
use tourbillon_model::{
    Action, ChannelKind, ChannelPlace, ClockAtom, ClockId, ClockPlace, Compare, Edge, ExprId, ExprKind,
    LocationId, Model, Process, ProcessId, Root,
};
use tourbillon_replay::Finish;
use tourbillon_system::value_range;

use super::{Instances, by_template};
use crate::liveness::zeno::ZenoRuns;
use crate::path::Witness;

/// A cycle that is not strongly non-Zeno.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ZenoLoop {
    pub instances: Instances,
    /// The edges of one iteration: those of the run, if there is one.
    pub cycle: Vec<usize>,
    /// The strongly connected set of edges around it.
    pub edges: Vec<usize>,
    /// Whether a Zeno run along it was neither found nor excluded.
    pub possible: bool,
    /// A run along it, if one was found.
    pub witness: Option<Witness>,
}

/// A strongly connected set of edges of a process that is not strongly non-Zeno.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct CandidateLoop {
    pub(crate) process: ProcessId,
    pub(crate) edges: Vec<usize>,
}

/// The maximum number of components of a process that are decomposed.
const WORK_MAX: u32 = 10_000;

/// The candidates among the edges that are taken, if these are known, else among all edges.
pub(crate) fn candidate_loops(
    model: &Model,
    taken: Option<&BTreeSet<(ProcessId, usize)>>,
) -> Vec<CandidateLoop> {
    let mut alive: Vec<BTreeSet<usize>> = model
        .processes
        .enumerate()
        .map(|(id, process)| {
            let can_be = |edge: &usize| taken.is_none_or(|taken| taken.contains(&(id, *edge)));
            (0..process.edges.len()).filter(can_be).collect()
        })
        .collect();
    let reset_to_zero = clocks_reset_to_zero(model);
    loop {
        let mut components = Vec::new();
        for (id, process) in model.processes.enumerate() {
            let found = zeno_candidates(model, &reset_to_zero, process, &alive[id.index()]);
            alive[id.index()] = found.iter().flatten().copied().collect();
            components.extend(found.into_iter().map(|edges| CandidateLoop { process: id, edges }));
        }
        if !remove_unsynchronised(model, &mut alive) {
            return components;
        }
    }
}

/// The findings for candidates by the result of the search for Zeno runs: one for each template and set of edges, and
/// one for each cycle of a run.
pub(crate) fn concluded_loops(
    model: &Model,
    loops: Vec<CandidateLoop>,
    runs: Option<&ZenoRuns>,
) -> Vec<ZenoLoop> {
    match runs {
        Some(ZenoRuns::None) => Vec::new(),
        Some(ZenoRuns::Found(witness)) => confirmed(possible(model, loops), witness),
        Some(ZenoRuns::Unknown(_)) | None => possible(model, loops),
    }
}

/// Replaces the candidates that contain a cycle of a run by these cycles. A cycle may be in several candidates, of
/// which the first counts.
fn confirmed(candidates: Vec<ZenoLoop>, witness: &Witness) -> Vec<ZenoLoop> {
    let cycles_of_run = cycles_of_run(witness);
    let mut list = Vec::new();
    let mut known: BTreeSet<(&ProcessId, &Vec<usize>)> = BTreeSet::new();
    for it in candidates {
        let own: Vec<_> = cycles_of_run
            .iter()
            .filter(|(process, lap)| {
                it.instances.processes.contains(process) && lap.iter().all(|edge| it.edges.contains(edge))
            })
            .collect();
        let cycles: BTreeSet<&Vec<usize>> =
            own.iter().filter(|&&lap| !known.contains(&lap)).map(|&(_, lap)| lap).collect();
        list.extend(cycles.into_iter().map(|cycle| ZenoLoop {
            cycle: cycle.clone(),
            possible: false,
            witness: Some(witness.clone()),
            ..it.clone()
        }));
        if own.is_empty() {
            list.push(it);
        }
        known.extend(own);
    }
    list
}

/// The cycle of each process in the repeated part of a run.
fn cycles_of_run(witness: &Witness) -> BTreeMap<ProcessId, Vec<usize>> {
    let mut cycles_of_run: BTreeMap<ProcessId, Vec<usize>> = BTreeMap::new();
    if let Some(Finish::Repeats { from } | Finish::Varies { from }) = witness.finish {
        for fired in witness.run.steps[from..].iter().flat_map(|step| &step.action) {
            cycles_of_run.entry(fired.process).or_default().push(fired.edge);
        }
    }
    cycles_of_run.values_mut().for_each(canonical_cycle);
    cycles_of_run
}

/// Reduces a cyclic sequence of edges to its shortest period, in its lexicographically least rotation.
fn canonical_cycle(lap: &mut Vec<usize>) {
    let repeats = |period: &usize| {
        lap.len().is_multiple_of(*period) && lap.iter().zip(&lap[*period..]).all(|(one, other)| one == other)
    };
    let period = (1..=lap.len()).find(repeats).unwrap_or_default();
    lap.truncate(period);
    let turned = |by: usize| lap[by..].iter().chain(&lap[..by]);
    let by = (0..period).min_by(|&one, &other| turned(one).cmp(turned(other))).unwrap_or_default();
    lap.rotate_left(by);
}

fn possible(model: &Model, loops: Vec<CandidateLoop>) -> Vec<ZenoLoop> {
    let mut by_edges: BTreeMap<(usize, Vec<usize>), Vec<ProcessId>> = BTreeMap::new();
    let templates = by_template(model);
    for CandidateLoop { process, edges } in loops {
        let template = templates.iter().position(|group| group.contains(&process)).unwrap_or(0);
        by_edges.entry((template, edges)).or_default().push(process);
    }
    by_edges
        .into_iter()
        .map(|((template, edges), processes)| {
            let all = processes.len() == templates[template].len();
            let cycle = shortest_cycle(&model.processes[processes[0]], &edges);
            ZenoLoop { instances: Instances { processes, all }, cycle, edges, possible: true, witness: None }
        })
        .collect()
}

/// Removes edges without a partner among the candidates. Returns whether there were any.
fn remove_unsynchronised(model: &Model, alive: &mut [BTreeSet<usize>]) -> bool {
    let mut unsynchronised = Vec::new();
    for (id, process) in model.processes.enumerate() {
        for &edge in &alive[id.index()] {
            if !has_partner(model, alive, id, &process.edges[edge]) {
                unsynchronised.push((id, edge));
            }
        }
    }
    for (process, edge) in &unsynchronised {
        alive[process.index()].remove(edge);
    }
    !unsynchronised.is_empty()
}

/// Whether an edge is internal, or has partners among the edges that are left.
fn has_partner(model: &Model, alive: &[BTreeSet<usize>], own: ProcessId, edge: &Edge) -> bool {
    let others = |accepts: &dyn Fn(&Action) -> bool| {
        model.processes.enumerate().any(|(id, process)| {
            id != own && alive[id.index()].iter().any(|&other| accepts(&process.edges[other].action))
        })
    };
    match &edge.action {
        Action::Internal => true,
        Action::Send(place) if model.channels[place.first].kind == ChannelKind::Broadcast => true,
        Action::Send(place) => {
            others(&|action| matches!(action, Action::Receive(other) if may_synchronise(model, place, other)))
        }
        Action::Receive(place) => {
            others(&|action| matches!(action, Action::Send(other) if may_synchronise(model, place, other)))
        }
        Action::Event(event) => {
            let mut named = false;
            let possible = model.vectors.iter().any(|vector| {
                let mine = vector.participants.iter().any(|it| it.process == own && it.event == *event);
                named |= mine;
                mine && vector.participants.iter().all(|part| {
                    let takes = |&other: &usize| {
                        model.processes[part.process].edges[other].action == Action::Event(part.event)
                    };
                    part.weak || part.process == own || alive[part.process.index()].iter().any(takes)
                })
            });
            possible || !named
        }
    }
}

/// Whether two channel expressions can denote the same channel. Indices of arrays are ignored.
fn may_synchronise(model: &Model, one: &ChannelPlace, other: &ChannelPlace) -> bool {
    if one.indices.is_empty() && other.indices.is_empty() {
        return one.first == other.first;
    }
    model.channels[one.first].span == model.channels[other.first].span
}

/// The maximal strongly connected sets among these edges in which no clock is both reset and bounded.
fn zeno_candidates(
    model: &Model,
    reset_to_zero: &BTreeSet<ClockId>,
    process: &Process,
    edges: &BTreeSet<usize>,
) -> Vec<Vec<usize>> {
    let facts: BTreeMap<usize, Facts> =
        edges.iter().map(|&edge| (edge, Facts::of(model, reset_to_zero, &process.edges[edge]))).collect();
    let mut left = vec![edges.iter().copied().collect::<Vec<usize>>()];
    let (mut found, mut work) = (Vec::new(), 0);
    while let Some(edges) = left.pop() {
        for component in components(process, &edges) {
            work += 1;
            match bounding_clock(&facts, &component) {
                Some(clock) if work < WORK_MAX => {
                    let without = |facts_of: fn(&Facts) -> &BTreeSet<ClockId>| {
                        let free = |edge: &usize| !facts_of(&facts[edge]).contains(&clock);
                        component.iter().copied().filter(free).collect::<Vec<usize>>()
                    };
                    left.extend([without(|facts| &facts.resets), without(|facts| &facts.bounded)]);
                }
                _ => found.push(component),
            }
        }
    }
    maximal(found)
}

/// The sets that no other set includes, in order.
fn maximal(mut sets: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    sets.sort();
    sets.dedup();
    let within = |small: &[usize], large: &[usize]| {
        small.len() < large.len() && small.iter().all(|edge| large.binary_search(edge).is_ok())
    };
    // A set is included only in sets with its first edge.
    let mut having: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, set) in sets.iter().enumerate() {
        set.iter().for_each(|&edge| having.entry(edge).or_default().push(index));
    }
    let others = |set: &Vec<usize>| set.first().map_or(&[][..], |edge| &having[edge]);
    let is_maximal = |set: &&Vec<usize>| !others(set).iter().any(|&other| within(set, &sets[other]));
    sets.iter().filter(is_maximal).cloned().collect()
}

/// A clock that is both reset and bounded on these edges.
fn bounding_clock(facts: &BTreeMap<usize, Facts>, edges: &[usize]) -> Option<ClockId> {
    let bounded: BTreeSet<ClockId> =
        edges.iter().flat_map(|edge| facts[edge].bounded.iter().copied()).collect();
    let reset = edges.iter().flat_map(|edge| &facts[edge].resets);
    reset.copied().find(|clock| bounded.contains(clock))
}

/// The resets and lower bounds of an edge.
struct Facts {
    /// Clocks that it always resets, and that no edge sets to another value than 0.
    resets: BTreeSet<ClockId>,
    /// Clocks that it always requires to be at least 1.
    bounded: BTreeSet<ClockId>,
}

impl Facts {
    fn of(model: &Model, reset_to_zero: &BTreeSet<ClockId>, edge: &Edge) -> Self {
        let mut resets = BTreeSet::new();
        for &update in &edge.updates {
            note_resets(model, update, &mut resets);
        }
        resets.retain(|clock| reset_to_zero.contains(clock));
        let always = edge.guard.clocks.iter().filter(|condition| condition.when.is_none());
        let bounded = always.filter_map(|condition| bounded_clock(model, &condition.atom));
        Self { resets, bounded: bounded.collect() }
    }
}

/// The clocks that are set to 0 only: their value is the time since then.
fn clocks_reset_to_zero(model: &Model) -> BTreeSet<ClockId> {
    let mut reset_to_zero: BTreeSet<ClockId> = model.clocks.ids().collect();
    for expr in &model.exprs {
        let ExprKind::SetClock { target, source, value } = &expr.kind else { continue };
        if source.is_some() || !is_zero(model, *value) {
            let set = match target.root {
                Root::Global(first) => model.clocks[first].span,
                // Arguments for references are not tracked.
                Root::Local(_) | Root::Reference(_) => return BTreeSet::new(),
            };
            reset_to_zero.retain(|&clock| model.clocks[clock].span != set);
        }
    }
    reset_to_zero
}

fn is_zero(model: &Model, value: ExprId) -> bool {
    let range = value_range(model, value);
    range.min == 0 && range.max == 0
}

/// The clocks that an update always sets. Those that functions set are ignored, since that may depend on the state.
fn note_resets(model: &Model, update: ExprId, resets: &mut BTreeSet<ClockId>) {
    match &model.exprs[update].kind {
        ExprKind::Sequence(parts) => parts.iter().for_each(|&part| note_resets(model, part, resets)),
        ExprKind::SetClock { target, .. } => resets.extend(fixed(target)),
        _ => {}
    }
}

/// The clock that a comparison requires to be at least 1.
fn bounded_clock(model: &Model, atom: &ClockAtom) -> Option<ClockId> {
    let least = value_range(model, atom.bound).min;
    let enough = match atom.compare {
        Compare::Equal | Compare::GreaterOrEqual | Compare::Greater => least >= 1,
        Compare::Less | Compare::LessOrEqual => false,
    };
    fixed(&atom.left).filter(|_| enough && atom.right.is_none())
}

fn fixed(place: &ClockPlace) -> Option<ClockId> {
    match place.root {
        Root::Global(first) if place.indices.is_empty() => {
            Some(ClockId::from_index(first.index() + place.offset as usize))
        }
        _ => None,
    }
}

/// The edges of each strongly connected component, in order: by a depth-first search for the finishing order, and
/// another on the reversed edges.
fn components(process: &Process, edges: &[usize]) -> Vec<Vec<usize>> {
    let count = process.locations.len();
    let (mut out, mut back) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for &edge in edges {
        let (source, target) = (process.edges[edge].source.index(), process.edges[edge].target.index());
        out[source].push(target);
        back[target].push(source);
    }
    let mut order = Vec::new();
    let mut seen = vec![false; count];
    for start in 0..count {
        finish_from(start, &out, &mut seen, &mut |_| {}, &mut |location| order.push(location));
    }
    let mut component = vec![0; count];
    seen.fill(false);
    for (number, &start) in order.iter().rev().enumerate() {
        finish_from(start, &back, &mut seen, &mut |location| component[location] = number, &mut |_| {});
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &edge in edges {
        let (source, target) = (process.edges[edge].source.index(), process.edges[edge].target.index());
        if component[source] == component[target] {
            groups.entry(component[source]).or_default().push(edge);
        }
    }
    groups.into_values().collect()
}

/// A depth-first search from a location: calls `enter` on the first visit of a location and `leave` when it is finished.
fn finish_from(
    start: usize,
    next: &[Vec<usize>],
    seen: &mut [bool],
    enter: &mut impl FnMut(usize),
    leave: &mut impl FnMut(usize),
) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    enter(start);
    let mut stack = vec![(start, 0)];
    while let Some((location, tried)) = stack.last_mut() {
        let Some(&target) = next[*location].get(*tried) else {
            leave(*location);
            stack.pop();
            continue;
        };
        *tried += 1;
        if !std::mem::replace(&mut seen[target], true) {
            enter(target);
            stack.push((target, 0));
        }
    }
}

/// The maximum number of edges through which a shortest cycle is computed.
const STARTS_MAX: usize = 64;

/// A shortest cycle of these edges, which are strongly connected.
fn shortest_cycle(process: &Process, edges: &[usize]) -> Vec<usize> {
    let mut leaving: BTreeMap<LocationId, Vec<usize>> = BTreeMap::new();
    for &edge in edges {
        leaving.entry(process.edges[edge].source).or_default().push(edge);
    }
    let cycles = edges.iter().take(STARTS_MAX).filter_map(|&first| {
        let mut cycle =
            shortest_path(process, &leaving, process.edges[first].target, process.edges[first].source)?;
        cycle.insert(0, first);
        Some(cycle)
    });
    cycles.min_by_key(Vec::len).unwrap_or_default()
}

/// A shortest path from one location to another along these edges, which are given by source.
fn shortest_path(
    process: &Process,
    leaving: &BTreeMap<LocationId, Vec<usize>>,
    from: LocationId,
    to: LocationId,
) -> Option<Vec<usize>> {
    let mut entered_by: BTreeMap<LocationId, usize> = BTreeMap::new();
    let mut waiting = VecDeque::from([from]);
    while let Some(location) = waiting.pop_front() {
        if location == to {
            let mut path = Vec::new();
            let mut at = to;
            while at != from {
                path.push(entered_by[&at]);
                at = process.edges[entered_by[&at]].source;
            }
            path.reverse();
            return Some(path);
        }
        for &edge in leaving.get(&location).into_iter().flatten() {
            let target = process.edges[edge].target;
            if target != from && !entered_by.contains_key(&target) {
                entered_by.insert(target, edge);
                waiting.push_back(target);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cyclic_sequence_is_reduced_to_its_period() {
        for (gone, round) in [
            (&[][..], &[][..]),
            (&[3], &[3]),
            (&[3, 3, 3], &[3]),
            (&[4, 2, 4, 2], &[2, 4]),
            (&[2, 1, 1, 2, 1, 1], &[1, 1, 2]),
            (&[1, 2, 1, 3, 1], &[1, 1, 2, 1, 3]),
        ] {
            let mut lap = gone.to_vec();
            canonical_cycle(&mut lap);
            assert_eq!(lap, round, "{gone:?}");
        }
    }
}
