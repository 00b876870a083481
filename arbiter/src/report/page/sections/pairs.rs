//! Ptnml(0-2), and results by colour.

use maud::{Markup, Render, html};

use super::{Section, ShownRun};
use crate::html::plot::{BarChart, BarSeries, Figure, StackedBar};
use crate::results::PairingSummary;
use crate::text::number_text::percent;
use stats::Wdl;

/// The points of a pair, and their colour class.
const WORTHS: [(&str, &str); 5] = [("0", "p0"), ("½", "p1"), ("1", "p2"), ("1½", "p3"), ("2", "p4")];

/// The number of pairings shown; the others are folded.
const SHOWN: usize = 30;

/// The pentanomial counts of each pairing, and the results with White and with Black.
pub fn section(run: &ShownRun) -> Section {
    let met: Vec<&PairingSummary> =
        run.summary.pairings.iter().filter(|pairing| pairing.wdl.games() > 0).collect();
    let html = html! {
        p {
            "Each opening is played twice, with colours reversed. Ptnml(0-2) counts the pairs by the points of the first \
             engine: 0, ½, 1, 1½ or 2. Pairs give narrower intervals than single games, because an opening that \
             favours one side cancels out."
        }
        @if let [only] = met[..] {
            div.plots { (columns(only)) div { (by_colour(run)) } }
        } @else {
            (table(run, &met[..met.len().min(SHOWN)]))
            @if met.len() > SHOWN {
                details {
                    summary { (met.len() - SHOWN) " more" }
                    (table(run, &met[SHOWN..]))
                }
            }
            h3 { "Results by colour" }
            (by_colour(run))
        }
    };
    Section::new("pairs", "Pairs", "Pairs and colours", &html)
}

/// The five columns of a match.
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
    let note = match pairing.draw_ratio {
        Some(ratio) if total > 0 => format!("{total} pairs, DrawRatio {}.", percent(ratio)),
        _ => "No pair is complete.".to_owned(),
    };
    Figure { title: "Ptnml(0-2)", note: &note, legend: &[], chart: &chart }.render()
}

fn table(run: &ShownRun, pairings: &[&PairingSummary]) -> Markup {
    html! {
        div.scroll {
            table.bars {
                thead {
                    tr {
                        th {}
                        @for (worth, _) in WORTHS { th { (worth) } }
                        th.wide {}
                    }
                }
                tbody {
                    @for pairing in pairings {
                        @let counts = pairing.pentanomial.counts();
                        @let parts: Vec<(u64, &str)> =
                            counts.into_iter().zip(WORTHS.map(|(_, class)| class)).collect();
                        tr {
                            th { (run.name(pairing.first)) " – " (run.name(pairing.second)) }
                            @for count in counts { td { (count) } }
                            td.wide { (StackedBar { parts: &parts }) }
                        }
                    }
                }
            }
        }
    }
}

/// White's results of all games, and each engine's results by colour.
fn by_colour(run: &ShownRun) -> Markup {
    let colours = &run.facts.colours;
    html! {
        div.scroll {
            table.bars {
                thead { tr { th { "By colour" } th { "W" } th { "D" } th { "L" } th.wide {} } }
                tbody {
                    (wdl_row("White, all games", colours.of_white()))
                    @for engine in 0..run.summary.engines.len() {
                        @for (side, wdl) in ["White", "Black"].into_iter().zip(colours.of_engine(engine)) {
                            (wdl_row(&format!("{} with {side}", run.name(engine)), wdl))
                        }
                    }
                }
            }
        }
    }
}

fn wdl_row(name: &str, wdl: Wdl) -> Markup {
    let Wdl { wins, draws, losses } = wdl;
    html! {
        tr {
            th { (name) }
            td { (wins) }
            td { (draws) }
            td { (losses) }
            td.wide { (StackedBar { parts: &[(wins, "win"), (draws, "draw"), (losses, "loss")] }) }
        }
    }
}
