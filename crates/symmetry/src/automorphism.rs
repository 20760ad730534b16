//! What an automorphism does to the parts of a network.

use tourbillon_model::{Edge, Model};

use crate::sorts::ValueMap;

/// An automorphism: permutations of processes, edges, cells, values and clocks under which the network is the same. Locations
/// keep their numbers: a process at a location is mapped to the image of the process, at the location with the same number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automorphism {
    /// The image of each process.
    pub processes: Vec<usize>,
    /// For each process, the image of each edge among those of its image, and of the values of its selections.
    pub edges: Vec<Vec<(u32, Vec<ValueMap>)>>,
    /// The image of each cell.
    pub cells: Vec<usize>,
    /// What happens to the value of a cell, if anything.
    pub values: Vec<Option<ValueMap>>,
    /// The image of each clock.
    pub clocks: Vec<usize>,
}

impl Automorphism {
    /// The automorphism that changes nothing.
    #[must_use]
    pub fn identity(model: &Model) -> Self {
        let edge =
            |(index, edge): (usize, &Edge)| (index as u32, vec![ValueMap::default(); edge.selects.len()]);
        Self {
            processes: (0..model.processes.len()).collect(),
            edges: model.processes.iter().map(|it| it.edges.iter().enumerate().map(edge).collect()).collect(),
            cells: (0..model.cells.len()).collect(),
            values: vec![None; model.cells.len()],
            clocks: (0..model.clocks.len()).collect(),
        }
    }

    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut edges: Vec<Vec<(u32, Vec<ValueMap>)>> = vec![Vec::new(); self.edges.len()];
        for (&process, images) in self.processes.iter().zip(&self.edges) {
            edges[process] = vec![(0, Vec::new()); images.len()];
            for (edge, (image, values)) in images.iter().enumerate() {
                edges[process][*image as usize] =
                    (edge as u32, values.iter().map(ValueMap::inverse).collect());
            }
        }
        let mut values = vec![None; self.values.len()];
        for (&cell, map) in self.cells.iter().zip(&self.values) {
            values[cell] = map.as_ref().map(ValueMap::inverse);
        }
        Self {
            processes: inverse(&self.processes),
            edges,
            cells: inverse(&self.cells),
            values,
            clocks: inverse(&self.clocks),
        }
    }

    /// The automorphism that applies another one first.
    #[must_use]
    pub fn after(&self, first: &Self) -> Self {
        let compose = |own: &[usize], first: &[usize]| first.iter().map(|&index| own[index]).collect();
        let edges = first.edges.iter().zip(&first.processes).map(|(edges, &process)| {
            let image = |(edge, maps): &(u32, Vec<ValueMap>)| {
                let (image, own) = &self.edges[process][*edge as usize];
                (*image, own.iter().zip(maps).map(|(own, first)| own.after(first)).collect())
            };
            edges.iter().map(image).collect()
        });
        let plain = ValueMap::default();
        let values = first.values.iter().zip(&first.cells).map(|(first, &cell)| {
            let own = self.values[cell].as_ref().unwrap_or(&plain);
            Some(own.after(first.as_ref().unwrap_or(&plain))).filter(|map| !map.is_identity())
        });
        Self {
            edges: edges.collect(),
            values: values.collect(),
            processes: compose(&self.processes, &first.processes),
            cells: compose(&self.cells, &first.cells),
            clocks: compose(&self.clocks, &first.clocks),
        }
    }

    /// The image of an edge of a process that is taken with these selections.
    #[must_use]
    pub fn fired(&self, process: usize, edge: usize, selects: &[i32]) -> (usize, usize, Vec<i32>) {
        let (image, maps) = &self.edges[process][edge];
        let selects = selects.iter().zip(maps).map(|(&value, map)| map.get(value)).collect();
        (self.processes[process], *image as usize, selects)
    }
}

fn inverse(images: &[usize]) -> Vec<usize> {
    let mut preimages = vec![0; images.len()];
    for (index, &image) in images.iter().enumerate() {
        preimages[image] = index;
    }
    preimages
}
