//! How many nodes a build searches in its own bench.
//!
//! The number of nodes that a deterministic engine searches in a fixed piece of work is the signature of its search:
//! it is the same on every machine, and whatever changes the search changes it.

use std::fs::File;
use std::io::{Read, Seek};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};

use super::number_pattern::NumberPattern;
use super::unanswered::{Unanswered, start};
use runner::EngineConfig;
use runner::process::{EngineError, run_guarded, shell};

/// What stands for the program in a shell command.
pub const PROGRAM: &str = "{engine}";

/// How a build is asked for its bench, and where the number of nodes is in what it prints.
#[derive(Clone, Copy, Debug)]
pub enum BenchQuestion<'a> {
    /// `PROGRAM bench`, by the convention of `OpenBench`, which most engines follow. The number is in one of the usual
    /// forms: `Nodes searched: N` or `N nodes M nps`.
    Argument {
        /// The file that keeps what is printed.
        log: &'a Path,
    },
    /// A shell command, in which [`PROGRAM`] stands for the program.
    Shell {
        /// The command.
        command: &'a str,
        /// Where the number is: the last place counts, since totals come at the end.
        nodes: &'a NumberPattern,
    },
    /// A line that is sent to the engine over UCI.
    Uci {
        /// The line.
        line: &'a str,
        /// Where the number is: the first place ends the wait.
        nodes: &'a NumberPattern,
    },
}

/// Runs the bench of a build, for so long at most, and reads how many nodes it has searched.
///
/// # Errors
/// The bench fails, or does not end in time, which is the engine's doing. It cannot be run, or prints no number.
pub fn nodes(
    engine: &EngineConfig,
    question: BenchQuestion<'_>,
    patience: Duration,
) -> Result<u64, Unanswered> {
    match question {
        BenchQuestion::Argument { log } => by_argument(engine, log, patience),
        BenchQuestion::Shell { command, nodes } => {
            let program =
                std::path::absolute(&engine.program).with_context(|| engine.program.display().to_string());
            let program = program.map_err(Unanswered::CannotBeAsked)?;
            let command = command.replace(PROGRAM, &quoted(&program.to_string_lossy()));
            by_shell(&command, nodes, patience)
        }
        BenchQuestion::Uci { line, nodes } => by_uci(engine, line, nodes, patience),
    }
}

fn by_argument(engine: &EngineConfig, log: &Path, patience: Duration) -> Result<u64, Unanswered> {
    let EngineConfig { name, program, args, env, dir, .. } = engine;
    let mut command = Command::new(program);
    command.args(args).arg("bench").envs(env);
    if let Some(dir) = dir {
        command.current_dir(dir);
    }
    let open = || File::options().read(true).write(true).create(true).truncate(true).open(log);
    let file = open().with_context(|| log.display().to_string()).map_err(Unanswered::CannotBeAsked)?;
    let text = printed(&mut command, &format!("{name}: `bench`"), file, patience)?;
    text.lines().rev().find_map(nodes_in).ok_or_else(|| {
        Unanswered::CannotBeAsked(anyhow!(
            "{name}: expected `bench` to print `Nodes searched: N` or `N nodes`, found neither"
        ))
    })
}

fn by_shell(command: &str, nodes: &NumberPattern, patience: Duration) -> Result<u64, Unanswered> {
    let file = tempfile::tempfile().map_err(|error| Unanswered::CannotBeAsked(error.into()))?;
    let text = printed(&mut shell(command), &format!("`{command}`"), file, patience)?;
    nodes.last_in(&text).ok_or_else(|| {
        Unanswered::CannotBeAsked(anyhow!(
            "bench, nodes: expected a line that `{}` matches, found none{}",
            nodes.text(),
            last_line(&text)
        ))
    })
}

