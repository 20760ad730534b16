//! The events of a run, as server-sent events.
//!
//! A run never waits for who listens: what it tells is kept until it is read, as text, so that the threads that send
//! it have nothing to do with how large it is. Findings are as many as there are queries;
//! progress is left out while much is unread. The other way round, who stops listening ends the run: when a connection
//! breaks, its body is dropped. So that this is noticed while there is nothing to tell, a comment is sent now and then.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use hyper::body::{Body as HttpBody, Frame};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Interval, MissedTickBehavior};

use crate::api::RunEvent;

/// How often something is sent at least.
const SIGN_OF_LIFE: Duration = Duration::from_secs(1);

/// Progress is left out while this many events are unread.
const UNREAD_MAX: usize = 16;

/// An event as it is sent.
#[derive(Debug)]
struct Event {
    text: Bytes,
    is_last: bool,
}

/// Where a run tells what it finds.
#[derive(Clone, Debug)]
pub(super) struct EventWriter {
    events: UnboundedSender<Event>,
    unread: Arc<AtomicUsize>,
}

#[derive(Debug)]
pub(super) struct SentEvents {
    events: UnboundedReceiver<Event>,
    unread: Arc<AtomicUsize>,
}

pub(super) fn channel() -> (EventWriter, SentEvents) {
    let (sender, receiver) = unbounded_channel();
    let unread = Arc::new(AtomicUsize::new(0));
    (EventWriter { events: sender, unread: Arc::clone(&unread) }, SentEvents { events: receiver, unread })
}

impl EventWriter {
    /// Tells something. The client may have disconnected, which is detected elsewhere.
    pub(super) fn tell(&self, event: &RunEvent) {
        let is_progress = matches!(event, RunEvent::Progress(_));
        if is_progress && self.unread.load(Ordering::Relaxed) > UNREAD_MAX {
            return;
        }
        self.unread.fetch_add(1, Ordering::Relaxed);
        let is_last = matches!(event, RunEvent::Done { .. });
        let _ = self.events.send(Event { text: as_text(event).into(), is_last });
    }
}

/// The events of a run, as the body of an answer.
pub(crate) struct Events {
    told: SentEvents,
    alive: Interval,
    over: bool,
    /// What is to be done when the client has disconnected.
    abandon: Option<Box<dyn FnOnce() + Send>>,
}

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Events").field("told", &self.told).finish_non_exhaustive()
    }
}

impl Events {
    pub(super) fn new(told: SentEvents, abandon: Box<dyn FnOnce() + Send>) -> Self {
        let mut alive = tokio::time::interval(SIGN_OF_LIFE);
        alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { told, alive, over: false, abandon: Some(abandon) }
    }
}

impl IntoResponse for Events {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "text/event-stream")], Body::new(self)).into_response()
    }
}

impl HttpBody for Events {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if self.over {
            return Poll::Ready(None);
        }
        if let Poll::Ready(event) = self.told.events.poll_recv(context) {
            self.over = event.as_ref().is_none_or(|event| event.is_last);
            return Poll::Ready(event.map(|event| {
                self.told.unread.fetch_sub(1, Ordering::Relaxed);
                Ok(Frame::data(event.text))
            }));
        }
        match self.alive.poll_tick(context) {
            Poll::Ready(_) => Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(b":\n\n"))))),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        if let Some(abandon) = self.abandon.take() {
            abandon();
        }
    }
}

/// An event in the form of server-sent events.
fn as_text(event: &RunEvent) -> String {
    let name = match event {
        RunEvent::Waiting { .. } => "waiting",
        RunEvent::Started { .. } => "started",
        RunEvent::Progress(_) => "progress",
        RunEvent::Found(_) => "found",
        RunEvent::Coverage(_) => "coverage",
        RunEvent::Graph(_) => "graph",
        RunEvent::Refused { .. } => "refused",
        RunEvent::Done { .. } => "done",
    };
    // JSON has no line breaks of its own, so that one line of data is enough.
    format!("event: {name}\ndata: {}\n\n", serde_json::to_string(event).unwrap_or_default())
}
