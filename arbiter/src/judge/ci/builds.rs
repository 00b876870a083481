//! The build under test, and the build that it is compared with.

use std::iter;

use anyhow::Result;

use super::plan::CiPlan;
use crate::cli::console;
use crate::engines::{self, EngineSpec};
use runner::EngineConfig;

/// The two builds, found and built.
#[derive(Clone, Debug)]
pub struct Builds {
    /// The build under test.
    pub engine: EngineConfig,
    /// The build that speed and games are compared with, under another name.
    pub against: Option<EngineConfig>,
}

impl Builds {
    /// Finds or builds both programs; the second one only if a step needs it.
    ///
    /// # Errors
    /// A program does not exist, or its build fails.
    pub fn find(plan: &CiPlan) -> Result<Builds> {
        let is_needed = plan.speed.is_some() || plan.games.is_some();
        let against = plan.against.iter().filter(|_| is_needed);
        let specs: Vec<EngineSpec> = iter::once(&plan.engine).chain(against).cloned().collect();
        let mut found = engines::resolve_all(&specs, &mut console::announce_build)?.into_iter();
        let engine = found.next().unwrap_or_default();
        Ok(Builds { engine, against: found.next() })
    }

    /// The build to compare with; `None` if it is the same program with the same options.
    pub fn other(&self) -> Option<&EngineConfig> {
        let EngineConfig { sha256, args, options, .. } = &self.engine;
        let is_same =
            |other: &EngineConfig| (&other.sha256, &other.args, &other.options) == (sha256, args, options);
        self.against.as_ref().filter(|other| !is_same(other))
    }
}
