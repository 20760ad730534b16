//! The tables: the paper's nine `[Bengtsson2001]`, and one of ours with every exact form.
//!
//! A table is data: the figures in each column. To add a form, add its options and a column that shows it.
//!
//! Compared figures come from the same run of the benchmark. Space is the size that the passed list reports (Tables 1
//! to 3, and 10) or the peak of the process (Tables 4 and 9, which include waiting states). Omitted states are found by
//! comparing the number of visited states with that of the exact search.

use super::super::value::{Unit, Value};
use super::measure::{MemoryFigures, MemoryMeasurement};

use super::ways::{
    FORMS, PACKED, PACKED_EQUALITY, PACKED_ZONES, PLAIN, PLAIN_EQUALITY, PLAIN_WAITING_OFF, SIGNATURES_OF_7,
    SIGNATURES_OF_47, SUPERTRACE, SUPERTRACE_OF_4, SUPERTRACE_WAITING, SearchOptions, ZONES_BY_7,
    ZONES_BY_47,
};

pub(super) struct PaperTable {
    /// Its number in the paper; 10 is ours.
    pub(super) number: u32,
    pub(super) title: &'static str,
    pub(super) columns: &'static [PaperColumn],
}

#[derive(Clone, Copy)]
pub(super) struct PaperColumn {
    pub(super) title: &'static str,
    pub(super) figure: PaperFigure,
}

/// The content of a column.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum PaperFigure {
    /// User CPU seconds.
    Time(SearchOptions),
    /// The ratio of two times.
    TimeTo(SearchOptions, SearchOptions),
    /// The fraction of the first time that the second saves.
    TimeGain(SearchOptions, SearchOptions),
    /// Mebibytes of the passed list.
    Space(SearchOptions),
    /// The ratio of two passed lists.
    SpaceTo(SearchOptions, SearchOptions),
    /// The peak of the process.
    Peak(SearchOptions),
    /// The fraction of the first peak that the second saves.
    PeakGain(SearchOptions, SearchOptions),
    /// The estimated share of new states that were refused.
    Collisions(SearchOptions),
    /// The share of the visited states of the second that the first does not visit.
    Omitted(SearchOptions, SearchOptions),
    /// Bytes of the passed list for each stored node.
    BytesPerNode(SearchOptions),
    /// The estimated bytes for each node of the set of states, without an index.
    Estimate,
}

/// The shortest time that is compared: below it, process start-up dominates.
const COMPARABLE_S: f64 = 0.02;

impl PaperFigure {
    pub(super) const fn unit(self) -> Unit {
        match self {
            Self::Time(_) => Unit::Seconds,
            Self::TimeTo(..) | Self::SpaceTo(..) => Unit::Times,
            Self::TimeGain(..) | Self::PeakGain(..) => Unit::PerCent,
            Self::Space(_) | Self::Peak(_) => Unit::Mebibytes,
            Self::Collisions(_) | Self::Omitted(..) => Unit::PerMille,
            Self::BytesPerNode(_) | Self::Estimate => Unit::Bytes,
        }
    }

    /// The options that it needs.
    pub(super) fn ways(self) -> Vec<SearchOptions> {
        match self {
            Self::Estimate => Vec::new(),
            Self::Time(way)
            | Self::Space(way)
            | Self::Peak(way)
            | Self::Collisions(way)
            | Self::BytesPerNode(way) => vec![way],
            Self::TimeTo(one, two)
            | Self::TimeGain(one, two)
            | Self::SpaceTo(one, two)
            | Self::PeakGain(one, two)
            | Self::Omitted(one, two) => vec![one, two],
        }
    }

    /// The measured value.
    pub(super) fn of(self, measured: &MemoryMeasurement) -> Value {
        let get = |way, figure: fn(&MemoryFigures) -> f64| match measured.get(way) {
            None => Value::Absent,
            Some(figures) if !figures.finished => Value::Unfinished,
            Some(figures) => Value::Number(figure(figures)),
        };
        match self {
            Self::Time(way) => get(way, time),
            Self::TimeTo(one, two) => get(one, time).with(get(two, time), times),
            Self::TimeGain(one, two) => get(one, time).with(get(two, time), time_gain),
            Self::Space(way) => get(way, space),
            Self::SpaceTo(one, two) => get(one, space).with(get(two, space), part),
            Self::Peak(way) => get(way, peak),
            Self::PeakGain(one, two) => get(one, peak).with(get(two, peak), gain),
            Self::Collisions(way) => {
                let share = measured.get(way).and_then(|figures| figures.refused_share);
                get(way, visited).with(share.map_or(Value::Absent, Value::Number), |_, share| {
                    Value::Number(1000.0 * share)
                })
            }
            Self::Omitted(one, two) => get(one, visited).with(get(two, visited), omitted),
            Self::BytesPerNode(way) => get(way, MemoryFigures::bytes_per_node),
            Self::Estimate => measured.estimate.map_or(Value::Absent, Value::Number),
        }
    }
}

