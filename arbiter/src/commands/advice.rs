//! Advice for a refused command line: our name for another program's option, the command that has the option, or the
//! options that exist.

use std::error::Error as _;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use super::help::{self, WIDEST};
use super::their_words;
use crate::compat;
use crate::text::wrapped::wrapped;

/// The message for a refused command line: what is wrong, what to type instead, and where to read more.
pub fn explained(program: &Command, line: &[String], error: &mut clap::Error) -> String {
    let advice = of_error(program, line, error);
    if advice.is_some() {
        // Clap's suggestion resembles another program's word, so it would mislead.
        for kind in [
            ContextKind::SuggestedArg,
            ContextKind::SuggestedSubcommand,
            ContextKind::Suggested,
            ContextKind::Usage,
        ] {
            error.remove(kind);
        }
    }
    let styled = error.render();
    let text = if console::colors_enabled_stderr() { styled.ansi().to_string() } else { styled.to_string() };
    let text = number_words(&text, error);
    match (advice, text.split_once("\n\n")) {
        (Some(advice), Some((first, rest))) => format!("{first}\n{advice}\n\n{rest}"),
        (Some(advice), None) => format!("{}\n{advice}\n", text.trim_end()),
        (None, _) => text,
    }
}

/// The text of an error with the standard library's message about a number replaced by what was expected.
fn number_words(text: &str, error: &clap::Error) -> String {
    let Some(theirs) = error.source() else { return text.to_owned() };
    let units = [("<MS>", " of milliseconds"), ("<CP>", " of centipawns"), ("<SECONDS>", " of seconds")];
    let unit = units.iter().find(|(name, _)| text.contains(name)).map_or("", |(_, unit)| unit);
    let value = error.get(ContextKind::InvalidValue).map(ToString::to_string).unwrap_or_default();
    // A time without `ms` was meant in seconds.
    let typed = value.trim_end_matches(char::is_alphabetic).parse::<f64>().unwrap_or_default();
    let millis = if value.ends_with("ms") { typed } else { typed * 1000.0 };
    let such = if unit.ends_with("milliseconds") && millis >= 1.0 { millis.round() } else { 100.0 };
    let ours = match theirs.downcast_ref::<ParseIntError>().map(ParseIntError::kind) {
        Some(IntErrorKind::InvalidDigit | IntErrorKind::Empty) => {
            format!("expected a whole number{unit}, such as {such}")
        }
        Some(IntErrorKind::PosOverflow) => "the number is too large".to_owned(),
        None if theirs.is::<ParseFloatError>() => "expected a number, such as 0.5".to_owned(),
        _ => return text.to_owned(),
    };
    text.replace(&theirs.to_string(), &ours)
}

/// An option that the command does not have.
struct Unknown {
    /// Without dashes.
    name: String,
    value: Option<String>,
    is_short: bool,
}

/// What to type instead of the refused word; `None` where clap names the option that was meant.
fn of_error(program: &Command, line: &[String], error: &clap::Error) -> Option<String> {
    if let Some(ContextValue::String(named)) = error.get(ContextKind::InvalidSubcommand) {
        let ours = their_words::command(named, &line[1..]).filter(|_| line.get(1) == Some(named));
        return ours.map(|ours| format!("  type: arbiter {ours}"));
    }
    let inner = line.iter().skip(1).map_while({
        let mut command = program;
        move |word| {
            command = command.find_subcommand(word)?;
            Some(command)
        }
    });
    let unknown = unknown_option(line, error);
    let Some(command) = inner.last() else {
        let Unknown { name, .. } = unknown?;
        return if let Some(ours) = their_words::command(&name, &line[1..]) {
            Some(format!("  type: arbiter {ours}"))
        } else if is_theirs(&name) {
            Some(format!(
                "  `-{name}` is an option of fastchess: arbiter fastchess -{name} …, or arbiter cutechess -{name} …"
            ))
        } else {
            has(program, &name).then(|| format!("  with two dashes: --{name}"))
        };
    };
    let Some(unknown) = unknown else {
        let is_word_too_many = error.kind() == ErrorKind::UnknownArgument;
        let ours = their_words::command(&format!("{} +", command.get_name()), &line[2..]);
        return match ours.filter(|_| is_word_too_many) {
            Some(ours) => Some(format!("  type: arbiter {ours}")),
            None => of_value(program, line, error),
        };
    };
    let is_similar = error.get(ContextKind::SuggestedArg).is_some();
    instead(program, command, &unknown, is_similar)
}

fn is_theirs(name: &str) -> bool {
    compat::option_names().any(|theirs| theirs.trim_start_matches('-') == name)
}

/// What to type instead of a value that another program would take.
fn of_value(program: &Command, line: &[String], error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(named)) = error.get(ContextKind::InvalidArg) else { return None };
    let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) else {
        // Clap takes a negative number for an option.
        let at = line.iter().position(|word| is_negative(named) && word.starts_with(named.as_str()))?;
        let option = line[at - 1].strip_prefix("--")?;
        let with_zero =
            line.iter().enumerate().map(|(index, word)| if index == at { "0" } else { word.as_str() });
        let refused = program.clone().try_get_matches_from(with_zero).err();
        let takes_zero = refused.is_none_or(|error| error.kind() != ErrorKind::ValueValidation);
        return Some(format!("  --{option} takes a number from {} on", u8::from(!takes_zero)));
    };
    let option = option_name(named.trim_start_matches('-'));
    if value.is_empty() {
        return help::value_in_examples(option).map(|value| format!("  such as: --{option} {value}"));
    }
    // Words such as `cmd=` are ours in the description of an engine.
    if value.split(' ').any(|word| word.starts_with("cmd=")) {
        return None;
    }
    let keys = value.split([',', ' ']).filter_map(|word| word.split_once('='));
    let ours = their_words::option(&format!("{option}={value}"))
        .or_else(|| keys.into_iter().find_map(|(key, _)| their_words::option(key)))?;
    Some(wrapped(&format!("  here it is {}", their_words::filled(ours, None)), WIDEST))
}

