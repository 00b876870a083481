//! What is counted for one adjudication rule.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::replay::RuleVerdict;
use referee::GameResult;
use runner::{GameRecord, MoveRecord};
use stats::Proportion;

/// Sums over the games that tell about a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleTally {
    /// The games.
    pub games: u64,
    /// Those that the rule would have ended before their last move.
    pub ended: u64,
    /// Those of them with another result in the end.
    pub changed: ChangedResults,
    /// Moves of the engines in all games.
    pub plies: u64,
    /// Those after the verdict of the rule.
    pub plies_saved: u64,
    /// Time of the engines in all games.
    pub time: Duration,
    /// That after the verdict of the rule.
    pub time_saved: Duration,
}

/// Results that a rule would have changed, by the true result and the one that the rule would have given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedResults {
    /// Wins that would have been draws.
    pub win_to_draw: u64,
    /// Draws that one side would have won.
    pub draw_to_win: u64,
    /// Wins that the other side would have won.
    pub reversed: u64,
}

impl RuleTally {
    /// Counts a game that was played out with this result.
    pub fn add(&mut self, game: &GameRecord, result: GameResult, verdict: Option<RuleVerdict>) {
        let time = |moves: &[MoveRecord]| moves.iter().map(|played| played.time).sum::<Duration>();
        self.games += 1;
        self.plies += game.moves.len() as u64;
        self.time += time(&game.moves);
        let Some(verdict) = verdict else { return };
        let saved = &game.moves[verdict.moves..];
        self.ended += 1;
        self.plies_saved += saved.len() as u64;
        self.time_saved += time(saved);
        self.changed.add(result, verdict.result);
    }

    /// The changed results among the games that the rule would have ended.
    pub fn error_rate(&self) -> Proportion {
        Proportion { hits: self.changed.all(), trials: self.ended }
    }

    /// The changed results among all games.
    pub fn changed_share(&self) -> Proportion {
        Proportion { hits: self.changed.all(), trials: self.games }
    }

    /// The games that the rule would have ended among all games.
    pub fn ended_share(&self) -> Proportion {
        Proportion { hits: self.ended, trials: self.games }
    }

    /// The share of the engines' time that the rule would have saved; `None` without any time.
    pub fn share_of_time_saved(&self) -> Option<f64> {
        (!self.time.is_zero()).then(|| self.time_saved.as_secs_f64() / self.time.as_secs_f64())
    }

    /// The share of the engines' moves that the rule would have saved; `None` without any move.
    pub fn share_of_plies_saved(&self) -> Option<f64> {
        Proportion { hits: self.plies_saved, trials: self.plies }.share()
    }
}

impl ChangedResults {
    fn add(&mut self, result: GameResult, by_rule: GameResult) {
        match (result, by_rule) {
            (played, ruled) if played == ruled => {}
            (GameResult::Draw, _) => self.draw_to_win += 1,
            (_, GameResult::Draw) => self.win_to_draw += 1,
            _ => self.reversed += 1,
        }
    }

    /// Their number.
    pub const fn all(&self) -> u64 {
        self.win_to_draw + self.draw_to_win + self.reversed
    }
}
