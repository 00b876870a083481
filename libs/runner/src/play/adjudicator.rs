//! Watches the scores of a game and decides when it ends.

use crate::{Adjudication, MoveScore, ResignRule, TablebaseAdjudicator, Termination};
use referee::{GameResult, Referee, Side, TablebaseProbeError};

/// The state of the adjudication rules in one game.
#[derive(Clone, Debug, Default)]
pub struct Adjudicator {
    rules: Adjudication,
    /// Plies in a row with a score near zero.
    quiet_plies: u32,
    /// Each side's own moves in a row with a lost score.
    lost_moves: [u32; 2],
    /// Each side's own moves in a row with a won score.
    won_moves: [u32; 2],
    tables: Option<TablebaseAdjudicator>,
    /// The errors of Syzygy tablebases that could not be read, each once.
    pub unreadable: Vec<TablebaseProbeError>,
}

impl Adjudicator {
    /// The state at the start of a game.
    pub fn new(rules: Adjudication) -> Adjudicator {
        Adjudicator { rules, ..Adjudicator::default() }
    }

    /// Also ends games by Syzygy tablebases, if there are any.
    #[must_use]
    pub fn with_tables(self, tables: Option<TablebaseAdjudicator>) -> Adjudicator {
        Adjudicator { tables, ..self }
    }

    /// The tablebase result after a move, which is exact and takes precedence over scores. Unreadable tablebases decide
    /// nothing; [`unreadable`](Self::unreadable) has their errors.
    pub fn judge_position(&mut self, referee: &Referee) -> Option<(Termination, GameResult)> {
        match self.tables.as_ref()?.judge(referee) {
            Ok(verdict) => verdict,
            Err(error) => {
                if !self.unreadable.contains(&error) {
                    self.unreadable.push(error);
                }
                None
            }
        }
    }

    /// Judges a move: `side` made it, `board` is the position after it, and `score` came with it. A move without a score ends
    /// every streak.
    pub fn judge(
        &mut self,
        side: Side,
        board: &Referee,
        score: Option<MoveScore>,
    ) -> Option<(Termination, GameResult)> {
        let (is_zeroing, number) = (board.halfmove_clock() == 0, board.move_number());
        let judged = self.judge_scores(side, is_zeroing, number, score);
        let is_over = || self.rules.max_moves.is_some_and(|most| board.ply() as u32 / 2 >= most);
        judged.or_else(|| is_over().then_some((Termination::MaxMoves, GameResult::Draw)))
    }

    /// Judges a move by the score rules alone, which need no board. `is_zeroing` is whether the move was a capture or a pawn
    /// move; `next_move` is the number of the next move.
    pub fn judge_scores(
        &mut self,
        side: Side,
        is_zeroing: bool,
        next_move: u32,
        score: Option<MoveScore>,
    ) -> Option<(Termination, GameResult)> {
        // Engines mean different things by a mate in 0, so it does not count as a score.
        let known = score.filter(|score| *score != MoveScore::Mate(0));
        let score = known.map(MoveScore::clamped_centipawns);
        if let Some(rule) = self.rules.resign
            && let Some(winner) = self.winner(rule, side, score)
        {
            return Some((Termination::ResignAdjudication, GameResult::won_by(winner)));
        }
        let rule = self.rules.draw?;
        let is_quiet = score.is_some_and(|score| score.unsigned_abs() <= rule.score);
        if is_zeroing {
            self.quiet_plies = 0;
        }
        self.quiet_plies = if is_quiet { self.quiet_plies + 1 } else { 0 };
        let is_drawn = next_move > rule.from_move && self.quiet_plies >= rule.count.saturating_mul(2);
        is_drawn.then_some((Termination::DrawAdjudication, GameResult::Draw))
    }

