//! Results from a run folder or from PGN files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use super::sprt_report::{MatchResults, UncountedGames};
use crate::cli::console;
use crate::rating::{RatedGames, RepeatedGames};
use crate::results::{EngineSummary, RunResults};
use runner::process::nearest_name;
use stats::{
    FoundPairs, KnownMoves, Observations, PairCounter, PairableGame, Pentanomial, Repeats, Sprt,
    SprtEstimate, UnclearRounds, Wdl, find_pairs,
};

#[derive(Clone, Debug)]
pub struct RecordedResults {
    pub results: MatchResults,
    /// The run's SPRT, and the median-unbiased estimate after it.
    pub test: Option<(Sprt, Option<SprtEstimate>)>,
}

/// Reads a run folder or PGN files. The results are for `engine`, or for the first of two engines.
pub fn read(sources: &[PathBuf], engine: Option<&str>, repeated: RepeatedGames) -> Result<RecordedResults> {
    let number = |path: &PathBuf| {
        let text = path.to_str().filter(|_| !path.exists())?.rsplit('=').next()?;
        text.parse::<f64>().ok().map(|_| text.to_owned())
    };
    if let Some(numbers) = sources.iter().map(number).collect::<Option<Vec<String>>>() {
        let option = match numbers.len() {
            5 => "--ptnml",
            3 => "--wdl",
            _ => "--sprt",
        };
        let numbers = numbers.join(",");
        bail!("{numbers}: expected a run folder or a PGN file, found numbers; type {option} {numbers}");
    }
    match sources {
        [folder] if folder.is_dir() => of_run(folder, engine, repeated),
        files => match files.iter().find(|path| path.is_dir()) {
            Some(folder) => bail!(
                "{}: expected either one run folder or PGN files, found this folder among several arguments",
                folder.display()
            ),
            None => Ok(RecordedResults { results: of_pgn(files, engine, repeated)?, test: None }),
        },
    }
}

const MOST_NAMES: usize = 12;

/// The index of the named player, or of the first of two players.
fn choose(players: &[&str], engine: Option<&str>, place: &str) -> Result<usize> {
    let mut names = players.iter().take(MOST_NAMES).copied().collect::<Vec<_>>().join(", ");
    if players.len() > MOST_NAMES {
        names += ", …";
    }
    let Some(name) = engine else {
        return match players.len() {
            2 => Ok(0),
            1 => bail!("{place}: expected games of two players, found only {names}"),
            count => bail!("--engine: expected the name of one of the {count} players of {place}: {names}"),
        };
    };
    let index = players.iter().position(|player| *player == name);
    index.ok_or_else(|| {
        let hint = nearest_name(name, players.iter().copied());
        let hint = hint.map(|known| format!("; did you mean `{known}`?")).unwrap_or_default();
        anyhow!("--engine {name}: expected one of the players of {place}: {names}{hint}")
    })
}

