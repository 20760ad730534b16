//! Errors: unknown families, and members that are too small or too large.

use std::fmt;

use crate::family::{Family, families};

/// There is no such family, or the family has no such member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    kind: Kind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    NoSuchFamily(String),
    NoSuchMember { family: &'static str, n: u32 },
}

impl Error {
    pub(crate) fn no_such_family(name: &str) -> Self {
        Self { kind: Kind::NoSuchFamily(name.to_owned()) }
    }

    pub(crate) const fn no_such_member(family: &'static str, n: u32) -> Self {
        Self { kind: Kind::NoSuchMember { family, n } }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::NoSuchFamily(name) => {
                let names: Vec<&str> = families().iter().map(Family::name).collect();
                write!(f, "there is no family '{name}' (there are {})", names.join(", "))
            }
            Kind::NoSuchMember { family: name, n } => {
                write!(f, "{name} cannot be made for {n}")?;
                let Some(family) = families().iter().find(|family| family.name() == *name) else {
                    return Ok(());
                };
                let sizes = family.sizes();
                write!(f, ": the {} is from {} to {}", family.parameter(), sizes.start(), sizes.end())
            }
        }
    }
}

impl std::error::Error for Error {}
