//! Treats PGN files as the results of a run: their games are summed up like the games of a journal.
//!
//! The files are read twice, since a game cannot be counted before its pair is known. The first reading takes the tags
//! and finds pairs, as `rate` and `sprt` do; the second plays the games through, several files at once, and counts them
//! in order. The first reading alone decides which games count: a wrong move shortens a game but does not exclude it.

use std::collections::{BTreeSet, HashMap};
use std::hash::BuildHasher;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use referee::Variant;
use referee::openings::{BookError, RecordedGame, Skipped};
use runner::{
    BookConfig, EngineConfig, Event, FinishReason, GameRecord, MoveRecord, OpeningMove, OpeningRecord,
    RunConfig, TimeControl,
};
use rustc_hash::FxBuildHasher;
use stats::{FoundPairs, PairableGame, PairedBy, Sprt, UnclearRounds, find_pairs};

use super::rated_games::Fate;
use crate::cli::console;
use crate::rating::{RatedGames, RepeatedGames};
use crate::results::{PgnEnding, PgnFiles, RunResults, RunState};
use crate::text::number_text::counted;

/// How many games of a file may be read ahead of the counting.
const GAMES_AHEAD: usize = 32;

#[derive(Clone, Copy, Debug)]
struct PlannedGame {
    white: u32,
    black: u32,
    pair: u32,
    /// Opening plies shared with the other game of the pair, if nothing else tells the opening.
    shared: usize,
    is_late: bool,
    /// A hash of the moves, by which repeated games are found.
    moves: Option<u64>,
}

/// The games of a file, indexed from 0; `None` for those that do not count.
type FilePlan = Vec<Option<PlannedGame>>;

struct PlayedGame {
    record: GameRecord,
    game: RecordedGame,
    ending: PgnEnding,
    has_times: bool,
}

/// A game of a file, or `None` at its end.
type FromFile = Result<Option<Box<PlayedGame>>, BookError>;

/// What the first reading found.
struct Plan {
    table: RatedGames,
    games: Vec<FilePlan>,
    pairs: Vec<Option<PairedBy>>,
    /// The index of each player among the engines.
    places: Vec<Option<u32>>,
    about: PgnFiles,
    config: RunConfig,
}

impl Plan {
    fn of(files: &[PathBuf], repeated: RepeatedGames) -> Result<Plan> {
        let mut table = RatedGames::of(files.len(), repeated);
        let (mut games, mut pairs) = (Vec::new(), Vec::new());
        let mut about = PgnFiles {
            files: files.iter().map(|file| file.display().to_string()).collect(),
            ..PgnFiles::default()
        };
        let mut skipped = Skipped::default();
        for file in files {
            if !file.metadata().with_context(|| file.display().to_string())?.is_file() {
                bail!("{}: expected a file, which can be read twice", file.display());
            }
            skipped.append(table.read_pgn(file)?);
            games.push(plan(&table, &mut pairs, &mut about.rounds));
        }
        table.note_differences();
        let (engines, places) = engines_of(&table, &mut games);
        if engines.len() < 2 {
            let excluded = counted(table.excluded.total(), "game");
            bail!("expected games with two players and a result, found none ({excluded} excluded)");
        }
        about.excluded = table.excluded;
        about.excluded.after_decision = 0;
        (about.unreadable, about.first_unreadable) = (skipped.count as u64, skipped.first);
        let mut config = RunConfig::of(2, BookConfig::of(""), engines);
        // The pairings are unknown, and nothing will be played.
        config.encounters = vec![(0, 1)];
        Ok(Plan { table, games, pairs, places, about, config })
    }

