//! Decoding of bytes to text.
//!
//! A file is UTF-8, or UTF-16, or what its XML declaration says among the one-byte encodings that models are found in. UTF-16
//! has a byte order mark, or is known by its first two characters, of which every other byte is zero. A carriage return that
//! no line feed follows ends a line, as it did in old files, and is read as a line feed. Nothing is refused: a byte that is no UTF-8 is read as windows-1252, since
//! such files come from editors that meant that (an `é` in a comment, mostly), and a control character that XML
//! forbids becomes U+FFFD, so that every text that was read can be written as XML. What was done is reported, with the
//! first place it was done at, as an offset of the decoded text.
//!
//! Invariant: the text has no byte order mark at its start, no character that XML 1.0 forbids, and no carriage return without a
//! line feed.

use tourbillon_base::Code;

use crate::codes;

/// The text of a file, and what had to be done to get it.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub(crate) text: String,
    pub(crate) faults: Vec<DecodeFault>,
}

/// Something about the bytes that was not as it should be.
#[derive(Debug)]
pub(crate) struct DecodeFault {
    pub(crate) code: Code,
    /// The first byte of the decoded text that it concerns.
    pub(crate) at: usize,
    pub(crate) message: String,
    pub(crate) help: &'static str,
}

const SAVE_AS_UTF8: &str = "save the file as UTF-8";

/// The text of a file.
pub(crate) fn decode(bytes: &[u8]) -> Decoded {
    let mut decoded = match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [a, 0, b, 0, ..] if *a != 0 && *b != 0 => utf16(bytes, u16::from_le_bytes),
        [0, a, 0, b, ..] if *a != 0 && *b != 0 => utf16(bytes, u16::from_be_bytes),
        _ => match declared_encoding(bytes).as_deref() {
            Some("iso-8859-1" | "latin1" | "iso_8859-1") => one_byte(bytes, char::from),
            Some("windows-1252" | "cp1252") => one_byte(bytes, windows_1252),
            None | Some("utf-8" | "utf8" | "us-ascii" | "ascii") => utf8(bytes),
            Some(other) => unknown(bytes, other),
        },
    };
    replace_forbidden(&mut decoded);
    if has_lone_return(decoded.text.as_bytes()) {
        decoded.text = with_line_feeds(&decoded.text);
    }
    decoded
}

/// The text of a file in any language, as well as it can be read.
#[must_use]
pub fn text_of(bytes: &[u8]) -> String {
    decode(bytes).text
}

fn has_lone_return(text: &[u8]) -> bool {
    let is_lone = |at: usize| text.get(at + 1) != Some(&b'\n');
    text.iter().enumerate().any(|(at, &byte)| byte == b'\r' && is_lone(at))
}

/// A text with a line feed in place of each carriage return that none follows. No place in it changes.
fn with_line_feeds(text: &str) -> String {
    let mut characters = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(c) = characters.next() {
        out.push(if c == '\r' && characters.peek() != Some(&'\n') { '\n' } else { c });
    }
    out
}

/// The encoding that an XML declaration names, in lower case. The declaration itself is ASCII.
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let head = &bytes[..bytes.len().min(200)];
    let head: String = head.iter().map(|&byte| char::from(byte)).collect();
    let declaration = head.trim_start().strip_prefix("<?xml")?.split("?>").next()?.to_owned();
    let value = declaration.split("encoding").nth(1)?.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    Some(value[1..].split(quote).next()?.trim().to_ascii_lowercase())
}

