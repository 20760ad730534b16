//! Runs: their events, their limits, their queue and their end.

use std::collections::BTreeMap;

use tourbillon::{Body, Sheet, SheetQuery};
use tourbillon_studio::api::{Finding, RunEvent, RunQuestion, RunRequest, ServerLimits, ZoneGraph};
use tourbillon_studio::{Server, Settings};

use crate::client::{Client, client, queries_request, request, serve, usual};

/// A model whose states nobody will ever have counted.
const ENDLESS: &str = "int[0,9999] a, b, c;
process P() { state A; init A; trans A -> A { assign a = (a + 1) % 10000; }; }
process Q() { state A; init A; trans A -> A { assign b = (b + 1) % 10000; }; }
process R() { state A; init A; trans A -> A { assign c = (c + 1) % 10000; }; }
system P, Q, R;
";

fn endless(client: &Client) -> String {
    let mut sheet = client.text("endless.xta", ENDLESS);
    sheet.queries = vec![query("A[] a + b + c >= 0"), query("E<> a == 1")];
    client.examine(&sheet).hash
}

fn query(formula: &str) -> SheetQuery {
    SheetQuery { formula: formula.to_owned(), ..SheetQuery::default() }
}

fn with_runs(runs: u32, runs_waiting: u32) -> (Server, Client) {
    let limits = ServerLimits { runs, runs_waiting, run_bytes: 200 << 20, ..Settings::default().limits };
    let server = serve(Settings { limits, ..Settings::default() });
    let client = client(&server);
    (server, client)
}

fn number(event: &RunEvent) -> u32 {
    match event {
        RunEvent::Started { run, .. } | RunEvent::Waiting { run, .. } => *run,
        _ => panic!("{event:?}"),
    }
}

fn stop(client: &Client, run: u32) -> u16 {
    client.ask("POST", &format!("/api/v1/runs/{run}/stop"), &[], b"").status
}

#[test]
fn queries_are_answered_one_after_another_with_runs_that_show_it() {
    let (_server, client) = usual();
    let sheet = client.example("fischer-broken.xml");
    let hash = client.examine(&sheet).hash;
    let all: Vec<u32> = (0..sheet.queries.len() as u32).collect();
    let events = client.answers(&hash, &all);
    assert!(matches!(events[0], RunEvent::Started { seconds: 600, .. }), "{:?}", events[0]);
    assert!(matches!(events.last(), Some(RunEvent::Done { stopped: false, .. })));
    let found = events.iter().filter_map(|event| match event {
        RunEvent::Found(found) => Some(found),
        _ => None,
    });
    let found: Vec<_> = found.collect();
    assert_eq!(found.iter().map(|it| it.query.expect("a query")).collect::<Vec<_>>(), all);
    assert!(
        found.iter().all(|it| it.as_expected != Some(false) && !it.plan.is_empty() && it.counts.visited > 0)
    );
    let broken = found.iter().find(|it| it.verdict == "violated").expect("a query that fails");
    assert_eq!(broken.runs[0].purpose, "counterexample");
    assert!(broken.runs[0].steps > 0 && broken.runs[0].file.contains("\"steps\""));
}

#[test]
fn events_are_lines_that_any_script_can_read() {
    let (_server, client) = usual();
    let hash = client.examine(&client.example("fischer.xml")).hash;
    let body = serde_json::to_vec(&queries_request(&[0])).expect("JSON");
    let answer = client.ask("POST", &format!("/api/v1/models/{hash}/runs"), &[], &body);
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/event-stream")));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let text = String::from_utf8(answer.body).expect("text");
    let blocks: Vec<&str> = text.split("\n\n").filter(|block| !block.is_empty() && *block != ":").collect();
    assert!(blocks[0].starts_with("event: started\ndata: {\"kind\":\"started\","), "{text}");
    assert!(blocks.last().expect("a block").starts_with("event: done\ndata: {"), "{text}");
    assert!(blocks.iter().all(|block| block.lines().count() == 2), "{text}");
}

#[test]
fn labels_are_a_question_too() {
    let (_server, client) = usual();
    let sheet = client.example("fischer.tck");
    let hash = client.examine(&sheet).hash;
    let asked = |label: &str| {
        client.run(&hash, &request(RunQuestion::Labels { labels: vec![label.to_owned()] })).rest()
    };
    assert!(
        asked("critical1")
            .iter()
            .any(|event| matches!(event, RunEvent::Found(found) if found.query.is_none()))
    );
    assert!(
        asked("nowhere")
            .iter()
            .any(|event| matches!(event, RunEvent::Refused { message, .. } if message.contains("nowhere")))
    );
}