    /// The winner by resign adjudication after a move of `side`.
    fn winner(&mut self, rule: ResignRule, side: Side, score: Option<i32>) -> Option<Side> {
        let threshold = rule.score.min(i32::MAX as u32) as i32;
        let count = |moves: &mut u32, goes_on: bool| *moves = if goes_on { *moves + 1 } else { 0 };
        count(&mut self.lost_moves[side as usize], score.is_some_and(|score| score <= -threshold));
        count(&mut self.won_moves[side as usize], score.is_some_and(|score| score >= threshold));
        let is_lost = self.lost_moves[side as usize] >= rule.count
            && (!rule.two_sided || self.won_moves[side.other() as usize] >= rule.count);
        is_lost.then(|| side.other())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::Variant;

    /// Moves that lead back to the start, without captures and pawn moves.
    const SHUFFLE: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

    /// Judges scores in turn, White's first, from move 1, and returns the ply after which the game ended.
    fn verdict(rules: &Adjudication, scores: &[Option<i32>]) -> Option<(usize, Termination, GameResult)> {
        let mut adjudicator = Adjudicator::new(rules.clone());
        let mut board = Referee::new(Variant::Standard);
        for (ply, score) in scores.iter().enumerate() {
            let side = board.turn();
            board.play(SHUFFLE[ply % 4]).unwrap();
            let verdict = adjudicator.judge(side, &board, score.map(MoveScore::Cp));
            if let Some((termination, result)) = verdict {
                return Some((ply + 1, termination, result));
            }
        }
        None
    }

    fn resign() -> Adjudication {
        Adjudication { resign: Some("count=2,score=600".parse().unwrap()), ..Adjudication::default() }
    }

    fn draw() -> Adjudication {
        Adjudication { draw: Some("move=2,count=2,score=10".parse().unwrap()), ..Adjudication::default() }
    }

    #[test]
    fn a_side_resigns_after_enough_lost_moves_of_its_own_and_a_better_score_or_none_interrupts_the_row() {
        let lost = Some((4, Termination::ResignAdjudication, GameResult::WhiteWins));
        assert_eq!(verdict(&resign(), &[900, -600, 900, -700].map(Some)), lost);
        for interruption in [Some(-599), None] {
            let scores = [Some(9), Some(-600), Some(9), interruption, Some(9), Some(-700), Some(9)];
            assert_eq!(verdict(&resign(), &scores), None);
        }
    }

    #[test]
    fn where_both_have_to_agree_one_opinion_does_not_decide() {
        let rule = "count=2,score=600,twosided=true".parse().unwrap();
        let rules = Adjudication { resign: Some(rule), ..Adjudication::default() };
        let won = Some((6, Termination::ResignAdjudication, GameResult::WhiteWins));
        let scores = [599, -600, 600, -700, 900, -800].map(Some);
        assert_eq!(verdict(&rules, &scores[..4]), None, "White has said so once");
        assert_eq!(verdict(&rules, &scores), won, "the loser has to move");
        let disagreeing = [599, -600, 600, -700, 599, -800].map(Some);
        assert_eq!(verdict(&rules, &disagreeing), None);
        // The loser is the last to notice.
        let late = [700, 0, 700, -600, 700, -600].map(Some);
        assert_eq!(verdict(&rules, &late), won);
    }

    #[test]
    fn a_draw_waits_for_the_move_of_the_rule_and_for_quiet_moves_in_a_row() {
        let drawn_at = |ply| Some((ply, Termination::DrawAdjudication, GameResult::Draw));
        assert_eq!(verdict(&draw(), &[0, -5, 10, 0, 3, -10].map(Some)), drawn_at(4));
        assert_eq!(verdict(&draw(), &[11, -5, 10, 0, 3].map(Some)), drawn_at(5), "from move 3 on");
        assert_eq!(verdict(&draw(), &[0, -5, 10, 11, 3, -10, 1].map(Some)), None);
    }

    #[test]
    fn a_pawn_move_begins_the_quiet_moves_anew() {
        let mut adjudicator = Adjudicator::new(draw());
        let mut board = Referee::new(Variant::Standard);
        let moves = ["g1f3", "g8f6", "f3g1", "e7e6", "g1f3", "f6g8"];
        let verdicts = moves.map(|played| {
            let side = board.turn();
            board.play(played).unwrap();
            adjudicator.judge(side, &board, Some(MoveScore::Cp(0))).is_some()
        });
        assert_eq!(verdicts, [false, false, false, false, false, false]);
        let side = board.turn();
        board.play("f3g1").unwrap();
        assert!(adjudicator.judge(side, &board, Some(MoveScore::Cp(0))).is_some());
    }

    #[test]
    fn a_table_that_cannot_be_read_ends_no_game_and_is_told_once() {
        let unreadable =
            || Err(TablebaseProbeError { table: "KRvK".to_owned(), reason: "cut off".to_owned() });
        let tables = TablebaseAdjudicator::made_up(unreadable, true);
        let mut adjudicator = Adjudicator::new(Adjudication::default()).with_tables(Some(tables));
        let referee = Referee::from_fen("4k3/8/8/8/8/8/8/4K2R w - -", Variant::Standard).unwrap();
        for _ in 0..2 {
            assert_eq!(adjudicator.judge_position(&referee), None);
        }
        let told: Vec<String> = adjudicator.unreadable.iter().map(ToString::to_string).collect();
        assert_eq!(told, ["the Syzygy table KRvK cannot be read: cut off"]);
    }

    #[test]
    fn being_mated_is_worse_than_any_score() {
        let mut adjudicator = Adjudicator::new(resign());
        let board = Referee::new(Variant::Standard);
        assert_eq!(adjudicator.judge(Side::White, &board, Some(MoveScore::Mate(-5))), None);
        assert!(adjudicator.judge(Side::White, &board, Some(MoveScore::Mate(-4))).is_some());
    }
}
