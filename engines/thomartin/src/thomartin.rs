//! The engine as the server sees it (chapter "Communication UCI").

use std::io::{self, Write};
use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position, perft};
use uci::server::{
    self, DEFAULT_MOVE_OVERHEAD, Nodes, SearchBudget, SearchControl, UciEngine, move_overhead_option,
};
use uci::{BestMove, EngineOption, Go, Info, OptionValue, StartPosition, UciMove};

use super::bench;
use super::hash_table::HashTable;
use super::material;
use super::phase::{self, Phase};
use super::score;
use super::start_tree::StartTree;
use super::thinking::{Thought, think};
use super::{control, pawns};

const DEFAULT_HASH_MB: i64 = 16;
const MAX_HASH_MB: i64 = 4_096;
/// The deepest search that can be asked for, in half-moves.
pub const DEEPEST: u32 = 30;
/// The report's own limit is a second a move; what is left is for a busy machine.
const MOVE_TIME: Duration = Duration::from_millis(900);

/// The engine and its state from one command to the next.
#[derive(Debug)]
pub struct Thomartin {
    position: Chess,
    /// The moves since the start position, if the game began there.
    game: Option<Vec<UciMove>>,
    tree: StartTree,
    uses_tree: bool,
    table: HashTable,
    /// The phase in which the table was filled: scores of another phase mean something else.
    table_phase: Phase,
    overhead: Duration,
}

impl Thomartin {
    /// The engine with its options at their defaults, at the beginning of a game.
    ///
    /// # Panics
    /// When there are no 16 MB of memory for the table.
    pub fn new() -> Thomartin {
        Thomartin {
            position: Chess::new(),
            game: Some(Vec::new()),
            tree: StartTree::shipped(),
            uses_tree: true,
            table: HashTable::new(DEFAULT_HASH_MB as usize).expect("there is memory for the default table"),
            table_phase: Phase::Middlegame,
            overhead: DEFAULT_MOVE_OVERHEAD,
        }
    }

    fn set_hash(&mut self, megabytes: usize) -> Result<(), String> {
        let table = HashTable::new(megabytes);
        self.table = table.map_err(|_| format!("there is no memory for {megabytes} MB of Hash"))?;
        Ok(())
    }

    fn set_tree(&mut self, file: &str) -> Result<(), String> {
        let tree = match file {
            "" => Ok(StartTree::shipped()),
            file => StartTree::load(file),
        };
        self.tree = tree.map_err(|error| error.to_string())?;
        Ok(())
    }

    /// The reply of the tree, in phase 0 and where a move of the opening is what is asked for.
    fn opening_move(&self, go: &Go) -> Option<UciMove> {
        let is_asked = self.uses_tree && !go.infinite && !go.ponder && go.searchmoves.is_empty();
        self.tree.reply(self.game.as_ref().filter(|_| is_asked)?)
    }

    /// The legal moves that `go` leaves to choose from.
    fn moves(&self, go: &Go) -> Vec<Move> {
        let is_wanted = |mv: &Move| go.searchmoves.is_empty() || go.searchmoves.contains(&to_uci(*mv));
        self.position.legal_moves().into_iter().filter(is_wanted).collect()
    }
}

/// What is told about a search of the side `turn`.
fn info(thought: &Thought, turn: Color, control: &SearchControl) -> Info {
    Info {
        depth: Some(thought.depth),
        score: thought.score.map(|score| score::to_uci(score, turn)),
        pv: vec![to_uci(thought.best)],
        ..Nodes::new(thought.nodes).info(control.elapsed())
    }
}

/// A move as the protocol writes it.
///
/// # Panics
/// Never: both libraries write moves alike.
fn to_uci(mv: Move) -> UciMove {
    mv.to_uci(CastlingMode::Standard).to_string().parse().expect("a move is written in the form of one")
}

/// The limits of `go`, and a second a move where it leaves the time to the engine.
pub fn with_move_time(go: &Go, overhead: Duration) -> Go {
    let is_limited = go.infinite || go.depth.is_some() || go.nodes.is_some() || go.movetime.is_some();
    let movetime = if is_limited { go.movetime } else { Some(MOVE_TIME + overhead) };
    Go { movetime, ..go.clone() }
}

impl UciEngine for Thomartin {
    fn name(&self) -> String {
        format!("Thomartin {}", env!("CARGO_PKG_VERSION"))
    }

