//! `arbiter report --markdown`: a short summary of runs for a pull request or a GitHub job summary.

use std::fmt::Write as _;

use super::pgn_text::basis;
use super::quote::quote;
use super::result::{behaviour, machines, score};
use super::verdict::{Verdict, blame, clock_advice, state, title, verdict};
use crate::results::facts::{again, first_of_each, last_words};
use crate::results::{EngineSummary, RunResults, ending};
use crate::text::markdown_escaped;
use crate::text::number_text::{limits_of_run, long_time};
use referee::Side;

const LISTED_GAMES: usize = 10;

/// How many games are listed for each kind of fault of an engine.
const LISTED_OF_EACH: usize = 5;

/// For each run a heading, the verdict, the numbers, and a folded table of the engines.
pub fn markdown(runs: &[RunResults]) -> String {
    let texts: Vec<String> = runs.iter().map(of_run).collect();
    texts.join("\n")
}

fn of_run(run: &RunResults) -> String {
    let verdict = markdown_escaped(&verdict(&run.summary));
    let state = state(&run.phase).map(|state| format!(" {}", markdown_escaped(&state))).unwrap_or_default();
    let sign = Verdict::of_tests(&run.summary).map_or("♟️", Verdict::sign);
    let mut text =
        format!("### {sign} {}\n\n**{verdict}**{state}\n\n", markdown_escaped(&title(&run.summary)));
    if let Some(line) = quote(&run.summary, &run.config) {
        let _ = writeln!(text, "{}\n", markdown_escaped(&line));
    }
    text += &score(&run.summary).markdown();
    let _ = writeln!(text, "\n{}\n", faults(run));
    if !run.noisy.is_zero() {
        let advice = clock_advice(&run.config).unwrap_or_default();
        let _ = writeln!(text, "⚠️ The machine was noisy for {}{advice}.\n", long_time(run.noisy));
    }
    text += &details(run);
    text
}

fn faults(run: &RunResults) -> String {
    let of_engine = |engine: &EngineSummary| {
        let counts: Vec<String> =
            engine.faults.iter().map(|(kind, count)| format!("{} {count}", ending::label(*kind))).collect();
        (!counts.is_empty()).then(|| format!("**{}**: {}", markdown_escaped(&engine.name), counts.join(", ")))
    };
    let faults: Vec<String> = run.summary.engines.iter().filter_map(of_engine).collect();
    if faults.is_empty() {
        let told = if run.summary.files.is_some() { "The files report no " } else { "No " };
        return format!("{told}time losses, crashes, stalls or illegal moves.");
    }
    let blame = blame(&run.summary, Some(&run.config)).map_or_else(String::new, |blame| format!("{blame}: "));
    format!("⚠️ {blame}{}", faults.join(" · "))
}

fn details(run: &RunResults) -> String {
    let table = behaviour(&run.summary, Some(&run.config)).markdown();
    let mut text = format!("<details><summary>Details</summary>\n\n{table}\n");
    if let Some(compared) = &run.summary.machines {
        let _ = writeln!(text, "{}", machines(compared).markdown());
    }
    let (first, more) = first_of_each(&run.faulty_games, LISTED_OF_EACH);
    for game in first.iter().take(LISTED_GAMES) {
        let players = format!("{} – {}", game.white, game.black);
        let (number, ending) = (game.number, markdown_escaped(&game.ending));
        let log = if run.summary.files.is_some() {
            String::new()
        } else {
            format!("; see `bad/{number}.log`; again: `{}`", again(&run.folder, number))
        };
        let _ = writeln!(text, "- Game {number} ({}): {ending}{log}", markdown_escaped(&players));
        let side = if game.offender == game.white { Side::White } else { Side::Black };
        // This indentation makes a code block, in which nothing needs escaping.
        let words = last_words(&run.folder, number, side).into_iter().map(|line| format!("      {line}\n"));
        let words: String = words.collect();
        if !words.is_empty() {
            let _ = writeln!(text, "\n{words}");
        }
    }
    if first.len() > LISTED_GAMES {
        let _ = writeln!(text, "- and {} more", run.faulty_games.len() - LISTED_GAMES);
    } else {
        for more in more {
            let _ = writeln!(text, "- {}", markdown_escaped(&more));
        }
    }
    if !run.faulty_games.is_empty() {
        text.push('\n');
    }
    let _ = writeln!(text, "{}\n\n</details>", made(run));
    text
}

fn made(run: &RunResults) -> String {
    if run.summary.files.is_some() {
        return markdown_escaped(&basis(&run.summary).join(" "));
    }
    let concurrency = format!("concurrency {}", run.config.concurrency);
    let mut pieces = vec![long_time(run.summary.duration), limits_of_run(&run.config), concurrency];
    if let Some(made) = &run.config.made {
        pieces.extend([
            markdown_escaped(&made.cpu),
            format!("{} cores", made.cores),
            format!("Arbiter {}", made.arbiter),
        ]);
    }
    pieces.push(format!("book {}", markdown_escaped(&run.config.book.path.display().to_string())));
    pieces.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::test_games::{lost_by, outcome, round_robin, two_engine_match};
    use runner::Termination;

    #[test]
    fn a_match_with_a_sequential_test_and_faults() {
        let mut games = two_engine_match("wdwwlddd");
        games.push(lost_by(8, (0, 1), Side::Black, Termination::TimeLoss));
        insta::assert_snapshot!(markdown(&[outcome(&["new", "old"], true, &games)]));
    }

    #[test]
    fn four_engines() {
        insta::assert_snapshot!(markdown(&[outcome(&["a", "b", "c", "d"], false, &round_robin())]));
    }

    #[test]
    fn names_and_messages_are_only_text() {
        let mut odd = lost_by(0, (0, 1), Side::White, Termination::Crash);
        odd.detail = Some("<img src=x> @everyone #1\n| a | `b`".to_owned());
        let text = markdown(&[outcome(&["a_b|c", "old"], false, &[odd])]);
        assert!(text.contains(r"a\_b\|c") && !text.contains("<img") && !text.contains('@'), "{text}");
        assert!(text.contains(r"&#64;everyone &#35;1 \| a \| \`b\`"), "{text}");
    }
}
