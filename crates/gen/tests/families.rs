//! The contract of the crate: texts that are well formed, that grow as they should, that say the same in both
//! languages, and errors where there is nothing to write.
//!
//! The texts are read here by two small readers that know no more of the languages than what the families
//! use.

use std::collections::BTreeSet;

use tourbillon_gen::{Algorithm, Bounds, Extrapolation, Family, Known, Order, families, family};

/// A few members of each family, the smallest and the largest among them.
fn members() -> impl Iterator<Item = (&'static Family, u32)> {
    families().iter().flat_map(|family| {
        let (first, last) = family.sizes().into_inner();
        [first, first + 1, first + 2, 7, 30, last].map(|n| (family, n))
    })
}

fn tck(family: &Family, n: u32) -> String {
    family.tck(n).unwrap_or_else(|error| panic!("{error}"))
}

fn xta(family: &Family, n: u32) -> String {
    family.xta(n).unwrap_or_else(|error| panic!("{error}"))
}

/// The declarations of a TChecker text of one kind: what follows the keyword, in fields, attributes left out.
fn declarations<'a>(text: &'a str, keyword: &str) -> Vec<Vec<&'a str>> {
    let fields = |line: &'a str| line.split('{').next().unwrap_or_default().split(':').collect::<Vec<_>>();
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(fields)
        .filter(|fields| fields[0] == keyword)
        .map(|fields| fields[1..].to_vec())
        .collect()
}

fn names<'a>(text: &'a str, keyword: &str) -> Vec<&'a str> {
    declarations(text, keyword).into_iter().map(|fields| fields[fields.len() - 1]).collect()
}

/// The parts of a process template, in the order in which they are written: locations, and edges without
/// repetition.
#[derive(Default, PartialEq, Eq, Debug)]
struct Template {
    name: String,
    locations: Vec<String>,
    edges: Vec<(String, String)>,
}

impl Template {
    fn add_edge(&mut self, source: &str, target: &str) {
        let edge = (source.to_owned(), target.to_owned());
        if !self.edges.contains(&edge) {
            self.edges.push(edge);
        }
    }
}

/// The templates of a TChecker text: its processes, those that differ in their numbers only taken together.
fn templates_of_tck(text: &str) -> Vec<Template> {
    let mut templates: Vec<Template> = Vec::new();
    for process in names(text, "process") {
        let name = process.trim_end_matches(|c: char| c.is_ascii_digit());
        if templates.iter().any(|template| template.name == name) {
            continue;
        }
        let mut template = Template { name: name.to_owned(), ..Template::default() };
        let own =
            |keyword| declarations(text, keyword).into_iter().filter(move |fields| fields[0] == process);
        template.locations = own("location").map(|fields| fields[1].to_owned()).collect();
        own("edge").for_each(|fields| template.add_edge(fields[1], fields[2]));
        templates.push(template);
    }
    templates
}

fn templates_of_xta(text: &str) -> Vec<Template> {
    let of_process = |body: &str| {
        let (name, body) = body.split_once('(').expect("parameters");
        let (states, body) =
            body.split_once("    state\n").expect("states").1.split_once(';').expect("an end");
        let location = |state: &str| state.split('{').next().unwrap_or_default().trim().to_owned();
        let mut template = Template {
            name: name.to_owned(),
            locations: states.split(',').map(location).collect(),
            edges: Vec::new(),
        };
        for line in body.split("\n}").next().unwrap_or_default().lines() {
            if let Some((source, rest)) = line.split_once(" -> ") {
                template.add_edge(source.trim(), rest.split(' ').next().unwrap_or_default());
            }
        }
        template
    };
    text.split("\nprocess ").skip(1).map(of_process).collect()
}

#[test]
fn the_two_texts_have_the_same_processes_locations_and_edges() {
    for (family, n) in members().filter(|(_, n)| *n <= 30) {
        let (xta, tck) = (xta(family, n), tck(family, n));
        let mut expected = templates_of_tck(&tck);
        let mut found = templates_of_xta(&xta);
        assert!(expected.iter().all(|template| template.locations.len() > 1), "{}", family.name());
        let system = xta.lines().find_map(|line| line.strip_prefix("system ")).expect("a system line");
        let order: Vec<&str> = system.trim_end_matches(';').split(", ").collect();
        assert!(
            expected.iter().map(|template| &template.name).eq(&order),
            "{}: order of processes",
            family.name()
        );
        expected.sort_by(|a, b| a.name.cmp(&b.name));
        found.sort_by(|a, b| a.name.cmp(&b.name));
        assert_eq!(found, expected, "{} {n}", family.name());
    }
}

