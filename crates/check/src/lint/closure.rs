//! What is reached from representatives, closed under symmetry.
//!
//! An exploration of representatives visits, for each reachable state, one that automorphisms map to it. Here all of them fix the
//! initial state, so that the images of reachable states are reachable, and those of transitions that are taken, or prevented by something,
//! are taken, or prevented by the image of that. So what the exploration has observed, closed under the generators, is what one of all
//! states would have observed.

use std::collections::HashMap;

use tourbillon_base::{Id, IdVec};
use tourbillon_model::ProcessId;
use tourbillon_symmetry::Automorphism;
use tourbillon_system::{Edge, EdgeId, GlobalLocationId, System};

/// What an automorphism does to locations and edges.
pub(super) struct Images {
    pub(super) locations: IdVec<GlobalLocationId, GlobalLocationId>,
    pub(super) edges: IdVec<EdgeId, EdgeId>,
    /// The image of each process.
    processes: Vec<usize>,
}

impl Images {
    pub(super) fn of(system: &System, automorphism: &Automorphism) -> Self {
        let processes = &automorphism.processes;
        let mut locations = system.places.ids().collect::<IdVec<GlobalLocationId, _>>();
        for (process, &first) in system.first_place.enumerate() {
            let image = system.first_place[ProcessId::from_index(processes[process.index()])] as usize;
            for location in 0..system.locations(process) {
                let place = GlobalLocationId::from_index(first as usize + location);
                locations[place] = GlobalLocationId::from_index(image + location);
            }
        }
        let numbers: HashMap<(usize, u32), EdgeId> =
            system.edges.enumerate().map(|(id, edge)| ((edge.process.index(), edge.index), id)).collect();
        let image = |edge: &Edge| {
            let process = edge.process.index();
            numbers[&(processes[process], automorphism.edges[process][edge.index as usize].0)]
        };
        Self { locations, edges: system.edges.iter().map(image).collect(), processes: processes.clone() }
    }

    /// The image of a location of each process.
    pub(super) fn vector(&self, locations: &[i32]) -> Vec<i32> {
        let mut image = locations.to_vec();
        for (&process, &location) in self.processes.iter().zip(locations) {
            image[process] = location;
        }
        image
    }
}

/// Applies a step that adds the images of what is known, and returns whether any is new, until none is.
pub(super) fn close(generators: &[Images], mut add: impl FnMut(&Images) -> bool) {
    while generators.iter().any(&mut add) {}
}
