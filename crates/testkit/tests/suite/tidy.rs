//! The habits that a machine can check, checked with the ordinary tests.
//!
//! Each check is a function from text to complaints, and is first tried on text that it must complain about:
//! a check that cannot fail is none.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each crate with the crates of the project that it may depend on; directions of the architecture, also for
/// crates still to come. `testkit` may depend on anything, and may be depended on in tests only.
const MAY_DEPEND_ON: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("dbm", &["base"]),
    ("dd", &["base", "dbm"]),
    ("gen", &[]),
    ("syntax", &["base"]),
    ("model", &["base", "syntax"]),
    ("front-uppaal", &["base", "syntax", "model"]),
    ("front-tchecker", &["base", "syntax", "model"]),
    ("replay", &["base", "model"]),
    ("certify", &["base", "model"]),
    ("symmetry", &["base", "model"]),
    ("system", &["base", "dbm", "model"]),
    ("zonegraph", &["base", "dbm", "model", "symmetry", "system"]),
    ("store", &["base", "dbm", "dd"]),
    ("search", &["base", "dbm", "system", "zonegraph", "store"]),
    (
        "check",
        &["base", "certify", "dbm", "model", "replay", "symmetry", "system", "zonegraph", "store", "search"],
    ),
    ("symbolic", &["base", "dbm", "dd", "model", "system", "zonegraph", "search", "check"]),
    ("cluster", &["base", "dbm", "dd", "system", "zonegraph", "store", "search", "check"]),
    (
        "tourbillon",
        &[
            "base",
            "certify",
            "dbm",
            "syntax",
            "model",
            "front-uppaal",
            "front-tchecker",
            "gen",
            "replay",
            "system",
            "zonegraph",
            "store",
            "search",
            "check",
            "symbolic",
            "cluster",
        ],
    ),
    ("studio", &["base", "tourbillon"]),
    (
        "cli",
        &["base", "dbm", "gen", "syntax", "model", "front-uppaal", "front-tchecker", "tourbillon", "studio"],
    ),
    ("bench", &["gen", "tourbillon", "cli"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project's folder")
}

/// All files of the project below a folder with one of these endings, build output left out.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable folder").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if path.is_dir() {
            if !name.starts_with('.')
                && !["target", "artifacts", "corpus", "coverage", "node_modules", "dist"]
                    .contains(&name.as_str())
            {
                found.extend(files(&path, endings));
            }
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Runs a check over files and fails with all that it complains about.
fn none_complains(files: &[PathBuf], check: impl Fn(&str) -> Vec<String>) {
    assert!(!files.is_empty(), "nothing to check");
    let complaints: Vec<String> = files
        .iter()
        .flat_map(|path| {
            check(&read(path)).into_iter().map(move |complaint| format!("{}: {complaint}", path.display()))
        })
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The dependencies of a manifest's section that are crates of the project, without the common prefix.
fn project_dependencies(manifest: &str, wanted: &str) -> Vec<String> {
    let mut section = "";
    let mut found = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = name;
        } else if section == wanted && line.starts_with("tourbillon") {
            let end = line.find(|c: char| !(c.is_alphanumeric() || c == '-')).unwrap_or(line.len());
            found.push(line[..end].strip_prefix("tourbillon-").unwrap_or(&line[..end]).to_owned());
        }
    }
    found
}

fn wrong_dependencies(name: &str, manifest: &str) -> Vec<String> {
    if name == "testkit" {
        return Vec::new();
    }
    let Some((_, allowed)) = MAY_DEPEND_ON.iter().find(|(listed, _)| *listed == name) else {
        return vec![format!("crate {name} is not in the table of directions")];
    };
    let dependencies = project_dependencies(manifest, "dependencies");
    let wrong = dependencies.iter().filter(|dependency| !allowed.contains(&dependency.as_str()));
    wrong.map(|dependency| format!("{name} may not depend on {dependency}")).collect()
}

#[test]
fn crates_depend_in_one_direction() {
    let bad = "[package]\nname = \"x\"\n[dependencies]\ntourbillon-cli.workspace = true\n[dev-dependencies]\ntourbillon-testkit.workspace = true\n";
    assert_eq!(wrong_dependencies("dbm", bad), ["dbm may not depend on cli"]);
    assert_eq!(wrong_dependencies("gears", bad).len(), 1);
    let manifests = files(&root().join("crates"), &["Cargo.toml"]);
    assert!(manifests.len() >= 4);
    for path in manifests {
        let name = path.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default();
        let complaints = wrong_dependencies(name, &read(&path));
        assert!(complaints.is_empty(), "{complaints:?}");
    }
}

