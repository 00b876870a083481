//! Control of squares (chapter "Évaluation de contrôle"): a square belongs to the side more of whose pieces can go
//! there.

use shakmaty::Board;

use super::score::Score;

/// Squares that White controls less those that Black does.
pub fn balance(board: &Board) -> Score {
    let mut attackers = [0i8; 64];
    for (square, piece) in board {
        let weight = piece.color.fold_wb(1, -1);
        for target in board.attacks_from(square) {
            attackers[usize::from(target)] += weight;
        }
    }
    attackers.iter().map(|difference| Score::from(difference.signum())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_belongs_to_who_has_more_pieces_on_it() {
        let alone: Board = "k7/8/8/8/8/8/8/K7".parse().unwrap();
        assert_eq!(balance(&alone), 0);
        let rook: Board = "k7/8/8/8/4R3/8/8/K7".parse().unwrap();
        assert_eq!(balance(&rook), 14);
        // Each rook has fourteen squares. e8 and h4 belong to nobody, and b8 is no more than Black's for two pieces.
        let rooks: Board = "k6r/8/8/8/4R3/8/8/K7".parse().unwrap();
        assert_eq!(balance(&rooks), 1);
    }
}
