//! The tables: the figures in each column, and their targets.

use clap::ValueEnum;

use super::super::value::{Unit, Value};
use super::paper;
use super::search::{CddFigures, CddMeasurement, SearchOptions};

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum CddTable {
    /// The three representations of nodes
    Nodes,
    /// Unions compared with single zones
    Unions,
    /// Forms of discrete states, with unions
    Discrete,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct CddColumn {
    pub(super) title: &'static str,
    pub(super) figure: CddFigure,
    /// The target.
    at_most: Option<f64>,
}

/// The content of a column.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum CddFigure {
    /// User CPU seconds.
    Time(SearchOptions),
    /// The ratio of two times.
    TimeTo(SearchOptions, SearchOptions),
    Visited(SearchOptions),
    DiscreteStates(SearchOptions),
    /// Stored zones for each discrete state.
    ZonesPerState(SearchOptions),
    /// Mebibytes of zones.
    Zones(SearchOptions),
    /// The ratio of the bytes of zones.
    ZonesTo(SearchOptions, SearchOptions),
    /// Mebibytes of the passed list.
    Passed(SearchOptions),
    /// The ratio of the passed lists.
    PassedTo(SearchOptions, SearchOptions),
    /// The ratio of the passed and waiting lists. With unions, waiting zones are stored separately; otherwise they are
    /// in the passed list.
    ListTo(SearchOptions, SearchOptions),
    /// The bytes of the passed list besides zones, for each discrete state.
    RestPerState(SearchOptions),
}

const MINIMAL: SearchOptions = &["--zones", "minimal"];
const MINIMAL_SHARED: SearchOptions = &["--zones", "minimal+shared"];
const SHARED: SearchOptions = &["--zones", "shared"];
/// Unions with the nodes of the first representation, the second and the third.
const NODES: [SearchOptions; 3] = [
    &["--zones", "cdd", "--diagram-nodes", "all"],
    &["--zones", "cdd", "--diagram-nodes", "no-false"],
    &["--zones", "cdd", "--diagram-nodes", "compact"],
];
const UNIONS: SearchOptions = NODES[2];
const DIGITS: SearchOptions = &["--zones", "cdd", "--discrete", "digits"];
const TREE: SearchOptions = &["--zones", "cdd", "--discrete", "tree"];
const MTIDD: SearchOptions = &["--zones", "cdd", "--discrete", "mtidd"];

const fn column(title: &'static str, figure: CddFigure) -> CddColumn {
    CddColumn { title, figure, at_most: None }
}

const fn at_most(most: f64, column: CddColumn) -> CddColumn {
    CddColumn { at_most: Some(most), ..column }
}

/// The targets of the third representation, relative to the bytes and the time of the first.
const BYTES_BAR: f64 = 0.80;
const TIME_BAR: f64 = 1.2;
/// The target of unions, relative to the bytes of minimal constraints, on at least one model.
const UNIONS_BAR: f64 = 0.6;

const NODE_COLUMNS: [CddColumn; 6] = [
    column("1 MiB", CddFigure::Zones(NODES[0])),
    column("2 to 1", CddFigure::ZonesTo(NODES[1], NODES[0])),
    at_most(BYTES_BAR, column("3 to 1", CddFigure::ZonesTo(NODES[2], NODES[0]))),
    column("1 CPU s", CddFigure::Time(NODES[0])),
    column("2 to 1", CddFigure::TimeTo(NODES[1], NODES[0])),
    at_most(TIME_BAR, column("3 to 1", CddFigure::TimeTo(NODES[2], NODES[0]))),
];
const UNION_COLUMNS: [CddColumn; 14] = [
    column("states", CddFigure::DiscreteStates(MINIMAL)),
    column("zones each", CddFigure::ZonesPerState(MINIMAL)),
    column("visited", CddFigure::Visited(MINIMAL)),
    column("cdd", CddFigure::Visited(UNIONS)),
    column("minimal MiB", CddFigure::Passed(MINIMAL)),
    column("shared", CddFigure::PassedTo(SHARED, MINIMAL)),
    column("minimal+shared", CddFigure::PassedTo(MINIMAL_SHARED, MINIMAL)),
    column("cdd", CddFigure::PassedTo(UNIONS, MINIMAL)),
    column("cdd, mtidd", CddFigure::PassedTo(MTIDD, MINIMAL)),
    column("with waiting", CddFigure::ListTo(UNIONS, MINIMAL)),
    column("minimal s", CddFigure::Time(MINIMAL)),
    column("shared s", CddFigure::Time(SHARED)),
    column("minimal+shared s", CddFigure::Time(MINIMAL_SHARED)),
    column("cdd s", CddFigure::Time(UNIONS)),
];
const DISCRETE_COLUMNS: [CddColumn; 7] = [
    column("states", CddFigure::DiscreteStates(UNIONS)),
    column("bits", CddFigure::RestPerState(UNIONS)),
    column("digits", CddFigure::RestPerState(DIGITS)),
    column("tree", CddFigure::RestPerState(TREE)),
    column("mtidd", CddFigure::RestPerState(MTIDD)),
    column("bits s", CddFigure::Time(UNIONS)),
    column("mtidd s", CddFigure::Time(MTIDD)),
];

