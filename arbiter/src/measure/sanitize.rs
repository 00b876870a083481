//! Games of a build with sanitizers against itself: a step of `ci`, a criterion of `bisect` and a suggestion of `init`.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::cli::console;
use crate::engines::{self, EngineSettings, EngineSpec, session};
use crate::measure::games::read_book;
use crate::measure::measurement::{Measurement, Table, Tested};
use crate::measure::{Baseline, Judgement, MeasureError, TriedEngine};
use crate::options::machine;
use crate::report::verdict::Verdict;
use crate::run::sanitized;
use crate::text::number_text::counted;
use referee::openings::Book;
use runner::{RunConfig, SearchLimits};

/// `[sanitize]`: games of a build with sanitizers against itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SanitizeTable {
    pub build: String,
    pub games: u32,
    pub limits: SearchLimits,
    pub openings: Option<PathBuf>,
    pub seed: u64,
}

impl Default for SanitizeTable {
    fn default() -> SanitizeTable {
        let limits = SearchLimits { nodes: Some(2000), ..SearchLimits::default() };
        SanitizeTable { build: "sanitize".to_owned(), games: 10, limits, openings: None, seed: 1 }
    }
}

impl SanitizeTable {
    /// The games of the build of this engine; of each tested commit, if it is `None`.
    pub fn read(&self, engine: Option<&EngineSpec>) -> Result<SanitizedBuild> {
        let SanitizeTable { build, games, limits, openings, seed } = self.clone();
        limits.validate().context("sanitize, limits")?;
        if let Some(problem) = RunConfig::problem_of_pairs(games) {
            bail!("sanitize, {problem}");
        }
        let (book, openings) = read_book("sanitize", openings, seed)?;
        let made = Some(machine::made_now());
        let conditions = RunConfig { limits, made, ..RunConfig::of(games, book, Vec::new()) };
        let spec = engine.map(|engine| {
            let settings = EngineSettings { build: Some(build.clone()), ..engine.settings.clone() };
            EngineSpec { settings, ..engine.clone() }
        });
        Ok(SanitizedBuild { spec, build, conditions, openings })
    }
}

impl Table for SanitizeTable {
    type Record = ();

    const CHECK: &str = "sanitize";
    const PLAYS_GAMES: bool = true;

    fn plan(self, engine: &EngineSpec, _: bool) -> Result<Box<dyn Measurement>> {
        let games = self.read(Some(engine))?;
        let build = &games.build;
        if !engines::has_build(engine, build) {
            bail!(
                "sanitize, build: expected [builds.{build}] in the manifest of the engine, found none; or add `--skip sanitize`"
            );
        }
        Ok(Box::new(games))
    }

    fn suggest(tried: &TriedEngine<'_>) -> String {
        tried.checked_build.map_or_else(
            || {
                "# No [sanitize]: the manifest has no build with sanitizers, [builds.sanitize].\n"
                    .to_owned()
            },
            |build| {
                format!(
                    "# Ten games of the build with checks. A panic fails the step.\n[sanitize]\nbuild = \"{build}\"\n"
                )
            },
        )
    }
}

#[derive(Debug)]
pub struct SanitizedBuild {
    /// `None` for that build of the tested commit.
    spec: Option<EngineSpec>,
    build: String,
    /// The conditions of the games, without engines.
    conditions: RunConfig,
    openings: Book,
}

impl Measurement for SanitizedBuild {
    /// Any error output fails the build.
    fn judge(&mut self, tested: &Tested<'_>, _: &mut Baseline) -> Result<Judgement, MeasureError> {
        let of_tested = || engines::other_build(tested.engine, &self.build);
        let spec = self.spec.clone().map_or_else(of_tested, Ok)?;
        let engine = engines::resolve(&spec, &mut console::announce_build)?;
        if tested.bisection.is_some() {
            session::introduce(&engine)?.quit();
        }
        let concurrency = machine::games_at_once(std::slice::from_ref(&engine), false);
        let conditions = RunConfig { concurrency, ..self.conditions.clone() };
        let (games, book, folder) = (conditions.games, self.openings.clone(), tested.games("sanitize"));
        let engines = vec![engine.clone(), engine];
        let played = sanitized::play(engines, &conditions, games, book, &folder, tested.bisection)?;
        if played.is_stopped && tested.bisection.is_some() {
            return Err(MeasureError::Interrupted);
        }
        let mut problems = played.problems().into_iter();
        let Some(first) = problems.next() else {
            let sentence = format!("{} without an error report", counted(played.games, "game"));
            return Ok(Judgement::new(Verdict::Same, sentence));
        };
        let judgement = Judgement::new(Verdict::Broken, format!("{first}; see {}", folder.display()));
        Ok(problems.fold(judgement, Judgement::detail))
    }
}