#[test]
fn coverage_tells_what_was_reached() {
    let (_server, client) = usual();
    let text = "process P() { state A, B, C; init A; trans A -> B { }, C -> A { }; } system P;";
    let hash = client.examine(&client.text("p.xta", text)).hash;
    let events = client.run(&hash, &request(RunQuestion::Coverage)).rest();
    let coverage = events.iter().find_map(|event| match event {
        RunEvent::Coverage(coverage) => Some(coverage),
        _ => None,
    });
    let coverage = coverage.expect("coverage");
    assert!(coverage.complete && !coverage.why.is_empty());
    assert_eq!(coverage.locations, [[true, true, false]]);
    assert_eq!(coverage.edges, [[true, false]]);
    assert!(coverage.findings.iter().any(|finding| finding.told.message.contains("never reached")));
}

fn graph(client: &Client, hash: &str, nodes: u32) -> ZoneGraph {
    let events = client.run(hash, &request(RunQuestion::Graph { nodes })).rest();
    let graph = events.into_iter().find_map(|event| match event {
        RunEvent::Graph(graph) => Some(graph),
        _ => None,
    });
    *graph.expect("a graph")
}

#[test]
fn a_zone_graph_is_whole_or_says_that_it_is_not() {
    let (_server, client) = usual();
    let hash = client.examine(&client.example("two-doors.xml")).hash;
    let whole = graph(&client, &hash, 10_000);
    assert!(whole.complete && whole.nodes.len() > 10);
    let nodes = whole.nodes.len();
    assert!(whole.edges.iter().all(|edge| edge.from < nodes && edge.to < nodes && !edge.label.is_empty()));
    let part = graph(&client, &hash, 5);
    assert!(!part.complete && part.nodes.len() <= 6, "{} nodes", part.nodes.len());
    let endless = endless(&client);
    assert!(!graph(&client, &endless, u32::MAX).complete, "no more than the server allows");
}

#[test]
fn a_long_run_tells_how_far_it_is_and_can_be_stopped() {
    let (_server, client) = usual();
    let hash = endless(&client);
    let mut stream = client.run(&hash, &queries_request(&[0, 1]));
    let run = number(&stream.until(|event| matches!(event, RunEvent::Started { .. })));
    let RunEvent::Progress(first) = stream.until(|event| matches!(event, RunEvent::Progress(_))) else {
        panic!()
    };
    // Both engines are tried first, each from the start: what it comes to in the end is more.
    let is_further = |event: &RunEvent| matches!(event, RunEvent::Progress(now) if now.counts.visited > first.counts.visited && now.seconds > first.seconds);
    let RunEvent::Progress(second) = stream.until(is_further) else { panic!() };
    assert_eq!((first.query, second.query), (Some(0), Some(0)));
    assert!(first.counts.passed_bytes > 0 && first.rss_bytes > 0);
    assert_eq!(client.status().runs, 1);
    assert_eq!(stop(&client, run), 204);
    let rest = stream.rest();
    let found: Vec<_> = rest.iter().filter(|event| matches!(event, RunEvent::Found(_))).collect();
    let [RunEvent::Found(found)] = found[..] else { panic!("one answer: {rest:?}") };
    assert_eq!((found.verdict.as_str(), found.reason.as_str()), ("unknown", "interrupted"));
    assert!(matches!(rest.last(), Some(RunEvent::Done { stopped: true, .. })));
    client.wait_for("it makes room", |status| status.runs == 0);
    assert_eq!(stop(&client, run), 404);
    assert_eq!(stop(&client, 99), 404);
    assert_eq!(client.ask("POST", "/api/v1/runs/x/stop", &[], b"").status, 404);
}

#[test]
fn limits_end_a_run_and_what_to_try_next_is_told() {
    let (_server, client) = usual();
    let hash = endless(&client);
    let ends = [
        (RunRequest { seconds: Some(1), ..queries_request(&[0]) }, "time-limit"),
        (RunRequest { bytes: Some(1 << 20), ..queries_request(&[0]) }, "memory-limit"),
    ];
    for (request, reason) in ends {
        let events = client.run(&hash, &request).rest();
        let found = events.iter().find_map(|event| match event {
            RunEvent::Found(found) => Some(found),
            _ => None,
        });
        let found = found.expect("an answer");
        assert_eq!((found.verdict.as_str(), found.reason.as_str()), ("unknown", reason));
        assert!(!found.advice.is_empty(), "{reason}");
    }
    let greedy = RunRequest { seconds: Some(u64::MAX), bytes: Some(u64::MAX), ..queries_request(&[]) };
    let events = client.run(&hash, &greedy).rest();
    assert!(
        matches!(events[0], RunEvent::Started { seconds: 600, bytes: 2_147_483_648, .. }),
        "{:?}",
        events[0]
    );
}

