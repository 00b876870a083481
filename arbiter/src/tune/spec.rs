//! Reads the file of parameters: rows as in an SPSA tune on OpenBench, or a `config.json` of Weather Factory.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::ValueEnum;
use indexmap::IndexMap;
use serde::Deserialize;
use stats::{ParameterKind, SpsaParameter};

const COLUMNS: &str = "name, type, value, min, max, c_end, r_end";

/// The parameters of a file.
pub struct Spec {
    pub parameters: Vec<SpsaParameter>,
    /// Whether the file has steps and rates.
    pub has_steps: bool,
}

/// The step in the last pair, as a share of the range: the default of OpenBench's form.
const USUAL_STEP: f64 = 1.0 / 20.0;

/// A parameter with the default step and rate.
pub(super) fn with_usual_steps(
    name: &str,
    kind: ParameterKind,
    [value, min, max]: [f64; 3],
) -> SpsaParameter {
    let c_end = ((max - min) * USUAL_STEP).max(if kind == ParameterKind::Int { 0.5 } else { 0.0 });
    SpsaParameter { name: name.to_owned(), kind, value, min, max, c_end, r_end: USUAL_RATE }
}

/// The default `r_end` if the file has no column for it: the value of most tests on OpenBench.
const USUAL_RATE: f64 = 0.002;

#[derive(Deserialize)]
struct JsonParameter {
    value: f64,
    min_value: f64,
    max_value: f64,
    step: f64,
}

/// Reads the parameters of a file. Empty lines and lines that begin with `#` are skipped.
pub fn read(file: &Path) -> Result<Spec> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    // Some editors begin a file with a byte order mark.
    let text = text.trim_start_matches('\u{feff}');
    let spec = if text.trim_start().starts_with('{') {
        of_json(text).map(|parameters| Spec { parameters, has_steps: true })
    } else {
        of_rows(text)
    };
    let spec = spec.with_context(|| file.display().to_string())?;
    if spec.parameters.is_empty() {
        bail!("{}: expected at least one parameter: {COLUMNS}", file.display());
    }
    Ok(spec)
}

fn of_rows(text: &str) -> Result<Spec> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let rows = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let rows = rows.map(|(number, line)| row(line).map_err(|problem| anyhow!("line {number}: {problem}")));
    let (parameters, with_steps): (Vec<_>, Vec<_>) = rows.collect::<Result<Vec<_>>>()?.into_iter().unzip();
    let has_steps = with_steps.contains(&true);
    ensure!(
        !has_steps || !with_steps.contains(&false),
        "c_end, r_end: expected them in every row, or in none, so that they are learned from the games"
    );
    Ok(Spec { parameters, has_steps })
}

/// The parameter of a row, and whether the row has its step and rate.
pub(super) fn row(line: &str) -> Result<(SpsaParameter, bool)> {
    let cells: Vec<&str> = line.split(',').map(str::trim).collect();
    let (&[name, kind, value, min, max], steps) = (match cells.len() {
        5 | 7 => cells.split_first_chunk(),
        _ => None,
    })
    .with_context(|| format!("expected the 7 columns {COLUMNS}, or the first 5; found {}", cells.len()))?;
    let kind = match kind {
        "int" => ParameterKind::Int,
        "float" => ParameterKind::Float,
        _ => bail!("type: expected int or float, found `{kind}`"),
    };
    let number = |column: &str, cell: &str| {
        cell.parse::<f64>().map_err(|_| anyhow!("{column}: expected a number, found `{cell}`"))
    };
    let range = [number("value", value)?, number("min", min)?, number("max", max)?];
    let mut parameter = with_usual_steps(name, kind, range);
    if let [c_end, r_end] = steps {
        (parameter.c_end, parameter.r_end) = (number("c_end", c_end)?, number("r_end", r_end)?);
    }
    parameter.validate()?;
    Ok((parameter, !steps.is_empty()))
}

