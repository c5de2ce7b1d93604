//! Second choices for doubtful squares that would cure a fault.

use serde::Serialize;

use super::{faults_of_placement, variant_of};
use crate::diagnostic::{Code, Diagnostic};
use crate::position::{FenFields, Known, Piece, Placement, Provenance, Square, infer};

/// A square that a reading is not sure of.
///
/// ```
/// use img2fen::{Piece, check::SquareDoubt};
///
/// let square = "e4".parse().unwrap();
/// let second = Piece::from_letter('P');
/// let doubt = SquareDoubt { square, confidence: 0.7, second, second_confidence: 0.2 };
/// assert_eq!(doubt.second.unwrap().to_string(), "white pawn");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SquareDoubt {
    /// Which square.
    pub square: Square,
    /// How sure its reading is, 0..=1.
    pub confidence: f32,
    /// The second choice, `None` for an empty square.
    pub second: Option<Piece>,
    /// How sure the second choice is, 0..=1.
    pub second_confidence: f32,
}

/// A correction of one doubtful square that cures faults and makes none.
///
/// See [`suggestions`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Suggestion {
    /// The square to change.
    pub square: Square,
    /// What was read there.
    pub read: Option<Piece>,
    /// What would stand there.
    pub instead: Option<Piece>,
    /// How sure that second choice is, 0..=1.
    pub confidence: f32,
    /// The faults that would be gone.
    pub cures: Vec<Code>,
    /// The position with the correction; its placement is marked as inferred.
    pub fields: FenFields,
}

impl Suggestion {
    /// The offer, with the corrected FEN.
    ///
    /// ```
    /// use img2fen::{Code, FenFields, check::{SquareDoubt, suggestions}};
    ///
    /// let fields: FenFields = "4k3/8/8/8/8/8/8/P3K3 w - - 0 1".parse().unwrap();
    /// let square = "a1".parse().unwrap();
    /// let doubt = SquareDoubt { square, confidence: 0.7, second: None, second_confidence: 0.2 };
    /// let offer = suggestions(&fields, &[doubt])[0].diagnostic();
    /// assert_eq!(offer.code, Code::SecondChoiceCures);
    /// assert_eq!(offer.suggestion.unwrap(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    /// ```
    pub fn diagnostic(&self) -> Diagnostic {
        let message = format!(
            "{}: {} instead of {} would cure {}",
            self.square,
            name(self.instead),
            name(self.read),
            self.cured()
        );
        Diagnostic::new(Code::SecondChoiceCures, message)
            .hint("compare with the picture; `--accept-suggestions` takes it")
            .squares([self.square])
            .suggestion(self.fields)
    }

    /// What to say when it was taken.
    ///
    /// ```
    /// use img2fen::{FenFields, check::{SquareDoubt, suggestions}};
    ///
    /// let fields: FenFields = "4k3/8/8/8/8/8/8/P3K3 w - - 0 1".parse().unwrap();
    /// let square = "a1".parse().unwrap();
    /// let doubt = SquareDoubt { square, confidence: 0.7, second: None, second_confidence: 0.2 };
    /// assert_eq!(
    ///     suggestions(&fields, &[doubt])[0].accepted().message,
    ///     "a1: empty was taken instead of white pawn because it cures pawn-on-back-rank"
    /// );
    /// ```
    pub fn accepted(&self) -> Diagnostic {
        let message = format!(
            "{}: {} was taken instead of {} because it cures {}",
            self.square,
            name(self.instead),
            name(self.read),
            self.cured()
        );
        Diagnostic::new(Code::SuggestionAccepted, message)
            .hint("compare with the picture")
            .squares([self.square])
    }

    fn cured(&self) -> String {
        let names: Vec<&str> = self.cures.iter().map(|code| code.name()).collect();
        names.join(" and ")
    }
}

fn name(piece: Option<Piece>) -> String {
    piece.map_or_else(|| "empty".to_owned(), |piece| piece.to_string())
}

/// The second choices that would cure a fault of the placement (a second king, a ninth pawn, a pawn on rank 8 ...) and
/// cause no new one, the best first: those that cure most, then those with the surest second choice.
///
/// Each stands for itself: when one is taken, ask again for what is left.
///
/// ```
/// use img2fen::{FenFields, Piece, check::{SquareDoubt, suggestions}};
///
/// // Two white kings; g1 may as well be a knight.
/// let fields: FenFields = "4k3/8/8/8/8/8/8/4K1K1 w - - 0 1".parse().unwrap();
/// let doubt = SquareDoubt {
///     square: "g1".parse().unwrap(),
///     confidence: 0.6,
///     second: Piece::from_letter('N'),
///     second_confidence: 0.39,
/// };
/// let found = suggestions(&fields, &[doubt]);
/// assert_eq!(found[0].fields.to_string(), "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1");
/// assert_eq!(found[0].diagnostic().message,
///     "g1: white knight instead of white king would cure several-white-kings");
/// ```
pub fn suggestions(fields: &FenFields, doubts: &[SquareDoubt]) -> Vec<Suggestion> {
    let variant = variant_of(&fields.fen());
    let placement = fields.placement.value;
    let codes = |placement: &Placement| -> Vec<Code> {
        let faults = faults_of_placement(placement, variant);
        faults.iter().map(|fault| fault.code).collect()
    };
    let before = codes(&placement);
    if before.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<Suggestion> = doubts
        .iter()
        .filter(|doubt| placement.get(doubt.square) != doubt.second)
        .filter_map(|doubt| {
            let mut corrected = placement;
            corrected.set(doubt.square, doubt.second);
            let after = codes(&corrected);
            let mut cures = before.clone();
            for code in &after {
                // A fault that was not there before: no cure.
                let known = cures.iter().position(|cure| cure == code)?;
                cures.remove(known);
            }
            if cures.is_empty() {
                return None;
            }
            cures.dedup();
            Some(Suggestion {
                square: doubt.square,
                read: placement.get(doubt.square),
                instead: doubt.second,
                confidence: doubt.second_confidence,
                cures,
                fields: with_placement(fields, corrected),
            })
        })
        .collect();
    found.sort_by(|a, b| {
        let by_cures = b.cures.len().cmp(&a.cures.len());
        by_cures.then(b.confidence.total_cmp(&a.confidence))
    });
    found
}

/// The fields with another placement; what was inferred from the placement is inferred anew.
fn with_placement(fields: &FenFields, placement: Placement) -> FenFields {
    let mut corrected = *fields;
    corrected.placement = Known::new(placement, Provenance::Inferred);
    if fields.castling.provenance == Provenance::Inferred {
        corrected.castling.value = infer::castling(&placement);
    }
    if matches!(
        fields.turn.provenance,
        Provenance::Inferred | Provenance::Assumed
    ) {
        corrected.turn = infer::turn(&placement, fields.en_passant.value);
    }
    corrected
}
