//! Commands to a running match, as text.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use crate::InvalidInput;

/// A command, written as one line of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlCommand {
    /// `status`: print the state of the run as text.
    Status,
    /// `status json`: print the state of the run as one line of JSON.
    StatusJson,
    /// `pause`: finish the games in progress and start no new ones.
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

/// The commands without a number, and how they are written.
const WORDS: [(ControlCommand, &str); 7] = [
    (ControlCommand::Status, "status"),
    (ControlCommand::StatusJson, "status json"),
    (ControlCommand::Pause, "pause"),
    (ControlCommand::Resume, "resume"),
    (ControlCommand::Stop, "stop"),
    (ControlCommand::StopNow, "stop now"),
    (ControlCommand::Help, "help"),
];

impl ControlCommand {
    /// The maximum concurrency; a larger number is taken for a typing error.
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
    type Err = InvalidInput;

    /// Reads a command. Case does not matter.
    fn from_str(line: &str) -> Result<ControlCommand, InvalidInput> {
        let lower = line.to_ascii_lowercase();
        let words: Vec<&str> = lower.split_whitespace().collect();
        if let ["concurrency", number @ ..] = &words[..] {
            let number = number.join(" ");
            let games = number.parse().ok().filter(|n: &NonZeroUsize| n.get() <= Self::MAX_CONCURRENCY);
            return games.map(ControlCommand::Concurrency).ok_or_else(|| {
                let expected = format!("a whole number of games from 1 to {}", Self::MAX_CONCURRENCY);
                InvalidInput(format!("`concurrency {number}`: expected {expected}"))
            });
        }
        let text = match words.join(" ") {
            text if text == "go on" => "resume".to_owned(),
            text if text == "?" => "help".to_owned(),
            text => text,
        };
        WORDS.iter().find(|(_, known)| *known == text).map(|(command, _)| *command).ok_or_else(|| {
            let known = "status, status json, pause, resume, concurrency N, stop, stop now or help";
            InvalidInput(format!("expected {known}, found `{text}`"))
        })
    }
}

impl fmt::Display for ControlCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let ControlCommand::Concurrency(games) = self {
            return write!(f, "concurrency {games}");
        }
        WORDS.iter().filter(|(command, _)| command == self).try_for_each(|(_, text)| f.write_str(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_reads_as_it_is_written() {
        let number = ControlCommand::Concurrency(NonZeroUsize::MIN);
        for command in WORDS.iter().map(|(command, _)| *command).chain([number]) {
            let text = command.to_string();
            assert_eq!(text.parse(), Ok(command));
            assert_eq!(format!(" {}\r\n", text.to_uppercase()).parse(), Ok(command));
        }
        assert!("start".parse::<ControlCommand>().unwrap_err().to_string().contains("expected status, "));
    }

    #[test]
    fn every_command_is_in_the_help_and_the_number_of_games_at_once_is_checked() {
        for line in ["concurrency", "concurrency 0", "concurrency -1", "concurrency 1001", "concurrency 2 3"]
        {
            let error = line.parse::<ControlCommand>().unwrap_err();
            assert!(error.to_string().contains("from 1 to 1000"), "{error}");
        }
        for line in ControlCommand::HELP.lines() {
            let usage = line.split("  ").next().unwrap().replace('N', "3");
            assert!(usage.parse::<ControlCommand>().is_ok(), "{usage}");
        }
    }
}
