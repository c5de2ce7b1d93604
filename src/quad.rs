//! Four corners on a picture and the homography between two such quads.
//!
//! Coordinates are pixels of the upright picture, x to the right and y down, measured from the picture's outer top
//! left corner: the middle of the first pixel is at (0.5, 0.5), and a picture of width w ends at x = w.

use std::ops::Mul;

use serde::{Deserialize, Serialize};

/// A point `[x, y]` in pixels.
pub type Point = [f32; 2];

/// The corners of a board's 8 x 8 field, clockwise from its visual top left.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[Point; 4]", into = "[Point; 4]")]
pub struct Quad {
    /// Top left, top right, bottom right, bottom left as seen.
    pub corners: [Point; 4],
}

/// Corners that are read must lie somewhere: JSON holds numbers that are infinite in pixels, and cannot write them back.
impl TryFrom<[Point; 4]> for Quad {
    type Error = &'static str;

    fn try_from(corners: [Point; 4]) -> Result<Self, Self::Error> {
        if corners.iter().flatten().all(|value| value.is_finite()) {
            Ok(Self::new(corners))
        } else {
            Err("a corner is infinitely far away")
        }
    }
}

impl From<Quad> for [Point; 4] {
    fn from(quad: Quad) -> Self {
        quad.corners
    }
}

impl Quad {
    /// The quad with these corners, clockwise from the visual top left.
    #[must_use]
    pub fn new(corners: [Point; 4]) -> Self {
        Self { corners }
    }

    /// An upright rectangle.
    #[must_use]
    pub fn rectangle(left: f32, top: f32, right: f32, bottom: f32) -> Self {
        Self::new([[left, top], [right, top], [right, bottom], [left, bottom]])
    }

    /// The area in square pixels (shoelace formula); negative when the corners run anticlockwise.
    #[must_use]
    pub fn signed_area(&self) -> f32 {
        let edges = self.edges();
        edges
            .iter()
            .map(|[a, b]| a[0] * b[1] - b[0] * a[1])
            .sum::<f32>()
            / 2.0
    }

    /// The side in pixels of the square with the same area.
    #[must_use]
    pub fn side(&self) -> f32 {
        self.signed_area().abs().sqrt()
    }

    /// The mean of the corners.
    #[must_use]
    pub fn centre(&self) -> Point {
        [0, 1].map(|axis| self.corners.iter().map(|corner| corner[axis]).sum::<f32>() / 4.0)
    }

    /// The four edges, each from one corner to the next.
    #[must_use]
    pub fn edges(&self) -> [[Point; 2]; 4] {
        [0, 1, 2, 3].map(|index| [self.corners[index], self.corners[(index + 1) % 4]])
    }

    /// Whether the corners run clockwise around a convex field with finite coordinates.
    #[must_use]
    pub fn is_convex(&self) -> bool {
        let [a, b, c, d] = self.corners;
        [[a, b, c], [b, c, d], [c, d, a], [d, a, b]]
            .iter()
            .all(|[p, q, r]| {
                let cross = (q[0] - p[0]) * (r[1] - q[1]) - (q[1] - p[1]) * (r[0] - q[0]);
                cross.is_finite() && cross > 0.0
            })
    }

    /// The largest distance of a corner's coordinate from that of another quad's corner, in pixels, for the rotation
    /// of the corner order that fits best.
    #[must_use]
    pub fn corner_distance(&self, other: &Quad) -> f32 {
        (0..4)
            .map(|turn| {
                let turned = self.turned(turn);
                let pairs = turned.corners.iter().zip(&other.corners);
                pairs
                    .flat_map(|(a, b)| [(a[0] - b[0]).abs(), (a[1] - b[1]).abs()])
                    .fold(0.0, f32::max)
            })
            .fold(f32::INFINITY, f32::min)
    }

    /// The same field with the corner list starting `quarter_turns` corners later: what was the corner with that index
    /// becomes the top left one.
    #[must_use]
    pub fn turned(&self, quarter_turns: usize) -> Self {
        Self::new([0, 1, 2, 3].map(|index| self.corners[(index + quarter_turns) % 4]))
    }

