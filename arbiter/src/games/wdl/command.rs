//! `arbiter wdl PGN|DIR…`: fits a model of win, draw and loss to an engine's scores.

use std::hash::BuildHasher;
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use referee::GameResult;
use runner::MoveScore;
use rustc_hash::FxBuildHasher;
use stats::{Outcome, ScoredGame, ScoredPosition};

use super::report::{GameStage, LAST_MOVE, WdlReport};
use crate::cli::{CliResult, ExitCode, OrExitCode, answer, console};
use crate::files::write_whole;
use crate::games::finished_games::{self, FinishedGame, GameOutcome};
use crate::text::number_text::counted;

/// The minimum number of games with scores; a model of fewer games means nothing.
const FEWEST_GAMES: usize = 50;

/// The number of plies that identify an opening if the game names no book moves.
const OPENING_PLIES: usize = 8;

#[derive(Debug, Args)]
pub struct WdlArgs {
    /// Games with scores: run folders and PGN files, also as .gz, .zst, .bz2, .tar or .zip
    #[arg(required = true, value_name = "PGN|DIR")]
    sources: Vec<PathBuf>,

    /// Only the scores of this player; may be repeated
    #[arg(long = "engine", value_name = "NAME")]
    engines: Vec<String>,

    /// What the probabilities depend on besides the score
    #[arg(long, value_name = "STAGE", default_value = "material")]
    by: GameStage,

    /// Skip mate scores and scores beyond ±CP centipawns
    #[arg(long, value_name = "CP", default_value_t = 400, value_parser = clap::value_parser!(i16).range(1..=10_000))]
    max_score: i16,

    /// Write an HTML page with charts
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl WdlArgs {
    pub fn run(self) -> CliResult {
        let report = self.report().usage()?;
        if let Some(file) = &self.html {
            write_whole(file, report.page()).fault()?;
            console::note(&format!("{}: written", file.display()));
        }
        answer(&report, self.json, WdlReport::document)?;
        Ok(ExitCode::Done)
    }

    fn report(&self) -> Result<WdlReport> {
        let (mut games, mut decided) = (Vec::new(), 0);
        let players = finished_games::visit(&self.sources, true, |_, game| {
            if let GameOutcome::Decided(result) = game.outcome {
                decided += 1;
                games.extend(Some(self.scores_of(game, result)?).filter(|game| !game.positions.is_empty()));
            }
            Ok(ControlFlow::Continue(()))
        })?;
        finished_games::check_players(&self.engines, &players)?;
        if games.len() < FEWEST_GAMES {
            bail!(
                "expected at least {FEWEST_GAMES} finished games with scores of ±{} cp, found {} ({} without)",
                self.max_score,
                games.len(),
                counted((decided - games.len()) as u64, "game"),
            );
        }
        let names =
            if self.engines.is_empty() { players.into_iter().collect() } else { self.engines.clone() };
        WdlReport::new(names, self.by, &games, decided as u64)
    }

    fn scores_of(&self, game: &FinishedGame, result: GameResult) -> Result<ScoredGame> {
        let mut referee = game.start()?;
        let opening = game.moves.iter().take(game.book_plies.max(OPENING_PLIES)).map(|played| &played.uci);
        let group = FxBuildHasher.hash_one((&game.start_fen, opening.collect::<Vec<_>>()));
        let mut positions = Vec::new();
        for played in &game.moves {
            let is_wanted = self.engines.is_empty()
                || game.player(referee.turn()).is_some_and(|name| self.engines.iter().any(|own| own == name));
            if let Some(MoveScore::Cp(score)) = played.score.filter(|_| is_wanted)
                && score.abs() <= i32::from(self.max_score)
                && referee.move_number() <= LAST_MOVE
                && let Ok(stage) = u8::try_from(self.by.of(&referee))
                && (self.by.range()[0]..=self.by.range()[1]).contains(&stage)
            {
                let outcome = Outcome::of_half_points(result.half_points(referee.turn()));
                positions.push(ScoredPosition { score: score as i16, stage, outcome });
            }
            game.play(&mut referee, played)?;
        }
        Ok(ScoredGame { group, positions })
    }
}
