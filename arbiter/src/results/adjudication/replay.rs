//! What rules would have said of a finished game.

use referee::{GameResult, Referee, Variant};
use runner::{Adjudication, Adjudicator, GameRecord};

/// The verdict of a rule before a game was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleVerdict {
    /// Moves of the engines after which the rule would have ended the game; fewer than the game has.
    pub moves: usize,
    /// The result that it would have given.
    pub result: GameResult,
}

/// The verdict of each rule; `None` where the rule would not have ended the game before its last move.
///
/// The rules are those of the runner, fed with the recorded moves and scores.
pub fn verdicts(game: &GameRecord, variant: Variant, rules: &[Adjudication]) -> Vec<Option<RuleVerdict>> {
    let mut verdicts = vec![None; rules.len()];
    let Ok(mut board) = Referee::from_fen(&game.opening.fen, variant) else { return verdicts };
    if game.opening.moves.iter().any(|played| board.play(&played.uci).is_err()) {
        return verdicts;
    }
    let mut adjudicators: Vec<Adjudicator> = rules.iter().cloned().map(Adjudicator::new).collect();
    let before_the_last = game.moves.len().saturating_sub(1);
    for (moves, played) in (1..).zip(&game.moves[..before_the_last]) {
        let side = board.turn();
        if board.play(&played.uci).is_err() {
            break;
        }
        for (adjudicator, verdict) in adjudicators.iter_mut().zip(&mut verdicts) {
            if verdict.is_none() {
                let judged = adjudicator.judge(side, &board, played.score);
                *verdict = judged.map(|(_, result)| RuleVerdict { moves, result });
            }
        }
    }
    verdicts
}
