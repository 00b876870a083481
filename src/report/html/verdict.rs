//! What a run says, in one sentence.

use super::rating::{Rating, ratings};
use super::run_report::RunReport;
use crate::report::number_text::counted;
pub(in crate::report) use crate::report::number_text::minus;

/// The verdict, a whole sentence.
pub fn verdict(report: &RunReport) -> String {
    match &report.summary.pairings[..] {
        [] | [_] => crate::report::verdict(&report.summary),
        _ if report.summary.games == 0 || !report.summary.bracket.is_empty() => {
            crate::report::verdict(&report.summary)
        }
        _ => of_tournament(report),
    }
}

fn of_tournament(report: &RunReport) -> String {
    let ratings = ratings(report);
    let games = counted(report.summary.games, "game");
    let [Rating { engine: best, elo: lead }, Rating { engine: next, elo: follow }, ..] = ratings[..] else {
        return format!("{games} were played.");
    };
    let (best, next) = (report.name(best), report.name(next));
    if lead.lower > follow.upper {
        format!("{best} is the strongest after {games}, clearly ahead of {next}.")
    } else {
        format!("{best} leads after {games}, but {next} is within the error bars.")
    }
}
