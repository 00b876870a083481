//! How far a search for the first bad commit came.

use std::path::{Path, PathBuf};

use anyhow::Result;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::bisection::{Bisection, Verdict};
use crate::bisect::criterion::{Criterion, Yardstick};
use crate::engines::Commit;
use crate::files::state_file;

/// `bisect.toml`: the whole search, written anew after every test. A search that was killed goes on from it, and tests
/// nothing twice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BisectState {
    /// The version of this format.
    pub schema: u32,
    /// The command line as it was typed.
    pub command: Vec<String>,
    /// The engine's manifest.
    pub engine: String,
    /// The commit that is said to be good.
    pub good: Commit,
    /// What decides.
    pub criterion: Criterion,
    /// What the good commit has achieved, which the others are held against.
    #[serde(default)]
    pub yardstick: Yardstick,
    /// The commits from the one after the good one to the one that is said to be bad.
    #[serde(rename = "commit")]
    pub commits: Vec<Commit>,
    /// What was tested, in the order in which it was.
    #[serde(rename = "test", default)]
    pub tests: Vec<TestedCommit>,
}

/// A commit that was tested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestedCommit {
    /// Its hash.
    pub commit: String,
    /// What came of it.
    pub verdict: Verdict,
    /// Why, in words.
    pub evidence: String,
    /// When the test ended.
    pub at: Timestamp,
}

impl BisectState {
    /// The version of the format that this program writes.
    pub const SCHEMA: u32 = 1;

    /// The file in the folder of a search.
    pub const FILE: &str = "bisect.toml";

    /// Reads the state of the search in `folder`.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub fn read(folder: &Path) -> Result<BisectState> {
        state_file::read(&BisectState::path(folder), BisectState::SCHEMA)
    }

    /// Writes the state to the folder of the search.
    ///
    /// # Errors
    /// The disk does not take it.
    pub fn write(&self, folder: &Path) -> Result<()> {
        state_file::write(&BisectState::path(folder), self)
    }

    /// Where the state of a folder is.
    pub fn path(folder: &Path) -> PathBuf {
        folder.join(BisectState::FILE)
    }

    /// What came of a commit, if it was tested.
    pub fn test_of(&self, commit: &Commit) -> Option<&TestedCommit> {
        self.tests.iter().find(|test| test.commit == commit.hash)
    }

    /// The search with all verdicts so far.
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
