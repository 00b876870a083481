//! What came out of each opening, the most lopsided first.

use std::fmt::Write as _;

use super::super::escaped::Escaped;
use super::super::facts::OpeningScore;
use super::super::plot::StackedBar;
use super::super::sections::RunReport;
use super::Section;
use crate::report::number_text::counted;

/// So many openings are shown at once, and so many more unfold.
const SHOWN: usize = 12;
const UNFOLDED: usize = 300;

/// The score of every opening.
pub fn section(report: &RunReport) -> Option<Section> {
    let openings = report.facts.openings.most_lopsided_first();
    if openings.is_empty() {
        return None;
    }
    let same = openings.iter().filter(|opening| opening.lopsidedness() == 0.0).count();
    let mut html = format!(
        "<p>The games of each opening as White saw them, the most lopsided openings first. {} played, {same} of them \
         level.</p>\n",
        counted(openings.len() as u64, "opening")
    );
    let shown = openings.len().min(SHOWN);
    html += &table(&openings[..shown]);
    let end = openings.len().min(UNFOLDED);
    if end > shown {
        let rest = table(&openings[shown..end]);
        let _ = write!(html, "<details><summary>{} more</summary>{rest}</details>", end - shown);
    }
    if openings.len() > end {
        let _ = write!(html, "<p>{} more are level or nearly so.</p>", openings.len() - end);
    }
    Some(Section::new("openings", "Openings", "Openings", &html))
}

fn table(openings: &[&OpeningScore]) -> String {
    let mut html = "<div class=\"scroll\"><table class=\"bars openings\"><thead><tr><th>Opening</th><th>W</th><th>D</th>\
                    <th>L</th><th class=\"wide\">White</th><th>Games</th></tr></thead><tbody>\n"
        .to_owned();
    for opening in openings {
        let white = opening.white;
        let bar = StackedBar { parts: &[(white.wins, "win"), (white.draws, "draw"), (white.losses, "loss")] };
        let links: Vec<String> =
            opening.games.iter().map(|game| format!("<a href=\"#game-{game}\">{game}</a>")).collect();
        let _ = writeln!(
            html,
            "<tr><th><b>{}</b> <span class=\"line\">{}</span></th><td>{}</td><td>{}</td><td>{}</td>\
             <td class=\"wide\">{bar}</td><td class=\"links\">{}</td></tr>",
            opening.number,
            Escaped(&opening.text),
            white.wins,
            white.draws,
            white.losses,
            links.join(" "),
        );
    }
    html + "</tbody></table></div>\n"
}
