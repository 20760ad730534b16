//! Every field in 32 bits: the form that knows nothing of ranges, and what the others are measured by.

use super::wide::Words;
use super::{Code, Discrete, Merging};

/// States as they come.
#[derive(Debug)]
pub(crate) struct Plain {
    fields: usize,
    words: Words,
}

impl Plain {
    pub(crate) fn new(ranges: &[(i32, i32)], merging: Merging) -> Self {
        Self { fields: ranges.len(), words: Words::new(32 * ranges.len(), merging) }
    }
}

impl Discrete for Plain {
    fn hold(&mut self, fields: &[i32]) -> u64 {
        assert_eq!(fields.len(), self.fields, "another number of fields");
        self.words.hold(|words| {
            for (word, field) in words.iter_mut().zip(fields) {
                *word = field.cast_unsigned();
            }
        })
    }

    fn is_held(&self, code: Code) -> bool {
        self.words.is_held(code)
    }

    fn save(&mut self) -> Code {
        self.words.save()
    }

    fn load(&self, code: Code, fields: &mut [i32]) {
        assert_eq!(fields.len(), self.fields, "another number of fields");
        let saved = self.words.get(code);
        for (index, field) in fields.iter_mut().enumerate() {
            *field = saved.word(index).cast_signed();
        }
    }

    fn hash(&self, code: Code) -> u64 {
        self.words.hash(code)
    }

    fn widths(&self) -> [u32; 2] {
        self.words.widths()
    }

    fn bytes(&self) -> usize {
        self.words.bytes()
    }

    fn index_bytes(&self) -> usize {
        self.words.index_bytes()
    }
}
