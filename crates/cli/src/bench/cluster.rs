//! `tourbillon bench cluster`: what several ranks gain, and what it costs.
//!
//! Fischer's protocol and CSMA/CD, explored by one search and then by 1, 2 and 4 ranks: as threads, or as processes if
//! `--mpirun` says how to start them. Time is that of the clock on the wall, from the first state to the last, since that
//! is what ranks are to save; CPU time is the sum over the ranks, and tells what working together costs. The aims are that
//! two ranks on two cores are 1.5 times as fast as one, and that no rank has over ten per cent more memory than another
//! would in an even share. On a machine that does something else besides, the first can be missed for no fault of ours.

use std::path::Path;

use serde_json::{Value, json};

use super::table::table;
use super::{DIFFERS, Folder, RecordFormat, checker, child, note, own_program};
use crate::Failure;
use crate::quantity::{bytes_text, count_text};

/// The arguments of `tourbillon bench cluster`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A member to explore, such as fischer:8, instead of fischer 8 to 10 and csmacd 9 to 11; as often as needed
    #[arg(long = "member", value_name = "FAMILY:N")]
    members: Vec<String>,
    /// Numbers of ranks
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,2,4")]
    ranks: Vec<u32>,
    /// How often each is explored; the fastest counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// The order of the search, as `check` names it
    #[arg(long, value_name = "ORDER")]
    order: Option<String>,
    /// Ranks are processes, started by this command, such as "mpirun --oversubscribe"; threads if it is left out
    #[arg(long, value_name = "COMMAND")]
    mpirun: Option<String>,
    /// The form of the record
    #[arg(long, value_enum, default_value_t)]
    format: RecordFormat,
}

const MEMBERS: [(&str, u32); 6] =
    [("fischer", 8), ("fischer", 9), ("fischer", 10), ("csmacd", 9), ("csmacd", 10), ("csmacd", 11)];

/// One exploration.
struct Measured {
    member: String,
    /// How many ranks; none for one search without any.
    ranks: Option<u32>,
    wall_s: f64,
    /// Of all ranks, if it is known.
    cpu_s: Option<f64>,
    visited: u64,
    stored: u64,
    messages: u64,
    bytes: u64,
    memory: Vec<u64>,
}

impl Measured {
    /// How much the largest and the smallest share of memory differ from the average, at most.
    fn unevenness(&self) -> f64 {
        let average = self.memory.iter().sum::<u64>() as f64 / self.memory.len().max(1) as f64;
        self.memory.iter().map(|&bytes| (bytes as f64 / average - 1.0).abs()).fold(0.0, f64::max)
    }
}

/// Measures; text for standard output, and the exit status.
pub(crate) fn run(arguments: &Arguments) -> Result<(String, u8), Failure> {
    let mut measured: Vec<Measured> = Vec::new();
    let (folder, own) = (Folder::new()?, own_program()?);
    for (family, n) in members(arguments)? {
        let family = tourbillon::family(&family).map_err(|error| error.to_string())?;
        let (model, member) = (folder.member(family, n)?, format!("{} {n}", family.name()));
        for ranks in std::iter::once(None).chain(arguments.ranks.iter().copied().map(Some)) {
            let mut runs = Vec::new();
            for _ in 0..arguments.runs {
                runs.push(explore(arguments, &own, &model, &member, ranks)?);
            }
            let fastest = runs.into_iter().min_by(|one, two| one.wall_s.total_cmp(&two.wall_s));
            measured.extend(fastest);
        }
    }
    let agree =
        measured.windows(2).all(|pair| pair[0].member != pair[1].member || agrees(&pair[0], &pair[1]));
    let text = match arguments.format {
        RecordFormat::Text => text(&measured, agree),
        RecordFormat::Json => json_text(&measured),
    };
    Ok((text, if agree { 0 } else { DIFFERS }))
}

/// What is stored in the end depends on no order in these families.
fn agrees(one: &Measured, two: &Measured) -> bool {
    one.stored == two.stored
}

fn members(arguments: &Arguments) -> Result<Vec<(String, u32)>, Failure> {
    if arguments.members.is_empty() {
        return Ok(MEMBERS.map(|(family, n)| (family.to_owned(), n)).to_vec());
    }
    let parse = |member: &String| {
        let parts = member.split_once(':').and_then(|(family, n)| Some((family.to_owned(), n.parse().ok()?)));
        parts.ok_or_else(|| format!("`{member}` is no member: write fischer:8").into())
    };
    arguments.members.iter().map(parse).collect()
}

