//! XML escapes and entities.

use std::borrow::Cow;

use crate::decode::is_xml_character;

/// What an entity stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum XmlEntity {
    Char(char),
    /// A number that is none of a character.
    BadNumber,
    /// A name that has no meaning.
    Unknown,
    /// Not an entity at all: the `&` stands for itself.
    Bare,
}

/// The meaning of what stands between `&` and `;`.
pub(super) fn entity(name: &str) -> XmlEntity {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        let character = code.ok().and_then(char::from_u32).filter(|&c| is_xml_character(c));
        return character.map_or(XmlEntity::BadNumber, XmlEntity::Char);
    }
    match name {
        "lt" => XmlEntity::Char('<'),
        "gt" => XmlEntity::Char('>'),
        "amp" => XmlEntity::Char('&'),
        "apos" => XmlEntity::Char('\''),
        "quot" => XmlEntity::Char('"'),
        _ if is_name(name) => XmlEntity::Unknown,
        _ => XmlEntity::Bare,
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(is_name_start)
        && text.chars().all(|c| is_name_start(c) || c.is_ascii_digit() || "-.".contains(c))
}

/// Whether the name of an element can start with this.
pub(super) fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == ':'
}

/// Text for the inside of an element.
pub(crate) fn escape_text(text: &str) -> Cow<'_, str> {
    escape(text, |c| match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '\r' => Some("&#13;"),
        _ => forbidden(c),
    })
}

/// Text for the value of an attribute, in double quotes.
pub(crate) fn escape_attribute(text: &str) -> Cow<'_, str> {
    escape(text, |c| match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\t' => Some("&#9;"),
        '\n' => Some("&#10;"),
        '\r' => Some("&#13;"),
        _ => forbidden(c),
    })
}

fn forbidden(c: char) -> Option<&'static str> {
    (!is_xml_character(c)).then_some("\u{fffd}")
}

fn escape(text: &str, replacement: impl Fn(char) -> Option<&'static str>) -> Cow<'_, str> {
    if text.chars().all(|c| replacement(c).is_none()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match replacement(c) {
            Some(other) => out.push_str(other),
            None => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_have_meanings() {
        let cases = [
            ("lt", XmlEntity::Char('<')),
            ("#60", XmlEntity::Char('<')),
            ("#x3C", XmlEntity::Char('<')),
            ("#x1F600", XmlEntity::Char('😀')),
            ("#0", XmlEntity::BadNumber),
            ("#xD800", XmlEntity::BadNumber),
            ("#99999999999999", XmlEntity::BadNumber),
            ("#", XmlEntity::BadNumber),
            ("nbsp", XmlEntity::Unknown),
            ("& b", XmlEntity::Bare),
            ("", XmlEntity::Bare),
            (" y ", XmlEntity::Bare),
        ];
        for (name, meaning) in cases {
            assert_eq!(entity(name), meaning, "{name}");
        }
    }

    #[test]
    fn escapes_what_must_be() {
        assert_eq!(escape_text("a\"b\n"), "a\"b\n");
        assert_eq!(escape_text("a<b&&c>d\r"), "a&lt;b&amp;&amp;c&gt;d&#13;");
        assert_eq!(escape_attribute("\"\n\u{1}"), "&quot;&#10;\u{fffd}");
    }
}
