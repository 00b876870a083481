//! The search as a library.

use std::time::{Duration, Instant};

use chess::{Move, Position};
use proptest::prelude::*;
use tarrasch::search::{Outcome, Report, Searcher, Technique, Techniques, ThreadData};
use tarrasch::transposition_table::Bound;
use tarrasch::{
    ClockState, Depth, Limits, Nodes, Ply, SearchControl, TimeManager, TranspositionTable, Value, bench,
};
use uci::server::bench_positions;

/// The node count of the bench at depth [`GOLDEN_DEPTH`]. Only changes of search or evaluation change it.
const GOLDEN_NODES: u64 = 120_620;
const GOLDEN_NODES_BY_HAND: u64 = 140_505;
const GOLDEN_DEPTH: Depth = Depth::new(6);

fn search_game(position: &Position, game: &[Position], limits: &Limits) -> (Outcome, Vec<Report>) {
    let mut tt = TranspositionTable::new(4).unwrap();
    let mut thread_data = ThreadData::new();
    let control = SearchControl::new(Instant::now(), false);
    let keys: Vec<_> = game.iter().map(Position::key).collect();
    let mut reports = Vec::new();
    let mut searcher = Searcher::new(position, &keys, limits, &control, tt.begin_search(), &mut thread_data);
    let outcome = searcher.run(position, &mut |report| reports.push(report.clone()));
    (outcome, reports)
}

fn search(fen: &str, limits: &Limits) -> Outcome {
    search_game(&Position::from_fen(fen).unwrap(), &[], limits).0
}

fn best(outcome: &Outcome) -> String {
    outcome.line.first().map(ToString::to_string).unwrap_or_default()
}

pub fn assert_legal(position: &Position, line: &[Move]) {
    let mut position = position.clone();
    for &mv in line {
        assert!(position.is_legal(mv), "{mv} of {line:?} in {position}");
        position = position.play(mv);
    }
}

#[test]
fn mates_are_found_with_their_length() {
    for (fen, mv, plies, depth) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", 1, 2),
        ("r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 1", "d5d8", 3, 9),
        ("rnbqk1nr/ppp2ppp/3b4/8/8/2N5/PPPPP1PP/R1BQKBNR b KQkq - 1 4", "d8h4", 5, 6),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "h5f7", 1, 2),
        ("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", "d6d1", 5, 15),
    ] {
        let outcome = search(fen, &Limits::depth(Depth::new(depth)));
        assert_eq!(best(&outcome), mv, "{fen}");
        assert_eq!(outcome.value.plies_to_mate(), Some(plies), "{fen}");
    }
}

#[test]
fn a_won_ending_is_won() {
    for fen in ["8/8/8/4k3/8/8/8/R3K3 w - - 0 1", "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1"] {
        let mut position = Position::from_fen(fen).unwrap();
        let mut game = Vec::new();
        while position.has_legal_move() {
            assert!(position.halfmove_clock() < 60, "{position}");
            let (outcome, _) = search_game(&position, &game, &Limits::nodes(Nodes::new(8_000)));
            game.push(position.clone());
            position = position.play(outcome.line[0]);
        }
        assert!(position.is_check(), "{position}");
    }
}

#[test]
fn the_end_of_the_game_is_seen() {
    for (fen, depth, value) in [
        // Stalemate, and mate.
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3, Value::DRAW),
        ("R6k/6pp/8/8/8/8/8/K7 b - - 0 1", 3, Value::mated_in(Ply::ROOT)),
        // Capturing the pawn leaves a dead position.
        ("4k3/8/8/8/8/8/3p4/2B1K3 w - - 0 1", 4, Value::DRAW),
        // At the fiftieth move, only mate is better than a draw.
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 100", 4, Value::DRAW),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 100", 4, Value::mate_in(Ply::new(1))),
        // Black is a rook ahead and threatens mate; White gives perpetual check on e8 and h5.
        ("6k1/6p1/8/7Q/8/8/qr4PP/7K w - - 0 1", 8, Value::DRAW),
    ] {
        let outcome = search(fen, &Limits::depth(Depth::new(depth)));
        assert_eq!(outcome.value, value, "{fen}");
        assert_eq!(outcome.line.is_empty(), depth == 3, "{fen}");
    }
}

#[test]
fn the_third_occurrence_of_a_position_of_the_game_is_a_draw() {
    // The rook ending is won, but after this history Ra1-a2 repeats the position for the third time.
    let mut position = Position::from_fen("8/8/8/4k3/8/8/8/R3K3 w - - 0 1").unwrap();
    let mut game = Vec::new();
    for text in ["a1a2", "e5e4", "a2a1", "e4e5", "a1a2", "e5e4", "a2a1", "e4e5"] {
        game.push(position.clone());
        position = position.play(position.parse_uci(text).unwrap());
    }
    let repeat = position.parse_uci("a1a2").unwrap();
    let limits = Limits { search_moves: vec![repeat], ..Limits::depth(Depth::new(1)) };
    let (outcome, _) = search_game(&position, &game, &limits);
    assert_eq!(outcome.value, Value::DRAW);
    let (free, _) = search_game(&position, &game, &Limits::depth(Depth::new(6)));
    assert!(free.value > Value::new(300));
    assert_ne!(free.line[0], repeat);
}