fn utf8(bytes: &[u8]) -> Decoded {
    let mut text = String::with_capacity(bytes.len());
    let (mut first, mut count) = (None, 0);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            first.get_or_insert(text.len());
            count += chunk.invalid().len();
            text.extend(chunk.invalid().iter().map(|&byte| windows_1252(byte)));
        }
    }
    let faults = first.map(|at| {
        let message = match count {
            1 => "a byte that is not UTF-8".to_owned(),
            _ => format!("{count} bytes that are not UTF-8, the first of them here"),
        };
        DecodeFault { code: codes::ENCODING, at, message, help: SAVE_AS_UTF8 }
    });
    Decoded { text, faults: faults.into_iter().collect() }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Decoded {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(bytes.len());
    let mut first = None;
    for c in char::decode_utf16(pairs.iter().copied().map(unit)) {
        text.push(c.unwrap_or_else(|_| {
            first.get_or_insert(text.len());
            char::REPLACEMENT_CHARACTER
        }));
    }
    if !rest.is_empty() {
        first.get_or_insert(text.len());
    }
    let fault = first.map(|at| DecodeFault {
        code: codes::ENCODING,
        at,
        message: "this is not UTF-16".to_owned(),
        help: SAVE_AS_UTF8,
    });
    Decoded { text, faults: fault.into_iter().collect() }
}

fn one_byte(bytes: &[u8], character: fn(u8) -> char) -> Decoded {
    Decoded { text: bytes.iter().copied().map(character).collect(), faults: Vec::new() }
}

fn unknown(bytes: &[u8], encoding: &str) -> Decoded {
    let mut decoded = utf8(bytes);
    let name: String = encoding.chars().take(40).collect();
    let message = format!("the encoding `{name}` is not known: reading as UTF-8");
    decoded.faults.insert(0, DecodeFault { code: codes::ENCODING, at: 0, message, help: SAVE_AS_UTF8 });
    decoded
}

/// ISO-8859-1 with printable characters where that has control characters.
fn windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// Whether XML 1.0 has this character.
pub(crate) fn is_xml_character(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

fn replace_forbidden(decoded: &mut Decoded) {
    let Some(at) = decoded.text.find(|c| !is_xml_character(c)) else { return };
    let replace = |c| if is_xml_character(c) { c } else { char::REPLACEMENT_CHARACTER };
    decoded.text = decoded.text.chars().map(replace).collect();
    let message = "a control character, which no model can contain".to_owned();
    decoded.faults.push(DecodeFault {
        code: codes::ENCODING,
        at,
        message,
        help: "remove it; it is read as U+FFFD",
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_honoured() {
        let declared = |name: &str, tail: &[u8]| {
            [format!("<?xml version='1.0' encoding = \"{name}\"?>").as_bytes(), tail].concat()
        };
        let utf16: Vec<u8> = "\u{feff}né𝄞".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let utf16_be: Vec<u8> = "\u{feff}né".encode_utf16().flat_map(u16::to_be_bytes).collect();
        let cases: &[(&[u8], &str, usize)] = &[
            ("né".as_bytes(), "né", 0),
            ("\u{feff}né".as_bytes(), "né", 0),
            (&utf16, "né𝄞", 0),
            (&utf16_be, "né", 0),
            (b"i\0n\0t\0", "int", 0),
            (b"\0i\0n\0t", "int", 0),
            (b"a\rb\r\nc\r\rd\r", "a\nb\r\nc\n\nd\n", 0),
            (&[0xff, 0xfe, b'n', 0, b'x'], "n", 1),
            (b"n\xe9 \x80", "né €", 1),
            (b"a\x01b", "a\u{fffd}b", 1),
            (&declared("ISO-8859-1", b"\xe9"), "é", 0),
            (&declared("Windows-1252", b"\x93"), "“", 0),
            (&declared("UTF-8", "é".as_bytes()), "é", 0),
            (&declared("GBK", b"\xe9"), "é", 2),
        ];
        for (bytes, end, faults) in cases {
            let decoded = decode(bytes);
            assert!(decoded.text.ends_with(end), "{:?}", decoded.text);
            assert_eq!(decoded.faults.len(), *faults, "{:?}", decoded.text);
        }
    }

    #[test]
    fn a_fault_points_at_the_first_place() {
        assert_eq!(decode(b"ab\xe9\xe9").faults[0].at, 2);
        assert_eq!(decode("é\u{1}".as_bytes()).faults[0].at, 2);
    }
}
