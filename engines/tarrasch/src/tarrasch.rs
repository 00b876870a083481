//! Tarrasch as a [`UciEngine`]: position, options, TT and threads from one search to the next.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use super::eval::Evaluator;
use super::nnue::{Network, PieceValues};
use super::openings::Openings;
use super::search::{Line, Parameter, Report, Technique, Techniques, ThreadPool};
use super::skill::{Choice, Skill};
use super::wire::CastlingNotation;
use super::{
    BENCH_DEPTH, Depth, OwnBook, SearchControl, SyzygyOptions, Tablebases, TranspositionTable, bench, eval,
    wire,
};
use chess::{Color, Piece, Position, ZobristKey, board_text, divide};
use uci::server::{ObeyError, UciEngine, set_up};
use uci::{BestMove, EngineOption, Go, Info, OptionValue, StartPosition, UciMove};

const DEFAULT_HASH_MB: usize = 16;
const MAX_HASH_MB: i64 = 65_536;
const MAX_MULTI_PV: i64 = 256;
const MAX_THREADS: i64 = 256;
const MAX_SEED: i64 = i32::MAX as i64;

/// The engine and its state between two commands.
#[derive(Debug)]
pub struct Tarrasch {
    position: Position,
    /// The keys of the positions before it, oldest first.
    game: Vec<ZobristKey>,
    tt: TranspositionTable,
    threads: ThreadPool,
    techniques: Techniques,
    multi_pv: usize,
    notation: CastlingNotation,
    /// The book, if `OwnBook` is on.
    book: Option<OwnBook>,
    /// `BookFile`; empty for the book that ships.
    book_file: String,
    syzygy: SyzygyOptions,
    /// The network of `EvalFile`, or the one that ships.
    network: Arc<Network>,
    /// `UCI_Elo`.
    elo: u32,
    /// `UCI_LimitStrength`.
    is_limited: bool,
    shows_wdl: bool,
    /// `Seed` of the random choices at limited strength; 0 for a new one for each search.
    seed: u64,
}

impl Tarrasch {
    /// The engine with default options, at the start position.
    pub fn new() -> io::Result<Tarrasch> {
        Ok(Tarrasch {
            position: Position::start(),
            game: Vec::new(),
            tt: TranspositionTable::new(DEFAULT_HASH_MB)?,
            threads: ThreadPool::default(),
            techniques: Techniques::ALL,
            multi_pv: 1,
            notation: CastlingNotation::default(),
            book: None,
            book_file: String::new(),
            syzygy: SyzygyOptions::default(),
            network: Network::shipped(),
            elo: Skill::STRONGEST,
            is_limited: false,
            shows_wdl: false,
            seed: 0,
        })
    }

    fn set_hash(&mut self, megabytes: usize) -> Result<(), String> {
        let tt = TranspositionTable::new(megabytes);
        self.tt = tt.map_err(|_| format!("there is no memory for {megabytes} MB of Hash"))?;
        self.tt.clear(self.threads.size());
        Ok(())
    }

    /// Opens a book; the one that ships if `file` is empty.
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

    /// A book move, if `go` asks for a move and not for analysis.
    fn book_move(&self, go: &Go) -> Option<UciMove> {
        let is_analysis = go.infinite || go.ponder || go.mate.is_some() || !go.searchmoves.is_empty();
        let book = self.book.as_ref().filter(|_| !is_analysis)?;
        Some(wire::uci_move(book.choose(&self.position, self.random())?, self.notation))
    }

    /// A random number: every `RandomState` has its own keys.
    fn random(&self) -> u64 {
        RandomState::new().hash_one(self.position.key().bits())
    }

    /// The seed of the choice at limited strength. With the option `Seed`, it depends only on the option, the position
    /// and the number of moves played.
    fn choice_seed(&self) -> u64 {
        match self.seed {
            0 => self.random(),
            seed => seed << 32 ^ self.position.key().bits() ^ self.game.len() as u64,
        }
    }

    /// Opens the tablebases in these folders. Unusable files are reported as an error, but the others stay open.
    fn set_tables(&mut self, folders: &str) -> Result<(), String> {
        let opened = self.syzygy.open(folders).map_err(|error| error.to_string());
        opened
            .and_then(|complaint| complaint.map_or(Ok(()), Err))
            .map_err(|text| format!("option SyzygyPath: {text}"))
    }

