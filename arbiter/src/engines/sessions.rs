//! Starts engines outside matches.

use anyhow::{Result, bail};

use super::session::EngineSession;
use crate::cli::console;
use runner::EngineConfig;

/// Starts an engine as [`start`] does, for the first time: warns of what it says about its options.
pub fn introduce(engine: &EngineConfig) -> Result<EngineSession> {
    let session = start(engine)?;
    console::warn_of_remarks(&engine.name, session.introduction());
    Ok(session)
}

/// Starts each engine once and ends it again, so that one that does not start shows before the first has worked.
pub fn introduce_all(engines: &[EngineConfig]) -> Result<()> {
    engines.iter().try_for_each(|engine| {
        introduce(engine)?.quit();
        Ok(())
    })
}

/// Starts an engine with the options of its configuration.
pub fn start(engine: &EngineConfig) -> Result<EngineSession> {
    if engine.limits.is_some() {
        bail!(
            "engine `{}`: limits after the name (tc, movetime, nodes, depth) work in matches only",
            engine.name
        );
    }
    let options = engine.options.iter().map(|option| (option.name.as_str(), option.value.as_deref()));
    Ok(EngineSession::start(&engine.command(), options)?)
}
