//! The places in which shards exchange their reports.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, thread};

use serde::Deserialize;

use super::ShardReport;
use super::report::MOST_BYTES;
use crate::process::environment::hide_secrets;
use crate::process::{GuardedChild, shell};
use crate::record::fingerprint;
use crate::record::untrusted_files::{bounded_lines, create_draft, open_file, though_looked_at};
use crate::{PoolPlace, RunControl, StopLevel};

/// How long a command may take.
const PATIENCE: Duration = Duration::from_mins(3);

/// How long it may take once the games in progress were abandoned, and how long its output may take after its end.
const LAST_PATIENCE: Duration = Duration::from_secs(2);

/// The most that is read of an output stream, in bytes.
const MOST_READ: u64 = 16 << 20;

/// A place in which a shard leaves its report and reads the reports of all shards.
pub(super) trait Place: Debug + Send {
    /// Replaces this shard's previous line by `line`, and returns all lines that can be read: complete ones, in any
    /// order, possibly of other runs as well.
    fn exchange(&mut self, report: &ShardReport, line: &str) -> Result<Vec<String>, String>;
}

pub(super) fn open(place: &PoolPlace, control: RunControl) -> Box<dyn Place> {
    match place {
        PoolPlace::Folder(folder) => Box::new(Folder { path: folder.clone(), known: BTreeMap::new() }),
        PoolPlace::Command(command) => Box::new(ShellCommand { command: command.clone(), control }),
        PoolPlace::Pipe => Box::new(Pipe::open(control)),
    }
}

#[derive(Debug)]
struct Folder {
    path: PathBuf,
    known: BTreeMap<PathBuf, String>,
}

impl Folder {
    const ENDING: &str = "json";

    fn file_name(report: &ShardReport) -> String {
        let session = fingerprint::sha256_of_bytes(report.session.as_bytes());
        let shard = format!("{}-of-{}", report.shard.number(), report.shard.of());
        format!("{}-{shard}-{}.{}", &report.run[..12.min(report.run.len())], &session[..8], Folder::ENDING)
    }

    fn write(&self, name: &str, line: &str) -> io::Result<()> {
        fs::create_dir_all(&self.path)?;
        let path = self.path.join(name);
        let (mut file, draft) = create_draft(&path)?;
        let written = file.write_all(line.as_bytes());
        written.and_then(|()| though_looked_at(|| fs::rename(&draft, &path))).inspect_err(|_| {
            let _ = fs::remove_file(&draft);
        })
    }

    fn read(&mut self) -> io::Result<Vec<String>> {
        for entry in fs::read_dir(&self.path)? {
            let path = entry?.path();
            let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
            if is_hidden || path.extension().is_none_or(|ending| ending != Folder::ENDING) {
                continue;
            }
            let line = open_file(&path).ok().and_then(|file| bounded_lines(file, MOST_BYTES + 1).next());
            // A file may be read while it is being copied; the next read gets all of it. Overlong lines are reported.
            if let Some(line) = line.filter(|line| line.len() > MOST_BYTES || is_whole(line)) {
                self.known.insert(path, line);
            }
        }
        Ok(self.known.values().cloned().collect())
    }
}

fn is_whole(line: &str) -> bool {
    serde_json::from_str::<ShardReport>(line).is_ok()
}

