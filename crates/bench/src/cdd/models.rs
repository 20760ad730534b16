//! The models of `tourbillon-bench cdd`: families with many zones for each discrete state and families with few, and public
//! models.

use super::super::rows::Effort;
use super::super::source::ModelSource;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct CddModel {
    pub(super) source: ModelSource,
    pub(super) effort: Effort,
}

impl CddModel {
    const fn member(family: &'static str, n: u32, effort: Effort) -> Self {
        Self { source: ModelSource::Member(family, n), effort }
    }

    const fn file_named(name: &'static str, effort: Effort) -> Self {
        Self { source: ModelSource::File(name), effort }
    }
}

pub(super) const MODELS: [CddModel; 22] = [
    CddModel::member("fischer", 6, Effort::Quick),
    CddModel::member("fischer", 7, Effort::Quick),
    CddModel::member("fischer", 8, Effort::Usual),
    CddModel::member("fischer", 9, Effort::Usual),
    CddModel::member("csmacd", 6, Effort::Quick),
    CddModel::member("csmacd", 8, Effort::Usual),
    CddModel::member("csmacd", 9, Effort::Usual),
    CddModel::member("csmacd", 10, Effort::Long),
    CddModel::member("critical-region", 3, Effort::Quick),
    CddModel::member("critical-region", 4, Effort::Usual),
    CddModel::member("critical-region-exclusive", 3, Effort::Quick),
    CddModel::member("critical-region-exclusive", 4, Effort::Usual),
    CddModel::member("critical-region-exclusive", 5, Effort::Long),
    CddModel::member("corsso", 2, Effort::Quick),
    CddModel::member("corsso", 3, Effort::Usual),
    CddModel::member("train-gate", 5, Effort::Usual),
    CddModel::member("flexray", 5, Effort::Usual),
    CddModel::member("fddi", 5, Effort::Quick),
    CddModel::file_named("bando.xta", Effort::Usual),
    CddModel::file_named("bocdp.xta", Effort::Usual),
    CddModel::file_named("csma-10.xta", Effort::Long),
    CddModel::file_named("engine.xta", Effort::Quick),
];

#[cfg(test)]
mod tests {
    use super::super::super::source::assert_known;
    use super::*;

    #[test]
    fn names_differ_and_members_exist() {
        assert_known(MODELS.map(|model| (model.source.name(), model.source)));
    }
}
