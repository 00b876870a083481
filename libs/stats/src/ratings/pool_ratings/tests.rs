use proptest::prelude::*;

use super::*;
use crate::Wdl;
use crate::normal::Z_95;
use crate::ratings::cluster::independent;
use crate::ratings::{Anchor, GroupLink, RatingScale};

/// An encounter, given by the players with White and Black, and White's wins, draws and losses.
const fn of(white: usize, black: usize, wins: u64, draws: u64, losses: u64) -> Encounter {
    Encounter { white, black, results: Wdl::new(wins, draws, losses) }
}

fn rate(players: usize, encounters: &[Encounter]) -> PoolRatings {
    PoolRatings::new(players, &independent(encounters), &BTreeMap::new())
}

fn anchored(players: usize, encounters: &[Encounter], anchors: &[(usize, f64)]) -> PoolRatings {
    loosely(players, encounters, &anchors.iter().map(|&(player, elo)| (player, elo, 0.0)).collect::<Vec<_>>())
}

fn loosely(players: usize, encounters: &[Encounter], anchors: &[(usize, f64, f64)]) -> PoolRatings {
    let anchor = |&(player, elo, error): &_| (player, Anchor { elo: Elo::new(elo), error });
    PoolRatings::new(players, &independent(encounters), &anchors.iter().map(anchor).collect())
}

fn elo(ratings: &PoolRatings, player: usize) -> f64 {
    ratings.players()[player].rating.unwrap().elo.value()
}

fn margin(ratings: &PoolRatings, player: usize) -> f64 {
    ratings.players()[player].rating.unwrap().margin()
}

fn close(one: f64, other: f64, tolerance: f64) {
    assert!((one - other).abs() < tolerance, "{one} and {other}");
}

fn round_robin() -> Vec<Encounter> {
    vec![
        of(0, 1, 10, 15, 5),
        of(1, 0, 8, 14, 8),
        of(0, 2, 14, 12, 4),
        of(2, 0, 7, 10, 13),
        of(0, 3, 18, 9, 3),
        of(3, 0, 4, 11, 15),
        of(1, 2, 11, 13, 6),
        of(2, 1, 9, 12, 9),
        of(1, 3, 13, 13, 4),
        of(3, 1, 6, 13, 11),
        of(2, 3, 12, 11, 7),
        of(3, 2, 9, 10, 11),
    ]
}

#[test]
fn two_players_are_a_match() {
    for results in [Wdl::new(40, 35, 25), Wdl::new(9, 1, 0), Wdl::new(3, 0, 0)] {
        let Wdl { wins, draws, losses } = results;
        let ratings = rate(2, &[of(0, 1, wins, draws, losses)]);
        let expected = EloEstimate::new(&results.score());
        assert_eq!(ratings.difference(0, 1), Some(expected));
        assert_eq!(ratings.superiority(0, 1), Some(Los::new(&results.score())));
        assert_eq!(ratings.white_advantage(), None, "colours were never exchanged");
        let loser = ratings.players()[1];
        if loser.is_open_ended() {
            close(loser.rating.unwrap().upper.value(), -expected.lower.value(), 1e-6);
        } else {
            close(elo(&ratings, 0), expected.elo.value() / 2.0, 1e-9);
            close(elo(&ratings, 1), -expected.elo.value() / 2.0, 1e-9);
        }
        let reversed = ratings.difference(1, 0).unwrap();
        assert!(alike(Some(reversed), Some(EloEstimate::new(&results.reversed().score())), 0.0));
    }
}

#[test]
fn with_exchanged_colours_the_advantage_has_a_closed_form() {
    // Both score 60% with White: the players are equal, and White's advantage is the Elo of 60%.
    let ratings = rate(2, &[of(0, 1, 50, 20, 30), of(1, 0, 50, 20, 30)]);
    close(elo(&ratings, 0), 0.0, 1e-9);
    close(ratings.white_advantage().unwrap().elo.value(), Elo::from_score(0.6).value(), 1e-9);
    // 70% with White and 60% with Black: the advantage is half the difference of their Elo; the lead is the Elo of 65%.
    let ratings = rate(2, &[of(0, 1, 70, 0, 30), of(1, 0, 40, 0, 60)]);
    let [with_white, with_black] = [0.7, 0.6].map(|score| Elo::from_score(score).value());
    let difference = ratings.difference(0, 1).unwrap().elo.value();
    close(difference, Elo::from_score(0.65).value(), 1e-9);
    close(ratings.white_advantage().unwrap().elo.value(), (with_white - with_black) / 2.0, 1e-9);
}

