//! Minimax with alpha-beta (chapters "Minimax" and "Élagage alpha-bêta"): White maximizes the score, Black minimizes it.
//! Leaves after a capture search up to three further captures (chapter "Quiescence"). The chapters "Futility", "Null
//! move" and "Delta pruning" describe pruning that may miss something.
//!
//! Of the pruning margins, the report gives only delta's. It also says that the futility margins grow at 400,000 nodes to
//! prune more. With the comparison that it describes, larger margins prune less, so here they are halved.

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, MoveList, Position};
use uci::server::SearchBudget;

use super::evaluation::{evaluate, has_pieces, material_balance};
use super::hash_table::HashTable;
use super::move_order::{History, Killers, MoveOrder, sort_captures};
use super::phase::Phase;
use super::score::{Score, Window, is_better, is_mate, mated, with_mate_moved, worst};

/// A position of the tree, and how the game reached it.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    pub position: &'a Chess,
    pub depth: u32,
    pub ply: u32,
    pub after_capture: bool,
    pub after_pass: bool,
}

/// The resources, the tables and the node count of one search.
#[derive(Debug)]
pub struct Minimax<'a> {
    /// The phase of the root, which applies to the whole search.
    phase: Phase,
    budget: &'a SearchBudget<'a>,
    table: &'a mut HashTable,
    killers: Killers,
    history: History,
    pub nodes: u64,
    /// Whether the search must unwind; from then on scores are meaningless.
    pub is_over: bool,
}

impl<'a> Minimax<'a> {
    pub fn new(phase: Phase, budget: &'a SearchBudget<'a>, table: &'a mut HashTable) -> Minimax<'a> {
        let (killers, history) = (Killers::new(), History::new());
        Minimax { phase, budget, table, killers, history, nodes: 0, is_over: false }
    }

    /// Counts a position, and checks whether it was the last.
    pub fn count_node(&mut self) {
        self.nodes += 1;
        self.is_over |= self.nodes >= MAX_NODES || self.budget.is_spent(self.nodes);
    }

    pub fn sorted_moves(&self, position: &Chess, depth: u32) -> MoveList {
        let mut moves = position.legal_moves();
        let (killers, history) = (&self.killers, &self.history);
        MoveOrder { side: position.turn(), depth, killers, history }.sort(&mut moves);
        moves
    }

    pub fn minimax(&mut self, node: Node<'_>, window: Window) -> Score {
        self.count_node();
        let Node { position, depth, ply, .. } = node;
        if self.is_over || position.is_insufficient_material() {
            return 0;
        }
        let key = position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
        if let Some(score) = self.table.score(key, depth, moved_window(window, ply)) {
            return with_mate_moved(score, ply as i32);
        }
        let is_check = position.is_check();
        if depth == 0 {
            return self.leaf(node, is_check, window);
        }
        if !is_check && let Some(score) = self.futility(node, window).or_else(|| self.null_move(node, window))
        {
            return score;
        }
        let score = self.best_of_moves(node, is_check, window);
        if !self.is_over {
            let score = with_mate_moved(score, -(ply as i32));
            self.table.store(key, depth, moved_window(window, ply), score);
        }
        score
    }

    fn best_of_moves(&mut self, node: Node<'_>, is_check: bool, mut window: Window) -> Score {
        let Node { position, depth, ply, .. } = node;
        let player = position.turn();
        let moves = self.sorted_moves(position, depth);
        if moves.is_empty() {
            return if is_check { mated(player, ply) } else { 0 };
        }
        let mut best = worst(player);
        for mv in moves {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let child = Node {
                position: &next,
                depth: depth - 1,
                ply: ply + 1,
                after_capture: mv.is_capture(),
                after_pass: false,
            };
            let score = self.minimax(child, window);
            if self.is_over {
                break;
            }
            if is_better(player, score, best) {
                best = score;
                self.history.reward(player, mv);
                window.narrow(player, best);
                if window.is_closed() {
                    if !mv.is_capture() {
                        self.killers.add(depth, mv);
                    }
                    break;
                }
            }
        }
        best
    }

    /// The score of a leaf. It also detects mate, and stalemate if a side has only its king.
    fn leaf(&mut self, node: Node<'_>, is_check: bool, window: Window) -> Score {
        let position = node.position;
        let may_be_over = is_check || self.phase == Phase::LoneKing;
        if may_be_over && position.legal_moves().is_empty() {
            return if is_check { mated(position.turn(), node.ply) } else { 0 };
        }
        if node.after_capture {
            self.quiescence(position, quiescence_depth(self.nodes), window)
        } else {
            evaluate(position.board(), self.phase, window)
        }
    }

    /// Futility pruning: this close to the end, nothing brings the score back into the window.
    fn futility(&self, node: Node<'_>, window: Window) -> Option<Score> {
        let margin = futility_margin(self.phase, node.depth, self.nodes)?;
        let rough = material_balance(node.position.board(), self.phase);
        if rough + margin < window.alpha && !is_mate(window.alpha) {
            Some(rough + margin)
        } else if rough - margin > window.beta && !is_mate(window.beta) {
            Some(rough - margin)
        } else {
            None
        }
    }

    /// Null-move pruning: if even a pass reaches the bound, the opponent would have avoided this position.
    fn null_move(&mut self, node: Node<'_>, window: Window) -> Option<Score> {
        let Node { position, depth, ply, .. } = node;
        let player = position.turn();
        // In other phases zugzwang is common.
        let is_sound = self.phase == Phase::Middlegame && has_pieces(position.board(), player);
        let bound = player.fold_wb(window.beta, window.alpha);
        if !is_sound || is_mate(bound) || node.after_pass || depth <= NULL_REDUCTION {
            return None;
        }
        let passed = position.clone().swap_turn().ok()?;
        let child = Node {
            position: &passed,
            depth: depth - 1 - NULL_REDUCTION,
            ply: ply + 1,
            after_capture: false,
            after_pass: true,
        };
        let score = self.minimax(child, window.probe(player));
        (!self.is_over && window.is_refuted(player, score) && !is_mate(score)).then_some(score)
    }
}

/// The window at `ply`, converted to mates counted from the node.
fn moved_window(window: Window, ply: u32) -> Window {
    let moved = |score| with_mate_moved(score, -(ply as i32));
    Window { alpha: moved(window.alpha), beta: moved(window.beta) }
}

impl Minimax<'_> {
    /// The score of a position after captures. The side to move need not capture.
    pub fn quiescence(&mut self, position: &Chess, depth: u32, mut window: Window) -> Score {
        self.count_node();
        let player = position.turn();
        let mut best = evaluate(position.board(), self.phase, window);
        window.narrow(player, best);
        if depth == 0 || self.is_over || window.is_closed() || self.is_hopeless(position, best, window) {
            return best;
        }
        let mut captures = position.capture_moves();
        sort_captures(&mut captures);
        for mv in captures {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let score = self.quiescence(&next, depth - 1, window);
            if self.is_over {
                break;
            }
            if is_better(player, score, best) {
                best = score;
                window.narrow(player, best);
                if window.is_closed() {
                    break;
                }
            }
        }
        best
    }

