//! Nobody else can drive it, and nothing that is sent does harm.

use std::io::Write as _;

use serde_json::json;
use tourbillon::{Body, Sheet, SheetEdge, SheetLabel, SheetLocation, SheetTemplate, Spot};
use tourbillon_studio::api::{Examined, Open, ServerLimits};
use tourbillon_studio::{Settings, routes};

use crate::client::{client, serve, usual};

/// Addresses of all kinds, pages included.
const SAMPLE: [(&str, &str); 4] =
    [("GET", "/"), ("GET", "/api/v1/about"), ("POST", "/api/v1/open"), ("GET", "/api/v1/nothing")];

/// An address with something in place of what varies.
fn filled(path: &str) -> String {
    path.replace("{hash}", "0123456789abcdef0123456789abcdef").replace("{run}", "1").replace("{id}", "1")
}

#[test]
fn without_the_token_no_address_answers() {
    let (_server, client) = usual();
    let host = format!("127.0.0.1:{}", client.port);
    let wrong = format!("Authorization: Bearer {}", "0".repeat(32));
    let short = format!("Authorization: Bearer {}", &client.token[..31]);
    let basic = format!("Authorization: Basic {}", client.token);
    let bare = format!("Authorization: {}", client.token);
    let cookie = format!("Cookie: token={}", client.token);
    for (method, path) in routes() {
        for header in [None, Some(&wrong), Some(&short), Some(&basic), Some(&bare), Some(&cookie)] {
            let headers: Vec<&str> = header.iter().map(|header| header.as_str()).collect();
            let answer = client.raw(method, &filled(path), &host, &headers, b"");
            assert_eq!(
                (answer.status, answer.problem().error.as_str()),
                (401, "forbidden"),
                "{method} {path}"
            );
        }
    }
    let in_address = format!("/api/v1/about?token={}", client.token);
    assert_eq!(client.raw("GET", &in_address, &host, &[], b"").status, 401);
}

#[test]
fn other_hosts_are_refused_even_with_the_token() {
    let (_server, client) = usual();
    let authorization = format!("Authorization: Bearer {}", client.token);
    let port = client.port;
    let hosts = [
        format!("evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        format!("evil.example:{port}, 127.0.0.1:{port}"),
        "127.0.0.1".to_owned(),
        "127.0.0.1:1".to_owned(),
        String::new(),
    ];
    for (method, path) in SAMPLE {
        for host in &hosts {
            let answer = client.raw(method, path, host, &[&authorization], b"");
            assert_eq!((answer.status, answer.problem().error.as_str()), (403, "forbidden"), "{host}");
        }
    }
    let own = format!("127.0.0.1:{port}");
    let twice = client.raw("GET", "/api/v1/about", &own, &[&authorization, "Host: evil.example"], b"");
    assert!(matches!(twice.status, 400 | 403), "{}", twice.text());
    let absolute = client.raw("GET", "http://evil.example/api/v1/about", &own, &[&authorization], b"");
    assert_eq!(absolute.status, 403);
    let none = client.bytes(format!("GET /api/v1/about HTTP/1.1\r\n{authorization}\r\n\r\n").as_bytes());
    assert!(matches!(none.status, 400 | 403), "{}", none.text());
}

#[test]
fn other_pages_are_refused_even_with_the_token() {
    let (_server, client) = usual();
    let foreign = [
        "Origin: https://evil.example".to_owned(),
        "Origin: null".to_owned(),
        "Origin: http://127.0.0.1:1".to_owned(),
        format!("Origin: https://127.0.0.1:{}", client.port),
        format!("Origin: http://evil.example:{}", client.port),
        "Sec-Fetch-Site: cross-site".to_owned(),
        "Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: cors".to_owned(),
    ];
    for (method, path) in SAMPLE {
        for header in &foreign {
            let answer = client.ask(method, path, &[header], b"");
            assert_eq!((answer.status, answer.problem().error.as_str()), (403, "forbidden"), "{header}");
        }
    }
    for own in ["127.0.0.1", "localhost", "[::1]"] {
        let header = format!("Origin: http://{own}:{}", client.port);
        assert_eq!(client.ask("GET", "/api/v1/about", &[&header], b"").status, 200, "{own}");
    }
    let followed = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"];
    assert_ne!(client.ask("GET", "/", &followed, b"").status, 403, "a link may lead to the page");
}

#[test]
fn a_page_elsewhere_is_not_told_that_it_may_ask() {
    let (_server, client) = usual();
    let preflight = ["Origin: https://evil.example", "Access-Control-Request-Method: POST"];
    let answers = [
        client.ask("OPTIONS", "/api/v1/open", &preflight, b""),
        client.ask("OPTIONS", "/api/v1/open", &[], b""),
        client.get("/api/v1/about"),
    ];
    assert_eq!([answers[0].status, answers[1].status, answers[2].status], [403, 405, 200]);
    for answer in answers {
        assert!(!answer.head.to_ascii_lowercase().contains("access-control"), "{}", answer.head);
    }
}

#[test]
fn every_answer_tells_the_browser_to_be_careful() {
    let (_server, client) = usual();
    let paths = ["/", "/nothing.js", "/api/v1/about", "/api/v1/nothing", "/api/v1/models/x"];
    for path in paths {
        let answer = client.get(path);
        let policy = answer.header("content-security-policy").expect("a policy");
        for part in ["default-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"]
        {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe-eval") && !policy.contains("script-src"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"), "{path}");
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"), "{path}");
        assert!(answer.header("cache-control").is_some(), "{path}");
    }
    assert_eq!(client.get("/api/v1/about").header("cache-control"), Some("no-store"));
    assert_eq!(
        client.raw("GET", "/", "evil.example", &[], b"").header("referrer-policy"),
        Some("no-referrer")
    );
}

