//! What an option that a command does not know is answered with: our word for that of another program, the command that has
//! it, what there is instead.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use super::help::WIDEST;
use crate::text::wrapped::wrapped;

/// What to write instead of what was refused; `None` where clap names the option that was meant.
pub fn of_error(program: &Command, line: &[String], error: &clap::Error) -> Option<String> {
    let inner = line.iter().skip(1).map_while({
        let mut command = program;
        move |word| {
            command = command.find_subcommand(word)?;
            Some(command)
        }
    });
    let command = inner.last()?;
    in_our_words(command, line, &error.render().to_string()).or_else(|| {
        let is_similar = error.get(ContextKind::SuggestedArg).is_some();
        instead(program, command, &unknown_option(line, error)?, is_similar)
    })
}

/// The name of an option that was not known. Behind one dash clap names only the first letter.
fn unknown_option(line: &[String], error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(named)) = error.get(ContextKind::InvalidArg) else { return None };
    let typed =
        line.iter().find(|word| word.starts_with(named) && word.starts_with("--") == named.starts_with("--"));
    let is_option = error.kind() == ErrorKind::UnknownArgument && named.starts_with('-');
    is_option.then(|| option_name(typed.unwrap_or(named).trim_start_matches('-')).to_owned())
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

/// What there is instead of an option; `None` where the command has none.
fn instead(program: &Command, command: &Command, name: &str, is_similar: bool) -> Option<String> {
    let takes_engines = command
        .get_positionals()
        .filter_map(Arg::get_value_names)
        .flatten()
        .any(|value| value.starts_with("ENGINE"));
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
        "html" if command.get_name() == "report" => {
            "without a format the report is a page: arbiter report DIR --out FILE".to_owned()
        }
        "hash" | "threads" if takes_engines => {
            let option = name[..1].to_uppercase() + &name[1..];
            format!("options of an engine stand behind its name: ENGINE:{option}=2")
        }
        _ if has(command, name) => format!("with two dashes: --{name}"),
        _ if has(command, &opposite) => {
            format!("that is the default; what can be asked for is `--{opposite}`")
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

/// The page with the words of fastchess and cutechess-cli beside ours.
const WORDS: &str = include_str!("../../workflows/coming-from.txt");

/// What a word of fastchess is called here, if there is one among the words of a command line that was refused, and the
/// command knows our word.
fn in_our_words(command: &Command, line: &[String], error: &str) -> Option<String> {
    line.iter().enumerate().skip(1).find_map(|(at, typed)| {
        let words = typed.split([',', ' ']).filter_map(|word| theirs(word, error));
        let option =
            line[at - 1].strip_prefix('-').filter(|option| option.starts_with('-')).unwrap_or_default();
        let (word, row) = words.into_iter().find_map(|word| Some((word.clone(), row_of(&word, option)?)))?;
        if row.split_once("`--").is_some_and(|(_, ours)| !has(command, option_name(ours))) {
            return None;
        }
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
    let (_, words) = WORDS.split_once("\n## fastchess and cutechess-cli\n")?;
    let rows = words.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"));
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
    fn an_unknown_option_is_answered_with_what_there_is() {
        for (line, answer) in [
            ("match ./a --rounds 5", "fastchess's `-rounds` is `--games 2N` here"),
            ("match ./a -rounds 5", "fastchess's `-rounds` is `--games 2N` here"),
            ("match -engine cmd=a", "fastchess's `-engine` is the engine, as a path, or `--engine"),
            ("match -each tc=1", "fastchess's `-each` is options of the match"),
            ("match ./a -srand 1", "fastchess's `-srand` is `--seed N` here"),
            ("match ./a -sprt elo0=0", "fastchess's `-sprt` is `--sprt 0,5"),
            (
                "match ./a ./b --draw movenumber=40,movecount=8",
                "`movenumber=` is `--draw move=40,count=8,score=10`",
            ),
            ("match ./a --threads 2", "ENGINE:Threads=2"),
            ("report run --html", "arbiter report DIR --out FILE"),
            ("report run -csv", "with two dashes: --csv"),
            ("report run -o x", "there are: --out"),
            ("report run --rounds 3", "`--rounds` is an option of: "),
            ("watch run --no-open", "that is the default; what can be asked for is `--open`"),
            ("check ./a --sprt 0,5", "`--sprt` is an option of: match, "),
            ("status run --verbose", "there are: --json"),
            ("openings check book --quiet", "there are: --"),
        ] {
            let advice = advice(line).unwrap_or_default();
            assert!(advice.contains(answer), "{line}: {advice}");
        }
        // Clap names what was meant.
        for line in ["match --gmaes 2", "report --makrdown"] {
            assert_eq!(advice(line), None, "{line}");
        }
    }

    fn advice(line: &str) -> Option<String> {
        let words: Vec<String> = format!("arbiter {line}").split(' ').map(str::to_owned).collect();
        let mut program = program();
        let error = program.try_get_matches_from_mut(&words).unwrap_err();
        of_error(&program, &words, &error)
    }
}
