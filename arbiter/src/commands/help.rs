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
  arbiter match ./new ./old --sprt 0,5 the same, until it is decided
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
const EXAMPLES: &[(&str, &[(&str, &str)])] = &[
    (
        "match",
        &[
            ("match ./new ./old", "100 games at 10+0.1"),
            ("match ./new ./old --sprt 0,5 --tc 8+0.08", "until the SPRT is decided"),
            ("match dev@HEAD dev@v1.2 --each Hash=64", "two git revisions of engines/dev"),
            ("match a b c --games 20 --openings book.epd", "a round robin"),
        ],
    ),
    (
        "ci",
        &[
            ("ci", "every step of arbiter.toml"),
            ("ci --only perft", "one step"),
            ("ci --only perft tactics", "two steps"),
        ],
    ),
    (
        "report",
        &[
            ("report results/DIR", "an HTML page"),
            ("report games.pgn", "a page of any program's PGN file: games-report.html"),
            ("report games.pgn --text", "the same in the terminal"),
        ],
    ),
    ("check", &[("check ./engine", "does it follow UCI?")]),
    (
        "init",
        &[
            ("init", "in the repository of your engine"),
            ("init --github", "with a workflow for GitHub Actions"),
        ],
    ),
    ("play", &[("play ./engine", "in the terminal"), ("play ./engine --web", "in the browser")]),
    ("run", &[("run match.toml", "play a run file"), ("run results/DIR", "repeat a run")]),
    ("resume", &[("resume results/DIR", "play the missing games")]),
    ("tune", &[("tune ./engine --spec params.csv --nodes 5000 --games 20000", "SPSA")]),
    ("status", &[("status results/DIR", "where the run stands")]),
    ("watch", &[("watch results/DIR", "follow the run in the browser")]),
    ("merge", &[("merge part1 part2 --out whole", "put shards together")]),
    (
        "sprt",
        &[
            ("sprt results/DIR", "Elo of a run, and LLR of its SPRT"),
            ("sprt games.pgn --engine dev --sprt 0,5", "of a PGN file, whichever program wrote it"),
            ("sprt --ptnml 12,80,150,95,20 --sprt 0,5", "of counts of pairs"),
            ("sprt --sprt 0,3 --expect 0,1.5,3 --draws 0.6", "how many games this SPRT needs"),
        ],
    ),
    (
        "rate",
        &[
            ("rate *.pgn", "a rating list with 95% errors"),
            ("rate *.pgn --anchor Stockfish=3600", "with a known rating"),
        ],
    ),
    (
        "list",
        &[
            ("list new blitz --tc 60+0.6 --each Hash=64", "begin a list"),
            ("list add blitz stockfish ./mine@v1.2", "add engines"),
            ("list play blitz --until 10", "until every error is at most 10 Elo"),
            ("list place blitz ./mine@HEAD --within 10", "where does the new version stand?"),
            ("list page blitz --out site", "a static site"),
        ],
    ),
    (
        "why",
        &[
            ("why results/DIR", "where the first engine lost, judged by Stockfish"),
            ("why results/DIR --run-programs", "also find positions that show why, with its engines"),
            ("why games.pgn --engine New --referee ./strong", "a PGN, judged by another engine"),
            ("why dev@HEAD dev@v1.2", "play 400 games at 2,000 nodes first"),
        ],
    ),
    ("reproduce", &[("reproduce results/DIR 818 --run-programs", "play game 818 again")]),
    (
        "control",
        &[
            ("control results/DIR stop", "end after the current games, as one Ctrl-C does"),
            ("control results/DIR concurrency 2", "two games at a time from now on"),
        ],
    ),
    ("verify", &[("verify results/DIR", "is any part damaged or missing?")]),
    ("ablate", &[("ablate ./engine --toggle NullMove --toggle LMR", "one technique after the other")]),
    ("perft", &[("perft ./engine", "count moves in known positions")]),
    ("tactics", &[("tactics ./engine --nodes 100000", "the shipped suites")]),
    ("speed", &[("speed ./engine", "nodes per second"), ("speed ./new ./old", "which build is faster?")]),
    (
        "bisect",
        &[
            ("bisect dev --good v1.2 --bad HEAD --by perft", "the commit that broke perft"),
            ("bisect dev --good v1.2 --bad HEAD --by match", "the commit that lost Elo"),
        ],
    ),
    ("history", &[("history dev v1.0 v1.1 HEAD --nodes 5000", "Elo of revisions")]),
    ("wdl", &[("wdl games.pgn", "win, draw and loss by score")]),
];

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

pub const WIDEST: usize = 100;

/// Adds the examples to the commands, and hides rare options from their short help.
pub fn explained(program: Command) -> Command {
    program.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        let command = match EXAMPLES.iter().find(|(of, _)| *of == name) {
            None => command,
            Some((_, examples)) => {
                let widest = examples.iter().map(|(typed, _)| typed.len()).max().unwrap_or_default();
                let title = if examples.len() == 1 { "Example" } else { "Examples" };
                let mut template =
                    format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{title}:\n");
                for (typed, does) in *examples {
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
        for (name, examples) in EXAMPLES {
            for (typed, _) in *examples {
                let words = ["arbiter"].into_iter().chain(typed.split(' '));
                let parsed = program().try_get_matches_from(words);
                assert!(parsed.is_ok() && typed.split(' ').next() == Some(name), "{typed}: {parsed:?}");
            }
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
