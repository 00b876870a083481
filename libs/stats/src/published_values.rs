//! Published results, recomputed: the estimates and ratios of large matches as other programs printed them.
//!
//! Only numbers are taken from the sources, which are named beside them.

use super::{EloEstimate, Los, NormalizedEloEstimate, Pentanomial, Sprt, SprtModel, Wdl};

/// A printed value agrees when it is what ours rounds to, give or take one unit of its last digit.
fn assert_prints_as(ours: f64, published: f64, digit: f64, what: &str) {
    assert!((ours - published).abs() <= digit, "{what}: {ours}, published as {published}");
}

/// A match as a testing framework prints it: counts, Elo ± margin, nElo ± margin, LOS in percent.
struct Published {
    source: &'static str,
    counts: [u64; 5],
    elo: (f64, f64),
    nelo: (f64, f64),
    los: f64,
}

#[test]
fn estimates_from_pairs_are_those_published() {
    let matches = [
        Published {
            source: "fishtest, given in this project's issue 4",
            counts: [199, 1517, 3095, 1685, 234],
            elo: (6.14, 3.55),
            nelo: (10.16, 5.87),
            los: 99.97,
        },
        Published {
            source: "fishtest, given in this project's issue 4",
            counts: [78, 2504, 5251, 2695, 95],
            elo: (3.68, 2.46),
            nelo: (6.99, 4.67),
            los: 99.83,
        },
        Published {
            source: "fastchess output in xu-shawn/Serendipity, pull request 55",
            counts: [283, 1151, 2214, 1221, 281],
            elo: (2.23, 4.50),
            nelo: (3.32, 6.71),
            los: 83.40,
        },
        Published {
            source: "fastchess output in lynx-chess/Lynx, pull request 1899",
            counts: [235, 1384, 2521, 1341, 239],
            elo: (-1.06, 4.05),
            nelo: (-1.67, 6.37),
            los: 30.33,
        },
        Published {
            source: "fastchess output in brunocodutra/cinder, pull request 727",
            counts: [50, 287, 610, 387, 73],
            elo: (18.04, 8.23),
            nelo: (28.19, 12.84),
            los: 100.00,
        },
        Published {
            source: "fastchess output, WGCodings/Pea, README",
            counts: [585, 735, 1655, 814, 486],
            elo: (-4.84, 6.08),
            nelo: (-5.86, 7.36),
            los: 5.95,
        },
        Published {
            source: "app/tests/elo_test.cpp of Disservin/fastchess",
            counts: [34, 54, 63, 64, 75],
            elo: (55.58, 27.65),
            nelo: (57.94, 28.28),
            los: 100.00,
        },
        Published {
            source: "app/tests/elo_test.cpp of Disservin/fastchess",
            counts: [332, 433, 498, 333, 334],
            elo: (-8.64, 10.33),
            nelo: (-9.17, 10.96),
            los: 5.05,
        },
        Published {
            source: "app/tests/elo_test.cpp of Disservin/fastchess",
            counts: [7895, 8757, 5685, 568, 9999],
            elo: (-21.04, 2.95),
            nelo: (-19.01, 2.65),
            los: 0.00,
        },
    ];
    for Published { source, counts, elo, nelo, los } in matches {
        let score = Pentanomial::new(counts).score();
        let estimate = EloEstimate::new(&score);
        assert_prints_as(estimate.elo.value(), elo.0, 0.01, source);
        assert_prints_as(estimate.margin(), elo.1, 0.01, source);
        let estimate = NormalizedEloEstimate::new(&score);
        assert_prints_as(estimate.nelo.value(), nelo.0, 0.01, source);
        // fastchess leaves the uncertainty of the deviation out of this margin, which shows in lopsided matches.
        let tolerance = if source.starts_with("fishtest") { 0.01 } else { 0.04 * nelo.1 };
        assert_prints_as(estimate.margin(), nelo.1, tolerance, source);
        assert_prints_as(100.0 * Los::new(&score).probability(), los, 0.01, source);
    }
}

#[test]
fn estimates_from_single_games_are_those_published() {
    // app/tests/elo_test.cpp of Disservin/fastchess: 136 wins, 96 losses, 111 draws.
    let score = Wdl::new(136, 111, 96).score();
    assert_prints_as(EloEstimate::new(&score).elo.value(), 40.70, 0.01, "Elo");
    assert_prints_as(EloEstimate::new(&score).margin(), 30.43, 0.01, "Elo margin");
    assert_prints_as(NormalizedEloEstimate::new(&score).nelo.value(), 49.77, 0.01, "nElo");
    assert_prints_as(100.0 * Los::new(&score).probability(), 99.60, 0.01, "LOS");
}