const MEBIBYTE: f64 = (1 << 20) as f64;

fn time(figures: &MemoryFigures) -> f64 {
    figures.cost.user_s
}

fn space(figures: &MemoryFigures) -> f64 {
    figures.passed_bytes as f64 / MEBIBYTE
}

fn peak(figures: &MemoryFigures) -> f64 {
    figures.cost.peak_bytes as f64 / MEBIBYTE
}

fn visited(figures: &MemoryFigures) -> f64 {
    figures.visited as f64
}

fn times(one: f64, base: f64) -> Value {
    if base < COMPARABLE_S { Value::Absent } else { part(one, base) }
}

fn part(one: f64, base: f64) -> Value {
    Value::Number(one / base)
}

fn time_gain(before: f64, after: f64) -> Value {
    if before < COMPARABLE_S { Value::Absent } else { gain(before, after) }
}

fn gain(before: f64, after: f64) -> Value {
    Value::Number(100.0 * (before - after) / before)
}

fn omitted(one: f64, exact: f64) -> Value {
    Value::Number(1000.0 * (exact - one) / exact)
}

const fn column(title: &'static str, figure: PaperFigure) -> PaperColumn {
    PaperColumn { title, figure }
}

/// Time and space with some options, and both relative to plain.
const fn to_plain(way: SearchOptions) -> [PaperColumn; 4] {
    [
        column("time s", PaperFigure::Time(way)),
        column("to plain", PaperFigure::TimeTo(way, PLAIN)),
        column("space MiB", PaperFigure::Space(way)),
        column("to plain", PaperFigure::SpaceTo(way, PLAIN)),
    ]
}

/// A figure of two options at three sizes, and of the exact list.
const fn at_sizes(figures: [PaperFigure; 7]) -> [PaperColumn; 7] {
    let [a, b, c, d, e, f, exact] = figures;
    [
        column("signature 16M", a),
        column("32M", b),
        column("64M", c),
        column("with zone 16M", d),
        column("32M", e),
        column("64M", f),
        column("plain", exact),
    ]
}

const TABLE_1: [PaperColumn; 4] = to_plain(PACKED_EQUALITY);
const TABLE_2: [PaperColumn; 4] = to_plain(PACKED);
const TABLE_3: [PaperColumn; 4] = to_plain(PACKED_ZONES);
const TABLE_4: [PaperColumn; 6] = [
    column("time off s", PaperFigure::Time(PLAIN_WAITING_OFF)),
    column("on s", PaperFigure::Time(PLAIN)),
    column("gain %", PaperFigure::TimeGain(PLAIN_WAITING_OFF, PLAIN)),
    column("space off MiB", PaperFigure::Peak(PLAIN_WAITING_OFF)),
    column("on MiB", PaperFigure::Peak(PLAIN)),
    column("gain %", PaperFigure::PeakGain(PLAIN_WAITING_OFF, PLAIN)),
];
const TABLE_5: [PaperColumn; 9] = [
    column("16M collision ‰", PaperFigure::Collisions(SUPERTRACE[0])),
    column("omitted ‰", PaperFigure::Omitted(SUPERTRACE[0], PLAIN_EQUALITY)),
    column("32M collision ‰", PaperFigure::Collisions(SUPERTRACE[1])),
    column("omitted ‰", PaperFigure::Omitted(SUPERTRACE[1], PLAIN_EQUALITY)),
    column("64M collision ‰", PaperFigure::Collisions(SUPERTRACE[2])),
    column("omitted ‰", PaperFigure::Omitted(SUPERTRACE[2], PLAIN_EQUALITY)),
    column("4 bits: 16M omitted ‰", PaperFigure::Omitted(SUPERTRACE_OF_4[0], PLAIN_EQUALITY)),
    column("32M omitted ‰", PaperFigure::Omitted(SUPERTRACE_OF_4[1], PLAIN_EQUALITY)),
    column("64M omitted ‰", PaperFigure::Omitted(SUPERTRACE_OF_4[2], PLAIN_EQUALITY)),
];
const TABLE_6: [PaperColumn; 5] = [
    column("16M", PaperFigure::Time(SUPERTRACE_WAITING[0])),
    column("32M", PaperFigure::Time(SUPERTRACE_WAITING[1])),
    column("64M", PaperFigure::Time(SUPERTRACE_WAITING[2])),
    column("plain, equality", PaperFigure::Time(PLAIN_EQUALITY)),
    column("plain, inclusion", PaperFigure::Time(PLAIN)),
];
const TABLE_7: [PaperColumn; 6] = [
    column("signature 16M", PaperFigure::Omitted(SIGNATURES_OF_7[0], PLAIN_EQUALITY)),
    column("32M", PaperFigure::Omitted(SIGNATURES_OF_7[1], PLAIN_EQUALITY)),
    column("64M", PaperFigure::Omitted(SIGNATURES_OF_7[2], PLAIN_EQUALITY)),
    column("with zone 16M", PaperFigure::Omitted(ZONES_BY_7[0], PLAIN_WAITING_OFF)),
    column("32M", PaperFigure::Omitted(ZONES_BY_7[1], PLAIN_WAITING_OFF)),
    column("64M", PaperFigure::Omitted(ZONES_BY_7[2], PLAIN_WAITING_OFF)),
];
const TABLE_8: [PaperColumn; 7] = at_sizes([
    PaperFigure::Time(SIGNATURES_OF_47[0]),
    PaperFigure::Time(SIGNATURES_OF_47[1]),
    PaperFigure::Time(SIGNATURES_OF_47[2]),
    PaperFigure::Time(ZONES_BY_47[0]),
    PaperFigure::Time(ZONES_BY_47[1]),
    PaperFigure::Time(ZONES_BY_47[2]),
    PaperFigure::Time(PLAIN),
]);
const TABLE_9: [PaperColumn; 7] = at_sizes([
    PaperFigure::Peak(SIGNATURES_OF_47[0]),
    PaperFigure::Peak(SIGNATURES_OF_47[1]),
    PaperFigure::Peak(SIGNATURES_OF_47[2]),
    PaperFigure::Peak(ZONES_BY_47[0]),
    PaperFigure::Peak(ZONES_BY_47[1]),
    PaperFigure::Peak(ZONES_BY_47[2]),
    PaperFigure::Peak(PLAIN),
]);

