//! `tourbillon-bench peers`: comparison with another checker, on the same explorations of the same files.
//!
//! A round runs the peer, this checker with the same abstraction, cover relation and order, and, once for each member,
//! this checker with its default plan; figures are medians over the rounds. The counts of every run are compared with
//! the known ones: a checker that explores less is not faster.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::checker::{self, ExplorationCounts, Explored};
use super::child::{self, Cost, RESOLUTION};
use super::rows::{Effort, FamilyRow, ROWS};
use super::table::table;
use super::{DIFFERS, Folder, RecordFormat, known_families, note, own_program, short_name};
use crate::Failure;
use tourbillon_cli::quantity::count_text;

/// The arguments of `tourbillon-bench peers`.
#[derive(clap::Args)]
pub(crate) struct PeersArguments {
    /// Only this family; may be repeated
    #[arg(long = "family", value_name = "NAME")]
    families: Vec<String>,
    /// Number of runs of each program on each model
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Only rows that take seconds, for the peer too
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Include rows that take minutes
    #[arg(long)]
    full: bool,
    /// Program of the peer [default: tck-reach on PATH]
    #[arg(long, value_name = "PROGRAM")]
    peer: Option<PathBuf>,
    /// Format of the record
    #[arg(long, value_enum, default_value_t)]
    format: RecordFormat,
}

/// The results of a row.
struct PeerMeasurement {
    row: FamilyRow,
    peer: Option<Cost>,
    own: Cost,
    /// The cost of the default plan, and its stored states; once for each member.
    default: Option<(Cost, u64)>,
    /// ExplorationCounts that differ, in words.
    differences: Vec<String>,
}

/// Measures. Returns text for standard output, and the exit status.
pub(crate) fn run(arguments: &PeersArguments) -> Result<(String, u8), Failure> {
    known_families(&arguments.families)?;
    let peer = checker::find_peer(arguments.peer.as_ref());
    let folder = Folder::new()?;
    let own = own_program()?;
    let mut record = Vec::new();
    for row in chosen(arguments) {
        let model = folder.member(row.family(), row.known.n)?;
        let measured = measure(row, &model, &own, peer.as_deref(), arguments.runs)?;
        note(&format!("{}: {}", row.model(), in_short(&measured)));
        record.push(measured);
    }
    let agrees = record.iter().all(|measured| measured.differences.is_empty());
    let text = match arguments.format {
        RecordFormat::Text => text(&record, peer.as_deref(), arguments.runs),
        RecordFormat::Json => format!("{:#}\n", json_record(&record, peer.as_deref(), arguments.runs)),
    };
    Ok((text, if agrees { 0 } else { DIFFERS }))
}

fn chosen(arguments: &PeersArguments) -> impl Iterator<Item = FamilyRow> {
    let most = match (arguments.quick, arguments.full) {
        (true, _) => Effort::Quick,
        (_, true) => Effort::Long,
        _ => Effort::Usual,
    };
    let asked = |row: &FamilyRow| {
        arguments.families.is_empty() || arguments.families.iter().any(|name| name == row.family)
    };
    ROWS.iter().filter(move |row| row.effort <= most && asked(row)).copied()
}

fn measure(
    row: FamilyRow,
    model: &Path,
    own: &Path,
    peer: Option<&Path>,
    runs: u32,
) -> Result<PeerMeasurement, Failure> {
    let (mut peers, mut owns, mut defaults) = (Vec::new(), Vec::new(), Vec::new());
    let mut differences = Vec::new();
    let mut compare = |who: &str, counts: ExplorationCounts| {
        let known = ExplorationCounts::of(&row.known);
        let complaint = format!("{}: {who} counts {counts:?}, expected {known:?}", row.model());
        if counts != known && !differences.contains(&complaint) {
            differences.push(complaint);
        }
    };
    let mut default_stored = 0;
    for _ in 0..runs {
        if let Some(peer) = peer {
            let ran = child::run(peer, &checker::peer_arguments(model, &row.known))?;
            compare(&short_name(peer), checker::peer_counts(&ran.output)?);
            peers.push(ran.cost);
        }
        let ran = child::run(own, &checker::own_arguments(model, &row.known))?;
        compare("tourbillon", complete(&ran.output)?);
        owns.push(ran.cost);
        if row.is_usual() {
            let ran = child::run(own, &checker::default_arguments(model))?;
            default_stored = complete(&ran.output)?.stored;
            defaults.push(ran.cost);
        }
    }
    let peer = peer.map(|_| child::median(&peers));
    let default = row.is_usual().then(|| (child::median(&defaults), default_stored));
    Ok(PeerMeasurement { row, peer, own: child::median(&owns), default, differences })
}

/// The counts of an exploration without a time limit.
fn complete(output: &str) -> Result<ExplorationCounts, Failure> {
    match checker::own_counts(output)? {
        Explored::Complete { counts, .. } => Ok(counts),
        Explored::OutOfTime => unreachable!("no time limit was given"),
    }
}

impl PeerMeasurement {
    /// The speedup of another run relative to the peer.
    fn faster(&self, own: Cost) -> Option<f64> {
        self.peer.map(|peer| peer.user_s / own.user_s.max(RESOLUTION.as_secs_f64()))
    }

