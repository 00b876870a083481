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
const EVERY_DAY: &str = include_str!("every_day.txt");

/// At most this many examples are shown for a command; some may be those of its subcommands.
const MOST_EXAMPLES: usize = 5;

fn every_day() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    EVERY_DAY
        .lines()
        .filter_map(|line| line.split_once(" | "))
        .map(|(path, ids)| (path, ids.split(' ').collect()))
}

fn examples() -> impl Iterator<Item = (&'static str, &'static str)> {
    EXAMPLES.lines().filter_map(|line| line.rsplit_once(" | "))
}

/// The value of an option in the first example that has it.
pub fn value_in_examples(option: &str) -> Option<&'static str> {
    let mut words = EXAMPLES.split_whitespace();
    words.find(|word| word.strip_prefix("--") == Some(option))?;
    words.next()
}

pub const WIDEST: usize = 100;

/// Adds the examples to the commands, and hides rare options from their short help.
pub fn explained(program: Command) -> Command {
    program.mut_subcommands(|command| explained_in("", command))
}

fn explained_in(outer: &str, command: Command) -> Command {
    let path = format!("{outer} {}", command.get_name());
    let command = command.mut_subcommands(|inner| explained_in(&path, inner));
    let path = path.trim_start();
    let is_of =
        |typed: &str| typed.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    let examples: Vec<_> = examples().filter(|(typed, _)| is_of(typed)).take(MOST_EXAMPLES).collect();
    let widest = examples.iter().map(|(typed, _)| typed.len()).max().unwrap_or_default();
    let mut template = "{about-with-newline}\n{usage-heading} {usage}\n\nExamples:\n".to_owned();
    for (typed, does) in &examples {
        let _ = writeln!(template, "  arbiter {typed:<widest$}  {does}");
    }
    let command = match &examples[..] {
        [] => command,
        _ => command.help_template(template + "\n{all-args}{after-help}"),
    };
    let Some((_, common)) = every_day().find(|(of, _)| *of == path) else { return command };
    let more = format!("Rare options: arbiter {path} --help");
    let notes = command.get_after_help().cloned().unwrap_or_default();
    command.after_help(more).after_long_help(notes).mut_args(|arg| {
        let is_rare = !common.contains(&arg.get_id().as_str());
        arg.hide_short_help(is_rare)
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
        for (typed, _) in examples() {
            let typed = typed.split(" > ").next().unwrap().split(" | ").next().unwrap();
            let words = ["arbiter"].into_iter().chain(typed.split(' '));
            let parsed = program().try_get_matches_from(words);
            assert!(parsed.is_ok(), "{typed}: {parsed:?}");
        }
    }

    /// The commands whose short help does not fit on a screen or has no examples, with the numbers.
    fn ill_explained(command: &mut Command, outer: &str) -> Vec<String> {
        // The dialects have the help of the originals.
        if ["help", "fastchess", "cutechess"].contains(&command.get_name()) {
            return Vec::new();
        }
        let path = format!("{outer} {}", command.get_name());
        let help = command.render_help().to_string();
        let lines = help.lines().count();
        let widest = help.lines().map(|line| line.chars().count()).max().unwrap_or_default();
        let examples = help.lines().filter(|line| line.starts_with("  arbiter ")).count();
        let is_well = lines <= 50 && widest <= WIDEST && (2..=MOST_EXAMPLES).contains(&examples);
        let own = (!is_well).then(|| format!("{path}: {lines} lines of {widest}, {examples} examples"));
        command.get_subcommands_mut().flat_map(|inner| ill_explained(inner, &path)).chain(own).collect()
    }

    #[test]
    fn every_short_help_fits_on_a_screen_and_has_examples() {
        let mut program = program().term_width(WIDEST);
        program.build();
        let found = program.get_subcommands_mut().flat_map(|command| ill_explained(command, ""));
        assert_eq!(found.collect::<Vec<String>>(), Vec::<String>::new());
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
        for (name, common) in every_day() {
            let inner = |outer: Command, name: &str| outer.find_subcommand(name).unwrap().clone();
            let command = name.split(' ').fold(program.clone(), inner);
            let known: Vec<&str> = command.get_arguments().map(|arg| arg.get_id().as_str()).collect();
            let unknown: Vec<_> = common.iter().filter(|id| **id != "help" && !known.contains(id)).collect();
            assert!(unknown.is_empty(), "{name}: {unknown:?} of {known:?}");
        }
        assert!(FIRST.lines().count() <= 10 && FIRST.lines().all(|line| line.len() <= 80));
    }
}
