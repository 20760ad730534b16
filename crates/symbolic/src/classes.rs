//! Classes of discrete states with the same clock behaviour.
//!
//! The zone after a transition depends on the discrete state only through its invariant, whether time can pass, and the
//! clock bounds. A *class* is a set of states that agree on all of these. Classes are not computed from the product of
//! the processes: each process partitions the states by its own locations, each further process refines the partition,
//! and empty parts are dropped (section 3.3 of `[EhlersGerkePeter2010]`, where all classes are computed in advance;
//! here only reached sets are partitioned, so that only classes in use are built).

use std::collections::{BTreeMap, HashMap};

use tourbillon_base::{Id, IdVec, define_id};
use tourbillon_dbm::{ClockBounds, Constraint, Dbm};
use tourbillon_dd::Bdd;
use tourbillon_model::{ClockCondition, LocationKind};
use tourbillon_system::LocalBounds;
use tourbillon_zonegraph::{Options, Write, apply_writes, before_writes};

use crate::edges::{FailingStates, clock_cases};
use crate::interpret::{EncodingContext, Interpreter};
use crate::interruption::Interruptible;
use crate::steps::Urgency;

define_id! {
    /// The index of a class.
    pub(crate) struct ClassId;
}

/// The common properties of the states of a class.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    invariant: Vec<Constraint>,
    may_wait: bool,
    /// The clock bounds.
    pub(crate) bounds: ClockBounds,
}

