//! Words that several modules put together alike: numbers with their nouns, and texts that stay on one line of a document.

use std::fmt::Display;

/// A number with its noun, which takes an `s` unless there is one.
///
/// ```
/// use img2fen::wording::counted;
/// assert_eq!(counted(0, "page"), "0 pages");
/// assert_eq!(counted(1, "page"), "1 page");
/// assert_eq!(counted(12_u64, "page"), "12 pages");
/// ```
#[must_use]
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    let ending = if count == N::from(1) { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// A text with a blank in place of each control character, so that it neither ends the line of a document nor steers a
/// terminal.
pub(crate) fn without_controls(text: &str) -> String {
    text.chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect()
}

/// A text in quotation marks on one line, with marks and backslashes in it escaped, as PGN writes the values of tags and
/// this program the operands of an EPD.
pub(crate) fn in_quotation_marks(text: &str) -> String {
    let escaped = without_controls(text)
        .replace('\\', "\\\\")
        .replace('"', "\\\"");
    format!("\"{escaped}\"")
}
