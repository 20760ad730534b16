// Made from the Rust types of crates/studio/src/api by its tests; do not edit.
// UPDATE_TYPES=1 cargo test -p tourbillon-studio typescript

/**
 * What the server is, and what it allows: `GET /api/v1/about`.
 */
export type About = { 
/**
 * The version of the interface.
 */
api: number, 
/**
 * The version of the program.
 */
version: string, 
/**
 * The file it was started with.
 */
file: OpenFile | null, 
/**
 * The examples that come with it.
 */
examples: Array<Example>, 
/**
 * The options of a verification. What is not chosen, the plan chooses.
 */
axes: Array<FormOption>, limits: ServerLimits, };

/**
 * A template to be laid out anew: `POST /api/v1/arrange`. The answer is the [`SheetTemplate`] with other positions.
 */
export type Arrange = { template: SheetTemplate, 
/**
 * Whether only labels are moved, so that they do not overlap.
 */
labels_only: boolean, };

/**
 * A model without its queries.
 */
export type Body = { "kind": "drawn" } & Drawing | { "kind": "text", text: string, };

/**
 * The certificate of an answer, which the checker accepted.
 */
export type CertifiedFinding = { 
/**
 * Symbolic states that were checked.
 */
states: number, 
/**
 * Successors that were checked.
 */
successors: number, 
/**
 * The SHA-256 of the certificate, in hexadecimal digits.
 */
sha256: string, 
/**
 * The bytes of the certificate.
 */
bytes: number, 
/**
 * How long the check took, in seconds.
 */
seconds: number, };

/**
 * What the last move changed.
 */
export type Changed = { 
/**
 * Processes that took an edge.
 */
processes: Array<number>, 
/**
 * Edges that were taken: process and edge.
 */
edges: Array<[number, number]>, variables: Array<number>, 
/**
 * Clocks that were set; not those that only went on.
 */
clocks: Array<number>, };

/**
 * Counts of a search.
 */
export type Counts = { 
/**
 * Nodes taken from waiting and expanded.
 */
visited: number, stored: number, waiting: number, transitions: number, 
/**
 * Bytes of the passed list.
 */
passed_bytes: number, 
/**
 * Bytes of the waiting list.
 */
waiting_bytes: number, };

/**
 * What an exploration reached.
 */
export type Coverage = { 
/**
 * Whether everything was explored; otherwise more may be reachable.
 */
complete: boolean, 
/**
 * The same in a sentence.
 */
why: string, 
/**
 * For each process, whether each of its locations was reached.
 */
locations: Array<Array<boolean>>, 
/**
 * For each process, whether each of its edges was taken.
 */
edges: Array<Array<boolean>>, 
/**
 * What looks wrong with the model.
 */
findings: Array<CoverageFinding>, counts: Counts, };

/**
 * Something that looks wrong.
 */
export type CoverageFinding = { told: Told, 
/**
 * Whether it is only possible, and was not shown to happen.
 */
possible: boolean, 
/**
 * A run that leads there.
 */
run: FoundRun | null, };

/**
 * An interval of delays.
 */
export type Delays = { from: Number, 
/**
 * Whether that is part of it.
 */
from_included: boolean, 
/**
 * Its upper end; none if there is no end.
 */
to: Number | null, 
/**
 * Whether that is part of it.
 */
to_included: boolean, };

/**
 * A model that is drawn.
 */
export type Drawing = { declarations: string, templates: Array<SheetTemplate>, 
/**
 * The instantiation section of old files, between templates and system; empty in others.
 */
instantiation: string, 
/**
 * The system section.
 */
system: string, 
/**
 * Elements of the file that Tourbillon does not use, as XML, to be written back.
 */
kept: Kept, };

/**
 * What there is to say of a model: `POST /api/v1/models` with a [`Sheet`], or `GET /api/v1/models/{hash}/examined`.
 * The server keeps the model for a while under its hash; `GET /api/v1/models/{hash}` gives the sheet again.
 */
