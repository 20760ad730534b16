//! Certificates: the stored states of a complete search, from which an answer follows.
//!
//! Such a set is an inductive invariant `[WimmerMutius2020]`: it has the initial state, each successor of a state in it is covered by one in it, and
//! no state in it is a goal. `tourbillon_certify` checks this with a semantics of its own; `docs/certificate.md` has the format
//! and the conditions. Here the states are only written down:
//!
//! - the zones as they are stored, extrapolated or not: what counts is that the set is closed;
//! - with a_LU, the clock bounds of each location, of which the checker verifies that they make the LU-preorder a simulation;
//! - with symmetry, the representatives, and the permutations that the checker closes them under;
//! - for liveness, the number of the component of each node, in topological order, as its rank (`search/src/components.rs`).
//!
//! Where transient states are not stored, the checker follows them.
//!
//! Cost: one decoded state for each node, and sorting. Zones that are stored once are reduced to minimal constraints once.

mod collector;
mod file;

use std::sync::Arc;

use tourbillon_base::Id;
use tourbillon_certify::format::{
    Claim, ClaimedBound, ClaimedRange, ClockConstants, Cover as CertifiedCover, Generator, InvariantHeader,
};
use tourbillon_dbm::{Clock, ClockBounds, Constant};
use tourbillon_model::{CellKind, Model};
use tourbillon_search::Committed;
use tourbillon_store::{Cover, PassedList};
use tourbillon_symmetry::Automorphism;
use tourbillon_system::Analysis;

use crate::answer::{Measured, Value};
use crate::prepare::Prepared;
use crate::symmetry::FoundSymmetry;
use collector::StateCollector;

pub use file::CertificateFile;

/// A closed set of symbolic states, in the format of certificates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    pub header: InvariantHeader,
    /// Its zones and states.
    pub blocks: Vec<u8>,
}

/// What an answer claims of closed sets of states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// Invariants are numbered as in the list below.
    pub claims: Vec<Claim>,
    pub invariants: Vec<Arc<Invariant>>,
}

impl Certificate {
    /// No state of a closed set satisfies the goal.
    pub(crate) fn never(reach: Arc<Invariant>) -> Self {
        Self { claims: vec![Claim::Never { reach: 0 }], invariants: vec![reach] }
    }

    /// No maximal run avoids a predicate from the initial state on, or from a state of a closed set that satisfies a premise.
    pub(crate) fn avoid(avoid: Invariant, reach: Option<Invariant>) -> Self {
        let claim =
            if reach.is_some() { Claim::Response { reach: 1, avoid: 0 } } else { Claim::Avoid { avoid: 0 } };
        let invariants = [avoid].into_iter().chain(reach).map(Arc::new).collect();
        Self { claims: vec![claim], invariants }
    }

    /// No infinite run visits all acceptance sets infinitely often.
    pub(crate) fn recurrence(reach: Invariant) -> Self {
        Self { claims: vec![Claim::Recurrence { reach: 0 }], invariants: vec![Arc::new(reach)] }
    }

    /// No state of a closed set has values beyond these, of which some are not known yet.
    pub(crate) fn bounds(reach: Invariant, values: &[Measured]) -> Self {
        let measures = values.iter().map(claimed_range).collect();
        Self { claims: vec![Claim::Bounds { reach: 0, measures }], invariants: vec![Arc::new(reach)] }
    }

    /// Both together.
    pub(crate) fn and(mut self, other: Self) -> Self {
        let first = self.invariants.len();
        self.claims.extend(other.claims.into_iter().map(|claim| claim.renumbered(|index| index + first)));
        self.invariants.extend(other.invariants);
        self
    }
}

/// What an extreme value claims; nothing if it is infinite.
fn claimed_range(measured: &Measured) -> ClaimedRange {
    let bound = |value: Value| match value {
        Value::Attained(value) => Some(ClaimedBound { value, strict: false }),
        Value::Approached(value) => Some(ClaimedBound { value, strict: true }),
        Value::None | Value::Infinite => None,
    };
    let [low, high] = [&measured.low, &measured.high].map(|it| it.as_ref().map(|extreme| extreme.value));
    let empty = [low, high].contains(&Some(Value::None));
    ClaimedRange { lower: low.and_then(bound), upper: high.and_then(bound), empty }
}

