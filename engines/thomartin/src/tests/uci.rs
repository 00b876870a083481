//! The engine as a GUI meets it.

use std::time::{Duration, Instant};

use uci::server::{SearchControl, UciEngine};
use uci::{Command, Go};

use crate::thomartin::{Thomartin, with_move_time};
use uci::scripted_gui::ScriptedGui;

fn thomartin() -> ScriptedGui {
    ScriptedGui::with(Thomartin::new())
}

const QUIET: &str = "position fen r1bq1rk1/3n1pbp/pPpp1np1/8/3PP3/3B1N2/1P1N1PPP/R1BQR1K1 b - - 0 12";

#[test]
fn the_handshake_names_the_options() {
    let lines = thomartin().ask(&["uci"]);
    for line in [
        "option name Hash type spin default 16 min 1 max 4096",
        "option name OwnBook type check default true",
        "option name BookFile type string default <empty>",
    ] {
        assert!(lines.iter().any(|found| found == line), "{line} is not in {lines:?}");
    }
}

#[test]
fn the_game_that_the_report_shows_is_played() {
    let mut gui = thomartin();
    let answer = gui.search("position startpos", "go");
    assert_eq!(answer.best(), Some("g1f3"));
    assert!(answer.says("a move of the opening tree"), "{answer:?}");
    assert_eq!(gui.search("position startpos moves g1f3 e7e5", "go").best(), Some("f3e5"));
}

#[test]
fn outside_the_tree_the_engine_searches() {
    let mut gui = thomartin();
    assert_eq!(gui.search("position startpos moves g1f3 e7e5 a2a3", "go depth 1").depths(), [1]);
    assert_eq!(gui.search("position startpos", "go depth 1 searchmoves e2e4").depths(), [1]);
}

#[test]
fn a_tree_that_is_wrong_is_told_and_the_old_one_stays() {
    let mut gui = thomartin();
    let refusal = gui.ask(&["setoption name BookFile value /no/such/file"]).join("\n");
    assert!(refusal.contains("info string /no/such/file: "), "{refusal}");
    assert_eq!(gui.search("position startpos", "go").best(), Some("g1f3"));
}

#[test]
fn a_move_takes_less_than_a_second_unless_it_is_asked_otherwise() {
    let limits = |text: &str| {
        let Ok(Command::Go(go)) = text.parse() else { panic!("{text}") };
        with_move_time(&go, Duration::from_millis(10)).movetime
    };
    for text in ["go", "go wtime 60000 btime 60000", "go mate 3"] {
        assert!(limits(text).is_some_and(|time| time < Duration::from_secs(1)), "{text}");
    }
    assert_eq!(limits("go movetime 5000"), Some(Duration::from_secs(5)));
    for text in ["go infinite", "go depth 9", "go nodes 5000"] {
        assert_eq!(limits(text), None, "{text}");
    }
}

#[test]
fn a_search_that_may_not_even_begin_has_a_move() {
    let answer = thomartin().search(QUIET, "go nodes 1");
    assert!(answer.best().is_some());
    assert!(answer.infos.is_empty(), "{answer:?}");
}

#[test]
fn stop_ends_a_search_at_once() {
    let mut engine = Thomartin::new();
    let Ok(Command::Position { start, moves }) = QUIET.parse() else { panic!("{QUIET}") };
    engine.set_position(&start, &moves).unwrap();
    let control = SearchControl::new(Instant::now(), false);
    control.stop();
    let go = Go { depth: Some(30), ..Go::default() };
    let mut last = None;
    assert!(engine.search(&go, &control, &mut |info| last = info.nodes).best.is_some());
    assert!(last.is_none_or(|nodes| nodes < 1_000), "{last:?}");
}

#[test]
fn a_bad_fen_is_told_with_its_text() {
    let refusal = thomartin().ask(&["position fen 8/8"]).join("\n");
    assert!(refusal.starts_with("info string position: FEN \"8/8\": "), "{refusal}");
}

#[test]
fn people_get_the_position_and_the_evaluation() {
    let text = thomartin().ask(&["d", "eval"]).join("\n");
    for part in
        ["Fen: rnbqkbnr/pppppppp", "Phase: Middlegame", "Material and squares: 0", "Control: 0 squares of 10"]
    {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}
