//! `arbiter report --markdown`: a short summary of runs, for a pull request or the job summary of GitHub.

use std::fmt::Write as _;

use super::summary_text::ptnml;
use super::tests_text::{bias_note, marked_elo, tested_elo, tested_name, tests_heading, unit, verdict_words};
use super::verdict::{blame, limits_of_run, quote, verdict};
use crate::results::RunOutcome;
use crate::results::RunPhase;
use crate::results::facts::last_words;
use crate::results::{EngineSummary, PairingSummary};
use crate::text::number_text::{
    counted, elo, long_time, minus, normalized_elo, percent, short_time, signed_three_digits, thousands,
    three_digits,
};
use referee::Side;
use runner::{FinishReason, Termination};
use stats::SprtStatus;

/// The most games with faults that are listed.
const LISTED_GAMES: usize = 10;

/// The text: for every run a heading, the verdict, the numbers, and a folded table of the engines.
pub fn markdown(runs: &[RunOutcome]) -> String {
    let texts: Vec<String> = runs.iter().map(of_run).collect();
    texts.join("\n")
}

fn of_run(run: &RunOutcome) -> String {
    let mut text =
        format!("### {} {}\n\n**{}**", sign(run), escape(&run.title()), escape(&verdict(&run.summary)));
    text += &state(&run.state).map(|state| format!(" {state}")).unwrap_or_default();
    text += "\n\n";
    text +=
        &quote(&run.summary, &run.config).map(|line| format!("{}\n\n", escape(&line))).unwrap_or_default();
    match &run.summary.pairings[..] {
        _ if !run.summary.tuned.is_empty() => text += &tuned_table(run),
        [pairing] => text += &match_table(run, pairing),
        _ if run.summary.has_several_tests() => text += &tests_table(run),
        _ => text += &crosstable(run),
    }
    let _ = writeln!(text, "\n{}\n", faults(run));
    if !run.noisy.is_zero() {
        let _ = writeln!(text, "⚠️ The machine was noisy for {}.\n", long_time(run.noisy));
    }
    text += &details(run);
    text
}

/// A symbol for the state of the SPRT.
fn sign(run: &RunOutcome) -> &'static str {
    let any = |status| run.summary.tests().any(|(_, sprt)| sprt.status == status);
    // One H1 is what was looked for, and H0 is a verdict when nothing is open.
    let status = [SprtStatus::AcceptH1, SprtStatus::Continue, SprtStatus::AcceptH0];
    let status = status.into_iter().find(|status| any(*status));
    match status {
        Some(SprtStatus::AcceptH1) => "✅",
        Some(SprtStatus::AcceptH0) => "❌",
        Some(SprtStatus::Continue) => "⏳",
        None => "♟️",
    }
}

/// The state of a run that is not finished.
fn state(state: &RunPhase) -> Option<String> {
    match state {
        RunPhase::Finished { .. } => None,
        RunPhase::Running | RunPhase::Paused | RunPhase::Stopping => Some("The run is not over.".to_owned()),
        RunPhase::Interrupted { reason: Some(FinishReason::EngineDoesNotStart { detail, .. }) } => {
            Some(format!("The run was stopped: {}", escape(detail)))
        }
        RunPhase::Interrupted { .. } => Some("The run was interrupted.".to_owned()),
    }
}

/// The numbers of a match, one in a row.
fn match_table(run: &RunOutcome, pairing: &PairingSummary) -> String {
    let mut table = String::from("| | |\n|:--|:--|\n");
    let mut row = |name: &str, value: &str| {
        let _ = writeln!(table, "| {name} | {value} |");
    };
    row(
        "Elo (95%)",
        &minus(&format!("{} · nElo {}", tested_elo(pairing), normalized_elo(&pairing.normalized_elo))),
    );
    if let Some(sprt) = &pairing.sprt {
        let unit = unit(&sprt.test);
        let (lower, upper, elo0, elo1) = (sprt.lower, sprt.upper, sprt.test.elo0(), sprt.test.elo1());
        row("LLR", &minus(&format!("{:.2} ({lower:.2}, {upper:.2}) [{elo0}, {elo1}] {unit}", sprt.llr)));
    }
    let wdl = pairing.wdl;
    row("Games", &format!("{}: W {}, L {}, D {}", thousands(wdl.games()), wdl.wins, wdl.losses, wdl.draws));
    row("Ptnml(0-2)", &ptnml(pairing));
    row("LOS", &percent(pairing.los.probability()));
    if let Some(ratio) = pairing.draw_ratio {
        row("DrawRatio", &percent(ratio));
    }
    if let Some(ratio) = pairing.pair_ratio {
        row("PairsRatio", &format!("{ratio:.2}"));
    }
    row("Limits", &limits_of_run(&run.config));
    table
}

/// The values of a tuning run.
fn tuned_table(run: &RunOutcome) -> String {
    let mut table =
        String::from("| Parameter | Start | Value | Change | By chance (95%) |\n|:--|--:|--:|--:|--:|\n");
    for parameter in &run.summary.tuned {
        let numbers = [parameter.from, parameter.value].map(three_digits).join(" | ");
        let change = minus(&signed_three_digits(parameter.change()));
        let (name, by_chance) = (escape(&parameter.name), three_digits(parameter.by_chance));
        let _ = writeln!(table, "| {name} | {numbers} | {change} | ± {by_chance} |");
    }
    let _ = writeln!(table, "\n{}", limits_of_run(&run.config));
    table
}

