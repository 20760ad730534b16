//! Every element of a model is kept, and what is wrong with one is told where it stands.

use tourbillon_base::{Diagnostic, Severity};
use tourbillon_front_uppaal::layout::{LabelKind, Point};
use tourbillon_front_uppaal::{Document, Format, QueryExpectation};
use tourbillon_syntax::tree::ExpectedOutcome;

use crate::{accept, messages, read, samples};

fn sample(name: &str) -> Document {
    let bytes = samples().into_iter().find(|(found, _)| *found == name).expect("a sample").1;
    accept(name, bytes)
}

fn at(x: i32, y: i32) -> Option<Point> {
    Some(Point { x, y })
}

#[test]
fn everything_of_a_template_is_kept() {
    let document = sample("smc.xml");
    let template = document.templates().next().unwrap();
    let layout = &document.layout.templates[0];
    assert_eq!(layout.name_position, at(5, 5));
    let idle = &layout.locations[0];
    assert_eq!((idle.id.as_str(), idle.position, idle.name_position), ("id0", at(0, 0), at(-10, -34)));
    assert_eq!((idle.colour.as_deref(), idle.anonymous), (Some("#ffa500"), false));
    let kinds: Vec<&str> = idle.labels.iter().map(|label| label.kind.word()).collect();
    assert_eq!(kinds, ["exponentialrate", "comments", "testcodeEnter", "testcodeExit"]);
    let comment = idle.labels[1].text.unwrap();
    assert_eq!(document.sources.text(comment), "waits \"long\" & <quietly>\non two lines");
    assert!(template.locations[0].rate.is_some() && template.locations[1].invariant.is_some());
    assert_eq!(document.tree.name(template.urgent[0]), "Done");
    assert_eq!(document.tree.name(template.branchpoints[0]), "_id2");
    assert_eq!(layout.branchpoints[0].position, at(170, 0));
    assert_eq!(document.tree.name(template.init.unwrap()), "Idle");

    let (edge, drawn) = (&template.edges[0], &layout.edges[0]);
    assert!(!edge.controllable && edge.sync.is_some());
    assert_eq!((drawn.id.as_deref(), drawn.action.as_deref()), (Some("id3"), Some("send")));
    assert_eq!(drawn.colour.as_deref(), Some("#ff0000"));
    assert_eq!(layout.edges[1].labels[0].colour.as_deref(), Some("#123456"));
    assert!(template.edges[1].probability.is_some());
    assert_eq!(layout.edges[2].nails, [Point { x: 170, y: 85 }, Point { x: 0, y: 85 }]);
    assert_eq!(layout.edges[2].labels[2].kind, LabelKind::TestCode);
}

#[test]
fn sections_and_queries_are_kept() {
    let document = sample("smc.xml");
    assert_eq!(document.format, Format::Xml);
    assert_eq!(document.sections.imports, None, "an empty element says nothing");
    assert!(document.sources.text(document.sections.instantiation.unwrap()).contains("S = Sender();"));
    let chart = document.sources.snippet(document.sections.charts[0].span);
    assert!(chart.starts_with("<lsc>") && chart.ends_with("</lsc>"), "{chart}");
    assert_eq!(document.options[0].key, "--diagnostic");
    let query = &document.queries[0];
    assert_eq!((query.comment.as_deref(), query.options[0].value.as_str()), (None, "0.01"));
    let expect = query.expect.as_ref().unwrap();
    assert_eq!(expect.answer(), Some(ExpectedOutcome::MaybeTrue));
    assert_eq!((expect.kind.as_deref(), expect.value.as_deref()), (Some("probability"), Some("0.9")));
    let result = &query.results[0];
    assert_eq!((result.outcome.as_deref(), result.kind.as_deref()), (Some("success"), Some("quantity")));
    assert_eq!(result.timestamp.as_deref(), Some("2024-05-01 10:00:00 +0200"));
    assert_eq!(result.options.len(), 1);

    let document = sample("train-gate.xml");
    let expect = document.queries[2].expect.as_ref().unwrap();
    assert_eq!((expect.resources[1].value.as_str(), expect.resources[1].unit.as_deref()), ("50", Some("MB")));
    assert_eq!(document.queries[1].comment.as_deref(), Some("Safety"));
    assert_eq!(document.tree.name(document.templates().nth(1).unwrap().committed[0]), "_id5");
}

