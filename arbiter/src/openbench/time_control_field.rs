//! Limits in the notation of OpenBench: `8.0+0.08`, `40/60.0+0.00`, `N=3000`, `D=8`, `MT=100`.

use std::time::Duration;

use anyhow::{Result, bail};

use runner::{SearchLimits, TimeControl};

/// The units of times and increments on a site, which rounds others.
const CLOCK_STEP: Duration = Duration::from_millis(100);
const INCREMENT_STEP: Duration = Duration::from_millis(10);

/// The field of one engine.
///
/// # Errors
/// OpenBench does not support these limits, or would round them.
pub(super) fn time_control_field(limits: &SearchLimits) -> Result<String> {
    let per_move = [
        limits.movetime.map(|time| format!("MT={}", time.as_millis())),
        limits.nodes.map(|nodes| format!("N={nodes}")),
        limits.depth.map(|depth| format!("D={depth}")),
    ];
    let mut fields: Vec<String> = per_move.into_iter().flatten().collect();
    if let Some(clock) = &limits.clock {
        fields.push(clock_field(clock)?);
    }
    match <[String; 1]>::try_from(fields) {
        Ok([field]) => Ok(field),
        Err(fields) => bail!(
            "limits: expected one of a time control, movetime, nodes and depth, found {}",
            fields.join(", ")
        ),
    }
}

fn clock_field(clock: &TimeControl) -> Result<String> {
    let [stage] = clock.stages() else {
        bail!("time control {clock}: expected a single stage, as OpenBench has them");
    };
    let is_multiple = |time: Duration, step: Duration| time.as_nanos().is_multiple_of(step.as_nanos());
    if !is_multiple(stage.time, CLOCK_STEP) || !is_multiple(stage.increment, INCREMENT_STEP) {
        bail!(
            "time control {clock}: expected tenths of a second and an increment in hundredths, to which OpenBench rounds"
        );
    }
    let moves = stage.moves.map(|moves| format!("{moves}/")).unwrap_or_default();
    Ok(format!("{moves}{:.1}+{:.2}", stage.time.as_secs_f64(), stage.increment.as_secs_f64()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> Result<String> {
        time_control_field(&SearchLimits { clock: Some(text.parse().unwrap()), ..SearchLimits::default() })
    }

    #[test]
    fn limits_are_written_as_the_site_reads_them() {
        assert_eq!(clock("8+0.08").unwrap(), "8.0+0.08");
        assert_eq!(clock("40/60").unwrap(), "40/60.0+0.00");
        assert_eq!(clock("1:30.5+1").unwrap(), "90.5+1.00");
        let nodes = SearchLimits { nodes: Some(3000), ..SearchLimits::default() };
        assert_eq!(time_control_field(&nodes).unwrap(), "N=3000");
        let time = SearchLimits { movetime: Some(Duration::from_millis(50)), ..SearchLimits::default() };
        assert_eq!(time_control_field(&time).unwrap(), "MT=50");
    }

    #[test]
    fn what_the_site_would_change_is_refused() {
        for text in ["0.25+0.01", "8+0.085", "40/60,10+0.1"] {
            assert!(clock(text).is_err(), "{text}");
        }
        let both = SearchLimits { nodes: Some(1), depth: Some(1), ..SearchLimits::default() };
        assert!(time_control_field(&both).is_err());
    }
}
