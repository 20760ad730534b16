//! Tourbillon as a library: load, check, simulate, inspect, convert and draw models.
//!
//! This is the only crate that other programs use; the crates below it are internal. It does no I/O: bytes come in,
//! text and data go out.
//!
//! ```
//! use tourbillon::{Target, convert, load};
//!
//! let text = b"clock x; process P() { state A { x <= 5 }; init A; trans A -> A { assign x = 0; }; } system P;";
//! let loaded = load("loop.xta", text);
//! assert!(!loaded.diagnostics.has_errors());
//! let tck = convert(&loaded, Target::Tck).expect("one process and one clock");
//! assert!(tck.text.contains("clock:1:x"));
//! ```

mod advice;
mod answered;
mod axes;
mod cache;
mod census;
mod certainty;
mod certify;
mod check;
mod cluster;
mod codes;
mod convert;
mod diagnose;
mod engine;
mod graph;
mod inside;
mod json;
mod labels;
mod lint;
mod load;
mod muntac;
mod names;
mod network;
mod network_xta;
mod report;
mod report_json;
mod report_stream;
mod sheet;
mod simulate;
mod trace;
mod xtr;

pub use advice::advice;
pub use answered::{GivenAnswer, Runs};
pub use axes::{FormChoice, FormOption, form_options, plan_request_from};
pub use cache::{Cache, CachedCertificate, CertificateMemory, CertificateStore};
pub use census::{CENSUS_SCHEMA, census, census_json, census_unfinished};
pub use certainty::{number_text, probability_text};
pub use certify::{
    CERTIFY_SCHEMA, CertifiedReport, CertifyOutcome, CertifyRequest, certificate_queries, certify,
    certify_json, sha256,
};
pub use check::{CheckError, QuerySelection, Request, check, check_each, plans, query_summaries};
pub use cluster::{Cluster, lost_on_cluster};
pub use codes::{all_codes, explain};
pub use convert::{Converted, Target, convert, convert_until, draw_dot, draw_svg};
pub use graph::{ZoneGraph, ZoneGraphEdge, ZoneGraphNode, zone_graph};
pub use inside::{bounds_text, system_text};
pub use json::{diagnostics_json, model_json};
pub use lint::{
    Coverage, LINT_SCHEMA, LintDiagnostic, LintReport, UndecidedAspect, is_finding, lint, lint_json,
};
pub use load::{Loaded, Loader, Source, load, load_with_only_queries, load_with_queries};
pub use muntac::{MuntacError, MuntacFiles, muntac_export};
pub use names::{Members, Name, Names, names};
pub use network::{Network, NetworkEdge, NetworkLocation, NetworkProcess, network, step_label};
pub use report::{
    AnswerSummary, Cause, ExtremeSummary, MeasureSummary, ModelSummary, QuerySummary, Report, Sense,
    SeveralSummary, verdict_word,
};
pub use report_json::{CHECK_SCHEMA, report_json};
pub use report_stream::JsonReport;
pub use sheet::{
    Body, Drawing, Kept, Sheet, SheetBranchpoint, SheetEdge, SheetLabel, SheetLocation, SheetPart,
    SheetPlace, SheetQuery, SheetTemplate, Spot,
};
pub use simulate::{
    Bounds, Choice, ClockProjection, DeadlockKind, Delays, Ending, FailingStep, History, HistoryMove, Mode,
    Move, NamedRun, REPLAY_SCHEMA, RUN_SCHEMA, RunFileError, Shape, ShapeBound, Simulation, SimulationError,
    SimulationState, When, parse_number, read_runs, run_json, simulation_state_json,
};
pub use tourbillon_base::{
    Cancellation, CodeEntry, Diagnostic, Diagnostics, Random, Rational, Severity, SourceMap, Span,
};
pub use tourbillon_check::{
    AXES, Abstraction, Aspect, Axis, AxisChoice, AxisGroup, AxisInfo, AxisValues, BddRequest, BddSettings,
    BoundsScope, Census, CensusBits, Certainty, CertificateFile, CertifiedAnswer, Committed, Cover,
    CycleSearch, DiagramConstraints, DiagramForm, DiagramInclusion, DiagramOrder, DiagramSettings,
    DiscreteForm, Engine, Exploration, Finish, Fired, FoundBy, HashingRequest, Known, Layout, Least, Limits,
    Memory, Mixture, Moved, Named, Order, Others, PassedForm, Plan, PlanRequest, PositionSource, Progress,
    RankStats, Reason, Rechecked, Run, RunStep, SetStats, Stats, SymmetryUse, TableKind, TableSettings,
    TraceKind, Value, Verdict, WhenFull, ZoneForm, read_positions,
};
pub use tourbillon_cluster::{CpuTime, Mpi, RANKS_MAX, Ranks};
pub use tourbillon_gen::{Family, families, family};
pub use tourbillon_model::{Expectation, Model, Overflow};
pub use trace::{
    Direction, Purpose, RunView, SourcePlace, Sync, TakenEdge, Trace, TraceState, TraceStep, decimal,
};
