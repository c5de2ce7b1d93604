"""The corner refiner: a crop around a rough quad -> how far each corner is off, and whether it is a whole board at all.

    python refiner.py train scenes1 scenes2 scenes3 --weights refiner.pt
    python refiner.py export --weights refiner.pt --out ../models/refiner.onnx

A quad is refined by cropping, moving and cropping again (`refine` of evaluate_locating.py).
"""
import argparse
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from geometry import blur, homography, quad_of_box, side_of, transform, warp
from learning import ConvBlock, export, fit, load_weights, standardise, start_from
from locate_scenes import BOARD, OTHER, SIZE, read_shards

CROP = 128                                    # side of a crop
MARGIN = 0.18                                 # context around the rough board, as a part of its side
SIDE = CROP / (1 + 2 * MARGIN)                # side of the rough board in a crop, pixels: 94.1
INSET = (CROP - SIDE) / 2
ROUGH = quad_of_box(INSET, INSET, CROP - INSET, CROP - INSET)
UNIT = SIDE * 0.1                             # outputs 0..7 are in tenths of the rough board's side
FLOOR = 10                                    # grey levels added to the deviation when a crop is scaled
SHRINK, SIGMA = 1.3, 0.35                     # sources shrunk more than SHRINK times are blurred by SIGMA x shrinkage
BATCH = 48
SMALLEST = 50                                 # training boards are larger than this, pixels a side


class Refiner(nn.Module):
    """Crops [B, 1, 128, 128] -> [B, 9].

    Outputs 0..7 are the shifts x1, y1 .. x4, y4 of the corners of ROUGH in UNITs, output 8 the logit of "a board".
    """

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(ConvBlock(1, 16, 2), ConvBlock(16, 40, 2), ConvBlock(40, 40),
                                      ConvBlock(40, 80, 2), ConvBlock(80, 80), ConvBlock(80, 112, 2),
                                      ConvBlock(112, 112), ConvBlock(112, 40, 1, 1))
        self.head = nn.Sequential(nn.Linear(40 * 8 * 8, 128), nn.ReLU(inplace=True), nn.Linear(128, 9))

    def forward(self, x):
        return self.head(self.features(x).flatten(1))


def crop(grey, quad):
    """The crop uint8 [128, 128] that brings `quad` to ROUGH, and the 3x3 map from picture to crop."""
    matrix = homography(quad, ROUGH)
    shrink = side_of(quad) / SIDE
    if shrink > SHRINK:                       # blur only what is seen
        reach = quad.mean(0) + (quad - quad.mean(0)) * (1 + 2.5 * MARGIN)
        left, top = np.maximum(np.floor(reach.min(0)).astype(int), 0)
        right, bottom = np.ceil(reach.max(0)).astype(int)
        part = grey[top:max(bottom, top + 1), left:max(right, left + 1)]
        if part.size:
            move = np.array([[1, 0, left], [0, 1, top], [0, 0, 1]])
            return warp(blur(part, SIGMA * shrink), matrix @ move, (CROP, CROP), borderMode=cv2.BORDER_REPLICATE), matrix
    return warp(grey, matrix, (CROP, CROP), borderMode=cv2.BORDER_REPLICATE), matrix


# Training samples: (crop [128, 128], shifts [8] in UNITs, 1 for a board or 0)

def shaken(rng, quad):
    """A quad turned, scaled, moved and bent: a third as the locator's are, a third as after one round, a third as after two."""
    strength = (1.0, 0.35, 0.1)[rng.integers(3)]
    angle, scale = rng.normal(0, 0.06) * strength, np.exp(rng.normal(0, 0.06, 2) * strength)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * scale
    shift = rng.normal(0, 0.045 * strength, 2) + rng.normal(0, 0.025 * strength, (4, 2))
    centre = quad.mean(0)
    return ((quad - centre) @ turn.T + centre + shift * side_of(quad)).astype(np.float32)


def off_by_squares(rng, quad, low, high):
    """The quad whose edges lie whole squares beside the board's: each of left, top, right, bottom by low..high."""
    left, top, right, bottom = rng.integers(low, high + 1, 4) / 8
    return transform(quad_of_box(left, top, 1 + right, 1 + bottom), homography(quad_of_box(0, 0, 1, 1), quad))


def away(rng, quad):
    """A quad that lies on half a board, on two, or on a part of one: no board to refine."""
    kind = rng.random()
    unit = homography(quad_of_box(0, 0, 1, 1), quad)
    if kind < 0.45:                           # beside: between boards, half on it
        angle, distance = rng.uniform(0, 2 * np.pi), rng.uniform(0.4, 1.0)
        return (quad + np.array([np.cos(angle), np.sin(angle)]) * distance * side_of(quad)).astype(np.float32)
    if kind < 0.8:                            # a part of the board
        side = rng.uniform(0.25, 0.6)
        x, y = rng.uniform(0, 1 - side, 2)
        return transform(quad_of_box(x, y, x + side, y + side), unit)
    side = rng.uniform(1.7, 3)                # far more than the board
    x, y = rng.uniform(1 - side, 0, 2)
    return transform(quad_of_box(x, y, x + side, y + side), unit)


