#![no_main]

#[allow(dead_code, reason = "each target is one of its functions")]
#[path = "../targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|input: (u8, u8, [[f32; 2]; 4])| {
    let (width, height, corners) = input;
    targets::quad((u32::from(width) + 1, u32::from(height) + 1), corners);
});
