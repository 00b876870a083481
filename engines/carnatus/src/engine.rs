//! The engine as the UCI server sees it.

use std::io::{self, Write};
use std::time::Duration;

use chess::Color;
use uci::server::{Nodes, SearchBudget, SearchControl, UciEngine, bench_positions, run_bench, set_up};
use uci::{BestMove, EngineOption, Go, Info, OptionValue, Score, StartPosition, UciMove};

use super::game::Game;
use super::piece_square::{full_sum, worth};
use super::position::Move;
use super::search::{HashTable, Iteration, MATE_LOWER, Searcher};

/// The nodes that the document's program spends on a move.
const NODES: u64 = 10_000;
const MAX_NODES: i64 = 1_000_000_000;
const HASH_MB: usize = 16;
const MAX_HASH_MB: i64 = 1_024;
pub const BENCH_DEPTH: u32 = 4;

#[derive(Debug)]
pub struct Carnatus {
    game: Game,
    table: HashTable,
    nodes: u64,
    uses_null_move: bool,
}

impl Carnatus {
    pub fn new() -> Carnatus {
        Carnatus { game: Game::start(), table: HashTable::new(HASH_MB), nodes: NODES, uses_null_move: true }
    }

    /// Searches within the limits of `go`, or with the engine's own node limit if there are none.
    fn think(&mut self, go: &Go, control: &SearchControl, report: &mut dyn FnMut(Info)) -> Option<Move> {
        let Game { position, side } = self.game.clone();
        // A mate in n moves is found 2n plies deep, where the mated side has no move left.
        let depth = go.depth.or(go.mate.map(|moves| moves.saturating_mul(2)));
        let go = Go { depth, ..go.clone() };
        let budget = SearchBudget::new(&go, side == Color::White, control);
        let mut searcher = Searcher::new(&mut self.table, &budget, self.nodes, self.uses_null_move);
        let moves = go.root_moves(position.legal_moves(), |mv| mv.to_uci(side));
        let mut last = Info::default();
        let best = searcher.search(&position, &moves, &mut |searcher, iteration| {
            let line = searcher.principal_variation(&position, iteration);
            let sides = [side, !side].into_iter().cycle();
            let pv = line.into_iter().zip(sides).map(|(mv, side)| mv.to_uci(side)).collect();
            last = info(iteration, searcher.nodes, control.elapsed(), pv);
            report(last.clone());
        });
        if let Some(best) = best {
            report(Nodes::new(searcher.nodes).last_info(control.elapsed(), &last, best.to_uci(side)));
        }
        best
    }
}

fn info(iteration: &Iteration, nodes: u64, time: Duration, pv: Vec<UciMove>) -> Info {
    Info { depth: Some(iteration.depth), score: Some(score(iteration)), pv, ..Nodes::new(nodes).info(time) }
}

/// The UCI score. Only the depth tells how far away a mate is: a mate in `n` needs 2n plies, and being mated in `n` needs
/// one more, because a mate is the loss of the king after any move.
fn score(iteration: &Iteration) -> Score {
    let depth = iteration.depth as i32;
    match iteration.score {
        score if score >= MATE_LOWER => Score::mate((depth / 2).max(1)),
        score if score <= -MATE_LOWER => Score::mate(-((depth - 1) / 2).max(1)),
        score => Score::centipawns(score),
    }
}

impl UciEngine for Carnatus {
    const NAME: &'static str = concat!("carnatus ", env!("CARGO_PKG_VERSION"));
    const AUTHOR: &'static str = "the Arbiter authors, after Serge Zaitsev and Thomas Ahle";

    fn options(&self) -> Vec<EngineOption> {
        vec![
            EngineOption::spin("Hash", HASH_MB as i64, 1..=MAX_HASH_MB),
            EngineOption::spin("Nodes", NODES as i64, 1..=MAX_NODES),
            EngineOption::check("NullMove", true),
        ]
    }

    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), String> {
        match (name, value) {
            ("Hash", OptionValue::Spin(megabytes)) => self.table = HashTable::new(megabytes as usize),
            ("Nodes", OptionValue::Spin(nodes)) => self.nodes = nodes as u64,
            ("NullMove", OptionValue::Check(is_used)) => {
                self.uses_null_move = is_used;
                // Scores with and without null moves differ.
                self.table.clear();
            }
            _ => {}
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.table.clear();
    }

    fn set_position(&mut self, start: &StartPosition, moves: &[UciMove]) -> Result<(), String> {
        self.game = set_up(start, moves, Game::from_fen, |game, mv| {
            *game = game.play(game.find(mv.as_str())?);
            Some(())
        })?;
        Ok(())
    }

    fn search(&mut self, go: &Go, control: &SearchControl, report: &mut dyn FnMut(Info)) -> BestMove {
        let best = self.think(go, control, report);
        BestMove { best: best.map(|mv| mv.to_uci(self.game.side)), ponder: None }
    }

    fn perft(&mut self, depth: u32) -> Box<dyn Iterator<Item = (UciMove, u64)> + '_> {
        let Game { position, side } = &self.game;
        let leaves = move |mv: Move| (mv.to_uci(*side), Game::perft(&position.play(mv), depth - 1));
        Box::new(position.legal_moves().into_iter().map(leaves))
    }

    fn display(&self) -> String {
        self.game.to_string()
    }

    fn explain(&self) -> String {
        let board = &self.game.position.board;
        let of_both = board.pieces().map(|(square, piece)| {
            let (ours, theirs) = (worth(piece, square), worth(piece.flip(), square.flip()));
            format!("{} {} {:+}", char::from(piece.0), square.seen_by(self.game.side), ours - theirs)
        });
        let mut lines: Vec<String> = of_both.collect();
        lines.push(format!("sum {:+}, from the side to move (capitals)", full_sum(board)));
        lines.join("\n")
    }

    fn bench(&mut self, depth: Option<u32>, output: &mut dyn Write) -> io::Result<()> {
        let go = Go { depth: Some(depth.unwrap_or(BENCH_DEPTH)), ..Go::default() };
        let mut bench = Carnatus { uses_null_move: self.uses_null_move, ..Carnatus::new() };
        run_bench(&mut bench, &go, bench_positions(), output)
    }
}
