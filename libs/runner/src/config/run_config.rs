//! The configuration of a run: everything needed to repeat or to resume it.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use serde::de::{Deserializer, Error};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use super::{
    Adjudication, Affinity, Format, GameLogs, JudgedAs, PgnConfig, PoolConfig, PoolPlace, Rounds,
    SearchLimits, Shard, duration_text,
};
use crate::process::ClockKind;
use crate::{EngineFile, Machine};
use referee::Variant;
use referee::openings::{BookFormat, OpeningOrder};
use stats::{BestRule, Observations, Sprt, SpsaPlan};

/// The configuration of a run, as `run.toml` records it. A user may write the same file by hand: fields with a default
/// are optional, and an unknown field is an error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "the file has a switch for each")]
pub struct RunConfig {
    /// Games of each pairing; a multiple of the games of a round, which are two unless `rounds` says otherwise.
    pub games: u32,
    /// Which part of the run is played, if not all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Where the shards of the run tell each other what they have come to, so that their sequential test stops them all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<PoolConfig>,
    /// Games at the beginning of the schedule that are left out, since they were played elsewhere.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub skipped: u32,
    /// The results of those games, from which the SPRT goes on; without them a run that skips games has no test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<Observations>,
    /// What the games of a round have in common.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub rounds: Rounds,
    /// The tournament format.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub format: Format,
    /// Which engines meet, in their order, where it is not that of the format; the first named has White first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub encounters: Vec<(usize, usize)>,
    /// Games played at the same time.
    #[serde(default = "default_concurrency")]
    pub concurrency: usize,
    /// Whether each game is pinned to cores of its own.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub affinity: Affinity,
    /// Idle engines kept running for each concurrent game; the one idle for longest is ended first.
    #[serde(default = "default_idle_engines", skip_serializing_if = "is_default_idle_engines")]
    pub idle_engines: usize,
    /// The rules of castling.
    #[serde(default)]
    pub variant: Variant,
    /// By how much a clock may be overstepped before it is a time loss.
    #[serde(rename = "timemargin", default, with = "duration_text")]
    pub time_margin: Duration,
    /// The run stops when an engine fails to start this many times in a row.
    #[serde(default = "default_start_attempts")]
    pub start_attempts: u32,
    /// The timeouts of engines.
    #[serde(default)]
    pub timeouts: Timeouts,
    /// The time between two games of a worker.
    #[serde(default, skip_serializing_if = "Duration::is_zero", with = "duration_text")]
    pub wait: Duration,
    /// Which time is that of the games.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub clock: ClockKind,
    /// The search limits of all engines without limits of their own.
    #[serde(default)]
    pub limits: SearchLimits,
    /// Whether engines ponder.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
    /// The form in which engines get the position.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub position: PositionForm,
    /// The openings.
    pub book: BookConfig,
    /// The adjudication rules.
    #[serde(default)]
    pub adjudication: Adjudication,
    /// The program whose judgements the games follow.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub judged_as: JudgedAs,
    /// The games whose protocol is kept.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub logs: GameLogs,
    /// The fields of `games.pgn`.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub pgn: PgnConfig,
    /// The SPRT that may end the run early. In a gauntlet with more than one pairing each pairing has one, and alpha is
    /// that of all of them together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// The SPRT is given up when the games left would accept a true H1 with a probability below this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub give_up: Option<f64>,
    /// Whether a run of several pairings with an SPRT each stops when one accepts H1.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stop_at_first: bool,
    /// Whether the SPRT counts single games (trinomial) instead of opening pairs (pentanomial).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub trinomial: bool,
    /// Whether the SPRT counts games that repeat earlier ones, as other programs do; estimates do not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub test_repeats: bool,
    /// The best of several candidates is looked for, each of which plays the last engine: pairs are dealt by the results, and
    /// the run ends when the best is known. `games` of each candidate are for all together then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<BestRule>,
    /// The SPSA of a tuning run. Both engines are then the same program, and each pair of games has other values of the
    /// tuned options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spsa: Option<SpsaPlan>,
    /// Whether engines are warned whose PV for a mate score does not have the right length or does not end in mate.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub check_mate_pvs: bool,
    /// Whether engines are sent options that they do not have; otherwise such an option is an error.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub allow_unknown: bool,
    /// The engines, at least two.
    #[serde(rename = "engine")]
    pub engines: Vec<EngineConfig>,
    /// Where, when and with which program the run was started; not part of the configuration proper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
}

