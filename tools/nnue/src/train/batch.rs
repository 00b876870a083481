//! A batch: the predictions for its positions and the gradient.
//!
//! A task is a tile of the network on a quarter of the positions. It has its own gradient, and the four gradients of a tile
//! are added in a fixed order. So the sums do not depend on the threads.

use std::sync::{Mutex, PoisonError};
use std::thread;

use tarrasch::nnue::BUCKETS;

use super::expectation::expectation;
use super::float_network::{AdamW, FloatNetwork, LANES, Lanes, add_derivatives, partial_output};
use super::training_data::{Inputs, TrainingPosition};

const PARTS: usize = 4;

/// The loss: the mean squared error of the predictions.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The weight of the result in the target.
    pub result_share: f64,
    /// `K`: the scale from centipawns to expected points.
    pub score_scale: f64,
}

/// A batch. It is reused for the next one, to save allocations.
#[derive(Debug)]
pub struct Batch {
    target: Target,
    mirrors: bool,
    threads: usize,
    parts: Vec<Part>,
    tasks: Vec<Task>,
}

#[derive(Clone, Debug, Default)]
struct Part {
    inputs: Vec<Inputs>,
    targets: Vec<f64>,
    shares: Vec<f32>,
    /// The outputs, before the logistic function.
    outputs: Vec<f32>,
    /// The derivatives of the mean loss with respect to the outputs.
    slopes: Vec<f32>,
    loss: f64,
}

#[derive(Clone, Debug)]
struct Task {
    outputs: Vec<f32>,
    gradient: Vec<Lanes>,
}

impl Batch {
    pub fn new(tiles: usize, mirrors: bool, target: Target, threads: usize) -> Batch {
        let task = Task { outputs: Vec::new(), gradient: vec![Lanes::ZERO; LANES] };
        Batch {
            target,
            mirrors,
            threads,
            parts: vec![Part::default(); PARTS],
            tasks: vec![task; tiles * PARTS],
        }
    }

    /// Evaluates these positions. Returns the sum of their losses.
    pub fn forward<'a>(
        &mut self,
        network: &FloatNetwork,
        positions: usize,
        position: impl Fn(usize) -> &'a TrainingPosition + Sync,
    ) -> f64 {
        let part_size = positions.div_ceil(PARTS);
        let (target, mirrors) = (self.target, self.mirrors);
        for_each(&mut self.parts, self.threads, |part, out| {
            let numbers = (part * part_size).min(positions)..((part + 1) * part_size).min(positions);
            out.inputs.clear();
            out.targets.clear();
            out.shares.clear();
            for position in numbers.map(&position) {
                out.inputs.push(position.inputs(mirrors));
                out.targets.push(position.target(target.result_share, target.score_scale));
                out.shares.push(position.share());
            }
        });
        let parts = &self.parts;
        for_each(&mut self.tasks, self.threads, |task, out| {
            let tile = &network.tiles[task / PARTS];
            out.outputs.clear();
            out.outputs.extend(parts[task % PARTS].inputs.iter().map(|inputs| partial_output(tile, inputs)));
        });
        let tasks = &self.tasks;
        for_each(&mut self.parts, self.threads, |part, out| {
            out.outputs.clear();
            out.outputs.extend(out.inputs.iter().map(|inputs| network.output_biases[inputs.bucket()]));
            for task in tasks.iter().skip(part).step_by(PARTS) {
                out.outputs.iter_mut().zip(&task.outputs).for_each(|(sum, &partial)| *sum += partial);
            }
            out.compute_loss(positions);
        });
        self.parts.iter().map(|part| part.loss).sum()
    }

    /// The output for each position, in order.
    pub fn outputs(&self) -> impl Iterator<Item = f32> + '_ {
        self.parts.iter().flat_map(|part| part.outputs.iter().copied())
    }

    /// Computes the gradient of the mean loss.
    pub fn backward(&mut self, network: &FloatNetwork) {
        let parts = &self.parts;
        for_each(&mut self.tasks, self.threads, |task, out| {
            let (tile, part) = (&network.tiles[task / PARTS], &parts[task % PARTS]);
            out.gradient.fill(Lanes::ZERO);
            for (inputs, &slope) in part.inputs.iter().zip(&part.slopes) {
                add_derivatives(tile, inputs, slope, &mut out.gradient);
            }
        });
    }

    /// Updates the weights.
    pub fn step(&self, network: &mut FloatNetwork, moments: &mut [FloatNetwork; 2], step: AdamW) {
        let [means, squares] = moments;
        let mut slopes = [0.0; BUCKETS];
        for part in &self.parts {
            part.inputs.iter().zip(&part.slopes).for_each(|(inputs, slope)| slopes[inputs.bucket()] += slope);
        }
        let moments_of_biases = means.output_biases.iter_mut().zip(&mut squares.output_biases);
        for ((bias, (mean, square)), slope) in
            network.output_biases.iter_mut().zip(moments_of_biases).zip(slopes)
        {
            step.step(bias, mean, square, slope);
        }
        let moments = means.tiles.iter_mut().zip(&mut squares.tiles);
        let mut tiles: Vec<_> = network.tiles.iter_mut().zip(moments).collect();
        for_each(&mut tiles, self.threads, |tile, (weights, (means, squares))| {
            for lane in 0..LANES {
                let slopes = self.slopes(tile, lane);
                step.step_lanes(&mut weights[lane], &mut means[lane], &mut squares[lane], &slopes);
            }
        });
    }

    pub fn slopes(&self, tile: usize, lane: usize) -> Lanes {
        let mut slopes = Lanes::ZERO;
        for task in &self.tasks[tile * PARTS..][..PARTS] {
            slopes.add(&task.gradient[lane]);
        }
        slopes
    }
}

impl Part {
    /// Compares outputs and targets of a part of this many positions.
    fn compute_loss(&mut self, positions: usize) {
        self.slopes.clear();
        self.loss = 0.0;
        let outputs = self.outputs.iter().zip(&self.shares);
        for ((&output, &share), &target) in outputs.zip(&self.targets) {
            let expected = expectation(f64::from(output * share));
            let wrong = expected - target;
            self.loss += wrong * wrong;
            let slope = 2.0 * wrong * expected * (1.0 - expected) * f64::from(share);
            self.slopes.push((slope / positions as f64) as f32);
        }
    }
}

/// Does the work on every item, each on the next free thread. The result must not depend on the thread.
pub fn for_each<T: Send>(items: &mut [T], threads: usize, work: impl Fn(usize, &mut T) + Sync) {
    let queue = Mutex::new(items.iter_mut().enumerate());
    let take = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work_on_queue = || {
        while let Some((index, item)) = take() {
            work(index, item);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work_on_queue);
        }
        work_on_queue();
    });
}