impl Prepared<'_> {
    /// The stored states of a complete search, if the plan certifies its answers.
    pub(crate) fn invariant(&self, list: &dyn PassedList) -> Option<Invariant> {
        self.invariant_with(list, self.analysis(), true)
    }

    /// The same where zones are abstracted with other clock bounds, or symmetry is not used.
    pub(crate) fn invariant_with(
        &self,
        list: &dyn PassedList,
        analysis: &Analysis,
        with_symmetry: bool,
    ) -> Option<Invariant> {
        if !self.plan().certifies {
            return None;
        }
        let system = self.system();
        let mut collector = StateCollector::new(system.layout.fields(), self.model().clocks.len(), false);
        collector.add_all(list, system.dimension);
        let is_alu = matches!(self.plan().cover, Cover::Alu | Cover::Adaptive);
        let cover = if is_alu { CertifiedCover::Lu } else { CertifiedCover::Inclusion };
        Some(self.finish(collector, cover, analysis, with_symmetry))
    }

    /// A collector of states with ranks.
    pub(crate) fn ranked_states(&self) -> StateCollector {
        StateCollector::new(self.system().layout.fields(), self.model().clocks.len(), true)
    }

    /// The invariant of ranked states, between which inclusion is the cover.
    pub(crate) fn ranked_invariant(&self, collector: StateCollector) -> Invariant {
        self.finish(collector, CertifiedCover::Inclusion, self.analysis(), true)
    }

    fn finish(
        &self,
        collector: StateCollector,
        cover: CertifiedCover,
        analysis: &Analysis,
        with_symmetry: bool,
    ) -> Invariant {
        let (plan, model) = (self.plan(), self.model());
        let header = InvariantHeader {
            cover,
            ranked: false,
            transient: plan.store != Committed::Stored,
            bounds: if cover == CertifiedCover::Lu {
                bounds_of_locations(analysis, model.clocks.len())
            } else {
                Vec::new()
            },
            generators: if with_symmetry { generators(self) } else { Vec::new() },
            zone_blocks: 0,
            state_blocks: 0,
            zones: 0,
            states: 0,
            entries: 0,
        };
        collector.finish(header)
    }
}

/// The clock bounds of each location. They are a simulation, and what is covered with larger bounds, such as the global ones, is covered
/// with them.
fn bounds_of_locations(analysis: &Analysis, clocks: usize) -> Vec<Vec<Vec<ClockConstants>>> {
    let number = |constant: Option<Constant>| constant.map(|constant| i64::from(constant.get()));
    let constants = |bounds: &ClockBounds| {
        let of_clock = |index: usize| {
            let clock = Clock::from_index(index + 1);
            (index, number(bounds.lower(clock)), number(bounds.upper(clock)))
        };
        let all = (0..clocks).map(of_clock);
        all.filter(|(_, lower, upper)| lower.is_some() || upper.is_some()).collect()
    };
    analysis.local.places.iter().map(|process| process.iter().map(constants).collect()).collect()
}

/// The symmetry of a property, if its plan uses it, as permutations of the components of states.
pub(crate) fn generators(prepared: &Prepared<'_>) -> Vec<Generator> {
    let generators = prepared.symmetry_used().into_iter().flat_map(FoundSymmetry::generators);
    generators.map(|automorphism| generator(prepared.model(), automorphism)).collect()
}

/// An automorphism as a permutation of the components of states.
fn generator(model: &Model, automorphism: &Automorphism) -> Generator {
    let mut component = vec![None; model.cells.len()];
    let state_cells = model.cells.enumerate().filter(|(_, cell)| cell.kind == CellKind::State);
    let state_cells: Vec<usize> = state_cells.map(|(id, _)| id.index()).collect();
    for (index, &cell) in state_cells.iter().enumerate() {
        component[cell] = Some(index);
    }
    let image =
        |&cell: &usize| component[automorphism.cells[cell]].expect("the image of a state cell is one");
    let values = state_cells
        .iter()
        .enumerate()
        .filter_map(|(index, &cell)| Some((index, automorphism.values[cell].as_ref()?.moved().to_vec())));
    Generator {
        processes: automorphism.processes.clone(),
        clocks: automorphism.clocks.clone(),
        cells: state_cells.iter().map(image).collect(),
        values: values.collect(),
    }
}
