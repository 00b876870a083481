//! The result of two or more engines, in the format that people paste into pull requests and scripts parse.

use std::fmt::Write as _;
use std::path::Path;

use runner::process::EngineInfo;
use runner::{JournalError, RunConfig};
use stats::{Llr, Sprt, SprtBounds};
use uci::OptionKind;

use super::dialect_config::{Form, Tournament};
use super::engine_options::limits_text;
use super::scores::{EloText, EngineScore, Scores, fixed, of_engine};
use crate::results::RunState;

const RULE: &str = "--------------------------------------------------";

/// The result of two engines from the first one's point of view. Limits, threads and hash are given for both engines if they
/// differ; without introductions, they come from the options that were set.
pub(super) fn result_block(
    config: &RunConfig,
    introductions: &[EngineInfo],
    engines: [usize; 2],
    book: &str,
    penta: bool,
    score: &EngineScore,
    sprt: Option<&Sprt>,
) -> String {
    let both = |texts: [String; 2]| {
        let [first, second] = texts;
        if first == second { first } else { format!("{first} - {second}") }
    };
    let value = |engine: usize, option: &str, unit: &str| {
        let mut options = config.engines[engine].options.iter();
        let set = options.find(|setting| setting.name.eq_ignore_ascii_case(option));
        let default = || {
            let mut announced = introductions.get(engine)?.options.iter();
            match announced.find(|known| known.is_named(option))?.kind {
                OptionKind::Spin { default, .. } => Some(default.to_string()),
                _ => None,
            }
        };
        let value = set.and_then(|setting| setting.value.clone()).or_else(default);
        value.map_or_else(|| "NULL".to_owned(), |value| format!("{value}{unit}"))
    };
    let [first, second] = engines.map(|engine| &config.engines[engine].name);
    let limits = both(engines.map(|engine| limits_text(config.limits_of(engine))));
    let threads = both(engines.map(|engine| value(engine, "Threads", "t")));
    let hash = both(engines.map(|engine| value(engine, "Hash", "MB")));
    let book = if book.is_empty() { String::new() } else { format!(", {book}") };
    let elo = EloText::of(score, penta);
    let (games, counts) = (score.games, score.pairs.counts());
    let pairs_ratio = (counts[3] + counts[4]) as f64 / (counts[0] + counts[1]) as f64;
    let pairs_ratio = if penta { format!(", PairsRatio: {}", fixed(pairs_ratio, 2)) } else { String::new() };
    let mut text = format!(
        "{RULE}\n\
         Results of {first} vs {second} ({limits}, {threads}, {hash}{book}):\n\
         Elo: {} +/- {}, nElo: {} +/- {}\n\
         LOS: {} %, DrawRatio: {} %{pairs_ratio}\n\
         Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({} %)\n",
        fixed(elo.elo, 2),
        fixed(elo.elo_error, 2),
        fixed(elo.nelo, 2),
        fixed(elo.nelo_error, 2),
        fixed(elo.los * 100.0, 2),
        fixed(draw_ratio(score, penta) * 100.0, 2),
        games.games(),
        games.wins,
        games.losses,
        games.draws,
        games.points(),
        fixed(games.points() / games.games() as f64 * 100.0, 2),
    );
    if penta {
        let ratio = fixed(score.split_pairs as f64 / score.drawn_pairs() as f64, 2);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "Ptnml(0-2): {counts:?}, WL/DD Ratio: {ratio}");
    }
    if let Some(sprt) = sprt {
        let seen = score.observations(penta);
        let llr = seen.llr(sprt);
        let SprtBounds { lower, upper } = sprt.bounds(&seen);
        let bound = if llr.value() < 0.0 { -lower } else { upper };
        let share = Llr::new(llr.value() / bound.value() * 100.0);
        let _ = writeln!(text, "LLR: {llr:.2} ({share:.1}%) ({lower:.2}, {upper:.2}) {}", bounds_text(sprt));
    }
    text + RULE + "\n"
}

/// The share of drawn pairs, or of draws.
fn draw_ratio(score: &EngineScore, penta: bool) -> f64 {
    if penta {
        score.pairs.counts()[2] as f64 / score.pairs.pairs() as f64
    } else {
        score.games.draws as f64 / score.games.games() as f64
    }
}

/// The result blocks of all engines of a run that met, read from its journal.
pub fn result_blocks(folder: &Path) -> Result<String, JournalError> {
    let (state, ..) = RunState::read_folder(folder, false)?;
    let config = state.config();
    let penta = config.rounds.games == 2 && !config.trinomial;
    let book = config.book.path.file_name().map(|name| name.to_string_lossy().into_owned());
    let book = book.unwrap_or_default();
    let sprt = config.sprt_of_pairing();
    let met = state.schedule().games_by_pairing().filter(|(_, games)| games.scored.games().games() > 0);
    let block = |((first, second), games)| {
        let score = EngineScore::of(games, penta);
        result_block(config, &[], [first, second], &book, penta, &score, sprt.as_ref())
    };
    Ok(met.map(block).collect())
}