export type Examined = { 
/**
 * What the model is known by.
 */
hash: string, 
/**
 * What is wrong with it, errors first.
 */
diagnostics: Array<Told>, 
/**
 * Its processes; nothing if it has errors.
 */
network: Network | null, 
/**
 * For a model that is edited as text, a picture of it.
 */
picture: Array<SheetTemplate>, 
/**
 * The names that can be written, for completion.
 */
names: Names, };

export type Example = { 
/**
 * The name of its file.
 */
name: string, 
/**
 * What it shows, in a sentence.
 */
about: string, };

/**
 * The answer to a query.
 */
export type Finding = { 
/**
 * Which query; none for labels.
 */
query: number | null, 
/**
 * `satisfied`, `violated` or `unknown`.
 */
verdict: string, 
/**
 * Whether it is the answer that was expected, if one was.
 */
as_expected: boolean | null, 
/**
 * Why, in a word that programs can rely on.
 */
reason: string, 
/**
 * Why, in a sentence.
 */
why: string, 
/**
 * For an answer that is not known, what to try next.
 */
advice: Array<string>, 
/**
 * What was measured, for `sup`, `inf` and `bounds`: a line each.
 */
values: Array<string>, 
/**
 * How long it took, in seconds.
 */
seconds: number, counts: Counts, 
/**
 * How it was found.
 */
plan: Array<PlanLine>, 
/**
 * The runs that show it.
 */
runs: Array<FoundRun>, 
/**
 * That the checker accepted its certificate, if that was requested and the answer has one.
 */
certified: CertifiedFinding | null, 
/**
 * What went wrong in the model while it ran.
 */
diagnostics: Array<Told>, };

/**
 * A value of an option, for a form.
 */
export type FormChoice = { name: string, 
/**
 * A phrase without a full stop.
 */
about: string, };

/**
 * An option of a plan, for a form.
 */
export type FormOption = { 
/**
 * The name of the option on the command line, without dashes.
 */
name: string, 
/**
 * A phrase without a full stop.
 */
about: string, choices: Array<FormChoice>, };

/**
 * A run that shows something.
 */
export type FoundRun = { 
/**
 * What it shows: `witness`, `counterexample`, `failure`, `attains`, `approaches`, `grows`.
 */
purpose: string, 
/**
 * How many steps it has.
 */
steps: number, 
/**
 * How long it takes.
 */
duration: Number | null, 
/**
 * It, as a run file: `SimulationStart::Run` takes it.
 */
file: string, };

/**
 * The elements of a file that no view shows, as XML.
 */
export type Kept = { 
/**
 * `<imports>`.
 */
imports: string, charts: Array<string>, 
/**
 * The options of all queries.
 */
options: Array<string>, };

/**
 * The members of a process.
 */
export type Members = { 
/**
 * The process, or the common name of several processes, such as `Train` of `Train(0)`.
 */
of: string, 
/**
 * Its locations, clocks and variables.
 */
names: Array<Name>, };

export type Name = { name: string, 
/**
 * The kind: `clock`, `variable`, `constant`, `channel`, `function`, `type`, `template`, `process`, `location`,
 * `parameter`.
 */
kind: string, 
/**
 * The type or signature; may be empty.
 */
detail: string, };

/**
 * The names of a model, by scope.
 */
export type Names = { 
/**
 * The names of global declarations, templates and processes.
 */
global: Array<Name>, 
/**
 * The names of each template: parameters and declarations.
 */
templates: Array<Array<Name>>, 
/**
 * The names that can follow a process and a dot in queries.
 */
members: Array<Members>, };

/**
 * The processes of a model, and their drawings.
 */
export type Network = { processes: Array<NetworkProcess>, 
/**
 * The names of the clocks.
 */
clocks: Array<string>, 
/**
 * The names of the variables that are part of states; each element of an array is one.
 */
variables: Array<string>, 
/**
 * The number of variables that [`Network::limit_variables`] has removed.
 */
variables_left_out: number, };

