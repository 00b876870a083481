//! Reads the games back from the HTML and compares them with the records.

mod page;

use proptest::prelude::*;

use self::page::GamesPage;
use super::game_block::MoveColumns;
use super::*;
use crate::results::test_games::{config, game, lost_by, two_engine_match};
use referee::{GameResult, Referee, Side, Variant};
use runner::{MoveRecord, MoveScore, OpeningMove, Termination};

/// A game whose moves are chosen by numbers; the first `book` moves are the opening.
fn random_game(variant: Variant, fen: &str, book: usize, choices: &[usize]) -> GameRecord {
    let mut referee = Referee::from_fen(fen, variant).unwrap();
    let mut record = game(0, (0, 1), Some(GameResult::Draw));
    let sample: MoveRecord = record.moves.remove(0);
    record.moves.clear();
    record.opening.moves.clear();
    fen.clone_into(&mut record.opening.fen);
    for (at, choice) in choices.iter().enumerate() {
        let mut moves = referee.legal_moves();
        if moves.is_empty() {
            break;
        }
        moves.sort();
        let played = referee.play(&moves[choice % moves.len()]).unwrap();
        if at < book {
            let (uci, san) = (played.uci().to_owned(), played.san().to_owned());
            record.opening.moves.push(OpeningMove { uci, san });
        } else {
            let score = if at % 7 == 0 { MoveScore::Mate(3) } else { MoveScore::Cp(*choice as i32 - 500) };
            let (uci, san) = (played.uci().into(), played.san().into());
            record.moves.push(MoveRecord { uci, san, score: Some(score), ..sample.clone() });
        }
    }
    record.final_fen = referee.fen();
    record
}

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

#[test]
fn a_game_that_is_logged_has_a_link_to_its_protocol() {
    let config = RunConfig { logs: "2".parse().unwrap(), ..config(&["new", "old"], false) };
    let games = two_engine_match("wd");
    let block = GameBlock::new(&games.iter().collect::<Vec<_>>(), &mut GameIndex::new(&config));
    let texts: Vec<String> = block.games.iter().map(|game| serde_json::to_string(game).unwrap()).collect();
    assert!(!texts[0].contains("\"log\"") && texts[1].contains("\"log\":\"logs/2.log.gz\""), "{texts:?}");
}

proptest! {
    #[test]
    fn every_position_of_the_page_is_the_referees(
        start in 0..STARTS.len(), book in 0_usize..6, choices in prop::collection::vec(0_usize..1000, 0..80),
    ) {
        let (variant, fen) = STARTS[start];
        let record = random_game(variant, fen, book, &choices);
        let config = RunConfig { variant, ..config(&["new", "old"], false) };
        let shown = GamesPage::of(&GameViewer::new(&config, std::slice::from_ref(&record))).game(1);
        let mut referee = Referee::from_fen(fen, variant).unwrap();
        prop_assert_eq!(&shown.fens[0], &referee.fen());
        let book = record.opening.moves.iter().map(|played| played.uci.as_str());
        let all = book.chain(record.moves.iter().map(|played| played.uci.as_str()));
        for (at, uci) in all.enumerate() {
            let played = referee.play(uci).unwrap();
            prop_assert_eq!(&shown.fens[at + 1], &referee.fen());
            prop_assert_eq!(&shown.sans[at], played.san());
        }
        prop_assert_eq!(shown.fens.len(), record.opening.moves.len() + record.moves.len() + 1);
        prop_assert_eq!(shown.fens.last().unwrap(), &record.final_fen);
    }
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
    let expected = serde_json::json!({
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
fn names_and_details_cannot_become_markup() {
    let name = "</script><script>alert(1)</script>";
    let mut crash = lost_by(0, (0, 1), Side::Black, Termination::Crash);
    crash.detail = Some("<!--<script>".to_owned());
    crash.warnings = vec!["</section>".to_owned()];
    let mut config = config(&["new", "old"], false);
    name.clone_into(&mut config.engines[0].name);
    let viewer = GameViewer::new(&config, &[crash]);
    let text = viewer.render().into_string();
    assert!(!text.contains("alert(1)") && !text.contains("<!--"));
    let page = GamesPage::of(&viewer);
    assert_eq!(page.index["engines"][0]["name"], name);
    assert_eq!(page.record(1)["ending"], "Black's engine crashed: <!--<script>");
    assert_eq!(page.record(1)["warnings"][0], "</section>");
}

#[test]
fn the_scripts_end_where_they_should() {
    for script in BOARD_SCRIPTS.iter().chain(&SCRIPTS).chain([&START]) {
        assert!(!script.contains("</script") && !script.contains("<!--"));
    }
    let text = GameViewer::new(&config(&["a", "b"], false), &two_engine_match("wd")).render().into_string();
    assert_eq!(text.matches("<script").count(), text.matches("</script>").count());
    assert!(
        !text.contains("http") || text.matches("http").count() == text.matches("http://www.w3.org").count()
    );
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
    assert_eq!(page.game(1).sans, ["e4", "e5", "Nf3"]);
    assert!(page.record(1)["trouble"].as_str().unwrap().contains("b8b1"));
    assert!(page.game(2).sans.is_empty());
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
        part.render()
            .into_string()
            .contains("room for 200 of the 300 games: the 1 with a fault and the first 199")
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
