//! The engine as the server sees it (chapter "Communication UCI").

use std::io::{self, Write};
use std::time::Duration;

use referee::{Referee, Variant};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position, PositionError, perft};
use uci::server::{Nodes, SearchBudget, SearchControl, UciEngine, bench_positions, run_bench, set_up};
use uci::{BestMove, EngineOption, Go, Info, OptionValue, StartPosition, UciMove};

use super::evaluation::{control_balance, material_balance, pawn_balance};
use super::hash_table::HashTable;
use super::phase::{Phase, lone_king};
use super::score;
use super::start_tree::StartTree;
use super::thinking::{Thought, think};

const DEFAULT_HASH_MB: i64 = 16;
const MAX_HASH_MB: i64 = 4_096;
pub const DEEPEST: u32 = 30;
/// Keeps the report's limit of a second per move, with a reserve for a busy machine.
const MOVE_TIME: Duration = Duration::from_millis(900);

#[derive(Debug)]
pub struct Thomartin {
    position: Chess,
    /// The moves since the start position, if the game began there.
    game: Option<Vec<UciMove>>,
    tree: StartTree,
    uses_tree: bool,
    table: HashTable,
    /// The phase in which the table was filled; scores from another phase are not comparable.
    table_phase: Phase,
}

impl Thomartin {
    pub fn new() -> Thomartin {
        Thomartin {
            position: Chess::new(),
            game: Some(Vec::new()),
            tree: StartTree::shipped(),
            uses_tree: true,
            table: HashTable::new(DEFAULT_HASH_MB as usize).expect("there is memory for the default table"),
            table_phase: Phase::Middlegame,
        }
    }

    fn set_hash(&mut self, megabytes: usize) -> Result<(), String> {
        let table = HashTable::new(megabytes);
        self.table = table.map_err(|_| format!("there is no memory for {megabytes} MB of Hash"))?;
        Ok(())
    }

    /// The opening tree's reply, if the game is in phase 0 and `go` asks for a move.
    fn opening_move(&self, go: &Go) -> Option<UciMove> {
        let is_asked = self.uses_tree && !go.infinite && !go.ponder && go.searchmoves.is_empty();
        self.tree.reply(self.game.as_ref().filter(|_| is_asked)?)
    }
}

fn read_fen(text: &str) -> Result<Chess, String> {
    let refuse = |error: &dyn std::fmt::Display| format!("FEN {text:?}: {error}");
    let fen: Fen = text.parse().map_err(|error| refuse(&error))?;
    let position = fen.into_position(CastlingMode::Standard).or_else(PositionError::ignore_impossible_check);
    let position = match position {
        // With at most 16 pieces a side, there is room for all their moves.
        Err(error) if Referee::from_fen(text, Variant::Standard).is_ok() => error.ignore_too_much_material(),
        position => position,
    };
    position.map_err(|error| refuse(&error))
}

fn info(thought: &Thought, turn: Color, control: &SearchControl) -> Info {
    Info {
        depth: Some(thought.depth),
        score: thought.score.map(|score| score::to_uci(score, turn)),
        pv: vec![to_uci(thought.best)],
        ..Nodes::new(thought.nodes).info(control.elapsed())
    }
}

fn to_uci(mv: Move) -> UciMove {
    mv.to_uci(CastlingMode::Standard).to_string().parse().expect("a move is written in the form of one")
}

/// The limits of `go`, with a second per move if it leaves the time to the engine.
pub fn with_move_time(go: &Go, overhead: Duration) -> Go {
    let is_limited = go.infinite || go.depth.is_some() || go.nodes.is_some() || go.movetime.is_some();
    let movetime = if is_limited { go.movetime } else { Some(MOVE_TIME + overhead) };
    Go { movetime, ..go.clone() }
}

