//! Finds positions that show a weakness: the new build errs, the old one does not, and the referee is sure.

use std::collections::HashSet;
use std::fmt::Write as _;

use anyhow::{Context, Result};
use referee::san::line_to_san;
use referee::{Referee, Variant};
use runner::{EngineConfig, MoveScore, PositionLine, SearchLimits};
use schemars::JsonSchema;
use serde::Serialize;
use uci::{Go, OptionKind};

use super::groups::{self, Group, JudgedMove};
use super::match_games::{MatchGame, MatchGames};
use super::points::{Points, Worth};
use super::referee_answers::{reversed, search};
use crate::compare::ablate::Toggle;
use crate::engines::{EngineSession, session};

/// The least cost of an error in points, and the most that a move without error may cost.
const ERROR: f64 = 0.15;
const FINE: f64 = 0.05;

/// Positions tried for each wanted one.
const TRIES: usize = 50;

/// Nodes of the trials as multiples of the match's nodes.
const LADDER: [f64; 7] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0];

#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct WeakPosition {
    pub fen: String,
    /// The number of the game, and the number of moves before this one.
    pub game: u32,
    pub ply: usize,
    /// The move number, such as `23.` or `23...`.
    pub number: String,
    /// The error and the line that follows, in algebraic notation.
    pub played: Vec<String>,
    /// The best line.
    pub best: Vec<String>,
    /// The move of the old build.
    pub other: String,
    /// The points that the error costs.
    pub cost: f64,
    /// The referee's scores before and after the error, and the new build's own score, all for the side to move.
    #[serde(serialize_with = "as_texts")]
    #[schemars(with = "[Option<String>; 3]")]
    pub scores: [Option<MoveScore>; 3],
    pub groups: Vec<&'static str>,
    /// Whether the new build errs with fewer and with more nodes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trials: Vec<Trial>,
}

/// A repeated search by the new build.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Trial {
    pub nodes: u64,
    pub errs: bool,
    /// The techniques without which the build does not err, such as `NullMove=false`.
    pub mended_by: Vec<String>,
}

fn as_texts<S: serde::Serializer>(scores: &[Option<MoveScore>; 3], serializer: S) -> Result<S::Ok, S::Error> {
    scores.map(|score| score.map(|score| score.to_string())).serialize(serializer)
}

/// Asks both builds and the referee about the costliest moves, beginning with those of the greatest weakness.
pub struct PositionSearch<'a> {
    matched: &'a MatchGames,
    engines: [EngineSession; 2],
    referee: EngineSession,
    nodes: u64,
    worth: Worth,
    /// Each technique of the new build as an option, with the other value and its own.
    switches: Vec<[(String, String); 2]>,
}

