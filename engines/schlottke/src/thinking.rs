//! Section VI: the search `Max` (VI-A), the second stage `MeilleurCoup` (VI-B), and `Machine`, which runs both in turn.
//!
//! Every move is searched to the minimum depth, and only captures to the maximum depth. The only evaluation is the
//! balance. There is no rule for mate (it shows as the loss of the king) and none for stalemate, which the search cannot
//! tell from mate. As in the article, a node passes only its best value down to the next one, so only the parent's bound
//! cuts.
//!
//! The article searches once, to its full depth. Here shallower searches come first, each with the same extra depth for
//! captures, so that a move is available whenever the clock or `stop` ends the search. They pass nothing on, and the last
//! search is the article's.

use chess::Color;
use uci::server::SearchBudget;

use super::board::{BISHOP, EMPTY, KING, KNIGHT, Mailbox, PAWN};
use super::position::{Move, Position};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horizon {
    /// The depth to which every move is followed.
    pub minimum: u32,
    /// The depth to which captures are followed.
    pub maximum: u32,
}

/// Beyond every balance: the value of a side without any move.
const BEYOND: i32 = 32_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkedMove {
    pub mv: Move,
    /// The balance that the move leads to, positive for its player; if it is below the best, only an upper bound.
    pub mark: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent;

/// One search and its node count.
#[derive(Debug)]
pub struct MaterialSearch<'a> {
    budget: &'a SearchBudget<'a>,
    horizon: Horizon,
    /// The side for which it searches (`aTr` in the article).
    us: Color,
    nodes: u64,
}

impl<'a> MaterialSearch<'a> {
    pub fn new(us: Color, horizon: Horizon, budget: &'a SearchBudget<'a>) -> MaterialSearch<'a> {
        MaterialSearch { budget, horizon, us, nodes: 0 }
    }

    /// Marks each of `moves`, which must be legal; the article's search takes an illegal move that gives check for an
    /// exchange of kings. Fails if the budget ran out.
    pub fn mark(&mut self, position: &Position, moves: &[Move]) -> Result<Vec<MarkedMove>, Spent> {
        let mut best = -BEYOND;
        let mut marked = Vec::with_capacity(moves.len());
        for &mv in moves {
            let mark = self.value(position, mv, 1, best)?;
            best = best.max(mark);
            marked.push(MarkedMove { mv, mark });
        }
        Ok(marked)
    }

    /// The balance that a move at `ply` leads to. `bound` is the best that the side to move already has here.
    fn value(&mut self, position: &Position, mv: Move, ply: u32, bound: i32) -> Result<i32, Spent> {
        if self.budget.is_spent(self.nodes) {
            return Err(Spent);
        }
        self.nodes += 1;
        let next = position.after(mv);
        let is_quiet = position.board[mv.to] == EMPTY;
        if ply >= self.horizon.maximum || (ply >= self.horizon.minimum && is_quiet) {
            return Ok(next.balance * i32::from(self.us.sign()));
        }
        self.best(&next, ply + 1, bound)
    }

    /// The best value for the side to move. It stops once the opponent, who already has `bound`, would avoid this
    /// position; an equal value does not stop it, so that moves of equal worth keep their true marks.
    fn best(&mut self, position: &Position, ply: u32, bound: i32) -> Result<i32, Spent> {
        let is_ours = position.side == self.us;
        let mut best = if is_ours { -BEYOND } else { BEYOND };
        for mv in position.ordinary_moves() {
            let value = self.value(position, mv, ply, best)?;
            best = if is_ours { best.max(value) } else { best.min(value) };
            let is_refuted = if is_ours { best > bound } else { best < bound };
            if is_refuted {
                break;
            }
        }
        Ok(best)
    }
}

