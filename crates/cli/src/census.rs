//! `tourbillon debug census`: what the stored states of a model consist of, and the least that they could take.

use tourbillon::{Census, Request, Wishes, census, census_json};

use crate::input::Files;
use crate::options::PlanOptions;
use crate::quantity::count_text;
use crate::render::Format;
use crate::{Failure, Outcome, interrupt, render};

/// The arguments of `tourbillon debug census`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    plan: PlanOptions,
    /// The form of the report
    #[arg(long, value_enum, default_value_t, help_heading = "Report")]
    format: Format,
}

/// Explores and counts; text for standard output.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if arguments.plan.is_cluster() {
        return Err("a census is taken of one list of states: leave --engine out".to_owned().into());
    }
    let loaded = arguments.files.load_only(&[])?;
    if loaded.model.is_none() {
        render::tell(&loaded.diagnostics, loaded.sources(), arguments.format);
        return Err(Failure::Told);
    }
    let stop = interrupt::flag();
    let wishes = Wishes { overflow: arguments.files.overflow, ..arguments.plan.wishes_for(&loaded)? };
    let request = Request { wishes, stop: Some(&stop), ..Request::default() };
    let counted =
        census(&loaded, &request).map_err(|trouble| render::trouble(trouble, &loaded, arguments.format))?;
    Ok(match arguments.format {
        Format::Text => text(&counted),
        Format::Json => format!("{:#}\n", census_json(&counted)),
    })
}

fn text(census: &Census) -> String {
    let each = |bits: f64| format!("{:.2} bytes", bits / 8.0 / census.nodes.max(1) as f64);
    let constraints = census.constraints as f64 / census.zones.max(1) as f64;
    let lines = [
        ("nodes", count_text(census.nodes)),
        ("discrete states", count_text(census.discrete_states)),
        ("  of those that values allow", format!("2^{:.1}", census.value_bits)),
        ("  of those that ranges allow", format!("2^{:.1}", census.range_bits)),
        ("different zones", count_text(census.zones)),
        ("  minimal constraints", format!("{constraints:.1} in each, {} different bounds", census.bounds)),
        ("to write them down, for each node", each(census.bits.total())),
        ("  which discrete states there are", each(census.bits.discrete)),
        ("  how many zones each has", each(census.bits.counts)),
        ("  which zones", each(census.bits.choices)),
        ("  the zones themselves", each(census.bits.zones)),
    ];
    lines.iter().map(|(name, figure)| format!("{name:<35} {figure}\n")).collect()
}
