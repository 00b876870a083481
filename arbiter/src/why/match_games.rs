//! The games of a match to be explained: their pairs, and what is known of each move.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use referee::{GameResult, Referee, Side, Variant};
use runner::{EngineConfig, GameRecord, MoveScore, RunConfig, RunJournal, SearchLimits, Termination};

use crate::cli::console;
use crate::games::finished_games;
use crate::rating::pgn_results;
use crate::text::number_text::counted;

#[derive(Clone, Debug)]
pub struct MatchGames {
    /// The players' names; the first is the player whose losses are explained.
    pub names: [String; 2],
    /// The engines, if the source is a run.
    pub engines: Option<[EngineConfig; 2]>,
    pub limits: SearchLimits,
    pub games: Vec<MatchGame>,
    /// The number of pairs; a game without a partner counts as a pair.
    pub pairs: usize,
}

#[derive(Clone, Debug)]
pub struct MatchGame {
    pub number: u32,
    pub title: String,
    pub pair: usize,
    pub first_is_white: bool,
    pub result: GameResult,
    pub end: DecidedBy,
    pub start_fen: String,
    /// Number of book moves at the start.
    pub book: usize,
    pub moves: Vec<MatchMove>,
}

/// How the result of a game was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecidedBy {
    /// By the last position.
    OnBoard,
    /// By a rule before the end, or in a way that the file does not tell.
    Adjudicated,
    /// By a fault, such as a time loss.
    Fault,
}

/// A move; unknown values are `None`.
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

impl MatchGames {
    /// Keeps only the games of some pairs, and renumbers the pairs.
    pub fn keep_pairs(&mut self, is_kept: impl Fn(usize) -> bool) {
        self.games.retain(|game| is_kept(game.pair));
        let mut numbers = BTreeMap::new();
        for game in &mut self.games {
            let next = numbers.len();
            game.pair = *numbers.entry(game.pair).or_insert(next);
        }
        self.pairs = numbers.len();
    }
}

impl MatchGame {
    /// Points of the first player: 0, ½ or 1.
    pub fn points(&self) -> f64 {
        let side = if self.first_is_white { Side::White } else { Side::Black };
        f64::from(self.result.half_points(side)) / 2.0
    }

    pub fn is_white(&self, ply: usize) -> bool {
        (self.start_fen.split(' ').nth(1) != Some("b")) == ply.is_multiple_of(2)
    }

    pub fn is_first(&self, ply: usize) -> bool {
        self.is_white(ply) == self.first_is_white
    }

    pub fn move_number(&self, ply: usize) -> u32 {
        let first = self.start_fen.split(' ').nth(5).and_then(|number| number.parse().ok()).unwrap_or(1);
        first + (ply + usize::from(!self.is_white(0))) as u32 / 2
    }

    pub fn referee(&self) -> Result<Referee> {
        Referee::from_fen(&self.start_fen, Variant::Standard).with_context(|| self.title.clone())
    }
}

/// The games of a run folder or of PGN files between the first player and `against`, which may be omitted if there are
/// only two players.
pub fn read(sources: &[PathBuf], first: Option<&str>, against: Option<&str>) -> Result<MatchGames> {
    let is_run = sources.len() == 1 && sources[0].is_dir();
    let (config, records) = if is_run {
        let RunJournal { config, events, .. } = RunJournal::open(&sources[0])?;
        if config.variant != Variant::Standard {
            bail!("{}: expected games of standard chess, found {}", sources[0].display(), config.variant);
        }
        (RunConfig::clone(&config), events.games_by_number(|record| record)?.into_values().collect())
    } else {
        pgn_results::records(sources)?
    };
    let names: Vec<String> = config.engines.iter().map(|engine| engine.name.clone()).collect();
    let players = chosen(&names, first, against)?;
    let source = finished_games::name_of(&sources[0]);
    let (mut games, mut others) = (Vec::new(), 0);
    for record in records {
        let Some(result) = record.result.filter(|_| !record.after_decision) else { continue };
        if [record.white, record.black] != players && [record.black, record.white] != players {
            continue;
        }
        if record.variant.is_some_and(|variant| variant != Variant::Standard) {
            others += 1;
            continue;
        }
        games.push(of_record(&source, &config, record, players[0], result));
    }
    if others > 0 {
        console::note(&format!("{} of other variants left out", counted(others, "game")));
    }
    let engines = is_run.then(|| players.map(|player| config.engines[player].clone()));
    let own = config.engines[players[0]].limits.clone();
    let names = players.map(|player| names[player].clone());
    if games.is_empty() {
        bail!("expected finished games of {} against {}, found none", names[0], names[1]);
    }
    let mut matched = MatchGames { names, engines, limits: own.unwrap_or(config.limits), games, pairs: 0 };
    matched.keep_pairs(|_| true);
    Ok(matched)
}

/// The two players: by default the first of all, and its only opponent.
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

fn of_record(
    source: &str,
    config: &RunConfig,
    record: GameRecord,
    first: usize,
    result: GameResult,
) -> MatchGame {
    let name = |side| &config.engines[record.engine(side)].name;
    let title = finished_games::title(source, record.game as usize, name(Side::White), name(Side::Black));
    let end = match record.termination {
        fault if fault.is_fault() => DecidedBy::Fault,
        Termination::DrawAdjudication
        | Termination::Resignation
        | Termination::ResignAdjudication
        | Termination::TablebaseAdjudication
        | Termination::MaxMoves
        | Termination::Unknown => DecidedBy::Adjudicated,
        _ => DecidedBy::OnBoard,
    };
    let of_book = |uci: &String| MatchMove { uci: uci.clone(), ..MatchMove::default() };
    let book = record.opening.moves.iter().map(|played| of_book(&played.uci));
    let moves = book.chain(record.moves.iter().map(|played| MatchMove {
        uci: played.uci.to_string(),
        score: played.score,
        depth: played.depth.filter(|_| !played.from_book),
        nodes: played.nodes.filter(|_| !played.pondered),
        time: Some(played.time).filter(|time| !time.is_zero()),
        // The clock also contains the increment of this move, which is small beside the time left.
        clock: played.clock_left.map(|left| left + played.time),
    }));
    MatchGame {
        number: record.game + 1,
        title,
        pair: record.pair as usize,
        first_is_white: record.white == first,
        result,
        end,
        book: record.opening.moves.len(),
        moves: moves.collect(),
        start_fen: record.opening.fen,
    }
}
