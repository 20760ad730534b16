//! Running a program and measuring its cost.
//!
//! The system accounts for every process and reports when the process is waited for (`wait4`): user CPU time, and peak
//! resident memory. The latter includes the time before the program was loaded, when the new process was still a copy
//! of this one. So nothing is explored in this process: it stays smaller than anything it measures.

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use wait4::Wait4 as _;

/// The output of a program, and its cost.
pub(crate) struct ChildOutput {
    pub(crate) output: String,
    pub(crate) cost: Cost,
}

/// The cost of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Cost {
    /// Seconds of user CPU time.
    pub(crate) user_s: f64,
    /// The largest resident memory.
    pub(crate) peak_bytes: u64,
}

/// Runs a program to its end. Its standard error is dropped: a progress line would only add cost.
///
/// # Errors
/// If it cannot be run.
pub(crate) fn run(program: &Path, arguments: &[String]) -> Result<ChildOutput, String> {
    let trouble = |error: std::io::Error| format!("{}: {error}", program.display());
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(trouble)?;
    let mut output = Vec::new();
    if let Some(mut stdout) = child.stdout.take() {
        stdout.read_to_end(&mut output).map_err(trouble)?;
    }
    let used = child.wait4().map_err(trouble)?.rusage;
    let cost = Cost { user_s: used.utime.as_secs_f64(), peak_bytes: used.maxrss };
    Ok(ChildOutput { output: String::from_utf8_lossy(&output).into_owned(), cost })
}

/// The shortest time that the system measures. Ratios to shorter times are meaningless.
pub(crate) const RESOLUTION: Duration = Duration::from_millis(1);

/// The medians of each figure.
///
/// # Panics
/// If the list is empty.
pub(crate) fn median(costs: &[Cost]) -> Cost {
    let mut times: Vec<f64> = costs.iter().map(|cost| cost.user_s).collect();
    let mut peaks: Vec<u64> = costs.iter().map(|cost| cost.peak_bytes).collect();
    times.sort_by(f64::total_cmp);
    peaks.sort_unstable();
    let (low, high) = ((costs.len() - 1) / 2, costs.len() / 2);
    Cost {
        user_s: f64::midpoint(times[low], times[high]),
        peak_bytes: u64::midpoint(peaks[low], peaks[high]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        let costs = [(3.0, 10), (1.0, 30), (9.0, 20), (2.0, 40)]
            .map(|(user_s, peak_bytes)| Cost { user_s, peak_bytes });
        assert_eq!(median(&costs[..1]), costs[0]);
        assert_eq!(median(&costs[..3]), Cost { user_s: 3.0, peak_bytes: 20 });
        assert_eq!(median(&costs), Cost { user_s: 2.5, peak_bytes: 25 });
    }
}
