//! `arbiter fastchess`: the same openings, games and text as fastchess, and what its users and workers rely on.
//!
//! `transcripts/` has what fastchess alpha 1.8.2 (74deac23) printed for the same command lines and the same engines. Where
//! a `fastchess` is on the search path, it is asked again.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use regex_lite::Regex;

use crate::processes::interrupt;
use crate::programs::MOCK_ENGINE;
use crate::workbench::{Finished, TARRASCH, Workbench};

/// Positions with move counters, which fastchess needs to have.
const BOOK: &str = "\
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 1 2
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2
";

/// Openings, adjudication and files of the recorded matches.
const USUAL: &str =
    "-openings file=mini.epd format=epd order=random -srand 20261123 -pgnout file=games.pgn append=false";

const LONG: &str = "-rounds 7 -repeat -ratinginterval 3 -maxmoves 60 -resign movecount=3 score=300 \
                    -draw movenumber=20 movecount=4 score=50 -recover";

const SHORT: &str = "-rounds 2 -repeat -ratinginterval 1 -maxmoves 20 -testEnv";

fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write("mini.epd", BOOK);
    bench
}

/// The words after the program's name for two mock engines, A and B.
fn line(modes: [&str; 2], rest: &str) -> Vec<String> {
    let [first, second] = modes;
    let text = format!(
        "-engine cmd={MOCK_ENGINE} name=A args={first} -engine cmd={MOCK_ENGINE} name=B args={second} \
         -each tc=inf nodes=100 {USUAL} {rest}"
    );
    text.split_whitespace().map(str::to_owned).collect()
}

fn play(bench: &Workbench, modes: [&str; 2], rest: &str) -> Finished {
    let words = line(modes, rest);
    let args: Vec<&str> = ["fastchess"].into_iter().chain(words.iter().map(String::as_str)).collect();
    bench.run(&args)
}

/// Runs a command line without blanks in its words.
fn run(bench: &Workbench, line: &str) -> Finished {
    bench.run(&line.split_whitespace().collect::<Vec<_>>())
}

/// A text without the time that it took.
fn timeless(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with("Total Time")).collect::<Vec<_>>().join("\n") + "\n"
}

/// The program of that name, where it is installed.
fn installed(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|file| file.is_file())
}

#[test]
fn the_transcript_is_that_of_fastchess() {
    for (modes, rest, recorded) in [
        (["well", "well"], LONG.to_owned(), include_str!("transcripts/random_moves.txt")),
        (["illegal", "well"], format!("{SHORT} -recover"), include_str!("transcripts/illegal_moves.txt")),
    ] {
        let bench = bench();
        let finished = play(&bench, modes, &rest).expect_code(0);
        assert_eq!(timeless(&finished.stdout()), recorded);
        let Some(fastchess) = installed("fastchess") else { continue };
        let output = Command::new(fastchess).args(line(modes, &rest)).current_dir(bench.path(".")).output();
        let theirs = String::from_utf8(output.unwrap().stdout).unwrap();
        assert_eq!(timeless(&theirs), recorded, "the installed fastchess");
    }
}

#[test]
fn each_opening_is_played_with_both_colours_in_the_order_of_fastchess() {
    let bench = bench();
    play(&bench, ["well", "well"], LONG).expect_code(0);
    let pgn = bench.read("games.pgn");
    let tags = |name: &str| -> Vec<String> {
        let regex = Regex::new(&format!("\\[{name} \"(.*)\"\\]")).unwrap();
        regex.captures_iter(&pgn).map(|found| found[1].to_owned()).collect()
    };
    // From a PGN that fastchess wrote for the same command line; the book comes round after five rounds.
    let order = [0, 3, 4, 2, 1, 0, 3];
    let book: Vec<&str> = BOOK.lines().collect();
    let expected: Vec<&str> = order.iter().flat_map(|index| [book[*index]; 2]).collect();
    assert_eq!(tags("FEN"), expected);
    assert_eq!(tags("White"), ["A", "B"].repeat(7));
    assert_eq!(tags("Round")[..4], ["1", "1", "2", "2"]);
}

#[test]
fn the_first_opening_follows_the_last_wherever_a_tournament_begins() {
    let bench = bench();
    let fens = |program: &[&str], book: &str, start: u32, pgn: &str| -> Vec<String> {
        let words =
            line(["well", "well"], &format!("-openings file=mini.epd {book} start={start} -maxmoves 2"));
        let words: Vec<&str> = program.iter().copied().chain(words.iter().map(String::as_str)).collect();
        bench.run(&words).expect_code(0);
        let text = bench.read(pgn);
        text.lines().filter(|line| line.starts_with("[FEN")).map(str::to_owned).collect()
    };
    let run = ["run", "--out", "kept", "--", "fastchess"];
    for (program, pgn) in [(&["fastchess"][..], "games.pgn"), (&run, "kept/games.pgn")] {
        for order in ["order=sequential", "order=random"] {
            let _ = fs::remove_dir_all(bench.path("kept"));
            let first = fens(program, order, 2, pgn);
            let _ = fs::remove_dir_all(bench.path("kept"));
            assert_eq!((first.len(), fens(program, order, 1_000_002, pgn)), (4, first.clone()), "{order}");
        }
    }
}

