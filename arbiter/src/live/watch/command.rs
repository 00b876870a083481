//! `arbiter watch DIR`: the games of a run, live in the browser.

use std::path::PathBuf;

use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use clap::Args;

use super::live_run::LiveRun;
use super::run_follower::JournalSource;
use super::run_follower::RunFollower;
use crate::cli::{Blame, CliResult};
use crate::web::{Page, PageArgs};

/// The arguments of `arbiter watch`.
#[derive(Debug, Args)]
pub struct WatchArgs {
    /// Run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    #[command(flatten)]
    page: PageArgs,
}

impl WatchArgs {
    /// Serves the page until Ctrl-C. Nothing in the folder is changed.
    pub fn run(self) -> CliResult {
        let mut journal = JournalSource::open(&self.folder).usage()?;
        let run = LiveRun::begin(&self.folder, &mut journal).usage()?;
        let run = RunFollower::begin(run, journal).fault()?;
        self.page.serve(routes(run))
    }
}

/// The routes: the page at `/`, its data as server-sent events at `/events`, and finished games at `/games/NUMBER`.
pub fn routes(run: RunFollower) -> Router {
    let page = Page { title: "Arbiter", body: include_str!("watch.html"), script: include_str!("watch.js") };
    let state = run.state().clone();
    page.routes()
        .route("/events", get(move || async move { state.events() }))
        .route("/games/{number}", get(move |Path(number): Path<u32>| async move { game(&run, number) }))
}

fn game(run: &RunFollower, number: u32) -> Response {
    match run.game(number) {
        Ok(Some(json)) => ([(CONTENT_TYPE, "application/json")], json).into_response(),
        Ok(None) => (StatusCode::NOT_FOUND, format!("game {number} is not finished\n")).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}\n")).into_response(),
    }
}
