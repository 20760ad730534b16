//! Dispatch of states: a rank stores those that it owns and adds others to the batches of their owners.
//!
//! States are successors of an expanded node, or arrive from another rank. Those that the rank owns are offered to its list, and tested
//! if they are stored.

use tourbillon_base::Id;
use tourbillon_dbm::Dbm;
use tourbillon_search::{Exhausted, Expansion, Observer, Search};
use tourbillon_store::{Cover, CoverParameters, NodeId, Offer, Offered, PassedWaiting, StateRef};
use tourbillon_system::{Predicate, System};
use tourbillon_zonegraph::{PredicateEvaluator, Satisfaction, Successor, SymbolicState};

use crate::encoding::{StateEncoder, StateOrigin};
use crate::endpoint::Mailbox;
use crate::message::Reader;
use crate::outbox::Outboxes;
use crate::owner::{self, Owner};

/// Computes the owners of states, and tests those that are stored here.
#[derive(Debug)]
pub(crate) struct StateDispatcher<'a> {
    pub(crate) rank: usize,
    pub(crate) ranks: u32,
    pub(crate) owner: Owner,
    pub(crate) system: &'a System,
    pub(crate) evaluator: PredicateEvaluator<'a>,
    pub(crate) goal: Option<&'a Predicate>,
    pub(crate) encoder: StateEncoder,
    /// The state that was received last.
    pub(crate) arrived: SymbolicState,
    pub(crate) cover: Cover,
    /// The first event that ends the search, if there is one.
    pub(crate) event: Option<LocalEvent>,
}

/// An event that ends the search, of a node or the initial state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum LocalEvent {
    Found(NodeId),
    /// With the encoded state: the node may be covered and deleted before it is reported.
    Failed(Option<(NodeId, Vec<u8>)>),
    Overflowed,
    /// A limit was reached during an expansion.
    Exhausted(Exhausted),
}

/// The observer of an expansion: offers a successor to the list of this rank, or adds it to the batch of its owner.
pub(crate) struct Router<'r, 'a> {
    pub(crate) dispatcher: &'r mut StateDispatcher<'a>,
    pub(crate) outboxes: &'r mut Outboxes,
    pub(crate) mailbox: &'r mut dyn Mailbox,
}

impl Observer for Router<'_, '_> {
    #[inline]
    fn successor(&mut self, successor: &Successor<'_>, expansion: &mut Expansion<'_>) {
        let (Some((to, hash)), Some(parent)) =
            (self.dispatcher.owner_elsewhere(successor), expansion.parent())
        else {
            return self.dispatcher.offer(successor, expansion);
        };
        if let Some(cost) = expansion.count(successor, successor.zone) {
            let head = StateOrigin { parent, step: successor.ordinal, cost };
            let Self { dispatcher, outboxes, mailbox } = self;
            outboxes.put(*mailbox, &mut dispatcher.encoder, to, &head, (hash, successor.zone));
        }
    }
}

/// The observer of the initial states, which every rank computes: offers those that this rank owns.
pub(crate) struct Initial<'r, 'a> {
    pub(crate) dispatcher: &'r mut StateDispatcher<'a>,
}

impl Observer for Initial<'_, '_> {
    fn successor(&mut self, successor: &Successor<'_>, expansion: &mut Expansion<'_>) {
        match self.dispatcher.owner_elsewhere(successor) {
            Some(_) => _ = expansion.count(successor, successor.zone),
            None => self.dispatcher.offer(successor, expansion),
        }
    }
}

