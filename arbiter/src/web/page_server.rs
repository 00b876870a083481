//! The server of a page, on the loopback address.

use std::convert::Infallible;
use std::io::{self, Write};
use std::net::Ipv4Addr;
use std::process::{Command, Stdio};
use std::sync::Arc;

use anyhow::{Context, Result};
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::get;
use axum::{Router, middleware};
use clap::Args;
use futures_util::stream::{self, Stream};
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::watch;

use super::origin_guard;
use crate::cli::{Blame, CliResult, ExitCode, console, stdout};
use crate::html::{PAGE_STYLES, PIECE_DRAWINGS};

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

/// The latest state. Clones are handles to the same state; any thread may publish. A slow client skips states, so that
/// no queue grows.
#[derive(Clone, Debug)]
pub struct LatestState(watch::Sender<Arc<str>>);

impl LatestState {
    /// Starts with this state.
    pub fn new(json: String) -> LatestState {
        LatestState(watch::Sender::new(json.into()))
    }

    /// Publishes a new state.
    pub fn publish(&self, json: String) {
        self.0.send_if_modified(|state| {
            let differs = **state != *json;
            if differs {
                *state = json.into();
            }
            differs
        });
    }

    /// The state, now and whenever it changes, as server-sent events (HTML standard, section 9.2).
    pub fn events(&self) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
        let mut receiver = self.0.subscribe();
        receiver.mark_changed();
        let events = stream::unfold(receiver, |mut receiver| async move {
            receiver.changed().await.ok()?;
            let state = Arc::clone(&receiver.borrow_and_update());
            Some((Ok(Event::default().data(&*state)), receiver))
        });
        Sse::new(events).keep_alive(KeepAlive::default())
    }
}

/// The script that all pages share: board, clocks, moves.
const BOARD_SCRIPT: &str = include_str!("board.js");

/// The style of boards and players, after the style of the reports.
const BOARD_STYLE: &str = include_str!("board.css");

/// A page with boards.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// The title of the window until the script sets another.
    pub title: &'static str,
    /// The HTML of the body.
    pub body: &'static str,
    /// The script, after the shared one.
    pub script: &'static str,
}

impl Page {
    /// The routes of the page and its files.
    pub fn routes(self) -> Router {
        let file = |kind: &'static str, text: String| {
            get(move || async move { ([(CONTENT_TYPE, kind)], text).into_response() })
        };
        let script = format!("(() => {{\n\"use strict\";\n{BOARD_SCRIPT}\n{}}})();\n", self.script);
        Router::new()
            .route("/", file("text/html; charset=utf-8", self.html()))
            .route("/style.css", file("text/css; charset=utf-8", PAGE_STYLES.concat() + BOARD_STYLE))
            .route("/script.js", file("text/javascript; charset=utf-8", script))
    }

    fn html(self) -> String {
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <meta name=\"color-scheme\" content=\"light dark\"/>\n\
             <title>{}</title>\n<link rel=\"stylesheet\" href=\"style.css\"/>\n\
             <link rel=\"icon\" href=\"data:,\"/>\n</head>\n<body>\n{PIECE_DRAWINGS}\n{}\
             <script src=\"script.js\"></script>\n</body></html>\n",
            self.title, self.body
        )
    }
}
