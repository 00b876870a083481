//! Pages in the user's browser, served by this process.
//!
//! A request needs the random word in the printed address. The server listens on the loopback address, where other users
//! of the machine do not know the word, and the [`origin_guard`] rejects requests from other open sites. Or it listens to
//! other machines, which can only read. A [`ServedPage`] is static HTML with style and script; its data arrive as one
//! JSON text, complete after every change ([`LatestState`]).

use std::convert::Infallible;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
#[cfg(windows)]
use std::os::windows::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::Arc;

use anyhow::{Context, Result};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use clap::Args;
use futures_util::stream::{self, Stream};
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::cli::{CliResult, ExitCode, OrExitCode, console, stdout};
use crate::html::{BOARD_SCRIPTS, PAGE_STYLES, PIECE_DRAWINGS};

/// The content security policy: a page may load only its own style and script, and embedded images such as the empty
/// icon.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Accepts a request to this port if it comes from one of the server's own pages, or from no page.
async fn origin_guard(State(port): State<u16>, request: Request, next: Next) -> Response {
    if let Err((status, why)) = accept(port, request.method(), request.headers()) {
        return (status, why).into_response();
    }
    with_rules(next.run(request).await)
}

fn accept(port: u16, method: &Method, headers: &HeaderMap) -> Result<(), (StatusCode, &'static str)> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let own_names = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let is_own = |name: &str| own_names.iter().any(|own| own == name);
    if !text(HOST).is_some_and(is_own) {
        return Err((StatusCode::FORBIDDEN, "expected the host 127.0.0.1 or localhost\n"));
    }
    let has_foreign_origin = |origin: &str| !origin.strip_prefix("http://").is_some_and(is_own);
    if text(ORIGIN).is_some_and(has_foreign_origin) {
        return Err((StatusCode::FORBIDDEN, "expected a request from a page of this server\n"));
    }
    let is_json = text(CONTENT_TYPE).is_some_and(|kind| kind.split(';').next() == Some("application/json"));
    if method == Method::POST && !is_json {
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, "expected application/json\n"));
    }
    Ok(())
}

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
    pub const fn is_used(self) -> bool {
        self.port.is_some() || self.open
    }

    /// Prints the address and serves this machine until Ctrl-C or SIGTERM.
    pub fn serve(self, routes: Router) -> CliResult {
        let wanted = self.port.unwrap_or(ANY_FREE_PORT);
        let listen = format!("{}:{wanted}", Ipv4Addr::LOCALHOST);
        self.serve_at(&listen, &format!("--port {wanted}"), routes, guarded)
    }

    /// Serves every machine that can reach `listen`, for clients that know the random word in the path. Read-only, since
    /// requests from other sites cannot be told from ours.
    pub fn serve_to_others(self, listen: &str, routes: Router) -> CliResult {
        let option = format!("--listen {listen}");
        self.serve_at(listen, &option, routes, |routes, _| routes.layer(middleware::from_fn(read_only)))
    }

    fn serve_at(
        self,
        listen: &str,
        option: &str,
        routes: Router,
        protected: impl FnOnce(Router, u16) -> Router,
    ) -> CliResult {
        let word = format!("{:032x}/", rand::random::<u128>());
        let routes = Router::new().nest(&format!("/{word}"), routes);
        let runtime = runner::process::new_runtime().fault()?;
        runtime.block_on(async {
            let mut requests = console::Requests::listen().fault()?;
            let listener = TcpListener::bind(listen).await.with_context(|| option.to_owned()).usage()?;
            let local = listener.local_addr().fault()?;
            let port = local.port();
            let host = if local.ip().is_unspecified() { Ipv4Addr::LOCALHOST.into() } else { local.ip() };
            let address = format!("http://{}/{word}", SocketAddr::new(host, port));
            announce(&address).fault()?;
            if local.ip().is_unspecified() {
                console::note("elsewhere: the same address with this machine's name instead of 127.0.0.1");
            }
            if self.open {
                open_in_browser(&address);
            }
            // Open pages keep their connections, so the server does not wait for them to close.
            tokio::select! {
                served = axum::serve(listener, protected(routes, port)).into_future() => served.fault()?,
                () = requests.next() => {}
            }
            Ok(ExitCode::Done)
        })
    }
}

async fn read_only(request: Request, next: Next) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return (StatusCode::METHOD_NOT_ALLOWED, "this page can only be read\n").into_response();
    }
    with_rules(next.run(request).await)
}

fn with_rules(mut response: Response) -> Response {
    let rules = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CACHE_CONTROL, "no-store"),
        (REFERRER_POLICY, "no-referrer"),
    ];
    for (name, value) in rules {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

pub fn guarded(routes: Router, port: u16) -> Router {
    routes.layer(middleware::from_fn_with_state(port, origin_guard))
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
    let browser = || {
        let mut browser = Command::new(program);
        browser.args(&args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        browser
    };
    #[cfg(not(windows))]
    let started = browser().spawn();
    // The job object of our parent, such as cargo, may forbid the browser to leave it.
    #[cfg(windows)]
    let started =
        browser().creation_flags(runner::process::TO_LIVE_ON).spawn().or_else(|_| browser().spawn());
    if let Err(error) = started {
        console::note(&format!("warning: --open: {program}: {error}; open the address yourself"));
    }
}

/// The latest state. Clones are handles to the same state, and any thread may publish. A slow client skips states, so no
/// queue grows.
#[derive(Clone, Debug)]
pub struct LatestState(watch::Sender<Arc<str>>);

impl LatestState {
    pub fn new(json: String) -> LatestState {
        LatestState(watch::Sender::new(json.into()))
    }

    pub fn publish(&self, json: String) {
        self.0.send_if_modified(|state| {
            let differs = **state != *json;
            if differs {
                *state = json.into();
            }
            differs
        });
    }

    /// The current state, and each new one, as server-sent events (HTML standard, section 9.2).
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

/// The script that all served pages share, loaded after the board script: clocks, moves.
const SCRIPT: &str = include_str!("live_page.js");

const STYLE: &str = include_str!("live_page.css");

#[derive(Clone, Copy, Debug)]
pub struct ServedPage {
    /// The title of the window until the script sets another.
    pub title: &'static str,
    pub body: &'static str,
    pub script: &'static str,
}

impl ServedPage {
    pub fn routes(self) -> Router {
        let file = |kind: &'static str, text: String| {
            get(move || async move { ([(CONTENT_TYPE, kind)], text).into_response() })
        };
        let script = [&BOARD_SCRIPTS[..], &[SCRIPT, self.script]].concat().join("\n");
        let script = format!("(() => {{\n\"use strict\";\n{script}}})();\n");
        Router::new()
            .route("/", file("text/html; charset=utf-8", self.html()))
            .route("/style.css", file("text/css; charset=utf-8", PAGE_STYLES.concat() + STYLE))
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
