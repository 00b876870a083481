//! `arbiter play`: a human plays an engine.
//!
//! [`HumanGame`] is the game itself: board, clocks, moves and outcome; it knows neither engines nor screens.
//! `Opponent` is the engine. A `Session` has both and executes one [`PlayCommand`] after the other.
//! `TerminalSession` shows it in the terminal, `WebSession` in the browser. The referee checks the moves, as in a
//! match.

mod board_drawing;
mod game_file;
mod human_game;
mod notation;
mod opponent;
mod play_command;
mod session;
mod terminal_session;
mod web_session;

use board_drawing::BoardLook;
use game_file::{GameFile, Players};
pub use human_game::HumanGame;
use notation::Notation;
use opponent::Opponent;
pub use play_command::PlayCommand;
use session::Session;
use terminal_session::TerminalSession;
use web_session::{WebSession, web_routes};

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use clap::Args;
use referee::Side;
use runner::{EngineConfig, SearchLimits, TimeControl};

use crate::cli::{CliResult, OrExitCode, console};
use crate::engines::{self, EngineSpec};
use crate::options::MoveLimitArgs;
use crate::web::PageArgs;

const DEFAULT_MOVETIME: Duration = Duration::from_secs(1);

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own on the command line")]
pub struct PlayArgs {
    /// Engine: NAME, NAME@REV or a path, with :Option=value,…
    #[arg(value_name = "ENGINE")]
    engine: EngineSpec,

    /// Play White [default]
    #[arg(long, conflicts_with = "black")]
    white: bool,

    /// Play Black
    #[arg(long)]
    black: bool,

    /// Time control for both sides: seconds+increment, moves/seconds+increment or minutes:seconds+increment
    ///
    /// Without a time control the engine gets one second for each move, or the limit of --movetime, --nodes or --depth.
    #[arg(long, value_name = "TC", conflicts_with = "movetime")]
    tc: Option<TimeControl>,

    /// Start from this position
    #[arg(long, value_name = "FEN", conflicts_with = "load")]
    fen: Option<String>,

    /// Continue the game of this file (.pgn or .json)
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,

    /// Language of the piece letters in moves
    #[arg(long, value_enum, default_value_t)]
    notation: Notation,

    /// Draw the board with ASCII letters, as when the output is not a terminal
    #[arg(long)]
    plain: bool,

    /// Play in the browser, with mouse, touch or keyboard
    #[arg(long, conflicts_with = "plain")]
    web: bool,

    #[command(flatten)]
    page: PageArgs,

    /// Folder in which the page may save and load games; without it, it opens no files
    #[arg(long, value_name = "DIR", requires = "web", conflicts_with = "plain")]
    folder: Option<PathBuf>,

    /// Your name in saved games
    #[arg(long, value_name = "NAME", default_value = "Player")]
    name: String,

    #[command(flatten)]
    per_move: MoveLimitArgs,
}

impl PlayArgs {
    pub fn run(self) -> CliResult {
        if self.page.is_used() && !self.web {
            return Err(anyhow!("--port and --open need --web")).usage();
        }
        let human = if self.black { Side::Black } else { Side::White };
        let fresh = HumanGame::new(self.fen.as_deref(), human, self.tc.as_ref()).usage()?;
        let engine = engines::resolve(&self.engine, &mut console::announce_build).usage()?;
        let limits = self.limits(&engine).usage()?;
        let (name, control) = (engine.name.clone(), self.tc.clone());
        let players = Players { human: self.name.clone(), engine: name, control };
        let game = match &self.load {
            Some(path) => players.load(path, human).usage()?.0,
            None => fresh.clone(),
        };
        let opponent = Opponent::start(engine, limits, game.variant()).usage()?;
        let file = self.load.as_deref().map(GameFile::loaded_from).unwrap_or_default();
        let (notation, turn_started, is_reported) = (self.notation, Instant::now(), false);
        let session = Session { game, fresh, opponent, players, file, notation, turn_started, is_reported };
        if self.web {
            let session = WebSession::open(session, self.folder).fault()?;
            return self.page.serve(web_routes(session));
        }
        let look = if self.plain { BoardLook::Letters } else { BoardLook::of_stdout() };
        TerminalSession::new(session, look).play().fault()
    }

    fn limits(&self, engine: &EngineConfig) -> Result<SearchLimits> {
        let mut limits = engine.limits.clone().unwrap_or_else(|| self.per_move.limits());
        if limits.clock.is_some() {
            bail!(
                "engine `{}`: expected no tc= here, because both sides have the same clock; use --tc",
                engine.name
            );
        }
        limits.clock.clone_from(&self.tc);
        if limits == SearchLimits::default() {
            limits.movetime = Some(DEFAULT_MOVETIME);
        }
        limits.validate()?;
        Ok(limits)
    }
}
