//! A folder of its own to run the program in, with a book, engines, and nothing of the user's.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use tempfile::TempDir;

use crate::programs::{MOCK_ENGINE, example};

/// Tarrasch, as cargo builds it for the tests.
pub const TARRASCH: &str = example!("tarrasch");

const ARBITER: &str = env!("CARGO_BIN_EXE_arbiter");

/// Only a program that hangs takes so long.
pub const PATIENCE: Duration = Duration::from_mins(2);

/// Three quiet openings.
const BOOK: &str = "\
# A small book.
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
";

/// A suite for what searches positions.
pub const POSITIONS: &str = "\
# Two positions.
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - hmvc 2; fmvn 3;
";

/// The folder. It holds `book.epd` and the manifests of the mock engines that were asked for.
pub struct Workbench {
    folder: TempDir,
}

impl Workbench {
    /// A folder with a book.
    pub fn new() -> Workbench {
        let bench = Workbench { folder: TempDir::new().unwrap() };
        bench.write("book.epd", BOOK);
        bench
    }

    /// A folder with a book and a manifest for each of these mock engines, which is named as its behaviour is.
    pub fn with_mocks(behaviours: &[&str]) -> Workbench {
        let bench = Workbench::new();
        for behaviour in behaviours {
            let manifest =
                format!("name = '{behaviour}'\ncommand = '{MOCK_ENGINE}'\nargs = ['{behaviour}']\n");
            bench.write(&format!("engines/{behaviour}/engine.toml"), &manifest);
        }
        bench
    }

    /// Where a file of the folder is.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    /// Makes a file, and the folders it is in.
    pub fn write(&self, file: &str, text: &str) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Makes an engine of a shell script that speaks UCI and does this when it is told to go.
    pub fn write_script(&self, file: &str, go: &str) {
        let script = format!(
            "#!/bin/sh\nwhile read -r line; do\n  case $line in\n    uci) echo uciok ;;\n    isready) echo readyok ;;\n    \
             go*) {go} ;;\n    quit) exit ;;\n  esac\ndone\n"
        );
        self.write_program(file, &script);
    }

    /// Makes a script that can be run.
    pub fn write_program(&self, file: &str, script: &str) {
        self.write(file, script);
        fs::set_permissions(self.path(file), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The text of a file.
    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    /// Every file and folder below the folder, but for what vanishes meanwhile.
    pub fn listing(&self) -> BTreeSet<PathBuf> {
        fn collect(folder: &Path, found: &mut BTreeSet<PathBuf>) {
            for entry in still_there(fs::read_dir(folder)).into_iter().flatten() {
                let Some(entry) = still_there(entry) else { continue };
                let Some(kind) = still_there(entry.file_type()) else { continue };
                if kind.is_dir() {
                    collect(&entry.path(), found);
                }
                found.insert(entry.path());
            }
        }
        fn still_there<T>(found: io::Result<T>) -> Option<T> {
            let is_gone = found.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
            (!is_gone).then(|| found.unwrap())
        }
        let mut found = BTreeSet::new();
        collect(self.folder.path(), &mut found);
        found
    }

    /// Runs the program in the folder and waits for its end.
    pub fn run(&self, args: &[&str]) -> Finished {
        let mut command = Command::from_std(self.command(args));
        Finished(command.timeout(PATIENCE).output().unwrap())
    }

    /// The same with something typed into its standard input.
    pub fn run_with_input(&self, args: &[&str], input: &str) -> Finished {
        let mut command = Command::from_std(self.command(args));
        Finished(command.timeout(PATIENCE).write_stdin(input).output().unwrap())
    }

    /// Starts the program in the folder, with its output thrown away.
    pub fn spawn(&self, args: &[&str]) -> Child {
        self.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// The program with the folder in place of the user's home.
    pub fn command(&self, args: &[&str]) -> std::process::Command {
        let mut command = std::process::Command::new(ARBITER);
        command.args(args);
        self.settle(&mut command);
        command
    }

    /// Lets a command run in the folder.
    pub fn settle(&self, command: &mut std::process::Command) {
        command
            .current_dir(self.folder.path())
            .env("HOME", self.path("home"))
            .env("XDG_CONFIG_HOME", self.path("configuration"))
            .env("XDG_CACHE_HOME", self.path("cache"))
            // Sites of the tests are on this machine.
            .env("no_proxy", "127.0.0.1")
            .env_remove("OPENBENCH_USERNAME")
            .env_remove("OPENBENCH_PASSWORD")
            // A job on GitHub that runs the tests has a summary of its own.
            .env_remove("GITHUB_STEP_SUMMARY");
    }

    /// How many processes run in the folder for good: engines that were left behind. One that was killed may take a
    /// moment to go.
    #[cfg(target_os = "linux")]
    pub fn processes(&self) -> usize {
        let patience = Instant::now() + Duration::from_secs(10);
        while self.processes_now() > 0 && Instant::now() < patience {
            thread::sleep(Duration::from_millis(20));
        }
        self.processes_now()
    }

    /// How many processes run in the folder at this moment, our own programs included.
    #[cfg(target_os = "linux")]
    pub fn processes_now(&self) -> usize {
        let folder = self.folder.path().canonicalize().unwrap();
        let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
        processes
            .filter(|process| fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == folder))
            .count()
    }
}

/// What a command printed, and how it ended.
pub struct Finished(Output);

impl Finished {
    /// The output of a program that was run otherwise.
    pub fn of(output: Output) -> Finished {
        Finished(output)
    }

    /// The exit code; a signal is none.
    pub fn code(&self) -> Option<i32> {
        self.0.status.code()
    }

    /// The standard output.
    pub fn stdout(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).unwrap()
    }

    /// The standard error output.
    pub fn stderr(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).unwrap()
    }

    /// Checks the exit code, and shows everything when it is another one.
    pub fn expect_code(self, code: i32) -> Finished {
        assert_eq!(self.code(), Some(code), "\n{}\n{}", self.stdout(), self.stderr());
        self
    }
}
