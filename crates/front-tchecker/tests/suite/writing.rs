//! Models as text.

use std::fs;
use std::path::Path;

use tourbillon_front_tchecker::write;
use tourbillon_model::Model;

use super::model;

/// A model without the places where its parts were written.
fn without_spans(model: &Model) -> String {
    let text = format!("{model:#?}");
    let mut rest = text.as_str();
    let mut plain = String::new();
    while let Some(at) = rest.find("Span {") {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        rest = &rest[rest.find('}').map_or(rest.len(), |end| end + 1)..];
    }
    plain + rest
}

/// Writes a model, reads the text, and compares.
pub(super) fn there_and_back(original: &Model) -> String {
    let text = write(original).unwrap_or_else(|problems| panic!("{original}\n{problems:#?}"));
    let again = model(&text);
    assert_eq!(without_spans(&again), without_spans(original), "{text}");
    text
}

const FISCHER: &str = "\
system:fischer

event:tau

int:1:0:2:0:id
clock:1:x1
clock:1:x2

process:P1
location:P1:A{initial:}
location:P1:req{invariant: x1 <= 10}
location:P1:wait
location:P1:cs{labels: cs1}
edge:P1:A:req:tau{provided: id == 0 : do: x1 = 0}
edge:P1:req:wait:tau{provided: x1 <= 10 : do: x1 = 0; id = 1}
edge:P1:wait:req:tau{provided: id == 0 : do: x1 = 0}
edge:P1:wait:cs:tau{provided: id == 1 && x1 > 10}
edge:P1:cs:A:tau{do: id = 0}

process:P2
location:P2:A{initial: : committed:}
location:P2:req{urgent: : labels: a,b : invariant: x1 - x2 <= 10}
edge:P2:A:req:tau{provided: 1 < id && x1 - x2 == 0 : do: x2 = 3 + x1}
";

#[test]
fn text_in_the_form_of_the_writer_stays_as_it_is() {
    assert_eq!(there_and_back(&model(FISCHER)), FISCHER);
}

#[test]
fn everything_that_can_be_read_can_be_written() {
    let head = "system:S\nevent:e\nclock:1:x\nclock:1:y\nclock:3:z\nint:1:0:9:0:i\nint:1:-5:5:-1:j\nint:3:0:9:2:a\n\
                process:P\nlocation:P:l{initial:}\n";
    for attributes in [
        "provided: 1 <= i < 5 && x < 3 && !(i == 1) && !!j && i > 3 && z[i] - z[1] >= a[a[j]] && 3 > y",
        "provided: i >= (if i == 1 && !j then 2 else (if j then 1 else -3)) && x < y && i[j] == 2",
        "provided: -i + 2 * j - 3 / (i + 1) % 2 < - - 3 && (i - (j - 2)) * 3 == -i * (2 % j)",
        "do: x = y; x = 3 + y; z[i] = z[0] + a[1]; a[i] = -j; x = i * 2",
        "do: local n = 0; local m[2]; local k[1]; while n < 3 && i do local d = a[n]; if d == 0 then m[1] = n; nop \
         else m[n] = d end; n = n + 1 end; if i == 1 then nop end; x = m[0]; k[0] = k[j]; local $t = 5; i = $t",
        "do: if i then if j then i = 1 else local v = 2; i = v end else local v = 3; while v do v = v - 1 end end",
        "do: if 1 < i < 3 then i = 1 else nop end",
    ] {
        there_and_back(&model(&format!("{head}edge:P:l:l:e{{{attributes}}}\n")));
    }
    let syncs = "system:S\nevent:e\nevent:f\nprocess:P\nprocess:Q.1\nclock:1:P.x\nlocation:P:l.0{initial:}\n\
                 location:Q.1:m{initial:}\nedge:P:l.0:l.0:e\nedge:Q.1:m:m:f\nint:4:0:3:1:v\n\
                 sync:Q.1@f:P@e\nsync:P@e:Q.1@f?\nsync:P@e\n";
    there_and_back(&model(syncs));
}

#[test]
fn published_models_go_there_and_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/tchecker");
    let Ok(entries) = fs::read_dir(&folder) else { return };
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        there_and_back(&model(&fs::read_to_string(&path).expect("a readable file")));
    }
}
