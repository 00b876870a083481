//! The legal moves are those of shakmaty, and taking moves back leaves no trace.

use arbiter::referee::SavedGame;
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, Position as _};

use crate::game::Game;
use crate::player::Side;

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
fn perft_of_the_smirf_positions_is_right_and_leaves_the_game_as_it_was() {
    for (fen, counts) in SMIRF {
        let mut game = Game::from_fen(fen).unwrap();
        let before = game.clone();
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(game.perft(depth), count, "{fen} at depth {depth}");
        }
        assert_eq!(game, before);
    }
}

fn our_moves(game: &mut Game) -> Vec<String> {
    let mut texts: Vec<String> = game.legal_moves().iter().map(ToString::to_string).collect();
    texts.sort();
    texts
}

fn shakmatys_moves(position: &Chess) -> Vec<String> {
    let uci = |mv: &shakmaty::Move| mv.to_uci(CastlingMode::Standard).to_string();
    let mut texts: Vec<String> = position.legal_moves().iter().map(uci).collect();
    texts.sort();
    texts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn random_games_have_the_legal_moves_of_shakmaty_and_can_be_taken_back(
        choices in prop::collection::vec(0_usize..1000, 0..160)
    ) {
        let (mut game, mut position) = (Game::start(), Chess::new());
        let mut history = Vec::new();
        for choice in choices {
            let moves = our_moves(&mut game);
            prop_assert_eq!(&moves, &shakmatys_moves(&position));
            if moves.is_empty() {
                break;
            }
            let text = &moves[choice % moves.len()];
            let before = game.clone();
            let mv = game.find(text).unwrap();
            history.push((before, game.play(mv).unwrap()));
            let mv = text.parse::<shakmaty::uci::UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(mv);
            // The key that is kept move by move is that of the position made anew.
            prop_assert_eq!(game.key(), Game::from_fen(&game.fen()).unwrap().key());
        }
        while let Some((before, played)) = history.pop() {
            game.take_back(played);
            prop_assert_eq!(&game, &before);
        }
    }

    #[test]
    fn the_canonical_texts_are_those_of_the_saved_game(choices in prop::collection::vec(0_usize..1000, 0..100)) {
        let mut game = Game::start();
        for choice in choices {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(moves[choice % moves.len()]);
        }
        let json = SavedGame::from_fen(&game.fen()).unwrap().to_json();
        for side in [Side::White, Side::Black] {
            prop_assert!(json.contains(&format!("\"{}\"", game.player_text(side))), "{}", json);
        }
        let turns = format!("\"Nombre_de_tours\": {},", game.turns);
        prop_assert!(json.contains(&turns), "{}", json);
    }
}
