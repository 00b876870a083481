//! A folder to run the program in, with a book, engines, and nothing of the user's; and what a run has left in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Cursor};
use std::ops::ControlFlow;
#[cfg(windows)]
use std::os::windows::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use runner::{Event, JOURNAL_FILE, Journal};
use tempfile::TempDir;

#[cfg(windows)]
use crate::processes::Processes;
use crate::programs::{MOCK_ENGINE, example};

/// Tarrasch, as cargo builds it for the tests.
pub const TARRASCH: &str = example!("tarrasch");

pub const ARBITER: &str = env!("CARGO_BIN_EXE_arbiter");

/// Only a program that hangs takes so long.
pub const PATIENCE: Duration = Duration::from_mins(2);

const BOOK: &str = "\
# A small book.
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
";

/// What is typed behind `arbiter`: words, or one text where no word has a blank.
pub trait Line {
    fn words(&self) -> Vec<&str>;
}

impl Line for str {
    fn words(&self) -> Vec<&str> {
        self.split_whitespace().collect()
    }
}

impl Line for String {
    fn words(&self) -> Vec<&str> {
        self.as_str().words()
    }
}

impl Line for [&str] {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl<const N: usize> Line for [&str; N] {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl Line for Vec<&str> {
    fn words(&self) -> Vec<&str> {
        self.clone()
    }
}

/// The folder. It holds `book.epd` and the manifests of the mock engines that were asked for.
pub struct Workbench {
    folder: TempDir,
    /// What was started in it.
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

    /// A folder with a book and a manifest for each of these mock engines, which is named as its behaviour is.
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

    /// Makes the folder of a file.
    pub fn make_room(&self, file: &str) {
        fs::create_dir_all(self.path(file).parent().unwrap()).unwrap();
    }

    /// Puts the mock engine there; its file has the ending of programs.
    pub fn place_engine(&self, file: &str) {
        let path = self.path(&format!("{file}{}", std::env::consts::EXE_SUFFIX));
        self.make_room(file);
        fs::copy(MOCK_ENGINE, path).unwrap();
    }

    /// Makes an engine of a shell script that speaks UCI and does this when it is told to go.
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

    pub fn run(&self, line: &(impl Line + ?Sized)) -> Finished {
        let mut command = Command::from_std(self.command(line));
        Finished(command.timeout(PATIENCE).output().unwrap())
    }

    pub fn run_with_input(&self, line: &(impl Line + ?Sized), input: &str) -> Finished {
        let mut command = Command::from_std(self.command(line));
        Finished(command.timeout(PATIENCE).write_stdin(input).output().unwrap())
    }

    pub fn spawn(&self, line: &(impl Line + ?Sized)) -> Child {
        self.spawn_with(line, Stdio::null())
    }

    /// The same, with a place for what it says.
    pub fn spawn_with(&self, line: &(impl Line + ?Sized), stderr: Stdio) -> Child {
        let child = self.command(line).stdout(Stdio::null()).stderr(stderr).spawn().unwrap();
        #[cfg(windows)]
        self.processes.add(&child);
        child
    }

    /// The program with the folder in place of the user's home.
    pub fn command(&self, line: &(impl Line + ?Sized)) -> std::process::Command {
        let mut command = std::process::Command::new(ARBITER);
        command.args(line.words());
        // Otherwise an interrupt would also reach us.
        #[cfg(windows)]
        command.creation_flags(windows_sys::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP);
        self.settle(&mut command);
        command
    }

    /// Lets a command run in the folder.
    pub fn settle(&self, command: &mut std::process::Command) {
        command
            .current_dir(self.folder.path())
            .env(if cfg!(windows) { "USERPROFILE" } else { "HOME" }, self.path("home"))
            .env(if cfg!(windows) { "APPDATA" } else { "XDG_CONFIG_HOME" }, self.path("configuration"))
            .env(if cfg!(windows) { "LOCALAPPDATA" } else { "XDG_CACHE_HOME" }, self.path("cache"))
            // Sites of the tests are on this machine.
            .env("no_proxy", "127.0.0.1")
            .env_remove("OPENBENCH_USERNAME")
            .env_remove("OPENBENCH_PASSWORD")
            // A job on GitHub that runs the tests has a summary of its own.
            .env_remove("GITHUB_STEP_SUMMARY");
    }

    /// How many processes run in the folder for good: engines that were left behind. One that was killed may take a
    /// moment to go.
    #[cfg(any(target_os = "linux", windows))]
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

    /// How many of the processes that [`Workbench::spawn`] has started run at this moment, and of those that they have.
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

    /// The exit code; a signal is none.
    pub fn code(&self) -> Option<i32> {
        self.0.status.code()
    }

    pub fn stdout(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).unwrap()
    }

    /// Paths have the slashes of Unix.
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

    /// Paths may have either slash.
    fn has(self, text: &str, words: &[&str]) -> Finished {
        let text = slashed(text);
        for word in words {
            assert!(text.contains(&slashed(word)), "expected `{word}` in:\n{text}");
        }
        self
    }

    /// Checks the exit code, and shows everything when it is another one.
    pub fn expect_code(self, code: i32) -> Finished {
        assert_eq!(self.code(), Some(code), "\n{}\n{}", self.stdout(), self.stderr());
        self
    }
}

/// A text with the slashes of Unix in its paths.
pub fn slashed(text: &str) -> String {
    if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() }
}

/// The events of the journal that are whole, also while it is being written.
pub fn events(bench: &Workbench, run: &str) -> Vec<Event> {
    Journal::read(&bench.path(run).join(JOURNAL_FILE)).unwrap_or_default()
}

/// The numbers of the games that the journal has results of, in the order in which they ended.
pub fn journalled(bench: &Workbench, run: &str) -> Vec<u32> {
    let game = |event: Event| match event {
        Event::GameFinished(record) if record.is_counted() => Some(record.game),
        _ => None,
    };
    events(bench, run).into_iter().filter_map(game).collect()
}

/// A game as pgn-reader sees it: tags other than dates, then the moves.
#[derive(Debug, Default, PartialEq)]
pub struct Game {
    pub tags: BTreeMap<String, String>,
    pub moves: Vec<String>,
}

pub fn games(bench: &Workbench, run: &str) -> Vec<Game> {
    let text = bench.read(&format!("{run}/games.pgn"));
    let mut reader = Reader::new(Cursor::new(text));
    reader.read_games(&mut GameCollector).map(Result::unwrap).collect()
}

struct GameCollector;

impl Visitor for GameCollector {
    type Tags = Game;
    type Movetext = Game;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        let name = String::from_utf8(name.to_vec()).unwrap();
        if !matches!(name.as_str(), "Date" | "UTCDate" | "UTCTime") {
            game.tags.insert(name, value.decode_utf8_lossy().into_owned());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Game> {
        game.moves.push(san.to_string());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) -> Game {
        game
    }
}
