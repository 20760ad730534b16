//! The elements of a model, and their nesting.

/// An element of a model, or another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tag {
    Nta,
    Imports,
    Declaration,
    Template,
    Lsc,
    Instantiation,
    System,
    Queries,
    Name,
    Parameter,
    Location,
    Branchpoint,
    Init,
    Transition,
    Source,
    Target,
    Label,
    Nail,
    Urgent,
    Committed,
    Option,
    Query,
    Formula,
    Comment,
    Expect,
    Resource,
    Result,
    Other,
}

impl Tag {
    pub(super) fn from_name(name: &str) -> Self {
        match name {
            "nta" | "project" => Self::Nta,
            "imports" => Self::Imports,
            "declaration" => Self::Declaration,
            "template" => Self::Template,
            "lsc" => Self::Lsc,
            "instantiation" => Self::Instantiation,
            "system" => Self::System,
            "queries" => Self::Queries,
            "name" => Self::Name,
            "parameter" => Self::Parameter,
            "location" => Self::Location,
            "branchpoint" => Self::Branchpoint,
            "init" => Self::Init,
            "transition" => Self::Transition,
            "source" => Self::Source,
            "target" => Self::Target,
            "label" => Self::Label,
            "nail" => Self::Nail,
            "urgent" => Self::Urgent,
            "committed" => Self::Committed,
            "option" => Self::Option,
            "query" => Self::Query,
            "formula" => Self::Formula,
            "comment" => Self::Comment,
            "expect" => Self::Expect,
            "resource" => Self::Resource,
            "result" => Self::Result,
            _ => Self::Other,
        }
    }

    /// Whether its parent can have several, so that a path must say which.
    pub(super) const fn is_repeated(self) -> bool {
        matches!(
            self,
            Self::Template
                | Self::Lsc
                | Self::Location
                | Self::Branchpoint
                | Self::Transition
                | Self::Label
                | Self::Nail
                | Self::Option
                | Self::Query
                | Self::Resource
                | Self::Result
                | Self::Other
        )
    }

    /// The elements that can stand in it.
    pub(super) const fn children(self) -> &'static [Self] {
        match self {
            Self::Nta => &[
                Self::Imports,
                Self::Declaration,
                Self::Template,
                Self::Lsc,
                Self::Instantiation,
                Self::System,
                Self::Queries,
            ],
            Self::Template => &[
                Self::Name,
                Self::Parameter,
                Self::Declaration,
                Self::Location,
                Self::Branchpoint,
                Self::Init,
                Self::Transition,
            ],
            Self::Location => &[Self::Name, Self::Label, Self::Urgent, Self::Committed],
            Self::Transition => &[Self::Source, Self::Target, Self::Label, Self::Nail],
            Self::Queries => &[Self::Option, Self::Query],
            Self::Query => &[Self::Formula, Self::Comment, Self::Option, Self::Expect, Self::Result],
            Self::Expect => &[Self::Resource],
            _ => &[],
        }
    }

    /// Whether it consists of text.
    pub(super) const fn is_text(self) -> bool {
        matches!(
            self,
            Self::Imports
                | Self::Declaration
                | Self::Instantiation
                | Self::System
                | Self::Name
                | Self::Parameter
                | Self::Label
                | Self::Formula
                | Self::Comment
        )
    }

    /// The attributes that it can have.
    pub(super) const fn attributes(self) -> &'static [&'static str] {
        match self {
            Self::Name | Self::Parameter => &["x", "y"],
            Self::Location | Self::Branchpoint => &["id", "x", "y", "color"],
            Self::Init | Self::Source | Self::Target => &["ref"],
            Self::Transition => &["id", "x", "y", "controllable", "action", "color"],
            Self::Label => &["kind", "x", "y", "color"],
            Self::Nail => &["x", "y"],
            Self::Option => &["key", "value"],
            Self::Expect => &["outcome", "type", "value"],
            Self::Resource => &["type", "value", "unit"],
            Self::Result => &["outcome", "type", "value", "timestamp"],
            _ => &[],
        }
    }
}
