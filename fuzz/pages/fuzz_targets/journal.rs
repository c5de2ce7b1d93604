#![no_main]

#[allow(dead_code, reason = "each target is one of its functions")]
#[path = "../targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    targets::journal(bytes);
});
