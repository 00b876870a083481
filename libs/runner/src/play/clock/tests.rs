//! Clocks at the ends of stages.

use super::*;

fn clock(control: &str, margin_ms: u64) -> Clock {
    Clock::new(control.parse().unwrap(), Duration::from_millis(margin_ms))
}

fn millis(clock: &Clock) -> u128 {
    clock.remaining.as_millis()
}

#[test]
fn every_move_brings_its_increment_the_first_one_too_and_every_stage_its_time() {
    let minute = (60_000, 60_000, Some(1));
    // Control, margin, initial time, and for each move the time it took, the time left and the moves left after it.
    for (control, margin, first, moves) in [
        ("10+0.1", 0, 10_100, &[(3000, 7200, None)][..]),
        ("0+0.1", 0, 100, &[(50, 150, None)]),
        // Using exactly the time left is in time; within the margin the clock stops at zero.
        ("1", 0, 1000, &[(1000, 0, None)]),
        ("1+0.5", 20, 1500, &[(1515, 500, None)]),
        ("1/60", 0, 60_000, &[minute, minute, minute]),
        (
            "2/10,1/5,1+1",
            0,
            10_000,
            &[(1000, 9000, Some(1)), (1000, 13_000, Some(1)), (1000, 14_000, None), (1000, 14_000, None)],
        ),
        ("1/1+5,0+0.1", 0, 6000, &[(6000, 100, None)]),
        // The last stage is repeated with its increment.
        (
            "1/9,3/2+1",
            0,
            9000,
            &[
                (4000, 8000, Some(3)),
                (500, 8500, Some(2)),
                (9, 9491, Some(1)),
                (0, 12_491, Some(3)),
                (12_491, 1000, Some(2)),
                (1000, 1000, Some(1)),
                (1000, 3000, Some(3)),
            ],
        ),
    ] {
        let mut clock = clock(control, margin);
        assert_eq!(millis(&clock), first, "{control}");
        for (elapsed, left, moves_to_go) in moves {
            // The last move of a stage cannot use the time of the next one.
            let late = clock.remaining + Duration::from_millis(margin + 7);
            assert_eq!(clock.clone().stop(late), Err(Duration::from_millis(7)), "{control}");
            clock.stop(Duration::from_millis(*elapsed)).unwrap();
            assert_eq!((millis(&clock), clock.moves_to_go), (*left, *moves_to_go), "{control}");
        }
    }
}

#[test]
fn a_clock_of_almost_nothing_is_still_sent() {
    let clocks = ["0.0004", "1"].map(|control| Some(clock(control, 0)));
    let go = search_order(&SearchLimits::default(), &clocks, Side::White).to_string();
    assert_eq!(go, "go wtime 1 btime 1000");
}

#[test]
fn what_is_not_the_engines_own_time_makes_a_late_answer_timely_or_changes_nothing() {
    let ms = Duration::from_millis;
    for (clock, why) in [
        (ClockKind::Wall, "the runner's thread waited 30.0 ms for a core"),
        (ClockKind::Cpu, "our timers were 30.0 ms late, as if the machine had stood still"),
    ] {
        let deadline = Deadline { limit: Some(ms(100)), clock };
        let mut elapsed = ms(120);
        assert_eq!(deadline.excuse("e2e4", &mut elapsed, ms(19)), None);
        assert_eq!(elapsed, ms(120));
        let told = deadline.excuse("e2e4", &mut elapsed, ms(30)).unwrap();
        assert_eq!(told, format!("e2e4 would have been 20.0 ms too late, but {why}; that is not counted"));
        assert_eq!((elapsed, deadline.loss(Side::White, "e2e4", elapsed).is_none()), (ms(90), true));
    }
}
