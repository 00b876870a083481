//! The batches of a run for the best of several candidates: how often each plays the base, by the earlier results.

use serde::{Deserialize, Serialize};

use crate::{FinishReason, Format, RunConfig};
use stats::{BestRule, Pentanomial};

/// The batches assigned to the candidates, and the results of those that are over.
///
/// A batch is based on the results of all batches except the one before it, which is played meanwhile, so that no worker
/// waits for the last game of a batch. The games thus follow from the results, whatever the order they came in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Batches {
    pub(super) rule: BestRule,
    /// The index of the base, which is the last engine.
    pub(super) base: usize,
    /// For each candidate, the pairs of the batches that are over.
    counts: Vec<Pentanomial>,
    /// For each candidate, the pairs of all batches.
    dealt: Vec<u64>,
    /// For each candidate, the batch from which it plays.
    from_batch: Vec<usize>,
    /// The average number of pairs for each candidate.
    pairs_of_each: u64,
    /// The index of the next batch to be assigned.
    pub(super) known: usize,
    /// The index of the first batch that is not over.
    pub(super) over: usize,
    /// The verdict, once the best is known and no batch is being played.
    pub(super) verdict: Option<FinishReason>,
}

/// The most batches that are known beyond those that are over.
const AHEAD: usize = 2;

impl Batches {
    pub(super) fn of_run(config: &RunConfig) -> Option<Batches> {
        let Format::Gauntlet { challengers } = config.format else { return None };
        Some(Batches {
            rule: config.best?,
            base: challengers,
            counts: vec![Pentanomial::default(); challengers],
            dealt: vec![0; challengers],
            from_batch: config.engines.iter().take(challengers).map(|it| it.from_batch as usize).collect(),
            pairs_of_each: u64::from(config.games / 2),
            known: 0,
            over: 0,
            verdict: None,
        })
    }

    /// The number of candidates in the next batch: those that joined the run before it.
    fn candidates(&self) -> usize {
        self.from_batch.partition_point(|&batch| batch <= self.known)
    }

    fn pairs_left(&self) -> u64 {
        let all = self.pairs_of_each * self.candidates() as u64;
        all.saturating_sub(self.dealt.iter().sum())
    }

    /// Adds the results of that batch: the candidate and its half points of each pair.
    pub(super) fn take(&mut self, pairs: impl Iterator<Item = (usize, usize)>) {
        for (candidate, half_points) in pairs {
            let mut pair = [0; 5];
            pair[half_points] = 1;
            self.counts[candidate] += Pentanomial::new(pair);
        }
        self.over += 1;
    }

    /// The candidates of the next batch, if there is one now, each with its number of earlier pairs.
    pub(super) fn next(&mut self) -> Option<Vec<(usize, u32)>> {
        let candidates = self.candidates();
        let (counts, dealt) = (&self.counts[..candidates], &self.dealt[..candidates]);
        let has_newcomers = dealt.contains(&0);
        let may_end = self.over > 0 && !has_newcomers;
        let reason = match BestRule::is_base_out_of_reach(counts).filter(|_| may_end) {
            Some(base) => Some(FinishReason::BaseOutOfReach { base }),
            None => (may_end && self.rule.is_sure(counts)).then_some(FinishReason::FoundBest),
        };
        let is_over = reason.is_some();
        if self.known == self.over && is_over {
            self.verdict = reason;
        }
        if is_over || self.pairs_left() == 0 || self.known >= self.over + AHEAD {
            return None;
        }
        let batch = self.rule.batch(counts, dealt, self.pairs_left());
        self.known += 1;
        let dealt = batch.into_iter().map(|candidate| {
            self.dealt[candidate] += 1;
            (candidate, self.dealt[candidate] as u32 - 1)
        });
        Some(dealt.collect())
    }

    /// Whether more batches may follow.
    pub(super) fn may_grow(&self) -> bool {
        self.verdict.is_none() && (self.pairs_left() > 0 || self.known > self.over)
    }