    fn author(&self) -> String {
        "the Arbiter authors, after Martin Blanckaert and Thomas Sirvent".to_owned()
    }

    fn options(&self) -> Vec<EngineOption> {
        vec![
            EngineOption::spin("Hash", DEFAULT_HASH_MB, 1..=MAX_HASH_MB),
            EngineOption::check("OwnBook", true),
            EngineOption::text("BookFile"),
            move_overhead_option(),
        ]
    }

    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), String> {
        match (name, value) {
            ("Hash", OptionValue::Spin(megabytes)) => self.set_hash(megabytes as usize)?,
            ("OwnBook", OptionValue::Check(is_used)) => self.uses_tree = is_used,
            ("BookFile", OptionValue::Text(file)) => self.set_tree(&file)?,
            ("Move Overhead", OptionValue::Spin(millis)) => {
                self.overhead = Duration::from_millis(millis as u64);
            }
            _ => {}
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.table.clear();
    }

    fn set_position(&mut self, start: &StartPosition, moves: &[UciMove]) -> Result<(), String> {
        let start = match start {
            StartPosition::Startpos => Chess::new(),
            StartPosition::Fen(fen) => {
                let refuse = |error: &dyn std::fmt::Display| format!("position: FEN {fen:?}: {error}");
                let fen: Fen = fen.parse().map_err(|error| refuse(&error))?;
                fen.into_position(CastlingMode::Standard).map_err(|error| refuse(&error))?
            }
        };
        let mut position = start.clone();
        for (index, &text) in moves.iter().enumerate() {
            let legal = position.legal_moves();
            let mv = legal.iter().find(|mv| to_uci(**mv) == text);
            let mv =
                mv.ok_or_else(|| format!("position: move {} of the list, {text}, is illegal", index + 1))?;
            position.play_unchecked(*mv);
        }
        self.game = (start == Chess::new()).then(|| moves.to_vec());
        self.position = position;
        Ok(())
    }

    fn search(&mut self, go: &Go, control: &SearchControl, report: &mut dyn FnMut(Info)) -> BestMove {
        if let Some(mv) = self.opening_move(go) {
            report(Info::text("a move of the opening tree"));
            return BestMove { best: Some(mv), ponder: None };
        }
        let phase = Phase::of(self.position.board());
        // What could be won later in the search for the last move can still be won later: with old scores a winner
        // waits for ever.
        if phase != self.table_phase || phase == Phase::LoneKing {
            self.table.clear();
            self.table_phase = phase;
        }
        let turn = self.position.turn();
        let us = turn.fold_wb(server::Color::White, server::Color::Black);
        let go = with_move_time(go, self.overhead);
        let budget = SearchBudget::new(&go, us, self.overhead, control);
        let depth = go.depth.unwrap_or_else(|| phase.depth(self.position.board())).clamp(1, DEEPEST);
        let moves = self.moves(&go);
        let tell = &mut |thought: &Thought| report(info(thought, turn, control));
        let thought = think(&self.position, &moves, depth, &budget, &mut self.table, tell);
        BestMove { best: thought.map(|thought| to_uci(thought.best)), ponder: None }
    }

    fn perft(&mut self, depth: u32, control: &SearchControl, report: &mut dyn FnMut(UciMove, u64)) {
        for mv in self.position.legal_moves() {
            if control.is_stopped() {
                return;
            }
            let mut next = self.position.clone();
            next.play_unchecked(mv);
            report(to_uci(mv), perft(&next, depth.saturating_sub(1)));
        }
    }

    fn display(&self) -> String {
        let fen = Fen::from_position(&self.position, EnPassantMode::Legal);
        format!("{:?}\nFen: {fen}\nPhase: {:?}", self.position.board(), Phase::of(self.position.board()))
    }

    fn explain(&self) -> String {
        let board = self.position.board();
        let phase = Phase::of(board);
        let lone = phase::lone_king(board).map_or("none", |side| side.fold_wb("White", "Black"));
        format!(
            "Phase: {phase:?}, lone king: {lone}\nMaterial and squares: {}\nPawns: {}\nControl: {} squares of {}",
            material::balance(board, phase),
            pawns::balance(board),
            control::balance(board),
            phase.control_weight()
        )
    }

    fn bench(&mut self, depth: Option<u32>, output: &mut dyn Write) -> io::Result<()> {
        bench::bench(depth, output)
    }
}
