//! `tourbillon-bench certificates`: what certificates cost.
//!
//! For each model, and with the cover by inclusion and the default one: the bytes of the file for each stored node, the time of writing, which is
//! that of the search with a certificate less that without, and the time of checking with one and two threads. All four are runs that
//! alternate. Times are user CPU seconds, medians; the speedup of checking is of wall time. Writing may change the plan of the default cover, since
//! the checker does not know every abstraction: that is part of its cost.
//!
//! The query is the first invariant of the family that holds and is not about deadlocks. Symmetry is off, and searches have one thread.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Value, json};
use tourbillon_cli::quantity::count_text;
use tourbillon_gen::Query;

use super::child::{self, Cost, RESOLUTION};
use super::table::table;
use super::{DIFFERS, Failure, Folder, RecordFormat, note, own_program};

/// The models by default.
const MODELS: [(&str, u32); 7] = [
    ("fischer", 10),
    ("csmacd", 11),
    ("train-gate", 5),
    ("critical-region", 4),
    ("corsso", 3),
    ("fddi", 40),
    ("lynch", 10),
];

/// What is asked of a family whose own invariant compares clocks, which takes many more states.
const QUERIES: [(&str, &str); 1] = [("csmacd", "A[] Bus.Idle imply Bus.j == 1")];

/// How successors are covered: what is asked of the search.
const COVERS: [(&str, &[&str]); 2] = [("inclusion", &["--cover", "inclusion"]), ("default", &[])];

/// The arguments of `tourbillon-bench certificates`.
#[derive(clap::Args)]
pub(crate) struct CertificatesArguments {
    /// Number of runs of each command
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Only these models, such as "fischer 10"
    #[arg(long = "model", value_name = "NAME N")]
    models: Vec<String>,
    /// Format of the record
    #[arg(long, value_enum, default_value_t)]
    format: RecordFormat,
}

/// A model with its certificate.
struct Row {
    model: String,
    cover: &'static str,
    /// What a run without certificate reports.
    stored: u64,
    file_bytes: u64,
    search: Sample,
    writing: Sample,
    /// With one thread, and with two.
    checking: [Sample; 2],
    is_accepted: bool,
}

/// The runs of a command.
#[derive(Clone, Default)]
struct Sample {
    costs: Vec<Cost>,
    walls: Vec<f64>,
}

impl Sample {
    fn user_s(&self) -> f64 {
        child::median(&self.costs).user_s.max(RESOLUTION.as_secs_f64())
    }

    fn wall_s(&self) -> f64 {
        let mut walls = self.walls.clone();
        walls.sort_by(f64::total_cmp);
        walls[walls.len() / 2]
    }
}

/// Measures. Returns text for standard output, and the exit status.
pub(crate) fn run(arguments: &CertificatesArguments) -> Result<(String, u8), Failure> {
    let (folder, own) = (Folder::new()?, own_program()?);
    let mut rows = Vec::new();
    for (name, n) in models(arguments)? {
        let (model, query) = member(&folder, &name, n)?;
        for (cover, options) in COVERS {
            let row =
                measure(&own, &format!("{name} {n}"), &model, &query, (cover, options), arguments.runs)?;
            note(&format!("{name} {n}, {cover}: {:.1} bytes a node", row.bytes_each()));
            rows.push(row);
        }
    }
    let text = match arguments.format {
        RecordFormat::Text => text(&rows),
        RecordFormat::Json => json_text(&rows),
    };
    Ok((text, if rows.iter().all(|row| row.is_accepted) { 0 } else { DIFFERS }))
}

fn models(arguments: &CertificatesArguments) -> Result<Vec<(String, u32)>, Failure> {
    if arguments.models.is_empty() {
        return Ok(MODELS.map(|(name, n)| (name.to_owned(), n)).to_vec());
    }
    let parse = |text: &String| {
        let (name, n) = text.rsplit_once(' ')?;
        Some((name.to_owned(), n.parse().ok()?))
    };
    let wrong = |text: &String| format!("`{text}` is not the name of a family and a number");
    arguments.models.iter().map(|text| parse(text).ok_or_else(|| wrong(text))).collect()
}

/// A member of a family as a file, and its query.
fn member(folder: &Folder, name: &str, n: u32) -> Result<(PathBuf, String), Failure> {
    let family = tourbillon::family(name).map_err(|error| error.to_string())?;
    let text = family.xta(n).map_err(|error| error.to_string())?;
    let queries = family.queries(n).map_err(|error| error.to_string())?;
    let is_invariant = |query: &&Query| {
        query.expected == Some(true)
            && query.formula.starts_with("A[]")
            && !query.formula.contains("deadlock")
    };
    let own = || queries.iter().find(is_invariant).map(|query| query.formula.clone());
    let other = QUERIES.iter().find(|(family, _)| *family == name).map(|(_, query)| (*query).to_owned());
    let query = other.or_else(own).ok_or_else(|| format!("{name} has no such query"))?;
    let path = folder.path.join(format!("{name}-{n}.xta"));
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok((path, query))
}

