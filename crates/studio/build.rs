//! Puts the page and the examples into the program.
//!
//! The page is whatever `studio/build` has left in `studio/dist`. Without Node there is none, and the program says then
//! how it is made. Cargo can watch only what exists, so an empty folder is made in its place: without it, everything
//! would be compiled again each time.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    let (page, examples) = (manifest.join("../../studio/dist"), manifest.join("../../examples"));
    // A tree that cannot be written is no reason not to build.
    let _ = fs::create_dir_all(&page);
    let mut text = String::new();
    table(&mut text, "PAGE", "The files of the page, by their paths.", &page)?;
    table(&mut text, "EXAMPLES", "The files of the examples.", &examples)?;
    fs::write(out.join("embedded.rs"), text)
}

/// Writes a table of the files in a folder, in the order of their names, so that the same files give the same program.
fn table(text: &mut String, name: &str, about: &str, folder: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    collect(folder, "", &mut files)?;
    files.sort();
    let _ = writeln!(text, "/// {about}\npub(crate) static {name}: &[(&str, &[u8])] = &[");
    for (path, full) in files {
        let _ = writeln!(text, "    ({path:?}, include_bytes!({:?})),", full.display().to_string());
    }
    text.push_str("];\n");
    Ok(())
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{path}/"), files)?;
        } else {
            files.push((path, entry.path().canonicalize()?));
        }
    }
    Ok(())
}
