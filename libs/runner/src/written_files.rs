//! The files that an engine may write, and what tells two states of a file apart.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::EngineConfig;

impl EngineConfig {
    /// The files that its arguments may name, except those with names of output options.
    pub(crate) fn argument_files(&self) -> impl Iterator<Item = (&str, PathBuf)> {
        let own = self.dir.as_deref().unwrap_or_else(|| Path::new(""));
        self.args.iter().filter_map(move |arg| {
            let (key, value) = arg.split_once('=').unwrap_or(("", arg));
            let name = Path::new(value).file_name().unwrap_or_default().to_string_lossy();
            (!is_output(key) && !is_output(&name)).then(|| (&arg[..], own.join(value)))
        })
    }

    /// The files that its arguments may name, and their state before it is started.
    pub(crate) fn before_start(&self) -> Vec<(PathBuf, Option<Stamp>)> {
        self.argument_files().map(|(_, file)| (file.clone(), Stamp::at(&file))).collect()
    }
}

/// Whether an option or an argument tells an engine what to write.
pub(crate) fn is_output(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    ["log", "learn", "experience", "save", "output", ".txt", ".pgn"].iter().any(|word| text.contains(word))
}

/// The files that an engine wrote while it was introduced. They are not input: an engine that logs or learns changes them in
/// every game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenFiles {
    /// The files that it has open for writing, by device and inode, on Linux.
    open: Vec<(u64, u64)>,
    changed: Vec<PathBuf>,
}

impl WrittenFiles {
    /// The files that an engine in these processes wrote; `before` are the files that it may write.
    pub(crate) fn of(processes: &[u32], before: Vec<(PathBuf, Option<Stamp>)>) -> WrittenFiles {
        let handles = processes.iter().flat_map(|process| fs::read_dir(format!("/proc/{process}/fd")));
        // The link of a handle has write permission if the file was opened for writing.
        let is_writable =
            |handle: &fs::DirEntry| handle.metadata().is_ok_and(|link| !link.permissions().readonly());
        let open = handles
            .flatten()
            .flatten()
            .filter(is_writable)
            .filter_map(|handle| Some(Stamp::at(&handle.path())?.place));
        let is_changed =
            |(path, stamp): (PathBuf, Option<Stamp>)| (Stamp::at(&path) != stamp).then_some(path);
        WrittenFiles { open: open.collect(), changed: before.into_iter().filter_map(is_changed).collect() }
    }

    pub(crate) fn has(&self, path: &Path) -> bool {
        let is_open = |stamp: Stamp| self.open.contains(&stamp.place);
        self.changed.iter().any(|changed| changed == path) || Stamp::at(path).is_some_and(is_open)
    }
}

/// Tells two states of a file apart without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    /// Device and inode, if the system has them.
    place: (u64, u64),
}

impl Stamp {
    pub(crate) fn at(path: &Path) -> Option<Stamp> {
        fs::metadata(path).ok().map(|metadata| Stamp::of(&metadata))
    }

    pub(crate) fn of(metadata: &Metadata) -> Stamp {
        #[cfg(unix)]
        let place = {
            use std::os::unix::fs::MetadataExt;
            (metadata.dev(), metadata.ino())
        };
        #[cfg(not(unix))]
        let place = (0, 0);
        Stamp { length: metadata.len(), modified: metadata.modified().ok(), place }
    }
}