/// Timeouts outside the time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Timeouts {
    /// From the start of the process to `uciok`, and from `isready` to `readyok`.
    #[serde(with = "duration_text")]
    pub ready: Duration,
    /// The longest search in a game without a clock; a longer one is a stall.
    #[serde(with = "duration_text")]
    pub stall: Duration,
    /// How long to wait for an engine that has overstepped its clock. An answer in that time is a time loss, none is a
    /// stall.
    #[serde(with = "duration_text")]
    pub late: Duration,
}

/// An engine: its program, options and limits.
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
    /// Environment variables with their values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// The names of variables that it gets with our values, beside those that every program needs; `*` means all that do
    /// not look like secrets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pass_env: Vec<String>,
    /// Its working folder; by default the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// Lines that it gets before `uci`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub init: Vec<String>,
    /// A file that its error output is added to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<PathBuf>,
    /// Whether its scores are those of White, and not of the side to move.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub white_pov: bool,
    /// A Polyglot book that moves for it as long as it can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<EngineBook>,
    /// Whether it is started anew for every game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restart: bool,
    /// What only one game at a time may use, such as a graphics card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exclusive: Option<String>,
    /// How long it may take to start, where that is not the `ready` of the run.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "duration_text")]
    pub start_timeout: Option<Duration>,
    /// UCI options in the order in which they are sent, each `Name=value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<UciSetting>,
    /// The SHA-256 of the program file in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The other files that it is known to read, as they were at the start of the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<EngineFile>,
    /// The `id name` of the engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The git revision that it was built from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// The date of that commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub committed: Option<Timestamp>,
    /// The batch from which it plays, if it joined a run for the best of several candidates that had begun without it.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub from_batch: u32,
    /// Search limits of this engine, which replace those of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<SearchLimits>,
    /// Its own time margin, which replaces that of the run.
    #[serde(rename = "timemargin", default, skip_serializing_if = "Option::is_none", with = "duration_text")]
    pub time_margin: Option<Duration>,
}

/// A Polyglot book that moves for one engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineBook {
    /// The file.
    pub path: PathBuf,
    /// The full moves of a game, those of its opening included, after which it has no say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<usize>,
}

/// The opening book and the order of its openings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BookConfig {
    /// The file, or the name of a book that ships with the program.
    pub path: PathBuf,
    /// Whether `path` names a book that ships with the program.
    #[serde(default)]
    pub embedded: bool,
    /// The format; by default that of the file name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<BookFormat>,
    /// The order of the openings.
    #[serde(default)]
    pub order: BookOrder,
    /// The seed of a random order. From 2⁶³ on it is a text, since TOML has no integer for it.
    #[serde(default, serialize_with = "seed_as_text", deserialize_with = "seed_from_text")]
    pub seed: u64,
    /// Whether every pairing of a round has an opening of its own, instead of one for all.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub per_pairing: bool,
    /// With `per_pairing`: whether the openings begin anew after as many as there are rounds, as in fastchess; otherwise
    /// when the book ends. A run that does not say was begun when they always did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrap: Option<bool>,
    /// With `per_pairing`: how many encounters in a row share their openings, turn by turn and then from the first turn
    /// again. None means that each has its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<u32>,
    /// The most plies that are played of an opening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// Openings skipped at the beginning of the order.
    #[serde(default)]
    pub start: usize,
    /// The number of rounds in a row with the same opening, if it is more than one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<NonZeroU32>,
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
    /// Shuffled by the seed as fastchess does it.
    Fastchess,
}

/// The place, time and program of the start of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// The command line.
    pub command: Vec<String>,
    /// The version of Arbiter.
    pub arbiter: String,
    /// The name of the machine; empty in what was made before it was recorded.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub host: String,
    /// The model of the processor.
    pub cpu: String,
    /// The number of cores.
    pub cores: usize,
    /// The operating system.
    pub os: String,
    /// When the run was started.
    pub date: Timestamp,
    /// The folder in which that was, to which its relative paths belong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
}

impl Made {
    /// The machine on which the run was started.
    pub fn machine(&self) -> Machine {
        Machine { name: self.host.clone(), cpu: self.cpu.clone(), cores: self.cores, benches: Vec::new() }
    }
}

