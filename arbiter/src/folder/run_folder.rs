//! The files of a run's folder, and when each is written.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;

use super::games_csv::{final_epd, header, row_of};
use super::games_pgn::GamesPgn;
use super::report_error::ReportError;
use crate::files::{new_file, write_whole};
use crate::results::{Observer, RunState, saved_state};
use runner::untrusted_files::create_anew;
use runner::{Event, GameRecord, JOURNAL_FILE, JournalPlace, Part, Schedule};

/// The minimum time between two summaries; the last one is written at the end.
const SUMMARY_INTERVAL: Duration = Duration::from_secs(1);

/// The minimum pause relative to the time of writing a summary, which is long with hundreds of engines.
const SUMMARY_PAUSE: u32 = 100;

/// Writes `run.toml`, `games.csv`, `games.pgn`, `final.epd` and `summary.json`.
///
/// Games are appended in the order of the schedule, not in the order in which they end: a game waits for all earlier ones.
/// Nothing is lost by waiting, since the journal holds every game, and these files can be recreated from it. `state.json`
/// only saves time.
#[derive(Debug)]
pub struct RunFolder {
    pub path: PathBuf,
    pgn: GamesPgn,
    part: Part,
    in_order: InOrder<GameText>,
    files: [(PathBuf, File); 3],
    /// The place in the journal up to which the saved state counts events.
    saved: JournalPlace,
    summary_due: Option<Instant>,
}

/// The text about one game for each of the files. With hundreds of concurrent games many texts wait for an earlier game; a
/// text takes much less memory than a record.
type GameText = [Vec<u8>; 3];

impl RunFolder {
    pub fn create(path: &Path, state: &RunState) -> Result<RunFolder, ReportError> {
        new_file::create_folder(path)
            .map_err(|source| ReportError::CannotCreate { path: path.to_owned(), source })?;
        if fs::read_dir(path).map_err(ReportError::at(path))?.next().is_some() {
            return Err(ReportError::FolderExists(path.to_owned()));
        }
        let file = path.join("run.toml");
        write_whole(&file, toml::to_string(state.config())?).map_err(ReportError::at(&file))?;
        RunFolder::with_games(path, state, [])
    }

    /// Continues in an existing folder, given the state of the run and the games of its journal. Recreates all files except
    /// `run.toml`.
    ///
    /// Abandoned games are left out, since they will be played again.
    pub fn resume<'a>(
        path: &Path,
        state: &RunState,
        games: impl IntoIterator<Item = &'a GameRecord>,
    ) -> Result<RunFolder, ReportError> {
        RunFolder::with_games(path, state, games.into_iter().filter(|game| game.is_counted()))
    }

    fn with_games<'a>(
        path: &Path,
        state: &RunState,
        games: impl IntoIterator<Item = &'a GameRecord>,
    ) -> Result<RunFolder, ReportError> {
        let config = state.config();
        let empty = |name: &str| {
            let file = path.join(name);
            let made = create_anew(&file).map_err(ReportError::at(&file))?;
            Ok::<_, ReportError>((file, made))
        };
        let mut folder = RunFolder {
            path: path.to_owned(),
            pgn: GamesPgn::new(config.clone()),
            part: Schedule::new(config).to_play(),
            in_order: InOrder::from(0),
            files: [empty("games.csv")?, empty("games.pgn")?, empty("final.epd")?],
            saved: JournalPlace::beginning(config.engines.len()),
            summary_due: None,
        };
        let header = header().map_err(ReportError::at("games.csv".as_ref()))?;
        folder.write_game(&[header, Vec::new(), Vec::new()])?;
        for game in games {
            folder.take_game(game)?;
        }
        folder.write_summary(state)?;
        Ok(folder)
    }

    fn take_game(&mut self, game: &GameRecord) -> Result<(), ReportError> {
        let text = self.text_of(game)?;
        self.in_order.put(self.part.place(game.game), text);
        while let Some(text) = self.in_order.take_next() {
            self.write_game(&text)?;
        }
        Ok(())
    }

    fn text_of(&self, game: &GameRecord) -> Result<GameText, ReportError> {
        let csv = row_of(&self.pgn.config, game).map_err(ReportError::at(&self.files[0].0))?;
        let epd = format!("{}\n", final_epd(&self.pgn.config, game));
        Ok([csv, self.pgn.game(game)?.to_string().into_bytes(), epd.into_bytes()])
    }

    /// Writes a game directly to the files, without a buffer that a crash could lose.
    fn write_game(&mut self, text: &GameText) -> Result<(), ReportError> {
        for ((path, file), bytes) in self.files.iter_mut().zip(text) {
            file.write_all(bytes).map_err(ReportError::at(path))?;
        }
        Ok(())
    }

    /// Saves the state, which includes all events up to `last`, for readers who ask before the next one.
    pub fn save_state(&mut self, state: &RunState, last: &Event) {
        self.saved = saved_state::write(&self.path, state, last, self.saved).unwrap_or(self.saved);
    }

    /// Replaces the summary in one step, so that a reader never sees half of it.
    fn write_summary(&mut self, state: &RunState) -> Result<(), ReportError> {
        let begin = Instant::now();
        let json = serde_json::to_string_pretty(&state.summary())? + "\n";
        let file = self.path.join("summary.json");
        write_whole(&file, json).map_err(ReportError::at(&file))?;
        self.summary_due = Some(Instant::now() + SUMMARY_INTERVAL.max(SUMMARY_PAUSE * begin.elapsed()));
        Ok(())
    }
}

