//! `arbiter play`: a human against an engine, in the terminal and in the browser.

use std::fs;

use serde_json::Value;

use crate::browser::PageClient;
use crate::workbench::{Finished, Workbench};

const MOCK: [&str; 4] = ["play", "well", "--nodes", "20"];

fn play(bench: &Workbench, args: &[&str], typed: &str) -> Finished {
    bench.run_with_input(&[&MOCK[..], args].concat(), typed)
}

/// The messages, without the lines of the board, which begin with a rank or with the files.
fn said(finished: &Finished) -> Vec<String> {
    let is_board = |line: &str| {
        line.is_empty()
            || line.starts_with("  a b")
            || line.starts_with(|c: char| ('1'..='8').contains(&c)) && line.chars().nth(1) == Some(' ')
            || line.starts_with("a b c")
            || line.starts_with("h g f")
    };
    finished.stdout().lines().map(|line| line.trim().to_owned()).filter(|line| !is_board(line)).collect()
}

#[test]
fn moves_are_answered_and_the_board_is_drawn_after_each_answer() {
    let bench = Workbench::with_mocks(&["well"]);
    let finished = play(&bench, &[], "e4\ng1f3\nquit\n").expect_code(0);
    let said = said(&finished);
    assert_eq!(said[0], "You play White against well. Type help for the commands.");
    assert_eq!((said[1].as_str(), said[3].as_str()), ("1. e4", "2. Nf3"));
    assert!(said[2].starts_with("well plays 1... ") && said[4].starts_with("well plays 2... "), "{said:?}");
    let out = finished.stdout();
    assert_eq!(out.matches("a b c d e f g h").count(), 3);
    assert!(out.is_ascii(), "a pipe gets letters: {out}");
}

#[test]
fn with_black_the_engine_moves_first_and_the_board_is_turned() {
    let bench = Workbench::with_mocks(&["well"]);
    let finished = play(&bench, &["--black"], "").expect_code(0).shows(&["h g f e d c b a"]);
    assert!(said(&finished)[1].starts_with("well plays 1. "), "{}", finished.stdout());
}

