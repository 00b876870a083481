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
use clap::ValueEnum;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::step::Step;
use crate::engines::EngineSpec;
use crate::measure::bench::NumberPattern;
use crate::measure::perft::PerftSettings;
use crate::measure::tactics::TacticsSettings;
use runner::process::ClockKind;
use runner::{Adjudication, Affinity, GameLogs, SearchLimits, Termination, duration_text};
use stats::{Sprt, SprtModel, SprtTest};

/// The file, parsed; its engines, suites and books are not looked up yet.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CiFile {
    pub engine: Parsed<EngineSpec>,
    /// The file of the baseline; `engines/<engine>/baseline.toml` by default.
    pub baseline: Option<PathBuf>,
    /// The build to compare speed and games with; by default the commit that the baseline names.
    pub against: Option<Parsed<EngineSpec>>,
    pub protocol: Option<ProtocolTable>,
    pub perft: Option<PerftSettings>,
    pub bench: Option<BenchTable>,
    pub tactics: Option<TacticsSettings>,
    pub sanitize: Option<SanitizeTable>,
    pub speed: Option<SpeedTable>,
    #[serde(rename = "match")]
    pub games: Option<MatchTable>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProtocolTable {
    pub may_fail: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchTable {
    /// A shell command that runs the bench; `{engine}` stands for the program.
    pub command: Option<String>,
    /// Instead of a command, a line that is sent to the engine over UCI.
    pub uci: Option<String>,
    pub nodes: Parsed<NumberPattern>,
    /// A regular expression for the bench in a commit message.
    pub commit_pattern: Option<Parsed<NumberPattern>>,
    #[serde(default = "ten_minutes", with = "duration_text")]
    pub timeout: Duration,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SpeedTable {
    /// The suites; by default all that ship.
    pub suites: Vec<PathBuf>,
    #[serde(with = "duration_text")]
    pub duration: Duration,
    /// The slowdown that is accepted, in percent.
    pub tolerance: f64,
}

/// `[sanitize]`: games of a build with sanitizers against itself.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SanitizeTable {
    pub build: String,
    pub games: u32,
    pub limits: SearchLimits,
    pub openings: Option<PathBuf>,
    pub seed: u64,
}

impl Default for SanitizeTable {
    fn default() -> SanitizeTable {
        let limits = SearchLimits { nodes: Some(2000), ..SearchLimits::default() };
        SanitizeTable { build: "sanitize".to_owned(), games: 10, limits, openings: None, seed: 1 }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MatchTable {
    pub limits: SearchLimits,
    /// Wall-clock or CPU time. The default is CPU time if it works for both builds, since CI machines are shared.
    pub clock: Option<ClockKind>,
    pub sprt: [f64; 2],
    pub alpha: f64,
    pub beta: f64,
    pub model: SprtModel,
    pub games: u32,
    /// Games played at the same time; by default as many as the cores allow.
    pub concurrency: Option<u16>,
    pub openings: Option<PathBuf>,
    pub seed: u64,
    pub adjudication: Adjudication,
    pub affinity: Affinity,
    pub logs: GameLogs,
    /// Known faults that do not fail the step, such as `stall`.
    pub may_fail: Vec<Termination>,
}

impl Default for MatchTable {
    fn default() -> MatchTable {
        MatchTable {
            limits: SearchLimits::default(),
            clock: None,
            sprt: [-5.0, 0.0],
            alpha: Sprt::DEFAULT_ALPHA,
            beta: Sprt::DEFAULT_BETA,
            model: SprtModel::Normalized,
            games: 20_000,
            concurrency: None,
            openings: None,
            seed: 1,
            adjudication: Adjudication::default(),
            affinity: Affinity::default(),
            logs: GameLogs::default(),
            may_fail: Vec::new(),
        }
    }
}

impl Default for SpeedTable {
    fn default() -> SpeedTable {
        SpeedTable { suites: Vec::new(), duration: Duration::from_secs(30), tolerance: 1.0 }
    }
}

impl MatchTable {
    pub fn test(&self) -> Result<Sprt> {
        let [elo0, elo1] = self.sprt;
        let test = Sprt::new(elo0, elo1, self.alpha, self.beta, self.model).context("match, sprt")?;
        Ok(test.with_test(SprtTest::Curved))
    }
}

impl CiFile {
    pub const NAME: &str = "arbiter.toml";

    pub fn read(path: &Path) -> Result<CiFile> {
        let name = path.display();
        let text = fs::read_to_string(path).with_context(|| {
            format!(
                "{name}: expected the configuration of `arbiter ci`; `arbiter init` writes it, --config FILE names another"
            )
        })?;
        toml::from_str(&text).with_context(|| name.to_string())
    }

    pub fn steps(&self) -> Vec<Step> {
        let has_table = |step: &Step| match step {
            Step::Protocol => self.protocol.is_some(),
            Step::Perft => self.perft.is_some(),
            Step::Bench => self.bench.is_some(),
            Step::Tactics => self.tactics.is_some(),
            Step::Sanitize => self.sanitize.is_some(),
            Step::Speed => self.speed.is_some(),
            Step::Match => self.games.is_some(),
        };
        Step::value_variants().iter().copied().filter(has_table).collect()
    }
}

/// A value that is parsed from a string, such as an engine with its options. Errors name the line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<T>(pub T);

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Parsed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Parsed<T>, D::Error> {
        String::deserialize(deserializer)?.parse().map(Parsed).map_err(D::Error::custom)
    }
}

fn ten_minutes() -> Duration {
    Duration::from_mins(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_a_step_and_defaults_fill_it() {
        let text = "engine = 'tarrasch:Hash=8'\n[perft]\n[speed]\n[match]\nlimits = { nodes = 5000 }\n\
                    affinity = '0-3,8'\nlogs = 'all'\n[bench]\nnodes = '(1)'\ntimeout = '5m'\n\
                    [tactics]\nmovetime = '20ms'\n";
        let file: CiFile = toml::from_str(text).unwrap();
        assert_eq!(file.steps(), [Step::Perft, Step::Bench, Step::Tactics, Step::Speed, Step::Match]);
        assert_eq!(file.bench.unwrap().timeout, Duration::from_mins(5));
        assert_eq!(file.tactics.unwrap().movetime, Some(Duration::from_millis(20)));
        assert_eq!(file.speed.unwrap().duration, Duration::from_secs(30));
        let games = file.games.unwrap();
        assert_eq!((games.sprt, games.games), ([-5.0, 0.0], 20_000));
        assert_eq!(
            (games.affinity.clone(), games.logs.clone()),
            (Affinity::Cores("0-3,8".parse().unwrap()), GameLogs::All)
        );
        assert!(games.test().is_ok());
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
