//! Applies adjudication rules to the games of runs, one game after the other.

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use referee::GameResult;
use runner::{
    Adjudication, Adjudicator, DrawRule, GameRecord, MoveRecord, ResignRule, RunConfig, Termination, micros,
};
use stats::Proportion;

/// Sums up what rules would have done in the games so far. No game is kept.
#[derive(Clone, Debug, Default)]
pub struct AdjudicationCheck {
    rules: Vec<Adjudication>,
    tallies: Vec<RuleTally>,
    pub games: u64,
    /// Games that did not end on the board or by tablebases, by termination.
    pub not_played_out: BTreeMap<Termination, u64>,
    /// Games that were played out but not chosen for it. If a run plays out a share of its games, only the chosen ones
    /// show what a rule does to ordinary games.
    pub not_chosen: u64,
}

impl AdjudicationCheck {
    pub fn new(rules: Vec<Adjudication>) -> AdjudicationCheck {
        let tallies = vec![RuleTally::default(); rules.len()];
        AdjudicationCheck { rules, tallies, ..AdjudicationCheck::default() }
    }

    /// Counts a game of a run; a game without a result is ignored.
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
}

/// Whether the board or tablebases decided the result. A crash, for example, says nothing about a rule.
const fn is_true_end(termination: Termination) -> bool {
    matches!(
        termination,
        Termination::Checkmate
            | Termination::Stalemate
            | Termination::ThreefoldRepetition
            | Termination::FiftyMoves
            | Termination::InsufficientMaterial
            | Termination::VariantRules
            | Termination::TablebaseAdjudication
    )
}

/// Whether played-out games tell about a rule. If a rule of the same kind was in use, they do so only if the run played
/// out a share of its games; otherwise only games that no rule ended would be left.
const fn can_tell(in_use: &Adjudication, rule: &Adjudication) -> bool {
    let is_in_use =
        rule.draw.is_some() && in_use.draw.is_some() || rule.resign.is_some() && in_use.resign.is_some();
    in_use.play_out.is_some() || !is_in_use
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleVerdict {
    /// The number of the engines' moves after which the rule would have ended the game, before its last move.
    pub moves: usize,
    pub result: GameResult,
}

/// Sums over the games that show the effect of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct RuleTally {
    /// Games that show the effect of the rule.
    pub games: u64,
    /// Games that the rule would have ended before their last move.
    pub ended: u64,
    /// The ended games whose result the rule would have changed.
    pub changed: ChangedResults,
    /// Moves of the engines in all games.
    pub plies: u64,
    /// Moves after the verdict of the rule.
    pub plies_saved: u64,
    /// Time of the engines in all games.
    #[serde(rename = "time_us", with = "micros")]
    #[schemars(with = "u64")]
    pub time: Duration,
    /// Time after the verdict of the rule.
    #[serde(rename = "time_saved_us", with = "micros")]
    #[schemars(with = "u64")]
    pub time_saved: Duration,
}

/// Results that a rule would have changed, by the true result and the rule's result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ChangedResults {
    /// Wins that would have been draws.
    pub win_to_draw: u64,
    /// Draws that one side would have won.
    pub draw_to_win: u64,
    /// Wins that the other side would have won.
    pub reversed: u64,
}

impl RuleTally {
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

    pub fn changed_share(&self) -> Proportion {
        Proportion { hits: self.changed.all(), trials: self.games }
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

    pub const fn all(&self) -> u64 {
        self.win_to_draw + self.draw_to_win + self.reversed
    }
}

/// The verdict of each rule; `None` if the rule would not have ended the game before its last move.
///
/// The rules are the runner's, fed with the recorded scores. They need no board: the record tells the side to move, and
/// the SAN tells captures and pawn moves.
pub fn verdicts(game: &GameRecord, rules: &[Adjudication]) -> Vec<Option<RuleVerdict>> {
    let mut verdicts = vec![None; rules.len()];
    let mut adjudicators: Vec<Adjudicator> = rules.iter().cloned().map(Adjudicator::new).collect();
    let first_move = game.opening.fen.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(1);
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

/// What adjudication rules would have done to the games of runs. `schema` changes if a field changes its meaning or is removed.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct AdjudicationReport {
    /// The version of this format.
    pub schema: u32,
    /// The run folders.
    pub runs: Vec<String>,
    /// All games with a result.
    pub games: u64,
    /// Games that did not end on the board or by tablebases, by termination; they do not count.
    pub not_played_out: BTreeMap<Termination, u64>,
    /// Games of a run with `--play-out` that ended on the board without being chosen for it; they do not count.
    pub not_chosen: u64,
    /// Each rule alone, and both together if there is a draw and a resign rule.
    pub rules: Vec<RuleReport>,
}

/// The effect that a draw rule, a resign rule or both together would have had.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct RuleReport {
    /// The rule for draws, such as `move=40,count=8,score=10`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// The rule for resignations, such as `count=3,score=600`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    #[serde(flatten)]
    pub tally: RuleTally,
    /// The share of changed results among the games that the rule would have ended; `None` if there are none.
    pub error_rate: Option<ShareEstimate>,
    /// The share of changed results among all games that the rule is applied to; `None` if there are none.
    pub changed_share: Option<ShareEstimate>,
}

#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct ShareEstimate {
    /// From 0 to 1.
    pub share: f64,
    /// The lower end of the 95% interval.
    pub lower: f64,
    /// The upper end of the 95% interval.
    pub upper: f64,
}

impl AdjudicationReport {
    pub const SCHEMA: u32 = 1;

    pub fn new(runs: Vec<String>, check: &AdjudicationCheck) -> AdjudicationReport {
        let rules = check.rules().map(|(rules, tally)| RuleReport {
            draw: rules.draw,
            resign: rules.resign,
            tally: *tally,
            error_rate: ShareEstimate::of(tally.error_rate()),
            changed_share: ShareEstimate::of(tally.changed_share()),
        });
        AdjudicationReport {
            schema: AdjudicationReport::SCHEMA,
            runs,
            games: check.games,
            not_played_out: check.not_played_out.clone(),
            not_chosen: check.not_chosen,
            rules: rules.collect(),
        }
    }
}

impl ShareEstimate {
    fn of(proportion: Proportion) -> Option<ShareEstimate> {
        let (lower, upper) = proportion.interval();
        Some(ShareEstimate { share: proportion.share()?, lower, upper })
    }
}

#[cfg(test)]
mod tests;