fn of_pgn(files: &[PathBuf], engine: Option<&str>, repeated: RepeatedGames) -> Result<MatchResults> {
    let mut table = RatedGames::of(files.len(), repeated);
    for file in files {
        table.read_pgn_once(file).context("expected a run folder or a PGN file")?;
    }
    table.note_differences();
    let place = match files {
        [file] => file.display().to_string(),
        files => format!("the {} files", files.len()),
    };
    let excluded = table.excluded;
    let is_in = |player: usize| {
        let played = |game: &PairableGame| [game.white, game.black].contains(&(player as u32));
        table.sources().flatten().chain(&table.after_decision).any(played)
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

fn results_of(table: &RatedGames, chosen: u32, name: &str) -> MatchResults {
    let is_theirs = |game: &&PairableGame| game.white == chosen || game.black == chosen;
    let (mut counter, mut known) = (PairCounter::default(), KnownMoves::default());
    let (mut opponents, mut after_decision) = (Vec::new(), Wdl::default());
    let mut meet = |game: &PairableGame| {
        let opponent = if game.white == chosen { game.black } else { game.white };
        if !opponents.contains(&opponent) {
            opponents.push(opponent);
        }
    };
    let (mut paired_by, mut rounds) = (BTreeMap::new(), UnclearRounds::default());
    let mut first_pair = 0;
    for source in table.sources() {
        let games: Vec<PairableGame> = source.iter().filter(is_theirs).copied().collect();
        let FoundPairs { pairs, rounds: unclear } = find_pairs(&games);
        rounds += unclear;
        // A game without a partner is a pair of its own, which stays incomplete.
        let mut pair_of: Vec<u32> = (first_pair..).take(games.len()).collect();
        first_pair += games.len() as u32;
        for ([one, other], by) in pairs {
            *paired_by.entry(by).or_default() += 1;
            pair_of[other] = pair_of[one];
        }
        for (game, pair) in games.iter().zip(pair_of) {
            meet(game);
            counter.record(pair, game.outcome_for(chosen), game.key(), &mut known);
        }
    }
    for game in table.after_decision.iter().filter(is_theirs) {
        meet(game);
        after_decision.record(game.outcome_for(chosen));
    }
    let (wdl, repeats) = (*counter.games(), *counter.repeats());
    let observations = Observations::of(*counter.pairs(), wdl);
    let excluded = table.excluded;
    let played = wdl.games() + after_decision.games();
    let other_players = table.games() + table.after_decision.len() as u64 + excluded.against_itself - played;
    let names: Vec<&str> = table.players().collect();
    MatchResults {
        engine: Some(name.to_owned()),
        opponents: opponents.iter().map(|&opponent| names[opponent as usize].to_owned()).collect(),
        paired_by: if matches!(observations, Observations::Pairs(_)) { paired_by } else { BTreeMap::new() },
        rounds,
        unpaired: wdl.games() - observations.games(),
        observations: repeats.left_out_of(observations),
        wdl: Some(wdl),
        repeated: repeats.games.games(),
        mirrored_pairs: counter.mirrored_pairs(),
        after_decision,
        excluded: UncountedGames {
            without_result: excluded.without_result,
            without_players: excluded.without_players,
            other_players,
            duplicates: excluded.duplicates,
        },
        ..MatchResults::of_counts(observations)
    }
}

fn of_run(folder: &Path, engine: Option<&str>, repeated: RepeatedGames) -> Result<RecordedResults> {
    let outcome = RunResults::read(folder)?;
    console::note_torn_line(folder, outcome.torn_line);
    let names: Vec<&str> = outcome.config.engines.iter().map(|engine| engine.name.as_str()).collect();
    let chosen = choose(&names, engine, &folder.display().to_string())?;
    let has_several_tests = outcome.summary.has_several_tests();
    let mut last = None;
    let (mut wdl, mut pairs, mut opponents) = (Wdl::default(), Pentanomial::default(), Vec::new());
    let (mut repeats, mut mirrored_pairs) = (Repeats::default(), 0);
    for pairing in &outcome.summary.pairings {
        let (opponent, games, their_pairs, repeated) = match (pairing.first, pairing.second) {
            (first, second) if first == chosen => (second, pairing.wdl, pairing.pentanomial, pairing.repeats),
            (first, second) if second == chosen => {
                (first, pairing.wdl.reversed(), pairing.pentanomial.reversed(), pairing.repeats.reversed())
            }
            _ => continue,
        };
        wdl += games;
        pairs += their_pairs + repeated.pairs;
        repeats += repeated;
        mirrored_pairs += pairing.mirrored_pairs;
        if has_several_tests && pairing.estimates.sprt.is_none() {
            continue;
        }
        opponents.push(names[opponent].to_owned());
        last = Some(opponent);
    }
    if repeated == RepeatedGames::Count {
        repeats = Repeats::default();
    }
    let observations =
        if pairs.pairs() == 0 { Observations::of(pairs, wdl) } else { Observations::Pairs(pairs) };
    // With several tests, it is not known which had decided.
    let after_decision = if has_several_tests { Wdl::default() } else { outcome.summary.after_decision };
    // A pooled test of two engines counts more games than this folder has.
    let tested = outcome.summary.of_two().first().and_then(|pairing| pairing.tested);
    let tested = tested.map(|tested| if chosen == 0 { tested } else { tested.reversed() });
    let results = MatchResults {
        engine: Some(names[chosen].to_owned()),
        opponents,
        wdl: tested.is_none().then_some(wdl),
        here: tested.map(|_| wdl),
        unpaired: if tested.is_some() { 0 } else { wdl.games() - observations.games() },
        observations: tested.unwrap_or_else(|| repeats.left_out_of(observations)),
        repeated: repeats.games.games(),
        mirrored_pairs,
        is_shallow: outcome.summary.engines.iter().any(EngineSummary::is_shallow),
        after_decision: if chosen == 0 { after_decision } else { after_decision.reversed() },
        ..MatchResults::of_counts(observations)
    };
    // Only a test against a single opponent is reported.
    let after_sprt = |opponent: usize| {
        let after = outcome.summary.pairing(chosen, opponent)?.estimates.after_sprt?;
        Some(if chosen < opponent { after } else { after.reversed() })
    };
    let test = outcome.config.sprt_of_pairing().filter(|_| results.opponents.len() == 1);
    let test = test.map(|test| {
        let is_as_played = repeated == RepeatedGames::Drop;
        (test, last.filter(|_| is_as_played).and_then(after_sprt))
    });
    Ok(RecordedResults { results, test })
}
