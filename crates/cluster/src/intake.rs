//! Incoming and new states: a rank stores its own and puts others into the batches of their owners.
//!
//! Two ways lead here: a successor of a node that is being expanded, and a state that another rank has sent. Either is
//! offered to the list once it is known to belong here, and is examined if it is stored.

use tourbillon_base::Id;
use tourbillon_dbm::Dbm;
use tourbillon_search::{CostFunction, Exhausted, offered};
use tourbillon_store::{Cover, CoverParameters, NodeId, Offer, Offered, PassedWaiting, Probe, StateRef};
use tourbillon_system::{Predicate, System};
use tourbillon_zonegraph::{PredicateEvaluator, Satisfaction, Successor, SymbolicState, ZoneGraph};

use crate::endpoint::Post;
use crate::message::Reader;
use crate::outbox::Outboxes;
use crate::owner::{self, Owner};
use crate::parcel::{Packer, StateOrigin};

/// Where states are stored, and examined.
#[derive(Debug)]
pub(crate) struct Intake<'a> {
    pub(crate) rank: usize,
    pub(crate) ranks: u32,
    pub(crate) owner: Owner,
    pub(crate) system: &'a System,
    pub(crate) list: Box<dyn PassedWaiting>,
    pub(crate) probe: Probe,
    pub(crate) cost_function: CostFunction,
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

impl Intake<'_> {
    /// Offers a successor of a node here, or puts it into the batch of its owner.
    #[inline]
    pub(crate) fn sort(
        &mut self,
        parent: NodeId,
        successor: &Successor<'_>,
        outboxes: &mut Outboxes,
        post: &mut dyn Post,
    ) {
        let Successor { memory, zone, ordinal, .. } = *successor;
        if zone.overflowed() {
            self.event.get_or_insert(Happening::Overflowed);
            return;
        }
        let cost = self.cost_function.cost(self.system, memory, zone);
        if self.ranks > 1 {
            let hash = owner::hash(self.packer.pack(&memory[..self.system.layout.fields()]));
            let to = self.owner.of(hash);
            if to != self.rank {
                let head = StateOrigin { parent, step: ordinal, cost };
                outboxes.put(post, &mut self.packer, to, &head, (hash, zone));
                return;
            }
        }
        let step = self.global(ordinal, self.rank);
        let offered = offered(successor, self.system.layout.fields(), Some(parent), cost);
        if let Offer::Stored(node) = self.list.offer(&Offered { step, ..offered }, &mut self.probe) {
            self.look(node, memory, zone);
        }
    }

    /// Offers an initial state, if it belongs here.
    pub(crate) fn begin_with(&mut self, successor: &Successor<'_>) {
        let Successor { memory, zone, .. } = *successor;
        let discrete = &memory[..self.system.layout.fields()];
        if self.owner.of(owner::hash(self.packer.pack(discrete))) != self.rank {
            return;
        }
        if zone.overflowed() {
            self.event.get_or_insert(Happening::Overflowed);
            return;
        }
        let cost = self.cost_function.cost(self.system, memory, zone);
        let offered = Offered { step: 0, ..offered(successor, discrete.len(), None, cost) };
        if let Offer::Stored(node) = self.list.offer(&offered, &mut self.probe) {
            self.look(node, memory, zone);
        }
    }

    /// Offers the next state of a batch.
    #[inline]
    pub(crate) fn take_in(&mut self, from: usize, batch: &mut Reader<'_>, graph: &mut ZoneGraph<'_>) {
        let StateOrigin { parent, step, cost } = self.read(batch);
        let step = self.global(step, from);
        let Self { arrived: SymbolicState { memory, zone }, cover, probe, .. } = self;
        let parameters = match cover {
            Cover::Alu => graph.constants(memory).into(),
            Cover::Equality | Cover::Inclusion => CoverParameters::None,
        };
        let discrete = &memory[..self.system.layout.fields()];
        let state = StateRef { discrete, zone, parameters };
        let offered = Offered { state, parent: Some(parent), step, cost };
        if let Offer::Stored(node) = self.list.offer(&offered, probe) {
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

    /// Whether a stored node meets the goal.
    #[inline]
    fn look(&mut self, node: NodeId, memory: &[i32], zone: &Dbm) {
        let fields = self.system.layout.fields();
        let Self { evaluator, goal, event, packer, .. } = self;
        test((evaluator, *goal), packer, event, node, (memory, fields), zone);
    }

    /// A step and the rank of the node that it was taken from, in one number.
    #[inline]
    fn global(&self, step: u32, rank: usize) -> u32 {
        let stretched = step.checked_mul(self.ranks).expect("no state has millions of transitions");
        stretched + rank as u32
    }

    /// The steps by which a node was reached, the last first, as far as they were taken here, and the node of another rank
    /// that they began at; none if that is an initial state.
    pub(crate) fn trail(&self, node: u32) -> (Vec<u32>, Option<(usize, u32)>) {
        let mut steps = Vec::new();
        let mut node = NodeId::from_index(node as usize);
        loop {
            let Some((Some(parent), step)) = self.list.origin(node) else { return (steps, None) };
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
