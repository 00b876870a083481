//! What a program prints when it is asked for the signature of its search.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};

use super::contestants::Answered;
use super::number_pattern::NumberPattern;
use crate::engines::EngineSession;
use runner::process::{EngineError, run_guarded, shell};

/// Runs a shell command and returns all that it printed, errors included, since some engines print their bench there.
///
/// The inner error is what the program did wrong: it ended by itself with an error, or did not end in time.
///
/// # Errors
/// The shell cannot be started.
pub fn of_command(command: &str, patience: Duration) -> Result<Answered<String>> {
    let (mut output, input) = io::pipe()?;
    let mut program = shell(command);
    program.stdin(Stdio::null()).stdout(input.try_clone()?).stderr(input);
    let (sender, printed) = mpsc::channel();
    thread::spawn(move || {
        let mut text = Vec::new();
        // Nobody waits any more for a program that took too long.
        let _ = sender.send(output.read_to_end(&mut text).map(|_| text));
    });
    let ended =
        run_guarded(&mut program, Some(patience)).with_context(|| format!("cannot start `{command}`"))?;
    // It holds our ends of the pipe, which would never end.
    drop(program);
    let printed = ended.zip(printed.recv_timeout(patience).ok());
    let Some((status, text)) = printed else {
        return Ok(Err(format!("`{command}` has not ended within {} s", patience.as_secs())));
    };
    let text = String::from_utf8_lossy(&text?).into_owned();
    if status.success() {
        return Ok(Ok(text));
    }
    Ok(Err(format!("`{command}` ended with {status}{}", last_line(&text))))
}

/// Sends a line to an engine and returns the number that the pattern finds in its answer.
///
/// The inner error is what the engine did instead.
pub fn of_engine(
    session: &mut EngineSession,
    line: &str,
    nodes: &NumberPattern,
    patience: Duration,
) -> Answered<u64> {
    let mut found = None;
    let asked = session.ask(&format!("{line}\n"), patience, |answer| {
        found = nodes.first_in(answer);
        if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match (found, asked) {
        (Some(nodes), _) => Ok(nodes),
        (None, Err(EngineError::Silent { .. })) => Err(format!(
            "no line that `{}` matches within {} s of `{line}`",
            nodes.text(),
            patience.as_secs()
        )),
        (None, Err(error)) => Err(error.to_string()),
        (None, Ok(_)) => Err(format!("no line that `{}` matches", nodes.text())),
    }
}

/// The number in what a command printed.
///
/// # Errors
/// The pattern finds none: one of the two is wrong.
pub fn number_in(text: &str, nodes: &NumberPattern) -> Result<u64> {
    nodes.last_in(text).ok_or_else(|| {
        anyhow!(
            "bench, nodes: expected a line that `{}` matches, found none{}",
            nodes.text(),
            last_line(text)
        )
    })
}

fn last_line(text: &str) -> String {
    text.trim_end().lines().next_back().map(|line| format!("; its last line is `{line}`")).unwrap_or_default()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    #[test]
    fn both_outputs_of_a_command_are_read() {
        let text = of_command("echo one; echo 2 >&2", PATIENCE).unwrap().unwrap();
        assert_eq!(text, "one\n2\n");
        let nodes = "^(2)$".parse().unwrap();
        assert_eq!(number_in(&text, &nodes).unwrap(), 2);
    }

    #[test]
    fn a_command_that_fails_or_never_ends_is_the_programs_doing() {
        let failed = of_command("echo oh; exit 3", PATIENCE).unwrap().unwrap_err();
        assert!(failed.contains("exit status: 3") && failed.contains("`oh`"), "{failed}");
        let endless = of_command("sleep 1000; true", Duration::from_millis(50)).unwrap().unwrap_err();
        assert!(endless.contains("has not ended"), "{endless}");
    }
}
