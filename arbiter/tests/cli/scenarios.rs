//! Command lines and their output, in a given folder. Each file of `scenarios/` is a test, so that input and output stand
//! side by side, and a new line needs no compiler.
//!
//! A scenario begins with `== TITLE`. A final `(unix)`, `(linux)` or `(git)` says where it runs; `(git)` is everywhere but Wine.
//! Steps before the first title belong to every scenario of the file. A line is a step. `#` begins a comment. The text of a
//! file follows its step, indented by four blanks. A backslash at the end of a line joins it with the next.
//!
//! | step | what it does |
//! |---|---|
//! | `mocks MODE…` | writes manifests for mock engines, which are named after their modes |
//! | `write FILE`, `program FILE` | writes the text below; makes it executable as well |
//! | `script FILE COMMAND` | writes an engine that runs this command on `go` |
//! | `place FILE`, `copy FROM TO`, `remove PATH` | places the mock engine; copies a file; removes a file or folder |
//! | `lose FILE` | removes the file of the cache whose path ends with this |
//! | `edit FILE: FROM => TO`, `keep N FILE` | replaces a text everywhere in a file; keeps the first N lines |
//! | `let $NAME WORDS` | defines a name for words in later command lines |
//! | `git WORDS` | runs git |
//! | `sh COMMAND` | runs a shell command, which must succeed; later steps examine its output |
//! | `repository MODE…`, `commit MODE`, `commit MODE FILE` | makes a foreign repository (`foreign_repository.rs`); adds a commit |
//! | `commit-same MODE`, `manifest TEXT` | adds a commit that builds the same program; puts a text before the build command |
//! | `$ WORDS`, `3$ WORDS`, `*$ WORDS` | runs arbiter, expecting exit code 0, 3, or any; lines below that begin with `<` are typed |
//! | `x$ WORDS` | expects a refusal: exit code 2, a single error and no other output, and nothing left behind |
//! | `> TEXT`, `! TEXT`, `- TEXT` | expects a text in the last run's output, in its errors, in neither |
//! | `& WORDS` | starts arbiter, which later steps watch; it is killed at the end of the scenario |
//! | `interrupt`, `kill`, `ended CODE` | ends what was started last, or waits for it to end with this exit code; its output is the last run's then |
//! | `killed BYTES FOLDER/STATE WORDS` | runs arbiter, kills it whenever its folder has grown, and resumes once its state exists |
//! | `until STEP`, `until WORDS > TEXT` | repeats a step until it holds; runs arbiter until its output has a text |
//! | `processes N` | expects so many processes in the folder (Linux and Windows) |
//! | `page WORDS`, `closed CODE` | starts arbiter as the server of a page; interrupts it, expecting this exit code |
//! | `shown TEXT`, `get PATH`, `typed LINE` | waits for a state of the page that has a text; gets a file of the page; types a line |
//! | `request LINE` | sends a request with the headers below; like the other three, the answer becomes the output, its head the errors |
//! | `site JSON`, `posted N` | starts a site like OpenBench's; expects that it got N tests, and examines the last one's fields |
//! | `times N TEXT` | expects a text N times in the last run's output and errors |
//! | `@ /POINTER = JSON`, `schema NAME` | expects a value in the JSON output; validates the output by a schema in `docs/` |
//! | `into FILE` | writes the last run's output to a file |
//! | `has FILE: TEXT`, `lacks FILE: TEXT` | expects that a file has a text, or has not |
//! | `folded FILE: TEXT` | expects a text in a file whose line breaks count as blanks |
//! | `there PATH`, `gone PATH` | expects that a path exists, or does not |
//! | `same FILE FILE`, `grown FILE FILE` | expects equal files, apart from final blanks; the second to begin with the first and to be longer |
//! | `each FILE: REGEX => WORDS` | expects these matches of the expression's group, in order, in a file or in the output (`said`) |
//! | `xml FILE` | expects well-formed XML |
//!
//! ` … ` separates parts of a text that follow each other with anything between; `\n` is a line break. `$TARRASCH`, `$MOCK`
//! and so on are engine programs, `$ARBITER` is our program, `$START` the start position, `$RESULTS` the committed results,
//! `$SITE` the address of the site, `$PORT` and `$PAGE` the port and the path of the page, `$DIR` the folder, `$CARGO_HOME`
//! and `$RUSTUP_HOME` those of this user, `$HEAD` its commit, `$c1` the repository's first.