    /// Loads the network of a file, or the shipped one if `file` is empty. If the file is not a network, nothing changes.
    fn set_network(&mut self, file: &str) -> Result<(), String> {
        self.network = if file.is_empty() {
            Network::shipped()
        } else {
            let network = Network::load(Path::new(file));
            Arc::new(network.map_err(|error| format!("option EvalFile: {file}: {error}"))?)
        };
        // TT and histories from another evaluation are useless.
        self.new_game();
        Ok(())
    }

    fn answer(&self, line: &Line) -> BestMove {
        let mut line = wire::line(line, self.notation).into_iter();
        BestMove { best: line.next(), ponder: line.next() }
    }
}

impl UciEngine for Tarrasch {
    const NAME: &'static str = concat!("Tarrasch ", env!("CARGO_PKG_VERSION"));
    const AUTHOR: &'static str = "the Arbiter authors";
    const OWN_COMMANDS: &'static [&'static str] = &["genfens"];

    fn options(&self) -> Vec<EngineOption> {
        let options = [
            EngineOption::spin("Hash", DEFAULT_HASH_MB as i64, 1..=MAX_HASH_MB),
            EngineOption::button("Clear Hash"),
            EngineOption::spin("Threads", 1, 1..=MAX_THREADS),
            EngineOption::spin("MultiPV", 1, 1..=MAX_MULTI_PV),
            EngineOption::check("Ponder", false),
            EngineOption::check("UCI_Chess960", false),
            EngineOption::check("UCI_ShowWDL", false),
            EngineOption::check("OwnBook", false),
            EngineOption::text("BookFile"),
            EngineOption::text("SyzygyPath"),
            EngineOption::spin("SyzygyProbeDepth", 1, 1..=Depth::MAX.get().into()),
            EngineOption::spin(
                "SyzygyProbeLimit",
                Tablebases::MAX_PIECES.into(),
                0..=Tablebases::MAX_PIECES.into(),
            ),
            EngineOption::text("EvalFile"),
            EngineOption::check("UCI_LimitStrength", false),
            EngineOption::spin(
                "UCI_Elo",
                Skill::STRONGEST.into(),
                Skill::WEAKEST.into()..=Skill::STRONGEST.into(),
            ),
            EngineOption::spin("Seed", 0, 0..=MAX_SEED),
        ];
        let switches =
            Technique::ALL.into_iter().map(|technique| EngineOption::check(technique.name(), true));
        let parameters = Parameter::all().iter().map(|parameter| {
            let Parameter { name, default, min, max, .. } = **parameter;
            EngineOption::spin(name, default.into(), min.into()..=max.into())
        });
        options.into_iter().chain(switches).chain(parameters).collect()
    }

    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), String> {
        match (name, value) {
            ("Hash", OptionValue::Spin(megabytes)) => self.set_hash(megabytes as usize)?,
            ("Clear Hash", _) => self.tt.clear(self.threads.size()),
            ("Threads", OptionValue::Spin(threads)) => self.threads.resize(threads as usize),
            ("MultiPV", OptionValue::Spin(lines)) => self.multi_pv = lines as usize,
            ("UCI_Chess960", OptionValue::Check(true)) => self.notation = CastlingNotation::KingTakesRook,
            ("UCI_Chess960", _) => self.notation = CastlingNotation::KingTarget,
            ("OwnBook", OptionValue::Check(true)) => self.book = Some(Tarrasch::open_book(&self.book_file)?),
            ("OwnBook", _) => self.book = None,
            ("BookFile", OptionValue::Text(file)) => self.set_book_file(file)?,
            ("SyzygyPath", OptionValue::Text(folders)) => self.set_tables(&folders)?,
            ("SyzygyProbeDepth", OptionValue::Spin(plies)) => {
                self.syzygy.set_probe_depth(Depth::new(plies as i32));
            }
            ("SyzygyProbeLimit", OptionValue::Spin(pieces)) => self.syzygy.set_probe_limit(pieces as u32),
            ("EvalFile", OptionValue::Text(file)) => self.set_network(&file)?,
            ("UCI_ShowWDL", value) => self.shows_wdl = value == OptionValue::Check(true),
            ("UCI_LimitStrength", value) => {
                self.is_limited = value == OptionValue::Check(true);
                self.new_game(); // The evaluation is another.
            }
            ("UCI_Elo", OptionValue::Spin(elo)) => self.elo = elo as u32,
            ("Seed", OptionValue::Spin(seed)) => self.seed = seed as u64,
            (name, OptionValue::Spin(value)) => {
                if let Some(parameter) = Parameter::named(name) {
                    parameter.set(value as i32);
                }
            }
            // `Ponder` only says that the engine can ponder; the GUI decides.
            (name, value) => {
                if let Some(technique) = Technique::named(name) {
                    self.techniques.switch(technique, value == OptionValue::Check(true));
                    if technique == Technique::Network {
                        self.new_game();
                    }
                }
            }
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.tt.clear(self.threads.size());
        self.threads.clear();
    }

    fn set_position(&mut self, start: &StartPosition, moves: &[UciMove]) -> Result<(), String> {
        let mut game = Vec::with_capacity(moves.len());
        self.position = set_up(start, moves, Position::from_fen, |position, mv| {
            game.push(position.key());
            position.play_unchecked(position.parse_uci(mv.as_str())?);
            Some(())
        })?;
        self.game = game;
        Ok(())
    }

    fn search(&mut self, go: &Go, control: &SearchControl, report: &mut dyn FnMut(Info)) -> BestMove {
        if let Some(mv) = self.book_move(go) {
            report(Info::text("a move of the book"));
            return BestMove { best: Some(mv), ponder: None };
        }
        let mut limits = wire::limits(go, &self.position, control.overhead(), self.multi_pv, self.techniques);
        limits.syzygy = self.syzygy.clone();
        limits.network.clone_from(&self.network);
        let skill = self.is_limited.then(|| Skill::of(self.elo));
        if let Some(skill) = skill {
            skill.restrict(&mut limits);
        }
        let reported_lines = self.multi_pv;
        let (notation, shows_wdl) = (self.notation, self.shows_wdl);
        let material = wire::material(&self.position);
        let info = |found: &Report| Info {
            wdl: shows_wdl.then(|| wire::win_draw_loss(found.value, material)),
            ..wire::info(found, notation)
        };
        let mut choice = Choice::default();
        let on_report = &mut |found: &Report| {
            if skill.is_some() {
                choice.add(found);
            }
            if found.line_index < reported_lines {
                report(info(found));
            }
        };
        let tt = self.tt.begin_search();
        let outcome = self.threads.search(&self.position, &self.game, &limits, control, tt, on_report);
        if self.threads.refused > 0 {
            report(Info::text(format!("{} of the Threads could not be started", self.threads.refused)));
        }
        let deviation = skill.and_then(|skill| choice.deviation(skill, self.choice_seed()));
        if let Some(chosen) = &deviation {
            report(info(chosen));
        }
        // The total cost of the move, with the nodes of an interrupted iteration.
        if !outcome.line.is_empty() {
            report(outcome.nodes.info(control.elapsed()));
        }
        self.answer(&deviation.map_or(outcome.line, |chosen| chosen.line))
    }

    fn perft(&mut self, depth: u32) -> Box<dyn Iterator<Item = (UciMove, u64)> + '_> {
        Box::new(
            divide(&self.position, depth).map(|(mv, leaves)| (wire::uci_move(mv, self.notation), leaves)),
        )
    }

    fn display(&self) -> String {
        let position = &self.position;
        let board = board_text(|square| position.piece_on(square).map(Piece::letter));
        let checkers: Vec<String> =
            position.checkers().into_iter().map(|square| square.to_string()).collect();
        let side = if position.side_to_move() == Color::White { "White" } else { "Black" };
        format!(
            "{board}\n\n{side} to move\nFen: {position}\nKey: {:016X}\nCheckers: {}",
            position.key().bits(),
            checkers.join(" ")
        )
    }

    fn explain(&self) -> String {
        let by_hand = eval::explain(&self.position);
        if !self.techniques.has(Technique::Network) {
            return by_hand.to_string();
        }
        let mut evaluator = Evaluator::new();
        evaluator.use_network(Some(&self.network));
        let in_use = evaluator.evaluate(&self.position).get();
        let pieces = PieceValues::new(&self.network, &self.position);
        format!("{by_hand}\n\n{pieces}\nafter the rules for endgames, which the search uses: {in_use} cp")
    }

    fn bench(&mut self, depth: Option<u32>, output: &mut dyn Write) -> io::Result<()> {
        let depth = depth.map_or(BENCH_DEPTH, |plies| Depth::new(plies.clamp(1, 100) as i32));
        bench(depth, output).map(|_| ())
    }

    fn own_command(&mut self, line: &str, output: &mut dyn Write) -> Result<(), ObeyError> {
        let wrong = |error| format!("genfens: {error}");
        for opening in Openings::read(line).map_err(wrong)? {
            writeln!(output, "info string genfens {}", opening.map_err(wrong)?)?;
            output.flush()?;
        }
        Ok(())
    }
}
