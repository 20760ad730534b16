//! The tables: the paper's nine `[Bengtsson2001]`, and one of ours with every exact form.
//!
//! A table is data: which figure of which ways of exploring stands in which column. To add a form is to add a way, and a
//! column that shows it.
//!
//! What a figure compares was measured in the same run of the bench. Space is that of the passed list by its own account
//! (Tables 1 to 3, and 10) or the peak of the whole process (Tables 4 and 9, where what waits counts too). What is left
//! out is found by comparing the number of visited states with that of the exact search.

use super::super::value::{Unit, Value};
use super::measure::{Figures, Measured};

use super::ways::{
    FORMS, PACKED, PACKED_EQUALITY, PACKED_ZONES, PLAIN, PLAIN_EQUALITY, PLAIN_WAITING_OFF, SIGNATURES_OF_7,
    SIGNATURES_OF_47, SUPERTRACE, SUPERTRACE_OF_4, SUPERTRACE_WAITING, Way, ZONES_BY_7, ZONES_BY_47,
};

/// A table.
pub(super) struct Table {
    /// Its number in the paper; 10 is ours.
    pub(super) number: u32,
    pub(super) title: &'static str,
    pub(super) columns: &'static [Column],
}

/// A column.
#[derive(Clone, Copy)]
pub(super) struct Column {
    pub(super) title: &'static str,
    pub(super) figure: Figure,
}

/// What stands in a column.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Figure {
    /// User CPU seconds.
    Time(Way),
    /// The time of the first by that of the second.
    TimeTo(Way, Way),
    /// Of the time of the first, what the second saves.
    TimeGain(Way, Way),
    /// Mebibytes of the passed list.
    Space(Way),
    /// The passed list of the first by that of the second.
    SpaceTo(Way, Way),
    /// The peak of the process.
    Peak(Way),
    /// Of the peak of the first, what the second saves.
    PeakGain(Way, Way),
    /// The estimated share of new states that were refused.
    Collisions(Way),
    /// The share of the visited states of the second that the first does not visit.
    Omitted(Way, Way),
    /// Bytes of the passed list for each stored node.
    BytesPerNode(Way),
    /// Bytes for each node of a set of states without anything to find them by.
    Estimate,
}

/// The shortest time that is compared with: below, starting a process is most of it.
const COMPARABLE_S: f64 = 0.02;

impl Figure {
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

