//! Saves games against a human and loads them again.
//!
//! PGN holds the whole game. The JSON of [`SavedGame`] holds the position and its clocks, from which a game can continue.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use jiff::tz::TimeZone;

use super::human_game::{HumanGame, HumanGameOutcome};
use crate::cli::console;
use crate::files::write_whole;
use referee::druelle::SavedGame;
use referee::openings::RecordedGame;
use referee::{PgnGame, Side, Variant};
use runner::TimeControl;
use runner::untrusted_files::open_file;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Players {
    pub human: String,
    pub engine: String,
    pub control: Option<TimeControl>,
}

impl Players {
    pub fn name_of(&self, side: Side, human: Side) -> &str {
        if side == human { &self.human } else { &self.engine }
    }

    pub fn pgn(&self, game: &HumanGame) -> PgnGame {
        let mut pgn = PgnGame::starting_like(&game.start);
        pgn.set_tag("Event", "Casual game");
        pgn.set_tag("Date", &runner::now().to_zoned(TimeZone::system()).strftime("%Y.%m.%d").to_string());
        pgn.set_tag("White", self.name_of(Side::White, game.human));
        pgn.set_tag("Black", self.name_of(Side::Black, game.human));
        pgn.set_result(game.result());
        if let Some(control) = &self.control {
            // PGN separates stages of a time control with colons.
            pgn.set_tag("TimeControl", &control.to_string().replace(',', ":"));
        }
        pgn.set_tag("Termination", game.outcome().map_or("unterminated", HumanGameOutcome::pgn_termination));
        game.moves().for_each(|played| pgn.push(played.san(), None));
        pgn
    }

    /// Reads a game, and returns the number of other games in the file too. The human gets the side opposite the engine's
    /// name, or `current_side` if the names do not tell.
    pub fn load(&self, path: &Path, current_side: Side) -> Result<(HumanGame, usize)> {
        let is_pgn = GameFile::is_pgn(path)?;
        open_file(path).with_context(|| path.display().to_string())?;
        if !is_pgn {
            let fen = SavedGame::load(path)?.fen();
            return Ok((HumanGame::new(Some(&fen), current_side, self.control.as_ref())?, 0));
        }
        let (mut first, mut others) = (None, 0);
        let skipped = RecordedGame::load_each(
            path,
            |variant| variant == Variant::Standard,
            |game| {
                others += usize::from(first.is_some());
                first.get_or_insert(game);
                ControlFlow::Continue(())
            },
        )?;
        console::warn_of_skipped(&path.display().to_string(), "game", &skipped);
        let recorded: RecordedGame =
            first.with_context(|| format!("{}: expected a game, found none", path.display()))?;
        if let Some(fault) = recorded.fault.filter(|_| !recorded.is_cut_off) {
            bail!(fault);
        }
        let is_engine = |name: &Option<String>| name.as_deref() == Some(self.engine.as_str());
        let human = match (is_engine(&recorded.white), is_engine(&recorded.black)) {
            (true, false) => Side::Black,
            (false, true) => Side::White,
            _ => current_side,
        };
        let game = HumanGame::new(recorded.start_fen.as_deref(), human, self.control.as_ref());
        let mut game = game.with_context(|| path.display().to_string())?;
        game.replay(&recorded.moves).with_context(|| path.display().to_string())?;
        Ok((game, others))
    }
}

/// The file that this game was last written to or read from. Only this file may be overwritten.
#[derive(Clone, Debug, Default)]
pub struct GameFile(Option<PathBuf>);

impl GameFile {
    pub fn loaded_from(path: &Path) -> GameFile {
        GameFile(Some(path.to_owned()))
    }

    fn is_pgn(path: &Path) -> Result<bool> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("pgn") => Ok(true),
            Some("json") => Ok(false),
            _ => bail!("{}: expected a file name that ends in .pgn or .json", path.display()),
        }
    }

    pub fn save(&mut self, path: &Path, game: &HumanGame, players: &Players) -> Result<()> {
        let is_pgn = GameFile::is_pgn(path)?;
        let text =
            if is_pgn { players.pgn(game).to_string() } else { SavedGame::of(game.referee()).to_json() };
        if path.exists() && self.0.as_deref() != Some(path) {
            return Err(anyhow!("{}: the file exists; choose another name", path.display()));
        }
        write_whole(path, text).with_context(|| path.display().to_string())?;
        self.0 = Some(path.to_owned());
        Ok(())
    }
}
