//! Every game that ended oddly, with the end of its protocol log.

use std::fmt::Write as _;

use super::{RunReport, Section};
use crate::html::Escaped;
use crate::report::page::facts::OddGame;
use crate::text::number_text::counted;

/// The games, or that there are none.
pub fn section(report: &RunReport) -> Section {
    let odd = &report.facts.odd_games;
    let warnings = match report.summary.warnings {
        0 => String::new(),
        count => format!(
            " {} about harmless deviations from the protocol are in the journal.",
            counted(count, "warning")
        ),
    };
    let mut html = match odd.count {
        0 => format!(
            "<p>None: no engine crashed, stalled, lost on time or played an illegal move.{warnings}</p>\n"
        ),
        count => format!("<p>{} ended by a fault of an engine.{warnings}</p>\n", counted(count, "game")),
    };
    for game in &odd.games {
        write_game(report, game, &mut html);
    }
    let more = odd.count - odd.games.len() as u64;
    if more > 0 {
        let _ = writeln!(html, "<p>And {more} more, whose logs are in <code>bad/</code>.</p>");
    }
    Section::new("odd-games", "Odd games", "Games that ended oddly", &html)
}

fn write_game(report: &RunReport, game: &OddGame, html: &mut String) {
    let number = game.number;
    let players = format!("{} – {}", report.name(game.white), report.name(game.black));
    let head = format!(
        "<a href=\"#game-{number}\">Game {number}</a> <b>{}</b> <span>{}</span>",
        Escaped(&players),
        Escaped(&game.ending)
    );
    let _ = match &game.log {
        None => writeln!(html, "<p class=\"odd\">{head}</p>"),
        Some(log) => {
            let cut = if log.is_cut {
                format!("<p>The end of <a href=\"bad/{number}.log\">bad/{number}.log</a>:</p>")
            } else {
                String::new()
            };
            writeln!(
                html,
                "<details class=\"odd\"><summary>{head}</summary>{cut}<pre>{}</pre></details>",
                Escaped(&log.text)
            )
        }
    };
}
