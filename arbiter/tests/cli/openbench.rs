//! `arbiter openbench`: its requests to a site, and what people see of the answers.

use std::collections::BTreeMap;
use std::io::Write;

use bzip2::Compression;
use bzip2::write::BzEncoder;
use serde_json::{Value, json};

use crate::openbench_site::{Behaviour, OpenBenchSite, PASSWORD, USER};
use crate::workbench::{Finished, Workbench};

/// Runs a command with the login of the site's user.
fn run(bench: &Workbench, site: &OpenBenchSite, command: &str, args: &[&str]) -> Finished {
    run_as(bench, site, PASSWORD, command, args)
}

fn run_as(bench: &Workbench, site: &OpenBenchSite, password: &str, command: &str, args: &[&str]) -> Finished {
    let mut program = bench.command(&[&["openbench", command, &site.url], args].concat());
    program.env("OPENBENCH_USERNAME", USER).env("OPENBENCH_PASSWORD", password);
    Finished::of(program.output().unwrap())
}

fn posted(site: &OpenBenchSite) -> BTreeMap<String, String> {
    site.asked("/scripts/").pop().expect("a test was posted").form
}

fn presets() -> Value {
    json!({
        "default": { "book_name": "small.epd", "test_bounds": "[0.00, 3.00]", "test_confidence": "[0.05, 0.05]" },
        "STC": { "both_options": "Threads=1 Hash=8 Move_Overhead=5", "both_time_control": "10.0+0.1", "workload_size": 16 },
        "Regression": { "both_options": "Threads=2 Hash=64", "both_time_control": "60.0+0.6", "test_max_games": 40000 },
    })
}

#[test]
fn a_test_is_posted_with_every_field_of_the_form() {
    let site = OpenBenchSite::start(Behaviour::default());
    let bench = Workbench::new();
    let words = "tiny@feature/x:Hash=64,nodes=3000 Tiny@v1.0 --tc 8+0.08 --sprt -2,1.5 --alpha 0.1 --beta 0.2 --draw \
                 move=34,count=8,score=20 --resign none --syzygy-adj 6 --upload-pgns compact --priority -1 --throughput 500 \
                 --workload-size 4 --scale-method dev --scale-nps 123 --base-network old --dev-bench 777 --dev-repo \
                 https://github.com/ann/Tiny";
    let args: Vec<&str> = words.split(' ').chain(["--info", "a \"test\"\nwith 50% & more + é"]).collect();
    let finished = run(&bench, &site, "submit", &args).expect_code(0);
    assert_eq!(finished.stdout(), format!("  Test 1: {}/test/1/\n", site.url));
    let expected = [
        ("action", "CREATE_TEST"),
        ("base_bench", ""),
        ("base_branch", "v1.0"),
        ("base_engine", "Tiny"),
        ("base_network", "BBBB2222"),
        ("base_options", "Threads=1 Hash=16"),
        ("base_repo", "https://github.com/kit/Tiny"),
        ("base_time_control", "8.0+0.08"),
        ("book_name", "small.epd"),
        ("dev_bench", "777"),
        ("dev_branch", "feature/x"),
        ("dev_engine", "Tiny"),
        ("dev_network", "AAAA1111"),
        ("dev_options", "Threads=1 Hash=64"),
        ("dev_repo", "https://github.com/ann/Tiny"),
        ("dev_time_control", "N=3000"),
        ("draw_adj", "movenumber=34 movecount=8 score=20"),
        ("info", "a \"test\"\nwith 50% & more + é"),
        ("password", PASSWORD),
        ("priority", "-1"),
        ("scale_method", "DEV"),
        ("scale_nps", "123"),
        ("syzygy_adj", "6-MAN"),
        ("syzygy_wdl", "DISABLED"),
        ("test_bounds", "[-2, 1.5]"),
        ("test_confidence", "[0.2, 0.1]"),
        ("test_max_games", "N/A"),
        ("test_mode", "SPRT"),
        ("throughput", "500"),
        ("upload_pgns", "COMPACT"),
        ("username", USER),
        ("win_adj", "None"),
        ("workload_size", "4"),
    ];
    assert_eq!(posted(&site), expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
}

#[test]
fn a_created_test_is_found_or_said_to_be_taken() {
    let submit = |outage: &'static str, passed: usize| {
        let outages = BTreeMap::from([(outage, passed)]);
        let tests = BTreeMap::from([(2, json!({ "author": "kit" })), (1, json!({ "author": "kit" }))]);
        let site = OpenBenchSite::start(Behaviour { tests, outages, ..Behaviour::default() });
        let finished = run(&Workbench::new(), &site, "submit", &["Tiny@dev", "Tiny@master"]);
        (finished, site)
    };
    for (page, passed) in [("/index/", 0), ("/api/workload/3/info/", 0)] {
        let (finished, site) = submit(page, passed);
        let error = finished.expect_code(2).stderr();
        assert!(error.starts_with("error: the site has taken the test"), "{error}");
        assert_eq!(site.asked("/scripts/").len(), 1);
    }
    let (finished, site) = submit("/api/workload/2/info/", 0);
    finished.expect_code(0).shows(&[&format!("Test 3: {}/test/3/", site.url)]);
}