#[test]
fn a_worker_finds_what_it_looks_for() {
    let bench = bench();
    let rest = format!("{SHORT} -recover -report penta=true -crc32 pgn=true");
    let finished = play(&bench, ["exit-after-move", "well"], &rest).expect_code(0);
    let text = finished.stdout();
    assert!(text.is_ascii());
    // Token 2 is the game, token 6 the result (OpenBench); a crash has one of its words (fishtest).
    let games: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("Finished game"))
        .map(|line| line.split(' ').collect())
        .collect();
    let numbers: Vec<&str> = games.iter().map(|words| words[2]).collect();
    assert_eq!(numbers, ["1", "2", "3", "4"]);
    assert!(games.iter().all(|words| ["1-0", "0-1", "1/2-1/2"].contains(&words[6])), "{text}");
    assert_eq!(text.matches("disconnects}").count(), 4, "{text}");
    let counts = Regex::new(
        r"Games: ([0-9]+), Wins: ([0-9]+), Losses: ([0-9]+), Draws: ([0-9]+), Points: ([0-9.]+) \(",
    );
    let counts: Vec<String> = counts.unwrap().captures_iter(&text).map(|found| found[1].to_owned()).collect();
    assert_eq!(counts, ["2", "4"], "after each pair, none skipped");
    assert!(text.contains("Ptnml(0-2): [2, 0, 0, 0, 0]"), "{text}");
    let last = text.lines().rfind(|line| line.contains("has CRC32: ")).unwrap();
    let mut crc = flate2::Crc::new();
    crc.update(&fs::read(bench.path("games.pgn")).unwrap());
    assert!(last.ends_with(&format!("{:#x}", crc.sum())), "{last}");
    assert_eq!(bench.read("games.pgn").matches("[Termination \"abandoned\"]").count(), 4);
    assert!(text.trim_end().ends_with("(hours:minutes:seconds)") && text.contains("Finished match\n"));
    assert!(!bench.path("config.json").exists(), "several workers share a folder");
}

#[test]
fn with_recovery_the_games_go_on_after_a_crash_between_two_of_them() {
    let printed =
        play(&bench(), ["exit-between-games", "well"], "-rounds 2 -repeat -recover").expect_code(0).stdout();
    assert_eq!(printed.matches(" disconnects}").count(), 2, "{printed}");
    assert!(printed.contains("Finished game 4 ") && !printed.contains("Fatal"), "{printed}");
    let printed = play(&bench(), ["exit-between-games", "well"], "-rounds 2 -repeat").expect_code(1).stdout();
    assert!(printed.contains("stopping tournament.") && !printed.contains("Fatal"), "{printed}");
}

#[test]
fn without_recovery_a_crash_ends_the_tournament() {
    let said = |rest: &str| {
        let bench = bench();
        let text = play(&bench, ["crash", "well"], rest).expect_code(1).stdout();
        assert!(text.contains("Game 1 stalled / disconnected and no recover option set"), "{text}");
        assert_eq!(text.matches("Finished game").count(), 1);
        assert_eq!(bench.path("config.json").exists(), !rest.contains("-testEnv"), "{rest}");
        text.lines().find(|line| line.starts_with("Tournament was interrupted.")).unwrap().to_owned()
    };
    for form in ["fastchess", "cutechess"] {
        let said = said(&format!("-output format={form}"));
        let program = format!("arbiter{}", env::consts::EXE_SUFFIX);
        assert!(said.ends_with(&format!("{program} fastchess -config file=config.json")), "{said}");
    }
    assert_eq!(said("-testEnv"), "Tournament was interrupted.");
    assert!(said("-testEnv -outdir kept").ends_with(" resume kept"));
}

#[test]
fn the_results_of_several_engines_are_dropped_with_a_warning() {
    let bench = bench();
    let third = format!("-engine cmd={MOCK_ENGINE} name=C args=crash");
    let said = play(&bench, ["well", "illegal"], &third).expect_code(1).stdout();
    assert!(said.contains("Finished game 2 ") && !said.contains("To resume"), "{said}");
    let again = bench.run("fastchess -config file=config.json").expect_code(1);
    assert!(again.stdout().contains("Started game 1 of "), "{}", again.stdout());
    assert!(again.stderr().contains("results are dropped"), "{}", again.stderr());
}

