//! A seal proves that this user's Arbiter wrote a file, whatever folder the file is in: it is a hash of the text and of a key
//! that only the user can read.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use etcetera::BaseStrategy;

use super::{file_record, new_file};

const BEGIN: &str = "{\"seal\":\"";
const BETWEEN: &str = "\",\n\"sealed\":";
const END: &str = "}\n";

/// A JSON text with its seal, as JSON; `None` if the user has no folder for a key.
pub fn sealed(text: &str) -> Option<String> {
    Some(format!("{BEGIN}{}{BETWEEN}{text}{END}", seal(&key()?, text)))
}

/// The text of a sealed file; `None` if the seal is not ours.
pub fn opened(file: &str) -> Option<&str> {
    let (found, text) = file.strip_prefix(BEGIN)?.strip_suffix(END)?.split_once(BETWEEN)?;
    (seal(&key()?, text) == found).then_some(text)
}

fn seal(key: &str, text: &str) -> String {
    // Hashes the text first, since anybody could extend a text that is hashed directly after the key.
    file_record::sha256_of_bytes((key.to_owned() + &file_record::sha256_of_bytes(text.as_bytes())).as_bytes())
}

/// The key of this user, which is created on first use.
fn key() -> Option<String> {
    let path = path()?;
    fs::read_to_string(&path).ok().or_else(|| make(&path)).filter(|key| key.len() == KEY_DIGITS)
}

const KEY_DIGITS: usize = 32;

fn path() -> Option<PathBuf> {
    Some(etcetera::choose_base_strategy().ok()?.cache_dir().join("arbiter").join("seal.key"))
}

fn make(path: &PathBuf) -> Option<String> {
    let key = format!("{:032x}", rand::random::<u128>());
    fs::create_dir_all(path.parent()?).ok()?;
    let draft = new_file::beside(path, &format!(".{key:.8}"));
    let mut options = fs::OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written =
        options.write(true).create_new(true).open(&draft).and_then(|mut file| file.write_all(key.as_bytes()));
    // If several processes create a key at once, the first one wins.
    let _ = written.and_then(|()| fs::hard_link(&draft, path));
    let _ = fs::remove_file(&draft);
    fs::read_to_string(path).ok()
}