#[test]
fn where_white_always_took_points_the_advantage_has_a_bound() {
    // 800 games: White won 772, and one player drew 28 with Black. The estimate is infinite, with a large finite bound.
    let ratings = rate(2, &[of(0, 1, 372, 28, 0), of(1, 0, 400, 0, 0)]);
    let advantage = ratings.white_advantage().unwrap();
    assert!(advantage.elo.value().is_infinite() && advantage.upper.value().is_infinite());
    assert!(advantage.lower.value() > 500.0 && advantage.lower.value() < 800.0, "{advantage:?}");
    close(ratings.difference(1, 0).unwrap().elo.value(), Elo::from_score(0.5 + 14.0 / 800.0).value(), 1e-9);
    let turned = rate(2, &[of(0, 1, 0, 28, 372), of(1, 0, 0, 0, 400)]).white_advantage().unwrap();
    close(turned.upper.value(), -advantage.lower.value(), 1e-3);
}

#[test]
fn an_advantage_of_which_little_is_known_moves_no_rating() {
    // The first player took 3.5 of 4 points from the second, and lost none with Black; the third lost all games.
    let [win, loss] = [Wdl::new(1, 0, 0), Wdl::new(0, 0, 1)];
    let won = [(0, 2), (1, 2)].map(|(white, black)| Encounter { white, black, results: win });
    let lost = [(1, 0), (2, 0), (2, 1)].map(|(white, black)| Encounter { white, black, results: loss });
    let ratings = rate(3, &[&[of(0, 1, 2, 1, 0)], &won[..], &lost].concat());
    assert!(ratings.white_advantage().unwrap().upper.value() > 0.0);
    close(elo(&ratings, 0) - elo(&ratings, 1), Elo::from_score(3.5 / 4.0).value(), 1e-6);
}

#[test]
fn pairs_from_a_lopsided_book_cancel() {
    use crate::Outcome::{Draw, Loss, Win};
    // Three players in a round robin from openings that White always wins or always loses.
    let mut clusters = Vec::new();
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        let pair =
            |first, second, times| Cluster { games: vec![(one, other, first), (other, one, second)], times };
        clusters.extend([pair(Win, Win, 45), pair(Loss, Loss, 45), pair(Win, Draw, 6), pair(Draw, Win, 4)]);
    }
    let paired = PoolRatings::new(3, &clusters, &BTreeMap::new());
    let blind = rate(3, &encounters(&clusters));
    close(elo(&paired, 0), elo(&blind, 0), 1e-9);
    let [paired, blind] = [&paired, &blind].map(|list| list.difference(0, 2).unwrap().margin());
    assert!(paired < blind / 1.5, "{paired} and {blind}");
}

#[test]
fn the_interval_of_a_lopsided_score_is_longer_on_the_far_side() {
    let ratings =
        rate(3, &[of(0, 1, 198, 1, 1), of(1, 0, 0, 2, 198), of(1, 2, 50, 20, 30), of(2, 1, 40, 20, 40)]);
    let EloEstimate { elo, lower, upper } = ratings.players()[0].rating.unwrap();
    let [down, up] = [elo.value() - lower.value(), upper.value() - elo.value()];
    assert!(up > 1.1 * down, "{down} and {up}");
    assert!(ratings.superiority(0, 1).unwrap().probability() > 0.9999);
}

