//! Searches as a GUI starts them, with every line checked for legality.

use std::collections::BTreeSet;

use chess::Position;
use uci::scripted_gui::{ScriptedGui, SearchOutput};
use uci::{Info, ScoreValue};

/// Starts the engine and sends these commands.
pub fn gui(commands: &[&str]) -> ScriptedGui {
    let mut gui = ScriptedGui::start(env!("CARGO_BIN_EXE_tarrasch"));
    gui.ask(commands);
    gui
}

/// The infos with a line, in the order of arrival.
fn lines(answer: &SearchOutput) -> impl DoubleEndedIterator<Item = &Info> {
    answer.infos.iter().filter(|info| !info.pv.is_empty())
}

/// The lines of the deepest iteration.
pub fn last_lines(answer: &SearchOutput) -> Vec<&Info> {
    let deepest = lines(answer).filter_map(|info| info.depth).max();
    lines(answer).filter(|info| info.depth == deepest).collect()
}

/// Panics unless all lines and the ponder move are legal.
fn assert_legal(answer: &SearchOutput, fen: &str) {
    let start = Position::from_fen(fen).unwrap();
    let moves = answer.answer.best.into_iter().chain(answer.answer.ponder).collect();
    for line in lines(answer).map(|info| &info.pv).chain([&moves]) {
        let mut position = start.clone();
        for text in line {
            let mv = position.parse_uci(text.as_str());
            position.play_unchecked(mv.unwrap_or_else(|| panic!("{text} in {position}: {line:?}")));
        }
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn centipawns(score: ScoreValue) -> i32 {
    match score {
        ScoreValue::Centipawns(value) => value,
        ScoreValue::Mate(moves) => moves.signum() * 100_000 - moves,
    }
}

#[test]
fn the_lines_of_an_iteration_are_different_moves_in_the_order_of_their_scores() {
    for threads in [1, 3] {
        let threads = format!("setoption name Threads value {threads}");
        let mut gui = gui(&["setoption name MultiPV value 4", &threads]);
        let answer = gui.search("position startpos", "go depth 7");
        assert_legal(&answer, START);
        let lines = last_lines(&answer);
        assert_eq!(lines.iter().map(|info| info.multipv.unwrap()).collect::<Vec<_>>(), [1, 2, 3, 4]);
        let scores: Vec<i32> = lines.iter().map(|info| centipawns(info.score.unwrap().value)).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
        let moves: BTreeSet<&str> = lines.iter().map(|info| info.pv[0].as_str()).collect();
        assert_eq!(moves.len(), 4);
        assert_eq!(answer.best(), Some(lines[0].pv[0].as_str()));
    }
}

const QUIET: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";

fn limited(elo: u32, seed: u32) -> ScriptedGui {
    let options = [
        "setoption name UCI_LimitStrength value true".to_owned(),
        format!("setoption name UCI_Elo value {elo}"),
        format!("setoption name Seed value {seed}"),
    ];
    gui(&options.each_ref().map(String::as_str))
}

fn search_limited(gui: &mut ScriptedGui) -> SearchOutput {
    gui.send("ucinewgame");
    gui.search(&format!("position fen {QUIET}"), "go movetime 60000")
}

fn most_nodes(answer: &SearchOutput) -> u64 {
    answer.infos.iter().filter_map(|info| info.nodes).max().unwrap()
}

#[test]
fn a_lower_rating_searches_less_and_hurries() {
    let counts = [1400, 2000, 2600].map(|elo| most_nodes(&search_limited(&mut limited(elo, 1))));
    assert!(counts.is_sorted_by(|a, b| 2 * a < *b), "{counts:?}");
    assert!(counts[0] < 1_000);
}

/// The result of a search, without times.
fn found(answer: &SearchOutput) -> Vec<String> {
    answer.infos.iter().map(|info| format!("{:?} {:?} {:?}", info.nodes, info.score, info.pv)).collect()
}

#[test]
fn a_rating_does_not_depend_on_the_network() {
    let mut gui = limited(2600, 1);
    let first = search_limited(&mut gui);
    gui.send("setoption name Network value false");
    assert_eq!(found(&first), found(&search_limited(&mut gui)));
}

#[test]
fn the_full_strength_does_not_use_what_a_rating_left_in_the_table() {
    let search =
        |gui: &mut ScriptedGui| found(&gui.search(&format!("position fen {QUIET}"), "go nodes 5000"));
    let mut limited = limited(2600, 1);
    search(&mut limited);
    limited.send("setoption name UCI_LimitStrength value false");
    assert_eq!(search(&mut limited), search(&mut gui(&[])));
}

#[test]
fn with_a_seed_the_same_move_is_played_again() {
    for seed in [1, 7] {
        let mut gui = limited(1200, seed);
        let first = search_limited(&mut gui).answer.best;
        assert_eq!(search_limited(&mut gui).answer.best, first);
        assert_eq!(search_limited(&mut limited(1200, seed)).answer.best, first);
    }
}

#[test]
fn other_seeds_play_other_moves_and_the_move_played_is_that_of_the_last_line() {
    let answers: Vec<SearchOutput> = (1..=30).map(|seed| search_limited(&mut limited(1200, seed))).collect();
    for answer in &answers {
        assert_legal(answer, QUIET);
        let last = lines(answer).next_back().unwrap();
        assert_eq!((Some(last.pv[0].as_str()), last.multipv), (answer.best(), Some(1)));
    }
    let mut moves: Vec<_> = answers.iter().map(SearchOutput::best).collect();
    moves.sort_unstable();
    moves.dedup();
    assert!(moves.len() > 1, "{moves:?}");
}
