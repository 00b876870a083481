//! Options that each set one thing of a run, and mean the same in the dialects of fastchess and cutechess-cli.
//!
//! Such an option is described here alone: its name, its default, its help, and the field of [`RunConfig`] that it sets,
//! which has the key in run files. The commands that play have it with two hyphens, the dialects with one.

use std::time::Duration;

use anyhow::{Result, anyhow};
use clap::{Arg, Args, Command, FromArgMatches};

use super::one_of;
use crate::text::wrapped::wrapped;
use runner::{PositionForm, RunConfig};

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Run")]
#[expect(clippy::struct_excessive_bools, reason = "they are the switches of the command line")]
pub struct SharedArgs {
    /// Give the first engine White in every game, so that a pair is two games with the same colours
    #[arg(long, visible_alias = "noswap")]
    no_swap: bool,

    /// Give the first engine Black in its first game
    #[arg(long)]
    reverse: bool,

    /// Form of the `position` command for the engines
    #[arg(long, default_value = "moves", value_parser = one_of([
        ("moves", "The start position and all moves", PositionForm::Moves),
        ("fen", "The FEN after the last capture or pawn move, and the moves since, which engines read faster",
            PositionForm::Fen),
    ]))]
    position: PositionForm,

    /// In tournaments: idle engines to keep running per concurrent game; fewer need less memory, but more restarts
    #[arg(long, value_name = "N", default_value_t = RunConfig::DEFAULT_IDLE_ENGINES)]
    idle_engines: usize,

    /// Milliseconds between two games that are played one after the other
    #[arg(long, value_name = "MS")]
    wait: Option<u64>,

    /// Milliseconds in which an engine must start and get ready [default: 10000]
    #[arg(long, value_name = "MS", visible_aliases = ["ucinewgame-ms", "ping-ms"])]
    startup_ms: Vec<u64>,

    /// Send options that an engine does not declare, instead of refusing them
    #[arg(long)]
    allow_unknown: bool,

    /// Warn of a PV that is shorter or longer than its mate score, or does not end in mate
    #[arg(long)]
    check_mate_pvs: bool,
}

impl SharedArgs {
    pub fn set(&self, run: &mut RunConfig) {
        run.rounds.noswap |= self.no_swap;
        run.rounds.reverse |= self.reverse;
        run.position = self.position;
        run.idle_engines = self.idle_engines;
        run.wait = self.wait.map_or(run.wait, Duration::from_millis);
        if let Some(longest) = self.startup_ms.iter().max().filter(|longest| **longest > 0) {
            run.timeouts.ready = Duration::from_millis(*longest);
        }
        run.allow_unknown |= self.allow_unknown;
        run.check_mate_pvs |= self.check_mate_pvs;
    }

    /// Reads options as typed, with two hyphens.
    pub fn of_words(words: &[String]) -> Result<SharedArgs> {
        let read =
            command().try_get_matches_from(words).and_then(|found| SharedArgs::from_arg_matches(&found));
        read.map_err(|error| {
            let text = error.to_string();
            anyhow!("{}", text.lines().next().unwrap_or_default().trim_start_matches("error: "))
        })
    }

    /// The names of the options, without hyphens.
    pub fn names() -> Vec<String> {
        let names = |option: &Arg| option.get_long_and_visible_aliases().unwrap_or_default().join(" ");
        let all: Vec<String> = command().get_arguments().map(names).collect();
        all.iter().flat_map(|names| names.split_whitespace()).map(str::to_owned).collect()
    }

    /// The options in the form of a dialect's help, except those that `help` already has.
    pub fn help_after(help: &str) -> String {
        let mut text = String::from("\nAs in arbiter match\n");
        for option in command().get_arguments() {
            let names = option.get_long_and_visible_aliases().unwrap_or_default();
            let is_there =
                |name: &&str| help.contains(&format!("-{name} ")) || help.contains(&format!("-{name}\n"));
            if names.iter().any(is_there) {
                continue;
            }
            let value =
                option.get_value_names().map_or(String::new(), |names| format!(" {}", names.join(" ")));
            let name = format!("-{}{value}", names.first().unwrap_or(&""));
            let said = option.get_help().map(ToString::to_string).unwrap_or_default();
            text += &(wrapped(&format!("  {name:<22}  {said}"), 80) + "\n");
        }
        text
    }
}

fn command() -> Command {
    SharedArgs::augment_args(Command::new("arbiter").no_binary_name(true).disable_help_flag(true))
}
