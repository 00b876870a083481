//! `arbiter tune ENGINE --ask-tell`: another program, an optimizer, chooses the values; Arbiter scores them.

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use indexmap::IndexMap;
use serde::Serialize;
use serde_json::Value;

use crate::cli::{Blame, CliResult, ExitCode, stdout};
use crate::matches::args::ConclusionArgs;
use crate::matches::{Series, playing, run_file};
use crate::run_state::Summary;
use runner::{EngineConfig, FinishReason, RunConfig, UciSetting};
use stats::Pentanomial;

/// The engine and the run of each line.
#[derive(Debug)]
pub(super) struct AskTell {
    /// The engine without the values.
    pub engine: EngineConfig,
    /// The run of a line, without engines.
    pub run: RunConfig,
    /// The folder of all runs. Line 1 has the run folder `1` in it, and so on.
    pub folder: PathBuf,
    /// The options for the end of each run.
    pub conclusion: ConclusionArgs,
}

/// The answer to a line.
#[derive(Debug, Serialize)]
struct Answer {
    /// The points per game of the engine with the values, from 0 to 1.
    score: f64,
    /// The standard error of the score.
    error: f64,
    /// The Elo difference to the engine without the values; `None` if one of the two won all points.
    elo: Option<f64>,
    /// Games with a result.
    games: u64,
    ptnml: Pentanomial,
    /// The run folder.
    run: PathBuf,
}

impl AskTell {
    /// Answers each line until the input ends. Lines that an earlier, stopped command played are answered from their run
    /// folders.
    pub fn serve(&self) -> CliResult {
        let again = format!("the same command and lines, and --out {}", self.folder.display());
        let series = Series::continued_by(again, self.conclusion).fault()?;
        for (index, line) in io::stdin().lock().lines().enumerate() {
            let line = line.context("standard input").usage()?;
            if line.trim().is_empty() {
                continue;
            }
            let number = index + 1;
            let config = self.config(&line, number).with_context(|| format!("line {number}")).usage()?;
            let folder = self.folder.join(number.to_string());
            check_same(&config, &folder).with_context(|| format!("line {number}")).usage()?;
            let played = series.play(&config, &folder)?;
            match played.reason {
                FinishReason::Requested => return Ok(series.interrupted()),
                FinishReason::EngineDoesNotStart { detail, .. } => return Err(anyhow!(detail)).usage(),
                _ => {}
            }
            let answer = Answer::new(&played.summary, folder);
            let mut out = stdout();
            writeln!(out, "{}", serde_json::to_string(&answer).fault()?)
                .and_then(|()| out.flush())
                .fault()?;
        }
        Ok(ExitCode::Done)
    }

    /// The run of a line. Each line has its own openings.
    fn config(&self, line: &str, number: usize) -> Result<RunConfig> {
        let mut tried = self.engine.clone();
        tried.name = format!("{}-tried", self.engine.name);
        tried.options.extend(settings(line)?);
        let mut config = RunConfig { engines: vec![tried, self.engine.clone()], ..self.run.clone() };
        config.book.seed = config.book.seed.wrapping_add(number as u64);
        Ok(config)
    }
}

impl Answer {
    fn new(summary: &Summary, run: PathBuf) -> Answer {
        let pairing = &summary.pairings[0];
        let pairs = pairing.pentanomial;
        let score = pairs.score();
        let elo = pairing.elo.elo.value();
        Answer {
            score: score.mean(),
            error: score.standard_error(),
            elo: elo.is_finite().then_some(elo),
            games: summary.games,
            ptnml: pairs,
            run,
        }
    }
}

/// The options that a line sets.
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
    values.into_iter().map(setting).collect()
}

/// Checks that a line that was played before has the same values.
fn check_same(config: &RunConfig, folder: &Path) -> Result<()> {
    if !folder.join(run_file::NAME).is_file() {
        return Ok(());
    }
    let before = playing::read_config(folder)?;
    let options = |config: &RunConfig| config.engines.first().map(|engine| engine.options.clone());
    if options(&before) != options(config) {
        bail!("{}: this run was played with other values; choose another --out", folder.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_sets_options_in_its_order() {
        let texts = |line: &str| settings(line).unwrap().iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(
            texts(r#"{"margin": 52, "scale": 0.5, "Ponder": false, "Style": "calm"}"#),
            ["margin=52", "scale=0.5", "Ponder=false", "Style=calm"]
        );
        assert!(texts("{}").is_empty());
    }

    #[test]
    fn a_line_that_sets_nothing_is_refused() {
        let refused = |line: &str| format!("{:#}", settings(line).unwrap_err());
        assert!(refused("margin=52").starts_with("expected a JSON object of UCI options"));
        assert_eq!(
            refused(r#"{"margin": [1]}"#),
            "margin: expected a number, true, false or a text, found [1]"
        );
    }
}
