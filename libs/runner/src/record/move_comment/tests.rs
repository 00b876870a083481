use super::*;

/// The last move of a game with these comments, as text: score, depth/seldepth, nodes, nps, time, clock.
fn told(comments: &[&str], annotator: Option<&str>, control: Option<&str>) -> String {
    let game = RecordedGame {
        comments: comments.iter().map(|&text| text.to_owned()).collect(),
        annotator: annotator.map(str::to_owned),
        time_controls: [control.map(str::to_owned), control.map(str::to_owned)],
        ..RecordedGame::default()
    };
    let MoveRecord { score, depth, seldepth, nodes, nps, time, clock_left, from_book, .. } =
        MoveRecord::told_by(&game).0.pop().unwrap();
    let seconds = |time: Duration| format!("{}s", time.as_millis() as f64 / 1e3);
    let parts = [
        from_book.then(|| "book".to_owned()),
        score.map(|score| score.to_string()),
        depth.map(|depth| format!("d{depth}")),
        seldepth.map(|depth| format!("sd{depth}")),
        nodes.map(|nodes| format!("n{nodes}")),
        nps.map(|nps| format!("nps{nps}")),
        (!time.is_zero()).then(|| seconds(time)),
        clock_left.map(|left| format!("left {}", seconds(left))),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_program_s_comments_tell_what_they_say() {
    // Black's move; the other comments of the game do not matter.
    for (comment, expected) in [
        // cutechess
        ("+0.31/15 0.53s", "+0.31 d15 0.53s"),
        ("0.00/45 13s, Draw by 3-fold repetition", "+0.00 d45 13s"),
        ("+M5/20 0.002s", "+M3 d20 0.002s"),
        ("-M4/31 0s", "-M2 d31"),
        ("book", "book"),
        ("0.86s", "0.86s"),
        // fastchess
        (
            "-0.35/12 0.520s, tl=7.560s, latency=0.002s, n=416000, sd=20, nps=803000, hashfull=12, tbhits=0, \
             pv=\"e7e5, n=1\", White mates",
            "-0.35 d12 sd20 n416000 nps803000 0.52s left 7.56s",
        ),
        ("/0 0.000s", "d0"),
        // c-chess-cli
        ("-35/12 520ms", "-0.35 d12 0.52s"),
        ("M5/20 12ms", "+M5 d20 0.012s"),
        // OpenBench
        ("+0.57 17/28 583 363004", "+0.57 d17 sd28 n363004 0.583s"),
        // Banksia, WinBoard
        ("+0.4/12 1.3", "+0.40 d12 1.3s"),
        ("+0.10/9 2:05", "+0.10 d9 125s"),
        // BanksiaGUI
        ("+0.18/18 2.1 591321", "+0.18 d18 n591321 2.1s"),
        ("-0.11/18 4.3 1038429; B23: Sicilian, closed, 2...Nc6", "-0.11 d18 n1038429 4.3s"),
        ("M+3/245 1.0 836605", "+M3 d245 n836605 1s"),
        ("M-2/20 1300 5000 10/90/900", "-M2 d20 n5000 1.3s"),
        // TCEC
        (
            "d=33, sd=36, pd=e6, mt=52522, tl=1715560, s=52875688, n=2777189802, pv=b8=Q Nf6, tb=0, h=0.0, \
             ph=100.0, wv=0.70, R50=49, Rd=-11, Rr=-1000, mb=+0+0+0+0+0,",
            "-0.70 d33 sd36 n2777189802 nps52875688 52.522s left 1715.56s",
        ),
        (
            "d=48, sd=48, mt=4587, tl=36503, s=99825287, n=457998417, wv=-M37,",
            "+M19 d48 sd48 n457998417 nps99825287 4.587s left 36.503s",
        ),
        (
            "d=31, pd=Bg7, mt=00:08:29, tl=01:22:20, s=45191 kN/s, n=23028023089, pv=g3 Bg7, tb=0, R50=50, wv=0.48,",
            "-0.48 d31 n23028023089 nps45191000 509s left 4940s",
        ),
        (
            "ev=-0.11, d=23, pd=cxd3, mt=00:07:34, tl=02:22:25, s=600 kN/s, tb=0,",
            "+0.11 d23 nps600000 454s left 8545s",
        ),
        ("ev=0.75, d=11, mt=00:01:38, wv=-0.75,", "+0.75 d11 98s"),
        ("book, mb=+0+0+0+0+0,", "book"),
        // ChessBase
        ("[%eval 34,17] [%emt 0:00:05]", "-0.34 d17 5s"),
        // Comments in no known format.
        ("", ""),
        ("White mates", ""),
        ("0.18/23 239", "d23 239s"),
        ("35/12 520s", ""),
        ("1/2", ""),
        ("Intel(R) Core(TM) i7 CPU 920", ""),
        ("+0.31", ""),
    ] {
        assert_eq!(told(&["", comment], None, None), expected, "{comment}");
        assert_eq!(told(&["", comment, ""], None, None), "", "of the position before the move: {comment}");
    }
}

#[test]
fn a_score_of_lichess_is_of_the_position_behind_the_move_and_so_the_next_move_s() {
    for (comments, last) in [
        (["", "[%eval 0.31] [%clk 0:01:00]", ""], "+0.31"),
        (["", "[%eval #-3] [%clk 0:00:59.5]", ""], "-M3"),
        (["[%eval 0.17]", "[%eval 2.35,20]", "[%clk 0:01:00]"], "+2.35 d20 left 60s"),
        (["", "[%eval 2.35]", "+0.05/7 1s"], "+0.05 d7 1s"),
    ] {
        assert_eq!(told(&comments, None, None), last, "{comments:?}");
    }
    assert_eq!(told(&["[%eval 0.17,9]", ""], None, None), "-0.17 d9");
}

#[test]
fn what_one_comment_leaves_open_the_game_may_tell() {
    let plain = ["0.44/22 278 (exd6)", "0.\n18/23 239"];
    assert_eq!(told(&plain, Some("0.44;0.18"), None), "-0.18 d23 239s");
    assert_eq!(told(&plain, Some("Smith"), None), "d23 239s");
    assert_eq!(told(&["+0.4/12 1.3", "-0.2/11 1.0"], None, None), "-0.20 d11 1s");
    // Arbiter counts the moves to a mate, in the format in which others count plies.
    assert_eq!(told(&["+M4/9 0.1s", "-M3/9 0.1s", "+M3/9 0.1s"], None, None), "+M3 d9 0.1s");
    let clocks = ["[%clk 0:01:00]", "[%clk 0:01:00]", "[%clk 0:00:55]"];
    assert_eq!(told(&clocks, None, Some("60+2")), "7s left 55s");
    assert_eq!(told(&clocks, None, Some("40/60:20/30")), "left 55s");
    assert_eq!(told(&clocks, None, None), "left 55s");
}
