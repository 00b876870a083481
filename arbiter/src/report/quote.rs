//! The line that quotes the result of a run.

use super::verdict::{MOST_NAMED, tested_elo};
use crate::results::{EngineSummary, PairingSummary, Summary};
use crate::text::listed;
use crate::text::number_text::{counted, known_elo_to, limits_of_run};
use runner::RunConfig;

/// One line to quote: `new vs old: +13.5 ± 17.2 Elo, 400 games, 10+0.1, book 8moves.pgn, Arbiter 0.1.0`, or of a
/// tournament `Elo vs. opponents: a +45.1 ± 20.3, b −45.1 ± 20.3, 400 games, …`.
pub fn quote(summary: &Summary, config: &RunConfig) -> Option<String> {
    if summary.games == 0 || !summary.tuned.is_empty() {
        return None;
    }
    let of_pairing = |pairing: &PairingSummary| {
        let [first, second] = [pairing.first, pairing.second].map(|engine| summary.engine_name(engine));
        format!("{first} vs {second}: {}", tested_elo(pairing))
    };
    let (elo, games) = match summary.of_two() {
        [pairing] if pairing.wdl.games() == 0 => return None,
        [pairing] => (of_pairing(pairing), pairing.games()),
        _ if summary.has_several_tests() => {
            let tests = summary.tests().map(|(pairing, _)| of_pairing(pairing));
            (tests.collect::<Vec<_>>().join("; "), summary.games)
        }
        _ => {
            let engines = summary.by_score().into_iter().map(|engine| &summary.engines[engine]);
            let engines = engines.filter(|engine| engine.games > 0);
            let engines = engines.map(|EngineSummary { name, elo_vs_opponents, .. }| {
                known_elo_to(elo_vs_opponents, 1)
                    .map_or_else(|| format!("{name} (too few games)"), |elo| format!("{name} {elo}"))
            });
            let engines: Vec<String> = engines.collect();
            (format!("Elo vs. opponents: {}", listed(&engines, MOST_NAMED)), summary.games)
        }
    };
    let book =
        config.book.path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let book = if book.is_empty() { book } else { format!("book {book}") };
    let pieces = [elo, counted(games, "game"), limits_of_run(config), book];
    let version = config.made.as_ref().map(|made| format!("Arbiter {}", made.arbiter));
    let pieces: Vec<String> = pieces.into_iter().chain(version).filter(|piece| !piece.is_empty()).collect();
    Some(pieces.join(", "))
}
