//! `--turn-rule odd=w,even=b`: whose move it is by a rule of the book.

use img2fen::{Color, Quad};

use crate::ui::excerpt;

/// What a rule goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Condition {
    Odd,
    Even,
    Left,
    Right,
    Top,
    Bottom,
}

/// Conditions with the side to move under each; the first that holds decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnRule(Vec<(Condition, Color)>);

/// What a rule says of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Whose move it is.
    Is(Color),
    /// No condition holds.
    Open,
    /// The number of the diagram would decide, and is not known.
    NeedsNumber,
}

impl std::str::FromStr for TurnRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split(',').map(|part| {
            let (condition, side) = part
                .split_once('=')
                .ok_or_else(|| format!("`{}` is not of the form odd=w", excerpt(part)))?;
            let condition = match condition.trim() {
                "odd" => Condition::Odd,
                "even" => Condition::Even,
                "left" => Condition::Left,
                "right" => Condition::Right,
                "top" => Condition::Top,
                "bottom" => Condition::Bottom,
                other => {
                    return Err(format!(
                        "`{}` is none of odd, even, left, right, top, bottom",
                        excerpt(other)
                    ));
                }
            };
            match side.trim() {
                "w" => Ok((condition, Color::White)),
                "b" => Ok((condition, Color::Black)),
                other => Err(format!("`{}` is neither w nor b", excerpt(other))),
            }
        });
        parts.collect::<Result<_, _>>().map(Self)
    }
}

impl TurnRule {
    /// The side to move on board `index` of a page with `boards`, whose diagram has the number `number`.
    pub fn turn(&self, number: Option<u32>, index: usize, boards: &[Quad]) -> Turn {
        let centre = boards[index].centre();
        // The middle of what the page's boards cover, so that one column is neither left nor right.
        let middle = |axis: usize| {
            let centres = || boards.iter().map(|board| board.centre()[axis]);
            let (low, high) = (
                centres().fold(f32::INFINITY, f32::min),
                centres().fold(f32::NEG_INFINITY, f32::max),
            );
            (high - low > boards[index].side() / 2.0).then_some((low + high) / 2.0)
        };
        for (condition, turn) in &self.0 {
            let holds = match condition {
                Condition::Odd | Condition::Even if number.is_none() => return Turn::NeedsNumber,
                Condition::Odd => number.is_some_and(|number| !number.is_multiple_of(2)),
                Condition::Even => number.is_some_and(|number| number.is_multiple_of(2)),
                Condition::Left => middle(0).is_some_and(|middle| centre[0] < middle),
                Condition::Right => middle(0).is_some_and(|middle| centre[0] > middle),
                Condition::Top => middle(1).is_some_and(|middle| centre[1] < middle),
                Condition::Bottom => middle(1).is_some_and(|middle| centre[1] > middle),
            };
            if holds {
                return Turn::Is(*turn);
            }
        }
        Turn::Open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_condition_that_holds_decides() {
        let boards = [
            Quad::rectangle(0.0, 0.0, 80.0, 80.0),
            Quad::rectangle(100.0, 0.0, 180.0, 80.0),
        ];
        let rule: TurnRule = "right=b,odd=w,even=b".parse().unwrap();
        let (white, black) = (Turn::Is(Color::White), Turn::Is(Color::Black));
        assert_eq!(rule.turn(Some(3), 0, &boards), white);
        assert_eq!(rule.turn(Some(3), 1, &boards), black);
        assert_eq!(rule.turn(Some(4), 0, &boards), black);
        // Without a number a condition before it can still decide, and none behind it.
        assert_eq!(rule.turn(None, 0, &boards), Turn::NeedsNumber);
        assert_eq!(rule.turn(None, 1, &boards), black);
        let rule: TurnRule = "even=b,right=b".parse().unwrap();
        assert_eq!(rule.turn(None, 1, &boards), Turn::NeedsNumber);
        let rule: TurnRule = "left=w".parse().unwrap();
        assert_eq!(rule.turn(Some(1), 0, &boards[..1]), Turn::Open);
        for wrong in ["", "odd", "odd=x", "prime=w"] {
            assert!(wrong.parse::<TurnRule>().is_err(), "{wrong}");
        }
    }
}
