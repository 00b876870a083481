//! History heuristics and killer moves: move ordering by earlier cutoffs.

use super::limits::Technique;
use super::node::Node;
use super::threats::Threats;
use super::{Searcher, params};
use crate::{Depth, Ply};
use chess::{Move, PieceKind, Position, Square};

/// The index of a moved piece and its target square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    /// 2 colours, 6 kinds, 64 squares.
    const COUNT: usize = 768;

    pub fn new(position: &Position, mv: Move) -> PieceTo {
        let kind = position.kind_on(mv.from()).unwrap_or(PieceKind::Pawn);
        PieceTo(((position.side_to_move().index() * 6 + kind.index()) * 64 + mv.to().index()) as u16)
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The target square.
    pub fn target(self) -> Square {
        Square::from_index(self.index() % 64)
    }
}

/// The index of a pawn structure: some bits of the pawn key.
#[derive(Clone, Copy, Debug, Default)]
pub struct PawnStructure(u16);

impl PawnStructure {
    /// The number of indices, a power of two.
    const COUNT: usize = 1024;

    pub fn new(position: &Position) -> PawnStructure {
        PawnStructure((position.pawn_key().bits() % PawnStructure::COUNT as u64) as u16)
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The indices of a move's history scores, besides the move itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct HistoryContext {
    /// The moves 1, 2, 4 and 6 plies before: the opponent's last move and our last three.
    pub previous_moves: [Option<PieceTo>; 4],
    /// The squares that the opponent attacks.
    pub threats: Threats,
    pub pawns: PawnStructure,
}

/// The indices of a played quiet move, to update its history from a later node.
#[derive(Clone, Copy, Debug)]
pub struct PlayedQuiet {
    /// The index in the flattened butterfly history.
    butterfly: usize,
    /// The move before it and the move itself.
    continuation: Option<[PieceTo; 2]>,
}

impl PlayedQuiet {
    pub fn new(position: &Position, mv: Move, context: HistoryContext) -> PlayedQuiet {
        let squares = mv.from().index() * 64 + mv.to().index();
        PlayedQuiet {
            butterfly: threat_index(position, mv, context) * 64 * 64 + squares,
            continuation: context.previous_moves[0].map(|before| [before, PieceTo::new(position, mv)]),
        }
    }
}

/// A history score within ±[`MAX_HISTORY`]. See [`apply_bonus`].
type HistoryScore = i16;

/// The largest absolute value of a history score.
const MAX_HISTORY: i32 = 8192;

type PieceToHistory = [HistoryScore; PieceTo::COUNT];

/// The kinds of captured pieces. A promotion without capture counts as the capture of a pawn.
const VICTIMS: usize = 5;

/// All histories of one thread.
#[derive(Debug)]
pub struct History {
    /// By [`threat_index`], origin and target.
    butterfly: Box<[[[HistoryScore; 64]; 64]]>,
    /// By the [`PieceTo`] of an earlier move.
    continuation: Box<[PieceToHistory]>,
    /// By [`PawnStructure`].
    pawn: Box<[PieceToHistory]>,
    killers: [[Option<Move>; 2]; Ply::COUNT],
    capture: Box<[[HistoryScore; VICTIMS]; PieceTo::COUNT]>,
}

impl Default for History {
    fn default() -> History {
        History::new()
    }
}

impl History {
    pub fn new() -> History {
        History {
            butterfly: vec![[[0; 64]; 64]; 8].into_boxed_slice(),
            continuation: vec![[0; PieceTo::COUNT]; PieceTo::COUNT].into_boxed_slice(),
            pawn: vec![[0; PieceTo::COUNT]; PawnStructure::COUNT].into_boxed_slice(),
            killers: [[None; 2]; Ply::COUNT],
            capture: Box::new([[0; VICTIMS]; PieceTo::COUNT]),
        }
    }

    pub fn clear(&mut self) {
        self.butterfly.as_flattened_mut().as_flattened_mut().fill(0);
        self.continuation.as_flattened_mut().fill(0);
        self.pawn.as_flattened_mut().fill(0);
        self.capture.as_flattened_mut().fill(0);
        self.clear_killers();
    }

    /// Removes the killers. Those of the last search belong to other plies of the next one.
    pub fn clear_killers(&mut self) {
        self.killers = [[None; 2]; Ply::COUNT];
    }

    /// The last two quiet moves that caused a cutoff at this ply.
    pub fn killers(&self, ply: Ply) -> [Option<Move>; 2] {
        self.killers[ply.index()]
    }

    /// The history score of a quiet move: the weighted sum of butterfly history, four continuation histories and pawn
    /// history. Within ±6 × [`MAX_HISTORY`] if the weights sum up to 600% at most.
    pub fn quiet(&self, position: &Position, mv: Move, context: HistoryContext) -> i32 {
        let piece_to = PieceTo::new(position, mv);
        let butterfly =
            self.butterfly[threat_index(position, mv, context)][mv.from().index()][mv.to().index()];
        let pawn = self.pawn[context.pawns.index()][piece_to.index()];
        let mut sum =
            params::butterfly_weight() * i32::from(butterfly) + params::pawn_weight() * i32::from(pawn);
        for (before, weight) in context.previous_moves.iter().zip(continuation_weights()) {
            if let Some(before) = before {
                sum += weight * i32::from(self.continuation[before.index()][piece_to.index()]);
            }
        }
        sum / 100
    }

