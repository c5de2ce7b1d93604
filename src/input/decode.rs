//! Picture bytes to upright RGB pixels. The only caller of the picture decoders.
//!
//! The header is read first and held against [`Limits`]; pixels are decoded only when it fits, and turned to RGB in
//! the memory that they were decoded to. Texts and colour profiles are not used, and may not unpack to more than
//! [`MAX_METADATA_BYTES`]. Of an animation the first frame counts, of a TIFF the page that its
//! head points at.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{
    ColorType, DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, RgbImage,
};

use super::{DocumentKind, Limits};
use crate::error::{Error, ErrorKind, Result};

/// Bytes that a PNG may hold or unpack beside its pixels: a small file could unpack to gigabytes. Profiles of printers
/// have up to 4 MiB.
const MAX_METADATA_BYTES: u64 = 32 << 20;

/// Decodes PNG, JPEG, WebP, GIF, BMP, TIFF or PNM by its content, turns it upright (EXIF orientation), and lays
/// transparent parts over white.
///
/// # Errors
/// [`ErrorKind::UnsupportedFormat`] when the bytes are no such picture, [`ErrorKind::LimitExceeded`] when the picture
/// is larger than allowed, [`ErrorKind::Decode`] when it is damaged, empty or without pixels.
pub fn decode(bytes: &[u8], limits: &Limits) -> Result<RgbImage> {
    if bytes.is_empty() {
        return Err(Error::new(ErrorKind::Decode, "is empty").with_hint("copy the file again"));
    }
    let mut reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .map_err(|error| Error::new(ErrorKind::Io, "cannot read").with_source(error))?;
    if bytes.starts_with(b"II+\0") || bytes.starts_with(b"MM\0+") {
        // TIFF with offsets of eight bytes, which the reader decodes but does not tell by itself.
        reader.set_format(ImageFormat::Tiff);
    }
    let format = reader.format().ok_or_else(|| no_format(bytes))?;
    if format == ImageFormat::Jpeg && is_jpeg_cut_short(bytes) {
        return Err(cut_short());
    }
    let mut decoder_limits = image::Limits::no_limits();
    // The user's limit, where that is the lower one.
    let given = Some(limits.max_alloc_bytes).filter(|&bytes| bytes < MAX_METADATA_BYTES);
    decoder_limits.max_alloc = Some(given.unwrap_or(MAX_METADATA_BYTES));
    reader.limits(decoder_limits.clone());
    let mut decoder = reader
        .into_decoder()
        .map_err(|error| failed(error, given))?;
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let needed = needed_bytes(format, &decoder, orientation, bytes);
    check_size(decoder.dimensions(), needed, limits)?;
    // The limits of the reader were those for what is beside the pixels, and not all decoders heed them.
    decoder_limits.max_alloc = Some(limits.max_alloc_bytes);
    decoder
        .set_limits(decoder_limits)
        .map_err(|error| failed(error, Some(limits.max_alloc_bytes)))?;

    let ((width, height), color) = (decoder.dimensions(), decoder.color_type());
    let length = usize::try_from(decoder.total_bytes()).map_err(|_| unsupported())?;
    let mut pixels = vec![0; length];
    decoder
        .read_image(&mut pixels)
        .map_err(|error| failed(error, Some(limits.max_alloc_bytes)))?;
    let picture = into_rgb(pixels, color).and_then(|rgb| RgbImage::from_raw(width, height, rgb));
    let mut picture = DynamicImage::ImageRgb8(picture.ok_or_else(unsupported)?);
    picture.apply_orientation(orientation);
    Ok(picture.into_rgb8())
}

/// Most memory that is taken at once for the pixels, in bytes.
fn needed_bytes(
    format: ImageFormat,
    decoder: &impl ImageDecoder,
    orientation: Orientation,
    bytes: &[u8],
) -> u64 {
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width).saturating_mul(u64::from(height));
    let decoded = decoder.total_bytes();
    let beside = match format {
        // Decoded to memory of the decoder, then copied.
        ImageFormat::Tiff => decoded,
        // A frame or its planes, then the picture.
        ImageFormat::WebP => pixels.saturating_mul(4),
        ImageFormat::Jpeg => jpeg_coefficients(bytes).saturating_mul(2),
        _ => 0,
    };
    let rgb = pixels.saturating_mul(3);
    let turned = match orientation {
        Orientation::Rotate90
        | Orientation::Rotate270
        | Orientation::Rotate90FlipH
        | Orientation::Rotate270FlipH => rgb.saturating_mul(2),
        _ => rgb,
    };
    decoded.saturating_add(beside).max(turned)
}

