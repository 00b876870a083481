//! Games of builds with sanitizers. Their results do not count, only their faults and error output.

use std::fs;
use std::num::NonZeroU32;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use anyhow::Context;

use super::playing;
use super::series::Series;
use crate::cli::{CliError, OrExitCode};
use crate::engines::{ErrorReport, make_distinct};
use referee::openings::Book;
use runner::{EngineConfig, RunConfig, RunPlan, Timeouts};

/// The extra time for each move and for the start, because such builds are slow.
const MARGIN: Duration = Duration::from_mins(1);

/// `sanitize:20`: one game of this build for every 20 games of the match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildEvery {
    pub build: String,
    pub every: NonZeroU32,
}

impl FromStr for BuildEvery {
    type Err = String;

    fn from_str(text: &str) -> Result<BuildEvery, String> {
        let parts = text.split_once(':').filter(|(build, _)| !build.is_empty());
        let read = parts.and_then(|(build, every)| Some((build.to_owned(), every.parse().ok()?)));
        let (build, every) = read.ok_or("expected NAME:N, such as sanitize:20")?;
        Ok(BuildEvery { build, every })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SanitizedGames {
    pub games: u64,
    pub reports: Vec<ErrorReport>,
    pub broke: u64,
    /// Whether the user interrupted them.
    pub is_stopped: bool,
}

/// Plays games under the conditions of a run, but without its test, into a folder of their own. The engines' error
/// output goes to `errors.txt` beside the folder. Within a series, games that were interrupted are resumed.
pub fn play(
    mut engines: Vec<EngineConfig>,
    conditions: &RunConfig,
    games: u32,
    book: Book,
    folder: &Path,
    series: Option<&Series>,
) -> Result<SanitizedGames, CliError> {
    let errors = std::path::absolute(folder.with_extension("errors.txt")).fault()?;
    for engine in &mut engines {
        engine.stderr = Some(errors.clone());
        engine.time_margin = Some(MARGIN);
        engine.start_timeout = Some(engine.start_timeout.unwrap_or(MARGIN));
    }
    make_distinct(&mut engines);
    let timeouts = Timeouts { ready: MARGIN, stall: MARGIN * 10, ..conditions.timeouts };
    let config = RunConfig {
        limits: conditions.limits.clone(),
        adjudication: conditions.adjudication.clone(),
        concurrency: conditions.concurrency,
        variant: conditions.variant,
        ponder: conditions.ponder,
        made: conditions.made.clone(),
        timeouts,
        ..RunConfig::of(games, conditions.book.clone(), engines)
    };
    let played = if let Some(series) = series {
        series.play(&config, folder)?
    } else {
        let mut plan = RunPlan::new(config).usage()?;
        playing::introduce(&mut plan).usage()?;
        playing::play_into(plan, book, folder)?
    };
    let said = match fs::read(&errors) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| errors.display().to_string()).fault(),
    };
    let broke = played.summary.engines.iter().map(|engine| engine.faults.values().sum::<u64>()).sum();
    let (games, is_stopped) = (played.summary.games, played.is_stopped());
    Ok(SanitizedGames { games, reports: ErrorReport::all(&said), broke, is_stopped })
}

impl SanitizedGames {
    pub fn problems(&self) -> Vec<String> {
        let reports = self.reports.iter().map(ToString::to_string);
        let broke = (self.broke > 0).then(|| format!("games lost by a fault: {}", self.broke));
        reports.chain(broke).collect()
    }
}
