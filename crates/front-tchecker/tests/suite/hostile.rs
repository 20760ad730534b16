//! Input that nobody writes: no panic, no hang, no unbounded memory.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use tourbillon_base::Random;

use super::{load, seeds, told};

const SAMPLE: &str = "system:S\nevent:e\nevent:f\nclock:2:x\nint:3:-1:9:0:a\nprocess:P\nprocess:Q\n\
                      location:P:l{initial: : labels: u,v}\nlocation:P:m{invariant: x[0]<=5 && a[1]<3 : urgent:}\n\
                      location:Q:l{initial:}\n\
                      edge:P:l:m:e{provided: 1<x[a[0]]<=5 && !(a[0]==2) : do: x[0]=3+x[1]; a[(if a[0] then 1 else 2)]=-4/4}\n\
                      edge:P:m:l:f{do: local n[2]; while n[0] < 3 do n[0] = n[0] + 1; if n[1] then a[0] = 1 else nop end end}\n\
                      edge:Q:l:l:e\nsync:P@e:Q@e?\n";

/// What is put in at random places.
const SIGNS: &[u8] = b"{}:;@?!()[]=<>&|+-*/%#\n \"'.$0a\xc3";

fn head(edge: &str) -> String {
    format!(
        "system:S\nevent:e\nint:1:0:9:0:i\nclock:1:x\nprocess:P\nlocation:P:l{{initial:}}\nedge:P:l:l:e{{{edge}}}\n"
    )
}

#[test]
fn the_sample_is_right() {
    let (_, diagnostics, sources) = load(SAMPLE);
    assert_eq!(told(&diagnostics, &sources), [""; 0]);
}

#[test]
fn every_truncation_and_every_missing_byte() {
    for end in 0..SAMPLE.len() {
        load(&SAMPLE[..end]);
        load(&format!("{}{}", &SAMPLE[..end], &SAMPLE[end + 1..]));
    }
}

#[test]
fn random_changes() {
    for seed in seeds(3000) {
        let mut random = Random::from_seed(seed);
        let mut bytes = SAMPLE.as_bytes().to_vec();
        for _ in 0..=random.below(8) {
            if bytes.is_empty() {
                break;
            }
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.next_u64() as u8,
                1 => drop(bytes.drain(at..(at + random.below(20)).min(bytes.len()))),
                2 => bytes.insert(at, SIGNS[random.below(SIGNS.len())]),
                _ => {
                    let end = (at + random.below(60)).min(bytes.len());
                    let piece = bytes[at..end].to_vec();
                    let to = random.below(bytes.len());
                    bytes.splice(to..to, piece);
                }
            }
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let result = std::panic::catch_unwind(|| {
            load(&text).0.iter().for_each(|model| drop(super::writing::there_and_back(model)));
        });
        assert!(result.is_ok(), "TOURBILLON_SEED={seed}:\n{text}");
    }
}

#[test]
fn random_bytes() {
    for seed in seeds(500) {
        let mut random = Random::from_seed(seed);
        let bytes: Vec<u8> = (0..random.below(400)).map(|_| random.next_u64() as u8).collect();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let result = std::panic::catch_unwind(|| drop(load(&text)));
        assert!(result.is_ok(), "TOURBILLON_SEED={seed}: {text:?}");
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let many = 100_000;
    for (open, inner, close) in [
        ("(", "1", ")"),
        ("-", "1", ""),
        ("!", "1", ""),
        ("(if 1 then 1 else ", "1", ")"),
        ("i[", "0", "]"),
        ("1+", "1", ""),
    ] {
        let text = head(&format!("provided: {}{inner}{}", open.repeat(many), close.repeat(many)));
        let (_, diagnostics, sources) = load(&text);
        let told = told(&diagnostics, &sources);
        assert!(told[0].starts_with("error T0202 7:"), "{open}: {told:?}");
    }
    for (open, close) in [("if i then ", " end"), ("while i do i = 0; ", " end")] {
        let text = head(&format!("do: {}nop{}", open.repeat(many), close.repeat(many)));
        let (_, diagnostics, sources) = load(&text);
        assert!(told(&diagnostics, &sources)[0].starts_with("error T0202 7:"), "{open}");
    }
    load(&head(&format!("do: {}", "if i then ".repeat(many))));
    load(&"{".repeat(many));
    load(&format!("system:S{}", "{a:".repeat(many)));
}

#[test]
fn what_is_long_and_flat_is_fine() {
    let conditions = vec!["i == 1"; 20_000].join(" && ");
    let statements = vec!["i = 1"; 20_000].join("; ");
    let (model, ..) = load(&head(&format!("provided: {conditions} && x < 3 : do: {statements}")));
    assert!(model.is_some());
    let (model, ..) = load(&head(&format!("provided: i == {}1", "1 + ".repeat(900))));
    assert!(model.is_some());
}

#[test]
fn large_files_are_read_in_linear_time() {
    let start = Instant::now();
    let mut text = String::from("system:S\nevent:e\n");
    for process in 0..200 {
        text += &format!("process:P{process}\nclock:1:x{process}\nint:2:0:9:0:i{process}\n");
        for location in 0..100 {
            text += &format!(
                "location:P{process}:l{location}{{{}}}\n",
                if location == 0 { "initial:" } else { "" }
            );
        }
        for edge in 0..250 {
            text += &format!(
                "edge:P{process}:l{}:l{}:e{{provided: x{process}>={edge} && i{process}[0]<5 : do: x{process}=0; i{process}[1]=3}}\n",
                edge % 100,
                (edge * 7 + 1) % 100,
            );
        }
    }
    assert!(text.len() > 4_000_000, "{}", text.len());
    assert!(load(&text).0.is_some());
    // Nothing but mistakes.
    let unknown: String = (0..100_000).map(|number| format!("edge:Q{number}:a:b:c{{d:e}}\n")).collect();
    assert_eq!(load(&format!("{text}{unknown}")).1.error_count(), 200_000);
    let labels: String = (0..300_000).map(|number| format!("l{number},")).collect();
    load(&format!("system:S\nprocess:P\nlocation:P:l{{labels: {labels}}}\n"));
    let locals: String = (0..100_000).map(|number| format!("local v{number}; ")).collect();
    load(&head(&format!("do: {locals} nop")));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn regressions_of_the_fuzzer_stay_fixed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/regressions/tck");
    let mut count = 0;
    for entry in fs::read_dir(&folder).expect("the folder of regressions is part of the project") {
        let bytes = fs::read(entry.expect("a readable folder").path()).expect("a readable file");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some(model) = load(&text).0 {
            super::writing::there_and_back(&model);
        }
        count += 1;
    }
    assert!(count > 0, "no regressions in {}", folder.display());
}
