//! The script of a game of a run. It comes from the game's log; what the log lacks, such as earlier games of the same
//! process, comes from the journal.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use flate2::read::GzDecoder;
use referee::{Referee, Side};
use runner::process::{GAMES_BEFORE, SET_BEFORE};
use runner::untrusted_files::read_text;
use runner::{
    BAD_GAMES_FOLDER, Clock, EngineConfig, GAME_LOGS_FOLDER, GameRecord, PositionLine, ProtocolName,
    RunConfig, RunJournal, Termination, search_order,
};
use uci::Command;

use super::log_reader::{Log, sign_in};
use super::script::{Head, Script, SentLine, Symptoms};
use crate::engines::ErrorReport;
use crate::results::ending::ending;

/// The most bytes that are read of a log.
const LONGEST: u64 = 256 * 1024 * 1024;

/// The game to be played again.
#[derive(Debug)]
pub struct GameScript {
    pub script: Script,
    /// `game 818 (new – old): Black's engine crashed: …`
    pub title: String,
    /// The default file for the minimal reproducer.
    pub place: PathBuf,
}

/// The script of a game of a run, numbered from 1, for the named engine or else the engine at fault.
pub fn of_game(run: &Path, number: Option<u32>, player: Option<&str>) -> Result<GameScript> {
    let journal = RunJournal::open(run)?;
    let config = journal.config.clone();
    let mut faulty = Vec::new();
    let found = journal.events.games_by_number(|game| {
        if game.termination.is_fault() {
            faulty.push(game.game + 1);
        }
        (Some(game.game + 1) == number).then_some(game)
    })?;
    let Some(number) = number else {
        let numbers: Vec<String> = faulty.iter().take(20).map(u32::to_string).collect();
        let known = if numbers.is_empty() {
            "no game ended by a fault".to_owned()
        } else {
            format!("by a fault ended {}", numbers.join(", "))
        };
        bail!("{}: expected the number of a game: {known}", run.display())
    };
    let Some(Some(record)) = found.into_values().find(Option::is_some) else {
        bail!("{}: no game {number} was played", run.display());
    };
    let names = [Side::White, Side::Black].map(|side| &config.engines[record.engine(side)].name);
    let title = format!("game {number} ({} – {}): {}", names[0], names[1], ending(&record));
    let side = match player {
        None => record.offender,
        Some(name) => [Side::White, Side::Black].into_iter().find(|side| names[*side as usize] == name),
    };
    let Some(side) = side else {
        bail!("{title}: no engine is at fault; to look for any fault: --player {} or {}", names[0], names[1]);
    };
    let log = log_of(run, number, side);
    let numbers = log.as_deref().map(games_before).unwrap_or_default();
    let mut before = if numbers.is_empty() {
        Vec::new()
    } else {
        let games = RunJournal::open(run)?
            .events
            .games_by_number(|game| numbers.contains(&game.game).then_some(game))?;
        games.into_values().flatten().collect::<Vec<GameRecord>>()
    };
    before.sort_by_key(|game| numbers.iter().position(|number| *number == game.game));
    let engine = record.engine(side);
    let mut fault = Symptoms::default();
    if record.offender == Some(side) {
        let detail = record.detail.as_deref().unwrap_or_default();
        fault.kind = Some(record.termination);
        let illegal = record.illegal_move.clone().filter(|_| record.termination == Termination::IllegalMove);
        fault.sign = illegal.or_else(|| sign_in(record.termination, detail));
        fault.place = log.as_deref().and_then(ErrorReport::find).map(|report| report.place);
    }
    let mut head = Head::new(&config, engine, fault);
    head.engine.program = where_it_began(&config, &head.engine);
    let lines = lines_of(&config, &record, side, &before, log.as_deref())?;
    let place = run.join(BAD_GAMES_FOLDER).join(format!("{number}.least"));
    Ok(GameScript { script: Script { head, lines }, title, place })
}

/// The path of an engine's program, even if the run was started from another folder.
fn where_it_began(config: &RunConfig, engine: &EngineConfig) -> PathBuf {
    let program = &engine.program;
    let folder = config.made.as_ref().and_then(|made| made.folder.as_ref());
    let there = folder.map(|folder| folder.join(program)).filter(|there| there.is_file());
    there
        .or_else(|| std::path::absolute(program).ok().filter(|path| path.is_file()))
        .unwrap_or_else(|| program.clone())
}

/// One side's part of a game's log, if the game was faulty or all logs were kept.
fn log_of(run: &Path, number: u32, side: Side) -> Option<String> {
    let text = read_text(&run.join(BAD_GAMES_FOLDER).join(format!("{number}.log"))).ok().or_else(|| {
        let packed = File::open(run.join(GAME_LOGS_FOLDER).join(format!("{number}.log.gz"))).ok()?;
        let mut text = Vec::new();
        GzDecoder::new(packed).take(LONGEST).read_to_end(&mut text).ok()?;
        Some(String::from_utf8_lossy(&text).into_owned())
    })?;
    let (white, black) = text.split_once("\n# Black\n")?;
    Some(if side == Side::White { white.to_owned() } else { format!("# Black\n{black}") })
}

