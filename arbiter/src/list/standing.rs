//! Where a list stands: its ratings, and what is known for choosing who plays next.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::counted_run::CountedRun;
use super::list_file::{GAMES, ListFile, ROUND, name_of};
use crate::rating::{RatedGames, RepeatedGames};
use crate::results::RatingList;
use crate::text::number_text::{counted, percent, signed};
use crate::text::{Document, Table};
use referee::PgnGames;
use runner::{
    FinishReason, JOURNAL_FILE, Journal, JournalPlace, JournalReader, KnownPairs, Question, RunConfig,
    RunJournal, Schedule, Termination,
};
use stats::ratings::{Anchor, NextPairing, PairingPlan};
use stats::{Elo, Pentanomial};

/// How many of the next pairings are shown.
const SHOWN: usize = 5;

/// All runs of a list, summed up.
#[derive(Debug, Default)]
pub struct Standing {
    /// As `arbiter rate` computes them from these runs; `None` without games.
    ratings: Option<RatingList>,
    /// The pairs of every two players that met, and the round that they play next, by their indices among the players.
    pub known: BTreeMap<(usize, usize), KnownPairs>,
    /// The games that each engine lost by a fault.
    pub faults: BTreeMap<(String, Termination), u64>,
    pub runs: Vec<ListedRun>,
    players: Vec<String>,
    /// The players that ratings are relative to; all if empty.
    pub reference: Vec<usize>,
    /// The players of which one is the next version of the other.
    pub versions: Vec<(usize, usize)>,
    /// Whether machines have a round whose games are not all here.
    has_round: bool,
}

#[derive(Debug, Default)]
pub struct ListedRun {
    pub folder: PathBuf,
    /// With the present names of the engines; `None` for an import.
    pub config: Option<RunConfig>,
    pub games: u32,
    /// The end of its journal; `None` for an import.
    pub place: Option<JournalPlace>,
    /// Whether it has games to be played.
    pub is_open: bool,
    /// Whether a process plays it.
    pub is_in_use: bool,
    /// The engines that got no more games, because of their faults.
    pub set_aside: Vec<String>,
}

impl ListedRun {
    /// Whether it was to be played for a time.
    pub fn is_for_a_time(&self) -> bool {
        let goal = self.config.as_ref().and_then(|config| config.list.as_ref());
        goal.is_some_and(|goal| goal.ends_when_stopped)
    }
}

impl Standing {
    /// Reads all runs, which must have been played under the conditions of the list.
    pub fn read(folder: &Path, list: &ListFile) -> Result<Standing> {
        let folders = list.run_folders(folder)?;
        let players = list.players();
        let mut standing = Standing {
            reference: (0..players.len())
                .filter(|&player| list.anchors.contains_key(&players[player]))
                .collect(),
            versions: list.next_versions(),
            players,
            has_round: folder.join(ROUND).exists(),
            ..Standing::default()
        };
        let mut games = RatedGames::of(folders.len(), RepeatedGames::Drop);
        games.names.clone_from(&list.names);
        for run in &folders {
            if list.imported.contains_key(&name_of(run)) {
                games.add_pgn(PgnGames::open(&run.join(GAMES))?)?;
                standing.add_imported(run, &games)?;
            } else if JournalReader::is_in(run) {
                standing.add(run, list, &mut games)?;
            }
        }
        let given = |(name, elo): (&String, &f64)| {
            let error = list.anchor_errors.get(name).copied().unwrap_or_default();
            Some((games.index_of(name)?, Anchor { elo: Elo::new(*elo), error }))
        };
        let anchors = list.anchors.iter().filter_map(given).collect();
        standing.ratings = (games.games() > 0).then(|| games.list(&anchors));
        Ok(standing)
    }

