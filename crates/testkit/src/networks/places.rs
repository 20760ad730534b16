//! Queries about locations for TChecker's language, which has none.

use tourbillon_base::{Id, Random, SourceId, Span};
use tourbillon_model::{
    BinaryOp, Expr, ExprId, ExprKind, Language, LocationId, Model, ProcessId, Query, QueryKind, UnaryOp,
};

use super::Network;

/// How many queries there are.
const QUESTIONS: usize = 5;

impl Network {
    /// What it means, with queries about its locations if its language has no queries: for infinite runs, or for single
    /// states.
    ///
    /// # Errors
    /// As [`Network::model`].
    pub fn model_with_questions(&self, liveness: bool) -> Result<Model, String> {
        let mut model = self.model()?;
        if self.language == Language::TChecker {
            let mut random = Random::from_seed(self.seed);
            for _ in 0..QUESTIONS {
                let kind = question(&mut model, liveness, &mut random);
                model.queries.push(query(kind));
            }
        }
        Ok(model)
    }
}

fn question(model: &mut Model, liveness: bool, random: &mut Random) -> QueryKind {
    match (liveness, random.below(4)) {
        (false, 0 | 1) => QueryKind::Possibly(both(model, random)),
        (false, _) => {
            let both = both(model, random);
            QueryKind::Invariantly(not(model, both))
        }
        (true, 0) => {
            let place = place(model, random);
            QueryKind::PotentiallyAlways(not(model, place))
        }
        (true, 1) => QueryKind::Eventually(place(model, random)),
        (true, _) => QueryKind::LeadsTo(place(model, random), place(model, random)),
    }
}

/// That two processes are at locations, or one twice.
fn both(model: &mut Model, random: &mut Random) -> ExprId {
    let (one, other) = (place(model, random), place(model, random));
    expr(model, ExprKind::Binary(BinaryOp::And, one, other))
}

fn not(model: &mut Model, operand: ExprId) -> ExprId {
    expr(model, ExprKind::Unary(UnaryOp::Not, operand))
}

fn place(model: &mut Model, random: &mut Random) -> ExprId {
    let process = ProcessId::from_index(random.below(model.processes.len()));
    let locations = model.processes[process].locations.len();
    let location = LocationId::from_index(random.below(locations));
    expr(model, ExprKind::AtLocation(process, location))
}

fn nowhere() -> Span {
    Span::new(SourceId::from_index(0), 0, 0)
}

fn expr(model: &mut Model, kind: ExprKind) -> ExprId {
    model.exprs.push(Expr { kind, span: nowhere() })
}

fn query(kind: QueryKind) -> Query {
    let text = format!("{kind:?}");
    Query { text, comment: String::new(), kind, frame: 0, expected: None, span: nowhere() }
}
