//! The state of a run for its page: the finished games, the games in progress, and the score.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::Serialize;

use super::journal_source::JournalSource;
use crate::folder::GamesPgn;
use crate::live::status::StatusText;
use crate::report::verdict::verdict;
use crate::results::ending::ending;
use crate::results::{RunPhase, RunState, Summary};
use crate::text::number_text::minus;
use referee::{Referee, Side, Variant};
use runner::{Event, GameRecord, JournalError, JournalPlace, LivePosition, RunConfig};

#[derive(Debug)]
pub struct LiveRun {
    pub(super) folder: PathBuf,
    pub(super) run: RunState,
    pub(super) finished: Vec<ListedGame>,
    by_number: HashMap<u32, usize>,
    pub(super) boards: BTreeMap<u32, LiveBoard>,
    writer: GamesPgn,
    pub(super) last_games: VecDeque<(u32, String)>,
    pub(super) is_live: bool,
    pub(super) trouble: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ListedGame {
    pub number: u32,
    white: String,
    black: String,
    result: &'static str,
    ending: String,
    /// The number of full moves, including the opening.
    moves: usize,
    #[serde(skip)]
    pub place: JournalPlace,
}

#[derive(Clone, Debug)]
pub struct LiveBoard {
    pub position: LivePosition,
    pub since: Timestamp,
}

/// The number of finished games to keep in the file, so that occasional readers see how each game ended.
const ENDED: usize = 24;

impl LiveRun {
    pub fn begin(folder: &Path, journal: &mut JournalSource) -> Result<LiveRun, JournalError> {
        let mut has_other_start = false;
        let mut run: Option<LiveRun> = None;
        journal.read_new(|event, place| {
            match (&mut run, event) {
                (Some(run), event) => run.take_event(&event, place),
                (None, Event::RunStarted { config, at, .. }) => {
                    run = Some(LiveRun::of_run(folder, &config, at));
                }
                (None, _) => has_other_start = true,
            }
            ControlFlow::Continue(())
        })?;
        run.filter(|_| !has_other_start).ok_or_else(|| JournalError::no_start(journal.path()))
    }

    fn of_run(folder: &Path, config: &RunConfig, at: Timestamp) -> LiveRun {
        LiveRun {
            folder: folder.to_owned(),
            run: RunState::begun(config.clone(), at),
            finished: Vec::new(),
            by_number: HashMap::new(),
            boards: BTreeMap::new(),
            writer: GamesPgn::new(config.clone()),
            last_games: VecDeque::new(),
            is_live: false,
            trouble: None,
        }
    }

    pub fn take_event(&mut self, event: &Event, place: JournalPlace) {
        self.run.update(event);
        match event {
            Event::GameFinished(record) => self.take_finished(record, place),
            Event::RunResumed { .. } | Event::RunFinished { .. } => self.boards.clear(),
            _ => {}
        }
    }

    fn take_finished(&mut self, record: &GameRecord, place: JournalPlace) {
        self.boards.remove(&record.game);
        let Some(result) = record.result else { return };
        if self.by_number.contains_key(&record.game) {
            return;
        }
        self.by_number.insert(record.game, self.finished.len());
        if let Ok(game) = self.writer.game(record) {
            self.last_games.push_back((record.game, game.to_string()));
            if self.last_games.len() > ENDED {
                self.last_games.pop_front();
            }
        }
        self.finished.push(ListedGame {
            number: record.game + 1,
            white: self.run.engine_name(record.white).to_owned(),
            black: self.run.engine_name(record.black).to_owned(),
            result: result.as_str(),
            ending: ending(record),
            moves: (record.opening.moves.len() + record.moves.len()).div_ceil(2),
            place,
        });
    }

    pub fn take_position(&mut self, position: LivePosition) {
        if !self.by_number.contains_key(&position.game) {
            self.boards.insert(position.game, LiveBoard { position, since: runner::now() });
        }
    }

    pub fn set_live(&mut self, is_live: bool) {
        self.is_live = is_live;
        if !is_live {
            self.boards.clear();
        }
    }

    pub fn finished_game(&self, number: u32) -> Option<&ListedGame> {
        let index = self.by_number.get(&number.checked_sub(1)?)?;
        self.finished.get(*index)
    }

    /// The current score. `is_running` is whether the run was running before the journal was read this far.
    pub fn score(&self, is_running: bool) -> MatchScore {
        let phase = match self.run.phase(is_running) {
            RunPhase::Running if self.run.pace().paused => RunPhase::Paused,
            phase => phase,
        };
        let text =
            StatusText { run: &self.run, phase: &phase, now: runner::now(), width: 100, colour: false };
        let first_line = text.lines().into_iter().next().unwrap_or_default();
        let summary = self.run.overview();
        MatchScore { verdict: verdict(&summary), state: first_line.trim().to_owned(), summary, is_running }
    }
}

#[derive(Clone, Debug)]
pub struct MatchScore {
    pub summary: Summary,
    pub verdict: String,
    pub state: String,
    pub is_running: bool,
}

#[derive(Debug, Serialize)]
pub struct GameReplay {
    number: u32,
    white: String,
    black: String,
    result: &'static str,
    ending: String,
    start: String,
    white_begins: bool,
    first: u32,
    moves: Vec<ReplayedMove>,
}

#[derive(Debug, Default, PartialEq, Serialize)]
struct ReplayedMove {
    san: String,
    uci: String,
    fen: String,
    book: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thought: Option<String>,
}

impl GameReplay {
    pub fn new(record: &GameRecord, variant: Variant, engine_name: impl Fn(usize) -> String) -> GameReplay {
        let start = Referee::from_fen(&record.opening.fen, variant).unwrap_or_else(|_| Referee::new(variant));
        let mut referee = start.clone();
        let mut moves = Vec::new();
        let mut play = |uci: &str| {
            let played = referee.play(uci).ok()?;
            let (san, uci) = (played.san().to_owned(), played.uci().to_owned());
            Some(ReplayedMove { san, uci, fen: referee.fen(), book: true, ..ReplayedMove::default() })
        };
        let opening = record.opening.moves.iter().map_while(|opening| play(&opening.uci));
        moves.extend(opening);
        let played = record.moves.iter().map_while(|own| {
            let score = own.score.map(|score| minus(&score.to_string()));
            let depth = own.depth.map(|depth| format!("depth {depth}"));
            let thought: Vec<String> = score.into_iter().chain(depth).collect();
            Some(ReplayedMove {
                book: false,
                time: Some(own.time.as_millis() as u64),
                left: own.clock_left.map(|left| left.as_millis() as u64),
                thought: Some(thought.join(", ")).filter(|thought| !thought.is_empty()),
                ..play(&own.uci)?
            })
        });
        moves.extend(played);
        GameReplay {
            number: record.game + 1,
            white: engine_name(record.white),
            black: engine_name(record.black),
            result: record.result.map_or("*", |result| result.as_str()),
            ending: ending(record),
            white_begins: start.turn() == Side::White,
            first: start.move_number(),
            start: start.fen(),
            moves,
        }
    }
}