#[test]
fn an_invalid_move_or_command_changes_nothing() {
    let bench = Workbench::with_mocks(&["well"]);
    let finished = play(&bench, &[], "e5\nhello\nsave\nundo\nfen\n\u{1f642}\n").expect_code(0);
    let said = said(&finished);
    assert_eq!(said[1], "e5 is illegal; expected one of e3 e4");
    assert!(said[2].starts_with("`hello` is neither a move nor a command"), "{said:?}");
    assert_eq!(said[3], "`save`: expected a file, such as save game.pgn or save game.json");
    assert_eq!(said[4], "you have not played a move");
    assert_eq!(said[5], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
}

#[test]
fn a_game_is_played_in_french() {
    let bench = Workbench::with_mocks(&["well"]);
    let typed = "Cf3\nCf9\nundo\nnotation english\nNf3\n";
    let finished = play(&bench, &["--notation", "french"], typed).expect_code(0);
    let said = said(&finished);
    assert_eq!(said[1], "1. Cf3");
    assert!(said.iter().any(|line| line.starts_with("`Cf9` is neither")), "{said:?}");
    assert_eq!(said.iter().filter(|line| *line == "1. Nf3").count(), 1);
}

#[test]
fn a_hint_names_a_move_that_can_be_typed() {
    let bench = Workbench::with_mocks(&["well"]);
    let finished = play(&bench, &[], "hint\n").expect_code(0);
    let hint = said(&finished).into_iter().find_map(|line| Some(line.strip_prefix("hint: ")?.to_owned()));
    let hint = hint.unwrap();
    assert!(hint.contains("depth 1") && hint.contains("1. "), "{hint}");
    let typed = format!("{}\n", hint.split(' ').next().unwrap());
    let finished = play(&bench, &[], &typed).expect_code(0);
    assert!(said(&finished)[1].starts_with("1. "), "{}", finished.stdout());
}

#[test]
fn a_saved_game_can_be_continued() {
    let bench = Workbench::with_mocks(&["well"]);
    play(&bench, &["--black", "--name", "Ada"], "e5\nsave game.pgn\nfen\n").expect_code(0);
    let pgn = bench.read("game.pgn");
    assert!(pgn.contains("[White \"well\"]\n[Black \"Ada\"]\n[Result \"*\"]"), "{pgn}");
    let finished = play(&bench, &["--load", "game.pgn"], "undo\nsave game.pgn\n").expect_code(0);
    assert!(said(&finished)[0].starts_with("You play Black"), "{}", finished.stdout());
    assert!(bench.read("game.pgn").len() < pgn.len(), "the file of the game is written again");
    play(&bench, &[], "e4\nsave game.pgn\n").expect_code(0).shows(&["not saved: game.pgn: the file exists"]);
}

#[test]
fn a_position_saved_as_json_can_be_continued() {
    let bench = Workbench::with_mocks(&["well"]);
    let saved = play(&bench, &[], "e4\nsave game.json\nfen\n").expect_code(0);
    let loaded = play(&bench, &["--load", "game.json"], "fen\nquit\n").expect_code(0);
    assert_eq!(said(&saved).last(), said(&loaded).last());
    bench.write("bad.json", &bench.read("game.json").replace("Joueurs1", "Joueurs3"));
    let refused = play(&bench, &[], "d4\nload bad.json\nundo\n").expect_code(0);
    let answer = said(&refused).into_iter().find(|line| line.starts_with("not loaded"));
    assert!(answer.is_some_and(|line| line.contains("bad.json: not a saved game")), "{}", refused.stdout());
}

#[test]
fn a_bad_file_leaves_the_game_as_it_was() {
    let bench = Workbench::with_mocks(&["well"]);
    bench.write("bad.pgn", "[White \"x\"]\n\n1. e4 e5 2. Ke3 *\n");
    let finished = play(&bench, &[], "load bad.pgn\nload none.pgn\nfen\n").expect_code(0);
    let said = said(&finished);
    assert!(said[1].starts_with("not loaded, the current game continues: bad.pgn:3: game 1"), "{said:?}");
    assert!(said[2].contains("none.pgn"), "{said:?}");
    assert!(said[3].starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"), "{said:?}");
    play(&bench, &["--load", "bad.pgn"], "").expect_code(2).tells(&["bad.pgn:3: game 1"]);
}

#[test]
fn a_mate_ends_the_game_and_can_be_undone() {
    let bench = Workbench::with_mocks(&["well"]);
    let fen = "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1";
    let finished = play(&bench, &["--fen", fen], "Qg7\ne4\nundo\nQf8\nsave mate.pgn\n").expect_code(0);
    let said = said(&finished);
    assert_eq!(said[1..3], ["1. Qg7#", "1-0, White mates"]);
    assert!(said[3].starts_with("the game is over"), "{said:?}");
    assert_eq!(said[4..6], ["1. Qf8#", "1-0, White mates"]);
    assert!(bench.read("mate.pgn").contains("1. Qf8# 1-0"));
}

#[test]
fn draws_of_every_kind_are_reported() {
    let bench = Workbench::with_mocks(&["well"]);
    for (fen, typed, outcome) in [
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "Qf7\n", "1/2-1/2, draw by stalemate"),
        ("7k/8/5K2/8/8/8/6r1/5N2 w - - 99 80", "Nd2\n", "1/2-1/2, draw by fifty moves rule"),
        ("7k/8/5K2/6r1/8/8/8/8 w - - 0 1", "Kxg5\n", "1/2-1/2, draw by insufficient mating material"),
    ] {
        let finished = play(&bench, &["--fen", fen], typed).expect_code(0);
        assert!(said(&finished).contains(&outcome.to_owned()), "{}", finished.stdout());
    }
    // Black has nothing but the king's moves to and fro.
    let fen = "k7/P1P5/1K6/8/8/8/8/8 w - - 0 1";
    assert!(play(&bench, &["--fen", fen], "c8=Q#\n").stdout().contains("White mates"));
}

#[test]
fn resigning_gives_the_point_to_the_engine() {
    let bench = Workbench::with_mocks(&["well"]);
    let finished = play(&bench, &[], "resign\nresign\npgn\nnew\nfen\n").expect_code(0);
    let said = said(&finished);
    assert_eq!(said[1..3], ["0-1, White resigns", "the game is already over"]);
    assert!(finished.stdout().contains("\n[Result \"0-1\"]\n"), "{}", finished.stdout());
    assert!(said.last().unwrap().starts_with("rnbqkbnr/pppppppp/8"), "{said:?}");
}

#[test]
#[cfg_attr(windows, ignore = "its engine is a shell script")]
fn an_engine_that_fails_is_named_and_the_game_can_continue() {
    let bench = Workbench::new();
    bench.write_script("crash", "exit 3");
    bench.write_script("liar", "echo bestmove e2e4");
    for (engine, failure) in [
        ("./crash", "crash failed: the engine ended with exit code 3"),
        ("./liar", "liar failed: it played e2e4, which is illegal in"),
    ] {
        let finished = bench.run_with_input(&["play", engine], "d4\nundo\nfen\nd4\n").expect_code(4);
        let said = said(&finished);
        assert!(said.iter().filter(|line| line.starts_with(failure)).count() == 2, "{said:?}");
        assert!(said.contains(&"1-0, Black loses by a fault of the engine".to_owned()), "{said:?}");
        assert!(said.iter().any(|line| line.starts_with("rnbqkbnr/pppppppp/8/8/8/8/")), "{said:?}");
    }
    let undone = bench.run_with_input(&["play", "./crash"], "d4\nundo\n");
    undone.expect_code(0);
}

#[test]
#[cfg_attr(windows, ignore = "its engine is a shell script")]
fn an_engine_that_oversteps_its_clock_loses() {
    let bench = Workbench::new();
    bench.write_script("slow", "sleep 2; echo bestmove e7e5");
    let finished = bench.run_with_input(&["play", "./slow", "--tc", "0.9+0.1"], "d4\n").expect_code(0);
    let said = said(&finished);
    assert!(said.contains(&"1-0, Black loses on time".to_owned()), "{said:?}");
}

#[test]
fn wrong_usage_is_refused_before_anything_starts() {
    let bench = Workbench::with_mocks(&["well"]);
    for (args, part) in [
        (&["--white", "--black"][..], "cannot be used with"),
        (&["--fen", "8/8 w - - 0 1"], "field 1 (board)"),
        (&["--tc", "soon"], "`soon`"),
        (&["--load", "game.doc"], ".pgn"),
    ] {
        play(&bench, args, "").expect_code(2).tells(&[part]);
    }
    bench.run("play well:tc=5").expect_code(2).tells(&["--tc"]);
    let left_over = fs::read_dir(bench.path(".")).unwrap().count();
    assert_eq!(left_over, 2, "the book and the engines");
}

fn plies(state: &Value) -> usize {
    state["moves"].as_array().map_or(0, Vec::len)
}

fn play_on_page(bench: &Workbench, args: &[&str]) -> PageClient {
    PageClient::start(bench, &[&["play", "well", "--nodes", "20", "--web"], args].concat())
}

fn answer(page: &PageClient, line: &str) -> String {
    let answer: Value = serde_json::from_str(&page.type_line(line).body).unwrap();
    let lines = answer["answer"].as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned());
    lines.collect::<Vec<String>>().join("\n")
}

