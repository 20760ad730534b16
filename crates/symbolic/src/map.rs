//! The clock zone map: zones, each with the discrete states that it was reached with.
//!
//! Zones are expanded in the order of their first appearance, each with all states that were added since its last
//! expansion: new zones wait while the states of old ones grow, and a step covers many states at once (section 3.4 of
//! `[EhlersGerkePeter2010]`).
//!
//! **Subsumption.** A state is new with a zone unless it was reached with that zone before. With inclusion, it is also
//! not new if it was reached with a zone that includes this one, and with a_LU, with one that simulates it; and waiting
//! states are dropped if they are reached with a larger zone. Only zones with states of the same class are compared:
//! others have none of these states. Reached pairs stay in the map even if they are covered later: a run to a goal is a
//! path of such pairs.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use tourbillon_base::{Id, IdVec};
use tourbillon_check::Cover;
use tourbillon_dbm::{ClockBounds, Dbm, Federation};
use tourbillon_dd::{Bdd, Bdds};

use crate::classes::ClassId;
use crate::interruption::Interruptible;

/// A zone, and the states that it was reached with.
#[derive(Debug)]
pub(crate) struct MapEntry {
    pub(crate) zone: Dbm,
    pub(crate) reached: Bdd,
    waiting: Bdd,
    is_queued: bool,
    classes: Vec<ClassId>,
}

/// Zones, each with a set of states.
#[derive(Debug)]
pub(crate) struct ClockZoneMap {
    cover: Cover,
    entries: Vec<MapEntry>,
    index: HashMap<Dbm, u32>,
    /// The zones with states of each class.
    by_class: IdVec<ClassId, Vec<u32>>,
    /// The waiting zones, by first appearance.
    queue: BinaryHeap<Reverse<u32>>,
    /// The number of offered sets, and of those without new states.
    pub(crate) offered: u64,
    pub(crate) covered: u64,
}

