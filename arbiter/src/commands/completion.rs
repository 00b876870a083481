//! Shell completion of commands, options, and the names of engines, books and suites.
//!
//! The script of `arbiter completions` calls this program, so the names come from the current folder.

use std::ffi::OsStr;
use std::io::{self, Write};

use anyhow::anyhow;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command};
use clap_complete::CompleteEnv;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use clap_complete::env::Shells;

use super::program;
use crate::cli::{CliResult, ExitCode, OrExitCode};
use crate::engines::manifest_names;

/// The environment variable in which the script names the shell.
const ASKS: &str = "ARBITER_COMPLETE";

const PROGRAM: &str = "arbiter";

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell to write for
    #[arg(value_parser = PossibleValuesParser::new(["bash", "elvish", "fish", "powershell", "zsh"]))]
    shell: String,
}

impl CompletionsArgs {
    pub fn run(self) -> CliResult {
        let shells = Shells::builtins();
        let shell =
            shells.completer(&self.shell).ok_or_else(|| anyhow!("no shell `{}`", self.shell)).usage()?;
        let mut script = Vec::new();
        shell.write_registration(ASKS, PROGRAM, PROGRAM, PROGRAM, &mut script).fault()?;
        io::stdout().write_all(&script).fault()?;
        Ok(ExitCode::Done)
    }
}

pub fn answer_shell() {
    CompleteEnv::with_factory(|| with_names(program())).var(ASKS).bin(PROGRAM).complete();
}

fn with_names(command: Command) -> Command {
    let kind =
        if command.get_name() == "bisect" { "perft".to_owned() } else { command.get_name().to_owned() };
    command.mut_args(|arg| named(arg, &kind)).mut_subcommands(with_names)
}

fn named(arg: Arg, command: &str) -> Arg {
    let value =
        arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string).unwrap_or_default();
    let names: fn(&str) -> Vec<String> = match (arg.get_id().as_str(), value.as_str()) {
        ("openings", _) => |_| suites::names("openings"),
        ("suite", _) => suites::names,
        (_, "ENGINE") | ("names", "NAME") => |_| manifest_names(),
        _ => return arg,
    };
    let command = command.to_owned();
    arg.add(ArgValueCompleter::new(move |typed: &OsStr| offers(names(&command), typed)))
}

fn offers(names: Vec<String>, typed: &OsStr) -> Vec<CompletionCandidate> {
    let begins = |name: &String| typed.to_str().is_some_and(|typed| name.starts_with(typed));
    let named = names.into_iter().filter(begins).map(CompletionCandidate::new);
    named.chain(PathCompleter::any().complete(typed)).collect()
}
