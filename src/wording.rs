//! Numbers with their nouns: the one place that decides between one and many.

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