/// Number of coefficients that a decoder must keep until all passes over a JPEG are read; 0 for one of a single pass.
fn jpeg_coefficients(bytes: &[u8]) -> u64 {
    let mut rest = bytes.get(2..).unwrap_or_default();
    let mut frame: Option<(bool, &[u8])> = None;
    loop {
        // Bytes of 255 may fill up before a marker.
        while rest.starts_with(&[0xff, 0xff]) {
            rest = &rest[1..];
        }
        let &[0xff, marker, high, low, ..] = rest else {
            return 0;
        };
        let length = usize::from(u16::from_be_bytes([high, low]));
        let segment = rest.get(4..2 + length).unwrap_or_default();
        match (marker, frame) {
            (0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf, _) => {
                frame = Some((marker & 3 == 2, segment));
            }
            (0xda, Some((is_progressive, frame))) => {
                let &[_, h1, h0, w1, w0, count, ref components @ ..] = frame else {
                    return 0;
                };
                if !is_progressive && segment.first() == Some(&count) {
                    return 0;
                }
                let samples = components.chunks_exact(3).map(|component| {
                    let (x, y) = (component[1] >> 4, component[1] & 15);
                    (u64::from(x), u64::from(y))
                });
                let widest = samples.clone().map(|(x, _)| x).max().unwrap_or(1).max(1);
                let tallest = samples.clone().map(|(_, y)| y).max().unwrap_or(1).max(1);
                let side = |high, low, most| {
                    u64::from(u16::from_be_bytes([high, low])).next_multiple_of(8 * most)
                };
                let area = side(w1, w0, widest) * side(h1, h0, tallest) / (widest * tallest);
                return samples.map(|(x, y)| area * x * y).sum();
            }
            (0xda, None) => return 0,
            _ => {}
        }
        rest = rest.get(2 + length..).unwrap_or_default();
    }
}

/// Holds the size in the header against the limits.
fn check_size((width, height): (u32, u32), needed_bytes: u64, limits: &Limits) -> Result<()> {
    if width == 0 || height == 0 {
        return Err(Error::new(
            ErrorKind::Decode,
            format!("is {width} x {height} px, it has no pixels"),
        )
        .with_hint("save the picture again"));
    }
    if width.max(height) > limits.max_side {
        let what = format!(
            "is {width} x {height} px, the limit is {} px a side",
            limits.max_side
        );
        return Err(exceeded(what, "--max-side"));
    }
    let pixels = u64::from(width) * u64::from(height);
    if pixels > limits.max_pixels {
        let what = format!("has {pixels} pixels, the limit is {}", limits.max_pixels);
        return Err(exceeded(what, "--max-pixels"));
    }
    if needed_bytes > limits.max_alloc_bytes {
        let what = format!(
            "needs {needed_bytes} bytes of memory, the limit is {}",
            limits.max_alloc_bytes
        );
        return Err(exceeded(what, "--max-alloc"));
    }
    Ok(())
}

/// The error of a picture that goes over a limit.
fn exceeded(what: String, flag: &str) -> Error {
    Error::new(ErrorKind::LimitExceeded, what)
        .with_hint(format!("crop or shrink the picture, or raise `{flag}`"))
}

/// The error of what has no format that is read: what it is, where that can be told.
fn no_format(bytes: &[u8]) -> Error {
    // Brands of ISO/IEC 23008-12, annex B.
    let brands = [
        b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1",
    ];
    let is_heif = bytes.get(4..8) == Some(b"ftyp")
        && brands.iter().any(|brand| bytes.get(8..12) == Some(*brand));
    if is_heif {
        return Error::new(
            ErrorKind::UnsupportedFormat,
            "is a HEIC photo, which img2fen does not read",
        )
        .with_hint("save or share it as JPEG; a screenshot of it does as well");
    }
    DocumentKind::of(bytes).map_or_else(unsupported, DocumentKind::is_no_picture)
}

