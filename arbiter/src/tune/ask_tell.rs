//! `arbiter tune ENGINE --ask-tell`: another program, such as an optimizer, chooses the values; Arbiter scores them.

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cli::{CliResult, ExitCode, OrExitCode, console, stdout};
use crate::engines;
use crate::files::{new_file, write_whole};
use crate::measure::Judgement;
use crate::measure::tactics::{TacticsRecord, TacticsSuite, TacticsTest};
use crate::options::ConclusionArgs;
use crate::results::{EngineSummary, Summary};
use crate::run::{Series, playing, run_file};
use runner::process::EngineInfo;
use runner::untrusted_files::read_text;
use runner::{EngineConfig, RunConfig, RunPlan, UciSetting};
use stats::Pentanomial;

#[derive(Debug)]
pub(super) struct AskTell {
    pub engine: EngineConfig,
    /// The configuration for every line, without engines.
    pub run: RunConfig,
    /// Whether the user chose the seed. If not, a continued series keeps its seed.
    pub seeded: bool,
    /// The folder of all runs: line 1 is played in its run folder `1`, and so on.
    pub folder: PathBuf,
    pub conclusion: ConclusionArgs,
    pub tactics: Option<TacticsTest>,
}

/// The results of a line's tactics suites, saved in its run folder.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TacticsFile {
    suites: Vec<TacticsRecord>,
}

const TACTICS_FILE: &str = "tactics.toml";

#[derive(Debug, Serialize)]
struct TacticsAnswer {
    solved: usize,
    positions: usize,
}

#[derive(Debug, Serialize)]
struct TellAnswer {
    /// The points per game of the engine with the line's values, from 0 to 1.
    score: f64,
    /// The standard error of the score, above 0 even if all pairs are alike.
    error: f64,
    /// The Elo difference to the engine without the values; `None` if one side won all points.
    elo: Option<f64>,
    games: u64,
    ptnml: Pentanomial,
    faults: u64,
    #[serde(flatten)]
    tactics: Option<TacticsAnswer>,
    run: PathBuf,
}

impl AskTell {
    /// Answers each line until the input ends. Lines that an earlier, interrupted command played are answered from their
    /// run folders.
    pub fn serve(mut self) -> CliResult {
        self.look_into_folder().usage()?;
        let introduction = self.introduce().usage()?;
        let mut faults = 0;
        let again = format!("the same command and lines, and --out {}", self.folder.display());
        let series = Series::continued_by(again, self.conclusion).fault()?;
        for (index, line) in io::stdin().lock().lines().enumerate() {
            let line = line.context("standard input").usage()?;
            if line.trim().is_empty() {
                continue;
            }
            let number = index + 1;
            let folder = self.folder.join(number.to_string());
            let config = self.config(&line, number, &introduction).and_then(|config| {
                check_same(&config, &folder)?;
                Ok(config)
            });
            let config = config.with_context(|| format!("line {number}")).usage()?;
            let played = series.play(&config, &folder)?;
            if played.is_stopped() {
                return Ok(series.interrupted());
            }
            Judgement::of_match(&played).usage()?;
            let tactics = self.tactics.as_ref().map(|test| solve(test, &config.engines[0], &folder));
            let answer = TellAnswer::new(&played.summary, tactics.transpose().usage()?, folder);
            faults += answer.faults;
            let mut out = stdout();
            writeln!(out, "{}", serde_json::to_string(&answer).fault()?)
                .and_then(|()| out.flush())
                .fault()?;
        }
        Ok(if faults > 0 && self.conclusion.strict { ExitCode::EngineBroke } else { ExitCode::Done })
    }

    /// Continues with the seed of the series in the folder, or checks that the folder is unused.
    fn look_into_folder(&mut self) -> Result<()> {
        let first = self.folder.join("1");
        if !first.exists() {
            return new_file::check_out(&self.folder);
        }
        if !self.seeded && new_file::is_run(&first) {
            self.run.book.seed = playing::read_config(&first)?.book.seed.wrapping_sub(1);
        }
        Ok(())
    }

    fn introduce(&self) -> Result<EngineInfo> {
        let introductions = RunPlan::new(self.with_values(Vec::new(), 0))?.introduce()?;
        introductions.into_iter().next().context("no engine")
    }

    fn config(&self, line: &str, number: usize, introduction: &EngineInfo) -> Result<RunConfig> {
        let settings = settings(line)?;
        for setting in &settings {
            introduction.check_setting(&setting.name, setting.value.as_deref())?;
        }
        Ok(self.with_values(settings, number))
    }

