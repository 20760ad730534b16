//! The search for symmetry: sets of processes that can be exchanged, or rotated.
//!
//! Processes of one shape are candidates. Two of them are exchanged, everything else of their shape stays, and other
//! processes go where the verification allows: a controller for each process moves with it. If that fails, only the others of their
//! templates stay: the controllers may have the same shape. Processes that can be exchanged pairwise form a set on which every
//! permutation is an automorphism; neighbours in it suffice to generate them. Where no two can be exchanged, a rotation of all of
//! them is tried, as in a ring, and then one of those of each template.
//!
//! Values of a scalar set that no process has as its number are exchanged in the same way: processes go where the verification
//! allows, in general nowhere.
//!
//! **Declared scalar sets** alone are exchanged on request ([`Candidates::ScalarSets`]): their values, and processes of one template that
//! have different values of one set as an argument. This restricts what is tried, not how it is verified.
//!
//! **The initial state** need not be mapped to itself: a queue may be filled with the number of one train, and a token may be
//! with one station. Automorphisms preserve transitions, so a state and its image have the same future up to the
//! permutation: the relation between states and their orbits is a bisimulation, whichever state a run begins in. A path of
//! orbits from that of the initial state is lifted step by step to a path from the initial state itself, and invariant
//! formulas hold in a state if and only if they hold in all of its orbit. Only where it matters which states of an orbit are reachable,
//! as for coverage, the initial state must be fixed ([`Formulas::initial`]).

use std::collections::{BTreeMap, BTreeSet};

use tourbillon_base::Id;
use tourbillon_model::{CellId, ExprId, Measure, Model, ProcessId, ScalarValue, Type};

use crate::automorphism::Automorphism;
use crate::conflict::{Conflict, Why};
use crate::matching::{Chains, Matching};
use crate::order::Effects;

/// What an automorphism must leave as it is, beside the network.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Formulas {
    /// Expressions, with the number of local cells that they need.
    pub exprs: Vec<(ExprId, u32)>,
    /// Measures likewise: a clock is mapped to itself, and what is added to it has the same value.
    pub measures: Vec<(Measure, u32)>,
    /// Whether the initial state is mapped to itself, so that the reachable states are mapped to reachable ones.
    pub initial: bool,
}

/// What is tried.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Candidates {
    /// Processes of one shape, and values of scalar sets.
    #[default]
    All,
    /// Values of scalar sets, and processes that have them as arguments.
    ScalarSets,
}

impl Candidates {
    /// Whether these processes of one shape may be exchanged, if the network allows it.
    fn admit(self, model: &Model, processes: &[ProcessId]) -> bool {
        let Some((&first, rest)) = processes.split_first() else { return true };
        self == Self::All
            || (0..model.processes[first].scalars.len()).any(|at| has_values(model, first, rest, at))
    }
}

/// Whether processes are of one template and have different values of one scalar set as the argument at this position.
fn has_values(model: &Model, first: ProcessId, rest: &[ProcessId], at: usize) -> bool {
    let template = |id: ProcessId| &model.processes[id].template;
    let scalar = |id: ProcessId| model.processes[id].scalars.get(at);
    let Some(known) = scalar(first) else { return false };
    let mut values = BTreeSet::from([known.value]);
    rest.iter().all(|&process| {
        let is_new = |it: &ScalarValue| it.set == known.set && values.insert(it.value);
        template(process) == template(first) && scalar(process).is_some_and(is_new)
    })
}

/// The symmetry of a network.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Symmetry {
    pub orbits: Vec<Orbit>,
    /// For each set of processes of one shape that are not exchangeable: some of them, and why not.
    pub refused: Vec<Refused>,
}

/// Elements on which the automorphisms act: processes, or values of a scalar set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Orbit {
    pub kind: OrbitKind,
    /// The name of each element.
    pub elements: Vec<String>,
    /// For `Full`, the exchange of each element with the next; for `Cyclic`, the rotation by one.
    pub generators: Vec<Automorphism>,
}