    /// The memory of the peer relative to another run.
    fn smaller(&self, own: Cost) -> Option<f64> {
        self.peer.map(|peer| peer.peak_bytes as f64 / own.peak_bytes as f64)
    }

    /// The targets that are missed.
    fn misses(&self) -> String {
        let mut misses = Vec::new();
        if self.faster(self.own).is_some_and(|times| times < self.row.faster) {
            misses.push(format!("{}×", self.row.faster));
        }
        let least = self.row.memory.map(f64::recip);
        if let (Some(times), Some(least)) = (self.smaller(self.own), least)
            && times < least
        {
            misses.push(format!("1/{least}"));
        }
        misses.join(", ")
    }
}

const TITLES: [&str; 15] = [
    "model",
    "search",
    "stored",
    "visited",
    "peer s",
    "ours s",
    "faster",
    "peer MiB",
    "ours MiB",
    "memory",
    "misses",
    "default stored",
    "default s",
    "faster",
    "memory",
];

fn text(record: &[PeerMeasurement], peer: Option<&Path>, runs: u32) -> String {
    // Without a peer, the comparisons are omitted.
    let compares = ["peer s", "faster", "peer MiB", "memory", "misses"];
    let shown: Vec<usize> =
        (0..TITLES.len()).filter(|&column| peer.is_some() || !compares.contains(&TITLES[column])).collect();
    let pick = |cells: &[String]| shown.iter().map(|&column| cells[column].clone()).collect::<Vec<_>>();
    let titles: Vec<&str> = shown.iter().map(|&column| TITLES[column]).collect();
    let rows: Vec<Vec<String>> = record.iter().map(|measured| pick(&cells(measured))).collect();
    let mut text = table(&titles, &rows);
    let rounds = if runs == 1 { "one run".to_owned() } else { format!("{runs} alternating runs") };
    text.push_str(&format!(
        "\nUser CPU seconds and peak resident memory, medians of {rounds} on one thread.\n"
    ));
    for complaint in record.iter().flat_map(|measured| &measured.differences) {
        text.push_str(&format!("differs: {complaint}\n"));
    }
    if peer.is_none() {
        text.push_str(&format!(
            "There is no peer: TChecker's `{}` is not on PATH, and --peer is not given.\n",
            checker::PEER
        ));
    }
    text
}

fn cells(measured: &PeerMeasurement) -> [String; 15] {
    let PeerMeasurement { row, peer, own, .. } = measured;
    let default = measured.default.map(|(cost, _)| cost);
    let optional = |value: Option<String>| value.unwrap_or_default();
    let times = |value: Option<f64>| optional(value.map(|value| format!("{value:.1}×")));
    let part = |value: Option<f64>| optional(value.map(|value| format!("1/{value:.1}")));
    [
        row.model(),
        format!("{} {}", checker::algorithm(&row.known), checker::order(&row.known)),
        count_text(row.known.stored),
        count_text(row.known.visited),
        optional(peer.map(|peer| seconds(peer.user_s))),
        seconds(own.user_s),
        times(measured.faster(*own)),
        optional(peer.map(|peer| mebibytes(peer.peak_bytes))),
        mebibytes(own.peak_bytes),
        part(measured.smaller(*own)),
        measured.misses(),
        optional(measured.default.map(|(_, stored)| count_text(stored))),
        optional(default.map(|cost| seconds(cost.user_s))),
        times(default.and_then(|cost| measured.faster(cost))),
        part(default.and_then(|cost| measured.smaller(cost))),
    ]
}

pub(crate) fn seconds(seconds: f64) -> String {
    if seconds < 0.9995 { format!("{seconds:.3}") } else { format!("{seconds:.2}") }
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / f64::from(1 << 20))
}

fn in_short(measured: &PeerMeasurement) -> String {
    let own = format!("{} s, {} MiB", seconds(measured.own.user_s), mebibytes(measured.own.peak_bytes));
    match measured.peer {
        Some(peer) => format!("{own}; peer {} s, {} MiB", seconds(peer.user_s), mebibytes(peer.peak_bytes)),
        None => own,
    }
}

fn json_record(record: &[PeerMeasurement], peer: Option<&Path>, runs: u32) -> Value {
    let cost = |cost: Cost| json!({"user_s": cost.user_s, "peak_rss_bytes": cost.peak_bytes});
    let rows = record.iter().map(|measured| {
        let PeerMeasurement { row, peer, own, default, differences } = measured;
        json!({
            "family": row.family,
            "n": row.known.n,
            "algorithm": checker::algorithm(&row.known),
            "order": checker::order(&row.known),
            "stored": row.known.stored,
            "visited": row.known.visited,
            "transitions": row.known.transitions,
            "peer": peer.map(cost),
            "own": cost(*own),
            "default": default.map(|(default, _)| cost(default)),
            "default_stored": default.map(|(_, stored)| stored),
            "times_faster": measured.faster(*own),
            "times_faster_aim": row.faster,
            "memory_part": measured.smaller(*own).map(f64::recip),
            "memory_part_aim": row.memory,
            "differences": differences,
        })
    });
    json!({
        "schema": "tourbillon-bench-peers/1",
        "tourbillon": env!("CARGO_PKG_VERSION"),
        "peer": peer.map(short_name),
        "runs": runs,
        "rows": rows.collect::<Vec<_>>(),
    })
}
