//! Hostile and odd pictures, made byte by byte.

use std::io::Cursor;

use image::{DynamicImage, GenericImageView, ImageFormat};

use super::Made;

/// A stream of bits, least significant first, as deflate wants it.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: u32,
}

impl Bits {
    /// Appends the `count` lowest bits of a code, highest bit first (how deflate stores its Huffman codes).
    fn code(&mut self, code: u32, count: u32) {
        for bit in (0..count).rev() {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let last = self.bytes.len() - 1;
            self.bytes[last] |= (((code >> bit) & 1) as u8) << (self.used % 8);
            self.used += 1;
        }
    }
}

/// A zlib stream of `count` zero bytes, 159 times smaller than what it unpacks to.
pub fn zlib_of_zeros(count: u64) -> Vec<u8> {
    let mut bits = Bits::default();
    // The only block, with the fixed Huffman codes: the header's bits are 1, then 01 from the lowest.
    bits.code(0b110, 3);
    let mut literals = count;
    if count > 0 {
        bits.code(0x30, 8);
        literals -= 1;
        for _ in 0..literals / 258 {
            // 258 bytes as one byte back: length code 285, distance code 0.
            bits.code(0b1100_0101, 8);
            bits.code(0, 5);
        }
        literals %= 258;
    }
    for _ in 0..literals {
        bits.code(0x30, 8);
    }
    bits.code(0, 7);
    let mut stream = vec![0x78, 0x9c];
    stream.extend(bits.bytes);
    stream.extend((((count % 65_521) as u32) << 16 | 1).to_be_bytes());
    stream
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 * (crc & 1))
        })
    })
}

fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut bytes = (data.len() as u32).to_be_bytes().to_vec();
    bytes.extend(name);
    bytes.extend(data);
    let sum = crc(&bytes[4..]);
    bytes.extend(sum.to_be_bytes());
    bytes
}

/// A PNG with this header, these chunks before the pixels, and this zlib stream as pixels.
fn png(
    size: [u32; 2],
    [depth, color, interlace]: [u8; 3],
    chunks: &[Vec<u8>],
    pixels: &[u8],
) -> Vec<u8> {
    let mut header = size[0].to_be_bytes().to_vec();
    header.extend(size[1].to_be_bytes());
    header.extend([depth, color, 0, 0, interlace]);
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    bytes.extend(chunk(b"IHDR", &header));
    bytes.extend(chunks.concat());
    bytes.extend(chunk(b"IDAT", pixels));
    bytes.extend(chunk(b"IEND", b""));
    bytes
}

/// A whole PNG of zeros; `bits` a pixel.
fn black_png(size: [u32; 2], head: [u8; 3], bits: u64, chunks: &[Vec<u8>]) -> Vec<u8> {
    let row = 1 + (u64::from(size[0]) * bits).div_ceil(8);
    png(size, head, chunks, &zlib_of_zeros(row * u64::from(size[1])))
}

const GREY: [u8; 3] = [8, 0, 0];
const RGB: [u8; 3] = [8, 2, 0];
/// The zlib stream of a text bomb: 400 MB of zeros.
const BOMB: u64 = 400_000_000;