/// How automorphisms act on an orbit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OrbitKind {
    /// Every permutation of the elements is an automorphism.
    Full,
    /// The rotations of the elements are automorphisms.
    Cyclic,
}

/// Why processes of one shape, or values of a scalar set, cannot all be exchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// The names of two of them.
    pub elements: (String, String),
    pub why: String,
}

/// The maximum number of expressions that are compared.
const WORK_MAX: u64 = 20_000_000;

/// The maximum number for one permutation: so many times the expressions of the model, and some for small models.
const WORK_FOR_EACH: (u64, u64) = (8, 10_000);

/// The number of failed exchanges in a set of processes after which each process is tried with one other only.
const FAILURES_MAX: usize = 20;

/// The maximum number of processes: exchanges are tried for each pair of neighbours.
const PROCESSES_MAX: usize = 1_000;

/// Finds the symmetry of a network under which the formulas are invariant.
#[must_use]
pub fn find(model: &Model, formulas: &Formulas, candidates: Candidates) -> Symmetry {
    let mut symmetry = Symmetry::default();
    if model.processes.len() > PROCESSES_MAX {
        return symmetry;
    }
    let effects = Effects::of(model);
    let chains = Chains::new(model);
    let mut finder =
        Finder { model, formulas, candidates, effects: &effects, chains: &chains, work: WORK_MAX };
    for class in shapes(model) {
        let is_moved = |orbit: &Orbit| class.iter().any(|&process| moves(&orbit.generators, process));
        if symmetry.orbits.iter().any(is_moved) {
            continue;
        }
        finder.class(&class, &mut symmetry);
    }
    for set in scalar_sets(model) {
        let moves =
            |generator: &Automorphism| set.cells.iter().any(|cell| generator.values[cell.index()].is_some());
        if !symmetry.orbits.iter().flat_map(|orbit| &orbit.generators).any(moves) {
            finder.scalar_set(&set, &mut symmetry);
        }
    }
    symmetry
}

/// A scalar set of the model.
struct ScalarSet {
    size: u32,
    /// A variable of the set.
    variable: String,
    /// The cells that hold values of it.
    cells: Vec<CellId>,
}

/// The scalar sets that variables are of.
fn scalar_sets(model: &Model) -> Vec<ScalarSet> {
    let mut sets: BTreeMap<u32, ScalarSet> = BTreeMap::new();
    for variable in &model.variables {
        let Ok(first) = variable.first else { continue };
        let mut index = first.index();
        variable.ty.for_each_leaf("", &mut |_, leaf| {
            if let &Type::Scalar { set, size } = leaf {
                let new = || ScalarSet { size, variable: variable.name.clone(), cells: Vec::new() };
                sets.entry(set).or_insert_with(new).cells.push(CellId::from_index(index));
            }
            index += 1;
        });
    }
    sets.into_values().filter(|set| set.size > 1).collect()
}

/// What exchangeable processes have in common: kinds of locations, and sources and targets of edges.
type Shape = (Vec<u8>, Vec<(usize, usize)>);

/// The processes by shape, where there are several of one shape.
fn shapes(model: &Model) -> Vec<Vec<ProcessId>> {
    let mut classes: BTreeMap<Shape, Vec<ProcessId>> = BTreeMap::new();
    for (id, process) in model.processes.enumerate() {
        let kinds = process.locations.iter().map(|location| location.kind as u8).collect();
        let mut edges: Vec<(usize, usize)> =
            process.edges.iter().map(|edge| (edge.source.index(), edge.target.index())).collect();
        edges.sort_unstable();
        classes.entry((kinds, edges)).or_default().push(id);
    }
    let mut classes: Vec<Vec<ProcessId>> = classes.into_values().filter(|class| class.len() > 1).collect();
    classes.sort_unstable();
    classes
}

/// Whether some automorphism moves a process.
fn moves(generators: &[Automorphism], process: ProcessId) -> bool {
    generators.iter().any(|generator| generator.processes[process.index()] != process.index())
}

