//! The clock zone map: zones, each with the discrete states that it was reached with.
//!
//! A zone is drawn by when it first appeared, with all states that have come to it since it was drawn last: so new zones
//! wait while the states of old ones grow, and a step is taken for many states at once (section 3.4 of
//! `[EhlersGerkePeter2010]`).
//!
//! **Cover.** A state that comes with a zone is new unless it was reached with that zone before. By inclusion, it is also
//! not new if it was reached with a zone that includes it, and by a_LU, with one that simulates it; and states that wait
//! with a zone need not if they are reached with a larger one. Only zones that have states of the same class are compared:
//! others have none of these states. What was reached once stays in the map, whatever covers it later: a run to a goal is
//! a path of such pairs.

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
    /// The zones that have states of each class.
    by_class: IdVec<ClassId, Vec<u32>>,
    /// By first appearance.
    queue: BinaryHeap<Reverse<u32>>,
    /// How many sets of states came, and how many of these brought nothing new.
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

    /// Which zone this is, if it is here.
    pub(crate) fn find(&self, zone: &Dbm) -> Option<u32> {
        self.index.get(zone).copied()
    }

    /// About how many bytes it takes, sets of states aside.
    pub(crate) fn bytes(&self) -> usize {
        let zone = self.entries.first().map_or(0, |entry| entry.zone.rows().map(size_of_val).sum::<usize>());
        self.entries.len() * (2 * zone + 2 * size_of::<MapEntry>() + 32)
    }

    /// The zone that is drawn next, with the states that have come to it.
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

    /// Has states wait once more that were drawn and not dealt with.
    pub(crate) fn put_back(&mut self, id: u32, states: &Bdd) -> Interruptible {
        let entry = &mut self.entries[id as usize];
        entry.waiting = entry.waiting.or(states)?;
        if !entry.is_queued {
            entry.is_queued = true;
            self.queue.push(Reverse(id));
        }
        Ok(())
    }

    /// The zone that is drawn next; if there is another one that was reached with the same states, and both together are a
    /// zone, that one is there from now on, and whatever waits with either waits with it.
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

    /// Another zone that was reached with the same states and is one zone together with this one, which neither is alone;
    /// and that zone.
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

    /// Adds states of a class that were reached with a zone. Returns the zone and those that are new, if any are.
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
            self.relieve(id, class, bounds, &new)?;
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

    /// Whether what is reached with the second zone covers what is reached with the first.
    fn covers(&self, zone: &Dbm, larger: &Dbm, bounds: &ClockBounds) -> bool {
        match self.cover {
            Cover::Equality => zone == larger,
            Cover::Inclusion => larger.includes(zone),
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

    /// Takes off the waiting list what is reached with a larger zone now.
    fn relieve(&mut self, id: u32, class: ClassId, bounds: &ClockBounds, new: &Bdd) -> Interruptible {
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
