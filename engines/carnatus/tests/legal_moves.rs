//! The legal moves are those of shakmaty.

use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};

use crate::game::Game;

/// The SMIRF positions with their counts at depths that take a moment (see `suites/perft/smirf.epd`).
const SMIRF: [(&str, &[u64]); 6] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[20, 400, 8902, 197281]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", &[48, 2039, 97862]),
    ("8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1", &[18, 290, 5044, 89363]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2812, 43238]),
    ("8/3K4/2p5/p2b2r1/5k2/8/8/1q6 b - - 1 67", &[50, 279, 13310, 54703]),
    ("8/7p/p5pb/4k3/P1pPn3/8/P5PP/1rB2RK1 b - d3 0 28", &[5, 117, 3293, 67197]),
];

#[test]
fn perft_of_the_smirf_positions_is_right() {
    for (fen, counts) in SMIRF {
        let position = Game::from_fen(fen).unwrap().position;
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(Game::perft(&position, depth), count, "{fen} at depth {depth}");
        }
    }
}

fn our_moves(game: &Game) -> Vec<String> {
    let moves = game.position.legal_moves();
    let mut texts: Vec<String> = moves.iter().map(|&mv| game.side.uci(mv).to_string()).collect();
    texts.sort();
    texts
}

fn shakmatys_moves(position: &Chess) -> Vec<String> {
    let uci = |mv: &shakmaty::Move| mv.to_uci(CastlingMode::Standard).to_string();
    let mut texts: Vec<String> = position.legal_moves().iter().map(uci).collect();
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
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        assert_eq!(our_moves(&game), shakmatys_moves(&position), "{fen}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn random_games_have_the_legal_moves_of_shakmaty(choices in prop::collection::vec(0_usize..1000, 0..160)) {
        let (mut game, mut position) = (Game::start(), Chess::new());
        for choice in choices {
            let moves = our_moves(&game);
            prop_assert_eq!(&moves, &shakmatys_moves(&position));
            if moves.is_empty() {
                break;
            }
            let text = &moves[choice % moves.len()];
            game = game.play(game.find(text).unwrap());
            let mv = text.parse::<shakmaty::uci::UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(mv);
        }
    }
}