fn of_json(text: &str) -> Result<Vec<SpsaParameter>> {
    let parameters: IndexMap<String, JsonParameter> = serde_json::from_str(text)?;
    let read = parameters.into_iter().map(|(name, json)| {
        let JsonParameter { value, min_value: min, max_value: max, step } = json;
        let is_whole = [value, min, max].iter().all(|number| number.fract() == 0.0);
        let kind = if is_whole { ParameterKind::Int } else { ParameterKind::Float };
        let parameter = SpsaParameter { name, kind, value, min, max, c_end: step, r_end: USUAL_RATE };
        let checked = parameter.validate();
        checked.map_err(|problem| anyhow!("parameter {}: {problem}", parameter.name))?;
        Ok(parameter)
    });
    read.collect()
}

/// `--tuned`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TunedForm {
    /// Name=value,… for the command line: ENGINE:Name=value,…
    Options,
    /// A file for --spec that starts from these values.
    Spec,
    /// Lines of C or C++.
    C,
    /// Lines of Rust.
    Rust,
    /// A patch of the source file that the engine's manifest names with `tuned`.
    Diff,
}

impl TunedForm {
    pub fn text(self, parameters: &[SpsaParameter]) -> String {
        let parameters = parameters.iter().map(|parameter| {
            let value = parameter.text(parameter.value);
            let name = match self {
                TunedForm::C | TunedForm::Rust => identifier(&parameter.name),
                _ => parameter.name.clone(),
            };
            let [in_spec, in_c, in_rust] = match parameter.kind {
                ParameterKind::Int => ["int", "int", "i32"],
                ParameterKind::Float => ["float", "double", "f64"],
            };
            match self {
                TunedForm::Options | TunedForm::Diff => format!("{name}={value}"),
                TunedForm::Spec => {
                    let SpsaParameter { min, max, c_end, r_end, .. } = parameter;
                    format!("{name}, {in_spec}, {value}, {min}, {max}, {c_end}, {r_end}")
                }
                TunedForm::C => format!("{in_c} {name} = {value};"),
                TunedForm::Rust => format!("const {}: {in_rust} = {value};", name.to_uppercase()),
            }
        });
        let separator = if self == TunedForm::Options { "," } else { "\n" };
        parameters.collect::<Vec<_>>().join(separator) + "\n"
    }
}

/// A name without characters that the languages do not allow, such as the blank in `Move Overhead`.
pub(super) fn identifier(name: &str) -> String {
    name.replace(|c: char| !c.is_ascii_alphanumeric(), "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_weather_factory() {
        let text = r#"{ "b": {"value": 100, "min_value": 50, "max_value": 150, "step": 10},
                        "a": {"value": 0.5, "min_value": 0, "max_value": 1, "step": 0.1} }"#;
        let [b, a] = &of_json(text).unwrap()[..] else { panic!() };
        assert_eq!((b.name.as_str(), b.kind, b.c_end, b.r_end), ("b", ParameterKind::Int, 10.0, USUAL_RATE));
        assert_eq!((a.name.as_str(), a.kind), ("a", ParameterKind::Float));
    }

    #[test]
    fn every_form() {
        let rows = ["margin, int, 48, 0, 100, 2.5, 0.002", "scale, float, 1.25, 0, 100, 2.5, 0.002"];
        let parameters = rows.map(|text| row(text).unwrap().0);
        assert_eq!(TunedForm::Options.text(&parameters), "margin=48,scale=1.250000\n");
        assert_eq!(
            TunedForm::Spec.text(&parameters),
            "margin, int, 48, 0, 100, 2.5, 0.002\nscale, float, 1.250000, 0, 100, 2.5, 0.002\n"
        );
        assert_eq!(TunedForm::C.text(&parameters), "int margin = 48;\ndouble scale = 1.250000;\n");
        assert_eq!(identifier("Move Overhead"), "Move_Overhead");
        assert_eq!(
            TunedForm::Rust.text(&parameters),
            "const MARGIN: i32 = 48;\nconst SCALE: f64 = 1.250000;\n"
        );
    }
}