#[test]
fn no_name_leads_out_of_the_page_or_the_examples() {
    let (_server, client) = usual();
    let out = [
        "/../Cargo.toml",
        "/..%2f..%2fCargo.toml",
        "/assets/../../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/etc/passwd",
        "/index.html%00.png",
        "/api/v1/models/..%2f..%2fCargo.toml",
        "/api/v1/models/%2e%2e",
        "/api/v1/simulations/..%2f1/file",
        "/api/../Cargo.toml",
    ];
    for path in out {
        let answer = client.get(path);
        assert_eq!(answer.status, 404, "{path}: {}", answer.text());
        assert!(!answer.text().contains("tourbillon-studio"), "{path}");
    }
    for name in ["../README.md", "README.md", "/etc/passwd", "..\\train-gate.xml", "", "train-gate"] {
        let answer = client.post("/api/v1/open", &Open::Example { name: name.to_owned() });
        assert_eq!((answer.status, answer.problem().error.as_str()), (404, "not-found"), "{name}");
    }
    let file = client.post("/api/v1/open", &Open::File);
    assert_eq!((file.status, file.problem().error.as_str()), (404, "not-found"));
}

#[test]
fn what_is_too_large_is_refused_and_told() {
    let limits = ServerLimits { body_bytes: 1 << 20, ..Settings::default().limits };
    let server = serve(Settings { limits, ..Settings::default() });
    let client = client(&server);
    let large = json!({"from": "text", "name": "a.xta", "text": "x".repeat(1 << 20)});
    let answer = client.post("/api/v1/open", &large);
    assert_eq!((answer.status, answer.problem().error.as_str()), (413, "too-large"));
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000)).repeat(32);
    let chunked = format!(
        "POST /api/v1/open HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\
         Transfer-Encoding: chunked\r\n\r\n{chunk}0\r\n\r\n",
        client.port, client.token
    );
    assert_eq!(client.bytes(chunked.as_bytes()).problem().error, "too-large");
    let long = format!("X-Long: {}", "x".repeat(1_000_000));
    let answer = client.ask("GET", "/api/v1/about", &[&long], b"");
    assert_eq!(answer.status, 431);
    let answer = client.get(&format!("/{}", "x".repeat(1_000_000)));
    assert!(matches!(answer.status, 414 | 431), "{}", answer.status);
    let fits = json!({"from": "text", "name": "a.xta", "text": "x".repeat(1000)});
    assert_eq!(client.post("/api/v1/open", &fits).status, 200, "and the server goes on");
}

