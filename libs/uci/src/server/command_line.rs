//! Commands as arguments of a program: `engine "position startpos" "go depth 9"`.

use std::ffi::OsString;
use std::io::Write;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use super::{ObeyError, Output, STACK_BYTES, SearchControl, UciEngine, Worker};
use crate::Command;

/// Reads each argument as a line that the GUI could have written.
///
/// # Errors
/// The first that is no command, or a `go` that only another command could end.
pub fn read_arguments(arguments: impl IntoIterator<Item = OsString>) -> Result<Vec<Command>, ObeyError> {
    arguments.into_iter().map(|argument| read(&argument.to_string_lossy())).collect()
}

fn read(line: &str) -> Result<Command, ObeyError> {
    let refuse = |why: &str| ObeyError::Refused(format!("`{line}`: {why}"));
    match line.parse() {
        Ok(Command::Go(go)) => match go.ignored.first() {
            Some(error) => Err(refuse(&error.to_string())),
            None if go.is_limited() && !go.infinite && !go.ponder => Ok(Command::Go(go)),
            None => Err(refuse("expected a limit, as nothing can stop the search")),
        },
        Ok(command) => Ok(command),
        Err(error) => Err(refuse(&error.to_string())),
    }
}

/// Obeys `commands` one after the other, each to its end, until `quit` or the last.
///
/// # Errors
/// The first command that the engine refuses; `output` cannot be written, or no thread can be started.
pub fn obey_all<E: UciEngine>(
    engine: E,
    commands: Vec<Command>,
    output: impl Write + Send,
) -> Result<(), ObeyError> {
    let output = Output(Mutex::new(output));
    thread::scope(|scope| {
        let mut worker = Worker { engine, output: &output };
        let work = move || {
            for command in commands.into_iter().take_while(|command| *command != Command::Quit) {
                match command {
                    Command::Go(go) => worker.search(&go, &SearchControl::new(Instant::now(), false))?,
                    command => worker.obey(command)?,
                }
            }
            Ok(())
        };
        let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_is_a_line() {
        let commands = read_arguments(["position startpos", "go depth 3", "quit"].map(OsString::from));
        assert!(matches!(commands.unwrap()[..], [Command::Position { .. }, Command::Go(_), Command::Quit]));
    }

    #[test]
    fn what_is_no_command_and_what_would_never_end_is_refused() {
        for (line, part) in [
            ("dance", "unknown word `dance`"),
            ("", "empty"),
            ("go", "expected a limit"),
            ("go infinite depth 3", "expected a limit"),
            ("go ponder wtime 100", "expected a limit"),
            ("go mate 2", "expected a limit"),
            ("go depth deep", "`depth` expects a depth in plies, found `deep`"),
            ("genfens few seed 1 book None", "a number of openings, found `few`"),
            ("genfens 3 book None", "expects seed, found `book`"),
            ("genfens 3 seed 1", "`book` needs a value"),
        ] {
            let error = read_arguments([OsString::from(line)]).unwrap_err().to_string();
            assert!(error.contains(part), "{line}: {error}");
        }
    }
}