    /// Delta pruning: even the largest gain is not enough.
    fn is_hopeless(&self, position: &Chess, score: Score, window: Window) -> bool {
        let falls_short = position.turn().fold_wb(score + DELTA < window.alpha, score - DELTA > window.beta);
        self.phase != Phase::LoneKing && falls_short
    }
}

/// Nodes after which the search prunes more.
pub const HASTY_NODES: u64 = 400_000;
/// Nodes after which the search unwinds.
pub const MAX_NODES: u64 = 800_000;

/// The largest gain of a move in quiescence: more than a queen, so it prunes little, as the report says.
pub const DELTA: Score = 1_500;

/// The reduction of depth after a pass, in half-moves.
pub const NULL_REDUCTION: u32 = 2;

/// Margins by remaining depth: a rook, a queen, a queen and a rook.
const FUTILITY: [Score; 3] = [500, 900, 1_400];

/// The distance from the window at which a position with `depth` half-moves left is hopeless.
pub fn futility_margin(phase: Phase, depth: u32, nodes: u64) -> Option<Score> {
    let margin = *FUTILITY.get(depth.checked_sub(1)? as usize)?;
    let margin = if nodes >= HASTY_NODES { margin / 2 } else { margin };
    (phase != Phase::LoneKing).then_some(margin)
}

pub fn quiescence_depth(nodes: u64) -> u32 {
    if nodes >= HASTY_NODES { 2 } else { 3 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn futility_is_for_the_last_three_half_moves_and_not_against_a_lone_king() {
        let margins = [0, 1, 2, 3, 4].map(|depth| futility_margin(Phase::Middlegame, depth, 0).is_some());
        assert_eq!(margins, [false, true, true, true, false]);
        assert_eq!(futility_margin(Phase::LoneKing, 1, 0), None);
    }

    #[test]
    fn at_400_000_nodes_more_is_cut_off_and_quiescence_is_shorter() {
        for depth in 1..=3 {
            let margin = |nodes| futility_margin(Phase::Endgame, depth, nodes);
            assert!(margin(HASTY_NODES) < margin(HASTY_NODES - 1));
        }
        assert_eq!((quiescence_depth(HASTY_NODES - 1), quiescence_depth(HASTY_NODES)), (3, 2));
    }
}
