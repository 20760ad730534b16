//! Open connections, and which of them is closed to make room.
//!
//! There is a bound on their number. A connection *waits* while its next request has not arrived completely, headers and
//! body; else it is *busy*. Who opens many connections and sends half a request over each, or none, must not keep others
//! out: so if there is no room, the connection that has waited for longest is closed in favour of the new one. Only if all are
//! busy does the new one wait.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use axum::body::Body;
use hyper::body::{Body as Frames, Bytes, Frame, Incoming, SizeHint};
use tokio::sync::Notify;

#[derive(Debug)]
pub(crate) struct Connections {
    max: usize,
    table: Mutex<ConnectionTable>,
    /// That a connection has ended, or waits.
    changed: Notify,
}

#[derive(Default, Debug)]
struct ConnectionTable {
    /// The last number that was given, to a connection or as the moment since when one waits.
    last: u64,
    all: BTreeMap<u64, ConnectionEntry>,
}

#[derive(Debug)]
struct ConnectionEntry {
    /// Since when it waits, in the order of numbers; nothing while it is busy.
    waiting: Option<u64>,
    close: Arc<Notify>,
}

/// One of them, which is over when this is dropped.
#[derive(Debug)]
pub(crate) struct Connection {
    id: u64,
    close: Arc<Notify>,
    all: Arc<Connections>,
}

impl Connections {
    pub(crate) fn new(max: u32) -> Arc<Self> {
        Arc::new(Self { max: max.max(1) as usize, table: Mutex::default(), changed: Notify::new() })
    }

    /// Adds a connection, once there is room for it.
    pub(crate) async fn enter(self: &Arc<Self>) -> Arc<Connection> {
        loop {
            let changed = self.changed.notified();
            if let Some(connection) = self.try_enter() {
                return Arc::new(connection);
            }
            changed.await;
        }
    }

    fn try_enter(self: &Arc<Self>) -> Option<Connection> {
        let mut table = self.table();
        if table.all.len() >= self.max {
            let waiting = table.all.iter().filter_map(|(&id, entry)| Some((entry.waiting?, id)));
            let (_, longest) = waiting.min()?;
            table.all.remove(&longest)?.close.notify_one();
        }
        let (id, close) = (table.next(), Arc::new(Notify::new()));
        table.all.insert(id, ConnectionEntry { waiting: Some(id), close: Arc::clone(&close) });
        drop(table);
        Some(Connection { id, close, all: Arc::clone(self) })
    }

    /// Waits until none is left.
    pub(crate) async fn over(&self) {
        loop {
            let changed = self.changed.notified();
            if self.table().all.is_empty() {
                return;
            }
            changed.await;
        }
    }

    fn table(&self) -> MutexGuard<'_, ConnectionTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionTable {
    fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }
}

impl Connection {
    /// Waits until it is to be closed in favour of another.
    pub(crate) async fn closed(&self) {
        self.close.notified().await;
    }

    /// Its request has arrived.
    fn is_busy(&self) {
        if let Some(entry) = self.all.table().all.get_mut(&self.id) {
            entry.waiting = None;
        }
    }

    /// Its answer was sent.
    fn waits(&self) {
        let mut table = self.all.table();
        let now = table.next();
        if let Some(entry) = table.all.get_mut(&self.id) {
            entry.waiting = Some(now);
        }
        drop(table);
        self.all.changed.notify_one();
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.all.table().all.remove(&self.id);
        self.all.changed.notify_one();
    }
}

/// The body of a request that arrives: when all of it is there, its connection is busy.
#[derive(Debug)]
pub(crate) struct RequestBody {
    body: Incoming,
    connection: Arc<Connection>,
}

impl RequestBody {
    pub(crate) fn new(body: Incoming, connection: &Arc<Connection>) -> Self {
        if body.is_end_stream() {
            connection.is_busy();
        }
        Self { body, connection: Arc::clone(connection) }
    }
}

impl Frames for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if frame.is_none() || self.body.is_end_stream() {
            self.connection.is_busy();
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of an answer: when it was sent, its connection waits for the next request.
#[derive(Debug)]
pub(crate) struct ResponseBody {
    body: Body,
    connection: Arc<Connection>,
}

impl ResponseBody {
    pub(crate) fn new(body: Body, connection: &Arc<Connection>) -> Self {
        connection.is_busy();
        Self { body, connection: Arc::clone(connection) }
    }
}

impl Drop for ResponseBody {
    fn drop(&mut self) {
        self.connection.waits();
    }
}

impl Frames for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_that_has_waited_for_longest_makes_room() {
        let all = Connections::new(3);
        let enter = || all.try_enter().expect("there is room");
        let (first, second, third) = (enter(), enter(), enter());
        first.is_busy();
        // The second has answered a request meanwhile, so that the third waits for longer.
        second.is_busy();
        second.waits();
        let fourth = enter();
        let there = |connection: &Connection| all.table().all.contains_key(&connection.id);
        assert_eq!([&first, &second, &third, &fourth].map(there), [true, true, false, true]);
        second.is_busy();
        fourth.is_busy();
        assert!(all.try_enter().is_none(), "all are busy");
        drop(third);
        assert!(all.try_enter().is_none(), "that one had made room already");
        drop(first);
        assert!(all.try_enter().is_some());
    }
}
