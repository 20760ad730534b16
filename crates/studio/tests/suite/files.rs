//! The file that the server was started with: read, saved, left alone.

use std::fs;
use std::path::{Path, PathBuf};

use tourbillon::{Body, Sheet, SheetQuery};
use tourbillon_studio::api::{About, Open, Opened, Save, Saved, ServerLimits};
use tourbillon_studio::{Server, Settings, StartError};

use crate::client::{Client, client, serve};

/// A folder of its own for a test, which is gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tourbillon-studio-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn with(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).expect("a file");
        path
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("a folder").flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn example(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)).expect("an example")
}

fn started(path: &Path) -> (Server, Client, Opened) {
    let server = serve(Settings { file: Some(path.to_owned()), ..Settings::default() });
    let client = client(&server);
    let opened: Opened = client.post("/api/v1/open", &Open::File).json();
    assert!(opened.is_file && !opened.stamp.is_empty());
    (server, client, opened)
}

fn saved(client: &Client, sheet: &Sheet, stamp: &str) -> Saved {
    client.send("PUT", "/api/v1/file", &Save { sheet: sheet.clone(), stamp: stamp.to_owned() }).json()
}

fn refused(client: &Client, sheet: &Sheet, stamp: &str) -> (u16, String) {
    let answer = client.send("PUT", "/api/v1/file", &Save { sheet: sheet.clone(), stamp: stamp.to_owned() });
    (answer.status, answer.problem().error)
}

/// The sheet with something changed.
fn changed(sheet: &Sheet) -> Sheet {
    let mut sheet = sheet.clone();
    match &mut sheet.body {
        Body::Drawn(drawing) => drawing.declarations += "\n// more\n",
        Body::Text { text } => *text += "\n// more\n",
    }
    sheet
}

#[test]
fn what_was_not_changed_is_left_as_it_is_byte_for_byte() {
    let folder = Folder::new("unchanged");
    let windows = String::from_utf8(example("fischer.xml")).expect("text").replace('\n', "\r\n");
    let files = [
        ("train-gate.xml", example("train-gate.xml")),
        ("windows.xml", windows.into_bytes()),
        ("fischer.tck", example("fischer.tck")),
        ("p.xta", b"clock x;\r\nprocess P() { state A; init A; }\r\nsystem P;".to_vec()),
    ];
    for (name, bytes) in files {
        let path = folder.with(name, &bytes);
        let before = fs::metadata(&path).expect("a file").modified().expect("a time");
        let (_server, client, opened) = started(&path);
        let stamp = saved(&client, &opened.sheet, &opened.stamp).stamp;
        assert_eq!(stamp, opened.stamp, "{name}");
        assert_eq!(fs::read(&path).expect("a file"), bytes, "{name}");
        assert_eq!(fs::metadata(&path).expect("a file").modified().expect("a time"), before, "{name}");
    }
}

#[test]
fn what_was_changed_is_written_and_can_be_read_again() {
    let folder = Folder::new("changed");
    for name in ["train-gate.xml", "fischer.tck"] {
        let path = folder.with(name, example(name));
        let (_server, client, opened) = started(&path);
        let sheet = changed(&opened.sheet);
        let stamp = saved(&client, &sheet, &opened.stamp).stamp;
        assert_ne!(stamp, opened.stamp);
        assert!(fs::read_to_string(&path).expect("a file").contains("// more"));
        let again: Opened = client.post("/api/v1/open", &Open::File).json();
        assert_eq!((again.sheet, again.stamp), (sheet.clone(), stamp.clone()));
        assert_eq!(saved(&client, &sheet, &stamp).stamp, stamp);
    }
    assert_eq!(folder.names(), ["fischer.tck", "train-gate.xml"], "nothing else is left");
}

