//! `tourbillon-bench questions`: what questions cost beyond an exploration.
//!
//! Each row asks something of a member of a family, and beside it does what the question cannot do without: the exploration
//! with the bounds that the question needs. Both run in turn, and their ratio is what the answer itself costs. Questions
//! about runs have no such exploration; for them there is a limit in seconds and bytes.

use serde_json::{Value, json};
use tourbillon::Family;

use super::child::{self, Cost, RESOLUTION};
use super::table::table;
use super::{DIFFERS, Folder, RecordFormat, note, own_program, peers};
use crate::Failure;
use tourbillon_cli::quantity::bytes_text;

/// The arguments of `tourbillon-bench questions`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How often each question is asked
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Only what takes less than a second or two
    #[arg(long)]
    quick: bool,
    /// The form of the record
    #[arg(long, value_enum, default_value_t)]
    format: RecordFormat,
}

/// A question, and what it is compared with.
struct Row {
    family: &'static str,
    n: u32,
    query: &'static str,
    verdict: &'static str,
    /// What the question cannot do without.
    beside: Option<&'static [&'static str]>,
    /// At most how many times as much it should cost; without something beside it, how many seconds.
    aim: f64,
    quick: bool,
}

const EXPLORE_M: Option<&[&str]> = Some(&["--explore", "--abstraction", "extra-m+"]);

/// The least constant that no bound of the model comes near, so that zones keep what `sup` asks for.
const EXPLORE_FAR: Option<&[&str]> = Some(&["-q", "A[] Process(1).request imply Process(1).x <= 100000000"]);

const ROWS: [Row; 7] = [
    Row {
        family: "fischer",
        n: 6,
        query: "A[] !deadlock",
        verdict: "satisfied",
        beside: EXPLORE_M,
        aim: 3.0,
        quick: true,
    },
    // There are deadlocks: what is asked for is there in every state, so that all of them are found.
    Row {
        family: "csmacd",
        n: 6,
        query: "A[] deadlock imply Bus.y >= 0",
        verdict: "satisfied",
        beside: EXPLORE_M,
        aim: 3.0,
        quick: true,
    },
    Row {
        family: "critical-region",
        n: 3,
        query: "A[] !deadlock",
        verdict: "satisfied",
        beside: EXPLORE_M,
        aim: 3.0,
        quick: true,
    },
    Row {
        family: "fischer",
        n: 6,
        query: "sup{Process(1).request}: Process(1).x",
        verdict: "satisfied",
        beside: EXPLORE_FAR,
        aim: 2.0,
        quick: true,
    },
    Row {
        family: "fischer",
        n: 6,
        query: "Process(1).request --> Process(1).wait",
        verdict: "satisfied",
        beside: None,
        aim: 60.0,
        quick: true,
    },
    Row {
        family: "train-gate",
        n: 5,
        query: "Train(0).Cross --> Train(0).Safe",
        verdict: "satisfied",
        beside: None,
        aim: 60.0,
        quick: false,
    },
    Row {
        family: "train-gate",
        n: 5,
        query: "Train(0).Appr --> Train(0).Cross",
        verdict: "violated",
        beside: None,
        aim: 60.0,
        quick: true,
    },
];

/// What a row came to.
struct Outcome {
    row: &'static Row,
    own: Cost,
    beside: Option<Cost>,
    /// Whether the answer is the known one.
    agrees: bool,
}

impl Row {
    fn family(&self) -> Result<&'static Family, Failure> {
        Ok(tourbillon::family(self.family).map_err(|error| error.to_string())?)
    }

    fn model(&self) -> String {
        format!("{} {}", self.family, self.n)
    }
}

impl Outcome {
    /// The times that the question costs what stands beside it.
    fn ratio(&self) -> Option<f64> {
        Some(self.own.user_s / self.beside?.user_s.max(RESOLUTION.as_secs_f64()))
    }
}

