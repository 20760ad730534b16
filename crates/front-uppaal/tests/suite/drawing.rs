//! Layout and pictures.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use tourbillon_front_uppaal::draw;
use tourbillon_front_uppaal::layout::{Point, arrange_until};

use crate::{accept, read, samples};

fn distance(a: Point, b: Point) -> f64 {
    f64::from(a.x - b.x).hypot(f64::from(a.y - b.y))
}

#[test]
fn everything_gets_a_place_of_its_own() {
    for (name, bytes) in samples() {
        let mut document = accept(name, bytes);
        document.arrange();
        for layout in &document.layout.templates {
            let places: Vec<Point> =
                layout.locations.iter().map(|location| location.position.unwrap()).collect();
            for (index, &a) in places.iter().enumerate() {
                assert!(places[..index].iter().all(|&b| distance(a, b) > 40.0), "{name}");
            }
            for location in &layout.locations {
                assert!(location.anonymous || location.name_position.is_some(), "{name}");
                assert!(location.labels.iter().all(|label| label.position.is_some()), "{name}");
            }
            assert!(layout.branchpoints.iter().all(|branchpoint| branchpoint.position.is_some()), "{name}");
            for edge in &layout.edges {
                assert!(edge.labels.iter().all(|label| label.position.is_some()), "{name}");
            }
        }
        let once = document.layout.clone();
        document.arrange();
        assert_eq!(document.layout, once, "{name}: arranging twice changes something");
    }
}

/// A chain, which is longer than a drawing is high, and a star, which is wider.
fn large(locations: usize, edge: impl Fn(usize) -> String) -> String {
    let names: Vec<String> = (0..locations).map(|index| format!("L{index}")).collect();
    let edges: Vec<String> = (1..locations).map(edge).collect();
    format!(
        "clock x; process P() {{ state {}; init L0; trans {}; }} system P;",
        names.join(", "),
        edges.join(",\n")
    )
}

#[test]
fn however_many_there_are_no_two_share_a_place() {
    let chain = |index: usize| format!("L{} -> L{index} {{ guard x <= 5; assign x := 0; }}", index - 1);
    let star = |index: usize| format!("L0 -> L{index} {{ guard x <= 5; }}");
    for text in [large(100_000, chain), large(100_000, star)] {
        let mut document = accept("large.xta", &text);
        document.arrange();
        let locations = document.layout.templates[0].locations.iter();
        let places: HashSet<Point> = locations.flat_map(|location| location.position).collect();
        assert_eq!(places.len(), 100_000);
    }
}

#[test]
fn a_layout_that_is_told_to_stop_does() {
    let document = accept("lights.xta", samples()[5].1);
    assert!(arrange_until(&document, &AtomicBool::new(false)).is_some());
    assert!(arrange_until(&document, &AtomicBool::new(true)).is_none());
    let mut stopped = document.clone();
    assert_eq!(stopped.arrange_until(&AtomicBool::new(true)), None);
    assert_eq!(stopped.layout, document.layout);
}

#[test]
fn what_has_a_place_keeps_it() {
    let document = accept("train-gate.xml", samples()[0].1);
    let mut arranged = document.clone();
    arranged.arrange();
    assert_eq!(arranged.layout, document.layout);
}

#[test]
fn loops_and_parallel_edges_are_seen() {
    let text = "process P() { state A, B; init A; trans A -> A { guard true; }, A -> A { }, \
        A -> B { guard true; }, A -> B { }, B -> A { }; } system P;";
    let mut document = accept("p.xta", text);
    document.arrange();
    let edges = &document.layout.templates[0].edges;
    assert_eq!((edges[0].nails.len(), edges[1].nails.len()), (2, 2));
    assert_ne!(edges[0].nails, edges[1].nails);
    let between: Vec<_> = edges[2..].iter().map(|edge| edge.nails.clone()).collect();
    assert!(between[0] != between[1] && between[1] != between[2] && between[0] != between[2], "{between:?}");
}

#[test]
fn labels_of_a_fresh_layout_do_not_overlap() {
    let mut document = accept("lights.xta", samples()[5].1);
    document.arrange();
    let labels = document.layout.templates[0].edges.iter().flat_map(|edge| &edge.labels);
    let places: Vec<Point> = labels.map(|label| label.position.unwrap()).collect();
    for (index, a) in places.iter().enumerate() {
        assert!(places[..index].iter().all(|b| a.x != b.x || (a.y - b.y).abs() >= 17), "{places:?}");
    }
}

#[test]
fn pictures_show_what_is_there() {
    let document = accept("lights.xta", samples()[5].1);
    let svg = draw::svg(&document, None).unwrap();
    for part in [
        "Light(const lane_t id, int[1, 9] &amp;pace)",
        "Red",
        ">C<",
        ">U<",
        "green[id]?",
        "stroke-dasharray",
        "#007000",
    ] {
        assert!(svg.contains(part), "{part}\n{svg}");
    }
    assert!(!svg.contains("href") && !svg.contains("<script"));
    let dot = draw::dot(&document, None).unwrap();
    for part in ["cluster_0", "cluster_1", "doublecircle", "shape=point", "green[id]?", "style=dashed"] {
        assert!(dot.contains(part), "{part}\n{dot}");
    }
    let one = draw::svg(&document, Some("Clock")).unwrap();
    assert!(one.contains("Run") && !one.contains("Amber"));
    assert_eq!((draw::svg(&document, Some("Nobody")), draw::dot(&document, Some("Nobody"))), (None, None));
}

/// A picture is XML: our own reader finds nothing wrong with it but that it is no model.
#[test]
fn pictures_of_hostile_names_are_harmless() {
    let evil = "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;\\&quot;]; }";
    let text = format!(
        "<nta><template><name>{evil}</name><parameter>{evil}</parameter><location id=\"{evil}\" color=\"{evil}\">\
         <name>{evil}</name><label kind=\"invariant\">{evil}</label><label kind=\"comments\">{evil}</label></location>\
         <init ref=\"{evil}\"/><transition color=\"{evil}\"><source ref=\"{evil}\"/><target ref=\"{evil}\"/>\
         <label kind=\"guard\" color=\"{evil}\">{evil}</label></transition></template><system>system P;</system></nta>"
    );
    let (document, _) = read("evil.xml", text);
    let svg = draw::svg(&document, None).unwrap();
    assert!(svg.contains("alert(1)") && !svg.contains("<script"), "{svg}");
    let (_, diagnostics) = read("picture.xml", &svg);
    let codes: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code.name()).collect();
    assert_eq!(codes, ["U0121"], "{svg}");
    let dot = draw::dot(&document, None).unwrap();
    let title = r#"label="\"><script>alert(1)</script>\\\"]; }(\"><script>alert(1)</script>\\\"]; })";"#;
    let rest = dot.replace(title, "");
    assert!(rest != dot && rest.contains("alert(1)") && !rest.contains("<script"), "{dot}");
}
