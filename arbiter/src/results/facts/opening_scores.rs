//! The results of each opening.

use std::collections::BTreeMap;

use referee::openings::OpeningName;
use referee::{Referee, Variant};
use runner::{GameRecord, OpeningRecord};
use stats::{PairableGame, Wdl};

const GAMES_NAMED: usize = 6;

#[derive(Clone, Debug, Default)]
pub struct OpeningScores {
    by_index: BTreeMap<usize, OpeningScore>,
}

#[derive(Clone, Debug)]
pub struct OpeningScore {
    /// The number in the book, counted from 1.
    pub number: usize,
    /// The book's name for the opening, or else the name in the Encyclopaedia of Chess Openings.
    pub name: Option<String>,
    /// The moves of the opening, or its FEN if it has none.
    pub text: String,
    pub fen: String,
    pub white: Wdl,
    pub games: Vec<u32>,
}

impl OpeningScore {
    /// With fewer games, a bias of the opening cannot be told from chance.
    pub const FEWEST: u64 = 6;

    /// The points of the better colour above half of all points, by a bias of the opening or by chance.
    pub fn lopsidedness(&self) -> f64 {
        (self.white.points() - self.white.games() as f64 / 2.0).abs()
    }
}

impl OpeningScores {
    /// Counts a game, unless it ended after the sequential test had decided.
    pub fn add(&mut self, game: &GameRecord, variant: Variant) {
        let Some(outcome) = game.scored_outcome(game.white) else { return };
        if game.opening.moves.is_empty() && game.opening.fen == variant.start_fen() {
            return;
        }
        let opening = self.by_index.entry(game.opening.index).or_insert_with(|| OpeningScore {
            number: game.opening.index + 1,
            name: name_of(&game.opening, variant),
            text: text_of(&game.opening),
            fen: end_of(&game.opening, variant),
            white: Wdl::default(),
            games: Vec::new(),
        });
        opening.white.record(outcome);
        if opening.games.len() < GAMES_NAMED {
            opening.games.push(game.game + 1);
        }
    }

    /// Openings with enough games first, and the most lopsided first among them.
    pub fn most_lopsided_first(&self) -> Vec<&OpeningScore> {
        let mut openings: Vec<&OpeningScore> = self.by_index.values().collect();
        let is_told = |opening: &OpeningScore| opening.white.games() >= OpeningScore::FEWEST;
        openings.sort_by(|one, other| {
            let by_score = other.lopsidedness().total_cmp(&one.lopsidedness());
            is_told(other).cmp(&is_told(one)).then(by_score)
        });
        openings
    }
}

/// The position after the moves, or before them if they cannot be played.
fn end_of(opening: &OpeningRecord, variant: Variant) -> String {
    let Ok(mut referee) = Referee::from_fen(&opening.fen, variant) else { return opening.fen.clone() };
    let is_played = opening.moves.iter().all(|played| referee.play(&played.uci).is_ok());
    if is_played { referee.fen() } else { opening.fen.clone() }
}

/// `Najdorf`, or `B90 Sicilian Defense, Najdorf Variation`.
fn name_of(opening: &OpeningRecord, variant: Variant) -> Option<String> {
    opening.name.clone().or_else(|| {
        let moves = opening.moves.iter().map(|played| &*played.uci);
        let OpeningName { eco, opening, variation } = OpeningName::of_game(&opening.fen, variant, moves)?;
        let variation = variation.map_or_else(String::new, |variation| format!(", {variation}"));
        Some(format!("{eco} {opening}{variation}"))
    })
}

/// `1. e4 e5 2. Nf3`, or the FEN.
fn text_of(opening: &OpeningRecord) -> String {
    if opening.moves.is_empty() {
        return opening.fen.clone();
    }
    let black_begins = opening.fen.split(' ').nth(1) == Some("b");
    let mut words: Vec<String> = Vec::new();
    for (ply, played) in (usize::from(black_begins)..).zip(&opening.moves) {
        match ply % 2 {
            0 => words.push(format!("{}.", ply / 2 + 1)),
            _ if words.is_empty() => words.push("1…".to_owned()),
            _ => {}
        }
        words.push(played.san.clone());
    }
    words.join(" ")
}

/// The start position, which says nothing about the opening.
pub const STANDARD_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A game of a run with the data that identify its pair and opening; `None` without a result.
pub fn pairable(game: &GameRecord) -> Option<PairableGame> {
    let outcome = game.outcome(game.white)?;
    let [white, black] = [game.white, game.black].map(|engine| engine as u32);
    let fen = [game.opening.fen.as_str()].into_iter();
    let opening: Vec<&str> = fen.chain(game.opening.moves.iter().map(|played| &*played.uci)).collect();
    let start = (opening != [STANDARD_START]).then(|| PairableGame::start_of(&opening.join(" ")));
    Some(PairableGame {
        white,
        black,
        outcome,
        round: Some(u64::from(game.pair)),
        start,
        opening: None,
        moves: game.moves_hash(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::test_games::two_engine_match;

    #[test]
    fn an_opening_that_white_wins_twice_comes_before_one_that_is_shared() {
        let mut scores = OpeningScores::default();
        for game in &two_engine_match("wwddwl") {
            scores.add(game, Variant::Standard);
        }
        let openings = scores.most_lopsided_first();
        assert_eq!(openings[0].games, [5, 6], "White won both");
        assert_eq!(openings[0].text, "1. e4 e5");
        assert!(openings[0].fen.starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/"), "{}", openings[0].fen);
        assert_eq!((openings[0].lopsidedness(), openings[1].lopsidedness()), (1.0, 0.0));
    }
}
