//! Writes the command line that plays a planned test.

use std::{env, iter};

use crate::engines::limit_settings;
use crate::options::ADJUDICATION_OF_SPRT;
use crate::options::books;
use referee::Variant;
use runner::{Adjudication, RunConfig, SearchLimits};
use stats::Sprt;

/// A planned test stops when its chance of accepting H1 falls below this.
const GIVE_UP: f64 = 0.05;

/// The command line. `games` holds the engines and the options for how they play. The test is curved and of normalized
/// Elo, as by default.
pub fn match_command(games: &str, test: &Sprt, most: u64) -> String {
    let mut words = vec![format!("arbiter match {games} --sprt {},{}", test.elo0(), test.elo1())];
    for (name, risk, default) in
        [("alpha", test.alpha(), Sprt::DEFAULT_ALPHA), ("beta", test.beta(), Sprt::DEFAULT_BETA)]
    {
        words.extend((risk.to_bits() != default.to_bits()).then(|| format!("--{name} {risk}")));
    }
    words.push(format!("--games {most} --give-up {GIVE_UP}"));
    words.join(" ")
}

pub fn games_with(limits: &SearchLimits, concurrency: usize) -> String {
    let limits = limit_settings(limits).into_iter().map(|limit| format!("--{}", limit.replacen('=', " ", 1)));
    let words =
        iter::once("NEW OLD".to_owned()).chain(limits).chain([format!("--concurrency {concurrency}")]);
    words.collect::<Vec<_>>().join(" ")
}

/// The engines and options that play games like a run's, omitting the defaults of a match with an SPRT.
pub fn games_like(config: &RunConfig) -> String {
    let RunConfig { limits, engines, book, adjudication, time_margin, .. } = config;
    let usual_book = books::default_of(config.variant, books::DEFAULT_OF_SPRT);
    let rule = |name: &str, rule: Option<String>, usual: Option<String>| {
        (rule != usual).then(|| format!("--{name} {}", rule.unwrap_or_else(|| "none".to_owned())))
    };
    let Adjudication { draw, resign, max_moves, syzygy, .. } = adjudication;
    let usual = &ADJUDICATION_OF_SPRT;
    let tables = syzygy.as_ref().and_then(|rule| env::join_paths(&rule.folders).ok());
    let options = [
        (!time_margin.is_zero()).then(|| format!("--timemargin {}", time_margin.as_millis())),
        (!runner::is_default(&config.clock)).then(|| "--clock cpu".to_owned()),
        config.ponder.then(|| "--ponder".to_owned()),
        (!runner::is_default(&config.position)).then(|| "--position fen".to_owned()),
        (config.variant != Variant::Standard).then(|| format!("--variant {}", config.variant)),
        (book.path.as_os_str() != usual_book).then(|| format!("--openings {}", book.path.display())),
        book.plies.map(|plies| format!("--plies {plies}")),
        rule("draw", draw.map(|rule| rule.to_string()), usual.draw.map(|rule| rule.to_string())),
        rule("resign", resign.map(|rule| rule.to_string()), usual.resign.map(|rule| rule.to_string())),
        max_moves.map(|moves| format!("--maxmoves {moves}")),
        tables.map(|paths| format!("--syzygy {}", paths.display())),
    ];
    let own = |name: &str, engine: usize| match engines.get(engine).and_then(|engine| engine.limits.as_ref())
    {
        Some(limits) => format!("{name}:{}", limit_settings(limits).join(",")),
        None => name.to_owned(),
    };
    let games = games_with(limits, config.concurrency);
    let games = games.replacen("NEW OLD", &format!("{} {}", own("NEW", 0), own("OLD", 1)), 1);
    iter::once(games).chain(options.into_iter().flatten()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_as_the_user_types_them_without_the_defaults() {
        let test = Sprt::new(0.0, 12.0, 0.1, 0.05, stats::SprtModel::Normalized).unwrap();
        assert_eq!(
            match_command("NEW OLD", &test, 500),
            "arbiter match NEW OLD --sprt 0,12 --alpha 0.1 --games 500 --give-up 0.05"
        );
    }

    #[test]
    fn games_are_like_those_of_the_run() {
        let like = |text: &str| games_like(&toml::from_str(text).unwrap());
        let usual = "games = 2\n[limits]\nnodes = 5\n[book]\npath = 'arbiter-unbalanced.epd'\nembedded = true\n\
                     [adjudication]\ndraw = 'move=34,count=8,score=20'\n\
                     resign = 'count=3,score=400,twosided=true'\n";
        let engines = "[[engine]]\nname = 'a'\nprogram = 'a'\n[[engine]]\nname = 'b'\nprogram = 'b'\n";
        assert_eq!(like(&format!("{usual}{engines}")), "NEW OLD --nodes 5 --concurrency 1");
        let other = "games = 2\nponder = true\nvariant = 'chess960'\ntimemargin = '5ms'\nposition = 'fen'\n\
                     [book]\npath = 'mine.epd'\nplies = 8\n[adjudication]\nmax_moves = 90\n";
        assert_eq!(
            like(&format!("{other}{engines}[engine.limits]\nnodes = 9\n")),
            "NEW OLD:nodes=9 --concurrency 1 --timemargin 5 --ponder --position fen --variant chess960 --openings mine.epd \
             --plies 8 --draw none --resign none --maxmoves 90"
        );
    }
}
