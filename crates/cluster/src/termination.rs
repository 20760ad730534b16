//! Termination detection: two equal rounds of message counts.
//!
//! An idle rank may get work as long as a message is in transit, and no rank sees messages in transit. So the coordinator requests from
//! all ranks, in *waves*, the numbers of batches sent and received. A rank answers when it is idle: no state waits, no batch is
//! unsent. One wave with equal sums is not enough: the ranks answer at different times, and a batch that one rank received after its
//! answer, and another sent before its own, can compensate for one that is still in transit. Two waves with the same sums, both sent
//! and received, are enough: that is the four-counter method `[Mattern1987]`.
//!
//! Proof: counts only grow. If the sums of two waves are equal, so are the counts of each rank, and no rank has sent or received a
//! batch between its two answers. Consider a time after the first wave and before the second. No rank has work, since it had none at
//! its first answer and received none since; and as many batches were received as sent, so none is in transit. The argument needs no
//! order of messages and no clock. A wave costs two messages for each rank, and the next begins when the one before is complete: busy
//! ranks delay their answers, so there are few.

/// The numbers of batches sent and received.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Counts {
    pub(crate) sent: u64,
    pub(crate) received: u64,
}

/// The counts of all ranks, on the coordinator.
#[derive(Debug)]
pub(crate) struct Detector {
    ranks: usize,
    wave: u32,
    /// The number of ranks that have not answered the wave; 0 if there is no wave.
    missing: usize,
    sums: Counts,
    before: Option<Counts>,
    is_over: fn(Option<Counts>, Counts) -> bool,
}

/// Whether two waves with these sums prove termination.
fn proves_termination(before: Option<Counts>, now: Counts) -> bool {
    now.sent == now.received && before == Some(now)
}

impl Detector {
    pub(crate) fn new(ranks: usize) -> Self {
        Self {
            ranks,
            wave: 0,
            missing: 0,
            sums: Counts::default(),
            before: None,
            is_over: proves_termination,
        }
    }

    /// The number of a new wave; `None` if one is incomplete.
    pub(crate) fn next_wave(&mut self) -> Option<u32> {
        if self.missing > 0 {
            return None;
        }
        self.wave += 1;
        self.missing = self.ranks;
        self.sums = Counts::default();
        Some(self.wave)
    }

    /// Adds an answer. Returns whether the search has terminated.
    pub(crate) fn count(&mut self, wave: u32, counts: Counts) -> bool {
        if wave != self.wave || self.missing == 0 {
            return false;
        }
        self.sums.sent += counts.sent;
        self.sums.received += counts.received;
        self.missing -= 1;
        if self.missing > 0 {
            return false;
        }
        let over = (self.is_over)(self.before, self.sums);
        self.before = Some(self.sums);
        over
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Random;

    use super::*;
    use crate::transport::Transport as _;
    use crate::transport::simulated::{Network, Simulated};

    /// A rank that passes tokens on, once or twice, and answers waves when it has none. Without duplication a weaker
    /// detector would be right as well.
    struct TokenRank {
        end: Simulated,
        tokens: Vec<u8>,
        asked: Option<u32>,
        counts: Counts,
    }

    const TOKEN: u8 = 0;
    const WAVE: u8 = 1;
    const COUNTS: u8 = 2;

    impl TokenRank {
        /// Takes what has arrived, then passes a token on or answers. Returns whether the detector saw the end.
        fn step(&mut self, detector: Option<&mut Detector>, random: &mut Random) -> bool {
            let mut over = false;
            let mut detector = detector;
            while let Some((_, message)) = self.end.receive() {
                match message[0] {
                    TOKEN => {
                        self.counts.received += 1;
                        self.tokens.push(message[1]);
                    }
                    WAVE => self.asked = Some(message[1].into()),
                    _ => {
                        let counts = Counts { sent: message[2].into(), received: message[3].into() };
                        over |= detector.as_mut().is_some_and(|it| it.count(message[1].into(), counts));
                    }
                }
            }
            if let Some(steps) = self.tokens.pop() {
                let copies = if steps > 0 { 1 + random.below(2) } else { 0 };
                for _ in 0..copies {
                    let to = random.below(self.end.ranks());
                    self.counts.sent += 1;
                    self.end.send(to, vec![TOKEN, steps - 1]);
                }
                return over;
            }
            if let Some(wave) = self.asked.take() {
                let Counts { sent, received } = self.counts;
                self.end.send(0, vec![COUNTS, wave as u8, sent as u8, received as u8]);
            }
            if let Some(wave) = detector.and_then(Detector::next_wave) {
                (0..self.end.ranks()).for_each(|to| self.end.send(to, vec![WAVE, wave as u8]));
            }
            over
        }
    }

    /// Lets ranks pass tokens until the detector sees the end. Returns how many tokens were still passed on after that.
    fn passed_after_the_end(
        ranks: usize,
        seed: u64,
        is_over: fn(Option<Counts>, Counts) -> bool,
    ) -> Option<usize> {
        let (network, ends) = Network::connected(ranks, seed);
        let mut random = Random::from_seed(!seed);
        let mut passers: Vec<TokenRank> = ends
            .into_iter()
            .map(|end| TokenRank { end, tokens: Vec::new(), asked: None, counts: Counts::default() })
            .collect();
        for _ in 0..1 + random.below(3) {
            passers[random.below(ranks)].tokens.push(random.below(5) as u8);
        }
        let mut detector = Detector { is_over, ..Detector::new(ranks) };
        for _ in 0..4_000 {
            let rank = network.borrow_mut().tick(ranks);
            // Numbers of waves are bytes here: that many are enough to see the end of some steps.
            let coordinator = (rank == 0 && detector.wave < 250).then_some(&mut detector);
            if passers[rank].step(coordinator, &mut random) {
                return Some(left_over(&network, &mut passers));
            }
        }
        None
    }

    /// How many tokens are held, or arrive if time continues.
    fn left_over(network: &std::cell::RefCell<Network>, passers: &mut [TokenRank]) -> usize {
        let mut tokens: usize = passers.iter().map(|passer| passer.tokens.len()).sum();
        for _ in 0..1_000 {
            network.borrow_mut().tick(passers.len());
            for passer in &mut *passers {
                tokens += std::iter::from_fn(|| passer.end.receive()).filter(|it| it.1[0] == TOKEN).count();
            }
        }
        tokens
    }

    #[test]
    fn the_end_is_seen_and_is_the_end() {
        for ranks in 1..=5 {
            for seed in 0..2_000 {
                let left = passed_after_the_end(ranks, seed, proves_termination);
                assert_eq!(left, Some(0), "{ranks} ranks, seed {seed}");
            }
        }
    }

    /// Comparing the sums of one wave only is the mistake that the second wave is there for: these tests would see it.
    #[test]
    fn one_wave_is_not_enough() {
        let once: fn(Option<Counts>, Counts) -> bool = |_, now| now.sent == now.received;
        let wrong =
            (0..2_000).filter(|&seed| passed_after_the_end(4, seed, once).is_some_and(|left| left > 0));
        assert!(wrong.count() > 0, "no seed tells one wave from two");
    }

    /// Nor is it enough that nothing changed: something may be under way all the time.
    #[test]
    fn equal_waves_are_not_enough() {
        let unchanged: fn(Option<Counts>, Counts) -> bool = |before, now| before == Some(now);
        let wrong =
            (0..2_000).filter(|&seed| passed_after_the_end(4, seed, unchanged).is_some_and(|left| left > 0));
        assert!(wrong.count() > 0, "no seed has a message under way for two waves");
    }
}
