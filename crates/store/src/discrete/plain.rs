//! Every field in 32 bits: the form that knows nothing of ranges, and what the others are measured by.

use tourbillon_base::Id;

use super::table::Table;
use super::{Discrete, EntryId, NO_HEAD};

/// States as they come.
#[derive(Debug)]
pub(crate) struct Plain {
    fields: usize,
    table: Table,
    /// The state that is looked up, and after it the head of a new entry.
    record: Vec<u32>,
}

impl Plain {
    pub(crate) fn new(ranges: &[(i32, i32)]) -> Self {
        let fields = ranges.len();
        Self { fields, table: Table::new(fields, fields + 1), record: vec![NO_HEAD; fields + 1] }
    }
}

impl Discrete for Plain {
    fn intern(&mut self, fields: &[i32]) -> EntryId {
        assert_eq!(fields.len(), self.fields, "another number of fields");
        for (word, &field) in self.record.iter_mut().zip(fields) {
            *word = field.cast_unsigned();
        }
        EntryId::from_index(self.table.intern(&self.record) as usize)
    }

    fn load(&self, entry: EntryId, fields: &mut [i32]) {
        assert_eq!(fields.len(), self.fields, "another number of fields");
        for (field, word) in fields.iter_mut().zip(self.table.record(entry.index() as u32)) {
            *field = word.cast_signed();
        }
    }

    #[inline]
    fn head(&self, entry: EntryId) -> u32 {
        self.table.record(entry.index() as u32)[self.fields]
    }

    #[inline]
    fn set_head(&mut self, entry: EntryId, head: u32) {
        self.table.record_mut(entry.index() as u32)[self.fields] = head;
    }

    fn len(&self) -> usize {
        self.table.len()
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
    }

    fn table_bytes(&self) -> usize {
        self.table.table_bytes()
    }
}
