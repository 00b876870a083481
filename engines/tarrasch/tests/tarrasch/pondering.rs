//! Thinking on the opponent's time.

use uci::Message;

use crate::gui::Gui;

/// Mate in one: the search ends at once.
const MATE_AT_ONCE: &str = "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

fn is_best_move(message: &Message) -> bool {
    matches!(message, Message::BestMove(_))
}

#[test]
fn a_best_move_names_a_reply_to_ponder_on() {
    let mut gui = Gui::with(&["setoption name Ponder value true"]);
    let answer = gui.search(&["position startpos", "go depth 6"]);
    assert!(answer.best.ponder.is_some());
    answer.assert_legal("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
}

#[test]
fn stop_ends_pondering_with_one_answer() {
    let mut gui = Gui::with(&["position startpos moves e2e4 e7e5", "go ponder wtime 1000 btime 1000"]);
    assert!(!gui.settle().iter().any(is_best_move));
    gui.send(&["stop"]);
    assert_ne!(gui.answer().text(), "");
    // A hit that comes too late, as it may, belongs to no search any more.
    gui.send(&["ponderhit", "stop"]);
    assert_eq!(gui.settle(), [Message::ReadyOk]);
}

#[test]
fn a_hit_starts_the_clock() {
    let mut gui = Gui::with(&["position startpos moves e2e4 e7e5", "go ponder movetime 20"]);
    std::thread::sleep(std::time::Duration::from_millis(60));
    assert!(!gui.settle().iter().any(is_best_move));
    gui.send(&["ponderhit"]);
    assert_ne!(gui.answer().text(), "");
}

#[test]
fn a_search_that_is_done_still_waits_for_the_hit() {
    for (go, end) in [
        ("go ponder depth 1", "ponderhit"),
        ("go ponder nodes 100 wtime 5000 btime 5000", "ponderhit"),
        ("go ponder mate 1", "ponderhit"),
        ("go ponder depth 1", "stop"),
    ] {
        let mut gui = Gui::with(&[MATE_AT_ONCE, go]);
        assert!(!gui.settle().iter().any(is_best_move), "{go}");
        gui.send(&[end]);
        assert_eq!(gui.answer().text(), "a1a8", "{go} {end}");
    }
}

#[test]
fn an_infinite_search_is_no_pondering_that_a_hit_could_end() {
    let mut gui = Gui::with(&[MATE_AT_ONCE, "go infinite", "ponderhit"]);
    assert!(!gui.settle().iter().any(is_best_move));
    gui.send(&["stop"]);
    assert_eq!(gui.answer().text(), "a1a8");
}