    /// Plays the games through and passes each game that counts to `visit`.
    fn play(&mut self, files: &[PathBuf], mut visit: impl FnMut(GameRecord)) -> Result<Counted> {
        let pairs = std::mem::take(&mut self.pairs);
        let mut counted = Counted { is_begun: vec![false; pairs.len()], pairs, ..Counted::default() };
        let mut games = 0;
        let visit = &mut |record| {
            games += 1;
            visit(record);
        };
        counted.games(files, &self.games, &mut self.about, visit)?;
        self.about.unpaired = games - 2 * self.about.paired_by.values().sum::<u64>();
        self.about.cut = counted.cut.count as u64;
        self.about.first_cut = std::mem::take(&mut counted.cut.first);
        self.config.limits.clock = match self.about.time_controls.first_key_value() {
            Some((control, of_it)) if *of_it == games => control.parse::<TimeControl>().ok(),
            _ => None,
        };
        Ok(counted)
    }
}

/// Reads PGN files, and applies a sequential test if there is one.
pub fn read(files: &[PathBuf], test: Option<Sprt>, repeated: RepeatedGames) -> Result<RunResults> {
    let mut plan = Plan::of(files, repeated)?;
    plan.config.sprt = test.filter(|_| plan.config.engines.len() == 2);
    let mut state = RunState::new(plan.config.clone()).with_facts();
    let mut counted = plan.play(files, |record| {
        state.update(&Event::GameFinished(Box::new(record)));
    })?;
    let Plan { table, places, about, mut config, .. } = plan;
    config.pgn.event = counted.events.pop_first().flatten().filter(|_| counted.events.is_empty());
    Ok(results_of(state, config.into(), about, &table, &places))
}

/// The games of PGN files as a run would have recorded them, with the known part of that run's configuration.
pub fn records(files: &[PathBuf]) -> Result<(RunConfig, Vec<GameRecord>)> {
    let (mut plan, mut records) = (Plan::of(files, RepeatedGames::default())?, Vec::new());
    plan.play(files, |record| records.push(record))?;
    Ok((plan.config, records))
}

fn results_of(
    mut state: RunState,
    config: Arc<RunConfig>,
    about: PgnFiles,
    table: &RatedGames,
    places: &[Option<u32>],
) -> RunResults {
    let (reason, at) = (FinishReason::AllGamesPlayed, Timestamp::UNIX_EPOCH);
    state.update(&Event::RunFinished { reason, at });
    let name = match &about.files[..] {
        [file] => file.clone(),
        files => format!("{} files", files.len()),
    };
    let mut results = RunResults::of(state, Path::new(&name));
    results.config = Arc::clone(&config);
    let is_theirs = |game: &PairableGame| {
        Some(PairableGame {
            white: places[game.white as usize]?,
            black: places[game.black as usize]?,
            ..*game
        })
    };
    if let Some(facts) = &mut results.facts {
        facts.config = config;
        facts.rated_of_files =
            table.sources().map(|source| source.iter().filter_map(is_theirs).collect()).collect();
    }
    let summary = &mut results.summary;
    summary.planned = summary.games;
    // Dates alone do not tell the duration.
    summary.duration = Duration::ZERO;
    summary.files = Some(about);
    results
}

/// The players who have games, as engines, and each player's index among them.
fn engines_of(table: &RatedGames, plans: &mut [FilePlan]) -> (Vec<EngineConfig>, Vec<Option<u32>>) {
    let mut places = vec![None; table.players().len()];
    let planned = || plans.iter().flatten().flatten();
    planned().flat_map(|game| [game.white, game.black]).for_each(|player| places[player as usize] = Some(0));
    let mut engines = Vec::new();
    for (place, name) in places.iter_mut().zip(table.players()).filter(|(place, _)| place.is_some()) {
        *place = Some(engines.len() as u32);
        engines.push(EngineConfig { name: name.to_owned(), ..EngineConfig::default() });
    }
    for game in plans.iter_mut().flatten().flatten() {
        for player in [&mut game.white, &mut game.black] {
            *player = places[*player as usize].unwrap_or_default();
        }
    }
    (engines, places)
}

