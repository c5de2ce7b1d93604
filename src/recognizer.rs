//! The stages chained: a page in, readings out.

use std::path::PathBuf;
use std::time::Instant;

use crate::classify::{
    Classifier, Logits, Missed, Probabilities, SquareNetwork, calibrate, mean, missed, together,
};
use crate::engine::{self, EngineInfo, EngineOptions, Network};
use crate::error::{Error, ErrorKind, Result};
use crate::input::{Limits, Page};
use crate::locate::{Board, Locator, Proposer, Refiner, covered, is_cut};
use crate::orient::{
    CoordinateReader, Orientation, OrientationPrior, Orienter, Signs, orientations,
};
use crate::position::infer::{GivenFieldError, GivenFields};
use crate::position::{Color, Placement, Provenance, Square};
use crate::quad::{Point, Quad};
use crate::reading::{Provider, Reading, SourceName, doubtful_squares, square_readings};
use crate::rectify::{Pyramid, rectify};

/// An embedded network.
struct Model {
    name: &'static str,
    bytes: &'static [u8],
    sha256: &'static str,
}

/// The embedded networks, in the order in which [`Builder::build`] takes them.
const MODELS: [Model; 7] = [
    Model {
        name: "locator",
        bytes: include_bytes!("../models/locator.onnx"),
        sha256: env!("IMG2FEN_LOCATOR_SHA256"),
    },
    Model {
        name: "refiner",
        bytes: include_bytes!("../models/refiner.onnx"),
        sha256: env!("IMG2FEN_REFINER_SHA256"),
    },
    Model {
        name: "squares",
        bytes: include_bytes!("../models/squares.onnx"),
        sha256: env!("IMG2FEN_SQUARES_SHA256"),
    },
    Model {
        name: "coordinates",
        bytes: include_bytes!("../models/coordinates.onnx"),
        sha256: env!("IMG2FEN_COORDINATES_SHA256"),
    },
    Model {
        name: "orientation_prior",
        bytes: include_bytes!("../models/orientation_prior.onnx"),
        sha256: env!("IMG2FEN_ORIENTATION_PRIOR_SHA256"),
    },
    Model {
        name: "second_opinion",
        bytes: include_bytes!("../models/second_opinion.onnx"),
        sha256: env!("IMG2FEN_SECOND_OPINION_SHA256"),
    },
    Model {
        name: "third_opinion",
        bytes: include_bytes!("../models/third_opinion.onnx"),
        sha256: env!("IMG2FEN_THIRD_OPINION_SHA256"),
    },
];

/// Boards with a lower confidence are doubtful unless the caller says otherwise: the lowest hundredth at which, with two networks, none
/// of the surer calibration boards was wrong. 84 % are surer; with the third network one of them is wrong, a misprinted start position.
pub const MIN_CONFIDENCE: f32 = 0.98;
/// A board whose product of square confidences is below this gets a second opinion, by another network: of the calibration
/// pictures 53 %, 40 % of `dev`.
const SECOND_OPINION_BELOW: f32 = 0.999;
/// Below this, for both networks together, a third is asked. With true corners that are 7 % of the calibration boards; as many are
/// right as with a third opinion on all (99.3 %, 97.4 % with none), and their squares are likelier (0.090 nats a board, 0.095).
const THIRD_OPINION_BELOW: f32 = 0.95;
/// Share of the second and third opinion, which count the same, in what all networks say together; the first has the rest. With 0.5,
/// 0.75 and 1 the program reads 143, 144 and 144 of the 152 calibration boards right; with 0.75 the squares of real boards with true
/// corners are likeliest (0.114 nats a board with two networks, 0.125 without the first).
const FURTHER_SHARE: f32 = 0.75;
/// Below this, for all networks together, the second and third also look at slightly moved views of the board. On the calibration
/// pictures 0.98, 0.95 and 0.9 read the same boards right; 0.9 takes the least time.
const MOVED_VIEWS_BELOW: f32 = 0.9;
/// A board whose squares are this unsure on average may be turned: its quarter turns are read too.
const TURNED_BELOW: f32 = 0.97;
/// What looks less like squares of a board ([`calibrate::board_evidence`]) is dropped, unless the user gave its
/// corners. Boards of the calibration pictures have at least 0.999; empty ones, of which there are none, have less.
const IS_BOARD: f32 = 0.5;
/// How far each side of a quad that hardly shows a board is moved outwards in search of one, in squares. Of the `dev` pictures it finds
/// two boards behind a black bar, 99.6 % instead of 99.2 %; no more false boards on the pictures of either part.
const WIDENED: [f32; 2] = [0.5, 1.0];
/// Evidence of a board below which wider quads are tried, and which the best of the eight must have: boards of the calibration
/// pictures have at least 0.999.
const IS_SURELY_BOARD: f32 = 0.9;
/// Score of the locator from which wider quads are tried: eight runs of the classifier are too much for every table of a page.
const IS_LIKELY_BOARD: f32 = 0.3;
/// How the moved views shift the corners, in squares: inset or outset, and a shift in both directions. With one network two
/// views read 91.8 % of the `dev` boards exactly and 86.8 % of the calibration boards; four 91.6 % and 87.5 %; none 91.2 %
/// and 86.2 %.
const MOVED_VIEWS: [[f32; 3]; 2] = [[0.05, 0.03, 0.03], [-0.05, -0.03, -0.03]];

