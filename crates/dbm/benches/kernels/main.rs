//! `cargo bench -p tourbillon-dbm`: the kernels beside a straightforward implementation, in one run.
//!
//! Each figure is the fastest of many rounds over the same 64 zones, in nanoseconds per operation, and the
//! two sides take turns, so that whatever else the machine does falls on both. Operations that change a zone
//! are timed with the copy that precedes them, on both sides. The zones are random, bounded and dense, with
//! constants up to 100; both sides are checked to agree on all of them before anything is timed.
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod straightforward;

use std::hint::black_box;
use std::time::Instant;

use straightforward::Matrix;
use tourbillon_base::{Id, Random};
use tourbillon_dbm::forms::{Bits, Codes, Digits, Form, Minimal};
use tourbillon_dbm::{Bound, Clock, ClockBounds, Constant, Constraint, Dbm, Dimension, OpenDbm};

const ZONES: usize = 64;
const ROUNDS: usize = 60;
const LARGEST: i32 = 100;

fn main() {
    println!(
        "{:<30} {:>7} {:>12} {:>12} {:>7}",
        "operation (ns)", "clocks", "straight", "tourbillon", "ratio"
    );
    for clocks in [4, 8, 16, 32] {
        let bench = Bench::new(clocks, 42);
        bench.agree();
        bench.matrices();
        bench.abstractions();
        bench.comparisons();
        bench.forms();
        println!();
    }
}

/// The zones of one dimension, on both sides.
struct Bench {
    /// What the names of the operations to time contain.
    wanted: Option<String>,
    dimension: Dimension,
    zones: Vec<Dbm>,
    /// Each meets the zone of the same index.
    meeting: Vec<Dbm>,
    /// Each includes the zone of the same index.
    larger: Vec<Dbm>,
    open: Vec<OpenDbm>,
    constraints: Vec<Constraint>,
    bounds: ClockBounds,
    lower: Vec<i32>,
    upper: Vec<i32>,
    straight: Vec<Matrix>,
    straight_meeting: Vec<Matrix>,
    straight_larger: Vec<Matrix>,
    straight_open: Vec<Matrix>,
}

impl Bench {
    fn new(clocks: usize, seed: u64) -> Self {
        let dimension = Dimension::of_clocks(clocks).expect("few clocks");
        let mut random = Random::from_seed(seed);
        let mut bounds = ClockBounds::none(dimension);
        for clock in dimension.iter() {
            bounds.raise_lower(clock, constant(random.within(0..=LARGEST)));
            bounds.raise_upper(clock, constant(random.within(0..=LARGEST)));
        }
        let limit = |limit: Option<Constant>| limit.map_or(0, Constant::get);
        let indices = || (0..=clocks).map(Clock::from_index);
        let lower = indices().map(|clock| limit(bounds.lower(clock))).collect();
        let upper = indices().map(|clock| limit(bounds.upper(clock))).collect();

        let mut constraints = Vec::new();
        let (mut zones, mut meeting) = (Vec::new(), Vec::new());
        let (mut larger, mut open) = (Vec::new(), Vec::new());
        for _ in 0..ZONES {
            let point: Vec<i32> =
                (0..=clocks).map(|i| if i == 0 { 0 } else { random.within(0..=LARGEST / 2) }).collect();
            let matrix = around(&mut random, dimension, &point);
            let zone = matrix.clone().close().expect("the point is in it");
            let other = around(&mut random, dimension, &point).close().expect("the point is in it");
            let mut hull = other.clone();
            hull.hull(&zone);
            constraints.push(cut(&mut random, &zone));
            open.push(matrix);
            zones.push(zone);
            meeting.push(other);
            larger.push(hull);
        }
        let (straight, straight_meeting) = (plain_all(&zones), plain_all(&meeting));
        let straight_larger = plain_all(&larger);
        let straight_open = open.iter().map(|open| plain_open(dimension, open)).collect();
        let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
        Self {
            wanted,
            dimension,
            zones,
            meeting,
            larger,
            open,
            constraints,
            bounds,
            lower,
            upper,
            straight,
            straight_meeting,
            straight_larger,
            straight_open,
        }
    }

