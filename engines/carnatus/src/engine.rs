//! carnatus as the UCI server sees it.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use uci::server::{
    Color, DEFAULT_MOVE_OVERHEAD, Nodes, SearchBudget, SearchControl, UciEngine, bench_positions,
    move_overhead_option, write_totals,
};
use uci::{BestMove, EngineOption, Go, Info, OptionValue, Score, StartPosition, UciMove};

use super::bound::{MATE_LOWER, Searcher};
use super::game::Game;
use super::hash_table::HashTable;
use super::piece_square::{full_sum, worth};
use super::position::Move;
use super::search::Iteration;
use super::side::Side;

/// The nodes that the document's program spends on a move.
const NODES: u64 = 10_000;
const MAX_NODES: i64 = 1_000_000_000;
const HASH_MB: usize = 16;
const MAX_HASH_MB: i64 = 1_024;
/// The depth of the usual bench, in plies.
pub const BENCH_DEPTH: u32 = 4;

/// The engine and its state from one command to the next.
#[derive(Debug)]
pub struct Carnatus {
    game: Game,
    table: HashTable,
    overhead: Duration,
    nodes: u64,
    uses_null_move: bool,
}

impl Carnatus {
    /// The engine with its options at their defaults and the initial position.
    pub fn new() -> Carnatus {
        Carnatus {
            game: Game::start(),
            table: HashTable::new(HASH_MB),
            overhead: DEFAULT_MOVE_OVERHEAD,
            nodes: NODES,
            uses_null_move: true,
        }
    }

    /// Searches within the limits of `go`, or with the engine's own number of nodes when it has none.
    fn think(&mut self, go: &Go, control: &SearchControl, report: &mut dyn FnMut(Info)) -> Option<Move> {
        let Game { position, side } = self.game.clone();
        let color = if side == Side::White { Color::White } else { Color::Black };
        // A mate in n moves is seen 2n plies deep, where the side to be mated has run out of moves.
        let depth = go.depth.or(go.mate.map(|moves| moves.saturating_mul(2)));
        let go = Go { depth, ..go.clone() };
        let budget = SearchBudget::new(&go, color, self.overhead, control);
        let mut searcher = Searcher::new(&mut self.table, &budget, self.nodes, self.uses_null_move);
        let moves = root_moves(&self.game, &go);
        let (mut depth, mut told) = (0, None);
        let best = searcher.search(&position, &moves, &mut |searcher, iteration| {
            (depth, told) = (iteration.depth, Some(iteration.best));
            let line = searcher.principal_variation(&position, iteration);
            let sides = [side, side.other()].into_iter().cycle();
            let pv = line.into_iter().zip(sides).map(|(mv, side)| side.uci(mv)).collect();
            report(info(iteration, searcher.nodes(), control.elapsed(), pv));
        });
        if let Some(best) = best {
            let counts = Nodes::new(searcher.nodes()).info(control.elapsed());
            // An iteration that was interrupted may have found another move.
            report(if told == Some(best) {
                counts
            } else {
                Info { depth: Some(depth + 1), pv: vec![side.uci(best)], ..counts }
            });
        }
        best
    }

    /// Thinks about a position in the text mode, with the document's budget.
    pub fn answer(&mut self, game: &Game) -> Option<Move> {
        self.game = game.clone();
        self.think(&Go::default(), &SearchControl::new(Instant::now(), false), &mut |_| {})
    }
}

/// The legal moves, or those of `searchmoves` when there are any among them.
fn root_moves(game: &Game, go: &Go) -> Vec<Move> {
    let legal = game.position.legal_moves();
    let is_asked_for = |mv: &Move| go.searchmoves.contains(&game.side.uci(*mv));
    let asked: Vec<Move> = legal.iter().copied().filter(is_asked_for).collect();
    if asked.is_empty() { legal } else { asked }
}

fn info(iteration: &Iteration, nodes: u64, time: Duration, pv: Vec<UciMove>) -> Info {
    Info { depth: Some(iteration.depth), score: Some(score(iteration)), pv, ..Nodes::new(nodes).info(time) }
}

