//! Typed indices, and vectors indexed by one type of index only.
//!
//! An edge number used to look up a location is a bug that no test finds early. Ids are newtypes over `u32`
//! (a model with four billion of anything does not fit in memory), made by [`define_id!`](crate::define_id),
//! and an [`IdVec`] is a vector whose index is such an id. Neither costs anything at run time.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A typed index: a newtype over `u32`, made by [`define_id!`](crate::define_id).
pub trait Id: Copy + Eq + Ord + fmt::Debug {
    /// The id with this position.
    ///
    /// # Panics
    /// If `index` does not fit in 32 bits.
    fn from_index(index: usize) -> Self;

    /// The position, to open a slice with.
    fn index(self) -> usize;
}

/// Defines a newtype over `u32` that implements [`Id`].
///
/// ```
/// tourbillon_base::define_id! {
///     /// A wheel of the movement.
///     pub struct WheelId;
/// }
/// use tourbillon_base::{Id, IdVec};
///
/// let mut teeth: IdVec<WheelId, u32> = IdVec::new();
/// let centre = teeth.push(80);
/// assert_eq!(teeth[centre], 80);
/// assert_eq!(centre.index(), 0);
/// ```
#[macro_export]
macro_rules! define_id {
    ($(#[$meta:meta])* $vis:vis struct $name:ident;) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        $vis struct $name(u32);

        impl $crate::Id for $name {
            #[inline]
            fn from_index(index: usize) -> Self {
                match u32::try_from(index) {
                    Ok(index) => Self(index),
                    Err(_) => panic!("{} {index} does not fit in 32 bits", stringify!($name)),
                }
            }

            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

/// A vector indexed by one kind of id.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    index: PhantomData<fn(I) -> I>,
}

impl<I: Id, T> IdVec<I, T> {
    #[must_use]
    pub const fn new() -> Self {
        Self { items: Vec::new(), index: PhantomData }
    }

    /// Appends an item and returns its id.
    pub fn push(&mut self, item: T) -> I {
        let id = I::from_index(self.items.len());
        self.items.push(item);
        id
    }

    /// Takes back the item that was appended last.
    pub fn pop(&mut self) -> Option<T> {
        self.items.pop()
    }

    /// Takes back all but the first `len` items.
    pub fn truncate(&mut self, len: usize) {
        self.items.truncate(len);
    }

    /// The item with this id, if there is one.
    #[must_use]
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// How many items there are; also the index that the next one will get.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The items in the order of their ids.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// The items in the order of their ids, to be changed.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// All ids, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }

    /// Ids and items together, in order.
    pub fn enumerate(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(index, item)| (I::from_index(index), item))
    }
}

impl<I: Id, T> Default for IdVec<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T: fmt::Debug> fmt::Debug for IdVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.enumerate()).finish()
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(items: It) -> Self {
        Self { items: items.into_iter().collect(), index: PhantomData }
    }
}

impl<'a, I: Id, T> IntoIterator for &'a IdVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::define_id! {
        struct Wheel;
    }

    #[test]
    fn ids_number_items_in_order() {
        let teeth: IdVec<Wheel, u32> = [80, 64, 60].into_iter().collect();
        let pairs: Vec<_> = teeth.enumerate().map(|(id, &t)| (id.index(), t)).collect();
        assert_eq!(pairs, [(0, 80), (1, 64), (2, 60)]);
        assert_eq!(teeth.ids().map(|id| teeth[id]).sum::<u32>(), 204);
        assert_eq!(teeth.get(Wheel::from_index(3)), None);
    }

    #[test]
    #[should_panic(expected = "Wheel 4294967296 does not fit in 32 bits")]
    fn an_id_past_32_bits_is_refused() {
        let _ = Wheel::from_index(1 << 32);
    }
}
