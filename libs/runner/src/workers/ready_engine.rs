//! From a configured engine to one that is ready to play.

use crate::play::ponder;
use crate::process::{EngineCommand, EngineError, EngineProcess, Introduction, SettingError};
use crate::{EngineConfig, RunConfig};
use referee::Variant;

impl EngineConfig {
    /// How the engine is started.
    pub fn command(&self) -> EngineCommand {
        EngineCommand {
            name: self.name.clone(),
            program: self.program.clone(),
            args: self.args.clone(),
            env: self.env.clone(),
            dir: self.dir.clone(),
        }
    }
}

impl RunConfig {
    /// Sets the options of an engine that was started, and waits until it is ready. Where unknown options are allowed, one
    /// that it does not have is sent all the same; [`unknown_options`](Self::unknown_options) tells which these are.
    ///
    /// # Errors
    /// [`EngineError`] when it does not answer, does not take a value, or cannot play the variant.
    pub(super) async fn make_ready(
        &self,
        engine: usize,
        process: &mut EngineProcess,
    ) -> Result<(), EngineError> {
        let config = &self.engines[engine];
        let timeout = self.timeouts.ready;
        process.handshake(timeout).await?;
        if self.variant == Variant::Chess960 {
            process.set_option("UCI_Chess960", Some("true"), timeout).await?;
        }
        if self.asks_to_ponder(engine) && ponder::can_ponder(process) {
            let (name, value) = ponder::setting();
            process.set_option(name, Some(value), timeout).await?;
        }
        for setting in &config.options {
            let (name, value) = (&setting.name, setting.value.as_deref());
            if self.allow_unknown || ponder::refuses(setting) {
                process.try_option(name, value, timeout).await?;
            } else {
                process.set_option(name, value, timeout).await?;
            }
        }
        process.is_ready(timeout).await
    }

    /// The options of an engine's configuration that it does not announce, each with the name that may have been meant.
    pub fn unknown_options(&self, engine: usize, introduction: &Introduction) -> Vec<SettingError> {
        let checked = self.engines[engine]
            .options
            .iter()
            .filter(|setting| !ponder::refuses(setting))
            .map(|setting| introduction.check_setting(&setting.name, setting.value.as_deref()));
        checked.filter_map(Result::err).filter(SettingError::is_unknown).collect()
    }

    /// Starts every engine once and ends it again, so that a missing program or a wrong value shows before the first
    /// game. Returns what the engines say about themselves, in the order of the configuration.
    ///
    /// These processes do not play: an engine inherits the cores and ends with the thread that started it, and its pipes
    /// belong to the runtime of that thread, so that those of a worker are started by the worker.
    ///
    /// # Errors
    /// [`EngineError`] of the first engine that does not get ready.
    pub fn check_engines(&self) -> Result<Vec<Introduction>, EngineError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|source| EngineError::Start {
            engine: "(any)".to_owned(),
            program: "(none)".into(),
            source,
        })?;
        runtime.block_on(async {
            let mut introductions = Vec::new();
            for engine in 0..self.engines.len() {
                let mut process = EngineProcess::start(&self.engines[engine].command())?;
                self.make_ready(engine, &mut process).await?;
                introductions.push(process.introduction().clone());
                process.quit().await;
            }
            Ok(introductions)
        })
    }
}
