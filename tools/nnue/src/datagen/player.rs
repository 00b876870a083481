//! A thread of the generator, which plays both sides.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use chess::{Color, Position, ZobristKey};
use tarrasch::nnue::Network;
use tarrasch::openings::{Chance, RandomOpening};
use tarrasch::{Nodes, SoftNodeSearch, Value};

use super::adjudication::{Adjudication, result_by_rules};
use super::settings::Settings;
use crate::game::{Game, ScoredMove};

/// Plays whole games.
#[derive(Debug)]
pub struct Player<'a> {
    settings: &'a Settings,
    search: SoftNodeSearch,
}

impl Player<'_> {
    /// A player with its own TT.
    ///
    /// # Errors
    /// There is not enough memory for the TT.
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
        let start = self.opening(&mut chance, stop)?;
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
            let called = adjudication.hear(&position, found.score);
            if let Some(result) = called.filter(|_| !is_played_out) {
                break result;
            }
            before.push(position.key());
            position.play_unchecked(found.mv);
        };
        Some(Game { start, moves, result, skipped: 0 })
    }

    /// A start that is not lopsided.
    fn opening(&mut self, chance: &mut Chance, stop: &AtomicBool) -> Option<Position> {
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