    /// The corners in the order that starts at the visual top left and runs clockwise.
    #[must_use]
    pub fn from_visual_top_left(&self) -> Self {
        let mut quad = *self;
        if quad.signed_area() < 0.0 {
            quad.corners.reverse();
        }
        let sum = |corner: &Point| corner[0] + corner[1];
        let first = (0..4)
            .min_by(|&a, &b| sum(&quad.corners[a]).total_cmp(&sum(&quad.corners[b])))
            .unwrap_or(0);
        quad.turned(first)
    }

    /// The homography that takes this quad's corners to another's; `None` when either is degenerate.
    #[must_use]
    pub fn homography_to(&self, target: &Quad) -> Option<Homography> {
        if !(self.is_convex() && target.is_convex()) {
            return None;
        }
        let (from, to) = (self.unit_square_matrix(), target.unit_square_matrix());
        let matrix = product(&to, &adjugate(&from));
        let last = matrix[2][2];
        let homography = Homography(matrix.map(|row| row.map(|value| (value / last) as f32)));
        let values = homography.0.as_flattened();
        values
            .iter()
            .all(|value| value.is_finite())
            .then_some(homography)
    }

    /// The matrix that takes (0, 0), (1, 0), (1, 1), (0, 1) to the corners, in closed form (Heckbert 1989, "Fundamentals of
    /// Texture Mapping and Image Warping", section 2.2.3).
    fn unit_square_matrix(&self) -> Matrix {
        let [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] =
            self.corners.map(|corner| corner.map(f64::from));
        let (right_x, right_y) = (x1 - x2, y1 - y2);
        let (lower_x, lower_y) = (x3 - x2, y3 - y2);
        let (rest_x, rest_y) = (x0 - x1 + x2 - x3, y0 - y1 + y2 - y3);
        let area = right_x * lower_y - lower_x * right_y;
        let across = (rest_x * lower_y - lower_x * rest_y) / area;
        let down = (right_x * rest_y - rest_x * right_y) / area;
        [
            [x1 - x0 + across * x1, x3 - x0 + down * x3, x0],
            [y1 - y0 + across * y1, y3 - y0 + down * y3, y0],
            [across, down, 1.0],
        ]
    }

    /// The quad with each corner taken through a homography.
    #[must_use]
    pub fn projected(&self, homography: &Homography) -> Self {
        Self::new(self.corners.map(|[x, y]| {
            let (x, y) = *homography * (x, y);
            [x, y]
        }))
    }

    /// The centres of its 64 squares in pixels, row by row from the visual top left; none for a quad that is not convex.
    #[must_use]
    pub fn square_centres(&self) -> Vec<Point> {
        let field = Quad::rectangle(0.0, 0.0, 8.0, 8.0);
        let Some(homography) = field.homography_to(self) else {
            return Vec::new();
        };
        (0..64u8)
            .map(|square| {
                let (x, y) = (f32::from(square % 8) + 0.5, f32::from(square / 8) + 0.5);
                (homography * (x, y)).into()
            })
            .collect()
    }

    /// The quad of other squares than the own field's, from 0, 0 to 8, 8, along its perspective: `[left, top, right, bottom]` in
    /// squares. `None` when the quad is degenerate.
    #[must_use]
    pub fn of_squares(&self, [left, top, right, bottom]: [f32; 4]) -> Option<Self> {
        let field = Quad::rectangle(0.0, 0.0, 8.0, 8.0);
        let wanted = Quad::rectangle(left, top, right, bottom);
        Some(wanted.projected(&field.homography_to(self)?))
    }

    /// The quad grown about the field by `squares` squares on every side, along its own perspective.
    #[must_use]
    pub fn grown(&self, squares: f32) -> Option<Self> {
        self.of_squares([-squares, -squares, 8.0 + squares, 8.0 + squares])
    }
}

/// Rows of a 3 x 3 matrix.
type Matrix = [[f64; 3]; 3];

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    a.map(|row| {
        [0, 1, 2]
            .map(|column| row[0] * b[0][column] + row[1] * b[1][column] + row[2] * b[2][column])
    })
}

