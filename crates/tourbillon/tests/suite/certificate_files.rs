//! Certificates that were damaged: whatever the file, it is refused, rejected or accepted, and nothing that is false is accepted.
//!
//! The fuzz target `certificates` includes this file, so that what it finds can be replayed without it (`fuzz/README.md`). Its bytes are a script: which
//! certificate, and what is done to the text of its header and to its blocks, which are decompressed before and compressed after that.

use std::sync::OnceLock;

use tourbillon::{
    CertificateFile, CertifyOutcome, CertifyRequest, Cover, Limits, Loaded, PlanRequest, Request,
    SymmetryUse, certify, check, load_with_queries,
};

/// How many bytes a check may take.
const MEMORY_BYTES_MAX: u64 = 64 << 20;

const MODEL: &str = "clock x, y; int[0,4] n; chan c; typedef scalar[2] id_t; bool in[id_t];
    process P() { state A { x <= 5 }, B, C; commit C; init A;
      trans A -> B { guard x >= 3 && n < 2; sync c!; assign x = 0, n = n + 1; }, B -> C { guard y > 1; }, C -> A { assign x = 0, n = 0; }; }
    process Q(const id_t i) { clock z; state D { z <= 4 }, E { z <= 9 }; init D;
      trans D -> E { sync c?; assign z = 0, in[i] = true; }, E -> D { guard z > 1; assign z = 0, in[i] = false; }; }
    system P, Q;";

/// Queries that hold, as far as this program says so, and others that do not.
const TRUE: [&str; 5] =
    ["A[] n <= 1", "A[] P.B imply n == 1", "sup{P.B}: n", "P.C --> P.A", "A<> y >= 1 || P.B"];
const FALSE: [&str; 4] = ["A[] n <= 0", "A[] not P.B", "P.A --> P.B", "A<> P.C && n == 0"];

/// A certificate as it is before anything is done to it.
struct Subject {
    header: Vec<u8>,
    /// Decompressed.
    blocks: Vec<Vec<u8>>,
}

fn loaded() -> &'static Loaded {
    static LOADED: OnceLock<Loaded> = OnceLock::new();
    LOADED.get_or_init(|| {
        let queries = TRUE.iter().chain(&FALSE).map(|query| format!("{query}\n")).collect::<String>();
        let loaded = load_with_queries("subject.xta", MODEL.as_bytes(), [("subject.q", queries.as_bytes())]);
        assert!(loaded.model.is_some(), "{:?}", loaded.diagnostics);
        loaded
    })
}

/// Certificates of all kinds.
fn subjects() -> &'static [Subject] {
    static SUBJECTS: OnceLock<Vec<Subject>> = OnceLock::new();
    SUBJECTS.get_or_init(|| {
        let plain = PlanRequest { certificate: true, ..PlanRequest::default() };
        let closed =
            PlanRequest { cover: Some(Cover::Inclusion), symmetry: SymmetryUse::Off, ..plain.clone() };
        [plain, closed].iter().flat_map(certificates).map(|file| Subject::of(&file)).collect()
    })
}

/// The certificates of the answers by exhaustion.
fn certificates(plan_request: &PlanRequest) -> Vec<Vec<u8>> {
    let request = Request { plan_request: plan_request.clone(), ..Request::default() };
    let report = check(loaded(), &request, &mut |_| {}).expect("a search");
    let mut files = Vec::new();
    for result in &report.results {
        let (Some(query), Some(certificate)) = (&result.query, &result.certificate) else { continue };
        let mut file = CertificateFile::default();
        file.add(&query.text, certificate);
        let mut bytes = Vec::new();
        file.write(loaded().model.as_ref().expect("a model"), &mut bytes).expect("memory can be written");
        files.push(bytes);
    }
    files
}

impl Subject {
    fn of(file: &[u8]) -> Self {
        let end = file.iter().position(|&byte| byte == b'\n').expect("a header");
        let (header, mut rest) = (file[..end].to_vec(), &file[end + 1..]);
        let mut blocks = Vec::new();
        while !rest.is_empty() {
            let length = u32::from_le_bytes(rest[4..8].try_into().expect("4 bytes")) as usize;
            let block = miniz_oxide::inflate::decompress_to_vec(&rest[8..8 + length]);
            blocks.push(block.expect("a block"));
            rest = &rest[8 + length..];
        }
        Self { header, blocks }
    }

    fn file(&self) -> Vec<u8> {
        let mut file = [&self.header[..], b"\n"].concat();
        for block in &self.blocks {
            let packed = miniz_oxide::deflate::compress_to_vec(block, 1);
            file.extend((block.len() as u32).to_le_bytes());
            file.extend((packed.len() as u32).to_le_bytes());
            file.extend(packed);
        }
        file
    }

