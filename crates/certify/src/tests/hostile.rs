//! Files that are made to exhaust memory, time or the stack. Each is small, and is refused, or given up within limits.

use super::explorer::{certificate, model};
use crate::format::{Generator, Header};
use crate::{Options, Outcome, certify, header_line};
use tourbillon_model::Model;

const TEXT: &str = "clock x; int[0,20] n[12]; process P() { state A { x <= 5 }; init A;
    trans A -> A { guard x >= 3; assign x = 0; }; } system P;";

/// How many bytes a block has when it is as large as it may be.
const LARGEST: usize = 16 << 20;

fn small() -> (Model, Vec<u8>) {
    let model = model(TEXT, "E<> x > 5");
    let bytes = certificate(&model, &model.queries[0], Some(9)).expect("a certificate").bytes(&model);
    (model, bytes)
}

/// What is said of a file within 64 MiB and 10,000 entries.
fn check(model: &Model, bytes: &[u8]) -> Result<Outcome, String> {
    let options = Options { memory_bytes_max: 64 << 20, entries_max: 10_000, ..Options::default() };
    certify(model, &[&model.queries[0]], bytes, &options).map_err(|error| error.to_string())
}

/// A block of these bytes.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let packed = miniz_oxide::deflate::compress_to_vec(bytes, 6);
    let lengths = [bytes.len(), packed.len()].map(|length| (length as u32).to_le_bytes());
    [&lengths[0][..], &lengths[1][..], &packed].concat()
}

/// A block of one byte again and again.
fn block(byte: u8, count: usize) -> Vec<u8> {
    packed(&vec![byte; count])
}

/// The small certificate with other counts and blocks.
fn with(counts: [u64; 5], blocks: &[Vec<u8>]) -> (Model, Vec<u8>) {
    let (model, bytes) = small();
    let (mut header, _) = Header::read(&bytes).expect("a header");
    let it = &mut header.invariants[0];
    [it.zone_blocks, it.state_blocks, it.zones, it.states, it.entries] = counts;
    it.ranked = false;
    let file = [header_line(&header), blocks.concat()].concat();
    assert!(file.len() < 1 << 20, "the file is small");
    (model, file)
}

fn refused(counts: [u64; 5], blocks: &[Vec<u8>]) -> String {
    let (model, file) = with(counts, blocks);
    check(&model, &file).expect_err("refused")
}

fn given_up(counts: [u64; 5], blocks: &[Vec<u8>]) -> bool {
    let (model, file) = with(counts, blocks);
    matches!(check(&model, &file), Ok(Outcome::Unknown(_)))
}

#[test]
fn blocks_that_expand_to_the_limit_have_no_more_records_than_announced() {
    assert!(refused([1, 0, 1, 0, 0], &[block(0, LARGEST)]).contains("more zones"));
    assert!(refused([1, 1, 1, 1, 1], &[block(0, 1), block(0, LARGEST)]).contains("more states"));
    assert!(given_up([1, 0, LARGEST as u64, 0, 0], &[block(0, LARGEST)]));
    assert!(given_up([1, 1, 1, 1 << 23, 0], &[block(0, 1), block(0, LARGEST)]));
}

#[test]
fn counts_that_no_file_can_have_end_with_the_file() {
    let most = u64::MAX;
    assert!(refused([most, most, 1, 1, 1], &[]).contains("ends within"));
    assert!(refused([1, most, 1, 1, 1], &[block(0, 1)]).contains("ends within"));
    assert!(given_up([1, 1, most, 1, 1], &[]) && given_up([1, 1, 1, most, 1], &[]));
    assert!(given_up([1, 1, 1, 1, most], &[]));
    // Numbers of 63 bits: of constraints, of components, of entries.
    let number = |before: &[u8]| packed(&[before, &[0xff; 8], &[0x7f]].concat());
    assert!(refused([1, 1, 1, 1, 1], &[number(&[])]).contains("ends within"));
    assert!(refused([1, 1, 1, 1, 1], &[block(0, 1), number(&[])]).contains("ends within"));
    assert!(refused([1, 1, 1, 1, 1], &[block(0, 1), number(&[0])]).contains("ends within"));
    // Eight million entries, all there, where one is announced.
    let entries = [&[0, 0x80, 0x80, 0x80, 4][..], &vec![0; 1 << 23]].concat();
    assert!(refused([1, 1, 1, 1, 1], &[block(0, 1), packed(&entries)]).contains("more entries"));
}

#[test]
fn generators_that_permute_a_state_in_half_a_billion_ways_are_given_up() {
    let (model, bytes) = small();
    let (mut header, rest) = Header::read(&bytes).expect("a header");
    let generator =
        |cells: Vec<usize>, values| Generator { processes: vec![0], clocks: vec![0], cells, values };
    // A rotation and an exchange generate all permutations; values differ by the third.
    let rotation = (1..12).chain([0]).collect();
    let exchange = [1, 0].into_iter().chain(2..12).collect();
    let values = (0..12).map(|cell| (cell, vec![(0, cell as i32)])).collect();
    header.invariants[0].generators = vec![
        generator(rotation, Default::default()),
        generator(exchange, Default::default()),
        generator((0..12).collect(), values),
    ];
    let file = [header_line(&header), rest.to_vec()].concat();
    assert!(matches!(check(&model, &file), Ok(Outcome::Unknown(_))));
}

#[test]
fn headers_that_nest_or_do_not_end_are_refused() {
    let (model, bytes) = small();
    for deep in ["[".repeat(1 << 20), "{\"format\":".repeat(1 << 18), "{\"invariants\":[".repeat(1 << 17)] {
        assert!(check(&model, format!("{deep}\n").as_bytes()).is_err());
        assert!(check(&model, deep.as_bytes()).expect_err("refused").contains("does not end"));
    }
    let spaces = [vec![b' '; LARGEST], bytes].concat();
    assert!(check(&model, &spaces).expect_err("refused").contains("does not end"));
}
