//! The state of a run as text.

use jiff::Timestamp;

use crate::live::progress::ProgressText;
use crate::results::{RunPhase, RunState};
use crate::text::number_text::{counted, long_time};
use runner::FinishReason;

/// The most games that are listed.
const GAMES_SHOWN: usize = 16;

/// Shows a run: its state, the score as in the progress display, and the games in progress.
#[derive(Clone, Copy, Debug)]
pub struct StatusText<'a> {
    /// The run.
    pub run: &'a RunState,
    /// Its state.
    pub phase: &'a RunPhase,
    /// The current time, for the duration of the games in progress.
    pub now: Timestamp,
    /// Columns of the terminal.
    pub width: usize,
    /// Whether colours may be used.
    pub colour: bool,
}

impl StatusText<'_> {
    /// The lines, none of them empty.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("  {}", self.phase())];
        let is_going_on = !matches!(self.phase, RunPhase::Interrupted { .. } | RunPhase::Finished { .. });
        let display = ProgressText { width: self.width, colour: self.colour, is_going_on };
        lines.extend(display.lines(self.run));
        lines.extend(self.games());
        lines
    }

    fn phase(&self) -> String {
        let concurrency = self.run.pace().concurrency;
        let in_progress = || counted(self.run.in_progress().len() as u64, "game");
        match self.phase {
            RunPhase::Running => format!("running, concurrency {concurrency}"),
            RunPhase::Paused => format!("paused, {} in progress", in_progress()),
            RunPhase::Stopping => format!("stopping, {} in progress", in_progress()),
            RunPhase::Interrupted { reason: None } => {
                "interrupted: the process ended unexpectedly".to_owned()
            }
            RunPhase::Interrupted { reason: Some(reason) } => format!("interrupted: {}", words(reason)),
            RunPhase::Finished { reason } => format!("finished: {}", words(reason)),
        }
    }

    fn games(&self) -> Vec<String> {
        let games = self.run.in_progress();
        let rest = games.len().saturating_sub(GAMES_SHOWN);
        let mut lines: Vec<String> = games
            .take(GAMES_SHOWN)
            .map(|(game, present)| {
                let since = self.now.duration_since(present.started).try_into().unwrap_or_default();
                let (white, black) =
                    (self.run.engine_name(present.white), self.run.engine_name(present.black));
                format!("  game {}   {white} – {black}   {}", game + 1, long_time(since))
            })
            .collect();
        lines.extend((rest > 0).then(|| format!("  and {rest} more")));
        lines
    }
}

fn words(reason: &FinishReason) -> String {
    match reason {
        FinishReason::AllGamesPlayed => "all games were played".to_owned(),
        FinishReason::AcceptedH0 => "SPRT accepted H0".to_owned(),
        FinishReason::AcceptedH1 => "SPRT accepted H1".to_owned(),
        FinishReason::GaveUp => "SPRT given up: too few games left to accept H1".to_owned(),
        FinishReason::Requested => "stopped by the user".to_owned(),
        FinishReason::GamesMissing => "games are missing".to_owned(),
        FinishReason::EngineDoesNotStart { detail, .. } => detail.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::made_up_games::{config, two_engine_match};
    use runner::Event;

    fn text(state: &RunPhase, games_in_progress: u32) -> String {
        text_after("wdwwldddwd", state, games_in_progress)
    }

    fn text_after(results: &str, state: &RunPhase, games_in_progress: u32) -> String {
        let config = config(&["new", "old"], true);
        let start = Timestamp::from_second(1_795_000_000).unwrap();
        let mut run = RunState::new(&config);
        run.update(&Event::RunStarted { config: Box::new(config), games: 100, at: start });
        for game in two_engine_match(results) {
            run.update(&Event::GameFinished(Box::new(game)));
        }
        let at = Timestamp::from_second(1_795_000_100).unwrap();
        for game in 10..10 + games_in_progress {
            run.update(&Event::GameStarted { game, white: 0, black: 1, at });
        }
        let now = Timestamp::from_second(1_795_000_112).unwrap();
        StatusText { run: &run, phase: state, now, width: 100, colour: false }.lines().join("\n")
    }

    #[test]
    fn a_running_match() {
        insta::assert_snapshot!(text(&RunPhase::Running, 2));
    }

    #[test]
    fn an_interrupted_match() {
        insta::assert_snapshot!(text(&RunPhase::Interrupted { reason: None }, 0));
    }

    #[test]
    fn a_finished_run_has_no_time_left() {
        let text = |state| text_after(&"wdwldd".repeat(10), &state, 0);
        let over = text(RunPhase::Finished { reason: FinishReason::AcceptedH1 });
        assert!(!over.contains("left") && text(RunPhase::Running).contains("left"), "{over}");
    }

    #[test]
    fn long_lists_of_games_are_cut_and_no_line_is_empty() {
        let text = text(&RunPhase::Stopping, 40);
        assert!(text.ends_with("  and 24 more"), "{text}");
        assert!(text.lines().all(|line| !line.trim().is_empty()));
    }
}