fn explore(
    arguments: &Arguments,
    own: &Path,
    model: &Path,
    member: &str,
    ranks: Option<u32>,
) -> Result<Measured, Failure> {
    let mut options = checker::default_arguments(model);
    if let Some(order) = &arguments.order {
        options.extend(["--order".to_owned(), order.clone()]);
    }
    let output = match (ranks, &arguments.mpirun) {
        (None, _) => child::run(own, &options)?.output,
        (Some(ranks), None) => {
            options.extend(["--engine", "cluster", "--ranks", &ranks.to_string()].map(str::to_owned));
            child::run(own, &options)?.output
        }
        (Some(ranks), Some(mpirun)) => {
            let mut words = mpirun.split_whitespace().map(str::to_owned);
            let program = words.next().ok_or_else(|| "--mpirun names no command".to_owned())?;
            let mut all: Vec<String> = words.collect();
            all.extend(["-n".to_owned(), ranks.to_string(), own.to_string_lossy().into_owned()]);
            all.extend(options);
            all.extend(["--engine", "cluster"].map(str::to_owned));
            child::run(Path::new(&program), &all)?.output
        }
    };
    let measured = read(member, ranks, &output)?;
    note(&format!("{member}, {} ranks: {:.2} s", ranks.unwrap_or(0), measured.wall_s));
    Ok(measured)
}

/// What a report says.
fn read(member: &str, ranks: Option<u32>, output: &str) -> Result<Measured, Failure> {
    checker::own_counts(output)?;
    let report: Value =
        serde_json::from_str(output).map_err(|error| format!("no report of ours: {error}"))?;
    let result = &report["results"][0];
    let each: &[Value] = result["ranks"].as_array().map_or(&[], Vec::as_slice);
    let sum = |name: &str| each.iter().filter_map(|rank| rank[name].as_u64()).sum();
    let stats = &result["stats"];
    let bytes = stats["passed_bytes"].as_u64().unwrap_or(0) + stats["waiting_bytes"].as_u64().unwrap_or(0);
    Ok(Measured {
        member: member.to_owned(),
        ranks,
        wall_s: stats["time_s"].as_f64().unwrap_or(0.0),
        cpu_s: each
            .iter()
            .map(|rank| rank["cpu_s"].as_f64())
            .sum::<Option<f64>>()
            .filter(|_| ranks.is_some()),
        visited: stats["visited"].as_u64().unwrap_or(0),
        stored: stats["stored"].as_u64().unwrap_or(0),
        messages: sum("messages"),
        bytes: sum("bytes"),
        memory: match ranks {
            None => vec![bytes],
            Some(_) => each.iter().filter_map(|rank| rank["memory_bytes"].as_u64()).collect(),
        },
    })
}

const TITLES: [&str; 10] = [
    "model",
    "ranks",
    "wall s",
    "speed-up",
    "CPU s",
    "visited",
    "messages",
    "sent",
    "memory per rank",
    "uneven",
];

fn text(measured: &[Measured], agree: bool) -> String {
    let one = |member: &str| {
        measured.iter().find(|it| it.member == member && it.ranks == Some(1)).map(|it| it.wall_s)
    };
    let row = |it: &Measured| {
        let speed_up =
            one(&it.member).map_or("-".to_owned(), |one| format!("{:.2}", one / it.wall_s.max(1e-6)));
        let largest = it.memory.iter().max().copied().unwrap_or(0);
        vec![
            it.member.clone(),
            it.ranks.map_or("none".to_owned(), |ranks| ranks.to_string()),
            format!("{:.2}", it.wall_s),
            speed_up,
            it.cpu_s.map_or("-".to_owned(), |time| format!("{time:.2}")),
            count_text(it.visited),
            count_text(it.messages),
            bytes_text(it.bytes),
            bytes_text(largest),
            format!("{:.1} %", 100.0 * it.unevenness()),
        ]
    };
    let mut text = table(&TITLES, &measured.iter().map(row).collect::<Vec<_>>());
    text.push_str(
        "\nThe fastest of each. Without ranks: one search, by --engine zones. Speed-up is to one rank.\n",
    );
    if !agree {
        text.push_str("differs: what is stored in the end is not always the same\n");
    }
    text
}

fn json_text(measured: &[Measured]) -> String {
    let rows = measured.iter().map(|it| {
        json!({
            "model": it.member,
            "ranks": it.ranks,
            "wall_s": it.wall_s,
            "cpu_s": it.cpu_s,
            "visited": it.visited,
            "stored": it.stored,
            "messages": it.messages,
            "bytes": it.bytes,
            "memory_bytes": it.memory,
        })
    });
    let record = json!({
        "schema": "tourbillon-bench-cluster/1",
        "tourbillon": env!("CARGO_PKG_VERSION"),
        "rows": rows.collect::<Vec<_>>(),
    });
    format!("{record:#}\n")
}
