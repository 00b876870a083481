//! The events of a run; each is one line of the journal.

use std::sync::Arc;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GameRecord, Machine};
use crate::{MachineNoise, Pairing, PoolDecision, PoolView, RunConfig};
use referee::Side;
use stats::OutOfReach;

/// An event of a run. In `events.jsonl` each is one JSON object, whose field `event` has its kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The first line of every journal.
    RunStarted {
        /// The configuration; a journal is only continued with the same one.
        config: Arc<RunConfig>,
        /// The number of games of the schedule.
        games: u32,
        /// When it happened.
        at: Timestamp,
    },
    /// The run continues after an interruption.
    RunResumed {
        /// The number of games that the journal already holds.
        finished: u32,
        /// When it happened.
        at: Timestamp,
    },
    /// The games with this number in `machine` are played on this machine.
    MachineJoined {
        /// The number of the machine, from 0.
        number: u32,
        /// The machine.
        machine: Machine,
        /// When it happened.
        at: Timestamp,
    },
    /// The run was paused or continued, or plays more or fewer games at once from now on.
    PaceChanged {
        /// Whether new games are held back.
        paused: bool,
        /// The number of games at once when not paused.
        concurrency: usize,
        /// When it happened.
        at: Timestamp,
    },
    /// A game began.
    GameStarted {
        /// The game's index in the schedule.
        game: u32,
        /// The index of the engine with the white pieces.
        white: usize,
        /// The index of the engine with the black pieces.
        black: usize,
        /// When it happened.
        at: Timestamp,
    },
    /// A game ended.
    GameFinished(Box<GameRecord>),
    /// An engine made an error that does not cost it the game. Only the first of each kind and engine is recorded; the
    /// game records have all of them.
    EngineWarning {
        /// The game in which it happened.
        game: u32,
        /// The index of the engine.
        engine: usize,
        /// The kind of warning.
        kind: WarningKind,
        /// The warning in words.
        text: String,
        /// The move in UCI notation or the option that the warning is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        culprit: Option<String>,
    },
    /// The machine became noisy or quiet. Reported for timed games if the system has the counters, after 10 seconds at the
    /// earliest.
    MachineNoise {
        /// The measurement; `None` if the machine is quiet.
        noise: Option<MachineNoise>,
        /// When it happened.
        at: Timestamp,
    },
    /// A Syzygy tablebase cannot be read; games continue without it. Reported once for each table.
    TableUnreadable {
        /// The game that first needed it.
        game: u32,
        /// The table and the error.
        text: String,
    },
    /// A shard has read the results of all shards of its run.
    PoolRead(Box<PoolView>),
    /// The sequential test of a pool has decided: from the results that this shard read, or by another shard's report.
    PoolDecided {
        /// The decision and its basis.
        decision: Box<PoolDecision>,
        /// When it happened.
        at: Timestamp,
    },
    /// The run has ended, or was interrupted.
    RunFinished {
        /// The reason.
        reason: FinishReason,
        /// When it happened.
        at: Timestamp,
    },
}

