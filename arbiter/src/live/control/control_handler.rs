//! Executes the commands of `arbiter control`, from the socket and from the keyboard.

use std::path::{Path, PathBuf};
use std::process;

use super::REFUSAL;
use crate::cli::ExitCode;
use crate::live::progress::Speaker;
use crate::live::status::{RunStatus, StatusText};
use crate::results::{RunPhase, SharedState};
use crate::text::number_text::counted;
use runner::{ControlCommand, CorePlan, LiveEntrance, LiveWatch, RunControl, StopLevel};

/// Executes commands for a run and returns the answers. Clones refer to the same run.
#[derive(Clone, Debug)]
pub struct ControlHandler {
    pub control: RunControl,
    pub state: SharedState,
    pub folder: PathBuf,
    /// What Ctrl-C stops while no games are in progress here.
    pub task: Option<&'static str>,
    /// The cores of each game with --affinity, which limit the concurrency.
    pub cores: Option<CorePlan>,
    pub live: Option<LiveEntrance>,
    pub speaker: Speaker,
}

impl ControlHandler {
    pub fn new(control: RunControl, state: SharedState, folder: &Path) -> ControlHandler {
        let (folder, speaker) = (folder.to_owned(), Speaker::stderr());
        ControlHandler { control, state, folder, task: None, cores: None, live: None, speaker }
    }

    pub fn watch(&self) -> Option<LiveWatch> {
        self.live.as_ref()?.watch()
    }

    /// Handles Ctrl-C, and says what it does.
    pub fn interrupt(&self) -> String {
        let before = self.control.level();
        match (self.control.interrupt(), self.task) {
            // Whatever it waits for.
            (_, Some(_)) if before == StopLevel::Abandon => process::exit(ExitCode::Inconclusive as i32),
            (_, Some(task)) => format!("stopping {task}"),
            (StopLevel::Abandon, None) => "abandoning the games in progress".to_owned(),
            _ => "finishing the games in progress; press Ctrl-C again to abandon them".to_owned(),
        }
    }

    /// Executes a command and returns the answer: one or more lines, none of them empty. An error starts with
    /// [`REFUSAL`].
    pub fn answer(&self, line: &str) -> String {
        self.answer_in(line, Speaker::COLUMNS)
    }

    pub fn answer_in(&self, line: &str, columns: usize) -> String {
        match line.parse() {
            Ok(command) => {
                self.execute(command, columns).unwrap_or_else(|reason| format!("{REFUSAL}{reason}"))
            }
            Err(error) => format!("{REFUSAL}{error}"),
        }
    }

    fn execute(&self, command: ControlCommand, columns: usize) -> Result<String, String> {
        let changes_pace = matches!(
            command,
            ControlCommand::Pause | ControlCommand::Resume | ControlCommand::Concurrency(_)
        );
        if changes_pace && self.control.level() > StopLevel::Running {
            return Err(format!(
                "the run is stopping; continue with: arbiter resume {}",
                self.folder.display()
            ));
        }
        Ok(match command {
            ControlCommand::Status => self.status(columns),
            ControlCommand::StatusJson => {
                let status = RunStatus::new(&self.state.lock(), self.phase());
                serde_json::to_string(&status).map_err(|error| error.to_string())?
            }
            ControlCommand::Help => ControlCommand::HELP.to_owned(),
            ControlCommand::Stop => {
                self.control.raise(StopLevel::Finish);
                format!("stopping; {}", self.unfinished_games())
            }
            ControlCommand::StopNow => {
                self.control.raise(StopLevel::Abandon);
                format!("stopping; continue with: arbiter resume {}", self.folder.display())
            }
            ControlCommand::Pause => {
                self.control.pause();
                format!("paused; {}; type `resume` to continue", self.unfinished_games())
            }
            ControlCommand::Concurrency(games) => {
                if let Some(cores) = &self.cores {
                    cores.check(games.get()).map_err(|error| error.to_string())?;
                }
                self.control.set_concurrency(games.get());
                let when = if self.control.pace().paused { "after the pause" } else { "from now on" };
                format!("concurrency {games} {when}")
            }
            ControlCommand::Resume => {
                self.control.resume();
                format!("resumed, concurrency {}", self.control.pace().concurrency)
            }
        })
    }

    pub fn status(&self, columns: usize) -> String {
        let (run, phase) = (self.state.lock(), self.phase());
        let text = StatusText { run: &run, phase: &phase, now: runner::now(), width: columns, colour: false };
        let mut lines = text.lines();
        if phase == RunPhase::Paused {
            lines.push(format!("  continue with: arbiter control {} resume", self.folder.display()));
        }
        lines.join("\n")
    }

    fn phase(&self) -> RunPhase {
        if self.control.level() > StopLevel::Running {
            RunPhase::Stopping
        } else if self.control.pace().paused {
            RunPhase::Paused
        } else {
            RunPhase::Running
        }
    }

    fn unfinished_games(&self) -> String {
        match self.state.lock().present.len() {
            0 => "no games in progress".to_owned(),
            games => format!("finishing {}", counted(games as u64, "game")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::test_games::state_after;

    fn handler() -> ControlHandler {
        let state = SharedState::new(state_after(&[]));
        ControlHandler::new(RunControl::new(2), state, Path::new("results/run"))
    }

    #[test]
    fn a_run_that_is_stopping_refuses_commands_but_reports_its_status() {
        let handler = handler();
        handler.answer("stop");
        for command in ["pause", "resume", "concurrency 3"] {
            assert!(handler.answer(command).starts_with("error: the run is stopping"), "{command}");
        }
        assert!(handler.answer("status json").contains(r#""state":{"kind":"stopping"}"#));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_concurrency_beyond_the_cores_is_refused() {
        let cores = CorePlan::with(&runner::Affinity::Pinned(true), 1).unwrap();
        let handler = ControlHandler { cores, ..handler() };
        let answer = handler.answer("concurrency 1000");
        assert!(answer.starts_with("error: affinity: 1000 concurrent games"), "{answer}");
        assert_eq!(handler.control.pace().concurrency, 2);
        assert_eq!(handler.answer("concurrency 1"), "concurrency 1 from now on");
    }

    #[test]
    fn no_answer_has_an_empty_line() {
        let handler = handler();
        for line in
            ["status", "status json", "help", "", "what\u{0}ever", "pause", "resume", "stop", "stop now"]
        {
            let answer = handler.answer(line);
            assert!(!answer.is_empty() && answer.lines().all(|line| !line.is_empty()), "{line}: {answer}");
        }
    }
}
