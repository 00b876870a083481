//! Everybody against everybody.

/// Every two engines, the one that is listed first before the other.
pub(super) fn encounters(engines: usize) -> Vec<(usize, usize)> {
    (0..engines).flat_map(|first| (first + 1..engines).map(move |second| (first, second))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_two_engines_meet_once() {
        assert_eq!(encounters(2), [(0, 1)]);
        assert_eq!(encounters(4), [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
    }
}
