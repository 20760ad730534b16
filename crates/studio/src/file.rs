//! The file that the server was started with, the only one that it reads and writes.
//!
//! Its path is made absolute at the start, with symbolic links followed once, and never comes from a request. Writing
//! makes a new file beside it and puts that in its place, so that whoever reads it sees the old one or the new one, and a
//! full disk costs nothing. A link to the file stays a link; what has become a link since the start is left alone.
//!
//! A server that is killed while it writes leaves the new file behind, beside the old one. The next server for the same file
//! removes it. The one who writes holds a lock on the new file, so that what another server is writing now is left alone.
//!
//! A stamp detects changes made elsewhere, which is a hash of its bytes: times can be equal by chance.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::mem::discriminant;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use sha2::{Digest as _, Sha256};
use tourbillon::{Body, Sheet};

use crate::answer::Refusal;
use crate::api::{OpenFile, Save, Saved};
use crate::guard::hex;

/// How many random bytes are in the name of a new file.
const RANDOM_BYTES: usize = 8;

#[derive(Debug)]
pub(crate) struct FileOrigin {
    path: PathBuf,
    name: String,
    key: String,
    bytes_max: u64,
    /// One writes at a time: between looking whether it was changed and writing it nobody else of ours may come.
    writing: Mutex<()>,
}

impl FileOrigin {
    /// The file at a path.
    ///
    /// # Errors
    /// If there is none that can be read, or it is too large.
    pub(crate) fn new(path: &Path, bytes_max: u64) -> io::Result<Self> {
        let path = path.canonicalize()?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let key = hex(&Sha256::digest(path.as_os_str().as_encoded_bytes())[..8]);
        let origin = Self { path, name, key, bytes_max, writing: Mutex::new(()) };
        origin.read().map_err(|refusal| io::Error::other(refusal.message().to_owned()))?;
        origin.remove_leftovers();
        Ok(origin)
    }

    /// Removes what servers that were killed have left behind. What cannot be removed does no harm.
    fn remove_leftovers(&self) {
        let Some(folder) = self.path.parent() else { return };
        let Ok(entries) = fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            let is_ours = entry.file_name().to_str().is_some_and(|name| self.is_beside(name));
            if !is_ours || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
                continue;
            }
            if File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Whether a name is one that [`FileOrigin::beside`] makes.
    fn is_beside(&self, name: &str) -> bool {
        let random = name.strip_prefix('.').and_then(|rest| rest.strip_suffix(&self.name));
        random.and_then(|random| random.strip_suffix('.')).is_some_and(|random| {
            random.len() == 2 * RANDOM_BYTES
                && random.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
        })
    }

    /// What is told of it.
    pub(crate) fn about(&self) -> OpenFile {
        OpenFile { name: self.name.clone(), key: self.key.clone(), writable: self.is_writable() }
    }

    /// Its name, without its folder.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What is in it.
    pub(crate) fn read(&self) -> Result<Vec<u8>, Refusal> {
        let unreadable =
            |error: io::Error| Refusal::impossible(format!("{} cannot be read: {error}", self.name));
        if !fs::symlink_metadata(&self.path).map_err(unreadable)?.is_file() {
            return Err(Refusal::impossible(format!("{} is not a file", self.name)));
        }
        let mut bytes = Vec::new();
        let file = File::open(&self.path).map_err(unreadable)?;
        file.take(self.bytes_max.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > self.bytes_max {
            return Err(Refusal::too_large(&self.name, self.bytes_max));
        }
        Ok(bytes)
    }

    /// Writes a model to it, unless that is what it says already or it was changed elsewhere.
    pub(crate) fn save(&self, Save { sheet, stamp: known }: &Save) -> Result<Saved, Refusal> {
        let _alone = self.writing.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let old = self.read()?;
        if !known.is_empty() && *known != stamp(&old) {
            let message = format!("{} was changed by somebody else since it was read", self.name);
            return Err(Refusal::changed(message));
        }
        let (same, _) = Sheet::open(&self.name, &old);
        self.check_language(&same, sheet)?;
        // Queries of a model that is written as text are no part of its file.
        let (is_text, same_queries) =
            (matches!(sheet.body, Body::Text { .. }), same.queries == sheet.queries);
        let queries_kept = !is_text || same_queries;
        if same.body == sheet.body && (is_text || same_queries) {
            return Ok(Saved { stamp: stamp(&old), queries_kept });
        }
        let new = with_line_ends_of(&old, sheet.text()).into_bytes();
        if new.len() as u64 > self.bytes_max {
            return Err(Refusal::too_large("the model", self.bytes_max));
        }
        let failed =
            |error: io::Error| Refusal::impossible(format!("{} cannot be written: {error}", self.name));
        self.replace(&new).map_err(failed)?;
        Ok(Saved { stamp: stamp(&new), queries_kept })
    }

    /// The file keeps its language, which its name and what is in it tell.
    fn check_language(&self, old: &Sheet, new: &Sheet) -> Result<(), Refusal> {
        let extension = |name: &str| name.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase());
        if discriminant(&old.body) == discriminant(&new.body) && extension(&old.name) == extension(&new.name)
        {
            return Ok(());
        }
        Err(Refusal::impossible(format!(
            "{} is written in another language: download the model instead",
            self.name
        )))
    }

    fn is_writable(&self) -> bool {
        OpenOptions::new().write(true).open(&self.path).is_ok()
    }

    /// Puts a new file in the place of the old one.
    fn replace(&self, bytes: &[u8]) -> io::Result<()> {
        if !self.is_writable() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let beside = self.beside()?;
        // The lock ends with the file, when it has its name.
        let written = self.write_to(&beside, bytes).and_then(|_locked| fs::rename(&beside, &self.path));
        if written.is_err() {
            let _ = fs::remove_file(&beside);
        }
        written
    }

    /// An unused name beside it.
    fn beside(&self) -> io::Result<PathBuf> {
        let mut random = [0u8; RANDOM_BYTES];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        Ok(self.path.with_file_name(format!(".{}.{}", hex(&random), self.name)))
    }

    fn write_to(&self, path: &Path, bytes: &[u8]) -> io::Result<File> {
        // Never a file, or a link, that is there already.
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        // Not every file system has locks; without one, others leave the file alone.
        let _ = file.try_lock();
        let old = fs::metadata(&self.path)?;
        file.set_permissions(old.permissions())?;
        file.write_all(bytes)?;
        file.sync_all()?;
        Ok(file)
    }
}

/// A text with the line ends that the file had so far.
fn with_line_ends_of(old: &[u8], text: String) -> String {
    let has_returns = old.windows(2).any(|pair| pair == b"\r\n");
    if has_returns && !text.contains('\r') { text.replace('\n', "\r\n") } else { text }
}

/// What tells a file from another that was in its place.
pub(crate) fn stamp(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes)[..16])
}
