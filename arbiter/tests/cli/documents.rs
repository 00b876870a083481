//! Documents are correct: every link has a target, the program accepts every command, and the examples on each page of
//! the guide run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use arbiter::commands::Command as ArbiterCommand;
use clap::error::ErrorKind;
use clap::{Command, Subcommand};

#[cfg(unix)]
use crate::workbench::{TARRASCH, Workbench};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Folders without documents of ours.
const OTHERS: [&str; 2] = ["target", "book"];

/// Pages that may show options of other programs.
const WITH_OTHERS_OPTIONS: [&str; 1] = ["docs/guide/coming-from.md"];

/// A Markdown file and its path from the root.
struct Document {
    path: String,
    text: String,
}

/// A command in a document.
struct Example {
    /// One line, without the prompt and without a comment.
    command: String,
    /// The output that follows the command in the document, if the command has a prompt.
    #[cfg_attr(windows, expect(dead_code, reason = "examples are those of a shell"))]
    output: Option<String>,
}

impl Document {
    fn all() -> Vec<Document> {
        fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
            for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
                let name = entry.file_name().into_string().unwrap();
                if name.starts_with('.') || OTHERS.contains(&name.as_str()) {
                    continue;
                }
                if entry.file_type().unwrap().is_dir() {
                    collect(&entry.path(), found);
                } else if entry.path().extension().is_some_and(|extension| extension == "md") {
                    found.push(entry.path());
                }
            }
        }
        let mut paths = Vec::new();
        collect(Path::new(ROOT), &mut paths);
        assert!(paths.len() > 30, "{paths:?}");
        paths.sort();
        let document = |path: &PathBuf| Document {
            path: path.strip_prefix(ROOT).unwrap().to_str().unwrap().replace(MAIN_SEPARATOR, "/"),
            text: fs::read_to_string(path).unwrap(),
        };
        paths.iter().map(document).collect()
    }

    fn is_in_guide(&self) -> bool {
        self.path == "docs/README.md" || self.path.starts_with("docs/guide/")
    }

    /// The text outside of code blocks, with each paragraph as one line.
    fn paragraphs(&self) -> Vec<String> {
        let mut paragraphs = vec![String::new()];
        let mut in_code = false;
        for line in self.text.lines().map(str::trim) {
            let is_fence = line.starts_with("```");
            in_code ^= is_fence;
            if in_code || is_fence || line.is_empty() {
                paragraphs.push(String::new());
            } else {
                let paragraph = paragraphs.last_mut().unwrap();
                paragraph.push_str(line);
                paragraph.push(' ');
            }
        }
        paragraphs
    }

    /// The text in backquotes within paragraphs.
    fn code_spans(&self) -> Vec<String> {
        let paragraphs = self.paragraphs();
        paragraphs.iter().flat_map(|text| text.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
    }

    /// The targets of links and images.
    fn links(&self) -> Vec<String> {
        let mut links = Vec::new();
        for paragraph in self.paragraphs() {
            let prose: String = paragraph.split('`').step_by(2).collect();
            links.extend(prose.split("](").skip(1).map(|rest| rest.split(')').next().unwrap().to_owned()));
        }
        links
    }

    /// The anchors that GitHub and mdBook generate for headings.
    fn anchors(&self) -> BTreeSet<String> {
        let mut anchors = BTreeSet::new();
        for heading in self.paragraphs().iter().filter(|paragraph| paragraph.starts_with('#')) {
            let title = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
            let anchor: String =
                title.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect();
            let again = (1..).map(|number| format!("{anchor}-{number}"));
            let free = std::iter::once(anchor.clone()).chain(again).find(|anchor| !anchors.contains(anchor));
            anchors.extend(free);
        }
        anchors
    }

    /// The lines of code blocks that begin with `arbiter`, with or without a prompt, or that run it with cargo. Variables
    /// set by earlier lines are expanded.
    fn examples(&self) -> Vec<Example> {
        let mut examples = Vec::new();
        let mut variables = BTreeMap::new();
        // Every second piece is a code block, whose first line names its language.
        for block in self.text.split("```").skip(1).step_by(2) {
            let block = block.replace("\\\n", " ");
            let mut lines = block.lines().skip(1);
            while let Some(line) = lines.next() {
                let (is_shown, line) = match line.strip_prefix("$ ") {
                    Some(line) => (true, line.to_owned()),
                    None => (false, line.replacen("cargo run --release -- ", "arbiter ", 1)),
                };
                if let Some((name, value)) = line.split_once('=')
                    && name.chars().all(|c| c.is_ascii_uppercase())
                {
                    variables.insert(format!("${name}"), value.trim_matches('"').to_owned());
                }
                if !line.starts_with("arbiter ") {
                    continue;
                }
                let command = line.split(" #").next().unwrap();
                let mut command = command.split_whitespace().collect::<Vec<_>>().join(" ");
                for (name, value) in &variables {
                    command = command.replace(name, value);
                }
                let output = is_shown.then(|| lines.by_ref().flat_map(|line| [line, "\n"]).collect());
                examples.push(Example { command, output });
            }
        }
        examples
    }
}

