//! Bytecode against the interpreter: the same values, the same writes, the same errors at the same places.
//!
//! Both run the same expressions from the same memory. What is compared afterwards is the value or the error,
//! every cell, the local cells, and the clocks that were set, in order.

mod random;
mod uppaal;

use random::{Generator, TOP_LOCALS, range};
use tourbillon_base::Id;
use tourbillon_model::*;
use tourbillon_system::{ClockWrite, CodeId, Layout, Machine, Program, ProgramBuilder};

/// How much either side may work on one case.
const WORK_MAX: u64 = 1 << 16;

/// Locations, and the clocks that were set.
struct Recorder {
    locations: Vec<i32>,
    writes: Vec<ClockWrite>,
}

impl Environment for Recorder {
    fn at_location(&self, process: ProcessId, location: LocationId) -> Option<bool> {
        Some(self.locations[process.index()] == location.index() as i32)
    }

    fn compares(&self, _: ClockId, _: Option<ClockId>, _: Compare, _: i32) -> Option<bool> {
        None
    }

    fn set_clock(&mut self, target: ClockId, source: Option<ClockId>, value: i32) -> bool {
        let source = source.map(|source| source.index() as u32);
        self.writes.push(ClockWrite { target: target.index() as u32, source, value });
        true
    }
}

/// What a run came to.
#[derive(PartialEq, Debug)]
struct Outcome {
    result: Result<i32, EvalError>,
    memory: Vec<i32>,
    locals: Vec<i32>,
    writes: Vec<ClockWrite>,
}

impl Outcome {
    fn took_too_long(&self) -> bool {
        self.result.is_err_and(|error| error.kind == EvalErrorKind::TooLong)
    }
}

/// A state to start from.
#[derive(Clone)]
struct Start {
    memory: Vec<i32>,
    locals: Vec<i32>,
}

