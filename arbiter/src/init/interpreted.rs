//! Guesses for programs that an interpreter or virtual machine runs (Python, Node, Java), and for Nim.

use std::path::Path;

use regex_lite::Regex;
use serde_json::Value;

use super::build_guess::{BuildGuess, captured, folder_of, has, in_folder, read, shown, word};

const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

fn speaks_uci(text: &str) -> bool {
    text.contains("uciok") && text.contains("bestmove")
}

/// How to run a script: the interpreter, its arguments, and a pattern for the modules that the script imports.
fn interpreter(file: &Path) -> Option<(&'static str, &'static [&'static str], &'static str)> {
    let ending = file.extension()?.to_string_lossy().to_lowercase();
    match &*ending {
        "py" => Some((PYTHON, &["-u"], r"(?m)^\s*(?:from|import)\s+([\w.]+)")),
        "js" | "mjs" | "cjs" => {
            Some(("node", &[], r#"(?:require\(|\bfrom\s*|\bimport\s*)['"]\./([\w./-]+?)(?:\.[cm]?js)?['"]"#))
        }
        _ => None,
    }
}

/// The script as the program, whether or not it speaks UCI.
pub fn script(file: &Path, because: String) -> Option<BuildGuess> {
    let (tool, first, _) = interpreter(file)?;
    let args = first.iter().map(|&arg| arg.to_owned()).chain([format!("{{root}}/{}", shown(file))]);
    Some(BuildGuess {
        because,
        tool: Some(tool),
        program: Some(tool.to_owned()),
        args: args.collect(),
        ..BuildGuess::default()
    })
}

/// A script that imports one that speaks UCI, or that speaks UCI itself; the first kind ranks higher.
pub fn of_script(root: &Path, file: &Path) -> Option<(u8, BuildGuess)> {
    let (.., imports) = interpreter(file).filter(|_| file.components().count() <= 2)?;
    let text = read(root, file);
    let is_test = file.file_stem()?.to_string_lossy().to_lowercase().starts_with("test");
    let ending = file.extension()?.to_string_lossy();
    let modules = Regex::new(imports).ok()?;
    let modules = modules.captures_iter(&text).map(|found| found[1].replace('.', "/"));
    let mut modules = modules.map(|module| file.with_file_name(format!("{module}.{ending}")));
    if let Some(module) = modules.find(|module| !is_test && speaks_uci(&read(root, module))) {
        let because = format!("{} imports {}, which speaks UCI", shown(file), shown(&module));
        return Some((8, script(file, because)?));
    }
    speaks_uci(&text)
        .then(|| script(file, format!("{} speaks UCI", shown(file))))
        .flatten()
        .map(|guess| (9, guess))
}

/// The program named in `package.json`, after its build if there is one.
pub fn of_node(root: &Path, file: &Path) -> Option<BuildGuess> {
    let package: Value = serde_json::from_str(&read(root, file)).ok()?;
    let name = package["name"].as_str().map(|name| name.rsplit('/').next().unwrap_or(name).to_owned());
    let bin = package["bin"].as_str().or_else(|| package["bin"].as_object()?.values().next()?.as_str());
    let main = file.with_file_name(bin.or_else(|| package["main"].as_str())?.trim_start_matches("./"));
    let has_dependencies = package["dependencies"].as_object().is_some_and(|all| !all.is_empty());
    let build = match (package["scripts"]["build"].is_string(), has_dependencies) {
        (true, _) => Some("npm install --no-audit --no-fund && npm run build"),
        (false, true) => Some("npm install --no-audit --no-fund"),
        (false, false) => None,
    };
    let build = build.map(|build| in_folder(file, build));
    let because = format!("{} names {}", shown(file), shown(&main));
    Some(BuildGuess { build, name, ..script(&main, because)? })
}

/// Maven's build of a jar, and the compiler alone, in case Maven or its packages are missing.
pub fn of_maven(root: &Path, file: &Path) -> Vec<BuildGuess> {
    let mut text = read(root, file);
    for other in ["(?s)<!--.*?-->", "(?s)<parent>.*?</parent>"] {
        text = Regex::new(other).map_or(text.clone(), |other| other.replace_all(&text, "").into_owned());
    }
    let Some(artifact) = captured("<artifactId>([^<$]+)</artifactId>", &text) else { return Vec::new() };
    let folder = folder_of(file).map(|folder| folder + "/").unwrap_or_default();
    let main = captured("<(?:mainClass|exec.mainClass)>([^<$]+)</", &text);
    // The name of Maven's jar contains the version, which differs between revisions.
    let jar = "target/arbiter-engine.jar";
    let copy = format!("cp \"$(ls -t target/{artifact}-*.jar | head -n 1)\" {jar}");
    let build = in_folder(file, &format!("mvn -q -B -DskipTests package && {copy}"));
    let args = match &main {
        Some(main) => vec!["-cp".to_owned(), format!("{{root}}/{folder}{jar}"), main.clone()],
        None => vec!["-jar".to_owned(), format!("{{root}}/{folder}{jar}")],
    };
    let guess = BuildGuess::by("mvn", format!("{} is a project of Maven", shown(file)), build);
    let by_maven =
        BuildGuess { program: Some("java".to_owned()), args, name: Some(artifact.clone()), ..guess };
    let source = main.map(|main| format!("{folder}src/main/java/{}.java", main.replace('.', "/")));
    let by_compiler = source.and_then(|source| of_java(root, Path::new(&source)));
    let named = |guess: BuildGuess| BuildGuess { name: Some(artifact), ..guess };
    [by_maven].into_iter().chain(by_compiler.map(named)).collect()
}

/// A Java file with a `main`, compiled with the classes that it needs.
pub fn of_java(root: &Path, file: &Path) -> Option<BuildGuess> {
    let text = read(root, file);
    let is_main =
        has(r"static\s+(?:final\s+)?void\s+main\s*\(", &text) && text.to_lowercase().contains("uci");
    let class = file.file_stem().filter(|_| is_main)?.to_string_lossy();
    let package = captured(r"(?m)^\s*package\s+([\w.]+)\s*;", &text);
    let main = package.iter().fold(class.to_string(), |class, package| format!("{package}.{class}"));
    let depth = main.split('.').count();
    let sources = file.ancestors().nth(depth).map(shown).filter(|sources| !sources.is_empty());
    let sources = sources.unwrap_or_else(|| ".".to_owned());
    let build = format!(
        "javac -nowarn -encoding UTF-8 -d target/classes -sourcepath {} {}",
        word(&sources),
        word(&shown(file))
    );
    let args = vec!["-cp".to_owned(), "{root}/target/classes".to_owned(), main];
    let guess = BuildGuess::by("javac", format!("{} has a `main`", shown(file)), build);
    Some(BuildGuess { program: Some("java".to_owned()), args, name: Some(class.to_lowercase()), ..guess })
}

/// `nimble build`, and the compiler alone, in case packages are missing.
pub fn of_nimble(root: &Path, file: &Path) -> Vec<BuildGuess> {
    let text = read(root, file);
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = captured(r#"(?m)^\s*bin\s*=\s*@\[\s*"([^"]+)""#, &text).unwrap_or(stem);
    let of = |key: &str| captured(&format!(r#"(?m)^\s*{key}\s*=\s*"([^"]+)""#), &text);
    let within = |folder: Option<String>| folder.map(|folder| folder + "/").unwrap_or_default();
    let (sources, bin) = (within(of("srcDir")), within(of("binDir")));
    let program = Some(shown(&file.with_file_name(format!("{bin}{name}"))));
    let because = format!("{} has the program {name}", shown(file));
    let builds = [
        ("nimble", "nimble build -y -d:release".to_owned()),
        ("nim", format!("nim c --hints:off -d:release -o:{bin}{name} {sources}{name}.nim")),
    ];
    let guess = |(tool, build): (&'static str, String)| BuildGuess {
        program: program.clone(),
        ..BuildGuess::by(tool, because.clone(), in_folder(file, &build))
    };
    builds.map(guess).into()
}
