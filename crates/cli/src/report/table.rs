//! Columns of text, and the table of statistics of a search.

use tourbillon::{
    AnswerSummary, Certainty, Mixture, Moved, Order, RankStats, SetStats, ZoneForm, number_text,
    probability_text,
};

use crate::quantity::{bytes_text, count_text, time_text};

/// The width of text on a terminal, for the characters that occur here.
pub(crate) fn width(text: &str) -> usize {
    text.chars().count()
}

/// Rows with their cells padded to columns, two spaces between them; `right` says which columns are right-aligned. A
/// column that is empty in all rows is omitted.
pub(crate) fn columns(rows: &[Vec<String>], right: &[bool]) -> Vec<String> {
    let mut widths = Widths::of(&[]);
    rows.iter().for_each(|row| widths.widen(row));
    rows.iter().map(|row| widths.line(row, right)).collect()
}

/// The widths of columns.
pub(crate) struct Widths(Vec<usize>);

impl Widths {
    /// The widths of a row.
    pub(crate) fn of(row: &[String]) -> Self {
        Self(row.iter().map(|cell| width(cell)).collect())
    }

    /// Widens the columns to fit another row.
    pub(crate) fn widen(&mut self, row: &[String]) {
        self.0.resize(self.0.len().max(row.len()), 0);
        self.0.iter_mut().zip(row).for_each(|(widest, cell)| *widest = width(cell).max(*widest));
    }

    /// A row with padded cells.
    pub(crate) fn line(&self, row: &[String], right: &[bool]) -> String {
        padded(row, &self.0, right)
    }
}

fn padded(row: &[String], widths: &[usize], right: &[bool]) -> String {
    let mut line = String::new();
    for (index, cell) in row.iter().enumerate().filter(|(index, _)| widths[*index] > 0) {
        if !line.is_empty() {
            line.push_str("  ");
        }
        let space = " ".repeat(widths[index] - width(cell));
        if right.get(index) == Some(&true) {
            line.push_str(&space);
            line.push_str(cell);
        } else {
            line.push_str(cell);
            line.push_str(&space);
        }
    }
    line.trim_end().to_owned()
}

/// The statistics of a search.
pub(crate) fn numbers(result: &AnswerSummary, peak_rss_bytes: Option<u64>) -> Vec<String> {
    let stats = &result.stats;
    let memory = &stats.memory;
    let bytes = |bytes: usize| bytes_text(bytes as u64);
    let share = |part: usize| {
        let percent = 100.0 * part as f64 / memory.total().max(1) as f64;
        format!("{} ({percent:.0} %)", bytes(part))
    };
    if let Some(sets) = &stats.sets {
        return numbers_of_sets(result, peak_rss_bytes, sets);
    }
    let mut left = vec![
        ("visited", count_text(stats.visited)),
        ("stored", count_text(stats.stored)),
        ("stored, maximum", count_text(stats.stored_max)),
        ("transitions", count_text(stats.transitions)),
        ("covered", count_text(stats.covered)),
        ("transient", count_text(stats.transient)),
        ("mistakes", count_text(stats.mistakes)),
        ("rank visits", count_text(stats.rank_visits)),
        ("waiting", count_text(stats.waiting)),
        (
            "discrete states",
            stats.certainty.map_or_else(|| count_text(stats.discrete_states), |_| "unknown".to_owned()),
        ),
    ];
    // A union does not record the zones it was built from.
    if result.plan.as_ref().is_none_or(|plan| plan.zones != ZoneForm::Cdd) {
        left.push(("distinct zones", count_text(stats.distinct_zones)));
    }
    left.push(("reused", count_text(result.reused)));
    if let Some(Mixture { visited: [wide, deep], walk_steps, .. }) = result.mixture {
        left.extend([wide, deep].map(|(order, visited)| (visited_in(order), count_text(visited))));
        left.push(("  random walk steps", count_text(walk_steps)));
    }
    if let Some(rounds) = result.rounds {
        left.push(("threads", rounds.threads.to_string()));
        left.push(("rounds", count_text(rounds.rounds)));
        left.push(("  states per round", count_text(rounds.nodes / rounds.rounds)));
    }
    let mut right = vec![
        ("time", time_text(result.time)),
        ("visited per second", rate(result)),
        ("peak memory", peak_rss_bytes.map_or("unknown".to_owned(), bytes_text)),
        ("stored nodes", bytes(result.passed_bytes())),
        ("  bytes per node", format!("{:.1}", result.bytes_per_node())),
        ("  zones", share(memory.zones)),
        ("  discrete states", share(memory.discrete)),
        ("  hash table", share(memory.table)),
        ("  nodes", share(memory.nodes)),
        ("  parents", share(memory.parents)),
        ("waiting list", share(memory.waiting)),
    ];
    if stats.is_packed {
        right.push(("  packed", "near the memory limit".to_owned()));
    }
    right.extend(stats.certainty.iter().flat_map(certainty));
    side_by_side(&left, &right)
}

