//! Simulations: begun, gone through, kept and forgotten.

use serde_json::json;
use tourbillon_studio::Settings;
use tourbillon_studio::api::{
    Path, RunEvent, ServerLimits, SimulationCommand, SimulationRequest, SimulationStart, SimulationView,
    Trace,
};

use crate::client::{Answer, Client, client, serve, usual};

fn start(client: &Client, hash: &str, start: &SimulationStart) -> SimulationView {
    client.post(&format!("/api/v1/models/{hash}/simulations"), start).json()
}

fn initial(client: &Client, hash: &str, mode: &str) -> SimulationView {
    start(client, hash, &SimulationStart::Initial { mode: mode.to_owned() })
}

fn command(client: &Client, id: u32, command: SimulationCommand) -> SimulationView {
    obey(client, id, &SimulationRequest { command, picture: None }).json()
}

fn obey(client: &Client, id: u32, request: &SimulationRequest) -> Answer {
    client.post(&format!("/api/v1/simulations/{id}"), request)
}

fn trace(client: &Client, id: u32) -> Trace {
    client.get(&format!("/api/v1/simulations/{id}/trace")).json()
}

fn path(client: &Client, id: u32) -> Path {
    client.get(&format!("/api/v1/simulations/{id}/path")).json()
}

#[test]
fn single_states_are_gone_through_step_by_step() {
    let (_server, client) = usual();
    let text = "clock x; int i; process P() { state A { x <= 5 }, B; init A; trans A -> B { guard x > 2; assign x = 0, i = 7; }; } system P;";
    let hash = client.examine(&client.text("p.xta", text)).hash;
    let view = initial(&client, &hash, "concrete");
    assert_eq!(
        (view.position, view.length, &view.locations[..], &view.variables[..]),
        (0, 0, &[0][..], &[0][..])
    );
    assert_eq!(view.choices[0].label, "P: A → B");
    assert_eq!((view.choices[0].delays[0].from.value, view.choices[0].delays[0].from_included), (2.0, false));
    let step = |delay: &str| SimulationCommand::Step { choice: 0, delay: Some(delay.to_owned()) };
    let refused = command(&client, view.id, step("1"));
    assert!(refused.refused.expect("a reason").contains("cannot be taken") && refused.position == 0);
    assert!(command(&client, view.id, step("soon")).refused.expect("a reason").contains("soon"));
    let waited = command(&client, view.id, SimulationCommand::Wait { delay: "1".to_owned() });
    assert_eq!((waited.position, waited.clocks[0].exact.as_str()), (1, "1"));
    let taken = command(&client, view.id, step("3/2"));
    assert_eq!(taken.refused, None);
    assert_eq!((taken.position, &taken.locations[..], &taken.variables[..]), (2, &[1][..], &[7][..]));
    assert_eq!((taken.time.expect("a time").exact.as_str(), taken.clocks[0].value), ("5/2", 0.0));
    assert_eq!(
        (&taken.changed.edges[..], &taken.changed.variables[..], &taken.changed.clocks[..]),
        (&[[0, 0]][..], &[0][..], &[0][..])
    );
    assert_eq!(taken.stuck, "deadlock");
    let all = trace(&client, view.id);
    assert_eq!(all.steps.len(), 2);
    assert!(all.steps[0].edges.is_empty() && all.steps[1].moved == [[0, 1]] && all.steps[1].set == [[0, 7]]);
    let back = command(&client, view.id, SimulationCommand::Goto { position: 0 });
    assert_eq!((back.position, back.length, &back.locations[..]), (0, 2, &[0][..]));
    assert_eq!(trace(&client, view.id), all, "what lies ahead is part of it");
    assert!(command(&client, view.id, SimulationCommand::Goto { position: 9 }).refused.is_some());
    let again = command(&client, view.id, SimulationCommand::Restart);
    assert_eq!((again.position, again.length), (0, 0));
}

