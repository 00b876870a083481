//! Searches for tests.

use std::time::Duration;

use super::sample::{DepthReached, SpeedSample};

/// A search; times in milliseconds.
fn sample(nodes: u64, cpu: u64, wall: u64) -> SpeedSample {
    let [cpu, wall] = [cpu, wall].map(Duration::from_millis);
    let depths = vec![DepthReached { depth: 9, nodes: nodes / 2, wall: wall / 2 }];
    let user = Some(cpu * 9 / 10);
    let hashfull = Some(5);
    SpeedSample { wall, cpu: Some(cpu), user, nodes, depth: 10, hashfull, depths, hardware: None }
}

/// The same search twice; times in milliseconds.
pub fn twice(nodes: u64, cpu: u64, wall: u64) -> [SpeedSample; 2] {
    [0, 1].map(|_| sample(nodes, cpu, wall))
}