/// What the user knows and wants.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// Fields of the FEN that the user gives.
    pub given: GivenFields,
    /// Whose side is below, when the user says so.
    pub view: Option<Color>,
    /// The board's corners, when the user gives them: no search then.
    pub corners: Option<Quad>,
    /// Take second choices of doubtful squares that cure a fault of the position, and say so.
    pub accept_suggestions: bool,
    /// Confidence below which a board is doubtful, 0..=1.
    pub min_confidence: Option<f32>,
}

/// What a page showed.
#[derive(Debug, Clone)]
pub struct PageReadings {
    /// Whole boards, in reading order.
    pub readings: Vec<Reading>,
    /// Boards that the page's edge cuts; they are not read, because not all of their squares can be seen.
    pub cut: Vec<Quad>,
    /// Number of boards that were found beyond [`Limits::max_boards`] and not read: the least sure ones.
    pub left_out: usize,
}

/// How to build a [`Recognizer`].
#[derive(Debug, Clone, Default)]
pub struct Builder {
    engine: EngineOptions,
    limits: Limits,
}

impl Builder {
    /// Which engine runs the networks.
    #[must_use]
    pub fn engine(mut self, options: EngineOptions) -> Self {
        self.engine = options;
        self
    }

    /// The ONNX Runtime library to open instead of searching for one.
    #[must_use]
    pub fn engine_library(mut self, path: Option<PathBuf>) -> Self {
        self.engine.library = path;
        self
    }

    /// What a page may cost.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Starts the engine and loads the embedded networks, but for the second and third opinion: they are loaded for the
    /// first board that is not sure.
    ///
    /// # Errors
    /// [`ErrorKind::Engine`] or [`ErrorKind::Model`].
    pub fn build(self) -> Result<Recognizer> {
        let engine = engine::start(&self.engine)?;
        let [
            locator,
            refiner,
            squares,
            coordinates,
            orientation_prior,
            second_opinion,
            third_opinion,
        ] = &MODELS;
        let load = |model: &Model| Network::load(model.name, model.bytes);
        let later = |model: &Model| -> Box<dyn Classifier> {
            let network = Network::when_needed(model.name, model.bytes);
            Box::new(SquareNetwork(network))
        };
        Ok(Recognizer {
            engine,
            locator: Locator {
                proposer: Proposer(load(locator)?),
                refiner: Refiner(load(refiner)?),
            },
            classifier: Box::new(SquareNetwork(load(squares)?)),
            second_opinion: later(second_opinion),
            third_opinion: later(third_opinion),
            orienter: Orienter {
                coordinates: CoordinateReader(load(coordinates)?),
                prior: OrientationPrior(load(orientation_prior)?),
            },
            limits: self.limits,
        })
    }
}

