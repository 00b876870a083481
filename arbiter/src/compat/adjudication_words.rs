//! The options about the ends of games, which both dialects have.

use anyhow::{Result, bail};
use runner::{DrawRule, ResignRule, SyzygyResults, SyzygyRule};

use super::tournament::Tournament;
use super::words::Flag;

impl Tournament {
    /// Takes an option whose name begins with `-tb`. What a state file says of tablebases holds until then.
    pub(super) fn take_tables(&mut self, flag: &Flag) -> Result<()> {
        let rule = self.tables.get_or_insert_with(|| SyzygyRule {
            folders: Vec::new(),
            pieces: SyzygyRule::MOST_PIECES,
            ignore_50: false,
            results: SyzygyResults::All,
        });
        match &flag.name[..] {
            "-tbpieces" => {
                rule.pieces =
                    Some(flag.number()?).filter(|pieces| *pieces > 0).unwrap_or(SyzygyRule::MOST_PIECES);
            }
            "-tbignore50" => rule.ignore_50 = flag.alone()?,
            "-tbadjudicate" => rule.results = table_results(flag)?,
            _ => {
                // Windows' separator is accepted everywhere, as in cutechess.
                let folders = flag.one()?.split([';', ':']).filter(|folder| !folder.is_empty());
                rule.folders = folders.map(Into::into).collect();
            }
        }
        Ok(())
    }
}

fn table_results(flag: &Flag) -> Result<SyzygyResults> {
    match flag.one()? {
        "BOTH" => Ok(SyzygyResults::All),
        "WIN_LOSS" => Ok(SyzygyResults::Wins),
        "DRAW" => Ok(SyzygyResults::Draws),
        other => bail!("-tbadjudicate {other}: expected BOTH, WIN_LOSS or DRAW"),
    }
}

pub(super) fn draw_rule(flag: &Flag) -> Result<DrawRule> {
    let mut rule = DrawRule { from_move: 0, count: 1, score: 0 };
    for (key, value) in flag.pairs()? {
        match key {
            "movenumber" => rule.from_move = flag.value(key, value)?,
            "movecount" => rule.count = flag.value(key, value)?,
            "score" => rule.score = flag.value(key, value)?,
            _ => return Err(flag.unknown(key, value, "movenumber, movecount or score")),
        }
    }
    above_zero(flag, rule.count)?;
    Ok(rule)
}

pub(super) fn resign_rule(flag: &Flag) -> Result<ResignRule> {
    let mut rule = ResignRule { count: 1, score: 0, two_sided: false };
    for (key, value) in flag.pairs()? {
        match key {
            "movecount" => rule.count = flag.value(key, value)?,
            "score" => rule.score = flag.value(key, value)?,
            "twosided" => rule.two_sided = flag.switch(key, value)?,
            _ => return Err(flag.unknown(key, value, "movecount, score or twosided")),
        }
    }
    above_zero(flag, rule.count)?;
    Ok(rule)
}

fn above_zero(flag: &Flag, count: u32) -> Result<()> {
    if count == 0 { Err(flag.unknown("movecount", "0", "a number above 0")) } else { Ok(()) }
}
