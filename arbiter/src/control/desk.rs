//! Where commands to a run are answered, whatever way they came.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::REFUSAL;
use crate::progress::Speaker;
use crate::run_state::{RunPhase, SharedState};
use crate::status::{RunStatus, StatusText};
use runner::{ControlCommand, CorePlan, LiveEntrance, LiveWatch, RunControl, StopLevel};

/// Obeys and answers. Clones are the same desk.
#[derive(Clone, Debug)]
pub struct Desk {
    control: RunControl,
    state: SharedState,
    folder: PathBuf,
    /// How the cores are dealt out, where games have cores of their own.
    cores: Option<CorePlan>,
    /// Where those who watch the games come in.
    live: Option<LiveEntrance>,
}

impl Desk {
    /// The desk of the run in `folder`.
    pub fn new(control: RunControl, state: SharedState, folder: &Path) -> Desk {
        Desk { control, state, folder: folder.to_owned(), cores: None, live: None }
    }

    /// Refuses more games at once than have cores of their own.
    #[must_use]
    pub fn with_cores(self, cores: Option<CorePlan>) -> Desk {
        Desk { cores, ..self }
    }

    /// Lets people watch the games.
    #[must_use]
    pub fn with_live(self, live: LiveEntrance) -> Desk {
        Desk { live: Some(live), ..self }
    }

    /// Begins to watch the games; `None` when there are none to be watched.
    pub fn watch(&self) -> Option<LiveWatch> {
        self.live.as_ref()?.watch()
    }

    /// Obeys a line and returns the answer: one line or more, none of them empty. What cannot be obeyed is answered
    /// with [`REFUSAL`] and the reason.
    pub fn answer(&self, line: &str) -> String {
        self.answer_in(line, Speaker::COLUMNS)
    }

    /// The same for a terminal with so many columns.
    pub fn answer_in(&self, line: &str, columns: usize) -> String {
        match line.parse() {
            Ok(command) => self.obey(command, columns).unwrap_or_else(|reason| format!("{REFUSAL}{reason}")),
            Err(error) => format!("{REFUSAL}{error}"),
        }
    }

    fn obey(&self, command: ControlCommand, columns: usize) -> Result<String, String> {
        match command {
            ControlCommand::Status => return Ok(self.status(columns)),
            ControlCommand::StatusJson => return self.status_json(),
            ControlCommand::Help => return Ok(ControlCommand::HELP.to_owned()),
            ControlCommand::Stop => {
                self.control.raise(StopLevel::Finish);
                return Ok(format!("stopping; {}", self.to_be_finished()));
            }
            ControlCommand::StopNow => {
                self.control.raise(StopLevel::Abandon);
                return Ok(format!("stopping; continue with: arbiter resume {}", self.folder.display()));
            }
            ControlCommand::Pause | ControlCommand::GoOn | ControlCommand::Concurrency(_) => {}
        }
        if self.control.level() > StopLevel::Running {
            return Err(format!(
                "the run is stopping; continue with: arbiter resume {}",
                self.folder.display()
            ));
        }
        self.set_pace(command)
    }

    fn set_pace(&self, command: ControlCommand) -> Result<String, String> {
        Ok(match command {
            ControlCommand::Pause => {
                self.control.pause();
                format!("paused; {}; `go on` ends the pause", self.to_be_finished())
            }
            ControlCommand::Concurrency(games) => {
                if let Some(cores) = &self.cores {
                    cores.check(games.get()).map_err(|error| error.to_string())?;
                }
                self.control.set_concurrency(games.get());
                let when = if self.control.pace().paused { "after the pause" } else { "from now on" };
                format!("{games} at once {when}")
            }
            _ => {
                self.control.go_on();
                format!("going on, {} at once", self.control.pace().concurrency)
            }
        })
    }

    /// The status for people, in so many columns.
    pub fn status(&self, columns: usize) -> String {
        let (run, phase) = (self.state.lock(), self.phase());
        let text =
            StatusText { run: &run, phase: &phase, now: Timestamp::now(), width: columns, colour: false };
        let mut lines = text.lines();
        if phase == RunPhase::Paused {
            lines.push(format!("  go on with: arbiter control {} go on", self.folder.display()));
        }
        lines.join("\n")
    }

    fn status_json(&self) -> Result<String, String> {
        let status = RunStatus::new(&self.state.lock(), self.phase());
        serde_json::to_string(&status).map_err(|error| error.to_string())
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

    fn to_be_finished(&self) -> String {
        match self.state.lock().in_progress().len() {
            0 => "no game is in progress".to_owned(),
            1 => "1 game is being finished".to_owned(),
            games => format!("{games} games are being finished"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_state::RunState;
    use runner::RunConfig;

    fn desk() -> Desk {
        let config: RunConfig = toml::from_str(
            "games = 100\n[limits]\nnodes = 5\n[book]\npath = 'x.epd'\n[[engine]]\nname = 'a'\nprogram = 'a'\n\
             [[engine]]\nname = 'b'\nprogram = 'b'\n",
        )
        .unwrap();
        let state = SharedState::new(RunState::new(&config));
        Desk::new(RunControl::new(2), state, Path::new("results/run"))
    }

    #[test]
    fn orders_are_obeyed_and_confirmed() {
        let desk = desk();
        assert_eq!(desk.answer("pause"), "paused; no game is in progress; `go on` ends the pause");
        assert!(desk.control.pace().paused);
        assert_eq!(desk.answer("concurrency 4"), "4 at once after the pause");
        assert!(desk.answer("status").contains("paused"));
        assert_eq!(desk.answer("go on"), "going on, 4 at once");
        assert_eq!((desk.control.pace().paused, desk.control.pace().concurrency), (false, 4));
        assert!(desk.answer("STOP  NOW").starts_with("stopping"));
        assert_eq!(desk.control.level(), StopLevel::Abandon);
    }

    #[test]
    fn a_run_that_is_stopping_takes_no_order_to_play_but_still_tells_its_status() {
        let desk = desk();
        desk.answer("stop");
        for order in ["pause", "go on", "concurrency 3"] {
            assert!(desk.answer(order).starts_with("error: the run is stopping"), "{order}");
        }
        assert!(desk.answer("status json").contains(r#""state":{"kind":"stopping"}"#));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn more_games_than_have_cores_of_their_own_are_refused() {
        let desk = desk().with_cores(Some(CorePlan::new(1).unwrap()));
        let answer = desk.answer("concurrency 1000");
        assert!(answer.starts_with("error: affinity: 1000 concurrent games"), "{answer}");
        assert_eq!(desk.control.pace().concurrency, 2);
        assert_eq!(desk.answer("concurrency 1"), "1 at once from now on");
    }

    #[test]
    fn no_answer_has_an_empty_line() {
        let desk = desk();
        for line in
            ["status", "status json", "help", "", "what\u{0}ever", "pause", "go on", "stop", "stop now"]
        {
            let answer = desk.answer(line);
            assert!(!answer.is_empty() && answer.lines().all(|line| !line.is_empty()), "{line}: {answer}");
        }
    }
}
