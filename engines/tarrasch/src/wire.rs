//! Conversions between the types of the engine and those of UCI.

use std::time::Duration;

use super::search::{Line, Report, Techniques};
use super::{Depth, Limits, Nodes, TimeManager, Value};
use chess::{Color, Move, Position};
use uci::{Bound, Go, Info, Score, ScoreValue, UciMove};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CastlingNotation {
    /// By the target of the king, `e1g1`.
    #[default]
    KingTarget,
    /// As the king takes its own rook, `e1h1`, for `UCI_Chess960`.
    KingTakesRook,
}

pub fn uci_move(mv: Move, notation: CastlingNotation) -> UciMove {
    let text = mv.to_uci(notation == CastlingNotation::KingTakesRook);
    text.parse().expect("the notation of a move is valid")
}

/// A value as a UCI score: mates in full moves.
pub fn score(value: Value, bound: Bound) -> Score {
    let value = match value.plies_to_mate() {
        Some(plies) if plies > 0 => ScoreValue::Mate((plies + 1) / 2),
        Some(plies) => ScoreValue::Mate(plies / 2),
        None => ScoreValue::Centipawns(value.get()),
    };
    Score { value, bound }
}

/// The score at which half of the games are won, and the step by which the odds of winning grow e-fold. Both are in
/// centipawns, as polynomials of the material, from `arbiter wdl --max-score 1000` on 1,910 games of Tarrasch against
/// itself with 161,829 positions at 1,000 and 1,500 nodes.
const HALF_WON: [f64; 4] = [-88.3, 317.6, -406.6, 245.2];
const WIN_STEP: [f64; 4] = [-1.3, -89.4, 205.0, 38.9];

/// The material of both sides, for [`win_draw_loss`].
pub fn material(position: &Position) -> u32 {
    use chess::PieceKind::{Bishop, Knight, Pawn, Queen, Rook};
    let worth = [(Pawn, 1), (Knight, 3), (Bishop, 3), (Rook, 5), (Queen, 9)];
    worth.iter().map(|&(kind, worth)| worth * position.of_kind(kind).count()).sum()
}

/// The expected wins, draws and losses in a thousand games from a position of this value.
pub fn win_draw_loss(value: Value, material: u32) -> [u16; 3] {
    if let Some(plies) = value.plies_to_mate() {
        return if plies > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let share = f64::from(material.clamp(17, 78)) / 58.0;
    let at = |coefficients: [f64; 4]| coefficients.iter().fold(0.0, |sum, next| sum * share + next);
    let (half_won, step) = (at(HALF_WON), at(WIN_STEP));
    let won = |score: f64| (1000.0 / (1.0 + ((half_won - score) / step).exp())).round() as u16;
    let score = f64::from(value.get());
    let (wins, losses) = (won(score), won(-score));
    [wins, 1000 - wins - losses, losses]
}

pub fn info(report: &Report, notation: CastlingNotation) -> Info {
    Info {
        depth: Some(report.depth.get() as u32),
        seldepth: Some(u32::from(report.sel_depth.get())),
        multipv: Some(report.line_index as u32 + 1),
        score: Some(score(report.value, report.bound)),
        nodes: Some(report.nodes.get()),
        nps: Some(report.nodes.per_second(report.time)),
        hashfull: Some(report.hashfull),
        tbhits: report.tb_hits,
        time: Some(report.time),
        pv: line(&report.line, notation),
        ..Info::default()
    }
}

pub fn line(line: &Line, notation: CastlingNotation) -> Vec<UciMove> {
    line.iter().map(|&mv| uci_move(mv, notation)).collect()
}

/// The limits of `go` for a search of `position`. Illegal moves in `searchmoves` are ignored.
pub fn limits(
    go: &Go,
    position: &Position,
    overhead: Duration,
    multi_pv: usize,
    techniques: Techniques,
) -> Limits {
    Limits {
        techniques,
        depth: go
            .depth
            .map_or(Depth::MAX, |plies| Depth::new(plies.clamp(1, Depth::MAX.get() as u32) as i32)),
        nodes: go.nodes.map(Nodes::new),
        mate: go.mate,
        time: TimeManager::for_move(go, position.side_to_move() == Color::White, overhead),
        search_moves: go.searchmoves.iter().filter_map(|mv| position.parse_uci(mv.as_str())).collect(),
        multi_pv,
        ..Limits::unlimited()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ply;

    #[test]
    fn mates_are_reported_in_moves() {
        let mate = |value| score(value, Bound::Exact).value;
        assert_eq!(mate(Value::mate_in(Ply::new(1))), ScoreValue::Mate(1));
        assert_eq!(mate(Value::mate_in(Ply::new(3))), ScoreValue::Mate(2));
        assert_eq!(mate(Value::mated_in(Ply::new(2))), ScoreValue::Mate(-1));
        assert_eq!(mate(Value::mated_in(Ply::ROOT)), ScoreValue::Mate(0));
        assert_eq!(mate(Value::new(-12)), ScoreValue::Centipawns(-12));
    }

    #[test]
    fn expected_results_follow_the_score() {
        let all = material(&Position::start());
        assert_eq!(all, 78);
        assert_eq!(win_draw_loss(Value::new(0), all), [404, 192, 404]);
        assert_eq!(win_draw_loss(Value::new(130), all), [618, 160, 222]);
        assert_eq!(win_draw_loss(Value::new(-130), all), [222, 160, 618]);
        assert_eq!(win_draw_loss(Value::new(130), 30), [546, 331, 123]);
        assert_eq!(win_draw_loss(Value::new(0), 3), win_draw_loss(Value::new(0), 17));
        assert_eq!(win_draw_loss(Value::mate_in(Ply::new(3)), all), [1000, 0, 0]);
        assert_eq!(win_draw_loss(Value::mated_in(Ply::ROOT), all), [0, 0, 1000]);
        for (score, material) in (-3000..=3000).zip((0..=103).cycle()) {
            assert_eq!(win_draw_loss(Value::new(score), material).iter().sum::<u16>(), 1000);
        }
    }

    #[test]
    fn illegal_searchmoves_are_ignored() {
        let go = Go { searchmoves: vec!["e2e4".parse().unwrap(), "e2e5".parse().unwrap()], ..Go::default() };
        let limits = limits(&go, &Position::start(), Duration::ZERO, 1, Techniques::ALL);
        assert_eq!(limits.search_moves.len(), 1);
    }
}
