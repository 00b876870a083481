//! What signals mean to a run: finish, then abandon; tell the status; and a closed terminal means nothing.

use std::io;
use std::thread;

use tokio::runtime::Builder;

use super::control::Desk;
use crate::report::Speaker;
use crate::runner::{RunControl, StopLevel};

/// What a signal asks for.
enum Wish {
    Interrupt,
    Status,
}

/// Passes signals on to a run, from a thread of its own. The first interruption lets the games in progress finish, the
/// second abandons them; SIGUSR1 says how the run stands. Hanging up is ignored, so that a run outlives its terminal.
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
                    Wish::Status => speaker.say(&desk.status()),
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

/// SIGINT, SIGTERM and SIGUSR1.
#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    status: tokio::signal::unix::Signal,
    /// Held, so that the signal is caught instead of ending us.
    _hangup: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            status: signal(SignalKind::user_defined1())?,
            _hangup: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for the next one; `None` when there will be no more.
    async fn next(&mut self) -> Option<Wish> {
        tokio::select! {
            signal = self.interrupt.recv() => signal.map(|()| Wish::Interrupt),
            signal = self.terminate.recv() => signal.map(|()| Wish::Interrupt),
            signal = self.status.recv() => signal.map(|()| Wish::Status),
        }
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