fn is_negative(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()))
}

/// The unknown option of an error. After a single dash, clap names only the first letter.
fn unknown_option(line: &[String], error: &clap::Error) -> Option<Unknown> {
    let Some(ContextValue::String(named)) = error.get(ContextKind::InvalidArg) else { return None };
    if error.kind() != ErrorKind::UnknownArgument || !named.starts_with('-') || is_negative(named) {
        return None;
    }
    let is_short = !named.starts_with("--");
    let at = line.iter().position(|word| word.starts_with(named) && word.starts_with("--") != is_short);
    let typed = at.map_or(named, |at| &line[at]).trim_start_matches('-');
    let name = match typed.get(1..) {
        // A letter with a number, such as `-j4`.
        Some(number) if is_short && number.parse::<f64>().is_ok() => &typed[..1],
        _ => option_name(typed),
    };
    let attached = typed[name.len()..].trim_start_matches('=');
    let next = at.and_then(|at| line.get(at + 1)).filter(|_| attached.is_empty());
    let value = next.cloned().or_else(|| Some(attached.to_owned()).filter(|value| !value.is_empty()));
    Some(Unknown { name: name.to_owned(), value, is_short })
}

fn option_name(text: &str) -> &str {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '-').next().unwrap_or_default()
}

fn options(command: &Command) -> impl Iterator<Item = &str> {
    command.get_arguments().filter(|option| !option.is_hide_set()).filter_map(Arg::get_long)
}

fn has(command: &Command, name: &str) -> bool {
    options(command).any(|option| option == name)
}

/// What to type instead of an option; `None` if the command has nothing similar.
fn instead(program: &Command, command: &Command, unknown: &Unknown, is_similar: bool) -> Option<String> {
    let name = unknown.name.as_str();
    let theirs = their_words::option(name).filter(|ours| {
        let named = ours.strip_prefix("`--").map(option_name);
        named.map_or(command.get_name() == "match", |ours| has(command, ours))
    });
    let theirs = their_words::option(&format!("{} {name}", command.get_name())).or(theirs);
    let opposite = name.strip_prefix("no-").map_or_else(|| format!("no-{name}"), str::to_owned);
    let below = |outer: &Command| {
        let inner = outer.get_subcommands().filter(|inner| has(inner, name));
        inner.map(|inner| format!("{} {}", outer.get_name(), inner.get_name())).collect::<Vec<_>>()
    };
    let elsewhere = program.get_subcommands().filter(|outer| !outer.is_hide_set()).flat_map(|outer| {
        let own = has(outer, name).then(|| outer.get_name().to_owned());
        own.into_iter().chain(below(outer))
    });
    let elsewhere = elsewhere.collect::<Vec<_>>().join(", ");
    let advice = match name {
        _ if let Some(ours) = theirs => {
            let whole = "; `arbiter fastchess` takes fastchess's whole command line";
            let whole = if unknown.is_short && is_theirs(name) { whole } else { "" };
            format!("`{name}` is {}{whole}", their_words::filled(ours, unknown.value.as_deref()))
        }
        _ if has(command, name) => format!("with two dashes: --{name}"),
        _ if has(command, &opposite) => {
            format!("that is the default; the opposite is `--{opposite}`")
        }
        _ if !elsewhere.is_empty() => format!("`--{name}` is an option of: {elsewhere}"),
        _ if is_similar => return None,
        _ => {
            let all: Vec<&str> = options(command).filter(|option| *option != "help").collect();
            let alike: Vec<&str> = all.iter().copied().filter(|option| option.starts_with(name)).collect();
            let shown = if alike.is_empty() { all } else { alike };
            if shown.is_empty() {
                return None;
            }
            format!("there are: --{}", shown.join(", --"))
        }
    };
    Some(wrapped(&format!("  {advice}"), WIDEST))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::program;

    #[test]
    fn an_unknown_option_is_answered_with_what_there_is() {
        let cases = include_str!("advice.txt").lines().skip(1);
        for (line, answer) in cases.map(|case| case.split_once(" => ").unwrap()) {
            let said = said(line);
            assert!(said.contains(answer), "{line}: {said}");
            // The hint comes before the line that says where to read more.
            assert!(!said.trim_end().ends_with(answer), "{line}: {said}");
        }
        // Clap names the option that was meant.
        for line in ["match --gmaes 2", "report --makrdown"] {
            assert!(said(line).contains("a similar argument exists"), "{line}");
        }
    }

    fn said(line: &str) -> String {
        let words: Vec<String> = format!("arbiter {line}").split(' ').map(str::to_owned).collect();
        let mut program = program();
        let mut error = program.try_get_matches_from_mut(&words).unwrap_err();
        explained(&program, &words, &mut error)
    }
}