#[test]
fn a_file_keeps_its_line_ends() {
    let folder = Folder::new("lines");
    let fischer = String::from_utf8(example("fischer.xml")).expect("text").replace('\n', "\r\n");
    let text = "clock x;\r\nprocess P() { state A; init A; }\r\nsystem P;\r\n".to_owned();
    for (name, whole) in [("windows.xml", fischer), ("windows.xta", text)] {
        let path = folder.with(name, whole);
        let (_server, client, opened) = started(&path);
        let sheet = changed(&opened.sheet);
        saved(&client, &sheet, &opened.stamp);
        let new = fs::read_to_string(&path).expect("a file");
        assert_eq!(new.matches('\n').count(), new.matches("\r\n").count(), "{name}");
        let again: Opened = client.post("/api/v1/open", &Open::File).json();
        assert_eq!(again.sheet, sheet, "{name}");
    }
}

#[test]
fn what_somebody_else_has_changed_is_not_overwritten_unless_that_is_said() {
    let folder = Folder::new("conflict");
    let path = folder.with("fischer.xml", example("fischer.xml"));
    let (_server, client, opened) = started(&path);
    let sheet = changed(&opened.sheet);
    fs::write(&path, example("bridge.xml")).expect("somebody else writes");
    assert_eq!(refused(&client, &sheet, &opened.stamp), (409, "changed".to_owned()));
    assert_eq!(fs::read(&path).expect("a file"), example("bridge.xml"));
    saved(&client, &sheet, "");
    assert!(fs::read_to_string(&path).expect("a file").contains("// more"));
    fs::remove_file(&path).expect("somebody else removes it");
    assert_eq!(refused(&client, &sheet, ""), (422, "impossible".to_owned()));
    assert!(folder.names().is_empty());
}

#[test]
fn a_file_keeps_its_language() {
    let folder = Folder::new("language");
    let path = folder.with("fischer.tck", example("fischer.tck"));
    let (_server, client, opened) = started(&path);
    assert_eq!(refused(&client, &Sheet::empty(), &opened.stamp), (422, "impossible".to_owned()));
    let other = Sheet { name: "other.xta".to_owned(), ..changed(&opened.sheet) };
    assert_eq!(refused(&client, &other, &opened.stamp), (422, "impossible".to_owned()));
    assert_eq!(fs::read(&path).expect("a file"), example("fischer.tck"));
}

