//! The files that engines are started from and read, as they were when a run began.
//!
//! Engines are started many times in a run: after a crash or a pause, or for every game. Their author may compile a new version
//! meanwhile, which must not play under the name of the old one. So before an engine is started, its files are compared with
//! their state at the start of the run, by inode, length and time, and by SHA-256 if these differ. If a program was replaced by
//! another file, as compilers and linkers do, an open handle still refers to the old file; on Linux the program is started
//! through that handle, under its usual name. This is not possible for a script, since its interpreter opens it by its path, or
//! for a file that was overwritten in place.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::config::{EngineConfig, EngineFile, RunConfig};
use crate::fingerprint::{sha256_of, sha256_of_file_or_tables};
use crate::process::{EngineError, EngineInfo};
use crate::written_files::{Stamp, is_output};
use uci::OptionKind;

/// The most programs that are held open. If any other is replaced, the run can only report it.
const MOST_HELD: usize = 64;

impl EngineConfig {
    /// The files that the engine is known to read: those named by its arguments and by its options for networks, books and
    /// tablebases, including default values. Relative paths are looked up in its folder and beside the program.
    pub(crate) fn find_files(&self, introduction: &EngineInfo) -> Vec<EngineFile> {
        let mut named: Vec<(String, PathBuf)> = Vec::new();
        if let Some(book) = &self.book {
            named.push(("its book".to_owned(), book.path.clone()));
        }
        let arguments = self.argument_files().filter(|(_, file)| file.is_file());
        named.extend(arguments.map(|(arg, file)| (format!("argument `{arg}`"), file)));
        for option in introduction.options.iter().filter(|option| is_input(&option.name)) {
            let OptionKind::String { default } = &option.kind else { continue };
            let set = self.options.iter().rev().find(|setting| option.is_named(&setting.name));
            let value = set.map_or(Some(default), |setting| setting.value.as_ref());
            let files = value.into_iter().flat_map(|value| self.files_of(value));
            named.extend(files.map(|file| (format!("option {}", option.name), file)));
        }
        named.retain(|(_, path)| !introduction.written.has(path));
        let recorded = named.into_iter().filter_map(|(role, path)| {
            let sha256 = sha256_of_file_or_tables(&path).ok()?;
            Some(EngineFile { role, path, sha256 })
        });
        recorded.collect()
    }

    /// Whether two engines are the same player, as far as can be seen: the same program, byte for byte, with the same files,
    /// started in the same way with the same options and limits. A script in another place may start another program, unless
    /// both are from one commit.
    pub fn is_same_player(&self, other: &EngineConfig) -> bool {
        let essence = |engine: &EngineConfig| EngineConfig {
            name: String::new(),
            program: PathBuf::new(),
            stderr: None,
            exclusive: None,
            version: None,
            revision: None,
            committed: None,
            from_batch: 0,
            files: engine
                .files
                .iter()
                .map(|file| EngineFile { path: PathBuf::new(), ..file.clone() })
                .collect(),
            ..engine.clone()
        };
        let is_one_commit = self.revision.is_some() && self.revision == other.revision;
        let is_one_program = || self.program == other.program || is_one_commit || !is_script(&self.program);
        let may_be = self.sha256.is_some() && self.sha256 == other.sha256 && self.options == other.options;
        may_be && essence(self) == essence(other) && is_one_program()
    }

    /// The existing files of a path or a list of paths.
    fn files_of(&self, value: &str) -> Vec<PathBuf> {
        let own = self.dir.as_deref().unwrap_or_else(|| Path::new(""));
        let beside = self.program.parent().unwrap_or_else(|| Path::new(""));
        let place =
            |path: &Path| [own, beside].map(|place| place.join(path)).into_iter().find(|it| it.exists());
        let paths = |text| std::env::split_paths(text).filter(|path| path.components().next().is_some());
        match place(Path::new(value)).filter(|_| !value.is_empty()) {
            Some(whole) => vec![whole],
            None => paths(value).filter_map(|path| place(&path)).collect(),
        }
    }
}

/// Whether the file is a script; a missing file is not.
fn is_script(program: &Path) -> bool {
    let mut head = [0; 2];
    let is_read = File::open(program).and_then(|mut file| file.read_exact(&mut head)).is_ok();
    let is_batch = program
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("bat") || end.eq_ignore_ascii_case("cmd"));
    is_batch || is_read && head == *b"#!"
}

