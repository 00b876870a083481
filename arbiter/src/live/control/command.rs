//! `arbiter control DIR COMMAND`: commands to a running match.

use std::io::{self, BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;

use super::REFUSAL;
use super::socket::{self, HEARTBEAT};
use crate::cli::{CliError, CliResult, ExitCode, OrExitCode, stdout};
use runner::{ControlCommand, JOURNAL_FILE, LivePosition};

#[derive(Debug, Args)]
#[command(after_help = commands())]
pub struct ControlArgs {
    /// Run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// The command; see below
    #[arg(required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl ControlArgs {
    pub fn run(self) -> CliResult {
        let command: ControlCommand = self.command.join(" ").parse().usage()?;
        let folder = self.folder.display();
        let answer = ask(&self.folder, command).with_context(|| folder.to_string()).of_path()?;
        let Some(answer) = answer else {
            return Err(CliError::Usage(if self.folder.join(JOURNAL_FILE).is_file() {
                anyhow!(
                    "{folder}: expected a run in progress, but this run is not running; show its state with: arbiter status {folder}"
                )
            } else {
                anyhow!("{folder}: expected a run folder with a journal, {JOURNAL_FILE}")
            }));
        };
        if let Some(reason) = answer.strip_prefix(REFUSAL) {
            return Err(CliError::Usage(anyhow!("{folder}: {reason}")));
        }
        writeln!(stdout(), "{answer}").fault()?;
        Ok(ExitCode::Done)
    }
}

fn commands() -> String {
    let lines: Vec<String> = ControlCommand::HELP.lines().map(|line| format!("  {line}")).collect();
    format!("Commands:\n{}\n\nA run that was stopped continues with: arbiter resume DIR", lines.join("\n"))
}

/// Sends a command to the run of a folder and returns its answer; `None` if the run is not running.
pub fn ask(folder: &Path, command: ControlCommand) -> io::Result<Option<String>> {
    const TIMEOUT: Duration = Duration::from_secs(10);

    let Some(mut stream) = socket::connect(folder)? else { return Ok(None) };
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    writeln!(stream, "{command}")?;
    let mut answer = Vec::new();
    for line in BufReader::new(stream).lines() {
        let line = line?;
        if line.is_empty() {
            return Ok(Some(answer.join("\n")));
        }
        answer.push(line);
    }
    Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the run ended before it answered"))
}

/// Receives the positions of a run's games, until `visit` breaks or the run ends; `None` is a heartbeat without news.
/// Returns whether the run was running.
pub fn watch(
    folder: &Path,
    mut visit: impl FnMut(Option<LivePosition>) -> ControlFlow<()>,
) -> io::Result<bool> {
    let Some(mut stream) = socket::connect(folder)? else { return Ok(false) };
    // The run sends at least heartbeats.
    stream.set_read_timeout(Some(3 * HEARTBEAT))?;
    writeln!(stream, "{}", super::WATCH)?;
    for line in BufReader::new(stream).lines() {
        let line = line?;
        let position = if line.is_empty() { None } else { Some(serde_json::from_str(&line)?) };
        if visit(position).is_break() {
            break;
        }
    }
    Ok(true)
}
