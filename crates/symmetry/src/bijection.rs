//! Partial bijections with a trail, so that a failed attempt can be undone.

/// A partial bijection between indices below a length.
#[derive(Clone, Debug)]
pub(crate) struct Bijection {
    images: Vec<Option<u32>>,
    preimages: Vec<Option<u32>>,
    /// The indices that have an image, in the order in which they received it.
    trail: Vec<u32>,
}

/// A moment to which a bijection can be reset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BijectionMark {
    len: usize,
    trail: usize,
}

impl Bijection {
    pub(crate) fn new(len: usize) -> Self {
        Self { images: vec![None; len], preimages: vec![None; len], trail: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.images.len()
    }

    /// Makes room for further indices.
    pub(crate) fn grow(&mut self, by: usize) {
        let len = self.len() + by;
        self.images.resize(len, None);
        self.preimages.resize(len, None);
    }

    pub(crate) fn mark(&self) -> BijectionMark {
        BijectionMark { len: self.len(), trail: self.trail.len() }
    }

    pub(crate) fn reset(&mut self, mark: BijectionMark) {
        for from in self.trail.drain(mark.trail..) {
            if let Some(to) = self.images[from as usize].take() {
                self.preimages[to as usize] = None;
            }
        }
        self.images.truncate(mark.len);
        self.preimages.truncate(mark.len);
    }

    /// Maps an index to another. Returns false if one of them is mapped otherwise.
    #[must_use]
    pub(crate) fn bind(&mut self, from: usize, to: usize) -> bool {
        match (self.images[from], self.preimages[to]) {
            (None, None) => {
                self.images[from] = Some(to as u32);
                self.preimages[to] = Some(from as u32);
                self.trail.push(from as u32);
                true
            }
            (Some(known), _) => known as usize == to,
            (None, Some(_)) => false,
        }
    }

    /// The number of indices that have an image.
    pub(crate) fn facts(&self) -> usize {
        self.trail.len()
    }

    pub(crate) fn image(&self, from: usize) -> Option<usize> {
        self.images[from].map(|to| to as usize)
    }

    pub(crate) fn has_preimage(&self, to: usize) -> bool {
        self.preimages[to].is_some()
    }

    /// Maps each of the first indices that has no image: to itself if it has no preimage either, else to the beginning of
    /// its chain.
    pub(crate) fn close(&mut self, len: usize) {
        for end in 0..len {
            if self.images[end].is_none() {
                let mut start = end;
                while let Some(before) = self.preimages[start] {
                    start = before as usize;
                }
                self.images[end] = Some(start as u32);
                self.preimages[start] = Some(end as u32);
                self.trail.push(end as u32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bijection_is_injective_and_can_be_undone() {
        let mut bijection = Bijection::new(4);
        assert!(bijection.bind(0, 1) && bijection.bind(0, 1));
        let mark = bijection.mark();
        assert!(!bijection.bind(0, 2) && !bijection.bind(2, 1));
        assert!(bijection.bind(1, 2));
        bijection.reset(mark);
        assert_eq!((bijection.image(0), bijection.image(1)), (Some(1), None));
        assert!(bijection.bind(1, 2));
        bijection.close(4);
        assert_eq!([0, 1, 2, 3].map(|from| bijection.image(from)), [Some(1), Some(2), Some(0), Some(3)]);
    }
}
