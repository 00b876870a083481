//! The commands to a running match, as text.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use thiserror::Error;

/// A command, one line of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlCommand {
    /// `status`: print the state of the run as text.
    Status,
    /// `status json`: print it as one line of JSON.
    StatusJson,
    /// `pause`: finish the games in progress and start no others.
    Pause,
    /// `resume`: end the pause.
    Resume,
    /// `concurrency N`: play N games at the same time.
    Concurrency(NonZeroUsize),
    /// `stop`: finish the games in progress and end the run.
    Stop,
    /// `stop now`: abandon the games in progress and end the run.
    StopNow,
    /// `help`: list the commands.
    Help,
}

/// A line that is not a command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ControlCommandError(String);

impl ControlCommand {
    /// The greatest concurrency; more is taken for a typing error.
    pub const MAX_CONCURRENCY: usize = 1000;

    /// The text of `help`.
    pub const HELP: &str = "\
status          show the state of the run
status json     show it as one line of JSON
pause           finish the games in progress and start no others
resume          end the pause
concurrency N   play N games at the same time from now on
stop            finish the games in progress and stop the run
stop now        abandon the games in progress and stop the run
help            show this list";
}

impl FromStr for ControlCommand {
    type Err = ControlCommandError;

    /// Commands are not case-sensitive.
    fn from_str(line: &str) -> Result<ControlCommand, ControlCommandError> {
        let lower = line.to_ascii_lowercase();
        let words: Vec<&str> = lower.split_whitespace().collect();
        Ok(match words[..] {
            ["status"] => ControlCommand::Status,
            ["status", "json"] => ControlCommand::StatusJson,
            ["pause"] => ControlCommand::Pause,
            ["resume"] | ["go", "on"] => ControlCommand::Resume,
            ["concurrency", ref number @ ..] => {
                let number = number.join(" ");
                let games = number.parse().ok().filter(|n: &NonZeroUsize| n.get() <= Self::MAX_CONCURRENCY);
                ControlCommand::Concurrency(games.ok_or_else(|| {
                    let expected = format!("a whole number of games from 1 to {}", Self::MAX_CONCURRENCY);
                    ControlCommandError(format!("`concurrency {number}`: expected {expected}"))
                })?)
            }
            ["stop"] => ControlCommand::Stop,
            ["stop", "now"] => ControlCommand::StopNow,
            ["help" | "?"] => ControlCommand::Help,
            _ => {
                let known = "status, status json, pause, resume, concurrency N, stop, stop now or help";
                return Err(ControlCommandError(format!("expected {known}, found `{}`", words.join(" "))));
            }
        })
    }
}

impl fmt::Display for ControlCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ControlCommand::Status => f.write_str("status"),
            ControlCommand::StatusJson => f.write_str("status json"),
            ControlCommand::Pause => f.write_str("pause"),
            ControlCommand::Resume => f.write_str("resume"),
            ControlCommand::Concurrency(games) => write!(f, "concurrency {games}"),
            ControlCommand::Stop => f.write_str("stop"),
            ControlCommand::StopNow => f.write_str("stop now"),
            ControlCommand::Help => f.write_str("help"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_command() -> impl Strategy<Value = ControlCommand> {
        let games = (1..=ControlCommand::MAX_CONCURRENCY).prop_map(|games| NonZeroUsize::new(games).unwrap());
        prop_oneof![
            Just(ControlCommand::Status),
            Just(ControlCommand::StatusJson),
            Just(ControlCommand::Pause),
            Just(ControlCommand::Resume),
            games.prop_map(ControlCommand::Concurrency),
            Just(ControlCommand::Stop),
            Just(ControlCommand::StopNow),
            Just(ControlCommand::Help),
        ]
    }

    proptest! {
        #[test]
        fn a_command_reads_as_it_is_written(command in any_command()) {
            prop_assert_eq!(command.to_string().parse(), Ok(command));
            prop_assert_eq!(format!(" {}\r\n", command.to_string().to_uppercase()).parse(), Ok(command));
        }

        #[test]
        fn any_line_is_a_command_or_an_error_that_quotes_it(line in "\\PC{0,40}") {
            if let Err(error) = line.parse::<ControlCommand>() {
                prop_assert!(error.to_string().contains("expected"));
            }
        }
    }

    #[test]
    fn the_number_of_games_at_once_is_checked() {
        for line in ["concurrency", "concurrency 0", "concurrency -1", "concurrency 1001", "concurrency 2 3"]
        {
            let error = line.parse::<ControlCommand>().unwrap_err();
            assert!(error.to_string().contains("from 1 to 1000"), "{error}");
        }
    }

    #[test]
    fn every_command_is_in_the_help() {
        for line in ControlCommand::HELP.lines() {
            let usage = line.split("  ").next().unwrap().replace('N', "3");
            assert!(usage.parse::<ControlCommand>().is_ok(), "{usage}");
        }
    }
}
