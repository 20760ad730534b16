//! Checking again after an edit of the model: the states of an earlier search are a candidate for an invariant.
//!
//! The stored states of a complete search are closed under the steps of the model that was searched. A step from a state depends on the
//! locations of the state alone, as far as the model can be edited: on their edges, the functions and constants that these use, and the
//! invariants of their targets. So the states none of whose locations has changed are closed under the new model as well, whatever else
//! has. All candidates are stored; those at a changed location are expanded again, and so is what is new. Then the stored states
//! are closed under the new model. If none of them is a goal, there is none.
//!
//! If one is a goal, it may be a state of the old model that the new one does not reach. So that decides nothing: the property is
//! searched from scratch. A run that is shown is one of the new model, as always.
//!
//! **Soundness.** The candidates are compared by inclusion: zones that were extrapolated with the bounds of the old model are sets of
//! valuations all the same. An a_LU-closed set is no candidate, since bounds may have changed, nor is one without its transient states,
//! which may be at changed locations. Representatives are candidates if the symmetry is the same. What is no candidate, or has another layout
//! of states, is searched from scratch. That the file is what an earlier search has written is believed here: `--certify` checks the
//! result.
//!
//! Cost: an offer for each candidate, and a visit without expansion.

use tourbillon_base::{Id, IdVec};
use tourbillon_certify::format::{Claim, Cover as CertifiedCover, Header};
use tourbillon_certify::read_first;
use tourbillon_dbm::{Bound, Clock, Constant, Constraint, Dbm, Dimension, OpenDbm};
use tourbillon_model::{CellKind, LocationId, Model, ProcessId, frame_hash, location_hashes, model_hash};
use tourbillon_search::{Budget, Ended, Observer, Search, Stats, Visit};
use tourbillon_store::{Cover, CoverParameters, NodeId, Offer, Offered, StateRef};
use tourbillon_zonegraph::SymbolicState;

use crate::certificate::generators;
use crate::prepare::Prepared;

/// The states of an earlier search of another version of the model.
#[derive(Debug)]
pub struct Candidates {
    zones: Vec<Dbm>,
    /// The fields of all discrete states, one after the other.
    vectors: Vec<i32>,
    fields: usize,
    /// The discrete state and the zone of each symbolic state.
    entries: Vec<(u32, u32)>,
    /// The locations from which other steps lead.
    changed: IdVec<ProcessId, IdVec<LocationId, bool>>,
    header: Header,
}

/// What a search that began with candidates has done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Rechecked {
    /// The candidates.
    pub candidates: u64,
    /// Those that were not expanded again.
    pub reused: u64,
    /// Those that were.
    pub expanded: u64,
    /// States that are stored and were no candidates.
    pub added: u64,
}

impl Candidates {
    /// The states of a certificate of an older model, if they can be candidates for a newer one.
    #[must_use]
    pub fn read(file: &[u8], older: &Model, newer: &Model) -> Option<Self> {
        let (header, blocks) = Header::read(file).ok()?;
        let invariant = header.invariants.first()?;
        let only =
            header.invariants.len() == 1 && matches!(header.queries.first()?.claim, Claim::Never { .. });
        let is_closed = invariant.cover == CertifiedCover::Inclusion && !invariant.transient;
        let is_of_older = header.model.sha256 == model_hash(older);
        if !(only && is_closed && is_of_older) || frame_hash(older) != frame_hash(newer) {
            return None;
        }
        let dimension = Dimension::of_clocks(newer.clocks.len()).ok()?;
        let cells = newer.cells.iter().filter(|cell| cell.kind == CellKind::State).count();
        let fields = newer.processes.len() + cells;
        let (mut zones, mut vectors, mut entries) = (Vec::new(), Vec::new(), Vec::new());
        let mut any_empty = false;
        read_first(
            invariant,
            blocks,
            (dimension.size(), fields),
            &mut |constraints| {
                let zone = zone(dimension, constraints);
                any_empty |= zone.is_none();
                zones.extend(zone);
            },
            &mut |vector, own| {
                let state = (vectors.len() / fields) as u32;
                vectors.extend_from_slice(vector);
                entries.extend(own.iter().map(|&(zone, _)| (state, zone)));
            },
        )
        .ok()?;
        let changed = changed(older, newer);
        (!any_empty).then_some(Self { zones, vectors, fields, entries, changed, header })
    }

