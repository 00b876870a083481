//! Tests of the document's figures and claims, and a plain minmax as the reference for all other algorithms: every move
//! and every reply to a fixed depth (§1.1.3), and the same on the tree with extensions and quiescence (§1.2).

use std::time::Instant;

use chess::{Move, Position};
use proptest::prelude::*;
use uci::Go;
use uci::server::{SearchBudget, SearchControl};

use crate::evaluation::{evaluate, material_alone};
use crate::hash_table::HashTable;
use crate::search::{LastMove, Report, Search, Technique, Techniques, captures, deserves_extension};
use crate::units::{Depth, Ply, Value};

const FIGURE_1: &str = "r1bn1rk1/pp2b2p/1q2pnp1/2pp2N1/3P1N2/2PB4/PPQ2PPP/R1B2RK1 w - - 0 14";
const FIGURE_2: &str = "8/2n2kq1/3p1pbb/1ppP4/2P3Q1/1PB2NPP/4R1K1/8 w - - 0 1";
const FIGURE_3: &str = "rnbqk1nr/ppp2ppp/3b4/8/8/2N5/PPPPP1PP/R1BQKBNR b KQkq - 1 4";

/// The techniques that the document always applies: extensions, quiescence, and captures ordered by exchange.
const ALWAYS: [Technique; 3] = [Technique::Extensions, Technique::Quiescence, Technique::SeeOrdering];

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

fn search(
    position: &Position,
    depth: u32,
    techniques: Techniques,
    evaluation: fn(&Position) -> Value,
) -> Report {
    let control = SearchControl::new(Instant::now(), false);
    let go = Go { depth: Some(depth), ..Go::default() };
    let budget = SearchBudget::new(&go, true, &control);
    let mut table = HashTable::new(1).unwrap();
    let search = Search::new(techniques, evaluation, &budget, &mut table, &[]);
    search.run(position, None, &mut |_| {}).last.expect("the depth is reached")
}

fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(|mv| mv.to_uci(false)).collect()
}

/// The gain of a value over the position's material balance.
fn gain(position: &Position, value: Value) -> i32 {
    value.get() - material_alone(position).get()
}

#[test]
fn figure_1_bishop_takes_g6_is_found_at_depth_5_with_each_technique_added() {
    let mut techniques = Techniques::NONE.with(&ALWAYS);
    let steps = [
        None,
        Some(Technique::Pvs),
        Some(Technique::TranspositionTable),
        Some(Technique::NullMove),
        Some(Technique::Futility),
        Some(Technique::DeltaPruning),
    ];
    for step in steps {
        if let Some(technique) = step {
            techniques.set(technique, true);
        }
        let found = search(&position(FIGURE_1), 5, techniques, evaluate);
        assert_eq!(texts(&found.line[..1]), ["d3g6"], "with {step:?} added");
    }
}

#[test]
fn figure_2_plain_minmax_changes_its_mind_with_every_depth() {
    let position = position(FIGURE_2);
    let plain = Minmax { extensions: false, quiescence: false, evaluation: material_alone };
    for (depth, moves, wins) in [
        (1, ["g4g6"].as_slice(), 300),
        (2, &["g4d7", "c4b5"], 0),
        (3, &["g4d7"], 900),
        // The document prints +3.
        (4, &["g4c8"], 200),
    ] {
        let (best, value) = plain.best(&position, depth);
        let best = texts(&best);
        assert_eq!(gain(&position, value), wins, "depth {depth}: {best:?}");
        assert!(moves.iter().all(|mv| best.contains(&(*mv).to_owned())), "depth {depth}: {best:?}");
    }
}

#[test]
fn figure_2_extensions_and_quiescence_win_a_pawn_at_depth_1() {
    let position = position(FIGURE_2);
    let found = search(&position, 1, Techniques::NONE.with(&ALWAYS), material_alone);
    assert_eq!(texts(&found.line[..1]), ["g4d7"]);
    assert_eq!(gain(&position, found.value), 100);
    let found = search(&position, 1, Techniques::EVERY, evaluate);
    assert_eq!(
        texts(&found.line),
        ["g4d7", "f7g8", "d7d6"],
        "the line of the document, but for its quiet end"
    );
}

#[test]
fn figure_2_extensions_and_quiescence_find_the_best_move_from_depth_2_on() {
    for (techniques, deepest) in [(Techniques::NONE.with(&ALWAYS), 3), (Techniques::EVERY, 6)] {
        for depth in 2..=deepest {
            let found = search(&position(FIGURE_2), depth, techniques, evaluate);
            assert_eq!(texts(&found.line[..1]), ["g4c8"], "depth {depth} with {techniques:?}");
        }
    }
}

#[test]
fn figure_3_quiescence_finds_the_mate_at_depth_1() {
    let found = search(&position(FIGURE_3), 1, Techniques::NONE.with(&ALWAYS), evaluate);
    assert_eq!(texts(&found.line[..1]), ["d8h4"]);
    assert_eq!(found.value.plies_to_mate(), Some(5), "{found:?}");
}

/// To delta pruning, the mating sacrifices look like captures that lose a queen.
#[test]
fn figure_3_delta_pruning_puts_the_mate_off_to_depth_3() {
    for (depth, mate) in [(1, None), (3, Some(5))] {
        let found = search(&position(FIGURE_3), depth, Techniques::EVERY, evaluate);
        assert_eq!(found.value.plies_to_mate(), mate, "depth {depth}: {found:?}");
    }
}