fn pngs(add: &mut dyn FnMut(&str, Vec<u8>)) {
    let bomb = zlib_of_zeros(BOMB);
    let with = |head: &[u8], tail: &[u8]| [head, tail].concat();
    let small = |chunks: &[Vec<u8>]| black_png([64, 64], GREY, 8, chunks);
    add(
        "text-bomb.png",
        small(&[chunk(b"zTXt", &with(b"a\0\0", &bomb))]),
    );
    add(
        "international-text-bomb.png",
        small(&[chunk(
            b"iTXt",
            &with(b"XML:com.adobe.xmp\0\x01\0\0\0", &bomb),
        )]),
    );
    add(
        "profile-bomb.png",
        small(&[chunk(b"iCCP", &with(b"a\0\0", &bomb))]),
    );
    add(
        "many-text-bombs.png",
        small(&vec![
            chunk(
                b"zTXt",
                &with(b"a\0\0", &zlib_of_zeros(50_000_000))
            );
            12
        ]),
    );
    add("pixel-bomb.png", png([64, 64], GREY, &[], &bomb));
    add(
        "declared-65535.png",
        png([65_535, 65_535], RGB, &[], &zlib_of_zeros(100)),
    );
    add(
        "declared-2147483647.png",
        png(
            [2_147_483_647, 2_147_483_647],
            RGB,
            &[],
            &zlib_of_zeros(100),
        ),
    );
    add(
        "declared-19999-with-little-data.png",
        png([19_999, 5_000], RGB, &[], &zlib_of_zeros(100)),
    );
    add("long-20000x1.png", black_png([20_000, 1], RGB, 24, &[]));
    add("tall-1x20000.png", black_png([1, 20_000], RGB, 24, &[]));
    add("one-side-over.png", black_png([20_001, 1], RGB, 24, &[]));
    add("no-width.png", png([0, 7], GREY, &[], &zlib_of_zeros(7)));
    add("no-height.png", png([7, 0], GREY, &[], &zlib_of_zeros(7)));
    add("one-pixel.png", black_png([1, 1], GREY, 8, &[]));
    add("one-bit.png", black_png([333, 222], [1, 0, 0], 1, &[]));
    add(
        "sixteen-bit.png",
        black_png([333, 222], [16, 6, 0], 64, &[]),
    );
    add(
        "interlaced-with-one-pass.png",
        png([333, 222], [8, 2, 1], &[], &zlib_of_zeros(500)),
    );
    let palette: Vec<u8> = (0..=255).flat_map(|grey| [grey; 3]).collect();
    add(
        "palette.png",
        black_png(
            [333, 222],
            [8, 3, 0],
            8,
            &[chunk(b"PLTE", &palette), chunk(b"tRNS", &[0; 256])],
        ),
    );
    add(
        "palette-missing.png",
        black_png([333, 222], [8, 3, 0], 8, &[]),
    );
    add(
        "palette-too-short.png",
        png(
            [333, 222],
            [8, 3, 0],
            &[chunk(b"PLTE", &[1, 2, 3])],
            &zlib_of_zeros(0),
        ),
    );
    add("wrong-depth.png", black_png([64, 64], [3, 2, 0], 9, &[]));
    add(
        "exif-endless.png",
        small(&[chunk(b"eXIf", &exif(6, u32::MAX))]),
    );
    let mut wrong_sum = small(&[]);
    let middle = wrong_sum.len() / 2;
    wrong_sum[middle] ^= 0xff;
    add("wrong-sum.png", wrong_sum);
    let mut long_chunk = small(&[]);
    long_chunk[33..37].copy_from_slice(&0x7fff_ffffu32.to_be_bytes());
    add("chunk-of-2-gigabytes.png", long_chunk);
    // An animation whose first frame stands outside of the picture.
    let animation = [
        chunk(b"acTL", &[0, 0, 255, 255, 0, 0, 0, 0]),
        chunk(b"fcTL", &[0xff; 26]),
    ];
    add("animation-out-of-place.png", small(&animation));
    add(
        "allowed-100-megapixels.png",
        black_png([20_000, 5_000], GREY, 8, &[]),
    );
    add(
        "allowed-100-megapixels-color.png",
        black_png([20_000, 5_000], RGB, 24, &[]),
    );
    add(
        "allowed-100-megapixels-alpha.png",
        black_png([10_000, 10_000], [8, 6, 0], 32, &[]),
    );
    add(
        "too-large-in-sixteen-bit.png",
        black_png([20_000, 5_000], [16, 2, 0], 48, &[]),
    );
}

/// An EXIF block (TIFF, big-endian) with an orientation and the offset of a further directory.
fn exif(orientation: u16, next: u32) -> Vec<u8> {
    let mut bytes = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01".to_vec();
    bytes.extend(orientation.to_be_bytes());
    bytes.extend([0, 0]);
    bytes.extend(next.to_be_bytes());
    bytes
}

fn segment(marker: u8, data: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0xff, marker];
    bytes.extend((data.len() as u16 + 2).to_be_bytes());
    bytes.extend(data);
    bytes
}