fn unsupported() -> Error {
    Error::new(
        ErrorKind::UnsupportedFormat,
        "is in no format that img2fen reads",
    )
    .with_hint("save it as PNG, JPEG, WebP, GIF, BMP, TIFF or PNM")
}

/// The error of a decoder that was given the user's limit of memory in bytes, or else that of what is beside the pixels.
fn failed(error: ImageError, given: Option<u64>) -> Error {
    match (&error, given) {
        (ImageError::Unsupported(_), _) => unsupported().with_source(error),
        (ImageError::Limits(_), None) => {
            let what = format!("holds more than {MAX_METADATA_BYTES} bytes beside its pixels");
            Error::new(ErrorKind::LimitExceeded, what)
                .with_hint("save the picture again, without its metadata")
                .with_source(error)
        }
        (ImageError::Limits(_), Some(limit)) => {
            let what = format!("needs more memory than the limit of {limit} bytes");
            exceeded(what, "--max-alloc").with_source(error)
        }
        _ => cut_short().with_source(error),
    }
}

fn cut_short() -> Error {
    Error::new(ErrorKind::Decode, "is damaged or cut short")
        .with_hint("copy or save the picture again")
}

/// Whether the end of a JPEG's pixels is missing. The decoder fills such pictures up with grey and says nothing: squares
/// would be read that nobody has seen. Inside the coded pixels the end marker cannot occur (ITU-T T.81, B.1.1.5).
fn is_jpeg_cut_short(bytes: &[u8]) -> bool {
    const START_OF_SCAN: u8 = 0xDA;
    const END_OF_IMAGE: [u8; 2] = [0xFF, 0xD9];
    let mut at = 2;
    // Segments with a length each, among them previews, which are JPEGs of their own.
    while let Some(&[0xFF, marker, high, low]) = bytes.get(at..at + 4) {
        if marker == START_OF_SCAN {
            return !bytes[at..].windows(2).any(|pair| pair == END_OF_IMAGE);
        }
        at += match marker {
            0xFF => 1, // filling
            _ => 2 + usize::from(u16::from_be_bytes([high, low])),
        };
    }
    // Odd from the start: the decoder says what is wrong.
    false
}

/// RGB pixels of a picture, transparent parts laid over white.
pub(super) fn over_white(picture: &DynamicImage) -> RgbImage {
    let rgb = into_rgb(picture.as_bytes().to_vec(), picture.color());
    rgb.and_then(|rgb| RgbImage::from_raw(picture.width(), picture.height(), rgb))
        .unwrap_or_else(|| picture.to_rgb8())
}

/// Turns pixels as a decoder writes them (numbers in the machine's byte order) into RGB, transparent parts laid over
/// white; `None` for a kind of pixels that no decoder has yet.
fn into_rgb(pixels: Vec<u8>, color: ColorType) -> Option<Vec<u8>> {
    Some(match color {
        ColorType::L8 => converted(pixels, |[l]| [l; 3]),
        ColorType::La8 => converted(pixels, |[l, a]| laid_over_white([l; 3], a)),
        ColorType::Rgb8 => pixels,
        ColorType::Rgba8 => converted(pixels, |[r, g, b, a]| laid_over_white([r, g, b], a)),
        ColorType::L16 => converted(pixels, |l| [from_16(l); 3]),
        ColorType::La16 => converted(pixels, |[l0, l1, a0, a1]| {
            laid_over_white([from_16([l0, l1]); 3], from_16([a0, a1]))
        }),
        ColorType::Rgb16 => converted(pixels, |pixel: [u8; 6]| from_numbers(&pixel, from_16)),
        ColorType::Rgba16 => converted(pixels, |pixel: [u8; 8]| {
            let alpha = from_16([pixel[6], pixel[7]]);
            laid_over_white(from_numbers(&pixel, from_16), alpha)
        }),
        ColorType::Rgb32F => converted(pixels, |pixel: [u8; 12]| from_numbers(&pixel, from_float)),
        ColorType::Rgba32F => converted(pixels, |pixel: [u8; 16]| {
            let alpha = from_float([pixel[12], pixel[13], pixel[14], pixel[15]]);
            laid_over_white(from_numbers(&pixel, from_float), alpha)
        }),
        _ => return None,
    })
}

