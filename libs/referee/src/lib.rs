//! The independent referee: which moves are legal, when a game is over, and how games are written down.
//!
//! It is based on shakmaty and shares no code with `libs/chess` or the engines, so a bug there cannot hide here. Its interface
//! is plain text, moves in UCI notation and positions as FEN, so the runner, the books and the suites need no chess types of
//! their own.
//!
//! [`Referee`] judges one game. [`san`] translates between UCI and SAN, [`druelle::french`] reads French notation;
//! [`druelle::SavedGame`] saves a game; [`perft`] counts move sequences as a reference; [`PgnGame`] writes a game, [`PgnGames`]
//! reads games; [`Epd`] reads positions with operations; [`Tablebases`] have the results of positions with few pieces.

pub mod druelle;
mod epd;
mod epd_file;
mod fen;
mod files;
mod game_end;
pub mod openings;
pub mod perft;
mod pgn_game;
mod pgn_games;
mod polyglot;
pub mod san;
mod tablebases;
mod variant;
mod written_move;

pub use epd::{Epd, EpdError, EpdMoveError, EpdOperation};
pub use epd_file::EpdFile;
pub use fen::{FenError, pieces, unreachable};
pub use files::EpdFileError;
pub use game_end::{BrokenLine, GameEnd, GameResult, IllegalMove, IllegalReason, LineEnd, PlayedMove, Side};
pub use pgn_game::PgnGame;
pub use pgn_games::{
    AFTER_DECISION, GameIdentity, KnownGames, PgnGames, PlayerNames, ReadGame, is_book_comment,
};
pub use tablebases::{TableValue, TablebaseError, TablebaseProbeError, Tablebases};
pub use variant::Variant;

use san::SanError;
use shakmaty::{
    CastlingSide, Color, EnPassantMode, Move, Outcome, Position,
    fen::Fen,
    san::{San, Suffix},
    uci::UciMove,
    variant::VariantPosition,
    zobrist::Zobrist64,
};

/// Plies without a capture or pawn move after which a game is drawn.
const FIFTY_MOVES: u32 = 100;

/// The plies that a buffer has room for at first; longer games only cost a reallocation.
const USUAL_GAME: usize = 256;

/// The referee of one game.
///
/// Draws that a human player has to claim (threefold repetition, fifty-move rule) end the game automatically, as is usual
/// between engines. The opening's positions count for repetition if its moves are played here, and the halfmove clock of the
/// initial FEN counts for the fifty-move rule. Mate on the hundredth ply is mate.
///
/// Castling has exactly one notation in each [`Variant`]: the king's step (`e1g1`) in standard chess, and king takes rook
/// (`e1h1`) in Chess960. The other notation is an illegal move. UCI demands this, and accepting both is ambiguous in Chess960,
/// where `f1g1` may be castling or a king move.
#[derive(Clone, Debug)]
pub struct Referee {
    variant: Variant,
    start: VariantPosition,
    position: VariantPosition,
    /// The Zobrist keys of all positions of the game, the current one last.
    keys: Vec<Zobrist64>,
    in_check: bool,
    end: Option<GameEnd>,
}

impl Referee {
    /// A game from the usual start position of the variant.
    pub fn new(variant: Variant) -> Self {
        Self::from_position(variant.start(), variant)
    }

    /// A game from any position that can be played, even if no game reaches it (see the function `unreachable`). Missing clocks count as 0 and
    /// 1.
    ///
    /// # Errors
    /// [`FenError`] if a field cannot be read or the position cannot be played in the variant.
    pub fn from_fen(fen: &str, variant: Variant) -> Result<Self, FenError> {
        Ok(Self::from_position(fen::parse_position(fen, variant)?, variant))
    }

    /// A game from this position, or else from the usual start position of the variant.
    ///
    /// # Errors
    /// As for [`Self::from_fen`].
    pub fn from_start(fen: Option<&str>, variant: Variant) -> Result<Self, FenError> {
        fen.map_or_else(|| Ok(Self::new(variant)), |fen| Self::from_fen(fen, variant))
    }

    fn from_position(position: VariantPosition, variant: Variant) -> Self {
        let mut keys = Vec::with_capacity(USUAL_GAME);
        keys.push(position.zobrist_hash(EnPassantMode::Legal));
        let mut referee =
            Self { variant, start: position.clone(), position, keys, in_check: false, end: None };
        referee.judge();
        referee
    }

    /// The key of a start position, computed without a referee; `None` if the game is over there.
    fn key_of_start(position: &VariantPosition) -> Option<u64> {
        let goes_on = position.halfmoves() < FIFTY_MOVES && position.outcome().is_unknown();
        goes_on.then(|| position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0)
    }

