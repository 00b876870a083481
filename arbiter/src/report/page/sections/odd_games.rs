//! Every game that ended oddly, with the end of its protocol log.

use maud::{Markup, html};

use super::{Section, ShownRun};
use crate::report::page::facts::OddGameWithLog;
use crate::text::number_text::counted;

/// The games, or that there are none.
pub fn section(run: &ShownRun) -> Section {
    let odd = &run.facts.odd_games;
    let warnings = match run.summary.warnings {
        0 => String::new(),
        count => format!(
            " {} about harmless deviations from the protocol are in the journal.",
            counted(count, "warning")
        ),
    };
    let more = odd.count - odd.games.len() as u64;
    let html = html! {
        p {
            @if odd.count == 0 {
                "None: no engine crashed, stalled, lost on time or played an illegal move."
            } @else {
                (counted(odd.count, "game")) " ended by a fault of an engine."
            }
            (warnings)
        }
        @for game in &odd.games { (game_with_log(run, game)) }
        @if more > 0 {
            p { "And " (more) " more, whose logs are in " code { "bad/" } "." }
        }
    };
    Section::new("odd-games", "Odd games", "Games that ended oddly", &html)
}

fn game_with_log(run: &ShownRun, game: &OddGameWithLog) -> Markup {
    let number = game.number;
    let head = html! {
        a href={ "#game-" (number) } { "Game " (number) }
        " "
        b { (run.name(game.white)) " – " (run.name(game.black)) }
        " "
        span { (game.ending) }
    };
    let Some(log) = &game.log else { return html! { p.odd { (head) } } };
    let file = format!("bad/{number}.log");
    html! {
        details.odd {
            summary { (head) }
            @if log.is_cut {
                p { "The end of " a href=(file) { (file) } ":" }
            }
            pre { (log.text) }
        }
    }
}
