//! Every code with the texts that lead to it: severity, place, message, and what is advised.

use std::collections::BTreeSet;

use super::{load, told};

/// Declarations for a guard or statement to be tried in: three clocks, two of them an array; a variable; an array.
const HEAD: &str = "\
system:S
event:e
event:f
clock:1:x
clock:1:y
clock:2:z
int:1:0:9:0:i
int:3:0:9:0:a
process:P
location:P:l{initial:}
edge:P:l:l:f{provided: x<9 && y<9 && z[0]<9 : do: i=0; a[0]=0}
";

enum Case {
    File(&'static str),
    /// A guard, on line 12.
    Guard(&'static str),
    /// A statement, on line 12.
    Do(&'static str),
    /// An invariant, on line 12.
    Invariant(&'static str),
}

use Case::{Do, File, Guard, Invariant};

impl Case {
    fn text(&self) -> String {
        match self {
            File(text) => (*text).to_owned(),
            Guard(value) => format!("{HEAD}edge:P:l:l:e{{provided: {value}}}\n"),
            Do(value) => format!("{HEAD}edge:P:l:l:e{{do: {value}}}\n"),
            Invariant(value) => format!("{HEAD}location:P:m{{invariant: {value}}}\nedge:P:l:m:e\n"),
        }
    }
}

#[test]
fn every_code_has_its_texts() {
    let mut seen = BTreeSet::new();
    for (case, expected) in CASES {
        let text = case.text();
        let (_, diagnostics, sources) = load(&text);
        let mut lines = told(&diagnostics, &sources);
        for (line, diagnostic) in lines.iter_mut().zip(&diagnostics) {
            diagnostic.help.iter().for_each(|help| *line += &format!(" -- {help}"));
            seen.insert(diagnostic.code.name());
        }
        assert_eq!(lines, *expected, "{text}");
    }
    let codes = tourbillon_front_tchecker::codes::CODES.iter().map(|entry| entry.code.name());
    // `T02..` on nesting and `T09..` on writing have tests of their own.
    let missing: Vec<&str> =
        codes.filter(|code| !seen.contains(code) && *code != "T0202" && !code.starts_with("T09")).collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn labels_lead_to_the_other_places() {
    let (_, diagnostics, sources) =
        load("system:S\nclock:1:x\nprocess:P\nprocess:P\nlocation:P:l{initial:}\n");
    let (span, label) = &diagnostics.as_slice()[0].labels[0];
    assert_eq!((sources.resolve(*span).start.line, label.as_str()), (3, "declared here first"));
}

#[test]
fn all_mistakes_of_a_file_are_reported() {
    let text = format!(
        "{HEAD}edge:P:l:l:e{{provided: j>1 : do: k=1}}\nedge:P:l:l:g{{provided: i>}}\nedge:P:l:m:e{{d: i=1}}\n"
    );
    let (_, diagnostics, sources) = load(&text);
    let codes: Vec<String> = told(&diagnostics, &sources)
        .iter()
        .map(|line| line.split(' ').take(3).collect::<Vec<_>>().join(" "))
        .collect();
    let expected = [
        "error T0301 12:24",
        "error T0301 12:34",
        "error T0301 13:12",
        "error T0301 14:10",
        "warning T0105 14:14",
    ];
    assert_eq!(codes, expected);
}

const CASES: &[(Case, &[&str])] = &[
    (File("system:S\nprocess:P;\nlocation:P:l{initial:}\n"), &["error T0001 2:10 `;` has no meaning here"]),
    (
        File("system:S // a comment\nprocess:P\nlocation:P:l{initial:}\n"),
        &["error T0001 1:10 `// a comment` has no meaning here -- comments start with `#`"],
    ),
    (
        File("system:S\nprocess:P}\n"),
        &[
            "error T0501 2:9 the process `P` has no locations -- mark one of its locations with `{initial:}`",
            "error T0001 2:10 `}` has no meaning here -- no brace is open here",
        ],
    ),
    (Guard("i ≤ 3"), &["error T0001 12:26 `≤` has no meaning in expressions -- write `<=`"]),
    (Guard("i @ 3"), &["error T0001 12:26 `@` has no meaning in expressions"]),
    (File("system S\n"), &["error T0002 1:8 expected `:`, found `S` -- write `system:NAME`"]),
    (
        File("system:S\nclock:x:1\n"),
        &["error T0002 2:7 expected an integer, found `x` -- write `clock:SIZE:NAME`"],
    ),
    (File("system:S\nprocess:\n"), &["error T0002 2:9 expected a name -- write `process:NAME`"]),
    (
        File("system:S\nprocess:P Q\n"),
        &["error T0002 2:11 expected `:` or the end of the line, found `Q` -- write `process:NAME`"],
    ),
    (File("system\n"), &["error T0002 1:7 expected `:` -- write `system:NAME`"]),
    (
        File(
            "system:S\nevent:e\nprocess:P\nlocation:P:l{initial:}\nsync:P:Q\nsync:P@\nsync:P@e:\nsync:P@e??\n",
        ),
        &[
            "error T0002 5:7 expected `@` -- write `sync:PROCESS@EVENT:PROCESS@EVENT?`",
            "error T0002 6:8 expected an event -- write `sync:PROCESS@EVENT:PROCESS@EVENT?`",
            "error T0002 7:10 expected a process -- write `sync:PROCESS@EVENT:PROCESS@EVENT?`",
            "error T0002 8:10 expected `?`, `:` or the end of the line, found `?` -- write `sync:PROCESS@EVENT:PROCESS@EVENT?`",
        ],
    ),
    (
        File("system:S\nproces:P\ntemplate:Q\n"),
        &[
            "error T0003 2:1 `proces` starts no declaration -- did you mean `process`?",
            "error T0003 3:1 `template` starts no declaration -- a line starts with `system`, `process`, `event`, `clock`, `int`, `location`, `edge` or `sync`",
        ],
    ),
    (
        File("system:S\nclock:x\nint:1:0:9:i\nprocess:A:B\n"),
        &[
            "error T0004 2:1 a `clock` line has 2 fields; here are 1 -- write `clock:SIZE:NAME`",
            "error T0004 3:1 an `int` line has 5 fields; here are 4 -- write `int:SIZE:MIN:MAX:INITIAL:NAME`",
            "error T0004 4:1 a `process` line has 1 field; here are 2 -- write `process:NAME`",
        ],
    ),
    (
        File("system:S\nprocess:edge\nclock:1:if\n"),
        &[
            "error T0005 2:9 `edge` is a reserved word -- choose another name, such as `edge_`",
            "error T0005 3:9 `if` is a word of expressions and cannot name a clock -- choose another name, such as `if_`",
        ],
    ),
    (
        File("system:S\nint:1:0:99999999999:0:i\n"),
        &[
            "error T0006 2:9 this integer does not fit in 32 bits -- integers are between -2147483648 and 2147483647",
        ],
    ),
    (
        Guard("i < 99999999999"),
        &[
            "error T0006 12:28 this integer does not fit in 32 bits -- integers are between -2147483648 and 2147483647",
        ],
    ),
    (
        Guard("i > -2147483648"),
        &["error T0006 12:29 this integer does not fit in 32 bits -- write `-2147483647 - 1`"],
    ),
    (
        File("system:S\nprocess:P{} location:P:l\nlocation:P:l{initial:}{urgent:}\n"),
        &[
            "error T0007 2:13 a declaration ends with its attributes -- put each declaration on a line of its own",
            "error T0007 3:23 a declaration has one pair of braces -- write all attributes into it: `{key: value : key: value}`",
        ],
    ),
    (
        File("process:P\nsystem:S\nlocation:P:l{initial:}\n"),
        &["error T0008 1:1 the first declaration is not `system` -- start the file with `system:NAME`"],
    ),
    (File("system:S\nsystem:T\n"), &["error T0008 2:1 there is one `system` line in a file"]),
    (
        File("# nothing\n"),
        &["error T0008 1:1 the file declares nothing -- start the file with `system:NAME`"],
    ),
    (
        File("process:P\nlocation:P:l{initial:}\n"),
        &["error T0008 1:1 the first declaration is not `system` -- start the file with `system:NAME`"],
    ),
    (
        File("system:S\nprocess:P\nlocation:P:l{initial: : invariant: 1\nlocation:P:m{}\nedge:P:l:m:e{\n"),
        &[
            "error T0101 3:13 this brace is never closed",
            "error T0301 5:12 no event `e` is declared before this line",
            "error T0101 5:13 this brace is never closed",
        ],
    ),
    (File("system:S\nprocess:P\nlocation:P:l{initial:"), &["error T0101 3:13 this brace is never closed"]),
    (
        File(
            "system:S\nprocess:P\nlocation:P:l{initial}\nlocation:P:m{initial: : }\nlocation:P:n{labels: {a}}\nlocation:P:o\n{urgent:}\n",
        ),
        &[
            "error T0102 3:14 `initial` has no colon after it -- write `initial:`, also if there is no value",
            "error T0102 4:25 expected the key of an attribute -- attributes are pairs with colons between them: `{key: value : key: value}`; a value contains no colon",
            "error T0102 5:22 `{` cannot stand in a value",
            "error T0102 7:1 these attributes belong to no declaration -- the brace opens on the line of the declaration",
        ],
    ),
    (
        File("system:S\nprocess:P\nlocation:P:l{initial: # the first\n}\n"),
        &["error T0103 3:23 a comment cannot stand between braces -- put it before or after the declaration"],
    ),
    (
        File(
            "system:S\nevent:e\nclock:1:x\nprocess:P{initial:}\nlocation:P:l{initial: : invarient: x<1 : provided: x<1}\nedge:P:l:l:e{provide: x<1}\nedge:P:l:l:e{guard: x<1 : reset: x=0}\nedge:P:l:l:e{invariant: x<1}\nedge:P:l:l:e{Do: x=0}\n",
        ),
        &[
            "error T0104 4:11 a process has no attribute `initial` -- `initial` is an attribute of locations",
            "error T0104 5:25 a location has no attribute `invarient` -- did you mean `invariant`?",
            "error T0104 5:42 a location has no attribute `provided` -- `provided` is an attribute of edges",
            "error T0104 6:14 an edge has no attribute `provide` -- did you mean `provided`?",
            "error T0104 7:14 an edge has no attribute `guard` -- did you mean `provided`?",
            "error T0104 7:27 an edge has no attribute `reset` -- did you mean `do`?",
            "error T0104 8:14 an edge has no attribute `invariant` -- `invariant` is an attribute of locations",
            "error T0104 9:14 an edge has no attribute `Do` -- did you mean `do`?",
        ],
    ),
    (
        File(
            "system:S{author: me}\nevent:e\nprocess:P\nlocation:P:l{initial: : colour: red}\nedge:P:l:l:e{bend: 3}\n",
        ),
        &[
            "warning T0105 1:10 the attribute `author` means nothing here and is ignored",
            "warning T0105 4:25 the attribute `colour` means nothing here and is ignored",
            "warning T0105 5:14 the attribute `bend` means nothing here and is ignored",
        ],
    ),
    (
        File("system:S\nevent:e\nprocess:P\nlocation:P:l{initial: true : urgent: 0}\nedge:P:l:l:e\n"),
        &[
            "warning T0106 4:23 the value of `initial` is ignored: the location is initial whatever stands here -- write `initial:`, or remove it",
            "warning T0106 4:38 the value of `urgent` is ignored: the location is urgent whatever stands here -- write `urgent:`, or remove it",
        ],
    ),
    (
        File(
            "system:S\nevent:e\nprocess:P\nlocation:P:l{initial: : invariant:}\nedge:P:l:l:e{provided: : do: }\n",
        ),
        &[
            "error T0107 4:25 `invariant` has no value -- remove the attribute, or give it a value",
            "error T0107 5:14 `provided` has no value -- remove the attribute, or give it a value",
            "error T0107 5:26 `do` has no value -- remove the attribute, or give it a value",
        ],
    ),
    (Guard("i +"), &["error T0201 12:27 expected a term, found the end of the value"]),
    (Guard("i i"), &["error T0201 12:26 expected `&&` or the end of the value, found `i`"]),
    (Guard("(i"), &["error T0201 12:26 expected `)`, found the end of the value"]),
    (Guard("a[1"), &["error T0201 12:27 expected `]`, found the end of the value"]),
    (
        Guard("if i then 1 else 0"),
        &[
            "error T0201 12:24 a conditional term stands in brackets -- write `(if condition then term else term)`",
        ],
    ),
    (
        Guard("i , i"),
        &[
            "error T0201 12:26 expected `&&` or the end of the value, found `,` -- statements are separated by `;`, conditions joined with `&&`",
        ],
    ),
    (
        Do("i=1,i=2"),
        &[
            "error T0201 12:21 expected `;` or the end of the value, found `,` -- statements are separated by `;`, conditions joined with `&&`",
        ],
    ),
    (Do("if i then i=1"), &["error T0201 12:31 expected `;`, `else` or `end`, found the end of the value"]),
    (Do("while i do i=0 else"), &["error T0201 12:33 expected `;` or `end`, found the word `else`"]),
    (Do("x"), &["error T0201 12:19 expected `=`, found the end of the value"]),
    (Do("end"), &["error T0201 12:18 expected a statement, found the word `end`"]),
    (Guard("(if i then 1)"), &["error T0201 12:36 expected `else`, found `)`"]),
    (Do("local 3"), &["error T0201 12:24 expected the name of a local variable, found `3`"]),
    (
        Guard("i==1 || i==2"),
        &[
            "error T0203 12:29 there is no `||` in this language -- between conditions on integers, write `(if a then 1 else b)` for `a || b` -- between comparisons of clocks, write one edge for each: together they form no zone",
        ],
    ),
    (
        Do("i++"),
        &["error T0203 12:19 there is no `++` in this language -- write the assignment out: `i = i + 1`"],
    ),
    (
        Do("i--"),
        &["error T0203 12:19 there is no `--` in this language -- write the assignment out: `i = i - 1`"],
    ),
    (
        Do("i+=1"),
        &["error T0203 12:19 there is no `+=` in this language -- write the assignment out: `i = i + 1`"],
    ),
    (Guard("i =< 3"), &["error T0203 12:26 there is no `=<` in this language -- write `<=`"]),
    (Guard("i & 1"), &["error T0203 12:26 there is no `&` in this language -- write `&&`"]),
    (
        Guard("i ? 1"),
        &["error T0203 12:26 there is no `?` in this language -- write `(if condition then term else term)`"],
    ),
    (
        Guard("i << 2 == 4"),
        &["error T0203 12:26 there is no `<<` in this language -- multiply by a power of two"],
    ),
    (
        Guard("P.x < 3"),
        &[
            "error T0204 12:24 `P.x` has a dot, which names in expressions cannot have -- declare and use it as `P_x`",
        ],
    ),
    (
        Do("P.x = 0"),
        &[
            "error T0204 12:18 `P.x` has a dot, which names in expressions cannot have -- declare and use it as `P_x`",
        ],
    ),
    (
        Guard("i = 3"),
        &["error T0205 12:26 an assignment cannot stand in a condition -- write `==` to compare"],
    ),
    (Do("i == 3"), &["error T0205 12:20 a comparison is no statement -- write `=` to assign"]),
    (
        Guard("1 < i > 3"),
        &[
            "error T0206 12:30 only `<` and `<=` can be chained -- write the comparisons one by one, joined with `&&`",
        ],
    ),
    (
        Guard("1 < i < 3 < 4"),
        &[
            "error T0206 12:34 only two comparisons can be chained -- write the comparisons one by one, joined with `&&`",
        ],
    ),
    (
        Guard("1 == i < 3"),
        &[
            "error T0206 12:31 only `<` and `<=` can be chained -- write the comparisons one by one, joined with `&&`",
        ],
    ),
    (
        Guard("!(i==1 && i==2)"),
        &[
            "error T0207 12:24 `!` can negate one comparison only -- the negation of a conjunction is a disjunction: write one edge for each case, or use `(if .. then 0 else 1)`",
        ],
    ),
    (
        Guard("!(1 < i < 3)"),
        &[
            "error T0207 12:24 `!` can negate one comparison only -- the negation of a conjunction is a disjunction: write one edge for each case, or use `(if .. then 0 else 1)`",
        ],
    ),
    (Do("i = i == 1"), &["error T0208 12:22 a condition is no number -- write `(if i == 1 then 1 else 0)`"]),
    (
        Guard("(i<3) + 1 == 2"),
        &["error T0208 12:25 a condition is no number -- write `(if i<3 then 1 else 0)`"],
    ),
    (
        Guard("a[i==1] == 0"),
        &["error T0208 12:26 a condition is no number -- write `(if i==1 then 1 else 0)`"],
    ),
    (Do("i = !i"), &["error T0208 12:22 a condition is no number -- write `(if !i then 1 else 0)`"]),
    (
        File(
            "system:S\nprocess:Worker\nlocation:Worker:idle{initial:}\nevent:go\nlocation:Wroker:x\nedge:Worker:idel:idle:go\nedge:Worker:idle:idle:og\nedge:Q:idle:idle:go\nsync:Worker@go:Q@stop\n",
        ),
        &[
            "error T0301 5:10 no process `Wroker` is declared before this line -- did you mean `Worker`?",
            "error T0301 6:13 `Worker` has no location `idel` before this line -- did you mean `idle`?",
            "error T0301 7:23 no event `og` is declared before this line",
            "error T0301 8:6 no process `Q` is declared before this line",
            "error T0301 9:16 no process `Q` is declared before this line",
            "error T0301 9:18 no event `stop` is declared before this line",
        ],
    ),
    (Guard("j == 1"), &["error T0301 12:24 no variable or clock `j` is declared"]),
    (Guard("(if j == 1 then 1 else 0)"), &["error T0301 12:28 no variable or clock `j` is declared"]),
    (
        Do("xx = 0; aa[0] = 1"),
        &[
            "error T0301 12:18 no variable or clock `xx` is declared",
            "error T0301 12:26 no variable or clock `aa` is declared",
        ],
    ),
    (
        Do("local counter = 1; i = countre"),
        &["error T0301 12:41 no variable or clock `countre` is declared -- did you mean `counter`?"],
    ),
    (
        File(
            "system:S\nprocess:P\nprocess:P\nevent:e\nevent:e\nclock:1:x\nint:1:0:1:0:x\nint:1:0:1:0:i\nclock:1:i\nlocation:P:l{initial:}\nlocation:P:l\n",
        ),
        &[
            "error T0302 3:9 the process `P` is declared twice",
            "error T0302 5:7 the event `e` is declared twice",
            "error T0302 7:13 the name `x` is declared twice",
            "error T0302 9:9 the name `i` is declared twice",
            "error T0302 11:12 the location `l` is declared twice",
        ],
    ),
    (Do("local i"), &["error T0302 12:24 `i` exists already"]),
    (Do("local v; local v = 1"), &["error T0302 12:33 `v` exists already"]),
    (Do("local x"), &["error T0302 12:24 `x` exists already"]),
    (
        Do("if i==0 then local v = 1 end; i = v"),
        &[
            "error T0303 12:52 `v` exists only inside the block that declares it -- declare it before that block",
        ],
    ),
    (
        Do("while i<3 do local v = 1; i = i + v end; i = v"),
        &[
            "error T0303 12:63 `v` exists only inside the block that declares it -- declare it before that block",
        ],
    ),
    (Guard("a == 1"), &["error T0304 12:24 `a` is an array of 3 -- choose an element: `a[0]` to `a[2]`"]),
    (Guard("z < 3"), &["error T0304 12:24 `z` is an array of 2 -- choose an element: `z[0]` to `z[1]`"]),
    (Do("a = 1"), &["error T0304 12:18 `a` is an array of 3 -- choose an element: `a[0]` to `a[2]`"]),
    (Do("z = 0"), &["error T0304 12:18 `z` is an array of 2 -- choose an element: `z[0]` to `z[1]`"]),
    (File("system:S\nint:1:5:3:4:i\n"), &["error T0401 2:7 there is no number from 5 to 3"]),
    (File("system:S\nint:1:0:3:4:i\n"), &["error T0402 2:11 4 is not between 0 and 3"]),
    (
        File("system:S\nclock:0:x\nint:-1:0:3:0:i\nint:2000000:0:3:0:j\nclock:4000000:y\n"),
        &[
            "error T0403 2:7 a size is at least 1",
            "error T0403 3:5 a size is at least 1",
            "error T0403 4:5 all sizes together would be more than 1048576",
            "error T0403 5:7 all sizes together would be more than 16384",
        ],
    ),
    (Do("local v[i]"), &["error T0403 12:26 the size of a local array is a constant"]),
    (Do("local v[0]"), &["error T0403 12:26 a size is at least 1"]),
    (
        Do("local v[100000]"),
        &["error T0403 12:26 the local variables of one edge would take more than 65536 cells"],
    ),
    (Guard("a[3] == 1"), &["error T0404 12:26 the elements of `a` are numbered from 0 to 2"]),
    (Guard("a[-1] == 1"), &["error T0404 12:26 the elements of `a` are numbered from 0 to 2"]),
    (Guard("i[1] == 1"), &["error T0404 12:26 `i` has one element, which is number 0"]),
    (Do("z[2] = 0"), &["error T0404 12:20 the elements of `z` are numbered from 0 to 1"]),
    (Do("local v[2]; v[1+1] = 0"), &["error T0404 12:32 the elements of `v` are numbered from 0 to 1"]),
    (Guard("i / 0 == 1"), &["error T0405 12:28 this divisor is 0"]),
    (Guard("i % (1-1) == 1"), &["error T0405 12:29 this divisor is 0"]),
    (
        Guard("x"),
        &[
            "error T0406 12:24 the clock `x` is no number -- clocks are compared with terms in guards and invariants, and assigned to clocks",
        ],
    ),
    (
        Guard("x * 2 + 1"),
        &[
            "error T0406 12:24 the clock `x` is no number -- clocks are compared with terms in guards and invariants, and assigned to clocks",
        ],
    ),
    (
        Do("i = x"),
        &[
            "error T0406 12:22 the clock `x` is no number -- clocks are compared with terms in guards and invariants, and assigned to clocks",
        ],
    ),
    (
        Guard("a[x] == 1"),
        &[
            "error T0406 12:26 the clock `x` is no number -- clocks are compared with terms in guards and invariants, and assigned to clocks",
        ],
    ),
    (
        Guard("-x"),
        &[
            "error T0406 12:25 the clock `x` is no number -- clocks are compared with terms in guards and invariants, and assigned to clocks",
        ],
    ),
    (
        Guard("i == (if i then x else 0)"),
        &[
            "error T0407 12:24 only a clock or the difference of two clocks can be compared -- move everything else to the side without clocks: `x < t - c` for `x + c < t`",
        ],
    ),
    (
        Guard("x + 1 < 5"),
        &[
            "error T0407 12:24 only a clock or the difference of two clocks can be compared -- move everything else to the side without clocks: `x < t - c` for `x + c < t`",
        ],
    ),
    (
        Guard("x - y < y"),
        &[
            "error T0407 12:24 more than two clocks in one comparison -- compare the difference of two clocks with a term: `x - y < t`",
        ],
    ),
    (
        Guard("x - y < x - y"),
        &[
            "error T0407 12:24 more than two clocks in one comparison -- compare the difference of two clocks with a term: `x - y < t`",
        ],
    ),
    (
        Guard("x < y + 1"),
        &[
            "error T0407 12:24 only a clock or the difference of two clocks can be compared -- move everything else to the side without clocks: `x < t - c` for `x + c < t`",
        ],
    ),
    (
        Guard("2*x < 5"),
        &[
            "error T0407 12:24 only a clock or the difference of two clocks can be compared -- move everything else to the side without clocks: `x < t - c` for `x + c < t`",
        ],
    ),
    (Guard("x - x < 5"), &["error T0407 12:24 the difference of a clock and itself is always 0"]),
    (Guard("z[0] < z[1-1]"), &["error T0407 12:24 the difference of a clock and itself is always 0"]),
    (
        Guard("i == 1 && x - y - x < 3"),
        &[
            "error T0407 12:34 only a clock or the difference of two clocks can be compared -- move everything else to the side without clocks: `x < t - c` for `x + c < t`",
        ],
    ),
    (
        Guard("x != 5"),
        &[
            "error T0408 12:24 clocks that differ from a value form no zone -- write one edge with `x < 5` and one with `x > 5`",
        ],
    ),
    (Guard("!(x < 5)"), &["error T0408 12:24 a condition on clocks cannot be negated -- write `x >= 5`"]),
    (
        Guard("!(x == 5)"),
        &["error T0408 12:24 a condition on clocks cannot be negated -- write one edge for each case"],
    ),
    (
        Guard("x < 5 || x > 7"),
        &[
            "error T0203 12:30 there is no `||` in this language -- between conditions on integers, write `(if a then 1 else b)` for `a || b` -- between comparisons of clocks, write one edge for each: together they form no zone",
        ],
    ),
    (
        Guard("x - y != i"),
        &[
            "error T0408 12:24 clocks that differ from a value form no zone -- write one edge with `x - y < i` and one with `x - y > i`",
        ],
    ),
    (
        Invariant("!(1 < x < 5)"),
        &["error T0408 12:25 a condition on clocks cannot be negated -- write one edge for each case"],
    ),
    (
        Invariant("x <= 5 && y"),
        &[
            "error T0406 12:35 the clock `y` is no number -- clocks are compared with terms in guards and invariants, and assigned to clocks",
        ],
    ),
    (
        Guard("i == (if x < 3 then 1 else 2)"),
        &[
            "error T0409 12:33 clocks cannot be compared inside a statement or a conditional term -- compare them in the guard, with one edge for each case",
        ],
    ),
    (
        Do("if x < 3 then i = 1 end"),
        &[
            "error T0409 12:21 clocks cannot be compared inside a statement or a conditional term -- compare them in the guard, with one edge for each case",
        ],
    ),
    (
        Do("while x - y > 3 do nop end"),
        &[
            "error T0409 12:24 clocks cannot be compared inside a statement or a conditional term -- compare them in the guard, with one edge for each case",
        ],
    ),
    (
        Do("x = y - 1"),
        &[
            "error T0410 12:22 a clock cannot be set to this -- a term can be added only: write `y + -t` for `y - t`",
        ],
    ),
    (
        Do("x = 2 * y"),
        &[
            "error T0410 12:22 a clock cannot be set to this -- write `x = t`, `x = y` or `x = y + t`, with a clock `y` and a term `t`",
        ],
    ),
    (
        Do("x = y + y"),
        &[
            "error T0410 12:22 a clock cannot be set to this -- write `x = t`, `x = y` or `x = y + t`, with a clock `y` and a term `t`",
        ],
    ),
    (
        Do("x = x - y"),
        &[
            "error T0410 12:22 a clock cannot be set to this -- a term can be added only: write `y + -t` for `y - t`",
        ],
    ),
    (
        Do("x = (if i then y else 0)"),
        &[
            "error T0410 12:22 a clock cannot be set to this -- write `x = t`, `x = y` or `x = y + t`, with a clock `y` and a term `t`",
        ],
    ),
    (Do("x = -1"), &["error T0411 12:22 a clock cannot be set to a negative value"]),
    (Do("i = 10"), &["warning T0412 12:22 10 is not between 0 and 9: this can never be executed"]),
    (
        Do("if i == 3 then a[i] = -1 end"),
        &["warning T0412 12:40 -1 is not between 0 and 9: this can never be executed"],
    ),
    (
        Guard("i < 2147483647 + 1"),
        &[
            "error T0413 12:28 this constant does not fit in 32 bits -- if results are meant to wrap, say so: `--overflow wrap`, or `# tourbillon: overflow wrap` in the model",
        ],
    ),
    (
        File("system:S\nprocess:P\nprocess:Q\nlocation:Q:l\n"),
        &[
            "error T0501 2:9 the process `P` has no locations -- mark one of its locations with `{initial:}`",
            "error T0501 3:9 the process `Q` has no initial location -- mark one of its locations with `{initial:}`",
        ],
    ),
    (
        File(
            "system:S\nevent:e\nprocess:P\nlocation:P:l{initial:}\nlocation:P:m{initial:}\nlocation:P:n{initial:}\nedge:P:l:m:e\n",
        ),
        &[
            "error T0502 5:12 the process `P` has 3 initial locations -- add a location that is initial and committed, with an edge to each of them",
        ],
    ),
    (
        File(
            "system:S\nevent:e\nevent:f\nprocess:P\nprocess:Q\nlocation:P:l{initial:}\nlocation:Q:l{initial:}\nedge:P:l:l:e\nedge:Q:l:l:f\nsync:P@e:Q@f:P@f\n",
        ),
        &["error T0503 10:14 `P` takes part twice"],
    ),
    (
        File(
            "system:S\nevent:e\nevent:f\nprocess:P\nprocess:Q\nlocation:P:l{initial:}\nlocation:Q:l{initial:}\nedge:P:l:l:e\nedge:Q:l:l:f\nsync:P@e\nsync:P@e:Q@f\nsync:P@e:Q@f\n",
        ),
        &[
            "warning T0504 10:1 only one process takes part",
            "warning T0505 12:1 this synchronisation is declared already, and ignored",
        ],
    ),
    (
        File(
            "system:S\nevent:e\nevent:f\nclock:1:x\nprocess:P\nprocess:Q\nlocation:P:l{initial:}\nlocation:Q:l{initial:}\nedge:P:l:l:e{provided: x>1}\nedge:Q:l:l:f{provided: 1==1}\nedge:Q:l:l:f{provided: x>1 : do: x=0}\nsync:P@e:Q@f?\n",
        ),
        &[
            "error T0506 11:24 `Q` takes part in `f` weakly, so this edge cannot have a guard -- move the condition to another participant, or make the synchronisation strong",
        ],
    ),
    (
        File("system:S\nevent:e\nclock:1:x\nint:1:0:1:0:i\nprocess:P\nlocation:P:l{initial:}\n"),
        &[
            "warning T0601 2:7 the event `e` is never used",
            "warning T0601 3:9 the clock `x` is never used",
            "warning T0601 4:13 the variable `i` is never used",
            "warning T0601 5:9 the process `P` has no edges",
        ],
    ),
    (
        File(
            "system:S\nevent:e\nprocess:P\nlocation:P:l{initial:}\nlocation:P:m\nlocation:P:n\nedge:P:l:l:e\nedge:P:m:n:e\n",
        ),
        &[
            "warning T0602 5:12 no edges lead from the initial location of `P` to `m`",
            "warning T0602 6:12 no edges lead from the initial location of `P` to `n`",
        ],
    ),
    (
        File(
            "system:S\nevent:e\nevent:f\nprocess:P\nprocess:Q\nlocation:P:l{initial:}\nlocation:Q:l{initial:}\nedge:P:l:l:e\nedge:Q:l:l:e\nsync:P@e:Q@f\nsync:Q@e:P@f?\n",
        ),
        &[
            "warning T0606 8:1 nobody can synchronise with `P` on `e`",
            "warning T0603 10:1 `Q` has no edge with `f`, so this never happens",
            "warning T0603 11:1 `P` has no edge with `f`, so it never takes part",
        ],
    ),
    (Do("while 1 do nop end"), &["warning T0604 12:24 this loop never ends"]),
    (
        Do("while i < 3 do a[0] = 1 end"),
        &["warning T0604 12:24 nothing in this loop changes its condition: it ends at once or never"],
    ),
    (Do("while i < 3 do i = i + 1 end"), &[]),
    (Guard("!i == 1"), &["warning T0605 12:24 `!` covers the whole comparison -- write `!(i == 1)`"]),
    (Guard("!(i == 1)"), &[]),
    (
        File("system:S\nevent:e\nprocess:P\nlocation:P:l{initial: : labels: a,,b, a}\nedge:P:l:l:e\n"),
        &["warning T0607 4:25 a label without a name", "warning T0607 4:25 the label `a` is repeated"],
    ),
    (
        File(
            "# tourbillon: overflow maybe\n  # tourbillon: overflow wrap\nsystem:S\nevent:e\nprocess:P\nlocation:P:l{initial:}\nedge:P:l:l:e\n# tourbillon: overflow error\n",
        ),
        &[
            "warning T0608 1:1 this annotation is not known, and has no effect -- there are `tourbillon: overflow error` and `tourbillon: overflow wrap`",
            "error T0609 8:1 another annotation says the opposite",
        ],
    ),
];
