//! The batches of a run for the best of several candidates: who plays the base how often, by the results before.

use serde::{Deserialize, Serialize};

use crate::{FinishReason, Format, RunConfig};
use stats::{BestRule, Pentanomial};

/// The batches that were dealt to the candidates, and what those that are over came to.
///
/// A batch is dealt by the results of all but the one before it, which is played meanwhile, so that nobody waits for the
/// last game of a batch. Therefore the games follow from the results, whatever the order they came in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Batches {
    rule: BestRule,
    /// The index of the base, which is that of the last engine.
    base: usize,
    /// By candidate: the pairs of the batches that are over.
    counts: Vec<Pentanomial>,
    /// By candidate: the pairs of all batches.
    dealt: Vec<u64>,
    pairs_left: u64,
    known: usize,
    over: usize,
    verdict: Option<FinishReason>,
}

/// Batches that are known beyond those that are over.
const AHEAD: usize = 2;

impl Batches {
    pub(super) fn of_run(config: &RunConfig) -> Option<Batches> {
        let Format::Gauntlet { challengers } = config.format else { return None };
        Some(Batches {
            rule: config.best?,
            base: challengers,
            counts: vec![Pentanomial::default(); challengers],
            dealt: vec![0; challengers],
            pairs_left: u64::from(config.games / 2) * challengers as u64,
            known: 0,
            over: 0,
            verdict: None,
        })
    }

    pub(super) const fn rule(&self) -> &BestRule {
        &self.rule
    }

    pub(super) const fn base(&self) -> usize {
        self.base
    }

    /// The index of the first batch that is not over.
    pub(super) const fn over(&self) -> usize {
        self.over
    }

    /// Takes the results of that batch: of each pair the candidate, and its half points.
    pub(super) fn take(&mut self, pairs: impl Iterator<Item = (usize, usize)>) {
        for (candidate, half_points) in pairs {
            let mut pair = [0; 5];
            pair[half_points] = 1;
            self.counts[candidate] += Pentanomial::new(pair);
        }
        self.over += 1;
    }

    /// The candidates of the next batch if there is to be one now, each with the pairs that it had before.
    pub(super) fn next(&mut self) -> Option<Vec<(usize, u32)>> {
        let is_sure = self.over > 0 && self.rule.is_sure(&self.counts);
        if self.known == self.over && is_sure {
            self.verdict = Some(FinishReason::FoundBest);
        }
        if is_sure || self.pairs_left == 0 || self.known >= self.over + AHEAD {
            return None;
        }
        let batch = self.rule.batch(&self.counts, &self.dealt, self.pairs_left);
        self.pairs_left -= batch.len() as u64;
        self.known += 1;
        let dealt = batch.into_iter().map(|candidate| {
            self.dealt[candidate] += 1;
            (candidate, self.dealt[candidate] as u32 - 1)
        });
        Some(dealt.collect())
    }

    /// Whether more batches may follow.
    pub(super) const fn may_grow(&self) -> bool {
        self.verdict.is_none() && (self.pairs_left > 0 || self.known > self.over)
    }

    /// How many games the batches to come may have.
    pub(super) const fn games_to_come(&self) -> u32 {
        if self.verdict.is_none() { 2 * self.pairs_left as u32 } else { 0 }
    }

    /// That the best is known and nothing is in play.
    pub(super) const fn verdict(&self) -> Option<&FinishReason> {
        self.verdict.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameRecord, Pairing, Schedule};
    use referee::GameResult;

    fn config(format: &str, more: &str) -> RunConfig {
        let engines = ["good", "bad", "same", "base"];
        let engines = engines.map(|name| format!("[[engine]]\nname = '{name}'\nprogram = '{name}'\n"));
        let text = format!(
            "games = 400\nformat = '{format}'\n{more}\n[best]\nwithin = 30.0\nsure = 0.9\n[limits]\nnodes = 5\n\
             [book]\npath = 'x'\n{}",
            engines.concat()
        );
        toml::from_str(&text).unwrap()
    }

    const FORMAT: &str = "gauntlet,challengers=3";

    /// The first candidate wins two pairs of five, the second loses as many, the third draws.
    fn record(pairing: Pairing) -> GameRecord {
        let candidate = pairing.white.min(pairing.black);
        let result = match (candidate, pairing.round % 5) {
            (0 | 1, 0 | 3) if (pairing.white == candidate) == (candidate == 0) => GameResult::WhiteWins,
            (0 | 1, 0 | 3) => GameResult::BlackWins,
            _ => GameResult::Draw,
        };
        let Pairing { game, pair, white, black, .. } = pairing;
        GameRecord { game, pair, white, black, result: Some(result), ..GameRecord::made_up() }
    }

    /// Plays with so many games in flight, of which any may end first.
    fn play(in_flight: usize) -> Schedule {
        let mut schedule = Schedule::new(&config(FORMAT, ""));
        let (mut next, mut playing, mut state) = (0, Vec::new(), 1_u64);
        loop {
            while let Some(pairing) = schedule.pairing(next).filter(|_| playing.len() < in_flight) {
                playing.push(pairing);
                next += 1;
            }
            if playing.is_empty() {
                return schedule;
            }
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let ended = playing.swap_remove((state >> 33) as usize % playing.len());
            schedule.add(&record(ended));
        }
    }

    #[test]
    fn who_plays_follows_from_the_results_whatever_the_order_they_come_in() {
        let alone = play(1);
        assert_eq!(alone.verdict(), Some(&FinishReason::FoundBest));
        assert!(alone.is_over() && alone.games() < 3 * 400, "{}", alone.games());
        let games = |schedule: &Schedule| schedule.pairings().collect::<Vec<_>>();
        for in_flight in [2, 7, 100] {
            let many = play(in_flight);
            assert_eq!((games(&many), many.verdict()), (games(&alone), alone.verdict()), "{in_flight}");
        }
        let of = |candidate| games(&alone).into_iter().filter(move |game| game.white == candidate);
        assert!(of(0).count() > of(1).count(), "the best plays most");
        // Each has the same openings, one after another.
        for candidate in 0..3 {
            let rounds: Vec<u32> = of(candidate).map(|game| game.round).collect();
            assert!((0..).zip(&rounds).all(|(expected, &round)| round == expected), "{rounds:?}");
        }
        let (_, standings) = alone.best_of().unwrap();
        assert!(standings[0].probability >= 0.9 && standings[1].probability < 0.1, "{standings:?}");
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
