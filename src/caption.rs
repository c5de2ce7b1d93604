//! What is printed beside a diagram: its number and whose move it is.
//!
//! Enters: the lines of text of a page with their places, or the pixels around a board. Leaves: a [`Caption`] for each
//! board. Only forms that say it plainly are taken; "White wins" or "mate in two" tell nobody's turn for sure, and a
//! line that names both sides is not used. What is not read here stays assumed.

use image::RgbImage;

use crate::position::Color;
use crate::quad::Quad;

/// A piece of text on a page; the edges are in pixels from the page's top left corner.
#[derive(Debug, Clone, PartialEq)]
pub struct Text<'a> {
    /// The characters from left to right.
    pub text: &'a str,
    /// Left edge.
    pub left: f32,
    /// Top edge.
    pub top: f32,
    /// Right edge.
    pub right: f32,
    /// Bottom edge.
    pub bottom: f32,
}

/// What the text beside a diagram says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caption {
    /// The number of the diagram.
    pub number: Option<u32>,
    /// The side to move, with the words that say so.
    pub turn: Option<(Color, String)>,
}

/// Words for the side to move: a name of the side beside one of these makes "White to move".
struct Language {
    /// Names of White in the forms that stand with `to_move`.
    white: &'static [&'static str],
    /// Names of Black in the forms that stand with `to_move`.
    black: &'static [&'static str],
    /// What follows the name.
    after: &'static [&'static str],
    /// What goes before the name.
    before: &'static [&'static str],
}

/// English, German, Danish, Spanish, Swedish, Polish, French and Russian.
const LANGUAGES: [Language; 8] = [
    Language {
        white: &["white"],
        black: &["black"],
        after: &[
            "to move",
            "to play",
            "moves",
            "plays",
            "on move",
            "on the move",
            "has the move",
            "is to move",
            "is to play",
        ],
        before: &["move by", "to move", "to play", "side to move"],
    },
    Language {
        white: &["weiß", "weiss", "weißer", "weisser"],
        black: &["schwarz", "schwarzer"],
        after: &[
            "am zug",
            "am zuge",
            "zieht",
            "ist am zug",
            "ist am zuge",
            "beginnt",
            "an der reihe",
        ],
        before: &["am zug", "am zuge", "es zieht", "zug"],
    },
    Language {
        white: &["hvid", "hvids"],
        black: &["sort", "sorts"],
        after: &[
            "trækker",
            "i trækket",
            "er i trækket",
            "har trækket",
            "skal trække",
            "begynder",
            "i træk",
            "træk",
        ],
        before: &["i trækket", "træk"],
    },
    Language {
        white: &["blancas", "blanco", "las blancas", "el blanco"],
        black: &["negras", "negro", "las negras", "el negro"],
        after: &["juegan", "juega", "mueven", "mueve", "en turno", "al turno"],
        before: &[
            "juegan",
            "juega",
            "mueven",
            "mueve",
            "turno de",
            "turno",
            "le toca a",
        ],
    },
    Language {
        white: &["vit", "vits"],
        black: &["svart", "svarts"],
        after: &[
            "vid draget",
            "är vid draget",
            "drar",
            "flyttar",
            "i draget",
            "börjar",
            "drag",
            "att dra",
        ],
        before: &["vid draget", "drag"],
    },
    Language {
        white: &["białe", "biale", "białych", "bialych", "biały"],
        black: &["czarne", "czarnych", "czarny"],
        after: &[
            "zaczynają",
            "zaczynaja",
            "na posunięciu",
            "na posunieciu",
            "na ruchu",
            "grają",
            "graja",
            "ruszają",
            "mają ruch",
            "zaczyna",
        ],
        before: &[
            "ruch",
            "posunięcie",
            "na posunięciu",
            "zaczynają",
            "grają",
            "na ruchu",
        ],
    },
    Language {
        white: &["blancs", "les blancs", "aux blancs", "blanc", "des blancs"],
        black: &["noirs", "les noirs", "aux noirs", "noir", "des noirs"],
        after: &[
            "jouent",
            "au trait",
            "ont le trait",
            "commencent",
            "à jouer",
            "a jouer",
            "joue",
        ],
        before: &["trait", "au trait", "le trait est", "trait :", "coup"],
    },
    Language {
        white: &["белые", "белых", "белым"],
        black: &["чёрные", "черные", "чёрных", "черных", "чёрным", "черным"],
        after: &["начинают", "ходят", "на ходу", "на очереди", "ход"],
        before: &["ход", "очередь", "начинают", "ходят", "на ходу"],
    },
];