const FORM_COUNT: usize = FORMS.len();

/// A column for each exact form.
const fn of_forms<const EXTRA: usize>(figure: ForEach, last: Option<PaperColumn>) -> [PaperColumn; EXTRA] {
    let mut columns = [column("", PaperFigure::Estimate); EXTRA];
    let mut at = 0;
    while at < FORM_COUNT {
        let (title, way) = FORMS[at];
        let figure = match figure {
            ForEach::BytesPerNode => PaperFigure::BytesPerNode(way),
            ForEach::SpaceTo => PaperFigure::SpaceTo(way, PLAIN),
            ForEach::TimeTo => PaperFigure::TimeTo(way, PLAIN),
        };
        columns[at] = column(title, figure);
        at += 1;
    }
    if let Some(last) = last {
        columns[FORM_COUNT] = last;
    }
    columns
}

/// The figure of each form.
#[derive(Clone, Copy)]
enum ForEach {
    BytesPerNode,
    SpaceTo,
    TimeTo,
}

const FORMS_BYTES: [PaperColumn; FORM_COUNT + 1] =
    of_forms(ForEach::BytesPerNode, Some(column("estimate", PaperFigure::Estimate)));
const FORMS_SPACE: [PaperColumn; FORM_COUNT] = of_forms(ForEach::SpaceTo, None);
const FORMS_TIME: [PaperColumn; FORM_COUNT] = of_forms(ForEach::TimeTo, None);

/// All tables, in the order of printing.
pub(super) const TABLES: [PaperTable; 12] = [
    PaperTable { number: 1, title: "Whole states packed, compared for equality", columns: &TABLE_1 },
    PaperTable { number: 2, title: "Whole states packed, compared by inclusion", columns: &TABLE_2 },
    PaperTable { number: 3, title: "Discrete part packed, zones with cheap inclusion", columns: &TABLE_3 },
    PaperTable { number: 4, title: "Inclusion on waiting states, off and on", columns: &TABLE_4 },
    PaperTable { number: 5, title: "Supertrace: collisions and omitted states", columns: &TABLE_5 },
    PaperTable { number: 6, title: "Supertrace: seconds", columns: &TABLE_6 },
    PaperTable { number: 7, title: "Signatures of 7 bits: per mille omitted", columns: &TABLE_7 },
    PaperTable { number: 8, title: "Signatures of 47 bits: seconds", columns: &TABLE_8 },
    PaperTable { number: 9, title: "Signatures of 47 bits: MiB of the process", columns: &TABLE_9 },
    PaperTable {
        number: 10,
        title: "Exact forms (zones, discrete): bytes for each node",
        columns: &FORMS_BYTES,
    },
    PaperTable { number: 10, title: "Exact forms: passed list, relative to plain", columns: &FORMS_SPACE },
    PaperTable { number: 10, title: "Exact forms: time, relative to plain", columns: &FORMS_TIME },
];

#[cfg(test)]
mod tests {
    use super::super::ways;
    use super::*;

    /// A column with an unsupported option would stay empty without a message.
    #[test]
    fn this_program_knows_what_the_tables_ask_of_it() {
        let figures = TABLES.iter().flat_map(|table| table.columns).map(|column| column.figure);
        let unknown: Vec<String> = figures.flat_map(PaperFigure::ways).flat_map(ways::unknown).collect();
        assert_eq!(unknown, Vec::<String>::new());
    }
}
