//! Reads what an engine prints while it searches: `ENGINE | reads-lines`.

use uci::Message;

fn main() -> std::io::Result<()> {
    for line in std::io::stdin().lines() {
        let line = line?;
        match line.parse() {
            Ok(Message::Info(info)) => {
                if let (Some(depth), Some(score)) = (info.depth, info.score) {
                    println!("depth {depth}: {:?}", score.value);
                }
            }
            Ok(Message::BestMove(answer)) => println!("best move: {:?}", answer.best),
            Ok(_) => {}
            Err(error) => eprintln!("{line}: {error}"),
        }
    }
    Ok(())
}
