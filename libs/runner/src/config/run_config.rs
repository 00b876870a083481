//! What a run is: everything needed to repeat it, or to go on with it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Adjudication, Format, PgnConfig, SearchLimits, UciSetting, duration_text};
use referee::Variant;
use referee::openings::{BookFormat, OpeningOrder};
use stats::Sprt;

/// The whole validated configuration of a run, as `run.toml` records it. A user may write the same text by hand: what
/// has a default can be left out, and a name that is not known is an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunConfig {
    /// How many games two engines that meet play; an even number, since every opening is played with both colours.
    pub games: u32,
    /// Who meets whom.
    #[serde(default, skip_serializing_if = "Format::is_default")]
    pub format: Format,
    /// How many games are played at once.
    #[serde(default = "default_concurrency")]
    pub concurrency: usize,
    /// Whether every game gets cores of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub affinity: bool,
    /// How many engines that do not play just now are kept alive for each game at once; those that have waited longest
    /// are ended first.
    #[serde(default = "default_idle_engines", skip_serializing_if = "is_default_idle_engines")]
    pub idle_engines: usize,
    /// The rules of castling.
    #[serde(default)]
    pub variant: Variant,
    /// By how much a clock may be overstepped before it is a time loss.
    #[serde(rename = "timemargin", alias = "margin_us", default, with = "duration_text")]
    pub time_margin: Duration,
    /// How often in a row an engine may fail to start before the run is stopped.
    #[serde(default = "default_start_attempts")]
    pub start_attempts: u32,
    /// How long an engine may be silent.
    #[serde(default, alias = "patience")]
    pub timeouts: Timeouts,
    /// What bounds the search of every engine that has no limits of its own.
    #[serde(default)]
    pub limits: SearchLimits,
    /// Whether engines think on their opponents' time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
    /// The openings.
    pub book: BookConfig,
    /// Which games are cut short.
    #[serde(default)]
    pub adjudication: Adjudication,
    /// What `games.pgn` tells.
    #[serde(default, skip_serializing_if = "PgnConfig::is_default")]
    pub pgn: PgnConfig,
    /// The sequential test that may end the run early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// The engines, at least two.
    #[serde(rename = "engine")]
    pub engines: Vec<EngineConfig>,
    /// Where, when and by what the run was made; not part of what was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
}

/// Deadlines that are no part of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Timeouts {
    /// From the start of the process to `uciok`, and from `isready` to `readyok`.
    #[serde(alias = "ready_us", with = "duration_text")]
    pub ready: Duration,
    /// The longest search in a game without a clock.
    #[serde(alias = "stall_us", with = "duration_text")]
    pub stall: Duration,
    /// How long an engine that has overstepped its time is still waited for, to learn how late its answer is. What
    /// comes in that time is a time loss, what does not is a stall.
    #[serde(alias = "late_us", with = "duration_text")]
    pub late: Duration,
}

/// An engine and how it is started.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineConfig {
    /// The name in reports; no two engines share one.
    pub name: String,
    /// The program file.
    pub program: PathBuf,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// What its environment has beside ours.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// The folder it runs in; the current one by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// UCI options in the order in which they are sent, each `Name=value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<UciSetting>,
    /// The SHA-256 of the program file in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// What the engine calls itself (`id name`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The revision that it was built from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// When that revision was committed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub committed: Option<Timestamp>,
    /// Limits of its own, in place of those of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<SearchLimits>,
}

/// Where the openings come from and how they are drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BookConfig {
    /// The file, or the name of a book that ships with the program.
    pub path: PathBuf,
    /// Whether `path` names a book that ships with the program.
    #[serde(default)]
    pub embedded: bool,
    /// How the file is written; by its ending where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<BookFormat>,
    /// In which order the openings are played.
    #[serde(default)]
    pub order: BookOrder,
    /// The seed of a random order, below 2⁶³ (a TOML integer).
    #[serde(default)]
    pub seed: u64,
    /// The longest opening in plies; the rest of a line is left to the engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// How many openings of the order are left out at the beginning.
    #[serde(default)]
    pub start: usize,
    /// The SHA-256 of the file in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// The order in which openings are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BookOrder {
    /// As in the file.
    Sequential,
    /// Shuffled by the seed.
    #[default]
    Random,
}

/// Where a run was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// The command line as it was typed.
    pub command: Vec<String>,
    /// The version of Arbiter.
    pub arbiter: String,
    /// The model of the processor.
    pub cpu: String,
    /// How many cores the machine has.
    pub cores: usize,
    /// The operating system.
    pub os: String,
    /// When the run was started.
    pub date: Timestamp,
}

impl BookConfig {
    /// A book as a file that names nothing but its path configures it: all of its openings, whole, shuffled by seed 0.
    pub fn of(path: impl Into<PathBuf>) -> BookConfig {
        BookConfig {
            path: path.into(),
            embedded: false,
            format: None,
            order: BookOrder::default(),
            seed: 0,
            plies: None,
            start: 0,
            sha256: None,
        }
    }

