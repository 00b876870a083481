//! Several lines, chosen moves, and the search for a mate.

use std::collections::BTreeSet;

use uci::ScoreValue;

use crate::gui::Gui;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// White mates in two moves, and in no fewer: Morphy – Duke Karl and Count Isouard, Paris 1858, before 16 Qb8+.
const OPERA: &str = "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 0";

fn centipawns(score: ScoreValue) -> i32 {
    match score {
        ScoreValue::Centipawns(value) => value,
        ScoreValue::Mate(moves) => moves.signum() * 100_000 - moves,
    }
}

#[test]
fn the_lines_of_an_iteration_are_different_moves_in_the_order_of_their_scores() {
    let mut gui = Gui::with(&["setoption name MultiPV value 4"]);
    let answer = gui.search(&["position startpos", "go depth 7"]);
    answer.assert_legal(START);
    let lines = answer.last_lines();
    assert_eq!(lines.iter().map(|info| info.multipv.unwrap()).collect::<Vec<_>>(), [1, 2, 3, 4]);
    let scores: Vec<i32> = lines.iter().map(|info| centipawns(info.score.unwrap().value)).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    let moves: BTreeSet<&str> = lines.iter().map(|info| info.pv[0].as_str()).collect();
    assert_eq!(moves.len(), 4);
    assert_eq!(answer.text(), lines[0].pv[0].as_str());
}

#[test]
fn there_are_no_more_lines_than_legal_moves_and_one_again_when_it_is_set_back() {
    let mut gui = Gui::with(&["setoption name MultiPV value 50"]);
    let cornered = "position fen 7k/8/8/8/8/8/1r6/K7 w - - 0 1";
    assert_eq!(gui.search(&[cornered, "go depth 4"]).last_lines().len(), 1);
    assert_eq!(gui.search(&["position startpos", "go depth 2"]).last_lines().len(), 20);
    gui.send(&["setoption name MultiPV value 1"]);
    assert_eq!(gui.search(&["go depth 4"]).last_lines().len(), 1);
}

#[test]
fn only_the_moves_asked_for_are_searched_however_many_lines_there_are() {
    let mut gui = Gui::with(&["setoption name MultiPV value 5"]);
    let answer = gui.search(&["position startpos", "go depth 5 searchmoves a2a3 h2h4"]);
    let moves: BTreeSet<&str> = answer.lines().map(|info| info.pv[0].as_str()).collect();
    assert_eq!(moves, BTreeSet::from(["a2a3", "h2h4"]));
    assert_eq!(answer.last_lines().len(), 2);
    // The next search is free again.
    assert_eq!(gui.search(&["go depth 4"]).last_lines().len(), 5);
}

#[test]
fn a_search_for_a_mate_ends_when_it_is_found() {
    let mut gui = Gui::with(&[]);
    for moves in [2, 5] {
        let answer = gui.search(&[&format!("position fen {OPERA}"), &format!("go mate {moves}")]);
        assert_eq!((answer.text().as_str(), answer.score()), ("b3b8", ScoreValue::Mate(2)));
        answer.assert_legal(OPERA);
    }
}

#[test]
fn a_search_for_a_mate_that_is_not_there_goes_on_until_another_limit() {
    let mut gui = Gui::with(&[]);
    let answer = gui.search(&[&format!("position fen {OPERA}"), "go mate 1 depth 12"]);
    assert_eq!(answer.last_lines()[0].depth, Some(12));
    assert_eq!(answer.score(), ScoreValue::Mate(2));
    gui.send(&["position startpos", "go mate 3"]);
    gui.settle();
    gui.send(&["stop"]);
    assert_ne!(gui.answer().text(), "");
}
