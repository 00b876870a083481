//! The state of a bisection, as its file keeps it.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::bisection::{Bisection, Verdict};
use crate::engines::Commit;
use crate::files::state_file;
use crate::judge::bisect::criterion::{Criterion, Reference};

/// `bisect.toml`: the whole bisection, written after every test, so that an interrupted bisection continues without
/// testing a commit again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BisectState {
    /// The version of this format.
    pub schema: u32,
    /// The command line as it was typed.
    pub command: Vec<String>,
    pub engine: String,
    pub good: Commit,
    pub criterion: Criterion,
    /// The measurements of the good commit, which the others are compared with.
    #[serde(default, alias = "yardstick")]
    pub reference: Reference,
    /// The commits after the good one, up to that of --bad.
    #[serde(rename = "commit")]
    pub commits: Vec<Commit>,
    /// The tests, in the order in which they were made.
    #[serde(rename = "test", default)]
    pub tests: Vec<TestedCommit>,
}

/// A commit that was tested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestedCommit {
    pub commit: String,
    pub verdict: Verdict,
    /// What the verdict rests on, in words.
    pub evidence: String,
    pub at: Timestamp,
}

impl BisectState {
    /// The version of the format that this program writes.
    pub const SCHEMA: u32 = 1;

    /// The name of the file.
    pub const FILE: &str = "bisect.toml";

    /// Reads the state in `folder`.
    pub fn read(folder: &Path) -> Result<BisectState> {
        state_file::read(&BisectState::path(folder), BisectState::SCHEMA)
    }

    /// Writes the state to `folder`.
    pub fn write(&self, folder: &Path) -> Result<()> {
        state_file::write(&BisectState::path(folder), self)
    }

    /// The path of the file in `folder`.
    pub fn path(folder: &Path) -> PathBuf {
        folder.join(BisectState::FILE)
    }

    /// The test of a commit, if it was tested.
    pub fn test_of(&self, commit: &Commit) -> Option<&TestedCommit> {
        self.tests.iter().find(|test| test.commit == commit.hash)
    }

    /// The bisection with all verdicts so far.
    pub fn bisection(&self) -> Bisection {
        let mut bisection = Bisection::new(self.commits.len());
        for (index, commit) in self.commits.iter().enumerate() {
            if let Some(test) = self.test_of(commit) {
                bisection.record(index, test.verdict);
            }
        }
        bisection
    }
}

/// The ids of the options that were typed, in contrast to those with their default values. As a field of arguments it
/// comes first: the fields after it take their values away.
#[derive(Clone, Debug)]
pub struct GivenOptions(pub Vec<String>);

impl FromArgMatches for GivenOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<GivenOptions, Error> {
        let is_typed = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        Ok(GivenOptions(matches.ids().map(clap::Id::as_str).filter(is_typed).map(str::to_owned).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = GivenOptions::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for GivenOptions {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}