#[test]
fn figure_3_without_quiescence_the_mate_takes_depth_5() {
    let plain = Techniques::NONE;
    for depth in 1..=4 {
        let found = search(&position(FIGURE_3), depth, plain, material_alone);
        assert_eq!(found.value.plies_to_mate(), None, "depth {depth}: {found:?}");
    }
    let found = search(&position(FIGURE_3), 5, plain, material_alone);
    assert_eq!(texts(&found.line[..1]), ["d8h4"]);
    assert_eq!(found.value.plies_to_mate(), Some(5));
}

#[test]
fn figure_3_the_best_move_of_plain_minmax_at_depth_1_is_to_take_on_h2() {
    let plain = Minmax { extensions: false, quiescence: false, evaluation: material_alone };
    let (best, value) = plain.best(&position(FIGURE_3), 1);
    assert_eq!(texts(&best), ["d6h2"]);
    assert_eq!(gain(&position(FIGURE_3), value), 100);
}

const STARTS: [&str; 5] = [
    Position::START_FEN,
    FIGURE_2,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
];

fn wandered(start: &str, choices: &[usize]) -> Position {
    let mut position = position(start);
    for choice in choices {
        let moves = position.move_list();
        if moves.is_empty() {
            break;
        }
        position = position.play(moves[choice % moves.len()]);
    }
    position
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// §2: these pruning methods provably find the same as minmax.
    #[test]
    fn alpha_beta_and_pvs_find_the_value_of_minmax(
        start in 0_usize..5,
        choices in prop::collection::vec(0_usize..100, 0..30),
        extensions: bool,
    ) {
        let position = wandered(STARTS[start], &choices);
        prop_assume!(position.has_legal_move());
        let plain = Minmax { extensions, quiescence: false, evaluation: evaluate };
        let (best, value) = plain.best(&position, 2);
        let mut techniques = Techniques::NONE;
        techniques.set(Technique::Extensions, extensions);
        for more in [&[][..], &[Technique::SeeOrdering], &[Technique::SeeOrdering, Technique::Pvs]] {
            let found = search(&position, 2, techniques.with(more), evaluate);
            prop_assert_eq!(found.value, value, "with {:?}", more);
            prop_assert!(best.contains(&found.line[0]), "with {:?}: {:?}", more, found);
        }
    }

    /// Only in an endgame, because minmax follows every capture to its end.
    #[test]
    fn alpha_beta_finds_the_value_of_minmax_with_quiescence(
        extensions: bool,
        choices in prop::collection::vec(0_usize..100, 0..20),
    ) {
        let position = wandered("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &choices);
        prop_assume!(position.has_legal_move());
        let quiet = Minmax { extensions, quiescence: true, evaluation: evaluate };
        let (_, value) = quiet.best(&position, 2);
        let mut techniques =
            Techniques::NONE.with(&[Technique::Quiescence, Technique::SeeOrdering, Technique::Pvs]);
        techniques.set(Technique::Extensions, extensions);
        prop_assert_eq!(search(&position, 2, techniques, evaluate).value, value);
    }

    /// The search's expected line is legal.
    #[test]
    fn every_line_is_legal(start in 0_usize..5, choices in prop::collection::vec(0_usize..100, 0..40)) {
        let mut position = wandered(STARTS[start], &choices);
        prop_assume!(position.has_legal_move());
        for mv in search(&position, 3, Techniques::EVERY, evaluate).line {
            prop_assert!(position.is_legal(mv), "{mv} in {position}");
            position = position.play(mv);
        }
    }
}

#[derive(Clone, Copy)]
pub struct Minmax {
    pub extensions: bool,
    pub quiescence: bool,
    pub evaluation: fn(&Position) -> Value,
}

impl Minmax {
    /// The best moves to a depth, and their value.
    pub fn best(self, position: &Position, depth: i32) -> (Vec<Move>, Value) {
        let moves = position.move_list();
        let depth = self.extended(Depth::new(depth), position, moves.len(), LastMove::default());
        let mut best = (Vec::new(), Value::mated_at(Ply::ROOT));
        for mv in moves {
            let last = LastMove::default().followed_by(position, mv);
            let value = -self.value(&position.play(mv), depth - 1, Ply::ROOT.next(), last);
            if value > best.1 {
                best = (vec![mv], value);
            } else if value == best.1 {
                best.0.push(mv);
            }
        }
        best
    }

    fn value(self, position: &Position, depth: Depth, ply: Ply, last: LastMove) -> Value {
        if depth.is_exhausted() {
            return self.value_at_horizon(position, ply);
        }
        let moves = position.move_list();
        let depth = self.extended(depth, position, moves.len(), last);
        let values = moves.iter().map(|&mv| {
            let last = last.followed_by(position, mv);
            -self.value(&position.play(mv), depth - 1, ply.next(), last)
        });
        values.max().unwrap_or_else(|| without_moves(position, ply))
    }

    fn extended(self, depth: Depth, position: &Position, moves: usize, last: LastMove) -> Depth {
        let is_deeper = self.extensions && deserves_extension(position, moves, last);
        depth + i32::from(is_deeper)
    }

    fn value_at_horizon(self, position: &Position, ply: Ply) -> Value {
        if !self.quiescence {
            return if position.has_legal_move() {
                (self.evaluation)(position)
            } else {
                without_moves(position, ply)
            };
        }
        let (mut best, moves) = if position.is_check() {
            (Value::mated_at(ply), position.move_list())
        } else {
            ((self.evaluation)(position), captures(position))
        };
        for mv in moves {
            best = best.max(-self.value_at_horizon(&position.play(mv), ply.next()));
        }
        best
    }
}

fn without_moves(position: &Position, ply: Ply) -> Value {
    if position.is_check() { Value::mated_at(ply) } else { Value::DRAW }
}
