//! Finds parameters without effect before the first game: with any value, a search of fixed depth visits the same nodes.

use anyhow::{Context, Result, ensure};
use runner::{EngineConfig, UciSetting};
use stats::SpsaParameter;

use crate::cli::console;
use crate::run::nodes_of_bench;
use crate::text::number_text::{counted, thousands};

/// Names the parameters without effect and removes them, unless `keeps`, because the user listed them in a file.
pub fn screen(
    engine: &EngineConfig,
    parameters: Vec<SpsaParameter>,
    keeps: bool,
) -> Result<Vec<SpsaParameter>> {
    let usual = [(); 2].map(|()| nodes_of_bench(engine));
    let [Ok(Some(usual)), Ok(Some(again))] = usual else {
        console::note(
            "the engine reports no nodes in a search of fixed depth, so it is not known which options have an effect",
        );
        return Ok(parameters);
    };
    if usual != again {
        console::note(
            "the engine does not search the same nodes twice, so it is not known which options have an effect",
        );
        return Ok(parameters);
    }
    let has_effect = |parameter: &SpsaParameter| has_effect(engine, parameter, usual);
    let effects: Vec<bool> = parameters.iter().map(has_effect).collect::<Result<_>>()?;
    let inert: Vec<&str> = (parameters.iter().zip(&effects))
        .filter(|(_, has_effect)| !**has_effect)
        .map(|(parameter, _)| parameter.name.as_str())
        .collect();
    if !inert.is_empty() {
        console::note(&format!(
            "{}without effect: at no value does the bench of {} nodes change: {} (this does not show the effect of options for \
             time management)",
            if keeps { "warning: " } else { "not tuned, since " },
            thousands(usual),
            inert.join(", ")
        ));
    }
    if keeps {
        return Ok(parameters);
    }
    ensure!(effects.contains(&true), "expected an option that changes the search, found none");
    let live: Vec<_> = parameters
        .into_iter()
        .zip(effects)
        .filter(|(_, has_effect)| *has_effect)
        .map(|(live, _)| live)
        .collect();
    say_what_is_tuned(&live);
    Ok(live)
}

/// Whether the bench changes with a step up or down, or with an end of the range.
fn has_effect(engine: &EngineConfig, parameter: &SpsaParameter, usual: u64) -> Result<bool> {
    let SpsaParameter { value, min, max, c_end, .. } = *parameter;
    for other in [value + c_end, value - c_end, min, max] {
        let text = parameter.text(parameter.nearest(other));
        if text == parameter.text(value) {
            continue;
        }
        let mut tried = engine.clone();
        tried.options.push(UciSetting::of_parameter(parameter, parameter.nearest(other)));
        let nodes = nodes_of_bench(&tried);
        let nodes = nodes.with_context(|| format!("parameter {}: with the value {text}", parameter.name))?;
        if nodes != Some(usual) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn say_what_is_tuned(parameters: &[SpsaParameter]) {
    let text = |parameter: &SpsaParameter| {
        let [value, min, max] = [parameter.value, parameter.min, parameter.max];
        let is_at_bound = if value <= min || value >= max { ", at its bound" } else { "" };
        format!("{} ({value}{is_at_bound}, from {min} to {max})", parameter.name)
    };
    let all: Vec<_> = parameters.iter().map(text).collect();
    console::note(&format!("tuning {}: {}", counted(all.len() as u64, "option"), all.join(", ")));
}
