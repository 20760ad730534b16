//! The studio: a local page that draws, simulates and verifies models.
//!
//! The page holds no semantics: whatever a model means, the façade says, and this crate carries it over HTTP.
//!
//! | file | does |
//! |---|---|
//! | `api/` | what is said, as types for both sides |
//! | `server.rs` | listening, connections, the end |
//! | `timeout_stream.rs` | connections that give up on who does not read |
//! | `guard.rs` | who may ask |
//! | `routes.rs` | which address does what |
//! | `answer.rs` | refusals, and how requests are read |
//! | `models.rs` | models that were sent, by their hash |
//! | `file.rs` | the one file that is read and written |
//! | `runs/` | verification and whatever else takes time: a queue, events |
//! | `simulations/` | simulations, each on a thread of its own |
//! | `examine.rs` | models that are opened, examined and written, with diagnostics at their places |
//! | `assets.rs` | the page and the examples |
//!
//! ```
//! let server = tourbillon_studio::Server::start(tourbillon_studio::Settings { port: Some(0), ..Default::default() })?;
//! assert!(server.link().starts_with("http://127.0.0.1:"));
//! server.stop();
//! # Ok::<(), tourbillon_studio::StartError>(())
//! ```
//!
//! > **Invariant.** No path comes from a request, and nothing is answered before `guard.rs` has examined it.

pub mod api;

mod answer;
mod assets;
mod connections;
mod examine;
mod file;
mod guard;
mod models;
mod process;
mod routes;
mod runs;
mod server;
mod simulations;
mod timeout_stream;

pub use assets::{BUILD_COMMAND, has_page};
pub use routes::routes;
pub use server::{DEFAULT_PORT, Server, Settings, StartError};
