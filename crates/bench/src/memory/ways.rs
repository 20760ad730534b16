//! The ways to explore that are compared, as options of `tourbillon check`.
//!
//! Whether this program knows a way is asked of the very parser that would read it, so a table can name a form before
//! there is one: its cells stay empty until then.

/// A way to explore: options, each with its value.
pub(super) type Way = &'static [&'static str];

/// What all forms are measured by.
pub(super) const PLAIN: Way = &["--zones", "plain", "--discrete", "plain", "--cover", "inclusion"];
/// The same, where a zone is covered by an equal one only.
pub(super) const PLAIN_EQUALITY: Way = &["--zones", "plain", "--discrete", "plain", "--cover", "equality"];
/// The same as the first, where waiting states are not compared with.
pub(super) const PLAIN_WAITING_OFF: Way =
    &["--zones", "plain", "--discrete", "plain", "--cover", "inclusion", "--waiting-inclusion", "off"];

/// Whole states as numbers, compared for equality.
pub(super) const PACKED_EQUALITY: Way = &["--zones", "digits", "--discrete", "digits", "--cover", "equality"];
/// Whole states as numbers, zones compared by dividing.
pub(super) const PACKED: Way = &["--zones", "digits", "--discrete", "digits", "--cover", "inclusion"];
/// Discrete states as numbers, zones as bits with room for a borrow.
pub(super) const PACKED_ZONES: Way = &["--zones", "bits", "--discrete", "digits", "--cover", "inclusion"];

/// A constant way from the values of its options.
macro_rules! way {
    ($($option:literal $value:literal),*) => { &[$($option, $value),*] };
}

/// The same way with tables of 16, 32 and 64 MB.
macro_rules! sizes {
    ($($option:literal $value:literal),*) => {
        [
            way!($($option $value,)* "--passed-memory" "16M"),
            way!($($option $value,)* "--passed-memory" "32M"),
            way!($($option $value,)* "--passed-memory" "64M")
        ]
    };
}

/// Supertrace alone, with one bit for a state as in the paper, so that what it leaves out shows.
pub(super) const SUPERTRACE: [Way; 3] = sizes!(
    "--passed" "bitstate", "--bits-per-state" "1", "--cover" "equality", "--waiting-inclusion" "off"
);
/// The same with four bits for a state.
pub(super) const SUPERTRACE_OF_4: [Way; 3] = sizes!(
    "--passed" "bitstate", "--bits-per-state" "4", "--cover" "equality", "--waiting-inclusion" "off"
);
/// Supertrace as somebody would use it, with one bit for a state.
pub(super) const SUPERTRACE_WAITING: [Way; 3] =
    sizes!("--passed" "bitstate", "--bits-per-state" "1", "--cover" "inclusion");
/// Signatures of 7 bits alone.
pub(super) const SIGNATURES_OF_7: [Way; 3] =
    sizes!("--passed" "compact", "--signature-bits" "7", "--cover" "equality", "--waiting-inclusion" "off");
/// Signatures of 7 bits of the discrete part, with zones.
pub(super) const ZONES_BY_7: [Way; 3] = sizes!("--passed" "compact+zone", "--signature-bits" "7", "--cover" "inclusion", "--waiting-inclusion" "off");
/// Signatures of 47 bits as somebody would use them.
pub(super) const SIGNATURES_OF_47: [Way; 3] =
    sizes!("--passed" "compact", "--signature-bits" "47", "--cover" "inclusion");
/// Signatures of 47 bits of the discrete part, with zones.
pub(super) const ZONES_BY_47: [Way; 3] =
    sizes!("--passed" "compact+zone", "--signature-bits" "47", "--cover" "inclusion");

/// An exact form, by what its column is called: how zones are stored, then discrete states.
macro_rules! form {
    ($zones:literal, $discrete:literal) => {
        (
            concat!($zones, ", ", $discrete),
            way!("--zones" $zones, "--discrete" $discrete, "--cover" "inclusion"),
        )
    };
}

/// The exact forms, with what their columns are called.
pub(super) const FORMS: [(&str, Way); 14] = [
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

/// The options of a way, each with its value if it has one.
fn options(way: Way) -> impl Iterator<Item = Way> {
    let starts: Vec<usize> = (0..way.len()).filter(|&at| way[at].starts_with("--")).collect();
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([way.len()]).collect();
    starts.into_iter().zip(ends).map(move |(start, end)| &way[start..end])
}

/// The value of an option.
fn value(way: Way, name: &str) -> Option<&'static str> {
    options(way).find(|option| option[0] == name)?.get(1).copied()
}

/// The options that this program does not know.
pub(super) fn unknown(way: Way) -> Vec<String> {
    let parses = |option: &[&str]| tourbillon_cli::accepts(["check", "model"].iter().chain(option).copied());
    options(way).filter(|option| !parses(option)).map(|option| option.join(" ")).collect()
}

/// Whether it stops at equal states only, so that it may visit many more.
pub(super) fn is_by_equality(way: Way) -> bool {
    value(way, "--cover") == Some("equality")
        || matches!(value(way, "--passed"), Some("bitstate" | "compact"))
}

/// The plain way that must have the same counts, if this one leaves nothing out.
pub(super) fn counts_as(way: Way) -> Option<Way> {
    if value(way, "--passed").is_some() {
        return None;
    }
    let same = |plain: &&Way| {
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