#[test]
fn files_of_queries_belong_to_a_model() {
    let mut document = sample("train-gate.xml");
    let bytes = samples()[6].1;
    let (queries, diagnostics) = tourbillon_front_uppaal::load_queries(&mut document, "gate.q", bytes);
    assert_eq!(messages(&document.sources, &diagnostics), [""; 0]);
    let comments: Vec<Option<&str>> = queries.iter().map(|query| query.comment.as_deref()).collect();
    let header = "This file was generated from (Academic) UPPAAL 4.1.3 (rev. 4494), May 2010\nThe gate can be occupied.";
    assert_eq!(comments, [Some(header), Some("one\ntwo"), None, None, Some("the end")]);
    let answers: Vec<_> =
        queries.iter().map(|q| q.expect.as_ref().and_then(QueryExpectation::answer)).collect();
    let expected = [
        Some(ExpectedOutcome::True),
        None,
        Some(ExpectedOutcome::False),
        Some(ExpectedOutcome::Value(17.0)),
        None,
    ];
    assert_eq!(answers, expected);
    assert_eq!(document.sources.resolve(queries[3].formula).file, "gate.q");
}

/// A model in which one piece is replaced.
fn model(template: &str, rest: &str) -> String {
    format!("<nta>\n<template><name>P</name>\n{template}\n</template>\n{rest}</nta>\n")
}

const GOOD: &str = "<location id=\"a\"/><init ref=\"a\"/>";
const SYSTEM: &str = "<system>system P;</system>";

