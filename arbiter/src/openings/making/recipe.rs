//! What the openings of a book have in common, and one attempt at one of them.

use super::game_lines::GameLines;
use super::guided_play::GuidedPlay;
use super::judge::{OpeningJudge, OpeningJudgeError};
use referee::Side;
use referee::openings::{Band, ListedOpening, SeededDraw};

/// How far from the band, in centipawns, the short search must be for the long one to be saved. Stockfish 15.1 at 2,000
/// and at 60,000 nodes seldom differs by more.
const FIRST_LOOK_MARGIN: u32 = 60;

/// Where the lines come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    /// Random play from the start position.
    Guided(GuidedPlay),
    /// Games that were played.
    Games(GameLines),
}

/// How openings are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningRecipe {
    /// Where the lines come from.
    pub source: OpeningSource,
    /// Fewest and most half-moves.
    pub plies: (u32, u32),
    /// The verdicts that are wanted.
    pub band: Band,
    /// Nodes for a first look, which saves the verdict on what is far from the band.
    pub first_look_nodes: u64,
    /// Nodes for the verdict.
    pub verdict_nodes: u64,
    /// What decides the draws.
    pub seed: u64,
}

/// Why a line is no opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The game ended too early.
    TooShort,
    /// The side to move is in check.
    InCheck,
    /// The verdict is not in the band.
    OutOfBand,
    /// An earlier line leads to the same position.
    Known,
}

/// What became of the attempts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AttemptTally {
    /// All of them.
    pub attempts: u64,
    /// Lines too short or into the end of the game.
    pub too_short: u64,
    /// Positions in check.
    pub in_check: u64,
    /// Positions outside of the band.
    pub out_of_band: u64,
    /// Positions that an earlier line led to.
    pub known: u64,
}

impl AttemptTally {
    /// Counts one more.
    pub(super) fn reject(&mut self, rejection: Rejection) {
        *match rejection {
            Rejection::TooShort => &mut self.too_short,
            Rejection::InCheck => &mut self.in_check,
            Rejection::OutOfBand => &mut self.out_of_band,
            Rejection::Known => &mut self.known,
        } += 1;
    }
}

impl OpeningRecipe {
    /// Tries the line with this number; it depends on nothing else.
    pub(super) fn attempt(
        &self,
        judge: &mut OpeningJudge<'_>,
        number: u64,
    ) -> Result<Result<ListedOpening, Rejection>, OpeningJudgeError> {
        let mut draw = SeededDraw::new(self.seed, number);
        let (fewest, most) = self.plies;
        let (referee, start_fen, line) = match &self.source {
            OpeningSource::Guided(play) => {
                let plies = fewest + draw.below(u64::from(most - fewest) + 1) as u32;
                let (referee, line) = play.play(judge, &mut draw, plies)?;
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
        let for_white = |verdict: i32| if opening.side_to_move() == Side::White { verdict } else { -verdict };
        let first_look = for_white(judge.verdict(&opening.fen, self.first_look_nodes)?);
        if self.band.distance(first_look) > FIRST_LOOK_MARGIN {
            return Ok(Err(Rejection::OutOfBand));
        }
        let verdict = for_white(judge.verdict(&opening.fen, self.verdict_nodes)?);
        if !self.band.contains(verdict) {
            return Ok(Err(Rejection::OutOfBand));
        }
        Ok(Ok(ListedOpening { verdict: Some(verdict), ..opening }))
    }
}
