//! How the games ended, and the games lost by a fault.

use maud::{Markup, Render, html};

use super::{Section, ShownRun};
use crate::html::plot::StackedBar;
use crate::report::page::bar_table;
use crate::report::result::late_games;
use crate::report::verdict::blame;
use crate::results::ending::label;
use crate::results::facts::FaultyGameWithLog;
use crate::text::number_text::{counted, percent};

pub fn section(run: &ShownRun) -> Section {
    let summary = &run.summary;
    let mut kinds: Vec<_> = summary.terminations.iter().collect();
    kinds.sort_by_key(|&(_, count)| std::cmp::Reverse(*count));
    let most = kinds.first().map_or(1, |&(_, count)| *count).max(1);
    let total = summary.terminations.values().sum::<u64>().max(1) as f64;
    let rows = kinds.into_iter().map(|(&kind, &count)| {
        let class = if kind.is_fault() { "loss" } else { "draw" };
        let cells = vec![count.to_string(), percent(count as f64 / total)];
        let bar = StackedBar { parts: &[(count, class), (most - count, "nothing")] };
        (html! { (label(kind)) }, cells, bar.render())
    });
    let html = html! {
        @if let Some(late) = late_games(summary) { p { (late) "." } }
        (bar_table("Ending", &["Games", "Share"], &html! {}, rows))
    };
    Section::new("endings", "Endings", "How the games ended", &html)
}

pub fn faulty_games_section(run: &ShownRun) -> Section {
    let warnings = match run.summary.warnings {
        0 => String::new(),
        count => {
            format!(" The journal has {} about harmless breaches of the protocol.", counted(count, "warning"))
        }
    };
    let html = html! {
        p {
            @match blame(&run.summary, Some(&run.facts.config)) {
                None if run.summary.files.is_some() => "The files report no crash, stall, time loss or illegal move.",
                None => "No engine crashed, stalled, lost on time or played an illegal move.",
                Some(blame) => { (blame) "." }
            }
            (warnings)
        }
        @for game in &run.faulty_games { (game_with_log(game, run.summary.files.is_none())) }
        @for more in &run.more_faults {
            p {
                (more)
                @if run.summary.files.is_none() { "; their logs are in " code { "bad/" } }
                "."
            }
        }
    };
    Section::new("faults", "Faults", "Faults", &html)
}

fn game_with_log(faulty: &FaultyGameWithLog, of_run: bool) -> Markup {
    let FaultyGameWithLog { game, log, last_words, again } = faulty;
    let number = game.number;
    let head = html! {
        a href={ "#game-" (number) } { "Game " (number) }
        " "
        b { (game.white) " – " (game.black) }
        " "
        span { (game.ending) }
    };
    let again = html! { "To play it again: " code { (again) } };
    let Some(log) = log else {
        return html! { p.fault { (head) @if of_run { ". " (again) } } };
    };
    let file = format!("bad/{number}.log");
    html! {
        details.fault {
            summary { (head) }
            p { (again) }
            @if !last_words.is_empty() {
                p { "The engine's last words:" }
                pre { (last_words.join("\n")) }
            }
            @if log.is_cut {
                p { "The end of " a href=(file) { (file) } ":" }
            }
            pre { (log.text) }
        }
    }
}
