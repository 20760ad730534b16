//! The models of `tourbillon-bench cdd`: families with many zones for each discrete state and families with few, and public
//! models.

use super::super::rows::Effort;
use super::super::source::Source;

/// A model.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Model {
    pub(super) source: Source,
    pub(super) effort: Effort,
}

impl Model {
    const fn member(family: &'static str, n: u32, effort: Effort) -> Self {
        Self { source: Source::Member(family, n), effort }
    }

    const fn file_named(name: &'static str, effort: Effort) -> Self {
        Self { source: Source::File(name), effort }
    }
}

/// All of them.
pub(super) const MODELS: [Model; 22] = [
    Model::member("fischer", 6, Effort::Quick),
    Model::member("fischer", 7, Effort::Quick),
    Model::member("fischer", 8, Effort::Usual),
    Model::member("fischer", 9, Effort::Usual),
    Model::member("csmacd", 6, Effort::Quick),
    Model::member("csmacd", 8, Effort::Usual),
    Model::member("csmacd", 9, Effort::Usual),
    Model::member("csmacd", 10, Effort::Long),
    Model::member("critical-region", 3, Effort::Quick),
    Model::member("critical-region", 4, Effort::Usual),
    Model::member("critical-region-exclusive", 3, Effort::Quick),
    Model::member("critical-region-exclusive", 4, Effort::Usual),
    Model::member("critical-region-exclusive", 5, Effort::Long),
    Model::member("corsso", 2, Effort::Quick),
    Model::member("corsso", 3, Effort::Usual),
    Model::member("train-gate", 5, Effort::Usual),
    Model::member("flexray", 5, Effort::Usual),
    Model::member("fddi", 5, Effort::Quick),
    Model::file_named("bando.xta", Effort::Usual),
    Model::file_named("bocdp.xta", Effort::Usual),
    Model::file_named("csma-10.xta", Effort::Long),
    Model::file_named("engine.xta", Effort::Quick),
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