/// Three bytes for each pixel of `SIZE` bytes, in the same memory where they fit.
fn converted<const SIZE: usize>(
    mut pixels: Vec<u8>,
    rgb: impl Fn([u8; SIZE]) -> [u8; 3],
) -> Vec<u8> {
    if SIZE < 3 {
        let (whole, _) = pixels.as_chunks::<SIZE>();
        return whole.iter().flat_map(|&pixel| rgb(pixel)).collect();
    }
    let count = pixels.len() / SIZE;
    for index in 0..count {
        let mut pixel = [0; SIZE];
        pixel.copy_from_slice(&pixels[index * SIZE..(index + 1) * SIZE]);
        pixels[index * 3..index * 3 + 3].copy_from_slice(&rgb(pixel));
    }
    pixels.truncate(count * 3);
    pixels.shrink_to_fit();
    pixels
}

/// The first three numbers of a pixel, each of `SIZE` bytes.
fn from_numbers<const SIZE: usize>(pixel: &[u8], number: impl Fn([u8; SIZE]) -> u8) -> [u8; 3] {
    let (numbers, _) = pixel.as_chunks::<SIZE>();
    [numbers[0], numbers[1], numbers[2]].map(number)
}

fn from_16(number: [u8; 2]) -> u8 {
    ((u32::from(u16::from_ne_bytes(number)) + 128) / 257) as u8
}

fn from_float(number: [u8; 4]) -> u8 {
    (f32::from_ne_bytes(number).clamp(0.0, 1.0) * 255.0).round() as u8
}

