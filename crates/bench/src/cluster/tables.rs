//! The tables: their explorations, columns and targets.

use clap::ValueEnum;
use serde_json::{Value as Json, json};

use super::super::rows::Effort;
use super::super::value::{Unit, Value};
use super::explore::{ClusterFigures, HASH, SPREAD, Setting, Share};
use super::models::ClusterModel;
use super::thesis;
use tourbillon_cli::quantity::{bytes_text, count_text};

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum ClusterTable {
    /// Speedup of several ranks, each with its own states and single zones
    Gain,
    /// One diagram over one to four ranks
    Distribution,
    /// Four ranks with one diagram, two and four diagrams
    Groups,
}

/// The numbers of ranks of the second table.
const DISTRIBUTED: [u32; 4] = [1, 2, 3, 4];
/// The number of ranks of the third table, and their layouts by the number of groups.
const GROUPED: u32 = 4;
const GROUPS: [(u32, &str); 3] = [(1, SPREAD), (2, "groups=2"), (4, "cdd-per-rank")];

/// The target speedup of two ranks, and the allowed imbalance of their memory.
const SPEED_UP_BAR: f64 = 1.5;
const UNEVENNESS_BAR: f64 = 0.1;
/// The targets of one diagram: bytes relative to four, CPU time relative to one rank, messages for each state.
const BYTES_BAR: f64 = 0.4;
const CPU_BAR: f64 = 3.0;
const MESSAGES_BAR: f64 = 1.0;
/// The shortest time that is compared: below it, thread start-up dominates.
const COMPARABLE_S: f64 = 0.02;

/// A row of a table.
pub(super) struct ClusterRow<'a> {
    pub(super) model: &'a str,
    pub(super) is_ours: bool,
    /// The number of ranks or groups; `None` for a search without ranks.
    number: Option<u32>,
    figures: &'a ClusterFigures,
    /// The row that it is compared with.
    compared: Option<&'a ClusterFigures>,
    /// The row that its CPU time is compared with.
    one: Option<&'a ClusterFigures>,
}