impl CddTable {
    /// All tables, in the order of printing.
    pub(super) const ALL: [Self; 3] = [Self::Nodes, Self::Unions, Self::Discrete];

    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Unions => "unions",
            Self::Discrete => "discrete",
        }
    }

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Nodes => "Representations of nodes: bytes of all diagrams, and time",
            Self::Unions => {
                "Unions compared with single zones: visited, passed list relative to minimal, time"
            }
            Self::Discrete => "Forms of discrete states, with unions: bytes for each besides diagrams, time",
        }
    }

    pub(super) const fn columns(self) -> &'static [CddColumn] {
        match self {
            Self::Nodes => &NODE_COLUMNS,
            Self::Unions => &UNION_COLUMNS,
            Self::Discrete => &DISCRETE_COLUMNS,
        }
    }

    /// The rows of the thesis: the name of a model, and a figure for each column.
    pub(super) fn of_paper(self) -> Vec<(String, Vec<Value>)> {
        let rows: &[paper::ThesisRow] = if self == Self::Nodes { &paper::ROWS } else { &[] };
        rows.iter().map(|row| (format!("thesis: {}", row.model), paper_cells(row))).collect()
    }
}

fn paper_cells(row: &paper::ThesisRow) -> Vec<Value> {
    let [one, two, three] = row.bytes.map(f64::from);
    let [first, second, third] = row.seconds;
    [mebibytes(one), two / one, three / one, first, second / first, third / first].map(Value::Number).to_vec()
}

fn mebibytes(bytes: f64) -> f64 {
    bytes / f64::from(1 << 20)
}

/// The shortest time that is compared: below it, process start-up dominates.
const COMPARABLE_S: f64 = 0.02;

impl CddFigure {
    pub(super) const fn unit(self) -> Unit {
        match self {
            Self::Time(_) => Unit::Seconds,
            Self::TimeTo(..) | Self::ZonesTo(..) | Self::PassedTo(..) | Self::ListTo(..) => Unit::Times,
            Self::Visited(_) | Self::DiscreteStates(_) => Unit::Count,
            Self::ZonesPerState(_) | Self::RestPerState(_) => Unit::Bytes,
            Self::Zones(_) | Self::Passed(_) => Unit::Mebibytes,
        }
    }

    /// The options that it needs.
    pub(super) fn ways(self) -> Vec<SearchOptions> {
        match self {
            Self::TimeTo(one, two)
            | Self::ZonesTo(one, two)
            | Self::PassedTo(one, two)
            | Self::ListTo(one, two) => vec![one, two],
            Self::Time(way)
            | Self::Visited(way)
            | Self::DiscreteStates(way)
            | Self::ZonesPerState(way)
            | Self::Zones(way)
            | Self::Passed(way)
            | Self::RestPerState(way) => vec![way],
        }
    }

    /// The measured value.
    pub(super) fn of(self, measured: &CddMeasurement) -> Value {
        let get = |way, figure: fn(&CddFigures) -> f64| match measured.get(way) {
            None => Value::Absent,
            Some(figures) if !figures.finished => Value::Unfinished,
            Some(figures) => Value::Number(figure(figures)),
        };
        let ratio =
            |one, two, figure| get(one, figure).with(get(two, figure), |one, two| Value::Number(one / two));
        match self {
            Self::Time(way) => get(way, |figures| figures.user_s),
            Self::TimeTo(one, two) => {
                get(one, |figures| figures.user_s).with(get(two, |figures| figures.user_s), |one, two| {
                    if two < COMPARABLE_S { Value::Absent } else { Value::Number(one / two) }
                })
            }
            Self::Visited(way) => get(way, |figures| figures.visited as f64),
            Self::DiscreteStates(way) => get(way, |figures| figures.discrete_states as f64),
            Self::ZonesPerState(way) => get(way, |figures| per_state(figures, figures.stored)),
            Self::Zones(way) => get(way, |figures| mebibytes(figures.zone_bytes as f64)),
            Self::ZonesTo(one, two) => ratio(one, two, |figures| figures.zone_bytes as f64),
            Self::Passed(way) => get(way, |figures| mebibytes(figures.passed_bytes as f64)),
            Self::PassedTo(one, two) => ratio(one, two, |figures| figures.passed_bytes as f64),
            Self::ListTo(one, two) => {
                ratio(one, two, |figures| (figures.passed_bytes + figures.waiting_bytes) as f64)
            }
            Self::RestPerState(way) => {
                get(way, |figures| per_state(figures, figures.passed_bytes - figures.zone_bytes))
            }
        }
    }
}

