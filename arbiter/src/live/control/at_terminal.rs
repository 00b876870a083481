//! The control of a run from its terminal: signals and typed commands.

use std::io::{self, BufRead, IsTerminal};
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
#[cfg(unix)]
use std::time::Duration;

#[cfg(unix)]
use rustix::process::{Signal, getpid, kill_process};

use super::ControlHandler;
#[cfg(not(unix))]
use crate::cli::console::Requests;
use crate::cli::{ExitCode, console};
#[cfg(unix)]
use crate::live::progress::Speaker;
use runner::ControlCommand;
#[cfg(unix)]
use runner::RunControl;

enum KeyRequest {
    Interrupt,
    #[cfg_attr(not(unix), expect(dead_code, reason = "Ctrl-C is the only signal there"))]
    Status,
    #[cfg(unix)]
    Suspend,
}

/// The timeout for the engines to quit before this process stops itself.
#[cfg(unix)]
const SUSPEND_TIMEOUT: Duration = Duration::from_secs(5);

/// The run in progress, if there is one. Clones refer to the same value. A series plays one run after another, with other
/// work in between.
#[derive(Clone, Debug, Default)]
pub struct CurrentRun(Arc<Mutex<Option<ControlHandler>>>);

impl CurrentRun {
    /// Handles signals and typed commands for the run in progress, on threads of its own.
    pub fn listening(run: Option<ControlHandler>) -> io::Result<CurrentRun> {
        let current_run = CurrentRun::default();
        current_run.set(run);
        read_keyboard(current_run.clone())?;
        watch_series(current_run.clone(), || {})?;
        Ok(current_run)
    }

    pub fn set(&self, run: Option<ControlHandler>) {
        *self.lock() = run;
    }

    pub fn get(&self) -> Option<ControlHandler> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Option<ControlHandler>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Handles signals and typed commands for a run, on threads of its own.
pub fn listen(run: ControlHandler) -> io::Result<()> {
    CurrentRun::listening(Some(run)).map(drop)
}

/// Handles signals for the run in progress, on a thread of its own. The first interrupt finishes the games in progress,
/// the second abandons them; SIGUSR1 prints the status. On Ctrl-Z (SIGTSTP) the games in progress are abandoned before
/// the process stops, because their clocks would continue, and are replayed when it continues. SIGHUP is ignored, so that
/// a run survives its terminal. Between the runs of a series an interrupt ends the process, after `on_exit`: finished
/// work is kept, and work in progress, such as a build, ends with the process.
pub fn watch_series(current_run: CurrentRun, on_exit: impl Fn() + Send + 'static) -> io::Result<()> {
    let runtime = runner::process::new_runtime()?;
    // Installed here and not in the thread, so that no signal can end a run that has started.
    let mut signals = {
        let _guard = runtime.enter();
        Signals::listen()?
    };
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        runtime.block_on(async {
            while let Some(request) = signals.next().await {
                let Some(handler) = current_run.get() else {
                    between_runs(&request, &on_exit);
                    continue;
                };
                let speaker = &handler.speaker;
                match request {
                    #[cfg(unix)]
                    KeyRequest::Suspend => signals.suspend(&handler.control, speaker).await,
                    KeyRequest::Status => speaker.say(&handler.status(speaker.width())),
                    KeyRequest::Interrupt => speaker.say(&handler.interrupt()),
                }
            }
        });
    })?;
    Ok(())
}