#[test]
fn a_stream_that_is_dropped_cancels_its_run() {
    let (_server, client) = usual();
    let hash = endless(&client);
    let mut stream = client.run(&hash, &queries_request(&[0]));
    stream.until(|event| matches!(event, RunEvent::Progress(_)));
    assert_eq!(client.status().runs, 1);
    drop(stream);
    client.wait_for("the run ends", |status| status.runs == 0);
}

#[test]
fn others_wait_and_more_are_refused() {
    let (_server, client) = with_runs(1, 2);
    let hash = endless(&client);
    let mut first = client.run(&hash, &queries_request(&[0]));
    let one = number(&first.until(|event| matches!(event, RunEvent::Started { .. })));
    let mut second = client.run(&hash, &queries_request(&[1]));
    let waiting = second.next().expect("an event");
    assert!(matches!(waiting, RunEvent::Waiting { ahead: 0, .. }), "{waiting:?}");
    let mut third = client.run(&hash, &queries_request(&[1]));
    let waiting = third.next().expect("an event");
    assert!(matches!(waiting, RunEvent::Waiting { ahead: 1, .. }), "{waiting:?}");
    let refused = client.post(&format!("/api/v1/models/{hash}/runs"), &queries_request(&[1]));
    assert_eq!((refused.status, refused.problem().error.as_str()), (503, "busy"));
    assert_eq!((client.status().runs, client.status().runs_waiting), (1, 2));

    assert_eq!(stop(&client, one), 204);
    second.until(|event| matches!(event, RunEvent::Started { .. }));
    assert!(matches!(second.rest().last(), Some(RunEvent::Done { stopped: false, .. })));
    assert!(matches!(third.rest().last(), Some(RunEvent::Done { stopped: false, .. })));
    client.wait_for("all end", |status| status.runs + status.runs_waiting == 0);
}

#[test]
fn who_waits_can_be_stopped_and_can_go_away() {
    let (_server, client) = with_runs(1, 2);
    let hash = endless(&client);
    let mut first = client.run(&hash, &queries_request(&[0]));
    first.until(|event| matches!(event, RunEvent::Started { .. }));
    let mut second = client.run(&hash, &queries_request(&[1]));
    let two = number(&second.next().expect("an event"));
    let mut third = client.run(&hash, &queries_request(&[1]));
    third.next().expect("an event");
    assert_eq!(stop(&client, two), 204);
    assert!(matches!(second.rest()[..], [RunEvent::Done { stopped: true, .. }]));
    let moved = third.next().expect("an event");
    assert!(matches!(moved, RunEvent::Waiting { ahead: 0, .. }), "{moved:?}");
    drop(third);
    client.wait_for("no run waits", |status| status.runs_waiting == 0);
    assert_eq!(client.status().runs, 1);
}

#[test]
fn what_cannot_be_done_is_told_with_its_reason() {
    let (_server, client) = usual();
    let hash = client.examine(&client.example("fischer.xml")).hash;
    let refusal = |hash: &str, request: &RunRequest| {
        let events = client.run(hash, request).rest();
        assert!(matches!(events.last(), Some(RunEvent::Done { .. })));
        let refused = events.into_iter().find_map(|event| match event {
            RunEvent::Refused { message, diagnostics, .. } => Some((message, diagnostics.len())),
            _ => None,
        });
        refused.expect("a refusal")
    };
    let wish = |axis: &str, choice: &str| RunRequest {
        options: [(axis.to_owned(), choice.to_owned())].into(),
        ..queries_request(&[0])
    };
    assert!(refusal(&hash, &wish("order", "backwards")).0.contains("backwards"));
    assert!(refusal(&hash, &wish("colour", "blue")).0.contains("colour"));
    assert!(refusal(&hash, &queries_request(&[99])).0.contains("100"));
    let broken =
        Sheet { name: "b.xta".to_owned(), body: Body::Text { text: "clock 7;".to_owned() }, queries: vec![] };
    let broken = client.examine(&broken).hash;
    assert!(refusal(&broken, &request(RunQuestion::Coverage)).1 > 0);
    let unknown = client.post("/api/v1/models/0123/runs", &queries_request(&[0]));
    assert_eq!((unknown.status, unknown.problem().error.as_str()), (404, "unknown-model"));
}

