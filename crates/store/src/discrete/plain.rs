//! Every field in 32 bits: the form that knows nothing of ranges, and what the others are measured by.

use tourbillon_base::Id;

use super::table::Table;
use super::{Discrete, EntryId};

/// States as they come.
#[derive(Debug)]
pub(crate) struct Plain {
    fields: usize,
    entries: Table,
}

impl Plain {
    pub(crate) fn new(ranges: &[(i32, i32)]) -> Self {
        Self { fields: ranges.len(), entries: Table::with_heads(ranges.len()) }
    }
}

impl Discrete for Plain {
    fn intern(&mut self, fields: &[i32]) -> EntryId {
        assert_eq!(fields.len(), self.fields, "another number of fields");
        let number = self.entries.intern(|words| {
            for (word, field) in words.iter_mut().zip(fields) {
                *word = field.cast_unsigned();
            }
        });
        EntryId::from_index(number as usize)
    }

    fn load(&self, entry: EntryId, fields: &mut [i32]) {
        assert_eq!(fields.len(), self.fields, "another number of fields");
        for (field, word) in fields.iter_mut().zip(self.entries.key(entry.index() as u32)) {
            *field = word.cast_signed();
        }
    }

    fn entries(&self) -> &Table {
        &self.entries
    }

    fn entries_mut(&mut self) -> &mut Table {
        &mut self.entries
    }
}