impl<'a> PositionSearch<'a> {
    /// Starts both builds of the run and a referee that searches `nodes` nodes.
    pub fn new(
        matched: &'a MatchGames,
        engines: &[EngineConfig; 2],
        referee: &EngineConfig,
        nodes: u64,
        worth: Worth,
    ) -> Result<PositionSearch<'a>> {
        let start = |engine: &EngineConfig| session::start(&EngineConfig { limits: None, ..engine.clone() });
        let [one, other] = engines;
        Ok(PositionSearch {
            matched,
            engines: [start(one)?, start(other)?],
            referee: start(referee)?,
            nodes,
            worth,
            switches: Vec::new(),
        })
    }

    /// Prepares to ask the new build without each of its techniques: the named options, or all options of type check.
    pub fn switch(&mut self, engine: &EngineConfig, named: &[String]) -> Result<()> {
        let session = &self.engines[0];
        let toggles = match named {
            [] => Toggle::all(session.introduction()),
            named => named.iter().map(|text| Toggle::read(text, session)).collect::<Result<Vec<Toggle>>>()?,
        };
        let switch = |toggle: Toggle| {
            let option = session.introduction().option(&toggle.option);
            let is_off =
                matches!(option.map(|option| &option.kind), Some(OptionKind::Check { default: false }));
            let set = engine.options.iter().find(|set| set.name.eq_ignore_ascii_case(&toggle.option));
            let usual = if is_off { &toggle.off } else { &toggle.on };
            let value = set.and_then(|set| set.value.as_ref()).unwrap_or(usual);
            let other = if *value == toggle.on { &toggle.off } else { &toggle.on };
            [other, value].map(|value| (toggle.option.clone(), value.clone()))
        };
        self.switches = toggles.into_iter().map(switch).collect();
        Ok(())
    }

    /// Finds at most `most` positions. With `is_traced`, also asks the new build with fewer and more nodes.
    pub fn find(
        mut self,
        points: &Points,
        weaknesses: &[&Group],
        most: usize,
        is_traced: bool,
    ) -> Result<Vec<WeakPosition>> {
        let first = weaknesses.first();
        let mut errors: Vec<&JudgedMove> =
            points.moves.iter().filter(|played| played.is_first && played.cost >= ERROR).collect();
        let shows = |played: &JudgedMove| first.is_some_and(|group| groups::is_in(played, group));
        errors.sort_by(|one, other| shows(other).cmp(&shows(one)).then(other.cost.total_cmp(&one.cost)));
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        for played in errors.into_iter().take(most * TRIES) {
            if found.len() == most {
                break;
            }
            let game = &self.matched.games[played.game];
            let mut referee = game.referee()?;
            for earlier in &game.moves[..played.ply] {
                referee.play(&earlier.uci).with_context(|| game.title.clone())?;
            }
            let board: Vec<String> = referee.fen().split(' ').take(4).map(str::to_owned).collect();
            if !seen.insert(board.join(" ")) {
                continue;
            }
            if let Some(mut position) = self.check(game, played, &referee)? {
                let named = weaknesses.iter().filter(|group| groups::is_in(played, group));
                position.groups = named.map(|group| group.name).collect();
                if is_traced {
                    position.trials = self.trials(game, played, &position.fen)?;
                }
                found.push(position);
            }
        }
        let [one, other] = self.engines;
        [one, other, self.referee].into_iter().for_each(EngineSession::quit);
        Ok(found)
    }

    /// Whether the position shows the weakness without the moves before it, as a reader of the suite sees it.
    fn check(
        &mut self,
        game: &MatchGame,
        played: &JudgedMove,
        here: &Referee,
    ) -> Result<Option<WeakPosition>> {
        let (error, fen) = (&game.moves[played.ply], here.fen());
        let go = self.go(game, played.ply);
        if self.ask(0, &fen, &go)?.as_deref() != Some(&error.uci) {
            return Ok(None);
        }
        let Some(other) = self.ask(1, &fen, &go)?.filter(|other| *other != error.uci) else {
            return Ok(None);
        };
        let Some((before, best)) = self.score(&fen)? else { return Ok(None) };
        let (Some((after, answer)), Some((alternative, _))) =
            (self.after(here, &error.uci)?, self.after(here, &other)?)
        else {
            return Ok(None);
        };
        let worth = |score: MoveScore| self.worth.of(score);
        let cost = worth(before) - worth(after);
        if cost < ERROR || worth(before) - worth(alternative) > FINE {
            return Ok(None);
        }
        let dots = if here.turn() == referee::Side::White { "." } else { "..." };
        let line: Vec<String> = std::iter::once(error.uci.clone()).chain(answer).collect();
        let san = |line: &[String]| line_to_san(here, line).unwrap_or_default();
        Ok(Some(WeakPosition {
            game: game.number,
            ply: played.ply,
            number: format!("{}{dots}", here.move_number()),
            played: san(&line),
            best: san(&best),
            other: san(&[other]).concat(),
            cost,
            scores: [Some(before), Some(after), error.score],
            groups: Vec::new(),
            trials: Vec::new(),
            fen,
        }))
    }

    /// The referee's score of a move for the side that makes it, and the line that follows; `None` if the move ends the
    /// game.
    fn after(&mut self, here: &Referee, uci: &str) -> Result<Option<(MoveScore, Vec<String>)>> {
        let mut next = Referee::from_fen(&here.fen(), Variant::Standard)?;
        next.play(uci)?;
        if next.outcome().is_some() {
            return Ok(None);
        }
        Ok(self.score(&next.fen())?.map(|(score, line)| (reversed(score), line)))
    }

    fn score(&mut self, fen: &str) -> Result<Option<(MoveScore, Vec<String>)>> {
        self.referee.new_game()?;
        let go = Go { nodes: Some(self.nodes), ..Go::default() };
        let found = search(&mut self.referee, &PositionLine::from_fen(fen), &go)?;
        Ok(found.and_then(|(score, line)| Some((score?, line))))
    }

    /// A build's move in a position, with an empty hash table.
    fn ask(&mut self, build: usize, fen: &str, go: &Go) -> Result<Option<String>> {
        self.engines[build].new_game()?;
        let found = search(&mut self.engines[build], &PositionLine::from_fen(fen), go)?;
        Ok(found.and_then(|(_, line)| line.into_iter().next()))
    }

    /// The limit of the match, or if it had a clock, the nodes of this move.
    fn go(&self, game: &MatchGame, ply: usize) -> Go {
        let SearchLimits { nodes, depth, .. } = self.matched.limits;
        let nodes = nodes.or_else(|| if depth.is_some() { None } else { game.moves[ply].nodes });
        Go { nodes: nodes.or(if depth.is_some() { None } else { Some(10_000) }), depth, ..Go::default() }
    }

    fn trials(&mut self, game: &MatchGame, played: &JudgedMove, fen: &str) -> Result<Vec<Trial>> {
        let error = &game.moves[played.ply].uci;
        let Some(nodes) = self.go(game, played.ply).nodes.or(game.moves[played.ply].nodes) else {
            return Ok(Vec::new());
        };
        let mut trials = Vec::new();
        for factor in LADDER {
            let nodes = (nodes as f64 * factor) as u64;
            let go = Go { nodes: Some(nodes), ..Go::default() };
            let errs = self.ask(0, fen, &go)?.as_ref() == Some(error);
            trials.push(Trial { nodes, errs, mended_by: Vec::new() });
        }
        for [other, usual] in self.switches.clone() {
            self.engines[0].set_option(&other.0, Some(&other.1))?;
            for trial in trials.iter_mut().filter(|trial| trial.errs) {
                let go = Go { nodes: Some(trial.nodes), ..Go::default() };
                if self.ask(0, fen, &go)?.as_ref() != Some(error) {
                    trial.mended_by.push(format!("{}={}", other.0, other.1));
                }
            }
            self.engines[0].set_option(&usual.0, Some(&usual.1))?;
        }
        Ok(trials)
    }
}

/// The positions as EPD, with the error as the move to avoid (`am`).
pub fn epd(positions: &[WeakPosition], names: &[String; 2], name: &str) -> String {
    let [new, old] = names.each_ref().map(|name| name.replace(['"', '\n', '\r'], "'"));
    let mut text = format!("# Positions in which {new} errs, {old} does not, and the referee is sure.\n");
    for (position, number) in positions.iter().zip(1..) {
        let WeakPosition { fen, game, number: of_move, played, best, other, cost, .. } = position;
        let board = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        let (error, best) = (&played[0], best.join(" "));
        let _ = writeln!(
            text,
            "{board} am {error}; id \"{name}-{number:02}\"; c0 \"game {game}, {of_move} {error}: costs {cost:.2} points\"; \
             c1 \"best {best}; {old} plays {other}\";"
        );
    }
    text
}