impl StateDispatcher<'_> {
    /// The owner of a state, if it is another rank, and the hash of its discrete state.
    #[inline]
    fn owner_elsewhere(&mut self, successor: &Successor<'_>) -> Option<(usize, u64)> {
        if self.ranks == 1 {
            return None;
        }
        let hash = owner::hash(self.encoder.pack(&successor.memory[..self.system.layout.fields()]));
        let to = self.owner.of(hash);
        (to != self.rank).then_some((to, hash))
    }

    /// Offers a state that this rank owns, and tests it if it is stored.
    #[inline]
    fn offer(&mut self, successor: &Successor<'_>, expansion: &mut Expansion<'_>) {
        let Successor { memory, zone, ordinal, .. } = *successor;
        let step = if expansion.parent().is_some() { self.global(ordinal, self.rank) } else { 0 };
        if let Some(node) = expansion.offer_step(successor, zone, step) {
            let fields = self.system.layout.fields();
            let Self { evaluator, goal, event, encoder, .. } = self;
            test((evaluator, *goal), encoder, event, node, (memory, fields), zone);
        }
    }

    /// Offers the next state of a received batch.
    #[inline]
    pub(crate) fn receive_states(&mut self, from: usize, batch: &mut Reader<'_>, search: &mut Search<'_>) {
        let StateOrigin { parent, step, cost } = self.read(batch);
        let step = self.global(step, from);
        let Self { arrived: SymbolicState { memory, zone }, cover, .. } = self;
        let (list, probe, graph) = search.offer_parts();
        let parameters = match cover {
            Cover::Alu | Cover::Adaptive => graph.constants(memory).into(),
            Cover::Equality | Cover::Inclusion => CoverParameters::None,
        };
        let discrete = &memory[..self.system.layout.fields()];
        let state = StateRef { discrete, zone, parameters };
        let offered = Offered { state, parent: Some(parent), step, cost };
        if let Offer::Stored(node) = list.offer(&offered, probe) {
            let Self { evaluator, goal, event, encoder, .. } = self;
            test((evaluator, *goal), encoder, event, node, (memory, discrete.len()), zone);
        }
    }

    /// Reads a state into the place for those that arrive.
    #[inline]
    pub(crate) fn read(&mut self, from: &mut Reader<'_>) -> StateOrigin {
        let Self { encoder, arrived, system, .. } = self;
        let head = encoder.head(from);
        encoder.body(from, &mut arrived.memory[..system.layout.fields()], &mut arrived.zone);
        head
    }

    /// A step and the rank of the node that it was taken from, in one number.
    #[inline]
    fn global(&self, step: u32, rank: usize) -> u32 {
        let stretched = step.checked_mul(self.ranks).expect("no state has millions of transitions");
        stretched + rank as u32
    }

    /// The transitions to a node that were taken on this rank, the last first, and the node of another rank at which
    /// they start; `None` if that is an initial state.
    pub(crate) fn path_segment(
        &self,
        list: &dyn PassedWaiting,
        node: u32,
    ) -> (Vec<u32>, Option<(usize, u32)>) {
        let mut steps = Vec::new();
        let mut node = NodeId::from_index(node as usize);
        loop {
            let Some((Some(parent), step)) = list.origin(node) else { return (steps, None) };
            steps.push(step / self.ranks);
            let rank = (step % self.ranks) as usize;
            if rank != self.rank {
                return (steps, Some((rank, parent.index() as u32)));
            }
            node = parent;
        }
    }
}

/// The event that the model failed in a state.
#[cold]
pub(crate) fn failed(encoder: &mut StateEncoder, node: NodeId, discrete: &[i32], zone: &Dbm) -> LocalEvent {
    let mut bytes = Vec::new();
    encoder.pack(discrete);
    encoder.put_head(&StateOrigin { parent: node, step: 0, cost: 0 }, &mut bytes);
    encoder.put_body(0, zone, &mut bytes);
    LocalEvent::Failed(Some((node, bytes)))
}

/// Tests whether a stored node satisfies the goal. The first event counts, except that a goal replaces a failure.
/// `fields` is the length of the discrete state.
#[inline]
fn test(
    (evaluator, goal): (&mut PredicateEvaluator<'_>, Option<&Predicate>),
    encoder: &mut StateEncoder,
    event: &mut Option<LocalEvent>,
    node: NodeId,
    (memory, fields): (&[i32], usize),
    zone: &Dbm,
) {
    let Some(goal) = goal else { return };
    if matches!(event, Some(LocalEvent::Found(_))) {
        return;
    }
    match evaluator.meet(goal, memory, zone) {
        Ok(Satisfaction::Nowhere) => {}
        Ok(_) => *event = Some(LocalEvent::Found(node)),
        Err(error) => {
            event.get_or_insert_with(|| match Exhausted::of_cancelled(&error) {
                Some(what) => LocalEvent::Exhausted(what),
                None => failed(encoder, node, &memory[..fields], zone),
            });
        }
    }
}
