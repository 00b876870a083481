//! `arbiter.toml`: the steps of `arbiter ci`.
//!
//! Each table is a step; a step without a table is not run. Relative paths are relative to the current folder, as on
//! the command line.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::step::Step;
use crate::cli::console;
use crate::engines::EngineSpec;
use crate::measure::evidence::NumberPattern;
use runner::process::ClockKind;
use runner::{Adjudication, SearchLimits, duration_text};
use stats::{Sprt, SprtModel};

/// The file, parsed; its engines, suites and books are not looked up yet.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CiFile {
    /// The engine, as on the command line.
    pub engine: Parsed<EngineSpec>,
    /// The file of the baseline; `engines/<engine>/baseline.toml` by default.
    pub baseline: Option<PathBuf>,
    /// The build that speed and match are compared with; by default the commit that the baseline names.
    pub against: Option<Parsed<EngineSpec>>,
    pub protocol: Option<ProtocolTable>,
    pub perft: Option<PerftTable>,
    pub bench: Option<BenchTable>,
    pub tactics: Option<TacticsTable>,
    pub speed: Option<SpeedTable>,
    #[serde(rename = "match")]
    pub games: Option<MatchTable>,
}

/// `[protocol]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProtocolTable {
    /// Names of the checks that may fail.
    pub may_fail: Vec<String>,
}

/// `[perft]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PerftTable {
    /// The suites; by default all that ship.
    pub suites: Vec<PathBuf>,
    /// The greatest depth, in plies.
    pub depth: Option<u32>,
}

/// `[bench]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchTable {
    /// A shell command that runs the bench; `{engine}` stands for the program.
    pub command: Option<String>,
    /// Instead of a command, a line that is sent to the engine over UCI.
    pub uci: Option<String>,
    /// A regular expression for the number of nodes in the output.
    pub nodes: Parsed<NumberPattern>,
    /// A regular expression for the bench that a commit message states.
    #[serde(alias = "promise")]
    pub commit_pattern: Option<Parsed<NumberPattern>>,
    /// The most time that the bench may take.
    #[serde(default = "ten_minutes", alias = "patience", deserialize_with = "duration_text::or_seconds")]
    pub timeout: Duration,
}

/// `[tactics]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TacticsTable {
    /// The suites; by default those of `arbiter tactics`.
    pub suites: Vec<PathBuf>,
    /// Positions searched at the same time; 1 by default.
    pub concurrency: Option<u16>,
    #[serde(alias = "movetime_ms", with = "duration_text::option_or_millis")]
    pub movetime: Option<Duration>,
    pub nodes: Option<u64>,
    /// Depth of each search, in plies.
    pub depth: Option<u32>,
    /// Whether every position must be solved that its suite marks as required, instead of those that the baseline has
    /// solved.
    pub required: bool,
}

/// `[speed]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SpeedTable {
    /// The suites; by default all that ship.
    pub suites: Vec<PathBuf>,
    /// The approximate duration of the measurement.
    #[serde(alias = "seconds", deserialize_with = "duration_text::or_seconds")]
    pub duration: Duration,
    /// The loss of speed that is accepted, in percent.
    pub tolerance: f64,
}

/// `[match]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchTable {
    /// The time control or the other limits of the searches.
    pub limits: SearchLimits,
    /// Which time counts; by default the processor's where that holds for both builds, since machines of CI are shared.
    #[serde(default)]
    pub clock: Option<ClockKind>,
    /// The bounds of the SPRT, in Elo of the model.
    #[serde(default = "no_loss")]
    pub sprt: [f64; 2],
    /// The probability of accepting H1 when H0 is true.
    #[serde(default = "default_alpha")]
    pub alpha: f64,
    /// The probability of accepting H0 when H1 is true.
    #[serde(default = "default_beta")]
    pub beta: f64,
    /// The Elo model of the bounds.
    #[serde(default = "normalized")]
    pub model: SprtModel,
    /// The maximum number of games.
    #[serde(default = "default_games")]
    pub games: u32,
    /// Games played at the same time; by default as many as fit on the cores.
    pub concurrency: Option<u16>,
    /// The opening book; by default one that ships.
    pub openings: Option<PathBuf>,
    /// The seed of the random order of the openings.
    #[serde(default = "default_seed")]
    pub seed: u64,
    #[serde(default)]
    pub adjudication: Adjudication,
}

impl Default for SpeedTable {
    fn default() -> SpeedTable {
        SpeedTable { suites: Vec::new(), duration: Duration::from_secs(30), tolerance: 1.0 }
    }
}

