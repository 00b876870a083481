//! Clocks at the ends of stages, and properties of every time control.

use proptest::prelude::*;

use super::*;

fn clock(control: &str, margin_ms: u64) -> Clock {
    Clock::new(control.parse().unwrap(), Duration::from_millis(margin_ms))
}

fn millis(clock: &Clock) -> u128 {
    clock.remaining().as_millis()
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
    ] {
        let mut clock = clock(control, margin);
        assert_eq!(millis(&clock), first, "{control}");
        for (elapsed, left, moves_to_go) in moves {
            clock.stop(Duration::from_millis(*elapsed)).unwrap();
            assert_eq!((millis(&clock), clock.moves_to_go()), (*left, *moves_to_go), "{control}");
        }
    }
}

#[test]
fn the_fortieth_move_still_belongs_to_the_first_stage_and_cannot_use_the_time_of_the_next() {
    let mut clock = clock("40/1", 0);
    for expected in (1..=40).rev() {
        assert_eq!(clock.moves_to_go(), Some(expected));
        let late = clock.remaining() + Duration::from_millis(1);
        assert_eq!(clock.clone().stop(late), Err(Duration::from_millis(1)));
        clock.stop(Duration::from_millis(25)).unwrap();
    }
    // All time was used up by the 40th move, so the time left is that of the next 40.
    assert_eq!((clock.moves_to_go(), millis(&clock)), (Some(40), 1000));
}

fn stages() -> impl Strategy<Value = TimeControl> {
    let stage = (1_u32..6, 1_u64..5000, 0_u64..300);
    (prop::collection::vec(stage, 1..4), any::<bool>()).prop_map(|(stages, sudden_death)| {
        let last = stages.len() - 1;
        let text = stages.into_iter().enumerate().map(|(index, (moves, time, increment))| {
            let moves = if index == last && sudden_death { String::new() } else { format!("{moves}/") };
            format!("{moves}{}.{:03}+0.{increment:03}", time / 1000, time % 1000)
        });
        text.collect::<Vec<_>>().join(",").parse().unwrap()
    })
}

/// The stage of a move, counted from 0, computed by adding up the moves of the stages.
fn stage_of(control: &TimeControl, mut number: u32) -> TimeStage {
    let stages = control.stages();
    for stage in stages {
        match stage.moves {
            Some(moves) if number >= moves => number -= moves,
            _ => return *stage,
        }
    }
    stages[stages.len() - 1]
}

/// The time that stages have added before a move.
fn time_brought(control: &TimeControl, number: u32) -> Duration {
    let stages = control.stages();
    let mut brought = stages[0].time;
    let (mut stage, mut made) = (0, 0);
    for _ in 0..number {
        made += 1;
        if stages[stage].moves == Some(made) {
            stage = (stage + 1).min(stages.len() - 1);
            made = 0;
            brought += stages[stage].time;
        }
    }
    brought
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

proptest! {
    #[test]
    fn no_time_is_lost_or_made(control in stages(), shares in prop::collection::vec(0_u32..=100, 1..40)) {
        let mut clock = Clock::new(control.clone(), Duration::ZERO);
        let (mut used, mut increments) = (Duration::ZERO, Duration::ZERO);
        for (number, share) in (0..).zip(shares) {
            let stage = stage_of(&control, number);
            increments += stage.increment;
            prop_assert_eq!(clock.increment(), stage.increment);
            prop_assert_eq!(clock.moves_to_go().is_some(), stage.moves.is_some());
            prop_assert_eq!(clock.remaining() + used, time_brought(&control, number) + increments);
            let elapsed = clock.remaining() * share / 100;
            used += elapsed;
            prop_assert_eq!(clock.stop(elapsed), Ok(()));
        }
    }

    #[test]
    fn a_clock_is_overstepped_exactly_beyond_its_limit(
        control in stages(),
        margin in 0_u64..50,
        times in prop::collection::vec(0_u64..3000, 1..30),
    ) {
        let mut clock = Clock::new(control, Duration::from_millis(margin));
        for time in times.into_iter().map(Duration::from_millis) {
            let (limit, before) = (clock.limit(), clock.remaining());
            match clock.stop(time) {
                Ok(()) => prop_assert!(time <= limit),
                Err(late) => {
                    prop_assert_eq!(limit + late, time);
                    // A clock that was overstepped is unchanged.
                    prop_assert_eq!(clock.remaining(), before);
                    break;
                }
            }
        }
    }

    #[test]
    fn moves_to_go_count_down_to_one_and_begin_again(control in stages(), moves in 1_usize..40) {
        let mut clock = Clock::new(control.clone(), Duration::ZERO);
        for number in 0..moves as u32 {
            let before = clock.moves_to_go();
            clock.stop(Duration::ZERO).unwrap();
            let expected = match before {
                Some(1) => stage_of(&control, number + 1).moves,
                left => left.map(|left| left - 1),
            };
            prop_assert_eq!(clock.moves_to_go(), expected);
        }
    }
}

#[test]
fn an_order_has_the_limits_of_its_engine_and_the_clocks_of_both_if_it_has_one() {
    let handicap = [Some("10+0.1"), Some("40/60")];
    for (nodes, depth, controls, side, order) in [
        (None, None, handicap, Side::White, "go wtime 10100 btime 60000 winc 100"),
        (None, None, handicap, Side::Black, "go wtime 10100 btime 60000 winc 100 movestogo 40"),
        (
            Some(5000),
            Some(9),
            [Some("1"), Some("1")],
            Side::White,
            "go nodes 5000 depth 9 wtime 1000 btime 1000",
        ),
        (None, None, [Some("10+0.1"), None], Side::White, "go wtime 10100 winc 100"),
        (Some(700), None, [Some("10+0.1"), None], Side::Black, "go nodes 700"),
        // A clock of almost 0 is still sent.
        (None, None, [Some("0.0004"), Some("1")], Side::White, "go wtime 1 btime 1000"),
    ] {
        let clocks = controls.map(|it| Some(clock(it?, 0)));
        let limits = SearchLimits { nodes, depth, ..SearchLimits::default() };
        assert_eq!(search_order(&limits, &clocks, side).to_string(), order);
    }
}
