//! Makes openings until the book is full. An attempt evaluates a line of guided random play or of a game, and keeps it if
//! it is new and its eval in range. An attempt depends only on the recipe and its number: each search starts a new game,
//! is limited by nodes, and has its own random numbers. So the book is the same for any number of engines.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use referee::openings::{EvalRange, ListedOpening, SeededDraw, shuffled};
use referee::san::san_to_uci;
use referee::{Referee, Side, Variant};

use super::evaluator::{MoveCache, OpeningEvaluator, WorkEnd, in_order, no_score};
use crate::engines::EngineSession;
use crate::text::{Tally, labelled};

#[derive(Debug)]
pub struct MadeOpenings {
    /// The openings in the order of their attempts; no two lead to the same position.
    pub openings: Vec<ListedOpening>,
    /// Counts of the lines tried and rejected.
    pub tally: Tally<OpeningRejection>,
    /// Why the work ended: enough openings, no lines left, stopped, or failed.
    pub end: WorkEnd,
}

/// Makes openings with `concurrency` engines made by `start`; their number does not change the openings. Calls `visit`
/// with the number of openings found after each line tried.
pub fn make_openings(
    recipe: &OpeningRecipe,
    concurrency: usize,
    stop: &AtomicBool,
    start: impl Fn() -> Result<EngineSession> + Sync,
    mut visit: impl FnMut(usize),
) -> MadeOpenings {
    let mut openings: Vec<ListedOpening> = Vec::new();
    let mut tally = Tally::default();
    let mut known = HashSet::new();
    let cache = MoveCache::default();
    let attempt = |session: &mut EngineSession, number| {
        let cache = matches!(recipe.source, OpeningSource::Guided(_)).then_some(&cache);
        recipe.attempt(&mut OpeningEvaluator::new(session, cache), number)
    };
    let collect = |_, result: Result<ListedOpening, OpeningRejection>| {
        tally.seen += 1;
        match result {
            Ok(opening) if is_new(&mut known, &opening, recipe.mirrored_is_same) => openings.push(opening),
            Ok(_) => tally.reject(OpeningRejection::Duplicate),
            Err(rejection) => tally.reject(rejection),
        }
        visit(openings.len());
        if openings.len() < recipe.count { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let attempts = match &recipe.source {
        OpeningSource::Guided(_) => recipe.count as u64 * ATTEMPTS_PER_OPENING,
        OpeningSource::Games(games) => games.attempts(),
    };
    let end = in_order(attempts, concurrency, stop, start, attempt, collect);
    MadeOpenings { openings, tally, end }
}

fn is_new(known: &mut HashSet<u64>, opening: &ListedOpening, mirrored_is_same: bool) -> bool {
    let mirrored = opening.mirrored_key(Variant::Standard).ok().filter(|_| mirrored_is_same);
    mirrored.is_none_or(|key| !known.contains(&key)) && known.insert(opening.key)
}

/// Lines tried per wanted opening before giving up.
const ATTEMPTS_PER_OPENING: u64 = 100;

/// Prefix lengths tried per game.
const TRIES_PER_GAME: u64 = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameLines {
    pub games: Vec<ListedOpening>,
    order: Vec<usize>,
}

impl GameLines {
    /// The games in an order that the seed determines. Their moves must be legal and end at the last ply of interest.
    pub fn new(games: Vec<ListedOpening>, seed: u64) -> GameLines {
        let order = shuffled(games.len(), seed, u64::MAX);
        GameLines { games, order }
    }

    const fn attempts(&self) -> u64 {
        self.games.len() as u64 * TRIES_PER_GAME
    }

    /// The line of an attempt, which takes the games in turn: the position, the FEN of the first position unless it is
    /// the start position, and the moves in SAN. `None` if the game is too short.
    pub(super) fn line(
        &self,
        attempt: u64,
        draw: &mut SeededDraw,
        (fewest, most): (u32, u32),
    ) -> Option<(Referee, Option<String>, Vec<String>)> {
        let turn = attempt % self.games.len().max(1) as u64;
        let game = &self.games[*self.order.get(turn as usize)?];
        let most = u64::from(most).min(game.moves.len() as u64);
        let span = (most + 1).checked_sub(u64::from(fewest)).filter(|span| *span > 0)?;
        let plies = u64::from(fewest) + draw.below(span);
        let mut referee = Referee::from_start(game.start_fen.as_deref(), Variant::Standard).ok()?;
        let mut line = Vec::new();
        for san in game.moves.iter().take(plies as usize) {
            let uci = san_to_uci(&referee, san).ok()?;
            line.push(referee.play(&uci).ok()?.san().to_owned());
        }
        Some((referee, game.start_fen.clone(), line))
    }
}

/// Random choice among moves that a short search scores nearly as high as the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuidedPlay {
    pub multipv: u32,
    pub nodes: u64,
    /// How much worse than the best a move may be, in centipawns. A move that loses `n` centipawns has the weight
    /// `tolerance + 1 - n`.
    pub tolerance: u32,
    /// The largest advantage of either side after the move, in centipawns; if no move qualifies, the best is played.
    pub max_advantage: u32,
}

impl GuidedPlay {
    /// Plays from the start position for `plies` plies or until the game is over. Returns the moves in SAN.
    pub(super) fn play(
        &self,
        evaluator: &mut OpeningEvaluator<'_>,
        draw: &mut SeededDraw,
        plies: u32,
    ) -> Result<(Referee, Vec<String>)> {
        let mut referee = Referee::new(Variant::Standard);
        let mut line = Vec::with_capacity(plies as usize);
        while line.len() < plies as usize && referee.outcome().is_none() {
            let fen = referee.fen();
            let scored = evaluator.best_moves(&fen, self.multipv, self.nodes)?;
            let chosen = self.choose(&scored, draw);
            let played = referee.play(chosen).map_err(|_| no_score(&fen))?;
            line.push(played.san().to_owned());
        }
        Ok((referee, line))
    }

    fn choose<'m>(&self, scored: &'m [(String, i32)], draw: &mut SeededDraw) -> &'m str {
        let best = scored[0].1;
        let weight = |score: i32| {
            if score.unsigned_abs() > self.max_advantage {
                return 0;
            }
            let lost = u64::from(best.saturating_sub(score).max(0).unsigned_abs());
            (u64::from(self.tolerance) + 1).saturating_sub(lost)
        };
        let chosen = draw.weighted(scored.iter().map(|(_, score)| weight(*score)));
        &scored[chosen.unwrap_or(0)].0
    }
}

