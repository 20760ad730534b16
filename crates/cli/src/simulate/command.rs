//! The commands of a simulation, one on each line, at a prompt and in a script.

use std::path::PathBuf;

use tourbillon::{Rational, When, parse_number};

pub(super) const HELP: &str = "\
N               take step N of the list, as early as possible
N after D       take it after a delay of D: a number such as 3, 5/2 or 2.5
N at T          take it when T has passed since the start
wait D          delay by D
random [N]      take one random step, or N
back [N]        undo the last move, or N moves
forward [N]     redo moves
goto N          go to the state after N moves
restart         go to the initial state
state           print the whole state
run             print the run so far
save FILE       write the run so far
load FILE [N]   replay the run in a file, or the Nth of a report: a saved run, a JSON report of check, an .xtr
symbolic        continue with zones
concrete        continue with clock values
help            print this list
quit            end the session
";

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum SessionCommand {
    Step(usize, When),
    Wait(Rational),
    Random(usize),
    Back(usize),
    Forward(usize),
    Goto(usize),
    Restart,
    State,
    Run,
    Save(PathBuf),
    Load(PathBuf, usize),
    Symbolic,
    Concrete,
    Help,
    Quit,
}

/// Parses a line; `None` for an empty line or a comment (`# ...`).
pub(super) fn parse(line: &str) -> Result<Option<SessionCommand>, String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let (word, rest) =
        line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        return step(word, rest).map(Some);
    }
    let alone = |command: SessionCommand| {
        if rest.is_empty() { Ok(command) } else { Err(format!("`{word}` takes no argument")) }
    };
    let command = match word {
        "wait" if rest.is_empty() => return Err("`wait` needs a delay such as 3, 5/2 or 2.5".to_owned()),
        "wait" => SessionCommand::Wait(number(rest)?),
        "random" => SessionCommand::Random(count(rest, 1)?),
        "back" => SessionCommand::Back(count(rest, 1)?),
        "forward" => SessionCommand::Forward(count(rest, 1)?),
        "goto" if rest.is_empty() => return Err("`goto` needs the number of a step".to_owned()),
        "goto" => SessionCommand::Goto(count(rest, 0)?),
        "restart" => alone(SessionCommand::Restart)?,
        "state" => alone(SessionCommand::State)?,
        "run" => alone(SessionCommand::Run)?,
        "save" if rest.is_empty() => return Err("`save` needs the name of a file".to_owned()),
        "save" => SessionCommand::Save(rest.into()),
        "load" if rest.is_empty() => return Err("`load` needs the name of a file".to_owned()),
        "load" => load(rest)?,
        "symbolic" => alone(SessionCommand::Symbolic)?,
        "concrete" => alone(SessionCommand::Concrete)?,
        "help" | "?" => alone(SessionCommand::Help)?,
        "quit" | "exit" | "q" => alone(SessionCommand::Quit)?,
        _ => return Err(format!("there is no command `{word}`; `help` lists them")),
    };
    Ok(Some(command))
}

fn step(word: &str, rest: &str) -> Result<SessionCommand, String> {
    let wrong = || too_long(word).unwrap_or_else(|| format!("`{word}` is not the number of a step"));
    let choice: usize = word.parse().map_err(|_| wrong())?;
    let choice = choice.checked_sub(1).ok_or_else(|| "steps are counted from 1".to_owned())?;
    let when = match rest.split_once(char::is_whitespace) {
        None if rest.is_empty() => When::Earliest,
        Some(("after", delay)) => When::After(number(delay)?),
        Some(("at", moment)) => When::At(number(moment)?),
        _ => return Err("a step is a number, optionally with `after D` or `at T`".to_owned()),
    };
    Ok(SessionCommand::Step(choice, when))
}

/// Parses a file name, optionally followed by the number of a run in it.
fn load(rest: &str) -> Result<SessionCommand, String> {
    let numbered = rest.rsplit_once(char::is_whitespace).and_then(|(file, number)| {
        let number = number.parse::<usize>().ok()?;
        Some((file.trim(), number))
    });
    match numbered {
        Some((_, 0)) => Err("runs are counted from 1".to_owned()),
        Some((file, number)) => Ok(SessionCommand::Load(file.into(), number - 1)),
        None => Ok(SessionCommand::Load(rest.into(), 0)),
    }
}

fn number(text: &str) -> Result<Rational, String> {
    let wrong =
        || too_long(text).unwrap_or_else(|| format!("`{text}` is not a number such as 3, 5/2 or 2.5"));
    parse_number(text).ok_or_else(wrong)
}

fn count(text: &str, default: usize) -> Result<usize, String> {
    if text.is_empty() {
        return Ok(default);
    }
    let wrong = || too_long(text).unwrap_or_else(|| format!("`{text}` is not a number of steps"));
    text.parse().map_err(|_| wrong())
}

/// The message for a number with more digits than 64 bits hold; `None` for other errors.
fn too_long(text: &str) -> Option<String> {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"-./".contains(&byte));
    let start: String = text.chars().take(20).collect();
    (plain && digits > 18).then(|| format!("`{start}...` is too long for a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let of = |line: &str| parse(line).expect("a command").expect("a command");
        let half = parse_number("1/2").expect("a number");
        assert_eq!(of("3"), SessionCommand::Step(2, When::Earliest));
        assert_eq!(of(" 1  after 0.5 "), SessionCommand::Step(0, When::After(half)));
        assert_eq!(of("1 at 1/2"), SessionCommand::Step(0, When::At(half)));
        assert_eq!(of("wait 1/2"), SessionCommand::Wait(half));
        assert_eq!((of("random"), of("random 7")), (SessionCommand::Random(1), SessionCommand::Random(7)));
        assert_eq!(of("load my run.json"), SessionCommand::Load("my run.json".into(), 0));
        assert_eq!(of("load report.json 2"), SessionCommand::Load("report.json".into(), 1));
        assert_eq!(parse("  # nothing"), Ok(None));
    }

    #[test]
    fn what_is_wrong_with_a_number_is_told() {
        for (line, told) in [
            ("wait", "`wait` needs a delay"),
            ("wait 1234567890123456789012", "`12345678901234567890...` is too long"),
            ("wait 0.1234567890123456789", "is too long"),
            ("99999999999999999999", "is too long"),
            ("random 99999999999999999999", "is too long"),
            ("wait soon", "`soon` is not a number"),
            ("load report.json 0", "runs are counted from 1"),
        ] {
            let why = parse(line).expect_err("a mistake");
            assert!(why.contains(told), "{line}: {why}");
        }
    }

    #[test]
    fn what_is_no_command_is_told() {
        for line in
            ["0", "1 2", "1 after", "wait", "wait long", "goto", "save", "load", "jump", "quit now", "back x"]
        {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
