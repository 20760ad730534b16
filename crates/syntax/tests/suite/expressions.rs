//! Expressions: precedence, every construct, and random trees printed and parsed again.

use tourbillon_base::{Id, Random, SourceId, SourceMap, Span};
use tourbillon_syntax::operator::{AssignOp, BinaryOp, QuantifierOp, UnaryOp};
use tourbillon_syntax::tree::{
    Binder, ChainLink, Conditional, ExprId, ExprKind, Name, Quantifier, Tree, Type, TypeKind, TypePrefix,
};
use tourbillon_syntax::{Dialect, Reader, print, sexpr};

use super::{Kind, accept};

/// Text, the shape of its tree, and the text printed from it.
const CASES: &[(&str, &str, &str)] = &[
    // Each level against the next, both ways round.
    ("a || b && c", "(|| a (&& b c))", "a || b && c"),
    ("a && b || c", "(|| (&& a b) c)", "a && b || c"),
    ("a && b | c", "(&& a (| b c))", "a && b | c"),
    ("a | b ^ c", "(| a (^ b c))", "a | b ^ c"),
    ("a ^ b & c", "(^ a (& b c))", "a ^ b & c"),
    ("a & b == c", "(& a (== b c))", "a & b == c"),
    ("a == b < c", "(== a (< b c))", "a == b < c"),
    ("a < b <? c", "(< a (<? b c))", "a < b <? c"),
    ("a <? b << c", "(<? a (<< b c))", "a <? b << c"),
    ("a << b + c", "(<< a (+ b c))", "a << b + c"),
    ("a + b * c", "(+ a (* b c))", "a + b * c"),
    ("a * b ** c", "(* a (** b c))", "a * b ** c"),
    ("-a ** b", "(** (-_ a) b)", "-a ** b"),
    ("!a == b", "(== (! a) b)", "!a == b"),
    ("not a and b", "(&& (! a) b)", "!a && b"),
    ("-a++", "(-_ (_++ a))", "-a++"),
    ("!a.b[1]'", "(! (' (index (field a b) 1)))", "!a.b[1]'"),
    ("a ? b : c || d", "(?: a b (|| c d))", "a ? b : c || d"),
    ("a || b ? c : d", "(?: (|| a b) c d)", "a || b ? c : d"),
    ("a = b ? c : d", "(= a (?: b c d))", "a = b ? c : d"),
    ("a && x := b || c", "(= (&& a x) (|| b c))", "a && x = b || c"),
    // Associativity.
    ("a - b - c", "(- (- a b) c)", "a - b - c"),
    ("a - b + c * d - e", "(- (+ (- a b) (* c d)) e)", "a - b + c * d - e"),
    ("a - (b - c)", "(- a (- b c))", "a - (b - c)"),
    ("(a - b) - c", "(- (- a b) c)", "a - b - c"),
    ("((a + b) - c) + d", "(+ (- (+ a b) c) d)", "a + b - c + d"),
    ("a ** b ** c", "(** (** a b) c)", "a ** b ** c"),
    ("a < b < c", "(< (< a b) c)", "a < b < c"),
    ("a imply b imply c", "(imply (imply a b) c)", "a imply b imply c"),
    ("a imply b or c", "(|| (imply a b) c)", "a imply b || c"),
    ("a or b imply c and d", "(imply (|| a b) (&& c d))", "a || b imply c && d"),
    ("a xor b or c", "(|| (xor a b) c)", "a xor b || c"),
    ("a imply (b imply c)", "(imply a (imply b c))", "a imply (b imply c)"),
    ("a = b = c", "(= a (= b c))", "a = b = c"),
    ("(a = b) = c", "(= (= a b) c)", "(a = b) = c"),
    ("a ? b : c ? d : e", "(?: a b (?: c d e))", "a ? b : c ? d : e"),
    ("(a ? b : c) ? d : e", "(?: (?: a b c) d e)", "(a ? b : c) ? d : e"),
    ("a ? b ? c : d : e", "(?: a (?: b c d) e)", "a ? b ? c : d : e"),
    ("a ? b = 1 : (c = 2)", "(?: a (= b 1) (= c 2))", "a ? b = 1 : (c = 2)"),
    // Brackets that are needed and brackets that are not.
    ("((a))", "a", "a"),
    ("(a + b) * c", "(* (+ a b) c)", "(a + b) * c"),
    ("(a * b) + c", "(+ (* a b) c)", "a * b + c"),
    ("-(a + b)", "(-_ (+ a b))", "-(a + b)"),
    ("-(-a)", "(-_ (-_ a))", "- -a"),
    ("- --a", "(-_ (--_ a))", "- --a"),
    ("+(++a)", "(+_ (++_ a))", "+ ++a"),
    ("a - -b", "(- a (-_ b))", "a - -b"),
    ("(-a)[1]", "(index (-_ a) 1)", "(-a)[1]"),
    ("(1).x", "(field 1 x)", "(1).x"),
    ("!(a && b)", "(! (&& a b))", "!(a && b)"),
    // Quantifiers reach as far right as they can.
    ("forall (i : T) a && b", "(forall (: i T) (&& a b))", "forall (i : T) a && b"),
    ("(forall (i : T) a) && b", "(&& (forall (: i T) a) b)", "(forall (i : T) a) && b"),
    ("a && forall (i : T) b || c", "(&& a (forall (: i T) (|| b c)))", "a && forall (i : T) b || c"),
    ("(a && forall (i : T) b) || c", "(|| (&& a (forall (: i T) b)) c)", "a && (forall (i : T) b) || c"),
    (
        "!exists (i : int[0,N-1]) x[i]",
        "(! (exists (: i (int 0 (- N 1))) (index x i)))",
        "!exists (i : int[0, N - 1]) x[i]",
    ),
    ("sum (i : T) a[i] <= 3", "(sum (: i T) (<= (index a i) 3))", "sum (i : T) a[i] <= 3"),
    ("(sum (i : T) a[i]) <= 3", "(<= (sum (: i T) (index a i)) 3)", "(sum (i : T) a[i]) <= 3"),
    (
        "forall (i : T) forall (j : T) i != j",
        "(forall (: i T) (forall (: j T) (!= i j)))",
        "forall (i : T) forall (j : T) i != j",
    ),
    ("f(forall (i : T) a, b)", "(call f (forall (: i T) a) b)", "f(forall (i : T) a, b)"),
    ("a ? forall (i : T) b : c", "(?: a (forall (: i T) b) c)", "a ? forall (i : T) b : c"),
    ("foreach (p : P) p.x", "(foreach (: p P) (field p x))", "foreach (p : P) p.x"),
    // The rest.
    ("P(1,2).loc", "(field (call P 1 2) loc)", "P(1, 2).loc"),
    ("f()", "(call f)", "f()"),
    ("a[i][j+1].f.g", "(field (field (index (index a i) (+ j 1)) f) g)", "a[i][j + 1].f.g"),
    ("x' == 0 && y <= 5", "(&& (== (' x) 0) (<= y 5))", "x' == 0 && y <= 5"),
    ("x++ + ++y", "(+ (_++ x) (++_ y))", "x++ + ++y"),
    ("x-- - --y", "(- (_-- x) (--_ y))", "x-- - --y"),
    ("x --> 0", "(> (_-- x) 0)", "x-- > 0"),
    ("a += b -= c", "(+= a (-= b c))", "a += b -= c"),
    ("a *= 2", "(*= a 2)", "a *= 2"),
    ("a /= 2", "(/= a 2)", "a /= 2"),
    ("a %= 2", "(%= a 2)", "a %= 2"),
    ("a &= 2", "(&= a 2)", "a &= 2"),
    ("a |= 2", "(|= a 2)", "a |= 2"),
    ("a ^= 2", "(^= a 2)", "a ^= 2"),
    ("a <<= 2", "(<<= a 2)", "a <<= 2"),
    ("a >>= 2", "(>>= a 2)", "a >>= 2"),
    ("-2147483648", "-2147483648", "-2147483648"),
    ("- 2147483648 + 1", "(+ -2147483648 1)", "-2147483648 + 1"),
    ("-2147483647", "(-_ 2147483647)", "-2147483647"),
    ("1.50e3 * .5", "(* 1.50e3 .5)", "1.50e3 * .5"),
    ("true != false", "(!= true false)", "true != false"),
    ("deadlock", "deadlock", "deadlock"),
    ("spawn P(1, x)", "(spawn P 1 x)", "spawn P(1, x)"),
    ("exit()", "<exit>", "exit()"),
    ("numOf(P) > 2", "(> (numOf P) 2)", "numOf(P) > 2"),
    ("A + E - U", "(- (+ A E) U)", "A + E - U"),
    ("continue + sup + query", "(+ (+ continue sup) query)", "continue + sup + query"),
    ("a /* b */ + // c\n d", "(+ a d)", "a + d"),
];

