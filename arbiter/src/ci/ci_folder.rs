//! The folder of a run of `arbiter ci`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

use super::contestants::Contestants;
use super::gate_junit::gate_junit;
use super::gate_markdown::gate_markdown;
use super::gate_result::GateResult;
use super::kept_baseline;
use super::plan::{CiPlan, Printed};
use super::step::Step;
use crate::matches::machine;
use crate::tactics::TacticsCsv;
use runner::{EngineConfig, Made};

/// Writes `ci.toml` at the beginning and the reports at the end; the steps put `tactics.csv` and `match/` beside them.
#[derive(Debug)]
pub struct CiFolder {
    path: PathBuf,
}

/// `ci.toml`: by whom, with what and where it was made.
#[derive(Debug, Serialize)]
struct Record<'a> {
    steps: Vec<&'static str>,
    baseline: &'a Path,
    made: Made,
    engine: &'a EngineConfig,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<&'a EngineConfig>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suite: Vec<Suite<'a>>,
}

/// A suite of it.
#[derive(Debug, Serialize)]
struct Suite<'a> {
    name: &'a str,
    sha256: &'a str,
}

impl CiFolder {
    /// Makes the folder and writes what it is about.
    ///
    /// # Errors
    /// It cannot be written to.
    pub fn create(path: &Path, plan: &CiPlan, contestants: &Contestants) -> Result<CiFolder> {
        fs::create_dir_all(path).with_context(|| path.display().to_string())?;
        let folder = CiFolder { path: path.to_owned() };
        folder.write("ci.toml", &toml::to_string(&Record::new(plan, contestants))?)?;
        Ok(folder)
    }

    /// Where the games of the match go.
    pub fn of_match(&self) -> PathBuf {
        self.path.join("match")
    }

    /// The table of the answers to tactical positions.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn tactics_table(&self) -> Result<TacticsCsv<File>> {
        let file = self.path.join("tactics.csv");
        Ok(TacticsCsv::new(File::create(&file).with_context(|| file.display().to_string())?))
    }

    /// Writes the verdict in all its forms, and what was measured as the baseline that it would make. Returns the
    /// Markdown.
    ///
    /// # Errors
    /// Something cannot be written.
    pub fn keep(&self, result: &GateResult) -> Result<String> {
        let markdown = gate_markdown(result);
        self.write("ci.json", &(serde_json::to_string_pretty(result)? + "\n"))?;
        self.write("junit.xml", &gate_junit(result))?;
        self.write("summary.md", &markdown)?;
        self.write("measured.toml", &kept_baseline::text(&result.measured)?)?;
        Ok(markdown)
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        let file = self.path.join(name);
        fs::write(&file, text).with_context(|| file.display().to_string())
    }
}

impl<'a> Record<'a> {
    fn new(plan: &'a CiPlan, contestants: &'a Contestants) -> Record<'a> {
        fn of<S>(printed: &Printed<S>, name: fn(&S) -> &str) -> Suite<'_> {
            Suite { name: name(&printed.suite), sha256: &printed.sha256 }
        }
        let perft = plan.perft.iter().flat_map(|perft| &perft.suites);
        let tactics = plan.tactics.iter().flat_map(|tactics| &tactics.suites);
        let suites = perft.map(|suite| of(suite, |suite| &suite.name));
        Record {
            steps: plan.steps.iter().copied().map(Step::name).collect(),
            baseline: &plan.baseline.path,
            made: machine::made_now(),
            engine: &contestants.engine,
            against: contestants.against.as_ref(),
            suite: suites.chain(tactics.map(|suite| of(suite, |suite| &suite.name))).collect(),
        }
    }
}
