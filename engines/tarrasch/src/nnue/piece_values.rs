//! The value of each piece to the network on its square.

use std::fmt;

use chess::{Color, File, PieceKind, Position, Rank, Square};

use super::board::Board;
use super::network::Network;

/// The network's value of a position, and that of each piece: the difference to the board without it.
#[derive(Clone, Debug)]
pub struct PieceValues {
    /// The value for the side to move, in centipawns.
    pub value: i32,
    /// For each square from a1 on: the letter of the piece and its value for White in centipawns. Kings have no value.
    pieces: [Option<(char, Option<i32>)>; 64],
}

impl PieceValues {
    /// Evaluates the position, and the board without each of its pieces.
    pub fn new(network: &Network, position: &Position) -> PieceValues {
        let (board, us) = (Board::of(position), position.side_to_move());
        let value = network.evaluate_board(&board, us);
        let sign = if us == Color::White { 1 } else { -1 };
        let mut pieces = [None; 64];
        for square in board.occupied() {
            let worth = || sign * (value - network.evaluate_board(&board.without(square), us));
            pieces[square.index()] = board
                .piece_on(square)
                .map(|piece| (piece.letter(), (piece.kind != PieceKind::King).then(worth)));
        }
        PieceValues { value, pieces }
    }

    /// The value of the piece on a square for White in centipawns; `None` for a king or an empty square.
    pub fn worth(&self, square: Square) -> Option<i32> {
        self.pieces[square.index()].and_then(|(_, worth)| worth)
    }
}

/// The board with each piece and its value, two lines per rank.
impl fmt::Display for PieceValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "network: what each piece is worth for White, in cp")?;
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let piece = self.pieces[Square::new(file, rank).index()];
                write!(f, "{:>7}", piece.map_or('.', |(letter, _)| letter))?;
            }
            writeln!(f)?;
            for file in File::ALL {
                let worth = self.worth(Square::new(file, rank));
                write!(f, "{:>7}", worth.map(|worth| format!("{worth:+}")).unwrap_or_default())?;
            }
            writeln!(f)?;
        }
        write!(f, "network for the side to move: {} cp", self.value)
    }
}
