//! Tarrasch as the server sees it: position, options, table and team between the searches.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use super::search::{Outcome, Report, Team};
use super::wire::{self, CastlingNotation};
use super::{
    BENCH_DEPTH, DEFAULT_MOVE_OVERHEAD, Depth, OwnBook, SearchControl, TranspositionTable, UciEngine, bench,
    eval, move_overhead_option,
};
use crate::chess::{Color, File, MoveList, Piece, Position, Rank, Square, ZobristKey, perft};
use crate::uci::{BestMove, EngineOption, Go, Info, OptionValue, StartPosition, UciMove};

const DEFAULT_HASH_MB: usize = 16;
const MAX_HASH_MB: i64 = 65_536;
const MAX_MULTI_PV: i64 = 256;
const MAX_THREADS: i64 = 256;

/// The engine and its state from one command to the next.
#[derive(Debug)]
pub struct Tarrasch {
    position: Position,
    /// The keys of the positions before it, from the first that can still be repeated.
    game: Vec<ZobristKey>,
    table: TranspositionTable,
    team: Team,
    multi_pv: usize,
    overhead: Duration,
    notation: CastlingNotation,
    /// The book, when it is to be used.
    book: Option<OwnBook>,
    /// The file of the book; the one that ships when it is empty.
    book_file: String,
}

impl Tarrasch {
    /// The engine with its options at their defaults and the initial position.
    ///
    /// # Errors
    /// When there is not enough memory for the transposition table.
    pub fn new() -> io::Result<Tarrasch> {
        Ok(Tarrasch {
            position: Position::start(),
            game: Vec::new(),
            table: TranspositionTable::new(DEFAULT_HASH_MB)?,
            team: Team::default(),
            multi_pv: 1,
            overhead: DEFAULT_MOVE_OVERHEAD,
            notation: CastlingNotation::default(),
            book: None,
            book_file: String::new(),
        })
    }

    /// The position as set up last.
    pub fn position(&self) -> &Position {
        &self.position
    }

    fn set_hash(&mut self, megabytes: usize) -> Result<(), String> {
        let table = TranspositionTable::new(megabytes);
        self.table = table.map_err(|_| format!("there is no memory for {megabytes} MB of Hash"))?;
        self.table.clear(self.team.size());
        Ok(())
    }

    /// Opens the book of a file, or the one that ships where `file` is empty.
    fn open_book(file: &str) -> Result<OwnBook, String> {
        if file.is_empty() {
            return Ok(OwnBook::shipped());
        }
        OwnBook::load(Path::new(file)).map_err(|error| format!("option BookFile: {file}: {error}"))
    }

    fn set_book_file(&mut self, file: String) -> Result<(), String> {
        let book = Tarrasch::open_book(&file)?;
        self.book = self.book.is_some().then_some(book);
        self.book_file = file;
        Ok(())
    }

    /// The move of the book, where a move is asked for and no analysis.
    fn book_move(&self, go: &Go) -> Option<UciMove> {
        let is_analysis = go.infinite || go.ponder || go.mate.is_some() || !go.searchmoves.is_empty();
        let book = self.book.as_ref().filter(|_| !is_analysis)?;
        // A state of its own for every hash: the chance that a library for random numbers would be asked for.
        let chance = RandomState::new().hash_one(self.position.key().bits());
        Some(wire::uci_move(book.choose(&self.position, chance)?, self.notation))
    }

    fn best_move(&self, outcome: &Outcome) -> BestMove {
        let mut line = wire::line(&outcome.line, self.notation).into_iter();
        BestMove { best: line.next(), ponder: line.next() }
    }
}

impl UciEngine for Tarrasch {
    fn name(&self) -> String {
        format!("Tarrasch {}", env!("CARGO_PKG_VERSION"))
    }

    fn author(&self) -> String {
        "the Arbiter authors".to_owned()
    }

