//! `tourbillon gen`: members of the benchmark families.

use std::fmt::Write as _;

use tourbillon::{Target, convert, families, family, load_with_queries};

use crate::CommandOutput;

/// The arguments of `tourbillon gen`.
#[derive(clap::Args)]
pub(crate) struct GenArguments {
    /// Name of the family [default: list all]
    name: Option<String>,
    /// Parameter: the number of processes, stations, trains and so on
    number: Option<u32>,
    /// Language
    #[arg(long = "as", value_enum, default_value_t)]
    language: FamilyLanguage,
    /// Write its queries instead, as a .q file
    #[arg(long)]
    queries: bool,
}

#[derive(Clone, Copy, Default, clap::ValueEnum)]
enum FamilyLanguage {
    /// UPPAAL's XML, with the queries and a layout
    #[default]
    Xml,
    /// UPPAAL's text
    Xta,
    /// TChecker's text
    Tck,
}

pub(crate) fn run(arguments: &GenArguments) -> CommandOutput {
    let Some(name) = &arguments.name else { return Ok(list()) };
    let family = family(name).map_err(|error| error.to_string())?;
    let Some(number) = arguments.number else {
        return Err(format!("which member of `{name}`? A number is missing").into());
    };
    let queries = family.q(number).map_err(|error| error.to_string())?;
    let text = match arguments.language {
        _ if arguments.queries => return Ok(queries),
        FamilyLanguage::Tck => family.tck(number),
        FamilyLanguage::Xta | FamilyLanguage::Xml => family.xta(number),
    };
    let text = text.map_err(|error| error.to_string())?;
    match arguments.language {
        FamilyLanguage::Xta | FamilyLanguage::Tck => Ok(text),
        FamilyLanguage::Xml => {
            let file = format!("{name}-{number}");
            let queries = (format!("{file}.q"), queries);
            let queries = (queries.0.as_str(), queries.1.as_bytes());
            let loaded = load_with_queries(&format!("{file}.xta"), text.as_bytes(), Some(queries));
            match convert(&loaded, Target::Xml) {
                Ok(converted) => Ok(converted.text),
                Err(_) => Err(format!("the text of `{name}` does not load: internal error").into()),
            }
        }
    }
}

fn list() -> String {
    let mut text = String::new();
    let width = families().iter().map(|family| family.name().len()).max().unwrap_or(0);
    for family in families() {
        let _ = writeln!(text, "{:<width$}  {}", family.name(), family.summary());
    }
    text
}