#[test]
fn mistakes_are_told_with_their_places() {
    let transition = |inside: &str| model(&format!("{GOOD}<transition>\n{inside}</transition>"), SYSTEM);
    let ends = "<source ref=\"a\"/><target ref=\"a\"/>";
    let cases: &[(&str, String, &[&str])] = &[
        ("good", model(GOOD, SYSTEM), &[]),
        ("root", "<html/>".into(), &["U0121 1:1"]),
        ("nothing", " ".into(), &["U0121 1:1"]),
        ("two roots", model(GOOD, SYSTEM) + "<nta/>", &["U0122 6:1"]),
        ("text outside", model(GOOD, SYSTEM) + " x ", &["U0124 6:2"]),
        ("no system", model(GOOD, ""), &["U0126 1:1"]),
        ("empty system", model(GOOD, "<system>// no\n</system>"), &["U0126 5:9"]),
        ("element", model(GOOD, &format!("<foo><bar/></foo>{SYSTEM}")), &["U0122 5:1"]),
        ("attribute", model("<location id=\"a\" z=\"1\"/><init ref=\"a\"/>", SYSTEM), &["U0123 3:21"]),
        ("text", model(&format!("{GOOD} hello "), SYSTEM), &["U0124 3:35"]),
        ("repeated", model(GOOD, &format!("{SYSTEM}\n{SYSTEM}")), &["U0125 6:1"]),
        ("no ref", model("<location id=\"a\"/><init/>", SYSTEM), &["U0133 2:1", "U0127 3:19"]),
        ("no id", model(&format!("<location/>{GOOD}"), SYSTEM), &["U0127 3:1"]),
        ("no kind", transition(&format!("{ends}<label>x</label>")), &["U0127 4:35"]),
        ("number", model("<location id=\"a\" x=\"1\" y=\"a\"/><init ref=\"a\"/>", SYSTEM), &["U0128 3:27"]),
        (
            "value",
            model(&format!("{GOOD}<transition controllable=\"?\">{ends}</transition>"), SYSTEM),
            &["U0129 3:60"],
        ),
        ("no name", format!("<nta><template>{GOOD}</template>{SYSTEM}</nta>"), &["U0131 1:6"]),
        (
            "bad name",
            model("<location id=\"a\"><name> a b</name></location><init ref=\"a\"/>", SYSTEM),
            &["U0132 3:25"],
        ),
        (
            "keyword",
            model("<location id=\"a\"><name>state</name></location><init ref=\"a\"/>", SYSTEM),
            &["U0132 3:24"],
        ),
        ("no init", model("<location id=\"a\"/>", SYSTEM), &["U0133 2:1"]),
        ("branch init", model("<branchpoint id=\"b\"/><init ref=\"b\"/>", SYSTEM), &["U0133 3:33"]),
        ("id twice", model(&format!("{GOOD}<location id=\"a\"/>"), SYSTEM), &["U0134 3:34"]),
        ("init", model("<location id=\"a\"/><init ref=\"b\"/>", SYSTEM), &["U0135 3:30"]),
        ("target", transition("<source ref=\"a\"/><target ref=\"z\"/>"), &["U0135 4:31"]),
        ("no source", transition("<target ref=\"a\"/>"), &["U0136 3:34"]),
        ("kind", transition(&format!("{ends}<label kind=\"guards\">x</label>")), &["U0137 4:48"]),
        (
            "two guards",
            transition(&format!("{ends}<label kind=\"guard\">x</label><label kind=\"guard\">y</label>")),
            &["U0138 4:84"],
        ),
        (
            "process",
            model(GOOD, "<system>process Q() { state A; init A; } system P;</system>"),
            &["U0139 5:17"],
        ),
        ("imports", model(GOOD, &format!("<imports>m</imports>{SYSTEM}")), &["U0142 5:10"]),
        ("chart", model(GOOD, &format!("<lsc><name>c</name></lsc>{SYSTEM}")), &["U0141 5:1"]),
        ("attribute", model("<location id=a/><init ref=\"a\"/>", SYSTEM), &["U0119 3:14"]),
        ("attribute twice", model("<location id=\"a\" id=\"b\"/><init ref=\"a\"/>", SYSTEM), &["U0119 3:18"]),
    ];
    let mut wrong = Vec::new();
    for (name, text, expected) in cases {
        let (document, diagnostics) = read("m.xml", text);
        let places: Vec<String> = messages(&document.sources, &diagnostics)
            .iter()
            .map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" "))
            .collect();
        if places != *expected {
            wrong.push(format!("{name}: {:#?}", messages(&document.sources, &diagnostics)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn warnings_do_not_count_as_errors() {
    let text = model(GOOD, &format!("<lsc/><foo/><imports>x</imports>{SYSTEM}"));
    let (_, diagnostics) = read("m.xml", text);
    assert!(diagnostics.iter().all(|diagnostic| diagnostic.severity == Severity::Warning));
    assert_eq!(diagnostics.iter().count(), 3);
}

/// Where each diagnostic is: code, place in the file, text of the file there, element, line in the element.
fn places(text: &str) -> Vec<(String, String, String, Option<u32>)> {
    let (document, diagnostics) = read("m.xml", text);
    let place = |diagnostic: &Diagnostic| {
        let place = document.sources.resolve(diagnostic.primary);
        let start = format!("{} {}:{}", diagnostic.code, place.start.line, place.start.column);
        (start, text[place.bytes].to_owned(), place.element.unwrap_or("").to_owned(), place.element_line)
    };
    diagnostics.iter().map(place).collect()
}

#[test]
fn places_lead_through_entities_and_sections() {
    let guard = |text: &str| {
        let edge = "<source ref=\"a\"/><target ref=\"a\"/>";
        model(
            &format!("{GOOD}\n<transition>{edge}\n<label kind=\"guard\">{text}</label></transition>"),
            SYSTEM,
        )
    };
    let path = "/nta/template[1]/transition[1]/label[1]";
    // Text of the guard, what the message is about, the line and column of it in the file, the line in the label.
    let cases: &[(&str, &str, &str, u32)] = &[
        ("x &lt;= ", "", "5:29", 1),
        ("x &lt;= )", ")", "5:29", 1),
        ("x &#60;&#x3d; 5 )", ")", "5:37", 1),
        ("x &lt;= 5 &amp;&amp;\n y &gt; &gt; 3", "&gt;", "6:9", 2),
        ("<![CDATA[x <= ]]>)", ")", "5:38", 1),
        ("\n\t<![CDATA[\n x < <\n]]>", "<", "7:6", 3),
        ("/* é */ x &lt;= )", ")", "5:37", 1),
        ("x &lt;= 5 &lt;!-- no --&gt; )", "&lt;", "", 1),
    ];
    for (text, about, position, line) in cases {
        let found = places(&guard(text));
        assert!(!found.is_empty(), "{text}");
        let (start, there, element, element_line) = &found[0];
        assert_eq!((element.as_str(), element_line), (path, &Some(*line)), "{text}: {found:?}");
        if !position.is_empty() {
            assert_eq!(
                (start.split(' ').nth(1), there.as_str()),
                (Some(*position), *about),
                "{text}: {found:?}"
            );
        }
    }
}

#[test]
fn line_endings_do_not_move_places() {
    let unix = model(GOOD, "<declaration>int a;\nint 5;\n</declaration><system>system P;</system>");
    let dos = unix.replace('\n', "\r\n");
    let (a, b) = (places(&unix), places(&dos));
    assert_eq!(a[0].0, b[0].0);
    assert_eq!(a[0].0.split(' ').nth(1), Some("6:5"));
    let document = accept("m.xml", model(GOOD, SYSTEM).replace('\n', "\r\n"));
    assert!(!document.outline().contains('\r'));
}

#[test]
fn broken_markup_is_explained_and_the_rest_is_read() {
    let guard = |text: &str| {
        let edge = "<source ref=\"a\"/><target ref=\"a\"/>";
        model(&format!("{GOOD}<transition>{edge}\n<label kind=\"guard\">{text}</label></transition>"), SYSTEM)
    };
    let cases: &[(String, &[&str])] = &[
        (guard("x < 5"), &["U0114 4:23"]),
        (guard("x <= 5 && y > 3"), &["U0114 4:23", "U0114 4:28"]),
        (guard("a & b"), &["U0114 4:23"]),
        (guard("x &foo; y"), &["U0115 4:23"]),
        (guard("x &#0; y"), &["U0116 4:23"]),
        (guard("x &lt; 5</guard>"), &["U0112 4:29"]),
        (model(&GOOD.replace("/>", ">"), SYSTEM), &["U0112 4:1", "U0133 2:1", "U0122 3:18"]),
        (model(GOOD, "<declaration>int i; <system>system P;</system>"), &["U0112 5:21"]),
        (model(GOOD, SYSTEM).replace("</nta>", ""), &["U0113 5:27"]),
        (model(GOOD, SYSTEM) + "</nta>", &["U0112 6:1"]),
        (model(GOOD, SYSTEM) + "<!-- never closed", &["U0111 6:1"]),
    ];
    for (text, expected) in cases {
        let (document, diagnostics) = read("m.xml", text);
        let found = messages(&document.sources, &diagnostics);
        let mut places: Vec<String> =
            found.iter().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
        places.retain(|place| place.starts_with("U01"));
        let mut expected: Vec<&str> = expected.to_vec();
        places.sort();
        expected.sort_unstable();
        assert_eq!(places, expected, "{text}\n{found:#?}");
        assert_eq!(document.templates().count(), 1, "{text}");
    }
}

#[test]
fn ids_need_not_be_names() {
    let inside = "<location id=\"0\"/><location id=\"a b\"><name>_0</name></location><location id=\"a-b\"/>\
        <branchpoint id=\"5\"/><init ref=\"0\"/><transition><source ref=\"a b\"/><target ref=\"5\"/></transition>";
    let document = accept("m.xml", model(inside, SYSTEM));
    let template = document.templates().next().unwrap();
    let names: Vec<&str> =
        template.locations.iter().map(|location| document.tree.name(location.name)).collect();
    assert_eq!(names, ["_0_", "_0", "_a_b"]);
    assert_eq!(document.tree.name(template.edges[0].source), "_0");
}
