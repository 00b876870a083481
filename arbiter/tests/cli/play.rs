//! `arbiter play`: a human against an engine, in the terminal and in the browser.

use serde_json::Value;

use crate::browser::PageClient;
use crate::workbench::Workbench;

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
    let home = page.path();
    let post = |kind: &str, body: &str| {
        let length = body.len();
        let head = format!("POST {home}lines HTTP/1.1\r\n{host}{kind}Content-Length: {length}\r\n");
        page.ask(&head, body).status
    };
    let json = "Content-Type: application/json; charset=utf-8\r\n";
    assert_eq!(post("Content-Type: text/plain\r\n", "{\"line\":\"resign\"}"), 415);
    assert_eq!(post("", "{\"line\":\"resign\"}"), 415);
    assert_eq!(post(json, "resign"), 400);
    assert_eq!(post(json, &"x".repeat(3_000_000)), 413);
    assert_eq!(page.get("/lines").status, 405);
    assert!(page.wait_for("the game", |_| true)["outcome"].is_null());
}

#[test]
fn another_user_of_the_machine_sees_and_changes_nothing() {
    let bench = Workbench::with_mocks(&["well"]);
    let page = play_on_page(&bench, &[]);
    for line in
        ["GET /", "GET /events", "GET /game.pgn", "POST /lines", "GET /0123456789abcdef0123456789abcdef/"]
    {
        let head = format!(
            "{line} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n",
            page.port()
        );
        assert_eq!(page.ask(&head, "").status, 404, "{line}");
    }
    // A client that knows the random word still cannot open files, unless a folder was named for them.
    assert!(answer(&page, "save game.pgn").contains("--folder DIR"));
    assert!(!bench.path("game.pgn").exists());
}

#[test]
fn a_page_opens_files_of_one_folder_alone() {
    let bench = Workbench::with_mocks(&["well"]);
    bench.write("games/old.pgn", "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. e4 *\n");
    bench.write("secret.pgn", "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. d4 *\n");
    let page = play_on_page(&bench, &["--folder", "games"]);
    let secret = bench.path("secret.pgn").display().to_string();
    for line in
        ["load ../secret.pgn", &format!("load {secret}"), "save ../new.pgn", "save none/../../new.pgn"]
    {
        let said = answer(&page, line);
        assert!(!said.contains("d4") && !said.contains("saved in"), "{line}: {said}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&secret, bench.path("games/link.pgn")).unwrap();
        assert!(answer(&page, "load link.pgn").contains("expected a file in games"));
        let made = std::process::Command::new("mkfifo").arg(bench.path("games/pipe.pgn")).status().unwrap();
        assert!(made.success());
        assert!(answer(&page, "load pipe.pgn").contains("found a pipe"));
    }
    assert!(answer(&page, "load old.pgn").contains("1. e4"));
    assert!(answer(&page, "save new.pgn").contains("saved in"));
    assert!(bench.read("games/new.pgn").contains("e4") && !bench.path("new.pgn").exists());
}
