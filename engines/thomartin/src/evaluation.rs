//! The evaluation (chapters "Évaluation matérielle", "Évaluation des pions", "Évaluation de
//! contrôle", "Tapered Evaluation" and "Lazy Evaluation").
//!
//! Material and piece squares always count. A doubled, blocked or isolated pawn costs a little: the report says
//! "slightly" without figures, and ten centipawns each matter only when material is level. A square belongs to the side
//! that attacks it with more pieces.

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square, attacks};

use super::phase::{Phase, lone_king};
use super::piece_square_tables::{bonus, lone_king_bonus};
use super::score::{Score, Window};

/// Pawns and control rarely change a score by more than this. The report gives no figure.
const LAZY_MARGIN: Score = 300;

/// White's advantage, exact only near the window: far from it, material is enough.
pub fn evaluate(board: &Board, phase: Phase, window: Window) -> Score {
    let material = material_balance(board, phase);
    let is_far = material + LAZY_MARGIN < window.alpha || material - LAZY_MARGIN > window.beta;
    if phase == Phase::LoneKing || is_far {
        return material;
    }
    material + pawn_balance(board) + control_balance(board) * phase.control_weight()
}

pub const fn piece_value(role: Role) -> Score {
    match role {
        Role::Pawn => 120,
        Role::Bishop => 320,
        Role::Knight => 330,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 20_000,
    }
}

/// The value of White's pieces on their squares minus Black's.
pub fn material_balance(board: &Board, phase: Phase) -> Score {
    let lone = (phase == Phase::LoneKing).then(|| lone_king(board)).flatten();
    let worth = |(square, piece): (Square, Piece)| {
        let place = if lone == Some(piece.color) {
            lone_king_bonus(square)
        } else {
            bonus(phase, piece.role, piece.color, square)
        };
        let worth = piece_value(piece.role) + place;
        piece.color.fold_wb(worth, -worth)
    };
    board.iter().map(worth).sum()
}

/// Whether a side has more than king and pawns, so that zugzwang is unlikely.
pub fn has_pieces(board: &Board, side: Color) -> bool {
    (board.by_color(side) & !board.kings() & !board.pawns()).any()
}

/// Centipawns per weakness of a pawn.
const PENALTY: Score = 10;

/// Black's pawn weaknesses minus White's, in centipawns.
pub fn pawn_balance(board: &Board) -> Score {
    let weaknesses = |side| weaknesses(board, side) as Score;
    PENALTY * (weaknesses(Color::Black) - weaknesses(Color::White))
}

fn weaknesses(board: &Board, side: Color) -> usize {
    let pawns = board.pawns() & board.by_color(side);
    let weak = |square: Square| {
        let ahead = square.offset(side.fold_wb(8, -8)).map_or(Bitboard::EMPTY, Bitboard::from_square);
        let on_file = (pawns & Bitboard::from_file(square.file())).without(square);
        // Another own pawn is ahead on the file, so all but the foremost pawn count.
        let is_doubled = on_file.into_iter().any(|other| is_ahead(side, other, square));
        let is_blocked = (board.occupied() & ahead).any();
        // The report's words are "without another pawn on a neighbouring square", not on a neighbouring file.
        let is_isolated = (attacks::king_attacks(square) & pawns).is_empty();
        [is_doubled, is_blocked, is_isolated].into_iter().filter(|weak| *weak).count()
    };
    pawns.into_iter().map(weak).sum()
}

fn is_ahead(side: Color, square: Square, of: Square) -> bool {
    side.fold_wb(square.rank() > of.rank(), square.rank() < of.rank())
}

/// Squares controlled by White minus squares controlled by Black.
pub fn control_balance(board: &Board) -> Score {
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
    fn a_square_more_is_worth_ten_and_twelve_of_them_a_pawn() {
        let board: Board = "r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R".parse().unwrap();
        let score = evaluate(&board, Phase::Middlegame, Window::OPEN);
        let rest = material_balance(&board, Phase::Middlegame) + pawn_balance(&board);
        assert_eq!(score - rest, 10 * control_balance(&board));
        assert_ne!(score, rest);
        assert_eq!(12 * Phase::Middlegame.control_weight(), piece_value(Role::Pawn));
        assert!(Phase::Endgame.control_weight() < Phase::Middlegame.control_weight());
    }

    #[test]
    fn far_from_the_window_and_against_a_lone_king_material_is_enough() {
        let board: Board = "r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R".parse().unwrap();
        let material = material_balance(&board, Phase::Middlegame);
        for window in [Window { alpha: 900, beta: 1_000 }, Window { alpha: -1_000, beta: -900 }] {
            assert_eq!(evaluate(&board, Phase::Middlegame, window), material);
        }
        let lone: Board = "8/8/8/3k4/8/8/PP6/R3K3".parse().unwrap();
        let material = material_balance(&lone, Phase::LoneKing);
        assert_eq!(evaluate(&lone, Phase::LoneKing, Window::OPEN), material);
    }

    #[test]
    fn an_exchange_of_colours_changes_the_sign() {
        for fen in [
            "r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R",
            "4k3/pp2p3/8/3R4/8/8/5P1P/4K3",
            "8/8/8/3k4/8/8/8/R3K3",
        ] {
            let board: Board = fen.parse().unwrap();
            let phase = Phase::of(&board);
            let score = evaluate(&board, phase, Window::OPEN);
            assert_eq!(evaluate(&board.into_mirrored(), phase, Window::OPEN), -score, "{fen}");
        }
    }

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
    fn a_square_belongs_to_who_has_more_pieces_on_it() {
        let alone: Board = "k7/8/8/8/8/8/8/K7".parse().unwrap();
        assert_eq!(control_balance(&alone), 0);
        let rook: Board = "k7/8/8/8/4R3/8/8/K7".parse().unwrap();
        assert_eq!(control_balance(&rook), 14);
        // Each rook has fourteen squares. e8 and h4 belong to nobody, and two attackers do not make b8 count twice.
        let rooks: Board = "k6r/8/8/8/4R3/8/8/K7".parse().unwrap();
        assert_eq!(control_balance(&rooks), 1);
    }
}