/**
 * An edge of a process.
 */
export type NetworkEdge = { 
/**
 * The index of the source location.
 */
source: number, 
/**
 * The index of the target location.
 */
target: number, 
/**
 * The indices of the drawn edges in the template: two if the edge passes a branch point.
 */
drawn: Array<number>, };

/**
 * A location of a process.
 */
export type NetworkLocation = { name: string, 
/**
 * The index of the drawn location in the template.
 */
drawn: number | null, };

export type NetworkProcess = { name: string, 
/**
 * The index of its template.
 */
template: number | null, locations: Array<NetworkLocation>, edges: Array<NetworkEdge>, };

/**
 * A number, exactly and roughly.
 */
export type Number = { 
/**
 * Exactly: `5/2`.
 */
exact: string, 
/**
 * As near as a floating-point number comes: `2.5`.
 */
value: number, };

/**
 * A file to be opened: `POST /api/v1/open`. The answer is [`Opened`].
 */
export type Open = { "from": "file" } | { "from": "example", 
/**
 * The name of its file.
 */
name: string, } | { "from": "text", 
/**
 * The name of its file.
 */
name: string, text: string, } | { "from": "empty" };

/**
 * The file that the server was started with, the only one it reads and writes.
 */
export type OpenFile = { 
/**
 * Its name, without its folder.
 */
name: string, 
/**
 * What tells it from other files of the same name: always the same for the same place, which it does not tell.
 */
key: string, 
/**
 * Whether it can be written.
 */
writable: boolean, };

/**
 * A model that was opened.
 */
export type Opened = { 
/**
 * It, as it can be edited. Everything has a position.
 */
sheet: Sheet, 
/**
 * Whether it is the file that the server was started with, so that it can be saved.
 */
is_file: boolean, 
/**
 * What the file was when it was read; to be given back when it is saved.
 */
stamp: string, 
/**
 * What is wrong with the file beyond what [`Examined`] says of the sheet: bytes that are no text, broken markup.
 */
diagnostics: Array<Told>, };

/**
 * A part of a sheet. All indices start from 0.
 */
export type Part = { "part": "whole" } | { "part": "text" } | { "part": "declarations" } | { "part": "instantiation" } | { "part": "system" } | { "part": "template-name", template: number, } | { "part": "parameters", template: number, } | { "part": "template-declarations", template: number, } | { "part": "location", template: number, location: number, 
/**
 * The index of the label; `None` for its name, or the location as a whole.
 */
label: number | null, } | { "part": "branchpoint", template: number, branchpoint: number, } | { "part": "edge", template: number, edge: number, 
/**
 * The index of the label; `None` for the edge as a whole.
 */
label: number | null, } | { "part": "query", query: number, };

/**
 * A path that an address can hold: the numbers of the choices that were taken, with delays in single states.
 */
export type Path = { 
/**
 * `concrete` or `symbolic`.
 */
mode: string, 
/**
 * The path: `0_2~5-2_w~3`. Moves are joined by `_`; a delay follows after `~`, with `-` for the bar of a fraction;
 * `w` is a delay without a step.
 */
path: string, };

/**
 * What can be seen of two clocks.
 */
export type Picture = { 
/**
 * The clock to the right.
 */
x: number, y: number, 
/**
 * The zone, in zones.
 */
zone: Shape | null, 
/**
 * What the clocks show, in single states.
 */
point: [Number, Number] | null, 
/**
 * Which of them run while time passes, in single states; nothing if that cannot be told.
 */
running: [boolean, boolean] | null, 
/**
 * For each choice, the part of the zone that it can be taken from; empty in single states, where delays tell.
 */
choices: Array<Array<Shape>>, };

/**
 * A part of a sheet, and a range in its text.
 */
export type Place = { part: Part, 
/**
 * The first character, in UTF-16 code units.
 */
from: number, 
/**
 * The end, exclusive, in UTF-16 code units.
 */
to: number, 
/**
 * The line in the text of the part, from 1.
 */
line: number, 
/**
 * The column in characters, from 1.
 */
column: number, };