/// The words of a command, split as by a shell, up to a pipe or redirection.
fn words(command: &str) -> Vec<String> {
    let words = shlex::split(command).unwrap_or_default();
    let ours = words.into_iter().take_while(|word| !matches!(word.as_str(), "|" | "||" | "&&" | ">"));
    // Drops the ellipsis of a list that continues.
    ours.filter(|word| !word.is_empty() && word != "…").collect()
}

fn program() -> Command {
    ArbiterCommand::augment_subcommands(Command::new("arbiter").subcommand_required(true))
}

fn parse(command: &str) -> Result<(), clap::Error> {
    match program().try_get_matches_from(words(command)) {
        Err(error) if !matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            Err(error)
        }
        _ => Ok(()),
    }
}

/// Parses a command mentioned in a sentence, which may be abbreviated or contain placeholders.
fn parse_mention(command: &str) -> Result<(), clap::Error> {
    let known = command.find(['|', '[', '…']).map_or(command, |synopsis| &command[..synopsis]);
    parse(known).or_else(|error| match error.kind() {
        ErrorKind::MissingRequiredArgument
        | ErrorKind::MissingSubcommand
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        | ErrorKind::InvalidValue
        | ErrorKind::ValueValidation
        | ErrorKind::WrongNumberOfValues => Ok(()),
        _ => Err(error),
    })
}

