//! Guesses for compiled programs: Cargo, make, `CMake`, Meson, Go and `.NET`.

use std::path::{Path, PathBuf};

use regex_lite::Regex;

use super::build_guess::{BuildGuess, beside, captured, folder_of, has, in_folder, read, shown, word};
use crate::engines::CargoMetadata;
use crate::engines::locate::on_search_path;

const DEPTH: usize = 3;

/// Folders that contain build output, other people's code, or no engine.
const NOT_LOOKED_INTO: [&str; 14] = [
    "target", "build", "bin", "out", "node_modules", "deps", "external", "extern", "third_party", "vendor",
    "tests", "test", "docs", "venv",
];

/// The files below a folder, each with its depth, without hidden files and the folders above.
pub fn files(root: &Path, folder: &Path, depth: usize) -> Vec<(usize, PathBuf)> {
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

/// A guess for each program of the packages: the default program first, then programs with their package's name.
pub fn of_cargo(root: &Path, file: &Path) -> Vec<BuildGuess> {
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
    // Cargo has no place for such flags except a file of its own, so authors set them in the makefile for OpenBench.
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
pub fn of_makefile(root: &Path, file: &Path) -> (u8, BuildGuess) {
    let text = read(root, file);
    let folder = folder_of(file);
    let make = folder.map_or_else(|| "make".to_owned(), |folder| format!("make -C {}", word(&folder)));
    let place = shown(file);
    let goals = Regex::new(r"(?m)^([A-Za-z0-9_][\w.-]*)[ \t]*:(?:[^=]|$)").map_or_else(
        |_| Vec::new(),
        |pattern| pattern.captures_iter(&text).map(|goal| goal[1].to_owned()).collect::<Vec<_>>(),
    );
    let mut goal = String::new();
    // The first target is the default.
    if let Some(("help", others)) = goals.split_first().map(|(first, others)| (first.as_str(), others)) {
        let usual =
            ["build", "all", "release"].into_iter().find(|usual| others.iter().any(|goal| goal == usual));
        goal =
            usual.or(others.first().map(String::as_str)).map(|goal| format!(" {goal}")).unwrap_or_default();
    }
    for (variable, wanted, other) in [("CC", "clang", "gcc"), ("CXX", "clang++", "g++")] {
        let sets = format!(r"(?m)^\s*{variable}\s*[:?]?=\s*{}\s*$", wanted.replace('+', r"\+"));
        if has(&sets, &text) && on_search_path(wanted).is_none() && on_search_path(other).is_some() {
            goal = format!("{goal} {variable}={other}");
        }
    }
    // Older versions of Stockfish and their descendants need the processor type; newer ones detect it.
    let finds_processor = has(r"(?m)^\s*ARCH\s*[:?]?=", &text);
    if text.contains("x86-64-modern") && text.contains("ARCH") && !finds_processor {
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

pub fn cmake(file: &Path) -> String {
    let source = word(&folder_of(file).unwrap_or_else(|| ".".to_owned()));
    let build = word(&beside(file, "build"));
    format!(
        "cmake -S {source} -B {build} -DCMAKE_BUILD_TYPE=Release && cmake --build {build} --config Release"
    )
}

pub const MESON: &str = "(test -d build || meson setup --buildtype release build) && meson compile -C build";

pub fn of_go(root: &Path, file: &Path) -> Vec<BuildGuess> {
    let module = file.parent().unwrap_or(Path::new(""));
    let name_of_module = captured(r"(?m)^module\s+(\S+)", &read(root, file)).unwrap_or_default();
    // The build tags in the author's scripts.
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

pub fn of_dotnet(root: &Path, file: &Path) -> Vec<BuildGuess> {
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
