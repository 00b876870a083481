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
    let lines = include_str!("comments.txt").lines().filter(|line| !line.starts_with('#'));
    for (comment, expected) in lines.map(|line| line.split_once(" =>").unwrap()) {
        let expected = expected.trim_start();
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
