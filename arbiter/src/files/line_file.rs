//! A file to which a program that may be killed appends lines.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom};
use std::path::Path;

use anyhow::{Context, Result, bail};
use runner::exclusive_file;

/// Opens the file at its end, or begins it, and locks it, so that two processes never write the same. Returns its lines; one
/// that was cut off is removed.
pub fn open_lines(path: &Path) -> Result<(File, String)> {
    let place = || path.display().to_string();
    let Some(mut file) = exclusive_file::open(path, false).with_context(place)? else {
        bail!("{}: another arbiter process is using this file", path.display())
    };
    let mut text = fs::read_to_string(path).with_context(place)?;
    text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
    file.set_len(text.len() as u64).and_then(|()| file.seek(SeekFrom::End(0))).with_context(place)?;
    Ok((file, text))
}
