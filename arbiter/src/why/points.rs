//! Distributes the points that a match was lost by over its moves.
//!
//! The worth of a position is the score that such players reach from it: a logistic function of the referee's score,
//! whose scale is fitted to the results of the match. The cost of a move is the worth that it loses. From the first to
//! the last position of a game, these costs add up to the result whatever the referee says, so nothing is lost or counted
//! twice. The worth of the first position cancels out in a pair.

use std::collections::HashMap;

use anyhow::{Context, Result};
use referee::san::line_to_san;
use runner::MoveScore;
use schemars::JsonSchema;
use serde::Serialize;

use super::board::BoardFeatures;
use super::groups::{BY_CLOCK, BY_DROP, BY_NUMBER, BY_OWN_ERROR, BY_WORTH, JudgedMove, band};
use super::match_games::{DecidedBy, MatchGame, MatchGames};
use super::referee_answers::{RefereeAnswer, RefereeAnswers};

/// Scores, including mate scores, are limited to this many centipawns.
const DECIDED: i32 = 3000;

/// Maps a score to its worth, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    /// The centipawns at which the odds are e : 1.
    pub scale: f64,
}

impl Worth {
    /// The scale that best fits scores to the points reached from them, by maximum likelihood.
    pub fn fitted(scored: &(impl Iterator<Item = (MoveScore, f64)> + Clone)) -> Worth {
        const LEAST: f64 = 25.0;
        const MOST: f64 = 1000.0;
        let mut slope = 1.0 / 150.0;
        for _ in 0..30 {
            let worth = Worth { scale: 1.0 / slope };
            let (mut gradient, mut curvature) = (0.0, 1e-9);
            for (score, points) in scored.clone() {
                let (centipawns, value) = (centipawns(score), worth.of(score));
                gradient += (points - value) * centipawns;
                curvature += value * (1.0 - value) * centipawns * centipawns;
            }
            let next =
                (slope + gradient / curvature).clamp(slope / 2.0, slope * 2.0).clamp(1.0 / MOST, 1.0 / LEAST);
            let is_settled = (next - slope).abs() < 1e-9;
            slope = next;
            if is_settled {
                break;
            }
        }
        Worth { scale: 1.0 / slope }
    }

    pub fn of(self, score: MoveScore) -> f64 {
        1.0 / (1.0 + (-centipawns(score) / self.scale).exp())
    }
}

fn centipawns(score: MoveScore) -> f64 {
    f64::from(score.clamped_centipawns().clamp(-DECIDED, DECIDED))
}

/// Groups of moves by the best move that was missed, and by the best answer: a check, a capture or promotion, or neither.
const MISSED: [&str; 3] = ["a check missed", "a capture or promotion missed", "a quiet move missed"];
const ANSWERED: [&str; 3] =
    ["answered by a check", "answered by a capture or promotion", "answered by a quiet move"];

/// The index of a move's kind in these arrays.
fn kind_of(san: &str) -> usize {
    match san {
        san if san.ends_with(['+', '#']) => 0,
        san if san.contains(['x', '=']) => 1,
        _ => 2,
    }
}

/// Where the points of a game went, as the first player's losses; together they are ½ minus its points.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize)]
pub struct Shares {
    pub moves: f64,
    /// Points lost by its own faults, minus points gained by the opponent's faults.
    pub faults: f64,
    /// Points lost by rules that decided the game before its end.
    pub adjudication: f64,
    /// Points that the first position already gave away; they cancel out in a pair.
    pub opening: f64,
}

impl Shares {
    pub fn total(&self) -> f64 {
        self.moves + self.faults + self.adjudication + self.opening
    }
}

#[derive(Debug)]
pub struct Points {
    pub worth: Worth,
    pub moves: Vec<JudgedMove>,
    pub shares: Vec<Shares>,
}

