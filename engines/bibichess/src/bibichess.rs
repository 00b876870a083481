//! The engine as the server sees it (appendix B): position, options and hash table between the searches.

use std::collections::TryReserveError;
use std::io::{self, Write};
use std::time::Duration;

use chess::{Color, File, Move, MoveList, Piece, Position, Rank, Square, perft};
use uci::server::{
    self, DEFAULT_MOVE_OVERHEAD, Nodes, SearchBudget, SearchControl, UciEngine, move_overhead_option,
};
use uci::{BestMove, EngineOption, Go, Info, OptionValue, StartPosition, UciMove};

use crate::bench;
use crate::evaluation::{evaluate, explain};
use crate::hash_table::HashTable;
use crate::search::{Outcome, Report, Search};
use crate::technique::{Technique, Techniques};

const DEFAULT_HASH_MB: usize = 16;
const MAX_HASH_MB: i64 = 65_536;

/// The engine and its state from one command to the next.
#[derive(Debug)]
pub struct BibiChess {
    position: Position,
    table: HashTable,
    techniques: Techniques,
    overhead: Duration,
}

impl BibiChess {
    /// The engine with everything switched on, in the initial position.
    ///
    /// # Errors
    /// When there is not enough memory for the hash table.
    pub fn new() -> Result<BibiChess, TryReserveError> {
        Ok(BibiChess {
            position: Position::start(),
            table: HashTable::new(DEFAULT_HASH_MB)?,
            techniques: Techniques::EVERY,
            overhead: DEFAULT_MOVE_OVERHEAD,
        })
    }

    fn set_hash(&mut self, megabytes: usize) -> Result<(), String> {
        let table = HashTable::new(megabytes);
        self.table = table.map_err(|_| format!("there is no memory for {megabytes} MB of Hash"))?;
        Ok(())
    }
}

impl UciEngine for BibiChess {
    fn name(&self) -> String {
        format!("BibiChess {}", env!("CARGO_PKG_VERSION"))
    }

    fn author(&self) -> String {
        "the Arbiter authors, after Lucas Braesch and Romain Burgot".to_owned()
    }

