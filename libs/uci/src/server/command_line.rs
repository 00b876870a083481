//! The command line of an engine: UCI without arguments, a task such as `bench`, or UCI commands as arguments: `engine
//! "position startpos" "go depth 9"`.

use std::ffi::OsString;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::time::Instant;
use std::{process, thread};

use lexopt::{Arg, Parser, ValueExt};
use thiserror::Error;

use super::{Order, Output, STACK_BYTES, SearchControl, UciEngine, Worker, serve};
use crate::Command;

/// What an engine is started for, by its command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Speak UCI on standard input and output.
    Uci,
    /// `bench [DEPTH] [--threads N] [--hash MB]`: search the bench positions.
    Bench {
        /// The depth in plies.
        depth: Option<u32>,
        /// The number of threads.
        threads: Option<u32>,
        /// The size of the hash table in MiB.
        hash: Option<u32>,
    },
}

impl Task {
    /// Runs the engine's bench, or UCI on standard input and output.
    ///
    /// # Errors
    /// If input or output fails.
    pub fn run(self, mut engine: impl UciEngine) -> io::Result<()> {
        match self {
            Task::Bench { depth, .. } => engine.bench(depth, &mut io::stdout().lock()),
            Task::Uci => serve(engine, io::stdin().lock(), io::stdout()),
        }
    }
}

/// The command line that an engine accepts.
#[derive(Clone, Debug)]
pub struct TaskOptions<'a> {
    /// The name of the program.
    pub name: &'a str,
    /// Its version.
    pub version: &'a str,
    /// The text of `--help`.
    pub help: &'a str,
    /// The allowed depths of `bench`.
    pub depths: RangeInclusive<u32>,
    /// The allowed numbers of threads of `bench`; `None` if it has no options for threads and hash.
    pub threads: Option<RangeInclusive<u32>>,
}

impl TaskOptions<'_> {
    /// The task of this process. Prints help, the version or a usage error and exits, with exit code 2 for an error.
    pub fn of_process(&self) -> Task {
        match self.read(std::env::args_os().skip(1)) {
            Ok(Some(task)) => task,
            Ok(None) => process::exit(0),
            Err(error) => {
                let _ = writeln!(io::stderr(), "error: {error}\n\n{}", self.help);
                process::exit(2)
            }
        }
    }

    /// Reads the task from any arguments; `None` if it only printed something.
    fn read(&self, arguments: impl IntoIterator<Item = OsString>) -> Result<Option<Task>, lexopt::Error> {
        let mut parser = Parser::from_args(arguments);
        let mut task = Task::Uci;
        while let Some(argument) = parser.next()? {
            match (argument, &mut task) {
                (Arg::Short('h') | Arg::Long("help"), _) => return Ok(print(self.help)),
                (Arg::Short('V') | Arg::Long("version"), _) => {
                    return Ok(print(&format!("{} {}", self.name, self.version)));
                }
                (Arg::Value(word), task @ Task::Uci) if word == "bench" => {
                    *task = Task::Bench { depth: None, threads: None, hash: None };
                }
                (Arg::Value(word), Task::Bench { depth: depth @ None, .. }) => {
                    *depth = Some(within(&word, &self.depths, "the depth")?);
                }
                (Arg::Long("threads"), Task::Bench { threads, .. }) if self.threads.is_some() => {
                    let allowed = self.threads.clone().unwrap_or(1..=1);
                    *threads = Some(within(&parser.value()?, &allowed, "--threads")?);
                }
                (Arg::Long("hash"), Task::Bench { hash, .. }) if self.threads.is_some() => {
                    *hash = Some(within(&parser.value()?, &(1..=65_536), "--hash")?);
                }
                (other, _) => return Err(other.unexpected()),
            }
        }
        Ok(Some(task))
    }
}

/// The task of this process, as [`TaskOptions::of_process`] reads it, for an engine with one thread. `about` is a
/// sentence that describes the engine.
pub fn small_engine_task(name: &str, version: &str, about: &str, depths: RangeInclusive<u32>) -> Task {
    let help = &help_of_small_engine(name, about, *depths.end());
    TaskOptions { name, version, help, depths, threads: None }.of_process()
}

fn help_of_small_engine(name: &str, about: &str, deepest: u32) -> String {
    format!(
        "{about} Without a command it speaks UCI.\n\n\
         Usage: {name}\n       {name} bench [DEPTH]\n\n\
         Commands:\n  bench  Search a fixed set of positions; the node count is the same on every machine\n\n\
         Options:\n  DEPTH    The depth in plies (bench), 1 to {deepest}\n  \
         -h, --help     Print help\n  -V, --version  Print version"
    )
}

/// Prints a text, ignoring a closed pipe.
fn print(text: &str) -> Option<Task> {
    let _ = writeln!(io::stdout(), "{}", text.trim_end());
    None
}