impl MatchTable {
    pub fn test(&self) -> Result<Sprt> {
        let [elo0, elo1] = self.sprt;
        Sprt::new(elo0, elo1, self.alpha, self.beta, self.model).context("match, sprt")
    }
}

impl CiFile {
    /// The default name of the file.
    pub const NAME: &str = "arbiter.toml";

    pub fn read(path: &Path) -> Result<CiFile> {
        let name = path.display();
        let text = fs::read_to_string(path).with_context(|| {
            format!(
                "{name}: expected the configuration of `arbiter ci`; name another file with --config FILE"
            )
        })?;
        let file = toml::from_str(&text).with_context(|| name.to_string())?;
        note_old_keys(path, &text);
        Ok(file)
    }

    /// The steps that the file has, in their order.
    pub fn steps(&self) -> Vec<Step> {
        let has_table = |step: &Step| match step {
            Step::Protocol => self.protocol.is_some(),
            Step::Perft => self.perft.is_some(),
            Step::Bench => self.bench.is_some(),
            Step::Tactics => self.tactics.is_some(),
            Step::Speed => self.speed.is_some(),
            Step::Match => self.games.is_some(),
        };
        Step::ALL.into_iter().filter(has_table).collect()
    }
}

/// A value that is parsed from a string, such as an engine with its options. An error names the line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<T>(pub T);

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Parsed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Parsed<T>, D::Error> {
        String::deserialize(deserializer)?.parse().map(Parsed).map_err(D::Error::custom)
    }
}

/// Notes keys of `[bench]` by the names that they had before, which work for one more version.
fn note_old_keys(path: &Path, text: &str) {
    let table: toml::Table = text.parse().unwrap_or_default();
    let bench = table.get("bench").and_then(toml::Value::as_table);
    for (old, new) in [("promise", "commit_pattern"), ("patience", "timeout")] {
        if bench.is_some_and(|bench| bench.contains_key(old)) {
            console::note(&format!("note: {}: [bench] {old} is now {new}", path.display()));
        }
    }
}

fn ten_minutes() -> Duration {
    Duration::from_mins(10)
}

fn no_loss() -> [f64; 2] {
    [-5.0, 0.0]
}

fn default_alpha() -> f64 {
    Sprt::DEFAULT_ALPHA
}

fn default_beta() -> f64 {
    Sprt::DEFAULT_BETA
}

fn normalized() -> SprtModel {
    SprtModel::Normalized
}

fn default_games() -> u32 {
    20_000
}

fn default_seed() -> u64 {
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_a_step_and_defaults_fill_it() {
        let text = "engine = 'tarrasch:Hash=8'\n[perft]\n[speed]\n[match]\nlimits = { nodes = 5000 }\n";
        let file: CiFile = toml::from_str(text).unwrap();
        assert_eq!(file.steps(), [Step::Perft, Step::Speed, Step::Match]);
        assert_eq!(file.speed.unwrap().duration, Duration::from_secs(30));
        let games = file.games.unwrap();
        assert_eq!((games.sprt, games.games), ([-5.0, 0.0], 20_000));
        assert!(games.test().is_ok());
    }

    #[test]
    fn durations_have_a_unit_and_older_files_have_numbers() {
        let read = |bench: &str, tactics: &str, speed: &str| {
            let text = format!(
                "engine = 'x'\n[bench]\nnodes = '(1)'\n{bench}\n[tactics]\n{tactics}\n[speed]\n{speed}\n"
            );
            let file: CiFile = toml::from_str(&text).unwrap();
            (file.bench.unwrap().timeout, file.tactics.unwrap().movetime, file.speed.unwrap().duration)
        };
        let new = read("timeout = '5m'", "movetime = '20ms'", "duration = '10s'");
        assert_eq!(new, read("patience = 300", "movetime_ms = 20", "seconds = 10"));
        assert_eq!(new.1, Some(Duration::from_millis(20)));
    }

    #[test]
    fn an_error_names_its_line() {
        let message = |text: &str| toml::from_str::<CiFile>(text).unwrap_err().to_string();
        let unknown = message("engine = 'x'\n[perft]\ndeapth = 3\n");
        assert!(unknown.contains("line 3") && unknown.contains("deapth"), "{unknown}");
        let pattern = message("engine = 'x'\n[bench]\nnodes = 'Nodes'\n");
        assert!(pattern.contains("line 3") && pattern.contains("one group for the number"), "{pattern}");
        let engine = message("engine = 'x@'\n");
        assert!(engine.contains("line 1") && engine.contains("git revision"), "{engine}");
    }
}
