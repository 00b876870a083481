//! The baseline: the measurements of a build, which the next build is compared with.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::step::Step;

/// The measurements of a build. The TOML file is small, so that a change of the engine shows as a few lines of a diff.
/// A field that was not measured is missing. `schema` changes whenever a field changes its meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The version of this format.
    pub schema: u32,
    /// The engine, without its revision.
    pub engine: String,
    /// Its name by UCI, `id name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The commit that it was built from; `None` for an unknown commit or a working tree with changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bench: Option<BenchRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<SpeedRecord>,
    /// The perft suites that it counted correctly.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub perft: Vec<PerftRecord>,
    /// The tactics suites with the positions that it solved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tactics: Vec<TacticsRecord>,
}

/// The bench: the nodes of a fixed search, which are the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchRecord {
    pub nodes: u64,
}

/// A speed and the machine on which it was measured; speeds of two machines cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedRecord {
    /// Nodes per second of CPU time, or of wall-clock time where the CPU time is unknown.
    pub nodes_per_second: u64,
    /// Processor and number of cores.
    pub machine: String,
}

/// A perft suite with its node count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerftRecord {
    /// The suite: a path as in arbiter.toml, or the name of a suite that ships.
    pub suite: String,
    /// The SHA-256 of its text in hexadecimal.
    pub sha256: String,
    pub positions: usize,
    /// Leaf nodes, summed over all positions and depths.
    pub nodes: u64,
}

/// A tactics suite and the positions that were solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TacticsRecord {
    /// The suite: a path as in arbiter.toml, or the name of a suite that ships.
    pub suite: String,
    /// The SHA-256 of its text in hexadecimal.
    pub sha256: String,
    /// The limit of each search, as the `go` command.
    pub limit: String,
    pub positions: usize,
    /// The names of the solved positions, in the order of the suite.
    pub solved: Vec<String>,
}

/// Why a baseline cannot be compared with this build.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BaselineError {
    /// It was written by another version of this program.
    #[error(
        "schema: expected {expected}, found {found}; write a new baseline with `arbiter ci --update-baseline`"
    )]
    Schema {
        /// The version that this program reads.
        expected: u32,
        /// The version of the file.
        found: u32,
    },
    /// It is that of another engine.
    #[error(
        "engine: expected the baseline of `{expected}`, found the baseline of `{found}`; name another file with \
         `baseline` in arbiter.toml"
    )]
    OtherEngine {
        expected: String,
        /// The engine of the baseline.
        found: String,
    },
    /// The suite of this name has changed.
    #[error(
        "{section}, suite {suite}: expected SHA-256 {expected}, found {found}; the suite has changed since the \
         baseline: write a new baseline with `arbiter ci --update-baseline`, or use the old suite"
    )]
    OtherSuite {
        section: Step,
        suite: String,
        /// The SHA-256 in the baseline.
        expected: String,
        /// The SHA-256 of the suite now.
        found: String,
    },
    /// The limit of the searches has changed.
    #[error(
        "tactics, suite {suite}: expected the limit `{expected}`, found `{found}`; the limit has changed since the \
         baseline: write a new baseline with `arbiter ci --update-baseline`, or use the old limit"
    )]
    OtherLimit {
        suite: String,
        /// The limit of the baseline.
        expected: String,
        found: String,
    },
}

impl Baseline {
    /// The version of the format that this program writes and reads.
    pub const SCHEMA: u32 = 1;

    /// An empty baseline of an engine.
    pub fn of_engine(engine: impl Into<String>) -> Baseline {
        Baseline { schema: Baseline::SCHEMA, engine: engine.into(), ..Baseline::default() }
    }

    /// Checks the engine and the version of the format.
    pub fn check_engine(&self, engine: &str) -> Result<(), BaselineError> {
        if self.schema != Baseline::SCHEMA {
            return Err(BaselineError::Schema { expected: Baseline::SCHEMA, found: self.schema });
        }
        if self.engine != engine {
            let (expected, found) = (engine.to_owned(), self.engine.clone());
            return Err(BaselineError::OtherEngine { expected, found });
        }
        Ok(())
    }

    /// Checks that a perft suite has not changed. A suite that the baseline lacks is accepted as new.
    pub fn check_perft(&self, suite: &str, sha256: &str) -> Result<(), BaselineError> {
        match self.perft.iter().find(|record| record.suite == suite) {
            Some(record) => same_suite(Step::Perft, suite, &record.sha256, sha256),
            None => Ok(()),
        }
    }

    /// Checks that a tactics suite and the limit of its searches have not changed.
    pub fn check_tactics(&self, suite: &str, sha256: &str, limit: &str) -> Result<(), BaselineError> {
        let Some(record) = self.tactics_of(suite) else { return Ok(()) };
        same_suite(Step::Tactics, suite, &record.sha256, sha256)?;
        if record.limit != limit {
            let (expected, found) = (record.limit.clone(), limit.to_owned());
            return Err(BaselineError::OtherLimit { suite: suite.to_owned(), expected, found });
        }
        Ok(())
    }

