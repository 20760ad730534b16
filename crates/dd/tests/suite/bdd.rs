//! Binary decision diagrams against another library's, operation by operation.
//!
//! A script makes sets out of sets at random, in both libraries, and compares what they have assignment by assignment:
//! of ours by splitting a set on one variable after the other, which takes nothing but `and`; of theirs by evaluation.
//! Now and then sets are dropped, garbage is collected, and variables are put into another order, after which everything
//! that is still there is compared again. One printed seed repeats a script. The number of scripts is
//! `TOURBILLON_SCRIPTS` (default 60), the first seed `TOURBILLON_SEED` (default 1).

use biodivine_lib_bdd::{Bdd as Theirs, BddValuation, BddVariable, BddVariableSet};
use tourbillon_base::Random;
use tourbillon_dd::{Bdd, BddError, BddResult, Bdds, StopFlag};

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

fn counted(bdds: &Bdds, set: &Bdd) -> f64 {
    bdds.counter(0).count(set).expect("no stop")
}

/// Which assignments, as numbers with a bit for each variable, a set has.
fn table(bdds: &Bdds, set: &Bdd) -> BddResult<Vec<bool>> {
    let mut table = vec![false; 1 << bdds.variables()];
    let mut open = vec![(0, 0, set.clone())];
    while let Some((variable, assignment, set)) = open.pop() {
        if set.is_no() {
            continue;
        }
        if variable == bdds.variables() {
            table[assignment] = true;
            continue;
        }
        let literal = bdds.variable(variable)?;
        open.push((variable + 1, assignment | 1 << variable, set.and(&literal)?));
        open.push((variable + 1, assignment, set.and(&literal.not()?)?));
    }
    Ok(table)
}

/// The same of a set of the other library.
fn known_table(variables: u32, set: &Theirs) -> Vec<bool> {
    let values = |assignment: u32| (0..variables).map(|variable| assignment >> variable & 1 == 1).collect();
    (0..1 << variables).map(|assignment| set.eval_in(&BddValuation::new(values(assignment)))).collect()
}

/// A set in both libraries.
#[derive(Clone)]
struct Pair {
    ours: Bdd,
    theirs: Theirs,
}

struct Script {
    seed: u64,
    random: Random,
    bdds: Bdds,
    known: BddVariableSet,
    groups: Vec<Vec<u32>>,
    sets: Vec<Pair>,
}

impl Script {
    fn new(seed: u64) -> Self {
        let mut random = Random::from_seed(seed);
        let variables = 1 + random.below(10) as u32;
        let bdds = Bdds::new(variables, 1 << 20);
        let known = BddVariableSet::new_anonymous(variables as u16);
        // Groups of one, two or three neighbours.
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for variable in 0..variables {
            match groups.last_mut() {
                Some(last) if last.len() < 3 && random.one_in(2) => last.push(variable),
                _ => groups.push(vec![variable]),
            }
        }
        let mut script = Self { seed, random, bdds, known, groups, sets: Vec::new() };
        for variable in 0..variables {
            let ours = script.bdds.variable(variable).expect("room");
            let theirs = script.known.mk_var(BddVariable::from_index(variable as usize));
            script.keep(Pair { ours, theirs }, "a variable");
        }
        let (yes, no) = (script.known.mk_true(), script.known.mk_false());
        script.keep(Pair { ours: script.bdds.yes(), theirs: yes }, "yes");
        script.keep(Pair { ours: script.bdds.no(), theirs: no }, "no");
        script
    }

    fn keep(&mut self, pair: Pair, what: &str) {
        self.compare(&pair, what);
        self.sets.push(pair);
    }

