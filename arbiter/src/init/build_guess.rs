//! The builds that the files of a repository suggest.

use std::fs;
use std::path::{Path, PathBuf};

use regex_lite::Regex;

use crate::engines::CargoMetadata;
use crate::engines::locate::{self, on_search_path};

/// A way to a program. Paths are relative to the root, commands run in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildGuess {
    /// What suggests it, for people: `src/makefile sets EXE`.
    pub because: String,
    pub build: Option<String>,
    /// The program that the build command calls first; `None` for what needs none.
    pub tool: Option<&'static str>,
    /// The program; `None` for whatever the build makes.
    pub program: Option<String>,
    pub args: Vec<String>,
}

impl BuildGuess {
    fn by(tool: &'static str, because: String, build: String) -> BuildGuess {
        BuildGuess { because, build: Some(build), tool: Some(tool), ..BuildGuess::default() }
    }
}

const DEPTH: usize = 3;

/// Folders of what is built, of others' code, and of what is no engine.
const NOT_LOOKED_INTO: [&str; 14] = [
    "target", "build", "bin", "out", "node_modules", "deps", "external", "extern", "third_party", "vendor",
    "tests", "test", "docs", "venv",
];

/// The guesses of a place in a repository, a folder or a file, the likeliest first: what lies higher before what lies
/// deeper, and there what names its program first.
pub fn guesses(root: &Path, place: &Path) -> Vec<BuildGuess> {
    if root.join(place).is_file() {
        return of_named(root, place);
    }
    let mut found = Vec::new();
    for (depth, file) in files(root, place, 0) {
        for (rank, guess) in of_file(root, &file) {
            found.push(((depth, rank), guess));
        }
    }
    found.sort_by_key(|(order, _)| *order);
    found.into_iter().map(|(_, guess)| guess).collect()
}

/// The guesses of a file that the user names: one of a build, a script of Python, which may speak UCI in another file, or
/// else a program.
fn of_named(root: &Path, file: &Path) -> Vec<BuildGuess> {
    let of_build: Vec<BuildGuess> = of_file(root, file).into_iter().map(|(_, guess)| guess).collect();
    if !of_build.is_empty() {
        return of_build;
    }
    let because = format!("{} was named", shown(file));
    if file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("py")) {
        return vec![script(file, because)];
    }
    let is_program = locate::is_program(&root.join(file));
    is_program
        .then(|| BuildGuess { because, program: Some(shown(file)), ..BuildGuess::default() })
        .into_iter()
        .collect()
}

fn files(root: &Path, folder: &Path, depth: usize) -> Vec<(usize, PathBuf)> {
    let entries = root.join(folder).read_dir().into_iter().flatten().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let mut found = Vec::new();
    for name in names.into_iter().filter(|name| !name.starts_with('.')) {
        let path = folder.join(&name);
        let whole = root.join(&path);
        if whole.is_file() {
            found.push((depth, path));
        } else if depth < DEPTH
            && whole.is_dir()
            && !whole.is_symlink()
            && !NOT_LOOKED_INTO.contains(&name.to_lowercase().as_str())
        {
            found.extend(files(root, &path, depth + 1));
        }
    }
    found
}

fn of_file(root: &Path, file: &Path) -> Vec<(u8, BuildGuess)> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let ending = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let ranked =
        |rank: u8, guesses: Vec<BuildGuess>| guesses.into_iter().map(|guess| (rank, guess)).collect();
    let by = |rank: u8, tool: &'static str, why: &str, build: String| {
        vec![(rank, BuildGuess::by(tool, format!("{} {why}", shown(file)), build))]
    };
    let text = || read(root, file);
    match name.as_str() {
        "cargo.toml" => ranked(0, of_cargo(root, file)),
        "makefile" | "gnumakefile" => vec![of_makefile(root, file)],
        "cmakelists.txt" if text().to_lowercase().contains("project") => {
            by(2, "cmake", "is a project of CMake", cmake(file))
        }
        "meson.build" if text().contains("project(") => {
            by(3, "meson", "is a project of Meson", in_folder(file, MESON))
        }
        "go.mod" => ranked(4, of_go(root, file)),
        "build.zig" => by(6, "zig", "builds it", in_folder(file, "zig build -Doptimize=ReleaseFast")),
        "build.sh" => by(8, "sh", "is a script for it", in_folder(file, "sh build.sh")),
        _ if ending == "csproj" => ranked(5, of_dotnet(root, file)),
        _ if ending == "py" && file.components().count() <= 2 && speaks_uci(&text()) => {
            ranked(9, vec![script(file, format!("{} speaks UCI", shown(file)))])
        }
        _ => Vec::new(),
    }
}

