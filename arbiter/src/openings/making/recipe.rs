//! The conditions for the openings of a book, and one attempt at an opening.

use super::evaluator::{EvaluatorError, OpeningEvaluator};
use super::maker::GameLines;
use super::maker::GuidedPlay;
use referee::Side;
use referee::openings::{EvalRange, ListedOpening, SeededDraw};

/// The long search is skipped where the eval of the short one is further out of range than this, in centipawns. The
/// evals of Stockfish 15.1 at 2,000 and at 60,000 nodes seldom differ by more.
const FIRST_EVAL_MARGIN: u32 = 60;

/// Where the lines come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    /// Random play from the start position.
    Guided(GuidedPlay),
    Games(GameLines),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningRecipe {
    /// Where the lines come from.
    pub source: OpeningSource,
    /// Fewest and most plies.
    pub plies: (u32, u32),
    pub eval_range: EvalRange,
    /// Nodes for a first eval, which rejects openings far out of range.
    pub first_eval_nodes: u64,
    pub eval_nodes: u64,
    pub seed: u64,
}

/// Why a line was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The game ended too early.
    TooShort,
    /// The side to move is in check.
    InCheck,
    /// The eval is out of range.
    OutOfRange,
    /// An earlier line leads to the same position.
    Duplicate,
}

/// The attempts, and how many were rejected for which reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AttemptTally {
    pub attempts: u64,
    /// Lines that are too short or end the game.
    pub too_short: u64,
    pub in_check: u64,
    /// Positions with an eval out of range.
    pub out_of_range: u64,
    /// Positions that an earlier line leads to.
    pub duplicates: u64,
}

impl AttemptTally {
    pub(super) fn reject(&mut self, rejection: Rejection) {
        *match rejection {
            Rejection::TooShort => &mut self.too_short,
            Rejection::InCheck => &mut self.in_check,
            Rejection::OutOfRange => &mut self.out_of_range,
            Rejection::Duplicate => &mut self.duplicates,
        } += 1;
    }
}

impl OpeningRecipe {
    /// Tries the line with this number. The result depends on the recipe and the number only.
    pub(super) fn attempt(
        &self,
        evaluator: &mut OpeningEvaluator<'_>,
        number: u64,
    ) -> Result<Result<ListedOpening, Rejection>, EvaluatorError> {
        let mut draw = SeededDraw::new(self.seed, number);
        let (fewest, most) = self.plies;
        let (referee, start_fen, line) = match &self.source {
            OpeningSource::Guided(play) => {
                let plies = fewest + draw.below(u64::from(most - fewest) + 1) as u32;
                let (referee, line) = play.play(evaluator, &mut draw, plies)?;
                (referee, None, line)
            }
            OpeningSource::Games(games) => match games.line(number, &mut draw, self.plies) {
                Some(found) => found,
                None => return Ok(Err(Rejection::TooShort)),
            },
        };
        if referee.outcome().is_some() {
            return Ok(Err(Rejection::TooShort));
        }
        if referee.is_check() {
            return Ok(Err(Rejection::InCheck));
        }
        let opening = ListedOpening::reached(&referee, start_fen, line);
        let for_white = |eval: i32| if opening.side_to_move() == Side::White { eval } else { -eval };
        let first_eval = for_white(evaluator.eval(&opening.fen, self.first_eval_nodes)?);
        if self.eval_range.distance(first_eval) > FIRST_EVAL_MARGIN {
            return Ok(Err(Rejection::OutOfRange));
        }
        let eval = for_white(evaluator.eval(&opening.fen, self.eval_nodes)?);
        if !self.eval_range.contains(eval) {
            return Ok(Err(Rejection::OutOfRange));
        }
        Ok(Ok(ListedOpening { eval: Some(eval), ..opening }))
    }
}