    fn compare(&self, pair: &Pair, what: &str) {
        let Pair { ours, theirs } = pair;
        let (seed, variables) = (self.seed, self.bdds.variables());
        let table = table(&self.bdds, ours).expect("room");
        assert!(table == known_table(variables, theirs), "seed {seed}: {what}");
        let count = table.iter().filter(|has| **has).count();
        assert_eq!(counted(&self.bdds, ours), count as f64, "seed {seed}: the count of {what}");
        assert_eq!((ours.is_no(), ours.is_yes()), (count == 0, count == table.len()), "seed {seed}: {what}");
        match ours.pick() {
            None => assert_eq!(count, 0, "seed {seed}: nothing is picked of {what}"),
            Some(values) => {
                assert_eq!(values.len(), variables as usize);
                let number = values.iter().rev().fold(0, |number, &value| number << 1 | usize::from(value));
                assert!(table[number], "seed {seed}: what is picked of {what} is not in it");
            }
        }
    }

    fn any(&mut self) -> Pair {
        self.random.pick(&self.sets).expect("some are never dropped").clone()
    }

    fn some_variables(&mut self) -> Vec<u32> {
        let mut variables: Vec<u32> = (0..self.bdds.variables()).collect();
        self.random.shuffle(&mut variables);
        variables.truncate(self.random.below(variables.len() + 1));
        variables
    }

    fn step(&mut self) {
        let (a, b, c) = (self.any(), self.any(), self.any());
        let made = |ours: BddResult, theirs: Theirs| Pair { ours: ours.expect("room"), theirs };
        let (pair, what) = match self.random.below(10) {
            0 => (made(a.ours.and(&b.ours), a.theirs.and(&b.theirs)), "and"),
            1 => (made(a.ours.or(&b.ours), a.theirs.or(&b.theirs)), "or"),
            2 => (made(a.ours.xor(&b.ours), a.theirs.xor(&b.theirs)), "xor"),
            3 => (made(a.ours.same(&b.ours), a.theirs.iff(&b.theirs)), "same"),
            4 => (made(a.ours.but(&b.ours), a.theirs.and_not(&b.theirs)), "but"),
            5 => (made(a.ours.not(), a.theirs.not()), "not"),
            6 => {
                let theirs = Theirs::if_then_else(&a.theirs, &b.theirs, &c.theirs);
                (made(a.ours.choose(&b.ours, &c.ours), theirs), "choose")
            }
            7 => self.forget(&a, None),
            8 => self.forget(&a, Some(&b)),
            _ => return self.rename(&a),
        };
        let within = a.ours.is_within(&b.ours).expect("room");
        assert_eq!(within, a.theirs.and_not(&b.theirs).is_false(), "seed {}: is_within", self.seed);
        self.keep(pair, what);
    }

    /// Quantification, of one set or of what two have in common.
    fn forget(&mut self, a: &Pair, b: Option<&Pair>) -> (Pair, &'static str) {
        let variables = self.some_variables();
        let cube = self.bdds.cube(variables.iter().copied()).expect("room");
        let variables: Vec<BddVariable> =
            variables.iter().map(|&variable| BddVariable::from_index(variable as usize)).collect();
        let (ours, theirs, what) = match b {
            None => (a.ours.exists(&cube), a.theirs.clone(), "exists"),
            Some(b) => (a.ours.and_exists(&b.ours, &cube), a.theirs.and(&b.theirs), "and_exists"),
        };
        (Pair { ours: ours.expect("room"), theirs: theirs.exists(&variables) }, what)
    }

    /// Variables replaced by others, all at once: by definition, since the other library renames in order alone.
    fn rename(&mut self, a: &Pair) {
        let from = self.some_variables();
        let mut to: Vec<u32> = (0..self.bdds.variables()).collect();
        self.random.shuffle(&mut to);
        let pairs: Vec<(u32, u32)> = from.into_iter().zip(to).collect();
        let renaming = self.bdds.renaming(pairs.iter().copied());
        let renamed = table(&self.bdds, &a.ours.rename(&renaming).expect("room")).expect("room");
        let before = known_table(self.bdds.variables(), &a.theirs);
        for (assignment, &has) in renamed.iter().enumerate() {
            let source = pairs.iter().fold(assignment, |source, &(from, to)| {
                source & !(1 << from) | (assignment >> to & 1) << from
            });
            assert_eq!(has, before[source], "seed {}: {pairs:?} at {assignment:b}", self.seed);
        }
    }

