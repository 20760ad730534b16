//! The end of a comparison: requirements that wait for all sorts, declarations, and the order of updates.

use std::collections::HashMap;
use std::rc::Rc;

use tourbillon_base::Id;
use tourbillon_model::{CellId, CellKind, ChannelId, ClockId, Model, ProcessId, SyncVector};

use super::places::{AddressRequirement, Requirement};
use super::{Matching, Outcome, require};
use crate::automorphism::Automorphism;
use crate::bijection::Bijection;
use crate::conflict::{Conflict, Why};
use crate::order;
use crate::sorts::Sort;

impl Matching<'_> {
    /// The automorphism, when every process has an image.
    pub(crate) fn finish(&mut self) -> Outcome<Automorphism> {
        self.propagate()?;
        self.meet_requirements()?;
        self.close();
        self.cells()?;
        self.channels()?;
        self.vectors()?;
        let processes: Vec<usize> = self.images(&self.processes, self.model.processes.len());
        if !order::updates_commute(self.effects, &processes) {
            return Err(Conflict::new(Why::UpdateOrder));
        }
        Ok(self.automorphism(processes))
    }

    /// That the initial state is mapped to itself.
    pub(crate) fn initial(&self, automorphism: &Automorphism) -> Outcome {
        let Model { processes, cells, clocks, .. } = self.model;
        let images = |image: &usize| processes[ProcessId::from_index(*image)].initial;
        let same =
            processes.iter().zip(&automorphism.processes).all(|(it, image)| it.initial == images(image));
        let images = |image: &usize| clocks[ClockId::from_index(*image)].initial;
        let same_clocks =
            clocks.iter().zip(&automorphism.clocks).all(|(it, image)| it.initial == images(image));
        for ((id, cell), (&image, values)) in
            cells.enumerate().zip(automorphism.cells.iter().zip(&automorphism.values))
        {
            let value = values.as_ref().map_or(cell.initial, |values| values.get(cell.initial));
            if value != cells[CellId::from_index(image)].initial {
                return Err(Conflict::new(Why::Initial(id)));
            }
        }
        require(same && same_clocks)
    }

    fn meet_requirements(&mut self) -> Outcome {
        for requirement in std::mem::take(&mut self.requirements) {
            match requirement {
                Requirement::Closed(sort, range) => require(self.sorts.values(sort).keeps(range))?,
                Requirement::Fixed(sort, range, conflict) => {
                    if !self.sorts.values(sort).fixes(range) {
                        return Err(conflict);
                    }
                }
                Requirement::Addresses(requirement) => self.map_addresses(&requirement)?,
            }
        }
        Ok(())
    }

    fn map_addresses(&mut self, requirement: &AddressRequirement) -> Outcome {
        let AddressRequirement { kind, from, to, sorts, count, .. } = requirement;
        self.spend(from.count())?;
        let maps: Vec<_> = sorts.iter().map(|&sort| self.sorts.values(sort)).collect();
        let mut images = vec![0; maps.len()];
        from.for_each(|indices, address| {
            for ((image, &index), map) in images.iter_mut().zip(indices).zip(&maps) {
                *image = map.get(index);
            }
            let within = to.steps.iter().zip(&images).all(|((range, _), &index)| range.contains(index));
            require(within)?;
            self.bind_run(*kind, address, to.at(&images), *count)
        })
    }

    /// Derives images of indices from those of the things they lead to, and conversely, as long as there are new ones: where
    /// `a[1]` is mapped to `a[2]`, an index of `a` has a sort that maps 1 to 2.
    fn propagate(&mut self) -> Outcome {
        let requirements: Vec<Rc<AddressRequirement>> = self
            .requirements
            .iter()
            .filter_map(|requirement| match requirement {
                Requirement::Addresses(requirement) => Some(Rc::clone(requirement)),
                _ => None,
            })
            .collect();
        loop {
            let before = self.facts();
            for requirement in &requirements {
                self.derive(requirement)?;
            }
            if self.facts() == before {
                return Ok(());
            }
        }
    }

    /// The number of images that are known.
    fn facts(&self) -> usize {
        let tables = [&self.cells, &self.clocks, &self.channels];
        self.sorts.facts() + tables.iter().map(|table| table.facts()).sum::<usize>()
    }

    fn derive(&mut self, requirement: &AddressRequirement) -> Outcome {
        let AddressRequirement { kind, from, to, sorts, count, by } = requirement;
        self.spend(2 * from.count())?;
        let mut choices: HashMap<usize, Vec<i32>> = HashMap::new();
        to.for_each(|indices, address| {
            choices.insert(address, indices.to_vec());
            Ok::<(), Conflict>(())
        })?;
        from.for_each(|indices, address| {
            if let Some(image) = self.table(*kind).image(address) {
                let images = choices.get(&image).ok_or(Conflict::at(*by, Why::Different))?;
                for ((&sort, &index), &image) in sorts.iter().zip(indices).zip(images) {
                    self.sorts.unify(sort, Sort::Literal(index, image), *by)?;
                }
                return Ok(());
            }
            let known: Option<Vec<i32>> =
                sorts.iter().zip(indices).map(|(&sort, &index)| self.sorts.known(sort, index)).collect();
            match known {
                Some(images)
                    if to.steps.iter().zip(&images).all(|((range, _), &index)| range.contains(index)) =>
                {
                    self.bind_run(*kind, address, to.at(&images), *count)
                }
                Some(_) => Err(Conflict::at(*by, Why::Different)),
                None => Ok(()),
            }
        })
    }

    /// Maps what is never mentioned.
    fn close(&mut self) {
        self.cells.close(self.model.cells.len());
        self.clocks.close(self.model.clocks.len());
        self.channels.close(self.model.channels.len());
        self.events.close(self.model.events.len());
    }

    /// Cells are mapped to cells of their kind and range. What every step begins with, constants and the values of meta
    /// cells, is the same; the initial values of others are not compared (see `find.rs`).
    fn cells(&self) -> Outcome {
        for (id, cell) in self.model.cells.enumerate() {
            let image = self.cells.image(id.index()).map(CellId::from_index);
            let image = &self.model.cells[image.ok_or(Conflict::new(Why::Different))?];
            let values = self.sorts.values(Sort::Of(self.cell_sorts[id.index()]));
            require(cell.range == image.range && cell.kind == image.kind && values.keeps(cell.range))?;
            if cell.kind != CellKind::State && values.get(cell.initial) != image.initial {
                return Err(Conflict::new(Why::Constant(id)));
            }
        }
        Ok(())
    }

    /// Channels are mapped to channels of their kind.
    fn channels(&self) -> Outcome {
        let images = self.images(&self.channels, self.model.channels.len());
        require(self.model.channels.iter().zip(&images).all(|(channel, &image)| {
            let image = &self.model.channels[ChannelId::from_index(image)];
            (channel.kind, channel.urgent, channel.priority) == (image.kind, image.urgent, image.priority)
        }))
    }

    /// Synchronisation vectors are mapped to vectors with the same order of updates, or to ones whose order does not matter.
    fn vectors(&self) -> Outcome {
        let mut known: HashMap<Vec<Part>, Vec<Vec<Part>>> = HashMap::new();
        for vector in &self.model.vectors {
            let parts = parts(vector, |process| process, |event| event);
            known.entry(sorted(&parts)).or_default().push(parts);
        }
        for vector in &self.model.vectors {
            let image = |table: &Bijection, index: usize| table.image(index).unwrap_or(index);
            let parts = parts(vector, |it| image(&self.processes, it), |it| image(&self.events, it));
            let orders = known.get_mut(&sorted(&parts)).ok_or(Conflict::new(Why::Different))?;
            let commute = order::participants_commute(self.effects, vector);
            let found = orders.iter().position(|order| *order == parts || commute);
            orders.swap_remove(found.ok_or(Conflict::new(Why::UpdateOrder))?);
        }
        Ok(())
    }

    fn images(&self, bijection: &Bijection, len: usize) -> Vec<usize> {
        (0..len).map(|index| bijection.image(index).unwrap_or(index)).collect()
    }

    fn automorphism(&self, processes: Vec<usize>) -> Automorphism {
        let values = |sort| Some(self.sorts.values(sort)).filter(|values| !values.is_identity());
        let cells = self.model.cells.len();
        Automorphism {
            edges: self
                .edges
                .iter()
                .map(|edges| {
                    let image = |(edge, sorts): &(u32, Vec<Sort>)| {
                        (*edge, sorts.iter().map(|&sort| self.sorts.values(sort)).collect())
                    };
                    edges.iter().map(image).collect()
                })
                .collect(),
            processes,
            values: (0..cells).map(|cell| values(Sort::Of(self.cell_sorts[cell]))).collect(),
            cells: self.images(&self.cells, cells),
            clocks: self.images(&self.clocks, self.model.clocks.len()),
        }
    }
}

/// A participant of a vector: process, event, and whether it is weak.
type Part = (usize, usize, bool);

/// The participants of a vector, mapped.
fn parts(vector: &SyncVector, process: impl Fn(usize) -> usize, event: impl Fn(usize) -> usize) -> Vec<Part> {
    let parts = vector.participants.iter();
    parts.map(|part| (process(part.process.index()), event(part.event.index()), part.weak)).collect()
}

fn sorted(parts: &[Part]) -> Vec<Part> {
    let mut parts = parts.to_vec();
    parts.sort_unstable();
    parts
}