/**
 * One choice of a plan.
 */
export type PlanLine = { 
/**
 * What was chosen: the name of an axis.
 */
axis: string, choice: string, 
/**
 * Why, in a sentence; empty if it is the usual one.
 */
reason: string, };

/**
 * Why something was not done.
 */
export type Problem = { 
/**
 * A word that programs can rely on: `unknown-model`, `too-large`, `forbidden`, `busy`, `impossible`, `changed`,
 * `not-found`, `bad-request`, `model-has-errors`; `fault` if it is a mistake of the program.
 */
error: string, 
/**
 * The same in a sentence, with what to do about it.
 */
message: string, };

/**
 * What a run tells.
 */
export type RunEvent = { "kind": "waiting", 
/**
 * Its number, to stop it by.
 */
run: number, 
/**
 * How many go before it.
 */
ahead: number, } | { "kind": "started", 
/**
 * Its number, to stop it by.
 */
run: number, 
/**
 * How long it may take.
 */
seconds: number, 
/**
 * How much memory it may use.
 */
bytes: number, } | { "kind": "progress" } & RunProgress | { "kind": "found" } & Finding | { "kind": "coverage" } & Coverage | { "kind": "graph" } & ZoneGraph | { "kind": "refused", 
/**
 * Which query, if it is one that was refused.
 */
query: number | null, message: string, 
/**
 * What is wrong with the model.
 */
diagnostics: Array<Told>, } | { "kind": "done", 
/**
 * How long it took, in seconds.
 */
seconds: number, 
/**
 * Whether it was stopped.
 */
stopped: boolean, };

/**
 * What a run has done so far.
 */
export type RunProgress = { 
/**
 * Which query it is at, if it is at one.
 */
query: number | null, 
/**
 * How long that has taken, in seconds.
 */
seconds: number, counts: Counts, 
/**
 * How much memory the process has now, in bytes.
 */
rss_bytes: number, };

/**
 * What is to be found out.
 */
export type RunQuestion = { "kind": "queries", 
/**
 * Which: numbers of the sheet's.
 */
queries: Array<number>, } | { "kind": "labels", labels: Array<string>, } | { "kind": "coverage" } | { "kind": "graph", 
/**
 * How many nodes it may have.
 */
nodes: number, };

/**
 * Something to be found out.
 */
export type RunRequest = { question: RunQuestion, 
/**
 * Options of the plan, by name, with the names of their values.
 */
options: { [key in string]: string }, 
/**
 * How long it may take, in seconds; as long as the server allows if it is left out.
 */
seconds: number | null, 
/**
 * How much memory it may use, in bytes; as much as the server allows if it is left out.
 */
bytes: number | null, 
/**
 * Whether each answer by exhaustion is checked with its certificate. Coverage and zone graphs have none.
 */
certify: boolean, };

/**
 * A model to be written to the file it came from: `PUT /api/v1/file`. The answer is [`Saved`]. If nothing was changed
 * since it was opened, the file stays as it is, byte for byte.
 */
export type Save = { sheet: Sheet, 
/**
 * What the file was when it was read or written last. If it was changed since elsewhere, the answer is a
 * problem `changed`; an empty stamp overwrites it nevertheless.
 */
stamp: string, };

/**
 * That a model was saved.
 */
export type Saved = { 
/**
 * What the file is now.
 */
stamp: string, 
/**
 * Whether the queries are in the file, too: text has no place for them.
 */
queries_kept: boolean, };

/**
 * What the server allows.
 */
