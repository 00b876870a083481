//! `arbiter play ENGINE`: a person plays an engine.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use clap::Args;

use super::board_drawing::BoardLook;
use super::game_file::Players;
use super::line_source::LineSource;
use super::notation::Notation;
use super::opponent::Opponent;
use super::sitting::Sitting;
use super::sparring_game::SparringGame;
use super::terminal_table::TerminalTable;
use super::web_routes::web_routes;
use super::web_table::WebTable;
use crate::cli::{Blame, CliResult, console};
use crate::engines;
use crate::engines::EngineSpec;
use crate::matches::args::MoveLimitArgs;
use crate::web::PageArgs;
use referee::Side;
use runner::{EngineConfig, SearchLimits, TimeControl};

/// How long the engine thinks about a move when the user sets no limit.
const USUAL_MOVETIME: Duration = Duration::from_secs(1);

/// The arguments of `arbiter play`.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// The engine: NAME, NAME@REV or a path, with :Option=value,…
    #[arg(value_name = "ENGINE")]
    engine: EngineSpec,

    #[command(flatten)]
    side: SideArgs,

    /// Play by the clock, you too: seconds+increment, moves/seconds+increment, or minutes:seconds
    ///
    /// Without a clock the engine has a second for every move, or what the other limits say.
    #[arg(long, value_name = "TC", conflicts_with = "movetime")]
    tc: Option<TimeControl>,

    #[command(flatten)]
    per_move: MoveLimitArgs,

    /// Begin from this position
    #[arg(long, value_name = "FEN", conflicts_with = "load")]
    fen: Option<String>,

    /// Go on with the game of this file (.pgn or .json)
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,

    /// The language of the pieces' letters
    #[arg(long, value_enum, default_value_t)]
    notation: Notation,

    /// Draw the board with letters, as it is where the output is no terminal
    #[arg(long)]
    plain: bool,

    /// Play in the browser, with the mouse, a finger or the keyboard
    #[arg(long, conflicts_with = "plain")]
    web: bool,

    #[command(flatten)]
    page: PageArgs,

    /// What you are called in saved games
    #[arg(long, value_name = "NAME", default_value = "Player")]
    name: String,
}

/// Which side the person has.
#[derive(Clone, Copy, Debug, Args)]
struct SideArgs {
    /// You have the white pieces [default]
    #[arg(long, conflicts_with = "black")]
    white: bool,

    /// You have the black pieces
    #[arg(long)]
    black: bool,
}

impl SideArgs {
    const fn side(self) -> Side {
        if self.black { Side::Black } else { Side::White }
    }
}

impl PlayArgs {
    /// Plays until the person leaves.
    pub fn run(self) -> CliResult {
        if self.page.is_used() && !self.web {
            return Err(anyhow!("--port and --open are for the page: add --web")).usage();
        }
        let person = self.side.side();
        let fresh = SparringGame::new(self.fen.as_deref(), person, self.tc.as_ref()).usage()?;
        let engine = engines::resolve(&self.engine, &mut console::announce_build).usage()?;
        let limits = self.limits(&engine).usage()?;
        let (name, control) = (engine.name.clone(), self.tc.clone());
        let players = Players { person: self.name.clone(), engine: name, control };
        let game = match &self.load {
            Some(path) => players.load(path, person).usage()?.game,
            None => fresh.clone(),
        };
        let opponent = Opponent::start(engine, limits).usage()?;
        let mut sitting = Sitting::new(game, fresh, opponent, players).with_notation(self.notation);
        if let Some(path) = &self.load {
            sitting = sitting.with_file(path);
        }
        if self.web {
            let table = WebTable::open(sitting).fault()?;
            return self.page.serve(web_routes(table));
        }
        let look = if self.plain { BoardLook::Letters } else { BoardLook::of_stdout() };
        TerminalTable::new(sitting, look, io::stdout()).play(LineSource::of_stdin()).fault()
    }

    /// What bounds the engine's searches.
    fn limits(&self, engine: &EngineConfig) -> Result<SearchLimits> {
        let mut limits = engine.limits.clone().unwrap_or_else(|| self.per_move.limits());
        if limits.clock.is_some() {
            bail!("engine `{}`: the clock is the same for both of you; give it with --tc", engine.name);
        }
        limits.clock.clone_from(&self.tc);
        if limits == SearchLimits::default() {
            limits.movetime = Some(USUAL_MOVETIME);
        }
        limits.validate()?;
        Ok(limits)
    }
}