#[test]
fn zones_have_pictures() {
    let (_server, client) = usual();
    let text = "clock x, y; process P() { state A { x <= 5 }, B; init A; trans A -> B { guard x > 2; assign y = 0; }; } system P;";
    let hash = client.examine(&client.text("p.xta", text)).hash;
    let view = initial(&client, &hash, "symbolic");
    assert!(!view.zone.is_empty() && view.clocks.is_empty() && view.time.is_none());
    let look = SimulationRequest { command: SimulationCommand::Look, picture: Some([0, 1]) };
    let seen: SimulationView = obey(&client, view.id, &look).json();
    let picture = seen.picture.expect("a picture");
    let zone = picture.zone.expect("a zone");
    assert_eq!((zone.x_low.at, zone.x_high.map(|bound| bound.at)), (0, Some(5)));
    assert_eq!((picture.choices[0][0].x_low.at, picture.choices[0][0].x_low.strict), (2, true));
    let other = SimulationRequest { command: SimulationCommand::Look, picture: Some([0, 99]) };
    let seen: SimulationView = obey(&client, view.id, &other).json();
    assert!(seen.picture.is_none(), "there is no such clock");
    let delayed = SimulationCommand::Step { choice: 0, delay: Some("3".to_owned()) };
    assert!(command(&client, view.id, delayed).refused.is_some());
    let concrete = command(&client, view.id, SimulationCommand::Mode { mode: "concrete".to_owned() });
    assert_eq!(concrete.mode, "concrete");
    assert!(
        command(&client, view.id, SimulationCommand::Mode { mode: "vague".to_owned() }).refused.is_some()
    );
}

#[test]
fn steps_at_random_are_the_same_for_the_same_seed_and_a_path_leads_there_again() {
    let (_server, client) = usual();
    let hash = client.examine(&client.example("train-gate.xml")).hash;
    for mode in ["concrete", "symbolic"] {
        let random = || SimulationCommand::Random { steps: 30, seed: 5 };
        let (one, other) = (initial(&client, &hash, mode), initial(&client, &hash, mode));
        let walked = command(&client, one.id, random());
        assert_eq!(walked.position, 30);
        let same = SimulationView { id: walked.id, ..command(&client, other.id, random()) };
        assert_eq!(same, walked);
        let way = path(&client, one.id);
        assert_eq!(way.mode, mode);
        let begin = SimulationStart::Path { mode: way.mode.clone(), path: way.path.clone() };
        let there = start(&client, &hash, &begin);
        assert_eq!(SimulationView { id: walked.id, ..there.clone() }, walked);
        assert_eq!(path(&client, there.id), way);
    }
    let wrong = SimulationStart::Path { mode: "concrete".to_owned(), path: "0~1_99".to_owned() };
    assert!(start(&client, &hash, &wrong).refused.is_some(), "as far as there is one");
}

#[test]
fn a_counterexample_opens_at_its_start_with_all_of_it_ahead() {
    let (_server, client) = usual();
    let sheet = client.example("fischer-broken.xml");
    let hash = client.examine(&sheet).hash;
    let all: Vec<u32> = (0..sheet.queries.len() as u32).collect();
    let run = client.answers(&hash, &all).into_iter().find_map(|event| match event {
        RunEvent::Found(found) if found.verdict == "violated" => found.runs.into_iter().next(),
        _ => None,
    });
    let run = run.expect("a counterexample");
    for mode in ["concrete", "symbolic"] {
        let begin = SimulationStart::Run { mode: mode.to_owned(), file: run.file.clone() };
        let view = start(&client, &hash, &begin);
        assert_eq!((view.refused.as_deref(), view.position), (None, 0), "{mode}");
        assert!(view.length >= run.steps, "{mode}: {} of {}", view.length, run.steps);
        let all = trace(&client, view.id);
        assert_eq!(all.steps.len(), view.length as usize, "{mode}");
        assert!(all.steps.iter().all(|step| step.time.is_some()), "{mode}");
        let file = client.get(&format!("/api/v1/simulations/{}/file", view.id));
        let again =
            SimulationStart::Run { mode: mode.to_owned(), file: String::from_utf8(file.body).expect("text") };
        assert_eq!(trace(&client, start(&client, &hash, &again).id), all, "{mode}");
    }
    for file in ["", "nonsense", "{}", "{\"schema\": 1}", "\u{0}"] {
        let begin = SimulationStart::Run { mode: "concrete".to_owned(), file: file.to_owned() };
        assert!(start(&client, &hash, &begin).refused.is_some(), "{file:?}");
    }
}

