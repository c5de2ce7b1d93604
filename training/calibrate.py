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


def features(outcomes):
    """Evidence [n, 3]: logits of the product of squares and of the board, logarithm of the orientation's confidence."""
    def logit(name):
        value = np.clip([outcome["evidence"][name] for outcome in outcomes], 1e-4, 1 - 1e-5)
        return np.log(value / (1 - value))
    orientation = np.log(np.maximum([outcome["evidence"]["orientation"] for outcome in outcomes], 1e-4))
    return np.stack([logit("product_of_squares"), logit("board"), orientation], 1)


def board_weights(outcomes, decay=0.02, steps=20000, rate=0.02):
    """Weights [3] (not negative) and bias of a logistic regression of "the whole placement is right"."""
    inputs, right = features(outcomes), np.array([outcome["wrong"] == 0 for outcome in outcomes], float)
    weights, bias = np.array([1.0, 0.0, 1.0]), 0.0
    start = weights.copy()
    for _ in range(steps):
        error = 1 / (1 + np.exp(-(inputs @ weights + bias))) - right
        weights -= rate * (inputs.T @ error / len(right) + decay * (weights - start))
        weights = np.maximum(weights, 0)
        bias -= rate * error.mean()
    return weights, bias


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("report", type=Path, help="JSON written by img2fen eval on the calibration split")
    arguments = parser.parse_args()
    report = json.loads(arguments.report.read_text())
    outcomes = [outcome for outcome in report["outcomes"] if outcome["evidence"]]
    value, gain, squares = temperature(outcomes)
    print(f"temperature: times {value:.3f} (gains {gain:.4f} nats a square on {squares} unsure squares)")
    weights, bias = board_weights(outcomes)
    board = np.sort([outcome["evidence"]["board"] for outcome in outcomes])
    false = [(round(found["evidence"]["board"], 3), found["file"]) for found in report["false_boards"]]
    print(f"evidence of a board: lowest of {len(board)} boards {np.round(board[:8], 3).tolist()}, of false ones {false}")
    print(f"board: weights {np.round(weights, 3).tolist()}, bias {bias:.3f}, on {len(outcomes)} boards")
    confidence = 1 / (1 + np.exp(-(features(outcomes) @ weights + bias)))
    right = np.array([outcome["wrong"] == 0 for outcome in outcomes])
    for threshold in (0.8, 0.9, 0.95, 0.97, 0.98, 0.99):
        sure = confidence >= threshold
        print(f"threshold {threshold}: sure {sure.mean():.3f}, wrong among them {(~right[sure]).sum()} of {sure.sum()}")


if __name__ == "__main__":
    main()
