//! The encoding of a model for the symbolic search.
//!
//! Transitions with the same clock constraints and resets form one *action*, whose relation has as few parts as
//! possible: parts are merged, each extended by the fields that only the other writes, which it leaves unchanged, as
//! long as the result is small. Then an image is one operation and not one for each edge of the model.

use std::collections::BTreeMap;

use tourbillon_base::Id;
use tourbillon_dd::{Bdd, Bdds, Cube, Renaming};
use tourbillon_model::{Action, Edge, ExprId, Model, Root};
use tourbillon_system::System;

use crate::classes::{ClassBounds, Classes};
use crate::edges::{FailingStates, choice_bits};
use crate::fields::Fields;
use crate::interpret::EncodingContext;
use crate::interruption::Interruptible;
use crate::steps::{ClockAction, DataStep, Steps, steps};

/// Transitions with the same clock constraints and resets.
#[derive(Debug)]
pub(crate) struct SymbolicAction {
    pub(crate) clocks: ClockAction,
    relations: Vec<Relation>,
}

/// A relation between states.
#[derive(Debug)]
struct Relation {
    relation: Bdd,
    /// The written fields, as current and next variables.
    now: Cube,
    next: Cube,
    forwards: Renaming,
    backwards: Renaming,
}

/// The maximum number of nodes of a merged relation.
const RELATION_NODES_MAX: usize = 1 << 13;

impl SymbolicAction {
    fn new(fields: &Fields, bdds: &Bdds, clocks: ClockAction, pieces: Vec<DataStep>) -> Interruptible<Self> {
        let mut together: Vec<DataStep> = Vec::new();
        for piece in same_fields(pieces)? {
            match together.last() {
                Some(last) => {
                    let joint = join(fields, bdds, last, &piece)?;
                    if joint.relation.nodes() <= RELATION_NODES_MAX {
                        *together.last_mut().expect("there is one") = joint;
                    } else {
                        together.push(piece);
                    }
                }
                None => together.push(piece),
            }
        }
        let relations = together.into_iter().map(|DataStep { written, relation }| {
            Ok(Relation {
                relation,
                now: fields.now_cube(bdds, &written)?,
                next: fields.next_cube(bdds, &written)?,
                forwards: fields.forwards(bdds, &written),
                backwards: fields.backwards(bdds, &written),
            })
        });
        Ok(Self { clocks, relations: relations.collect::<Interruptible<_>>()? })
    }

    /// The successors of a set.
    pub(crate) fn image(&self, bdds: &Bdds, states: &Bdd) -> Interruptible<Bdd> {
        let mut image = bdds.no();
        for Relation { relation, now, forwards, .. } in &self.relations {
            image = image.or(&states.and_exists(relation, now)?.rename(forwards)?)?;
        }
        Ok(image)
    }

    /// The predecessors of a set.
    pub(crate) fn preimage(&self, bdds: &Bdds, states: &Bdd) -> Interruptible<Bdd> {
        let mut preimage = bdds.no();
        for Relation { relation, next, backwards, .. } in &self.relations {
            preimage = preimage.or(&states.rename(backwards)?.and_exists(relation, next)?)?;
        }
        Ok(preimage)
    }
}

/// Merges parts that write the same fields.
fn same_fields(pieces: Vec<DataStep>) -> Interruptible<Vec<DataStep>> {
    let mut by_fields: BTreeMap<Vec<usize>, Bdd> = BTreeMap::new();
    for DataStep { written, relation } in pieces {
        let joint = match by_fields.get(&written) {
            Some(other) => other.or(&relation)?,
            None => relation,
        };
        by_fields.insert(written, joint);
    }
    Ok(by_fields.into_iter().map(|(written, relation)| DataStep { written, relation }).collect())
}

/// Merges two parts; each leaves the fields unchanged that only the other writes.
fn join(fields: &Fields, bdds: &Bdds, left: &DataStep, right: &DataStep) -> Interruptible<DataStep> {
    let mut written = [left.written.as_slice(), &right.written].concat();
    written.sort_unstable();
    written.dedup();
    let widen = |piece: &DataStep| {
        let left_alone = written.iter().filter(|field| !piece.written.contains(field));
        left_alone
            .copied()
            .try_fold(piece.relation.clone(), |relation, field| relation.and(&fields.stays(bdds, field)?))
    };
    let relation = widen(left)?.or(&widen(right)?)?;
    Ok(DataStep { written, relation })
}

#[derive(Debug)]
pub(crate) struct Encoding {
    pub(crate) actions: Vec<SymbolicAction>,
    pub(crate) classes: Classes,
    pub(crate) failures: Vec<FailingStates>,
    pub(crate) legal: Bdd,
}

