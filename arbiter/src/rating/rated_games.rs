//! The games that `arbiter rate` and `arbiter sprt` count, from PGN files and run folders.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::path::Path;
use std::sync::Arc;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::cli::console;
use crate::folder::GamesPgn;
use crate::results::facts::{STANDARD_START, pairable};
use crate::results::{ExcludedGames, RatingList};
use referee::openings::{BookError, Skipped};
use referee::{GameIdentity, KnownGames, PgnGames, PlayerNames, ReadGame, Side, Variant};
use runner::{Event, JournalError, JournalReader, RunConfig, RunJournal};
use stats::ratings::Anchor;
use stats::{FirstMoves, Outcome, PairableGame, PairedBy, find_pairs, note_shared_moves};

/// The most games of a source whose first moves are kept for comparison.
const MOST_COMPARED: usize = 100_000;

/// How games that repeat the players, colours, moves and result of an earlier game are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum RepeatedGames {
    /// Count a repeated game once.
    #[default]
    Drop,
    /// Count every game, as Ordo and cutechess do.
    Count,
}

/// A game of a run; its players are the indices of the run's engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatedGame {
    /// `None` without a result.
    game: Option<PairableGame>,
    identity: Option<GameIdentity>,
    is_late: bool,
}

impl RatedGame {
    /// The games of a journal, with their identities only if they may be in another source, too. `see` gets each event.
    pub fn of_run(
        config: Arc<RunConfig>,
        events: &mut JournalReader<'_>,
        with_identity: bool,
        see: impl FnMut(&Event),
    ) -> Result<Vec<RatedGame>, JournalError> {
        let pgn = with_identity.then(|| GamesPgn::new(config));
        let games = events.games_seen_by_number(see, |game| RatedGame {
            game: pairable(&game),
            identity: pgn.as_ref().and_then(|pgn| pgn.identity(&game)),
            is_late: game.after_decision,
        })?;
        Ok(games.into_values().collect())
    }
}

/// What happened to a game of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Index among the games of its source.
    Counted(usize),
    /// Index among the games that finished after the SPRT had stopped.
    Late(usize),
    Excluded,
}

/// The games of each source, and the games that are excluded.
///
/// Names that differ only in blanks around or between words are the same player.
#[derive(Clone, Debug, Default)]
pub struct RatedGames {
    /// Names in the sources, and the names to count these players by.
    pub names: BTreeMap<String, String>,
    players: PlayerNames,
    spellings: PlayerNames,
    of_spelling: Vec<usize>,
    /// The first SHA-256 seen for the program of each player of a run.
    programs: BTreeMap<usize, String>,
    sources: Vec<Vec<PairableGame>>,
    /// The first moves of the last source's games, kept while they may serve to find pairs.
    first_moves: Vec<FirstMoves>,
    /// What happened to each game of the last file, by its number from 0.
    pub fates: Vec<Fate>,
    /// Pairs of the last file that were found by shared first moves, with the number of shared plies.
    pub shared_moves: Vec<([usize; 2], usize)>,
    /// The games with a result that finished after the SPRT had stopped.
    pub after_decision: Vec<PairableGame>,
    known: KnownGames,
    repeated: RepeatedGames,
    pub excluded: ExcludedGames,
    /// The games of the last file that break off but have a result.
    cut: Skipped,
    /// The variants of the games with two players.
    pub variants: BTreeSet<Variant>,
}

impl RatedGames {
    /// Prepares for this many sources, each of which is added once.
    pub fn of(sources: usize, repeated: RepeatedGames) -> RatedGames {
        RatedGames { known: KnownGames::of(sources), repeated, ..RatedGames::default() }
    }

    /// Adds the games of a file that is read only once; warns of games that cannot be read or break off.
    pub fn read_pgn_once(&mut self, file: &Path) -> Result<(), BookError> {
        self.read_pgn(file)?;
        console::warn_of_cut(&file.display().to_string(), &self.cut);
        Ok(())
    }

