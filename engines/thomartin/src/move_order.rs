//! The order of moves (chapter "Tri des coups"): promotions by gain, captures by victim and attacker, castling, killers,
//! moves with a history, forward moves, and king moves last. Killers (chapter "Killer Heuristic") are the last two moves
//! at each depth that refuted the opponent's move. The history (chapter "History Moves Heuristic") counts how often a
//! move was the best so far, anywhere in the tree.

use shakmaty::{Color, Move, Role};

use super::evaluation::piece_value;

const CASTLING: i32 = 4;
const KILLER: i32 = 3;
/// Between killers and forward moves; the counts decide among themselves. The report's counts are unlimited and could
/// overtake captures, which it does not intend.
const HISTORY: i32 = 2;
const FORWARD: i32 = 1;
const KING: i32 = -1;

/// Most valuable victim, least valuable attacker: rows are victims, columns are attackers, both in the order king, queen,
/// rook, bishop, knight, pawn, none.
#[rustfmt::skip]
const VICTIM_ATTACKER: [[i32; 7]; 7] = [
    [60, 61, 62, 63, 64, 65, 0],
    [50, 51, 52, 53, 54, 55, 0],
    [40, 41, 42, 43, 44, 45, 0],
    [30, 31, 32, 33, 34, 35, 0],
    [20, 21, 22, 23, 24, 25, 0],
    [10, 11, 12, 13, 14, 15, 0],
    [ 0,  0,  0,  0,  0,  0, 0],
];

/// What a node knows to order its moves.
#[derive(Clone, Copy, Debug)]
pub struct MoveOrder<'a> {
    pub side: Color,
    pub depth: u32,
    pub killers: &'a Killers,
    pub history: &'a History,
}

impl MoveOrder<'_> {
    pub fn sort(&self, moves: &mut [Move]) {
        moves.sort_by_cached_key(|&mv| std::cmp::Reverse(self.worth(mv)));
    }

    fn worth(&self, mv: Move) -> (i32, u32) {
        let count = self.history.count(self.side, mv);
        if let Some(worth) = noisy_worth(mv) {
            (worth, 0)
        } else if mv.is_castle() {
            (CASTLING, 0)
        } else if self.killers.has(self.depth, mv) {
            (KILLER, count)
        } else if mv.role() == Role::King {
            (KING, count)
        } else if count > 0 {
            (HISTORY, count)
        } else if is_forward(self.side, mv) {
            (FORWARD, 0)
        } else {
            (0, 0)
        }
    }
}

/// Sorts captures, the best victim first.
pub fn sort_captures(moves: &mut [Move]) {
    moves.sort_by_cached_key(|&mv| std::cmp::Reverse(noisy_worth(mv)));
}

fn noisy_worth(mv: Move) -> Option<i32> {
    let victim_attacker = |victim| VICTIM_ATTACKER[row(victim)][row(mv.role())];
    mv.promotion().map(piece_value).or_else(|| mv.capture().map(victim_attacker))
}

fn row(role: Role) -> usize {
    Role::King as usize - role as usize
}

fn is_forward(side: Color, mv: Move) -> bool {
    let ranks = mv.from().map_or(0, |from| i32::from(mv.to().rank()) - i32::from(from.rank()));
    side.fold_wb(ranks, -ranks) > 0
}

const DEPTHS: usize = 64;

/// The last two killers of each depth.
#[derive(Clone, Debug)]
pub struct Killers([[Option<Move>; 2]; DEPTHS]);

impl Killers {
    pub fn new() -> Killers {
        Killers([[None; 2]; DEPTHS])
    }

    /// Records that `mv` caused a cutoff at `depth`.
    pub fn add(&mut self, depth: u32, mv: Move) {
        let [first, second] = &mut self.0[depth as usize % DEPTHS];
        if *first != Some(mv) {
            *second = first.replace(mv);
        }
    }

    pub fn has(&self, depth: u32, mv: Move) -> bool {
        self.0[depth as usize % DEPTHS].contains(&Some(mv))
    }
}

const SQUARES: usize = 64;

/// Counters by side, origin and target.
#[derive(Clone, Debug)]
pub struct History(Vec<u32>);

impl History {
    pub fn new() -> History {
        History(vec![0; 2 * SQUARES * SQUARES])
    }

    /// Records that `mv` became the best move of its position.
    pub fn reward(&mut self, side: Color, mv: Move) {
        self.0[index(side, mv)] += 1;
    }

    pub fn count(&self, side: Color, mv: Move) -> u32 {
        self.0[index(side, mv)]
    }
}

fn index(side: Color, mv: Move) -> usize {
    let from = mv.from().map_or(0, usize::from);
    (side.fold_wb(0, SQUARES) + from) * SQUARES + usize::from(mv.to())
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Chess, Position};

    use super::*;

    #[test]
    fn the_order_of_the_report_is_kept() {
        // Promotions on a8, captures of the queen on e5 and of the knight on b5, castling, other moves.
        let fen: Fen = "4k3/P7/8/1n2q3/3P4/2N5/4P2B/4K2R w K - 0 1".parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let find = |text: &str| {
            let uci: shakmaty::uci::UciMove = text.parse().unwrap();
            uci.to_move(&position).unwrap()
        };
        let (mut killers, mut history) = (Killers::new(), History::new());
        killers.add(3, find("h2g3"));
        killers.add(3, find("c3b1"));
        history.reward(Color::White, find("c3a2"));
        let mut moves = position.legal_moves();
        let order = MoveOrder { side: Color::White, depth: 3, killers: &killers, history: &history };
        order.sort(&mut moves);
        let sorted: Vec<String> =
            moves.iter().map(|mv| mv.to_uci(CastlingMode::Standard).to_string()).collect();
        let first = ["a7a8q", "a7a8r", "a7a8n", "a7a8b", "d4e5", "h2e5", "c3b5", "e1g1"];
        assert_eq!(sorted[..first.len()], first);
        let killers_then_history = &sorted[first.len()..first.len() + 3];
        assert!(killers_then_history[..2].contains(&"h2g3".to_owned()), "{sorted:?}");
        assert_eq!(killers_then_history[2], "c3a2");
        assert!(sorted.last().unwrap().starts_with("e1"), "{sorted:?}");
        let place = |text: &str| sorted.iter().position(|mv| mv == text).unwrap();
        assert!(place("c3e4") < place("c3d1"), "forward before backward");
    }
}