/// The inverse but for a factor, which a homography does not know.
fn adjugate(m: &Matrix) -> Matrix {
    let minor = |row: usize, column: usize| {
        let [(a, b), (c, d)] = [1, 2].map(|down| {
            let line = m[(row + down) % 3];
            (line[(column + 1) % 3], line[(column + 2) % 3])
        });
        a * d - b * c
    };
    [0, 1, 2].map(|row| [0, 1, 2].map(|column| minor(column, row)))
}

/// A map of the plane that keeps straight lines straight: `homography * (x, y)` is where a point comes to lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Homography([[f32; 3]; 3]);

impl Homography {
    /// The rows of its 3 x 3 matrix, scaled so that the last value is 1.
    #[must_use]
    pub fn matrix(&self) -> [[f32; 3]; 3] {
        self.0
    }
}

impl Mul<(f32, f32)> for Homography {
    type Output = (f32, f32);

    // Once for each pixel of a view: as a call into another crate it took longer than reading the pixel.
    #[inline]
    fn mul(self, (x, y): (f32, f32)) -> (f32, f32) {
        let [horizontal, vertical, depth] = self.0.map(|[a, b, c]| a * x + b * y + c);
        (horizontal / depth, vertical / depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_come_back_from_json_and_infinite_ones_are_refused() {
        let quad = Quad::new([[0.1, 2.0], [80.25, -3.5], [1e-7, 9e9], [5.0, 7.0]]);
        let text = serde_json::to_string(&quad).unwrap();
        assert_eq!(serde_json::from_str::<Quad>(&text).unwrap(), quad);
        for corner in ["1e39", "-1e300", "null", "\"1\""] {
            let text = format!("[[0,0],[1,{corner}],[1,1],[0,1]]");
            assert!(serde_json::from_str::<Quad>(&text).is_err(), "{text}");
        }
    }

    const TILTED: Quad = Quad {
        corners: [[10.0, 20.0], [110.0, 10.0], [120.0, 130.0], [5.0, 115.0]],
    };

    #[test]
    fn a_homography_takes_each_corner_to_its_partner() {
        let target = Quad::rectangle(0.0, 0.0, 8.0, 8.0);
        let there = TILTED.projected(&TILTED.homography_to(&target).unwrap());
        assert!(there.corner_distance(&target) < 1e-3);
        let back = target.projected(&target.homography_to(&TILTED).unwrap());
        assert!(back.corner_distance(&TILTED) < 1e-3);
    }

    #[test]
    fn degenerate_quads_have_no_homography() {
        let target = Quad::rectangle(0.0, 0.0, 8.0, 8.0);
        for corners in [
            [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]],
            [[0.0, 0.0], [8.0, 8.0], [8.0, 0.0], [0.0, 8.0]],
            [[f32::NAN, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0]],
        ] {
            assert!(Quad::new(corners).homography_to(&target).is_none());
        }
    }

    #[test]
    fn any_corner_order_is_brought_to_clockwise_from_the_top_left() {
        let expected = TILTED;
        for turn in 0..4 {
            assert_eq!(TILTED.turned(turn).from_visual_top_left(), expected);
            let mut reversed = TILTED.turned(turn);
            reversed.corners.reverse();
            assert_eq!(reversed.from_visual_top_left(), expected);
        }
    }

    #[test]
    fn the_centres_of_squares_run_row_by_row() {
        let centres = Quad::rectangle(100.0, 0.0, 180.0, 160.0).square_centres();
        assert_eq!(centres.len(), 64);
        for (index, expected) in [(0, [105.0, 10.0]), (1, [115.0, 10.0]), (63, [175.0, 150.0])] {
            let [x, y] = centres[index];
            assert!((x - expected[0]).abs() < 1e-3 && (y - expected[1]).abs() < 1e-3);
        }
        let mut reversed = TILTED;
        reversed.corners.reverse();
        assert!(reversed.square_centres().is_empty());
    }

    #[test]
    fn growing_by_a_square_moves_corners_by_an_eighth_of_the_side() {
        let grown = Quad::rectangle(80.0, 80.0, 160.0, 160.0)
            .grown(1.0)
            .unwrap();
        assert!(grown.corner_distance(&Quad::rectangle(70.0, 70.0, 170.0, 170.0)) < 1e-3);
    }
}
