"""The orientation prior: tells from the position alone whose side is below, for boards without coordinates.

Every position of the assets is stored with White below. Turned by a half it is what a board seen from Black's side
looks like, turned by a quarter what a photo taken from the side shows. A small network learns a score for a board such
that the true turn scores highest of the four (a conditional logit).

    python orientation_prior.py train --bfloat16     # a quarter of an hour of one core; can be stopped and goes on
    python orientation_prior.py export               # ../models/orientation_prior.onnx, and figures on held-out positions

Input of the network: [2, 12, 8, 8], the probabilities of KQRBNPkqrbnp on the squares of a board as they would be with
White below (rank 8 first), and the same turned by a half; output [2], a log likelihood of each up to a constant.
"""
import argparse
import gzip
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from artwork import ASSETS
from learning import export, fit, load_weights

MODELS = Path(__file__).resolve().parents[1] / "models"
PIECES = "KQRBNPkqrbnp"          # class k + 1 of a square is PIECES[k]; 0 is empty
HELD_OUT = 2000                  # positions of each file that are kept out of training
BATCH = 128                      # positions a step
# How many positions of a batch come from each file: composed ones, which books are full of, more than their number.
# "random" is no file: pieces set down anyhow, as in examples of a promotion or made by a program. They tell little, and
# without them the network was surer of pawns one step before promotion than it may be (0.997, wrongly, on a real diagram).
SHARES = {"endgames": 12, "games": 12, "middlegames": 12, "openings": 6, "playouts": 10, "problems": 14, "tactics": 12,
          "random": 8}
FEATURES = 32
LAYERS = 4


