//! The texts of the manifest and of `arbiter.toml`. Each guess and each omitted step is explained beside it.

use std::fmt::Write as _;
use std::fs;

use clap::ValueEnum;

use super::program_search::FoundEngine;
use crate::compare::ci::StepResult;
use crate::measure::{EngineFeatures, Step, TriedEngine};
use crate::text::{listed, toml_text};
use runner::process::EngineInfo;

/// Options to set if the engine has them, so that builds are comparable.
const OPTIONS: [(&str, &str); 3] = [("Hash", "16"), ("Threads", "1"), ("OwnBook", "false")];

const MOST_NAMED: usize = 12;

/// The text of `engine.toml`. Without a repository there are no revisions.
pub fn manifest(engine: &FoundEngine, has_repository: bool) -> String {
    let FoundEngine { guess, command, introduction, .. } = engine;
    let says = introduction.name.as_deref().unwrap_or("none");
    let mut text = format!(
        "# Written by `arbiter init`. All fields of a manifest: docs/guide/engines.md of Arbiter.\n\
         # The engine's `id name`: {says}\n\
         name    = {}\n\
         # A guess: {}.\n\
         command = {}\n",
        toml_text(&engine.name),
        if guess.build.is_some() { "the build makes this program" } else { guess.because.as_str() },
        toml_text(&if command.contains('/') || !guess.args.is_empty() {
            command.clone()
        } else {
            format!("./{command}")
        }),
    );
    if !guess.args.is_empty() {
        let args: Vec<String> = guess.args.iter().map(|arg| toml_text(arg)).collect();
        let _ = writeln!(text, "args    = [{}]", args.join(", "));
    }
    if let Some(dir) = &engine.dir {
        let _ = writeln!(text, "# The engine answers only if started here.\ndir     = {}", toml_text(dir));
    }
    if let Some(build) = &guess.build {
        let _ = writeln!(text, "# A guess: {}.\nbuild   = {}", guess.because, toml_text(build));
    }
    for refused in &engine.refused {
        let _ = writeln!(text, "# Tried before: {refused}");
    }
    if has_repository {
        let name = &engine.name;
        let _ = writeln!(text, "repo    = \".\"{}# so that {name}@REV can be built", " ".repeat(10));
    } else {
        text += "# No `repo`: this is not a git repository with a commit, so revisions cannot be built.\n";
    }
    text + &options(introduction) + &other_build(engine)
}

const CHECKED: &str = "debug";

/// Whether cargo builds the engine in a way that allows a second build with checks.
fn is_checkable(engine: &FoundEngine) -> bool {
    let build = engine.guess.build.as_deref().unwrap_or_default();
    build.starts_with("cargo build")
        && !build.contains("--target-dir")
        && engine.command.starts_with("target/")
}

/// A second build of the same sources, which finds errors that the usual one hides. How a makefile takes flags is a guess.
fn other_build(engine: &FoundEngine) -> String {
    let build = engine.guess.build.as_deref().unwrap_or_default();
    let is_checkable = is_checkable(engine);
    let program = engine.command.rsplit('/').next().unwrap_or_default();
    let package = format!("name = \"{program}\"");
    // A makefile that calls cargo: the profile is a guess.
    if is_checkable || fs::read_to_string("Cargo.toml").is_ok_and(|text| text.contains(&package)) {
        let (build, command) = if is_checkable {
            (build, engine.command.replacen("target/", "target/checked/", 1))
        } else {
            ("cargo build --release", format!("target/checked/release/{program}"))
        };
        let checks = "profile.release.debug-assertions=true --config profile.release.overflow-checks=true";
        let build = format!("{build} --target-dir target/checked --config {checks}");
        let mark = if is_checkable { "" } else { "# " };
        return format!(
            "\n# Has debug assertions and overflow checks: for `arbiter reproduce --build {CHECKED}` and [sanitize] in arbiter.toml.\n\
             {mark}[builds.{CHECKED}]\n{mark}build   = {}\n{mark}command = {}\n",
            toml_text(&build),
            toml_text(&command)
        );
    }
    if !matches!(engine.guess.tool, Some("make" | "cmake" | "meson")) {
        return String::new();
    }
    let flags = "-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined";
    let tool = if build.contains("make") && !build.contains("cmake") { build } else { "make" };
    let command = &engine.command;
    format!(
        "\n# Has sanitizers: for `arbiter reproduce --build sanitize` and [sanitize] in arbiter.toml. How to pass the flags is a\n\
         # guess; the program needs a path of its own.\n# [builds.sanitize]\n# build   = {}\n# command = {}\n",
        toml_text(&format!(
            "{tool} -B CFLAGS=\"{flags}\" CXXFLAGS=\"{flags}\" LDFLAGS=\"{flags}\" && mv {command} {command}-sanitize"
        )),
        toml_text(&format!("./{}-sanitize", command.trim_start_matches("./")))
    )
}

