//! The evaluation as a whole (chapters "Tapered Evaluation" and "Lazy Evaluation").

use shakmaty::Board;

use super::phase::Phase;
use super::score::Score;
use super::window::Window;
use super::{control, material, pawns};

/// Pawns and control change a score hardly ever by more than this. The report gives no figure.
const LAZY_MARGIN: Score = 300;

/// White's advantage, exact only where it matters: far from the window, and for a rough idea, material is enough.
pub fn evaluate(board: &Board, phase: Phase, window: Window) -> Score {
    let material = material::balance(board, phase);
    let is_far = material + LAZY_MARGIN < window.alpha || material - LAZY_MARGIN > window.beta;
    if phase == Phase::LoneKing || is_far {
        return material;
    }
    material + pawns::balance(board) + control::balance(board) * phase.control_weight()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_more_is_worth_ten_and_twelve_of_them_a_pawn() {
        let board: Board = "r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R".parse().unwrap();
        let score = evaluate(&board, Phase::Middlegame, Window::OPEN);
        let rest = material::balance(&board, Phase::Middlegame) + pawns::balance(&board);
        assert_eq!(score - rest, 10 * control::balance(&board));
        assert_ne!(score, rest);
        assert_eq!(12 * Phase::Middlegame.control_weight(), material::value(shakmaty::Role::Pawn));
        assert!(Phase::Endgame.control_weight() < Phase::Middlegame.control_weight());
    }

    #[test]
    fn far_from_the_window_and_against_a_lone_king_material_is_enough() {
        let board: Board = "r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R".parse().unwrap();
        let material = material::balance(&board, Phase::Middlegame);
        for window in [Window { alpha: 900, beta: 1_000 }, Window { alpha: -1_000, beta: -900 }] {
            assert_eq!(evaluate(&board, Phase::Middlegame, window), material);
        }
        let lone: Board = "8/8/8/3k4/8/8/PP6/R3K3".parse().unwrap();
        let material = material::balance(&lone, Phase::LoneKing);
        assert_eq!(evaluate(&lone, Phase::LoneKing, Window::OPEN), material);
    }

    #[test]
    fn an_exchange_of_colours_changes_the_sign() {
        for fen in [
            "r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R",
            "4k3/pp6/8/3R4/8/8/5PPP/4K3",
            "8/8/8/3k4/8/8/8/R3K3",
        ] {
            let board: Board = fen.parse().unwrap();
            let phase = Phase::of(&board);
            let score = evaluate(&board, phase, Window::OPEN);
            assert_eq!(evaluate(&board.into_mirrored(), phase, Window::OPEN), -score, "{fen}");
        }
    }
}
