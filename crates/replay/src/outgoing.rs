//! The edges of a network by their source locations.

use tourbillon_base::{Id, IdVec};
use tourbillon_model::{Edge, LocationId, Model, Process, ProcessId};

/// For each process, its edges sorted by source: those of one location in the order of the model.
#[derive(Debug)]
pub(crate) struct Outgoing(IdVec<ProcessId, ProcessEdges>);

#[derive(Debug)]
struct ProcessEdges {
    /// For each location, where its edges begin in `edges`; at the end, how many there are.
    starts: Vec<usize>,
    edges: Vec<usize>,
}

impl Outgoing {
    pub(crate) fn of(model: &Model) -> Self {
        Self(model.processes.iter().map(ProcessEdges::new).collect())
    }

    /// The edges that leave a location, with their indices.
    pub(crate) fn edges<'m>(
        &self,
        model: &'m Model,
        process: ProcessId,
        source: LocationId,
    ) -> impl Iterator<Item = (usize, &'m Edge)> {
        let ProcessEdges { starts, edges } = &self.0[process];
        let all = &model.processes[process].edges;
        edges[starts[source.index()]..starts[source.index() + 1]].iter().map(|&index| (index, &all[index]))
    }
}

impl ProcessEdges {
    fn new(process: &Process) -> Self {
        let mut edges: Vec<usize> = (0..process.edges.len()).collect();
        edges.sort_by_key(|&index| process.edges[index].source);
        let starts = (0..=process.locations.len())
            .map(|source| edges.partition_point(|&index| process.edges[index].source.index() < source))
            .collect();
        Self { starts, edges }
    }
}
