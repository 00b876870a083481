//! Fills in the form of a new test: what was typed takes precedence, then the site's preset, then our defaults.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use super::workload::{Preset, SiteEngine, SiteNames, time_control_field, value_text};
use crate::engines::{EngineSettings, EngineSource, EngineSpec};
use crate::options::{MoveLimitArgs, SequentialTestArgs};
use crate::results::RunResults;
use crate::tune::{Spec, TunedForm, read_parameters};
use runner::{DrawRule, EngineConfig, ResignRule, SearchLimits, TimeControl, UciSetting};
use stats::{Sprt, SprtModel, SpsaPlan};

const NOT_USED: &str = "N/A";

/// The defaults of OpenBench's form for a tune: 25,000 iterations of 8 pairs.
const TUNE_GAMES: u64 = 400_000;
const TUNE_PAIRS: u32 = 8;

/// An engine as typed: `NAME@REV:Option=value,…`.
#[derive(Clone, Debug)]
pub(super) struct Contender {
    pub(super) name: String,
    /// A branch, tag or commit on GitHub.
    revision: String,
    options: Vec<UciSetting>,
    limits: Option<SearchLimits>,
}

impl FromStr for Contender {
    type Err = String;

    fn from_str(text: &str) -> Result<Contender, String> {
        let EngineSpec { source, settings } =
            text.parse().map_err(|error: anyhow::Error| error.to_string())?;
        let EngineConfig { options, limits, name, .. } = settings.engine.clone();
        let sent = EngineConfig { name, options, limits, ..EngineConfig::default() };
        if (EngineSettings { build: None, engine: sent.clone() }) != settings {
            return Err(format!("expected ENGINE@REV with options and limits, found `{text}`"));
        }
        let EngineConfig { options, limits, name, .. } = sent;
        if !name.is_empty() {
            return Err(format!("expected no name, because the site gives its own, found `name={name}`"));
        }
        let source = match source {
            EngineSource::Revision { name, revision } => Some((name, revision)),
            // A branch may have a slash in its name.
            EngineSource::Path(path) => path.to_str().and_then(|path| {
                path.split_once('@').map(|(name, revision)| (name.to_owned(), revision.to_owned()))
            }),
            EngineSource::Name(_) => None,
        };
        let is_engine = |name: &str| !name.is_empty() && !name.contains(['/', '\\']);
        let Some((name, revision)) =
            source.filter(|(name, revision)| is_engine(name) && !revision.is_empty())
        else {
            return Err(format!("expected ENGINE@REV, such as Ethereal@master, found `{text}`"));
        };
        if revision == "HEAD" || revision.contains(['~', '^', ':', ' ', '@']) {
            return Err(format!(
                "expected a branch, a tag or a commit that GitHub knows, found the revision `{revision}`"
            ));
        }
        for option in &options {
            let is_word = |text: &str| !text.contains(char::is_whitespace);
            if !is_word(&option.name) || !option.value.as_deref().is_some_and(is_word) {
                return Err(format!("expected Option=value without blanks, found `{option}`"));
            }
        }
        Ok(Contender { name, revision, options, limits })
    }
}

/// The options of `arbiter openbench submit` that set fields.
#[derive(Debug, Args)]
pub(super) struct TestArgs {
    /// Preset of the site for the new engine, such as STC or LTC; options given here replace its values [default: STC,
    /// if there is one]
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    /// Threads of both engines [default: the preset's, or 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    threads: Option<u32>,

    /// Hash of both engines in MB [default: the preset's, or 16]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..))]
    hash: Option<u32>,

    /// Opening book of the site [default: the preset's]
    #[arg(long, value_name = "NAME")]
    book: Option<String>,

    /// Play this number of games, without an SPRT [default for a tune: 400000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "sprt")]
    games: Option<u64>,

    /// Create an SPSA tune: from the values and steps that a run of `arbiter tune` has learned, with rates for --games; or of the
    /// parameters in a file, with steps and rates
    #[arg(long, value_name = "RUN|FILE", conflicts_with_all = ["sprt", "base_repo", "base_bench", "base_network"])]
    pub(super) spec: Option<PathBuf>,

    /// Description of the test [default: the message of the new commit]
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    info: String,

    /// Time control: seconds+increment or moves/seconds+increment [default: the preset's, or 10+0.1]
    #[arg(long, value_name = "TC", help_heading = "Limits")]
    tc: Option<TimeControl>,

    #[command(flatten)]
    per_move: MoveLimitArgs,

    #[command(flatten)]
    sequential_test: SequentialTestArgs,