#[test]
fn a_preset_of_the_site_comes_before_our_defaults_and_what_is_typed_before_it() {
    let site = OpenBenchSite::start(Behaviour { presets: presets(), ..Behaviour::default() });
    let bench = Workbench::new();
    let fields = |args: &[&str]| {
        run(&bench, &site, "submit", &[&["Tiny@dev", "Tiny@master"], args].concat()).expect_code(0);
        let form = posted(&site);
        ["base_options", "dev_time_control", "test_mode", "test_bounds", "test_max_games", "workload_size"]
            .map(|field| form[field].clone())
    };
    let usual = ["Threads=1 Hash=8 Move_Overhead=5", "10.0+0.1", "SPRT", "[0.00, 3.00]", "N/A", "16"];
    assert_eq!(fields(&[]), usual);
    let regression = ["Threads=2 Hash=64", "60.0+0.6", "GAMES", "N/A", "40000", "32"];
    assert_eq!(fields(&["--preset", "regression"]), regression);
    let typed = ["Threads=1 Hash=32 Move_Overhead=5", "40/60.0+0.00", "GAMES", "N/A", "100", "16"];
    assert_eq!(fields(&["--hash", "32", "--tc", "40/60", "--games", "100"]), typed);
}

#[test]
fn a_dry_run_prints_the_fields_and_posts_nothing() {
    let site = OpenBenchSite::start(Behaviour::default());
    let bench = Workbench::new();
    let args = ["openbench", "submit", &site.url, "Tiny@dev", "Tiny@master", "--dry-run"];
    let fields = bench.run(&args).expect_code(0).stdout();
    assert!(
        fields.contains("\ndev_branch=dev\n") && fields.contains("\ntest_bounds=[0.00, 5.00]\n"),
        "{fields}"
    );
    assert!(site.asked("/scripts/").is_empty() && !fields.contains("password"), "{fields}");
}

#[test]
#[cfg(unix)]
fn no_password_stands_on_a_command_line() {
    let site = OpenBenchSite::start(Behaviour { is_private: true, ..Behaviour::default() });
    let bench = Workbench::new();
    bench.write_program(
        "bin/curl",
        "#!/bin/sh\necho \"$@\" >> \"$HOME.log\"\nPATH=$OLD_PATH\nexec curl \"$@\"\n",
    );
    let path = std::env::var("PATH").unwrap();
    let mut program = bench.command(&["openbench", "submit", &site.url, "Tiny@dev", "Tiny@master"]);
    program.env("OPENBENCH_USERNAME", USER).env("OPENBENCH_PASSWORD", PASSWORD);
    program.env("PATH", format!("{}:{path}", bench.path("bin").display())).env("OLD_PATH", path);
    Finished::of(program.output().unwrap()).expect_code(0);
    let lines = bench.read("home.log");
    assert!(lines.lines().count() > 1 && lines.lines().all(|line| line == "--disable --config -"), "{lines}");
}

