//! From attempts to a book.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use super::judge::{MoveMemory, OpeningJudge, OpeningJudgeError};
use super::ordered_work::{WorkEnd, in_order};
use super::recipe::{AttemptTally, OpeningRecipe, OpeningSource, Rejection};
use crate::engines::EngineSession;
use referee::Variant;
use referee::openings::ListedOpening;

/// How much is wanted, and what may be spent on it.
#[derive(Clone, Copy, Debug)]
pub struct MakingPlan<'a> {
    /// How many openings.
    pub count: usize,
    /// Lines that are tried at most.
    pub attempts: u64,
    /// Engines that work at the same time; the openings are the same for any number.
    pub concurrency: usize,
    /// Whether a position with the colours changed is the same one.
    pub mirrored_is_same: bool,
    /// Set to end it early.
    pub stop: &'a AtomicBool,
}

/// Why no more were made.
#[derive(Debug)]
pub enum MakingEnd<E> {
    /// There are as many as wanted.
    Complete,
    /// So many lines were tried as the plan allows, or as the games give.
    UsedUp,
    /// It was ended early.
    Stopped,
    /// An engine did not start, or broke twice at the same line.
    EngineBroke(E),
}

/// What was made, whole or not.
#[derive(Debug)]
pub struct MadeOpenings<E> {
    /// The openings, in the order in which they were tried; no two lead to the same position.
    pub openings: Vec<ListedOpening>,
    /// What became of the lines.
    pub tally: AttemptTally,
    /// Why there are no more.
    pub end: MakingEnd<E>,
}

/// Makes openings with engines that `start` starts. `visit` is told how many there are after each line that was tried.
pub fn make_openings<E: Send + From<OpeningJudgeError>>(
    recipe: &OpeningRecipe,
    plan: &MakingPlan<'_>,
    start: impl Fn() -> Result<EngineSession, E> + Sync,
    mut visit: impl FnMut(usize),
) -> MadeOpenings<E> {
    let mut openings: Vec<ListedOpening> = Vec::new();
    let mut tally = AttemptTally::default();
    let mut known = HashSet::new();
    let memory = MoveMemory::default();
    let attempt = |session: &mut EngineSession, number| {
        let mut judge = match recipe.source {
            OpeningSource::Guided(_) => OpeningJudge::with_memory(session, &memory),
            OpeningSource::Games(_) => OpeningJudge::new(session),
        };
        Ok(recipe.attempt(&mut judge, number)?)
    };
    let collect = |_, result: Result<ListedOpening, Rejection>| {
        tally.attempts += 1;
        match result {
            Ok(opening) if is_new(&mut known, &opening, plan.mirrored_is_same) => openings.push(opening),
            Ok(_) => tally.reject(Rejection::Known),
            Err(rejection) => tally.reject(rejection),
        }
        visit(openings.len());
        if openings.len() < plan.count { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let end = match in_order(plan.attempts, plan.concurrency, plan.stop, start, attempt, collect) {
        WorkEnd::Enough => MakingEnd::Complete,
        WorkEnd::AllDone => MakingEnd::UsedUp,
        WorkEnd::Stopped => MakingEnd::Stopped,
        WorkEnd::Failed(error) => MakingEnd::EngineBroke(error),
    };
    MadeOpenings { openings, tally, end }
}

/// Whether no earlier line led to the position; from now on one does.
fn is_new(known: &mut HashSet<u64>, opening: &ListedOpening, mirrored_is_same: bool) -> bool {
    let mirrored = opening.mirrored_key(Variant::Standard).ok().filter(|_| mirrored_is_same);
    mirrored.is_none_or(|key| !known.contains(&key)) && known.insert(opening.key)
}