    fn add(&mut self, folder: &Path, list: &ListFile, all: &mut RatedGames) -> Result<()> {
        let RunJournal { config, .. } = RunJournal::open(folder)?;
        let config = list.with_present_names(RunConfig::clone(&config));
        let differences = list.differences(&config);
        if !differences.is_empty() {
            let (shown, name) = (folder.display(), name_of(folder));
            bail!(
                "{shown}: this run was not played under the conditions of the list: {}; remove the folder, or leave it out in \
                 list.toml: excluded.\"{name}\" = \"REASON\"",
                differences.join("; ")
            );
        }
        // Asked first, so that a run that ends meanwhile is not taken for one that was killed.
        let is_in_use = Journal::is_in_use(&folder.join(JOURNAL_FILE));
        let counted = CountedRun::read(folder).with_context(|| folder.display().to_string())?;
        let CountedRun { games, schedule, last, place, .. } = counted;
        all.add_run(folder, &config, &counted.rated);
        for (engine, fault) in counted.faults {
            *self.faults.entry((config.engines[engine].name.clone(), fault)).or_default() += 1;
        }
        let is_in_use = is_in_use && !schedule.is_over();
        self.count(&config, &schedule, is_in_use)?;
        let plays = |name: &String| list.run.engines.iter().any(|engine| engine.name == *name);
        let is_ended = match last {
            Some(FinishReason::EngineDoesNotStart { .. }) => true,
            Some(FinishReason::Requested) => config.list.as_ref().is_some_and(|goal| goal.ends_when_stopped),
            _ => false,
        };
        let engines = || config.engines.iter().map(|engine| &engine.name);
        let set_aside = |engine: &usize| match schedule.question() {
            Question::ListRatings(question) => question.is_set_aside(*engine),
            _ => false,
        };
        self.runs.push(ListedRun {
            folder: folder.to_owned(),
            games,
            place: Some(place),
            is_in_use,
            is_open: !schedule.is_over() && !is_ended && engines().all(plays),
            set_aside: (0..config.engines.len())
                .filter(set_aside)
                .map(|engine| config.engines[engine].name.clone())
                .collect(),
            config: Some(config),
        });
        Ok(())
    }

    /// Adds the games of an import, the last source of `games`. To choose who plays next, each two games of two players are a
    /// pair.
    fn add_imported(&mut self, folder: &Path, games: &RatedGames) -> Result<()> {
        let places = games.players().map(|name| self.index_of(name)).collect::<Result<Vec<_>>>();
        let places = places.with_context(|| folder.display().to_string())?;
        let found = games.sources().last().unwrap_or_default();
        let mut firsts = BTreeMap::new();
        for game in found {
            let [white, black] = [game.white, game.black].map(|player| places[player as usize]);
            let outcome = if white < black { game.outcome } else { game.outcome.reversed() };
            let players = (white.min(black), white.max(black));
            match firsts.remove(&players) {
                None => drop(firsts.insert(players, outcome)),
                Some(first) => self.pairs_of(white, black).results.record(first, outcome),
            }
        }
        let (folder, games) = (folder.to_owned(), found.len() as u32);
        self.runs.push(ListedRun { folder, games, ..ListedRun::default() });
        Ok(())
    }

    /// What is particular about the list and its runs.
    pub fn remarks(&self, list: &ListFile) -> Vec<String> {
        let cpu = |config: &RunConfig| config.made.as_ref().map(|made| made.cpu.clone());
        let begun = cpu(&list.run).unwrap_or_default();
        let elsewhere = self.runs.iter().filter_map(|run| {
            let cpu = cpu(run.config.as_ref()?).filter(|cpu| *cpu != begun)?;
            Some(format!("run {}: played on {cpu}, the list began on {begun}", name_of(&run.folder)))
        });
        list.remarks().chain(elsewhere).collect()
    }

    /// Counts the pairs of a run, and the rounds that its pairings have had, or may have while it is in use.
    fn count(&mut self, config: &RunConfig, schedule: &Schedule, is_in_use: bool) -> Result<()> {
        let places: Vec<usize> =
            config.engines.iter().map(|engine| self.index_of(&engine.name)).collect::<Result<_>>()?;
        for ((one, other), games) in schedule.games_by_pairing() {
            let (first, second) = (places[one], places[other]);
            let pairs = *games.scored.pairs();
            self.pairs_of(first, second).results += if first < second { pairs } else { pairs.reversed() };
        }
        for game in schedule.pairings() {
            let known = self.pairs_of(places[game.white], places[game.black]);
            known.next = known.next.max(game.round + 1);
        }
        if let (true, Question::ListRatings(question)) = (is_in_use, schedule.question()) {
            for ((one, other), beyond) in question.rounds_beyond() {
                let known = self.pairs_of(places[one], places[other]);
                known.next = known.next.max(beyond);
            }
        }
        Ok(())
    }

    fn pairs_of(&mut self, one: usize, other: usize) -> &mut KnownPairs {
        let players = (one.min(other), one.max(other));
        let new = || KnownPairs { players, results: Pentanomial::default(), next: 0 };
        self.known.entry(players).or_insert_with(new)
    }

    fn index_of(&self, name: &str) -> Result<usize> {
        self.players.iter().position(|player| player == name).with_context(|| format!("no player {name}"))
    }

