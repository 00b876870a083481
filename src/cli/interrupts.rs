//! What signals mean to a run: finish, then abandon; tell the status; and a closed terminal means nothing.

use std::io;
use std::thread;
#[cfg(unix)]
use std::time::Duration;

use tokio::runtime::Builder;

use super::control::Desk;
use crate::report::Speaker;
use crate::runner::{RunControl, StopLevel};

/// What a signal asks for.
enum Wish {
    Interrupt,
    Status,
    #[cfg(unix)]
    Suspend,
}

/// How long engines may take to leave before our process stops itself.
#[cfg(unix)]
const SUSPEND_PATIENCE: Duration = Duration::from_secs(5);

/// Passes signals on to a run, from a thread of its own. The first interruption lets the games in progress finish, the
/// second abandons them; SIGUSR1 says how the run stands. On Ctrl-Z (SIGTSTP) the games in progress are taken back
/// before the process stops, since their clocks would run on, and are played again when it continues. Hanging up is
/// ignored, so that a run outlives its terminal.
///
/// # Errors
/// The system has no room for the thread or refuses the handlers.
pub fn watch(control: RunControl, desk: Desk, speaker: Speaker) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    // Here and not in the thread: no signal is to end a run that has begun.
    let mut signals = {
        let _guard = runtime.enter();
        Signals::listen()?
    };
    thread::Builder::new().name("interrupts".to_owned()).spawn(move || {
        runtime.block_on(async {
            while let Some(wish) = signals.next().await {
                match wish {
                    #[cfg(unix)]
                    Wish::Suspend => signals.suspend(&control, &speaker).await,
                    Wish::Status => speaker.say(&desk.status(speaker.width())),
                    Wish::Interrupt => speaker.say(match control.interrupt() {
                        StopLevel::Abandon => "abandoning the games in progress",
                        _ => "finishing the games in progress; once more to abandon them",
                    }),
                }
            }
        });
    })?;
    Ok(())
}

/// SIGINT, SIGTERM, SIGUSR1, SIGTSTP and SIGCONT.
#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    status: tokio::signal::unix::Signal,
    suspend: tokio::signal::unix::Signal,
    carry_on: tokio::signal::unix::Signal,
    /// Held, so that the signal is caught instead of ending us.
    _hangup: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> io::Result<Signals> {
        use rustix::process::Signal;
        use tokio::signal::unix::{SignalKind, signal};
        let raw = |name: Signal| signal(SignalKind::from_raw(name.as_raw()));
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            status: signal(SignalKind::user_defined1())?,
            suspend: raw(Signal::TSTP)?,
            carry_on: raw(Signal::CONT)?,
            _hangup: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for the next one; `None` when there will be no more.
    async fn next(&mut self) -> Option<Wish> {
        tokio::select! {
            signal = self.interrupt.recv() => signal.map(|()| Wish::Interrupt),
            signal = self.terminate.recv() => signal.map(|()| Wish::Interrupt),
            signal = self.status.recv() => signal.map(|()| Wish::Status),
            signal = self.suspend.recv() => signal.map(|()| Wish::Suspend),
        }
    }

    /// Empties the run of games and engines, stops the whole process, and plays on when it is continued.
    async fn suspend(&mut self, control: &RunControl, speaker: &Speaker) {
        use rustix::process::{Signal, getpid, kill_process};

        control.suspend();
        let emptied = tokio::time::timeout(SUSPEND_PATIENCE, control.vacated()).await;
        if emptied.is_err() {
            speaker.say("the engines do not leave; games may be lost on time");
        }
        speaker.say("stopped by Ctrl-Z; the games in progress will be played again");
        // Signals of the past are not the one that continues us.
        let no_more = Duration::ZERO;
        while matches!(tokio::time::timeout(no_more, self.carry_on.recv()).await, Ok(Some(()))) {}
        if kill_process(getpid(), Signal::STOP).is_ok() {
            self.carry_on.recv().await;
        }
        control.wake();
    }
}

/// Ctrl-C, all that other systems have. The status is there for `arbiter status`.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> io::Result<Signals> {
        Ok(Signals)
    }

    /// Waits for the next one; `None` when there will be no more.
    async fn next(&mut self) -> Option<Wish> {
        tokio::signal::ctrl_c().await.ok().map(|()| Wish::Interrupt)
    }
}