fn between_runs(request: &KeyRequest, on_exit: impl Fn()) {
    match request {
        KeyRequest::Interrupt => {
            on_exit();
            process::exit(ExitCode::Inconclusive as i32)
        }
        KeyRequest::Status => console::note("no game is in progress"),
        #[cfg(unix)]
        KeyRequest::Suspend => {
            // No clock is running.
            let _ = kill_process(getpid(), Signal::STOP);
        }
    }
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    status: tokio::signal::unix::Signal,
    suspend: tokio::signal::unix::Signal,
    resume: tokio::signal::unix::Signal,
    /// Kept alive so that SIGHUP is caught and does not end the process.
    _hangup: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        let raw = |name: Signal| signal(SignalKind::from_raw(name.as_raw()));
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            status: signal(SignalKind::user_defined1())?,
            suspend: raw(Signal::TSTP)?,
            resume: raw(Signal::CONT)?,
            _hangup: signal(SignalKind::hangup())?,
        })
    }

    async fn next(&mut self) -> Option<KeyRequest> {
        tokio::select! {
            signal = self.interrupt.recv() => signal.map(|()| KeyRequest::Interrupt),
            signal = self.terminate.recv() => signal.map(|()| KeyRequest::Interrupt),
            signal = self.status.recv() => signal.map(|()| KeyRequest::Status),
            signal = self.suspend.recv() => signal.map(|()| KeyRequest::Suspend),
        }
    }

    /// Abandons the games, quits the engines, stops the process, and resumes the run when the process continues.
    async fn suspend(&mut self, control: &RunControl, speaker: &Speaker) {
        control.suspend();
        let emptied = tokio::time::timeout(SUSPEND_TIMEOUT, control.vacated()).await;
        if emptied.is_err() {
            speaker.say("warning: the engines do not quit; they may lose on time");
        }
        speaker.say("suspended by Ctrl-Z; the games in progress will be replayed");
        // Discards earlier SIGCONT signals.
        let no_more = Duration::ZERO;
        while matches!(tokio::time::timeout(no_more, self.resume.recv()).await, Ok(Some(()))) {}
        if kill_process(getpid(), Signal::STOP).is_ok() {
            self.resume.recv().await;
        }
        control.wake();
    }
}

/// Windows has only Ctrl-C and Ctrl-Break; `arbiter status` shows the status.
#[cfg(not(unix))]
struct Signals(Requests);

#[cfg(not(unix))]
impl Signals {
    fn listen() -> io::Result<Signals> {
        Ok(Signals(Requests::listen()?))
    }

    async fn next(&mut self) -> Option<KeyRequest> {
        self.0.next().await;
        Some(KeyRequest::Interrupt)
    }
}

/// Reads and executes commands on a thread of its own, until the end of the input (Ctrl-D), which does not stop the run.
///
/// Only a terminal is read: CI jobs have no input, and a shell loop around `arbiter` may need its input itself. Programs
/// that control a run use the socket.
fn read_keyboard(current_run: CurrentRun) -> io::Result<()> {
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return Ok(());
    }
    thread::Builder::new().name("keyboard".to_owned()).spawn(move || {
        let mut line = String::new();
        while wait_for_input().is_ok() {
            line.clear();
            match io::stdin().lock().read_line(&mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) => {
                    let Some(handler) = current_run.get() else { continue };
                    let typed = line.trim_end_matches(['\r', '\n']);
                    let is_empty = typed.trim().is_empty();
                    let answer = if is_empty {
                        ControlCommand::HELP.to_owned()
                    } else {
                        handler.answer_in(typed, handler.speaker.width())
                    };
                    handler.speaker.reply(typed, &answer);
                }
            }
        }
    })?;
    Ok(())
}

/// Waits for input while this process is in the foreground. In the background, reading from the terminal would stop the
/// process (SIGTTIN), and the games with it.
#[cfg(unix)]
fn wait_for_input() -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;
    use rustix::process::getpgrp;
    use rustix::termios::tcgetpgrp;

    const BACKGROUND_REST: Duration = Duration::from_secs(1);

    let stdin = io::stdin();
    loop {
        match poll(&mut [PollFd::new(&stdin, PollFlags::IN)], None) {
            Ok(_) if tcgetpgrp(&stdin)? == getpgrp() => return Ok(()),
            Ok(_) => thread::sleep(BACKGROUND_REST),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
fn wait_for_input() -> io::Result<()> {
    Ok(())
}
