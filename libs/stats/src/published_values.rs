//! Published results, recomputed: matches of Stockfish as its commit messages report them from fishtest, and of other
//! engines from `OpenBench`, fastchess and cutechess.
//!
//! Only numbers are taken from the sources, which are named beside them. What fishtest prints agrees to the last digit.
//! That was so for 2,963 of the 2,968 ratios with normalized or logistic bounds in the last 4,000 commits of Stockfish
//! up to August 2026, and for all 55 estimates there. Three ratios differ by 0.01, as rounding twice makes them; the
//! other two are misprints, as [`misprinted_counts_are_found_out`] shows.

use super::{EloEstimate, Los, NormalizedEloEstimate, Observations, Pentanomial, Sprt, SprtModel, Wdl};

fn assert_rounds_to(ours: f64, published: f64, digit: f64, what: &str) {
    assert!((ours - published).abs() <= 0.51 * digit, "{what}: {ours}, published as {published}");
}

fn llr_of_pairs(counts: [u64; 5], (elo0, elo1): (f64, f64), model: SprtModel) -> f64 {
    let test = Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap();
    test.llr_of_pairs(&Pentanomial::new(counts)).value()
}

#[test]
fn ratios_for_normalized_bounds_are_those_of_fishtest() {
    for (commit, llr, bounds, counts) in [
        ("b52f01471", 3.19, (-1.75, 0.25), [1721, 77704, 208246, 77189, 1732]),
        ("c5aef2bf1", 2.94, (-1.75, 0.25), [7, 7001, 27083, 7145, 4]),
        ("f4bcd4040", -2.94, (0.0, 2.0), [521, 17154, 37050, 17170, 489]),
        ("9fcd47a71", -0.01, (0.0, 2.0), [336, 8437, 18332, 8798, 209]),
        ("1eff8b038", -2.97, (-1.75, 0.25), [390, 91902, 261789, 90790, 389]),
        ("3bdfa0fb4", 2.93, (0.0, 2.0), [3851, 124543, 265290, 125982, 4046]),
        ("218c74ec4", 2.96, (0.5, 2.5), [39, 11353, 31686, 11822, 33]),
        ("675f6a038", 2.94, (0.5, 3.0), [594, 32288, 96076, 33248, 590]),
        ("18389e269", 2.96, (-2.25, 0.25), [1344, 31488, 81366, 31213, 1373]),
        ("11c6cf720", 2.96, (0.5, 3.5), [41, 8404, 27650, 8760, 53]),
        ("385deefd8", 2.95, (-2.5, 0.5), [421, 14817, 38894, 14817, 407]),
        // Short, lopsided, with empty cells.
        ("a169c78b6", 2.95, (0.0, 10.0), [0, 1, 56, 82, 0]),
        ("d5bbc6b67", 2.81, (0.0, 2.0), [0, 17, 167, 348, 44]),
        ("3c04b5c42", 2.70, (0.0, 2.0), [1, 0, 10, 15, 318]),
        ("3c04b5c42", 2.19, (-1.75, 0.25), [0, 0, 0, 2, 267]),
        ("4edd1a389", 2.94, (-1.75, 0.25), [0, 502, 2172, 712, 0]),
    ] {
        let ours = llr_of_pairs(counts, bounds, SprtModel::Normalized);
        assert_rounds_to(ours, llr, 0.01, &format!("Stockfish, commit {commit}"));
    }
}

#[test]
fn a_ratio_published_with_all_its_digits_is_met() {
    // official-stockfish/fishtest, issue 1737.
    let ours = llr_of_pairs([93, 18711, 58877, 18739, 100], (-1.75, 0.25), SprtModel::Normalized);
    assert!((ours - 2.9420974720708513).abs() < 1e-9, "{ours}");
}

