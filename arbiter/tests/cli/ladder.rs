//! `arbiter match --ladder`: rungs, verdicts, and what is left of a ladder that was killed.

use runner::Event;
use stats::Ladder;

use crate::killed_runs::killed_again_and_again;
use crate::workbench::{Finished, Workbench, events, rows};

/// Engines that answer at once, in games of five moves.
const OPTIONS: &str = "--ladder 1+0.01,2+0.02,40/8 --sprt 0,200 --model logistic --maxmoves 5 --concurrency 1 \
                       --openings arbiter-balanced.epd";

const RUNGS: [&str; 3] = ["1-1+0.01", "2-2+0.02", "3-40_8"];

/// A seed of a ladder that plays on where an early rung stops it, or of one that does not.
fn seed(plays_on: bool) -> String {
    (0..1000).find(|&seed| Ladder::plays_on(seed) == plays_on).unwrap().to_string()
}

fn line(engines: &str, plays_on: bool, out: &str) -> String {
    format!("match {engines} {OPTIONS} --seed {} --out {out}", seed(plays_on))
}

fn climb(bench: &Workbench, engines: &str, plays_on: bool) -> Finished {
    bench.run(&line(engines, plays_on, "out"))
}

fn begun(bench: &Workbench) -> Vec<&'static str> {
    RUNGS.into_iter().filter(|rung| bench.path(&format!("out/{rung}")).exists()).collect()
}

#[test]
fn a_good_patch_climbs_to_the_last_rung_which_decides() {
    let bench = Workbench::with_mocks(&["illegal", "well"]);
    climb(&bench, "well illegal", false)
        .expect_code(0)
        .tells(&["rung 1 of 3: 1+0.01; SPRT [-50, 150] Elo, curved", "rung 3 of 3: 40/8; SPRT [0, 200] Elo"])
        .shows(&["goes on", "H1 accepted", "well is stronger than illegal", "saved in out"]);
    assert_eq!(begun(&bench), RUNGS);
    // Openings come in another order on each rung.
    let first = |rung: &str| rows(&bench, &format!("out/{rung}"))[0]["opening_fen"].clone();
    assert_ne!(first(RUNGS[0]), first(RUNGS[1]));
    bench.run("status out").expect_code(0).shows(&["1+0.01", "goes on", "finished: SPRT accepted H1"]);
    let pages = bench.run("report out").expect_code(0).stdout();
    let json = bench.run("report out --json").expect_code(0).stdout();
    for rung in RUNGS {
        assert!(pages.contains(&format!("{rung}/report.html")) || cfg!(windows), "{pages}");
        assert!(json.contains(rung), "{rung}");
    }
    bench.run("resume out").expect_code(0).shows(&["H1 accepted"]);
}

#[test]
fn a_bad_patch_costs_short_games_alone_but_for_one_in_ten() {
    let bench = Workbench::with_mocks(&["illegal", "well"]);
    climb(&bench, "illegal well", false)
        .expect_code(1)
        .shows(&["no chance", "illegal has no chance at 40/8: stopped after"]);
    bench.run("resume out").expect_code(1).shows(&["no chance"]);
    assert_eq!(begun(&bench), RUNGS[..1]);
    std::fs::remove_dir_all(bench.path("out")).unwrap();
    climb(&bench, "illegal well", true)
        .expect_code(1)
        .shows(&["no chance", "one ladder in ten plays on", "H0 accepted", "illegal is no gain over well"]);
    assert_eq!(begun(&bench), RUNGS);
}

#[test]
fn the_elo_of_the_rungs_says_whether_the_patch_scales() {
    let bench = Workbench::with_mocks(&["binary", "well"]);
    let undecided = line("well binary", true, "out") + " --games 4";
    bench.run(&undecided).expect_code(3).shows(&["scales: ", "Elo per doubling of the time", "undecided"]);
    // Only the last rung has the number of games that was asked for.
    assert_eq!(rows(&bench, &format!("out/{}", RUNGS[2])).len(), 4);
    assert_ne!(rows(&bench, &format!("out/{}", RUNGS[0])).len(), 4);
}

#[test]
fn a_ladder_that_is_killed_goes_on_to_the_same_games() {
    let bench = Workbench::with_mocks(&["illegal", "well"]);
    bench.run(&line("well illegal", false, "whole")).expect_code(0);
    let killed = line("well illegal", false, "out");
    let args: Vec<&str> = killed.split_whitespace().collect();
    assert!(killed_again_and_again(&bench, "out", "ladder.toml", &args) > 2);
    let games = |folder: &str, rung: &str| {
        let games = events(&bench, &format!("{folder}/{rung}")).into_iter().filter_map(|event| match event {
            Event::GameFinished(game) if game.is_counted() && !game.after_decision => {
                Some((game.game, game.opening.fen, game.result))
            }
            _ => None,
        });
        games.collect::<Vec<_>>()
    };
    for rung in RUNGS {
        assert!(!games("whole", rung).is_empty());
        assert_eq!(games("out", rung), games("whole", rung));
    }
    let state = ["out", "whole"].map(|folder| bench.read(&format!("{folder}/ladder.toml")));
    assert_eq!(state[0].split("[run]").next(), state[1].split("[run]").next());
}