#[test]
fn an_option_is_applied() {
    let (_server, client) = usual();
    let hash = client.examine(&client.example("fischer.xml")).hash;
    let options = [("order".to_owned(), "dfs".to_owned())].into();
    let events = client.run(&hash, &RunRequest { options, ..queries_request(&[0]) }).rest();
    let plan = events.iter().find_map(|event| match event {
        RunEvent::Found(found) => Some(&found.plan),
        _ => None,
    });
    let order = plan.expect("a plan").iter().find(|line| line.axis == "order").expect("an order");
    assert_eq!(order.choice, "dfs");
}

#[test]
fn answers_by_exhaustion_are_certified_if_that_is_requested() {
    let (_server, client) = usual();
    let sheet = client.example("train-gate.xml");
    let hash = client.examine(&sheet).hash;
    let queries: Vec<u32> = (0..sheet.queries.len() as u32).collect();
    let found = |certify: bool| -> Vec<Box<Finding>> {
        let events = client.run(&hash, &RunRequest { certify, ..queries_request(&queries) }).rest();
        let found = events.into_iter().filter_map(|event| match event {
            RunEvent::Found(found) => Some(found),
            _ => None,
        });
        found.collect()
    };
    let plain = found(false);
    assert!(plain.len() == queries.len() && plain.iter().all(|it| it.certified.is_none()));

    let requested = found(true);
    let verdicts = |all: &[Box<Finding>]| all.iter().map(|it| it.verdict.clone()).collect::<Vec<_>>();
    assert_eq!(verdicts(&requested), verdicts(&plain));
    for found in &requested {
        // Another answer has a run instead.
        assert_eq!(found.certified.is_some(), found.runs.is_empty(), "{found:?}");
    }
    let seals: Vec<_> = requested.iter().filter_map(|it| it.certified.as_ref()).collect();
    assert!(!seals.is_empty() && seals.len() < queries.len(), "{} of {}", seals.len(), queries.len());
    for seal in seals {
        assert!(seal.states > 0 && seal.successors > 0 && seal.bytes > 0, "{seal:?}");
        assert!(seal.sha256.len() == 64 && seal.sha256.bytes().all(|it| it.is_ascii_hexdigit()), "{seal:?}");
    }
}

#[test]
fn an_option_that_has_no_certificates_is_refused_with_them_but_not_for_coverage() {
    let (_server, client) = usual();
    let hash = client.examine(&client.example("train-gate.xml")).hash;
    let options: BTreeMap<_, _> = [("engine".to_owned(), "symbolic".to_owned())].into();
    let request = RunRequest { options, certify: true, ..queries_request(&[0]) };
    let events = client.run(&hash, &request).rest();
    assert!(events.iter().any(|event| matches!(event, RunEvent::Refused { .. })), "{events:?}");
    let coverage = RunRequest { certify: true, ..self::request(RunQuestion::Coverage) };
    let events = client.run(&hash, &coverage).rest();
    assert!(events.iter().any(|event| matches!(event, RunEvent::Coverage(_))), "{events:?}");
}

#[test]
fn the_end_of_the_server_is_the_end_of_its_runs() {
    let (server, client) = with_runs(1, 1);
    let hash = endless(&client);
    let mut first = client.run(&hash, &queries_request(&[0]));
    first.until(|event| matches!(event, RunEvent::Progress(_)));
    let mut second = client.run(&hash, &queries_request(&[0]));
    second.next().expect("an event");
    server.stop();
    assert!(matches!(first.rest().last(), Some(RunEvent::Done { stopped: true, .. })));
    assert!(matches!(second.rest().last(), Some(RunEvent::Done { stopped: true, .. })));
    assert!(std::net::TcpStream::connect(("127.0.0.1", client.port)).is_err(), "nobody listens any more");
}

#[test]
fn queries_without_a_formula_keep_their_numbers() {
    let (_server, client) = usual();
    for name in ["fischer.xml", "p.xta"] {
        let mut sheet = match name {
            "p.xta" => client.text(name, "process P() { state A; init A; } system P;"),
            _ => client.example(name),
        };
        let process = client.examine(&sheet).network.expect("processes").processes.remove(0);
        let holds = format!("E<> {}.{}", process.name, process.locations[0].name);
        sheet.queries =
            vec![query(""), query(&holds), query("E<> nonsense"), query(&format!("A[] not {}", &holds[4..]))];
        let hash = client.examine(&sheet).hash;
        for (number, verdict) in [(1, "satisfied"), (3, "violated")] {
            let events = client.answers(&hash, &[number]);
            let found = events.iter().find_map(|event| match event {
                RunEvent::Found(found) => Some(found),
                _ => None,
            });
            assert_eq!(found.expect("an answer").verdict, verdict, "{name}: {number}");
        }
    }
}
