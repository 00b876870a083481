//! Results from PGN files of any program.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::choose;
use crate::rating::EncounterTable;
use crate::rating::sprt::{ExcludedGames, MatchResults};
use stats::{Observations, PairableGame, Pentanomial, Wdl, find_pairs};

/// Reads PGN files. The results are for `engine`.
pub fn read(files: &[PathBuf], engine: Option<&str>) -> Result<MatchResults> {
    let mut table = EncounterTable::of(files.len());
    for file in files {
        table.read_pgn(file).context("expected a run folder or a PGN file")?;
    }
    table.note_spellings();
    let place = match files {
        [file] => file.display().to_string(),
        files => format!("the {} files", files.len()),
    };
    let excluded = table.excluded();
    let is_in = |player: usize| {
        let played = |game: &PairableGame| [game.white, game.black].contains(&(player as u32));
        table.sources().flatten().chain(table.after_decision()).any(played)
    };
    let active: Vec<(usize, &str)> =
        table.players().enumerate().filter(|(player, _)| is_in(*player)).collect();
    if active.is_empty() {
        let (nobody, nothing) = (excluded.without_players, excluded.without_result);
        let found = match (excluded.against_itself, nobody + nothing) {
            (1.., _) => ", found only one player".to_owned(),
            (_, 0) => String::new(),
            _ => format!(", found {nothing} without a result and {nobody} without a player's name"),
        };
        bail!("{place}: expected at least one game with two players and a result{found}");
    }
    let names: Vec<&str> = active.iter().map(|(_, name)| *name).collect();
    let engine =
        engine.map(|name| table.index_of(name).and_then(|index| table.players().nth(index)).unwrap_or(name));
    let (chosen, name) = active[choose(&names, engine, &place)?];
    Ok(results_of(&table, chosen as u32, name))
}

fn results_of(table: &EncounterTable, chosen: u32, name: &str) -> MatchResults {
    let is_theirs = |game: &&PairableGame| game.white == chosen || game.black == chosen;
    let (mut wdl, mut pairs, mut opponents) = (Wdl::default(), Pentanomial::default(), Vec::new());
    let mut after_decision = Wdl::default();
    let mut meet = |game: &PairableGame| {
        let opponent = if game.white == chosen { game.black } else { game.white };
        if !opponents.contains(&opponent) {
            opponents.push(opponent);
        }
    };
    for source in table.sources() {
        let games: Vec<PairableGame> = source.iter().filter(is_theirs).copied().collect();
        for game in &games {
            meet(game);
            wdl.record(game.outcome_for(chosen));
        }
        for [one, other] in find_pairs(&games) {
            pairs.record(games[one].outcome_for(chosen), games[other].outcome_for(chosen));
        }
    }
    for game in table.after_decision().iter().filter(is_theirs) {
        meet(game);
        after_decision.record(game.outcome_for(chosen));
    }
    let observations = Observations::of(pairs, wdl);
    let excluded = table.excluded();
    let played = wdl.games() + after_decision.games();
    let other_players =
        table.games() + table.after_decision().len() as u64 + excluded.against_itself - played;
    let names: Vec<&str> = table.players().collect();
    MatchResults {
        engine: Some(name.to_owned()),
        opponents: opponents.iter().map(|&opponent| names[opponent as usize].to_owned()).collect(),
        unpaired: wdl.games() - observations.games(),
        observations,
        wdl: Some(wdl),
        after_decision,
        excluded: ExcludedGames {
            without_result: excluded.without_result,
            without_players: excluded.without_players,
            other_players,
            duplicates: excluded.duplicates,
        },
    }
}
