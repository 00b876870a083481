//! Compares rules with the games of runs, one game after the other.

use std::collections::BTreeMap;

use super::check_report::RuleTally;
use referee::GameResult;
use runner::{Adjudication, Adjudicator, GameRecord, RunConfig, Termination};

/// What rules would have done in the games so far. No game is kept.
#[derive(Clone, Debug)]
pub struct AdjudicationCheck {
    rules: Vec<Adjudication>,
    tallies: Vec<RuleTally>,
    games: u64,
    /// Games that ended otherwise than on the board or by tablebases, by how they ended.
    not_played_out: BTreeMap<Termination, u64>,
    not_chosen: u64,
}

impl AdjudicationCheck {
    pub fn new(rules: Vec<Adjudication>) -> AdjudicationCheck {
        AdjudicationCheck {
            tallies: vec![RuleTally::default(); rules.len()],
            rules,
            games: 0,
            not_played_out: BTreeMap::new(),
            not_chosen: 0,
        }
    }

    /// Counts a game of a run. One without a result says nothing.
    pub fn add(&mut self, config: &RunConfig, game: &GameRecord) {
        let Some(result) = game.result else { return };
        self.games += 1;
        if !is_true_end(game.termination) {
            *self.not_played_out.entry(game.termination).or_default() += 1;
            return;
        }
        if config.adjudication.play_out.is_some() && !config.is_played_out(game.game) {
            self.not_chosen += 1;
            return;
        }
        let telling: Vec<bool> = self.rules.iter().map(|rule| can_tell(&config.adjudication, rule)).collect();
        if !telling.contains(&true) {
            return;
        }
        let verdicts = verdicts(game, &self.rules);
        for ((tally, verdict), can_tell) in self.tallies.iter_mut().zip(verdicts).zip(telling) {
            if can_tell {
                tally.add(game, result, verdict);
            }
        }
    }

    pub fn rules(&self) -> impl Iterator<Item = (&Adjudication, &RuleTally)> {
        self.rules.iter().zip(&self.tallies)
    }

    pub fn is_conclusive(&self) -> bool {
        self.tallies.iter().any(|tally| tally.games > 0)
    }

    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Games that were not played out, by how they ended.
    pub const fn not_played_out(&self) -> &BTreeMap<Termination, u64> {
        &self.not_played_out
    }

    /// Games that were played out, but not because they were chosen for it: in a run that plays a share of its games out,
    /// only these show what a rule does to the usual game.
    pub const fn not_chosen(&self) -> u64 {
        self.not_chosen
    }
}

/// Whether the result is that of the board or of tablebases. A rule says nothing about an engine that crashes.
const fn is_true_end(termination: Termination) -> bool {
    matches!(
        termination,
        Termination::Checkmate
            | Termination::Stalemate
            | Termination::ThreefoldRepetition
            | Termination::FiftyMoves
            | Termination::InsufficientMaterial
            | Termination::TablebaseAdjudication
    )
}

/// Whether games that were played out tell about a rule. Where a rule of the same kind was in use, they do so only if the
/// run played a share of its games out: the others are there because no rule ended them.
const fn can_tell(in_use: &Adjudication, rule: &Adjudication) -> bool {
    let is_in_use =
        rule.draw.is_some() && in_use.draw.is_some() || rule.resign.is_some() && in_use.resign.is_some();
    in_use.play_out.is_some() || !is_in_use
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleVerdict {
    /// Moves of the engines after which the rule would have ended the game; fewer than the game has.
    pub moves: usize,
    pub result: GameResult,
}

/// The verdict of each rule; `None` where the rule would not have ended the game before its last move.
///
/// The rules are those of the runner, fed with the recorded scores. They need no board: the record says who moved, and its
/// SAN which moves were captures or those of pawns.
pub fn verdicts(game: &GameRecord, rules: &[Adjudication]) -> Vec<Option<RuleVerdict>> {
    let mut verdicts = vec![None; rules.len()];
    let mut adjudicators: Vec<Adjudicator> = rules.iter().cloned().map(Adjudicator::new).collect();
    let first_move = game.opening.fen.split(' ').nth(5).and_then(|number| number.parse().ok()).unwrap_or(1);
    let black_began = game.opening.fen.split(' ').nth(1) == Some("b");
    let plies_before = u32::from(black_began) + game.opening.moves.len() as u32;
    let mut side = game.first_to_move();
    let before_the_last = game.moves.len().saturating_sub(1);
    for (moves, played) in (1..).zip(&game.moves[..before_the_last]) {
        let is_zeroing = played.san.contains('x') || played.san.starts_with(|c| matches!(c, 'a'..='h'));
        let plies = plies_before + moves as u32;
        let next_move = first_move + plies / 2;
        for (adjudicator, verdict) in adjudicators.iter_mut().zip(&mut verdicts) {
            if verdict.is_none() {
                let judged = adjudicator.judge_scores(side, is_zeroing, next_move, played.score);
                *verdict = judged.map(|(_, result)| RuleVerdict { moves, result });
            }
        }
        side = side.other();
    }
    verdicts
}

#[cfg(test)]
mod tests;
