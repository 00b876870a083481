//! Replays games and collects their quiet positions.

use std::fmt;

use anyhow::Result;
use referee::openings::SeededDraw;
use referee::{GameResult, PlayedMove, Referee};
use runner::MoveScore;
use rustc_hash::FxHashSet;

use crate::games::finished_games::{FinishedGame, GameOutcome, ScoredMove, board_of};
use crate::text::number_text::{counted, thousands};
use crate::text::{Tally, labelled};

/// Which positions of the games to keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuietRecipe {
    /// Maximum number of positions from one game; they are similar and share one result.
    pub per_game: usize,
    pub skip_plies: usize,
    /// Only positions with one of these players to move; empty for all players.
    pub players: Vec<String>,
    /// The largest score of either side, in centipawns.
    pub max_score: i32,
    pub seed: u64,
    /// Maximum number of positions from all games.
    pub limit: usize,
}

/// Collects positions from one game after another.
///
/// The positions chosen from a game depend only on its number and the seed, except that no position of an earlier game
/// is chosen again.
#[derive(Clone, Debug)]
pub struct QuietCollector {
    recipe: QuietRecipe,
    /// The keys of all positions kept. With ten million positions, the chance that any two share a 64-bit key by
    /// accident is one in 370,000.
    seen: FxHashSet<u64>,
    pub tally: QuietTally,
}

/// A position that passed all filters before the random choice.
struct QuietCandidate {
    key: u64,
    position: QuietPosition,
}

impl QuietCollector {
    pub fn new(recipe: QuietRecipe) -> QuietCollector {
        QuietCollector { recipe, seen: FxHashSet::default(), tally: QuietTally::default() }
    }

    pub fn note_without_score(&mut self, positions: &[QuietPosition]) {
        self.tally.without_score +=
            positions.iter().filter(|position| position.score.is_none()).count() as u64;
    }

    /// Counts positions as rejected that were counted as kept before.
    pub fn reject_kept(&mut self, count: usize, filter: QuietFilter) {
        self.tally.kept -= count as u64;
        self.tally.positions.reject_many(filter, count as u64);
    }

    pub fn is_full(&self) -> bool {
        self.seen.len() >= self.recipe.limit
    }

    /// The positions to keep from a game, in their order. `number` must be different for every game.
    pub fn collect(&mut self, number: u64, game: &FinishedGame) -> Result<Vec<QuietPosition>> {
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
        Ok(self.choose(number, candidates))
    }

    fn candidates(&mut self, game: &FinishedGame, result: GameResult) -> Result<Vec<QuietCandidate>> {
        let mut referee = game.start()?;
        let (mut candidates, mut of_this_game) = (Vec::new(), FxHashSet::default());
        for scored in &game.moves {
            let key = referee.position_key();
            let before = self.filter_position(game, &referee, scored);
            let board = before.is_none().then(|| board_of(&referee));
            let played = game.play(&mut referee, scored)?;
            let filter = before
                .or_else(|| (!is_quiet(&played)).then_some(QuietFilter::NotQuiet))
                .or_else(|| self.seen.contains(&key).then_some(QuietFilter::Duplicate))
                .or_else(|| (!of_this_game.insert(key)).then_some(QuietFilter::Duplicate));
            self.tally.positions.seen += 1;
            match (filter, board) {
                (None, Some(board)) => {
                    let position = QuietPosition { board, score: centipawns(scored.score), result };
                    candidates.push(QuietCandidate { key, position });
                }
                (filter, _) => self.tally.positions.reject(filter.unwrap_or(QuietFilter::NotQuiet)),
            }
        }
        Ok(candidates)
    }

