//! Suggestions for unknown names.

/// The candidate that is nearest to a word, if it is near: other letters' case, one slip in a short word, two
/// in a longer one. A slip is a letter too many, too few, wrong, or two swapped.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = match word.len() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let distance = if candidate.eq_ignore_ascii_case(word) { 0 } else { slips(word, candidate) };
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// How many slips lead from one word to the other; long words that cannot be near are not compared.
fn slips(left: &str, right: &str) -> usize {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len().abs_diff(right.len()) > 2 || left.len() > 64 {
        return usize::MAX;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (i, &a) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &b) in right.iter().enumerate() {
            let mut cost = (above[j] + usize::from(a != b)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a == right[j - 1] && left[i - 1] == b {
                cost = cost.min(before[j - 1] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[right.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_words_are_found() {
        let keys = ["provided", "do", "invariant"];
        for (word, found) in [
            ("provide", Some("provided")),
            ("porvided", Some("provided")),
            ("Do", Some("do")),
            ("od", None),
            ("invairants", Some("invariant")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, keys), found, "{word}");
        }
    }
}