#[test]
fn a_refusal_is_one_error_with_the_reasons() {
    let refusal = "Book was not found\n&quot;Hash&quot; needs to be at least 1";
    let site = OpenBenchSite::start(Behaviour { refusal: Some(refusal.to_owned()), ..Behaviour::default() });
    let bench = Workbench::new();
    let engines = ["Tiny@dev", "Tiny@master"];
    let error = |finished: Finished| finished.expect_code(2).stderr().replace(&site.url, "SITE");
    assert_eq!(
        error(run(&bench, &site, "submit", &engines)),
        "error: SITE refuses the test: Book was not found; \"Hash\" needs to be at least 1\n"
    );
    assert_eq!(
        error(run_as(&bench, &site, "wrong", "submit", &engines)),
        "error: SITE refuses the login of ann: the password is wrong, or the account is not enabled\n"
    );
    let nobody = bench.run(&[&["openbench", "submit", &site.url], &engines[..]].concat());
    assert!(error(nobody).starts_with("error: SITE asks for a login: expected OPENBENCH_USERNAME"));
    let none_posted = site.asked("/scripts/").len();
    let mixture = ["Tiny@dev", "Tiny@master", "--sprt=0,3", "--mixture"];
    let text = error(run(&bench, &site, "submit", &mixture));
    assert!(text.contains("--mixture: OpenBench has only the simple SPRT"), "{text}");
    for (args, expected) in [
        (
            ["Tini@dev", "Tiny@master", "--hash=1"],
            "engine `Tini`: expected one of the site's: Tiny; did you mean `Tiny`?",
        ),
        (
            ["Tiny@dev", "Tiny@master", "--book=8moves.epd"],
            "--book `8moves.epd`: expected one of the site's: small.epd",
        ),
        (["Tiny@dev", "Tiny@master", "--preset=LTC"], "--preset `LTC`: the site has none"),
        (["Tiny@dev", "Tiny@master", "--tc=0.25"], "time control 0.25: expected tenths of a second"),
        (["Tiny@HEAD", "Tiny@master", "--hash=1"], "that GitHub knows, found the revision `HEAD`"),
        (
            ["Tiny@dev", "Tiny@master", "--base-network=odd"],
            "network of Tiny `odd`: expected one of the site's: big, old",
        ),
    ] {
        let text = error(run(&bench, &site, "submit", &args));
        assert!(text.contains(expected), "{text}");
    }
    assert_eq!(site.asked("/scripts/").len(), none_posted);
}

#[test]
fn a_site_that_is_none_is_an_error_of_the_user() {
    let site = OpenBenchSite::start(Behaviour::default());
    let bench = Workbench::new();
    for (url, expected) in [
        ("openbench.example.org", "expected the address of a site"),
        ("http://ann:secret@localhost", "expected the address of a site"),
        ("http://127.0.0.1:1", "curl: (7)"),
        (&format!("{}/elsewhere", site.url), "expected a page of OpenBench, found the HTTP status 500"),
        (&format!("{}/login/?", site.url), "expected the address of a site"),
    ] {
        let error = bench.run(&["openbench", "status", url, "1"]).expect_code(2).stderr();
        assert!(
            error.starts_with("error: ") && error.contains(expected) && error.lines().count() == 1,
            "{error}"
        );
    }
    let mut program = bench.command(&["openbench", "status", &site.url]);
    let finished = Finished::of(program.env("PATH", bench.path("empty")).output().unwrap());
    assert_eq!(
        finished.expect_code(2).stderr(),
        "error: expected the program curl on the search path, found none\n"
    );
}

fn tests() -> BTreeMap<u64, Value> {
    let counts = json!([1, 5, 12, 9, 3]);
    BTreeMap::from([
        (3, json!({ "finished": true, "passed": true })),
        (
            7,
            json!({ "approved": false, "test_mode": "GAMES", "max_games": 1000, "dev_time_control": "N=3000" }),
        ),
        (12, json!({ "penta": counts, "tri": [10, 30, 20], "games": 60, "book_name": "e\u{1b}[31mvil" })),
        (13, json!({ "test_mode": "SPSA", "finished": true })),
    ])
}

#[test]
fn tests_that_wait_or_run_are_shown_by_our_own_numbers() {
    let site = OpenBenchSite::start(Behaviour { tests: tests(), ..Behaviour::default() });
    let bench = Workbench::new();
    let text = bench.run(&["openbench", "status", &site.url]).expect_code(0).stdout();
    insta::assert_snapshot!(text.replace(&site.url, "http://site"));
    let json = bench.run(&["openbench", "status", &site.url, "12", "3", "--json"]).expect_code(0).stdout();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&json[0]["test"], &json[0]["phase"], &json[1]["phase"]),
        (&json!(12), &json!("running"), &json!("passed"))
    );
    assert_eq!(json[0]["result"]["observations"]["pairs"], json!([1, 5, 12, 9, 3]));
    let error = bench.run(&["openbench", "status", &site.url, "13"]).expect_code(2).stderr();
    assert_eq!(error, "error: workload 13: expected a test (SPRT or GAMES), found SPSA\n");
    let error = bench.run(&["openbench", "status", &site.url, "99"]).expect_code(2).stderr();
    assert!(error.ends_with("/api/workload/99/info/: Requested Workload Id does not exist\n"), "{error}");
}