fn measure(
    own: &Path,
    name: &str,
    model: &Path,
    query: &str,
    (cover, options): (&'static str, &[&str]),
    runs: u32,
) -> Result<Row, Failure> {
    let model = model.to_string_lossy().into_owned();
    let file = format!("{model}.tbc");
    let search = ["check", &model, "-q", query, "--symmetry", "off", "--threads", "1", "--format", "json"];
    let search: Vec<&str> = search.iter().chain(options).copied().collect();
    let writing = [&search[..], &["--certificate", &file]].concat();
    let checking = |threads| vec!["certify", &model, &file, "--threads", threads, "--format", "json"];
    let commands = [search, writing, checking("1"), checking("2")];
    let mut samples: [Sample; 4] = std::array::from_fn(|_| Sample::default());
    let mut stored = 0;
    let mut is_accepted = true;
    for _ in 0..runs {
        for (index, (command, sample)) in commands.iter().zip(&mut samples).enumerate() {
            let started = Instant::now();
            let command: Vec<String> = command.iter().map(|&word| word.to_owned()).collect();
            let ran = child::run(own, &command)?;
            sample.walls.push(started.elapsed().as_secs_f64());
            sample.costs.push(ran.cost);
            let report: Value =
                serde_json::from_str(&ran.output).map_err(|error| format!("{name}: no report: {error}"))?;
            match index {
                0 => stored = report["results"][0]["stats"]["stored"].as_u64().unwrap_or(0),
                1 => {}
                _ => is_accepted &= report["outcome"] == "accepted",
            }
        }
    }
    let file_bytes = std::fs::metadata(&file).map_err(|error| format!("{file}: {error}"))?.len();
    let [search, writing, one, two] = samples;
    let checking = [one, two];
    Ok(Row { model: name.to_owned(), cover, stored, file_bytes, search, writing, checking, is_accepted })
}

impl Row {
    fn bytes_each(&self) -> f64 {
        self.file_bytes as f64 / self.stored.max(1) as f64
    }

    /// The cost of writing, relative to the search.
    fn writing_share(&self) -> f64 {
        self.writing.user_s() / self.search.user_s() - 1.0
    }

    /// The cost of checking, relative to the search.
    fn checking_share(&self, which: usize) -> f64 {
        self.checking[which].user_s() / self.search.user_s()
    }

    fn speedup(&self) -> f64 {
        self.checking[0].wall_s() / self.checking[1].wall_s()
    }
}

const TITLES: [&str; 10] = [
    "model",
    "cover",
    "stored",
    "bytes a node",
    "search s",
    "writing",
    "checking s",
    "to search",
    "two threads: CPU to search",
    "faster",
];

fn text(rows: &[Row]) -> String {
    let cells = rows.iter().map(|row| {
        vec![
            row.model.clone(),
            row.cover.to_owned(),
            count_text(row.stored),
            format!("{:.1}", row.bytes_each()),
            format!("{:.2}", row.search.user_s()),
            format!("{:.0} %", 100.0 * row.writing_share()),
            format!("{:.2}", row.checking[0].user_s()),
            format!("{:.1}", row.checking_share(0)),
            format!("{:.1}", row.checking_share(1)),
            format!("{:.2}", row.speedup()),
        ]
    });
    let mut text = table(&TITLES, &cells.collect::<Vec<_>>());
    text.push_str("\nUser CPU seconds, medians; the last column is of wall time.\n");
    for row in rows.iter().filter(|row| !row.is_accepted) {
        text.push_str(&format!("differs: the certificate of {} is not accepted\n", row.model));
    }
    text
}

fn json_text(rows: &[Row]) -> String {
    let rows = rows.iter().map(|row| {
        json!({
            "model": row.model,
            "cover": row.cover,
            "stored": row.stored,
            "file_bytes": row.file_bytes,
            "search_s": row.search.user_s(),
            "search_and_writing_s": row.writing.user_s(),
            "checking_s": [row.checking[0].user_s(), row.checking[1].user_s()],
            "checking_wall_s": [row.checking[0].wall_s(), row.checking[1].wall_s()],
            "accepted": row.is_accepted,
        })
    });
    let record = json!({
        "schema": "tourbillon-bench-certificates/1",
        "tourbillon": env!("CARGO_PKG_VERSION"),
        "rows": rows.collect::<Vec<_>>(),
    });
    format!("{record:#}\n")
}
