//! Models as text.

use std::fs;
use std::path::Path;

use tourbillon_base::Random;
use tourbillon_front_tchecker::write;
use tourbillon_model::Model;

use super::{load, model, seeds, told};

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
    assert_eq!(again.to_string(), original.to_string(), "{text}");
    assert!(without_spans(&again) == without_spans(original), "{text}");
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

/// A bus that hears every station, two stations that hear each other weakly, and one that counts its attempts.
const BUS: &str = "\
system:bus

event:tau
event:begin
event:busy
event:end
event:collision

clock:2:x
clock:1:y
int:2:0:3:0:attempts
int:1:0:100:1:slots

process:Bus
location:Bus:idle{initial:}
location:Bus:active
location:Bus:clash{invariant: y < 26}
edge:Bus:idle:active:begin{do: y = 0}
edge:Bus:active:idle:end{do: y = 0}
edge:Bus:active:active:busy{provided: y >= 26}
edge:Bus:active:clash:begin{provided: y < 26 : do: y = 0}
edge:Bus:clash:idle:collision{do: y = 0}

process:Station1
location:Station1:wait{initial:}
location:Station1:start{labels: sending1 : invariant: x[0] <= 808}
location:Station1:retry{invariant: x[0] <= 2 * slots}
edge:Station1:wait:start:begin{do: x[0] = 0}
edge:Station1:wait:retry:busy{do: x[0] = 0}
edge:Station1:start:wait:end{provided: x[0] == 808}
edge:Station1:start:retry:collision{do: local $0 = attempts[0]; slots = 1; while 0 < $0 do $0 = $0 - 1; \
if slots <= 50 then slots = slots * 2 end end; if attempts[0] < 3 then attempts[0] = attempts[0] + 1 \
else attempts[0] = 0 end; x[0] = 0}
edge:Station1:retry:start:begin{provided: x[0] - y <= 52 : do: x[0] = 0}

process:Station2
location:Station2:wait{initial:}
location:Station2:heard{committed: : labels: heard,sending2}
edge:Station2:wait:heard:collision{do: x[1] = y}
edge:Station2:heard:wait:tau{do: attempts[1] = (if attempts[1] < 3 then attempts[1] + 1 else 3)}

sync:Bus@begin:Station1@begin
sync:Bus@busy:Station1@busy
sync:Bus@end:Station1@end
sync:Bus@collision:Station1@collision:Station2@collision?
";

