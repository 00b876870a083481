//! The events of a run; each is one line of the journal.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{GameRecord, WarningKind};
use crate::{MachineNoise, RunConfig};

/// Something that happened. In `events.jsonl` each is one JSON object with its kind under `event`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The first line of every journal.
    RunStarted {
        /// What was asked for; a journal is only continued with the same.
        config: Box<RunConfig>,
        /// How many games the schedule has.
        games: u32,
        /// When it happened.
        at: Timestamp,
    },
    /// The run goes on after an interruption.
    RunResumed {
        /// How many games the journal already holds.
        finished: u32,
        /// When it happened.
        at: Timestamp,
    },
    /// The run was paused, went on after a pause, or plays more or fewer games at once from now on.
    PaceChanged {
        /// Whether no game is started until further notice.
        paused: bool,
        /// Games at once when not paused.
        concurrency: usize,
        /// When it happened.
        at: Timestamp,
    },
    /// A game began.
    GameStarted {
        /// Index in the schedule.
        game: u32,
        /// Index of the engine with the white pieces.
        white: usize,
        /// Index of the engine with the black pieces.
        black: usize,
        /// When it happened.
        at: Timestamp,
    },
    /// A game ended.
    GameFinished(Box<GameRecord>),
    /// An engine did something wrong that does not cost it the game. Only the first of each kind and engine is recorded;
    /// the records of the games have them all.
    EngineWarning {
        /// The game it happened in.
        game: u32,
        /// Index of the engine.
        engine: usize,
        /// The kind of warning.
        kind: WarningKind,
        /// What it did, in words.
        text: String,
        /// The move in UCI notation or the option that it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        culprit: Option<String>,
    },
    /// The machine became noisy or quiet. Reported for timed games where the system has counters, after 10 seconds at the
    /// earliest.
    MachineNoise {
        /// What was measured; `None` when the machine is quiet.
        noise: Option<MachineNoise>,
        /// When it happened.
        at: Timestamp,
    },
    /// A Syzygy tablebase cannot be read; games continue without it. Reported once for each table.
    TableUnreadable {
        /// The game in which it was first asked.
        game: u32,
        /// Which table, and what is wrong with it.
        text: String,
    },
    /// The run is over, or interrupted.
    RunFinished {
        /// Why.
        reason: FinishReason,
        /// When it happened.
        at: Timestamp,
    },
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FinishReason {
    /// Every game of the schedule was played.
    AllGamesPlayed,
    /// The sequential test accepted its null hypothesis.
    AcceptedH0,
    /// The sequential test accepted its alternative.
    AcceptedH1,
    /// The SPRT was given up: too few games were left to accept H1.
    GaveUp,
    /// The user asked for it; the run can be resumed.
    Requested,
    /// Not all parts of the run were there when they were put together; the run can be resumed.
    GamesMissing,
    /// An engine failed to start several times in a row; the run can be resumed.
    EngineDoesNotStart {
        /// Index of the engine.
        engine: usize,
        /// How the last attempt failed.
        detail: String,
    },
}
