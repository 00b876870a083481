//! What there is to be seen of a run: the games that are over, those that are played now, and the score.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::journal_source::JournalSource;
use crate::report::ending::ending;
use crate::report::verdict::verdict;
use crate::run_state::{RunPhase, RunState, Summary};
use crate::status::StatusText;
use referee::Side;
use runner::{Event, GameRecord, JournalError, JournalPlace, LivePosition, RunConfig};

/// A run on show.
#[derive(Debug)]
pub struct Exhibition {
    folder: PathBuf,
    run: RunState,
    /// The games that are over, in the order in which they ended.
    pub(super) finished: Vec<FinishedGame>,
    by_number: HashMap<u32, usize>,
    /// The games that are played now, by their index.
    pub(super) boards: BTreeMap<u32, LiveBoard>,
    /// Whether the run shows us its games.
    pub(super) is_live: bool,
    /// What keeps us from reading on, once something does.
    pub(super) trouble: Option<String>,
}

/// A game that is over, without its moves.
#[derive(Clone, Debug)]
pub struct FinishedGame {
    /// Index in the schedule.
    pub game: u32,
    /// Indices of the engines, White's first.
    pub engines: [usize; 2],
    /// The score, as PGN writes it.
    pub result: &'static str,
    /// How it ended, in words.
    pub ending: String,
    /// Half-moves, those of the opening included.
    pub plies: usize,
    /// Where the whole of it is.
    pub place: JournalPlace,
}

/// A game that is played now.
#[derive(Clone, Debug)]
pub struct LiveBoard {
    /// The board.
    pub position: LivePosition,
    /// Since when it stands so.
    pub since: Timestamp,
}

impl Exhibition {
    /// Reads what the journal has by now.
    ///
    /// # Errors
    /// The journal cannot be read, or is not that of a run.
    pub fn begin(folder: &Path, journal: &mut JournalSource) -> Result<Exhibition, JournalError> {
        let mut begins_elsewhere = false;
        let mut exhibition: Option<Exhibition> = None;
        journal.read_on(|event, place| match (&mut exhibition, event) {
            (Some(exhibition), event) => exhibition.take_event(&event, place),
            (None, Event::RunStarted { config, at, .. }) => {
                exhibition = Some(Exhibition::of_run(folder, &config, at));
            }
            (None, _) => begins_elsewhere = true,
        })?;
        let not_a_run = || JournalError::NoStart { path: journal.path().to_owned() };
        exhibition.filter(|_| !begins_elsewhere).ok_or_else(not_a_run)
    }

    fn of_run(folder: &Path, config: &RunConfig, at: Timestamp) -> Exhibition {
        Exhibition {
            folder: folder.to_owned(),
            run: RunState::begun(config, at),
            finished: Vec::new(),
            by_number: HashMap::new(),
            boards: BTreeMap::new(),
            is_live: false,
            trouble: None,
        }
    }

    /// Takes note of an event of the journal.
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
        self.finished.push(FinishedGame {
            game: record.game,
            engines: [record.white, record.black],
            result: result.as_str(),
            ending: ending(record),
            plies: record.opening.moves.len() + record.moves.len(),
            place,
        });
    }

    /// Takes note of a position that a game shows. One that comes after the end of its game is late news.
    pub fn take_position(&mut self, position: LivePosition) {
        if !self.by_number.contains_key(&position.game) {
            self.boards.insert(position.game, LiveBoard { position, since: Timestamp::now() });
        }
    }

    /// The run began or ceased to show its games.
    pub fn set_live(&mut self, is_live: bool) {
        self.is_live = is_live;
        if !is_live {
            self.boards.clear();
        }
    }

    /// The folder of the run.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What was asked for.
    pub const fn config(&self) -> &RunConfig {
        self.run.config()
    }

    /// What the engine of that index is called.
    pub fn engine_name(&self, engine: usize) -> &str {
        self.run.engine_name(engine)
    }

    /// Who plays a side of a game that is over.
    pub fn name_in(&self, game: &FinishedGame, side: Side) -> &str {
        self.engine_name(game.engines[side as usize])
    }

    /// A game that is over, by its number, which counts from 1.
    pub fn finished_game(&self, number: u32) -> Option<&FinishedGame> {
        let index = self.by_number.get(&number.checked_sub(1)?)?;
        self.finished.get(*index)
    }

    /// The score by now, the sentence that says it, and how the run stands; `is_running` is whether it was going on
    /// before its journal was read to this point.
    pub fn score(&self, is_running: bool) -> Score {
        let phase = match self.run.phase(is_running) {
            RunPhase::Running if self.run.pace().paused => RunPhase::Paused,
            phase => phase,
        };
        let text =
            StatusText { run: &self.run, phase: &phase, now: Timestamp::now(), width: 100, colour: false };
        let first_line = text.lines().into_iter().next().unwrap_or_default();
        let summary = self.run.summary();
        Score { verdict: verdict(&summary), state: first_line.trim().to_owned(), summary, is_running }
    }
}

/// What the games say so far.
#[derive(Clone, Debug)]
pub struct Score {
    /// The figures.
    pub summary: Summary,
    /// The sentence.
    pub verdict: String,
    /// How the run stands, in words.
    pub state: String,
    /// Whether it is going on.
    pub is_running: bool,
}