    /// The order in the terms of the book, for drawing from it and for reading it; `start` is left to the schedule,
    /// where it counts for either order.
    pub fn opening_order(&self) -> OpeningOrder {
        match self.order {
            BookOrder::Sequential => OpeningOrder::Sequential { start: 0 },
            BookOrder::Random => OpeningOrder::Random { seed: self.seed },
        }
    }
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            ready: Duration::from_secs(10),
            stall: Duration::from_mins(1),
            late: Duration::from_secs(2),
        }
    }
}

impl RunConfig {
    /// How often in a row an engine may fail to start unless something else is asked for.
    pub const DEFAULT_START_ATTEMPTS: u32 = 3;

    /// How many idle engines are kept for each game at once unless something else is asked for: a round robin of eight
    /// starts every engine once.
    pub const DEFAULT_IDLE_ENGINES: usize = 6;

    /// A run as a file that leaves out what it may configures it: a round robin of one game at once by the rules of
    /// standard chess, without limits, margin, pondering, affinity, adjudication or test.
    pub fn of(games: u32, book: BookConfig, engines: Vec<EngineConfig>) -> RunConfig {
        RunConfig {
            games,
            format: Format::default(),
            concurrency: default_concurrency(),
            affinity: false,
            idle_engines: RunConfig::DEFAULT_IDLE_ENGINES,
            variant: Variant::default(),
            time_margin: Duration::ZERO,
            start_attempts: RunConfig::DEFAULT_START_ATTEMPTS,
            timeouts: Timeouts::default(),
            limits: SearchLimits::default(),
            ponder: false,
            book,
            adjudication: Adjudication::default(),
            pgn: PgnConfig::default(),
            sprt: None,
            engines,
            made: None,
        }
    }

    /// The limits of one engine: its own, or those of the run.
    pub fn limits_of(&self, engine: usize) -> &SearchLimits {
        self.engines.get(engine).and_then(|engine| engine.limits.as_ref()).unwrap_or(&self.limits)
    }

    /// Whether both configurations ask for the same games. Where and when each was made, how many games run at once and
    /// on which cores, how many engines are kept alive, what the PGN says about the moves, and what the engines called
    /// themselves do not matter.
    pub fn asks_for_the_same_as(&self, other: &RunConfig) -> bool {
        let essence = |config: &RunConfig| {
            let mut essence =
                RunConfig { made: None, concurrency: 1, affinity: false, idle_engines: 0, ..config.clone() };
            essence.pgn = PgnConfig::default();
            for engine in &mut essence.engines {
                engine.version = None;
            }
            essence
        };
        essence(self) == essence(other)
    }
}

fn default_concurrency() -> usize {
    1
}

fn default_idle_engines() -> usize {
    RunConfig::DEFAULT_IDLE_ENGINES
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde prescribes the reference")]
fn is_default_idle_engines(count: &usize) -> bool {
    *count == RunConfig::DEFAULT_IDLE_ENGINES
}

fn default_start_attempts() -> u32 {
    RunConfig::DEFAULT_START_ATTEMPTS
}

#[cfg(test)]
mod tests {
    use super::*;

    const BY_HAND: &str = r#"
        games = 200
        concurrency = 2
        [limits]
        clock = "10+0.1"
        [book]
        path = "balanced.epd"
        seed = 7
        [adjudication]
        draw = "move=40,count=8,score=10"
        [[engine]]
        name = "new"
        program = "target/release/tarrasch"
        options = ["Hash=16", "Clear Hash"]
        [[engine]]
        name = "old"
        program = "/opt/old/tarrasch"
        limits = { nodes = 5000 }
    "#;

    #[test]
    fn what_a_user_writes_is_what_a_run_records() {
        let config: RunConfig = toml::from_str(BY_HAND).unwrap();
        assert_eq!(config.limits_of(1).nodes, Some(5000));
        assert_eq!(config.engines[0].options[0].value.as_deref(), Some("16"));
        let recorded = toml::to_string(&config).unwrap();
        assert_eq!(toml::from_str::<RunConfig>(&recorded).unwrap(), config);
    }

    #[test]
    fn what_a_user_leaves_out_is_what_a_new_configuration_has() {
        let text = "games = 2\n[book]\npath = 'a.epd'\n[[engine]]\nname = 'new'\nprogram = 'x'\n";
        let engine = EngineConfig { name: "new".to_owned(), program: "x".into(), ..EngineConfig::default() };
        let config = RunConfig::of(2, BookConfig::of("a.epd"), vec![engine]);
        assert_eq!(toml::from_str::<RunConfig>(text).unwrap(), config);
    }

    #[test]
    fn an_unknown_name_is_an_error_that_says_where() {
        let text = BY_HAND.replace("seed = 7", "sead = 7");
        let message = toml::from_str::<RunConfig>(&text).unwrap_err().to_string();
        assert!(message.contains("sead") && message.contains("line 8"), "{message}");
    }

    #[test]
    fn the_number_of_games_at_once_does_not_make_another_run() {
        let config: RunConfig = toml::from_str(BY_HAND).unwrap();
        let faster = RunConfig { concurrency: 8, ..config.clone() };
        assert!(config.asks_for_the_same_as(&faster));
        let longer = RunConfig { games: 400, ..config.clone() };
        assert!(!config.asks_for_the_same_as(&longer));
    }
}