export type ServerLimits = { 
/**
 * The largest request, in bytes.
 */
body_bytes: number, 
/**
 * How many runs execute at a time; others wait.
 */
runs: number, 
/**
 * How many runs can wait; more are refused.
 */
runs_waiting: number, 
/**
 * How long a run may take at most.
 */
run_seconds: number, 
/**
 * How much memory a run may use at most.
 */
run_bytes: number, 
/**
 * How many simulations are kept; the one that was not used for longest makes room.
 */
simulations: number, 
/**
 * How many nodes a zone graph may have.
 */
graph_nodes: number, 
/**
 * How many edges a zone graph may have.
 */
graph_edges: number, 
/**
 * How large a zone graph may be as JSON, in bytes.
 */
graph_bytes: number, 
/**
 * How many models are kept; the one that was not used for longest makes room.
 */
models: number, 
/**
 * How much memory they may take together, in bytes, as far as that can be estimated.
 */
model_bytes: number, 
/**
 * How many variables are shown of a model, and how many names of a kind.
 */
names: number, 
/**
 * How many moves a simulation may have; fewer if its states are large.
 */
simulation_moves: number, 
/**
 * How much memory the states of a simulation may take, in bytes, as far as that can be estimated.
 */
simulation_bytes: number, 
/**
 * How long steps at random may take that are asked for at once.
 */
random_seconds: number, 
/**
 * How many connections there can be.
 */
connections: number, };

/**
 * A zone of two clocks. Each bound is tight.
 */
export type Shape = { x_low: ShapeBound, 
/**
 * The greatest x; `None` if there is none.
 */
x_high: ShapeBound | null, y_low: ShapeBound, 
/**
 * The greatest y; `None` if there is none.
 */
y_high: ShapeBound | null, 
/**
 * The least x - y; `None` if there is none.
 */
difference_low: ShapeBound | null, 
/**
 * The greatest x - y; `None` if there is none.
 */
difference_high: ShapeBound | null, };

export type ShapeBound = { at: number, 
/**
 * Whether the bound is excluded.
 */
strict: boolean, };

/**
 * A model in an editor.
 */
export type Sheet = { 
/**
 * The file name, which determines the language: `train-gate.xml`.
 */
name: string, body: Body, queries: Array<SheetQuery>, };

export type SheetBranchpoint = { 
/**
 * The id that edges refer to.
 */
id: string, at: Spot, 
/**
 * The colour, `#rrggbb`; empty for the default.
 */
colour: string, };

export type SheetEdge = { 
/**
 * The id, in files of UPPAAL 5; else empty.
 */
id: string, 
/**
 * The id of the source location or branch point.
 */
source: string, 
/**
 * The id of the target location or branch point.
 */
target: string, labels: Array<SheetLabel>, 
/**
 * The bend points of the drawn line.
 */
nails: Array<Spot>, 
/**
 * The colour, `#rrggbb`; empty for the default.
 */
colour: string, 
/**
 * Whether the controller cannot take it: games only.
 */
uncontrollable: boolean, 
/**
 * The action, in files that have one; else empty.
 */
action: string, };

/**
 * A label of a location or edge.
 */
export type SheetLabel = { 
/**
 * The kind, as in the file: `invariant`, `guard`, `select`, `synchronisation`, `assignment`, `comments`, …
 */
kind: string, text: string, 
/**
 * The left end of the first line.
 */
at: Spot, 
/**
 * The colour, `#rrggbb`; empty for the default.
 */
colour: string, };

export type SheetLocation = { 
/**
 * The id that edges refer to; unique among the locations and branch points of the model.
 */
id: string, 
/**
 * The name; may be empty.
 */
name: string, at: Spot, 
/**
 * The left end of the name.
 */
name_at: Spot, 
/**
 * Time cannot pass in an urgent location.
 */
urgent: boolean, 
/**
 * The next transition leaves a committed location, without delay.
 */
committed: boolean, 
/**
 * The colour, `#rrggbb`; empty for the default.
 */
colour: string, labels: Array<SheetLabel>, };

export type SheetQuery = { formula: string, comment: string, 
/**
 * The expected verdict: `success`, `failure`, `maybe_true`, `maybe_false`, `error`; may be empty.
 */
expected: string, 
/**
 * Its options, further expectations and stored results, as XML.
 */
kept: Array<string>, };

