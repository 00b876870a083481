//! The engine as a GUI meets it.

use std::time::Instant;

use uci::server::{SearchControl, UciEngine};
use uci::{Command, Go};

use crate::schlottke::Schlottke;
use uci::scripted_gui::ScriptedGui;

fn schlottke() -> ScriptedGui {
    ScriptedGui::with(Schlottke::new())
}

const QUIET: &str = "position fen r1bq1rk1/3n1pbp/pPpp1np1/8/3PP3/3B1N2/1P1N1PPP/R1BQR1K1 b - - 0 12";

#[test]
fn the_handshake_names_the_options() {
    let lines = schlottke().ask(&["uci"]);
    for line in [
        "option name ProfMin type spin default 3 min 1 max 20",
        "option name ProfMax type spin default 5 min 1 max 20",
        "option name OwnBook type check default true",
        "option name BookFile type string default <empty>",
    ] {
        assert!(lines.iter().any(|found| found == line), "{line} is not in {lines:?}");
    }
}

#[test]
fn the_book_answers_until_the_game_leaves_it() {
    let mut gui = schlottke();
    let answer = gui.search("position startpos", "go movetime 100");
    assert_eq!(answer.best(), Some("e2e4"));
    assert!(answer.says("a move of the book"), "{answer:?}");
    let answer = gui.search("position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5", "go");
    assert_eq!(answer.best(), Some("a7a6"));
    let answer = gui.search("position startpos moves a2a4 h7h5", "go depth 1");
    assert_eq!(answer.depths(), [1]);
}

#[test]
fn the_book_is_for_games_from_the_first_position_only() {
    let first = "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    assert_eq!(schlottke().search(first, "go depth 1").depths(), [1]);
}

#[test]
fn a_book_that_is_wrong_is_told_and_the_old_one_stays() {
    let mut gui = schlottke();
    let refusal = gui.ask(&["setoption name BookFile value /no/such/file"]).join("\n");
    assert!(refusal.contains("info string /no/such/file: "), "{refusal}");
    assert_eq!(gui.search("position startpos", "go").best(), Some("e2e4"));
}

#[test]
fn without_its_book_the_engine_searches_from_the_first_move() {
    let mut gui = schlottke();
    gui.send("setoption name OwnBook value false");
    assert_eq!(gui.search("position startpos", "go depth 1").depths(), [1]);
}

#[test]
fn a_search_ends_at_the_depth_of_the_article_by_itself() {
    let answer = schlottke().search(QUIET, "go");
    assert!(answer.best().is_some());
    assert_eq!(answer.depths(), [1, 2, 3]);
}

#[test]
fn a_search_that_may_not_even_begin_has_a_move() {
    let answer = schlottke().search(QUIET, "go nodes 1");
    assert!(answer.best().is_some());
    assert!(answer.infos.is_empty(), "{answer:?}");
}

#[test]
fn stop_ends_a_search_that_would_last_for_hours() {
    let mut engine = Schlottke::new();
    let Ok(Command::Position { start, moves }) = QUIET.parse() else { panic!("{QUIET}") };
    engine.set_position(&start, &moves).unwrap();
    let control = SearchControl::new(Instant::now(), false);
    control.stop();
    let go = Go { depth: Some(20), ..Go::default() };
    assert!(engine.search(&go, &control, &mut |_| {}).best.is_some());
}

#[test]
fn people_get_the_position_the_marks_and_the_bench() {
    let text = schlottke().ask(&["d", "eval", "bench 1"]).join("\n");
    for part in ["Fen: rnbqkbnr/pppppppp", "Game: in progress (0)", "e2e4 v(2)=", "Nodes/second"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}