    fn compare_all(&self, when: &str) {
        self.sets.iter().for_each(|pair| self.compare(pair, when));
    }

    fn collect(&mut self) {
        let kept = self.random.below(self.sets.len()).max(1);
        self.random.shuffle(&mut self.sets);
        self.sets.truncate(kept);
        let (before, collections) = (self.bdds.nodes(), self.bdds.collections());
        let after = self.bdds.collect_now();
        assert!(after <= before && after == self.bdds.nodes(), "seed {}", self.seed);
        assert_eq!(self.bdds.collections(), collections + 1, "seed {}", self.seed);
        assert!(self.bdds.peak() >= before, "seed {}", self.seed);
        self.compare_all("what is left after garbage was collected");
    }

    fn sift(&mut self) {
        let mut members = self.groups.clone();
        let (before, after) = self.bdds.sift(&mut self.groups, &|| false).expect("there is room to move");
        assert!(after <= before, "seed {}: {before} nodes, then {after}", self.seed);
        members.sort();
        let mut moved = self.groups.clone();
        moved.sort();
        assert_eq!(members, moved, "seed {}: groups stay together", self.seed);
        self.compare_all("what there is after variables were moved");
    }
}

#[test]
fn operations_are_those_of_another_library() {
    let first = from_environment("TOURBILLON_SEED", 1);
    for seed in first..first + from_environment("TOURBILLON_SCRIPTS", 60) {
        let mut script = Script::new(seed);
        for _ in 0..120 {
            match script.random.below(30) {
                0 => script.collect(),
                1 => script.sift(),
                _ => script.step(),
            }
        }
    }
}

/// The order matters so much to this that a good one is found, and what is made after that is right as well.
#[test]
fn sifting_finds_a_good_order() {
    let bdds = Bdds::new(20, 1 << 24);
    let pairs = products(&bdds, 10, |pair| (pair, pair + 10)).expect("room");
    let before = pairs.nodes();
    let count = counted(&bdds, &pairs);
    let mut groups: Vec<Vec<u32>> = (0..20).map(|variable| vec![variable]).collect();
    bdds.sift(&mut groups, &|| false).expect("there is room to move");
    assert!(pairs.nodes() * 10 < before, "{before} nodes, then {}", pairs.nodes());
    assert_eq!(counted(&bdds, &pairs), count);
    assert_eq!(products(&bdds, 10, |pair| (pair, pair + 10)).expect("room"), pairs);
}

/// Where some pair of variables is true: small if pairs are neighbours, and exponential if all firsts come before all
/// seconds.
fn products(bdds: &Bdds, count: u32, pair: impl Fn(u32) -> (u32, u32)) -> BddResult {
    (0..count).map(pair).try_fold(bdds.no(), |sum, (first, second)| {
        sum.or(&bdds.variable(first)?.and(&bdds.variable(second)?)?)
    })
}

#[test]
fn running_out_of_room_is_an_error_and_no_more() {
    let bdds = Bdds::new(60, Bdds::BYTES_MIN);
    let small = products(&bdds, 6, |pair| (pair, pair + 30)).expect("room");
    let (count, bytes) = (counted(&bdds, &small), bdds.bytes());
    assert_eq!(products(&bdds, 20, |pair| (pair, pair + 30)), Err(BddError::Full));
    assert!(bdds.bytes() > bytes, "what was used shows");
    assert_eq!(counted(&bdds, &small), count);
    let peak = bdds.peak();
    assert!(bdds.collect_now() < peak, "what did not fit is garbage");
    assert_eq!(bdds.peak(), peak);
    let again = products(&bdds, 6, |pair| (pair, pair + 30)).expect("there is room again");
    assert_eq!(again, small);
    assert_eq!(small.xor(&again).map(|both| both.is_no()), Ok(true));
    assert_eq!(products(&bdds, 20, |pair| (2 * pair, 2 * pair + 1)).map(|pairs| pairs.nodes()), Ok(41));
}

