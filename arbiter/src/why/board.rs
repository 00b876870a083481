//! What a chess player sees in a position: its kind, and the features of each side.

use chess::{Bitboard, Color, File, PieceKind, Position, Rank, attacks};

/// The features in which one side may have more than the other, each with the unit in which it is counted.
pub const FEATURES: [(&str, &str); 15] = [
    ("passed pawns", "passed pawn on the sixth rank"),
    ("attack on the king", "attacked square around a king"),
    ("king's pawn shield", "pawn before its king"),
    ("piece activity", "ten attacked squares"),
    ("pieces under attack", "piece that a lesser one attacks"),
    ("doubled and isolated pawns", "weak pawn"),
    ("bishop pair", "pair"),
    ("rooks on open files", "rook"),
    ("queens", "queen"),
    ("material", "pawn's worth"),
    ("material with opposite bishops", "pawn's worth"),
    ("material without own pawns", "pawn's worth"),
    ("material in rook endings", "pawn's worth"),
    ("material in pawn endings", "pawn"),
    ("the move", "move"),
];

/// One side's count of each of the [`FEATURES`] minus the other side's.
pub type Balance = [f64; FEATURES.len()];

/// The features counted for each side alone; the last of them is material.
const OWN: usize = 10;

/// A king is under attack from this many attacked squares around it.
const ATTACKED_KING: f64 = 4.0;

/// With at most this many pieces other than pawns and kings, a position is an ending, such as a rook ending.
const FEW_PIECES: u32 = 4;

/// A position from the view of the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardFeatures {
    /// The side to move's count of each feature minus the opponent's.
    pub balance: Balance,
    pub material: &'static str,
    /// The side or sides whose king is attacked.
    pub king: &'static str,
    /// The side or sides with a far passed pawn.
    pub pawns: &'static str,
}

impl BoardFeatures {
    /// `None` if the position cannot be read.
    pub fn of_fen(fen: &str) -> Option<BoardFeatures> {
        let position = Position::from_fen(fen).ok()?;
        let us = position.side_to_move();
        let [ours, theirs] = [us, !us].map(|side| Side::of(&position, side));
        let mut balance = [1.0; FEATURES.len()];
        for (index, place) in balance[..OWN].iter_mut().enumerate() {
            *place = ours.has[index] - theirs.has[index];
        }
        let (lead, material) = (balance[OWN - 1], material(&position));
        let ahead = if lead >= 0.0 { us } else { !us };
        let kinds = [
            has_opposite_bishops(&position),
            position.pieces(ahead, PieceKind::Pawn).is_empty(),
            material == "rook endings",
            material == "pawn endings",
        ];
        balance[OWN..OWN + 4].copy_from_slice(&kinds.map(|is_so| if is_so { lead } else { 0.0 }));
        let of_sides = |ours: bool, theirs: bool, names: [&'static str; 4]| {
            names[usize::from(ours) + 2 * usize::from(theirs)]
        };
        let kings = ["no king attacked", "its king attacked", "attacking the king", "both kings attacked"];
        let pawns = [
            "no far passed pawn", "its own far passed pawn", "far passed pawn against it",
            "a race of passed pawns",
        ];
        Some(BoardFeatures {
            balance,
            material,
            king: of_sides(theirs.attacks_king, ours.attacks_king, kings),
            pawns: of_sides(ours.has_far_pawn, theirs.has_far_pawn, pawns),
        })
    }
}

struct Side {
    /// The first of the [`FEATURES`]. A passed pawn counts 1 on the sixth rank, 2¼ on the seventh, a ninth on the third.
    /// Pawns and pieces count 1, 3, 3¼, 5 and 9½ as material.
    has: [f64; OWN],
    /// Whether a passed pawn is on the sixth or seventh rank.
    has_far_pawn: bool,
    /// Whether a queen, or two pieces that have a queen, attack enough squares around the enemy king.
    attacks_king: bool,
}

