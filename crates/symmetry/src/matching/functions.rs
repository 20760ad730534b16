//! Functions and their images, statement by statement. A function is compared once, and has one image.

use tourbillon_base::Id;
use tourbillon_model::{Argument, Block, CellPlace, ExprId, FunctionId, Stmt, Type};

use super::places::Requirement;
use super::{Frame, MatchedFunction, Matching, Outcome, require};
use crate::conflict::{Conflict, Why};
use crate::order;
use crate::sorts::{Sort, SortId};

impl Matching<'_> {
    pub(super) fn call(
        &mut self,
        by: ExprId,
        (function, arguments): (FunctionId, &[Argument]),
        (image, images): (FunctionId, &[Argument]),
    ) -> Outcome<SortId> {
        let matched = self.function(function, image)?;
        let parameters = &self.model.functions[function].parameters;
        let (mut local, mut reference) = (0, 0);
        for ((parameter, argument), other) in parameters.iter().zip(arguments).zip(images) {
            let size = parameter.ty.size() as usize;
            match (argument, other) {
                (&Argument::Value(one), &Argument::Value(other)) => {
                    let sort = self.expr(one, other)?;
                    let own = Sort::Of(self.cell_sorts[matched.frame.locals[local]]);
                    let sort = self.sorts.unify(own, sort, by)?;
                    if let Some(range) = parameter.ty.range() {
                        self.requirements.push(Requirement::Closed(sort, range));
                    }
                    local += 1;
                }
                (Argument::Cells(one), Argument::Cells(other)) => {
                    self.pass(by, one, other, &matched.frame.locals[local..][..size])?;
                    local += size;
                }
                (Argument::Reference(one), Argument::Reference(other)) => {
                    let first = matched.frame.references[reference];
                    self.pass(by, one, other, &(first..first + size).collect::<Vec<_>>())?;
                    reference += 1;
                }
                _ => return Err(Conflict::at(by, Why::Unsupported("a clock that is passed to a function"))),
            }
        }
        Ok(matched.returns)
    }

    /// Cells that are passed for a parameter keep their order, and have the sorts of the parameter's cells.
    fn pass(&mut self, by: ExprId, one: &CellPlace, other: &CellPlace, own: &[usize]) -> Outcome {
        let from = self.block(by, one, other, own.len())?;
        for (further, &cell) in own.iter().enumerate() {
            self.unify_block(by, &from, further, Sort::Of(self.cell_sorts[cell]))?;
        }
        Ok(())
    }

    /// Compares the body of a function with that of its image, once.
    fn function(&mut self, function: FunctionId, image: FunctionId) -> Outcome<MatchedFunction> {
        if let Some(known) = self.functions.get(&function) {
            return if known.image == image { Ok(known.clone()) } else { Err(Conflict::new(Why::Different)) };
        }
        let (f, g) = (&self.model.functions[function], &self.model.functions[image]);
        require(
            f.frame == g.frame
                && f.returns == g.returns
                && f.parameters.len() == g.parameters.len()
                && f.parameters
                    .iter()
                    .zip(&g.parameters)
                    .all(|(one, other)| one.ty == other.ty && one.by_reference == other.by_reference),
        )?;
        let mut frame = Frame { locals: self.new_cells(f.frame as usize), references: Vec::new() };
        for parameter in f.parameters.iter().filter(|parameter| parameter.by_reference) {
            let cells = self.new_cells(parameter.ty.size() as usize);
            frame.references.push(cells.first().copied().unwrap_or_default());
        }
        let returns = self.sorts.fresh();
        let outer = std::mem::replace(&mut self.frame, frame.clone());
        let result = self.body(function, image, returns);
        self.frame = outer;
        result?;
        let matched = MatchedFunction { image, frame, returns };
        self.functions.insert(function, matched.clone());
        self.called.push(function);
        Ok(matched)
    }

    fn body(&mut self, function: FunctionId, image: FunctionId, returns: SortId) -> Outcome {
        let (f, g) = (&self.model.functions[function], &self.model.functions[image]);
        // Local cells that are not parameters are 0 at first.
        let by_value = f.parameters.iter().filter(|parameter| !parameter.by_reference);
        let parameters: u64 = by_value.map(|parameter| parameter.ty.size()).sum();
        for local in parameters as usize..f.frame as usize {
            let sort = self.cell_sorts[self.frame.locals[local]];
            self.sorts.bind(sort, 0, 0, ExprId::from_index(0))?;
        }
        if let Some(range) = f.returns.as_ref().and_then(Type::range) {
            self.requirements.push(Requirement::Closed(Sort::Of(returns), range));
        }
        self.block_of_statements(&f.body, &g.body, returns)
    }

    fn block_of_statements(&mut self, one: &Block, other: &Block, returns: SortId) -> Outcome {
        require(one.len() == other.len())?;
        one.iter().zip(other).try_for_each(|(one, other)| self.statement(one, other, returns))
    }

    fn statement(&mut self, one: &Stmt, other: &Stmt, returns: SortId) -> Outcome {
        match (one, other) {
            (&Stmt::Expr(one), &Stmt::Expr(other)) => self.expr(one, other).map(drop),
            (Stmt::If { arms, otherwise }, Stmt::If { arms: arms2, otherwise: otherwise2 }) => {
                require(arms.len() == arms2.len())?;
                for ((condition, block), (condition2, block2)) in arms.iter().zip(arms2) {
                    self.plain(*condition, *condition2)?;
                    self.block_of_statements(block, block2, returns)?;
                }
                self.block_of_statements(otherwise, otherwise2, returns)
            }
            (
                Stmt::While { condition, body, step },
                Stmt::While { condition: condition2, body: body2, step: step2 },
            ) => {
                self.plain(*condition, *condition2)?;
                self.block_of_statements(body, body2, returns)?;
                self.block_of_statements(step, step2, returns)
            }
            (Stmt::DoWhile { body, condition }, Stmt::DoWhile { body: body2, condition: condition2 }) => {
                self.block_of_statements(body, body2, returns)?;
                self.plain(*condition, *condition2)
            }
            (
                Stmt::ForRange { local, range, body },
                Stmt::ForRange { local: local2, range: range2, body: body2 },
            ) => {
                require((local, range) == (local2, range2))?;
                let sort = self.with_local(*local, |matching, sort| {
                    matching.block_of_statements(body, body2, returns).map(|()| sort)
                })?;
                self.requirements.push(Requirement::Closed(sort, *range));
                if !order::iterations_commute(self.model, *local, body) {
                    let conflict = Conflict::new(Why::LoopOrder);
                    self.requirements.push(Requirement::Fixed(sort, *range, conflict));
                }
                Ok(())
            }
            (Stmt::Return(one), Stmt::Return(other)) => match (*one, *other) {
                (Some(one), Some(other)) => {
                    let sort = self.expr(one, other)?;
                    self.sorts.unify(Sort::Of(returns), sort, one).map(drop)
                }
                (None, None) => Ok(()),
                _ => Err(Conflict::new(Why::Different)),
            },
            (&Stmt::Assert(one), &Stmt::Assert(other)) => self.plain(one, other),
            (Stmt::ReturnCells { .. }, Stmt::ReturnCells { .. }) => {
                Err(Conflict::new(Why::Unsupported("a function that returns an array or a record")))
            }
            _ => Err(Conflict::new(Why::Different)),
        }
    }
}
