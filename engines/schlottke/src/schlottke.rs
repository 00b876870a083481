//! The engine as the server sees it.

use std::fmt::Write as _;
use std::io::{self, Write};

use chess::{Color, FenError, Setup, board_text};
use uci::server::{Nodes, SearchBudget, SearchControl, UciEngine, bench_positions, run_bench, set_up};
use uci::{BestMove, EngineOption, Go, Info, OptionValue, Score, StartPosition, UciMove};

use super::board::CENTIPAWNS;
use super::book::Book;
use super::movegen::GameState;
use super::notation;
use super::position::Position;
use super::thinking::{Decision, GameSoFar, Horizon, think};

/// The article's constants `PROFMIN` and `PROFMAX`.
const DEFAULT_HORIZON: Horizon = Horizon { minimum: 3, maximum: 5 };
pub const DEEPEST: u32 = 20;
/// Larger balances, in centipawns, come from lost kings and mean nothing else.
const LARGEST_SCORE: i32 = 10_000;

#[derive(Clone, Debug)]
struct Game {
    /// The position before any move (`initiale` in the article).
    start: Position,
    /// The current position (`courante`).
    position: Position,
    /// Half-moves since the first move of the game (`demiCoups`).
    half_moves: u32,
    /// The moves so far without blanks (`histoire`), if the game began in the standard position.
    story: Option<String>,
}

impl Game {
    fn from_fen(text: &str) -> Result<Game, FenError> {
        let setup = Setup::of_standard(text)?;
        let full_moves = u32::from(setup.fullmove_number.min(10_000)) - 1;
        let half_moves = 2 * full_moves + u32::from(setup.side_to_move == Color::Black);
        let start = Position::of(&setup);
        let story = (start == Position::start()).then(String::new);
        Ok(Game { start, position: start, half_moves, story })
    }

    fn play(&mut self, mv: UciMove) -> Option<()> {
        self.position = notation::play(&self.position, mv)?;
        self.half_moves += 1;
        if let Some(story) = &mut self.story {
            story.push_str(mv.as_str());
        }
        Some(())
    }

    fn so_far(&self) -> GameSoFar<'_> {
        GameSoFar { start: &self.start.board, half_moves: self.half_moves }
    }
}

#[derive(Debug)]
pub struct Schlottke {
    game: Game,
    /// Follows every move to `PROFMIN`, captures to `PROFMAX`.
    horizon: Horizon,
    book: Book,
    uses_book: bool,
}

impl Schlottke {
    pub fn new() -> Schlottke {
        Schlottke {
            game: Game::from_fen(StartPosition::Startpos.fen()).expect("the first position is legal"),
            horizon: DEFAULT_HORIZON,
            book: Book::shipped(),
            uses_book: true,
        }
    }

    /// The book's move, if the game is in the book and `go` asks for a move.
    fn book_move(&self, go: &Go) -> Option<UciMove> {
        let is_asked = self.uses_book && !go.infinite && !go.ponder && go.searchmoves.is_empty();
        let reply = self.book.reply(self.game.story.as_ref().filter(|_| is_asked)?)?;
        reply.parse().ok()
    }

    /// The horizon of one search: `go depth` sets how far every move is followed, captures keep their extra depth.
    fn horizon(&self, go: &Go) -> Horizon {
        let Horizon { minimum, maximum } = self.horizon;
        let depth = go.depth.map_or(minimum, |depth| depth.clamp(1, DEEPEST));
        Horizon { minimum: depth, maximum: depth + maximum.saturating_sub(minimum) }
    }

    /// The balance in centipawns for the side to move, plus the material at the start.
    fn score(&self, balance: i32) -> Score {
        let at_start = self.game.start.board.material() * i32::from(self.game.position.side.sign());
        Score::centipawns(((balance + at_start) * CENTIPAWNS).clamp(-LARGEST_SCORE, LARGEST_SCORE))
    }

    fn info(&self, decision: &Decision, control: &SearchControl) -> Info {
        Info {
            depth: Some(decision.depth),
            score: decision.balance.map(|balance| self.score(balance)),
            pv: vec![notation::write(&self.game.position, decision.best)],
            ..Nodes::new(decision.nodes).info(control.elapsed())
        }
    }
}

