//! What signals mean to a run: finish, then abandon; and a closed terminal means nothing.

use std::io;
use std::thread;

use tokio::runtime::Builder;

use crate::report::Speaker;
use crate::runner::{RunControl, StopLevel};

/// Passes interruptions on to a run, from a thread of its own: the first lets the games in progress finish, the second
/// abandons them. Hanging up is ignored, so that a run outlives its terminal.
///
/// # Errors
/// The system has no room for the thread or refuses the handlers.
pub fn watch(control: RunControl, speaker: Speaker) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    // Here and not in the thread: no signal is to end a run that has begun.
    let mut signals = {
        let _guard = runtime.enter();
        Signals::listen()?
    };
    thread::Builder::new().name("interrupts".to_owned()).spawn(move || {
        runtime.block_on(async {
            while signals.next().await {
                match control.interrupt() {
                    StopLevel::Abandon => speaker.say("abandoning the games in progress"),
                    _ => speaker.say("finishing the games in progress; once more to abandon them"),
                }
            }
        });
    })?;
    Ok(())
}

/// SIGINT and SIGTERM.
#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
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
            _hangup: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for the next one; `false` when there will be no more.
    async fn next(&mut self) -> bool {
        let signal = tokio::select! {
            signal = self.interrupt.recv() => signal,
            signal = self.terminate.recv() => signal,
        };
        signal.is_some()
    }
}

/// Ctrl-C, all that other systems have.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> io::Result<Signals> {
        Ok(Signals)
    }

    /// Waits for the next one; `false` when there will be no more.
    async fn next(&mut self) -> bool {
        tokio::signal::ctrl_c().await.is_ok()
    }
}