/// The header of a grey, color (3) or CMYK (4) JPEG: `frame` is the marker SOF0, SOF2 ...
fn jpeg_head(frame: u8, [width, height]: [u16; 2], components: u8, first: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = vec![0xff, 0xd8];
    bytes.extend(first.concat());
    bytes.extend(segment(0xdb, &[&[0][..], &[16; 64]].concat()));
    let mut data = vec![8];
    data.extend(height.to_be_bytes());
    data.extend(width.to_be_bytes());
    data.push(components);
    for component in 1..=components {
        data.extend([component, 0x11, 0]);
    }
    bytes.extend(segment(frame, &data));
    // One code of one bit in each table: no difference, end of block.
    let table = |class: u8| [&[class, 1][..], &[0; 15], &[0]].concat();
    bytes.extend(segment(0xc4, &[table(0x00), table(0x10)].concat()));
    bytes
}

fn scan(components: &[u8], [from, to, bits]: [u8; 3], data: &[u8]) -> Vec<u8> {
    let mut head = vec![components.len() as u8];
    for component in components {
        head.extend([*component, 0]);
    }
    head.extend([from, to, bits]);
    [segment(0xda, &head), data.to_vec()].concat()
}

/// A whole grey-in-the-middle JPEG.
fn jpeg(frame: u8, size: [u16; 2], components: u8, first: &[Vec<u8>]) -> Vec<u8> {
    let all: Vec<u8> = (1..=components).collect();
    let blocks = usize::from(size[0]).div_ceil(8) * usize::from(size[1]).div_ceil(8) * all.len();
    let (range, bits) = if frame == 0xc2 {
        ([0, 0, 0], 1)
    } else {
        ([0, 63, 0], 2)
    };
    let mut bytes = jpeg_head(frame, size, components, first);
    bytes.extend(scan(&all, range, &vec![0; (blocks * bits).div_ceil(8)]));
    bytes.extend([0xff, 0xd9]);
    bytes
}

fn jpegs(add: &mut dyn FnMut(&str, Vec<u8>)) {
    const BASELINE: u8 = 0xc0;
    const PROGRESSIVE: u8 = 0xc2;
    let turned = |value| segment(0xe1, &[b"Exif\0\0", &exif(value, 0)[..]].concat());
    let adobe = |transform| segment(0xee, &[b"Adobe\0\x64\0\0\0\0", &[transform][..]].concat());
    add("grey.jpg", jpeg(BASELINE, [333, 222], 1, &[]));
    add("progressive.jpg", jpeg(PROGRESSIVE, [333, 222], 3, &[]));
    add("cmyk.jpg", jpeg(BASELINE, [333, 222], 4, &[adobe(0)]));
    add("ycck.jpg", jpeg(BASELINE, [333, 222], 4, &[adobe(2)]));
    add("two-components.jpg", jpeg(BASELINE, [333, 222], 2, &[]));
    add("arithmetic.jpg", jpeg(0xc9, [333, 222], 3, &[]));
    add("lossless.jpg", jpeg(0xc3, [333, 222], 3, &[]));
    add("no-height.jpg", jpeg(BASELINE, [333, 0], 3, &[]));
    add("no-width.jpg", jpeg(BASELINE, [0, 333], 3, &[]));
    add("one-pixel.jpg", jpeg(BASELINE, [1, 1], 3, &[]));
    let scan_start = |frame, size| {
        [
            jpeg_head(frame, size, 3, &[]),
            scan(&[1, 2, 3], [0, 0, 0], &[0; 9]),
        ]
        .concat()
    };
    add("declared-65535.jpg", scan_start(BASELINE, [65_535; 2]));
    add(
        "declared-65535-progressive.jpg",
        scan_start(PROGRESSIVE, [65_535; 2]),
    );
    add(
        "allowed-100-megapixels-little-data.jpg",
        scan_start(BASELINE, [10_000; 2]),
    );
    add(
        "100-megapixels-progressive-little-data.jpg",
        scan_start(PROGRESSIVE, [10_000; 2]),
    );
    add(
        "turned-and-too-wide.jpg",
        jpeg(BASELINE, [20_008, 8], 3, &[turned(6)]),
    );
    add(
        "turned-to-the-limit.jpg",
        jpeg(BASELINE, [20_000, 8], 3, &[turned(6)]),
    );
    add(
        "orientation-99.jpg",
        jpeg(BASELINE, [333, 222], 3, &[turned(99)]),
    );
    let endless = segment(0xe1, &[b"Exif\0\0", &exif(6, 8)[..]].concat());
    add("exif-cyclic.jpg", jpeg(BASELINE, [333, 222], 3, &[endless]));
    add(
        "exif-of-nothing.jpg",
        jpeg(BASELINE, [333, 222], 3, &[segment(0xe1, b"Exif\0\0")]),
    );
    // Each further pass says in a few bytes that 32,767 blocks are empty.
    let mut passes = jpeg_head(PROGRESSIVE, [4_000, 4_000], 1, &[]);
    passes.extend(segment(0xc4, &[&[0x10, 1][..], &[0; 15], &[0xe0]].concat()));
    passes.extend(scan(&[1], [0, 0, 0], &vec![0; 250_000 / 8]));
    for _ in 0..5_000 {
        passes.extend(scan(&[1], [1, 63, 0], &[0; 20]));
    }
    add("5000-passes.jpg", passes);
    let mut no_table = jpeg_head(BASELINE, [64, 64], 3, &[]);
    no_table.extend(scan(&[7, 8, 9], [0, 63, 0], &[0; 64]));
    add("unknown-components.jpg", no_table);
    add(
        "only-markers.jpg",
        [vec![0xff, 0xd8], vec![0xff; 1 << 20]].concat(),
    );
    add(
        "endless-restarts.jpg",
        [
            jpeg_head(BASELINE, [4_000, 4_000], 3, &[segment(0xdd, &[0, 1])]),
            scan(&[1, 2, 3], [0, 63, 0], &[0xff, 0xd0].repeat(100_000)),
        ]
        .concat(),
    );
}

