//! The commands by what a person wants, the first screen, and the words of fastchess in ours.

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
    ("See a run", &["status", "watch", "control", "merge"]),
    ("Judge results", &["sprt", "rate"]),
    ("Check an engine", &["perft", "tactics", "speed", "engines", "bisect", "history", "ablate"]),
    ("Make data", &["openings", "games"]),
];

/// The widest text, as for the options.
const WIDEST: usize = 100;

/// The program with its commands in groups.
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

/// A command and what it does, which goes on below itself.
fn described(name: &str, about: &str, width: usize) -> String {
    const NAME: usize = 15;
    let about = wrapped(about, width - NAME);
    let lines: Vec<&str> = about.lines().map(str::trim).collect();
    format!("  {name:<13}{}", lines.join(&format!("\n{:NAME$}", "")))
}

/// The page with the words of fastchess and cutechess-cli beside ours.
const WORDS: &str = include_str!("../../workflows/coming-from.txt");

/// What a word of fastchess is called here, if there is one among the words of a command line that was refused.
pub fn in_our_words(line: &[String], error: &str) -> Option<String> {
    if line.get(1).is_some_and(|command| command == "fastchess" || command == "cutechess") {
        return None;
    }
    line.iter().enumerate().skip(1).find_map(|(at, typed)| {
        let words = typed.split([',', ' ']).filter_map(|word| theirs(word, error));
        let option =
            line[at - 1].strip_prefix('-').filter(|option| option.starts_with('-')).unwrap_or_default();
        let (word, row) = words.into_iter().find_map(|word| Some((word.clone(), row_of(&word, option)?)))?;
        Some(format!(
            "  fastchess's `{word}` is {row} here; `arbiter fastchess` takes its whole command line"
        ))
    })
}

/// A word as fastchess writes it, if the error is about it: `--rounds` is `-rounds`, and `movenumber=40` is `movenumber=`.
fn theirs(word: &str, error: &str) -> Option<String> {
    if let Some((key, _)) = word.split_once('=').filter(|(key, _)| !key.starts_with('-')) {
        return error.contains(&format!("{key}=")).then(|| format!("{key}="));
    }
    let name = word.trim_start_matches('-').split('=').next()?;
    let is_option = word.starts_with('-') && name.starts_with(|letter: char| letter.is_ascii_alphabetic());
    // A word behind one dash is read as letters, and the first unknown one is named.
    let first = format!("unexpected argument '-{}'", name.chars().next()?);
    let is_named = error.contains(&format!("unexpected argument '--{name}'"))
        || (!word.starts_with("--") && error.contains(&first));
    (is_option && is_named).then(|| format!("-{name}"))
}

/// Our side of the row that has a word; of several, that of the option that was typed before it.
fn row_of(word: &str, option: &str) -> Option<String> {
    let rows = WORDS.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"));
    let sides = rows.filter_map(|row| row.split_once(" | "));
    let has = |text: &str| {
        text.match_indices(word).any(|(start, _)| {
            let before = text[..start].chars().next_back();
            let after = text[start + word.len()..].chars().next();
            let is_end =
                |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric() && letter != '-');
            is_end(before) && (word.ends_with('=') || is_end(after))
        })
    };
    let rows: Vec<_> = sides.filter(|(theirs, _)| has(&format!("`{theirs}"))).collect();
    let (_, ours) =
        rows.iter().find(|(theirs, _)| theirs.starts_with(&format!("{option} "))).or(rows.first())?;
    // Links are for readers of the page.
    let plain = regex_lite::Regex::new(r"\]\([^)]*\)").ok()?.replace_all(ours, "").replace('[', "");
    Some(plain)
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

    #[test]
    fn words_of_fastchess_are_answered_with_ours() {
        for (typed, named, ours) in [
            ("--rounds", "unexpected argument '--rounds' found", "`-rounds` is `--games 2N` here"),
            ("-rounds", "unexpected argument '-r' found", "`-rounds` is `--games 2N` here"),
            ("-engine", "unexpected argument '-e' found", "`-engine` is the engine, as a path, or `--engine"),
            ("-srand", "unexpected argument '-s' found", "`-srand` is `--seed N` here"),
            (
                "movenumber=40,movecount=8",
                "`movenumber=40`",
                "`movenumber=` is `--draw move=40,count=8,score=10`",
            ),
        ] {
            let line = ["arbiter", "match", "./a", typed].map(str::to_owned);
            let advice = in_our_words(&line, named).unwrap_or_default();
            assert!(advice.contains(ours), "{typed}: {advice}");
        }
        let line = ["arbiter", "match", "--gmaes"].map(str::to_owned);
        assert_eq!(in_our_words(&line, "unexpected argument '--gmaes' found"), None);
    }
}
