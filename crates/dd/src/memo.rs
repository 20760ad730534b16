//! The computed table of one operation.
//!
//! Nodes are shared, so a diagram has many more paths than nodes, and an operation that went down every path would take
//! time exponential in the size of what it works on. Each looks in here first. The table is emptied between operations
//! by counting up: an entry is there if it has the number of the current operation. No memory is asked for once it is
//! as large as the largest operation needed.

use crate::unique::mix;

/// The number of slots to begin with.
const FIRST: usize = 64;

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    value: u32,
    /// The operation that wrote it.
    stamp: u32,
}

/// Values by key, of the current operation.
#[derive(Debug)]
pub(crate) struct Memo {
    /// A power of two.
    slots: Vec<Slot>,
    len: usize,
    stamp: u32,
}

impl Memo {
    pub(crate) fn new() -> Self {
        Self { slots: vec![Slot::default(); FIRST], len: 0, stamp: 1 }
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
        if self.stamp == u32::MAX {
            self.slots.fill(Slot::default());
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<u32> {
        let slot = &self.slots[self.place(key)];
        (slot.stamp == self.stamp).then_some(slot.value)
    }

    /// Remembers a value; whether the key had none.
    #[inline]
    pub(crate) fn insert(&mut self, key: u64, value: u32) -> bool {
        let place = self.place(key);
        let is_new = self.slots[place].stamp != self.stamp;
        self.slots[place] = Slot { key, value, stamp: self.stamp };
        self.len += usize::from(is_new);
        if self.len > self.slots.len() / 2 {
            self.grow();
        }
        is_new
    }

    /// Where the key is, or would be.
    #[inline]
    fn place(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = mix(key) as usize & mask;
        while self.slots[at].stamp == self.stamp && self.slots[at].key != key {
            at = (at + 1) & mask;
        }
        at
    }

    #[cold]
    fn grow(&mut self) {
        let slots = vec![Slot::default(); 2 * self.slots.len()];
        let old = std::mem::replace(&mut self.slots, slots);
        for slot in old.into_iter().filter(|slot| slot.stamp == self.stamp) {
            let place = self.place(slot.key);
            self.slots[place] = slot;
        }
    }

    pub(crate) const fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use tourbillon_base::Random;

    use super::*;

    #[test]
    fn it_remembers_what_belongs_to_the_operation() {
        let mut random = Random::from_seed(1);
        let mut memo = Memo::new();
        for round in 0..50u32 {
            if round == 20 {
                memo.stamp = u32::MAX - 3;
            }
            memo.clear();
            let mut expected = HashMap::new();
            for _ in 0..random.below(500) {
                let (key, value) = (random.below(300) as u64 * 0x1_0000_0001, random.next_u64() as u32);
                assert_eq!(memo.get(key), expected.get(&key).copied(), "round {round}");
                assert_eq!(memo.insert(key, value), expected.insert(key, value).is_none(), "round {round}");
            }
            for (&key, &value) in &expected {
                assert_eq!(memo.get(key), Some(value), "round {round}");
            }
        }
    }
}
