//! Plays four games of two engines: `plays-a-match ENGINE ENGINE`.

use runner::{Match, SearchLimits};

const OPENINGS: &str = "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engines: Vec<String> = std::env::args().skip(1).collect();
    let [first, second] = &engines[..] else { return Err("expected two engines".into()) };
    let limits = SearchLimits { nodes: Some(2000), ..SearchLimits::default() };
    let setup = Match::new(first, second, limits).openings(OPENINGS);
    let played = setup.configure(|run| (run.games, run.concurrency) = (4, 2)).play()?;
    for game in &played.games {
        println!("game {}: {:?} after {} plies", game.game + 1, game.termination, game.moves.len());
    }
    let (results, pairs) = (played.results(), played.pairs());
    println!("{first}: {} of {} points, pairs {:?}", results.points(), results.games(), pairs.counts());
    Ok(())
}