    /// Draw rule, as for arbiter match, or none [default: the preset's, or move=40,count=8,score=10]
    #[arg(long, value_name = "RULE", value_parser = draw_field, help_heading = "Adjudication")]
    draw: Option<String>,

    /// Resign rule, as for arbiter match, or none [default: the preset's, or count=3,score=400]
    #[arg(long, value_name = "RULE", value_parser = resign_field, help_heading = "Adjudication")]
    resign: Option<String>,

    /// Syzygy tablebases of the match runner: disabled, optional, or the number of pieces that a worker must have
    #[arg(long, value_name = "USE", value_parser = syzygy_field, help_heading = "Adjudication")]
    syzygy_adj: Option<String>,

    /// Syzygy tablebases of the engines: disabled, optional, or the number of pieces that a worker must have
    #[arg(long, value_name = "USE", value_parser = syzygy_field, help_heading = "Adjudication")]
    syzygy_wdl: Option<String>,

    /// Repository of the new engine on GitHub, such as a fork [default: the site's]
    #[arg(long, value_name = "URL", help_heading = "Engines")]
    dev_repo: Option<String>,

    /// Repository of the base engine on GitHub [default: the site's]
    #[arg(long, value_name = "URL", help_heading = "Engines")]
    base_repo: Option<String>,

    /// Nodes of the new engine's bench [default: the number in its commit message]
    #[arg(long, value_name = "NODES", help_heading = "Engines")]
    dev_bench: Option<u64>,

    /// Nodes of the base engine's bench [default: the number in its commit message]
    #[arg(long, value_name = "NODES", help_heading = "Engines")]
    base_bench: Option<u64>,

    /// Network of the new engine, or none [default: the site's default network]
    #[arg(long, value_name = "NAME", help_heading = "Engines")]
    dev_network: Option<String>,

    /// Network of the base engine, or none [default: the site's default network]
    #[arg(long, value_name = "NAME", help_heading = "Engines")]
    base_network: Option<String>,

    /// Games that workers upload; arbiter openbench report needs compact or verbose
    #[arg(long, value_parser = words(UPLOADS), help_heading = "Workers")]
    upload_pgns: Option<String>,

    /// Priority: tests with a higher one are played first
    #[arg(long, value_name = "N", allow_negative_numbers = true, help_heading = "Workers")]
    priority: Option<i32>,

    /// Relative share of the workers among tests of equal priority
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Workers")]
    throughput: Option<u32>,

    /// Game pairs that a worker gets at a time for each of its threads; in a tune, game pairs with the same values [default: the
    /// preset's, or 32; for a tune 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Workers")]
    workload_size: Option<u32>,

    /// Engine whose speed scales the time control on each worker
    #[arg(long, value_parser = words(SCALES), default_value = "base", help_heading = "Workers")]
    scale_method: String,

    /// NPS at which the time control is not scaled [default: the site's for that engine]
    #[arg(long, value_name = "NPS", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Workers")]
    scale_nps: Option<u64>,
}

/// The values of `--upload-pgns` and `--scale-method`.
const UPLOADS: [(&str, &str); 3] =
    [("none", "No games"), ("compact", "Moves, scores and depths"), ("verbose", "Times and nodes too")];
const SCALES: [(&str, &str); 3] = [("dev", "The new engine"), ("base", "The base engine"), ("both", "Both")];

fn words<const N: usize>(words: [(&'static str, &'static str); N]) -> PossibleValuesParser {
    words.map(|(word, help)| PossibleValue::new(word).help(help)).into()
}