    /// The ways that it is about.
    pub(super) fn ways(self) -> Vec<Way> {
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

    /// What was measured.
    pub(super) fn of(self, measured: &Measured) -> Value {
        let get = |way, figure: fn(&Figures) -> f64| match measured.get(way) {
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
            Self::BytesPerNode(way) => get(way, Figures::bytes_per_node),
            Self::Estimate => measured.estimate.map_or(Value::Absent, Value::Number),
        }
    }
}

const MEBIBYTE: f64 = (1 << 20) as f64;

fn time(figures: &Figures) -> f64 {
    figures.cost.user_s
}

fn space(figures: &Figures) -> f64 {
    figures.passed_bytes as f64 / MEBIBYTE
}

fn peak(figures: &Figures) -> f64 {
    figures.cost.peak_bytes as f64 / MEBIBYTE
}

fn visited(figures: &Figures) -> f64 {
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

const fn column(title: &'static str, figure: Figure) -> Column {
    Column { title, figure }
}

/// Time and space of a way, and both relative to plain.
const fn to_plain(way: Way) -> [Column; 4] {
    [
        column("time s", Figure::Time(way)),
        column("to plain", Figure::TimeTo(way, PLAIN)),
        column("space MiB", Figure::Space(way)),
        column("to plain", Figure::SpaceTo(way, PLAIN)),
    ]
}

/// A figure of two ways at three sizes, and of the exact list.
const fn at_sizes(figures: [Figure; 7]) -> [Column; 7] {
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

const TABLE_1: [Column; 4] = to_plain(PACKED_EQUALITY);
const TABLE_2: [Column; 4] = to_plain(PACKED);
const TABLE_3: [Column; 4] = to_plain(PACKED_ZONES);
const TABLE_4: [Column; 6] = [
    column("time off s", Figure::Time(PLAIN_WAITING_OFF)),
    column("on s", Figure::Time(PLAIN)),
    column("gain %", Figure::TimeGain(PLAIN_WAITING_OFF, PLAIN)),
    column("space off MiB", Figure::Peak(PLAIN_WAITING_OFF)),
    column("on MiB", Figure::Peak(PLAIN)),
    column("gain %", Figure::PeakGain(PLAIN_WAITING_OFF, PLAIN)),
];
const TABLE_5: [Column; 9] = [
    column("16M collision ‰", Figure::Collisions(SUPERTRACE[0])),
    column("omitted ‰", Figure::Omitted(SUPERTRACE[0], PLAIN_EQUALITY)),
    column("32M collision ‰", Figure::Collisions(SUPERTRACE[1])),
    column("omitted ‰", Figure::Omitted(SUPERTRACE[1], PLAIN_EQUALITY)),
    column("64M collision ‰", Figure::Collisions(SUPERTRACE[2])),
    column("omitted ‰", Figure::Omitted(SUPERTRACE[2], PLAIN_EQUALITY)),
    column("4 bits: 16M omitted ‰", Figure::Omitted(SUPERTRACE_OF_4[0], PLAIN_EQUALITY)),
    column("32M omitted ‰", Figure::Omitted(SUPERTRACE_OF_4[1], PLAIN_EQUALITY)),
    column("64M omitted ‰", Figure::Omitted(SUPERTRACE_OF_4[2], PLAIN_EQUALITY)),
];
const TABLE_6: [Column; 5] = [
    column("16M", Figure::Time(SUPERTRACE_WAITING[0])),
    column("32M", Figure::Time(SUPERTRACE_WAITING[1])),
    column("64M", Figure::Time(SUPERTRACE_WAITING[2])),
    column("plain, equality", Figure::Time(PLAIN_EQUALITY)),
    column("plain, inclusion", Figure::Time(PLAIN)),
];
const TABLE_7: [Column; 6] = [
    column("signature 16M", Figure::Omitted(SIGNATURES_OF_7[0], PLAIN_EQUALITY)),
    column("32M", Figure::Omitted(SIGNATURES_OF_7[1], PLAIN_EQUALITY)),
    column("64M", Figure::Omitted(SIGNATURES_OF_7[2], PLAIN_EQUALITY)),
    column("with zone 16M", Figure::Omitted(ZONES_BY_7[0], PLAIN_WAITING_OFF)),
    column("32M", Figure::Omitted(ZONES_BY_7[1], PLAIN_WAITING_OFF)),
    column("64M", Figure::Omitted(ZONES_BY_7[2], PLAIN_WAITING_OFF)),
];
const TABLE_8: [Column; 7] = at_sizes([
    Figure::Time(SIGNATURES_OF_47[0]),
    Figure::Time(SIGNATURES_OF_47[1]),
    Figure::Time(SIGNATURES_OF_47[2]),
    Figure::Time(ZONES_BY_47[0]),
    Figure::Time(ZONES_BY_47[1]),
    Figure::Time(ZONES_BY_47[2]),
    Figure::Time(PLAIN),
]);
const TABLE_9: [Column; 7] = at_sizes([
    Figure::Peak(SIGNATURES_OF_47[0]),
    Figure::Peak(SIGNATURES_OF_47[1]),
    Figure::Peak(SIGNATURES_OF_47[2]),
    Figure::Peak(ZONES_BY_47[0]),
    Figure::Peak(ZONES_BY_47[1]),
    Figure::Peak(ZONES_BY_47[2]),
    Figure::Peak(PLAIN),
]);

const FORM_COUNT: usize = FORMS.len();

/// A column for each exact form.
const fn of_forms<const EXTRA: usize>(figure: Each, last: Option<Column>) -> [Column; EXTRA] {
    let mut columns = [column("", Figure::Estimate); EXTRA];
    let mut at = 0;
    while at < FORM_COUNT {
        let (title, way) = FORMS[at];
        let figure = match figure {
            Each::BytesPerNode => Figure::BytesPerNode(way),
            Each::SpaceTo => Figure::SpaceTo(way, PLAIN),
            Each::TimeTo => Figure::TimeTo(way, PLAIN),
        };
        columns[at] = column(title, figure);
        at += 1;
    }
    if let Some(last) = last {
        columns[FORM_COUNT] = last;
    }
    columns
}

/// What is told of each form.
#[derive(Clone, Copy)]
enum Each {
    BytesPerNode,
    SpaceTo,
    TimeTo,
}

const FORMS_BYTES: [Column; FORM_COUNT + 1] =
    of_forms(Each::BytesPerNode, Some(column("estimate", Figure::Estimate)));
const FORMS_SPACE: [Column; FORM_COUNT] = of_forms(Each::SpaceTo, None);
const FORMS_TIME: [Column; FORM_COUNT] = of_forms(Each::TimeTo, None);

/// All of them, in the order in which they are printed.
pub(super) const TABLES: [Table; 12] = [
    Table { number: 1, title: "Whole states packed, compared for equality", columns: &TABLE_1 },
    Table { number: 2, title: "Whole states packed, compared by inclusion", columns: &TABLE_2 },
    Table { number: 3, title: "Discrete part packed, zones with cheap inclusion", columns: &TABLE_3 },
    Table { number: 4, title: "Inclusion on waiting states, off and on", columns: &TABLE_4 },
    Table { number: 5, title: "Supertrace: collisions, and what is left out", columns: &TABLE_5 },
    Table { number: 6, title: "Supertrace: seconds", columns: &TABLE_6 },
    Table { number: 7, title: "Signatures of 7 bits: per mille left out", columns: &TABLE_7 },
    Table { number: 8, title: "Signatures of 47 bits: seconds", columns: &TABLE_8 },
    Table { number: 9, title: "Signatures of 47 bits: MiB of the process", columns: &TABLE_9 },
    Table { number: 10, title: "Exact forms (zones, discrete): bytes for each node", columns: &FORMS_BYTES },
    Table { number: 10, title: "Exact forms: passed list, to plain", columns: &FORMS_SPACE },
    Table { number: 10, title: "Exact forms: time, to plain", columns: &FORMS_TIME },
];

#[cfg(test)]
mod tests {
    use super::super::ways;
    use super::*;

    /// A column whose options are gone would stay empty without a word.
    #[test]
    fn this_program_knows_what_the_tables_ask_of_it() {
        let figures = TABLES.iter().flat_map(|table| table.columns).map(|column| column.figure);
        let unknown: Vec<String> = figures.flat_map(Figure::ways).flat_map(ways::unknown).collect();
        assert_eq!(unknown, Vec::<String>::new());
    }
}
