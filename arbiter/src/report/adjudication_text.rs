//! The adjudication table of `arbiter sprt adjudication` and of the report page.

use crate::results::adjudication::rules::label;
use crate::results::adjudication::{AdjudicationCheck, ChangedResults, RuleTally};
use crate::results::ending;
use crate::text::number_text::{counted, percent, thousands};
use crate::text::{Document, Table, Tone};
use stats::Proportion;

pub fn document(check: &AdjudicationCheck, runs: usize) -> Document {
    let mut document = Document::default();
    document.heading(format!("{}, {}", counted(runs as u64, "run"), counted(check.games, "game")));
    document.table(table(check));
    for note in notes(check) {
        document.gap();
        document.line(note);
    }
    document
}

pub fn table(check: &AdjudicationCheck) -> Table {
    let mut table = Table::new([
        "Rule", "Games", "Ended early", "Changed", "Error rate (95%)", "Time saved", "Plies saved",
    ]);
    for (rules, tally) in check.rules() {
        let tone = if tally.games == 0 { Tone::Faint } else { Tone::Plain };
        table.row([label(rules)].into_iter().chain(cells(tally)).map(|cell| (cell, tone)));
    }
    table
}

fn cells(tally: &RuleTally) -> [String; 6] {
    if tally.games == 0 {
        return ["0", "–", "–", "–", "–", "–"].map(str::to_owned);
    }
    let text = |share: Option<f64>| share.map_or("–".to_owned(), percent);
    let share = |hits, trials| text(Proportion { hits, trials }.share());
    let time_saved = tally.time_saved.as_secs_f64() / tally.time.as_secs_f64();
    [
        thousands(tally.games),
        share(tally.ended, tally.games),
        changed_text(tally.changed),
        error_rate_text(tally.error_rate()),
        text((!tally.time.is_zero()).then_some(time_saved)),
        share(tally.plies_saved, tally.plies),
    ]
}

pub fn notes(check: &AdjudicationCheck) -> Vec<String> {
    let mut notes = Vec::new();
    let ended: u64 = check.not_played_out.values().sum();
    if ended > 0 {
        let kinds = check.not_played_out.iter();
        let kinds: Vec<String> =
            kinds.map(|(kind, count)| format!("{} by {}", thousands(*count), ending::label(*kind))).collect();
        notes.push(format!(
            "{} not counted, because {} not played out: {}.",
            counted(ended, "game"),
            if ended == 1 { "it was" } else { "they were" },
            kinds.join(", ")
        ));
    }
    if check.not_chosen > 0 {
        notes.push(format!(
            "{} not counted: no rule ended them, and --play-out had not chosen them.",
            counted(check.not_chosen, "game")
        ));
    }
    if check.rules().any(|(_, tally)| tally.games == 0) && check.games > 0 {
        notes.push(
            "A run that adjudicates draws (or resignations) shows what other rules for them cost only with \
             --play-out."
                .to_owned(),
        );
    }
    notes
}

/// `0`, or `4 draw to win, 1 reversed`.
fn changed_text(changed: ChangedResults) -> String {
    let kinds = [
        (changed.win_to_draw, "win to draw"),
        (changed.draw_to_win, "draw to win"),
        (changed.reversed, "reversed"),
    ];
    let kinds: Vec<String> = kinds
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, kind)| format!("{} {kind}", thousands(*count)))
        .collect();
    if kinds.is_empty() { "0".to_owned() } else { kinds.join(", ") }
}

/// `0.4% (0.1% to 1.3%)`.
fn error_rate_text(proportion: Proportion) -> String {
    let (lower, upper) = proportion.interval();
    match proportion.share() {
        Some(share) => format!("{} ({} to {})", percent(share), percent(lower), percent(upper)),
        None => "–".to_owned(),
    }
}
