//! The tables of `[ThomsenKristensen2002]` on one diagram over several computers, as printed there.
//!
//! Section 8.6.3 has a table for each of three models and one to four computers, section 8.6.5 one for each model and
//! four computers in one, two and four groups. Bytes are those of diagrams at the end of the search; the load is the
//! fraction of the time in which a computer was busy. Absolute bytes and seconds are not comparable today; ratios to
//! one computer, to four groups and to the number of states are.
//!
//! In the last table on Buscoupler, the messages of all computers sum to 9,000 less than the printed total, which the
//! table of groups repeats.

/// The figures of one computer: the bytes of its part of the diagram, its load in per cent, the messages that it sent.
pub(super) type Computer = (u64, u8, u64);

/// A model, explored by one to four computers.
pub(super) struct ThesisModel {
    pub(super) name: &'static str,
    /// The states that were tried on one computer, section 8.3.2.
    pub(super) states: u64,
    /// Seconds, and the figures of each computer.
    pub(super) distribution: [(f64, &'static [Computer]); 4],
    /// Seconds, bytes and messages of four computers in one, two and four groups.
    pub(super) groups: [(f64, u64, u64); 3],
}

pub(super) const MODELS: [ThesisModel; 3] = [
    ThesisModel {
        name: "Dacapo",
        states: 53_967,
        distribution: [
            (5.65, &[(302_508, 100, 0)]),
            (49.14, &[(166_888, 100, 96_117), (142_164, 60, 55_861)]),
            (50.3, &[(83_880, 100, 121_308), (173_972, 66, 97_880), (52_812, 40, 61_523)]),
            (
                47.7,
                &[(82_360, 100, 115_087), (91_864, 65, 94_919), (120_372, 37, 89_373), (22_172, 26, 44_190)],
            ),
        ],
        groups: [(37.7, 316_772, 343_569), (25.2, 554_352, 171_548), (8.2, 904_212, 34_720)],
    },
    ThesisModel {
        name: "Buscoupler",
        states: 5_288_096,
        distribution: [
            (1701.0, &[(12_602_672, 100, 0)]),
            (9532.0, &[(7_210_612, 100, 12_623_045), (6_142_372, 61, 6_354_126)]),
            (
                9652.0,
                &[(1_746_032, 100, 14_623_045), (9_670_352, 64, 10_388_128), (2_014_660, 35, 5_764_121)],
            ),
            (
                9572.0,
                &[
                    (538_184, 100, 16_523_948),
                    (3_094_560, 62, 12_312_429),
                    (9_149_140, 45, 7_354_264),
                    (672_732, 26, 4_723_539),
                ],
            ),
        ],
        groups: [
            (9562.0, 13_454_616, 40_923_180),
            (5570.0, 22_573_832, 22_703_471),
            (1620.0, 45_033_084, 3_365_242),
        ],
    },
    ThesisModel {
        name: "Fischer 6",
        states: 55_674,
        distribution: [
            (493.0, &[(6_510_968, 100, 0)]),
            (4183.0, &[(5_483_360, 100, 187_221), (1_286_220, 63, 70_538)]),
            (4213.0, &[(3_015_220, 100, 187_678), (3_769_032, 71, 135_287), (68_528, 12, 72_846)]),
            (
                4451.0,
                &[
                    (1_041_532, 100, 174_606),
                    (4_513_312, 72, 137_584),
                    (1_319_280, 23, 138_964),
                    (69_436, 4, 60_527),
                ],
            ),
        ],
        groups: [(4451.0, 6_943_560, 511_681), (2721.0, 10_634_604, 276_864), (834.0, 21_420_432, 36_758)],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The printed total below each table is the sum of its rows.
    #[test]
    fn totals_are_those_that_are_printed() {
        let totals = [
            [(302_508, 0), (309_052, 151_978), (310_664, 280_711), (316_768, 343_569)],
            [(12_602_672, 0), (13_352_984, 18_977_171), (13_431_044, 30_775_294), (13_454_616, 40_914_180)],
            [(6_510_968, 0), (6_769_580, 257_759), (6_852_780, 395_811), (6_943_560, 511_681)],
        ];
        for (model, totals) in MODELS.iter().zip(totals) {
            for ((_, computers), total) in model.distribution.iter().zip(totals) {
                let sum = computers
                    .iter()
                    .fold((0, 0), |sum, &(bytes, _, messages)| (sum.0 + bytes, sum.1 + messages));
                assert_eq!(sum, total, "{}", model.name);
            }
        }
    }
}