#[test]
fn ratios_for_logistic_bounds_are_those_of_fishtest() {
    for (commit, llr, bounds, counts) in [
        ("6ad4f485d", 2.94, (0.2, 0.9), [23, 1079, 15473, 1255, 14]),
        ("6ad4f485d", 2.95, (-0.7, 0.2), [2, 245, 4962, 291, 4]),
        ("32d781769", 2.94, (-1.0, 0.2), [577, 11681, 56451, 11586, 605]),
        ("508906165", -3.00, (0.25, 1.25), [13, 1176, 17184, 1178, 21]),
        ("d58e83695", 2.94, (-0.75, 0.25), [50, 4678, 61613, 4596, 75]),
        ("e64b95727", 2.92, (-1.5, 0.5), [22, 1152, 10654, 1169, 19]),
        ("2deb08a52", 2.95, (0.25, 1.75), [17, 669, 6429, 785, 16]),
        ("84f3e8679", 2.94, (-6.0, -4.0), [571, 4082, 8434, 3861, 520]),
        ("dd1adce74", 2.94, (-2.0, 0.0), [2567, 13420, 24118, 13319, 2564]),
        ("71e0b5385", 2.95, (-1.0, 3.0), [237, 1540, 2956, 1632, 260]),
    ] {
        let ours = llr_of_pairs(counts, bounds, SprtModel::Logistic);
        assert_rounds_to(ours, llr, 0.01, &format!("Stockfish, commit {commit}"));
    }
}

#[test]
fn misprinted_counts_are_found_out() {
    // Stockfish, commit d852a9195: LLR 2.98 after 49,248 games. The counts it prints are of 48,956; with the 146 pairs
    // that are missing, the last of them reads 162 instead of 16.
    let printed = [119, 5353, 13397, 5593, 16];
    let mended = [119, 5353, 13397, 5593, 162];
    assert_eq!(Observations::Pairs(Pentanomial::new(mended)).games(), 49_248);
    assert!(llr_of_pairs(printed, (0.0, 2.0), SprtModel::Normalized) < 0.0);
    assert_rounds_to(llr_of_pairs(mended, (0.0, 2.0), SprtModel::Normalized), 2.98, 0.01, "mended");
    // Commit 282644f14: LLR 2.94 after 79,888 games, counts of 79,890.
    let printed = [57, 8391, 22980, 8444, 73];
    assert_eq!(Observations::Pairs(Pentanomial::new(printed)).games(), 79_890);
    assert_rounds_to(llr_of_pairs(printed, (-2.25, 0.25), SprtModel::Normalized), 2.97, 0.01, "printed");
}

#[test]
fn ratios_of_other_engines_are_those_of_openbench_and_fastchess() {
    for (source, llr, bounds, counts) in [
        ("OpenBench, kevlu8/PZChessBot pull request 303", 2.89, (-5.0, 0.0), [89, 1928, 3765, 1956, 99]),
        (
            "OpenBench, JonathanHallstrom/pawnocchio pull request 14",
            -1.87,
            (0.0, 3.0),
            [61, 1919, 4083, 1869, 48],
        ),
        ("OpenBench, paulsonkoly/chess-3 pull request 128", 2.96, (0.0, 5.0), [481, 1456, 2402, 1524, 558]),
        ("OpenBench, TerjeKir/weiss pull request 766", 2.97, (-3.0, 0.0), [119, 2013, 3987, 2118, 142]),
        ("OpenBench, Yoshie2000/PlentyChess pull request 77", 2.90, (0.5, 5.5), [7, 158, 443, 271, 8]),
        (
            "OpenBench, codedeliveryservice/Reckless pull request 618",
            2.98,
            (0.0, 3.0),
            [2, 803, 2207, 983, 2],
        ),
        (
            "fastchess, brunocodutra/cinder pull request 795",
            1.98,
            (0.0, 3.0),
            [1447, 13972, 26437, 14412, 1441],
        ),
        ("fastchess, brunocodutra/cinder pull request 802", 2.91, (0.0, 3.0), [363, 3205, 5861, 3376, 414]),
    ] {
        assert_rounds_to(llr_of_pairs(counts, bounds, SprtModel::Normalized), llr, 0.01, source);
    }
}

