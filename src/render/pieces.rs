//! The drawings of the pieces, made for img2fen, and of the letters and digits along the edge.
//!
//! A piece is drawn in a box of 100 x 100, the size of its square; a letter or digit in a box of 9 x 11 with its
//! baseline at 11.

use std::fmt::Write;

use crate::position::{Color, Piece, Role};

/// Dots and balls: centre and radius.
type Circle = (f32, f32, f32);

struct Drawing {
    /// The silhouette, filled and outlined.
    body: &'static str,
    /// Circles of the silhouette.
    balls: &'static [Circle],
    /// A stroke that belongs to the silhouette: the cross of the king.
    stroke: &'static str,
    /// Lines on the body.
    lines: &'static str,
    /// Lines that only a filled black piece needs to show its shape.
    lines_on_black: &'static str,
    /// Eye and nostril of the knight.
    dots: &'static [Circle],
}

const PLAIN: Drawing = Drawing {
    body: "",
    balls: &[],
    stroke: "",
    lines: "",
    lines_on_black: "",
    dots: &[],
};

const PAWN: Drawing = Drawing {
    body: "M41.5 38A13.2 13.2 0 1 1 58.5 38L63 41.5Q65 43.5 63 45.5H58.5C58.5 57 63 65 71 71.5Q75 75 75.5 79.5H78V88H22\
           V79.5H24.5Q25 75 29 71.5C37 65 41.5 57 41.5 45.5H37Q35 43.5 37 41.5Z",
    lines: "M41.5 45.5H58.5M26 79.5H74",
    ..PLAIN
};

const KNIGHT: Drawing = Drawing {
    body: "M21 88V80H27C27 71 37 66 44 60C48 56.5 49 53 48.5 48C44 53.5 38 54.5 34.5 56C31 57.5 30.5 62 27 63.5\
           C21 65.5 14.5 60 15.5 53C16.5 47.5 23.5 42 26.5 34C28.5 28.5 31 24 35.5 20.5L34 9.5L43 15L48.5 8L52.5 16.5\
           C70 20 81 38 80.5 62C80.5 69 79.5 75 78.5 80H82V88Z",
    lines: "M27 80H78.5M54 25C66 30 72.5 45 71 70",
    dots: &[(33.5, 32.5, 3.0), (21.8, 54.5, 2.0)],
    ..PLAIN
};

const BISHOP: Drawing = Drawing {
    body: "M50 20C60 25 68 36 67.5 45.5C67 52 63 56.5 59.5 59.5L63.5 62Q65 64.5 63.5 67H59.5C60 71 62 73.5 66 75.5\
           C72 77 78 78 79 88H21C22 78 28 77 34 75.5C38 73.5 40 71 40.5 67H36.5Q35 64.5 36.5 62L40.5 59.5\
           C37 56.5 33 52 32.5 45.5C32 36 40 25 50 20Z",
    balls: &[(50.0, 14.5, 5.5)],
    lines: "M50 32V47M43 39H57M40.5 59.5H59.5M40.5 67H59.5",
    ..PLAIN
};

const ROOK: Drawing = Drawing {
    body: "M26 15H38V23H44V15H56V23H62V15H74V31L66 38L68 69L74 74V79.5H79V88H21V79.5H26V74L32 69L34 38L26 31Z",
    lines: "M34 38H66M32 69H68M26 79.5H74",
    ..PLAIN
};

const QUEEN: Drawing = Drawing {
    body: "M28 67L15 35L32 52L32.5 25L43.5 50L50 20L56.5 50L67.5 25L68 52L85 35L72 67C70 71 71 75 74 79H78V88H22V79H26\
           C29 75 30 71 28 67Z",
    balls: &[
        (14.0, 30.5, 5.0),
        (32.0, 20.0, 5.0),
        (50.0, 15.5, 5.0),
        (68.0, 20.0, 5.0),
        (86.0, 30.5, 5.0),
    ],
    lines: "M28.5 66C42 62 58 62 71.5 66M28 74.5C42 71 58 71 72 74.5M26 79.5H74",
    ..PLAIN
};

const KING: Drawing = Drawing {
    body: "M30.5 70C13 59 8 42 22 34.5C33 29 44.5 36 50 47C55.5 36 67 29 78 34.5C92 42 87 59 69.5 70L71 79H77V88H23V79\
           H29ZM50 47C43 36 43.5 28 50 23.5C56.5 28 57 36 50 47Z",
    stroke: "M50 23.5V7M42.5 13.5H57.5",
    lines: "M30.5 69.5C42 65.5 58 65.5 69.5 69.5M29 79H71M50 47V66.5",
    lines_on_black: "M50 47C44.5 36 33 29 22 34.5M50 47C55.5 36 67 29 78 34.5",
    ..PLAIN
};