/// Plans which games of the last added file count. Appends its pairs to `pairs`, each with how it was found; an unpaired
/// game is appended as a pair of its own.
fn plan(table: &RatedGames, pairs: &mut Vec<Option<PairedBy>>, rounds: &mut UnclearRounds) -> FilePlan {
    let games = table.sources().last().unwrap_or_default();
    let mut partner = vec![None; games.len()];
    let FoundPairs { pairs: found, rounds: unclear } = find_pairs(games);
    *rounds += unclear;
    for ([one, other], by) in found {
        (partner[one], partner[other]) = (Some((other, by)), Some((one, by)));
    }
    let mut shared = vec![0; games.len()];
    for &([one, other], plies) in &table.shared_moves {
        if partner[one].is_some_and(|(partner, _)| partner == other) {
            (shared[one], shared[other]) = (plies, plies);
        }
    }
    // A pair is numbered when its first game appears.
    let mut number_of = vec![None; games.len()];
    let mut next = |by| {
        pairs.push(by);
        pairs.len() as u32 - 1
    };
    let mut planned = |fate: &Fate| {
        let (game, pair, shared, is_late) = match *fate {
            Fate::Excluded => return None,
            Fate::Late(index) => (&table.after_decision[index], next(None), 0, true),
            Fate::Counted(index) => {
                let known = partner[index].and_then(|(partner, _)| number_of[partner]);
                let pair = known.unwrap_or_else(|| next(partner[index].map(|(_, by)| by)));
                number_of[index] = Some(pair);
                (&games[index], pair, shared[index], false)
            }
        };
        let PairableGame { white, black, moves, .. } = *game;
        Some(PlannedGame { white, black, pair, shared, is_late, moves })
    };
    table.fates.iter().map(&mut planned).collect()
}

#[derive(Default)]
struct Counted {
    /// How each pair was found, and whether one of its games has been counted.
    pairs: Vec<Option<PairedBy>>,
    is_begun: Vec<bool>,
    /// The numbers of the openings, by identity.
    openings: HashMap<String, usize>,
    events: BTreeSet<Option<String>>,
    /// Games cut short at a wrong move.
    cut: Skipped,
}

impl Counted {
    /// Plays the games through and counts them in the order of the files.
    fn games(
        &mut self,
        files: &[PathBuf],
        plans: &[FilePlan],
        about: &mut PgnFiles,
        visit: &mut dyn FnMut(GameRecord),
    ) -> Result<()> {
        let (senders, receivers): (Vec<_>, Vec<_>) = files.iter().map(|_| sync_channel(GAMES_AHEAD)).unzip();
        let next = AtomicUsize::new(0);
        let first_numbers: Vec<u32> = plans
            .iter()
            .scan(0, |sum, plan| Some(std::mem::replace(sum, *sum + plan.len() as u32)))
            .collect();
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, usize::from).min(files.len()) {
                let reader = || loop {
                    let file = next.fetch_add(1, Ordering::Relaxed);
                    let Some(sender) = senders.get(file) else { break };
                    let read = read_file(&files[file], &plans[file], first_numbers[file], sender);
                    if sender.send(read.map(|()| None)).is_err() {
                        break;
                    }
                };
                scope.spawn(reader);
            }
            // The receivers are dropped on an early return, so that no reader blocks on a full channel.
            for (file, games) in files.iter().zip(receivers) {
                let cut = self.of_file(&games, about, visit)?;
                console::warn_of_cut(&file.display().to_string(), &cut);
                self.cut.append(cut);
            }
            Ok(())
        })
    }

    fn of_file(
        &mut self,
        games: &Receiver<FromFile>,
        about: &mut PgnFiles,
        visit: &mut dyn FnMut(GameRecord),
    ) -> Result<Skipped> {
        let mut cut = Skipped::default();
        for from in games {
            let Some(played) = from? else { break };
            let PlayedGame { mut record, game, ending, has_times } = *played;
            record.opening.index = self.opening_number(&record.opening);
            about.add(&game, &ending, &record, has_times);
            let pair = record.pair as usize;
            if let (true, Some(by)) = (self.is_begun[pair], self.pairs[pair]) {
                *about.paired_by.entry(by).or_default() += 1;
            }
            self.is_begun[pair] = true;
            self.events.insert(game.event);
            game.fault.iter().for_each(|fault| cut.name(fault));
            visit(record);
        }
        Ok(cut)
    }

    fn opening_number(&mut self, opening: &OpeningRecord) -> usize {
        let moves = opening.moves.iter().map(|played| played.uci.as_str());
        let key = [opening.fen.as_str()].into_iter().chain(moves).collect::<Vec<_>>().join(" ");
        let next = self.openings.len();
        *self.openings.entry(key).or_insert(next)
    }
}