/// Whether an option of this name tells an engine what to read.
fn is_input(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let words = ["eval", "net", "nnue", "weight", "model", "book", "syzygy", "tablebase", "bitbase", "tb"];
    words.iter().any(|word| name.contains(word)) && !is_output(&name)
}

#[derive(Clone, Debug)]
pub(crate) struct UsedFiles {
    engines: Vec<Vec<Arc<UsedFile>>>,
}

#[derive(Debug)]
struct UsedFile {
    role: String,
    path: PathBuf,
    sha256: Option<String>,
    /// The state when the run began; `None` if the file was missing.
    began: Option<Stamp>,
    /// The last state that was found to have the same content.
    known: Mutex<Option<Stamp>>,
    /// The open program, if it can be started by its handle.
    held: Option<File>,
}

impl UsedFiles {
    pub(crate) fn of_run(config: &RunConfig) -> UsedFiles {
        let engines = config.engines.iter().enumerate().map(|(index, engine)| {
            let EngineConfig { program, sha256, .. } = engine;
            let program = UsedFile::new("its program".to_owned(), program, sha256.clone());
            vec![Arc::new(if index < MOST_HELD { program.held_open() } else { program })]
        });
        let mut files = UsedFiles { engines: engines.collect() };
        files.note_files(config);
        files
    }

    /// Adds the files that the engines read beside their programs.
    pub(crate) fn note_files(&mut self, config: &RunConfig) {
        for (known, engine) in self.engines.iter_mut().zip(&config.engines) {
            known.truncate(1);
            known.extend(engine.files.iter().map(|EngineFile { role, path, sha256 }| {
                Arc::new(UsedFile::new(role.clone(), path, Some(sha256.clone())))
            }));
        }
    }

    /// The path by which an engine has to be started if another program now stands at its own.
    ///
    /// # Errors
    /// [`EngineError::Changed`] if a file of the engine is no longer what it was at the start of the run.
    pub(crate) fn way_to_start(&self, engine: usize, name: &str) -> Result<Option<PathBuf>, EngineError> {
        let mut way = None;
        for file in self.engines.get(engine).into_iter().flatten().filter(|file| !file.is_same()) {
            let UsedFile { role, path, .. } = &**file;
            way = Some(file.handle().ok_or_else(|| EngineError::Changed {
                engine: name.to_owned(),
                role: role.clone(),
                path: path.clone(),
            })?);
        }
        Ok(way)
    }
}

impl UsedFile {
    fn new(role: String, path: &Path, sha256: Option<String>) -> UsedFile {
        let began = Stamp::at(path);
        UsedFile { role, path: path.to_owned(), sha256, began, known: Mutex::new(began), held: None }
    }

    /// Holds the program open, if it can be started by its handle.
    fn held_open(self) -> UsedFile {
        let open = || {
            let mut file = File::open(&self.path).ok()?;
            let mut head = [0; 4];
            file.read_exact(&mut head).ok()?;
            (head == *b"\x7fELF").then_some(file)
        };
        UsedFile { held: if cfg!(target_os = "linux") { open() } else { None }, ..self }
    }

    /// Whether the file is the same as at the start of the run. A file that was missing then is not checked.
    fn is_same(&self) -> bool {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found = Stamp::at(&self.path);
        if self.began.is_none() || found == *known {
            return true;
        }
        let is_same = found.is_some() && self.has_same_content().unwrap_or(false);
        if is_same {
            *known = found;
        }
        is_same
    }

    fn has_same_content(&self) -> io::Result<bool> {
        let expected = match (&self.sha256, &self.held) {
            (Some(sha256), _) => sha256.clone(),
            (None, Some(held)) if self.handle().is_some() => {
                let mut held = held.try_clone()?;
                io::Seek::rewind(&mut held)?;
                sha256_of(held)?
            }
            _ => return Ok(false),
        };
        Ok(expected == sha256_of_file_or_tables(&self.path)?)
    }

    /// A path to the original file, if it is held open and was not written to.
    #[cfg(target_os = "linux")]
    fn handle(&self) -> Option<PathBuf> {
        use std::os::fd::AsRawFd;

        let held = self.held.as_ref()?;
        let is_intact = held.metadata().is_ok_and(|metadata| Some(Stamp::of(&metadata)) == self.began);
        is_intact.then(|| PathBuf::from(format!("/proc/self/fd/{}", held.as_raw_fd())))
    }

    #[cfg(not(target_os = "linux"))]
    fn handle(&self) -> Option<PathBuf> {
        None
    }
}
