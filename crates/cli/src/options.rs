//! The plan options of the command line, generated from the option table (`tourbillon::AXES`).

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, ValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command};
use tourbillon::{
    AXES, Axis, AxisChoice, AxisGroup, AxisInfo, AxisValues, Engine, Loaded, Overflow, PlanRequest,
    PositionSource, read_positions,
};

use crate::{Failure, input, quantity};

/// Plan options; the planner chooses those that are not given.
pub(crate) struct PlanOptions {
    plan_request: PlanRequest,
    /// The file with positions of locations.
    positions_file: Option<PathBuf>,
}

impl PlanOptions {
    pub(crate) fn is_cluster(&self) -> bool {
        self.plan_request.engine == Engine::Cluster
    }

    /// Whether `--traces` was given.
    pub(crate) const fn asks_for_several_traces(&self) -> bool {
        self.plan_request.traces.is_some()
    }

    pub(crate) fn positions_file(&self) -> Option<&Path> {
        self.positions_file.as_deref()
    }

    /// The request for a model, with positions of its locations from the file.
    pub(crate) fn plan_request_for(&self, loaded: &Loaded) -> Result<PlanRequest, Failure> {
        let mut plan_request = self.plan_request.clone();
        if let (Some(path), Some(model)) = (&self.positions_file, &loaded.model) {
            let (name, bytes) = (path.display().to_string(), input::read(path)?);
            let text = String::from_utf8(bytes).map_err(|error| format!("{name}: {error}"))?;
            plan_request.positions = PositionSource::Given(read_positions(model, &name, &text)?);
        }
        Ok(plan_request)
    }

    /// The request without the file.
    pub(crate) const fn plan_request(&self) -> &PlanRequest {
        &self.plan_request
    }
}

impl clap::Args for PlanOptions {
    fn augment_args(command: Command) -> Command {
        plan_axes().fold(command, |command, info| command.arg(argument(info)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for PlanOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let plan_request = PlanRequest { any_engine: true, ..PlanRequest::default() };
        let mut options = Self { plan_request, positions_file: None };
        options.update_from_arg_matches(matches)?;
        Ok(options)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for info in plan_axes() {
            let Some(text) = value(matches, info) else { continue };
            match info.values {
                AxisValues::FileOr(word) if text != word => self.positions_file = Some(text.into()),
                _ => set(&mut self.plan_request, info, &text)?,
            }
        }
        Ok(())
    }
}

/// Options of every command that reads a model.
#[derive(Clone, Copy)]
pub(crate) struct ModelOptions {
    pub(crate) overflow: Option<Overflow>,
}

impl clap::Args for ModelOptions {
    fn augment_args(command: Command) -> Command {
        model_axes().fold(command, |command, info| command.arg(argument(info)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for ModelOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut options = Self { overflow: None };
        options.update_from_arg_matches(matches)?;
        Ok(options)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let mut plan_request = PlanRequest { overflow: self.overflow, ..PlanRequest::default() };
        for info in model_axes() {
            if let Some(text) = value(matches, info) {
                set(&mut plan_request, info, &text)?;
            }
        }
        self.overflow = plan_request.overflow;
        Ok(())
    }
}

fn plan_axes() -> impl Iterator<Item = &'static AxisInfo> {
    AXES.iter().filter(|info| info.group != AxisGroup::Model && info.is_option())
}

fn model_axes() -> impl Iterator<Item = &'static AxisInfo> {
    AXES.iter().filter(|info| info.group == AxisGroup::Model)
}

fn set(plan_request: &mut PlanRequest, info: &AxisInfo, text: &str) -> Result<(), clap::Error> {
    plan_request.set(info.axis, text).map_err(|message| {
        clap::Error::raw(ErrorKind::ValueValidation, format!("--{}: {message}\n", info.name))
    })
}

/// The text of an option, if it was given.
fn value(matches: &ArgMatches, info: &AxisInfo) -> Option<String> {
    match info.values {
        AxisValues::Flag => matches.get_flag(info.name).then(|| "on".to_owned()),
        _ => matches.get_one::<String>(info.name).cloned(),
    }
}

fn argument(info: &AxisInfo) -> Arg {
    let argument = Arg::new(info.name)
        .long(info.name)
        .help(help(info))
        .help_heading(info.group.title())
        .hide_short_help(!info.daily);
    match info.values {
        AxisValues::Flag => argument.action(ArgAction::SetTrue),
        AxisValues::Choices(choices) => argument.value_name("VALUE").value_parser(possible_values(choices)),
        AxisValues::Patterns(choices) => {
            let list = choices.iter().map(|choice| format!("\n- {}: {}", choice.name, choice.help));
            let long = format!("{}\n{}", help(info), list.collect::<String>());
            argument.value_name("VALUE").long_help(long).value_parser(text_of(info.axis))
        }
        AxisValues::OnOff => argument
            .value_name("on|off")
            .value_parser(possible_values(info.choices()))
            .hide_possible_values(true),
        AxisValues::Bytes { .. } => argument.value_name("BYTES").value_parser(bytes_of(info.axis)),
        AxisValues::Number { .. } => argument.value_name("N").value_parser(text_of(info.axis)),
        AxisValues::FileOr(_) => argument.value_name("FILE"),
        AxisValues::Derived => argument.hide(true),
    }
}

/// The help text: what it is, what it requires, the default.
fn help(info: &AxisInfo) -> String {
    let requires = if info.requires.is_empty() { String::new() } else { format!(", with {}", info.requires) };
    let default =
        if info.default.is_empty() { String::new() } else { format!(" [default: {}]", info.default) };
    format!("{}{requires}{default}", info.help)
}

fn possible_values(choices: &[AxisChoice]) -> PossibleValuesParser {
    PossibleValuesParser::new(choices.iter().map(|choice| PossibleValue::new(choice.name).help(choice.help)))
}

/// A parser for the values of an option.
fn text_of(axis: Axis) -> ValueParser {
    ValueParser::new(move |text: &str| PlanRequest::default().set(axis, text).map(|()| text.to_owned()))
}

/// A parser for amounts of memory such as 16M; the result is a number of bytes.
fn bytes_of(axis: Axis) -> ValueParser {
    ValueParser::new(move |text: &str| {
        let bytes = quantity::bytes(text)?.to_string();
        PlanRequest::default().set(axis, &bytes).map(|()| bytes)
    })
}
