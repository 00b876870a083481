//! Recomputes the published results in `data/published_values.txt`.

use super::{EloEstimate, Los, NormalizedEloEstimate, Observations, Pentanomial, Sprt, SprtModel, Wdl};

const TABLE: &str = include_str!("../data/published_values.txt");

/// The rows of a kind: the published numbers, the counts, and the whole row.
fn rows(kind: &str, numbers: usize) -> Vec<(Vec<&'static str>, Observations, &'static str)> {
    let rows = TABLE.lines().filter(|row| row.split(' ').next() == Some(kind)).map(|row| {
        let mut words = row.split_whitespace().skip(1);
        let published = words.by_ref().take(numbers).collect();
        let counts: Vec<u64> = words.map_while(|word| word.parse().ok()).collect();
        let counts = match counts[..] {
            [wins, draws, losses] => Observations::Games(Wdl::new(wins, draws, losses)),
            _ => Observations::Pairs(Pentanomial::new(counts.try_into().unwrap())),
        };
        (published, counts, row)
    });
    let rows: Vec<_> = rows.collect();
    assert!(rows.len() > 20, "{kind}");
    rows
}

/// A number of the table and the value of its last digit; `None` for `-`.
fn number(published: &str) -> Option<(f64, f64)> {
    let text = published.trim_start_matches(['~', '%', '*']);
    let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    (text != "-").then(|| (text.parse().unwrap(), 10f64.powi(-(decimals as i32))))
}

fn assert_agrees(ours: f64, published: &str, row: &str) {
    let Some((value, digit)) = number(published) else { return };
    let tolerance = match published.as_bytes()[0] {
        b'~' => 1.01 * digit,
        b'%' => value.abs() / 100.0,
        _ => (0.51 * digit).max(1e-9),
    };
    assert!((ours - value).abs() <= tolerance, "{ours}, published as {published}: {row}");
}

#[test]
fn ratios_are_those_published() {
    for (published, counts, row) in rows("ratio", 4) {
        let [model, elo0, elo1, llr] = published[..] else { panic!("{row}") };
        let model = match model {
            "logistic" => SprtModel::Logistic,
            "bayesian" => SprtModel::Bayesian,
            _ => SprtModel::Normalized,
        };
        let [elo0, elo1] = [elo0, elo1].map(|bound| bound.parse().unwrap());
        let test = Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap();
        assert_agrees(counts.llr(&test).value(), llr, row);
    }
}

#[test]
fn estimates_are_those_published() {
    for (published, counts, row) in rows("elo", 7) {
        let [elo, margin, los, nelo, nelo_margin, draws, pair_ratio] = published[..] else { panic!("{row}") };
        let score = counts.score();
        let estimate = EloEstimate::new(&score);
        assert_agrees(estimate.elo.value(), elo, row);
        assert_agrees(estimate.margin(), margin, row);
        assert_agrees(100.0 * Los::new(&score).probability(), los, row);
        let estimate = NormalizedEloEstimate::new(&score);
        assert_agrees(estimate.nelo.value(), nelo, row);
        assert_agrees(100.0 * counts.draw_ratio().unwrap(), draws, row);
        assert_agrees(counts.pair_ratio().unwrap_or(f64::NAN), pair_ratio, row);
        if !nelo_margin.starts_with('*') {
            assert_agrees(estimate.margin(), nelo_margin, row);
            continue;
        }
        // With a fixed deviation the margin is the same for all counts, and too narrow in lopsided matches.
        let (narrow, digit) = number(nelo_margin).unwrap();
        let known_deviation = 1.96 * 800.0 / std::f64::consts::LN_10 / (counts.games() as f64).sqrt();
        assert!((known_deviation - narrow).abs() <= digit, "{known_deviation}: {row}");
        let (ratio, is_lopsided) = (estimate.margin() / narrow, estimate.nelo.value().abs() > 100.0);
        assert!(if is_lopsided { ratio > 1.3 } else { (ratio - 1.0).abs() <= 0.04 }, "{ratio}: {row}");
    }
}
