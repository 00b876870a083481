//! A strong engine's answers about the positions of a match, saved in a file so that no question is asked twice.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use runner::process::EngineError;
use runner::{EngineConfig, MoveScore, PositionLine, SearchTask};
use serde::{Deserialize, Serialize};
use uci::Go;

use super::match_games::MatchGame;
use crate::cli::console;
use crate::engines::{EngineSession, in_parallel, session};
use crate::files::{self, file_record};
use crate::text::number_text::{counted, thousands};

/// The time limit of one search. Searches are limited by nodes, so only a hung engine takes this long.
const TIMEOUT: Duration = Duration::from_mins(10);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefereeAnswer {
    /// From White's view.
    #[serde(rename = "s")]
    pub score: MoveScore,
    /// The expected line, beginning with the best move.
    #[serde(rename = "b")]
    pub line: Vec<String>,
}

/// How many moves of a line are kept.
const LINE: usize = 6;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Told {
    game: u32,
    /// The first position, as the number of moves before it.
    ply: usize,
    nodes: u64,
    /// Whether the answers cover all positions of the game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    whole: bool,
    /// Answers for this position and the following ones; `None` if the game is over.
    answers: Vec<Option<RefereeAnswer>>,
}

#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Nodes per position of the games.
    pub nodes: u64,
    /// Nodes per position for the most telling ones.
    pub deep_nodes: u64,
    /// The most positions searched with `deep_nodes`.
    pub deep: usize,
    pub total: Option<u64>,
    pub until: Option<Instant>,
    pub concurrency: usize,
}

/// The answers from a search of the whole game and from a separate search, with the nodes of the latter.
#[derive(Debug, Default)]
struct Known {
    among_all: Option<RefereeAnswer>,
    alone: Option<RefereeAnswer>,
    nodes: u64,
}

#[derive(Debug)]
pub struct RefereeAnswers {
    file: fs::File,
    /// Answers by game number and ply.
    known: HashMap<(u32, usize), Known>,
    /// The nodes per position of games that were scanned completely, by game number.
    scanned: HashMap<u32, u64>,
    /// Nodes requested by this process.
    pub asked: u64,
    budget: Budget,
}

impl RefereeAnswers {
    /// Opens the file in the folder with this engine's answers about these games, or creates it.
    pub fn open(
        folder: &Path,
        engine: &EngineConfig,
        games: &[MatchGame],
        budget: Budget,
    ) -> Result<RefereeAnswers> {
        let task = format!("{:?} {:?} {:?}", engine.sha256, engine.options, moves_of(games));
        let name = format!("referee-{}.jsonl", &file_record::sha256_of_bytes(task.as_bytes())[..8]);
        let path = folder.join(name);
        let (file, whole) = files::open_lines(&path)?;
        let (known, scanned) = Default::default();
        let mut answers = RefereeAnswers { file, known, scanned, asked: 0, budget };
        for (line, number) in whole.lines().zip(1..) {
            let told: Told = serde_json::from_str(line)
                .map_err(|error| anyhow!("{}:{number}: expected answers: {error}", path.display()))?;
            answers.learn(told);
        }
        Ok(answers)
    }

    fn learn(&mut self, told: Told) {
        if told.whole {
            self.scanned.insert(told.game, told.nodes);
        }
        for (answer, ply) in told.answers.into_iter().zip(told.ply..) {
            let known = self.known.entry((told.game, ply)).or_default();
            if told.whole {
                known.among_all = answer;
            } else if told.nodes >= known.nodes {
                (known.alone, known.nodes) = (answer, told.nodes);
            }
        }
    }

    /// The answer about a position: from the scan of its game or, if `is_deep`, preferably from a separate search.
    pub fn of(&self, game: &MatchGame, ply: usize, is_deep: bool) -> Option<&RefereeAnswer> {
        let known = self.known.get(&(game.number, ply))?;
        known.alone.as_ref().filter(|_| is_deep).or(known.among_all.as_ref())
    }

    /// The nodes of the longest separate search of a position.
    pub fn nodes_of(&self, game: &MatchGame, ply: usize) -> u64 {
        self.known.get(&(game.number, ply)).map_or(0, |known| known.nodes)
    }

    pub fn is_scanned(&self, game: &MatchGame) -> bool {
        self.scanned.get(&game.number).is_some_and(|nodes| *nodes >= self.budget.nodes)
    }

    /// Scans all positions of these games within the budget, in a pseudorandom order of pairs.
    pub fn scan(&mut self, engine: &EngineConfig, games: &[MatchGame]) -> Result<()> {
        let mut wanted: Vec<&MatchGame> = games.iter().filter(|game| !self.is_scanned(game)).collect();
        wanted.sort_by_key(|game| (file_record::sha256_of_bytes(&game.pair.to_le_bytes()), game.number));
        let nodes = self.budget.nodes;
        let questions: Vec<_> = wanted.into_iter().map(|game| (game, game.book, game.moves.len())).collect();
        // A third of the budget is left for the most telling positions.
        self.ask(engine, &questions, nodes, self.budget.total.map(|total| total / 3 * 2), "games")
    }

    /// Searches the first positions longer, up to the budget.
    pub fn deepen(&mut self, engine: &EngineConfig, positions: &[(&MatchGame, usize)]) -> Result<()> {
        let (nodes, most) = (self.budget.deep_nodes, self.budget.deep);
        let known = |(game, ply): &(&MatchGame, usize)| self.nodes_of(game, *ply) >= nodes;
        let known: Vec<bool> = positions.iter().map(known).collect();
        let wanted = positions.iter().zip(known).take(most).filter(|(_, is_known)| !is_known);
        let questions: Vec<_> = wanted.map(|((game, ply), _)| (*game, *ply, *ply)).collect();
        self.ask(engine, &questions, nodes, self.budget.total, "positions")
    }

