//! The score that is kept move by move is the sum over the board.

use proptest::prelude::*;

use crate::game::Game;
use crate::piece_square::full_sum;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_incremental_score_equals_the_full_sum_after_every_move(
        start in 0_usize..3, choices in prop::collection::vec(0_usize..1000, 0..200)
    ) {
        // From the start, where everything can castle, and where promotions and en passant are near.
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/PPPp3k/8/4P3/5p2/8/4Kppp/8 b - - 0 1",
        ];
        let mut game = Game::from_fen(fens[start]).unwrap();
        for choice in choices {
            let moves = game.position.legal_moves();
            if moves.is_empty() {
                break;
            }
            game = game.play(moves[choice % moves.len()]);
            prop_assert_eq!(game.position.score, full_sum(&game.position.board), "{}", game);
        }
    }
}
