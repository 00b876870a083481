//! A block of games in the data of the game viewer.

use std::borrow::Cow;
use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;

use super::game_index::{GameIndex, GameRow, OpeningEntry};
use crate::results::ending::ending;
use referee::openings::OpeningName;
use referee::{GameResult, Referee, Side, Variant};
use runner::{GAME_LOGS_FOLDER, GameRecord, MoveRecord, MoveScore};

/// Games compressed together, and their rows in the index.
#[derive(Clone, Debug)]
pub struct GameBlock {
    pub games: Vec<GameData>,
    pub rows: Vec<GameRow>,
}

/// The part of a game that only the board needs.
#[derive(Clone, Debug, Serialize)]
pub struct GameData {
    pair: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    started: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<&'static str>,
    ending: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    called: Option<OpeningName>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<String>,
    /// The protocol log beside the page, if the run kept one.
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<String>,
    /// The moves of the engines, as indices into the table of moves.
    moves: Vec<usize>,
    /// See [`Replay::rights`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rights: Vec<(usize, String)>,
    #[serde(flatten)]
    columns: MoveColumns,
}

impl GameBlock {
    /// Makes a block of these games. Adds their moves, openings and endings to the tables of the index.
    pub fn new(records: &[&GameRecord], index: &mut GameIndex) -> GameBlock {
        let (games, rows) = records.iter().map(|record| entry(record, index)).unzip();
        GameBlock { games, rows }
    }
}

fn entry(record: &GameRecord, index: &mut GameIndex) -> (GameData, GameRow) {
    let variant = record.variant.unwrap_or(index.variant);
    let replay = Replay::of(record, variant);
    let mut book: Vec<usize> = replay.moves.iter().map(|text| index.move_number(text)).collect();
    let moves = book.split_off(record.opening.moves.len().min(book.len()));
    let shown = &record.moves[..moves.len()];
    let row = GameRow {
        number: record.game + 1,
        white: record.white,
        black: record.black,
        result: match record.result {
            Some(GameResult::WhiteWins) => 0,
            Some(GameResult::Draw) => 1,
            Some(GameResult::BlackWins) => 2,
            None => 3,
        },
        ending: index.ending_number(record.termination),
        plies: replay.moves.len(),
        opening: index.opening_number(OpeningEntry {
            number: record.opening.index + 1,
            fen: replay.start_fen,
            moves: book,
        }),
        marks: u32::from(record.termination.is_fault())
            | u32::from(!record.warnings.is_empty()) << 1
            | u32::from(record.after_decision) << 2,
    };
    let data = GameData {
        pair: record.pair + 1,
        started: record.is_dated().then_some(record.started),
        variant: variant.in_pgn(),
        ending: ending(record),
        called: record.opening_name(variant),
        warnings: record.warnings.clone(),
        trouble: replay.trouble,
        log: index.logs.has(record.game).then(|| format!("{GAME_LOGS_FOLDER}/{}.log.gz", record.game + 1)),
        moves,
        rights: replay.rights,
        columns: MoveColumns::of(shown, record.first_to_move()),
    };
    (data, row)
}

/// A board without pieces, for a game whose first position cannot be read.
const EMPTY: &str = "8/8/8/8/8/8/8/8 w - - 0 1";

#[derive(Clone, Debug)]
pub struct Replay {
    pub start_fen: String,
    /// The legal moves of the opening and the engines: name and changes, `Nf3 g1.f3N`.
    pub moves: Vec<String>,
    /// Each change of castling rights, en passant square, pockets or checks: the first ply where it holds, and the new
    /// value. Ply 1 is the position after the first move.
    pub rights: Vec<(usize, String)>,
    pub trouble: Option<String>,
}

impl Replay {
    pub fn of(record: &GameRecord, variant: Variant) -> Replay {
        match Referee::from_fen(&record.opening.fen, variant) {
            Ok(referee) => Replay::from_start(record, referee),
            Err(error) => Replay {
                start_fen: EMPTY.to_owned(),
                moves: Vec::new(),
                rights: Vec::new(),
                trouble: Some(format!("The first position of this record cannot be read: {error}.")),
            },
        }
    }

