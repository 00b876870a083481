//! The staged move picker: moves in the order of search, generated stage by stage.

use arrayvec::ArrayVec;

use super::history::{History, HistoryContext};
use super::params;
use super::see::{see_at_least, value};
use crate::SharedTt;
use chess::{Move, MoveList, PieceKind, Position};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    Killers,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    BadQuiet,
    Done,
}

/// The kind of a picked move, in the order of search except for bad quiet moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MoveClass {
    TtMove,
    /// A capture or promotion with SEE ≥ 0.
    GoodNoisy,
    Killer,
    Quiet,
    /// A capture or promotion with SEE < 0.
    BadNoisy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picked {
    pub mv: Move,
    pub class: MoveClass,
    /// The history score of a quiet move ([`History::quiet`]), lower for underpromotions; 0 for other moves.
    pub history_score: i32,
}

/// Subtracted from the history score of an underpromotion.
const UNDERPROMOTION: i32 = 8192;
/// The number of killers per ply.
const KILLERS: usize = 2;

/// Picks moves in this order: TT move; captures and promotions with SEE ≥ 0 (MVV-LVA and capture history); killers;
/// quiet moves by history; captures with SEE < 0; quiet moves with a bad history.
///
/// The TT entries of the positions after these moves are prefetched.
#[derive(Debug)]
pub struct MovePicker<'a> {
    tt: SharedTt<'a>,
    stage: Stage,
    tt_move: Option<Move>,
    killers: ArrayVec<Move, KILLERS>,
    next_killer: usize,
    /// The moves of the current stage; those before `next` have been picked.
    moves: ArrayVec<Scored, 256>,
    next: usize,
    bad_noisy: ArrayVec<Move, 128>,
    next_bad_noisy: usize,
    quiets: Quiets,
}

/// Which quiet moves are picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quiets {
    All,
    /// Only checks, without castling and promotions.
    Checks,
    None,
}

