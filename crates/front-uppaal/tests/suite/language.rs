//! The language suite: every example of the documents in `docs/language` does what the document says.
//!
//! A fenced block whose info string starts with `uppaal` is a case. It is read, its names are resolved, its types
//! are checked and its templates are instantiated; what comes of it is compared with the blocks that follow it:
//!
//! - `network`: lines that occur in the printed model, in this order;
//! - `diagnostics`: everything that is reported, one to a line, with help indented below. Without such a block, nothing
//!   is reported.
//!
//! `docs/language/README.md` tells the forms that a case can have.

mod document;
mod robust;

use document::{Case, all_cases, cases};

/// How many cases there are at least, so that none get lost.
const CASES_MIN: usize = 150;

/// Codes that no case can have, and why.
const UNREACHABLE: &[(&str, &str)] =
    &[("S0108", "text after the end of a label: in a textual model, what follows is the next label")];

/// What is wrong with a case.
fn verdict(case: &Case) -> Result<(), String> {
    let answer = case.answer();
    let mut wrong = String::new();
    if answer.diagnostics != case.diagnostics {
        let (found, expected) = (answer.diagnostics.join("\n  "), case.diagnostics.join("\n  "));
        wrong.push_str(&format!(" reported:\n  {found}\n expected:\n  {expected}\n"));
    }
    match (&answer.model, &case.network) {
        (None, Some(_)) => wrong.push_str(" a network is expected, and the model is refused\n"),
        (Some(model), network) => {
            let faults: Vec<String> = model.check().iter().map(ToString::to_string).collect();
            if !faults.is_empty() {
                wrong.push_str(&format!(" the model breaks its promises: {}\n", faults.join("; ")));
            }
            let printed = model.to_string();
            if let Some(missing) = missing_line(&printed, network.as_deref().unwrap_or_default()) {
                wrong.push_str(&format!(" `{missing}` is not there, or not in this place, in\n{printed}"));
            }
        }
        (None, None) => {}
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{}\n{wrong}", case.name)) }
}

/// The first line that does not occur after those before it.
fn missing_line<'a>(printed: &str, lines: &'a [String]) -> Option<&'a str> {
    let mut printed = printed.lines().map(str::trim);
    lines.iter().map(|line| line.trim()).find(|&line| !printed.any(|other| other == line))
}

#[test]
fn every_example_does_what_the_document_says() {
    let wrong: Vec<String> = all_cases().iter().filter_map(|case| verdict(case).err()).collect();
    assert!(wrong.is_empty(), "{} cases fail:\n\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn no_case_gets_lost() {
    let count = all_cases().len();
    assert!(count >= CASES_MIN, "{count} cases");
}

#[test]
fn about_as_many_examples_are_refused_as_accepted() {
    let all = all_cases();
    let refused =
        all.iter().filter(|case| case.diagnostics.iter().any(|line| line.contains(" error: "))).count();
    assert!(refused * 3 >= all.len() && refused * 3 <= all.len() * 2, "{refused} of {}", all.len());
}

#[test]
fn every_code_has_an_example() {
    let all = all_cases();
    let seen = |code: &str| {
        all.iter().any(|case| case.diagnostics.iter().any(|line| line.split(' ').nth(1) == Some(code)))
    };
    let codes = tourbillon_front_uppaal::lower::codes::CODES.iter().chain(tourbillon_syntax::codes::CODES);
    let missing: Vec<&str> = codes
        .map(|entry| entry.code.name())
        .filter(|code| seen(code) == UNREACHABLE.iter().any(|(other, _)| other == code))
        .collect();
    assert!(missing.is_empty(), "without an example, or with one though listed as unreachable: {missing:?}");
}

#[test]
fn a_wrong_expectation_fails() {
    let right =
        "# H\n```uppaal declarations\nint x;\n```\n```network\nx : [-32768,32767] = 0\nprocess P\n```\n";
    assert_eq!(verdict(&cases("d.md", right)[0]), Ok(()));
    let wrong = [
        ("x : [-32768,32767] = 0", "x : [-32768,32767] = 1"),
        ("x : [-32768,32767] = 0\nprocess P", "process P\nx : [-32768,32767] = 0"),
        ("int x;", "int x = y;"),
        ("```network", "```diagnostics\n1:1 M0101 error: `y` is not declared\n```\n```network"),
    ];
    for (from, to) in wrong {
        let text = right.replace(from, to);
        let error = verdict(&cases("d.md", &text)[0]).expect_err("a wrong expectation");
        assert!(error.starts_with("d.md:2 (H)\n"), "{error}");
    }
}

#[test]
fn lines_of_diagnostics_count_within_the_block() {
    let text = "```uppaal edge\nint a;\n----\nguard a == b;\nassign c = 1;\n```\n```uppaal process\nstate S { d };\ninit S;\n```\n\
                ```uppaal queries\nint a;\n----\nE<> a == 1\nE<> e\n```\n";
    let found: Vec<Vec<String>> = cases("d.md", text).iter().map(|case| case.answer().diagnostics).collect();
    let expected = [
        vec!["3:12 M0101 error: `b` is not declared", "4:8 M0101 error: `c` is not declared"],
        vec!["1:11 M0101 error: `d` is not declared"],
        vec!["4:5 M0101 error: `e` is not declared"],
    ];
    assert_eq!(found, expected);
}
