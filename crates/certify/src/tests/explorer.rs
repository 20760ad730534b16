//! A plain explorer that makes certificates: no order, no subsumption but equality, extrapolation by one constant.
//!
//! It uses the checker's own view of a discrete state, so that what it explores says nothing about the semantics: the tests compare outcomes with
//! answers that are known from elsewhere.

use std::collections::HashMap;

use tourbillon_base::Cancellation;
use tourbillon_model::{ExprKind, Model, Query, QueryKind, model_hash};

use crate::check::{inside, minus_all, stay};
use crate::claims::Plan;
use crate::data::DiscreteState;
use crate::format::*;
use crate::format_read::Blocks;
use crate::invariant::Invariant;
use crate::predicate::mentions;
use crate::state_info::Setting;
use crate::transitions::{Effect, Network};
use crate::zone::{Zone, minus_each};
use crate::{InvariantWriter, Options, Outcome, certify, header_line};

/// A node of the zone graph: a discrete state and the zone after a transition, before delays.
pub(crate) type Node = (Vec<i32>, Zone);

/// Symbolic states, and which lead to which.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Vec<usize>>,
}

/// An invariant before it is written: states with constraints and ranks.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) header: InvariantHeader,
    pub(crate) entries: Vec<(Vec<i32>, Vec<Constraint>, u64)>,
}

/// A certificate before it is written.
#[derive(Clone, Debug)]
pub(crate) struct CertificateDraft {
    pub(crate) queries: Vec<CertifiedQuery>,
    pub(crate) invariants: Vec<Draft>,
}

pub(crate) fn header(cover: Cover, ranked: bool) -> InvariantHeader {
    InvariantHeader {
        cover,
        ranked,
        transient: false,
        bounds: Vec::new(),
        generators: Vec::new(),
        zone_blocks: 0,
        state_blocks: 0,
        zones: 0,
        states: 0,
        entries: 0,
    }
}

/// The claim for a query, as this explorer numbers invariants: first what is reached, then what runs are in that
/// avoid something.
pub(crate) fn claim_for(kind: &QueryKind) -> Claim {
    match kind {
        QueryKind::Possibly(_) | QueryKind::Invariantly(_) => Claim::Never { reach: 0 },
        QueryKind::PotentiallyAlways(_) | QueryKind::Eventually(_) => Claim::Avoid { avoid: 0 },
        QueryKind::LeadsTo(..) => Claim::Response { reach: 0, avoid: 1 },
        QueryKind::Recurrently(_) => Claim::Recurrence { reach: 0 },
        QueryKind::Bounds { measures, .. } => {
            Claim::Bounds { reach: 0, measures: vec![ClaimedRange::default(); measures.len()] }
        }
        QueryKind::Refused => panic!("a query that is refused"),
    }
}

