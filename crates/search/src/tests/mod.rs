//! Searches of small hand-made systems, compared with the definitions.

mod alternate;
mod costs;
mod cycles;
mod explore;
mod goal;
mod mixed;
pub(crate) mod rounds;

use tourbillon_base::{Id, SourceId, SourceMap, Span};
use tourbillon_dbm::Clock;
use tourbillon_model::{Expr, ExprKind, LocationId, ProcessId};
use tourbillon_store::{
    Cover, DiagramSettings, DiscreteForm, NodeId, Order, PassedWaiting, Settings, ZoneForm,
};
use tourbillon_system::{Analysis, Predicate, StateFormula, System, analyse, compile};
use tourbillon_zonegraph::{Abstraction, Bounds, Options, ZoneGraph};

use crate::{Budget, CostFunction, Limits, Search, Stats};

/// A compiled network, with one predicate for each listed pair of a process and a location.
struct Fixture {
    system: System,
    analysis: Analysis,
    at: Vec<Predicate>,
}

/// Compiles declarations, locations and edges of TChecker's language, one to a line.
fn fixture(lines: &[&str], at: &[(usize, usize)]) -> Fixture {
    let text = format!("system:s\nevent:a\n{}\n", lines.join("\n"));
    let (model, diagnostics) = tourbillon_front_tchecker::load("model.tck", &text, &mut SourceMap::new());
    let mut model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let span = Span::new(SourceId::from_index(0), 0, 0);
    let formulas: Vec<StateFormula> = at
        .iter()
        .map(|&(process, location)| {
            let kind = ExprKind::AtLocation(ProcessId::from_index(process), LocationId::from_index(location));
            StateFormula { expr: model.exprs.push(Expr { kind, span }), frame: 0, negated: false }
        })
        .collect();
    let analysis = analyse(&model, &[]).expect("clock bounds");
    let (system, at) = compile(&model, &formulas).expect("a system");
    Fixture { system, analysis, at }
}

/// A process with locations `L0` to `L(count - 1)`, and edges without guards.
fn process(name: &str, count: usize, edges: &[(usize, usize)]) -> Vec<String> {
    let mut lines = vec![format!("process:{name}")];
    let initial = |location| if location == 0 { "initial:" } else { "" };
    lines.extend((0..count).map(|location| format!("location:{name}:L{location}{{{}}}", initial(location))));
    lines.extend(edges.iter().map(|(from, to)| format!("edge:{name}:L{from}:L{to}:a{{}}")));
    lines
}

/// A network of processes without clocks.
fn untimed(processes: &[Vec<String>], at: &[(usize, usize)]) -> Fixture {
    let lines: Vec<&str> = processes.iter().flatten().map(String::as_str).collect();
    fixture(&lines, at)
}

impl Fixture {
    fn graph(&self) -> ZoneGraph<'_> {
        let options = Options {
            abstraction: Abstraction::None,
            bounds: Bounds::global(&self.analysis),
            reduce: false,
            diagonals: Vec::new(),
            avoid: None,
            ticks: None,
            symmetry: None,
        };
        ZoneGraph::new(&self.system, options)
    }

    /// The zone graph with Extra_LU+ and the bounds for a_LU.
    fn abstracted(&self) -> ZoneGraph<'_> {
        let options = Options {
            abstraction: Abstraction::ExtraLuPlus,
            bounds: Bounds::local(&self.analysis.local),
            ..Options::exact(&self.system)
        };
        ZoneGraph::new(&self.system, options)
    }

    fn settings(&self, order: Order) -> Settings {
        Settings {
            ranges: self.system.ranges.iter().map(|range| (range.min, range.max)).collect(),
            split: self.system.layout.processes(),
            dimension: self.system.dimension,
            zones: ZoneForm::Plain,
            diagrams: DiagramSettings::default(),
            discrete: DiscreteForm::Plain,
            tight: false,
            cover: Cover::Inclusion,
            waiting_inclusion: true,
            order,
            seed: 1,
            traces: true,
            spare_waiting: false,
        }
    }

    fn search(&self, order: Order) -> Search<'_> {
        let list = tourbillon_store::build(&self.settings(order));
        Search::new(self.graph(), list, CostFunction::None)
    }

    fn earliest(&self, clock: usize) -> Search<'_> {
        let list = tourbillon_store::build(&self.settings(Order::Cheapest));
        Search::new(self.graph(), list, CostFunction::Earliest(Clock::from_index(clock)))
    }
}

fn unlimited() -> Budget<'static> {
    Budget::new(Limits::default(), None)
}

fn quiet() -> impl FnMut(&Stats) {
    |_: &Stats| {}
}

/// The number of transitions from the initial state to a node.
fn depth(list: &dyn PassedWaiting, node: NodeId) -> usize {
    std::iter::successors(Some(node), |&node| list.origin(node).and_then(|(parent, _)| parent)).count() - 1
}
