//! The compared options of `tourbillon check`.
//!
//! The argument parser itself decides whether this program accepts an option, so a table can name a form before it
//! exists: its cells stay empty until then.

/// Options of an exploration, each with its value.
pub(super) type SearchOptions = &'static [&'static str];

/// The baseline of all forms.
pub(super) const PLAIN: SearchOptions = &["--zones", "plain", "--discrete", "plain", "--cover", "inclusion"];
/// The baseline with equality instead of inclusion.
pub(super) const PLAIN_EQUALITY: SearchOptions =
    &["--zones", "plain", "--discrete", "plain", "--cover", "equality"];
/// The baseline without inclusion on waiting.
pub(super) const PLAIN_WAITING_OFF: SearchOptions =
    &["--zones", "plain", "--discrete", "plain", "--cover", "inclusion", "--waiting-inclusion", "off"];

/// Whole states as numbers, compared for equality.
pub(super) const PACKED_EQUALITY: SearchOptions =
    &["--zones", "digits", "--discrete", "digits", "--cover", "equality"];
/// Whole states as numbers, zones compared by dividing.
pub(super) const PACKED: SearchOptions =
    &["--zones", "digits", "--discrete", "digits", "--cover", "inclusion"];
/// Discrete states as numbers, zones as bits with a spare bit for the borrow.
pub(super) const PACKED_ZONES: SearchOptions =
    &["--zones", "bits", "--discrete", "digits", "--cover", "inclusion"];

/// Constant options from their values.
macro_rules! way {
    ($($option:literal $value:literal),*) => { &[$($option, $value),*] };
}

/// The same options with tables of 16, 32 and 64 MB.
macro_rules! sizes {
    ($($option:literal $value:literal),*) => {
        [
            way!($($option $value,)* "--passed-memory" "16M"),
            way!($($option $value,)* "--passed-memory" "32M"),
            way!($($option $value,)* "--passed-memory" "64M")
        ]
    };
}

/// Supertrace alone, with one bit for each state as in the paper, so that omissions are visible.
pub(super) const SUPERTRACE: [SearchOptions; 3] = sizes!(
    "--passed" "bitstate", "--bits-per-state" "1", "--cover" "equality", "--waiting-inclusion" "off"
);
/// The same with four bits for a state.
pub(super) const SUPERTRACE_OF_4: [SearchOptions; 3] = sizes!(
    "--passed" "bitstate", "--bits-per-state" "4", "--cover" "equality", "--waiting-inclusion" "off"
);
/// Supertrace with inclusion on waiting, with one bit for each state.
pub(super) const SUPERTRACE_WAITING: [SearchOptions; 3] =
    sizes!("--passed" "bitstate", "--bits-per-state" "1", "--cover" "inclusion");
/// Signatures of 7 bits alone.
pub(super) const SIGNATURES_OF_7: [SearchOptions; 3] =
    sizes!("--passed" "compact", "--signature-bits" "7", "--cover" "equality", "--waiting-inclusion" "off");
/// Signatures of 7 bits of the discrete part, with zones.
pub(super) const ZONES_BY_7: [SearchOptions; 3] = sizes!("--passed" "compact+zone", "--signature-bits" "7", "--cover" "inclusion", "--waiting-inclusion" "off");
/// Signatures of 47 bits, the typical use.
pub(super) const SIGNATURES_OF_47: [SearchOptions; 3] =
    sizes!("--passed" "compact", "--signature-bits" "47", "--cover" "inclusion");
/// Signatures of 47 bits of the discrete part, with zones.
pub(super) const ZONES_BY_47: [SearchOptions; 3] =
    sizes!("--passed" "compact+zone", "--signature-bits" "47", "--cover" "inclusion");

/// An exact form, with the name of its column: storage of zones, then of discrete states.
macro_rules! form {
    ($zones:literal, $discrete:literal) => {
        (
            concat!($zones, ", ", $discrete),
            way!("--zones" $zones, "--discrete" $discrete, "--cover" "inclusion"),
        )
    };
}

/// The exact forms, with the names of their columns.
pub(super) const FORMS: [(&str, SearchOptions); 14] = [
    form!("plain", "plain"),
    form!("plain", "bits"),
    form!("plain", "digits"),
    form!("plain", "shared"),
    form!("plain", "tree"),
    form!("shared", "bits"),
    form!("bits", "bits"),
    form!("digits", "digits"),
    form!("minimal", "bits"),
    form!("bits+shared", "bits"),
    form!("digits+shared", "digits"),
    form!("minimal+shared", "tree"),
    ("default", &["--cover", "inclusion"]),
    ("--compact", &["--compact", "--cover", "inclusion"]),
];

/// The options, each with its value if it has one.
fn options(way: SearchOptions) -> impl Iterator<Item = SearchOptions> {
    let starts: Vec<usize> = (0..way.len()).filter(|&at| way[at].starts_with("--")).collect();
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([way.len()]).collect();
    starts.into_iter().zip(ends).map(move |(start, end)| &way[start..end])
}

/// The value of an option.
fn value(way: SearchOptions, name: &str) -> Option<&'static str> {
    options(way).find(|option| option[0] == name)?.get(1).copied()
}

/// The options that this program does not accept.
pub(super) fn unknown(way: SearchOptions) -> Vec<String> {
    let parses = |option: &[&str]| tourbillon_cli::accepts(["check", "model"].iter().chain(option).copied());
    options(way).filter(|option| !parses(option)).map(|option| option.join(" ")).collect()
}

/// Whether it uses equality, so that it may visit many more states.
pub(super) fn is_by_equality(way: SearchOptions) -> bool {
    value(way, "--cover") == Some("equality")
        || matches!(value(way, "--passed"), Some("bitstate" | "compact"))
}

/// The plain options that must have the same counts, if this form is exact.
pub(super) fn counts_as(way: SearchOptions) -> Option<SearchOptions> {
    if value(way, "--passed").is_some() {
        return None;
    }
    let same = |plain: &&SearchOptions| {
        ["--cover", "--waiting-inclusion"].iter().all(|name| value(plain, name) == value(way, name))
    };
    [PLAIN, PLAIN_EQUALITY, PLAIN_WAITING_OFF].into_iter().find(|plain| same(&plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_plain_is_known() {
        for way in [PLAIN, PLAIN_EQUALITY, PLAIN_WAITING_OFF] {
            assert_eq!(unknown(way), Vec::<String>::new());
        }
        assert_eq!(unknown(&["--zones", "plain", "--zones", "feathers"]), ["--zones feathers"]);
        assert_eq!(unknown(&["--tiny", "--cover", "equality"]), ["--tiny"]);
    }

    #[test]
    fn ways_are_told_apart() {
        assert!(is_by_equality(PACKED_EQUALITY) && is_by_equality(SUPERTRACE_WAITING[1]));
        assert!(!is_by_equality(ZONES_BY_7[0]) && !is_by_equality(PLAIN));
        assert_eq!(counts_as(PACKED), Some(PLAIN));
        assert_eq!(counts_as(PACKED_EQUALITY), Some(PLAIN_EQUALITY));
        assert_eq!(counts_as(ZONES_BY_47[2]), None);
        assert!(FORMS.iter().all(|(_, way)| counts_as(way) == Some(PLAIN)));
    }
}
