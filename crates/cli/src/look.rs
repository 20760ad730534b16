//! Looking at models: converted, drawn, parsed, understood.

use std::path::PathBuf;

use tourbillon::{
    CheckError, Loaded, Model, Source, Target, bounds_text, convert as convert_model, draw_dot, draw_svg,
    system_text,
};

use crate::input::Input;
use crate::{Failure, Outcome, render};

/// `tourbillon convert`.
#[derive(clap::Args)]
pub(crate) struct Convert {
    #[command(flatten)]
    input: Input,
    /// The language to write it in
    #[arg(long, value_enum)]
    to: Language,
    /// The file to write; standard output if not given
    #[arg(short, long)]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Language {
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
pub(crate) struct Draw {
    #[command(flatten)]
    input: Input,
    /// The kind of picture
    #[arg(long, value_enum)]
    to: Picture,
    /// The template to draw; all if not given
    #[arg(long)]
    template: Option<String>,
    /// The file to write; standard output if not given
    #[arg(short, long)]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Picture {
    /// Text for Graphviz, which lays it out
    Dot,
    /// A picture, in the layout of the model or laid out automatically
    Svg,
}

/// `tourbillon debug ast`, `debug bounds`, `debug model` and `debug system`.
#[derive(clap::Args)]
pub(crate) struct Look {
    #[command(flatten)]
    input: Input,
}

pub(crate) fn convert(arguments: &Convert) -> Outcome {
    let loaded = arguments.input.load()?;
    let target = match arguments.to {
        Language::Xml => Target::Xml,
        Language::Xta => Target::Xta,
        Language::Tck => Target::Tck,
        Language::Json => Target::Json,
    };
    match convert_model(&loaded, target) {
        Ok(converted) => {
            render::tell(&converted.diagnostics, loaded.sources(), arguments.input.format);
            deliver(converted.text, arguments.output.as_ref())
        }
        Err(diagnostics) => {
            render::tell(&diagnostics, loaded.sources(), arguments.input.format);
            Err(Failure::Told)
        }
    }
}

pub(crate) fn draw(arguments: &Draw) -> Outcome {
    let loaded = arguments.input.load()?;
    let template = arguments.template.as_deref();
    let drawn = match arguments.to {
        Picture::Dot => draw_dot(&loaded, template),
        Picture::Svg => draw_svg(&loaded, template),
    };
    match drawn {
        Ok(Some(text)) => deliver(text, arguments.output.as_ref()),
        Ok(None) => {
            Err(Failure::Message(format!("there is no template called `{}`", template.unwrap_or_default())))
        }
        Err(diagnostics) => {
            render::tell(&diagnostics, loaded.sources(), arguments.input.format);
            Err(Failure::Told)
        }
    }
}

pub(crate) fn ast(arguments: &Look) -> Outcome {
    let loaded = arguments.input.load()?;
    match &loaded.source {
        Source::Uppaal(document) => Ok(document.model_outline()),
        Source::TChecker { .. } => {
            Err(Failure::Message("a .tck file is shown by `tourbillon debug model`".to_owned()))
        }
    }
}

pub(crate) fn model(arguments: &Look) -> Outcome {
    let Loaded { model, .. } = arguments.input.load()?;
    model.map(|model| model.to_string()).ok_or(Failure::Told)
}

pub(crate) fn bounds(arguments: &Look) -> Outcome {
    with_model(arguments, bounds_text)
}

pub(crate) fn system(arguments: &Look) -> Outcome {
    with_model(arguments, system_text)
}

/// What there is to say about a model that was understood.
fn with_model(arguments: &Look, say: impl FnOnce(&Model) -> Result<String, CheckError>) -> Outcome {
    let loaded = arguments.input.load()?;
    let Some(model) = &loaded.model else { return Err(Failure::Told) };
    say(model).map_err(|trouble| render::trouble(trouble, &loaded, arguments.input.format))
}

/// Puts text where it was asked for.
fn deliver(text: String, output: Option<&PathBuf>) -> Outcome {
    let Some(path) = output else { return Ok(text) };
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(String::new())
}
