//! Files that are damaged or hostile, and the hash of models.

use tourbillon_base::Random;
use tourbillon_model::{CellKind, Model, Overflow, model_hash};

use super::explorer::{certificate, certificate_of, model};
use crate::format::{Constraint, Cover, Header};
use crate::{InvariantWriter, Options, Outcome, certify, header_line};

const TEXT: &str = "clock x, y; int n; chan c; process P() { state A { x <= 5 }, B; init A;
    trans A -> B { guard x >= 3 && n == 0; sync c!; assign x = 0, n = n + 1; }, B -> A { assign x = 0, n = 0; }; }
    process Q() { state D; init D; trans D -> D { sync c?; }; } system P, Q;";

fn small() -> (Model, Vec<u8>) {
    let model = model(TEXT, "E<> P.B && n == 0");
    let draft = certificate(&model, &model.queries[0], Some(9)).expect("a certificate");
    let bytes = draft.bytes(&model);
    (model, bytes)
}

fn check(model: &Model, bytes: &[u8]) -> Result<Outcome, String> {
    certify(model, &[&model.queries[0]], bytes, &Options::default()).map_err(|error| error.to_string())
}

#[test]
fn a_certificate_is_accepted_with_its_counts_and_its_hash() {
    let (model, bytes) = small();
    let Ok(Outcome::Accepted(report)) = check(&model, &bytes) else { panic!("not accepted") };
    assert_eq!((report.states, report.sha256.len()), (2, 64));
    assert_eq!(report.queries, ["E<> P.B && n == 0"]);
    assert!(report.entries >= 2 && report.successors >= report.entries);
}

#[test]
fn damaged_files_are_refused_and_nothing_panics() {
    let (model, bytes) = small();
    for end in 0..bytes.len() {
        assert!(check(&model, &bytes[..end]).is_err(), "{end} bytes");
    }
    assert!(check(&model, &[bytes.as_slice(), b"x"].concat()).is_err());
    let mut random = Random::from_seed(2);
    for _ in 0..3_000 {
        let mut damaged = bytes.clone();
        for _ in 0..1 + random.below(3) {
            let at = random.below(damaged.len());
            damaged[at] ^= 1 << random.below(8);
        }
        let _ = check(&model, &damaged);
    }
}

/// The same header before other blocks.
fn with_blocks(bytes: &[u8], change: impl FnOnce(&mut Header), blocks: &[&[u8]]) -> Vec<u8> {
    let (mut header, _) = Header::read(bytes).expect("a header");
    change(&mut header);
    let mut file = header_line(&header);
    for block in blocks {
        let packed = miniz_oxide::deflate::compress_to_vec(block, 6);
        file.extend_from_slice(&(block.len() as u32).to_le_bytes());
        file.extend_from_slice(&(packed.len() as u32).to_le_bytes());
        file.extend_from_slice(&packed);
    }
    file
}

#[test]
fn records_that_lie_are_refused() {
    let (model, bytes) = small();
    let error = |change: &dyn Fn(&mut Header), blocks: &[&[u8]]| {
        check(&model, &with_blocks(&bytes, change, blocks)).expect_err("refused")
    };
    let counts = |zones: u64, states: u64, entries: u64| {
        move |header: &mut Header| {
            let it = &mut header.invariants[0];
            (it.ranked, it.zone_blocks, it.state_blocks) = (false, 1, 1);
            (it.zones, it.states, it.entries) = (zones, states, entries);
        }
    };
    let state: &[u8] = &[0, 1, 0];
    assert!(error(&counts(1, 1, 1), &[&[1, 3, 0, 0], state]).contains("clock index"));
    assert!(error(&counts(1, 1, 1), &[&[1, 1, 0, 3], state]).contains("empty"));
    assert!(error(&counts(1, 1, 1), &[&[0xff, 0xff, 0xff, 0xff, 0x0f], state]).contains("ends within"));
    assert!(error(&counts(2, 1, 1), &[&[0], state]).contains("fewer zones"));
    assert!(error(&counts(1, 1, 1), &[&[0, 0], state]).contains("more zones"));
    assert!(error(&counts(1, 1, 1), &[&[0], &[0, 1, 2]]).contains("zone 1 of 1"));
    assert!(error(&counts(1, 1, 1), &[&[0], &[0, 2, 0, 0]]).contains("more entries"));
    assert!(error(&counts(1, 1, 1), &[&[0], &[0, 1, 0, 0, 0]]).contains("more states"));
    assert!(error(&counts(1, 2, 1), &[&[0], state]).contains("fewer states"));
    assert!(error(&counts(1, 1, 1), &[&[0], &[1, 0, 4, 1, 0]]).contains("does not have"));
    assert!(error(&counts(1, 1, 1), &[&[0], &[1, 3, 2, 1, 0]]).contains("component"));
    let long: &[u8] = &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02];
    assert!(error(&counts(1, 1, 1), &[long, state]).contains("64 bits"));
    let large: &[u8] = &[1, 1, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
    assert!(error(&counts(1, 1, 1), &[large, state]).contains("too large"));
}