impl Side {
    fn of(position: &Position, us: Color) -> Side {
        let (pawns, theirs) = (position.pieces(us, PieceKind::Pawn), position.pieces(!us, PieceKind::Pawn));
        let of = |kind| position.pieces(us, kind);
        let count = |kind| f64::from(of(kind).count());
        let target = position.king(!us);
        let around = attacks::king(target) | target.bitboard();
        let (mut king_attack, mut attackers, mut activity) = (0, 0, 0);
        let mut attacked_by_lesser = Bitboard::new(0);
        let pieces = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
        let enemies = |kinds: &[PieceKind]| {
            kinds.iter().fold(Bitboard::new(0), |found, kind| found | position.pieces(!us, *kind))
        };
        // `greater` indexes the first more valuable kind; knight and bishop are worth the same.
        for (kind, greater) in pieces.into_iter().zip([2, 2, 3, 4]) {
            for square in of(kind) {
                let attacked = attacks::of_kind(kind, square, position.occupied());
                let near = (attacked & around).count();
                king_attack += near;
                attackers += u32::from(near > 0) * if kind == PieceKind::Queen { 2 } else { 1 };
                activity += (attacked & !position.colored(us)).count();
                attacked_by_lesser |= attacked & enemies(&pieces[greater..]);
            }
        }
        for square in pawns {
            attacked_by_lesser |= attacks::pawn(us, square) & enemies(&pieces);
        }
        let passed: Vec<usize> = pawns
            .into_iter()
            .filter(|square| (ahead(*square, us, true) & theirs).is_empty())
            .filter(|square| (ahead(*square, us, false) & pawns).is_empty())
            .map(|square| square.relative_to(us).rank().index())
            .collect();
        let on_file =
            |file: usize| File::from_index(file).map_or(0, |file| (pawns & Bitboard::of_file(file)).count());
        let weak = (0..8_usize).map(|file| {
            let beside = file.checked_sub(1).map_or(0, on_file) + on_file(file + 1);
            let here = on_file(file);
            here.saturating_sub(1) + if beside == 0 { here } else { 0 }
        });
        let king = position.king(us);
        let before_king = king.relative_to(us).rank().index() + 1;
        let near_ranks = [before_king, before_king + 1].into_iter().filter_map(Rank::from_index);
        let near =
            near_ranks.fold(Bitboard::new(0), |found, rank| found | Bitboard::of_rank(rank.relative_to(us)));
        let shield = (ahead(king, us, true) & near & pawns).count();
        let open_rooks =
            of(PieceKind::Rook).into_iter().filter(|square| on_file(square.file().index()) == 0).count();
        let has_queen = of(PieceKind::Queen).any();
        let king_attack = f64::from(king_attack) * if has_queen { 1.0 } else { 0.25 };
        let material = count(PieceKind::Pawn)
            + 3.0 * count(PieceKind::Knight)
            + 3.25 * count(PieceKind::Bishop)
            + 5.0 * count(PieceKind::Rook)
            + 9.5 * count(PieceKind::Queen);
        let has = [
            passed.iter().map(|rank| ((*rank as f64 - 1.0) / 4.0).powi(2)).sum(),
            // An attack without a queen counts little, and a shield against no queen counts nothing.
            king_attack,
            f64::from(shield) * f64::from(position.pieces(!us, PieceKind::Queen).any()),
            f64::from(activity) / 10.0,
            f64::from(attacked_by_lesser.count()),
            f64::from(weak.sum::<u32>()),
            f64::from(of(PieceKind::Bishop).more_than_one()),
            open_rooks as f64,
            count(PieceKind::Queen),
            material,
        ];
        Side {
            has,
            has_far_pawn: passed.iter().any(|rank| *rank >= 5),
            attacks_king: king_attack >= ATTACKED_KING && attackers >= 2 && has_queen,
        }
    }
}

/// The squares ahead on the square's file and, if `is_wide`, on the adjacent files.
fn ahead(square: chess::Square, us: Color, is_wide: bool) -> Bitboard {
    let file = Bitboard::of_file(square.file());
    let files = if is_wide { file | file.east() | file.west() } else { file };
    let rank = square.relative_to(us).rank().index();
    let ranks = (rank + 1..8).filter_map(Rank::from_index);
    ranks.fold(Bitboard::new(0), |found, rank| found | Bitboard::of_rank(rank.relative_to(us))) & files
}

fn has_opposite_bishops(position: &Position) -> bool {
    let bishops = Color::ALL.map(|side| position.pieces(side, PieceKind::Bishop));
    let [one, other] = bishops.map(|bishops| if bishops.more_than_one() { None } else { bishops.first() });
    let shade = |square: chess::Square| (square.file().index() + square.rank().index()) % 2;
    one.zip(other).is_some_and(|(one, other)| shade(one) != shade(other))
}