    /// Plays a move, given in UCI notation, and judges the new position.
    ///
    /// A game that is drawn by repetition or the fifty-move rule may be continued; [`Self::outcome`] is then the new
    /// position's.
    ///
    /// # Errors
    /// [`IllegalMove`] if the text is not a legal move; the game is unchanged.
    pub fn play(&mut self, uci: &str) -> Result<PlayedMove, IllegalMove> {
        let (parsed, chosen) =
            find_move(&self.position, self.variant, uci).map_err(|reason| self.refuse(uci, reason))?;
        Ok(self.play_found(chosen, parsed))
    }

    fn play_san(&mut self, san: San) -> Result<PlayedMove, SanError> {
        let chosen = san::parsed_to_move(self, san)?;
        Ok(self.play_found(chosen, chosen.to_uci(self.variant.castling_mode())))
    }

    fn play_found(&mut self, chosen: Move, uci: UciMove) -> PlayedMove {
        let san = San::from_move(&self.position, chosen);
        self.position.play_unchecked(chosen);
        self.keys.push(self.position.zobrist_hash(EnPassantMode::Legal));
        self.judge();
        PlayedMove::new(san, self.suffix(), uci)
    }

    /// How the game ended; `None` while it is running.
    pub const fn outcome(&self) -> Option<GameEnd> {
        self.end
    }

    /// The end of a game that cannot go on: mate, stalemate, or by the variant. Games that are drawn in another way could.
    pub fn end_without_moves(&self) -> Option<GameEnd> {
        let is_last = |end: &GameEnd| {
            matches!(end, GameEnd::Checkmate { .. } | GameEnd::Stalemate | GameEnd::ByVariant { .. })
        };
        self.end.filter(is_last)
    }

    /// The variant of the game.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The side to move.
    pub fn turn(&self) -> Side {
        self.position.turn().into()
    }

    /// The current position as X-FEN, with an en-passant square only if a capture there is legal.
    pub fn fen(&self) -> String {
        fen::write(&self.position)
    }

    /// The pieces of the current position in any order, in the form of [`pieces`]: the square counted from a8, the letter,
    /// and whether the piece was promoted.
    pub fn pieces(&self) -> impl Iterator<Item = (usize, char, bool)> {
        let promoted = self.position.promoted();
        let board = self.position.board().clone().into_iter();
        board.map(move |(square, piece)| {
            (square.flip_vertical().to_usize(), piece.char(), promoted.contains(square))
        })
    }

    /// Whether a FEN of the current position has pieces, side to move and clocks only: no castling rights, no en-passant
    /// square, no pockets and no checks.
    pub fn has_only_pieces(&self) -> bool {
        let position = &self.position;
        position.castles().is_empty()
            && position.ep_square(EnPassantMode::Legal).is_none()
            && position.pockets().is_none()
            && position.remaining_checks().is_none()
    }

    /// The current position as X-FEN, with an en-passant square whenever a pawn attacks it, even if a pin forbids the capture.
    /// For tests of move generators.
    pub fn fen_with_attacked_ep_square(&self) -> String {
        Fen::from_position(&self.position, EnPassantMode::PseudoLegal).to_string()
    }

    /// The position that the game started from, written like [`Self::fen`].
    pub fn start_fen(&self) -> String {
        fen::write(&self.start)
    }

    /// A key that is equal for positions that are equal for the repetition rule: in pieces, side to move, castling rights and
    /// legal en-passant capture.
    pub fn position_key(&self) -> u64 {
        self.keys.last().map_or(0, |key| key.0)
    }

    /// The plies played since the start.
    pub fn ply(&self) -> usize {
        self.keys.len() - 1
    }

    /// The number of the next full move, counted as in FEN.
    pub fn move_number(&self) -> u32 {
        self.position.fullmoves().get()
    }

    /// Plies since the last capture or pawn move, including those before the initial FEN.
    pub fn halfmove_clock(&self) -> u32 {
        self.position.halfmoves()
    }

    /// Whether a side has only its king, and cannot win with it.
    pub fn is_bare(&self, side: Side) -> bool {
        let color = if side == Side::White { Color::White } else { Color::Black };
        let board = self.position.board();
        (board.by_color(color) & !board.kings()).is_empty() && self.position.has_insufficient_material(color)
    }

    /// The UCI notation of a move in one of the other notations that cutechess-cli accepts: SAN, coordinates with the signs of
    /// SAN, or castling as in the other [`Variant`] (`moveFromSanString` and `moveFromLanString` in `westernboard.cpp`). `None`
    /// if the move is illegal.
    pub fn read_as_cutechess(&self, text: &str) -> Option<String> {
        let position = &self.position;
        let san = San::from_ascii(text.trim_end_matches(['+', '#', '!', '?']).as_bytes());
        let by_coordinates = || {
            let uci =
                UciMove::from_ascii(text.replace(['x', '=', '+', '#', '!', '?'], "").as_bytes()).ok()?;
            uci.to_move(position).ok().or_else(|| other_castling(position, uci))
        };
        let found = san.ok().and_then(|san| san.to_move(position).ok()).or_else(by_coordinates)?;
        Some(found.to_uci(self.variant.castling_mode()).to_string())
    }