#[test]
fn ratios_of_pairs_are_those_published() {
    use SprtModel::{Logistic, Normalized};
    let issue = "this project's issue 4";
    let fastchess = "app/tests/sprt_test.cpp of Disservin/fastchess";
    for (counts, bounds, model, llr, source) in [
        ([199, 1517, 3095, 1685, 234], (0.0, 3.0), Normalized, 2.89, issue),
        ([78, 2504, 5251, 2695, 95], (0.0, 3.0), Normalized, 2.90, issue),
        ([365, 16618, 36229, 16974, 390], (0.0, 2.0), Normalized, 2.25, fastchess),
        ([127, 4883, 10712, 5150, 104], (-1.75, 0.25), Normalized, 3.01, fastchess),
        ([223, 9863, 21279, 10037, 246], (0.5, 2.5), Logistic, -3.07, fastchess),
        ([871, 26175, 55983, 26678, 821], (0.0, 2.0), Logistic, -4.98, fastchess),
        (
            [283, 1151, 2214, 1221, 281],
            (-5.0, 3.0),
            Normalized,
            2.95,
            "xu-shawn/Serendipity, pull request 55",
        ),
        ([50, 287, 610, 387, 73], (0.0, 5.0), Normalized, 2.97, "brunocodutra/cinder, pull request 727"),
        ([1, 1098, 3954, 1346, 1], (0.5, 2.5), Normalized, 2.94, "Stockfish, pull request 6036"),
        ([0, 1236, 4490, 1474, 1], (0.0, 2.0), Normalized, 2.94, "Stockfish, pull request 6036"),
        ([253, 4282, 17604, 4431, 286], (-0.25, 1.25), Logistic, 2.94, "Stockfish, pull request 3209"),
        ([77, 1, 0, 0, 0], (-1000.0, -500.0), Normalized, -2.95, "Disservin/fastchess, pull request 882"),
        ([72, 10, 0, 0, 0], (-1000.0, -500.0), Normalized, -2.97, "Disservin/fastchess, pull request 882"),
        ([585, 735, 1655, 814, 486], (0.0, 5.0), Normalized, -2.96, "WGCodings/Pea, README"),
    ] {
        let sprt = Sprt::new(bounds.0, bounds.1, 0.05, 0.05, model).unwrap();
        assert_prints_as(sprt.llr_of_pairs(&Pentanomial::new(counts)).value(), llr, 0.0101, source);
    }
}

#[test]
fn ratios_of_single_games_are_those_published() {
    use SprtModel::{Logistic, Normalized};
    // All from app/tests/sprt_test.cpp of Disservin/fastchess, as wins, draws, losses.
    for (wdl, bounds, model, llr) in [
        (Wdl::new(36433, 68692, 36027), (0.0, 2.0), Normalized, 0.92),
        (Wdl::new(10871, 20431, 10650), (-1.75, 0.25), Normalized, 2.30),
        (Wdl::new(21404, 40708, 21184), (0.5, 2.5), Logistic, -1.57),
        (Wdl::new(57433, 106593, 57030), (0.0, 2.0), Logistic, -2.59),
    ] {
        let sprt = Sprt::new(bounds.0, bounds.1, 0.05, 0.05, model).unwrap();
        assert_prints_as(sprt.llr_of_games(&wdl).value(), llr, 0.0101, "fastchess");
    }
}

#[test]
fn ratios_of_clean_sweeps_are_those_published() {
    // app/tests/sprt_test.cpp of Disservin/fastchess, which accepts one percent of deviation.
    let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05, SprtModel::Normalized).unwrap();
    assert_prints_as(sprt.llr_of_games(&Wdl::new(4250, 0, 0)).value(), 120.56, 1.2, "games");
    let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, SprtModel::Normalized).unwrap();
    assert_prints_as(sprt.llr_of_pairs(&Pentanomial::new([0, 0, 0, 0, 5550])).value(), 111.82, 1.1, "pairs");
}

#[test]
fn draw_and_pair_ratios_are_those_published() {
    // Disservin/fastchess, issue 807.
    let pairs = Pentanomial::new([30, 6, 18, 0, 6]);
    assert_prints_as(pairs.draw_ratio().unwrap(), 0.30, 1e-12, "draw ratio");
    assert_prints_as(pairs.pair_ratio().unwrap(), 0.17, 0.005, "pair ratio");
}
