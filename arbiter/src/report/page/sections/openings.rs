//! The results of each opening, the most lopsided first.

use maud::{Markup, Render, html};

use super::{Section, ShownRun};
use crate::html::SmallBoard;
use crate::html::plot::StackedBar;
use crate::results::facts::OpeningScore;
use crate::text::number_text::counted;
use stats::Wdl;

/// The most openings shown with a board, and the most in the table below them.
const WITH_BOARD: usize = 6;
const UNFOLDED: usize = 300;

/// The score of every opening.
pub fn section(run: &ShownRun) -> Option<Section> {
    let openings = run.facts.openings.most_lopsided_first();
    if openings.is_empty() {
        return None;
    }
    let level = openings.iter().filter(|opening| opening.lopsidedness() == 0.0).count();
    let with_board = (openings.len() - level).min(WITH_BOARD);
    let end = openings.len().min(UNFOLDED);
    let html = html! {
        p {
            "Results from White's side, the most lopsided openings first. "
            (counted(openings.len() as u64, "opening")) ", " (level) " with level results."
        }
        ul.boards {
            @for opening in &openings[..with_board] { (card(opening)) }
        }
        @if end > with_board {
            details {
                summary { (end - with_board) " more" }
                (table(&openings[with_board..end]))
            }
        }
        @if openings.len() > end {
            p { (openings.len() - end) " more have level or nearly level results." }
        }
    };
    Some(Section::new("openings", "Openings", "Openings", &html))
}

/// One opening with its position.
fn card(opening: &OpeningScore) -> Markup {
    let Wdl { wins, draws, losses } = opening.white;
    html! {
        li title=(opening.text) {
            (SmallBoard(&opening.fen))
            (bar(opening))
            b { (opening.number) }
            " "
            span { "W " (wins) " · D " (draws) " · L " (losses) }
            br;
            span { "games" }
            " "
            (links(opening))
        }
    }
}

fn bar(opening: &OpeningScore) -> Markup {
    let Wdl { wins, draws, losses } = opening.white;
    StackedBar { parts: &[(wins, "win"), (draws, "draw"), (losses, "loss")] }.render()
}

/// Links to its first games, and the number of the others.
fn links(opening: &OpeningScore) -> Markup {
    let more = opening.white.games() - opening.games.len() as u64;
    html! {
        @for (place, game) in opening.games.iter().enumerate() {
            @if place > 0 { " " }
            a href={ "#game-" (game) } { (game) }
        }
        @if more > 0 { " and " (more) " more" }
    }
}

fn table(openings: &[&OpeningScore]) -> Markup {
    html! {
        div.scroll {
            table.bars.openings {
                thead {
                    tr {
                        th { "Opening" }
                        th { "W" }
                        th { "D" }
                        th { "L" }
                        th.wide { "White" }
                        th { "Games" }
                    }
                }
                tbody {
                    @for opening in openings {
                        tr {
                            th { b { (opening.number) } " " span.line { (opening.text) } }
                            td { (opening.white.wins) }
                            td { (opening.white.draws) }
                            td { (opening.white.losses) }
                            td.wide { (bar(opening)) }
                            td.links { (links(opening)) }
                        }
                    }
                }
            }
        }
    }
}
