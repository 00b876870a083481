//! `arbiter.toml`: what the author of an engine wants to know about every commit.
//!
//! Each table is a step; one that is not there is not asked. Relative paths are relative to the current folder, as on
//! the command line.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result};
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::step::Step;
use crate::cli::console;
use crate::engines::EngineSpec;
use crate::evidence::NumberPattern;
use runner::{Adjudication, SearchLimits};
use stats::{Sprt, SprtModel};

/// The file, read but not looked up.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CiFile {
    /// The engine, as on the command line.
    pub engine: Parsed<EngineSpec>,
    /// Where the baseline is kept; `results/baseline/<engine>.toml` by default.
    pub baseline: Option<PathBuf>,
    /// The build that speed and match are measured against; by default that of the commit that the baseline names.
    pub against: Option<Parsed<EngineSpec>>,
    /// The check of the protocol.
    pub protocol: Option<ProtocolTable>,
    /// The counts of legal moves.
    pub perft: Option<PerftTable>,
    /// The signature of the search.
    pub bench: Option<BenchTable>,
    /// The tactical positions.
    pub tactics: Option<TacticsTable>,
    /// The node speed.
    pub speed: Option<SpeedTable>,
    /// The games.
    #[serde(rename = "match")]
    pub games: Option<MatchTable>,
}

/// `[protocol]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProtocolTable {
    /// Names of checks that may fail.
    pub may_fail: Vec<String>,
}

/// `[perft]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PerftTable {
    /// The suites; all that ship by default.
    pub suites: Vec<PathBuf>,
    /// Count no deeper than this, in plies.
    pub depth: Option<u32>,
}

/// `[bench]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchTable {
    /// A shell command in which `{engine}` stands for the program.
    pub command: Option<String>,
    /// Or a line that is sent to the engine over UCI.
    pub uci: Option<String>,
    /// Where the number of nodes is in the output.
    pub nodes: Parsed<NumberPattern>,
    /// The pattern of the bench number in a commit message.
    #[serde(alias = "promise")]
    pub commit_pattern: Option<Parsed<NumberPattern>>,
    /// The longest bench, in seconds.
    #[serde(default = "ten_minutes", alias = "patience")]
    pub timeout: u64,
}

/// `[tactics]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TacticsTable {
    /// The suites; all that ship by default.
    pub suites: Vec<PathBuf>,
    /// Positions searched at once; 1 by default.
    pub concurrency: Option<u16>,
    /// The time for a position.
    pub movetime_ms: Option<u64>,
    /// The nodes for a position.
    pub nodes: Option<u64>,
    /// The depth for a position, in plies.
    pub depth: Option<u32>,
}

/// `[speed]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SpeedTable {
    /// The suites; all that ship by default.
    pub suites: Vec<PathBuf>,
    /// How long to measure, about, in seconds.
    pub seconds: u64,
    /// A loss of speed that is accepted, in percent.
    pub tolerance: f64,
}

/// `[match]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchTable {
    /// What bounds the searches.
    pub limits: SearchLimits,
    /// The bounds of the sequential test, in Elo of the model.
    #[serde(default = "no_loss")]
    pub sprt: [f64; 2],
    /// Accepting H1 by mistake this often.
    #[serde(default = "default_alpha")]
    pub alpha: f64,
    /// Accepting H0 by mistake this often.
    #[serde(default = "default_beta")]
    pub beta: f64,
    /// What the bounds mean.
    #[serde(default = "normalized")]
    pub model: SprtModel,
    /// The most games.
    #[serde(default = "default_games")]
    pub games: u32,
    /// Games played at once; as many as there is room for by default.
    pub concurrency: Option<u16>,
    /// The book; one that ships by default.
    pub openings: Option<PathBuf>,
    /// The seed of the order of the openings.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Which games are cut short.
    #[serde(default)]
    pub adjudication: Adjudication,
}

impl Default for SpeedTable {
    fn default() -> SpeedTable {
        SpeedTable { suites: Vec::new(), seconds: 30, tolerance: 1.0 }
    }
}

impl MatchTable {
    /// The sequential test.
    ///
    /// # Errors
    /// Its numbers make no sense.
    pub fn test(&self) -> Result<Sprt> {
        let [elo0, elo1] = self.sprt;
        Sprt::new(elo0, elo1, self.alpha, self.beta, self.model).context("match, sprt")
    }
}

impl CiFile {
    /// The usual name.
    pub const NAME: &str = "arbiter.toml";

    /// Reads a file.
    ///
    /// # Errors
    /// There is no such file, or something in it is wrong: line, column and what was expected.
    pub fn read(path: &Path) -> Result<CiFile> {
        let name = path.display();
        let text = fs::read_to_string(path).with_context(|| {
            format!("{name}: expected a file that says what `arbiter ci` asks (--config FILE)")
        })?;
        let file = toml::from_str(&text).with_context(|| name.to_string())?;
        note_old_keys(path, &text);
        Ok(file)
    }

    /// The steps that it asks, in their order.
    pub fn steps(&self) -> Vec<Step> {
        let is_asked = |step: &Step| match step {
            Step::Protocol => self.protocol.is_some(),
            Step::Perft => self.perft.is_some(),
            Step::Bench => self.bench.is_some(),
            Step::Tactics => self.tactics.is_some(),
            Step::Speed => self.speed.is_some(),
            Step::Match => self.games.is_some(),
        };
        Step::ALL.into_iter().filter(is_asked).collect()
    }
}

/// A value that is read from a text, such as an engine with its options; what is wrong with the text is told with its
/// line.
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

fn ten_minutes() -> u64 {
    600
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
        assert_eq!(file.speed.unwrap().seconds, 30);
        let games = file.games.unwrap();
        assert_eq!((games.sprt, games.games), ([-5.0, 0.0], 20_000));
        assert!(games.test().is_ok());
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let message = |text: &str| toml::from_str::<CiFile>(text).unwrap_err().to_string();
        let unknown = message("engine = 'x'\n[perft]\ndeapth = 3\n");
        assert!(unknown.contains("line 3") && unknown.contains("deapth"), "{unknown}");
        let pattern = message("engine = 'x'\n[bench]\nnodes = 'Nodes'\n");
        assert!(pattern.contains("line 3") && pattern.contains("one group for the number"), "{pattern}");
        let engine = message("engine = 'x@'\n");
        assert!(engine.contains("line 1") && engine.contains("git revision"), "{engine}");
    }
}
