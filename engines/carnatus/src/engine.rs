//! The engine as the UCI server and a person at the terminal see it.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use uci::server::{
    Color, Nodes, SearchBudget, SearchControl, UciEngine, bench_positions, end_in_words, run_bench, set_up,
};
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
        let budget = SearchBudget::new(&go, side, control);
        let mut searcher = Searcher::new(&mut self.table, &budget, self.nodes, self.uses_null_move);
        let moves = go.root_moves(position.legal_moves(), |mv| mv.to_uci(side));
        let mut last = Info::default();
        let best = searcher.search(&position, &moves, &mut |searcher, iteration| {
            let line = searcher.principal_variation(&position, iteration);
            let sides = [side, side.other()].into_iter().cycle();
            let pv = line.into_iter().zip(sides).map(|(mv, side)| mv.to_uci(side)).collect();
            last = info(iteration, searcher.nodes, control.elapsed(), pv);
            report(last.clone());
        });
        if let Some(best) = best {
            report(Nodes::new(searcher.nodes).last_info(control.elapsed(), &last, best.to_uci(side)));
        }
        best
    }

    /// Thinks about a position in the text mode, with the document's budget.
    pub fn answer(&mut self, game: &Game) -> Option<Move> {
        self.game = game.clone();
        self.think(&Go::default(), &SearchControl::new(Instant::now(), false), &mut |_| {})
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
        run_bench(bench_positions(), output, |fen| {
            bench.table.clear();
            bench.game = Game::from_fen(fen).map_err(io::Error::other)?;
            let control = SearchControl::new(Instant::now(), false);
            let mut nodes = 0;
            let best = bench.search(&go, &control, &mut |info| nodes = info.nodes.unwrap_or(nodes));
            Ok((best.best, nodes))
        })
    }
}

fn end(game: &Game) -> Option<&'static str> {
    let has_move = !game.position.legal_moves().is_empty();
    (!has_move).then(|| end_in_words(game.position.is_check(), game.side))
}

/// Plays a game against a person, who writes `input` and plays `person`.
pub fn play(person: Color, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut engine = Carnatus::new();
    let mut game = Game::start();
    let mut lines = input.lines();
    loop {
        writeln!(output, "\n{game}")?;
        if let Some(end) = end(&game) {
            return writeln!(output, "{end}");
        }
        if game.side != person {
            // There is a move, since the game is not over.
            if let Some(mv) = engine.answer(&game) {
                writeln!(output, "carnatus plays {}", mv.to_uci(game.side))?;
                game = game.play(mv);
            }
            continue;
        }
        write!(output, "Your move (e2e4, e7e8q) or quit: ")?;
        output.flush()?;
        let Some(line) = lines.next().transpose()? else { return Ok(()) };
        match line.trim() {
            "quit" => return Ok(()),
            "" => {}
            text => {
                if let Some(mv) = game.find(&text.to_ascii_lowercase()) {
                    game = game.play(mv);
                } else {
                    let expected = "two squares such as e2e4 are expected";
                    writeln!(output, "`{text}` is not a legal move: {expected}.")?;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(person: Color, input: &str) -> String {
        let mut output = Vec::new();
        play(person, input.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn a_move_of_the_person_is_answered() {
        let text = played(Color::White, "e2e5\ne2e4\nquit\n");
        assert!(text.contains("`e2e5` is not a legal move"), "{text}");
        assert_eq!(text.matches("carnatus plays").count(), 1);
    }

    #[test]
    fn the_engine_begins_when_the_person_has_black() {
        assert_eq!(played(Color::Black, "").matches("carnatus plays").count(), 1);
    }

    #[test]
    fn the_end_of_a_game_is_told() {
        let game = Game::from_fen("7k/5KQ1/8/8/8/8/8/8 b - - 0 1").unwrap();
        assert_eq!(end(&game), Some("Checkmate, White wins."));
        let game = Game::from_fen("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1").unwrap();
        assert_eq!(end(&game), Some("Stalemate."));
        assert_eq!(end(&Game::start()), None);
    }
}
