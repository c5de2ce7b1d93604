"""Learns which way up a board is from the position alone, for boards without coordinates.

Every position of the assets is stored with White below. Turned by a half it is what a board seen from
Black's side looks like, turned by a quarter what a photo taken from the side shows. A conditional logit
learns a score for a placement such that the true turn scores highest of the four:

    score = sum over pieces of RANKS[piece][relative rank]
          + FACING  * (pairs on one file, White's pawn nearer to White's side than Black's)
          + PASSED  * (pairs on one file, White's pawn farther from it than Black's)

A relative rank is counted from the piece's own side, so both colours share the table. Pawns on the first and
last rank speak against a turn but do not forbid it: studies and teaching diagrams have them, and so do misreadings.

Prints the constants of `src/orient.rs` and how often they are right on held-out positions.

    python orientation_prior.py [--assets DIR]
"""

import argparse
import gzip
from pathlib import Path

import numpy as np
import torch

ROOT = Path(__file__).resolve().parent.parent
PIECES = "PNBRQK"
# Ordinary positions must not drown the composed ones that books are full of.
POSITIONS_A_FILE = 12000
# Studies and teaching diagrams do put pawns on the first and last rank, and misread squares do too.
MISREAD_POSITIONS = 0.1


def board_of(placement):
    """Placement text to int8 [8, 8], rank 8 first; 0 empty, 1..6 White's PNBRQK, 7..12 Black's."""
    board = np.zeros((8, 8), np.int8)
    for row, text in enumerate(placement.split("/")):
        column = 0
        for letter in text:
            if letter.isdigit():
                column += int(letter)
            else:
                board[row, column] = PIECES.index(letter.upper()) + (1 if letter.isupper() else 7)
                column += 1
    return board


def features(boards):
    """Boards int8 [n, 8, 8] to float32 [n, 50]: 6 x 8 counts by piece and relative rank, facing and passed pairs."""
    counts = []
    for piece in range(1, 7):
        white = (boards == piece).sum(2)[:, ::-1]  # from rank 1 up
        black = (boards == piece + 6).sum(2)  # from rank 8 down
        counts.append(white + black)
    white, black = boards == 1, boards == 7
    above = np.cumsum(black, 1) - black  # Black's pawns above each square
    below = black.sum(1, keepdims=True) - np.cumsum(black, 1)
    facing = (white * above).sum((1, 2))
    passed = (white * below).sum((1, 2))
    return np.concatenate([np.stack(counts, 1).reshape(len(boards), 48), facing[:, None], passed[:, None]], 1).astype(
        np.float32
    )


def turned(boards):
    """Features of the four turns: float32 [n, 4, 50]; turn 0 is the true one."""
    return np.stack([features(np.rot90(boards, turn, (1, 2))) for turn in range(4)], 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--assets", type=Path, default=ROOT.parent / "shared" / "assets")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    random = np.random.default_rng(1)

    train, held_out = [], {}
    for path in sorted((arguments.assets / "positions").glob("*.fen.gz")):
        with gzip.open(path, "rt") as lines:
            boards = np.stack([board_of(line.strip()) for line in lines])
        random.shuffle(boards)
        held_out[path.name.split(".")[0]] = boards[:2000]
        train.append(boards[2000 : 2000 + POSITIONS_A_FILE])
    boards = np.concatenate(train)
    noisy = boards[: int(len(boards) * MISREAD_POSITIONS)].copy()
    for board in noisy:
        row, column = random.integers(0, 8, 2)
        board[row, column] = random.integers(1, 13)
    x = torch.from_numpy(turned(np.concatenate([boards, noisy])))
    weights = torch.zeros(50, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=200, line_search_fn="strong_wolfe")

    def loss():
        optimizer.zero_grad()
        scores = x @ weights
        # Half against whole turn is the question asked most often; quarter turns have better evidence.
        half = torch.log_softmax(scores[:, ::2], 1)[:, 0]
        value = -(torch.log_softmax(scores, 1)[:, 0] + half).mean() + 1e-4 * weights.square().sum()
        value.backward()
        return value

    optimizer.step(loss)
    weights = weights.detach()
    for name, boards in held_out.items():
        scores = torch.from_numpy(turned(boards)) @ weights
        sure = torch.sigmoid(scores[:, 0] - scores[:, 2])
        print(
            f"{name:12} half turn {(sure > 0.5).float().mean():.4f}  quarter turns {(scores.argmax(1) == 0).float().mean():.4f}"
            f"  wrong above 0.99: {(sure < 0.01).float().mean():.4f}  log loss {-sure.log().mean():.4f}"
        )
    for piece, row in zip(PIECES, weights[:48].reshape(6, 8).tolist()):
        print(f"    [{', '.join(f'{value:.2f}' for value in row)}], // {piece}")
    print(f"facing {weights[48]:.2f}, passed {weights[49]:.2f}")


if __name__ == "__main__":
    main()