#[test]
fn a_state_file_that_cannot_be_written_does_not_end_the_tournament() {
    let bench = bench();
    fs::create_dir(bench.path("config.json")).unwrap();
    let rest = "-rounds 2 -recover -autosaveinterval 1";
    let said = play(&bench, ["illegal", "well"], rest).expect_code(0).shows(&["Finished game 4 "]).stdout();
    assert_eq!(said.matches("Warning; the state file config.json cannot be written: ").count(), 1, "{said}");
    let said = play(&bench, ["crash", "well"], "").expect_code(1).stdout();
    assert!(!said.contains("To resume"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_results_so_far_are_saved_when_a_disk_is_full() {
    let bench = bench();
    let finished = play(&bench, ["illegal", "well"], "-pgnout file=/dev/full -recover").expect_code(5);
    let said = "error: -pgnout: expected a file that can be written, found /dev/full: No space left";
    assert!(finished.stderr().contains(said), "{}", finished.stderr());
    assert!(bench.path("config.json").exists());
}

#[test]
fn a_tournament_goes_on_from_its_state_file() {
    let bench = bench();
    play(&bench, ["illegal", "well"], "-rounds 6 -recover").expect_code(0);
    let first = bench.read("games.pgn");
    let whole = bench.run("fastchess -config file=config.json -rounds 7").expect_code(0);
    let text = whole.stdout();
    assert!(text.contains("Started game 13 of 14 (A vs B)") && !text.contains("game 12 of"), "{text}");
    assert!(text.contains("Games: 14, Wins: 0, Losses: 14, Draws: 0"), "{text}");
    let both = bench.read("games.pgn");
    assert!(both.starts_with(&first), "the first games are kept, whatever append says");
    let other = bench_with_all_seven();
    let fens = |pgn: &str| -> Vec<String> {
        pgn.lines()
            .filter(|line| line.starts_with("[FEN") || line.starts_with("[Round"))
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(fens(&both), fens(&other));
}

fn bench_with_all_seven() -> String {
    let bench = bench();
    play(&bench, ["illegal", "well"], "-rounds 7 -recover").expect_code(0);
    bench.read("games.pgn")
}

#[test]
fn a_tournament_of_single_games_goes_on_with_the_next_game() {
    let bench = bench();
    play(&bench, ["illegal", "well"], "-rounds 3 -repeat -report penta=false -recover").expect_code(0);
    let first = bench.read("games.pgn");
    let state = bench.read("config.json");
    assert!(state.contains("\"losses\": 6"), "{state}");
    bench.write("config.json", &state.replace("\"losses\": 6", "\"losses\": 5"));
    let said = bench.run("fastchess -config file=config.json").expect_code(0).stdout();
    assert_eq!(said.matches("Started game").count(), 1, "{said}");
    assert!(said.contains("Started game 6 of 6 (B vs A)"), "{said}");
    let tags = |pgn: &str| -> Vec<String> {
        let is_telling = |line: &&str| ["[FEN", "[Round", "[White "].iter().any(|tag| line.starts_with(tag));
        pgn.lines().filter(is_telling).map(str::to_owned).collect()
    };
    let (first, both) = (tags(&first), tags(&bench.read("games.pgn")));
    assert_eq!(both[18..], first[15..], "the sixth game again");
}

#[test]
#[cfg(unix)]
fn the_program_answers_to_the_name_of_fastchess() {
    let bench = bench();
    for (name, version) in [("fastchess-ob", "fastchess alpha 1.8.2"), ("cutechess-cli", "cutechess-cli 1")] {
        let link = bench.path(name);
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_arbiter"), &link).unwrap();
        let output = Command::new(&link).arg("-version").output().unwrap();
        assert!(String::from_utf8(output.stdout).unwrap().starts_with(version));
    }
    bench.run("fastchess --version").expect_code(0);
    assert!(bench.run("fastchess -help").expect_code(0).stdout().contains("-pgnout"));
}

#[test]
fn an_interrupt_ends_it_at_once_and_leaves_no_process() {
    let bench = bench();
    let words = line(["slow-ready", "well"], "-rounds 500 -recover");
    let args: Vec<&str> = ["fastchess"].into_iter().chain(words.iter().map(String::as_str)).collect();
    let mut child = bench.spawn(&args);
    let deadline = Instant::now() + Duration::from_mins(1);
    while !bench.path("games.pgn").exists() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(20));
    }
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(bench.processes(), 0);
}

#[test]
fn nobody_plays_on_for_a_worker_that_is_gone() {
    let bench = bench();
    fs::create_dir(bench.path("tmp")).unwrap();
    let words = line(["well", "well"], "-rounds 1000000 -recover -testEnv");
    let args: Vec<&str> = ["fastchess"].into_iter().chain(words.iter().map(String::as_str)).collect();
    let mut command = bench.command(&args);
    let mut child = command.env("TMPDIR", bench.path("tmp")).stdout(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(said.any(|line| line.unwrap().starts_with("Finished game 1 ")));
    drop(said);
    let deadline = Instant::now() + Duration::from_mins(1);
    while child.try_wait().unwrap().is_none() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(fs::read_dir(bench.path("tmp")).unwrap().count(), 0);
}

#[test]
fn a_value_that_an_engine_does_not_take_is_left_out_with_a_warning() {
    let text = format!(
        "-engine cmd={MOCK_ENGINE} name=A option.Hash=9 option.Threads=2 -engine cmd={MOCK_ENGINE} name=B option.Hash=8 \
         -each proto=uci tc=inf nodes=9 -games 2 -rounds 1"
    );
    let words: Vec<&str> = text.split_whitespace().collect();
    let play = |dialect| Workbench::new().run(&[&[dialect], &words[..]].concat());
    let said = play("fastchess").expect_code(0).stdout();
    assert_eq!(said.matches("Warning; Invalid value for option Hash; 9\n").count(), 1, "{said}");
    assert_eq!(said.matches("A doesn't have option Threads\n").count(), 1, "{said}");
    assert!(said.contains("1MB - 8MB") && said.contains("Finished game 2 "), "{said}");
    let finished = play("cutechess").expect_code(0);
    for said in ["Warning: Invalid value for option Hash: 9\n", "Warning: A doesn't have option Threads\n"] {
        assert_eq!(finished.stderr().matches(said).count(), 1, "{}", finished.stderr());
    }
}

#[test]
fn a_worker_reads_ascii() {
    for (mode, said) in [("well", "Started game 1 of 2 ("), ("exit-at-start", "Fatal; ")] {
        let text = format!(
            "fastchess -engine cmd={MOCK_ENGINE} name=Ä args={mode} -engine cmd={MOCK_ENGINE} name=B -each tc=inf nodes=9 \
             -games 2 -rounds 1 -testEnv"
        );
        let printed = run(&Workbench::new(), &text).stdout();
        let line = printed.lines().find(|line| line.starts_with(said)).unwrap_or_else(|| panic!("{printed}"));
        assert!(printed.is_ascii() && line.contains("\\u{c4}"), "{printed}");
    }
}

#[test]
fn a_pasted_line_is_a_run_like_any_other_whose_block_is_that_of_fastchess() {
    let bench = bench();
    let printed = play(&bench, ["illegal", "well"], SHORT).stdout();
    let mut words =
        vec!["run".to_owned(), "--out".to_owned(), "run".to_owned(), "--".to_owned(), "fastchess".to_owned()];
    words.extend(line(["illegal", "well"], SHORT));
    let args: Vec<&str> = words.iter().map(String::as_str).collect();
    bench.run(&args).expect_code(0);
    let block = bench.run("report run --fastchess").expect_code(0).stdout();
    let counts = |text: &str| text.lines().rfind(|line| line.starts_with("Games:")).map(str::to_owned);
    assert_eq!(counts(&block), counts(&printed));
    assert!(
        block.contains("Results of A vs B (100 nodes") && block.contains("Ptnml(0-2): [2, 0, 0, 0, 0]"),
        "{block}"
    );
    // It is resumed and repeated as any run.
    bench.run("run run --out again").expect_code(0);
    assert_eq!(bench.read("run/games.pgn"), bench.read("again/games.pgn"));
}

#[test]
fn a_run_folder_is_kept_where_it_is_asked_for() {
    let bench = bench();
    play(&bench, ["well", "well"], "-rounds 2 -maxmoves 10 -outdir kept").expect_code(0);
    bench.run("status kept").expect_code(0).shows(&["4 of 4"]);
    play(&bench, ["well", "well"], "-rounds 2 -outdir kept").expect_code(1);
}

#[test]
fn the_score_line_of_cutechess_counts_single_games() {
    let bench = bench();
    let text = format!(
        "cutechess -engine cmd={MOCK_ENGINE} name=A arg=illegal -engine cmd={MOCK_ENGINE} name=B arg=well \
         -each proto=uci tc=inf nodes=100 -games 2 -rounds 2 -repeat -openings file=mini.epd format=epd -pgnout games.pgn \
         -epdout final.epd"
    );
    let said = run(&bench, &text).expect_code(0).shows(&["Score of A vs B: 0 - 4 - 0  [0.000] 4"]).stdout();
    let results = "\
...      A playing White: 0 - 2 - 0  [0.000] 2
...      A playing Black: 0 - 2 - 0  [0.000] 2
...      White vs Black: 2 - 2 - 0  [0.500] 4
Elo difference: -inf +/- nan, LOS: 2.3 %, DrawRatio: 0.0 %
SPRT: llr 0 (0.0%), lbound -inf, ubound inf

Player: A
   \"Loss: Black makes an illegal move: a1h8\": 2
   \"Loss: White makes an illegal move: a1h8\": 2
Player: B
   \"Win: Black makes an illegal move: a1h8\": 2
   \"Win: White makes an illegal move: a1h8\": 2
Finished match
";
    assert!(said.ends_with(results), "{said}");
    assert_eq!(bench.read("games.pgn").matches("[Result ").count(), 4);
    let positions = bench.read("final.epd");
    assert!(positions.lines().all(|fen| fen.split(' ').count() == 6 && !fen.contains("hmvc")), "{positions}");
    assert!(!bench.path("config.json").exists());
}

#[test]
fn every_two_engines_of_cutechess_alternate_colours() {
    let bench = bench();
    let engines = ["A", "B", "C", "D"].map(|name| format!("-engine cmd={MOCK_ENGINE} name={name} ")).concat();
    let text = format!(
        "cutechess {engines}-each proto=uci tc=inf nodes=9 -maxmoves 1 -games 2 -rounds 3 -pgnout games.pgn"
    );
    run(&bench, &text).expect_code(0);
    let pgn = bench.read("games.pgn");
    let players = Regex::new("\\[White \"(.)\"\\]\n\\[Black \"(.)\"\\]").unwrap();
    let games: Vec<String> =
        players.captures_iter(&pgn).map(|found| format!("{}{}", &found[1], &found[2])).collect();
    let round = ["AD", "DA", "BC", "CB", "AC", "CA", "DB", "BD", "AB", "BA", "CD", "DC"];
    assert_eq!(games, round.repeat(3));
}

#[test]
fn what_an_engine_sends_instead_of_a_move_is_told() {
    let said = play(&bench(), ["unreadable", "well"], "-rounds 1").expect_code(0).stdout();
    assert!(said.contains("Warning; Illegal move Nf3 played by A"), "{said}");
}

/// The words after `cutechess` for two engines that play the same moves each time.
fn cutechess(bench: &Workbench, rest: &str) -> Finished {
    let text = format!(
        "cutechess -engine cmd={MOCK_ENGINE} name=A arg=well -engine cmd={MOCK_ENGINE} name=B arg=well -each proto=uci tc=inf \
         nodes=9 -maxmoves 8 {rest}"
    );
    run(bench, &text)
}

#[test]
#[cfg_attr(windows, ignore = "its engine is a shell script")]
fn a_crash_is_told_in_the_words_of_the_engine() {
    let bench = bench();
    bench.write_script("crash", "echo 'panicked at main.rs:1' >&2; exit 3");
    for (rest, place) in [("", "-outdir DIR"), ("-outdir kept", "game 1 is kept/bad/1.log")] {
        let both = format!("cmd=./crash name=C proto=uci tc=inf nodes=9 -rounds 1 -recover {rest}");
        for dialect in ["fastchess", "cutechess"] {
            let _ = fs::remove_dir_all(bench.path("kept"));
            let line =
                format!("{dialect} -engine cmd={MOCK_ENGINE} name=A proto=uci tc=inf nodes=9 -engine {both}");
            let said = run(&bench, &line).stderr();
            let words = "Info; C wrote to its error output:\n  panicked at main.rs:1\nInfo; the protocol of ";
            assert!(said.contains(words) && said.contains(place), "{said}");
        }
    }
}

#[test]
fn an_opening_is_repeated_as_often_as_cutechess_does() {
    let bench = bench();
    let book = "-openings file=mini.epd format=epd -pgnout games.pgn";
    for (rest, openings, warning) in [
        (
            "-rounds 5 -repeat",
            &[0, 0, 1, 1, 2][..],
            "Warning: 2 opening repetitions vs 1 games per encounter",
        ),
        ("-games 4 -repeat 1", &[0, 1, 2, 3], ""),
        ("-games 6 -repeat 3", &[0, 0, 0, 1, 1, 1], ""),
        ("-games 4 -repeat 4", &[0, 0, 0, 0], ""),
        ("-games 2 -rounds 2 -repeat", &[0, 0, 1, 1], ""),
    ] {
        let _ = fs::remove_file(bench.path("games.pgn"));
        let finished = cutechess(&bench, &format!("{book} {rest}")).expect_code(0);
        assert_eq!(
            finished.stderr().lines().find(|line| line.contains("per encounter")).unwrap_or_default(),
            warning
        );
        let pgn = bench.read("games.pgn");
        let fens: Vec<&str> = pgn.lines().filter_map(|line| line.strip_prefix("[FEN \"")).collect();
        let expected: Vec<&str> = openings.iter().filter_map(|index| BOOK.lines().nth(*index)).collect();
        let fens: Vec<&str> = fens.iter().map(|fen| fen.trim_end_matches("\"]")).collect();
        assert_eq!(fens, expected, "{rest}");
        let whites: String =
            pgn.lines().filter_map(|line| line.strip_prefix("[White \"")).map(|name| &name[..1]).collect();
        assert_eq!(whites, "ABABAB"[..whites.len()]);
    }
}

/// The places in the book of the openings of four engines' round robin of two games for each encounter, twice over.
fn openings_of_four(bench: &Workbench, dialect: &str, policy: &str) -> (Vec<usize>, String) {
    let engine = |name| {
        format!(
            "-engine cmd={MOCK_ENGINE} name={name} {}=well",
            if dialect == "cutechess" { "arg" } else { "args" }
        )
    };
    let engines = ["A", "B", "C", "D"].map(engine).join(" ");
    let pgn = if dialect == "cutechess" { "games.pgn" } else { "file=games.pgn" };
    let _ = fs::remove_file(bench.path("games.pgn"));
    let finished = bench.run(&format!(
        "{dialect} {engines} -each proto=uci tc=inf nodes=9 -maxmoves 1 -games 2 -rounds 2 -repeat -concurrency 1 \
         -openings file=long.epd format=epd order=sequential {policy} -pgnout {pgn}"
    ));
    let finished = finished.expect_code(0);
    let book = bench.read("long.epd");
    let place = |line: &str| {
        let fen = line.strip_prefix("[FEN \"")?.strip_suffix("\"]")?;
        book.lines().position(|known| known == fen)
    };
    (bench.read("games.pgn").lines().filter_map(place).step_by(2).collect(), finished.stderr())
}

#[test]
fn cutechess_walks_the_whole_book_and_fastchess_warns_where_it_does_not() {
    let bench = bench();
    let places = (1..7).flat_map(|one| (1..7).map(move |other| [one, other]));
    let lines = places
        .map(|[one, other]| format!("4k3/8/{one}p{}/8/8/{other}P{}/8/4K3 w - - 0 1\n", 7 - one, 7 - other));
    bench.write("long.epd", &lines.collect::<String>());
    // As cutechess-cli 1.5.1 and fastchess 1.8.2 play them.
    let each: Vec<usize> = (0..12).collect();
    let of = |dialect, policy| openings_of_four(&bench, dialect, policy);
    assert_eq!(of("cutechess", ""), (each.clone(), String::new()));
    assert_eq!(of("cutechess", "policy=encounter").0, each);
    assert_eq!(of("cutechess", "policy=round").0, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    let (openings, said) = of("fastchess", "");
    assert_eq!(openings, [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
    assert!(
        said.contains("Warning; from round 2 on, every two engines have openings that they had before"),
        "{said}"
    );
    assert!(said.contains("12 games with the moves of an earlier one"), "{said}");
}

#[test]
fn every_line_of_the_engines_can_be_seen() {
    let bench = bench();
    for option in ["-debug", "-debug all"] {
        let said = cutechess(&bench, option).expect_code(0).stdout();
        for line in ["[0-9]+ >A\\(0\\): uci", "[0-9]+ <B\\(1\\): uciok", "[0-9]+ <A\\(0\\): bestmove [a-h]"] {
            assert!(Regex::new(&format!("(?m)^{line}")).unwrap().is_match(&said), "{line}: {said}");
        }
    }
    // No line is torn by another thread.
    let said = cutechess(&bench, "-debug -rounds 40 -concurrency 4").expect_code(0).stdout();
    let whole =
        "^([0-9]+ [<>][AB]\\([0-9]+\\): |(Started|Finished) |Score of |Elo |SPRT: |Player: |[.]{3}|   \"|$)";
    let whole = Regex::new(whole).unwrap();
    let torn: Vec<&str> = said.lines().filter(|line| !whole.is_match(line)).collect();
    assert_eq!((torn, said.matches("\nScore of A vs B: ").count()), (Vec::new(), 40));
    play(
        &bench,
        ["well", "well"],
        "-rounds 1 -maxmoves 2 -show-latency -log file=log level=info engine=true",
    );
    let log = bench.read("log");
    for line in
        ["< +[01]>  A <--- go nodes 100", "A ---> bestmove", "--- Engine A latency: -?[0-9]+ms \\(elapsed: "]
    {
        assert!(Regex::new(line).unwrap().is_match(&log), "{line}: {log}");
    }
}

#[test]
#[cfg_attr(windows, ignore = "its engine is a shell script")]
fn an_engine_of_cutechess_is_configured_by_name() {
    let bench = bench();
    bench.write_script("engine", "echo 'info depth 1 score cp 50'; echo \"init: $first\" >&2; exit 1");
    let (script, mock) = (bench.path("engine"), MOCK_ENGINE);
    let engines = format!(
        r#"[{{"name": "One", "command": "{mock}", "protocol": "uci", "options": [{{"name": "Hash", "value": 8}}]}},
            {{"name": "Two", "command": "{}", "workingDirectory": "/", "protocol": "uci", "stderrFile": "errors.txt"}}]"#,
        script.display()
    );
    bench.write("engines.json", &engines);
    assert_eq!(bench.run("cutechess -engines").stdout(), "One\nTwo\n");
    let line = "cutechess -engine conf=One -engine conf=Two -each tc=inf nodes=9 -games 2 -recover -debug";
    let said = run(&bench, line).expect_code(0).stdout();
    assert!(said.contains("Score of One vs Two: 2 - 0 - 0  [1.000] 2"), "{said}");
    assert!(said.contains(">One(0): setoption name Hash value 8"), "{said}");
    assert_eq!(bench.read("errors.txt").matches("init: ").count(), 2);
    let said = bench.run("cutechess -engine conf=Three").expect_code(1).stderr();
    assert!(said.contains("Unknown engine configuration: \"Three\""), "{said}");
}

#[test]
fn a_book_of_one_engine_moves_for_it_alone() {
    let bench = bench();
    // 1. e4 e5 and 1... c5 for the first engine, 2. Nf3 too late for its depth.
    let entries = [
        (0x463b_9618_1691_fc9c_u64, 0x031c_u16, 1_u16),
        (0x0844_931a_6ef4_b9a0, 0x0195, 0),
        (0x823c_9b50_fd11_4196, 0x0ce2, 0),
        (0x823c_9b50_fd11_4196, 0x0d24, 7),
    ];
    let bytes = |(key, played, weight): &(u64, u16, u16)| {
        [&key.to_be_bytes()[..], &played.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
    };
    let mut sorted = entries.to_vec();
    sorted.sort_unstable();
    fs::write(bench.path("one.bin"), sorted.iter().map(bytes).collect::<Vec<_>>().concat()).unwrap();
    fs::write(bench.path("odd.bin"), [0; 15]).unwrap();
    let play = |books: [&str; 2]| {
        let _ = fs::remove_file(bench.path("games.pgn"));
        let engine =
            |name: &str, book: &str| format!("-engine cmd={MOCK_ENGINE} name={name} arg=well {book} ");
        let engines = engine("A", books[0]) + &engine("B", books[1]);
        let each = "-each proto=uci tc=5+1 -maxmoves 6 -games 2 -pgnout games.pgn -debug";
        let finished = run(&bench, &format!("cutechess {engines}{each}")).expect_code(0);
        let said = finished.stdout();
        (finished.stderr(), bench.read("games.pgn"), said)
    };
    let (warnings, pgn, said) = play(["book=one.bin bookdepth=1", ""]);
    assert_eq!((warnings, pgn.matches("{book}").count()), (String::new(), 1), "{pgn}");
    assert!(pgn.contains("\n\n1. e4 {book} "), "{pgn}");
    // B is asked after the book's move; the clock of A has not moved.
    assert!(said.contains(">B(1): position startpos moves e2e4\n"), "{said}");
    assert!(!said.contains(">A(0): position startpos\n"), "{said}");
    let (_, pgn, _) = play(["book=one.bin", "book=one.bin bookdepth=1"]);
    assert_eq!(pgn.matches("\n\n1. e4 {book} e5 {book} ").count(), 2, "{pgn}");
    let (warnings, pgn, _) = play(["book=odd.bin", "book=none.bin"]);
    assert_eq!(
        warnings,
        "Warning: Invalid size for opening book odd.bin\nWarning: Can't read opening book file odd.bin\n\
         Warning: Can't read opening book file none.bin\n"
    );
    assert!(!pgn.contains("{book}"), "{pgn}");
}

#[test]
fn scores_of_white_are_turned_for_black() {
    let bench = bench();
    let scores = |pov: &str| -> Vec<i32> {
        let engine = |name: &str| format!("-engine cmd={MOCK_ENGINE} name={name} {pov} ");
        let each = "-each proto=uci tc=inf nodes=9 -maxmoves 8 -pgnout games.pgn";
        let _ = fs::remove_file(bench.path("games.pgn"));
        let line = format!("cutechess {}{}{each}", engine("A"), engine("B"));
        run(&bench, &line).expect_code(0);
        let score = Regex::new(r"\{([+-][0-9.]+)/").unwrap();
        let pgn = bench.read("games.pgn");
        score.captures_iter(&pgn).map(|found| found[1].replace('.', "").parse().unwrap()).collect()
    };
    let (own, turned) = (scores(""), scores("whitepov"));
    assert_eq!(own.len(), 16);
    for (ply, (own, turned)) in own.iter().zip(turned).enumerate() {
        assert_eq!(if ply % 2 == 0 { *own } else { -own }, turned, "ply {ply}");
    }
}

#[test]
fn the_engines_meet_in_the_order_of_the_original() {
    let bench = bench();
    let engines = ["A", "B", "C", "D"].map(|name| format!("-engine cmd={MOCK_ENGINE} name={name} ")).concat();
    for (line, games) in [
        ("cutechess", "ADBCACDBABCD"),
        ("cutechess -tournament gauntlet -seeds 2", "ACADBCBD"),
        ("cutechess -tournament pyramid", "BACACBDADBDC"),
        ("fastchess", "ABACADBCBDCD"),
        ("fastchess -tournament gauntlet -seeds 2", "ABACADBCBD"),
    ] {
        let rest = if line.starts_with('c') { "-games 2" } else { "-games 2 -rounds 1" };
        let line = format!("{line} {engines} -each proto=uci tc=inf nodes=9 -maxmoves 1 {rest}");
        let said = run(&bench, &line).expect_code(0).stdout();
        let met = Regex::new(r"Started game [0-9]*[13579] of [0-9]+ \((.) vs (.)\)").unwrap();
        let met: Vec<String> =
            met.captures_iter(&said).map(|found| format!("{}{}", &found[1], &found[2])).collect();
        assert_eq!(met.concat(), games, "{line}");
    }
}

#[test]
fn what_cutechess_only_warns_of_does_not_stop_a_match() {
    let bench = bench();
    let finished = cutechess(&bench, "-pgnout no/such.pgn -rounds 2").expect_code(0);
    assert_eq!(finished.stderr().matches("Warning: Could not open PGN file no/such.pgn\n").count(), 2);
    assert!(finished.stdout().contains("Score of A vs B: 0 - 0 - 2  [0.500] 2"), "{}", finished.stdout());
    let (engine, rest) =
        (TARRASCH, "-each proto=uci tc=inf nodes=9 -maxmoves 2 -rounds 2 -repeat -pgnout games.pgn -wait 1");
    let line =
        format!("cutechess -engine cmd={engine} -engine cmd={engine} name=B -variant fischerandom {rest}");
    run(&bench, &line).expect_code(0).shows(&["Finished game 2 (B vs Tarrasch"]);
    assert_eq!(bench.read("games.pgn").matches("[Variant \"fischerandom\"]").count(), 2);
}

#[test]
fn a_test_of_cutechess_ends_with_the_same_game() {
    // As cutechess-cli 1.5.1 printed it for the same games.
    for (test, games, result) in [
        (
            "elo0=0 elo1=50 alpha=0.05 beta=0.05",
            19,
            "llr 3.1 (105.2%), lbound -2.94, ubound 2.94 - H1 was accepted",
        ),
        (
            "elo0=50 elo1=0 alpha=0.1 beta=0.05",
            18,
            "llr -2.93 (-130.4%), lbound -2.89, ubound 2.25 - H0 was accepted",
        ),
    ] {
        let line = format!(
            "cutechess -engine cmd={MOCK_ENGINE} name=A arg=well -engine cmd={MOCK_ENGINE} name=B arg=illegal \
             -each proto=uci tc=inf nodes=100 -games 2 -rounds 200 -sprt {test}"
        );
        let said = run(&bench(), &line).expect_code(0).stdout();
        assert_eq!(said.matches("Finished game ").count(), games, "{said}");
        assert!(said.contains(&format!("\nSPRT: {result}\n")), "{said}");
    }
}

#[test]
fn a_test_goes_on_from_the_results_of_a_state_file() {
    let test = "-sprt elo0=-300 elo1=0 alpha=0.05 beta=0.05 -recover";
    let end = |said: &str| said.lines().rfind(|line| line.starts_with("Games: ")).map(str::to_owned);
    let bench = bench();
    let whole = play(&bench, ["illegal", "well"], &format!("-rounds 50 {test}")).expect_code(0).stdout();
    assert!(whole.contains("completed - H0 was accepted"), "{whole}");
    play(&bench, ["illegal", "well"], &format!("-rounds 2 {test}")).expect_code(0);
    let rest = bench.run("fastchess -config file=config.json -rounds 50").expect_code(0).stdout();
    assert!(rest.contains("Started game 5 of 100") && rest.contains("completed - H0 was accepted"), "{rest}");
    assert_eq!(end(&rest), end(&whole));
}

#[test]
fn the_ranking_of_cutechess_has_the_columns_that_are_asked_for() {
    let bench = bench();
    let third = format!("-engine cmd={MOCK_ENGINE} name=C arg=illegal proto=uci");
    let said = cutechess(&bench, &format!("{third} -resultformat term -games 2")).expect_code(0).stdout();
    // As cutechess-cli 1.5.1 printed it.
    let table = "\
Rank Name                          Elo     +/-   Games   Score    Time Illegal  Discon   Stall WrClaim \n   \
   1 B                             191     452       4   75.0%       0       0       0       0       0 \n   \
   2 A                             191     452       4   75.0%       0       0       0       0       0 \n   \
   3 C                            -inf     nan       4    0.0%       0       4       0       0       0 \n";
    assert!(said.contains(table), "{said}");
}

#[test]
fn a_program_is_found_in_the_current_folder() {
    let bench = bench();
    fs::copy(MOCK_ENGINE, bench.path("an-engine-of-mine")).unwrap();
    let rest = "-engine cmd=an-engine-of-mine args=well name=C -rounds 1 -maxmoves 2";
    play(&bench, ["well", "well"], rest).expect_code(0);
}

#[test]
fn a_wrong_word_is_one_clear_error() {
    let bench = bench();
    for (rest, said) in [
        ("-pgnoutt", "Unrecognized option: -pgnoutt parsing failed.: Did you mean \"-pgnout\"?\n"),
        ("-openings file=none.epd", "-openings file=none.epd: expected a file"),
        ("-log level", "Reason: Option \"-log\" expects key=value pairs, got \"level\".\n"),
    ] {
        play(&bench, ["well", "well"], rest).expect_code(1).shows(&[said]);
        assert!(!bench.path("games.pgn").exists());
    }
    let finished = play(&bench, ["well", "well"], "-log file=no/such -rounds 1 -maxmoves 1").expect_code(0);
    assert!(finished.stderr().starts_with("Failed to open log file.\n-log: "), "{}", finished.stderr());
    for option in ["-pgnout", "-epdout"] {
        let rest = format!("{option} file=no/such -rounds 1 -maxmoves 1");
        let said = play(&bench, ["well", "well"], &rest).expect_code(0).stderr();
        let warning = format!("Warning; {option}: expected a file that can be written, found no/such: ");
        assert!(said.starts_with(&warning), "{said}");
    }
    for (name, said) in [
        ("cutechess", "-rounds: expected a number"),
        ("cutechess-cli", "-rounds: expected a number"),
        ("./fastchess", "Unrecognized option: -outcomeinterval"),
        ("chess", "--: expected fastchess, cutechess-cli or their first option, found `chess`"),
    ] {
        let finished =
            bench.run(&["run", "--", name, "-outcomeinterval", "1", "-rounds", "x"]).expect_code(2);
        assert!(finished.stderr().contains(said), "{}", finished.stderr());
    }
}
