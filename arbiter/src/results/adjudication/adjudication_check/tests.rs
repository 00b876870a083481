use std::time::Duration;

use super::*;
use crate::results::test_games::{config, game};
use referee::GameResult;
use runner::MoveScore;

const SHUFFLE: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

/// A game from move 2 with these scores from the mover's view, White first; each move takes a second.
fn scored(index: u32, result: GameResult, scores: &[i32]) -> GameRecord {
    let mut record = game(index, (0, 1), Some(result));
    let template = record.moves[0].clone();
    record.moves = scores
        .iter()
        .zip(SHUFFLE.iter().cycle())
        .map(|(score, uci)| MoveRecord {
            uci: (*uci).into(),
            score: Some(MoveScore::Cp(*score)),
            time: Duration::from_secs(1),
            ..template.clone()
        })
        .collect();
    record
}

fn run(adjudication: &str) -> RunConfig {
    let adjudication = toml::from_str(adjudication).unwrap();
    RunConfig { adjudication, ..config(&["new", "old"], false) }
}

fn rules(adjudication: &str) -> Vec<Adjudication> {
    vec![toml::from_str(adjudication).unwrap()]
}

const RESIGN: &str = "resign = 'count=2,score=600'";

/// White reports a losing score for the second time on the fifth of eight plies.
const LOST: [i32; 8] = [0, 0, -600, 600, -700, 700, -800, 800];

fn tally_of(check: &AdjudicationCheck) -> RuleTally {
    *check.rules().next().unwrap().1
}

#[test]
fn games_that_end_otherwise_than_the_rule_says_are_changed_by_kind() {
    let mut check = AdjudicationCheck::new(rules(RESIGN));
    let results = [GameResult::BlackWins, GameResult::Draw, GameResult::Draw, GameResult::WhiteWins];
    for (index, result) in (0..).zip(results) {
        check.add(&run(""), &scored(index, result, &LOST));
    }
    check.add(&run(""), &scored(4, GameResult::Draw, &[0; 8]));
    let tally = tally_of(&check);
    assert_eq!((tally.games, tally.ended), (5, 4));
    assert_eq!(tally.changed, ChangedResults { win_to_draw: 0, draw_to_win: 2, reversed: 1 });
    assert_eq!((tally.plies, tally.plies_saved), (40, 12), "three plies of each game but the last");
    assert_eq!((tally.time.as_secs(), tally.time_saved.as_secs()), (40, 12));
    assert_eq!(tally.error_rate().share(), Some(0.75));
    assert_eq!(tally.changed_share().share(), Some(0.6));
}

#[test]
fn a_rule_for_draws_changes_wins_and_a_verdict_after_the_last_move_saves_nothing() {
    let mut check = AdjudicationCheck::new(rules("draw = 'move=2,count=2,score=10'"));
    check.add(&run(""), &scored(0, GameResult::WhiteWins, &[5, -5, 5, -5, 300, -300]));
    let tally = tally_of(&check);
    assert_eq!((tally.changed.win_to_draw, tally.plies_saved), (1, 2));
    let mut check = AdjudicationCheck::new(rules(RESIGN));
    check.add(&run(""), &scored(0, GameResult::Draw, &LOST[..5]));
    assert_eq!((tally_of(&check).games, tally_of(&check).ended), (1, 0));
}

#[test]
fn a_game_that_was_not_played_out_tells_nothing() {
    let mut check = AdjudicationCheck::new(rules(RESIGN));
    for termination in [Termination::TimeLoss, Termination::MaxMoves, Termination::ResignAdjudication] {
        let record = GameRecord { termination, ..scored(0, GameResult::BlackWins, &LOST) };
        check.add(&run(""), &record);
    }
    assert_eq!((check.games, tally_of(&check).games, check.not_played_out.len()), (3, 0, 3));
    assert!(!check.is_conclusive());
}

#[test]
fn a_run_with_a_rule_tells_about_the_other_kind_and_about_all_if_games_are_played_out() {
    let draw = rules("draw = 'move=2,count=2,score=10'");
    let both = [rules(RESIGN), draw].concat();
    let games_by = |config: &RunConfig| {
        let mut check = AdjudicationCheck::new(both.clone());
        (0..100).for_each(|index| check.add(config, &scored(index, GameResult::Draw, &[0; 8])));
        let games: Vec<u64> = check.rules().map(|(_, tally)| tally.games).collect();
        (games, check.not_chosen)
    };
    assert_eq!(games_by(&run(RESIGN)), (vec![0, 100], 0));
    let config = run(&format!("{RESIGN}\nplay_out = 0.2"));
    let chosen = (0..100).filter(|game| config.is_played_out(*game)).count() as u64;
    assert!((5..40).contains(&chosen), "{chosen}");
    assert_eq!(games_by(&config), (vec![chosen, chosen], 100 - chosen));
}

#[test]
fn a_capture_or_a_pawn_move_begins_the_count_for_a_draw_anew() {
    let moves_until_draw = |second: &str, fen: &str| {
        let mut record = scored(0, GameResult::Draw, &[0; 10]);
        record.moves[1].san = second.into();
        fen.clone_into(&mut record.opening.fen);
        verdicts(&record, &rules("draw = 'move=2,count=2,score=10'"))[0].map(|verdict| verdict.moves)
    };
    let fen = game(0, (0, 1), None).opening.fen;
    let moves = ["Nf6", "O-O", "Nxc6", "e5", "exd4"].map(|san| moves_until_draw(san, &fen).unwrap());
    assert_eq!(moves, [4, 4, 5, 5, 5]);
    let late = [" w KQkq - 0 1", " b KQkq - 0 1"].map(|clocks| fen.replace(" w KQkq - 0 1", clocks));
    let rule = "draw = 'move=4,count=1,score=10'";
    let numbered = late.map(|fen| {
        let mut record = scored(0, GameResult::Draw, &[0; 10]);
        record.opening.fen = fen;
        verdicts(&record, &rules(rule))[0].map(|verdict| verdict.moves)
    });
    assert_eq!(numbered, [Some(6), Some(5)], "the move after the verdict is the fifth");
}
