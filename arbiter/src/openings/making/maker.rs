//! Runs attempts until the book is full.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use super::evaluator::{EvaluatorError, MoveCache, OpeningEvaluator};
use super::ordered_work::{WorkEnd, in_order};
use super::recipe::{AttemptTally, OpeningRecipe, OpeningSource, Rejection};
use crate::engines::EngineSession;
use referee::Variant;
use referee::openings::ListedOpening;

/// How many openings to make, and with how much work.
#[derive(Clone, Copy, Debug)]
pub struct MakingPlan<'a> {
    /// Number of openings wanted.
    pub count: usize,
    /// Lines to try at most.
    pub attempts: u64,
    /// Number of engine processes; it does not change the openings.
    pub concurrency: usize,
    /// Whether a position and its mirror image with colours swapped count as one.
    pub mirrored_is_same: bool,
    /// Set to stop early.
    pub stop: &'a AtomicBool,
}

/// Why the work ended.
#[derive(Debug)]
pub enum MakingEnd<E> {
    /// There are as many openings as wanted.
    Complete,
    /// All lines that the plan allows, or that the games have, were tried.
    Exhausted,
    /// It was stopped early.
    Stopped,
    /// An engine did not start, or failed twice at the same line.
    EngineFailed(E),
}

/// The openings made, as many as wanted or fewer.
#[derive(Debug)]
pub struct MadeOpenings<E> {
    /// The openings in the order in which they were tried; no two lead to the same position.
    pub openings: Vec<ListedOpening>,
    /// How many lines were tried and rejected.
    pub tally: AttemptTally,
    /// Why the work ended.
    pub end: MakingEnd<E>,
}

/// Makes openings with engines that `start` starts. Calls `visit` with the number of openings after each line tried.
pub fn make_openings<E: Send + From<EvaluatorError>>(
    recipe: &OpeningRecipe,
    plan: &MakingPlan<'_>,
    start: impl Fn() -> Result<EngineSession, E> + Sync,
    mut visit: impl FnMut(usize),
) -> MadeOpenings<E> {
    let mut openings: Vec<ListedOpening> = Vec::new();
    let mut tally = AttemptTally::default();
    let mut known = HashSet::new();
    let cache = MoveCache::default();
    let attempt = |session: &mut EngineSession, number| {
        let mut evaluator = match recipe.source {
            OpeningSource::Guided(_) => OpeningEvaluator::with_cache(session, &cache),
            OpeningSource::Games(_) => OpeningEvaluator::new(session),
        };
        Ok(recipe.attempt(&mut evaluator, number)?)
    };
    let collect = |_, result: Result<ListedOpening, Rejection>| {
        tally.attempts += 1;
        match result {
            Ok(opening) if is_new(&mut known, &opening, plan.mirrored_is_same) => openings.push(opening),
            Ok(_) => tally.reject(Rejection::Duplicate),
            Err(rejection) => tally.reject(rejection),
        }
        visit(openings.len());
        if openings.len() < plan.count { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let end = match in_order(plan.attempts, plan.concurrency, plan.stop, start, attempt, collect) {
        WorkEnd::Enough => MakingEnd::Complete,
        WorkEnd::AllDone => MakingEnd::Exhausted,
        WorkEnd::Stopped => MakingEnd::Stopped,
        WorkEnd::Failed(error) => MakingEnd::EngineFailed(error),
    };
    MadeOpenings { openings, tally, end }
}

/// Whether no earlier line led to the position; adds the position.
fn is_new(known: &mut HashSet<u64>, opening: &ListedOpening, mirrored_is_same: bool) -> bool {
    let mirrored = opening.mirrored_key(Variant::Standard).ok().filter(|_| mirrored_is_same);
    mirrored.is_none_or(|key| !known.contains(&key)) && known.insert(opening.key)
}
