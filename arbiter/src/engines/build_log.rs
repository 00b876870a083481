//! The output of a build: saved in a file, and its last lines shown when the build fails.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};

use runner::process::{run_guarded, shell};

/// Number of last lines shown of a failed build.
const LINES_SHOWN: usize = 20;

/// Bytes read from the end of a log for these lines.
const BYTES_SHOWN: u64 = 16 * 1024;

/// Runs a manifest's build command in a folder and writes its output to the file `log`. `environment` is added to ours.
///
/// # Errors
/// The command fails; the message has its last lines and the path of the log.
pub fn run_build(
    command: &str,
    environment: &BTreeMap<&'static str, PathBuf>,
    folder: &Path,
    log: &Path,
) -> Result<()> {
    if let Some(parent) = log.parent() {
        fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
    }
    let file = File::create(log).with_context(|| log.display().to_string())?;
    // Both streams go to one file, in the order of writing. Without input, a build that asks a question ends at once.
    let mut job = shell(command);
    job.current_dir(folder).envs(environment).stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
    let ended = run_guarded(&mut job, None)
        .with_context(|| format!("{}: cannot start the build `{command}`", folder.display()))?;
    let Some(status) = ended.filter(|status| !status.success()) else { return Ok(()) };
    let end = end_of(log);
    // The output follows on lines of its own, so that the first line says what happened.
    bail!(
        "{}: the build `{command}` failed with {status}; its log is {}\n{end}",
        folder.display(),
        log.display()
    );
}

/// The last lines of a log.
fn end_of(log: &Path) -> String {
    let mut text = Vec::new();
    let read = File::open(log).and_then(|mut file| {
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(BYTES_SHOWN)))?;
        file.read_to_end(&mut text)
    });
    if read.is_ok() { last_lines(&text, LINES_SHOWN) } else { String::new() }
}

/// The last lines of a text.
pub fn last_lines(text: &[u8], count: usize) -> String {
    let text = String::from_utf8_lossy(text);
    let lines: Vec<&str> = text.trim_end().lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_those_before_the_blank_end() {
        assert_eq!(last_lines(b"a\nb\nc\n\n", 2), "b\nc");
        assert_eq!(last_lines(b"", 2), "");
    }
}
