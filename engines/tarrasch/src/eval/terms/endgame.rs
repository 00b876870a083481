//! Endgames: scale factors for drawish ones, the KPK bitbase, and mating a lone king.

use std::sync::LazyLock;

use super::super::feature::LONE_KING;
use super::super::trace::Trace;
use super::super::{PhasedScore, pawn_sets};
use chess::{Bitboard, Color, File, PieceKind, Position, Rank, Square, attacks};

/// The stronger side cannot win.
const DRAWN: i32 = 0;
const DRAWISH_ROOKS: i32 = 32;
/// Bishops of opposite colours without other pieces.
const OPPOSITE_BISHOPS: i32 = 28;
/// Bishops of opposite colours with other pieces.
const OPPOSITE_BISHOPS_AND_MORE: i32 = 50;
/// No pawns, and a lead of at most a minor piece.
const HARDLY_WINNABLE: i32 = 10;

/// The files a and c, and the files f and h.
const ROOK_AND_BISHOP: [Bitboard; 2] =
    [Bitboard::new(0x0505_0505_0505_0505), Bitboard::new(0xA0A0_A0A0_A0A0_A0A0)];

/// The scale of the `stronger` side's endgame score, from 0 to [`PhasedScore::FULL_SCALE`].
pub fn scale(position: &Position, stronger: Color) -> i32 {
    let pawns = position.pieces(stronger, PieceKind::Pawn);
    if pawns.is_empty() {
        return without_pawns(position, stronger);
    }
    if is_held_pawn(position, stronger) || has_wrong_rook_pawns(position, stronger) {
        return DRAWN;
    }
    if has_opposite_bishops(position) {
        let has_more = |color| pieces_value(position, color) > piece_value(PieceKind::Bishop);
        let more = Color::ALL.into_iter().any(has_more);
        return if more { OPPOSITE_BISHOPS_AND_MORE } else { OPPOSITE_BISHOPS };
    }
    if has_one_rook_each(position) && is_held_by_rook(position, stronger) {
        return DRAWISH_ROOKS;
    }
    PhasedScore::FULL_SCALE
}

/// Whether this is a drawn ending of king and pawn against king.
fn is_held_pawn(position: &Position, stronger: Color) -> bool {
    let pawns = position.of_kind(PieceKind::Pawn);
    let kings = position.of_kind(PieceKind::King);
    let Some(pawn) = pawns.first().filter(|pawn| position.occupied() == kings | pawn.bitboard()) else {
        return false;
    };
    let (king, lone_king) = (position.king(stronger), position.king(!stronger));
    !is_kpk_won(stronger, position.side_to_move(), king, pawn, lone_king)
}

/// Whether all pawns are on the a-file or all on the h-file, the enemy king is at their promotion corner, and no bishop
/// attacks that corner.
fn has_wrong_rook_pawns(position: &Position, stronger: Color) -> bool {
    let pawns = position.pieces(stronger, PieceKind::Pawn);
    let file = pawn_sets::files(pawns);
    if file != Bitboard::of_file(File::A) && file != Bitboard::of_file(File::H) {
        return false;
    }
    let kings_and_pawns = position.of_kind(PieceKind::King) | position.of_kind(PieceKind::Pawn);
    let bishops = position.pieces(stronger, PieceKind::Bishop);
    let corner = file & Bitboard::back_rank(!stronger);
    let is_right = |bishop: Bitboard| (bishop & Bitboard::DARK).any() == (corner & Bitboard::DARK).any();
    position.occupied() == kings_and_pawns | bishops
        && !bishops.into_iter().any(|bishop| is_right(bishop.bitboard()))
        && corner.first().is_some_and(|corner| position.king(!stronger).distance(corner) <= 1)
}

/// Whether each side has one rook and no other piece.
fn has_one_rook_each(position: &Position) -> bool {
    Color::ALL.iter().all(|&color| {
        let rooks = position.pieces(color, PieceKind::Rook);
        let pieces = position.colored(color) & !position.of_kind(PieceKind::Pawn);
        rooks.count() == 1 && pieces == rooks | position.king(color).bitboard()
    })
}

