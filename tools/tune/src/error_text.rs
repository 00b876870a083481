//! An error as one line.

/// The error and its causes, joined by colons. A cause that an error already tells in its own text is not repeated.
pub fn error_text(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |text, cause| match cause.to_string() {
        cause if text.contains(&cause) => text,
        cause if text.is_empty() => cause,
        cause => format!("{text}: {cause}"),
    })
}

#[cfg(test)]
mod tests {
    use anyhow::{Context, anyhow};

    use super::error_text;
    use crate::data_set::DataSet;
    use crate::positions_file;

    #[test]
    fn a_cause_is_told_once() {
        let missing = positions_file::load("no.epd".as_ref(), 1, &mut DataSet::default()).unwrap_err();
        let text = error_text(&missing.into());
        assert!(text.starts_with("no.epd: ") && text.matches(": ").count() == 1, "{text}");
        let nested = Err::<(), _>(anyhow!("it is full")).context("the disk").unwrap_err();
        assert_eq!(error_text(&nested), "the disk: it is full");
    }
}
