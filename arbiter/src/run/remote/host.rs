//! A machine that is reached by ssh, or this machine.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::num::NonZeroUsize;
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use runner::untrusted_files::bounded_lines;

/// A machine, written `ada`, `me@grace:8` (with the number of concurrent games), or `.` for this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    pub name: String,
    pub concurrency: Option<NonZeroUsize>,
}

impl FromStr for Host {
    type Err = String;

    fn from_str(text: &str) -> Result<Host, String> {
        let (name, concurrency) = match text.rsplit_once(':') {
            Some((name, games)) => match games.parse() {
                Ok(games) => (name, Some(games)),
                Err(_) => return Err(format!("expected HOST or HOST:GAMES_AT_ONCE, found `{text}`")),
            },
            None => (text, None),
        };
        // ssh would take the name for an option.
        if name.is_empty() || name.starts_with('-') || name.contains(char::is_whitespace) {
            return Err(format!("expected the name of a machine as ssh knows it, found `{text}`"));
        }
        Ok(Host { name: name.to_owned(), concurrency })
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.concurrency {
            Some(games) => write!(f, "{}:{games}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

impl Host {
    /// The name of this machine.
    pub(super) const HERE: &str = ".";

    /// Starts a shell script on the machine. `~/.ssh/config` and the ssh agent must answer everything that ssh asks for.
    pub(super) fn start(&self, script: &str) -> io::Result<Child> {
        let mut command = if self.name == Host::HERE {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        } else {
            let mut command = Command::new("ssh");
            let options = ["BatchMode=yes", "ServerAliveInterval=15", "ServerAliveCountMax=4"];
            // The user's login shell may be any shell.
            let script = format!("exec sh -c {}", quoted(script));
            command.args(options.iter().flat_map(|option| ["-o", option])).args(["-T", &self.name, &script]);
            command
        };
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            // This process handles Ctrl-C and passes it on.
            command.process_group(0);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    }

    /// Runs a script on the machine and passes its output to `take`, starting after a random line, so that the output
    /// of the shell's profile is skipped. Kills the script when `is_stopped` returns true.
    pub(super) fn talk<T: Send>(
        &self,
        script: &str,
        mut input: impl Read + Send + 'static,
        is_stopped: impl Fn() -> bool,
        take: impl FnOnce(&mut dyn BufRead) -> Result<T> + Send,
    ) -> Result<T> {
        let of_host = || format!("machine {}", self.name);
        let mark = format!("arbiter-{:016x}", rand::random::<u64>());
        let mut child = self.start(&format!("echo; echo {mark}; {script}")).with_context(of_host)?;
        let (pipe, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let feeder = thread::spawn(move || pipe.map_or(Ok(0), |mut pipe| io::copy(&mut input, &mut pipe)));
        let errors = thread::spawn(move || bounded_lines(errors?, LONGEST_LINE).last());
        let (taken, stopped) = thread::scope(|scope| {
            let reader = scope.spawn(|| {
                let mut output = BufReader::new(output.context("no output")?);
                pass_profile(&mut output, &mark)?;
                let taken = take(&mut output)?;
                // The script would fail if nobody read the rest.
                io::copy(&mut output, &mut io::sink())?;
                Ok(taken)
            });
            let mut stopped = false;
            while !reader.is_finished() {
                if !stopped && is_stopped() {
                    stopped = kill(&mut child);
                }
                thread::sleep(LOOK);
            }
            (reader.join().unwrap_or_else(|_| bail!("a thread panicked")), stopped)
        });
        let status = child.wait().with_context(of_host)?;
        if stopped {
            bail!("machine {}: stopped", self.name);
        }
        if !status.success() {
            let last = errors.join().ok().flatten();
            bail!("machine {}: {status}: {}", self.name, last.as_deref().unwrap_or("no error output"));
        }
        let taken = taken.with_context(of_host)?;
        feeder.join().unwrap_or(Ok(0)).with_context(of_host)?;
        Ok(taken)
    }

    /// The output of a script on the machine, at most a few megabytes.
    pub(super) fn run(&self, script: &str, is_stopped: impl Fn() -> bool) -> Result<String> {
        self.talk(script, io::empty(), is_stopped, |output| {
            let mut text = Vec::new();
            output.take(MOST_TEXT).read_to_end(&mut text)?;
            Ok(String::from_utf8_lossy(&text).into_owned())
        })
    }

    /// Copies a file to the machine. It appears under its path only once it is complete, by its SHA-256 or, if no
    /// program there computes that, its length. Several processes may copy the same file at once.
    pub(super) fn bring(
        &self,
        contents: impl Read + Send + 'static,
        path: &str,
        facts: &Facts,
        is_stopped: impl Fn() -> bool,
    ) -> Result<()> {
        let (folder, place) = (path.rsplit_once('/').map_or(".", |(folder, _)| folder), quoted(path));
        let (folder, draft) = (quoted(folder), quoted(&format!("{path}.{:016x}.new", rand::random::<u64>())));
        let (mode, is_it) = (facts.mode, facts.is_it("\"$d\""));
        let script = format!(
            "{IS_IT}set -e; mkdir -p {folder}; d={draft}; trap 'rm -f \"$d\"' EXIT; trap 'exit 1' HUP INT TERM; cat > \"$d\"; \
             {is_it} || {{ echo 'the file is incomplete' >&2; exit 1; }}; chmod {mode:o} \"$d\"; \
             sync \"$d\" 2>/dev/null || :; mv -f \"$d\" {place}"
        );
        self.talk(&script, contents, is_stopped, |_| Ok(()))
    }
}

/// The properties that a file must have on a machine.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) sha256: String,
    pub(super) length: u64,
    pub(super) mode: u32,
}

impl Facts {
    /// A shell command that succeeds if the file has these properties; it must come after [`IS_IT`].
    pub(super) fn is_it(&self, quoted: &str) -> String {
        format!("is_it {quoted} {} {}", self.sha256, self.length)
    }
}

/// A shell function that checks whether a file has this SHA-256 or, if no program computes it, this length.
pub(super) const IS_IT: &str = "is_it() { [ -f \"$1\" ] || return 1; \
    s=$({ sha256sum \"$1\" || shasum -a 256 \"$1\"; } 2>/dev/null | cut -c 1-64); \
    if [ -n \"$s\" ]; then [ \"$s\" = \"$2\" ]; else [ $(wc -c < \"$1\") -eq \"$3\" ]; fi; }; ";

/// The maximum length of a line from a machine; the rest of a longer line is dropped.
pub(super) const LONGEST_LINE: usize = 256 << 10;

const MOST_TEXT: u64 = 4 << 20;

const LOOK: Duration = Duration::from_millis(20);

/// Skips what the shell's profile prints before the script begins.
fn pass_profile(output: &mut impl BufRead, mark: &str) -> Result<()> {
    let (mut line, mut left) = (Vec::new(), MOST_TEXT);
    while line != format!("{mark}\n").as_bytes() {
        line.clear();
        let read = output.by_ref().take(left).read_until(b'\n', &mut line)?;
        left -= read as u64;
        if read == 0 {
            bail!("no answer; the output of its shell's profile may be in the way");
        }
    }
    Ok(())
}

/// Kills a process and its children on this machine.
fn kill(child: &mut Child) -> bool {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        kill_process_group(Pid::from_child(child), Signal::KILL).is_ok()
    }
    #[cfg(not(unix))]
    child.kill().is_ok()
}

pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    #[cfg(unix)]
    use crate::files::file_record;

    #[test]
    fn a_machine_may_say_how_many_games_it_plays() {
        for text in ["ada", "me@grace:8", "."] {
            assert_eq!(text.parse::<Host>().unwrap().to_string(), text);
        }
        for wrong in ["", ":8", "ada:", "ada:x", "ada:0", "-oProxyCommand=x", "a b"] {
            assert!(wrong.parse::<Host>().is_err(), "{wrong}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_stream_that_is_stopped_ends_and_one_without_lines_is_bounded() {
        let here = ".".parse::<Host>().unwrap();
        let began = std::time::Instant::now();
        let stop = || began.elapsed().as_millis() > 50;
        let error = here.talk("sleep 1000", io::empty(), stop, |_| Ok(())).unwrap_err().to_string();
        assert_eq!(error, "machine .: stopped");
        let text = here.run("head -c 9000000 /dev/zero", || false).unwrap();
        assert_eq!(text.len() as u64, MOST_TEXT);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_brought_is_there_whatever_its_name_and_a_failure_has_the_last_word() {
        let (place, here) = (tempfile::tempdir().unwrap(), ".".parse::<Host>().unwrap());
        let path = place.path().join("it's/a file").display().to_string();
        let facts = Facts { sha256: file_record::sha256_of_bytes(b"text"), length: 4, mode: 0o600 };
        here.bring(&b"text"[..], &path, &facts, || false).unwrap();
        assert_eq!(here.run(&format!("cat {}", quoted(&path)), || false).unwrap(), "text");
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let error = here.run("echo no >&2; exit 3", || false).unwrap_err().to_string();
        assert_eq!(error, "machine .: exit status: 3: no");
        // A file that was cut off does not replace the old one, and leaves nothing behind.
        let error = here.bring(&b"tex"[..], &path, &facts, || false).unwrap_err().to_string();
        assert!(error.ends_with("the file is incomplete"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), b"text");
        assert_eq!(std::fs::read_dir(place.path().join("it's")).unwrap().count(), 1);
    }
}
