//! Says how a sequential test stands after some pairs of games: `computes-an-sprt LL LD DD+WL WD WW`.

use stats::{EloEstimate, Observations, Pentanomial, Sprt, SprtModel};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let counts = std::env::args().skip(1).map(|word| word.parse()).collect::<Result<Vec<u64>, _>>()?;
    let counts = counts.try_into().map_err(|_| "expected five counts of pairs")?;
    let pairs = Observations::Pairs(Pentanomial::new(counts));
    let elo = EloEstimate::new(&pairs.score());
    println!("Elo {:+.2} [{:+.2}, {:+.2}]", elo.elo, elo.lower, elo.upper);

    let test = Sprt::new(0.0, 2.0, 0.05, 0.05, SprtModel::Normalized)?;
    let (llr, bounds) = (pairs.llr(&test), test.bounds(&pairs));
    println!("LLR {llr:.2} [{:.2}, {:.2}]: {:?}", bounds.lower, bounds.upper, bounds.status(llr));
    Ok(())
}