/// A little-endian TIFF directory: tag, type (3 short, 4 long), value.
fn directory(entries: &[(u16, u16, u32, u32)], next: u32) -> Vec<u8> {
    let mut bytes = (entries.len() as u16).to_le_bytes().to_vec();
    for (tag, kind, count, value) in entries {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(kind.to_le_bytes());
        bytes.extend(count.to_le_bytes());
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend(next.to_le_bytes());
    bytes
}

/// A TIFF with one strip of `data` at offset 512; `more` replaces or adds entries.
fn tiff(size: [u32; 2], more: &[(u16, u16, u32, u32)], next: u32, data: &[u8]) -> Vec<u8> {
    let mut entries = vec![
        (256, 4, 1, size[0]),
        (257, 4, 1, size[1]),
        (258, 3, 1, 8),
        (259, 3, 1, 1),
        (262, 3, 1, 1),
        (273, 4, 1, 512),
        (277, 3, 1, 1),
        (278, 4, 1, size[1]),
        (279, 4, 1, data.len() as u32),
    ];
    for new in more {
        entries.retain(|old| old.0 != new.0);
        entries.push(*new);
    }
    entries.sort_unstable();
    let mut bytes = b"II\x2a\0\x08\0\0\0".to_vec();
    bytes.extend(directory(&entries, next));
    bytes.resize(512, 0);
    bytes.extend(data);
    bytes
}

fn tiffs(add: &mut dyn FnMut(&str, Vec<u8>)) {
    let pixels = vec![200; 333 * 222];
    add("grey.tif", tiff([333, 222], &[], 0, &pixels));
    add("cyclic-pages.tif", tiff([333, 222], &[], 8, &pixels));
    add(
        "pages-outside.tif",
        tiff([333, 222], &[], u32::MAX, &pixels),
    );
    add("declared-65535.tif", tiff([65_535; 2], &[], 0, &pixels));
    add(
        "allowed-size-little-data.tif",
        tiff([10_000; 2], &[], 0, &pixels),
    );
    add("no-width.tif", tiff([0, 222], &[], 0, &pixels));
    add(
        "rows-a-strip-0.tif",
        tiff([333, 222], &[(278, 4, 1, 0)], 0, &pixels),
    );
    add(
        "strip-outside.tif",
        tiff([333, 222], &[(273, 4, 1, u32::MAX)], 0, &pixels),
    );
    add(
        "strip-of-4-gigabytes.tif",
        tiff([333, 222], &[(279, 4, 1, u32::MAX)], 0, &pixels),
    );
    add(
        "4-billion-strips.tif",
        tiff(
            [333, 222],
            &[(273, 4, u32::MAX, 8), (279, 4, u32::MAX, 8)],
            0,
            &pixels,
        ),
    );
    add(
        "deflate-bomb.tif",
        tiff([333, 222], &[(259, 3, 1, 8)], 0, &zlib_of_zeros(BOMB)),
    );
    add(
        "packbits-bomb.tif",
        tiff(
            [333, 222],
            &[(259, 3, 1, 32_773)],
            0,
            &[129, 0].repeat(1_000_000),
        ),
    );
    add(
        "lzw-of-nothing.tif",
        tiff([333, 222], &[(259, 3, 1, 5)], 0, &[0; 1000]),
    );
    add(
        "jpeg-in-tiff.tif",
        tiff(
            [333, 222],
            &[(259, 3, 1, 7), (262, 3, 1, 6)],
            0,
            &jpeg(0xc0, [9_999, 9_999], 3, &[]),
        ),
    );
    add(
        "sixty-four-bit.tif",
        tiff([100, 100], &[(258, 3, 1, 64)], 0, &[0; 80_000]),
    );
    add(
        "samples-65535.tif",
        tiff([100, 100], &[(277, 3, 1, 65_535)], 0, &[0; 80_000]),
    );
    add(
        "tiles-of-nothing.tif",
        tiff(
            [333, 222],
            &[
                (322, 4, 1, 0),
                (323, 4, 1, 0),
                (324, 4, 1, 512),
                (325, 4, 1, 9),
            ],
            0,
            &pixels,
        ),
    );
    add(
        "tiles-too-large.tif",
        tiff(
            [333, 222],
            &[
                (322, 4, 1, 1 << 30),
                (323, 4, 1, 1 << 30),
                (324, 4, 1, 512),
                (325, 4, 1, 9),
            ],
            0,
            &pixels,
        ),
    );
    let mut many_entries = b"II\x2a\0\x08\0\0\0\xff\xff".to_vec();
    many_entries.resize(1 << 20, 1);
    add("65535-entries.tif", many_entries);
}

/// A GIF with this screen and one picture with a place, a size and coded pixels.
fn gif(screen: [u16; 2], place: [u16; 4], codes: &[u8]) -> Vec<u8> {
    let mut bytes = b"GIF89a".to_vec();
    bytes.extend(screen.iter().flat_map(|side| side.to_le_bytes()));
    bytes.extend([0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2c]);
    bytes.extend(place.iter().flat_map(|side| side.to_le_bytes()));
    bytes.extend([0, 2]);
    for block in codes.chunks(255) {
        bytes.push(block.len() as u8);
        bytes.extend(block);
    }
    bytes.extend([0, 0x3b]);
    bytes
}

fn gifs(board: &DynamicImage, add: &mut dyn FnMut(&str, Vec<u8>)) {
    add(
        "declared-65535.gif",
        gif([65_535; 2], [0, 0, 65_535, 65_535], &[4, 5]),
    );
    add(
        "frame-outside.gif",
        gif([100; 2], [60_000, 60_000, 100, 100], &[4, 5]),
    );
    add(
        "frame-larger.gif",
        gif([10; 2], [0, 0, 9_999, 9_999], &[4, 5]),
    );
    add(
        "screen-100-megapixels.gif",
        gif([10_000; 2], [0, 0, 1, 1], &[4, 5]),
    );
    add("frame-of-nothing.gif", gif([100; 2], [0, 0, 0, 0], &[4, 5]));
    add("screen-of-nothing.gif", gif([0; 2], [0, 0, 9, 9], &[4, 5]));
    add(
        "codes-wrong.gif",
        gif([100; 2], [0, 0, 100, 100], &[0xff; 5_000]),
    );
    let still = encoded(board, ImageFormat::Gif);
    add("still.gif", still.clone());
    // The same picture a thousand times, for ever.
    let frames = still[13..still.len() - 1].to_vec();
    let looped = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0";
    let mut animated = [&still[..13], looped].concat();
    for _ in 0..100 {
        animated.extend(&frames);
    }
    add("animated.gif", animated);
}

fn riff(chunks: &[Vec<u8>]) -> Vec<u8> {
    let body = chunks.concat();
    let mut bytes = b"RIFF".to_vec();
    bytes.extend((body.len() as u32 + 4).to_le_bytes());
    bytes.extend(b"WEBP");
    bytes.extend(body);
    bytes
}

fn riff_chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut bytes = name.to_vec();
    bytes.extend((data.len() as u32).to_le_bytes());
    bytes.extend(data);
    bytes.resize(bytes.len().next_multiple_of(2), 0);
    bytes
}