/// What the interpreter makes of it, given what is to be evaluated.
fn interpret(
    model: &Model,
    layout: &Layout,
    start: &Start,
    evaluate: impl FnOnce(&mut Evaluator<'_, Recorder>, &mut Frame) -> Result<i32, EvalError>,
) -> Outcome {
    let mut cells: Vec<i32> = model.cells.ids().map(|cell| start.memory[layout.slot(cell)]).collect();
    let locations = start.memory[..layout.processes()].to_vec();
    let mut environment = Recorder { locations, writes: Vec::new() };
    let mut frame = Frame::new(0);
    frame.locals.clone_from(&start.locals);
    let mut evaluator = Evaluator { model, cells: &mut cells, environment: &mut environment, fuel: WORK_MAX };
    let result = evaluate(&mut evaluator, &mut frame);
    let mut memory = start.memory.clone();
    for (cell, value) in model.cells.ids().zip(cells) {
        memory[layout.slot(cell)] = value;
    }
    Outcome { result, memory, locals: frame.locals, writes: environment.writes }
}

/// What the machine makes of it.
fn execute(machine: &mut Machine, program: &Program, code: CodeId, start: &Start) -> Outcome {
    let Start { mut memory, mut locals } = start.clone();
    machine.forget_clock_writes();
    let result = machine.run(program, code, &mut memory, &mut locals);
    Outcome { result, memory, locals, writes: machine.clock_writes.clone() }
}

/// That two outcomes are the same, quantifiers' local cells aside; false if there is none to compare.
fn agree(context: &str, mut expected: Outcome, mut found: Outcome) -> bool {
    if expected.took_too_long() || found.took_too_long() {
        return false;
    }
    let compared = expected.locals.len().min(TOP_LOCALS as usize);
    expected.locals.truncate(compared);
    found.locals.truncate(compared);
    assert_eq!(found, expected, "{context}");
    true
}

/// What is evaluated in a random case.
enum Work {
    Value(ExprId),
    Sequence(Vec<ExprId>),
    Conjunction(Vec<ExprId>),
    Clock(ClockPlace),
    Channel(ChannelPlace),
}

impl Work {
    /// Something to do, and how many local cells it needs.
    fn random(generator: &mut Generator) -> (Self, u32) {
        match generator.below(8) {
            0 => {
                let (place, locals) = generator.clock();
                (Self::Clock(place), locals)
            }
            1 => {
                let (place, locals) = generator.channel();
                (Self::Channel(place), locals)
            }
            2 | 3 => {
                let (exprs, locals) = list(generator, false);
                (Self::Conjunction(exprs), locals)
            }
            4 | 5 => {
                let (exprs, locals) = list(generator, true);
                (Self::Sequence(exprs), locals)
            }
            _ => {
                let depth = generator.below(5) as u32;
                let (expr, locals) = generator.expression(true, depth);
                (Self::Value(expr), locals)
            }
        }
    }

    fn compile(&self, builder: &mut ProgramBuilder<'_>) -> CodeId {
        match self {
            Self::Value(expr) => builder.value(*expr),
            Self::Sequence(exprs) => builder.sequence(exprs),
            Self::Conjunction(exprs) => builder.conjunction(exprs),
            Self::Clock(place) => builder.clock(place),
            Self::Channel(place) => builder.channel(place),
        }
        .expect("nothing that is not supported")
    }

    fn evaluate(&self, evaluator: &mut Evaluator<'_, Recorder>, frame: &mut Frame) -> Result<i32, EvalError> {
        match self {
            Self::Value(expr) => evaluator.value(*expr, frame),
            Self::Sequence(exprs) => {
                exprs.iter().try_for_each(|&expr| evaluator.value(expr, frame).map(|_| ()))?;
                Ok(0)
            }
            Self::Conjunction(exprs) => {
                for &expr in exprs {
                    if evaluator.value(expr, frame)? == 0 {
                        return Ok(0);
                    }
                }
                Ok(1)
            }
            Self::Clock(ClockPlace { root, offset, indices }) => {
                let Root::Global(first) = root else { panic!("a clock of the model") };
                sum(evaluator, frame, first.index() as i32 + *offset as i32, indices)
            }
            Self::Channel(ChannelPlace { first, indices }) => {
                sum(evaluator, frame, first.index() as i32, indices)
            }
        }
    }
}

/// Up to three expressions, and how many local cells they need.
fn list(generator: &mut Generator, effects: bool) -> (Vec<ExprId>, u32) {
    let mut locals = 0;
    let exprs = (0..1 + generator.below(3)).map(|_| {
        let depth = generator.below(4) as u32;
        let (expr, used) = generator.expression(effects, depth);
        locals = locals.max(used);
        expr
    });
    (exprs.collect(), locals)
}

/// Where indices lead, by their definition.
fn sum(
    evaluator: &mut Evaluator<'_, Recorder>,
    frame: &mut Frame,
    first: i32,
    indices: &[IndexStep],
) -> Result<i32, EvalError> {
    indices.iter().try_fold(first, |sum, step| {
        let index = evaluator.value(step.index, frame)?;
        let span = evaluator.model.exprs[step.index].span;
        match step.range.contains(index) {
            true => Ok(sum + (index - step.range.min) * step.stride as i32),
            false => Err(EvalError { kind: EvalErrorKind::Index(index, step.range), span }),
        }
    })
}

fn random_start(generator: &mut Generator, layout: &Layout, locals: u32) -> Start {
    let mut memory = layout.initial_memory(&generator.model);
    for slot in &mut memory[..layout.processes()] {
        *slot = generator.below(3) as i32;
    }
    for cell in generator.model.cells.ids() {
        let Cell { range, kind, .. } = generator.model.cells[cell];
        if kind != CellKind::Constant {
            memory[layout.slot(cell)] = generator.values(range, 1)[0];
        }
    }
    Start { memory, locals: generator.values(range(-3, 4), locals as usize) }
}

/// How a random model fared.
#[derive(Default)]
struct Tally {
    compared: usize,
    values: usize,
    constants: usize,
    too_long: usize,
}

fn try_seed(seed: u64, tally: &mut Tally) {
    let mut generator = Generator::new(seed);
    let works: Vec<(Work, u32)> = (0..40).map(|_| Work::random(&mut generator)).collect();
    let faults = generator.model.check();
    assert!(faults.is_empty(), "seed {seed}: {}", faults[0]);
    let layout = Layout::new(&generator.model);
    let model = generator.model.clone();
    let mut builder = ProgramBuilder::new(&model, &layout);
    let codes: Vec<CodeId> = works.iter().map(|(work, _)| work.compile(&mut builder)).collect();
    let program = builder.finish();
    let mut machine = Machine::new().with_work_max(WORK_MAX);
    for (&code, (number, (work, locals))) in codes.iter().zip(works.iter().enumerate()) {
        for _ in 0..3 {
            let start = random_start(&mut generator, &layout, *locals);
            let expected = interpret(&model, &layout, &start, |e, frame| work.evaluate(e, frame));
            let mut found = execute(&mut machine, &program, code, &start);
            if let (Work::Sequence(_), Ok(value)) = (work, &mut found.result) {
                *value = 0;
            }
            let context = format!("seed {seed}, case {number}:\n{}", program.listing(code));
            if let Work::Conjunction(_) = work {
                let mut locals = start.locals.clone();
                let tested = machine.test(&program, code, &start.memory, &mut locals);
                assert_eq!(tested, found.result.map(|value| value != 0), "{context}");
            }
            tally.values += usize::from(found.result.is_ok());
            tally.constants += usize::from(program.as_constant(code).is_some());
            if agree(&context, expected, found) {
                tally.compared += 1;
            } else {
                tally.too_long += 1;
            }
        }
    }
}

#[test]
fn random_expressions_mean_the_same() {
    let mut tally = Tally::default();
    for seed in 0..400 {
        try_seed(seed, &mut tally);
    }
    let Tally { compared, values, constants, too_long } = tally;
    assert!(compared > 20_000 && too_long * 20 < compared, "{compared} compared, {too_long} too long");
    assert!(values * 3 > compared, "only {values} of {compared} have a value");
    assert!(constants * 3 < compared, "{constants} of {compared} are constants");
}

#[test]
fn jumps_past_sixteen_bits_are_made_the_long_way() {
    let mut generator = Generator::new(0);
    let cell = CellPlace::cell(CellId::from_index(0), Range::INT32);
    let load = generator.add(ExprKind::Load(cell));
    let one = generator.add(ExprKind::Int(1));
    let holds = generator.add(ExprKind::Binary(BinaryOp::Equal, load, one));
    let layout = Layout::new(&generator.model);
    let mut builder = ProgramBuilder::new(&generator.model, &layout);
    let code = builder.conjunction(&vec![holds; 70_000]).expect("conditions");
    let program = builder.finish();
    let mut memory = layout.initial_memory(&generator.model);
    for value in [0, 1, 2] {
        memory[layout.slot(CellId::from_index(0))] = value;
        let result = Machine::new().test(&program, code, &memory, &mut []);
        assert_eq!(result, Ok(value == 1));
    }
}

#[test]
fn what_needs_clocks_is_refused_where_it_was_written() {
    let mut generator = Generator::new(0);
    let bound = generator.add(ExprKind::Int(1));
    let left = ClockPlace::clock(ClockId::from_index(0));
    let clock = ExprKind::Clock(ClockAtom { left, right: None, compare: Compare::Less, bound });
    let atom = generator.add(clock);
    let deadlock = generator.add(ExprKind::Deadlock);
    let not = generator.add(ExprKind::Unary(UnaryOp::Not, deadlock));
    let layout = Layout::new(&generator.model);
    let mut builder = ProgramBuilder::new(&generator.model, &layout);
    let refused = builder.conjunction(&[bound, atom]).expect_err("a clock");
    assert_eq!(refused.span, generator.model.exprs[atom].span);
    assert_eq!(refused.to_string(), "a comparison of clocks cannot be evaluated on data alone");
    assert_eq!(builder.value(not).expect_err("a deadlock").span, generator.model.exprs[deadlock].span);
    assert_eq!(builder.value(bound).map(|code| builder.finish().as_constant(code)), Ok(Some(1)));
}

#[test]
fn cells_are_laid_out_by_kind() {
    let generator = Generator::new(1);
    let (model, layout) = (&generator.model, Layout::new(&generator.model));
    assert_eq!(layout.processes(), 2);
    assert_eq!((layout.fields(), layout.meta(), layout.len()), (2 + 14, 16..20, 25));
    let mut slots: Vec<usize> = model.cells.ids().map(|cell| layout.slot(cell)).collect();
    let memory = layout.initial_memory(model);
    assert_eq!(memory[..2], [0, 1]);
    assert!(
        model.cells.enumerate().all(|(cell, Cell { initial, .. })| memory[layout.slot(cell)] == *initial)
    );
    slots.sort_unstable();
    assert_eq!(slots, (2..25).collect::<Vec<_>>());
    let ranges = layout.ranges(model);
    assert_eq!(ranges.len(), layout.fields());
    assert_eq!(ranges[..3], [range(0, 2), range(0, 2), range(-5, 10)]);
    let mut changed: Vec<i32> = memory.iter().map(|value| value ^ 1).collect();
    layout.reset_meta(&mut changed);
    assert!((0..25).all(|slot| (changed[slot] == memory[slot]) == layout.meta().contains(&slot)));
}

#[test]
fn a_loop_without_end_is_stopped_and_the_machine_goes_on() {
    let mut generator = Generator::new(0);
    let yes = generator.add(ExprKind::Int(1));
    let span = generator.model.exprs[yes].span;
    let function = generator.model.functions.push(Function {
        name: "forever".to_owned(),
        parameters: Vec::new(),
        returns: None,
        frame: 0,
        body: vec![Stmt::While { condition: yes, body: Vec::new(), step: Vec::new() }],
        is_pure: false,
        span,
    });
    let call = generator.add(ExprKind::Call { function, arguments: Vec::new() });
    let cell = CellPlace::cell(CellId::from_index(0), range(-5, 10));
    let set = generator.add(ExprKind::Assign { op: AssignOp::Set, target: cell, value: yes });
    let layout = Layout::new(&generator.model);
    let mut builder = ProgramBuilder::new(&generator.model, &layout);
    let codes = [builder.sequence(&[set, call]), builder.sequence(&[set])].map(|code| code.expect("updates"));
    let program = builder.finish();
    let mut machine = Machine::new().with_work_max(1000);
    let mut memory = vec![0; layout.len()];
    let stopped = machine.run(&program, codes[0], &mut memory, &mut []);
    assert_eq!(stopped, Err(EvalError { kind: EvalErrorKind::TooLong, span }));
    assert_eq!(memory[layout.slot(CellId::from_index(0))], 1, "what was written stays written");
    assert!(machine.run(&program, codes[1], &mut memory, &mut []).is_ok());
}

#[test]
fn code_can_be_looked_at() {
    let mut generator = Generator::new(0);
    let cell = CellPlace::cell(CellId::from_index(0), range(-5, 10));
    let (load, one) = (generator.add(ExprKind::Load(cell.clone())), generator.add(ExprKind::Int(1)));
    let less = generator.add(ExprKind::Binary(BinaryOp::Less, load, one));
    let differs = generator.add(ExprKind::Binary(BinaryOp::NotEqual, load, one));
    let both = generator.add(ExprKind::Binary(BinaryOp::And, less, differs));
    let add = ExprKind::Assign { op: AssignOp::With(BinaryOp::Add), target: cell, value: one };
    let add = generator.add(add);
    let target = ClockPlace::clock(ClockId::from_index(2));
    let reset = generator.add(ExprKind::SetClock { target, source: None, value: one });
    let layout = Layout::new(&generator.model);
    let mut builder = ProgramBuilder::new(&generator.model, &layout);
    let guard = builder.conjunction(&[both]).expect("a guard");
    let update = builder.sequence(&[add, reset]).expect("updates");
    let program = builder.finish();
    assert_eq!(
        program.listing(guard).to_string(),
        "   0  go to 3 if m2 in [1,2147483647]\n   1  a = m2 in all but {1}\n   2  end\n   3  a = 0\n   4  end\n"
    );
    assert_eq!(
        program.listing(update).to_string(),
        "   0  a = m2 = m2 + 1 in [-5,10]\n   1  x2 = 1\n   2  end\n"
    );
}