impl UciEngine for Thomartin {
    const NAME: &'static str = concat!("Thomartin ", env!("CARGO_PKG_VERSION"));
    const AUTHOR: &'static str = "the Arbiter authors, after Martin Blanckaert and Thomas Sirvent";

    fn options(&self) -> Vec<EngineOption> {
        vec![
            EngineOption::spin("Hash", DEFAULT_HASH_MB, 1..=MAX_HASH_MB),
            EngineOption::check("OwnBook", true),
            EngineOption::text("BookFile"),
        ]
    }

    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), String> {
        match (name, value) {
            ("Hash", OptionValue::Spin(megabytes)) => self.set_hash(megabytes as usize)?,
            ("OwnBook", OptionValue::Check(is_used)) => self.uses_tree = is_used,
            ("BookFile", OptionValue::Text(file)) if file.is_empty() => self.tree = StartTree::shipped(),
            ("BookFile", OptionValue::Text(file)) => self.tree = StartTree::load(&file)?,
            _ => {}
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.table.clear();
    }

    fn set_position(&mut self, start: &StartPosition, moves: &[UciMove]) -> Result<(), String> {
        self.position = set_up(start, moves, read_fen, |position, text| {
            let mv = position.legal_moves().into_iter().find(|mv| to_uci(*mv) == text)?;
            position.play_unchecked(mv);
            Some(())
        })?;
        self.game = (read_fen(start.fen()) == Ok(Chess::new())).then(|| moves.to_vec());
        Ok(())
    }

    fn search(&mut self, go: &Go, control: &SearchControl, report: &mut dyn FnMut(Info)) -> BestMove {
        if let Some(mv) = self.opening_move(go) {
            report(Info::text("a move of the opening tree"));
            return BestMove { best: Some(mv), ponder: None };
        }
        let phase = Phase::of(self.position.board());
        // With old scores, a win that was possible later in the last search still looks possible later, so a winner would
        // wait forever.
        if phase != self.table_phase || phase == Phase::LoneKing {
            self.table.clear();
            self.table_phase = phase;
        }
        let turn = self.position.turn();
        let go = with_move_time(go, control.overhead());
        let budget = SearchBudget::new(&go, turn.is_white(), control);
        let depth = go.depth.unwrap_or_else(|| phase.depth(self.position.board())).clamp(1, DEEPEST);
        let moves = go.root_moves(self.position.legal_moves(), |mv| to_uci(*mv));
        let tell = &mut |thought: &Thought| report(info(thought, turn, control));
        let thought = think(&self.position, &moves, depth, &budget, &mut self.table, tell);
        BestMove { best: thought.map(|thought| to_uci(thought.best)), ponder: None }
    }

    fn perft(&mut self, depth: u32) -> Box<dyn Iterator<Item = (UciMove, u64)> + '_> {
        let position = &self.position;
        Box::new(position.legal_moves().into_iter().map(move |mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            (to_uci(mv), perft(&next, depth - 1))
        }))
    }

    fn display(&self) -> String {
        let fen = Fen::from_position(&self.position, EnPassantMode::Legal);
        format!("{:?}\nFen: {fen}\nPhase: {:?}", self.position.board(), Phase::of(self.position.board()))
    }

    fn explain(&self) -> String {
        let board = self.position.board();
        let phase = Phase::of(board);
        let lone = lone_king(board).map_or("none", |side| side.fold_wb("White", "Black"));
        format!(
            "Phase: {phase:?}, lone king: {lone}\nMaterial and squares: {}\nPawns: {}\nControl: {} squares of {}",
            material_balance(board, phase),
            pawn_balance(board),
            control_balance(board),
            phase.control_weight()
        )
    }

    fn bench(&mut self, depth: Option<u32>, output: &mut dyn Write) -> io::Result<()> {
        // The tree has moves for games, not for analysis.
        let go = Go { depth, infinite: true, ..Go::default() };
        run_bench(&mut Thomartin::new(), &go, bench_positions(), output)
    }
}
