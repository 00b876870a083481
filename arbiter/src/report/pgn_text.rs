//! Describes the games that a report on PGN files rests on.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::results::{PgnFiles, Summary};
use crate::text::listed;
use crate::text::number_text::{counted, found_pairs, thousands, unclear_rounds};
use runner::Termination;

const MOST_NAMED: usize = 4;

/// A sentence for each thing to know about the files; empty for a run.
pub fn basis(summary: &Summary) -> Vec<String> {
    let Some(files) = &summary.files else { return Vec::new() };
    let sentences = [
        Some(sources(files, summary)),
        pairs(files),
        facts(files, summary),
        endings(files, summary),
        book(files),
    ];
    let rounds = unclear_rounds(files.rounds).map(|words| words + ".");
    let left_out = files.excluded.in_words().map(|words| words + ".");
    let faults = [
        named_fault(files.cut, "with a fault in the moves, read up to it and counted", &files.first_cut),
        named_fault(files.unreadable, "cannot be read", &files.first_unreadable),
    ];
    sentences.into_iter().chain(faults).flatten().chain(rounds).chain(left_out).collect()
}

/// `Games of g.pgn, 28 November 2026, 10+0.1.`
fn sources(files: &PgnFiles, summary: &Summary) -> String {
    let of = match &files.files[..] {
        [file] => format!("The games of {file}"),
        several => format!("The games of {} files: {}", several.len(), listed(several, MOST_NAMED)),
    };
    let days = files.first_day.zip(files.last_day).map(|(first, last)| {
        if first == last {
            format!(", played on {first}")
        } else {
            format!(", played from {first} to {last}")
        }
    });
    let mut controls: Vec<_> = files.time_controls.iter().filter(|(control, _)| *control != "-").collect();
    controls.sort_by_key(|&(_, games)| Reverse(*games));
    let controls: Vec<String> = match controls[..] {
        [(control, games)] if *games == summary.games => vec![control.clone()],
        _ => controls.iter().map(|(control, games)| format!("{control} ({})", thousands(**games))).collect(),
    };
    let controls =
        (!controls.is_empty()).then(|| format!(", time control {}", listed(&controls, MOST_NAMED)));
    let variants = files.variants.iter().map(|(name, games)| format!(", {} of {name}", thousands(*games)));
    [Some(of), days, controls].into_iter().flatten().chain(variants).collect::<String>() + "."
}

fn pairs(files: &PgnFiles) -> Option<String> {
    let found: Vec<String> = files.paired_by.iter().map(|(&by, &pairs)| found_pairs(pairs, by)).collect();
    let single = counted(files.unpaired, "game");
    match (found.is_empty(), files.unpaired) {
        (true, 0) => None,
        (true, _) => Some("No pairs were found: the games are counted one by one.".to_owned()),
        (false, 0) => Some(format!("{}.", found.join(", "))),
        (false, _) => Some(format!("{}; {single} in no pair.", found.join(", "))),
    }
}

/// `No depths, nodes in any game; no clocks in 12 of 400.`
fn facts(files: &PgnFiles, summary: &Summary) -> Option<String> {
    let without = files.without;
    let kinds = [
        (without.scores, "scores"),
        (without.depths, "depths"),
        (without.nodes, "nodes"),
        (without.times, "times of moves"),
        (without.clocks, "clocks"),
        (without.dates, "dates"),
    ];
    let mut by_games: BTreeMap<Reverse<u64>, Vec<&str>> = BTreeMap::new();
    for (games, name) in kinds.into_iter().filter(|(games, _)| *games > 0) {
        by_games.entry(Reverse(games)).or_default().push(name);
    }
    let words = by_games.iter().map(|(Reverse(games), names)| {
        let names = names.join(", ");
        let place = if *games == summary.games {
            "any game".to_owned()
        } else {
            format!("{} of {} games", thousands(*games), thousands(summary.games))
        };
        format!("no {names} in {place}")
    });
    sentence(&words.collect::<Vec<_>>().join("; "))
}

fn endings(files: &PgnFiles, summary: &Summary) -> Option<String> {
    let unknown = summary.terminations.get(&Termination::Unknown).copied().unwrap_or_default();
    let quoted = files.first_not_understood.iter().map(|text| format!("“{text}”"));
    let not_understood = format!(
        "the words for how the game ended are not known: {}",
        listed(&quoted.collect::<Vec<_>>(), MOST_NAMED)
    );
    let words: [(u64, &str); 3] = [
        (files.ended_by_board, "only the board says how the game ended"),
        (unknown.saturating_sub(files.endings_not_understood), "nothing says how the game ended"),
        (files.endings_not_understood, &not_understood),
    ];
    let words = words.into_iter().filter(|(games, _)| *games > 0);
    let words = words.map(|(games, what)| format!("in {} {what}", counted(games, "game")));
    sentence(&words.collect::<Vec<_>>().join(", "))
}

fn book(files: &PgnFiles) -> Option<String> {
    let book = files.book_plies?;
    let mean = book.sum as f64 / book.games as f64;
    let range = if book.least == book.most {
        format!("{} plies", book.least)
    } else {
        format!("{} to {} plies, {mean:.1} on average", book.least, book.most)
    };
    let of = if files.without.book > 0 {
        format!(" in {}", counted(book.games as u64, "game"))
    } else {
        String::new()
    };
    Some(format!("The book was left after {range}{of}."))
}

fn named_fault(games: u64, what: &str, named: &[String]) -> Option<String> {
    let (first, games_text) = (named.first()?, counted(games, "game"));
    Some(format!("{games_text} {what}{}: {first}.", if games == 1 { "" } else { ", the first" }))
}

/// The words as a sentence, with a capital letter and a full stop; `None` without words.
fn sentence(words: &str) -> Option<String> {
    let first = words.chars().next()?;
    Some(format!("{}{}.", first.to_uppercase(), &words[first.len_utf8()..]))
}