/// The clock bounds that classes take theirs from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ClassBounds<'a> {
    /// The same for all classes.
    Global(&'a ClockBounds),
    /// Those of the locations of a class.
    Local(&'a LocalBounds),
}

/// The contribution of a part of a partition to its class.
#[derive(Clone, PartialEq, Debug)]
struct ClassPart {
    invariant: Vec<Constraint>,
    no_wait: bool,
    bounds: Option<ClockBounds>,
}

/// The classes of a network.
#[derive(Debug)]
pub(crate) struct Classes {
    /// Partitions of all states, by each process and by each invariant that depends on data.
    divisions: Vec<Vec<(Bdd, ClassPart)>>,
    /// The bounds that all states have in common.
    common: ClockBounds,
    /// Where the invariants on data hold.
    valid: Bdd,
    /// Where the model fails on arrival: an invariant has no value.
    pub(crate) failed: Bdd,
    /// Where it fails if clocks allow the arrival: urgency has no value.
    pub(crate) failed_inside: Bdd,
    /// Where a clock constraint of an invariant has no value, and where some location forbids delays.
    clocks_failed: Bdd,
    still: Bdd,
    classes: IdVec<ClassId, Class>,
    /// The classes, by the parts that they consist of.
    index: HashMap<Vec<u32>, ClassId>,
}

impl Classes {
    /// The classes of a network in which urgent channels forbid delays in some states.
    pub(crate) fn new(
        setting: EncodingContext<'_>,
        legal: &Bdd,
        urgency: &Urgency,
        bounds: ClassBounds<'_>,
    ) -> Interruptible<Self> {
        let common = match bounds {
            ClassBounds::Global(global) => global,
            ClassBounds::Local(local) => &local.everywhere,
        };
        let mut this = Self {
            divisions: Vec::new(),
            common: common.clone(),
            valid: setting.bdds.yes(),
            failed: setting.bdds.no(),
            failed_inside: setting.bdds.no(),
            clocks_failed: setting.bdds.no(),
            still: setting.bdds.no(),
            classes: IdVec::new(),
            index: HashMap::new(),
        };
        for process in setting.model.processes.ids() {
            let local = match bounds {
                ClassBounds::Global(_) => None,
                ClassBounds::Local(local) => Some(&local.places[process]),
            };
            this.divide_by_process(setting, legal, process.index(), local)?;
        }
        // Data is evaluated first, for all processes, then clocks, and then urgency.
        this.failed = this.failed.or(&this.clocks_failed.and(&this.valid)?)?;
        this.failed_inside = urgency.failed.and(&this.valid)?.but(&this.still)?;
        let urgent = &urgency.states;
        if !urgent.is_no() {
            let still = ClassPart { invariant: Vec::new(), no_wait: true, bounds: None };
            this.divisions.push(vec![(urgent.clone(), still), (urgent.not()?, ClassPart::NOTHING)]);
        }
        Ok(this)
    }

    fn divide_by_process(
        &mut self,
        setting: EncodingContext<'_>,
        legal: &Bdd,
        process: usize,
        bounds: Option<&IdVec<tourbillon_model::LocationId, ClockBounds>>,
    ) -> Interruptible {
        let locations = &setting.model.processes[tourbillon_model::ProcessId::from_index(process)].locations;
        let mut division: Vec<(Bdd, ClassPart)> = Vec::new();
        for (id, location) in locations.enumerate() {
            let at = setting.fields.at(setting.bdds, process, id.index() as i32)?;
            let mut interpreter = Interpreter::new(setting, legal.and(&at)?, BTreeMap::new(), location.frame);
            for &condition in &location.invariant.conditions {
                let holds = interpreter.holds(condition)?;
                interpreter.narrow(holds);
            }
            self.failed = self.failed.or(&interpreter.failed.and(&self.valid)?)?;
            self.valid = self.valid.but(&at.but(&interpreter.path)?)?;
            let (fixed, computed): (Vec<_>, Vec<_>) = location
                .invariant
                .clocks
                .iter()
                .cloned()
                .partition(|condition| is_fixed(setting, condition, location.frame));
            let invariant = self.cases(&mut interpreter, &fixed)?.pop().map_or_else(Vec::new, |case| case.0);
            let no_wait = location.kind != LocationKind::Normal;
            if no_wait {
                self.still = self.still.or(&at)?;
            }
            let bounds = bounds.map(|bounds| bounds[id].clone());
            let alike = ClassPart { invariant, no_wait, bounds };
            match division.iter_mut().find(|(_, other)| *other == alike) {
                Some((states, _)) => *states = states.or(&at)?,
                None => division.push((at.clone(), alike)),
            }
            // One partition for each, and not one for all their combinations.
            for condition in computed {
                let mut cases = vec![(at.not()?, ClassPart::NOTHING)];
                for (invariant, here) in self.cases(&mut interpreter, &[condition])? {
                    cases.push((here, ClassPart { invariant, no_wait: false, bounds: None }));
                }
                self.divisions.push(cases);
            }
        }
        match &*division {
            [] => {}
            // All locations are equal: nothing is partitioned.
            [(_, ClassPart { invariant, no_wait: false, bounds })] if invariant.is_empty() => {
                if let Some(bounds) = bounds {
                    self.common.join(bounds);
                }
            }
            _ => self.divisions.push(division),
        }
        Ok(())
    }

    /// The values of the clock constraints of an invariant, each with its states.
    fn cases(
        &mut self,
        interpreter: &mut Interpreter<'_>,
        conditions: &[ClockCondition],
    ) -> Interruptible<Vec<(Vec<Constraint>, Bdd)>> {
        let mut failures = Vec::new();
        let cases = clock_cases(interpreter, conditions, &mut failures)?;
        for FailingStates { states, .. } in failures {
            self.clocks_failed = self.clocks_failed.or(&states)?;
        }
        Ok(cases)
    }

    /// What a class has in common.
    pub(crate) fn get(&self, class: ClassId) -> &Class {
        &self.classes[class]
    }

    /// The number of classes so far.
    pub(crate) fn len(&self) -> usize {
        self.classes.len()
    }

    /// Partitions a set of states whose invariants on data hold: calls `visit` with each class and its states.
    pub(crate) fn divide(
        &mut self,
        states: &Bdd,
        visit: &mut dyn FnMut(&Self, ClassId, Bdd) -> Interruptible,
    ) -> Interruptible {
        let states = states.and(&self.valid)?;
        if states.is_no() {
            return Ok(());
        }
        let mut open = vec![(Vec::new(), states)];
        while let Some((word, states)) = open.pop() {
            let Some(division) = self.divisions.get(word.len()) else {
                let class = self.intern(&word);
                visit(self, class, states)?;
                continue;
            };
            for (index, (part, _)) in division.iter().enumerate().rev() {
                let states = states.and(part)?;
                if !states.is_no() {
                    let mut word = word.clone();
                    word.push(index as u32);
                    open.push((word, states));
                }
            }
        }
        Ok(())
    }

    /// Intersects a zone with the invariants of the only state of a set.
    pub(crate) fn confine(&mut self, only: &Bdd, zone: &mut Dbm) -> Interruptible {
        self.divide(only, &mut |classes, class, _| {
            classes.get(class).confine(zone);
            Ok(())
        })
    }

    fn intern(&mut self, word: &[u32]) -> ClassId {
        if let Some(&class) = self.index.get(word) {
            return class;
        }
        let mut class = Class { invariant: Vec::new(), may_wait: true, bounds: self.common.clone() };
        for (division, &part) in self.divisions.iter().zip(word) {
            let (_, ClassPart { invariant, no_wait, bounds }) = &division[part as usize];
            class.invariant.extend_from_slice(invariant);
            class.may_wait &= !no_wait;
            if let Some(bounds) = bounds {
                class.bounds.join(bounds);
            }
        }
        let id = self.classes.push(class);
        self.index.insert(word.to_vec(), id);
        id
    }
}

impl ClassPart {
    const NOTHING: Self = Self { invariant: Vec::new(), no_wait: false, bounds: None };
}

impl Class {
    /// The zones after these writes and a delay in the class, abstracted, within the invariant; empty if the invariant
    /// forbids the arrival.
    pub(crate) fn arrive(
        &self,
        options: &Options,
        mut zone: Dbm,
        writes: &[Write],
        visit: &mut impl FnMut(Dbm),
    ) {
        if !apply_writes(writes, &mut zone) || !self.confine(&mut zone) {
            return;
        }
        if self.may_wait {
            zone.up();
            let inhabited = self.confine(&mut zone);
            debug_assert!(inhabited, "no delay is a delay");
        }
        options.abstracted(&self.bounds, zone, &mut |mut zone| {
            let inhabited = self.confine(&mut zone);
            debug_assert!(inhabited, "an abstraction only enlarges");
            visit(zone);
        });
    }

    /// The part of a zone from which these writes satisfy the invariant of the class, if there is one.
    pub(crate) fn entered_from(&self, zone: &Dbm, writes: &[Write]) -> Option<Dbm> {
        let mut inside = Dbm::universal(zone.dimension());
        if !self.confine(&mut inside) {
            return None;
        }
        let mut before = before_writes(writes, inside)?;
        before.intersect(zone).then_some(before)
    }

    /// Whether time can pass.
    pub(crate) fn may_wait(&self) -> bool {
        self.may_wait
    }

    fn confine(&self, zone: &mut Dbm) -> bool {
        self.invariant.iter().all(|&constraint| zone.constrain(constraint))
    }
}

/// Whether a comparison, which may need `locals` local cells, is the same in all states.
fn is_fixed(setting: EncodingContext<'_>, condition: &ClockCondition, frame: u32) -> bool {
    let atom = &condition.atom;
    let clocks = [Some(&atom.left), atom.right.as_ref()];
    condition.when.is_none()
        && clocks.into_iter().flatten().all(|clock| clock.indices.is_empty())
        && setting.model.constant(atom.bound, 0..frame).is_ok()
}