#[test]
fn in_a_round_robin_everybody_has_scored_as_expected() {
    let ratings = rate(4, &round_robin());
    let advantage = ratings.white_advantage().unwrap().elo.value();
    for player in 0..4 {
        let mut expected = 0.0;
        for game in round_robin() {
            let lead = elo(&ratings, game.white) - elo(&ratings, game.black) + advantage;
            let white = Elo::new(lead).expected_score() * game.results.games() as f64;
            expected += if game.white == player { white } else { 0.0 };
            expected += if game.black == player { game.results.games() as f64 - white } else { 0.0 };
        }
        close(ratings.players()[player].results.points(), expected, 1e-6);
    }
    close((0..4).map(|player| elo(&ratings, player)).sum(), 0.0, 1e-9);
    assert_eq!(ratings.groups().len(), 1);
    assert_eq!(ratings.groups()[0].scale, RatingScale::Average);
    assert!((0..4).all(|player| margin(&ratings, player) > 10.0 && margin(&ratings, player) < 60.0));
}

#[test]
fn a_published_example_has_the_ratings_that_were_found_by_hand() {
    // Kai Laskos, "EloStat, Bayeselo and Ordo", talkchess.com, topic 44180 (2012): Houdini scored 75% against Strelka
    // and 90% against Komodo, Strelka 75% against Komodo, in 30 games each. 90% are twice the Elo of 75%, which is 191.
    let games = [of(0, 1, 18, 9, 3), of(1, 2, 18, 9, 3), of(0, 2, 24, 6, 0)];
    let ratings = rate(3, &games);
    for (player, by_hand) in [(0, 191.0), (1, 0.0), (2, -191.0)] {
        close(elo(&ratings, player), by_hand, 0.5);
    }
}

#[test]
fn an_anchor_shifts_all_ratings_and_takes_all_errors() {
    let free = rate(4, &round_robin());
    let fixed = anchored(4, &round_robin(), &[(2, 2500.0)]);
    let shift = 2500.0 - elo(&free, 2);
    for player in 0..4 {
        close(elo(&fixed, player), elo(&free, player) + shift, 1e-6);
        if player != 2 {
            close(margin(&fixed, player), fixed.difference(player, 2).unwrap().margin(), 1e-9);
            close(margin(&fixed, player), free.difference(player, 2).unwrap().margin(), 1e-6);
        }
    }
    close(margin(&fixed, 2), 0.0, 1e-12);
    assert!(fixed.players()[2].is_anchor && fixed.groups()[0].scale == RatingScale::Anchors);
}

/// Without draws, and with many games, two ratings and a lead are three normal observations.
#[test]
fn loose_anchors_and_games_of_two_players_are_weighted_by_their_errors() {
    let games = [of(0, 1, 30_000, 0, 20_000), of(1, 0, 20_000, 0, 30_000)];
    let free = anchored(2, &games, &[(1, 0.0)]);
    let (lead, of_lead) = (elo(&free, 0), margin(&free, 0) / Z_95);
    for (errors, given) in
        [([3.0, 1.0], [lead + 3.0, 0.0]), ([0.5, 5.0], [lead, 2.0]), ([2.0, 2.0], [lead, 0.0])]
    {
        let [first, second] = errors.map(|error: f64| error * error);
        let gap = lead - (given[0] - given[1]);
        let all = first + second + of_lead * of_lead;
        let ratings = loosely(2, &games, &[(0, given[0], errors[0]), (1, given[1], errors[1])]);
        close(elo(&ratings, 0), given[0] + gap * first / all, 0.05);
        close(elo(&ratings, 1), given[1] - gap * second / all, 0.05);
        close(margin(&ratings, 0), Z_95 * (first - first * first / all).sqrt(), 0.02);
        let difference = ratings.difference(0, 1).unwrap();
        let of_given = first + second;
        close(difference.margin(), Z_95 * (of_given - of_given * of_given / all).sqrt(), 0.02);
        assert!(!ratings.players()[0].is_anchor && ratings.groups()[0].scale == RatingScale::Anchors);
    }
    // One loose anchor keeps its rating and its error, which the other has in addition.
    let one = loosely(2, &games, &[(1, 2000.0, 10.0)]);
    close(elo(&one, 1), 2000.0, 1e-6);
    close(elo(&one, 0), 2000.0 + lead, 0.01);
    close(margin(&one, 1), Z_95 * 10.0, 0.01);
    close(margin(&one, 0), Z_95 * (100.0 + of_lead * of_lead).sqrt(), 0.02);
    close(margin(&loosely(1, &[], &[(0, 2500.0, 10.0)]), 0), Z_95 * 10.0, 1e-6);
}

