//! The figures of the paper's tables `[Bengtsson2001]`, as printed there.
//!
//! Measured on a Sun Ultra Enterprise 450 with processors of 400 MHz and within 1 GB, by Uppaal 3.1.26; `⊥` is a search
//! that did not end within that, `-` means that nothing was omitted. Absolute seconds and megabytes are not comparable
//! today; ratios to the plain form, and omitted states, are.

use super::super::value::Value;

/// The figures of a table: a row for each of its models, with a figure for each of its columns. Our additional columns
/// follow and have none.
pub(super) fn rows(table: u32) -> Vec<(&'static str, Vec<Value>)> {
    text(table).lines().map(row).collect()
}

fn row(line: &'static str) -> (&'static str, Vec<Value>) {
    let (name, figures) = line.split_once('|').expect("a name, then figures");
    (name.trim(), figures.split_whitespace().map(figure).collect())
}

fn figure(text: &str) -> Value {
    match text {
        "⊥" => Value::Unfinished,
        "-" => Value::Number(0.0),
        number => Value::Number(number.parse().expect("a number")),
    }
}

const fn text(table: u32) -> &'static str {
    match table {
        1 => PACKED_EQUALITY,
        2 => PACKED_INCLUSION,
        3 => PACKED_ZONES,
        4 => WAITING,
        5 => SUPERTRACE,
        6 => SUPERTRACE_TIME,
        7 => SIGNATURES_OF_7,
        8 => SIGNATURES_TIME,
        9 => SIGNATURES_SPACE,
        _ => "",
    }
}

/// Table 1: seconds, to plain, megabytes, to plain.
const PACKED_EQUALITY: &str = "\
Field Bus (Faulty 1) | ⊥ ⊥ ⊥ ⊥
Field Bus (Faulty 2) | ⊥ ⊥ ⊥ ⊥
Field Bus (Faulty 3) | ⊥ ⊥ ⊥ ⊥
Field Bus (Fixed)    | ⊥ ⊥ ⊥ ⊥
B&O                  | 20.42 1.09 10.48 0.48
DACAPO (big)         | 326.91 1.14 43.14 0.47
DACAPO (small)       | 18.50 1.30 6.60 0.78
Fischer 5            | 14.53 0.90 4.45 0.47
Fischer 6            | 733.91 0.54 48.34 0.33";

/// Table 2: the same.
const PACKED_INCLUSION: &str = "\
Field Bus (Faulty 1) | 541.32 3.70 23.05 0.30
Field Bus (Faulty 2) | 956.55 4.34 33.80 0.29
Field Bus (Faulty 3) | 10630.90 8.21 136.52 0.28
Field Bus (Fixed)    | 2890.30 5.88 60.59 0.29
B&O                  | 52.44 2.81 11.17 0.51
DACAPO (big)         | 1379.45 4.81 34.01 0.37
DACAPO (small)       | 31.67 2.23 5.55 0.65
Fischer 5            | 94.31 5.82 4.18 0.45
Fischer 6            | 17387.56 12.88 40.12 0.28";

/// Table 3: the same.
const PACKED_ZONES: &str = "\
Field Bus (Faulty 1) | 142.47 0.97 49.69 0.64
Field Bus (Faulty 2) | 212.82 0.97 71.77 0.61
Field Bus (Faulty 3) | 1190.96 0.92 278.54 0.57
Field Bus (Fixed)    | 488.14 0.99 139.01 0.65
B&O                  | 18.04 0.97 13.31 0.61
DACAPO (big)         | 278.58 0.97 43.39 0.48
DACAPO (small)       | 14.54 1.02 6.49 0.77
Fischer 5            | 12.46 0.77 4.66 0.50
Fischer 6            | 815.94 0.60 51.12 0.35";

/// Table 4: seconds without and with, gain in per cent, megabytes without and with, gain in per cent.
const WAITING: &str = "\
Field Bus (Faulty 1) | 335.53 152.66 54.50 83.00 78.02 6.00
Field Bus (Faulty 2) | 610.87 226.31 62.95 128.32 117.97 8.07
Field Bus (Faulty 3) | 2142.13 1342.23 37.34 510.77 489.94 4.08
Field Bus (Fixed)    | 1051.19 497.85 52.64 230.03 212.33 7.70
B&O                  | 20.24 18.80 7.11 21.91 21.91 0.00
DACAPO (big)         | 828.53 296.87 64.17 104.84 90.91 13.29
DACAPO (small)       | 97.90 14.54 85.15 15.45 8.48 45.15
Fischer 5            | 14.75 16.86 -14.31 9.68 9.38 3.15
Fischer 6            | 1179.34 1456.64 -23.51 150.93 145.73 3.44";

/// Table 5: per mille of collisions and of omitted states, at 16, 32 and 64 MB.
const SUPERTRACE: &str = "\
Philips (Correct)    | 0.45 5.71 0.45 5.71 0.45 5.71
B&O                  | 0.97 21.62 0.91 16.07 0.65 3.49
DACAPO (big)         | 4.40 13.05 2.75 13.74 1.24 4.39
DACAPO (small)       | 1.65 5.96 0.79 4.17 0.39 3.13
Fischer 5            | 0.18 0.64 0.07 0.35 0.04 0.04
Fischer 6            | 3.67 12.29 1.84 6.30 0.93 3.12";

