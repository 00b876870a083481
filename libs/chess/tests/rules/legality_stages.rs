//! The three stages of the `BibiChess` document's move generator, which `benches/legality` times, count the same as the
//! generator of the crate.

#[path = "../../benches/legality/stages/mod.rs"]
mod stages;

use chess::{MoveList, Position, decomposition};
use proptest::prelude::*;
use stages::{Board, FromScratch, Incremental, Leaves, Sieve, Upkeep, count};

/// The six SMIRF positions (fig. 10 of the document), and how deep they are counted here.
const SMIRF: [(&str, u32); 6] = [
    (Position::START_FEN, 3),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
    ("8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1", 4),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),
    ("8/3K4/2p5/p2b2r1/5k2/8/8/1q6 b - - 1 67", 4),
    ("8/7p/p5pb/4k3/P1pPn3/8/P5PP/1rB2RK1 b - d3 0 28", 3),
];

/// Key and occupancies are the same whether carried on or computed anew.
fn assert_same_upkeep(position: &Position) {
    let (scratch, carried) = (Board::<FromScratch>::new(position), Board::<Incremental>::new(position));
    assert_eq!(scratch.key(), carried.key(), "{position}");
    assert_eq!(scratch.occupancy(), carried.occupancy(), "{position}");
}

/// Plays every move of the board to a depth, and undoes it.
fn assert_undone<U: Upkeep>(position: &Position) {
    let mut board = Board::<U>::new(position);
    let (key, occupancy) = (board.key(), board.occupancy());
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    for mv in moves {
        let undo = board.play(mv);
        assert_eq!(board.key(), board.key_from_scratch(), "{mv} in {position}");
        let after = Board::<FromScratch>::new(&position.play(mv));
        assert_eq!(board.occupancy(), after.occupancy(), "{mv} in {position}");
        board.undo(mv, undo);
        assert_eq!((board.key(), board.occupancy()), (key, occupancy), "{mv} in {position}");
    }
}

fn assert_every_stage_counts_the_same(position: &Position, depth: u32) {
    let expected = decomposition(position, depth);
    let expected = Leaves { nodes: expected.nodes, checks: expected.checks };
    let stages = [
        count(&mut Board::<FromScratch>::new(position), Sieve::Trial, depth),
        count(&mut Board::<Incremental>::new(position), Sieve::Trial, depth),
        count(&mut Board::<Incremental>::new(position), Sieve::PinFilter, depth),
    ];
    assert_eq!(stages, [expected; 3], "{position} to depth {depth}");
}

#[test]
fn every_stage_counts_the_smirf_positions_with_their_checks() {
    for (fen, depth) in SMIRF {
        assert_every_stage_counts_the_same(&Position::from_fen(fen).unwrap(), depth);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_stage_agrees_along_random_games(
        start in 0_usize..6,
        choices in prop::collection::vec(0_usize..100, 0..60),
    ) {
        let mut position = Position::from_fen(SMIRF[start].0).unwrap();
        for choice in choices {
            let mut moves = MoveList::new();
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[choice % moves.len()]);
        }
        assert_same_upkeep(&position);
        assert_undone::<FromScratch>(&position);
        assert_undone::<Incremental>(&position);
        assert_every_stage_counts_the_same(&position, 1);
    }
}