#[test]
fn texts_are_complete_and_always_the_same() {
    for (family, n) in members() {
        let texts = [xta(family, n), tck(family, n), family.q(n).expect("a member")];
        assert_eq!(texts, [xta(family, n), tck(family, n), family.q(n).expect("a member")]);
        for text in texts {
            assert!(!text.contains('$'), "{} {n}: something is not filled in", family.name());
            assert!(text.ends_with('\n') && !text.contains('\t'), "{} {n}", family.name());
            assert!(
                text.lines().all(|line| line.trim_end() == line),
                "{} {n}: blanks at an end",
                family.name()
            );
            let count = |bracket: char| text.matches(bracket).count();
            assert_eq!(count('{'), count('}'), "{} {n}", family.name());
            assert_eq!(count('('), count(')'), "{} {n}", family.name());
            assert_eq!(count('['), count(']'), "{} {n}", family.name());
        }
    }
}

#[test]
fn texts_grow_in_proportion_or_not_at_all() {
    for (family, n) in members() {
        let (n, tck, xta) = (n as usize, tck(family, n).len(), xta(family, n).len());
        if family.name().starts_with("flexray") {
            assert!(tck < 12_000 && xta < 12_000, "{} {n}: {tck} and {xta} bytes", family.name());
            continue;
        }
        assert!((100 * n..2000 * (n + 1)).contains(&tck), "{} {n}: {tck} bytes", family.name());
        let per_member = if family.name() == "blow-up" { 200 } else { 0 };
        assert!((500..3000 + per_member * n).contains(&xta), "{} {n}: {xta} bytes", family.name());
    }
}

/// Processes, clocks, locations, edges and synchronisations of a member.
fn expected_counts(name: &str, n: usize) -> [usize; 5] {
    match name {
        "fischer" => [n, n, 4 * n, 5 * n, 0],
        "csmacd" => [n + 1, n + 1, 3 * n + 4, 9 * n + 6 + n, 4 * n],
        "csmacd-broadcast" => [n + 1, n + 1, 3 * n + 3, 9 * n + 5, 3 * n + 1],
        "fddi" => [n + 1, 3 * n + 1, 8 * n + 2, 10 * n + 2 * n, 2 * n],
        "critical-region" | "critical-region-exclusive" => {
            [2 * n + 1, n, 7 * n + 2 * n + 2, 8 * n + 2 * n + 3, 2 * n]
        }
        "lynch" => [n, n, 9 * n, 12 * n, 0],
        "train-gate" => [n + 1, n, 5 * n + 3, 6 * n + 5 * n, 4 * n],
        "corsso" => [n, 2 * n, 2 * n, 6 * n, 0],
        "dining-philosophers" => [2 * n, n, 4 * n + 2 * n, 5 * n + 2 * n, 4 * n],
        "bridge" => [n + 1, n + 1, 4 * n + 4, 4 * n + 5, 2 * n],
        "blow-up" => [1, n + 1, 2 * n + 2, 3 * n + 1, 0],
        // A longer frame is the same network with a counter that goes further.
        "flexray" | "flexray-broken" => [3, 2, 9 + 2 + 9, 68, 2],
        "flexray-bytes" => [3, 2, 9 + 2 + 9, 68 + 2, 2],
        other => panic!("no formula for {other}"),
    }
}

#[test]
fn networks_grow_by_their_formulas() {
    for (family, n) in members() {
        let text = tck(family, n);
        let counts = ["process", "clock", "location", "edge", "sync"].map(|k| declarations(&text, k).len());
        assert_eq!(counts, expected_counts(family.name(), n as usize), "{} {n}", family.name());
    }
}

#[test]
fn what_is_used_is_declared_before() {
    for (family, n) in members().filter(|(_, n)| *n <= 30) {
        let text = tck(family, n);
        let (mut declared, mut synchronised) = (BTreeSet::new(), BTreeSet::new());
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let fields: Vec<&str> = line.split('{').next().unwrap_or_default().split(':').collect();
            let uses: Vec<String> = match fields[..] {
                ["location", process, _] => vec![process.to_owned()],
                ["edge", process, source, target, event] => {
                    synchronised.insert(format!("{process}@{event}"));
                    vec![format!("{process}:{source}"), format!("{process}:{target}"), event.to_owned()]
                }
                ["sync", ref parts @ ..] => {
                    assert!(
                        parts.iter().all(|part| synchronised.contains(*part)),
                        "{}: {line}",
                        family.name()
                    );
                    continue;
                }
                _ => Vec::new(),
            };
            assert!(uses.iter().all(|name| declared.contains(name)), "{}: {line}", family.name());
            let name = if fields[0] == "location" {
                fields[1..].join(":")
            } else {
                fields[fields.len() - 1].to_owned()
            };
            assert!(
                fields[0] == "edge" || declared.insert(name),
                "{}: declared twice: {line}",
                family.name()
            );
        }
        assert!(text.trim_start_matches(|c| c != '\n').contains("\nsystem:"), "{}", family.name());
        assert_eq!(text.matches("initial:").count(), names(&text, "process").len(), "{}", family.name());
    }
}