#[cfg(unix)]
#[test]
fn a_link_to_the_file_stays_a_link_and_what_becomes_one_is_left_alone() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = Folder::new("links");
    let path = folder.with("real.xml", example("fischer.xml"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("permissions");
    let link = folder.0.join("link.xml");
    symlink(&path, &link).expect("a link");
    let (_server, client, opened) = started(&link);
    let stamp = saved(&client, &changed(&opened.sheet), &opened.stamp).stamp;
    assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
    assert!(fs::read_to_string(&path).expect("a file").contains("// more"));
    assert_eq!(fs::metadata(&path).expect("a file").permissions().mode() & 0o777, 0o640);

    let secret = folder.with("secret.xml", example("bridge.xml"));
    fs::remove_file(&path).expect("it can be removed");
    symlink(&secret, &path).expect("a link");
    assert_eq!(client.post("/api/v1/open", &Open::File).problem().error, "impossible");
    assert_eq!(refused(&client, &opened.sheet, &stamp), (422, "impossible".to_owned()));
    assert_eq!(refused(&client, &opened.sheet, ""), (422, "impossible".to_owned()));
    assert_eq!(fs::read(&secret).expect("a file"), example("bridge.xml"));
}

#[test]
fn it_is_told_which_file_there_is() {
    let folder = Folder::new("told");
    let path = folder.with("fischer.xml", example("fischer.xml"));
    let (_server, client, _) = started(&path);
    let about: About = client.get("/api/v1/about").json();
    let file = about.file.expect("a file");
    assert_eq!((file.name.as_str(), file.writable), ("fischer.xml", true));
    assert!(!client.get("/api/v1/about").text().contains(&*folder.0.to_string_lossy()), "not its folder");
}

#[test]
fn without_a_file_there_is_nothing_to_save() {
    let server = serve(Settings::default());
    assert_eq!(refused(&client(&server), &Sheet::empty(), ""), (404, "not-found".to_owned()));
}

#[test]
fn a_file_that_cannot_be_read_is_told_at_the_start() {
    let folder = Folder::new("start");
    let limits = ServerLimits { body_bytes: 100, ..Settings::default().limits };
    let large = folder.with("large.xml", "x".repeat(101));
    for path in [folder.0.join("nothing.xml"), folder.0.clone(), large] {
        let settings =
            Settings { file: Some(path), limits: limits.clone(), port: Some(0), ..Settings::default() };
        assert!(matches!(Server::start(settings), Err(StartError::File(_))));
    }
}

#[test]
fn a_broken_file_is_opened_as_far_as_it_can_be_and_what_is_wrong_is_told() {
    let folder = Folder::new("broken");
    let whole = String::from_utf8(example("fischer.xml")).expect("text");
    let path = folder.with("fischer.xml", &whole[..whole.len() / 2]);
    let (_server, client, opened) = started(&path);
    assert!(!opened.diagnostics.is_empty());
    assert!(client.examine(&opened.sheet).diagnostics.len() < 1000);
}

#[test]
fn files_of_one_name_have_keys_of_their_own_that_stay_the_same() {
    let (one, other) = (Folder::new("key-one"), Folder::new("key-other"));
    let key = |folder: &Folder| {
        let (_server, client, _) =
            started(&folder.with("p.xta", "process P() { state A; init A; } system P;"));
        let about: About = client.get("/api/v1/about").json();
        about.file.expect("a file").key
    };
    let (first, second) = (key(&one), key(&other));
    assert!(first.len() == 16 && first.bytes().all(|byte| byte.is_ascii_hexdigit()), "{first}");
    assert_ne!(first, second);
    assert_eq!(key(&one), first);
}

#[test]
fn it_is_told_that_queries_have_no_place_in_text() {
    let folder = Folder::new("queries-kept");
    for (name, kept) in [("train-gate.xml", true), ("fischer.tck", false)] {
        let (_server, client, opened) = started(&folder.with(name, example(name)));
        let mut sheet = opened.sheet;
        let first = saved(&client, &sheet, &opened.stamp);
        assert!(first.queries_kept, "{name}: nothing was changed");
        sheet.queries.push(SheetQuery { formula: "E<> true".to_owned(), ..SheetQuery::default() });
        let second = saved(&client, &sheet, &first.stamp);
        assert_eq!(second.queries_kept, kept, "{name}");
        let third = saved(&client, &changed(&sheet), &second.stamp);
        assert_eq!((third.queries_kept, third.stamp != second.stamp), (kept, true), "{name}");
    }
}

/// What a server that was killed while it saved has left beside the file.
#[test]
fn leftovers_of_interrupted_saves_are_removed_at_the_next_start() {
    let folder = Folder::new("leftovers");
    let path = folder.with("model.xta", "process P() { state A; init A; } system P;");
    folder.with(".0123456789abcdef.model.xta", "process P() { state");
    let kept = [
        ".0123456789abcdef.other.xta",
        ".0123456789abcde.model.xta",
        ".0123456789ABCDEF.model.xta",
        ".0123456789abcdefg.model.xta",
        "0123456789abcdef.model.xta",
        ".notes.model.xta",
        ".fedcba9876543210.model.xta",
    ];
    kept.iter().for_each(|name| drop(folder.with(name, "kept")));
    // Somebody is writing this one now.
    let busy = fs::File::open(folder.0.join(".fedcba9876543210.model.xta")).expect("a file");
    busy.try_lock().expect("nobody else has it");
    let (server, client, opened) = started(&path);
    let mut expected: Vec<String> = kept.iter().map(|name| (*name).to_owned()).collect();
    expected.push("model.xta".to_owned());
    expected.sort();
    assert_eq!(folder.names(), expected);
    saved(&client, &changed(&opened.sheet), &opened.stamp);
    assert_eq!(folder.names(), expected, "a save leaves nothing");
    drop(server);
    drop(busy);
    let _again = started(&path);
    expected.retain(|name| name != ".fedcba9876543210.model.xta");
    assert_eq!(folder.names(), expected);
}