#[test]
fn the_bench_is_the_same_everywhere() {
    let nodes = bench(GOLDEN_DEPTH, &mut std::io::sink()).unwrap();
    assert_eq!(
        nodes,
        Nodes::new(GOLDEN_NODES),
        "if search or evaluation changed on purpose, update the number"
    );
}

/// The bench without the network. The levels of `UCI_Elo` were measured with the hand-written evaluation.
#[test]
fn the_hand_written_evaluation_is_what_it_was() {
    let mut techniques = Techniques::ALL;
    techniques.switch(Technique::Network, false);
    let limits = Limits { techniques, ..Limits::depth(GOLDEN_DEPTH) };
    let nodes: u64 = bench_positions().map(|fen| search(fen, &limits).nodes.get()).sum();
    assert_eq!(nodes, GOLDEN_NODES_BY_HAND);
}

/// The nodes of some bench positions, deep enough for every technique to matter.
fn nodes_with(techniques: Techniques) -> u64 {
    let limits = Limits { techniques, ..Limits::depth(Depth::new(9)) };
    bench_positions().step_by(9).map(|fen| search(fen, &limits).nodes.get()).sum()
}

#[test]
fn every_technique_changes_the_search_when_it_is_switched_off() {
    let with_all = nodes_with(Techniques::ALL);
    // Without a network, the technique `Network` has nothing to switch.
    for technique in Technique::ALL.into_iter().filter(|&technique| technique != Technique::Network) {
        let mut techniques = Techniques::ALL;
        techniques.switch(technique, false);
        assert_ne!(nodes_with(techniques), with_all, "{}", technique.name());
    }
}

#[test]
fn bench_positions_are_distinct_and_lines_are_legal() {
    let fens: Vec<&str> = bench_positions().collect();
    for (index, fen) in fens.iter().enumerate() {
        assert!(!fens[..index].contains(fen), "{fen}");
        let position = Position::from_fen(fen).unwrap();
        let (_, reports) = search_game(&position, &[], &Limits::depth(Depth::new(5)));
        for report in &reports {
            assert_legal(&position, &report.line);
        }
    }
}

#[test]
fn a_single_legal_move_takes_no_time_from_the_clock() {
    let clock =
        ClockState { remaining: Duration::from_hours(1), increment: Duration::ZERO, moves_to_go: None };
    let time = TimeManager::from_clock(clock, Duration::ZERO);
    let outcome = search("k7/8/1K6/8/8/8/8/1R6 b - - 0 1", &Limits { time, ..Limits::unlimited() });
    assert_eq!((best(&outcome).as_str(), outcome.depth), ("a8b8", Depth::ONE));
}

#[test]
fn an_interrupted_first_iteration_reports_its_best_move() {
    let fen = "rn1qkb1r/1pp2ppp/p3bn2/3pp3/3PP3/2N1B2P/PPP2PP1/R2QKBNR w KQkq - 0 7";
    let limits = Limits::nodes(Nodes::new(60));
    let (outcome, reports) = search_game(&Position::from_fen(fen).unwrap(), &[], &limits);
    assert_eq!(outcome.depth, Depth::ZERO);
    let last = reports.last().unwrap();
    assert_eq!((last.bound, last.line[0]), (Bound::Lower, outcome.line[0]));
}

/// The start positions of the random games: the standard one, and Chess960 ones with all castling rights.
const STARTS: [&str; 3] = [
    Position::START_FEN,
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_search_obeys_its_node_limit_and_repeats_itself(nodes in 1..20_000_u64, index in 0..40_usize) {
        let fen = bench_positions().nth(index).unwrap();
        let limits = Limits::nodes(Nodes::new(nodes));
        let (first, second) = (search(fen, &limits), search(fen, &limits));
        prop_assert!(first.nodes <= Nodes::new(nodes));
        prop_assert_eq!((first.nodes, first.value, &first.line), (second.nodes, second.value, &second.line));
    }

    #[test]
    fn every_move_of_a_shallow_game_is_legal(
        start in prop::sample::select(&STARTS),
        choices in prop::collection::vec(any::<u16>(), 0..60),
    ) {
        let mut position = Position::from_fen(start).unwrap();
        for (ply, &choice) in choices.iter().enumerate() {
            let moves = position.move_list();
            if moves.is_empty() {
                break;
            }
            let (outcome, _) = search_game(&position, &[], &Limits::depth(Depth::new(2)));
            assert_legal(&position, &outcome.line);
            prop_assert!(!outcome.line.is_empty());
            // Every other move is random, so that the games differ.
            let random = moves[usize::from(choice) % moves.len()];
            position = position.play(if ply % 2 == 0 { random } else { outcome.line[0] });
        }
    }
}
