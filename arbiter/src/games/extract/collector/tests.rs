use referee::Variant;

use super::*;

fn recipe() -> QuietRecipe {
    QuietRecipe {
        per_game: usize::MAX,
        skip_plies: 0,
        players: Vec::new(),
        max_score: 2000,
        seed: 1,
        limit: usize::MAX,
    }
}

/// A game in UCI notation, without scores.
fn game(moves: &str) -> FinishedGame {
    FinishedGame {
        title: "a game".to_owned(),
        players: [Some("one".to_owned()), Some("two".to_owned())],
        variant: Variant::Standard,
        start_fen: None,
        book_plies: 0,
        moves: moves.split_whitespace().map(|uci| ScoredMove { uci: uci.to_owned(), score: None }).collect(),
        outcome: GameOutcome::Decided(GameResult::WhiteWins),
    }
}

/// Twenty quiet plies.
fn quiet_game() -> FinishedGame {
    game(
        "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6 e1g1 e8g8 b1d2 a7a6 a2a4 h7h6 h2h3 f8e8 f1e1 c8e6",
    )
}

/// The plies of the positions kept; a position that occurs twice has its first ply.
fn plies(recipe: QuietRecipe, game: &FinishedGame) -> Vec<usize> {
    let mut referee = Referee::new(Variant::Standard);
    let mut boards = vec![board_of(&referee)];
    for played in &game.moves {
        referee.play(&played.uci).unwrap();
        boards.push(board_of(&referee));
    }
    let kept = QuietCollector::new(recipe).collect(0, game).unwrap();
    let ply = |kept: &QuietPosition| boards.iter().position(|board| *board == kept.board).unwrap();
    kept.iter().map(ply).collect()
}

fn rejected(recipe: QuietRecipe, game: &FinishedGame) -> Vec<(QuietFilter, u64)> {
    let mut collector = QuietCollector::new(recipe);
    collector.collect(0, game).unwrap();
    collector.tally.positions.rejected.clone().into_iter().collect()
}

#[test]
fn a_game_of_chess960_has_its_own_castling() {
    let game = FinishedGame {
        variant: Variant::Chess960,
        start_fen: Some("2kr4/8/8/8/8/8/8/RK6 w Qd - 0 1".to_owned()),
        ..game("b1a1 c8b8")
    };
    let kept = QuietCollector::new(recipe()).collect(1, &game).unwrap();
    assert_eq!(kept.last().unwrap().board.split(' ').next(), Some("2kr4/8/8/8/8/8/8/2KR4"));
}

#[test]
fn captures_checks_promotions_and_positions_in_check_are_rejected() {
    // 2...Qh4+ gives check, 3.g3 is an answer to one, 3...Qxg3+ captures.
    let played = game("f2f4 e7e5 a2a3 d8h4 g2g3 h4g3 h2g3 a7a6");
    assert_eq!(plies(recipe(), &played), [0, 1, 2, 7]);
    assert_eq!(rejected(recipe(), &played), [(QuietFilter::Check, 2), (QuietFilter::NotQuiet, 2)]);
    let start_fen = Some("8/P6k/8/8/8/8/8/K7 w - - 0 1".to_owned());
    let promoted = FinishedGame { start_fen, ..game("a7a8r h7g7") };
    assert_eq!(rejected(recipe(), &promoted), [(QuietFilter::NotQuiet, 1)]);
}

#[test]
fn positions_of_the_opening_and_of_other_players_are_rejected() {
    let (quiet, after_book) = (quiet_game(), FinishedGame { book_plies: 4, ..quiet_game() });
    let players = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    for (skip_plies, players, game, kept) in [
        (8, players(&[]), &after_book, (12..20).collect::<Vec<_>>()),
        (0, players(&["two", "three"]), &quiet, (1..20).step_by(2).collect()),
        (0, players(&["three"]), &quiet, Vec::new()),
    ] {
        assert_eq!(plies(QuietRecipe { skip_plies, players, ..recipe() }, game), kept);
    }
}

#[test]
fn mates_and_large_scores_are_rejected_and_others_are_kept_with_the_position() {
    let mut played = game("e2e4 e7e5 g1f3 b8c6");
    let scores = [MoveScore::Cp(-301), MoveScore::Mate(7), MoveScore::Cp(300)].map(Some);
    for (played, score) in played.moves.iter_mut().zip(scores) {
        played.score = score;
    }
    let mut collector = QuietCollector::new(QuietRecipe { max_score: 300, ..recipe() });
    let kept = collector.collect(0, &played).unwrap();
    assert_eq!(kept.iter().map(|kept| kept.score).collect::<Vec<_>>(), [Some(300), None]);
    assert_eq!(kept[0].board, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -");
    assert_eq!(collector.tally.positions.rejected[&QuietFilter::LargeScore], 2);
}

#[test]
fn a_position_is_kept_once_over_all_games() {
    let repeated = game("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6");
    assert_eq!(plies(recipe(), &repeated), [0, 1, 2, 3]);
    let mut collector = QuietCollector::new(recipe());
    collector.collect(0, &quiet_game()).unwrap();
    assert!(collector.collect(1, &quiet_game()).unwrap().is_empty());
    let tally = &collector.tally;
    assert_eq!((tally.positions.rejected[&QuietFilter::Duplicate], tally.positions.seen), (20, 40));
    assert_eq!((tally.games, tally.kept), (2, 20));
}

#[test]
fn the_seed_and_the_number_decide_the_choice() {
    let chosen = |seed, number| {
        let mut collector = QuietCollector::new(QuietRecipe { per_game: 5, seed, ..recipe() });
        let kept = collector.collect(number, &quiet_game()).unwrap();
        assert_eq!((kept.len(), collector.tally.positions.rejected[&QuietFilter::NotChosen]), (5, 15));
        kept
    };
    assert_eq!(chosen(1, 7), chosen(1, 7));
    assert_ne!(chosen(1, 7), chosen(2, 7));
    assert_ne!(chosen(1, 7), chosen(1, 8));
    let order = plies(QuietRecipe { per_game: 5, ..recipe() }, &quiet_game());
    assert!(order.is_sorted(), "{order:?}");
}

#[test]
fn games_without_a_result_or_with_a_fault_are_counted_and_illegal_ones_named() {
    let mut collector = QuietCollector::new(recipe());
    for outcome in [GameOutcome::Fault, GameOutcome::Unfinished, GameOutcome::Unfinished] {
        let played = FinishedGame { outcome, ..game("e2e5") };
        assert!(collector.collect(0, &played).unwrap().is_empty());
    }
    let tally = &collector.tally;
    assert_eq!((tally.games, tally.faults, tally.unfinished, tally.positions.seen), (3, 1, 2, 0));
    let nowhere = FinishedGame { start_fen: Some("8/8 w".to_owned()), ..game("") };
    for (game, problem) in [(game("e2e4 e2e4"), "move \"e2e4\" is not legal"), (nowhere, "FEN")] {
        let error = QuietCollector::new(recipe()).collect(0, &game).unwrap_err();
        assert!(format!("{error:#}").starts_with(&format!("a game: {problem}")), "{error:#}");
    }
}
