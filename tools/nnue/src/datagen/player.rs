//! One thread of the generator: a searcher that plays both sides.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use chess::{Color, Position, ZobristKey};
use tarrasch::search::{Searcher, ThreadData};
use tarrasch::transposition_table::Bound;
use tarrasch::{Limits, Nodes, SearchControl, TranspositionTable, Value};

use super::adjudication::{Adjudication, result_by_rules};
use super::opening::Chance;
use super::settings::Settings;
use crate::game::{Game, ScoredMove};

/// Plays whole games.
#[derive(Debug)]
pub struct Player<'a> {
    settings: &'a Settings,
    table: TranspositionTable,
    memory: ThreadData,
}

impl Player<'_> {
    /// A player with a table of its own.
    ///
    /// # Errors
    /// There is no memory for the table.
    pub fn new(settings: &Settings) -> io::Result<Player<'_>> {
        let table = TranspositionTable::new(settings.hash_mib as usize)?;
        Ok(Player { settings, table, memory: ThreadData::new() })
    }

    /// The game with this number, which nothing else decides; `None` when `stop` was set before its end.
    pub fn play(&mut self, number: u64, stop: &AtomicBool) -> Option<Game> {
        self.table.clear(1);
        self.memory.clear();
        let mut chance = Chance::of_game(self.settings.seed, number);
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
            let found = self.search(&position, &before, self.settings.nodes);
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

    /// A start that gives both sides a chance.
    fn opening(&mut self, chance: &mut Chance, stop: &AtomicBool) -> Option<Position> {
        while !stop.load(Ordering::Relaxed) {
            let Some(position) = chance.opening(self.settings.random_plies) else { continue };
            let found = self.search(&position, &[], self.settings.opening_nodes);
            if found.score.unsigned_abs() < self.settings.opening_score {
                return Some(position);
            }
        }
        None
    }

    /// The best move by the last iteration that was finished. After `nodes` no other is begun, and one that has been
    /// begun is given up after the hard limit.
    ///
    /// # Panics
    /// Never: the position has a legal move.
    fn search(&mut self, position: &Position, before: &[ZobristKey], nodes: u32) -> ScoredMove {
        let soft = Nodes::new(nodes.into());
        let limits = Limits::nodes(Nodes::new(u64::from(nodes) * u64::from(self.settings.hard_factor)));
        let control = SearchControl::new(Instant::now(), false);
        let table = self.table.begin_search();
        let mut finished = None;
        let mut searcher = Searcher::new(position, before, &limits, &control, table, &mut self.memory);
        let outcome = searcher.run(position, &mut |report| {
            if report.bound == Bound::Exact {
                finished = report.line.first().map(|&mv| (mv, report.value));
                if report.nodes >= soft {
                    control.stop();
                }
            }
        });
        let (mv, value) = finished
            .or_else(|| outcome.line.first().map(|&mv| (mv, outcome.value)))
            .expect("a position with a legal move has a line");
        ScoredMove { mv, score: for_white(value, position.side_to_move()) }
    }
}

/// A value for the side to move as a score for White. Every value fits.
fn for_white(value: Value, mover: Color) -> i16 {
    let value = if mover == Color::White { value } else { -value };
    value.get() as i16
}