impl UciEngine for Schlottke {
    const NAME: &'static str = concat!("Schlottke ", env!("CARGO_PKG_VERSION"));
    const AUTHOR: &'static str = "the Arbiter authors, after Jürgen Schlottke and Roland Chastain";

    fn options(&self) -> Vec<EngineOption> {
        let depths = 1..=i64::from(DEEPEST);
        vec![
            EngineOption::spin("ProfMin", DEFAULT_HORIZON.minimum.into(), depths.clone()),
            EngineOption::spin("ProfMax", DEFAULT_HORIZON.maximum.into(), depths),
            EngineOption::check("OwnBook", true),
            EngineOption::text("BookFile"),
        ]
    }

    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), String> {
        match (name, value) {
            ("ProfMin", OptionValue::Spin(plies)) => self.horizon.minimum = plies as u32,
            ("ProfMax", OptionValue::Spin(plies)) => self.horizon.maximum = plies as u32,
            ("OwnBook", OptionValue::Check(is_used)) => self.uses_book = is_used,
            ("BookFile", OptionValue::Text(file)) if file.is_empty() => self.book = Book::shipped(),
            ("BookFile", OptionValue::Text(file)) => self.book = Book::load(&file)?,
            _ => {}
        }
        Ok(())
    }

    /// Nothing is kept between games.
    fn new_game(&mut self) {}

    fn set_position(&mut self, start: &StartPosition, moves: &[UciMove]) -> Result<(), String> {
        self.game = set_up(start, moves, Game::from_fen, Game::play)?;
        Ok(())
    }

    fn search(&mut self, go: &Go, control: &SearchControl, report: &mut dyn FnMut(Info)) -> BestMove {
        if let Some(mv) = self.book_move(go) {
            report(Info::text("a move of the book"));
            return BestMove { best: Some(mv), ponder: None };
        }
        let position = &self.game.position;
        let budget = SearchBudget::new(go, position.side == Color::White, control);
        let moves = go.root_moves(position.legal_moves(), |mv| notation::write(position, *mv));
        let tell = &mut |decision: &Decision| report(self.info(decision, control));
        let decision = think(position, &moves, self.game.so_far(), self.horizon(go), &budget, tell);
        BestMove { best: decision.map(|decision| notation::write(position, decision.best)), ponder: None }
    }

    fn perft(&mut self, depth: u32) -> Box<dyn Iterator<Item = (UciMove, u64)> + '_> {
        let position = &self.game.position;
        let leaves = move |mv| (notation::write(position, mv), position.after(mv).perft(depth - 1));
        Box::new(position.legal_moves().into_iter().map(leaves))
    }

    fn display(&self) -> String {
        let position = &self.game.position;
        let board = board_text(|square| position.on(square).map(chess::Piece::letter));
        let state = GameState::of(position);
        format!("{board}\n\nFen: {position}\nGame: {state} ({})", state as u8)
    }

    /// The material, and the second stage's mark of each move.
    fn explain(&self) -> String {
        let sign = i32::from(self.game.position.side.sign());
        let mut text = format!(
            "Material: {} (a pawn is 2), won since the start: {}\n",
            self.game.position.board.material() * sign,
            self.game.position.balance * sign
        );
        for mv in self.game.position.legal_moves() {
            let _ = writeln!(text, "{mv} v(2)={}", self.game.so_far().mark(&self.game.position, mv));
        }
        text
    }

    fn bench(&mut self, depth: Option<u32>, output: &mut dyn Write) -> io::Result<()> {
        // The book has moves for games, not for analysis.
        let go = Go { depth, infinite: true, ..Go::default() };
        let horizon = self.horizon(&go);
        writeln!(output, "Depth           : {} to {}\n", horizon.minimum, horizon.maximum)?;
        let mut bench = Schlottke { horizon: self.horizon, ..Schlottke::new() };
        run_bench(&mut bench, &go, bench_positions(), output)
    }
}
