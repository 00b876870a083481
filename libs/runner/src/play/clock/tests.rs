//! Clocks at the ends of their stages, and what holds for every time control.

use proptest::prelude::*;

use super::*;

fn clock(control: &str, margin_ms: u64) -> Clock {
    Clock::new(control.parse().unwrap(), Duration::from_millis(margin_ms))
}

fn millis(clock: &Clock) -> u128 {
    clock.remaining().as_millis()
}

#[test]
fn every_move_brings_its_increment_the_first_one_too() {
    let mut clock = clock("10+0.1", 0);
    assert_eq!(millis(&clock), 10_100);
    clock.stop(Duration::from_secs(3)).unwrap();
    assert_eq!(millis(&clock), 7200);
    assert_eq!(clock.stop(Duration::from_millis(7201)), Err(Duration::from_millis(1)));
}

#[test]
fn exactly_the_time_left_is_in_time() {
    assert_eq!(clock("1", 0).stop(Duration::from_secs(1)), Ok(()));
}

#[test]
fn within_the_margin_the_clock_stops_at_zero() {
    let mut clock = clock("1+0.5", 20);
    clock.stop(Duration::from_millis(1515)).unwrap();
    assert_eq!(millis(&clock), 500);
}

#[test]
fn a_stage_of_one_move_adds_its_time_after_every_move() {
    let mut clock = clock("1/60", 0);
    for _ in 0..3 {
        assert_eq!(clock.moves_to_go(), Some(1));
        clock.stop(Duration::from_mins(1)).unwrap();
        assert_eq!(millis(&clock), 60_000);
    }
}

#[test]
fn stages_follow_each_other_and_the_last_one_lasts() {
    let mut clock = clock("2/10,1/5,1+1", 0);
    let mut seen = Vec::new();
    for _ in 0..5 {
        clock.stop(Duration::from_secs(1)).unwrap();
        seen.push((millis(&clock) / 1000, clock.moves_to_go()));
    }
    assert_eq!(seen, [(9, Some(1)), (13, Some(1)), (14, None), (14, None), (14, None)]);
}

#[test]
fn a_pure_increment_counts_for_the_first_move() {
    let mut clock = clock("0+0.1", 0);
    assert_eq!(millis(&clock), 100);
    clock.stop(Duration::from_millis(50)).unwrap();
    assert_eq!(millis(&clock), 150);
}

#[test]
fn the_fortieth_move_still_belongs_to_the_first_stage() {
    let mut clock = clock("40/1", 0);
    for expected in (1..=40).rev() {
        assert_eq!(clock.moves_to_go(), Some(expected));
        assert!(millis(&clock) <= 1000);
        clock.stop(Duration::from_millis(25)).unwrap();
    }
    // All time was used up by the fortieth move, and what is there now is the time of the next forty.
    assert_eq!((clock.moves_to_go(), millis(&clock)), (Some(40), 1000));
}

#[test]
fn the_fortieth_move_cannot_use_the_time_of_the_forty_first() {
    let mut clock = clock("40/1", 0);
    for _ in 1..40 {
        clock.stop(Duration::ZERO).unwrap();
    }
    assert_eq!(clock.stop(Duration::from_millis(1001)), Err(Duration::from_millis(1)));
}

#[test]
fn the_first_move_of_a_stage_brings_the_increment_of_that_stage() {
    let mut clock = clock("1/1+5,0+0.1", 0);
    assert_eq!(millis(&clock), 6000);
    clock.stop(Duration::from_secs(6)).unwrap();
    assert_eq!(millis(&clock), 100);
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

/// The stage in which a move is made, counted from 0, by adding up the moves of the stages.
fn stage_of(control: &TimeControl, mut number: u32) -> Stage {
    let stages = control.stages();
    for stage in stages {
        match stage.moves {
            Some(moves) if number >= moves => number -= moves,
            _ => return *stage,
        }
    }
    stages[stages.len() - 1]
}

/// How many times a stage has begun before a move, each with the time that it brought.
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
                    // A clock that was overstepped is left as it was.
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