fn per_state(figures: &CddFigures, amount: u64) -> f64 {
    amount as f64 / figures.discrete_states.max(1) as f64
}

impl CddColumn {
    /// Whether a figure exceeds its target.
    pub(super) fn exceeds(&self, value: Value) -> bool {
        matches!((value, self.at_most), (Value::Number(number), Some(most)) if number > most)
    }
}

/// Whether unions meet their target.
pub(super) fn keeps_unions_bar(measured: &CddMeasurement) -> bool {
    matches!(CddFigure::PassedTo(UNIONS, MINIMAL).of(measured), Value::Number(ratio) if ratio <= UNIONS_BAR)
}

/// Errors: unions that visit more than single zones or other discrete states, or forms that do not visit the same.
pub(super) fn differences(measured: &CddMeasurement) -> Vec<String> {
    let finished = || measured.ways.iter().filter(|(_, figures)| figures.finished);
    let single = finished().find(|(way, _)| !is_united(way)).map(|(_, figures)| figures);
    let united = finished().find(|(way, _)| is_united(way)).map(|(_, figures)| figures);
    let differs = |(way, figures): &&(SearchOptions, CddFigures)| {
        if !is_united(way) {
            return false;
        }
        let more = single.is_some_and(|single| {
            figures.visited > single.visited || figures.discrete_states != single.discrete_states
        });
        more || united.is_some_and(|united| figures.visited != united.visited)
    };
    finished().filter(differs).map(|(way, _)| way.join(" ")).collect()
}

fn is_united(way: SearchOptions) -> bool {
    way[1] == "cdd"
}

#[cfg(test)]
mod tests {

    use super::*;

    const FIGURES: CddFigures = CddFigures {
        user_s: 1.0,
        finished: true,
        stored: 30,
        visited: 40,
        discrete_states: 10,
        passed_bytes: 1000,
        waiting_bytes: 0,
        zone_bytes: 600,
    };

    #[test]
    fn this_program_knows_what_the_tables_ask_of_it() {
        let columns = CddTable::ALL.into_iter().flat_map(CddTable::columns);
        for way in columns.flat_map(|column| column.figure.ways()) {
            let arguments = ["check", "model"].iter().chain(way).copied();
            assert!(tourbillon_cli::accepts(arguments), "{way:?}");
        }
    }

    #[test]
    fn figures_are_computed_and_bars_seen() {
        let [first, third] = [NODES[0], NODES[2]];
        let smaller = CddFigures { zone_bytes: 510, user_s: 1.1, ..FIGURES };
        let measured = CddMeasurement { ways: vec![(first, FIGURES), (third, smaller)] };
        let cell = |index: usize| NODE_COLUMNS[index].figure.of(&measured);
        assert_eq!((cell(2), cell(5), cell(1)), (Value::Number(0.85), Value::Number(1.1), Value::Absent));
        assert!(NODE_COLUMNS[2].exceeds(cell(2)) && !NODE_COLUMNS[5].exceeds(cell(5)));
        assert_eq!(CddFigure::RestPerState(first).of(&measured), Value::Number(40.0));
        assert_eq!(CddFigure::ZonesPerState(first).of(&measured), Value::Number(3.0));
        assert!(!keeps_unions_bar(&measured));
    }

    #[test]
    fn unions_that_visit_more_are_pointed_out() {
        let visiting = |visited| CddFigures { visited, ..FIGURES };
        let of = |single, united, other| {
            let ways =
                vec![(MINIMAL, visiting(single)), (UNIONS, visiting(united)), (MTIDD, visiting(other))];
            differences(&CddMeasurement { ways }).len()
        };
        assert_eq!((of(40, 40, 40), of(40, 30, 30)), (0, 0));
        assert_eq!((of(40, 41, 41), of(40, 30, 31)), (2, 1));
    }

    #[test]
    fn ratios_of_the_thesis_are_those_that_it_prints() {
        let rows = CddTable::Nodes.of_paper();
        let text = |row: usize, cell: usize| rows[row].1[cell].text(Unit::Times);
        assert_eq!([text(0, 1), text(0, 2), text(0, 5)], ["0.92", "0.75", "1.05"]);
        assert_eq!([text(1, 4), text(1, 5)], ["1.06", "1.48"]);
        assert_eq!([text(2, 2), text(2, 5)], ["0.86", "0.84"]);
    }
}
