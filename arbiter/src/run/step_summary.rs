//! The summary of a job on GitHub: a match says there what came of it, without being asked.
//!
//! A step of a GitHub Actions workflow may append Markdown to the file that `GITHUB_STEP_SUMMARY` names
//! (docs.github.com, "Workflow commands for GitHub Actions"); it is shown on the page of the job.

use std::env;
use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};

use crate::cli::console;
use crate::report::markdown::markdown;
use crate::results::RecordedRun;
use crate::results::RunOutcome;

/// The variable in the environment of a step.
const VARIABLE: &str = "GITHUB_STEP_SUMMARY";

/// Appends what came of a run where the environment asks for it. A failure is only a note, since nothing else depends on it.
pub fn append_run(run: &RecordedRun) {
    if env::var_os(VARIABLE).is_some() {
        append_text(&markdown(&[RunOutcome::of(run)]));
    }
}

/// Appends a text where the environment asks for it.
pub fn append_text(text: &str) {
    let Some(file) = env::var_os(VARIABLE).filter(|file| !file.is_empty()) else { return };
    if let Err(error) = append_to(&file, text) {
        console::note(&format!("no step summary: {error:#}"));
    }
}

fn append_to(file: &OsStr, text: &str) -> Result<()> {
    let opened = OpenOptions::new().append(true).create(true).open(file);
    let written = opened.and_then(|mut file| file.write_all(format!("{text}\n").as_bytes()));
    written.with_context(|| Path::new(file).display().to_string())
}
