//! `tourbillon certify`: whether the answers of a certificate follow from it.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use tourbillon::{CertifyOutcome, CertifyRequest, certificate_queries, certify, certify_json};

use crate::check::{LimitOptions, UNKNOWN, VIOLATED, cancellation};
use crate::input::{Files, ModelFile, read};
use crate::quantity::{count_text, time_text};
use crate::render::{self, Format};
use crate::report::{GREEN, RED, YELLOW, styled};
use crate::{Failure, interrupt, muntac};

/// The arguments of `tourbillon certify`.
#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 0 accepted; 1 rejected; 2 the input is wrong, or the certificate is of another model; 3 not finished."
)]
pub(crate) struct CertifyArguments {
    #[command(flatten)]
    model: ModelFile,
    /// Certificate, as `check --certificate` writes it
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Do not check it, but write it into this folder as the files of Muntac, a verified checker
    #[arg(long, value_name = "DIR")]
    muntac: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitOptions,
    /// Report format
    #[arg(long, value_enum, default_value_t, help_heading = "Report")]
    format: Format,
}

/// Runs `tourbillon certify`. Returns text for standard output, and the exit status.
pub(crate) fn run(arguments: &CertifyArguments) -> Result<(String, u8), Failure> {
    arguments.run().map_err(|failure| render::failure(failure, arguments.format))
}

impl CertifyArguments {
    fn run(&self) -> Result<(String, u8), Failure> {
        let started = Instant::now();
        let (limits, stop) = (self.limits.limits(), interrupt::flag());
        let _installed = cancellation(limits).install();
        let named = |why: String| Failure::Message(format!("{}: {why}", self.file.display()));
        let bytes = read(&self.file)?;
        let queries = certificate_queries(&bytes).map_err(named)?;
        let loaded = Files::without_queries(self.model.clone()).load_only(&queries)?;
        if loaded.model.is_none() {
            render::tell(&loaded.diagnostics, loaded.sources(), self.format);
            return Err(Failure::Reported);
        }
        if let Some(dir) = &self.muntac {
            return Ok((muntac::export(&loaded, &bytes, dir, self.format)?, 0));
        }
        let request = CertifyRequest { threads: self.threads.map(usize::from), limits, stop: Some(&stop) };
        let outcome = certify(&loaded, &bytes, &request).map_err(named)?;
        let status = match outcome {
            CertifyOutcome::Accepted(_) => 0,
            CertifyOutcome::Rejected(_) => VIOLATED,
            CertifyOutcome::Unknown(_) => UNKNOWN,
        };
        if self.format == Format::Json {
            return Ok((format!("{:#}\n", certify_json(&loaded, &outcome, started.elapsed())), status));
        }
        if let CertifyOutcome::Rejected(diagnostics) = &outcome {
            render::tell(diagnostics, loaded.sources(), self.format);
        }
        Ok((self.text(&outcome, started), status))
    }

    fn text(&self, outcome: &CertifyOutcome, started: Instant) -> String {
        let name = self.file.display();
        match outcome {
            CertifyOutcome::Rejected(_) => format!("{} {name} is rejected\n", styled(RED, "✗")),
            CertifyOutcome::Unknown(why) => format!("{} {name}: unknown: {why}\n", styled(YELLOW, "?")),
            CertifyOutcome::Accepted(report) => {
                let mut text = format!("{} {name} is accepted\n", styled(GREEN, "✓"));
                for query in &report.queries {
                    let _ = writeln!(text, "    {query}");
                }
                let _ = writeln!(
                    text,
                    "  {} discrete states with {} zones, {} successors covered, in {}",
                    count_text(report.states),
                    count_text(report.entries),
                    count_text(report.successors),
                    time_text(started.elapsed())
                );
                let _ = writeln!(text, "  sha256 {}", report.sha256);
                text
            }
        }
    }
}