fn within(word: &OsString, allowed: &RangeInclusive<u32>, what: &str) -> Result<u32, lexopt::Error> {
    let number = word.parse::<u32>().ok().filter(|number| allowed.contains(number));
    number.ok_or_else(|| {
        let (least, most, found) = (allowed.start(), allowed.end(), word.to_string_lossy());
        format!("{what}: expected a number from {least} to {most}, found `{found}`").into()
    })
}

/// Reads an argument as a line that a GUI could send.
///
/// # Errors
/// It is not a command, or a `go` that does not end by itself.
fn read(line: &str, own: &[&str]) -> Result<Order, ObeyError> {
    let refuse = |why: &str| ObeyError::Refused(format!("`{line}`: {why}"));
    match Order::read(line, own) {
        Ok(Order::Command(Command::Go(go))) => match go.ignored.first() {
            Some(error) => Err(refuse(&error.to_string())),
            None if go.is_limited() && !go.infinite && !go.ponder => Ok(Order::Command(Command::Go(go))),
            None => Err(refuse("expected a limit, as nothing can stop the search")),
        },
        Ok(order) => Ok(order),
        Err(error) => Err(refuse(&error.to_string())),
    }
}

/// Executes arguments as lines that a GUI could send, in order, each to its end, until `quit` or the last.
///
/// # Errors
/// Before any is executed: the first argument that is not a command, or is a `go` that does not end by itself. Later: the
/// engine refuses a command, `output` cannot be written, or no thread can be started.
pub fn obey_all<E: UciEngine>(
    engine: E,
    arguments: impl IntoIterator<Item = OsString>,
    output: impl Write + Send,
) -> Result<(), ObeyError> {
    let read = |argument: OsString| read(&argument.to_string_lossy(), E::OWN_COMMANDS);
    let orders: Vec<Order> = arguments.into_iter().map(read).collect::<Result<_, _>>()?;
    let output = Output(Mutex::new(output));
    thread::scope(|scope| {
        let mut worker = Worker::new(engine, &output);
        let work = move || {
            for order in orders {
                match order {
                    Order::Command(Command::Quit) => break,
                    Order::Command(Command::Go(go)) => {
                        worker.search(&go, &SearchControl::new(Instant::now(), false))?;
                    }
                    order => worker.obey(order)?,
                }
            }
            Ok(())
        };
        let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// A command that was not executed.
#[derive(Debug, Error)]
pub enum ObeyError {
    /// The engine or the command line refused it, for this reason.
    #[error("{0}")]
    Refused(String),
    /// The answer cannot be written, or no thread can be started.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<String> for ObeyError {
    fn from(refusal: String) -> ObeyError {
        ObeyError::Refused(refusal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: TaskOptions<'_> =
        TaskOptions { name: "x", version: "1", help: "", depths: 1..=20, threads: Some(1..=4) };

    fn read(options: &TaskOptions<'_>, words: &[&str]) -> Result<Task, String> {
        let task = options.read(words.iter().map(OsString::from)).map_err(|error| error.to_string())?;
        task.ok_or_else(|| "printed".to_owned())
    }

    #[test]
    fn without_a_word_an_engine_speaks_uci_and_a_bench_may_say_how() {
        assert_eq!(read(&OPTIONS, &[]), Ok(Task::Uci));
        let task = Task::Bench { depth: Some(9), threads: Some(2), hash: Some(64) };
        assert_eq!(read(&OPTIONS, &["bench", "9", "--threads", "2", "--hash=64"]), Ok(task));
        let usual = Task::Bench { depth: None, threads: None, hash: None };
        assert_eq!(read(&OPTIONS, &["bench"]), Ok(usual));
    }

    #[test]
    fn what_an_engine_does_not_know_is_refused() {
        let one_thread = TaskOptions { threads: None, ..OPTIONS };
        let wrong = [
            (&OPTIONS, &["play"][..], "play"),
            (&OPTIONS, &["bench", "21"], "the depth: expected a number from 1 to 20, found `21`"),
            (&OPTIONS, &["bench", "deep"], "found `deep`"),
            (&OPTIONS, &["bench", "3", "4"], "4"),
            (&one_thread, &["bench", "--threads", "2"], "--threads"),
            (&OPTIONS, &["--threads", "2"], "--threads"),
        ];
        for (options, words, part) in wrong {
            let error = read(options, words).unwrap_err();
            assert!(error.contains(part), "{words:?}: {error}");
        }
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
        ] {
            let Err(error) = super::read(line, &["tune"]) else { panic!("{line}") };
            assert!(error.to_string().contains(part), "{line}: {error}");
        }
    }

    #[test]
    fn the_help_of_a_small_engine_names_its_bench_and_the_depths() {
        let help = help_of_small_engine("x", "x.", 9);
        let beginning = "x. Without a command it speaks UCI.\n\nUsage: x\n       x bench [DEPTH]\n";
        assert!(help.starts_with(beginning) && help.contains("(bench), 1 to 9\n"), "{help}");
    }
}
