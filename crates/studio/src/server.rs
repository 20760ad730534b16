//! The server: listening, connections, shutdown.
//!
//! Everything of HTTP happens on the threads of one runtime, which must not be held up. What takes time goes elsewhere: to
//! threads of its own ([`crate::runs`], [`crate::simulations`]), or to the blocking threads of the runtime, of which only
//! a few are used at a time. Those are shared out by [`WorkClass`], so that a model that takes long to examine does not keep
//! anybody from saving it. On the threads of the runtime themselves only small texts are read and written as JSON.
//!
//! Connections are bounded in number ([`crate::connections`]). One that takes its time over the headers of a request, or over
//! its body, is closed; and so is one that does not read what it asked for.
//!
//! Work for closed connections, and work that takes too long, is stopped.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, available_parallelism};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::TokioTimer;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};

use crate::answer::Refusal;
use crate::api::ServerLimits;
use crate::connections::{Connection, Connections, RequestBody, ResponseBody};
use crate::file::FileOrigin;
use crate::guard::{Hosts, Token};
use crate::models::Models;
use crate::routes;
use crate::runs::{Runs, STACK_BYTES};
use crate::simulations::Simulations;
use crate::timeout_stream::TimeoutStream;

/// Where the server listens unless told otherwise: always the same, so that what the browser keeps for the page is found
/// again after a restart.
pub const DEFAULT_PORT: u16 = 7423;

/// How long the headers of a request may take.
const HEADER_TIME: Duration = Duration::from_secs(15);

/// How long an answer may wait to be read.
const WRITE_TIME: Duration = Duration::from_secs(30);

/// How large the headers of a request may be, its address included.
const HEADER_BYTES_MAX: usize = 64 << 10;

/// How long something may take that a request waits for, other than runs and simulations.
const WORK_TIME: Duration = Duration::from_secs(60);

/// How long runs and connections are waited for in the end.
const FAREWELL: Duration = Duration::from_secs(3);

/// How a server is to be.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The file that can be opened and saved.
    pub file: Option<PathBuf>,
    /// The address or name to listen on; if there is none, this machine alone can connect.
    pub host: Option<String>,
    /// The port, 0 for any that is free; if there is none, [`DEFAULT_PORT`] or, if that is taken, any.
    pub port: Option<u16>,
    pub limits: ServerLimits,
}

impl Default for Settings {
    fn default() -> Self {
        let limits = ServerLimits {
            body_bytes: 16 << 20,
            runs: 2,
            runs_waiting: 16,
            run_seconds: 600,
            run_bytes: 2 << 30,
            simulations: 32,
            graph_nodes: 20_000,
            graph_edges: 200_000,
            graph_bytes: 64 << 20,
            models: 64,
            model_bytes: 512 << 20,
            names: 10_000,
            simulation_moves: 100_000,
            simulation_bytes: 128 << 20,
            random_seconds: 10,
            connections: 256,
        };
        Self { file: None, host: None, port: None, limits }
    }
}

/// Why a server did not start.
#[derive(Debug)]
pub enum StartError {
    /// It cannot listen there.
    Address(io::Error),
    /// The file cannot be read.
    File(io::Error),
    /// The system refuses something else.
    System(io::Error),
}

impl std::fmt::Display for StartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Address(error) => write!(f, "the studio cannot listen there: {error}"),
            Self::File(error) => write!(f, "the model cannot be read: {error}"),
            Self::System(error) => write!(f, "the studio cannot be started: {error}"),
        }
    }
}

impl std::error::Error for StartError {}

/// What all requests share.
pub(crate) type Shared = Arc<ServerState>;

/// All that there is.
#[derive(Debug)]
pub(crate) struct ServerState {
    pub(crate) limits: ServerLimits,
    pub(crate) hosts: Hosts,
    pub(crate) token: Token,
    pub(crate) file: Option<FileOrigin>,
    pub(crate) models: Models,
    pub(crate) runs: Runs,
    pub(crate) simulations: Simulations,
    lanes: WorkLimits,
}