impl Place for Folder {
    fn exchange(&mut self, report: &ShardReport, line: &str) -> Result<Vec<String>, String> {
        let name = Folder::file_name(report);
        let done = self.write(&name, line).and_then(|()| self.read());
        done.map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

/// A command that is started for each exchange.
#[derive(Debug)]
struct ShellCommand {
    command: String,
    control: RunControl,
}

impl ShellCommand {
    fn talk(&self, line: &str) -> Result<Vec<String>, String> {
        let mut command = shell(&self.command);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut guarded = GuardedChild::spawn(piped).map_err(|error| error.to_string())?;
        let child = &mut guarded.child;
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let line = format!("{line}\n");
        // The command may end without reading its input.
        thread::spawn(move || input.map(|mut input| input.write_all(line.as_bytes())));
        let [output, errors] = [output.map(read_all), errors.map(read_all)];
        let start = Instant::now();
        let is_enough = || {
            let is_abandoned = self.control.level() == StopLevel::Abandon;
            start.elapsed() >= if is_abandoned { LAST_PATIENCE } else { PATIENCE }
        };
        let ended = guarded.wait_until(is_enough).map_err(|error| error.to_string())?;
        drop(guarded);
        let Some(status) = ended else {
            return Err(format!("no end after {} s", start.elapsed().as_secs()));
        };
        // A process that it left running may keep its output open.
        let text = |reader: Option<Receiver<String>>| {
            reader.and_then(|reader| reader.recv_timeout(LAST_PATIENCE).ok()).unwrap_or_default()
        };
        let (output, errors) = (text(output), text(errors));
        if !status.success() {
            let last = errors.lines().last().unwrap_or("no error output");
            return Err(format!("{status}: {last}"));
        }
        Ok(output.lines().map(str::to_owned).collect())
    }
}

fn read_all(source: impl Read + Send + 'static) -> Receiver<String> {
    let (read, text) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = source.take(MOST_READ).read_to_end(&mut bytes);
        let _ = read.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    text
}

impl Place for ShellCommand {
    fn exchange(&mut self, _: &ShardReport, line: &str) -> Result<Vec<String>, String> {
        // The error goes into the journal, so secrets are hidden.
        self.talk(line).map_err(|error| format!("--pool-by: {}", hide_secrets(&error, &self.command)))
    }
}

/// Standard output and standard input, whose other ends carry lines to the other shards. The input may contain orders as
/// well. When it ends, the parent process has gone, and the run ends with the games in progress.
#[derive(Debug)]
struct Pipe {
    last: Arc<Mutex<BTreeMap<(String, String), String>>>,
}

/// A line of the input that is an order.
#[derive(Debug, Deserialize)]
struct Order {
    order: String,
}

impl Pipe {
    fn open(control: RunControl) -> Pipe {
        let last = Arc::new(Mutex::new(BTreeMap::new()));
        let read = Arc::clone(&last);
        thread::spawn(move || {
            for line in bounded_lines(io::stdin(), MOST_BYTES + 1) {
                if let Ok(Order { order }) = serde_json::from_str(&line) {
                    match &order[..] {
                        "pause" => control.pause(),
                        "resume" => control.resume(),
                        "stop" => drop(control.raise(StopLevel::Finish)),
                        "abandon" => drop(control.raise(StopLevel::Abandon)),
                        _ => {}
                    }
                } else if let Ok(report) = serde_json::from_str::<ShardReport>(&line) {
                    let key = (report.shard.to_string(), report.session);
                    read.lock().unwrap_or_else(PoisonError::into_inner).insert(key, line);
                }
            }
            control.raise(StopLevel::Finish);
        });
        Pipe { last }
    }
}

impl Place for Pipe {
    fn exchange(&mut self, _: &ShardReport, line: &str) -> Result<Vec<String>, String> {
        let mut output = io::stdout().lock();
        writeln!(output, "{line}").and_then(|()| output.flush()).map_err(|error| error.to_string())?;
        Ok(self.last.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::link::tests::report;
    use super::*;

    #[test]
    fn a_folder_has_the_last_whole_line_of_each() {
        let place = tempfile::tempdir().unwrap();
        let mut folders = [1, 2].map(|_| Folder { path: place.path().join("pool"), known: BTreeMap::new() });
        let line = |shard: &str, games| serde_json::to_string(&report(shard, games)).unwrap();
        let mut tell = |who: usize, shard: &str, games| {
            folders[who].exchange(&report(shard, games), &line(shard, games)).unwrap()
        };
        assert_eq!(tell(0, "1/2", 4), [line("1/2", 4)]);
        assert_eq!(tell(1, "2/2", 2), [line("1/2", 4), line("2/2", 2)]);
        let file = Folder::file_name(&report("2/2", 2));
        fs::write(place.path().join("pool").join(file), "{\"schema\":1,\"ru").unwrap();
        assert_eq!(tell(0, "1/2", 6), [line("1/2", 6)], "a torn file that was never whole");
        assert_eq!(tell(1, "2/2", 8), [line("1/2", 6), line("2/2", 8)]);
    }

    #[cfg(unix)]
    #[test]
    fn what_others_put_in_place_of_a_file_is_neither_followed_nor_waited_for() {
        let place = tempfile::tempdir().unwrap();
        let pool = place.path().join("pool");
        let precious = place.path().join("precious");
        fs::create_dir(&pool).unwrap();
        fs::write(&precious, "mine").unwrap();
        let name = Folder::file_name(&report("1/2", 4));
        std::os::unix::fs::symlink(&precious, pool.join(&name)).unwrap();
        std::os::unix::fs::symlink(&precious, pool.join(format!(".{name}.new"))).unwrap();
        let made = std::process::Command::new("mkfifo").arg(pool.join("pipe.json")).status().unwrap();
        assert!(made.success());
        let line = serde_json::to_string(&report("1/2", 4)).unwrap();
        let mut folder = Folder { path: pool.clone(), known: BTreeMap::new() };
        assert_eq!(folder.exchange(&report("1/2", 4), &line).unwrap(), [line]);
        assert_eq!(fs::read_to_string(precious).unwrap(), "mine");
        assert_eq!(fs::read_dir(pool).unwrap().count(), 3, "no draft is left");
    }

    #[cfg(unix)]
    #[test]
    fn a_command_gets_the_line_and_its_failure_is_told() {
        let talk = |command: &str| {
            let (command, control) = (command.to_owned(), RunControl::new(1));
            ShellCommand { command, control }.exchange(&report("1/2", 4), "mine")
        };
        assert_eq!(talk("cat; echo theirs").unwrap(), ["mine", "theirs"]);
        let error = talk("echo 'no network' >&2; exit 3").unwrap_err();
        assert!(error.contains("exit status: 3") && error.contains("no network"), "{error}");
        let error = talk("echo 'refused: Bearer ghp_16C7e42F292c6912E7' >&2; exit 1").unwrap_err();
        assert!(error.contains("refused: Bearer …") && !error.contains("ghp_"), "{error}");
        // A child in its own session keeps the output open.
        assert_eq!(talk("setsid sleep 60 & cat").unwrap(), Vec::<String>::new());
    }
}
