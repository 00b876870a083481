//! The engine as the server sees it.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use uci::server::{
    Color, DEFAULT_MOVE_OVERHEAD, Nodes, SearchBudget, SearchControl, UciEngine, move_overhead_option,
};
use uci::{BestMove, EngineOption, Go, Info, OptionValue, Score, StartPosition, UciMove};

use super::bench;
use super::book::Book;
use super::fen;
use super::game_state::GameState;
use super::material_search::Horizon;
use super::moves::MoveList;
use super::pieces::CENTIPAWNS;
use super::position::Position;
use super::second_look::GameSoFar;
use super::side::Side;
use super::square::Square;
use super::thinking::{Decision, think};
use super::uci_moves;

/// The constants `PROFMIN` and `PROFMAX` of the article.
const DEFAULT_HORIZON: Horizon = Horizon { minimum: 3, maximum: 5 };
/// The deepest search of all moves that can be asked for, in half-moves.
pub const DEEPEST: u32 = 20;
/// Larger balances, in centipawns, come from lost kings and say no more than that.
const LARGEST_SCORE: i32 = 10_000;

/// The engine and its state from one command to the next.
#[derive(Debug)]
pub struct Schlottke {
    /// The position as it was set up, before any move (`initiale` in the article).
    start: Position,
    /// The position now (`courante`).
    position: Position,
    /// Half-moves since the first move of the game (`demiCoups`).
    half_moves: u32,
    /// The moves so far without blanks (`histoire`), if the game began in the usual position.
    story: Option<String>,
    /// Every move is followed to `PROFMIN`, captures to `PROFMAX`.
    horizon: Horizon,
    book: Book,
    uses_book: bool,
    overhead: Duration,
}

impl Schlottke {
    /// The engine with its options at their defaults, at the beginning of a game.
    pub fn new() -> Schlottke {
        let start = Position::start();
        Schlottke {
            start,
            position: start,
            half_moves: 0,
            story: Some(String::new()),
            horizon: DEFAULT_HORIZON,
            book: Book::shipped(),
            uses_book: true,
            overhead: DEFAULT_MOVE_OVERHEAD,
        }
    }

    fn set_book(&mut self, file: &str) -> Result<(), String> {
        let book = match file {
            "" => Ok(Book::shipped()),
            file => Book::load(file),
        };
        self.book = book.map_err(|error| error.to_string())?;
        Ok(())
    }

    /// The move of the book, where the game is in it and an opening move is what is asked for.
    fn book_move(&self, go: &Go) -> Option<UciMove> {
        let is_asked = self.uses_book && !go.infinite && !go.ponder && go.searchmoves.is_empty();
        let reply = self.book.reply(self.story.as_ref().filter(|_| is_asked)?)?;
        reply.parse().ok()
    }

    /// The horizon of one search: `go depth` sets how far every move is followed, captures as much further as ever.
    fn horizon(&self, go: &Go) -> Horizon {
        let Horizon { minimum, maximum } = self.horizon;
        let depth = go.depth.map_or(minimum, |depth| depth.clamp(1, DEEPEST));
        Horizon { minimum: depth, maximum: depth + maximum.saturating_sub(minimum) }
    }

    /// The legal moves that `go` leaves to choose from.
    fn moves(&self, go: &Go) -> MoveList {
        let mut moves = self.position.legal_moves();
        if !go.searchmoves.is_empty() {
            moves.retain(|mv| go.searchmoves.contains(&uci_moves::write(&self.position, *mv)));
        }
        moves
    }

    fn game(&self) -> GameSoFar<'_> {
        GameSoFar { start: &self.start.board, half_moves: self.half_moves }
    }

    /// The balance in centipawns for the side to move, with what stood on the board at the start.
    fn score(&self, balance: i32) -> Score {
        let at_start = self.start.board.material() * i32::from(self.position.side.sign());
        Score::centipawns(((balance + at_start) * CENTIPAWNS).clamp(-LARGEST_SCORE, LARGEST_SCORE))
    }

    fn info(&self, decision: &Decision, control: &SearchControl) -> Info {
        Info {
            depth: Some(decision.depth),
            score: decision.balance.map(|balance| self.score(balance)),
            pv: vec![uci_moves::write(&self.position, decision.best)],
            ..Nodes::new(decision.nodes).info(control.elapsed())
        }
    }
}

impl UciEngine for Schlottke {
    fn name(&self) -> String {
        format!("Schlottke {}", env!("CARGO_PKG_VERSION"))
    }

