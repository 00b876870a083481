//! Tactics suites: positions with the moves that solve them.
//!
//! EPD with `bm` (best moves), `am` (moves to avoid) or `dm` (mate in N moves; negative if the side to move is mated;
//! `bm #N` in the suites of matetrack), an `id`, and `c9 "required"` for positions that every sound engine must solve.
//! `c0 "f5=10, Be5+=7"`, or moves in `c7` with points in `c8`, give points for moves, as in the Strategic Test Suite of
//! Dann Corbit and Swaminathan Natarajan. A position is Chess960 if its castling rights require it.

use std::collections::HashSet;

use anyhow::{Context, Result, bail};

use crate::files::suite_files::Suite;
use referee::{Epd, EpdFile, EpdMoveError, IllegalMove, Referee, Variant};

/// A checked suite: all positions and the moves of their solutions are legal.
pub type TacticsSuite = Suite<TacticsPosition>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TacticsPosition {
    pub line: usize,
    /// The operation `id`, or `line N`; different in every position of the suite.
    pub id: String,
    pub fen: String,
    pub variant: Variant,
    pub goal: Goal,
    /// The shortest known mate, in moves; negative if the side to move is mated.
    pub mate: Option<i32>,
    pub required: bool,
    /// The points of moves in UCI notation; empty if only the solution counts.
    pub points: Vec<(String, u32)>,
}

/// The answer that solves a position. Moves are in UCI notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    Best(Vec<String>),
    Avoid(Vec<String>),
    /// Any move, with a score of mate by the same side in at most this many moves.
    Mate(i32),
}

impl TacticsSuite {
    pub fn parse(name: &str, text: &str) -> Result<TacticsSuite> {
        let EpdFile { entries, skipped, mended, unknown } = EpdFile::parse(name, text);
        let mut suite = Suite { skipped, mended, unknown, ..Suite::of_text(name, text) };
        let mut ids = HashSet::new();
        for (line, epd) in entries {
            let mut position = match TacticsPosition::read(line, &epd) {
                Ok(position) => position,
                Err(problem) => {
                    suite.skipped.name(&format!("{name}:{line}: {problem}"));
                    continue;
                }
            };
            if epd.operands("bm").is_some() && epd.operands("am").is_some() {
                suite.mended.name(&format!("{name}:{line}: both bm and am: only bm solves"));
            }
            if !ids.insert(position.id.clone()) {
                suite.mended.name(&format!("{name}:{line}: id `{}` a second time", position.id));
                position.id = format!("{} (line {line})", position.id);
                ids.insert(position.id.clone());
            }
            suite.unreachable.name_unreachable(name, line, &position.fen, position.variant);
            suite.positions.push(position);
        }
        suite.checked()
    }
}

impl TacticsPosition {
    fn read(line: usize, epd: &Epd) -> Result<TacticsPosition> {
        let id = epd.id().map_or_else(|| format!("line {line}"), str::to_owned);
        let required =
            epd.operands("c9").is_some_and(|operands| operands.iter().any(|word| word == "required"));
        let (fen, variant) = (epd.fen.clone(), Variant::of_fen(&epd.fen));
        let (points, mate) = (read_points(epd, variant)?, read_mate(epd)?);
        Ok(TacticsPosition {
            line,
            id,
            fen,
            variant,
            goal: Goal::read(epd, variant, mate)?,
            mate,
            required,
            points,
        })
    }

    /// The theme of a numbered position: `STS(v1.0) Undermine` for `STS(v1.0) Undermine.001`.
    pub fn theme(&self) -> Option<&str> {
        let (theme, number) = self.id.rsplit_once('.')?;
        number.trim().bytes().all(|digit| digit.is_ascii_digit()).then_some(theme)
    }

    pub fn check_legal(&self, answer: &str) -> Result<(), IllegalMove> {
        // The FEN was checked when the suite was read.
        Referee::from_fen(&self.fen, self.variant)
            .map_or(Ok(()), |mut referee| referee.play(answer).map(drop))
    }

    pub fn points_for(&self, answer: &str) -> u32 {
        self.points.iter().find(|(played, _)| played == answer).map_or(0, |(_, points)| *points)
    }

    pub fn max_points(&self) -> u32 {
        self.points.iter().map(|(_, points)| *points).max().unwrap_or(0)
    }
}

