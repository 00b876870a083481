//! The command line that plays a planned test.

use runner::SearchLimits;
use stats::{Sprt, SprtModel};

/// The chance below which a planned test is given up.
const GIVE_UP: f64 = 0.05;

/// The command line; `limits` are options that it has besides.
pub fn match_command(limits: &str, test: &Sprt, games: u64) -> String {
    let mut words = vec!["arbiter match NEW OLD".to_owned()];
    words.extend((!limits.is_empty()).then(|| limits.to_owned()));
    words.push(format!("--sprt {},{}", test.elo0(), test.elo1()));
    for (name, risk, default) in
        [("alpha", test.alpha(), Sprt::DEFAULT_ALPHA), ("beta", test.beta(), Sprt::DEFAULT_BETA)]
    {
        words.extend((risk.to_bits() != default.to_bits()).then(|| format!("--{name} {risk}")));
    }
    words.extend((test.model() == SprtModel::Logistic).then(|| "--model logistic".to_owned()));
    words.push(format!("--games {games} --give-up {GIVE_UP}"));
    words.join(" ")
}

/// Limits as options of `arbiter match`.
pub fn limit_options(limits: &SearchLimits, concurrency: usize) -> String {
    let SearchLimits { clock, movetime, nodes, depth } = limits;
    let clock = clock.as_ref().map(|clock| format!("--tc {clock}"));
    let movetime = movetime.map(|time| format!("--movetime {}", time.as_millis()));
    let nodes = nodes.map(|nodes| format!("--nodes {nodes}"));
    let depth = depth.map(|depth| format!("--depth {depth}"));
    let concurrency = Some(format!("--concurrency {concurrency}"));
    [clock, movetime, nodes, depth, concurrency].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn only_what_is_not_the_default_is_an_option() {
        let test = Sprt::new(0.0, 12.0, 0.1, 0.05, SprtModel::Logistic).unwrap();
        assert_eq!(
            match_command("", &test, 500),
            "arbiter match NEW OLD --sprt 0,12 --alpha 0.1 --model logistic --games 500 --give-up 0.05"
        );
    }

    #[test]
    fn limits_are_as_the_user_types_them() {
        let limits = SearchLimits { movetime: Some(Duration::from_millis(50)), ..SearchLimits::default() };
        assert_eq!(limit_options(&limits, 3), "--movetime 50 --concurrency 3");
        let clock = SearchLimits {
            clock: Some("40/60".parse().unwrap()),
            nodes: Some(9000),
            ..SearchLimits::default()
        };
        assert_eq!(limit_options(&clock, 1), "--tc 40/60 --nodes 9000 --concurrency 1");
    }
}
