//! The omission probability of a probabilistic passed list, in words.

use tourbillon_check::Certainty;

use crate::report::Sense;

/// Why a verdict without a found state is not certain, in a sentence without a full stop.
pub(crate) fn may_omit(certainty: &Certainty, sense: Option<Sense>) -> String {
    let outcome = match sense {
        None => "all states that were reached were visited",
        Some(Sense::Invariantly) => "no state that violates the predicate was found",
        Some(_) => "no state that satisfies the predicate was found",
    };
    format!(
        "{outcome}, but the passed list is probabilistic: it has omitted a state{} with a probability of about {}, \
         and {} of {} states are expected to be omitted ({}); more --passed-memory, more bits, --passes or \
         --passed exact reduce this",
        by_all(certainty),
        probability_text(certainty.probability),
        number_text(certainty.omitted()),
        certainty.states,
        fill_text(certainty),
    )
}

/// Why a search with a full table ended, in a sentence without a full stop.
pub(crate) fn table_full(certainty: &Certainty) -> String {
    let (unentered, way_out) = match certainty.unentered {
        0 => (String::new(), ", or continue with --when-full skip"),
        unentered => (format!(", and {unentered} states were visited and not stored"), ""),
    };
    format!(
        "the passed list is full{unentered} ({}); use more --passed-memory or fewer bits per \
         state{way_out}",
        fill_text(certainty)
    )
}

fn by_all(certainty: &Certainty) -> String {
    if certainty.passes > 1 { format!(" in all {} passes", certainty.passes) } else { String::new() }
}

/// The fill of the table, in words.
pub(crate) fn fill_text(certainty: &Certainty) -> String {
    let percent = 100.0 * certainty.fill();
    format!("the table is {} % full", number_text(percent))
}

/// A probability as a percentage, or as one in n if it is small.
#[must_use]
pub fn probability_text(probability: f64) -> String {
    match probability {
        p if p <= 0.0 => "0".to_owned(),
        p if p >= 0.999_95 => "1".to_owned(),
        p if p >= 0.01 => format!("{:.1} %", 100.0 * p),
        p => format!("1 in {}", rounded(p.recip())),
    }
}

/// A number that may be small, to two or three digits.
#[must_use]
pub fn number_text(number: f64) -> String {
    match number {
        n if n <= 0.0 => "0".to_owned(),
        n if n >= 100.0 => rounded(n),
        n if n >= 0.1 => format!("{n:.1}"),
        n if n >= 0.000_1 => {
            let digits = (1.0 - n.log10().floor()) as usize;
            format!("{n:.digits$}")
        }
        n => format!("{n:.1e}"),
    }
}

/// A large number to two digits.
fn rounded(number: f64) -> String {
    if number >= 1e9 {
        return format!("{number:.1e}");
    }
    let scale = 10f64.powf((number.log10().floor() - 1.0).max(0.0));
    format!("{:.0}", (number / scale).round() * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_read_well() {
        let texts = [0.0, 1e-20, 2.3e-8, 0.000_123, 0.012, 0.5, 0.99996].map(probability_text);
        assert_eq!(texts, ["0", "1 in 1.0e20", "1 in 43000000", "1 in 8100", "1.2 %", "50.0 %", "1"]);
    }

    #[test]
    fn numbers_read_well() {
        let texts = [0.0, 3.2e-9, 0.000_56, 0.034, 0.7, 12.34, 1234.0].map(number_text);
        assert_eq!(texts, ["0", "3.2e-9", "0.00056", "0.034", "0.7", "12.3", "1200"]);
    }
}
