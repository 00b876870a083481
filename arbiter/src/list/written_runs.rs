//! A record of the run pages of a site, so that the next `arbiter list page` writes only pages of new games.
//!
//! A page is kept if this user's Arbiter, and the same program, wrote it from the same journal, and if nobody changed it.

use std::collections::BTreeMap;
use std::env;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::list_file::{GAMES, name_of};
use super::standing::ListedRun;
use crate::files::{file_record, own_seal, write_whole};
use runner::JournalPlace;
use runner::untrusted_files::read_text;

const FILE: &str = "written.json";

/// The runs of a site.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WrittenRuns {
    /// The checksum of the program that wrote them.
    program: String,
    runs: BTreeMap<String, WrittenRun>,
}

/// What the files of a run were made from, and their checksums.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct WrittenRun {
    journal: Option<JournalPlace>,
    /// The checksum of the games that were copied.
    games: String,
    files: Vec<String>,
}

impl WrittenRuns {
    /// The runs of a site that this program wrote.
    pub fn read(site: &Path) -> WrittenRuns {
        let program = env::current_exe().ok().and_then(|program| file_record::sha256(&program).ok());
        let program = program.unwrap_or_default();
        let text = read_text(&site.join(FILE)).unwrap_or_default();
        let read = own_seal::opened(&text).and_then(|text| serde_json::from_str(text).ok());
        let is_ours = |written: &WrittenRuns| written.program == program;
        read.filter(is_ours).unwrap_or(WrittenRuns { program, runs: BTreeMap::new() })
    }

    /// Whether the site has these files of a run.
    pub fn has(&self, run: &ListedRun, written: Option<&WrittenRun>) -> bool {
        written.is_some() && self.runs.get(&name_of(&run.folder)) == written
    }

    /// Records these runs instead. If the file cannot be written, the next time is only slower.
    pub fn replace(self, runs: impl Iterator<Item = (String, Option<WrittenRun>)>, site: &Path) {
        let written =
            WrittenRuns { runs: runs.filter_map(|(name, run)| Some((name, run?))).collect(), ..self };
        let sealed = serde_json::to_string(&written).ok().and_then(|text| own_seal::sealed(&text));
        let _ = sealed.map(|text| write_whole(&site.join(FILE), text));
    }
}

impl WrittenRun {
    /// The files of a run as they are now; `None` if one of them is missing.
    pub fn of(run: &ListedRun, files: &[&Path]) -> Option<WrittenRun> {
        Some(WrittenRun {
            journal: run.place,
            games: file_record::sha256(&run.folder.join(GAMES)).ok()?,
            files: files.iter().map(|file| file_record::sha256(file).ok()).collect::<Option<_>>()?,
        })
    }
}
