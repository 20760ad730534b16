//! Symbolic execution of functions, in all states of a set at once.
//!
//! A `return` removes its states from the path until the function ends, with their values. A loop is repeated as long
//! as some state is left on its path: as often as for the state that takes longest.

use tourbillon_dd::Bdd;
use tourbillon_model::{Argument, Block, CellPlace, ExprId, FunctionId, Range, Stmt, Type};

use crate::interpret::Interpreter;
use crate::interruption::Interruptible;
use crate::places::{Address, Frame, Options, Reference};
use crate::words::Word;

/// The values that a function has returned so far, with their states.
struct Returned {
    values: Vec<Word>,
    states: Bdd,
}

impl Interpreter<'_> {
    /// The value of a function call; 0 if it has none.
    pub(crate) fn call(&mut self, id: FunctionId, arguments: &[Argument]) -> Interruptible<Word> {
        let returns = self.setting.model.functions[id].returns.as_ref();
        let returned = self.run(id, arguments, 1)?;
        if returns.is_some() {
            self.fail(&returned.states.not()?)?;
        }
        let value = returned.values.into_iter().next().expect("one was asked for");
        if let Some(range) = returns.and_then(Type::range) {
            self.must_be_within(&value, range)?;
        }
        Ok(value)
    }

    /// Puts the value of a function call into local cells.
    pub(crate) fn call_into(&mut self, id: FunctionId, arguments: &[Argument], local: u32) -> Interruptible {
        let count = self.setting.model.functions[id].returns.as_ref().map_or(0, Type::size) as usize;
        let returned = self.run(id, arguments, count)?;
        self.fail(&returned.states.not()?)?;
        let frame = self.frames.len() - 1;
        for (index, value) in returned.values.iter().enumerate() {
            let address = Address::Local { frame, slot: local as usize + index };
            self.put(&Options(vec![(address, self.setting.bdds.yes())]), value)?;
        }
        Ok(())
    }

    fn run(&mut self, id: FunctionId, arguments: &[Argument], count: usize) -> Interruptible<Returned> {
        let model = self.setting.model;
        let function = &model.functions[id];
        self.burn(function.frame.into())?;
        let mut frame = Frame::new(self.words, function.frame);
        let mut next = 0;
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let size = parameter.ty.size() as usize;
            match argument {
                Argument::Value(expr) => {
                    let value = self.value(*expr)?;
                    self.must_be_within(&value, parameter.ty.range().unwrap_or(Range::INT32))?;
                    frame.locals[next] = value;
                    next += size;
                }
                Argument::Cells(place) => {
                    let address = self.address(place)?;
                    for i in 0..size {
                        frame.locals[next + i] = self.read(&address.plus(i))?;
                    }
                    next += size;
                }
                Argument::Reference(place) => {
                    let address = self.address(place)?;
                    frame.references.push(Reference::Cells(address));
                }
                Argument::Clock(place) => {
                    let clock = self.clock(place)?;
                    frame.references.push(Reference::Clocks(clock));
                }
            }
        }
        let mut returned =
            Returned { values: vec![self.words.constant(0); count], states: self.setting.bdds.no() };
        let path = self.path.clone();
        self.frames.push(frame);
        let outcome = self.block(&function.body, &mut returned);
        self.frames.pop();
        self.path = path.but(&self.failed)?;
        outcome?;
        Ok(returned)
    }

    fn block(&mut self, block: &Block, returned: &mut Returned) -> Interruptible {
        for stmt in block {
            if self.path.is_no() {
                break;
            }
            self.stmt(stmt, returned)?;
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt, returned: &mut Returned) -> Interruptible {
        self.burn(1)?;
        match stmt {
            Stmt::Expr(expr) => self.value(*expr).map(drop),
            Stmt::If { arms, otherwise } => self.branch(arms, otherwise, returned),
            Stmt::While { condition, body, step } => self.repeat(
                Some(*condition),
                None,
                &mut |this, returned| {
                    this.block(body, returned)?;
                    this.block(step, returned)
                },
                returned,
            ),
            Stmt::DoWhile { body, condition } => self.repeat(
                None,
                Some(*condition),
                &mut |this, returned| this.block(body, returned),
                returned,
            ),
            Stmt::ForRange { local, range, body } => {
                for value in range.values() {
                    self.burn(1)?;
                    let index = self.words.constant(value.into());
                    self.frames.last_mut().expect("a frame").locals[*local as usize] = index;
                    self.block(body, returned)?;
                    if self.path.is_no() {
                        break;
                    }
                }
                Ok(())
            }
            Stmt::Return(value) => {
                let value = match value {
                    Some(expr) => self.value(*expr)?,
                    None => self.words.constant(0),
                };
                self.give(&[value], returned)
            }
            Stmt::ReturnCells { place, count } => self.give_cells(place, *count, returned),
            Stmt::Assert(expr) => {
                let holds = self.holds(*expr)?;
                self.fail(&holds.not()?)
            }
        }
    }

    fn branch(
        &mut self,
        arms: &[(ExprId, Block)],
        otherwise: &Block,
        returned: &mut Returned,
    ) -> Interruptible {
        let mut after = self.setting.bdds.no();
        for (condition, block) in arms {
            let here = self.holds(*condition)?;
            let elsewhere = self.path.but(&here)?;
            self.path = here;
            self.block(block, returned)?;
            after = after.or(&self.path)?;
            self.path = elsewhere;
        }
        self.block(otherwise, returned)?;
        self.path = after.or(&self.path)?;
        Ok(())
    }

    /// A loop with a condition before or after each iteration.
    fn repeat(
        &mut self,
        before: Option<ExprId>,
        after: Option<ExprId>,
        round: &mut dyn FnMut(&mut Self, &mut Returned) -> Interruptible,
        returned: &mut Returned,
    ) -> Interruptible {
        let mut left = self.setting.bdds.no();
        while !self.path.is_no() {
            self.burn(1)?;
            if let Some(condition) = before {
                self.stay(condition, &mut left)?;
            }
            round(self, returned)?;
            if let Some(condition) = after {
                self.stay(condition, &mut left)?;
            }
        }
        self.path = left;
        Ok(())
    }

    /// Splits the path at a loop condition: continues where it holds, and leaves the loop elsewhere.
    fn stay(&mut self, condition: ExprId, left: &mut Bdd) -> Interruptible {
        let stays = self.holds(condition)?;
        *left = left.or(&self.path.but(&stays)?)?;
        self.path = stays;
        Ok(())
    }

    fn give(&mut self, values: &[Word], returned: &mut Returned) -> Interruptible {
        for (slot, value) in returned.values.iter_mut().zip(values) {
            *slot = self.words.choose(&self.path, value, slot)?;
        }
        returned.states = returned.states.or(&self.path)?;
        self.path = self.setting.bdds.no();
        Ok(())
    }

    fn give_cells(&mut self, place: &CellPlace, count: u32, returned: &mut Returned) -> Interruptible {
        let address = self.address(place)?;
        let values: Vec<Word> =
            (0..count as usize).map(|i| self.read(&address.plus(i))).collect::<Interruptible<_>>()?;
        self.give(&values, returned)
    }
}