/// Whether the weaker side has no pawns and its king stands in front of a single pawn, or of pawns on the files of
/// [`ROOK_AND_BISHOP`].
fn is_held_by_rook(position: &Position, stronger: Color) -> bool {
    let [ours, theirs] = [stronger, !stronger].map(|color| position.pieces(color, PieceKind::Pawn));
    let is_hard =
        ours.count() == 1 || (ours.count() == 2 && ROOK_AND_BISHOP.contains(&pawn_sets::files(ours)));
    let way = pawn_sets::in_front(ours | pawn_sets::beside(ours), stronger);
    theirs.is_empty() && is_hard && way.has(position.king(!stronger))
}

fn without_pawns(position: &Position, stronger: Color) -> i32 {
    let (ours, theirs) = (pieces_value(position, stronger), pieces_value(position, !stronger));
    let only_knights =
        ours == piece_value(PieceKind::Knight) * position.pieces(stronger, PieceKind::Knight).count() as i32;
    if ours <= piece_value(PieceKind::Bishop) || (only_knights && ours <= 2 * piece_value(PieceKind::Knight))
    {
        // At most a minor piece or two knights: no forced mate.
        DRAWN
    } else if ours - theirs <= piece_value(PieceKind::Bishop) {
        HARDLY_WINNABLE
    } else {
        PhasedScore::FULL_SCALE
    }
}

fn has_opposite_bishops(position: &Position) -> bool {
    let bishops = Color::ALL.map(|color| position.pieces(color, PieceKind::Bishop));
    let is_dark = |bishop: Bitboard| (bishop & Bitboard::DARK).any();
    bishops.iter().all(|bishop| bishop.count() == 1) && is_dark(bishops[0]) != is_dark(bishops[1])
}

/// The piece values used here, in pawns. The weights of the evaluation would change with each tuning.
fn piece_value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 1,
        PieceKind::Knight | PieceKind::Bishop => 3,
        PieceKind::Rook => 5,
        PieceKind::Queen => 9,
        PieceKind::King => 0,
    }
}

/// The value of a side's pieces without pawns.
fn pieces_value(position: &Position, color: Color) -> i32 {
    let kinds = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
    kinds.into_iter().map(|kind| piece_value(kind) * position.pieces(color, kind).count() as i32).sum()
}

/// The bitbase of king and pawn against king, by retrograde analysis (Ströhlein, 1970; Chess Programming Wiki, "KPK").
/// Computed at the first use, in less than a millisecond.
static KPK: LazyLock<KingPawnKing> = LazyLock::new(KingPawnKing::compute);

/// For each square of White's pawn and White's king, the squares on which Black's king is lost.
type LostSquares = [[Bitboard; 64]];

/// The bitbase, with the pawn always White's.
struct KingPawnKing {
    white_to_move: Box<LostSquares>,
    black_to_move: Box<LostSquares>,
}

/// Whether `stronger`, the side with the pawn, wins.
fn is_kpk_won(stronger: Color, side_to_move: Color, king: Square, pawn: Square, lone_king: Square) -> bool {
    let [king, pawn, lone_king] = [king, pawn, lone_king].map(|square| square.relative_to(stronger));
    let lost = if side_to_move == stronger { &KPK.white_to_move } else { &KPK.black_to_move };
    lost[pawn.index()][king.index()].has(lone_king)
}

impl KingPawnKing {
    /// Computes the ranks of the pawn from the top, because a pawn only moves up.
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

    /// The squares on which Black's king, to move, has legal moves but all of them lose.
    fn lost_after_every_move(&self, king: Square, pawn: Square) -> Bitboard {
        let attacked = attacks::king(king) | attacks::pawn(Color::White, pawn);
        let reachable = !attacked & !king.bitboard();
        let escapes = reachable & !self.white_to_move[pawn.index()][king.index()];
        possible(king, pawn) & near(reachable) & !near(escapes)
    }

