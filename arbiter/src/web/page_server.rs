//! The server: on the loopback address, until it is told to end.

use std::io::{self, Write};
use std::net::Ipv4Addr;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use axum::{Router, middleware};
use clap::Args;
use tokio::net::TcpListener;
use tokio::runtime::Builder;

use super::doorkeeper;
use crate::cli::{Blame, CliResult, ExitCode, console};

/// What the system is asked for where the user does not care.
const ANY_FREE_PORT: u16 = 0;

/// Where a page is served: options of all commands that have one.
#[derive(Clone, Copy, Debug, Args)]
pub struct PageArgs {
    /// The port of the page, which only this machine can reach; any that is free when none is given
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,
}

impl PageArgs {
    /// Whether any of the options was given.
    pub const fn is_used(self) -> bool {
        self.port.is_some() || self.open
    }

    /// Prints the address and serves until Ctrl-C, or a request to end.
    ///
    /// # Errors
    /// The port is not free, or the system refuses something.
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
            let routes = routes.layer(middleware::from_fn_with_state(port, doorkeeper::check));
            // Pages hold a connection open, so that nobody waits for the last of them.
            tokio::select! {
                served = axum::serve(listener, routes).into_future() => served.fault()?,
                asked = asked_to_end() => asked.fault()?,
            }
            Ok(ExitCode::Done)
        })
    }
}

fn announce(address: &str) -> io::Result<()> {
    let mut out = io::stdout();
    writeln!(out, "  {address}   Ctrl-C ends it")?;
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
        console::note(&format!("--open: {program}: {error}; open the address yourself"));
    }
}

#[cfg(unix)]
async fn asked_to_end() -> Result<()> {
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
async fn asked_to_end() -> Result<()> {
    Ok(tokio::signal::ctrl_c().await?)
}
