//! Minimax with alpha-beta (chapters "Minimax" and "Élagage alpha-bêta"): White looks for the largest score, Black for
//! the smallest.

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, MoveList, Position};
use uci::server::SearchBudget;

use super::evaluation::evaluate;
use super::hash_table::HashTable;
use super::history::History;
use super::killers::Killers;
use super::material;
use super::move_order::MoveOrder;
use super::phase::Phase;
use super::pruning::{MAX_NODES, NULL_REDUCTION, futility_margin, may_pass, quiescence_depth};
use super::score::{Score, is_mate, mated, with_mate_moved};
use super::window::{Window, is_better, worst};

/// A position of the tree, and how the game came to it.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// The position.
    pub position: &'a Chess,
    /// Half-moves still to be searched.
    pub depth: u32,
    /// Half-moves since the root.
    pub ply: u32,
    /// Whether the last move was a capture.
    pub after_capture: bool,
    /// Whether the last move was a pass.
    pub after_pass: bool,
}

/// One search: what it may use, what it has learned, what it has cost.
#[derive(Debug)]
pub struct Minimax<'a> {
    phase: Phase,
    budget: &'a SearchBudget<'a>,
    table: &'a mut HashTable,
    killers: Killers,
    history: History,
    nodes: u64,
    is_over: bool,
}

impl<'a> Minimax<'a> {
    /// A search in a game of `phase`.
    pub fn new(phase: Phase, budget: &'a SearchBudget<'a>, table: &'a mut HashTable) -> Minimax<'a> {
        let (killers, history) = (Killers::new(), History::new());
        Minimax { phase, budget, table, killers, history, nodes: 0, is_over: false }
    }

    /// The phase of the game, which is that of the root throughout.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Positions visited so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the search must unwind; scores mean nothing from then on.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Counts a position, and finds out whether it was the last.
    pub fn count_node(&mut self) {
        self.nodes += 1;
        self.is_over |= self.nodes >= MAX_NODES || self.budget.is_spent(self.nodes);
    }

    /// The moves of a position, the most promising first.
    pub fn sorted_moves(&self, position: &Chess, depth: u32) -> MoveList {
        let mut moves = position.legal_moves();
        let (killers, history) = (&self.killers, &self.history);
        MoveOrder { side: position.turn(), depth, killers, history }.sort(&mut moves);
        moves
    }

    /// The score of a node.
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

    /// The end of a line. Mate is looked for there too, and stalemate where a side has only its king.
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

    /// Futility pruning: so close to the end nothing brings the score back into the window.
    fn futility(&self, node: Node<'_>, window: Window) -> Option<Score> {
        let margin = futility_margin(self.phase, node.depth, self.nodes)?;
        let rough = material::balance(node.position.board(), self.phase);
        if rough + margin < window.alpha && !is_mate(window.alpha) {
            Some(rough + margin)
        } else if rough - margin > window.beta && !is_mate(window.beta) {
            Some(rough - margin)
        } else {
            None
        }
    }

    /// Null move pruning: who stands too well even after a pass would not have been let here.
    fn null_move(&mut self, node: Node<'_>, window: Window) -> Option<Score> {
        let Node { position, depth, ply, .. } = node;
        let player = position.turn();
        let is_sound = may_pass(self.phase) && material::has_pieces(position.board(), player);
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

/// A window as a node at `ply` sees it when it counts mates from itself.
fn moved_window(window: Window, ply: u32) -> Window {
    let moved = |score| with_mate_moved(score, -(ply as i32));
    Window { alpha: moved(window.alpha), beta: moved(window.beta) }
}
