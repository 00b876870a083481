//! The position of a game, which grows by one move at a time.

use std::borrow::Cow;
use std::fmt;

use crate::PositionForm;
use referee::{Referee, Variant};
use uci::StartPosition;

/// Where a game began, and all moves since, kept as text so that each move only appends its own letters.
#[derive(Clone, Debug, Default)]
pub struct PositionLine {
    pub(super) start: StartPosition,
    /// The moves in UCI notation, separated by blanks.
    pub(super) moves: String,
    pub(super) variant: Variant,
}

impl PositionLine {
    /// The line of a game that begins at this position. The start position of standard chess is sent as `startpos`, which
    /// the books and the logs of some engines expect; a position of another variant is always sent as a FEN.
    pub fn new(fen: &str, variant: Variant) -> PositionLine {
        let mut line = PositionLine { variant, ..PositionLine::default() };
        if variant != Variant::Standard || fen != line.start.fen() {
            line.restart(fen);
        }
        line
    }

    /// A single position, which is sent as this FEN.
    pub fn from_fen(fen: impl Into<String>) -> PositionLine {
        PositionLine { start: StartPosition::Fen(fen.into()), ..PositionLine::default() }
    }

    /// Names this position, by its FEN, and only the moves after it from now on.
    pub fn restart(&mut self, fen: &str) {
        self.start = StartPosition::Fen(as_sent(fen, self.variant).into_owned());
        self.moves.clear();
    }

    /// Adds a move in UCI notation.
    pub fn play(&mut self, uci: &str) {
        if self.has_moves() {
            self.moves.push(' ');
        }
        self.moves.push_str(uci);
    }

    /// Adds a move that the referee has just played.
    pub fn extend(&mut self, uci: &str, referee: &Referee, form: PositionForm) {
        if form == PositionForm::Fen && referee.halfmove_clock() == 0 {
            self.restart(&referee.fen());
        } else {
            self.play(uci);
        }
    }

    pub(super) const fn has_moves(&self) -> bool {
        !self.moves.is_empty()
    }
}

/// Writes the `position` command of UCI.
impl fmt::Display for PositionLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position {}", self.start)?;
        if self.has_moves() { write!(f, " moves {}", self.moves) } else { Ok(()) }
    }
}

/// A FEN as engines get it. Chess960 castling rights are the files of the rooks, as fastchess and cutechess send them.
fn as_sent(fen: &str, variant: Variant) -> Cow<'_, str> {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    let [board, _, castling, ..] = fields[..] else { return fen.into() };
    if variant != Variant::Chess960 {
        return fen.into();
    }
    let files_of = |rook: char| {
        let rank = if rook == 'R' { board.rsplit('/').next() } else { board.split('/').next() };
        let squares = rank.unwrap_or_default().chars().flat_map(|letter| {
            let width = letter.to_digit(10).unwrap_or(1);
            std::iter::repeat_n(letter, width as usize)
        });
        ('a'..='h').zip(squares).filter(move |(_, piece)| *piece == rook).map(|(file, _)| file)
    };
    let file = |right: char| match right {
        'K' => files_of('R').last().map(|file| file.to_ascii_uppercase()),
        'Q' => files_of('R').next().map(|file| file.to_ascii_uppercase()),
        'k' => files_of('r').last(),
        'q' => files_of('r').next(),
        _ => None,
    };
    let castling: String = castling.chars().map(|right| file(right).unwrap_or(right)).collect();
    fields[2] = &castling;
    fields.join(" ").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

    #[test]
    fn a_fen_takes_the_place_of_the_moves_before_a_capture_or_pawn_move() {
        let text = |form, moves: &[&str]| {
            let mut referee = Referee::new(Variant::Standard);
            let mut line = PositionLine::new(&referee.fen(), Variant::Standard);
            for uci in moves {
                referee.play(uci).unwrap();
                line.extend(uci, &referee, form);
            }
            line.to_string()
        };
        let moves = ["g1f3", "e7e5", "f3e5", "g8f6", "b1c3"];
        let after_capture = "rnbqkbnr/pppp1ppp/8/4N3/8/8/PPPPPPPP/RNBQKB1R b KQkq - 0 2";
        assert_eq!(text(PositionForm::Moves, &[]), "position startpos");
        assert_eq!(text(PositionForm::Moves, &moves), format!("position startpos moves {}", moves.join(" ")));
        assert_eq!(text(PositionForm::Fen, &moves[..1]), "position startpos moves g1f3");
        assert_eq!(text(PositionForm::Fen, &moves[..3]), format!("position fen {after_capture}"));
        assert_eq!(text(PositionForm::Fen, &moves), format!("position fen {after_capture} moves g8f6 b1c3"));
    }

    #[test]
    fn other_positions_and_other_variants_are_written_out() {
        let mut line = PositionLine::new(AFTER_E4, Variant::Standard);
        line.play("c7c5");
        assert_eq!(line.to_string(), format!("position fen {AFTER_E4} moves c7c5"));
        let start = StartPosition::Startpos.fen();
        // As fastchess 1.8.2 sends them.
        for (fen, sent) in [
            (start, start.replace("KQkq", "HAha").as_str()),
            (
                "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1",
                "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w EAea - 0 1",
            ),
            ("1k2r3/8/8/8/8/8/8/R1R1K3 w C - 0 1", "1k2r3/8/8/8/8/8/8/R1R1K3 w C - 0 1"),
            ("4k3/8/8/8/8/8/8/4K3 b - - 3 9", "4k3/8/8/8/8/8/8/4K3 b - - 3 9"),
        ] {
            let mut line = PositionLine::new(fen, Variant::Chess960);
            assert_eq!(line.to_string(), format!("position fen {sent}"));
            line.restart(fen);
            assert_eq!(line.to_string(), format!("position fen {sent}"));
        }
    }
}
