//! The folder of a run of `arbiter ci`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

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

/// Creates the folder with `ci.toml`; the steps add `tactics.csv` and `match/`.
pub fn create(folder: &Path, plan: &CiPlan, builds: &Builds) -> Result<()> {
    new_file::create_folder(folder).with_context(|| folder.display().to_string())?;
    let suites = plan.steps.iter().flat_map(|(_, step)| step).flat_map(|step| step.suites());
    let record = CiRecord {
        steps: plan.steps.iter().map(|(step, _)| step.name()).collect(),
        baseline: &plan.baseline.path,
        made: machine::made_now(),
        engine: &builds.engine,
        against: builds.against.as_ref(),
        suite: suites.map(|[name, sha256]| [("name", name), ("sha256", sha256)].into()).collect(),
    };
    write(folder, "ci.toml", &toml::to_string(&record)?)
}

/// Writes the result as JSON, JUnit and Markdown, and the measurements as a baseline. Returns the Markdown.
pub fn write_reports(folder: &Path, result: &CiResult) -> Result<String> {
    let markdown = ci_markdown(result);
    write(folder, "ci.json", &(serde_json::to_string_pretty(result)? + "\n"))?;
    write(folder, "junit.xml", &ci_junit(result))?;
    write(folder, "summary.md", &markdown)?;
    write(folder, "measured.toml", &baseline::text(&result.measured)?)?;
    Ok(markdown)
}

fn write(folder: &Path, name: &str, text: &str) -> Result<()> {
    let file = folder.join(name);
    fs::write(&file, text).with_context(|| file.display().to_string())
}
