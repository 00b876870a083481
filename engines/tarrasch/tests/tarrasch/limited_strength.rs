//! `UCI_LimitStrength` and `UCI_Elo`.

use crate::gui::{Answer, Gui};

const QUIET: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";

fn limited(elo: u32, seed: u32) -> Gui {
    let options = [
        "setoption name UCI_LimitStrength value true".to_owned(),
        format!("setoption name UCI_Elo value {elo}"),
        format!("setoption name Seed value {seed}"),
    ];
    Gui::with(&options.each_ref().map(String::as_str))
}

fn search(gui: &mut Gui) -> Answer {
    gui.search(&["ucinewgame", &format!("position fen {QUIET}"), "go movetime 60000"])
}

fn nodes(answer: &Answer) -> u64 {
    answer.infos.iter().filter_map(|info| info.nodes).max().unwrap()
}

#[test]
fn a_lower_rating_searches_less_and_hurries() {
    let counts = [1400, 2000, 2600].map(|elo| nodes(&search(&mut limited(elo, 1))));
    assert!(counts.is_sorted_by(|a, b| 2 * a < *b), "{counts:?}");
    assert!(counts[0] < 1_000);
}

#[test]
fn the_rating_counts_only_when_strength_is_to_be_limited() {
    let mut gui = limited(1200, 1);
    gui.send(&["setoption name UCI_LimitStrength value false"]);
    let answer = gui.search(&[&format!("position fen {QUIET}"), "go nodes 5000"]);
    assert!(nodes(&answer) > 4_000);
}

/// What a search found, without its times.
fn found(answer: &Answer) -> Vec<String> {
    answer.infos.iter().map(|info| format!("{:?} {:?} {:?}", info.nodes, info.score, info.pv)).collect()
}

#[test]
fn a_rating_does_not_depend_on_the_network() {
    let mut gui = limited(2600, 1);
    let first = search(&mut gui);
    gui.send(&["setoption name Network value false"]);
    assert_eq!(found(&first), found(&search(&mut gui)));
}

#[test]
fn the_full_strength_does_not_use_what_a_rating_left_in_the_table() {
    let go = [&format!("position fen {QUIET}"), "go nodes 5000"];
    let mut gui = limited(2600, 1);
    gui.search(&go);
    gui.send(&["setoption name UCI_LimitStrength value false"]);
    assert_eq!(found(&gui.search(&go)), found(&Gui::with(&[]).search(&go)));
}

#[test]
fn with_a_seed_the_same_move_is_played_again() {
    for seed in [1, 7] {
        let mut gui = limited(1200, seed);
        let first = search(&mut gui).text();
        assert_eq!(search(&mut gui).text(), first);
        assert_eq!(search(&mut limited(1200, seed)).text(), first);
    }
}

#[test]
fn other_seeds_play_other_moves_and_the_move_played_is_that_of_the_last_line() {
    let answers: Vec<Answer> = (1..=30).map(|seed| search(&mut limited(1200, seed))).collect();
    for answer in &answers {
        answer.assert_legal(QUIET);
        let told = answer.lines().next_back().unwrap();
        assert_eq!((told.pv[0].as_str(), told.multipv), (answer.text().as_str(), Some(1)));
    }
    let mut moves: Vec<String> = answers.iter().map(Answer::text).collect();
    moves.sort_unstable();
    moves.dedup();
    assert!(moves.len() > 1, "{moves:?}");
}