    /// Both sides give the same results on everything that is timed.
    fn agree(&self) {
        for index in 0..ZONES {
            let next = (index + 1) % ZONES;
            for (plus, maximal) in [(false, false), (true, false), (false, true), (true, true)] {
                let (mut ours, mut theirs) = (self.zones[index].clone(), self.straight[index].clone());
                self.extrapolate(&mut ours, plus, maximal);
                self.extrapolate_straight(&mut theirs, plus, maximal);
                assert_eq!(plain(&ours).d, theirs.d);
            }
            let (mut ours, mut theirs) = (self.zones[index].clone(), self.straight[index].clone());
            assert!(ours.intersect(&self.meeting[index]) && theirs.intersect(&self.straight_meeting[index]));
            assert_eq!(plain(&ours).d, theirs.d);
            let simulated = self.zones[index].is_simulated_lu(&self.zones[next], &self.bounds);
            assert_eq!(
                simulated,
                self.straight[index].simulated(&self.straight[next], &self.lower, &self.upper)
            );
            assert!(self.straight_larger[index].includes(&self.straight[index]));
            assert!(self.larger[index].includes(&self.zones[index]));
        }
    }

    fn matrices(&self) {
        let mut closed = self.straight[0].clone();
        let theirs = || {
            for open in &self.straight_open {
                closed.copy_from(open);
                black_box(closed.close());
            }
        };
        let ours = || {
            for open in &self.open {
                black_box(open.clone().close());
            }
        };
        self.compare("close", theirs, ours);

        let (mut theirs_zone, mut ours_zone) = (self.straight[0].clone(), self.zones[0].clone());
        let theirs = || {
            for (zone, c) in self.straight.iter().zip(&self.constraints) {
                theirs_zone.copy_from(zone);
                black_box(theirs_zone.constrain(c.left.index(), c.right.index(), raw(c.bound)));
            }
        };
        let ours = || {
            for (zone, &constraint) in self.zones.iter().zip(&self.constraints) {
                ours_zone.copy_from(zone);
                black_box(ours_zone.constrain(constraint));
            }
        };
        self.compare("constrain", theirs, ours);

        let (mut theirs_zone, mut ours_zone) = (self.straight[0].clone(), self.zones[0].clone());
        let theirs = || {
            for (zone, other) in self.straight.iter().zip(&self.straight_meeting) {
                theirs_zone.copy_from(zone);
                black_box(theirs_zone.intersect(other));
            }
        };
        let ours = || {
            for (zone, other) in self.zones.iter().zip(&self.meeting) {
                ours_zone.copy_from(zone);
                black_box(ours_zone.intersect(other));
            }
        };
        self.compare("intersect and close", theirs, ours);
    }

    fn abstractions(&self) {
        let cases = [
            ("extra-m and close", false, true),
            ("extra-m+ and close", true, true),
            ("extra-lu and close", false, false),
            ("extra-lu+ and close", true, false),
        ];
        for (name, plus, maximal) in cases {
            let (mut theirs_zone, mut ours_zone) = (self.straight[0].clone(), self.zones[0].clone());
            let theirs = || {
                for zone in &self.straight {
                    theirs_zone.copy_from(zone);
                    self.extrapolate_straight(black_box(&mut theirs_zone), plus, maximal);
                }
            };
            let ours = || {
                for zone in &self.zones {
                    ours_zone.copy_from(zone);
                    self.extrapolate(black_box(&mut ours_zone), plus, maximal);
                }
            };
            self.compare(name, theirs, ours);
        }
    }