fn options(command: &Command) -> BTreeSet<String> {
    let own = command.get_arguments().filter_map(|argument| argument.get_long()).map(str::to_owned);
    own.chain(command.get_subcommands().flat_map(options)).collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let documents = Document::all();
    let anchors: BTreeMap<PathBuf, BTreeSet<String>> = documents
        .iter()
        .map(|document| (Path::new(ROOT).join(&document.path).canonicalize().unwrap(), document.anchors()))
        .collect();
    let root = Path::new(ROOT).canonicalize().unwrap();
    let mut broken = Vec::new();
    for document in &documents {
        for link in document.links().iter().filter(|link| !link.contains("://")) {
            let (path, anchor) = link.split_once('#').map_or((link.as_str(), None), |(p, a)| (p, Some(a)));
            let source = Path::new(ROOT).join(&document.path);
            let target = if path.is_empty() { source } else { source.parent().unwrap().join(path) };
            let is_there = target.canonicalize().is_ok_and(|target| {
                anchor.is_none_or(|anchor| anchors.get(&target).is_some_and(|all| all.contains(anchor)))
            });
            // The book of the guide has the files of its folder alone.
            let is_left = document.is_in_guide()
                && target.canonicalize().is_ok_and(|target| !target.starts_with(root.join("docs")));
            if !is_there || is_left {
                broken.push(format!("{}: {link}", document.path));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_page_is_in_the_book() {
    let documents = Document::all();
    let summary = documents.iter().find(|document| document.path == "docs/SUMMARY.md").unwrap();
    let listed: BTreeSet<String> = summary.links().iter().map(|link| format!("docs/{link}")).collect();
    let pages = documents.iter().map(|document| &document.path);
    let pages: BTreeSet<String> =
        pages.filter(|path| path.starts_with("docs/") && **path != summary.path).cloned().collect();
    assert_eq!(listed, pages);
}

#[test]
fn every_command_is_one_that_the_program_takes() {
    let known = options(&program());
    let mut wrong = Vec::new();
    for document in Document::all() {
        let mut report = |command: &str, error: &dyn std::fmt::Display| {
            wrong.push(format!("{}: {command}\n{error}", document.path));
        };
        for Example { command, .. } in document.examples() {
            if let Err(error) = parse(&command) {
                report(&command, &error);
            }
        }
        for span in document.code_spans() {
            // The changelog names old commands.
            if span.starts_with("arbiter ")
                && document.path != "CHANGELOG.md"
                && let Err(error) = parse_mention(&span)
            {
                report(&span, &error);
            }
            let option = span.strip_prefix("--").map(|rest| rest.split([' ', '=']).next().unwrap());
            if document.is_in_guide()
                && !WITH_OTHERS_OPTIONS.contains(&document.path.as_str())
                && option.is_some_and(|option| !known.contains(option))
            {
                report(&span, &"no command has this option");
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The examples to run: page, exit code, and command as on the page.
#[cfg(unix)]
fn running() -> impl Iterator<Item = (&'static str, i32, &'static str)> {
    let lines = include_str!("running_examples.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let (page, rest) = line.split_once(' ').unwrap();
        let (code, command) = rest.split_once(' ').unwrap();
        (page, code.parse().unwrap(), command)
    })
}

/// Pages without a quick example. `words` has none. `arbiter check` and `arbiter why` are tested by scenarios. `arbiter
/// openbench` needs a site, and CPU clocks need Linux; `openbench` and `clocks` test these.
#[cfg(unix)]
const NOT_RUNNING: [&str; 5] =
    ["guide/clocks", "guide/openbench", "guide/protocol", "guide/why", "guide/words"];

/// Two words that are no moves, three games in German, and a move with a misprint.
#[cfg(unix)]
const FOREIGN_GAMES: &str = include_str!("../../../docs/recordings/foreign_games.txt");

/// A folder as the examples expect it: engines by name and by path, a book, the configuration shown on the CI page, two
/// runs, and the committed results. All engines are Tarrasch.
#[cfg(unix)]
fn readers_folder() -> Workbench {
    let bench = Workbench::new();
    for name in ["myengine", "tarrasch", "carnatus", "druelle", "bibichess"] {
        let manifest = format!("name = '{name}'\ncommand = '{TARRASCH}'\n");
        bench.write(&format!("engines/{name}/engine.toml"), &manifest);
    }
    for program in ["new", "old"] {
        std::os::unix::fs::symlink(TARRASCH, bench.path(program)).unwrap();
    }
    let book = fs::read_to_string(Path::new(ROOT).join("suites/openings/arbiter-balanced.epd")).unwrap();
    let openings: String =
        book.lines().filter(|line| !line.starts_with('#')).take(300).map(|l| l.to_owned() + "\n").collect();
    bench.write("mine.epd", &openings);
    bench.write("games.pgn", FOREIGN_GAMES);
    bench.write("elo.csv", "UCI_Elo, int, 1400, 1200, 3000, 200, 0.1\n");
    let page = fs::read_to_string(Path::new(ROOT).join("docs/guide/ci.md")).unwrap();
    bench.write("arbiter.toml", page.split("```").find_map(|block| block.strip_prefix("toml\n")).unwrap());
    for run in ["results/X", "results/Y"] {
        let games = ["match", "tarrasch", "carnatus", "--nodes", "500", "--games", "2", "--out", run];
        bench.run(&games).expect_code(0);
    }
    for run in ["results/tarrasch-glaurung", "results/tarrasch-gnuchess"] {
        std::os::unix::fs::symlink(Path::new(ROOT).join(run).canonicalize().unwrap(), bench.path(run))
            .unwrap();
    }
    bench
}

#[test]
#[cfg(unix)]
fn each_page_of_the_guide_has_examples_that_run_and_show_what_it_shows() {
    let pages: Vec<Document> = Document::all().into_iter().filter(Document::is_in_guide).collect();
    let bench = readers_folder();
    for page in &pages {
        let name = page.path.strip_prefix("docs/").unwrap().strip_suffix(".md").unwrap();
        let examples = page.examples();
        let running: Vec<_> = running().filter(|(of, ..)| *of == name).collect();
        assert_eq!(running.is_empty(), NOT_RUNNING.contains(&name), "{name}: does an example run?");
        for (_, code, command) in running {
            let example = examples.iter().find(|example| example.command == command);
            let example = example.unwrap_or_else(|| panic!("{name} has no example `{command}`"));
            let words = words(command);
            let arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
            // Quits `arbiter play`.
            let finished = bench.run_with_input(&arguments, "quit\n").expect_code(code);
            if let Some(output) = &example.output {
                let printed = [finished.stdout(), finished.stderr()].concat();
                assert!(printed.starts_with(output), "{name}: {command}\n{printed}");
            }
        }
    }
    assert!(running().all(|(of, ..)| pages.iter().any(|page| page.path == format!("docs/{of}.md"))));
}

/// What a path of the tree is called: files and folders by `name` and `folder::name`, tests and scenarios by `file::title`.
fn add_names(folder: &Path, names: &mut BTreeSet<String>) {
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = stem(&path);
        if name.starts_with('.') || OTHERS.contains(&&*name) {
            continue;
        }
        names.extend([format!("{}::{name}", stem(folder)), name.clone()]);
        if path.is_dir() {
            add_names(&path, names);
        } else if path.extension().is_some_and(|ending| ending == "rs" || ending == "txt") {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let titles = text.lines().filter_map(|line| {
                let test = line.trim_start().strip_prefix("fn ").and_then(|rest| rest.split('(').next());
                test.map(str::to_owned)
                    .or_else(|| Some(line.strip_prefix("== ")?.to_lowercase().replace(' ', "_")))
            });
            names.extend(titles.flat_map(|title| [format!("{name}::{title}"), title]));
        }
    }
}

#[test]
fn what_holds_a_promise_is_there() {
    let (mut names, mut seen) = (BTreeSet::new(), 0);
    add_names(Path::new(ROOT), &mut names);
    let promises = fs::read_to_string(Path::new(ROOT).join("docs/promises.md")).unwrap();
    for row in promises.lines().filter(|line| line.starts_with('|')) {
        let held_by = row.trim_end_matches([' ', '|']).rsplit('|').next().unwrap();
        for span in held_by.split('`').skip(1).step_by(2).filter(|span| !span.contains(' ')) {
            let beginning = span.trim_end_matches('…');
            let is_there = if span.contains('/') {
                Path::new(ROOT).join(span).exists()
            } else if beginning.chars().all(|c| c.is_ascii_lowercase() || "_:".contains(c)) {
                let found = names.range(beginning.to_owned()..).next();
                found.is_some_and(|name| name == span || span != beginning && name.starts_with(beginning))
            } else {
                continue;
            };
            assert!(is_there, "{span}: {row}");
            seen += 1;
        }
    }
    assert!(seen > 60, "{seen}");
}
