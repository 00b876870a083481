//! What came out of each opening, the most lopsided first.

use std::fmt::Write as _;

use super::{RunReport, Section};
use crate::html::plot::StackedBar;
use crate::html::{Escaped, SmallBoard};
use crate::report::page::facts::OpeningScore;
use crate::text::number_text::counted;
use stats::Wdl;

/// So many openings are shown with their position, and so many of the others unfold.
const WITH_BOARD: usize = 6;
const UNFOLDED: usize = 300;

/// The score of every opening.
pub fn section(report: &RunReport) -> Option<Section> {
    let openings = report.facts.openings.most_lopsided_first();
    if openings.is_empty() {
        return None;
    }
    let level = openings.iter().filter(|opening| opening.lopsidedness() == 0.0).count();
    let mut html = format!(
        "<p>The results of each opening as White saw them, the most lopsided first. {} played, {level} of them level.</p>\n",
        counted(openings.len() as u64, "opening")
    );
    let with_board = (openings.len() - level).min(WITH_BOARD);
    html += "<ul class=\"boards\">";
    html.extend(openings[..with_board].iter().map(|opening| card(opening)));
    html += "</ul>\n";
    let end = openings.len().min(UNFOLDED);
    if end > with_board {
        let rest = table(&openings[with_board..end]);
        let _ = write!(html, "<details><summary>{} more</summary>{rest}</details>", end - with_board);
    }
    if openings.len() > end {
        let _ = write!(html, "<p>{} more are level or nearly so.</p>", openings.len() - end);
    }
    Some(Section::new("openings", "Openings", "Openings", &html))
}

/// One opening with its position.
fn card(opening: &OpeningScore) -> String {
    let Wdl { wins, draws, losses } = opening.white;
    format!(
        "<li title=\"{}\">{}{}<b>{}</b> <span>W {wins} · D {draws} · L {losses}</span><br/><span>games</span> {}</li>\n",
        Escaped(&opening.text),
        SmallBoard(&opening.fen),
        bar(opening),
        opening.number,
        links(opening)
    )
}

fn bar(opening: &OpeningScore) -> String {
    let Wdl { wins, draws, losses } = opening.white;
    StackedBar { parts: &[(wins, "win"), (draws, "draw"), (losses, "loss")] }.to_string()
}

/// Links to its games.
fn links(opening: &OpeningScore) -> String {
    let links = opening.games.iter().map(|game| format!("<a href=\"#game-{game}\">{game}</a>"));
    links.collect::<Vec<_>>().join(" ")
}

fn table(openings: &[&OpeningScore]) -> String {
    let mut html = "<div class=\"scroll\"><table class=\"bars openings\"><thead><tr><th>Opening</th><th>W</th><th>D</th>\
                    <th>L</th><th class=\"wide\">White</th><th>Games</th></tr></thead><tbody>\n"
        .to_owned();
    for opening in openings {
        let white = opening.white;
        let _ = writeln!(
            html,
            "<tr><th><b>{}</b> <span class=\"line\">{}</span></th><td>{}</td><td>{}</td><td>{}</td>\
             <td class=\"wide\">{}</td><td class=\"links\">{}</td></tr>",
            opening.number,
            Escaped(&opening.text),
            white.wins,
            white.draws,
            white.losses,
            bar(opening),
            links(opening),
        );
    }
    html + "</tbody></table></div>\n"
}
