//! The configuration of a run: everything needed to repeat or to resume it.

use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::schema::{self, Schema};
use super::{
    Adjudication, Affinity, BookConfig, ClockKind, EngineConfig, Format, GameLogs, InvalidInput, ListGoal,
    PgnConfig, PoolConfig, Rounds, SearchLimits, Shard, TimeScale, ValuesTest, duration_text,
};
use referee::Variant;
use stats::{BestRule, Observations, Sprt, SpsaPlan};

/// The configuration of a run, as recorded in `run.toml`. Users may write such a file by hand: fields with a default are
/// optional, and an unknown field is an error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "the file has a switch for each")]
pub struct RunConfig {
    /// The version of the format of this file, and of the journal of its run.
    #[serde(default)]
    pub schema: Schema,
    /// Games per pairing; a multiple of the games of a round, which has two unless `rounds` says otherwise.
    pub games: u32,
    /// The part of the run to play; `None` for all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Where the shards of the run exchange their results, so that one sequential test stops them all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<PoolConfig>,
    /// The number of games at the beginning of the schedule that are skipped because they were played elsewhere.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub skipped: u32,
    /// The results of the skipped games, with which the SPRT begins. Without them a run that skips games has no test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<Observations>,
    /// The games of a round, and their colours.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub rounds: Rounds,
    /// Who plays whom: a round robin, a gauntlet or a knockout.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub format: Format,
    /// The pairings, in order, if they are not those of the format; the first engine of a pairing begins with White.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub encounters: Vec<(usize, usize)>,
    /// The maximum number of games in progress.
    #[serde(default = "default_concurrency")]
    pub concurrency: usize,
    /// Whether each game is pinned to cores of its own.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub affinity: Affinity,
    /// Idle engines kept running per concurrent game; the one that has been idle for longest is ended first.
    #[serde(default = "default_idle_engines", skip_serializing_if = "is_default_idle_engines")]
    pub idle_engines: usize,
    /// The rules of castling.
    #[serde(default)]
    pub variant: Variant,
    /// How far a clock may be overstepped before it is a time loss.
    #[serde(rename = "timemargin", default, with = "duration_text")]
    pub time_margin: Duration,
    /// The number of failed starts of an engine in a row after which the run stops.
    #[serde(default = "default_start_attempts")]
    pub start_attempts: u32,
    /// How long an engine may take to get ready, to move without a clock, and to answer after its time is over.
    #[serde(default)]
    pub timeouts: Timeouts,
    /// The pause of a worker between two games.
    #[serde(default, skip_serializing_if = "Duration::is_zero", with = "duration_text")]
    pub wait: Duration,
    /// The clock that times the games.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub clock: ClockKind,
    /// The search limits of engines that have none of their own.
    #[serde(default)]
    pub limits: SearchLimits,
    /// The speed of the machine for which the time limits are meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<TimeScale>,
    /// Whether engines think in their opponents' time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
    /// How the position is sent to engines.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub position: PositionForm,
    /// The file that the openings are taken from, and how they are chosen.
    pub book: BookConfig,
    /// When a game ends before it is over on the board.
    #[serde(default)]
    pub adjudication: Adjudication,
    /// The program whose rules the games follow.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub judged_as: JudgedAs,
    /// The games whose protocol logs are kept.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub logs: GameLogs,
    /// The fields of `games.pgn`.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub pgn: PgnConfig,
    /// The SPRT that may end the run early. In a gauntlet with several pairings each has a test of its own, and they share
    /// alpha.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// The SPRT is given up if the remaining games would accept a true H1 with less than this probability.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub give_up: Option<f64>,
    /// Whether a run with an SPRT for each pairing stops once one of them accepts H1.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stop_at_first: bool,
    /// Whether the SPRT counts single games (trinomial) instead of opening pairs (pentanomial).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub trinomial: bool,
    /// Whether the SPRT counts games that repeat earlier ones, as in other programs; estimates never do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub test_repeats: bool,
    /// The search for the best of several candidates, which all play the last engine. The results decide who plays, and the
    /// run ends when the best is known. There are at most `games` times the number of candidates in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<BestRule>,
    /// What the run is to find out for a rating list. The results decide who plays, and there are at most `games` games in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<ListGoal>,
    /// The SPSA of a tuning run. Both engines are then the same program, with different values of the tuned options in each
    /// pair of games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spsa: Option<SpsaPlan>,
    /// The test of the values that a tuning finds, which is a run of its own once the tuning is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values_test: Option<ValuesTest>,
    /// Whether engines are warned if the PV for a mate score has the wrong length or does not end in mate.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub check_mate_pvs: bool,
    /// Whether engines are sent options that they do not have, which is otherwise an error.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub allow_unknown: bool,
    /// The engines, at least two.
    #[serde(rename = "engine")]
    pub engines: Vec<EngineConfig>,
    /// Where, when and by which program the run was started; not part of the configuration proper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
}