    /// Adds the games of a file; warns of games that cannot be read.
    pub fn read_pgn(&mut self, file: &Path) -> Result<Skipped, BookError> {
        let skipped = self.add_pgn(PgnGames::open(file)?)?;
        console::warn_of_skipped(&file.display().to_string(), "game", &skipped);
        Ok(skipped)
    }

    /// Adds the games of a text. If nothing else pairs them, shared first moves do.
    pub fn add_pgn(&mut self, games: PgnGames<'_>) -> Result<Skipped, BookError> {
        self.begin_source();
        let (mut read, mut skipped) = (0, Skipped::default());
        let (mut games, mut game) = (games.without_moves(), ReadGame::default());
        while let Some(found) = games.next_into(&mut game) {
            let broken_off = found.is_ok().then(|| games.broken_off(&game)).flatten();
            // A game that breaks off without a result may be unfinished, so it does not count.
            let (fatal, cut) = broken_off.into_iter().partition::<Vec<_>, _>(|_| game.result().is_none());
            match found.and_then(|()| fatal.into_iter().next().map_or(Ok(()), Err)) {
                Ok(()) => {
                    read += 1;
                    for fault in &cut {
                        self.cut.name(fault);
                    }
                    let fate = self.add(&game);
                    self.fates.resize(game.number() - 1, Fate::Excluded);
                    self.fates.push(fate);
                }
                Err(fault) => skipped.add(fault)?,
            }
        }
        let moves = mem::take(&mut self.first_moves);
        if let Some(source) = self.sources.last_mut()
            && source.len() == moves.len()
            && find_pairs(source).pairs.is_empty()
        {
            self.shared_moves = note_shared_moves(source, &moves);
        }
        skipped.guesses = games.guesses.clone();
        skipped.beside(read)
    }

    /// Adds the games of a journal. A game that was abandoned and replayed, or is there twice, counts once. All engines
    /// become players, even without games.
    pub fn read_run(&mut self, folder: &Path) -> Result<(), JournalError> {
        let RunJournal { config, mut events, .. } = RunJournal::open(folder)?;
        let can_repeat = !self.known.has_one_source;
        let games = RatedGame::of_run(Arc::clone(&config), &mut events, can_repeat, |_| ())?;
        self.add_run(folder, &config, &games);
        Ok(())
    }

    /// Adds the games of a run.
    pub fn add_run(&mut self, folder: &Path, config: &RunConfig, games: &[RatedGame]) {
        self.begin_source();
        self.variants.insert(config.variant);
        let players: Vec<usize> = config.engines.iter().map(|engine| self.player(&engine.name)).collect();
        for (player, engine) in players.iter().zip(&config.engines) {
            let Some(sha256) = &engine.sha256 else { continue };
            // The program differs, such as the build of a branch that has moved on.
            if self.programs.entry(*player).or_insert_with(|| sha256.clone()) != sha256 {
                console::note(&format!(
                    "warning: {}: {} is another program than in a run before, and is rated as the same player",
                    folder.display(),
                    engine.name
                ));
            }
        }
        for RatedGame { game, identity, is_late } in games {
            let named = |game: PairableGame| {
                let [white, black] = [game.white, game.black].map(|engine| players[engine as usize] as u32);
                PairableGame { white, black, ..game }
            };
            let _ = self.count(game.map(named), *identity, *is_late);
        }
    }

    fn begin_source(&mut self) {
        self.known.begin_source();
        self.fates.clear();
        self.cut = Skipped::default();
        self.shared_moves.clear();
        self.sources.push(Vec::new());
    }