    /// Whether the side to move is in check.
    pub const fn is_check(&self) -> bool {
        self.in_check
    }

    /// All legal moves in UCI notation, in no particular order.
    pub fn legal_moves(&self) -> Vec<String> {
        let mode = self.variant.castling_mode();
        self.position.legal_moves().iter().map(|m| m.to_uci(mode).to_string()).collect()
    }

    /// Checks a line of moves, such as a principal variation, without playing it, and returns its length.
    ///
    /// Only legality counts: a line may continue after a repetition.
    ///
    /// # Errors
    /// [`BrokenLine`] with the number of legal moves and the first illegal one.
    pub fn check_line(&self, line: &[impl AsRef<str>]) -> Result<usize, BrokenLine> {
        walk(&self.position, self.variant, line, |_, _| ())?;
        Ok(line.len())
    }

    fn judge(&mut self) {
        self.in_check = self.position.is_check();
        self.end = if let Outcome::Known(outcome) = self.position.variant_outcome() {
            Some(GameEnd::ByVariant { winner: outcome.winner().map(Side::from) })
        } else if self.position.legal_moves().is_empty() {
            Some(if self.in_check {
                GameEnd::Checkmate { winner: self.turn().other() }
            } else {
                GameEnd::Stalemate
            })
        } else if self.position.is_insufficient_material() {
            Some(GameEnd::InsufficientMaterial)
        } else if self.has_occurred_three_times() {
            Some(GameEnd::ThreefoldRepetition)
        } else if self.halfmove_clock() >= FIFTY_MOVES && !self.pieces_return() {
            Some(GameEnd::FiftyMoves)
        } else {
            None
        };
    }

    /// Whether the current position has occurred for the third time.
    ///
    /// Only positions since the last irreversible move can be equal, and only every second one has the same side to move.
    /// If captured pieces return to the board, no capture or pawn move is irreversible.
    fn has_occurred_three_times(&self) -> bool {
        let Some((present, earlier)) = self.keys.split_last() else { return false };
        let reversible = if self.pieces_return() { usize::MAX } else { self.halfmove_clock() as usize };
        earlier
            .iter()
            .rev()
            .take(reversible)
            .skip(1)
            .step_by(2)
            .filter(|key| *key == present)
            .nth(1)
            .is_some()
    }

    fn pieces_return(&self) -> bool {
        self.position.pockets().is_some()
    }

    /// The SAN suffix of the last move. As lichess does, `#` marks every win on the board.
    const fn suffix(&self) -> Option<Suffix> {
        match self.end {
            Some(GameEnd::Checkmate { .. } | GameEnd::ByVariant { winner: Some(_) }) => {
                Some(Suffix::Checkmate)
            }
            _ if self.in_check => Some(Suffix::Check),
            _ => None,
        }
    }

    fn refuse(&self, text: &str, reason: IllegalReason) -> IllegalMove {
        IllegalMove { text: text.to_owned(), fen: self.fen(), reason }
    }
}

/// The legal move that a UCI text stands for, in the one notation of the variant.
fn find_move(
    position: &VariantPosition,
    variant: Variant,
    uci: &str,
) -> Result<(UciMove, Move), IllegalReason> {
    let parsed = UciMove::from_ascii(uci.as_bytes()).map_err(|_| IllegalReason::Unparsable)?;
    // Shakmaty accepts both notations of castling.
    match parsed.to_move(position).ok().filter(|found| found.to_uci(variant.castling_mode()) == parsed) {
        Some(found) => Ok((parsed, found)),
        None if other_castling(position, parsed).is_some() => Err(IllegalReason::OtherCastling),
        None => Err(IllegalReason::Illegal),
    }
}

/// The castling move that a king move stands for in either notation.
fn other_castling(position: &VariantPosition, uci: UciMove) -> Option<Move> {
    let UciMove::Normal { from, to, promotion: None } = uci else { return None };
    let is_meant = |castling: &Move| match *castling {
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(rook.file() > king.file());
            king == from && (rook == to || side.king_to(position.turn()) == to)
        }
        _ => false,
    };
    position.legal_moves().into_iter().find(is_meant)
}

/// Plays a line on a copy of the position, calls `visit` with each move and the position before it, and returns the last
/// position.
fn walk(
    position: &VariantPosition,
    variant: Variant,
    line: &[impl AsRef<str>],
    mut visit: impl FnMut(&VariantPosition, Move),
) -> Result<VariantPosition, BrokenLine> {
    let mut position = position.clone();
    for (legal, text) in line.iter().map(AsRef::as_ref).enumerate() {
        let (_, found) = find_move(&position, variant, text).map_err(|reason| BrokenLine {
            legal,
            cause: IllegalMove { text: text.to_owned(), fen: fen::write(&position), reason },
        })?;
        visit(&position, found);
        position.play_unchecked(found);
    }
    Ok(position)
}

#[cfg(test)]
mod tests;