/// The side to move that a line of text names; `None` when it names none, or both.
///
/// ```
/// use img2fen::{Color, caption::side_to_move};
///
/// assert_eq!(side_to_move("12. Weiß am Zug"), Some(Color::White));
/// assert_eq!(side_to_move("Ход чёрных"), Some(Color::Black));
/// // Two sides named: it does not guess.
/// assert_eq!(side_to_move("White to move, Black to win"), None);
/// assert_eq!(side_to_move("White mates in two"), None);
/// ```
#[must_use]
pub fn side_to_move(text: &str) -> Option<Color> {
    let words = words_of(text);
    let found = |colour: Color| {
        LANGUAGES
            .iter()
            .any(|language| says(&words, language, colour))
    };
    match (found(Color::White), found(Color::Black)) {
        (true, false) => Some(Color::White),
        (false, true) => Some(Color::Black),
        _ => None,
    }
}

fn says(words: &[String], language: &Language, colour: Color) -> bool {
    let names = match colour {
        Color::White => language.white,
        Color::Black => language.black,
    };
    names.iter().any(|name| {
        let name: Vec<&str> = name.split(' ').collect();
        let joined = |phrase: &str, before: bool| {
            let phrase: Vec<&str> = phrase.split(' ').filter(|word| *word != ":").collect();
            let wanted: Vec<&str> = if before {
                [phrase.as_slice(), &name].concat()
            } else {
                [name.as_slice(), &phrase].concat()
            };
            words.windows(wanted.len()).any(|window| {
                window
                    .iter()
                    .zip(&wanted)
                    .all(|(word, wanted)| word == wanted)
            })
        };
        language.after.iter().any(|phrase| joined(phrase, false))
            || language.before.iter().any(|phrase| joined(phrase, true))
    })
}