#[test]
fn text_in_the_form_of_the_writer_stays_as_it_is() {
    for text in [FISCHER, BUS] {
        let (model, diagnostics, sources) = load(text);
        assert_eq!(told(&diagnostics, &sources), [""; 0]);
        assert_eq!(there_and_back(&model.expect("a model")), text);
    }
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

/// Makes up expressions and statements of everything that the language has.
struct Author {
    random: Random,
    locals: Vec<String>,
}

impl Author {
    fn pick(&mut self, words: &[&str]) -> String {
        words[self.random.below(words.len())].to_owned()
    }

    fn variable(&mut self, depth: usize) -> String {
        match self.random.below(5) {
            0 => "i".to_owned(),
            1 => "j".to_owned(),
            2 if !self.locals.is_empty() => self.locals[self.random.below(self.locals.len())].clone(),
            3 => self.pick(&["a[0]", "a[2]", "i[0]"]),
            _ => format!("a[{}]", self.term(depth)),
        }
    }

    fn term(&mut self, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else { return self.pick(&["0", "1", "3", "i", "j", "a[1]"]) };
        match self.random.below(8) {
            0 => format!("-{}", self.term(depth)),
            1 => format!("({})", self.term(depth)),
            2 => {
                format!("(if {} then {} else {})", self.condition(depth), self.term(depth), self.term(depth))
            }
            3 | 4 => self.variable(depth),
            _ => format!("{} {} {}", self.term(depth), self.pick(&["+", "-", "*"]), self.term(depth)),
        }
    }

    fn comparison(&mut self, depth: usize) -> String {
        match self.random.below(4) {
            0 => self.term(depth),
            1 => format!("{} < {} <= {}", self.term(depth), self.term(depth), self.term(depth)),
            2 => format!("!({} == {})", self.term(depth), self.term(depth)),
            _ => {
                let sign = self.pick(&["<", "<=", "==", "!=", ">=", ">"]);
                format!("{} {sign} {}", self.term(depth), self.term(depth))
            }
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        let parts: Vec<String> = (0..=self.random.below(3)).map(|_| self.comparison(depth)).collect();
        parts.join(" && ")
    }

    fn guard(&mut self) -> String {
        let clock = |author: &mut Self| author.pick(&["x", "y", "z[0]", "z[i]"]);
        let mut parts = vec![self.condition(3)];
        for _ in 0..self.random.below(3) {
            let (left, right) = (clock(self), self.term(2));
            let sign = self.pick(&["<", "<=", "==", ">=", ">"]);
            parts.push(match self.random.below(4) {
                0 => format!("{left} - z[1] {sign} {right}"),
                1 => format!("{right} {sign} {left}"),
                2 => format!("{right} < {left} <= {}", self.term(1)),
                _ => format!("{left} {sign} {right}"),
            });
            parts.push(self.comparison(1));
        }
        parts.join(" && ")
    }

    fn statements(&mut self, depth: usize) -> String {
        let seen = self.locals.len();
        let list: Vec<String> = (0..=self.random.below(3)).map(|_| self.statement(depth)).collect();
        self.locals.truncate(seen);
        list.join("; ")
    }

    fn statement(&mut self, depth: usize) -> String {
        let inner = depth.saturating_sub(1);
        match self.random.below(if depth == 0 { 6 } else { 9 }) {
            0 => "nop".to_owned(),
            1 => format!("x = {}", self.pick(&["0", "y", "3 + z[0]", "z[i] + i * 2"])),
            2 => {
                let value = self.term(2);
                let name = format!("v{}", self.locals.len());
                self.locals.push(name.clone());
                format!("local {name} = {value}")
            }
            3 => {
                let name = format!("v{}", self.locals.len());
                self.locals.push(format!("{name}[1]"));
                format!("local {name}[{}]", self.pick(&["2", "3", "1 + 1"]))
            }
            4 | 5 => format!("{} = {}", self.variable(1), self.term(2)),
            6 => format!("if {} then {} end", self.condition(1), self.statements(inner)),
            7 => {
                let condition = self.condition(1);
                format!("if {condition} then {} else {} end", self.statements(inner), self.statements(inner))
            }
            _ => format!("while {} do {} end", self.condition(1), self.statements(inner)),
        }
    }
}

#[test]
fn made_up_models_go_there_and_back() {
    let head = "system:S\nevent:e\nclock:1:x\nclock:1:y\nclock:3:z\nint:1:-9:9:0:i\nint:1:-5:5:-1:j\n\
                int:3:0:9:2:a\nprocess:P\nlocation:P:l{initial:}\n";
    for seed in seeds(1000) {
        let mut author = Author { random: Random::from_seed(seed), locals: Vec::new() };
        let (guard, statements) = (author.guard(), author.statements(3));
        let text = format!("{head}edge:P:l:l:e{{provided: {guard} : do: {statements}}}\n");
        let (original, diagnostics, sources) = load(&text);
        let Some(original) = original else {
            // An index or constant that happens to be out of bounds is the only mistake it can make.
            let bounds = |line: &String| ["T0404", "T0413", "warni"].iter().any(|code| line.contains(code));
            let told = told(&diagnostics, &sources);
            assert!(told.iter().all(bounds), "TOURBILLON_SEED={seed}:\n{text}\n{told:#?}");
            continue;
        };
        let result = std::panic::catch_unwind(|| there_and_back(&original));
        assert!(result.is_ok(), "TOURBILLON_SEED={seed}:\n{text}");
    }
}