/// The tests of several pairings, one in a row.
fn tests_table(run: &RunOutcome) -> String {
    let mut table =
        String::from("| | Games | Elo (95%) | LLR | Bounds | Verdict |\n|:--|--:|--:|--:|--:|:--|\n");
    for (pairing, sprt) in run.summary.tests() {
        let (verdict, _) = verdict_words(sprt);
        let numbers = format!(
            "{} | {:.2} | ({:.2}, {:.2})",
            escape(&marked_elo(pairing)),
            sprt.llr,
            sprt.lower,
            sprt.upper
        );
        let name = escape(&tested_name(&run.summary, pairing));
        let games = thousands(pairing.wdl.games());
        let _ = writeln!(table, "| {name} | {games} | {} | {verdict} |", minus(&numbers));
    }
    let _ = bias_note(&run.summary).map(|note| writeln!(table, "\n{}", escape(note)));
    let heading = tests_heading(&run.summary).unwrap_or_default();
    let _ = writeln!(table, "\n{}, {}", escape(&heading), limits_of_run(&run.config));
    table
}

/// Every engine's score, the best first.
fn crosstable(run: &RunOutcome) -> String {
    let mut table = String::from(
        "| | Engine | Points | Games | W | D | L | Elo vs. opponents |\n|--:|:--|--:|--:|--:|--:|--:|--:|\n",
    );
    for (place, engine) in run.summary.by_score().into_iter().enumerate() {
        let EngineSummary { name, points, games, wdl, elo_vs_opponents, .. } = &run.summary.engines[engine];
        let _ = writeln!(
            table,
            "| {} | {} | {points:.1} | {games} | {} | {} | {} | {} |",
            place + 1,
            escape(name),
            wdl.wins,
            wdl.draws,
            wdl.losses,
            minus(&elo(elo_vs_opponents))
        );
    }
    let _ = writeln!(table, "\n{}, {}", counted(run.summary.games, "game"), limits_of_run(&run.config));
    table
}

/// The faults of each engine, in one line.
fn faults(run: &RunOutcome) -> String {
    let of_engine = |engine: &EngineSummary| {
        let counts: Vec<String> = engine
            .faults
            .iter()
            .map(|(kind, count)| format!("{} {count}", crate::results::ending::label(*kind)))
            .collect();
        (!counts.is_empty()).then(|| format!("**{}**: {}", escape(&engine.name), counts.join(", ")))
    };
    let faults: Vec<String> = run.summary.engines.iter().filter_map(of_engine).collect();
    if faults.is_empty() {
        return "No time losses, crashes, stalls or illegal moves.".to_owned();
    }
    let blame = blame(&run.summary).map_or_else(String::new, |blame| format!("{blame}: "));
    format!("⚠️ {blame}{}", faults.join(" · "))
}

/// A table of the engines and the games with faults, folded.
fn details(run: &RunOutcome) -> String {
    let mut text = String::from(
        "<details><summary>Details</summary>\n\n\
         | Engine | Time losses | Other faults | Depth | NPS | Latency p50 | p99 | max |\n\
         |:--|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for engine in &run.summary.engines {
        let known = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
        let latency = |pick: fn(crate::results::Latency) -> std::time::Duration| {
            known(engine.latency.map(|latency| short_time(pick(latency))))
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            escape(&engine.name),
            engine.faults_of(Termination::TimeLoss),
            engine.other_faults(),
            known(engine.mean_depth.map(|depth| format!("{depth:.1}"))),
            known(engine.nodes_per_second.map(thousands)),
            latency(|latency| latency.p50),
            latency(|latency| latency.p99),
            latency(|latency| latency.max),
        );
    }
    text.push('\n');
    for game in run.faulty_games.iter().take(LISTED_GAMES) {
        let players = format!("{} – {}", game.white, game.black);
        let (number, ending) = (game.number, escape(&game.ending));
        let _ = writeln!(text, "- Game {number} ({}): {ending}; see `bad/{number}.log`", escape(&players));
        let side = if game.offender == game.white { Side::White } else { Side::Black };
        // So far to the right they are code, in which nothing has a meaning.
        let words = last_words(&run.folder, number, side).into_iter().map(|line| format!("      {line}\n"));
        let words: String = words.collect();
        if !words.is_empty() {
            let _ = writeln!(text, "\n{words}");
        }
    }
    if run.faulty_games.len() > LISTED_GAMES {
        let _ = writeln!(text, "- and {} more", run.faulty_games.len() - LISTED_GAMES);
    }
    if !run.faulty_games.is_empty() {
        text.push('\n');
    }
    let _ = writeln!(text, "{}\n\n</details>", made(run));
    text
}

/// The duration, the machine and the version.
fn made(run: &RunOutcome) -> String {
    let mut pieces = vec![long_time(run.summary.duration), format!("concurrency {}", run.config.concurrency)];
    if let Some(made) = &run.config.made {
        pieces.extend([
            escape(&made.cpu),
            format!("{} cores", made.cores),
            format!("Arbiter {}", made.arbiter),
        ]);
    }
    pieces.push(format!("book {}", escape(&run.config.book.path.display().to_string())));
    pieces.join(", ")
}

/// Escapes Markdown, HTML, GitHub's mentions and issue numbers, and the end of a table cell.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' => escaped.extend(['\\', letter]),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '@' => escaped.push_str("&#64;"),
            '#' => escaped.push_str("&#35;"),
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::made_up_games::{lost_by, outcome, round_robin, two_engine_match};
    use referee::Side;

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
