//! Loops that nothing slows down: infinitely many steps may fit into a finite time.
//!
//! A process that takes edges for ever takes some of them infinitely often, and those are strongly connected. If one
//! of them resets a clock to 0 and one asks that clock to be at least 1, each round takes at least 1, and time
//! diverges: the criterion of strong non-Zenoness `[Tripakis1999]`, here for sets of edges instead of single cycles.
//! What remains is the strongly connected sets in which no clock does that: for a clock that is both reset and bounded
//! in a component, either its resets or its bounds are left out, and the rest is taken apart again.
//!
//! Synchronisations carry that from process to process. An edge whose partners all are on no such loop is slowed down by
//! them and is on none either; edges fall away until nothing changes. The edges that a run takes infinitely often
//! in finite time never do, so the absence of loops is a proof that there is no such run.
//!
//! What remains is *possible*: guards on data, or what other processes do to shared clocks, may rule it out. Whether there
//! is a run along any of it is then asked of the engine (`../liveness/zeno.rs`).
//! Conservative throughout: a bound counts only if it is always asked, a reset only if it is always done, in the process
//! itself, and only for clocks that nobody ever sets to another value. The splitting is exponential in clocks at worst, so after [`WORK_MAX`] components no more is split.

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

/// A loop that nothing slows down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ZenoLoop {
    /// In which processes.
    pub instances: Instances,
    /// One round, as the edges that are taken: those of the run, if there is one.
    pub cycle: Vec<usize>,
    /// All edges on such loops that are connected with it.
    pub edges: Vec<usize>,
    /// Whether it is only possible: no run was found along it, and none was ruled out.
    pub possible: bool,
    /// A run along it, if one was found.
    pub witness: Option<Witness>,
}

/// Edges of a process between which nothing slows it down, strongly connected.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct CandidateLoop {
    /// The process.
    pub(crate) process: ProcessId,
    /// Its edges.
    pub(crate) edges: Vec<usize>,
}

/// How many components of a process are looked at.
const WORK_MAX: u32 = 10_000;

/// The loops that structure does not slow down, of these edges alone if they are known to be all that are ever taken.
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

/// What is to be said of loops that structure does not slow down, by what is known of runs with infinitely many steps in
/// finite time: one for each template and set of edges, and each loop that a run goes round by itself.
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

/// Tells of each set of edges the loops that a run goes round in it, and leaves the others as they are. A loop may be in
/// several sets, of which the first will do.
fn confirmed(told: Vec<ZenoLoop>, witness: &Witness) -> Vec<ZenoLoop> {
    let cycles_of_run = cycles_of_run(witness);
    let mut list = Vec::new();
    let mut known: BTreeSet<(&ProcessId, &Vec<usize>)> = BTreeSet::new();
    for it in told {
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

/// What the part of a run that is repeated takes of each process that moves in it, once round.
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

/// Cuts a sequence of edges that is gone round to its shortest period, and begins it so that equal ones are equal.
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

/// Takes away edges that nobody on such a loop synchronises with. Returns whether there were any.
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

/// Whether an edge can be taken with edges that are left, or alone.
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

/// Whether two places can be the same channel. Of an array, all elements count unless both indices are fixed.
fn may_synchronise(model: &Model, one: &ChannelPlace, other: &ChannelPlace) -> bool {
    if one.indices.is_empty() && other.indices.is_empty() {
        return one.first == other.first;
    }
    model.channels[one.first].span == model.channels[other.first].span
}

/// The strongly connected sets of edges, among these, in which no clock is both reset and bounded.
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

/// Those sets that are not within others, in order.
fn maximal(mut sets: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    sets.sort();
    sets.dedup();
    let within = |small: &[usize], large: &[usize]| {
        small.len() < large.len() && small.iter().all(|edge| large.binary_search(edge).is_ok())
    };
    // A set is only within such as have its first edge, too.
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

/// What an edge does about time.
struct Facts {
    /// Clocks that it always sets, and that nobody sets to anything but 0.
    resets: BTreeSet<ClockId>,
    /// Clocks that it always asks to be at least 1.
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

/// The clocks that are only ever set to 0, by whomever: those that show how much time has passed since then.
fn clocks_reset_to_zero(model: &Model) -> BTreeSet<ClockId> {
    let mut reset_to_zero: BTreeSet<ClockId> = model.clocks.ids().collect();
    for expr in &model.exprs {
        let ExprKind::SetClock { target, source, value } = &expr.kind else { continue };
        if source.is_some() || !is_zero(model, *value) {
            let set = match target.root {
                Root::Global(first) => model.clocks[first].span,
                // What is passed for a reference is not followed.
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

/// The clocks that an update sets whatever the state. Within functions, where that may depend on the way through
/// them, none are looked for.
fn note_resets(model: &Model, update: ExprId, resets: &mut BTreeSet<ClockId>) {
    match &model.exprs[update].kind {
        ExprKind::Sequence(parts) => parts.iter().for_each(|&part| note_resets(model, part, resets)),
        ExprKind::SetClock { target, .. } => resets.extend(fixed(target)),
        _ => {}
    }
}

/// The clock that a comparison asks to be at least 1.
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

/// The strongly connected components of these edges that have edges, each as its edges in order: first the order in
/// which locations are left for good, then the same backwards along the edges.
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

/// Depth first from a location: calls `enter` where one is met first and `leave` when all after it were met.
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

/// How many edges a shortest cycle is looked for through.
const STARTS_MAX: usize = 64;

/// A shortest cycle of these edges, which are strongly connected.
fn shortest_cycle(process: &Process, edges: &[usize]) -> Vec<usize> {
    let mut leaving: BTreeMap<LocationId, Vec<usize>> = BTreeMap::new();
    for &edge in edges {
        leaving.entry(process.edges[edge].source).or_default().push(edge);
    }
    let cycles = edges.iter().take(STARTS_MAX).filter_map(|&first| {
        let mut cycle = way(process, &leaving, process.edges[first].target, process.edges[first].source)?;
        cycle.insert(0, first);
        Some(cycle)
    });
    cycles.min_by_key(Vec::len).unwrap_or_default()
}

/// A shortest way from one location to another along these edges, which are given by the locations that they leave.
fn way(
    process: &Process,
    leaving: &BTreeMap<LocationId, Vec<usize>>,
    from: LocationId,
    to: LocationId,
) -> Option<Vec<usize>> {
    let mut came_by: BTreeMap<LocationId, usize> = BTreeMap::new();
    let mut waiting = VecDeque::from([from]);
    while let Some(location) = waiting.pop_front() {
        if location == to {
            let mut way = Vec::new();
            let mut at = to;
            while at != from {
                way.push(came_by[&at]);
                at = process.edges[came_by[&at]].source;
            }
            way.reverse();
            return Some(way);
        }
        for &edge in leaving.get(&location).into_iter().flatten() {
            let target = process.edges[edge].target;
            if target != from && !came_by.contains_key(&target) {
                came_by.insert(target, edge);
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
    fn a_sequence_is_cut_to_one_round() {
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
