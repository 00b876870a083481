//! Every game that was lost by a fault, with the end of its protocol log.

use maud::{Markup, html};

use super::{Section, ShownRun};
use crate::report::verdict::blame;
use crate::results::facts::FaultyGameWithLog;
use crate::text::number_text::counted;

/// The games, or a sentence that there are none.
pub fn section(run: &ShownRun) -> Section {
    let faulty = &run.facts.faulty_games;
    let warnings = match run.summary.warnings {
        0 => String::new(),
        count => {
            format!(" The journal has {} about harmless breaches of the protocol.", counted(count, "warning"))
        }
    };
    let more = faulty.count - faulty.games.len() as u64;
    let html = html! {
        p {
            @match blame(&run.summary) {
                None => "No engine crashed, stalled, lost on time or played an illegal move.",
                Some(blame) => { (blame) "." }
            }
            (warnings)
        }
        @for game in &faulty.games { (game_with_log(run, game)) }
        @if more > 0 {
            p { (more) " more games; their logs are in " code { "bad/" } "." }
        }
    };
    Section::new("faults", "Faults", "Faults", &html)
}

fn game_with_log(run: &ShownRun, game: &FaultyGameWithLog) -> Markup {
    let number = game.number;
    let head = html! {
        a href={ "#game-" (number) } { "Game " (number) }
        " "
        b { (run.name(game.white)) " – " (run.name(game.black)) }
        " "
        span { (game.ending) }
    };
    let Some(log) = &game.log else { return html! { p.fault { (head) } } };
    let file = format!("bad/{number}.log");
    html! {
        details.fault {
            summary { (head) }
            @if !game.last_words.is_empty() {
                p { "The engine's error output:" }
                pre { (game.last_words.join("\n")) }
            }
            @if log.is_cut {
                p { "The end of " a href=(file) { (file) } ":" }
            }
            pre { (log.text) }
        }
    }
}