/// Timeouts outside the time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Timeouts {
    /// The timeout from the start of the process to `uciok`, and from `isready` to `readyok`.
    #[serde(with = "duration_text")]
    pub ready: Duration,
    /// The timeout of a search in a game without a clock; a longer one is a stall.
    #[serde(with = "duration_text")]
    pub stall: Duration,
    /// How long to wait for an engine that has overstepped its clock. An answer within this time is a time loss, no answer is
    /// a stall.
    #[serde(with = "duration_text")]
    pub late: Duration,
}

/// The place, time and program of the start of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// The command line.
    pub command: Vec<String>,
    /// The version of Arbiter.
    pub arbiter: String,
    /// The name of the machine; empty in files from before it was recorded.
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
    /// The folder that the run was started in, to which its relative paths refer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
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
    /// The default of `idle_engines`, with which a round robin of eight starts each engine only once.
    pub const DEFAULT_IDLE_ENGINES: usize = 6;

    /// A run with the defaults of a run file: a round robin of standard chess with a concurrency of 1, and no limits, time
    /// margin, pondering, affinity, adjudication or SPRT.
    pub fn of(games: u32, book: BookConfig, engines: Vec<EngineConfig>) -> RunConfig {
        RunConfig {
            games,
            concurrency: default_concurrency(),
            idle_engines: RunConfig::DEFAULT_IDLE_ENGINES,
            start_attempts: default_start_attempts(),
            book,
            engines,
            ..RunConfig::default()
        }
    }

    /// Reads the configuration of another version of Arbiter, which this one cannot read as it stands.
    ///
    /// # Errors
    /// `None` if the problem is not the version; otherwise that the version is too new, and which one is needed.
    pub fn of_other_version(mut value: Value) -> Result<RunConfig, Option<InvalidInput>> {
        schema::upgrade(&mut value).map_err(Some)?;
        serde_json::from_value(value).map_err(|_| None)
    }

    /// A run for the best of several candidates with additional ones, which play from batch `from_batch` on. They come before
    /// the last engine, which all candidates play.
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

    /// The search limits of an engine: its own, or the run's.
    pub fn limits_of(&self, engine: usize) -> &SearchLimits {
        self.engines.get(engine).and_then(|engine| engine.limits.as_ref()).unwrap_or(&self.limits)
    }

    /// How far the clock of an engine may be overstepped.
    pub fn time_margin_of(&self, engine: usize) -> Duration {
        self.engines.get(engine).and_then(|engine| engine.time_margin).unwrap_or(self.time_margin)
    }

    /// The pairings that the configuration lists or, if it lists none, those of [`Format::encounters`].
    pub fn encounters(&self) -> Vec<(usize, usize)> {
        if self.encounters.is_empty() {
            self.format.encounters(self.engines.len())
        } else {
            self.encounters.clone()
        }
    }

    /// The sequential test of each pairing, if the run has an SPRT. Several pairings share its alpha ([`Sprt::one_of`]).
    pub fn sprt_of_pairing(&self) -> Option<Sprt> {
        Some(self.sprt?.one_of(self.encounters().len() as u32))
    }

    /// Whether the run has an SPRT and several pairings, so that each has a test of its own.
    pub fn has_several_tests(&self) -> bool {
        self.sprt.is_some() && self.encounters().len() > 1
    }

    /// Whether any engine has a clock or a time per move.
    pub fn is_timed(&self) -> bool {
        (0..self.engines.len()).any(|engine| self.limits_of(engine).is_timed())
    }

    /// Whether the results of all games are known here, so that a sequential test can decide.
    pub const fn is_whole(&self) -> bool {
        self.shard.is_none() && (self.skipped == 0 || self.earlier.is_some())
    }

    /// Whether the games are from PGN files, whose engines have no programs, so that nothing is played.
    pub fn is_of_files(&self) -> bool {
        self.engines.iter().all(|engine| engine.program.as_os_str().is_empty())
    }

    /// Whether a game goes on where the draw and resign rules would end it.
    pub fn is_played_out(&self, game: u32) -> bool {
        self.adjudication.play_out.is_some_and(|share| share.includes(self.book.seed, game))
    }

    /// The rules that may end this game.
    pub fn adjudication_of(&self, game: u32) -> Adjudication {
        let all = self.adjudication.clone();
        if self.is_played_out(game) { Adjudication { draw: None, resign: None, ..all } } else { all }
    }

    /// The part of the configuration that decides the games: without the start, concurrency, affinity, idle engines, exclusive
    /// resources, start timeouts, logs, the speed of the machine, and what the PGN says about the moves.
    #[must_use]
    pub fn essence(&self) -> RunConfig {
        let mut essence = RunConfig {
            made: None,
            // The schedule depends on whether there is a pool, but not on where it is.
            pool: self
                .pool
                .as_ref()
                .map(|pool| PoolConfig { weights: pool.weights.clone(), ..PoolConfig::PIPE }),
            scale: self.scale.clone().map(|scale| TimeScale { here: None, ..scale }),
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

    /// What all shards of a run have in common: the [essence](RunConfig::essence) without the shard, without the scores with
    /// which a round of a tuning begins, and without the paths of programs, books and other files, which their SHA-256
    /// identifies.
    #[must_use]
    pub fn essence_of_all_shards(&self) -> RunConfig {
        let mut essence = RunConfig { shard: None, pool: None, ..self.essence() };
        essence.spsa.iter_mut().for_each(|spsa| spsa.known.clear());
        if essence.book.sha256.is_some() {
            essence.book.path = PathBuf::new();
        }
        for engine in &mut essence.engines {
            name_files_by_contents(engine);
            if engine.sha256.is_some() {
                engine.program = PathBuf::new();
                engine.dir = None;
            }
        }
        essence
    }

    /// Whether both configurations lead to the same games: the [essence](RunConfig::essence) is the same, except for the names
    /// that engines report.
    pub fn asks_for_the_same_as(&self, other: &RunConfig) -> bool {
        let [one, other] = [self, other].map(|config| {
            let mut essence = config.essence();
            essence.engines.iter_mut().for_each(|engine| engine.version = None);
            essence
        });
        one == other
    }
}

/// Puts the SHA-256 of the files that the engine reads in the place of their paths.
fn name_files_by_contents(engine: &mut EngineConfig) {
    for file in &mut engine.files {
        let path = std::mem::take(&mut file.path).to_string_lossy().into_owned();
        let values = engine.options.iter_mut().filter_map(|option| option.value.as_mut());
        for text in values.chain(&mut engine.args).chain([&mut file.role]).filter(|_| !path.is_empty()) {
            *text = text.replace(&path, &file.sha256);
        }
    }
    engine.book.iter_mut().for_each(|book| book.path = PathBuf::new());
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
    3
}

/// The program whose rules a run follows where match programs differ (`match.cpp` of fastchess; `chessgame.cpp`,
/// `chessplayer.cpp`, `uciengine.cpp` and `gameadjudicator.cpp` of cutechess). `docs/guide/coming-from.md` has a table of
/// the differences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JudgedAs {
    /// Arbiter's own rules.
    #[default]
    Arbiter,
    /// The rules of fastchess.
    Fastchess,
    /// The rules of cutechess-cli.
    Cutechess,
}

/// How the position of a game is sent to engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PositionForm {
    /// The start position and all moves since then, as GUIs do.
    #[default]
    Moves,
    /// The FEN after the last capture or pawn move and the moves since then, as c-chess-cli does. Earlier positions cannot be
    /// repeated, so engines miss nothing and have less to read.
    Fen,
}

#[cfg(test)]
impl RunConfig {
    /// A run file with engines of these names, five nodes a move, and these lines: first the run's, then tables.
    pub(crate) fn made_up(engines: &[&str], lines: &str) -> RunConfig {
        let engine = |name| format!("[[engine]]\nname = '{name}'\nprogram = '{name}'\n");
        let engines: String = engines.iter().map(engine).collect();
        let text = format!("{lines}\n[limits]\nnodes = 5\n{engines}");
        toml::from_str(&text).unwrap()
    }
}

#[cfg(test)]
mod tests;
