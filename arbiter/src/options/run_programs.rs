//! Permission to start the programs named in a folder, for commands that read other people's folders.

use anyhow::{Result, bail};
use clap::Args;
use runner::EngineConfig;

use crate::cli::console;

#[derive(Clone, Copy, Debug, Args)]
pub struct RunProgramsArgs {
    /// Start the programs that the folder or file names; use it only if you trust them
    #[arg(long)]
    run_programs: bool,
}

impl RunProgramsArgs {
    /// Refuses to start the programs that `place` names unless the user allowed it; names them either way. `instead` says
    /// what the user can do otherwise.
    pub fn check(self, place: &str, engines: &[EngineConfig], instead: &str) -> Result<()> {
        let programs: Vec<String> = engines.iter().map(command).collect();
        let programs = programs.join(" and ");
        if !self.run_programs {
            bail!("{place} names {programs}, started only with --run-programs{instead}");
        }
        console::note(&format!("starting {programs}, as {place} says"));
        Ok(())
    }
}

fn command(engine: &EngineConfig) -> String {
    let words = [engine.program.display().to_string()].into_iter().chain(engine.args.iter().cloned());
    let variables = engine.env.iter().map(|(name, value)| format!("{name}={value}"));
    format!("`{}`", variables.chain(words).collect::<Vec<_>>().join(" "))
}
