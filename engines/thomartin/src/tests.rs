//! Tests of the report's statements about the engine's play and speed, and of its UCI.

use std::time::{Duration, Instant};

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, KnownOutcome, Move, Position};
use uci::scripted_gui::converse;
use uci::server::{SearchBudget, SearchControl, bench_positions};
use uci::{Command, Go};

use crate::hash_table::HashTable;
use crate::minimax::MAX_NODES;
use crate::phase::Phase;
use crate::thinking::{Thought, think};
use crate::thomartin::{Thomartin, with_move_time};

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

fn search(position: &Chess, depth: u32, table: &mut HashTable) -> Thought {
    let control = SearchControl::new(Instant::now(), false);
    let budget = SearchBudget::new(&Go::default(), true, &control);
    think(position, &position.legal_moves(), depth, &budget, table, &mut |_| {}).unwrap()
}

fn usual_search(position: &Chess, table: &mut HashTable) -> Thought {
    let board = position.board();
    search(position, Phase::of(board).depth(board), table)
}

#[test]
fn a_usual_move_takes_fewer_than_200_000_nodes() {
    let mut nodes: Vec<u64> = bench_positions()
        .step_by(4)
        .map(|fen| usual_search(&position(fen), &mut HashTable::new(4).unwrap()).nodes)
        .collect();
    nodes.sort_unstable();
    assert!(nodes[nodes.len() * 3 / 4] < 200_000, "{nodes:?}");
}

#[test]
fn no_search_goes_beyond_800_000_nodes() {
    let wild = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let thought = search(&wild, 30, &mut HashTable::new(4).unwrap());
    // Unwinding counts a few more nodes, none of which is searched.
    assert!((MAX_NODES..MAX_NODES + 1_000).contains(&thought.nodes), "{thought:?}");
}

#[test]
fn a_capture_at_the_end_of_a_line_is_answered() {
    // Qxd5 would lose the queen for a pawn, which quiescence sees at depth 1.
    let guarded = position("4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1");
    let thought = search(&guarded, 1, &mut HashTable::new(1).unwrap());
    assert_ne!(thought.best.to_uci(CastlingMode::Standard).to_string(), "d2d5");
}

#[test]
fn the_table_changes_no_score_of_plain_minimax_in_a_lone_king_ending() {
    // The lone-king phase has no unsound pruning, so a second search with a full table finds the same.
    let ending = position("8/8/8/3k4/8/8/4R3/4K3 w - - 0 1");
    let mut table = HashTable::new(4).unwrap();
    let first = search(&ending, 4, &mut table);
    let second = search(&ending, 4, &mut table);
    assert_eq!(first.score, second.score);
    assert!(second.nodes < first.nodes);
}

/// Plays both sides until mate or for `limit` half-moves, with an empty table for every move, as against a lone king.
fn play_out(fen: &str, limit: usize) -> (Chess, usize) {
    let mut game = position(fen);
    for half_moves in 0..limit {
        if game.is_game_over() {
            return (game, half_moves);
        }
        let best: Move = usual_search(&game, &mut HashTable::new(4).unwrap()).best;
        game.play_unchecked(best);
    }
    (game, limit)
}

#[test]
fn king_and_queen_and_king_and_rook_mate_a_lone_king() {
    let mate = shakmaty::Outcome::Known(KnownOutcome::Decisive { winner: shakmaty::Color::White });
    for (fen, limit) in [("8/8/8/3k4/8/8/8/2Q1K3 w - - 0 1", 40), ("8/8/8/3k4/8/8/8/2R1K3 w - - 0 1", 60)] {
        let (game, half_moves) = play_out(fen, limit);
        assert_eq!(game.outcome(), mate, "{fen} after {half_moves} half-moves: {}", game.board());
    }
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
fn conversations_go_as_written() {
    converse(include_str!("../conversations.txt"), Thomartin::new);
}
