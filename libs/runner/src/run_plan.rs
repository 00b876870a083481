//! A run that can be played, before anything of it is written.

use std::sync::Arc;

use crate::process::{EngineError, EngineInfo, WireTap};
use crate::used_files::UsedFiles;
use crate::workers::WorkerThread;
use crate::{CorePlan, ProtocolName, RunConfig, RunError, Schedule, TablebaseAdjudicator, UciSetting};
use referee::TablebaseError;

/// A valid configuration, and what is needed to play by it. Everything that can be checked is checked once, so that errors show
/// before a folder is created.
#[derive(Debug)]
pub struct RunPlan {
    pub(crate) config: Arc<RunConfig>,
    pub(crate) cores: Option<Arc<CorePlan>>,
    pub(crate) tables: Tables,
    pub(crate) tap: Option<WireTap>,
    pub(crate) files: UsedFiles,
    /// The thread that introduced the engines, with the engines of the first game.
    pub(crate) first: Option<WorkerThread>,
}

#[derive(Clone, Debug)]
pub(crate) enum Tables {
    /// The tablebases have not been looked at.
    Unopened,
    Open(Option<TablebaseAdjudicator>),
}

impl RunPlan {
    /// Checks a configuration, and assigns the cores of the machine.
    ///
    /// # Errors
    /// The configuration is invalid, there are too few cores for it, or an engine's book is missing.
    pub fn new(config: RunConfig) -> Result<RunPlan, RunError> {
        config.validate()?;
        if let Some(book) =
            config.engines.iter().filter_map(|engine| engine.book.as_ref()).find(|book| !book.path.is_file())
        {
            return Err(RunError::NoBook(book.path.clone()));
        }
        let cores = CorePlan::of_run(&config)?.map(Arc::new);
        let files = UsedFiles::of_run(&config);
        let config = Arc::new(config);
        Ok(RunPlan { config, cores, tables: Tables::Unopened, tap: None, files, first: None })
    }

    /// Uses tablebases that were opened for the same adjudication rules.
    #[must_use]
    pub fn with_tables(self, tables: Option<TablebaseAdjudicator>) -> RunPlan {
        RunPlan { tables: Tables::Open(tables), ..self }
    }

    /// Opens the Syzygy tablebases unless they are open. May return a [complaint](TablebaseAdjudicator::complaint).
    ///
    /// # Errors
    /// A folder has no tablebases.
    pub fn open_tables(&mut self) -> Result<Option<String>, TablebaseError> {
        Ok(self.tables.open(&self.config)?.and_then(|tables| tables.complaint()))
    }

    /// Starts every engine once, as [`RunConfig::check_engines`] does, and records the engines' names and the files that they
    /// read. The engines of the first game may be kept for it; [`tap`](Self::tap) drops them.
    ///
    /// # Errors
    /// The [`EngineError`] of the first engine that does not get ready.
    pub fn introduce(&mut self) -> Result<Vec<EngineInfo>, EngineError> {
        let schedule = Schedule::new(&self.config);
        let first = schedule.pairing(schedule.to_play().next_from(0));
        let first = first.map_or_else(Vec::new, |pairing| vec![pairing.white, pairing.black]);
        let (introductions, thread) =
            WorkerThread::introduce(Arc::clone(&self.config), self.cores.clone(), first)?;
        self.first = Some(thread);
        let config = Arc::make_mut(&mut self.config);
        for (engine, introduction) in config.engines.iter_mut().zip(&introductions) {
            engine.version.clone_from(&introduction.name);
            engine.protocol = Some(introduction.protocol).filter(|protocol| *protocol != ProtocolName::Uci);
            engine.files = engine.find_files(introduction);
        }
        self.files.note_files(&self.config);
        Ok(introductions)
    }

    /// Scales the time limits to the speed of this machine, in nodes per second; [`RunConfig::scaled_by`] says of which engine.
    pub fn scale_time(&mut self, speed: f64) {
        if let Some(scale) = &mut Arc::make_mut(&mut self.config).scale {
            scale.here = Some(speed);
        }
    }

    /// Lets `tap` hear every line to and from the engines of the run.
    pub fn tap(&mut self, tap: WireTap) {
        self.tap = Some(tap);
        self.first = None;
    }

    /// Renames an engine, unless the name is taken.
    pub fn rename(&mut self, engine: usize, name: &str) {
        if self.config.engines.iter().all(|known| known.name != name) {
            name.clone_into(&mut Arc::make_mut(&mut self.config).engines[engine].name);
        }
    }

    /// Removes an option of an engine, both given by name. Returns the setting, if there was one.
    pub fn leave_out(&mut self, engine: &str, option: &str) -> Option<UciSetting> {
        let engines = &mut Arc::make_mut(&mut self.config).engines;
        let engine = engines.iter_mut().find(|known| known.name == engine)?;
        let index = engine.options.iter().position(|setting| setting.name == option)?;
        Some(engine.options.remove(index))
    }

    /// The configuration of the run.
    pub fn config(&self) -> &Arc<RunConfig> {
        &self.config
    }
}

impl Tables {
    /// The open tablebases of a run; `None` if it asks for none.
    pub(crate) fn open(
        &mut self,
        config: &RunConfig,
    ) -> Result<Option<TablebaseAdjudicator>, TablebaseError> {
        if let Tables::Open(tables) = self {
            return Ok(tables.clone());
        }
        let tables = config.adjudication.open_tables(config.variant)?;
        *self = Tables::Open(tables.clone());
        Ok(tables)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EngineConfig, SyzygyRule};

    fn config() -> RunConfig {
        RunConfig::made_up(&["a", "b"], "games = 2\nbook.path = 'x'")
    }

    #[test]
    fn games_that_cannot_be_numbered_make_no_plan() {
        let third = EngineConfig { name: "c".to_owned(), ..EngineConfig::default() };
        let engines = [config().engines, vec![third]].concat();
        let with = |games| RunPlan::new(RunConfig { games, engines: engines.clone(), ..config() });
        assert!(with(1_431_655_764).is_ok());
        let message = with(1_431_655_766).unwrap_err().to_string();
        assert!(message.starts_with("games: expected at most 4294967295 in all"), "{message}");
    }

    #[test]
    fn tables_that_are_open_are_not_looked_for_again() {
        let mut config = config();
        config.adjudication.syzygy = Some(SyzygyRule {
            folders: vec!["no/such/folder".into()],
            pieces: 5,
            ignore_50: false,
            results: crate::SyzygyResults::All,
            every_move: false,
        });
        let mut plan = RunPlan::new(config).unwrap();
        assert!(plan.open_tables().is_err());
        assert!(plan.with_tables(None).open_tables().is_ok());
    }
}
