//! An exhibition that goes on: it reads the journal on, listens to the run, and publishes what has changed.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::exhibition::{Exhibition, Score};
use super::game_replay::GameReplay;
use super::journal_source::{JournalSource, read_game};
use super::view::View;
use crate::control;
use crate::web::LatestState;
use runner::{Journal, JournalPlace};

/// So often the page may change.
const PACE: Duration = Duration::from_millis(150);

/// So often a run that does not show its games is asked whether it does by now, and whether it goes on at all.
const RETRY: Duration = Duration::from_secs(2);

/// What a server needs to know. Clones are the same show.
#[derive(Clone, Debug)]
pub struct Show {
    exhibition: Arc<Mutex<Exhibition>>,
    has_changed: Arc<AtomicBool>,
    state: LatestState,
}

impl Show {
    /// Shows an exhibition from now on as it goes on, from threads of its own. They end with the program.
    ///
    /// # Errors
    /// The system has no room for the threads.
    pub fn begin(exhibition: Exhibition, journal: JournalSource) -> io::Result<Show> {
        let mut publisher = Publisher::new(&exhibition, journal);
        let state = LatestState::new(publisher.text(&exhibition));
        let show = Show {
            exhibition: Arc::new(Mutex::new(exhibition)),
            has_changed: Arc::new(AtomicBool::new(false)),
            state,
        };
        let listener = show.clone();
        thread::Builder::new().name("live games".to_owned()).spawn(move || listener.listen())?;
        let follower = show.clone();
        thread::Builder::new().name("journal".to_owned()).spawn(move || {
            loop {
                thread::sleep(PACE);
                publisher.publish(&follower);
            }
        })?;
        Ok(show)
    }

    /// What the page shows.
    pub const fn state(&self) -> &LatestState {
        &self.state
    }

    /// A game that is over, by its number from 1, as JSON; `None` when there is no such game.
    ///
    /// # Errors
    /// It cannot be read any more.
    pub fn game(&self, number: u32) -> anyhow::Result<Option<String>> {
        let Some((folder, game, place)) = self.find(number) else { return Ok(None) };
        let record = read_game(&folder, game, place)?;
        let replay = {
            let exhibition = self.lock();
            let name = |engine| exhibition.engine_name(engine).to_owned();
            GameReplay::new(&record, exhibition.config().variant, name)
        };
        Ok(Some(serde_json::to_string(&replay)?))
    }

    fn find(&self, number: u32) -> Option<(PathBuf, u32, JournalPlace)> {
        let exhibition = self.lock();
        let game = exhibition.finished_game(number)?;
        Some((exhibition.folder().to_owned(), game.game, game.place))
    }

    /// Takes in positions as long as the program lives.
    fn listen(&self) {
        let folder = self.lock().folder().to_owned();
        loop {
            let heard = control::watch(&folder, |position| {
                let mut exhibition = self.lock();
                let is_news = position.is_some() || !exhibition.is_live;
                exhibition.set_live(true);
                if let Some(position) = position {
                    exhibition.take_position(position);
                }
                self.has_changed.fetch_or(is_news, Ordering::Relaxed);
                ControlFlow::Continue(())
            });
            // A run that ended in the middle of a word is over, too.
            if !matches!(heard, Ok(false)) {
                self.lock().set_live(false);
                self.has_changed.store(true, Ordering::Relaxed);
            }
            thread::sleep(RETRY);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Exhibition> {
        self.exhibition.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the journal on and publishes.
struct Publisher {
    journal: JournalSource,
    score: Score,
    /// When the score was made, and whether the run was live then.
    scored: Instant,
    was_live: bool,
}

impl Publisher {
    fn new(exhibition: &Exhibition, journal: JournalSource) -> Publisher {
        let was_live = exhibition.is_live;
        let score = exhibition.score(was_live || Journal::is_in_use(journal.path()));
        Publisher { score, journal, scored: Instant::now(), was_live }
    }

    fn publish(&mut self, show: &Show) {
        let mut has_changed = show.has_changed.swap(false, Ordering::Relaxed);
        let is_live = show.lock().is_live;
        // Without its socket a run is only seen by the lock of its journal.
        let is_stale = !is_live && self.scored.elapsed() > RETRY;
        let may_have_ended = self.score.is_running || is_stale || is_live != self.was_live;
        // Before the journal is read on: a run that ends later is not taken for one that ended without a word.
        let is_running = is_live || may_have_ended && Journal::is_in_use(self.journal.path());
        let mut exhibition = show.lock();
        let mut has_grown = false;
        if exhibition.trouble.is_none() {
            let read = self.journal.read_on(|event, place| {
                exhibition.take_event(&event, place);
                has_grown = true;
            });
            if let Err(error) = read {
                exhibition.trouble = Some(format!("{error:#}"));
                has_changed = true;
            }
        }
        if has_grown || is_stale || is_live != self.was_live || is_running != self.score.is_running {
            self.score = exhibition.score(is_running);
            (self.scored, self.was_live) = (Instant::now(), is_live);
            has_changed = true;
        }
        if has_changed {
            let text = self.text(&exhibition);
            drop(exhibition);
            show.state.publish(text);
        }
    }

    fn text(&self, exhibition: &Exhibition) -> String {
        // It consists of texts and numbers, none of which can fail to be written.
        serde_json::to_string(&View::new(exhibition, &self.score)).unwrap_or_default()
    }
}
