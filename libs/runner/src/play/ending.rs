//! The end of a game.

use std::time::Duration;

use crate::Termination;
use crate::process::{EngineError, ProcessEnd, SearchFailure};
use referee::{GameEnd, GameResult, Side, Variant};

#[derive(Debug, Default)]
pub(crate) struct Ending {
    pub(crate) result: Option<GameResult>,
    pub(crate) termination: Termination,
    pub(crate) offender: Option<Side>,
    pub(crate) detail: Option<String>,
    /// By how much a late move overstepped the clock.
    pub(crate) overrun: Option<Duration>,
    pub(crate) illegal_move: Option<String>,
    /// Whether the machine or the runner kept the engine from answering in time.
    pub(crate) excused: bool,
    /// Whether the engine at fault never got ready to play.
    pub(crate) unready: bool,
}

impl Ending {
    pub(crate) fn fault(side: Side, termination: Termination, detail: String) -> Ending {
        let result = Some(GameResult::won_by(side.other()));
        Ending { result, termination, offender: Some(side), detail: Some(detail), ..Ending::default() }
    }

    pub(crate) fn engine_failure(side: Side, error: &EngineError) -> Ending {
        Ending { unready: true, ..Ending::fault(side, Termination::of_error(error), error.to_string()) }
    }

    pub(crate) fn failed_search(side: Side, failure: &SearchFailure, fen: &str) -> Ending {
        let termination = Termination::of_failure(failure);
        if termination == Termination::Resignation {
            return Ending::regular(termination, GameResult::won_by(side.other()));
        }
        let ending = Ending::fault(side, termination, format!("{failure}, in {fen}"));
        let (SearchFailure::Unreadable { line, .. } | SearchFailure::NoMove { line, .. }) = failure else {
            return ending;
        };
        Ending { illegal_move: line.split_whitespace().nth(1).map(str::to_owned), ..ending }
    }

    pub(crate) fn regular(termination: Termination, result: GameResult) -> Ending {
        Ending { result: Some(result), termination, ..Ending::default() }
    }

    pub(crate) fn on_the_board(end: GameEnd, variant: Variant) -> Ending {
        let detail = match end {
            GameEnd::ByVariant { winner } => Some(variant.own_end(winner)),
            _ => None,
        };
        Ending { detail, ..Ending::regular(end.into(), end.result()) }
    }

    pub(crate) fn abandoned() -> Ending {
        Ending { termination: Termination::Abandoned, ..Ending::default() }
    }
}

impl Termination {
    /// How a game ends if an engine cannot be used.
    pub fn of_error(error: &EngineError) -> Termination {
        match error {
            EngineError::Start { .. }
            | EngineError::Changed { .. }
            | EngineError::Clock { .. }
            | EngineError::Unable { .. }
            | EngineError::Setting { .. } => Termination::FailedToStart,
            error if error.is_of_introduction() => Termination::NoHandshake,
            EngineError::Silent { .. } => Termination::Stall,
            EngineError::Ended { end, .. } => kind_of_end(*end),
        }
    }

    /// How a game ends after a failed search that is not also too late.
    pub fn of_failure(failure: &SearchFailure) -> Termination {
        match failure {
            SearchFailure::Timeout { .. } | SearchFailure::StopIgnored { .. } => Termination::Stall,
            SearchFailure::Ended(end) => kind_of_end(*end),
            SearchFailure::Resigned { .. } => Termination::Resignation,
            SearchFailure::NoMove { .. } => Termination::NoMove,
            SearchFailure::Unreadable { .. } => Termination::IllegalMove,
        }
    }
}

fn kind_of_end(end: ProcessEnd) -> Termination {
    match end {
        ProcessEnd::Exited(_) => Termination::Crash,
        ProcessEnd::Disconnected => Termination::Disconnect,
    }
}