#[test]
fn counts_and_blocks_are_limited_before_anything_is_allocated() {
    let (model, bytes) = small();
    let huge = with_blocks(&bytes, |header| header.invariants[0].zones = 1 << 40, &[]);
    assert!(matches!(check(&model, &huge), Ok(Outcome::Unknown(_))));
    let (_, rest) = Header::read(&bytes).expect("a header");
    let mut long = bytes[..bytes.len() - rest.len()].to_vec();
    long.extend_from_slice(&u32::MAX.to_le_bytes());
    long.extend_from_slice(&u32::MAX.to_le_bytes());
    assert!(check(&model, &long).expect_err("refused").contains("more than"));
    // A block that expands further than it says.
    let packed = miniz_oxide::deflate::compress_to_vec(&vec![0; 1 << 20], 6);
    let mut bomb = bytes[..bytes.len() - rest.len()].to_vec();
    bomb.extend_from_slice(&10u32.to_le_bytes());
    bomb.extend_from_slice(&(packed.len() as u32).to_le_bytes());
    bomb.extend_from_slice(&packed);
    assert!(check(&model, &bomb).expect_err("refused").contains("decompressed"));
}

#[test]
fn another_model_query_or_version_is_refused() {
    let (model, bytes) = small();
    let changed = |change: &dyn Fn(&mut Header)| {
        let (mut header, rest) = Header::read(&bytes).expect("a header");
        change(&mut header);
        check(&model, &[header_line(&header), rest.to_vec()].concat())
    };
    assert!(matches!(changed(&|_| {}), Ok(Outcome::Accepted(_))));
    assert!(changed(&|header| header.version = 2).is_err());
    assert!(changed(&|header| header.semantics = 2).is_err());
    assert!(changed(&|header| header.format.push('x')).is_err());
    assert!(changed(&|header| header.queries[0].text.push('x')).is_err());
    assert!(changed(&|header| header.queries.clear()).is_err());
    assert!(changed(&|header| header.model.sha256.clear()).is_err());
    assert!(changed(&|header| header.invariants[0].cover = Cover::Lu).is_err());
    let other = super::explorer::model(&TEXT.replace("x >= 3", "x >= 2"), "E<> P.B && n == 0");
    assert!(check(&other, &bytes).expect_err("refused").contains("another model"));
    assert!(matches!(
        changed(&|header| header.queries[0].claim = crate::format::Claim::Never { reach: 1 }),
        Ok(Outcome::Rejected(_))
    ));
}