pub(super) type Fields = Vec<(&'static str, String)>;

impl TestArgs {
    pub(super) fn fields(
        &self,
        names: &SiteNames,
        [dev, base]: [(&Contender, &SiteEngine); 2],
    ) -> Result<Fields> {
        let preset = dev.1.preset(self.preset.as_deref())?;
        let value = |given: Option<String>, field: &str, usual: &str| {
            given.or_else(|| preset.get(field).map(value_text)).unwrap_or_else(|| usual.to_owned())
        };
        let upload = self.upload_pgns.as_ref().map(|games| match &games[..] {
            "none" => "FALSE".to_owned(),
            games => games.to_uppercase(),
        });
        let scaled = if self.scale_method == "dev" { dev.1 } else { base.1 };
        let book = self.book.clone().or_else(|| preset.get("book_name").map(value_text));
        let number = |number: Option<u32>| number.map(|number| number.to_string());
        let bench = |nodes: Option<u64>| nodes.map(|nodes| nodes.to_string()).unwrap_or_default();
        let repo = |given: &Option<String>, engine: &SiteEngine| {
            given.clone().unwrap_or_else(|| engine.source.clone())
        };
        // The options of a different base engine come from its own preset.
        let base_preset = match base.1.preset(self.preset.as_deref()) {
            Ok(own) => own,
            Err(_) => preset.clone(),
        };
        let mut fields = vec![
            ("dev_engine", dev.1.name.clone()),
            ("dev_repo", repo(&self.dev_repo, dev.1)),
            ("dev_branch", dev.0.revision.clone()),
            ("dev_bench", bench(self.dev_bench)),
            ("dev_network", dev.1.network(self.dev_network.as_deref())?),
            ("dev_options", self.options(dev.0, "dev", &preset, &preset)),
            ("dev_time_control", self.time_control(dev.0, "dev", &preset)?),
            ("base_engine", base.1.name.clone()),
            ("base_repo", repo(&self.base_repo, base.1)),
            ("base_branch", base.0.revision.clone()),
            ("base_bench", bench(self.base_bench)),
            ("base_network", base.1.network(self.base_network.as_deref())?),
            ("base_options", self.options(base.0, "base", &base_preset, &preset)),
            ("base_time_control", self.time_control(base.0, "base", &preset)?),
            ("book_name", names.book(book.as_deref())?),
            ("upload_pgns", value(upload, "upload_pgns", "FALSE")),
            ("priority", value(self.priority.map(|priority| priority.to_string()), "priority", "0")),
            ("throughput", value(number(self.throughput), "throughput", "1000")),
            ("workload_size", value(number(self.workload_size), "workload_size", "32")),
            ("syzygy_wdl", value(self.syzygy_wdl.clone(), "syzygy_wdl", "DISABLED")),
            ("syzygy_adj", value(self.syzygy_adj.clone(), "syzygy_adj", "OPTIONAL")),
            ("win_adj", value(self.resign.clone(), "win_adj", "movecount=3 score=400")),
            ("draw_adj", value(self.draw.clone(), "draw_adj", "movenumber=40 movecount=8 score=10")),
            ("scale_method", self.scale_method.to_uppercase()),
            ("scale_nps", self.scale_nps.unwrap_or(scaled.nps).to_string()),
            ("info", self.info.clone()),
        ];
        fields.extend(self.mode(&preset)?);
        Ok(fields)
    }

    /// The fields of the form for a tune, which has one engine and the parameters in `spec`.
    pub(super) fn tune_fields(
        &self,
        names: &SiteNames,
        engine: (&Contender, &SiteEngine),
        spec: &Path,
    ) -> Result<Fields> {
        let mut fields = self.fields(names, [engine; 2])?;
        let is_of_test =
            |name: &str| ["base_", "test_", "workload_"].iter().any(|start| name.starts_with(start));
        fields.retain(|(name, _)| !is_of_test(name));
        let (games, pairs) = (self.games.unwrap_or(TUNE_GAMES), self.workload_size.unwrap_or(TUNE_PAIRS));
        let parameters = if spec.is_dir() {
            let tuning = RunResults::read(spec)?.tuning;
            let tuning =
                tuning.with_context(|| format!("{}: expected a run of `arbiter tune`", spec.display()))?;
            tuning.spsa().continued(u32::try_from(games / 2).unwrap_or(u32::MAX)).parameters
        } else {
            let Spec { parameters, has_steps } = read_parameters(spec)?;
            ensure!(has_steps, "{}: expected steps and rates, c_end and r_end, in every row", spec.display());
            parameters
        };
        fields.extend([
            ("test_mode", "SPSA".to_owned()),
            ("spsa_inputs", TunedForm::Spec.text(&parameters).trim_end().to_owned()),
            ("spsa_reporting_type", "BATCHED".to_owned()),
            ("spsa_distribution_type", "SINGLE".to_owned()),
            ("spsa_alpha", SpsaPlan::ALPHA.to_string()),
            ("spsa_gamma", SpsaPlan::GAMMA.to_string()),
            ("spsa_A_ratio", SpsaPlan::STABILITY.to_string()),
            ("spsa_iterations", games.div_ceil(2 * u64::from(pairs)).to_string()),
            ("spsa_pairs_per", pairs.to_string()),
        ]);
        Ok(fields)
    }

    /// The fields that end the test: as typed, or from the preset, or SPRT [0, 5].
    fn mode(&self, preset: &Preset) -> Result<Fields> {
        let fields = |values: [&str; 4]| {
            let names = ["test_mode", "test_bounds", "test_confidence", "test_max_games"];
            names.into_iter().zip(values.map(str::to_owned)).collect()
        };
        let of_games = |games: String| fields(["GAMES", NOT_USED, NOT_USED, &games]);
        let of_sprt = |bounds: String, confidence: String| fields(["SPRT", &bounds, &confidence, NOT_USED]);
        let preset = |field: &str| preset.get(field).map(value_text);
        Ok(match (self.games, self.sequential_test.sprt()?) {
            (Some(games), _) => of_games(games.to_string()),
            (None, Some(sprt)) if sprt.model() == SprtModel::Logistic => {
                bail!("--model logistic: expected normalized, the only one that OpenBench has")
            }
            (None, Some(sprt)) if sprt.is_mixture() => {
                bail!("--mixture: OpenBench has only the simple SPRT")
            }
            // OpenBench writes the confidence as [beta, alpha].
            (None, Some(sprt)) => of_sprt(
                format!("[{}, {}]", sprt.elo0(), sprt.elo1()),
                format!("[{}, {}]", sprt.beta(), sprt.alpha()),
            ),
            (None, None) => match preset("test_max_games") {
                Some(games) => of_games(games),
                None => of_sprt(
                    preset("test_bounds").unwrap_or_else(|| "[0.00, 5.00]".to_owned()),
                    preset("test_confidence")
                        .unwrap_or_else(|| format!("[{}, {}]", Sprt::DEFAULT_BETA, Sprt::DEFAULT_ALPHA)),
                ),
            },
        })
    }

    /// UCI options of one engine. Later sources win: the engine's preset, the test's threads and hash, the typed options.
    fn options(&self, contender: &Contender, side: &str, own: &Preset, of_test: &Preset) -> String {
        let mut options = vec![UciSetting::read("Threads=1"), UciSetting::read("Hash=16")];
        let mut set = |option: UciSetting| match options
            .iter_mut()
            .find(|known| known.name.eq_ignore_ascii_case(&option.name))
        {
            Some(known) => known.value = option.value,
            None => options.push(option),
        };
        let preset = |preset: &Preset, side: &str| preset_options(preset, side);
        preset(own, side).into_iter().for_each(&mut set);
        let is_size = |option: &UciSetting| ["Threads", "Hash"].contains(&option.name.as_str());
        preset(of_test, "dev").into_iter().filter(is_size).for_each(&mut set);
        let sizes = [("Threads", self.threads), ("Hash", self.hash)];
        let sizes = sizes.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", value?)));
        sizes.map(|size| UciSetting::read(&size)).for_each(&mut set);
        contender.options.iter().cloned().for_each(&mut set);
        options.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    /// The limits of one engine: its own, those typed for both, the preset's, or 10+0.1.
    fn time_control(&self, contender: &Contender, side: &str, preset: &Preset) -> Result<String> {
        let both = SearchLimits { clock: self.tc.clone(), ..self.per_move.limits() };
        match &contender.limits {
            Some(own) => time_control_field(own),
            None if both != SearchLimits::default() => time_control_field(&both),
            None => Ok(of_side(preset, side, "time_control").unwrap_or_else(|| "10.0+0.10".to_owned())),
        }
    }
}

fn of_side(preset: &Preset, side: &str, field: &str) -> Option<String> {
    [side, "both"].iter().find_map(|side| preset.get(&format!("{side}_{field}"))).map(value_text)
}

fn preset_options(preset: &Preset, side: &str) -> Vec<UciSetting> {
    let text = of_side(preset, side, "options").unwrap_or_default();
    text.split_whitespace().map(UciSetting::read).collect()
}

/// `movenumber=40 movecount=8 score=10`.
fn draw_field(text: &str) -> Result<String, String> {
    if text == "none" {
        return Ok("None".to_owned());
    }
    let DrawRule { from_move, count, score } = text.parse().map_err(|error| format!("{error}, or `none`"))?;
    Ok(format!("movenumber={from_move} movecount={count} score={score}"))
}

/// `movecount=3 score=400`.
fn resign_field(text: &str) -> Result<String, String> {
    if text == "none" {
        return Ok("None".to_owned());
    }
    let ResignRule { count, score, two_sided } =
        text.parse().map_err(|error| format!("{error}, or `none`"))?;
    let two_sided = if two_sided { " twosided=true" } else { "" };
    Ok(format!("movecount={count} score={score}{two_sided}"))
}

/// `DISABLED`, `OPTIONAL`, `6-MAN`.
fn syzygy_field(text: &str) -> Result<String, String> {
    match text {
        "disabled" | "optional" => Ok(text.to_ascii_uppercase()),
        "3" | "4" | "5" | "6" | "7" => Ok(format!("{text}-MAN")),
        _ => Err("expected disabled, optional, or a number of pieces from 3 to 7".to_owned()),
    }
}