/// Lines that call one of these macros.
fn calls(text: &str, macros: &[&str]) -> Vec<String> {
    let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    let called = |line: &str| {
        macros.iter().any(|name| {
            code(line)
                .match_indices(&format!("{name}!"))
                .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
    };
    text.lines()
        .zip(1..)
        .filter(|(line, _)| called(line))
        .map(|(line, number)| format!("line {number}: {}", line.trim()))
        .collect()
}

#[test]
fn only_the_programs_print() {
    let macros = ["println", "print", "eprintln", "eprint", "dbg"];
    assert_eq!(calls("fn f() {\n    print!(\"\");\n    pretty_print!();\n}", &macros).len(), 1);
    let sources = files(&root().join("crates"), &[".rs"]);
    let core: Vec<PathBuf> = sources
        .into_iter()
        .filter(|path| path.components().any(|part| part.as_os_str() == "src"))
        .filter(|path| {
            !["crates/cli", "crates/bench"].iter().any(|program| path.starts_with(root().join(program)))
        })
        .collect();
    none_complains(&core, |text| calls(text, &macros));
}

/// The keys in brackets, such as a name or several followed by a year.
fn cited_keys(text: &str) -> BTreeSet<String> {
    let is_key = |word: &str| {
        let year = word.len().saturating_sub(4);
        year >= 2
            && word.is_char_boundary(year)
            && word.starts_with(|c: char| c.is_ascii_uppercase())
            && word[..year].chars().all(char::is_alphabetic)
            && word[year..].len() == 4
            && word[year..].chars().all(|c| c.is_ascii_digit())
    };
    let bracketed = text.split('[').skip(1).filter_map(|rest| rest.split_once(']')).map(|(inside, _)| inside);
    bracketed
        .filter_map(|inside| inside.split([',', ' ']).next())
        .filter(|word| is_key(word))
        .map(str::to_owned)
        .collect()
}

fn listed_keys(text: &str) -> BTreeSet<String> {
    text.lines()
        .filter_map(|line| line.strip_prefix("- **")?.split_once("**").map(|(key, _)| key.to_owned()))
        .collect()
}

#[test]
fn cited_papers_are_listed_and_listed_ones_cited() {
    let text = "//! by [Knuth1997, section 2], [Li2009] and a[0], [x2001]";
    assert_eq!(cited_keys(text), BTreeSet::from(["Knuth1997".to_owned(), "Li2009".to_owned()]));
    let listed = listed_keys(&read(&root().join("docs/references.md")));
    let sources = [files(&root().join("crates"), &[".rs"]), files(&root().join("studio"), &[".ts"])].concat();
    let own =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/tidy.rs").canonicalize().expect("this file");
    let sources = [sources, vec![root().join("docs/glossary.md")]].concat();
    let cited: BTreeSet<String> =
        sources.iter().filter(|&path| *path != own).flat_map(|path| cited_keys(&read(path))).collect();
    assert!(cited.len() >= 5, "hardly any key found: {cited:?}");
    assert_eq!(cited, listed, "cited in the sources and the glossary, and listed in docs/references.md");
}

/// Marks of unfinished work. They are put together here so that this file is clean of them.
fn leftover_marks(text: &str) -> Vec<String> {
    let marks =
        [["TO", "DO"], ["FIX", "ME"], ["X", "XX"], ["unimplemented", "!("], ["to", "do!("], ["#[ig", "nore"]]
            .map(|parts| parts.concat());
    let marked = |line: &str| marks.iter().any(|mark| line.contains(mark.as_str()));
    text.lines()
        .zip(1..)
        .filter(|(line, _)| marked(line))
        .map(|(line, number)| format!("line {number}: {}", line.trim()))
        .collect()
}

#[test]
fn nothing_is_left_as_a_promise() {
    assert_eq!(leftover_marks(&["// TO", "DO: later"].concat()).len(), 1);
    none_complains(
        &files(&root(), &[".rs", ".md", ".toml", ".sh", ".ts", ".svelte", ".css"]),
        leftover_marks,
    );
    none_complains(&[root().join("test"), root().join(".ci/run")], leftover_marks);
}

fn without_header(text: &str, mark: &str) -> Vec<String> {
    if text.starts_with(mark) { Vec::new() } else { vec!["does not begin by saying what it is".to_owned()] }
}

#[test]
fn every_file_begins_by_saying_what_it_is() {
    assert_eq!(without_header("use std::fs;", "//!").len(), 1);
    none_complains(&files(&root().join("crates"), &[".rs"]), |text| without_header(text, "//!"));
    let page = files(&root().join("studio"), &[".ts"]);
    none_complains(&page, |text| without_header(text, "//"));
}

#[test]
fn oracles_share_nothing_with_what_they_judge() {
    let shares = |text: &str| calls_of(text, "tourbillon_dbm");
    assert_eq!(shares("use tourbillon_dbm::Dbm;").len(), 1);
    let oracles =
        ["naive.rs", "points.rs", "zones.rs"].map(|name| root().join("crates/testkit/src").join(name));
    none_complains(&oracles, shares);
    let engine =
        ["dbm", "system", "zonegraph", "store", "search", "check"].map(|name| format!("tourbillon_{name}"));
    let shares = |text: &str| engine.iter().flat_map(|name| calls_of(text, name)).collect::<Vec<_>>();
    assert_eq!(shares("use tourbillon_store::Order;").len(), 1);
    let folders = [
        "crates/replay/src",
        "crates/certify/src",
        "crates/testkit/src/oracle",
        "crates/testkit/src/networks",
    ];
    let judges: Vec<PathBuf> =
        folders.iter().flat_map(|folder| files(&root().join(folder), &[".rs"])).collect();
    none_complains(&judges, shares);
}

fn calls_of(text: &str, name: &str) -> Vec<String> {
    text.lines().filter(|line| line.contains(name)).map(|line| format!("uses {name}: {line}")).collect()
}

/// The words that the glossary retires.
#[derive(Debug, Default, PartialEq)]
struct RetiredWords {
    /// Names of types and functions, compared as whole words.
    names: Vec<String>,
    /// Phrases in lower case, compared without regard to case and line breaks.
    phrases: Vec<String>,
}

/// Reads the table of retired words: in the first column, names in backticks and phrases, separated by commas.
fn retired_words(glossary: &str) -> RetiredWords {
    let mut retired = RetiredWords::default();
    let section = glossary.split_once("## Retired words").map_or("", |(_, section)| section);
    let first_column = |row: &str| row.strip_prefix("| ")?.split_once(" |").map(|(cell, _)| cell.to_owned());
    for cell in section.lines().filter_map(first_column).filter(|cell| cell != "retired") {
        for word in cell.split(", ") {
            match word.strip_prefix('`').and_then(|word| word.strip_suffix('`')) {
                Some(name) => retired.names.push(name.to_owned()),
                None => retired.phrases.push(word.to_lowercase()),
            }
        }
    }
    retired
}

/// A text as one line in lower case, without comment marks, so that phrases are found across line breaks.
fn in_one_line(text: &str) -> String {
    let without_mark = |line: &str| {
        line.trim().trim_start_matches(['/', '!', '>', '#', '*', '-']).trim_end_matches('\\').to_owned()
    };
    let words: Vec<String> = text
        .lines()
        .flat_map(|line| without_mark(line).split_whitespace().map(str::to_lowercase).collect::<Vec<_>>())
        .collect();
    words.join(" ")
}

fn retired_names(text: &str, retired: &RetiredWords) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let words: BTreeSet<&str> = text.split(|c| !is_part(c)).collect();
    let found = retired.names.iter().filter(|name| words.contains(name.as_str()));
    found.map(|name| format!("`{name}` is retired: see docs/glossary.md")).collect()
}

fn retired_phrases(text: &str, retired: &RetiredWords) -> Vec<String> {
    let text = in_one_line(text);
    let found = retired.phrases.iter().filter(|phrase| text.contains(phrase.as_str()));
    found.map(|phrase| format!("\u{201c}{phrase}\u{201d} is retired: see docs/glossary.md")).collect()
}

#[test]
fn retired_words_do_not_come_back() {
    let table = "## Retired words\n| retired | write |\n|---|---|\n| `Gear`, `Cog` | `Wheel` |\n| round and round | cycle |\n";
    let tried = retired_words(table);
    assert_eq!(tried.names, ["Gear", "Cog"]);
    assert_eq!(tried.phrases, ["round and round"]);
    assert_eq!(retired_names("struct Gear; struct Gearing;", &tried).len(), 1);
    assert_eq!(retired_phrases("//! It goes Round and\n//! round.", &tried).len(), 1);

    let glossary = root().join("docs/glossary.md");
    let retired = retired_words(&read(&glossary));
    assert!(retired.names.len() > 10 && retired.phrases.len() > 10, "the table was not read");
    let sources = files(&root(), &[".rs", ".ts", ".svelte"]);
    none_complains(&sources, |text| retired_names(text, &retired));
    let mut texts = files(&root(), &[".md"]);
    texts.retain(|path| *path != glossary);
    texts.extend(files(&root().join("crates"), &[".rs"]));
    none_complains(&texts, |text| retired_phrases(text, &retired));
}

/// The anchor of a heading, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The targets of the links of a page, code left out.
fn links(text: &str) -> Vec<String> {
    let prose: String = text.split("```").step_by(2).collect();
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    targets.filter(|target| !target.contains("://") && !target.contains(' ')).map(str::to_owned).collect()
}

fn is_broken(page: &Path, link: &str) -> bool {
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let folder = page.parent().expect("a page is in a folder");
    let target = if file.is_empty() { page.to_owned() } else { folder.join(file) };
    if !target.exists() {
        return true;
    }
    let has_heading = |text: &str| {
        text.lines()
            .filter(|line| line.starts_with('#'))
            .any(|line| anchor(line.trim_start_matches('#')) == heading)
    };
    !heading.is_empty() && !has_heading(&read(&target))
}

#[test]
fn links_between_pages_resolve() {
    assert_eq!(anchor(" `--traces N`"), "--traces-n");
    assert_eq!(links("[a](b.md#c) `x` ```[d](e)``` [f](https://g)"), ["b.md#c"]);
    let readme = root().join("README.md");
    assert!(is_broken(&readme, "nowhere.md") && is_broken(&readme, "CONTRIBUTING.md#nowhere"));
    for page in files(&root(), &[".md"]) {
        let broken: Vec<String> =
            links(&read(&page)).into_iter().filter(|link| is_broken(&page, link)).collect();
        assert!(broken.is_empty(), "{}: {broken:?}", page.display());
    }
}
