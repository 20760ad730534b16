//! The server as scripts and browsers meet it: over real connections, without a browser.

mod client;
mod document;
mod files;
mod models;
mod runs;
mod safety;
mod simulations;
