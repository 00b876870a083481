//! The HTML page: the answer in three sentences, where the points went, and positions on boards with both lines.

use maud::{Markup, PreEscaped, html};

use super::explanation::Explanation;
use super::positions::WeakPosition;
use super::report;
use crate::html::{BOARD_SCRIPTS, PIECE_DRAWINGS, Page, Section};

/// Puts as many boards side by side as fit.
const STYLES: &str = ".why-boards { display: grid; gap: 2rem; grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr)); }
.why-boards article { min-width: 0; overflow-wrap: anywhere; }
.why-boards p { margin: .4rem 0; font-size: .9rem; }
.why-board { max-width: 22rem; }";

const SCRIPT: &str = "for (const place of document.querySelectorAll(\".why-board\")) {
  const board = new Board();
  const { fen, last } = place.dataset;
  board.show({ fen, last, below: turnOf(fen) });
  place.append(board.drawing);
}";

/// `games` is the link from the page to the games of the run.
pub fn html(explanation: &Explanation, games: Option<&str>) -> String {
    let [new, old] = &explanation.names;
    let title = format!("Why: {new} against {old}");
    let [result, why, place] = report::sentences(explanation);
    let header = html! {
        p.over { (title) }
        h1 { (result) }
        p.state { (why) }
        p.state { (place) }
    };
    let mut sections = vec![Section::new(
        "points",
        "Points",
        "Where the points went",
        &html! { (report::document(explanation, true)) },
    )];
    if !explanation.positions.is_empty() {
        let body = html! {
            style { (PreEscaped(STYLES)) }
            (PreEscaped(PIECE_DRAWINGS))
            p { (new) " is to move and errs, " (old) " does not, and the referee is sure. The file why.epd has them for " code { "arbiter tactics" } "." }
            div.why-boards { @for position in &explanation.positions { (board(position, old, games)) } }
            script {
                (PreEscaped("(() => {\n\"use strict\";\n"))
                @for script in BOARD_SCRIPTS.iter().chain([&SCRIPT]) { (PreEscaped(script)) "\n" }
                (PreEscaped("})();\n"))
            }
        };
        sections.push(Section::new("positions", "Positions", "Positions to work with", &body));
    }
    sections.push(Section::new("method", "Method", "How it was found", &method(explanation)));
    Page { title: &title, header, sections }.html()
}

fn board(position: &WeakPosition, old: &str, games: Option<&str>) -> Markup {
    let WeakPosition { fen, game, ply, number, played, best, other, cost, scores, groups, trials } = position;
    let shown =
        |score: Option<runner::MoveScore>| score.map_or_else(|| "?".to_owned(), |score| score.to_string());
    let [before, after, own] = scores.map(shown);
    html! {
        article {
            div.why-board data-fen=(fen) {}
            p {
                b { (number) " " (played[0]) } " costs " (format!("{cost:.2}")) " points ("
                @match games {
                    Some(page) => { a href={ (page) "#game-" (game) "-" (ply) } { "game " (game) } }
                    None => { "game " (game) }
                }
                "). Referee " (before) " → " (after) ", own score " (own) "."
            }
            p { "Played: " (played.join(" ")) }
            p { "Better: " (best.join(" ")) @if best.first() != Some(other) { "; " (old) " plays " (other) } }
            @if !groups.is_empty() { p { (groups.join(", ")) } }
            @if !trials.is_empty() {
                p { "Errs with: " @for trial in trials { @if trial.errs { (trial.nodes) " " } } "nodes; not with: " @for trial in trials { @if !trial.errs { (trial.nodes) " " } } }
            }
        }
    }
}

fn method(explanation: &Explanation) -> Markup {
    let referee = &explanation.referee;
    html! {
        p {
            (referee.name) " looked at every position of " (referee.games[0]) " of " (referee.games[1]) " games with "
            (referee.nodes) " nodes, and at the " (referee.deep) " that tell the most with " (referee.deep_nodes) ". "
            "A position is worth the score that these players reach from it: a logistic function of the referee's score, in which "
            (format!("{:.0}", explanation.scale)) " centipawns make the odds e to 1. A move costs what it takes from that, so the "
            "costs of a game add up to its result. The opening cancels out in a pair."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::positions::Trial;
    use super::*;

    #[test]
    fn a_position_has_a_board_both_lines_and_a_link_to_its_game() {
        let position = WeakPosition {
            fen: "8/5pk1/6p1/8/r7/6P1/1R3PK1/8 w - - 0 40".to_owned(),
            game: 12,
            ply: 78,
            number: "40.".to_owned(),
            played: vec!["Rb7".to_owned(), "Ra2".to_owned()],
            best: vec!["Rb2".to_owned()],
            other: "Rb2".to_owned(),
            cost: 0.314,
            scores: [None; 3],
            groups: vec!["rook endings"],
            trials: [(1000, true), (2000, false)]
                .map(|(nodes, errs)| Trial { nodes, errs, mended_by: Vec::new() })
                .into(),
        };
        let html = board(&position, "<old>", Some("../report.html")).into_string();
        assert!(html.contains("data-fen=\"8/5pk1/6p1/8/r7/6P1/1R3PK1/8 w - - 0 40\""), "{html}");
        assert!(html.contains("<a href=\"../report.html#game-12-78\">game 12</a>"), "{html}");
        assert!(html.contains("Played: Rb7 Ra2") && html.contains("Better: Rb2<"), "{html}");
        assert!(html.contains("Errs with: 1000 nodes; not with: 2000 "), "{html}");
        assert!(!board(&position, "old", None).into_string().contains("href"));
    }
}