fn webps(board: &DynamicImage, add: &mut dyn FnMut(&str, Vec<u8>)) {
    let u24 = |value: u32| value.to_le_bytes()[..3].to_vec();
    let still = encoded(board, ImageFormat::WebP);
    add("still.webp", still.clone());
    let pixels = &still[12..];
    let (width, height) = board.dimensions();
    let extended = |flags: u8, [width, height]: [u32; 2]| {
        riff_chunk(
            b"VP8X",
            &[vec![flags, 0, 0, 0], u24(width - 1), u24(height - 1)].concat(),
        )
    };
    let frame = |size: [u32; 2]| {
        let head = [
            u24(0),
            u24(0),
            u24(size[0] - 1),
            u24(size[1] - 1),
            u24(40),
            vec![0],
        ]
        .concat();
        riff_chunk(b"ANMF", &[&head, pixels].concat())
    };
    let animation = riff_chunk(b"ANIM", &[0; 6]);
    let mut chunks = vec![extended(2, [width, height]), animation.clone()];
    chunks.extend(std::iter::repeat_n(frame([width, height]), 30));
    add("animated.webp", riff(&chunks));
    add(
        "animated-100-megapixels.webp",
        riff(&[
            extended(2, [10_000; 2]),
            animation.clone(),
            frame([width, height]),
        ]),
    );
    add(
        "animated-frame-too-large.webp",
        riff(&[extended(2, [64; 2]), animation.clone(), frame([9_999; 2])]),
    );
    add(
        "animated-without-frames.webp",
        riff(&[extended(2, [64; 2]), animation]),
    );
    add(
        "declared-16777216.webp",
        riff(&[extended(0, [1 << 24; 2]), pixels.to_vec()]),
    );
    add(
        "lossless-16384.webp",
        riff(&[riff_chunk(
            b"VP8L",
            &[0x2f, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 0],
        )]),
    );
    // 10,000 x 10,000 and nothing behind it.
    let bits: u32 = 9_999 | 9_999 << 14;
    let lossless = [&[0x2f][..], &bits.to_le_bytes(), &[0; 4]].concat();
    add(
        "lossless-100-megapixels-little-data.webp",
        riff(&[riff_chunk(b"VP8L", &lossless)]),
    );
    let lossy = [
        &[0x10, 0, 0, 0x9d, 0x01, 0x2a][..],
        &[0x0f, 0x27, 0x0f, 0x27],
        &[0; 64],
    ]
    .concat();
    add(
        "lossy-100-megapixels-little-data.webp",
        riff(&[riff_chunk(b"VP8 ", &lossy)]),
    );
    let mut long = still;
    long[16..20].copy_from_slice(&u32::MAX.to_le_bytes());
    add("chunk-of-4-gigabytes.webp", long);
}

