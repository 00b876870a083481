//! Tarrasch, slowed down as its option `Slowdown` says (in thousandths), to test that `arbiter speed` measures the
//! slowdown and nothing else. It is not part of the product.

use std::hint::black_box;
use std::io::{self, Write};
use std::time::Duration;

use tarrasch::{SearchControl, Tarrasch};
use uci::server::{self, UciEngine};
use uci::{BestMove, EngineOption, Go, Info, OptionValue, StartPosition, UciMove};

/// The option for the time to waste, in thousandths of the search time.
const SLOWDOWN: &str = "Slowdown";

/// Turns of an empty loop between two looks at the clock, about a microsecond.
const TURNS: u32 = 1000;

/// The engine and its brake. Nodes, moves and depths are Tarrasch's.
struct SlowedTarrasch {
    engine: Tarrasch,
    /// Wasted time as a share of the search time.
    waste: f64,
}

impl UciEngine for SlowedTarrasch {
    const NAME: &'static str = concat!("Tarrasch ", env!("CARGO_PKG_VERSION"), ", slowed");
    const AUTHOR: &'static str = Tarrasch::AUTHOR;

    fn options(&self) -> Vec<EngineOption> {
        let slowdown = EngineOption::spin(SLOWDOWN, 0, 0..=10_000);
        self.engine.options().into_iter().chain([slowdown]).collect()
    }

    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), String> {
        match (name, value) {
            (SLOWDOWN, OptionValue::Spin(thousandths)) => self.waste = thousandths as f64 / 1000.0,
            (name, value) => self.engine.set_option(name, value)?,
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.engine.new_game();
    }

    fn set_position(&mut self, start: &StartPosition, moves: &[UciMove]) -> Result<(), String> {
        self.engine.set_position(start, moves)
    }

    fn search(&mut self, go: &Go, control: &SearchControl, report: &mut dyn FnMut(Info)) -> BestMove {
        let mut brake = Brake { waste: self.waste, released: cpu_time() };
        let best = self.engine.search(go, control, &mut |info| {
            brake.press();
            report(info);
        });
        brake.press();
        best
    }

    fn perft(&mut self, depth: u32) -> Box<dyn Iterator<Item = (UciMove, u64)> + '_> {
        self.engine.perft(depth)
    }

    fn display(&self) -> String {
        self.engine.display()
    }

    fn explain(&self) -> String {
        self.engine.explain()
    }

    fn bench(&mut self, depth: Option<u32>, output: &mut dyn Write) -> io::Result<()> {
        self.engine.bench(depth, output)
    }
}

/// Wastes a share of the CPU time since the brake was last pressed.
struct Brake {
    waste: f64,
    /// The CPU time of the thread when the brake was last released.
    released: Duration,
}

impl Brake {
    fn press(&mut self) {
        let pressed = cpu_time();
        let end = pressed + pressed.saturating_sub(self.released).mul_f64(self.waste);
        while cpu_time() < end {
            (0..TURNS).for_each(|turn| {
                black_box(turn);
            });
        }
        self.released = cpu_time();
    }
}

/// The CPU time of this thread. Other load on the machine does not count, so the waste is exact.
#[cfg(unix)]
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// The time of day, because the CPU time of a thread advances in steps of 16 ms here.
#[cfg(windows)]
fn cpu_time() -> Duration {
    std::time::UNIX_EPOCH.elapsed().unwrap_or_default()
}

fn main() -> io::Result<()> {
    // At full speed, until the option is set.
    let engine = SlowedTarrasch { engine: Tarrasch::new()?, waste: 0.0 };
    server::serve(engine, io::stdin().lock(), io::stdout())
}
