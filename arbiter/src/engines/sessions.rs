//! Talking to an engine outside a match.

use anyhow::{Result, bail};

use super::session::EngineSession;
use runner::EngineConfig;

/// Starts an engine with the options of its configuration.
///
/// # Errors
/// It does not start, does not speak UCI, or does not have one of the options, or has limits of a match.
pub fn start(engine: &EngineConfig) -> Result<EngineSession> {
    if engine.limits.is_some() {
        bail!("engine `{}`: limits of its own (tc, movetime, nodes, depth) are for matches", engine.name);
    }
    let options = engine.options.iter().map(|option| (option.name.as_str(), option.value.as_deref()));
    Ok(EngineSession::start(&engine.command(), options)?)
}