/// Reads boards from pages. Cheap to share between threads: every method takes `&self`.
#[derive(Debug)]
pub struct Recognizer {
    engine: &'static EngineInfo,
    locator: Locator,
    classifier: Box<dyn Classifier>,
    second_opinion: Box<dyn Classifier>,
    third_opinion: Box<dyn Classifier>,
    orienter: Orienter,
    limits: Limits,
}

impl Recognizer {
    /// A recognizer with the embedded networks and default limits.
    ///
    /// # Errors
    /// As [`Builder::build`].
    pub fn new() -> Result<Self> {
        Self::builder().build()
    }

    /// A builder.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// The engine that runs the networks.
    #[must_use]
    pub fn engine(&self) -> &'static EngineInfo {
        self.engine
    }

    /// The stage that finds boards.
    #[must_use]
    pub fn locator(&self) -> &Locator {
        &self.locator
    }

    /// The stage that reads squares: the network that reads every board.
    #[must_use]
    pub fn classifier(&self) -> &dyn Classifier {
        self.classifier.as_ref()
    }

    /// Reads every board of a page with default options.
    ///
    /// # Errors
    /// [`ErrorKind::Model`] when a network cannot be run. A page without a board is no error.
    pub fn read(&self, page: &Page) -> Result<PageReadings> {
        self.read_with(page, &ReadOptions::default())
    }

    /// Reads every board of a page.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] when the page has no pixels, given corners are no convex quad or have most of their
    /// squares outside the picture, or a given field contradicts a board;
    /// [`ErrorKind::LimitExceeded`] when it takes longer than [`Limits::max_time`];
    /// [`ErrorKind::Model`] when a network cannot be run.
    pub fn read_with(&self, page: &Page, options: &ReadOptions) -> Result<PageReadings> {
        let started = Instant::now();
        if page.picture.is_empty() {
            return Err(
                Error::new(ErrorKind::InvalidArgument, "the page has no pixels")
                    .with_hint("give a picture of at least one pixel"),
            );
        }
        let pyramid = Pyramid::new(&page.picture);
        let mut left_out = 0;
        if let Some(quad) = &options.corners {
            check_corners(quad, page.picture.dimensions())?;
        }
        let (boards, mut cut) = match &options.corners {
            Some(quad) => (
                vec![Board {
                    quad: *quad,
                    score: 1.0,
                }],
                Vec::new(),
            ),
            None => {
                let boards = self.locator.locate(&pyramid, self.limits.max_boards)?;
                left_out = boards.left_out;
                (
                    boards.whole,
                    boards.cut.into_iter().map(|board| board.quad).collect(),
                )
            }
        };
        let mut candidates = Vec::with_capacity(boards.len());
        for board in &boards {
            self.limits.check_time(started)?;
            let Some((quad, first)) = self.met(&pyramid, board, options)? else {
                continue;
            };
            // Where the board was met beside the quad that the locator gave it may reach beyond the picture.
            if options.corners.is_none() && is_cut(&quad, pyramid.size()) {
                cut.push(quad);
                continue;
            }
            candidates.push(self.looked_at(&pyramid, quad, first)?);
        }
        // What turns out to be no board must not tell which way up the others are.
        if options.corners.is_none() {
            candidates.retain(Candidate::is_board);
        }
        let quads: Vec<Quad> = candidates.iter().map(|candidate| candidate.quad).collect();
        let mut signs = Vec::with_capacity(candidates.len());
        for candidate in &candidates {
            self.limits.check_time(started)?;
            signs.push(candidate.signs(&self.orienter, &pyramid, &quads)?);
        }
        let mut readings = Vec::with_capacity(candidates.len());
        let orientations = orientations(&signs, options.view);
        for (candidate, orientation) in candidates.into_iter().zip(orientations) {
            self.limits.check_time(started)?;
            // What turns out to be no board takes no number.
            let source = SourceName {
                path: page.source.clone(),
                page: page.number,
                board: readings.len() + 1,
            };
            let reading = self.read_board(&pyramid, candidate, orientation, source, options)?;
            if let Some(reading) = reading {
                readings.push(reading);
            }
        }
        Ok(PageReadings {
            readings,
            cut,
            left_out,
        })
    }

    /// What the networks say of a board, and of its turns when the first is unsure, given what that one said.
    fn looked_at(&self, page: &Pyramid<'_>, quad: Quad, first: Logits) -> Result<Candidate> {
        let is_unsure = calibrate::mean_certainty(&calibrate::probabilities(&first)) < TURNED_BELOW;
        let mut turns = [Some(self.opinions(page, &quad, first)?), None, None, None];
        if is_unsure {
            for (turn, opinions) in turns.iter_mut().enumerate().skip(1) {
                let quad = quad.turned(turn);
                if let Some(first) = self.logits(page, &quad)? {
                    *opinions = Some(self.opinions(page, &quad, first)?);
                }
            }
        }
        Ok(Candidate { quad, turns })
    }

    /// Reads one board, given which way up it is.
    fn read_board(
        &self,
        page: &Pyramid<'_>,
        candidate: Candidate,
        orientation: Orientation,
        source: SourceName,
        options: &ReadOptions,
    ) -> Result<Option<Reading>> {
        let Candidate {
            quad: located,
            mut turns,
        } = candidate;
        let quad = orientation.upright(&located);
        let Some(mut opinions) = turns[orientation.quarter_turns % 4].take() else {
            return Ok(None);
        };
        let board_evidence = calibrate::board_evidence(&opinions.first);
        if board_evidence < IS_BOARD && options.corners.is_none() {
            return Ok(None);
        }
        self.look_again(page, &quad, &mut opinions)?;
        let mut probabilities = opinions.probabilities();
        for square in covered(page, &quad) {
            calibrate::doubt(&mut probabilities[square]);
        }
        if orientation.below == Color::Black {
            probabilities.reverse();
        }
        let squares = square_readings(&probabilities);
        let mut placement = Placement::EMPTY;
        for square in &squares {
            placement.set(square.square, square.piece);
        }
        let refused = |error: GivenFieldError| {
            Error::new(ErrorKind::InvalidArgument, error.to_string()).with_hint(format!(
                "the position read is {placement}; correct or leave out the field"
            ))
        };
        let fields = options
            .given
            .complete(placement, Provenance::Read)
            .map_err(refused)?;
        let evidence = calibrate::Evidence {
            product_of_squares: calibrate::product_of_best(&probabilities),
            board: board_evidence,
            orientation: orientation.confidence,
        };
        let board_confidence = calibrate::board_confidence(&evidence);
        let enough = options.min_confidence.unwrap_or(MIN_CONFIDENCE);
        let doubtful = board_confidence < enough;
        let doubtful_squares: Vec<Square> = if doubtful {
            doubtful_squares(&squares, enough)
        } else {
            Vec::new()
        };
        let mut reading = Reading {
            source,
            quad,
            evidence,
            placement,
            squares,
            probabilities: Box::new(probabilities),
            orientation,
            fields,
            board_confidence,
            doubtful,
            doubtful_squares,
            diagnostics: Vec::new(),
            suggestions: Vec::new(),
            provider: Provider {
                engine: self.engine.to_string(),
                models: model_names(),
            },
        };
        reading.diagnose();
        if options.accept_suggestions {
            reading.accept_suggestion(&options.given).map_err(refused)?;
        }
        Ok(Some(reading))
    }

    /// The quad of a located board with what the first network says of the squares inside: the one that was located, one a rank
    /// or a file beside it, or one with a side further out, whichever shows a board.
    fn met(
        &self,
        page: &Pyramid<'_>,
        board: &Board,
        options: &ReadOptions,
    ) -> Result<Option<(Quad, Logits)>> {
        let quad = board.quad;
        let Some(first) = self.logits(page, &quad)? else {
            return Ok(None);
        };
        if let Some(Missed { across, down }) = missed(&first)
            && let Some(beside) = moved(&quad, &[0.0, across as f32, down as f32])
            && let Some(again) = self.logits(page, &beside)?
            && calibrate::board_evidence(&again) > calibrate::board_evidence(&first)
        {
            return Ok(Some((beside, again)));
        }
        if calibrate::board_evidence(&first) < IS_SURELY_BOARD
            && board.score >= IS_LIKELY_BOARD
            && options.corners.is_none()
            && let Some(wider) = self.widened(page, &quad)?
        {
            return Ok(Some(wider));
        }
        Ok(Some((quad, first)))
    }

    /// The board of which a quad leaves out a strip along one side, as it does where something dark lies across the board
    /// and is taken for its edge.
    fn widened(&self, page: &Pyramid<'_>, quad: &Quad) -> Result<Option<(Quad, Logits)>> {
        let mut best = None;
        let mut most = IS_SURELY_BOARD;
        for side in 0..4 {
            for by in WIDENED {
                let Some(wider) = widened(quad, side, by) else {
                    continue;
                };
                if let Some(logits) = self.logits(page, &wider)?
                    && calibrate::board_evidence(&logits) > most
                {
                    most = calibrate::board_evidence(&logits);
                    best = Some((wider, logits));
                }
            }
        }
        let Some((wider, _)) = &best else {
            return Ok(None);
        };
        if let Some(refined) = self.locator.refiner.refine(page, wider)?
            && let Some(logits) = self.logits(page, &refined.quad)?
            && calibrate::board_evidence(&logits) > IS_SURELY_BOARD
        {
            best = Some((refined.quad, logits));
        }
        Ok(best)
    }

    /// What is said of the squares inside a quad, given what the first network said: the less sure that is the more networks are
    /// asked.
    fn opinions(&self, page: &Pyramid<'_>, quad: &Quad, first: Logits) -> Result<Opinions> {
        let mut opinions = Opinions {
            first,
            further: Vec::new(),
        };
        if opinions.product() >= SECOND_OPINION_BELOW {
            return Ok(opinions);
        }
        let Some(board) = rectify(page, quad) else {
            return Ok(opinions);
        };
        opinions.further.push(self.second_opinion.logits(&board)?);
        if opinions.product() < THIRD_OPINION_BELOW {
            opinions.further.push(self.third_opinion.logits(&board)?);
        }
        Ok(opinions)
    }

    /// Where all networks together are not sure the second and third look at slightly moved views, too.
    fn look_again(&self, page: &Pyramid<'_>, quad: &Quad, opinions: &mut Opinions) -> Result<()> {
        if opinions.product() >= MOVED_VIEWS_BELOW {
            return Ok(());
        }
        for view in &MOVED_VIEWS {
            if let Some(board) = moved(quad, view).and_then(|quad| rectify(page, &quad)) {
                for network in [&self.second_opinion, &self.third_opinion] {
                    opinions.further.push(network.logits(&board)?);
                }
            }
        }
        Ok(())
    }

    /// What the first network says of the squares inside a quad; `None` when the quad is degenerate.
    fn logits(&self, page: &Pyramid<'_>, quad: &Quad) -> Result<Option<Logits>> {
        rectify(page, quad)
            .map(|board| self.classifier.logits(&board))
            .transpose()
    }
}