/// The bounds in the form `[0.00, 5.00]`.
pub(super) fn bounds_text(sprt: &Sprt) -> String {
    format!("[{:.2}, {:.2}]", sprt.elo0(), sprt.elo1())
}

const NAME_COLUMNS: usize = 25;

pub(super) fn result_table(tournament: &Tournament, config: &RunConfig, scores: &Scores) -> String {
    let penta = tournament.report_penta;
    let engines = (0..config.engines.len()).map(|engine| (engine, of_engine(scores, engine)));
    let mut rows: Vec<(usize, EngineScore, EloText)> =
        engines.map(|(engine, score)| (engine, score, EloText::of(&score, penta))).collect();
    rows.sort_by(|a, b| {
        let worth = |elo: &EloText| if elo.elo.is_nan() { f64::NEG_INFINITY } else { elo.elo };
        worth(&b.2).total_cmp(&worth(&a.2))
    });
    let width = config.engines.iter().map(|engine| engine.name.len()).fold(NAME_COLUMNS, usize::max);
    let is_fastchess = tournament.output == Form::Fastchess;
    let last = if is_fastchess { format!(" {:>20}", "Ptnml(0-2)") } else { String::new() };
    let mut text = format!(
        "{:<4} {:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}{last}\n",
        "Rank", "Name", "Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw"
    );
    for (rank, (engine, score, elo)) in rows.iter().enumerate() {
        let games = score.games;
        let counts = if penta { format!("{:?}", score.pairs.counts()) } else { String::new() };
        let last = if is_fastchess { format!(" {counts:>20}") } else { String::new() };
        let _ = writeln!(
            text,
            "{:>4} {:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>9}% {:>9}%{last}",
            rank + 1,
            config.engines[*engine].name,
            fixed(elo.elo, 2),
            fixed(elo.elo_error, 2),
            fixed(elo.nelo, 2),
            fixed(elo.nelo_error, 2),
            games.games(),
            fixed(games.points() / games.games() as f64 * 100.0, 1),
            fixed(draw_ratio(score, penta) * 100.0, 1),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use runner::UciSetting;
    use stats::{Pentanomial, SprtModel, Wdl};

    use super::*;
    use crate::results::test_games::config;

    fn block(penta: bool, score: &EngineScore, sprt: Option<&Sprt>) -> String {
        let mut config = config(&["A", "B"], false);
        for engine in &mut config.engines {
            engine.options = ["Threads=1", "Hash=16"].map(UciSetting::read).to_vec();
        }
        result_block(&config, &[], [0, 1], "book.epd", penta, score, sprt)
    }

    /// The output of fastchess alpha 1.8.2 for the same counts.
    #[test]
    fn the_block_is_that_of_fastchess() {
        let score = EngineScore {
            games: Wdl::new(2, 2, 2),
            pairs: Pentanomial::new([0, 1, 1, 1, 0]),
            split_pairs: 1,
        };
        let expected = "\
--------------------------------------------------
Results of A vs B (8+0.08, 1t, 16MB, book.epd):
Elo: -0.00 +/- 173.65, nElo: -0.00 +/- 278.00
LOS: 50.00 %, DrawRatio: 33.33 %, PairsRatio: 1.00
Games: 6, Wins: 2, Losses: 2, Draws: 2, Points: 3.0 (50.00 %)
Ptnml(0-2): [0, 1, 1, 1, 0], WL/DD Ratio: inf
--------------------------------------------------
";
        assert_eq!(block(true, &score, None).replace("nElo: 0.00", "nElo: -0.00"), expected);
    }

    #[test]
    fn a_test_has_its_line() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, SprtModel::Normalized).unwrap();
        let score = EngineScore {
            games: Wdl::new(40, 20, 40),
            pairs: Pentanomial::new([5, 10, 20, 10, 5]),
            split_pairs: 10,
        };
        let text = block(true, &score, Some(&sprt));
        assert!(text.contains("%) (-2.94, 2.94) [0.00, 5.00]\n"), "{text}");
        let text = block(true, &EngineScore::default(), Some(&sprt));
        assert!(text.contains("LLR: 0.00 (0.0%) ("), "{text}");
        let text = block(false, &score, None);
        assert!(!text.contains("Ptnml") && !text.contains("PairsRatio"), "{text}");
    }
}