#[test]
fn only_some_simulations_are_kept_and_those_used_last_stay() {
    let limits = ServerLimits { simulations: 2, ..Settings::default().limits };
    let server = serve(Settings { limits, ..Settings::default() });
    let client = client(&server);
    let hash = client.examine(&client.example("fischer.xml")).hash;
    let (first, second) = (initial(&client, &hash, "concrete").id, initial(&client, &hash, "concrete").id);
    command(&client, first, SimulationCommand::Look);
    let third = initial(&client, &hash, "concrete").id;
    assert_eq!(client.status().simulations, 2);
    let look = SimulationRequest { command: SimulationCommand::Look, picture: None };
    assert_eq!(obey(&client, second, &look).problem().error, "not-found");
    assert_eq!([obey(&client, first, &look).status, obey(&client, third, &look).status], [200, 200]);
    assert_eq!(client.ask("DELETE", &format!("/api/v1/simulations/{first}"), &[], b"").status, 204);
    assert_eq!(client.ask("DELETE", &format!("/api/v1/simulations/{first}"), &[], b"").status, 404);
    assert_eq!(client.status().simulations, 1);
    for path in ["/api/v1/simulations/99/trace", "/api/v1/simulations/x/path", "/api/v1/simulations/-1/file"]
    {
        assert_eq!(client.get(path).problem().error, "not-found", "{path}");
    }
}

#[test]
fn what_cannot_be_simulated_is_told() {
    let (_server, client) = usual();
    let broken = client.examine(&client.text("b.xta", "clock 7;")).hash;
    let begin = SimulationStart::Initial { mode: "concrete".to_owned() };
    let refused = client.post(&format!("/api/v1/models/{broken}/simulations"), &begin);
    assert_eq!((refused.status, refused.problem().error.as_str()), (422, "model-has-errors"));
    let hash = client.examine(&client.example("fischer.xml")).hash;
    let wrong = client
        .post(&format!("/api/v1/models/{hash}/simulations"), &json!({"kind": "initial", "mode": "vague"}));
    assert_eq!((wrong.status, wrong.problem().error.as_str()), (400, "bad-request"));
    assert_eq!(client.status().simulations, 0);
    let many = SimulationCommand::Random { steps: u32::MAX, seed: 0 };
    let stuck = client
        .examine(&client.text("s.xta", "process P() { state A, B; init A; trans A -> B { }; } system P;"))
        .hash;
    let view = initial(&client, &stuck, "symbolic");
    let walked = command(&client, view.id, many);
    assert!(walked.position == 1 && walked.refused.expect("a reason").contains("1 of"));
}

const LOOP: &str = "process P() { state A; init A; trans A -> A { }; } system P;";

#[test]
fn a_simulation_has_only_so_many_moves() {
    let limits = ServerLimits { simulation_moves: 10, ..Settings::default().limits };
    let server = serve(Settings { limits, ..Settings::default() });
    let client = client(&server);
    let hash = client.examine(&client.text("p.xta", LOOP)).hash;
    for mode in ["concrete", "symbolic"] {
        let view = initial(&client, &hash, mode);
        let walked = command(&client, view.id, SimulationCommand::Random { steps: 100, seed: 1 });
        assert_eq!(walked.position, 10, "{mode}");
        assert!(walked.refused.expect("a reason").contains("limited to 10 moves"), "{mode}");
        let long = SimulationStart::Path { mode: mode.to_owned(), path: ["0"; 20].join("_") };
        let followed = start(&client, &hash, &long);
        assert!(followed.refused.is_some() && followed.position == 10, "{mode}");
    }
}

#[test]
fn a_simulation_that_is_forgotten_ends_what_it_does() {
    // Nothing else would end it before this test is over.
    let limits = ServerLimits {
        random_seconds: 100_000,
        simulation_moves: u32::MAX,
        simulation_bytes: u64::MAX,
        ..Settings::default().limits
    };
    let server = serve(Settings { limits, ..Settings::default() });
    let client = client(&server);
    let hash = client.examine(&client.text("p.xta", LOOP)).hash;
    let id = initial(&client, &hash, "symbolic").id;
    let endless =
        SimulationRequest { command: SimulationCommand::Random { steps: u32::MAX, seed: 1 }, picture: None };
    std::thread::scope(|scope| {
        let walking = scope.spawn(|| obey(&client, id, &endless));
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert_eq!(client.ask("DELETE", &format!("/api/v1/simulations/{id}"), &[], b"").status, 204);
        // Either it had begun and was ended, or it came too late.
        let answer = walking.join().expect("an answer");
        let ended = answer.status == 404 || answer.text().contains("stopped");
        assert!(ended, "{}", answer.status);
    });
    assert_eq!(client.status().simulations, 0);
}
