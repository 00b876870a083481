//! The end of games, by the rules or by adjudication.

use chess::{Color, Position, ZobristKey};

use super::settings::Settings;
use crate::game::GameResult;

/// The result by the rules, if the game is over; `before` are the keys of the positions before this one.
pub fn result_by_rules(position: &Position, before: &[ZobristKey]) -> Option<GameResult> {
    if !position.has_legal_move() {
        let loser = position.side_to_move();
        return Some(if position.is_check() { GameResult::win_of(!loser) } else { GameResult::Draw });
    }
    let reversible = usize::from(position.halfmove_clock()).min(before.len());
    let since = &before[before.len() - reversible..];
    let is_threefold = || since.iter().filter(|key| **key == position.key()).count() >= 2;
    let is_draw = position.halfmove_clock() >= 100 || position.is_insufficient_material() || is_threefold();
    is_draw.then_some(GameResult::Draw)
}

/// Adjudicates a game by its scores.
#[derive(Debug)]
pub struct Adjudication<'a> {
    settings: &'a Settings,
    /// The winning side, and for how many plies.
    winning: (Color, u32),
    /// For how many plies the score is near 0.
    level: u32,
}

impl Adjudication<'_> {
    /// The state at the start of a game.
    pub fn new(settings: &Settings) -> Adjudication<'_> {
        Adjudication { settings, winning: (Color::White, 0), level: 0 }
    }

    /// Adds White's score of a position. Returns the result once the game is decided.
    pub fn hear(&mut self, position: &Position, score: i16) -> Option<GameResult> {
        let Settings { win_score, win_plies, draw_score, draw_plies, draw_from_move, .. } = *self.settings;
        let leader = if score > 0 { Color::White } else { Color::Black };
        self.winning = match self.winning {
            _ if score.unsigned_abs() < win_score => (leader, 0),
            (before, plies) if before == leader => (leader, plies + 1),
            _ => (leader, 1),
        };
        let is_level = score.unsigned_abs() <= draw_score && position.fullmove_number() >= draw_from_move;
        self.level = if is_level { self.level + 1 } else { 0 };
        if self.winning.1 >= win_plies {
            Some(GameResult::win_of(leader))
        } else {
            (self.level >= draw_plies).then_some(GameResult::Draw)
        }
    }
}