/// The long search is skipped if the short one's eval is further out of range than this, in centipawns. The evals of
/// Stockfish 15.1 at 2,000 and 60,000 nodes seldom differ by more.
const FIRST_EVAL_MARGIN: u32 = 60;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    Guided(GuidedPlay),
    Games(GameLines),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningRecipe {
    pub source: OpeningSource,
    pub plies: (u32, u32),
    pub eval_range: EvalRange,
    /// Nodes for a first eval that rejects openings far out of range.
    pub first_eval_nodes: u64,
    pub eval_nodes: u64,
    pub seed: u64,
    pub count: usize,
    pub mirrored_is_same: bool,
}

labelled! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum OpeningRejection {
        TooShort = "too short",
        InCheck = "in check",
        OutOfRange = "with an eval out of range",
        Duplicate = "duplicates",
    }
}

impl OpeningRecipe {
    /// Makes the attempt with this number. The result depends only on the recipe and the number.
    pub(super) fn attempt(
        &self,
        evaluator: &mut OpeningEvaluator<'_>,
        number: u64,
    ) -> Result<Result<ListedOpening, OpeningRejection>> {
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
                None => return Ok(Err(OpeningRejection::TooShort)),
            },
        };
        if referee.outcome().is_some() {
            return Ok(Err(OpeningRejection::TooShort));
        }
        if referee.is_check() {
            return Ok(Err(OpeningRejection::InCheck));
        }
        let opening = ListedOpening::reached(&referee, start_fen, line);
        let for_white = |eval: i32| if opening.side_to_move() == Side::White { eval } else { -eval };
        let first_eval = for_white(evaluator.eval(&opening.fen, self.first_eval_nodes)?);
        if self.eval_range.distance(first_eval) > FIRST_EVAL_MARGIN {
            return Ok(Err(OpeningRejection::OutOfRange));
        }
        let eval = for_white(evaluator.eval(&opening.fen, self.eval_nodes)?);
        if !self.eval_range.contains(eval) {
            return Ok(Err(OpeningRejection::OutOfRange));
        }
        Ok(Ok(ListedOpening { eval: Some(eval), ..opening }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_moves_within_the_largest_advantage_are_likelier_and_bad_ones_never_chosen() {
        let play = GuidedPlay { multipv: 4, nodes: 1, tolerance: 30, max_advantage: 50 };
        let scored =
            [("a", 20), ("b", 5), ("c", -10), ("d", -11)].map(|(name, score)| (name.to_owned(), score));
        let mut draw = SeededDraw::new(1, 0);
        let mut counts = [0_u32; 4];
        for _ in 0..4_800 {
            let name = play.choose(&scored, &mut draw);
            counts[scored.iter().position(|(other, _)| other == name).unwrap()] += 1;
        }
        // Weights 31, 16, 1 and 0: expected 3,100, 1,600 and 100, with standard deviations of 33 and 10.
        assert!((2_950..3_250).contains(&counts[0]) && (1_450..1_750).contains(&counts[1]), "{counts:?}");
        assert!((60..140).contains(&counts[2]) && counts[3] == 0, "{counts:?}");
        let play = GuidedPlay { multipv: 3, nodes: 1, tolerance: 200, max_advantage: 50 };
        let scored =
            |scores: [i32; 3]| ["a", "b", "c"].into_iter().map(str::to_owned).zip(scores).collect::<Vec<_>>();
        let mut draw = SeededDraw::new(1, 0);
        for _ in 0..50 {
            assert_eq!(play.choose(&scored([70, 50, -60]), &mut draw), "b");
            assert_eq!(play.choose(&scored([90, 80, 51]), &mut draw), "a");
        }
    }

    fn game(moves: &str) -> ListedOpening {
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        ListedOpening::reached(&Referee::new(Variant::Standard), None, moves)
    }

    #[test]
    fn every_game_has_its_turn_and_ends_between_the_bounds() {
        let lines = GameLines::new(vec![game("e4 e5 Nf3"), game("d4"), game("c4 Nf6 Nc3 e5")], 5);
        let mut firsts = Vec::new();
        for attempt in 0..lines.attempts() {
            let found = lines.line(attempt, &mut SeededDraw::new(3, attempt), (2, 3));
            assert!(found.as_ref().is_none_or(|(_, _, line)| (2..=3).contains(&line.len())));
            firsts.push(found.map(|(_, _, line)| line[0].clone()));
        }
        // The game of one ply is too short.
        let mut round = firsts[..3].to_vec();
        round.sort();
        assert_eq!(round, [None, Some("c4".to_owned()), Some("e4".to_owned())]);
        assert_eq!(firsts[..3], firsts[3..6]);
    }
}