#[test]
fn a_ratio_of_single_games_is_that_of_cutechess() {
    // cutechess/cutechess, issue 543; Van den Bergh's sprt_elo.py gives the same there.
    let test = Sprt::new(0.0, 5.0, 0.05, 0.05, SprtModel::Logistic).unwrap();
    assert_rounds_to(test.llr_of_games(&Wdl::new(880, 1863, 759)).value(), 2.95, 0.01, "cutechess");
}

#[test]
fn estimates_and_pair_ratios_are_those_of_fishtest() {
    // Elo ± margin, LOS in percent, nElo ± margin, pair ratio.
    for (commit, elo, los, nelo, pair_ratio, counts) in [
        ("a12dc6cc1", (-1.50, 1.5), 2.3, (-2.95, 2.9), 0.96, [143, 6697, 14452, 6415, 164]),
        ("5f3dcb92e", (0.24, 0.9), 69.9, (1.81, 6.8), 1.08, [0, 87, 4819, 94, 0]),
        ("69a01b88f", (4.69, 1.4), 100.0, (9.38, 2.8), 1.12, [154, 6440, 16053, 7148, 205]),
        ("85f87649b", (2.22, 1.3), 100.0, (12.00, 6.8), 1.47, [1, 137, 4659, 203, 0]),
        ("d2d046c2a", (0.04, 2.0), 51.7, (0.09, 4.4), 1.00, [12, 2497, 7185, 2504, 10]),
        ("e2612f9a2", (-4.40, 1.4), 0.0, (-8.48, 2.8), 0.91, [264, 7495, 15168, 6883, 190]),
        ("0716b845f", (-7.66, 3.8), 0.0, (-13.94, 6.9), 0.87, [80, 1281, 2261, 1145, 42]),
        ("5c0388310", (-1.46, 1.8), 5.5, (-2.77, 3.4), 0.97, [200, 4860, 10023, 4742, 175]),
        ("37bd1e774", (1.18, 1.5), 94.3, (2.45, 3.0), 1.03, [31, 5598, 13579, 5754, 38]),
        ("af110e02e", (-1.70, 0.9), 0.0, (-3.95, 2.2), 0.95, [8, 9455, 31569, 8954, 14]),
        // Far from level, where the margin of nElo depends on the skewness and the kurtosis.
        ("154e7afed", (141.66, 1.2), 100.0, (284.13, 3.3), 23.13, [96, 1426, 13277, 30130, 5071]),
        ("85f8ee619", (55.25, 3.9), 100.0, (96.95, 7.2), 2.98, [51, 636, 2266, 1779, 268]),
    ] {
        let pairs = Pentanomial::new(counts);
        let score = pairs.score();
        let what = |figure: &str| format!("Stockfish, commit {commit}, {figure}");
        let estimate = EloEstimate::new(&score);
        assert_rounds_to(estimate.elo.value(), elo.0, 0.01, &what("Elo"));
        assert_rounds_to(estimate.margin(), elo.1, 0.1, &what("Elo margin"));
        assert_rounds_to(100.0 * Los::new(&score).probability(), los, 0.1, &what("LOS"));
        let estimate = NormalizedEloEstimate::new(&score);
        assert_rounds_to(estimate.nelo.value(), nelo.0, 0.01, &what("nElo"));
        assert_rounds_to(estimate.margin(), nelo.1, 0.1, &what("nElo margin"));
        assert_rounds_to(pairs.pair_ratio().unwrap(), pair_ratio, 0.01, &what("pair ratio"));
    }
}

