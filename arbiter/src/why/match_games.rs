//! The games of a match as they are asked about: of which pair they are, and what is known of each move.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hash};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use referee::{GameResult, Side, Variant};
use runner::{EngineConfig, GameRecord, MoveScore, RunConfig, RunJournal, SearchLimits, Termination};
use rustc_hash::FxBuildHasher;
use stats::{Outcome, PairableGame, find_pairs, note_shared_moves};

use crate::games::finished_game::{FinishedGame, GameOutcome};
use crate::games::finished_games::{self, Variants};

/// A match of two players.
#[derive(Clone, Debug)]
pub struct MatchGames {
    /// The names; the first is the one whose losses are explained.
    pub names: [String; 2],
    /// The engines, where a run was read.
    pub engines: Option<[EngineConfig; 2]>,
    pub limits: SearchLimits,
    pub games: Vec<MatchGame>,
    /// The pairs; a game without partner is one of its own.
    pub pairs: usize,
}

#[derive(Clone, Debug)]
pub struct MatchGame {
    /// The number of the game, from 1.
    pub number: u32,
    pub title: String,
    pub pair: usize,
    pub first_is_white: bool,
    pub result: GameResult,
    pub end: DecidedBy,
    /// The first position as FEN; `None` is the start position.
    pub start_fen: Option<String>,
    /// Moves that nobody thought about.
    pub book: usize,
    pub moves: Vec<MatchMove>,
}

/// What the result of a game comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecidedBy {
    /// From the last position.
    OnBoard,
    /// From a rule for what is not played out.
    Adjudicated,
    /// From a fault, such as a time loss.
    Fault,
}

/// A move; what is not known of it is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchMove {
    pub uci: String,
    pub score: Option<MoveScore>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub time: Option<Duration>,
    /// The time left on the clock before the move.
    pub clock: Option<Duration>,
}

impl MatchGame {
    /// Points of the first player: 0, ½ or 1.
    pub fn points(&self) -> f64 {
        let side = if self.first_is_white { Side::White } else { Side::Black };
        f64::from(self.result.half_points(side)) / 2.0
    }

    /// Whether White made the move after so many others.
    pub fn is_white(&self, ply: usize) -> bool {
        let starts = self.start_fen.as_deref().and_then(|fen| fen.split(' ').nth(1)) != Some("b");
        starts == ply.is_multiple_of(2)
    }

    /// Whether the first player made it.
    pub fn is_first(&self, ply: usize) -> bool {
        self.is_white(ply) == self.first_is_white
    }
}

/// The games of a run folder, or of PGN files, between the first player and `against`, which may be left out where there are
/// two.
pub fn read(sources: &[PathBuf], first: Option<&str>, against: Option<&str>) -> Result<MatchGames> {
    let found = match sources {
        [folder] if folder.is_dir() => of_run(folder, first, against)?,
        _ => of_pgn(sources, first, against)?,
    };
    if found.games.is_empty() {
        let [one, other] = &found.names;
        bail!("expected finished games of {one} against {other}, found none");
    }
    Ok(found)
}

/// The two players asked for: the first and the other of all, unless they are named.
fn chosen(all: &[String], first: Option<&str>, against: Option<&str>) -> Result<[usize; 2]> {
    let index = |option: &str, name: &str| match all.iter().position(|known| known == name) {
        Some(index) => Ok(index),
        None => bail!("{option} {name}: expected one of the players {}", all.join(", ")),
    };
    let first = first.map_or(Ok(0), |name| index("--engine", name))?;
    let others: Vec<usize> = (0..all.len()).filter(|other| *other != first).collect();
    let other = match (against, &others[..]) {
        (Some(name), _) => index("--against", name)?,
        (None, [other]) => *other,
        _ => bail!("expected the games of two players, found {}: name the opponent by --against", all.len()),
    };
    if other == first {
        bail!("--against {}: expected another player than the first", all[other]);
    }
    Ok([first, other])
}

fn of_run(folder: &Path, first: Option<&str>, against: Option<&str>) -> Result<MatchGames> {
    let RunJournal { config, events, .. } = RunJournal::open(folder)?;
    if config.variant != Variant::Standard {
        bail!("{}: expected games of standard chess, found {}", folder.display(), config.variant);
    }
    let names: Vec<String> = config.engines.iter().map(|engine| engine.name.clone()).collect();
    let players = chosen(&names, first, against)?;
    let source = finished_games::name_of(folder);
    let mut pairs = BTreeMap::new();
    let mut games = Vec::new();
    for record in events.games_by_number(|record| record)?.into_values() {
        let Some(result) = record.scored_result() else { continue };
        if [record.white, record.black] != players && [record.black, record.white] != players {
            continue;
        }
        let next = pairs.len();
        let pair = *pairs.entry(record.pair).or_insert(next);
        games.push(of_record(&source, &config, record, (pair, players[0], result)));
    }
    let engines = players.map(|player| config.engines[player].clone());
    let limits = engines[0].limits.clone().unwrap_or_else(|| config.limits.clone());
    let names = players.map(|player| names[player].clone());
    Ok(MatchGames { names, engines: Some(engines), limits, games, pairs: pairs.len() })
}