/// What something that takes time is, and so what it may have to wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WorkClass {
    /// What a model means, or how it is laid out or converted: that may take long.
    Meaning,
    /// Opening and saving, which a user waits for.
    Files,
    /// Reading and writing large JSON, which never takes long.
    Texts,
}

/// How many of each class may run at a time.
#[derive(Debug)]
struct WorkLimits([Arc<Semaphore>; 3]);

impl WorkLimits {
    fn new(cores: usize) -> Self {
        Self([cores, 1, 2].map(|room| Arc::new(Semaphore::new(room))))
    }

    fn of(&self, lane: WorkClass) -> Arc<Semaphore> {
        Arc::clone(&self.0[lane as usize])
    }
}

impl ServerState {
    /// Computes something apart from the threads that answer.
    ///
    /// # Errors
    /// If it fails by our fault.
    pub(crate) async fn compute<T: Send + 'static>(
        self: &Arc<Self>,
        lane: WorkClass,
        work: impl FnOnce(&Self) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let permit = self.lanes.of(lane).acquire_owned().await.map_err(|_| Refusal::fault())?;
        let shared = Arc::clone(self);
        let task = tokio::task::spawn_blocking(move || {
            let done = work(&shared);
            drop(permit);
            done
        });
        task.await.map_err(|_| Refusal::fault())
    }

    /// The same, for something that can be stopped: it is when the connection is closed, or when it takes too long. It
    /// returns nothing if it was stopped.
    ///
    /// # Errors
    /// If it takes too long, or fails by our fault.
    pub(crate) async fn compute_until<T: Send + 'static>(
        self: &Arc<Self>,
        lane: WorkClass,
        work: impl FnOnce(&Self, &AtomicBool) -> Option<T> + Send + 'static,
    ) -> Result<T, Refusal> {
        let flag = Arc::new(AtomicBool::new(false));
        let _stopped_when_dropped = StopOnDrop(Arc::clone(&flag));
        let done = self.compute(lane, move |shared| work(shared, &flag));
        let done = tokio::time::timeout(WORK_TIME, done).await.map_err(|_| Refusal::too_long(WORK_TIME))?;
        done?.ok_or_else(|| Refusal::too_long(WORK_TIME))
    }
}