fn options(introduction: &EngineInfo) -> String {
    let takes = |(name, value): &(&str, &str)| introduction.check_setting(name, Some(value)).is_ok();
    let set: Vec<_> = OPTIONS.iter().filter(|option| takes(option)).collect();
    let mut text = String::new();
    if !set.is_empty() {
        text += "\n# Set for every build.\n[options]\n";
        for (name, value) in &set {
            let _ = writeln!(text, "{name} = {value}");
        }
    }
    let others = introduction.options.iter().map(|option| option.name.as_str());
    let others: Vec<&str> = others.filter(|name| !set.iter().any(|(set, _)| set == name)).collect();
    if !others.is_empty() {
        let _ = writeln!(text, "# Other options of the engine: {}", listed(&others, MOST_NAMED));
    }
    text
}

pub fn ci_file(engine: &FoundEngine, can: &EngineFeatures, has_repository: bool) -> String {
    let checked_build = is_checkable(engine).then_some(CHECKED);
    let tried = TriedEngine { can, checked_build, has_repository };
    let steps = Step::value_variants().iter().map(|step| format!("\n{}", step.suggest(&tried)));
    format!(
        "# The steps of `arbiter ci`. `arbiter init` tried the engine and chose the steps that it can pass.\n\
         engine = {}\n{}",
        toml_text(&engine.name),
        steps.collect::<String>()
    )
}

/// The text of `arbiter.toml` with the failures of a step, so that `arbiter ci` passes now and reports new ones: what may
/// fail, or is left out; or else the whole step in comments.
pub fn with_known_faults(text: &str, StepResult { step, judgement, .. }: &StepResult) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let title = format!("[{step}]");
    let Some(begin) = lines.iter().position(|line| *line == title) else { return text.to_owned() };
    let is_over = |line: &String| line.is_empty() || line.starts_with('[');
    let more = lines[begin + 1..].iter().position(is_over);
    let end = more.map_or(lines.len(), |more| begin + 1 + more);
    let table = &lines[begin..end];
    let noted = step.excused(table, judgement).unwrap_or_else(|| {
        let why = format!("# It fails today: {}", judgement.reason());
        let hint = "# Remove each # below to enable the step again.".to_owned();
        [why, hint].into_iter().chain(table.iter().map(|line| format!("# {line}"))).collect()
    });
    lines.splice(begin..end, noted);
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::Manifest;
    use crate::init::build_guess::BuildGuess;
    use crate::measure::CiFile;

    fn found(build: Option<&str>) -> FoundEngine {
        FoundEngine {
            name: "pico".to_owned(),
            guess: BuildGuess {
                because: "src/makefile sets EXE = pico".to_owned(),
                build: build.map(str::to_owned),
                ..BuildGuess::default()
            },
            command: "pico".to_owned(),
            dir: None,
            introduction: EngineInfo::default(),
            refused: vec!["`make`: it failed".to_owned()],
        }
    }

    fn weak() -> EngineFeatures {
        let no = || "it does\nnot know it".to_owned();
        EngineFeatures {
            findings: Vec::new(),
            perft: Err(no()),
            bench: Err(no()),
            speed: Err(no()),
            deep: 0,
            keeps_nodes: false,
            depth: None,
            clock: None,
            keeps_time: true,
            has_chess960: false,
        }
    }

    fn steps(can: &EngineFeatures, has_repository: bool) -> String {
        let text = ci_file(&found(None), can, has_repository);
        let file: CiFile = toml::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        file.steps().iter().map(|step| step.name()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn an_engine_gets_the_steps_that_it_can_pass() {
        assert_eq!(steps(&weak(), true), "protocol tactics match");
        assert_eq!(steps(&weak(), false), "protocol tactics");
        assert_eq!(steps(&EngineFeatures { keeps_time: false, ..weak() }, false), "protocol");
        let text = ci_file(&found(None), &weak(), true);
        for step in ["perft", "bench", "speed"] {
            assert!(text.contains(&format!("# No [{step}]: it does not know it.")), "{text}");
        }
    }

    #[test]
    fn a_build_with_checks_is_proposed_where_it_can_be_made() {
        let rust =
            FoundEngine { command: "target/release/pico".to_owned(), ..found(Some("cargo build --release")) };
        let text = manifest(&rust, true);
        let other = Manifest::parse(&text).unwrap().with_build("debug").unwrap();
        assert_eq!(other.command, "target/checked/release/pico");
        assert!(other.build.unwrap().ends_with("overflow-checks=true"), "{text}");
        let file: CiFile = toml::from_str(&ci_file(&rust, &weak(), true)).unwrap();
        assert_eq!(file.sanitize.unwrap().build, "debug");
        let mut c = found(Some("make"));
        c.guess.tool = Some("make");
        let text = manifest(&c, true);
        assert!(
            text.contains("# [builds.sanitize]") && !Manifest::parse(&text).unwrap().has_build("sanitize"),
            "{text}"
        );
        // The text after its author has uncommented the build.
        let wanted: String = text
            .split_inclusive('\n')
            .map(|line| {
                line.strip_prefix("# ")
                    .filter(|line| line.starts_with(['[', 'b', 'c']) && !line.starts_with("by"))
                    .unwrap_or(line)
            })
            .collect();
        assert!(Manifest::parse(&wanted).unwrap().has_build("sanitize"), "{wanted}");
    }
}
