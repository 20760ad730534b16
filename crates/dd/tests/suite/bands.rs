//! Diagrams cut into bands say what whole ones say, and have the same nodes, also when the cuts move.

use std::collections::BTreeSet;

use tourbillon_base::Random;
use tourbillon_dbm::Dbm;
use tourbillon_dd::{
    Band, BandChange, Compact, Handle, Inclusion, Layers, MovedTarget, Settings, Slice, Slicer,
};
use tourbillon_testkit::bridge;

use crate::{all_settings, diagrams, federation, random_zone};

/// Bands one below the other, in one memory: every question goes down to the last at once.
struct Stack {
    slicer: Slicer,
    bands: Vec<(Band, usize)>,
}

impl Stack {
    /// Cut at random levels, some of them perhaps the same: a band may be empty.
    fn random(random: &mut Random, clocks: usize, settings: Settings) -> Self {
        let slicer = Slicer::new(bridge::dimension(clocks), settings).expect("few clocks");
        let mut cuts: Vec<usize> = (0..random.below(4)).map(|_| random.below(slicer.levels() + 1)).collect();
        cuts.extend([0, slicer.levels()]);
        cuts.sort_unstable();
        let band = |cut: &[usize]| {
            let levels = cut[0]..cut[1];
            (Band::new(bridge::dimension(clocks), settings, levels).expect("few clocks"), cut[0])
        };
        Self { slicer, bands: cuts.windows(2).map(band).collect() }
    }

    fn slices(&mut self, zone: &Dbm) -> Vec<Slice> {
        let mut slices = Vec::new();
        self.slicer.slice(zone, &mut slices);
        slices
    }

    fn includes(&mut self, root: Handle, zone: &Dbm) -> bool {
        let (slices, mut asked) = (self.slices(zone), vec![root]);
        for (band, first) in &mut self.bands {
            let mut below = Vec::new();
            if !band.ask(&asked, &slices[*first..], &mut below) {
                return false;
            }
            asked = below;
        }
        assert_eq!(asked, [], "there is nothing below the last band");
        true
    }

    fn unite(&mut self, root: Handle, zone: &Dbm) -> Handle {
        let slices = self.slices(zone);
        unite(&mut self.bands, &[root], &slices)[0]
    }

    fn collect(&mut self, roots: &[Handle]) {
        let mut used = roots.to_vec();
        for (band, _) in &mut self.bands {
            let mut below = Vec::new();
            band.collect(used, &mut below);
            used = below;
        }
    }

    /// Moves borders by random numbers of layers, each at most to the next. All nodes must be in use. Returns whether any
    /// has moved, and the roots under their new handles.
    fn recut(&mut self, random: &mut Random, roots: &[Handle]) -> (bool, Vec<Handle>) {
        let mut old: Vec<usize> = self.bands.iter().map(|(_, first)| *first).collect();
        old.push(self.slicer.levels());
        let mut new = old.clone();
        for border in 1..self.bands.len() {
            let (least, most) = (new[border - 1].max(old[border - 1]), old[border + 1]);
            new[border] = least + random.below(most - least + 1);
        }
        let mut used = vec![roots.to_vec()];
        used.extend(self.bands.iter().map(|(band, _)| band.entries().collect()));
        let (mut entries, mut raised) = (Vec::new(), Layers::default());
        for number in (0..self.bands.len()).rev() {
            let levels = new[number]..new[number + 1];
            let mut lowered = Vec::new();
            if levels.end < old[number + 1] {
                let layers = self.bands[number].0.lower(levels.end, &entries);
                lowered = self.bands[number + 1].0.place(&layers);
            }
            let change = BandChange { levels, entries: &entries, raised: &raised, lowered: &lowered };
            let (band, first) = &mut self.bands[number];
            let became = band.recut(&change, &used[number]);
            *first = new[number];
            (entries, raised) = became;
        }
        assert!(raised.is_empty(), "there is nothing above the first band");
        let own = |leads: MovedTarget| match leads {
            MovedTarget::To(node) => node,
            MovedTarget::Within(_) => panic!("there is nothing above the first band"),
        };
        (new != old, entries.into_iter().map(own).collect())
    }

