//! A folder to run the program in, with a book and engines but nothing of the user's; and what a run has left there.

use std::collections::BTreeSet;
use std::fs;
use std::io;
#[cfg(windows)]
use std::os::windows::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use runner::{Event, JOURNAL_FILE, Journal};
use tempfile::TempDir;

#[cfg(windows)]
use crate::processes::Processes;
use crate::programs::{MOCK_ENGINE, example};

/// Tarrasch, as cargo builds it for the tests.
pub const TARRASCH: &str = example!("tarrasch");

pub const ARBITER: &str = env!("CARGO_BIN_EXE_arbiter");

/// Only a hung program takes this long.
pub const PATIENCE: Duration = Duration::from_mins(5);

const BOOK: &str = "\
# A small book.
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
";

/// The folder, with `book.epd` and the manifests of the requested mock engines.
pub struct Workbench {
    folder: TempDir,
    /// The processes started in the folder.
    #[cfg(windows)]
    processes: Processes,
}

impl Default for Workbench {
    fn default() -> Workbench {
        Workbench::new()
    }
}

impl Workbench {
    pub fn new() -> Workbench {
        let bench = Workbench {
            folder: TempDir::new().unwrap(),
            #[cfg(windows)]
            processes: Processes::default(),
        };
        bench.write("book.epd", BOOK);
        bench
    }

    /// A folder with a book, and with a manifest for each of these mock engines, named after its behaviour.
    pub fn with_mocks(behaviours: &[&str]) -> Workbench {
        let bench = Workbench::new();
        for behaviour in behaviours {
            bench.add_mock(behaviour);
        }
        bench
    }