    /// Every two players that met, with their pairs, counted for the first.
    pub fn meetings(&self) -> impl Iterator<Item = (&str, &str, Pentanomial)> {
        let name = |player: usize| self.players[player].as_str();
        self.known.values().map(move |KnownPairs { players: (one, other), results, .. }| {
            (name(*one), name(*other), *results)
        })
    }

    pub fn games(&self) -> u64 {
        self.runs.iter().map(|run| u64::from(run.games)).sum()
    }

    /// What is known for choosing who plays next.
    pub fn plan(&self) -> PairingPlan {
        let counts = self.known.iter().map(|(&players, known)| (players, known.results)).collect();
        PairingPlan::new(self.players.len(), &counts, &self.reference, &self.versions)
    }

    /// The ratings, of a list with games.
    pub fn ratings(&self) -> Result<&RatingList> {
        self.ratings
            .as_ref()
            .context("the list has no games yet; play some with: arbiter list play LIST --games 100")
    }

    /// The 95% error of a player in the list, in Elo; infinite if it has no rating, or a bound on one side only.
    pub fn error(&self, name: &str) -> f64 {
        let players = self.ratings.iter().flat_map(|list| &list.players);
        let player = players.filter(|player| player.name == name).find_map(|player| player.rated.rating);
        player.map_or(f64::INFINITY, |rating| rating.margin())
    }

    /// The pairings that would be played next, if the ratings of all engines are wanted.
    pub fn next(&self, engines: usize) -> Vec<NextPairing> {
        let wanted: Vec<bool> = (0..self.players.len()).map(|player| player < engines).collect();
        let mut chooser = self.plan().wanting(&wanted);
        let next = || {
            let next = chooser.next(|one, other| one < engines && other < engines)?;
            chooser.expect(next.players.0, next.players.1);
            Some(next)
        };
        std::iter::from_fn(next).take(SHOWN).collect()
    }

    /// The number of games that engines lost by a fault other than a time loss.
    pub fn other_faults(&self) -> u64 {
        let others = self.faults.iter().filter(|((_, kind), _)| *kind != Termination::TimeLoss);
        others.map(|(_, games)| games).sum()
    }

    /// The games that engines lost by their faults.
    pub fn faults_table(&self) -> Table {
        let mut table = Table::new(["Engine", "Games lost by", "Games"]).left(&[1]);
        for ((name, kind), games) in &self.faults {
            table.plain([name.clone(), kind.to_string(), games.to_string()]);
        }
        table
    }

    /// The list in words.
    pub fn document(&self, list: &ListFile) -> Document {
        let mut document = Document::default();
        let (engines, runs) = (list.run.engines.len() as u64, self.runs.len() as u64);
        let counts = [counted(engines, "engine"), counted(runs, "run"), counted(self.games(), "game")];
        document.line(format!("{}; {}", counts.join(", "), list.conditions()));
        if let Some(ratings) = &self.ratings {
            document.gap();
            document.append(ratings.document());
        }
        document.gap();
        if !self.faults.is_empty() {
            document.table(self.faults_table());
        }
        document.lines(self.remarks(list));
        document.lines(self.runs.iter().filter(|run| run.is_open).map(|run| {
            let how = if run.is_for_a_time() { " LIST --hours N" } else { "" };
            let (run, is_in_use) = (name_of(&run.folder), run.is_in_use);
            if is_in_use {
                return format!("run {run} is being played");
            }
            format!("unfinished: run {run}; `arbiter list play{how}` begins with its missing games")
        }));
        if self.has_round {
            document.line(
                "unfinished: a round on machines; `arbiter list play LIST` begins with fetching its games",
            );
        }
        let next = self.next(list.run.engines.len());
        if !next.is_empty() {
            let plan = self.plan();
            let mut table = Table::new(["NEXT", "LEAD", "SCORE(%)", "PAIRS", "LESS"]);
            for NextPairing { players: (one, other), gain, expected } in next {
                let met = self.known.get(&(one, other)).map_or(0, |known| known.results.pairs());
                table.plain([
                    format!("{} – {}", self.players[one], self.players[other]),
                    signed(plan.rating(one).value() - plan.rating(other).value(), 0),
                    format!("{:.1}", 100.0 * expected),
                    met.to_string(),
                    percent(gain),
                ]);
            }
            document.gap();
            document.table(table);
            document.line(
                "LESS: by how much a pair of games lowers the summed variance of the ratings, as expected.",
            );
        }
        document
    }
}
