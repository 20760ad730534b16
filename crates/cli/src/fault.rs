//! Internal errors: a short message that asks for a report, and an exit status of their own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use crate::{Command, CommandLine};

/// The message and location of the panic that is being handled.
static SAID: Mutex<String> = Mutex::new(String::new());

/// Runs a command.
///
/// # Errors
/// If it panics, with what the panic said.
pub(crate) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    std::panic::set_hook(Box::new(|panic| {
        if let Ok(mut said) = SAID.lock() {
            *said = panic.to_string();
        }
    }));
    let outcome = catch_unwind(AssertUnwindSafe(run));
    drop(std::panic::take_hook());
    outcome.map_err(|_| last())
}

/// The message of the last panic.
pub(crate) fn last() -> String {
    SAID.lock().map(|said| said.clone()).unwrap_or_default()
}

/// Whether the operating system's refusal of memory or of a thread caused a panic.
pub(crate) fn is_refusal(said: &str) -> bool {
    let refused = ["could not build thread pool", "failed to spawn thread"];
    tourbillon_base::memory::was_refused() || refused.iter().any(|words| said.contains(words))
}

/// The message about an internal error: version, command, model, plan and panic message.
pub(crate) fn message(arguments: &CommandLine, said: &str) -> String {
    let about = match &arguments.command {
        Command::Check(arguments) => about(&arguments.model(), || arguments.plan_line()),
        Command::Explore(arguments) => about(&arguments.model(), || arguments.plan_line()),
        _ => String::new(),
    };
    let command: Vec<String> = std::env::args().collect();
    format!(
        "\nerror: internal error of Tourbillon, not an error in the model. Please report it, with the model if you can:\n  \
         version: {}\n  command: {}\n{about}  what happened: {}\n",
        env!("CARGO_PKG_VERSION"),
        command.join(" "),
        said.replace('\n', "\n    "),
    )
}

fn about(model: &str, plan_line: impl Fn() -> Option<String>) -> String {
    // Planning may have caused the panic.
    let plan = catch_unwind(AssertUnwindSafe(plan_line)).ok().flatten();
    format!("  model: {model}\n  plan: {}\n", plan.unwrap_or_else(|| "none was made".to_owned()))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[test]
    fn a_panic_is_told_with_model_and_plan() {
        let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/fischer.xml");
        let arguments = CommandLine::parse_from(["tourbillon", "check", model, "--order", "dfs"]);
        assert_eq!(guarded(|| 7), Ok(7));
        let said = guarded(|| panic!("a wheel is loose")).map(|()| 7).unwrap_err();
        let told = message(&arguments, &said);
        for part in ["report it", "fischer.xml", "adaptive, dfs", "a wheel is loose"] {
            assert!(told.contains(part), "no `{part}` in {told}");
        }
    }
}
