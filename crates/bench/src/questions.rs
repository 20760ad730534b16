//! `tourbillon-bench questions`: the cost of queries relative to an exploration.
//!
//! Each row checks a query of a member of a family, and explores it with the bounds that the query needs. Both
//! alternate, and their ratio is the cost of the query itself. Liveness queries have no such exploration; for them
//! there is a limit in seconds and bytes.

use serde_json::{Value, json};
use tourbillon::Family;

use super::child::{self, Cost, RESOLUTION};
use super::table::table;
use super::{DIFFERS, Folder, RecordFormat, note, own_program, peers};
use crate::Failure;
use tourbillon_cli::quantity::bytes_text;

/// The arguments of `tourbillon-bench questions`.
#[derive(clap::Args)]
pub(crate) struct QuestionsArguments {
    /// Number of runs of each query
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Only rows that take less than a second or two
    #[arg(long)]
    quick: bool,
    /// Format of the record
    #[arg(long, value_enum, default_value_t)]
    format: RecordFormat,
}

/// A query, and the exploration that it is compared with.
struct QuestionRow {
    family: &'static str,
    n: u32,
    query: &'static str,
    verdict: &'static str,
    /// The options of the exploration.
    beside: Option<&'static [&'static str]>,
    /// The maximum ratio; without an exploration, the maximum number of seconds.
    aim: f64,
    quick: bool,
}

const EXPLORE_M: Option<&[&str]> = Some(&["--explore", "--abstraction", "extra-m+"]);

/// The least constant beyond all bounds of the model, so that zones keep the values of `sup`.
const EXPLORE_FAR: Option<&[&str]> = Some(&["-q", "A[] Process(1).request imply Process(1).x <= 100000000"]);

const ROWS: [QuestionRow; 7] = [
    QuestionRow {
        family: "fischer",
        n: 6,
        query: "A[] !deadlock",
        verdict: "satisfied",
        beside: EXPLORE_M,
        aim: 3.0,
        quick: true,
    },
    // There are deadlocks: every state satisfies the query, so that all of them are found.
    QuestionRow {
        family: "csmacd",
        n: 6,
        query: "A[] deadlock imply Bus.y >= 0",
        verdict: "satisfied",
        beside: EXPLORE_M,
        aim: 3.0,
        quick: true,
    },
    QuestionRow {
        family: "critical-region",
        n: 3,
        query: "A[] !deadlock",
        verdict: "satisfied",
        beside: EXPLORE_M,
        aim: 3.0,
        quick: true,
    },
    QuestionRow {
        family: "fischer",
        n: 6,
        query: "sup{Process(1).request}: Process(1).x",
        verdict: "satisfied",
        beside: EXPLORE_FAR,
        aim: 2.0,
        quick: true,
    },
    QuestionRow {
        family: "fischer",
        n: 6,
        query: "Process(1).request --> Process(1).wait",
        verdict: "satisfied",
        beside: None,
        aim: 60.0,
        quick: true,
    },
    QuestionRow {
        family: "train-gate",
        n: 5,
        query: "Train(0).Cross --> Train(0).Safe",
        verdict: "satisfied",
        beside: None,
        aim: 60.0,
        quick: false,
    },
    QuestionRow {
        family: "train-gate",
        n: 5,
        query: "Train(0).Appr --> Train(0).Cross",
        verdict: "violated",
        beside: None,
        aim: 60.0,
        quick: true,
    },
];

/// The results of a row.
struct QuestionResult {
    row: &'static QuestionRow,
    own: Cost,
    beside: Option<Cost>,
    /// Whether the verdict is the known one.
    agrees: bool,
}

impl QuestionRow {
    fn family(&self) -> Result<&'static Family, Failure> {
        tourbillon::family(self.family).map_err(|error| error.to_string())
    }

    fn model(&self) -> String {
        format!("{} {}", self.family, self.n)
    }
}

impl QuestionResult {
    /// The cost of the query relative to the exploration.
    fn ratio(&self) -> Option<f64> {
        Some(self.own.user_s / self.beside?.user_s.max(RESOLUTION.as_secs_f64()))
    }
}

/// Measures. Returns text for standard output, and the exit status.
pub(crate) fn run(arguments: &QuestionsArguments) -> Result<(String, u8), Failure> {
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

fn measure(row: &'static QuestionRow, folder: &Folder, runs: u32) -> Result<QuestionResult, Failure> {
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
    Ok(QuestionResult { row, own: child::median(&own), beside, agrees })
}

fn verdict(output: &str) -> Option<String> {
    let report: Value = serde_json::from_str(output).ok()?;
    Some(report["results"][0]["verdict"].as_str()?.to_owned())
}

const TITLES: [&str; 7] = ["model", "question", "answer", "CPU s", "memory", "beside, CPU s", "times (aim)"];

fn text(outcomes: &[QuestionResult]) -> String {
    let rows: Vec<Vec<String>> = outcomes.iter().map(|outcome| cells(outcome).to_vec()).collect();
    let mut text = table(&TITLES, &rows);
    text.push_str(
        "\nUser CPU time, medians, compared with the exploration with the bounds that the query needs.\n",
    );
    for outcome in outcomes.iter().filter(|outcome| !outcome.agrees) {
        text.push_str(&format!("differs: {}, {}\n", outcome.row.model(), outcome.row.query));
    }
    text
}

fn cells(outcome: &QuestionResult) -> [String; 7] {
    let QuestionResult { row, own, beside, .. } = outcome;
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

fn json_text(outcomes: &[QuestionResult]) -> String {
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