/// Stops the work of a closed connection.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A server that is running. Dropping it ends it.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    shared: Shared,
    end: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server.
    ///
    /// # Errors
    /// If it cannot listen there, or the file cannot be read.
    pub fn start(settings: Settings) -> Result<Self, StartError> {
        let Settings { file, host, port, limits } = settings;
        let file = file
            .map(|path| FileOrigin::new(&path, limits.body_bytes))
            .transpose()
            .map_err(StartError::File)?;
        let listener = listen(host.as_deref(), port).map_err(StartError::Address)?;
        let address = listener.local_addr().map_err(StartError::Address)?;
        let cores = available_parallelism().map_or(2, usize::from).max(2);
        let shared = Arc::new(ServerState {
            hosts: Hosts::new(address.port(), host),
            token: Token::new().map_err(StartError::System)?,
            file,
            models: Models::new(&limits),
            runs: Runs::new(limits.clone()),
            simulations: Simulations::new(&limits),
            lanes: WorkLimits::new(cores),
            limits,
        });
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_stack_size(STACK_BYTES)
            .enable_all()
            .build()
            .map_err(StartError::System)?;
        let (end, ended) = watch::channel(false);
        let connections_max = shared.limits.connections.max(1);
        let router = routes::router(Arc::clone(&shared));
        let thread = std::thread::Builder::new().name("studio".to_owned()).spawn(move || {
            runtime.block_on(accept(listener, router, connections_max, ended));
            runtime.shutdown_timeout(FAREWELL);
        });
        Ok(Self { address, shared, end, thread: Some(thread.map_err(StartError::System)?) })
    }

    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of the page, with the token.
    #[must_use]
    pub fn link(&self) -> String {
        let address = match self.address.ip() {
            // Nobody can connect to "all addresses".
            ip if ip.is_unspecified() => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), self.address.port()),
            _ => self.address,
        };
        format!("http://{address}/#token={}", self.shared.token.text())
    }

    /// The token, for scripts.
    #[must_use]
    pub fn token(&self) -> &str {
        self.shared.token.text()
    }

    /// Whether other machines can connect.
    #[must_use]
    pub const fn is_public(&self) -> bool {
        !self.address.ip().is_loopback()
    }

    /// Ends it: runs are stopped, and connections closed.
    pub fn stop(self) {
        drop(self);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.runs.close(FAREWELL);
        let _ = self.end.send(true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn listen(host: Option<&str>, port: Option<u16>) -> io::Result<std::net::TcpListener> {
    let addresses = |port: u16| -> io::Result<Vec<SocketAddr>> {
        match host {
            None => Ok(vec![SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port)]),
            Some(host) => Ok((host, port).to_socket_addrs()?.collect()),
        }
    };
    let bind = |port: u16| std::net::TcpListener::bind(&addresses(port)?[..]);
    let listener = match port {
        Some(port) => bind(port)?,
        None => bind(DEFAULT_PORT).or_else(|error| match error.kind() {
            io::ErrorKind::AddrInUse | io::ErrorKind::PermissionDenied => bind(0),
            _ => Err(error),
        })?,
    };
    listener.set_nonblocking(true)?;
    Ok(listener)
}

async fn accept(
    listener: std::net::TcpListener,
    router: Router,
    connections_max: u32,
    mut ended: watch::Receiver<bool>,
) {
    let Ok(listener) = TcpListener::from_std(listener) else { return };
    let connections = Connections::new(connections_max);
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => accepted,
            () = end_of(&mut ended) => break,
        };
        let Ok((stream, _)) = stream else {
            // Too many files are open, perhaps: others will be closed.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let connection = tokio::select! {
            connection = connections.enter() => connection,
            () = end_of(&mut ended) => break,
        };
        let (router, ended) = (router.clone(), ended.clone());
        tokio::spawn(serve(stream, connection, router, ended));
    }
    // Answers that are under way are finished.
    let _ = tokio::time::timeout(FAREWELL, connections.over()).await;
}

/// Answers the requests of a connection. What goes wrong with it is the other side's affair.
async fn serve(
    stream: TcpStream,
    connection: Arc<Connection>,
    router: Router,
    mut ended: watch::Receiver<bool>,
) {
    let _ = stream.set_nodelay(true);
    let router = TowerToHyperService::new(router);
    let answer = service_fn(|request: hyper::Request<Incoming>| {
        let connection = Arc::clone(&connection);
        let request: Request = request.map(|body| Body::new(RequestBody::new(body, &connection)));
        let response = router.call(request);
        async move { response.await.map(|response| response.map(|body| ResponseBody::new(body, &connection))) }
    });
    let answers = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIME)
        .max_buf_size(HEADER_BYTES_MAX)
        .serve_connection(TimeoutStream::new(stream, WRITE_TIME), answer);
    tokio::pin!(answers);
    let over = tokio::select! {
        _ = answers.as_mut() => true,
        () = connection.closed() => true,
        () = end_of(&mut ended) => false,
    };
    if !over {
        answers.as_mut().graceful_shutdown();
        let _ = answers.await;
    }
}

/// Waits for the end of the server.
async fn end_of(ended: &mut watch::Receiver<bool>) {
    // An error means that the server is gone already.
    let _ = ended.wait_for(|&ended| ended).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_waits_for_any_more_is_stopped() {
        let server = Server::start(Settings { port: Some(0), ..Settings::default() }).expect("a server");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let (sender, ended) = std::sync::mpsc::channel();
        let endless = move |_: &ServerState, stop: &AtomicBool| -> Option<()> {
            while !stop.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            sender.send(()).ok()?;
            None
        };
        let waiting = async {
            let work = server.shared.compute_until(WorkClass::Meaning, endless);
            tokio::time::timeout(Duration::from_millis(20), work).await
        };
        assert!(runtime.block_on(waiting).is_err(), "it never ends by itself");
        ended.recv_timeout(Duration::from_secs(60)).expect("it was stopped");
    }
}