    fn discrete(&self, state: u32) -> &[i32] {
        &self.vectors[state as usize * self.fields..][..self.fields]
    }

    /// Whether a state can have other steps than before.
    fn is_affected(&self, discrete: &[i32]) -> bool {
        let places = self.changed.iter().zip(discrete);
        places.into_iter().any(|(changed, &location)| changed[LocationId::from_index(location as usize)])
    }

    /// Whether the states are closed up to the symmetry of a property.
    fn fits(&self, prepared: &Prepared<'_>) -> bool {
        let is_in_range = |discrete: &[i32]| {
            let ranges = prepared.system().ranges.iter();
            ranges.zip(discrete).all(|(range, &value)| range.min <= value && value <= range.max)
        };
        self.header.invariants[0].generators == generators(prepared)
            && prepared.system().layout.fields() == self.fields
            && prepared.time().is_none()
            && self.vectors.chunks_exact(self.fields).all(is_in_range)
    }
}

/// The zone of some constraints; nothing if it is empty, or a bound is too large.
fn zone(dimension: Dimension, constraints: &[tourbillon_certify::format::Constraint]) -> Option<Dbm> {
    let mut open = OpenDbm::universal(dimension);
    for constraint in constraints {
        let constant = Constant::new(constraint.bound >> 1).ok()?;
        let bound = if constraint.bound & 1 == 1 { Bound::weak(constant) } else { Bound::strict(constant) };
        let [left, right] = [constraint.left, constraint.right].map(Clock::from_index);
        open.tighten(Constraint::new(left, right, bound));
    }
    open.close()
}

/// The locations whose steps may differ, in models of the same frame.
fn changed(older: &Model, newer: &Model) -> IdVec<ProcessId, IdVec<LocationId, bool>> {
    let (older, newer) = (location_hashes(older), location_hashes(newer));
    let of_process = |(one, other): (&IdVec<_, String>, &IdVec<_, String>)| {
        one.iter().zip(other.iter()).map(|(one, other)| one != other).collect()
    };
    older.iter().zip(newer.iter()).map(of_process).collect()
}

/// Skips the candidates that the edit does not affect.
struct RecheckObserver<'c> {
    candidates: &'c Candidates,
    /// The nodes below this one are candidates.
    end: NodeId,
    rechecked: Rechecked,
}

impl Observer for RecheckObserver<'_> {
    fn visit(&mut self, node: NodeId, state: &SymbolicState) -> Visit {
        if node >= self.end {
            return Visit::Expand;
        }
        if self.candidates.is_affected(&state.memory) {
            self.rechecked.expanded += 1;
            Visit::Expand
        } else {
            self.rechecked.reused += 1;
            Visit::Skip
        }
    }
}

/// A complete search that began with candidates, if no stored state of it satisfies the goal of the property. Nothing is decided otherwise,
/// or if a limit is reached.
pub(crate) fn search<'p>(
    prepared: &'p Prepared<'_>,
    mut search: Search<'p>,
    budget: &mut Budget<'_>,
    progress: &mut dyn FnMut(&Stats),
) -> Option<(Search<'p>, Rechecked)> {
    let candidates = prepared.candidates().filter(|candidates| candidates.fits(prepared))?;
    if matches!(prepared.plan().cover, Cover::Alu | Cover::Adaptive) || search.has_begun() {
        return None;
    }
    let mut end = NodeId::from_index(0);
    let (list, probe, _) = search.offer_parts();
    for &(state, zone) in &candidates.entries {
        let discrete = candidates.discrete(state);
        let zone = &candidates.zones[zone as usize];
        let state = StateRef { discrete, zone, parameters: CoverParameters::None };
        if let Offer::Stored(node) = list.offer(&Offered { state, parent: None, step: 0, cost: 0 }, probe) {
            end = end.max(NodeId::from_index(node.index() + 1));
        }
    }
    let rechecked = Rechecked { candidates: candidates.entries.len() as u64, ..Rechecked::default() };
    let mut observer = RecheckObserver { candidates, end, rechecked };
    if search.explore(&mut observer, budget, progress) != Ended::Complete {
        return None;
    }
    let mut rechecked = observer.rechecked;
    let stored = search.list().counts().stored as u64;
    rechecked.added = stored.saturating_sub(rechecked.reused + rechecked.expanded);
    let ended = search.find(prepared.goal_predicate(), budget, progress);
    (ended == Ended::Complete).then_some((search, rechecked))
}