/// The games that the process had played before, numbered from 0.
fn games_before(log: &str) -> Vec<u32> {
    let line = log.lines().find_map(|line| line.strip_prefix(GAMES_BEFORE)).unwrap_or_default();
    line.split_whitespace().filter_map(|number| number.parse::<u32>().ok()?.checked_sub(1)).collect()
}

/// Everything sent to one side's engine since its process started.
fn lines_of(
    config: &RunConfig,
    record: &GameRecord,
    side: Side,
    before: &[GameRecord],
    log: Option<&str>,
) -> Result<Vec<SentLine>> {
    let engine = record.engine(side);
    // A script is in UCI's notation, so a log in another protocol is of no use.
    let log = log.filter(|_| config.engines[engine].protocol != Some(ProtocolName::Xboard));
    let logged = log.map(|log| Log::read(log).lines_of(&side.to_string())).unwrap_or_default();
    if logged.first().is_some_and(|line| line.word() == "uci") {
        return Ok(logged);
    }
    let mut lines: Vec<SentLine> = config.engines[engine].init.iter().map(SentLine::new).collect();
    lines.push(SentLine::new("uci"));
    let set: Vec<&str> = log
        .map_or_else(Vec::new, |log| log.lines().filter_map(|line| line.strip_prefix(SET_BEFORE)).collect());
    lines.extend(if set.is_empty() {
        settings(config, engine)
    } else {
        set.into_iter().map(SentLine::new).collect()
    });
    lines.push(SentLine::new("isready"));
    for game in before {
        let side = if game.white == engine { Side::White } else { Side::Black };
        lines.extend(from_record(config, game, side)?);
    }
    let of_record = from_record(config, record, side)?;
    let missing = of_record
        .iter()
        .filter(|line| line.is_search())
        .count()
        .saturating_sub(logged.iter().filter(|line| line.is_search()).count());
    if logged.first().is_some_and(|line| line.word() == "ucinewgame") {
        lines.extend(logged);
    } else if missing == 0 && !logged.is_empty() {
        lines.extend(of_record.into_iter().take(2).chain(logged));
    } else {
        // The log has only the end of the game, or nothing.
        let (mut searches, end) =
            (0, logged.iter().position(|line| line.word() == "position").unwrap_or(logged.len()));
        lines.extend(of_record.into_iter().take_while(|line| {
            let is_wanted = searches < missing;
            searches += usize::from(line.is_search());
            is_wanted
        }));
        lines.extend(logged.into_iter().skip(end));
    }
    Ok(lines)
}

/// The options that are set after the start.
fn settings(config: &RunConfig, engine: usize) -> Vec<SentLine> {
    let of = |name: &str, value: Option<&str>| {
        SentLine::new(
            Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }.to_string(),
        )
    };
    let ponder = config.asks_to_ponder(engine).then_some(("Ponder", "true"));
    let first = config.variant.uci_option().into_iter().chain(ponder);
    first
        .map(|(name, value)| of(name, Some(value)))
        .chain(config.engines[engine].options.iter().map(|option| of(&option.name, option.value.as_deref())))
        .collect()
}

/// What one side was sent in a game, by its record, without searches on the opponent's time.
fn from_record(config: &RunConfig, record: &GameRecord, side: Side) -> Result<Vec<SentLine>> {
    let opening = &record.opening;
    let mut referee = Referee::from_fen(&opening.fen, config.variant).context("the opening")?;
    let mut position = PositionLine::new(&opening.fen, config.variant);
    for played in &opening.moves {
        if referee.play(&played.uci).is_ok() {
            position.extend(&played.uci, &referee, config.position);
        }
    }
    let limits = config.limits_of(record.engine(side));
    let mut clocks = [record.white, record.black].map(|engine| {
        let margin = config.time_margin_of(engine);
        config.limits_of(engine).clock.clone().map(|control| Clock::new(control, margin))
    });
    let mut lines = vec![SentLine::new("ucinewgame"), SentLine::new("isready")];
    let mut gap = Duration::ZERO;
    // The last search has no move in the record.
    let moves = record.moves.iter().map(Some).chain([None]);
    for played in moves {
        let turn = referee.turn();
        let is_asked = played.map_or(record.offender == Some(side), |played| !played.from_book);
        if turn == side && is_asked {
            let order = format!("{position}\n{}", search_order(limits, &clocks, turn));
            let reached = played.and_then(|played| Some((played.depth?, played.nodes?)));
            for (text, gap) in order.lines().zip([gap, Duration::ZERO]) {
                lines.push(SentLine {
                    gap,
                    reached: reached.filter(|_| text.starts_with("go")),
                    ..SentLine::new(text)
                });
            }
        }
        let Some(played) = played else { break };
        gap = if turn == side { Duration::ZERO } else { played.time };
        if let Some(clock) = &mut clocks[turn as usize]
            && !played.from_book
        {
            // The move was in time.
            let _ = clock.stop(played.time);
        }
        if referee.play(&played.uci).is_err() {
            break;
        }
        position.extend(&played.uci, &referee, config.position);
    }
    Ok(lines)
}
