//! Some engines against the field.

/// Everybody of the first `challengers` meets everybody of the rest, opponent by opponent.
pub(super) fn encounters(engines: usize, challengers: usize) -> Vec<(usize, usize)> {
    (challengers..engines)
        .flat_map(|other| (0..challengers).map(move |challenger| (challenger, other)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn challengers_meet_all_others_and_nobody_else_meets() {
        assert_eq!(encounters(4, 1), [(0, 1), (0, 2), (0, 3)]);
        assert_eq!(encounters(4, 2), [(0, 2), (1, 2), (0, 3), (1, 3)]);
    }
}
