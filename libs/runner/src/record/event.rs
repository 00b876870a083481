//! The events of a run; each is one line of the journal.

use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{FinishReason, GameRecord, Machine, Machines, Pairing, PoolDecision, PoolView};
use crate::MachineNoise;
use crate::config::{InvalidInput, RunConfig, upgrade};
use referee::Side;

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
    /// Reads an event that this version cannot read as it stands, because another version of Arbiter wrote it.
    ///
    /// # Errors
    /// As [`RunConfig::of_other_version`].
    pub(crate) fn of_other_version(line: &[u8]) -> Result<Event, Option<InvalidInput>> {
        let mut event: Value = serde_json::from_slice(line).map_err(|_| None)?;
        if let Some(config) = event.get_mut("config") {
            upgrade(config).map_err(Some)?;
        }
        if event["event"] == "engine_warning" && event["kind"] == "mate_distance" {
            event["kind"] = json!("mate_too_long");
        }
        serde_json::from_value(event).map_err(|_| None)
    }

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

impl Machines {
    /// Adds the machine of an event, if it has one.
    pub fn update(&mut self, event: &Event) {
        if let Event::MachineJoined { number, machine, .. } = event {
            self.0.insert(*number, machine.clone());
        }
    }
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

    const OLD: &str = r#"{"event":"run_started","config":{"games":2,"concurrency":1,"margin_us":1500,"start_attempts":3,
        "patience":{"ready_us":10000000,"stall_us":60000000,"late_us":2000000},"limits":{"movetime_ms":50},
        "book":{"path":"b.epd"},"engine":[{"name":"a","program":"a"},
        {"name":"b","program":"b","limits":{"movetime_ms":70}}]},"games":2,"at":"2026-11-21T11:39:07Z"}"#;

    #[test]
    fn what_older_versions_wrote_is_read_and_written_in_the_new_form() {
        let Ok(Event::RunStarted { config, .. }) = Event::of_other_version(OLD.as_bytes()) else {
            panic!("expected the start of a run");
        };
        assert_eq!(config.time_margin.as_micros(), 1500);
        assert_eq!((config.timeouts.stall.as_secs(), config.timeouts.late.as_secs()), (60, 2));
        assert_eq!([0, 1].map(|engine| config.limits_of(engine).movetime.unwrap().as_millis()), [50, 70]);
        let written = toml::to_string(&*config).unwrap();
        assert!(written.starts_with("schema = 2\n"), "{written}");
        assert_eq!(toml::from_str::<RunConfig>(&written).unwrap(), *config);
        let line = r#"{"event":"engine_warning","game":2,"engine":0,"kind":"mate_distance","text":"x"}"#;
        let Ok(Event::EngineWarning { kind, .. }) = Event::of_other_version(line.as_bytes()) else {
            panic!("expected a warning");
        };
        assert_eq!(kind, WarningKind::MateTooLong);
    }
}