fn read_file(
    file: &Path,
    plan: &FilePlan,
    first_number: u32,
    sender: &SyncSender<FromFile>,
) -> Result<(), BookError> {
    let read = RecordedGame::load_each(
        file,
        |_| true,
        |game| {
            let Some(planned) = plan.get(game.number - 1).copied().flatten() else {
                return ControlFlow::Continue(());
            };
            let (ending, (told, has_times)) = (PgnEnding::of(&game), MoveRecord::told_by(&game));
            let record = record_of(&game, &told, &ending, &planned, first_number + game.number as u32 - 1);
            match sender.send(Ok(Some(Box::new(PlayedGame { record, game, ending, has_times })))) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        },
    );
    read.map(|_| ())
}

/// The game as a run would have recorded it, except for what the file does not say.
fn record_of(
    game: &RecordedGame,
    told: &[MoveRecord],
    ending: &PgnEnding,
    planned: &PlannedGame,
    number: u32,
) -> GameRecord {
    let of_book = told.iter().take_while(|told| told.from_book).count();
    let book = if of_book > 0 { of_book } else { planned.shared.min(game.moves.len()) };
    let moves = game.moves.iter().zip(&game.sans);
    let opening = moves.clone().take(book);
    let opening = opening.map(|(uci, san)| OpeningMove { uci: uci.clone(), san: san.clone() });
    let played = moves.zip(told).skip(book).map(|((uci, san), told)| MoveRecord {
        uci: uci.into(),
        san: san.into(),
        ..told.clone()
    });
    let mut record = GameRecord {
        game: number,
        pair: planned.pair,
        white: planned.white as usize,
        black: planned.black as usize,
        opening: OpeningRecord {
            index: 0,
            fen: game.start_fen.clone().unwrap_or_else(|| game.variant.start_fen()),
            moves: opening.collect(),
            ..OpeningRecord::default()
        },
        moves: played.collect(),
        result: game.result,
        termination: ending.termination,
        offender: ending.offender,
        detail: ending.detail.clone(),
        after_decision: planned.is_late,
        final_fen: game.final_fen.clone(),
        variant: (game.variant != Variant::default()).then_some(game.variant),
        started: game.started.as_deref().and_then(start_of).unwrap_or(Timestamp::UNIX_EPOCH),
        ..GameRecord::default()
    };
    // Without a hash for repeats, a hash within the pair still tells whether its two games have the same moves.
    let own = || Some(FxBuildHasher.hash_one((planned.pair, record.moves_hash()?)));
    record.moves_of_file = planned.moves.or_else(own);
    record
}

/// The start of a game from its tags: a date, optionally followed by the time of day.
fn start_of(text: &str) -> Option<Timestamp> {
    let (date, rest) = text.split_at_checked(10)?;
    let time = rest.get(1..9).unwrap_or_default();
    let read = |time: &str| format!("{}T{time}", date.replace('.', "-")).parse::<DateTime>().ok();
    let start = read(time).or_else(|| read("00:00:00"))?;
    Some(start.to_zoned(TimeZone::UTC).ok()?.timestamp())
}