/// There must be head-room: a store that is more than half full stays as it is.
#[test]
fn nothing_is_moved_in_a_store_that_is_nearly_full() {
    let bdds = Bdds::new(24, Bdds::BYTES_MIN);
    let mut groups: Vec<Vec<u32>> = (0..24).map(|variable| vec![variable]).collect();
    let [_medium, large] =
        [9, 10].map(|count| products(&bdds, count, |pair| (pair, pair + 12)).expect("room"));
    bdds.collect_now();
    let small = products(&bdds, 12, |pair| (2 * pair, 2 * pair + 1)).expect("room");
    let count = counted(&bdds, &large);
    assert_eq!(bdds.sift(&mut groups, &|| false), None);
    assert_eq!(groups, (0..24).map(|variable| vec![variable]).collect::<Vec<_>>());
    assert_eq!(counted(&bdds, &large), count);
    assert_eq!(small.nodes(), 25);
}

/// One number for all variables that a set does not mention, and several sets at once.
#[test]
fn several_sets_are_counted_together() {
    let bdds = Bdds::new(60, Bdds::BYTES_MIN);
    let mut counter = bdds.counter(40);
    let pairs = products(&bdds, 6, |pair| (2 * pair, 2 * pair + 1)).expect("room");
    // Of each pair three of four combinations are not both true.
    let others = f64::from(3u32.pow(6)) * 256.0;
    assert_eq!(counter.count(&pairs.not().expect("room")), Ok(others));
    assert_eq!(counter.count(&pairs), Ok(f64::from(1 << 20) - others));
    assert_eq!(counter.count(&bdds.no()), Ok(0.0));
    assert_eq!(counter.count(&bdds.yes()), Ok(f64::from(1 << 20)));
}

/// Each operation, on sets that have nothing in common but variables.
fn operations(bdds: &Bdds, a: &Bdd, b: &Bdd, c: &Bdd) -> Vec<BddResult> {
    let cube = bdds.cube([0]).expect("one variable is no work");
    let renaming = bdds.renaming([(0, 1), (1, 0)]);
    vec![
        a.and(b),
        a.or(b),
        a.xor(b),
        a.same(b),
        a.but(b),
        a.choose(b, c),
        a.exists(&cube),
        a.and_exists(b, &cube),
        a.rename(&renaming),
    ]
}

/// After a stop, everything that is any work ends at once, makes no node, and leaves what there is as it was.
#[test]
fn nothing_is_made_after_a_stop() {
    let stop_flag = StopFlag::default();
    let bdds = Bdds::with_stop_flag(24, 1 << 20, &stop_flag);
    let [a, b, c] =
        [1, 5, 7].map(|shift| products(&bdds, 8, |pair| (pair, 8 + (pair * shift) % 16)).expect("no stop"));
    let (nodes, table) = (bdds.nodes(), [&a, &b, &c].map(Bdd::nodes));
    stop_flag.set();
    let made = operations(&bdds, &a, &b, &c);
    assert!(made.iter().all(|made| *made == Err(BddError::Over)), "{made:?}");
    assert_eq!(bdds.counter(0).count(&a), Err(BddError::Over));
    assert_eq!(bdds.nodes(), nodes);
    assert_eq!([&a, &b, &c].map(Bdd::nodes), table);
    // What is known without looking is still said.
    assert_eq!((a.and(&bdds.no()), a.or(&a), a.xor(&a)), (Ok(bdds.no()), Ok(a.clone()), Ok(bdds.no())));
}

/// It is heard in the middle of an operation: alone it would go on until the room is full.
#[test]
fn a_stop_in_the_middle_of_an_operation_ends_it() {
    let stop_flag = StopFlag::default();
    let bdds = Bdds::with_stop_flag(80, 1 << 30, &stop_flag);
    // Some 2^41 nodes, of which there is room for a fraction, and time for fewer.
    let made = std::thread::scope(|scope| {
        let rings = stop_flag.clone();
        scope.spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(50));
            rings.set();
        });
        products(&bdds, 40, |pair| (pair, pair + 40))
    });
    assert_eq!(made, Err(BddError::Over));
    assert!(bdds.nodes() < bdds.room(), "it was not for room that it ended");
}
