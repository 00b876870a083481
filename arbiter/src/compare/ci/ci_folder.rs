//! The folder of a run of `arbiter ci`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

use super::baseline;
use super::builds::Builds;
use super::ci_plan::CiPlan;
use super::ci_result::CiResult;
use super::ci_text::{ci_junit, ci_markdown};
use crate::files::new_file;
use crate::options::machine;
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
    suite: Vec<BTreeMap<&'static str, &'a str>>,
}

impl CiFolder {
    pub fn create(path: &Path, plan: &CiPlan, builds: &Builds) -> Result<CiFolder> {
        new_file::create_folder(path).with_context(|| path.display().to_string())?;
        let folder = CiFolder { path: path.to_owned() };
        folder.write("ci.toml", &toml::to_string(&CiRecord::new(plan, builds))?)?;
        Ok(folder)
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
        let suites = plan.steps.iter().flat_map(|(_, step)| step).flat_map(|step| step.suites());
        CiRecord {
            steps: plan.steps.iter().map(|(step, _)| step.name()).collect(),
            baseline: &plan.baseline.path,
            made: machine::made_now(),
            engine: &builds.engine,
            against: builds.against.as_ref(),
            suite: suites.map(|[name, sha256]| [("name", name), ("sha256", sha256)].into()).collect(),
        }
    }
}