impl Encoding {
    pub(crate) fn new(setting: EncodingContext<'_>, bounds: ClassBounds<'_>) -> Interruptible<Self> {
        let legal = setting.fields.legal(setting.bdds)?;
        let Steps { actions, mut failures, urgency } = steps(setting, &legal)?;
        let classes = Classes::new(setting, &legal, &urgency, bounds)?;
        let actions = actions
            .into_iter()
            .map(|(clocks, pieces)| SymbolicAction::new(setting.fields, setting.bdds, clocks, pieces))
            .collect::<Interruptible<Vec<SymbolicAction>>>()?;
        // A transition to a state whose invariant has no value fails before it is taken.
        if !classes.failed.is_no() {
            for action in &actions {
                let states = action.preimage(setting.bdds, &classes.failed)?;
                failures.push(FailingStates { constraints: action.clocks.constraints.clone(), states });
            }
        }
        Ok(Self { actions, classes, failures, legal })
    }
}

/// The encoding of the discrete states of a model in bits.
pub(crate) fn fields(model: &Model, system: &System) -> Fields {
    let choices: Vec<u32> = model.processes.iter().map(|process| choice_bits(&process.edges)).collect();
    Fields::new(&system.ranges, &groups(model, system), &choices)
}

/// Groups of related fields: those of each edge, and those of synchronising edges.
fn groups(model: &Model, system: &System) -> Vec<Vec<usize>> {
    let mut groups = Vec::new();
    let mut channels: BTreeMap<(bool, usize), Vec<usize>> = BTreeMap::new();
    for (id, process) in model.processes.enumerate() {
        for edge in &process.edges {
            let mut group = vec![id.index()];
            mentioned(model, system, edge, &mut group);
            match &edge.action {
                Action::Send(place) | Action::Receive(place) => {
                    channels.entry((true, place.first.index())).or_default().push(id.index());
                }
                Action::Event(event) => channels.entry((false, event.index())).or_default().push(id.index()),
                Action::Internal => {}
            }
            groups.push(group);
        }
    }
    for vector in &model.vectors {
        groups.push(vector.participants.iter().map(|part| part.process.index()).collect());
    }
    groups.extend(channels.into_values());
    for group in &mut groups {
        group.sort_unstable();
        group.dedup();
    }
    groups
}

/// Adds the fields that an edge's labels mention; for array elements with unknown indices, the whole array.
fn mentioned(model: &Model, system: &System, edge: &Edge, fields: &mut Vec<usize>) {
    let clocks = edge.guard.clocks.iter().flat_map(|clock| clock.when.into_iter().chain([clock.atom.bound]));
    let labels = edge.guard.conditions.iter().copied().chain(clocks).chain(edge.updates.iter().copied());
    let mut seen = std::collections::HashSet::new();
    let mut open: Vec<ExprId> = labels.collect();
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) {
            continue;
        }
        mention(model, system, expr, fields, &mut open);
    }
}

fn mention(model: &Model, system: &System, expr: ExprId, fields: &mut Vec<usize>, open: &mut Vec<ExprId>) {
    use tourbillon_model::{CellPlace, ExprKind};
    let kind = &model.exprs[expr].kind;
    kind.for_each_operand(&mut |operand| open.push(operand));
    let mut place = |place: &CellPlace| {
        if let Root::Global(cell) = place.root {
            let first = system.layout.slot(cell) + place.offset as usize;
            let reach =
                place.indices.iter().map(|step| (step.range.len() as usize - 1) * step.stride as usize);
            let end = (first + reach.sum::<usize>() + 1).min(system.layout.fields());
            fields.extend(first..end);
        }
    };
    match kind {
        ExprKind::Load(at)
        | ExprKind::Assign { target: at, .. }
        | ExprKind::PostIncrement { target: at, .. } => {
            place(at);
        }
        ExprKind::Copy { target, source, .. } => {
            place(target);
            place(source);
        }
        ExprKind::SameCells { left, right, .. } => {
            place(left);
            place(right);
        }
        ExprKind::AtLocation(process, _) => fields.push(process.index()),
        ExprKind::Call { function, .. } | ExprKind::CallInto { function, .. } => {
            statements(&model.functions[*function].body, open);
        }
        _ => {}
    }
}

/// Adds the expressions of a block.
fn statements(block: &[tourbillon_model::Stmt], open: &mut Vec<ExprId>) {
    use tourbillon_model::Stmt;
    for stmt in block {
        match stmt {
            Stmt::Expr(expr) | Stmt::Assert(expr) | Stmt::Return(Some(expr)) => open.push(*expr),
            Stmt::If { arms, otherwise } => {
                for (condition, block) in arms {
                    open.push(*condition);
                    statements(block, open);
                }
                statements(otherwise, open);
            }
            Stmt::While { condition, body, step } => {
                open.push(*condition);
                statements(body, open);
                statements(step, open);
            }
            Stmt::DoWhile { body, condition } => {
                open.push(*condition);
                statements(body, open);
            }
            Stmt::ForRange { body, .. } => statements(body, open),
            Stmt::Return(None) | Stmt::ReturnCells { .. } => {}
        }
    }
}
