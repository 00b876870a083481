//! What signals mean to a run: finish, then abandon; tell the status; and a closed terminal means nothing.

use std::io;
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
#[cfg(unix)]
use std::time::Duration;

use tokio::runtime::Builder;

use super::Desk;
use crate::cli::{ExitCode, console};
use crate::progress::Speaker;
use runner::{RunControl, StopLevel};

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

/// A run, for those who give it orders from outside.
#[derive(Clone, Debug)]
pub struct OrderedRun {
    /// Where orders go.
    pub control: RunControl,
    /// Where questions are answered.
    pub desk: Desk,
    /// Where answers are shown.
    pub speaker: Speaker,
}

/// The run that is being played at this moment, if there is one; clones are the same. A series has one run after the
/// other, and other work between them.
#[derive(Clone, Debug, Default)]
pub struct AtPlay(Arc<Mutex<Option<OrderedRun>>>);

impl AtPlay {
    /// Another run, or none, is being played from now on.
    pub fn set(&self, run: Option<OrderedRun>) {
        *self.lock() = run;
    }

    fn get(&self) -> Option<OrderedRun> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Option<OrderedRun>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Passes signals on to a run, as [`watch_series`] does.
///
/// # Errors
/// The system has no room for the thread or refuses the handlers.
pub fn watch(run: OrderedRun) -> io::Result<()> {
    let at_play = AtPlay::default();
    at_play.set(Some(run));
    watch_series(at_play, || {})
}

/// Passes signals on to the run that is being played, from a thread of its own. The first interruption lets the games
/// in progress finish, the second abandons them; SIGUSR1 says how the run stands. On Ctrl-Z (SIGTSTP) the games in
/// progress are taken back before the process stops, since their clocks would run on, and are played again when it
/// continues. Hanging up is ignored, so that a run outlives its terminal. Between the runs of a series an interruption
/// ends the process, after `farewell`: what was done by then is kept, and what was going on, such as a build, ends with
/// us.
///
/// # Errors
/// The system has no room for the thread or refuses the handlers.
pub fn watch_series(at_play: AtPlay, farewell: impl Fn() + Send + 'static) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    // Here and not in the thread: no signal is to end a run that has begun.
    let mut signals = {
        let _guard = runtime.enter();
        Signals::listen()?
    };
    thread::Builder::new().name("interrupts".to_owned()).spawn(move || {
        runtime.block_on(async {
            while let Some(wish) = signals.next().await {
                let Some(OrderedRun { control, desk, speaker }) = at_play.get() else {
                    between_runs(&wish, &farewell);
                    continue;
                };
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

/// What a signal means while no run is being played.
fn between_runs(wish: &Wish, farewell: impl Fn()) {
    match wish {
        Wish::Interrupt => {
            farewell();
            process::exit(ExitCode::Inconclusive as i32)
        }
        Wish::Status => console::note("no game is being played at the moment"),
        #[cfg(unix)]
        Wish::Suspend => {
            use rustix::process::{Signal, getpid, kill_process};

            // Nothing has a clock that would run on.
            let _ = kill_process(getpid(), Signal::STOP);
        }
    }
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
