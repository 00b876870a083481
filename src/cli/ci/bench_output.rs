//! What a program prints when it is asked for the signature of its search.

use std::ops::ControlFlow;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use tokio::io::AsyncReadExt;
use tokio::process::Command;
use tokio::runtime::Builder;

use super::contestants::Answered;
use super::number_pattern::NumberPattern;
use crate::process::EngineError;
use crate::suites::EngineSession;

/// Runs a shell command and returns all that it printed, errors last, since some engines print their bench there.
///
/// The inner error is what the program did wrong: it ended by itself with an error, or did not end in time.
///
/// # Errors
/// The shell cannot be started.
pub fn of_command(command: &str, patience: Duration) -> Result<Answered<String>> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut shell = shell(command);
        let mut child = shell.spawn().with_context(|| format!("cannot start `{command}`"))?;
        let (mut out, mut errors) = (child.stdout.take(), child.stderr.take());
        let (mut text, mut complaints) = (Vec::new(), Vec::new());
        let ended = async {
            let read_out =
                async { if let Some(out) = &mut out { out.read_to_end(&mut text).await } else { Ok(0) } };
            let read_errors = async {
                if let Some(errors) = &mut errors { errors.read_to_end(&mut complaints).await } else { Ok(0) }
            };
            tokio::try_join!(read_out, read_errors)?;
            child.wait().await
        };
        let Ok(ended) = tokio::time::timeout(patience, ended).await else {
            end_group(&child);
            return Ok(Err(format!("`{command}` has not ended within {} s", patience.as_secs())));
        };
        let status: ExitStatus = ended?;
        text.extend(complaints);
        let text = String::from_utf8_lossy(&text).into_owned();
        if status.success() {
            return Ok(Ok(text));
        }
        Ok(Err(format!("`{command}` ended with {status}{}", last_line(&text))))
    })
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

fn shell(command: &str) -> Command {
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut shell = Command::new(shell);
    shell.args([flag, command]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    shell.process_group(0);
    shell.kill_on_drop(true);
    shell
}

/// Ends the shell and what it has started.
fn end_group(child: &tokio::process::Child) {
    #[cfg(unix)]
    if let Some(group) = child.id().and_then(|id| rustix::process::Pid::from_raw(id as i32)) {
        // It may have ended by now.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = child;
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
