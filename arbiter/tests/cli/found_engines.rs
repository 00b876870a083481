//! Where engines are found: beside the program, in the user's folders, and in the history of a repository.

use std::fs;

#[cfg(windows)]
use crate::workbench::TARRASCH;
use crate::workbench::Workbench;

/// The rest of a very short match.
#[cfg(windows)]
const SHORT: [&str; 8] = ["--openings", "book.epd", "--nodes", "20", "--games", "2", "--maxmoves", "4"];

/// A script that writes the name and the folder it was started with, the folder of the bench apart, and mates with its
/// first move.
#[cfg(unix)]
fn telling_script(bench: &Workbench) -> String {
    let folder = bench.path("").canonicalize().unwrap();
    format!(
        "#!/bin/sh\nprintf '%s in %s\\n' \"$0\" \"$PWD\" >>'{}/started'\nwhile read -r line; do\n  case $line in\n    \
         uci) echo uciok ;;\n    isready) echo readyok ;;\n    go*) echo bestmove a1a8 ;;\n    quit) exit ;;\n  \
         esac\ndone\n",
        folder.display()
    )
}

/// White mates at once.
const MATE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\n";

/// A bench with an engine by many names.
#[cfg(unix)]
fn with_names() -> Workbench {
    let bench = Workbench::new();
    bench.write("mate.epd", MATE);
    for file in [
        "engine", "opponent", "bin/eng-1.2", "sub/engine", "my engines/the engine", "it's \"good\"", r"a\b",
        "a:b/x:y=1", "~/engine",
    ] {
        bench.write_program(file, &telling_script(&bench));
    }
    bench.write("bin-before/eng-1.2", "no program");
    fs::create_dir_all(bench.path("venv/bin")).unwrap();
    for (link, target) in [("link", "engine"), ("venv/bin/python", "../../engine"), ("linked", "sub")] {
        std::os::unix::fs::symlink(target, bench.path(link)).unwrap();
    }
    let manifest = |dir: &str| format!("name = 'm'\ncommand = 'venv/bin/python'\n{dir}");
    bench.write("engines/m/engine.toml", &manifest(""));
    bench.write("engines/n/engine.toml", &manifest("dir = 'sub'"));
    bench
}

/// How a command started the engine, and not its opponent, which may be the quicker; `@` is the folder of the bench.
#[cfg(unix)]
fn started(bench: &Workbench, args: &[&str]) -> (String, String) {
    let _ = fs::remove_file(bench.path("started"));
    let folder = bench.path("").canonicalize().unwrap();
    let mut command = bench.command(args);
    let path = std::env::var("PATH").unwrap();
    let [before, bin] = ["bin-before", "bin"].map(|name| folder.join(name).display().to_string());
    let output = command.env("PATH", format!("{before}:{bin}:{path}")).output().unwrap();
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let folder = folder.display().to_string();
    let started = fs::read_to_string(bench.path("started")).unwrap_or_default();
    let mut lines = started.lines().filter(|line| !line.starts_with("./opponent "));
    (lines.next().unwrap_or_default().replace(folder.trim_end_matches('/'), "@"), said)
}