/// Small letters, split at everything that is no letter, mark or digit.
fn words_of(text: &str) -> Vec<String> {
    // Letters that a PDF writes as letter and accent are put together, so that they meet the forms above.
    let composed = compose(&text.to_lowercase());
    composed
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Joins the combining accents that occur in the eight languages with their letters, and takes ligatures apart.
fn compose(text: &str) -> String {
    let mut composed = String::with_capacity(text.len());
    for character in text.chars() {
        let joined = match (composed.chars().last(), character) {
            (Some('a'), '\u{328}') => Some('ą'),
            (Some('e'), '\u{328}') => Some('ę'),
            (Some('a'), '\u{308}') => Some('ä'),
            (Some('o'), '\u{308}') => Some('ö'),
            (Some('u'), '\u{308}') => Some('ü'),
            (Some('е'), '\u{308}') => Some('ё'),
            (Some('a'), '\u{30a}') => Some('å'),
            (Some('a'), '\u{300}') => Some('à'),
            (Some('e'), '\u{301}') => Some('é'),
            _ => None,
        };
        match (joined, character) {
            (Some(joined), _) => {
                composed.pop();
                composed.push(joined);
            }
            (None, '\u{ad}') => {}
            (None, 'ﬁ') => composed.push_str("fi"),
            (None, 'ﬂ') => composed.push_str("fl"),
            (None, other) => composed.push(other),
        }
    }
    composed
}

/// Words that announce the number of a diagram.
const NUMBER_WORDS: [&str; 24] = [
    "diagram",
    "diagramm",
    "diagrama",
    "diagramme",
    "diagr",
    "diag",
    "dia",
    "no",
    "nr",
    "nº",
    "n°",
    "n",
    "num",
    "fig",
    "figure",
    "position",
    "stellung",
    "stilling",
    "ställning",
    "problem",
    "puzzle",
    "exercise",
    "диаграмма",
    "№",
];

/// The number of a diagram that a line gives: alone (`17`, `17.`, `(17)`, `#17`), after a word (`Diagram 17`, `Nr. 17`,
/// `№ 17`), or at the start before the side to move (`17. White to move`).
///
/// ```
/// use img2fen::caption::diagram_number;
///
/// assert_eq!(diagram_number("Diagram 17"), Some(17));
/// assert_eq!(diagram_number("(17)"), Some(17));
/// assert_eq!(diagram_number("17. Weiß am Zug"), Some(17));
/// assert_eq!(diagram_number("after 17. Nf3 the knight"), None);
/// ```
#[must_use]
pub fn diagram_number(text: &str) -> Option<u32> {
    let number = |word: &str| -> Option<u32> {
        let digits = word.trim_matches(|c: char| !c.is_ascii_digit());
        (!digits.is_empty() && digits.len() <= 4 && !word.contains(char::is_alphabetic))
            .then(|| digits.parse().ok())?
    };
    let spaced = text.replace(['№', '#'], " № ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    match words[..] {
        [] => None,
        [only] => number(only),
        ["№", only] => number(only),
        [first, ..] => {
            let announced = words.windows(2).find_map(|pair| {
                let word = pair[0].trim_end_matches(['.', ':']).to_lowercase();
                NUMBER_WORDS
                    .contains(&word.as_str())
                    .then(|| number(pair[1]))
                    .flatten()
            });
            announced.or_else(|| side_to_move(text).and_then(|_| number(first)))
        }
    }
}

/// The caption of each board of a page, from the page's lines of text.
///
/// A line belongs to the board it is nearest to, when it stands above or below it, over or under its width, within 1.5
/// squares (1 line of print and its spacing at the usual sizes), or beside it within one square. Lines inside a board
/// are pieces and coordinates of a chess font. When lines near a board name both sides, nothing is read from them.
#[must_use]
pub fn captions(boards: &[Quad], lines: &[Text<'_>]) -> Vec<Caption> {
    let mut near: Vec<Vec<(f32, &Text<'_>)>> = vec![Vec::new(); boards.len()];
    for line in lines {
        let distances = boards.iter().map(|quad| distance(quad, line));
        let nearest = distances
            .enumerate()
            .filter_map(|(index, distance)| Some((index, distance?)));
        if let Some((index, distance)) = nearest.min_by(|a, b| a.1.total_cmp(&b.1)) {
            near[index].push((distance, line));
        }
    }
    near.into_iter()
        .map(|mut lines| {
            lines.sort_by(|a, b| a.0.total_cmp(&b.0));
            let turns: Vec<(Color, String)> = lines
                .iter()
                .filter_map(|(_, line)| {
                    side_to_move(line.text).map(|turn| (turn, line.text.trim().to_owned()))
                })
                .collect();
            let agreed = turns.windows(2).all(|pair| pair[0].0 == pair[1].0);
            Caption {
                number: lines.iter().find_map(|(_, line)| diagram_number(line.text)),
                turn: if agreed {
                    turns.into_iter().next()
                } else {
                    None
                },
            }
        })
        .collect()
}

/// How far a line is from a board it could belong to, in squares; `None` when it is too far or inside.
fn distance(quad: &Quad, line: &Text<'_>) -> Option<f32> {
    let square = quad.side() / 8.0;
    let (left, top, right, bottom) = bounds(quad);
    let middle = (
        (line.left + line.right) / 2.0,
        (line.top + line.bottom) / 2.0,
    );
    let inside = middle.0 > left && middle.0 < right && middle.1 > top && middle.1 < bottom;
    if inside || square <= 0.0 {
        return None;
    }
    // A column of running text is wider than the board it flows around.
    let is_narrow = line.right - line.left < 1.3 * (right - left);
    let over = middle.0 > left - square && middle.0 < right + square;
    let beside = middle.1 > top - square && middle.1 < bottom + square;
    let above = top - line.bottom;
    let below = line.top - bottom;
    let aside = (left - line.right).max(line.left - right);
    if over && is_narrow && above.max(below) >= -0.5 * square {
        let away = above.max(below).max(0.0) / square;
        // Edge coordinates and a line's spacing lie between; 2 squares reach the first line beyond them.
        return (away < 2.0).then_some(away);
    }
    if beside && is_narrow && aside >= -0.1 * square {
        let away = aside.max(0.0) / square;
        return (away < 1.0).then_some(away);
    }
    None
}

/// The side to move by the marker that many books print left or right of a diagram: an empty square, circle or triangle
/// for White, a filled one for Black. Gives the marker's name too.
///
/// Only a marker that stands alone in its margin is believed: 0.22 to 0.8 squares large, as wide as high, convex, and
/// either filled or an outline of even thickness around one hole. Letters and digits fail one of these.
#[must_use]
pub fn printed_marker(
    page: &RgbImage,
    quad: &Quad,
    boards: &[Quad],
) -> Option<(Color, &'static str)> {
    let square = quad.side() / 8.0;
    let (left, top, right, bottom) = bounds(quad);
    let is_upright = (right - left) * (bottom - top) < 1.08 * quad.signed_area();
    if !is_upright || square < 8.0 {
        return None;
    }
    let found = [
        (left - 1.5 * square, left - 0.12 * square),
        (right + 0.12 * square, right + 1.5 * square),
    ]
    .map(|(from, to)| {
        let margin = Quad::rectangle(from, top - 0.2 * square, to, bottom + 0.2 * square);
        let is_free = boards.iter().all(|other| {
            let (l, t, r, b) = bounds(other);
            other == quad
                || to <= l
                || from >= r
                || margin.corners[0][1] >= b
                || margin.corners[2][1] <= t
        });
        if is_free {
            marker_in(page, &margin, square)
        } else {
            None
        }
    });
    match found {
        [Some(marker), None] | [None, Some(marker)] => Some(marker),
        _ => None,
    }
}

/// Left, top, right and bottom of a quad.
fn bounds(quad: &Quad) -> (f32, f32, f32, f32) {
    let limit = |axis: usize, start: f32, choose: fn(f32, f32) -> f32| {
        quad.corners
            .iter()
            .map(|corner| corner[axis])
            .fold(start, choose)
    };
    let (low, high) = (f32::INFINITY, f32::NEG_INFINITY);
    (
        limit(0, low, f32::min),
        limit(1, low, f32::min),
        limit(0, high, f32::max),
        limit(1, high, f32::max),
    )
}

/// The one marker in a margin, if there is nothing else of its size.
fn marker_in(page: &RgbImage, margin: &Quad, square: f32) -> Option<(Color, &'static str)> {
    let (left, top, right, bottom) = bounds(margin);
    let x0 = left.max(0.0) as u32;
    let y0 = top.max(0.0) as u32;
    let (x1, y1) = (
        (right.max(0.0) as u32).min(page.width()),
        (bottom.max(0.0) as u32).min(page.height()),
    );
    if x1 <= x0 || y1 <= y0 {
        return None;
    }
    let (width, height) = ((x1 - x0) as usize, (y1 - y0) as usize);
    let grey: Vec<u8> = (0..height * width)
        .map(|index| {
            let [r, g, b] = page
                .get_pixel(x0 + (index % width) as u32, y0 + (index / width) as u32)
                .0
                .map(u16::from);
            ((r + 2 * g + b) / 4) as u8
        })
        .collect();
    let mut sorted = grey.clone();
    sorted.sort_unstable();
    let paper = sorted[sorted.len() * 9 / 10];
    // Print is darker than half of the paper; stains and shadows are not.
    let ink: Vec<bool> = grey.iter().map(|&value| value < paper / 2).collect();
    let mut seen = vec![false; ink.len()];
    let mut only = None;
    for start in 0..ink.len() {
        if !ink[start] || seen[start] {
            continue;
        }
        let component = flood(start, width, height, &mut seen, |index| ink[index]);
        let shape = Shape::new(&component, width);
        let size = shape.width.max(shape.height) as f32 / square;
        // Specks are smaller than any print that could be part of a letter.
        if size < 0.1 {
            continue;
        }
        if only.replace(shape).is_some() {
            return None;
        }
    }
    let shape = only?;
    let (wide, high) = (shape.width as f32 / square, shape.height as f32 / square);
    let fits = |side: f32| (0.22..=0.8).contains(&side);
    let touches_edge = shape.left == 0
        || shape.top == 0
        || shape.left + shape.width == width
        || shape.top + shape.height == height;
    if !fits(wide) || !fits(high) || !(0.8..=1.25).contains(&(wide / high)) || touches_edge {
        return None;
    }
    shape.marker()
}

/// Indices of the pixels connected to `start` (4-neighbourhood) for which `inside` holds.
fn flood(
    start: usize,
    width: usize,
    height: usize,
    seen: &mut [bool],
    inside: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut component = Vec::new();
    let mut open = vec![start];
    seen[start] = true;
    while let Some(index) = open.pop() {
        component.push(index);
        let (x, y) = (index % width, index / width);
        let neighbours = [
            (x > 0).then(|| index - 1),
            (x + 1 < width).then(|| index + 1),
            (y > 0).then(|| index - width),
            (y + 1 < height).then(|| index + width),
        ];
        for next in neighbours.into_iter().flatten() {
            if !seen[next] && inside(next) {
                seen[next] = true;
                open.push(next);
            }
        }
    }
    component
}

/// A connected piece of print in its bounding box.
struct Shape {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    ink: Vec<bool>,
}

impl Shape {
    fn new(component: &[usize], stride: usize) -> Self {
        let xs = || component.iter().map(|index| index % stride);
        let ys = || component.iter().map(|index| index / stride);
        let (left, top) = (xs().min().unwrap_or(0), ys().min().unwrap_or(0));
        let width = xs().max().unwrap_or(0) + 1 - left;
        let height = ys().max().unwrap_or(0) + 1 - top;
        let mut ink = vec![false; width * height];
        for index in component {
            ink[(index / stride - top) * width + index % stride - left] = true;
        }
        Self {
            left,
            top,
            width,
            height,
            ink,
        }
    }

    fn marker(&self) -> Option<(Color, &'static str)> {
        // The holes are what the background outside the shape does not reach.
        let mut seen = vec![false; self.ink.len()];
        let is_edge = |index: usize| {
            let (x, y) = (index % self.width, index / self.width);
            x == 0 || y == 0 || x + 1 == self.width || y + 1 == self.height
        };
        for start in (0..self.ink.len()).filter(|&index| is_edge(index)) {
            if !self.ink[start] && !seen[start] {
                flood(start, self.width, self.height, &mut seen, |index| {
                    !self.ink[index]
                });
            }
        }
        let mut holes = Vec::new();
        for start in 0..self.ink.len() {
            if !self.ink[start] && !seen[start] {
                let hole = flood(start, self.width, self.height, &mut seen, |index| {
                    !self.ink[index]
                });
                // Pinholes in the print do not count.
                if hole.len() * 50 > self.ink.len() {
                    holes.push(hole);
                }
            }
        }
        let ink = self.ink.iter().filter(|&&ink| ink).count();
        let area = ink + holes.iter().map(Vec::len).sum::<usize>();
        // Every row from its first to its last pixel: equal to the area when the rows have no gaps.
        let extents: Vec<usize> = (0..self.height)
            .map(|row| {
                let row = &self.ink[row * self.width..(row + 1) * self.width];
                let first = row.iter().position(|&ink| ink).unwrap_or(0);
                row.iter()
                    .rposition(|&ink| ink)
                    .map_or(0, |last| last + 1 - first)
            })
            .collect();
        if extents.iter().sum::<usize>() as f32 > 1.06 * area as f32 {
            return None;
        }
        let share = area as f32 / self.ink.len() as f32;
        let third = |from: usize| {
            extents[from * self.height / 3..(from + 1) * self.height / 3]
                .iter()
                .sum::<usize>() as f32
        };
        let widest_end = third(0).max(third(2)) / third(0).min(third(2)).max(1.0);
        let name = match share {
            _ if share > 0.9 => "square",
            _ if share > 0.7 && share < 0.86 && widest_end < 1.2 => "circle",
            _ if share > 0.4 && share < 0.65 && widest_end > 2.0 => "triangle",
            _ => return None,
        };
        match holes.as_slice() {
            [] if ink * 100 >= area * 94 => Some((Color::Black, filled(name))),
            [hole] if ink * 100 <= area * 70 && (name == "triangle" || self.is_even(hole)) => {
                Some((Color::White, empty(name)))
            }
            _ => None,
        }
    }

    /// Whether the outline around a hole is about as thick on every side; that of a letter is not.
    fn is_even(&self, hole: &[usize]) -> bool {
        let inner = Shape::new(hole, self.width);
        let sides = [
            inner.left,
            inner.top,
            self.width - inner.left - inner.width,
            self.height - inner.top - inner.height,
        ];
        let (thin, thick) = (
            sides.iter().min().unwrap_or(&0),
            sides.iter().max().unwrap_or(&0),
        );
        *thick <= thin + 1 || *thick * 10 <= *thin * 15
    }
}

fn filled(name: &str) -> &'static str {
    match name {
        "square" => "filled square",
        "circle" => "filled circle",
        _ => "filled triangle",
    }
}

fn empty(name: &str) -> &'static str {
    match name {
        "square" => "empty square",
        "circle" => "empty circle",
        _ => "empty triangle",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_forms_of_eight_languages_are_read() {
        for (white, black) in [
            ("White to move", "Black to move"),
            ("WHITE TO PLAY", "BLACK TO PLAY"),
            ("White to play and win", "Black to play and draw"),
            ("To move: White", "To move: Black"),
            ("Weiß am Zug", "Schwarz am Zug"),
            ("Weiss am Zuge gewinnt", "Schwarz am Zuge gewinnt"),
            ("Weiß zieht und gewinnt", "Schwarz zieht und hält remis"),
            ("WEISS AM ZUG", "SCHWARZ AM ZUG"),
            ("Hvid trækker", "Sort trækker"),
            ("Hvid i trækket", "Sort er i trækket"),
            ("Las blancas juegan", "Las negras juegan"),
            ("Juegan blancas", "Juegan las negras"),
            ("Blancas juegan y ganan", "Negras juegan y ganan"),
            ("Mueven las blancas", "Mueven las negras"),
            ("Vit vid draget", "Svart vid draget"),
            ("Vit drar", "Svart drar"),
            ("Białe zaczynają", "Czarne zaczynają"),
            ("Białe na posunięciu", "Czarne na posunięciu"),
            ("Ruch białych", "Ruch czarnych"),
            ("Biale zaczynaja", "Czarne zaczynaja i wygrywaja"),
            ("Trait aux blancs", "Trait aux noirs"),
            ("Trait aux Blancs.", "Trait aux Noirs."),
            (
                "Les blancs jouent et gagnent",
                "Les noirs jouent et gagnent",
            ),
            ("Les Blancs ont le trait", "Les Noirs ont le trait"),
            ("Blancs au trait", "Noirs au trait"),
            ("Ход белых", "Ход чёрных"),
            ("Ход белых.", "Ход черных."),
            (
                "Белые начинают и выигрывают",
                "Чёрные начинают и выигрывают",
            ),
            ("Белые начинают", "Черные начинают"),
        ] {
            assert_eq!(side_to_move(white), Some(Color::White), "{white}");
            assert_eq!(side_to_move(black), Some(Color::Black), "{black}");
        }
    }

    #[test]
    fn text_that_names_no_side_to_move_says_nothing() {
        for text in [
            "White mates in two",
            "White wins",
            "Mate in 2",
            "the white bishop moves to e4",
            "black to move or white to move",
            "Whites to moves",
            "12",
            "",
        ] {
            assert_eq!(side_to_move(text), None, "{text}");
        }
    }

    #[test]
    fn letters_written_with_separate_accents_are_read() {
        assert_eq!(
            side_to_move("Bia\u{142}e na posunie\u{328}ciu"),
            Some(Color::White)
        );
        assert_eq!(side_to_move("Че\u{308}рные начинают"), Some(Color::Black));
    }

    #[test]
    fn the_number_of_a_diagram_is_read_alone_and_after_its_word() {
        for text in [
            "17",
            "17.",
            "(17)",
            "#17",
            "No. 17",
            "Nr 17",
            "№17",
            "Diagram 17",
            "DIAGRAMM 17:",
            "17) Vit drar",
        ] {
            assert_eq!(diagram_number(text), Some(17), "{text}");
        }
        for text in ["17. Nf3 Nc6", "e4", "a17", "since 1917 he", "12345", "+-"] {
            assert_eq!(diagram_number(text), None, "{text}");
        }
    }

    fn text(text: &str, left: f32, top: f32) -> Text<'_> {
        Text {
            text,
            left,
            top,
            right: left + 8.0 * text.chars().count() as f32,
            bottom: top + 14.0,
        }
    }

    #[test]
    fn each_line_goes_to_the_board_it_stands_at() {
        let boards = [
            Quad::rectangle(100.0, 100.0, 340.0, 340.0),
            Quad::rectangle(100.0, 430.0, 340.0, 670.0),
        ];
        let lines = [
            text("1", 215.0, 78.0),
            text("Black to move", 160.0, 350.0),
            text("2", 215.0, 408.0),
            text("White to move", 160.0, 690.0),
            text(
                "White to move is what most authors print below a diagram, and readers",
                0.0,
                720.0,
            ),
        ];
        let captions = captions(&boards, &lines);
        assert_eq!(
            captions[0],
            Caption {
                number: Some(1),
                turn: Some((Color::Black, "Black to move".to_owned()))
            }
        );
        assert_eq!(
            captions[1],
            Caption {
                number: Some(2),
                turn: Some((Color::White, "White to move".to_owned()))
            }
        );
    }

    #[test]
    fn lines_that_contradict_each_other_are_not_used() {
        let boards = [Quad::rectangle(100.0, 100.0, 340.0, 340.0)];
        let lines = [
            text("White to move", 160.0, 80.0),
            text("Black to move", 160.0, 346.0),
        ];
        assert_eq!(captions(&boards, &lines), [Caption::default()]);
    }

    #[test]
    fn text_inside_a_board_or_far_from_it_is_not_its_caption() {
        let boards = [Quad::rectangle(100.0, 100.0, 340.0, 340.0)];
        let lines = [
            text("White to move", 160.0, 200.0),
            text("White to move", 160.0, 500.0),
        ];
        assert_eq!(captions(&boards, &lines), [Caption::default()]);
    }

    /// A page with a board frame at (100, 100) to (340, 340), squares of 30 pixels, and `ink` where it says so.
    fn page(ink: impl Fn(f32, f32) -> bool) -> RgbImage {
        RgbImage::from_fn(460, 440, |x, y| {
            let on_frame = (100..340).contains(&x) && (100..340).contains(&y);
            let dark = on_frame || ink(x as f32 + 0.5, y as f32 + 0.5);
            image::Rgb(if dark { [20, 20, 20] } else { [235, 230, 220] })
        })
    }

    fn marker(ink: impl Fn(f32, f32) -> bool) -> Option<(Color, &'static str)> {
        let quad = Quad::rectangle(100.0, 100.0, 340.0, 340.0);
        printed_marker(&page(ink), &quad, &[quad])
    }

    /// Distance from the edge of a shape centred at (360, 330), positive inside: square, circle, triangle.
    fn depth(shape: &str, x: f32, y: f32) -> f32 {
        let (x, y) = (x - 360.0, y - 330.0);
        match shape {
            "square" => 6.0 - x.abs().max(y.abs()),
            "circle" => 6.0 - x.hypot(y),
            _ => (6.0 - y).min((y + 6.0) * 0.447 - x.abs() * 0.894),
        }
    }

    #[test]
    fn filled_and_empty_markers_beside_a_diagram_tell_the_side_to_move() {
        for shape in ["square", "circle", "triangle"] {
            let filled = marker(|x, y| depth(shape, x, y) > 0.0);
            let empty = marker(|x, y| depth(shape, x, y) > 0.0 && depth(shape, x, y) < 1.3);
            assert_eq!(filled.map(|(turn, _)| turn), Some(Color::Black), "{shape}");
            assert_eq!(empty.map(|(turn, _)| turn), Some(Color::White), "{shape}");
        }
    }

    #[test]
    fn a_margin_with_anything_else_in_it_tells_nothing() {
        assert_eq!(marker(|_, _| false), None);
        // Two markers, a bar, a letter C, a letter O with thick sides, a speck of dust.
        assert_eq!(
            marker(|x, y| depth("square", x, y) > 0.0 || depth("square", x, y + 200.0) > 0.0),
            None
        );
        assert_eq!(
            marker(|x, y| (355.0..357.0).contains(&x) && (320.0..340.0).contains(&y)),
            None
        );
        assert_eq!(
            marker(|x, y| depth("circle", x, y) > 0.0 && depth("circle", x, y) < 1.5 && x < 363.0),
            None
        );
        assert_eq!(
            marker(|x, y| depth("circle", x, y) > 0.0 && ((x - 360.0) * 2.0).hypot(y - 330.0) > 5.0),
            None
        );
        assert_eq!(marker(|x, y| (x - 360.0).hypot(y - 330.0) < 1.2), None);
    }
}
