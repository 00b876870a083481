//! The command: reads the games, trains, quantizes the network, and reports its loss.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use indicatif::HumanDuration;
use tarrasch::nnue::Network;

use super::batch::Target;
use super::expectation::{best_scale, expectation};
use super::float_network::{FloatNetwork, Rounding, quantized};
use super::report::{Report, TrainingResult, curves};
use super::settings::{Settings, TrainArguments};
use super::trainer::{Epoch, Recipe, State, Step, Trainer, read_weights};
use super::training_data::{TrainingData, TrainingPosition};
use crate::files::{NewFile, write_whole};
use crate::info::grouped;
use crate::{Progress, say};

const SCALE_SAMPLE: usize = 1_000_000;

pub fn command(arguments: &TrainArguments) -> Result<()> {
    let out = &arguments.out;
    let mut file = NewFile::reserve(out)?;
    let mut settings = arguments.settings();
    let first = first_weights(&arguments.from, &mut settings)?;
    let threads = arguments.threads.into();
    let data = match settings.distil {
        0 => TrainingData::read(&arguments.files, settings.filter)?,
        _ => TrainingData::distilled(&arguments.files, &settings, threads)?,
    };
    say(&format!(
        "{} training positions, {} held out, {} repeated ones left out",
        grouped(data.training.len() as u64),
        grouped(data.held_out.len() as u64),
        grouped(data.repeated)
    ))?;
    ensure!(!data.training.is_empty(), "expected training positions, found none that the filter keeps");
    ensure!(!data.held_out.is_empty(), "expected games to hold out, one in fifty, found too few games");
    let target = Target { result_share: settings.result_share, score_scale: score_scale(&data.training) };
    let recipe =
        Recipe { data: format!("{:016x}", data.fingerprint()), positions: data.training.len(), settings };
    let checkpoint = out.with_added_extension("checkpoint");
    let state = State::open(&checkpoint, recipe, first)?;
    let mut trainer = Trainer::new(&data, target, state, threads);
    train(&mut trainer, &checkpoint, data.training.len() as u64)?;
    let (network, report) = finish(&mut trainer, &data, target)?;
    file.output.write_all(&network).with_context(|| out.display().to_string())?;
    let beside = [("toml", toml::to_string(&report)?), ("svg", curves(&report))];
    for (extension, text) in beside {
        write_whole(&out.with_added_extension(extension), text)?;
    }
    file.finish()?;
    let TrainingResult { whole_numbers, hand_written, mean_rounding, worst_rounding, .. } = report.result;
    say(&format!(
        "{}: held-out loss {whole_numbers:.6} after quantization, which changes scores by {mean_rounding:.2} cp on average \
         and {worst_rounding:.1} at most; the hand-written evaluation has {hand_written:.6}",
        out.display()
    ))
}

/// The start weights: random, or those of checkpoints, whose fingerprints go into the settings.
fn first_weights(from: &[PathBuf], settings: &mut Settings) -> Result<FloatNetwork> {
    if from.is_empty() {
        return Ok(FloatNetwork::new(settings.tiles(), settings.seed));
    }
    let (network, fingerprints) = read_weights(from, settings)?;
    settings.from = fingerprints;
    Ok(network)
}

/// Trains all epochs, with a checkpoint after each.
fn train(trainer: &mut Trainer<'_>, checkpoint: &Path, positions: u64) -> Result<()> {
    let state = &trainer.state;
    let done = state.epochs.len() as u64 * positions;
    let all = u64::from(state.recipe.settings.epochs) * positions;
    let mut held_out = state.epochs.last().map(|epoch| epoch.held_out);
    let began = Instant::now();
    let text = |step: Step, held_out: Option<f64>| {
        let rate = (step.positions - done) as f64 / began.elapsed().as_secs_f64();
        let left = HumanDuration(Duration::from_secs_f64((all - step.positions) as f64 / rate.max(1.0)));
        let held_out = held_out.map(|loss| format!(", held out {loss:.6}")).unwrap_or_default();
        let Step { epoch, loss, .. } = step;
        format!("epoch {epoch}, {} positions/s, loss {loss:.6}{held_out}, {left} left", grouped(rate as u64))
    };
    let mut progress = Progress::new(done, all);
    while !trainer.is_done() {
        let epoch = trainer.epoch(&mut |step| progress.show(step.positions, || text(step, held_out)));
        trainer.state.save(checkpoint)?;
        held_out = Some(epoch.held_out);
        let Epoch { rate, training, held_out } = epoch;
        let number = trainer.state.epochs.len();
        let line = format!("epoch {number:3}  rate {rate:.6}  loss {training:.6}  held out {held_out:.6}");
        progress.suspend(|| say(&line))?;
    }
    Ok(())
}

/// Writes the quantized network and its report.
fn finish(trainer: &mut Trainer<'_>, data: &TrainingData, target: Target) -> Result<(Vec<u8>, Report)> {
    let (fractions, outputs) = trainer.evaluate(&data.held_out);
    let targets: Vec<f64> = data
        .held_out
        .iter()
        .map(|position| position.target(target.result_share, target.score_scale))
        .collect();
    // `best_scale` only searches scales of centipawns, so an output of 1 first counts as some hundred.
    let assumed = 1.0 / target.score_scale;
    let counted = outputs.iter().zip(&data.held_out).map(|(&output, position)| output * position.share());
    let outputs_in_cp = counted.map(|output| assumed * f64::from(output));
    let ours = best_scale(&outputs_in_cp.zip(targets.iter().copied()).collect::<Vec<_>>());
    let hand_written = data.hand_written.iter().map(|&value| f64::from(value));
    let pairs: Vec<(f64, f64)> = hand_written.zip(targets).collect();
    let theirs = best_scale(&pairs);
    let centipawns = assumed * ours / theirs;
    let State { recipe, epochs, network, .. } = &trainer.state;
    let bytes = quantized(network, recipe.settings.mirror, centipawns).to_bytes();
    let whole = Network::from_bytes(&bytes).context("the quantized network")?;
    let rounding = Rounding::of(&whole, centipawns, &data.held_out, &outputs, target);
    let loss = |(value, wanted): &(f64, f64)| (expectation(theirs * value) - wanted).powi(2);
    let result = TrainingResult {
        held_out_positions: data.held_out.len(),
        score_scale: target.score_scale,
        centipawns,
        fractions,
        whole_numbers: rounding.loss,
        hand_written: pairs.iter().map(loss).sum::<f64>() / pairs.len() as f64,
        mean_rounding: rounding.mean,
        worst_rounding: rounding.worst,
    };
    Ok((bytes, Report { recipe: recipe.clone(), result, epochs: epochs.clone() }))
}

fn score_scale(positions: &[TrainingPosition]) -> f64 {
    let every = positions.len().div_ceil(SCALE_SAMPLE).max(1);
    let pair = |position: &TrainingPosition| (f64::from(position.score()), position.points());
    best_scale(&positions.iter().step_by(every).map(pair).collect::<Vec<_>>())
}