/// A quad with what the networks say of its squares, and of those of its turns that were looked at.
struct Candidate {
    quad: Quad,
    turns: [Option<Opinions>; 4],
}

impl Candidate {
    /// What tells which way up it is.
    fn signs(&self, orienter: &Orienter, page: &Pyramid<'_>, others: &[Quad]) -> Result<Signs> {
        let turns = self.turns.each_ref();
        let seen = turns.map(|opinions| opinions.as_ref().map(Opinions::probabilities));
        let seen = seen.each_ref().map(Option::as_ref);
        orienter.signs(page, &self.quad, others, seen)
    }

    /// Whether any of its turns looks like a board.
    fn is_board(&self) -> bool {
        let mut turns = self.turns.iter().flatten();
        turns.any(|opinions| calibrate::board_evidence(&opinions.first) >= IS_BOARD)
    }
}

/// What the networks say of the squares of one board.
struct Opinions {
    first: Logits,
    /// Of the second and third network, one for each view that they were asked about.
    further: Vec<Logits>,
}

impl Opinions {
    /// What all say together.
    fn probabilities(&self) -> Probabilities {
        if self.further.is_empty() {
            return calibrate::probabilities(&self.first);
        }
        let further = mean(&self.further);
        calibrate::probabilities(&together(&self.first, &further, FURTHER_SHARE))
    }