    /// The squares of Black's king for which White, to move, has a winning move.
    fn lost_after_some_move(&self, king: Square, pawn: Square) -> Bitboard {
        let steps = attacks::king(king) & !pawn.bitboard();
        let by_king = steps.into_iter().map(|to| self.black_to_move[pawn.index()][to.index()]);
        let lost = by_king.fold(self.lost_after_advance(king, pawn), |lost, after| lost | after);
        lost & possible(king, pawn) & !attacks::pawn(Color::White, pawn)
    }

    /// The squares of Black's king for which a pawn push, by one square or by two, wins.
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

/// Drives a lone king to the edge (with bishop and knight, to a corner of the bishop's colour) and our king towards it.
///
/// The weights are chosen, not tuned, so that they outweigh all other terms: they guide the search until it sees the
/// mate.
pub fn count_lone_king(position: &Position, us: Color, trace: &mut impl Trace) {
    if position.colored(!us).more_than_one() || !can_mate(position, us) {
        return;
    }
    let (ours, theirs) = (position.king(us), position.king(!us));
    let driven = if needs_right_corner(position, us) {
        wrong_diagonal_distance(theirs, position.pieces(us, PieceKind::Bishop))
    } else {
        centre_distance(theirs)
    };
    trace.add(us, LONE_KING.at(0), driven);
    trace.add(us, LONE_KING.at(1), 7 - i32::from(ours.distance(theirs)));
}

fn can_mate(position: &Position, us: Color) -> bool {
    let count = |kind| position.pieces(us, kind).count();
    let (knights, bishops) = (count(PieceKind::Knight), count(PieceKind::Bishop));
    count(PieceKind::Queen) + count(PieceKind::Rook) > 0 || bishops >= 2 || (bishops == 1 && knights >= 1)
}

fn needs_right_corner(position: &Position, us: Color) -> bool {
    let others = position.colored(us)
        & !(position.of_kind(PieceKind::King)
            | position.of_kind(PieceKind::Bishop)
            | position.of_kind(PieceKind::Knight));
    others.is_empty() && position.pieces(us, PieceKind::Bishop).count() == 1
}

/// The Manhattan distance from the four centre squares, 0 to 6.
fn centre_distance(square: Square) -> i32 {
    let outward = |index: usize| if index < 4 { 3 - index } else { index - 4 } as i32;
    outward(square.file().index()) + outward(square.rank().index())
}

/// The distance from the diagonal between the corners that the bishop does not attack, 0 to 7. Unlike the distance from
/// the right corners, it changes with every step along the edge.
fn wrong_diagonal_distance(square: Square, bishop: Bitboard) -> i32 {
    let (file, rank) = (square.file().index() as i32, square.rank().index() as i32);
    let is_dark = (bishop & Bitboard::DARK).any();
    if is_dark { (7 - file - rank).abs() } else { (file - rank).abs() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Term, explain};
    use chess::{File, Position};

    #[test]
    fn drawish_endings_are_scaled_down() {
        for (board, scale) in [
            ("4k3/8/8/8/8/8/8/2NNK3 w", DRAWN),
            ("4k3/4p3/8/8/8/8/8/2B1K3 w", DRAWN),
            ("4kb2/8/8/8/8/8/8/2R1K3 w", HARDLY_WINNABLE),
            ("4kb2/4p3/8/8/8/8/4P3/2B1K3 w", PhasedScore::FULL_SCALE),
            ("2b1k3/4p3/8/8/8/8/4P3/2B1K3 w", OPPOSITE_BISHOPS),
            ("2b1k2r/4p3/8/8/8/8/4P3/2B1K2R w", OPPOSITE_BISHOPS_AND_MORE),
            // King and pawn, and rook pawns with a bishop.
            ("4k3/8/8/8/4P3/8/8/4K3 b", DRAWN),
            ("8/8/8/1k6/8/4K3/4P3/8 w", PhasedScore::FULL_SCALE),
            ("4k3/8/4K3/4P3/8/8/8/8 w", PhasedScore::FULL_SCALE),
            ("4k3/8/4K3/4P3/8/8/8/8 b", PhasedScore::FULL_SCALE),
            ("8/8/4k3/8/4K3/4P3/8/8 b", PhasedScore::FULL_SCALE),
            ("8/8/4k3/8/4K3/4P3/8/8 w", DRAWN),
            ("k7/8/K7/P7/8/8/8/8 w", DRAWN),
            ("1k6/8/1K6/P7/P7/8/8/8 w", DRAWN),
            ("1k6/8/1K6/P7/8/8/2B5/8 w", PhasedScore::FULL_SCALE),
            ("1k6/8/1K6/P7/8/8/3B4/8 w", DRAWN),
            ("6k1/8/6K1/7P/8/8/2B5/8 w", DRAWN),
            // Rook endings with the king in front of the pawns, and others.
            ("4k3/8/8/4P3/8/8/r7/3RK3 w", DRAWISH_ROOKS),
            ("6k1/8/8/5P1P/8/8/r7/3RK3 w", DRAWISH_ROOKS),
            ("4k3/p7/8/4P3/8/8/r7/3RK3 w", PhasedScore::FULL_SCALE),
            ("1k6/8/8/4P3/8/8/r7/3RK3 w", PhasedScore::FULL_SCALE),
            ("6k1/8/8/5PP1/8/8/r7/3RK3 w", PhasedScore::FULL_SCALE),
            ("4k3/8/8/4P3/8/8/r7/3RKN2 w", PhasedScore::FULL_SCALE),
            // Won without pawns.
            ("4k3/8/8/8/8/8/8/R3K3 w", PhasedScore::FULL_SCALE),
            ("4k3/8/8/8/8/8/8/1NB1K3 w", PhasedScore::FULL_SCALE),
        ] {
            let position = Position::from_fen(&format!("{board} - - 0 1")).unwrap();
            assert_eq!(super::scale(&position, Color::White), scale, "{board}");
        }
        let black_wins = Position::from_fen("8/8/8/8/4p3/4k3/8/4K3 b - - 0 1").unwrap();
        assert_eq!(scale(&black_wins, Color::Black), PhasedScore::FULL_SCALE);
    }

    #[test]
    fn the_number_of_won_positions_is_that_of_stockfishs_bitbase() {
        let left_half = [File::A, File::B, File::C, File::D];
        let pawns = Square::all().filter(|pawn| left_half.contains(&pawn.file()));
        let count = |pawn: Square| {
            let lost = [&KPK.white_to_move, &KPK.black_to_move].map(|lost| lost[pawn.index()]);
            lost.as_flattened().iter().map(|lost| lost.count()).sum::<u32>()
        };
        assert_eq!(pawns.map(count).sum::<u32>(), 111_282);
    }

    fn eg(fen: &str) -> i32 {
        explain(&Position::from_fen(fen).unwrap()).score(Term::LoneKing, Color::White).eg()
    }

    #[test]
    fn a_lone_king_belongs_at_the_edge_and_for_bishop_and_knight_in_a_corner_of_the_bishops_colour() {
        assert!(eg("k7/8/2K5/8/8/8/8/1R6 w - - 0 1") > eg("8/8/2K1k3/8/8/8/8/1R6 w - - 0 1"));
        assert_eq!(eg("k7/p7/2K5/8/8/8/8/R7 w - - 0 1"), 0);

        // The bishop on c1 goes on dark squares; a1 is dark, a8 light.
        let right = eg("8/8/8/8/8/2K5/8/k1B1N3 w - - 0 1");
        let wrong = eg("k7/8/2K5/8/8/8/8/2B1N3 w - - 0 1");
        assert!(right > wrong);
        let on_the_way = eg("8/8/8/8/k7/2K5/8/2B1N3 w - - 0 1");
        assert!(right > on_the_way && on_the_way > eg("8/k7/8/8/8/2K5/8/2B1N3 w - - 0 1"));
    }
}
