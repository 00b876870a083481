//! `arbiter openbench`: the games of a test. The rest is in `scenarios/openbench.txt`.

use std::collections::BTreeMap;
use std::io::Write;

use bzip2::Compression;
use bzip2::write::BzEncoder;
use serde_json::{Value, json};

use crate::openbench_site::{Behaviour, OpenBenchSite, PASSWORD, USER};
use crate::workbench::{Finished, Workbench};

/// Runs `arbiter openbench report` for test 5, with the login of the site's user.
fn report(bench: &Workbench, site: &OpenBenchSite, out: &str) -> Finished {
    let mut program = bench.command(&["openbench", "report", &site.url, "5", "--out", out]);
    program.env("OPENBENCH_USERNAME", USER).env("OPENBENCH_PASSWORD", PASSWORD);
    Finished::of(program.output().unwrap())
}

fn pair(round: u64, results: [&str; 2]) -> String {
    let game = |white, black, result| {
        format!(
            "[Event \"Fastchess Tournament\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
             [Result \"{result}\"]\n[TimeControl \"8+0.08\"]\n[ScaleFactor \"1.1\"]\n\ne4 {{+0.20/9}} e5 {{-0.10/8}} {result}\n"
        )
    };
    [game("Tiny-dev", "Tiny-base", results[0]), game("Tiny-base", "Tiny-dev", results[1])].join("\n")
}

fn archive(files: &[String]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (index, text) in files.iter().enumerate() {
        let mut encoder = BzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text.as_bytes()).unwrap();
        let data = encoder.finish().unwrap();
        let mut header = tar::Header::new_gnu();
        header.set_size(data.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, format!("5.1.{index}.pgn.bz2"), &data[..]).unwrap();
    }
    archive.into_inner().unwrap()
}

/// A site with the finished test 5 and these games.
fn site_with_games(archive: Vec<u8>, facts: &Value) -> OpenBenchSite {
    let mut test = json!({
        "finished": true, "passed": true, "tri": [1, 1, 4], "penta": [0, 1, 0, 0, 2], "games": 6,
    });
    for (field, value) in facts.as_object().unwrap() {
        test[field] = value.clone();
    }
    OpenBenchSite::start(Behaviour { tests: BTreeMap::from([(5, test)]), archive, ..Behaviour::default() })
}

#[test]
fn the_games_of_all_workers_become_one_file_that_can_be_rated() {
    let files = [pair(1, ["1-0", "0-1"]) + "\n" + &pair(2, ["1/2-1/2", "1-0"]), pair(1, ["1-0", "0-1"])];
    let site = site_with_games(archive(&files), &json!({}));
    let bench = Workbench::new();
    let printed = report(&bench, &site, "games/five").expect_code(0).stdout();
    let summary = bench.read("games/five/summary.md");
    assert_eq!(printed, format!("{summary}\n  saved in games/five\n"));
    insta::assert_snapshot!(summary.replace(&site.url, "http://site"));
    let games = bench.read("games/five/games.pgn");
    let rounds: Vec<&str> = games.lines().filter(|line| line.starts_with("[Round")).collect();
    assert_eq!(rounds, [1, 1, 2, 2, 3, 3].map(|round| format!("[Round \"{round}\"]")));
    let result: Value = serde_json::from_str(&bench.read("games/five/result.json")).unwrap();
    assert_eq!((&result["test"], &result["result"]["games"]), (&json!(5), &json!(6)));
    bench.run("rate games/five").expect_code(0).shows(&["Tiny@1a2b3c4d", "Tiny@ffeeddcc"]);
    let sprt = bench.run("sprt games/five/games.pgn --engine Tiny@1a2b3c4d").expect_code(0).stdout();
    assert!(sprt.contains("[0, 1, 0, 0, 2]") && sprt.contains("W 4 D 1 L 1"), "{sprt}");
    let again = report(&bench, &site, "games/five").expect_code(2).stderr();
    assert!(again.contains("expected a folder that does not exist"), "{again}");
}

#[test]
fn the_words_about_an_illegal_first_move_are_no_moves() {
    let words = "White {unknown} makes {unknown} an {unknown} illegal {unknown} 0-1";
    let odd = pair(1, ["0-1", "1-0"]).replacen("e4 {+0.20/9} e5 {-0.10/8} 0-1", words, 1);
    assert!(odd.contains(words), "{odd}");
    let site = site_with_games(archive(&[odd]), &json!({}));
    let bench = Workbench::new();
    let text = report(&bench, &site, "five").expect_code(0).stdout();
    assert!(text.contains("2 in games.pgn (W 0 D 0 L 2)"), "{text}");
    bench.run("games extract five/games.pgn --skip 0 --out five.epd").expect_code(0);
}

#[test]
fn games_that_the_site_counts_and_does_not_have_are_named() {
    let site = site_with_games(archive(&[pair(1, ["1-0", "0-1"])]), &json!({}));
    let bench = Workbench::new();
    let text = report(&bench, &site, "five").expect_code(0).stdout();
    assert!(text.contains("2 in games.pgn (W 2 D 0 L 0), 6 on the site (W 4 D 1 L 1)"), "{text}");
    let site = site_with_games(Vec::new(), &json!({ "upload_pgns": "FALSE" }));
    let text = report(&bench, &site, "without").expect_code(0).stdout();
    assert!(text.contains("games: none") && !bench.path("without/games.pgn").exists(), "{text}");
}

#[test]
fn nothing_is_left_of_a_report_that_fails() {
    let bench = Workbench::new();
    let before = bench.listing();
    let torn = archive(&[pair(1, ["1-0", "0-1"])]);
    for (site, expected) in [
        (site_with_games(torn[..600].to_vec(), &json!({})), "5.1.0.pgn.bz2 of the archive"),
        (site_with_games(b"no archive".to_vec(), &json!({})), "the archive of games"),
        (
            site_with_games(archive(&[pair(1, ["1-0", "0-1"]).replace("Tiny", "Other")]), &json!({})),
            "expected Tiny-dev or Tiny-base as a player, found Other-dev",
        ),
        (
            site_with_games(br#"{ "error": "Still processing. Try again shortly" }"#.to_vec(), &json!({})),
            "/api/pgns/5/: Still processing. Try again shortly",
        ),
        (
            site_with_games(Vec::new(), &json!({ "finished": false, "passed": false })),
            "/test/5/: expected a test that is over, found one that is running",
        ),
    ] {
        report(&bench, &site, "five").expect_code(2).tells(&[expected]);
    }
    assert_eq!(bench.listing(), before);
}
