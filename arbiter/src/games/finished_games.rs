//! The games of PGN files and run folders, streamed if they may not fit into memory, or read into memory.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use referee::openings::{RecordedGame, Skipped};
use referee::{GameResult, PlayedMove, Referee, Side, Variant};
use runner::{GameRecord, MoveRecord, MoveScore, RunConfig, RunJournal};

use crate::cli::console;
use crate::results::PgnEnding;

/// The range of numbers for the games of one source.
const GAMES_OF_A_SOURCE: u64 = 1 << 32;

/// A game of standard chess or of Chess960.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// Source and players, for messages: `gauntlet, game 12: one - two`.
    pub title: String,
    /// The players of White and Black; `None` where unknown.
    pub players: [Option<String>; 2],
    pub variant: Variant,
    /// The first position as FEN; `None` is the start position.
    pub start_fen: Option<String>,
    pub book_plies: usize,
    /// All moves, book moves included.
    pub moves: Vec<ScoredMove>,
    pub outcome: GameOutcome,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    pub uci: String,
    /// The mover's score of the position, from the mover's point of view.
    pub score: Option<MoveScore>,
}

/// Whether the result of a game says something about its positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOutcome {
    /// Decided on the board, by agreement, tablebases or adjudication.
    Decided(GameResult),
    /// Ended by a disconnect, time loss, illegal move or the like: the result says nothing about the positions.
    Fault,
    Unfinished,
}

impl GameOutcome {
    fn of(result: Option<GameResult>, is_fault: bool) -> GameOutcome {
        match result {
            _ if is_fault => GameOutcome::Fault,
            Some(result) => GameOutcome::Decided(result),
            None => GameOutcome::Unfinished,
        }
    }
}

impl FinishedGame {
    /// The referee at the first position.
    pub fn start(&self) -> Result<Referee> {
        let start = Referee::from_start(self.start_fen.as_deref(), self.variant);
        start.with_context(|| self.title.clone())
    }

    pub fn play(&self, referee: &mut Referee, played: &ScoredMove) -> Result<PlayedMove> {
        referee.play(&played.uci).with_context(|| self.title.clone())
    }

    pub fn player(&self, side: Side) -> Option<&str> {
        self.players[side as usize].as_deref()
    }
}

