//! A thread of the generator, which plays both sides, and the end of games: by the rules or by adjudication.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use chess::{Color, Position, ZobristKey};
use tarrasch::nnue::Network;
use tarrasch::openings::{Chance, RandomOpening, random_plies};
use tarrasch::{Nodes, SoftNodeSearch, Value};

use super::settings::Settings;
use crate::game::{Game, GameResult, ScoredMove};

/// The number of times that random plies are tried after a line of the openings.
const TRIES: u32 = 100;

#[derive(Debug)]
pub struct Player<'a> {
    settings: &'a Settings,
    search: SoftNodeSearch,
}

impl Player<'_> {
    pub fn new(settings: &Settings) -> io::Result<Player<'_>> {
        let search = SoftNodeSearch::new(
            settings.hash_mib as usize,
            settings.network.clone().unwrap_or_else(Network::shipped),
        )?;
        Ok(Player { settings, search })
    }

    /// The game with this number; `None` if `stop` was set before its end.
    pub fn play(&mut self, number: u64, stop: &AtomicBool) -> Option<Game> {
        self.search.clear();
        let mut chance = Chance::new(self.settings.seed.into(), number);
        let is_played_out = chance.below(self.settings.played_out) == 0;
        let start = self.start(number, &mut chance, stop)?;
        let mut adjudication = Adjudication::new(self.settings);
        let (mut position, mut before, mut moves) = (start.clone(), Vec::new(), Vec::new());
        let result = loop {
            if let Some(result) = result_by_rules(&position, &before) {
                break result;
            }
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let found = self.find(&position, &before);
            moves.push(found);
            let adjudicated = adjudication.update(&position, found.score);
            if let Some(result) = adjudicated.filter(|_| !is_played_out) {
                break result;
            }
            before.push(position.key());
            position.play_unchecked(found.mv);
        };
        Some(Game { start, moves, result, skipped: 0 })
    }

    /// The start of a game: a line of the openings, or a random opening that is not lopsided.
    fn start(&mut self, number: u64, chance: &mut Chance, stop: &AtomicBool) -> Option<Position> {
        let line = self.settings.openings.as_ref().and_then(|openings| openings.start(number));
        // Random plies may end every game that begins with this line.
        let from_line =
            line.and_then(|(line, plies)| (0..TRIES).find_map(|_| random_plies(line.clone(), plies, chance)));
        from_line.or_else(|| self.random_opening(chance, stop))
    }

    fn random_opening(&mut self, chance: &mut Chance, stop: &AtomicBool) -> Option<Position> {
        let Settings { random_plies, opening_nodes, hard_factor, opening_score, .. } = *self.settings;
        let random =
            RandomOpening { plies: random_plies, nodes: opening_nodes, hard_factor, score: opening_score };
        while !stop.load(Ordering::Relaxed) {
            if let Some(position) = random.draw(Position::start(), chance, &mut self.search) {
                return Some(position);
            }
        }
        None
    }

    /// The move to play. The position must have a legal move.
    fn find(&mut self, position: &Position, before: &[ZobristKey]) -> ScoredMove {
        let Settings { nodes, hard_factor, .. } = *self.settings;
        let (soft, hard) = (Nodes::new(nodes.into()), Nodes::new(u64::from(nodes) * u64::from(hard_factor)));
        let (mv, value) = self.search.search(position, before, soft, hard);
        ScoredMove { mv, score: for_white(value, position.side_to_move()) }
    }
}

/// A value for the side to move as a score for White. Every value fits.
fn for_white(value: Value, mover: Color) -> i16 {
    let value = if mover == Color::White { value } else { -value };
    value.get() as i16
}

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

#[derive(Debug)]
pub struct Adjudication<'a> {
    settings: &'a Settings,
    /// The winning side, and for how many plies.
    winning: (Color, u32),
    /// For how many plies the score is near 0.
    level: u32,
}

impl Adjudication<'_> {
    pub fn new(settings: &Settings) -> Adjudication<'_> {
        Adjudication { settings, winning: (Color::White, 0), level: 0 }
    }

    /// Adds White's score of a position. Returns the result once the game is decided.
    pub fn update(&mut self, position: &Position, score: i16) -> Option<GameResult> {
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
