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

/// What asks the program to end: SIGINT and SIGTERM, on Windows Ctrl-C and Ctrl-Break.
pub struct Requests {
    #[cfg(unix)]
    interrupts: [tokio::signal::unix::Signal; 2],
    #[cfg(windows)]
    interrupts: (tokio::signal::windows::CtrlC, tokio::signal::windows::CtrlBreak),
}

impl Requests {
    /// To be called in a runtime of tokio.
    pub fn listen() -> io::Result<Requests> {
        #[cfg(unix)]
        let interrupts = {
            use tokio::signal::unix::{SignalKind, signal};
            [signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?]
        };
        #[cfg(windows)]
        let interrupts = (tokio::signal::windows::ctrl_c()?, tokio::signal::windows::ctrl_break()?);
        Ok(Requests { interrupts })
    }

    /// Waits for the next one.
    pub async fn next(&mut self) {
        #[cfg(unix)]
        let [first, second] = &mut self.interrupts;
        #[cfg(windows)]
        let (first, second) = &mut self.interrupts;
        tokio::select! {
            _ = first.recv() => {}
            _ = second.recv() => {}
        }
    }
}