struct Finder<'m> {
    model: &'m Model,
    formulas: &'m Formulas,
    candidates: Candidates,
    effects: &'m Effects,
    chains: &'m Chains<'m>,
    work: u64,
}

impl Finder<'_> {
    /// The orbits among processes of one shape.
    fn class(&mut self, class: &[ProcessId], symmetry: &mut Symmetry) {
        let mut orbits: Vec<(Vec<ProcessId>, Vec<Automorphism>)> = Vec::new();
        let mut refused: Option<Refused> = None;
        let mut failures = 0;
        for &process in class {
            // It moves with others of its shape.
            if orbits.iter().any(|(_, generators)| moves(generators, process)) {
                continue;
            }
            let mut found = false;
            // Where few can be exchanged, not all pairs are tried.
            let skipped = if failures < FAILURES_MAX { 0 } else { orbits.len().saturating_sub(1) };
            for (processes, generators) in &mut orbits[skipped..] {
                let Some(&last) = processes.last() else { continue };
                if !self.candidates.admit(self.model, &[processes.as_slice(), &[process]].concat()) {
                    continue;
                }
                match self.exchange(class, last, process) {
                    Ok(generator) => {
                        processes.push(process);
                        generators.push(generator);
                        found = true;
                        break;
                    }
                    Err(conflict) => {
                        failures += 1;
                        let why = conflict.explain(self.model);
                        let elements = (self.name(last), self.name(process));
                        refused.get_or_insert(Refused { elements, why });
                    }
                }
            }
            if !found {
                orbits.push((vec![process], Vec::new()));
            }
        }
        orbits.retain(|(processes, _)| processes.len() > 1);
        if orbits.is_empty() {
            symmetry.orbits.extend(self.rotations(class));
        }
        symmetry.orbits.extend(orbits.into_iter().map(|(processes, generators)| Orbit {
            kind: OrbitKind::Full,
            elements: processes.into_iter().map(|process| self.name(process)).collect(),
            generators,
        }));
        symmetry.refused.extend(refused);
    }

    /// The orbit of the values of a scalar set.
    fn scalar_set(&mut self, set: &ScalarSet, symmetry: &mut Symmetry) {
        let name = |value: u32| format!("value {value} of {}", set.variable);
        let mut generators = Vec::new();
        for value in 1..set.size {
            let exchanged = (set.cells.as_slice(), value as i32 - 1, value as i32);
            match self.extend(&[], Some(exchanged)) {
                Ok(generator) => generators.push(generator),
                Err(conflict) => {
                    let (elements, why) = ((name(value - 1), name(value)), conflict.explain(self.model));
                    symmetry.refused.push(Refused { elements, why });
                    return;
                }
            }
        }
        let elements = (0..set.size).map(name).collect();
        symmetry.orbits.push(Orbit { kind: OrbitKind::Full, elements, generators });
    }

    fn name(&self, process: ProcessId) -> String {
        self.model.processes[process].name.clone()
    }

    /// The exchange of two processes, under which all others of their shape stay, or at least those of their templates.
    fn exchange(
        &mut self,
        class: &[ProcessId],
        one: ProcessId,
        other: ProcessId,
    ) -> Result<Automorphism, Conflict> {
        let image = |process: ProcessId| match process {
            _ if process == one => other,
            _ if process == other => one,
            _ => process,
        };
        let images: Vec<_> = class.iter().map(|&process| (process, image(process))).collect();
        let all_stay = self.extend(&images, None);
        let templates = [one, other].map(|process| &self.model.processes[process].template);
        let is_of_these = |process: ProcessId| templates.contains(&&self.model.processes[process].template);
        let of_these: Vec<_> = images.iter().copied().filter(|&(process, _)| is_of_these(process)).collect();
        if all_stay.is_ok() || of_these.len() == images.len() {
            return all_stay;
        }
        // That the model is too large for it is no reason why they cannot be exchanged.
        self.extend(&of_these, None)
            .or_else(|conflict| if conflict.is_final() { all_stay } else { Err(conflict) })
    }

    /// The rotation of all processes of one shape, or those of the processes of each template.
    fn rotations(&mut self, class: &[ProcessId]) -> Vec<Orbit> {
        if let Some(rotation) = self.rotation(class) {
            return vec![rotation];
        }
        let mut templates: BTreeMap<&str, Vec<ProcessId>> = BTreeMap::new();
        for &process in class {
            templates.entry(&self.model.processes[process].template).or_default().push(process);
        }
        let mut rotations: Vec<Orbit> = Vec::new();
        for processes in templates.values().filter(|it| it.len() < class.len()) {
            if !rotations.iter().any(|rotation| moves(&rotation.generators, processes[0])) {
                rotations.extend(self.rotation(processes));
            }
        }
        rotations
    }

    /// The rotation of several processes of one shape by one.
    fn rotation(&mut self, processes: &[ProcessId]) -> Option<Orbit> {
        if processes.len() < 3 || !self.candidates.admit(self.model, processes) {
            return None;
        }
        let next = processes.iter().cycle().skip(1);
        let images: Vec<(ProcessId, ProcessId)> = processes.iter().copied().zip(next.copied()).collect();
        let generator = self.extend(&images, None).ok()?;
        let elements = processes.iter().map(|&process| self.name(process)).collect();
        Some(Orbit { kind: OrbitKind::Cyclic, elements, generators: vec![generator] })
    }

    /// An automorphism with these images of processes, that exchanges two values in these cells.
    fn extend(
        &mut self,
        images: &[(ProcessId, ProcessId)],
        values: Option<(&[CellId], i32, i32)>,
    ) -> Result<Automorphism, Conflict> {
        let (times, some) = WORK_FOR_EACH;
        let work = self.work.min(times * self.model.exprs.len() as u64 + some);
        let mut matching = Matching::new(self.model, self.effects, self.chains, work);
        let exchanged =
            values.map_or(Ok(()), |(cells, one, other)| matching.exchange_values(cells, one, other));
        let result = exchanged.and_then(|()| self.extend_matching(&mut matching, images));
        self.work -= work - matching.work;
        result
    }

    fn extend_matching(
        &self,
        matching: &mut Matching<'_>,
        images: &[(ProcessId, ProcessId)],
    ) -> Result<Automorphism, Conflict> {
        for &(process, image) in images.iter().filter(|(process, image)| process != image) {
            matching.process(process, image)?;
        }
        let mut rest = Vec::new();
        for (process, _) in self.model.processes.enumerate() {
            match images.iter().find(|(own, _)| *own == process) {
                Some(&(_, image)) if process == image => matching.process(process, image)?,
                Some(_) => {}
                None => rest.push(process),
            }
        }
        matching.shared()?;
        matching.partners()?;
        self.place(matching, &rest)?;
        for &(expr, frame) in &self.formulas.exprs {
            matching.formula(expr, frame)?;
        }
        for (measure, frame) in &self.formulas.measures {
            matching.measure(measure, *frame)?;
        }
        let automorphism = matching.finish()?;
        if self.formulas.initial {
            matching.initial(&automorphism)?;
        }
        Ok(automorphism)
    }

    /// Finds an image for each of the other processes: itself if possible.
    fn place(&self, matching: &mut Matching<'_>, rest: &[ProcessId]) -> Result<(), Conflict> {
        let Some((&process, rest)) = rest.split_first() else { return Ok(()) };
        let mut first = None;
        let others = self.model.processes.ids().filter(|&other| other != process);
        for image in std::iter::once(process).chain(others) {
            if !matching.may_map(process, image) {
                continue;
            }
            let mark = matching.mark();
            let result = matching.process(process, image).and_then(|()| self.place(matching, rest));
            let Err(conflict) = result else { return Ok(()) };
            matching.reset(&mark);
            if conflict.is_final() {
                return Err(conflict);
            }
            first.get_or_insert(conflict);
        }
        Err(first.unwrap_or(Conflict::new(Why::Different)))
    }
}
