//! The progress line of a search, on a terminal only: drawn at most ten times a second, erased before the report.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use tourbillon::Progress;

use crate::quantity::{bytes_text, count_text, time_text};

const INTERVAL: Duration = Duration::from_millis(100);

/// A progress line on standard error.
pub(crate) struct ProgressLine {
    shown: bool,
    started: Instant,
    drawn: Instant,
    drawn_any: bool,
}

impl ProgressLine {
    /// A line that is drawn only if standard error is a terminal.
    pub(crate) fn new() -> Self {
        let now = Instant::now();
        Self { shown: std::io::stderr().is_terminal(), started: now, drawn: now, drawn_any: false }
    }

    /// Draws the line, at most ten times a second.
    pub(crate) fn update(&mut self, progress: &Progress) {
        if !self.shown || self.drawn.elapsed() < INTERVAL {
            return;
        }
        self.drawn = Instant::now();
        self.drawn_any = true;
        let width =
            terminal_size::terminal_size_of(std::io::stderr()).map_or(80, |(width, _)| width.0 as usize);
        // A line that wraps could not be erased. The last column is reserved for the cursor.
        let line: String = self.line(progress).chars().take(width.saturating_sub(1)).collect();
        let mut stderr = std::io::stderr().lock();
        // The text after the carriage return erases the rest of an earlier, longer line.
        let _ = write!(stderr, "\r{line}\x1b[K").and_then(|()| stderr.flush());
    }

    fn line(&self, progress: &Progress) -> String {
        let (stats, elapsed) = (&progress.stats, self.started.elapsed());
        let rate = stats.visited as f64 / elapsed.as_secs_f64().max(0.001);
        let query = progress.query.map_or(String::new(), |index| format!("query {}: ", index + 1));
        if let Some(sets) = &stats.sets {
            return format!(
                "{query}{} zones, {} expanded, {} waiting, {} steps, {} nodes, {}, {}",
                count_text(stats.stored),
                count_text(stats.visited),
                count_text(stats.waiting),
                count_text(sets.steps),
                count_text(sets.nodes),
                bytes_text(stats.memory.total() as u64),
                time_text(elapsed),
            );
        }
        let full = stats.certainty.map_or(String::new(), |it| format!(", {:.1} % full", 100.0 * it.fill()));
        format!(
            "{query}{} visited, {} stored, {} waiting, {}/s, {}{full}, {}",
            count_text(stats.visited),
            count_text(stats.stored),
            count_text(stats.waiting),
            count_text(rate as u64),
            bytes_text(stats.memory.total() as u64),
            time_text(elapsed),
        )
    }
}

impl ProgressLine {
    /// Erases the line until it is drawn again.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.drawn_any) {
            let mut stderr = std::io::stderr().lock();
            let _ = write!(stderr, "\r\x1b[K").and_then(|()| stderr.flush());
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}
