//! Incoming and new states: a rank stores its own and puts others into the batches of their owners.
//!
//! Two ways lead here: a successor of a node that is being expanded, and a state that another rank has sent. Either is
//! offered to the list once it is known to belong here, and is examined if it is stored.

use tourbillon_base::Id;
use tourbillon_dbm::Dbm;
use tourbillon_search::{Exhausted, Expansion, Observer, Search};
use tourbillon_store::{Cover, CoverParameters, NodeId, Offer, Offered, PassedWaiting, StateRef};
use tourbillon_system::{Predicate, System};
use tourbillon_zonegraph::{PredicateEvaluator, Satisfaction, Successor, SymbolicState};

use crate::endpoint::Post;
use crate::message::Reader;
use crate::outbox::Outboxes;
use crate::owner::{self, Owner};
use crate::parcel::{Packer, StateOrigin};

/// What decides where states belong, and tests those that are stored.
#[derive(Debug)]
pub(crate) struct Intake<'a> {
    pub(crate) rank: usize,
    pub(crate) ranks: u32,
    pub(crate) owner: Owner,
    pub(crate) system: &'a System,
    pub(crate) evaluator: PredicateEvaluator<'a>,
    pub(crate) goal: Option<&'a Predicate>,
    pub(crate) packer: Packer,
    /// The state that arrived last.
    pub(crate) arrived: SymbolicState,
    pub(crate) cover: Cover,
    /// What is to be told of: the first thing that happened.
    pub(crate) event: Option<Happening>,
}

/// What happened to a node, or to the initial state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Happening {
    Found(NodeId),
    /// With the state itself: when it is told, the node may be covered and gone.
    Failed(Option<(NodeId, Vec<u8>)>),
    Overflowed,
    /// Something ran out inside a state.
    Exhausted(Exhausted),
}

/// The observer of an expansion: offers a successor to the list here, or puts it into the batch of its owner.
pub(crate) struct Router<'r, 'a> {
    pub(crate) intake: &'r mut Intake<'a>,
    pub(crate) outboxes: &'r mut Outboxes,
    pub(crate) post: &'r mut dyn Post,
}

impl Observer for Router<'_, '_> {
    #[inline]
    fn successor(&mut self, successor: &Successor<'_>, expansion: &mut Expansion<'_>) {
        let (Some((to, hash)), Some(parent)) = (self.intake.owner_elsewhere(successor), expansion.parent())
        else {
            return self.intake.offer(successor, expansion);
        };
        if let Some(cost) = expansion.count(successor, successor.zone) {
            let head = StateOrigin { parent, step: successor.ordinal, cost };
            let Self { intake, outboxes, post } = self;
            outboxes.put(*post, &mut intake.packer, to, &head, (hash, successor.zone));
        }
    }
}

/// The observer of the initial states, which every rank computes: offers those that belong here.
pub(crate) struct Initial<'r, 'a> {
    pub(crate) intake: &'r mut Intake<'a>,
}

impl Observer for Initial<'_, '_> {
    fn successor(&mut self, successor: &Successor<'_>, expansion: &mut Expansion<'_>) {
        match self.intake.owner_elsewhere(successor) {
            Some(_) => _ = expansion.count(successor, successor.zone),
            None => self.intake.offer(successor, expansion),
        }
    }
}

impl Intake<'_> {
    /// The rank that a state belongs to, if it is another one, and the hash of its discrete part.
    #[inline]
    fn owner_elsewhere(&mut self, successor: &Successor<'_>) -> Option<(usize, u64)> {
        if self.ranks == 1 {
            return None;
        }
        let hash = owner::hash(self.packer.pack(&successor.memory[..self.system.layout.fields()]));
        let to = self.owner.of(hash);
        (to != self.rank).then_some((to, hash))
    }

    /// Offers a state that belongs here, and tests it if it is stored.
    #[inline]
    fn offer(&mut self, successor: &Successor<'_>, expansion: &mut Expansion<'_>) {
        let Successor { memory, zone, ordinal, .. } = *successor;
        let step = if expansion.parent().is_some() { self.global(ordinal, self.rank) } else { 0 };
        if let Some(node) = expansion.offer_step(successor, zone, step) {
            let fields = self.system.layout.fields();
            let Self { evaluator, goal, event, packer, .. } = self;
            test((evaluator, *goal), packer, event, node, (memory, fields), zone);
        }
    }

    /// Offers the next state of a batch.
    #[inline]
    pub(crate) fn take_in(&mut self, from: usize, batch: &mut Reader<'_>, search: &mut Search<'_>) {
        let StateOrigin { parent, step, cost } = self.read(batch);
        let step = self.global(step, from);
        let Self { arrived: SymbolicState { memory, zone }, cover, .. } = self;
        let (list, probe, graph) = search.offer_parts();
        let parameters = match cover {
            Cover::Alu => graph.constants(memory).into(),
            Cover::Equality | Cover::Inclusion => CoverParameters::None,
        };
        let discrete = &memory[..self.system.layout.fields()];
        let state = StateRef { discrete, zone, parameters };
        let offered = Offered { state, parent: Some(parent), step, cost };
        if let Offer::Stored(node) = list.offer(&offered, probe) {
            let Self { evaluator, goal, event, packer, .. } = self;
            test((evaluator, *goal), packer, event, node, (memory, discrete.len()), zone);
        }
    }

    /// Reads a state into the place for those that arrive.
    #[inline]
    pub(crate) fn read(&mut self, from: &mut Reader<'_>) -> StateOrigin {
        let Self { packer, arrived, system, .. } = self;
        let head = packer.head(from);
        packer.body(from, &mut arrived.memory[..system.layout.fields()], &mut arrived.zone);
        head
    }

    /// A step and the rank of the node that it was taken from, in one number.
    #[inline]
    fn global(&self, step: u32, rank: usize) -> u32 {
        let stretched = step.checked_mul(self.ranks).expect("no state has millions of transitions");
        stretched + rank as u32
    }

    /// The steps by which a node was reached, the last first, as far as they were taken here, and the node of another rank
    /// that they began at; none if that is an initial state.
    pub(crate) fn trail(&self, list: &dyn PassedWaiting, node: u32) -> (Vec<u32>, Option<(usize, u32)>) {
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

/// That the model failed where a state was examined.
#[cold]
pub(crate) fn failed(packer: &mut Packer, node: NodeId, discrete: &[i32], zone: &Dbm) -> Happening {
    let mut bytes = Vec::new();
    packer.pack(discrete);
    packer.put_head(&StateOrigin { parent: node, step: 0, cost: 0 }, &mut bytes);
    packer.put_body(0, zone, &mut bytes);
    Happening::Failed(Some((node, bytes)))
}

/// Whether a stored node meets the goal; what happens first counts, but a goal that was found stands before a failure. The
/// memory is given with how much of it is the discrete state.
#[inline]
fn test(
    (evaluator, goal): (&mut PredicateEvaluator<'_>, Option<&Predicate>),
    packer: &mut Packer,
    event: &mut Option<Happening>,
    node: NodeId,
    (memory, fields): (&[i32], usize),
    zone: &Dbm,
) {
    let Some(goal) = goal else { return };
    if matches!(event, Some(Happening::Found(_))) {
        return;
    }
    match evaluator.meet(goal, memory, zone) {
        Ok(Satisfaction::Nowhere) => {}
        Ok(_) => *event = Some(Happening::Found(node)),
        Err(error) => {
            event.get_or_insert_with(|| match Exhausted::of_cancelled(&error) {
                Some(what) => Happening::Exhausted(what),
                None => failed(packer, node, &memory[..fields], zone),
            });
        }
    }
}
