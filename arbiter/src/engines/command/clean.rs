//! `arbiter engines clean [NAME…]`: removes builds of revisions from the cache.

use std::io::Write;
use std::time::{Duration, SystemTime};

use anyhow::bail;
use clap::Args;

use super::list::size;
use crate::cli::{Blame, CliResult, ExitCode, stdout};
use crate::engines::{BuildCache, BuildFacts, CachedBuild};
use runner::process::nearest_name;

/// A day.
const DAY: Duration = Duration::from_hours(24);

/// The arguments of `arbiter engines clean`.
#[derive(Debug, Args)]
pub struct CleanArgs {
    /// The builds to remove: NAME for all of an engine, NAME@COMMIT for one [default: all builds]
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Remove only builds not used for N days
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=36500))]
    older_than: Option<u32>,

    /// Print what would be removed, and remove nothing
    #[arg(long)]
    dry_run: bool,
}

impl CleanArgs {
    /// Removes one build after another.
    pub fn run(self) -> CliResult {
        let builds = BuildCache::of_user().fault()?.builds();
        self.check_names(&builds).usage()?;
        let mut out = stdout();
        let (mut count, mut bytes) = (0, 0);
        for build in builds.iter().filter(|build| self.is_selected(build)) {
            let facts = BuildFacts::of(build).fault()?;
            // Held until the build is removed, so that nobody starts to use it.
            let Some(_lock) = build.try_lock().fault()? else {
                writeln!(out, "{:<20} kept, it is in use", facts.label()).fault()?;
                continue;
            };
            if !self.dry_run {
                build.remove().fault()?;
            }
            let done = if self.dry_run { "would be removed" } else { "removed" };
            writeln!(out, "{:<20} {done}, {}", facts.label(), size(facts.bytes)).fault()?;
            count += 1;
            bytes += facts.bytes;
        }
        let done = if self.dry_run { "would be removed" } else { "removed" };
        let builds = if count == 1 { "build" } else { "builds" };
        writeln!(out, "{count} {builds} {done}, {}", size(bytes)).fault()?;
        Ok(ExitCode::Done)
    }

    /// Refuses a name without builds, unless the cache is empty.
    fn check_names(&self, builds: &[CachedBuild]) -> anyhow::Result<()> {
        for name in &self.names {
            let engine = name.split_once('@').map_or(&**name, |(engine, _)| engine);
            if !builds.is_empty() && !builds.iter().any(|build| build.engine == engine) {
                let known = nearest_name(engine, builds.iter().map(|build| build.engine.as_str()));
                let hint = known.map(|known| format!("; did you mean `{known}`?")).unwrap_or_default();
                bail!("`{name}`: this engine has no builds in the cache{hint}");
            }
        }
        Ok(())
    }

    fn is_selected(&self, build: &CachedBuild) -> bool {
        let is_named = |name: &String| match name.split_once('@') {
            Some((engine, commit)) => build.engine == engine && build.key.starts_with(&commit.to_lowercase()),
            None => build.engine == *name,
        };
        let age = || build.last_used().and_then(|used| SystemTime::now().duration_since(used).ok());
        let is_old = |days: u32| age().is_some_and(|age| age >= DAY * days);
        (self.names.is_empty() || self.names.iter().any(is_named)) && self.older_than.is_none_or(is_old)
    }
}
