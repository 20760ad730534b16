//! Breadth first: a queue, as a ring of chunks.
//!
//! An emptied chunk becomes the next one to be filled, so a queue of steady length never allocates.

use std::collections::VecDeque;

use crate::interface::NodeId;

/// The number of nodes of a chunk.
const CHUNK: usize = 1 << 12;

/// First in, first out.
#[derive(Debug)]
pub(crate) struct Queue {
    /// All full except the last. The first one has been read up to `read`.
    chunks: VecDeque<Vec<NodeId>>,
    read: usize,
    /// An empty chunk.
    spare: Vec<NodeId>,
}

impl Queue {
    pub(super) const fn new() -> Self {
        Self { chunks: VecDeque::new(), read: 0, spare: Vec::new() }
    }

    #[inline]
    pub(super) fn push(&mut self, node: NodeId) {
        if self.chunks.back().is_none_or(|last| last.len() == CHUNK) {
            self.add_chunk();
        }
        if let Some(last) = self.chunks.back_mut() {
            last.push(node);
        }
    }

    /// The first chunk grows as it is filled, so that a short queue is small.
    fn add_chunk(&mut self) {
        let mut chunk = std::mem::take(&mut self.spare);
        if !self.chunks.is_empty() {
            chunk.reserve_exact(CHUNK);
        }
        self.chunks.push_back(chunk);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<NodeId> {
        let first = self.chunks.front()?;
        let node = *first.get(self.read)?;
        self.read += 1;
        if self.read == first.len() {
            self.drop_first();
        }
        Some(node)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.chunks.front().is_none_or(|first| self.read == first.len())
    }

    fn drop_first(&mut self) {
        self.read = 0;
        if let Some(mut chunk) = self.chunks.pop_front() {
            chunk.clear();
            self.spare = chunk;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let nodes: usize = self.chunks.iter().chain([&self.spare]).map(Vec::capacity).sum();
        nodes * size_of::<NodeId>() + self.chunks.capacity() * size_of::<Vec<NodeId>>()
    }
}