    pub fn add_mock(&self, behaviour: &str) {
        let manifest = format!("name = '{behaviour}'\ncommand = '{MOCK_ENGINE}'\nargs = ['{behaviour}']\n");
        self.write(&format!("engines/{behaviour}/engine.toml"), &manifest);
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    pub fn write(&self, file: &str, text: &str) {
        self.make_room(file);
        fs::write(self.path(file), text).unwrap();
    }

    /// Creates the folder of a file.
    pub fn make_room(&self, file: &str) {
        fs::create_dir_all(self.path(file).parent().unwrap()).unwrap();
    }

    /// Copies the mock engine to this path, plus the suffix of executables.
    pub fn place_engine(&self, file: &str) {
        let path = self.path(&format!("{file}{}", std::env::consts::EXE_SUFFIX));
        self.make_room(file);
        fs::copy(MOCK_ENGINE, path).unwrap();
    }

    /// Writes a shell script that speaks UCI and runs this command on `go`.
    pub fn write_script(&self, file: &str, go: &str) {
        let script = format!(
            "#!/bin/sh\nwhile read -r line; do\n  case $line in\n    uci) echo uciok ;;\n    isready) echo readyok ;;\n    \
             go*) {go} ;;\n    quit) exit ;;\n  esac\ndone\n"
        );
        self.write_program(file, &script);
    }

    pub fn write_program(&self, file: &str, script: &str) {
        self.write(file, script);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(self.path(file), fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    /// Every file and folder below the folder, except those that vanish meanwhile.
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

    pub fn run(&self, words: &[&str]) -> Finished {
        let mut command = Command::from_std(self.command(words));
        Finished(command.timeout(PATIENCE).output().unwrap())
    }

    #[cfg(unix)]
    pub fn run_with_input(&self, words: &[&str], input: &str) -> Finished {
        let mut command = Command::from_std(self.command(words));
        Finished(command.timeout(PATIENCE).write_stdin(input).output().unwrap())
    }

    pub fn spawn(&self, words: &[&str]) -> Child {
        self.spawn_with(words, Stdio::null(), Stdio::null())
    }

    /// Starts the program with these destinations for its output.
    pub fn spawn_with(&self, words: &[&str], stdout: Stdio, stderr: Stdio) -> Child {
        let child = self.command(words).stdout(stdout).stderr(stderr).spawn().unwrap();
        #[cfg(windows)]
        self.processes.add(&child);
        child
    }

    /// The program, with the user's folders replaced by folders of the bench.
    pub fn command(&self, words: &[&str]) -> std::process::Command {
        let mut command = std::process::Command::new(ARBITER);
        command.args(words);
        // Otherwise an interrupt would reach the test process too.
        #[cfg(windows)]
        command.creation_flags(windows_sys::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP);
        self.settle(&mut command);
        command
    }

    /// Makes a command run in the folder, with the bench's environment.
    pub fn settle(&self, command: &mut std::process::Command) {
        command
            .current_dir(self.folder.path())
            .env(if cfg!(windows) { "USERPROFILE" } else { "HOME" }, self.path("home"))
            .env(if cfg!(windows) { "APPDATA" } else { "XDG_CONFIG_HOME" }, self.path("configuration"))
            .env(if cfg!(windows) { "LOCALAPPDATA" } else { "XDG_CACHE_HOME" }, self.path("cache"))
            // The tests' sites run on this machine.
            .env("no_proxy", "127.0.0.1")
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("OPENBENCH_USERNAME")
            .env_remove("OPENBENCH_PASSWORD")
            // Tests in a GitHub job must not write to the job's summary.
            .env_remove("GITHUB_STEP_SUMMARY");
    }

    /// The number of processes that stay in the folder, such as abandoned engines. A killed process may take a moment to
    /// go.
    #[cfg(any(target_os = "linux", windows))]
    pub fn processes(&self) -> usize {
        let patience = Instant::now() + Duration::from_secs(10);
        while self.processes_now() > 0 && Instant::now() < patience {
            thread::sleep(Duration::from_millis(20));
        }
        self.processes_now()
    }

    /// The number of processes that run in the folder now, our own programs included.
    #[cfg(target_os = "linux")]
    pub fn processes_now(&self) -> usize {
        let folder = self.folder.path().canonicalize().unwrap();
        let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
        processes
            .filter(|process| fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == folder))
            .count()
    }

    /// The number of running processes that [`Workbench::spawn`] has started, and of their children.
    #[cfg(windows)]
    pub fn processes_now(&self) -> usize {
        self.processes.count()
    }
}

pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "still waiting: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

pub struct Finished(Output);

impl Finished {
    pub fn of(output: Output) -> Finished {
        Finished(output)
    }

    /// The exit code; `None` if a signal ended the program.
    pub fn code(&self) -> Option<i32> {
        self.0.status.code()
    }

    pub fn stdout(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).unwrap()
    }

    /// The error output, with forward slashes in paths.
    pub fn stderr(&self) -> String {
        slashed(&String::from_utf8(self.0.stderr.clone()).unwrap())
    }

    pub fn shows(self, words: &[&str]) -> Finished {
        let text = self.stdout();
        self.has(&text, words)
    }

    pub fn tells(self, words: &[&str]) -> Finished {
        let text = self.stderr();
        self.has(&text, words)
    }

    /// Checks that a text contains these words; paths may have either slash.
    fn has(self, text: &str, words: &[&str]) -> Finished {
        let text = slashed(text);
        for word in words {
            assert!(text.contains(&slashed(word)), "expected `{word}` in:\n{text}");
        }
        self
    }

    /// Checks the exit code, and shows all output if it is another.
    pub fn expect_code(self, code: i32) -> Finished {
        assert_eq!(self.code(), Some(code), "\n{}\n{}", self.stdout(), self.stderr());
        self
    }
}

pub fn slashed(text: &str) -> String {
    if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() }
}

/// The complete events of the journal, even while it is being written.
pub fn events(bench: &Workbench, run: &str) -> Vec<Event> {
    Journal::read(&bench.path(run).join(JOURNAL_FILE)).unwrap_or_default()
}

/// The numbers of the games with results in the journal, in the order in which they ended.
pub fn journalled(bench: &Workbench, run: &str) -> Vec<u32> {
    let game = |event: Event| match event {
        Event::GameFinished(record) if record.is_counted() => Some(record.game),
        _ => None,
    };
    events(bench, run).into_iter().filter_map(game).collect()
}

/// The number of games in a run's PGN.
pub fn games(bench: &Workbench, run: &str) -> usize {
    bench.read(&format!("{run}/games.pgn")).matches("[Result ").count()
}