/// The first four fields of the FEN.
pub fn board_of(referee: &Referee) -> String {
    referee.fen().split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// Passes every game (Chess960 only if wanted) with a unique number to `visit`, until it breaks. Returns the players. Games
/// of a run keep their numbers of the schedule, and come in the order in which they ended, without duplicates.
pub fn visit(
    sources: &[PathBuf],
    with_chess960: bool,
    mut visit: impl FnMut(u64, &FinishedGame) -> Result<ControlFlow<()>>,
) -> Result<BTreeSet<String>> {
    let mut players = BTreeSet::new();
    for (source, index) in sources.iter().zip(0..) {
        let visit_one = |game: u64, played: FinishedGame| {
            for player in played.players.iter().flatten() {
                if !players.contains(player) {
                    players.insert(player.clone());
                }
            }
            visit(index * GAMES_OF_A_SOURCE + game, &played)
        };
        let flow = if source.is_dir() {
            of_run(source, with_chess960, visit_one)?
        } else {
            of_pgn(source, with_chess960, visit_one)?
        };
        if flow.is_break() {
            break;
        }
    }
    Ok(players)
}

/// Checks that every player of `--engine` occurs in the games.
pub fn check_players(wanted: &[String], players: &BTreeSet<String>) -> Result<()> {
    if let Some(unknown) = wanted.iter().find(|engine| !players.contains(*engine)) {
        let players: Vec<&str> = players.iter().map(String::as_str).collect();
        bail!("--engine {unknown}: not a player of these games; the players are {}", players.join(", "));
    }
    Ok(())
}

fn of_pgn(
    file: &Path,
    with_chess960: bool,
    mut visit: impl FnMut(u64, FinishedGame) -> Result<ControlFlow<()>>,
) -> Result<ControlFlow<()>> {
    let name = name_of(file);
    let (mut games, mut outcome) = (0, Ok(ControlFlow::Continue(())));
    let mut cut = Skipped::default();
    let skipped = RecordedGame::load_each(
        file,
        |variant| is_wanted(variant, with_chess960),
        |game| {
            game.fault.iter().for_each(|fault| cut.name(fault));
            outcome = visit(games, from_pgn(&name, games, game));
            games += 1;
            match outcome {
                Ok(ControlFlow::Continue(())) => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        },
    )?;
    let file = file.display().to_string();
    console::warn_of_skipped(&file, "game", &skipped);
    console::warn_of_cut(&file, &cut);
    outcome
}

fn from_pgn(name: &str, index: u64, game: RecordedGame) -> FinishedGame {
    let is_fault = PgnEnding::of(&game).termination.is_fault();
    let (told, _) = MoveRecord::told_by(&game);
    let known = |player: &Option<String>| player.clone().unwrap_or_else(|| "?".to_owned());
    FinishedGame {
        title: title(name, index as usize, &known(&game.white), &known(&game.black)),
        players: [game.white, game.black],
        variant: game.variant,
        start_fen: game.start_fen,
        book_plies: told.iter().take_while(|told| told.from_book).count(),
        moves: game
            .moves
            .into_iter()
            .zip(told)
            .map(|(uci, told)| ScoredMove { uci, score: told.score })
            .collect(),
        outcome: GameOutcome::of(game.result, is_fault),
    }
}

fn of_run(
    folder: &Path,
    with_chess960: bool,
    mut visit: impl FnMut(u64, FinishedGame) -> Result<ControlFlow<()>>,
) -> Result<ControlFlow<()>> {
    let RunJournal { config, events, .. } = RunJournal::open(folder)?;
    if !is_wanted(config.variant, with_chess960) {
        let (path, or) = (events.path().display(), if with_chess960 { " or Chess960" } else { "" });
        bail!("{path}: expected games of standard chess{or}, found {}", config.variant);
    }
    let name = name_of(folder);
    for game in events.finished_games() {
        let game = game?;
        if visit(u64::from(game.game), from_record(&name, &config, game))?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

fn from_record(name: &str, config: &RunConfig, record: GameRecord) -> FinishedGame {
    let player = |side| config.engines[record.engine(side)].name.clone();
    let players = [Side::White, Side::Black].map(player);
    let book_plies = record.opening.moves.len();
    let opening = record.opening.moves.into_iter().map(|played| ScoredMove { uci: played.uci, score: None });
    let moves = record
        .moves
        .into_iter()
        .map(|played| ScoredMove { uci: played.uci.to_string(), score: played.score });
    FinishedGame {
        title: title(name, record.game as usize, &players[0], &players[1]),
        outcome: GameOutcome::of(record.result, record.termination.is_fault()),
        players: players.map(Some),
        variant: config.variant,
        start_fen: Some(record.opening.fen),
        book_plies,
        moves: opening.chain(moves).collect(),
    }
}

/// Reads the games of standard chess from PGN files and run folders. The sources alternate: first the first game of every
/// source, then the second game of every source, and so on.
pub fn read(sources: &[PathBuf]) -> Result<Vec<FinishedGame>> {
    let mut games = Vec::new();
    visit(sources, false, |number, game| {
        games.push((number % GAMES_OF_A_SOURCE, game.clone()));
        Ok(ControlFlow::Continue(()))
    })?;
    // The sort is stable: games with the same number keep the order of their sources.
    games.sort_by_key(|(number, _)| *number);
    Ok(games.into_iter().map(|(_, game)| game).collect())
}

fn is_wanted(variant: Variant, with_chess960: bool) -> bool {
    variant == Variant::Standard || with_chess960 && variant == Variant::Chess960
}

/// The name of a game in messages and suites; `index` counts from 0.
pub fn title(source: &str, index: usize, white: &str, black: &str) -> String {
    format!("{source}, game {}: {white} - {black}", index + 1)
}

/// The name of a file or folder, without extensions.
pub fn name_of(path: &Path) -> String {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = whole.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let endings = [".gz", ".zst", ".bz2", ".zip", ".tar", ".pgn"];
    endings.iter().fold(name, |name, ending| name.strip_suffix(ending).unwrap_or(&name).to_owned())
}