use std::env;
use std::fs::{self, File};
use std::io::{Read, Seek};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use regex_lite::Regex;
use serde_json::Value;

use crate::browser::{PageAnswer, PageClient};
use crate::foreign_repository::ForeignRepository;
use crate::json_schema;
use crate::killed_runs::{killed_at, whenever_grown};
use crate::openbench_site::{Behaviour, OpenBenchSite};
use crate::processes::interrupt;
use crate::programs::{MOCK_ENGINE, example, is_wine};
use crate::workbench::{ARBITER, Finished, PATIENCE, TARRASCH, Workbench, slashed};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/scenarios");

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The number of concurrent scenarios of a file. Most of them mostly wait.
const AT_ONCE: usize = 4;

macro_rules! files {
    ($($file:ident)+) => {
        const FILES: &[&str] = &[$(stringify!($file)),+];
        $(#[test] fn $file() { hold(stringify!($file)); })+
    };
}

files! { checks ci clocks control dialects engines faults folders foreign_games games lists matches matches_refused openbench openings pages paths play pools ratings rebuilt reports runs shards suites
tuning variants versions }

#[test]
fn every_file_is_a_test() {
    let entries = fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<String> =
        entries.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    found.sort();
    assert_eq!(found, FILES);
}

fn hold(file: &str) {
    let text = fs::read_to_string(format!("{FOLDER}/{file}.txt")).unwrap();
    let scenarios = scenarios(&text);
    assert!(!scenarios.is_empty());
    let next = AtomicUsize::new(0);
    let play_some = || {
        let taken = || scenarios.get(next.fetch_add(1, Ordering::Relaxed));
        std::iter::from_fn(taken).filter_map(Scenario::problem).collect::<Vec<_>>()
    };
    let problems: Vec<String> = thread::scope(|scope| {
        let threads: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(play_some)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let problems: Vec<String> = problems.iter().map(|said| format!("{file}.txt:{said}")).collect();
    assert!(problems.is_empty(), "\n{}", problems.join("\n\n"));
}

struct Scenario {
    title: String,
    steps: Vec<Step>,
}

#[derive(Clone)]
struct Step {
    number: usize,
    line: String,
    /// The text of a file, or typed input.
    below: String,
}

fn scenarios(text: &str) -> Vec<Scenario> {
    let mut common = Vec::new();
    let mut scenarios: Vec<Scenario> = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        if let Some(title) = line.strip_prefix("== ") {
            scenarios.push(Scenario { title: title.to_owned(), steps: common.clone() });
            continue;
        }
        let mut line = line.to_owned();
        while line.ends_with('\\') {
            line.pop();
            line.push_str(lines.next().unwrap().1.trim_start());
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut below = String::new();
        let is_below = |line: &str| line.is_empty() || line.starts_with("    ") || line.starts_with('<');
        while let Some((_, line)) = lines.next_if(|(_, line)| is_below(line)) {
            let typed = line.strip_prefix('<').map(|typed| typed.strip_prefix(' ').unwrap_or(typed));
            below.push_str(typed.or_else(|| line.strip_prefix("    ")).unwrap_or_default());
            below.push('\n');
        }
        let below = match below.trim_end_matches('\n') {
            "" => String::new(),
            text => format!("{text}\n"),
        };
        let steps = scenarios.last_mut().map_or(&mut common, |scenario| &mut scenario.steps);
        steps.push(Step { number: index + 1, line, below });
    }
    scenarios
}

impl Scenario {
    /// The first step that fails.
    fn problem(&self) -> Option<String> {
        let is_played = match self.title.rsplit_once(" (").map(|(_, system)| system) {
            Some("unix)") => cfg!(unix),
            Some("linux)") => cfg!(target_os = "linux"),
            Some("git)") => !is_wine(),
            _ => true,
        };
        let mut scene = Scene::default();
        let mut steps = self.steps.iter().filter(|_| is_played);
        steps.find_map(|step| {
            let said = scene.step(&step.line, &step.below).err()?;
            Some(format!("{}: {}: {}\n{said}", step.number, self.title, step.line))
        })
    }
}

/// Changes a file for the steps `edit FILE: FROM => TO` and `keep N FILE`.
fn change(bench: &Workbench, word: &str, rest: &str) -> Result<(), String> {
    if word == "keep" {
        let (count, file) = rest.split_once(' ').ok_or("expected a number and a file")?;
        let (count, text) = (count.parse().unwrap(), bench.read(file));
        bench.write(file, &text.split_inclusive('\n').take(count).collect::<String>());
        return Ok(());
    }
    let (file, change) = rest.split_once(": ").ok_or("expected a file and a change")?;
    let (from, to) = change.split_once(" => ").unwrap_or((change.trim_end_matches(" =>"), ""));
    let text = bench.read(file);
    has(&text, from)?;
    // Drops checksums, as in journals of older versions: with them, no edited line would be read.
    let checksum = Regex::new(r#","crc":"[0-9a-f]{8}"}"#).unwrap();
    let text =
        if file.ends_with("events.jsonl") { checksum.replace_all(&text, "}").into_owned() } else { text };
    bench.write(file, &text.replace(&broken(from), &broken(to)));
    Ok(())
}

#[derive(Default)]
struct Scene {
    foreign: ForeignRepository,
    /// The output of the last run.
    stdout: String,
    stderr: String,
    lets: Vec<(String, String)>,
    /// What was started, with its output.
    started: Vec<(Child, File)>,
    page: Option<PageClient>,
    site: Option<OpenBenchSite>,
}

impl Drop for Scene {
    fn drop(&mut self) {
        for (child, _) in &mut self.started {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Scene {
    #[expect(clippy::too_many_lines, reason = "each step has its arm")]
    fn step(&mut self, line: &str, below: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if let Some(code) = word.strip_suffix('$') {
            return self.run(code, rest, &self.filled_in(below));
        }
        let (rest, below) = (&*self.filled_in(rest), &*self.filled_in(below));
        let pair = |by: &str| rest.split_once(by).ok_or_else(|| format!("expected `{by}` in the step"));
        let bench = &self.foreign.bench;
        match word {
            "let" => {
                let (name, words) = line[4..].split_once(' ').unwrap();
                self.lets.push((name.to_owned(), self.meant(words)));
            }
            "mocks" => rest.split(' ').for_each(|mode| bench.add_mock(mode)),
            "write" => bench.write(rest, below),
            "program" => bench.write_program(rest, below),
            "script" => pair(" ").map(|(file, go)| bench.write_script(file, go))?,
            "place" => bench.place_engine(rest),
            "copy" => {
                let (from, to) = pair(" ")?;
                bench.make_room(to);
                fs::copy(bench.path(from), bench.path(to)).map_err(|error| error.to_string())?;
            }
            "remove" if bench.path(rest).is_dir() => fs::remove_dir_all(bench.path(rest)).unwrap(),
            "remove" => fs::remove_file(bench.path(rest)).map_err(|error| error.to_string())?,
            "lose" => {
                let is_it = |path: &PathBuf| path.starts_with(bench.path("cache")) && path.ends_with(rest);
                let found = bench.listing().into_iter().find(is_it).ok_or("there is none")?;
                fs::remove_file(found).unwrap();
            }
            "edit" | "keep" => change(bench, word, rest)?,
            "git" => drop(self.git(rest)),
            "sh" => {
                let mut shell = Command::new("sh");
                bench.settle(&mut shell);
                let done = Finished::of(shell.args(["-c", rest]).output().unwrap());
                (self.stdout, self.stderr) = (done.stdout(), done.stderr());
                is(done.code() == Some(0), || format!("{}\n{}", self.stdout, self.stderr))?;
            }
            "&" => {
                let words = self.words(rest)?;
                let said = tempfile::tempfile().unwrap();
                let [out, err] = [(); 2].map(|()| Stdio::from(said.try_clone().unwrap()));
                self.started.push((bench.spawn_with(&strs(&words), out, err), said));
            }
            "interrupt" => interrupt(&self.started.last().ok_or("nothing was started")?.0),
            "kill" => self.started.last_mut().ok_or("nothing was started")?.0.kill().unwrap(),
            "ended" => {
                let (child, said) = self.started.last_mut().ok_or("nothing was started")?;
                let status = patient(|| child.try_wait().unwrap().ok_or("it goes on".to_owned()))?;
                self.stdout.clear();
                said.rewind().and_then(|()| said.read_to_string(&mut self.stdout)).unwrap();
                self.started.pop();
                let is_expected = rest.is_empty() || status.code() == rest.parse().ok();
                is(is_expected, || format!("ended with {status}\n{}", self.stdout))?;
            }
            "killed" => {
                let words = self.words(rest)?;
                let words = strs(&words);
                let [growth, place, args @ ..] = &words[..] else {
                    return Err("expected three words".to_owned());
                };
                let (folder, state) = place.split_once('/').ok_or("expected a folder and its state")?;
                let moments = whenever_grown(growth.parse().unwrap());
                let lives = killed_at(moments, 0, bench, folder, state, args);
                self.stdout = format!("killed {lives} times");
            }
            "page" => self.page = Some(PageClient::start(bench, &strs(&self.words(rest)?))),
            "closed" => {
                let code = self.page.take().ok_or("there is no page")?.end();
                is(code == rest.parse().ok(), || format!("ended with {code:?}"))?;
            }
            "shown" | "get" | "typed" | "request" => {
                let page = self.page.as_ref().ok_or("there is no page")?;
                let answer = match word {
                    "get" => page.get(rest),
                    "typed" => page.type_line(rest),
                    "request" => page.ask(&format!("{rest} HTTP/1.1\n{below}").replace('\n', "\r\n"), ""),
                    _ => PageAnswer::of(&page.wait_for(rest, |state| has(&state.to_string(), rest).is_ok())),
                };
                (self.stdout, self.stderr) = (answer.body, answer.head);
            }
            "until" => match rest.split_once(" > ") {
                Some((words, text)) => {
                    patient(|| self.run("*", words, "").and_then(|()| has(&self.stdout, text)))?;
                }
                None => patient(|| self.step(rest, ""))?,
            },
            #[cfg(any(target_os = "linux", windows))]
            "processes" => {
                let found = bench.processes_now().to_string();
                is(found == rest, || format!("there are {found}"))?;
            }
            #[cfg(not(any(target_os = "linux", windows)))]
            "processes" => {}
            "site" => {
                let behaviour: Behaviour =
                    serde_json::from_str(&self.meant(rest)).map_err(|error| error.to_string())?;
                self.site = Some(OpenBenchSite::start(behaviour));
            }
            "posted" => {
                let posted = self.site.as_ref().ok_or("there is no site")?.created();
                is(posted.len().to_string() == rest, || format!("{posted:?}"))?;
                let fields = posted.last().into_iter().flat_map(|asked| &asked.form);
                self.stdout = fields.flat_map(|(name, value)| [name, "=", value, "\n"]).collect();
            }
            "repository" => self.foreign.begin(&rest.split_whitespace().collect::<Vec<_>>()),
            "manifest" => self.foreign.write_manifest(rest),
            "commit-same" => self.foreign.commit_same(rest),
            "commit" => match rest.split_once(' ') {
                Some((mode, file)) => self.foreign.commit_with(mode, file, below),
                None => self.foreign.commit(rest),
            },
            ">" => has(&self.stdout, rest)?,
            "!" => has(&self.stderr, rest)?,
            "-" => lacks(&format!("{}{}", self.stdout, self.stderr), rest)?,
            "times" => {
                let ((count, text), said) = (pair(" ")?, format!("{}{}", self.stdout, self.stderr));
                let found = said.matches(&broken(text)).count();
                is(found.to_string() == count, || format!("found it {found} times in:\n{said}"))?;
            }
            "@" => {
                let (pointer, value) = pair(" = ")?;
                let expected: Value = serde_json::from_str(value).map_err(|error| error.to_string())?;
                let found = self.json()?.pointer(pointer).cloned().unwrap_or_default();
                is(found == expected, || format!("found {found} in {}", self.stdout))?;
            }
            "schema" => {
                let problems = json_schema::problems(&self.json()?, &json_schema::named(rest));
                is(problems.is_empty(), || problems.join("\n"))?;
            }
            "into" => bench.write(rest, &self.stdout),
            "has" => pair(": ").and_then(|(file, text)| has(&bench.read(file), text))?,
            "folded" => pair(": ").and_then(|(file, text)| has(&folded(&bench.read(file)), text))?,
            "lacks" => pair(": ").and_then(|(file, text)| lacks(&bench.read(file), text))?,
            "there" | "gone" => {
                is(bench.path(rest).exists() == (word == "there"), || format!("{:?}", bench.listing()))?;
            }
            "same" => {
                let (one, other) = pair(" ").map(|(one, other)| (bench.read(one), bench.read(other)))?;
                is(one.trim_end() == other.trim_end(), || format!("{one}\n\n{other}"))?;
            }
            "grown" => {
                let (one, other) = pair(" ").map(|(one, other)| (bench.read(one), bench.read(other)))?;
                is(other.len() > one.len() && other.starts_with(&one), || format!("{one}\n\n{other}"))?;
            }
            "each" => {
                let (file, (regex, words)) =
                    pair(": ").map(|(file, rest)| (file, rest.rsplit_once(" =>").unwrap()))?;
                let text = if file == "said" { self.stdout.clone() } else { bench.read(file) };
                let regex = Regex::new(&format!("(?m){regex}")).map_err(|error| error.to_string())?;
                let found: Vec<&str> =
                    regex.captures_iter(&text).map(|found| found.get(1).unwrap().as_str()).collect();
                is(found.join(" ") == words.trim_start(), || format!("found {found:?} in:\n{text}"))?;
            }
            "xml" => assert_well_formed(&bench.read(rest)),
            _ => return Err("there is no such step".to_owned()),
        }
        Ok(())
    }

    fn run(&mut self, code: &str, line: &str, typed: &str) -> Result<(), String> {
        let words = self.words(line)?;
        let is_variable = |word: &&String| word.split_once('=').is_some_and(|(name, _)| is_capital(name));
        let variables: Vec<_> =
            words.iter().take_while(is_variable).filter_map(|word| word.split_once('=')).collect();
        let mut command = self.foreign.bench.command(&strs(&words[variables.len()..]));
        command.envs(variables.iter().copied());
        let before = (code == "x").then(|| self.foreign.bench.listing());
        let mut command = assert_cmd::Command::from_std(command);
        let done = Finished::of(command.timeout(PATIENCE).write_stdin(typed).output().unwrap());
        (self.stdout, self.stderr) = (done.stdout(), done.stderr());
        let said = || format!("{}\n{}", self.stdout, self.stderr);
        let expected = if code == "x" { 2 } else { code.parse().unwrap_or(0) };
        is(code == "*" || done.code() == Some(expected), || {
            format!("ended with {:?}\n{}", done.code(), said())
        })?;
        if let Some(before) = before {
            let is_one_error =
                self.stderr.starts_with("error: ") && self.stderr.matches("error: ").count() == 1;
            is(is_one_error && !self.stderr.ends_with("\n\n") && self.stdout.is_empty(), said)?;
            is(self.foreign.bench.listing() == before, || "something was left behind".to_owned())?;
        }
        Ok(())
    }

    /// The words of a command line, as a shell splits them.
    fn words(&self, line: &str) -> Result<Vec<String>, String> {
        let words = shlex::split(&self.meant(line)).ok_or("expected words as a shell has them")?;
        Ok(words.iter().map(|word| self.filled_in(word)).collect())
    }

    fn json(&self) -> Result<Value, String> {
        serde_json::from_str(&self.stdout).map_err(|error| format!("{error}: {}", self.stdout))
    }

    fn git(&self, line: &str) -> String {
        let mut git = Command::new("git");
        self.foreign.bench.settle(&mut git);
        git.args(["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]);
        let done = git.args(shlex::split(line).unwrap()).output().unwrap();
        assert!(done.status.success(), "git {line}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }

    fn meant(&self, line: &str) -> String {
        self.lets.iter().fold(line.to_owned(), |line, (name, words)| line.replace(name, words))
    }

    fn filled_in(&self, text: &str) -> String {
        let mut text = text.to_owned();
        let home = |variable: &str, folder: &str| {
            let usual = || env::home_dir().unwrap().join(folder).display().to_string();
            env::var(variable).unwrap_or_else(|_| usual())
        };
        let port = self.page.as_ref().map_or(String::new(), |page| page.port().to_string());
        for (name, value) in [
            ("$TARRASCH", TARRASCH),
            ("$MOCK", MOCK_ENGINE),
            ("$SLOWED", example!("slowed_tarrasch")),
            ("$ARBITER", ARBITER),
            ("$BIBICHESS", example!("bibichess")),
            ("$THOMARTIN", example!("thomartin")),
            ("$START", START),
            ("$RESULTS", concat!(env!("CARGO_MANIFEST_DIR"), "/../results")),
            // Cargo and rustup look for their folders below the home folder, which the bench replaces.
            ("$CARGO_HOME", &home("CARGO_HOME", ".cargo")),
            ("$RUSTUP_HOME", &home("RUSTUP_HOME", ".rustup")),
            ("$PORT", &port),
            ("$PAGE", self.page.as_ref().map_or("", |page| page.path())),
            ("$SITE", self.site.as_ref().map_or("", |site| &site.url)),
            ("$DIR", self.foreign.bench.path("").to_str().unwrap().trim_end_matches('/')),
        ] {
            text = text.replace(name, value);
        }
        while let Some(number) = Regex::new(r"\$(c[0-9]+)").unwrap().captures(&text) {
            text = text.replace(&number[0], &self.foreign.git(&["rev-parse", &number[1]])[..7]);
        }
        if text.contains("$HEAD") { text.replace("$HEAD", &self.git("rev-parse HEAD")) } else { text }
    }
}

/// Tries until it succeeds, but not for ever.
fn patient<T>(mut attempt: impl FnMut() -> Result<T, String>) -> Result<T, String> {
    let begun = Instant::now();
    loop {
        let found = attempt();
        if found.is_ok() || begun.elapsed() > PATIENCE {
            return found;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

fn strs(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

fn is_capital(name: &str) -> bool {
    Regex::new("^[A-Z_]+$").unwrap().is_match(name)
}

fn is(is_so: bool, said: impl FnOnce() -> String) -> Result<(), String> {
    if is_so { Ok(()) } else { Err(said()) }
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Expands the escapes for line breaks and ESC.
fn broken(text: &str) -> String {
    text.replace("\\n", "\n").replace("\\e", "\u{1b}")
}

/// Whether a text has these parts, in order.
fn has(text: &str, expected: &str) -> Result<(), String> {
    let text = slashed(text);
    let mut rest = &*text;
    for part in expected.split(" … ") {
        let part = slashed(&broken(part));
        let found = rest.find(&part).ok_or_else(|| format!("expected `{part}` in:\n{text}"))?;
        rest = &rest[found + part.len()..];
    }
    Ok(())
}

fn lacks(text: &str, word: &str) -> Result<(), String> {
    is(!text.contains(&broken(word)), || format!("did not expect it in:\n{text}"))
}

fn assert_well_formed(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in xml.split('<').skip(1).filter(|tag| !tag.starts_with('?')) {
        let (tag, _) = tag.split_once('>').unwrap_or_else(|| panic!("no end of <{tag}"));
        let name = tag.trim_end_matches('/').split_whitespace().next().unwrap();
        match tag.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed), "{xml}"),
            None if tag.ends_with('/') => {}
            None => open.push(name),
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
    }
    assert_eq!(open, Vec::<&str>::new(), "{xml}");
}
