//! Our names for options and commands of other programs.

/// Options of fastchess and cutechess-cli and keys of their values, without dashes, and what to type instead.
const OPTIONS: &str = include_str!("their_options.txt");

/// Command names that people try, and the commands that do the job.
const COMMANDS: [(&str, &str); 17] = [
    ("tournament", "match ENGINE… --format round-robin"),
    ("round-robin", "match ENGINE… --format round-robin"),
    ("gauntlet", "match ENGINE… --format gauntlet"),
    ("play-match", "match ENGINE ENGINE"),
    ("test", "match NEW OLD --sprt 0,5"),
    ("bench", "speed ENGINE"),
    ("suite", "tactics ENGINE --suite FILE"),
    ("html", "report games.pgn"),
    ("elo", "sprt games.pgn"),
    ("ordo", "rate games.pgn"),
    ("ratings", "rate games.pgn"),
    ("spsa", "tune ENGINE --spec FILE"),
    ("compliance", "check ENGINE"),
    ("stop", "control DIR stop"),
    ("pause", "control DIR pause"),
    ("replay", "reproduce RUN GAME"),
    ("book", "openings"),
];

fn options() -> impl Iterator<Item = (&'static str, &'static str)> {
    OPTIONS.lines().filter_map(|line| line.split_once(" | "))
}

/// What to type for another program's option.
pub fn option(name: &str) -> Option<&'static str> {
    options().find(|(theirs, _)| *theirs == name).map(|(_, ours)| ours)
}

/// The command to type for another program's command.
pub fn command(name: &str) -> Option<&'static str> {
    COMMANDS.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| *ours)
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
        for (theirs, words) in options() {
            for ours in words.split("`--").skip(1) {
                let end = ours.find(|letter: char| !letter.is_alphanumeric() && letter != '-').unwrap();
                assert!(has(&ours[..end]) || words.contains("arbiter "), "{theirs}: --{ours}");
            }
        }
    }
}
