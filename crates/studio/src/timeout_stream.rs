//! A connection with a timeout for clients that do not read.
//!
//! Reading is bounded where requests are read. What is written waits in the system until the other side takes it; a side
//! that never does would hold on to an answer, and to the run that it belongs to, forever. So a write that makes no
//! progress for some time is an error, by which the connection ends.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

#[derive(Debug)]
pub(crate) struct TimeoutStream {
    stream: TokioIo<TcpStream>,
    timeout: Duration,
    /// Since when a write waits, as the moment at which it has waited for too long.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl TimeoutStream {
    pub(crate) fn new(stream: TcpStream, timeout: Duration) -> Self {
        Self { stream: TokioIo::new(stream), timeout, stalled: None }
    }

    /// What becomes of a write that was tried.
    fn evaluator<T>(&mut self, context: &mut Context<'_>, tried: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if tried.is_ready() {
            self.stalled = None;
            return tried;
        }
        let timeout = self.timeout;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(timeout)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl Read for TimeoutStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl Write for TimeoutStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let tried = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.evaluator(context, tried)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let tried = Pin::new(&mut self.stream).poll_flush(context);
        self.evaluator(context, tried)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let tried = Pin::new(&mut self.stream).poll_shutdown(context);
        self.evaluator(context, tried)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let tried = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.evaluator(context, tried)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    /// Writes until something happens.
    async fn flood(mut timeout: TimeoutStream) -> io::Error {
        let bytes = vec![0u8; 1 << 20];
        loop {
            let written = poll_fn(|context| Pin::new(&mut timeout).poll_write(context, &bytes)).await;
            if let Err(error) = written {
                return error;
            }
        }
    }

    #[test]
    fn who_does_not_read_is_given_up_and_who_is_gone_at_once() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let address = listener.local_addr().expect("an address");
            let silent = TcpStream::connect(address).await.expect("a connection");
            let (stream, _) = listener.accept().await.expect("a connection");
            let error = flood(TimeoutStream::new(stream, Duration::from_millis(50))).await;
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
            drop(silent);
            drop(TcpStream::connect(address).await.expect("a connection"));
            let (stream, _) = listener.accept().await.expect("a connection");
            let error = flood(TimeoutStream::new(stream, Duration::from_secs(3600))).await;
            assert_ne!(error.kind(), io::ErrorKind::TimedOut);
        });
    }
}
