//! Ctrl-C for work that keeps what it has when it is stopped.

use std::io;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tokio::runtime::Builder;

use super::console;
use super::error::ExitCode;

/// A flag that the first interruption or request to end sets; the second ends the program, and with it the engines.
pub fn on_interrupt() -> io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let mut requests = {
        let _guard = runtime.enter();
        Requests::listen()?
    };
    let raised = Arc::clone(&flag);
    thread::Builder::new().name("interrupts".to_owned()).spawn(move || {
        runtime.block_on(async {
            requests.next().await;
            raised.store(true, Ordering::Relaxed);
            console::note("stopping; press Ctrl-C again to quit without the results so far");
            requests.next().await;
        });
        process::exit(ExitCode::Inconclusive as i32);
    })?;
    Ok(flag)
}

#[cfg(unix)]
struct Requests {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Requests {
    fn listen() -> io::Result<Requests> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Requests {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Requests;

#[cfg(not(unix))]
impl Requests {
    fn listen() -> io::Result<Requests> {
        Ok(Requests)
    }

    async fn next(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}
