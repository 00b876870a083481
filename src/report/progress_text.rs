//! The progress of a run in words and bars.

use super::number_text::{counted, elo, long_time, short_time};
use super::paragraph::Paragraph;
use super::tone::Tone;
use super::{PairingSummary, Progress, SprtSummary, Summary};
use crate::runner::Termination;

/// Columns of the bar and of the scale between the bounds of the sequential test.
const BAR: usize = 20;
const SCALE: usize = 16;

/// More engines than this are cut off in the list.
const ENGINES_SHOWN: usize = 8;

/// Says how far a run is, for a terminal of some width or for a single line of a log.
#[derive(Clone, Copy, Debug)]
pub struct ProgressText {
    /// Columns of the terminal.
    pub width: usize,
    /// Whether colours may be used.
    pub colour: bool,
}

impl ProgressText {
    /// The display that stays in place: bar and pace, the score, and what went wrong.
    pub fn lines(&self, progress: &Progress) -> Vec<String> {
        let summary = progress.summary();
        let mut paragraphs = vec![pace(progress, &summary)];
        match &summary.pairings[..] {
            [pairing] => paragraphs.push(score(&summary, pairing)),
            _ => paragraphs.extend(standings(&summary)),
        }
        paragraphs.push(health(&summary));
        paragraphs.iter().flat_map(|paragraph| paragraph.lines(self.width, self.colour)).collect()
    }

    /// A line for a log.
    pub fn line(progress: &Progress) -> String {
        let summary = progress.summary();
        let mut pieces = vec![format!("{} of {}", summary.games, counted(progress.total().into(), "game"))];
        if let [pairing] = &summary.pairings[..] {
            pieces.push(wdl(pairing));
            pieces.push(format!("{} Elo", elo(&pairing.elo)));
            pieces.extend(pairing.sprt.map(|sprt| format!("LLR {:.2}", sprt.llr)));
        } else if let Some(leader) = by_score(&summary).first() {
            let leader = &summary.engines[*leader];
            pieces.push(format!("{} leads with {} of {}", leader.name, leader.points, leader.games));
        }
        let time_losses: u64 =
            summary.engines.iter().map(|engine| engine.faults_of(Termination::TimeLoss)).sum();
        let breakdowns: u64 = summary.engines.iter().map(super::EngineSummary::breakdowns).sum();
        pieces.extend((time_losses > 0).then(|| format!("time losses {time_losses}")));
        pieces.extend((breakdowns > 0).then(|| format!("other faults {breakdowns}")));
        pieces.extend(progress.time_left(&summary).map(|left| format!("{} left", long_time(left))));
        pieces.join(", ")
    }
}

fn pace(progress: &Progress, summary: &Summary) -> Paragraph {
    let mut paragraph = Paragraph::default();
    let share = summary.games as f64 / f64::from(progress.total().max(1));
    paragraph.piece(bar(share), Tone::Plain);
    paragraph
        .piece(format!("{} of {}", summary.games, counted(progress.total().into(), "game")), Tone::Strong);
    if progress.pace().paused {
        paragraph.piece(format!("paused, {} in progress", progress.in_progress().len()), Tone::Strong);
    }
    if let Some(rate) = progress.games_per_minute() {
        paragraph.piece(format!("{rate:.1}/min"), Tone::Plain);
    }
    if let Some(left) = progress.time_left(summary) {
        let bound =
            if summary.pairings.iter().any(|pairing| pairing.sprt.is_some()) { "at most " } else { "" };
        paragraph.piece(format!("{bound}{} left", long_time(left)), Tone::Faint);
    }
    if let [PairingSummary { sprt: Some(sprt), .. }] = &summary.pairings[..] {
        paragraph.piece(format!("LLR {:.2}  {}", sprt.llr, scale(sprt)), Tone::Plain);
    }
    paragraph
}

fn score(summary: &Summary, pairing: &PairingSummary) -> Paragraph {
    let mut paragraph = Paragraph::default();
    paragraph.piece(summary.engines[pairing.first].name.clone(), Tone::Strong);
    paragraph.piece(format!("{} Elo", elo(&pairing.elo)), Tone::Strong);
    paragraph.piece(wdl(pairing), Tone::Plain);
    let pairs = pairing.pentanomial.counts().map(|count| count.to_string());
    paragraph.piece(format!("pairs {}", pairs.join(" · ")), Tone::Plain);
    paragraph
}

/// One paragraph for each engine, the best first.
fn standings(summary: &Summary) -> Vec<Paragraph> {
    let order = by_score(summary);
    let longest = order.iter().map(|&engine| summary.engines[engine].name.chars().count()).max();
    let line = |(place, &engine): (usize, &usize)| {
        let engine = &summary.engines[engine];
        let mut paragraph = Paragraph::default();
        paragraph.piece(
            format!("{:>2}. {:<width$}", place + 1, engine.name, width = longest.unwrap_or(0).min(24)),
            Tone::Strong,
        );
        paragraph.piece(format!("{:>5.1} of {}", engine.points, engine.games), Tone::Plain);
        paragraph.piece(format!("{} Elo", elo(&engine.elo_against_the_field)), Tone::Plain);
        paragraph
    };
    order.iter().enumerate().take(ENGINES_SHOWN).map(line).collect()
}

fn health(summary: &Summary) -> Paragraph {
    let sum = |count: &dyn Fn(&super::EngineSummary) -> u64| summary.engines.iter().map(count).sum::<u64>();
    let time_losses = sum(&|engine| engine.faults_of(Termination::TimeLoss));
    let crashes = sum(&|engine| engine.faults_of(Termination::Crash));
    let others = sum(&super::EngineSummary::breakdowns) - crashes;
    let mut paragraph = Paragraph::default();
    paragraph.piece(format!("time losses {time_losses}"), Tone::of_faults(time_losses));
    paragraph.piece(format!("crashes {crashes}"), Tone::of_faults(crashes));
    if others > 0 {
        paragraph.piece(format!("other faults {others}"), Tone::Bad);
    }
    let worst = summary.engines.iter().filter_map(|engine| engine.latency).map(|latency| latency.worst).max();
    if let Some(worst) = worst {
        paragraph.piece(format!("worst latency {}", short_time(worst)), Tone::Plain);
    }
    paragraph
}

fn wdl(pairing: &PairingSummary) -> String {
    format!("W {} L {} D {}", pairing.wdl.wins, pairing.wdl.losses, pairing.wdl.draws)
}

/// Indices of the engines, the highest score first; those that have not played come last.
pub(super) fn by_score(summary: &Summary) -> Vec<usize> {
    let score = |engine: usize| summary.engines[engine].score.unwrap_or(-1.0);
    let mut order: Vec<usize> = (0..summary.engines.len()).collect();
    order.sort_by(|&one, &other| score(other).total_cmp(&score(one)));
    order
}

/// A bar of whole, and one partly filled, blocks.
fn bar(share: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * (BAR * 8) as f64) as usize;
    let filled = "█".repeat(eighths / 8) + EIGHTHS[eighths % 8];
    format!("▕{filled:<BAR$}▏")
}

/// Where the log-likelihood ratio stands between its bounds.
fn scale(sprt: &SprtSummary) -> String {
    let (lower, upper) = (sprt.lower.value(), sprt.upper.value());
    let share = ((sprt.llr.value() - lower) / (upper - lower)).clamp(0.0, 1.0);
    let before = (share * (SCALE - 1) as f64).round() as usize;
    format!("({lower:.2} ◂{}●{}▸ {upper:.2})", "─".repeat(before), "─".repeat(SCALE - 1 - before))
}

#[cfg(test)]
mod tests;
