//! The texts of the manifest and of `arbiter.toml`. Each guess and each omitted step is explained beside it.

use std::fmt::Write as _;
use std::fs;

use super::engine_features::{Bench, EngineFeatures};
use super::program_search::FoundEngine;
use crate::engines::shortest_clock::SHORT_ENOUGH;
use crate::measure::check::Finding;
use crate::text::listed;
use crate::text::number_text::thousands;
use runner::process::EngineInfo;

/// Options to set if the engine has them, so that builds are comparable.
const OPTIONS: [(&str, &str); 3] = [("Hash", "16"), ("Threads", "1"), ("OwnBook", "false")];

const MOST_NAMED: usize = 12;

fn quoted(text: &str) -> String {
    if text.contains(['\'', '\n']) || !text.contains(['"', '\\']) {
        toml::Value::String(text.to_owned()).to_string()
    } else {
        format!("'{text}'")
    }
}

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
        quoted(&engine.name),
        if guess.build.is_some() { "the build makes this program" } else { guess.because.as_str() },
        quoted(&if command.contains('/') || !guess.args.is_empty() {
            command.clone()
        } else {
            format!("./{command}")
        }),
    );
    if !guess.args.is_empty() {
        let args: Vec<String> = guess.args.iter().map(|arg| quoted(arg)).collect();
        let _ = writeln!(text, "args    = [{}]", args.join(", "));
    }
    if let Some(dir) = &engine.dir {
        let _ = writeln!(text, "# The engine answers only if started here.\ndir     = {}", quoted(dir));
    }
    if let Some(build) = &guess.build {
        let _ = writeln!(text, "# A guess: {}.\nbuild   = {}", guess.because, quoted(build));
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
            quoted(&build),
            quoted(&command)
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
        quoted(&format!(
            "{tool} -B CFLAGS=\"{flags}\" CXXFLAGS=\"{flags}\" LDFLAGS=\"{flags}\" && mv {command} {command}-sanitize"
        )),
        quoted(&format!("./{}-sanitize", command.trim_start_matches("./")))
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

/// Checks that depend on the machine: they may pass here and fail in CI.
const OF_THE_MACHINE: [&str; 3] = ["go movetime", "go wtime btime", "go ponder"];

/// Failures after which the remaining checks are skipped.
const HOPELESS: [&str; 2] = ["handshake", "other checks"];

pub fn ci_file(engine: &FoundEngine, can: &EngineFeatures, has_repository: bool) -> String {
    let mut text = format!(
        "# The steps of `arbiter ci`. `arbiter init` tried the engine and chose the steps that it can pass.\n\
         engine = {}\n",
        quoted(&engine.name)
    );
    for part in [
        protocol(can),
        perft(can),
        bench(can),
        tactics(can),
        sanitize(engine),
        speed(can),
        games(can, has_repository),
    ] {
        text += "\n";
        text += &part;
    }
    text
}

fn protocol(can: &EngineFeatures) -> String {
    let failed: Vec<&Finding> = can.failed().collect();
    if let Some(finding) = failed.iter().find(|finding| HOPELESS.contains(&finding.check)) {
        return format!("# No [protocol]: {}; see `arbiter check`.\n", one_line(&finding.outcome.sentence));
    }
    let mut text = "[protocol]\n# The last three depend on the machine.\nmay_fail = [\n".to_owned();
    for finding in failed.iter().filter(|finding| !OF_THE_MACHINE.contains(&finding.check)) {
        let _ = writeln!(text, "    {}, # {}", quoted(finding.check), one_line(&finding.outcome.sentence));
    }
    for name in OF_THE_MACHINE {
        let _ = writeln!(text, "    {},", quoted(name));
    }
    text + "]\n"
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The number of nodes in the perft suites, to all depths and to depth 4.
const ALL_PERFT: f64 = 460e6;
const SOME_PERFT: f64 = 30e6;

const PERFT_SECONDS: f64 = 30.0;

fn perft(can: &EngineFeatures) -> String {
    let perft = match &can.perft {
        Ok(perft) => perft,
        Err(why) => return format!("# No [perft]: {}.\n", one_line(why)),
    };
    let mut text = String::new();
    if !perft.is_right {
        text += "# Some counts are wrong; `arbiter perft` shows where.\n";
    }
    if !can.has_chess960 {
        text += "# The Chess960 suites are skipped, because the engine has no option UCI_Chess960.\n";
    }
    let counted = perft.nodes_per_second * PERFT_SECONDS;
    let less = match counted {
        _ if counted >= ALL_PERFT => "",
        _ if counted >= SOME_PERFT => "depth = 4\n",
        _ if counted >= 1e6 => "suites = [\"smirf.epd\"]\ndepth = 3\n",
        _ => "suites = [\"smirf.epd\"]\ndepth = 2\n",
    };
    if !less.is_empty() {
        let speed = thousands(perft.nodes_per_second as u64);
        let _ =
            writeln!(text, "# At {speed} nodes per second, all suites to all depths would take too long.");
    }
    format!("{text}[perft]\n{less}")
}

fn bench(can: &EngineFeatures) -> String {
    let bench = match &can.bench {
        Ok(bench) => bench,
        Err(why) => {
            return format!(
                "# No [bench]: {}. A bench shows every change of the search at once.\n",
                one_line(why)
            );
        }
    };
    let Bench { key, value, nodes, measured, stated } = bench;
    let mut text = format!("[bench]\n{key:<7} = {}\nnodes   = {}\n", quoted(value), quoted(nodes));
    match stated {
        Some((pattern, number)) if number == measured => {
            let _ = writeln!(text, "# The newest commit message that states a bench has the same number.");
            let _ = writeln!(text, "commit_pattern = {}", quoted(pattern));
        }
        Some((pattern, number)) => {
            let (number, measured) = (thousands(*number), thousands(*measured));
            let _ = writeln!(
                text,
                "# The newest commit message that states a bench has {number}, this build {measured}. If they should agree:"
            );
            let _ = writeln!(text, "# commit_pattern = {}", quoted(pattern));
        }
        None => {}
    }
    text
}

/// Rounds down to 1, 2 or 5 times a power of ten, but not below `least`.
fn round(number: u64, least: u64) -> u64 {
    let mut round = least;
    for step in [2.0, 2.5, 2.0].into_iter().cycle() {
        let next = (round as f64 * step).round() as u64;
        if next > number {
            return round;
        }
        round = next;
    }
    round
}

fn tactics(can: &EngineFeatures) -> String {
    let limit = match (can.depth, &can.speed) {
        (_, Ok(nps)) if can.keeps_nodes => format!("nodes  = {}", grouped(round(nps / 5, 100))),
        (Some(depth), _) => format!("depth  = {depth}  # it does not keep `go nodes`"),
        (None, _) if !can.keeps_time => {
            return "# No [tactics]: it keeps none of `go nodes`, `go depth` and `go movetime`.\n".to_owned();
        }
        _ => "movetime = \"200ms\"  # it does not keep `go nodes`, so the result depends on the machine"
            .to_owned(),
    };
    format!(
        "# 86 positions. What the baseline solves should stay solved.\n[tactics]\nsuites = [\"classics.epd\"]\n{limit}\n"
    )
}

fn sanitize(engine: &FoundEngine) -> String {
    if is_checkable(engine) {
        return format!(
            "# Ten games of the build with checks. A panic fails the step.\n[sanitize]\nbuild = \"{CHECKED}\"\n"
        );
    }
    "# No [sanitize]: the manifest has no build with sanitizers, [builds.sanitize].\n".to_owned()
}

fn speed(can: &EngineFeatures) -> String {
    match &can.speed {
        Ok(nps) => format!(
            "# {} nodes per second on this machine.\n[speed]\nduration  = \"10s\"\ntolerance = 3  # percent; raise it, or the duration, on a noisy machine\n",
            thousands(*nps)
        ),
        Err(why) => format!("# No [speed]: {}.\n", one_line(why)),
    }
}

fn games(can: &EngineFeatures, has_repository: bool) -> String {
    let limit = match can.speed {
        Ok(nps) if can.keeps_nodes => {
            format!("{{ nodes = {} }}  # the same games on every machine", grouped(round(nps / 100, 100)))
        }
        _ if can.clock.is_none() && can.depth.is_some() => {
            "{ depth = 8 }  # it answers at once, whatever its clock says".to_owned()
        }
        _ => {
            let clock = can.clock.filter(|clock| !SHORT_ENOUGH.contains(clock)).unwrap_or("1+0.01");
            format!("{{ clock = \"{clock}\" }}")
        }
    };
    let table = format!(
        "[match]\nlimits = {limit}\nsprt   = [-60, 0]\ngames  = 600\nadjudication = {{ draw = \"move=40,count=8,score=10\", resign = \"count=3,score=800\" }}\n"
    );
    if has_repository {
        return format!(
            "# Against the commit of the baseline. The bounds are wide: they catch large losses in a few minutes. For small\n\
             # losses, use [-5, 0] and more games.\n{table}"
        );
    }
    let table: Vec<String> = table.lines().map(|line| format!("# {line}\n")).collect();
    format!(
        "# No [match]: without a commit there is no older build. Put `against = \"ENGINE\"` at the top to use this:\n{}",
        table.concat()
    )
}

/// A number with underscores, as TOML allows: `200_000`.
fn grouped(number: u64) -> String {
    thousands(number).replace(',', "_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::ci::CiFile;
    use crate::engines::Manifest;
    use crate::init::build_guess::BuildGuess;

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
    fn a_manifest_can_be_read_and_says_what_was_guessed() {
        for (build, has_repository) in [(Some("make CC=\"gcc -O3\""), true), (None, false)] {
            let text = manifest(&found(build), has_repository);
            let read = Manifest::parse(&text).unwrap();
            assert_eq!((read.command.as_str(), read.build.as_deref()), ("./pico", build), "{text}");
            assert_eq!(read.repo.is_some(), has_repository);
            assert!(
                text.contains("# A guess: ") && text.contains("# Tried before: `make`: it failed"),
                "{text}"
            );
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

    #[test]
    fn limits_are_round_numbers() {
        for (number, expected) in [(0, 100), (199, 100), (246_913, 200_000), (500_000, 500_000), (999, 500)] {
            assert_eq!(round(number, 100), expected);
        }
    }
}