#[test]
fn between_two_anchors_the_third_has_the_rating_at_which_its_score_is_expected() {
    // Half the points against both 2400 and 2600, so 2500 by symmetry.
    let games = [of(0, 1, 30, 40, 50), of(0, 2, 50, 40, 30)];
    let ratings = anchored(3, &games, &[(1, 2400.0), (2, 2600.0)]);
    close(elo(&ratings, 0), 2500.0, 1e-6);
    close(elo(&ratings, 1), 2400.0, 1e-9);
}

#[test]
fn a_perfect_score_changes_nobody_else() {
    let mut games = round_robin();
    games.extend([of(4, 0, 3, 0, 0), of(1, 4, 0, 0, 3), of(2, 5, 4, 0, 0), of(5, 3, 0, 0, 4)]);
    let (with, without) = (rate(6, &games), rate(4, &round_robin()));
    for player in 0..4 {
        close(elo(&with, player), elo(&without, player), 1e-9);
    }
    let [winner, loser] = [with.players()[4], with.players()[5]];
    assert_eq!((elo(&with, 4), elo(&with, 5)), (f64::INFINITY, f64::NEG_INFINITY));
    let (lower, upper) = (winner.rating.unwrap().lower.value(), loser.rating.unwrap().upper.value());
    assert!(lower > elo(&with, 0) && lower < elo(&with, 0) + 200.0, "{lower}");
    assert!(upper < elo(&with, 3) + 100.0, "{upper}");
    assert!(with.superiority(4, 0).unwrap().probability() > 0.9);
    assert_eq!(with.superiority(4, 5), None);
}

#[test]
fn who_only_met_open_ended_players_is_rated_where_that_says_anything() {
    // 4 beats the pool, 5 beats 4, 6 lost to 4.
    let mut games = round_robin();
    games.extend([of(4, 0, 9, 0, 0), of(5, 4, 9, 0, 0), of(6, 4, 0, 0, 9)]);
    let ratings = rate(7, &games);
    let bound = |player: usize| ratings.players()[player].rating.unwrap().lower.value();
    assert!(bound(5) > bound(4));
    assert_eq!(ratings.players()[6].rating, None);
    assert_eq!(ratings.players()[6].group, None);
}

#[test]
fn groups_that_never_met_are_not_compared() {
    let mut games = round_robin();
    games.extend([of(4, 5, 5, 5, 5), of(5, 4, 5, 5, 6)]);
    let ratings = rate(7, &games);
    let [first, second] = ratings.groups() else { panic!("two groups: {:?}", ratings.groups()) };
    assert_eq!((&first.players[..], &second.players[..]), (&[0, 1, 2, 3][..], &[4, 5][..]));
    assert_eq!((first.link, second.link), (None, Some(GroupLink::NeverMet)));
    assert_eq!((ratings.superiority(0, 4), ratings.difference(0, 4)), (None, None));
    assert_eq!(ratings.players()[6].rating, None, "a player without games");
    close(elo(&ratings, 4) + elo(&ratings, 5), 0.0, 1e-9);
}

#[test]
fn groups_that_are_joined_one_way_are_above_or_below_and_otherwise_not_put_in_order() {
    for (results, link) in [(Wdl::new(3, 0, 0), GroupLink::Below), (Wdl::new(0, 0, 3), GroupLink::Above)] {
        let mut games = round_robin();
        games.extend([of(4, 5, 5, 5, 5), Encounter { white: 0, black: 4, results }]);
        let ratings = rate(6, &games);
        assert_eq!(ratings.groups()[1].link, Some(link));
        assert_eq!(ratings.difference(0, 4), None);
    }
    let mut games = round_robin();
    games.extend([of(4, 5, 5, 5, 5), of(6, 4, 2, 0, 0), of(6, 0, 2, 0, 0)]);
    let ratings = rate(7, &games);
    assert_eq!(ratings.groups()[1].link, Some(GroupLink::Unclear));
    assert_eq!(ratings.players()[6].group, Some(0), "it is rated beside the larger group");
}