impl ClusterTable {
    /// All tables, in the order of printing.
    pub(super) const ALL: [Self; 3] = [Self::Gain, Self::Distribution, Self::Groups];

    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Gain => "gain",
            Self::Distribution => "distribution",
            Self::Groups => "groups",
        }
    }

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Gain => "Speedup of several ranks, --layout hash: time, messages, memory",
            Self::Distribution => "One diagram over one to four ranks, --layout cdd-spread (section 8.6.3)",
            Self::Groups => {
                "Four ranks in one, two and four groups: --layout cdd-spread, groups=2, cdd-per-rank (section 8.6.5)"
            }
        }
    }

    const fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Gain => &[
                "ranks",
                "wall s",
                "speed-up",
                "CPU s",
                "visited",
                "messages",
                "sent",
                "memory per rank",
                "uneven",
            ],
            Self::Distribution => &[
                "ranks",
                "wall s",
                "to one",
                "CPU to one",
                "diagram",
                "to one",
                "CPU load %",
                "memory load %",
                "messages",
                "by state",
            ],
            Self::Groups => &[
                "groups",
                "wall s",
                "to four",
                "CPU rel. to one rank",
                "diagrams",
                "to four",
                "messages",
                "by state",
            ],
        }
    }

    /// The expected time of a model.
    pub(super) const fn effort(self, model: &ClusterModel) -> Option<Effort> {
        match self {
            Self::Gain => model.single,
            Self::Distribution | Self::Groups => model.united,
        }
    }

    /// The numbers of its rows, with the exploration of each.
    fn settings(self, ranks: &[u32]) -> Vec<(Option<u32>, Setting)> {
        match self {
            Self::Gain => std::iter::once((None, Setting::ALONE))
                .chain(ranks.iter().map(|&ranks| (Some(ranks), Setting::new(ranks, HASH))))
                .collect(),
            Self::Distribution => {
                DISTRIBUTED.map(|ranks| (Some(ranks), Setting::new(ranks, SPREAD))).to_vec()
            }
            Self::Groups => {
                GROUPS.map(|(groups, layout)| (Some(groups), Setting::new(GROUPED, layout))).to_vec()
            }
        }
    }

    /// All explorations that it needs.
    pub(super) fn needed(self, ranks: &[u32]) -> Vec<Setting> {
        let mut needed: Vec<Setting> = self.settings(ranks).into_iter().map(|(_, setting)| setting).collect();
        if self == Self::Groups {
            needed.push(Setting::new(1, SPREAD));
        }
        needed
    }

    /// The row that others are compared with: one rank, or four groups.
    fn compared(self) -> (Option<u32>, Setting) {
        let (groups, layout) = GROUPS[2];
        match self {
            Self::Gain => (Some(1), Setting::new(1, HASH)),
            Self::Distribution => (Some(1), Setting::new(1, SPREAD)),
            Self::Groups => (Some(groups), Setting::new(GROUPED, layout)),
        }
    }

    /// The rows of one of our models.
    pub(super) fn rows<'a>(
        self,
        model: &'a str,
        explored: &'a [(Setting, ClusterFigures)],
        ranks: &[u32],
    ) -> Vec<ClusterRow<'a>> {
        let find = |wanted: Setting| {
            explored.iter().find(|(setting, _)| *setting == wanted).map(|(_, figures)| figures)
        };
        let compared = find(self.compared().1);
        let one = find(Setting::new(1, if self == Self::Gain { HASH } else { SPREAD }));
        let row = |(number, setting)| {
            find(setting).map(|figures| ClusterRow { model, is_ours: true, number, figures, compared, one })
        };
        self.settings(ranks).into_iter().filter_map(row).collect()
    }

    /// The figures of the thesis.
    pub(super) fn of_thesis(self) -> Vec<(String, Vec<(u32, ClusterFigures)>)> {
        let of = |model: &thesis::ThesisModel| match self {
            Self::Gain => Vec::new(),
            Self::Distribution => (1..)
                .zip(&model.distribution)
                .map(|(ranks, &(seconds, computers))| (ranks, distributed(model, seconds, computers)))
                .collect(),
            Self::Groups => GROUPS
                .iter()
                .zip(&model.groups)
                .map(|(&(groups, _), &printed)| (groups, grouped(model, printed)))
                .collect(),
        };
        thesis::MODELS.iter().map(|model| (format!("thesis: {}", model.name), of(model))).collect()
    }

    /// The rows of a model of the thesis.
    pub(super) fn thesis_rows<'a>(
        self,
        model: &'a str,
        printed: &'a [(u32, ClusterFigures)],
    ) -> Vec<ClusterRow<'a>> {
        let with = self.compared().0;
        let compared = printed.iter().find(|(number, _)| Some(*number) == with).map(|(_, figures)| figures);
        let row = |(number, figures): &'a (u32, ClusterFigures)| ClusterRow {
            model,
            is_ours: false,
            number: Some(*number),
            figures,
            compared,
            one: None,
        };
        printed.iter().map(row).collect()
    }

    /// The titles of all columns.
    pub(super) fn titles(self) -> Vec<&'static str> {
        std::iter::once("model").chain(self.columns().iter().copied()).collect()
    }

    /// A row as text.
    pub(super) fn cells(self, row: &ClusterRow<'_>) -> Vec<String> {
        let number = row.number.map_or("none".to_owned(), |number| number.to_string());
        let mut cells = vec![row.model.to_owned(), number];
        if row.figures.finished {
            cells.extend(match self {
                Self::Gain => row.gain(),
                Self::Distribution => row.distribution(),
                Self::Groups => row.groups(),
            });
        }
        cells.resize(1 + self.columns().len(), Value::Unfinished.text(Unit::Count));
        cells
    }
}

fn distributed(model: &thesis::ThesisModel, seconds: f64, computers: &[thesis::Computer]) -> ClusterFigures {
    let ranks = computers.iter().map(|&(bytes, load, messages)| printed_share(bytes, load, messages));
    printed(model, seconds, ranks.collect())
}

fn grouped(model: &thesis::ThesisModel, (seconds, bytes, messages): (f64, u64, u64)) -> ClusterFigures {
    printed(model, seconds, vec![printed_share(bytes, 100, messages)])
}

