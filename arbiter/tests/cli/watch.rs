//! `arbiter watch`: a run in the browser, while it is running and afterwards. The run is not affected.

use referee::{Referee, Variant};
use serde_json::Value;

use crate::interruptions::wait_until;
use crate::page_client::PageClient;
use crate::workbench::Workbench;

const MATCH: [&str; 12] = [
    "match",
    "well",
    "well:Hash=2",
    "--openings",
    "book.epd",
    "--seed",
    "1",
    "--nodes",
    "20",
    "--maxmoves",
    "40",
    "--no-report",
];

fn match_args<'a>(games: &'a str, out: &'a str) -> Vec<&'a str> {
    [&MATCH[..], &["--games", games, "--out", out]].concat()
}

#[test]
fn the_games_of_a_running_match_are_shown_move_by_move_until_it_ends() {
    let bench = Workbench::with_mocks(&["well"]);
    let mut arbiter = bench.spawn(&match_args("1000000", "run"));
    wait_until("the socket", || bench.path("run/control.sock").exists());
    let page = PageClient::start(&bench, &["watch", "run"]);
    let live = |state: &Value| {
        state["is_live"] == true && state["boards"].as_array().is_some_and(|all| !all.is_empty())
    };
    let state = page.wait_for("a board", live);
    let board = &state["boards"][0];
    assert_eq!(board["white"]["name"].as_str().map(|name| name.starts_with("well")), Some(true), "{board}");
    Referee::from_fen(board["fen"].as_str().unwrap(), Variant::Standard).unwrap();
    let number = board["number"].clone();
    page.wait_for("a later game", |state| {
        live(state) && state["boards"].as_array().unwrap().iter().all(|board| board["number"] != number)
    });
    page.wait_for("the score", |state| state["games"].as_u64().unwrap() > 0 && state["is_running"] == true);
    bench.run(&["control", "run", "stop", "now"]).expect_code(0);
    assert_eq!(arbiter.wait().unwrap().code(), Some(3));
    let over = page.wait_for("the end", |state| state["is_running"] == false);
    assert_eq!((over["is_live"].as_bool(), over["boards"].as_array().map(Vec::len)), (Some(false), Some(0)));
    assert_eq!(over["state"], "interrupted: stopped by the user");
    assert_eq!(page.end(), Some(0));
}

#[test]
fn a_match_that_is_watched_plays_the_same_games() {
    let bench = Workbench::with_mocks(&["well"]);
    let mut watched = bench.spawn(&match_args("200", "watched"));
    wait_until("the journal", || bench.path("watched/events.jsonl").exists());
    let page = PageClient::start(&bench, &["watch", "watched"]);
    let state = page.wait_for("the end", |state| state["games"] == 200 && state["is_running"] == false);
    assert_eq!(state["standings"][0]["games"], 200);
    assert_eq!(watched.wait().unwrap().code(), Some(0));
    bench.run(&match_args("200", "alone")).expect_code(0);
    assert_eq!(bench.read("watched/games.pgn"), bench.read("alone/games.pgn"));
}

#[test]
fn a_finished_run_shows_its_games_position_by_position() {
    let bench = Workbench::with_mocks(&["well"]);
    bench.run(&match_args("4", "run")).expect_code(0);
    let before = bench.listing();
    let page = PageClient::start(&bench, &["watch", "run"]);
    let state = page.wait_for("the state", |_| true);
    assert_eq!((state["games"].as_u64(), state["is_live"].as_bool()), (Some(4), Some(false)));
    assert_eq!(state["finished"].as_array().map(Vec::len), Some(4));
    let game: Value = serde_json::from_str(&page.get("/games/2").body).unwrap();
    assert_eq!(game["number"], 2);
    let mut referee = Referee::from_fen(game["start"].as_str().unwrap(), Variant::Standard).unwrap();
    for played in game["moves"].as_array().unwrap() {
        let own = referee.play(played["uci"].as_str().unwrap()).unwrap();
        assert_eq!(
            (played["san"].as_str(), played["fen"].as_str()),
            (Some(own.san()), Some(&referee.fen()[..]))
        );
    }
    assert!(referee.ply() > 0);
    assert_eq!(page.get("/games/5").status, 404);
    assert_eq!(bench.listing(), before, "nothing is left in the folder");
}

#[test]
fn the_page_loads_nothing_from_elsewhere() {
    let bench = Workbench::with_mocks(&["well"]);
    bench.run(&match_args("2", "run")).expect_code(0);
    let page = PageClient::start(&bench, &["watch", "run"]);
    let html = page.get("/");
    assert_eq!(html.status, 200);
    assert!(
        html.head.to_lowercase().contains("content-security-policy: default-src 'none'")
            && html.head.contains("img-src data:"),
        "{}",
        html.head
    );
    for (path, kind) in [("/script.js", "text/javascript"), ("/style.css", "text/css")] {
        assert!(html.body.contains(path.trim_start_matches('/')));
        let file = page.get(path);
        assert!(file.status == 200 && file.head.contains(kind), "{}", file.head);
        assert!(!file.body.contains("https://"), "{path} loads something from elsewhere");
    }
}

#[test]
fn requests_of_other_sites_are_rejected() {
    let bench = Workbench::with_mocks(&["well"]);
    bench.run(&match_args("2", "run")).expect_code(0);
    let page = PageClient::start(&bench, &["watch", "run"]);
    let foreign = [
        "GET /events HTTP/1.1\r\nHost: evil.example\r\n".to_owned(),
        format!("GET /events HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nOrigin: http://evil.example\r\n", page.port()),
    ];
    for head in foreign {
        assert_eq!(page.ask(&head, "").status, 403, "{head}");
    }
}

#[test]
fn a_folder_without_a_run_is_refused() {
    let bench = Workbench::with_mocks(&["well"]);
    let refused = bench.run(&["watch", "nowhere"]).expect_code(2).stderr();
    assert!(refused.contains("nowhere: expected a run folder with a journal, events.jsonl"), "{refused}");
    bench.write("odd/events.jsonl", "{\"event\":\"nonsense\"}\n{}\n");
    let refused = bench.run(&["watch", "odd"]).expect_code(2).stderr();
    assert!(refused.contains("events.jsonl, line 1"), "{refused}");
    bench.write("empty/events.jsonl", "");
    let refused = bench.run(&["watch", "empty"]).expect_code(2).stderr();
    assert!(refused.contains("expected the start of a run"), "{refused}");
    bench.run(&match_args("2", "run")).expect_code(0);
    let page = PageClient::start(&bench, &["watch", "run"]);
    let taken = bench.run(&["watch", "run", "--port", &page.port().to_string()]).expect_code(2).stderr();
    assert!(taken.contains(&format!("--port {}", page.port())), "{taken}");
}
