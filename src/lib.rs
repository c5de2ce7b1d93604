//! Reads pictures of chess diagrams.