fn bmp([width, height]: [i32; 2], depth: u16, compression: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec();
    bytes.extend(width.to_le_bytes());
    bytes.extend(height.to_le_bytes());
    bytes.extend(1u16.to_le_bytes());
    bytes.extend(depth.to_le_bytes());
    bytes.extend(compression.to_le_bytes());
    bytes.extend([0; 20]);
    bytes.extend(data);
    bytes
}

fn others(add: &mut dyn FnMut(&str, Vec<u8>)) {
    add("declared-65535.bmp", bmp([65_535; 2], 24, 0, &[0; 99]));
    add(
        "negative-width.bmp",
        bmp([-64, 64], 24, 0, &[0; 64 * 64 * 3]),
    );
    add(
        "height-of-minus-2147483648.bmp",
        bmp([64, i32::MIN], 24, 0, &[0; 64 * 64 * 3]),
    );
    add("from-the-top.bmp", bmp([64, -64], 24, 0, &[0; 64 * 64 * 3]));
    add(
        "run-length-endless.bmp",
        bmp([10_000, 10_000], 8, 1, &[0, 2, 255, 255].repeat(10_000)),
    );
    add("depth-7.bmp", bmp([64, 64], 7, 0, &[0; 9_999]));
    add(
        "allowed-size-little-data.bmp",
        bmp([10_000; 2], 24, 0, &[0; 99]),
    );
    add("declared-65535.ppm", b"P6 65535 65535 255\n".to_vec());
    add(
        "declared-99999999999.ppm",
        b"P6 99999999999 99999999999 255\n".to_vec(),
    );
    add("no-width.ppm", b"P6 0 5 255\n".to_vec());
    add(
        "sixteen-bit.ppm",
        [b"P6 100 100 65535\n".to_vec(), vec![7; 60_000]].concat(),
    );
    add(
        "text-pixels.pgm",
        [b"P2 100 100 255\n".to_vec(), b"999999 ".repeat(10_000)].concat(),
    );
    add(
        "endless-comment.pgm",
        [b"P5\n#".to_vec(), vec![b'x'; 1 << 20]].concat(),
    );
    add(
        "many-channels.pam",
        b"P7\nWIDTH 100\nHEIGHT 100\nDEPTH 4000000000\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR\n".to_vec(),
    );
    add(
        "allowed-size-little-data.pgm",
        b"P5 10000 10000 255\n1".to_vec(),
    );
    add("empty.png", Vec::new());
    add("text.png", b"1. e4 e5 2. Nf3".repeat(1000));
    add("zeros.jpg", vec![0; 1 << 16]);
    add(
        "markup.svg",
        b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>".to_vec(),
    );
    add("heic.heic", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic".to_vec());
    add("avif.avif", b"\0\0\0\x18ftypavif\0\0\0\0mif1avif".to_vec());
    add(
        "ico.ico",
        b"\0\0\x01\0\x01\0\xff\xff\0\0\x01\0\x20\0\xff\xff\xff\xff\x16\0\0\0".to_vec(),
    );
}

fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, format)
        .expect("the picture can be written");
    bytes.into_inner()
}

