//! Ptnml(0-2), results by colour, and the openings that favour one side.

use maud::{Markup, Render, html};

use super::{Section, ShownRun};
use crate::html::plot::{BarChart, BarSeries, Figure, StackedBar};
use crate::report::page::{BarRow, bar_table};
use crate::results::PairingSummary;
use crate::results::facts::OpeningScore;
use crate::text::number_text::{counted, percent, wdl};
use stats::{Observations, Wdl};

/// The points of a pair, and the class of its colour.
const WORTHS: [(&str, &str); 5] = [("0", "p0"), ("½", "p1"), ("1", "p2"), ("1½", "p3"), ("2", "p4")];

/// The number of pairings shown before the rest is folded.
const SHOWN: usize = 30;

/// The most pairings on a page.
const MOST: usize = 2000;

/// The pentanomial counts of each pairing, and the results with each colour.
pub fn section(run: &ShownRun) -> Section {
    let met: Vec<&PairingSummary> =
        run.summary.pairings.iter().filter(|pairing| pairing.wdl.games() > 0).collect();
    let has_pairs = met.iter().any(|pairing| matches!(pairing.observations(), Observations::Pairs(_)));
    let html = html! {
        @if has_pairs { p {
            @if run.summary.files.is_none() { "Each opening is played twice, with colours reversed. " }
            @if met.iter().any(|pairing| pairing.tested.is_some()) {
                "These are the pairs in this folder; the test counts the pairs of all shards. "
            }
            "Ptnml(0-2) counts the pairs by the points of the first \
             engine: 0, ½, 1, 1½ or 2. Pairs give narrower intervals than single games, because an opening that \
             favours one side cancels out."
        } } @else { p { "The games are not paired: each is one observation." } }
        @if let [only] = met[..] {
            div.plots { @if has_pairs { (columns(only)) } div { (by_colour(run)) } }
        } @else {
            @if has_pairs { (table(run, &met[..met.len().min(SHOWN)])) }
            @if has_pairs && met.len() > SHOWN {
                details {
                    summary { (met.len() - SHOWN) " more" }
                    (table(run, &met[SHOWN..met.len().min(MOST)]))
                    @if met.len() > MOST { p { "The others are in " code { "summary.json" } "." } }
                }
            }
            h3 { "Results by colour" }
            (by_colour(run))
        }
    };
    Section::new("pairs", "Pairs", "Pairs and colours", &html)
}

fn columns(pairing: &PairingSummary) -> Markup {
    let counts = pairing.pentanomial.counts();
    let series = BarSeries {
        name: "pairs".to_owned(),
        classes: WORTHS.iter().map(|(_, class)| (*class).to_owned()).collect(),
        values: counts.iter().map(|count| Some(*count as f64)).collect(),
    };
    let chart = BarChart {
        description: format!("Pairs worth 0, ½, 1, 1½ and 2 points: {counts:?}"),
        categories: WORTHS.iter().map(|(worth, _)| (*worth).to_owned()).collect(),
        x_label: "points of the first engine".to_owned(),
        y_label: "pairs".to_owned(),
        series: vec![series],
    };
    let total = pairing.pentanomial.pairs();
    let note = match pairing.pentanomial.draw_ratio() {
        Some(ratio) if total > 0 => format!("{total} pairs, DrawRatio {}.", percent(ratio)),
        _ => "No pair is complete.".to_owned(),
    };
    Figure { title: "Ptnml(0-2)", note: &note, legend: &[], chart: &chart }.render()
}

fn table(run: &ShownRun, pairings: &[&PairingSummary]) -> Markup {
    let rows = pairings.iter().map(|pairing| {
        let counts = pairing.pentanomial.counts();
        let parts: Vec<(u64, &str)> = counts.into_iter().zip(WORTHS.map(|(_, class)| class)).collect();
        let head = html! { (run.name(pairing.first)) " – " (run.name(pairing.second)) };
        (head, counts.map(|count| count.to_string()).into(), StackedBar { parts: &parts }.render())
    });
    bar_table("", &WORTHS.map(|(worth, _)| worth), &html! {}, rows)
}

/// White's results over all games, and each engine's results by colour.
fn by_colour(run: &ShownRun) -> Markup {
    let by_colour = &run.facts.by_colour;
    let of_white = by_colour.iter().map(|[white, _]| *white).sum();
    let of_engines = run.charted().into_iter().flat_map(|(engine, _)| {
        let sides = ["White", "Black"].into_iter().zip(by_colour[engine]);
        sides.map(move |(side, wdl)| wdl_row(&format!("{} with {side}", run.name(engine)), wdl))
    });
    let rows = [wdl_row("White, all games", of_white)].into_iter().chain(of_engines);
    bar_table("By colour", &["W", "D", "L"], &html! {}, rows)
}

fn wdl_row(name: &str, counts: Wdl) -> BarRow {
    let Wdl { wins, draws, losses } = counts;
    (html! { (name) }, [wins, draws, losses].map(|count| count.to_string()).into(), bar(counts))
}

