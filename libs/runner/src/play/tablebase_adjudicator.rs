//! Adjudication by Syzygy tablebases.

use std::sync::Arc;

use crate::{Adjudication, SyzygyResults, SyzygyRule, Termination};
use referee::{GameResult, Referee, TableValue, TablebaseError, TablebaseProbeError, Tablebases, Variant};

impl SyzygyResults {
    fn has(self, result: GameResult) -> bool {
        match self {
            SyzygyResults::All => true,
            SyzygyResults::Wins => result != GameResult::Draw,
            SyzygyResults::Draws => result == GameResult::Draw,
        }
    }
}

/// The tables' result for a position, as if its halfmove clock were 0; an error if a table turns out to be unreadable.
type Probe = dyn Fn(&Referee) -> Result<Option<TableValue>, TablebaseProbeError> + Send + Sync;

/// Open tables, and the rule that uses them.
#[derive(Clone)]
pub struct TablebaseAdjudicator {
    probe: Arc<Probe>,
    complaint: Option<String>,
    ignore_50: bool,
    /// Whether positions are looked up whatever the halfmove clock is.
    any_clock: bool,
    results: SyzygyResults,
}

impl Adjudication {
    /// Opens the tablebases that the rules use, if any.
    ///
    /// # Errors
    /// [`TablebaseError`] if a folder has no tables of the variant.
    pub fn open_tables(&self, variant: Variant) -> Result<Option<TablebaseAdjudicator>, TablebaseError> {
        self.syzygy.as_ref().map(|rule| rule.open(variant)).transpose()
    }
}

impl SyzygyRule {
    fn open(&self, variant: Variant) -> Result<TablebaseAdjudicator, TablebaseError> {
        let tables = Tablebases::open(&self.folders, self.pieces, variant)?;
        let SyzygyRule { ignore_50, results, every_move, .. } = *self;
        let without_dtz = (every_move && !tables.has_dtz)
            .then(|| "there are no DTZ tables (.rtbz), without which cutechess-cli ends no game".to_owned());
        let complaint = tables.complaint().or(without_dtz);
        let probe = Arc::new(
            move |referee: &Referee| {
                if every_move { tables.probe_at_clock(referee) } else { tables.probe(referee) }
            },
        );
        let any_clock = ignore_50 || every_move;
        Ok(TablebaseAdjudicator { probe, complaint, ignore_50, any_clock, results })
    }
}

impl TablebaseAdjudicator {
    /// The number of tables that cannot be used, with their names and reasons, if any: games are played without them.
    pub fn complaint(&self) -> Option<String> {
        self.complaint.clone()
    }

    /// The end of the game in its current position; `None` if it goes on.
    ///
    /// # Errors
    /// If a table turns out to be unreadable; the game goes on without it.
    pub fn judge(&self, referee: &Referee) -> Result<Option<(Termination, GameResult)>, TablebaseProbeError> {
        if !self.any_clock && referee.halfmove_clock() > 0 {
            return Ok(None);
        }
        let Some(value) = (self.probe)(referee)? else { return Ok(None) };
        let result = match value {
            TableValue::Win(winner) => GameResult::won_by(winner),
            TableValue::CursedWin(winner) if self.ignore_50 => GameResult::won_by(winner),
            TableValue::CursedWin(_) | TableValue::Draw => GameResult::Draw,
        };
        Ok(self.results.has(result).then_some((Termination::TablebaseAdjudication, result)))
    }
}

impl std::fmt::Debug for TablebaseAdjudicator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TablebaseAdjudicator").field("ignore_50", &self.ignore_50).finish_non_exhaustive()
    }
}

#[cfg(test)]
impl TablebaseAdjudicator {
    /// Tables that give this value for every position.
    pub(crate) fn made_up(
        value: impl Fn() -> Result<Option<TableValue>, TablebaseProbeError> + Send + Sync + 'static,
        ignore_50: bool,
    ) -> TablebaseAdjudicator {
        let (probe, results) = (Arc::new(move |_: &Referee| value()), SyzygyResults::All);
        TablebaseAdjudicator { probe, complaint: None, ignore_50, any_clock: ignore_50, results }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::Side;

    fn knowing(value: Option<TableValue>, ignore_50: bool) -> TablebaseAdjudicator {
        TablebaseAdjudicator::made_up(move || Ok(value), ignore_50)
    }

    /// The verdict on a position with this half-move clock.
    fn verdict(value: Option<TableValue>, clock: u32, ignore_50: bool) -> Option<GameResult> {
        let fen = format!("4k3/8/8/8/8/8/8/4K2R b - - {clock} 60");
        let referee = Referee::from_fen(&fen, Variant::Standard).unwrap();
        let judged = knowing(value, ignore_50).judge(&referee).unwrap();
        assert!(judged.is_none_or(|(kind, _)| kind == Termination::TablebaseAdjudication));
        judged.map(|(_, result)| result)
    }

    #[test]
    fn only_a_fresh_clock_decides_and_a_cursed_win_is_a_draw_unless_the_fifty_move_rule_is_ignored() {
        let win = Some(TableValue::Win(Side::White));
        assert_eq!(verdict(win, 0, false), Some(GameResult::WhiteWins));
        assert_eq!(verdict(win, 1, false), None);
        assert_eq!(verdict(Some(TableValue::Win(Side::Black)), 0, false), Some(GameResult::BlackWins));
        assert_eq!(verdict(Some(TableValue::Draw), 0, false), Some(GameResult::Draw));
        assert_eq!(verdict(None, 0, false), None);
        let cursed = Some(TableValue::CursedWin(Side::Black));
        assert_eq!(verdict(cursed, 0, false), Some(GameResult::Draw));
        assert_eq!(verdict(cursed, 0, true), Some(GameResult::BlackWins));
        assert_eq!(verdict(cursed, 80, true), Some(GameResult::BlackWins));
    }

    #[test]
    fn only_the_results_that_are_asked_for_end_a_game() {
        let referee = Referee::from_fen("4k3/8/8/8/8/8/8/4K2R b - - 0 60", Variant::Standard).unwrap();
        let ends = |value, results| {
            TablebaseAdjudicator { results, ..knowing(Some(value), false) }.judge(&referee).unwrap().is_some()
        };
        let win = TableValue::Win(Side::White);
        assert!(ends(win, SyzygyResults::Wins) && !ends(win, SyzygyResults::Draws));
        assert!(ends(TableValue::Draw, SyzygyResults::Draws) && !ends(TableValue::Draw, SyzygyResults::Wins));
    }
}
