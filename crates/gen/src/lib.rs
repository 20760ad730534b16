//! The benchmark families of the field: networks with one size parameter, as text.
//!
//! A [`Family`] writes each of its members in two languages, UPPAAL's (`xta`) and TChecker's (`tck`), with
//! the queries that its authors asked (`queries`) and the size of its zone graph where that was measured
//! (`known`).
//!
//! ```
//! let fischer = tourbillon_gen::family("fischer")?;
//! assert!(fischer.xta(3)?.contains("const int N = 3;"));
//! assert!(fischer.tck(3)?.starts_with("# Fischer's"));
//! assert!(fischer.xta(0).is_err());
//! # Ok::<(), tourbillon_gen::Error>(())
//! ```
//!
//! One file for each family, or a folder where several share long texts. Its header says what is modelled, where
//! it was published, what should hold and how large it is; after that come its texts, which read as their
//! languages do: `$N` stands for the family's number, `$I` for the process at hand, and that is all the machinery
//! there is (`text.rs`).
//!
//! > **The two texts of a member are one network.** The same processes in the same order, the same locations,
//! > edges in the same order, guards, resets and synchronisations. What UPPAAL writes with a template, a
//! > `select` or a channel `c[i]` is written out in TChecker's text, where each value has its own line.
//!
//! Texts grow in proportion to the number, or not at all, and the number is limited: nothing here can ask for
//! much memory.

mod blow_up;
mod bridge;
mod corsso;
mod critical_region;
mod critical_region_exclusive;
mod csmacd;
mod csmacd_broadcast;
mod dining_philosophers;
mod error;
mod family;
mod fddi;
mod fischer;
mod flexray;
mod known;
mod lynch;
mod text;
mod train_gate;

pub use error::Error;
pub use family::{Family, Query, families, family};
pub use known::{Algorithm, Bounds, Extrapolation, Known, Order};
