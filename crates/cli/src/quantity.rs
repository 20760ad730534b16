//! Amounts of memory and time as people write them: `4G`, `500M`, `60s`, `2h`.

use std::time::Duration;

/// Parses a number of bytes: a number, with K, M, G or T for powers of 1024.
pub fn bytes(text: &str) -> Result<u64, String> {
    let units = [("", 0), ("k", 10), ("m", 20), ("g", 30), ("t", 40)];
    let (number, unit) = split(text)?;
    let unit = unit.to_ascii_lowercase();
    let unit = unit.strip_suffix('b').unwrap_or(&unit);
    let unit = unit.strip_suffix('i').unwrap_or(unit);
    let shift = units.iter().find(|(name, _)| *name == unit).map(|(_, shift)| *shift);
    let shift = shift.ok_or_else(|| format!("`{text}` is not an amount of memory such as 500M or 4G"))?;
    Ok((number * (1u64 << shift) as f64) as u64)
}

/// Parses the memory of a table, at least 1K.
pub fn table_bytes(text: &str) -> Result<u64, String> {
    let least = 1 << 10;
    bytes(text)
        .and_then(|bytes| if bytes < least { Err("a table needs at least 1K".to_owned()) } else { Ok(bytes) })
}

/// Parses a time: a number with ms, s, m or h; seconds by default.
pub fn time(text: &str) -> Result<Duration, String> {
    let units = [("", 1.0), ("ms", 0.001), ("s", 1.0), ("m", 60.0), ("min", 60.0), ("h", 3600.0)];
    let (number, unit) = split(text)?;
    let seconds = units.iter().find(|(name, _)| *name == unit).map(|(_, seconds)| number * seconds);
    let seconds = seconds.ok_or_else(|| format!("`{text}` is not a time such as 90s, 5m or 2h"))?;
    Duration::try_from_secs_f64(seconds).map_err(|error| format!("`{text}`: {error}"))
}

fn split(text: &str) -> Result<(f64, &str), String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = text[..end].parse().map_err(|_| format!("`{text}` does not begin with a number"))?;
    Ok((number, text[end..].trim_start()))
}

/// Formats bytes in a suitable unit.
pub fn bytes_text(bytes: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", units[unit]) }
}

/// Formats a time in a suitable unit.
pub fn time_text(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        s if s < 0.000_999_5 => format!("{:.0} µs", s * 1e6),
        s if s < 0.999_5 => format!("{:.0} ms", s * 1e3),
        s if s < 99.95 => format!("{s:.1} s"),
        s => format!("{}:{:02} min", s as u64 / 60, s as u64 % 60),
    }
}

/// Formats a count with separated thousands.
pub fn count_text(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read() {
        assert_eq!(bytes("4G"), Ok(4 << 30));
        assert_eq!(bytes("1.5 KiB"), Ok(1536));
        assert_eq!(bytes("100"), Ok(100));
        assert_eq!(bytes("2mb"), Ok(2 << 20));
        assert!(bytes("4X").is_err() && bytes("G").is_err() && bytes("1.2.3").is_err());
        assert_eq!(time("90"), Ok(Duration::from_secs(90)));
        assert_eq!(time("1.5h"), Ok(Duration::from_secs(5400)));
        assert_eq!(time("20 ms"), Ok(Duration::from_millis(20)));
        assert!(time("5 weeks").is_err() && time("1e999").is_err() && time("").is_err());
    }

    #[test]
    fn amounts_are_told() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count_text), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([17, 2048, 3 << 30].map(bytes_text), ["17 B", "2.0 KiB", "3.0 GiB"]);
        let times = [7u64, 12_345, 1_234_567, 125_000_000].map(Duration::from_micros).map(time_text);
        assert_eq!(times, ["7 µs", "12 ms", "1.2 s", "2:05 min"]);
    }
}