    fn product(&self) -> f32 {
        calibrate::product_of_best(&self.probabilities())
    }
}

/// Refuses corners that a user gave by mistake. A board may reach over the picture's edge, but most of it must be seen.
fn check_corners(quad: &Quad, (width, height): (u32, u32)) -> Result<()> {
    let refused = |message: String| {
        Err(Error::new(ErrorKind::InvalidArgument, message).with_hint(
            "give `--corners` in pixels, clockwise from the board's top left: x,y x,y x,y x,y",
        ))
    };
    let outside = format!("lie outside the picture of {width} x {height} px");
    let size = [width as f32, height as f32];
    let is_near = |corner: &Point| (0..2).all(|axis| (corner[axis] / size[axis]).abs() <= 10.0);
    if !quad.corners.iter().all(is_near) {
        return refused(format!(
            "the given corners are out of range: they {outside}"
        ));
    }
    if !quad.is_convex() {
        return refused("the given corners are no convex field".to_owned());
    }
    let is_inside = |point: &Point| (0..2).all(|axis| (0.0..=size[axis]).contains(&point[axis]));
    let inside = quad
        .square_centres()
        .iter()
        .filter(|c| is_inside(c))
        .count();
    if inside < 32 {
        return refused(format!(
            "the given corners are out of range: {} of their 64 squares {outside}",
            64 - inside
        ));
    }
    Ok(())
}