    fn add(&mut self, game: &ReadGame) -> Fate {
        let (Some(white), Some(black)) = (game.player(Side::White), game.player(Side::Black)) else {
            self.excluded.without_players += 1;
            return Fate::Excluded;
        };
        let [white, black] = [white, black].map(|name| self.player(&name) as u32);
        self.variants.insert(game.variant());
        let pairable = game.result().map(|result| PairableGame {
            white,
            black,
            outcome: Outcome::of_half_points(result.half_points(Side::White)),
            round: game.tag("Round").map(|round| PairableGame::round_of_tag(&round)),
            start: game
                .tag("FEN")
                .filter(|fen| fen != STANDARD_START)
                .map(|fen| PairableGame::start_of(&fen)),
            opening: game.book_hash().map(|hash| (PairedBy::Book, hash)),
            moves: game.moves_hash(),
        });
        let known = self.games_of_last();
        let fate = self.count(pairable, self.known.identity_of(game), game.is_after_decision());
        if self.games_of_last() > known && known < MOST_COMPARED {
            self.first_moves.push(game.first_moves());
        }
        fate
    }

    fn count(&mut self, game: Option<PairableGame>, identity: Option<GameIdentity>, is_late: bool) -> Fate {
        if identity.is_some_and(|identity| self.known.is_copy(identity)) {
            self.excluded.duplicates += 1;
            return Fate::Excluded;
        }
        let Some(mut game) = game else {
            self.excluded.without_result += 1;
            return Fate::Excluded;
        };
        game.moves = game.moves.filter(|_| self.repeated == RepeatedGames::Drop);
        if is_late {
            self.excluded.after_decision += 1;
            self.after_decision.push(game);
            return Fate::Late(self.after_decision.len() - 1);
        }
        if game.white == game.black {
            self.excluded.against_itself += 1;
            return Fate::Excluded;
        }
        if let Some(source) = self.sources.last_mut() {
            source.push(game);
        }
        Fate::Counted(self.games_of_last() - 1)
    }

    fn games_of_last(&self) -> usize {
        self.sources.last().map_or(0, Vec::len)
    }

    fn player(&mut self, spelling: &str) -> usize {
        let known = self.spellings.add(spelling);
        if known == self.of_spelling.len() {
            let name = plain(spelling);
            self.of_spelling.push(self.players.add(self.names.get(&*name).map_or(&name, |it| it)));
        }
        self.of_spelling[known]
    }

    /// Notes players with several spellings, and warns if the games are of several variants.
    pub fn note_differences(&self) {
        let variants: BTreeSet<Variant> =
            self.variants.iter().map(|it| if it.is_chess() { Variant::Standard } else { *it }).collect();
        if variants.len() > 1 {
            let names: Vec<String> = variants.iter().map(ToString::to_string).collect();
            console::note(&format!(
                "warning: the games are of several variants, {}; count each variant by itself",
                names.join(", ")
            ));
        }
        for (spelling, &player) in self.spellings.names().iter().zip(&self.of_spelling) {
            let name = &self.players.names()[player];
            if name != spelling {
                console::note(&format!("note: the player `{spelling}` is counted as `{name}`"));
            }
        }
    }

    pub fn players(&self) -> impl ExactSizeIterator<Item = &str> {
        self.players.names().iter().map(String::as_str)
    }

    pub fn index_of(&self, player: &str) -> Option<usize> {
        self.players.index_of(&plain(player))
    }

    pub fn sources(&self) -> impl Iterator<Item = &[PairableGame]> + Clone {
        self.sources.iter().map(Vec::as_slice)
    }

    /// Rates the players. `anchors` maps player indices to given ratings.
    pub fn list(&self, anchors: &BTreeMap<usize, Anchor>) -> RatingList {
        let mut list = RatingList::new(self.players.names(), self.sources(), anchors);
        list.excluded = self.excluded;
        list
    }

    pub fn games(&self) -> u64 {
        self.sources.iter().map(|games| games.len() as u64).sum()
    }
}

/// A name with single blanks between words and no blanks around them.
fn plain(name: &str) -> Cow<'_, str> {
    let is_plain = name.trim() == name && !name.contains("  ") && !name.contains(['\t', '\r', '\n']);
    if is_plain { Cow::Borrowed(name) } else { name.split_whitespace().collect::<Vec<_>>().join(" ").into() }
}
