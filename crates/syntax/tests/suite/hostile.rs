//! Inputs that nobody means well with: no panic, no overflow of the stack, no hang, no flood of memory.

use std::time::{Duration, Instant};

use tourbillon_base::Random;

use super::{Kind, parse};

/// Parses a text as everything it could be. Each parse must be quick: time that grows with the square of the
/// length would take minutes here.
#[track_caller]
fn survive(text: &str) {
    for &kind in Kind::ALL {
        let start = Instant::now();
        let parsed = parse(kind, text);
        assert!(start.elapsed() < Duration::from_secs(5), "{kind:?} of {} bytes is slow", text.len());
        assert!(parsed.messages.len() <= 200);
    }
}

fn codes(kind: Kind, text: &str) -> Vec<String> {
    parse(kind, text).places.iter().map(|place| place[..5].to_owned()).collect()
}

#[test]
fn deep_nesting_is_one_diagnostic() {
    const N: usize = 100_000;
    let around = |open: &str, middle: &str, close: &str| open.repeat(N) + middle + &close.repeat(N);
    let expressions = [
        around("(", "x", ")"),
        around("!", "x", ""),
        around("- ", "x", ""),
        around("a[", "0", "]"),
        around("f(", "x", ")"),
        around("", "x", "'"),
        around("", "x", "[0]"),
        around("", "x", ".y"),
        around("forall (i : T) ", "x", ""),
        around("a ? b : ", "c", ""),
        around("a = ", "c", ""),
        around("a && (b || ", "c", ")"),
    ];
    for text in &expressions {
        assert_eq!(codes(Kind::Rate, text), ["S0107"], "{}…", &text[..20]);
    }
    let bodies = [
        around("{", "", "}"),
        around("if (x) ", ";", ""),
        around("while (x) ", ";", ""),
        around("for (i : T) ", ";", ""),
        around("do ", ";", " while (x);"),
        around("if (x) { } else { ", ";", "}"),
    ];
    for body in &bodies {
        let text = format!("void f() {{ {body} }}");
        assert_eq!(codes(Kind::Declarations, &text), ["S0107"], "{}…", &text[..30]);
    }
    let declarations = [
        format!("{} x;", around("struct { ", "int y;", "} a;").trim_end_matches(" a;")),
        format!("int a = {};", around("{", "1", "}")),
        format!("int[0, {}] x;", around("sum (i : int[0, ", "1", "]) 1")),
    ];
    for text in &declarations {
        assert_eq!(codes(Kind::Declarations, text), ["S0107"], "{}…", &text[..20]);
    }
    assert_eq!(codes(Kind::Query, &around("strategy S = ", "A[] p", "")), ["S0107"]);
    assert_eq!(codes(Kind::Query, &around("A[] ", "p", "")).first().map(String::as_str), Some("S0502"));
}

#[test]
fn long_chains_are_fine() {
    const N: usize = 200_000;
    let chain = |op: &str| format!("x{}", format!(" {op} x").repeat(N));
    for op in ["+", "&&", "imply", "<", "**"] {
        let parsed = parse(Kind::Rate, &chain(op));
        assert_eq!(parsed.messages, [""; 0]);
        assert_eq!(parsed.printed.len(), chain(op).len());
    }
    let else_if = format!("void f() {{ {} ; }}", "if (x) y = 1; else ".repeat(N / 10));
    assert_eq!(parse(Kind::Declarations, &else_if).messages, [""; 0]);
    let mixed = format!("x{}", " + x * x - x || x && x".repeat(N / 10));
    assert_eq!(parse(Kind::Rate, &mixed).messages, [""; 0]);
}

#[test]
fn a_megabyte_of_anything_is_survived() {
    let pieces = [
        "+",
        "-",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "<",
        "'",
        "a ",
        "a b ",
        "1 ",
        ",",
        ";",
        "\"",
        "/*",
        "//",
        "\\\n",
        "{;",
        "(;",
        "@",
        "é",
        "≤",
        "≤ ",
        "if ",
        "else ",
        "int ",
        "process ",
        "process P() { ",
        "state ",
        "trans ",
        "A -> ",
        "A -> B { ",
        "guard ",
        "system ",
        "query { ",
        "A[] ",
        "forall ",
        "forall ( ",
        "enum ",
        "enum { ",
        "unsigned ",
        "whlie (x) { ",
        "switch ( ",
        "#",
        "case ",
        "import \"\" { ",
        "a.",
        "a(",
        "typedef ",
        "struct { ",
        "= {",
        "state A { ",
        "-> B {",
        "gantt { A: ",
        "progress { ",
        "Pr[",
        "E[",
        "{ ",
        "strategy S = ",
        "chan priority ",
        "before_update { ",
        "spawn P(",
        "x ? ",
        "? : ",
        "const ",
        "int[",
        "sup{",
        "EXPECT:",
        "/* EXPECT:,",
        "\r",
    ];
    for piece in pieces {
        survive(&piece.repeat(250_000 / piece.len()));
    }
}

