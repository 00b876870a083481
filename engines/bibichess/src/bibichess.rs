//! The engine as the server sees it (appendix B): position, options and hash table, kept between searches; and the bench.

use std::collections::TryReserveError;
use std::io::{self, Write};
use std::iter;
use std::time::Duration;

use chess::{Color, Move, Piece, Position, board_text, divide};
use uci::server::{Nodes, SearchBudget, SearchControl, UciEngine, run_bench, set_up};
use uci::{BestMove, EngineOption, Go, Info, OptionValue, StartPosition, UciMove};

use crate::evaluation::{evaluate, explain};
use crate::hash_table::HashTable;
use crate::search::{Outcome, Report, Search, Technique, Techniques};

const DEFAULT_HASH_MB: usize = 16;
const MAX_HASH_MB: i64 = 65_536;

#[derive(Debug)]
pub struct BibiChess {
    position: Position,
    table: HashTable,
    techniques: Techniques,
}

impl BibiChess {
    /// The engine in the initial position with every technique on. Fails if there is no memory for the hash table.
    pub fn new() -> Result<BibiChess, TryReserveError> {
        Ok(BibiChess {
            position: Position::start(),
            table: HashTable::new(DEFAULT_HASH_MB)?,
            techniques: Techniques::EVERY,
        })
    }

    fn set_hash(&mut self, megabytes: usize) -> Result<(), String> {
        let table = HashTable::new(megabytes);
        self.table = table.map_err(|_| format!("there is no memory for {megabytes} MB of Hash"))?;
        Ok(())
    }
}

impl UciEngine for BibiChess {
    const NAME: &'static str = concat!("BibiChess ", env!("CARGO_PKG_VERSION"));
    const AUTHOR: &'static str = "the Arbiter authors, after Lucas Braesch and Romain Burgot";

    fn options(&self) -> Vec<EngineOption> {
        let switch = |(technique, name)| EngineOption::check(name, Techniques::EVERY.has(technique));
        let hash = EngineOption::spin("Hash", DEFAULT_HASH_MB as i64, 1..=MAX_HASH_MB);
        iter::once(hash).chain(Technique::ALL.map(switch)).collect()
    }

    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), String> {
        match (name, value) {
            ("Hash", OptionValue::Spin(megabytes)) => self.set_hash(megabytes as usize)?,
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
        self.position = set_up(start, moves, Position::from_fen, |position, mv| {
            position.play_unchecked(position.parse_uci(mv.as_str())?);
            Some(())
        })?;
        Ok(())
    }

    fn search(&mut self, go: &Go, control: &SearchControl, report: &mut dyn FnMut(Info)) -> BestMove {
        let position = &self.position;
        let budget = SearchBudget::new(go, position.side_to_move() == Color::White, control);
        let root_moves: Vec<Move> =
            go.searchmoves.iter().filter_map(|mv| position.parse_uci(mv.as_str())).collect();
        let search = Search::new(self.techniques, evaluate, &budget, &mut self.table, &root_moves);
        let outcome = search.run(position, go.mate, &mut |found| report(info_of(found, control.elapsed())));
        // No report contains the nodes of the interrupted iteration, but they belong to the record of the move.
        report(Nodes::new(outcome.nodes).info(control.elapsed()));
        best_move(&outcome)
    }

    fn perft(&mut self, depth: u32) -> Box<dyn Iterator<Item = (UciMove, u64)> + '_> {
        Box::new(divide(&self.position, depth).map(|(mv, leaves)| (uci_move(mv), leaves)))
    }

    fn display(&self) -> String {
        let board = board_text(|square| self.position.piece_on(square).map(Piece::letter));
        let side = if self.position.side_to_move() == Color::White { "White" } else { "Black" };
        let (position, key) = (&self.position, self.position.key().bits());
        format!("{board}\n\n{side} to move\nFen: {position}\nKey: {key:016X}")
    }

    fn explain(&self) -> String {
        explain(&self.position)
    }

    fn bench(&mut self, depth: Option<u32>, output: &mut dyn Write) -> io::Result<()> {
        let depth = depth.map_or(BENCH_DEPTH, |plies| plies.clamp(1, 20));
        writeln!(output, "Depth           : {depth}\n")?;
        let go = Go { depth: Some(depth), ..Go::default() };
        run_bench(&mut BibiChess::new()?, &go, POSITIONS, output)
    }
}

fn best_move(outcome: &Outcome) -> BestMove {
    let expected = outcome.last.as_ref().and_then(|last| last.line.get(1));
    BestMove { best: outcome.best.map(uci_move), ponder: expected.copied().map(uci_move) }
}

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

fn uci_move(mv: Move) -> UciMove {
    mv.to_uci(false).parse().expect("a move is written in the form of one")
}

const BENCH_DEPTH: u32 = 6;

/// The positions of the document's figures 1 to 3 and 10.
const POSITIONS: [&str; 9] = [
    "r1bn1rk1/pp2b2p/1q2pnp1/2pp2N1/3P1N2/2PB4/PPQ2PPP/R1B2RK1 w - - 0 14",
    "8/2n2kq1/3p1pbb/1ppP4/2P3Q1/1PB2NPP/4R1K1/8 w - - 0 1",
    "rnbqk1nr/ppp2ppp/3b4/8/8/2N5/PPPPP1PP/R1BQKBNR b KQkq - 1 4",
    Position::START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/3K4/2p5/p2b2r1/5k2/8/8/1q6 b - - 1 67",
    "8/7p/p5pb/4k3/P1pPn3/8/P5PP/1rB2RK1 b - d3 0 28",
];

#[cfg(test)]
mod tests {
    use uci::scripted_gui::ScriptedGui;

    use super::*;

    #[test]
    fn every_technique_is_an_option_that_switches_it() {
        let mut engine = BibiChess::new().unwrap();
        for (technique, name) in Technique::ALL {
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
    fn the_bench_takes_the_same_nodes_every_time() {
        let bench = || {
            let mut text = Vec::new();
            BibiChess::new().unwrap().bench(Some(2), &mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            text.lines().find(|line| line.starts_with("Nodes searched  : ")).unwrap().to_owned()
        };
        assert_eq!(bench(), bench());
    }
}
