//! A machine that is reached by ssh, or this one.

use std::fmt;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::thread;

use anyhow::{Context, Result, bail};

/// A machine, as `ada`, `me@grace:8` with so many games at once, or `.` for this one.
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
        // ssh would take it for an option.
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
    const HERE: &str = ".";

    /// Starts a script of the shell there. Whatever ssh asks for, `~/.ssh/config` and its agent have to answer.
    pub(super) fn start(&self, script: &str) -> io::Result<Child> {
        let mut command = if self.name == Host::HERE {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        } else {
            let mut command = Command::new("ssh");
            let options = ["BatchMode=yes", "ServerAliveInterval=15", "ServerAliveCountMax=4"];
            command.args(options.iter().flat_map(|option| ["-o", option])).args(["-T", &self.name, script]);
            command
        };
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            // Ctrl-C at our terminal is ours to pass on.
            command.process_group(0);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    }

    pub(super) fn run(&self, script: &str, mut input: impl Read + Send + 'static) -> Result<Vec<u8>> {
        let of_host = || format!("machine {}", self.name);
        let mut child = self.start(script).with_context(of_host)?;
        let (pipe, errors) = (child.stdin.take(), child.stderr.take());
        let feeder = thread::spawn(move || pipe.map_or(Ok(0), |mut pipe| io::copy(&mut input, &mut pipe)));
        let errors = thread::spawn(move || {
            let mut text = String::new();
            errors.map(|mut errors| errors.read_to_string(&mut text));
            text
        });
        let output = child.wait_with_output().with_context(of_host)?;
        let fed = feeder.join().unwrap_or(Ok(0));
        if !output.status.success() {
            let errors = errors.join().unwrap_or_default();
            let last = errors.lines().last().unwrap_or("no word on its error output");
            bail!("machine {}: {}: {last}", self.name, output.status);
        }
        fed.with_context(of_host)?;
        Ok(output.stdout)
    }

    /// Brings a file there; it is in its place when it is whole.
    pub(super) fn bring(&self, contents: impl Read + Send + 'static, path: &str) -> Result<()> {
        let (folder, place) = (path.rsplit_once('/').map_or(".", |(folder, _)| folder), quoted(path));
        let (folder, draft) = (quoted(folder), quoted(&format!("{path}.new")));
        let script =
            format!("set -e; mkdir -p {folder}; cat > {draft}; chmod 755 {draft}; mv {draft} {place}");
        self.run(&script, contents).map(drop)
    }
}

pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn what_is_brought_is_there_whatever_its_name_and_a_failure_has_the_last_word() {
        let (place, here) = (tempfile::tempdir().unwrap(), ".".parse::<Host>().unwrap());
        let path = place.path().join("it's/a file").display().to_string();
        here.bring(&b"text"[..], &path).unwrap();
        assert_eq!(here.run(&format!("cat {}", quoted(&path)), io::empty()).unwrap(), b"text");
        let error = here.run("echo no >&2; exit 3", io::empty()).unwrap_err().to_string();
        assert_eq!(error, "machine .: exit status: 3: no");
    }
}
