//! The games of a list as a PGN file for each engine.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::list_file::{GAMES, ListFile};
use super::standing::Standing;
use crate::run::playing::file_name;
use runner::untrusted_files::create_anew;

/// Writes `engine-NAME.pgn` for each engine, with the games of all runs as they were written. Each game is in the files of
/// both players, under their present names.
pub fn write(list: &ListFile, standing: &Standing, out: &Path) -> Result<()> {
    let mut files: BTreeMap<String, (PathBuf, BufWriter<File>)> = BTreeMap::new();
    for run in &standing.runs {
        let path = run.folder.join(GAMES);
        let mut input = BufReader::new(File::open(&path).with_context(|| path.display().to_string())?);
        let mut players: Vec<String> = Vec::new();
        let (mut game, mut in_tags) = (Vec::new(), false);
        loop {
            let start = game.len();
            let is_end = input.read_until(b'\n', &mut game)? == 0;
            let line = String::from_utf8_lossy(&game[start..]).into_owned();
            // A line of a comment may begin with a bracket, too, such as `[%clk`.
            let is_tag = line.starts_with('[') && line[1..].starts_with(|c: char| c.is_ascii_alphabetic());
            if is_end || is_tag && !in_tags {
                for name in players.drain(..) {
                    if !files.contains_key(&name) {
                        let path = path_of(&name, &files, out);
                        let file = create_anew(&path).with_context(|| path.display().to_string())?;
                        files.insert(name.clone(), (path, BufWriter::new(file)));
                    }
                    files.get_mut(&name).map(|(_, file)| file.write_all(&game[..start])).transpose()?;
                }
                game.drain(..start);
            }
            if is_end {
                break;
            }
            in_tags = is_tag;
            players.extend(player(&line).map(|name| list.names.get(&name).cloned().unwrap_or(name)));
        }
    }
    for (path, mut file) in files.into_values() {
        file.flush().with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// A path that no other name has: `a b` and `a_b` would have the same.
fn path_of(name: &str, files: &BTreeMap<String, (PathBuf, BufWriter<File>)>, out: &Path) -> PathBuf {
    let plain = out.join(format!("engine-{}.pgn", file_name(name)));
    let is_taken = files.values().any(|(path, _)| *path == plain);
    if is_taken { plain.with_extension(format!("{}.pgn", files.len() + 1)) } else { plain }
}

/// The name in a line such as `[White "NAME"]`.
fn player(line: &str) -> Option<String> {
    let rest = line.strip_prefix("[White \"").or_else(|| line.strip_prefix("[Black \""))?;
    Some(rest.rsplit_once("\"]")?.0.replace("\\\"", "\"").replace("\\\\", "\\"))
}