#[test]
fn anchors_join_groups_that_never_met() {
    let mut games = round_robin();
    games.extend([of(4, 5, 20, 10, 15), of(5, 4, 20, 10, 15)]);
    let ratings = anchored(6, &games, &[(0, 3000.0), (4, 2000.0)]);
    assert_eq!(ratings.groups().len(), 1);
    close(elo(&ratings, 5), 2000.0, 1e-6);
    assert!(ratings.superiority(1, 5).unwrap().probability() > 0.999);
}

#[test]
fn nobody_and_nothing_are_fine() {
    assert!(rate(0, &[]).players().is_empty());
    let ratings = rate(2, &[of(0, 0, 1, 1, 1)]);
    assert_eq!((ratings.players()[0].rating, ratings.groups().len()), (None, 0));
    assert_eq!((ratings.white_advantage(), ratings.draw_rate()), (None, None));
    close(elo(&anchored(1, &[], &[(0, 2500.0)]), 0), 2500.0, 1e-9);
}

#[test]
fn nothing_but_draws_leaves_an_error_that_shrinks_with_the_games() {
    let of_draws = |games| rate(2, &[of(0, 1, 0, games, 0), of(1, 0, 0, games, 0)]);
    let (few, many) = (of_draws(2), of_draws(200));
    close(elo(&few, 0), 0.0, 1e-9);
    assert!(margin(&few, 0) > 50.0 && margin(&many, 0) < 3.0 && margin(&many, 0) > 0.1);
    let rate = few.draw_rate().unwrap();
    close(rate.rate, 1.0, 1e-12);
    // Four games: the fourth root of 2.5%.
    close(rate.lower, 0.025_f64.powf(0.25), 1e-8);
}

#[test]
fn the_interval_of_the_draw_rate_is_that_of_its_clusters() {
    use crate::Outcome::{Draw, Loss, Win};
    let blind = rate(2, &[of(0, 1, 62, 76, 62), of(1, 0, 62, 76, 62)]).draw_rate().unwrap();
    close(blind.rate, 0.38, 1e-9);
    // Nearly the normal interval of the logit of a share of 400 games.
    let reach = 1.96 / (400.0 * 0.38 * 0.62_f64).sqrt();
    let logit = |share: f64| (share / (1.0 - share)).ln();
    close(logit(blind.upper) - logit(0.38), reach, 0.02 * reach);
    close(logit(0.38) - logit(blind.lower), reach, 0.02 * reach);
    // Both games of a pair are drawn, or neither is: half as many observations, so the error is greater by √2.
    let pair = |first, second, times| Cluster { games: vec![(0, 1, first), (1, 0, second)], times };
    let clusters = [pair(Draw, Draw, 76), pair(Win, Win, 62), pair(Loss, Loss, 62)];
    let paired = PoolRatings::new(2, &clusters, &BTreeMap::new()).draw_rate().unwrap();
    close(logit(paired.upper) - logit(0.38), 2.0_f64.sqrt() * reach, 0.03 * reach);
    // Without draws there is a bound that depends on the number of games.
    let none = rate(2, &[of(0, 1, 50, 0, 50)]).draw_rate().unwrap();
    assert_eq!((none.rate, none.lower), (0.0, 0.0));
    close(none.upper, 1.0 - 0.025_f64.powf(0.01), 1e-8);
    let drawn = rate(2, &[of(0, 1, 0, 1, 0), of(1, 0, 0, 2, 3)]).draw_rate().unwrap();
    assert_eq!((drawn.rate, drawn.upper), (1.0, 1.0));
    assert!(0.0 < drawn.lower && drawn.lower < 1.0, "{drawn:?}");
}