def elsewhere(rng):
    """A random upright square of a scene."""
    side = rng.uniform(60, 400)
    x, y = rng.uniform(side / 2, SIZE - side / 2, 2)
    return quad_of_box(x - side / 2, y - side / 2, x + side / 2, y + side / 2)


def random_sample(rng, material):
    """One sample: boards (a tenth of them a rank or file off), things like boards, misplaced quads, empty places."""
    scenes, boards, others, empty = material
    kind = rng.random()
    if kind < 0.74:
        number, quad = boards[rng.integers(len(boards))]
        if rng.random() < 0.1:
            quad = np.roll(quad, rng.integers(4), 0)
        rough = quad if rng.random() < 0.85 else off_by_squares(rng, quad, -1, 1)
        view, matrix = crop(scenes[number], shaken(rng, rough))
        return view, ((transform(quad, matrix) - ROUGH) / UNIT).reshape(8), 1.0
    if kind < 0.89:
        number, quad = others[rng.integers(len(others))]
        quad = shaken(rng, quad)
    elif kind < 0.96:
        number, quad = boards[rng.integers(len(boards))]
        quad = away(rng, quad)
    else:
        number, quad = empty[rng.integers(len(empty))], elsewhere(rng)
    return crop(scenes[number], quad)[0], np.zeros(8, np.float32), 0.0


def varied(rng, view, shifts):
    """The crop mirrored or with its tones bent, at random."""
    if rng.random() < 0.5:
        view = view[:, ::-1]
        shifts = (shifts.reshape(4, 2) * [-1, 1])[[1, 0, 3, 2]].reshape(8)
    if rng.random() < 0.25:
        view = (255 * (np.arange(256) / 255) ** np.exp(rng.normal(0, 0.4))).astype(np.uint8)[view]
    return np.ascontiguousarray(view), shifts.astype(np.float32)


def train(arguments):
    """Trains on shards of scenes; goes on where it was stopped."""
    scenes, boards, others, empty = [], [], [], []
    for pictures, marks in read_shards(arguments.shards):
        for picture, (quads, kinds) in zip(pictures, marks):
            large = [(quad, kind) for quad, kind in zip(quads, kinds) if side_of(quad) > SMALLEST]
            boards += [(len(scenes), quad) for quad, kind in large if kind == BOARD]
            others += [(len(scenes), quad) for quad, kind in large if kind == OTHER]
            if len(quads) == 0 or (kinds == OTHER).all():
                empty.append(len(scenes))
            scenes.append(picture)
    material, network = (scenes, boards, others, empty), Refiner()
    if arguments.start:
        rng = np.random.default_rng(arguments.seed)
        some = np.stack([random_sample(rng, material)[0] for _ in range(128)])
        start_from(network, arguments.start, standardise(torch.from_numpy(some), FLOOR))

    def batch_loss(step):
        rng = np.random.default_rng((arguments.seed, step))
        views, shifts, real = [], [], []
        for _ in range(BATCH):
            view, shift, is_board = random_sample(rng, material)
            view, shift = varied(rng, view, shift)
            views.append(view)
            shifts.append(shift)
            real.append(is_board)
        shifts, real = torch.from_numpy(np.stack(shifts)), torch.tensor(real)
        x = standardise(torch.from_numpy(np.stack(views)), FLOOR).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16, enabled=arguments.bfloat16):
            output = network(x)
        output = output.float()
        # Square root of the rough error: shakes are of three strengths, and the small ones should count as well.
        size = shifts.abs().amax(1).clamp(min=0.02).sqrt()
        error = (output[:, :8] - shifts).abs().mean(1) * real
        judge = F.binary_cross_entropy_with_logits(output[:, 8], real)
        corner = (error / size).sum() / real.sum()
        return corner + 0.25 * judge, {"corner error % of side": 10 * error.sum().item() / real.sum().item(),
                                       "judge": judge.item()}

    fit(network, batch_loss, arguments.steps, arguments.weights, peak=arguments.peak)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train")
    training.add_argument("shards", type=Path, nargs="+", help="written by locate_scenes.py, without suffix")
    training.add_argument("--steps", type=int, default=8000)
    training.add_argument("--peak", type=float, default=2e-3, help="largest learning rate")
    training.add_argument("--seed", type=int, default=0)
    training.add_argument("--bfloat16", action="store_true", help="compute in 16 bits, where the processor can")
    training.add_argument("--start", type=Path, help="weights (.pt, .onnx) to start from")
    exporting = commands.add_parser("export")
    exporting.add_argument("--out", type=Path, default=Path("../models/refiner.onnx"))
    for command in (training, exporting):
        command.add_argument("--weights", type=Path, default=Path("refiner.pt"))
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    if arguments.command == "train":
        train(arguments)
    else:
        export(load_weights(Refiner(), arguments.weights), (1, 1, CROP, CROP), arguments.out)


if __name__ == "__main__":
    main()