fn material(position: &Position) -> &'static str {
    let count = |kind| position.of_kind(kind).count();
    let [minors, rooks, queens] = [
        count(PieceKind::Knight) + count(PieceKind::Bishop),
        count(PieceKind::Rook),
        count(PieceKind::Queen),
    ];
    let knights = count(PieceKind::Knight);
    match (queens, rooks, minors) {
        (0, 0, 0) => "pawn endings",
        (0, 0, _) if knights == 0 && minors == 2 && has_opposite_bishops(position) => {
            "opposite-bishop endings"
        }
        (0, 0, _) => "minor-piece endings",
        (0, _, 0) => "rook endings",
        (0, _, _) if rooks + minors <= FEW_PIECES => "endings with rooks and minor pieces",
        (0, _, _) => "queenless middlegames",
        (_, 0, 0) => "queen endings",
        _ if queens + rooks + minors <= FEW_PIECES => "endings with queens and others",
        _ if queens + rooks + minors >= 12 => "openings",
        _ => "middlegames",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> BoardFeatures {
        BoardFeatures::of_fen(fen).unwrap()
    }

    /// The feature's balance in hundredths.
    fn feature(fen: &str, name: &str) -> i32 {
        let value = board(fen).balance[FEATURES.iter().position(|(feature, _)| *feature == name).unwrap()];
        (value * 100.0).round() as i32
    }

    #[test]
    fn the_kind_of_material_is_what_a_player_calls_it() {
        for (fen, kind) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "openings"),
            ("r2q1rk1/ppp2ppp/2n1b3/8/8/2N1B3/PPP2PPP/R2Q1RK1 w - - 0 12", "middlegames"),
            ("r4rk1/ppp2ppp/2n1b3/8/8/2N1B3/PPP2PPP/R4RK1 w - - 0 14", "queenless middlegames"),
            ("8/5pk1/6p1/8/r7/6P1/1R3PK1/8 w - - 0 40", "rook endings"),
            ("8/5pk1/6p1/8/8/6P1/5PK1/8 w - - 0 40", "pawn endings"),
            ("8/5pk1/6p1/3b4/8/4B1P1/5PK1/8 w - - 0 40", "opposite-bishop endings"),
            ("8/5pk1/6p1/3b4/8/5BP1/5PK1/8 w - - 0 40", "minor-piece endings"),
            ("8/5pk1/3q2p1/8/8/6P1/2Q2PK1/8 w - - 0 40", "queen endings"),
        ] {
            assert_eq!(board(fen).material, kind, "{fen}");
        }
    }

    #[test]
    fn what_a_side_has_is_counted_for_it_and_against_the_other() {
        let white = "6k1/5ppp/8/3P4/8/8/5PPP/6K1 w - - 0 30";
        let black = white.replace(" w ", " b ");
        assert_eq!((feature(white, "passed pawns"), feature(&black, "passed pawns")), (56, -56));
        assert_eq!((feature(white, "material"), feature(&black, "material")), (100, -100));
        assert_eq!(feature(white, "doubled and isolated pawns"), 100);
        // Of two doubled pawns, only the front one is passed.
        assert_eq!(feature("6k1/8/3P4/3P4/8/8/8/6K1 w - - 0 30", "passed pawns"), 100);
        let attacked = "6k1/5pp1/8/6NQ/8/8/5PPP/6K1 b - - 0 30";
        assert!(feature(attacked, "attack on the king") <= -400);
        assert_eq!((board(attacked).king, board(white).king), ("its king attacked", "no king attacked"));
        // Three pawns stand before the king, but there is no queen to shield it from.
        assert_eq!(feature(attacked, "king's pawn shield"), 200);
        assert_eq!(feature("6k1/8/2r5/8/4N3/8/8/6K1 w - - 0 1", "pieces under attack"), 0);
        assert_eq!(feature("6k1/8/2r5/4N3/8/8/8/6K1 w - - 0 1", "pieces under attack"), 100);
        assert_eq!(feature("6k1/8/4b3/8/8/4B3/P7/6K1 w - - 0 1", "material with opposite bishops"), 100);
        assert_eq!(board("6k1/8/3P4/8/8/8/8/6K1 w - - 0 1").pawns, "its own far passed pawn");
    }
}
