//! Error responses, and the reading of request bodies.
//!
//! Every refusal is a [`Problem`] with a word for programs and a sentence for users, whatever refuses. Bodies are read
//! in one place, which bounds their size and the time that a slow sender may take; large ones are made sense of elsewhere
//! than on the threads that answer. JSON nests at most 128 deep: that is
//! what its reader allows.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tourbillon::SimulationError;

use crate::api::Problem;
use crate::server::{Shared, WorkClass};

/// How long the body of a request may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(30);

/// A body that is too large is read on up to this many times the limit: who is still sending would not read the answer.
const DRAINED: usize = 4;

/// What is longer than this is read apart from the threads that answer.
const SHORT_BYTES: usize = 64 << 10;

/// That something was not done, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    problem: Problem,
}

impl Refusal {
    fn new(status: StatusCode, error: &str, message: impl Into<String>) -> Self {
        Self { status, problem: Problem { error: error.to_owned(), message: message.into() } }
    }

    /// What was sent makes no sense.
    pub(crate) fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad-request", message)
    }

    /// The token is missing or wrong.
    pub(crate) fn no_token() -> Self {
        let message = "the token is missing or wrong: use the address that `tourbillon studio` prints";
        Self::new(StatusCode::UNAUTHORIZED, "forbidden", message)
    }

    /// The request comes from elsewhere.
    pub(crate) fn foreign(message: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    /// There is nothing at this address.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", message)
    }

    /// There is something, but it cannot be used so.
    pub(crate) fn wrong_method() -> Self {
        let message = "this address has other methods: docs/studio-api.md lists them";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "bad-request", message)
    }

    /// The model is not kept, or not any more.
    pub(crate) fn unknown_model() -> Self {
        let message = "this model is not known, or not any more: send it again";
        Self::new(StatusCode::NOT_FOUND, "unknown-model", message)
    }

    /// The model has errors, and so cannot be run.
    pub(crate) fn model_has_errors(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "model-has-errors", message)
    }

    /// It cannot be done.
    pub(crate) fn impossible(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "impossible", message)
    }

    /// The file was changed elsewhere.
    pub(crate) fn changed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "changed", message)
    }

    /// There is too much to do already.
    pub(crate) fn busy(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
    }

    /// Something is too large.
    pub(crate) fn too_large(what: &str, bytes_max: u64) -> Self {
        let message = format!("{what} is larger than the {} MiB that are allowed", bytes_max >> 20);
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", message)
    }

    fn too_slow() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "bad-request", "the request took too long to arrive")
    }

    /// It was given up.
    pub(crate) fn too_long(time: Duration) -> Self {
        let message = format!("this takes longer than the {} seconds that are allowed", time.as_secs());
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
    }

    /// We are wrong.
    pub(crate) fn fault() -> Self {
        let message =
            "this is a fault of Tourbillon's own, not of the model: please report it, with the model";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "fault", message)
    }

    /// The same as a sentence.
    pub(crate) fn message(&self) -> &str {
        &self.problem.message
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = json(&self.problem).into_response();
        *response.status_mut() = self.status;
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

impl From<SimulationError> for Refusal {
    fn from(impossible: SimulationError) -> Self {
        Self::impossible(impossible.why)
    }
}

/// An answer, or that there is none.
pub(crate) type Answer = Result<Response, Refusal>;

pub(crate) fn json(what: &impl Serialize) -> Response {
    match serde_json::to_vec(what) {
        Ok(bytes) => ([(header::CONTENT_TYPE, "application/json")], bytes).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// What was sent, read as JSON.
#[derive(Debug)]
pub(crate) struct Sent<T>(pub(crate) T);

impl<T: DeserializeOwned + Send + 'static> FromRequest<Shared> for Sent<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, shared: &Shared) -> Result<Self, Refusal> {
        let bytes_max = shared.limits.body_bytes;
        let reading = read(request.into_body(), usize::try_from(bytes_max).unwrap_or(usize::MAX));
        let bytes = tokio::time::timeout(BODY_TIME, reading).await.map_err(|_| Refusal::too_slow())??;
        let bytes = bytes.ok_or_else(|| Refusal::too_large("the request", bytes_max))?;
        let made = if bytes.len() <= SHORT_BYTES {
            serde_json::from_slice(&bytes)
        } else {
            shared.compute(WorkClass::Texts, move |_| serde_json::from_slice(&bytes)).await?
        };
        made.map(Self).map_err(|error| Refusal::bad(format!("the body: {error}")))
    }
}

/// Reads a body; nothing if it is too large.
async fn read(mut body: Body, bytes_max: usize) -> Result<Option<Vec<u8>>, Refusal> {
    let mut bytes = Vec::new();
    let mut seen = 0usize;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Refusal::bad("the request broke off"))?;
        let Some(data) = frame.data_ref() else { continue };
        seen = seen.saturating_add(data.len());
        if seen > bytes_max.saturating_mul(DRAINED) {
            break;
        }
        if seen > bytes_max {
            bytes = Vec::new();
        } else {
            bytes.extend_from_slice(data);
        }
    }
    Ok((seen <= bytes_max).then_some(bytes))
}
