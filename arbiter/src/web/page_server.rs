//! The server of a page, on the loopback address.

use std::io::{self, Write};
use std::net::Ipv4Addr;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use axum::{Router, middleware};
use clap::Args;
use tokio::net::TcpListener;
use tokio::runtime::Builder;

use super::origin_guard;
use crate::cli::{Blame, CliResult, ExitCode, console, stdout};

/// Lets the system choose a free port.
const ANY_FREE_PORT: u16 = 0;

/// The options of commands that serve a page.
#[derive(Clone, Copy, Debug, Args)]
pub struct PageArgs {
    /// Port of the page, on 127.0.0.1 only [default: a free one]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,
}

impl PageArgs {
    /// Whether one of the options was given.
    pub const fn is_used(self) -> bool {
        self.port.is_some() || self.open
    }

    /// Prints the address and serves until Ctrl-C or SIGTERM.
    ///
    /// # Errors
    /// The port is not free, or the system reports another error.
    pub fn serve(self, routes: Router) -> CliResult {
        let wanted = self.port.unwrap_or(ANY_FREE_PORT);
        let runtime = Builder::new_current_thread().enable_all().build().fault()?;
        runtime.block_on(async {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, wanted)).await;
            let listener = listener.with_context(|| format!("--port {wanted}")).usage()?;
            let port = listener.local_addr().fault()?.port();
            let address = format!("http://127.0.0.1:{port}/");
            announce(&address).fault()?;
            if self.open {
                open_in_browser(&address);
            }
            let routes = guarded(routes, port);
            // Open pages keep their connections, so that the server does not wait for them.
            tokio::select! {
                served = axum::serve(listener, routes).into_future() => served.fault()?,
                stopped = stop_signal() => stopped.fault()?,
            }
            Ok(ExitCode::Done)
        })
    }
}

/// The routes behind the guard, for a server on this port.
pub fn guarded(routes: Router, port: u16) -> Router {
    routes.layer(middleware::from_fn_with_state(port, origin_guard::check))
}

fn announce(address: &str) -> io::Result<()> {
    let mut out = stdout();
    writeln!(out, "  {address}   (press Ctrl-C to quit)")?;
    out.flush()
}

fn open_in_browser(address: &str) {
    let (program, args) = if cfg!(target_os = "macos") {
        ("open", vec![address])
    } else if cfg!(windows) {
        ("cmd", vec!["/C", "start", address])
    } else {
        ("xdg-open", vec![address])
    };
    let started = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = started {
        console::note(&format!("warning: --open: {program}: {error}; open the address yourself"));
    }
}

#[cfg(unix)]
async fn stop_signal() -> Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    Ok(())
}

#[cfg(not(unix))]
async fn stop_signal() -> Result<()> {
    Ok(tokio::signal::ctrl_c().await?)
}