    /// The filter that rejects the current position before its move is considered, if any.
    fn filter_position(
        &self,
        game: &FinishedGame,
        referee: &Referee,
        scored: &ScoredMove,
    ) -> Option<QuietFilter> {
        let QuietRecipe { skip_plies, ref players, max_score, .. } = self.recipe;
        let is_wanted = |player: &str| players.iter().any(|wanted| wanted == player);
        if referee.ply() < game.book_plies + skip_plies {
            Some(QuietFilter::Opening)
        } else if !players.is_empty() && !game.player(referee.turn()).is_some_and(is_wanted) {
            Some(QuietFilter::OtherPlayer)
        } else if referee.is_check() {
            Some(QuietFilter::Check)
        } else {
            let is_large = match scored.score {
                None => false,
                Some(MoveScore::Mate(_)) => true,
                Some(MoveScore::Cp(score)) => score.saturating_abs() > max_score,
            };
            is_large.then_some(QuietFilter::LargeScore)
        }
    }

    /// Chooses the wanted number of positions at random with equal probability, and keeps their order: algorithm S of
    /// Knuth, "The Art of Computer Programming", volume 2, section 3.4.2.
    fn choose(&mut self, number: u64, candidates: Vec<QuietCandidate>) -> Vec<QuietPosition> {
        let room = self.recipe.limit - self.seen.len();
        let mut wanted = self.recipe.per_game.min(candidates.len()).min(room);
        let mut left = candidates.len();
        let mut numbers = SeededDraw::new(self.recipe.seed, number);
        let mut chosen = Vec::with_capacity(wanted);
        for QuietCandidate { key, position } in candidates {
            if numbers.below(left as u64) < wanted as u64 {
                wanted -= 1;
                self.seen.insert(key);
                self.tally.kept += 1;
                chosen.push(position);
            } else {
                self.tally.positions.reject(QuietFilter::NotChosen);
            }
            left -= 1;
        }
        chosen
    }
}

fn is_quiet(played: &PlayedMove) -> bool {
    !played.san().contains(['x', '=', '+', '#'])
}

const fn centipawns(score: Option<MoveScore>) -> Option<i32> {
    match score {
        Some(MoveScore::Cp(score)) => Some(score),
        _ => None,
    }
}

/// A quiet position. `Display` writes a line of EPD: `ce` is the score, `c9` the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuietPosition {
    /// The first four fields of the FEN.
    pub board: String,
    /// The score in centipawns for the side to move.
    pub score: Option<i32>,
    pub result: GameResult,
}

impl fmt::Display for QuietPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.board)?;
        if let Some(score) = self.score {
            write!(f, " ce {score};")?;
        }
        write!(f, " c9 \"{}\";", self.result)
    }
}

labelled! {
    /// The reasons for rejecting a position, in the order of the filters.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum QuietFilter {
        /// The position belongs to the opening, or follows soon after it.
        Opening = "in the opening or --skip",
        OtherPlayer = "with another player to move",
        Check = "in check",
        /// The player's score is a mate or above the limit.
        LargeScore = "with a score above --max-score",
        /// The move played captures, promotes or gives check.
        NotQuiet = "not quiet",
        /// The position occurred before, in this game or an earlier one.
        Duplicate = "duplicates",
        NotChosen = "beyond --per-game or --limit",
        /// The score of the engine of `--score-by` is a mate or above the limit.
        LargeNewScore = "scored above --max-score by the engine",
    }
}

/// The number of games and positions, and of positions rejected by each filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuietTally {
    pub games: u64,
    pub faults: u64,
    pub unfinished: u64,
    /// Positions with a move, in the games that are neither faulty nor unfinished.
    pub positions: Tally<QuietFilter>,
    pub kept: u64,
    pub without_score: u64,
}

/// Two lines: first games, then positions.
impl fmt::Display for QuietTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let QuietTally { games, faults, unfinished, positions, kept, without_score } = self;
        writeln!(f, "{}: {faults} with a fault, {unfinished} unfinished", counted(*games, "game"))?;
        write!(f, "{} positions: {} written", thousands(positions.seen), thousands(*kept))?;
        if *without_score > 0 {
            write!(f, " ({} without a score)", thousands(*without_score))?;
        }
        if positions.rejected.is_empty() { Ok(()) } else { write!(f, ", {positions}") }
    }
}
