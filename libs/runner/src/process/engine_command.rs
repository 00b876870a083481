//! The command that starts an engine.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::Stdio;

use cpu_clock::Way;
use tokio::process::{Child, Command};

use super::ClockKind;
#[cfg(target_os = "linux")]
use super::batch_scheduling::schedule_as_usual;
#[cfg(target_os = "linux")]
use super::file_limit::restore_file_limit;
use super::process_reaper::{EngineMark, VARIABLE};
use crate::EngineConfig;

impl EngineConfig {
    /// Starts the program as leader of its own process group, so that it can be killed with all its children and does not get
    /// the signals of this terminal.
    ///
    /// On Linux the engine is killed when the thread that calls this ends, for any reason, including `kill -9`. The mark goes
    /// into the engine's environment, which its children inherit. If `held` is given, that file is started instead of the
    /// program, under its name.
    pub(super) fn spawn(
        &self,
        clock: ClockKind,
        held: Option<&Path>,
        mark: &EngineMark,
    ) -> io::Result<Child> {
        let file = held.unwrap_or(&self.program);
        let mut command = Command::new(file);
        command.env_clear().envs(self.environment()).env(VARIABLE, &mark.text);
        command.args(&self.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        let way = (clock == ClockKind::Cpu).then(|| Way::of(file));
        match way {
            Some(Way::None(reason)) => return Err(io::Error::new(io::ErrorKind::Unsupported, reason)),
            Some(Way::Library | Way::Page) => {
                let own = self.env.get(cpu_clock::PRELOAD).map(OsString::from);
                let preloaded = own.or_else(|| std::env::var_os(cpu_clock::PRELOAD));
                command.envs(cpu_clock::environment(self.threads(), preloaded)?);
            }
            None => {}
        }
        #[cfg(unix)]
        command.arg0(&self.program).process_group(0);
        #[cfg(target_os = "linux")]
        request_after_fork(&mut command, way == Some(Way::Page));
        #[cfg(windows)]
        command.creation_flags(super::job::flags());
        let child = command.kill_on_drop(true).spawn().map_err(|error| self.explain_failed_start(error))?;
        if let (Some(Way::Page), Some(id)) = (way, child.id()) {
            cpu_clock::patch_and_release(id, self.threads())?;
        }
        Ok(child)
    }

    fn explain_failed_start(&self, error: io::Error) -> io::Error {
        let missing_dir = self.dir.as_ref().filter(|dir| !dir.is_dir());
        let reason = match (error.kind(), missing_dir) {
            (io::ErrorKind::NotFound, Some(dir)) => format!("there is no folder {}", dir.display()),
            _ if !self.program.is_file() => return error,
            (io::ErrorKind::NotFound, None) => match self.interpreter() {
                Some(name) if name.ends_with('\r') => format!(
                    "there is no interpreter `{}` with a carriage return behind its name: the script has the line \
                     ends of Windows",
                    name.trim_end()
                ),
                Some(name) => format!("the interpreter `{name}`, which the script asks for, is missing"),
                None => "the loader that it needs is missing: it was built for another system".to_owned(),
            },
            // ERROR_BAD_EXE_FORMAT and ERROR_EXE_MACHINE_TYPE_MISMATCH.
            _ if cfg!(windows) && matches!(error.raw_os_error(), Some(193 | 216)) => {
                "it is no program for this system; a script is an argument of its interpreter".to_owned()
            }
            (io::ErrorKind::PermissionDenied, _) if cfg!(unix) => {
                format!(
                    "{error}; if it is a program, make it executable: chmod +x {}",
                    self.program.display()
                )
            }
            _ => return error,
        };
        io::Error::new(error.kind(), reason)
    }

    fn interpreter(&self) -> Option<String> {
        let mut head = Vec::new();
        File::open(&self.program).ok()?.take(256).read_to_end(&mut head).ok()?;
        let line = head.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
        let line = String::from_utf8_lossy(line);
        line.trim_start().split([' ', '\t']).next().map(str::to_owned)
    }
}

/// Asks the kernel to kill the child when its parent thread ends, and gives it the normal scheduling policy, whatever policy
/// the thread that starts it has, and the file limit that this process was started with.
#[cfg(target_os = "linux")]
#[expect(
    unsafe_code,
    reason = "the requests must be made between fork and exec; each is one system call, without memory"
)]
fn request_after_fork(command: &mut Command, stops_at_start: bool) {
    use rustix::process::{Signal, set_parent_process_death_signal};

    let requests = move || {
        schedule_as_usual();
        restore_file_limit();
        if stops_at_start {
            cpu_clock::stop_at_start()?;
        }
        Ok(set_parent_process_death_signal(Some(Signal::KILL))?)
    };
    // SAFETY: the closure only makes system calls that are safe after fork: sched_setscheduler, setrlimit, prctl, ptrace.
    unsafe {
        command.pre_exec(requests);
    }
}
