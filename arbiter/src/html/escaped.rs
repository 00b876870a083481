//! Text from engines and files on its way into HTML.

use std::fmt::{self, Write as _};

/// A text that can stand anywhere in HTML, between tags and in attributes, and means nothing but itself.
///
/// Control characters and those that turn the direction of writing become the sign for an unknown character, so that an
/// engine cannot dress up as another.
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\n' | '\t' => f.write_char(c)?,
                c if c.is_control() || is_bidi_control(c) => f.write_char(char::REPLACEMENT_CHARACTER)?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// The embeddings, overrides and isolates of the Unicode bidirectional algorithm (UAX #9).
const fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn markup_becomes_text() {
        let text = Escaped(r#"<script>alert("1")</script> & 'x'"#).to_string();
        assert_eq!(text, "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;");
    }

    #[test]
    fn what_cannot_be_seen_is_shown() {
        assert_eq!(Escaped("a\u{0}b\u{202e}c").to_string(), "a\u{fffd}b\u{fffd}c");
    }

    proptest! {
        #[test]
        fn nothing_that_html_gives_a_meaning_is_left(text in any::<String>()) {
            let escaped = Escaped(&text).to_string();
            prop_assert!(!escaped.contains(['<', '>', '"', '\'']));
        }
    }
}