fn laid_over_white(color: [u8; 3], opacity: u8) -> [u8; 3] {
    // Nearly all pixels of nearly all pictures, and nearly all of the rest.
    if opacity == 255 {
        return color;
    }
    if opacity == 0 {
        return [255; 3];
    }
    let opacity = u16::from(opacity);
    color.map(|value| {
        let mixed = u16::from(value) * opacity + 255 * (255 - opacity);
        ((mixed + 127) / 255) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{ImageFormat, Rgb, Rgba, RgbaImage};

    fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    fn kind_of(bytes: &[u8]) -> ErrorKind {
        decode(bytes, &Limits::default()).unwrap_err().kind()
    }

    #[test]
    fn every_lossless_format_keeps_its_pixels() {
        let picture = RgbImage::from_fn(5, 3, |x, y| Rgb([x as u8 * 50, y as u8 * 80, 7]));
        let dynamic = DynamicImage::ImageRgb8(picture.clone());
        for format in [
            ImageFormat::Png,
            ImageFormat::Bmp,
            ImageFormat::Tiff,
            ImageFormat::Pnm,
            ImageFormat::WebP,
        ] {
            assert_eq!(
                decode(&encoded(&dynamic, format), &Limits::default()).unwrap(),
                picture,
                "{format:?}"
            );
        }
    }

    #[test]
    fn what_needs_more_memory_than_allowed_before_its_size_is_known_names_the_limit() {
        let png = std::fs::read("testdata/screenshot.png").unwrap();
        for bytes in [1, 1000] {
            let limits = Limits {
                max_alloc_bytes: bytes,
                ..Limits::default()
            };
            let error = decode(&png, &limits).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::LimitExceeded);
            assert!(error.to_string().contains(&bytes.to_string()), "{error}");
            assert!(error.hint().unwrap().contains("--max-alloc"));
        }
        let beyond = |given| {
            let kind = image::error::LimitErrorKind::InsufficientMemory;
            let error = ImageError::Limits(image::error::LimitError::from_kind(kind));
            failed(error, given).hint().unwrap().contains("--max-alloc")
        };
        // A limit of the user that is as high as that of the metadata is still the user's.
        assert!(beyond(Some(MAX_METADATA_BYTES)));
        assert!(!beyond(None));
    }

    #[test]
    fn a_photo_in_the_format_of_phones_is_called_by_its_name() {
        let message = |bytes: &[u8]| decode(bytes, &Limits::default()).unwrap_err().to_string();
        let heic = "is a HEIC photo, which img2fen does not read";
        assert_eq!(message(b"\0\0\0\x18ftypheic\0\0\0\0"), heic);
        assert_eq!(message(b"\0\0\0\x18ftypmif1\0\0\0\0"), heic);
        let other = "is in no format that img2fen reads";
        assert_eq!(message(b"\0\0\0\x18ftypisom\0\0\0\0"), other);
        assert_eq!(message(b"\0\0\0\x18ftyp"), other);
    }

    #[test]
    fn only_a_document_is_told_as_one_whatever_its_name() {
        let hint = |bytes: &[u8]| {
            let error = decode(bytes, &Limits::default()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnsupportedFormat);
            (error.to_string(), error.hint().unwrap().contains("batch"))
        };
        let zeros = [0; 3000];
        assert_eq!(
            hint(&zeros),
            ("is in no format that img2fen reads".to_owned(), false)
        );
        assert_eq!(
            hint(b"junk\n%PDF-1.7"),
            ("is a PDF document, not a picture".to_owned(), true)
        );
        assert_eq!(
            hint(b"AT&TFORMxxxxDJVU"),
            ("is a DjVu document, not a picture".to_owned(), true)
        );
    }

    #[test]
    fn transparent_parts_are_white() {
        let picture =
            RgbaImage::from_fn(2, 1, |x, _| Rgba([0, 0, 0, if x == 0 { 0 } else { 128 }]));
        let decoded = decode(
            &encoded(&DynamicImage::ImageRgba8(picture), ImageFormat::Png),
            &Limits::default(),
        );
        assert_eq!(decoded.unwrap().into_raw(), [255, 255, 255, 127, 127, 127]);
    }

    #[test]
    fn every_kind_of_pixels_gives_the_same_grey_over_white() {
        let [l, a] = [51.0f32, 102.0].map(|value| value / 255.0);
        let sixteen = |value: f32| (value * 65_535.0) as u16;
        let bytes_16 = |values: &[f32]| -> Vec<u8> {
            values
                .iter()
                .flat_map(|&value| sixteen(value).to_ne_bytes())
                .collect()
        };
        let floats =
            |values: &[f32]| -> Vec<u8> { values.iter().flat_map(|v| v.to_ne_bytes()).collect() };
        // 51 at an opacity of 0.4 over white: 0.4 * 51 + 0.6 * 255.
        let mixed = 173;
        for (color, pixel, grey) in [
            (ColorType::L8, vec![51], 51),
            (ColorType::La8, vec![51, 102], mixed),
            (ColorType::Rgb8, vec![51; 3], 51),
            (ColorType::Rgba8, vec![51, 51, 51, 102], mixed),
            (ColorType::L16, bytes_16(&[l]), 51),
            (ColorType::La16, bytes_16(&[l, a]), mixed),
            (ColorType::Rgb16, bytes_16(&[l; 3]), 51),
            (ColorType::Rgba16, bytes_16(&[l, l, l, a]), mixed),
            (ColorType::Rgb32F, floats(&[l; 3]), 51),
            (ColorType::Rgba32F, floats(&[l, l, l, a]), mixed),
        ] {
            assert_eq!(
                pixel.len(),
                usize::from(color.bytes_per_pixel()),
                "{color:?}"
            );
            assert_eq!(
                into_rgb(pixel.repeat(5), color),
                Some(vec![grey; 15]),
                "{color:?}"
            );
        }
    }

    #[test]
    fn coefficients_of_a_jpeg_are_counted_when_it_has_several_passes() {
        // A frame of 17 x 9 px with a component sampled 2 x 2 and two sampled 1 x 1; a pass over `passed` of them.
        let jpeg = |marker: u8, passed: u8| {
            let mut bytes = vec![
                0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, marker, 0, 17, 8,
            ];
            bytes.extend([0, 9, 0, 17, 3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]);
            bytes.extend([0xff, 0xda, 0, 3, passed]);
            bytes
        };
        assert_eq!(jpeg_coefficients(&jpeg(0xc0, 3)), 0);
        // 32 x 16 and twice 16 x 8.
        assert_eq!(jpeg_coefficients(&jpeg(0xc0, 1)), 32 * 16 + 2 * 16 * 8);
        assert_eq!(jpeg_coefficients(&jpeg(0xc2, 3)), 32 * 16 + 2 * 16 * 8);
        for length in 0..jpeg(0xc2, 3).len() {
            let _ = jpeg_coefficients(&jpeg(0xc2, 3)[..length]);
        }
    }

    #[test]
    fn bytes_that_are_no_picture_are_named_as_such() {
        assert_eq!(kind_of(b""), ErrorKind::Decode);
        assert_eq!(kind_of(b"1. e4 e5 2. Nf3"), ErrorKind::UnsupportedFormat);
    }

    #[test]
    fn a_jpeg_that_ends_within_its_pixels_is_an_error_and_what_follows_its_end_does_not_matter() {
        let picture =
            DynamicImage::ImageRgb8(RgbImage::from_fn(40, 30, |x, y| Rgb([x as u8, y as u8, 9])));
        let mut bytes = encoded(&picture, ImageFormat::Jpeg);
        for length in [bytes.len() - 2, bytes.len() - 40, bytes.len() / 2 + 200] {
            let error = decode(&bytes[..length], &Limits::default()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Decode);
            assert!(error.to_string().contains("cut short"), "{error}");
        }
        bytes.extend(b"a film that belongs to the photo");
        assert_eq!(
            decode(&bytes, &Limits::default()).unwrap().dimensions(),
            (40, 30)
        );
    }

    #[test]
    fn every_truncation_of_a_picture_is_an_error_or_a_picture() {
        let picture =
            DynamicImage::ImageRgb8(RgbImage::from_fn(40, 30, |x, y| Rgb([x as u8, y as u8, 9])));
        for format in [
            ImageFormat::Png,
            ImageFormat::Jpeg,
            ImageFormat::Gif,
            ImageFormat::WebP,
            ImageFormat::Tiff,
        ] {
            let bytes = encoded(&picture, format);
            for length in 0..bytes.len() {
                let _ = decode(&bytes[..length], &Limits::default());
            }
        }
    }

    #[test]
    fn a_picture_just_over_a_limit_is_refused_with_limit_value_and_flag_and_one_just_under_is_read()
    {
        let bytes = encoded(
            &DynamicImage::ImageRgb8(RgbImage::new(30, 20)),
            ImageFormat::Png,
        );
        let limits = |max_side, max_pixels, max_alloc_bytes| Limits {
            max_side,
            max_pixels,
            max_alloc_bytes,
            ..Limits::default()
        };
        assert!(decode(&bytes, &limits(30, 600, 1800)).is_ok());
        for (refused, said, flag) in [
            (
                limits(29, 600, 1800),
                "is 30 x 20 px, the limit is 29 px a side",
                "--max-side",
            ),
            (
                limits(30, 599, 1800),
                "has 600 pixels, the limit is 599",
                "--max-pixels",
            ),
            (
                limits(30, 600, 1799),
                "needs 1800 bytes of memory, the limit is 1799",
                "--max-alloc",
            ),
        ] {
            let error = decode(&bytes, &refused).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::LimitExceeded);
            assert_eq!(error.to_string(), said);
            assert!(error.hint().unwrap().contains(flag));
        }
    }

    /// A JPEG with EXIF that says to turn it by 90 degrees.
    fn turned_jpeg(width: u32, height: u32) -> Vec<u8> {
        let jpeg = encoded(
            &DynamicImage::ImageRgb8(RgbImage::new(width, height)),
            ImageFormat::Jpeg,
        );
        let exif = b"\xff\xe1\0\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
        [&jpeg[..2], &exif[..], &jpeg[2..]].concat()
    }

    #[test]
    fn limits_hold_for_pictures_that_exif_turns() {
        let bytes = turned_jpeg(30, 20);
        assert_eq!(
            decode(&bytes, &Limits::default()).unwrap().dimensions(),
            (20, 30)
        );
        let limits = |max_side, max_alloc_bytes| Limits {
            max_side,
            max_alloc_bytes,
            ..Limits::default()
        };
        // The picture and its turned copy.
        assert!(decode(&bytes, &limits(30, 3600)).is_ok());
        for refused in [limits(29, 3600), limits(30, 3599)] {
            assert_eq!(
                decode(&bytes, &refused).unwrap_err().kind(),
                ErrorKind::LimitExceeded
            );
        }
    }
}
