//! Commands that convert, draw and print models.

use std::path::PathBuf;

use tourbillon::{
    CheckError, Loaded, Model, Source, Target, bounds_text, convert as convert_model, draw_dot, draw_svg,
    system_text,
};

use crate::input::Input;
use crate::{CommandOutput, Failure, render};

/// `tourbillon convert`.
#[derive(clap::Args)]
pub(crate) struct ConvertArguments {
    #[command(flatten)]
    input: Input,
    /// Target language
    #[arg(long, value_enum)]
    to: ModelLanguage,
    /// Output file [default: standard output]
    #[arg(short, long)]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ModelLanguage {
    /// UPPAAL's XML, laid out automatically where the model has no layout
    Xml,
    /// UPPAAL's text
    Xta,
    /// TChecker's text
    Tck,
    /// JSON, for programs
    Json,
}

/// `tourbillon draw`.
#[derive(clap::Args)]
pub(crate) struct DrawArguments {
    #[command(flatten)]
    input: Input,
    /// Output format
    #[arg(long, value_enum)]
    to: DrawingFormat,
    /// Template to draw [default: all]
    #[arg(long)]
    template: Option<String>,
    /// Output file [default: standard output]
    #[arg(short, long)]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum DrawingFormat {
    /// Graphviz
    Dot,
    /// SVG, in the layout of the model, or laid out automatically
    Svg,
}

/// `tourbillon debug ast`, `debug bounds`, `debug model` and `debug system`.
#[derive(clap::Args)]
pub(crate) struct InspectArguments {
    #[command(flatten)]
    input: Input,
}

pub(crate) fn convert(arguments: &ConvertArguments) -> CommandOutput {
    let loaded = arguments.input.load()?;
    let target = match arguments.to {
        ModelLanguage::Xml => Target::Xml,
        ModelLanguage::Xta => Target::Xta,
        ModelLanguage::Tck => Target::Tck,
        ModelLanguage::Json => Target::Json,
    };
    match convert_model(&loaded, target) {
        Ok(converted) => {
            render::tell(&converted.diagnostics, loaded.sources(), arguments.input.format);
            deliver(converted.text, arguments.output.as_ref())
        }
        Err(diagnostics) => {
            render::tell(&diagnostics, loaded.sources(), arguments.input.format);
            Err(Failure::Reported)
        }
    }
}

pub(crate) fn draw(arguments: &DrawArguments) -> CommandOutput {
    let loaded = arguments.input.load()?;
    let template = arguments.template.as_deref();
    let drawn = match arguments.to {
        DrawingFormat::Dot => draw_dot(&loaded, template),
        DrawingFormat::Svg => draw_svg(&loaded, template),
    };
    match drawn {
        Ok(Some(text)) => deliver(text, arguments.output.as_ref()),
        Ok(None) => {
            Err(Failure::Message(format!("there is no template called `{}`", template.unwrap_or_default())))
        }
        Err(diagnostics) => {
            render::tell(&diagnostics, loaded.sources(), arguments.input.format);
            Err(Failure::Reported)
        }
    }
}

pub(crate) fn ast(arguments: &InspectArguments) -> CommandOutput {
    let loaded = arguments.input.load()?;
    match &loaded.source {
        Source::Uppaal(document) => Ok(document.model_outline()),
        Source::TChecker { .. } => {
            Err(Failure::Message("debug ast supports UPPAAL models only: use debug model".to_owned()))
        }
    }
}

pub(crate) fn model(arguments: &InspectArguments) -> CommandOutput {
    let Loaded { model, .. } = arguments.input.load()?;
    model.map(|model| model.to_string()).ok_or(Failure::Reported)
}

pub(crate) fn bounds(arguments: &InspectArguments) -> CommandOutput {
    with_model(arguments, bounds_text)
}

pub(crate) fn system(arguments: &InspectArguments) -> CommandOutput {
    with_model(arguments, system_text)
}

fn with_model(
    arguments: &InspectArguments,
    say: impl FnOnce(&Model) -> Result<String, CheckError>,
) -> CommandOutput {
    let loaded = arguments.input.load()?;
    let Some(model) = &loaded.model else { return Err(Failure::Reported) };
    say(model).map_err(|error| render::check_error(error, &loaded, arguments.input.format))
}

fn deliver(text: String, output: Option<&PathBuf>) -> CommandOutput {
    let Some(path) = output else { return Ok(text) };
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(String::new())
}