#[test]
fn expressions_have_the_shape_that_the_manual_gives_them() {
    for &(text, shape, printed) in CASES {
        let parsed = accept(Kind::Assignments, text);
        assert_eq!((parsed.shape.as_str(), parsed.printed.as_str()), (shape, printed), "{text}");
    }
}

#[test]
fn every_binary_operator_binds_by_its_level() {
    for &left in BinaryOp::ALL {
        for &right in BinaryOp::ALL {
            let (l, r) = (left.text(), right.text());
            let text = format!("a {l} b {r} c");
            let shape = match left.level() >= right.level() {
                true => format!("({r} ({l} a b) c)"),
                false => format!("({l} a ({r} b c))"),
            };
            assert_eq!(accept(Kind::Rate, &text).shape, shape, "{text}");
        }
    }
}

#[test]
fn random_trees_come_back_as_they_were() {
    let seed = 2026;
    let mut random = Random::from_seed(seed);
    for case in 0..20_000 {
        let mut tree = Tree::new();
        let expr = grow(&mut tree, &mut random, 5);
        let (text, shape) = (print::expr(&tree, expr), sexpr::expr(&tree, expr));
        let mut sources = SourceMap::new();
        let file = sources.add_file("random", text.as_str());
        let mut reader = Reader::new(&sources, Dialect::New);
        let back = reader.rate(file).map(|back| sexpr::expr(&reader.tree, back));
        assert_eq!(reader.diagnostics.error_count(), 0, "seed {seed}, case {case}: {text}");
        assert_eq!(back.as_deref(), Some(shape.as_str()), "seed {seed}, case {case}: {text}");
        assert!(is_minimal(&text, &shape), "seed {seed}, case {case}: too many brackets in {text}");
    }
}

