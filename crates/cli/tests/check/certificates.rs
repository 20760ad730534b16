//! Certificates as a user has them: written, checked, reused after an edit, watched.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::shared::{ended, file, path, refused};
use crate::{PROGRAM, example, report};

const MODEL: &str = "clock x;\nprocess P() {\n  state A { x <= 5 }, B, C;\n  init A;\n  trans\n    A -> B { guard x >= 3; },\n    \
                     B -> A { assign x = 0; },\n    B -> C { guard x > 7 && x < 2; };\n}\nsystem P;\n";
const QUERIES: &str = "A[] not P.C\nE<> P.B\nsup: x\n";

/// The folder of a test, with a model and its queries.
fn model(test: &str) -> (String, String) {
    let model = file(test, "m.xta", MODEL);
    file(test, "m.q", QUERIES);
    let folder = model.parent().expect("a folder");
    (path(&model).to_owned(), path(folder).to_owned())
}

#[test]
fn a_certificate_is_written_and_accepted() {
    let (model, folder) = model("certificate");
    let certificate = format!("{folder}/m.tbc");
    let (out, _) = ended(0, &["check", &model, "--certificate", &certificate, "--certify"]);
    assert!(
        out.contains("satisfied") && out.contains("\n    certified  ") && out.contains("m.tbc, "),
        "{out}"
    );
    let (out, _) = ended(0, &["certify", &model, &certificate]);
    assert!(
        out.contains("is accepted\n    A[] !P.C\n") || out.contains("is accepted\n    A[] not P.C\n"),
        "{out}"
    );
    let (json, _) = ended(0, &["certify", &model, &certificate, "--format", "json", "--threads", "2"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json["outcome"], &json["schema"]), (&"accepted".into(), &"tourbillon.certify/1".into()));
    assert!(out.contains(json["report"]["sha256"].as_str().expect("a hash")), "{out}");
}

#[test]
fn the_certificate_of_another_model_is_refused() {
    let (model, folder) = model("other-model");
    let certificate = format!("{folder}/m.tbc");
    ended(0, &["check", &model, "--certificate", &certificate]);
    file("other-model", "m.xta", &MODEL.replace("x >= 3", "x >= 2"));
    let err = refused(&["certify", &model, &certificate]);
    assert!(err.contains("m.tbc: the certificate is of another model"), "{err}");
    let err = refused(&["certify", &model, &model]);
    assert!(err.contains("m.xta: the header cannot be read") || err.contains("no header"), "{err}");
}

/// A file whose only state is not closed: it is that of a model without its first edge, with the hash of the model itself.
#[test]
fn a_set_that_is_not_closed_is_rejected_at_the_edge() {
    let (model, folder) = model("not-closed");
    let [whole, part] = ["whole.tbc", "part.tbc"].map(|name| format!("{folder}/{name}"));
    ended(0, &["check", &model, "-q", "A[] not P.C", "--certificate", &whole]);
    let smaller = file("not-closed", "smaller.xta", &MODEL.replace("A -> B { guard x >= 3; },", ""));
    ended(0, &["check", path(&smaller), "-q", "A[] not P.C", "--certificate", &part]);
    let hash = |name: &str| {
        let bytes = std::fs::read(name).expect("a certificate");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let start = text.find("\"sha256\":\"").expect("a hash") + 10;
        (bytes, text[start..start + 64].to_owned(), start)
    };
    let (mut bytes, _, start) = hash(&part);
    bytes[start..start + 64].copy_from_slice(hash(&whole).1.as_bytes());
    std::fs::write(&part, bytes).expect("it can be written");
    let (out, err) = ended(1, &["certify", &model, &part]);
    assert!(out.contains("is rejected"), "{out}");
    for part in ["C0101", "a successor is not covered", "m.xta:6:", "A -> B", "the state after it: P.B"] {
        assert!(err.contains(part), "no `{part}` in\n{err}");
    }
}

#[test]
fn symmetric_and_labelled_answers_have_certificates() {
    let fischer = example("fischer.tck");
    let (_, folder) = model("labelled");
    let certificate = format!("{folder}/f.tbc");
    let (out, _) =
        ended(1, &["check", &fischer, "--labels", "cs1,cs2", "--certificate", &certificate, "--certify"]);
    assert!(out.contains("certified"), "{out}");
    let (out, _) = ended(0, &["certify", &fischer, &certificate]);
    assert!(out.contains("--labels cs1,cs2"), "{out}");
}

#[test]
fn an_unchanged_model_is_answered_from_the_cache_and_an_edited_one_from_its_states() {
    let (model, folder) = model("cache");
    let cache = format!("{folder}/cache");
    std::fs::remove_dir_all(&cache).ok();
    let check = || report(0, &[&model, "-q", "A[] not P.C", "--cache", &cache, "--certify"]);
    let first = &check()["results"][0];
    assert!(
        first["cached"].is_null() && first["rechecked"].is_null() && first["certified"].is_object(),
        "{first}"
    );
    let again = &check()["results"][0];
    assert_eq!((again["cached"].as_str().map(str::len), &again["verdict"]), (Some(64), &"satisfied".into()));
    file("cache", "m.xta", &MODEL.replace("x >= 3", "x >= 4"));
    let tighter = &check()["results"][0];
    assert_eq!((&tighter["rechecked"]["expanded"], &tighter["verdict"]), (&0.into(), &"satisfied".into()));
    file("cache", "m.xta", &MODEL.replace("assign x = 0", "assign x = 1"));
    let other = &check()["results"][0];
    assert!(other["rechecked"]["expanded"].as_u64() > Some(0) && other["certified"].is_object(), "{other}");
    file("cache", "m.xta", &MODEL.replace("x > 7 && x < 2", "x > 7"));
    let violated = report(1, &[&model, "-q", "A[] not P.C", "--cache", &cache, "--certify"]);
    let violated = &violated["results"][0];
    assert!(violated["rechecked"].is_null() && violated["trace"]["steps"].is_array(), "{violated}");
}

#[test]
fn a_watched_model_is_checked_again_when_it_is_saved() {
    let (model, _) = model("watch");
    let mut command = Command::new(PROGRAM);
    let mut child = command.args(["watch", &model]).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let mut next = |wanted: &str| {
        let found = lines.by_ref().map(|line| line.expect("a line")).find(|line| line.contains(wanted));
        assert!(found.is_some(), "no line with `{wanted}`");
    };
    next("A[] not P.C: satisfied");
    next("3 satisfied");
    file("watch", "m.xta", &MODEL.replace("x > 7 && x < 2", "x > 7"));
    next("A[] not P.C: satisfied -> violated");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}