/// Table 6: seconds at 16, 32 and 64 MB, and of exact lists by equality and by inclusion.
const SUPERTRACE_TIME: &str = "\
Philips (Correct)    | 2.39 2.58 2.97 2.18 1.91
Philips (Erroneous)  | 98.83 98.18 102.20 270.91 22.22
B&O                  | 15.59 16.20 16.30 17.37 16.57
DACAPO (big)         | 268.32 268.04 269.67 294.77 254.01
DACAPO (small)       | 15.32 15.47 15.90 15.56 12.45
Fischer 5            | 11.57 13.01 12.20 18.53 14.36
Fischer 6            | 688.28 681.67 686.75 1675.04 1217.88";

/// Table 7: per mille of omitted states at 16, 32 and 64 MB, by signatures and by signatures with zones.
const SIGNATURES_OF_7: &str = "\
Philips (Correct)    | - - - - - -
Philips (Faulty)     | ⊥ ⊥ ⊥ - - -
B&O                  | 0.80 1.17 0.81 2.25 0.29 -
DACAPO (big)         | 0.94 0.65 0.21 ⊥ ⊥ 0.19
DACAPO (small)       | 0.54 0.19 0.10 0.13 0.14 0.02
Fischer 5            | - - 0.05 - - -
Fischer 6            | 0.95 0.44 0.19 0.08 0.02 0.03";

/// Table 8: seconds at 16, 32 and 64 MB, by signatures and by signatures with zones, and of the exact list.
const SIGNATURES_TIME: &str = "\
Field Bus (Faulty 1) | ⊥ ⊥ ⊥ ⊥ 140.86 144.73 148.12
Field Bus (Faulty 2) | ⊥ ⊥ ⊥ ⊥ 211.41 215.45 218.17
Field Bus (Faulty 3) | ⊥ ⊥ ⊥ ⊥ ⊥ ⊥ 1296.95
Field Bus (Fixed)    | ⊥ ⊥ ⊥ ⊥ ⊥ 464.89 488.39
Philips (Correct)    | 3.30 3.46 3.82 2.19 2.32 2.61 1.89
Philips (Faulty)     | ⊥ ⊥ ⊥ 23.11 23.05 23.40 22.84
B&O                  | 22.62 22.78 22.83 20.00 20.11 20.32 16.45
DACAPO (big)         | 304.24 305.09 303.44 ⊥ 256.77 256.35 259.87
DACAPO (small)       | 19.11 19.25 19.64 13.70 13.86 14.15 12.60
Fischer 5            | 13.05 13.18 13.50 12.80 13.05 13.35 14.42
Fischer 6            | 641.39 643.09 646.26 1252.79 995.90 963.30 1210.97";

/// Table 9: megabytes of the same.
const SIGNATURES_SPACE: &str = "\
Field Bus (Faulty 1) | ⊥ ⊥ ⊥ ⊥ 40.41 72.41 77.92
Field Bus (Faulty 2) | ⊥ ⊥ ⊥ ⊥ 40.61 72.62 117.88
Field Bus (Faulty 3) | ⊥ ⊥ ⊥ ⊥ ⊥ ⊥ 489.87
Field Bus (Fixed)    | ⊥ ⊥ ⊥ ⊥ ⊥ 75.82 212.21
Philips (Correct)    | 17.91 33.91 65.91 17.89 33.89 65.89 4.21
Philips (Faulty)     | ⊥ ⊥ ⊥ 18.35 34.35 66.35 18.23
B&O                  | 17.85 33.85 65.85 17.85 33.85 65.85 21.81
DACAPO (big)         | 24.93 40.93 72.93 ⊥ 40.01 72.01 92.77
DACAPO (small)       | 18.44 34.44 66.44 18.40 34.40 66.40 8.38
Fischer 5            | 18.91 34.91 66.91 18.88 34.88 66.88 9.28
Fischer 6            | 40.13 56.13 88.13 38.38 54.38 86.38 145.64";

#[cfg(test)]
mod tests {
    use super::super::models::MODELS;
    use super::super::tables::TABLES;
    use super::*;

    #[test]
    fn every_row_has_a_figure_for_each_column_of_the_paper() {
        for table in &TABLES {
            let rows = rows(table.number);
            assert_eq!(rows.is_empty(), table.number == 10, "table {}", table.number);
            for (name, figures) in rows {
                let ours = if table.number == 5 { 3 } else { 0 };
                assert_eq!(figures.len() + ours, table.columns.len(), "table {}, {name}", table.number);
            }
        }
    }

    #[test]
    fn models_stand_for_rows_that_there_are() {
        for name in MODELS.iter().filter_map(|model| model.seed) {
            let has = |table: u32| rows(table).iter().any(|(row, _)| *row == name);
            assert!((1..=9).all(has), "{name}");
        }
    }
}
