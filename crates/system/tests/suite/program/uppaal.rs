//! Functions as people write them, read from UPPAAL's language: loops, arrays, records, references.
//!
//! Every label of every edge is run on the initial state, on random ones, and on those that its own updates
//! lead to, against the interpreter.

use tourbillon_base::{Diagnostics, Random};
use tourbillon_front_uppaal::lower::{Input, lower};
use tourbillon_front_uppaal::{LoadOptions, load};
use tourbillon_model::{Action, CellKind, Edge, Model};
use tourbillon_system::{CodeId, Layout, Machine, Program, ProgramBuilder};

use super::{Start, WORK_MAX, Work, agree, execute, interpret};

/// Sorting, matrices, records, results that are arrays, references passed on, and early returns.
const FUNCTIONS: &str = r"
const int N = 5;
const int WEIGHT[N] = { 3, 1, 4, 1, 5 };
typedef struct { int[0,9] key; bool used; int[-9,9] data[2]; } Item;
int[0,50] total;
int[0,9] list[N];
int[-9,9] m[2][3];
bool busy[N];
int[0,N] len;
Item items[3];
meta int[0,99] scratch;
clock x, y, z[3];
chan go[2][2];

void swap(int &a, int &b) { int t = a; a = b; b = t; }
void sort(int[0,9] &a[N]) {
    int i; int j;
    for (i = 0; i < N; i++)
        for (j = 0; j + 1 < N - i; j++)
            if (a[j] > a[j + 1]) { int[0,9] t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
}
int[0,100] weigh(int[0,9] a[N]) {
    int s = 0;
    for (i : int[0, N - 1]) s += a[i] * WEIGHT[i];
    return s;
}
Item make(int[0,9] k, bool u) {
    Item r;
    r.key = k; r.used = u;
    r.data[0] = -k; r.data[1] = k;
    return r;
}
int find(int[0,9] k) {
    int i = 0;
    while (i < 3) {
        if (items[i].used && items[i].key == k) return i;
        i++;
    }
    return -1;
}
void store(Item &slot, const Item value) { slot = value; }
void deposit(Item &where[3], int[0,2] at, int[0,9] k) { store(where[at], make(k, true)); }
int power(int b, int e) { int r = 1; do { r = r * b; e--; } while (e > 0); return r; }
int fixed() { return weigh(WEIGHT) + power(2, 5); }
bool full() { return forall (i : int[0, N - 1]) busy[i]; }
void push(int[0,9] v) { assert(len < N); list[len] = v; len++; }
int[0,9] pop() {
    int[0,9] head = list[0];
    int[0,N] i;
    len--;
    while (i < len) { list[i] = list[i + 1]; i++; }
    list[i] = 0;
    return head;
}
void restart(clock &c, int v) { if (v > 0) c = v; else c = 0; }
";

/// The labels of edges that use them.
const EDGES: &[&str] = &[
    "assign sort(list);",
    "select i : int[0,4], j : int[0,4]; guard i < j && list[i] > list[j]; assign list[i] = list[j], total = i;",
    "guard len < N && !full(); assign push(len + 1), busy[len - 1] = true;",
    "guard len > 0; assign scratch = pop(), busy[len] = false, total = scratch;",
    "select k : int[0,9], i : int[0,2]; guard find(k) < 0; assign deposit(items, i, k), total = find(k) + 1;",
    "select k : int[0,9]; guard find(k) >= 0; assign items[find(k)].used = false, items[0] = items[find(k)];",
    "guard items[0] == items[1]; assign items[2] = make(3, items[0].used), items[1] = items[2];",
    "assign total = weigh(list) % 50, m[total % 2][total % 3] -= 2;",
    "select i : int[0,1]; sync go[i][1 - i]!; assign m[i] = m[1 - i], x = total, z[i] = i + 1;",
    "select i : int[0,2]; guard sum (j : int[0,2]) m[0][j] * m[1][j] > i; assign m[0][i]++, m[1][2 - i]--;",
    "guard fixed() == 59 || total / len > 2; assign total = power(len, 2), restart(y, total - 9);",
    "guard exists (i : int[0, N - 1]) busy[i] && list[i] == 1; assign restart(z[len % 3], len), y = 0;",
    "select i : int[-2,7]; assign total += list[i] <? 3, total = (len > 2 ? total : total << i);",
];

fn model(text: &str) -> Model {
    named("model.xta", text.as_bytes())
}

fn named(name: &str, bytes: &[u8]) -> Model {
    let (document, mut diagnostics) = load(name, bytes, &LoadOptions::default());
    let input = Input { name: "model", tree: &document.tree, model: &document.model, queries: &[] };
    let model = lower(&input, &mut diagnostics);
    model.unwrap_or_else(|| panic!("{}", told(&diagnostics)))
}

fn told(diagnostics: &Diagnostics) -> String {
    diagnostics.iter().map(|diagnostic| format!("{}\n", diagnostic.message)).collect()
}

/// What is evaluated of an edge, in the order in which it is.
fn works(edge: &Edge) -> Vec<Work> {
    let mut works = vec![Work::Conjunction(edge.guard.conditions.clone())];
    for condition in &edge.guard.clocks {
        works.extend(condition.when.map(Work::Value));
        works.push(Work::Value(condition.atom.bound));
        works.push(Work::Clock(condition.atom.left.clone()));
    }
    if let Action::Send(place) | Action::Receive(place) = &edge.action {
        works.push(Work::Channel(place.clone()));
    }
    works.push(Work::Sequence(edge.updates.clone()));
    works
}

/// Runs everything from many states, and says how often there was a value.
fn compare(model: &Model, seed: u64, rounds: usize) -> (usize, usize) {
    let layout = Layout::new(model);
    let mut builder = ProgramBuilder::new(model, &layout);
    let edges: Vec<&Edge> = model.processes.iter().flat_map(|process| &process.edges).collect();
    let compiled: Vec<(&Edge, Work, CodeId)> = edges
        .iter()
        .flat_map(|&edge| works(edge).into_iter().map(move |work| (edge, work)))
        .map(|(edge, work)| {
            let code = work.compile(&mut builder);
            (edge, work, code)
        })
        .collect();
    let program = builder.finish();
    let mut trial =
        Trial { model, layout: &layout, program: &program, random: Random::from_seed(seed), seed };
    let mut machine = Machine::new().with_work_max(WORK_MAX);
    let mut memory = layout.initial_memory(model);
    let (mut values, mut runs) = (0, 0);
    for _ in 0..rounds {
        if trial.random.one_in(4) {
            memory = trial.random_memory();
        }
        for (edge, work, code) in &compiled {
            values += usize::from(trial.step(&mut machine, edge, work, *code, &mut memory));
            runs += 1;
        }
    }
    (values, runs)
}

struct Trial<'m> {
    model: &'m Model,
    layout: &'m Layout,
    program: &'m Program,
    random: Random,
    seed: u64,
}

