//! History heuristics: move ordering learned from earlier cutoffs.

use super::params;
use super::threats::Threats;
use crate::{Depth, Ply};
use chess::{Move, PieceKind, Position};

/// A piece and the square it goes to: how a move is remembered when its origin does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    /// 2 colours, 6 kinds, 64 squares.
    const COUNT: usize = 768;

    /// What `mv` moves in `position`, and where to.
    pub fn new(position: &Position, mv: Move) -> PieceTo {
        let kind = position.kind_on(mv.from()).unwrap_or(PieceKind::Pawn);
        PieceTo(((position.side_to_move().index() * 6 + kind.index()) * 64 + mv.to().index()) as u16)
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Where the pawns of both sides stand, as far as the history tells them apart.
#[derive(Clone, Copy, Debug, Default)]
pub struct PawnStructure(u16);

impl PawnStructure {
    /// How many are told apart, a power of two.
    const COUNT: usize = 1024;

    /// That of the position.
    pub fn new(position: &Position) -> PawnStructure {
        PawnStructure((position.pawn_key().bits() % PawnStructure::COUNT as u64) as u16)
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What the success of a move may depend on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    /// The moves before it: the opponent's last, our own before that, and our own two before that one.
    pub before: [Option<PieceTo>; 4],
    /// What the opponent attacks.
    pub threats: Threats,
    /// Where the pawns stand.
    pub pawns: PawnStructure,
}

/// Where the history keeps what it knows of a quiet move that was played, so that it can learn of it later.
#[derive(Clone, Copy, Debug)]
pub struct PlayedQuiet {
    /// The index in the table by threats, origin and target, taken as one slice.
    butterfly: usize,
    /// The move that it answered, and it.
    answer: Option<[PieceTo; 2]>,
}

impl PlayedQuiet {
    /// The quiet move `mv`, played in `position`.
    pub fn new(position: &Position, mv: Move, context: Context) -> PlayedQuiet {
        let squares = mv.from().index() * 64 + mv.to().index();
        PlayedQuiet {
            butterfly: by_threats(position, mv, context) * 64 * 64 + squares,
            answer: context.before[0].map(|before| [before, PieceTo::new(position, mv)]),
        }
    }
}

/// A score that moves towards its limits ever more slowly, so that it forgets old events.
type HistoryScore = i16;

/// The largest score, positive or negative.
const MAX_HISTORY: i32 = 8192;

type PieceToScores = [HistoryScore; PieceTo::COUNT];

/// What a move can take, promotions without capture counting as taking a pawn.
const VICTIMS: usize = 5;

/// Which moves caused cutoffs. Quiet ones: anywhere (by side, origin and target, and whether these are attacked), after
/// the last moves, with the same pawns, and at the same distance from the root. Captures and promotions: by piece,
/// target and victim.
#[derive(Debug)]
pub struct History {
    /// By [`by_threats`], origin and target.
    butterfly: Box<[[[HistoryScore; 64]; 64]]>,
    continuations: Box<[PieceToScores]>,
    /// By [`PawnStructure`].
    with_pawns: Box<[PieceToScores]>,
    killers: [[Option<Move>; 2]; Ply::COUNT],
    captures: Box<[[HistoryScore; VICTIMS]; PieceTo::COUNT]>,
}

impl Default for History {
    fn default() -> History {
        History::new()
    }
}

impl History {
    /// Nothing known yet.
    pub fn new() -> History {
        History {
            butterfly: vec![[[0; 64]; 64]; 8].into_boxed_slice(),
            continuations: vec![[0; PieceTo::COUNT]; PieceTo::COUNT].into_boxed_slice(),
            with_pawns: vec![[0; PieceTo::COUNT]; PawnStructure::COUNT].into_boxed_slice(),
            killers: [[None; 2]; Ply::COUNT],
            captures: Box::new([[0; VICTIMS]; PieceTo::COUNT]),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.butterfly.as_flattened_mut().as_flattened_mut().fill(0);
        self.continuations.as_flattened_mut().fill(0);
        self.with_pawns.as_flattened_mut().fill(0);
        self.captures.as_flattened_mut().fill(0);
        self.clear_killers();
    }

    /// Forgets the killers: the next search begins two plies further on.
    pub fn clear_killers(&mut self) {
        self.killers = [[None; 2]; Ply::COUNT];
    }

    /// The last two quiet moves that caused a cutoff at this ply.
    pub fn killers(&self, ply: Ply) -> [Option<Move>; 2] {
        self.killers[ply.index()]
    }

    /// How well a quiet move did so far, within six times the largest score.
    pub fn quiet(&self, position: &Position, mv: Move, context: Context) -> i32 {
        let piece_to = PieceTo::new(position, mv);
        let butterfly = self.butterfly[by_threats(position, mv, context)][mv.from().index()][mv.to().index()];
        let answers = context.before.iter().flatten();
        let answers: i32 =
            answers.map(|before| i32::from(self.continuations[before.index()][piece_to.index()])).sum();
        let with_pawns = i32::from(self.with_pawns[context.pawns.index()][piece_to.index()]);
        i32::from(butterfly) + answers + with_pawns
    }

    /// How well a capture or promotion did so far, within the largest score.
    pub fn noisy(&self, position: &Position, mv: Move) -> i32 {
        i32::from(self.captures[PieceTo::new(position, mv).index()][victim(position, mv)])
    }

    /// The capture or promotion `best`, if there is one, caused a cutoff at `depth`, and those that `failed` did not.
    pub fn update_captures(
        &mut self,
        position: &Position,
        depth: Depth,
        best: Option<Move>,
        failed: &[Move],
    ) {
        let bonus = bonus(depth);
        let mut add = |mv, bonus| {
            let place = &mut self.captures[PieceTo::new(position, mv).index()][victim(position, mv)];
            apply_bonus(place, bonus);
        };
        if let Some(best) = best {
            add(best, bonus);
        }
        for &mv in failed {
            add(mv, -bonus);
        }
    }

    /// The quiet move `mv` caused a cutoff: it is a killer of this ply.
    pub fn add_killer(&mut self, ply: Ply, mv: Move) {
        let killers = &mut self.killers[ply.index()];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }

    /// The quiet move `best` caused a cutoff at `depth`, after the quiet moves `failed` did not.
    pub fn update_quiets(
        &mut self,
        position: &Position,
        depth: Depth,
        best: Move,
        failed: &[Move],
        context: Context,
    ) {
        let bonus = bonus(depth);
        self.add(position, best, context, bonus);
        let malus = bonus * params::history_malus() / 100;
        for &mv in failed {
            self.add(position, mv, context, -malus);
        }
    }

    /// Adds a bonus, or a malus if negative, to a quiet move that was played.
    pub fn update_played(&mut self, played: PlayedQuiet, bonus: i32) {
        apply_bonus(&mut self.butterfly.as_flattened_mut().as_flattened_mut()[played.butterfly], bonus);
    }

    /// The same for the move as an answer to the one before it.
    pub fn update_continuation(&mut self, played: PlayedQuiet, bonus: i32) {
        if let Some([before, mv]) = played.answer {
            apply_bonus(&mut self.continuations[before.index()][mv.index()], bonus);
        }
    }

    fn add(&mut self, position: &Position, mv: Move, context: Context, bonus: i32) {
        let piece_to = PieceTo::new(position, mv);
        let from_origin = &mut self.butterfly[by_threats(position, mv, context)][mv.from().index()];
        apply_bonus(&mut from_origin[mv.to().index()], bonus);
        apply_bonus(&mut self.with_pawns[context.pawns.index()][piece_to.index()], bonus);
        for before in context.before.iter().flatten() {
            apply_bonus(&mut self.continuations[before.index()][piece_to.index()], bonus);
        }
    }
}

/// The side to move, and whether the opponent attacks the origin of a move and its target: a number below 8.
fn by_threats(position: &Position, mv: Move, context: Context) -> usize {
    let [flees, is_met] = [mv.from(), mv.to()].map(|square| usize::from(context.threats.all.has(square)));
    position.side_to_move().index() << 2 | flees << 1 | is_met
}

/// What a cutoff is worth.
pub fn bonus(depth: Depth) -> i32 {
    let bonus = params::history_bonus() * depth.get() - params::history_bonus_offset();
    bonus.clamp(0, params::history_bonus_max())
}

fn victim(position: &Position, mv: Move) -> usize {
    position.captured(mv).map_or(0, PieceKind::index)
}

/// Adds a bonus that shrinks as the score nears its limit.
fn apply_bonus(score: &mut HistoryScore, bonus: i32) {
    let now = i32::from(*score);
    *score = (now + bonus - now * bonus.abs() / MAX_HISTORY) as HistoryScore;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credit_never_leaves_its_limits() {
        let mut value = 0;
        for bonus in [1600; 100].into_iter().chain([-1600; 200]) {
            apply_bonus(&mut value, bonus);
            assert!(i32::from(value).abs() <= MAX_HISTORY);
        }
        assert!(i32::from(value) < -MAX_HISTORY / 2);
    }

    #[test]
    fn a_cutoff_raises_its_move_and_lowers_those_before_it() {
        let position = Position::start();
        let [best, failed] = ["e2e4", "a2a3"].map(|text| position.parse_uci(text).unwrap());
        let mut history = History::new();
        let context = Context::default();
        history.update_quiets(&position, Depth::new(5), best, &[failed], context);
        assert!(history.quiet(&position, best, context) > 0);
        assert!(history.quiet(&position, failed, context) < 0);
        history.clear();
        assert_eq!(history.quiet(&position, best, context), 0);
    }

    #[test]
    fn a_move_out_of_danger_says_less_of_the_same_move_without_need() {
        let position = Position::start();
        let mv = position.parse_uci("g1f3").unwrap();
        let calm = Context::default();
        let mut in_danger = calm;
        in_danger.threats.all = mv.from().bitboard();
        let mut history = History::new();
        history.update_quiets(&position, Depth::new(5), mv, &[], in_danger);
        assert!(history.quiet(&position, mv, in_danger) > history.quiet(&position, mv, calm));
    }

    #[test]
    fn what_worked_is_expected_to_work_again_with_the_same_pawns() {
        let position = Position::start();
        let mv = position.parse_uci("g1f3").unwrap();
        let mut context = Context { pawns: PawnStructure::new(&position), ..Context::default() };
        let mut history = History::new();
        history.update_quiets(&position, Depth::new(5), mv, &[], context);
        let with_the_same = history.quiet(&position, mv, context);
        context.pawns = PawnStructure::new(&position.play(position.parse_uci("e2e4").unwrap()));
        assert!(history.quiet(&position, mv, context) < with_the_same);
    }

    #[test]
    fn a_move_can_be_credited_after_it_was_played() {
        let position = Position::start();
        let [mv, before] = ["g1f3", "e2e4"].map(|text| position.parse_uci(text).unwrap());
        let context = Context {
            before: [Some(PieceTo::new(&position, before)), None, None, None],
            ..Context::default()
        };
        let played = PlayedQuiet::new(&position, mv, context);
        let mut history = History::new();
        history.update_played(played, 100);
        assert_eq!(history.quiet(&position, mv, context), 100);
        history.update_continuation(played, 100);
        assert_eq!(history.quiet(&position, mv, context), 200);
        assert_eq!(history.quiet(&position, mv, Context::default()), 100);
        history.update_played(played, -100);
        assert!(history.quiet(&position, mv, Context::default()) < 100);
    }

    #[test]
    fn the_last_two_refutations_are_killers() {
        let position = Position::start();
        let [first, second, third] = ["e2e4", "a2a3", "d2d4"].map(|text| position.parse_uci(text).unwrap());
        let mut history = History::new();
        for mv in [first, second, third, third] {
            history.add_killer(Ply::ROOT, mv);
        }
        assert_eq!(history.killers(Ply::ROOT), [Some(third), Some(second)]);
    }

    #[test]
    fn captures_are_told_apart_by_what_they_take() {
        let position = Position::from_fen("4k3/8/8/2n1p3/3P4/8/8/4K3 w - - 0 1").unwrap();
        let [best, failed] = ["d4c5", "d4e5"].map(|text| position.parse_uci(text).unwrap());
        let mut history = History::new();
        history.update_captures(&position, Depth::new(5), Some(best), &[failed]);
        assert!(history.noisy(&position, best) > 0);
        assert!(history.noisy(&position, failed) < 0);
    }
}