#[test]
fn members_out_of_range_are_errors() {
    for family in families() {
        let (first, last) = family.sizes().into_inner();
        assert!(first >= 1 && last <= 1000, "{}", family.name());
        for n in [0, first - 1, last + 1, u32::MAX] {
            let error = family.tck(n).expect_err("out of range");
            assert_eq!(family.xta(n), Err(error.clone()));
            assert_eq!(family.q(n), Err(error.clone()));
            let message = error.to_string();
            let range = format!("the {} is from {first} to {last}", family.parameter());
            assert!(message.contains(family.name()) && message.ends_with(&range), "{message}");
        }
    }
    let message = family("fisher").expect_err("no such family").to_string();
    assert!(message.contains("'fisher'") && message.contains("fischer, csmacd"), "{message}");
}

#[test]
fn families_are_found_by_their_names() {
    let found: BTreeSet<&str> = families().iter().map(Family::name).collect();
    assert_eq!(found.len(), families().len(), "two families of one name");
    for listed in families() {
        assert_eq!(family(listed.name()).map(Family::summary), Ok(listed.summary()));
        assert!(listed.parameter().starts_with("number of "));
    }
}

#[test]
fn every_member_comes_with_questions() {
    for (family, n) in members() {
        let queries = family.queries(n).expect("a member");
        let asks = |operator| queries.iter().any(|query| query.formula.starts_with(operator));
        assert!(asks("A[] ") && asks("E<> "), "{}", family.name());
        assert!(queries.iter().all(|query| !query.comment.is_empty() && !query.formula.contains('\n')));
        let expectations = family.q(n).expect("a member").matches("EXPECT:").count();
        assert_eq!(expectations, queries.iter().filter(|query| query.expected.is_some()).count());
        let processes: BTreeSet<String> =
            templates_of_xta(&xta(family, n)).into_iter().map(|template| template.name).collect();
        let about = |formula: &str| processes.iter().any(|process| formula.contains(process.as_str()));
        assert!(
            queries.iter().all(|q| about(&q.formula) || q.formula.contains("deadlock")),
            "{}",
            family.name()
        );
    }
}

#[test]
fn known_sizes_are_of_members_and_each_is_known_once() {
    for family in families() {
        assert!(!family.known().is_empty(), "{}", family.name());
        assert!(family.known().is_sorted_by_key(|known| known.n), "{}", family.name());
        let mut explorations = BTreeSet::new();
        for known in family.known() {
            let Known { n, algorithm, extrapolation, order, stored, visited, transitions } = *known;
            assert!(family.sizes().contains(&n), "{} {n}", family.name());
            assert!(
                explorations.insert(format!("{n} {algorithm:?} {extrapolation:?} {order:?}")),
                "{known:?}"
            );
            assert!(stored <= visited && visited <= transitions + 1, "{known:?}");
            assert!(algorithm != Algorithm::Reach || stored == visited, "{known:?}");
        }
    }
}

/// What a family stores with inclusion and Extra_LU+ by location, where there is a formula.
fn stored_by_formula(name: &str, n: u32) -> Option<u64> {
    let power = |base: u64| base.pow(n);
    let n = u64::from(n);
    let fischer = power(3) + n * power(3) / 3 + n * power(2) / 2 - 1;
    match name {
        "fischer" => Some(fischer),
        "lynch" => Some(fischer + 5 * n * power(2) / 2),
        "csmacd" => Some(power(2) * (n * n * n + 6 * n * n + 11 * n - 12) / 12 + 2),
        "csmacd-broadcast" => Some(power(2) * (n * n + 3 * n + 4) / 4 - n),
        "fddi" if n >= 3 => Some(5 * n * n + 2 * n + 5),
        "blow-up" => Some(2 * n + 1),
        "flexray" => Some(13_502 * n + 7_272),
        "flexray-bytes" => Some(252_562 * n + 7_272),
        _ => None,
    }
}

#[test]
fn known_sizes_follow_their_formulas() {
    for family in families() {
        let usual = |known: &&Known| {
            known.algorithm == Algorithm::CovReach
                && known.extrapolation == Extrapolation::LuPlus(Bounds::Local)
        };
        for known in family.known().iter().filter(usual) {
            let formula = stored_by_formula(family.name(), known.n);
            assert!(formula.is_none_or(|stored| stored == known.stored), "{} {known:?}", family.name());
            if family.name() == "blow-up" && known.order == Order::Bfs && known.n >= 3 {
                let n = u64::from(known.n);
                assert_eq!(known.visited, 9 * 2_u64.pow(known.n - 3) + n * n + 2, "{known:?}");
            }
        }
    }
}
