//! Input that means harm, or is just broken: no panic, no hang, no unbounded memory.

use tourbillon_base::Random;
use tourbillon_front_uppaal::write_xml;

use crate::{check, messages, read, samples};

/// Reads something and does with it what can be done.
fn try_everything(name: &str, bytes: &[u8]) {
    if let Err(problem) = check::check(name, bytes) {
        panic!("{problem}");
    }
}

#[test]
fn entities_are_not_expanded() {
    let mut bomb = "<!DOCTYPE nta [<!ENTITY a0 \"aaaaaaaaaa\">".to_owned();
    for level in 1..30 {
        let inner = format!("&a{};", level - 1).repeat(10);
        bomb += &format!("<!ENTITY a{level} \"{inner}\">");
    }
    bomb += "<!ENTITY file SYSTEM \"file:///etc/passwd\">]><nta><declaration>&a29;&file;</declaration></nta>";
    let (document, diagnostics) = read("m.xml", &bomb);
    let found = messages(&document.sources, &diagnostics);
    assert!(found.iter().filter(|line| line.starts_with("U0115")).count() == 2, "{found:#?}");
    assert!(found.iter().any(|line| line.starts_with("U0117")), "{found:#?}");
    assert_eq!(document.sources.text(document.sections.declaration.unwrap()), "  ");
}

#[test]
fn deep_nesting_is_bounded() {
    let deep = "<nta>".to_owned()
        + &"<a>".repeat(100_000)
        + &"</a>".repeat(100_000)
        + "<system>system P;</system></nta>";
    let (document, diagnostics) = read("m.xml", &deep);
    let found = messages(&document.sources, &diagnostics);
    assert!(
        found.iter().any(|line| line.starts_with("U0118")) && document.sections.system.is_some(),
        "{found:#?}"
    );
    try_everything("m.xml", "<a>".repeat(100_000).as_bytes());
    try_everything("m.xml", ("<nta><declaration>int x = ".to_owned() + &"(".repeat(100_000)).as_bytes());
}

#[test]
fn repetition_is_linear() {
    let pieces = [
        "<",
        "< ",
        "&",
        "&&",
        "&a;",
        "<a",
        "<a ",
        "<!--",
        "<![CDATA[",
        "<?",
        "</b>",
        "<a b='",
        "<nta>",
        "<a><b></a>",
        "<label>",
        "x=\"",
        "\r",
        "<a x='1' y='2' z='3'/>",
        "]]>",
        "\u{feff}",
    ];
    for piece in pieces {
        let body = piece.repeat(200_000 / piece.len());
        try_everything("m.xml", body.as_bytes());
        try_everything("m.xml", format!("<nta><template><name>{body}</name></template></nta>").as_bytes());
        try_everything("m.xml", format!("<nta><template {body}></template></nta>").as_bytes());
    }
}

#[test]
fn truncation_anywhere_is_harmless() {
    for (name, bytes) in samples() {
        let step = if bytes.len() > 3000 { 3 } else { 1 };
        for end in (0..bytes.len()).step_by(step) {
            let (document, diagnostics) = read(name, &bytes[..end]);
            let xml = name.ends_with(".xml") && end > 0;
            let complete = bytes[end..].trim_ascii().is_empty();
            assert!(!xml || complete || diagnostics.has_errors(), "{name} cut at {end}");
            if end % 97 == 0 {
                let _ = write_xml(&document);
            }
        }
    }
}

#[test]
fn random_changes_are_harmless() {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = match number("TOURBILLON_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("TOURBILLON_CASES").unwrap_or(600),
    };
    for seed in seeds {
        let mut random = Random::from_seed(seed);
        let mut below = |bound: usize| random.below(bound);
        let (name, bytes) = samples()[below(samples().len())];
        let mut bytes = bytes.to_vec();
        for _ in 0..=below(8) {
            if bytes.is_empty() {
                break;
            }
            let at = below(bytes.len());
            match below(5) {
                0 => bytes[at] = below(256) as u8,
                1 => drop(bytes.drain(at..(at + below(40)).min(bytes.len()))),
                2 => bytes.insert(at, b"<>&\"'/{}();,!?=\x00\xff"[below(17)]),
                3 => bytes.extend_from_within(at..(at + below(200)).min(bytes.len())),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let done = std::panic::catch_unwind(|| try_everything(name, &bytes));
        assert!(done.is_ok(), "TOURBILLON_SEED={seed}: {name}");
    }
}

#[test]
fn random_bytes_are_harmless() {
    for seed in 0..200 {
        let mut random = Random::from_seed(seed);
        let length = random.below(300);
        let bytes: Vec<u8> = (0..length).map(|_| random.next_u64() as u8).collect();
        for name in ["m.xml", "m.xta", "m.ta", "m.q"] {
            let done = std::panic::catch_unwind(|| try_everything(name, &bytes));
            assert!(done.is_ok(), "seed {seed}: {name}");
        }
    }
}

#[test]
fn regressions_of_the_fuzzer_stay_fixed() {
    for (target, name) in [("xml", "m.xml"), ("xta", "m.xta")] {
        let folder =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/regressions").join(target);
        let mut replayed = 0;
        for entry in std::fs::read_dir(&folder).expect("the folder of regressions is part of the project") {
            let path = entry.expect("a readable folder").path();
            let bytes = std::fs::read(&path).expect("a readable file");
            if let Err(problem) = check::check(name, &bytes) {
                panic!("{}: {problem}", path.display());
            }
            replayed += 1;
        }
        assert!(replayed > 0, "no regression in {}", folder.display());
    }
}

#[test]
fn a_large_file_is_read() {
    let mut text = "<nta><declaration>clock x; int v;</declaration>".to_owned();
    for template in 0..250 {
        text += &format!("<template><name>T{template}</name>");
        for location in 0..40 {
            text += &format!(
                "<location id=\"i{location}\" x=\"{location}\" y=\"0\"><name>L{location}</name>\
                 <label kind=\"invariant\" x=\"0\" y=\"1\">x &lt;= {location}</label></location>\n"
            );
        }
        text += "<init ref=\"i0\"/>";
        for edge in 0..80 {
            let (source, target) = (edge % 40, edge * 7 % 40);
            text += &format!(
                "<transition><source ref=\"i{source}\"/><target ref=\"i{target}\"/>\
                 <label kind=\"guard\" x=\"0\" y=\"2\">x &gt;= {edge} &amp;&amp; v == {edge} || x &lt; 3</label>\
                 <label kind=\"assignment\" x=\"0\" y=\"3\">x = 0, v = (v + {edge}) % 3</label></transition>\n"
            );
        }
        text += "</template>";
    }
    text += "<system>system T0;</system></nta>";
    assert!(text.len() > 5_000_000, "{}", text.len());
    let (document, diagnostics) = read("large.xml", &text);
    assert_eq!(messages(&document.sources, &diagnostics), [""; 0]);
    assert_eq!(document.templates().map(|template| template.edges.len()).sum::<usize>(), 20_000);
}
