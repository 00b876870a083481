//! The legal moves are those of the referee.

use proptest::prelude::*;
use referee::{Referee, Variant};

use crate::game::Game;

fn our_moves(game: &Game) -> Vec<String> {
    let moves = game.position.legal_moves();
    let mut texts: Vec<String> = moves.iter().map(|&mv| game.side.uci(mv).to_string()).collect();
    texts.sort();
    texts
}

fn referees_moves(referee: &Referee) -> Vec<String> {
    let mut texts = referee.legal_moves();
    texts.sort();
    texts
}

/// A king may castle neither out of check, nor through it, nor into it; both colours, both sides.
#[test]
fn castling_through_check_is_refused_by_the_king_passant_rule() {
    for (fen, castling, is_legal) in [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["e1g1", "e1c1"], [true, true]),
        ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["e1g1", "e1c1"], [false, true]),
        ("3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["e1g1", "e1c1"], [true, false]),
        ("4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["e1g1", "e1c1"], [false, true]),
        ("2r1k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["e1g1", "e1c1"], [true, false]),
        ("1r2k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["e1g1", "e1c1"], [true, true]),
        ("3kr3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["e1g1", "e1c1"], [false, false]),
        ("4k3/8/8/8/8/8/4p3/R3K2R w KQ - 0 1", ["e1g1", "e1c1"], [false, false]),
        ("4k3/8/8/8/8/8/6p1/R3K2R w KQ - 0 1", ["e1g1", "e1c1"], [false, true]),
        ("4k3/8/8/8/8/8/1p6/R3K2R w KQ - 0 1", ["e1g1", "e1c1"], [true, false]),
        ("r3k2r/8/8/8/8/8/8/4KR2 b kq - 0 1", ["e8g8", "e8c8"], [false, true]),
        ("r3k2r/8/8/8/8/8/8/3RK3 b kq - 0 1", ["e8g8", "e8c8"], [true, false]),
        ("r3k2r/1P6/8/8/8/8/8/4K3 b kq - 0 1", ["e8g8", "e8c8"], [true, false]),
    ] {
        let game = Game::from_fen(fen).unwrap();
        assert_eq!(castling.map(|text| game.find(text).is_some()), is_legal, "{fen}");
        let referee = Referee::from_fen(fen, Variant::Standard).unwrap();
        assert_eq!(our_moves(&game), referees_moves(&referee), "{fen}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn random_games_have_the_legal_moves_of_the_referee(choices in prop::collection::vec(0_usize..1000, 0..160)) {
        let (mut game, mut referee) = (Game::start(), Referee::new(Variant::Standard));
        for choice in choices {
            let moves = our_moves(&game);
            prop_assert_eq!(&moves, &referees_moves(&referee));
            if moves.is_empty() {
                break;
            }
            let text = &moves[choice % moves.len()];
            game = game.play(game.find(text).unwrap());
            referee.play(text).unwrap();
        }
    }
}
