//! `arbiter engines list`: the engines with a manifest, and the builds in the cache.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::cli::{Blame, CliResult, ExitCode, stdout};
use crate::engines::locate::{manifest, manifest_names};
use crate::engines::{BuildCache, BuildFacts, BuildState};

/// The arguments of `arbiter engines list`.
#[derive(Debug, Default, Args)]
pub struct ListArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What `--json` prints. `schema` changes whenever a field changes its meaning or goes away.
#[derive(Serialize)]
struct Listing {
    schema: u32,
    engines: Vec<Entry>,
    cache: PathBuf,
    builds: Vec<BuildFacts>,
}

/// An engine with a manifest.
#[derive(Serialize)]
struct Entry {
    name: String,
    /// The program; `None` for an unreadable manifest.
    command: Option<String>,
    build: Option<String>,
    repo: Option<PathBuf>,
    /// The folder `engines/`; `None` for a built-in manifest.
    place: Option<PathBuf>,
    /// The error of an unreadable manifest.
    problem: Option<String>,
}

impl ListArgs {
    /// Prints the list.
    pub fn run(self) -> CliResult {
        let cache = BuildCache::of_user().fault()?;
        let builds: anyhow::Result<Vec<BuildFacts>> = cache.builds().iter().map(BuildFacts::of).collect();
        let listing = Listing {
            schema: 1,
            engines: manifest_names().into_iter().map(Entry::of).collect(),
            cache: cache.folder().to_owned(),
            builds: builds.fault()?,
        };
        let mut out = stdout();
        if self.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&listing).fault()?).fault()?;
        } else {
            listing.write(&mut out).fault()?;
        }
        Ok(ExitCode::Done)
    }
}

impl Entry {
    fn of(name: String) -> Entry {
        let empty = Entry { name, command: None, build: None, repo: None, place: None, problem: None };
        match manifest(&empty.name) {
            Ok(None) => empty,
            Ok(Some(located)) => Entry {
                command: Some(located.manifest.command),
                build: located.manifest.build,
                repo: located.manifest.repo,
                place: located.root.map(|root| root.join("engines")),
                ..empty
            },
            Err(error) => Entry { problem: Some(format!("{error:#}")), ..empty },
        }
    }
}

impl Listing {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for entry in &self.engines {
            let Entry { name, command, place, repo, problem, .. } = entry;
            if let Some(problem) = problem {
                writeln!(out, "{name:<12} {}", problem.trim_end())?;
                continue;
            }
            let place =
                place.as_ref().map_or("ships with Arbiter".to_owned(), |place| place.display().to_string());
            let revisions = if repo.is_some() && entry.place.is_some() { ", @REV" } else { "" };
            writeln!(out, "{name:<12} {:<28} {place}{revisions}", command.as_deref().unwrap_or_default())?;
        }
        if self.builds.is_empty() {
            return Ok(());
        }
        writeln!(out, "\nBuilds of revisions in {}:", self.cache.display())?;
        for build in &self.builds {
            write_build(out, build)?;
        }
        let bytes: u64 = self.builds.iter().map(|build| build.bytes).sum();
        writeln!(out, "{:<20} {:>9}", "total", size(bytes))
    }
}

/// A line for a build: name, size, time of the build, last use, and the commit or the failure.
fn write_build(out: &mut impl Write, build: &BuildFacts) -> io::Result<()> {
    let ended = build.record.as_ref().map(|record| record.ended);
    let about = match (build.state, &build.record) {
        (BuildState::Built, Some(record)) => record.commit.subject.clone(),
        (BuildState::Failed, _) => format!("failed, see {}", build.log.display()),
        _ if build.in_use => "being built".to_owned(),
        _ => "interrupted, will be built again".to_owned(),
    };
    let in_use = if build.in_use && build.state == BuildState::Built { "in use  " } else { "" };
    writeln!(
        out,
        "{:<20} {:>9}  {}  used {}  {in_use}{about}",
        build.label(),
        size(build.bytes),
        ended.map_or(" ".repeat(16), minute),
        build.last_used.map_or("never".to_owned(), minute),
    )
}

/// `2026-11-21 10:54`, in local time.
fn minute(time: Timestamp) -> String {
    time.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
}

/// `231.4 MB`.
pub fn size(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