    fn with_values(&self, settings: Vec<UciSetting>, number: usize) -> RunConfig {
        let mut tried = self.engine.clone();
        tried.name = format!("{}-tried", self.engine.name);
        tried.options.extend(settings);
        let mut config = RunConfig { engines: vec![tried, self.engine.clone()], ..self.run.clone() };
        config.book.seed = config.book.seed.wrapping_add(number as u64);
        config
    }
}

impl TellAnswer {
    fn new(summary: &Summary, tactics: Option<TacticsAnswer>, run: PathBuf) -> TellAnswer {
        let pairing = &summary.pairings[0];
        let pairs = pairing.pentanomial;
        let score = pairs.score();
        let elo = pairing.estimates.elo.elo.value();
        TellAnswer {
            score: score.mean(),
            error: score.cautious_error(),
            elo: elo.is_finite().then_some(elo),
            games: summary.games,
            ptnml: pairs,
            faults: summary.engines.iter().map(EngineSummary::other_faults).sum(),
            tactics,
            run,
        }
    }
}

/// Searches the positions, or reads the results of an earlier, interrupted command. A position where the engine fails
/// counts as unsolved.
fn solve(test: &TacticsTest, engine: &EngineConfig, folder: &Path) -> Result<TacticsAnswer> {
    let path = folder.join(TACTICS_FILE);
    let name = || path.display().to_string();
    let found: TacticsFile = if path.is_file() {
        let found = toml::from_str(&read_text(&path).with_context(name)?).with_context(name)?;
        if !is_of(&found, test) {
            bail!(
                "{}: made with other --suite or --suite-nodes; repeat the first command, or choose another --out",
                name()
            );
        }
        found
    } else {
        let solved = test.measure(engine, |_, position, result| {
            if let Err(error) = result {
                console::note(&format!("{}: {error}", position.id));
            }
        })?;
        let found = TacticsFile { suites: solved.records() };
        write_whole(&path, toml::to_string(&found).with_context(name)?).with_context(name)?;
        found
    };
    let solved = found.suites.iter().map(|suite| suite.solved.len()).sum();
    let positions = found.suites.iter().map(|suite| suite.positions).sum();
    Ok(TacticsAnswer { solved, positions })
}

fn is_of(found: &TacticsFile, test: &TacticsTest) -> bool {
    let limit = test.go.to_string();
    let is_same = |(record, suite): (&TacticsRecord, &TacticsSuite)| {
        record.suite == suite.name && record.sha256 == suite.sha256 && record.limit == limit
    };
    found.suites.len() == test.suites.len() && found.suites.iter().zip(&test.suites).all(is_same)
}

fn settings(line: &str) -> Result<Vec<UciSetting>> {
    let values: IndexMap<String, Value> = serde_json::from_str(line)
        .context("expected a JSON object of UCI options and their values, such as {\"margin\": 52}")?;
    let setting = |(name, value): (String, Value)| {
        let value = match value {
            Value::Number(number) => number.to_string(),
            Value::Bool(value) => value.to_string(),
            Value::String(text) => text,
            other => bail!("{name}: expected a number, true, false or a text, found {other}"),
        };
        Ok(UciSetting { name, value: Some(value) })
    };
    let settings: Vec<UciSetting> = values.into_iter().map(setting).collect::<Result<_>>()?;
    for (index, UciSetting { name, .. }) in settings.iter().enumerate() {
        if settings[..index].iter().any(|earlier| earlier.name.eq_ignore_ascii_case(name)) {
            bail!("{name}: the line has this option twice");
        }
    }
    Ok(settings)
}

fn check_same(config: &RunConfig, folder: &Path) -> Result<()> {
    if !new_file::is_run(folder) {
        return Ok(());
    }
    let before = playing::read_config(folder)?;
    let options = |config: &RunConfig| config.engines.first().map(|engine| engine.options.clone());
    if options(&before) != options(config) {
        bail!("{}: this run was played with other values; choose another --out", folder.display());
    }
    let [before_fields, fields] = [&before, config].map(fields);
    let (before_fields, fields) = (before_fields?, fields?);
    let names = before_fields.keys().chain(fields.keys());
    if let Some(other) = names.into_iter().find(|&name| before_fields.get(name) != fields.get(name)) {
        bail!(
            "{}: `{other}` in its {} is not that of this command; repeat the first command, or choose another --out",
            folder.display(),
            run_file::NAME
        );
    }
    engines::check_unchanged(&before.engines)
}

/// The fields of a configuration as they are in a file, without those known only after the engines have started.
fn fields(config: &RunConfig) -> Result<toml::Table> {
    let mut config = RunConfig { made: None, ..config.clone() };
    config.engines.iter_mut().for_each(|engine| engine.version = None);
    Ok(toml::Table::try_from(&config)?)
}
