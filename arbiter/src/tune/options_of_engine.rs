//! Parameters from an engine's own options, with the start and the range that the engine announces.

use anyhow::{Result, bail, ensure};
use regex_lite::Regex;
use runner::process::EngineInfo;
use stats::{ParameterKind, SpsaParameter};
use uci::OptionKind;

use super::spec::with_usual_steps;

/// Options that many engines have and that are no parameters of the search: they are left out unless a pattern names them.
const NO_PARAMETERS: &str = "Hash, *Hash Size, *Cache*, *Threads*, *Split Depth, MultiPV, *Overhead, Slow Mover, nodestime, \
                             *Thinking Time, Search Time, Search Depth, Skill Level, Contempt*, Randomness, Seed, Ponder, \
                             OwnBook, Book*, UCI_*, Syzygy*, Log*, *Log File*, Debug*, NumaPolicy";

/// The options with a number as their value. With `patterns`, such as `LMR*,Null*`, those that one of them names; otherwise
/// all that are not among [`NO_PARAMETERS`].
pub fn parameters(introduction: &EngineInfo, patterns: &[String]) -> Result<Vec<SpsaParameter>> {
    let (wanted, others) = (matcher(patterns.iter().map(String::as_str)), matcher(NO_PARAMETERS.split(", ")));
    let known = introduction.options.iter().filter_map(|option| parameter(&option.name, &option.kind));
    let is_tuned =
        |name: &str| if patterns.is_empty() { !others.is_match(name) } else { wanted.is_match(name) };
    let found: Vec<_> = known.clone().filter(|parameter| is_tuned(&parameter.name)).collect();
    for pattern in patterns {
        let alone = matcher([pattern.as_str()]);
        if !found.iter().any(|parameter| alone.is_match(&parameter.name)) {
            let names: Vec<_> = known.map(|parameter| parameter.name).collect();
            bail!(
                "--tune: no option with a number is named `{pattern}`; the engine has: {}",
                names.join(", ")
            );
        }
    }
    ensure!(
        !found.is_empty(),
        "expected options that can be tuned, found none: the engine announces no number except {NO_PARAMETERS}; engines \
         often have a build that makes the constants of their search UCI options"
    );
    for parameter in &found {
        parameter.validate()?;
    }
    Ok(found)
}

/// A parameter; `None` if the option has no number, or only one value. A string with a number goes from 0 to twice the number.
fn parameter(name: &str, kind: &OptionKind) -> Option<SpsaParameter> {
    let (kind, range) = match kind {
        OptionKind::Spin { default, min, max } => {
            (ParameterKind::Int, [default, min, max].map(|number| *number as f64))
        }
        OptionKind::String { default } => {
            let value: f64 = default.parse().ok().filter(|number: &f64| number.is_finite())?;
            (ParameterKind::Float, [value, value.min(0.0) * 2.0, value.max(0.0) * 2.0])
        }
        _ => return None,
    };
    let [_, min, max] = range;
    (min < max).then(|| with_usual_steps(name, kind, range))
}

/// Matches the names that one of the patterns fits, without regard to case; `*` stands for any letters.
fn matcher<'a>(patterns: impl IntoIterator<Item = &'a str>) -> Regex {
    let each = patterns.into_iter().map(|pattern| regex_lite::escape(pattern.trim()).replace("\\*", ".*"));
    let any = each.collect::<Vec<_>>().join("|");
    Regex::new(&format!("(?i)^(?:{any})$")).expect("an escaped pattern")
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::EngineOption;

    fn engine() -> EngineInfo {
        let string = |name: &str, default: &str| EngineOption {
            name: name.to_owned(),
            kind: OptionKind::String { default: default.to_owned() },
        };
        let options = vec![
            EngineOption::spin("Hash", 16, 1..=1024),
            EngineOption::spin("LmrBase", 50, 0..=100),
            EngineOption::spin("LmrDepth", 3, 3..=3),
            EngineOption::spin("NullMargin", 4, 1..=8),
            EngineOption::check("Ponder", false),
            EngineOption::spin("Number of Threads", 1, 1..=16),
            EngineOption::spin("Bitbases Cache Size", 16, 16..=1024),
            string("LmrScale", "1.5"),
            string("SyzygyPath", ""),
            string("UCI_Opponent", "7"),
        ];
        EngineInfo { options, ..EngineInfo::default() }
    }

    fn names(patterns: &[&str]) -> Result<Vec<String>> {
        let patterns: Vec<String> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
        Ok(parameters(&engine(), &patterns)?.into_iter().map(|parameter| parameter.name).collect())
    }

    #[test]
    fn patterns_name_options_and_without_one_the_usual_options_are_left_out() {
        assert_eq!(names(&[]).unwrap(), ["LmrBase", "NullMargin", "LmrScale"]);
        assert_eq!(names(&["lmr*"]).unwrap(), ["LmrBase", "LmrScale"]);
        assert_eq!(names(&["Hash", "*Margin"]).unwrap(), ["Hash", "NullMargin"]);
        let message = names(&["LmrBase", "Lmp*"]).unwrap_err().to_string();
        assert!(
            message.contains("named `Lmp*`; the engine has: Hash, LmrBase, NullMargin, Number of Threads"),
            "{message}"
        );
        let nothing = EngineInfo { options: engine().options[..1].to_vec(), ..EngineInfo::default() };
        assert!(parameters(&nothing, &[]).is_err());
    }

    #[test]
    fn range_and_start_are_those_of_the_engine() {
        let [base, margin, scale] = &parameters(&engine(), &[]).unwrap()[..] else { panic!() };
        assert_eq!((base.value, base.min, base.max, base.c_end), (50.0, 0.0, 100.0, 5.0));
        assert_eq!((margin.c_end, margin.r_end), (0.5, 0.002));
        assert_eq!((scale.kind, scale.value, scale.min, scale.max), (ParameterKind::Float, 1.5, 0.0, 3.0));
    }
}
