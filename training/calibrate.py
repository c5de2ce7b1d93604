"""Fits the temperature of the square classifier and the confidence of a board to real pictures.

Reads what `img2fen eval MANIFEST --split calibration --json FILE` wrote and prints the constants for
`src/classify/calibrate.rs`. Only the split named `calibration` may be used here: figures are reported on another.
The evaluation has to be run with the temperature that the constants now hold; the fitted one is relative to it.
"""
import argparse
import json
from pathlib import Path

import numpy as np


def temperature(outcomes):
    """The temperature that makes the right classes most likely, and how much it gains a square (nats)."""
    squares = [square for outcome in outcomes if outcome["orientation_right"] for square in outcome["evidence"]["squares"]]
    logs = np.log(np.maximum(np.array([square["probabilities"] for square in squares]), 1e-12))
    right = np.array([square["right"] for square in squares])

    def loss(value):
        scaled = logs / value
        scaled -= scaled.max(1, keepdims=True)
        return np.mean(np.log(np.exp(scaled).sum(1)) - scaled[np.arange(len(right)), right])

    values = np.exp(np.linspace(np.log(0.5), np.log(3), 200))
    losses = [loss(value) for value in values]
    best = int(np.argmin(losses))
    return values[best], loss(1.0) - losses[best], len(squares)


def evidence(outcomes, name):
    """One kind of evidence of each outcome, [n]."""
    return np.array([outcome["evidence"][name] for outcome in outcomes])


def logit_of_product(outcomes):
    """Log odds of the product of the squares, [n], limited as the program limits them."""
    value = np.clip(evidence(outcomes, "product_of_squares"), 1e-4, 1 - 1e-5)
    return np.log(value / (1 - value))


def squares_weight(outcomes, decay=0.02, steps=20000, rate=0.02):
    """Weight and bias of a logistic regression of "all squares are right, whichever way up the board is"."""
    logits = logit_of_product(outcomes)
    right = np.array([outcome["wrong_either_way"] == 0 for outcome in outcomes], float)
    weight, bias = 1.0, 0.0
    for _ in range(steps):
        error = 1 / (1 + np.exp(-(logits * weight + bias))) - right
        weight -= rate * ((logits * error).mean() + decay * (weight - 1))
        bias -= rate * error.mean()
    return weight, bias


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("report", type=Path, help="JSON written by img2fen eval on the calibration split")
    arguments = parser.parse_args()
    report = json.loads(arguments.report.read_text())
    outcomes = [outcome for outcome in report["outcomes"] if outcome["evidence"]]
    value, gain, squares = temperature(outcomes)
    print(f"temperature: times {value:.3f} (gains {gain:.4f} nats a square on {squares} unsure squares)")
    weight, bias = squares_weight(outcomes)
    print(f"squares: weight {weight:.3f}, bias {bias:.3f}, on {len(outcomes)} boards")
    board = np.sort(evidence(outcomes, "board"))
    false = [(round(found["evidence"]["board"], 3), found["file"]) for found in report["false_boards"]]
    print(f"evidence of a board: lowest of {len(board)} boards {np.round(board[:8], 3).tolist()}, of false ones {false}")
    confidence = (evidence(outcomes, "board") * evidence(outcomes, "orientation")
                  / (1 + np.exp(-(logit_of_product(outcomes) * weight + bias))))
    right = np.array([outcome["wrong"] == 0 for outcome in outcomes])
    for threshold in (0.9, 0.95, 0.96, 0.97, 0.98, 0.99):
        sure = confidence >= threshold
        print(f"threshold {threshold}: sure {sure.mean():.3f}, wrong among them {(~right[sure]).sum()} of {sure.sum()}, "
              f"expected {100 * (1 - confidence[sure]).mean():.2f} %")


if __name__ == "__main__":
    main()
