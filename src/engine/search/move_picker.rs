//! Hands out the moves of a position, the most promising first, and generates only what is asked for.

use arrayvec::ArrayVec;

use super::history::{Context, History};
use super::see::{see_at_least, value};
use crate::chess::{Move, MoveList, PieceKind, Position};

/// What will be handed out next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Hash,
    GenerateNoisy,
    GoodNoisy,
    Refutations,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// Where a move came from, the most promising source first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// The hash move.
    Hash,
    /// A capture or promotion that does not lose material by [`see_at_least`].
    GoodNoisy,
    /// A killer or the counter move.
    Refutation,
    /// Any other quiet move.
    Quiet,
    /// A capture or promotion that loses material.
    BadNoisy,
}

/// The killers of the ply and the counter move.
const REFUTATIONS: usize = 3;

/// The order: hash move, captures and promotions that do not lose material (most valuable victim, then least valuable
/// attacker, corrected by history), killers and counter move, quiet moves by history, losing captures.
#[derive(Debug)]
pub struct MovePicker {
    stage: Stage,
    hash: Option<Move>,
    refutations: ArrayVec<Move, REFUTATIONS>,
    next_refutation: usize,
    /// The moves of the current stage, with their scores; those before `next` have been handed out.
    moves: ArrayVec<(Move, i32), 256>,
    next: usize,
    bad_noisy: ArrayVec<Move, 128>,
    wanted: Quiets,
}

/// Which quiet moves are handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quiets {
    /// All of them.
    All,
    /// Those that give check, without castling and promotions.
    Checks,
    /// None.
    None,
}

impl MovePicker {
    /// All moves. `hash` must be legal; the refutations are checked.
    #[inline]
    pub fn new(hash: Option<Move>, refutations: impl IntoIterator<Item = Move>) -> MovePicker {
        let mut distinct = ArrayVec::new();
        for mv in refutations {
            if Some(mv) != hash && !distinct.contains(&mv) && !distinct.is_full() {
                distinct.push(mv);
            }
        }
        MovePicker::with(hash, distinct, Quiets::All)
    }

    /// The hash move, then captures and promotions, and of the quiet moves what is `wanted`. `hash` must be legal.
    #[inline]
    pub fn noisy(hash: Option<Move>, wanted: Quiets) -> MovePicker {
        MovePicker::with(hash, ArrayVec::new(), wanted)
    }

    /// Inlined, so that two kilobytes of moves are not copied to where they are wanted.
    #[inline]
    fn with(hash: Option<Move>, refutations: ArrayVec<Move, REFUTATIONS>, wanted: Quiets) -> MovePicker {
        MovePicker {
            stage: Stage::Hash,
            hash,
            refutations,
            next_refutation: 0,
            moves: ArrayVec::new(),
            next: 0,
            bad_noisy: ArrayVec::new(),
            wanted,
        }
    }

    /// From now on hands out no more quiet moves.
    pub fn skip_quiet(&mut self) {
        self.wanted = Quiets::None;
    }

    /// The next move, or `None` after the last.
    pub fn next(
        &mut self,
        position: &Position,
        history: &History,
        context: Context,
    ) -> Option<(Move, Class)> {
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = Stage::GenerateNoisy;
                    if let Some(mv) = self.hash {
                        return Some((mv, Class::Hash));
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(position, history);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.pick() {
                    Some(mv) if see_at_least(position, mv, 0) => return Some((mv, Class::GoodNoisy)),
                    Some(mv) => self.bad_noisy.push(mv),
                    None => self.stage = Stage::Refutations,
                },
                Stage::Refutations => match self.pick_refutation(position) {
                    Some(mv) => return Some((mv, Class::Refutation)),
                    None => self.stage = Stage::GenerateQuiet,
                },
                Stage::GenerateQuiet => {
                    self.generate_quiet(position, history, context);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if let Some(mv) = self.pick().filter(|_| self.wanted != Quiets::None) {
                        return Some((mv, Class::Quiet));
                    }
                    self.stage = Stage::BadNoisy;
                    self.next = 0;
                }
                Stage::BadNoisy => {
                    let bad = self.bad_noisy.get(self.next).copied();
                    self.next += 1;
                    match bad {
                        Some(mv) => return Some((mv, Class::BadNoisy)),
                        None => self.stage = Stage::Done,
                    }
                }
                Stage::Done => return None,
            }
        }
    }

    fn generate_noisy(&mut self, position: &Position, history: &History) {
        let mut moves = MoveList::new();
        position.noisy_moves(&mut moves);
        for &mv in &moves {
            if Some(mv) != self.hash {
                self.moves.push((mv, noisy_score(position, mv, history)));
            }
        }
    }

    fn generate_quiet(&mut self, position: &Position, history: &History, context: Context) {
        self.moves.clear();
        self.next = 0;
        let mut moves = MoveList::new();
        match self.wanted {
            Quiets::All => position.quiet_moves(&mut moves),
            Quiets::Checks => position.quiet_checks(&mut moves),
            Quiets::None => {}
        }
        for &mv in &moves {
            if Some(mv) != self.hash && !self.refutations.contains(&mv) {
                self.moves.push((mv, quiet_score(position, mv, history, context)));
            }
        }
    }

    /// The refutations that are legal and quiet here. The others are forgotten, so that they are not held back from
    /// the stages they belong to.
    fn pick_refutation(&mut self, position: &Position) -> Option<Move> {
        while self.wanted == Quiets::All
            && let Some(&mv) = self.refutations.get(self.next_refutation)
        {
            if position.is_legal(mv) && !position.is_noisy(mv) {
                self.next_refutation += 1;
                return Some(mv);
            }
            self.refutations.remove(self.next_refutation);
        }
        None
    }

    /// The best of the moves not yet handed out.
    fn pick(&mut self) -> Option<Move> {
        let mut best = self.next;
        for index in self.next + 1..self.moves.len() {
            if self.moves[index].1 > self.moves[best].1 {
                best = index;
            }
        }
        let &(mv, _) = self.moves.get(best)?;
        self.moves.swap(self.next, best);
        self.next += 1;
        Some(mv)
    }
}

