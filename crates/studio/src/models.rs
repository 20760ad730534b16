//! Models that were sent, by their hash, for a while.
//!
//! The page sends the model whenever it changes. What it means is worked out once and kept, for runs, simulations and
//! whoever asks again. There is a bound on how many are kept and on the length of their texts together; the one that was not used
//! for longest goes first. Runs and simulations hold on to theirs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest as _, Sha256};
use tourbillon::{Loaded, Sheet};

use crate::answer::Refusal;
use crate::api::Examined;
use crate::convert;
use crate::guard::hex;

/// How many are kept at most.
const MODELS_MAX: usize = 64;

/// How long their texts may be together. What a text means takes some twenty times as much.
const BYTES_MAX: usize = 32 << 20;

/// A model that is kept.
#[derive(Debug)]
pub(crate) struct Kept {
    /// As it was sent.
    pub(crate) sheet: Sheet,
    /// What it means.
    pub(crate) loaded: Loaded,
    /// What there is to say of it.
    pub(crate) examined: Examined,
    bytes: usize,
}

/// The models that are kept, those used last at the end.
#[derive(Default, Debug)]
pub(crate) struct Models(Mutex<Vec<Arc<Kept>>>);

impl Models {
    /// The model with this hash.
    pub(crate) fn get(&self, hash: &str) -> Result<Arc<Kept>, Refusal> {
        let mut all = self.all();
        let place =
            all.iter().position(|kept| kept.examined.hash == hash).ok_or_else(Refusal::unknown_model)?;
        let kept = all.remove(place);
        all.push(Arc::clone(&kept));
        Ok(kept)
    }

    /// Works out what a model means, unless that is known, and keeps it.
    pub(crate) fn examine(&self, sheet: Sheet) -> Arc<Kept> {
        let text = sheet.text();
        let hash = hash(&sheet, &text);
        if let Ok(kept) = self.get(&hash) {
            return kept;
        }
        let loaded = sheet.load();
        let examined = convert::examined(hash, &sheet, &loaded);
        let kept = Arc::new(Kept { sheet, loaded, examined, bytes: text.len() });
        self.keep(Arc::clone(&kept));
        kept
    }

    fn keep(&self, kept: Arc<Kept>) {
        let mut all = self.all();
        all.retain(|other| other.examined.hash != kept.examined.hash);
        all.push(kept);
        let mut bytes: usize = all.iter().map(|kept| kept.bytes).sum();
        let superfluous = all.iter().take(all.len() - 1).enumerate().take_while(|(index, kept)| {
            let too_many = all.len() - index > MODELS_MAX || bytes > BYTES_MAX;
            bytes -= kept.bytes;
            too_many
        });
        let superfluous = superfluous.count();
        all.drain(..superfluous);
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        self.all().len() as u32
    }

    fn all(&self) -> MutexGuard<'_, Vec<Arc<Kept>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a model is known by: the same for the same name, text and queries, here and elsewhere.
fn hash(sheet: &Sheet, text: &str) -> String {
    let mut hash = Sha256::new();
    for part in [sheet.name.as_str(), text] {
        hash.update(part);
        hash.update([0]);
    }
    // Those of a drawing are part of its text, but what is not well formed in them is not.
    hash.update(serde_json::to_vec(&sheet.queries).unwrap_or_default());
    hex(&hash.finalize()[..16])
}
