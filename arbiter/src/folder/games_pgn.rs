//! `games.pgn`: the games, with what the engines reported for every move.

use super::move_comment::move_comment;
use super::pgn_time_control::pgn_time_control;
use super::report_error::ReportError;
use crate::results::ending::{ending, pgn_termination};
use referee::{AFTER_DECISION, GameIdentity, PgnGame, PgnGames, Referee, Side};
use runner::{Format, GameRecord, PgnConfig, PgnField, RunConfig};

/// The value of the `Date` tag of a game without a date, as the PGN standard writes it.
const NO_DATE: &str = "????.??.??";

/// Turns records of games into PGN.
///
/// The comment behind a move is `{+0.35/12 0.520s}`, or what else the [`PgnConfig`] asks for; `{book}` for the moves of
/// the opening. The comment behind the last move goes on with how the game ended.
///
/// Unless asked for, a game in which no clock had a part has no dates and no times: the same configuration gives the
/// same bytes, whenever and however often interrupted it is played. The times of such a game are in the journal and in
/// `games.csv`.
#[derive(Clone, Debug)]
pub struct GamesPgn {
    config: RunConfig,
}

impl GamesPgn {
    /// For the games of this run.
    pub fn new(config: &RunConfig) -> GamesPgn {
        GamesPgn { config: config.clone() }
    }

    /// One game, as it stands in the file.
    ///
    /// # Errors
    /// If the record's opening starts from something that is no position.
    pub fn game(&self, record: &GameRecord) -> Result<PgnGame, ReportError> {
        let referee = Referee::from_fen(&record.opening.fen, self.config.variant)
            .map_err(|source| ReportError::OpeningFen { game: record.game, source })?;
        let mut pgn = PgnGame::starting_like(&referee);
        self.set_tags(&mut pgn, record);
        push_moves(&mut pgn, record, &self.config.pgn, self.is_timed(record));
        Ok(pgn)
    }

    /// What tells the game from others in a PGN file; `None` where the file would not have it.
    pub fn identity(&self, record: &GameRecord) -> Option<GameIdentity> {
        let text = self.game(record).ok()?.to_string();
        PgnGames::new("", text.as_bytes()).next()?.ok()?.identity()
    }

    fn set_tags(&self, pgn: &mut PgnGame, record: &GameRecord) {
        let name = |side| self.config.engines[record.engine(side)].name.as_str();
        pgn.set_tag("Event", &format!("{} - {}", self.name(0), self.name(1)));
        if self.config.engines.len() > 2 {
            let format = match self.config.format {
                Format::RoundRobin => "Round robin",
                Format::Gauntlet { .. } => "Gauntlet",
                Format::Knockout { .. } => "Knockout",
            };
            pgn.set_tag("Event", &format!("{format} of {}", self.config.engines.len()));
        }
        pgn.set_tag("Site", self.config.made.as_ref().map_or("?", |made| &made.cpu));
        let has_start = self.config.pgn.has(PgnField::Start, self.is_timed(record));
        let date =
            if has_start { record.started.strftime("%Y.%m.%d").to_string() } else { NO_DATE.to_owned() };
        pgn.set_tag("Date", &date);
        pgn.set_tag("Round", &format!("{}.{}", record.pair + 1, record.game + 1));
        pgn.set_tag("White", name(Side::White));
        pgn.set_tag("Black", name(Side::Black));
        pgn.set_result(record.result);
        if has_start {
            pgn.set_tag("UTCDate", &date);
            pgn.set_tag("UTCTime", &record.started.strftime("%H:%M:%S").to_string());
        }
        pgn.set_tag("PlyCount", &(record.opening.moves.len() + record.moves.len()).to_string());
        let [white, black] = [Side::White, Side::Black]
            .map(|side| pgn_time_control(self.config.limits_of(record.engine(side))));
        if white == black {
            pgn.set_tag("TimeControl", &white);
        } else {
            pgn.set_tag("WhiteTimeControl", &white);
            pgn.set_tag("BlackTimeControl", &black);
        }
        pgn.set_tag("Termination", pgn_termination(record.termination));
        if record.after_decision {
            pgn.set_tag(AFTER_DECISION, "1");
        }
    }

    /// Whether a clock had a part in the game.
    fn is_timed(&self, record: &GameRecord) -> bool {
        [record.white, record.black].into_iter().any(|engine| self.config.limits_of(engine).is_timed())
    }

    fn name(&self, engine: usize) -> &str {
        self.config.engines.get(engine).map_or("?", |engine| &engine.name)
    }
}

/// A move and its comment; in the end how the game ended, behind whatever move is the last.
fn push_moves(pgn: &mut PgnGame, record: &GameRecord, config: &PgnConfig, is_timed: bool) {
    let book = record.opening.moves.iter().map(|played| (played.san.as_str(), Some("book".to_owned())));
    let engines =
        record.moves.iter().map(|played| (played.san.as_str(), move_comment(played, config, is_timed)));
    let mut moves = book.chain(engines).peekable();
    while let Some((san, mut comment)) = moves.next() {
        if moves.peek().is_none() {
            let parts: Vec<String> = comment.into_iter().chain([ending(record)]).collect();
            comment = Some(parts.join(", "));
        }
        pgn.push(san, comment.as_deref());
    }
}

#[cfg(test)]
mod tests;