fn of_record(
    source: &str,
    config: &RunConfig,
    record: GameRecord,
    (pair, first, result): (usize, usize, GameResult),
) -> MatchGame {
    let name = |side| &config.engines[record.engine(side)].name;
    let title = finished_games::title(source, record.game as usize, name(Side::White), name(Side::Black));
    let end = match record.termination {
        fault if fault.is_fault() => DecidedBy::Fault,
        Termination::DrawAdjudication
        | Termination::ResignAdjudication
        | Termination::TablebaseAdjudication
        | Termination::MaxMoves => DecidedBy::Adjudicated,
        _ => DecidedBy::OnBoard,
    };
    let book = record
        .opening
        .moves
        .iter()
        .map(|played| MatchMove { uci: played.uci.clone(), ..MatchMove::default() });
    let moves: Vec<MatchMove> = book
        .chain(record.moves.iter().map(|played| MatchMove {
            uci: played.uci.to_string(),
            score: played.score,
            depth: played.depth.filter(|_| !played.from_book),
            nodes: played.nodes.filter(|_| !played.pondered),
            time: Some(played.time),
            // What was added behind the move is little beside what decides: how much there was.
            clock: played.clock_left.map(|left| left + played.time),
        }))
        .collect();
    MatchGame {
        number: record.game + 1,
        title,
        pair,
        first_is_white: record.white == first,
        result,
        end,
        book: record.opening.moves.len(),
        start_fen: Some(record.opening.fen),
        moves,
    }
}

fn of_pgn(files: &[PathBuf], first: Option<&str>, against: Option<&str>) -> Result<MatchGames> {
    let mut read = Vec::new();
    let mut all: Vec<String> = Vec::new();
    finished_games::visit(files, Variants::Standard, |_, game| {
        for player in game.players.iter().flatten().filter(|player| !player.is_empty()) {
            if !all.contains(player) {
                all.push(player.clone());
            }
        }
        read.push(game.clone());
        Ok(ControlFlow::Continue(()))
    })?;
    if all.len() < 2 {
        bail!("expected games of two players, found {}", all.len());
    }
    let players = chosen(&all, first, against)?;
    let names = players.map(|player| all[player].clone());
    let is_between = |game: &FinishedGame| {
        let found = [game.player(Side::White), game.player(Side::Black)];
        let [one, other] = [Some(names[0].as_str()), Some(names[1].as_str())];
        found == [one, other] || found == [other, one]
    };
    let numbered = (1..).zip(&read).filter(|(_, game)| is_between(game));
    let mut games: Vec<MatchGame> =
        numbered.filter_map(|(number, game)| of_finished(number, game, &names[0])).collect();
    let pairs = pair_up(&mut games);
    Ok(MatchGames { names, engines: None, limits: SearchLimits::default(), games, pairs })
}

/// `None` for a game without a result.
fn of_finished(number: u32, game: &FinishedGame, first: &str) -> Option<MatchGame> {
    let GameOutcome::Decided(result) = game.outcome else { return None };
    let moves: Vec<MatchMove> = game
        .moves
        .iter()
        .map(|played| MatchMove { uci: played.uci.clone(), score: played.score, ..MatchMove::default() })
        .collect();
    let thought = moves.iter().position(|played| played.score.is_some());
    Some(MatchGame {
        number,
        title: game.title.clone(),
        pair: 0,
        first_is_white: game.player(Side::White) == Some(first),
        result,
        // The tag tells decisions by a rule and those on the board apart in too many ways.
        end: DecidedBy::Adjudicated,
        book: thought.unwrap_or(game.book_plies),
        start_fen: game.start_fen.clone(),
        moves,
    })
}

/// Numbers the pairs, and returns how many there are.
fn pair_up(games: &mut [MatchGame]) -> usize {
    let mut pairable: Vec<PairableGame> = games
        .iter()
        .map(|game| PairableGame {
            white: u32::from(!game.first_is_white),
            black: u32::from(game.first_is_white),
            outcome: Outcome::of_half_points(game.result.half_points(Side::White)),
            round: None,
            start: game.start_fen.as_deref().map(PairableGame::start_of),
            opening: None,
            moves: None,
        })
        .collect();
    let first_moves: Vec<stats::FirstMoves> = games
        .iter()
        .map(|game| {
            let mut first = stats::FirstMoves::default();
            first.iter_mut().zip(&game.moves).for_each(|(place, played)| *place = hash(&played.uci));
            first
        })
        .collect();
    note_shared_moves(&mut pairable, &first_moves);
    let mut pairs = 0;
    let mut pair_of = vec![None; games.len()];
    for ([one, other], _) in find_pairs(&pairable) {
        (pair_of[one], pair_of[other]) = (Some(pairs), Some(pairs));
        pairs += 1;
    }
    for (game, pair) in games.iter_mut().zip(pair_of) {
        game.pair = pair.unwrap_or_else(|| {
            pairs += 1;
            pairs - 1
        });
    }
    pairs
}

fn hash(value: impl Hash) -> u32 {
    FxBuildHasher.hash_one(value) as u32 | 1
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn games_of_a_file_are_paired_by_their_first_moves_and_seen_by_the_player_asked_for() {
        let game = |white: &str, black: &str, moves: &str, result: &str| {
            format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
        };
        let text = [
            game("new", "old", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "1-0"),
            game("old", "new", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5", "1/2-1/2"),
            game("new", "old", "1. d4 d5 2. c4 e6 3. Nc3", "0-1"),
            game("old", "new", "1. d4 d5 2. c4 e6 3. Nf3", "0-1"),
            game("old", "new", "1. c4", "*"),
        ]
        .concat();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.pgn");
        fs::write(&file, text).unwrap();
        let found = read(std::slice::from_ref(&file), Some("old"), None).unwrap();
        assert_eq!(found.names, ["old", "new"]);
        let games: Vec<_> = found.games.iter().map(|game| (game.number, game.pair, game.points())).collect();
        assert_eq!(games, [(1, 0, 0.0), (2, 0, 0.5), (3, 1, 1.0), (4, 1, 0.0)]);
        assert!(!found.games[0].is_first(0) && found.games[1].is_first(0) && found.games[1].is_white(2));
        let message = read(&[file], Some("older"), None).unwrap_err().to_string();
        assert_eq!(message, "--engine older: expected one of the players new, old");
    }
}
