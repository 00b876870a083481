//! The builds that the files of a repository suggest.

use std::path::Path;

use super::build_guess::{BuildGuess, in_folder, read, shown};
use super::compiled::{self, MESON, files};
use super::interpreted;
use crate::engines::locate;

/// The guesses for a folder or file of a repository, the likeliest first: files nearer to the top come first, and at
/// the same depth those that name their program.
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

/// The guesses for a file that the user names: a build file, a script (even if only another file of it speaks UCI), or else a
/// program.
fn of_named(root: &Path, file: &Path) -> Vec<BuildGuess> {
    let of_build: Vec<BuildGuess> = of_file(root, file).into_iter().map(|(_, guess)| guess).collect();
    if !of_build.is_empty() {
        return of_build;
    }
    let because = format!("{} was named", shown(file));
    if let Some(script) = interpreted::script(file, because.clone()) {
        return vec![script];
    }
    let is_program = locate::is_program(&root.join(file));
    is_program
        .then(|| BuildGuess { because, program: Some(shown(file)), ..BuildGuess::default() })
        .into_iter()
        .collect()
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
        "cargo.toml" => ranked(0, compiled::of_cargo(root, file)),
        "makefile" | "gnumakefile" => vec![compiled::of_makefile(root, file)],
        "cmakelists.txt" if text().to_lowercase().contains("project") => {
            by(2, "cmake", "is a project of CMake", compiled::cmake(file))
        }
        "meson.build" if text().contains("project(") => {
            by(3, "meson", "is a project of Meson", in_folder(file, MESON))
        }
        "go.mod" => ranked(4, compiled::of_go(root, file)),
        "package.json" => ranked(4, interpreted::of_node(root, file).into_iter().collect()),
        "pom.xml" => ranked(4, interpreted::of_maven(root, file)),
        "build.zig" => by(6, "zig", "builds it", in_folder(file, "zig build -Doptimize=ReleaseFast")),
        "build.sh" => by(8, "sh", "is a script for it", in_folder(file, "sh build.sh")),
        _ if ending == "csproj" => ranked(5, compiled::of_dotnet(root, file)),
        _ if ending == "nimble" => ranked(5, interpreted::of_nimble(root, file)),
        _ if ending == "java" => ranked(9, interpreted::of_java(root, file).into_iter().collect()),
        _ => interpreted::of_script(root, file).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn first(files: &[(&str, impl AsRef<[u8]>)]) -> (String, String) {
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
        let cases: Vec<&str> = include_str!("guesses.txt").split("\n== ").skip(1).collect();
        for case in &cases {
            let (head, files) = case.split_once('\n').unwrap();
            let (build, program) = head.rsplit_once(" |").unwrap();
            let written = |text: &str| text.replace("\\n", "\n").replace("\\t", "\t");
            let files = files.lines().filter_map(|line| line.split_once(": "));
            let files: Vec<_> = files.map(|(file, text)| (file, written(text))).collect();
            assert_eq!(first(&files), (build.to_owned(), program.trim().to_owned()), "{case}");
        }
        assert_eq!(cases.len(), 20);
    }

    #[test]
    fn a_script_that_imports_the_protocol_comes_before_it_and_a_test_after_it() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| fs::write(folder.path().join(file), text).unwrap();
        write("communication.py", "'uciok', 'bestmove'");
        write("main.py", "from communication import talk\n");
        write("test_it.py", "import communication\n");
        write("uci.mjs", "'uciok', 'bestmove'");
        write("z.mjs", "import { talk } from './uci.mjs'\n");
        let found = guesses(folder.path(), Path::new(""));
        let scripts: Vec<&str> =
            found.iter().filter_map(|guess| guess.args.last()?.strip_prefix("{root}/")).collect();
        assert_eq!(scripts, ["main.py", "z.mjs", "communication.py", "uci.mjs"]);
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