#[test]
fn lopsided_matches_are_estimated_as_fastchess_does_but_for_the_margin_of_nelo() {
    // Elo ± margin, nElo ± margin, draw ratio in percent, pair ratio.
    for (source, elo, nelo, draw_ratio, pair_ratio, counts) in [
        (
            "chess.stackexchange.com, question 45881",
            (277.00, 40.90),
            (345.17, 34.05),
            17.0,
            22.71,
            [4, 3, 34, 42, 117],
        ),
        ("Disservin/fastchess, issue 807", (-168.40, 73.37), (-170.08, 62.16), 30.0, 0.17, [30, 6, 18, 0, 6]),
    ] {
        let pairs = Pentanomial::new(counts);
        let estimate = EloEstimate::new(&pairs.score());
        assert_rounds_to(estimate.elo.value(), elo.0, 0.01, source);
        assert_rounds_to(estimate.margin(), elo.1, 0.01, source);
        assert_rounds_to(100.0 * pairs.draw_ratio().unwrap(), draw_ratio, 0.01, source);
        assert_rounds_to(pairs.pair_ratio().unwrap(), pair_ratio, 0.01, source);
        let estimate = NormalizedEloEstimate::new(&pairs.score());
        assert_rounds_to(estimate.nelo.value(), nelo.0, 0.01, source);
        // fastchess takes the deviation as known, which gives 1.96·(800 / ln 10) / √games for all counts; in lopsided
        // matches that is too narrow.
        let known_deviation = 1.96 * 800.0 / std::f64::consts::LN_10 / (2.0 * pairs.pairs() as f64).sqrt();
        assert_rounds_to(known_deviation, nelo.1, 0.01, source);
        assert!(estimate.margin() > 1.3 * nelo.1, "{source}: {}", estimate.margin());
    }
}

#[test]
fn margins_of_early_openbench_are_those_of_single_games() {
    // Yoshie2000/PlentyChess, pull requests 155 and 77: beside their pairs OpenBench prints the margin of single games,
    // which pairs would have narrowed to 4.14 and 8.39.
    for (wdl, pairs, elo, margin, narrow) in [
        (Wdl::new(1702, 4200, 1824), [49, 989, 1891, 903, 31], -5.49, 5.23, 4.14),
        (Wdl::new(459, 971, 344), [7, 158, 443, 271, 8], 22.55, 10.88, 8.39),
    ] {
        let estimate = EloEstimate::new(&wdl.score());
        assert_rounds_to(estimate.elo.value(), elo, 0.01, "Elo");
        assert_rounds_to(estimate.margin(), margin, 0.01, "margin of games");
        assert_rounds_to(
            EloEstimate::new(&Pentanomial::new(pairs).score()).margin(),
            narrow,
            0.01,
            "of pairs",
        );
    }
}

/// A printed value agrees when it is what ours rounds to, give or take one unit of its last digit.
fn assert_prints_as(ours: f64, published: f64, digit: f64, what: &str) {
    assert!((ours - published).abs() <= digit, "{what}: {ours}, published as {published}");
}

#[test]
fn estimates_from_pairs_are_those_published() {
    // Elo ± margin, nElo ± margin, LOS in percent.
    let tests = "app/tests/elo_test.cpp of Disservin/fastchess";
    let issue = "fishtest, given in this project's issue 4";
    for (counts, elo, nelo, los, source) in [
        ([199, 1517, 3095, 1685, 234], (6.14, 3.55), (10.16, 5.87), 99.97, issue),
        ([78, 2504, 5251, 2695, 95], (3.68, 2.46), (6.99, 4.67), 99.83, issue),
        (
            [283, 1151, 2214, 1221, 281],
            (2.23, 4.50),
            (3.32, 6.71),
            83.40,
            "fastchess output in xu-shawn/Serendipity, pull request 55",
        ),
        (
            [235, 1384, 2521, 1341, 239],
            (-1.06, 4.05),
            (-1.67, 6.37),
            30.33,
            "fastchess output in lynx-chess/Lynx, pull request 1899",
        ),
        (
            [50, 287, 610, 387, 73],
            (18.04, 8.23),
            (28.19, 12.84),
            100.00,
            "fastchess output in brunocodutra/cinder, pull request 727",
        ),
        (
            [585, 735, 1655, 814, 486],
            (-4.84, 6.08),
            (-5.86, 7.36),
            5.95,
            "fastchess output, WGCodings/Pea, README",
        ),
        ([34, 54, 63, 64, 75], (55.58, 27.65), (57.94, 28.28), 100.00, tests),
        ([332, 433, 498, 333, 334], (-8.64, 10.33), (-9.17, 10.96), 5.05, tests),
        ([7895, 8757, 5685, 568, 9999], (-21.04, 2.95), (-19.01, 2.65), 0.00, tests),
    ] {
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