#[test]
fn random_words_are_survived() {
    let words = [
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ";",
        ":",
        ".",
        "?",
        "'",
        "->",
        "-u->",
        "-->",
        "=",
        ":=",
        "+=",
        "++",
        "!",
        "not",
        "**",
        "-",
        "<",
        "<=",
        "==",
        "&",
        "&&",
        "or",
        "imply",
        "true",
        "forall",
        "sum",
        "int",
        "clock",
        "chan",
        "void",
        "scalar",
        "struct",
        "const",
        "urgent",
        "broadcast",
        "typedef",
        "if",
        "else",
        "while",
        "do",
        "for",
        "return",
        "process",
        "state",
        "branchpoint",
        "commit",
        "init",
        "trans",
        "select",
        "guard",
        "sync",
        "assign",
        "probability",
        "system",
        "priority",
        "progress",
        "gantt",
        "query",
        "A",
        "E",
        "x",
        "P",
        "12",
        "1.5",
        "\"s\"",
        "enum",
        "unsigned",
        "switch",
        "break",
        "dynamic",
        "import",
        "spawn",
        "control",
        "under",
        "strategy",
        "Pr",
        "sup",
        "deadlock",
        "@",
        "#",
        "\n",
        "// c\n",
        "/* c */",
        "/*",
    ];
    let seed = 7;
    let mut random = Random::from_seed(seed);
    for case in 0..3000 {
        let length = 1 + random.below(80);
        let picked: Vec<&str> = (0..length).filter_map(|_| random.pick(&words).copied()).collect();
        let text = picked.join(" ");
        let result = std::panic::catch_unwind(|| survive(&text));
        assert!(result.is_ok(), "seed {seed}, case {case}: {text}");
    }
}

#[test]
fn random_bytes_are_survived() {
    let seed = 11;
    let mut random = Random::from_seed(seed);
    for case in 0..1000 {
        let length = random.below(400);
        let bytes: Vec<u8> = (0..length).map(|_| random.next_u64() as u8).collect();
        let text = String::from_utf8_lossy(&bytes);
        let result = std::panic::catch_unwind(|| survive(&text));
        assert!(result.is_ok(), "seed {seed}, case {case}: {text:?}");
    }
}

#[test]
fn every_truncation_of_a_model_is_survived() {
    let model = include_str!("../models/wide.xta");
    for end in (0..model.len()).filter(|&end| model.is_char_boundary(end)) {
        let parsed = parse(Kind::Model, &model[..end]);
        assert!(parsed.messages.len() <= 4, "cut at {end}: {:#?}", parsed.messages);
    }
    let queries = include_str!("../models/wide.q");
    for end in (0..queries.len()).filter(|&end| queries.is_char_boundary(end)) {
        let parsed = parse(Kind::QueryFile, &queries[..end]);
        assert!(parsed.messages.len() <= 2, "cut at {end}: {:#?}", parsed.messages);
    }
}

/// One token taken out of, put into, or replaced in a correct model: few messages each, and never a panic.
#[test]
fn every_single_mistake_in_a_model_stays_single() {
    let model = include_str!("../models/wide.xta");
    let seed = 5;
    let mut random = Random::from_seed(seed);
    let junk = ["", "@", ")", "}", "(", "{", ";", ",", "x", "int", "5", "=", "process", "->"];
    let (mut total, mut cases) = (0, 0);
    for _ in 0..3000 {
        let mut at = random.below(model.len());
        while !model.is_char_boundary(at) {
            at -= 1;
        }
        let length = model[at..].chars().next().map_or(0, char::len_utf8);
        let text = format!("{}{}{}", &model[..at], random.pick(&junk).unwrap(), &model[at + length..]);
        let parsed = parse(Kind::Model, &text);
        assert!(parsed.messages.len() <= 12, "seed {seed}, at {at}: {:#?}", parsed.messages);
        total += parsed.messages.len();
        cases += usize::from(!parsed.messages.is_empty());
    }
    assert!(total < 2 * cases, "{total} messages for {cases} mistakes");
}