#[test]
fn the_hash_covers_what_has_a_meaning_and_nothing_else() {
    let hash = |text: &str, queries: &str| model_hash(&model(text, queries));
    let plain = hash(TEXT, "E<> P.B");
    assert_eq!(plain, hash(TEXT, "A[] x > 3 imply n < 3\nE<> deadlock"));
    assert_eq!(plain, hash(&TEXT.replace(';', " ; /* space */ "), ""));
    let changes = [
        ("x <= 5", "x < 5"),
        ("x <= 5", "x <= 6"),
        ("x >= 3", "y >= 3"),
        ("n == 0", "n != 0"),
        ("n + 1", "n + 2"),
        ("x = 0, n = n + 1", "n = n + 1, x = 0"),
        ("init A", "init B"),
        ("int n", "int n = 1"),
        ("int n", "int[0,9] n"),
        ("chan c", "urgent chan c"),
        ("chan c", "broadcast chan c"),
        ("system P, Q", "system P < Q"),
        ("system P, Q", "system Q, P"),
        ("clock x, y", "clock x, y = 1"),
        ("int n;", "meta int n;"),
        ("state A", "urgent state A"),
        ("n = 0;", "n = 1;"),
        ("chan c;", "chan c; before_update { n = 0 }"),
    ];
    for (from, to) in changes {
        let text = if to == "urgent state A" {
            TEXT.replacen("init A", "urgent B; init A", 1)
        } else {
            TEXT.replacen(from, to, 1)
        };
        assert_ne!(text, TEXT);
        assert_ne!(hash(&text, ""), plain, "{from} to {to}");
    }
    let mut model = model(TEXT, "");
    model.name.push('x');
    assert_eq!(model_hash(&model), plain);
    model.overflow = Overflow::Wrap;
    assert_ne!(model_hash(&model), plain);
    let cell = model.cells.iter_mut().next().expect("a cell");
    cell.kind = CellKind::Constant;
    assert_ne!(model_hash(&model), plain);
}

#[test]
fn blocks_end_and_equal_zones_are_one() {
    let mut writer = InvariantWriter::new(false);
    let zone = |bound| [Constraint { left: 1, right: 0, bound }];
    assert_eq!([writer.zone(&zone(3)), writer.zone(&zone(5)), writer.zone(&zone(3))], [0, 1, 0]);
    for state in 0..700_000 {
        writer.state(&[state, -state], &[(0, 0), (1, 0)]);
    }
    let (header, _) = writer.finish(super::explorer::header(Cover::Inclusion, false));
    assert_eq!((header.zones, header.states, header.entries), (2, 700_000, 1_400_000));
    assert!(header.state_blocks > 2);
}

#[test]
fn the_outcome_does_not_depend_on_the_number_of_threads() {
    let text = "clock x; int[0,999] n; process P() { state A { x <= 2 }; init A; trans A -> A { guard x >= 1; assign n = (n + 1) % 1000, x = 0; }; } system P;";
    let model = model(text, "E<> x > 2");
    let query = &model.queries[0];
    let mut draft = certificate_of(&model, query, None, 5_000).expect("a certificate");
    let outcome = |draft: &super::explorer::CertificateDraft, threads: usize| {
        let options = Options { threads, ..Options::default() };
        certify(&model, &[query], &draft.bytes(&model), &options).expect("a file in order")
    };
    let whole: Vec<Outcome> = [1, 2, 7].iter().map(|&threads| outcome(&draft, threads)).collect();
    assert!(matches!(whole[0], Outcome::Accepted(_)) && whole.windows(2).all(|it| it[0] == it[1]));
    draft.invariants[0].entries.retain(|entry| ![300, 310, 900].contains(&entry.0[1]));
    let part: Vec<Outcome> = [1, 2, 7].iter().map(|&threads| outcome(&draft, threads)).collect();
    let Outcome::Rejected(rejection) = &part[0] else { panic!("accepted") };
    assert_eq!(rejection.state.as_ref().expect("a state").values, [("n".to_owned(), 299)]);
    assert_eq!(rejection.successor.as_ref().expect("a successor").values, [("n".to_owned(), 300)]);
    assert_eq!(rejection.transition.len(), 1);
    assert!(part.windows(2).all(|it| it[0] == it[1]));
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let cancellation = tourbillon_base::Cancellation { stop: Some(stop), ..Default::default() };
    let options = Options { cancellation, ..Options::default() };
    let outcome = certify(&model, &[query], &draft.bytes(&model), &options).expect("a file in order");
    assert!(matches!(outcome, Outcome::Unknown(_)));
}