    fn options(&self) -> Vec<EngineOption> {
        let switch = |technique: Technique| {
            EngineOption::check(technique.option_name(), Techniques::EVERY.has(technique))
        };
        let hash = EngineOption::spin("Hash", DEFAULT_HASH_MB as i64, 1..=MAX_HASH_MB);
        [hash, move_overhead_option()].into_iter().chain(Technique::ALL.map(switch)).collect()
    }

    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), String> {
        match (name, value) {
            ("Hash", OptionValue::Spin(megabytes)) => self.set_hash(megabytes as usize)?,
            ("Move Overhead", OptionValue::Spin(millis)) => {
                self.overhead = Duration::from_millis(millis as u64);
            }
            (name, OptionValue::Check(is_on)) => {
                if let Some(technique) = Technique::from_option_name(name) {
                    self.techniques.set(technique, is_on);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.table.clear();
    }

    fn set_position(&mut self, start: &StartPosition, moves: &[UciMove]) -> Result<(), String> {
        let mut position = match start {
            StartPosition::Startpos => Position::start(),
            StartPosition::Fen(fen) => {
                Position::from_fen(fen).map_err(|error| format!("position: {error}"))?
            }
        };
        for (index, text) in moves.iter().enumerate() {
            let mv = position.parse_uci(text.as_str());
            let mv =
                mv.ok_or_else(|| format!("position: move {} of the list, {text}, is illegal", index + 1))?;
            position.play_unchecked(mv);
        }
        self.position = position;
        Ok(())
    }

    fn search(&mut self, go: &Go, control: &SearchControl, report: &mut dyn FnMut(Info)) -> BestMove {
        let position = &self.position;
        let us = match position.side_to_move() {
            Color::White => server::Color::White,
            Color::Black => server::Color::Black,
        };
        let budget = SearchBudget::new(go, us, self.overhead, control);
        let root_moves: Vec<Move> =
            go.searchmoves.iter().filter_map(|mv| position.parse_uci(mv.as_str())).collect();
        let search = Search::new(self.techniques, evaluate, &budget, &mut self.table, &root_moves);
        let outcome = search.run(position, go.mate, &mut |found| report(info_of(found, control.elapsed())));
        // What the iteration that was cut short cost is in no report; it belongs to the record of the move.
        report(Nodes::new(outcome.nodes).info(control.elapsed()));
        best_move(&outcome)
    }

    fn perft(&mut self, depth: u32, control: &SearchControl, report: &mut dyn FnMut(UciMove, u64)) {
        let mut moves = MoveList::new();
        self.position.legal_moves(&mut moves);
        for mv in moves {
            if control.is_stopped() {
                return;
            }
            let leaves = if depth <= 1 { 1 } else { perft(&self.position.play(mv), depth - 1) };
            report(uci_move(mv), leaves);
        }
    }

    fn display(&self) -> String {
        let mut text = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let piece = self.position.piece_on(Square::new(file, rank));
                text.push(' ');
                text.push(piece.map_or('.', Piece::letter));
            }
            text.push('\n');
        }
        let side = if self.position.side_to_move() == Color::White { "White" } else { "Black" };
        text + &format!("\n{side} to move\nFen: {}\nKey: {:016X}", self.position, self.position.key().bits())
    }

    fn explain(&self) -> String {
        explain(&self.position)
    }

    fn bench(&mut self, depth: Option<u32>, output: &mut dyn Write) -> io::Result<()> {
        bench::run(depth.map_or(bench::USUAL_DEPTH, |plies| plies.clamp(1, 20)), output).map(|_| ())
    }
}

/// The move to play, and the reply that the search expects.
fn best_move(outcome: &Outcome) -> BestMove {
    let expected = outcome.last.as_ref().and_then(|last| last.line.get(1));
    BestMove { best: outcome.best.map(uci_move), ponder: expected.copied().map(uci_move) }
}

/// The `info` line of an iteration.
fn info_of(found: &Report, time: Duration) -> Info {
    Info {
        depth: Some(found.depth.plies() as u32),
        seldepth: Some(found.deepest.get() as u32),
        score: Some(found.value.to_score()),
        hashfull: Some(found.hashfull),
        pv: found.line.iter().copied().map(uci_move).collect(),
        ..Nodes::new(found.nodes).info(time)
    }
}

/// A move as the protocol writes it.
///
/// # Panics
/// Never: every move has the form that the protocol asks for.
fn uci_move(mv: Move) -> UciMove {
    mv.to_uci(false).parse().expect("a move is written in the form of one")
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use uci::scripted_gui::ScriptedGui;

    #[test]
    fn every_technique_is_an_option_that_switches_it() {
        let mut engine = BibiChess::new().unwrap();
        for technique in Technique::ALL {
            let name = technique.option_name();
            assert!(engine.options().iter().any(|option| option.is_named(name)), "{name}");
            engine.set_option(name, OptionValue::Check(false)).unwrap();
            assert!(!engine.techniques.has(technique), "{name}");
        }
        assert_eq!(engine.techniques, Techniques::NONE);
    }

    #[test]
    fn iterations_begin_at_depth_2() {
        let answer = ScriptedGui::with(BibiChess::new().unwrap()).search("position startpos", "go depth 3");
        assert_eq!(answer.depths(), [2, 3]);
    }

    #[test]
    fn a_search_that_was_stopped_before_it_began_still_answers() {
        let control = SearchControl::new(Instant::now(), false);
        control.stop();
        let go = Go { infinite: true, ..Go::default() };
        let best = BibiChess::new().unwrap().search(&go, &control, &mut |_| {});
        assert!(best.best.is_some());
    }
}
