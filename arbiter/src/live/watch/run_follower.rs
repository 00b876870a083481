//! `arbiter watch DIR`: follows a run's journal and its moves, and publishes the changes.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

use anyhow::Result;
use axum::Router;
use axum::extract;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use clap::Args;

use super::journal_source::{JournalSource, read_game};
use super::live_files::LiveFilesArgs;
use super::live_run::{GameReplay, LiveRun, MatchScore};
use super::run_view::RunView;
use crate::cli::{CliResult, OrExitCode, console};
use crate::files::new_file;
use crate::live::control;
use crate::web::{LatestState, PageArgs, ServedPage};
use runner::Journal;

const UPDATE_INTERVAL: Duration = Duration::from_millis(150);

/// The minimum time between two updates of the files for broadcasters.
const FILE_INTERVAL: Duration = Duration::from_secs(1);

/// The interval for trying to connect to a run that sends no moves, and for checking whether it is running.
const RETRY_INTERVAL: Duration = Duration::from_secs(2);

#[derive(Debug, Args)]
pub struct WatchArgs {
    /// Run folder
    #[arg(value_name = "DIR", default_value = new_file::NEWEST)]
    folder: PathBuf,

    #[command(flatten)]
    files: LiveFilesArgs,

    #[command(flatten)]
    page: PageArgs,

    /// Also serve other machines on this address and port, such as 0.0.0.0:8080; the printed address contains a secret word
    /// that visitors need
    #[arg(long, value_name = "ADDRESS", conflicts_with = "port")]
    listen: Option<String>,
}

impl WatchArgs {
    pub fn run(self) -> CliResult {
        let folder = new_file::or_newest(self.folder, new_file::is_run).usage()?;
        let mut journal = JournalSource::open(&folder).usage()?;
        let run = LiveRun::begin(&folder, &mut journal).usage()?;
        let run = RunFollower::begin(run, journal, self.files).of_path()?;
        match &self.listen {
            Some(address) => self.page.serve_to_others(address, routes(run)),
            None => self.page.serve(routes(run)),
        }
    }
}

/// The routes: the page at `/`, its data as server-sent events at `/events`, and finished games at `/games/NUMBER`.
pub fn routes(run: RunFollower) -> Router {
    let page =
        ServedPage { title: "Arbiter", body: include_str!("watch.html"), script: include_str!("watch.js") };
    let state = run.state.clone();
    page.routes().route("/events", get(move || async move { state.events() })).route(
        "/games/{number}",
        get(move |extract::Path(number): extract::Path<u32>| async move { game(&run, number) }),
    )
}

fn game(run: &RunFollower, number: u32) -> Response {
    match run.game(number) {
        Ok(Some(json)) => ([(CONTENT_TYPE, "application/json")], json).into_response(),
        Ok(None) => (StatusCode::NOT_FOUND, format!("game {number} is not finished\n")).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}\n")).into_response(),
    }
}

#[derive(Clone, Debug)]
pub struct RunFollower {
    run: Arc<Mutex<LiveRun>>,
    has_changed: Arc<AtomicBool>,
    pub state: LatestState,
}

impl RunFollower {
    /// Starts to follow a run, on threads that end with the program.
    pub fn begin(run: LiveRun, journal: JournalSource, files: LiveFilesArgs) -> io::Result<RunFollower> {
        let mut publisher = Publisher::new(&run, journal, files);
        let text = publisher.text(&run);
        publisher.files.write(&run, &text)?;
        let state = LatestState::new(text);
        let show = RunFollower {
            run: Arc::new(Mutex::new(run)),
            has_changed: Arc::new(AtomicBool::new(false)),
            state,
        };
        let listener = show.clone();
        thread::Builder::new().name("live games".to_owned()).spawn(move || listener.listen())?;
        let follower = show.clone();
        thread::Builder::new().name("journal".to_owned()).spawn(move || {
            loop {
                thread::sleep(UPDATE_INTERVAL);
                publisher.publish(&follower);
            }
        })?;
        Ok(show)
    }

