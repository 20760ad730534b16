//! The table of addresses.
//!
//! The table is the one list of addresses: the router is made from it, and a test compares it with `docs/studio-api.md`.
//! Handlers only read, hand on and write; what they hand on to is in the other files.

use std::sync::atomic::AtomicBool;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use tourbillon::Sheet;

use crate::answer::{Answer, Refusal, Sent, json};
use crate::api::{
    self, About, Arrange, Open, Opened, RunRequest, Save, SimulationRequest, SimulationStart, Status, Write,
};
use crate::file::stamp;
use crate::server::{Shared, WorkClass};
use crate::{assets, examine, guard, process};

/// An address with what it does.
type Route = (&'static str, &'static str, MethodRouter<Shared>);

fn table() -> Vec<Route> {
    let get = MethodFilter::GET;
    let post = MethodFilter::POST;
    vec![
        ("GET", "/api/v1/about", on(get, about)),
        ("GET", "/api/v1/status", on(get, status)),
        ("POST", "/api/v1/open", on(post, open)),
        ("PUT", "/api/v1/file", on(MethodFilter::PUT, save)),
        ("POST", "/api/v1/write", on(post, write)),
        ("POST", "/api/v1/arrange", on(post, arrange)),
        ("POST", "/api/v1/models", on(post, examine)),
        ("GET", "/api/v1/models/{hash}", on(get, sheet)),
        ("GET", "/api/v1/models/{hash}/examined", on(get, examined)),
        ("POST", "/api/v1/models/{hash}/runs", on(post, run)),
        ("POST", "/api/v1/runs/{run}/stop", on(post, stop)),
        ("POST", "/api/v1/models/{hash}/simulations", on(post, simulate)),
        ("POST", "/api/v1/simulations/{id}", on(post, command)),
        ("GET", "/api/v1/simulations/{id}/trace", on(get, trace)),
        ("GET", "/api/v1/simulations/{id}/path", on(get, path)),
        ("GET", "/api/v1/simulations/{id}/file", on(get, run_file)),
        ("DELETE", "/api/v1/simulations/{id}", on(MethodFilter::DELETE, forget)),
    ]
}

/// All addresses of the interface, each with its method.
#[must_use]
pub fn routes() -> Vec<(&'static str, &'static str)> {
    table().into_iter().map(|(method, path, _)| (method, path)).collect()
}

pub(crate) fn router(shared: Shared) -> Router {
    let all =
        table().into_iter().fold(Router::new(), |router, (_, path, handler)| router.route(path, handler));
    all.fallback(other)
        .method_not_allowed_fallback(async || Refusal::wrong_method())
        .layer(from_fn_with_state(shared.clone(), guard::guard))
        .with_state(shared)
}

/// Everything that is not in the table: the files of the page.
async fn other(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if uri.path().starts_with("/api") {
        return Refusal::not_found("there is no such address: docs/studio-api.md lists them").into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        return Refusal::wrong_method().into_response();
    }
    assets::serve(uri.path(), &headers)
}

async fn about(State(shared): State<Shared>) -> Response {
    json(&About {
        api: api::VERSION,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        file: shared.file.as_ref().map(crate::file::FileOrigin::about),
        examples: assets::examples(),
        axes: tourbillon::form_options(),
        limits: shared.limits.clone(),
    })
}

async fn status(State(shared): State<Shared>) -> Response {
    let (runs, runs_waiting) = shared.runs.counts();
    json(&Status {
        runs,
        runs_waiting,
        simulations: shared.simulations.count(),
        models: shared.models.count(),
        rss_bytes: process::rss_bytes(),
    })
}

async fn open(State(shared): State<Shared>, Sent(what): Sent<Open>) -> Answer {
    let work = move |shared: &crate::server::ServerState, stop: &AtomicBool| {
        opened(shared, what, stop).map(|opened| opened.map(|opened| json(&opened))).transpose()
    };
    shared.compute_until(WorkClass::Files, work).await?
}