class OrientationPrior(nn.Module):
    """Convolutions over the board, the first with a learned bias for each square; their mean and maximum give a score,
    to which a score for each piece on each square is added."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(12, FEATURES, 3, padding=1)
        self.place = nn.Parameter(torch.zeros(1, FEATURES, 8, 8))
        self.rest = nn.ModuleList(nn.Conv2d(FEATURES, FEATURES, 3, padding=1) for _ in range(LAYERS - 1))
        self.last = nn.Linear(2 * FEATURES, 1)
        self.squares = nn.Parameter(torch.zeros(12, 8, 8))

    def forward(self, x):
        """[n, 12, 8, 8] to [n]."""
        features = F.relu(self.first(x) + self.place)
        for convolution in self.rest:
            features = features + F.relu(convolution(features))
        pooled = torch.cat([features.mean((2, 3)), features.amax((2, 3))], 1)
        return self.last(pooled).squeeze(1) + (x * self.squares).sum((1, 2, 3))


def board_of(placement):
    """Placement text to int8 [8, 8], rank 8 first; 0 empty, 1..12 KQRBNPkqrbnp."""
    board = np.zeros((8, 8), np.int8)
    for row, text in enumerate(placement.split("/")):
        column = 0
        for letter in text:
            if letter.isdigit():
                column += int(letter)
            else:
                board[row, column] = PIECES.index(letter) + 1
                column += 1
    return board


def random_position(random):
    """Pieces set down anyhow: mostly few, with both kings, and pawns where pawns can be, in three of ten about to promote."""
    board = np.zeros(64, np.int8)
    if random.random() < 0.3:
        for pawn in (6, 12):
            for _ in range(random.integers(0, 4)):
                relative = random.choice([6, 5, 4], p=[0.6, 0.25, 0.15]) if random.random() < 0.85 else random.integers(1, 4)
                board[8 * (7 - relative if pawn == 6 else relative) + random.integers(8)] = pawn
        others = random.choice(np.array([2, 3, 4, 5, 8, 9, 10, 11]), random.integers(0, 3) if random.random() < 0.3 else 0)
        pieces = np.concatenate([[1, 7], others])
    else:
        kings = 2 if random.random() < 0.9 else 0
        count = random.integers(1, 9) if random.random() < 0.8 else random.integers(9, 31)
        others = random.choice(np.array([2, 3, 4, 5, 6, 8, 9, 10, 11, 12]), count, p=np.array([1, 2, 2, 2, 5] * 2) / 24)
        pieces = np.concatenate([[1, 7][:kings], others])
    free = random.permutation(np.flatnonzero(board == 0))
    board[free[:len(pieces)]] = pieces
    board = board.reshape(8, 8)
    if random.random() < 0.95:
        for row in (0, 7):
            board[row][board[row] % 6 == 0] = 0
    return board


def positions(assets):
    """Positions int8 [n, 8, 8] by file: those to train on, and those held out."""
    random = np.random.default_rng(1)
    training, held_out = {}, {}
    for name in SHARES:
        if name == "random":
            boards = np.stack([random_position(random) for _ in range(40000)])
        else:
            with gzip.open(assets / "positions" / f"{name}.fen.gz", "rt") as lines:
                boards = np.stack([board_of(line.strip()) for line in lines])
        random.shuffle(boards)
        held_out[name], training[name] = boards[:HELD_OUT], boards[HELD_OUT:]
    return training, held_out


def planes(boards):
    """int8 [n, 8, 8] to float32 [n, 12, 8, 8]."""
    classes = torch.from_numpy(boards.astype(np.int64))
    return F.one_hot(classes, 13).permute(0, 3, 1, 2)[:, 1:].float()


def turns(boards):
    """int8 [n, 8, 8] to the four turns of each, int8 [4 n, 8, 8]; the true one first."""
    return np.stack([np.rot90(boards, turn, (1, 2)) for turn in range(4)], 1).reshape(-1, 8, 8)


def varied(random, boards):
    """Positions made a little different: misread, with figures left out as in diagrams that teach, colours swapped."""
    boards = boards.copy()
    for board in boards:
        kind = random.random()
        if kind < 0.12:
            board[tuple(random.integers(8, size=2))] = random.integers(13)
        elif kind < 0.24:
            board[random.random((8, 8)) < random.random()] = 0
    swapped = random.random(len(boards)) < 0.5
    turned = boards[swapped, ::-1]
    boards[swapped] = np.where(turned == 0, 0, np.where(turned > 6, turned - 6, turned + 6))
    return boards


def unsure(random, x):
    """Planes of which some squares are divided between what stands there and something else, as in doubtful readings."""
    share = torch.from_numpy((random.random((len(x), 1, 8, 8)) * (random.random((len(x), 1, 8, 8)) < 0.03)).astype(np.float32))
    other = planes(random.integers(13, size=(len(x), 8, 8)))
    return (1 - share) * x + share * other


def train(arguments):
    torch.manual_seed(1)
    random = np.random.default_rng(1)
    training, _ = positions(arguments.assets)
    shares = np.array(list(SHARES.values())) / sum(SHARES.values())
    network = OrientationPrior()

    def batch_loss(_):
        boards = np.concatenate([of_file[random.integers(len(of_file), size=count)]
                                 for of_file, count in zip(training.values(), random.multinomial(BATCH, shares))])
        x = unsure(random, planes(turns(varied(random, boards)))).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16, enabled=arguments.bfloat16):
            scores = network(x)
        scores, right = scores.float().view(-1, 4), torch.zeros(len(boards), dtype=torch.long)
        # Half against whole turn is the question asked most often; quarter turns have better evidence.
        half = F.cross_entropy(scores[:, ::2], right)
        return F.cross_entropy(scores, right) + half, {"half": half.item()}

    fit(network, batch_loss, arguments.steps, arguments.weights, peak=2e-3, decay=0.02)


@torch.no_grad()
def figures(network, boards):
    """How often and how surely the true turn of held-out positions is told."""
    scores = network(planes(turns(boards))).view(-1, 4)
    right = torch.sigmoid(scores[:, 0] - scores[:, 2])
    return (f"half turn {(right > 0.5).float().mean():.4f}  quarter turns {(scores.argmax(1) == 0).float().mean():.4f}"
            f"  right above 0.99: {(right > 0.99).float().mean():.4f}  wrong above 0.99: {(right < 0.01).float().mean():.4f}"
            f"  log loss {F.softplus(scores[:, 2] - scores[:, 0]).mean():.4f}")


def export_network(arguments):
    """Writes models/orientation_prior.onnx with golden values, and prints the figures."""
    network = load_weights(OrientationPrior(), arguments.weights)
    export(network, (2, 12, 8, 8), arguments.models / "orientation_prior.onnx")
    for name, boards in positions(arguments.assets)[1].items():
        print(f"{name:12} {figures(network, boards)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("train", "export"):
        command = commands.add_parser(name)
        command.add_argument("--assets", type=Path, default=ASSETS)
        command.add_argument("--weights", type=Path, default=Path("orientation_prior.pt"))
    commands.choices["train"].add_argument("--steps", type=int, default=12000)
    commands.choices["train"].add_argument("--bfloat16", action="store_true", help="twice as fast on processors with AVX-512 BF16")
    commands.choices["export"].add_argument("--models", type=Path, default=MODELS)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    {"train": train, "export": export_network}[arguments.command](arguments)


if __name__ == "__main__":
    main()
