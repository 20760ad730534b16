//! `tourbillon certify --muntac`: a certificate as the files of Muntac.

use std::fs;
use std::path::Path;

use tourbillon::{Loaded, MuntacError, muntac_export};

use crate::Failure;
use crate::render::{self, Format};

/// Writes the files of a certificate into a folder, which is made if there is none. Returns how Muntac is run on them.
pub(crate) fn export(loaded: &Loaded, bytes: &[u8], dir: &Path, format: Format) -> Result<String, Failure> {
    let files = muntac_export(loaded, bytes).map_err(|error| match error {
        MuntacError::Certificate(why) => Failure::Message(why),
        MuntacError::Model(diagnostics) => {
            render::tell(&diagnostics, loaded.sources(), format);
            Failure::Reported
        }
    })?;
    let failed = |error: std::io::Error| Failure::Message(format!("{}: {error}", dir.display()));
    fs::create_dir_all(dir).map_err(failed)?;
    let [model, certificate, renaming] =
        ["model.muntax", "certificate", "renaming.json"].map(|name| dir.join(name));
    fs::write(&model, &files.model).map_err(failed)?;
    fs::write(&certificate, &files.certificate).map_err(failed)?;
    fs::write(&renaming, &files.renaming).map_err(failed)?;
    let implementation = if files.is_buechi { 4 } else { 1 };
    let [model, certificate, renaming] = [&model, &certificate, &renaming].map(|path| path.display());
    Ok(format!("muntac -m {model} -c {certificate} -r {renaming} -i {implementation} -n 1\n"))
}