impl Points {
    pub fn new(matched: &MatchGames, answers: &RefereeAnswers, is_deep: bool) -> Result<Points> {
        let says = |game: &MatchGame, ply: usize| answers.of(game, ply, is_deep);
        let score = |game: &MatchGame, ply: usize| says(game, ply).map(|answer| answer.score);
        let scored = matched.games.iter().flat_map(|game| {
            let white = if game.first_is_white { game.points() } else { 1.0 - game.points() };
            (game.book..game.moves.len()).filter_map(move |ply| Some((score(game, ply)?, white)))
        });
        let worth = Worth::fitted(&scored);
        let own = [true, false].map(|first| {
            let scored = matched.games.iter().flat_map(move |game| {
                let points = if first { game.points() } else { 1.0 - game.points() };
                let of_player = move |(ply, _): &(usize, _)| game.is_first(*ply) == first;
                let moves = game.moves.iter().enumerate().filter(of_player);
                moves.filter_map(move |(_, played)| Some((played.score?, points)))
            });
            Worth::fitted(&scored)
        });
        let mut points = Points { worth, moves: Vec::new(), shares: Vec::new() };
        // A search remembers earlier ones, so equal first positions may get different answers. The first answer counts.
        let mut openings: HashMap<(&str, Vec<&str>), f64> = HashMap::new();
        for (index, game) in matched.games.iter().enumerate() {
            let mut values: Vec<Option<f64>> =
                (0..=game.moves.len()).map(|ply| Some(worth.of(score(game, ply)?))).collect();
            if let Some(first) = &mut values[game.book] {
                let book = game.moves[..game.book].iter().map(|played| played.uci.as_str()).collect();
                *first = *openings.entry((&game.start_fen, book)).or_insert(*first);
            }
            let (values, shares) = share_out(game, &values);
            points.shares.push(shares);
            points.judge(index, game, says, &values, own)?;
        }
        Ok(points)
    }

    fn judge<'a>(
        &mut self,
        index: usize,
        game: &MatchGame,
        says: impl Fn(&MatchGame, usize) -> Option<&'a RefereeAnswer>,
        values: &[f64],
        own: [Worth; 2],
    ) -> Result<()> {
        let mut referee = game.referee()?;
        let best_of = |referee: &referee::Referee, ply: usize| {
            let best = says(game, ply)?.line.first()?.clone();
            let san = line_to_san(referee, std::slice::from_ref(&best)).ok()?.concat();
            Some((best, kind_of(&san)))
        };
        let first_clock = game.moves.iter().find_map(|played| played.clock);
        let mut best = None;
        for (ply, played) in game.moves.iter().enumerate() {
            let fen = referee.fen();
            if ply >= game.book && best.is_none() {
                best = best_of(&referee, ply);
            }
            referee.play(&played.uci).with_context(|| game.title.clone())?;
            if ply < game.book {
                continue;
            }
            let answer = best_of(&referee, ply + 1);
            let (is_first, here) = (game.is_first(ply), best.take());
            let for_mover = |value: f64| if is_first { value } else { 1.0 - value };
            let worth = for_mover(values[ply]);
            let own_worth = played.score.map(|score| own[usize::from(!is_first)].of(score));
            let missed = here.filter(|(best, _)| *best != played.uci);
            let clock = played.clock.zip(first_clock);
            let last =
                ply.checked_sub(2).filter(|last| *last >= game.book).and_then(|last| game.moves[last].score);
            let dropped = last.zip(played.score).map(|(last, now)| centipawns(last) - centipawns(now));
            if let Some(board) = BoardFeatures::of_fen(&fen) {
                let groups = [
                    Some(board.material),
                    Some(band(&BY_WORTH, worth)),
                    Some(board.king),
                    Some(board.pawns),
                    Some(missed.map_or("the best move played", |(_, kind)| MISSED[kind])),
                    answer.as_ref().map(|(_, kind)| ANSWERED[*kind]),
                    Some(band(&BY_NUMBER, game.move_number(ply).into())),
                    clock.map(|(now, first)| band(&BY_CLOCK, now.as_secs_f64() / first.as_secs_f64())),
                    own_worth.map(|own| band(&BY_OWN_ERROR, own - worth)),
                    dropped.map(|dropped| band(&BY_DROP, dropped)),
                ];
                let (pair, balance) = (game.pair, board.balance);
                let cost = worth - for_mover(values[ply + 1]);
                self.moves.push(JudgedMove {
                    game: index,
                    ply,
                    pair,
                    is_first,
                    cost,
                    worth,
                    own_worth,
                    balance,
                    groups,
                });
            }
            best = answer;
        }
        Ok(())
    }
}

