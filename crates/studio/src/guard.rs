//! Authentication: checks before every request, and headers of every response.
//!
//! The server listens on this machine, where any web page that is open in a browser can send requests to it. Three
//! checks keep such pages out. The `Host` must be an address that the server was started for: a page that has its own name
//! point to this machine (DNS rebinding) sends that name. The `Origin`, which browsers add and pages cannot change, must
//! be the server's own. And everything under `/api` needs the token, which only the address has that the program prints.
//! It stands behind `#` there, so that it reaches no server, no log and no `Referer`.
//!
//! The token has 128 random bits and is compared in a time that does not depend on where it differs.

use std::hint::black_box;
use std::io;
use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::answer::Refusal;
use crate::server::Shared;

/// What browsers are told not to do with the page. Styles may stand in the page, since views place things by them.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
                      frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// What is part of every answer.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// A secret that whoever knows the address has.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Not even by accident.
        f.write_str("Token(…)")
    }
}

impl Token {
    pub(crate) fn new() -> io::Result<Self> {
        let mut bytes = [0u8; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(Self(hex(&bytes)))
    }

    /// It, for the address.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    fn is(&self, given: &str) -> bool {
        let (own, given) = (self.0.as_bytes(), given.as_bytes());
        let differing = own.iter().zip(given).fold(0u8, |seen, (own, given)| black_box(seen | (own ^ given)));
        own.len() == given.len() && differing == 0
    }
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The addresses that the server goes by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Hosts {
    port: u16,
    /// The one it was told to listen on, if it was.
    told: Option<String>,
}

impl Hosts {
    pub(crate) const fn new(port: u16, told: Option<String>) -> Self {
        Self { port, told }
    }

    /// Whether a name with a port, as in a `Host`, is one of them.
    fn include(&self, authority: &str) -> bool {
        let (name, port) = match authority.rsplit_once(':') {
            // A colon inside brackets is part of an address.
            Some((name, port)) if !port.contains(']') => (name, port.parse().ok()),
            _ => (authority, Some(80)),
        };
        port == Some(self.port) && self.include_name(name)
    }

    fn include_name(&self, name: &str) -> bool {
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let known = ["127.0.0.1", "localhost", "::1"];
        if known.iter().any(|known| bare.eq_ignore_ascii_case(known)) {
            return true;
        }
        let Some(told) = &self.told else { return false };
        let everywhere = told.parse::<IpAddr>().is_ok_and(|address| address.is_unspecified());
        // On all addresses of the machine any of them is right. Another's name is not: it could be made to point here.
        bare.eq_ignore_ascii_case(told) || (everywhere && bare.parse::<IpAddr>().is_ok())
    }

    fn include_origin(&self, origin: &str) -> bool {
        origin.strip_prefix("http://").is_some_and(|authority| self.include(authority))
    }
}

/// Lets a request pass, or refuses it.
pub(crate) async fn guard(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let mut response = match check(&shared, &request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn check(shared: &Shared, request: &Request) -> Result<(), Refusal> {
    let (headers, hosts) = (request.headers(), &shared.hosts);
    let own = text(headers, header::HOST).is_some_and(|host| hosts.include(host));
    let target = request.uri().authority().is_none_or(|target| hosts.include(target.as_str()));
    if !own || !target || headers.get_all(header::HOST).iter().count() != 1 {
        return Err(Refusal::foreign("the request is meant for another host"));
    }
    let origins = headers.get_all(header::ORIGIN);
    let foreign = |origin: &HeaderValue| !origin.to_str().is_ok_and(|origin| hosts.include_origin(origin));
    if origins.iter().any(foreign) || is_cross_site(headers) {
        return Err(Refusal::foreign("the request comes from another page"));
    }
    if request.uri().path().starts_with("/api") && !has_token(shared, headers) {
        return Err(Refusal::no_token());
    }
    Ok(())
}

/// Whether the browser says that another page asks. Following a link to here is nothing bad.
fn is_cross_site(headers: &HeaderMap) -> bool {
    let site = text(headers, HeaderName::from_static("sec-fetch-site"));
    let mode = text(headers, HeaderName::from_static("sec-fetch-mode"));
    matches!(site, Some("cross-site" | "same-site")) && mode != Some("navigate")
}

fn has_token(shared: &Shared, headers: &HeaderMap) -> bool {
    let given = text(headers, header::AUTHORIZATION).and_then(|given| given.split_once(' '));
    given.is_some_and(|(scheme, token)| scheme.eq_ignore_ascii_case("bearer") && shared.token.is(token))
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_addresses_of_the_server_are_its_hosts() {
        let hosts = Hosts::new(7423, None);
        for host in ["127.0.0.1:7423", "localhost:7423", "LOCALHOST:7423", "[::1]:7423"] {
            assert!(hosts.include(host), "{host}");
            assert!(hosts.include_origin(&format!("http://{host}")), "{host}");
        }
        let foreign =
            ["", "127.0.0.1", "127.0.0.1:80", "evil.example:7423", "127.0.0.1.evil.example:7423", "::1:74"];
        for host in
            foreign.into_iter().chain(["localhost:7423@evil.example", "192.168.0.1:7423", "[::1]", ":7423"])
        {
            assert!(!hosts.include(host), "{host}");
        }
        for origin in
            ["null", "https://127.0.0.1:7423", "http://127.0.0.1:7423/", "http://evil.example", "file://"]
        {
            assert!(!hosts.include_origin(origin), "{origin}");
        }
    }

    #[test]
    fn a_host_that_was_given_is_one_too_and_for_all_addresses_any_address() {
        let named = Hosts::new(80, Some("lab.example".to_owned()));
        assert!(
            named.include("lab.example:80") && named.include("Lab.Example") && named.include("127.0.0.1")
        );
        assert!(!named.include("192.168.0.1:80"));
        let everywhere = Hosts::new(80, Some("0.0.0.0".to_owned()));
        assert!(everywhere.include("192.168.0.1:80") && everywhere.include("[fe80::1]:80"));
        assert!(!everywhere.include("evil.example:80"));
    }

    #[test]
    fn tokens_are_long_differ_and_are_compared_whole() {
        let (one, other) = (Token::new().unwrap(), Token::new().unwrap());
        assert_eq!(one.text().len(), 32);
        assert!(one.is(one.text()) && !one.is(other.text()));
        assert!(!one.is("") && !one.is(&one.text()[..31]) && !one.is(&format!("{}0", one.text())));
        assert!(!format!("{one:?}").contains(one.text()));
    }
}
