//! Games of matches and tuning runs as training games.
//!
//! These moves were searched with many more nodes than in `nnue datagen`, and the games exist already.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use chess::{Color, Move, Position};
use clap::Args;
use runner::{GameRecord, MoveRecord, RunJournal};

use super::files::NewFile;
use super::game::{Game, GameResult, ScoredMove};
use super::info::grouped;
use super::say;
use super::viriformat::encode;

#[derive(Debug, Args)]
pub struct ImportArguments {
    /// Folders of runs that `arbiter` played
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,

    /// The file of games to write; it must not exist yet
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,

    /// Only games of two players whose names begin with this
    #[arg(long, value_name = "NAME", default_value = "tarrasch")]
    pub players: String,
}

pub fn command(arguments: &ImportArguments) -> Result<()> {
    let ImportArguments { runs, out, players } = arguments;
    let mut output = NewFile::reserve(out)?;
    let mut all = Imported::default();
    for run in runs {
        let Imported { games, left_out } = import(run, players, &mut output.output)?;
        all.games += games;
        all.left_out += left_out;
    }
    let Imported { games, left_out } = all;
    ensure!(games > 0, "expected games of players whose names begin with {players:?}, found none");
    output.finish()?;
    let (games, left_out) = (grouped(games), grouped(left_out));
    say(&format!("{}: {games} games; {left_out} left out", out.display()))
}

/// Scores beyond this, in centipawns, are mate scores.
const LARGEST_SCORE: i32 = 32_000;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    pub games: u64,
    /// The games with a result that were left out: games of other players, and games that a fault decided.
    pub left_out: u64,
}

/// Writes the games of a run folder in viriformat: only games of two players whose names begin with `players`, and only
/// their moves before the first one without a score.
pub fn import(folder: &Path, players: &str, output: &mut impl Write) -> Result<Imported> {
    let name = folder.display();
    // The text of a journal's error includes its cause.
    let RunJournal { config, events, .. } = RunJournal::open(folder).map_err(|error| anyhow!("{error}"))?;
    let is_player = |engine: usize| config.engines[engine].name.starts_with(players);
    let mut imported = Imported::default();
    for record in events.finished_games() {
        let record = record.map_err(|error| anyhow!("{error}"))?;
        if record.offender.is_some() || !is_player(record.white) || !is_player(record.black) {
            imported.left_out += 1;
            continue;
        }
        let game = training_game(&record).with_context(|| format!("{name}: game {}", record.game + 1))?;
        output.write_all(&encode(&game)).context("cannot write the games")?;
        imported.games += 1;
    }
    Ok(imported)
}

fn training_game(record: &GameRecord) -> Result<Game> {
    let fen = &record.opening.fen;
    let mut position = Position::from_fen(fen).with_context(|| format!("the opening {fen}"))?;
    for played in &record.opening.moves {
        play(&mut position, &played.uci)?;
    }
    let start = position.clone();
    let mut moves = Vec::with_capacity(record.moves.len());
    for MoveRecord { uci, score, .. } in &record.moves {
        let Some(score) = score else { break };
        let for_mover = score.clamped_centipawns().clamp(-LARGEST_SCORE, LARGEST_SCORE);
        let for_white = if position.side_to_move() == Color::White { for_mover } else { -for_mover };
        moves.push(ScoredMove { mv: play(&mut position, uci)?, score: for_white as i16 });
    }
    let outcome = record.outcome(record.white).context("expected a result, found none")?;
    Ok(Game { start, moves, result: GameResult::ALL[outcome.half_points()], skipped: 0 })
}

fn play(position: &mut Position, uci: &str) -> Result<Move> {
    let mv = position.parse_uci(uci).ok_or_else(|| anyhow!("expected a legal move, found {uci}"))?;
    position.play_unchecked(mv);
    Ok(mv)
}