#[test]
fn what_makes_no_sense_is_refused_and_told() {
    let (_server, client) = usual();
    let deep = format!("{}1{}", "[".repeat(500_000), "]".repeat(500_000));
    let deeper = format!(r#"{{"from": "text", "name": "a", "text": {deep}}}"#);
    let bodies: [&[u8]; 7] = [
        b"{",
        b"\xff\xfe\x00",
        b"null",
        b"{\"from\": \"elsewhere\"}",
        b"[]",
        deep.as_bytes(),
        deeper.as_bytes(),
    ];
    for body in bodies {
        for path in ["/api/v1/open", "/api/v1/models", "/api/v1/write", "/api/v1/arrange"] {
            let answer = client.ask("POST", path, &[], body);
            assert_eq!((answer.status, answer.problem().error.as_str()), (400, "bad-request"));
        }
    }
    assert_eq!(client.get("/api/v1/open").problem().error, "bad-request");
    assert_eq!(client.ask("DELETE", "/", &[], b"").status, 405);
    assert_eq!(client.get("/api/v2/about").problem().error, "not-found");
    for nonsense in ["GET\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01", "GET / HTTP/9.9\r\n\r\n"] {
        assert!(matches!(client.bytes(nonsense.as_bytes()).status, 0 | 400..=505), "{nonsense:?}");
    }
    assert_eq!(client.get("/api/v1/status").status, 200, "and the server goes on");
}

#[test]
fn hostile_names_come_back_as_they_are_and_do_nothing_else() {
    let (_server, client) = usual();
    let long = "n".repeat(100_000);
    let names = [
        "<script>alert(1)</script>.xml",
        "../../../etc/passwd",
        "a\u{202e}lmx.elif",
        "nul\0l.xml",
        "\r\nSet-Cookie: a=b",
        &long,
        "",
    ];
    for name in names {
        let mut sheet = Sheet::empty();
        sheet.name = name.to_owned();
        if let Body::Drawn(drawing) = &mut sheet.body {
            drawing.templates[0].name = name.to_owned();
            drawing.templates[0].locations[0].name = name.to_owned();
            drawing.declarations = format!("// {name}\nint {name};");
        }
        let answer = client.post("/api/v1/models", &sheet);
        assert_eq!(answer.header("set-cookie"), None);
        assert_eq!(answer.header("content-type"), Some("application/json"));
        let examined: Examined = answer.json();
        let again: Sheet = client.get(&format!("/api/v1/models/{}", examined.hash)).json();
        assert_eq!(again, sheet);
        for to in ["xml", "xta", "tck"] {
            let answer = client.post("/api/v1/write", &json!({"sheet": sheet, "to": to}));
            assert_eq!(answer.status, 200, "{}", answer.text());
        }
    }
}

/// A template with thousands of everything, at the ends of the plane.
fn enormous() -> SheetTemplate {
    let ends = [i32::MAX, i32::MIN, 0, i32::MIN + 1, i32::MAX - 1];
    let at = |index: usize| Spot { x: ends[index % 5], y: ends[index / 5 % 5] };
    let label = |kind: &str, text: &str, index| SheetLabel {
        kind: kind.to_owned(),
        text: text.to_owned(),
        at: at(index),
        ..SheetLabel::default()
    };
    let location = |index| SheetLocation {
        id: format!("id{index}"),
        name: format!("L{index}"),
        at: at(index),
        name_at: at(index + 1),
        labels: vec![label("comments", "far\naway", index + 3)],
        ..SheetLocation::default()
    };
    let edge = |index| SheetEdge {
        source: format!("id{}", index % 2000),
        target: format!("id{}", index * 7 % 2000),
        labels: vec![label("guard", "true", index + 2)],
        nails: vec![at(index), at(index + 4)],
        ..SheetEdge::default()
    };
    SheetTemplate {
        name: "Template".to_owned(),
        initial: "id0".to_owned(),
        locations: (0..2000).map(location).collect(),
        edges: (0..3000).map(edge).collect(),
        ..SheetTemplate::default()
    }
}

#[test]
fn enormous_layouts_do_no_harm() {
    let (_server, client) = usual();
    let template = enormous();
    for labels_only in [true, false] {
        let arrange = json!({"template": template, "labels_only": labels_only});
        let arranged: SheetTemplate = client.post("/api/v1/arrange", &arrange).json();
        assert_eq!((arranged.locations.len(), arranged.edges.len()), (2000, 3000));
    }
    let mut sheet = Sheet::empty();
    let Body::Drawn(drawing) = &mut sheet.body else { panic!("it is drawn") };
    drawing.templates = vec![template];
    let network = client.examine(&sheet).network.expect("a model");
    assert_eq!((network.processes[0].locations.len(), network.processes[0].edges.len()), (2000, 3000));
}

/// Who sends half of many requests, headers or bodies, keeps nobody else out.
#[test]
fn half_sent_requests_keep_nobody_out() {
    let (_server, client) = usual();
    let header = format!("POST /api/v1/open HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", client.port);
    let body = format!("{header}Authorization: Bearer {}\r\nContent-Length: 1000\r\n\r\n{{", client.token);
    for half in ["", "GET / HT", &header, &body] {
        let half_sent: Vec<_> = (0..300)
            .map(|_| {
                let mut stream = client.connect();
                // Those that made room for others may be closed by now.
                let _ = stream.write_all(half.as_bytes());
                stream
            })
            .collect();
        // Waiting for one of those to be given up would take many seconds.
        let started = std::time::Instant::now();
        for _ in 0..20 {
            assert_eq!(client.get("/api/v1/about").status, 200);
        }
        assert!(started.elapsed() < std::time::Duration::from_secs(10), "{half:?}: {:?}", started.elapsed());
        drop(half_sent);
    }
}
