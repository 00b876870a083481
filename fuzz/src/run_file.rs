//! A `run.toml`: as a file by hand, and as the configuration of a run.

use arbiter::foreign_files::read_run_file;
use runner::{RunConfig, RunPlan, Schedule};

/// The most games of which every pairing is looked at.
const FEW_GAMES: u32 = 2000;

/// The most engines that are paired here: pairings grow with their square.
const FEW_ENGINES: usize = 64;

/// A configuration that is accepted has a schedule, and is written so that it reads as the same one.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = read_run_file(&text);
    let Ok(config) = toml::from_str::<RunConfig>(&text) else { return };
    if config.engines.len() > FEW_ENGINES {
        return;
    }
    let Ok(plan) = RunPlan::new(config) else { return };
    let config = plan.config();
    if let Ok(written) = toml::to_string(config) {
        let again: RunConfig = toml::from_str(&written).expect("a configuration reads what it wrote");
        assert_eq!(toml::to_string(&again).as_ref(), Ok(&written));
    }
    let schedule = Schedule::new(config);
    let games = schedule.to_play();
    for game in games.clone().take(FEW_GAMES as usize).chain(games.rev().take(FEW_GAMES as usize)) {
        let pairing = schedule.pairing(game).expect("a game of the schedule has a pairing");
        assert!(pairing.white != pairing.black && pairing.white.max(pairing.black) < config.engines.len());
    }
}
