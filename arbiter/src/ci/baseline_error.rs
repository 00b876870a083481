//! Why a baseline cannot be compared with.

use thiserror::Error;

use super::step::Step;

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
