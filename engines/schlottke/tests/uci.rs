//! The engine as a GUI meets it, through the server of the library.

use std::time::Instant;

use arbiter::engine::{SearchControl, UciEngine, server};
use arbiter::uci::{Command, Go, Info, StartPosition};

use crate::schlottke::Schlottke;

/// What the engine answers to these lines, all of which are quick.
fn answers(lines: &str) -> String {
    let mut output = Vec::new();
    server::serve(Schlottke::new(), lines.as_bytes(), &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

/// The best move in a position under `go`, and what was told about the search.
fn search(position: &str, go: &str) -> (Option<String>, Vec<Info>) {
    let mut engine = Schlottke::new();
    let Ok(Command::Position { start, moves }) = position.parse() else { panic!("{position}") };
    engine.set_position(&start, &moves).unwrap();
    let Ok(Command::Go(go)) = go.parse() else { panic!("{go}") };
    let mut infos = Vec::new();
    let control = SearchControl::new(Instant::now(), false);
    let best = engine.search(&go, &control, &mut |info| infos.push(info));
    (best.best.map(|mv| mv.to_string()), infos)
}

const QUIET: &str = "position fen r1bq1rk1/3n1pbp/pPpp1np1/8/3PP3/3B1N2/1P1N1PPP/R1BQR1K1 b - - 0 12";

#[test]
fn the_handshake_names_the_options() {
    let text = answers("uci\nisready\nquit\n");
    for line in [
        "option name ProfMin type spin default 3 min 1 max 20",
        "option name ProfMax type spin default 5 min 1 max 20",
        "option name OwnBook type check default true",
        "option name BookFile type string default <empty>",
        "option name Move Overhead type spin default 10 min 0 max 10000",
        "uciok",
        "readyok",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
    }
}

#[test]
fn the_book_answers_until_the_game_leaves_it() {
    let (best, infos) = search("position startpos", "go movetime 100");
    assert_eq!(best.as_deref(), Some("e2e4"));
    assert!(infos[0].string.is_some());
    let (best, _) = search("position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5", "go");
    assert_eq!(best.as_deref(), Some("a7a6"));
    let (_, infos) = search("position startpos moves a2a4 h7h5", "go depth 1");
    assert_eq!(infos[0].depth, Some(1));
}

#[test]
fn the_book_is_for_games_from_the_first_position_only() {
    let (_, infos) =
        search("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "go depth 1");
    assert_eq!(infos[0].depth, Some(1));
}

#[test]
fn a_book_that_is_wrong_is_told_and_the_old_one_stays() {
    let text = answers("setoption name BookFile value /no/such/file\nposition startpos\ngo\n");
    assert!(text.contains("info string /no/such/file: "), "{text}");
    assert!(text.contains("bestmove e2e4"), "{text}");
}

#[test]
fn without_its_book_the_engine_searches_from_the_first_move() {
    let mut engine = Schlottke::new();
    engine.set_option("OwnBook", Some("false")).unwrap();
    let mut infos = Vec::new();
    let go = Go { depth: Some(1), ..Go::default() };
    engine.search(&go, &SearchControl::new(Instant::now(), false), &mut |info| infos.push(info));
    assert_eq!(infos[0].depth, Some(1));
}

#[test]
fn a_search_ends_at_the_depth_of_the_article_by_itself() {
    let (best, infos) = search(QUIET, "go");
    assert!(best.is_some());
    let depths: Vec<_> = infos.iter().map(|info| info.depth).collect();
    assert_eq!(depths, [Some(1), Some(2), Some(3)]);
}

#[test]
fn go_depth_and_go_nodes_are_kept() {
    let (_, infos) = search(QUIET, "go depth 2");
    assert_eq!(infos.len(), 2);
    let (best, infos) = search(QUIET, "go nodes 500");
    assert!(best.is_some());
    assert!(infos.iter().all(|info| info.nodes <= Some(500)), "{infos:?}");
}

#[test]
fn a_search_that_may_not_even_begin_has_a_move() {
    let (best, infos) = search(QUIET, "go nodes 1");
    assert!(best.is_some());
    assert!(infos.is_empty());
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
fn a_game_that_is_over_has_no_move() {
    for fen in ["k7/2Q5/8/8/8/8/8/4K3 b - -", "k7/1Q6/1K6/8/8/8/8/8 b - -"] {
        assert!(answers(&format!("position fen {fen}\ngo\n")).ends_with("bestmove (none)\n"), "{fen}");
    }
}

#[test]
fn a_position_that_is_wrong_leaves_the_old_one() {
    let mut engine = Schlottke::new();
    let before = engine.display();
    let moves = ["e2e4", "e2e4"].map(|text| text.parse().unwrap());
    let refusal = engine.set_position(&StartPosition::Startpos, &moves).unwrap_err();
    assert_eq!(refusal, "position: move 2 of the list, e2e4, is illegal");
    assert!(engine.set_position(&StartPosition::Fen("8/8".to_owned()), &[]).is_err());
    assert_eq!(engine.display(), before);
}

#[test]
fn search_moves_are_the_only_ones_considered() {
    let (best, _) = search(QUIET, "go searchmoves h7h5");
    assert_eq!(best.as_deref(), Some("h7h5"));
}

#[test]
fn people_get_the_position_the_marks_and_the_bench() {
    let text = answers("d\neval\nbench 1\n");
    for part in ["Fen: rnbqkbnr/pppppppp", "Game: in progress (0)", "e2e4 v(2)=", "Nodes/second"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn perft_is_told_move_by_move() {
    let mut counts = Vec::new();
    let control = SearchControl::new(Instant::now(), false);
    Schlottke::new().perft(2, &control, &mut |_, leaves| counts.push(leaves));
    assert_eq!(counts, [20; 20]);
}