impl Event {
    /// Adds `by` to all engine indices from `from` on, since that many more engines come before them.
    pub fn move_engines(&mut self, from: usize, by: usize) {
        let moved: &mut [&mut usize] = match self {
            Event::GameStarted { white, black, .. } => &mut [white, black],
            Event::GameFinished(game) => &mut [&mut game.white, &mut game.black],
            Event::EngineWarning { engine, .. }
            | Event::RunFinished { reason: FinishReason::EngineDoesNotStart { engine, .. }, .. } => {
                &mut [engine]
            }
            _ => &mut [],
        };
        moved.iter_mut().filter(|engine| ***engine >= from).for_each(|engine| **engine += by);
    }
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FinishReason {
    /// Every game of the schedule was played.
    AllGamesPlayed,
    /// The sequential test accepted H0.
    AcceptedH0,
    /// The sequential test accepted H1.
    AcceptedH1,
    /// The SPRT was given up: too few games were left to accept H1.
    GaveUp,
    /// The best of several candidates is known.
    FoundBest,
    /// The base is too weak or too strong to tell which of several candidates is the best.
    BaseOutOfReach {
        /// Whether it is too weak or too strong.
        base: OutOfReach,
    },
    /// The user stopped the run; it can be resumed.
    Requested,
    /// Games were missing when the shards were merged; the run can be resumed.
    GamesMissing,
    /// An engine failed to start several times in a row; the run can be resumed.
    EngineDoesNotStart {
        /// The index of the engine.
        engine: usize,
        /// The failure of the last attempt.
        detail: String,
    },
    /// A program or another file of an engine has changed since the start of the run; once it is restored, the run can
    /// be resumed.
    FileChanged {
        /// The file, and what happened to it.
        detail: String,
    },
}

/// The kinds of warning. No warning costs anything: the game goes on as if nothing had happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WarningKind {
    /// The engine was sent an option that it did not announce.
    UnknownOption,
    /// Its last PV has an illegal move.
    IllegalLine,
    /// It played another move than the first of its last PV.
    OtherMove,
    /// Its last PV goes on after checkmate.
    LineAfterCheckmate,
    /// Its last PV goes on after stalemate.
    LineAfterStalemate,
    /// Its last PV is shorter than the mate that it reported.
    MateTooShort,
    /// Its last PV is longer than the mate that it reported.
    MateTooLong,
    /// Its last PV has the length of the mate that it reported and does not end in it.
    NoMateAtEnd,
    /// It sent an unexpected `bestmove`, which was ignored.
    UnaskedMove,
    /// Its answer was taken although it is not in the notation of the protocol.
    OddNotation,
    /// A field of its last `info` has a value that cannot be read.
    UnreadInfo,
    /// It sent lines during a search that are not part of the protocol.
    UnknownLine,
    /// It was pondering when the game ended, and did not stop when told to.
    StopIgnored,
    /// Its program was replaced; the run goes on with the original program.
    ProgramReplaced,
    /// Not the engine's fault: the runner was late to read its answer and deducted the wait from its time.
    RunnerLate,
}

/// The warnings of one game. An engine that makes an error once makes it with every move, so for each kind only the first
/// warning is kept in words and the rest are counted.
#[derive(Debug, Default)]
pub(crate) struct GameWarnings {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    side: Side,
    kind: WarningKind,
    text: String,
    culprit: Option<String>,
    /// The number of further warnings of this kind.
    more: u32,
}

impl GameWarnings {
    pub(crate) fn add(&mut self, side: Side, kind: WarningKind, text: String, culprit: Option<String>) {
        match self.entries.iter_mut().find(|entry| entry.side == side && entry.kind == kind) {
            Some(known) => known.more += 1,
            None => self.entries.push(Entry { side, kind, text, culprit, more: 0 }),
        }
    }

    pub(crate) fn texts(&self) -> Vec<String> {
        self.entries.iter().map(|entry| format!("{}: {}", entry.side, entry.full_text())).collect()
    }

    pub(crate) fn events(&self, pairing: Pairing) -> impl Iterator<Item = Event> {
        self.entries.iter().map(move |entry| Event::EngineWarning {
            game: pairing.game,
            engine: pairing.engine(entry.side),
            kind: entry.kind,
            text: entry.full_text(),
            culprit: entry.culprit.clone(),
        })
    }
}

impl Entry {
    fn full_text(&self) -> String {
        match self.more {
            0 => self.text.clone(),
            1 => format!("{}, and once more", self.text),
            more => format!("{}, and {more} times more", self.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_each_kind_and_side_the_first_is_told_and_the_others_are_counted() {
        let mut warnings = GameWarnings::default();
        for (side, kind, text) in [
            (Side::White, WarningKind::OtherMove, "a"),
            (Side::Black, WarningKind::OtherMove, "b"),
            (Side::White, WarningKind::OtherMove, "c"),
            (Side::White, WarningKind::IllegalLine, "d"),
            (Side::White, WarningKind::OtherMove, "e"),
        ] {
            warnings.add(side, kind, text.to_owned(), None);
        }
        assert_eq!(warnings.texts(), ["White: a, and 2 times more", "Black: b", "White: d"]);
    }
}