export type SheetTemplate = { name: string, 
/**
 * The parameters, without parentheses.
 */
parameters: string, declarations: string, 
/**
 * The position of the name, if the file has one.
 */
name_at: Spot | null, 
/**
 * The position of the parameters, if the file has one.
 */
parameters_at: Spot | null, 
/**
 * The id of the initial location; may be empty.
 */
initial: string, locations: Array<SheetLocation>, branchpoints: Array<SheetBranchpoint>, edges: Array<SheetEdge>, };

/**
 * A step that can be taken.
 */
export type SimulationChoice = { 
/**
 * What happens, in words: `appr[0]: Train(0) → Gate`.
 */
label: string, 
/**
 * The edges that are taken together, the sender's first.
 */
edges: Array<TakenEdge>, 
/**
 * After which delays; none in zones.
 */
delays: Array<Delays>, 
/**
 * For which clock values, in zones: constraints.
 */
zone: Array<string>, };

/**
 * What to do next.
 */
export type SimulationCommand = { "kind": "look" } | { "kind": "step", choice: number, 
/**
 * After which delay, exactly: `5/2`; the earliest possible if it is left out. Not in zones.
 */
delay: string | null, } | { "kind": "wait", 
/**
 * How much: `5/2`.
 */
delay: string, } | { "kind": "random", steps: number, 
/**
 * What the choices are drawn from.
 */
seed: number, } | { "kind": "goto", position: number, } | { "kind": "mode", 
/**
 * `concrete` or `symbolic`.
 */
mode: string, } | { "kind": "restart" };

/**
 * A command, and what is to be seen then.
 */
export type SimulationRequest = { command: SimulationCommand, 
/**
 * The two clocks of the picture, to the right and upwards; none for no picture.
 */
picture: [number, number] | null, };

/**
 * How a simulation begins.
 */
export type SimulationStart = { "kind": "initial", 
/**
 * `concrete` or `symbolic`.
 */
mode: string, } | { "kind": "path", 
/**
 * `concrete` or `symbolic`.
 */
mode: string, path: string, } | { "kind": "run", 
/**
 * `concrete` or `symbolic`.
 */
mode: string, 
/**
 * The text of the file.
 */
file: string, };

/**
 * Where a simulation is.
 */
export type SimulationView = { id: number, 
/**
 * `concrete` or `symbolic`.
 */
mode: string, 
/**
 * How many moves lie behind.
 */
position: number, 
/**
 * How many there are, those ahead included that going back has left.
 */
length: number, 
/**
 * How much time has passed; nothing in zones.
 */
time: Number | null, 
/**
 * Where each process is.
 */
locations: Array<number>, 
/**
 * The values of the variables, in the order of [`super::Network`].
 */
variables: Array<number>, 
/**
 * What each clock shows; empty in zones.
 */
clocks: Array<Number>, 
/**
 * What the clocks can show, in zones: constraints.
 */
zone: Array<string>, 
/**
 * Processes that moved, variables and clocks that changed in the last move.
 */
changed: Changed, 
/**
 * The last move, in words; empty at the start.
 */
last: string, 
/**
 * The steps that can be taken.
 */
choices: Array<SimulationChoice>, 
/**
 * How much time can pass; nothing in zones.
 */
patience: Delays | null, 
/**
 * `deadlock` or `time-lock` if nothing can happen any more; else empty.
 */
stuck: string, 
/**
 * How the model goes wrong at run time from here on, in sentences.
 */
failures: Array<string>, 
/**
 * The picture that was asked for.
 */
picture: Picture | null, 
/**
 * Why what was asked for could not be done, or not wholly; the view is of where it is then.
 */
refused: string | null, };

/**
 * A point of a drawing.
 */
export type Spot = { x: number, y: number, };

/**
 * What the server is doing: `GET /api/v1/status`.
 */
