//! The legal moves are those of the referee, and taking moves back leaves no trace.

use proptest::prelude::*;
use referee::{Referee, SavedGame, Variant};

use crate::game::Game;
use crate::side::Side;

#[test]
fn perft_leaves_the_game_as_it_was() {
    let suite = suites::suite("perft", "smirf.epd").unwrap();
    for line in suite.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (fen, _) = line.split_once(';').unwrap();
        let mut game = Game::from_fen(fen.trim()).unwrap();
        let before = game.clone();
        assert!(game.perft(2) > 0);
        assert_eq!(game, before, "{fen}");
    }
}

fn our_moves(game: &mut Game) -> Vec<String> {
    let mut texts: Vec<String> = game.legal_moves().iter().map(ToString::to_string).collect();
    texts.sort();
    texts
}

fn referees_moves(referee: &Referee) -> Vec<String> {
    let mut texts = referee.legal_moves();
    texts.sort();
    texts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn random_games_have_the_legal_moves_of_the_referee_and_can_be_taken_back(
        choices in prop::collection::vec(0_usize..1000, 0..160)
    ) {
        let (mut game, mut referee) = (Game::start(), Referee::new(Variant::Standard));
        let mut history = Vec::new();
        for choice in choices {
            let moves = our_moves(&mut game);
            prop_assert_eq!(&moves, &referees_moves(&referee));
            if moves.is_empty() {
                break;
            }
            let text = &moves[choice % moves.len()];
            let before = game.clone();
            let mv = game.find(text).unwrap();
            history.push((before, game.play(mv).unwrap()));
            referee.play(text).unwrap();
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
