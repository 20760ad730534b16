//! A cache of models by their hash.
//!
//! The page sends the model whenever it changes. What it means is worked out once and kept, for runs, simulations and
//! whoever asks again. There is a bound on how many are kept and on the memory that they take together; the one that was not used
//! for longest goes first. Runs and simulations hold on to theirs.
//!
//! How much memory a model takes is estimated from what it means, not from its text alone: a short text can declare a
//! million cells. The one that was sent last is kept however large it is, since it is about to be asked for.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest as _, Sha256};
use tourbillon::{Loaded, Sheet};

use crate::answer::Refusal;
use crate::api::{Examined, ServerLimits};
use crate::examine;
use crate::guard::hex;

/// A model that is kept.
#[derive(Debug)]
pub(crate) struct StoredModel {
    /// As it was sent.
    pub(crate) sheet: Sheet,
    pub(crate) loaded: Loaded,
    /// What there is to say of it.
    pub(crate) examined: Examined,
    bytes: usize,
}

/// The models that are kept, those used last at the end.
#[derive(Debug)]
pub(crate) struct Models {
    max: usize,
    bytes_max: usize,
    names_max: usize,
    all: Mutex<Vec<Arc<StoredModel>>>,
}

impl Models {
    pub(crate) fn new(limits: &ServerLimits) -> Self {
        Self {
            max: (limits.models as usize).max(1),
            bytes_max: usize::try_from(limits.model_bytes).unwrap_or(usize::MAX),
            names_max: limits.names as usize,
            all: Mutex::default(),
        }
    }

    /// The model with this hash.
    pub(crate) fn get(&self, hash: &str) -> Result<Arc<StoredModel>, Refusal> {
        let mut all = self.all();
        let place =
            all.iter().position(|kept| kept.examined.hash == hash).ok_or_else(Refusal::unknown_model)?;
        let kept = all.remove(place);
        all.push(Arc::clone(&kept));
        Ok(kept)
    }

    /// Works out what a model means, unless that is known, and keeps it. Nothing if it was stopped.
    pub(crate) fn examine(&self, sheet: Sheet, stop: &AtomicBool) -> Option<Arc<StoredModel>> {
        let text = sheet.text();
        let hash = hash(&sheet, &text);
        if let Ok(kept) = self.get(&hash) {
            return Some(kept);
        }
        let loaded = sheet.load();
        let examined = examine::examined(hash, &sheet, &loaded, self.names_max, stop)?;
        let bytes = weight(&text, &loaded);
        let kept = Arc::new(StoredModel { sheet, loaded, examined, bytes });
        self.keep(Arc::clone(&kept));
        Some(kept)
    }

    fn keep(&self, kept: Arc<StoredModel>) {
        let mut all = self.all();
        all.retain(|other| other.examined.hash != kept.examined.hash);
        all.push(kept);
        let mut bytes: usize = all.iter().map(|kept| kept.bytes).sum();
        let surplus = all.iter().take(all.len() - 1).enumerate().take_while(|(index, kept)| {
            let too_many = all.len() - index > self.max || bytes > self.bytes_max;
            bytes -= kept.bytes;
            too_many
        });
        let surplus = surplus.count();
        all.drain(..surplus);
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        self.all().len() as u32
    }

    fn all(&self) -> MutexGuard<'_, Vec<Arc<StoredModel>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Roughly how much memory a model takes: its text with trees and tables, and what it means with all names.
fn weight(text: &str, loaded: &Loaded) -> usize {
    let of_model = loaded.model.as_ref().map_or(0, |model| {
        let processes = model.processes.iter();
        let parts: usize = processes.map(|process| process.locations.len() + 2 * process.edges.len()).sum();
        100 * (model.cells.len() + model.variables.len() + model.clocks.len() + model.exprs.len())
            + 300 * (parts + model.channels.len() + model.vectors.len() + model.functions.len())
    });
    20 * text.len() + of_model
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::Settings;
    use tourbillon::Body;

    fn declaring(cells: usize, name: &str) -> Sheet {
        let text = format!("int a[{cells}]; process P() {{ state A; init A; }} system P;");
        Sheet { name: name.to_owned(), body: Body::Text { text }, queries: Vec::new() }
    }

    #[test]
    fn a_short_text_with_many_cells_weighs_what_it_means() {
        let limits = ServerLimits { model_bytes: 4 << 20, names: 100, ..Settings::default().limits };
        let models = Models::new(&limits);
        let examine = |sheet| models.examine(sheet, &AtomicBool::new(false)).expect("nothing stops it");
        for name in ["a.xta", "b.xta", "c.xta"] {
            examine(declaring(10, name));
        }
        assert_eq!(models.count(), 3);
        let large = examine(declaring(20_000, "d.xta"));
        let network = large.examined.network.as_ref().expect("a model");
        assert_eq!((network.variables.len(), network.variables_left_out), (100, 19_900));
        let larger = examine(declaring(100_000, "e.xta"));
        assert_eq!(models.count(), 1, "the others make room");
        assert!(models.get(&larger.examined.hash).is_ok() && models.get(&large.examined.hash).is_err());
    }
}