fn by_uci(
    engine: &EngineConfig,
    line: &str,
    nodes: &NumberPattern,
    patience: Duration,
) -> Result<u64, Unanswered> {
    let mut session = start(engine)?;
    let mut found = None;
    let asked = session.ask(&format!("{line}\n"), patience, |answer| {
        found = nodes.first_in(answer);
        if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    session.quit();
    found.ok_or_else(|| {
        Unanswered::Broke(match asked {
            Err(EngineError::Silent { .. }) => {
                anyhow!("no line that `{}` matches within {} s of `{line}`", nodes.text(), patience.as_secs())
            }
            Err(error) => error.into(),
            Ok(_) => anyhow!("no line that `{}` matches", nodes.text()),
        })
    })
}

/// Runs a program and returns all that it printed, errors included, since some engines print their bench there. What it
/// prints goes through `file`; `name` is for messages.
fn printed(
    command: &mut Command,
    name: &str,
    mut file: File,
    patience: Duration,
) -> Result<String, Unanswered> {
    let mut run = || {
        command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file.try_clone()?);
        run_guarded(command, Some(patience))
    };
    let ended =
        run().with_context(|| format!("{name} cannot be started")).map_err(Unanswered::CannotBeAsked)?;
    let Some(status) = ended else {
        return Err(Unanswered::Broke(anyhow!("{name} has not ended within {} s", patience.as_secs())));
    };
    let mut text = Vec::new();
    file.rewind()
        .and_then(|()| file.read_to_end(&mut text))
        .map_err(|error| Unanswered::CannotBeAsked(error.into()))?;
    let text = String::from_utf8_lossy(&text).into_owned();
    if status.success() {
        return Ok(text);
    }
    Err(Unanswered::Broke(anyhow!("{name} ended with {status}{}", last_line(&text))))
}

fn last_line(text: &str) -> String {
    text.trim_end().lines().next_back().map(|line| format!("; its last line is `{line}`")).unwrap_or_default()
}

/// The number of nodes that a line tells in one of the usual forms.
fn nodes_in(line: &str) -> Option<u64> {
    let number = |word: &str| word.replace([',', '\''], "").parse::<u64>().ok();
    let is_word = |c: char| c.is_whitespace() || matches!(c, ':' | '=' | '(' | ')');
    let words: Vec<&str> = line.split(is_word).filter(|word| !word.is_empty()).collect();
    let at = words.iter().position(|word| word.eq_ignore_ascii_case("nodes"))?;
    let before = at.checked_sub(1).and_then(|before| number(words[before]));
    let after = || words[at + 1..].iter().find(|word| !word.eq_ignore_ascii_case("searched")).copied();
    before.or_else(|| number(after()?))
}

/// A path as one word of the shell.
fn quoted(path: &str) -> String {
    if cfg!(windows) { format!("\"{path}\"") } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_in_which_engines_tell_their_nodes_are_read() {
        assert_eq!(nodes_in("Nodes searched  : 4711"), Some(4711));
        assert_eq!(nodes_in("4711 nodes 123456 nps"), Some(4711));
        assert_eq!(nodes_in("Bench: 4,711 nodes (3 s)"), Some(4711));
        assert_eq!(nodes_in("nodes 4711"), Some(4711));
        for line in ["Nodes/second    : 99", "no nodes here", "", "nodes"] {
            assert_eq!(nodes_in(line), None, "{line}");
        }
    }

    #[cfg(unix)]
    fn asked(command: &str, patience: Duration) -> Result<u64, Unanswered> {
        by_shell(command, &"^([0-9])$".parse().unwrap(), patience)
    }

    #[cfg(unix)]
    const PATIENCE: Duration = Duration::from_secs(20);

    #[cfg(unix)]
    #[test]
    fn both_outputs_of_a_command_are_read_in_their_order() {
        assert_eq!(asked("echo 1; echo 2 >&2", PATIENCE).unwrap(), 2);
        assert_eq!(asked("echo 2 >&2; echo 1", PATIENCE).unwrap(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_command_that_fails_or_never_ends_is_the_programs_doing_and_a_missing_number_is_not() {
        let failed = asked("echo oh; exit 3", PATIENCE).unwrap_err().engines_doing().unwrap();
        assert!(failed.contains("exit status: 3") && failed.contains("`oh`"), "{failed}");
        let endless = asked("sleep 1000; true", Duration::from_millis(50));
        let endless = endless.unwrap_err().engines_doing().unwrap();
        assert!(endless.contains("has not ended"), "{endless}");
        let wordy = asked("echo many", PATIENCE).unwrap_err();
        assert!(matches!(wordy, Unanswered::CannotBeAsked(_)), "{wordy}");
    }
}
