//! The commands by what a person wants, and the first screen.

use std::fmt::Write as _;

use clap::Command;
use console::Term;

use super::MOVED;
use crate::text::wrapped::wrapped;

/// What `arbiter` alone says.
pub const FIRST: &str = "\
Arbiter plays UCI chess engines against each other and tests builds.

  arbiter init                         set up the repository of your engine
  arbiter match ./new ./old            which build is better?
  arbiter match ./new ./old --sprt 0,5 the same, until it is decided
  arbiter ci                           may this build pass?
  arbiter report DIR                   a page of a run
  arbiter check ./new                  does it follow the protocol?

All commands: arbiter help    One command: arbiter help match
";

/// The commands in groups; the five of every day come first.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Every day", &["match", "ci", "report", "check", "init"]),
    ("Play", &["play", "run", "resume", "tune", "openbench"]),
    ("See a run", &["status", "watch", "control", "merge", "verify", "reproduce"]),
    ("Judge results", &["sprt", "rate", "why"]),
    ("Check an engine", &["perft", "tactics", "speed", "engines", "bisect", "history", "ablate"]),
    ("Make data", &["openings", "games", "wdl"]),
];

pub const WIDEST: usize = 100;

pub fn grouped(program: Command) -> Command {
    let width = usize::from(Term::stdout().size().1).clamp(40, WIDEST);
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (title, names) in GROUPS {
        let _ = writeln!(text, "\n{title}:");
        for name in names {
            let about = program.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "{}", described(name, &about, width));
        }
    }
    text += "\nThe command lines of others: fastchess, cutechess. For the shell: completions, man.\n";
    text += "Moved: ";
    let moved = MOVED.map(|(old, new)| format!("{old} is {new}"));
    text += &wrapped(&moved.join(", "), width);
    text += ".\n\nOptions:\n{options}\n\n{after-help}";
    program.help_template(text)
}

fn described(name: &str, about: &str, width: usize) -> String {
    const NAME: usize = 15;
    let about = wrapped(about, width - NAME);
    let lines: Vec<&str> = about.lines().map(str::trim).collect();
    format!("  {name:<13}{}", lines.join(&format!("\n{:NAME$}", "")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::program;

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let program = program();
        let shown = program.get_subcommands().filter(|command| !command.is_hide_set());
        let mut known: Vec<&str> = shown.map(Command::get_name).collect();
        grouped.sort_unstable();
        known.sort_unstable();
        assert_eq!(grouped, known);
        assert!(FIRST.lines().count() <= 10 && FIRST.lines().all(|line| line.len() <= 80));
    }
}
