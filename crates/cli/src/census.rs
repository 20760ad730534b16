//! `tourbillon debug census`: the parts of the stored states of a model, and a lower bound on their size.

use tourbillon::{Census, PlanRequest, Request, census, census_json, census_unfinished};

use crate::input::Files;
use crate::options::PlanOptions;
use crate::quantity::count_text;
use crate::render::Format;
use crate::{Failure, interrupt, render};

/// The arguments of `tourbillon debug census`.
#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 0 all states are counted; 2 the input is wrong; 3 the exploration was interrupted (Ctrl-C), and the \
                  states stored by then are counted; 4 internal error."
)]
pub(crate) struct CensusArguments {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    plan: PlanOptions,
    /// Report format
    #[arg(long, value_enum, default_value_t, help_heading = "Report")]
    format: Format,
}

/// The exploration was not completed.
const UNFINISHED: u8 = 3;

/// Explores and counts. Returns text for standard output, and the exit status.
pub(crate) fn run(arguments: &CensusArguments) -> Result<(String, u8), Failure> {
    if arguments.plan.is_cluster() {
        return Err("debug census supports --engine zones only".to_owned().into());
    }
    let loaded = arguments.files.load_only(&[])?;
    if loaded.model.is_none() {
        render::tell(&loaded.diagnostics, loaded.sources(), arguments.format);
        return Err(Failure::Reported);
    }
    let stop = interrupt::flag();
    let plan_request =
        PlanRequest { overflow: arguments.files.overflow(), ..arguments.plan.plan_request_for(&loaded)? };
    let request = Request { plan_request, stop: Some(&stop), ..Request::default() };
    let counted =
        census(&loaded, &request).map_err(|error| render::check_error(error, &loaded, arguments.format))?;
    let text = match arguments.format {
        Format::Text => text(&counted),
        Format::Json => format!("{:#}\n", census_json(&counted)),
    };
    Ok((text, if counted.unfinished.is_some() { UNFINISHED } else { 0 }))
}

fn text(census: &Census) -> String {
    let each = |bits: f64| format!("{:.2} bytes", bits / 8.0 / census.nodes.max(1) as f64);
    let constraints = census.constraints as f64 / census.zones.max(1) as f64;
    let lines = [
        ("nodes", count_text(census.nodes)),
        ("discrete states", count_text(census.discrete_states)),
        ("  possible by occurring values", format!("2^{:.1}", census.value_bits)),
        ("  possible by declared ranges", format!("2^{:.1}", census.range_bits)),
        ("distinct zones", count_text(census.zones)),
        (
            "  minimal constraints",
            format!("{constraints:.1} for each zone, {} distinct bounds", census.bounds),
        ),
        ("lower bound for each node", each(census.bits.total())),
        ("  set of discrete states", each(census.bits.discrete)),
        ("  number of zones of each", each(census.bits.counts)),
        ("  choice of zones", each(census.bits.choices)),
        ("  set of zones", each(census.bits.zones)),
    ];
    let table: String = lines.iter().map(|(name, figure)| format!("{name:<35} {figure}\n")).collect();
    match census_unfinished(census) {
        None => table,
        Some(why) => {
            format!(
                "The exploration was not completed: {why}. The table counts the states stored by then.\n\n{table}"
            )
        }
    }
}
