//! Hostile and odd PDFs, made byte by byte.

use super::Made;
use super::pictures::zlib_of_zeros;

/// A PDF of these objects, numbered from 1; object 1 is the catalog. The cross-reference table is right.
fn pdf(objects: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        places.push(bytes.len());
        bytes.extend(format!("{} 0 obj\n", index + 1).bytes());
        bytes.extend(object);
        bytes.extend(b"\nendobj\n");
    }
    let start = bytes.len();
    bytes.extend(format!("xref\n0 {}\n0000000000 65535 f \n", places.len() + 1).bytes());
    for place in &places {
        bytes.extend(format!("{place:010} 00000 n \n").bytes());
    }
    let size = places.len() + 1;
    bytes.extend(
        format!("trailer << /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF")
            .bytes(),
    );
    bytes
}

fn stream(entries: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = format!("<< {entries} /Length {} >>\nstream\n", data.len()).into_bytes();
    bytes.extend(data);
    bytes.extend(b"\nendstream");
    bytes
}

/// A PDF of one page (object 3) with resources, content (object 4) and further objects (from 5).
fn page(size: &str, resources: &str, content: Vec<u8>, further: &[Vec<u8>]) -> Vec<u8> {
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        format!("<< /Type /Page /Parent 2 0 R /MediaBox [{size}] /Resources << {resources} >> /Contents 4 0 R >>").into_bytes(),
        content,
    ];
    objects.extend_from_slice(further);
    pdf(&objects, "")
}

const A4: &str = "0 0 595 842";

/// A page of A4 whose content is this text.
fn drawn(content: &str) -> Vec<u8> {
    page(A4, "", stream("", content.as_bytes()), &[])
}

/// A page that shows one picture with this dictionary.
fn pictured(entries: &str, data: &[u8]) -> Vec<u8> {
    let content = stream("", b"595 0 0 842 0 0 cm /P Do");
    let picture = stream(
        &format!(
            "/Type /XObject /Subtype /Image /BitsPerComponent 8 /ColorSpace /DeviceRGB {entries}"
        ),
        data,
    );
    page(A4, "/XObject << /P 5 0 R >>", content, &[picture])
}