const fn drawing(role: Role) -> &'static Drawing {
    match role {
        Role::Pawn => &PAWN,
        Role::Knight => &KNIGHT,
        Role::Bishop => &BISHOP,
        Role::Rook => &ROOK,
        Role::Queen => &QUEEN,
        Role::King => &KING,
    }
}

/// The piece as SVG elements. `halo` is the width of a white rim around it, which keeps hatching off print pieces.
pub(super) fn piece(piece: Piece, halo: f32) -> String {
    const INK: &str = "#1a1a1a";
    let (fill, detail) = match piece.color {
        Color::White => ("#fff", INK),
        Color::Black => ("#262626", "#f2f2f2"),
    };
    let drawing = drawing(piece.role);
    let mut svg = String::new();
    let mut silhouette = |fill: &str, ink: &str, extra: f32| {
        let _ = write!(
            svg,
            r#"<g fill="{fill}" stroke="{ink}" stroke-width="{}" stroke-linejoin="round" stroke-linecap="round">"#,
            4.0 + extra
        );
        if !drawing.stroke.is_empty() {
            let width = 5.0 + extra;
            let stroke = drawing.stroke;
            let _ = write!(
                svg,
                r#"<path d="{stroke}" fill="none" stroke-width="{width}"/>"#
            );
        }
        let _ = write!(svg, r#"<path d="{}"/>"#, drawing.body);
        for (x, y, radius) in drawing.balls {
            let _ = write!(svg, r#"<circle cx="{x}" cy="{y}" r="{radius}"/>"#);
        }
        svg.push_str("</g>");
    };
    if halo > 0.0 {
        silhouette("#fff", "#fff", 2.0 * halo);
    }
    silhouette(fill, INK, 0.0);
    let lines_on_black = match piece.color {
        Color::White => "",
        Color::Black => drawing.lines_on_black,
    };
    let _ = write!(
        svg,
        r#"<path d="{}{lines_on_black}" fill="none" stroke="{detail}" stroke-width="3" stroke-linecap="round"/>"#,
        drawing.lines
    );
    for (x, y, radius) in drawing.dots {
        let _ = write!(
            svg,
            r#"<circle cx="{x}" cy="{y}" r="{radius}" fill="{detail}"/>"#
        );
    }
    svg
}

/// The strokes of a letter `a` to `h` or a digit `1` to `8`; nothing for another character.
pub(super) const fn glyph(character: char) -> &'static str {
    match character {
        'a' => "M8 4V11M8 7.5A3.5 3.5 0 1 1 1 7.5A3.5 3.5 0 1 1 8 7.5",
        'b' => "M1 0V11M8 7.5A3.5 3.5 0 1 1 1 7.5A3.5 3.5 0 1 1 8 7.5",
        'c' => "M7.3 5.2A3.5 3.5 0 1 0 7.3 9.8",
        'd' => "M8 0V11M8 7.5A3.5 3.5 0 1 1 1 7.5A3.5 3.5 0 1 1 8 7.5",
        'e' => "M1 7.5H8A3.5 3.5 0 1 0 6.8 10.1",
        'f' => "M7.5 .6C4.8 -.4 3.5 1 3.5 3V11M1 4.5H6.8",
        'g' => "M8 4V11.2C8 14.6 4 15 1.5 13.6M8 7.5A3.5 3.5 0 1 1 1 7.5A3.5 3.5 0 1 1 8 7.5",
        'h' => "M1 0V11M1 7.5C1 3.2 8 3.2 8 7V11",
        '1' => "M2 2.5L5.2 0V11",
        '2' => "M1 3C1 -1 8 -1 8 3C8 5.5 4 7.5 1 11H8.2",
        '3' => {
            "M1.2 1.8C3 -.8 7.8 -.4 7.8 2.8C7.8 5 5.5 5.2 4 5.2C6 5.2 8.2 5.8 8.2 8C8.2 11.8 2.8 12 1 9"
        }
        '4' => "M6.5 11V0L1 7.8H8.8",
        '5' => "M7.8 0H2L1.5 5C4 3.2 8.2 4 8.2 7.3C8.2 11.5 3 12 1 9.3",
        '6' => "M7 .2C3 1.5 1 4.5 1 7.5A3.6 3.5 0 1 0 8.2 7.5C8.2 3.2 2.5 3 1.1 7",
        '7' => "M1 0H8.2C5.5 3.5 4 7 3.8 11",
        '8' => "M4.6 0A2.9 2.5 0 1 1 4.59 0ZM4.6 5A3.6 3 0 1 1 4.59 5Z",
        _ => "",
    }
}
