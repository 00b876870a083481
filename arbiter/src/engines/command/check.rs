//! `arbiter engines check [NAME…]`: checks manifests, programs and options.

use std::io::Write;

use clap::Args;

use crate::cli::{Blame, CliResult, ExitCode, console, stdout};
use crate::engines;
use crate::engines::{EngineSpec, LocatedManifest, sessions};
use runner::EngineConfig;
use runner::process::Introduction;

/// The arguments of `arbiter engines check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The engines to check, by name or path [default: all with a manifest; missing programs are then no error]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

/// The result for an engine, from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Good,
    NotInstalled,
    /// The manifest is wrong, or its program or folder is missing.
    Wrong,
    /// The program does not speak UCI.
    Failed,
}

impl CheckArgs {
    /// Checks one engine after another and prints a line for each.
    pub fn run(self) -> CliResult {
        let is_asked = !self.names.is_empty();
        let names = if is_asked { self.names } else { engines::manifest_names() };
        let mut worst = Verdict::Good;
        let mut out = stdout();
        for name in &names {
            let (mut verdict, mut text) = check(name);
            if is_asked && verdict == Verdict::NotInstalled {
                verdict = Verdict::Wrong;
            }
            text = text.trim_end().replace('\n', "\n               ");
            let mark = match verdict {
                Verdict::Good => "✓",
                Verdict::NotInstalled => "-",
                Verdict::Wrong | Verdict::Failed => "✗",
            };
            writeln!(out, "{mark} {name:<12} {text}").fault()?;
            worst = worst.max(verdict);
        }
        Ok(match worst {
            Verdict::Good | Verdict::NotInstalled => ExitCode::Done,
            Verdict::Wrong => ExitCode::Usage,
            Verdict::Failed => ExitCode::EngineBroke,
        })
    }
}

/// Checks the manifest, then the build and the program, then the engine's options.
fn check(name: &str) -> (Verdict, String) {
    if name.contains(['/', '\\']) {
        let found = name.parse().map_err(anyhow::Error::from);
        let found = found.and_then(|spec| engines::resolve(&spec, &mut console::announce_build));
        return found.map_or_else(
            |error| (Verdict::Wrong, format!("{error:#}")),
            |engine| start_and_set_options(&engine),
        );
    }
    let located = match engines::find_manifest(name) {
        Ok(Some(located)) => located,
        Ok(None) => return (Verdict::Wrong, format!("no engines/{name}/engine.toml")),
        Err(error) => return (Verdict::Wrong, format!("{error:#}")),
    };
    let spec = EngineSpec::of_name(name);
    let engine = match engines::resolve(&spec, &mut console::announce_build) {
        Ok(engine) => engine,
        Err(error) if is_system_program(&located) => {
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
    start_and_set_options(&engine)
}

/// Whether the program comes from the system and not from the root, so that it may not be installed.
fn is_system_program(located: &LocatedManifest) -> bool {
    located.root.is_none() || (located.manifest.command_is_bare() && located.manifest.build.is_none())
}

/// Starts the engine and sets each option.
fn start_and_set_options(engine: &EngineConfig) -> (Verdict, String) {
    // Started without options, so that all missing ones are reported.
    let plain = EngineConfig { options: Vec::new(), ..engine.clone() };
    let mut session = match sessions::start(&plain) {
        Ok(session) => session,
        Err(error) => return (Verdict::Failed, format!("{error:#}")),
    };
    let mut problems = Vec::new();
    for option in &engine.options {
        if let Err(error) = session.set_option(&option.name, option.value.as_deref()) {
            problems.push(format!("`options`: {error}"));
        }
    }
    let Introduction { name, .. } = session.introduction();
    let says = name.clone().unwrap_or_else(|| "(no id name)".to_owned());
    session.quit();
    if problems.is_empty() {
        (Verdict::Good, format!("{says}, {}", engine.program.display()))
    } else {
        (Verdict::Wrong, problems.join("\n"))
    }
}