/// Whether no pair of round brackets can be left out. Only short texts are tried, and only brackets that are not
/// those of a call or quantifier.
fn is_minimal(text: &str, shape: &str) -> bool {
    if text.len() > 60 || text.contains("(i : T)") {
        return true;
    }
    let bytes = text.as_bytes();
    (0..bytes.len()).filter(|&at| bytes[at] == b'(').all(|open| {
        let after_name =
            open > 0 && (bytes[open - 1].is_ascii_alphanumeric() || b")]'.+-".contains(&bytes[open - 1]));
        if after_name && !text[..open].ends_with(['-', '+']) {
            return true;
        }
        let mut depth = 0;
        let close = (open..bytes.len()).find(|&at| {
            depth += i32::from(bytes[at] == b'(') - i32::from(bytes[at] == b')');
            depth == 0
        });
        let Some(close) = close else { return false };
        let without = format!("{}{}{}", &text[..open], &text[open + 1..close], &text[close + 1..]);
        let parsed = super::parse(Kind::Rate, &without);
        !parsed.messages.is_empty() || parsed.shape != shape
    })
}

fn grow(tree: &mut Tree, random: &mut Random, depth: usize) -> ExprId {
    let kind = match random.below(if depth == 0 { 3 } else { 14 }) {
        0 => ExprKind::Int(*random.pick(&[0, 7, i32::MAX, i32::MIN]).unwrap()),
        1 => ExprKind::Bool(random.one_in(2)),
        2 => ExprKind::Name(tree.intern(random.pick(&["a", "b", "x1", "A"]).unwrap())),
        3 | 4 => {
            let op = *random.pick(UnaryOp::ALL).unwrap();
            ExprKind::Unary { op, operand: grow(tree, random, depth - 1) }
        }
        5..=8 => return grow_chain(tree, random, depth),
        9 => ExprKind::Conditional(Box::new(Conditional {
            condition: grow(tree, random, depth - 1),
            yes: grow(tree, random, depth - 1),
            no: grow(tree, random, depth - 1),
        })),
        10 => ExprKind::Assign {
            op: *random.pick(AssignOp::ALL).unwrap(),
            target: grow(tree, random, depth - 1),
            value: grow(tree, random, depth - 1),
        },
        11 => ExprKind::Index { array: grow(tree, random, depth - 1), index: grow(tree, random, depth - 1) },
        12 => ExprKind::Field { record: grow(tree, random, depth - 1), field: tree.intern("f") },
        _ => ExprKind::Quantifier(Box::new(grow_quantifier(tree, random, depth))),
    };
    tree.add(kind, nowhere()).unwrap()
}

/// Operators of one level, any number of operands.
fn grow_chain(tree: &mut Tree, random: &mut Random, depth: usize) -> ExprId {
    let level = random.pick(BinaryOp::ALL).unwrap().level();
    let ops: Vec<BinaryOp> = BinaryOp::ALL.iter().copied().filter(|op| op.level() == level).collect();
    let first = grow(tree, random, depth - 1);
    let length = 1 + random.below(3);
    let links: Vec<ChainLink> = (0..length)
        .map(|_| ChainLink { op: *random.pick(&ops).unwrap(), operand: grow(tree, random, depth - 1) })
        .collect();
    tree.add_chain(first, links, nowhere()).unwrap()
}

fn grow_quantifier(tree: &mut Tree, random: &mut Random, depth: usize) -> Quantifier {
    let kind = TypeKind::Named(tree.intern("T"));
    let name = Name { symbol: tree.intern("i"), span: nowhere() };
    let ty = Type { prefix: TypePrefix::default(), kind, span: nowhere() };
    let op = *random.pick(QuantifierOp::ALL).unwrap();
    Quantifier { op, binder: Binder { name, ty }, body: grow(tree, random, depth - 1) }
}

fn nowhere() -> Span {
    Span::new(SourceId::from_index(0), 0, 0)
}
