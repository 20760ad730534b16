//! The models of `tourbillon-bench cluster`, and how long one waits for each in which table.

use super::super::rows::Effort;
use super::super::source::Source;

/// A model.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Model {
    pub(super) source: Source,
    /// How long it takes with zones kept one by one; nothing if it is too small to say anything.
    pub(super) single: Option<Effort>,
    /// How long it takes with diagrams.
    pub(super) united: Option<Effort>,
}

const fn member(family: &'static str, n: u32, single: Option<Effort>, united: Option<Effort>) -> Model {
    Model { source: Source::Member(family, n), single, united }
}

const QUICK: Option<Effort> = Some(Effort::Quick);
const USUAL: Option<Effort> = Some(Effort::Usual);
const LONG: Option<Effort> = Some(Effort::Long);

/// All of them.
pub(super) const MODELS: [Model; 14] = [
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
    Model { source: Source::File("bando.xta"), single: USUAL, united: USUAL },
    Model { source: Source::File("bocdp.xta"), single: USUAL, united: USUAL },
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
