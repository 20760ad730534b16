//! Asking and adding call the allocator only when something outgrows what there is.

use tourbillon_base::Random;
use tourbillon_dbm::Dbm;
use tourbillon_dd::{Compact, Constraints, Diagrams, Handle, Settings};
use tourbillon_testkit::counting::{self, Counting};
use tourbillon_testkit::{bridge, zones};

#[global_allocator]
static COUNTING: Counting = Counting;

/// Offers zones to some diagrams as a passed list does; how often that calls the allocator.
fn offer(family: &mut Diagrams<Compact>, handles: &mut [Handle], zones: &[Dbm]) -> u64 {
    let before = counting::calls();
    for (index, zone) in zones.iter().enumerate() {
        let handle = &mut handles[index % handles.len()];
        if !family.includes_zone(*handle, zone) {
            *handle = family.union_zone(*handle, zone);
        }
    }
    counting::calls() - before
}

/// What was done once costs nothing the second time, and the first time hardly anything: arrays that grow by an eighth or
/// more.
#[test]
fn offers_call_the_allocator_only_to_grow() {
    let mut random = Random::from_seed(4);
    let draw = |random: &mut Random| {
        bridge::zone(&zones::random_matrix(random, 4, 6)).expect("random zones are not empty")
    };
    let zones: Vec<Dbm> = (0..2_000).map(|_| draw(&mut random)).collect();
    for constraints in [Constraints::All, Constraints::BeyondBox] {
        let settings = Settings { constraints, ..Settings::default() };
        let mut family = Diagrams::new(bridge::dimension(4), settings).expect("few clocks");
        let mut handles = vec![Handle::FALSE; 400];
        let first = offer(&mut family, &mut handles, &zones);
        assert!(first < 300, "{first} calls for {} offers", zones.len());
        let mut again = vec![Handle::FALSE; 400];
        assert_eq!(offer(&mut family, &mut again, &zones), 0, "{constraints:?}");
        assert_eq!(again, handles);
    }
}
