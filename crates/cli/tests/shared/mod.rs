//! Running the program that a test is about, `crate::PROGRAM`, and files for it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn output(arguments: &[&str]) -> Output {
    Command::new(crate::PROGRAM).args(arguments).output().expect("the program that was just built runs")
}

/// Standard output and standard error of a command that must end with this status.
pub(crate) fn ended(status: i32, arguments: &[&str]) -> (String, String) {
    let output = output(arguments);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(status), "{arguments:?}\n{out}{err}");
    (out, err)
}

/// Standard output of a command that must succeed.
pub(crate) fn done(arguments: &[&str]) -> String {
    ended(0, arguments).0
}

/// Standard error of a command that must say that the input is wrong.
pub(crate) fn refused(arguments: &[&str]) -> String {
    ended(2, arguments).1
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A file with this text, in a folder of its own for each test.
pub(crate) fn file(test: &str, name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file for the test");
    path
}

pub(crate) fn path(path: &Path) -> &str {
    path.to_str().expect("a path of plain letters")
}