/// Most valuable victim first, then what was successful, then least valuable attacker.
fn noisy_score(position: &Position, mv: Move, history: &History) -> i32 {
    let victim = position.captured(mv).map_or(0, value);
    let promotion = mv.promotion().map_or(0, value);
    let attacker = position.kind_on(mv.from()).map_or(0, PieceKind::index) as i32;
    (victim + promotion) * 16 + history.noisy(position, mv) / 2 - attacker
}

/// Credit from the history; promotions to less than a queen come last.
fn quiet_score(position: &Position, mv: Move, history: &History, context: Context) -> i32 {
    if mv.promotion().is_some() {
        return i32::MIN;
    }
    history.quiet(position, mv, context)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picked(picker: &mut MovePicker, position: &Position) -> Vec<(Move, Class)> {
        let history = History::new();
        std::iter::from_fn(|| picker.next(position, &history, Context::default())).collect()
    }

    #[test]
    fn every_legal_move_comes_exactly_once() {
        for fen in [
            Position::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
            "4k3/8/8/8/7b/8/8/R3K2R w KQ - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mut legal = MoveList::new();
            position.legal_moves(&mut legal);
            let text = |moves: &[Move]| {
                let mut texts: Vec<String> = moves.iter().map(Move::to_string).collect();
                texts.sort();
                texts
            };
            for &hash in &legal {
                let refutations = legal.iter().copied().rev().take(3);
                let moves: Vec<Move> = picked(&mut MovePicker::new(Some(hash), refutations), &position)
                    .iter()
                    .map(|m| m.0)
                    .collect();
                assert_eq!(text(&moves), text(&legal), "{fen} {hash}");
                assert_eq!(moves[0], hash);
            }
        }
    }

    #[test]
    fn good_captures_come_before_quiet_moves_and_bad_ones_after() {
        let fen = "4k3/2p5/1q1p4/4N3/8/8/8/3QK3 w - - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let classes: Vec<Class> =
            picked(&mut MovePicker::new(None, []), &position).iter().map(|m| m.1).collect();
        assert_eq!(classes.last(), Some(&Class::BadNoisy));
        let noisy = picked(&mut MovePicker::noisy(None, Quiets::None), &position);
        assert!(noisy.iter().all(|(mv, _)| position.is_noisy(*mv)));
    }

    #[test]
    fn of_the_quiet_moves_only_checks_can_be_wanted() {
        let position = Position::from_fen("4k3/8/8/8/3r4/8/3Q4/4K3 w - - 0 1").unwrap();
        let moves = picked(&mut MovePicker::noisy(None, Quiets::Checks), &position);
        let mut texts: Vec<String> = moves.iter().map(|(mv, _)| mv.to_string()).collect();
        assert_eq!(texts.remove(0), "d2d4", "captures come first");
        texts.sort();
        assert_eq!(texts, ["d2e2", "d2e3"]);
    }

    #[test]
    fn quiet_moves_can_be_skipped_halfway() {
        let position = Position::start();
        let (history, context) = (History::new(), Context::default());
        let mut picker = MovePicker::new(None, []);
        assert!(picker.next(&position, &history, context).is_some());
        picker.skip_quiet();
        assert_eq!(picker.next(&position, &history, context), None);
    }
}