    /// Does what four bytes of a script say.
    fn edit(&mut self, [what, kind, at, value]: [u8; 4]) {
        let parts = self.blocks.len() + 1;
        let part = match usize::from(what) % (parts + 1) {
            0 => return self.change_header(kind, at, value),
            1 => &mut self.header,
            index => &mut self.blocks[index - 2],
        };
        let place = (usize::from(at) * 257 + usize::from(kind) / 8) % (part.len() + 1);
        match kind % 8 {
            0 => part.insert(place, value),
            1 if place < part.len() => part[place] = value,
            2 if place < part.len() => part[place] = part[place].wrapping_add(value),
            3 if place < part.len() => drop(part.remove(place)),
            4 => part.truncate(place),
            5 => {
                let end = part.len().min(place + usize::from(value));
                let copy = part[place..end].to_vec();
                part.extend(copy);
            }
            6 => drop(part.splice(place..place, [0xff; 9].into_iter().chain([value & 1]))),
            _ => drop(part.drain(place..part.len().min(place + usize::from(value)))),
        }
    }

    /// Replaces a number of the header, or its query.
    fn change_header(&mut self, kind: u8, at: u8, value: u8) {
        let text = String::from_utf8_lossy(&self.header).into_owned();
        if kind.is_multiple_of(4) {
            let queries: Vec<&str> = TRUE.iter().chain(&FALSE).copied().collect();
            let known = queries.iter().find(|query| text.contains(&format!("\"text\":\"{query}\"")));
            if let Some(known) = known {
                self.header = text.replace(known, queries[usize::from(value) % queries.len()]).into_bytes();
            }
            return;
        }
        let numbers: Vec<(usize, usize)> = digits(&text);
        let Some(&(start, end)) = numbers.get(usize::from(at) % numbers.len().max(1)) else { return };
        let number = match value {
            200.. => (1u64 << (value % 64)).to_string(),
            150.. => format!("-{value}"),
            _ => value.to_string(),
        };
        self.header = [&text[..start], &number, &text[end..]].concat().into_bytes();
    }
}

/// Where there are numbers, those of the hash left out.
fn digits(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let (mut start, bytes) = (0, text.as_bytes());
    while start < bytes.len() {
        let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if length > 0 && start > 0 && matches!(bytes[start - 1], b':' | b'[' | b',') {
            found.push((start, start + length));
        }
        start += length.max(1);
    }
    found
}

/// Checks a file. Panics if it is accepted for something that is false.
fn judge(file: &[u8]) {
    let limits = Limits { memory_bytes: Some(MEMORY_BYTES_MAX), ..Limits::default() };
    let request = CertifyRequest { threads: Some(1), limits, stop: None };
    if let Ok(CertifyOutcome::Accepted(report)) = certify(loaded(), file, &request) {
        for query in &report.queries {
            assert!(!FALSE.contains(&query.as_str()), "accepted for `{query}`");
        }
    }
}

/// Runs a script: a certificate that is damaged, or a file as it is.
pub(crate) fn run(script: &[u8]) {
    let Some((&first, edits)) = script.split_first() else { return };
    let subjects = subjects();
    let Some(subject) = subjects.get(usize::from(first) % (subjects.len() + 1)) else { return judge(edits) };
    let mut damaged = Subject { header: subject.header.clone(), blocks: subject.blocks.clone() };
    let (edits, _) = edits.as_chunks::<4>();
    edits.iter().for_each(|&edit| damaged.edit(edit));
    judge(&damaged.file());
}

#[test]
fn certificates_of_all_kinds_are_made_and_accepted() {
    let all = subjects();
    let has = |text: &str| all.iter().any(|subject| String::from_utf8_lossy(&subject.header).contains(text));
    for text in
        ["never", "bounds", "avoid", "response", "\"lu\"", "inclusion", "generators\":[{", "\"ranked\":true"]
    {
        assert!(has(text), "no certificate with {text}");
    }
    assert!(
        !FALSE.iter().any(|query| has(&format!("\"{query}\""))),
        "the search has an answer that is false"
    );
    let request = CertifyRequest { threads: Some(1), ..CertifyRequest::default() };
    for subject in all {
        let outcome = certify(loaded(), &subject.file(), &request);
        assert!(matches!(outcome, Ok(CertifyOutcome::Accepted(_))), "{outcome:?}");
    }
}

/// The number of scripts is `TOURBILLON_SCRIPTS` (default 3,000), the first seed `TOURBILLON_SEED` (default 1).
#[test]
fn damaged_certificates_prove_nothing_false() {
    let number = |name: &str, default: u64| {
        std::env::var(name)
            .map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is no number")))
    };
    let first = number("TOURBILLON_SEED", 1);
    for seed in first..first + number("TOURBILLON_SCRIPTS", 3_000) {
        let mut random = tourbillon::Random::from_seed(seed);
        let script: Vec<u8> = (0..1 + 4 * (1 + random.below(3))).map(|_| random.below(256) as u8).collect();
        let outcome = std::panic::catch_unwind(|| run(&script));
        assert!(outcome.is_ok(), "TOURBILLON_SEED={seed} TOURBILLON_SCRIPTS=1");
    }
}