/// The points in `c0`, if it lists moves with points and is not a remark, or those in `c8` for the moves in `c7`.
fn read_points(epd: &Epd, variant: Variant) -> Result<Vec<(String, u32)>> {
    let text = |opcode: &str| epd.operands(opcode).map(|operands| operands.join(" ")).unwrap_or_default();
    let part = |part: &str| {
        let (san, points) = part.trim().rsplit_once('=')?;
        Some((san.trim().to_owned(), points.trim().parse::<u32>().ok()?))
    };
    let listed: Option<Vec<(String, u32)>> = text("c0").split(',').map(part).collect();
    let (moves, points) = (text("c7"), text("c8"));
    let points: Option<Vec<u32>> = points.split_whitespace().map(|points| points.parse().ok()).collect();
    let beside = || {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        points
            .filter(|points| points.len() == moves.len())
            .map(|points| moves.into_iter().zip(points).collect())
    };
    let worth = listed.or_else(beside).unwrap_or_default().into_iter();
    let read: Vec<_> = worth.map(|(san, points)| Ok((epd.read_move("c0", &san, variant)?, points))).collect();
    // A remark may end in `=` and a number, as URLs do: then no part of it is a legal move.
    if read.iter().all(Result::is_err) { Ok(Vec::new()) } else { read.into_iter().collect() }
}

/// The moves of an operation, at least one; `None` without the operation.
fn read_moves(epd: &Epd, opcode: &'static str, variant: Variant) -> Result<Option<Vec<String>>> {
    match epd.operands(opcode) {
        None => Ok(None),
        Some(_) => match epd.moves(opcode, variant)? {
            moves if moves.is_empty() => {
                bail!("operation {opcode}: expected a move in algebraic notation, found none")
            }
            moves => Ok(Some(moves)),
        },
    }
}

/// The `#3` of `bm #3`.
fn mate_of_best(epd: &Epd) -> Option<&str> {
    match epd.operands("bm")? {
        [mate] => mate.strip_prefix('#'),
        _ => None,
    }
}

/// The mate in `dm 3` or `bm #3`.
fn read_mate(epd: &Epd) -> Result<Option<i32>> {
    let direct = || epd.operands("dm").map(|operands| ("dm", operands.join(" ")));
    let best = mate_of_best(epd).map(|moves| ("bm", moves.to_owned()));
    let Some((opcode, text)) = best.or_else(direct) else { return Ok(None) };
    let moves = text.parse().ok().filter(|moves| *moves != 0);
    moves.map(Some).with_context(|| {
        format!("operation {opcode}: expected the moves of a mate, such as 3, or -3 if the side to move is mated, found `{text}`")
    })
}

impl Goal {
    fn read(epd: &Epd, variant: Variant, mate: Option<i32>) -> Result<Goal> {
        let referee = Referee::from_fen(&epd.fen, variant).map_err(EpdMoveError::from)?;
        if let Some(end) = referee.end_without_moves() {
            bail!("expected a position with legal moves, but the game is over: {end}");
        }
        let best = if mate_of_best(epd).is_some() { None } else { read_moves(epd, "bm", variant)? };
        let avoid = match (read_moves(epd, "am", variant), &best) {
            // An illegal move need not be avoided.
            (Err(_), Some(_)) => None,
            (avoid, _) => avoid?,
        };
        match (best, avoid, mate) {
            (Some(mut best), avoid, _) => {
                best.retain(|found| !avoid.iter().flatten().any(|avoided| avoided == found));
                if best.is_empty() {
                    bail!("expected a best move that is not one to avoid: bm and am have the same moves");
                }
                Ok(Goal::Best(best))
            }
            (None, Some(avoid), _) => Ok(Goal::Avoid(avoid)),
            (None, None, Some(moves)) => Ok(Goal::Mate(moves)),
            (None, None, None) => bail!("expected one of the operations bm, am and dm, found none"),
        }
    }

    pub fn is_met_by(&self, answer: &str, mate: Option<i32>) -> bool {
        match self {
            Goal::Best(moves) => moves.iter().any(|m| m == answer),
            Goal::Avoid(moves) => moves.iter().all(|m| m != answer),
            Goal::Mate(known) => mate.is_some_and(|moves| {
                moves.signum() == known.signum() && moves.unsigned_abs() <= known.unsigned_abs()
            }),
        }
    }
}
