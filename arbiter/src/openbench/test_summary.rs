//! The result of a test as Markdown, in the form that authors paste into commits and pull requests.

use std::fmt::Write as _;

use super::test_state::TestState;
use super::workload::Workload;
use crate::report::verdict::match_verdict;
use crate::text::number_text::{exact_elo, thousands};
use stats::{Observations, Wdl};

/// The text: the verdict, OpenBench's result block with our estimates, and the games.
pub(super) fn test_summary(
    test: &TestState,
    workload: &Workload,
    players: [&str; 2],
    games: Option<Wdl>,
) -> String {
    let [dev, base] = workload.players();
    let result = &test.result;
    let verdict = match_verdict([&dev, &base], result.games, &result.elo, result.sprt.as_ref());
    let mut text = format!(
        "# {dev} vs {base}\n\n**{verdict}** Test {} {}: <{}>\n\n```\n",
        test.test, test.phase, test.url
    );
    let mut line = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:<5} | {value}");
    };
    let elo = &result.elo;
    line("Elo", &format!("{} (95%)", exact_elo(elo)));
    line(if result.sprt.is_some() { "SPRT" } else { "Conf" }, &test.settings());
    if let Some(sprt) = &result.sprt {
        let (elo0, elo1) = (sprt.test.elo0(), sprt.test.elo1());
        line(
            "LLR",
            &format!("{:.2} ({:.2}, {:.2}) [{elo0:.2}, {elo1:.2}]", sprt.llr, sprt.lower, sprt.upper),
        );
    }
    if let Some(Wdl { wins, draws, losses }) = result.results.wdl {
        line("Games", &format!("N: {} W: {wins} L: {losses} D: {draws}", wins + draws + losses));
    }
    if let Observations::Pairs(pairs) = result.results.observations {
        line("Penta", &format!("{:?}", pairs.counts()));
    }
    text += "```\n\n";
    for (role, name, commit) in [("dev", players[0], &workload.dev), ("base", players[1], &workload.base)] {
        let _ = writeln!(text, "- {role}: `{name}` is {} at {}", commit.name, commit.sha);
    }
    let _ = writeln!(text, "- faults, as workers report them: {}", test.faults());
    let _ = writeln!(text, "- games: {}", games_line(result.results.wdl.unwrap_or_default(), games));
    text
}

/// Whether the file has all games that the site has counted.
fn games_line(site: Wdl, games: Option<Wdl>) -> String {
    let counts = |Wdl { wins, draws, losses }: Wdl| format!("W {wins}, L {losses}, D {draws}");
    match games {
        None => "none, because the test was created without an upload of games".to_owned(),
        Some(games) if games == site => {
            format!("{} in games.pgn, as the site counts", thousands(games.games()))
        }
        Some(games) => format!(
            "{} in games.pgn ({}), {} on the site ({}); a share that was not finished is counted and not uploaded, or the other way round",
            thousands(games.games()),
            counts(games),
            thousands(site.games()),
            counts(site),
        ),
    }
}
