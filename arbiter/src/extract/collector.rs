//! Plays games over and keeps what is quiet.

use rustc_hash::FxHashSet;

use super::finished_game::{FinishedGame, GameOutcome, ScoredMove};
use super::position::QuietPosition;
use super::tally::{QuietSieve, QuietTally};
use crate::mine::SourceGameError;
use referee::openings::SeededDraw;
use referee::{GameResult, PlayedMove, Referee, Variant};
use uci::ScoreValue;

/// Which positions of games are wanted: what the sieves let through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuietRecipe {
    /// At most so many positions of one game: its positions are alike, and have but one result.
    pub per_game: usize,
    /// So many half-moves of each game are left out behind its opening.
    pub skip_plies: usize,
    /// Only positions in which one of these players is to move; those of all where there are none.
    pub movers: Vec<String>,
    /// The largest score, in centipawns and for either side.
    pub max_score: i32,
    /// Decides what is drawn.
    pub seed: u64,
    /// At most so many positions of all games.
    pub limit: usize,
}

/// Looks through one game after the other.
///
/// Games may come in any order: what is drawn of one depends on its number and the seed, and on the others only where
/// the same position occurs in both, which counts for the first.
#[derive(Clone, Debug)]
pub struct QuietCollector {
    recipe: QuietRecipe,
    /// The keys of all positions that were kept. Among ten million positions, two share one of the 64-bit keys by
    /// accident once in three hundred thousand files.
    seen: FxHashSet<u64>,
    tally: QuietTally,
}

/// A position that has passed all sieves but the draw.
struct Candidate {
    key: u64,
    position: QuietPosition,
}

impl QuietCollector {
    /// Looks for what the recipe wants.
    pub fn new(recipe: QuietRecipe) -> QuietCollector {
        QuietCollector { recipe, seen: FxHashSet::default(), tally: QuietTally::default() }
    }

    /// What became of the games and positions so far.
    pub const fn tally(&self) -> &QuietTally {
        &self.tally
    }

    /// Counts positions that passed all sieves here, and were then left out after all.
    pub fn take_back(&mut self, count: usize, sieve: QuietSieve) {
        self.tally.take_back(count as u64, sieve);
    }

    /// Whether there are as many positions as were wanted.
    pub fn is_full(&self) -> bool {
        self.seen.len() >= self.recipe.limit
    }

    /// The positions of a game that are wanted, in their order; `number` is one that no other game has.
    ///
    /// # Errors
    /// The first position is none, or a move is illegal.
    pub fn collect(
        &mut self,
        number: u64,
        game: &FinishedGame,
    ) -> Result<Vec<QuietPosition>, SourceGameError> {
        self.tally.games += 1;
        let result = match game.outcome {
            GameOutcome::Decided(result) => result,
            GameOutcome::Fault => {
                self.tally.faults += 1;
                return Ok(Vec::new());
            }
            GameOutcome::Unfinished => {
                self.tally.unfinished += 1;
                return Ok(Vec::new());
            }
        };
        let candidates = self.candidates(game, result)?;
        Ok(self.draw(number, candidates))
    }

    /// The quiet positions of a game.
    fn candidates(
        &mut self,
        game: &FinishedGame,
        result: GameResult,
    ) -> Result<Vec<Candidate>, SourceGameError> {
        let mut referee = match &game.start_fen {
            Some(fen) => Referee::from_fen(fen, Variant::Standard)
                .map_err(|source| SourceGameError::Position { title: game.title.clone(), source })?,
            None => Referee::new(Variant::Standard),
        };
        let (mut candidates, mut of_this_game) = (Vec::new(), FxHashSet::default());
        for scored in &game.moves {
            let key = referee.position_key();
            let before = self.sieve_position(game, &referee, scored);
            let board = before.is_none().then(|| board_of(&referee));
            let played = referee
                .play(&scored.uci)
                .map_err(|source| SourceGameError::Move { title: game.title.clone(), source })?;
            let sieve = before
                .or_else(|| (!is_quiet(&played)).then_some(QuietSieve::NotQuiet))
                .or_else(|| self.seen.contains(&key).then_some(QuietSieve::SeenBefore))
                .or_else(|| (!of_this_game.insert(key)).then_some(QuietSieve::SeenBefore));
            self.tally.positions += 1;
            match (sieve, board) {
                (None, Some(board)) => {
                    let position = QuietPosition { board, score: centipawns(scored.score), result };
                    candidates.push(Candidate { key, position });
                }
                (sieve, _) => self.tally.leave_out(sieve.unwrap_or(QuietSieve::NotQuiet)),
            }
        }
        Ok(candidates)
    }

    /// What keeps the present position back, whatever is played in it.
    fn sieve_position(
        &self,
        game: &FinishedGame,
        referee: &Referee,
        scored: &ScoredMove,
    ) -> Option<QuietSieve> {
        let QuietRecipe { skip_plies, ref movers, max_score, .. } = self.recipe;
        let is_wanted = |player: &str| movers.iter().any(|mover| mover == player);
        if referee.ply() < game.book_plies + skip_plies {
            Some(QuietSieve::Opening)
        } else if !movers.is_empty() && !game.player(referee.turn()).is_some_and(is_wanted) {
            Some(QuietSieve::OtherMover)
        } else if referee.is_check() {
            Some(QuietSieve::Check)
        } else {
            let is_decided = match scored.score {
                None => false,
                Some(ScoreValue::Mate(_)) => true,
                Some(ScoreValue::Centipawns(score)) => score.saturating_abs() > max_score,
            };
            is_decided.then_some(QuietSieve::Decided)
        }
    }

    /// Draws as many as are wanted, each with the same chance, and keeps their order: Knuth's algorithm S ("The Art of
    /// Computer Programming", volume 2, section 3.4.2).
    fn draw(&mut self, number: u64, candidates: Vec<Candidate>) -> Vec<QuietPosition> {
        let room = self.recipe.limit - self.seen.len();
        let mut wanted = self.recipe.per_game.min(candidates.len()).min(room);
        let mut left = candidates.len();
        let mut numbers = SeededDraw::new(self.recipe.seed, number);
        let mut drawn = Vec::with_capacity(wanted);
        for Candidate { key, position } in candidates {
            if numbers.below(left as u64) < wanted as u64 {
                wanted -= 1;
                self.seen.insert(key);
                self.tally.kept += 1;
                drawn.push(position);
            } else {
                self.tally.leave_out(QuietSieve::NotDrawn);
            }
            left -= 1;
        }
        drawn
    }
}

/// What EPD says of a position.
fn board_of(referee: &Referee) -> String {
    let mut board = referee.fen();
    let end = board.match_indices(' ').nth(3).map_or(board.len(), |(at, _)| at);
    board.truncate(end);
    board
}

/// Whether a move neither captures nor promotes nor gives check.
fn is_quiet(played: &PlayedMove) -> bool {
    !played.san().contains(['x', '=', '+', '#'])
}

const fn centipawns(score: Option<ScoreValue>) -> Option<i32> {
    match score {
        Some(ScoreValue::Centipawns(score)) => Some(score),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