fn read(root: &Path, file: &Path) -> String {
    fs::read(root.join(file)).map(|text| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default()
}

fn has(pattern: &str, text: &str) -> bool {
    Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(text))
}

fn captured(pattern: &str, text: &str) -> Option<String> {
    let found = Regex::new(pattern).ok()?.captures(text)?.get(1)?.as_str().trim().to_owned();
    Some(found).filter(|found| !found.is_empty())
}

/// A path with slashes, as manifests write it.
pub fn shown(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn beside(file: &Path, name: &str) -> String {
    shown(&file.with_file_name(name))
}

fn word(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+=".contains(letter);
    if text.chars().all(is_plain) { text.to_owned() } else { format!("\"{text}\"") }
}

fn folder_of(file: &Path) -> Option<String> {
    file.parent().map(shown).filter(|folder| !folder.is_empty())
}

fn in_folder(file: &Path, command: &str) -> String {
    folder_of(file).map_or_else(|| command.to_owned(), |folder| format!("cd {} && {command}", word(&folder)))
}

/// A guess for each program of the packages: the default first, then those with their package's name.
fn of_cargo(root: &Path, file: &Path) -> Vec<BuildGuess> {
    let of_file = folder_of(file).unwrap_or_default();
    let Ok(metadata) = CargoMetadata::of(&root.join(&of_file)) else { return Vec::new() };
    let mut programs = Vec::new();
    for package in &metadata.packages {
        for target in package.targets.iter().filter(|target| target.kind.iter().any(|kind| kind == "bin")) {
            let is_default = package.default_run.as_ref() == Some(&target.name);
            programs.push((!is_default, package.name != target.name, &target.name));
        }
    }
    programs.sort();
    let usual = Path::new(&of_file).join("target");
    let is_usual = metadata.target_directory == root.join(&usual);
    let mut options = String::new();
    if file.components().count() > 1 {
        options = format!(" --manifest-path {}", word(&shown(file)));
    }
    if !is_usual {
        options = format!("{options} --target-dir {}", word(&shown(&usual)));
    }
    // Authors say so in the makefile that OpenBench uses, since cargo has no place for it that is not a file of its own.
    let makefile = ["Makefile", "makefile"].map(|name| read(root, &file.with_file_name(name))).concat();
    let is_native = makefile.contains("target-cpu=native");
    let guess = |(_, _, name): (bool, bool, &String)| {
        let (verb, end) = if is_native { ("rustc", " -- -C target-cpu=native") } else { ("build", "") };
        let why = if is_native { ", for this processor as the makefile beside it has it" } else { "" };
        let because = format!("{} has the program {name}{why}", shown(file));
        let build = format!("cargo {verb} --release --bin {name}{options}{end}");
        let program = Some(shown(&usual.join("release").join(name)));
        BuildGuess { program, ..BuildGuess::by("cargo", because, build) }
    };
    programs.into_iter().map(guess).collect()
}

/// A makefile that names its program `EXE` follows OpenBench's convention.
fn of_makefile(root: &Path, file: &Path) -> (u8, BuildGuess) {
    let text = read(root, file);
    let folder = folder_of(file);
    let make = folder.map_or_else(|| "make".to_owned(), |folder| format!("make -C {}", word(&folder)));
    let place = shown(file);
    let goals = Regex::new(r"(?m)^([A-Za-z0-9_][\w.-]*)[ \t]*:(?:[^=]|$)").map_or_else(
        |_| Vec::new(),
        |pattern| pattern.captures_iter(&text).map(|goal| goal[1].to_owned()).collect::<Vec<_>>(),
    );
    let mut goal = String::new();
    // The first goal is the default.
    if let Some(("help", others)) = goals.split_first().map(|(first, others)| (first.as_str(), others)) {
        let usual =
            ["build", "all", "release"].into_iter().find(|usual| others.iter().any(|goal| goal == usual));
        goal =
            usual.or(others.first().map(String::as_str)).map(|goal| format!(" {goal}")).unwrap_or_default();
    }
    for (variable, wanted, other) in [("CC", "clang", "gcc"), ("CXX", "clang++", "g++")] {
        let sets = format!(r"(?m)^\s*{variable}\s*[:?]?=\s*{}\s*$", wanted.replace('+', r"\+"));
        if has(&sets, &text) && on_search_path(wanted).is_none() && on_search_path(other).is_some() {
            goal += " ";
            goal += variable;
            goal += "=";
            goal += other;
        }
    }
    // Stockfish and its descendants want to know the processor.
    if text.contains("x86-64-modern") && text.contains("ARCH") {
        goal += " ARCH=x86-64-modern";
    }
    let literal = captured(r"(?m)^\s*EXE\s*[:?]?=[ \t]*([^\s#$]+)[ \t]*(?:#.*)?$", &text);
    let guess = |because, build, program| BuildGuess { program, ..BuildGuess::by("make", because, build) };
    if let Some(name) = literal {
        let name = name.strip_suffix(".exe").unwrap_or(&name);
        (1, guess(format!("{place} sets EXE = {name}"), make + &goal, Some(beside(file, name))))
    } else if has(r"(?m)^\s*EXE\s*[:?]?=", &text) {
        let name = root.file_name().map_or_else(|| "engine".into(), |name| name.to_string_lossy());
        let build = format!("{make}{goal} EXE={}", word(&name));
        (1, guess(format!("{place} has a variable EXE"), build, Some(beside(file, &name))))
    } else {
        (7, guess(format!("{place}, which names no EXE"), make + &goal, None))
    }
}

fn cmake(file: &Path) -> String {
    let source = word(&folder_of(file).unwrap_or_else(|| ".".to_owned()));
    let build = word(&beside(file, "build"));
    format!(
        "cmake -S {source} -B {build} -DCMAKE_BUILD_TYPE=Release && cmake --build {build} --config Release"
    )
}

const MESON: &str = "(test -d build || meson setup --buildtype release build) && meson compile -C build";

fn of_go(root: &Path, file: &Path) -> Vec<BuildGuess> {
    let module = file.parent().unwrap_or(Path::new(""));
    let name_of_module = captured(r"(?m)^module\s+(\S+)", &read(root, file)).unwrap_or_default();
    // Tags that a script of the author's gives.
    let scripts = ["build.sh", "Makefile", "makefile"].map(|name| read(root, &file.with_file_name(name)));
    let tags = captured(r"-tags[= ]([\w,]+)", &scripts.concat());
    let tags = tags.map(|tags| format!(" -tags {tags}")).unwrap_or_default();
    let mut folders: Vec<PathBuf> = files(root, module, 0)
        .into_iter()
        .filter(|(_, path)| path.extension().is_some_and(|ending| ending == "go"))
        .filter(|(_, path)| !path.to_string_lossy().ends_with("_test.go"))
        .filter(|(_, path)| {
            let text = read(root, path);
            text.lines().any(|line| line.trim_end() == "package main") && text.contains("func main()")
        })
        .filter_map(|(_, path)| path.parent().map(Path::to_path_buf))
        .collect();
    folders.dedup();
    folders
        .into_iter()
        .map(|folder| {
            let inside = folder.strip_prefix(module).map(shown).unwrap_or_default();
            let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
            let name = if inside.is_empty() { last(&name_of_module) } else { last(&inside) };
            let package = if inside.is_empty() { ".".to_owned() } else { format!("./{inside}") };
            let because = format!("{} is a main package of {}", shown(&folder), shown(file));
            let build = in_folder(file, &format!("go build{tags} -o bin/{name} {}", word(&package)));
            let program = Some(beside(file, &format!("bin/{name}")));
            BuildGuess { program, ..BuildGuess::by("go", because, build) }
        })
        .collect()
}

fn of_dotnet(root: &Path, file: &Path) -> Vec<BuildGuess> {
    let text = read(root, file);
    if !has("<OutputType>\\s*(Win)?Exe", &text) {
        return Vec::new();
    }
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = captured(r"<AssemblyName>([^<$]+)</AssemblyName>", &text).unwrap_or(stem);
    let build = format!("dotnet publish {} -c Release -o publish", word(&shown(file)));
    let guess = BuildGuess::by("dotnet", format!("{} is a program", shown(file)), build);
    vec![BuildGuess { program: Some(format!("publish/{name}")), ..guess }]
}

const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

fn speaks_uci(text: &str) -> bool {
    text.contains("uciok") && text.contains("bestmove")
}

fn script(file: &Path, because: String) -> BuildGuess {
    BuildGuess {
        because,
        build: None,
        tool: Some(PYTHON),
        program: Some(PYTHON.to_owned()),
        args: vec!["-u".to_owned(), format!("{{root}}/{}", shown(file))],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Files<'a> = &'a [(&'a str, &'a str)];

    fn first(files: Files<'_>) -> (String, String) {
        let folder = tempfile::Builder::new().prefix("pico").tempdir().unwrap();
        let root = folder.path().join("pico");
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let guess = guesses(&root, Path::new("")).into_iter().next().unwrap_or_default();
        (guess.build.unwrap_or_default(), guess.program.unwrap_or_default())
    }

    #[test]
    fn the_files_of_a_repository_suggest_its_build() {
        let cases: &[(Files<'_>, &str, &str)] = &[
            (&[("src/makefile", "EXE = Pico\nall:\n\tcc\n")], "make -C src", "src/Pico"),
            (&[("Makefile", "EXE := pico.exe # here\nhelp:\n\tx\nbuild:\n")], "make build", "pico"),
            (&[("src/Makefile", "help:\n\t@echo\n\namoeba: $(SRC)\n\tcc\n")], "make -C src amoeba", ""),
            (&[("Makefile", "EXE = $(NAME)\nall:\n\tcc\n")], "make EXE=pico", "pico"),
            (&[("src/Makefile", "all:\n\tcc\n")], "make -C src", ""),
            (
                &[("src/Makefile", "EXE = fish\nhelp:\n\t@echo ARCH=x86-64-modern\nbuild:\n\tcc\n")],
                "make -C src build ARCH=x86-64-modern",
                "src/fish",
            ),
            (
                &[("CMakeLists.txt", "project(pico)"), ("src/Makefile", "EXE = x\n")],
                "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build --config Release",
                "",
            ),
            (
                &[("meson.build", "project('pico', 'c')")],
                "(test -d build || meson setup --buildtype release build) && meson compile -C build",
                "",
            ),
            (
                &[
                    ("go.mod", "module example.org/pico\n"),
                    ("cmd/pico/main.go", "package main\nfunc main() {}\n"),
                    ("build.sh", "go build -tags=avx,embed ./cmd/pico\n"),
                ],
                "go build -tags avx,embed -o bin/pico ./cmd/pico",
                "bin/pico",
            ),
            (
                &[("go.mod", "module example.org/pico\n"), ("main.go", "package main\nfunc main() {}\n")],
                "go build -o bin/pico .",
                "bin/pico",
            ),
            (
                &[("src/Pico.Cli/Pico.Cli.csproj", "<OutputType>Exe</OutputType>")],
                "dotnet publish src/Pico.Cli/Pico.Cli.csproj -c Release -o publish",
                "publish/Pico.Cli",
            ),
            (&[("build.zig", "")], "zig build -Doptimize=ReleaseFast", ""),
            (&[("pico.py", "print('uciok'); print('bestmove')")], "", PYTHON),
            (&[("README.md", "A library.")], "", ""),
        ];
        for (files, build, program) in cases {
            let expected = ((*build).to_owned(), (*program).to_owned());

            let found = first(files);
            assert_eq!(found, expected, "{files:?}");
        }
    }

    #[test]
    fn the_default_program_of_a_package_comes_first() {
        let package = "[package]\nname = 'pico'\nversion = '0.1.0'\nedition = '2021'\n";
        let files = [
            ("Cargo.toml", package),
            ("src/main.rs", "fn main() {}"),
            ("src/bin/another.rs", "fn main() {}"),
            ("Makefile", "EXE = pico\nall:\n\tcargo rustc -- -C target-cpu=native\n"),
        ];
        let (build, program) = first(&files);
        assert_eq!(program, "target/release/pico");
        assert!(build.starts_with("cargo rustc --release --bin pico"), "{build}");
        assert!(build.ends_with(" -- -C target-cpu=native"), "{build}");
    }
}
