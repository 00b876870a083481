//! Creates files and folders for a command's results, without overwriting anything.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use jiff::tz::TimeZone;
use runner::exclusive_file;
use runner::untrusted_files::create_draft;

use super::atomic_file::rename_durably;
use crate::cli::console;

/// A new file that appears only once it is complete; it must not exist yet. Until it is finished, its contents are in a
/// draft beside it, which is removed with this value.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    draft: PathBuf,
    file: File,
}

impl NewFile {
    /// Checks that the file can be written, before the work whose result it will hold.
    pub fn reserve(path: &Path) -> Result<NewFile> {
        refuse_existing(path)?;
        let (file, draft) = create_draft(path).with_context(|| path.display().to_string())?;
        Ok(NewFile { path: path.to_owned(), draft, file })
    }

    pub fn finish(self, contents: impl AsRef<[u8]>) -> Result<()> {
        let mut file = self.open()?;
        file.write_all(contents.as_ref()).with_context(|| self.path.display().to_string())?;
        self.finish_opened(file)
    }

    pub fn open(&self) -> Result<BufWriter<File>> {
        let file = self.file.try_clone().with_context(|| self.path.display().to_string())?;
        Ok(BufWriter::new(file))
    }

    pub fn finish_opened(self, mut file: BufWriter<File>) -> Result<()> {
        let synced = file.flush().and_then(|()| file.get_ref().sync_all());
        synced.with_context(|| self.path.display().to_string())?;
        refuse_existing(&self.path)?;
        rename_durably(&self.draft, &self.path).with_context(|| self.path.display().to_string())
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // A finished file has no draft any more.
        let _ = fs::remove_file(&self.draft);
    }
}

fn refuse_existing(path: &Path) -> Result<()> {
    if path.exists() {
        bail!("{}: expected a new file, found one that exists", path.display());
    }
    Ok(())
}

/// Creates a file that grows during the work and must not exist yet; `option` is the option that named it, for the message.
pub fn create(option: &str, path: &Path) -> Result<File> {
    File::create_new(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            anyhow!("{option} {}: the file exists; choose another, or move it away", path.display())
        }
        _ => anyhow!("{option} {}: {error}", path.display()),
    })
}

/// Opens or creates a file of lines for appending, and locks it so that two processes never write to it. Returns its
/// complete lines; a last line that was cut off (the program was killed) is removed.
pub fn open_lines(path: &Path) -> Result<(File, String)> {
    let place = || path.display().to_string();
    let Some(mut file) = exclusive_file::open(path, false).with_context(place)? else {
        bail!("{}: another arbiter process is using this file", path.display())
    };
    let mut text = String::new();
    file.rewind().and_then(|()| file.read_to_string(&mut text)).with_context(place)?;
    text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
    file.set_len(text.len() as u64).and_then(|()| file.seek(SeekFrom::End(0))).with_context(place)?;
    Ok((file, text))
}

pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

const RESULTS: &str = "results";

const IGNORE: &str = "# Runs of Arbiter, which git ignores until you keep one: git add -f results/NAME. \
                      Arbiter makes this file with the folder, and no more.\n*\n";

/// Creates a folder and its parents. If `results` is new, git is told to ignore it; an existing one is left alone.
pub fn create_folder(path: &Path) -> io::Result<()> {
    if path.starts_with(RESULTS) && fs::create_dir(RESULTS).is_ok() {
        fs::write(Path::new(RESULTS).join(".gitignore"), IGNORE)?;
    }
    fs::create_dir_all(path)
}

/// `results/<date>-<name>`, with a number appended if that exists.
pub fn below_results(name: &str) -> PathBuf {
    let base = format!("{}-{name}", runner::now().to_zoned(TimeZone::system()).date());
    let mut path = PathBuf::from(RESULTS).join(&base);
    for number in 2.. {
        if !path.exists() {
            break;
        }
        path.set_file_name(format!("{base}-{number}"));
    }
    path
}

/// The word for the newest run where a command expects a folder.
pub const NEWEST: &str = "newest";

/// The folder that was named, or the newest one below results/ that `is_run` accepts.
pub fn or_newest(folder: PathBuf, is_run: impl Fn(&Path) -> bool) -> Result<PathBuf> {
    if folder != Path::new(NEWEST) || folder.exists() {
        return Ok(folder);
    }
    let entries = fs::read_dir(RESULTS).into_iter().flatten().flatten();
    let runs = entries.map(|entry| entry.path()).filter(|path| is_run(path));
    let newest =
        runs.max_by_key(|path| (path.metadata().and_then(|facts| facts.modified()).ok(), path.clone()));
    let Some(newest) = newest else { bail!("found no run below {RESULTS}/; name its folder") };
    console::note(&format!("the newest run: {}", newest.display()));
    Ok(newest)
}

pub fn is_run(folder: &Path) -> bool {
    folder.join("run.toml").is_file()
}

/// Checks that the folder that the user chose for a run does not exist or is empty.
pub fn check_out(path: &Path) -> Result<()> {
    let problem = match fs::read_dir(path).map(|mut entries| entries.next().is_some()) {
        Ok(false) => return Ok(()),
        Ok(true) => {
            "the folder is not empty; choose another, or continue the run in it with `arbiter resume`"
                .to_owned()
        }
        Err(_) if path.ancestors().any(Path::is_file) => "expected a folder, found a file".to_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => error.to_string(),
    };
    bail!("--out {}: {problem}", path.display())
}