impl MovePicker<'_> {
    /// Picks all moves. `tt_move` must be legal; killers may be illegal.
    #[inline]
    pub fn new(
        tt: SharedTt<'_>,
        tt_move: Option<Move>,
        killers: impl IntoIterator<Item = Move>,
    ) -> MovePicker<'_> {
        let mut distinct = ArrayVec::new();
        for mv in killers {
            if Some(mv) != tt_move && !distinct.contains(&mv) && !distinct.is_full() {
                distinct.push(mv);
            }
        }
        MovePicker::with(tt, tt_move, distinct, Quiets::All)
    }

    /// Picks the TT move, captures, promotions and `quiets`. `tt_move` must be legal.
    #[inline]
    pub fn noisy(tt: SharedTt<'_>, tt_move: Option<Move>, quiets: Quiets) -> MovePicker<'_> {
        MovePicker::with(tt, tt_move, ArrayVec::new(), quiets)
    }

    /// Inlined to avoid a copy of two kilobytes.
    #[inline]
    fn with(
        tt: SharedTt<'_>,
        tt_move: Option<Move>,
        killers: ArrayVec<Move, KILLERS>,
        quiets: Quiets,
    ) -> MovePicker<'_> {
        MovePicker {
            tt,
            stage: Stage::TtMove,
            tt_move,
            killers,
            next_killer: 0,
            moves: ArrayVec::new(),
            next: 0,
            bad_noisy: ArrayVec::new(),
            next_bad_noisy: 0,
            quiets,
        }
    }

    pub fn skip_quiet(&mut self) {
        self.quiets = Quiets::None;
    }

    pub fn next(
        &mut self,
        position: &Position,
        history: &History,
        context: HistoryContext,
    ) -> Option<Picked> {
        let without_history_score = |mv, class| Some(Picked { mv, class, history_score: 0 });
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateNoisy;
                    if let Some(mv) = self.tt_move {
                        self.prefetch(position, mv);
                        return without_history_score(mv, MoveClass::TtMove);
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(position, history);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    self.select_best();
                    match self.next_scored() {
                        Some((mv, _)) if see_at_least(position, mv, 0) => {
                            return without_history_score(mv, MoveClass::GoodNoisy);
                        }
                        Some((mv, _)) => self.bad_noisy.push(mv),
                        None => self.stage = Stage::Killers,
                    }
                }
                Stage::Killers => match self.pick_killer(position) {
                    Some(mv) => {
                        self.prefetch(position, mv);
                        let history_score = history.quiet(position, mv, context);
                        return Some(Picked { mv, class: MoveClass::Killer, history_score });
                    }
                    None => self.stage = Stage::GenerateQuiet,
                },
                Stage::GenerateQuiet => {
                    self.generate_quiet(position, history, context);
                    self.select_next_quiet(position);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet if self.is_next_quiet_bad() => self.stage = Stage::BadNoisy,
                Stage::Quiet => match self.pick_quiet(position, context) {
                    Some(picked) => return Some(picked),
                    None => self.stage = Stage::BadNoisy,
                },
                Stage::BadNoisy => {
                    let bad = self.bad_noisy.get(self.next_bad_noisy).copied();
                    self.next_bad_noisy += 1;
                    match bad {
                        Some(mv) => return without_history_score(mv, MoveClass::BadNoisy),
                        None => self.stage = Stage::BadQuiet,
                    }
                }
                Stage::BadQuiet => match self.pick_quiet(position, context) {
                    Some(picked) => return Some(picked),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    fn generate_noisy(&mut self, position: &Position, history: &History) {
        let mut moves = MoveList::new();
        position.noisy_moves(&mut moves);
        for &mv in &moves {
            if Some(mv) != self.tt_move {
                self.prefetch(position, mv);
                self.moves.push(Scored::new(mv, noisy_score(position, mv, history)));
            }
        }
    }

    fn generate_quiet(&mut self, position: &Position, history: &History, context: HistoryContext) {
        self.moves.clear();
        self.next = 0;
        let mut moves = MoveList::new();
        match self.quiets {
            Quiets::All => position.quiet_moves(&mut moves),
            Quiets::Checks => position.quiet_checks(&mut moves),
            Quiets::None => {}
        }
        for &mv in &moves {
            if Some(mv) != self.tt_move && !self.killers.contains(&mv) {
                self.moves.push(Scored::new(mv, quiet_score(position, mv, history, context)));
            }
        }
    }

    /// The next killer that is legal and quiet. The others are removed, so that later stages do not skip them.
    fn pick_killer(&mut self, position: &Position) -> Option<Move> {
        while self.quiets == Quiets::All
            && let Some(&mv) = self.killers.get(self.next_killer)
        {
            if position.is_legal(mv) && !position.is_noisy(mv) {
                self.next_killer += 1;
                return Some(mv);
            }
            self.killers.swap_remove(self.next_killer);
        }
        None
    }

    /// Whether the next quiet move has a bad history, and so have all after it.
    fn is_next_quiet_bad(&self) -> bool {
        self.moves.get(self.next).is_some_and(|scored| scored.score() < -params::bad_quiet())
    }

    /// The next quiet move, unless quiet moves are skipped.
    fn pick_quiet(&mut self, position: &Position, context: HistoryContext) -> Option<Picked> {
        let (mv, score) = self.next_scored().filter(|_| self.quiets != Quiets::None)?;
        self.select_next_quiet(position);
        // Threats affect the order, but not pruning and reductions.
        let history_score = score - context.threats.bonus(position, mv);
        Some(Picked { mv, class: MoveClass::Quiet, history_score })
    }

    /// The next move of the stage with its score.
    fn next_scored(&mut self) -> Option<(Move, i32)> {
        let scored = self.moves.get(self.next)?;
        self.next += 1;
        Some((scored.mv()?, scored.score()))
    }

    /// One step of a selection sort: moves the best remaining move to the front.
    fn select_best(&mut self) {
        let left = &mut self.moves[self.next..];
        let Some(best) = left.iter().copied().max() else { return };
        if let Some(place) = left.iter().position(|&scored| scored == best) {
            left.swap(0, place);
        }
    }

    /// Selects the next quiet move one move ahead and prefetches its TT entry.
    fn select_next_quiet(&mut self, position: &Position) {
        self.select_best();
        if let Some(mv) = self.moves.get(self.next).and_then(|scored| scored.mv()) {
            self.prefetch(position, mv);
        }
    }

    /// Prefetches the TT entry of the position after a move.
    fn prefetch(&self, position: &Position, mv: Move) {
        self.tt.prefetch(position.likely_key_after(mv));
    }
}

/// A move and its score in one number, which is larger for the better move. So the maximum is found without branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Scored(i64);

impl Scored {
    fn new(mv: Move, score: i32) -> Scored {
        Scored(i64::from(score) << 16 | i64::from(mv.bits()))
    }

    fn mv(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    fn score(self) -> i32 {
        (self.0 >> 16) as i32
    }
}

/// MVV-LVA with capture history.
fn noisy_score(position: &Position, mv: Move, history: &History) -> i32 {
    let victim = position.captured(mv).map_or(0, value);
    let promotion = mv.promotion().map_or(0, value);
    let attacker = position.kind_on(mv.from()).map_or(0, PieceKind::index) as i32;
    (victim + promotion) * 16 + history.noisy(position, mv) / 2 - attacker
}

/// The history score plus the bonus for threats; underpromotions are lowered.
fn quiet_score(position: &Position, mv: Move, history: &History, context: HistoryContext) -> i32 {
    let history_score = history.quiet(position, mv, context) + context.threats.bonus(position, mv);
    history_score - if mv.promotion().is_some() { UNDERPROMOTION } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Depth, TranspositionTable};

    fn picked(mut picker: MovePicker, position: &Position) -> Vec<Picked> {
        let history = History::new();
        std::iter::from_fn(|| picker.next(position, &history, HistoryContext::default())).collect()
    }

    fn tt() -> TranspositionTable {
        TranspositionTable::new(1).unwrap()
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
            let legal = position.move_list();
            let text = |moves: &[Move]| {
                let mut texts: Vec<String> = moves.iter().map(Move::to_string).collect();
                texts.sort();
                texts
            };
            let mut tt = tt();
            let tt = tt.begin_search();
            for &tt_move in &legal {
                let killers = legal.iter().copied().rev().take(3);
                let picker = MovePicker::new(tt, Some(tt_move), killers);
                let moves: Vec<Move> = picked(picker, &position).iter().map(|picked| picked.mv).collect();
                assert_eq!(text(&moves), text(&legal), "{fen} {tt_move}");
                assert_eq!(moves[0], tt_move);
            }
        }
    }

    #[test]
    fn a_quiet_move_with_a_bad_history_comes_after_a_losing_capture() {
        let position = Position::from_fen("4k3/2p5/3p4/4B3/8/8/8/4K3 w - - 0 1").unwrap();
        let (bad, context) = (position.parse_uci("e5h2").unwrap(), HistoryContext::default());
        let mut history = History::new();
        for _ in 0..20 {
            let best = position.parse_uci("e5g3").unwrap();
            history.update_quiets(&position, Depth::new(12), best, &[bad], context);
        }
        assert!(history.quiet(&position, bad, context) < -params::bad_quiet());
        let mut tt = tt();
        let mut picker = MovePicker::new(tt.begin_search(), None, []);
        let moves = std::iter::from_fn(|| picker.next(&position, &history, context));
        let classes: Vec<(Move, MoveClass)> = moves.map(|picked| (picked.mv, picked.class)).collect();
        let losing = position.parse_uci("e5d6").unwrap();
        assert_eq!(classes[classes.len() - 2..], [(losing, MoveClass::BadNoisy), (bad, MoveClass::Quiet)]);
    }
}