    /// The capture history of a capture or promotion.
    pub fn noisy(&self, position: &Position, mv: Move) -> i32 {
        i32::from(self.capture[PieceTo::new(position, mv).index()][victim_index(position, mv)])
    }

    /// After a cutoff at `depth`: a bonus for the capture or promotion `best` if it caused the cutoff, a malus for those
    /// in `failed`.
    pub fn update_captures(
        &mut self,
        position: &Position,
        depth: Depth,
        best: Option<Move>,
        failed: &[Move],
    ) {
        let bonus = bonus(depth);
        let mut add = |mv, bonus| {
            let score = &mut self.capture[PieceTo::new(position, mv).index()][victim_index(position, mv)];
            apply_bonus(score, bonus);
        };
        if let Some(best) = best {
            add(best, bonus);
        }
        for &mv in failed {
            add(mv, -bonus);
        }
    }

    /// Makes the quiet move `mv` the first killer of this ply.
    pub fn add_killer(&mut self, ply: Ply, mv: Move) {
        let killers = &mut self.killers[ply.index()];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }

    /// After a cutoff at `depth`: a bonus for the quiet move `best`, a malus for those in `failed`.
    pub fn update_quiets(
        &mut self,
        position: &Position,
        depth: Depth,
        best: Move,
        failed: &[Move],
        context: HistoryContext,
    ) {
        let bonus = bonus(depth);
        self.add(position, best, context, bonus);
        let malus = bonus * params::history_malus() / 100;
        for &mv in failed {
            self.add(position, mv, context, -malus);
        }
    }

    pub fn update_butterfly(&mut self, played: PlayedQuiet, bonus: i32) {
        apply_bonus(&mut self.butterfly.as_flattened_mut().as_flattened_mut()[played.butterfly], bonus);
    }

    /// Adds a bonus to the continuation history of a played quiet move, one ply back.
    pub fn update_continuation(&mut self, played: PlayedQuiet, bonus: i32) {
        if let Some([before, mv]) = played.continuation {
            apply_bonus(&mut self.continuation[before.index()][mv.index()], bonus);
        }
    }

    fn add(&mut self, position: &Position, mv: Move, context: HistoryContext, bonus: i32) {
        let piece_to = PieceTo::new(position, mv);
        let from_origin = &mut self.butterfly[threat_index(position, mv, context)][mv.from().index()];
        apply_bonus(&mut from_origin[mv.to().index()], bonus);
        apply_bonus(&mut self.pawn[context.pawns.index()][piece_to.index()], bonus);
        for before in context.previous_moves.iter().flatten() {
            apply_bonus(&mut self.continuation[before.index()][piece_to.index()], bonus);
        }
    }
}

/// The weights of the continuation histories in percent, in the order of [`HistoryContext::previous_moves`].
fn continuation_weights() -> [i32; 4] {
    [
        params::one_ply_weight(),
        params::two_plies_weight(),
        params::four_plies_weight(),
        params::six_plies_weight(),
    ]
}

/// The side to move, and whether the opponent attacks the origin and the target of a move: a number below 8.
fn threat_index(position: &Position, mv: Move, context: HistoryContext) -> usize {
    let [from_attacked, to_attacked] =
        [mv.from(), mv.to()].map(|square| usize::from(context.threats.all.has(square)));
    position.side_to_move().index() << 2 | from_attacked << 1 | to_attacked
}

pub fn bonus(depth: Depth) -> i32 {
    let bonus = params::history_bonus() * depth.get() - params::history_bonus_offset();
    bonus.clamp(0, params::history_bonus_max())
}

fn victim_index(position: &Position, mv: Move) -> usize {
    position.captured(mv).map_or(0, PieceKind::index)
}

/// History gravity: the bonus shrinks as the score nears its limit (Chess Programming Wiki, "History Heuristic").
fn apply_bonus(score: &mut HistoryScore, bonus: i32) {
    let now = i32::from(*score);
    *score = (now + bonus - now * bonus.abs() / MAX_HISTORY) as HistoryScore;
}

// History of the prior move (from Stockfish): the quiet move that led to a node gets two bonuses.
impl Searcher<'_> {
    /// The bonus, or malus, by the change of the static evaluation.
    pub(super) fn update_prior_move_by_eval(&mut self, ply: Ply) {
        let Some(played) = self.prior_quiet(ply) else { return };
        let (now, before) = (self.stack[ply.index()].eval, self.stack[ply.index() - 1].eval);
        if let (Some(now), Some(before)) = (now, before) {
            let gain = -now.get() - before.get();
            let most = params::prior_move_bonus_max();
            let bonus = (params::prior_move_bonus() * gain).clamp(-most, most);
            self.history.update_butterfly(played, bonus);
        }
    }

    /// The bonus when no move of the node raised alpha: the same as for a cutoff at this depth.
    pub(super) fn update_prior_move_by_fail_low(&mut self, node: &Node) {
        if node.excluded.is_none()
            && let Some(played) = self.prior_quiet(node.ply)
        {
            let bonus = bonus(node.depth);
            self.history.update_butterfly(played, bonus);
            self.history.update_continuation(played, bonus);
        }
    }

    /// The move that led to the node at `ply`, if it is quiet.
    fn prior_quiet(&self, ply: Ply) -> Option<PlayedQuiet> {
        let is_on =
            self.techniques.has(Technique::PriorMoveHistory) && self.techniques.has(Technique::History);
        let parent = ply.index().checked_sub(1).filter(|_| is_on)?;
        self.stack[parent].quiet
    }
}
