//! `tourbillon studio` as a user starts and ends it.

mod shared;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use shared::{done, file, path, refused};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tourbillon");

/// A server that is running.
struct Studio {
    child: Child,
    port: u16,
    token: String,
}

impl Studio {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(PROGRAM)
            .args(["studio", "--no-open", "--port", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let lines = BufReader::new(child.stdout.take().expect("an output")).lines();
        let link = lines.map_while(Result::ok).find(|line| line.contains("#token=")).expect("an address");
        let (address, token) = link.trim().split_once("/#token=").expect("a token");
        let port = address.rsplit_once(':').and_then(|(_, port)| port.parse().ok()).expect("a port");
        Self { child, port, token: token.to_owned() }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let (port, token) = (self.port, &self.token);
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).expect("it is sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }

    /// Ends it by a signal; what it said, and its status.
    fn end(mut self, signal: &str) -> (String, Option<i32>) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().expect("there is a `kill`").success());
        let status = self.child.wait().expect("it ends").code();
        let mut said = String::new();
        self.child.stderr.take().expect("an output").read_to_string(&mut said).expect("text");
        (said, status)
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        // A test that fails leaves nothing behind.
        let _ = self.child.kill();
    }
}

#[test]
fn it_serves_a_model_until_it_is_ended() {
    let model = file("studio-serves", "p.xta", "process P() { state A; init A; } system P;");
    for signal in ["-INT", "-TERM"] {
        let studio = Studio::start(&[path(&model), "--runs", "3", "--run-time", "90s", "--run-memory", "1G"]);
        let about = studio.get("/api/v1/about");
        for part in
            ["200 OK", "\"name\":\"p.xta\"", "\"runs\":3", "\"run_seconds\":90", "\"run_bytes\":1073741824"]
        {
            assert!(about.contains(part), "{part}: {about}");
        }
        assert!(studio.get("/").contains("<html"), "the page, or how it is built");
        let (said, status) = studio.end(signal);
        assert_eq!(status, Some(0), "{signal}: {said}");
        assert!(!said.contains("warning"), "{said}");
    }
}

#[test]
fn that_others_can_connect_is_said() {
    let studio = Studio::start(&["--host", "0.0.0.0"]);
    let (said, _) = studio.end("-INT");
    assert!(said.contains("warning: other machines can connect"), "{said}");
}

#[test]
fn its_options_are_told() {
    let help = done(&["studio", "--help"]);
    for option in
        ["--port", "--host", "--no-open", "--runs", "--run-time", "--run-memory", "docs/studio-api.md"]
    {
        assert!(help.contains(option), "{option}: {help}");
    }
}

#[test]
fn what_cannot_be_served_is_told() {
    assert!(refused(&["studio", "--no-open", "no/such/model.xml"]).contains("no/such/model.xml"));
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    assert!(refused(&["studio", "--no-open", "--port", &port]).contains("cannot listen"));
    assert!(refused(&["studio", "--no-open", "--host", "no such host"]).contains("cannot listen"));
}
