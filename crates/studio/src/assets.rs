//! The embedded page and examples.
//!
//! Names are looked up in a table that was made when the program was built, so that no name leads to a file. For work on
//! the page itself, a build for development serves the folder that `TOURBILLON_STUDIO_PAGE` names instead; that too is
//! listed first, and only what is listed is read.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest as _, Sha256};

use crate::answer::Refusal;
use crate::api::Example;
use crate::guard::hex;

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
}

/// The command that builds the page.
pub const BUILD_COMMAND: &str = "studio/build";

/// Whether there is a page.
#[must_use]
pub fn has_page() -> bool {
    file("index.html").is_some()
}

/// The text of an example.
pub(crate) fn example(name: &str) -> Option<&'static [u8]> {
    examples().iter().any(|example| example.name == name).then(|| find(embedded::EXAMPLES, name)).flatten()
}

/// The examples, in the order and with the words of their README.
pub(crate) fn examples() -> Vec<Example> {
    let readme = find(embedded::EXAMPLES, "README.md").unwrap_or_default();
    String::from_utf8_lossy(readme).lines().filter_map(example_of).collect()
}

/// An example from a row of the table: `| [name](name) | about | what it shows |`.
fn example_of(row: &str) -> Option<Example> {
    let mut columns = row.trim().trim_matches('|').split('|').map(str::trim);
    let (link, about, shows) = (columns.next()?, columns.next()?, columns.next()?);
    let name = link.strip_prefix('[')?.split_once("](")?.0.to_owned();
    let about = format!("{about}: {shows}").replace('`', "");
    let mut letters = about.chars();
    let about = letters.next().map(|first| first.to_uppercase().chain(letters).collect());
    Some(Example { name, about: about? })
}

fn find(table: &'static [(&str, &[u8])], name: &str) -> Option<&'static [u8]> {
    table.iter().find(|(path, _)| *path == name).map(|(_, bytes)| *bytes)
}

/// A file of the page.
fn file(path: &str) -> Option<Cow<'static, [u8]>> {
    match folder() {
        Some(folder) => listed(&folder, "", path).and_then(|path| std::fs::read(path).ok()).map(Cow::Owned),
        None => find(embedded::PAGE, path).map(Cow::Borrowed),
    }
}

/// The folder of a page under development.
fn folder() -> Option<PathBuf> {
    if cfg!(debug_assertions) { std::env::var_os("TOURBILLON_STUDIO_PAGE").map(PathBuf::from) } else { None }
}

/// The file in a folder that has this path from it.
fn listed(folder: &Path, prefix: &str, wanted: &str) -> Option<PathBuf> {
    std::fs::read_dir(folder).ok()?.flatten().find_map(|entry| {
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let inside = wanted.strip_prefix(&path).is_some_and(|rest| rest.starts_with('/'));
        if inside {
            listed(&entry.path(), &format!("{path}/"), wanted)
        } else {
            (path == wanted).then(|| entry.path())
        }
    })
}

/// A file of the page as an answer.
pub(crate) fn serve(path: &str, headers: &HeaderMap) -> Response {
    let path = path.trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(bytes) = file(path) else {
        return if path == "index.html" {
            unbuilt()
        } else {
            Refusal::not_found("there is no such file").into_response()
        };
    };
    let tag = format!("\"{}\"", hex(&Sha256::digest(&bytes)[..16]));
    // The names of files in this folder change with what is in them.
    let keep = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let common = [(header::CACHE_CONTROL, keep.to_owned()), (header::ETAG, tag.clone())];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    (common, [(header::CONTENT_TYPE, kind(path))], bytes).into_response()
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}

/// What is shown in place of a page that was not built.
fn unbuilt() -> Response {
    let text = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>Tourbillon</title>\
         <body style='font: 1.1rem system-ui; margin: 4rem auto; max-width: 40rem'>\
         <h1>The page was not built</h1>\
         <p>This program was built without Node, and so without its page. In the folder of the source, run</p>\
         <pre>{BUILD_COMMAND} &amp;&amp; cargo build --release</pre>\
         <p>and start <code>tourbillon studio</code> again. The interface for scripts works without the page.</p>"
    );
    (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_there_with_a_sentence() {
        let all = examples();
        for (name, _) in embedded::EXAMPLES.iter().filter(|(name, _)| *name != "README.md") {
            let told =
                all.iter().find(|example| example.name == *name).expect("a row of the README for each");
            assert!(told.about.len() > 20, "{told:?}");
        }
        assert!(all.iter().all(|told| example(&told.name).is_some()), "and a file for each row");
        assert_eq!(example("README.md"), None);
        assert_eq!(example("../Cargo.toml"), None);
    }

    #[test]
    fn files_of_a_folder_are_found_by_their_listing_only() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        assert!(listed(&folder, "", "api/mod.rs").is_some());
        assert!(listed(&folder, "", "lib.rs").is_some());
        for path in ["../Cargo.toml", "api/../lib.rs", "api", "/etc/passwd", "api//mod.rs", ""] {
            let found = listed(&folder, "", path);
            assert!(found.is_none_or(|it| it.is_dir()), "{path}");
        }
    }
}