    fn author(&self) -> String {
        "the Arbiter authors, after Jürgen Schlottke and Roland Chastain".to_owned()
    }

    fn options(&self) -> Vec<EngineOption> {
        let depths = 1..=i64::from(DEEPEST);
        vec![
            EngineOption::spin("ProfMin", DEFAULT_HORIZON.minimum.into(), depths.clone()),
            EngineOption::spin("ProfMax", DEFAULT_HORIZON.maximum.into(), depths),
            EngineOption::check("OwnBook", true),
            EngineOption::text("BookFile"),
            move_overhead_option(),
        ]
    }

    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), String> {
        match (name, value) {
            ("ProfMin", OptionValue::Spin(plies)) => self.horizon.minimum = plies as u32,
            ("ProfMax", OptionValue::Spin(plies)) => self.horizon.maximum = plies as u32,
            ("OwnBook", OptionValue::Check(is_used)) => self.uses_book = is_used,
            ("BookFile", OptionValue::Text(file)) => self.set_book(&file)?,
            ("Move Overhead", OptionValue::Spin(millis)) => {
                self.overhead = Duration::from_millis(millis as u64);
            }
            _ => {}
        }
        Ok(())
    }

    /// Nothing is kept from game to game.
    fn new_game(&mut self) {}

    fn set_position(&mut self, start: &StartPosition, moves: &[UciMove]) -> Result<(), String> {
        let (start, played_before) = match start {
            StartPosition::Startpos => (Position::start(), 0),
            StartPosition::Fen(text) => {
                let position = Position::from_fen(text).map_err(|error| format!("position: {error}"))?;
                (position, fen::half_moves_before(text, position.side))
            }
        };
        let mut position = start;
        let mut story = String::new();
        for (index, &mv) in moves.iter().enumerate() {
            position = uci_moves::play(&position, mv)
                .ok_or_else(|| format!("position: move {} of the list, {mv}, is illegal", index + 1))?;
            story.push_str(mv.as_str());
        }
        self.half_moves = played_before + moves.len() as u32;
        self.story = (start == Position::start()).then_some(story);
        (self.start, self.position) = (start, position);
        Ok(())
    }

    fn search(&mut self, go: &Go, control: &SearchControl, report: &mut dyn FnMut(Info)) -> BestMove {
        if let Some(mv) = self.book_move(go) {
            report(Info::text("a move of the book"));
            return BestMove { best: Some(mv), ponder: None };
        }
        let us = if self.position.side == Side::White { Color::White } else { Color::Black };
        let budget = SearchBudget::new(go, us, self.overhead, control);
        let tell = &mut |decision: &Decision| report(self.info(decision, control));
        let decision = think(&self.position, &self.moves(go), self.game(), self.horizon(go), &budget, tell);
        BestMove {
            best: decision.map(|decision| uci_moves::write(&self.position, decision.best)),
            ponder: None,
        }
    }

    fn perft(&mut self, depth: u32, control: &SearchControl, report: &mut dyn FnMut(UciMove, u64)) {
        for mv in self.position.legal_moves() {
            if control.is_stopped() {
                return;
            }
            let leaves = self.position.after(mv).perft(depth.saturating_sub(1));
            report(uci_moves::write(&self.position, mv), leaves);
        }
    }

    fn display(&self) -> String {
        let cell = |square| super::pieces::letter(self.position.board[square]).unwrap_or('.');
        let mut text = String::new();
        for rank in (1..=8).rev() {
            (1..=8).for_each(|file| text.extend([' ', cell(Square::new(file, rank))]));
            text.push('\n');
        }
        let state = GameState::of(&self.position);
        let _ = write!(text, "\nFen: {}\nGame: {state} ({})", self.position, state as u8);
        text
    }

    /// The material, and how the second stage sees each move.
    fn explain(&self) -> String {
        let sign = i32::from(self.position.side.sign());
        let mut text = format!(
            "Material: {} (a pawn is 2), won since the start: {}\n",
            self.position.board.material() * sign,
            self.position.balance * sign
        );
        for mv in self.position.legal_moves() {
            let _ = writeln!(text, "{mv} v(2)={}", self.game().mark(&self.position, mv));
        }
        text
    }

    fn bench(&mut self, depth: Option<u32>, output: &mut dyn Write) -> io::Result<()> {
        bench::bench(self.horizon(&Go { depth, ..Go::default() }), output)
    }
}
