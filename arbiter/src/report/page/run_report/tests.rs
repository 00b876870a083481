use super::*;
use crate::html::markup_check::{problems, tags};
use crate::results::test_games::{config, game, lost_by, recorded, round_robin, two_engine_match};
use referee::Side;
use runner::{GameRecord, RunConfig, Termination};

fn report(config: &RunConfig, games: Vec<GameRecord>) -> RunReport {
    RunReport::of(recorded(config, games))
}

fn a_match() -> RunReport {
    let mut games = two_engine_match("wdwwldddwdwwlddd");
    games.push(lost_by(16, (0, 1), Side::Black, Termination::TimeLoss));
    report(&config(&["new", "old"], true), games)
}

/// The anchors of the sections, in page order.
fn sections(html: &str) -> Vec<String> {
    tags(html).into_iter().filter(|tag| tag.name == "section").filter_map(|tag| tag.attribute("id")).collect()
}

fn charts(html: &str) -> usize {
    html.matches("<svg class=\"chart\"").count()
}

#[test]
fn a_match_has_every_section_and_every_plot() {
    let html = a_match().html();
    assert_eq!(problems(&html), Vec::<String>::new());
    let expected = [
        "elo", "pairs", "timeline", "endings", "adjudication", "openings", "lengths", "search", "times",
        "faults", "games", "configuration",
    ];
    assert_eq!(sections(&html), expected);
    // Pairs, Elo, sequential test, lengths, evaluations, depth, speed, times, latencies.
    assert_eq!(charts(&html), 9);
    assert!(html.contains("Black loses on time"));
}

#[test]
fn a_tournament_has_a_crosstable_with_every_two_engines() {
    let html = report(&config(&["a", "b", "c", "d"], false), round_robin()).html();
    assert_eq!(problems(&html), Vec::<String>::new());
    assert_eq!(sections(&html)[..3], ["elo", "crosstable", "ratings"]);
    assert_eq!(html.matches("<td class=\"self\">").count(), 4);
    assert_eq!(html.matches("1.5<small>/2</small>").count(), 6);
}

#[test]
fn an_opening_names_its_first_games_and_counts_the_others() {
    let mut games = two_engine_match("wwwwwwdl");
    for game in &mut games {
        game.opening.index = 0;
    }
    let html = report(&config(&["new", "old"], false), games).html();
    assert!(html.contains("href=\"#game-6\">6</a> and 2 more"), "{html}");
}

#[test]
fn a_run_without_games_and_one_with_a_single_game_are_pages_too() {
    for results in ["", "w", "d"] {
        let html = report(&config(&["new", "old"], true), two_engine_match(results)).html();
        assert_eq!(problems(&html), Vec::<String>::new(), "{results}");
        assert!(!html.contains("NaN") && !html.contains("\"inf"), "{results}");
    }
}

#[test]
fn nothing_is_loaded_from_anywhere() {
    let html = a_match().html();
    for tag in tags(&html) {
        for name in ["src", "href", "xlink:href", "action", "data", "poster", "srcset"] {
            let Some(value) = tag.attribute(name) else { continue };
            assert!(value.starts_with('#') || value.starts_with("bad/"), "<{} {name}=\"{value}\">", tag.name);
        }
        assert!(
            !["link", "iframe", "img", "object", "embed", "base"].contains(&tag.name.as_str()),
            "<{}>",
            tag.name
        );
    }
    for call in ["fetch(", "XMLHttpRequest", "import(", "@import", "url(http"] {
        assert!(!html.contains(call), "{call}");
    }
    assert_eq!(html.matches("http").count(), html.matches("http://www.w3.org").count());
}

#[test]
fn text_from_engines_and_files_never_becomes_markup() {
    const HOSTILE: &str = "<script>alert(1)</script>\"'&<b>";
    let mut config = config(&["one", "other"], true);
    for engine in &mut config.engines {
        engine.name = format!("{}{HOSTILE}", engine.name);
        engine.version = Some(HOSTILE.to_owned());
        engine.args = vec![HOSTILE.to_owned()];
    }
    config.book.path = HOSTILE.into();
    let mut odd = lost_by(0, (0, 1), Side::Black, Termination::Crash);
    odd.detail = Some(HOSTILE.to_owned());
    odd.opening.fen = format!("{HOSTILE} w - - 0 1");
    odd.opening.moves.clear();
    odd.moves[0].san = HOSTILE.into();
    let mut plain = game(1, (1, 0), Some(referee::GameResult::Draw));
    plain.opening.moves[0].san = HOSTILE.to_owned();
    let html = report(&config, vec![odd, plain]).html();
    assert_eq!(problems(&html), Vec::<String>::new());
    assert!(!html.contains("<script>alert") && !html.contains("<b>&lt;"), "markup came through");
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;'&amp;&lt;b&gt;"));
}
