//! The help: the first screen, commands in groups, and examples.

use std::fmt::Write as _;

use clap::Command;
use console::Term;

use crate::text::wrapped::wrapped;

/// What `arbiter` prints without arguments.
pub const FIRST: &str = "\
Arbiter plays UCI chess engines against each other and tests builds.

  arbiter init                         set up the repository of your engine
  arbiter match ./new ./old            which build is better?
  arbiter match ./new ./old --sprt 0,5 test until it is decided
  arbiter ci                           may this build pass?
  arbiter report DIR                   a page of a run
  arbiter check ./new                  does it follow the protocol?

All commands: arbiter help    One command: arbiter help match
";

/// The commands in groups; the five most used come first.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Every day", &["match", "ci", "report", "check", "init"]),
    ("Play", &["play", "run", "resume", "tune", "openbench"]),
    ("Follow and repair runs", &["status", "watch", "control", "merge", "verify", "reproduce"]),
    ("Evaluate results", &["sprt", "rate", "list", "why"]),
    ("Check an engine", &["perft", "tactics", "speed", "engines", "bisect", "history", "ablate"]),
    ("Make data", &["openings", "games", "wdl"]),
];

/// Examples of a command, the commonest first: what to type, and what it does.
const EXAMPLES: &str = include_str!("examples.txt");

/// The options that `-h` shows of commands with very many options; `--help` shows all of them.
const EVERY_DAY: [(&str, &[&str]); 4] = [
    (
        "match",
        &[
            "engines", "in_words", "each", "sprt", "tc", "movetime", "nodes", "games", "concurrency", "out",
            "openings", "draw", "resign", "format", "base", "best", "on", "help",
        ],
    ),
    ("tune", &["engine", "spec", "games", "tc", "nodes", "concurrency", "out", "openings", "help"]),
    (
        "history",
        &[
            "engine", "revisions", "against", "every", "games", "tc", "nodes", "concurrency", "out",
            "openings", "help",
        ],
    ),
    (
        "bisect",
        &[
            "engine", "good", "bad", "by", "suite", "max_slowdown", "tc", "nodes", "games", "sprt", "out",
            "help",
        ],
    ),
];

fn examples_of(command: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let examples = EXAMPLES.lines().filter_map(|line| line.split_once(" | "));
    examples.filter(move |(typed, _)| typed.split(' ').next() == Some(command))
}

pub const WIDEST: usize = 100;

/// Adds the examples to the commands, and hides rare options from their short help.
pub fn explained(program: Command) -> Command {
    program.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        let examples: Vec<_> = examples_of(&name).collect();
        let command = match &examples[..] {
            [] => command,
            examples => {
                let widest = examples.iter().map(|(typed, _)| typed.len()).max().unwrap_or_default();
                let title = if examples.len() == 1 { "Example" } else { "Examples" };
                let mut template =
                    format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{title}:\n");
                for (typed, does) in examples {
                    let _ = writeln!(template, "  arbiter {typed:<widest$}  {does}");
                }
                command.help_template(template + "\n{all-args}{after-help}")
            }
        };
        let Some((_, common)) = EVERY_DAY.iter().find(|(of, _)| *of == name) else { return command };
        let more = format!("Rare options: arbiter {name} --help");
        let notes = command.get_after_help().cloned().unwrap_or_default();
        command.after_help(more).after_long_help(notes).mut_args(|arg| {
            let is_rare = !common.contains(&arg.get_id().as_str());
            arg.hide_short_help(is_rare)
        })
    })
}

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
    text += "\nCommand lines of other programs: fastchess, cutechess. For the shell: completions, man.\n";
    text += "\nOptions:\n{options}\n\n{after-help}";
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
    fn every_example_can_be_typed() {
        for (typed, _) in EXAMPLES.lines().map(|line| line.split_once(" | ").unwrap()) {
            let words = ["arbiter"].into_iter().chain(typed.split(' '));
            let parsed = program().try_get_matches_from(words);
            assert!(parsed.is_ok(), "{typed}: {parsed:?}");
        }
    }

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let program = program();
        let shown = program.get_subcommands().filter(|command| !command.is_hide_set());
        let mut known: Vec<&str> = shown.map(Command::get_name).collect();
        grouped.sort_unstable();
        known.sort_unstable();
        assert_eq!(grouped, known);
        for (name, common) in EVERY_DAY {
            let command = program.find_subcommand(name).unwrap();
            let known: Vec<&str> = command.get_arguments().map(|arg| arg.get_id().as_str()).collect();
            let unknown: Vec<_> = common.iter().filter(|id| **id != "help" && !known.contains(id)).collect();
            assert!(unknown.is_empty(), "{name}: {unknown:?} of {known:?}");
        }
        assert!(FIRST.lines().count() <= 10 && FIRST.lines().all(|line| line.len() <= 80));
    }
}
