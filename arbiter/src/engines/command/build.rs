//! `arbiter engines build ENGINE…`: builds ahead of time.

use std::io::Write;

use clap::Args;

use crate::cli::{Blame, CliResult, ExitCode, console, stderr, stdout};
use crate::engines;
use crate::engines::EngineSpec;

/// The arguments of `arbiter engines build`.
#[derive(Debug, Args)]
pub struct BuildArgs {
    /// The engines: NAME builds the working tree; NAME@REV builds a revision once and keeps it in the cache
    #[arg(required = true, value_name = "ENGINE")]
    engines: Vec<EngineSpec>,
}

impl BuildArgs {
    /// Builds one engine after another; a failed build does not stop the others.
    pub fn run(self) -> CliResult {
        let mut out = stdout();
        let mut code = ExitCode::Done;
        let announce = &mut console::announce_build;
        let mut resolver = engines::Resolver::new(announce);
        for spec in &self.engines {
            match resolver.resolve(spec) {
                Ok(engine) => writeln!(out, "{:<20} {}", engine.name, engine.program.display()).fault()?,
                Err(error) if self.engines.len() == 1 => return Err(error).usage(),
                Err(error) => {
                    let _ = writeln!(stderr(), "error: {error:#}");
                    code = ExitCode::Usage;
                }
            }
        }
        Ok(code)
    }
}
