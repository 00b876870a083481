//! What is wrong with a configuration.

use thiserror::Error;

/// What is wrong with a configuration, a text in it or a command, and what was expected; one line per problem.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct InvalidInput(pub(crate) String);

/// The messages of those problems whose condition is true.
pub(crate) fn found<const N: usize>(problems: [(bool, &str); N]) -> Vec<String> {
    problems.into_iter().filter(|(is_there, _)| *is_there).map(|(_, problem)| problem.to_owned()).collect()
}