impl Observer for RunFolder {
    fn on_event(&mut self, event: &Event, state: &RunState) -> Result<()> {
        match event {
            Event::GameFinished(game) => {
                let journal = fs::metadata(self.path.join(JOURNAL_FILE));
                if journal.is_ok_and(|journal| saved_state::is_due(journal.len(), self.saved)) {
                    self.save_state(state, event);
                }
                self.take_game(game)?;
                if self.summary_due.is_none_or(|due| Instant::now() >= due) {
                    self.write_summary(state)?;
                }
            }
            Event::RunFinished { .. } => {
                for text in self.in_order.take_rest() {
                    self.write_game(&text)?;
                }
                self.save_state(state, event);
                self.write_summary(state)?;
            }
            _ => {}
        }
        Ok(())
    }
}

/// Sorts items by game: an item is held back until the items of all earlier games have been put in.
#[derive(Debug)]
pub struct InOrder<T> {
    next: u32,
    waiting: BTreeMap<u32, T>,
}

impl<T> InOrder<T> {
    pub fn from(first: u32) -> InOrder<T> {
        InOrder { next: first, waiting: BTreeMap::new() }
    }

    pub fn put(&mut self, game: u32, item: T) {
        self.waiting.insert(game, item);
    }

    fn take_next(&mut self) -> Option<T> {
        let item = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(item)
    }

    fn take_rest(&mut self) -> impl Iterator<Item = T> + use<T> {
        std::mem::take(&mut self.waiting).into_values()
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use proptest::prelude::*;
    use runner::FinishReason;
    use tempfile::TempDir;

    use super::*;
    use crate::results::test_games::{config, finished, game, two_engine_match};

    const FILES: [&str; 5] = ["run.toml", "games.csv", "games.pgn", "final.epd", "summary.json"];

    fn tell(folder: &mut RunFolder, state: &mut RunState, event: &Event) {
        state.update(event);
        folder.on_event(event, state).unwrap();
    }

    fn play(folder: &mut RunFolder, state: &mut RunState, games: impl IntoIterator<Item = GameRecord>) {
        for game in games {
            tell(folder, state, &finished(game));
        }
        let (reason, at) = (FinishReason::AllGamesPlayed, Timestamp::UNIX_EPOCH);
        tell(folder, state, &Event::RunFinished { reason, at });
    }

    fn new_state(with_test: bool) -> RunState {
        RunState::new(config(&["new", "old"], with_test))
    }

    fn contents(folder: &Path) -> [String; 5] {
        FILES.map(|name| fs::read_to_string(folder.join(name)).unwrap())
    }

    fn files_of(games: Vec<GameRecord>) -> [String; 5] {
        let place = TempDir::new().unwrap();
        let mut state = new_state(true);
        play(&mut RunFolder::create(place.path(), &state).unwrap(), &mut state, games);
        contents(place.path())
    }

    #[test]
    fn every_game_is_in_the_files_before_the_next_one_ends() {
        let place = TempDir::new().unwrap();
        let mut state = new_state(false);
        let mut folder = RunFolder::create(place.path(), &state).unwrap();
        for (index, game) in two_engine_match("wdl").into_iter().enumerate() {
            tell(&mut folder, &mut state, &finished(game));
            let [_, csv, pgn, epd, _] = contents(place.path());
            assert_eq!(csv.lines().count(), index + 2);
            assert_eq!(pgn.matches("[Result ").count(), index + 1);
            assert_eq!(epd.lines().count(), index + 1);
        }
    }

    #[test]
    fn an_interrupted_run_that_is_resumed_leaves_the_same_files() {
        let all = two_engine_match("wdldwwdl");
        let place = TempDir::new().unwrap();
        let mut journal = all[..5].to_vec();
        journal.push(game(5, (1, 0), None));
        let mut state = new_state(true);
        play(&mut RunFolder::create(place.path(), &state).unwrap(), &mut state, journal.clone());
        state.update(&Event::RunResumed { finished: 5, at: Timestamp::UNIX_EPOCH });
        let mut folder = RunFolder::resume(place.path(), &state, &journal).unwrap();
        play(&mut folder, &mut state, all[5..].to_vec());
        assert_eq!(contents(place.path()), files_of(all));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]
        #[test]
        fn the_order_in_which_games_end_leaves_no_trace(
            games in Just(two_engine_match("wdlwdlwd")).prop_shuffle(),
        ) {
            prop_assert_eq!(files_of(games), files_of(two_engine_match("wdlwdlwd")));
        }
    }

    #[test]
    fn a_gap_that_is_never_filled_holds_nothing_back_at_the_end() {
        let mut buffer = InOrder::from(0);
        for game in [2, 1] {
            buffer.put(game, game);
        }
        assert!(buffer.take_next().is_none());
        assert_eq!(buffer.take_rest().collect::<Vec<_>>(), [1, 2]);
    }
}