    fn comparisons(&self) {
        let theirs = || {
            for (small, large) in self.straight.iter().zip(&self.straight_larger) {
                black_box(black_box(large).includes(black_box(small)));
            }
        };
        let ours = || {
            for (small, large) in self.zones.iter().zip(&self.larger) {
                black_box(black_box(large).includes(black_box(small)));
            }
        };
        self.compare("inclusion, holds", theirs, ours);

        let theirs = || {
            for (small, large) in self.straight.iter().zip(&self.straight[1..]) {
                black_box(black_box(large).includes(black_box(small)));
            }
        };
        let ours = || {
            for (small, large) in self.zones.iter().zip(&self.zones[1..]) {
                black_box(black_box(large).includes(black_box(small)));
            }
        };
        self.compare("inclusion, fails", theirs, ours);

        let theirs = || {
            for (small, large) in self.straight.iter().zip(&self.straight_larger) {
                black_box(black_box(small).simulated(black_box(large), &self.lower, &self.upper));
            }
        };
        let ours = || {
            for (small, large) in self.zones.iter().zip(&self.larger) {
                black_box(black_box(small).is_simulated_lu(black_box(large), &self.bounds));
            }
        };
        self.compare("a_LU, holds", theirs, ours);
    }

    fn forms(&self) {
        let codes = Codes::uniform(constant(LARGEST));
        let bits = Bits::new(self.dimension, codes.clone());
        self.form("bits", &bits, |large, small, _| bits.includes_packed(large, small));
        let digits = Digits::new(self.dimension, codes);
        self.form("digits", &digits, |large, small, _| digits.includes_packed(large, small));
        let mut minimal = Minimal::new(self.dimension);
        let mut bytes = Vec::new();
        self.zones.iter().chain(&self.larger).for_each(|zone| minimal.write(zone, &mut bytes));
        self.form("minimal", &minimal, |large, _, zone| minimal.includes(large, zone));
    }

    /// A form beside plain inclusion of the same zones. Whether an encoded zone includes another is asked of
    /// both as words, or of the one as words and the other as it is, whichever the form is good at.
    fn form<F: Form>(&self, name: &str, form: &F, includes: impl Fn(&[F::Word], &[F::Word], &Dbm) -> bool) {
        if !self.wanted.as_ref().is_none_or(|wanted| wanted.contains(name)) {
            return;
        }
        let encode = |zone: &Dbm| {
            let mut words = Vec::new();
            form.encode(zone, &mut words).expect("constants are within range");
            words
        };
        let small: Vec<_> = self.zones.iter().map(encode).collect();
        let large: Vec<_> = self.larger.iter().map(encode).collect();
        let plain = || {
            for (small, large) in self.zones.iter().zip(&self.larger) {
                black_box(black_box(large).includes(black_box(small)));
            }
        };
        let packed = || {
            for ((small, large), zone) in small.iter().zip(&large).zip(&self.zones) {
                black_box(includes(black_box(large), black_box(small), zone));
            }
        };
        self.compare(&format!("inclusion, {name} (to plain)"), plain, packed);

        let mut buffer = Vec::new();
        let encode = time(&mut || {
            for zone in &self.zones {
                buffer.clear();
                form.encode(black_box(zone), &mut buffer).expect("constants are within range");
            }
        });
        let mut zone = self.zones[0].clone();
        let decode = time(&mut || {
            for words in &small {
                form.decode(black_box(words), &mut zone);
            }
        });
        self.print(&format!("encode, {name}"), None, encode);
        self.print(&format!("decode, {name}"), None, decode);
        let size = self.dimension.size();
        let bytes = small.iter().map(|words| size_of_val(&words[..])).sum::<usize>() as f64 / ZONES as f64;
        let plain = (size * size * size_of::<i32>()) as f64;
        let clocks = self.dimension.clocks();
        println!(
            "{:<30} {clocks:>7} {plain:>12.0} {bytes:>12.1} {:>6.2}x",
            format!("bytes, {name} (to plain)"),
            plain / bytes
        );
    }

    fn extrapolate(&self, zone: &mut Dbm, plus: bool, maximal: bool) {
        match (plus, maximal) {
            (false, true) => zone.extra_m(&self.bounds),
            (true, true) => zone.extra_m_plus(&self.bounds),
            (false, false) => zone.extra_lu(&self.bounds),
            (true, false) => zone.extra_lu_plus(&self.bounds),
        }
    }

