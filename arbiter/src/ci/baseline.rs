//! What a build did: kept in a file, it is what the next build is expected to do.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::step::Step;

/// The numbers of a build. As TOML it is small and meant for review: whatever a change does to an engine shows as a few
/// lines of a diff. What was not asked is not there. `schema` changes whenever a field changes its meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The version of this format.
    pub schema: u32,
    /// The engine, without its revision.
    pub engine: String,
    /// What it calls itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The commit that it was built from, where that is known and nothing was changed since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// The signature of its search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bench: Option<BenchRecord>,
    /// Its node speed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<SpeedRecord>,
    /// The perft suites that it counted right.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub perft: Vec<PerftRecord>,
    /// What it solved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tactics: Vec<TacticsRecord>,
}

/// The signature of a search: how many nodes a fixed task takes, on any machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchRecord {
    /// Nodes.
    pub nodes: u64,
}

/// A node speed and where it was measured: on another machine it means nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedRecord {
    /// Nodes per second of CPU time, or of time where that is not known.
    pub nodes_per_second: u64,
    /// Processor and number of cores.
    pub machine: String,
}

/// A perft suite that was counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerftRecord {
    /// The suite as it is named in the configuration, or the file name of one that ships.
    pub suite: String,
    /// The SHA-256 of its text in hexadecimal.
    pub sha256: String,
    /// How many positions it has.
    pub positions: usize,
    /// Move sequences counted, over all positions and depths.
    pub nodes: u64,
}

/// A tactics suite and what was solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TacticsRecord {
    /// The suite as it is named in the configuration, or the file name of one that ships.
    pub suite: String,
    /// The SHA-256 of its text in hexadecimal.
    pub sha256: String,
    /// The limit of a search, as it was sent.
    pub limit: String,
    /// How many positions it has.
    pub positions: usize,
    /// The names of those that were solved, in the order of the suite.
    pub solved: Vec<String>,
}

/// A baseline that is about something else. Sections are those of its file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BaselineError {
    /// It was written by another version of this program.
    #[error("schema: expected {expected}, found {found}; make it anew with `arbiter ci --update-baseline`")]
    Schema {
        /// The version that this program reads.
        expected: u32,
        /// The version of the file.
        found: u32,
    },
    /// It is that of another engine.
    #[error(
        "engine: expected the baseline of `{expected}`, found that of `{found}`; name another file with `baseline`"
    )]
    OtherEngine {
        /// The engine asked for.
        expected: String,
        /// The engine of the baseline.
        found: String,
    },
    /// A suite of that name has other positions now.
    #[error(
        "{section}, suite {suite}: expected the suite with SHA-256 {expected}, found {found}; the baseline was made \
         with another suite: make it anew with `arbiter ci --update-baseline`, or name the suite of the baseline"
    )]
    OtherSuite {
        /// Perft or tactics.
        section: Step,
        /// The suite.
        suite: String,
        /// The fingerprint in the baseline.
        expected: String,
        /// The fingerprint of the suite.
        found: String,
    },
    /// The positions were searched with another limit.
    #[error(
        "tactics, suite {suite}: expected the limit `{expected}`, found `{found}`; the baseline was made with another \
         limit: make it anew with `arbiter ci --update-baseline`"
    )]
    OtherLimit {
        /// The suite.
        suite: String,
        /// The limit of the baseline.
        expected: String,
        /// The limit asked for.
        found: String,
    },
}

impl Baseline {
    /// The version of the format that this program writes and reads.
    pub const SCHEMA: u32 = 1;

    /// The numbers of an engine of which nothing is known yet.
    pub fn of_engine(engine: impl Into<String>) -> Baseline {
        Baseline { schema: Baseline::SCHEMA, engine: engine.into(), ..Baseline::default() }
    }

    /// Checks that this is the baseline of an engine, in the format that this program reads.
    ///
    /// # Errors
    /// It is not.
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

    /// Checks that a perft suite is the one of that name here. One that is not here is a new one.
    ///
    /// # Errors
    /// It has another text.
    pub fn check_perft(&self, suite: &str, sha256: &str) -> Result<(), BaselineError> {
        match self.perft.iter().find(|record| record.suite == suite) {
            Some(record) => same_suite(Step::Perft, suite, &record.sha256, sha256),
            None => Ok(()),
        }
    }

    /// Checks that a tactics suite is the one of that name here, searched with the same limit.
    ///
    /// # Errors
    /// It has another text, or the limit is another one.
    pub fn check_tactics(&self, suite: &str, sha256: &str, limit: &str) -> Result<(), BaselineError> {
        let Some(record) = self.tactics_of(suite) else { return Ok(()) };
        same_suite(Step::Tactics, suite, &record.sha256, sha256)?;
        if record.limit != limit {
            let (expected, found) = (record.limit.clone(), limit.to_owned());
            return Err(BaselineError::OtherLimit { suite: suite.to_owned(), expected, found });
        }
        Ok(())
    }

    /// What is known about a tactics suite.
    pub fn tactics_of(&self, suite: &str) -> Option<&TacticsRecord> {
        self.tactics.iter().find(|record| record.suite == suite)
    }

    /// This baseline after a build was measured: what was asked now takes the place of what was known, the rest stays.
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
    fn a_suite_with_another_text_or_limit_is_another_suite_and_a_new_one_is_none() {
        let known = baseline();
        assert_eq!(known.check_tactics("a.epd", "ab", "go nodes 100"), Ok(()));
        assert_eq!(known.check_tactics("new.epd", "cd", "go nodes 7"), Ok(()));
        let message = |error: Result<(), BaselineError>| error.unwrap_err().to_string();
        let other = message(known.check_tactics("a.epd", "cd", "go nodes 100"));
        assert!(
            other.starts_with("tactics, suite a.epd: expected the suite with SHA-256 ab, found cd"),
            "{other}"
        );
        let limit = message(known.check_tactics("a.epd", "ab", "go nodes 7"));
        assert!(limit.contains("expected the limit `go nodes 100`, found `go nodes 7`"), "{limit}");
    }

    #[test]
    fn an_update_keeps_what_was_not_asked() {
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
