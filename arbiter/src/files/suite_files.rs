//! Perft and tactics suites: files that the user names, or shipped ones.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::file_record;
use crate::cli::console;
use crate::text::listed;
use crate::text::number_text::{counted, thousands};
use referee::openings::{Skipped, read_unpacked};

/// The default tactics suites; they take about a minute.
const DEFAULT_TACTICS: [&str; 2] = ["tarrasch.epd", "classics.epd"];

const MOST_OPCODES: usize = 5;

/// The positions of a file, and the oddities found in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite<P> {
    pub name: String,
    /// The SHA-256 of the text, in hexadecimal.
    pub sha256: String,
    pub positions: Vec<P>,
    /// Lines that cannot be used.
    pub skipped: Skipped,
    /// Lines that are not correct EPD, but were read.
    pub mended: Skipped,
    /// The number of occurrences of each EPD operation that is not understood.
    pub unknown: BTreeMap<String, usize>,
    /// Positions that are used, although no game can reach them.
    pub unreachable: Skipped,
}

impl<P> Suite<P> {
    /// A suite without positions.
    pub fn of_text(name: &str, text: &str) -> Suite<P> {
        let sha256 = file_record::sha256_of_bytes(text.as_bytes());
        Suite {
            name: name.to_owned(),
            sha256,
            positions: Vec::new(),
            skipped: Skipped::default(),
            mended: Skipped::default(),
            unknown: BTreeMap::new(),
            unreachable: Skipped::default(),
        }
    }

    /// Refuses a suite without positions.
    pub fn checked(self) -> Result<Suite<P>> {
        let skipped = self.skipped.beside(self.positions.len())?;
        if self.positions.is_empty() {
            bail!("{}: expected at least one position, found none", self.name);
        }
        Ok(Suite { skipped, ..self })
    }
}

/// Reads suites of a kind (`perft`, `speed` or `tactics`), and warns of oddities in them. `named` are files or names of
/// shipped suites; if it is empty, all shipped suites are read, but for tactics only those that take about a minute.
pub fn parse<P>(
    kind: &str,
    named: &[PathBuf],
    parser: impl Fn(&str, &str) -> Result<Suite<P>>,
) -> Result<Vec<Suite<P>>> {
    let default: Vec<PathBuf> = match kind {
        "tactics" => DEFAULT_TACTICS.map(PathBuf::from).to_vec(),
        _ => suites::names(kind).into_iter().map(PathBuf::from).collect(),
    };
    let paths = if named.is_empty() { &default } else { named };
    let texts = paths.iter().map(|path| read_one(kind, path)).collect::<Result<Vec<_>>>()?;
    let parsed = |(name, text): (String, String)| {
        let suite = parser(&name, &text)?;
        console::warn_of_skipped(&name, "position", &suite.skipped);
        console::warn_of_each(&name, "line", "not as EPD should be, but read", &suite.mended);
        if !suite.unknown.is_empty() {
            let named = suite
                .unknown
                .iter()
                .map(|(opcode, count)| format!("{} `{opcode}`", thousands(*count as u64)));
            let named = listed(&named.collect::<Vec<_>>(), MOST_OPCODES);
            console::note(&format!(
                "warning: {name}: operations that are not understood, and not used: {named}"
            ));
        }
        console::note_unreachable(&name, &suite.unreachable);
        Ok(suite)
    };
    texts.into_iter().map(parsed).collect()
}

/// With `is_strict`, refuses suites of which something was skipped.
pub fn refuse_skipped<P>(is_strict: bool, suites: &[Suite<P>]) -> Result<()> {
    match suites.iter().map(|suite| &suite.skipped).find(|skipped| is_strict && skipped.count > 0) {
        Some(skipped) => bail!(
            "--strict: expected positions that can all be played, found {} to skip; {}",
            skipped.count,
            skipped.first[0]
        ),
        None => Ok(()),
    }
}

fn read_one(kind: &str, path: &Path) -> Result<(String, String)> {
    let name = path.display().to_string();
    if path.is_file() {
        let bytes = read_unpacked(path).with_context(|| name.clone())?;
        let text = decode(&name, &bytes)?;
        return Ok((name, text));
    }
    match path.to_str().and_then(|file| suites::suite(kind, file)) {
        Some(text) => Ok((name, text.to_owned())),
        None => {
            bail!("--suite {name}: expected a file, or a shipped suite: {}", suites::names(kind).join(", "))
        }
    }
}

/// Decodes the bytes of a suite, without a UTF-8 byte order mark. Warns of lines with zero bytes, which some programs
/// write, and of lines that are not UTF-8, as with names in old collections; `name` is for messages.
fn decode(name: &str, bytes: &[u8]) -> Result<String> {
    if matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
        let [first, second] = [bytes[0], bytes[1]];
        bail!(
            "{name}:1: expected UTF-8 text, found UTF-16 (byte order mark {first:02X} {second:02X}); save it as UTF-8"
        );
    }
    // In UTF-16, nearly every letter has a zero byte.
    if 3 * (bytes.split(|byte| *byte == 0).count() - 1) > bytes.len() {
        bail!("{name}: expected UTF-8 text, found zero bytes, as in UTF-16; save it as UTF-8");
    }
    let count =
        |is_odd: fn(&[u8]) -> bool| bytes.split(|byte| *byte == b'\n').filter(|line| is_odd(line)).count();
    console::warn_of_zeros(name, count(|line| line.contains(&0)));
    let others = count(|line| str::from_utf8(line).is_err());
    if others > 0 {
        let lines = counted(others as u64, "line");
        console::note(&format!("warning: {name}: {lines} not in UTF-8; some letters of names are lost"));
    }
    let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    Ok(text.replace('\0', " "))
}