/// A quad inset by `inset` squares and moved by (x, y) squares along its own perspective.
fn moved(quad: &Quad, &[inset, x, y]: &[f32; 3]) -> Option<Quad> {
    quad.of_squares([inset + x, inset + y, 8.0 - inset + x, 8.0 - inset + y])
}

/// A quad with one side moved outwards by some squares along its own perspective; sides count clockwise from the left.
fn widened(quad: &Quad, side: usize, by: f32) -> Option<Quad> {
    let mut ends = [0.0, 0.0, 8.0, 8.0];
    ends[side] += if side < 2 { -by } else { by };
    quad.of_squares(ends)
}

/// The embedded networks as `name` and the first eight hexadecimal digits of their SHA-256.
pub fn model_names() -> Vec<String> {
    MODELS
        .iter()
        .map(|model| format!("{} {}", model.name, &model.sha256[..8]))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::classify::NONE;

    /// Says the same of every board, and counts how often it is asked.
    #[derive(Debug, Clone)]
    struct Says {
        logits: Logits,
        asked: Arc<AtomicUsize>,
    }

    impl Says {
        /// All squares are empty but the first, which is of one class or another with these logits.
        fn either(classes: [(usize, f32); 2]) -> Self {
            let mut logits = [[-50.0; NONE + 1]; 64];
            for row in &mut logits[1..] {
                row[0] = 50.0;
            }
            for (class, logit) in classes {
                logits[0][class] = logit;
            }
            Self {
                logits,
                asked: Arc::default(),
            }
        }

        fn times(&self) -> usize {
            self.asked.load(Ordering::SeqCst)
        }
    }

    impl Classifier for Says {
        fn logits(&self, _: &image::RgbImage) -> Result<Logits> {
            self.asked.fetch_add(1, Ordering::SeqCst);
            Ok(self.logits)
        }
    }

    /// What the networks make of the first square of a board together, and how often each was asked for it.
    fn together(opinions: [[(usize, f32); 2]; 3]) -> ([f32; NONE], [usize; 3]) {
        let [first, second, third] = opinions.map(Says::either);
        let recognizer = Recognizer {
            classifier: Box::new(first.clone()),
            second_opinion: Box::new(second.clone()),
            third_opinion: Box::new(third.clone()),
            ..Recognizer::new().unwrap()
        };
        let picture = image::RgbImage::new(300, 300);
        let quad = Quad::rectangle(10.0, 10.0, 280.0, 280.0);
        let page = Pyramid::new(&picture);
        let mut opinions = recognizer.opinions(&page, &quad, first.logits).unwrap();
        recognizer.look_again(&page, &quad, &mut opinions).unwrap();
        let asked = [&first, &second, &third].map(Says::times);
        (opinions.probabilities()[0], asked)
    }

    /// The probability of the first of two classes whose logits differ by this much.
    fn at_temperature(difference: f32) -> f32 {
        1.0 / (1.0 + (-difference / calibrate::TEMPERATURE).exp())
    }

    #[test]
    fn a_board_is_found_though_a_strip_along_any_side_was_left_out() {
        let recognizer = Recognizer::new().unwrap();
        let page = Page::open("testdata/screenshot.png", &Limits::default()).unwrap();
        let board = recognizer.read(&page).unwrap().readings[0].quad;
        let pyramid = Pyramid::new(&page.picture);
        let mut hardly_boards = 0;
        for side in 0..4 {
            for by in WIDENED {
                let narrow = widened(&board, side, -by).unwrap();
                let seen = recognizer.logits(&pyramid, &narrow).unwrap().unwrap();
                if calibrate::board_evidence(&seen) >= IS_SURELY_BOARD {
                    continue;
                }
                hardly_boards += 1;
                let (wider, logits) = recognizer.widened(&pyramid, &narrow).unwrap().unwrap();
                assert!(calibrate::board_evidence(&logits) > 0.99);
                let apart = wider.corner_distance(&board) / board.side();
                assert!(apart < 0.02, "side {side} moved by {by}: {apart}");
            }
        }
        assert!(hardly_boards >= 7, "{hardly_boards} of 8");
    }

    #[test]
    fn a_board_that_is_sure_gets_no_second_opinion() {
        let other = [(2, 0.0), (3, 20.0)];
        let (square, asked) = together([[(2, 20.0), (3, 0.0)], other, other]);
        assert!((square[2] - 1.0).abs() < 1e-6);
        assert_eq!(asked, [0, 0, 0]);
    }

    #[test]
    fn the_second_opinion_counts_three_times_the_first_and_may_be_enough() {
        let opinions = [[(2, 2.0), (3, 0.0)], [(2, 0.0), (3, 8.0)], [(2, 0.0); 2]];
        let (square, asked) = together(opinions);
        assert!((square[3] - at_temperature(0.75 * 8.0 - 0.25 * 2.0)).abs() < 1e-6);
        assert_eq!(asked, [0, 1, 0]);
    }

    #[test]
    fn the_third_opinion_counts_as_much_as_the_second() {
        let opinions = [
            [(2, 2.0), (3, 0.0)],
            [(2, 0.0), (3, 2.0)],
            [(2, 0.0), (3, 12.0)],
        ];
        let (square, asked) = together(opinions);
        assert!((square[3] - at_temperature(0.75 * (2.0 + 12.0) / 2.0 - 0.25 * 2.0)).abs() < 1e-6);
        assert_eq!(asked, [0, 1, 1]);
    }

    #[test]
    fn when_all_together_are_not_sure_the_second_and_third_look_at_moved_views_too() {
        let opinions = [
            [(2, 2.0), (3, 0.0)],
            [(2, 0.0), (3, 1.0)],
            [(2, 0.0), (3, 0.5)],
        ];
        let (square, asked) = together(opinions);
        assert!((square[3] - at_temperature(0.75 * 0.75 - 0.25 * 2.0)).abs() < 1e-6);
        assert_eq!(asked, [0, 1 + MOVED_VIEWS.len(), 1 + MOVED_VIEWS.len()]);
    }
}