    fn extrapolate_straight(&self, zone: &mut Matrix, plus: bool, maximal: bool) {
        if maximal {
            let maximum: Vec<i32> = self.lower.iter().zip(&self.upper).map(|(&l, &u)| l.max(u)).collect();
            zone.extrapolate(&maximum, &maximum, plus);
        } else {
            zone.extrapolate(&self.lower, &self.upper, plus);
        }
    }

    fn compare(&self, name: &str, mut theirs: impl FnMut(), mut ours: impl FnMut()) {
        if !self.wanted.as_ref().is_none_or(|wanted| name.contains(wanted)) {
            return;
        }
        let (mut straight, mut tourbillon) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..4 {
            straight = straight.min(time(&mut theirs));
            tourbillon = tourbillon.min(time(&mut ours));
        }
        self.print(name, Some(straight), tourbillon);
    }

    fn print(&self, name: &str, straight: Option<f64>, ours: f64) {
        let clocks = self.dimension.clocks();
        match straight {
            Some(straight) => {
                println!("{name:<30} {clocks:>7} {straight:>12.1} {ours:>12.1} {:>6.2}x", straight / ours);
            }
            None => println!("{name:<30} {clocks:>7} {:>12} {ours:>12.1}", "-"),
        }
    }
}

/// Nanoseconds per zone: the fastest of many rounds.
fn time(work: &mut dyn FnMut()) -> f64 {
    let mut fastest = f64::INFINITY;
    let mut repeats = 1;
    while elapsed(work, repeats) < 100_000.0 {
        repeats *= 2;
    }
    for _ in 0..ROUNDS / 4 {
        fastest = fastest.min(elapsed(work, repeats) / repeats as f64);
    }
    fastest / ZONES as f64
}

fn elapsed(work: &mut dyn FnMut(), repeats: usize) -> f64 {
    let start = Instant::now();
    (0..repeats).for_each(|_| work());
    start.elapsed().as_nanos() as f64
}

/// Random bounds that this point satisfies, between all pairs of clocks.
fn around(random: &mut Random, dimension: Dimension, point: &[i32]) -> OpenDbm {
    let mut matrix = OpenDbm::universal(dimension);
    for i in 0..point.len() {
        for j in (0..point.len()).filter(|&j| j != i) {
            let difference = point[i] - point[j];
            let slack = constant(random.within(difference..=LARGEST.min(difference + 40)));
            matrix.tighten(Constraint::new(Clock::from_index(i), Clock::from_index(j), Bound::weak(slack)));
        }
    }
    matrix
}

/// A constraint that cuts the zone without emptying it, if its first clocks leave room for one.
fn cut(random: &mut Random, zone: &Dbm) -> Constraint {
    let clocks = zone.dimension().clocks();
    let (i, j) = (1 + random.below(clocks), random.below(clocks));
    let (left, right) = (Clock::from_index(i), Clock::from_index(if i == j { 0 } else { j }));
    let interval = zone.interval(left, right);
    let low = -interval.negated_lower.constant().map_or(0, Constant::get);
    Constraint::new(left, right, Bound::weak(constant(low)))
}

fn constant(value: i32) -> Constant {
    Constant::new(value.into()).expect("a small constant")
}

fn raw(bound: Bound) -> i32 {
    bound.constant().map_or(straightforward::INFINITY, |c| 2 * c.get() + i32::from(!bound.is_strict()))
}

fn plain_all(zones: &[Dbm]) -> Vec<Matrix> {
    zones.iter().map(plain).collect()
}

fn plain(zone: &Dbm) -> Matrix {
    let n = zone.dimension().size();
    let clock = Clock::from_index;
    let d = (0..n * n).map(|entry| raw(zone.bound(clock(entry / n), clock(entry % n)))).collect();
    Matrix { n, d }
}

fn plain_open(dimension: Dimension, open: &OpenDbm) -> Matrix {
    let n = dimension.size();
    let clock = Clock::from_index;
    let d = (0..n * n).map(|entry| raw(open.bound(clock(entry / n), clock(entry % n)))).collect();
    Matrix { n, d }
}
