//! The folder of a run of `arbiter ci`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

use super::baseline;
use super::builds::Builds;
use super::ci_plan::CiPlan;
use super::ci_result::CiResult;
use super::ci_text::{ci_junit, ci_markdown};
use super::step::Step;
use crate::files::new_file;
use crate::files::suite_files::Suite;
use crate::options::machine;
use crate::text::CsvRows;
use runner::{EngineConfig, Made};

/// Writes `ci.toml` at the start and the reports at the end; the steps add `tactics.csv` and `match/`.
#[derive(Debug)]
pub struct CiFolder {
    pub path: PathBuf,
}

#[derive(Debug, Serialize)]
struct CiRecord<'a> {
    steps: Vec<&'static str>,
    baseline: &'a Path,
    made: Made,
    engine: &'a EngineConfig,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<&'a EngineConfig>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suite: Vec<UsedSuite<'a>>,
}

#[derive(Debug, Serialize)]
struct UsedSuite<'a> {
    name: &'a str,
    sha256: &'a str,
}

impl CiFolder {
    pub fn create(path: &Path, plan: &CiPlan, builds: &Builds) -> Result<CiFolder> {
        new_file::create_folder(path).with_context(|| path.display().to_string())?;
        let folder = CiFolder { path: path.to_owned() };
        folder.write("ci.toml", &toml::to_string(&CiRecord::new(plan, builds))?)?;
        Ok(folder)
    }

    pub fn tactics_table(&self) -> Result<CsvRows<File>> {
        let file = self.path.join("tactics.csv");
        Ok(CsvRows::new(File::create(&file).with_context(|| file.display().to_string())?))
    }

    /// Writes the result as JSON, JUnit and Markdown, and the measurements as a baseline. Returns the Markdown.
    pub fn write_reports(&self, result: &CiResult) -> Result<String> {
        let markdown = ci_markdown(result);
        self.write("ci.json", &(serde_json::to_string_pretty(result)? + "\n"))?;
        self.write("junit.xml", &ci_junit(result))?;
        self.write("summary.md", &markdown)?;
        self.write("measured.toml", &baseline::text(&result.measured)?)?;
        Ok(markdown)
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        let file = self.path.join(name);
        fs::write(&file, text).with_context(|| file.display().to_string())
    }
}

impl<'a> CiRecord<'a> {
    fn new(plan: &'a CiPlan, builds: &'a Builds) -> CiRecord<'a> {
        fn of<P>(Suite { name, sha256, .. }: &Suite<P>) -> UsedSuite<'_> {
            UsedSuite { name, sha256 }
        }
        let perft = plan.perft.iter().flat_map(|perft| &perft.suites);
        let tactics = plan.tactics.iter().flat_map(|tactics| &tactics.suites);
        CiRecord {
            steps: plan.steps.iter().copied().map(Step::name).collect(),
            baseline: &plan.baseline.path,
            made: machine::made_now(),
            engine: &builds.engine,
            against: builds.against.as_ref(),
            suite: perft.map(of).chain(tactics.map(of)).collect(),
        }
    }
}
