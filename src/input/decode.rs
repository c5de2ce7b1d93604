//! Picture bytes to upright RGB pixels. The only caller of the picture decoders.
//!
//! The header is read first and held against [`Limits`]; pixels are decoded only when it fits. Of an animation or a
//! multi-page TIFF the first frame counts.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageError, ImageReader, RgbImage};

use super::Limits;
use crate::error::{Error, ErrorKind, Result};

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
    if reader.format().is_none() {
        return Err(unsupported());
    }
    let mut decoder_limits = image::Limits::default();
    decoder_limits.max_image_width = Some(limits.max_side);
    decoder_limits.max_image_height = Some(limits.max_side);
    decoder_limits.max_alloc = Some(limits.max_alloc_bytes);
    reader.limits(decoder_limits.clone());
    let mut decoder = reader.into_decoder().map_err(failed)?;
    check_size(&decoder, limits)?;
    // The limits of the reader do not reach a decoder that is taken out of it, so they are set again.
    decoder.set_limits(decoder_limits).map_err(failed)?;
    let orientation = decoder
        .orientation()
        .unwrap_or(image::metadata::Orientation::NoTransforms);
    let mut picture = DynamicImage::from_decoder(decoder).map_err(failed)?;
    picture.apply_orientation(orientation);
    Ok(over_white(&picture))
}

/// Holds the size in the header against the limits.
fn check_size(decoder: &impl ImageDecoder, limits: &Limits) -> Result<()> {
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(Error::new(
            ErrorKind::Decode,
            format!("is {width} x {height} px, it has no pixels"),
        )
        .with_hint("save the picture again"));
    }
    let exceeded = |what: String, flag: &str| {
        Error::new(ErrorKind::LimitExceeded, what)
            .with_hint(format!("crop or shrink the picture, or raise `{flag}`"))
    };
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
    if decoder.total_bytes() > limits.max_alloc_bytes {
        let what = format!(
            "needs {} bytes, the limit is {}",
            decoder.total_bytes(),
            limits.max_alloc_bytes
        );
        return Err(exceeded(what, "--max-alloc"));
    }
    Ok(())
}

fn unsupported() -> Error {
    Error::new(
        ErrorKind::UnsupportedFormat,
        "is not a picture that img2fen reads",
    )
    .with_hint("use PNG, JPEG, WebP, GIF, BMP, TIFF or PNM")
}

fn failed(error: ImageError) -> Error {
    match &error {
        ImageError::Unsupported(_) => unsupported().with_source(error),
        ImageError::Limits(_) => Error::new(ErrorKind::LimitExceeded, "is too large")
            .with_hint("crop or shrink the picture, or raise `--max-side` or `--max-alloc`")
            .with_source(error),
        _ => Error::new(ErrorKind::Decode, "is damaged or cut short")
            .with_hint("copy or save the picture again")
            .with_source(error),
    }
}

/// RGB pixels of a picture, transparent parts laid over white.
pub(super) fn over_white(picture: &DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.to_rgb8();
    }
    let rgba = picture.to_rgba8();
    let mut rgb = RgbImage::new(rgba.width(), rgba.height());
    for (source, target) in rgba.pixels().zip(rgb.pixels_mut()) {
        let opacity = u16::from(source.0[3]);
        for channel in 0..3 {
            let mixed = u16::from(source.0[channel]) * opacity + 255 * (255 - opacity);
            target.0[channel] = ((mixed + 127) / 255) as u8;
        }
    }
    rgb
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
    fn bytes_that_are_no_picture_are_named_as_such() {
        assert_eq!(kind_of(b""), ErrorKind::Decode);
        assert_eq!(kind_of(b"1. e4 e5 2. Nf3"), ErrorKind::UnsupportedFormat);
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
    fn a_picture_just_over_a_limit_is_refused_and_one_just_under_is_read() {
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
        assert!(decode(&bytes, &limits(30, 600, 1 << 20)).is_ok());
        for refused in [
            limits(29, 600, 1 << 20),
            limits(30, 599, 1 << 20),
            limits(30, 600, 1799),
        ] {
            assert_eq!(
                decode(&bytes, &refused).unwrap_err().kind(),
                ErrorKind::LimitExceeded
            );
        }
    }
}
