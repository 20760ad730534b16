//! The contract of diagrams, through their public face.

mod bands;
mod bdd;
mod deep;
mod inclusion;
mod laws;
mod points;
mod sharing;

use tourbillon_base::Random;
use tourbillon_dbm::{Dbm, Federation, parse_constraints};
use tourbillon_dd::{Constraints, Diagrams, Handle, Inclusion, NodeForm, Settings, VariableOrder};
use tourbillon_testkit::bridge;
use tourbillon_testkit::zones::random_matrix;

/// Inclusion without a limit.
const EXACT: Inclusion = Inclusion::Exact { parts_max: u32::MAX };

/// Few nodes for sets that are nearly boxes, as those made up by hand are.
const MINIMAL: Settings = Settings {
    order: VariableOrder::DifferencesFirst,
    constraints: Constraints::Minimal,
    inclusion: EXACT,
    backtrace: false,
};

/// Every combination of settings that may change a diagram.
fn all_settings() -> Vec<Settings> {
    let mut all = Vec::new();
    for order in VariableOrder::ALL {
        for constraints in Constraints::ALL {
            for backtrace in [false, true] {
                all.push(Settings { order, constraints, inclusion: EXACT, backtrace });
            }
        }
    }
    all
}

fn diagrams<F: NodeForm>(clocks: usize, settings: Settings) -> Diagrams<F> {
    Diagrams::new(bridge::dimension(clocks), settings).expect("few clocks")
}

/// The union of some zones.
fn united<F: NodeForm>(diagrams: &mut Diagrams<F>, zones: &[Dbm]) -> Handle {
    zones.iter().fold(Handle::FALSE, |all, zone| diagrams.union_zone(all, zone))
}

fn random_zone(random: &mut Random, clocks: usize, constant_max: i64) -> Dbm {
    bridge::zone(&random_matrix(random, clocks, constant_max)).expect("random zones are not empty")
}

fn random_zones(random: &mut Random, most: usize, clocks: usize, constant_max: i64) -> Vec<Dbm> {
    (0..random.below(most + 1)).map(|_| random_zone(random, clocks, constant_max)).collect()
}

fn federation(clocks: usize, zones: &[Dbm]) -> Federation {
    let mut federation = Federation::empty(bridge::dimension(clocks));
    zones.iter().for_each(|zone| federation.add(zone.clone()));
    federation
}

/// A zone of some of the clocks a, b, c and d.
fn zone(clocks: usize, text: &str) -> Dbm {
    let mut zone = Dbm::universal(bridge::dimension(clocks));
    for constraint in parse_constraints(text, &["a", "b", "c", "d"][..clocks]).expect("constraints") {
        assert!(zone.constrain(constraint), "{text} is empty");
    }
    zone
}