    /// What each band says that its border below has to have is what it has.
    fn check_weights(&self, roots: &[Handle]) {
        let mut used = roots.to_vec();
        for (band, _) in &self.bands {
            let entries: Vec<Handle> = band.entries().collect();
            if let Some(last) = band.weigh(&used).last() {
                assert_eq!(last.crossing, entries.len() as u64);
            }
            used = entries;
        }
    }

    /// Nodes and entries of all bands.
    fn nodes(&self) -> (usize, usize) {
        let each = self.bands.iter().map(|(band, _)| band.nodes());
        each.fold((0, 0), |(nodes, entries), (own, of_them)| (nodes + own - of_them, entries + of_them))
    }
}

fn unite(bands: &mut [(Band, usize)], nodes: &[Handle], slices: &[Slice]) -> Vec<Handle> {
    let Some(((band, first), lower)) = bands.split_first_mut() else {
        assert_eq!(nodes, [], "there is nothing below the last band");
        return Vec::new();
    };
    let mut below = Vec::new();
    band.reach(nodes, &slices[*first..], &mut below);
    let distinct: BTreeSet<Handle> = below.iter().copied().collect();
    assert_eq!(distinct.len(), below.len(), "each is named once");
    let after = unite(lower, &below, slices);
    let pairs: Vec<_> = below.into_iter().zip(after).collect();
    let mut united = nodes.to_vec();
    band.unite(&mut united, &slices[*first..], &pairs);
    united
}

#[test]
fn bands_are_one_diagram() {
    let all = all_settings();
    let mut recuts = 0;
    for seed in 0..600 {
        let mut random = Random::from_seed(seed);
        let settings = Settings { inclusion: Inclusion::Levels, ..all[random.below(all.len())] };
        let clocks = 1 + random.below(5);
        let mut whole = diagrams::<Compact>(clocks, settings);
        let mut stack = Stack::random(&mut random, clocks, settings);
        let sets = 1 + random.below(3);
        let mut roots = vec![(Handle::FALSE, Handle::FALSE); sets];
        let mut zones = vec![Vec::new(); sets];
        for _ in 0..random.below(25) {
            let (set, zone) = (random.below(sets), random_zone(&mut random, clocks, 4));
            let (one, cut) = roots[set];
            let included = stack.includes(cut, &zone);
            assert_eq!(included, whole.includes_zone(one, &zone), "seed {seed}, {settings:?}");
            assert!(!included || federation(clocks, &zones[set]).includes_zone(&zone), "seed {seed}");
            roots[set] = (whole.union_zone(one, &zone), stack.unite(cut, &zone));
            assert!(stack.includes(roots[set].1, &zone), "seed {seed}, {settings:?}");
            zones[set].push(zone);
            if random.one_in(6) {
                whole.collect(roots.iter().map(|&(one, _)| one));
                stack.collect(&roots.iter().map(|&(_, cut)| cut).collect::<Vec<_>>());
                assert_eq!(stack.nodes().0, whole.nodes(), "seed {seed}, {settings:?}");
                let cuts: Vec<Handle> = roots.iter().map(|&(_, cut)| cut).collect();
                stack.check_weights(&cuts);
                let (moved, cuts) = stack.recut(&mut random, &cuts);
                recuts += usize::from(moved);
                roots.iter_mut().zip(&cuts).for_each(|(root, &cut)| root.1 = cut);
                let before = stack.nodes();
                assert_eq!(before.0, whole.nodes(), "seed {seed}, {settings:?}");
                stack.collect(&cuts);
                assert_eq!(stack.nodes(), before, "seed {seed}: what was made again is in use");
                stack.check_weights(&cuts);
            }
        }
        // Two sets have one handle in bands if, and only if, they have one in a whole diagram.
        for (one, cut) in &roots {
            for (other_one, other_cut) in &roots {
                assert_eq!(one == other_one, cut == other_cut, "seed {seed}, {settings:?}");
            }
        }
    }
    assert!(recuts > 300, "borders moved only {recuts} times");
}
