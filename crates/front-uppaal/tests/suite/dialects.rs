//! Formats and dialects are found out.

use tourbillon_front_uppaal::{Format, LoadOptions, load};
use tourbillon_syntax::Dialect;

use crate::{messages, read, samples};

#[test]
fn formats_are_told_by_content_and_name() {
    let cases = [
        ("a.xml", "<nta/>", Format::Xml),
        ("a.xta", "  <?xml version='1.0'?><nta/>", Format::Xml),
        ("a.XML", "system P;", Format::Xml),
        ("a", "\u{feff}<nta/>", Format::Xml),
        ("a.xta", "system P;", Format::Xta),
        ("a.ta", "system P;", Format::Xta),
        ("model", "system P;", Format::Xta),
        ("a.q", "E<> true", Format::Queries),
    ];
    for (name, text, format) in cases {
        assert_eq!(read(name, text).0.format, format, "{name} {text}");
    }
}

#[test]
fn dialects_are_told_by_trying() {
    let sample = |name: &str| samples().into_iter().find(|(found, _)| *found == name).expect("a sample").1;
    let old = "process P { state A { x=<5 }; init A; trans A -> A { guard x>1, x<3; }; } system P;";
    let mistaken = "const int N = 3; clock x; process P() { state A; init A; trans A -> A { guard x>1, x<3; }; } system P;";
    let cases: &[(&str, &[u8], Dialect, &str)] = &[
        ("old.xml", sample("old.xml"), Dialect::Old, "U0103"),
        ("old.ta", sample("old.ta"), Dialect::Old, ""),
        ("old.xta", sample("old.ta"), Dialect::Old, "U0103"),
        ("old.xta", old.as_bytes(), Dialect::Old, "U0103"),
        ("const.xta", b"const N 5; process P() { state A; init A; } system P;", Dialect::Old, "U0103"),
        ("train-gate.xml", sample("train-gate.xml"), Dialect::New, ""),
        ("lights.xta", sample("lights.xta"), Dialect::New, ""),
        ("lights.ta", sample("lights.xta"), Dialect::New, ""),
        ("mistaken.xta", mistaken.as_bytes(), Dialect::New, "S0101"),
    ];
    for (name, text, dialect, code) in cases {
        let (document, diagnostics) = read(name, text);
        let found = messages(&document.sources, &diagnostics);
        assert_eq!(document.dialect, *dialect, "{name}: {found:#?}");
        match code.is_empty() {
            true => assert_eq!(found, [""; 0], "{name}"),
            false => assert!(found.len() == 1 && found[0].starts_with(code), "{name}: {found:#?}"),
        }
    }
}

#[test]
fn a_dialect_can_be_asked_for() {
    let text = b"process P(int a) { state A; init A; } system P;";
    for (dialect, by_reference) in [(Dialect::New, false), (Dialect::Old, true)] {
        let options = LoadOptions { dialect: Some(dialect), ..LoadOptions::default() };
        let (document, diagnostics) = load("p.xta", text, &options);
        assert!(diagnostics.is_empty());
        assert_eq!(document.templates().next().unwrap().params[0].by_reference, by_reference);
    }
}

#[test]
fn strange_bytes_are_read_and_told() {
    let (document, diagnostics) = read("m.xta", b"// caf\xe9\nprocess P() { state A; init A; } system P;");
    assert!(document.sources.text(document.file).starts_with("// café"));
    assert_eq!(messages(&document.sources, &diagnostics), ["U0101 1:7 a byte that is not UTF-8"]);
    let (document, diagnostics) = read("old.xml", samples()[3].1);
    assert!(document.sources.text(document.file).contains("modèle ancien"));
    assert!(!diagnostics.has_errors());
}
