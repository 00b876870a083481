//! `arbiter resume DIR --join ENGINE…`: adds candidates to a run that is looking for the best of several.

use std::path::Path;

use anyhow::{Result, bail};

use super::playing;
use super::run_file::NAME;
use crate::cli::console;
use crate::engines::{self, EngineSpec};
use crate::files::{new_file, write_whole};
use runner::{
    EngineConfig, Event, JOURNAL_FILE, Journal, Question, RunConfig, RunPlan, Schedule, journal_text,
};

/// Rewrites the run with more candidates. Games already played or assigned stay as they are; the new candidates play
/// from the next batch of pairs on.
pub fn join(folder: &Path, specs: &[EngineSpec]) -> Result<()> {
    if !new_file::is_run(folder) {
        bail!("--join: expected the folder of a run with --best, found no {NAME} in {}", folder.display());
    }
    let path = folder.join(JOURNAL_FILE);
    let (_lock, mut events) = Journal::open_for_resume(&path)?;
    let Some(Event::RunStarted { config: before, .. }) = events.first() else {
        bail!("{}: expected a run that has begun", path.display())
    };
    let before = before.clone();
    if before.best.is_none() {
        bail!("--join: expected a run with --best, which {} is not", folder.display());
    }
    let candidates = before.engines.len() - 1;
    engines::check_unchanged(&before.engines)?;
    let newcomers = newcomers(&before.engines, specs)?;
    let added = newcomers.len();
    let mut schedule = Schedule::new(&before);
    for event in &events {
        if let Event::GameFinished(game) = event {
            schedule.add(game);
        }
    }
    let mut plan = RunPlan::new(match schedule.question() {
        Question::BestOfSeveral(best) if added > 0 => before.with_candidates(newcomers, best.known as u32),
        _ => RunConfig::clone(&before),
    })?;
    playing::introduce(&mut plan)?;
    let config = plan.config();
    for event in &mut events {
        event.move_engines(candidates, added);
        if let Event::RunStarted { config: of_journal, .. } = event {
            *of_journal = config.clone();
        }
    }
    // If the process is killed between the two, the same command completes the work, because it goes by the journal.
    write_whole(&path, journal_text(&events)?)?;
    write_whole(&folder.join(NAME), toml::to_string(&**config)?)?;
    for engine in &config.engines[candidates..][..added] {
        console::note(&format!("{} plays from the next batch of pairs on", engine.name));
    }
    Ok(())
}

fn newcomers(playing: &[EngineConfig], specs: &[EngineSpec]) -> Result<Vec<EngineConfig>> {
    let mut all = playing.to_vec();
    for engine in engines::resolve_all(specs, &mut console::announce_build)? {
        let found_out = |other: &EngineConfig| EngineConfig {
            name: other.name.clone(),
            version: other.version.clone(),
            files: other.files.clone(),
            from_batch: other.from_batch,
            ..engine.clone()
        };
        match playing.iter().find(|other| **other == found_out(other)) {
            Some(known) => console::note(&format!("{} is already playing", known.name)),
            None => all.push(engine),
        }
    }
    engines::make_distinct(&mut all);
    Ok(all.split_off(playing.len()))
}