    fn from_start(record: &GameRecord, mut referee: Referee) -> Replay {
        let (mut board, mut last_rights) = (Board::of(&referee), rights(&referee));
        let mut replay =
            Replay { start_fen: referee.fen(), moves: Vec::new(), rights: Vec::new(), trouble: None };
        let book = record.opening.moves.iter().map(|played| played.uci.as_str());
        for uci in book.chain(record.moves.iter().map(|played| played.uci.as_str())) {
            let played = match referee.play(uci) {
                Ok(played) => played,
                Err(error) => {
                    replay.trouble = Some(format!("The record goes on, but {error}."));
                    break;
                }
            };
            let next_board = Board::of(&referee);
            let changes = board.changes_to(&next_board, uci);
            replay.moves.push(format!("{} {changes}", played.san()));
            let next_rights = rights(&referee);
            if next_rights != last_rights {
                replay.rights.push((replay.moves.len(), next_rights.to_string()));
            }
            (board, last_rights) = (next_board, next_rights);
        }
        replay
    }
}

/// What a FEN has besides pieces, side to move and clocks: `KQkq -`, with pockets `[Qp]KQkq -`, with checks `KQkq - 3+2`.
fn rights(referee: &Referee) -> Cow<'static, str> {
    if referee.has_only_pieces() {
        return "- -".into();
    }
    let fen = referee.fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let pockets = fields[0].find('[').map_or("", |at| &fields[0][at..]);
    (pockets.to_owned() + &fields.get(2..fields.len().max(4) - 2).unwrap_or(&["-", "-"]).join(" ")).into()
}

/// Columns with one entry per move; empty columns are left out.
#[derive(Clone, Debug, Serialize)]
pub struct MoveColumns {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scores: Vec<Option<ShownScore>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depths: Vec<Option<u32>>,
    /// Selective depth minus depth, in plies; an unknown depth counts as 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    seldepths: Vec<Option<i64>>,
    /// Measured times in tenths of a millisecond; empty if none is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    times: Vec<u64>,
    /// What was added to the mover's clock, in tenths of a millisecond: time left + time of the move - time left before.
    /// It is nearly always the increment, which compresses well. Before the first move the clocks have 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clocks: Vec<Option<i64>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<Option<u64>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pondered: Vec<usize>,
}

/// A number of centipawns, or a text such as `M3` or `-M4`.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum ShownScore {
    Centipawns(i64),
    Mate(String),
}

impl MoveColumns {
    pub fn of(moves: &[MoveRecord], first: Side) -> MoveColumns {
        let sides = [first, first.other()].into_iter().cycle();
        let sided = || moves.iter().zip(sides.clone());
        MoveColumns {
            scores: column(
                sided().map(|(played, side)| Some(ShownScore::seen_by_white(played.score?, side))),
            ),
            depths: column(moves.iter().map(|played| played.depth)),
            seldepths: column(moves.iter().map(|played| {
                Some(i64::from(played.seldepth?) - i64::from(played.depth.unwrap_or_default()))
            })),
            times: if moves.iter().any(|played| !played.time.is_zero()) {
                moves.iter().map(|played| tenths(played.time) as u64).collect()
            } else {
                Vec::new()
            },
            clocks: clocks(sided()),
            nodes: column(moves.iter().map(|played| played.nodes)),
            pondered: (0..moves.len()).filter(|&at| moves[at].pondered).collect(),
        }
    }
}

impl ShownScore {
    fn seen_by_white(score: MoveScore, mover: Side) -> ShownScore {
        let sign = if mover == Side::White { 1 } else { -1 };
        match score {
            MoveScore::Cp(value) => ShownScore::Centipawns(sign * i64::from(value)),
            MoveScore::Mate(0) => ShownScore::Centipawns(0),
            MoveScore::Mate(moves) => {
                let is_for_white = (moves > 0) == (mover == Side::White);
                let minus = if is_for_white { "" } else { "-" };
                ShownScore::Mate(format!("{minus}M{}", moves.unsigned_abs()))
            }
        }
    }
}

fn clocks<'a>(moves: impl Iterator<Item = (&'a MoveRecord, Side)>) -> Vec<Option<i64>> {
    let mut left = [0, 0];
    column(moves.map(|(played, side)| {
        let left = &mut left[usize::from(side == Side::Black)];
        let now = tenths(played.clock_left?);
        let given = now + tenths(played.time) - *left;
        *left = now;
        Some(given)
    }))
}

/// The entries; empty if none is known.
fn column<T>(entries: impl Iterator<Item = Option<T>>) -> Vec<Option<T>> {
    let entries: Vec<Option<T>> = entries.collect();
    if entries.iter().any(Option::is_some) { entries } else { Vec::new() }
}

