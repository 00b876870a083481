//! The files of a run for broadcasters: games as PGN and state as JSON, replaced as the run proceeds.

use std::io;
use std::path::PathBuf;

use clap::Args;

use super::live_run::{LiveBoard, LiveRun};
use crate::files::write_whole;
use referee::{PgnGame, Referee};
use runner::LiveSide;

#[derive(Clone, Debug, Default, Args)]
pub struct LiveFilesArgs {
    /// Keep a PGN file up to date: the games in progress and the last finished ones
    #[arg(long, value_name = "FILE")]
    live_pgn: Option<PathBuf>,

    /// Keep a JSON file up to date: score, standings, boards and clocks, as on the page
    #[arg(long, value_name = "FILE")]
    live_json: Option<PathBuf>,
}

impl LiveFilesArgs {
    /// Replaces the files in one step each, so that a reader never sees half of one.
    pub fn write(&self, run: &LiveRun, json: &str) -> io::Result<()> {
        let at = |file: &PathBuf, error: io::Error| {
            io::Error::new(error.kind(), format!("{}: {error}", file.display()))
        };
        if let Some(file) = &self.live_pgn {
            write_whole(file, live_pgn(run)).map_err(|error| at(file, error))?;
        }
        if let Some(file) = &self.live_json {
            write_whole(file, format!("{json}\n")).map_err(|error| at(file, error))?;
        }
        Ok(())
    }
}

fn live_pgn(run: &LiveRun) -> String {
    let boards = run.boards.values().filter_map(|board| Some((board.position.game, game_text(run, board)?)));
    let mut games: Vec<(u32, String)> = run.last_games.iter().cloned().chain(boards).collect();
    games.sort_by_key(|(game, _)| *game);
    games.into_iter().map(|(_, text)| text).collect()
}

fn game_text(run: &LiveRun, board: &LiveBoard) -> Option<String> {
    let LiveBoard { position, .. } = board;
    let config = run.run.config();
    let start = Referee::from_fen(&position.start, config.variant).ok()?;
    let mut pgn = PgnGame::starting_like(&start);
    let name = |side: &LiveSide| run.run.engine_name(side.engine);
    let (white, black) = (name(&position.white), name(&position.black));
    pgn.set_tag("Event", config.pgn.event.as_deref().unwrap_or(&format!("{white} - {black}")));
    if let Some(site) = &config.pgn.site {
        pgn.set_tag("Site", site);
    }
    pgn.set_tag("Round", &(position.game + 1).to_string());
    pgn.set_tag("White", white);
    pgn.set_tag("Black", black);
    pgn.set_result(None);
    let sides = [("White", &position.white), ("Black", &position.black)];
    let clock = |(side, player): (&str, &LiveSide)| {
        player.clock_left.map(|left| format!("{side} {:.1}s", left.as_secs_f64()))
    };
    let clocks: Vec<String> = sides.into_iter().filter_map(clock).collect();
    let (last, earlier) = position.moves.split_last()?;
    for san in earlier {
        pgn.push(san, None);
    }
    pgn.push(last, Some(clocks.join(", ")).filter(|clocks| !clocks.is_empty()).as_deref());
    Some(pgn.to_string())
}
