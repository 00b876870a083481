//! Pages in a browser: the games of a report, `arbiter play` and `arbiter watch`.

use std::fmt::Write;

use arbiter::report::page::GameViewer;
use jiff::Timestamp;
use maud::Render;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use referee::{GameResult, Referee, Side, Variant};
use runner::{GameRecord, MoveScore, OpeningMove, OpeningRecord, RunConfig, Termination};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::browser::{Browser, PageClient};
use crate::workbench::Workbench;

/// Positions in which castling, en passant and promotion are close.
const STARTS: [(Variant, &str); 9] = [
    (Variant::Standard, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    (Variant::Standard, "r3k2r/pPp2pPp/8/3Pp3/3pP3/8/PpP2PpP/R3K2R w KQkq e6 0 30"),
    (Variant::Standard, "8/PPPk4/8/8/8/8/4Kppp/8 b - - 12 99"),
    (Variant::Chess960, "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1"),
    (Variant::Chess960, "1r3kr1/8/8/8/8/8/8/1R3KR1 w GBgb - 0 1"),
    (Variant::Chess960, "rk5r/8/8/8/8/8/8/RK5R b KQkq - 3 20"),
    (Variant::Crazyhouse, "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R[QNPqnp] w KQkq - 0 30"),
    (Variant::Atomic, "r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 9"),
    (Variant::ThreeCheck, "4k2r/8/8/8/8/8/8/Q3K3 w k - 3+2 0 1"),
];

/// Opens every game by its address, and steps back to its start with the keyboard.
const WALK: &str = include_str!("pages/walk.js");

const TRY: &str = include_str!("pages/try.js");

#[derive(Debug, Deserialize)]
struct Walked {
    /// For each game the moves and resulting positions; the first position has an empty move.
    games: Vec<Vec<(String, String)>>,
    troubles: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Tried {
    steps: Vec<String>,
    images: usize,
    troubles: Vec<String>,
}

fn config(names: [&str; 2], variant: Variant) -> RunConfig {
    let mut text = format!("games = 100\nvariant = \"{variant}\"\n[book]\npath = \"made-up.epd\"\n");
    for name in names {
        write!(text, "[[engine]]\nname = '{name}'\nprogram = 'x'\n").unwrap();
    }
    toml::from_str(&text).unwrap()
}

fn random_game(index: u32, variant: Variant, fen: &str) -> GameRecord {
    let mut random = StdRng::seed_from_u64(u64::from(index) + 7);
    let mut referee = Referee::from_fen(fen, variant).unwrap();
    let (mut opening, mut moves) = (Vec::new(), Vec::new());
    for ply in 0..60 {
        let mut legal = referee.legal_moves();
        if legal.is_empty() {
            break;
        }
        legal.sort();
        let played = referee.play(&legal[random.random_range(0..legal.len())]).unwrap();
        if ply < 2 {
            opening.push(OpeningMove { uci: played.uci().to_owned(), san: played.san().to_owned() });
        } else {
            moves.push(json!({
                "uci": played.uci(),
                "san": played.san(),
                "time_us": random.random_range(0..2_000_000_u64),
                "score": MoveScore::Cp(random.random_range(-300..300)),
                "depth": 12,
                "nodes": random.random::<u64>(),
            }));
        }
    }
    let record = json!({
        "game": index,
        "pair": index / 2,
        "white": 0,
        "black": 1,
        "opening": OpeningRecord { index: 4, fen: fen.to_owned(), moves: opening, ..OpeningRecord::default() },
        "moves": moves,
        "result": GameResult::WhiteWins,
        "termination": Termination::ResignAdjudication,
        "final_fen": referee.fen(),
        "started": Timestamp::UNIX_EPOCH,
        "duration_us": 9_000_000,
    });
    serde_json::from_value(record).unwrap()
}

fn page(config: &RunConfig, games: &[GameRecord]) -> String {
    let viewer = GameViewer::new(config, games);
    format!(
        "<!DOCTYPE html><html><head><meta charset=\"utf-8\"></head><body>{}</body></html>",
        viewer.render().into_string()
    )
}

#[test]
fn the_board_shows_every_position_of_a_game() {
    use Variant::{Atomic, Chess960, Crazyhouse, Standard, ThreeCheck};
    let Some(browser) = Browser::on_the_path() else { return };
    for variant in [Standard, Chess960, Crazyhouse, Atomic, ThreeCheck] {
        let starts = STARTS.iter().filter(|(of, _)| *of == variant).map(|(_, fen)| fen);
        let games: Vec<GameRecord> = starts
            .flat_map(|fen| [fen; 2])
            .enumerate()
            .map(|(index, fen)| random_game(index as u32, variant, fen))
            .collect();
        let walk = WALK.replace("COUNT", &games.len().to_string());
        let walked: Walked = browser.try_page(&page(&config(["new", "old"], variant), &games), 1200, &walk);
        assert_eq!(walked.troubles, Vec::<String>::new());
        assert_eq!(walked.games.len(), games.len());
        for (shown, record) in walked.games.iter().zip(&games) {
            let mut referee = Referee::from_fen(&record.opening.fen, variant).unwrap();
            let mut expected = vec![(String::new(), referee.fen())];
            let book = record.opening.moves.iter().map(|played| played.uci.as_str());
            for uci in book.chain(record.moves.iter().map(|played| played.uci.as_str())) {
                let san = referee.play(uci).unwrap().san().to_owned();
                expected.push((san, referee.fen()));
            }
            assert_eq!(shown, &expected, "game {} of {variant} chess", record.game + 1);
        }
    }
}

#[test]
fn list_keys_and_graph_do_what_they_should() {
    let Some(browser) = Browser::on_the_path() else { return };
    let name = "</script><img src=x>";
    let mut games: Vec<GameRecord> =
        (0..300).map(|index| random_game(index, STARTS[2].0, STARTS[2].1)).collect();
    games[9].result = Some(GameResult::BlackWins);
    games[9].termination = Termination::Crash;
    games[9].offender = Some(Side::White);
    games[9].detail = Some("exit code <b>1</b>".to_owned());
    games[10] =
        GameRecord { moves: Vec::new(), termination: Termination::FailedToStart, ..games[10].clone() };
    games[10].opening.moves.clear();
    let last = games[8].moves.last().unwrap().san.clone();
    let tried: Tried = browser.try_page(&page(&config([name, "old"], Variant::Standard), &games), 500, TRY);
    assert_eq!(tried.troubles, Vec::<String>::new());
    assert_eq!(tried.images, 0);
    let first = &games[8].opening.moves[0].san;
    let other = &games[1].opening.moves[0].san;
    let expected = [
        format!("Game 1 {name} – old 1–0"),
        "299 of 300 games".to_owned(),
        "300 games".to_owned(),
        "2 of 300 games".to_owned(),
        "White's engine crashed: exit code <b>1</b>".to_owned(),
        "300 games".to_owned(),
        "#game-9".to_owned(),
        "Before the first move".to_owned(),
        format!("99… {first}"),
        "old".to_owned(),
        format!(" {last}"),
        "Game 999 is not on this page; games.pgn in the folder of the run has all games.".to_owned(),
        format!("99… {other}, "),
        "Before the first move".to_owned(),
        "0 of 300 games".to_owned(),
    ];
    for (step, (shown, expected)) in tried.steps.iter().zip(&expected).enumerate() {
        assert!(shown.ends_with(expected.as_str()), "step {step}: {shown:?}, expected {expected:?}");
    }
    assert_eq!(tried.steps.len(), expected.len());
}

/// A mock server: `show` sends a state, `answers` holds the answers, and `asked` records the requests.
const SERVER: &str = include_str!("pages/server.js");

/// The page as one file that shows this state, so that a trial can mock its server.
fn page_with_state(page: &PageClient, state: &Value) -> String {
    let [style, script] = ["/style.css", "/script.js"].map(|path| page.get(path).body);
    let html = page.get("/").body;
    let inlined = format!("<script>window.state = {state};\n{SERVER}</script>\n<script>{script}</script>");
    let html = html.replace("<script src=\"script.js\"></script>", &inlined);
    html.replace("<link rel=\"stylesheet\" href=\"style.css\"/>", &format!("<style>{style}</style>"))
}

#[derive(Debug, Deserialize)]
struct Played {
    asked: Vec<String>,
    notices: Vec<String>,
    pieces: usize,
    wide: bool,
    troubles: Vec<String>,
}

const PLAY: &str = include_str!("pages/play.js");

#[test]
fn moves_are_clicked_dragged_and_typed_in_chromium() {
    let Some(browser) = Browser::on_the_path() else { return };
    let bench = Workbench::with_mocks(&["well"]);
    let page = PageClient::start(&bench, &["play", "well", "--nodes", "20", "--tc", "5:00", "--web"]);
    let html = page_with_state(&page, &page.wait_for("the board", |_| true));
    for width in [1200, 500] {
        let played: Played = browser.try_page(&html, width, PLAY);
        assert!(played.troubles.is_empty(), "{played:?}");
        let lines = ["e2e4", "g1f3", "b2b4", "Nc3", "undo", "a7a8n", "resign"];
        assert_eq!(
            (played.asked, played.pieces, played.wide),
            (lines.map(str::to_owned).to_vec(), 32, false)
        );
        assert_eq!(played.notices, ["Really resign?", "0-1, White resigns"]);
    }
}

#[derive(Debug, Deserialize)]
struct Watched {
    verdict: String,
    rows: usize,
    first_fen: String,
    last_fen: String,
    live: Vec<String>,
    wide: bool,
    troubles: Vec<String>,
}

const WATCH: &str = include_str!("pages/watch.js");

#[test]
fn boards_and_finished_games_are_drawn_in_chromium() {
    let Some(browser) = Browser::on_the_path() else { return };
    let bench = Workbench::with_mocks(&["well"]);
    let args =
        ["match", "well", "well:Hash=2", "--openings", "book.epd", "--nodes", "20", "--maxmoves", "40"];
    bench.run(&[&args[..], &["--games", "4", "--out", "run"]].concat()).expect_code(0);
    let page = PageClient::start(&bench, &["watch", "run"]);
    let game = page.get("/games/1").body;
    let html = page_with_state(&page, &page.wait_for("the state", |_| true));
    let html =
        html.replacen("<script>window.state", &format!("<script>window.game = {game}; window.state"), 1);
    let game: Value = serde_json::from_str(&game).unwrap();
    for width in [1200, 500] {
        let watched: Watched = browser.try_page(&html, width, WATCH);
        assert!(watched.troubles.is_empty(), "{watched:?}");
        assert_eq!((watched.rows, watched.wide), (4, false));
        assert!(watched.verdict.contains("4 games"), "{watched:?}");
        assert_eq!(game["start"], watched.first_fen);
        assert_eq!(game["moves"].as_array().unwrap().last().unwrap()["fen"], watched.last_fen);
        assert_eq!(watched.live.len(), 3, "{watched:?}");
        assert!(watched.live[0].starts_with("Game 3 <b>two</b> +0.31 d9 1:00"), "{watched:?}");
        assert!(
            watched.live[1].starts_with("Game 9") && watched.live[1].contains("one +0.31 d9 0:59"),
            "{watched:?}"
        );
        assert_eq!(watched.live[2], "1");
    }
}