/// The statistics of a symbolic search.
fn numbers_of_sets(result: &AnswerSummary, peak_rss_bytes: Option<u64>, sets: &SetStats) -> Vec<String> {
    let stats = &result.stats;
    let bytes = |bytes: usize| bytes_text(bytes as u64);
    let left = [
        ("zones expanded", count_text(stats.visited)),
        ("zones", count_text(stats.stored)),
        ("images", count_text(sets.steps)),
        ("sets offered", count_text(stats.transitions)),
        ("sets covered", count_text(stats.covered)),
        ("zones waiting", count_text(stats.waiting)),
        ("discrete states", count_text(stats.discrete_states)),
        ("state-zone pairs", count_text(sets.pairs)),
        ("reused", count_text(result.reused)),
    ];
    let right = [
        ("time", time_text(result.time)),
        ("peak memory", peak_rss_bytes.map_or("unknown".to_owned(), bytes_text)),
        ("diagrams", bytes(stats.memory.discrete)),
        ("  nodes", format!("{}, maximum {}", count_text(sets.nodes), count_text(sets.nodes_max))),
        ("  bits per state", count_text(sets.bits)),
        ("  garbage collected", format!("{} times", count_text(sets.collections))),
        ("  reordered", format!("{} times", count_text(sets.reorderings))),
        ("zones", bytes(stats.memory.zones)),
        ("actions, classes", format!("{}, {}", count_text(sets.actions), count_text(sets.classes))),
    ];
    side_by_side(&left, &right)
}

/// Two columns of names and numbers.
fn side_by_side(left: &[(&str, String)], right: &[(&str, String)]) -> Vec<String> {
    let empty = ("", String::new());
    let rows: Vec<Vec<String>> = (0..left.len().max(right.len()))
        .map(|index| {
            let (left, right) = (left.get(index).unwrap_or(&empty), right.get(index).unwrap_or(&empty));
            [left.0, &left.1, "  ", right.0, &right.1].map(str::to_owned).to_vec()
        })
        .collect();
    columns(&rows, &[false, true, false, false, false])
}

/// The statistics of each rank.
pub(crate) fn ranks(ranks: &[RankStats]) -> Vec<String> {
    if ranks.is_empty() {
        return Vec::new();
    }
    let titles =
        ["rank", "visited", "stored", "sent", "dropped", "messages", "bytes", "CPU", "busy", "memory"];
    let row = |rank: &RankStats| {
        vec![
            rank.rank.to_string(),
            count_text(rank.stats.visited),
            count_text(rank.stats.stored),
            count_text(rank.states_sent),
            count_text(rank.states_dropped),
            count_text(rank.messages()),
            bytes_text(rank.bytes()),
            rank.cpu.map_or("-".to_owned(), time_text),
            format!("{:.0} %", 100.0 * rank.load()),
            bytes_text(rank.stats.memory.total() as u64),
        ]
    };
    let rows: Vec<Vec<String>> =
        std::iter::once(titles.map(str::to_owned).to_vec()).chain(ranks.iter().map(row)).collect();
    let mut lines = columns(&rows, &[true; 10]);
    lines.extend(moved(ranks));
    lines
}

/// The levels that ranks moved to balance the memory of a diagram; `None` if none were moved. Groups without moves are
/// not counted.
fn moved(ranks: &[RankStats]) -> Option<String> {
    let moved: Vec<Moved> = ranks.iter().map(|rank| rank.moved).filter(|moved| moved.rounds > 0).collect();
    let rounds = moved.iter().map(|moved| moved.rounds).max()?;
    let sum = |of: fn(&Moved) -> u64| moved.iter().map(of).sum::<u64>();
    let largest = |of: fn(&Moved) -> u64| {
        let most = moved.iter().map(of).max().unwrap_or(0);
        most as f64 * moved.len() as f64 / sum(of).max(1) as f64
    };
    Some(format!(
        "levels moved: {} in {} round{}, {} nodes in {}; the largest part of a diagram was {:.2} times the average before \
         the last round, {:.2} after",
        count_text(sum(|moved| moved.layers)),
        count_text(rounds),
        if rounds == 1 { "" } else { "s" },
        count_text(sum(|moved| moved.nodes)),
        bytes_text(sum(|moved| moved.bytes)),
        largest(|moved| moved.bytes_before),
        largest(|moved| moved.bytes_after),
    ))
}

/// The omission probability of a search with a probabilistic passed list.
fn certainty(certainty: &Certainty) -> Vec<(&'static str, String)> {
    let collisions = certainty.collisions.map_or("unknown".to_owned(), count_text);
    let mut rows = vec![
        ("table full", format!("{} %", number_text(100.0 * certainty.fill()))),
        ("  collisions", collisions),
        ("  omitted, expected", number_text(certainty.omitted())),
        ("  omission probability", probability_text(certainty.probability)),
    ];
    if certainty.unentered > 0 {
        rows.push(("  visited, not stored", count_text(certainty.unentered)));
    }
    if certainty.passes > 1 {
        rows.push(("  passes", certainty.passes.to_string()));
    }
    rows
}

/// The label of the visits in one of two alternating orders.
const fn visited_in(order: Order) -> &'static str {
    match order {
        Order::Dfs => "  visited by dfs",
        Order::Best => "  visited by best",
        Order::Bfs => "  visited by bfs",
        _ => "  visited by sweep",
    }
}

/// States visited per second; `-` if the search reused stored states, whose time is not its own.
fn rate(result: &AnswerSummary) -> String {
    if result.reused > 0 {
        return "-".to_owned();
    }
    count_text((result.stats.visited as f64 / result.time.as_secs_f64().max(1e-6)) as u64)
}
