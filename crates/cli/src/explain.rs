//! `tourbillon explain`: the meaning of a diagnostic code.

use std::fmt::Write as _;

use crate::CommandOutput;

/// The arguments of `tourbillon explain`.
#[derive(clap::Args)]
pub(crate) struct ExplainArguments {
    /// Code of a diagnostic, such as M0101 [default: list all]
    code: Option<String>,
}

pub(crate) fn run(arguments: &ExplainArguments) -> CommandOutput {
    let Some(code) = &arguments.code else {
        let mut list = String::new();
        for entry in tourbillon::all_codes() {
            let _ = writeln!(list, "{}  {}", entry.code, entry.title);
        }
        return Ok(list);
    };
    match tourbillon::explain(code) {
        Some(entry) => Ok(format!("{}: {}\n\n{}\n", entry.code, entry.title, wrapped(entry.explanation))),
        None => Err(format!("there is no code `{code}`; `tourbillon explain` lists all codes").into()),
    }
}

/// Text in lines of at most 88 characters; paragraphs are kept.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    for (index, paragraph) in text.split("\n\n").enumerate() {
        lines.push_str(if index == 0 { "" } else { "\n\n" });
        let mut width = 0;
        for word in paragraph.split_whitespace() {
            let length = word.chars().count();
            if width > 0 && width + 1 + length > 88 {
                lines.push('\n');
                width = 0;
            }
            lines.push_str(if width == 0 { "" } else { " " });
            lines.push_str(word);
            width += length + usize::from(width > 0);
        }
    }
    lines
}
