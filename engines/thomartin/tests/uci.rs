//! The engine through the server of the library.

use std::time::{Duration, Instant};

use arbiter::engine::{SearchControl, UciEngine, server};
use arbiter::uci::{Command, Go, Info, StartPosition};

use crate::thomartin::{Thomartin, with_move_time};

/// What the engine answers to these lines, all of which are quick.
fn answers(lines: &str) -> String {
    let mut output = Vec::new();
    server::serve(Thomartin::new(), lines.as_bytes(), &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

/// The best move in a position under `go`, and what was told about the search.
fn search(position: &str, go: &str) -> (Option<String>, Vec<Info>) {
    let mut engine = Thomartin::new();
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
        "option name Hash type spin default 16 min 1 max 4096",
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
fn the_game_that_the_report_shows_is_played() {
    let (best, infos) = search("position startpos", "go");
    assert_eq!(best.as_deref(), Some("g1f3"));
    assert!(infos[0].string.is_some());
    let (best, _) = search("position startpos moves g1f3 e7e5", "go");
    assert_eq!(best.as_deref(), Some("f3e5"));
}

#[test]
fn outside_the_tree_the_engine_searches() {
    let (_, infos) = search("position startpos moves g1f3 e7e5 a2a3", "go depth 1");
    assert_eq!(infos[0].depth, Some(1));
    let (_, infos) = search("position startpos", "go depth 1 searchmoves e2e4");
    assert_eq!(infos[0].depth, Some(1));
}

#[test]
fn a_tree_that_is_wrong_is_told_and_the_old_one_stays() {
    let text = answers("setoption name BookFile value /no/such/file\nposition startpos\ngo\n");
    assert!(text.contains("info string /no/such/file: "), "{text}");
    assert!(text.contains("bestmove g1f3"), "{text}");
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
fn a_game_that_is_over_has_no_move() {
    for fen in ["k7/2Q5/8/8/8/8/8/4K3 b - - 0 1", "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"] {
        assert!(answers(&format!("position fen {fen}\ngo\n")).ends_with("bestmove (none)\n"), "{fen}");
    }
}

#[test]
fn a_position_that_is_wrong_leaves_the_old_one() {
    let mut engine = Thomartin::new();
    let before = engine.display();
    let moves = ["e2e4", "e2e4"].map(|text| text.parse().unwrap());
    let refusal = engine.set_position(&StartPosition::Startpos, &moves).unwrap_err();
    assert_eq!(refusal, "position: move 2 of the list, e2e4, is illegal");
    let refusal = engine.set_position(&StartPosition::Fen("8/8".to_owned()), &[]).unwrap_err();
    assert!(refusal.starts_with("position: FEN \"8/8\": "), "{refusal}");
    assert_eq!(engine.display(), before);
}

#[test]
fn people_get_the_position_and_the_evaluation() {
    let text = answers("d\neval\n");
    for part in
        ["Fen: rnbqkbnr/pppppppp", "Phase: Middlegame", "Material and squares: 0", "Control: 0 squares of 10"]
    {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn perft_is_that_of_the_smirf_positions() {
    let perft = |fen: &str, depth| {
        let mut engine = Thomartin::new();
        engine.set_position(&StartPosition::Fen(fen.to_owned()), &[]).unwrap();
        let (mut total, control) = (0, SearchControl::new(Instant::now(), false));
        engine.perft(depth, &control, &mut |_, leaves| total += leaves);
        total
    };
    for (fen, leaves) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 197_281),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4_085_603),
        ("8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1", 89_363),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 43_238),
        ("8/3K4/2p5/p2b2r1/5k2/8/8/1q6 b - - 1 67", 54_703),
        ("8/7p/p5pb/4k3/P1pPn3/8/P5PP/1rB2RK1 b - d3 0 28", 67_197),
    ] {
        assert_eq!(perft(fen, 4), leaves, "{fen}");
    }
}
