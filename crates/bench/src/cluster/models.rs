//! The models of `tourbillon-bench cluster`, and the expected time of each in each table.

use super::super::rows::Effort;
use super::super::source::ModelSource;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct ClusterModel {
    pub(super) source: ModelSource,
    /// The expected time with single zones; `None` if the model is too small.
    pub(super) single: Option<Effort>,
    /// The expected time with diagrams.
    pub(super) united: Option<Effort>,
}

const fn member(
    family: &'static str,
    n: u32,
    single: Option<Effort>,
    united: Option<Effort>,
) -> ClusterModel {
    ClusterModel { source: ModelSource::Member(family, n), single, united }
}

const QUICK: Option<Effort> = Some(Effort::Quick);
const USUAL: Option<Effort> = Some(Effort::Usual);
const LONG: Option<Effort> = Some(Effort::Long);

pub(super) const MODELS: [ClusterModel; 14] = [
    member("fischer", 6, None, QUICK),
    member("fischer", 7, None, QUICK),
    member("fischer", 8, QUICK, USUAL),
    member("fischer", 9, USUAL, USUAL),
    member("fischer", 10, USUAL, None),
    member("csmacd", 6, None, QUICK),
    member("csmacd", 8, None, USUAL),
    member("csmacd", 9, QUICK, USUAL),
    member("csmacd", 10, USUAL, LONG),
    member("csmacd", 11, USUAL, None),
    member("critical-region", 3, None, QUICK),
    member("critical-region", 4, QUICK, USUAL),
    ClusterModel { source: ModelSource::File("bando.xta"), single: USUAL, united: USUAL },
    ClusterModel { source: ModelSource::File("bocdp.xta"), single: USUAL, united: USUAL },
];

#[cfg(test)]
mod tests {
    use super::super::super::source::assert_known;
    use super::*;

    #[test]
    fn names_differ_and_members_exist() {
        assert_known(MODELS.map(|model| (model.source.name(), model.source)));
        assert!(MODELS.iter().all(|model| model.single.is_some() || model.united.is_some()));
    }
}
