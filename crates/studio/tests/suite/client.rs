//! A server for a test, and a client that can also say what no well-behaved one would.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tourbillon::Sheet;
use tourbillon_studio::api::{Examined, Open, Opened, Problem, RunEvent, RunQuestion, RunRequest, Status};
use tourbillon_studio::{Server, Settings};

/// A server on any port.
pub(crate) fn serve(settings: Settings) -> Server {
    Server::start(Settings { port: Some(0), ..settings }).expect("a server starts")
}

/// A client of it, with its token.
pub(crate) fn client(server: &Server) -> Client {
    Client { port: server.address().port(), token: server.token().to_owned() }
}

/// A server as it usually is, and a client.
pub(crate) fn usual() -> (Server, Client) {
    let server = serve(Settings::default());
    let client = client(&server);
    (server, client)
}

#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) port: u16,
    pub(crate) token: String,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().skip(1).filter_map(|line| line.split_once(':'));
        lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }

    #[track_caller]
    pub(crate) fn json<T: DeserializeOwned>(&self) -> T {
        assert!(self.status < 300, "{}", self.text());
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The word of a refusal.
    #[track_caller]
    pub(crate) fn problem(&self) -> Problem {
        assert!(self.status >= 400, "{}", self.text());
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn text(&self) -> String {
        format!("{}\n{}", self.head, String::from_utf8_lossy(&self.body))
    }
}

impl Client {
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], b"")
    }

    pub(crate) fn send(&self, method: &str, path: &str, what: &impl Serialize) -> Answer {
        self.ask(method, path, &[], &serde_json::to_vec(what).expect("JSON"))
    }

    pub(crate) fn post(&self, path: &str, what: &impl Serialize) -> Answer {
        self.send("POST", path, what)
    }

    /// A request with the usual headers, and others after them.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[&str], body: &[u8]) -> Answer {
        let authorization = format!("Authorization: Bearer {}", self.token);
        let mut all = vec![authorization.as_str()];
        all.extend(headers);
        self.raw(method, path, &format!("127.0.0.1:{}", self.port), &all, body)
    }

    /// A request with no headers but these.
    pub(crate) fn raw(&self, method: &str, path: &str, host: &str, headers: &[&str], body: &[u8]) -> Answer {
        let mut text = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
        for header in headers {
            text += &format!("{header}\r\n");
        }
        if !body.is_empty() {
            text += &format!("Content-Length: {}\r\n", body.len());
        }
        self.bytes(&[text.as_bytes(), b"\r\n", body].concat())
    }

    pub(crate) fn bytes(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        // The server may have said no before it has read all.
        let _ = stream.write_all(bytes);
        let mut reader = BufReader::new(stream);
        let head = head(&mut reader);
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let answer = Answer { status, head, body: Vec::new() };
        let mut body = Vec::new();
        if answer.header("transfer-encoding").is_some() {
            while let Some(chunk) = chunk(&mut reader) {
                body.extend(chunk);
            }
        } else {
            let _ = reader.read_to_end(&mut body);
        }
        Answer { body, ..answer }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        // A test that waits forever tells nothing.
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
        stream
    }

    pub(crate) fn status(&self) -> Status {
        self.get("/api/v1/status").json()
    }

    /// Waits until the server is in a state.
    pub(crate) fn wait_for(&self, what: &str, holds: impl Fn(Status) -> bool) {
        for _ in 0..600 {
            if holds(self.status()) {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("{what}: {:?}", self.status());
    }

    pub(crate) fn example(&self, name: &str) -> Sheet {
        let opened: Opened = self.post("/api/v1/open", &Open::Example { name: name.to_owned() }).json();
        opened.sheet
    }

    pub(crate) fn text(&self, name: &str, text: &str) -> Sheet {
        let open = Open::Text { name: name.to_owned(), text: text.to_owned() };
        let opened: Opened = self.post("/api/v1/open", &open).json();
        opened.sheet
    }

    pub(crate) fn examine(&self, sheet: &Sheet) -> Examined {
        self.post("/api/v1/models", sheet).json()
    }

    pub(crate) fn run(&self, hash: &str, request: &RunRequest) -> Stream {
        let body = serde_json::to_string(request).expect("JSON");
        let mut stream = self.connect();
        let text = format!(
            "POST /api/v1/models/{hash}/runs HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.port,
            self.token,
            body.len()
        );
        stream.write_all(text.as_bytes()).expect("it is sent");
        let mut reader = BufReader::new(stream);
        let head = head(&mut reader);
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        Stream { reader, text: String::new() }
    }

    /// All events of a run about queries.
    pub(crate) fn answers(&self, hash: &str, queries: &[u32]) -> Vec<RunEvent> {
        self.run(hash, &queries_request(queries)).rest()
    }
}

/// A request for queries, and nothing else.
pub(crate) fn queries_request(queries: &[u32]) -> RunRequest {
    request(RunQuestion::Queries { queries: queries.to_vec() })
}

pub(crate) fn request(question: RunQuestion) -> RunRequest {
    RunRequest { question, options: [].into(), seconds: None, bytes: None, certify: false }
}

/// The events of a run as they come.
pub(crate) struct Stream {
    reader: BufReader<TcpStream>,
    text: String,
}

impl Stream {
    /// The next event; nothing at the end.
    pub(crate) fn next(&mut self) -> Option<RunEvent> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                if let Some(event) = event(&block) {
                    return Some(event);
                }
                continue;
            }
            self.text += std::str::from_utf8(&chunk(&mut self.reader)?).expect("events are text");
        }
    }

    pub(crate) fn rest(mut self) -> Vec<RunEvent> {
        std::iter::from_fn(|| self.next()).collect()
    }

    /// The next event that is of a kind.
    pub(crate) fn until(&mut self, is: impl Fn(&RunEvent) -> bool) -> RunEvent {
        while let Some(event) = self.next() {
            if is(&event) {
                return event;
            }
        }
        panic!("the run ended");
    }
}

fn event(block: &str) -> Option<RunEvent> {
    let data = block.lines().find_map(|line| line.strip_prefix("data: "))?;
    let name = block.lines().find_map(|line| line.strip_prefix("event: ")).expect("a name");
    let value: Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(value["kind"], name);
    Some(serde_json::from_value(value).expect("an event"))
}

fn head(reader: &mut BufReader<TcpStream>) -> String {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            break;
        }
    }
    head.trim_end().to_owned()
}

/// A chunk of a body; nothing at its end.
fn chunk(reader: &mut BufReader<TcpStream>) -> Option<Vec<u8>> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let length = usize::from_str_radix(line.trim(), 16).ok().filter(|&length| length > 0)?;
    let mut chunk = vec![0; length + 2];
    reader.read_exact(&mut chunk).ok()?;
    chunk.truncate(length);
    Some(chunk)
}
