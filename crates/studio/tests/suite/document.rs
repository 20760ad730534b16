//! `docs/studio-api.md` tells all addresses, and its examples are true.

use std::path::Path;

use tourbillon_studio::api::{SimulationStart, SimulationView};
use tourbillon_studio::routes;

use crate::client::{Client, usual};

fn document() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/studio-api.md");
    std::fs::read_to_string(path).expect("the document")
}

#[test]
fn it_has_a_section_for_each_address_and_no_others() {
    let document = document();
    let headings = document.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`'));
    let told: Vec<String> = headings.map(str::to_owned).collect();
    let known: Vec<String> = routes().iter().map(|(method, path)| format!("{method} {path}")).collect();
    assert_eq!(told, known);
}

/// What an example says: the method, the path, and what is sent.
struct Call {
    method: String,
    path: String,
    body: Option<String>,
}

/// Reads a line such as `curl -sH "$A" -d '{"from": "empty"}' $S/open`, up to a pipe.
fn call(line: &str) -> Option<Call> {
    let start = line.find("curl ")?;
    let line = line[start..].split(" | ").next()?;
    let body = line.split("-d '").nth(1).and_then(|rest| rest.split('\'').next()).map(str::to_owned);
    let body = body.or_else(|| line.contains("-d @sheet.json").then(|| "@".to_owned()));
    let given = line.split("-X ").nth(1).and_then(|rest| rest.split(' ').next());
    let usual = if body.is_some() { "POST" } else { "GET" };
    let path = line.split("$S").nth(1)?.split([' ', ')']).next()?;
    Some(Call { method: given.unwrap_or(usual).to_owned(), path: format!("/api/v1{path}"), body })
}

#[test]
fn its_examples_do_what_they_say() {
    let (_server, client) = usual();
    let sheet = client.example("fischer.xml");
    let hash = client.examine(&sheet).hash;
    let document = document();
    let calls: Vec<Call> = document.lines().filter_map(call).collect();
    assert!(calls.len() >= routes().len(), "{} examples", calls.len());
    for Call { method, path, body } in calls {
        let id = simulation(&client, &hash).to_string();
        let path = path.replace("$HASH", &hash).replace("$ID", &id);
        let body = match body.as_deref() {
            Some("@") => serde_json::to_string(&sheet).expect("JSON"),
            Some(text) => text.to_owned(),
            None => String::new(),
        };
        // Of a file that was not opened, and of a run that is over, nothing is to be had.
        let absent = path.contains("$RUN") || path.ends_with("/file") && method == "PUT";
        let answer = client.ask(&method, &path.replace("$RUN", "1"), &[], body.as_bytes());
        let fine = if absent { answer.status == 404 } else { answer.status < 300 };
        assert!(fine, "{method} {path}: {}", answer.text());
    }
}

fn simulation(client: &Client, hash: &str) -> u32 {
    let start = SimulationStart::Initial { mode: "concrete".to_owned() };
    let view: SimulationView = client.post(&format!("/api/v1/models/{hash}/simulations"), &start).json();
    view.id
}