/// The words of a tournament of a dialect whose first engine has these words.
fn tournament<'a>(dialect: &'a str, engine: &[&'a str]) -> Vec<&'a str> {
    let opponent = ["-engine", "cmd=./opponent", "name=other"];
    let rest = [
        "-each", "proto=uci", "tc=10", "-openings", "file=mate.epd", "format=epd", "-rounds", "1", "-games",
        "1",
    ];
    [&[dialect, "-engine", "name=a"][..], engine, &opponent, &rest].concat()
}

#[test]
#[cfg(unix)]
fn an_engine_is_started_by_the_path_that_was_given() {
    let bench = with_names();
    // The words of a dialect, the name an engine is started by, and its folder.
    let cases: [(&[&str], &str, &str); 14] = [
        (&["cmd=./link"], "./link", "@"),
        (&["cmd=venv/bin/python"], "venv/bin/python", "@"),
        (&["cmd=./sub/../engine"], "./sub/../engine", "@"),
        (&["cmd=linked/engine"], "linked/engine", "@"),
        (&["cmd=engine"], "./engine", "@"),
        (&["cmd=eng-1.2"], "@/bin/eng-1.2", "@"),
        (&["cmd=./engine", "dir=sub"], "@/sub/engine", "@/sub"),
        (&["cmd=engine", "dir=sub"], "@/sub/engine", "@/sub"),
        (&["cmd=eng-1.2", "dir=sub"], "@/bin/eng-1.2", "@/sub"),
        (&["cmd=../venv/bin/python", "dir=sub"], "@/sub/../venv/bin/python", "@/sub"),
        (&["cmd=my engines/the engine"], "my engines/the engine", "@"),
        (&["cmd=./it's \"good\""], "./it's \"good\"", "@"),
        (&[r"cmd=./a\b"], r"./a\b", "@"),
        (&["cmd=a:b/x:y=1"], "a:b/x:y=1", "@"),
    ];
    for (words, name, folder) in cases {
        for dialect in ["fastchess", "cutechess"] {
            let (found, said) = started(&bench, &tournament(dialect, words));
            assert_eq!(found, format!("{name} in {folder}"), "{dialect} {words:?}: {said}");
        }
    }
    // The same on the command line of `match`, and two manifests.
    let typed = cases.iter().filter(|(words, name, _)| words.len() == 1 && words[0].ends_with(name));
    let typed = typed.map(|(_, name, folder)| (*name, *name, *folder));
    let others = [
        ("eng-1.2", "@/bin/eng-1.2", "@"),
        ("m", "./venv/bin/python", "@"),
        ("n", "@/venv/bin/python", "@/sub"),
    ];
    let mut count = 0;
    for (engine, name, folder) in typed.chain(others) {
        let out = format!("run{count}");
        let args = ["match", engine, "./opponent", "--openings", "mate.epd", "--nodes", "9", "--games", "2"];
        let (found, said) = started(&bench, &[&args[..], &["--out", &out]].concat());
        assert_eq!(found, format!("{name} in {folder}"), "match {engine}: {said}");
        assert!(said.contains("2 games"), "match {engine}: {said}");
        count += 1;
    }
    assert_eq!(count, 11);
}

#[test]
#[cfg(windows)]
fn an_engine_is_found_by_either_slash_with_and_without_its_ending() {
    let bench = Workbench::new();
    for file in ["engine", "bin/eng-1.2", "my engines/the engine", "caf\u{e9} \u{265e}/engine"] {
        bench.place_engine(file);
    }
    let whole = bench.path("my engines").join("the engine.exe").display().to_string();
    assert_eq!(whole.find(':'), Some(1), "it has a drive");
    let path = bench.path("bin").display().to_string();
    for (count, (engine, name)) in [
        ("./engine", "engine"),
        (r".\engine.exe", "engine"),
        (r".\ENGINE.EXE", "ENGINE"),
        (r"my engines\the engine", "the engine"),
        (whole.strip_suffix(".exe").unwrap(), "the engine"),
        (&whole, "the engine"),
        (&whole.replace('\\', "/"), "the engine"),
        ("caf\u{e9} \u{265e}/engine", "engine"),
        ("eng-1.2", "eng-1.2"),
        ("eng-1.2.exe", "eng-1.2.exe"),
    ]
    .into_iter()
    .enumerate()
    {
        let (first, out) = (format!("{engine}:Hash=2"), format!("run{count}"));
        let args = [&["match", &first, TARRASCH, "--out", &out], &SHORT[..]].concat();
        let output = bench.command(&args).env("PATH", &path).output().unwrap();
        assert!(output.status.success(), "{engine}: {}", String::from_utf8_lossy(&output.stderr));
        let config = bench.read(&format!("{out}/run.toml"));
        assert!(config.contains(&format!("name = \"{name}\"")), "{engine}: {config}");
        assert!(config.contains("options = [\"Hash=2\"]"), "{engine}: {config}");
    }
    // By the command line of fastchess too.
    for cmd in ["engine", r"my engines\the engine", "eng-1.2", &whole] {
        let cmd = format!("cmd={cmd}");
        let opponent = ["-engine", "cmd=./engine.exe", "name=b", "-each", "proto=uci", "nodes=20", "tc=10"];
        let book = ["-openings", "file=book.epd", "format=epd", "-rounds", "1", "-maxmoves", "4"];
        let args = [&["fastchess", "-engine", "name=a", &cmd], &opponent[..], &book].concat();
        let output = bench.command(&args).env("PATH", &path).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            said.contains("Finished game 2 "),
            "{cmd}: {said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
#[cfg(unix)]
fn what_cannot_be_started_says_what_is_missing() {
    let bench = with_names();
    bench.write_program("no-python", "#!/no/such/python3 -u\n");
    bench.write_program("windows", "#!/bin/sh\r\nexit\r\n");
    bench.write("plain", "#!/bin/sh\n");
    // A dialect says how in its own words.
    let cases: [(&str, &[&str]); 6] = [
        ("./no-python", &["the interpreter `/no/such/python3`, which the script asks for, is missing"]),
        ("./windows", &["no interpreter `/bin/sh` with a carriage return"]),
        ("./plain", &["chmod +x ./plain"]),
        ("~/engine2", &["`~` is the shell's word"]),
        ("sh ./engine", &["a program with arguments: ", "args"]),
        ("./engine -v", &["a program with arguments: ", "args"]),
    ];
    for (engine, words) in cases {
        let command = format!("cmd={engine}");
        for (args, how) in [
            (tournament("fastchess", &[&command]), "args="),
            (tournament("cutechess", &[&command]), "arg="),
            (vec!["match", engine, "./engine", "--openings", "mate.epd", "--nodes", "9"], "--engine \"cmd="),
        ] {
            let (found, said) = started(&bench, &args);
            assert_eq!(found, "", "{args:?}");
            let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
            for word in words {
                assert!(said.contains(word), "{args:?}, expected `{word}`: {said}");
            }
            assert!(words.len() < 2 || said.contains(how), "{args:?}: {said}");
        }
    }
}

#[test]
#[cfg_attr(windows, ignore = "its engine is a shell script")]
fn options_of_every_kind_are_set_and_refused_as_in_fastchess() {
    let bench = Workbench::new();
    bench.write("mate.epd", MATE);
    for program in ["engine", "opponent"] {
        bench.write_program(
        program,
        "#!/bin/sh\nwhile read -r line; do\n  case $line in\n    uci) printf 'option name Clear Hash type button\\noption \
         name Own Book type check default false\\noption name Style type combo default Calm var Calm var Wild\\noption \
         name File type string default <empty>\\noption name Hash type spin default 1 min 1 max 9\\noption name \
         Threads type spin default 1 min 1 max 9\\nuciok\\n' ;;\n    isready) echo readyok ;;\n    setoption*) echo \
         \"$line\" >>log ;;\n    go*) echo bestmove a1a8 ;;\n    quit) exit ;;\n  esac\ndone\n",
    );
    }
    // What fastchess 1.8.2 sends for each, or the end of its warning.
    for (option, sent, warning) in [
        ("Clear Hash=true", "setoption name Clear Hash", ""),
        ("Clear Hash=false", "", "Invalid value for option Clear Hash; false"),
        ("Own Book=true", "setoption name Own Book value true", ""),
        ("Own Book=True", "", "Invalid value for option Own Book; True"),
        ("Own Book=1", "", "Invalid value for option Own Book; 1"),
        ("Style=Wild", "setoption name Style value Wild", ""),
        ("Style=Mild", "", "Invalid value for option Style; Mild"),
        ("File=a b  c", "setoption name File value a b  c", ""),
        (r#"File=C:\x "y""#, r#"setoption name File value C:\x "y""#, ""),
        ("File=<empty>", "setoption name File value <empty>", ""),
        ("Hash=05", "setoption name Hash value 05", ""),
        ("Hash=50", "", "Invalid value for option Hash; 50"),
        ("Nope=3", "", "a doesn't have option Nope"),
    ] {
        bench.write("log", "");
        let word = format!("option.{option}");
        let said = bench.run(&tournament("fastchess", &["cmd=./engine", &word])).expect_code(0).stdout();
        let log = bench.read("log");
        assert!(log.lines().all(|line| line == sent) && log.is_empty() == sent.is_empty(), "{option}: {log}");
        assert_eq!(
            said.contains("Warning; ") && said.contains(warning),
            !warning.is_empty(),
            "{option}: {said}"
        );
    }
    bench.write("log", "");
    bench
        .run(&tournament("fastchess", &["cmd=./engine", "option.Hash=2", "option.Threads=3"]))
        .expect_code(0);
    assert!(bench.read("log").starts_with("setoption name Threads value 3\nsetoption name Hash value 2\n"));
    bench.write("log", "");
    let match_of = |engine: &str, out: &str| {
        bench.run(&[
            "match", engine, "./engine", "--openings", "mate.epd", "--nodes", "9", "--games", "2", "--out",
            out,
        ])
    };
    match_of("./engine:Clear Hash,Hash=3", "run").expect_code(0);
    assert!(bench.read("log").starts_with("setoption name Clear Hash\nsetoption name Hash value 3\n"));
    assert!(match_of("./engine:Clear Hash=yes", "run2").expect_code(2).stderr().contains("is a button"));
}

#[test]
fn a_shell_completes_names() {
    let bench = Workbench::with_mocks(&["well"]);
    let offered = |words: &[&str]| {
        let mut line = vec!["--", "arbiter"];
        line.extend(words);
        let index = words.len().to_string();
        let mut command = bench.command(&line[..]);
        command.envs([("ARBITER_COMPLETE", "bash"), ("_CLAP_IFS", "\n"), ("_CLAP_COMPLETE_INDEX", &index)]);
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    for (words, name) in [
        (&["match", "wel"][..], "well"),
        (&["match", "--openings", "arbiter-b"], "arbiter-balanced.epd"),
        (&["tactics", "--suite", "cl"], "classics.epd"),
        (&["perft", "--suite", "sm"], "smirf.epd"),
    ] {
        let text = offered(words);
        assert!(text.lines().any(|line| line.split('\t').next() == Some(name)), "{words:?}: {text}");
    }
}
