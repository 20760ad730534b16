//! The folder of `check --cache`: for each query of a model a certificate, and the model that it is of.

use std::fs;
use std::path::{Path, PathBuf};

use tourbillon::{CachedCertificate, CertificateStore};

use crate::Failure;

/// A folder of certificates.
#[derive(Debug)]
pub(crate) struct CertificateFolder {
    path: PathBuf,
}

impl CertificateFolder {
    /// A folder, which is made if there is none.
    pub(crate) fn new(path: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(path).map_err(|error| Failure::Message(format!("{}: {error}", path.display())))?;
        Ok(Self { path: path.to_owned() })
    }

    fn files(&self, key: &str) -> [PathBuf; 2] {
        ["model", "tbc"].map(|extension| self.path.join(key).with_extension(extension))
    }
}

impl CertificateStore for CertificateFolder {
    fn get(&self, key: &str) -> Option<CachedCertificate> {
        let [model, certificate] = self.files(key).map(|path| fs::read(path).ok());
        Some(CachedCertificate { model: model?, certificate: certificate? })
    }

    /// Each file is complete when it gets its name. A certificate beside the model of another one has another hash, and so is none.
    fn put(&self, key: &str, entry: &CachedCertificate) {
        let [model, certificate] = self.files(key);
        for (path, bytes) in [(model, &entry.model), (certificate, &entry.certificate)] {
            let partial = path.with_extension(format!("partial{}", std::process::id()));
            let written = fs::write(&partial, bytes).and_then(|()| fs::rename(&partial, &path));
            if written.is_err() {
                let _ = fs::remove_file(&partial);
                return;
            }
        }
    }
}