    pub fn game(&self, number: u32) -> Result<Option<String>> {
        let place = self.lock().finished_game(number).map(|game| game.place);
        let Some(place) = place else { return Ok(None) };
        let folder = self.lock().folder.clone();
        let record = read_game(&folder, number - 1, place)?;
        let replay = {
            let run = self.lock();
            let name = |engine| run.run.engine_name(engine).to_owned();
            GameReplay::new(&record, run.run.config().variant, name)
        };
        Ok(Some(serde_json::to_string(&replay)?))
    }

    fn listen(&self) {
        let folder = self.lock().folder.clone();
        loop {
            let heard = control::watch(&folder, |position| {
                let mut run = self.lock();
                let is_news = position.is_some() || !run.is_live;
                run.set_live(true);
                if let Some(position) = position {
                    run.take_position(position);
                }
                self.has_changed.fetch_or(is_news, Ordering::Relaxed);
                ControlFlow::Continue(())
            });
            // A broken connection also ends the live games.
            if !matches!(heard, Ok(false)) {
                self.lock().set_live(false);
                self.has_changed.store(true, Ordering::Relaxed);
            }
            thread::sleep(RETRY_INTERVAL);
        }
    }

    fn lock(&self) -> MutexGuard<'_, LiveRun> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Publisher {
    journal: JournalSource,
    score: MatchScore,
    scored: Instant,
    was_live: bool,
    files: LiveFilesArgs,
    written: Instant,
    could_write: bool,
    is_unwritten: bool,
}

impl Publisher {
    fn new(run: &LiveRun, journal: JournalSource, files: LiveFilesArgs) -> Publisher {
        let was_live = run.is_live;
        let score = run.score(was_live || Journal::is_in_use(journal.path()));
        Publisher {
            score,
            journal,
            scored: Instant::now(),
            was_live,
            files,
            written: Instant::now(),
            could_write: true,
            is_unwritten: false,
        }
    }

    fn publish(&mut self, show: &RunFollower) {
        let mut has_changed = show.has_changed.swap(false, Ordering::Relaxed);
        let is_live = show.lock().is_live;
        // Only the lock of its journal shows whether a run without a socket is running.
        let is_stale = !is_live && self.scored.elapsed() > RETRY_INTERVAL;
        let may_have_ended = self.score.is_running || is_stale || is_live != self.was_live;
        // Checked before the journal is read: a run that ends in between must not look interrupted.
        let is_running = is_live || may_have_ended && Journal::is_in_use(self.journal.path());
        let mut run = show.lock();
        let (mut has_grown, mut is_behind) = (false, false);
        if run.trouble.is_none() {
            // A run that is faster than this reader must not keep the page waiting.
            let begin = Instant::now();
            let read = self.journal.read_new(|event, place| {
                run.take_event(&event, place);
                has_grown = true;
                is_behind = begin.elapsed() >= UPDATE_INTERVAL;
                if is_behind { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if let Err(error) = read {
                run.trouble = Some(format!("{error:#}"));
                has_changed = true;
            }
        }
        // Until all is read, how the run ended is not known.
        let is_running = is_running || is_behind && self.score.is_running;
        if has_grown || is_stale || is_live != self.was_live || is_running != self.score.is_running {
            self.score = run.score(is_running);
            (self.scored, self.was_live) = (Instant::now(), is_live);
            has_changed = true;
        }
        if has_changed {
            let text = self.text(&run);
            drop(run);
            show.state.publish(text);
            self.is_unwritten = true;
        }
        if self.is_unwritten && self.written.elapsed() >= FILE_INTERVAL {
            self.write_files(&show.lock());
        }
    }

    fn write_files(&mut self, run: &LiveRun) {
        let written = self.files.write(run, &self.text(run));
        // Writing is tried again later, since a full disk may have room by then.
        if let (Err(error), true) = (&written, self.could_write) {
            console::note(&format!("warning: {error}"));
        }
        (self.could_write, self.is_unwritten, self.written) = (written.is_ok(), false, Instant::now());
    }

    fn text(&self, run: &LiveRun) -> String {
        // Serialization cannot fail, since there are only strings and numbers.
        serde_json::to_string(&RunView::new(run, &self.score)).unwrap_or_default()
    }
}