impl BookConfig {
    /// A book as a file that names nothing but its path configures it: all of its openings, whole, shuffled by seed 0.
    pub fn of(path: impl Into<PathBuf>) -> BookConfig {
        BookConfig { path: path.into(), ..BookConfig::default() }
    }

    /// The order in the terms of the book, for drawing from it and for reading it; `start` is left to the schedule,
    /// where it counts for either order.
    pub fn opening_order(&self) -> OpeningOrder {
        match self.order {
            BookOrder::Sequential => OpeningOrder::Sequential { start: 0 },
            BookOrder::Random => OpeningOrder::Random { seed: self.seed },
            BookOrder::Fastchess => OpeningOrder::Fastchess { seed: self.seed },
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
    /// The default of `start_attempts`.
    pub const DEFAULT_START_ATTEMPTS: u32 = 3;

    /// The default of `idle_engines`: enough to start each engine of a round robin of eight only once.
    pub const DEFAULT_IDLE_ENGINES: usize = 6;

    /// A run with the defaults of a run file: a round robin of standard chess with a concurrency of 1, without limits,
    /// time margin, pondering, affinity, adjudication or SPRT.
    pub fn of(games: u32, book: BookConfig, engines: Vec<EngineConfig>) -> RunConfig {
        RunConfig {
            games,
            concurrency: default_concurrency(),
            idle_engines: RunConfig::DEFAULT_IDLE_ENGINES,
            start_attempts: RunConfig::DEFAULT_START_ATTEMPTS,
            book,
            engines,
            ..RunConfig::default()
        }
    }

    /// A run for the best of several candidates with more of them, who play from this batch on. Their indices are those before
    /// the last engine, against which all play.
    #[must_use]
    pub fn with_candidates(&self, newcomers: Vec<EngineConfig>, from_batch: u32) -> RunConfig {
        let mut config = self.clone();
        let base = config.engines.len().saturating_sub(1);
        let newcomers: Vec<_> =
            newcomers.into_iter().map(|engine| EngineConfig { from_batch, ..engine }).collect();
        config.format = Format::Gauntlet { challengers: base + newcomers.len() };
        config.engines.splice(base..base, newcomers);
        config
    }

    /// The search limits of an engine: its own, or those of the run.
    pub fn limits_of(&self, engine: usize) -> &SearchLimits {
        self.engines.get(engine).and_then(|engine| engine.limits.as_ref()).unwrap_or(&self.limits)
    }

    /// By how much the clock of an engine may be overstepped.
    pub fn time_margin_of(&self, engine: usize) -> Duration {
        self.engines.get(engine).and_then(|engine| engine.time_margin).unwrap_or(self.time_margin)
    }

    /// Whether any engine has a clock or a time for its moves.
    pub fn is_timed(&self) -> bool {
        (0..self.engines.len()).any(|engine| self.limits_of(engine).is_timed())
    }

    /// Whether the results of all games are known here, so that a sequential test can decide.
    pub const fn is_whole(&self) -> bool {
        self.shard.is_none() && (self.skipped == 0 || self.earlier.is_some())
    }

    /// Whether nobody plays here: the games are those of PGN files, whose engines have no programs.
    pub fn is_of_files(&self) -> bool {
        self.engines.iter().all(|engine| engine.program.as_os_str().is_empty())
    }

    /// Whether a game goes on where the rules for draws and resignations would end it.
    pub fn is_played_out(&self, game: u32) -> bool {
        self.adjudication.play_out.is_some_and(|share| share.includes(self.book.seed, game))
    }

    /// The rules that may end a game.
    pub fn adjudication_of(&self, game: u32) -> Adjudication {
        if self.is_played_out(game) { self.adjudication.without_scores() } else { self.adjudication.clone() }
    }

    /// What of it decides the games: without the start, how many games run at once and on which cores, how many engines are
    /// kept alive and what they have for themselves, which games are logged, and what the PGN says about the moves.
    #[must_use]
    pub fn essence(&self) -> RunConfig {
        let mut essence = RunConfig {
            made: None,
            // Which games are played depends on whether there is one, and not on its place.
            pool: self.pool.as_ref().map(|_| PoolConfig { place: PoolPlace::Pipe, every: None }),
            concurrency: 1,
            affinity: Affinity::Pinned(false),
            idle_engines: 0,
            logs: GameLogs::default(),
            pgn: PgnConfig::default(),
            ..self.clone()
        };
        for engine in &mut essence.engines {
            (engine.exclusive, engine.start_timeout) = (None, None);
        }
        essence
    }

    /// What all shards of a run have in common: its [essence](RunConfig::essence) without the shard, and without the paths of
    /// programs and book, which are known by their SHA-256.
    #[must_use]
    pub fn essence_of_all_shards(&self) -> RunConfig {
        let mut essence = RunConfig { shard: None, pool: None, ..self.essence() };
        if essence.book.sha256.is_some() {
            essence.book.path = PathBuf::new();
        }
        for engine in &mut essence.engines {
            engine.files.iter_mut().for_each(|file| file.path = PathBuf::new());
            if engine.sha256.is_some() {
                engine.program = PathBuf::new();
                engine.dir = None;
            }
        }
        essence
    }

    /// Whether both configurations lead to the same games: they have the same [essence](RunConfig::essence), whatever the
    /// engines called themselves.
    pub fn asks_for_the_same_as(&self, other: &RunConfig) -> bool {
        let [one, other] = [self, other].map(|config| {
            let mut essence = config.essence();
            essence.engines.iter_mut().for_each(|engine| engine.version = None);
            essence
        });
        one == other
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

/// The form in which engines get the position of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PositionForm {
    /// The start and all moves since, as GUIs do.
    #[default]
    Moves,
    /// The FEN after the last capture or pawn move and the moves since, as c-chess-cli does. No earlier position can be
    /// repeated, so an engine misses nothing, and it has less to read.
    Fen,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde prescribes the reference")]
fn seed_as_text<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    match i64::try_from(*seed) {
        Ok(seed) => serializer.serialize_i64(seed),
        Err(_) => serializer.serialize_str(&seed.to_string()),
    }
}

fn seed_from_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let seed = match SeedInFile::deserialize(deserializer)? {
        SeedInFile::Number(seed) => u64::try_from(seed).ok(),
        SeedInFile::Text(seed) => seed.parse().ok(),
    };
    seed.ok_or_else(|| D::Error::custom(NO_SEED))
}

const NO_SEED: &str = "expected a whole number from 0 to 2^64 - 1";

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a whole number from 0 to 2^64 - 1")]
enum SeedInFile {
    Number(i64),
    Text(String),
}

/// An option and its value, written `Hash=16`, or the name alone for a button.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct UciSetting {
    /// The name as the engine announces it; case does not matter.
    pub name: String,
    /// The value; none for a button.
    pub value: Option<String>,
}

impl UciSetting {
    /// Reads `Name=value`. Any text is a setting: whether the engine has such an option shows when it is started.
    pub fn read(text: &str) -> UciSetting {
        match text.split_once('=') {
            Some((name, value)) => {
                UciSetting { name: name.trim().to_owned(), value: Some(value.trim().to_owned()) }
            }
            None => UciSetting { name: text.trim().to_owned(), value: None },
        }
    }
}

impl fmt::Display for UciSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(f, "{}={value}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

impl From<String> for UciSetting {
    fn from(text: String) -> UciSetting {
        UciSetting::read(&text)
    }
}

impl From<UciSetting> for String {
    fn from(setting: UciSetting) -> String {
        setting.to_string()
    }
}

#[cfg(test)]
impl RunConfig {
    /// A run file with engines of these names, five nodes a move, and these lines: first those of the run, then tables.
    pub(crate) fn made_up(engines: &[&str], lines: &str) -> RunConfig {
        let engine = |name| format!("[[engine]]\nname = '{name}'\nprogram = '{name}'\n");
        let engines: String = engines.iter().map(engine).collect();
        let text = format!("{lines}\n[limits]\nnodes = 5\n{engines}");
        toml::from_str(&text).unwrap()
    }
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
    fn a_seed_that_toml_has_no_integer_for_is_a_text() {
        let mut config: RunConfig = toml::from_str(BY_HAND).unwrap();
        config.book.seed = u64::MAX;
        let recorded = toml::to_string(&config).unwrap();
        assert!(recorded.contains("seed = \"18446744073709551615\""), "{recorded}");
        assert_eq!(toml::from_str::<RunConfig>(&recorded).unwrap(), config);
        for wrong in ["-1", "'x'", "1.5"] {
            let text = BY_HAND.replace("seed = 7", &format!("seed = {wrong}"));
            let message = toml::from_str::<RunConfig>(&text).unwrap_err().to_string();
            assert!(message.contains("a whole number from 0 to 2^64 - 1"), "{message}");
        }
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
