//! Whether a fault in a match is new: what the other build shows as well, or what does not happen again, breaks nothing.

use std::mem;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::Result;

use crate::measure::Judgement;
use crate::report::verdict::Verdict;
use crate::reproduce::{Manner, game_script, replay};
use crate::results::{EngineSummary, Summary};
use crate::text::number_text::counted;
use runner::{EngineConfig, RunJournal, Termination};
use stats::groups_with_excess;

/// How many games with a fault of each kind are played again, and how often.
const GAMES: usize = 2;
const TRIES: u32 = 3;

/// What is played again: the lines of the game, without its pauses.
const MANNER: Manner = Manner { is_fast: true, concurrency: 1, reports: false };

#[derive(Clone, Copy, Debug)]
pub struct FaultJudge<'a> {
    /// The folder of the match. Its first engine is judged.
    pub run: &'a Path,
    pub other: &'a EngineConfig,
    /// Faults that do not fail the step.
    pub may_fail: &'a [Termination],
}

/// What a kind of fault says about the build that shows it.
enum Standing {
    /// The other build shows it as well, or it may fail.
    Known(String),
    /// It is too rare to compare the builds by it.
    Seldom(String),
    New,
}

impl FaultJudge<'_> {
    /// Adds the faults to the judgement of a match, which a new kind of fault turns into `Broken`.
    pub fn judge(self, judgement: &mut Judgement, summary: &Summary) -> Result<()> {
        let [ours, theirs] = &summary.engines[..] else { return Ok(()) };
        let (mut known, mut new, mut games) = (Vec::new(), None, 0);
        for (&kind, &count) in ours.faults.iter().filter(|(kind, _)| **kind != Termination::TimeLoss) {
            match self.standing(kind, ours, theirs)? {
                Standing::Known(sentence) => known.push(sentence),
                Standing::Seldom(sentence) => judgement.details.push(sentence),
                Standing::New => {
                    new = new.or(Some(kind));
                    games += count;
                }
            }
        }
        if !known.is_empty() {
            judgement.details.push(format!("known faults: {}", known.join("; ")));
        }
        if let Some(kind) = new {
            let games = counted(games, "game");
            let way = format!("see `bad/`; if it is known: may_fail = [\"{kind}\"] in [match]");
            let fault =
                format!("{} lost {games} by a fault that {} does not show: {way}", ours.name, theirs.name);
            judgement.verdict = Verdict::Broken;
            judgement.details.insert(0, mem::replace(&mut judgement.sentence, fault));
        }
        Ok(())
    }

    fn standing(self, kind: Termination, ours: &EngineSummary, theirs: &EngineSummary) -> Result<Standing> {
        let counts = [ours, theirs].map(|engine| (engine.faults_of(kind), engine.games));
        let [(count, games), (of_theirs, _)] = counts;
        let is_more = groups_with_excess(&counts).contains(&0);
        if self.may_fail.contains(&kind) || of_theirs > 0 && !is_more {
            return Ok(Standing::Known(format!(
                "{kind} {}, {} {of_theirs}",
                counted(count, "time"),
                theirs.name
            )));
        }
        if is_more {
            return Ok(Standing::New);
        }
        let faulty = RunJournal::open(self.run)?.events.games_by_number(|game| {
            let offender = game.offender.map(|side| game.engine(side));
            (game.termination == kind && offender == Some(0)).then_some(game.game + 1)
        })?;
        let mut tries = 0;
        for number in faulty.into_values().flatten().take(GAMES) {
            let mut script = game_script::of_game(self.run, Some(number), None)?.script;
            let mut happens = |script: &_| {
                let mut happened = false;
                replay(script, TRIES, MANNER, |fault, _| {
                    tries += 1;
                    happened = fault.is_some_and(|fault| fault.what.kind == Some(kind) && !fault.excused);
                    if happened { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                happened
            };
            if happens(&script) {
                script.head.engine = self.other.clone();
                return Ok(if happens(&script) {
                    Standing::Known(format!(
                        "{kind} {}; {} shows it in the same game",
                        counted(count, "time"),
                        theirs.name
                    ))
                } else {
                    Standing::New
                });
            }
        }
        let (games, replays) = (counted(games, "game"), counted(tries, "replay"));
        Ok(Standing::Seldom(format!(
            "warning: {kind} in {count} of {games}, never by {}; it did not happen again in {replays}, so it is too rare \
             to compare the builds",
            theirs.name
        )))
    }
}