impl ClockZoneMap {
    pub(crate) fn new(cover: Cover) -> Self {
        Self {
            cover,
            entries: Vec::new(),
            index: HashMap::new(),
            by_class: IdVec::new(),
            queue: BinaryHeap::new(),
            offered: 0,
            covered: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn waiting(&self) -> usize {
        self.queue.len()
    }

    pub(crate) fn entry(&self, id: u32) -> &MapEntry {
        &self.entries[id as usize]
    }

    pub(crate) fn entries(&self) -> &[MapEntry] {
        &self.entries
    }

    /// The index of a zone, if it is in the map.
    pub(crate) fn find(&self, zone: &Dbm) -> Option<u32> {
        self.index.get(zone).copied()
    }

    /// The approximate size in bytes, without the sets of states.
    pub(crate) fn bytes(&self) -> usize {
        let zone = self.entries.first().map_or(0, |entry| entry.zone.rows().map(size_of_val).sum::<usize>());
        self.entries.len() * (2 * zone + 2 * size_of::<MapEntry>() + 32)
    }

    /// Removes the next waiting zone, with its waiting states.
    pub(crate) fn draw(&mut self, bdds: &Bdds) -> Option<(u32, Bdd)> {
        while let Some(Reverse(id)) = self.queue.pop() {
            let entry = &mut self.entries[id as usize];
            entry.is_queued = false;
            let states = std::mem::replace(&mut entry.waiting, bdds.no());
            if !states.is_no() {
                return Some((id, states));
            }
        }
        None
    }

    /// Adds states to the waiting ones again that were removed and not expanded.
    pub(crate) fn put_back(&mut self, id: u32, states: &Bdd) -> Interruptible {
        let entry = &mut self.entries[id as usize];
        entry.waiting = entry.waiting.or(states)?;
        if !entry.is_queued {
            entry.is_queued = true;
            self.queue.push(Reverse(id));
        }
        Ok(())
    }

    /// Removes the next waiting zone. If another zone was reached with the same states and the union of both is a zone,
    /// that union replaces them, with all their waiting states.
    pub(crate) fn draw_merged(&mut self, bdds: &Bdds) -> Interruptible<Option<(u32, Bdd)>> {
        while let Some((id, states)) = self.draw(bdds) {
            let Some((other, hull)) = self.partner(id) else { return Ok(Some((id, states))) };
            let waiting = std::mem::replace(&mut self.entries[other as usize].waiting, bdds.no());
            let (reached, classes) = (self.entry(id).reached.clone(), self.entry(id).classes.clone());
            let joint = match self.find(&hull) {
                Some(joint) => joint,
                None => self.add(bdds, hull),
            };
            let entry = &mut self.entries[joint as usize];
            entry.reached = entry.reached.or(&reached)?;
            for class in classes {
                if !entry.classes.contains(&class) {
                    entry.classes.push(class);
                    self.by_class[class].push(joint);
                }
            }
            self.put_back(joint, &waiting.or(&states)?)?;
        }
        Ok(None)
    }

    /// Another zone with the same states whose union with this one is a zone and equals neither; and that union.
    fn partner(&self, id: u32) -> Option<(u32, Dbm)> {
        let entry = self.entry(id);
        let class = *entry.classes.first()?;
        self.by_class[class].iter().filter(|&&other| other != id).find_map(|&other| {
            let it = self.entry(other);
            if it.reached != entry.reached {
                return None;
            }
            let mut hull = entry.zone.clone();
            hull.hull(&it.zone);
            if hull == entry.zone || hull == it.zone {
                return None;
            }
            let mut both = Federation::from(entry.zone.clone());
            both.add(it.zone.clone());
            both.includes_zone(&hull).then_some((other, hull))
        })
    }

    /// Adds states of a class that were reached with a zone. Returns the zone and the new states, if any.
    pub(crate) fn offer(
        &mut self,
        bdds: &Bdds,
        (class, bounds): (ClassId, &ClockBounds),
        zone: Dbm,
        states: &Bdd,
    ) -> Interruptible<Option<(u32, Bdd)>> {
        self.offered += 1;
        while self.by_class.len() <= class.index() {
            self.by_class.push(Vec::new());
        }
        let id = self.find(&zone);
        let mut new = match id {
            Some(id) => states.but(&self.entry(id).reached)?,
            None => states.clone(),
        };
        if self.cover != Cover::Equality {
            new = self.uncovered(id, class, bounds, &zone, new)?;
        }
        if new.is_no() {
            self.covered += 1;
            return Ok(None);
        }
        let id = match id {
            Some(id) => id,
            None => self.add(bdds, zone),
        };
        let entry = &mut self.entries[id as usize];
        entry.reached = entry.reached.or(&new)?;
        entry.waiting = entry.waiting.or(&new)?;
        if !entry.is_queued {
            entry.is_queued = true;
            self.queue.push(Reverse(id));
        }
        if !entry.classes.contains(&class) {
            entry.classes.push(class);
            self.by_class[class].push(id);
        }
        if self.cover != Cover::Equality {
            self.drop_covered_waiting(id, class, bounds, &new)?;
        }
        Ok(Some((id, new)))
    }

    fn add(&mut self, bdds: &Bdds, zone: Dbm) -> u32 {
        let id = self.entries.len() as u32;
        self.index.insert(zone.clone(), id);
        let (reached, waiting) = (bdds.no(), bdds.no());
        self.entries.push(MapEntry { zone, reached, waiting, is_queued: false, classes: Vec::new() });
        id
    }

    /// Whether states with the second zone cover the same states with the first.
    fn covers(&self, zone: &Dbm, larger: &Dbm, bounds: &ClockBounds) -> bool {
        match self.cover {
            Cover::Equality => zone == larger,
            Cover::Inclusion | Cover::Adaptive => larger.includes(zone),
            Cover::Alu => zone.is_simulated_lu(larger, bounds),
        }
    }

    /// The states that no other zone covers.
    fn uncovered(
        &self,
        id: Option<u32>,
        class: ClassId,
        bounds: &ClockBounds,
        zone: &Dbm,
        mut new: Bdd,
    ) -> Interruptible<Bdd> {
        for &other in self.by_class[class].iter().filter(|&&other| Some(other) != id) {
            if new.is_no() {
                break;
            }
            let entry = self.entry(other);
            if self.covers(zone, &entry.zone, bounds) {
                new = new.but(&entry.reached)?;
            }
        }
        Ok(new)
    }

    /// Drops waiting states that are now reached with a larger zone.
    fn drop_covered_waiting(
        &mut self,
        id: u32,
        class: ClassId,
        bounds: &ClockBounds,
        new: &Bdd,
    ) -> Interruptible {
        for index in 0..self.by_class[class].len() {
            let other = self.by_class[class][index];
            let entry = self.entry(other);
            if other != id
                && entry.is_queued
                && !entry.waiting.is_no()
                && self.covers(&entry.zone, &self.entry(id).zone, bounds)
            {
                self.entries[other as usize].waiting = entry.waiting.but(new)?;
            }
        }
        Ok(())
    }
}