/// Measures; text for standard output, and the exit status.
pub(crate) fn run(arguments: &Arguments) -> Result<(String, u8), Failure> {
    let folder = Folder::new()?;
    let rows = ROWS.iter().filter(|row| row.quick || !arguments.quick);
    let outcomes =
        rows.map(|row| measure(row, &folder, arguments.runs)).collect::<Result<Vec<_>, Failure>>()?;
    let agrees = outcomes.iter().all(|outcome| outcome.agrees);
    let text = match arguments.format {
        RecordFormat::Text => text(&outcomes),
        RecordFormat::Json => json_text(&outcomes),
    };
    Ok((text, if agrees { 0 } else { DIFFERS }))
}

fn measure(row: &'static Row, folder: &Folder, runs: u32) -> Result<Outcome, Failure> {
    let model = folder.path.join(format!("{}-{}.xta", row.family, row.n));
    let text = row.family()?.xta(row.n).map_err(|error| error.to_string())?;
    std::fs::write(&model, text).map_err(|error| format!("{}: {error}", model.display()))?;
    let program = own_program()?;
    let arguments = |asked: &[&str]| -> Vec<String> {
        let model = model.display().to_string();
        let common = ["check", &model, "--trace", "none", "--format", "json"];
        common.iter().chain(asked).map(|&argument| argument.to_owned()).collect()
    };
    let (mut own, mut beside, mut agrees) = (Vec::new(), Vec::new(), true);
    for _ in 0..runs {
        let ran = child::run(&program, &arguments(&["-q", row.query]))?;
        agrees &= verdict(&ran.output) == Some(row.verdict.to_owned());
        own.push(ran.cost);
        if let Some(asked) = row.beside {
            beside.push(child::run(&program, &arguments(asked))?.cost);
        }
        note(&format!("{}, {}: {} s", row.model(), row.query, peers::seconds(own[own.len() - 1].user_s)));
    }
    let beside = (!beside.is_empty()).then(|| child::median(&beside));
    Ok(Outcome { row, own: child::median(&own), beside, agrees })
}

fn verdict(output: &str) -> Option<String> {
    let report: Value = serde_json::from_str(output).ok()?;
    Some(report["results"][0]["verdict"].as_str()?.to_owned())
}

const TITLES: [&str; 7] = ["model", "question", "answer", "CPU s", "memory", "beside, CPU s", "times (aim)"];

fn text(outcomes: &[Outcome]) -> String {
    let rows: Vec<Vec<String>> = outcomes.iter().map(|outcome| cells(outcome).to_vec()).collect();
    let mut text = table(&TITLES, &rows);
    text.push_str(
        "\nUser CPU time, medians. Beside: the exploration with the bounds that the question needs.\n",
    );
    for outcome in outcomes.iter().filter(|outcome| !outcome.agrees) {
        text.push_str(&format!("differs: {}, {}\n", outcome.row.model(), outcome.row.query));
    }
    text
}

fn cells(outcome: &Outcome) -> [String; 7] {
    let Outcome { row, own, beside, .. } = outcome;
    [
        row.model(),
        row.query.to_owned(),
        row.verdict.to_owned(),
        peers::seconds(own.user_s),
        bytes_text(own.peak_bytes),
        beside.map_or_else(String::new, |cost| peers::seconds(cost.user_s)),
        outcome.ratio().map_or_else(
            || format!("(under {} s)", row.aim),
            |ratio| format!("{ratio:.2} (at most {})", row.aim),
        ),
    ]
}

fn json_text(outcomes: &[Outcome]) -> String {
    let rows = outcomes.iter().map(|outcome| {
        json!({
            "family": outcome.row.family,
            "n": outcome.row.n,
            "query": outcome.row.query,
            "verdict": outcome.row.verdict,
            "user_s": outcome.own.user_s,
            "peak_rss_bytes": outcome.own.peak_bytes,
            "beside_user_s": outcome.beside.map(|cost| cost.user_s),
            "times": outcome.ratio(),
            "aim": outcome.row.aim,
            "agrees": outcome.agrees,
        })
    });
    let record = json!({
        "schema": "tourbillon-bench-questions/1",
        "tourbillon": env!("CARGO_PKG_VERSION"),
        "rows": rows.collect::<Vec<_>>(),
    });
    format!("{record:#}\n")
}