    fn options(&self) -> Vec<EngineOption> {
        vec![
            EngineOption::spin("Hash", DEFAULT_HASH_MB as i64, 1..=MAX_HASH_MB),
            EngineOption::button("Clear Hash"),
            EngineOption::spin("Threads", 1, 1..=MAX_THREADS),
            EngineOption::spin("MultiPV", 1, 1..=MAX_MULTI_PV),
            EngineOption::check("Ponder", false),
            move_overhead_option(),
            EngineOption::check("UCI_Chess960", false),
            EngineOption::check("OwnBook", false),
            EngineOption::text("BookFile"),
        ]
    }

    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), String> {
        match (name, value) {
            ("Hash", OptionValue::Spin(megabytes)) => self.set_hash(megabytes as usize)?,
            ("Clear Hash", _) => self.table.clear(self.team.size()),
            ("Threads", OptionValue::Spin(threads)) => self.team.resize(threads as usize),
            ("MultiPV", OptionValue::Spin(lines)) => self.multi_pv = lines as usize,
            ("Move Overhead", OptionValue::Spin(millis)) => {
                self.overhead = Duration::from_millis(millis as u64);
            }
            ("UCI_Chess960", OptionValue::Check(true)) => self.notation = CastlingNotation::KingTakesRook,
            ("UCI_Chess960", _) => self.notation = CastlingNotation::KingTarget,
            ("OwnBook", OptionValue::Check(true)) => self.book = Some(Tarrasch::open_book(&self.book_file)?),
            ("OwnBook", _) => self.book = None,
            ("BookFile", OptionValue::Text(file)) => self.set_book_file(file)?,
            // Whether to ponder is the GUI's decision; the option tells it that the engine can.
            _ => {}
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.table.clear(self.team.size());
        self.team.clear();
    }

    fn set_position(&mut self, start: &StartPosition, moves: &[UciMove]) -> Result<(), String> {
        let mut position = match start {
            StartPosition::Startpos => Position::start(),
            StartPosition::Fen(fen) => {
                Position::from_fen(fen).map_err(|error| format!("position: {error}"))?
            }
        };
        let mut game = Vec::with_capacity(moves.len());
        for (index, text) in moves.iter().enumerate() {
            let mv = position.parse_uci(text.as_str());
            let mv =
                mv.ok_or_else(|| format!("position: move {} of the list, {text}, is illegal", index + 1))?;
            game.push(position.key());
            position.play_unchecked(mv);
        }
        (self.position, self.game) = (position, game);
        Ok(())
    }

    fn search(&mut self, go: &Go, control: &SearchControl, report: &mut dyn FnMut(Info)) -> BestMove {
        if let Some(mv) = self.book_move(go) {
            report(Info::text("a move of the book"));
            return BestMove { best: Some(mv), ponder: None };
        }
        let limits = wire::limits(go, &self.position, self.overhead, self.multi_pv);
        let notation = self.notation;
        let tell = &mut |found: &Report| report(wire::info(found, notation));
        let table = self.table.begin_search();
        let outcome = self.team.search(&self.position, &self.game, &limits, control, table, tell);
        if self.team.refused() > 0 {
            report(Info::text(format!("{} of the Threads could not be started", self.team.refused())));
        }
        // The iteration that the clock cut short is in no line; what it cost belongs to the record of the move.
        if !outcome.line.is_empty() {
            report(wire::total(outcome.nodes, control.elapsed()));
        }
        self.best_move(&outcome)
    }

    fn perft(&mut self, depth: u32, control: &SearchControl, report: &mut dyn FnMut(UciMove, u64)) {
        let mut moves = MoveList::new();
        self.position.legal_moves(&mut moves);
        for mv in moves {
            if control.is_stopped() {
                return;
            }
            let leaves = if depth <= 1 { 1 } else { perft(&self.position.play(mv), depth - 1) };
            report(wire::uci_move(mv, self.notation), leaves);
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
        let checkers: Vec<String> =
            self.position.checkers().into_iter().map(|square| square.to_string()).collect();
        let side = if self.position.side_to_move() == Color::White { "White" } else { "Black" };
        text + &format!(
            "\n{side} to move\nFen: {}\nKey: {:016X}\nCheckers: {}",
            self.position,
            self.position.key().bits(),
            checkers.join(" ")
        )
    }

    fn explain(&self) -> String {
        eval::explain(&self.position).to_string()
    }

    fn bench(&mut self, depth: Option<u32>, output: &mut dyn Write) -> io::Result<()> {
        let depth = depth.map_or(BENCH_DEPTH, |plies| Depth::new(plies.clamp(1, 100) as i32));
        bench(depth, output).map(|_| ())
    }
}