#[test]
fn a_private_site_is_shown_to_its_users() {
    let behaviour = Behaviour { tests: tests(), is_private: true, ..Behaviour::default() };
    let site = OpenBenchSite::start(behaviour);
    let bench = Workbench::new();
    run(&bench, &site, "status", &[]).expect_code(0).shows(&["Test 12: running"]);
    run_as(&bench, &site, "wrong", "status", &["12"]).expect_code(2).tells(&["refuses the login of ann"]);
    bench.run(&["openbench", "status", &site.url, "12"]).expect_code(2).tells(&["asks for a login"]);
}

#[test]
fn watching_ends_with_the_tests() {
    let site = OpenBenchSite::start(Behaviour { tests: tests(), ..Behaviour::default() });
    let bench = Workbench::new();
    let text = bench.run(&["openbench", "status", &site.url, "3", "--watch", "600"]).expect_code(0).stdout();
    assert_eq!(text.matches("Test 3: passed").count(), 1, "{text}");
}

#[test]
fn watching_goes_on_after_a_failure_of_the_site() {
    let outages = BTreeMap::from([("/api/workload/12/info/", 1)]);
    let behaviour = Behaviour { tests: tests(), outages, tests_end: true, ..Behaviour::default() };
    let site = OpenBenchSite::start(behaviour);
    let bench = Workbench::new();
    let watched = bench.run(&["openbench", "status", &site.url, "12", "--watch", "1"]).expect_code(0);
    let (text, said) = (watched.stdout(), watched.stderr());
    assert!(text.contains("Test 12: running") && text.contains("Test 12: stopped"), "{text}");
    assert!(said.contains("found the HTTP status 502; asking again in 1 s"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn one_odd_test_does_not_hide_the_others() {
    let mut tests = tests();
    tests.insert(14, json!({ "test_mode": "SPSA" }));
    let site = OpenBenchSite::start(Behaviour { tests, ..Behaviour::default() });
    let bench = Workbench::new();
    for form in [&[][..], &["--json"]] {
        let shown = bench.run(&[&["openbench", "status", &site.url], form].concat()).expect_code(0);
        let text = shown.stdout();
        assert!(text.contains("/test/12/") && text.contains("/test/7/"), "{text}");
        let said = "  warning: workload 14: expected a test (SPRT or GAMES), found SPSA\n";
        assert_eq!(shown.stderr(), said);
    }
    bench.run(&["openbench", "status", &site.url, "14", "12"]).expect_code(2);
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
    let printed = run(&bench, &site, "report", &["5", "--out", "games/five"]).expect_code(0).stdout();
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
    let again = run(&bench, &site, "report", &["5", "--out", "games/five"]).expect_code(2).stderr();
    assert!(again.contains("expected a folder that does not exist"), "{again}");
}

#[test]
fn the_words_about_an_illegal_first_move_are_no_moves() {
    let words = "White {unknown} makes {unknown} an {unknown} illegal {unknown} 0-1";
    let odd = pair(1, ["0-1", "1-0"]).replacen("e4 {+0.20/9} e5 {-0.10/8} 0-1", words, 1);
    assert!(odd.contains(words), "{odd}");
    let site = site_with_games(archive(&[odd]), &json!({}));
    let bench = Workbench::new();
    let text = run(&bench, &site, "report", &["5", "--out", "five"]).expect_code(0).stdout();
    assert!(text.contains("2 in games.pgn (W 0 D 0 L 2)"), "{text}");
    bench.run("games extract five/games.pgn --skip 0 --out five.epd").expect_code(0);
}

#[test]
fn games_that_the_site_counts_and_does_not_have_are_named() {
    let site = site_with_games(archive(&[pair(1, ["1-0", "0-1"])]), &json!({}));
    let bench = Workbench::new();
    let text = run(&bench, &site, "report", &["5", "--out", "five"]).expect_code(0).stdout();
    assert!(text.contains("2 in games.pgn (W 2 D 0 L 0), 6 on the site (W 4 D 1 L 1)"), "{text}");
    let site = site_with_games(Vec::new(), &json!({ "upload_pgns": "FALSE" }));
    let text = run(&bench, &site, "report", &["5", "--out", "without"]).expect_code(0).stdout();
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
        run(&bench, &site, "report", &["5", "--out", "five"]).expect_code(2).tells(&[expected]);
    }
    assert_eq!(bench.listing(), before);
}