/// The worth of each position for the first player, given the known worths for White, and where the game's points went.
/// An unknown position has the worth of the one before it. The last position has the worth of the result if the board
/// decided the game or the position is unknown.
fn share_out(game: &MatchGame, for_white: &[Option<f64>]) -> (Vec<f64>, Shares) {
    let first = for_white[game.book..].iter().flatten().next().copied().unwrap_or(0.5);
    let mut values = Vec::with_capacity(for_white.len());
    let mut last = first;
    for value in for_white {
        last = value.unwrap_or(last);
        values.push(if game.first_is_white { last } else { 1.0 - last });
    }
    let end = values.len() - 1;
    if game.end == DecidedBy::OnBoard || for_white[end].is_none() {
        values[end] = game.points();
    }
    let (begun, ended) = (values[game.book.min(end)], values[end]);
    let rest = ended - game.points();
    let is_fault = game.end == DecidedBy::Fault;
    let shares = Shares {
        moves: begun - ended,
        faults: if is_fault { rest } else { 0.0 },
        adjudication: if is_fault { 0.0 } else { rest },
        opening: 0.5 - begun,
    };
    (values, shares)
}

#[cfg(test)]
pub mod tests {
    use proptest::prelude::*;
    use referee::GameResult;

    use super::super::match_games::MatchMove;
    use super::*;

    pub fn game(moves: &[&str], first_is_white: bool, result: GameResult, end: DecidedBy) -> MatchGame {
        let played = |uci: &&str| MatchMove { uci: (*uci).to_owned(), ..MatchMove::default() };
        MatchGame {
            number: 1,
            title: "a game".to_owned(),
            pair: 0,
            first_is_white,
            result,
            end,
            start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
            book: 0,
            moves: moves.iter().map(played).collect(),
        }
    }

    const MOVES: [&str; 4] = ["e2e4", "e7e5", "g1f3", "b8c6"];

    proptest! {
        /// Whatever the referee says, and however many positions it knows: the parts add up to the result, and the costs
        /// of all moves to the share of the moves.
        #[test]
        fn the_parts_add_up_to_the_result(
            values in prop::collection::vec(prop::option::of(0.0..=1.0_f64), 5),
            white in any::<bool>(),
            result in 0..3_usize,
            end in 0..3_usize,
            book in 0..3_usize,
        ) {
            let result = [GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins][result];
            let end = [DecidedBy::OnBoard, DecidedBy::Adjudicated, DecidedBy::Fault][end];
            let one = MatchGame { book, ..game(&MOVES, white, result, end) };
            let (worth, shares) = share_out(&one, &values);
            prop_assert!((shares.total() - (0.5 - one.points())).abs() < 1e-12);
            let lost: f64 = (book..4).map(|ply| worth[ply] - worth[ply + 1]).sum();
            prop_assert!((lost - shares.moves).abs() < 1e-12);
            prop_assert!(end != DecidedBy::OnBoard || shares.faults + shares.adjudication == 0.0);
            prop_assert!(end != DecidedBy::Fault || shares.adjudication == 0.0);
        }
    }

    #[test]
    fn a_time_loss_costs_what_the_position_was_worth_and_a_mate_is_the_last_move_of_its_player() {
        let values = [0.5, 0.5, 0.6, 0.6, 0.75].map(Some);
        let fault = game(&MOVES, true, GameResult::BlackWins, DecidedBy::Fault);
        let (_, shares) = share_out(&fault, &values);
        assert_eq!((shares.faults, shares.moves), (0.75, -0.25));
        let mated = game(&MOVES, true, GameResult::BlackWins, DecidedBy::OnBoard);
        let (worth, shares) = share_out(&mated, &values);
        assert_eq!((worth[4], shares.moves, shares.adjudication), (0.0, 0.5, 0.0));
    }

    #[test]
    fn the_scale_is_the_one_that_the_results_were_made_with() {
        // Of 100 games from +1.00, the player wins 73 and loses 27: the odds are e : 1 at 100 centipawns.
        let games = (0..100).flat_map(|game| {
            let points = f64::from(u8::from(game < 73));
            [(MoveScore::Cp(100), points), (MoveScore::Cp(-100), 1.0 - points)]
        });
        let worth = Worth::fitted(&games);
        assert!((worth.scale - 100.5).abs() < 0.5, "{worth:?}");
        assert!((worth.of(MoveScore::Cp(0)) - 0.5).abs() < 1e-12 && worth.of(MoveScore::Mate(-3)) < 1e-9);
        assert!((Worth::fitted(&std::iter::empty()).scale - 150.0).abs() < 1e-9);
    }

    #[test]
    fn kinds_of_moves_are_told_by_their_names() {
        assert_eq!(["Qxf7#", "Nf3+", "exd5", "e8=Q", "O-O"].map(kind_of), [0, 0, 1, 1, 2]);
    }
}
