//! Every field in 32 bits, independent of ranges: the baseline for the other forms.

use super::encoded::{SavedState, StateEncoding};

/// States without compression.
#[derive(Debug)]
pub(crate) struct Plain {
    fields: usize,
}

impl Plain {
    pub(crate) const fn new(ranges: &[(i32, i32)]) -> Self {
        Self { fields: ranges.len() }
    }
}

impl StateEncoding for Plain {
    fn bits(&self) -> usize {
        32 * self.fields
    }

    fn write(&self, fields: &[i32], words: &mut [u32]) {
        assert_eq!(fields.len(), self.fields, "another number of fields");
        for (word, field) in words.iter_mut().zip(fields) {
            *word = field.cast_unsigned();
        }
    }

    fn read(&self, saved: SavedState<'_>, fields: &mut [i32]) {
        assert_eq!(fields.len(), self.fields, "another number of fields");
        for (index, field) in fields.iter_mut().enumerate() {
            *field = saved.word(index).cast_signed();
        }
    }
}
