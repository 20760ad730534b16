//! Statistics: the size of diagrams, and how inclusion tests were decided.

/// What all diagrams of a family take.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// By level, from the top.
    pub by_level: Vec<LevelStatistics>,
    /// The bytes of the table that finds nodes.
    pub table_bytes: u64,
    /// All bytes: nodes, holes between them, the table, and what is asked for and not yet used. Memory that operations
    /// work in is not among them.
    pub bytes: u64,
}

/// What one level takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LevelStatistics {
    /// The number of nodes.
    pub nodes: u64,
    /// The number of their edges, those to the constants among them.
    pub edges: u64,
    /// The bytes of the nodes.
    pub bytes: u64,
}

impl Statistics {
    #[must_use]
    pub fn total(&self) -> LevelStatistics {
        self.by_level.iter().fold(LevelStatistics::default(), |sum, level| LevelStatistics {
            nodes: sum.nodes + level.nodes,
            edges: sum.edges + level.edges,
            bytes: sum.bytes + level.bytes,
        })
    }
}

/// How queries for inclusion were answered, and what adding zones found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct InclusionCounts {
    /// Yes, level by level.
    pub included_by_levels: u64,
    /// Yes, by following paths where levels had said no.
    pub included_by_paths: u64,
    /// No, without a further test.
    pub refused_by_levels: u64,
    /// No, by following paths.
    pub refused_by_paths: u64,
    /// No, because there were too many paths.
    pub given_up: u64,
    /// Nodes at the bottom of added zones that `backtrace` found.
    pub backtraced: u64,
}
