//! Games that must not run at the same time.

use runner::Event;

use crate::workbench::{Workbench, events};

#[test]
fn two_games_never_share_what_is_exclusive() {
    let bench = Workbench::with_mocks(&["well"]);
    let manifest = bench.read("engines/well/engine.toml");
    // The options table comes last in a mock's manifest, so keys can be added after the name.
    for (name, card) in [("one", "gpu0"), ("two", "gpu0"), ("three", "gpu1")] {
        let text = manifest.replace(
            "name = 'well'",
            &format!("name = '{name}'\nexclusive = '{card}'\nstart_timeout = '1m'"),
        );
        bench.write(&format!("engines/{name}/engine.toml"), &text);
    }
    let games =
        ["--games", "4", "--nodes", "20", "--maxmoves", "8", "--openings", "book.epd", "--out", "run"];
    let run = [&["match", "one", "two", "three", "well", "--concurrency", "4"], &games[..]].concat();
    bench.run(&run).expect_code(0);
    let mut spans = Vec::new();
    for event in events(&bench, "run") {
        if let Event::GameFinished(game) = event {
            for (card, users) in [("gpu0", [0, 1]), ("gpu1", [2, 2])] {
                if users.contains(&game.white) || users.contains(&game.black) {
                    spans.push((card, game.started, game.ended()));
                }
            }
        }
    }
    spans.sort_unstable();
    for pair in spans.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        assert!(pair[0].2 <= pair[1].1, "{pair:?}");
    }
    assert_eq!(spans.iter().filter(|span| span.0 == "gpu0").count(), 20);
    let alone = [&["match", "one", "well"], &games[..8], &["--out", "alone"]].concat();
    bench.run(&alone).expect_code(0).tells(&["4 games, 1 at once"]);
}