impl Trial<'_> {
    fn random_memory(&mut self) -> Vec<i32> {
        let mut memory = self.layout.initial_memory(self.model);
        for (id, cell) in self.model.cells.enumerate().filter(|(_, cell)| cell.kind != CellKind::Constant) {
            memory[self.layout.slot(id)] = self.random.within(cell.range.min..=cell.range.max);
        }
        memory
    }

    /// Runs code both ways, goes on from what it wrote, and says whether it had a value.
    fn step(
        &mut self,
        machine: &mut Machine,
        edge: &Edge,
        work: &Work,
        code: CodeId,
        memory: &mut Vec<i32>,
    ) -> bool {
        let mut locals = vec![0; edge.frame as usize];
        for select in &edge.selects {
            locals[select.local as usize] = self.random.within(select.range.min..=select.range.max);
        }
        let start = Start { memory: memory.clone(), locals };
        let mut expected = interpret(self.model, self.layout, &start, |e, frame| work.evaluate(e, frame));
        let mut found = execute(machine, self.program, code, &start);
        if let (Work::Sequence(_), Ok(value)) = (work, &mut found.result) {
            *value = 0;
        }
        let valued = found.result.is_ok();
        memory.clone_from(&found.memory);
        // Local cells beyond the selections belong to quantifiers and results, and end with the edge.
        expected.locals.truncate(edge.selects.len());
        found.locals.truncate(edge.selects.len());
        let context = format!("seed {}:\n{}", self.seed, self.program.listing(code));
        assert!(agree(&context, expected, found), "too long: {context}");
        valued
    }
}

#[test]
fn functions_of_uppaal_mean_the_same() {
    let edges: Vec<String> = EDGES.iter().map(|labels| format!("A -> A {{ {labels} }}")).collect();
    let process = format!("process P() {{ state A; init A; trans {}; }} system P;", edges.join(",\n"));
    let model = model(&format!("{FUNCTIONS}\n{process}"));
    for seed in 0..20 {
        let (values, runs) = compare(&model, seed, 100);
        assert!(values * 2 > runs, "seed {seed}: {values} of {runs} have a value");
    }
}

#[test]
fn models_of_the_samples_mean_the_same() {
    let samples: [(&str, &[u8]); 3] = [
        ("fischer.xml", include_bytes!("../../../../front-uppaal/tests/samples/fischer.xml")),
        ("train-gate.xml", include_bytes!("../../../../front-uppaal/tests/samples/train-gate.xml")),
        ("lights.xta", include_bytes!("../../../../front-uppaal/tests/samples/lights.xta")),
    ];
    for (name, bytes) in samples {
        let model = named(name, bytes);
        let (values, _) = compare(&model, 1, 50);
        assert!(values > 0, "{name} has values");
    }
}

#[test]
fn a_call_of_constants_is_no_call() {
    let text = format!(
        "{FUNCTIONS} process P() {{ state A; init A; trans A -> A {{ guard fixed() == 84; assign total = 1; }}; }} system P;"
    );
    let model = model(&text);
    let layout = Layout::new(&model);
    let mut builder = ProgramBuilder::new(&model, &layout);
    let edge = &model.processes.iter().next().expect("a process").edges[0];
    let guard = builder.conjunction(&edge.guard.conditions).expect("a guard");
    assert_eq!(builder.finish().as_constant(guard), Some(1));
}
