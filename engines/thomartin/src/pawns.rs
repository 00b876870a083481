//! Weak pawns (chapter "Évaluation des pions"): a little less for each that is doubled, blocked or isolated. The report
//! says "slightly" and gives no figures; ten hundredths each decide only where material is level.

use shakmaty::{Bitboard, Board, Color, attacks};

use super::score::Score;

/// For each weakness of each pawn.
const PENALTY: Score = 10;

/// White's pawns less Black's.
pub fn balance(board: &Board) -> Score {
    let weaknesses = |side| weaknesses(board, side) as Score;
    PENALTY * (weaknesses(Color::Black) - weaknesses(Color::White))
}

fn weaknesses(board: &Board, side: Color) -> usize {
    let pawns = board.pawns() & board.by_color(side);
    let weak = |square: shakmaty::Square| {
        let ahead = square.offset(side.fold_wb(8, -8)).map_or(Bitboard::EMPTY, Bitboard::from_square);
        let on_file = (pawns & Bitboard::from_file(square.file())).without(square);
        // Followed by one of its own on the same file: counted once for each but the foremost.
        let is_doubled = on_file.into_iter().any(|other| is_ahead(side, other, square));
        let is_blocked = (board.occupied() & ahead).any();
        // In the report's words, without another pawn on a neighbouring square; not on a neighbouring file.
        let is_isolated = (attacks::king_attacks(square) & pawns).is_empty();
        [is_doubled, is_blocked, is_isolated].into_iter().filter(|weak| *weak).count()
    };
    pawns.into_iter().map(weak).sum()
}

fn is_ahead(side: Color, square: shakmaty::Square, of: shakmaty::Square) -> bool {
    side.fold_wb(square.rank() > of.rank(), square.rank() < of.rank())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fen: &str) -> usize {
        weaknesses(&fen.parse().unwrap(), Color::White)
    }

    #[test]
    fn each_weakness_counts_once() {
        assert_eq!(of("4k3/8/8/8/8/8/3PP3/4K3"), 0, "side by side");
        assert_eq!(of("4k3/8/8/8/8/8/3P4/4K3"), 1, "isolated");
        assert_eq!(of("4k3/8/8/8/3n4/3PP3/8/4K3"), 1, "one blocked");
        assert_eq!(of("4k3/8/8/3P4/8/8/3PP3/4K3"), 2, "one doubled, the other alone");
        assert_eq!(of("4k3/8/8/8/8/3P4/3P4/4K3"), 2, "doubled, and blocked by its own");
    }

    #[test]
    fn the_balance_is_the_opposite_with_colours_exchanged() {
        let board: Board = "4k3/pp2p3/8/3P4/8/8/3PP3/4K3".parse().unwrap();
        assert_eq!(balance(&board), -balance(&board.into_mirrored()));
        assert_ne!(balance(&"4k3/3pp3/8/8/8/8/3P4/4K3".parse().unwrap()), 0);
    }
}
