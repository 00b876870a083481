//! The builds that take part: the one in question, and the one that it is held against.

use std::iter;

use anyhow::Result;

use super::plan::CiPlan;
use crate::cli::console;
use crate::engines::{self, EngineSpec};
use runner::EngineConfig;

/// The programs, found and built.
#[derive(Clone, Debug)]
pub struct Contestants {
    /// The build in question.
    pub engine: EngineConfig,
    /// The one that it is held against, under another name.
    pub against: Option<EngineConfig>,
}

impl Contestants {
    /// Finds the programs, and builds what is to be built. The second one only where a step needs it.
    ///
    /// # Errors
    /// One of them is not there, or its build fails.
    pub fn find(plan: &CiPlan) -> Result<Contestants> {
        let is_needed = plan.speed.is_some() || plan.games.is_some();
        let against = plan.against.iter().filter(|_| is_needed);
        let specs: Vec<EngineSpec> = iter::once(&plan.engine).chain(against).cloned().collect();
        let mut found = engines::resolve_all(&specs, &mut console::announce_build)?.into_iter();
        let engine = found.next().unwrap_or_default();
        Ok(Contestants { engine, against: found.next() })
    }

    /// The build to be held against, unless it is the very same program with the same options.
    pub fn other(&self) -> Option<&EngineConfig> {
        let EngineConfig { sha256, args, options, .. } = &self.engine;
        let is_same =
            |other: &EngineConfig| (&other.sha256, &other.args, &other.options) == (sha256, args, options);
        self.against.as_ref().filter(|other| !is_same(other))
    }
}
