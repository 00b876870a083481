//! Talking to an engine outside a match.

use anyhow::Result;

use crate::runner::EngineConfig;
use crate::suites::EngineSession;

/// Starts an engine with the options of its configuration.
///
/// # Errors
/// It does not start, does not speak UCI, or does not have one of the options.
pub fn start(engine: &EngineConfig) -> Result<EngineSession> {
    let options = engine.options.iter().map(|option| (option.name.as_str(), option.value.as_deref()));
    Ok(EngineSession::start(&engine.command(), options)?)
}