/// For moving a piece from its original square.
const FIRST_MOVE: i32 = 5;
/// An additional bonus for a pawn.
const FIRST_PAWN_MOVE: i32 = 2;
/// For a king move, including castling.
const KING_MOVE: i32 = -10;
/// For leaving the edge; subtracted for going there.
const EDGE: i32 = 2;
/// For a pawn, knight or bishop move in the opening.
const OPENING_MOVE: i32 = 20;
/// The length of the opening, in half-moves.
const OPENING: u32 = 32;

/// The part of the game's history that the second stage needs.
#[derive(Clone, Copy, Debug)]
pub struct GameSoFar<'a> {
    /// The start board: a piece that stands as it does there counts as unmoved.
    pub start: &'a Mailbox,
    pub half_moves: u32,
}

impl GameSoFar<'_> {
    /// The last of the best moves, with its mark.
    pub fn choose(&self, position: &Position, moves: impl IntoIterator<Item = Move>) -> Option<(Move, i32)> {
        moves.into_iter().map(|mv| (mv, self.mark(position, mv))).max_by_key(|(_, mark)| *mark)
    }

    /// The mark of a move, regardless of what it wins.
    pub fn mark(&self, position: &Position, mv: Move) -> i32 {
        let kind = position.own(mv.from);
        let mut mark = 0;
        if self.start[mv.from] == position.board[mv.from] {
            mark += FIRST_MOVE + if kind == PAWN { FIRST_PAWN_MOVE } else { 0 };
        }
        if kind == KING {
            mark += KING_MOVE;
        }
        if mv.from.is_on_edge() {
            mark += EDGE;
        }
        if mv.to.is_on_edge() {
            mark -= EDGE;
        }
        if self.half_moves < OPENING && matches!(kind, PAWN | KNIGHT | BISHOP) {
            mark += OPENING_MOVE;
        }
        mark + mobility(&position.after(mv).with_other_side())
    }
}

/// The mobility of the side to move: a point for each move, and another for each capture.
fn mobility(position: &Position) -> i32 {
    let points = |mv: &Move| if position.board[mv.to] == EMPTY { 1 } else { 2 };
    position.ordinary_moves().iter().map(points).sum()
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    pub best: Move,
    /// The depth to which every move was searched, in half-moves.
    pub depth: u32,
    /// The best mark of the first stage (`aMax`); `None` before the first search has finished.
    pub balance: Option<i32>,
    /// The moves that reach this mark, each with its mark from the second stage.
    pub candidates: Vec<(Move, i32)>,
    /// Moves played by the search so far.
    pub nodes: u64,
}

/// Searches the legal `moves` of `position`, and reports each finished depth. `None` if there are no moves.
pub fn think(
    position: &Position,
    moves: &[Move],
    game: GameSoFar<'_>,
    horizon: Horizon,
    budget: &SearchBudget<'_>,
    report: &mut dyn FnMut(&Decision),
) -> Option<Decision> {
    let (best, _) = game.choose(position, moves.iter().copied())?;
    let mut decision = Decision { best, depth: 0, balance: None, candidates: Vec::new(), nodes: 0 };
    let mut search = MaterialSearch::new(position.side, horizon, budget);
    let mut depths_with_move = 0;
    for depth in 1..=horizon.minimum {
        if depth > 1 && !budget.allows_iteration(depth, search.nodes, depths_with_move) {
            break;
        }
        search.horizon = Horizon { minimum: depth, maximum: horizon.maximum - horizon.minimum + depth };
        let Ok(marked) = search.mark(position, moves) else { break };
        let balance = marked.iter().map(|marked| marked.mark).max()?;
        let reach = marked.iter().filter(|marked| marked.mark == balance);
        let candidates: Vec<_> = reach.map(|marked| (marked.mv, game.mark(position, marked.mv))).collect();
        let (best, _) = *candidates.iter().max_by_key(|(_, mark)| *mark)?;
        depths_with_move = if best == decision.best { depths_with_move + 1 } else { 0 };
        decision = Decision { best, depth, balance: Some(balance), candidates, nodes: search.nodes };
        report(&decision);
    }
    decision.nodes = search.nodes;
    Some(decision)
}
