//! The report of a training, `NET.toml`, and its curves, `NET.svg`.

use std::fmt::Write;

use serde::Serialize;
use tarrasch::nnue::BUCKETS;

use super::trainer::{Epoch, Recipe};
use crate::info::grouped;

/// The settings and results of a training.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub recipe: Recipe,
    pub result: TrainingResult,
    pub epochs: Vec<Epoch>,
}

/// The quality of a network. Losses are mean squared errors on the held-out positions.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct TrainingResult {
    pub held_out_positions: usize,
    /// `K` of the targets: the scale from centipawns to expected points.
    pub score_scale: f64,
    /// An output of 1 in centipawns.
    pub centipawns: f64,
    /// The loss before quantization.
    pub fractions: f64,
    /// The loss after quantization.
    pub whole_numbers: f64,
    /// The loss of the hand-written evaluation.
    pub hand_written: f64,
    /// The mean change by quantization, in centipawns.
    pub mean_rounding: f64,
    /// The largest change by quantization, in centipawns.
    pub worst_rounding: f64,
}

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 520.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 830.0;
const TOP: f64 = 96.0;
const BOTTOM: f64 = 440.0;
const GRID: f64 = 6.0;

/// The range of losses on the vertical axis.
struct Scale {
    low: f64,
    high: f64,
    epochs: f64,
}

impl Scale {
    /// The range of all losses, without a first training loss that comes from the untrained network.
    fn of(report: &Report) -> Scale {
        let Report { epochs, result, .. } = report;
        let first = epochs.first().map_or(result.hand_written, |epoch| epoch.held_out);
        let losses = epochs.iter().flat_map(|epoch| [epoch.training.min(first), epoch.held_out]);
        let (low, high) = losses
            .chain([result.hand_written])
            .fold((f64::MAX, f64::MIN), |(low, high), loss| (low.min(loss), high.max(loss)));
        let margin = 0.05 * (high - low).max(1e-6);
        Scale { low: low - margin, high: high + margin, epochs: epochs.len().max(1) as f64 }
    }

    fn x(&self, epoch: f64) -> f64 {
        LEFT + (RIGHT - LEFT) * epoch / self.epochs
    }

    fn y(&self, loss: f64) -> f64 {
        BOTTOM - (BOTTOM - TOP) * (loss - self.low) / (self.high - self.low)
    }
}

/// The curves as SVG: the losses by epoch, the loss of the hand-written evaluation, and the settings.
pub fn curves(report: &Report) -> String {
    let Report { epochs, result, .. } = report;
    let scale = Scale::of(report);
    let hand_written = format!("hand-written evaluation, held out: {:.6}", result.hand_written);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"30\" font-size=\"18\">{}</text>\n",
        title(report)
    );
    grid(&mut svg, &scale);
    let training: Vec<f64> = epochs.iter().map(|epoch| epoch.training).collect();
    let held_out: Vec<f64> = epochs.iter().map(|epoch| epoch.held_out).collect();
    let lines = [("training", "#2b6cb0", training), ("held out", "#c05621", held_out)];
    for (index, (name, color, losses)) in lines.iter().enumerate() {
        let shown = losses.iter().zip(1..).filter(|&(&loss, _)| loss <= scale.high);
        let points: Vec<(f64, f64)> =
            shown.map(|(&loss, number)| (scale.x(f64::from(number)), scale.y(loss))).collect();
        let texts: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        line(&mut svg, &texts.join(" "), color, "");
        for (x, y) in points {
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{color}\"/>");
        }
        legend(&mut svg, index, name, color);
    }
    let level = scale.y(result.hand_written);
    line(&mut svg, &format!("{LEFT},{level:.1} {RIGHT},{level:.1}"), "#555", " stroke-dasharray=\"6 4\"");
    legend(&mut svg, lines.len(), &hand_written, "#555");
    for (text, above) in summary(report).iter().zip([28.0, 10.0]) {
        let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\">{text}</text>", HEIGHT - above);
    }
    svg += "</svg>\n";
    svg
}

fn title(report: &Report) -> String {
    let settings = &report.recipe.settings;
    format!(
        "(768{} → {}) × 2 → {BUCKETS}, {} positions, {} epoch{}",
        if settings.mirror { ", mirrored" } else { "" },
        settings.width,
        grouped(report.recipe.positions as u64),
        settings.epochs,
        if settings.epochs == 1 { "" } else { "s" }
    )
}

fn summary(report: &Report) -> [String; 2] {
    let (result, settings) = (&report.result, &report.recipe.settings);
    let losses = format!(
        "held-out loss: network {:.6}, after quantization {:.6}, which changes scores by {:.2} cp on average, {:.1} at most",
        result.fractions, result.whole_numbers, result.mean_rounding, result.worst_rounding,
    );
    [losses, format!("seed {}, result share {}", settings.seed, settings.result_share)]
}

fn grid(svg: &mut String, scale: &Scale) {
    let step = round_step((scale.high - scale.low) / GRID);
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let mut loss = (scale.low / step).ceil() * step;
    while loss <= scale.high {
        let y = scale.y(loss);
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {y:.1}H{RIGHT}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" \
             text-anchor=\"end\">{loss:.decimals$}</text>",
            LEFT - 8.0,
            y + 4.0
        );
        loss += step;
    }
    let step = round_step(scale.epochs / GRID).max(1.0);
    let mut epoch = 0.0;
    while epoch <= scale.epochs {
        let x = scale.x(epoch);
        let _ =
            writeln!(svg, "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{epoch}</text>", BOTTOM + 20.0);
        epoch += step;
    }
    let _ = writeln!(
        svg,
        "<path d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\" fill=\"none\" stroke=\"#333\"/>\
         <text x=\"{RIGHT}\" y=\"{}\" text-anchor=\"end\">epochs</text>\
         <text x=\"{LEFT}\" y=\"{}\">mean squared error of the expected score</text>",
        BOTTOM + 40.0,
        TOP - 44.0
    );
}

/// The smallest number at least `step` that is 1, 2 or 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|&round| round >= step)
        .unwrap_or(step)
}

fn line(svg: &mut String, points: &str, color: &str, style: &str) {
    let _ = writeln!(
        svg,
        "<polyline points=\"{points}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"{style}/>"
    );
}

fn legend(svg: &mut String, index: usize, name: &str, color: &str) {
    let x = LEFT + 120.0 * index as f64;
    let y = TOP - 24.0;
    let _ = writeln!(
        svg,
        "<path d=\"M{x} {y}h20\" stroke=\"{color}\" stroke-width=\"3\"/><text x=\"{}\" y=\"{}\">{name}</text>",
        x + 26.0,
        y + 4.0
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (step, round) in [(0.0011, 0.002), (0.3, 0.5), (1.0, 1.0), (6.0, 10.0)] {
            assert!((round_step(step) / round - 1.0).abs() < 1e-9, "{step}");
        }
    }
}
