//! The KPK bitbase: who wins with king and pawn against king, by retrograde analysis (Ströhlein, 1970; Chess Programming
//! Wiki, "KPK").

use std::sync::LazyLock;

use super::pawn_sets;
use chess::{Bitboard, Color, Rank, Square, attacks};

/// Computed at the first use, in less than a millisecond.
static TABLE: LazyLock<KingPawnKing> = LazyLock::new(KingPawnKing::compute);

/// By squares of White's pawn and White's king: the squares on which Black's king is lost.
type LostSquares = [[Bitboard; 64]];

/// The bitbase, with the pawn always White's.
struct KingPawnKing {
    white_to_move: Box<LostSquares>,
    black_to_move: Box<LostSquares>,
}

/// Whether `stronger`, the side with the pawn, wins.
pub fn is_won(stronger: Color, side_to_move: Color, king: Square, pawn: Square, lone_king: Square) -> bool {
    let [king, pawn, lone_king] = [king, pawn, lone_king].map(|square| square.relative_to(stronger));
    let lost = if side_to_move == stronger { &TABLE.white_to_move } else { &TABLE.black_to_move };
    lost[pawn.index()][king.index()].has(lone_king)
}

impl KingPawnKing {
    /// The ranks are computed from the top, because a pawn only moves up.
    fn compute() -> KingPawnKing {
        let nothing = || vec![[Bitboard::EMPTY; 64]; 64].into_boxed_slice();
        let mut table = KingPawnKing { white_to_move: nothing(), black_to_move: nothing() };
        let pawns = Square::all().rev().filter(|square| !matches!(square.rank(), Rank::First | Rank::Eighth));
        for pawn in pawns {
            while table.step_back(pawn) {}
        }
        table
    }

    /// One step of the retrograde analysis for this pawn. Returns whether it changed anything.
    fn step_back(&mut self, pawn: Square) -> bool {
        let mut has_changed = false;
        for king in Square::all().filter(|&king| king != pawn) {
            let lost = self.lost_after_every_move(king, pawn);
            has_changed |= lost != self.black_to_move[pawn.index()][king.index()];
            self.black_to_move[pawn.index()][king.index()] = lost;
        }
        for king in Square::all().filter(|&king| king != pawn) {
            let lost = self.lost_after_some_move(king, pawn);
            has_changed |= lost != self.white_to_move[pawn.index()][king.index()];
            self.white_to_move[pawn.index()][king.index()] = lost;
        }
        has_changed
    }

    /// Where Black's king, to move, has a legal move but none that escapes.
    fn lost_after_every_move(&self, king: Square, pawn: Square) -> Bitboard {
        let attacked = attacks::king(king) | attacks::pawn(Color::White, pawn);
        let reachable = !attacked & !king.bitboard();
        let escapes = reachable & !self.white_to_move[pawn.index()][king.index()];
        possible(king, pawn) & near(reachable) & !near(escapes)
    }

    /// Where some move of White wins.
    fn lost_after_some_move(&self, king: Square, pawn: Square) -> Bitboard {
        let steps = attacks::king(king) & !pawn.bitboard();
        let by_king = steps.into_iter().map(|to| self.black_to_move[pawn.index()][to.index()]);
        let lost = by_king.fold(self.lost_after_advance(king, pawn), |lost, after| lost | after);
        lost & possible(king, pawn) & !attacks::pawn(Color::White, pawn)
    }

    /// Where a push of the pawn wins, by one square or by two.
    fn lost_after_advance(&self, king: Square, pawn: Square) -> Bitboard {
        let stop = pawn.bitboard().north();
        let Some(next) = stop.first().filter(|&next| next != king) else { return Bitboard::EMPTY };
        if next.rank() == Rank::Eighth {
            // The promoted piece (a rook, if a queen gives stalemate) wins if it is not captured at once.
            let is_defended = attacks::king(king).has(next);
            return if is_defended { !stop } else { !(stop | attacks::king(next)) };
        }
        let after = |pawn: Square| self.black_to_move[pawn.index()][king.index()];
        let second = stop.north().first().filter(|&second| pawn.rank() == Rank::Second && second != king);
        let by_two = second.map_or(Bitboard::EMPTY, |second| after(second) & !stop);
        after(next) | by_two
    }
}

/// The legal squares of Black's king, White to move or not.
fn possible(king: Square, pawn: Square) -> Bitboard {
    !(attacks::king(king) | king.bitboard() | pawn.bitboard())
}

/// The squares from which a king reaches one of the set.
fn near(set: Bitboard) -> Bitboard {
    let beside = pawn_sets::beside(set);
    let row = set | beside;
    beside | row.north() | row.south()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{File, PieceKind, Position};

    fn is_white_winning(fen: &str) -> bool {
        let position = Position::from_fen(fen).unwrap();
        let pawn = position.pieces(Color::White, PieceKind::Pawn).first().unwrap();
        let [king, lone_king] = Color::ALL.map(|color| position.king(color));
        is_won(Color::White, position.side_to_move(), king, pawn, lone_king)
    }

    #[test]
    fn the_number_of_won_positions_is_that_of_stockfishs_bitbase() {
        let left_half = [File::A, File::B, File::C, File::D];
        let pawns = Square::all().filter(|pawn| left_half.contains(&pawn.file()));
        let count = |pawn: Square| {
            let lost = [&TABLE.white_to_move, &TABLE.black_to_move].map(|lost| lost[pawn.index()]);
            lost.as_flattened().iter().map(|lost| lost.count()).sum::<u32>()
        };
        assert_eq!(pawns.map(count).sum::<u32>(), 111_282);
    }

    #[test]
    fn opposition_and_the_rook_pawn_decide() {
        assert!(is_white_winning("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"));
        assert!(is_white_winning("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1"));
        assert!(is_white_winning("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1"));
        assert!(!is_white_winning("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1"));
        assert!(!is_white_winning("k7/8/K7/P7/8/8/8/8 w - - 0 1"));
    }

    #[test]
    fn black_has_the_same_chances_from_the_other_side() {
        let [king, pawn, lone_king] = ["e3", "e4", "e1"].map(|square| square.parse::<Square>().unwrap());
        assert!(is_won(Color::Black, Color::Black, king, pawn, lone_king));
    }
}