/// The score as the protocol has it. How far away a mate is, only the depth tells: `n` moves need 2n plies to be seen,
/// and being mated in `n` one more, because a mate is the loss of the king whatever is played.
fn score(iteration: &Iteration) -> Score {
    let depth = iteration.depth as i32;
    match iteration.score {
        score if score >= MATE_LOWER => Score::mate((depth / 2).max(1)),
        score if score <= -MATE_LOWER => Score::mate(-((depth - 1) / 2).max(1)),
        score => Score::centipawns(score),
    }
}

impl UciEngine for Carnatus {
    fn name(&self) -> String {
        format!("carnatus {}", env!("CARGO_PKG_VERSION"))
    }

    fn author(&self) -> String {
        "the Arbiter authors, after Serge Zaitsev and Thomas Ahle".to_owned()
    }

    fn options(&self) -> Vec<EngineOption> {
        vec![
            EngineOption::spin("Hash", HASH_MB as i64, 1..=MAX_HASH_MB),
            move_overhead_option(),
            EngineOption::spin("Nodes", NODES as i64, 1..=MAX_NODES),
            EngineOption::check("NullMove", true),
        ]
    }

    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), String> {
        match (name, value) {
            ("Hash", OptionValue::Spin(megabytes)) => self.table = HashTable::new(megabytes as usize),
            ("Move Overhead", OptionValue::Spin(millis)) => {
                self.overhead = Duration::from_millis(millis as u64);
            }
            ("Nodes", OptionValue::Spin(nodes)) => self.nodes = nodes as u64,
            ("NullMove", OptionValue::Check(is_used)) => {
                self.uses_null_move = is_used;
                // Scores with and without null moves are not the same.
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
        let mut game = match start {
            StartPosition::Startpos => Game::start(),
            StartPosition::Fen(fen) => Game::from_fen(fen).map_err(|error| format!("position: {error}"))?,
        };
        for (index, text) in moves.iter().enumerate() {
            let mv = game.find(text.as_str());
            let mv =
                mv.ok_or_else(|| format!("position: move {} of the list, {text}, is illegal", index + 1))?;
            game = game.play(mv);
        }
        self.game = game;
        Ok(())
    }

    fn search(&mut self, go: &Go, control: &SearchControl, report: &mut dyn FnMut(Info)) -> BestMove {
        let best = self.think(go, control, report);
        BestMove { best: best.map(|mv| self.game.side.uci(mv)), ponder: None }
    }

    fn perft(&mut self, depth: u32, control: &SearchControl, report: &mut dyn FnMut(UciMove, u64)) {
        for mv in self.game.position.legal_moves() {
            if control.is_stopped() {
                return;
            }
            let leaves = Game::perft(&self.game.position.play(mv), depth.saturating_sub(1));
            report(self.game.side.uci(mv), leaves);
        }
    }

    fn display(&self) -> String {
        self.game.to_string()
    }

    fn explain(&self) -> String {
        let board = &self.game.position.board;
        let of_both = board.pieces().map(|(square, piece)| {
            let (ours, theirs) = (worth(piece, square), worth(piece.flip(), square.flip()));
            format!("{} {} {:+}", char::from(piece.0), self.game.side.sees(square), ours - theirs)
        });
        let mut lines: Vec<String> = of_both.collect();
        lines.push(format!("sum {:+}, from the side to move (capitals)", full_sum(board)));
        lines.join("\n")
    }

    fn bench(&mut self, depth: Option<u32>, output: &mut dyn Write) -> io::Result<()> {
        let start = Instant::now();
        let mut total = 0;
        let go = Go { depth: Some(depth.unwrap_or(BENCH_DEPTH)), ..Go::default() };
        let mut bench = Carnatus { uses_null_move: self.uses_null_move, ..Carnatus::new() };
        for fen in bench_positions() {
            bench.table.clear();
            bench.game = Game::from_fen(fen).map_err(io::Error::other)?;
            let control = SearchControl::new(Instant::now(), false);
            let mut nodes = 0;
            let best = bench.search(&go, &control, &mut |info| nodes = info.nodes.unwrap_or(nodes));
            writeln!(output, "{best}  {nodes:>10} nodes  {fen}")?;
            total += nodes;
        }
        writeln!(output)?;
        write_totals(Nodes::new(total), start.elapsed(), output)
    }
}