/// All of them. `board` is a picture of a board, `jpeg` one with EXIF orientation.
pub fn all(board: &DynamicImage, jpeg_file: &[u8]) -> Vec<Made> {
    let mut made = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>| {
        made.push(Made {
            name: name.to_owned(),
            bytes,
        })
    };
    pngs(&mut add);
    jpegs(&mut add);
    tiffs(&mut add);
    gifs(board, &mut add);
    webps(board, &mut add);
    others(&mut add);
    // The content counts, not the name.
    add("png-called.jpg", encoded(board, ImageFormat::Png));
    add("jpeg-called.png", jpeg_file.to_vec());
    add("bmp-called.webp", encoded(board, ImageFormat::Bmp));
    made
}

/// A picture in every format cut off at every KiB.
pub fn truncations(board: &DynamicImage, jpeg_file: &[u8]) -> Vec<Made> {
    let whole = [
        ("png", encoded(board, ImageFormat::Png)),
        ("jpg", jpeg_file.to_vec()),
        ("gif", encoded(board, ImageFormat::Gif)),
        ("webp", encoded(board, ImageFormat::WebP)),
        ("tif", encoded(&board.thumbnail(96, 96), ImageFormat::Tiff)),
        ("bmp", encoded(&board.thumbnail(96, 96), ImageFormat::Bmp)),
    ];
    let cut = |(ending, bytes): &(&str, Vec<u8>)| {
        (0..bytes.len().div_ceil(1024))
            .map(|kib| Made {
                name: format!("cut-at-{kib}-kib.{ending}"),
                bytes: bytes[..kib * 1024].to_vec(),
            })
            .collect::<Vec<_>>()
    };
    whole.iter().flat_map(cut).collect()
}