export type Status = { 
/**
 * The number of active runs.
 */
runs: number, runs_waiting: number, 
/**
 * How many simulations are kept.
 */
simulations: number, 
/**
 * How many models are kept.
 */
models: number, 
/**
 * How much memory the process has, in bytes; 0 where that cannot be told.
 */
rss_bytes: number, };

/**
 * An edge that is taken.
 */
export type TakenEdge = { process: number, edge: number, 
/**
 * The channel with its index, or the event; empty if it is taken alone.
 */
channel: string, 
/**
 * `!`, `?`, or empty.
 */
direction: string, 
/**
 * What was chosen for its selections: `i = 3`.
 */
selects: Array<string>, };

export type Told = { 
/**
 * `error`, `warning` or `note`.
 */
severity: string, 
/**
 * Its code: `U0104`.
 */
code: string, message: string, 
/**
 * What to do about it.
 */
help: Array<string>, 
/**
 * What the code means in general.
 */
explanation: string, place: Place, 
/**
 * Other places that have to do with it.
 */
labels: Array<ToldLabel>, };

/**
 * A place that has to do with a diagnostic.
 */
export type ToldLabel = { 
/**
 * What it has to do with it.
 */
text: string, place: Place, };

/**
 * A run as a whole.
 */
export type Trace = { 
/**
 * Where each process is at the start.
 */
locations: Array<number>, 
/**
 * The values of the variables at the start.
 */
variables: Array<number>, 
/**
 * What happens. One for each move of the simulation, so that positions are the same.
 */
steps: Array<TraceStep>, 
/**
 * The position from which the rest is repeated infinitely often, if it is.
 */
repeats_from: number | null, 
/**
 * Why times are missing, if they are: no delays were found for what was done in zones.
 */
untimed: string | null, };

/**
 * A step of a run.
 */
export type TraceStep = { 
/**
 * How much time passes first.
 */
delay: Number | null, 
/**
 * When the edges are taken, counted from the start.
 */
time: Number | null, 
/**
 * What happens, in words.
 */
label: string, 
/**
 * The edges that are taken; none if only time passes.
 */
edges: Array<TakenEdge>, 
/**
 * Processes that moved, each with its new location.
 */
moved: Array<[number, number]>, 
/**
 * Variables that changed, each with its new value.
 */
set: Array<[number, number]>, };

/**
 * A model to be written in a language: `POST /api/v1/write`. The answer is [`Written`].
 */
export type Write = { sheet: Sheet, 
/**
 * The language: `xml`, `xta` or `tck`.
 */
to: string, };

/**
 * A model in a language.
 */
export type Written = { 
/**
 * The name of the file.
 */
name: string, 
/**
 * Its text; nothing if the language cannot express the model.
 */
text: string | null, 
/**
 * What could not be kept, or why it cannot be written.
 */
diagnostics: Array<Told>, };

export type ZoneGraph = { 
/**
 * The nodes, in the order in which they were found; the first is the initial one.
 */
nodes: Array<ZoneGraphNode>, 
/**
 * The edges, in the order in which they were found.
 */
edges: Array<ZoneGraphEdge>, 
/**
 * Whether the graph has all nodes and edges.
 */
complete: boolean, 
/**
 * Why it is complete or not, in a sentence without a full stop.
 */
why: string, };

export type ZoneGraphEdge = { 
/**
 * The index of the source node.
 */
from: number, 
/**
 * The index of the target node.
 */
to: number, 
/**
 * The edges of the transition: process and edge.
 */
taken: Array<[number, number]>, 
/**
 * The transition in words.
 */
label: string, };

export type ZoneGraphNode = { 
/**
 * The location of each process, by index.
 */
locations: Array<number>, 
/**
 * The values of the variables.
 */
variables: Array<number>, 
/**
 * The constraints of the zone; empty for the universal zone.
 */
zone: Array<string>, 
/**
 * The node that covers it, if any.
 */
covered_by: number | null, 
/**
 * Whether its successors were computed; false if it was covered before, or if the graph is truncated there.
 */
expanded: boolean, };

export const API_VERSION = 1;
