//! Our names for options and commands of other programs.

/// Options of fastchess and cutechess-cli and keys of their values, without dashes, and what to type instead.
const OPTIONS: &str = include_str!("their_options.txt");

/// Command names that people try, and the commands that do the job. `*/` is any path, `*.pgn` a file, and `ci +` a word
/// too many after `ci`; `{}` stands for the words typed.
const COMMANDS: &str = include_str!("their_commands.txt");

fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table.lines().filter_map(|line| line.split_once(" | "))
}

/// What to type for another program's option.
pub fn option(name: &str) -> Option<&'static str> {
    rows(OPTIONS).find(|(theirs, _)| *theirs == name).map(|(_, ours)| ours)
}

/// An advice with `{FACTOR:DEFAULT}` replaced by the number typed times FACTOR, or by DEFAULT.
pub fn filled(ours: &str, typed: Option<&str>) -> String {
    let hole = ours.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    let Some((before, (hole, after))) = hole else { return ours.to_owned() };
    let (factor, usual) = hole.split_once(':').unwrap_or(("1", hole));
    let number = typed.and_then(|typed| Some(typed.parse::<f64>().ok()? * factor.parse::<f64>().ok()?));
    format!("{before}{}{after}", number.map_or_else(|| usual.to_owned(), |number| number.to_string()))
}

/// The command to type for another program's command, or for `words` that do not begin with a command.
pub fn command(name: &str, words: &[String]) -> Option<String> {
    let is_meant = |theirs: &str| match theirs.strip_prefix('*') {
        Some("/") => name.contains(['/', '\\']),
        Some(ending) => name.ends_with(ending),
        None => theirs == name,
    };
    let ours = rows(COMMANDS).find(|(theirs, _)| is_meant(theirs));
    ours.map(|(_, ours)| ours.replace("{}", &words.join(" ")))
}

#[cfg(test)]
mod tests {
    use clap::Arg;

    use super::*;
    use crate::commands::program;
    use crate::compat;

    #[test]
    fn each_option_of_the_dialects_is_ours_or_has_a_word_here() {
        let program = program();
        let ours = program.find_subcommand("match").unwrap();
        let has = |name: &str| {
            let mut all = ours.get_arguments().filter_map(Arg::get_long_and_visible_aliases);
            all.any(|names| names.contains(&name))
        };
        let names: Vec<String> =
            compat::option_names().map(|name| name.trim_start_matches('-').to_owned()).collect();
        assert!(names.len() > 50);
        for name in names {
            assert!(has(&name) || option(&name).is_some(), "{name}");
        }
        for (theirs, words) in rows(OPTIONS) {
            for ours in words.split("`--").skip(1) {
                let end = ours.find(|letter: char| !letter.is_alphanumeric() && letter != '-').unwrap();
                assert!(has(&ours[..end]) || words.contains("arbiter "), "{theirs}: --{ours}");
            }
        }
    }
}
