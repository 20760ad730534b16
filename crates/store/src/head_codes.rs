//! The codes of the states of long lists, for look-ups that would walk them.
//!
//! The code of a state is at the end of the list of its nodes. A look-up that meets the first node of a list compares the code, so it
//! walks the list; a model with few discrete states and many zones spends a fifth of its time there. This is a small table from
//! first nodes to codes. It is a cache: an entry may be missing, since another one replaced it, but is never wrong, since a
//! list that gets another first node writes its place.
//!
//! It takes 12 bytes for each 32 nodes, if any list is long, and nothing otherwise.

use crate::discrete::StateCode;

/// A list of at least so many nodes is long.
const LONG: u32 = 4;
/// One place for so many nodes.
const NODES: usize = 32;
/// No node.
const NONE: u32 = u32::MAX;

/// The first nodes of long lists, with the codes of their states.
#[derive(Debug, Default)]
pub(crate) struct HeadCodes {
    /// A power of two of them, or none.
    heads: Vec<u32>,
    codes: Vec<StateCode>,
}

impl HeadCodes {
    /// The code of the state of a list, by its first node, and the least length of a long list.
    #[inline]
    pub(crate) fn get(&self, head: u32) -> Option<(StateCode, u32)> {
        let place = self.place(head);
        (self.heads.get(place) == Some(&head)).then(|| (self.codes[place], LONG))
    }

    /// Notes that a node is now the first one of a list of so many nodes, one of `nodes` in all.
    #[inline]
    pub(crate) fn set(&mut self, head: u32, list: Option<(StateCode, u32)>, nodes: usize) {
        match list {
            Some((code, len)) if len >= LONG => self.note(head, code, nodes),
            _ => {
                let place = self.place(head);
                if self.heads.get(place) == Some(&head) {
                    self.heads[place] = NONE;
                }
            }
        }
    }

    fn note(&mut self, head: u32, code: StateCode, nodes: usize) {
        if self.heads.len() * 2 * NODES <= nodes || self.heads.is_empty() {
            let places = (nodes / NODES).next_power_of_two();
            self.heads = vec![NONE; places];
            self.codes = vec![code; places];
        }
        let place = self.place(head);
        (self.heads[place], self.codes[place]) = (head, code);
    }

    /// The place of a node: positions are consecutive numbers.
    #[inline]
    fn place(&self, head: u32) -> usize {
        let mixed = head.wrapping_mul(0x9e37_79b1);
        ((u64::from(mixed) * self.heads.len() as u64) >> 32) as usize
    }

    /// The allocated bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.heads) + size_of_val(&*self.codes)
    }
}