#[test]
fn a_move_is_answered_by_the_engine_and_undone_with_the_reply() {
    let bench = Workbench::with_mocks(&["well"]);
    let page = play_on_page(&bench, &[]);
    let start = page.wait_for("the board", |_| true);
    assert_eq!((start["you"].as_str(), start["legal"].as_array().map(Vec::len)), (Some("white"), Some(20)));
    assert_eq!(answer(&page, "e2e4"), "1. e4");
    let state = page.wait_for("the answer", |state| plies(state) == 2 && state["thinking"] == false);
    assert!(state["messages"][0].as_str().unwrap().starts_with("well plays 1... "), "{state}");
    assert_eq!(answer(&page, "notation french"), "moves are now written like Cf3");
    assert!(answer(&page, "Cz9").contains("Cf3"), "an example in French");
    page.wait_for("French", |state| state["notation"] == "french");
    answer(&page, "undo");
    page.wait_for("the first position", |state| plies(state) == 0 && state["fen"] == start["fen"]);
    assert_eq!(page.end(), Some(0));
}

#[test]
fn with_black_the_engine_moves_first() {
    let bench = Workbench::with_mocks(&["well"]);
    let page = play_on_page(&bench, &["--black"]);
    let state = page.wait_for("the first move", |state| plies(state) == 1 && state["thinking"] == false);
    assert_eq!((state["you"].as_str(), state["white"]["name"].as_str()), (Some("black"), Some("well")));
}

#[test]
fn the_flag_falls_without_a_command() {
    let bench = Workbench::with_mocks(&["well"]);
    let page = PageClient::start(&bench, &["play", "well", "--tc", "0.3", "--web"]);
    let state = page.wait_for("the flag", |state| !state["outcome"].is_null());
    assert_eq!(state["outcome"], "0-1, White loses on time");
    assert_eq!(state["legal"].as_array().map(Vec::len), Some(0));
}

#[test]
fn the_game_can_be_downloaded() {
    let bench = Workbench::with_mocks(&["well"]);
    let page = play_on_page(&bench, &["--name", "Ada"]);
    answer(&page, "resign");
    page.wait_for("the end", |state| state["outcome"] == "0-1, White resigns");
    let pgn = page.get("/game.pgn");
    assert!(pgn.head.contains("attachment; filename=\"game.pgn\""), "{}", pgn.head);
    assert!(pgn.body.contains("[White \"Ada\"]") && pgn.body.contains("[Result \"0-1\"]"), "{}", pgn.body);
}

#[test]
fn invalid_requests_change_nothing() {
    let bench = Workbench::with_mocks(&["well"]);
    let page = play_on_page(&bench, &[]);
    let host = format!("Host: 127.0.0.1:{}\r\n", page.port());
    let post = |kind: &str, body: &str| {
        let length = body.len();
        let head =
            format!("POST /lines HTTP/1.1\r\n{host}Content-Type: {kind}\r\nContent-Length: {length}\r\n");
        page.ask(&head, body).status
    };
    assert_eq!(post("text/plain", "{\"line\":\"resign\"}"), 415);
    assert_eq!(post("application/json", "resign"), 400);
    assert_eq!(post("application/json", &"x".repeat(3_000_000)), 413);
    assert_eq!(page.get("/lines").status, 405);
    assert!(page.wait_for("the game", |_| true)["outcome"].is_null());
}