fn tenths(time: Duration) -> i64 {
    (time.as_micros() as i64 + 50) / 100
}

/// The piece on each square, from a8 to h1 as in a FEN, and whether it is marked as promoted; a dot for an empty square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board([(char, bool); 64]);

impl Board {
    fn of(referee: &Referee) -> Board {
        let mut squares = [('.', false); 64];
        for (at, piece, is_promoted) in referee.pieces() {
            squares[at] = (piece, is_promoted);
        }
        Board(squares)
    }

    /// The squares that a move changed with their new pieces: `g1.f3N`, `e1.g1Kh1.f1R`.
    ///
    /// The square that the move starts from comes first, then the square that its piece goes to, so that these two can be
    /// highlighted. If the king castles without moving (Chess960), only the rook's two squares are listed. A promoted piece
    /// is marked as in a FEN of crazyhouse, `d8Q~`.
    fn changes_to(&self, after: &Board, uci: &str) -> String {
        let mut changed: Vec<usize> = (0..64).filter(|&at| self.0[at] != after.0[at]).collect();
        let is_start = |at: usize| uci.chars().zip(square_name(at)).all(|(piece, name)| piece == name);
        let moved = changed.iter().find(|&&at| is_start(at)).map(|&at| self.0[at]);
        changed.sort_by_key(|&at| {
            let now = after.0[at];
            let order = [is_start(at), Some(now) == moved, now.0 != '.'];
            order.iter().position(|holds| *holds).unwrap_or(order.len())
        });
        let piece = |at: usize| [Some(after.0[at].0), after.0[at].1.then_some('~')].into_iter().flatten();
        changed.iter().flat_map(|&at| square_name(at).into_iter().chain(piece(at))).collect()
    }
}

fn square_name(at: usize) -> [char; 2] {
    [b'a' + (at % 8) as u8, b'8' - (at / 8) as u8].map(char::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::{Referee, Variant};

    fn changes(fen: &str, variant: Variant, uci: &str) -> String {
        let mut referee = Referee::from_fen(fen, variant).unwrap();
        let before = Board::of(&referee);
        referee.play(uci).unwrap();
        before.changes_to(&Board::of(&referee), uci)
    }

    #[test]
    fn every_kind_of_move_says_what_it_changes() {
        let standard = Variant::Standard;
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(changes(castling, standard, "e1g1"), "e1.g1Kf1Rh1.");
        assert_eq!(changes(castling, standard, "e1c1"), "e1.c1Kd1Ra1.");
        assert_eq!(changes(castling, standard, "h1h8"), "h1.h8R");
        assert_eq!(changes("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", standard, "e5d6"), "e5.d6Pd5.");
        assert_eq!(changes("3nk3/2P5/8/8/8/8/8/4K3 w - - 0 1", standard, "c7d8n"), "c7.d8N");
        let house = |fen, uci| changes(fen, Variant::Crazyhouse, uci);
        assert_eq!(house("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "N@f3"), "f3N");
        assert_eq!(house("8/2P1k3/8/8/8/8/8/4K3[] w - - 0 1", "c7c8q"), "c7.c8Q~");
        assert_eq!(house("2Q~5/4k3/8/8/8/8/8/4K3[] w - - 0 1", "c8c1"), "c8.c1Q~");
        assert_eq!(changes("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", Variant::Atomic, "e4d5"), "e4.d5.");
        let rights = |fen, variant| rights(&Referee::from_fen(fen, variant).unwrap());
        assert_eq!(rights("4k3/8/8/8/8/8/8/4K2R w - - 0 1", standard), "- -");
        assert_eq!(rights("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 2", standard), "K d6");
        assert_eq!(rights("4k3/8/8/8/8/8/8/4K3[Qp] w - - 0 1", Variant::Crazyhouse), "[Qp]- -");
        assert_eq!(rights("4k3/8/8/8/8/8/8/4K2R w K - 3+1 0 1", Variant::ThreeCheck), "K - 3+1");
        let changes = |fen, uci| changes(fen, Variant::Chess960, uci);
        assert_eq!(changes("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1"), "f1Rg1K");
        assert_eq!(changes("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1"), "f1Rh1.");
        assert_eq!(changes("1r2k3/8/8/8/8/8/8/1R2K3 w Bb - 0 1", "e1b1"), "e1.c1Kd1Rb1.");
    }
}
