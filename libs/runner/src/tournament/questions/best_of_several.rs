//! The search for the best of several candidates: how often each plays the base, by the earlier results.

use serde::{Deserialize, Serialize};

use super::Rule;
use crate::tournament::Stage;
use crate::tournament::pairings::pairs_of_stage;
use crate::{FinishReason, Format, Pairing, Rounds, RunConfig, Schedule};
use referee::GameResult;
use stats::{BestRule, CandidateStanding, Pentanomial};

/// The batches assigned to the candidates, and the results of those that are over. Each batch is a stage.
///
/// A batch is based on the results of all batches except the one before it, which is played meanwhile, so that no worker
/// waits for the last game of a batch. The games thus follow from the results, whatever the order they came in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BestOfSeveral {
    /// The rule by which the best is found.
    pub rule: BestRule,
    /// The index of the base, which is the last engine.
    base: usize,
    /// For each candidate, the pairs of the batches that are over.
    counts: Vec<Pentanomial>,
    /// For each candidate, the pairs of all batches.
    dealt: Vec<u64>,
    /// For each candidate, the batch from which it plays.
    from_batch: Vec<usize>,
    /// The average number of pairs for each candidate.
    pairs_of_each: u64,
    /// The index of the next batch to be assigned, for which new candidates wait.
    pub known: usize,
    /// The index of the first batch that is not over.
    over: usize,
    /// The verdict, once the best is known and no batch is being played.
    verdict: Option<FinishReason>,
}

/// The maximum number of batches that are dealt before their predecessors are over.
const AHEAD: usize = 2;

impl BestOfSeveral {
    /// The standing of each candidate by all complete pairs of the schedule.
    pub fn standings(&self, schedule: &Schedule) -> Vec<CandidateStanding> {
        let pairs = |candidate| schedule.games_of(candidate, self.base).map(|games| *games.scored.pairs());
        let counts: Vec<_> = (0..self.base).map(|candidate| pairs(candidate).unwrap_or_default()).collect();
        self.rule.standings(&counts)
    }

    /// The number of candidates in the next batch, which later ones cannot join.
    fn candidates(&self) -> usize {
        self.from_batch.partition_point(|&batch| batch <= self.known)
    }

    fn pairs_left(&self) -> u64 {
        let all = self.pairs_of_each * self.candidates() as u64;
        all.saturating_sub(self.dealt.iter().sum())
    }

    /// The candidates of the next batch, if there is one now, each with its number of earlier pairs.
    fn next(&mut self) -> Option<Vec<(usize, u32)>> {
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

    fn stage(&self, last: Option<&Stage>, batch: Vec<(usize, u32)>) -> Stage {
        let encounter = |(candidate, before)| ((candidate, self.base), before);
        let (encounters, later) = batch.into_iter().map(encounter).unzip();
        Stage::batch(last, encounters, later)
    }
}

impl Rule for BestOfSeveral {
    fn of_run(config: &RunConfig) -> Option<BestOfSeveral> {
        let Format::Gauntlet { challengers } = config.format else { return None };
        Some(BestOfSeveral {
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

    fn problems(config: &RunConfig) -> Vec<String> {
        let Some((base, candidates)) = config.engines.split_last() else { return Vec::new() };
        let is_right = config.best.is_some_and(|best| best.is_valid())
            && config.format == (Format::Gauntlet { challengers: candidates.len() })
            && config.rounds == Rounds::default()
            && candidates.iter().take_while(|engine| engine.from_batch == 0).count() > 1
            && candidates.is_sorted_by_key(|engine| engine.from_batch)
            && base.from_batch == 0;
        crate::config::found([(
            !is_right,
            "best: expected `within` above 0 and `sure` between 0 and 1, pairs of games, and two or more candidates in \
             the format `gauntlet,challengers=N` against the last engine alone, those with `from_batch` behind the others",
        )])
    }

    fn first_stage(&mut self, _config: &RunConfig) -> Stage {
        let batch = self.next().unwrap_or_default();
        self.stage(None, batch)
    }

    fn next_stage(&mut self, last: &Stage, _all_taken: bool) -> Option<Stage> {
        self.next().map(|batch| self.stage(Some(last), batch))
    }

    fn take_stage(&mut self, games: &[(Pairing, GameResult)]) {
        for ((candidate, _), pair) in pairs_of_stage(games) {
            self.counts[candidate] += pair;
        }
        self.over += 1;
    }

    /// The most games that the batches to come may have.
    fn to_come(&self) -> Option<u32> {
        let pairs_left = self.pairs_left();
        let may_grow = self.verdict.is_none() && (pairs_left > 0 || self.known > self.over);
        may_grow.then_some(2 * pairs_left as u32)
    }

    fn verdict(&self) -> Option<&FinishReason> {
        self.verdict.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::pairings::ordered;
    use crate::{GameRecord, Question};
    use stats::OutOfReach;

    fn config(format: &str, more: &str) -> RunConfig {
        let best = "best = { within = 30.0, sure = 0.9 }";
        let lines = format!("games = 400\nbook.path = 'x'\nformat = '{format}'\n{best}\n{more}");
        RunConfig::made_up(&["good", "bad", "same", "base"], &lines)
    }

    const FORMAT: &str = "gauntlet,challengers=3";

    /// The first candidate wins two of five pairs, the second loses two, the third draws.
    fn record(pairing: Pairing) -> GameRecord {
        let (candidate, base) = ordered(pairing.white, pairing.black);
        match (candidate, pairing.round % 5) {
            (0, 0 | 3) => GameRecord::won_by(candidate, pairing),
            (1, 0 | 3) => GameRecord::won_by(base, pairing),
            _ => GameRecord::of_pairing(pairing, GameResult::Draw),
        }
    }

    fn play(config: &RunConfig, in_flight: usize) -> Schedule {
        let mut schedule = Schedule::new(config);
        schedule.play_out(in_flight, 1, record);
        schedule
    }

    fn best(schedule: &Schedule) -> &BestOfSeveral {
        let Question::BestOfSeveral(best) = schedule.question() else { panic!("another question") };
        best
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
        let standings = best(&alone).standings(&alone);
        assert!(standings[0].probability >= 0.9 && standings[1].probability < 0.1, "{standings:?}");
    }

    #[test]
    fn a_base_that_loses_nearly_all_games_ends_the_run_without_a_best_and_one_strong_candidate_does_not() {
        let config = config(FORMAT, "");
        let ended = |strong: &[usize]| {
            let mut schedule = Schedule::new(&config);
            schedule.play_out(1, 1, |pairing| {
                let candidate = pairing.white.min(pairing.black);
                if strong.contains(&candidate) && pairing.round % 40 != 7 {
                    return GameRecord::won_by(candidate, pairing);
                }
                GameRecord::of_pairing(pairing, GameResult::Draw)
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
        let joined = first.with_candidates(vec![good], best(&before).known as u32);
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
        assert_eq!(
            (best(&after).standings(&after).len(), after.verdict()),
            (3, Some(&FinishReason::FoundBest))
        );
        let mut early = joined.clone();
        early.engines[0].from_batch = 1;
        assert!(early.validate().is_err(), "one alone has nobody to be better than");
        assert!(RunConfig { best: None, ..joined }.validate().is_err(), "there are no batches");
    }
}
