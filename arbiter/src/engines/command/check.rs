//! `arbiter engines check [NAME…]`: is what manifests say true?

use std::io::{self, Write};

use clap::Args;

use crate::cli::{Blame, CliResult, ExitCode, console};
use crate::engines;
use crate::engines::{EngineSource, EngineSpec, LocatedManifest, sessions};
use runner::EngineConfig;
use runner::process::Introduction;

/// The arguments of `arbiter engines check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Names of manifests; all that are found when none is given, and then one whose program is not installed is no
    /// error
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

/// How an engine came out of it, from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Good,
    NotInstalled,
    /// The manifest is wrong, or what it names is not there.
    Wrong,
    /// The program is there but does not do as an engine does.
    Broken,
}

impl CheckArgs {
    /// Checks one after the other and prints a line for each.
    pub fn run(self) -> CliResult {
        let is_asked = !self.names.is_empty();
        let names = if is_asked { self.names } else { engines::manifest_names() };
        let mut worst = Verdict::Good;
        let mut out = io::stdout();
        for name in &names {
            let (mut verdict, mut text) = check(name);
            if is_asked && verdict == Verdict::NotInstalled {
                verdict = Verdict::Wrong;
            }
            text = text.trim_end().replace('\n', "\n               ");
            let mark = match verdict {
                Verdict::Good => "✓",
                Verdict::NotInstalled => "-",
                Verdict::Wrong | Verdict::Broken => "✗",
            };
            writeln!(out, "{mark} {name:<12} {text}").fault()?;
            worst = worst.max(verdict);
        }
        Ok(match worst {
            Verdict::Good | Verdict::NotInstalled => ExitCode::Done,
            Verdict::Wrong => ExitCode::Usage,
            Verdict::Broken => ExitCode::EngineBroke,
        })
    }
}

/// The manifest first, then the build and the program, then what the engine says about itself.
fn check(name: &str) -> (Verdict, String) {
    let located = match engines::find_manifest(name) {
        Ok(Some(located)) => located,
        Ok(None) => return (Verdict::Wrong, format!("expected engines/{name}/engine.toml, found none")),
        Err(error) => return (Verdict::Wrong, format!("{error:#}")),
    };
    let spec = EngineSpec { source: EngineSource::Name(name.to_owned()), options: Vec::new(), limits: None };
    let engine = match engines::resolve(&spec, &mut console::announce_build) {
        Ok(engine) => engine,
        Err(error) if is_a_program_of_the_system(&located) => {
            return (Verdict::NotInstalled, format!("{error:#}"));
        }
        Err(error) => return (Verdict::Wrong, format!("{error:#}")),
    };
    if located.manifest.repo.is_some()
        && located.root.is_some()
        && let Err(error) = engines::versioned(name)
    {
        return (Verdict::Wrong, format!("{error:#}"));
    }
    speak_with(&engine)
}

/// Whether the program is not a part of what lies at the root, and so may be missing from a machine.
fn is_a_program_of_the_system(located: &LocatedManifest) -> bool {
    located.root.is_none() || (located.manifest.command_is_bare() && located.manifest.build.is_none())
}

/// Shakes hands, and sets each option.
fn speak_with(engine: &EngineConfig) -> (Verdict, String) {
    // First without options, so that all that are missing can be told.
    let plain = EngineConfig { options: Vec::new(), ..engine.clone() };
    let mut session = match sessions::start(&plain) {
        Ok(session) => session,
        Err(error) => return (Verdict::Broken, format!("{error:#}")),
    };
    let mut problems = Vec::new();
    for option in &engine.options {
        if let Err(error) = session.set_option(&option.name, option.value.as_deref()) {
            problems.push(format!("`options`: {error}"));
        }
    }
    let Introduction { name, .. } = session.introduction();
    let says = name.clone().unwrap_or_else(|| "an engine without a name".to_owned());
    session.quit();
    if problems.is_empty() {
        (Verdict::Good, format!("{says}, {}", engine.program.display()))
    } else {
        (Verdict::Wrong, problems.join("\n"))
    }
}
