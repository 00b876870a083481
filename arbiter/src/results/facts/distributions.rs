//! Distributions over a run: game lengths, latencies, move times, and averages by game phase.

use std::time::Duration;

use jiff::SignedDuration;

use crate::results::GameAverages;
use crate::text::labelled;
use referee::Side;
use runner::GameRecord;

const LONGEST: usize = 600;

const BINS: usize = 24;

#[derive(Clone, Debug, Default)]
pub struct GameLengths {
    counts: Vec<u64>,
    moves: u64,
}

impl GameLengths {
    pub fn add(&mut self, game: &GameRecord) {
        let moves = (game.opening.moves.len() + game.moves.len()).div_ceil(2);
        self.moves += moves as u64;
        let place = moves.min(LONGEST);
        if self.counts.len() <= place {
            self.counts.resize(place + 1, 0);
        }
        self.counts[place] += 1;
    }

    pub fn mean(&self) -> Option<f64> {
        let games: u64 = self.counts.iter().sum();
        (games > 0).then(|| self.moves as f64 / games as f64)
    }

    pub fn bins(&self) -> (usize, Vec<u64>) {
        let width =
            [1, 2, 5, 10, 20, 50].into_iter().find(|width| self.counts.len() <= width * BINS).unwrap_or(50);
        (width, self.counts.chunks(width).map(|bin| bin.iter().sum()).collect())
    }
}

/// The bin borders in microseconds, in steps of 1, 2, 5. Smaller and larger latencies have a bin at each end.
const BORDERS: [i64; 13] =
    [50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000];

#[derive(Clone, Copy, Debug, Default)]
pub struct LatencyBins {
    pub counts: [u64; BORDERS.len() + 1],
}

impl LatencyBins {
    /// Counts a latency. Engines report whole milliseconds, so it may be negative.
    pub fn add(&mut self, latency: SignedDuration) {
        let micros = latency.as_micros();
        self.counts[BORDERS.iter().filter(|border| micros >= i128::from(**border)).count()] += 1;
    }

    /// Labels for some of the borders: the position, counted in bins, and the latency.
    pub fn ticks() -> Vec<(f64, String)> {
        let decades =
            BORDERS.iter().enumerate().filter(|(_, border)| border.ilog10() != (**border - 1).ilog10());
        decades
            .map(|(place, border)| (place as f64 + 1.0, format!("{} ms", *border as f64 / 1000.0)))
            .collect()
    }
}

const MOVES: usize = 200;

const LEAST_SHARE: f64 = 0.05;

#[derive(Clone, Debug, Default)]
pub struct MoveTimes {
    sums: Vec<(u64, Duration)>,
}

impl MoveTimes {
    pub fn add(&mut self, game: &GameRecord, side: Side) {
        for (place, played) in game.moves_of(side).take(MOVES).enumerate() {
            if self.sums.len() == place {
                self.sums.push((0, Duration::ZERO));
            }
            let (count, time) = &mut self.sums[place];
            *count += 1;
            *time += played.time;
        }
    }

    pub fn means(&self) -> impl Iterator<Item = f64> {
        let games = self.sums.first().map_or(0, |(count, _)| *count);
        let enough = (games as f64 * LEAST_SHARE).max(1.0);
        let lasting = self.sums.iter().take_while(move |(count, _)| *count as f64 >= enough);
        lasting.map(|(count, time)| time.as_secs_f64() / *count as f64)
    }
}

/// The fewest pieces, kings and pawns included, in the opening and in the middlegame. Definitions vary; this one needs
/// only the captures.
const OPENING: usize = 26;
const MIDDLEGAME: usize = 14;

labelled! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum GamePhase {
        Opening = "opening",
        Middlegame = "middlegame",
        Endgame = "endgame",
    }
}

impl GamePhase {
    pub const ALL: [GamePhase; 3] = [GamePhase::Opening, GamePhase::Middlegame, GamePhase::Endgame];

    pub const fn of(pieces: usize) -> GamePhase {
        match pieces {
            OPENING.. => GamePhase::Opening,
            MIDDLEGAME.. => GamePhase::Middlegame,
            _ => GamePhase::Endgame,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct PhaseAverages {
    phases: [GameAverages; 3],
}

impl PhaseAverages {
    pub fn add(&mut self, game: &GameRecord, side: Side) {
        let mut pieces = pieces_after_the_opening(game);
        let mut mover = game.first_to_move();
        for played in &game.moves {
            if mover == side {
                self.phases[GamePhase::of(pieces) as usize].add([played]);
            }
            pieces = pieces.saturating_sub(captured(&played.san));
            mover = mover.other();
        }
    }

    pub const fn of(&self, phase: GamePhase) -> &GameAverages {
        &self.phases[phase as usize]
    }
}

fn pieces_after_the_opening(game: &GameRecord) -> usize {
    let board = game.opening.fen.split([' ', '[']).next().unwrap_or_default();
    let pieces = board.chars().filter(char::is_ascii_alphabetic).count();
    pieces.saturating_sub(game.opening.moves.iter().map(|played| captured(&played.san)).sum())
}

/// The number of pieces that a move captures; SAN writes en passant as a capture, too.
fn captured(san: &str) -> usize {
    usize::from(san.contains('x'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::test_games::game;

    #[test]
    fn bins_are_as_wide_as_the_longest_game_asks_for() {
        let mut lengths = GameLengths::default();
        assert_eq!(lengths.mean(), None);
        let mut record = game(0, (0, 1), None);
        lengths.add(&record);
        record.moves = vec![record.moves[0].clone(); 197];
        lengths.add(&record);
        let (width, bins) = lengths.bins();
        assert_eq!((width, bins.len(), bins[0], bins[20]), (5, 21, 1, 1));
        assert_eq!(lengths.mean(), Some(51.0));
    }

    #[test]
    fn each_latency_has_its_bin_and_powers_of_ten_have_texts() {
        let mut bins = LatencyBins::default();
        for micros in [-300, 0, 50, 99, 100, 700_000] {
            bins.add(SignedDuration::from_micros(micros));
        }
        assert_eq!((bins.counts[0], bins.counts[1], bins.counts[2], bins.counts[13]), (2, 2, 1, 1));
        let texts: Vec<String> = LatencyBins::ticks().into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["0.1 ms", "1 ms", "10 ms", "100 ms"]);
    }

    #[test]
    fn a_move_that_hardly_any_game_has_is_left_out() {
        let mut times = MoveTimes::default();
        let mut record = game(0, (0, 1), None);
        (0..99).for_each(|_| times.add(&record, Side::White));
        record.moves = vec![record.moves[0].clone(); 4];
        times.add(&record, Side::White);
        assert_eq!(times.means().collect::<Vec<_>>(), [0.52]);
    }

    #[test]
    fn a_move_belongs_to_the_phase_in_which_it_was_thought_about() {
        let mut record = game(0, (0, 1), None);
        record.opening.fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/RNB1K3 w - - 0 1".to_owned();
        record.opening.moves.clear();
        let mut played = record.moves[0].clone();
        played.san = "Bxb7".into();
        record.moves = vec![played; 9];
        let mut averages = PhaseAverages::default();
        averages.add(&record, Side::White);
        let moves = GamePhase::ALL.map(|phase| averages.of(phase).moves);
        assert_eq!(moves, [0, 4, 1], "21 pieces at the first move, 13 at the ninth");
    }
}
