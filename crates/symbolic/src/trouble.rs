//! What can keep a model from being encoded, or a search from going on.

use tourbillon_dd::Full;

/// Why something is not done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    /// There is no room for more nodes.
    Full,
    /// The model has something that sets of states cannot be computed for.
    Refused(String),
}

impl From<Full> for Trouble {
    fn from(_: Full) -> Self {
        Self::Full
    }
}

/// What is done, if it is.
pub(crate) type Done<T = ()> = Result<T, Trouble>;

/// A refusal.
pub(crate) fn refuse<T>(why: impl Into<String>) -> Done<T> {
    Err(Trouble::Refused(why.into()))
}
