//! Measured sizes of zone graphs, which an engine has to reproduce.
//!
//! All come from full explorations by TChecker, a checker that shares nothing with this project: with
//! Extra_LU+ by location and with a_LU of the texts written here, with other extrapolations of other texts of
//! the same networks. Processes, edges and synchronisations are taken in the order of the text. With `Reach`
//! the figures do not depend on any order and are exact for every correct implementation of the
//! extrapolation. With inclusion, what is visited depends on the order of the search, and in some families so
//! does what is stored.

/// One exploration of one member of a family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    pub n: u32,
    /// When a state is taken as known already.
    pub algorithm: Algorithm,
    /// How zones were enlarged.
    pub extrapolation: Extrapolation,
    /// The order of the search.
    pub order: Order,
    /// States in store at the end.
    pub stored: u64,
    /// States whose successors were computed.
    pub visited: u64,
    pub transitions: u64,
}

/// When a state is taken as known already.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Algorithm {
    /// If the same zone is in store.
    Reach,
    /// If a zone that includes it is in store; zones that it includes are thrown away.
    CovReach,
    /// The same, with inclusion up to a_LU by bounds for each location.
    AluCovReach,
}

/// How zones are enlarged.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extrapolation {
    None,
    /// Extra_M.
    M(Bounds),
    /// Extra_M+.
    MPlus(Bounds),
    /// Extra_LU.
    Lu(Bounds),
    /// Extra_LU+.
    LuPlus(Bounds),
}

/// For what part of the network an extrapolation's constants are taken together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bounds {
    Global,
    /// Each location on its own.
    Local,
}

/// The order of a search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// First in, first out.
    Bfs,
    /// Last in, first out.
    Dfs,
}

/// Short names for the tables of the families.
pub(crate) mod row {
    use super::{Algorithm, Bounds, Extrapolation, Known, Order};

    pub(crate) const MG: Extrapolation = Extrapolation::M(Bounds::Global);
    pub(crate) const ML: Extrapolation = Extrapolation::M(Bounds::Local);
    pub(crate) const MPG: Extrapolation = Extrapolation::MPlus(Bounds::Global);
    pub(crate) const MPL: Extrapolation = Extrapolation::MPlus(Bounds::Local);
    pub(crate) const LUG: Extrapolation = Extrapolation::Lu(Bounds::Global);
    pub(crate) const LUL: Extrapolation = Extrapolation::Lu(Bounds::Local);
    pub(crate) const LUPG: Extrapolation = Extrapolation::LuPlus(Bounds::Global);
    pub(crate) const LUPL: Extrapolation = Extrapolation::LuPlus(Bounds::Local);

    pub(crate) const fn reach(n: u32, extrapolation: Extrapolation, visited: u64, transitions: u64) -> Known {
        let (algorithm, order, stored) = (Algorithm::Reach, Order::Bfs, visited);
        Known { n, algorithm, extrapolation, order, stored, visited, transitions }
    }

    pub(crate) const fn bfs(n: u32, extrapolation: Extrapolation, counts: [u64; 3]) -> Known {
        covreach(n, extrapolation, Order::Bfs, counts)
    }

    pub(crate) const fn dfs(n: u32, extrapolation: Extrapolation, counts: [u64; 3]) -> Known {
        covreach(n, extrapolation, Order::Dfs, counts)
    }

    const fn covreach(n: u32, extrapolation: Extrapolation, order: Order, counts: [u64; 3]) -> Known {
        let [stored, visited, transitions] = counts;
        Known { n, algorithm: Algorithm::CovReach, extrapolation, order, stored, visited, transitions }
    }

    pub(crate) const fn alu(n: u32, [stored, visited, transitions]: [u64; 3]) -> Known {
        let (algorithm, extrapolation) = (Algorithm::AluCovReach, Extrapolation::None);
        Known { n, algorithm, extrapolation, order: Order::Bfs, stored, visited, transitions }
    }
}
