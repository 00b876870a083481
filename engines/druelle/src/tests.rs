//! Tests druelle as a whole: its moves compared with the referee's, its search, and its UCI.

use std::collections::{BTreeSet, HashSet};
use std::time::Instant;

use chess::Color;
use proptest::prelude::*;
use referee::druelle::SavedGame;
use referee::{Referee, Variant};
use uci::Go;
use uci::scripted_gui::{ScriptedGui, converse};
use uci::server::{SearchBudget, SearchControl, bench_positions};

use crate::engine::Druelle;
use crate::game::Game;
use crate::opening_base::OpeningBase;
use crate::search::{HashTable, MATE, Search, evaluate};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn random_games_have_the_legal_moves_of_the_referee_and_can_be_taken_back(
        choices in prop::collection::vec(0_usize..1000, 0..160)
    ) {
        let (mut game, mut referee) = (Game::start(), Referee::new(Variant::Standard));
        let mut history = Vec::new();
        for choice in choices {
            let moves: BTreeSet<String> = game.legal_moves().iter().map(ToString::to_string).collect();
            prop_assert_eq!(&moves, &BTreeSet::from_iter(referee.legal_moves()));
            let Some(text) = moves.iter().cycle().nth(choice) else { break };
            let before = game.clone();
            let mv = game.find(text).unwrap();
            history.push((before, game.play(mv).unwrap()));
            referee.play(text).unwrap();
            // The incrementally updated key equals the key of a newly built position.
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
        for side in [Color::White, Color::Black] {
            prop_assert!(json.contains(&format!("\"{}\"", game.player_text(side))), "{}", json);
        }
        let turns = format!("\"Nombre_de_tours\": {},", game.turns);
        prop_assert!(json.contains(&turns), "{}", json);
    }
}

/// Section 2.2: the best of what the opponent leaves us, searched down to the leaves.
fn minimax(game: &mut Game, depth: i32, ply: i32) -> i32 {
    if depth == 0 {
        return evaluate(game, &HashSet::new(), ply);
    }
    let moves = game.legal_moves();
    if moves.is_empty() {
        return if game.is_check(game.turn()) { ply - MATE } else { 0 };
    }
    let mut best = -MATE;
    for mv in moves {
        let played = game.play(mv).unwrap();
        best = best.max(-minimax(game, depth - 1, ply + 1));
        game.take_back(played);
    }
    best
}

fn negamax(fen: &str, depth: u32) -> (i32, u32) {
    let control = SearchControl::new(Instant::now(), false);
    let go = Go { depth: Some(depth), ..Go::default() };
    let budget = SearchBudget::new(&go, true, &control);
    let (mut table, openings) = (HashTable::new(1), OpeningBase::default());
    let mut game = Game::from_fen(fen).unwrap();
    let before = game.clone();
    let moves = game.legal_moves();
    let mut found = (0, 0);
    Search::new(&mut table, &openings, &budget)
        .deepen(&mut game, &moves, 1, &mut |iteration| found = (iteration.score, iteration.depth));
    assert_eq!(game, before);
    found
}

#[test]
fn alpha_beta_with_the_hash_table_has_the_score_of_minimax() {
    for fen in bench_positions().step_by(4).chain(["7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"]) {
        for depth in 1..=2 {
            let (score, reached) = negamax(fen, depth);
            assert_eq!(score, minimax(&mut Game::from_fen(fen).unwrap(), reached as i32, 0), "{fen}");
        }
    }
}

#[test]
fn a_mate_is_found_as_deep_as_it_is() {
    // Mate in one, in two, and being mated in one.
    assert_eq!(negamax("6k1/5ppp/8/8/8/8/8/1K1R4 w - - 0 1", 4), (MATE - 1, 1));
    assert_eq!(negamax("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 4), (MATE - 3, 3));
    assert_eq!(negamax("7k/R7/8/8/8/8/8/1R5K b - - 0 1", 4), (2 - MATE, 2));
}

#[test]
fn a_base_with_a_bad_line_is_refused_and_the_old_one_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my.base");
    let use_file = format!("setoption name BookFile value {}", file.display());
    let mut gui = ScriptedGui::with(Druelle::new());
    std::fs::write(&file, "x | RE1 | RE8 | blancs | Re5\n").unwrap();
    let refusal = gui.ask(&[&use_file]).join("\n");
    assert!(refusal.contains("my.base:1: field 5 (reply)"), "{refusal}");
    assert_eq!(gui.search("position startpos", "go depth 1").best(), Some("e2e4"));
    std::fs::write(&file, "x | RE1 | RE8 | blancs | Re1-e2\n").unwrap();
    assert!(gui.ask(&[&use_file]).is_empty());
    let answer = gui.search("position fen 4k3/8/8/8/8/8/8/4K3 w - -", "go depth 1");
    assert!(answer.says("opening base: x"), "{answer:?}");
    assert_eq!(answer.best(), Some("e1e2"));
}

#[test]
fn conversations_go_as_written() {
    converse(include_str!("../conversations.txt"), Druelle::new);
}