/// A pool whose results follow a fixed pattern.
fn any_pool() -> impl Strategy<Value = (usize, Vec<Encounter>)> {
    (2_usize..7).prop_flat_map(|players| {
        let encounter = (0..players, 0..players, prop::array::uniform3(0_u64..6))
            .prop_map(|(white, black, [wins, draws, losses])| of(white, black, wins, draws, losses));
        (Just(players), prop::collection::vec(encounter, 0..14))
    })
}

/// Whether two estimates are equal except for rounding.
fn alike(one: Option<EloEstimate>, other: Option<EloEstimate>, shift: f64) -> bool {
    let near = |a: Elo, b: Elo| a == b || (a.value() + shift - b.value()).abs() < 1e-3;
    match (one, other) {
        (Some(a), Some(b)) => near(a.elo, b.elo) && near(a.lower, b.lower) && near(a.upper, b.upper),
        (one, other) => one == other,
    }
}

proptest! {
    #[test]
    fn all_numbers_are_defined((players, games) in any_pool()) {
        let ratings = rate(players, &games);
        for player in ratings.players() {
            if let Some(rating) = player.rating {
                prop_assert!(rating.lower <= rating.elo && rating.elo <= rating.upper);
                let is_match = ratings.players().iter().filter(|other| other.group == player.group).count() == 2;
                prop_assert!(is_match || player.is_open_ended() || rating.margin().is_finite());
            }
        }
        if let Some(DrawRate { rate, lower, upper }) = ratings.draw_rate() {
            prop_assert!(0.0 <= lower && lower <= rate && rate <= upper && upper <= 1.0);
        }
        for one in 0..players {
            for other in 0..players {
                if let Some(los) = ratings.superiority(one, other) {
                    let reverse = ratings.superiority(other, one).unwrap();
                    prop_assert!((los.probability() + reverse.probability() - 1.0).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn the_order_of_players_and_games_does_not_matter(
        (players, games, order) in any_pool().prop_flat_map(|(players, games)| {
            let order = Just((0..players).collect::<Vec<_>>()).prop_shuffle();
            (Just(players), Just(games).prop_shuffle(), order)
        })
    ) {
        let moved: Vec<Encounter> = games
            .iter()
            .map(|game| Encounter { white: order[game.white], black: order[game.black], ..*game })
            .collect();
        let (before, after) = (rate(players, &games), rate(players, &moved));
        for one in 0..players {
            for other in 0..players {
                // Which of several equal players an open-ended player is rated against does depend on the order.
                if before.groups().iter().all(|group| group.players.len() > 1) {
                    let pair = (before.difference(one, other), after.difference(order[one], order[other]));
                    prop_assert!(alike(pair.0, pair.1, 0.0) || before.groups().len() > 1, "{pair:?}");
                }
            }
        }
    }

    #[test]
    fn exchanging_the_colours_turns_the_advantage_round(games in any_pool()) {
        let turned: Vec<Encounter> = games.1
            .iter()
            .map(|game| of(game.black, game.white, game.results.losses, game.results.draws, game.results.wins))
            .collect();
        let (before, after) = (rate(games.0, &games.1), rate(games.0, &turned));
        for (one, other) in before.players().iter().zip(after.players()) {
            prop_assert!(alike(one.rating, other.rating, 0.0));
        }
        let advantages = (before.white_advantage(), after.white_advantage());
        prop_assert_eq!(advantages.0.is_some(), advantages.1.is_some());
        if let (Some(one), Some(other)) = advantages {
            prop_assert!(alike(Some(one), Some(-other), 0.0), "{one:?} and {other:?}");
        }
    }

    #[test]
    fn moving_the_anchor_moves_all_ratings(games in any_pool(), shift in -3000.0..3000.0) {
        let (here, there) = (anchored(games.0, &games.1, &[(0, 0.0)]), anchored(games.0, &games.1, &[(0, shift)]));
        for (one, other) in here.players().iter().zip(there.players()) {
            let moves = one.group.is_some_and(|group| here.groups()[group].scale == RatingScale::Anchors);
            let shift = if moves { shift } else { 0.0 };
            prop_assert!(alike(one.rating, other.rating, shift));
        }
    }
}