    /// The most games that the batches to come may have.
    pub(super) fn games_to_come(&self) -> u32 {
        if self.verdict.is_none() { 2 * self.pairs_left() as u32 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameRecord, Pairing, Schedule};
    use referee::GameResult;
    use stats::OutOfReach;

    fn config(format: &str, more: &str) -> RunConfig {
        let best = "best = { within = 30.0, sure = 0.9 }";
        let lines = format!("games = 400\nbook.path = 'x'\nformat = '{format}'\n{best}\n{more}");
        RunConfig::made_up(&["good", "bad", "same", "base"], &lines)
    }

    const FORMAT: &str = "gauntlet,challengers=3";

    /// The first candidate wins two of five pairs, the second loses two, the third draws.
    fn record(pairing: Pairing) -> GameRecord {
        let candidate = pairing.white.min(pairing.black);
        let result = match (candidate, pairing.round % 5) {
            (0 | 1, 0 | 3) if (pairing.white == candidate) == (candidate == 0) => GameResult::WhiteWins,
            (0 | 1, 0 | 3) => GameResult::BlackWins,
            _ => GameResult::Draw,
        };
        GameRecord::of_pairing(pairing, result)
    }

    fn play(config: &RunConfig, in_flight: usize) -> Schedule {
        let mut schedule = Schedule::new(config);
        schedule.play_out(in_flight, 1, record);
        schedule
    }

    #[test]
    fn who_plays_follows_from_the_results_whatever_the_order_they_come_in() {
        let config = config(FORMAT, "");
        let alone = play(&config, 1);
        assert_eq!(alone.verdict(), Some(&FinishReason::FoundBest));
        assert!(alone.is_over() && alone.games() < 3 * 400, "{}", alone.games());
        let games = |schedule: &Schedule| schedule.pairings().collect::<Vec<_>>();
        for in_flight in [2, 7, 100] {
            let many = play(&config, in_flight);
            assert_eq!((games(&many), many.verdict()), (games(&alone), alone.verdict()), "{in_flight}");
        }
        let of = |candidate| games(&alone).into_iter().filter(move |game| game.white == candidate);
        assert!(of(0).count() > of(1).count(), "the best plays most");
        // Each candidate has the same openings in the same order.
        for candidate in 0..3 {
            let rounds: Vec<u32> = of(candidate).map(|game| game.round).collect();
            assert!((0..).zip(&rounds).all(|(expected, &round)| round == expected), "{rounds:?}");
        }
        let (_, standings) = alone.best_of().unwrap();
        assert!(standings[0].probability >= 0.9 && standings[1].probability < 0.1, "{standings:?}");
    }

    #[test]
    fn a_base_that_loses_nearly_all_games_ends_the_run_without_a_best_and_one_strong_candidate_does_not() {
        let config = config(FORMAT, "");
        let ended = |strong: &[usize]| {
            let mut schedule = Schedule::new(&config);
            schedule.play_out(1, 1, |pairing| {
                let candidate = pairing.white.min(pairing.black);
                let wins = strong.contains(&candidate) && pairing.round % 40 != 7;
                let is_white = pairing.white == candidate;
                let result = match (wins, is_white) {
                    (false, _) => GameResult::Draw,
                    (true, true) => GameResult::WhiteWins,
                    (true, false) => GameResult::BlackWins,
                };
                GameRecord::of_pairing(pairing, result)
            });
            (schedule.verdict().cloned(), schedule.games())
        };
        let (verdict, games) = ended(&[0, 1]);
        assert_eq!(verdict, Some(FinishReason::BaseOutOfReach { base: OutOfReach::TooWeak }));
        assert!(games < 400, "{games}");
        assert_eq!(ended(&[0]).0, Some(FinishReason::FoundBest));
    }

    #[test]
    fn a_candidate_that_joins_plays_from_the_next_batch_on_and_what_was_played_stays() {
        let first = RunConfig {
            engines: config(FORMAT, "").engines.split_off(1),
            ..config("gauntlet,challengers=2", "")
        };
        let before = play(&first, 3);
        assert_eq!(before.verdict(), Some(&FinishReason::FoundBest));
        let good = config(FORMAT, "").engines.swap_remove(0);
        let joined = first.with_candidates(vec![good], before.next_batch().unwrap());
        joined.validate().unwrap();
        let after = play(&joined, 3);
        let base = |engine| if engine == 2 { 3 } else { engine };
        let moved =
            before.pairings().map(|it| Pairing { white: base(it.white), black: base(it.black), ..it });
        assert_eq!(
            moved.collect::<Vec<_>>(),
            after.pairings().take(before.games() as usize).collect::<Vec<_>>()
        );
        let rounds: Vec<u32> = after.pairings().filter(|it| it.white == 2).map(|it| it.round).collect();
        assert!(rounds.len() >= 8 && rounds[0] == 0, "{rounds:?}");
        let (_, standings) = after.best_of().unwrap();
        assert_eq!((standings.len(), after.verdict()), (3, Some(&FinishReason::FoundBest)));
        let mut early = joined.clone();
        early.engines[0].from_batch = 1;
        assert!(early.validate().is_err(), "one alone has nobody to be better than");
        assert!(RunConfig { best: None, ..joined }.validate().is_err(), "there are no batches");
    }

    #[test]
    fn the_best_of_what_cannot_be_dealt_is_refused() {
        assert!(config(FORMAT, "").validate().is_ok());
        let sprt = "sprt = { elo0 = 0.0, elo1 = 5.0, alpha = 0.05, beta = 0.05, model = 'logistic' }";
        for (format, more) in [
            ("knockout", ""),
            ("round-robin", ""),
            ("gauntlet", ""),
            (FORMAT, sprt),
            (FORMAT, "shard = '1/2'"),
            (FORMAT, "skipped = 2"),
            (FORMAT, "rounds = { in_one_go = 2 }"),
        ] {
            let problems = config(format, more).validate().unwrap_err().to_string();
            assert!(problems.contains("best: expected `within`"), "{format} {more}: {problems}");
        }
        let mut wrong = config(FORMAT, "");
        wrong.best = wrong.best.map(|best| BestRule { sure: 1.0, ..best });
        assert!(wrong.validate().is_err());
    }
}
