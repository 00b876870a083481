//! Reads the games back from the HTML and compares them with the records.

use std::io::Read;

use flate2::read::ZlibDecoder;
use serde_json::{Value, json};

use super::game_block::MoveColumns;
use super::*;
use crate::results::test_games::{config, game, lost_by, two_engine_match};
use referee::{GameResult, Side};
use runner::{MoveScore, Termination};

/// The data of a page, as the page's script reads them.
struct GamesPage {
    html: String,
    index: Value,
}

impl GamesPage {
    fn of(viewer: &GameViewer) -> GamesPage {
        let html = viewer.render().into_string();
        let index = unpack(&html, "games-index");
        GamesPage { html, index }
    }

    /// The data of a game, by its number from 1.
    fn record(&self, number: u64) -> Value {
        let rows = self.index["games"].as_array().unwrap();
        let row = rows.iter().find(|row| row[0] == number).unwrap();
        let block = unpack(&self.html, &format!("games-block-{}", row[8]));
        block[row[9].as_u64().unwrap() as usize].clone()
    }
}

fn unpack(html: &str, id: &str) -> Value {
    let (_, data) = html.split_once(&format!("id=\"{id}\">")).unwrap();
    let bytes = STANDARD.decode(data.split_once('<').unwrap().0).unwrap();
    let mut json = String::new();
    ZlibDecoder::new(bytes.as_slice()).read_to_string(&mut json).unwrap();
    serde_json::from_str(&json).unwrap()
}

#[test]
fn a_game_that_is_logged_has_a_link_to_its_protocol() {
    let config = RunConfig { logs: "2".parse().unwrap(), ..config(&["new", "old"], false) };
    let games = two_engine_match("wd");
    let block = GameBlock::new(&games.iter().collect::<Vec<_>>(), &mut GameIndex::new(&config));
    let texts: Vec<String> = block.games.iter().map(|game| serde_json::to_string(game).unwrap()).collect();
    assert!(!texts[0].contains("\"log\"") && texts[1].contains("\"log\":\"logs/2.log.gz\""), "{texts:?}");
}

#[test]
fn what_the_engines_told_is_in_columns() {
    let mut moves = vec![game(0, (0, 1), Some(GameResult::Draw)).moves.remove(0); 6];
    moves[0].score = None;
    moves[1].depth = None;
    moves[2].pondered = true;
    moves[3].clock_left = None;
    moves[4].time = std::time::Duration::from_micros(1_234_560);
    moves[5].score = Some(MoveScore::Mate(3));
    let columns = serde_json::to_value(MoveColumns::of(&moves, Side::White)).unwrap();
    let expected = json!({
        "scores": [null, -31, 31, -31, 31, "-M3"],
        "depths": [12, null, 12, 12, 12, 12],
        "seldepths": [8, 20, 8, 8, 8, 8],
        "times": [5200, 5200, 5200, 5200, 12346, 5200],
        "clocks": [80800, 80800, 5200, null, 12346, 5200],
        "nodes": vec![416_000; 6],
        "pondered": [2],
    });
    assert_eq!(columns, expected);
}

#[test]
fn lines_of_the_list_say_how_games_ended() {
    let mut games = two_engine_match("wld");
    games.push(lost_by(3, (1, 0), Side::White, Termination::TimeLoss));
    games.push(GameRecord { after_decision: true, ..game(4, (0, 1), None) });
    games.reverse();
    let page = GamesPage::of(&GameViewer::new(&config(&["new", "old"], false), &games));
    let rows = page.index["games"].as_array().unwrap();
    let column = |at: usize| rows.iter().map(|row| row[at].as_u64().unwrap()).collect::<Vec<_>>();
    assert_eq!(column(0), [1, 2, 3, 4, 5]);
    assert_eq!(column(1), [0, 1, 0, 1, 0]);
    assert_eq!(column(3), [0, 0, 1, 2, 3]);
    assert_eq!(column(7), [0, 0, 0, 1, 4]);
    assert_eq!(page.index["endings"][rows[3][4].as_u64().unwrap() as usize]["name"], "time loss");
    assert_eq!(column(6), [4, 4, 4, 4, 3]);
}

#[test]
fn a_record_that_is_not_chess_is_shown_as_far_as_it_is() {
    let mut illegal = game(0, (0, 1), Some(GameResult::Draw));
    illegal.moves[1].uci = "b8b1".into();
    let mut unreadable = game(1, (1, 0), Some(GameResult::Draw));
    unreadable.opening.fen = "no position".to_owned();
    let page = GamesPage::of(&GameViewer::new(&config(&["new", "old"], false), &[illegal, unreadable]));
    assert!(page.index["moves"][2].as_str().unwrap().starts_with("Nf3 "));
    assert_eq!(page.record(1)["moves"], json!([2]));
    assert!(page.record(1)["trouble"].as_str().unwrap().contains("b8b1"));
    assert_eq!(page.record(2)["moves"], json!([]));
    assert!(page.record(2)["trouble"].as_str().unwrap().contains("no position"));
}

#[test]
fn a_page_with_too_many_games_has_the_faulty_ones_and_says_so() {
    let mut games = two_engine_match(&"wdl".repeat(100));
    games[250] = lost_by(250, (0, 1), Side::White, Termination::Crash);
    let config = config(&["new", "old"], false);
    let whole = GameViewer::new(&config, &games);
    assert_eq!((whole.blocks.len(), whole.note.contains("room")), (3, false));

    let room = whole.blocks[0].len() + whole.blocks[1].len() + 100;
    let part = GameViewer::within(room, &config, &games);
    assert!(
        part.render().into_string().contains("room for 200 of the 300 games; those with a fault come first")
    );
    let page = GamesPage::of(&part);
    assert_eq!(page.index["games"].as_array().unwrap().len(), 200);
    assert_eq!(page.record(251)["ending"], "White's engine crashed");

    let none = GameViewer::within(10, &config, &games);
    assert!(GamesPage::of(&none).index["games"].as_array().unwrap().is_empty());
    assert!(none.note.contains("0 of the 300"));
}

#[test]
fn a_run_without_games_has_a_section_all_the_same() {
    let text = GameViewer::new(&config(&["new", "old"], false), &[]).render().into_string();
    assert!(text.starts_with("<section id=\"games\">") && text.contains("no games yet"));
    let config = config(&["new", "old"], false);
    let page = |games: &[GameRecord]| GameViewer::new(&config, games).render().into_string();
    assert!(page(&two_engine_match("wd")).contains("The games are not printed."));
    assert!(!page(&[]).contains("The games are not printed."));
}