/// All of them.
pub fn all() -> Vec<Made> {
    let mut made = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>| {
        made.push(Made {
            name: name.to_owned(),
            bytes,
        })
    };
    let catalog = b"<< /Type /Catalog /Pages 2 0 R >>".to_vec();
    let object = |text: &str| text.as_bytes().to_vec();

    add("empty-page.pdf", drawn(""));
    add("only-a-head.pdf", b"%PDF-1.7\n".to_vec());
    let whole = drawn("0 0 100 100 re f");
    for share in 1..8 {
        add(
            &format!("cut-at-{share}-eighths.pdf"),
            whole[..whole.len() * share / 8].to_vec(),
        );
    }
    // Page trees.
    add(
        "own-parent.pdf",
        pdf(
            &[
                catalog.clone(),
                object("<< /Type /Pages /Kids [2 0 R] /Count 1 >>"),
            ],
            "",
        ),
    );
    add(
        "tree-in-a-circle.pdf",
        pdf(
            &[
                catalog.clone(),
                object("<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 2 >>"),
                object("<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 /Parent 2 0 R >>"),
            ],
            "",
        ),
    );
    let mut fan = vec![catalog.clone()];
    for level in 2..40 {
        fan.push(
            format!(
                "<< /Type /Pages /Kids [{0} 0 R {0} 0 R {0} 0 R {0} 0 R] /Count 4 >>",
                level + 1
            )
            .into_bytes(),
        );
    }
    add("tree-that-multiplies.pdf", pdf(&fan, ""));
    let mut deep = vec![catalog.clone()];
    deep.extend((2..50_000).map(|level| {
        format!("<< /Type /Pages /Kids [{} 0 R] /Count 1 >>", level + 1).into_bytes()
    }));
    add("tree-50000-deep.pdf", pdf(&deep, ""));
    add("pages-missing.pdf", pdf(std::slice::from_ref(&catalog), ""));
    add(
        "count-too-large.pdf",
        pdf(
            &[
                catalog.clone(),
                object("<< /Type /Pages /Kids [] /Count 2147483647 >>"),
            ],
            "",
        ),
    );
    let kids: String = (3..6_003).map(|number| format!("{number} 0 R ")).collect();
    let mut many = vec![
        catalog.clone(),
        format!("<< /Type /Pages /Kids [{kids}] /Count 6000 >>").into_bytes(),
    ];
    many.resize(
        6_002,
        object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>"),
    );
    add("6000-pages.pdf", pdf(&many, ""));
    // Sizes.
    for (name, size) in [
        ("page-1000000000-wide.pdf", "0 0 1000000000 842"),
        ("page-without-area.pdf", "0 0 0 0"),
        ("page-turned-inside-out.pdf", "595 842 0 0"),
        ("page-of-a-hair.pdf", "0 0 0.0001 842"),
        ("page-of-no-number.pdf", "0 0 1e999 -1e999"),
        (
            "page-beyond-integers.pdf",
            "-99999999999999999999 0 99999999999999999999 9",
        ),
    ] {
        add(name, page(size, "", stream("", b"0 0 100 100 re f"), &[]));
    }
    add(
        "unit-of-a-million.pdf",
        pdf(
            &[
                catalog.clone(),
                object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
                object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /UserUnit 1000000 >>"),
            ],
            "",
        ),
    );
    // Encryption.
    let secret = "/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <0000000000000000000000000000000000000000000000000000000000000000> \
                  /U <1111111111111111111111111111111111111111111111111111111111111111> >> /ID [<00> <00>]";
    let simple = [
        catalog.clone(),
        object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
        object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>"),
    ];
    add("with-password.pdf", pdf(&simple, secret));
    add(
        "unknown-encryption.pdf",
        pdf(&simple, "/Encrypt << /Filter /Nobody /V 99 >>"),
    );
    // Cross references.
    add("earlier-table-is-itself.pdf", {
        let plain = pdf(&simple, "");
        let start = plain
            .windows(5)
            .rposition(|window| window == b"xref\n")
            .unwrap_or(0);
        pdf(&simple, &format!("/Prev {start}"))
    });
    let text = String::from_utf8_lossy(&whole).into_owned();
    add(
        "table-wrong.pdf",
        text.replace("00000 n", "00007 n")
            .replace("\n00000", "\n99999")
            .into_bytes(),
    );
    add(
        "start-wrong.pdf",
        text.replace("startxref\n", "startxref\n99999999")
            .into_bytes(),
    );
    add(
        "size-wrong.pdf",
        text.replace("/Size 5", "/Size 2147483647").into_bytes(),
    );
    add(
        "root-missing.pdf",
        text.replace("/Root 1 0 R", "").into_bytes(),
    );
    add(
        "objects-that-name-themselves.pdf",
        pdf(&[object("1 0 R"), object("2 0 R")], ""),
    );
    add(
        "length-is-itself.pdf",
        text.replace("/Length 16", "/Length 4 0 R").into_bytes(),
    );
    add(
        "compressed-objects-in-themselves.pdf",
        pdf(
            &[
                catalog.clone(),
                stream(
                    "/Type /ObjStm /N 2 /First 9 /Extends 2 0 R",
                    b"2 0 3 9 << /Type /Pages >>",
                ),
                stream(
                    "/Type /XRef /W [1 9 9] /Size 99999999 /Index [0 99999999]",
                    &[2; 100],
                ),
            ],
            "",
        ),
    );
    // Nesting.
    let nested = |open: &str, close: &str, count: usize| open.repeat(count) + &close.repeat(count);
    add(
        "arrays-in-arrays.pdf",
        drawn(&(nested("[", "]", 200_000) + " TJ")),
    );
    add(
        "dictionaries-in-dictionaries.pdf",
        drawn(&(nested("<</a", ">>", 200_000) + " BDC")),
    );
    add(
        "arrays-in-the-catalog.pdf",
        pdf(&[nested("[", "]", 200_000).into_bytes()], ""),
    );
    add(
        "strings-in-strings.pdf",
        drawn(&(nested("(", ")", 200_000) + " Tj")),
    );
    add(
        "states-in-states.pdf",
        drawn(&"q 0 0 100 100 re W n ".repeat(100_000)),
    );
    add("marks-in-marks.pdf", drawn(&"/a BMC ".repeat(200_000)));
    // Forms, patterns and masks that hold themselves.
    let form = |resources: &str, content: &[u8]| {
        stream(
            &format!(
                "/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << {resources} >>"
            ),
            content,
        )
    };
    let itself = "/XObject << /F 5 0 R >>";
    add(
        "form-in-itself.pdf",
        page(
            A4,
            itself,
            stream("", b"/F Do"),
            &[form(itself, b"/F Do /F Do")],
        ),
    );
    let mut forms: Vec<Vec<u8>> = Vec::new();
    for level in 5..35 {
        forms.push(form(
            &format!("/XObject << /F {} 0 R >>", level + 1),
            b"/F Do /F Do /F Do /F Do",
        ));
    }
    add(
        "forms-that-multiply.pdf",
        page(A4, itself, stream("", b"/F Do"), &forms),
    );
    let pattern = "/Pattern << /P 5 0 R >>";
    add(
        "pattern-in-itself.pdf",
        page(
            A4,
            pattern,
            stream("", b"/Pattern cs /P scn 0 0 595 842 re f"),
            &[stream(
                &format!(
                    "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << {pattern} >>"
                ),
                b"/Pattern cs /P scn 0 0 9 9 re f",
            )],
        ),
    );
    add(
        "pattern-of-tiny-steps.pdf",
        page(
            A4,
            pattern,
            stream("", b"/Pattern cs /P scn 0 0 595 842 re f"),
            &[stream(
                "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 0.00001 /YStep 0.00001 /Resources << >>",
                b"0 0 9 9 re f",
            )],
        ),
    );
    let mask = "/ExtGState << /G << /SMask << /S /Luminosity /G 5 0 R >> >> >>";
    add(
        "mask-in-itself.pdf",
        page(
            A4,
            mask,
            stream("", b"/G gs 0 0 595 842 re f"),
            &[stream(
                &format!(
                    "/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Group << /S /Transparency /CS /DeviceGray >> /Resources << {mask} >>"
                ),
                b"/G gs 0 0 595 842 re f",
            )],
        ),
    );
    let font = "/Font << /F 5 0 R >>";
    add("font-of-itself.pdf", page(A4, font, stream("", b"BT /F 99 Tf (aaaa) Tj ET"), &[
        format!("<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [9] /Encoding << /Differences [97 /a] >> /CharProcs << /a 6 0 R >> /Resources << {font} >> >>").into_bytes(),
        stream("", b"9 0 d0 BT /F 9 Tf (aaaa) Tj ET"),
    ]));
    add(
        "font-of-nonsense.pdf",
        page(
            A4,
            font,
            stream("", b"BT /F 99 Tf (aaaa) Tj ET"),
            &[
                object(
                    "<< /Type /Font /Subtype /TrueType /BaseFont /X /FontDescriptor << /Type /FontDescriptor /FontFile2 6 0 R >> >>",
                ),
                stream("", &[0xff; 9_999]),
            ],
        ),
    );
    add(
        "function-without-end.pdf",
        page(
            A4,
            "/Shading << /S << /ShadingType 1 /ColorSpace /DeviceGray /Function 5 0 R >> >>",
            stream("", b"/S sh"),
            &[stream(
                "/FunctionType 4 /Domain [0 1 0 1] /Range [0 1]",
                nested("{ 1 ", "} if", 20_000).as_bytes(),
            )],
        ),
    );
    add(
        "color-space-of-itself.pdf",
        page(
            A4,
            "/ColorSpace << /C 5 0 R >>",
            stream("", b"/C cs 0.5 scn 0 0 9 9 re f"),
            &[object("[/Indexed 5 0 R 255 <00>]")],
        ),
    );
    add(
        "function-of-itself.pdf",
        page(
            A4,
            "/Shading << /S << /ShadingType 2 /Coords [0 0 1 1] /ColorSpace /DeviceGray /Function 5 0 R >> >>",
            stream("", b"/S sh"),
            &[object(
                "<< /FunctionType 3 /Domain [0 1] /Functions [5 0 R 5 0 R] /Bounds [0.5] /Encode [0 1 0 1] >>",
            )],
        ),
    );
    // Bombs.
    let bomb = zlib_of_zeros(1_000_000_000);
    add(
        "content-bomb.pdf",
        page(A4, "", stream("/Filter /FlateDecode", &bomb), &[]),
    );
    add(
        "content-filtered-a-thousand-times.pdf",
        page(
            A4,
            "",
            stream(
                &format!("/Filter [{}]", "/FlateDecode ".repeat(1000)),
                &zlib_of_zeros(9),
            ),
            &[],
        ),
    );
    add(
        "picture-bomb.pdf",
        pictured("/Width 9999 /Height 9999 /Filter /FlateDecode", &bomb),
    );
    add(
        "picture-declared-65535.pdf",
        pictured("/Width 65535 /Height 65535", b"abc"),
    );
    add(
        "picture-declared-2147483647.pdf",
        pictured("/Width 2147483647 /Height 2147483647", b"abc"),
    );
    add(
        "picture-of-no-pixels.pdf",
        pictured("/Width 0 /Height 0", b"abc"),
    );
    add(
        "picture-of-minus-one.pdf",
        pictured("/Width -1 /Height -1", b"abc"),
    );
    add(
        "picture-predictor.pdf",
        pictured(
            "/Width 9 /Height 9 /Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 2147483647 /Colors 2147483647 >>",
            &zlib_of_zeros(9_999),
        ),
    );
    for filter in [
        "JPXDecode",
        "JBIG2Decode",
        "DCTDecode",
        "CCITTFaxDecode",
        "LZWDecode",
        "RunLengthDecode",
        "ASCII85Decode",
        "ASCIIHexDecode",
    ] {
        add(
            &format!("nonsense-for-{filter}.pdf"),
            pictured(
                &format!("/Width 999 /Height 999 /Filter /{filter}"),
                &[0x5a; 9_999],
            ),
        );
    }
    add(
        "fax-of-a-billion-columns.pdf",
        pictured(
            "/Width 999 /Height 999 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 1000000000 /Rows 1000000000 >>",
            &[0; 9_999],
        ),
    );
    add(
        "picture-masked-by-itself.pdf",
        pictured("/Width 9 /Height 9 /SMask 5 0 R", &[7; 243]),
    );
    // Numbers.
    add(
        "dash-of-hairs.pdf",
        drawn("[0.000001] 0 d 0 0 m 595 842 l S"),
    );
    add(
        "line-of-a-billion.pdf",
        drawn("1000000000 w 0 0 m 1e30 1e30 l S 1e38 0 0 1e38 0 0 cm 0 0 9 9 re f"),
    );
    add(
        "numbers-of-a-million-digits.pdf",
        drawn(&format!("{} w 0 0 m 9 9 l S", "9".repeat(1_000_000))),
    );
    add(
        "curves-of-nowhere.pdf",
        drawn(&"0 0 m 1e30 -1e30 1e-30 1e30 0 0 c S ".repeat(2_000)),
    );
    made
}
