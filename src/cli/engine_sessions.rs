//! Talking to an engine outside a match: checking it before the first game, and the suites.

use anyhow::{Context, Result};

use crate::process::EngineCommand;
use crate::referee::Variant;
use crate::runner::EngineConfig;
use crate::suites::EngineSession;

/// Starts an engine with the options of its configuration.
///
/// # Errors
/// It does not start, does not speak UCI, or does not have one of the options.
pub fn start(engine: &EngineConfig) -> Result<EngineSession> {
    start_for(engine, Variant::Standard)
}

/// Starts every engine once, so that a missing program or an unknown option shows before the first game, and notes
/// what each calls itself.
///
/// # Errors
/// As [`start`], and an engine that cannot play the variant.
pub fn check_all(engines: &mut [EngineConfig], variant: Variant) -> Result<()> {
    for engine in engines {
        let session = start_for(engine, variant).with_context(|| engine.program.display().to_string())?;
        engine.version.clone_from(&session.introduction().name);
        session.quit();
    }
    Ok(())
}

fn start_for(engine: &EngineConfig, variant: Variant) -> Result<EngineSession> {
    let options = engine.options.iter().map(|option| (option.name.as_str(), option.value.as_deref()));
    let chess960 = (variant == Variant::Chess960).then_some(("UCI_Chess960", Some("true")));
    let command = EngineCommand {
        name: engine.name.clone(),
        program: engine.program.clone(),
        args: engine.args.clone(),
        dir: engine.dir.clone(),
    };
    Ok(EngineSession::start(&command, options.chain(chess960))?)
}