    /// Asks about ranges of plies of games, with this many nodes per position.
    fn ask(
        &mut self,
        engine: &EngineConfig,
        questions: &[(&MatchGame, usize, usize)],
        nodes: u64,
        most: Option<u64>,
        what: &str,
    ) -> Result<()> {
        let (is_over, mut outcome, mut done) = (AtomicBool::new(false), Ok(()), 0);
        let total = questions.len();
        let (budget, concurrency) = (self.budget, self.budget.concurrency);
        let is_spent = |asked: u64| {
            most.is_some_and(|most| asked >= most)
                || budget.until.is_some_and(|until| Instant::now() >= until)
        };
        if total == 0 || is_spent(self.asked) {
            return Ok(());
        }
        let count = thousands(total as u64);
        console::note(&format!("the referee looks at {count} {what}, {} nodes a position", thousands(nodes)));
        let work = |session: &mut EngineSession, index: usize| {
            let (game, from, to) = questions[index];
            answers_of(session, game, from, to, nodes)
        };
        let mut last = Instant::now();
        let visit = |_: usize, told: Result<Told>| {
            outcome = told.and_then(|told| self.keep(told));
            done += 1;
            if last.elapsed() > Duration::from_secs(20) {
                last = Instant::now();
                console::note(&format!("{} of {count} {what}", thousands(done)));
            }
            if outcome.is_err() || is_spent(self.asked) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        in_parallel(0..total, concurrency, &is_over, || session::start(engine), work, visit)?;
        if outcome.is_ok() && (done as usize) < total {
            let left = counted((total as u64) - done, what.trim_end_matches('s'));
            console::note(&format!("the budget is spent: {left} left; repeat the command to continue"));
        }
        outcome
    }

    fn keep(&mut self, told: Told) -> Result<()> {
        self.file.write_all((serde_json::to_string(&told)? + "\n").as_bytes())?;
        self.asked += told.nodes * told.answers.len() as u64;
        self.learn(told);
        Ok(())
    }
}

/// A hash of the moves of all games, which identifies the file that belongs to them.
fn moves_of(games: &[MatchGame]) -> String {
    let moves = |game: &MatchGame| {
        let moves: String = game.moves.iter().map(|played| played.uci.as_str()).collect();
        format!("{}:{}{moves}\n", game.number, game.start_fen)
    };
    file_record::sha256_of_bytes(games.iter().map(moves).collect::<String>().as_bytes())
}

/// The engine's answers about a range of plies of a game. It searches the last position first, since earlier searches
/// profit from later positions, and gets all moves, so that it can see repetitions.
fn answers_of(
    session: &mut EngineSession,
    game: &MatchGame,
    from: usize,
    to: usize,
    nodes: u64,
) -> Result<Told> {
    let over = is_over_at(game)?;
    session.new_game()?;
    let mut answers = Vec::new();
    for ply in (from..=to).rev() {
        if over[ply] {
            answers.push(None);
            continue;
        }
        let mut position = PositionLine::from_fen(game.start_fen.as_str());
        game.moves[..ply].iter().for_each(|played| position.play(&played.uci));
        let found = search(session, &position, &Go { nodes: Some(nodes), ..Go::default() })?;
        let found = found.and_then(|(score, line)| Some((score?, line)));
        let (score, line) = found.with_context(|| format!("{}: the referee gave no score", game.title))?;
        let score = if game.is_white(ply) { score } else { reversed(score) };
        answers.push(Some(RefereeAnswer { score, line }));
    }
    answers.reverse();
    let whole = from == game.book && to == game.moves.len();
    Ok(Told { game: game.number, ply: from, nodes, whole, answers })
}

pub type Searched = (Option<MoveScore>, Vec<String>);

/// Searches a position: the last exact score, or else the last bound, and the best move's line; `None` without a move.
pub fn search(
    session: &mut EngineSession,
    position: &PositionLine,
    go: &Go,
) -> Result<Option<Searched>, EngineError> {
    let (mut found, mut line, mut is_exact) = (None, Vec::new(), false);
    let (_, best) = session.watch_search(SearchTask::Of(position, go), TIMEOUT, |info| {
        if info.multipv.is_some_and(|number| number != 1) {
            return;
        }
        let exact = |bound| bound == uci::Bound::Exact && !info.pv.is_empty();
        if let Some(score) = info.score.filter(|score| !is_exact || exact(score.bound)) {
            (found, is_exact) = (Some(MoveScore::from(score.value)), exact(score.bound));
            line = info.pv.iter().take(LINE).map(ToString::to_string).collect();
        }
    })?;
    Ok(best.ok().map(|best| {
        let best = best.to_string();
        (found, if line.first() == Some(&best) { line } else { vec![best] })
    }))
}

/// Whether the game is over, for each position of the game.
fn is_over_at(game: &MatchGame) -> Result<Vec<bool>> {
    let mut referee = game.referee()?;
    let mut over = vec![referee.outcome().is_some()];
    for played in &game.moves {
        referee.play(&played.uci).with_context(|| game.title.clone())?;
        over.push(referee.outcome().is_some());
    }
    Ok(over)
}

pub fn reversed(score: MoveScore) -> MoveScore {
    match score {
        MoveScore::Cp(value) => MoveScore::Cp(-value),
        MoveScore::Mate(moves) => MoveScore::Mate(-moves),
    }
}