/// The most openings shown on boards, and the most in the table below.
const WITH_BOARD: usize = 6;
const UNFOLDED: usize = 300;

pub fn openings_section(run: &ShownRun) -> Option<Section> {
    let openings = run.facts.openings.most_lopsided_first();
    if openings.is_empty() {
        return None;
    }
    let level = openings.iter().filter(|opening| opening.lopsidedness() == 0.0).count();
    let is_lopsided = |opening: &&&OpeningScore| {
        opening.white.games() >= OpeningScore::FEWEST && opening.lopsidedness() > 0.0
    };
    let with_board = openings.iter().filter(is_lopsided).count().min(WITH_BOARD);
    let end = openings.len().min(UNFOLDED);
    let html = html! {
        p {
            @if with_board > 0 {
                "Results from White's side, the most lopsided openings first. "
            } @else {
                "Results from White's side. Of fewer than " (OpeningScore::FEWEST)
                " games it cannot be said which openings favour a colour. "
            }
            (counted(openings.len() as u64, "opening")) ", " (level) " with level results."
        }
        ul.boards {
            @for opening in &openings[..with_board] { (card(opening)) }
        }
        @if end > with_board {
            details {
                summary { (end - with_board) @if with_board > 0 { " more" } @else { " openings" } }
                (openings_table(&openings[with_board..end]))
            }
        }
        @if openings.len() > end {
            p { (openings.len() - end) " more have level or nearly level results." }
        }
    };
    Some(Section::new("openings", "Openings", "Openings", &html))
}

fn card(opening: &OpeningScore) -> Markup {
    html! {
        li title=(opening.text) {
            (SmallBoard(&opening.fen))
            (bar(opening.white))
            b { (opening.number) }
            " "
            span { (wdl(opening.white)) }
            br;
            @if let Some(name) = &opening.name { small { (name) } br; }
            span { "games" }
            " "
            (links(opening))
        }
    }
}

fn bar(counts: Wdl) -> Markup {
    let Wdl { wins, draws, losses } = counts;
    StackedBar { parts: &[(wins, "win"), (draws, "draw"), (losses, "loss")] }.render()
}

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

fn openings_table(openings: &[&OpeningScore]) -> Markup {
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
                            th {
                                b { (opening.number) } " "
                                @if let Some(name) = &opening.name { (name) " " }
                                span.line { (opening.text) }
                            }
                            td { (opening.white.wins) }
                            td { (opening.white.draws) }
                            td { (opening.white.losses) }
                            td.wide { (bar(opening.white)) }
                            td.links { (links(opening)) }
                        }
                    }
                }
            }
        }
    }
}

/// The side of a square in drawing units; the pieces are drawn to this size.
const SQUARE: usize = 45;

/// The dark squares as one path: every second square of each rank, beginning with h8 seen from White's side.
const DARK: &str = "M45 0h45v45h-45zM135 0h45v45h-45zM225 0h45v45h-45zM315 0h45v45h-45z";

/// The position of a FEN as SVG, with White below. It uses the game viewer's drawings on the same page, and shows as much
/// as can be read of an invalid FEN.
#[derive(Clone, Copy, Debug)]
struct SmallBoard<'a>(&'a str);

impl Render for SmallBoard<'_> {
    fn render(&self) -> Markup {
        html! {
            svg.board viewBox="0 0 360 360" aria-hidden="true" {
                path.light d="M0 0h360v360H0z" {}
                @for rank in 0..8 {
                    @let shift = if rank % 2 == 0 { 0 } else { -(SQUARE as isize) };
                    path.dark transform={ "translate(" (shift) " " (rank * SQUARE) ")" } d=(DARK) {}
                }
                @for (square, piece, _) in referee::pieces(self.0) {
                    @let colour = if piece.is_ascii_uppercase() { "white" } else { "black" };
                    use class=(colour) href={ "#gv-" (name_of(piece)) } x=(square % 8 * SQUARE) y=(square / 8 * SQUARE)
                        width=(SQUARE) height=(SQUARE) {}
                }
            }
        }
    }
}

const fn name_of(piece: char) -> &'static str {
    match piece.to_ascii_lowercase() {
        'p' => "pawn",
        'n' => "knight",
        'b' => "bishop",
        'r' => "rook",
        'q' => "queen",
        _ => "king",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_has_its_pieces_and_a_text_that_is_no_position_has_none() {
        let board = SmallBoard("4k2r/8/8/8/8/8/8/K7 w - - 0 1").render().into_string();
        let pieces: Vec<&str> = board.matches("<use ").collect();
        assert_eq!(pieces.len(), 3);
        assert!(board.contains(r##"class="black" href="#gv-rook" x="315" y="0""##), "{board}");
        assert!(board.contains(r##"class="white" href="#gv-king" x="0" y="315""##), "{board}");
        for text in ["", "<script>", "kkkkkkkkkk/99", "x/y/z/x/y/z/x/y/k/k"] {
            let board = SmallBoard(text).render().into_string();
            assert!(board.matches("<use ").count() <= 8 && !board.contains("<script"), "{text}");
        }
    }
}
