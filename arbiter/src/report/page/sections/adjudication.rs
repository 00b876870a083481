//! What the adjudication rules cost.

use maud::{Markup, html};

use super::{Section, ShownRun};
use crate::report::adjudication_text::{HEADINGS, cells, notes};
use crate::results::adjudication::rules::label;
use crate::text::number_text::{counted, percent, thousands};
use runner::Termination;

/// The rules in use, or the usual ones where none was; nothing if neither ended a game or could have ended one.
pub fn section(run: &ShownRun) -> Option<Section> {
    let rules = &run.facts.config.adjudication;
    let check = &run.facts.adjudication;
    let body = match (rules.judges_scores(), check.is_conclusive()) {
        (true, is_conclusive) => html! {
            p { (ended_by_rules(run)) " " (played_out(run, is_conclusive)) }
            @if is_conclusive { (table(run)) }
        },
        (false, true) => html! {
            p {
                "No rule for draws or resignations was in use. This is what the usual ones would have done in the games \
                 that were played out."
            }
            (table(run))
        },
        (false, false) => return None,
    };
    Some(Section::new("adjudication", "Adjudication", "What adjudication costs", &body))
}

/// How many games the rules ended.
fn ended_by_rules(run: &ShownRun) -> String {
    let by = |kind| run.summary.terminations.get(&kind).copied().unwrap_or(0);
    format!(
        "Of {}, {} ended by draw adjudication and {} by resign adjudication.",
        counted(run.summary.games, "game"),
        thousands(by(Termination::DrawAdjudication)),
        thousands(by(Termination::ResignAdjudication)),
    )
}

/// How the error rate is known, or why it is not.
fn played_out(run: &ShownRun, is_conclusive: bool) -> String {
    match run.facts.config.adjudication.play_out {
        Some(share) if is_conclusive => format!(
            "{} of the games, chosen at random, were played out; in these the rules would have done this:",
            percent(share.share())
        ),
        Some(_) => "None of the games that were chosen to be played out is over.".to_owned(),
        None => "How many of these results are wrong is not known, because no game was played out where a rule would \
                 have ended it; --play-out 0.1 does that with a tenth of the games."
            .to_owned(),
    }
}

fn table(run: &ShownRun) -> Markup {
    let check = &run.facts.adjudication;
    html! {
        div.scroll {
            table.bars {
                thead { tr { @for heading in HEADINGS { th { (heading) } } } }
                tbody {
                    @for (rules, tally) in check.rules() {
                        tr {
                            th { (label(rules)) }
                            @for cell in cells(tally) { td { (cell) } }
                        }
                    }
                }
            }
        }
        p {
            "Ended early: games that the rule would have ended before their last move. Changed: those that ended with \
             another result; the error rate is their share, with its 95% interval. "
            (notes(check).join(" "))
        }
    }
}