fn printed_share(bytes: u64, load: u8, messages: u64) -> Share {
    Share { zone_bytes: bytes, load: f64::from(load) / 100.0, messages, ..Share::default() }
}

fn printed(model: &thesis::ThesisModel, wall_s: f64, ranks: Vec<Share>) -> ClusterFigures {
    let (states, stored, discrete_states) = (model.states, 0, 0);
    ClusterFigures { finished: true, wall_s, cpu_s: None, states, stored, discrete_states, ranks }
}

impl ClusterRow<'_> {
    fn gain(&self) -> Vec<String> {
        let figures = self.figures;
        let speed_up = self
            .times(|one| Some(one.wall_s))
            .with(Value::Number(1.0), |times, _| Value::Number(1.0 / times));
        let slow = self.number == Some(2) && matches!(speed_up, Value::Number(times) if times < SPEED_UP_BAR);
        let largest = figures.ranks.iter().map(|rank| rank.memory_bytes).max().unwrap_or(0);
        let uneven = figures.unevenness();
        vec![
            seconds(figures.wall_s),
            self.marked(slow, speed_up.text(Unit::Times)),
            figures.cpu_s.map_or("–".to_owned(), seconds),
            count_text(figures.states),
            count_text(figures.sum(|rank| rank.messages)),
            bytes_text(figures.sum(|rank| rank.sent_bytes)),
            bytes_text(largest),
            self.marked(uneven > UNEVENNESS_BAR, format!("{:.1} %", 100.0 * uneven)),
        ]
    }

    fn distribution(&self) -> Vec<String> {
        let figures = self.figures;
        let bytes = figures.sum(|rank| rank.zone_bytes);
        let list = |figure: &dyn Fn(&Share) -> f64| {
            let each = figures.ranks.iter().map(|rank| format!("{:.0}", 100.0 * figure(rank)));
            each.collect::<Vec<_>>().join(" ")
        };
        let share = |rank: &Share| rank.zone_bytes as f64 / bytes.max(1) as f64;
        vec![
            seconds(figures.wall_s),
            self.times(|one| Some(one.wall_s)).text(Unit::Times),
            self.cpu_times(),
            bytes_text(bytes),
            self.times(|one| Some(one.sum(|rank| rank.zone_bytes) as f64)).text(Unit::Times),
            list(&|rank| rank.load),
            list(&share),
            count_text(figures.sum(|rank| rank.messages)),
            self.messages_by_state(),
        ]
    }

    fn groups(&self) -> Vec<String> {
        let figures = self.figures;
        let bytes = self.times(|four| Some(four.sum(|rank| rank.zone_bytes) as f64));
        let large = self.number == Some(1) && matches!(bytes, Value::Number(times) if times > BYTES_BAR);
        vec![
            seconds(figures.wall_s),
            self.times(|four| Some(four.wall_s)).text(Unit::Times),
            self.cpu_times(),
            bytes_text(figures.sum(|rank| rank.zone_bytes)),
            self.marked(large, bytes.text(Unit::Times)),
            count_text(figures.sum(|rank| rank.messages)),
            self.messages_by_state(),
        ]
    }

    /// A figure of this row, relative to the compared row.
    fn times(&self, figure: impl Fn(&ClusterFigures) -> Option<f64>) -> Value {
        let value = |of: Option<&ClusterFigures>| match of {
            Some(figures) if !figures.finished => Value::Unfinished,
            figures => figures.and_then(&figure).map_or(Value::Absent, Value::Number),
        };
        value(Some(self.figures)).with(value(self.compared), |own, other| {
            if other > 0.0 { Value::Number(own / other) } else { Value::Absent }
        })
    }

    /// The CPU time, relative to one rank.
    fn cpu_times(&self) -> String {
        let comparable = |figures: &ClusterFigures| figures.cpu_s.filter(|&time| time >= COMPARABLE_S);
        let times = ClusterRow { compared: self.one, ..*self }.times(comparable);
        self.marked(matches!(times, Value::Number(times) if times > CPU_BAR), times.text(Unit::Times))
    }

    fn messages_by_state(&self) -> String {
        let messages = self.figures.sum(|rank| rank.messages) as f64 / self.figures.states.max(1) as f64;
        self.marked(messages > MESSAGES_BAR, Value::Number(messages).text(Unit::Times))
    }

    /// Marks one of our figures if it misses its target.
    fn marked(&self, misses: bool, text: String) -> String {
        if misses && self.is_ours { format!("! {text}") } else { text }
    }

    pub(super) fn json(&self) -> Json {
        let mut row = self.figures.json();
        row["model"] = self.model.into();
        row["number"] = json!(self.number);
        row
    }
}