/// What was opened; nothing if it was stopped.
fn opened(
    shared: &crate::server::ServerState,
    what: Open,
    stop: &AtomicBool,
) -> Result<Option<Opened>, Refusal> {
    let (name, bytes) = match what {
        Open::Empty => {
            let sheet = Sheet::empty();
            return Ok(Some(Opened { sheet, is_file: false, stamp: String::new(), diagnostics: Vec::new() }));
        }
        Open::File => {
            let file = shared.file.as_ref();
            let file = file.ok_or_else(|| Refusal::not_found("the server was started without a file"))?;
            let bytes = file.read()?;
            let stamp = stamp(&bytes);
            let opened = examine::opened(file.name(), &bytes, stop);
            return Ok(opened.map(|opened| Opened { is_file: true, stamp, ..opened }));
        }
        Open::Example { name } => {
            let text =
                assets::example(&name).ok_or_else(|| Refusal::not_found("there is no such example"))?;
            (name, text.to_vec())
        }
        Open::Text { name, text } => (name, text.into_bytes()),
    };
    Ok(examine::opened(&name, &bytes, stop))
}

async fn save(State(shared): State<Shared>, Sent(what): Sent<Save>) -> Answer {
    // Not stopped when the connection is closed: a page that is closed still saves.
    let saved = shared.compute(WorkClass::Files, move |shared| match &shared.file {
        Some(file) => file.save(&what),
        None => Err(Refusal::not_found("the server was started without a file: download the model instead")),
    });
    saved.await?.map(|saved| json(&saved))
}

async fn write(State(shared): State<Shared>, Sent(what): Sent<Write>) -> Answer {
    let work = move |_: &_, stop: &_| {
        let written = examine::written(&what, stop).transpose()?;
        Some(written.map(|written| json(&written)))
    };
    shared.compute_until(WorkClass::Meaning, work).await?
}

async fn arrange(State(shared): State<Shared>, Sent(what): Sent<Arrange>) -> Answer {
    let work = move |_: &_, stop: &_| {
        what.template.arranged_until(what.labels_only, stop).map(|template| json(&template))
    };
    shared.compute_until(WorkClass::Meaning, work).await
}

async fn examine(State(shared): State<Shared>, Sent(sheet): Sent<Sheet>) -> Answer {
    let work = move |shared: &crate::server::ServerState, stop: &_| {
        shared.models.examine(sheet, stop).map(|kept| json(&kept.examined))
    };
    shared.compute_until(WorkClass::Meaning, work).await
}

async fn sheet(State(shared): State<Shared>, Path(hash): Path<String>) -> Answer {
    let model = shared.models.get(&hash)?;
    shared.compute(WorkClass::Texts, move |_| json(&model.sheet)).await
}

async fn examined(State(shared): State<Shared>, Path(hash): Path<String>) -> Answer {
    let model = shared.models.get(&hash)?;
    shared.compute(WorkClass::Texts, move |_| json(&model.examined)).await
}

async fn run(State(shared): State<Shared>, Path(hash): Path<String>, Sent(what): Sent<RunRequest>) -> Answer {
    let model = shared.models.get(&hash)?;
    shared.runs.begin(model, what).map(axum::response::IntoResponse::into_response)
}

async fn stop(State(shared): State<Shared>, Path(run): Path<String>) -> Answer {
    let known = run.parse().is_ok_and(|run| shared.runs.stop(run));
    if known {
        Ok(StatusCode::NO_CONTENT.into_response())
    } else {
        Err(Refusal::not_found("there is no such run, or not any more"))
    }
}

async fn simulate(
    State(shared): State<Shared>,
    Path(hash): Path<String>,
    Sent(start): Sent<SimulationStart>,
) -> Answer {
    let model = shared.models.get(&hash)?;
    shared.simulations.begin(model, start).await
}

async fn command(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    Sent(what): Sent<SimulationRequest>,
) -> Answer {
    shared.simulations.ask(&id, move |walk| json(&walk.obey(&what))).await
}

async fn trace(State(shared): State<Shared>, Path(id): Path<String>) -> Answer {
    shared.simulations.ask(&id, |walk| json(&walk.trace())).await
}

async fn path(State(shared): State<Shared>, Path(id): Path<String>) -> Answer {
    shared.simulations.ask(&id, |walk| walk.path().map(|path| json(&path))).await?
}

async fn run_file(State(shared): State<Shared>, Path(id): Path<String>) -> Answer {
    shared.simulations.ask(&id, |walk| walk.file().map(|file| json(&file))).await?
}

async fn forget(State(shared): State<Shared>, Path(id): Path<String>) -> Answer {
    shared.simulations.forget(&id)?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
