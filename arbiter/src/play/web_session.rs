//! A session in the browser: the page sends commands one by one and gets the new state after every change.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;
use std::{io, thread};

use anyhow::{Context, Result, bail};
use axum::Router;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use tokio::sync::oneshot;

use super::play_command::PlayCommand;
use super::session::{Reply, Session, SessionView};
use crate::web::{LatestState, ServedPage};

const NO_CLOCK_TIMEOUT: Duration = Duration::from_hours(1);

/// A handle to a session, which runs on its own thread because searches block.
#[derive(Clone, Debug)]
pub struct WebSession {
    commands: Sender<TypedLine>,
    pub state: LatestState,
}

type TypedLine = (String, oneshot::Sender<Reply>);

impl WebSession {
    /// Starts the session, which can open files only in `files`. It ends when the last handle is dropped.
    pub fn open(session: Session, files: Option<PathBuf>) -> io::Result<WebSession> {
        let (commands, received) = mpsc::channel();
        let state = LatestState::new(SessionView::new(&session, &[]).to_json());
        let shown = state.clone();
        let thread = SessionThread { session, files, received, shown, messages: Vec::new() };
        thread::Builder::new().name("session".to_owned()).spawn(move || thread.run())?;
        Ok(WebSession { commands, state })
    }

    /// Sends a line to the session and waits for the reply, even while the engine is thinking. `None` if the session has
    /// ended.
    pub async fn ask(&self, line: String) -> Option<Reply> {
        let (answer, answered) = oneshot::channel();
        self.commands.send((line, answer)).ok()?;
        answered.await.ok()
    }
}

struct SessionThread {
    session: Session,
    files: Option<PathBuf>,
    received: Receiver<TypedLine>,
    shown: LatestState,
    /// The latest messages about the game that are not replies to a line.
    messages: Vec<String>,
}

impl SessionThread {
    fn run(mut self) {
        loop {
            if self.session.game.awaits_engine() {
                self.show();
                self.messages = self.session.play_engine_move().lines;
            }
            if let Some(words) = self.session.report_outcome() {
                self.messages.push(words);
            }
            self.show();
            match self.received.recv_timeout(self.timeout()) {
                Ok((line, answer)) => {
                    // The page may have been closed.
                    let _ = answer.send(self.execute(&line));
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.session.check_flag();
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn execute(&mut self, line: &str) -> Reply {
        let allowed = line.parse().and_then(|command| {
            allowed(self.files.as_deref(), command).map_err(|error| format!("{error:#}"))
        });
        match allowed {
            Ok(command) => {
                let reply = self.session.execute(command);
                if reply.board_changed {
                    self.messages.clear();
                }
                reply
            }
            Err(error) => Reply { lines: vec![error], board_changed: false },
        }
    }

    fn show(&self) {
        self.shown.publish(SessionView::new(&self.session, &self.messages).to_json());
    }

    fn timeout(&self) -> Duration {
        let game = &self.session.game;
        if game.outcome().is_some() {
            return NO_CLOCK_TIMEOUT;
        }
        let left = game.time_left(self.session.thinking_time())[game.turn() as usize];
        // A flag falls when the time left is negative.
        left.map_or(NO_CLOCK_TIMEOUT, |left| left + Duration::from_millis(1))
    }
}

/// The command, if the page may execute it, with its file placed in the folder named on the command line.
fn allowed(files: Option<&Path>, command: PlayCommand) -> Result<PlayCommand> {
    let within = |file: PathBuf| {
        let Some(folder) = files else {
            bail!("the page opens no files; arbiter play … --web --folder DIR names a folder for them")
        };
        let path = folder.join(&file);
        let real = |path: &Path| path.canonicalize().with_context(|| path.display().to_string());
        if !real(path.parent().unwrap_or(folder))?.starts_with(real(folder)?) || path.is_symlink() {
            bail!("{}: expected a file in {}", file.display(), folder.display());
        }
        Ok(path)
    };
    Ok(match command {
        PlayCommand::Save(file) => PlayCommand::Save(within(file)?),
        PlayCommand::Load(file) => PlayCommand::Load(within(file)?),
        other => other,
    })
}

#[derive(Debug, Deserialize)]
struct PostedLine {
    line: String,
}

/// The routes: the page at `/`, its data as server-sent events at `/events`, commands by `POST` to `/lines`, and the
/// game at `/game.pgn`.
pub fn web_routes(session: WebSession) -> Router {
    let page =
        ServedPage { title: "Arbiter", body: include_str!("play.html"), script: include_str!("play.js") };
    let (state, receiver) = (session.state.clone(), session.clone());
    page.routes()
        .route("/events", get(move || async move { state.events() }))
        .route("/lines", post(move |body: String| async move { execute(&receiver, &body).await }))
        .route("/game.pgn", get(move || async move { pgn(&session).await }))
}

async fn execute(session: &WebSession, body: &str) -> Response {
    let line = match serde_json::from_str::<PostedLine>(body) {
        Ok(PostedLine { line }) => line,
        Err(error) => {
            let problem = format!("expected {{\"line\": \"…\"}}: {error}\n");
            return (StatusCode::BAD_REQUEST, problem).into_response();
        }
    };
    match session.ask(line).await {
        Some(reply) => {
            let answer = serde_json::json!({ "answer": reply.lines });
            ([(CONTENT_TYPE, "application/json")], answer.to_string()).into_response()
        }
        None => ended(),
    }
}

async fn pgn(session: &WebSession) -> Response {
    let Some(reply) = session.ask("pgn".to_owned()).await else { return ended() };
    let headers = [
        (CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"game.pgn\""),
    ];
    (headers, reply.lines.join("\n")).into_response()
}

fn ended() -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, "the session has ended\n").into_response()
}