fn seconds(time: f64) -> String {
    Value::Number(time).text(Unit::Seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_program_knows_what_the_tables_ask_of_it() {
        for setting in ClusterTable::ALL.into_iter().flat_map(|table| table.needed(&[1, 2])) {
            let arguments = ["check", "model", "--engine", "cluster", "--layout", setting.layout];
            assert!(tourbillon_cli::accepts(arguments), "{setting:?}");
        }
    }

    #[test]
    fn figures_of_the_thesis_are_those_of_its_text() {
        let rows = |table: ClusterTable, model: usize| {
            let (name, printed) = table.of_thesis().swap_remove(model);
            table.thesis_rows(&name, &printed).iter().map(|row| table.cells(row)).collect::<Vec<_>>()
        };
        // "between 560% and 900%", "between 4.3% and 6.7%", and 2.3 messages for each of four computers.
        let fischer = &rows(ClusterTable::Distribution, 2)[3];
        assert_eq!((fischer[3].as_str(), fischer[6].as_str()), ("9.03", "1.07"));
        assert_eq!((fischer[7].as_str(), fischer[8].as_str()), ("100 72 23 4", "15 65 19 1"));
        assert_eq!(fischer[10], "9.19");
        // One diagram of Buscoupler takes 0.3 of four.
        assert_eq!(rows(ClusterTable::Groups, 1)[0][6], "0.30");
        assert!(rows(ClusterTable::Gain, 0).is_empty());
    }

    #[test]
    fn what_misses_its_bar_is_marked() {
        let ranks = [Share { memory_bytes: 10, zone_bytes: 41, messages: 30, ..Share::default() }; 4];
        let figures = |cpu, zone_bytes| {
            let ranks = ranks.iter().map(|rank| Share { zone_bytes, ..*rank }).collect();
            let counts = (20, 20, 20);
            let (states, stored, discrete_states) = counts;
            ClusterFigures {
                finished: true,
                wall_s: 1.0,
                cpu_s: Some(cpu),
                states,
                stored,
                discrete_states,
                ranks,
            }
        };
        let explored = [
            (Setting::new(1, SPREAD), figures(1.0, 10)),
            (Setting::new(4, SPREAD), figures(3.5, 41)),
            (Setting::new(4, "cdd-per-rank"), figures(1.0, 100)),
        ];
        let rows = ClusterTable::Groups.rows("model", &explored, &[]);
        let cells = ClusterTable::Groups.cells(&rows[0]);
        assert_eq!([&cells[4], &cells[6], &cells[8]], ["! 3.50", "! 0.41", "! 6.00"]);
        let four = ClusterTable::Groups.cells(&rows[1]);
        assert_eq!([&four[1], &four[4], &four[6]], ["4", "1.00", "1.00"]);
    }

    #[test]
    fn what_did_not_end_is_no_figure() {
        let ranks = vec![Share::default()];
        let figures = ClusterFigures {
            finished: false,
            wall_s: 1.0,
            cpu_s: None,
            states: 1,
            stored: 1,
            discrete_states: 1,
            ranks,
        };
        let explored = [(Setting::ALONE, figures)];
        let rows = ClusterTable::Gain.rows("model", &explored, &[1]);
        let cells = ClusterTable::Gain.cells(&rows[0]);
        assert_eq!(cells.len(), ClusterTable::Gain.titles().len());
        assert!(cells[2..].iter().all(|cell| cell == "⊥"), "{cells:?}");
    }
}