    /// The record of a tactics suite.
    pub fn tactics_of(&self, suite: &str) -> Option<&TacticsRecord> {
        self.tactics.iter().find(|record| record.suite == suite)
    }

    /// This baseline with new measurements. What was not measured stays as it was.
    #[must_use]
    pub fn updated(&self, measured: &Baseline) -> Baseline {
        let Baseline { bench, speed, perft, tactics, .. } = measured.clone();
        Baseline {
            bench: bench.or(self.bench),
            speed: speed.or_else(|| self.speed.clone()),
            perft: if perft.is_empty() { self.perft.clone() } else { perft },
            tactics: if tactics.is_empty() { self.tactics.clone() } else { tactics },
            ..measured.clone()
        }
    }
}

fn same_suite(section: Step, suite: &str, expected: &str, found: &str) -> Result<(), BaselineError> {
    if expected == found {
        return Ok(());
    }
    let (suite, expected, found) = (suite.to_owned(), expected.to_owned(), found.to_owned());
    Err(BaselineError::OtherSuite { section, suite, expected, found })
}

/// The first lines of the file, for readers of a diff.
const HEADER: &str = "\
# Baseline of this engine, written by `arbiter ci --update-baseline`; `arbiter ci` compares the next build with it.
";

/// A baseline and its file, which may not exist yet.
#[derive(Clone, Debug)]
pub struct BaselineFile {
    pub path: PathBuf,
    /// The baseline; `None` if the file does not exist.
    pub known: Option<Baseline>,
}

impl BaselineFile {
    /// Reads the file, if it exists.
    pub fn read(path: PathBuf) -> Result<BaselineFile> {
        let known = match fs::read_to_string(&path) {
            Ok(text) => Some(toml::from_str(&text).with_context(|| path.display().to_string())?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
        };
        Ok(BaselineFile { path, known })
    }

    /// The default path for an engine.
    pub fn default_path(engine: &str) -> PathBuf {
        Path::new("engines").join(engine).join("baseline.toml")
    }

    /// Updates the file with new measurements. Returns the new baseline.
    pub fn update(&self, measured: &Baseline) -> Result<Baseline> {
        let updated = self.known.as_ref().map_or_else(|| measured.clone(), |known| known.updated(measured));
        let write = || {
            self.path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(&self.path, text(&updated)?)?;
            anyhow::Ok(())
        };
        write().with_context(|| self.path.display().to_string())?;
        Ok(updated)
    }
}

/// The text of the file.
pub fn text(baseline: &Baseline) -> Result<String> {
    Ok(format!("{HEADER}{}", toml::to_string_pretty(baseline)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn baseline() -> Baseline {
        let solved = ["one", "three"].map(str::to_owned).to_vec();
        Baseline {
            version: Some("Mock".to_owned()),
            bench: Some(BenchRecord { nodes: 1234 }),
            tactics: vec![TacticsRecord {
                suite: "a.epd".to_owned(),
                sha256: "ab".to_owned(),
                limit: "go nodes 100".to_owned(),
                positions: 3,
                solved,
            }],
            ..Baseline::of_engine("mock")
        }
    }

    #[test]
    fn the_text_reads_back_and_has_a_line_for_each_solved_position() {
        let text = toml::to_string_pretty(&baseline()).unwrap();
        assert_eq!(toml::from_str::<Baseline>(&text).unwrap(), baseline());
        assert!(text.lines().any(|line| line.trim() == "\"three\","), "{text}");
    }

    #[test]
    fn a_changed_suite_or_limit_is_refused_and_a_new_suite_is_accepted() {
        let known = baseline();
        assert_eq!(known.check_tactics("a.epd", "ab", "go nodes 100"), Ok(()));
        assert_eq!(known.check_tactics("new.epd", "cd", "go nodes 7"), Ok(()));
        let message = |error: Result<(), BaselineError>| error.unwrap_err().to_string();
        let other = message(known.check_tactics("a.epd", "cd", "go nodes 100"));
        assert!(other.starts_with("tactics, suite a.epd: expected SHA-256 ab, found cd"), "{other}");
        let limit = message(known.check_tactics("a.epd", "ab", "go nodes 7"));
        assert!(limit.contains("expected the limit `go nodes 100`, found `go nodes 7`"), "{limit}");
    }

    #[test]
    fn an_update_keeps_what_was_not_measured() {
        let measured = Baseline { bench: Some(BenchRecord { nodes: 99 }), ..Baseline::of_engine("mock") };
        let updated = baseline().updated(&measured);
        assert_eq!(updated.bench, Some(BenchRecord { nodes: 99 }));
        assert_eq!(updated.tactics, baseline().tactics);
        assert_eq!(updated.version, None);
    }

    #[test]
    fn the_baseline_of_another_engine_or_format_is_refused() {
        assert_eq!(baseline().check_engine("mock"), Ok(()));
        assert!(baseline().check_engine("tarrasch").is_err());
        assert!(Baseline { schema: 2, ..baseline() }.check_engine("mock").is_err());
    }
}
