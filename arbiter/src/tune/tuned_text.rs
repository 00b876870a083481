//! The tuned values as options, as rows for another run, or as source code.

use clap::ValueEnum;

use stats::{ParameterKind, SpsaPlan};

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
}

impl TunedForm {
    /// The text for a plan with the tuned values.
    pub fn text(self, found: &SpsaPlan) -> String {
        let parameters = found.parameters.iter().map(|parameter| {
            let value = parameter.text(parameter.value);
            let name = match self {
                TunedForm::Options | TunedForm::Spec => parameter.name.clone(),
                TunedForm::C | TunedForm::Rust => identifier(&parameter.name),
            };
            match (self, parameter.kind) {
                (TunedForm::Options, _) => format!("{name}={value}"),
                (TunedForm::Spec, kind) => {
                    let kind = if kind == ParameterKind::Int { "int" } else { "float" };
                    let (min, max) = (parameter.min, parameter.max);
                    let (c_end, r_end) = (parameter.c_end, parameter.r_end);
                    format!("{name}, {kind}, {value}, {min}, {max}, {c_end}, {r_end}")
                }
                (TunedForm::C, ParameterKind::Int) => format!("int {name} = {value};"),
                (TunedForm::C, ParameterKind::Float) => format!("double {name} = {value};"),
                (TunedForm::Rust, ParameterKind::Int) => {
                    format!("const {}: i32 = {value};", name.to_uppercase())
                }
                (TunedForm::Rust, ParameterKind::Float) => {
                    format!("const {}: f64 = {value};", name.to_uppercase())
                }
            }
        });
        let separator = if self == TunedForm::Options { "," } else { "\n" };
        parameters.collect::<Vec<_>>().join(separator) + "\n"
    }
}

/// A name without what the languages do not allow in one, such as the blank of `Move Overhead`.
fn identifier(name: &str) -> String {
    name.replace(|c: char| !c.is_ascii_alphanumeric(), "_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::SpsaParameter;

    #[test]
    fn every_form() {
        let parameter = |name: &str, kind, value| SpsaParameter {
            name: name.to_owned(),
            kind,
            value,
            min: 0.0,
            max: 100.0,
            c_end: 2.5,
            r_end: 0.002,
        };
        let parameters = vec![
            parameter("margin", ParameterKind::Int, 48.0),
            parameter("scale", ParameterKind::Float, 1.25),
        ];
        let plan =
            SpsaPlan { pairs: 1, alpha: 0.6, gamma: 0.1, stability: 0.1, delay: 0, seed: 1, parameters };
        assert_eq!(TunedForm::Options.text(&plan), "margin=48,scale=1.250000\n");
        assert_eq!(
            TunedForm::Spec.text(&plan),
            "margin, int, 48, 0, 100, 2.5, 0.002\nscale, float, 1.250000, 0, 100, 2.5, 0.002\n"
        );
        assert_eq!(TunedForm::C.text(&plan), "int margin = 48;\ndouble scale = 1.250000;\n");
        assert_eq!(identifier("Move Overhead"), "Move_Overhead");
        assert_eq!(TunedForm::Rust.text(&plan), "const MARGIN: i32 = 48;\nconst SCALE: f64 = 1.250000;\n");
    }
}