/// Gives what explores an empty certificate of the same claims a setting.
fn with_setting<T>(model: &Model, query: &Query, claim: &Claim, use_it: impl FnOnce(&Setting<'_>) -> T) -> T {
    let count = if matches!(claim, Claim::Response { .. }) { 2 } else { 1 };
    let empty = |_| {
        let header = InvariantHeader { ranked: true, ..header(Cover::Inclusion, true) };
        Invariant::read(model, header, &mut Blocks::new(&[]), 0, 0, &Cancellation::default())
            .expect("nothing to read")
    };
    let invariants: Vec<Invariant> = (0..count).map(empty).collect();
    let header = Header {
        format: String::new(),
        version: VERSION,
        tool: String::new(),
        semantics: SEMANTICS,
        model: ModelName { name: String::new(), sha256: String::new() },
        queries: vec![CertifiedQuery { text: query.text.clone(), claim: claim.clone() }],
        invariants: Vec::new(),
    };
    let plans = Plan::of_claims(model, &header, &[query], &invariants).expect("a plan");
    let has_deadlocks = mentions(model, |kind| *kind == ExprKind::Deadlock);
    let settled = [crate::run::settled(model, 0), crate::run::settled(model, 1)];
    use_it(&Setting {
        network: &Network::new(model),
        invariants: &invariants,
        plans: &plans,
        settled: Some(&settled),
        compares: &mentions(model, |kind| matches!(kind, ExprKind::Clock(_))),
        has_deadlocks: &has_deadlocks,
    })
}

/// Extra_M with one constant for all clocks.
pub(crate) fn extrapolated(zone: &Zone, dimension: usize, constant: Option<i64>) -> Zone {
    let Some(constant) = constant else { return zone.clone() };
    let kept = |it: Constraint| {
        let limit = if it.left == 0 { 0 } else { constant };
        let least = if it.right == 0 { 0 } else { constant };
        let value = it.bound >> 1;
        if value > limit {
            None
        } else if -value > least {
            Some(Constraint { bound: -2 * least, ..it })
        } else {
            Some(it)
        }
    };
    let constraints: Vec<Constraint> = zone.constraints().filter_map(kept).collect();
    Zone::closed(dimension, &constraints).expect("a larger zone")
}

/// What is reached from some nodes; nothing if that is more than `nodes_max`.
fn explore(
    setting: &Setting<'_>,
    set: usize,
    start: Vec<Node>,
    constant: Option<i64>,
    nodes_max: usize,
) -> Option<Graph> {
    let dimension = setting.network.dimension();
    let mut graph = Graph::default();
    let mut numbers: HashMap<Node, usize> = HashMap::new();
    let mut number = |node: Node, graph: &mut Graph| {
        *numbers.entry(node).or_insert_with_key(|node| {
            graph.nodes.push(node.clone());
            graph.edges.push(Vec::new());
            graph.nodes.len() - 1
        })
    };
    for (vector, zone) in start {
        number((vector, extrapolated(&zone, dimension, constant)), &mut graph);
    }
    let mut next = 0;
    while next < graph.nodes.len() {
        if graph.nodes.len() > nodes_max {
            return None;
        }
        let (vector, zone) = graph.nodes[next].clone();
        let info = setting.state_info(set, &vector).ok()?;
        let Some(inside) = inside(&info, zone).ok()? else {
            next += 1;
            continue;
        };
        let stay = stay(&info, inside).ok()?;
        for (transition, target) in info.moves.transitions.iter().zip(&info.targets) {
            let Effect::To { vector, assignments } = &transition.effect else { continue };
            let mut allowed = stay.clone();
            for other in info.moves.transitions.iter().filter(|it| it.priority > transition.priority) {
                if matches!(other.effect, Effect::To { .. }) {
                    allowed = minus_each(&allowed, other.guard.iter().copied()).collect();
                }
            }
            for before in allowed.iter().filter_map(|zone| zone.with(&transition.guard)) {
                let mut after = before.clone();
                after.assign(&before, assignments);
                for part in target.stays.iter().filter_map(|piece| after.with(piece)) {
                    let found =
                        number((vector.clone(), extrapolated(&part, dimension, constant)), &mut graph);
                    graph.edges[next].push(found);
                }
            }
        }
        next += 1;
    }
    Some(graph)
}

/// For each node the number of its strongly connected component, in a topological order.
pub(crate) fn components(edges: &[Vec<usize>]) -> Vec<u64> {
    let mut order = Vec::new();
    let mut seen = vec![false; edges.len()];
    for root in 0..edges.len() {
        let mut stack = vec![(root, 0)];
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        while let Some((node, next)) = stack.pop() {
            match edges[node].get(next) {
                Some(&target) => {
                    stack.push((node, next + 1));
                    if !std::mem::replace(&mut seen[target], true) {
                        stack.push((target, 0));
                    }
                }
                None => order.push(node),
            }
        }
    }
    let mut backward = vec![Vec::new(); edges.len()];
    for (node, targets) in edges.iter().enumerate() {
        targets.iter().for_each(|&target| backward[target].push(node));
    }
    let mut component = vec![u64::MAX; edges.len()];
    let mut count = 0;
    for &root in order.iter().rev() {
        let mut open = vec![root];
        let is_new = component[root] == u64::MAX;
        while let Some(node) = open.pop() {
            if component[node] == u64::MAX {
                component[node] = count;
                open.extend(&backward[node]);
            }
        }
        count += u64::from(is_new);
    }
    component
}

fn draft(graph: &Graph, ranked: bool) -> Draft {
    let ranks = components(&graph.edges);
    let mut entries: Vec<_> = graph
        .nodes
        .iter()
        .zip(ranks)
        .map(|((vector, zone), rank)| (vector.clone(), zone.constraints().collect::<Vec<_>>(), rank))
        .collect();
    entries.sort_by(|one, other| one.0.cmp(&other.0));
    Draft { header: header(Cover::Inclusion, ranked), entries }
}

/// A certificate for a query of a model, whether or not its claim is true; nothing if it is too large, or the model
/// cannot be explored.
pub(crate) fn certificate(model: &Model, query: &Query, constant: Option<i64>) -> Option<CertificateDraft> {
    certificate_of(model, query, constant, 2_000)
}

pub(crate) fn certificate_of(
    model: &Model,
    query: &Query,
    constant: Option<i64>,
    nodes_max: usize,
) -> Option<CertificateDraft> {
    let claim = claim_for(&query.kind);
    let graphs = with_setting(model, query, &claim, |setting| {
        let vector = DiscreteState::initial(model).vector();
        let point = Zone::point(model.clocks.iter().map(|clock| clock.initial));
        let info = setting.state_info(0, &vector).ok()?;
        let inside_first = inside(&info, point).ok()?;
        let first: Vec<Zone> = minus_all(inside_first.into_iter().collect(), &info.left).ok()?;
        let first = first.into_iter().map(|zone| (vector.clone(), zone)).collect();
        let mut graphs = vec![explore(setting, 0, first, constant, nodes_max)?];
        if matches!(claim, Claim::Response { .. }) {
            let mut starts = Vec::new();
            for (vector, zone) in &graphs[0].nodes {
                let info = setting.state_info(0, vector).ok()?;
                let Some(inside) = inside(&info, zone.clone()).ok()? else { continue };
                for zone in stay(&info, inside).ok()? {
                    let pieces = info.starts.iter().filter_map(|(_, _, piece)| zone.with(piece));
                    starts.extend(pieces.map(|zone| (vector.clone(), zone)));
                }
            }
            graphs.push(explore(setting, 1, starts, constant, nodes_max)?);
        }
        Some(graphs)
    })?;
    let invariants = graphs.iter().map(|graph| draft(graph, true)).collect();
    Some(CertificateDraft { queries: vec![CertifiedQuery { text: query.text.clone(), claim }], invariants })
}

impl CertificateDraft {
    pub(crate) fn bytes(&self, model: &Model) -> Vec<u8> {
        let mut headers = Vec::new();
        let mut blocks = Vec::new();
        for draft in &self.invariants {
            let mut writer = InvariantWriter::new(draft.header.ranked);
            for entries in draft.entries.chunk_by(|one, other| one.0 == other.0) {
                let zones: Vec<(u64, u64)> =
                    entries.iter().map(|(_, constraints, rank)| (writer.zone(constraints), *rank)).collect();
                writer.state(&entries[0].0, &zones);
            }
            let (header, bytes) = writer.finish(draft.header.clone());
            headers.push(header);
            blocks.extend_from_slice(&bytes);
        }
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            tool: "tests".to_owned(),
            semantics: SEMANTICS,
            model: ModelName { name: model.name.clone(), sha256: model_hash(model) },
            queries: self.queries.clone(),
            invariants: headers,
        };
        [header_line(&header), blocks].concat()
    }

    pub(crate) fn check(&self, model: &Model, queries: &[&Query]) -> Outcome {
        certify(model, queries, &self.bytes(model), &Options::default()).expect("a file in order")
    }

    pub(crate) fn is_accepted(&self, model: &Model, queries: &[&Query]) -> bool {
        matches!(self.check(model, queries), Outcome::Accepted(_))
    }
}

/// The model of a text in UPPAAL's language, with queries.
pub(crate) fn model(text: &str, queries: &str) -> Model {
    tourbillon_testkit::networks::uppaal_model(text, queries).expect("a model")
}

/// What becomes of the explorer's certificate for a query.
pub(crate) fn outcome(model: &Model, query: usize) -> Outcome {
    let query = &model.queries[query];
    let draft = certificate(model, query, Some(12)).expect("a small model");
    draft.check(model, &[query])
}

/// That the explorer's certificates are accepted for exactly those queries whose claims are true.
#[track_caller]
pub(crate) fn expect(text: &str, queries: &[(&str, bool)]) {
    let texts: Vec<&str> = queries.iter().map(|(text, _)| *text).collect();
    let model = model(text, &texts.join("\n"));
    assert_eq!(model.queries.len(), queries.len());
    for (index, (query, is_true)) in queries.iter().enumerate() {
        let outcome = outcome(&model, index);
        assert_eq!(matches!(outcome, Outcome::Accepted(_)), *is_true, "{query}: {outcome:?}");
    }
}
