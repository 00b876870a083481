//! Tarrasch, made slower by as much as its option `Slowdown` says (in thousandths): for tests that `arbiter speed` sees
//! what is there and nothing else. It is no part of the product.

mod slowed_tarrasch;

use std::io;

use slowed_tarrasch::SlowedTarrasch;
use uci::server;

fn main() -> io::Result<()> {
    server::serve(SlowedTarrasch::new()?, io::stdin().lock(), io::stdout())
}
